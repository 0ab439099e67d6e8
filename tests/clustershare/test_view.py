"""What a processor knows: the words of the rules, and the rules themselves where everything is known."""

import os
import subprocess
import sys

import numpy as np
import pytest

import rules_as_python
from clustershare.compiled import service
from clustershare.dispatch import kernel, orders, state, view
from rules_as_python import SHARES, outcomes, random_states, seen


def test_the_words():
    known = seen([[1, 2, 0], [0, 0, 0], [1, 0, 3], [0, 0, 0], [1, 0, 1]], processors=10)

    def law(word, *about):
        return outcomes(lambda tape: word(known, tape, *about))

    assert law(orders.fewest, orders.TOTAL) == law(orders.an_idle_one) == {1: 0.5, 3: 0.5}
    assert law(orders.fewest_but_some, 0) == {4: 1} and law(orders.fewest_but_some, 1) == {0: 1}
    assert law(orders.most, orders.TOTAL) == {2: 1} and law(orders.most, 1) == {2: 1}
    assert law(orders.group_of_random_job, 2) == {-1: 1}
    assert orders.idle_ones(known) == 2 and orders.part_of_one(known) == 0.1 and not orders.knows_all(known)
    assert orders.own_of_fewest(known, 2) == -1 and orders.own_of_fewest(known, 3) == 0
    known.noted[view.OWN_FIRST] = 1
    assert law(orders.fewest, 3) == {1: 0.5, 3: 0.5} and law(orders.fewest, 2) == {1: 0.5, 3: 0.5}
    known.count[0] = 0
    assert law(orders.fewest, orders.TOTAL) == {0: 1}
    known.score[:] = np.inf
    assert law(orders.best_scored) == {-1: 1}
    orders.took(known, 7)
    state.move(known, None, 2, 3, 0, 0.0)
    assert known.noted[:5].tolist() == [7, 1, 2, 3, 0]


@pytest.mark.parametrize("local", [service.PS, service.GPPS])
def test_with_all_known_estimates_are_the_shares(local):
    system = state.empty(local, SHARES, np.full(4, 0.25), np.tile(SHARES, (4, 1)), by_group=False, timed=False)
    for rows in random_states(30, 4):
        kernel.bring(system, rows)
        for scale in (view.SCALED, view.UNSCALED):
            known = seen(rows, local)
            view.estimate(known, scale)
            for which in (state.OBTAINED_SHARE, state.FEASIBLE_SHARE):
                places = [state.of_group(g, which) for g in range(3)]
                assert np.abs(known.level[places] - system.level[places]).max() < 1e-12


def test_estimates_from_some():
    """The shares of the processors known times P / K, or their sums; feasible ones are at most those required."""
    known = seen([[1, 0, 0], [1, 1, 0]], service.PS, processors=6)
    for scale, obtained, feasible in (
        (view.SCALED, (0.75, 0.25, 0), (0.5, 0.3, 0)),
        (view.UNSCALED, (0.25, 1 / 12, 0), (1 / 3, 1 / 6, 0)),
    ):
        view.estimate(known, scale)
        found = state.of_groups(known.level)
        assert found[:, state.OBTAINED_SHARE] == pytest.approx(obtained)
        assert found[:, state.FEASIBLE_SHARE] == pytest.approx(feasible)
    assert view.share(known, 0, 1, 1) == 0.5 and known.count[0].tolist() == [1, 1, 0, 0]


def test_with_all_known_the_rules_are_the_central_ones():
    """As Python: with such views, and with choices for chance, nothing else would use what was compiled."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, rules_as_python.__file__], env=environment, capture_output=True, text=True
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["JSQ", "HP", "SVP", "DVP"]
