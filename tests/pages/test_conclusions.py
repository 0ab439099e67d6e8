"""What the page on the conclusions computes anew: the best placement, jobs in turn, whole processors."""

import numpy as np
import pytest

from clustershare import splitting
from pages.share_scheduling.central.witnesses import lengths
from pages.share_scheduling.conclusions.points import very_many
from pages.share_scheduling.conclusions.witnesses import in_turn
from pages.share_scheduling.conclusions.witnesses.placement import best_placement
from pages.share_scheduling.objectives import queues


@pytest.mark.parametrize(("processors", "load", "most"), [(2, 0.3, 30), (2, 0.7, 30), (3, 0.5, 15)])
def test_the_best_placement_loses_what_the_shortest_queue_loses(processors, load, most):
    found, probability = lengths.law(load, processors, 2 * most, 15 if processors == 2 else 8)
    able = np.minimum(found.sum(axis=1), processors) - (found > 0).sum(axis=1)
    expected = float(probability @ able) / processors
    assert best_placement(load, [1 / processors] * processors, most).loss == pytest.approx(expected, abs=1e-9)


def test_a_slow_processor_is_left_idle():
    values = best_placement(0.5, [10 / 11, 1 / 11], 20).values
    assert values[0, 1, 0] < values[1, 1, 0]  # the fast one has a job, the slow one none
    assert values[1, 20, 0] < values[0, 20, 0] == np.inf


@pytest.mark.parametrize(("processors", "load"), [(2, 0.2), (2, 0.7), (3, 0.5)])
def test_jobs_in_turn_are_as_many_as_at_each_processor_alone(processors, load):
    law = in_turn.number_law(load, processors)
    assert law @ np.arange(len(law)) == pytest.approx(processors * load * queues.cyclic(processors, load), rel=1e-6)


@pytest.mark.parametrize("processors", [2, 3])
def test_jobs_by_chance_are_split_at_random(processors):
    law, own, shares = in_turn.number_law(0.5, processors, cyclic=False), (0.2, 0.3), (0.6, 0.4)
    expected = splitting.horizontal(shares, own, [1 / processors] * processors)
    assert in_turn.capacity_loss(0.5, law, processors) == pytest.approx(expected.capacity_loss, abs=1e-7)
    found = in_turn.share_deviations(own, shares, law, processors)
    assert found == pytest.approx(expected.group_share_deviation, abs=1e-7)


def test_whole_processors_add_up_and_are_near():
    shares = very_many.random_shares(200, 4)
    assert shares.min() >= 0.05 and shares.sum(axis=1) == pytest.approx(1)
    whole = very_many.rounded(shares, 37)
    assert (whole.sum(axis=1) == 37).all() and np.abs(whole - 37 * shares).max() < 1


def test_a_spread_is_between_the_extremes():
    assert very_many.spread([(0.1, 0.3), (0.5, 0.4), (0.2, 9.0)]) == pytest.approx((0.4, 0.5))
