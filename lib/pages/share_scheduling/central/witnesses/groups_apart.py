"""Chains of JSQ and HP by the printed rules, the jobs of all groups apart: all states at once, in arrays.

`printed_rules` says the same state by state, and is slower. The library's rules are not used. Capacity 1, mean size 1.
"""

import functools
import itertools
import math

import numpy as np

from clustershare import markov


def _among(masks):
    """Each of the processors that a mask names, with its chance: pairs of rows and chances, a pair a processor."""
    for p in range(masks.shape[1]):
        rows = np.flatnonzero(masks[:, p])
        yield p, rows, 1 / masks[rows].sum(axis=1)


def _first(masks, values):
    """Of the processors that masks name, those with the largest value."""
    seen = np.where(masks, values, -1)
    return masks & (seen == seen.max(axis=1, keepdims=True))


def placed(policy, jobs, g):
    """Rule I1: for each choice its rows, the states after it, and the chances."""
    totals = jobs.sum(axis=2)
    everywhere = np.ones(totals.shape, dtype=bool)
    masks = everywhere if policy == "JSQ" else _first(everywhere, jobs.max(initial=0) - jobs[:, :, g])
    masks = _first(masks, totals.max(initial=0) - totals)
    for p, rows, chance in _among(masks):
        after = jobs[rows].copy()
        after[:, p, g] += 1
        yield rows, after, chance


def _moved(left, rows, h, p, q, chance):
    """One job of group h goes from p to q."""
    after = left[rows].copy()
    after[:, p, h] -= 1
    after[:, q, h] += 1
    return rows, after, chance


def migrated(policy, left, g, q):
    """Rules M1 and M2 after a job of group g left q, as `placed`; the rows without a move too."""
    totals, still = left.sum(axis=2), np.ones(len(left), dtype=bool)
    everywhere = np.ones(totals.shape, dtype=bool)
    if policy == "HP":
        own = left[:, :, g]
        due = own.max(axis=1) >= own[:, q] + 2
        for p, rows, chance in _among(_first(_first(everywhere, own), totals) & due[:, None]):  # M1
            yield _moved(left, rows, g, p, q, chance)
        still &= ~due
    due = still & (totals.max(axis=1) >= totals[:, q] + 2)
    for p, rows, chance in _among(_first(everywhere, totals) & due[:, None]):  # M1 of JSQ, M2 of HP
        if policy == "JSQ":
            parts = left[rows, p] / totals[rows, p][:, None]
        else:
            parts = (left[rows, p] >= left[rows, q] + 1).astype(float)
            parts /= parts.sum(axis=1, keepdims=True)
        for h in range(left.shape[2]):
            able = parts[:, h] > 0
            yield _moved(left, rows[able], h, p, q, (chance * parts[:, h])[able])
    rows = np.flatnonzero(still & ~due)
    yield rows, left[rows], np.ones(len(rows))


def obtained(jobs, local, shares):
    """What each group obtains on each processor, of the whole capacity: shape (states, processors, groups)."""
    claims = jobs if local == "PS" else np.where(jobs > 0, shares, 0.0)
    return claims / np.maximum(claims.sum(axis=2, keepdims=True), 1e-300) / jobs.shape[1]


def _transitions(policy, migration, local, shares, jobs, most):
    """All transitions from some states: rows, states after, rates or chances, and the group that arrives or -1."""
    P, G = jobs.shape[1:]
    share = obtained(jobs, local, shares)
    inside = np.flatnonzero(jobs.sum(axis=(1, 2)) < most)
    for g in range(G):
        for rows, after, chance in placed(policy, jobs[inside], g):
            yield inside[rows], after, chance, g
    for q, g in itertools.product(range(P), range(G)):
        there = np.flatnonzero(jobs[:, q, g] > 0)
        left = jobs[there].copy()
        left[:, q, g] -= 1
        moves = migrated(policy, left, g, q) if migration else [(np.arange(len(there)), left, np.ones(len(there)))]
        for rows, after, chance in moves:
            yield there[rows], after, chance * share[there[rows], q, g], -1


@functools.cache
def chain(policy, migration, local, shares, processors, most):
    """The states reached from the empty system with up to `most` jobs, and the transitions between them.

    Returns
    -------
    jobs : ndarray of int, shape (states, processors, groups)
        The empty state first.
    rows, columns : ndarray of int
        Of the transitions.
    factors : ndarray
        Their rates; for an arrival to be multiplied by the load of its group.
    kinds : ndarray of int
        The group that arrives, -1 at a departure.
    """
    G = len(shares)
    digits = (most + 1) ** np.arange(processors * G, dtype=np.int64)
    known, new = np.zeros(0, np.int64), np.zeros(1, np.int64)
    parts = []
    while len(new):
        known = np.union1d(known, new)
        jobs = (new[:, None] // digits % (most + 1)).reshape(-1, processors, G)
        found = [
            (new[rows], after.reshape(-1, processors * G) @ digits, factors, np.full(len(rows), kind))
            for rows, after, factors, kind in _transitions(policy, migration, local, np.array(shares), jobs, most)
        ]
        parts += found
        new = np.setdiff1d(np.concatenate([part[1] for part in found]), known)
    rows, columns, factors, kinds = (np.concatenate(column) for column in zip(*parts))
    return (
        (known[:, None] // digits % (most + 1)).reshape(-1, processors, G), np.searchsorted(known, rows),
        np.searchsorted(known, columns), factors, kinds,
    )  # fmt: skip


@functools.cache
def law(policy, migration, local, shares, loads, processors, most):
    """States and their probabilities; an arrival that would be one job too many is lost."""
    jobs, rows, columns, factors, kinds = chain(policy, migration, local, shares, processors, most)
    rates = factors * np.append(loads, 1.0)[kinds]
    Q = markov.generator(len(jobs), rows, columns, rates)
    guess = np.prod(np.array(loads) ** jobs.sum(axis=1), axis=1)
    return jobs, markov.iterate(Q, guess, 1e-11)


def solved(policy, migration, local, share, load):
    """A chain of two processors on which group 1 brings three tenths of the load, cut where less than 1e-8 is lost."""
    loads = (round(0.3 * load, 12), round(0.7 * load, 12))
    most = 1 + math.ceil(math.log(1e-8) / math.log(load))
    jobs, probability = law(policy, migration, local, (share, round(1 - share, 12)), loads, 2, most)
    return np.array(loads), jobs, probability


@functools.cache
def loss_on_two(policy, local, share, load, fraction, lost=1e-8):
    """Delta^T on two processors by the chain of the printed rules, cut where less than a part is lost."""
    most = 8
    while True:
        jobs, probability = law(
            policy, False, local, (share, round(1 - share, 12)), (load * fraction, load * (1 - fraction)), 2, most
        )
        number = jobs.sum(axis=(1, 2))
        if probability[number == most].sum() < lost:
            able, busy = np.minimum(number, 2) / 2, (jobs.sum(axis=2) > 0).sum(axis=1) / 2
            return float(probability @ (able - busy))
        most += 4
