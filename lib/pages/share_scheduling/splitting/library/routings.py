"""Shares of groups under any routing, and the fairest one, against laws and chains."""

import itertools

import numpy as np
from scipy.stats import binom, nbinom

from clustershare import splitting
from clustershare.results import NoExactAnswer
from clustershare.splitting import certify_shares
from compendium.press.clauses import equalities, exact, fact
from pages.share_scheduling.splitting.library.shared import CLOSE, agree, loss_of, off


def _on_processors(own, total, length):
    """The law of a group's number: of the jobs on each processor each is of the group as often as its part of the load.

    Parameters
    ----------
    own, total : ndarray, shape (processors,)
    length : int
    """
    law = np.eye(1, length)[0]
    for load, whole in zip(own, total):
        if load and whole > 0.9:  # too many to be added up; such a number is geometric (4.123)
            law = np.convolve(law, nbinom.pmf(np.arange(length), 1, (1 - whole) / (1 - whole + load)))[:length]
        elif load:
            jobs = np.arange(int(np.log(1e-17) / np.log(whole)) + 2)[:, None]
            here = ((1 - whole) * whole**jobs * binom.pmf(np.arange(length), jobs, load / whole)).sum(axis=0)
            law = np.convolve(law, here)[:length]
    return law


def _grown(arriving, rates):
    """The parts of an overloaded processor that groups have in the end, when all numbers grow: step by step."""
    if np.ptp(rates) == 0:
        return arriving / arriving.sum()
    numbers = arriving.copy()
    for _ in range(4000):
        numbers = 0.95 * numbers + 0.05 * (arriving - rates * numbers / numbers.sum())
    return numbers / numbers.sum()


def _feasible(share, law, processors):
    """What a group can claim on average; more jobs than there are processors claim no more than so many."""
    return share - sum(p * max(0.0, share - n / processors) for n, p in enumerate(law[:processors]))


def _delivered(required, loads, speeds, rates):
    """All that a `SplitShares` says of loads rho_gp under processor sharing."""
    (G, P), totals, rates = loads.shape, loads.sum(axis=0), np.broadcast_to(rates, len(required)).astype(float)
    obtained = np.zeros(G)
    for p, total in enumerate(totals):
        obtained += speeds[p] * (loads[:, p] if total <= 1 else _grown(loads[:, p] * rates, rates))
    over = [(totals[own > 0] >= 1).any() for own in loads]
    feasible = [share if full else _feasible(share, _on_processors(own, totals, P + 1), P)
                for share, own, full in zip(required, loads, over)]  # fmt: skip
    with np.errstate(divide="ignore", invalid="ignore"):
        jobs = [np.inf if full else (own[own > 0] / (1 - totals[own > 0])).sum() for own, full in zip(loads, over)]
    return _as_told(required, loads, speeds, rates, feasible, obtained, jobs)


def _as_told(required, loads, speeds, rates, feasible, obtained, jobs):
    """A `SplitShares` as a dictionary."""
    work = loads * speeds
    with np.errstate(invalid="ignore"):
        return {
            "feasible_share": feasible, "obtained_share": obtained, "mean_jobs": jobs,
            "group_share_deviation": (np.array(feasible) - obtained) / required,
            "capacity_loss": loss_of(speeds, loads.sum(axis=0)),
            "processor_loads": loads, "mean_response_time": np.array(jobs) / (work.sum(axis=1) * rates),
            "routing": work / work.sum(axis=1, keepdims=True),
        }  # fmt: skip


def _told(found, expected):
    """The largest gap of all that is told; and that of each by its name, where it is to be seen."""
    return max(off(getattr(found, name), value) for name, value in expected.items())


def _one_processor(rule, required, loads, rates, most):
    """Mean numbers on one processor and laws of each and of all, from a chain that loses jobs when there are many."""
    states = [state for state in itertools.product(range(most + 1), repeat=len(loads)) if sum(state) <= most]
    number, units = {state: k for k, state in enumerate(states)}, np.eye(len(loads), dtype=int)
    Q = np.zeros((len(states), len(states)))
    for k, state in enumerate(states):
        parts = required * (np.array(state) > 0) * (state if rule == "PPS" else 1)
        for g, unit in enumerate(units):
            if sum(state) < most:
                Q[k, number[tuple(state + unit)]] = loads[g] * rates[g]
            if state[g]:
                Q[k, number[tuple(state - unit)]] = rates[g] * parts[g] / parts.sum()
    Q -= np.diag(Q.sum(axis=1))
    Q[:, 0] = 1.0
    law = np.linalg.solve(Q.T, np.eye(1, len(states))[0])
    numbers = np.array(states).T
    return numbers @ law, [np.bincount(own, weights=law) for own in (*numbers, numbers.sum(axis=0))]


def on_routings():
    """Shares under any routing, the same mix everywhere, and processors of one's own; laws of a group's number."""
    rng = np.random.default_rng(45)

    def any_routing(required, loads, speeds, rates):
        found, totals = splitting.assignment(required, loads, speeds, rates), loads.sum(axis=0)
        stable = [g for g, own in enumerate(loads) if (totals[own > 0] < 1).all()]
        return {
            "all that an assignment tells and what follows from its loads": _told(
                found, _delivered(required, loads, speeds, rates)
            ),
            "its method and error": float((found.method, found.error) != ("formula", 0)),
            "the laws of groups' numbers and jobs drawn from all jobs": max(
                (off(splitting.group_number_law(loads, g, 9), _on_processors(loads[g], totals, 9)) for g in stable),
                default=0.0,
            ),
        }

    def same_mix(required, own, speeds, rates, most):
        P, loads = len(speeds), np.tile(own[:, None], len(speeds))
        result = {"all that HPRS with PS tells and what follows from its loads": _told(
            splitting.horizontal(required, own, speeds, "PS", rates), _delivered(required, loads, speeds, rates)
        )}  # fmt: skip
        for rule in ("PPS", "GPPS"):
            found = splitting.horizontal(required, own, speeds, rule, rates)
            jobs, laws = _one_processor(rule, required, own, np.broadcast_to(rates, len(own)), most)
            sums = [np.eye(1, P + 1)[0]] * len(laws)
            for _ in range(P):
                sums = [np.convolve(before, law)[: P + 1] for before, law in zip(sums, laws)]
            feasible = [_feasible(share, law, P) for share, law in zip(required, sums)]
            told = _as_told(required, loads, speeds, rates, feasible, own, P * jobs)
            told["capacity_loss"] = 1 - sum(p * speeds[n:].sum() for n, p in enumerate(sums[-1][:P])) - own.sum()
            result |= {
                f"all that HPRS with {rule} tells and a chain": _told(found, told) / 10,
                f"HPRS with {rule}, its method": float(found.method != "chain" or found.error > 1e-6),
            }
        return result

    def own_processors(sizes, own):
        P = sum(sizes)
        loads = np.repeat(np.diag(own * P / np.array(sizes)), sizes, axis=1)
        shares = np.array(sizes) / P
        return {"all that VPRS tells and what follows from its loads": _told(
            splitting.vertical(shares, own, P), _delivered(shares, loads, np.full(P, 1 / P), 1.0)
        )}  # fmt: skip

    mixed = [
        ([0.7, 0.3], [[0.3, 0.5, 0.1], [0.2, 0.0, 0.8]], [0.5, 0.3, 0.2], [1.0, 2.5]),
        ([0.2, 0.5, 0.3], [[0.1, 0.4, 0.0, 0.3], [0.2, 0.5, 0.0, 0.0], [0.25, 0.25, 0.0, 0.2]], [0.4, 0.3, 0.2, 0.1],
         [0.5, 2.0, 1.2]),
        ([0.35, 0.65], [[0.6, 0.8], [0.0, 0.7]], [0.7, 0.3], 2.0),
        ([0.35, 0.65], [[0.0, 0.0], [0.3, 0.7]], [0.6, 0.4], 2.0),
        ([0.5, 0.5], [[0.3, 1.4, 0.2], [0.1, 0.0, 0.0]], [0.4, 0.3, 0.3], 0.7),
        ([0.6, 0.4], [[0.2], [0.5]], [1.0], [1.0, 3.0]),
        ([0.25, 0.75], rng.uniform(0.02, 0.4, (2, 10)), np.full(10, 0.1), 1.0),
    ]  # fmt: skip
    mixes = [([0.7, 0.3], [0.12, 0.24], [0.5, 0.3, 0.2], [1.0, 2.5], 34),
             ([0.35, 0.65], [0.4, 0.05], np.full(8, 1 / 8), 1.5, 30),
             ([0.2, 0.5, 0.3], [0.08, 0.05, 0.12], [0.6, 0.4], [0.5, 2.0, 1.2], 15)]  # fmt: skip
    own = [([2, 1], [0.5, 0.2]), ([1, 2, 5], [0.35, 0.2, 0.3]), ([1, 3], [0.2, 0.0])]
    given = [tuple(np.array(x, float) if isinstance(x, list) else x for x in case) for case in (*mixed, *mixes)]
    P, shares, loads = 14_400, np.array([0.75, 0.25]), np.array([0.4, 0.05])
    many, apart = (splitting.horizontal(shares, loads, np.full(P, 1 / P)), splitting.vertical(shares, loads, P))
    jobs = np.arange(P)
    lacking = [
        [
            (np.maximum(0, 1 - jobs / (share * P)) * nbinom.pmf(jobs, count, 1 - ratio)).sum()
            for share, count, ratio in kind
        ]
        for kind in (zip(shares, (P, P), loads / (1 - loads[::-1])), zip(shares, shares * P, loads / shares))
    ]
    crowd = {
        f"deviations under {name} over thousands of processors and laws of sums": exact(
            off(found.group_share_deviation, 1 - np.array(lack) - loads / shares)
        )
        for name, found, lack in zip(("HPRS", "VPRS"), (many, apart), lacking)
    }
    return [
        *agree("assignment", 45, given[: len(mixed)], any_routing), *agree("mix", 45, given[len(mixed) :], same_mix),
        *agree("partition", 45, [(sizes, np.array(own)) for sizes, own in own], own_processors),
        *equalities(crowd, CLOSE),
    ]  # fmt: skip


def on_searches():
    """The fairest routing, found and proven: its value, and no other that is better."""
    rng = np.random.default_rng(46)

    def largest(required, loads, speeds):
        return _delivered(required, loads, speeds, 1.0)["group_share_deviation"].max()

    def rivals(required, own, speeds):
        """The least deviations: of random routings, and where each processor serves some groups by its capacity."""
        some = [np.array(served).T * speeds for served in
                itertools.product(itertools.product((0, 1), repeat=len(own)), repeat=len(speeds))]  # fmt: skip
        some = [table / table.sum(axis=1, keepdims=True) for table in some if (table.sum(axis=1) > 0).all()]
        tried = rng.dirichlet(np.full(len(speeds), 0.4), (15, len(own)))
        return [
            min(largest(required, table * own[:, None] / speeds, speeds) for table in kind) for kind in (tried, some)
        ]

    def fairest(required, own, speeds):
        found = splitting.minimise_group_share_deviation(required, own, speeds, starts=5)
        first = splitting.minimise_group_share_deviation(required, own, speeds, starts=1)
        told, others = _delivered(required, found.processor_loads, speeds, 1.0), rivals(required, own, speeds)
        return {
            "all that the fairest routing tells and what follows from its loads": _told(found, told),
            "the work that it sends and what comes": off(found.processor_loads @ speeds, own),
            "its deviation and the least of it and of others":
                max(0.0, told["group_share_deviation"].max() - min(others) - 1e-7),
            "the descent from the best processors for each and their deviation":
                max(0.0, first.group_share_deviation.max() - others[1] - 1e-7),
            "its method and what is still to gain": float(found.method != "descent" or found.error > 1e-3),
        }  # fmt: skip

    def proven(required, own, P, gap):
        speeds = np.full(P, 1 / P)
        found = splitting.certify_group_share_deviation(required, own, P, gap=gap, starts=4)
        best = found.group_share_deviation.max()
        return {
            "all that the proven routing tells and what follows from its loads":
                _told(found, _delivered(required, found.processor_loads, speeds, 1.0)),
            "its deviation and the least of others": max(0.0, best - gap - min(rivals(required, own, speeds))),
            "what is said of the proof": float((found.method, found.error) != ("branch and bound", gap)),
            "that nothing is below what is reached, which is not proven,":
                float(certify_shares.none_below(required, own, P, best + 2e-3, most_boxes=3000)),
        }  # fmt: skip

    systems = [([0.5, 0.5], [0.3, 0.2], np.full(4, 0.25)), ([0.15, 0.85], [0.67, 0.11], [0.5, 0.5]),
               ([0.3, 0.7], [0.1, 0.5], [0.5, 0.3, 0.2]), ([0.5, 0.3, 0.2], [0.3, 0.3, 0.1], [0.6, 0.4])]  # fmt: skip
    proofs = [([0.3, 0.7], [0.15, 0.45], 2, 5e-3), ([1 / 3, 2 / 3], [0.3, 0.2], 3, 1e-2),
              ([0.15, 0.85], [0.67, 0.11], 2, 5e-3)]  # fmt: skip
    try:
        splitting.certify_group_share_deviation([0.18, 0.82], [0.227, 0.329], 2, gap=0.02, starts=1, most_boxes=2000)
        refused = False
    except NoExactAnswer:
        refused = True
    return [
        *agree("system", 46, [tuple(map(np.array, system)) for system in systems], fairest),
        *agree("proof", 46, [(np.array(required), np.array(own), *rest) for required, own, *rest in proofs], proven),
        fact("what a few descents miss by far is not proven", refused, "what a few descents miss by far is proven"),
    ]
