"""Random compatibility graphs and stable systems, for the tests of `multiserver`."""

import itertools

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from clustershare.multiserver import CompatibilityGraph

THREE = CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 1])
UNEQUAL = CompatibilityGraph([{0, 2}, {1, 2}], [0.5, 1.5, 1.2])
SETTINGS = settings(max_examples=20, deadline=None, derandomize=True)
STANDARD_ERRORS = 4


@st.composite
def graphs(draw, most_classes=3, numbers=(1, 2, 3, 4), capacity=None):
    servers = draw(st.sampled_from(numbers))
    some = st.sets(st.integers(0, servers - 1), min_size=1)
    classes = draw(st.lists(some, min_size=1, max_size=most_classes))
    capacity = st.floats(0.2, 3) if capacity is None else capacity
    return CompatibilityGraph(classes, draw(st.lists(capacity, min_size=servers, max_size=servers)))


@st.composite
def stable_systems(draw, highest_load=0.9, **limits):
    """A graph and arrival rates of which the most loaded set of classes has a load of at most `highest_load`."""
    graph = draw(graphs(**limits))
    rates = np.array(draw(st.lists(st.floats(0.05, 1), min_size=graph.classes, max_size=graph.classes)))
    load = max(rates[list(A)].sum() / graph.service_rate(A) for A in subsets(graph))
    return graph, rates * (draw(st.floats(0.1, highest_load)) / load)


def subsets(graph):
    return [A for n in range(1, graph.classes + 1) for A in itertools.combinations(range(graph.classes), n)]


def orders(x):
    """The different orders of x_i jobs of each class i."""
    return set(itertools.permutations([i for i, count in enumerate(x) for _ in range(count)]))


def agrees(estimate, expected):
    """Whether values simulated with 10 replications, of which the half width is 2.262, lie within 4 standard errors."""
    return (np.abs(estimate.value - expected) <= STANDARD_ERRORS / 2.262 * estimate.half_width).all()
