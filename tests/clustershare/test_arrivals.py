"""Arrivals that are not Poisson: the streams beside plain loops, and the simulators beside what is known of queues."""

import functools
import math

import numpy as np
import pytest
import scipy.sparse as sp
from scipy import optimize
from scipy.linalg import expm

from clustershare import dispatch, interruptions, markov, multiserver, uniprocessor
from clustershare.arguments import NothingSeen
from clustershare.arrivals import Batches, Bursts, MarkovModulated, Periodic, Renewal, process
from clustershare.compiled.arrivals import encode, wait
from clustershare.compiled.jit import kernel
from clustershare.results import NoExactAnswer
from clustershare.sizes import Deterministic, ErlangMixture, Exponential, Hyperexponential, Pareto

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


# --- Simulators beside what is known ----------------------------------------------------------------------------------

RUN = {"jumps": 60_000, "warmup": 3000, "replications": 10, "seed": 5}


def total_jobs(arrivals, load, policy="FCFS", **more):
    """Mean number of jobs of two groups alike on one processor: the value, and two half widths."""
    system = (policy, (0.5, 0.5), (load / 2, load / 2))
    found = uniprocessor.simulate(*system, arrivals=arrivals, records=True, **{**RUN, **more})
    return found.mean_jobs.value.sum(), 2 * found.mean_jobs.half_width.sum()


@pytest.mark.parametrize("law", [Deterministic(1.0), HYPER, ErlangMixture(0.5, (2,), (1.0,))])
@pytest.mark.parametrize("policy", ["FCFS", "PQ"])
def test_renewal_arrivals_at_exponential_servers(law, policy):
    """GI/M/1: the root of the equation of the Laplace transform gives the geometric law that arrivals see."""
    rate = 0.7

    def transform(s):
        if isinstance(law, Deterministic):
            return math.exp(-s / rate)
        counts, means, weights = law.erlang_mixture()
        return float(weights @ (1 + means * s / rate) ** -counts)

    root = optimize.brentq(lambda x: transform(1 - x) - x, 0, 1 - 1e-9)
    found, error = total_jobs(law, rate, policy)
    assert abs(found - rate / (1 - root)) < error < 0.1 * found


def modulated_mean_jobs(rates, switching, load, most=400):
    """MMPP/M/1 by its chain of state and number of jobs, cut."""
    states = len(rates)
    modulation = sp.csr_array(np.array(switching, dtype=float))
    up, down = sp.eye_array(most, k=1), sp.eye_array(most, k=-1)
    moves = sp.kron(modulation, sp.eye_array(most)) + sp.kron(sp.diags_array(load * np.array(rates)), up)
    moves = sp.csr_array(moves + sp.kron(sp.eye_array(states), down))
    law = markov.stationary(sp.csr_array(moves - sp.diags_array(moves.sum(axis=1))))
    return float(law.reshape(states, most).sum(axis=0) @ np.arange(most))


@pytest.mark.parametrize("policy", ["FCFS", "PS"])
def test_modulated_arrivals_beside_their_chain(policy):
    bursts = Bursts((0.5, 3.0), (4.0, 1.0))
    for arrivals, switching in ((THREE, THREE.switching), (bursts, ((0, 0.25), (1, 0)))):
        found, error = total_jobs(arrivals, 0.6, policy)
        assert abs(found - modulated_mean_jobs(arrivals.rates, switching, 0.6)) < error < 0.15 * found


@pytest.mark.parametrize("policy", ["FCFS", "UD", "PS"])
def test_batches_at_an_exponential_server(policy):
    """M^X/M/1: rho / (1 - rho) * (E[X^2] / E[X] + 1) / 2 jobs."""
    found, error = total_jobs(Batches((0.5, 0.0, 0.5)), 0.6, policy)
    assert abs(found - 1.5 * (5 / 2 + 1) / 2) < error < 0.1 * found


def periodic_mean_jobs(rates, durations, load, most=80, steps=100):
    """M(t)/M/1, cut: the law at the beginning of a period that the period gives back, and the average from there."""
    def matrix(rate):
        return sp.csr_array(rate * sp.eye_array(most, k=1) + sp.eye_array(most, k=-1)).toarray()

    ahead = []
    for rate, duration in zip(rates, durations, strict=True):
        generator = matrix(load * rate)
        generator -= np.diag(generator.sum(axis=1))
        ahead += [(expm(generator * duration / steps), duration / steps)] * steps
    period = functools.reduce(np.matmul, (move for move, _ in ahead))
    law = np.linalg.matrix_power(period, 200)[0]
    jobs = 0.0
    for move, step in ahead:
        later = law @ move
        jobs += step * (law + later) @ np.arange(most) / 2
        law = later
    return jobs / sum(durations)


@pytest.mark.parametrize("policy", ["FCFS", "PS"])
def test_a_rate_that_varies_by_the_hour(policy):
    day = Periodic((1.6, 0.0, 0.8), (10.0, 5.0, 5.0))
    found, error = total_jobs(day, 0.6, policy)
    assert abs(found - periodic_mean_jobs(day.rates, day.durations, 0.6)) < error < 0.1 * found


def test_groups_are_drawn_in_proportion_to_their_rates():
    system = ("FCFS", (0.5, 0.5), (0.1, 0.4))
    found = uniprocessor.simulate(*system, arrivals=Batches((0.0, 1.0)), records=True, **RUN)
    part = found.records.jobs[0] / found.records.jobs.sum()
    assert abs(part - 0.2) < 4 * math.sqrt(0.16 / found.records.jobs.sum())


@pytest.mark.parametrize("simulate", [multiserver.simulate, interruptions.simulate])
def test_several_servers_with_arrivals_like_poisson_and_unlike(simulate):
    """Exponential times between arrivals give balanced fairness; regular ones on one server the root of GI/M/1."""
    graph = multiserver.CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 1])
    run = {**RUN, "jumps": 40_000, "records": True}
    found = simulate(graph, [0.75, 0.5], Exponential(), 1, arrivals=Exponential(), **run)
    exact = multiserver.exact(graph, [0.75, 0.5], Exponential(), 1)
    assert (abs(found.mean_jobs.value - exact.mean_jobs) < 2 * found.mean_jobs.half_width).all()
    assert (found.mean_jobs.half_width < 0.1 * exact.mean_jobs).all()
    root = optimize.brentq(lambda x: math.exp(-(1 - x) / 0.7) - x, 0, 1 - 1e-9)
    found = simulate(ONE, [0.7], Exponential(), 2, arrivals=Deterministic(1.0), **run)
    assert abs(found.mean_jobs.value[0] - 0.7 / (1 - root)) < 2 * found.mean_jobs.half_width[0] < 0.1


@pytest.mark.parametrize("call", [
    lambda **more: uniprocessor.simulate("FCFS", (0.5, 0.5), (0.1, 0.4), **more),
    lambda **more: multiserver.simulate(ONE, [0.5], Exponential(), 1, **more),
])  # fmt: skip
def test_a_run_within_one_batch_and_wrong_arrivals_are_answered_in_a_sentence(call):
    with pytest.raises(NothingSeen, match="so many that some time goes by; got 1."):
        call(arrivals=Batches((0.0,) * 9 + (1.0,)), records=True, jumps=1, warmup=2, replications=2)
    for wrong in ("Poisson", 1.0, Exponential(2.0), Periodic((2, 0), (1e-9, 1e-9))):
        with pytest.raises(ValueError, match="^arrivals must be"):
            call(arrivals=wrong, jumps=10)


def test_short_runs_are_told_by_how_jobs_arrive():
    system = ("FCFS", (0.5, 0.5), (0.3, 0.3))
    for arrivals in (None, Bursts((0.5, 3.0), (4000.0, 1000.0)), Periodic((1.5, 0.5), (4000.0, 4000.0))):
        run = {"jumps": 5000, "warmup": 1000, "replications": 10}
        found = uniprocessor.simulate(*system, arrivals=arrivals, records=arrivals is not None, **run)
        assert (found.warning is None) == (arrivals is None)
