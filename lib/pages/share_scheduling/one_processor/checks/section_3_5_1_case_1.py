"""Claims of `thesis`, Section 3.5.1, case 1, Figures 3.5, 3.6, 3.7, 3.8, 3.9: two groups whose loads differ."""

import functools

import numpy as np
from scipy import stats
from scipy.optimize import brentq

from clustershare import uniprocessor
from clustershare.estimates import Estimate, from_replications
from clustershare.results import NoExactAnswer
from clustershare.uniprocessor.analysis import RULES
from clustershare.uniprocessor.chain import distribution
from clustershare.uniprocessor.model import Workload
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, fact, grid, mended
from compendium.press.clauses.conditions import (
    agrees,
    at_least,
    at_most,
    between,
    equal,
    falls,
    larger,
    short_of,
    smaller,
    within,
)  # fmt: skip
from compendium.press.findings import check
from compendium.press.words import LOADS, SCALE
from pages.share_scheduling.one_processor import printed
from pages.share_scheduling.one_processor.points import (
    curves,
    exact_of_two_groups,
    exactly_over_x,
    known,
    over_x,
    sharing_chain,
    stored,
    up_down_apart,
)  # fmt: skip
from pages.share_scheduling.one_processor.simulated import (
    IN_BOUND,
    agree,
    as_simulated,
    bounded,
    paths,
    sampled,
    simulations,
)  # fmt: skip
from pages.share_scheduling.one_processor.simulated import ROUNDING as SAME
from pages.share_scheduling.one_processor.systems import (
    FRACTIONS,
    SHARES,
    SPLITS,
    VANISHING,
    beside_permanent_jobs,
    two_groups,
)  # fmt: skip
from pages.share_scheduling.one_processor.witnesses import uninterrupted
from pages.share_scheduling.one_processor.witnesses.chains import preemptive
from pages.share_scheduling.one_processor.witnesses.paths import intervals

ALIKE = ("FCFS", "HOL", "PQ", "PS", "PPS")  # one curve in Figure 3.5
LINE = ("FCFS", "HOL", "PQ")  # one job at a time, by formula
FINE = tuple(np.linspace(0.01, 0.5, 50))
DRAWN = tuple(np.linspace(0.005, 0.995, 199))  # the fractions at which the figures are drawn
JOBS = "job_share_deviation"
RUN = {"jumps": 20_000, "warmup": 5_000, "replications": 20}


def gap(points):
    """Group 1 less group 2, of exact points."""
    return points.at(group=1) - points.at(group=2)


def drawn(policy, x=DRAWN, share=0.51, quantity="group_share_deviation"):
    """The line of a policy as the page draws it: the larger deviation over the fractions."""
    found = curves({policy: policy}, x, lambda name, y: two_groups(float(y), required_share=share), quantity)
    return exact(found[policy].deviation, as_it_stands=True, x=x)


@check("thesis-3-069", share=0.51, policies=("HOL", "PQ"), others=("PS",))
def fcfs_curve(share=0.5, policies=ALIKE, others=("PS", "PPS")):
    """(3.93) and (3.94) against the curve as drawn, chains of numbers, and simulations."""
    x = (0.0, *FINE)
    form = exact([printed.fcfs_deviations(y) for y in x], x=x, group=(1, 2))
    expected = [printed.fcfs_deviations(y) for y in FRACTIONS]
    systems = [two_groups(y, required_share=share) for y in FRACTIONS]
    chains = [(np.abs(found - value).max(), error) for policy in others for y, value in zip(FRACTIONS, expected)
              for found, error in (sharing_chain(policy, share, 0, 0.8, y, 1e-6),)]  # fmt: skip
    run = {"jumps": 15_000, "warmup": 2_000}
    simulated = {policy: simulations(policy, systems, expected, seed=k, **run) for k, policy in enumerate(ALIKE)}

    def on_curve(policy):
        return (exactly_over_x(policy, x, share) - form).scaled(1 / np.maximum(np.abs(form.value), 1e-3))

    return conclude(
        everywhere("the curve and (3.93), (3.94)", cases("policy", policies).measure(on_curve), equal(SAME)),
        everywhere("the gap of (3.93), (3.94)", bounded(chains), IN_BOUND),
        *(everywhere(f"{policy} simulated less the formula", points, agrees()) for policy, points in simulated.items()),
        whole=True,
    )


@check("thesis-3-070", required_share=0.3)
def lighter_group_worse(required_share=0.5):
    """All five policies: group 1 has the larger deviation below x = 0.5."""
    x = tuple(np.linspace(0, 0.49, 50))
    found, tie = (
        cases("policy", ALIKE).measure(lambda policy, some=some: gap(exactly_over_x(policy, some, required_share)))
        for some in (x, (0.5,))
    )
    return conclude(
        everywhere("group 1's deviation less group 2's, for x below 0.5,", found, larger()),
        everywhere("at x = 0.5 both", tie, equal(1e-12)),
        whole=True,
    )


@check("thesis-3-071", share=0.51, policies=("PQ",))
def fcfs_zero(share=0.5, policies=ALIKE):
    """Where the deviation of group 1 changes its sign, under all five; and simulated on either side."""

    def first(policy, x):
        return exactly_over_x(policy, tuple(x), share).at(group=1)

    def crossing(policy):
        def value(x):
            return exact_of_two_groups(policy, x, share)[0]

        return brentq(value, 0.01, 0.5, xtol=1e-14) if value(0.01) * value(0.5) < 0 else np.nan

    domain = cases("policy", policies)
    below = domain.measure(lambda policy: first(policy, np.linspace(0, 0.375, 102)[1:-1]))
    above = domain.measure(lambda policy: first(policy, np.linspace(0.375, 0.5, 51)[1:]))
    points = over_x("FCFS", share=share, fractions=(0.35, 0.4)).at(group=1)
    runs = [uniprocessor.simulate(policy, **two_groups(x, required_share=share), **RUN).group_share_deviation
            for policy in policies for x in (0.35, 0.4)]  # fmt: skip
    runs = sampled(runs, policy=policies, x=(0.35, 0.4), group=(1, 2)).at(group=1)
    return conclude(
        everywhere("the zero of group 1's deviation and 3/8", domain.measure(crossing) - 3 / 8, equal(SAME)),
        everywhere("the deviation below 3/8", below, larger()),
        everywhere("the deviation above 3/8", above, smaller()),
        everywhere("the deviation under FCFS at a point of the figure at 0.35", points.at(x=0.35), larger()),
        everywhere("at a point at 0.4", points.at(x=0.4), smaller()),
        everywhere("the simulated deviation at 0.35", runs.at(x=0.35), larger()),
        everywhere("the simulated deviation at 0.4", runs.at(x=0.4), smaller()),
        aside("at x = 0, where there is no load,", domain.measure(lambda name: exact_of_two_groups(name, 0, share)[0])),
        whole=True,
    )


@functools.cache
def group_sharing(fraction, policy="GPPS"):
    """The exact answer of GPPS, in the system of Figure 3.5, with the bound of its chain."""
    return uniprocessor.exact(policy, **two_groups(fraction), tolerance=1e-6)


@check("thesis-3-072", exact_policy="FCFS")
def only_two_stay_negative(exact_policy="GPPS", up_down="UD"):
    """UD and GPPS stay below zero and the other five do not (`thesis`, Figure 3.5)."""
    found = [group_sharing(x, exact_policy) for x in FINE]
    chain = exact([(one.group_share_deviation + one.error).max() for one in found], x=FINE)
    x, apart = up_down_apart(0.8, FINE)
    others = cases("policy", ALIKE).measure(lambda policy: exactly_over_x(policy, FINE).value.max())
    return conclude(
        everywhere(f"the larger deviation of {exact_policy}, with the bound of its chain,", chain, smaller()),
        everywhere(f"the simulated deviation of {up_down}", over_x(up_down), smaller()),
        everywhere("that of UD where it is HOL", exact(apart, x=x, group=(1, 2)), smaller()),
        everywhere("the largest deviation of each other", others, larger()),
        whole=True,
    )


@check("thesis-3-073", policy="GPPS")
def up_down_best(policy="UD"):
    """UD lies below GPPS: the simulation against the chain's answer (`thesis`, Figure 3.5)."""
    less = over_x(policy).largest("group") - exactly_over_x("GPPS").largest("group")
    return conclude(
        everywhere(f"the larger deviation of {policy} less that of GPPS", less, smaller()),
        whole=True,
        provided=[as_known(0.5, FRACTIONS), as_exact("GPPS", FRACTIONS, 0.5)],
    )


@check("thesis-3-074", required_share=0.3)
def gpps_lighter_group_worse(required_share=0.5):
    """GPPS: group 1 has the larger deviation (`thesis`, Figure 3.5)."""
    found = gap(exactly_over_x("GPPS", FINE[:-1], required_share))
    return conclude(
        everywhere("group 1's deviation less group 2's", found, larger()),
        whole=True,
        provided=[as_exact("GPPS", FRACTIONS, 0.5)],
    )


@check("thesis-3-138", share=0.51)
def nothing_new_above_half(share=0.5):
    """Both deviations of each group at x and of the other group at 1 - x: exact, and UD simulated."""
    quantities, clauses, found = ("group_share_deviation", JOBS), [], []
    for policy in (*ALIKE, "GPPS"):
        x = np.linspace(0, 0.48, 25) if policy not in RULES or (policy == "PPS" and share == 0.5) else FRACTIONS[:-1]
        gaps = []
        for y in x:
            one, other = (
                uniprocessor.exact(policy, **two_groups(z, required_share=share), tolerance=1e-6) for z in (y, 1 - y)
            )
            gaps.append([getattr(one, name) - getattr(other, name)[::-1] for name in quantities])
        axes = {"x": tuple(x), "deviation": ("of groups", "of jobs"), "group": (1, 2)}
        text = f"under {policy} a deviation and the other group's at 1 - x"
        clauses.append(everywhere(text, exact(gaps, **axes), equal(SAME)))
        expected = [[exact_of_two_groups(policy, y, share, quantity=name)[::-1] for name in quantities]
                    for y in (0.1, 0.3)]  # fmt: skip
        systems = [two_groups(y, required_share=share) for y in (0.9, 0.7)]
        runs = simulations(policy, systems, expected, quantities, jumps=10_000, warmup=2_000)
        clauses.append(everywhere(f"under {policy} simulated less what is exact at 1 - x", runs, agrees()))
    x = FRACTIONS[:-1]
    for number, y in enumerate(x):
        system = two_groups(1 - y, required_share=share)
        mirrored = uniprocessor.simulate("UD", **system, **{**RUN, "warmup": 10_000}, seed=number)
        found += [getattr(mirrored, name) for name in quantities]
    for k, name in enumerate(quantities):
        other = [Estimate(one.value[::-1], one.half_width[::-1]) for one in found[k::2]]
        less = over_x("UD", name, share).at(x=x) - sampled(other, x=x, group=(1, 2))
        clauses.append(everywhere("under UD the same, simulated,", less, agrees()))
    return conclude(*clauses, whole=True)


@check("thesis-3-139", exchanged=True)
def who_profits_from_idle_times(exchanged=False):
    """GPPS: how often a group is there without the other, and what a group obtains while it is there."""
    x, rows, provided = FINE[:-1], [], []
    chains = [group_sharing(1 - y if exchanged else y) for y in x]
    for found in chains:
        mean = found.obtained_share / found.probability_present
        # P[N1 = 0, N2 > 0] - P[N2 = 0, N1 > 0]: the time when both are there drops out.
        rows.append((np.subtract(*found.probability_present[::-1]) - 2 * found.error,
                     mean[1] - mean[0] - 8 * found.error / found.probability_present.min()))  # fmt: skip
    alone, more = np.transpose(rows)
    order = (2, 1) if exchanged else (1, 2)
    names, places = ("probability_present", "obtained_share"), FRACTIONS[:-1]
    present, got = (over_x("GPPS", name).at(x=places) for name in names)
    for name, points in () if exchanged else zip(names, (present, got)):
        held = exact([getattr(chain, name) for chain in chains[4::5]], x=places, group=(1, 2))
        provided.append(everywhere(f"a point's {name.replace('_', ' ')} less the chain's", points - held, agrees()))
    (p, q), (a, b) = ([points.at(group=group) for group in order] for points in (present, got))
    wide = got.widened(4 * p.value.size)
    means = a.high(wide) / p.low(wide), b.low(wide) / q.high(wide)
    return conclude(
        everywhere("how much more often group 2 is alone", exact(alone, x=x), larger()),
        everywhere("how much more group 2 obtains while it is there", exact(more, x=x), larger()),
        everywhere("simulated, the presence of group 2 less that of group 1", q - p, larger()),
        everywhere("what group 2 obtains at least while it is there, less what group 1 does at most,",
                   exact(means[1] - means[0], x=places), larger()),
        whole=True,
        provided=provided,
    )  # fmt: skip


TILT = 1e-9  # of the required share: puts one group in front, and changes no deviation


def head_of_line(fraction, first=0, load=0.8, required_share=0.5):
    """Deviations and presence under HOL, exactly, with one group in front of the other: shape (2, groups)."""
    order = (0.6, 0.4) if first == 0 else (0.4, 0.6)
    found = uniprocessor.exact("HOL", **{**two_groups(fraction, load), "required_shares": order})
    shares = np.array([required_share, 1 - required_share])
    return np.array([found.probability_present - found.obtained_share / shares, found.probability_present])


DEVIATION = "group_share_deviation"


def in_order(systems, first, name):
    """A quantity of a group less that of the other under UD, exactly, in each of the systems; nan where not known."""
    return [
        np.subtract(*known("UD", system, lambda found: getattr(found, name))[:: 1 if first == 0 else -1])
        for system in systems
    ]


@check("thesis-3-075", policy="GPPS")
def up_down_groups_meet(policy="UD", required_share=0.5):
    """UD: group 1 is worse up to 0.4, and the groups are alike at 0.45 and 0.5; differences in pairs."""
    run, gaps = {"jumps": 40_000, "warmup": 20_000, "replications": 20}, []
    for number, x in enumerate(FRACTIONS):
        found = paths(policy, **two_groups(x, required_share=required_share), seed=number, **run)
        deviation = found.present - found.obtained / np.array([required_share, 1 - required_share])
        gaps.append(from_replications(deviation[:, 0] - deviation[:, 1]))
    systems = [two_groups(x, required_share=required_share) for x in FRACTIONS]
    exactly = agree("exact UD, where it is known, against these differences,", in_order(systems, 0, DEVIATION), gaps)
    gaps, rows, alike = sampled(gaps, x=FRACTIONS), gap(over_x("UD")), (agrees(), between(-0.005, 0.005))
    return conclude(
        at_each("group 1's deviation less group 2's", gaps.at(x=FRACTIONS[:-2]), larger()),
        at_each("the same at 0.45 and 0.5", gaps.at(x=FRACTIONS[-2:]), *alike),
        provided=[
            as_simulated(policy, systems), *[exactly] * (policy == "UD"),
            everywhere("at the points of the figure the former", rows.at(x=FRACTIONS[:-2]), larger()),
            everywhere("at the points of the figure the latter", rows.at(x=FRACTIONS[-2:]), *alike),
        ],
    )  # fmt: skip


@check("thesis-3-076", first=1)
def up_down_as_head_of_line(first=0, policy="UD"):
    """Deviations and presence under UD, simulated, against exact HOL with group 1 in front (`thesis`, Figure 3.6)."""
    axes = {"x": FRACTIONS, "quantity": ("deviation", "presence"), "group": (1, 2)}
    held = exact([head_of_line(x, first) for x in FRACTIONS], **axes)
    less = {"deviation": over_x(policy), "presence": over_x(policy, "probability_present")}
    less = {name: points - held.at(quantity=name) for name, points in less.items()}
    x, dashed = up_down_apart(0.8, FRACTIONS)
    dashed_less = exact(dashed - held.value[: len(x), 0], x=x, group=(1, 2))
    further = less["deviation"].distance().at(x=FRACTIONS[8:])
    return conclude(
        *(at_each(f"the {name} less that of HOL", points.at(x=FRACTIONS[:7]), agrees())
          for name, points in less.items()),
        aside("the distance of the deviation further on", less["deviation"].distance().at(x=FRACTIONS[7:])),
        together="x",
        provided=[
            everywhere("the distance of the deviation at 0.45 and 0.5", further, larger()),
            everywhere("the end of the dashed line", exact(x[-1]), between(0.3499, 0.4501)),
            everywhere("the dashed line and HOL", dashed_less, equal(SAME)),
        ],
    )  # fmt: skip


@check("thesis-3-077", load=0.7)
def up_down_limit(load=0.8, required_share=0.5):
    """Group 2 under UD as the load of group 1 vanishes, simulated and exact, and the line through the last points."""
    systems = [two_groups(x, load, required_share) for x in VANISHING]
    if (load, required_share) == (0.8, 0.5):
        found = over_x("UD", fractions=VANISHING).at(group=2)
    else:
        runs = [uniprocessor.simulate("UD", **system, **RUN).group_share_deviation for system in systems]
        found = sampled(runs, x=VANISHING, group=(1, 2)).at(group=2)
    exactly = exact([uniprocessor.exact("UD", **system).group_share_deviation[1] for system in systems], x=VANISHING)
    distance, last = np.abs(exactly.value + 0.8), np.array(VANISHING[-3:])
    to_zero = np.linalg.pinv(np.vander(last, 2))[1]  # of the line of least squares through them: its value at 0
    value, half = to_zero @ found.value[-3:] + 0.8, np.hypot.reduce(to_zero * found.half[-3:])
    return conclude(
        everywhere("the simulated deviation of group 2, from x to x,", found.steps("x"), falls()),
        everywhere("it less the exact one", found - exactly, agrees()),
        everywhere("the exact distance to -0.8 falls", exact(np.diff(distance) < 0, step=None)),
        everywhere("at x = 0.005 the distance less a half width", exact(found.low()[-1] + 0.8), at_most(0.02)),
        everywhere("the line through the last three points at x = 0, less -0.8,", stored((value, half)), agrees()),
        aside("the exact distance to -0.8", exact(distance, x=VANISHING)),
        whole=True,
    )


@check("thesis-3-140", policy="FCFS")
def up_down_as_first_come(policy="UD"):
    """Group 2 under UD, where it acts as HOL, against (3.94); and who of it leaves first (`thesis`, Figure 3.6)."""
    x, run = (0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 1e-4), {"jumps": 200_000, "warmup": 100_000, "replications": 20}

    exactly = [uniprocessor.exact(policy, **two_groups(y)).group_share_deviation for y in x]
    runs = [uniprocessor.simulate(policy, **two_groups(y), **run).group_share_deviation for y in x]

    def in_order(y):
        arrivals = [
            job.arrival for interval in intervals(policy, **two_groups(y), events=1500, seed=1)
            for job in interval.rates if job.group == 1 and not job.periods
        ]  # fmt: skip
        return (np.diff(arrivals) >= 0).all()

    distance = np.abs([one[1] - printed.fcfs_deviations(y)[1] for y, one in zip(x, exactly)])
    half = np.array([one.half_width[1] for one in runs])
    falls = (np.diff(distance) <= 1e-12).all() and distance[-1] < 1e-3
    return conclude(
        everywhere("group 2 is served in the order of its arrivals", cases("x", x[:6]).measure(in_order)),
        fact("the distance to (3.94) falls to 0 with x", falls, "the distance to (3.94) does not fall to 0 with x"),
        at_each("the distance in half widths of a simulation", exact((distance / half)[:6], x=x[:6]), at_most(1)),
        aside("the distance", exact(distance, x=x)),
        provided=[agree(f"an exact deviation of {policy}, against the simulated one,", exactly, runs)],
    )


@functools.cache
def parted(policy, fraction, jumps, permanent=0, replications=20):
    """How far the priorities of group 1 and 2 are apart after so many events: time passed, and one number a path.

    The priority of a group is its required share and the time that passed, times the share and its deviation.
    """
    system = {**two_groups(fraction, required_share=0.5 + TILT), "permanent_jobs": permanent}
    found = paths(policy, **system, seed=jumps + int(1000 * fraction), jumps=jumps, warmup=0, replications=replications)
    passed = jumps / (2 * 0.8)  # on average: as many jobs leave as arrive
    apart = 0.5 * (found.present[:, 0] - found.present[:, 1]) - (found.obtained[:, 0] - found.obtained[:, 1])
    return passed, passed * apart


@check("thesis-3-141", policy="HOL")
def priorities_part(policy="UD", permanent=0):
    """x_1 - x_2 along ever longer paths, and the drift of it where group 1 is always first (`thesis`, Figure 3.6)."""
    x = sorted({*FRACTIONS, *(round(0.36 + 0.01 * number, 2) for number in range(9))})
    most, slopes, means, ratio = stats.f.ppf(1 - 0.001 / len(x), 19, 19), [], [], []
    for y in x:
        (_, short), (_, middle), (passed, long) = (parted(policy, y, n, permanent) for n in (4_000, 16_000, 64_000))
        slopes.append(from_replications(long / passed))
        means.append(long.mean() > middle.mean() > short.mean())
        ratio.append(long.var(ddof=1) / middle.var(ddof=1))
    slopes, means, ratio = sampled(slopes, x=x), exact(means, x=x), exact(ratio, x=x)
    below, above = [y for y in x if y < 0.3801], [y for y in x if y > 0.4201]
    change = brentq(lambda y: np.subtract(*head_of_line(y)[0]), 0.3, 0.5)
    wide = slopes.widened(len(x))
    grows = exact((slopes.low(wide) > 0) & (means.value > 0), x=x)
    stays = exact((np.abs(slopes.value) <= wide * slopes.half) & (ratio.value <= most), x=x)
    return conclude(
        at_each("x_1 - x_2 grows along ever longer paths", grows.at(x=below)),
        at_each("x_1 - x_2 stays, and its spread does not grow,", stays.at(x=above)),
        everywhere("the x at which its drift is 0 with group 1 always first", exact(change), between(0.38, 0.42)),
        aside("the slope of x_1 - x_2 in time", slopes),
        provided=[
            as_simulated("UD", [two_groups(y, required_share=0.5 + TILT) for y in x]),
            everywhere("exactly, UD has an answer just where they part", exact(
                [answered(y) for y in below] + [not answered(y) for y in above], x=below + above
            )),
        ],
    )  # fmt: skip


def answered(x):
    """Whether the library has an exact answer of UD, which it has where the priorities part for ever."""
    try:
        return uniprocessor.exact("UD", **two_groups(x)).method == "formula"
    except NoExactAnswer:
        return False


@check("thesis-3-142", policy="HOL")
def nearly_a_line(policy="UD"):
    """The deviation of group 2 as drawn in `thesis`, Figure 3.6, against straight lines; the control is HOL, to x = 1.

    Exact and simulated points, up to x = 0.4.
    """
    if policy == "UD":
        x, found = up_down_apart(0.8, np.linspace(0.005, 0.5, 100))
        lines = {"the line": (x[x < 0.4001], found[x < 0.4001, 1]),
                 "the points": (np.array(FRACTIONS)[:8], over_x("UD").value[:8, 1])}  # fmt: skip
    else:
        x = np.linspace(0.005, 0.995, 199)
        lines = {"the line": (x, np.array([head_of_line(y)[0][1] for y in x]))}

    def off(name):
        x, found = lines[name]
        least_squares, chord = np.polyval(np.polyfit(x, found, 1), x), np.interp(x, x[[0, -1]], found[[0, -1]])
        return {"rises": (np.diff(found) > 0).all() and x[-1] > 0.3999,  # drawn as far as it is spoken of
                "off": max(np.abs(found - line).max() for line in (least_squares, chord))}  # fmt: skip

    found = cases("curve", lines).measure(off)
    held = [deviation - head_of_line(y)[0][1] for y, deviation in zip(*lines["the line"])]
    return conclude(
        everywhere("the deviation of group 2 rises at each step", found["rises"]),
        everywhere("its distance to the line of least squares, and to the chord,", found["off"], at_most("very close")),
        whole=True,
        provided=[as_known(0.5, FRACTIONS), everywhere("the line and that of HOL", exact(held, x=None), equal(SAME))],
    )


@check("thesis-3-143", policy="HOL")
def where_it_turns(policy="UD"):
    """The deviation of group 1 as drawn in `thesis`, Figure 3.6: where it is lowest, falling before, higher after."""
    held = exact([head_of_line(x)[0][0] for x in FRACTIONS], x=FRACTIONS)
    found = over_x("UD").at(group=1) if policy == "UD" else held
    apart = found - held
    lowest = int(found.value.argmin())
    before = found.at(x=FRACTIONS[: lowest + 1]).steps("x")
    after = found.at(x=(0.45, 0.5)) - found.at(x=FRACTIONS[lowest])
    x, dashed = up_down_apart(0.8, FRACTIONS)
    return conclude(
        everywhere("the x at which group 1's deviation is lowest", exact(FRACTIONS[lowest]), between(0.3499, 0.4501)),
        everywhere("before, the deviation", before, falls()),
        everywhere("what it is higher at 0.45 and 0.5", after, larger()),
        everywhere("up to there, the deviation less that of HOL", apart.at(x=FRACTIONS[: lowest + 1]), agrees()),
        everywhere("at 0.45 and 0.5 the same", apart.at(x=(0.45, 0.5)), larger()),
        everywhere("the x up to which UD's is known as that of priorities", exact(x[-1]), between(0.3499, 0.4501)),
        everywhere("there, it less that of HOL", exact(dashed[:, 0] - held.value[: len(x)], x=x), equal(SAME)),
        whole=True,
    )


@functools.cache
def differences(policy, fraction):
    """Group 2 less group 1, simulated in pairs: deviations, job-share deviations and presence, each an `Estimate`."""
    found = paths(policy, **two_groups(fraction), **RUN, seed=int(1000 * fraction))
    pairs = found.present - found.obtained / 0.5, found.job_share_deviation, found.present
    return [from_replications(values[:, 1] - values[:, 0]) for values in pairs]


def job_shares(x):
    """(3.95) and (3.96)."""
    return np.array([16 * z**2 / (5 + 20 * z) for z in (x, 1 - x)])


@check("thesis-3-078", share=0.51)
def job_shares_in_case_1(share=0.5):
    """(3.95) and (3.96): as drawn, exact and simulated; and (2.45) from the jobs' records at each event."""
    x = tuple(np.append(0, np.linspace(0.005, 0.5, 100)))
    form = exact([job_shares(y) for y in x], x=x, group=(1, 2))
    systems = [two_groups(y, required_share=share) for y in FRACTIONS]
    expected = [job_shares(y) for y in FRACTIONS]

    def unlike(policy, number):
        """At how many events (2.45) is not as added up."""
        wrong = 0
        for interval in intervals(policy, **systems[number - 1], events=300, seed=number - 1):
            served, there = {job.group for job in interval.rates}, interval.present(2)
            wrong += any(interval.job_share_deviation(g) != float(g in served and there[g] > 1) for g in (0, 1))
        return wrong

    larger_one = form.largest("group")

    def off(policy):
        return (exactly_over_x(policy, x, share, JOBS) - form).scaled(1 / np.maximum(form.value, 1e-6))

    as_drawn = (drawn("FCFS", x, share, JOBS) - larger_one).scaled(1 / larger_one.value)
    return conclude(
        everywhere("the line as drawn and (3.96)", as_drawn, equal(SAME)),
        everywhere("the exact deviation and (3.95), (3.96)", cases("policy", LINE).measure(off), equal(SAME)),
        *(everywhere(f"{policy} simulated less the formula", simulations(
            policy, systems, expected, (JOBS,), seed=100 + 10 * number, **RUN
        ), agrees()) for number, policy in enumerate(LINE)),
        everywhere("the number of events at which (2.45) is not as added up",
                   grid(policy=LINE, path=range(1, 11)).measure(unlike), at_most(0)),
        whole=True,
    )  # fmt: skip


@check("thesis-3-079", exchanged=True)
def which_deviation(exchanged=False):
    """Delta_2 at least Delta_1 up to x = 0.5: printed for G, right for J; exact and in simulated pairs.

    Exact differences are those of (3.93) to (3.96), and the simulated ones agree with them.
    """
    x, some = np.linspace(0, 0.5, 51)[1:], FRACTIONS
    x, some = (1 - x, tuple(1 - y for y in some)) if exchanged else (x, some)

    def both(number, quantity, form):
        """The exact differences under the three policies, their gaps to a formula, and the simulated ones less it."""
        exactly = cases("policy", LINE).measure(lambda policy: -gap(exactly_over_x(policy, tuple(x), 0.5, quantity)))
        stated = exact([np.subtract(*form(y)[::-1]) for y in x], x=tuple(x))
        pairs = sampled([differences(policy, y)[number] for policy in LINE for y in some], policy=LINE, x=some)
        return exactly, exactly - stated, pairs - exact([np.subtract(*form(y)[::-1]) for y in some], x=some)

    (of_groups, *groups), (of_jobs, *jobs) = (
        both(number, *kind)
        for number, kind in enumerate((("group_share_deviation", printed.fcfs_deviations), (JOBS, job_shares)))
    )
    as_printed = everywhere("group 2's group-share deviation less group 1's, as printed,", of_groups, at_least(0))
    clauses = [everywhere("group 2's job-share deviation less group 1's", of_jobs, at_least(0))]
    for name, (off, runs) in (("(3.93) and (3.94)", groups), ("(3.95) and (3.96)", jobs)):
        clauses.append(everywhere(f"the difference and that of {name}", off, equal(SAME)))
        clauses.append(everywhere(f"a simulated difference less that of {name}", runs, agrees()))
    return mended(as_printed, *clauses, *(as_simulated(policy, [two_groups(y) for y in some]) for policy in LINE))


@check("thesis-3-081", exchanged=True)
def busier_group_unfair(exchanged=False, policy="UD"):
    """UD: group 2 has the larger job-share deviation and is there more often below x = 0.5 (`thesis`, Figure 3.7)."""
    x = FRACTIONS[:-1]
    pairs = [differences(policy, 1 - y if exchanged else y) for y in x]
    systems = [two_groups(1 - y if exchanged else y) for y in x]
    return conclude(
        *(everywhere(f"group 2's {name} less group 1's", sampled([pair[k] for pair in pairs], x=x), larger())
          for k, name in ((1, "job-share deviation"), (2, "presence"))),
        *(everywhere(f"the same in {name} at the points of the figure", -gap(over_x("UD", quantity)).at(x=x), larger())
          for name, quantity in (("job-share deviation", JOBS), ("presence", "probability_present"))),
        as_simulated(policy, systems),
        *(agree(f"exact UD, where it is known, against the difference in {name},", in_order(systems, 1, quantity),
                [pair[k] for pair in pairs])
          for k, name, quantity in ((1, "job-share deviation", JOBS), (2, "presence", "probability_present"))),
        whole=True,
    )  # fmt: skip


@check("thesis-3-083", share=0.5)
def head_of_line_better(share=0.51):
    """HOL below PQ from x = 0.6 on: as drawn, and in simulated pairs (`thesis`, Figure 3.8)."""
    x, some, pairs = tuple(y for y in DRAWN if y > 0.5999), tuple(y for y in SPLITS if y > 0.5999), []
    for number, y in enumerate(some):
        system = two_groups(y, required_share=share)
        worse = int(exact_of_two_groups("PQ", y, share).argmax())
        pq, hol = (paths(policy, **system, **RUN, seed=number) for policy in ("PQ", "HOL"))
        less = (pq.present - hol.present) - (pq.obtained - hol.obtained) / system["required_shares"][worse]
        pairs.append(from_replications(less[:, worse]))
    curves_apart, less = drawn("PQ", x, share) - drawn("HOL", x, share), short_of("clear")
    of_pq, of_hol = (over_x(policy, share=0.51, fractions=SPLITS).largest("group") for policy in ("PQ", "HOL"))
    return conclude(
        everywhere("PQ's larger deviation less HOL's", curves_apart, larger(1e-9), less),
        everywhere("the same in simulated pairs", sampled(pairs, x=some), larger(), less),
        everywhere("the same at the points of the figure", (of_pq - of_hol).at(x=some), larger(), less),
        *(as_simulated(policy, [two_groups(y, required_share=share) for y in some]) for policy in ("PQ", "HOL")),
        whole=True,
    )  # fmt: skip


@check("thesis-3-085", first=1)
def up_down_first_in_turn(first=0, policy="UD"):
    """UD as HOL with group 1 first at low x, and with group 2 first at high x (`thesis`, Figure 3.8)."""
    found, splits, clauses = over_x(policy, share=0.51, fractions=SPLITS), np.array(SPLITS), []
    for number, end in enumerate((splits <= LOADS["low"][1], splits >= LOADS["high"][0])):
        held = [head_of_line(x, number if first == 0 else 1 - number, required_share=0.51)[0] for x in SPLITS]
        less = found - exact(held, x=SPLITS, group=(1, 2))
        x = tuple(splits[end])
        clauses.append(everywhere(f"a deviation less HOL's with group {1 + number} first", less.at(x=x), agrees()))
        clauses.append(aside(f"the same at other x, with group {1 + number} first", less.at(x=tuple(splits[~end]))))
        systems = (two_groups(y, required_share=0.51) for y in x)
        exactly = [known("UD", system, lambda found: found.group_share_deviation) for system in systems]
        gaps = np.nan_to_num(exactly - np.array(held)[end], nan=np.inf)
        clauses.append(everywhere("the exact deviation and that", exact(gaps, x=x, group=(1, 2)), equal(SAME)))
    return conclude(*clauses, whole=True)


@check("thesis-3-086", permanent_jobs=1)
def closer_to_sharing(permanent_jobs=0):
    """PPS between PS and GPPS as drawn: its distance to each (`thesis`, Figure 3.8; the control is Figure 3.12)."""
    at = SHARES if permanent_jobs else np.linspace(0.02, 0.98, 49)

    def larger_at(policy, place):
        if permanent_jobs:
            system = beside_permanent_jobs(policy, place, 1)
        else:
            system = two_groups(float(place), required_share=0.51)
        result = uniprocessor.exact(policy, **system, tolerance=1e-5)
        return {"value": result.group_share_deviation.max(), "error": result.error}

    found = grid(policy=("PPS", "PS", "GPPS"), x=at).measure(larger_at)
    doubt = 4 * found["error"].value.max()  # of both distances
    of_pps, *others = (found["value"].at(policy=one) for one in ("PPS", "PS", "GPPS"))
    near, far = ((of_pps - other).distance() for other in others)
    tenths, provided = SPLITS[1::2], []
    for policy in () if permanent_jobs else ("PPS", "PS", "GPPS"):
        points = over_x(policy, share=0.51, fractions=tenths).largest("group")
        less = points - exact(found["value"].at(policy=policy).value[4::5], x=tenths)
        provided.append(everywhere(f"a point of {policy} less what is exact", less, agrees()))
    return conclude(
        at_each("half the distance of PPS to GPPS, less that to PS,", far.scaled(0.5) - near - doubt, at_least(0)),
        aside("the distance to PS", near), aside("the distance to GPPS", far),
        provided=provided,
    )  # fmt: skip


def overtaken(policy, share, fractions=(0.65, 0.8, 0.95), events=1500):
    """How often a service of group 2 starts while a job of group 1 waits, along paths."""
    count = 0
    for number, x in enumerate(fractions):
        for interval in intervals(policy, **two_groups(x, required_share=share), events=events, seed=number):
            starts = any(job.group == 1 and not job.periods for job in interval.rates)
            count += starts and any(job.group == 0 and job not in interval.rates for job in interval.jobs)
    return count


@check("thesis-3-144", policies=("FCFS",))
def hundredth_hurts(policies=("HOL", "PQ"), share=0.51):
    """Delta^G of HOL and PQ beyond x of about 0.6, against that of equal shares (`thesis`, Figure 3.8)."""
    before, beyond = tuple(x for x in DRAWN if x < 0.5701), tuple(x for x in DRAWN if x > 0.6299)
    domain = cases("policy", policies)
    line = domain.measure(lambda policy: drawn(policy, DRAWN, share))
    excess = line - domain.measure(lambda policy: drawn(policy, DRAWN, 0.5))
    of_second = domain.measure(lambda policy: exactly_over_x(policy, DRAWN, share).at(group=2))
    return conclude(
        at_each("the larger deviation", line.at(x=beyond), at_least("clear")),
        at_each("it less that of equal shares", excess.at(x=beyond), at_least("clear")),
        at_each("it less group 2's deviation", (line - of_second).at(x=beyond), within(1e-9)),
        together=("policy", "x"),
        provided=[
            everywhere("before x = 0.57 the larger deviation is not so large", exact(
                line.at(x=before).value < SCALE["clear"].least, policy=policies, x=before
            )),
            everywhere("a simulated deviation less the exact one", domain.measure(
                lambda policy: over_x(policy, share=0.51, fractions=SPLITS) - exactly_over_x(policy, SPLITS, 0.51)
            ), agrees()),
            everywhere("services of group 2 that start while group 1 waits",
                       domain.measure(lambda policy: overtaken(policy, share)), at_most(0)),
        ],
    )  # fmt: skip


@check("thesis-3-147", share=0.49)
def two_or_more_of_group_1(share=0.51):
    """P[N1 > 1] under HOL, PQ and FCFS, each from a chain (`thesis`, Figure 3.9)."""
    order = 0 if share > 0.5 else 1

    def margins(policy, x):
        """By how much it is lower than under FCFS, the bounds off; and how far from it the library is, beyond its."""
        system = two_groups(x, required_share=share)
        first_come = uninterrupted.law(*system["arrival_rates"])
        error = first_come[2]  # the same of all three: they lose the same jobs
        if policy == "PQ":
            work = Workload("PQ", **system, service_rates=1.0, permanent_jobs=0)
            chain = distribution(60, work, preemptive if order == 0 else lambda jobs: preemptive(jobs[::-1])[::-1])
        else:
            chain = uninterrupted.law(*system["arrival_rates"], order)
        many, off = [], 0.0
        for name, (counts, probability, *_) in (("FCFS", first_come), (policy, chain)):
            many.append(probability[counts[0] > 1].sum())
            exactly = uniprocessor.exact(name, **system)
            there = exactly.probability_present - (counts > 0) @ probability
            if name == "PQ":  # whoever is there of the first group is served
                there = np.append(there, exactly.job_share_deviation[order] - probability[counts[order] > 1].sum())
            off = max(off, np.abs(there).max() - error)
        return {"margin": many[0] - many[1] - 2 * error, "off": off}

    found = grid(policy=("HOL", "PQ"), x=(0.01, *SPLITS, 0.99)).measure(margins)
    in_figure = over_x("PQ", JOBS, 0.51, SPLITS) - exactly_over_x("PQ", SPLITS, 0.51, JOBS)
    in_figure = in_figure.at(group=1)
    return conclude(
        at_each("P[N_1 > 1] under FCFS less that under the policy, with all doubt,", found["margin"], larger()),
        provided=[
            everywhere("the gap to the library's answers, beyond the bound,", found["off"], at_most(0)),
            everywhere("a simulated P[N_1 > 1] of PQ at a point of the figure less the exact one", in_figure, agrees()),
        ],
    )


def from_first_come(policy, share, fractions, other="FCFS"):
    """Simulated job-share deviations less those of FCFS, by `Points`: the larger one's, and each group's."""
    found, held = over_x(policy, JOBS, share, fractions), exactly_over_x(other, fractions, share, JOBS)
    return found.largest("group") - held.largest("group"), found - held


def farther(points):
    """The farther end of the interval of 95 % of each."""
    return exact(np.abs(points.value) + points.half, as_it_stands=True, **dict(points.axes))


def as_known(share, fractions, quantity=DEVIATION):
    """The clause that the stored points of UD have what is exact, where that is known."""
    values = [
        known("UD", two_groups(x, required_share=share), lambda found: getattr(found, quantity)) for x in fractions
    ]
    less = over_x("UD", quantity, share, fractions) - exact(values, x=fractions, group=(1, 2))
    less = less.where(~np.isnan(values), "no exact answer")
    return everywhere("a point of UD less what is exact", less, agrees())


def as_exact(policy, fractions, share=0.51):
    """The clause that the points of Figure 3.8, or 3.5 at a half, have what is exact."""
    less = over_x(policy, share=share, fractions=fractions) - exactly_over_x(policy, fractions, share)
    return everywhere(f"a point of {policy} less what is exact", less, agrees())


@check("thesis-3-080", other="PS")
def up_down_within(other="FCFS"):
    """The job-share deviations of UD, simulated, against FCFS, at the farther end (`thesis`, Figure 3.7)."""
    larger_one, each = from_first_come("UD", 0.5, FRACTIONS, other)
    return conclude(
        at_each("the distance of the larger deviation to FCFS", farther(larger_one), at_most("practically equal")),
        at_each("the distance of group 2's", farther(each.at(group=2)), at_most("practically equal")),
        provided=[as_known(0.5, FRACTIONS, JOBS)],
    )


@check("thesis-3-146", policy="PS")
def up_down_within_unequal(policy="UD"):
    """The larger job-share deviation of UD, simulated, against FCFS, at the farther end (`thesis`, Figure 3.9)."""
    larger_one, _ = from_first_come(policy, 0.51, SPLITS)
    return conclude(
        at_each("the distance to FCFS", farther(larger_one), at_most("practically equal")),
        provided=[as_known(0.51, SPLITS, JOBS)],
    )


@check("thesis-3-084", policy="FCFS")
def up_down_best_of_all(policy="UD"):
    """UD, simulated, against the exact answers of all others, at each point (`thesis`, Figure 3.8)."""
    found = over_x(policy, share=0.51, fractions=SPLITS)
    low = found.low(found.widened(found.asked)).max(axis=1)
    others = tuple(name for name in (*ALIKE, "GPPS") if name != policy)
    exactly = cases("other", others).measure(lambda name: exactly_over_x(name, SPLITS, 0.51).largest("group"))
    best = exact(exactly.value.min(axis=0), x=SPLITS)
    ahead, values = exact(low, x=SPLITS) - best, [found.value.max(axis=1), *exactly.value]
    return conclude(
        at_each(f"the lower end for {policy} less the best of the others", ahead, at_most(1e-9)),
        *(
            aside(f"the {how.__name__} over x", exact(how(values, axis=1), policy=(policy, *others)))
            for how in (np.max, np.mean)
        ),
        provided=[as_known(0.51, SPLITS), *(as_exact(name, SPLITS) for name in others)],
    )


@check("thesis-3-087", policies=("FCFS", "HOL", "PQ"))
def small_change(policies=("FCFS", "PS", "UD", "PPS", "GPPS")):
    """Required shares of 0.50 and of 0.51, at each fraction that both figures have (`thesis`, Figures 3.5, 3.8)."""

    def change(policy):
        points = over_x if policy == "UD" else exactly_over_x
        one, other = (points(policy, share=share, fractions=FRACTIONS).largest("group") for share in (0.51, 0.5))
        return exact(np.abs(one.value - other.value) + one.half + other.half, as_it_stands=True, x=FRACTIONS)

    found = cases("policy", policies).measure(change)
    return conclude(
        at_each("the change of the larger deviation", found, at_most("close")),
        provided=[
            *(as_known(share, FRACTIONS) for share in (0.5, 0.51)),
            *(as_exact(policy, FRACTIONS) for policy in policies if policy != "UD"),
        ],
    )


@check("thesis-3-089", share=0.5)
def job_shares_in_order(share=0.51):
    """PQ below HOL below FCFS and UD, group 1 the larger, at each x above 0.5 (`thesis`, Figure 3.9).

    Exact at each hundredth, and all policies simulated at each twentieth; simulations agree with what is exact.
    """
    fine = tuple(x for x in np.linspace(0.01, 0.99, 99) if x > 0.505)
    exactly = {policy: exactly_over_x(policy, fine, share, JOBS) for policy in LINE}
    larger_ones = {policy: points.largest("group") for policy, points in exactly.items()}
    clauses = [
        at_each("HOL's deviation less FCFS's", larger_ones["HOL"] - larger_ones["FCFS"], smaller(1e-9)),
        at_each("PQ's less HOL's", larger_ones["PQ"] - larger_ones["HOL"], smaller(1e-9)),
        *(at_each(f"group 1's deviation under {policy} less group 2's", gap(points), at_least(0))
          for policy, points in exactly.items()),
    ]  # fmt: skip
    provided = []
    if share == 0.51:
        found, held = over_x("UD", JOBS, share, SPLITS), exactly_over_x("HOL", SPLITS, share, JOBS).largest("group")
        below = found.low(found.widened(found.asked)).max(axis=1) > held.value
        told = [below[np.isclose(SPLITS, x)].all() for x in fine]  # nothing is asked between the simulated x
        clauses.append(at_each("HOL's deviation is below the lower end of UD's", exact(told, x=fine)))
        provided = [
            everywhere(f"{policy} simulated less what is exact",
                       over_x(policy, JOBS, share, SPLITS) - exactly_over_x(policy, SPLITS, share, JOBS), agrees())
            for policy in LINE
        ]  # fmt: skip
    return conclude(*clauses, together="x", provided=provided)


@check("thesis-3-145", policies=("PS", "PPS"), load=0.99)
def depends_on_the_split(policies=("PS", "PPS"), load=0.8):
    """How far Delta^G ranges over the split of the load (`thesis`, Figure 3.8)."""
    x = (1e-9, *np.linspace(0.01, 0.99, 99), 1 - 1e-9)

    def ranges(policy):
        values = exactly_over_x(policy, x, 0.51, load=load).value
        return {"larger": np.ptp(values.max(axis=1)), "group 1": np.ptp(values[:, 0]), "group 2": np.ptp(values[:, 1])}

    # At a load of 0.99 a chain has tens of thousands of states; PPS ranges as far as PS.
    found = cases("policy", [one for one in (*policies, "GPPS") if load < 0.9 or one == "PS"]).measure(ranges)
    mine = [name for name in policies if name in found["larger"].axes[0][1]]
    of_up_down = over_x("UD", share=0.51, fractions=SPLITS).value.max(axis=1)
    chains = [(np.abs(value - exact_of_two_groups("PS", y, 0.51)).max(), error) for y in SPLITS
              for value, error in (sharing_chain("PS", 0.51, 0, 0.8, y, 1e-6),)]  # fmt: skip
    return conclude(
        at_each("the largest less the smallest deviation over x", found["larger"].at(policy=mine), at_least("much")),
        *(aside(f"the same of {name}", points) for name, points in found.items()),
        aside("that of UD, simulated at a load of 0.8,", exact(np.ptp(of_up_down))),
        provided=[
            everywhere("the gap of PS", bounded(chains), IN_BOUND),
            everywhere("a simulated deviation of PPS less the exact one",
                       over_x("PPS", share=0.51, fractions=SPLITS) - exactly_over_x("PPS", SPLITS, 0.51), agrees()),
        ],
    )  # fmt: skip
