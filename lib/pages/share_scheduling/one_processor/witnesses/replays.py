"""Given jobs on one processor, as one would write it first: all of them are looked through at every event."""

import math

ALL_AT_ONCE = ("PS", "PPS", "GPPS")


def processor(jobs, policy, shares, speed=1.0):
    """Ends of jobs, each (arrival, size, group), on one processor."""
    left = [size / speed for _, size, _ in jobs]
    end, arrived, now, serving = [None] * len(jobs), 0, 0.0, None
    priority, classes = list(shares), list(range(len(shares)))
    if policy in ("HOL", "PQ"):
        classes = [sum(other > own for other in set(shares)) for own in shares]
    while None in end:
        there = [j for j in range(arrived) if end[j] is None]
        rates = dict.fromkeys(there, 0.0)
        if policy in ALL_AT_ONCE:
            jobs_of = [sum(jobs[j][2] == g for j in there) for g in range(len(shares))]
            weights = {"PS": [1.0] * len(shares), "PPS": shares}.get(policy) or [
                share / max(number, 1) for share, number in zip(shares, jobs_of)
            ]
            total = sum(weights[jobs[j][2]] for j in there)
            rates = {j: weights[jobs[j][2]] / total for j in there}
        elif there:
            if policy == "FCFS":
                best = min(there)
            elif policy == "UD":
                best = min(there, key=lambda j: (-priority[jobs[j][2]], jobs[j][2], j))
            else:
                best = min(there, key=lambda j: (classes[jobs[j][2]], j))
            if serving is None or policy == "PQ":
                serving = best
            rates[serving] = 1.0
        until = jobs[arrived][0] - now if arrived < len(jobs) else math.inf
        leaving = None
        for j in there:
            if rates[j] > 0 and left[j] / rates[j] <= until:
                until, leaving = left[j] / rates[j], j
        for j in there:
            left[j] -= rates[j] * until
        for g in {jobs[j][2] for j in there}:
            priority[g] += until * (shares[g] - (serving is not None and jobs[serving][2] == g))
        now = jobs[arrived][0] if leaving is None else now + until
        if leaving is not None:
            end[leaving], serving = now, None
        while arrived < len(jobs) and jobs[arrived][0] <= now:
            arrived += 1
    return end
