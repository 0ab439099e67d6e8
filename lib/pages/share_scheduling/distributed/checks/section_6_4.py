"""Claims of `thesis`, Section 6.4: when processors ask, and what they remember."""

from collections import Counter
from fractions import Fraction

import numpy as np

from compendium.press import clauses
from compendium.press.clauses import aside, at_each, besides, cases, conclude, everywhere, exact, fact, somewhere
from compendium.press.clauses.conditions import agrees, at_most, between, larger
from compendium.press.findings import check
from pages.share_scheduling.distributed.points import periodic, readings
from pages.share_scheduling.distributed.points.limits import five
from pages.share_scheduling.distributed.points.network_times import USUAL_PROBE, by_probe_time
from pages.share_scheduling.distributed.points.readings import SLOW_PROBES, at_limits, no_matter, slow_probes
from pages.share_scheduling.distributed.points.stored import DEVIATION, REPLIES, REQUESTS, WORDS, beside
from pages.share_scheduling.distributed.systems import LIMITS, POLICIES
from pages.share_scheduling.distributed.witnesses import recorded
from pages.share_scheduling.distributed.witnesses.parts import REPLY, REQUEST, Setting

NUMBER_OF_PERIODS = 100_000
NONE, SOME = between(0, 0), LIMITS[1:]
FEW = 150  # events of a path
ENDS = (periodic.ALL[0], periodic.ALL[-1])


def asks_nobody(path):
    """On a path: what was sent to probe, and the decisions that are missing or not at once."""
    sent = [event.message.kind for event in path.events if event.what == "sends"]
    moved = [event.time for event in path.events if event.what in ("arrives", "departs")]
    decided = [event.time for event in path.events if event.what in ("places", "rebalances")]
    late = sum(abs(one - other) > 1e-12 for one, other in zip(moved, decided))
    return {"sent": sent.count(REQUEST) + sent.count(REPLY), "late": late + abs(len(moved) - len(decided))}


@check("thesis-6-113", changed=("first reply",))
def waits_for_all(changed=()):
    """Decisions on paths with on-demand probing, and with nobody to ask; in the control the first reply decides."""
    at_once = [path for policy in POLICIES for path in recorded.paths(policy, (False,), FEW, limits=(0,))]
    nobody, waits = cases("path with limit 0", at_once).measure(asks_nobody), five("wait").scaled(1 / USUAL_PROBE)
    found = Counter()
    for path in (path for policy in POLICIES for path in recorded.paths(policy, (False,), changed=changed)):
        setting, crossing = path.setting, [event.message for event in path.events if event.what == "sends"]
        alone = (1 + setting.limit) * setting.probe_time
        for event in path.events:
            found["events"] += event.what in ("arrives", "departs")
            if event.what == "probes":
                others = event.probing.others
                found["probings"] += 1
                found["wrong"] += len(set(others)) != setting.limit or len(others) != setting.limit
                found["wrong"] += event.processor in others
            elif event.what in ("places", "rebalances"):
                probing, delay = event.probing, event.time - event.probing.began
                disturbed = any(
                    message.probing is not probing
                    and message.started < event.time
                    and not message.ended <= probing.began
                    for message in crossing
                )
                found["early"] += len(event.known) < setting.limit
                found["late"] += delay < alone - 1e-12 or not disturbed and abs(delay - alone) > 1e-12
                found["quiet"] += not disturbed
    return conclude(
        everywhere("the probings, less arrivals and departures,", exact(found["probings"] - found["events"]), NONE),
        everywhere("the number of sets that are not of the limit", exact(found["wrong"]), NONE),
        everywhere("that of decisions before the last reply", exact(found["early"]), NONE),
        everywhere("that of delays that are not as stated", exact(found["late"]), NONE),
        everywhere("that of probings alone on the network", exact(found["quiet"]), larger()),
        everywhere("the number of requests and replies", nobody["sent"], NONE),
        everywhere("that of decisions that are not at once", nobody["late"], NONE),
        everywhere("in the runs, the mean wait with nobody asked, in message times,", waits.at(limit=0), NONE),
        everywhere("the mean wait, in parts of that for a request and its replies, less 1,",
                   waits.at(limit=SOME).scaled(1 / (1 + np.array(SOME))) - 1.0, between(0, 0.05)),
        recorded.taken([path for policy in POLICIES for path in recorded.paths(policy, (False,))] + at_once),
        aside("probings", exact(found["probings"])),
        whole=True,
    )  # fmt: skip


@check("thesis-6-114", exponential=True)
def uniform_periods(exponential=False):
    """The periods of the stream, and requests of stored rows; in the control periods are exponential."""

    def parts(mean):
        found = recorded.periods(mean, NUMBER_OF_PERIODS) / mean
        if exponential:
            found = np.random.default_rng(114).standard_exponential(NUMBER_OF_PERIODS)
        known, fourth = 1 / 300, 1 / 50_000
        errors = np.sqrt(np.array([known, fourth - known**2]) / NUMBER_OF_PERIODS)
        return {"inside": 0.9 <= found.min() and found.max() <= 1.1,
                "moments": clauses.measured([found.mean() - 1, found.var() - known], 1.96 * errors, risk=None,
                                            moment=("mean", "variance"))}  # fmt: skip

    found = cases("mean period", (0.1, 0.625, 10.0)).measure(parts)
    return conclude(
        everywhere("all periods are between 0.9 and 1.1 of the mean", found["inside"]),
        everywhere("mean and variance, less those of uniform ones, in mean periods,", found["moments"], agrees()),
        everywhere("the requests per unit of time, less P over the mean period,",
                   periodic.sent() - periodic.requests(), agrees()),
        everywhere("the replies, less the limit times that,",
                   periodic.sent(REPLIES) - periodic.LIMIT * periodic.requests(), agrees()),
        whole=True,
    )  # fmt: skip


@check("thesis-6-116", on_demand=True)
def nobody_waits(on_demand=False):
    """Waits on paths, and messages at other loads; the control probes on demand."""
    paths = [path for policy in POLICIES for path in recorded.paths(policy, (not on_demand,))]
    waited = [wait for path in paths for wait in recorded.waits(path)]
    waits = periodic.by_period("wait").scaled(1 / USUAL_PROBE)
    return conclude(
        everywhere(f"the longest wait of {len(waited)} jobs for information", exact(max(waited)), NONE),
        recorded.taken(paths),
        everywhere("the mean wait in figures, in message times,", waits, NONE),
        everywhere("the mean wait at six loads, in message times,",
                   periodic.at_loads("wait").scaled(1 / USUAL_PROBE), NONE),
        *(everywhere(f"the {word} per unit of time at six loads, less P over the period, {times} times,",
                     periodic.at_loads("traffic", index=kind) - 16.0 * times, agrees())
          for word, kind, times in (("requests", REQUESTS, 1), ("replies", REPLIES, periodic.LIMIT))),
        *(everywhere(f"the {word} in figures, less it,", periodic.sent(kind) - times * periodic.requests(), agrees())
          for word, kind, times in (("requests", REQUESTS, 1), ("replies", REPLIES, periodic.LIMIT))),
        whole=True,
    )  # fmt: skip


def _records_due(p, asked, known):
    """What a processor must remember of a migration that it asks for: of whom, and by how much."""
    if asked is None:
        return []
    due = [(p, asked.source, -1)] if any(known.get(asked.source, ())) else []
    return due + ([(p, asked.target, 1)] if asked.target in known else [])


@check("thesis-6-112", changed=("replies only",))
def own_decisions_count(changed=()):
    """Every change of a record on paths with periodic probing; in the control decisions change none."""
    found, paths = Counter(), [path for policy in POLICIES for path in recorded.paths(policy, (True,), changed=changed)]
    for path in paths:
        P = path.setting.processors
        records, by = [{} for _ in range(P)], [{} for _ in range(P)]
        due, answered = [], {}
        for event in path.events:
            p = event.processor
            if event.what == "records":
                other, before, row, why = event.other
                found[why] += 1
                found["unasked"] += why not in ("reply", "decision")
                if why == "reply":
                    new = answered[p]
                    for old in [k for k, probing in by[p].items() if probing is not new]:
                        del by[p][old], records[p][old]
                    by[p][other] = new
                else:
                    change = [b - a for a, b in zip(before, row)]
                    found["wrong"] += sorted(map(abs, change)) != [0] * (len(row) - 1) + [1]
                    if (p, other, sum(change)) in due:
                        due.remove((p, other, sum(change)))
                    else:
                        found["unasked"] += 1
                records[p][other] = row
            elif event.what == "receives" and event.message.kind == "probe reply":
                answered[p] = event.message.probing
            elif event.what == "places":
                found["missing"] += len(due)
                due = [(p, event.other, 1)] if event.other in event.known else []
            elif event.what in ("rebalances", "sends away"):
                found["missing"] += len(due)
                due = _records_due(p, event.other, records[p])
        found["wrong"] += records != path.records
    return conclude(
        everywhere("the number of changes of a record without a cause", exact(found["unasked"]), NONE),
        everywhere("that of decisions without a change", exact(found["missing"]), NONE),
        everywhere("that of wrong changes", exact(found["wrong"]), NONE),
        everywhere("that of changes by decisions", exact(found["decision"]), larger()),
        recorded.taken(paths),
        aside("that of changes by replies", exact(found["reply"])),
        *(aside(f"if replies only did, how {word} changes", readings.at_periods("replies only", quantity).distance())
          for quantity, word in WORDS.items()),
        whole=True,
    )  # fmt: skip


@check("thesis-6-115", random=True)
def constant_periods(random=False):
    """Jobs that meet at a processor known as idle, and the deviation; in the control periods are not constant."""
    constant, more, phases = (0.1 if random else 0.0, "together"), {}, {}
    for word, quantity in (("such placements", "collisions"), ("the deviation", DEVIATION)):
        found = periodic.kinds_of_period(quantity)
        more[word], phases[word] = (found[kind] - found[0.1, "random"] for kind in (constant, (0.0, "random")))
    both = beside("measure", more)
    told = both.low(both.widened(both.asked)) > 0
    return conclude(
        *(fact(f"constant periods add to {word} at half of the periods or more", row.mean() >= 0.5,
               f"constant periods do not add to {word} at half of the periods") for word, row in zip(more, told)),
        somewhere("what they add", both, larger()),
        *(aside(f"what they add to {word}", each) for word, each in more.items()),
        *(aside(f"with random phases, what constant periods add to {word}", each) for word, each in phases.items()),
    )  # fmt: skip


@check("thesis-6-117", periods=(0.05, 0.1))
def less_traffic(periods=periodic.ALL):
    """Pairs of periodic and on-demand probing of comparable performance; the control has short periods only."""
    limits = LIMITS[1:]
    worse = periodic.by_period(DEVIATION, periods) - periodic.on_demand(DEVIATION, limits)
    less = periodic.messages(periods)[:, None] < periodic.messages_on_demand(limits)
    best = exact(np.where(less, worse.value, np.inf).min(axis=(1, 2)), policy=POLICIES)
    sent = {"with periods": (lambda kind: periodic.sent(kind, periods), periodic.messages(periods)),
            "on demand": (lambda kind: periodic.on_demand("traffic", limits, kind),
                          periodic.messages_on_demand(limits))}  # fmt: skip
    beaten = (less & (worse.high(worse.widened(worse.asked)) < 0)).any(axis=1).sum(axis=1)
    added = "the least that periods with less traffic add to the deviation on demand"
    return conclude(
        at_each(added, best, at_most("comparable")),
        *(besides(added, best, at_most(word)) for word in ("close", "very close")),
        aside(f"of {len(limits)} limits on demand, those beaten with less traffic", exact(beaten, policy=POLICIES)),
        provided=[
            everywhere(f"the requests and replies sent {way}, less what they must be,",
                       of_kind(REQUESTS).less(-of_kind(REPLIES), np.add) - known, agrees())
            for way, (of_kind, known) in sent.items()
        ],
    )  # fmt: skip


def stale_on_path(policy, jumps, period=0.5, parts=50):
    """The part of the decisions that rest on stale information, on a path of the plain event loop."""
    setting = Setting(policy, (Fraction(1, 2),) * 2, (0.4, 0.4), 10, periodic.LIMIT, period=period)
    events = [event for event in recorded.path(setting, jumps).events if event.what in ("places", "rebalances")]
    stale = [any(event.known[p] != event.there[p] for p in event.known) for event in events[len(events) // 10 :]]
    means = np.array(stale[: len(stale) // parts * parts]).reshape(parts, -1).mean(axis=1)
    return clauses.measured(means.mean(), 3 * means.std(ddof=1) / np.sqrt(parts), risk=None)


@check("thesis-6-118", on_demand=True)
def mostly_stale(on_demand=False):
    """The part of the decisions that rest on what is no longer so; the control probes on demand."""
    found = counted = periodic.by_period("stale_decisions")
    if on_demand:
        found = periodic.on_demand("stale_decisions").at(limit=3) - exact(
            np.zeros(len(periodic.ALL)), mean_period=periodic.ALL
        )
    told = found.low(found.widened(found.asked)) > 0.5
    bad = periodic.by_period(DEVIATION).value > 0.05
    return conclude(
        at_each("the part of the decisions that rest on stale information", found, larger(0.5)),
        aside("the mean period from which on it is more than half",
              exact([min((period for k, period in enumerate(periodic.ALL) if row[k:].all()), default=np.inf)
                     for row in told], policy=POLICIES)),
        aside("the part with which a deviation above 0.05 comes first",
              exact([row[k] for row, k in zip(found.value, bad.argmax(axis=1))], policy=POLICIES)),
        *(aside(f"the part at a mean period of {period:g}", found.at(mean_period=period)) for period in ENDS),
        provided=[everywhere(f"at a mean period of 0.5, that under {policy}, less that on a path of the plain loop,",
                             counted.at(policy=policy, mean_period=0.5).less(stale_on_path(policy, jumps), np.hypot),
                             agrees()) for policy, jumps in zip(POLICIES, (60_000, 20_000, 20_000, 20_000))],
    )  # fmt: skip


@check("thesis-6-054", nobody=True)
def in_the_meantime(nobody=False):
    """The state after a departure, or that when replies are in; the control asks nobody in place of the first."""
    found = {
        "on the usual network": lambda quantity: at_limits("state at departure", quantity),
        "with slow messages": slow_probes,
    }
    part = by_probe_time("changed_meanwhile", (1e-6, *SLOW_PROBES))
    return conclude(*no_matter(found, nobody), aside("the part of the departures at which the two differ",
                                                     part.largest("policy")))  # fmt: skip
