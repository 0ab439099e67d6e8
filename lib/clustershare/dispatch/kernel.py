"""The event loop of processors with a global and a local policy. It knows no policy: it calls the one it is given."""

from numba.extending import overload

from clustershare.compiled.choice import choose
from clustershare.compiled.laws import draw
from clustershare.dispatch.system import (
    FEASIBLE,
    OBTAINED,
    ORDER,
    REQUIRED,
    SHARE,
    TOTAL,
    WEIGHT,
    admit,
    change_apart,
    complete,
    first_due,
    inlined,
    is_timed,
    kernel,
)


def place(policy, system, rng, group):
    """The processor for an arriving job: the policy's own `place`."""
    return type(policy).place(policy, system, rng, group)


@overload(place)
def _place(policy, system, rng, group):
    rules = policy.instance_class.place
    return lambda policy, system, rng, group: rules(policy, system, rng, group)


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
def arrive(policy, system, rng, group, now, size):
    """A job comes."""
    p = place(policy, system, rng, group)
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
def bring(state, numbers):
    """Bring a system to given numbers of jobs."""
    for p in range(len(numbers)):
        for g in range(numbers.shape[1]):
            while state.count[p, 1 + g] < numbers[p, g]:
                change_apart(state, g, p, 1)
            while state.count[p, 1 + g] > numbers[p, g]:
                change_apart(state, g, p, -1)


@kernel
def happen(policy, state, tape, group, p):
    """Let a job arrive (p = -1) or depart from processor p, with the choices of a tape."""
    if p < 0:
        arrive(policy, state, tape, group, 0.0, 0.0)
    else:
        depart(policy, state, tape, group, p, 0.0)


@kernel
def run(rng, policy, system, arrivals, rate, laws, fastest, events, clock, sums):
    """Let events happen, and add up what is measured.

    Parameters
    ----------
    rng : numpy.random.Generator
    policy : NamedTuple
        Of `clustershare.dispatch.rules`.
    system : System
    arrivals : ndarray, shape (groups,)
        Arrival rates.
    rate : float
        At which a job alone on a processor of capacity 1 leaves, if sizes are not drawn.
    laws : ndarray
        Of the sizes, one a group, as `compiled.encoding` writes them, if they are drawn.
    fastest : ndarray, shape (processors + 1,)
        What so many jobs can obtain at most.
    events : int
    clock : ndarray, shape (2,)
        The time, and the time of the next arrival; they are brought forward.
    sums : ndarray, shape (1 + 3 groups + 2,)
        Integrals over time of 1, of the feasible and the obtained share and the jobs of each group, of what all jobs
        could obtain and of what they do; they are added to.

    Returns
    -------
    int
        Events left: above 0 if there was no room for more jobs on a processor.
    """
    groups, processors = len(arrivals), len(system.count)
    timed = is_timed(system)
    total_rate = 0.0
    for g in range(groups):
        total_rate += arrivals[g]
    feasible = system.group[FEASIBLE]
    highest, lowest = system.amount[WEIGHT, 0, TOTAL], system.amount[WEIGHT, 0, TOTAL]
    for p in range(processors):
        highest, lowest = max(highest, system.amount[WEIGHT, p, TOTAL]), min(lowest, system.amount[WEIGHT, p, TOTAL])
    equal = highest == lowest
    while events > 0:
        events -= 1
        group, p = -1, -1
        if timed:
            p = first_due(system)
            arrival = clock[1] <= system.due[1]
            until = clock[1] if arrival else system.due[1]
            hold = until - clock[0]
            clock[0] = until
            if not arrival:
                group = system.next[p]
        else:
            flow = total_rate + system.group[OBTAINED, TOTAL] * rate
            hold = 1 / flow
            u = rng.random() * flow
            arrival = u < total_rate or system.present[TOTAL] == 0
        sums[0] += hold
        for g in range(groups):
            sums[1 + g] += feasible[1 + g] * hold
            sums[1 + groups + g] += system.group[OBTAINED, 1 + g] * hold
            sums[1 + 2 * groups + g] += system.present[1 + g] * hold
        sums[1 + 3 * groups] += fastest[min(system.present[TOTAL], processors)] * hold
        sums[2 + 3 * groups] += system.group[OBTAINED, TOTAL] * hold

        if arrival:
            size = 0.0
            if timed:
                clock[1] += rng.standard_exponential() / total_rate
                u = rng.random() * total_rate
            group = choose(min(u, total_rate), arrivals)
            if timed:
                size = draw(rng, laws, group)
            arrive(policy, system, rng, group, clock[0], size)
            feasible[1 + group] = min(system.group[REQUIRED, 1 + group], system.present[1 + group] / processors)
            if system.next[-1]:
                return events
            continue
        if not timed:
            idle = system.start[TOTAL, 1]
            while True:
                p = system.rank[
                    ORDER, TOTAL, idle + min(int(rng.random() * (processors - idle)), processors - idle - 1)
                ]
                if equal or rng.random() * highest < system.amount[WEIGHT, p, TOTAL]:
                    break
            group = choose(rng.random() * system.amount[WEIGHT, p, TOTAL], system.amount[SHARE, p, 1:])
        depart(policy, system, rng, group, p, clock[0])
        feasible[1 + group] = min(system.group[REQUIRED, 1 + group], system.present[1 + group] / processors)
        if system.next[-1]:
            return events
    return 0
