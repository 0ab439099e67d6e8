"""The path in the sources' words, the networks of two phases, and intervals that hold jointly."""

import numpy as np
import pytest

from clustershare.multiserver import CompatibilityGraph, RandomAssignment
from clustershare.sizes import Deterministic, Exponential
from compendium.press.clauses import measured
from compendium.press.clauses.conditions import agrees
from pages.balanced_fairness.systems import numbers
from pages.balanced_fairness.witnesses.drawn_servers import drawn_servers
from pages.balanced_fairness.witnesses.networks import ONE_PHASE, TWO_IN_A_ROW, TwoPhases, sharing_law
from pages.balanced_fairness.witnesses.paths import path, ratio_of

GRAPH = CompatibilityGraph([{0, 2}, {1, 2}], [1.0, 0.5, 2.0])


def test_a_path_counts_each_job_once():
    found = path(GRAPH, [0.6, 0.4], Exponential(), 5000, theta=0.5, until_empty=True, visits=9000, seed=1)
    # From an empty system to an empty one, the delays of the jobs are the area under their number.
    np.testing.assert_allclose(found.delays, found.jobs)
    assert found.left == 0 and found.most == 1 and found.gap < 1e-12
    assert found.present.sum() == pytest.approx(found.time)
    assert found.hits.sum() == found.interruptions.sum() == len(found.visits)
    capacity = np.array([sum(c for s, c in enumerate(GRAPH.capacities) if own >> s & 1) for own in range(8)])
    np.testing.assert_allclose(found.exposure @ capacity, found.work)


def test_a_path_of_equal_jobs_is_known():
    one = CompatibilityGraph([{0}], [2.0])
    found = path(one, [0.5], Deterministic(3.0), 0, jobs=50, until_empty=True, quantum=1.0, log=400)
    assert found.departures == [50] and found.work == pytest.approx([150.0])
    assert found.interruptions == [100]  # after one and two of three units of work


def test_a_wrong_rule_is_seen():
    for rule in ("one", "youngest"):
        found = path(GRAPH, [0.6, 0.4], Exponential(), 5000, rule=rule)
        assert found.most > 1 and found.gap > 0.1


def test_servers_are_drawn_without_repetition():
    found = path(RandomAssignment(5, 2), [1.0], Exponential(), 2000)
    assert found.departures > 900
    drawn = drawn_servers(7, 3, np.random.default_rng(0).random((500, 3)))
    assert all(len(set(row)) == 3 for row in drawn.tolist()) and drawn.min() == 0 and drawn.max() == 6


def test_processor_sharing_of_one_class_forgets_the_sizes():
    phi = {x: (float(x[0] > 0),) for x in numbers(1, 5)}
    geometric = 0.7 ** np.arange(6) / (0.7 ** np.arange(6)).sum()
    for law in (ONE_PHASE, TWO_IN_A_ROW, TwoPhases((0.3, 0.7), (0.5, 1.75), 0.0)):
        assert law.mean == pytest.approx(1.0)
        np.testing.assert_allclose(sharing_law([0.7], [law], phi, 5), geometric)


def test_intervals_hold_jointly():
    rng, outside = np.random.default_rng(4), 0
    for _ in range(200):
        value, half_width = ratio_of(rng.normal(2.0, 0.5, (10, 20)), rng.uniform(0.9, 1.1, (10, 20)))
        off = measured(value - 2.0, half_width, runs=10, ratio=None)
        outside += agrees().outside(off, off.widened(20)).any()
    assert 1 <= outside <= 22  # of 200 families, one in twenty
