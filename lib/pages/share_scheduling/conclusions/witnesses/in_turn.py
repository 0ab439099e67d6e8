"""Jobs that are dealt in turn to equal processors: the law of their number, and shares of groups among them."""

import functools
import math

import numpy as np
from scipy import stats
from scipy.optimize import brentq

from clustershare import markov
from clustershare.shares import feasible_group_share

LOST = 1e-8


@functools.cache
def number_law(load, processors, cyclic=True):
    """The law of the number of jobs on all processors together, by the chain of the numbers on each.

    The state has the processor whose turn is next in front; with `cyclic` False the next one is drawn by chance.

    Parameters
    ----------
    load : float
    processors : int
    cyclic : bool

    Returns
    -------
    ndarray, shape (numbers,)

    Examples
    --------
    >>> law = number_law(0.5, 2)
    >>> round(float(law @ np.arange(len(law))), 6), round(2 * 0.5 / (1 - 0.381966), 6)  # E_2/M/1
    (1.618034, 1.618034)
    """
    P = processors
    root = load if not cyclic else brentq(lambda x: (P * load / (P * load + 1 - x)) ** P - x, 0, 1 - 1e-9)
    most = 1 + math.ceil(math.log(LOST) / math.log(root))
    jobs = np.indices((most + 1,) * P).reshape(P, -1)
    strides = (most + 1) ** np.arange(P)[::-1]
    index = np.arange(jobs.shape[1])
    moves = [(index[jobs[p] > 0], index[jobs[p] > 0] - strides[p], 1 / P) for p in range(P)]
    if cyclic:
        after = np.vstack([jobs[1:], np.minimum(jobs[:1] + 1, most)])
        moves.append((index, strides @ after, load))
    else:
        moves += [(index[jobs[p] < most], index[jobs[p] < most] + strides[p], load / P) for p in range(P)]
    rows, columns, rates = zip(*moves)
    rates = np.concatenate([np.full(len(row), rate) for row, rate in zip(rows, rates)])
    Q = markov.generator(len(index), np.concatenate(rows), np.concatenate(columns), rates)
    law = markov.iterate(Q, root ** jobs.sum(axis=0).astype(float), 1e-12)
    return np.bincount(jobs.sum(axis=0), law)


def capacity_loss(load, law, processors):
    """Delta^T of a law of the number: what the jobs could use, less the load."""
    return float(law @ np.minimum(np.arange(len(law)) / processors, 1)) - load


def share_deviations(loads, shares, law, processors):
    """Delta_g of groups whose jobs are alike: given the number of all jobs, those of a group are binomial.

    Parameters
    ----------
    loads, shares : sequence of float
    law : ndarray
    processors : int

    Returns
    -------
    ndarray, shape (groups,)
    """
    numbers, found = np.arange(len(law)), []
    for own, share in zip(loads, shares):
        of_group = stats.binom.pmf(numbers, numbers[:, None], own / sum(loads))
        feasible = law @ of_group @ feasible_group_share(share, numbers, processors)
        found.append((feasible - own) / share)
    return np.array(found)
