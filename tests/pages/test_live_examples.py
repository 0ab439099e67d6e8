"""What the pages say to look for in a cluster that runs, where it compares or has a sign: by the library."""

import itertools

import numpy as np
import pytest

from clustershare import cluster_chain, dispatch, splitting, uniprocessor
from pages import live

HALVES = (0.5, 0.5)


def marks(name):
    """What the library says of a page's own example, by what is set."""
    (system,), _ = live.example(name)
    return {tuple(mark["when"].values()): mark for mark in system["marks"]}


def deviations(policy, shares, loads):
    return uniprocessor.exact(policy, shares, loads).group_share_deviation


def test_who_is_served_changes_no_long_run():
    first, second = (mark["deviation"] for mark in marks("obtained_shares").values())
    assert first == pytest.approx(second, abs=1e-6)


def test_sharing_does_not_help_who_brings_little():
    first, second = (mark["deviation"] for mark in marks("no_groups").values())
    assert first == pytest.approx(second, abs=1e-6) and first[0] > 0
    for load, policy in itertools.product(np.linspace(0.02, 0.49, 20), ("FCFS", "PS")):
        assert (deviations(policy, HALVES, (load, load)) < 0).all()


def test_a_little_courtesy_decides_and_from_some_load_on_does_not():
    found = {policy: mark["deviation"][1] for (policy,), mark in marks("priorities").items()}
    assert found["PQ"] > 0 > found["HOL"]
    at = [deviations("HOL", (0.6, 0.4), (load, 0.15))[1] for load in np.linspace(0.5, 0.84, 35)]
    assert (np.diff(np.sign(at)) >= 0).all() and at[0] < 0 < at[-1]


def test_weights_of_groups_keep_what_weights_of_jobs_do_not():
    found = {policy: mark["deviation"] for (policy,), mark in marks("weighted_sharing").items()}
    assert found["GPPS"][0] < 0 < found["PPS"][0]
    assert abs(found["GPPS"][1] - found["PPS"][1]) < 0.1 * (found["PPS"][0] - found["GPPS"][0])


def test_by_chance_somebody_waits_beside_an_idle_processor():
    (system,), _ = live.example("by_chance")
    loads, P = system["settings"]["loads"], system["settings"]["processors"]
    load = sum(loads)
    # Of each processor: some are busy with one job, none idle, none with two.
    no_one_idle, no_one_waits, neither = load**P, (1 - load**2) ** P, (load * (1 - load)) ** P
    assert 1 - (no_one_idle + no_one_waits - neither) > 0.95
    loss = splitting.horizontal(HALVES, loads, (1 / P,) * P).capacity_loss
    shorter = dispatch.simulate_central(
        "JSQ", required_shares=HALVES, loads=loads, processors=P, jumps=50_000, warmup=5000, seed=1
    ).capacity_loss
    assert shorter.value + shorter.half_width < 0.2 * loss


def test_the_rule_that_sees_no_promise_breaks_it_more_at_higher_loads_and_on_five_processors():
    (system,), _ = live.example("shortest_queue")
    shares, loads, P = (system["settings"][name] for name in ("shares", "loads", "processors"))

    def missed(factor, processors):
        found = dispatch.shortest_queue_with_migration(shares, np.multiply(factor, loads), processors)
        return found.group_share_deviation[0]

    by_load = [missed(factor, P) for factor in np.linspace(1.0, 1.24, 13)]
    assert by_load[0] > 0 and (np.diff(by_load) > 0).all() and missed(1.0, 5) > by_load[0]


def test_own_processors_and_what_others_leave_keep_every_promise():
    mark = marks("static_vertical")["SVP",]
    assert mark["loss"] == 0 and max(mark["deviation"]) < 0


def test_without_questions_the_rows_are_uneven():
    (system,), _ = live.example("life_of_a_job")
    given = system["settings"]
    losses, probes = [], []
    for limit in (0, given["probeLimit"]):
        found = dispatch.simulate_distributed(
            "JSQ", required_shares=given["shares"], loads=given["loads"], processors=given["processors"],
            probe_limit=limit, probe_service_time=given["probeTime"], migration_service_time=given["migrationTime"],
            jumps=20_000, warmup=2000, replications=5, seed=1,
        )  # fmt: skip
        losses.append(found.capacity_loss)
        probes.append(np.sum(found.wait.value))
    none, some = losses
    assert none.value - none.half_width > some.value + some.half_width and probes[0] == 0 < probes[1]


def test_interruptions_halve_the_queue_where_long_jobs_hold_it():
    found = marks("three_servers")
    assert (np.array(found[5,]["jobs"]) < 0.5 * np.array(found[0,]["jobs"])).all()


def test_a_slower_tracker_loses_jobs_and_idles_servers():
    (system,), _ = live.example("cluster_chain")
    given = system["settings"]
    sizes = {int(size): chance for size, chance in given["sizes"].items()}
    solved = [
        cluster_chain.ServiceCluster(
            given["processors"], given["queue"], sizes, given["arrivalRate"], rate, given["serviceRates"]
        ).solve()
        for rate in given["trackerRate"] * np.array([1.0, 0.8, 0.5, 0.3, 0.1])
    ]
    assert (np.diff([one.blocking for one in solved]) > 0).all()
    assert (np.diff([one.utilisation for one in solved]) < 0).all()
