"""The event loop of processors with a global and a local policy. It knows no policy: it calls the one it is given."""

import numpy as np
from numba import types
from numba.extending import overload

from clustershare.compiled.arrivals import wait
from clustershare.compiled.interrupts import stop_if_asked
from clustershare.compiled.laws import draw
from clustershare.dispatch import tracked
from clustershare.dispatch.asking import asks
from clustershare.dispatch.jit import inlined, kernel
from clustershare.dispatch.orders import ORDER, TOTAL, groups, processors
from clustershare.dispatch.state import (
    ABLE,
    IN_USE,
    SHARE,
    WEIGHT,
    admit,
    change_apart,
    complete,
    first_due,
    is_timed,
)


def place(policy, system, rng, group, shown=None):
    """The processor for an arriving job: the policy's own `place`, which is shown the size if it asks for it."""
    if shown is not None:
        return type(policy).place(policy, system, rng, group, shown)
    return type(policy).place(policy, system, rng, group)


@overload(place)
def _place(policy, system, rng, group, shown=None):
    rules = policy.instance_class.place
    if not asks(policy.instance_class):
        return lambda policy, system, rng, group, shown=None: rules(policy, system, rng, group)
    if shown is None or isinstance(shown, (types.NoneType, types.Omitted)):  # compiled, and never called
        return lambda policy, system, rng, group, shown=None: rules(policy, system, rng, group, np.nan)
    return lambda policy, system, rng, group, shown=None: rules(policy, system, rng, group, shown)


def resettle(policy, system, rng, group, p, now):
    """What the policy does after an arrival was placed, if anything."""
    if hasattr(type(policy), "resettle"):
        type(policy).resettle(policy, system, rng, group, p, now)


@overload(resettle)
def _resettle(policy, system, rng, group, p, now):
    if not hasattr(policy.instance_class, "resettle"):
        return lambda policy, system, rng, group, p, now: None
    rules = policy.instance_class.resettle
    return lambda policy, system, rng, group, p, now: rules(policy, system, rng, group, p, now)


def rebalance(policy, system, rng, group, q, now):
    """What the policy does after a departure from processor q, if jobs may migrate."""
    type(policy).rebalance(policy, system, rng, group, q, now)


@overload(rebalance)
def _rebalance(policy, system, rng, group, q, now):
    rules = policy.instance_class.rebalance
    return lambda policy, system, rng, group, q, now: rules(policy, system, rng, group, q, now)


@inlined
def arrive(policy, system, rng, group, now, size, shown=None):
    """A job comes."""
    p = place(policy, system, rng, group, shown)
    admit(system, group, p, now, size)
    if policy.migration:
        resettle(policy, system, rng, group, p, now)


@inlined
def depart(policy, system, rng, group, p, now):
    """A job goes."""
    complete(system, group, p, now)
    if policy.migration and system.present[TOTAL] > 0:
        rebalance(policy, system, rng, group, p, now)


@kernel
def bring(system, numbers):
    """Bring a system to given numbers of jobs."""
    for p in range(len(numbers)):
        for g in range(numbers.shape[1]):
            while system.count[p, 1 + g] < numbers[p, g]:
                change_apart(system, g, p, 1, 0.0)
            while system.count[p, 1 + g] > numbers[p, g]:
                change_apart(system, g, p, -1, 0.0)


@kernel
def happen(policy, system, tape, group, p):
    """Let a job arrive (p = -1) or depart from processor p, with the choices of a tape."""
    if p < 0:
        arrive(policy, system, tape, group, 0.0, 0.0)
    else:
        depart(policy, system, tape, group, p, 0.0)


@inlined
def whose(u, weights):
    """The index in whose weight `u` falls, when the weights lie side by side; without a branch, for there are few."""
    index = 0
    for k in range(len(weights) - 1):
        u -= weights[k]
        index += u >= 0
    return index


@inlined
def departing(system, rng, u):
    """A processor and a group on it, by chance: in proportion to the share obtained; `u` is uniform below 1."""
    idle = system.start[TOTAL, 1]
    busy = processors(system) - idle
    if system.equal:
        k = min(int(u * busy), busy - 1)
        p = system.rank[ORDER, TOTAL, idle + k]
        v = u * busy - k
    else:  # by rejection
        highest = system.reach[ABLE, 1]
        while True:
            p = system.rank[ORDER, TOTAL, idle + min(int(rng.random() * busy), busy - 1)]
            if rng.random() * highest < system.amount[p, WEIGHT, TOTAL]:
                break
        v = rng.random()
    group = whose(v * system.amount[p, WEIGHT, TOTAL], system.amount[p, SHARE, 1:])
    while system.count[p, 1 + group] == 0:  # a rounding
        group = group - 1 if group > 0 else groups(system) - 1
    return p, group


@kernel
def run(rng, policy, system, arrivals, rate, laws, events, clock, sums, stream=None, journal=None, shown=None):
    """Let events happen, and add up what is measured.

    Parameters
    ----------
    rng : numpy.random.Generator
    policy : NamedTuple
        Of `clustershare.dispatch.rules`.
    system : System
    arrivals : ndarray, shape (groups,)
        Arrival rates, the last above 0.
    rate : float
        At which a job alone on a processor of capacity 1 leaves, if sizes are not drawn.
    laws : ndarray
        Of the sizes, one a group, as `compiled.encoding` writes them, if they are drawn.
    events : int
    clock : ndarray, shape (2,)
        The time, and the time of the next arrival; they are brought forward.
    sums : ndarray, shape (4 + 4 groups,)
        Integrals of `system.level` over time; they are added to.
    stream : compiled.arrivals.Stream or None
        When jobs arrive, if sizes are drawn; None is a Poisson stream. Groups go by the arrival rates.
    journal : compiled.records.Seen or None
        To record the jobs that leave a system that tells them apart.
    shown : float, optional
        Of any value where the policy is shown the sizes, which are drawn.

    Returns
    -------
    int
        Events left: above 0 if there was no room for more jobs on a processor.
    """
    timed, level = is_timed(system), system.level
    total_rate = 0.0
    for g in range(groups(system)):
        total_rate += arrivals[g]
    while events > 0:
        stop_if_asked(1)
        events -= 1
        group, p, size, u = 0, 0, 0.0, 0.0
        if timed:
            p = first_due(system)
            arrival = clock[1] <= system.due[1]
            until = clock[1] if arrival else system.due[1]
            hold = until - clock[0]
            clock[0] = until
        else:
            outflow = level[IN_USE] * rate
            hold = 1 / (total_rate + outflow)
            u = rng.random() * (total_rate + outflow)
            arrival = u < total_rate or outflow == 0
            clock[0] += hold
        for k in range(len(level)):
            sums[k] += level[k] * hold
        if arrival:
            if timed:
                if stream is not None:
                    clock[1] += wait(rng, stream)
                else:
                    clock[1] += rng.standard_exponential() / total_rate
                u = rng.random() * total_rate
            group = whose(u, arrivals)
            if timed:
                size = draw(rng, laws, group)
            if shown is None:
                arrive(policy, system, rng, group, clock[0], size)
            else:
                arrive(policy, system, rng, group, clock[0], size, size)
        else:
            if timed:
                group = system.next[p]
            else:
                p, group = departing(system, rng, min((u - total_rate) / outflow, 1.0))
            depart(policy, system, rng, group, p, clock[0])
            if journal is not None:
                tracked.record_last(journal, system.seen, group, clock[0])
        if system.next[-1]:
            return events
    return 0
