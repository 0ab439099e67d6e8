"""Servers that sleep and an urgent class, state by state."""

import numpy as np

from clustershare import cluster_variants, sizes
from clustershare.results import NoExactAnswer
from pages.agreement import refused
from pages.cluster_chain.library.shared import Given, Sleeping, Urgent, apart, near


def of_energy(given, setup_rate, shutdown_rate):
    """The chain of servers that sleep."""
    sleeping = Sleeping(given, setup_rate, shutdown_rate)
    (found, expected), cluster = sleeping.measures(), sleeping.cluster
    law = sizes.Exponential()
    return {
        "sleeping servers and their chain": apart(cluster.solve(), expected),
        "the exact answer with sleeping servers and their chain": max(
            apart(cluster_variants.exact_energy(cluster, setup=one), expected) for one in (None, law)
        ),
        "moves of sleeping servers and those of their chain": moves_apart(
            cluster.transitions, sleeping.ways, found, lambda state: state[:4]
        ),
        "setups and those of their chain": near(
            [cluster.setups(state[:4]) for state in found], [len(state[4]) for state in found]
        ),
        "other setups and those that are refused": 1.0
        - refused(NoExactAnswer, cluster_variants.exact_energy, cluster, setup=sizes.Deterministic(1.0)),
    }


def moves_apart(transitions, ways, states, shown):
    """The largest gap between the moves of a method of the library and those of a chain."""
    worst = 0.0
    for state in states:
        one, other = {}, {}
        for moves, sums, name in ((transitions(shown(state)), one, tuple), (ways(state), other, shown)):
            for target, rate in moves:
                sums[name(target)] = sums.get(name(target), 0.0) + rate
        keys = sorted(one.keys() | other.keys())
        worst = max(worst, near([one.get(key, 0.0) for key in keys], [other.get(key, 0.0) for key in keys]))
    return worst


def of_priority(*arguments):
    """The chain of two classes, and of both in one line."""
    system = Urgent(*arguments)
    (found, expected), cluster = system.measures(), system.cluster
    servers, places, own, arrivals, rates, tracker = arguments
    one_line = 0.0
    if own[0] != own[1]:
        chances = dict(zip(own, np.divide(arrivals, sum(arrivals)).tolist()))
        both = Given(servers, sum(places), chances, sum(arrivals), tracker, dict(zip(own, rates))).solve()
        response = dict(zip(both.sizes, both.measures["mean_response"]))
        one_line = near(cluster.mean_response_in_one_line(), [response[size] for size in own])
    return {
        "two classes and their chain": apart(cluster.solve(), expected),
        "the exact answer with two classes and their chain": max(
            apart(cluster_variants.exact_priority(cluster, service=one), expected)
            for one in (None, sizes.Exponential())
        ),
        "moves of two classes and those of their chain": moves_apart(
            cluster.transitions, system.ways, found, lambda state: (state[0], *map(len, state[1:]))
        ),
        "two classes in one line and its chain": one_line,
        "other services and those that are refused": 1.0
        - refused(NoExactAnswer, cluster_variants.exact_priority, cluster, service=sizes.Deterministic(1.0)),
    }
