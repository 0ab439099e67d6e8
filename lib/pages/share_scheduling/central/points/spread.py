"""Groups that are spread over all processors: the points of our own studies of HP, and its chain on two processors."""

from fractions import Fraction

import numpy as np

from pages.share_scheduling.central.points import simulated
from pages.share_scheduling.central.printed import rules as printed_rules
from pages.share_scheduling.central.witnesses import reached, states

HIGH = (0.9, 0.95, 0.98)
PROMISES = (0.5, 0.6, 0.7, 0.8, 0.9)
SPLITS, SPLIT_PROMISES, SPLIT_LOAD = (0.1, 0.3, 0.5, 0.7, 0.9), (0.5, 0.7, 0.9), 0.95
CUTS = {0.1: 10, 0.3: 14, 0.5: 20, 0.7: 26}  # loads, and where the chain is cut


def at_high_load(load, migration, local=("PS", "GPPS"), fidelity="book"):
    """The rows of JSQ and HP on ten processors, two groups with equal loads, against the promise to group 1."""
    return simulated.along(
        "share", PROMISES, migration=migration, policies=("JSQ", "HP"), local=local, fidelity=fidelity, load=load
    )


def over_splits(share, migration, fidelity="book"):
    """The rows of HP on ten processors for each part of the load that group 1 brings."""
    return simulated.along(
        "fraction", SPLITS, migration=migration, policies=("HP",), local=("PS", "GPPS"), fidelity=fidelity,
        load=SPLIT_LOAD, share=share,
    )  # fmt: skip


def against_the_split(share, migration, local, fidelity="book"):
    """Their Delta^G, shape (splits,)."""
    return simulated.table(over_splits(share, migration, fidelity), "fraction")[0]["HP", local]


def out_of_balance(groups):
    """The part of the time without system balance under HP with migration, by the chain of two processors.

    Parameters
    ----------
    groups : int
        With equal loads.

    Returns
    -------
    ndarray, shape (loads of `CUTS`,)
    """
    rules = printed_rules.Rules("HP", (Fraction(1, groups),) * groups, 2, migration=True)
    laws = [reached.law(rules, (load / groups,) * groups, cut) for load, cut in CUTS.items()]
    return np.array([max(0.0, 1 - law.mean(states.in_system_balance)) for law in laws])


def one_state_each(processors, change=()):
    """Whether under HP with migration the numbers of jobs of two groups tell the state, but for names of processors."""
    rules = printed_rules.Rules("HP", (Fraction(1, 2),) * 2, processors, migration=True, changed=change)
    found = reached.reached(rules, 2 * processors, like=True)
    return len(found) == len({tuple(map(sum, zip(*jobs))) for jobs in found})
