"""A single queue beside the cluster (`ctmc`, Section 5.2), from its birth-death chain."""

import numpy as np

from clustershare import markov


def single_queue(places, arrival_rate, service_rate=10.0):
    """What M/M/1 with so many places loses, its mean line and wait, and how busy it is, from its birth-death chain."""
    states = np.arange(places)
    up, down = np.full(places, arrival_rate), np.full(places, service_rate)
    Q = markov.generator(places + 1, np.append(states, states + 1), np.append(states + 1, states), np.append(up, down))
    P = markov.gth(Q)
    line = P[2:] @ np.arange(1, places)
    return np.array([P[-1], line, line / (arrival_rate * (1 - P[-1])), 1 - P[0]])
