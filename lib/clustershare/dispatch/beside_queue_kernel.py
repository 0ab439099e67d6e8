"""The event loop of processors under a central policy beside one line for as many servers (M/M/P)."""

from clustershare.compiled.interrupts import stop_if_asked
from clustershare.dispatch.jit import kernel
from clustershare.dispatch.kernel import arrive, depart, departing, whose
from clustershare.dispatch.orders import groups, processors
from clustershare.dispatch.state import GROUP_LEVELS, IN_USE, OBTAINED_SHARE, SYSTEM_LEVELS


@kernel
def run(rng, policy, system, beside, arrivals, steps, sums, sums_beside):
    """Let steps of equal expected length happen to both, and add up what is measured at each.

    In a step a job arrives at both, or a piece of service ends. Then a job leaves the processors if so much of the
    capacity is in use there, and a job leaves the line if so much is in use there: together as often as can be, and of
    the same group as often as can be.

    Parameters
    ----------
    rng : numpy.random.Generator
    policy : NamedTuple
        Of `clustershare.dispatch.rules`.
    system : clustershare.dispatch.state.System
    beside : ndarray of int, shape (groups,)
        Jobs in the line, served in processor sharing by servers of the same capacity; it is changed.
    arrivals : ndarray, shape (groups,)
        Arrival rates, one of them above 0; a job alone on a processor of capacity 1 leaves at rate 1.
    steps : int
    sums : ndarray, shape (4 + 4 groups,)
        Sums of `system.level` over the steps; they are added to.
    sums_beside : ndarray, shape (2 groups + 1,)
        Sums over the steps of the jobs of each group in the line, of the feasible shares that these are, and of the
        capacity in use there; they are added to.
    """
    G, P, level = groups(system), processors(system), system.level
    total_rate, waiting = 0.0, 0
    for g in range(G):
        total_rate += arrivals[g]
        waiting += beside[g]
    for _ in range(steps):
        stop_if_asked(1)
        used = min(waiting, P) / P
        for k in range(len(level)):
            sums[k] += level[k]
        for g in range(G):
            sums_beside[g] += beside[g]
            sums_beside[G + g] += min(system.required[g], beside[g] / P)
        sums_beside[2 * G] += used
        u = rng.random() * (total_rate + 1)
        if u < total_rate:
            group = whose(u, arrivals)
            beside[group] += 1
            waiting += 1
            arrive(policy, system, rng, group, 0.0, 0.0)
        else:
            v, here = u - total_rate, level[IN_USE]  # of the capacity; each part of it serves one job
            if v < min(here, used):
                p, group = departing(system, rng, v / min(here, used))
                leaving, w = group, rng.random()
                obtained = level[SYSTEM_LEVELS + GROUP_LEVELS * group + OBTAINED_SHARE] / here
                if w * obtained * waiting >= beside[group]:
                    leaving = _rest(level, here, beside, waiting, rng.random())
                beside[leaving] -= 1
                waiting -= 1
                depart(policy, system, rng, group, p, 0.0)
            elif v < here:
                p, group = departing(system, rng, (v - used) / (here - used))
                depart(policy, system, rng, group, p, 0.0)
            elif v < used:
                beside[_among(beside, (v - here) / (used - here) * waiting)] -= 1
                waiting -= 1


@kernel
def _among(beside, u):
    """The group of the job whose turn is `u`, at least 0 and at most the number of jobs."""
    group = whose(u, beside)
    while beside[group] == 0:  # a rounding
        group = group - 1 if group > 0 else len(beside) - 1
    return group


@kernel
def _rest(level, here, beside, waiting, w):
    """A group by chance, in proportion to how much larger its part of the line is than of what is served."""
    G = len(beside)
    total = 0.0
    for g in range(G):
        total += max(0.0, _excess(level, here, beside, waiting, g))
    left, last = w * total, 0
    for g in range(G):
        part = _excess(level, here, beside, waiting, g)
        if part > 0:
            last = g
            if left < part:
                return g
            left -= part
    return last


@kernel
def _excess(level, here, beside, waiting, g):
    return beside[g] / waiting - level[SYSTEM_LEVELS + GROUP_LEVELS * g + OBTAINED_SHARE] / here
