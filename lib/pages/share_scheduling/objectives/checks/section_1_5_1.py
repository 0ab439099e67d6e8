"""Claims of `thesis`, Section 1.5.1: lottery, stride, time-function scheduling and EEVDF."""

import functools
import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
from scipy.stats import binom

from clustershare import proportional
from compendium.press import words
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, measured, none
from compendium.press.clauses.conditions import at_least, at_most, equal, larger
from compendium.press.findings import check, erratum, finding, over_domain
from compendium.press.words import SCALE
from pages.share_scheduling.objectives.paths import interval
from pages.share_scheduling.objectives.witnesses.fluids import least_worst
from pages.share_scheduling.objectives.witnesses.ledgers import WithoutEligibility, worst_lag

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
    stride = round_robin if wrong else proportional.stride
    error, other = np.empty((2, len(RATIOS), len(WINDOWS)))
    for i, ratio in enumerate(RATIOS):
        orders = [policy((ratio, 1), sum(WINDOWS[-1:]) + 11) for policy in (proportional.stride, stride)]
        for j, quanta in enumerate(WINDOWS):
            error[i, j] = (
                window_error(orders[0], 1, (ratio, 1), quanta) if wrong else mean_error(quanta, 1 / (1 + ratio))
            )
            other[i, j] = window_error(orders[1], 1, (ratio, 1), quanta)
    falls = np.pad(np.diff(error, axis=1) < 0, ((0, 0), (0, 1)), constant_values=True)
    rises = np.pad(np.diff(error, axis=0) > 0, ((0, 1), (0, 0)), constant_values=True)
    holds = (falls & rises & (other < error)).ravel().tolist()
    for tickets in ticket_sets():
        order = stride(tickets, WINDOWS[-1] + sum(tickets))
        for quanta, job in itertools.product(WINDOWS, range(len(tickets))):
            holds.append(window_error(order, job, tickets, quanta) < mean_error(quanta, tickets[job] / sum(tickets)))
    if not wrong:
        rng = np.random.default_rng(31)
        for ratio, quanta in ((1, 20), (10, 100), (4, 1000)):
            drawn = proportional.lottery((ratio, 1), quanta * 500, rng).reshape(500, quanta)
            off = np.abs(drawn.sum(axis=1) - quanta / (1 + ratio)) / (quanta / (1 + ratio))
            mean, half = interval(off)
            if abs(mean - mean_error(quanta, 1 / (1 + ratio))) > half:
                return finding("the lottery drawn contradicts the binomial law", False)
    return over_domain(
        f"lottery, tickets 1 to 1 and 10 to 1: {error[0, 0]:.3f} and {error[-1, 0]:.3f} in windows of 20 quanta, "
        f"{error[0, -1]:.3f} and {error[-1, -1]:.3f} in those of 5000; it falls with the window and rises with the "
        f"ratio {'everywhere' if falls.all() and rises.all() else 'in part'}; stride at most {other.max():.3f}, and "
        f"nearer {'everywhere' if (other < error).all() else 'in part'}",
        holds,
    )


def services_per_job(slopes, jobs, constant=False):
    """How often a job of each class is served for one service of the flattest class's, at the end of a run."""
    total = round(sum(slope * number for slope, number in zip(slopes, jobs)) / min(slopes))
    quanta = 15 * total + 200
    chosen = proportional.time_function(slopes, jobs, quanta, constant=constant)[10 * total :]
    flat = int(np.argmin(slopes))
    turns = np.flatnonzero(chosen == flat)[:: jobs[flat]]  # each job of the flattest class once between them
    if len(turns) < 2:
        return np.full(len(slopes), np.inf)
    served = np.bincount(chosen[turns[0] : turns[-1]], minlength=len(slopes)) / jobs
    return served / served[flat]


@check("thesis-1-012", constant=True)
def time_functions(constant=False):
    """Services of a job for one of the flattest class; in the control the functions are constant."""
    rng = np.random.default_rng(12)
    sets = [(1.0, 3.0), *(tuple(rng.uniform(1, 10, count)) for count in (2, 2, 3))]
    few, many, shown = True, True, {}
    for number, slopes in enumerate(sets):
        wanted, errors = np.array(slopes) / min(slopes), {}
        for jobs in (1, 2, 3, 5, 10, 30, 100, 1000):
            if jobs == 1000 and number:
                continue
            ratio = services_per_job(slopes, [jobs] * len(slopes), constant)
            errors[jobs] = np.abs(ratio / wanted - 1).max()
            few &= bool((np.abs(ratio - wanted) <= 1).all())
            if number == 0:
                shown[jobs] = ratio[1]
        many &= errors[100] <= 0.02 and errors[100] < errors[1] and errors[100] <= errors[10] <= errors[1]
        many &= errors.get(1000, 0) <= errors[100]
        mixed = [100 if k % 2 else 300 for k in range(len(slopes))]
        many &= bool((np.abs(services_per_job(slopes, mixed, constant) / wanted - 1) <= 0.02).all())
        few &= bool((np.abs(services_per_job(slopes, [1, *[10] * (len(slopes) - 1)], constant) - wanted) <= 1).all())
    return erratum(
        "slopes 1 and 3, jobs in each class: ratio "
        + ", ".join(f"{ratio:.3f} with {jobs}" for jobs, ratio in shown.items() if jobs in (1, 2, 5, 10, 100, 1000)),
        few, many,
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
    rng, exact = np.random.default_rng(36), True
    for number in range(60):
        tree = currencies(rng, 1 + number % 4)
        held = [tickets * (unit if valued else 1) for tickets, unit in leaves(tree)]
        scale = math.lcm(*(Fraction(tickets).denominator for tickets in held))
        counted = [int(tickets * scale) for tickets in held]  # whole parts of base tickets
        exact &= bool(
            np.abs(np.array([float(Fraction(c, sum(counted))) for c in counted]) - products(tree)).max() < 1e-12
        )
        first = [k for k, (_, below) in enumerate(tree) if below is not None]
        if first:  # three times the tickets of one branch's currency, for one of its clients
            k, (tickets, below) = first[0], tree[first[0]]
            inflated = [*tree[:k], (tickets, [(3 * below[0][0], below[0][1]), *below[1:]]), *tree[k + 1 :]]
            start = sum(len(products([branch])) for branch in tree[:k])
            stop = start + len(products([tree[k]]))
            now, then = products(tree), products(inflated)
            exact &= bool(np.allclose(now[:start] + now[stop:], then[:start] + then[stop:], atol=1e-12))
            exact &= math.isclose(sum(now[start:stop]), sum(then[start:stop]), rel_tol=1e-12)
        if number < 4 and sum(counted) < 2**62:
            part = Counter(proportional.lottery(counted, 100_000, rng).tolist())
            for client, chance in enumerate(products(tree)):
                exact &= abs(part[client] - 1e5 * chance) <= 5 * math.sqrt(1e5 * chance) + 1
    draws = proportional.lottery((9, 1), 60 * 4000, rng).reshape(4000, 60) == 1
    for n in (1, 10, 30, 60):
        mean, half = interval(~draws[:, :n].any(axis=1))
        exact &= abs(mean - 0.9**n) <= half
    holds, errors = [], {}
    for wins, part in itertools.product((100, 200, 300, 1000, 10000), (0.5, 0.1, 0.01)):
        errors[wins, part] = mean_error(round(wins / part), part)
        holds.append(exact and words.allows("close", errors[wins, part]))
    return over_domain(
        f"chances {'exact' if exact else 'off'}; rates off by {errors[100, 0.01]:.3f} in the mean where 100 wins are "
        f"expected, {errors[300, 0.01]:.3f} where 300, {errors[10000, 0.01]:.3f} where 10000; within 0.05 from about "
        "255 on",
        holds,
    )


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
    printed, settled = worst_lag(policy, False), worst_lag(policy, True)
    best = all(abs(least_worst(count) - (1 - 1 / count)) < 1e-12 for count in range(2, 7))
    return erratum(
        f"largest lag over the largest request: {printed:.2f} with (1.6) alone, {settled:.2f} settled; of n like "
        f"clients one is off by {'1 - 1/n' if best else 'another part'} of a quantum in whatever order",
        printed <= 1 + 1e-9 and best, settled <= 1 + 1e-9 and best,
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
    coming, loads = [], (0.5, 0.7, 0.9)
    for load in loads:
        count = int(40_000 * load / 10)
        times = np.sort(rng.integers(0, 40_000, count)).tolist()
        arrivals = list(zip(times, rng.integers(2, size=count).tolist(), rng.geometric(0.1, count).tolist()))
        other = np.mean([window_ratios(arrivals, lottery_jobs((1, 3), arrivals, 40_000, rng)).var() for _ in range(3)])
        if not wrong:
            _, ends = proportional.time_function_jobs((1.0, 3.0), arrivals, 40_000)
        coming.append(0.0 if wrong else 1 - window_ratios(arrivals, ends).var() / other)
    names = [f"slopes {':'.join(map(str, slopes))}, {jobs} jobs" for slopes, jobs in SYSTEMS]
    return conclude(
        at_each("the lottery's deviation of the share so far, less that of time functions,",
                measured(nearer, half, risk=None, system=names, window=LENGTHS), larger()),
        at_each("the part by which the variance of the ratio is lower", exact(gains, system=names), at_least(CLEAR)),
        at_each("that with jobs that come and go", exact(coming, load=loads), at_least(CLEAR)),
    )  # fmt: skip
