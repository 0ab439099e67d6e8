"""What `balanced` prints: the eta of the appendix, and Algorithm 1."""

import numpy as np

from pages.balanced_fairness.systems import sets


def margins(graph, rates, fraction=0.5):
    """The eta of the appendix."""
    spare = {A: (graph.service_rate(A) - rates[list(A)].sum()) / len(A) for A in sets(graph)}
    return np.array([rate + fraction * min(spare[A] for A in spare if i in A) for i, rate in enumerate(rates)])


def one_by_one(graph, rates):
    """The wrong eta: the least spare capacity of each class by itself, not of all sets that hold it."""
    return np.array([rate + 0.5 * (graph.service_rate([i]) - rate) for i, rate in enumerate(rates)])


def algorithm_1(graph, rng, events, release="all", position=0):
    """Random events of Algorithm 1: after each the classes of the jobs in the queue, and which each server serves.

    Parameters
    ----------
    graph : clustershare.multiserver.CompatibilityGraph
    rng : numpy.random.Generator
    events : int
    release : str
        Which servers a served job releases: "all" of its own, or that of the timer only.
    position : int
        Which job of the class of the server is the served one: 0, the first, or -1, the last.
    """
    compatible, a, queue = graph.servers_of_class, [None] * graph.servers, []  # a_s, and the class of each job
    for _ in range(events):
        event = int(rng.integers(-2, graph.servers))
        if event < 0:
            i = int(rng.integers(graph.classes))
            queue.append(i)
            for s in compatible[i]:
                a[s] = i if a[s] is None else a[s]
        elif a[event] in queue:  # not so for an idle server, nor, in a wrong reading, for one that was left behind
            i = a[event]
            k = [place for place, other in enumerate(queue) if other == i][position]
            queue.pop(k)
            queue += [i] * int(rng.integers(2))  # the timer, or a departure
            for s in compatible[i] if release == "all" else [event]:
                a[s] = None if a[s] == i else a[s]
            for other in queue[k:]:
                for s in set(compatible[other]) & set(compatible[i]):
                    a[s] = other if a[s] is None else a[s]
        yield queue, a
