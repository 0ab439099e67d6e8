"""Claims of `ctmc`, Sections 3 and 5.1: the order of the states, the sizes, most jobs."""

import numpy as np
from scipy import stats

from clustershare.cluster_chain import ServiceCluster, harmonic_sizes, normal_sizes, uniform_sizes
from compendium.press.clauses import cases, conclude, everywhere, exact, fact
from compendium.press.clauses.conditions import at_least, between, equal
from compendium.press.findings import check
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
    right, told = names == "111 112 113 114 122 123 222".split(), ", ".join(names)
    return conclude(fact(f"the states are {told}", right, f"the states are others: {told}"))


@check("ctmc-009", servers=1600)
def most_jobs(servers=1500):
    """The length of the longest cluster state."""
    above = figure_11(0.05, 60, servers).lattice()
    length = np.zeros(len(above.parent), dtype=int)
    for v, parent in enumerate(above.parent[1:], 1):
        length[v] = length[parent] + 1
    return conclude(everywhere("the number of jobs in the longest state", exact(length.max()), between(150, 150)))


@check("ctmc-058", exponent=1.0, spread=0.5)
def job_size_distributions(exponent=1.5, spread=0.25):
    """Drawn sizes against the printed laws by chi-square, and the sizes that leave the chain."""
    laws = []
    for largest in (15, 16):
        n, eta = np.arange(1, largest + 1), (largest + 1) / 2
        laws += [(uniform_sizes(largest), np.ones(largest)), (harmonic_sizes(largest, exponent), n**-1.5)]
        laws.append((normal_sizes(largest, eta * spread), density(n, eta, eta / 4)))
        laws += [(normal_sizes(largest, sigma), density(n, eta, sigma)) for sigma in SPREAD_AXIS]

    def against_printed(number, law, weights):
        part, drawn = weights / weights.sum(), np.zeros(len(weights))
        drawn[np.array(list(law)) - 1] = drawn_sizes(law, seed=number)
        likely, p = 1e6 * part >= 5, 1.0
        if likely.sum() > 1:
            expected = part[likely] / part[likely].sum() * drawn[likely].sum()
            p = stats.chisquare(drawn[likely], expected).pvalue
        return {"drawn": p, "departures": off_in_departures(law, part)}

    numbered = [(number, *law) for number, law in enumerate(laws, 1)]
    found = cases("law", numbered).measure(against_printed)
    return conclude(
        everywhere("the probability of 10^6 drawn sizes by chi-square", found["drawn"], at_least(1e-4)),
        everywhere("the parts of the sizes in the departures and by law", found["departures"], equal(1e-9)),
        whole=True,
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
