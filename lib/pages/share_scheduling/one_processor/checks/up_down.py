"""Claims of `thesis`, Section 3.5.1, Figure 3.6: what Up-Down does with two groups of equal required shares."""

import functools

import numpy as np
from scipy import stats
from scipy.optimize import brentq

from clustershare import uniprocessor
from clustershare.estimates import from_replications
from compendium import study
from compendium.press.findings import check, finding, over_domain
from compendium.press.words import LOADS, allows
from pages.share_scheduling.one_processor.points import simulated_of_two_groups, up_down_apart
from pages.share_scheduling.one_processor.printed import fcfs_deviations
from pages.share_scheduling.one_processor.simulated import paths, widened
from pages.share_scheduling.one_processor.systems import FRACTIONS, VANISHING, two_groups
from pages.share_scheduling.one_processor.witnesses.paths import intervals

LOAD = 0.8
PAPER = study.run_lengths("paper")["replications"]
LOW = LOADS["low"][1]
TILT = 1e-9  # of the required share: puts one group in front, and changes no deviation


def head_of_line(fraction, first=0, load=LOAD, required_share=0.5):
    """The exact answer of HOL with one group in front of the other."""
    system = two_groups(fraction, load, required_share)
    order = (0.6, 0.4) if first == 0 else (0.4, 0.6)
    found = uniprocessor.exact("HOL", **{**system, "required_shares": order})
    deviation = found.probability_present - found.obtained_share / np.array(system["required_shares"])
    return deviation, found.probability_present


@check("thesis-3-075", policy="GPPS")
def up_down_groups_meet(policy="UD", required_share=0.5):
    """UD: group 1 is worse up to 0.4, and the groups are alike at 0.45 and 0.5; differences in pairs."""
    run = {"jumps": 40_000, "warmup": 20_000, "replications": 20}
    factor = widened(len(FRACTIONS), 20)
    gaps = []
    for number, x in enumerate(FRACTIONS):
        found = paths(policy, **two_groups(x, required_share=required_share), seed=number, **run)
        deviation = found.present - found.obtained / np.array([required_share, 1 - required_share])
        gaps.append(from_replications(deviation[:, 0] - deviation[:, 1]))
    gap, doubt = (np.array([getattr(one, name) for one in gaps]) for name in ("value", "half_width"))
    doubt, apart = factor * doubt, np.array(FRACTIONS) <= 0.4
    holds = np.where(apart, gap > doubt, (np.abs(gap) <= doubt) & (2 * doubt <= 0.005))
    against = ", ".join(f"{x:g}" for x, held in zip(FRACTIONS, holds) if not held)
    return over_domain(
        f"difference {gap[apart].min():.2f} to {gap[apart].max():.2f} up to 0.4; at 0.45 and 0.5 "
        f"{'0 within' if np.abs(gap[~apart]).max() < 0.0025 else f'{gap[~apart].max():.2f}, outside of'} intervals of "
        f"{'at most' if doubt[~apart].max() <= 0.0025 else 'more than'} 0.005; against it: {against or 'nothing'}",
        holds,
    )


@check("thesis-3-076", first=1)
def up_down_as_head_of_line(first=0, policy="UD"):
    """Deviations and presence under UD, simulated, against exact HOL with group 1 in front (`thesis`, Figure 3.6)."""
    exact = np.array([np.ravel(head_of_line(x, first)) for x in FRACTIONS])
    names = ("group_share_deviation", "probability_present")
    rows = [simulated_of_two_groups(policy, name, 0.5, FRACTIONS) for name in names]
    value, half_width = (np.hstack([row[part] for row in rows]) for part in (0, 1))
    low = np.array(FRACTIONS) <= LOW
    inside = (np.abs(value - exact) <= widened(4 * int(low.sum()), PAPER) * half_width).all(axis=1)
    gap = np.abs(value - exact).max(axis=1)
    away = [x for x, held in zip(FRACTIONS, inside) if not held]
    drawn, dashed = up_down_apart(LOAD, [x for x in FRACTIONS if x <= LOW])
    same = len(drawn) == low.sum() and np.abs(dashed - exact[low][:, :2]).max() < 1e-9
    further = ", ".join(f"{gap[FRACTIONS.index(x)]:.3f} at {x:g}" for x in (0.35, 0.4, 0.45, 0.5))
    return over_domain(
        f"within the intervals at {int(inside[low].sum())} of {low.sum()} x up to 0.3; distance {further}; "
        f"outside of the intervals {f'from {min(away):g} on' if away else 'nowhere'}",
        inside[low] & same,
    )


@check("thesis-3-077", load=0.7)
def up_down_limit(load=LOAD, required_share=0.5):
    """Group 2 under UD as the load of group 1 vanishes, simulated and exact, and the line through the last points."""
    if (load, required_share) == (LOAD, 0.5):
        value, half_width = simulated_of_two_groups("UD", required_share=0.5, fractions=VANISHING)
        value, half_width, count = value[:, 1], half_width[:, 1], PAPER
    else:
        run = {"jumps": 20_000, "warmup": 5_000, "replications": 20}
        found = [uniprocessor.simulate("UD", **two_groups(x, load, required_share), **run) for x in VANISHING]
        one = [result.group_share_deviation for result in found]
        value, half_width, count = *(np.array([getattr(e, n)[1] for e in one]) for n in ("value", "half_width")), 20
    systems = [two_groups(x, load, required_share) for x in VANISHING]
    exact = np.array([uniprocessor.exact("UD", **system).group_share_deviation[1] for system in systems])
    gap = value + 0.8
    factor = widened(2 * len(VANISHING), count)
    falls = (np.diff(gap) < -factor * np.hypot(half_width[1:], half_width[:-1])).all()
    last = np.array(VANISHING[-3:])
    to_zero = np.linalg.pinv(np.vander(last, 2))[1]  # of the line of least squares through them: its value at 0
    towards, doubt = to_zero @ value[-3:], factor * np.hypot.reduce(to_zero * half_width[-3:])
    same = (np.abs(exact - value) <= factor * half_width).all() and (np.diff(np.abs(exact + 0.8)) < 0).all()
    said = ", ".join(f"{distance:.3f} at {x:g}" for x, distance in zip(VANISHING, np.abs(exact + 0.8)))
    return finding(
        f"distance {said}; line through the last three points at {towards:.2f}",
        bool(falls and same and gap[-1] <= 0.02 + half_width[-1] and abs(towards + 0.8) <= doubt),
    )


@check("thesis-3-140", policy="FCFS")
def up_down_as_first_come(policy="UD"):
    """Group 2 under UD, where it acts as HOL, against (3.94); and who of it leaves first (`thesis`, Figure 3.6)."""
    fractions = (0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 1e-4)
    gaps, noise = [], []
    for x in fractions:
        expected = fcfs_deviations(x)[1]
        gaps.append(abs(uniprocessor.exact(policy, **two_groups(x)).group_share_deviation[1] - expected))
        run = {"jumps": 200_000, "warmup": 100_000, "replications": 20}
        noise.append(uniprocessor.simulate(policy, **two_groups(x), **run).group_share_deviation.half_width[1])
    in_order = True
    for x in fractions[:6]:
        last = -1.0
        for interval in intervals(policy, **two_groups(x), events=1500, seed=1):
            for job in interval.rates:
                if job.group == 1 and not job.periods:
                    in_order &= job.arrival >= last
                    last = job.arrival
    steps = all(after <= before + 1e-12 for before, after in zip(gaps, gaps[1:])) and gaps[-1] < 1e-3
    alike = [gap <= width for gap, width in zip(gaps, noise)]
    away = [x for x, holds in zip(fractions, alike) if not holds]
    place = f"; further than the intervals from x = {min(away):g} on" if away else ""
    said = ", ".join(f"{gap:.4f} at {x:g}" for gap, x in zip(gaps, fractions))
    return over_domain(
        f"distance {said}{place}; group 2 {'in' if in_order else 'out of'} order of arrival",
        [in_order, steps, *alike[:6]],
    )


@functools.cache
def parted(policy, fraction, jumps, permanent=0, replications=20):
    """How far the priorities of group 1 and 2 are apart after so many events: time passed, and one number a path.

    The priority of a group is its required share and the time that passed, times the share and its deviation.
    """
    system = {**two_groups(fraction, required_share=0.5 + TILT), "permanent_jobs": permanent}
    found = paths(policy, **system, seed=jumps + int(1000 * fraction), jumps=jumps, warmup=0, replications=replications)
    passed = jumps / (2 * LOAD)  # on average: as many jobs leave as arrive
    apart = 0.5 * (found.present[:, 0] - found.present[:, 1]) - (found.obtained[:, 0] - found.obtained[:, 1])
    return passed, passed * apart


@check("thesis-3-141", policy="HOL")
def priorities_part(policy="UD", permanent=0):
    """x_1 - x_2 along ever longer paths, and the drift of it where group 1 is always first (`thesis`, Figure 3.6)."""
    points = sorted({*FRACTIONS, *(round(0.36 + 0.01 * number, 2) for number in range(9))})
    lengths = (4_000, 16_000, 64_000)
    factor = widened(len(points), 20)
    most = stats.f.ppf(1 - 0.001 / len(points), 19, 19)
    grows, stays = [], []
    for x in points:
        (_, short), (_, middle), (passed, long) = (parted(policy, x, length, permanent) for length in lengths)
        slope = from_replications(long / passed)
        grows.append(slope.value > factor * slope.half_width and long.mean() > middle.mean() > short.mean())
        steady = long.var(ddof=1) <= most * middle.var(ddof=1)
        stays.append(abs(slope.value) <= factor * slope.half_width and steady)
    change = brentq(lambda x: np.subtract(*head_of_line(x)[0]), 0.3, 0.5)
    points, grows, stays = np.array(points), np.array(grows), np.array(stays)
    below, above = points < 0.3801, points > 0.4201
    ends = [x for x, held in zip(points, grows) if held], [x for x, held in zip(points, stays) if held]
    said = [f"{min(found):g} to {max(found):g}" if found else "no x" for found in ends]
    return over_domain(
        f"x_1 - x_2 grows at {said[0]}, stays at {said[1]}; with group 1 always first its drift is 0 at {change:.3f}",
        [*grows[below], *stays[above], 0.38 <= change <= 0.42],
    )


@check("thesis-3-142", policy="HOL")
def nearly_a_line(policy="UD"):
    """The deviation of group 2 as drawn in `thesis`, Figure 3.6, against straight lines; the control is HOL, to x = 1.

    Exact and simulated points, up to x = 0.4.
    """
    if policy == "UD":
        x, found = up_down_apart(LOAD, np.linspace(0.005, 0.5, 100))
        x, found = x[x < 0.4001], found[x < 0.4001, 1]
        value, _ = simulated_of_two_groups("UD", required_share=0.5, fractions=FRACTIONS)
        some = np.array(FRACTIONS)[:8]
        curves = [(x, found), (some, value[:8, 1])]
    else:
        x = np.linspace(0.005, 0.995, 199)
        curves = [(x, np.array([head_of_line(y)[0][1] for y in x]))]
    rising, off_least, off_chord = True, 0.0, 0.0
    for x, found in curves:
        rising &= bool((np.diff(found) > 0).all() and x[-1] > 0.3999)  # drawn as far as it is spoken of
        off_least = max(off_least, np.abs(np.polyval(np.polyfit(x, found, 1), x) - found).max())
        off_chord = max(off_chord, np.abs(np.interp(x, x[[0, -1]], found[[0, -1]]) - found).max())
    return finding(
        f"{'rising' if rising else 'not rising'} at each step; at most {off_least:.3f} from the line of least squares, "
        f"{off_chord:.3f} from the chord",
        rising and allows("very close", off_least) and allows("very close", off_chord),
    )


@check("thesis-3-143", policy="HOL")
def where_it_turns(policy="UD"):
    """The deviation of group 1 as drawn in `thesis`, Figure 3.6: where it is lowest, falling before, higher after."""
    if policy == "UD":
        value, half_width = (
            row[:, 0] for row in simulated_of_two_groups("UD", required_share=0.5, fractions=FRACTIONS)
        )
    else:
        value = np.array([head_of_line(x)[0][0] for x in FRACTIONS])
        half_width = np.zeros(len(FRACTIONS))
    lowest = int(value.argmin())
    factor = widened(len(FRACTIONS), PAPER)
    steps = np.diff(value)
    sure = np.abs(steps) > factor * np.hypot(half_width[1:], half_width[:-1])
    falls = (steps < 0)[:lowest].all() and sure[:lowest].all()
    after = value[-2:] - value[lowest] > factor * np.hypot(half_width[-2:], half_width[lowest])
    return finding(
        f"lowest at {FRACTIONS[lowest]:g}, {value[lowest]:.3f}; {value[-2]:.3f} at 0.45, {value[-1]:.3f} at 0.5",
        bool(abs(FRACTIONS[lowest] - 0.4) < 0.0501 and falls and after.all()),
    )
