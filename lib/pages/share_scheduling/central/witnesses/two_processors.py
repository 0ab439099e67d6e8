"""The chain of two processors and two groups by the printed rules: four numbers of jobs, exact up to where it is cut.

JSQ and HP by `apart`, in arrays; SVP and DVP by `reached`, state by state, for there few states are reached.
"""

import functools
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from clustershare import markov
from pages.share_scheduling.central.printed.rules import Rules
from pages.share_scheduling.central.witnesses import groups_apart, lengths
from pages.share_scheduling.central.witnesses.reached import law as law_reached

LOADS = (0.1, 0.2, 0.3, 0.4, 0.5)
CUTS = dict(zip(LOADS, (9, 12, 16, 21, 28)))  # less than 1e-8 of all jobs find so many before them
OWN_CUTS = dict(zip(LOADS, (9, 13, 18, 24, 31)))  # where each group has but one processor


class Chain(NamedTuple):
    """States (states, processors, groups), their probabilities, and what each group obtains of each processor."""

    jobs: np.ndarray
    probability: np.ndarray
    obtained: np.ndarray
    shares: tuple

    @property
    def lost(self):
        """The probability that the system is full."""
        totals = self.jobs.sum(axis=(1, 2))
        return float(self.probability[totals == totals.max()].sum())

    @property
    def capacity_loss(self):
        """Delta^T."""
        usable = np.minimum(self.jobs.sum(axis=(1, 2)) / 2, 1)
        return float(self.probability @ (usable - (self.jobs.sum(axis=2) > 0).sum(axis=1) / 2))

    @property
    def deviations(self):
        """Delta_g of both groups."""
        feasible = np.minimum(self.shares, self.jobs.sum(axis=1) / 2)
        return self.probability @ ((feasible - self.obtained.sum(axis=1)) / np.array(self.shares))


@functools.cache
def chain(policy, local, load, shares=(0.5, 0.5), service_rates=(1.0, 1.0), part=0.5):
    """The law without migration.

    Parameters
    ----------
    policy, local : str
    load : float
        One of `LOADS`.
    shares : tuple of float
        Required ones.
    service_rates : tuple of float
        Jobs of each group that the whole system serves per unit time; they matter under JSQ and HP only.
    part : float
        Of the load that group 1 brings.

    Returns
    -------
    Chain
    """
    if policy in ("JSQ", "HP"):
        loads, rates = load * np.array([part, 1 - part]), np.array(service_rates)
        jobs, *moves = _part(policy, local, shares, CUTS[load], loads > 0)
        probability = _solved(jobs, *moves, loads * rates, rates)
        weights = np.array(shares)
    else:
        rules = Rules(policy, tuple(Fraction(share).limit_denominator(100) for share in shares), 2, False, local)
        found = law_reached(rules, (load * part, load * (1 - part)), OWN_CUTS[load])
        jobs, probability = np.array(found.states), found.probability
        weights = np.array(rules.weights, float)
    return Chain(jobs, probability, groups_apart.obtained(jobs, local, weights), shares)


def _part(policy, local, shares, most, coming):
    """The states with at most so many jobs of the groups that come, of the chain cut where the highest load asks it."""
    jobs, rows, columns, factors, kinds = groups_apart.chain(policy, False, local, shares, 2, max(CUTS.values()))
    inside = (jobs.sum(axis=(1, 2)) <= most) & ~jobs[:, :, ~coming].any(axis=(1, 2))
    new, kept = np.cumsum(inside) - 1, inside[rows] & inside[columns]
    return jobs[inside], new[rows[kept]], new[columns[kept]], factors[kept], kinds[kept]


def _solved(jobs, rows, columns, factors, kinds, arrivals, service_rates):
    numbers = jobs.sum(axis=1)
    leaving = (numbers[rows] - numbers[columns]).argmax(axis=1)  # the group, where one leaves
    rates = factors * np.where(kinds >= 0, arrivals[kinds], service_rates[leaving])
    guess = np.prod((arrivals / service_rates) ** numbers, axis=1)
    return markov.iterate(markov.generator(len(jobs), rows, columns, rates), guess, 1e-13)


def shortest_queue_loss(load, processors=2, spread=None):
    """The capacity loss of JSQ with PS or GPPS, which counts no groups: by the chain of the lengths, up to about 0.9.

    Parameters
    ----------
    load : float
    processors : int
    spread : int, optional
        The largest difference of two lengths; 25 on two processors and 8 on more if not given.

    Examples
    --------
    >>> round(shortest_queue_loss(0.5), 5)
    0.02605
    """
    most, spread = int(np.ceil(np.log(1e-10) / np.log(load))) + 4, spread or (25 if processors == 2 else 8)
    jobs, probability = lengths.law(load, processors, most, spread)
    usable = np.minimum(jobs.sum(axis=1), processors) / processors
    return float(probability @ (usable - (jobs > 0).sum(axis=1) / processors))
