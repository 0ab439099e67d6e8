"""Claims of `thesis`, Section 1.3.6: what MRTP, MSTP and MTP look at."""

import functools
import math
from fractions import Fraction

import numpy as np
from scipy.integrate import quad
from scipy.linalg import expm
from scipy.special import gammainc

from clustershare import routing
from compendium.press.findings import check, erratum, finding, over_domain, relative_difference

EXAMPLE = {"jobs": (4, 1), "service_rates": (Fraction(2), Fraction(1))}  # Section 1.3.6


def time_to_empty(jobs, rates):
    """(1.4) and (1.5) in fractions, and the mean of the longer of two sums of exponentials; None if they differ.

    The witness is the sum of both means less that of the shorter one: the integral of the product of two Erlang tails.
    """
    recursion = routing.times_to_empty(jobs, rates)[jobs]
    shorter = sum(
        math.comb(i + k, i) * rates[0] ** i * rates[1] ** k / sum(rates) ** (i + k + 1)
        for i in range(jobs[0]) for k in range(jobs[1])
    )  # fmt: skip
    return recursion if recursion == jobs[0] / rates[0] + jobs[1] / rates[1] - shorter else None


def twice(exact, printed):
    """What both methods give, if it is the same."""
    said = "the methods differ" if exact is None else f"{exact}, a mean of {float(exact):.6f}, by both methods"
    return finding(said, exact == printed)


@check("thesis-1-002", rates=(Fraction(1), Fraction(2)))
def time_with_first(rates=EXAMPLE["service_rates"]):
    return twice(time_to_empty((5, 1), rates), Fraction(1279, 486))


@check("thesis-1-003", rates=(Fraction(1), Fraction(2)))
def time_with_second(rates=EXAMPLE["service_rates"]):
    return twice(time_to_empty((4, 2), rates), Fraction(1292, 486))


def mean_stay(ahead, rate, sharing):
    """Of a job that finds so many: the mean time to absorption in the chain of the others that are still there.

    Under processor sharing the next to leave is any of those present; otherwise the job is the last.
    """
    others = np.arange(ahead + 1)
    gone = rate / (others + 1) if sharing else np.where(others == 0, rate, 0.0)
    chain = np.diag(np.full(ahead + 1, float(rate))) - np.diag((rate - gone)[1:], -1)
    return np.linalg.solve(chain, np.ones(ahead + 1))[-1]


@check("thesis-1-004", sharing=True)
def response_times(sharing=False):
    """What MRTP minimises against a chain; in the control the processors share themselves among their jobs."""
    rng, worst = np.random.default_rng(4), 0.0
    for _ in range(100):
        jobs, rate = int(rng.integers(0, 21)), float(10 ** rng.uniform(-1, 1))
        score = routing.scores("MRTP", jobs, (rate,), 1.0)[0, jobs]
        worst = max(worst, abs(score / mean_stay(jobs, rate, sharing) - 1))
    means = [routing.scores("MRTP", 4, (2.0, 1.0), 1.0)[k, 4, 1] for k in (0, 1)]
    return finding(
        f"{means[0]:g} and {means[1]:g} in the example; " + ("equal" if worst < 1e-9 else f"up to {worst:.2f} apart"),
        worst < 1e-9 and means == [2.5, 2.0],
    )


@check("thesis-1-005", jobs=(1, 1))
def two_answers(jobs=EXAMPLE["jobs"]):
    mrtp, mstp = (int(routing.choices(policy, 5, (2.0, 1.0), 1.0)[jobs]) + 1 for policy in ("MRTP", "MSTP"))
    return finding(f"MRTP sends the job to processor {mrtp}, MSTP to {mstp}", (mrtp, mstp) == (2, 1))


def mean_departures(jobs, rate, arrival):
    """Departures from a processor before the next arrival: each comes first with the same probability."""
    mean = 0.0
    for _ in range(jobs):
        mean = rate / (arrival + rate) * (1 + mean)
    return mean


@check("thesis-1-029", like=True)
def throughput_or_departures(like=False):
    """MTP's choice against that with the largest gain in departures; in the control all processors are as fast."""
    rng, same = np.random.default_rng(29), []
    for _ in range(500):
        count = rng.integers(2, 5)
        rates = np.ones(count) if like else np.sort(10 ** rng.uniform(0, 1, count))[::-1]
        jobs, arrival = rng.integers(0, 13, count), rng.uniform(0.1, 0.95) * rates.sum()
        gains = [
            [law(n + 1, rate, arrival) - law(n, rate, arrival) for n, rate in zip(jobs.tolist(), rates)]
            for law in (routing.throughput, mean_departures)
        ]
        best = [np.flatnonzero(np.array(gain) >= max(gain) - 1e-12).tolist() for gain in gains]
        same.append(bool(set(best[0]) & set(best[1])))
    # The formula for the throughput is the mean of departures over time, in an example.
    rate, arrival, jobs = 2.0, 1.5, 3

    def rates_of(t):
        law = [math.exp(-rate * t) * (rate * t) ** k / math.factorial(k) for k in range(jobs)]
        return (sum(k * q for k, q in enumerate(law)) + jobs * (1 - sum(law))) / t * arrival * math.exp(-arrival * t)

    if abs(quad(rates_of, 0, np.inf)[0] - routing.throughput(jobs, rate, arrival)) > 1e-7:
        return finding("the throughput is another one by quadrature", False)
    return over_domain(f"the same choice in {sum(same)} of 500 states", same)


STEP = 0.25  # of the logarithm of time, at which sums of smooth functions are integrals to the last digits


def log_times(rate):
    """Times from where nothing has happened yet to where all is over, evenly spaced on a logarithmic scale."""
    return np.exp(np.arange(math.log(1e-11), math.log(60), STEP)) / rate


@functools.cache
def death_chains():
    """For random arrival rates, service rates and jobs: Q and TP from the chain of the jobs that are left.

    Returns the triples, the largest difference of Q from the printed law, and the quadrature of departures over time.
    """
    rng, gap, triples, integrals = np.random.default_rng(6), 0.0, [], []
    for _ in range(200):
        arrival, rate, jobs = *(20 ** rng.uniform(-1, 1, 2)), int(rng.integers(1, 16))
        leaving = rate * (np.eye(jobs + 1, k=1) - np.diag(np.arange(jobs + 1) < jobs))  # after so many departures
        for t in (0.1 / rate, 1 / rate, 10 / rate):
            law = [math.exp(-rate * t) * (rate * t) ** k / math.factorial(k) for k in range(jobs)]
            gap = max(gap, np.abs(expm(leaving * t)[0] - [*law, 1 - sum(law)]).max())
        t = log_times(arrival)
        mean = expm(leaving * t[:, None, None])[:, 0] @ np.arange(jobs + 1)
        triples.append((arrival, rate, jobs))
        integrals.append(STEP * (mean * arrival * np.exp(-arrival * t)).sum())
    return triples, gap, np.array(integrals)


@check("thesis-1-006", together=True)
def throughput_formula(together=False):
    """The formula against the death chain; in the control all jobs are served at once, each at the full rate."""
    triples, gap, integrals = death_chains()
    if together:  # each has left by then independently of the others
        integrals = np.array([
            STEP * jobs * arrival * (-np.expm1(-rate * t) * np.exp(-arrival * t)).sum()
            for (arrival, rate, jobs), t in ((triple, log_times(triple[0])) for triple in triples)
        ])  # fmt: skip
    values = [routing.throughput(jobs, rate, arrival) for arrival, rate, jobs in triples]
    worst = relative_difference(values, integrals)
    holds = gap <= 1e-9 and worst <= 1e-7
    return finding("Q within 1e-09, TP relatively within 1e-07" if holds else f"TP up to {worst:.2f} apart", holds)


@check("thesis-1-007", same=True)
def last_argument(same=False):
    """Choices by the printed last argument m and by n_m against quadrature; in the control n_m is m."""
    rng, printed_wrong, right_wrong = np.random.default_rng(7), 0, 0
    for _ in range(300):
        count = int(rng.integers(2, 5))
        rates, jobs = np.sort(10 ** rng.uniform(-0.5, 0.5, count))[::-1], rng.integers(0, 13, count)
        jobs[-1] = count if same else jobs[-1]
        arrival = rng.uniform(0.1, 0.95) * rates.sum()
        t = log_times(arrival)
        # Mean departures are sums over k of the chances of more than k; times dt/t, which is d log t.
        more = gammainc(np.arange(1, 15)[:, None, None], rates[:, None] * t)
        through = np.vstack([np.zeros(count), np.cumsum(more @ (arrival * np.exp(-arrival * t)) * STEP, axis=0)])
        now, then = through[jobs, np.arange(count)], through[jobs + 1, np.arange(count)]
        totals = now.sum() - now + then
        printed = totals - np.where(np.arange(count) < count - 1, now[-1] - through[count, -1], 0)
        best = int(np.argmax(totals > totals.max() - 1e-9))
        printed_wrong += int(np.argmax(printed > printed.max() - 1e-9)) != best
        chosen = routing.choices("MTP", jobs.tolist(), rates.tolist(), arrival)[tuple(jobs)]
        right_wrong += int(chosen) != best
    return erratum(
        f"of 300 states, {printed_wrong} are decided otherwise with m and {right_wrong} with n_m",
        printed_wrong == 0, right_wrong == 0,
    )  # fmt: skip


@check("thesis-1-018", line=True)
def boundary_of_the_recursion(line=False):
    """(1.4) against 1 minus the product of Erlang laws, integrated; in the control all work on what is left."""
    rng, worst, alone = np.random.default_rng(18), 0.0, True
    for _ in range(100):
        count = int(rng.integers(2, 5))
        rates, jobs = 10 ** rng.uniform(-1, 1, count), rng.integers(0, 7, count)
        jobs[0] = max(jobs[0], 1)
        value = routing.times_to_empty(jobs.tolist(), rates.tolist())[tuple(jobs)]
        t = np.exp(np.arange(math.log(1e-11), math.log(1e4), 0.1))
        late = 1 - np.prod([gammainc(n, rate * t) for n, rate in zip(jobs, rates) if n], axis=0)
        witness = jobs.sum() / rates.sum() if line else 0.1 * (late * t).sum()
        worst = max(worst, abs(value / witness - 1))
        fractions = [Fraction(float(rate)) for rate in rates]
        k, n = int(rng.integers(count)), int(rng.integers(1, 7))
        only = tuple(n * (i == k) for i in range(count))
        alone &= routing.times_to_empty(only, fractions)[only] == n / fractions[k]
    example = routing.times_to_empty((5, 2), EXAMPLE["service_rates"])
    exact = alone and (example[5, 1], example[4, 2]) == (Fraction(1279, 486), Fraction(1292, 486))
    return finding(
        "relatively within 1e-08; (1.5) and the example exactly"
        if worst <= 1e-8 and exact else f"up to {worst:.2f} apart", worst <= 1e-8 and exact,
    )  # fmt: skip


@functools.cache
def by_absorption(ratio, most):
    """What MRTP and MSTP minimise, by absorbing chains: of those ahead of a job, and of all jobs present."""
    own = np.array([[mean_stay(n, rate, False) for n in range(most + 1)] for rate in (ratio, 1.0)])
    shape = (most + 2, most + 2)
    index, (first, second) = np.arange(shape[0] * shape[1]).reshape(shape), np.indices(shape)
    chain = np.zeros((index.size, index.size))
    for number, rate, stride in ((first, ratio, shape[1]), (second, 1.0, 1)):
        busy = index[number > 0]
        chain[busy, busy] += rate
        chain[busy, busy - stride] = -rate
    chain[0, 0] = 1.0
    wanted = np.ones(index.size)
    wanted[0] = 0
    times = np.linalg.solve(chain, wanted).reshape(shape)
    here = np.indices((most + 1, most + 1))
    return np.stack([own[0][here[0]], own[1][here[1]]]), np.stack([times[1:, :-1], times[:-1, 1:]])


@check("thesis-1-030", ratios=(1.0,))
def who_needs_the_arrival_rate(ratios=(1.5, 2.0, 3.0, 5.0, 10.0)):
    """Choices at all loads in 441 states; in the control both processors are as fast."""
    fixed, moving, most = True, [], 20
    for ratio in ratios:
        at = {
            policy: np.array([
                routing.choices(policy, most, (ratio, 1.0), load * (ratio + 1)) for load in np.arange(0.05, 0.96, 0.05)
            ])
            for policy in routing.POLICIES
        }  # fmt: skip
        for policy, values in zip(("MRTP", "MSTP"), by_absorption(ratio, most)):
            fixed &= (at[policy] == (values[1] < values[0] - 1e-9)).all()
        moving.append(int(np.ptp(at["MTP"], axis=0).sum()))
    return finding(
        ("MRTP and MSTP choose alike at all loads" if fixed else "MRTP or MSTP choose otherwise")
        + f"; MTP's choice changes in {min(moving)} to {max(moving)} of 441 states", fixed and min(moving) > 0,
    )  # fmt: skip
