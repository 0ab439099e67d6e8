"""Processors that ask nobody: the page on the probe limit compares policies with these."""

import numpy as np
import pytest

from clustershare import splitting
from pages.share_scheduling.distributed import alone, limits
from pages.share_scheduling.distributed.measured import DEVIATION, LOSS, Measured


@pytest.mark.parametrize("case", alone.WHOLE)
def test_queues_of_own_processors_are_vertical_splitting(case):
    loss, missed = alone.routed(case)
    known = splitting.vertical(*alone.CASES[case], alone.PROCESSORS)
    assert loss == pytest.approx(known.capacity_loss, abs=1e-12)
    assert missed == pytest.approx(known.group_share_deviation, abs=1e-9)


def test_paths_of_the_plain_loop_lie_around_horizontal_splitting():
    found = alone.isolated_paths(runs=3, jumps=300)
    for quantity in (LOSS, DEVIATION):
        assert np.all(abs(found[quantity].value - alone.by_chance(quantity).value) < 3 * found[quantity].half)


def test_a_path_without_probing_is_that_of_isolation_but_for_static_partitions():
    assert alone.same_path("JSQ", 2) == (True, True)
    assert alone.same_path("SVP", 2) == (False, False)


def test_a_gain_is_held_against_a_part_of_the_reference():
    reference, found = Measured(np.array([2.0]), np.array([0.2])), Measured(np.array([[[1.5]]]), np.array([[[0.1]]]))
    gain = limits.substantial(found, reference, 0.1)
    assert gain.value.item() == pytest.approx(0.3)
    assert gain.half.item() == pytest.approx(np.hypot(0.18, 0.1))
    assert limits.against(found, reference).value.item() == pytest.approx(0.5)


def test_the_words_of_a_finding_name_the_point():
    values = np.zeros((4, 5, 2))
    values[2, 4, 1] = -1
    assert limits.extreme(values, (3, 7), largest=False) == "-1.000 (SVP, case 5, limit 7)"
    assert limits.of(values < 0) == "1 of 40"
    assert limits.where(np.ones((4, 5), bool)) == "cases 1, 2, 3, 4, 5: all"
