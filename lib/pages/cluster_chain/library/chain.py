"""The chain and its solvers, laws of sizes, saturation and sizing, state by state."""

import itertools
import math

import numpy as np

from clustershare import cluster_chain, sizes
from clustershare.results import NoExactAnswer
from pages.agreement import refused, stationary
from pages.cluster_chain.library.shared import Given, apart, near, walk, without

ROUNDING = 1e-9
RARE = 1e-12  # a probability
SEARCHES = 150


def of_counts(given):
    """Numbers of states, which are counted before a state is listed, and those that are reached."""
    states = given.solve().states
    empty = sum(tracked == 0 for _, tracked, _ in states)
    return near([given.cluster.states, *given.cluster.level_sizes], [len(states), empty, empty * len(given.sizes)])


def of_chain(given):
    """All that is said of one cluster exactly: the chain, its solvers, and the list of states."""
    cluster, law = given.cluster, given.law
    expected = given.measures

    def seen(one, what):  # elimination by levels loses the digits of rare states: a dense solver subtracts
        found = one.probabilities() if one is not given else law
        return np.where(law > RARE, found, 0.0) if what == "those by levels" else found

    slow = (1 / given.tracker + 1 / min(given.rate.values())) * (given.places + 2) ** 2
    neighbour = cluster_chain.ServiceCluster(
        given.servers, given.places, given.chances, 1.1 * given.arrival, 0.9 * given.tracker, given.rates
    )
    rough = cluster.solve(0.1)
    left = np.abs(rough.probabilities() @ given.Q).sum()
    exponential = sizes.Exponential()
    every = dict.fromkeys(given.sizes[::-1], exponential)
    solved = {
        "the measures": cluster.solve(), "those of a warm start": cluster.solve(1e-11, guess=neighbour.solve()),
        "those by levels": cluster_chain.solve_directly(cluster),
        "those by elimination": cluster_chain.solve_directly(cluster, "gth"),
        "those of the exact answer": cluster_chain.exact(cluster, tracker=exponential, service=exponential),
        "those with a law for each size": cluster_chain.exact(cluster, service=every),
    }  # fmt: skip
    constant = sizes.Deterministic(1.0)
    other = [
        {"arrivals": cluster_chain.Bursts((0.5, 3.0), (4.0, 1.0))}, {"arrivals": constant}, {"tracker": constant},
        {"service": constant}, {"service": every | {given.sizes[-1]: constant}},
    ]  # fmt: skip
    busy = [V for _, tracked, V in given.states if tracked == 0]
    ends = [
        (V.count(size) + 1) * given.rate[size]
        for V in busy for size in given.sizes if sum(V) + size <= given.servers
    ]  # fmt: skip
    departures = cluster.departures()
    return {
        **{f"{what} and those of the chain": apart(one, expected) for what, one in solved.items()},
        **{
            f"the probabilities with {what} and those of the chain": max(
                near(seen(one, what), seen(given, what)),
                near(one.error, one.residual * slow),
                one.residual / cluster.largest_rate,
                one.flow_error,
                one.little_error,
                float(one.method != "chain"),
            )
            for what, one in solved.items()
        },
        "the residual of a few sweeps and that of the chain": near(rough.residual, left) if left > 1e-6 else 0.0,
        "the listed states and those reached": float(cluster.state_list() != given.states),
        "the generator and the rates of the chain": near(cluster.generator().toarray(), given.Q),
        "rates at which jobs end and those of the chain": near(np.sort(departures[departures > 0]), np.sort(ends)),
        "what is given and what is kept": max(
            near(cluster.sizes, given.sizes), near(cluster.size_probabilities, given.chance),
            near(cluster.size_service_rates, [given.rate[size] for size in given.sizes]),
            near(cluster.mean_times, [1 / given.tracker, 1 / min(given.rate.values())]),
            float(cluster.largest_rate < -given.Q.diagonal().min() * (1 - ROUNDING)),
        ),
        "other laws and those that are refused": 1.0
        - all(refused(NoExactAnswer, cluster_chain.exact, cluster, **one) for one in other),
    }  # fmt: skip


# Sizes, saturation, and how many servers.


def of_laws(largest, spread, exponent):
    """The laws of sizes, by their formulas."""
    own = range(1, largest + 1)

    def gap(found, weight):
        weights = [weight(k) for k in own]
        return max(near(list(found), own), near(list(found.values()), np.divide(weights, math.fsum(weights))))

    def bell(width):
        return lambda k: math.exp(-(((k - (largest + 1) / 2) / width) ** 2) / 2)

    return {
        "uniform sizes and their formula": gap(cluster_chain.uniform_sizes(largest), lambda k: 1),
        "normal sizes and their formula": gap(cluster_chain.normal_sizes(largest, spread), bell(spread)),
        "normal sizes of the usual spread and their formula": gap(
            cluster_chain.normal_sizes(largest), bell((largest + 1) / 8)
        ),
        "harmonic sizes and their formula": gap(
            cluster_chain.harmonic_sizes(largest, exponent), lambda k: k**-exponent
        ),
        "harmonic sizes of the usual exponent and their formula": gap(
            cluster_chain.harmonic_sizes(largest), lambda k: k**-1.5
        ),
    }


def of_saturation(servers, chances, rates):
    """Jobs in service and those served, where there is always a next one, by the chain of both."""
    rate = {size: rates[size] if isinstance(rates, dict) else rates for size, chance in chances.items() if chance}

    def filled(V):
        for size in rate:
            if sum(V) + size > servers:
                yield (V, size), chances[size]
            else:
                yield from ((then, chances[size] * part) for then, part in filled(tuple(sorted((*V, size)))))

    def ways(state):
        V, head = state
        for size in set(V):
            rest, speed = without(V, size), V.count(size) * rate[size]
            if sum(rest) + head > servers:
                yield (rest, head), speed
            else:
                yield from ((then, speed * part) for then, part in filled(tuple(sorted((*rest, head)))))

    found, Q = walk(((max(rate),) * (servers // max(rate)), max(rate)), ways)
    law = stationary(Q)
    jobs = law @ [len(V) for V, _ in found]
    served = law @ [sum(rate[size] for size in V) for V, _ in found]
    return {
        "jobs that saturate and their chain": near(cluster_chain.saturated_jobs(servers, chances, rates), jobs),
        "the throughput of a saturated cluster and its chain": near(
            cluster_chain.saturated_throughput(servers, chances, rates), served
        ),
    }


def of_sizing(least, most, places, chances, arrival, tracker, rates):
    """The smallest cluster for some targets, and every number of servers tried; what cannot be had is refused."""
    tried = [Given(n, places, chances, arrival, tracker, rates).solve() for n in range(least, most + 1)]
    names = "mean_delay", "blocking", "utilisation"
    points = np.array([[one.measures[name] for name in names] for one in tried])
    levels = [np.unique(part.round(9)) for part in points.T]  # servers that are never used change nothing
    between = [(part[1:] + part[:-1]) / 2 for part in levels]
    wishes = list(itertools.product([*between[0], 10.0], [*between[1], 1.0], [0.0, *between[2]]))
    rng, gaps = np.random.default_rng(63), []
    for delay, blocking, use in rng.permutation(wishes)[:SEARCHES].tolist():
        up_to = int(rng.integers(least, most + 1))
        right = (points[:, 0] <= delay) & (points[:, 1] <= blocking) & (points[:, 2] >= use)
        right &= np.arange(least, most + 1) <= up_to
        call = {"delay": delay, "blocking": blocking, "utilisation": use, "most": up_to}
        try:
            found = cluster_chain.smallest_cluster(tried[-1].cluster, **call)
        except ValueError:
            gaps.append(float(right.any()))
            continue
        answer = [found.servers, *(getattr(found, name) for name in names)]
        gaps.append(near(answer, [least + right.argmax(), *points[right.argmax()]]) if right.any() else math.inf)
    return {"the smallest cluster and every number tried": max(gaps)}
