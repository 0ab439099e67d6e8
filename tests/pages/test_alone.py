"""Processors that ask nobody: the page on the probe limit compares policies with these."""

import numpy as np
import pytest

from clustershare import splitting
from pages.share_scheduling.distributed.points.stored import DEVIATION, LOSS
from pages.share_scheduling.distributed.witnesses import alone


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
