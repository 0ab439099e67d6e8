"""Schedules with free migration, against a linear programme and event by event (`thesis`, Section 4.2)."""

import numpy as np
import pytest
from scipy.optimize import linprog

from clustershare.arguments import UnstableError
from clustershare.multiprocessor import fractions, group_weights, is_feasible, schedule, timetable
from clustershare.results import NoExactAnswer
from clustershare.shares import feasible_group_share, maximum_obtainable_share


def instances(number, tightness, seed=1, most_jobs=8, most_processors=6):
    """Service rates and capacities; the tightest of the sums (4.5) is at a drawn part of its bound."""
    rng = np.random.default_rng(seed)
    for k in range(number):
        jobs, processors = rng.integers(1, most_jobs + 1), rng.integers(1, most_processors + 1)
        capacities = np.full(processors, 1 / processors) if k % 3 == 0 else np.sort(rng.random(processors) + 0.05)[::-1]
        rates = rng.random(jobs) ** 2 + 0.01
        fastest = np.cumsum(capacities)[np.minimum(np.arange(jobs), processors - 1)]
        yield rates * tightness(rng) / (np.cumsum(np.sort(rates)[::-1]) / fastest).max(), capacities


def programme(rates, capacities):
    """Whether fractions of time exist that serve the jobs at their rates, by HiGHS."""
    jobs, processors = len(rates), len(capacities)
    within = np.vstack([np.kron(np.eye(jobs), np.ones(processors)), np.kron(np.ones(jobs), np.eye(processors))])
    served = np.kron(np.eye(jobs), capacities)
    return linprog(np.zeros(jobs * processors), within, np.ones(len(within)), served, rates).status == 0


def test_feasible_rates_are_those_of_a_linear_programme():
    drawn = instances(300, lambda rng: rng.choice([rng.uniform(0.5, 0.999), rng.uniform(1.001, 1.5)]))
    found = [(is_feasible(*instance), programme(*instance)) for instance in drawn]
    assert all(one == other for one, other in found) and 50 < sum(one for one, _ in found) < 250


@pytest.mark.parametrize("tightness", [lambda rng: 1.0, lambda rng: rng.random()], ids=["tight", "loose"])
def test_a_schedule_serves_every_job_at_its_rate_and_by_one_processor_at_a_time(tightness):
    for rates, capacities in instances(500, tightness):
        plan = schedule(rates, capacities)
        assert plan.overlap <= 1e-12
        np.testing.assert_allclose(plan.service_rates(capacities), rates, rtol=0, atol=1e-12)
        np.testing.assert_allclose(plan.fractions, fractions(rates, capacities), rtol=0, atol=1e-12)
        for breaks, served in zip(plan.breaks, plan.served):
            assert breaks[0] == 0 and breaks[-1] == 1 and (np.diff(breaks) > 0).all() and len(served) == len(breaks) - 1


def test_jobs_on_two_processors_at_once_are_seen():
    plan = schedule([0.4, 0.4], [0.5, 0.5])
    twice = type(plan)(plan.jobs, (plan.breaks[0],) * 2, (plan.served[0],) * 2)
    assert plan.overlap <= 1e-12 and twice.overlap == pytest.approx(0.8)


def test_any_fractions_of_time_have_a_timetable():
    rng = np.random.default_rng(2)
    for _ in range(100):
        wanted = rng.random(rng.integers(1, 8, 2)) * (rng.random() < 0.8)
        wanted /= max(1e-9, wanted.sum(axis=0).max(), wanted.sum(axis=1).max())
        plan = timetable(wanted)
        assert plan.overlap == 0
        np.testing.assert_allclose(plan.fractions, wanted, rtol=0, atol=1e-9)


def test_many_jobs_on_many_processors():
    rng = np.random.default_rng(3)
    capacities = np.sort(rng.dirichlet(np.ones(24)))[::-1]
    rates = rng.dirichlet(np.ones(60)) * 0.9
    assert is_feasible(rates, capacities)
    with pytest.raises(NoExactAnswer, match="more than 1000000 pieces .*: use timetable"):
        schedule(rates, capacities)
    plan = timetable(fractions(rates, capacities))
    assert plan.overlap == 0
    np.testing.assert_allclose(plan.service_rates(capacities), rates, rtol=0, atol=1e-9)


def test_the_weights_lose_nothing_and_give_every_group_its_feasible_share():
    rng = np.random.default_rng(4)
    for _ in range(500):
        groups, processors = rng.integers(2, 6), rng.integers(1, 8)
        shares, jobs = rng.dirichlet(np.ones(groups)), rng.integers(0, 13, groups)
        capacities = np.sort(rng.dirichlet(np.ones(processors)))[::-1]
        weights = group_weights(shares, jobs, capacities)
        assert weights.min() >= 0 and weights.sum(axis=0).max() <= 1 + 1e-12
        assert (weights.sum(axis=1) <= jobs + 1e-12).all()
        obtained = weights @ capacities
        assert obtained.sum() == pytest.approx(maximum_obtainable_share(int(jobs.sum()), capacities), abs=1e-12)
        assert (obtained >= feasible_group_share(shares, jobs, processors) - 1e-12).all()


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: is_feasible([0.5], [0.4, 0.6]), ValueError, "capacities must be in descending order; got"),
        (lambda: is_feasible([0.5, 0], [1]), ValueError, r"service_rates\[1\] must be a finite number, above 0; got 0"),
        (
            lambda: schedule([0.2, 0.6, 0.2], [0.5, 0.5]), UnstableError,
            r"service_rates must be such that the 1 largest sum to at most 0.5, .* \(4.5\); got 0.6.",
        ),
        (lambda: timetable([[0.8, 0.3]]), ValueError, "fractions must be at most 1 in all for each job; got 1.1"),
        (lambda: timetable([[0.8], [0.3]]), ValueError, "fractions must be at most 1 in all for each processor"),
        (lambda: timetable([0.8]), ValueError, "fractions must be an array of finite numbers, 2-dimensional"),
        (lambda: group_weights([0.5, 0.6], [1, 1], [1]), ValueError, "required_shares must be shares that sum to 1"),
        (lambda: group_weights([0.5, 0.5], [1, -1], [1]), ValueError, r"jobs\[1\] must be an integer of at least 0"),
    ],
)  # fmt: skip
def test_a_bad_argument_is_a_sentence(call, error, sentence):
    with pytest.raises(error, match=sentence) as found:
        call()
    assert found.type is error


def test_rates_that_cannot_be_served_name_their_jobs():
    with pytest.raises(UnstableError) as found:
        schedule([0.1, 0.5, 0.5], [0.6, 0.3, 0.1])
    assert found.value.overloaded == (1, 2)
