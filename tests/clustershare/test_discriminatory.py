"""Mean response times under discriminatory processor sharing against a chain, the conservation law and fractions."""

from fractions import Fraction

import numpy as np
import pytest

from clustershare import uniprocessor
from clustershare.arguments import UnstableError
from clustershare.results import NoExactAnswer
from clustershare.uniprocessor import discriminatory_response_times


def drawn(rng, groups, load, decades=0.5):
    """Weights, arrival rates and service rates at random."""
    weights, services = 10 ** rng.uniform(-decades, decades, (2, groups))
    return weights / weights.sum(), rng.dirichlet(np.ones(groups)) * load * services, services


@pytest.mark.parametrize("groups", [2, 3])
def test_a_chain(groups):
    rng = np.random.default_rng(groups)
    for load in (0.3, 0.7):
        system = drawn(rng, groups, load)
        chain = uniprocessor.exact("PPS", *system)
        assert chain.method == "chain"
        assert discriminatory_response_times(*system) == pytest.approx(chain.mean_response_time, rel=1e-8)


def test_a_thousand_groups():
    """The work in the system is that of any policy, and equal weights are processor sharing."""
    weights, arrivals, services = drawn(np.random.default_rng(5), 1000, 0.95)
    loads = arrivals / services
    found = discriminatory_response_times(weights, arrivals, services)
    assert loads @ found == pytest.approx(loads @ (1 / services) / (1 - loads.sum()), rel=1e-11)
    alike = discriminatory_response_times([3] * 1000, arrivals, services)
    assert alike == pytest.approx(1 / services / 0.05, rel=1e-11)


def exactly(weights, arrivals, services):
    """The system as it is written, in fractions."""
    g, rates, mu = ([Fraction(float(one)) for one in each] for each in (weights, arrivals, services))
    rows = []
    for k in range(len(g)):
        row = [rates[j] * g[j] / (mu[j] * g[j] + mu[k] * g[k]) for j in range(len(g))]
        rows.append([(k == j) * (1 - sum(row)) - one for j, one in enumerate(row)] + [1 / mu[k]])
    for i in range(len(g)):
        rows[i] = [one / rows[i][i] for one in rows[i]]
        for k in range(len(g)):
            if k != i:
                rows[k] = [one - rows[k][i] * other for one, other in zip(rows[k], rows[i])]
    return [float(row[-1]) for row in rows]


@pytest.mark.parametrize("seed", range(6))
def test_digits_where_numbers_lie_far_apart(seed):
    """Weights and rates over twenty decades, the load up to 1 - 1e-12."""
    rng = np.random.default_rng(seed)
    system = drawn(rng, 1 + seed, 1 - 10.0 ** -rng.uniform(1, 12), 10)
    assert discriminatory_response_times(*system) == pytest.approx(exactly(*system), rel=1e-12)


def test_without_arrivals():
    """A job that comes to an empty processor is alone; beside others it is as the first of a tiny stream."""
    assert (discriminatory_response_times((2, 1), (0, 0), (4, 5)) == [0.25, 0.2]).all()
    none, few = (discriminatory_response_times((2, 1), (rate, 0.5)) for rate in (0, 1e-12))
    assert none == pytest.approx(few, rel=1e-11)


def test_refusals():
    with pytest.raises(UnstableError, match=r"total load below 1; got 1\.1"):
        discriminatory_response_times((1, 2), (0.5, 0.6))
    for weights, arrivals, services, sentence in (
        ((1, 0), (0.1, 0.1), 1, r"weights\[1\] must be a finite number, above 0"),
        ((1, 1), (0.1,), 1, "arrival_rates must be a sequence of 2 entries"),
        ((1, 1), (0.1, -0.1), 1, r"arrival_rates\[1\] must be a finite number, at least 0"),
        ((1, 1), (0.1, 0.1), (1, 2, 3), "service_rates must be a sequence of 2 entries"),
        ([1] * 4001, (0.1, 0.1), 1, "the number of weights must be at most 4000"),
    ):
        with pytest.raises(ValueError, match=sentence):
            discriminatory_response_times(weights, arrivals, services)
    shares = np.arange(1, 11) / 55
    with pytest.raises(NoExactAnswer, match="discriminatory_response_times has the mean response times, or use simula"):
        uniprocessor.exact("PPS", shares, shares * 0.9)
    with pytest.raises(NoExactAnswer, match="10 groups; use simulate"):
        uniprocessor.exact("GPPS", shares, shares * 0.9)
