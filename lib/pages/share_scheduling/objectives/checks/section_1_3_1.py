"""Claims of `thesis`, Section 1.3.1: routing by probabilities that stay as loads change, and policies that adapt."""

import numpy as np
from scipy.optimize import minimize

from clustershare.splitting import minimise_response_time, parallel_response_time
from compendium.press.clauses import aside, at_each, conclude, everywhere, exact, grid
from compendium.press.clauses.conditions import equal, larger
from compendium.press.findings import check
from pages.share_scheduling.objectives.systems import TENTHS, drawn
from pages.share_scheduling.objectives.witnesses.two_processors import (
    RATIOS,
    by_paths,
    contradicted,
    in_the_library,
    mean_time,
    static_time,
)


def least_by_solver(speeds, load):
    """The least mean number of jobs by constrained minimisation over the fractions of the load."""
    count = len(speeds)

    def objective(parts):
        room = np.maximum(speeds - load * parts, 1e-9)
        return (load * parts / room).sum(), load * speeds / room**2

    found = minimize(
        objective, speeds, jac=True, bounds=[(0, min(1.0, s / load * (1 - 1e-9))) for s in speeds], method="SLSQP",
        constraints=[{"type": "eq", "fun": lambda parts: parts.sum() - 1, "jac": lambda parts: np.ones(count)}],
        options={"ftol": 1e-14, "maxiter": 200},
    )  # fmt: skip
    return found.fun


def spread_flows(sources, loads):
    """Flows of sources to processors, from the first on, each its own load: shape (sources, processors)."""
    edges = [np.append(0.0, np.cumsum(values)) / sum(values) for values in (sources, loads)]
    low = np.maximum(edges[0][:-1, None], edges[1][:-1])
    high = np.minimum(edges[0][1:, None], edges[1][1:])
    return np.maximum(high - low, 0) * sum(loads)


@check("thesis-1-021", alike=True)
def changed_intensities(alike=False):
    """Old probabilities under new loads; in the control all processors are as fast."""

    def kept(rng, number):
        count = int(rng.integers(2, 6))
        speeds = 5 ** rng.uniform(-1, 1, count)
        if number % 3 == 0:
            speeds[1] = speeds[0]
        if number % 20 == 0 or alike:
            speeds[:] = 1.0
        speeds = np.sort(speeds)[::-1] / speeds.sum()
        before, after = rng.uniform(0.2, 0.9), rng.uniform(0.1, 0.95)
        old = minimise_response_time(speeds, before).fractions
        if number % 4 == 1 and not alike:  # several sources; one of them changes
            sources = rng.dirichlet(np.ones(count)) * before
            rows = spread_flows(sources, old * before) / sources[:, None]
            sources[0] = max(1e-3, after - before + sources[0])
            old, after = sources @ rows / sources.sum(), sources.sum()
        new = minimise_response_time(speeds, after)
        in_all, least = ((after * part / (speeds - after * part)).sum() for part in (old, new.fractions))  # jobs
        stable = (after * old < speeds).all()
        time = parallel_response_time(after * old, speeds, speeds**-2.0) if stable else np.inf
        apart = abs(after * time / in_all - 1) if stable else 0.0
        same, one_used = np.ptp(speeds) < 1e-12, old[0] > 1 - 1e-9 and new.fractions[0] > 1 - 1e-9
        return {
            "gap": least_by_solver(speeds, after) / least - 1, "more": 1 - new.objective / time,
            "apart": max(apart, abs(after * new.objective / least - 1)),
            "kind": 0 if same else 1 if one_used else 2,
        }  # fmt: skip

    found = drawn("system", 200, 21).measure(kept)
    still = found["kind"].value[found["more"].value <= 1e-9]
    kinds = ("all processors are alike", "one is used at both loads", "neither is so")
    return conclude(
        at_each("the part of the mean response time that is due to the old probabilities", found["more"], larger(1e-9)),
        aside("systems in which they still are, where", exact([(still == k).sum() for k in range(3)], kind=kinds)),
        provided=[
            everywhere("the least number of jobs by two solvers", found["gap"], equal(1e-6)),
            everywhere("the library's mean response times and those of M/M/1", found["apart"], equal(1e-9)),
        ],
    )


@check("thesis-1-047", dynamic=False)
def without_being_told(dynamic=True):
    """Loads other than the assumed one, for policies that are not told, and for fixed fractions; or these exchanged."""
    if contradicted():
        return conclude(by_paths())

    def split(ratio, load):
        return minimise_response_time((ratio / (ratio + 1), 1 / (ratio + 1)), load)

    def best(ratio, load):
        return split(ratio, load).fractions

    def off_the_queues(assumed, ratio, load):
        """Of the library's time, and of what its optimisation tells, from that of M/M/1 queues."""
        gaps = []
        for which, told in ((assumed, None), (load, split(ratio, load).objective / (ratio + 1))):
            fractions = best(ratio, which)
            left, used = np.array([ratio, 1.0]) - load * (ratio + 1) * fractions, fractions > 0
            if (left > 0).all():
                known = (fractions[used] / left[used]).sum()
                gaps += [each / known - 1 for each in (static_time(ratio, load, fractions), told) if each is not None]
        return np.abs(gaps).max()

    def beaten(policy, ratio, load):
        known = mean_time(policy, ratio, load) if dynamic else static_time(ratio, load, best(ratio, 0.5))
        return 1 - known / static_time(ratio, load, best(ratio, load))

    def kept(assumed, ratio, load):
        other = best(ratio, assumed if dynamic else load)
        return 1 - static_time(ratio, load, best(ratio, load)) / static_time(ratio, load, other)

    def alike(assumed, ratio, load):
        return assumed == load or ratio == 1 or min(best(ratio, assumed)[0], best(ratio, load)[0]) > 1 - 1e-9

    follows = grid(policy=("MRTP", "MSTP"), ratio=RATIOS, load=TENTHS[:-1]).measure(beaten)
    stays = grid(assumed=(0.3, 0.5, 0.7), ratio=RATIOS, load=TENTHS[:-1])
    return conclude(
        at_each("what a dynamic policy takes off the mean response time of the best static routing", follows, larger()),
        at_each("what this takes off that of the routing for the assumed load",
                stays.without("nothing to change", alike).measure(kept), larger(1e-9)),
        provided=[by_paths(), in_the_library(),
                  everywhere("the library's times of static routing and those of M/M/1 queues",
                             stays.measure(off_the_queues), equal(1e-9))],
    )  # fmt: skip
