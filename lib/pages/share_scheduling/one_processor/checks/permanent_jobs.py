"""Claims of `thesis`, Section 3.5.2, Figures 3.12, 3.13, 3.14, 3.15: two groups beside permanent jobs."""

import numpy as np

from clustershare import uniprocessor
from clustershare.shares import feasible_group_share
from compendium.press.findings import beyond, check, finding, over_domain
from compendium.press.words import allows
from pages.share_scheduling.one_processor.points import (
    BESIDE,
    POINTS,
    as_they_arrive,
    deviations_of,
    drawn,
    jointly,
    sharing_chain,
    simulated,
)
from pages.share_scheduling.one_processor.simulated import widened
from pages.share_scheduling.one_processor.systems import SHARES, beside_permanent_jobs, two_groups
from pages.share_scheduling.one_processor.witnesses.paths import averages, intervals

LIMIT = 1e-9
ROUNDING = 4 * np.finfo(float).eps  # of numbers near 1, where a deviation itself is 0
SIX = ("FCFS", "HOL", "UD", "PQ", "PS", "PPS")


def contained(policy, permanent, expected, quantity="group_share_deviation"):
    """Whether the published points contain what is expected, shape (shares, 2), jointly at 99.9 %."""
    value, half_width = simulated(policy, permanent, quantity)
    return np.abs(value - expected) <= jointly(half_width) + ROUNDING


@check("thesis-3-102", policy="HOL")
def preemption_starves(policy="PQ", permanent=(1, 1)):
    """One permanent job of each group, arrivals as they are, against none (`thesis`, Figure 3.12)."""
    gap, served, others, nearer = 0.0, 0.0, [], []
    for r in POINTS:
        path = as_they_arrive(policy, permanent, r)
        found, _ = deviations_of(path, r)
        gap, served = max(gap, abs(found[1] - 1)), max(served, path.obtained.value[1])
        others.append(found[0])
        without = uniprocessor.exact(policy, **two_groups(0.5, 0.5, r)).group_share_deviation
        nearer.append(1 - without.max())
    exact = np.abs(drawn(policy, 1) - 1).max()
    holds = max(gap, exact) <= LIMIT and served == 0 and max(others) < 1 and allows("much", min(nearer))
    said = "group 2 is never served: 1 at all shares" if holds else f"group 2 is served, up to {served:.2f}"
    return finding(f"{said}; without permanent jobs at least {min(nearer):.2f} lower", holds)


@check("thesis-3-103", policy="PPS")
def exactly_met(policy="GPPS", permanent=(1, 1)):
    """The deviations at every event of a path, and in a chain (`thesis`, Figure 3.12)."""
    worst = 0.0
    for number, r in enumerate(POINTS):
        shares = np.array([r, 1 - r])
        for state in intervals(policy, shares.tolist(), (0.25, 0.25), 1.0, permanent, events=200, seed=number):
            there = np.minimum(state.present(2), 1)
            worst = max(worst, np.abs(there - np.array(state.obtained(2)) / shares).max())
        path, _ = deviations_of(as_they_arrive(policy, permanent, r), r)
        chain, bound = sharing_chain(policy, r, permanent, 0.5)
        holds = worst <= 1e-12 and np.abs(path).max() <= LIMIT and np.abs(chain).max() <= bound + LIMIT
        if not holds:
            return finding(f"{worst:.3f} at some event, at r_1 = {r:.3g}", False)
    return finding("0 at every event, at all shares", True)


@check("thesis-3-104", permanent=(1, 2))
def first_come_curve(policy="FCFS", sharing="PS", permanent=None):
    """1 - 0.5 / r_1: the curve, the chain of PS, and the points of FCFS (`thesis`, Figures 3.12, 3.14)."""
    gap, apart, outside = 0.0, 0.0, 0
    for number in (1, 2):
        expected = 1 - 0.5 / BESIDE
        for name in (policy, sharing):
            gap = max(gap, (np.abs(drawn(name, number) - expected) / (LIMIT * expected + ROUNDING)).max())
        both = np.array([1 - 0.5 / np.array(SHARES), 1 - 0.5 / (1 - np.array(SHARES))]).T
        outside += int((~contained(policy, number, both)).sum())
        for r in POINTS:
            chain, bound = sharing_chain(sharing, r, permanent or number, 0.5)
            apart = max(apart, abs(chain.max() - (1 - 0.5 / r)) - bound)
    chained = "within its bound" if apart <= LIMIT else f"off by {apart:.2f}"
    return finding(
        f"the curves {'equal' if gap <= 1 else 'do not equal'} it; the chain of PS is {chained}; "
        f"{outside} of 48 simulated points against it",
        gap <= 1 and apart <= LIMIT and outside == 0,
    )


@check("thesis-3-105", policy="GPPS")
def weighted_curve(policy="PPS", permanent=None):
    """0.5 - 0.25 / r_1, by the chain and simulated (`thesis`, Figures 3.12, 3.14)."""
    apart, outside = 0.0, 0
    for number in (1, 2):
        for r in POINTS:
            chain, bound = sharing_chain(policy, r, permanent or (number, number), 0.5)
            expected = 1 - (0.25 + 0.5 * np.array([r, 1 - r])) / np.array([r, 1 - r])
            apart = max(apart, np.abs(chain - expected).max() - bound, abs(chain.max() - (0.5 - 0.25 / r)) - bound)
        both = np.array([0.5 - 0.25 / np.array(SHARES), 0.5 - 0.25 / (1 - np.array(SHARES))]).T
        outside += int((~contained(policy, number, both)).sum())
    return beyond(
        f"the chain is {'within its bound' if apart <= LIMIT else f'off by {apart:.2f}'}; "
        f"{outside} of 48 simulated points against it",
        apart <= LIMIT and outside == 0,
    )


@check("thesis-3-107", policy="PQ")
def up_down_turns(policy="HOL", permanent=1):
    """UD against exact HOL at high shares of group 1: all groups, arrivals as they are (`thesis`, Figure 3.12)."""
    shares = (0.7, 0.71, 0.72, *(r for r in POINTS if r > 0.72))
    values, half_widths = zip(
        *(deviations_of(as_they_arrive("UD", permanent, r, 100_000, 10_000), r) for r in shares), strict=True
    )
    exact = [
        uniprocessor.exact(policy, **beside_permanent_jobs(policy, r, permanent)).group_share_deviation for r in shares
    ]
    wide = widened(np.size(values)) * np.array(half_widths)
    inside = (np.abs(np.subtract(values, exact)) <= wide + ROUNDING).all(axis=1)
    positive = (np.array(values) - wide)[:, 0] > 0
    turn = uniprocessor.exact("HOL", **beside_permanent_jobs("HOL", 0.7, 1)).obtained_share[0]
    alike = [r for r, holds in zip(shares, inside) if holds]
    said = f"as {policy} from {min(alike):g} on" if alike else f"nowhere as {policy}"
    short = [r for r, holds in zip(shares, positive) if holds]
    said += f"; group 1 falls short from {min(short):g} on" if short else ""
    return over_domain(f"{said}; HOL gives group 1 {turn:.4f}", inside & positive)


@check("thesis-3-108", policies=("FCFS", "GPPS"))
def none_is_good(policies=SIX):
    """Where each policy has a deviation above 0 (`thesis`, Figure 3.12)."""
    holds, said = [], []
    for policy in (*policies, "GPPS"):
        if policy == "UD":
            shares, (value, half_width) = np.array(SHARES), simulated(policy, 1)
            low = (value - jointly(half_width)).max(axis=1)
        elif policy in ("PPS", "GPPS"):
            shares, found = np.array(POINTS), [sharing_chain(policy, r, (1, 1), 0.5) for r in POINTS]
            low = np.array([deviation.max() - error for deviation, error in found])
        else:
            shares, low = BESIDE, drawn(policy, 1)
        short = shares[low > 1e-7]  # the first share is 1e-9 above a half
        if policy in policies:
            holds.append(len(short) > 0)
            said.append(f"{policy} from {short.min():.3g} on" if len(short) else f"{policy} never")
        else:
            holds.append(len(short) == 0)
    return finding(f"above 0: {', '.join(said)}; GPPS nowhere", all(holds))


@check("thesis-3-109", policy="PQ")
def head_of_line_better(policy="HOL"):
    """HOL against PQ, which gives 1 (`thesis`, Figure 3.12)."""
    found = drawn(policy, 1)
    return finding(f"at most {found.max():.4f}, and 1 under PQ", found.max() < 0.5)


@check("thesis-3-111", permanent=(1, 2))
def both_starve(permanent=(2, 2), policies=("HOL", "PQ")):
    """Two permanent jobs of each group, arrivals as they are (`thesis`, Figure 3.14)."""
    gap = served = other = 0.0
    for policy in policies:
        for r in POINTS:
            path = as_they_arrive(policy, permanent, r)
            found, _ = deviations_of(path, r)
            gap, served, other = max(gap, abs(found[1] - 1)), max(served, path.obtained.value[1]), max(other, found[0])
    curves = max(np.abs(drawn(policy, 2) - 1).max() for policy in ("HOL", "PQ"))
    holds = max(gap, curves) <= LIMIT and served == 0 and other < 1
    return finding("group 2 is never served" if holds else f"group 2 is served, up to {served:.2f}", holds)


@check("thesis-3-112", permanent=1)
def both_exact(policy="UD", permanent=2):
    """UD over ever longer paths, arrivals as they are; GPPS at every event (`thesis`, Figure 3.14)."""
    lengths, outside, shrinks, far = (2_000, 8_000, 32_000), 0, [], 0.0
    for r in POINTS:
        runs = [deviations_of(as_they_arrive(policy, permanent, r, jumps, 2_000), r) for jumps in lengths]
        values, half_widths = np.array(runs).swapaxes(0, 1)
        outside += int((np.abs(values) > widened(6 * len(POINTS)) * half_widths).sum())
        shrinks.append(half_widths[0, 0] / half_widths[2, 0])
        far = max(far, np.abs(values[2]).max())
    # Over paths 16 times as long the spread falls by 16; by 4 if they were made of independent pieces.
    bounded = 8 < np.exp(np.log(shrinks).mean()) < 32
    worst = 0.0
    for r in POINTS:
        for state in intervals("GPPS", (r, 1 - r), (0.25, 0.25), 1.0, permanent, events=100, seed=1):
            worst = max(worst, np.abs(1 - np.array(state.obtained(2)) / (r, 1 - r)).max())
    said = "0 within the intervals, which shrink as 1/T" if outside == 0 and bounded else f"up to {far:.2f}"
    return finding(
        f"{policy} {said}; GPPS {'0 at every event' if worst <= 1e-12 else 'not 0'}",
        bool(outside == 0 and bounded and worst <= 1e-12),
    )


@check("thesis-3-113", permanent=1)
def job_shares(permanent=2, third="FCFS"):
    """HOL, PQ and FCFS: the curves, and the jobs' own records on paths (`thesis`, Figure 3.15)."""
    quantity, off = "job_share_deviation", []
    for policy, expected in (("HOL", 1.0), ("PQ", 1.0), (third, 0.5)):
        if np.abs(drawn(policy, permanent, quantity) - expected).max() > LIMIT:
            off.append(f"the curve of {policy}")
    for policy in ("HOL", "PQ"):
        for number, r in enumerate(POINTS):
            path = intervals(policy, (r, 1 - r), (0.25, 0.25), 1.0, permanent, events=150, seed=number)
            if any(state.job_share_deviation(0) != 1 for state in path):
                off.append(f"a path of {policy}")
                break
    paths = [
        averages((0.6, 0.4), (0.25, 0.25), 1.0, permanent, policy=third, events=1000, seed=seed) for seed in range(20)
    ]
    measured = np.array([[path.job_share_deviation, path.obtained] for path in paths])
    wide = widened(4, 20) * 2.093 * measured.std(axis=0, ddof=1) / np.sqrt(20)
    if (np.abs(measured.mean(axis=0) - 0.5) > wide).any():
        off.append(f"the paths of {third}")
    if (
        not contained(third, permanent, 0.5, quantity).all()
        or not contained(third, permanent, 0.5, "obtained_share").all()
    ):
        off.append(f"the points of {third}")
    return finding(f"against it: {', '.join(off)}" if off else "1, 1 and 0.5 at all shares", not off)


@check("thesis-3-114", permanent=1)
def between_them(policy="UD", permanent=2):
    """UD between FCFS and HOL: arrivals as they are (`thesis`, Figure 3.15)."""
    paths = [as_they_arrive(policy, permanent, r, 32_000, 2_000).job_share_deviation for r in POINTS]
    values, half_widths = (np.array([getattr(path, name) for path in paths]) for name in ("value", "half_width"))
    wide = widened(values.size) * half_widths
    low, high = (values - wide).max(axis=1), (values + wide).max(axis=1)
    inside = (low[1:] > 0.5) & (high[1:] < 1)
    start = low[0] <= 0.5 <= high[0]
    away = np.abs(values.max(axis=1) - POINTS).max()
    return finding(
        f"from {values.max(axis=1)[0]:.3f} to {values.max(axis=1)[-1]:.3f}; "
        + ("equal to r_1 within 0.001" if away <= 1e-3 else f"off r_1 by up to {away:.2f}"),
        bool(inside.all() and start),
    )


@check("thesis-3-155", permanent=(0, 1))
def always_there(permanent=(1, 1)):
    """The feasible share of group 1 on paths, beside permanent jobs and without (`thesis`, Section 3.5.2)."""
    shares, most, off, least = (0.5 + 1e-9, 0.6, 0.75, 0.9, 0.99), 0.0, 0.0, 1.0
    for policy in uniprocessor.POLICIES:
        for r in shares:
            for state in intervals(policy, (r, 1 - r), (0.25, 0.25), 1.0, permanent, events=60, seed=1):
                off = max(off, abs(feasible_group_share(r, state.present(2)[0], 1) - r))
            means = []
            for seed in range(10):
                path = intervals(policy, (r, 1 - r), (0.25, 0.25), events=60, seed=seed)
                times = [(feasible_group_share(r, state.present(2)[0], 1), state.length) for state in path]
                feasible, lengths = np.array(times).T
                means.append(feasible @ lengths / lengths.sum())
            wide = widened(len(shares) * 7, 10) * 2.262 * np.std(means, ddof=1) / np.sqrt(10)
            least = min(least, (r - np.mean(means) - wide) / r)
            most = max(most, np.mean(means) / r)
    always = "r_1 at every event" if off <= 1e-12 else f"up to {off:.2f} below r_1 at some event"
    return finding(f"with permanent jobs {always}; without at most {most:.2f} r_1", off <= 1e-12 and least > 0)
