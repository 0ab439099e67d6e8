"""Paths of processors that jobs are sent to by chance, for the claims of `thesis`, Section 4.5: many copies at once.

A clock ticks at a rate that no state exceeds; at each tick a job arrives, or one leaves, or nothing happens. So the
average over ticks is that over time.
"""

import numpy as np

from clustershare.estimates import from_replications


def one_processor(arrivals, rates, policy="PS", *, copies=300, ticks=10_000, seed=1):
    """What two groups obtain of one processor, empty at the start, over the second half of a path.

    Parameters
    ----------
    arrivals, rates : ndarray, shape (systems, 2)
        A processor may be overloaded.
    policy : str
        "PS" or "FCFS".
    copies, ticks, seed : int
        Of each system; a path has so many ticks.

    Returns
    -------
    clustershare.estimates.Estimate
        Of shape (2 * systems,), the groups of the first system first.
    """
    rng = np.random.default_rng(seed)
    first, second = (rate[:, None] for rate in arrivals.T)
    both, shape = first + second, (len(arrivals), copies)
    clock = both + rates.max(axis=1)[:, None]
    one, other, serving = np.zeros(shape), np.zeros(shape), np.zeros(shape)  # serving: 1 where it is group 1
    sums = np.zeros((2, *shape))
    for tick in range(ticks):
        present = one + other
        busy = present > 0
        share = one / np.maximum(present, 1) if policy == "PS" else serving * busy
        if tick >= ticks // 2:
            sums[0] += share
            sums[1] += busy
        what = rng.random(shape) * clock
        own = rates[:, :1] * share
        come, comes = what < first, what < both
        go, goes = what < both + own, what < both + own + rates[:, 1:] * (busy - share)
        if policy == "PS":
            one += come * 1.0 - (go > comes)
            other += (comes > come) * 1.0 - (goes > go)
        else:  # `one` counts all jobs: the groups of those who wait are as those who come, one by one
            leaving = goes > comes
            one += comes * 1.0 - leaving
            serving = np.where(leaving, rng.random(shape) * both < first, np.where(busy, serving, come))
    sums[1] -= sums[0]
    return from_replications((sums / (ticks - ticks // 2)).transpose(2, 1, 0).reshape(copies, -1))


def alone_on_processors(loads, *, events=400_000, batches=20, seed=1):
    """The capacity loss of equal processors, each with jobs of its own, some of which may be overloaded.

    Parameters
    ----------
    loads : ndarray, shape (processors,)
    events, batches, seed : int
        A tenth of the events comes before the batches.

    Returns
    -------
    clustershare.estimates.Estimate
    """
    rng, P = np.random.default_rng(seed), len(loads)
    total = P + loads.sum()
    what = rng.choice(2 * P, p=np.concatenate([loads, np.ones(P)]) / total, size=events)
    jobs = np.empty((P, events), dtype=np.int64)
    for p in range(P):
        walk = np.cumsum((what == p).astype(np.int64) - (what == P + p))
        jobs[p] = walk - np.minimum(np.minimum.accumulate(walk), 0)  # nobody leaves an empty processor
    lost = (np.minimum(jobs.sum(axis=0), P) - (jobs > 0).sum(axis=0)) / P
    kept = lost[events // 10 :]
    return from_replications(kept[: len(kept) // batches * batches].reshape(batches, -1).mean(axis=1))
