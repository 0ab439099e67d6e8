"""Claims of `ctmc` on Figure 7 and the job sizes of Figures 7, 8, 9."""

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from clustershare.cluster_chain import harmonic_sizes, uniform_sizes
from compendium.press.claims import check, finding
from pages.cluster_chain.systems import ARRIVAL_RATES, cluster, figure_7, solved

NAMES = ("uniform", "bounded normal", "harmonic")


def blocking(distribution):
    """Blocking probabilities of `ctmc`, Figure 7, at its arrival rates."""
    return np.array([solved(figure_7(distribution, rate)).blocking for rate in ARRIVAL_RATES])


@check("ctmc-001", tampered=1.0)
def generator_is_conservative(tampered=0.0):
    """Row sums of the generator, and whether every state can be reached from every other."""
    Q = cluster("uniform", 30.0, servers=8, queue_capacity=5).generator()
    Q = Q + csr_array(([tampered], ([0], [Q.shape[0] - 1])), shape=Q.shape)
    row = np.abs(Q.sum(axis=1)).max()
    parts = connected_components(Q, directed=True, connection="strong", return_labels=False)
    return finding(
        f"N = T = 8, C = 5: row sums {'0' if row < 1e-10 else row} to rounding, {parts} class",
        row < 1e-10 and parts == 1,
    )


@check("ctmc-002", servers=15)
def number_of_states(servers=16):
    """States of the chain, and of the cluster."""
    whole = cluster("uniform", 30.0, servers=servers)
    # A level more adds a block of cluster states for each of the job sizes.
    level = whole.states - cluster("uniform", 30.0, servers=servers, queue_capacity=14).states
    return finding(
        f"{whole.states} states, {level // servers} of the cluster", (whole.states, level) == (235155, 14640)
    )


@check("ctmc-010", service_rate=20.0)
def jobs_in_service(service_rate=10.0):
    """Little's law in the cluster: jobs in service against what is accepted."""
    worst = 0.0
    for distribution in NAMES:
        for rate in ARRIVAL_RATES:
            found = solved(figure_7(distribution, rate))
            worst = max(worst, abs(found.mean_jobs_in_service * service_rate / (rate * (1 - found.blocking)) - 1))
    return finding("equal within 1e-9 at 60 points" if worst < 1e-9 else f"off by {worst:.2g}", worst < 1e-9)


@check("ctmc-011", mean_size=8.0)
def busy_servers(mean_size=8.5):
    """Busy servers against the work that is accepted, uniform sizes."""
    worst = 0.0
    for rate in ARRIVAL_RATES:
        found = solved(figure_7("uniform", rate))
        worst = max(worst, abs(16 * found.utilisation / (rate * (1 - found.blocking) * mean_size / 10) - 1))
    return finding("equal within 1e-9 at 20 points" if worst < 1e-9 else f"off by {worst:.2g}", worst < 1e-9)


@check("ctmc-023", lowest="uniform")
def harmonic_blocks_least(lowest="harmonic"):
    """Harmonic sizes against the others at every arrival rate (`ctmc`, Figure 7)."""
    others = np.min([blocking(name) for name in NAMES if name != lowest], axis=0)
    at = ARRIVAL_RATES.index(30)
    return finding(
        f"at 30 jobs per second {blocking(lowest)[at]:.3f} against {others[at]:.3f}",
        bool((blocking(lowest) < others).all()),
    )


@check("ctmc-024", better="bounded normal", worse="uniform")
def uniform_slightly_better(better="uniform", worse="bounded normal"):
    """Uniform against bounded normal: below, and close (`ctmc`, Figure 7)."""
    gap = blocking(worse) - blocking(better)
    return finding(f"difference {gap.min():.1e} to {gap.max():.3f}", gap.min() > 0 and gap.max() < 0.05)


@check("ctmc-035", exponent=0.0)
def harmonic_jobs_are_small(exponent=1.5):
    """Mean sizes of the two distributions."""
    harmonic, uniform = (
        sum(size * chance for size, chance in sizes.items())
        for sizes in (harmonic_sizes(16, exponent), uniform_sizes(16))
    )
    return finding(f"{harmonic:.4f} against {uniform:.4f} servers", harmonic < uniform)


@check("ctmc-045", rates=ARRIVAL_RATES[::-1])
def blocking_rises(rates=ARRIVAL_RATES):
    """Blocking is small at small arrival rates, and rises (`ctmc`, Figure 7)."""
    curves = [[solved(figure_7(name, rate)).blocking for rate in rates] for name in NAMES]
    first = max(curve[0] for curve in curves)
    return finding(
        f"at most {first:.1e} at {rates[0]} jobs per second; rising throughout"
        if first < 0.01
        else f"{first:.2f} at {rates[0]}",
        first < 0.01 and all((np.diff(curve) > 0).all() for curve in curves),
    )
