"""The plain event loop of Chapter 6: its own conservation laws, and event by event against the library's kernel."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction as F
from itertools import pairwise

import numpy as np
import pytest

from clustershare.dispatch import distributed_kernel_parts as notes
from clustershare.dispatch import network as net
from clustershare.dispatch.state import CLOCK, SHARE
from pages.share_scheduling.distributed.printed.probing import arrival_law, drawn_probe_set, inclusion, probe_set_law
from pages.share_scheduling.distributed.printed.rules import whole_parts
from pages.share_scheduling.distributed.witnesses import followed
from pages.share_scheduling.distributed.witnesses.event_loop import PrintedNetwork
from pages.share_scheduling.distributed.witnesses.parts import MESSAGES, MIGRATION, REPLY, REQUEST, Setting, histories

POLICIES = ("JSQ", "HP", "SVP", "DVP")
COUNTS = (
    "LONE", "LONE_M4", "REFUSED", "PLACED", "INSIDE", "UNKNOWN", "COLLISIONS", "DECISIONS", "STALE", "AFTERWARDS",
    "CHANGED", "ANSWERED", "UNUSED",
)  # fmt: skip
CASE_3 = Setting("JSQ", (F(3, 4), F(1, 4)), (0.4, 0.4), 10, 3, probe_time=1e-3, migration_time=0.05)
THREE_GROUPS = replace(CASE_3, shares=(F(1, 2), F(1, 4), F(1, 4)), loads=(0.3, 0.3, 0.2), processors=4)


def after(setting, jumps, seed=1):
    """The loop after so many jumps."""
    network = PrintedNetwork(setting, np.random.default_rng(seed))
    network.run(jumps)
    return network


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("period", (None, 0.5))
def test_the_loop_keeps_its_accounts(policy, period):
    for setting in (CASE_3, THREE_GROUPS):
        network = after(replace(setting, policy=policy, period=period), 600)
        sent = [event.message for event in network.events if event.what == "sends"]
        kinds = Counter(message.kind for message in sent)
        assert set(kinds) == set(MESSAGES) and list(network.messages) == [m for m in sent if not m.ended >= 0]
        left = sum(message.left for message in network.messages)
        assert network.busy == pytest.approx(sum(message.size for message in sent) - left, abs=1e-9)
        assert all(message.size == setting.probe_time for message in sent if message.kind != MIGRATION)
        probings = [event.probing for event in network.events if event.what == "probes"]
        assert kinds[REQUEST] == len(probings) and all(len(set(p.others) - {p.prober}) == 3 for p in probings)
        under_way = sum(message.kind == REQUEST for message in network.messages)
        assert kinds[REPLY] == 3 * (len(probings) - under_way)
        places = [job.where for job in network.jobs]
        assert Counter(places) == {
            where: number
            for where, number in (
                ("schedule queue", sum(map(len, network.waiting))),
                ("server queue", sum(len(queue) for queues in network.queues for queue in queues)),
                ("network", sum(message.job is not None for message in network.messages)),
            )
            if number
        }


@pytest.mark.parametrize("policy", POLICIES)
def test_when_decisions_are_taken(policy):
    """On demand with the last reply, (1 + L) S^P after the event if the network was free; else at once."""
    network = after(replace(CASE_3, policy=policy, migration_time=0.0, loads=(0.02, 0.02)), 200)
    delays = [event.time - event.probing.began for event in network.events if event.what in ("places", "rebalances")]
    assert len(delays) >= 199 and np.median(delays) == pytest.approx(4e-3, abs=1e-12) and min(delays) > 4e-3 - 1e-12
    network = after(replace(CASE_3, policy=policy, period=0.5), 400)
    arrivals = {event.job: event.time for event in network.events if event.what == "arrives"}
    placed = {event.job: event.time for event in network.events if event.what == "places"}
    assert placed == arrivals and all(job.waited == 0 for job in arrivals)


def test_what_changes_a_record():
    """A reply, or a decision about that processor, by one; nothing on demand, unless replies are kept."""
    network = after(replace(CASE_3, policy="SVP", period=0.5), 400)
    changes = [event.other for event in network.events if event.what == "records"]
    assert {why for *_, why in changes} == {"reply", "decision"}
    assert all(
        before is not None and sum(map(abs, np.subtract(before, row))) == 1
        for _, before, row, why in changes
        if why == "decision"
    )
    assert not any(event.what == "records" for event in after(CASE_3, 200).events)
    with_own = after(replace(CASE_3, changed=("keep replies",)), 200)
    assert len(with_own.records[0]) > 3 >= max(map(len, network.records))


@pytest.mark.parametrize("policy", ("JSQ", "HP", "DVP"))
def test_without_probing_a_policy_is_isolation(policy):
    for setting in (CASE_3, THREE_GROUPS):
        alone = after(replace(setting, policy="Isolation"), 500)
        for period in (None, 0.1, 1.0):
            network = after(replace(setting, policy=policy, limit=0, period=period), 500)
            assert histories(network.events) == histories(alone.events) and not network.busy
    assert after(replace(CASE_3, policy="SVP", limit=0), 500).busy > 0
    assert histories(after(CASE_3, 500).events) != histories(alone.events)


@pytest.mark.parametrize("change", ("request each", "first reply", "first come", "replies only"))
def test_a_wrong_system_is_another_one(change):
    setting = replace(CASE_3, period=0.5 if change == "replies only" else None)
    found = [histories(after(replace(setting, changed=changed), 300).events) for changed in ((), (change,))]
    assert found[0] != found[1]


def test_laws_of_the_probe_set():
    """With HP preference each other one alike; with VP the group's own come first."""
    assert inclusion(probe_set_law(1, 3, 5), 5) == [F(3, 4), 0, F(3, 4), F(3, 4), F(3, 4)]
    parts = (F(1), F(1), F(1, 2), 0, 0)
    assert inclusion(probe_set_law(0, 1, 5, parts), 5) == [0, F(2, 3), F(1, 3), 0, 0]
    assert inclusion(probe_set_law(0, 3, 5, parts), 5) == [0, 1, 1, F(1, 2), F(1, 2)]
    assert inclusion(probe_set_law(4, 3, 5, parts), 5) == [1, 1, 1, 0, 0]


def test_what_is_drawn_has_these_laws():
    """Probe sets, and where jobs arrive: numbers of 4000 draws within four standard deviations."""
    rng, parts = np.random.default_rng(5), (F(1), F(1), F(1, 2), F(1, 3), 0, 0)
    for own, limit, preference in ((1, 2, parts), (1, 4, parts), (5, 2, parts), (0, 3, None)):
        law = probe_set_law(own, limit, 6, preference)
        drawn = Counter(frozenset(drawn_probe_set(own, limit, 6, rng.random, preference)) for _ in range(4000))
        assert set(drawn) == set(law)
        assert all(abs(drawn[one] - 4000 * p) < 4 * (4000 * p * (1 - p)) ** 0.5 + 1e-9 for one, p in law.items())
    network = after(replace(CASE_3, policy="Isolation", arrival="VP"), 4000)
    drawn = Counter((event.job.group, event.processor) for event in network.events if event.what == "arrives")
    of_group = [sum(number for (g, _), number in drawn.items() if g == one) for one in (0, 1)]
    for g, row in enumerate(arrival_law("VP", CASE_3.shares, 10)):
        for p, chance in enumerate(row):
            expected = of_group[g] * chance
            assert abs(drawn[g, p] - expected) <= 4 * (expected * (1 - chance)) ** 0.5


def test_time_goes_on():
    events = after(replace(CASE_3, policy="DVP", probe_time=0.0, migration_time=0.0), 300).events
    assert all(one.time <= two.time for one, two in pairwise(events))


def library(setting, seed=1):
    """The same system in the library, with the same random numbers."""
    return followed.library(setting, np.random.default_rng(seed))


def work_left(cluster, p, g):
    """What is left of the jobs in a server queue, in the order of the heap."""
    jobs, amount = int(cluster.system.count[p, 1 + g]), cluster.system.amount[p]
    passed = cluster.clock[0] - amount[CLOCK, 0]
    clock = amount[CLOCK, 1 + g] + amount[SHARE, 1 + g] * passed / max(jobs, 1)
    return (cluster.system.leave[p, g, :jobs] - clock) * cluster.plan.setting.capacity


def customers(cluster):
    """The kinds of the network's customers and what is left of them, in the order of their start."""
    count, clock, letters = cluster.net.count, cluster.net.clock, len(cluster.net.line)
    line = cluster.net.line[(count[net.FIRST] + np.arange(count[net.LINE])) % letters]
    sent = np.concatenate([line, cluster.net.heap[: count[net.HEAP]]])
    sent = sent[np.argsort(cluster.net.whole[sent, net.ORDER])]
    sent = np.repeat(sent, cluster.net.whole[sent, net.BUNDLE])
    read = clock[net.READING] + (cluster.clock[0] - clock[net.SINCE]) / max(count[net.CUSTOMERS], 1)
    return [MESSAGES[kind] for kind in cluster.net.whole[sent, net.KIND]], cluster.net.real[sent, net.DONE] - read


def told_apart(cluster, network):
    """By what the library's system differs from the plain one: list of str."""
    P, G = range(network.setting.processors), range(len(network.setting.shares))
    kinds, left = customers(cluster)
    records = [
        dict(zip(who[:number].tolist(), map(tuple, rows[:number].tolist())))
        for number, who, rows in zip(cluster.records.number, cluster.records.who, cluster.records.rows)
    ]
    queues = [(work_left(cluster, p, g), [job.left for job in network.queues[p][g]]) for p in P for g in G]
    same = {
        "random numbers": cluster.rng.bit_generator.state == network.rng.bit_generator.state,
        "time": abs(cluster.clock[0] - network.now) < 1e-9,
        "jobs": cluster.system.count[:, 1:].tolist() == [list(network.there(p)) for p in P],
        "messages": kinds == [message.kind for message in network.messages],
        "records": records == network.records,
    }
    if all(same.values()):
        same["work"] = all(np.allclose(one, other, 0, 1e-8) for one, other in queues)
        same["traffic"] = np.allclose(left, [message.left for message in network.messages], 0, 1e-9)
    return [name for name, alike in same.items() if not alike]


def first_difference(setting, jumps, every=1, seed=1):
    """After how many arrivals and departures the library is told apart from the loop, and by what; else None."""
    cluster, network = library(setting, seed), PrintedNetwork(setting, np.random.default_rng(seed))
    for jump in range(every, jumps + 1, every):
        cluster.run(every)
        network.run(every)
        if found := told_apart(cluster, network):
            return jump, found
    return None


@pytest.mark.parametrize("policy", POLICIES)
def test_the_library_follows_for_long(policy):
    """After each arrival and each departure; also where a processor of the other kind has two owners."""
    shared = replace(THREE_GROUPS, shares=(F(5, 8), F(3, 8)), loads=(0.3, 0.5), arrival="VP", probing="VP")
    for setting in (CASE_3, replace(THREE_GROUPS, period=0.5), shared):
        assert first_difference(replace(setting, policy=policy), 400) is None, setting


@pytest.mark.parametrize(
    "policy, readings",
    [
        ("JSQ", ()),
        ("HP", ("own first",)),
        ("SVP", ("own subset only", "guests stay", "without M4", "without a message")),
        ("DVP", ("bare sums", "I2 fewest")),
    ],
)
def test_the_library_follows_other_readings(policy, readings):
    system = replace(THREE_GROUPS, policy=policy, limit=2, probing="VP", probe_time=1e-2)
    always = ("ties alike", "with those under way", "state at departure", "rule must hold", "keep replies")
    for reading in (*always, *readings, "VP upon departures"):
        assert first_difference(replace(system, changed=(reading,)), 120, 10) is None, reading
    for reading in (*always, *readings, "drop old", "replies only", "together"):
        assert first_difference(replace(system, changed=(reading,), period=0.5), 120, 10) is None, reading
    others = {"local": "PS", "gap": 3, "capacity": 2.0, "means": (1.0, 0.5, 3.0), "migration": False, "spread": 0.0}
    others |= {"probe_time": 0.0, "migration_time": 0.0}
    for name, value in others.items():
        assert first_difference(replace(system, **{name: value}), 120, 10) is None, name


@pytest.mark.parametrize("change", ("first reply", "first come", "request each", "M1 beside others"))
def test_another_system_is_told_apart(change):
    wrong = replace(THREE_GROUPS, policy="SVP", limit=2, probe_time=1e-2, changed=(change,))
    cluster, network = library(replace(wrong, changed=()), 3), after(wrong, 400, 3)
    cluster.run(400)
    assert told_apart(cluster, network)


@pytest.mark.parametrize("period", (None, 0.5))
def test_the_library_takes_a_path_that_was_recorded(period):
    """By its events alone; that of a wrong system it does not take."""
    setting = replace(THREE_GROUPS, policy="SVP", limit=2, probe_time=1e-2, period=period)
    right, wrong = (after(replace(setting, changed=changed), 300, 3) for changed in ((), ("first come",)))
    wrong.setting = setting
    told = [followed.apart(path, np.random.default_rng(3)) for path in (right, wrong)]
    assert told[0] == [] and told[1]


def test_periods_of_the_library():
    setting = replace(CASE_3, processors=100, limit=1, period=4.0, loads=(0.2, 0.2))
    found = followed.periods(setting, 500, np.random.default_rng(4)) / 4
    assert len(found) >= 500 and 0.9 <= found.min() and found.max() <= 1.1 and abs(found.mean() - 1) < 0.01


def counted(network):
    """What the library's notes should say, from the events: counts, and the integrals of the losses in the subsets."""
    parts = np.array(whole_parts(network.setting.shares, network.setting.processors), float) > 0
    jobs, found, loss, now = np.zeros((len(parts[0]), len(parts)), int), Counter(), np.zeros(len(parts)), 0.0
    crossed, told, fresh, sent = {}, {}, {}, {}  # of probings: when they were; of processors: by whom, if not used
    for event in network.events:
        p, kind = event.processor, event.message and event.message.kind
        for g, of_group in enumerate(parts):
            idle = min(jobs[of_group].sum(), of_group.sum()) - np.any(jobs[of_group], axis=1).sum()
            loss[g] += (event.time - now) * idle / len(jobs)
        now = event.time
        if event.what in ("joins", "grants", "departs"):
            jobs[p, event.job.group] += 1 if event.what == "joins" else -1
        if event.what == "receives" and kind == REQUEST:
            crossed[event.probing] = now
        elif event.what == "receives" and kind == REPLY and event.probing.why == "period":
            if told.get(p) is not event.probing:  # the first of its replies
                found["ANSWERED"] += p in told
                found["UNUSED"] += fresh.get(p, False)
                told[p], fresh[p] = event.probing, True
        elif event.what == "refuses":
            found["REFUSED"] += 1
        elif event.what == "grants":
            rule = event.rule if event.rule.startswith("M") else "I2"
            found[rule] += 1
            found["LONE"] += not jobs[p].any()
            found["LONE_M4"] += not jobs[p].any() and rule == "M4"
        elif event.what in ("places", "rebalances"):
            found["DECISIONS"] += 1
            found["STALE"] += event.known != event.there
            fresh[p] = False
        if event.what == "rebalances":
            found["AFTERWARDS"] += 1
            found["CHANGED"] += event.probing is not None and tuple(jobs[p].tolist()) != event.probing.own
        elif event.what == "places":
            to, others = event.other, [time for sender, time in sent.get(event.other, ()) if sender != p]
            found["PLACED"] += 1
            found["INSIDE"] += parts[event.job.group, to]
            found["UNKNOWN"] += event.rule == "I5"
            if to in event.known and not any(event.known[to]) and others:
                found["COLLISIONS"] += others[-1] > crossed[event.probing or told[p]]
            if to != p:
                sent.setdefault(to, []).append((p, now))
    return found, loss


@pytest.mark.parametrize("policy", POLICIES)
def test_the_library_counts_what_happens(policy):
    total = Counter()
    for period in (None, 0.5):
        setting = replace(CASE_3, policy=policy, period=period, probe_time=5e-3)
        cluster, network = library(setting), after(setting, 400)
        cluster.run(400)
        assert told_apart(cluster, network) == []
        (found, loss), count, sums = counted(network), cluster.tally.count, cluster.tally.sums
        total += found
        assert found == Counter({name: int(count[getattr(notes, name)]) for name in COUNTS}) + Counter(
            {name: int(count[notes.BY_RULE + k]) for k, name in enumerate(("I2", "M1", "M2", "M3", "M4"))}
        )
        sent = [event.message for event in network.events if event.what == "sends"]
        kinds = Counter(message.kind for message in sent)
        assert count[notes.SENT : notes.SENT + 5].tolist() == [kinds[kind] for kind in MESSAGES]
        placed = [event.job.waited for event in network.events if event.what == "places"]
        expected = [network.busy, *network.integrals[:2], sum(placed), sum(message.size for message in sent)]
        where = [notes.BUSY, notes.ABLE_TO_USE, notes.USED, notes.WAITED, notes.OFFERED]
        assert np.allclose(sums[where], expected, 1e-9)
        of_groups = sums[notes.GROUPS :].reshape(2, 4)
        assert np.allclose(of_groups[:, :3].ravel(), network.integrals[2:], 1e-9)
        assert np.allclose(of_groups[:, notes.LOSS], loss, 1e-9)
    assert total["STALE"] and total["CHANGED"] and total["UNUSED"] and total["COLLISIONS"] and total["REFUSED"]
