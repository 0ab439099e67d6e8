"""One processor: exact answers against the chain of the numbers of jobs, numbers of the source, and properties."""

import math
import re
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clustershare import sizes, uniprocessor
from clustershare.arguments import UnstableError
from clustershare.results import NoExactAnswer
from clustershare.uniprocessor import chain
from clustershare.uniprocessor.model import Workload
from simulated_shares import EQUAL, RUN, UNEQUAL, off

fractions = st.floats(0.05, 0.95)


def preemptive(transient):
    served = np.zeros(transient.shape)
    left = np.ones(transient.shape[1])
    for group, count in enumerate(transient):
        served[group] = left * (count > 0)
        left = left * (count == 0)
    return served


@pytest.mark.parametrize("services", [(1.0, 1.0), (1.0, 2.0), (1.5, 0.7)])
def test_pq_against_the_chain_of_numbers(services):
    # (3.41), (3.42), (3.74), (3.75)
    loads, shares = np.array([0.3, 0.35]), np.array([0.6, 0.4])
    work = Workload("PQ", shares, loads * services, services, 0)
    obtained, present, mean_jobs, error = chain.solve(work, preemptive)
    assert error < 1e-9
    result = uniprocessor.exact("PQ", shares, loads * services, services)
    np.testing.assert_allclose(result.mean_jobs, mean_jobs, atol=1e-8)
    np.testing.assert_allclose(result.probability_present, present, atol=1e-9)
    np.testing.assert_allclose(result.obtained_share, obtained, atol=1e-9)
    assert result.job_share_deviation[0] == pytest.approx(0.3**2, abs=1e-12)
    alpha = services[1] / services[0]
    half = 1 + loads[0] + alpha * loads[1]
    eta = (half - np.sqrt(half**2 - 4 * loads[0])) / 2
    assert result.group_share_deviation == pytest.approx(
        [-loads[0] * 0.4 / 0.6, (loads.sum() - eta) / (1 - eta) - loads[1] / 0.4], abs=1e-12
    )
    assert result.job_share_deviation[1] == pytest.approx(loads[1] * (loads.sum() - eta) / (1 - eta), abs=1e-12)


def test_pq_with_three_groups_treats_those_above_as_one():
    loads = np.array([0.1, 0.1, 0.15])
    work = Workload("PQ", (0.5, 0.3, 0.2), loads, 1.0, 0)
    _, present, mean_jobs, error = chain.solve(work, preemptive)
    result = uniprocessor.exact("PQ", (0.5, 0.3, 0.2), loads)
    np.testing.assert_allclose(result.mean_jobs, mean_jobs, atol=1e-8)
    np.testing.assert_allclose(result.probability_present, present, atol=1e-9)
    assert error < 1e-9
    merged = uniprocessor.exact("PQ", (0.8, 0.2), (0.2, 0.15))
    assert result.group_share_deviation[2] == pytest.approx(merged.group_share_deviation[1], abs=1e-12)


@pytest.mark.parametrize("permanent", [(0, 0), (1, 2), (0, 2), (3, 0)])
def test_ps_against_the_chain_of_numbers(permanent):
    # (3.85) and (3.88), which the source proves for unequal service rates
    work = Workload("PPS", UNEQUAL, (0.15, 0.3), (0.5, 2.0), permanent)

    def equal_claims(transient):
        jobs = transient + np.array(permanent)[:, None]
        return jobs / np.maximum(jobs.sum(axis=0), 1)

    obtained, present, mean_jobs, error = chain.solve(work, equal_claims)
    result = uniprocessor.exact("PS", UNEQUAL, (0.15, 0.3), (0.5, 2.0), permanent)
    np.testing.assert_allclose(result.mean_jobs, mean_jobs, atol=1e-8)
    assert error < 1e-9
    np.testing.assert_allclose(result.obtained_share, obtained, atol=1e-9)
    np.testing.assert_allclose(result.probability_present, present, atol=1e-9)
    assert not result.job_share_deviation.any()


# --- Numbers of the source -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["FCFS", "HOL", "PQ", "PS", "PPS"])
@pytest.mark.parametrize("x", [0.0, 0.1, 0.375, 0.5])
def test_case_1_with_equal_shares(policy, x):
    # (3.93)-(3.96)
    result = uniprocessor.exact(policy, EQUAL, (0.8 * x, 0.8 * (1 - x)))
    group = [4 * y * (3 - 8 * y) / (5 * (1 + 4 * y)) for y in (x, 1 - x)]
    job = [16 * y**2 / (5 + 20 * y) if policy in ("FCFS", "HOL", "PQ") else 0 for y in (x, 1 - x)]
    assert result.group_share_deviation == pytest.approx(group, abs=1e-12)
    assert result.job_share_deviation == pytest.approx(job, abs=1e-12)


def test_gpps_in_case_1():
    # found by this chain; the source has the curve of its Fig. 3.5 alone
    table = {0.05: -0.00742, 0.4: -0.10440, 0.5: -0.16847}
    for x, expected in table.items():
        result = uniprocessor.exact("GPPS", EQUAL, (0.8 * x, 0.8 * (1 - x)))
        assert result.group_share_deviation.max() == pytest.approx(expected, abs=5e-6)
        assert result.error < 1e-9


def test_pq_example_of_the_source():
    # thesis, Section 3.3.1: rho_1 <= r_1 is not enough
    result = uniprocessor.exact("PQ", UNEQUAL, (0.5, 0.1))
    assert result.group_share_deviation[1] == pytest.approx(0.0533, abs=5e-4)


def test_pps_divides_what_permanent_jobs_get_by_the_shares():
    # E[o_g] = rho_g + (1 - rho) r_g for equal numbers of permanent jobs, seen in the chain
    for share in (0.6, 0.9):
        result = uniprocessor.exact("PPS", (share, 1 - share), (0.25, 0.25), 1.0, 1)
        assert result.group_share_deviation[0] == pytest.approx(0.5 - 0.25 / share, abs=1e-9)


def test_hol_closed_form_at_the_source_values():
    # P[N_1 > 0] = rho - rho_2 / (1 + rho_1) for two groups of equal service rates
    for share in (0.6, 0.8, 0.95):
        result = uniprocessor.exact("HOL", (share, 1 - share), (0.4, 0.4))
        assert result.probability_present[0] == pytest.approx(0.8 - 0.4 / 1.4, abs=1e-14)
        assert result.group_share_deviation[0] == pytest.approx(0.8 - 0.4 / 1.4 - 0.4 / share, abs=1e-14)


# --- Properties ------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.sampled_from(["FCFS", "HOL", "PQ", "PS"]), fractions, fractions, st.floats(0.05, 0.98), st.floats(0.2, 5))
def test_formulas_conserve_work_and_stay_probabilities(policy, share, fraction, load, rate):
    loads = load * np.array([fraction, 1 - fraction])
    result = uniprocessor.exact(policy, (share, 1 - share), loads * (1, rate), (1, rate))
    np.testing.assert_allclose(result.obtained_share, loads, atol=1e-12)
    present = result.probability_present
    assert (present >= loads - 1e-12).all() and (present <= load + 1e-12).all()
    # one of the groups is present while the server is busy
    assert present.sum() >= load - 1e-12
    expected = 0 if policy == "PS" else loads * present
    np.testing.assert_allclose(result.job_share_deviation, expected, atol=1e-12)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(fractions.filter(lambda share: share != 0.5), fractions, st.floats(0.05, 0.98))
def test_priority_is_strongest_with_preemption(share, fraction, load):
    rates = load * np.array([fraction, 1 - fraction])
    fcfs, hol, pq = (
        uniprocessor.exact(policy, (share, 1 - share), rates).probability_present for policy in ("FCFS", "HOL", "PQ")
    )
    high, low = (0, 1) if share > 0.5 else (1, 0)
    assert pq[high] <= hol[high] + 1e-12 and hol[high] <= fcfs[high] + 1e-12
    assert fcfs[low] <= hol[low] + 1e-12 and hol[low] <= pq[low] + 1e-12
    assert pq[high] == pytest.approx(rates[high], abs=1e-12)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.floats(0.1, 0.9), fractions, st.floats(0.05, 0.7), st.integers(0, 2))
def test_gpps_never_falls_short(share, fraction, load, permanent):
    # (3.92); with permanent jobs of group 0 the other group must stay below its share
    rates = load * np.array([fraction, 1 - fraction])
    if permanent and rates[1] > 0.9 * (1 - share):
        rates *= 0.9 * (1 - share) / rates[1]
    result = uniprocessor.exact("GPPS", (share, 1 - share), rates, 1.0, (permanent, 0))
    assert (result.group_share_deviation <= 1e-9).all()
    served = result.obtained_share.sum()
    assert served == pytest.approx(1 if permanent else rates.sum(), abs=1e-8)


@pytest.mark.parametrize(
    ("policy", "loads", "services", "permanent"),
    [
        ("PPS", (0.4, 0.2), (1.0, 1.0), (0, 0)),
        ("GPPS", (0.4, 0.2), (1.0, 0.3), (0, 0)),
        ("PPS", (0.4, 0.2), (1.0, 0.5), (1, 2)),
        ("GPPS", (0.1, 0.25), (1.0, 1.0), (1, 0)),
    ],
)
def test_truncation_error_covers_a_longer_chain(policy, loads, services, permanent, monkeypatch):
    arguments = (policy, (0.7, 0.3), np.multiply(loads, services), services, permanent)
    monkeypatch.setattr(chain, "TOLERANCE", 1e-12)
    better = uniprocessor.exact(*arguments)
    for tolerance in (1e-3, 1e-6):
        monkeypatch.setattr(chain, "TOLERANCE", tolerance)
        monkeypatch.setattr(chain, "REFUSED", 1.0)
        coarse = uniprocessor.exact(*arguments)
        off_by = np.abs(coarse.group_share_deviation - better.group_share_deviation).max()
        assert off_by <= coarse.error <= tolerance


def test_slack_of_a_group_beside_permanent_jobs():
    assert chain._slack(Workload("GPPS", (0.7, 0.3), (0.1, 0.25), 1.0, (1, 0))) == pytest.approx(0.05)
    assert chain._slack(Workload("PPS", (0.7, 0.3), (0.1, 0.25), 1.0, (1, 0))) == pytest.approx(0.65)


def test_three_groups_to_load_085():
    rates = 0.85 * np.array([0.2, 0.3, 0.5])
    result = uniprocessor.exact("GPPS", (0.5, 0.3, 0.2), rates, tolerance=1e-4)
    assert result.error <= 1e-4
    np.testing.assert_allclose(result.obtained_share, rates, atol=1e-4)
    assert (result.group_share_deviation < 0).all()


def test_three_alike_among_which_two_are_one():
    # PPS does not see groups whose jobs weigh the same: two of three groups, put together
    three = uniprocessor.exact("PPS", (0.5, 0.25, 0.25), (0.2, 0.1, 0.3), tolerance=1e-8)
    work = Workload("PPS", (0.5, 0.5), (0.2, 0.4), 1.0, 0)

    def halves(transient):
        claims = transient * np.array([[0.5], [0.25]])
        return claims / np.maximum(claims.sum(axis=0), 1e-300)

    obtained, present, _, _ = chain.solve(work, halves, 1e-8)
    assert three.probability_present[0] == pytest.approx(present[0], abs=1e-7)
    assert three.obtained_share[1:].sum() == pytest.approx(obtained[1], abs=1e-7)


@pytest.mark.parametrize(
    ("policy", "arguments", "rates", "permanent"),
    [
        ("PQ", (UNEQUAL, (0.2, 0.3), 1.0, (1, 0)), (0.2, 0.0), (1, 1)),
        ("HOL", (UNEQUAL, (0.2, 0.3), 1.0, 2), (0.2, 0.0), (2, 2)),
        ("HOL", (UNEQUAL, (0.2, 0.1), 1.0, (1, 1)), (0.2, 0.1), (1, 1)),
        ("GPPS", ((0.8, 0.2), (0.25, 0.25), 2.0, (1, 0)), (0.25, 0.25), (1, 0)),
        ("GPPS", ((0.8, 0.2), (0.25, 0.25), 1.0, (1, 0)), (0.25, 0.0), (1, 1)),
    ],
)
def test_limiting_workloads(policy, arguments, rates, permanent):
    found = uniprocessor.limiting(policy, *arguments)
    assert (found["arrival_rates"], found["permanent_jobs"]) in ((rates, permanent), (rates, permanent[0]))
    uniprocessor.exact(policy, **found)


def test_a_limit_needs_a_load_below_1():
    with pytest.raises(UnstableError, match="total load") as raised:
        uniprocessor.limiting("PQ", UNEQUAL, (0.5, 0.5), permanent_jobs=1)
    assert not isinstance(raised.value, uniprocessor.UnboundedQueues)


def test_the_limit_is_what_simulation_tends_to():
    limit = uniprocessor.exact("GPPS", **uniprocessor.limiting("GPPS", (0.8, 0.2), (0.25, 0.25), permanent_jobs=(1, 0)))
    np.testing.assert_allclose(limit.obtained_share, (0.8, 0.2), atol=1e-9)
    np.testing.assert_allclose(limit.group_share_deviation, 0, atol=1e-9)


def test_high_load():
    for policy in ("PPS", "GPPS"):
        result = uniprocessor.exact(policy, UNEQUAL, (0.35, 0.6))
        assert result.error <= 1e-10
        np.testing.assert_allclose(result.obtained_share, (0.35, 0.6), atol=1e-9)


def test_limits():
    for policy in ("FCFS", "HOL", "PQ", "PS", "PPS", "GPPS"):
        light = uniprocessor.exact(policy, UNEQUAL, (1e-7, 2e-7))
        np.testing.assert_allclose(light.group_share_deviation, 0, atol=1e-6)  # (3.22)
    heavy = uniprocessor.exact("FCFS", UNEQUAL, (0.3 - 1e-9, 0.7))
    np.testing.assert_allclose(heavy.group_share_deviation, (1 - 0.3 / 0.6, 1 - 0.7 / 0.4), atol=1e-6)  # (3.23)
    heavy = uniprocessor.exact("PQ", UNEQUAL, (0.3 - 1e-9, 0.7))
    np.testing.assert_allclose(heavy.group_share_deviation[1], 1 - 0.7 / 0.4, atol=1e-6)
    few = uniprocessor.exact("PQ", UNEQUAL, (1e-18, 0.7))  # so few come above that the sum of the rates is one of them
    np.testing.assert_allclose(few.probability_present, (1e-18, 0.7), atol=1e-15)


def test_equal_shares_up_to_rounding_are_one_class():
    shares = (1 / 3, 1 / 3, 1 - 2 / 3)
    assert len(set(shares)) == 2
    hol, fcfs = (uniprocessor.exact(policy, shares, (0.2, 0.3, 0.1)) for policy in ("HOL", "FCFS"))
    np.testing.assert_allclose(hol.group_share_deviation, fcfs.group_share_deviation, atol=1e-14)


def test_hol_is_blind_to_the_size_of_the_shares():
    # thesis, Section 3.2.3: the same sample path
    near, far = (
        uniprocessor.simulate("HOL", (share, 1 - share), (0.4, 0.4), jumps=5000, replications=2)
        for share in (0.55, 0.95)
    )
    np.testing.assert_array_equal(near.probability_present.value, far.probability_present.value)
    np.testing.assert_array_equal(near.obtained_share.value, far.obtained_share.value)


@pytest.mark.parametrize("policy", uniprocessor.POLICIES)
def test_simulated_shares_sum_to_the_load_and_to_1_with_permanent_jobs(policy):
    result = uniprocessor.simulate(policy, UNEQUAL, (0.3, 0.2), **RUN)
    assert off(result.obtained_share, (0.3, 0.2)) < 4
    full = uniprocessor.simulate(policy, UNEQUAL, (0.1, 0.0), 1.0, 1, **RUN)
    assert full.obtained_share.value.sum() == pytest.approx(1, abs=1e-9)
    np.testing.assert_allclose(full.probability_present.value, 1, atol=1e-9)


# --- Sentences -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("SJF", UNEQUAL, (0.1, 0.1)), "policy must be one of FCFS, HOL, UD, PQ, PS, PPS, GPPS; got 'SJF'."),
        (
            ("PS", (0.6, 0.5), (0.1, 0.1)),
            "required_shares must be shares that sum to 1 (they sum to 1.1); got (0.6, 0.5).",
        ),
        (("PS", UNEQUAL, (0.1,)), "arrival_rates must be a sequence of 2 entries; got (0.1,)."),
        (("PS", UNEQUAL, (0.1, -1)), "arrival_rates[1] must be a finite number, at least 0; got -1."),
        (("PS", UNEQUAL, (0, 0)), "arrival_rates must be above 0 for at least one group; got (0, 0)."),
        (("PS", UNEQUAL, (0.1, 0.1), 0), "service_rates must be a finite number, above 0; got 0."),
        (("PS", UNEQUAL, (0.1, 0.1), (1, "a")), "service_rates[1] must be a finite number, above 0; got 'a'."),
        (("PS", UNEQUAL, (0.1, 0.1), 1.0, -1), "permanent_jobs must be an integer of at least 0; got -1."),
        (("PS", UNEQUAL, (0.1, 0.1), 1.0, (1, 0.5)), "permanent_jobs[1] must be an integer of at least 0; got 0.5."),
        (("PS", UNEQUAL, (0.1, 0.1), 1.0, {1, 2}), "permanent_jobs must be a sequence of 2 entries; got {1, 2}."),
    ],
)
def test_bad_values_are_answered_with_a_sentence(arguments, sentence):
    for function in (uniprocessor.exact, uniprocessor.simulate):
        with pytest.raises(ValueError) as raised:
            function(*arguments)
        assert str(raised.value) == sentence


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("UD", EQUAL, (0.3, 0.3)), "UD unless the priorities of two groups"),
        (("UD", (0.4, 0.3, 0.3), (0.1, 0.1, 0.1)), "UD unless the priorities of two groups"),
        (("FCFS", UNEQUAL, (0.1, 0.1), (1, 2), 1), r"service_rates differ, as in \(1.0, 2.0\)"),
        (("HOL", UNEQUAL, (0.1, 0.1), 1.0, (1, 0)), r"HOL beside permanent_jobs of \(1, 0\)"),
        (("PQ", (0.5, 0.25, 0.25), (0.1, 0.1, 0.1), 1.0, (0, 1, 1)), r"PQ beside permanent_jobs of \(0, 1, 1\)"),
        (("GPPS", (0.4, 0.3, 0.3), (0.3, 0.3, 0.3)), "total load of 0.9 of 3 groups"),
    ],
)
def test_where_there_is_no_exact_answer(arguments, sentence, monkeypatch):
    monkeypatch.setattr(chain, "MAX_STATES", 2000)
    with pytest.raises(NoExactAnswer, match=sentence + ".*use simulate[.]$") as raised:
        uniprocessor.exact(*arguments)
    assert not isinstance(raised.value, ValueError)


def test_a_tolerance_that_answers_is_said(monkeypatch):
    monkeypatch.setattr(chain, "MAX_STATES", 2000)
    system = ("GPPS", (0.4, 0.3, 0.3), (0.2, 0.2, 0.1))
    with pytest.raises(NoExactAnswer) as raised:
        uniprocessor.exact(*system)
    (tolerance,) = map(float, re.findall("tolerance=(\\S+) accepts", str(raised.value)))
    assert uniprocessor.exact(*system, tolerance=tolerance).error <= tolerance
    with pytest.raises(NoExactAnswer):
        uniprocessor.exact(*system, tolerance=tolerance / 2)


@pytest.mark.parametrize("groups", [12, 40, 400])
def test_many_groups_are_counted_before_they_are_laid_out(groups):
    shares = np.arange(1, groups + 1) / math.comb(groups + 1, 2)
    tracemalloc.start()
    with pytest.raises(NoExactAnswer, match=f"of {groups} groups; .* has the mean response times, or use simulate"):
        uniprocessor.exact("PPS", shares, np.full(groups, 0.9 / groups))
    assert tracemalloc.get_traced_memory()[1] < 10e6
    tracemalloc.stop()


def test_five_groups_in_light_traffic():
    shares, rates = np.array([0.4, 0.25, 0.2, 0.1, 0.05]), np.array([0.01, 0.02, 0.02, 0.01, 0.01])
    result = uniprocessor.exact("PPS", shares, rates, tolerance=1e-6)
    np.testing.assert_allclose(result.obtained_share, rates, atol=1e-7)
    # Equal services: the number of all jobs does not see how they are served.
    assert result.mean_jobs.sum() == pytest.approx(0.07 / 0.93, abs=1e-6)


@pytest.mark.parametrize(("level", "groups"), [(1, 1), (4, 1), (3, 2), (2, 5), (6, 3)])
def test_the_states_are_those_of_a_cube_with_its_corner_cut_off(level, groups):
    cube = np.indices((level + 1,) * groups).reshape(groups, -1)
    expected = cube[:, cube.sum(axis=0) <= level]
    np.testing.assert_array_equal(chain.simplex(level, groups), expected)
    np.testing.assert_array_equal(chain.rank(level, expected), np.arange(expected.shape[1]))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    st.sampled_from(["FCFS", "HOL", "PQ"]),
    st.lists(st.floats(0.05, 1), min_size=3, max_size=3),
    st.lists(st.floats(0.3, 3), min_size=3, max_size=3),
    st.floats(0.1, 0.95),
)
def test_waiting_conserves_work(policy, weights, services, load):
    """Kleinrock's conservation law: the mean unfinished work does not depend on the order of service."""
    services = np.array(services)
    loads = load * np.array(weights) / sum(weights)
    result = uniprocessor.exact(policy, (0.5, 0.3, 0.2), loads * services, services)
    # Exponential: whatever was served, a job that is there has a mean service time to go.
    work = result.mean_jobs @ (1 / services)
    assert work == pytest.approx(loads @ (1 / services) / (1 - loads.sum()), rel=1e-9)
    np.testing.assert_allclose(result.mean_response_time * loads * services, result.mean_jobs)


def test_mean_jobs_that_are_not_known():
    known = uniprocessor.exact("HOL", UNEQUAL, (0.25, 0.1), 1.0, 1).mean_jobs
    assert np.isnan(known).tolist() == [False, True]
    nobody = uniprocessor.exact("HOL", UNEQUAL, (0.25, 0.0), 1.0, 1)
    assert nobody.mean_jobs[1] == 0 and np.isnan(nobody.mean_response_time[1])
    assert np.isnan(uniprocessor.exact("UD", (0.7, 0.3), (0.2, 0.1), 1.0, 2).mean_jobs).all()


@pytest.mark.parametrize(
    ("size", "sentence"),
    [
        (sizes.zipf_phases(), "sizes must be None or a distribution of clustershare.sizes with mean 1"),
        ((sizes.Exponential(), 2.0), r"sizes\[1\] must be None or a distribution of clustershare.sizes with mean 1"),
        ((sizes.Exponential(),), "sizes must be a sequence of 2 entries"),
        (2.0, "sizes must be None or a distribution of clustershare.sizes with mean 1"),
    ],
)
def test_sizes_have_mean_1(size, sentence):
    with pytest.raises(ValueError, match=sentence):
        uniprocessor.simulate("PS", UNEQUAL, (0.1, 0.1), sizes=size)


def test_unknown_run_argument():
    with pytest.raises(ValueError, match="run argument must be one of jumps, .*, progress; got 'steps'"):
        uniprocessor.simulate("PS", UNEQUAL, (0.1, 0.1), steps=3)


@pytest.mark.parametrize("function", [uniprocessor.exact, uniprocessor.simulate])
@pytest.mark.parametrize(
    ("policy", "arrivals", "permanent", "overloaded"),
    [
        *((policy, (0.5, 0.5), 0, (0, 1)) for policy in uniprocessor.POLICIES),
        ("PQ", (0.1, 0.1), (1, 0), (1,)),
        ("HOL", (0.1, 0.1), (2, 0), (1,)),
        ("UD", (0.1, 0.4), (2, 2), (1,)),
        ("GPPS", (0.1, 0.4), (1, 0), (1,)),
        ("GPPS", (0.6, 0.1), (1, 1), (0,)),
        ("GPPS", (0.7, 0.2), (0, 1), (0,)),
        ("GPPS", (0.5, 0.45), (1, 0), (1,)),
    ],
)
def test_overload_names_the_groups(function, policy, arrivals, permanent, overloaded):
    with pytest.raises(UnstableError, match="^arrival_rates must .*[.]$") as raised:
        function(policy, UNEQUAL, arrivals, 1.0, permanent)
    assert raised.value.overloaded == overloaded


@pytest.mark.parametrize("permanent", [(1, 1), (2, 1)])
def test_up_down_has_no_answer_for_a_group_that_brings_what_it_obtains(permanent):
    assert uniprocessor.exact("UD", (0.65, 0.35), (0.4, 0.34), 1.0, permanent).obtained_share[1] == 0.35
    with pytest.raises(uniprocessor.UnboundedQueues, match="group 1 grows without bound") as raised:
        uniprocessor.exact("UD", (0.65, 0.35), (0.4, 0.35), 1.0, permanent)
    assert raised.value.overloaded == (1,)


def test_gpps_capacity_is_what_a_permanent_job_obtains():
    shares, rates = (0.5, 0.3, 0.2), (0.1, 0.1, 0.0)
    capacity = uniprocessor.exact("GPPS", shares, rates, 1.0, (1, 0, 1)).obtained_share[2]
    assert capacity == pytest.approx(0.9 * 0.2 / 0.7, abs=1e-9)
    Workload("GPPS", shares, (0.1, 0.1, capacity - 1e-6), 1.0, (1, 0, 0))
    with pytest.raises(UnstableError) as raised:
        Workload("GPPS", shares, (0.1, 0.1, capacity + 1e-6), 1.0, (1, 0, 0))
    assert raised.value.overloaded == (2,)


def test_gpps_lets_a_group_with_permanent_jobs_use_what_others_leave():
    # group 0 leaves 1 - 0.3 to group 1, more than its share of 0.4
    result = uniprocessor.exact("GPPS", UNEQUAL, (0.3, 0.6), 1.0, (0, 1))
    assert result.obtained_share[1] == pytest.approx(0.7, abs=1e-8)
