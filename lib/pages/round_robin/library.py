"""What the library answers on the model of `roundrobin`, held against witnesses, at its graph.

`pages.balanced_fairness.library` says of each function what it asks.
"""

import numpy as np

from pages.balanced_fairness.library.chain import of_chains, of_long_chain, of_one_line
from pages.balanced_fairness.library.queue import of_balanced_fairness, of_graph
from pages.balanced_fairness.library.shared import BOTH, EXPONENTIAL, HYPER, Given, held, in_order, moments, systems
from pages.balanced_fairness.library.simulators import of_events, of_rules, of_simulators
from pages.round_robin.systems import CLASSES


def figure_1(load, law=EXPONENTIAL, seed=6):
    """The graph of Figure 1 with capacities and traffic at random, and jobs of a law in place of a mean of 1."""
    ((given, traffic),) = systems(load, seed=seed, shapes=(CLASSES,))
    return given, traffic / moments(law)[0]


def answers():
    """All that the library answers on these models, held against witnesses: clauses, all of which are to hold."""
    line = Given(((0, 1), (1, 0), (0, 1)), (1.5, 0.8)), np.array([0.25, 0.5, 0.6])
    chains = [
        (*figure_1(0.8, HYPER), HYPER, 1.3, 3), (*figure_1(0.6, BOTH, seed=7), BOTH, 0, 2),
        (*figure_1(0.9), EXPONENTIAL, 5.0, 4), (*figure_1(1.2), EXPONENTIAL, 0.4, 3),
    ]  # fmt: skip
    traffic = [figure_1(load, ((1, 1.0, 1.0),), seed) for load, seed in ((0.3, 5), (0.7, 6), (0.96, 7))]
    return (
        *held("traffic", traffic, of_graph),
        *held("traffic", traffic[1:], in_order),
        *held("traffic", traffic, of_balanced_fairness),
        *held("chain", chains, of_chains),
        *held("chain", [(*figure_1(0.9), 0.4, 7)], of_long_chain),
        *held("line", [line], of_one_line),
        *held("log", [(traffic[0][0], [0.7, 1.9, 1.2]), (traffic[1][0], [2.0, 0.6, 1.1])], of_events),
        *held("traffic", [(*traffic[1], 5)], of_simulators),
        *held("line", [line], of_rules),
    )
