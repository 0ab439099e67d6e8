"""Claims of `thesis`, Sections 6.2 and 6.4, on recorded paths: where jobs are, who is asked, what is remembered."""

from collections import Counter
from fractions import Fraction

import numpy as np

from compendium.press import clauses
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, fact, somewhere
from compendium.press.clauses.conditions import agrees, at_least, at_most, between, equal, larger
from compendium.press.findings import check
from pages.share_scheduling.distributed.points import periodic, readings
from pages.share_scheduling.distributed.points.stored import DEVIATION, REPLIES, REQUESTS, WORDS, beside
from pages.share_scheduling.distributed.printed.rules import whole_parts
from pages.share_scheduling.distributed.systems import LIMITS, POLICIES
from pages.share_scheduling.distributed.witnesses import recorded
from pages.share_scheduling.distributed.witnesses.event_loop import PrintedNetwork
from pages.share_scheduling.distributed.witnesses.parts import MIGRATION, PLACEMENT, Setting

NUMBER_OF_PERIODS = 100_000
NONE = between(0, 0)
ENDS = (periodic.ALL[0], periodic.ALL[-1])


def sampled(value, half, **axes):
    """Counts of paths, with the half widths of the normal law."""
    return clauses.measured(value, half, runs=10**6, **axes)


class Walk:
    """Where each job is, from the events of a path alone."""

    def __init__(self, network):
        self.network, self.at, self.group, self.faults = network, {}, {}, 0
        self.seen, parts = 0, whole_parts(network.setting.shares, network.setting.processors)
        own = network.setting.policy == "SVP"
        self.weights = [  # of GPPS: a group's own part of a processor under SVP (5.14), else what it requires
            [float(row[p] or share) if own else float(share) for row, share in zip(parts, network.setting.shares)]
            for p in range(network.setting.processors)
        ]

    def follow(self):
        """Take in what has happened since."""
        for event in self.network.events[self.seen :]:
            job, p = event.job, event.processor
            if event.what == "arrives":
                self._move(job.number, (None,), ("schedule", p))
                self.group[job.number] = job.group
            elif event.what == "places":
                self._move(job.number, ("schedule",), ("decided", event.other))
            elif event.what == "grants":
                self._move(job.number, ("queue",), ("decided", None))
            elif event.what == "sends" and job is not None:
                self._move(job.number, ("decided",), ("network", None))
            elif event.what == "joins":
                self._move(job.number, ("decided", "network"), ("queue", p))
            elif event.what == "departs":
                self._move(job.number, ("queue",), (None, None))
        self.seen = len(self.network.events)

    def _move(self, number, allowed, to):
        self.faults += self.at.get(number, (None,))[0] not in allowed
        self.at[number] = to

    def there(self, p):
        """The numbers of jobs by group in a server queue."""
        found = [0] * len(self.network.setting.shares)
        for number, place in self.at.items():
            found[self.group[number]] += place == ("queue", p)
        return tuple(found)

    def levels(self, network_counts=True):
        """f^T and o^T, then f_g, o_g and the number of each group, from the list of all jobs and their places."""
        setting = self.network.setting
        P, required = setting.processors, [float(share) for share in setting.shares]
        counted = [n for n, (where, _) in self.at.items() if where and (network_counts or where != "network")]
        numbers = [sum(self.group[n] == g for n in counted) for g in range(len(required))]
        obtained = [0.0] * len(required)
        for p in range(P):
            present = [g for g, count in enumerate(self.there(p)) if count]
            for g in present:
                obtained[g] += self.weights[p][g] / sum(self.weights[p][h] for h in present) / P
        found = [min(sum(numbers), P) / P, sum(obtained)]
        for share, number, served in zip(required, numbers, obtained):
            found += [min(share, number / P), served, number]
        return found


SETTINGS = [setting for policy in POLICIES for setting in recorded.settings(policy)]


def walked(setting, network_counts):
    """A path step by step beside its walk: faults, gaps, and the sizes of migrations."""
    network = PrintedNetwork(setting, np.random.default_rng([109, setting.limit]))
    walk, total, level = Walk(network), 0.0, np.array(Walk(network).levels())
    worst, lost, number = 0.0, 0.0, 0
    while len(network.events) < recorded.OF_A_POLICY // 24:
        then = network.now
        network.step()
        total = total + level * (network.now - then)
        walk.follow()
        level = np.array(walk.levels(network_counts))
        worst = max(worst, np.abs(level - network.levels()).max())
        lost, number = min(lost, level[0] - level[1]), number + 1
    sent = [event.message for event in network.events if event.what == "sends"]
    gone = sum(event.what == "places" and event.other != event.processor for event in network.events)
    sizes = [message.size / setting.migration_time for message in sent if message.kind == MIGRATION]
    return {
        "shares": worst, "sums": np.abs(total - network.integrals).max(), "faults": walk.faults, "lost": lost,
        "steps": number, "unsent": gone - sum(message.kind == PLACEMENT for message in sent),
        "alike": recorded.kinds(network)[1], "sizes": len(sizes), "sum": sum(sizes), "squares": sum(np.square(sizes)),
    }  # fmt: skip


@check("thesis-6-109", network_counts=False)
def where_jobs_count(network_counts=True):
    """Shares from the list of all jobs at every event; in the control those on the network do not count."""
    found = cases("path", SETTINGS).measure(lambda setting: walked(setting, network_counts))
    number, total, squares = (float(found[name].value.sum()) for name in ("sizes", "sum", "squares"))
    return conclude(
        everywhere("the shares from the list of jobs and those of the path", found["shares"], equal(1e-12)),
        everywhere("their sums over time", found["sums"], equal(1e-9)),
        everywhere("how often a job is not in one place", found["faults"], NONE),
        everywhere("the feasible capacity less that used", found["lost"], at_least(0)),
        everywhere("the placements elsewhere, less the messages for them,", found["unsent"], NONE),
        everywhere("all other messages take the constant time", found["alike"]),
        everywhere("the mean of the times of migrations, in mean times, less 1,",
                   sampled(total / number - 1, 1.96 / np.sqrt(number)), agrees()),
        everywhere("their coefficient of variation",
                   exact(np.sqrt(squares / number - (total / number) ** 2) * number / total), between(0.8, 1.2)),
        aside("steps", exact(found["steps"].value.sum())), aside("migrations", exact(number)),
        whole=True,
    )  # fmt: skip


@check("thesis-6-113", changed=("first reply",))
def waits_for_all(changed=()):
    """Probings and decisions on paths with on-demand probing; in the control the first reply decides."""
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
        whole=True,
    )  # fmt: skip


@check("thesis-6-116", on_demand=True)
def nobody_waits(on_demand=False):
    """Waits on paths, and messages at other loads; the control probes on demand."""
    waited = [
        wait
        for policy in POLICIES
        for path in recorded.paths(policy, (not on_demand,))
        for wait in recorded.waits(path)
    ]
    return conclude(
        everywhere(f"the longest wait of {len(waited)} jobs for information", exact(max(waited)), NONE),
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
    found = Counter()
    for path in (path for policy in POLICIES for path in recorded.paths(policy, (True,), changed=changed)):
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
        aside("that of changes by replies", exact(found["reply"])),
        *(aside(f"if replies only did, how {word} changes", readings.at_periods("replies only", quantity).distance())
          for quantity, word in WORDS.items()),
        whole=True,
    )  # fmt: skip


@check("thesis-6-108", uninformed=True)
def always_granted(uninformed=False):
    """Requests on paths, and what it changes if the rule must still hold; in the control nobody is asked."""
    found, centred, variance = Counter(), 0.0, 0.0
    for setting in SETTINGS:
        network = PrintedNetwork(setting, np.random.default_rng([108, setting.limit]))
        walk = Walk(network)
        while len(network.events) < recorded.OF_A_POLICY // 24:
            begun, there = len(network.events), [walk.there(p) for p in range(setting.processors)]
            network.step()
            for event in network.events[begun:]:
                if event.message is None or event.what not in ("grants", "refuses"):
                    continue
                asked, queue = event.message.carries[0], there[event.processor]
                eligible = sum(queue) if asked.group is None else queue[asked.group]
                found[event.what] += 1
                if event.what == "refuses":
                    found["wrong"] += eligible > 0
                    continue
                place, number = event.other
                found["wrong"] += number != eligible
                centred, variance = centred + place - (number - 1) / 2, variance + (number**2 - 1) / 12
            walk.follow()
    said = {
        "if the rule must hold": lambda quantity: readings.at_limits("rule must hold", quantity),
        "that with slow migrations": lambda quantity: readings.slow_migrations("rule must hold", quantity),
    }
    return conclude(
        *readings.no_matter(said, uninformed),
        aside("requests granted", exact(found["grants"])),
        provided=[
            everywhere("the number of requests answered otherwise than printed", exact(found["wrong"]), NONE),
            everywhere("that of requests refused for want of a job", exact(found["refuses"]), larger()),
            everywhere("the mean place drawn, less the middle,",
                       sampled(centred / found["grants"], 1.96 * np.sqrt(variance) / found["grants"]), agrees()),
        ],
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
    return conclude(at_each("the least that periods with less traffic add to the deviation on demand", best,
                            at_most("comparable")))  # fmt: skip


def stale_on_path(period=0.5, parts=50):
    """The part of the decisions under JSQ that rest on stale information, on a path of the plain event loop."""
    setting = Setting("JSQ", (Fraction(1, 2),) * 2, (0.4, 0.4), 10, periodic.LIMIT, period=period)
    events = [event for event in recorded.path(setting, 60_000).events if event.what in ("places", "rebalances")]
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
        provided=[everywhere("at a mean period of 0.5, the part under JSQ, less that on a path of the plain loop,",
                             counted.at(policy="JSQ", mean_period=0.5).less(stale_on_path(), np.hypot), agrees())],
    )  # fmt: skip
