"""Claims of `thesis`, Section 1.3.1: routing by probabilities that stay as loads change."""

import numpy as np
from scipy.optimize import minimize

from clustershare.splitting import minimise_response_time
from compendium.press.findings import check, finding, over_domain


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
    rng, holds, reasons, gap = np.random.default_rng(21), [], {"all alike": 0, "one used": 0, "other": 0}, 0.0
    for number in range(200):
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
        gap = max(gap, abs(least_by_solver(speeds, after) / best - 1))
        stable = (after * old < speeds).all()
        kept = (after * old / (speeds - after * old)).sum() if stable else np.inf
        holds.append(kept > best * (1 + 1e-9))
        if not holds[-1]:
            reason = (
                "all alike"
                if np.ptp(speeds) < 1e-12
                else "one used"
                if old[0] > 1 - 1e-9 and new[0] > 1 - 1e-9
                else "other"
            )
            reasons[reason] += 1
    if gap > 1e-6:
        return finding(f"the solvers are {gap:.1g} apart", False)
    return over_domain(
        f"no longer optimal in {sum(holds)} of 200 systems; still optimal in {reasons['all alike']} with processors "
        f"all alike, {reasons['one used']} where one is used at both loads, {reasons['other']} others",
        holds,
    )
