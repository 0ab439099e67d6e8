"""States, what can be delivered, partitions, and executions."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clustershare import shares
from clustershare.delivery import deliver
from clustershare.execution import execute
from clustershare.partitions import full_partition, one_to_one_partition, partition, partitioned_feasible_share
from clustershare.results import NoExactAnswer
from clustershare.shares import State
from pages.share_scheduling.objectives import complications

RELAXED = settings(max_examples=25, deadline=None, derandomize=True)
systems = st.lists(st.floats(0.1, 5), min_size=1, max_size=4).map(lambda values: sorted(values, reverse=True))


@RELAXED
@given(systems, st.lists(st.integers(0, 4), min_size=2, max_size=3), st.integers(0, 2**32 - 1))
def test_what_a_state_says_is_consistent(capacities, jobs, seed):
    rng = np.random.default_rng(seed)
    who = complications.members(jobs)
    weights = rng.random((len(who), len(capacities)))
    weights /= max([1.0, *weights.sum(axis=0), *weights.sum(axis=1)]) if who else 1.0
    required = rng.dirichlet(np.ones(len(jobs)))
    state = State(capacities, required, who, weights)
    assert state.jobs.tolist() == jobs
    assert state.obtained_on_processors.sum() == pytest.approx(state.total_obtained_share)
    assert state.obtained_group_shares.sum() == pytest.approx(state.obtained_job_shares.sum())
    assert (state.feasible_group_shares <= state.maximum_feasible_group_shares + 1e-12).all()
    assert (state.obtained_group_shares <= shares.maximum_obtainable_share(jobs, capacities) + 1e-12).all()
    assert -1e-12 <= state.capacity_loss <= 1
    assert ((state.job_share_deviations >= -1e-12) & (state.job_share_deviations <= 1)).all()


@RELAXED
@given(systems, st.lists(st.integers(0, 3), min_size=2, max_size=3), st.integers(0, 2**32 - 1))
def test_the_feasible_share_is_always_delivered_and_the_weights_do_it(capacities, jobs, seed):
    required = np.random.default_rng(seed).dirichlet(np.ones(len(jobs)))
    who = complications.members(jobs)
    wanted = shares.feasible_group_share(required, jobs, len(capacities))
    found = deliver(wanted, who, capacities, lossless=True)
    assert found.feasible
    state = State(capacities, required, who, np.clip(found.weights, 0, 1) * (1 - 1e-9))
    assert state.group_share_deviations.max() < 1e-6 and state.capacity_loss < 1e-6


def test_branch_and_bound_finds_the_best_placement():
    rng = np.random.default_rng(4)
    for _ in range(8):
        capacities = np.sort(rng.integers(1, 4, size=3))[::-1].tolist()
        who = rng.integers(3, size=3).tolist()
        wanted = rng.dirichlet(np.ones(3)).tolist()
        best = deliver(wanted, who, capacities, migration=False)
        tried = [deliver(wanted, who, capacities, placement=p).margin for p in itertools.product(range(3), repeat=3)]
        assert best.margin == pytest.approx(max(tried), abs=1e-6)
        assert deliver(wanted, who, capacities).margin >= best.margin - 1e-6
        assert ((best.weights > 1e-6).sum(axis=1) <= 1).all()


def test_nobody_is_no_delivery():
    assert deliver([0.5, 0.5], [], [1, 1]).margin == -0.5
    assert deliver([0.0, 0.0], [], [1]).feasible


def test_the_four_cases_in_the_text_s_own_examples():
    # Section 2.4.3: c = (2, 1, 1), a job in each group.
    def case(number, required):
        return complications.has_case(number, (2, 1, 1), required, (1, 1, 1), False)

    assert case(2, (0.4, 0.4, 0.2)) and not case(2, (0.375, 0.375, 0.25))
    assert case(3, (0.375, 0.375, 0.25)) and not case(3, (0.4, 0.4, 0.2))
    assert case(1, (0.6, 0.3, 0.1)) and not case(1, (0.375, 0.375, 0.25))


@RELAXED
@given(st.integers(2, 4), st.floats(0.05, 0.95), st.integers(0, 5), st.integers(0, 5))
def test_two_groups_always_fit_on_like_processors(processors, share, first, second):
    """Table 2.1 says otherwise; the errata prove it."""
    assert not complications.has_case(3, (1,) * processors, (share, 1 - share), (first, second), False)


def test_partitions():
    assert partition([0.3, 0.7], [2, 1, 1]) is None
    assert partition([0.3, 0.2, 0.5], [1, 1]) == ((2,), (0,))
    assert full_partition([0.25, 0.75], [1, 1, 1, 1]) == [(0,), (1, 2, 3)]
    assert full_partition([0.25, 0.75], [2, 2]) is None
    assert one_to_one_partition([0.25, 0.5, 0.25], [2, 1, 1]) == (1, 0, 2)
    assert one_to_one_partition([0.5, 0.5], [1, 1, 1, 1]) is None
    for jobs in range(6):  # a partition never asks for more jobs than the whole does
        assert partitioned_feasible_share(0.5, jobs, (1, 2), [2, 1, 1]) >= min(0.5, jobs / 4) - 1e-12


@RELAXED
@given(st.sampled_from(["FCFS", "PS"]), systems, st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_an_execution_conserves_work(policy, capacities, jobs, seed):
    rng = np.random.default_rng(seed)
    arrivals, work = rng.uniform(0, 5, jobs).tolist(), (rng.exponential(size=jobs) + 0.01).tolist()
    placement = rng.integers(len(capacities), size=jobs).tolist()
    trace = execute(policy, arrivals, work, capacities, placement)
    assert np.abs(trace.remaining_work[-1]).max() < 1e-9
    assert (trace.departures >= np.array(arrivals) + np.array(work) / capacities[0] - 1e-9).all()
    for processor, speed in enumerate(capacities):  # work conserving on each processor
        here = np.array(placement) == processor
        busy = trace.present[:, here].any(axis=1)
        assert trace.rates[:, here].sum(axis=1) == pytest.approx(np.where(busy, speed, 0.0))
    assert (trace.obtained_shares.sum(axis=1) <= trace.maximum_obtainable_total_shares + 1e-12).all()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: State([1, 2], [0.5, 0.5], [0], [[1, 0]]), "capacities must be in descending order; got [1, 2]."),
        (
            lambda: State([1], [0.5, 0.5], [2], [[1]]),
            "group_of_job[0] must be an integer of at least 0 and at most 1; got 2.",
        ),
        (lambda: State([1], [0.5, 0.5], [0, 1], [[1]]), "weights must be of shape (2, 1); got (1, 1)."),
        (
            lambda: State([1], [0.5, 0.5], [0, 1], [[1], [0.5]]),
            "weights must be fractions of time, of which none sum to more than 1 (2.18); got 1.5.",
        ),
        (
            lambda: State([1, 1], [0.5, 0.5], [0], [[0.7, 0.7]]),
            "weights must be fractions of time, of which none sum to more than 1 (2.19); got 1.4.",
        ),
        (lambda: State([1], [0.5, 0.5], [0], [[-0.5]]), "weights must be at least 0 (2.17); got -0.5."),
        (lambda: shares.maximum_obtainable_share(1.5, [1]), "jobs must be whole numbers; got 1.5."),
        (
            lambda: deliver([0.5], [0], [1], placement=[1]),
            "placement[0] must be an integer of at least 0 and at most 0; got 1.",
        ),
        (lambda: deliver([1.5], [0], [1]), "targets[0] must be a finite number, at least 0 and at most 1; got 1.5."),
        (lambda: execute("HOL", [0], [1], [1]), "policy must be one of FCFS, PS; got 'HOL'."),
        (lambda: execute("PS", [0], [0], [1]), "work[0] must be a finite number, above 0; got 0."),
    ],
)
def test_bad_values_are_answered_with_a_sentence(call, sentence):
    with pytest.raises(ValueError) as raised:
        call()
    assert str(raised.value) == sentence


def test_partitions_of_many_processors():
    """Equal processors count by their number alone; what would take too long says so at once."""
    assert partition([0.1] * 10, [1] * 24) == ((0, 1, 2, 3, 4), tuple(range(12)))
    assert full_partition([0.1] * 10, [1] * 20) == [(2 * g, 2 * g + 1) for g in range(10)]
    assert full_partition([0.1] * 10, [1] * 24) is None and one_to_one_partition([0.1] * 10, [1] * 24) is None
    with pytest.raises(NoExactAnswer, match="All sets of groups are looked at, of which there may be 1048576"):
        partition([1 / 30] * 30, [1] * 30)
