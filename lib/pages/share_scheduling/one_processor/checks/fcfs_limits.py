"""Claims of `thesis`, Section 3.2.1: first come, first served in light and in heavy traffic, (3.22) and (3.23)."""

import functools
import math

import numpy as np

from clustershare import uniprocessor
from compendium.press.findings import check, finding, over_domain
from pages.share_scheduling.one_processor.printed import fcfs_alone
from pages.share_scheduling.one_processor.witnesses import lines


@check("thesis-3-009", permanent=1)
def light_traffic(permanent=0):
    """(3.22): tenfold lighter loads, six times; the control gives the first group a permanent job."""
    worst, ratios = 0.0, {"library": [], "chains": []}
    for number, system in enumerate(lines.at_random(60, seed=15)):
        direction = system.loads / system.loads.sum()
        lasting = np.eye(len(direction), dtype=int)[0] * permanent
        sizes = {"library": [], "chains": []}
        for k in range(1, 7):
            arguments = "FCFS", system.shares, 10.0**-k * direction, 1.0, lasting
            sizes["library"].append(np.abs(uniprocessor.exact(*arguments).group_share_deviation).max())
            if k <= 3 and number < 6:
                line = uniprocessor.whole_line(*arguments, most_jobs=5).performance
                sizes["chains"].append(np.abs(line.group_share_deviation).max())
        worst = max(worst, sizes["library"][-1])
        for name, values in sizes.items():
            ratios[name].append(np.divide(values[:-1], values[1:]))
    ratios = {name: np.concatenate(found) for name, found in ratios.items()}
    said = ", ".join(f"{found.min():.1f} to {found.max():.1f} ({name})" for name, found in ratios.items())
    return finding(
        f"every tenfold lighter load divides the largest deviation by {said}; at 1e-6 it is at most {worst:.0e}",
        all(8 <= found.min() and found.max() <= 12 for found in ratios.values()),
    )


@functools.cache
def _limit_splits():
    """Required shares and limits of the loads, all above 0: thirty random ones of two to four groups."""
    found = []
    for system in lines.at_random(30, seed=18):
        found.append((system.shares, system.loads / system.loads.sum()))
    return found


VANISHING = {
    "no load at all": lambda idle: 0.0,
    "(1 - rho)^2": lambda idle: idle**2,
    "1 - rho": lambda idle: idle,
    "sqrt(1 - rho)": lambda idle: math.sqrt(idle),
}


def _near_one(limit, idle, last=None):
    """Loads of total 1 - idle in the proportions of their limits; `last` is the load of a further group."""
    if last is None:
        return (1 - idle) * limit
    return np.array([*(1 - idle - last) * limit, last])


@check("thesis-3-010", policy="PQ")
def heavy_traffic(policy="FCFS"):
    """(3.23), over all splits that have limits: loads that vanish are among them."""
    holds, ks = [], range(1, 10)
    for shares, limit in _limit_splits():
        gaps = [
            np.abs(lines.deviation(shares, _near_one(limit, 10.0**-k), policy) - (1 - limit / shares)).max() for k in ks
        ]
        holds.append(gaps[-1] <= 1e-5 and (np.diff(gaps) < 0).all())
    splits, said, vanishing = sum(holds), [], []
    shares, limit = np.array([0.45, 0.3, 0.25]), np.array([0.6, 0.4])
    for name, last in VANISHING.items():
        found = [lines.deviation(shares, _near_one(limit, 10.0**-k, last(10.0**-k)), policy)[-1] for k in ks]
        gaps = np.abs(np.subtract(found, 1))
        vanishing.append(gaps[-1] <= 1e-5 and (np.diff(gaps) < 0).all())
        said.append(f"{name}: {abs(found[-1]):.2f}")
    expected, found = [], []
    for number, loads in enumerate(([0.45, 0.3, 0.2], [0.54, 0.36, 0.05])):  # the last is 1 - rho in the second
        run = uniprocessor.simulate(policy, shares, loads, **lines.RUN, seed=number)
        expected.append(fcfs_alone(shares, np.array(loads)))
        found.append(run.group_share_deviation)
    missed, _ = lines.contradicted(expected, found)
    return over_domain(
        f"it holds for {splits} of 30 splits with limits above 0; a group whose load vanishes should tend to 1, and "
        f"tends with {', '.join(said)}; simulated at 0.95: {missed} of 6 intervals miss (3.20)",
        [all(holds) and missed == 0, all(vanishing)],
    )


@check("thesis-3-011", policy="PQ")
def only_the_required_shares(policy="FCFS"):
    """In heavy traffic some group falls short unless the loads are the required shares; vanishing loads apart."""
    short, kept = [], []
    for shares, limit in _limit_splits():
        larger = [lines.deviation(shares, _near_one(limit, 10.0**-k), policy).max() for k in (3, 6, 9)]
        short.append(larger[-1] > 0 and abs(larger[-1] - (1 - limit / shares).max()) < 1e-5)
        loads = [lines.deviation(shares, rho * shares, policy).max() for rho in (0.1, 0.5, 0.9, 0.99, 1 - 1e-6)]
        kept.append(max(loads) <= 1e-12)
    shares, limit, said = np.array([0.45, 0.3, 0.25]), np.array([0.6, 0.4]), []
    for name, last in VANISHING.items():
        larger = [lines.deviation(shares, _near_one(limit, 10.0**-k, last(10.0**-k)), policy).max() for k in (3, 6, 9)]
        said += [name] if larger[-1] < 1e-6 and larger[-1] <= larger[0] else []
    return over_domain(
        f"{sum(short)} of 30 other splits with limits above 0 leave a group short, {sum(kept)} of 30 with loads in "
        f"proportion none; shares 0.45, 0.3, 0.25 are all kept by loads that tend to 0.6, 0.4, 0 if the last is "
        f"{' or '.join(said) or 'never'}",
        [all(short) and all(kept), not said],  # limits above 0, and one of them 0
    )
