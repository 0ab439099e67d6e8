"""The claim of `balanced`, Section 3, that all rests on: what is balanced is insensitive, and nothing else is."""

import numpy as np

from clustershare import multiserver
from compendium.press.findings import check, finding
from pages.balanced_fairness.systems import clusters, without
from pages.balanced_fairness.witnesses.networks import (
    ONE_PHASE,
    TWO_IN_A_ROW,
    any_law,
    first_come_law,
    numbers,
    sharing_law,
)

MOST = 5


def from_balance_function(rng):
    """Rates that satisfy (6), from a balance function at random."""
    value = {x: rng.uniform(0.5, 2) for x in numbers(2, MOST)}
    return {x: tuple(value[without(x, i)] / value[x] if x[i] else 0.0 for i in range(2)) for x in value}


def out_of_balance(rng):
    """Rates at random, which break (6) by at least 0.05 somewhere."""
    while True:
        phi = {x: tuple(rng.uniform(0.5, 2) if n else 0.0 for n in x) for x in numbers(2, MOST)}
        pairs = [(phi[x][0] * phi[without(x, 0)][1], phi[without(x, 1)][0] * phi[x][1]) for x in phi if min(x) > 0]
        if max(abs(a / b - 1) for a, b in pairs) >= 0.05:
            return phi


def moved(rng, rates, phi, network=sharing_law, laws=3):
    """By how much probabilities change from exponential sizes to others of the same mean, by class, at most."""
    expected, worst = sharing_law(rates, (ONE_PHASE, ONE_PHASE), phi, MOST), 0.0
    choices = [(any_law(rng), any_law(rng)) for _ in range(laws - 1)] + [(TWO_IN_A_ROW, ONE_PHASE)]
    return max(worst, *(np.abs(network(rates, choice, phi, MOST) - expected).max() for choice in choices))


@check("balanced-059", network=first_come_law)
def balance_is_insensitivity(network=sharing_law):
    """The law of the numbers under other sizes, for rates that satisfy (6) and for rates that do not.

    In the control the queues inside the network are first come, first served.
    """
    rng = np.random.default_rng(59)
    systems = [graph for graph, _ in clusters() if graph.classes == 2][:20]
    families = [from_balance_function(rng) for _ in range(50)]
    families += [{x: tuple(multiserver.service_rates(graph, x)) for x in numbers(2, MOST)} for graph in systems]
    gap = max(moved(rng, rng.uniform(0.1, 1, 2), phi, network) for phi in families)
    least = min(moved(rng, rng.uniform(0.1, 1, 2), out_of_balance(rng)) for _ in range(50))
    said = "by less than 1e-9" if gap < 1e-9 else f"by up to {gap:.2g}"
    return finding(
        f"balanced rates: probabilities change {said} with the sizes; others: by {least:.1g} at least",
        gap < 1e-9 and least > 1e-6,
    )
