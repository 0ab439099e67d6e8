"""The page "Your own cluster": its log, its calculator, and a group that comes back."""

import gzip
import math

import numpy as np
import pandas as pd
import pytest

from clustershare.workload import Workload, describe, replay_dispatch
from compendium import logs
from executed_pages import execute
from pages.using import answers, calculator, log, returns


def test_the_log_is_made_again_byte_for_byte(tmp_path):
    """What is compressed is the same everywhere; how it is compressed is the business of a version of zlib."""
    log.write(tmp_path / "again.swf.gz")
    again, stored = ((path / name).read_bytes() for path, name in (
        (tmp_path, "again.swf.gz"), (log.PATH.parent, log.PATH.name)))  # fmt: skip
    assert gzip.decompress(again) == gzip.decompress(stored) == log.text().encode()
    assert again[4:8] == bytes(4)  # no time of writing


def test_the_log_is_read_whole_and_is_what_the_page_says():
    read = logs.read(log.PATH, groups="group")
    jobs = Workload(**read.jobs)
    assert read.found == () and read.servers == log.SERVERS and len(jobs) > 5000
    assert jobs.names == ("1", "2", "3") and 1 <= jobs.servers.min() <= jobs.servers.max() == log.WIDEST
    assert jobs.sizes.max() > 86400 and np.quantile(jobs.sizes, 0.1) < 300 and (jobs.estimates >= jobs.sizes).all()
    loads = describe(jobs, log.SERVERS).loads
    assert loads.sum() < 0.8 and loads[2] > log.PROMISED[2] and (loads[:2] < log.PROMISED[:2]).all()


def test_node_by_node_keeps_the_work():
    jobs = Workload([0, 1, 4], [2, 3, 1], groups=[0, 1, 1], servers=[2, 1, 3], names=("a", "b"), estimates=[2, 4, 1])
    tasks = log.node_by_node(jobs)
    assert tasks.sizes.sum() == (jobs.sizes * jobs.servers).sum() and tasks.names == jobs.names
    np.testing.assert_array_equal(tasks.groups, [0, 0, 1, 1, 1, 1])
    found = replay_dispatch(tasks, "JSQ", required_shares=(0.5, 0.5), processors=3)
    np.testing.assert_array_equal(np.sort(found.end), [2, 2, 4, 5, 5, 5])  # never two jobs on one of three


SHORT = 0.02  # hours: the fluid of the formula is of jobs that are small


@pytest.mark.parametrize("share", [0.5, 0.3])
@pytest.mark.parametrize("half_life", [2.0, 24.0, 168.0, math.inf])
def test_who_stayed_waits_as_the_formula_says(share, half_life):
    """The replay job by job, and the decay of what was used: the one knows nothing of the other."""
    absence, history = 30.0, 100.0
    jobs = returns.one_returns(share, absence, history, 80.0, SHORT, seed=3)
    found = returns.replayed(jobs, share, half_life)
    waited = returns.first_served(jobs, found, history + absence)
    # Which of two jobs is served when the group leaves shifts what it used by about the root of the jobs in memory.
    memory = min(half_life, history)
    assert abs(waited - returns.pushed_out(half_life, share, absence, history)) < 4 * SHORT + 0.02 * math.sqrt(memory)


@pytest.mark.parametrize("share", [0.5, 0.3])
def test_up_down_charges_who_stayed_by_difference(share):
    absence, history = 30.0, 100.0
    jobs = returns.one_returns(share, absence, history, 80.0, SHORT, seed=3)
    waited = returns.first_served(jobs, returns.replayed(jobs, share), history + absence)
    assert abs(waited - returns.pushed_out_by_up_down(share, absence)) < 0.4


def test_the_half_life_that_is_like_up_down():
    for share in (0.2, 0.5):
        life = returns.half_life_like_up_down(share, 72.0, 336.0)
        assert returns.pushed_out(life, share, 72.0, 336.0) == pytest.approx(returns.pushed_out_by_up_down(share, 72.0))
    assert returns.pushed_out(10.0, 0.3, 1e4) == pytest.approx(10 * math.log2(1 / 0.7))
    assert returns.pushed_out(1e7, 0.3, 5.0, 100.0) == pytest.approx(0.3 * 5 / 0.7, rel=1e-4)


def test_what_a_group_obtains_in_stretches_of_time():
    jobs = returns.one_returns(0.5, 30.0, 100.0, 60.0, 0.1, seed=1)
    found, edges = returns.replayed(jobs, 0.5, 10.0), np.array([0.0, 100.0, 130.0, 170.0])
    both = [returns.obtained(jobs, found, group, edges) for group in (0, 1)]
    np.testing.assert_allclose(np.sum(both, axis=0), 1, atol=1e-9)  # the server is never idle
    assert both[1][1] < 0.02 and both[1][0] == pytest.approx(0.5, abs=0.01)


FACTORS = {"exponential": 1.0, "constant": 0.9, "hyperexponential": 1.2}


def test_a_table_is_read_as_it_stands_at_its_points_and_between_them():
    points = pd.DataFrame(calculator.grid())
    points["loss"] = points["load"] * points["processors"] / 1000 * points["law"].map(FACTORS)
    points["deviation"] = -points["loss"]
    table, each, last = calculator.Table(points), calculator.BROUGHT[0], calculator.BROUGHT[2]
    for law, factor in FACTORS.items():
        axes = {"processors": calculator.PROCESSORS, "loads": calculator.LOADS} if factor == 1 else calculator.COARSE
        for promise in ("50, 30, 20", "50, 50"):
            found = table.read(law, promise, last, "JSQ", axes["processors"], (0.0, *axes["loads"]))
            exact = factor * np.outer(axes["processors"], (0.0, *axes["loads"])) / 1000
            np.testing.assert_allclose(found, np.stack([exact, -exact], axis=-1), atol=1e-12)
    between = {law: table.read(law, "50, 50", each, "JSQ", [64], [0.75])[0, 0] for law in FACTORS}
    assert 0.03 < between["exponential"][0] < 0.075 and between["exponential"][1] == -between["exponential"][0]
    assert between["constant"][0] < between["exponential"][0] < between["hyperexponential"][0]
    apart = table.read("constant", "50, 50", each, "SVP", [20, 25], [0.3, 0.7])
    assert np.isfinite(apart[0, 1]).all() and np.isnan(apart[1]).all() and np.isnan(apart[0, 0]).all()
    errors = table.errors(points.assign(loss=points["loss"] + 0.01).head(20))
    np.testing.assert_allclose(errors["loss off"], 0.01)
    np.testing.assert_allclose(errors["deviation off"], 0, atol=1e-12)
    np.testing.assert_allclose(calculator.moved_by_laws(points), 0.2 * 0.95 * 0.1)


@pytest.fixture(scope="module")
def table():
    return calculator.Table(calculator.rows(calculator.grid(), "book"))


ERRORS = {"JSQ": 0.008, "HP": 0.016, "SVP": 0.032, "DVP": 0.019, "SPILL": 0.033}  # as the page tells them


def test_the_calculator_is_as_near_as_it_says(table):
    """95 of 100 clusters within the stated error, of those that were drawn when the rule for it stood."""
    stated = calculator.stated(table, "book")
    assert np.ceil(1e3 * stated).div(1e3).to_dict() == ERRORS
    checked = calculator.held_against(table, 2, "book")
    within = checked["off"] <= checked["policy"].map(stated)
    assert (checked["policy"].value_counts() == calculator.CLUSTERS).all()
    assert (within.groupby(checked["policy"]).mean() >= 0.95).all()


def test_the_error_is_of_a_size_that_keeps_95_of_100():
    """By Wilks's rule; and of numbers drawn here, where the part that lies within is known."""
    assert 0.95**calculator.CLUSTERS < 0.01 < 0.95 ** (calculator.CLUSTERS - 1)
    kept = np.random.default_rng(1).uniform(size=(20_000, calculator.CLUSTERS)).max(axis=1)
    assert np.mean(kept < 0.95) == pytest.approx(0.95**calculator.CLUSTERS, abs=0.003)


def test_points_that_the_table_is_held_against_are_none_of_its_own():
    own = {tuple(point.values()) for point in calculator.grid()}
    first, second = ({tuple(point.values()) for point in calculator.fresh(seed)} for seed in (1, 2))
    assert len(first) == len(second) == calculator.CLUSTERS * len(calculator.POLICIES)
    assert not own & first and not own & second and not first & second


def test_what_the_calculator_asks_is_what_its_words_say():
    assert calculator.split((0.5, 0.5), calculator.BROUGHT[1], 0.9) == pytest.approx((0.6, 0.3))
    assert calculator.split((0.8, 0.1, 0.1), calculator.BROUGHT[2], 0.55) == pytest.approx((0.4, 0.05, 0.1))
    for point in calculator.grid()[::97]:
        given = calculator.system(**point)
        assert sum(given["loads"]) == pytest.approx(point["load"]) and sum(given["required_shares"]) == pytest.approx(1)


def test_the_fewest_servers_hold_from_there_on():
    values = pd.Series({10: 5.0, 20: 1.0, 30: 2.5, 40: 1.5, 50: 1.0})
    assert answers.fewest(values, 2.0) == 40 and answers.fewest(values, 9.0) == 10
    assert np.isnan(answers.fewest(values, 0.5))


@pytest.mark.proof
def test_the_page_of_another_cluster(tmp_path):
    """Fewer nodes lose more and need no other log; a smaller promise waits less for who comes back."""
    values = execute(
        "your_cluster", tmp_path, servers=34, promised=[0.4, 0.3, 0.3], replications=3, share=0.25, absence=24.0
    )
    assert values["own-loss"] > 0.06 and values["own-load"] > 0.8
    assert values["own-up-down"] == pytest.approx(returns.pushed_out_by_up_down(0.25, 24.0), abs=0.5)
    assert values["own-returns-off"] < 1 and values["own-life"] < 24
