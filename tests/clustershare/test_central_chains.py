"""The chains that witness Chapter 5 of `thesis`: against each other, against the printed rules and the library."""

from fractions import Fraction

import numpy as np
import pytest

from clustershare import dispatch
from pages.share_scheduling.central.printed import closed_forms
from pages.share_scheduling.central.printed.rules import Rules
from pages.share_scheduling.central.witnesses import groups_apart, lengths
from pages.share_scheduling.central.witnesses.reached import reached

SHARES = (Fraction(7, 10), Fraction(3, 10))


@pytest.mark.parametrize("policy", ("JSQ", "HP"))
@pytest.mark.parametrize("migration", (False, True))
@pytest.mark.parametrize("processors", (2, 3))
def test_all_at_once_as_state_by_state(policy, migration, processors):
    most = 5 if processors == 2 else 4
    rules = Rules(policy, SHARES, processors, migration)
    expected = {}
    for state, found in reached(rules, most).items():
        for event in found:
            rate = 1.0
            if event.processor is not None:
                rate = float(rules.served(event.processor, state[event.processor])[event.group]) / processors
            for outcome in event.outcomes:
                key = (state, outcome.state, event.group if event.processor is None else -1)
                expected[key] = expected.get(key, 0.0) + float(outcome.probability) * rate
    jobs, rows, columns, factors, kinds = groups_apart.chain(policy, migration, "PS", (0.7, 0.3), processors, most)
    names = [tuple(map(tuple, state)) for state in jobs.tolist()]
    got = {}
    for row, column, factor, kind in zip(rows, columns, factors, kinds):
        key = (names[row], names[column], int(kind))
        got[key] = got.get(key, 0.0) + factor
    assert got == pytest.approx(expected)


def test_groups_do_not_change_the_lengths():
    jobs, probability = groups_apart.law("JSQ", False, "PS", (0.5, 0.5), (0.1, 0.3), 2, 20)
    assert lengths.mean_jobs(0.4, 2, 20, 20) == pytest.approx(probability @ jobs.sum(axis=(1, 2)), abs=1e-9)
    one_line = np.arange(41) @ dispatch.numbers_in_one_line(0.4, 3, 40)
    assert lengths.mean_jobs(0.4, 3, 40, 1, migration=True) == pytest.approx(one_line, abs=1e-9)


def test_a_job_that_never_leaves():
    """Placed and moved by chance alone, it has what one queue leaves it."""
    found, probability = lengths.law(0.5, 2, 60, 60, shortest=False, tagged=True)
    assert probability @ (1 / found[:, 0]) == pytest.approx(0.5, abs=1e-6)


def test_a_system_by_hand():
    """Two processors, loads and promises alike: 10 / 27."""
    group = closed_forms.Group(Fraction(1, 2), Fraction(2, 5), Fraction(4, 5), 2)
    assert closed_forms.last_form(group) == Fraction(10, 27)
    found = dispatch.shortest_queue_with_migration((0.5, 0.5), (0.4, 0.4), 2).group_share_deviation
    assert found * 0.5 + 0.4 == pytest.approx(10 / 27)


def test_the_law_of_one_line():
    law = dispatch.numbers_in_one_line(0.6, 4, 200)
    assert law.sum() == pytest.approx(1)
    assert law[4:].sum() == pytest.approx(dispatch.queueing_probability(0.6, 4))
    with pytest.raises(ValueError, match="most must be"):
        dispatch.numbers_in_one_line(0.6, 4, -1)
    with pytest.raises(ValueError, match="required_share must be"):
        dispatch.own_processors(0.0, 3)
