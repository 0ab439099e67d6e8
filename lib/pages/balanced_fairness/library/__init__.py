"""What the library answers on the models of `balanced`, held against witnesses that read what was given, and no more.

A function asks all about one model, of random systems that have much at once: unequal capacities and rates, shared
servers, equal classes, a server that nobody may use. It gives pairs, of what was found and what was expected, and
estimates relative to what was expected. `answers` has all of them.
"""

import numpy as np

from pages.balanced_fairness.library.chain import (
    of_chains,
    of_chosen_length,
    of_error,
    of_first_order,
    of_long_chain,
    of_one_line,
    of_one_server,
)
from pages.balanced_fairness.library.queue import of_balanced_fairness, of_graph, of_random_assignment, of_three_servers
from pages.balanced_fairness.library.shared import (
    BOTH,
    ERLANGS,
    EXPONENTIAL,
    HYPER,
    LAWS,
    SHAPES,
    Given,
    held,
    in_order,
    moments,
    of_many_jobs,
    systems,
)
from pages.balanced_fairness.library.simulators import of_drawn, of_events, of_rules, of_simulators


def answers():
    """All that the library answers on these models, held against witnesses: clauses, all of which are to hold."""
    one, two, three = systems(0.6, 0.7, 0.9, seed=3)
    small, busy = (systems(load, seed=seed, shapes=SHAPES[1:2]) for load, seed in ((0.03, 5), (0.8, 4)))
    scaled = {name: [(given, rates / moments(name)[0]) for given, rates in (one, two, three)] for name in LAWS}
    over, line = (three[0], 1.4 * three[1]), (Given(((0, 1), (1, 0), (0, 1)), (0.8, 1.9)), np.array([0.3, 0.6, 0.5]))
    chains = [
        (*scaled[HYPER][1], HYPER, 1.3, 4), (*scaled[ERLANGS][1], ERLANGS, 0, 3), (*over, EXPONENTIAL, 0.4, 4),
        (*scaled[BOTH][0], BOTH, 0.4, 5),
    ]  # fmt: skip
    capacities = [
        ((0.5, 1.5, 1.2), np.array([0.9, 0.8])), ((1.5, 0.0, 1.2), np.array([0.9, 0.4])),
        ((0.0, 1.0, 1.2), np.array([0.0, 0.4])),
    ]  # fmt: skip
    return (
        *held("graph", systems(0.4, 0.7, 0.9, 0.96, seed=11), of_graph),
        *held("line", systems(0.4, 0.7, 0.9, 0.96, seed=12), in_order),
        *held("system", systems(0.4, 0.7, 0.9, 0.96, seed=13) + systems(*[0.99999] * 4, seed=14), of_balanced_fairness),
        *held("numbers of jobs", [(two[0], (1000, 400))], of_many_jobs),
        *held("capacities", capacities, of_three_servers),
        *held("assignment", [(4, 2, 0.8), (4, 3, 0.3), (3, 1, 0.6)], of_random_assignment),
        *held("large assignment", [(100, 2, 0.7), (40, 3, 0.9)], of_random_assignment),
        *held("chain", chains, of_chains),
        *held("chain", [(*three, 0.4, 7)], of_long_chain),
        *held("cut", [*((0.6, name, 0, 5) for name in LAWS), (0.8, EXPONENTIAL, 2, 5)], of_error),
        *held("chain", [(*small[0], HYPER, m) for m in (0, 1)], of_chosen_length),
        *held("system", [(*scaled[HYPER][1], HYPER, 4), (*scaled[BOTH][1], BOTH, 3)], of_first_order, 1e-5),
        *held("law", [(0.5, HYPER, 36), (0.15, ERLANGS, 12), (0.15, BOTH, 12)], of_one_server, 1e-6),
        *held("line", [line], of_one_line),
        *held("log", [(two[0], [0.7, 1.9]), (three[0], [0.7, 1.9, 1.2])], of_events),
        *held("system", busy, of_simulators),
        *held("assignment", [(5, 2, 0.7)], of_drawn),
        *held("line", [line], of_rules),
    )
