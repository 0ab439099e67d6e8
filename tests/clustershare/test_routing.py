"""Where to send a job, and how others share a processor or a link."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clustershare import fair_queueing, proportional, routing
from clustershare.arguments import UnstableError
from clustershare.results import NoExactAnswer

RELAXED = settings(max_examples=20, deadline=None, derandomize=True)


def test_exact_and_rounded_times_agree():
    exact = routing.times_to_empty((4, 3, 2), (Fraction(3), Fraction(2), Fraction(1)))
    assert exact.astype(float) == pytest.approx(routing.times_to_empty((4, 3, 2), (3.0, 2.0, 1.0)))
    assert exact[0, 0, 2] == 2 and exact[1, 1, 0] == Fraction(1, 3) + Fraction(1, 2) - Fraction(1, 5)


def test_throughput_of_many_jobs_is_that_of_a_busy_processor():
    assert routing.throughput(400, 2.0, 1.0) == pytest.approx(2.0, rel=0.01)
    assert routing.throughput(0, 2.0, 1.0) == 0
    gains = np.diff([routing.throughput(n, 2.0, 1.0) for n in range(20)])
    assert (gains > 0).all() and (np.diff(gains) < 0).all()


def test_of_like_processors_all_policies_choose_the_shorter_queue():
    shorter = (np.arange(61)[:, None] > np.arange(61)).astype(int)  # the second where the first has more
    for policy in routing.POLICIES:
        assert (routing.choices(policy, 60, (1.0, 1.0), 1.2) == shorter).all()


def test_one_processor_is_a_queue():
    assert routing.mean_response_time("MRTP", (2.0,), 1.0, most=80) == pytest.approx(1.0)


def test_the_chain_against_events():
    """The shortest of two queues, simulated: mean number of jobs by Little's law, within four standard errors."""
    rng, arrival = np.random.default_rng(6), 1.4
    chosen, means = routing.choices("MTP", 40, (2.0, 1.0), arrival), []
    for _ in range(10):
        state, area, clock = [0, 0], 0.0, 0.0
        for event in range(20_000):
            rates = [arrival, 2.0 * (state[0] > 0), 1.0 * (state[1] > 0)]
            step = 1 / sum(rates)
            if event > 1000:
                area, clock = area + sum(state) * step, clock + step
            kind = np.searchsorted(np.cumsum(rates), rng.random() * sum(rates), side="right")
            if kind == 0:
                state[chosen[tuple(state)]] += 1
            else:
                state[kind - 1] -= 1
        means.append(area / clock / arrival)
    exact = routing.mean_response_time("MTP", (2.0, 1.0), arrival)
    assert abs(np.mean(means) - exact) <= 4 * np.std(means, ddof=1) / math.sqrt(10)


def simulated_transfer(location, load, threshold, probes, processors=400, events=60_000):
    """Response time in a finite system, by events."""
    rng = np.random.default_rng(9)
    queues, area, clock, total = np.zeros(processors, dtype=int), 0.0, 0.0, 0
    for event in range(2 * events):
        busy = np.flatnonzero(queues)
        rate = load * processors + len(busy)
        if event > events:
            area, clock = area + total / rate, clock + 1 / rate
        if rng.random() * rate < load * processors:
            home = place = rng.integers(processors)
            if queues[home] >= threshold:
                probed = rng.integers(processors, size=1 if location == "Random" else probes)
                if location == "Random":
                    place = probed[0]
                else:
                    fit = probed[queues[probed] < threshold]
                    if len(fit):
                        place = fit[0] if location == "Threshold" else fit[np.argmin(queues[fit])]
            queues[place] += 1
            total += 1
        else:
            queues[busy[rng.integers(len(busy))]] -= 1
            total -= 1
    return area / clock / (load * processors)


@pytest.mark.parametrize("location", routing.LOCATIONS)
def test_the_limit_of_many_processors(location):
    exact = routing.transfer_response_time(location, 0.8, 2, 3)
    assert simulated_transfer(location, 0.8, 2, 3) == pytest.approx(exact, rel=0.05)


def test_very_many_transfers():
    """No sum is made term by term, and beyond some hundreds of transfers more change nothing."""
    some, more = (routing.transfer_response_time("Random", 0.8, 2, transfers=count) for count in (3, 10**6))
    assert some > more == pytest.approx(routing.transfer_response_time("Random", 0.8, 2, transfers=500), rel=1e-9)
    for base in (0.0, 0.3, 0.9, 1 - 1e-12, 1.0):
        expected = math.fsum(base**k for k in range(1000))
        assert routing._powers(base, 1000) == pytest.approx(expected, rel=1e-12, abs=0)


def test_without_transfers_the_limit_is_one_queue():
    assert routing.transfer_response_time("Threshold", 0.7, 60, 3) == pytest.approx(1 / 0.3, rel=1e-6)


@RELAXED
@given(st.lists(st.integers(1, 12), min_size=2, max_size=5))
def test_strides_give_each_its_part(tickets):
    chosen = proportional.stride(tickets, sum(tickets) * 3)
    assert np.bincount(chosen).tolist() == [3 * count for count in tickets]
    assert proportional.worst_error(chosen, tickets) < len(tickets)


def test_a_lottery_is_fair_in_the_mean():
    served = np.bincount(proportional.lottery([5, 3, 2], 100_000, np.random.default_rng(3)))
    error = np.sqrt(100_000 * np.array([0.5, 0.3, 0.2]) * np.array([0.5, 0.7, 0.8]))
    assert (np.abs(served - [50_000, 30_000, 20_000]) <= 4 * error).all()


@RELAXED
@given(st.integers(0, 2**32 - 1))
def test_lags_cancel_and_stay_within_the_largest_request(seed):
    rng, processor = np.random.default_rng(seed), proportional.EEVDF()
    for name in range(4):
        processor.join(name, rng.uniform(0.2, 3), rng.uniform(0.2, 1))
    for _ in range(60):
        processor.serve()
        assert sum(processor.lag(name) for name in processor.clients) == pytest.approx(0, abs=1e-9)
    assert processor.worst_lag <= 1


def test_strides_of_very_many_jobs():
    """In time that does not grow as the square of their number. Of equals the lower number runs."""
    assert proportional.stride([3, 2, 1] * 33_333, 5).tolist() == [0, 3, 6, 9, 12]


@RELAXED
@given(st.integers(0, 2**32 - 1), st.sampled_from(fair_queueing.RULES))
def test_packets_are_sent_one_at_a_time_and_close_to_the_ideal(seed, rule):
    rng = np.random.default_rng(seed)
    arrivals, sizes, queues = np.sort(rng.uniform(0, 10, 20)), rng.uniform(0.1, 1, 20), rng.integers(3, size=20)
    begins = fair_queueing.fair_queueing(rule, arrivals, sizes, queues)
    assert (begins >= arrivals - 1e-9).all()
    order = np.argsort(begins)
    assert (np.diff(begins[order]) >= sizes[order][:-1] - 1e-9).all()
    assert fair_queueing.largest_difference(begins, arrivals, sizes, queues) <= sizes.max() + 1e-9
    _, ends, times, service = fair_queueing.processor_sharing(arrivals, sizes, queues)
    assert service[-1].sum() == pytest.approx(sizes.sum()) and np.isfinite(ends).all()
    assert times[-1] == pytest.approx(ends.max())


def test_a_heavier_queue_ends_first_under_gps():
    _, ends, _, _ = fair_queueing.processor_sharing([0, 0], [1, 1], [0, 1], [3, 1])
    assert ends == pytest.approx([4 / 3, 2])


def test_chains_that_grow_until_little_is_missed():
    """Two queues at a load of 0.93 as one in the limit of waiting: not cut at 60 jobs each; at 0.99 too many states."""
    grown = routing.mean_response_time("MRTP", (1.0, 1.0), 1.86)
    assert grown == pytest.approx(routing.mean_response_time("MRTP", (1.0, 1.0), 1.86, most=200), rel=1e-5)
    assert routing.mean_response_time("MRTP", (1.0, 1.0), 1.86, most=60) < grown * (1 - 1e-4)
    with pytest.raises(NoExactAnswer, match="more than 300000 states would be needed"):
        routing.mean_response_time("MRTP", (1.0, 1.0), 1.98)


@pytest.mark.parametrize("scale", [1e5, 1e9])
def test_sharing_at_late_times(scale):
    """Times with few digits left: every packet ends, and when it would on another clock."""
    rng = np.random.default_rng(3)
    arrivals, sizes, queues = np.sort(rng.uniform(0, 20, 40)), rng.exponential(0.6, 40), rng.integers(0, 4, 40)
    starts, ends, _, _ = fair_queueing.processor_sharing(arrivals, sizes, queues)
    late = fair_queueing.processor_sharing(arrivals * scale, sizes * scale, queues)
    assert np.allclose(late[0] / scale, starts, rtol=1e-9) and np.allclose(late[1] / scale, ends, rtol=1e-9)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: routing.choices("JSQ", 3, (1, 1), 1), "policy must be one of MRTP, MSTP, MTP; got 'JSQ'."),
        (lambda: routing.throughput(-1, 1, 1), "jobs must be an integer of at least 0 and at most 10000000; got -1."),
        (
            lambda: routing.transfer_response_time("Longest", 0.5, 1),
            "location must be one of Random, Threshold, Shortest; got 'Longest'.",
        ),
        (lambda: proportional.stride([0.5], 3), "tickets[0] must be an integer of at least 1; got 0.5."),
        (lambda: proportional.EEVDF().join("a", 0, 1), "weight must be a finite number, above 0; got 0."),
        (lambda: fair_queueing.fair_queueing("FIFO", [0], [1], [0]), "rule must be one of FQS, FQF; got 'FIFO'."),
        (
            lambda: fair_queueing.processor_sharing([1, 0], [1, 1], [0, 1]),
            "arrivals must be in order; got [1.0, 0.0].",
        ),
        (
            lambda: fair_queueing.fair_queueing("FQS", [0], [1], [10**7]),
            "queues[0] must be an integer of at least 0 and at most 9999; got 10000000.",
        ),
    ],
)
def test_bad_values_are_answered_with_a_sentence(call, sentence):
    with pytest.raises(ValueError) as raised:
        call()
    assert str(raised.value) == sentence


def test_an_overload_is_refused():
    with pytest.raises(UnstableError, match="arrival_rate must be below the sum of the service rates, 3; got 3"):
        routing.mean_response_time("MRTP", (2.0, 1.0), 3)


def test_a_change_of_weight_leaves_the_accounts_at_nothing():
    processor = proportional.EEVDF()
    for name, weight in zip("abc", (1.0, 2.0, 5.0)):
        processor.join(name, weight, 1.0)
    processor.serve()
    processor.reweigh("a", 4.0)
    assert sum(processor.lag(name) for name in "abc") == pytest.approx(0, abs=1e-12)


def test_deficit_round_robin_sends_each_packet_once():
    rng = np.random.default_rng(4)
    arrivals, sizes = np.sort(rng.uniform(0, 20, 40)), rng.uniform(0.05, 1, 40)
    begins, _ = fair_queueing.deficit_round_robin(arrivals, sizes, rng.integers(4, size=40).tolist(), [1, 1, 2, 3])
    order = np.argsort(begins)
    assert (begins >= arrivals - 1e-12).all()
    assert (begins[order][1:] >= (begins + sizes)[order][:-1] - 1e-9).all()
