"""The systems that outside witnesses are asked about, what we answer, and computations that decide between us."""

import itertools

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as spla

from clustershare import dispatch, multiserver, splitting, uniprocessor

# One processor: required shares, arrival rates, service rates.
SYSTEMS = {
    "two groups": ((0.75, 0.25), (0.3, 0.2), (1.0, 0.8)),
    "three groups": ((0.5, 0.3, 0.2), (0.2, 0.15, 0.1), (1.0, 0.8, 0.5)),
    "high load": ((0.75, 0.25), (0.45, 0.5), (1.0, 1.0)),
}
# Equal processors: how many, required shares, loads.
SEVERAL = {
    "two processors": (2, (0.6, 0.4), (0.15, 0.1)),
    "three processors": (3, (0.6, 0.4), (0.15, 0.1)),
}
# Servers of capacity 1, which may serve a job together: those of each class, arrival rates.
GRAPHS = {"shared server": (({0, 2}, {1, 2}), (0.15, 0.1))}
REACHED = 14  # jobs in our chains of several processors
TIED = "HOL, one priority"  # two groups of the same priority: first come, first served


def ours(policy, system):
    """Our exact mean number of jobs of each group.

    By a formula, a recursion or a chain; under JSQ with PS one number, of
    all groups.
    """
    if system in GRAPHS:
        servers, rates = GRAPHS[system]
        graph = multiserver.CompatibilityGraph(servers, (1.0,) * 3)
        return multiserver.balanced_fairness(graph, rates).mean_jobs
    if system in SEVERAL:
        processors, shares, loads = SEVERAL[system]
        name, local = policy.split()
        if name == "HPRS":
            speeds = (1 / processors,) * processors
            found = splitting.horizontal(shares, loads, speeds, local)
            return found.mean_jobs
        found = dispatch.exact_central(
            name,
            local=local,
            required_shares=shares,
            loads=loads,
            processors=processors,
            most_jobs=REACHED,
        ).mean_jobs
        return found.sum(keepdims=True) if local == "PS" else found
    accuracy = {}
    if system == "three groups" and policy in ("PPS", "GPPS"):
        accuracy["tolerance"] = 1e-6  # a chain in three dimensions
    policy = "FCFS" if policy == TIED else policy
    found = uniprocessor.exact(policy, *SYSTEMS[system], **accuracy)
    return found.mean_jobs


def law_by_definition(policy, system, most=None):
    """States of one processor, one a column, and their probabilities.

    A state: jobs of each group, and which group is in service under PQ and
    HOL, where group 1 is in front.
    """
    shares, arrivals, services = SYSTEMS[system]
    line = policy in ("PQ", "HOL")
    most = most or ((40, 500) if line else (90, 90))
    shape = (most[0] + 1, most[1] + 1, 2)
    states = np.indices(shape).reshape(3, -1)
    jobs = states[:2]
    if line:
        parts = [states[2] == group for group in (0, 1)]
    else:  # PS and PPS: all jobs are served at once
        weights = np.array(shares if policy == "PPS" else (1, 1))
        weighted = jobs * weights[:, None]
        parts = weighted / np.maximum(weighted.sum(axis=0), 1e-9)
    rows, columns, rates = [], [], []
    for group in (0, 1):
        up = np.full(states.shape[1], arrivals[group])
        for step, rate in ((1, up), (-1, services[group] * parts[group])):
            after = states.copy()
            after[group] += step
            possible = (after[group] >= 0) & (after[group] <= most[group])
            # HOL goes on with whom it serves until that job has ended.
            empty = (jobs == 0).all(axis=0)
            chosen = policy != "HOL" or step < 0 or empty
            after[2] = np.where(chosen, after[0] == 0, states[2])
            possible &= rate > 0
            rows.append(np.flatnonzero(possible))
            columns.append(np.ravel_multi_index(after[:, possible], shape))
            rates.append(np.broadcast_to(rate, possible.shape)[possible])
    probability = _stationary(
        np.concatenate(rows),
        np.concatenate(columns),
        np.concatenate(rates),
        start=np.ravel_multi_index((0, 0, 1), shape),
        size=states.shape[1],
    )
    return states, probability


def by_definition(policy, system, **most):
    """Mean jobs of each group, from what the policy's definition says.

    FCFS: only how many wait is in the state, and the group in service. A job
    that waits is of a group with its part of the arrivals.
    """
    if system in GRAPHS:
        return _oldest_first(*GRAPHS[system])
    if policy not in ("FCFS", TIED):
        states, law = law_by_definition(policy, system, **most)
        return states[:2] @ law
    _, arrivals, services = map(np.array, SYSTEMS[system])
    mix, waiting = arrivals / arrivals.sum(), 400
    # State 0 is empty; 1 + 2 n + g: group g is served, n wait.
    moves = [(0, 1 + g, arrivals[g]) for g in (0, 1)]
    for n, g in itertools.product(range(waiting + 1), (0, 1)):
        here = 1 + 2 * n + g
        if n < waiting:
            moves.append((here, here + 2, arrivals.sum()))
        if n == 0:
            moves.append((here, 0, services[g]))
        else:
            moves += [
                (here, 1 + 2 * (n - 1) + k, services[g] * mix[k])
                for k in (0, 1)
            ]
    law = _stationary(*zip(*moves), start=0, size=3 + 2 * waiting)
    served = law[1:].reshape(-1, 2)
    waits = served.sum(axis=1) @ np.arange(waiting + 1)
    return served.sum(axis=0) + mix * waits


def _oldest_first(servers_of_class, arrivals, most=9):
    """Mean jobs where each server serves the oldest job that it can.

    The state is the queue in order; no recursion, no product form.
    """
    queues = [
        queue
        for length in range(most + 1)
        for queue in itertools.product((0, 1), repeat=length)
    ]
    number = {queue: n for n, queue in enumerate(queues)}
    moves = []
    for queue in queues:
        if len(queue) < most:
            moves += [
                (number[queue], number[(*queue, k)], arrivals[k])
                for k in (0, 1)
            ]
        taken = set()
        for place, k in enumerate(queue):
            rate = len(servers_of_class[k] - taken)
            taken |= servers_of_class[k]
            if rate:
                after = queue[:place] + queue[place + 1 :]
                moves.append((number[queue], number[after], rate))
    law = _stationary(*zip(*moves), start=0, size=len(queues))
    return law @ [[queue.count(k) for k in (0, 1)] for queue in queues]


def _stationary(rows, columns, rates, start, size):
    """Stationary law, by one sparse solve, of the states that are reached from one; 0 elsewhere."""
    flows = sp.csr_array((np.array(rates, float), (rows, columns)), shape=(size, size))
    reached = np.sort(sp.csgraph.breadth_first_order(flows, start, return_predecessors=False))
    flows = flows[reached][:, reached]
    balance = sp.csc_array((flows - sp.diags_array(flows.sum(axis=1))).T)
    others = spla.spsolve(balance[1:, 1:], -balance[1:, [0]].toarray().ravel())
    law = np.zeros(size)
    law[reached] = np.append(1.0, others) / (1 + others.sum())
    return law


def beyond_means(policy, system):
    """What most-queue answers besides mean numbers, from the law: how long the processor is busy, and times squared.

    Jobs of a group leave in order of arrival under PQ and HOL, and those who come later do not change when. So the jobs
    of the group that a job leaves behind are those who came while it was there, and E[N (N - 1)] is the squared arrival
    rate times the second moment of the time in the system.
    """
    states, law = law_by_definition(policy, system)
    jobs, arrivals = states[:2], np.array(SYSTEMS[system][1])
    busy = law[(jobs > 0).any(axis=0)].sum()
    return float(busy), (jobs * (jobs - 1)) @ law / arrivals**2
