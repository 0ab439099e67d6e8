"""Claims of `thesis`, end of Section 3.2.1: policies that do not interrupt and do not look at the groups.

The witnesses are chains of the line, and runs in which the groups are drawn after the order is known (`services`).
"""

import math

import numpy as np

from clustershare import uniprocessor
from compendium.press.findings import check, finding, over_domain
from pages.share_scheduling.one_processor.witnesses import lines, services

JOBS = {0.3: 500, 0.6: 1000, 0.8: 1500, 0.9: 3000}
PATHS = lines.RUN["replications"]
PARTS = (0.1, 0.3, 0.5)
SHARES = np.array([0.6, 0.4])


def _looking(load, part, seed):
    """A run of HOL, in which the first group goes first: the run, and whose each job is."""
    system = lines.System(SHARES, load * np.array([part, 1 - part]), np.zeros(2, int))
    path = services.path(system, "HOL", services=JOBS[load], warmup=0, seed=seed)
    last = path.end[-1]  # what still waits then has not been served: it is left out, and hardly matters
    return services.Run(path.arrival, path.start, path.end, path.job.astype(float), last), path.job == 0


def _deviations(order, load, part):
    """Both deviations of both groups on the runs of an order: two estimates of shape (2,)."""
    sums, lengths = [], []
    for seed in range(PATHS):
        if order == "HOL":
            run, first = _looking(load, part, seed)
        else:
            run = services.blind(order, load, JOBS[load], seed)
            first = run.label < part
        sums.append([services.of_group(run, mine) for mine in (first, ~first)])
        lengths.append(run.length)
    sums = np.array(sums)
    group = services.per_time(sums[:, :, 0] - sums[:, :, 1] / SHARES, np.array(lengths))
    return group, services.per_time(sums[:, :, 2], np.array(lengths))


def _in_chains(order, policy):
    """By how much chains of a line in some order differ from FCFS beyond their bounds."""
    excess = -math.inf
    for system, line in lines.solved(policy, False, order):
        expected = uniprocessor.exact("FCFS", **system.arguments)
        for name in ("group_share_deviation", "job_share_deviation"):
            gap = np.abs(getattr(line.performance, name) - getattr(expected, name)).max()
            excess = max(excess, gap - line.performance.error)
    return excess


@check("thesis-3-025", orders=("HOL",))
def other_orders(orders=("last", "random", "first and last by turns", "shortest", "longest")):
    """The deviations of FCFS in other orders: two in chains, all of them simulated; the control looks at the groups."""
    holds, said = {}, []
    for order in orders:
        chain = -math.inf
        if order in ("last", "random", "HOL"):
            policy, within = ("HOL", "first") if order == "HOL" else ("FCFS", order)
            chain = _in_chains(within, policy)
        expected, found = [], []
        for load in (0.3, 0.6, 0.9):
            for part in PARTS:
                fcfs = uniprocessor.exact("FCFS", SHARES, (load * part, load * (1 - part)))
                expected += [fcfs.group_share_deviation, fcfs.job_share_deviation]
                found += _deviations(order, load, part)
        missed, tried = lines.contradicted(expected, found)
        worst = max(np.abs(f.value - e).max() for e, f in zip(expected, found, strict=True))
        same = chain <= 1e-9 and missed == 0
        kind = order in ("shortest", "longest")  # two parts of the domain: orders that ask for sizes, and the others
        holds[kind] = holds.get(kind, True) and same
        said.append(f"{order} {'as FCFS' if same else f'off by up to {worst:.1f}, {missed} of {tried} intervals'}")
    return over_domain("; ".join(said), list(holds.values()))


def _served_given_numbers(order, load, parts, most=4):
    """Simulated probabilities that a group is served given the numbers, by state up to a total: expected and found."""
    cuts, expected, found = np.cumsum(parts)[:-1], [], []
    groups, totals = len(parts), {}
    for seed in range(PATHS):
        run = services.blind(order, load, JOBS[load], seed)
        group = np.searchsorted(cuts, run.label)
        times = np.concatenate([run.arrival, run.end])
        kind = np.concatenate([group, group])
        change = np.concatenate([np.ones(len(group)), -np.ones(len(group))])
        sort = np.argsort(times, kind="stable")
        steps = np.zeros((len(times), groups))
        steps[np.arange(len(times)), kind[sort]] = change[sort]
        numbers = np.cumsum(steps, axis=0).round().astype(int)
        length = np.diff(np.append(times[sort], run.length))
        serving = group[np.clip(np.searchsorted(run.start, times[sort], side="right") - 1, 0, None)]
        chosen = (numbers.sum(axis=1) > 0) & (numbers.sum(axis=1) <= most)
        key = numbers[chosen] @ (most + 1) ** np.arange(groups)
        size = (most + 1) ** groups
        there = np.bincount(key, length[chosen], size)
        served = [np.bincount(key, length[chosen] * (serving[chosen] == g), size) for g in range(groups)]
        totals[seed] = np.array([there, *served])
    sums = np.array(list(totals.values()))  # paths, 1 + groups, states
    for state in range(1, sums.shape[2]):
        n = np.array([state // (most + 1) ** g % (most + 1) for g in range(groups)])
        if 1 < n.sum() <= most and (n > 0).sum() > 1 and (sums[:, 0, state] > 0).all():
            for g in np.flatnonzero(n)[:-1]:  # those of the last group follow
                expected.append(n[g] / n.sum())
                found.append(services.per_time(sums[:, 1 + g, state], sums[:, 0, state]))
    return expected, found


@check("thesis-3-123", policy="HOL")
def in_proportion_to_the_numbers(policy="FCFS"):
    """P[g in service | n] = n_g / n in every state of chains, and on runs; the control looks at the groups."""
    worst, states = 0.0, 0
    for order in ("first", "last", "random"):
        for _, line in lines.solved(policy, False, order):
            counts, place = np.unique(line.transient, axis=1, return_inverse=True)
            whole = np.bincount(place.ravel(), line.probability)
            for g in range(len(counts)):
                mine = np.bincount(place.ravel(), line.probability * (line.serving == g))
                some = counts[g] > 0
                share = counts[g][some] / counts.sum(axis=0)[some]
                worst = max(worst, np.abs(mine[some] / whole[some] / share - 1).max())
            states += counts.shape[1] - 1
    expected, found = [], []
    for order in ("first", "last", "random", "shortest") if policy == "FCFS" else ():
        for parts in ((0.4, 0.6), (0.5, 0.3, 0.2)):
            values, estimates = _served_given_numbers(order, 0.8, parts)
            expected, found = expected + values, found + estimates
    missed, tried = lines.contradicted(expected, found) if found else (0, 0)
    said = "within 1e-9" if worst <= 1e-9 else f"off by up to {worst:.1g}"
    return finding(
        f"{said} in {states} states of chains; {missed} of {tried} simulated intervals, the shortest job first among "
        "them, miss it",
        worst <= 1e-9 and missed == 0,
    )
