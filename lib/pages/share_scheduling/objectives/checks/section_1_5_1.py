"""Claims of `thesis`, Section 1.5.1: lottery, stride, time-function scheduling and EEVDF."""

import functools
import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
from scipy.stats import binom

from clustershare import proportional
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, grid, measured, mended, none
from compendium.press.clauses.conditions import agrees, at_least, at_most, equal, falls, larger, rises, smaller
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.objectives.paths import averaged, interval
from pages.share_scheduling.objectives.witnesses.fluids import least_worst
from pages.share_scheduling.objectives.witnesses.ledgers import WithoutEligibility, lags

RATIOS, WINDOWS = tuple(range(1, 11)), (20, 50, 100, 200, 500, 1000, 5000)
SYSTEMS = [(slopes, jobs) for slopes in ((1, 3), (1, 10), (1, 3, 10)) for jobs in (20, 200)]
LENGTHS = (10, 100, 1000, 10_000)
CLEAR = SCALE["clear"].least


def mean_error(quanta, part):
    """Mean deviation of a lottery's count from its mean, relative to it: of a binomial law, by de Moivre."""
    most = np.floor(quanta * part) + 1
    return 2 * most * (1 - part) * binom.pmf(most, quanta, part) / (quanta * part)


def window_error(chosen, job, tickets, quanta):
    """The same of a periodic order, over windows that begin anywhere in a cycle."""
    cycle, part = sum(tickets), tickets[job] / sum(tickets)
    had = np.append(0, np.cumsum(chosen[: cycle + quanta] == job))
    return np.abs(had[quanta : quanta + cycle] - had[:cycle] - quanta * part).mean() / (quanta * part)


def round_robin(tickets, quanta):
    """One quantum each, whatever the tickets."""
    return np.arange(quanta) % len(tickets)


@functools.cache
def ticket_sets():
    """Sets of 3 to 10 jobs with 1 to 20 tickets."""
    rng = np.random.default_rng(13)
    return [tuple(rng.integers(1, 21, int(rng.integers(3, 11))).tolist()) for _ in range(6)]


@check("thesis-1-013", wrong=True)
def lottery_and_stride(wrong=False):
    """Mean errors over ratios and windows; in the control stride plays the lottery, and a round robin stride."""
    first, second = (proportional.stride, round_robin) if wrong else (None, proportional.stride)

    def errors(ratio):
        orders = [policy and policy((ratio, 1), WINDOWS[-1] + 11) for policy in (first, second)]
        found = [
            [mean_error(quanta, 1 / (1 + ratio)) if order is None else window_error(order, 1, (ratio, 1), quanta)
             for quanta in WINDOWS] for order in orders
        ]  # fmt: skip
        return {name: exact(each, window=WINDOWS) for name, each in zip(("lottery", "stride"), found)}

    def nearer(*tickets):
        order = second(tickets, WINDOWS[-1] + sum(tickets))
        return max(
            window_error(order, job, tickets, quanta) - mean_error(quanta, held / sum(tickets))
            for quanta, (job, held) in itertools.product(WINDOWS, enumerate(tickets))
        )

    def drawn(ratio, quanta):
        chosen = proportional.lottery((ratio, 1), quanta * 500, rng).reshape(500, quanta)
        off = np.abs(chosen.sum(axis=1) - quanta / (1 + ratio)) / (quanta / (1 + ratio))
        return averaged(off - mean_error(quanta, 1 / (1 + ratio)))

    rng, found = np.random.default_rng(31), cases("ratio", RATIOS).measure(errors)
    lottery, stride = found["lottery"], found["stride"]
    return conclude(
        at_each("the lottery's error from one window to the next", lottery.steps("window"), falls()),
        at_each("from one ratio to the next it", lottery.steps("ratio"), rises()),
        at_each("stride's error less the lottery's", stride - lottery, smaller()),
        at_each("the most by which it is larger for a job of 3 to 10", cases("set", ticket_sets()).measure(nearer),
                smaller()),
        aside("the lottery's error", lottery.at(ratio=(1, 10), window=(20, 5000))),
        aside("the largest of stride's", exact(stride.value.max())),
        provided=[everywhere("the error of a lottery that is drawn, less the binomial law's,",
                             cases("lottery", ((1, 20), (10, 100), (4, 1000))).measure(drawn), agrees())],
    )  # fmt: skip


def services_per_job(slopes, jobs, constant=False):
    """How often a job of each class is served for one service of the flattest class's, at the end of a run."""
    total = round(sum(slope * number for slope, number in zip(slopes, jobs)) / min(slopes))
    quanta = 15 * total + 200
    chosen = proportional.time_function(slopes, jobs, quanta, constant=constant)[10 * total :]
    flat = int(np.argmin(slopes))
    turns = np.flatnonzero(chosen == flat)[:: jobs[flat]]  # each job of the flattest class once between them
    if len(turns) < 2:
        return np.full(len(slopes), float(quanta))  # the others are always served first
    served = np.bincount(chosen[turns[0] : turns[-1]], minlength=len(slopes)) / jobs
    return served / served[flat]


@check("thesis-1-012", constant=True)
def time_functions(constant=False):
    """Services of a job for one of the flattest class; in the control the functions are constant."""
    rng = np.random.default_rng(12)
    sets = {"1 and 3": (1.0, 3.0)}
    sets |= {f"random {number}": tuple(rng.uniform(1, 10, count)) for number, count in enumerate((2, 2, 3), 1)}

    def off(name, jobs):
        """How far the ratio of services is from that of the slopes: in quanta, and relative to it; and the ratio."""
        slopes = sets[name]
        numbers = {"300 and 100": [300, 100, 300], "1 and 10": [1, 10, 10]}.get(jobs) or [jobs] * 3
        wanted = np.array(slopes) / min(slopes)
        ratio = services_per_job(slopes, numbers[: len(slopes)], constant)
        return {
            "quanta": np.abs(ratio - wanted).max(), "part": np.abs(ratio / wanted - 1).max(), "ratio": ratio[1],
        }  # fmt: skip

    found = grid(set_of_slopes=sets, jobs=(1, 2, 3, 5, 10, 30, 100, "1 and 10", "300 and 100")).measure(off)
    many = cases("number of jobs", (1000,)).measure(lambda jobs: off("1 and 3", jobs))
    few, part = found["quanta"].at(jobs=(1, 2, 3, 5, 10, 30, 100, "1 and 10")), found["part"]
    return mended(
        everywhere("for any number of jobs what the ratio of services is off that of the slopes, in quanta,", few,
                   at_most(1)),
        everywhere("with 100 jobs and more what it is off, in parts of the ratio,", part.at(jobs=(100, "300 and 100")),
                   at_most(0.02)),
        everywhere("the growth of that from 1 to 10 and to 100 jobs", part.at(jobs=(1, 10, 100)).steps("jobs"),
                   at_most(0)),
        everywhere("the growth from 1 to 100 jobs", part.at(jobs=(1, 100)).steps("jobs"), smaller()),
        everywhere("the growth from 100 to 1000 jobs with slopes 1 and 3",
                   many["part"] - part.at(set_of_slopes="1 and 3", jobs=100).value, at_most(0)),
        aside("the ratio with slopes 1 and 3", found["ratio"].at(set_of_slopes="1 and 3", jobs=(1, 2, 5, 10, 100))),
        aside("the ratio with these", many["ratio"]),
    )  # fmt: skip


def currencies(rng, depth):
    """A random tree: tickets of each branch, and below it a tree again or a client."""
    return [
        (int(rng.integers(1, 101)), currencies(rng, depth - 1) if depth > 1 and rng.random() < 0.6 else None)
        for _ in range(int(rng.integers(2, 4)))
    ]


def products(tree, part=1.0):
    """The part of each client: the product of its parts down the tree."""
    total = sum(tickets for tickets, _ in tree)
    return [
        value for tickets, below in tree
        for value in ([part * tickets / total] if below is None else products(below, part * tickets / total))
    ]  # fmt: skip


def leaves(tree, value=None):
    """The tickets of each client and the value of one, in fractions of a base ticket."""
    total = sum(tickets for tickets, _ in tree)
    unit = Fraction(1) if value is None else value / total
    return [
        leaf for tickets, below in tree
        for leaf in ([(tickets, unit)] if below is None else leaves(below, tickets * unit))
    ]  # fmt: skip


@check("thesis-1-036", valued=False)
def lottery_currencies(valued=True):
    """Chances by counted base tickets; in the control tickets count as they are, whatever their currency is worth."""
    rng = np.random.default_rng(36)

    def in_a_tree(number):
        """Chances by tickets against the parts down the tree; what new tickets change; and 100000 draws."""
        tree = currencies(rng, 1 + number % 4)
        held = [tickets * (unit if valued else 1) for tickets, unit in leaves(tree)]
        scale = math.lcm(*(Fraction(tickets).denominator for tickets in held))
        counted = [int(tickets * scale) for tickets in held]  # whole parts of base tickets
        chances, devalued, drawn = np.array(products(tree)), 0.0, 0.0
        gap = np.abs([float(Fraction(count, sum(counted))) for count in counted] - chances).max()
        first = [k for k, (_, below) in enumerate(tree) if below is not None]
        if first:  # three times the tickets of one branch's currency, for one of its clients
            k, (tickets, below) = first[0], tree[first[0]]
            inflated = [*tree[:k], (tickets, [(3 * below[0][0], below[0][1]), *below[1:]]), *tree[k + 1 :]]
            start = sum(len(products([branch])) for branch in tree[:k])
            change = np.array(products(inflated)) - chances
            own = change[start : start + len(products([tree[k]]))]
            devalued = max(np.abs([*change[:start], *change[start + len(own) :]]).max(initial=0.0), abs(own.sum()))
        if number < 4 and sum(counted) < 2**62:
            won = np.bincount(proportional.lottery(counted, 100_000, rng), minlength=len(counted))
            drawn = (np.abs(won - 1e5 * chances) / (5 * np.sqrt(1e5 * chances) + 1)).max()
        return {"gap": gap, "devalued": devalued, "drawn": drawn}

    found = cases("tree", range(60), [""] * 60, seed=36).measure(in_a_tree)
    draws = proportional.lottery((9, 1), 60 * 4000, rng).reshape(4000, 60) == 1
    numbers = 1, 10, 30, 60
    never = averaged(np.transpose([~draws[:, :n].any(axis=1) - 0.9**n for n in numbers]), number_of_draws=numbers)
    errors = grid(wins=(100, 200, 300, 1000, 10000), part=(0.5, 0.1, 0.01)).measure(
        lambda wins, part: mean_error(round(wins / part), part)
    )
    return conclude(
        at_each("the mean error of a rate where so many wins are expected", errors, at_most("close")),
        provided=[
            everywhere("the chance to win and the product of parts", found["gap"], equal(1e-12)),
            everywhere("other clients' chances before and after new tickets", found["devalued"], equal(1e-12)),
            everywhere("what clients win, in parts of what chance allows,", found["drawn"], at_most(1)),
            everywhere("how often a client never wins, less the power that is its chance,", never, agrees()),
        ],
    )  # fmt: skip


@check("thesis-1-037", policy="lottery")
def stride_gaps(policy="stride"):
    """Gaps and rates over cycles of random sets of jobs; in the control by the lottery."""
    rng = np.random.default_rng(37)

    def cycles(count):
        tickets = rng.integers(1, 101, count).tolist()
        cycle = sum(tickets)
        draw = proportional.stride if policy == "stride" else functools.partial(proportional.lottery, rng=rng)
        chosen = draw(tickets, 3 * cycle).reshape(3, cycle)
        served = [(chosen[0] == job).sum() for job in range(count)]
        ahead = [np.append(0, np.cumsum((chosen.ravel() == job) - held / cycle)) for job, held in enumerate(tickets)]
        # The most that any window of whatever length is off.
        spread = [np.ptp(own) / held for own, held in zip(ahead, tickets)]
        gap = np.abs(ahead).max() - proportional.worst_error(chosen.ravel(), tickets)
        return {"even": (chosen == chosen[0]).all() and served == tickets, "off": max(spread), "gap": gap}

    found = cases("number of jobs", (2, 3, 5, 10, 20, 30)).measure(cycles)
    return conclude(
        everywhere("each job has its tickets in each cycle, which repeats,", found["even"]),
        everywhere("over 100 cycles and more the error of a rate", found["off"].scaled(1 / 100), at_most("close")),
        everywhere("the largest error and the library's", found["gap"], equal(1e-9)),
        aside("that over one cycle's length", found["off"]),
        whole=True,
    )


@check("thesis-1-039", constant=False)
def absolute_priority(constant=True):
    """Who is served in each quantum; in the control the functions are linear."""
    rng, broken, seen = np.random.default_rng(39), 0, 0
    for count in (2, 3, 4, 5):
        levels = list(range(1, count + 1))
        for jobs in (1, 5, 20):
            broken += (proportional.time_function(levels, jobs, 300, constant=constant) != count - 1).sum()
        for _ in range(5):
            times = np.sort(rng.integers(0, 1500, 250)).tolist()
            arrivals = list(zip(times, rng.integers(count, size=250).tolist(), rng.integers(1, 9, 250).tolist()))
            chosen, _ = proportional.time_function_jobs(levels, arrivals, 2000, constant=constant)
            # The work of a class and those above, counted apart: one quantum less in each that finds some.
            for level in range(count):
                left, came = 0, Counter()
                for time, own, size in arrivals:
                    came[time] += size * (own >= level)
                for now in range(2000):
                    left += came[now]
                    broken += (left > 0) != (chosen[now] >= level)
                    left -= left > 0
        seen += 3 * 300 + 5 * count * 2000
    return conclude(none(seen, "slice of time", "broke the priority of the classes", broken))


@check("thesis-1-014", policy=WithoutEligibility)
def service_lag(policy=proportional.EEVDF):
    """Lags with virtual time by (1.6) alone, and settled; in the control requests need not be eligible."""
    printed, settled = lags(policy, False), lags(policy, True)
    least = cases("number of like clients", range(2, 7)).measure(lambda count: least_worst(count) - (1 - 1 / count))
    return mended(
        everywhere("with (1.6) alone the largest lag over the largest request", printed["lag"], at_most(1 + 1e-9)),
        everywhere("with settled accounts it", settled["lag"], at_most(1 + 1e-9)),
        *(everywhere("the largest lags in virtual and in real time", each["gap"], equal(1e-9))
          for each in (printed, settled)),
        everywhere("in whatever order, what one of n is off at least and 1 - 1/n of a quantum", least, equal(1e-12)),
    )  # fmt: skip


def farthest(chosen, parts):
    """The largest deviation of a class's share so far from its part, from each window's length on."""
    had = np.cumsum(chosen[:, None] == np.arange(len(parts)), axis=0) / np.arange(1, len(chosen) + 1)[:, None]
    off = np.maximum.accumulate(np.abs(had - parts).max(axis=1)[::-1])[::-1]
    return off[np.array(LENGTHS) - 1]


def ratios(chosen, last):
    """Mean times between quanta of a job, of the first class over the last one, in windows of 1000 quanta."""
    windows = chosen[5000:].reshape(-1, 1000)
    return (windows == last).sum(axis=1) / np.maximum((windows == 0).sum(axis=1), 1)


@functools.cache
def lotteries(slopes, jobs):
    """Deviations of 20 runs and the variance of the ratio over all their windows."""
    rng = np.random.default_rng(38)
    runs = [proportional.lottery([slope * jobs for slope in slopes], 20_000, rng) for _ in range(20)]
    parts = np.array(slopes) / sum(slopes)
    return (
        np.array([farthest(run, parts) for run in runs]),
        np.concatenate([ratios(run, len(slopes) - 1) for run in runs]).var(),
    )


def lottery_jobs(slopes, arrivals, quanta, rng):
    """When jobs end that come and go, if each quantum goes to the owner of a ticket drawn at random."""
    here, ends, coming = [[] for _ in slopes], np.full(len(arrivals), np.nan), 0
    draws, picks = rng.random(quanta).tolist(), rng.random(quanta).tolist()
    for now in range(quanta):
        while coming < len(arrivals) and arrivals[coming][0] <= now:
            here[arrivals[coming][1]].append([arrivals[coming][2], coming])
            coming += 1
        weights = [slope * len(jobs) for slope, jobs in zip(slopes, here)]
        point, k = draws[now] * sum(weights), 0
        if not sum(weights):
            continue
        while point >= weights[k]:
            point -= weights[k]
            k += 1
        place = int(picks[now] * len(here[k]))
        here[k][place][0] -= 1
        if not here[k][place][0]:
            ends[here[k].pop(place)[1]] = now + 1
    return ends


def ends_by_functions(slopes, arrivals, quanta):
    """When jobs end that come and go, if each quantum goes to the head whose slope times its wait is the largest."""
    lines, left, ends = [[] for _ in slopes], [size for *_, size in arrivals], np.full(len(arrivals), np.nan)
    coming = Counter(time for time, *_ in arrivals)
    came = 0
    for now in range(quanta):
        for job in range(came, came + coming[now]):
            lines[arrivals[job][1]].append((now, job))
        came += coming[now]
        heads = [(slope * (now - line[0][0]), -k) for k, (slope, line) in enumerate(zip(slopes, lines)) if line]
        if heads:
            line = lines[-max(heads)[1]]
            _, job = line.pop(0)
            left[job] -= 1
            if left[job]:
                line.append((now + 1, job))
            else:
                ends[job] = now + 1
    return ends


def window_ratios(arrivals, ends):
    """Mean response times of the first class over the second one's, of jobs that end in windows of 1000 quanta."""
    times, kinds, _ = np.array(arrivals).T
    found = []
    for start in range(5000, 40_000, 1000):
        inside = (ends > start) & (ends <= start + 1000)
        pair = [(ends - times)[inside & (kinds == kind)] for kind in (0, 1)]
        if min(map(len, pair)):
            found.append(pair[0].mean() / pair[1].mean())
    return np.array(found)


def kept(slopes, jobs, quanta, rng, length=50):
    """A lottery whose winner keeps the processor for so many quanta."""
    return np.repeat(proportional.lottery([slope * jobs for slope in slopes], quanta // length, rng), length)


@check("thesis-1-038", wrong=True)
def steadier(wrong=False):
    """Shares so far and ratios of response times; in the control of a lottery with long quanta."""
    rng = np.random.default_rng(380)
    nearer, half, gains = np.zeros((len(SYSTEMS), len(LENGTHS))), np.zeros((len(SYSTEMS), len(LENGTHS))), []
    for k, (slopes, jobs) in enumerate(SYSTEMS):
        drawings, variance = lotteries(slopes, jobs)
        if wrong:
            chosen = kept(slopes, jobs, 20_000, rng)
        else:
            chosen = proportional.time_function([float(slope) for slope in slopes], jobs, 20_000)
        mean, half[k] = interval(drawings)
        nearer[k] = mean - farthest(chosen, np.array(slopes) / sum(slopes))
        gains.append(1 - ratios(chosen, len(slopes) - 1).var() / variance)
    coming, alike, loads = [], [], (0.5, 0.7, 0.9)
    for load in loads:
        count = int(40_000 * load / 10)
        times = np.sort(rng.integers(0, 40_000, count)).tolist()
        arrivals = list(zip(times, rng.integers(2, size=count).tolist(), rng.geometric(0.1, count).tolist()))
        other = np.mean([window_ratios(arrivals, lottery_jobs((1, 3), arrivals, 40_000, rng)).var() for _ in range(3)])
        if not wrong:
            _, ends = proportional.time_function_jobs((1.0, 3.0), arrivals, 40_000)
            alike.append(np.array_equal(ends, ends_by_functions((1.0, 3.0), arrivals, 40_000), equal_nan=True))
        coming.append(0.0 if wrong else 1 - window_ratios(arrivals, ends).var() / other)
    names = [f"slopes {':'.join(map(str, slopes))}, {jobs} jobs" for slopes, jobs in SYSTEMS]
    return conclude(
        at_each("the lottery's deviation of the share so far, less that of time functions,",
                measured(nearer, half, risk=None, system=names, window=LENGTHS), larger()),
        at_each("the part by which the variance of the ratio is lower", exact(gains, system=names), at_least(CLEAR)),
        at_each("that with jobs that come and go", exact(coming, load=loads), at_least(CLEAR)),
        provided=[] if wrong else [
            everywhere("jobs that come and go end when a plain account says", exact(alike, load=loads))
        ],
    )  # fmt: skip
