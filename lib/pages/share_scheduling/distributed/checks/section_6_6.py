"""Claims of `thesis`, Section 6.6: what others had found."""

import functools
import itertools
from dataclasses import replace

import numpy as np

from clustershare import routing
from compendium.press import clauses
from compendium.press.clauses import aside, at_each, conclude, everywhere, exact, fact, grid, mostly, somewhere
from compendium.press.clauses.conditions import agrees, at_most, between, equal, larger, smaller
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.distributed.points.limits import from_which_on
from pages.share_scheduling.distributed.points.network_times import (
    BUSY_CHANNEL,
    CROWDS,
    USUAL_PROBE,
    brought,
    crowds,
    on_slow_channel,
)
from pages.share_scheduling.distributed.points.predecessors import (
    COMBINATIONS,
    LOCAL,
    NAMES,
    deviation,
    fall,
    mean,
    settled,
)
from pages.share_scheduling.distributed.points.stored import LOSS, UTILISATION, as_it_stands, beside
from pages.share_scheduling.distributed.witnesses.threshold import DISCIPLINES, POLICIES, response_times
from pages.share_scheduling.distributed.witnesses.threshold_paths import simulated

LOADS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
ALONE = exact([1 / (1 - load) for load in LOADS], load=LOADS)  # the mean response time if no job is moved
SOME, SEVERAL = (1, 2, 3, 5), (2, 3, 5, 10)  # probe limits
FREE_OR_NOT = (0.0, 0.05)
COSTS = (0.0, 0.01, 0.02, 0.05, 0.25, 0.3, 0.4, 0.5)
GAIN = "the mean response time without transfers, less that of"
PROMISING = (("D-HP", "GPPS"), ("Nice", "GPPS"))
CALLED = {key: f"{NAMES[key[0]]} with {key[1]}" for key in COMBINATIONS}
OTHERS = tuple(name for key, name in CALLED.items() if key not in PROMISING)


@check("thesis-6-133", moved=False)
def little_information(moved=True):
    """The threshold policy against no transfers and one line; in the control jobs are sent anywhere by chance."""

    def time(load, T, limit):
        return routing.transfer_response_time("Threshold", load, T, limit) if moved else 1 / (1 - load)

    thresholds, limits = (1, 2, 3), (1, 2, 3, 4, 5)
    times = grid(load=LOADS, threshold=thresholds, limit=limits).measure(time)
    best = times.smallest("threshold")
    one_line = exact(np.ones(len(LOADS)), load=LOADS)  # nobody waits
    return conclude(
        at_each(f"{GAIN} the threshold policy,", ALONE - times, larger("clear")),
        at_each("its mean response time, less that of one line for all,", times - one_line, at_most("close")),
        aside("with the best threshold, the limit from which on the second is so, infinite if never,",
              from_which_on(best - one_line, at_most("close"))),
        aside("with the best threshold, at how many points the first is so", holding(ALONE - best, larger("clear"))),
        aside("at how many of them the second is so", holding(best - one_line, at_most("close"))),
        aside("at how many of them both are so",
              holding(ALONE - best, larger("clear"), best - one_line, at_most("close"))),
        provided=[sender_of_the_library(exact(
            [response_times("Sender", np.array(LOADS)[:, None], T, limits) for T in thresholds],
            threshold=thresholds, load=LOADS, limit=limits,
        ))] if moved else [],
    )  # fmt: skip


def holding(*pairs):
    """At how many places conditions hold of points: of each, its condition."""
    truths = [condition.inside(points, 1.0, 1.0) for points, condition in zip(pairs[::2], pairs[1::2])]
    return exact(np.sum(np.all(truths, axis=0)))


@functools.cache
def by_policy(moved):
    """Mean response times by cost, threshold, load and limit: dict of Points."""
    axes = {"cost": FREE_OR_NOT, "threshold": (1, 2), "load": LOADS, "limit": SOME}
    shape = tuple(map(len, axes.values()))
    if not moved:
        return {policy: exact(np.broadcast_to(ALONE.value[:, None], shape), **axes) for policy in POLICIES}
    loads = np.array(LOADS)[:, None]
    return {
        policy: exact([[response_times(policy, loads, T, SOME, cost) for T in (1, 2)] for cost in FREE_OR_NOT],
                      **axes)
        for policy in POLICIES
    }  # fmt: skip


@functools.cache
def from_simulation():
    """Simulations of a hundred processors, less the fixed points, as Points by policy."""

    def gap(policy, cost, T, load, limit):
        found = simulated(policy, load, T, limit, cost, time=100.0)
        return clauses.measured(found.value, found.half_width, runs=10) - float(
            by_policy(True)[policy].at(cost=cost, threshold=T, load=load, limit=limit).value
        )

    return grid(policy=POLICIES, cost=FREE_OR_NOT, threshold=(1, 2), load=(0.3, 0.8), limit=SOME).measure(gap)


def sender_of_the_library(found):
    """A clause: Sender's mean response times without costs, by threshold, load and limit, are the library's.

    The fixed points here are found but for 1e-9, of which some queues at high load make thirty times as much.
    """
    axes = dict(found.axes)
    known = grid(**{noun: axes[noun] for noun in ("threshold", "load", "limit")}).measure(
        lambda T, load, limit: routing.transfer_response_time("Threshold", load, T, limit)
    )
    return everywhere("without costs, the response time of Sender and the library's, relative to this,",
                      exact(found.value / known.value - 1, **axes), equal(1e-6))  # fmt: skip


@check("thesis-6-134", moved=False)
def three_policies(moved=True):
    """Sender, Receiver and Reservation; in the control no job is moved."""
    times = by_policy(moved)
    gain = {policy: ALONE - found for policy, found in times.items()}
    better = beside("policy", {name: as_it_stands(gain[name]) for name in ("Sender", "Receiver")}).largest("policy")
    apart = as_it_stands(times["Receiver"] - times["Sender"])
    crossing = {(T, limit): _crossing(apart.at(cost=0.0, threshold=T, limit=limit).value)
                for T in (1, 2) for limit in SOME}  # fmt: skip
    return conclude(
        *(at_each(f"{GAIN} {name},", gain[name], larger("clear")) for name in ("Sender", "Receiver")),
        at_each("the gain of Reservation, less half of the better one's,", as_it_stands(gain["Reservation"])
                - better.scaled(0.5), smaller()),
        at_each("up to load 0.3, the response time of Receiver, less that of Sender,", apart.at(load=LOADS[:3]),
                larger()),
        at_each("from load 0.7 on, that difference", apart.at(load=LOADS[6:]), smaller()),
        aside("without costs, from which load on Receiver is the better one, infinite if never,",
              exact(list(crossing.values()), setting=[f"T = {T}, limit {limit}" for T, limit in crossing])),
        provided=[everywhere("a hundred simulated processors, less the fixed point,", from_simulation(), agrees()),
                  sender_of_the_library(times["Sender"].at(cost=0.0))] if moved else [],
    )  # fmt: skip


def _crossing(apart):
    """From which load on the other one is better; nan if never."""
    last = np.flatnonzero(apart > 0)
    return LOADS[0] if not len(last) else np.inf if last[-1] == len(LOADS) - 1 else LOADS[last[-1] + 1]


@check("thesis-6-135", limits=(0, 2))
def limits_and_thresholds(limits=SEVERAL):
    """Sender and Receiver by probe limit and threshold, and how soon the number of processors does not matter."""
    axes = {"policy": POLICIES[:2], "cost": FREE_OR_NOT, "threshold": range(1, 6), "load": LOADS, "limit": (1, *limits)}
    every = exact([[[response_times(policy, np.array(LOADS)[:, None], T, (1, *limits), cost) for T in range(1, 6)]
                    for cost in FREE_OR_NOT] for policy in POLICIES[:2]], **axes)  # fmt: skip
    times = every.at(limit=limits)

    spread = times.largest("limit") - times.smallest("limit")
    small, best = times.at(threshold=(1, 2)), times.smallest("threshold")
    near = small.value - best.value[:, :, None] <= SCALE["close"].most * small.value
    good = (small.smallest("threshold").value <= best.value) | near.all(axis=2)

    def away(P, policy, T):
        return abs(simulated(policy, 0.8, T, 3, processors=P, time=100.0).value / response_times(policy, 0.8, T, 3) - 1)

    gaps = grid(number_of_processors=(20, 100, 500), policy=POLICIES[:2], threshold=(1, 2)).measure(away)
    parts = [("the spread of the mean response time over the limits", spread, at_most("comparable")),
             ("T = 1 or 2 is best, or both are close to it", exact(good, **dict(best.axes)))]  # fmt: skip
    return conclude(
        *itertools.starmap(at_each, parts),
        aside("how far these many processors are from the fixed points", gaps),
        aside("at how many points the first is so with limit 1 too",
              holding(every.largest("limit") - every.smallest("limit"), at_most("comparable"))),
        provided=[
            *itertools.starmap(mostly, parts),
            everywhere("how far 500 processors are from the fixed points, in parts of these,",
                       gaps.at(number_of_processors=500), at_most("close")),
            everywhere("and less how far 20 are,",
                       gaps.at(number_of_processors=500) - gaps.at(number_of_processors=20), smaller()),
            sender_of_the_library(every.at(policy="Sender", cost=0.0, limit=tuple(filter(None, (1, *limits))))),
        ],
    )  # fmt: skip


@check("thesis-6-136", counted=False)
def costs_of_transfers(counted=True):
    """Mean response times against the cost of a transfer; in the control it costs nothing."""
    loads, costs = LOADS[:9], np.array(COSTS) * counted
    axes = {"discipline": DISCIPLINES, "policy": POLICIES[:2], "threshold": (1, 2), "load": loads, "cost": COSTS}
    times = exact([[[response_times(policy, np.array(loads)[:, None], T, 3, costs, discipline) for T in (1, 2)]
                    for policy in POLICIES[:2]] for discipline in DISCIPLINES], **axes)  # fmt: skip
    low = times.at(cost=COSTS[1:4]) - times.at(cost=0.0)
    first, then = (as_it_stands(times.at(cost=b) - times.at(cost=a)) for a, b in ((0.0, 0.25), (0.25, 0.5)))
    steps = as_it_stands(times.at(cost=COSTS[4:]).steps("cost")).smallest("step")
    steep = beside("part", {"least step": steps, "less twice": as_it_stands(then - first.scaled(2))})
    own, waits = ({"discipline": discipline} for discipline in DISCIPLINES)
    free = times.at(**own, policy="Sender", cost=0.0)
    parts = [("what costs up to 0.05 add to the mean response time", low, at_most("practically equal"), "cost"),
             ("what each step beyond 0.25 adds, and all of them less twice what costs up to 0.25 add,", steep,
              larger(), "part")]  # fmt: skip
    return conclude(
        *(at_each(text, found.at(**own), bound, every=noun) for text, found, bound, noun in parts),
        *(aside(f"{text} if a transfer waits for a job in service", found.at(**waits)) for text, found, _, _ in parts),
        aside("at how many points costs up to 0.05 add a small part at most",
              exact(np.sum(at_most("close").inside(low.at(**own), 1.0, 1.0).all(axis=-1)))),
        provided=[
            fact("each of them somewhere", all(
                at_each(text, found.at(**own), bound, every=noun).found(1.0)[0].any()
                for text, found, bound, noun in parts
            ), "one of them nowhere"),
            sender_of_the_library(exact(free.value[..., None], **dict(free.axes), limit=(3,))),
        ],
    )  # fmt: skip


@check("thesis-6-137", exchange=False)
def more_exchange(exchange=True):
    """A channel that knowledge fills; in the control messages take the usual time, and few are asked, not all."""
    time = BUSY_CHANNEL if exchange else USUAL_PROBE
    quick, slow = on_slow_channel(USUAL_PROBE, LOSS), on_slow_channel(time, LOSS)
    least = slow.axes[0][1][int(slow.value.argmin())]
    falls, rises_again = (_is_more(*pair, 4) for pair in ((quick.at(limit=1), quick.at(limit=9)),
                                                         (slow.at(limit=9), slow.at(limit=least))))  # fmt: skip
    traffic = exact(crowds(exchange, "messages").value / crowds(False, "messages").value, number_of_processors=CROWDS)
    considerable = not (traffic.value < 1 + SCALE["clear"].least).any()
    busy, work = on_slow_channel(time, UTILISATION), brought(functools.partial(on_slow_channel, time), time)
    inside, earlier, told = [], [], []
    for name, word in {LOSS: "the loss", "jobs": "the jobs at a processor"}.items():
        every, few = (crowds(asked and exchange, name) for asked in (True, False))
        at, later = (CROWDS[int(each.value.argmin())] for each in (every, few))
        ends = [_is_more(*(every.at(number_of_processors=P) for P in (end, at)), 8) for end in (CROWDS[0], CROWDS[-1])]
        turns = _turns_once(every.value) and all(ends)
        first = later > at and _is_more(*(each.at(number_of_processors=CROWDS[-1]) for each in (every, few)), 4)
        inside.append(fact(f"by {word}, more processors improve it up to a point, and then worsen it", turns,
                           f"by {word}, more processors do not improve it up to a point alone"))  # fmt: skip
        earlier.append(fact(f"by {word}, who exchanges most turns first, and is surpassed then", first and considerable,
                            f"by {word}, who exchanges most does not turn first to be surpassed"))  # fmt: skip
        told += [aside(f"{word} with all asked", every), aside(f"{word} with two asked", few)]
        if name == "jobs":  # at least the load of a processor, at most what it has by itself
            possible = [everywhere(word, each.where(np.isfinite(each.value), "overloaded"), between(0.8, 4))
                        for each in (every, few)]  # fmt: skip
    return conclude(
        fact("with a larger limit performance improves up to a point, and then worsens",
             falls and rises_again and _turns_once(slow.value),
             "a larger limit does not improve it up to a point alone"),
        *inside, *earlier,
        aside("the loss on the slow channel", slow), aside("the loss on the usual one", quick), *told,
        provided=[everywhere("the utilisation of the slow channel, less the work brought,", busy.less(work, np.add),
                             agrees()), *possible],
    )  # fmt: skip


def _is_more(one, other, number):
    """Whether one value is above another beyond the joint intervals; what is overloaded is."""
    if np.isinf(one.value):
        return bool(np.isfinite(other.value))
    return bool((one - other).low(one.widened(number)) > 0)


def _turns_once(values):
    """Whether values fall from each to the next, up to their least, and rise beyond it; what is overloaded is above."""
    at, steps = int(np.argmin(values)), np.diff(np.nan_to_num(values, posinf=np.finfo(float).max))
    return 0 < at < len(values) - 1 and bool((steps[:at] < 0).all() and (steps[at:] > 0).all())


@check("thesis-6-138", exchanged=True)
def most_promising(exchanged=False):
    """The ranking of the six combinations by mean Delta^G; in the control each has the other local policy's points."""
    points = {
        CALLED[policy, local]: deviation(policy, LOCAL[1 - LOCAL.index(local)] if exchanged else local)
        for policy, local in COMBINATIONS
    }
    two = tuple(CALLED[key] for key in PROMISING)
    means = beside("policy", {name: mean(found) for name, found in points.items()})
    others = replace(means.at(policy=OTHERS), axes=(("other policy", OTHERS),))
    more = others - means.at(policy=two)
    every = np.array([found.value for found in points.values()])
    first = np.array([name in two for name in points])[every.argsort(axis=0)[:2]].all(axis=0)
    stays = np.all([settled(*key) for key in COMBINATIONS], axis=0)
    return conclude(
        at_each("the mean deviation of another combination, less that of one of the two,", more, larger(),
                every="other policy"),
        somewhere("the two are the first two", exact(first, **dict(points[two[0]].axes))),
        aside("the mean deviation", means),
        aside("that of Nice with bare sums and GPPS", mean(deviation("Nice", "GPPS", "bare sums"))),
        aside(f"at how many of the {stays.sum()} points where all are in equilibrium they are the first two",
              exact(first[stays].sum())),
        aside("the mean deviation there", exact(every[:, stays].mean(axis=1), policy=tuple(points))),
    )  # fmt: skip


@check("thesis-6-139", reading="bare sums")
def needs_to_ask_half(reading=None):
    """What asking fewer than half costs Nice and Distributed HP; in the control the estimate of Nice is a bare sum."""
    less, other = fall(deviation("D-HP", "GPPS")), None if reading else "bare sums"
    worse = fall(deviation("Nice", "GPPS", reading))
    return conclude(
        at_each("what asking fewer than half adds to the deviation of Nice", worse, larger("clear")),
        at_each("half of that, less what it adds to Distributed HP's,", worse.scaled(0.5) - less.distance(), larger()),
        aside("what it adds to Distributed HP's", less),
        aside(
            f"what it adds to Nice's with {'bare' if other else 'scaled'} sums", fall(deviation("Nice", "GPPS", other))
        ),
        together="case",
    )
