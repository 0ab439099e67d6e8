"""Claims of `thesis`, Section 5.5.3: what a partitioning matrix does to groups that are served by it."""

import functools
from fractions import Fraction

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from clustershare import dispatch
from clustershare.compiled import service
from clustershare.compiled.encoding import encode
from clustershare.dispatch import kernel
from clustershare.dispatch.central import LOCAL, policy_of
from clustershare.dispatch.state import OBTAINED_SHARE, empty, of_groups
from clustershare.shares import feasible_group_share
from clustershare.sizes import Exponential
from compendium.press.findings import check, finding
from pages.share_scheduling.central import matrices

EXACT = 1e-12


@check("thesis-5-015", processors=3, groups=2)
def a_processor_for_each_group(processors=None, groups=None):
    """Deviations after every event; the control has a processor that two groups share."""
    worst, permutations = 0.0, True
    for P in range(2, 13):  # one group on one processor is no system of groups
        X = dispatch.partition([Fraction(1, P)] * P, P)
        permutations &= all((np.sum(X == 1, axis=axis) == 1).all() for axis in (0, 1)) and (X >= 0).all()
    rng, overloaded = np.random.default_rng(520), 0
    for P in (2, 3, 5, 10) if processors is None else (processors,):
        G = P if groups is None else groups
        for _ in range(5):
            loads = rng.uniform(0.5, 0.95) * rng.dirichlet(np.ones(G))
            overloaded += (loads > 1 / G).any()
            for local in ("PS", "GPPS"):
                path = rng.spawn(1)[0]  # so that the loads do not hang on what a path draws
                worst = max(worst, np.abs(_deviations(P, loads, local, 2000, path)).max())
    return finding(
        f"largest deviation at any moment {'within 1e-12' if worst <= EXACT else format(worst, '.2f')}; a group with "
        f"more load than its processor in {overloaded} sets of loads",
        worst <= EXACT and permutations and overloaded > 0,
    )


def _deviations(processors, loads, local, events, rng):
    """Delta_g(t) after each event of a path under SVP without migration, equal shares: shape (events, groups)."""
    G = len(loads)
    shares = np.full(G, 1 / G)
    policy, weights = policy_of("SVP", False, shares, processors)
    system = empty(
        LOCAL[local], shares, np.full(processors, 1 / processors), weights, by_group=policy.by_group, timed=False
    )
    laws, clock, sums = encode(*[Exponential()] * G), np.array([0.0, np.inf]), np.zeros(len(system.level))
    obtained, present = np.empty((events, G)), np.empty((events, G), np.int64)
    for k in range(events):
        kernel.run(rng, policy, system, loads, 1.0, laws, 1, clock, sums)
        obtained[k], present[k] = of_groups(system.level)[:, OBTAINED_SHARE], system.present[1:]
    return (feasible_group_share(1 / G, present, processors) - obtained) * G


@check("thesis-5-128", rule="no step 1")
def as_few_shared_processors_as_possible(rule=None):
    """Entries of X against an integer programme, and how many jobs a group needs; the control leaves step 1 out."""
    found = matrices.systems(60, 521, groups=(2, 4), processors=(2, 4), denominators=(12,))
    more, other, jobs = 0, 0, 0
    for sizes, X in matrices.matrices(found, rule):
        entries, P, G = int((X > 0).sum()), X.shape[1], len(sizes)
        more += entries > _fewest_entries(sizes)
        other += entries != P + G - len(matrices.most_sets(sizes)) or (X == 1).sum() != sum(map(int, sizes))
        weights = _weights(sizes)
        for g in range(G):
            own, share = np.flatnonzero(X[g] > 0), float(sizes[g] / P)
            given = np.array([_divided(weights[p], X[:, p] > 0)[g] for p in own]) / P
            enough = abs(given.sum() - share) <= EXACT
            jobs += not (enough and all(given.sum() - left < share - EXACT for left in given))
    return finding(
        f"of {len(found)} systems, with more entries than there need be: {more}; with other numbers of shared or whole "
        f"processors: {other}; groups that need other than |Omega| jobs: {jobs}",
        more == other == jobs == 0,
    )


@functools.cache
def _fewest_entries(sizes):
    """The least number of entries above 0 of all matrices with these rows, and columns of 1: by HiGHS."""
    G, P = len(sizes), int(sum(sizes))
    n = G * P
    sums = np.vstack([np.kron(np.eye(G), np.ones(P)), np.kron(np.ones(G), np.eye(P))])
    wanted = np.concatenate([np.array(sizes, float), np.ones(P)])
    answer = milp(
        np.repeat([0.0, 1.0], n), integrality=np.repeat([0, 1], n), bounds=Bounds(0, 1),
        constraints=[
            LinearConstraint(np.hstack([sums, np.zeros_like(sums)]), wanted, wanted),
            LinearConstraint(np.hstack([np.eye(n), -np.eye(n)]), -np.inf, 0),  # X > 0 counts as an entry
        ],
    )  # fmt: skip
    return round(answer.fun)


def _weights(sizes, policy="SVP"):
    """The groups' weights on the processors under GPPS, shape (processors, groups)."""
    return policy_of(policy, False, np.array(matrices.shares(sizes), float), int(sum(sizes)))[1]


def _divided(weights, jobs, rule=service.GPPS):
    """What groups obtain of a processor, shape (groups,)."""
    shares = np.zeros(len(weights))
    service.divide(rule, weights, np.asarray(jobs, np.int64), shares)
    return shares


@check("thesis-5-133", policy="JSQ")
def weights_of_the_parts(policy="SVP"):
    """What groups obtain of their processors under GPPS and under PS; the control has the weights r_g everywhere."""
    rng, off, unlike, seen = np.random.default_rng(522), 0.0, 0, 0
    for sizes, X in matrices.matrices(matrices.systems(200, 501)):
        weights = _weights(sizes, policy)
        for p in range(X.shape[1]):
            present = X[:, p] > 0
            jobs, wanted = rng.integers(1, 6, len(sizes)) * present, X[:, p].astype(float)
            off = max(off, np.abs(_divided(weights[p], jobs) - wanted).max())
            if present.sum() > 1:
                seen += 1
                unlike += np.abs(_divided(weights[p], jobs, service.PS) - wanted).max() > 1e-3
    return finding(
        f"GPPS {'within 1e-12 of X' if off <= EXACT else f'off by up to {off:.2f}'}; PS off by more than 0.001 on "
        f"{unlike} of {seen} shared processors",
        off <= EXACT and unlike > seen / 2,
    )
