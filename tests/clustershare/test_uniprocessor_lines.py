"""One processor: exact answers against the chain of the whole line, which knows no formula."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clustershare import uniprocessor
from clustershare.arguments import UnstableError
from simulated_shares import UNEQUAL, agree

fractions = st.floats(0.05, 0.95)


def agree_with_the_line(policy, shares, arrivals, services=1.0, permanent=0, *, most_jobs, atol, order="first"):
    line = uniprocessor.whole_line(policy, shares, arrivals, services, permanent, most_jobs=most_jobs, order=order)
    result = uniprocessor.exact(policy, shares, arrivals, services, permanent)
    for name in ("group_share_deviation", "job_share_deviation", "obtained_share", "probability_present"):
        found, expected = getattr(result, name), getattr(line.performance, name)
        known = ~np.isnan(found)
        np.testing.assert_allclose(found[known], expected[known], atol=atol, err_msg=name)
    known = ~np.isnan(result.mean_jobs)
    difference = (result.mean_jobs - line.performance.mean_jobs)[known]
    assert (np.abs(difference) <= line.performance.error + 1e-12).all()
    assert (known | (policy == "HOL")).all()
    assert line.probability.sum() == pytest.approx(1, abs=1e-12)
    return result


@pytest.mark.parametrize("permanent", [(0, 0), (1, 0), (0, 2), (1, 1), (2, 1), (1, 2)])
def test_fcfs_against_the_chain_of_the_line(permanent):
    # (3.16) and (3.26), every branch, and total numbers of permanent jobs that differ from the group's own
    result = agree_with_the_line("FCFS", UNEQUAL, (0.02, 0.03), 1.0, permanent, most_jobs=5, atol=2e-6)
    assert result.method == "formula" and result.error == 0


@settings(max_examples=12, deadline=None, derandomize=True)
@given(fractions, fractions, st.floats(0.02, 0.1), st.tuples(st.integers(0, 2), st.integers(0, 1)))
def test_fcfs_over_random_systems(share, fraction, load, permanent):
    loads = load * np.array([fraction, 1 - fraction])
    agree_with_the_line("FCFS", (share, 1 - share), loads, 1.0, permanent, most_jobs=6, atol=1e-4)


@settings(max_examples=12, deadline=None, derandomize=True)
@given(st.sampled_from(["FCFS", "HOL", "PQ"]), fractions, fractions, st.floats(0.02, 0.3), st.floats(0.4, 2.5))
def test_one_at_a_time_over_random_systems(policy, share, fraction, load, rate):
    loads = load * np.array([fraction, 1 - fraction])
    agree_with_the_line(policy, (share, 1 - share), loads * (1, rate), (1, rate), most_jobs=9, atol=2e-4)


@pytest.mark.parametrize("order", ["last", "random"])
def test_order_within_the_queue_does_not_matter(order):
    # thesis, end of Section 3.2.1: LCFS and random service deliver what FCFS does
    agree_with_the_line("FCFS", UNEQUAL, (0.05, 0.1), most_jobs=10, order=order, atol=1e-7)


@pytest.mark.parametrize("order", ["first", "last", "random"])
def test_none_of_his_class_interrupts_who_is_served(order):
    alike = {"arrival_rates": (0.05, 0.1), "service_rates": (1.0, 3.0), "most_jobs": 6, "order": order}
    one, other = (uniprocessor.whole_line(policy, (0.5, 0.5), **alike).performance for policy in ("PQ", "HOL"))
    np.testing.assert_allclose(one.mean_jobs, other.mean_jobs, rtol=1e-12)
    agree_with_the_line("PQ", (0.4, 0.4, 0.2), (0.02, 0.04, 0.05), (1.0, 3.0, 2.0), most_jobs=6, order=order, atol=1e-5)


@pytest.mark.parametrize(
    ("shares", "arrivals", "services", "limit"),
    [
        ((0.6, 0.4), (0.2, 0.3), (1.0, 1.0), 40),
        ((0.6, 0.4), (0.5, 0.1), (1.0, 1.0), 50),
        ((0.6, 0.4), (0.3, 0.1), (1.0, 0.4), 60),
        ((0.5, 0.3, 0.2), (0.05, 0.1, 0.05), (1.0, 1.0, 1.0), 15),
        ((0.5, 0.3, 0.2), (0.05, 0.1, 0.05), (1.0, 2.0, 0.7), 16),
    ],
)
def test_hol_against_the_chain_with_the_group_in_service(shares, arrivals, services, limit):
    result = agree_with_the_line("HOL", shares, arrivals, services, most_jobs=limit, atol=1e-9)
    # the group named last may be the first in priority
    turned = uniprocessor.exact("HOL", shares[::-1], arrivals[::-1], services[::-1])
    np.testing.assert_allclose(turned.group_share_deviation[::-1], result.group_share_deviation, atol=1e-14)


@pytest.mark.parametrize(
    ("policy", "shares", "arrivals", "services", "permanent", "limit"),
    [
        ("HOL", (0.6, 0.4), (0.2, 0.0), (1.0, 0.5), (0, 1), 20),
        ("HOL", (0.3, 0.7), (0.1, 0.15), (0.9, 1.5), (2, 0), 9),
        ("HOL", (0.5, 0.3, 0.2), (0.05, 0.04, 0.0), (1.3, 0.5, 1.0), (0, 0, 2), 8),
        ("PQ", (0.6, 0.4), (0.2, 0.0), (1.3, 0.5), (0, 1), 16),
        ("PQ", (0.5, 0.3, 0.2), (0.05, 0.04, 0.0), (1.3, 0.5, 1.0), (0, 0, 2), 10),
        ("HOL", (0.6, 0.4), (0.25, 0.0), (1.0, 1.0), (1, 1), 25),
        ("HOL", (0.4, 0.6), (0.0, 0.2), (0.7, 1.5), (2, 1), 25),
        ("HOL", (0.6, 0.4), (0.3, 0.0), (0.9, 0.2), (1, 3), 30),
    ],
)
def test_hol_and_pq_beside_permanent_jobs(policy, shares, arrivals, services, permanent, limit):
    atol = 1e-4 if np.count_nonzero(arrivals) > 1 else 1e-6
    agree_with_the_line(policy, shares, arrivals, services, permanent, most_jobs=limit, atol=atol)


def test_hol_beside_one_permanent_job_in_closed_form():
    # equal rates: P[nobody came] = (1 - a) / (1 + (1 - a)^2 sum a^k / (1 - a^(k + 1))^2)
    a = 0.25
    series = sum(a**k / (1 - a ** (k + 1)) ** 2 for k in range(1, 60))
    none = (1 - a) / (1 + (1 - a) ** 2 * series)
    result = uniprocessor.exact("HOL", UNEQUAL, (a, 0.1), 1.0, 1)
    assert result.obtained_share[1] == pytest.approx((1 - a) * none / (1 + none), abs=1e-14)
    assert np.isnan(result.job_share_deviation).tolist() == [False, True]
    with pytest.raises(UnstableError, match="group 1 is served at rate 0.287272 at most") as raised:
        uniprocessor.exact("HOL", UNEQUAL, (a, 0.3), 1.0, 1)
    assert raised.value.overloaded == (1,)


@pytest.mark.parametrize("policy", ["FCFS", "HOL", "PQ"])
def test_the_line_against_simulation(policy):
    # unequal rates beside permanent jobs of both groups, where no formula answers
    system = (policy, UNEQUAL, (0.1, 0.0 if policy == "PQ" else 0.05), (1.0, 0.6), (0 if policy == "PQ" else 1, 1))
    found = uniprocessor.simulate(*system, jumps=30_000, warmup=2_000, replications=30, seed=11)
    agree(found, uniprocessor.whole_line(*system, most_jobs=6).performance)


def test_starts_of_service():
    line = uniprocessor.whole_line("FCFS", UNEQUAL, (0.05, 0.1), 1.0, (0, 1), most_jobs=7)
    # jobs of each kind start as often as they are served
    for job, obtained in ((0, 0.05), (1, 0.1), (3, 0.85)):
        assert line.starts(job).sum() == pytest.approx(obtained, abs=1e-5)
    assert line.starts(2).sum() == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("PS", UNEQUAL, (0.1, 0.1)), "policy must be one of FCFS, HOL, PQ; got 'PS'"),
        (
            ("FCFS", UNEQUAL, (0.1, 0.1), 1.0, (4, 4)),
            "most_jobs must be such that there are at most 60000 states; got 8",
        ),
        (("FCFS", UNEQUAL, (0.1, 0.1), 1.0, (3000, 3000)), "permanent_jobs must be at most 50 in all here"),
    ],
)
def test_what_the_line_refuses(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        uniprocessor.whole_line(*arguments)
