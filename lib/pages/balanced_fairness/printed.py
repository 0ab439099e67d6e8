"""What `balanced` prints and does not derive: the eta of the appendix."""

import numpy as np

from pages.balanced_fairness.systems import sets


def margins(graph, rates, fraction=0.5):
    """The eta of the appendix."""
    spare = {A: (graph.service_rate(A) - rates[list(A)].sum()) / len(A) for A in sets(graph)}
    return np.array([rate + fraction * min(spare[A] for A in spare if i in A) for i, rate in enumerate(rates)])


def one_by_one(graph, rates):
    """The wrong eta: the least spare capacity of each class by itself, not of all sets that hold it."""
    return np.array([rate + 0.5 * (graph.service_rate([i]) - rate) for i, rate in enumerate(rates)])
