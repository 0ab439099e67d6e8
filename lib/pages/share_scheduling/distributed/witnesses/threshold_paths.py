"""Paths of finitely many processors under the threshold policies: the witness of the fixed points in `threshold`."""

import numpy as np

from clustershare.arguments import integer, one_of
from clustershare.compiled.jit import kernel
from clustershare.estimates import from_replications
from pages.share_scheduling.distributed.witnesses.threshold import POLICIES


def simulated(policy, load, threshold, probes, cost=0.0, processors=100, *, time=400.0, replications=10, seed=0):
    """The mean response time by simulation; transfers interrupt the job in service.

    Parameters
    ----------
    policy : str
        "Sender", "Receiver" or "Reservation".
    load : float
        Above 0 and below 1.
    threshold, probes : int
    cost : float
        Mean time of a transfer.
    processors : int
        More than `probes`.
    time : float
        Mean service times that are looked at, after a quarter as many from an empty system.
    replications, seed : int

    Returns
    -------
    Estimate
        The mean number of jobs over the arrival rate, in mean service times.

    Examples
    --------
    >>> found = simulated("Sender", 0.5, 1, 2, time=100.0)
    >>> abs(found.value - 1.13) < 3 * found.half_width
    True
    """
    code = POLICIES.index(one_of("policy", policy, POLICIES))
    integer("processors", processors, probes + 1)
    streams = np.random.SeedSequence([seed, code]).spawn(replications)
    return from_replications([
        _path(np.random.default_rng(stream), code, processors, load, threshold, probes, float(cost), time / 4, time)
        for stream in streams
    ])  # fmt: skip


@kernel
def _path(rng, policy, processors, load, threshold, probes, cost, before, time):
    jobs, transfers = np.zeros(processors, np.int64), np.zeros(processors, np.int64)
    source_of, probed = np.full(processors, -1), np.empty(max(probes, 1), np.int64)
    # Who serves a job, and who is at a transfer: the first `count` of a row each, and each processor's place there.
    lists, places, count = np.empty((2, processors), np.int64), np.full((2, processors), -1), np.zeros(2, np.int64)
    now, number, area = 0.0, 0, 0.0
    arriving, speed = processors * load, 1 / cost if cost > 0 else 0.0
    while True:
        total = arriving + count[0] + speed * count[1]
        hold = rng.standard_exponential() / total
        area += number * max(0.0, min(now + hold, before + time) - max(now, before))
        now += hold
        if now >= before + time:
            return area / time / arriving
        event = rng.random() * total
        sender, receiver, away = -1, -1, -1
        if event < arriving:
            here = min(int(event / load), processors - 1)
            number += 1
            if policy == 0 and jobs[here] >= threshold:
                receiver = _probe(rng, policy, here, threshold, probes, probed, jobs, transfers, source_of)
                sender = here if receiver >= 0 else -1
            elif source_of[here] >= 0:
                sender, receiver, source_of[here] = here, source_of[here], -1
            jobs[receiver if receiver >= 0 else here] += 1
        elif event < arriving + count[0]:
            here = lists[0, min(int(event - arriving), count[0] - 1)]
            number -= 1
            jobs[here] -= 1
            if policy > 0 and jobs[here] < threshold:
                away = _probe(rng, policy, here, threshold, probes, probed, jobs, transfers, source_of)
                if away >= 0 and policy == 1:
                    sender, receiver = away, here
                    jobs[sender] -= 1
                    jobs[receiver] += 1
                elif away >= 0:
                    source_of[away] = here
        else:
            here = lists[1, min(int((event - arriving - count[0]) / speed), count[1] - 1)]
            transfers[here] -= 1
        if sender >= 0 and cost > 0:
            transfers[sender] += 1
        for p in (here, sender, receiver):
            if p >= 0:
                _enlist(lists, places, count, 0, p, jobs[p] > 0 and transfers[p] == 0)
                _enlist(lists, places, count, 1, p, transfers[p] > 0)


@kernel
def _probe(rng, policy, here, threshold, probes, probed, jobs, transfers, source_of):
    """The first of so many others, all different, that is looked for; -1 if none is."""
    for k in range(probes):
        while True:
            p = int(rng.random() * len(jobs))
            fresh = p != here
            for j in range(k):
                fresh = fresh and probed[j] != p
            if fresh:
                break
        probed[k] = p
        if policy == 0:
            if jobs[p] < threshold:
                return p
        elif jobs[p] > threshold and transfers[p] == 0 and source_of[p] < 0:
            return p
    return -1


@kernel
def _enlist(lists, places, count, which, p, member):
    """Bring a processor into a list, or take it out."""
    place = places[which, p]
    if member and place < 0:
        places[which, p] = count[which]
        lists[which, count[which]] = p
        count[which] += 1
    elif not member and place >= 0:
        count[which] -= 1
        last = lists[which, count[which]]
        lists[which, place], places[which, last] = last, place
        places[which, p] = -1
