"""The cluster event by event, against the chain and against what is known of other laws."""

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats

from clustershare import markov, sizes
from clustershare.cluster_chain import Bursts, ServiceCluster, simulate
from random_clusters import SMALL, clusters

MEASURES = ("mean_queue", "blocking", "mean_delay", "utilisation", "mean_jobs_in_service")
BY_SIZE = ("mean_jobs", "mean_response")
# With 40 replications a distance beyond 5 standard errors comes once in some 80 000 comparisons; with ten, in 1400.
RUN = {"jumps": 15_000, "warmup": 2_000, "replications": 40}
PER_HALF_WIDTH = stats.t.ppf(0.975, RUN["replications"] - 1)


def written(found):
    """Every quantity of a result, to the last bit, without its error: nan, which Python 3.13 takes as unequal."""
    return {name: (one.value.tolist(), one.half_width.tolist()) for name, one in quantities(found)}


def quantities(found):
    """The names and estimates of a result, each as arrays."""
    for name in (*MEASURES, *BY_SIZE):
        estimate = getattr(found, name)
        yield name, type(estimate)(np.asarray(estimate.value), np.asarray(estimate.half_width))


def errors(found, exact):
    """Distances in standard errors."""
    distances = []
    for name in (*MEASURES, *BY_SIZE):
        estimate = getattr(found, name)
        values = map(np.atleast_1d, (estimate.value, estimate.half_width, getattr(exact, name)))
        for value, half_width, expected in zip(*values):
            difference = abs(value - expected)
            distances.append(difference / (half_width / PER_HALF_WIDTH) if difference > 1e-12 else 0.0)
    return np.array(distances)


@settings(max_examples=12, deadline=None, derandomize=True)
@given(clusters())
def test_the_chain_and_the_events_agree(cluster):
    assert (errors(simulate(cluster, **RUN), cluster.solve()) < 5).all()


def test_small_differences_are_seen():
    """The negative control: a service rate wrong by 3 %."""
    found = simulate(SMALL, **RUN)
    assert (errors(found, SMALL.solve()) < 4).all()
    assert errors(found, replace(SMALL, service_rates={1: 1.03, 2: 0.72, 5: 2.58}).solve()).max() > 4


def test_little_s_law_holds_job_by_job():
    found = simulate(SMALL, service=sizes.Deterministic(1.0), **RUN)
    accepted = SMALL.arrival_rate * (1 - found.blocking.value)
    assert found.mean_delay.value * accepted == pytest.approx(found.mean_queue.value, rel=0.01)


def test_one_phase_of_everything_is_exponential():
    one = sizes.ErlangMixture(1.0, (1,), (1.0,))
    plain, spelt = simulate(SMALL, **RUN), simulate(SMALL, arrivals=one, tracker=one, service=one, **RUN)
    assert written(plain) == written(spelt)


def test_constant_service_on_one_server():
    """M/D/1 with one place in line, which here is the quick tracker, has a closed form."""
    cluster = ServiceCluster(1, 0, {1: 1.0}, 0.8, 1e6, 1.0)  # tracker and server: two places
    found = simulate(cluster, service=sizes.Deterministic(1.0), **RUN)
    loss = 1 - 1 / (np.exp(-0.8) + 0.8)
    assert abs(found.blocking.value - loss) < 4 * found.blocking.half_width / PER_HALF_WIDTH


def test_hyperexponential_service_is_a_mixture_of_two_rates():
    """One size that is quick or slow: the chain with two sizes that both take all servers."""
    law = sizes.Hyperexponential((0.5, 3.0), (0.8, 0.2))
    whole = ServiceCluster(2, 3, {2: 1.0}, 0.6, 4.0, 1.0)
    split = ServiceCluster(3, 3, {2: 0.8, 3: 0.2}, 0.6, 4.0, {2: 2.0, 3: 1 / 3})  # never two at once either
    found, exact = simulate(whole, service=law, **RUN), split.solve()
    for name in ("mean_queue", "blocking", "mean_delay", "mean_jobs_in_service"):
        estimate = getattr(found, name)
        assert abs(estimate.value - getattr(exact, name)) < 4 * estimate.half_width / PER_HALF_WIDTH


def test_bursts_keep_the_mean_rate_and_block_more():
    calm = ServiceCluster(4, 2, {1: 1.0}, 1.5, 50.0, 1.0)
    bursts = Bursts((0.25, 4.0), (8.0, 2.0))
    found = simulate(calm, arrivals=bursts, **RUN)
    assert found.blocking.value > 2 * calm.solve().blocking
    # What is not lost is served: the accepted rate is that of one process of mean rate 1.5.
    served = found.mean_jobs_in_service.value / (1 - found.blocking.value)
    assert served == pytest.approx(1.5, rel=0.03)


def test_bursts_of_equal_rates_are_poisson():
    found = simulate(SMALL, arrivals=Bursts((1.0, 1.0), (1.0, 2.0)), **RUN)
    assert (errors(found, SMALL.solve()) < 4).all()


def test_a_run_is_its_seed():
    first, again = (simulate(SMALL, jumps=500, replications=2, seed=3) for _ in range(2))
    assert written(first) == written(again) != written(simulate(SMALL, jumps=500, replications=2, seed=4))
    assert [field.name for field in fields(first)] == ["method", "error", *MEASURES, *BY_SIZE]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: simulate(3), "cluster must be a ServiceCluster; got 3."),
        (lambda: simulate(SMALL, service=sizes.Deterministic(2.0)), "service must be None or a distribution .* mean 1"),
        (lambda: simulate(SMALL, arrivals="bursts"), "arrivals must be None or .* or Bursts; got 'bursts'."),
        (lambda: simulate(SMALL, hops=3), "run argument must be one of jumps"),
        (lambda: Bursts((1.0, 2.0), (1.0, 1.0)), r"rates must be of mean 1 when weighted .*\(it is 1.5\)"),
        (lambda: Bursts((1.0, -2.0), (1.0, 1.0)), r"rates\[1\] must be a finite number, at least 0; got -2"),
        (lambda: Bursts((1.0,), (1.0, 1.0)), "rates must be a sequence of 2 entries"),
    ],
)
def test_bad_arguments_are_answered_in_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_bursts_against_their_chain():
    """Table 2 with the state of the modulating process in front."""
    cluster, bursts = replace(SMALL, queue_capacity=1), Bursts((0.25, 4.0), (4.0, 1.0))
    rates = np.array(bursts.rates) * cluster.arrival_rate
    plain, Q = cluster.state_list(), cluster.generator().tocoo()
    ways = {state: [] for state in plain}
    for row, column, rate in zip(*Q.coords, Q.data, strict=True):
        if row != column:
            x, y = plain[row], plain[column]
            arrives = y[0] > x[0] or (x[1] == 0 and y[1] > 0)
            ways[x].append((y, rate, arrives))

    def transitions(state):
        mode, x = state
        yield (1 - mode, x), bursts.switching[mode]
        for y, rate, arrives in ways[x]:
            yield (mode, y), rate * (bursts.rates[mode] if arrives else 1)

    states, *moves = markov.explore((0, plain[0]), transitions)
    whole = markov.generator(len(states), *moves)
    P = markov.stationary(whole)
    full = np.array([x[0] == 1 and x[1] > 0 for _, x in states])
    blocking = (P * full) @ rates[[mode for mode, _ in states]] / cluster.arrival_rate
    queue = P @ [x[0] for _, x in states]
    found = simulate(cluster, arrivals=bursts, **RUN)
    assert abs(found.blocking.value - blocking) < 4 * found.blocking.half_width / PER_HALF_WIDTH
    assert abs(found.mean_queue.value - queue) < 4 * found.mean_queue.half_width / PER_HALF_WIDTH
    assert blocking > cluster.solve().blocking + 0.01
