"""Every policy against the plain event loop, number by number."""

import math
import random
from collections import Counter, defaultdict
from dataclasses import fields, replace

import numpy as np

from clustershare import dispatch
from clustershare.run_length import RunLength
from clustershare.sizes import Deterministic, Exponential
from compendium.press.clauses import cases, everywhere
from compendium.press.clauses.conditions import equal
from pages.agreement import gap
from pages.share_scheduling.central.library.shared import Weighed
from pages.share_scheduling.distributed.library.shared import HALF, PARTITIONS, SAME, joined
from pages.share_scheduling.distributed.printed.rules import Partial
from pages.share_scheduling.distributed.witnesses.event_loop import PrintedNetwork
from pages.share_scheduling.distributed.witnesses.followed import arguments
from pages.share_scheduling.distributed.witnesses.parts import MESSAGES, PLACEMENT, REPLY, Setting

POLICIES = ("Isolation", "JSQ", "HP", "SVP", "DVP", "D-HP", "Nice")
PLACING = ("Isolation", "D-HP", "Nice")
COMMON = (
    "ties alike", "with those under way", "state at departure", "rule must hold", "keep replies", "drop old",
    "replies only", "VP upon departures",
)  # fmt: skip
OF_PLACING = ("ties alike", "with those under way", "drop old", "replies only", "VP upon departures")
OWN = {
    "HP": ("own first",), "SVP": ("without a message", "own subset only", "without M4", "guests stay"),
    "DVP": ("bare sums", "I2 fewest"), "Nice": ("bare sums",),
}  # fmt: skip
RULES = ("I2", "M1", "M2", "M3", "M4")
RUN = {"jumps": 28, "warmup": 7, "replications": 2}
USUAL = Setting("JSQ", (HALF, HALF), (0.1, 0.1), 2, 0)  # for what is not said
SAID = ("policy", "required_shares", "loads", "processors", "probe_limit")


# Paths: every policy in many settings, by the plain loop with notes of all that a result tells.


class AnyPartial(Weighed, Partial):
    """The rules for the processors known, under any local policy."""


class Noted(PrintedNetwork):
    """The plain loop, which takes notes of all that a result tells: times and numbers of events, in `sums`.

    Parameters
    ----------
    setting, rng
        As of `PrintedNetwork`.
    constant : bool
        Whether the jobs of the last group are all of one size.
    clock : bool
        Whether jobs arrive at equal intervals.
    """

    def __init__(self, setting, rng, constant=False, clock=False):
        self._constant, self._clock, P = constant, clock, setting.processors
        self.sums, self._sent_to, self._spoke = Counter(), defaultdict(list), {}
        self._answered, self._unused, self._began, self.left = [False] * P, [False] * P, {}, []
        super().__init__(setting, rng)
        rules = {name: getattr(self._rules, name) for name in Partial.__dataclass_fields__}
        self._rules = AnyPartial(**rules)
        self._own = [[p for p, part in enumerate(row) if part] for row in self._rules.whole]

    def _begin(self):
        super()._begin()
        if self._clock:
            self._next_arrival = 1 / sum(self._rates)

    def _draw_arrival(self):
        """As it is drawn, but for what is no longer left to chance."""
        hold = 1.0 if self._clock else self.rng.standard_exponential()
        self._next_arrival = self.now + hold / sum(self._rates)
        g = self.choose(range(len(self._rates)), self._rates)
        given = self._constant and g == len(self._rates) - 1
        size = self._means[g] * (1.0 if given else self.rng.standard_exponential())
        if self.setting.arrival == "HP":
            return g, size, self.choose(range(self.setting.processors))
        row = self._rules.whole[g]
        own = sorted(self._own[g], key=lambda p: row[p] == 1)
        return g, size, self.choose(own, [row[p] for p in own])

    def _divide(self, p):
        super()._divide(p)
        if self.setting.local == "PPS":
            claims = [float(weight) * count for weight, count in zip(self.weights[p], self.there(p))]
            self.served[p] = [claim / sum(claims) if claim else 0.0 for claim in claims]

    def _pass(self, at, sent):
        hold, P = at - self.now, self.setting.processors
        self.sums["customers"] += hold * len(self.messages)
        there = [sum(map(len, queues)) for queues in self.queues]
        for g, own in enumerate(self._own):
            jobs, busy = sum(there[p] for p in own), sum(there[p] > 0 for p in own)
            self.sums["subset", g] += hold * (min(jobs, len(own)) - busy) / P
        super()._pass(at, sent)

    def _happens(self, what, processor, *about, **more):
        super()._happens(what, processor, *about, **more)
        note = getattr(self, "_note_" + what, None)
        if note:
            note(self.events[-1], processor, self.sums)

    def _note_arrives(self, event, p, sums):
        sums["arrives", event.job.group] += 1
        sums["at", event.job.group, p] += 1

    def _note_joins(self, event, p, sums):
        self._began.setdefault(event.job.number, self.now)

    def _note_departs(self, event, p, sums):
        job = event.job
        sums["departs", job.group] += 1
        self.left.append((job.group, job.size, self.now - job.came, self._began[job.number] - job.came))

    def _note_sends(self, event, p, sums):
        message = event.message
        sums[message.kind] += 1
        sums["offered"] += message.size
        if message.kind == PLACEMENT:
            self._sent_to[message.receiver].append((self.now, p))

    def _note_receives(self, event, p, sums):
        if event.message.kind != REPLY:
            return
        self._spoke[p, event.message.sender] = event.message.started
        if event.probing.missing == 1:
            sums["answered"] += self._answered[p]
            sums["unused"] += self._answered[p] and self._unused[p]
            self._answered[p] = self._unused[p] = True

    def _note_grants(self, event, p, sums):
        sums["I2" if event.rule.startswith("I") else event.rule] += 1
        sums["lone"] += not any(self.queues[p])
        sums["lone M4"] += not any(self.queues[p]) and event.rule == "M4"

    def _note_refuses(self, event, p, sums):
        sums["refused"] += 1

    def _note_places(self, event, p, sums):
        self._decides(event, p)
        to, job = event.other, event.job
        sums["placed"] += 1
        sums["inside"] += to in self._own[job.group]
        sums["unknown"] += event.rule == "I5"
        sums["waited"] += self.now - job.came
        if to != p and event.rule != "I5" and not any(event.known[to]):
            since = self._spoke[p, to]
            sums["collisions"] += any(then > since and sender != p for then, sender in self._sent_to[to])

    def _note_rebalances(self, event, p, sums):
        self._decides(event, p)
        sums["after"] += 1
        sums["changed"] += event.probing is not None and event.probing.own != self.row(p)

    def _decides(self, event, p):
        self._unused[p] = False
        self.sums["decisions"] += 1
        self.sums["stale"] += any(row != self.row(other) for other, row in event.known.items())


def told(setting, run, **other):
    """What a result says of these runs, by the plain loop: one dict a replication; and the jobs that left, likewise."""
    found, left = [], []
    for rng in run.generators():
        path = Noted(setting, rng, **other)
        path.run(run.warmup)
        before = path.sums.copy(), np.array(path.integrals), path.now, path.busy, _numbers(path), len(path.left)
        path.run(run.jumps)
        found.append(_measures(path, *before))
        left.append(path.left[before[-1] :])
    return found, left


def _numbers(path):
    return np.array([sum(job.group == g for job in path.jobs) for g in range(len(path.setting.shares))], float)


def _measures(path, sums, integrals, began, busy, jobs, _):
    setting, time = path.setting, path.now - began
    groups, P = range(len(setting.shares)), setting.processors
    more = {what: number - sums[what] for what, number in path.sums.items()}

    def rates(*whats):
        return np.array([more.get(what, 0) for what in whats]) / time

    def part(some, of):
        return more.get(some, 0) / more[of] if more.get(of) else 0.0

    able, used, *of_groups = (np.array(path.integrals) - integrals) / time
    feasible, obtained, number = np.reshape(of_groups, (-1, 3)).T
    at = rates(*(("at", g, p) for g in groups for p in range(P)))
    return {
        "group_share_deviation": (feasible - obtained) / np.array(setting.shares, float), "capacity_loss": able - used,
        "mean_jobs": number, "obtained_share": obtained, "feasible_share": feasible,
        "growth": (_numbers(path) - jobs) / time, "network_utilisation": (path.busy - busy) / time,
        "network_customers": rates("customers")[0], "arrivals": rates(*(("arrives", g) for g in groups)),
        "departures": rates(*(("departs", g) for g in groups)), "traffic": rates(*MESSAGES),
        "offered": rates("offered")[0], "migrations_by_rule": rates(*RULES),
        "lone_migrations": rates("lone", "lone M4"), "placed_in_subset": part("inside", "placed"),
        "placed_unknown": rates("unknown")[0], "refused": rates("refused")[0], "wait": part("waited", "placed"),
        "unused_requests": part("unused", "answered"), "stale_decisions": part("stale", "decisions"),
        "changed_meanwhile": part("changed", "after"), "collisions": rates("collisions")[0],
        "subset_loss": rates(*(("subset", g) for g in groups)), "jobs_at_end": _numbers(path),
        "arrivals_at": at if P <= 20 else None,
    }  # fmt: skip


def _told_apart(setting, seed, constant=False, clock=False, records=False, **longer):
    """The largest gap between any quantity of the simulator's result and what the plain loop says of it."""
    length = {**RUN, **longer, "seed": seed}
    run = RunLength(**length)
    samples, left = told(setting, run, constant=constant, clock=clock)
    means, given, usual = setting.means or (1.0,) * len(setting.shares), arguments(setting), arguments(USUAL)
    if constant:
        given["sizes"] = (*map(Exponential, means[:-1]), Deterministic(means[-1]))
    if setting.policy in PLACING:
        given["migration"] = True  # though they never move a job
    if seed % 2:  # what is usual need not be said, and shares may be fractions
        given = {name: value for name, value in given.items() if name in SAID or value != usual[name]}
        given["required_shares"] = setting.shares
    if clock:
        given["arrivals"] = Deterministic(1.0)
    found = dispatch.simulate_distributed(**given, records=records, **length)
    gaps = [0.0 if set(samples[0]) == {one.name for one in fields(found)} - {"method", "error"} else math.inf]
    for name in samples[0]:
        answer, expected = getattr(found, name), [sample[name] for sample in samples]
        if answer is None or expected[0] is None:
            gaps.append(0.0 if answer is expected[0] else math.inf)
        else:
            gaps.append(gap([answer.value, answer.half_width], joined(expected)))
    with np.errstate(divide="ignore", invalid="ignore"):
        rates = np.array(setting.loads) * setting.capacity * setting.processors / np.array(means)
        times, jobs = found.mean_response_time, joined([sample["mean_jobs"] for sample in samples])
        gaps.append(gap([times.value, times.half_width], jobs / rates))
    if records:
        gaps.append(_records_apart(found.records, left, len(means)))
    return max(gaps)


def _records_apart(records, left, groups):
    """The same of records of jobs."""
    found = records.mean_response_time, records.mean_wait, records.mean_slowdown
    every = [[[job[1:] for job in jobs if job[0] == g] for g in range(groups)] for jobs in left]
    means = [
        [np.mean([(time, wait, time / size) for size, time, wait in jobs], axis=0) for jobs in of_run]
        for of_run in every
    ]
    counts = [sum(len(of_run[g]) for of_run in every) for g in range(groups)]
    expected = joined(means)
    gaps = [gap([one.value, one.half_width], expected[:, :, k]) for k, one in enumerate(found)]
    return max(*gaps, gap(records.jobs, counts))


def _settings():
    """Of each policy random settings in all of its readings; more: all known, many processors, one, nobody asked."""
    rng, found = random.Random(6), []
    for policy in POLICIES:
        for k, reading in enumerate((None, *(OF_PLACING if policy in PLACING else COMMON), *OWN.get(policy, ()))):
            shares, X = PARTITIONS[(k + len(found)) % len(PARTITIONS)]
            found.append(_setting(rng, policy, reading, shares, len(X[0]), migration=k > 0))
    for policy, P, limit, groups in (
        ("JSQ", 1, 0, 2), ("SVP", 21, 20, 3), ("HP", 20, 3, 3), ("SVP", 5, 0, 3), ("DVP", 4, 0, 2), ("SVP", 5, 2, 3),
        ("HP", 4, 3, 2), ("DVP", 5, 4, 3),
    ):  # fmt: skip
        found.append(_setting(rng, policy, None, PARTITIONS[0 if groups == 2 else 3][0], P, limit))
    return found


def _setting(rng, policy, reading, shares, P, limit=None, migration=True):
    """A random one. Messages are so slow that they overlap; a group may bring more than its share, or nothing."""
    capacity, limit = rng.choice((1.0, 0.5, 3.0)), rng.randint(1, P - 1) if limit is None else limit
    parts = [rng.random() for _ in shares]
    parts[0] *= rng.random() < 0.9
    loads = tuple(rng.uniform(0.6, 0.95) * part / sum(parts) for part in parts)
    means = tuple(rng.uniform(0.3, 2.0) for _ in shares)
    rate = sum(load * P * capacity / mean for load, mean in zip(loads, means))
    periodic = reading in ("drop old", "replies only") or reading != "VP upon departures" and rng.random() < 0.4
    period = rng.uniform(0.5, 3.0) * P / rate if periodic else None
    changed = (("together",) if periodic and rng.random() < 0.5 else ()) + ((reading,) if reading else ())
    return Setting(
        policy, shares, loads, P, limit, period, arrival=rng.choice(("HP", "VP")),
        probing="VP" if reading == "VP upon departures" else rng.choice(("HP", "VP")),
        probe_time=rng.uniform(0.05, 0.5) / (P / period if periodic else 2 * rate) / (1 + limit),
        migration_time=rng.uniform(0.2, 2.0) / rate, local=rng.choice(("GPPS", "PS", "PPS")),
        migration=migration and policy not in PLACING, capacity=capacity, spread=rng.choice((0.1, 0.6, 1.0)),
        gap=rng.choice((1, 2, 3)) if policy in ("JSQ", "HP") else 2, means=means, changed=changed,
    )  # fmt: skip


def on_paths():
    settings = list(enumerate(_settings()))
    every = cases("setting", settings, names=[f"{one.policy} {k}" for k, one in settings]).measure(
        lambda k, setting: _told_apart(setting, 10 + k, constant=k % 3 == 0)
    )
    usual = Setting("HP", PARTITIONS[0][0], (0.5, 0.3), 4, 2)
    late = replace(usual, gap=1, probe_time=0.02, migration_time=0.3, changed=("rule must hold",))
    crowded = replace(usual, policy="JSQ", processors=8, limit=3, gap=1, migration_time=5.0)  # some 70 on the network
    guests = replace(usual, policy="SVP", loads=(0.3, 0.3), limit=0)  # they go though nobody is asked
    more = (usual, 120), (replace(guests, limit=2, period=2.0), 60), (guests, 80), (late, 150), (crowded, 340)
    longer = cases("setting", more).measure(lambda setting, jumps: _told_apart(setting, 3, jumps=jumps))
    several = [
        (k, replace(one, loads=(0.8 / len(one.loads),) * len(one.loads)))
        for k, one in settings if one.policy == "SVP" and 2 < one.processors < 20
    ]  # fmt: skip
    seen = cases("setting", several[::4]).measure(
        lambda k, setting: _told_apart(setting, k, clock=True, records=True, jumps=80)
    )
    return (
        everywhere("what a result says, less what the plain loop says,", every, equal(SAME)),
        everywhere("the same of longer runs, where what is usual is not said,", longer, equal(SAME)),
        everywhere("the same of jobs that arrive by the clock, each with its record,", seen, equal(SAME)),
    )
