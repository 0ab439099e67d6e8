"""Claims of `thesis`, Section 1.3.1: routing by probabilities that stay as loads change."""

import numpy as np
from scipy.optimize import minimize

from clustershare.splitting import minimise_response_time
from compendium.press.clauses import aside, at_each, conclude, everywhere, exact
from compendium.press.clauses.conditions import equal, larger
from compendium.press.findings import check
from pages.share_scheduling.objectives.systems import drawn


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
        new = minimise_response_time(speeds, after).fractions
        best = (after * new / (speeds - after * new)).sum()
        stable = (after * old < speeds).all()
        jobs = (after * old / (speeds - after * old)).sum() if stable else np.inf
        same, one_used = np.ptp(speeds) < 1e-12, old[0] > 1 - 1e-9 and new[0] > 1 - 1e-9
        return {
            "gap": least_by_solver(speeds, after) / best - 1, "more": 1 - best / jobs,
            "kind": 0 if same else 1 if one_used else 2,
        }  # fmt: skip

    found = drawn("system", 200, 21).measure(kept)
    still = found["kind"].value[found["more"].value <= 1e-9]
    kinds = ("all processors are alike", "one is used at both loads", "neither is so")
    return conclude(
        at_each("the part of the jobs that are there because of the old probabilities", found["more"], larger(1e-9)),
        aside("systems in which they still are, where", exact([(still == k).sum() for k in range(3)], kind=kinds)),
        provided=[everywhere("the least number of jobs by two solvers", found["gap"], equal(1e-6))],
    )
