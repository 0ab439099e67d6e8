import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clustershare import shares


def test_one_processor_is_all_or_nothing():
    # (2.27)
    assert shares.feasible_group_share(0.3, 0, 1) == 0
    assert shares.feasible_group_share(0.3, [1, 5], 1) == pytest.approx([0.3, 0.3], abs=0)


def test_three_processors_of_the_source():
    # (2.32)-(2.34): a single job of group 1 can occupy a third of the capacity, though group 1 requires a half
    table = shares.feasible_group_share([[0.5], [0.25], [0.25]], [[0, 1, 2, 3]], 3)
    np.testing.assert_array_equal(table, [[0, 1 / 3, 0.5, 0.5], [0, 0.25, 0.25, 0.25], [0, 0.25, 0.25, 0.25]])


@settings(max_examples=50, deadline=None, derandomize=True)
@given(st.floats(0.01, 1), st.integers(0, 50), st.integers(1, 20))
def test_feasible_share_is_the_smaller_claim_and_grows_with_jobs(required, jobs, processors):
    feasible = shares.feasible_group_share(required, jobs, processors)
    assert isinstance(feasible, float)
    assert feasible in (required, jobs / processors) and feasible <= min(required, jobs / processors)
    assert shares.feasible_group_share(required, jobs + 1, processors) >= feasible


@settings(max_examples=50, deadline=None, derandomize=True)
@given(st.floats(0, 1), st.floats(0, 1), st.floats(0.01, 1))
def test_deviation_is_relative_to_the_required_share(feasible, obtained, required):
    deviation = shares.group_share_deviation(feasible, obtained, required)
    assert deviation * required == pytest.approx(feasible - obtained, abs=1e-12)
    assert isinstance(deviation, float)


def test_required_shares_are_a_tuple():
    assert shares.required_shares("required_shares", np.array([0.5, 0.3, 0.2])) == (0.5, 0.3, 0.2)
    assert shares.required_shares("required_shares", (0.5, 0.5 + 5e-10)) == (0.5, 0.5 + 5e-10)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: shares.required_shares("r", [1.0]), "r[0] must be a finite number, above 0 and below 1; got 1.0."),
        (lambda: shares.required_shares("r", [0.5]), "r must be the shares of at least 2 groups; got [0.5]."),
        (
            lambda: shares.required_shares("r", [0.5, 0.6]),
            "r must be shares that sum to 1 (they sum to 1.1); got [0.5, 0.6].",
        ),
        (
            lambda: shares.required_shares("r", [0.5, 0.5 + 3e-9]),
            "r must be shares that sum to 1 (they sum to 1.000000003); got [0.5, 0.500000003].",
        ),
        (lambda: shares.required_shares("r", 0.5), "r must be a non-empty sequence; got 0.5."),
        (
            lambda: shares.feasible_group_share(0, 1, 1),
            "required_share must be finite and above 0 and at most 1; got 0.0.",
        ),
        (
            lambda: shares.feasible_group_share("half", 1, 1),
            "required_share must be finite and above 0 and at most 1; got 'half'.",
        ),
        (lambda: shares.feasible_group_share(0.5, -1, 1), "jobs must be finite and at least 0; got -1.0."),
        (lambda: shares.feasible_group_share(0.5, 1.5, 1), "jobs must be whole numbers; got 1.5."),
        (lambda: shares.feasible_group_share(0.5, 1, 0), "processors must be an integer of at least 1; got 0."),
        (
            lambda: shares.group_share_deviation(0.5, [0.2, 1.2], 0.5),
            "obtained must be finite and at least 0 and at most 1; got 1.2.",
        ),
        (
            lambda: shares.group_share_deviation(float("nan"), 0.2, 0.5),
            "feasible must be finite and at least 0 and at most 1; got nan.",
        ),
        (
            lambda: shares.group_share_deviation(0.5, 0.2, 1.5),
            "required must be finite and above 0 and at most 1; got 1.5.",
        ),
    ],
)
def test_bad_values_are_answered_with_a_sentence(call, sentence):
    with pytest.raises(ValueError) as raised:
        call()
    assert str(raised.value) == sentence
