"""What formulas and chains say of the systems of the plane: balanced fairness, one processor, splitting, MGPPS."""

import functools

import numpy as np

from clustershare import dispatch, markov, multiserver, splitting, uniprocessor
from clustershare.multiprocessor import group_weights
from clustershare.results import NoExactAnswer
from clustershare.sizes import Exponential
from pages.across.systems import SHARES, loads_of

REACHED = {0.5: (40, 26), 0.7: (70, 38), 0.9: (220, None)}  # jobs in the chains of MGPPS: one and two phases a size


def balanced_fairness(graph, load):
    """Deviations, capacity loss and mean numbers where a job is served by all its servers that are free.

    A group is absent with the probability that everybody is, over that in a system without the group: the states
    without the group have the same measure in both.

    Parameters
    ----------
    graph : clustershare.multiserver.CompatibilityGraph
    load : float

    Returns
    -------
    deviation, capacity_loss, mean_jobs : ndarray of shape (groups,), float, ndarray of shape (groups,)
    """
    loads = np.array(loads_of(load))
    both = multiserver.balanced_fairness(graph, loads)
    alone = [multiserver.balanced_fairness(graph, np.where(np.arange(2) == g, 0, loads)) for g in range(2)]
    present = 1 - both.probability_empty / np.array([other.probability_empty for other in alone])
    return present - loads / SHARES, 1 - both.probability_empty - load, both.mean_jobs


@functools.cache
def pooled(policy, load):
    """Deviations under a policy for one processor, or None."""
    try:
        return uniprocessor.exact(policy, SHARES, loads_of(load)).group_share_deviation
    except NoExactAnswer:
        return None


def random_splitting(processors, load):
    """HPRS, with both local policies, and VPRS where the promises are whole processors, by name."""
    equal = (1 / processors,) * processors
    found = {
        f"HPRS {local}": splitting.horizontal(SHARES, loads_of(load), equal, local, tolerance=1e-8)
        for local in ("PS", "GPPS")
    }
    try:
        found["VPRS"] = splitting.vertical(SHARES, loads_of(load), processors)
    except ValueError:  # no whole processors
        pass
    return found


def migrating(processors, load):
    """JSQ with migration and PS."""
    return dispatch.shortest_queue_with_migration(SHARES, loads_of(load), processors)


@functools.cache
def mgpps(processors, sizes, load):
    """Multiprocessor Group-Priority Processor Sharing, by a chain that is cut where jobs are rare.

    Jobs of a group are served alike, and each runs on one processor at a time, of which it may change at any moment.
    The state says how many jobs of each group are in each exponential phase.

    Parameters
    ----------
    processors : int
    sizes : clustershare.sizes.Exponential or Hyperexponential
    load : float

    Returns
    -------
    deviation, mean_jobs : ndarray, shape (groups,)
    full : float
        Probability that the chain is where it is cut; the mean numbers are off by about that times its length.
    None
        In place of all where the chain would be too long.
    """
    counts, means, chances = sizes.erlang_mixture()
    phases, most = len(means), REACHED[load][not isinstance(sizes, Exponential)]
    if most is None or (counts > 1).any():
        return None
    kinds = [(g, p) for g in range(2) for p in range(phases)]
    arrivals = [loads_of(load)[g] * chances[p] for g, p in kinds]
    capacities = [1 / processors] * processors

    @functools.cache
    def shares_of_few(*jobs):
        return group_weights(SHARES, jobs, capacities).sum(axis=1) / processors

    def shares(*jobs):  # a job more than there are processors changes nothing
        return shares_of_few(*(min(number, processors) for number in jobs))

    def moves(state):
        jobs = [sum(state[g * phases : (g + 1) * phases]) for g in range(2)]
        obtained = shares(*jobs)
        for k, (g, p) in enumerate(kinds):
            if sum(jobs) < most:
                yield (*state[:k], state[k] + 1, *state[k + 1 :]), arrivals[k]
            if state[k]:
                rate = float(obtained[g]) * state[k] / jobs[g] / float(means[p])
                yield (*state[:k], state[k] - 1, *state[k + 1 :]), rate

    states, *rates = markov.explore((0,) * len(kinds), moves)
    numbers = np.array(states).reshape(-1, 2, phases).sum(axis=2)
    Q = markov.generator(len(states), *rates)
    probability = markov.iterate(Q, load ** numbers.sum(axis=1).astype(float), 1e-9)
    feasible = np.minimum(SHARES, numbers / processors)
    obtained = np.array([shares(*jobs) for jobs in numbers.tolist()])
    deviation = probability @ (feasible - obtained) / SHARES
    return deviation, probability @ numbers, float(probability[numbers.sum(axis=1) == most].sum())
