"""Algorithm 1 of `balanced` as a Markov chain, cut where the queue is full: exact for any number of interruptions."""

import numpy as np

from clustershare import markov
from clustershare.arguments import fail, integer, number, positive, vector
from clustershare.multiserver.exact import Performance
from clustershare.multiserver.graph import check_arrival_rates
from clustershare.multiserver.order_independent import state_rates
from clustershare.sizes import Exponential, JobSize

MOST_STATES = 20_000


def interrupted_queue(graph, arrival_rates, sizes, interruptions, most_jobs):
    """Performance of first come, first served with random interruptions, when jobs beyond `most_jobs` are lost.

    A state of the chain is the queue in order: of each job its class, the mean of its present phase and the phases it
    has left. The model is that of `simulate`, and of `balanced` (1) for exponential sizes. Sizes that are exponential
    of mean 1/p, with (1 - p)/p interruptions, are the re-entrant jobs of `balanced` Section 3.

    Parameters
    ----------
    graph : CompatibilityGraph
        Capacities in work per unit time.
    arrival_rates : array_like, shape (classes,)
        Jobs per unit time, at least 0 and not all 0. They need not be stable: the chain is finite.
    sizes : clustershare.sizes.JobSize
        Sizes in work, the same for all classes: a finite mixture of Erlangs.
    interruptions : float
        Mean number of interruptions of a job, at least 0: m of `balanced` Section 4.
    most_jobs : int
        Largest number of jobs in the queue, at least 1. With k kinds of jobs (class, phase mean, phases left), there
        are 1 + k + k**2 + ... + k**most_jobs states, of which 20 000 are allowed: seconds, or a minute for many kinds.

    Returns
    -------
    Performance
        Arrays of shape (classes,). Delay, service rate and interruptions are those of the jobs that are not lost;
        `probability_full` is the probability that a job is. Where it is small, so is what the cut changes.

    Raises
    ------
    ValueError
        If an argument is not as above, or the states would be too many.

    Examples
    --------
    >>> from clustershare.multiserver import CompatibilityGraph
    >>> from clustershare.sizes import bimodal_hyperexponential
    >>> one = CompatibilityGraph([{0}], [1.0])
    >>> for interruptions in (0, 1, 100):
    ...     result = interrupted_queue(one, [0.5], bimodal_hyperexponential(), interruptions, 9)
    ...     print(result.mean_jobs.round(4), round(result.probability_full, 4))
    [1.8286] 0.0495
    [1.226] 0.0048
    [0.9933] 0.001
    """
    states, Q, served = ordered_chain(graph, arrival_rates, sizes, interruptions, most_jobs)
    rates = check_arrival_rates(graph, arrival_rates)
    probabilities = markov.stationary(Q)
    full = float(probabilities[[len(queue) == most_jobs for queue in states]].sum())
    counts = np.array([np.bincount([job[0] for job in queue], minlength=graph.classes) for queue in states])
    jobs = probabilities @ counts
    with np.errstate(divide="ignore", invalid="ignore"):  # a class without arrivals has no delay
        delay = jobs / (rates * (1 - full))
        interrupted = probabilities @ served * (interruptions / sizes.mean) / (rates * (1 - full))
    return Performance(jobs, sizes.mean / delay, delay, float(probabilities[-1]), interrupted, full)


def distance_from_balanced_fairness(graph, arrival_rates, sizes, interruptions, most_jobs):
    """How far the mean numbers of jobs are from balanced fairness: the largest relative difference over the classes.

    Both lose the jobs beyond `most_jobs`. Balanced fairness is insensitive all the same, so the distance tends to 0
    as the interruptions become many. Arguments and errors are those of `interrupted_queue`, with arrival rates above 0.

    Returns
    -------
    float

    Examples
    --------
    >>> from clustershare.multiserver import CompatibilityGraph
    >>> from clustershare.sizes import bimodal_hyperexponential
    >>> one = CompatibilityGraph([{0}], [1.0])
    >>> for interruptions in (10, 100, 1000):
    ...     print(round(distance_from_balanced_fairness(one, [0.7], bimodal_hyperexponential(), interruptions, 9), 5))
    0.02864
    0.00301
    0.0003
    """
    vector("arrival_rates", arrival_rates, positive)
    jobs = interrupted_queue(graph, arrival_rates, sizes, interruptions, most_jobs).mean_jobs
    fair = interrupted_queue(graph, arrival_rates, Exponential(sizes.mean), 0, most_jobs).mean_jobs
    return float(np.abs(jobs / fair - 1).max())


def ordered_chain(graph, arrival_rates, sizes, interruptions, most_jobs):
    """The chain of `interrupted_queue`, from the empty queue on; arguments as there.

    Returns
    -------
    states : list of tuple
        The queues: of each job (class, mean of its phase, phases left). The empty queue is the last.
    Q : scipy.sparse.csr_array, shape (states, states)
        The generator.
    served : ndarray, shape (states, classes)
        The service rate of each class.
    """
    rates = check_arrival_rates(graph, arrival_rates)
    if not rates.any():
        fail("arrival_rates", arrival_rates, "such that some class has arrivals")
    if not isinstance(sizes, JobSize):
        fail("sizes", sizes, "a distribution of clustershare.sizes")
    components = [entry for entry in zip(*(column.tolist() for column in sizes.erlang_mixture())) if entry[2] > 0]
    interruptions = number("interruptions", interruptions, 0)
    most_jobs = integer("most_jobs", most_jobs, 1)
    longest = {mean: max(n for n, other, _ in components if other == mean) for _, mean, _ in components}
    kinds = np.count_nonzero(rates) * sum(longest.values())
    bound = most_jobs + 1 if kinds == 1 else (kinds ** (most_jobs + 1) - 1) // (kinds - 1)
    if bound > MOST_STATES:
        few = f"so small that {kinds} kinds of jobs have at most {MOST_STATES} states, not {bound}"
        fail("most_jobs", most_jobs, few)

    arrivals = [((i, mean, n), rates[i] * p) for i in np.flatnonzero(rates).tolist() for n, mean, p in components]
    index, states, transitions, served = {(): 0}, [()], [], []
    for queue in states:  # which grows by the states that are reached
        following = [((*queue, job), rate) for job, rate in arrivals] if len(queue) < most_jobs else []
        service = np.zeros(graph.classes)
        for k, rate in enumerate(state_rates(graph, [job[0] for job in queue])):
            if rate > 0:
                (i, mean, n), before, after = queue[k], queue[:k], queue[k + 1 :]
                service[i] += rate
                following.append((before + ((i, mean, n - 1),) + after if n > 1 else before + after, rate / mean))
                following.append((before + after + (queue[k],), rate * interruptions / sizes.mean))
        served.append(service)
        for state, rate in following:
            if rate > 0:
                if state not in index:
                    index[state] = len(states)
                    states.append(state)
                transitions.append((index[queue], index[state], rate))
    # The solver sets the probability of the last state to 1 and finds the others: the empty queue is a likely one.
    rows, columns, weights = (np.array(column) for column in zip(*transitions))
    Q = markov.generator(len(states), len(states) - 1 - rows, len(states) - 1 - columns, weights)
    return states[::-1], Q, np.array(served[::-1])
