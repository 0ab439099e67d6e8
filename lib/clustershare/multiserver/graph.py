"""Which servers may serve which classes, and whether they can carry the load."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike
from scipy.optimize import linprog

from clustershare.arguments import (
    UnstableError,
    affordable,
    comparable,
    fail,
    integer,
    number,
    positive,
    shortened,
    vector,
)
from clustershare.typing import FloatArray, Numbers

# A load this close to its capacity, relatively, is taken for equal to it: sums of decimal fractions round.
EQUALITY = 1e-12
MOST_SERVERS = 10**6  # of a simulation: ten replications side by side take a kilobyte a server
MOST_TOGETHER = 16  # classes whose sets are gone through


@dataclass(frozen=True)
class CompatibilityGraph:
    """The bipartite graph of job classes and servers (`balanced` Section 2).

    Parameters
    ----------
    servers_of_class : sequence of collections of int
        The servers, counted from 0, that may serve each class; at least one a class. Kept as sorted tuples.
    capacities : sequence of float, shape (servers,)
        Work a server does per unit time, above 0. A server that no class may use stays idle; a capacity of 0, as in
        Fig. 2 of `balanced`, is written by leaving the server out.

    Raises
    ------
    ValueError
        For a class without servers, a server that does not exist or is named twice, a capacity that is not positive.

    Examples
    --------
    Two classes with a server each and one in common:

    >>> graph = CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 2])
    >>> graph
    CompatibilityGraph(servers_of_class=((0, 2), (1, 2)), capacities=(1.0, 1.0, 2.0))
    >>> graph.classes, graph.servers, graph.service_rate([0]), graph.service_rate([0, 1])
    (2, 3, 3.0, 4.0)
    """

    servers_of_class: Sequence[Collection[int]]
    capacities: Numbers

    def __post_init__(self):
        capacities = vector("capacities", self.capacities, positive)
        allowed = "a non-empty sequence with the servers of each class"
        given = self.servers_of_class
        if isinstance(given, (str, bytes, dict, set, frozenset)) or not isinstance(given, Iterable):
            fail("servers_of_class", given, allowed)
        given = list(given)
        if not given:
            fail("servers_of_class", given, allowed)
        classes = tuple(_servers(f"servers_of_class[{i}]", value, len(capacities)) for i, value in enumerate(given))
        object.__setattr__(self, "servers_of_class", classes)
        object.__setattr__(self, "capacities", capacities)

    @property
    def classes(self) -> int:
        """Number of classes."""
        return len(self.servers_of_class)

    @property
    def servers(self) -> int:
        """Number of servers."""
        return len(self.capacities)

    def service_rate(self, classes: Iterable[int]) -> float:
        """mu(A), the capacity of all servers that may serve a class of the collection `classes`."""
        used = {server for i in classes for server in self.servers_of_class[class_index("classes", i, self)]}
        return math.fsum(self.capacities[server] for server in used)

    def service_rates_of_subsets(self, classes: Sequence[int]) -> FloatArray:
        """mu(A) for every subset A of `classes`; bit k of the index tells whether the k-th of them belongs to A.

        Returns
        -------
        ndarray, shape (2**len(classes),)
        """
        subsets = np.arange(1 << len(classes))
        result = np.zeros(len(subsets))
        for server, capacity in enumerate(self.capacities):
            served = sum(1 << bit for bit, i in enumerate(classes) if server in self.servers_of_class[i])
            result += capacity * ((subsets & served) != 0)
        return result


@dataclass(frozen=True)
class RandomAssignment:
    """Each job may use `degree` of the `servers`, drawn at random and without repetition (`balanced` Section 5).

    All C(servers, degree) sets of servers are classes, at the same rate; each server does 1 work per unit time.

    Parameters
    ----------
    servers : int
        At least 1.
    degree : int
        At least 1 and at most `servers`.

    Raises
    ------
    ValueError
        If the degree is not between 1 and the number of servers.

    Examples
    --------
    >>> RandomAssignment(100, 2)
    RandomAssignment(servers=100, degree=2)
    """

    servers: int
    degree: int

    def __post_init__(self):
        integer("degree", self.degree, 1, integer("servers", self.servers, 1))


def merged(graph):
    """The graph with equal classes made one, and equal servers made one, and the new class of each class.

    Classes are equal that may use the same servers, and servers that the same classes may use. To every job the two
    graphs are the same: the order-independent queue sees of a job only its servers, and of servers only their sum.

    Returns
    -------
    CompatibilityGraph
    ndarray, shape (classes,)

    Examples
    --------
    >>> small, new_class = merged(CompatibilityGraph([{0, 1, 2}, {2}, {0, 1, 2}], [1, 1, 2]))
    >>> small, new_class
    (CompatibilityGraph(servers_of_class=((0, 1), (1,)), capacities=(2.0, 2.0)), array([0, 1, 0]))
    """
    kinds = list(dict.fromkeys(graph.servers_of_class))
    capacities = {}  # of the servers of the same classes
    for server, capacity in enumerate(graph.capacities):
        users = tuple(kind for kind, servers in enumerate(kinds) if server in servers)
        if users:
            capacities[users] = capacities.get(users, 0.0) + capacity
    servers = [[number for number, users in enumerate(capacities) if kind in users] for kind in range(len(kinds))]
    new_class = np.array([kinds.index(servers_of_i) for servers_of_i in graph.servers_of_class])
    return CompatibilityGraph(servers, list(capacities.values())), new_class


def loads_of_sets(graph, loads):
    """What each set of the classes that bring work brings, and what its servers can do.

    Parameters
    ----------
    graph : CompatibilityGraph
    loads : ndarray, shape (classes,)
        Work per unit time.

    Returns
    -------
    brought, served : ndarray, shape (sets,)
        Equal classes are one; the empty set is none. Empty for more than `MOST_TOGETHER` classes.

    Examples
    --------
    >>> loads_of_sets(CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 1]), np.array([0.5, 0.25]))
    (array([0.5 , 0.25, 0.75]), array([2., 2., 3.]))
    """
    small, new_class = merged(graph)
    loads = np.bincount(new_class, loads)
    classes = np.flatnonzero(loads).tolist()
    if len(classes) > MOST_TOGETHER:
        return np.zeros(0), np.zeros(0)
    brought = np.zeros(1)
    for i in classes:
        brought = np.append(brought, brought + loads[i])
    return brought[1:], small.service_rates_of_subsets(classes)[1:]


def _servers(name, value, servers):
    if isinstance(value, (str, bytes, dict)) or not isinstance(value, Iterable):
        fail(name, value, "a collection of servers")
    result = sorted(integer(f"{name}, a server,", server, 0, servers - 1) for server in value)
    if not result:
        fail(name, value, "the servers of the class, at least one")
    if len(set(result)) < len(result):
        fail(name, value, "a collection of servers without repetition")
    return tuple(result)


def check_graph(graph):
    """`graph`, which is a `CompatibilityGraph`."""
    if not isinstance(graph, CompatibilityGraph):
        fail("graph", graph, "a CompatibilityGraph")
    return graph


def class_index(name, value, graph):
    """`value` as the index of a class of the graph."""
    return integer(f"{name}, a class,", value, 0, graph.classes - 1)


def check_arrival_rates(graph, arrival_rates):
    """`arrival_rates` as an array with a rate of at least 0 for each class."""
    check = lambda name, value: number(name, value, 0)  # noqa: E731
    return np.array(vector("arrival_rates", arrival_rates, check, check_graph(graph).classes))


def is_stable(graph: CompatibilityGraph, arrival_rates: ArrayLike) -> bool:
    """Whether every set of classes brings less than its servers can do: `balanced` Theorem 1 (5), for mean size 1.

    Parameters
    ----------
    graph : CompatibilityGraph
    arrival_rates : array_like, shape (classes,)
        Jobs per unit time, at least 0. For jobs of another mean size, multiply by it.

    Returns
    -------
    bool
        False too where a set brings exactly what its servers can do.

    Raises
    ------
    ValueError
        If the rates are not one for each class, at least 0.

    Examples
    --------
    >>> graph = CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 1])
    >>> is_stable(graph, [1.9, 1.0]), is_stable(graph, [2.0, 0.5])
    (True, False)
    """
    rates = check_arrival_rates(graph, arrival_rates)
    try:
        return not overloaded_classes(graph, rates)
    except UnstableError:  # by so much that no program was needed
        return False


def overloaded_classes(graph, arrival_rates):
    """The classes of a set that violates (5), the one loaded most, as a tuple; empty if the system is stable.

    The greatest t for which t times the arrival rates can be routed to the servers is the smallest mu(A) / lambda(A)
    over sets A (max-flow, min-cut). The dual solution of that linear program prices the classes, and the classes above
    a price are an A that attains it. Whether that set violates (5) is then read off its own sums, free of the
    solver's tolerance.
    """
    busy = np.flatnonzero(arrival_rates > 0)
    if len(busy) == 0:
        return ()
    rates, capacities = arrival_rates[busy], np.array(graph.capacities)
    comparable("arrival_rates", rates, capacities)
    rows, servers = np.array([(row, server) for row, i in enumerate(busy) for server in graph.servers_of_class[i]]).T
    # Each class splits itself in proportion to capacities: if that overloads no server, nothing else needs trying.
    chosen = np.bincount(rows, capacities[servers])
    split = np.bincount(servers, capacities[servers] * (rates / chosen)[rows], graph.servers)
    if (split < capacities * (1 - 1e-9)).all():
        return ()
    # Unknowns: t, and what each edge carries as a multiple of its class's rate. Rows: t at most what the class sends;
    # load of each server, as a share of its capacity, at most 1.
    columns = np.arange(1, len(rows) + 1)
    constraints = sp.coo_array(
        (
            np.concatenate([np.ones(len(busy)), -np.ones(len(rows)), rates[rows] / capacities[servers]]),
            (
                np.concatenate([np.arange(len(busy)), rows, len(busy) + servers]),
                np.concatenate([np.zeros(len(busy), dtype=int), columns, columns]),
            ),
        ),
        shape=(len(busy) + graph.servers, len(rows) + 1),
    )
    limits = np.concatenate([np.zeros(len(busy)), np.ones(graph.servers)])
    objective = np.concatenate([[-1], np.zeros(len(rows))])
    solution = linprog(objective, A_ub=constraints.tocsr(), b_ub=limits, method="highs-ds")
    if not solution.success:
        raise _undecided(graph, arrival_rates, busy.tolist())
    prices = -solution.ineqlin.marginals[: len(busy)] / rates
    candidates = [busy[prices >= price] for price in np.unique(prices[prices > 0])]
    critical = min(candidates, key=lambda A: graph.service_rate(A) / math.fsum(arrival_rates[A]))
    if math.fsum(arrival_rates[critical]) < graph.service_rate(critical) * (1 - EQUALITY):
        return ()
    return tuple(int(i) for i in critical)


def _undecided(graph, arrival_rates, busy):
    """The error where rates and capacities are too far apart for the linear program.

    Then a class alone, or all together, bring too much, which takes no program to see, or nothing is known.
    """
    for classes in [*([i] for i in busy), busy]:
        rate, capacity = math.fsum(arrival_rates[classes]), graph.service_rate(classes)
        if rate >= capacity * (1 - EQUALITY):
            names = shortened(", ".join(map(str, classes)), 60)
            text = f"overloaded classes {{{names}}}: arrival rate {rate:g} is not below their capacity {capacity:g}."
            return UnstableError(text, classes)
    rates, capacities = [arrival_rates[i] for i in busy], graph.capacities
    return ValueError(
        f"arrival_rates must not be so far from capacities that stability is not decided; got rates from "
        f"{min(rates):.3g} to {max(rates):.3g}, of work, and capacities from {min(capacities):.3g} to "
        f"{max(capacities):.3g}."
    )


def check_streams(graph, arrival_rates):
    """`arrival_rates` above 0 as an array: of each class of a graph, or of all together under a random assignment."""
    if isinstance(graph, RandomAssignment):
        affordable("servers", graph.servers, MOST_SERVERS)
        return np.array([positive("arrival_rates", arrival_rates)])
    return np.array(vector("arrival_rates", arrival_rates, positive, check_graph(graph).classes))


def require_stable(graph, arrival_rates):
    """Raise `UnstableError` naming the overloaded set, if there is one (rates of work, for capacities of work)."""
    if isinstance(graph, RandomAssignment):
        return require_stable_load(graph, arrival_rates[0] / graph.servers)
    overloaded = overloaded_classes(graph, arrival_rates)
    if overloaded:
        names = ", ".join(map(str, overloaded))
        rate, capacity = math.fsum(arrival_rates[list(overloaded)]), graph.service_rate(overloaded)
        raise UnstableError(
            f"overloaded classes {{{shortened(names, 60)}}}: arrival rate {rate:g} is not below their capacity "
            f"{capacity:g}.",
            overloaded,
        )


def load_of(graph, work):
    """The work that comes per unit of time, of all classes, over the capacity of all servers."""
    return work.sum() / (graph.servers if isinstance(graph, RandomAssignment) else math.fsum(graph.capacities))


def require_stable_load(assignment, load):
    """Raise `UnstableError` naming all servers, if the load of each under a random assignment is 1 or more."""
    if load >= 1:
        servers = range(assignment.servers)
        raise UnstableError(f"overloaded servers: load {load:g} of each is not below its capacity 1.", servers)
