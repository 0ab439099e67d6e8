"""Distributed policies: what is known of special cases, accounts that must be right, and sameness."""

import numpy as np
import pytest

from clustershare import dispatch, splitting
from clustershare.arguments import UnstableError
from clustershare.dispatch import distributed_kernel_parts, network, state
from clustershare.dispatch.distributed_cluster import Cluster
from clustershare.dispatch.distributed_plan import DISTRIBUTED_POLICIES, READINGS, plan_of
from clustershare.sizes import Deterministic, Exponential
from compilation import printed

CENTRAL = ("JSQ", "HP", "SVP", "DVP")
SYSTEM = {"required_shares": (0.75, 0.25), "loads": (0.4, 0.3), "processors": 6}
SLOW = {"probe_service_time": 1e-3, "migration_service_time": 0.05}  # messages overlap
RUN = {"jumps": 100_000, "warmup": 5000, "replications": 6, "seed": 2}
SHORT = {"jumps": 3000, "warmup": 100, "replications": 2, "seed": 3}


def agree(found, exact, half=0.0):
    """Within twice the intervals: each comparison holds with a probability of 0.99 or more."""
    assert (np.abs(found.value - exact) <= 2 * (found.half_width + half) + 1e-9).all(), (found, exact)


def same(one, other):
    """Whether two results have the same bits."""
    pairs = [(getattr(one, name), getattr(other, name)) for name in one.__dataclass_fields__]
    return all(np.array_equal(first.value, second.value) for first, second in pairs if hasattr(first, "value"))


@pytest.mark.parametrize("local", ["PS", "GPPS"])
def test_without_probing_it_is_random_splitting(local):
    common = {"required_shares": (0.5, 0.5), "loads": (0.2, 0.5), "processors": 2, "probe_limit": 0, "local": local}
    alone = dispatch.simulate_distributed("Isolation", **common, **RUN)
    exact = splitting.horizontal(common["required_shares"], common["loads"], (0.5, 0.5), local)
    agree(alone.group_share_deviation, exact.group_share_deviation)
    agree(alone.capacity_loss, exact.capacity_loss)
    agree(alone.mean_jobs, exact.mean_jobs)
    assert not alone.subset_loss.value.any()  # either has one processor
    for policy in ("JSQ", "HP", "DVP"):
        for period in (None, 1.0):
            found = dispatch.simulate_distributed(policy, probe_period=period, **common, **RUN)
            assert same(found, alone) and not found.traffic.value.any() and not found.offered.value


def test_arrivals_with_vp_preference_are_vertical_splitting():
    common = {"required_shares": (0.5, 0.5), "loads": (0.3, 0.2), "processors": 4}
    found = dispatch.simulate_distributed("Isolation", probe_limit=0, arrival_preference="VP", **common, **RUN)
    exact = splitting.vertical(**common)
    agree(found.group_share_deviation, exact.group_share_deviation)
    agree(found.capacity_loss, exact.capacity_loss)
    assert found.placed_in_subset.value == 1
    svp = dispatch.simulate_distributed("SVP", probe_limit=0, arrival_preference="VP", **common, **RUN)
    assert same(svp, found)
    svp = dispatch.simulate_distributed("SVP", probe_limit=0, **common, **SHORT)
    assert svp.placed_unknown.value > 0 and svp.traffic.value[2] == pytest.approx(svp.placed_unknown.value)


@pytest.mark.parametrize("policy", CENTRAL)
def test_with_all_probed_and_no_delays_it_is_the_central_policy(policy):
    common = {"required_shares": (0.5, 0.3, 0.2), "loads": (0.2, 0.3, 0.2), "processors": 4}
    found = dispatch.simulate_distributed(
        policy, probe_limit=3, probe_service_time=0, migration_service_time=0, **common, **RUN
    )
    central = dispatch.simulate_central(policy, migration=True, local="GPPS", **common, **RUN)
    for name in ("group_share_deviation", "mean_jobs", "obtained_share"):
        exact = getattr(central, name)
        agree(getattr(found, name), exact.value, exact.half_width)
    assert abs(found.capacity_loss.value) < 1e-9 and found.network_utilisation.value < 1e-9
    assert found.stale_decisions.value == found.changed_meanwhile.value == found.refused.value == 0


@pytest.mark.parametrize("policy", CENTRAL)
@pytest.mark.parametrize("period", [None, 0.5])
def test_the_network_carries_what_it_is_offered(policy, period):
    found = dispatch.simulate_distributed(policy, probe_limit=2, probe_period=period, **SLOW, **SYSTEM, **RUN)
    requests, replies, placements, asked, migrations = found.traffic.value
    assert abs(found.offered.value - found.network_utilisation.value) < 1e-3
    expected = (requests + replies + placements + asked) * 1e-3 + migrations * 0.05
    assert found.offered.value == pytest.approx(expected, rel=0.02)
    assert replies == pytest.approx(2 * requests, rel=1e-3)
    assert found.migrations_by_rule.value.sum() == pytest.approx(migrations)
    assert asked == pytest.approx(migrations + found.refused.value, rel=0.01) or policy == "SVP"  # of its own guests
    events = (found.arrivals.value + found.departures.value).sum()
    assert requests == pytest.approx(events if period is None else 6 / period, rel=2e-3)
    agree(found.arrivals, np.array([2.4, 1.8]))
    agree(found.arrivals_at, np.repeat([0.4, 0.3], 6))
    if period is None:
        assert found.wait.value > 3e-3 and found.unused_requests.value == found.collisions.value * 0 == 0
    else:
        assert found.wait.value == 0 and 0 < found.unused_requests.value < 1
        assert 0 < found.stale_decisions.value < 1 and found.collisions.value > 0


def every_job_is_somewhere(cluster):
    """Present are those in server queues, waiting and under way; the levels are those of the state."""
    tally, system, parts = cluster.tally, cluster.system, distributed_kernel_parts
    G = tally.member.shape[1]
    expected = tally.at[:, parts.ARRIVED + G :]
    assert (expected >= 0).all()
    assert (tally.jobs[parts.PRESENT, 1:] == system.count[:, 1:].sum(axis=0) + expected.sum(axis=0)).all()
    levels = tally.level[parts.GROUPS :].reshape(G, 4)
    assert np.abs(levels[:, parts.OBTAINED_PART] - system.amount[:, state.SHARE, 1:].sum(axis=0)).max() < 1e-12
    members = [tally.member[:, g] for g in range(G)]
    jobs, busy = (
        np.array([array[own].sum() for own in members]) for array in (system.count[:, 0], system.count[:, 0] > 0)
    )
    loss = (np.minimum(jobs, tally.member.sum(axis=0)) - busy) / len(system.count)
    assert np.abs(levels[:, parts.LOSS] - loss).max() < 1e-12
    net = cluster.net
    used = net.count[network.LINE] + net.count[network.HEAP]
    assert used + net.count[network.FREE] == len(net.line)


@pytest.mark.parametrize("policy", CENTRAL)
def test_what_holds_after_every_event_and_in_pieces(policy):
    """Some events at a time, with little room at first, all is as with all at once."""
    for settings in ({}, {"probe_period": 0.5}, {"reading": "keep replies"}):
        plan = plan_of(
            policy, probe_limit=2, arrival_preference="VP", probing_preference="VP", **SLOW, **SYSTEM, **settings
        )
        whole, pieces = (Cluster(plan, np.random.default_rng(5)) for _ in range(2))
        pieces.net = network.quiet(5, 2, 2)
        whole.run(500)
        for _ in range(500):
            pieces.run(1)
            every_job_is_somewhere(pieces)
        assert len(pieces.net.line) > 5 and np.array_equal(whole.tally.sums, pieces.tally.sums)
        assert whole.clock[0] == pieces.clock[0] and (whole.system.count == pieces.system.count).all()


@pytest.mark.parametrize("policy", CENTRAL)
def test_readings_are_other_systems(policy):
    """Each by its name; what is no reading of a policy gets its sentence."""
    kind = DISTRIBUTED_POLICIES[policy]
    names = {*READINGS, *getattr(kind, "partial_readings", {})}
    names |= {"bare sums"} if policy == "DVP" else {"without a message"} if policy == "SVP" else set()
    common = {"required_shares": (0.5, 0.3, 0.2), "loads": (0.3, 0.2, 0.3), "processors": 6, "probe_limit": 1}
    common |= {"probe_service_time": 0.02, "migration_service_time": 0.05}
    own = dispatch.simulate_distributed(policy, **common, **SHORT)
    for reading in sorted(names):
        assert not same(dispatch.simulate_distributed(policy, reading=reading, **common, **SHORT), own), reading
    with pytest.raises(ValueError, match="reading must be None, or here one of 'ties alike'"):
        plan_of(policy, probe_limit=2, reading="drop old", **SYSTEM)
    periodic = {"probe_limit": 2, "probe_period": 1.0}
    own = dispatch.simulate_distributed(policy, **periodic, **SYSTEM, **SHORT)
    for change in ({"reading": "drop old"}, {"reading": "replies only"}, {"probe_phases": "together"}):
        assert not same(dispatch.simulate_distributed(policy, **periodic, **change, **SYSTEM, **SHORT), own), change


@pytest.mark.parametrize("policy", ["D-HP", "Nice"])
def test_policies_that_only_place(policy):
    found = dispatch.simulate_distributed(policy, probe_limit=3, **SYSTEM, **SHORT)
    _, _, placements, asked, migrations = found.traffic.value
    assert placements > 0 == asked == migrations
    alone = dispatch.simulate_distributed("Isolation", probe_limit=3, **SYSTEM, **SHORT)
    assert not same(found, alone) and not alone.traffic.value.any()


def test_the_unit_of_time_is_free():
    """Processors twice as fast, and a network to match: half the time, to the last bit."""
    slow = dispatch.simulate_distributed("JSQ", probe_limit=2, probe_period=0.5, **SLOW, **SYSTEM, **SHORT)
    fast = dispatch.simulate_distributed(
        "JSQ", probe_limit=2, probe_period=0.25, processor_capacity=2.0, probe_service_time=5e-4,
        migration_service_time=0.025, **SYSTEM, **SHORT,
    )  # fmt: skip
    assert np.array_equal(slow.group_share_deviation.value, fast.group_share_deviation.value)
    assert np.array_equal(2 * slow.traffic.value, fast.traffic.value)


def test_a_reluctant_policy_and_other_sizes():
    own = dispatch.simulate_distributed("JSQ", probe_limit=2, **SYSTEM, **RUN)
    reluctant = dispatch.simulate_distributed("JSQ", probe_limit=2, gap=4, **SYSTEM, **RUN)
    assert reluctant.traffic.value[4] < 0.5 * own.traffic.value[4]
    stays = dispatch.simulate_distributed("JSQ", probe_limit=2, migration=False, **SYSTEM, **RUN)
    assert stays.traffic.value[4] == 0 and stays.traffic.value[0] == pytest.approx(stays.arrivals.value.sum(), rel=1e-3)
    for sizes in (Deterministic(2.0), (Exponential(1.0), Exponential(0.25))):
        found = dispatch.simulate_distributed("JSQ", probe_limit=2, sizes=sizes, **SYSTEM, **RUN)
        agree(found.obtained_share, SYSTEM["loads"])


def test_a_network_that_is_offered_too_much():
    for settings, load in (
        ({"probe_limit": 5, "probe_service_time": 0.05}, "2.52"),
        ({"probe_limit": 2, "probe_period": 1e-3, "probe_service_time": 1e-4}, "1.8"),
        ({"probe_limit": 3, "migration_service_time": 3.0}, r"\d\.\d+"),
    ):
        with pytest.raises(UnstableError, match=f"The network is offered {load} times what it can carry"):
            dispatch.simulate_distributed("JSQ", **settings, **SYSTEM, **RUN)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"policy": "FCFS"}, "policy must be one of Isolation, JSQ, HP, SVP, DVP, D-HP, Nice; got 'FCFS'"),
        ({"probe_limit": 6}, "probe_limit must be an integer of at least 0 and at most 5; got 6"),
        ({"probe_limit": -1}, "probe_limit must be an integer of at least 0 and at most 5; got -1"),
        ({"probe_period": 0.0}, "probe_period must be a finite number, above 0; got 0.0"),
        ({"arrival_preference": "MP"}, "arrival_preference must be one of HP, VP; got 'MP'"),
        ({"probing_preference": None}, "probing_preference must be one of HP, VP; got None"),
        ({"probe_service_time": -1e-6}, "probe_service_time must be a finite number, at least 0; got -1e-06"),
        ({"migration_service_time": np.nan}, "migration_service_time must be a finite number, at least 0; got nan"),
        ({"local": "FCFS"}, "local must be one of PS, GPPS, PPS; got 'FCFS'"),
        ({"processor_capacity": 0}, "processor_capacity must be a finite number, above 0; got 0"),
        ({"period_spread": 1.1}, "period_spread must be a finite number, at least 0 and at most 1; got 1.1"),
        ({"probe_phases": "alike"}, "probe_phases must be one of random, together; got 'alike'"),
        ({"gap": 0}, "gap must be an integer of at least 1; got 0"),
        ({"sizes": 1.0}, "sizes must be a sequence of 2 entries; got 1.0"),
        ({"reading": "VP upon departures"}, "reading must be None, or here one of"),
        ({"events": 3}, "run argument must be one of jumps, .*seed, until, seconds, progress; got 'events'"),
    ],
)
def test_bad_input_gets_a_sentence(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        dispatch.simulate_distributed(**{"policy": "JSQ", "probe_limit": 2, **SYSTEM, **SHORT, **wrong})


def test_compiled_and_not_it_is_the_same():
    code = """
from clustershare.dispatch import simulate_distributed
for policy in ("JSQ", "HP", "SVP", "DVP", "D-HP", "Nice"):
    for period in (None, 0.5):
        found = simulate_distributed(
            policy, required_shares=(0.75, 0.25), loads=(0.4, 0.4), processors=5, probe_limit=2, probe_period=period,
            probe_service_time=1e-3, migration_service_time=0.05, arrival_preference="VP", probing_preference="VP",
            jumps=200, warmup=50, replications=1, seed=3,
        )
        print(policy, found.capacity_loss.value, found.traffic.value, found.group_share_deviation.value)
"""
    compiled, plain = printed(code)
    assert compiled == plain and compiled.count("\n") == 12
