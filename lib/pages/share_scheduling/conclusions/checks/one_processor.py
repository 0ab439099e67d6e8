"""Claims of `thesis`, Section 7.1, items 2 and 3: one processor, and several with free migration."""

import itertools

import numpy as np

from clustershare.compiled import service
from clustershare.multiprocessor import group_weights, is_feasible
from clustershare.shares import feasible_group_share, group_share_deviation, maximum_obtainable_share
from clustershare.uniprocessor.analysis import RULES
from compendium.press.findings import check, finding, over_domain
from compendium.press.words import SCALE
from pages.share_scheduling.one_processor.deviations import (
    larger_deviation,
    larger_of_two_groups,
    simulated_of_two_groups,
)
from pages.share_scheduling.one_processor.over_shares import jointly
from pages.share_scheduling.one_processor.paths import intervals
from pages.share_scheduling.one_processor.systems import SHARES, SPLITS, two_groups

EXACT = 1e-12
LOADS = (0.3, 0.6, 0.9)
CLEAR, CLOSE = SCALE["clear"].least, SCALE["close"].most


def _said(*worst):
    return f"at most {max(worst) + 0.0:.2f}" if max(worst) > EXACT else "never above 0"


@check("thesis-7-004", policy="PS")
def one_processor(policy="GPPS"):
    """Delta_g(t) and Delta^T(t) of the library's rule in random states, and at every moment of paths."""
    code = {"PS": service.PS, **RULES}[policy]

    def worst(shares, jobs):
        obtained = service.divide_each(code, shares, jobs[:, None])[:, 0]
        lost = maximum_obtainable_share(int(jobs.sum()), [1.0]) - obtained.sum()
        return group_share_deviation(feasible_group_share(shares, jobs, 1), obtained, shares).max(), lost

    rng, states, moments = np.random.default_rng(7004), [], []
    for _ in range(500):
        groups = int(rng.integers(2, 7))
        states.append(worst(rng.dirichlet(np.ones(groups)), rng.integers(0, 6, groups)))
    for load, permanent in itertools.product(LOADS, ((0, 0, 0), (1, 0, 2))):
        shares, rates = np.array([0.5, 0.3, 0.2]), load * np.array([0.2, 0.3, 0.5]) * (1 - 0.5 * (sum(permanent) > 0))
        path = intervals(policy, tuple(shares), tuple(rates), 1.0, permanent, events=10_000, seed=7004)
        moments += map(np.array, {tuple(interval.present(3)) for interval in path})
    along = [worst(np.array([0.5, 0.3, 0.2]), jobs) for jobs in moments]
    deviation, lost = np.array(states + along).T
    return finding(
        f"500 states, {len(along)} kinds of moments of six paths: deviation {_said(*deviation)}, loss {_said(*lost)}",
        max(deviation.max(), lost.max()) <= EXACT,
    )


def _population(rng, equal):
    """Required shares, jobs and capacities."""
    processors, groups = int(rng.integers(2, 7)), int(rng.integers(2, 6))
    speeds = np.sort(rng.dirichlet(np.ones(processors)))[::-1] if not equal else np.full(processors, 1 / processors)
    return rng.dirichlet(np.ones(groups)), rng.integers(0, 9, groups), speeds


@check("thesis-7-005", alike=True)
def several_processors(alike=False):
    """MGPPS against (2.26) and (2.41), and the rates of its jobs against (2.20); the control serves all jobs alike."""
    rng, deviation, lost, refused = np.random.default_rng(7005), -np.inf, 0.0, 0
    for k in range(500):
        shares, jobs, speeds = _population(rng, k % 2)
        most = maximum_obtainable_share(int(jobs.sum()), speeds)
        obtained = jobs / max(1, jobs.sum()) * most if alike else group_weights(shares, jobs, speeds) @ speeds
        feasible = feasible_group_share(shares, jobs, len(speeds))
        deviation = max(deviation, ((feasible - obtained) / shares).max())
        lost = max(lost, abs(most - obtained.sum()))
        there = jobs > 0
        rates = np.repeat(obtained[there] / jobs[there], jobs[there])
        refused += len(rates) > 0 and not is_feasible(rates, speeds)
    return finding(
        f"500 states: deviation {_said(deviation)}, loss {_said(lost)}; no schedule in {refused}",
        max(deviation, lost) <= EXACT and not refused,
    )


@check("thesis-7-006", policies=("GPPS",), loads=(0.8,))
def blind_to_groups(policies=("FCFS", "PS"), loads=(0.5, 0.8, 0.9)):
    """The larger deviation over the splits of a load; the control knows the groups."""
    places, depends, poor = [], [], []
    for policy, load, share in itertools.product(policies, loads, (0.5, 0.6, 0.75)):
        found = larger_deviation(policy, [two_groups(part, load, share) for part in SPLITS])
        places.append((policy, load, share))
        depends.append(np.ptp(found) >= CLEAR)
        poor.append(found.max() > CLOSE)
    holds = np.array(depends) & np.array(poor)
    where = sorted({load for (_, load, _), good in zip(places, holds) if good})
    return over_domain(
        f"Delta^G changes by 0.1 at {sum(depends)} of {len(depends)} policies, loads and shares, and is above "
        f"{CLOSE:g} somewhere at {sum(poor)}; both at loads {', '.join(f'{load:g}' for load in where) or 'none'}",
        holds,
    )


@check("thesis-7-007", policies=("GPPS",))
def waiting_for_the_end(policies=("HOL", "UD")):
    """Services on paths, who waits meanwhile, and Delta^G at the points of three figures; the control interrupts."""
    holds, said = [], []
    for policy in policies:
        interrupted, waits = 0, set()
        for shares, load in itertools.product(((0.6, 0.4), (0.5, 0.3, 0.2)), (0.5, 0.8)):
            served = None
            for interval in intervals(policy, shares, [load / len(shares)] * len(shares), events=10_000, seed=7007):
                # A job that was in service and has work left is served alone until it has none.
                interrupted += served is not None and served.left > 0 and interval.rates != {served: 1.0}
                served = next(iter(interval.rates), None)
                numbers, obtained = interval.present(len(shares)), interval.obtained(len(shares))
                waits |= {(r, n, 0.0) for r, n, o in zip(shares, numbers, obtained) if n and not o}
        alone = {group_share_deviation(feasible_group_share(r, n, 1), o, r) for r, n, o in waits} == {1.0}
        worst = max(_largest(policy, figure) for figure in ("3.5", "3.8", "3.10"))
        holds.append(not interrupted and alone and worst > CLOSE)
        said.append(f"{policy}: {'never' if not interrupted else f'{interrupted} times'} interrupted, "
                    f"{'always 1 for a group that waits' if alone else 'no group waits'}, largest Delta^G "
                    f"{worst:.2f}")  # fmt: skip
    return finding("; ".join(said), all(holds))


def _largest(policy, figure):
    """The largest Delta^G at the points of a figure; the lower end for UD, whose points are simulated."""
    share, fractions = {"3.5": (0.5, SPLITS[:10]), "3.8": (0.51, SPLITS)}.get(figure, (None, None))
    if policy == "UD":
        value, half_width = simulated_of_two_groups(policy, required_share=share, fractions=fractions)
        return float((value - jointly(half_width)).max())
    points = {"fraction": fractions} if share else {"required_share": SHARES}
    return float(larger_of_two_groups(policy, points, **({"required_share": share} if share else {})).max())
