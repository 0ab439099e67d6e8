"""Claims of `balanced`, Section 5, on three servers: Figures 1, 2."""

import numpy as np

from clustershare import multiserver, sizes
from compendium import study
from compendium.press.claims import check, finding
from pages.balanced_fairness.systems import LOADS, paper_sizes, three_servers

EXPONENTIAL, HYPEREXPONENTIAL = sizes.Exponential(1.0), sizes.bimodal_hyperexponential()


def simulated(quantity, interruptions, letter="b", loads=LOADS, capacities=(1.0, 1.0, 1.0), index=0, size=None):
    """Simulated values and half widths of a class in the system of Figure 1 or 2, shape (loads,).

    The sizes are those of a panel, or `size`.
    """
    size = size or paper_sizes()[letter]
    rows = study.run(
        "three-servers" if all(capacities) else "nested-servers",
        multiserver.simulate,
        study.grid(interruptions=[interruptions], load=loads),
        lambda interruptions, load: {
            **three_servers(load, capacities, size.mean), "sizes": size, "interruptions": interruptions,
        },
        fidelity="paper",
    )  # fmt: skip
    rows = rows[(rows["quantity"] == quantity) & (rows["index"] == index)]
    return rows["estimate"].to_numpy(), rows["half_width"].to_numpy()


def fair_rates(loads=LOADS):
    """Exact mean service rates of class 1 under balanced fairness, shape (loads,)."""
    return np.array([multiserver.balanced_fairness(**three_servers(load)).mean_service_rate[0] for load in loads])


def random_systems(count):
    """Stable random three-server systems: capacities and arrival rates, shapes (count, 3) and (count, 2)."""
    rng = np.random.default_rng(11)
    capacities = rng.uniform(0.1, 3, (count, 3))
    mix, load = rng.uniform(0.02, 0.98, count), rng.uniform(0.05, 0.95, count)
    a, b, c = capacities.T
    most = np.min([(a + c) / mix, (b + c) / (1 - mix), a + b + c], axis=0)
    return capacities, (load * most * np.array([mix, 1 - mix])).T


@check("balanced-015", letter="b")
def bimodal_moments(letter="a"):
    """Mean and standard deviation of the bimodal numbers of phases."""
    size = paper_sizes()[letter]
    holds = abs(size.mean - 1) < 1e-12 and abs(size.standard_deviation - 1.84) < 0.005
    return finding(f"{size.mean:.4g} and {size.standard_deviation:.4f}", holds)


@check("balanced-016", size=sizes.zipf_phases())
def mean_size(size=HYPEREXPONENTIAL):
    """Mean of the hyperexponential sizes."""
    return finding(f"{size.mean:.12g}", abs(size.mean - 1) < 1e-12)


@check("balanced-018", exponent=3)
def zipf_mean(exponent=2):
    """Mean of the Zipf numbers of phases."""
    size = sizes.zipf_phases(exponent=exponent)
    return finding(f"{size.mean:.4f}", abs(size.mean - 3.58) < 0.005)
