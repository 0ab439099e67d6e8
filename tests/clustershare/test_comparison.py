"""Policies side by side for a log: by hand, beside the simulators of the models, and beside formulas."""

import math

import numpy as np
import pytest

from clustershare import cluster_chain, dispatch
from clustershare.estimates import from_replications
from clustershare.results import from_dict
from clustershare.sizes import Exponential, Gamma
from clustershare.workload import (
    CHANGES,
    Laws,
    Workload,
    compare,
    describe,
    fewest_servers,
    fitted,
    laws,
    lublin_feitelson,
    partings,
    policies,
    replay_cluster,
    replay_dispatch,
    stated,
    theory,
    without,
)

SHARES = (0.5, 0.5)
BASIC = Laws((1.6, 1.6), Exponential(), names=("a", "b"))


def test_a_log_of_what_theory_assumes_is_replayed_as_theory_says():
    """Of each policy that theory answers for; logs of M/M/1 queues among them: HPRS on four servers."""
    names = ("HPRS PS", "VPRS PS", "JSQ PS, migrating", "FCFS")
    found = [compare(BASIC.draw(12_000, seed=k), SHARES, 4, policies=names, replications=2, seed=k) for k in range(8)]
    for name in names:
        both = [(one.answer(name), one.answer(name, "theory")) for one in found]
        if name in ("HPRS PS", "VPRS PS"):
            assert all(told.method == "formula" for _, told in both)
        exact = theory.answer(
            name, theory.Demand(3.2, np.array([[0.5], [0.5]]), np.ones((2, 1)), np.ones(1, int)), SHARES, 4
        )
        for measure, value in zip(("capacity_loss", "deviations", "slowdowns"), exact[1:], strict=True):
            seen = from_replications([np.atleast_1d(getattr(replay, measure)) for replay, _ in both])
            assert (abs(seen.value - value) <= 2 * seen.half_width + 2e-3).all(), (name, measure, seen, value)


def test_simulation_by_resampling_is_that_of_the_simulator():
    """The laws of `fitted`, in the event loop that draws its own jobs."""
    rng = np.random.default_rng(5)
    times = np.repeat(rng.gamma(0.4, 1.0, 1500).cumsum(), rng.integers(1, 4, 1500))
    groups = rng.integers(0, 2, len(times))
    rate = (len(times) - 1) / np.ptp(times)
    work = Workload(times, rng.lognormal(0, 0.8, len(times)) * (1 + groups) / rate, groups)
    found = compare(work, SHARES, 3, policies=["JSQ PS"], replications=16, jobs=6000).answer("JSQ PS", "simulation")
    asked = dispatch.simulate_central(
        "JSQ", required_shares=SHARES, **fitted(work, "dispatch", servers=3), jumps=60_000, warmup=3000, seed=1
    )
    loss = found.capacity_loss - asked.capacity_loss
    deviation = found.deviations - asked.group_share_deviation
    assert abs(loss.value) < 2 * loss.half_width
    assert (abs(deviation.value) < 2 * deviation.half_width).all()


def test_measures_by_hand():
    """Two jobs share the one server from 1 to 3, and the next has it until 4."""
    jobs = Workload([0, 1], [2, 2], groups=[0, 1])
    row = policies.measures("HPRS PS", jobs, np.array(SHARES), 1, 1.0, 0)
    np.testing.assert_allclose(row[:1], 0, atol=1e-12)
    np.testing.assert_allclose(row[3:5], [3 / 2, 3 / 2])
    np.testing.assert_allclose(row[5:], [1.5, 1.5])
    # Feasible: half of the server while the group is there, 3 of 4 units; obtained: 2 of 4.
    np.testing.assert_allclose(row[1:3], [(1.5 - 2) / 4 / 0.5] * 2)


def test_own_servers_are_replays_of_their_own():
    """VPRS: two groups that share nothing; one job after the other on one server each."""
    jobs = Workload([0, 0, 1], [2, 3, 1], groups=[0, 1, 0])
    found = policies.replayed("VPRS PS", jobs, np.array(SHARES), 2, 1.0, 0)
    np.testing.assert_allclose(found.end, [3, 3, 3])
    assert found.capacity_loss == pytest.approx(0)
    assert compare(jobs, SHARES, 3, policies=["VPRS PS", "FCFS"], replications=2).left_out[0][0] == "VPRS PS"


def test_policies_that_cannot_begin_are_left_out_and_said():
    """The best partition of many groups is not looked for."""
    groups = 21
    jobs = Workload(np.arange(42), np.full(42, 2.0), np.arange(42) % groups)
    shares, names = (1 / groups,) * groups, ["SVP PS", "JSQ PS"]
    found = compare(jobs, shares, 4, policies=names, replications=2)
    assert found.policies == ("JSQ PS",) and "20; there are 21" in dict(found.left_out)["SVP PS"]
    fewest = fewest_servers(jobs, shares, deviation=1.0, slowdown=9.0, policies=names)
    assert [one.policy for one in fewest] == ["JSQ PS"] and fewest[0].servers > 0


def test_every_policy_is_the_replay_of_its_name():
    jobs, given = BASIC.draw(300, seed=2), {"required_shares": SHARES}
    assert compare(jobs, SHARES, 4, replications=2, jobs=100).policies == policies.AT_ONE_SERVER
    on_four = {**given, "processors": 4, "seed": 3}
    for name, asked in (
        ("HPRS GPPS", replay_dispatch(jobs, "JSQ(1)", local="GPPS", **on_four)),
        ("JSQ GPPS, migrating", replay_dispatch(jobs, "JSQ", local="GPPS", migration=True, **on_four)),
        ("SVP PS", replay_dispatch(jobs, "SVP", **on_four)),
        ("EASY, exact", replay_cluster(jobs, 4, "EASY", exact_estimates=True, **given)),
        ("fair share, forgetting", replay_cluster(jobs, 4, "fair share", half_life=5.0, **given)),
    ):
        row = policies.measures(name, jobs, np.array(SHARES), 4, 5.0, 3)
        np.testing.assert_allclose(row[:3], [asked.capacity_loss, *asked.group_share_deviation], atol=1e-12)
        for g in range(2):
            own = jobs.groups == g
            assert row[3 + g] == pytest.approx(asked.response[own].mean() / jobs.sizes[own].mean())
            assert row[5 + g] == pytest.approx(np.quantile(asked.slowdown[own], 0.95))


def test_parallel_jobs_by_the_chain():
    """FCFS of jobs that take one server or two: waits by the chain of a cluster, and by simulation of it."""
    both = Laws((0.5, 0.3), Exponential(), needs={1: 0.6, 2: 0.4})
    found = compare(both, SHARES, 3, policies=["FCFS"], replications=20)
    told, seen = (found.answer("FCFS", by) for by in ("theory", "simulation"))
    assert told.method == "chain" and math.isnan(told.capacity_loss)
    assert (abs(seen.slowdowns.value - told.slowdowns) < 2 * seen.slowdowns.half_width).all()
    cluster = cluster_chain.ServiceCluster(3, 100, {1: 0.6, 2: 0.4}, 0.8, 8000.0, 1.0).solve()
    assert told.slowdowns[0] == pytest.approx(float(np.dot([0.6, 0.4], cluster.mean_response)))
    wide = compare(lublin_feitelson(400), SHARES, 128, replications=2)
    assert wide.policies == ("FCFS", "first fit", "EASY", "fair share", "fair share, forgetting")
    assert "states" in wide.answer("FCFS", "theory").note


def test_the_unbeaten_by_hand():
    found = compare(BASIC.draw(3000, seed=1), SHARES, 4, replications=2, jobs=200)
    rows = {name: np.maximum([found.answer(name).capacity_loss, found.answer(name).deviation,
                              found.answer(name).slowdown], 0) for name in found.policies}  # fmt: skip
    for name, row in rows.items():
        better = [other for other, its in rows.items() if (its <= row - [0.002, 0.002, 0.02]).all()]
        assert not (better and name in found.best)
        if name not in found.best:
            assert any((its <= row + [0.001, 0.001, 0.01]).all() for other, its in rows.items() if other in found.best)
    assert found.recommended(["sharing"]) in [name for name in found.policies if policies.kind(name) == "sharing"]
    assert found.recommended(deviation=-1) is None


def test_the_fewest_servers_keep_the_bounds_and_one_less_does_not():
    jobs = BASIC.draw(4000, seed=3)
    for one in fewest_servers(jobs, SHARES, deviation=0.05, slowdown=1.5, policies=["HPRS PS", "FCFS", "EASY"], seed=4):
        seed = int(np.random.Generator(np.random.PCG64(np.random.SeedSequence(4))).integers(2**32))
        for servers in (one.servers, one.servers - 1):
            row = policies.measures(one.policy, jobs, np.array(SHARES), servers, 1.0, seed)
            kept = row[1:3].max() <= 0.05 and row[3:5].max() <= 1.5
            assert kept == (servers == one.servers)
    assert fewest_servers(jobs, SHARES, deviation=0.0, slowdown=1e-9, policies=["FCFS"], most=9)[0].servers == 0


# --- What is taken out of a log ---------------------------------------------------------------------------------------


def daily(seed=1, jobs=4000):
    """Jobs that come by day alone, in the order of their sizes within a day."""
    rng = np.random.default_rng(seed)
    times = np.sort(rng.integers(0, 30, jobs) + rng.beta(3, 3, jobs)) * 100
    sizes = rng.lognormal(0, 1.5, jobs) * (1 + (times % 100 > 50))
    return Workload(times, sizes, rng.integers(0, 2, jobs), rng.integers(1, 4, jobs))


@pytest.mark.parametrize("change", CHANGES)
def test_one_thing_is_taken_out_and_the_rest_stays(change):
    work = daily()
    found = without(work, change, day=100.0, seed=2)
    kept = {
        "sizes": change in ("order of the jobs", "law of the sizes", "everything"),
        "arrivals": change not in ("order of the jobs", "law of the sizes"),
    }
    for name, moved in kept.items():
        assert np.array_equal(getattr(found, name), getattr(work, name)) != moved
    np.testing.assert_array_equal(np.bincount(found.groups), np.bincount(work.groups))
    assert np.ptp(found.arrivals) == pytest.approx(np.ptp(work.arrivals))
    if change != "everything":  # whose sizes are drawn
        np.testing.assert_allclose(describe(found, 8).loads, describe(work, 8).loads, rtol=1e-9)
    if change in ("order of the gaps", "daily cycle"):
        assert (
            np.nanmax(describe(found, day=100.0).daily_cycle) < 1.4 < np.nanmax(describe(work, day=100.0).daily_cycle)
        )
    if change == "order of the gaps":
        np.testing.assert_allclose(np.sort(np.diff(found.arrivals)), np.sort(np.diff(work.arrivals)), atol=1e-9)
    if change == "law of the sizes":
        for group in range(2):
            own = (work.groups == group) & (work.servers == 1)
            np.testing.assert_array_equal(np.argsort(found.sizes[own]), np.argsort(work.sizes[own]))
            assert describe(Workload(np.arange(own.sum()), found.sizes[own])).size_squared_variation == pytest.approx(
                1, abs=0.05
            )
    if change == "law of the gaps":
        assert describe(found).gap_squared_variation == pytest.approx(1, abs=0.05)


def test_what_is_taken_out_is_what_parts_theory_and_replay():
    """Groups that take turns: only the order of the jobs is not as theory assumes, and only without it they agree."""
    rng = np.random.default_rng(7)
    groups = np.arange(8000) // 400 % 2
    work = Workload(rng.exponential(1, 8000).cumsum(), rng.exponential(3.2, 8000), groups)
    found = compare(work, SHARES, 4, policies=["JSQ PS, migrating"], replications=6)
    (part,) = partings(work, SHARES, 4, ["JSQ PS, migrating"], compared=found, replications=6, day=1e6)
    at = part.changes.index("order of the jobs")
    apart = part.replay[1] - part.theory[1]
    assert abs(apart) > 3 * part.chance[1]
    effects = part.effects.value[:, 1]
    assert abs(effects[at] - apart) < 0.3 * abs(apart)
    others = [part.changes.index(one) for one in ("order of the gaps", "law of the gaps", "law of the sizes")]
    assert (abs(effects[others]) < 0.3 * abs(apart)).all()


def test_exponential_sizes_have_the_law_and_keep_the_order():
    rng = np.random.default_rng(1)
    values = rng.pareto(1.5, 1000) + 1
    found = laws.exponential_by_rank(values, rng)
    np.testing.assert_array_equal(np.argsort(found), np.argsort(values))
    assert found.mean() == pytest.approx(values.mean())
    assert np.mean(found > values.mean()) == pytest.approx(math.exp(-1), abs=0.01)


# --- A few numbers, and what answers carry ----------------------------------------------------------------------------


def test_laws_from_a_few_numbers():
    for variation in (0.0, 0.5, 1.0, 4.0):
        made = stated((0.3, 0.2), 10, mean_size=2.0, squared_variation=variation, needs={1: 0.5, 3: 0.5})
        jobs = made.draw(40_000, seed=1)
        np.testing.assert_allclose(describe(jobs, 10).loads, [0.3, 0.2], rtol=0.05)
        assert describe(jobs).size_squared_variation == pytest.approx(variation, rel=0.1, abs=1e-9)
    found = compare(stated((0.4, 0.4), 4), SHARES, 4, policies=["FCFS", "HPRS PS"], replications=2)
    assert found.judged_by == "simulation" and {one.by for one in found.answers} == {"theory", "simulation"}
    assert found.answer("HPRS PS", "theory").slowdown == pytest.approx(5)
    slow = compare(Laws((3.0, 3.0), (Exponential(), Gamma(0.2, 2.0))), SHARES, 4, policies=["FCFS"], replications=2)
    np.testing.assert_allclose(slow.loads, [0.75, 0.15])


def test_answers_become_frames_and_dictionaries():
    found = compare(BASIC.draw(200, seed=1), SHARES, 4, policies=["FCFS", "JSQ PS"], replications=2)
    frame = found.to_frame()
    assert len(frame) == 2 * 3 * 2 and list(frame["group"][:2]) == ["a", "b"]
    replayed = frame[(frame["by"] == "replay") & (frame["policy"] == "FCFS")]
    np.testing.assert_allclose(replayed["slowdown"], found.answer("FCFS").slowdowns)
    assert from_dict(found.to_dict()) == found
    assert found.again() == found
    watched = []
    compare(BASIC, SHARES, 4, policies=["FCFS", "EASY"], jobs=50, watch=lambda *one: watched.append(one))
    assert watched == [("FCFS", 2), ("EASY", 1)]


WRONG = [
    ({"promised": (0.5, 0.4)}, "promised"),
    ({"promised": (0.5, 0.3, 0.2)}, "promised must be a sequence of 2 shares"),
    ({"servers": 0}, "servers"),
    ({"policies": ["XYZ PS"]}, "policies"),
    ({"policies": ["VPRS GPPS"]}, "policies"),
    ({"policies": ["FCFS", "FCFS"]}, "policies must be different"),
    ({"replications": 1}, "replications"),
    ({"jobs": 1}, "jobs"),
    ({"workload": 3}, "workload"),
    ({"day": 0}, "day"),
]


@pytest.mark.parametrize(("change", "sentence"), WRONG)
def test_wrong_arguments_are_named(change, sentence):
    given = {"workload": BASIC, "promised": SHARES, "servers": 4, "jobs": 50}
    with pytest.raises(ValueError, match=f"^{sentence}"):
        compare(**{**given, **change})


def test_wrong_laws_and_policies_of_parallel_jobs():
    with pytest.raises(ValueError, match="^servers must be"):
        compare(Workload([0, 1], [1, 1], [0, 1], servers=[1, 4]), SHARES, 3)
    with pytest.raises(ValueError, match="several servers"):
        compare(Workload([0, 1], [1, 1], [0, 1], servers=[1, 4]), SHARES, 4, policies=["JSQ PS"])
    for wrong in ((0, 1), (1.0,)):
        with pytest.raises(ValueError, match="^(arrival_rates|sizes|names)"):
            Laws(wrong, [Exponential()] * 2)
    with pytest.raises(ValueError, match="^needs"):
        stated((0.5,), 4, needs={})
    with pytest.raises(ValueError, match="^change"):
        without(Workload([0, 1], [1, 1]), "daily cycle")
    with pytest.raises(ValueError, match="^workload"):
        partings(BASIC, SHARES, 4, ["FCFS"])
