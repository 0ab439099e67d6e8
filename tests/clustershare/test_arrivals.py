"""Arrivals that are not Poisson: the streams beside plain loops, and the simulators beside what is known of queues."""

import math

import numpy as np
import pytest

from clustershare import dispatch, interruptions, multiserver, uniprocessor
from clustershare.arrivals import Batches, Bursts, MarkovModulated, Periodic, Renewal, process
from clustershare.compiled.arrivals import encode, wait
from clustershare.compiled.jit import kernel
from clustershare.results import NoExactAnswer
from clustershare.sizes import Deterministic, Exponential, Hyperexponential, Pareto

ONE = multiserver.CompatibilityGraph([{0}], [1.0])
HYPER = Hyperexponential((3.0, 0.5), (0.2, 0.8))
THREE = MarkovModulated((0.0, 1.0, 3.0), ((0, 0.15, 0.05), (0.1, 0, 0.3), (0.3, 0.1, 0)))  # law 1/2, 1/4, 1/4
DAY = Periodic((1.5, 0.0, 1.0), (2.0, 1.0, 1.0))


@kernel
def waits(rng, stream, count):
    """So many of the stream."""
    return np.array([wait(rng, stream) for _ in range(count)])


def drawn(arrivals, rate, count, seed=1):
    found = process("arrivals", arrivals, rate)
    return waits(np.random.default_rng(seed), encode(found, rate), count)


# --- Plain loops that know nothing of the streams ---------------------------------------------------------------------


def counts_of_chain(rates, switching, rate, window, windows, rng):
    """Arrivals in windows of a chain's path, from competing clocks: each state is left, or has an arrival."""
    rates, switching = np.array(rates) * rate, np.array(switching)
    state, time, found = 0, -50.0, np.zeros(windows)
    while True:
        total = rates[state] + switching[state].sum()
        time += rng.exponential(1 / total)
        if time >= windows * window:
            return found
        if rng.random() * total < rates[state]:
            found[int(time // window)] += time >= 0
        else:
            state = rng.choice(len(rates), p=switching[state] / switching[state].sum())


def test_waits_of_a_renewal_process_are_draws_of_its_law():
    found = drawn(Renewal(Pareto(1.0, 3.0)), 0.5, 20_000)
    assert found == pytest.approx(2 * Pareto(1.0, 3.0).sample(np.random.default_rng(1), 20_000), rel=1e-12)
    assert found.tobytes() == drawn(Pareto(1.0, 3.0), 0.5, 20_000).tobytes()


EACH = [Renewal(HYPER), Bursts((0.5, 3.0), (4.0, 1.0)), THREE, DAY, Batches((0.5, 0, 0.5)), Batches((0, 1), THREE)]


@pytest.mark.parametrize("arrivals", EACH)
def test_the_mean_rate_is_the_one_asked_for(arrivals):
    found = np.add.reduceat(drawn(arrivals, 3.0, 200_000), np.arange(0, 200_000, 10_000)) / 10_000
    assert abs(found.mean() - 1 / 3) < 4 * found.std() / math.sqrt(20) < 0.02


def test_counts_of_a_modulated_process_vary_as_those_of_a_plain_loop():
    window, rate = 2.0, 1.5
    plain = counts_of_chain(THREE.rates, THREE.switching, rate, window, 4000, np.random.default_rng(3))
    times = np.cumsum(drawn(THREE, rate, 40_000))
    found = np.bincount((times // window).astype(int))[:-1]
    for moment in (1, 2, 3):
        one, other = plain**moment, found.astype(float) ** moment
        spread = math.hypot(*(batch_error(values) for values in (one, other)))
        assert abs(one.mean() - other.mean()) < 4 * spread


def batch_error(values):
    batches = np.array_split(values, 20)
    return np.std([batch.mean() for batch in batches], ddof=1) / math.sqrt(20)


def test_a_modulated_process_begins_with_the_law_of_its_states():
    """One state is without arrivals and is hardly left: its part of all first waits is long."""
    slow = MarkovModulated((0.0, 1.6), ((0, 5e-7), (3e-7, 0)))
    found = np.array([drawn(slow, 1.0, 1, seed)[0] for seed in range(400)])
    assert abs((found > 1000).mean() - 0.375) < 4 * math.sqrt(0.375 * 0.625 / 400)


def test_a_periodic_process_has_its_rate_at_each_hour():
    """Counts on the parts of a period are Poisson with the mean that was asked for."""
    times = np.cumsum(drawn(DAY, 2.0, 60_000))
    periods = int(times[-1] // 4)
    hours = times[times < periods * 4] % 4
    for begin, end, rate in ((0, 1, 3.0), (1, 2, 3.0), (2, 3, 0.0), (3, 4, 2.0)):
        count = np.count_nonzero((begin <= hours) & (hours < end))
        expected = rate * (end - begin) * periods
        assert abs(count - expected) <= 4 * math.sqrt(expected)
    counts = np.bincount((times // 4).astype(int))[:-1]
    assert abs(counts.var() / counts.mean() - 1) < 4 * math.sqrt(2 / periods)


def test_batches_have_their_sizes_and_come_at_the_epochs_of_the_other_process():
    found = drawn(Batches((0.25, 0.0, 0.75), Deterministic(1.0)), 5.0, 40_000)
    assert set(np.round(found, 12)) == {0.0, 0.5}
    sizes = np.diff(np.flatnonzero(found))
    assert set(sizes) == {1, 3}
    assert abs((sizes == 3).mean() - 0.75) < 4 * math.sqrt(0.75 * 0.25 / len(sizes))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Renewal(2.0), "law must be a distribution of clustershare.sizes; got 2.0."),
        (lambda: Renewal(Exponential(2.0)), "law must be of mean 1, which the arrival rate scales"),
        (lambda: MarkovModulated((0, 0), ((0, 1), (1, 0))), "rates must be above 0 for at least one"),
        (lambda: MarkovModulated((1, 2), ((0, 1), (1, 0))), r"weighted by the stationary law \(it is 1.5\)"),
        (lambda: MarkovModulated((1, 1), ((0, 1), (0, 0))), "every state is reached from every other"),
        (lambda: MarkovModulated((1, 1), ((1, 1), (1, 0))), "switching must be 0 on the diagonal"),
        (lambda: MarkovModulated((1, 1), ((0, 1e300), (1e-300, 0))), "a stationary law within the floats"),
        (lambda: MarkovModulated((1, 1), ((0, 1),)), "switching must be a sequence of 2 entries"),
        (lambda: MarkovModulated((1,) * 301, ()), "the number of rates must be at most 300"),
        (lambda: Periodic((0, 0), (1, 1)), "rates must be above 0 for at least one"),
        (lambda: Periodic((1, 2), (1, 1)), r"of mean 1 when weighted by the durations \(it is 1.5\)"),
        (lambda: Periodic((1, 1), (1, 0)), r"durations\[1\] must be a finite number, above 0; got 0."),
        (lambda: Batches((0.5, 0.4)), "probabilities that sum to 1"),
        (lambda: Batches((1.0,), Batches((1.0,))), "arrivals must be None, a process .* but Batches"),
        (lambda: process("arrivals", "Poisson", 1.0), "arrivals must be None, a process of clustershare.arrivals or"),
        (lambda: process("arrivals", Pareto(2.0, 3.0), 1.0), "distribution of clustershare.sizes with mean 1"),
        (lambda: process("arrivals", Periodic((2, 0), (1e-9, 1e-9)), 1.0), "at most 1000 times an arrival"),
        (lambda: process("arrivals", Bursts((2, 0), (1e-9, 1e-9)), 1.0), "at most 1000 times an arrival"),
        (lambda: process("arrivals", Periodic((2, 0), (1, 1)), 1e300), r"rates up to 1e\+300"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(make, said):
    with pytest.raises(ValueError, match=said):
        make()


@pytest.mark.parametrize(
    "call",
    [
        lambda arrivals: uniprocessor.exact("FCFS", (0.6, 0.4), (0.2, 0.4), arrivals=arrivals),
        lambda arrivals: multiserver.exact(ONE, [0.5], Exponential(), 1, arrivals=arrivals),
        lambda arrivals: interruptions.exact(ONE, [0.5], Exponential(), 1, arrivals=arrivals),
        lambda arrivals: dispatch.exact_central(
            "JSQ", required_shares=(0.5, 0.5), loads=(0.2, 0.2), processors=2, most_jobs=5, arrivals=arrivals
        ),
    ],
)
def test_exact_answers_are_of_poisson_arrivals_alone(call):
    with pytest.raises(NoExactAnswer, match="Poisson arrivals alone"):
        call(Renewal(Deterministic(1.0)))
    with pytest.raises(ValueError, match="arrivals must be None, a process of clustershare.arrivals"):
        call(3.0)
