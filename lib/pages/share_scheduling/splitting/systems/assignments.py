"""Systems and routings for the claims on the fairest assignment (`thesis`, Theorems 4.14, 4.15, Problem 4.10)."""

import functools

import numpy as np
import pandas as pd

from clustershare.splitting import assignment, minimise_group_share_deviation

STARTS = 4  # descents for a system


def equal(processors):
    """Capacities of equal processors."""
    return np.full(processors, 1 / processors)


def largest(result):
    """Delta^G of an assignment: the deviation of the group that has the larger one."""
    return float(result.group_share_deviation.max())


def pairs_of_routings(number, seed):
    """Loads of two groups and any routings over two equal processors, sending all or nothing among them.

    Returns
    -------
    loads : ndarray, shape (number, 2)
        rho_{g*}; they sum to less than 1.
    to_first : ndarray, shape (number, 2)
        The part of each group that is sent to the first processor.
    """
    rng = np.random.default_rng(seed)
    loads = rng.dirichlet(np.ones(3), size=number)[:, :2]
    whole = rng.integers(3, size=(number, 2))
    return loads, np.where(whole == 2, rng.random((number, 2)), whole)


def processor_loads(loads, to_first):
    """rho_gp of two groups on two equal processors, shape (systems, groups, processors)."""
    return 2 * loads[..., None] * np.stack([to_first, 1 - to_first], axis=-1)


def shared_pairs(number, seed):
    """Stable loads rho_gp of two groups, each on both of two equal processors, the lighter group first."""
    rng, found = np.random.default_rng(seed), []
    while sum(map(len, found)) < number:
        loads = rng.dirichlet(np.ones(3), size=number)[:, :2]
        split = processor_loads(np.sort(loads, axis=1), rng.random((number, 2)))
        found.append(split[(split.sum(axis=1) < 1).all(axis=1)])
    return np.concatenate(found)[:number]


def one_to_one(processors, number, seed):
    """Loads of as many groups as processors; some above 1/P. Shape (number, groups)."""
    return np.random.default_rng(seed).dirichlet(np.ones(processors + 1), size=number)[:, :-1]


def routings_of(loads, number, rng):
    """rho_gp of random routings over as many equal processors as groups, shape (number, groups, processors).

    A third sends groups nearly to one processor each, a third to few processors, and a third to any.
    """
    groups = len(loads)
    routing = np.concatenate([rng.dirichlet(np.full(groups, x), size=(number // 3, groups)) for x in (0.2, 1.0)])
    near = rng.dirichlet(np.ones(groups), size=(number - len(routing), groups))
    near = np.eye(groups) + 10.0 ** rng.uniform(-4, -1, (len(near), 1, 1)) * (near - np.eye(groups))
    return np.concatenate([routing, near]) * loads[:, None] * groups


def fully_partitionable(number, seed, most=5):
    """Two groups whose required shares are whole processors, with any loads.

    Yields
    ------
    required_shares, loads : tuple of float
    processors : int
    """
    rng = np.random.default_rng(seed)
    for _ in range(number):
        processors = int(rng.integers(2, most + 1))
        size = rng.integers(1, processors)
        yield (size / processors, 1 - size / processors), tuple(rng.dirichlet(np.ones(3))[:2]), processors


def not_partitionable(number, seed):
    """As `fully_partitionable`, but for shares that are no whole processors."""
    rng = np.random.default_rng(seed)
    for _ in range(number):
        yield tuple(rng.dirichlet(np.ones(2))), tuple(rng.dirichlet(np.ones(3))[:2]), int(rng.integers(2, 6))


@functools.cache
def best_found(required_shares, loads, processors, starts=STARTS):
    """The best assignment over equal processors that descents find."""
    return minimise_group_share_deviation(required_shares, loads, equal(processors), starts=starts)


def moved_border(required_shares, loads, processors, kept):
    """As VPRS, but with so many of the equal processors for the second of two groups and the others for the first."""
    work = np.array(loads) * processors / [processors - kept, kept]
    split = np.where(np.arange(processors) < processors - kept, [[work[0]], [0.0]], [[0.0], [work[1]]])
    return assignment(required_shares, split, equal(processors))


def order(loads):
    """The processors in the order of their loads by group 1, the largest first; of equal ones by the other groups."""
    first, *others = loads.round(6)
    return np.lexsort((*others[::-1], -first))


def overview(results):
    """The loads of the processors, those with most of group 1 first, the deviations and the capacity loss.

    Parameters
    ----------
    results : dict
        Name of an assignment: its `SplitShares`.

    Returns
    -------
    pandas.DataFrame
        A row for each load ("1 on 3" is that by group 1 of the third processor) and a column for each assignment.
    """
    columns = {}
    for name, result in results.items():
        loads = result.processor_loads[:, order(result.processor_loads)]
        column = {f"{g + 1} on {p + 1}": load for p, some in enumerate(loads.T) for g, load in enumerate(some)}
        column |= {f"deviation {g + 1}": value for g, value in enumerate(result.group_share_deviation)}
        columns[name] = column | {"capacity loss": result.capacity_loss}
    return pd.DataFrame(columns) + 0.0
