"""Claims of `ctmc`, Sections 3 and 5.1: the order of the states, the sizes, most jobs."""

import numpy as np
from scipy import stats

from clustershare.cluster_chain import ServiceCluster, harmonic_sizes, normal_sizes, uniform_sizes
from compendium.press.findings import check, finding
from pages.cluster_chain.domains import SPREAD_AXIS
from pages.cluster_chain.draws import drawn_sizes
from pages.cluster_chain.systems import cluster, figure_11


def vectors(model):
    """The cluster states, as tuples of the sizes in service."""
    return [V for _, x2, V in model.state_list() if x2 == 0]


@check("ctmc-005", servers=7)
def order_of_three_jobs(servers=6):
    """The cluster states with three jobs, in order."""
    names = ["".join(map(str, V)) for V in vectors(cluster("uniform", 1.0, servers)) if len(V) == 3]
    return finding(", ".join(names), names == "111 112 113 114 122 123 222".split())


@check("ctmc-009", servers=1600)
def most_jobs(servers=1500):
    """The length of the longest cluster state."""
    above = figure_11(0.05, 60, servers).lattice()
    length = np.zeros(len(above.parent), dtype=int)
    for v, parent in enumerate(above.parent[1:], 1):
        length[v] = length[parent] + 1
    return finding(f"{length.max()} jobs", length.max() == 150)


@check("ctmc-058", exponent=1.0, spread=0.5)
def job_size_distributions(exponent=1.5, spread=0.25):
    """Drawn sizes against the printed laws by chi-square, and the sizes that leave the chain."""
    least, worst, laws = 1.0, 0.0, 0
    for largest in (15, 16):
        n = np.arange(1, largest + 1)
        eta = (largest + 1) / 2
        printed = [(uniform_sizes(largest), np.ones(largest)), (harmonic_sizes(largest, exponent), n**-1.5)]
        printed.append((normal_sizes(largest, eta * spread), density(n, eta, eta / 4)))
        printed += [(normal_sizes(largest, sigma), density(n, eta, sigma)) for sigma in SPREAD_AXIS]
        for law, weights in printed:
            laws += 1
            expected = 1e6 * weights / weights.sum()
            counts = np.zeros(largest)
            counts[np.array(list(law)) - 1] = drawn_sizes(law, seed=laws)
            likely = expected >= 5
            if likely.sum() > 1:
                part = counts[likely].sum() / expected[likely].sum()
                least = min(least, stats.chisquare(counts[likely], expected[likely] * part).pvalue)
            worst = max(worst, off_in_departures(law, expected / 1e6))
    return finding(
        f"{laws} laws: p-values {'above' if least > 1e-4 else 'down to below'} 1e-4 in 10^6 sizes; in the departures "
        f"{'equal within 1e-9' if worst <= 1e-9 else f'off by {worst:.2g}'}",
        least > 1e-4 and worst <= 1e-9,
    )


def density(n, mean, sigma):
    """The normal density at n, up to a factor that does not underflow everywhere."""
    square = ((n - mean) / sigma) ** 2
    return np.exp((square.min() - square) / 2)


def off_in_departures(law, expected):
    """How far the parts of the sizes in the departures of a chain are from a law, relative, above 1e-6."""
    largest = len(expected)
    rates = {size: 5.0 + size for size in range(1, largest + 1)}
    model = ServiceCluster(largest, 1, law, 30.0, 100.0, rates)
    above, vectors = model.lattice(), model.solve().probabilities().reshape(-1, model.level_sizes[0]).sum(axis=0)
    # Every vector that holds a size is the larger one of exactly one slot of that size.
    running = np.bincount(above.size, above.multiplicity * vectors[above.larger])[: len(model.sizes)]
    flows = np.zeros(largest)
    flows[model.sizes - 1] = running * model.size_service_rates
    seen = expected > 1e-6
    return float(np.abs(flows[seen] / flows.sum() / expected[seen] - 1).max())
