"""What non-preemptive policies can do at best for two groups: a linear programme, and a processor that may wait."""

from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from clustershare.estimates import Estimate, from_replications


class Programme(NamedTuple):
    """Decisions as flows: all that a policy may do, up to some total of jobs, and whatever beyond it.

    Attributes
    ----------
    balance : sparse array, shape (nodes, variables)
        Its product with the variables is 0.
    served : ndarray, shape (2, variables)
        1 for the probabilities of the states in which the group is served.
    present : ndarray, shape (2, variables)
        1 for those in which it is there.
    mass : ndarray, shape (variables,)
        1 for all probabilities, 0 for the rates of decisions.
    """

    balance: object
    served: np.ndarray
    present: np.ndarray
    mass: np.ndarray


def programme(loads, most, preemptive=False):
    """The flows of two groups whose service rates are 1, on a processor that never waits.

    How often a policy decides for whom, on average over all that it remembers, is such a flow. From above the total
    `most` jobs come back in any mixture, as no policy could choose: what is least here is a lower bound. If it is
    preemptive, each state may choose anew; else a service that has begun goes on to its end.

    Examples
    --------
    >>> programme((0.4, 0.4), 2).mass.sum()
    np.float64(7.0)
    """
    nodes, variables, entries = {}, {}, []

    def flow(start, end, rate, variable):
        column = variables.setdefault(variable, len(variables))
        entries.extend((nodes.setdefault(node, len(nodes)), column, x) for node, x in ((start, -rate), (end, rate)))

    for first in range(most + 1):
        for second in range(most + 1 - first):
            here = first, second
            present = [who for who in (1, 2) if here[who - 1]]
            for served in present or [0]:
                state = (*here, served)
                node = here if preemptive else state
                for group in (1, 2):
                    after = (first + (group == 1), second + (group == 2))
                    after = after if preemptive else (*after, served or group)
                    flow(node, "above" if first + second == most else after, loads[group - 1], state)
                if served:
                    left = (first - (served == 1), second - (served == 2))
                    alone = 1 if left[0] else 2 if left[1] else 0
                    flow(node, left if preemptive or min(left) else (*left, alone), 1.0, state)
            for who in present:
                if first + second == most:
                    flow("above", here if preemptive else (*here, who), 1.0, ("back", *here, who))
                if len(present) == 2 and first + second < most and not preemptive:
                    flow(here, (*here, who), 1.0, ("begin", *here, who))
    rows, columns, rates = zip(*entries, strict=True)
    states = np.array([(-1, -1, -1) if isinstance(name[0], str) else name for name in variables])
    balance = sparse.csr_array((rates, (rows, columns)), shape=(len(nodes), len(variables)))
    groups = np.array([[1], [2]])
    return Programme(balance, 1.0 * (states[:, 2] == groups), 1.0 * (states.T[:2] > 0), 1.0 * (states[:, 2] >= 0))


def least_deviation(flows, loads, most, share):
    """No policy of the programme has a smaller group-share deviation than this, if group 1 requires the share."""
    beyond, count = sum(loads) ** (most + 1), len(flows.mass)  # with equal service rates the total is geometric
    shares = np.array([share, 1 - share])
    # The last variable is at least both deviations, from which what is above `most` is left out.
    deviations = np.hstack([flows.present, [[-1.0], [-1.0]]])
    served = np.hstack([flows.served, [[0.0], [0.0]]])
    equalities = sparse.vstack([flows.balance[1:], flows.mass[None]])
    found = linprog(
        np.append(np.zeros(count), 1.0),
        A_ub=np.vstack([deviations, served, -served]),
        b_ub=[*(loads / shares), *loads, *(beyond - np.array(loads))],
        A_eq=sparse.hstack([equalities, sparse.csr_array((equalities.shape[0], 1))]),
        b_eq=np.append(np.zeros(equalities.shape[0] - 1), 1 - beyond),
        bounds=[(0, None)] * count + [(None, None)],
        method="highs",
    )
    return found.fun


class Waiting(NamedTuple):
    """Paths of Up-Down with a threshold, each an `Estimate` of shape (settings, ...).

    Attributes
    ----------
    deviations : Estimate, shape (settings, 2)
    loss : Estimate, shape (settings,)
        Of capacity: the probability that there are jobs and nobody is served.
    growth : Estimate, shape (settings,)
        By how much more jobs of group 2 there are in the last third of a path than in the first, on average.
    """

    deviations: Estimate
    loss: Estimate
    growth: Estimate


def with_threshold(settings, loads, steps=9_000, replications=20, seed=0):
    """Up-Down that lets group 2 wait for group 1 while the priority of group 1 is above a threshold.

    All settings, each a required share of group 1 and a threshold, run side by side; an infinite one is never reached.
    Service rates are 1, and a service that has begun goes on to its end. The first ninth of the events is left out.

    Examples
    --------
    >>> with_threshold([(0.9, 1.0)], (0.4, 0.4), 900, 5).loss.value > 0
    array([ True])
    """
    rng = np.random.default_rng(seed)
    share, threshold = (np.repeat(column, replications) for column in np.transpose(settings))
    shares, paths = np.array([share, 1 - share]), len(share)
    jobs, priority, serving = np.zeros((2, paths), int), shares.copy(), np.full(paths, -1)
    sums, elapsed, thirds = np.zeros((5, paths)), np.zeros(paths), np.zeros((3, 2, paths))
    groups, arriving = np.array([[0], [1]]), loads[0] + loads[1]
    for step in range(steps):
        # Whoever is free decides: group 1 if its priority is the larger one or above the threshold, else group 2.
        free, above = serving < 0, priority[0] > threshold
        first = (jobs[0] > 0) & ((jobs[1] == 0) | (priority[0] >= priority[1]) | above)
        serving[free & first] = 0
        serving[free & ~first & (jobs[1] > 0) & ~above] = 1
        busy = serving >= 0
        hold = rng.standard_exponential(paths) / (arriving + busy)
        present, served = jobs > 0, serving == groups
        priority += hold * (shares * present - served)
        if step >= steps // 9:
            sums[:2] += hold * present
            sums[2:4] += hold * served
            sums[4] += hold * (present.any(axis=0) & ~busy)
            elapsed += hold
            thirds[min(2, 3 * (step - steps // 9) // (steps - steps // 9))] += [hold * jobs[1], hold]
        event = rng.random(paths) * (arriving + busy)
        jobs[0] += event < loads[0]
        jobs[1] += (event >= loads[0]) & (event < arriving)
        done = event >= arriving
        jobs -= done & served
        serving[done] = -1
    sums /= elapsed

    def estimate(values):
        return from_replications(np.moveaxis(values.reshape(*values.shape[:-1], -1, replications), -1, 0))

    deviations = estimate(sums[:2] - sums[2:4] / shares)
    deviations = Estimate(deviations.value.T, deviations.half_width.T)
    number = thirds[:, 0] / thirds[:, 1]
    return Waiting(deviations, estimate(sums[4]), estimate(number[2] - number[0]))
