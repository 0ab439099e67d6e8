"""The law of a sum of independent geometric numbers: the jobs on processors with given loads."""

import numpy as np

from clustershare.compiled.jit import kernel

TOGETHER = 8  # so many processors at a time: their steps do not wait for one another
NOTHING = 1e-290  # less is 0 here: arithmetic is slow below 1e-308


@kernel
def convolve(law, loads):
    """Add geometric numbers P[X = k] = (1 - a) a^k to one of a given law, in place, as far as the law reaches.

    The law with one more number is (1 - a) times the one without it, plus a times itself one place before. All terms
    are positive, so that no digit is lost.
    """
    last = np.zeros(TOGETHER)
    first = 0
    for start in range(0, len(loads), TOGETHER):
        block = min(TOGETHER, len(loads) - start)
        last[:] = 0.0
        while first < len(law) and law[first] < NOTHING:
            law[first] = 0.0
            first += 1
        for n in range(first, len(law)):
            x = law[n]
            for k in range(block):
                a = loads[start + k]
                x = (1.0 - a) * x + a * last[k]
                last[k] = x
            law[n] = x


@kernel
def with_one_more(law, loads, capacities, result):
    """For each load E[c_{M + 1}], M being the jobs of a law and one more geometric number, into `result`."""
    for p in range(len(loads)):
        a, x, expected = loads[p], 0.0, 0.0
        for n in range(len(law)):
            x = (1.0 - a) * law[n] + a * x
            if x < NOTHING:
                x = 0.0
            expected += capacities[n] * x
        result[p] = expected


@kernel
def lost(capacities, loads, jobs):
    """The capacity lost (4.58), of sums of positive terms only, from as many jobs as matter.

    Of the k fastest processors B are busy, and N jobs may use min(N, k) of them: what is lost is the sum of
    (c_k - c_{k+1}) E[min(N, k) - B] over all k. The joint law is that of B and of the other jobs there. Where a
    processor is busy, its number less 1 is as the number.
    """
    P = len(loads)
    slower = np.zeros((P + 1, jobs))  # P[more than n jobs on the processors from k on]
    for k in range(P - 1, -1, -1):
        before = 1.0
        for n in range(jobs):
            before = slower[k, n] = (1.0 - loads[k]) * slower[k + 1, n] + loads[k] * before
    joint = np.zeros((jobs + 1, jobs + 1))  # busy processors; other jobs, `jobs` and more as one
    joint[0, 0] = 1.0
    used = np.zeros(jobs + 1)  # what all jobs use of so many free processors, if e are here
    total = 0.0
    for k in range(P):
        a = loads[k]
        for b in range(min(k, jobs - 1), -1, -1):
            x = 0.0
            for e in range(jobs):
                x = (1.0 - a) * joint[b, e] + a * x
                joint[b + 1, e] += a * x
                joint[b, e] *= 1.0 - a
            joint[b + 1, jobs] += a * (joint[b, jobs] + a * x / (1.0 - a))
            joint[b, jobs] *= 1.0 - a
        gap = capacities[k] - (capacities[k + 1] if k + 1 < P else 0.0)
        if gap > 0.0:
            for j in range(jobs):
                used[j + 1] = used[j] + slower[k + 1, j]
            for b in range(min(k + 1, jobs) + 1):
                free = k + 1 - b
                for e in range(jobs + 1):
                    more = free if e >= free else e + used[min(free - e, jobs)]
                    total += gap * joint[b, e] * more
    return total


@kernel
def exceed(tails, loads):
    """P[N > n] of a sum of geometric numbers from that of a sum without them, in place: again without subtracting."""
    last = np.zeros(TOGETHER)
    for start in range(0, loads.size, TOGETHER):
        block = min(TOGETHER, len(loads) - start)
        last[:] = 1.0
        for n in range(len(tails)):
            x = tails[n]
            for k in range(block):
                a = loads[start + k]
                x = a * last[k] + (1.0 - a) * x
                last[k] = x
            tails[n] = x


@kernel
def success(few, fewer, between, many):
    """P[some number is small while another is large] (4.40), from what each may be, processor by processor.

    Parameters
    ----------
    few, fewer, between, many : ndarray, shape (processors,)
        P[n or fewer], P[fewer than m], P[more than n and fewer than m], P[m or more].
    """
    neither, small, large, both = 1.0, 0.0, 0.0, 0.0
    for p in range(len(few)):
        both += small * many[p] + large * few[p]
        small = small * fewer[p] + neither * few[p]
        large = large * (between[p] + many[p]) + neither * many[p]
        neither *= between[p]
    return both
