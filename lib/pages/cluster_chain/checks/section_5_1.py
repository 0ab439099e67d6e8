"""Claims of `ctmc`, Section 5.1: the laws of the size."""

import numpy as np
from scipy import stats

from clustershare.cluster_chain import ServiceCluster, harmonic_sizes, normal_sizes, uniform_sizes
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, grid
from compendium.press.clauses import measured as points
from compendium.press.clauses.conditions import at_least, at_most, equal, falls, rises, within
from compendium.press.findings import check
from pages.cluster_chain.points import SPREAD_AXIS
from pages.cluster_chain.systems import moments
from pages.cluster_chain.witnesses.draws import drawn_sizes, mean_and_deviation, off_served


@check("ctmc-058", others=(1.0, 0.5))
def job_size_distributions(others=()):
    """Drawn sizes against the printed laws by chi-square, and the sizes that leave the chain.

    Exponent and sigma are the library's, if not asked for; those of the control are others, the latter in parts of eta.
    """
    laws = []
    for largest in (15, 16):
        n, eta = np.arange(1, largest + 1), (largest + 1) / 2
        laws += [(uniform_sizes(largest), np.ones(largest)), (harmonic_sizes(largest, *others[:1]), n**-1.5)]
        laws.append((normal_sizes(largest, *(eta * part for part in others[1:])), density(n, eta, eta / 4)))
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


@check("ctmc-073", law=normal_sizes)
def small_jobs_are_likelier(law=harmonic_sizes):
    """Probabilities and frequencies of neighbouring sizes, for every largest size (`ctmc`, Section 5.1)."""
    names, drops, drawn, widths = [], [], [], []
    for largest in range(2, 17):
        sizes = law(largest)
        often = drawn_sizes(sizes, seed=largest) / 1e6
        names += [f"T = {largest}, n = {n} to {n + 1}" for n in range(1, largest)]
        drops.extend(np.diff(list(sizes.values())))
        drawn.extend(np.diff(often))
        widths.extend(1.96 * ((often[1:] + often[:-1]) / 1e6) ** 0.5)
    seen = np.array(drops) < -2 * np.array(widths)
    frequency = points(drawn, widths, risk=None, step=names)
    return conclude(
        at_each("the probability, from a size to the next,", exact(drops, step=names), falls()),
        at_each("the frequency in 10^6 jobs", frequency.where(seen, "too small to be seen in so many jobs"), falls()),
        provided=[
            everywhere(
                "what the served sizes of a simulation are off the law, in standard errors,",
                grid(T=(4, 16)).measure(lambda largest: off_served(law(largest))),
                at_most(4),
            )
        ],
    )


@check("ctmc-041", sizes=(7, 9))
def deviation_grows_with_sigma(sizes=None):
    """The standard deviation of the sizes along the axis, of the law and of drawn sizes (`ctmc`, Figure 10)."""

    def deviations(sigma):
        law = normal_sizes(15, sigma)
        if sizes:
            law = {size: law[size] / sum(law[other] for other in sizes) for size in sizes}
        _, deviation = moments(law)
        *_, drawn, width = mean_and_deviation(law, drawn_sizes(law))
        return {"deviation": deviation, "off": (drawn - deviation) / max(width, 1e-4), "short": 1 - deviation / sigma}

    found = grid(σ=SPREAD_AXIS).measure(deviations)
    return conclude(
        at_each("the standard deviation of the sizes, from one σ to the next,", found["deviation"].steps("σ"), rises()),
        everywhere("that of drawn sizes, less that of the law, in half widths,", found["off"], within(2)),
        aside("the standard deviation", found["deviation"]),
        aside("as a part of σ, what it is short of it", found["short"]),
        aside("the standard deviation of sizes that are all alike", exact(np.sqrt((15**2 - 1) / 12))),
    )
