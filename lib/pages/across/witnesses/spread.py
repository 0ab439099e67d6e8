"""What JSQ and HP lose on logs, job by job in plain Python: GPPS on each processor, two groups of equal shares."""

import math

import numpy as np


def lost(arrivals, sizes, groups, by_group, processors, rng):
    """The capacity loss (2.43) from the first arrival to the last departure.

    Parameters
    ----------
    arrivals, sizes : sequence of float
    groups : sequence of int
    by_group : bool
        Whether a job goes where its group has the fewest jobs, and of such where there are fewest (HP); else by the
        latter alone (JSQ).
    processors : int
    rng : numpy.random.Generator
        Draws between processors that have as few.

    Returns
    -------
    float

    Examples
    --------
    Of three like jobs two share a processor, while the other is idle half of the time:

    >>> lost([0, 0, 0], [1, 1, 1], [0, 0, 0], False, 2, np.random.default_rng(1))
    0.25
    """
    there, since, until, left = [[] for _ in range(processors)], [0.0] * processors, [math.inf] * processors, []

    def parts(p):
        own = [group for group, _ in there[p]]
        return [1 / (own.count(group) * len(set(own))) for group in own]

    def serve(p, now):
        for job, part in zip(there[p], parts(p)):
            job[1] -= part * (now - since[p])
        since[p] = now

    def look_ahead(p):
        until[p] = since[p] + min(
            (max(rest, 0) / part for (_, rest), part in zip(there[p], parts(p))), default=math.inf
        )

    for arrival, size, group in [*zip(arrivals, sizes, groups), (math.inf, 0.0, 0)]:
        while (now := min(until)) < math.inf and now <= arrival:
            p = until.index(now)
            serve(p, now)
            there[p].remove(min(there[p], key=lambda job: job[1]))
            left.append(now)
            look_ahead(p)
        if arrival < math.inf:
            counts = [(by_group * sum(job[0] == group for job in jobs), len(jobs)) for jobs in there]
            p = int(rng.choice([q for q, count in enumerate(counts) if count == min(counts)]))
            serve(p, arrival)
            there[p].append([group, size])
            look_ahead(p)
    times = np.append(arrivals, left)
    order = np.argsort(times, kind="stable")
    present = np.cumsum(np.repeat([1, -1], [len(arrivals), len(left)])[order])[:-1]
    usable = np.minimum(present, processors) @ np.diff(times[order])
    return float((usable - np.sum(sizes)) / (processors * (times.max() - times.min())))
