"""The plain event loop of Chapter 6: its own conservation laws, and event by event against the library's kernel."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction as F
from itertools import pairwise

import numpy as np
import pytest

from pages.share_scheduling.distributed.printed_network import PrintedNetwork
from pages.share_scheduling.distributed.printed_parts import MESSAGES, MIGRATION, REPLY, REQUEST, Setting, histories
from pages.share_scheduling.distributed.printed_probing import arrival_law, drawn_probe_set, inclusion, probe_set_law

POLICIES = ("JSQ", "HP", "SVP", "DVP")
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
