"""The multi-server queue with exponential sizes of mean 1 as an order-independent queue and as a Whittle network."""

from __future__ import annotations

import itertools
import math
import sys
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from clustershare.arguments import fail, integer, positive, truth, vector
from clustershare.multiserver import recursions
from clustershare.multiserver.graph import check_arrival_rates, check_graph, class_index
from clustershare.typing import FloatArray, Integers

if TYPE_CHECKING:
    from clustershare.multiserver.graph import CompatibilityGraph

LARGEST_BOX = 10_000_000
MOST_IN_ORDER = 8


def state_rates(graph: CompatibilityGraph, classes_in_order: Integers) -> FloatArray:
    """The service rate of the job in each position of the queue (`balanced` Section 2).

    Parameters
    ----------
    graph : CompatibilityGraph
    classes_in_order : sequence of int, length n
        Classes of the jobs in the order of their arrival, counted from 0.

    Returns
    -------
    ndarray, shape (n,)
        Capacity of the servers that may serve the job and none before it.

    Raises
    ------
    ValueError
        If a class does not exist.

    Examples
    --------
    >>> from clustershare.multiserver import CompatibilityGraph
    >>> state_rates(CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 1]), [0, 0, 1])
    array([2., 0., 1.])
    """
    free = set(range(check_graph(graph).servers))
    rates = []
    for i in _queue(graph, classes_in_order):
        taken = free.intersection(graph.servers_of_class[i])
        rates.append(math.fsum(graph.capacities[server] for server in taken))
        free -= taken
    return np.array(rates, dtype=float)


def stationary_measure(graph: CompatibilityGraph, arrival_rates: ArrayLike, classes_in_order: Integers) -> float:
    """The stationary measure of an ordered state relative to that of the empty queue: `balanced` (1).

    Parameters
    ----------
    graph : CompatibilityGraph
    arrival_rates : array_like, shape (classes,)
        Jobs per unit time, at least 0; the measure exists without stability.
    classes_in_order : sequence of int, length n
        Classes of the jobs in the order of their arrival, counted from 0.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If a rate is missing or negative, a class does not exist, or the measure is beyond the floats.

    Examples
    --------
    >>> from clustershare.multiserver import CompatibilityGraph
    >>> stationary_measure(CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 2]), [1.5, 1], [0, 0, 1])
    0.0625
    """
    rates = check_arrival_rates(graph, arrival_rates)
    queue = _queue(graph, classes_in_order)
    total = np.cumsum(state_rates(graph, queue))
    measure = math.prod(float(rates[i]) / float(mu) for i, mu in zip(queue, total, strict=True))
    if math.isinf(measure):
        fail("arrival_rates", arrival_rates, "so near to the capacities that the measure is a float")
    return measure


def over_all_orders(graph: CompatibilityGraph, arrival_rates: ArrayLike, x: Integers) -> tuple[float, FloatArray]:
    """The measure of the numbers of jobs `x` and the mean rates of the classes, summed over the orders of the jobs.

    The left side of `balanced` (2), relative to the empty queue, and the right side of (8). They are what
    `balance_function` and `service_rates` find without the orders, and hence much faster.

    Parameters
    ----------
    graph : CompatibilityGraph
    arrival_rates : array_like, shape (classes,)
        Jobs per unit time, above 0.
    x : sequence of int, shape (classes,)
        Jobs of each class, at most 8 in all, each in a place of its own: there are up to 8! orders.

    Returns
    -------
    measure : float
    rates : ndarray, shape (classes,)

    Raises
    ------
    ValueError
        If a rate is missing or not positive, `x` is not a count for each class, or too large, or the measure is no
        float above 0.

    Examples
    --------
    >>> from clustershare.multiserver import CompatibilityGraph
    >>> over_all_orders(CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 1]), [1.0, 0.5], [1, 1])
    (0.16666666666666666, array([1.5, 1.5]))
    """
    vector("arrival_rates", arrival_rates, positive, check_graph(graph).classes)
    counts = vector("x", x, lambda name, value: integer(name, value, 0), graph.classes)
    if sum(counts) > MOST_IN_ORDER:
        fail("x", x, f"of at most {MOST_IN_ORDER} jobs in all")
    measure, rates = 0.0, np.zeros(graph.classes)
    for queue in sorted(set(itertools.permutations([i for i, count in enumerate(counts) for _ in range(count)]))):
        weight = stationary_measure(graph, arrival_rates, queue)
        measure += weight
        np.add.at(rates, np.array(queue, dtype=int), weight * state_rates(graph, queue))
    if measure == 0:
        fail("arrival_rates", arrival_rates, "so near to the capacities that the measure is a float above 0")
    return measure, rates / measure


def balance_function(graph: CompatibilityGraph, x: Integers, *, logarithm: bool = False) -> float:
    """The balance function of balanced fairness: Phi(x) of `balanced` (4).

    Parameters
    ----------
    graph : CompatibilityGraph
    x : sequence of int, shape (classes,)
        Jobs of each class. Takes time and memory proportional to the product of x_i + 1, at most ten million.
    logarithm : bool
        Whether the natural logarithm of it is wanted.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If `x` is not a count for each class, or too large, or Phi(x) is no float: ask for its logarithm.

    Examples
    --------
    >>> from clustershare.multiserver import CompatibilityGraph
    >>> graph = CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 2])
    >>> balance_function(graph, [1, 1])
    0.16666666666666666
    >>> round(balance_function(graph, [1000, 1000], logarithm=True), 6)
    -1389.629074
    """
    truth("logarithm", logarithm)
    mantissas, exponents, _, _ = _balance(graph, x)
    mantissa, exponent = float(mantissas[-1]), int(exponents[-1])
    if logarithm:
        return math.log(mantissa) + exponent * math.log(2)
    if not sys.float_info.min_exp <= exponent <= sys.float_info.max_exp:
        fail("x", x, f"such that Phi(x), {mantissa:.6g} * 2**{exponent} here, is a float, or logarithm True")
    return math.ldexp(mantissa, exponent)


def service_rates(graph: CompatibilityGraph, x: Integers) -> FloatArray:
    """The service rates of the classes under balanced fairness when `x` jobs are there: `balanced` (7).

    Also the mean rates of the classes in the queue given the numbers of jobs but not their order (Theorem 2).

    Parameters
    ----------
    graph : CompatibilityGraph
    x : sequence of int, shape (classes,)
        Jobs of each class. Takes time and memory proportional to the product of x_i + 1, at most ten million.

    Returns
    -------
    ndarray, shape (classes,)
        phi(x), 0 for classes without jobs; the sum is the capacity of all servers of the classes present.

    Raises
    ------
    ValueError
        If `x` is not a count for each class, or too large.

    Examples
    --------
    >>> from clustershare.multiserver import CompatibilityGraph
    >>> graph = CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 1])
    >>> service_rates(graph, [1, 1]), service_rates(graph, [0, 3]), service_rates(graph, [2, 1]).round(6)
    (array([1.5, 1.5]), array([0., 2.]), array([1.714286, 1.285714]))
    """
    mantissas, exponents, active, strides = _balance(graph, x)
    result = np.zeros(graph.classes)
    for i, stride in zip(active, strides, strict=True):
        ratio = mantissas[-1 - stride] / mantissas[-1]
        result[i] = math.ldexp(ratio, int(exponents[-1 - stride] - exponents[-1]))
    return result


def _queue(graph, classes_in_order):
    if not isinstance(classes_in_order, (list, tuple, np.ndarray)):
        fail("classes_in_order", classes_in_order, "a sequence of classes")
    return [class_index(f"classes_in_order[{k}]", i, graph) for k, i in enumerate(classes_in_order)]


def _balance(graph, x):
    """Phi on the box from 0 to x, flat, as mantissas and exponents; the classes with jobs; their strides."""
    counts = vector("x", x, lambda name, value: integer(name, value, 0), check_graph(graph).classes)
    size = math.prod(count + 1 for count in counts)
    if size > LARGEST_BOX:
        fail("x", x, f"so small that the product of x_i + 1 is at most {LARGEST_BOX}")
    active = [i for i, count in enumerate(counts) if count > 0]
    shape = np.array([counts[i] + 1 for i in active], dtype=np.int64)
    strides = size // np.cumprod(shape)
    mantissas, exponents = recursions.balance(size, shape, strides, graph.service_rates_of_subsets(active))
    return mantissas, exponents, active, strides
