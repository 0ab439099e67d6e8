"""Given jobs sent through processors with a global and a local policy: the event loop of `kernel` without its draws."""

from clustershare.compiled.interrupts import stop_if_asked
from clustershare.dispatch.jit import inlined, kernel
from clustershare.dispatch.kernel import arrive, depart
from clustershare.dispatch.orders import TOTAL
from clustershare.dispatch.state import first_due
from clustershare.dispatch.tracked import FREE


@inlined
def next_place(seen):
    """Of `tracked.Tracked`, the place of the job that comes next: also that of the job that has just left."""
    return seen.book[2 + seen.letters + seen.book[FREE] - 1]


@kernel
def replay(rng, policy, system, arrivals, sizes, groups, known, at, clock, sums, end, shown=None):
    """Let jobs come and go until all have left, or there is no room for more of them on a processor.

    Parameters
    ----------
    rng : numpy.random.Generator
        For a policy that draws, and for which job of a group migrates.
    policy : NamedTuple
        Of `clustershare.dispatch.rules`.
    system : System
        That tells jobs apart.
    arrivals, sizes : ndarray, shape (jobs,)
        Sizes are times on a processor of capacity 1.
    groups : ndarray of int, shape (jobs,)
    known : ndarray of int, shape (1,)
        How many jobs have come; it is brought forward.
    at : ndarray of int, shape (places,)
        Which job has each place of `system.seen`.
    clock : ndarray, shape (1,)
        The time; it is brought forward.
    sums : ndarray, shape (4 + 4 groups,)
        Integrals of `system.level` over time; they are added to.
    end : ndarray, shape (jobs,)
        Filled: when each job leaves.
    shown : float or None
        Not None if the policy is shown the size of a job.
    """
    j, level = known[0], system.level
    while j < len(arrivals) or system.present[TOTAL] > 0:
        stop_if_asked(1)
        p = first_due(system)
        arrival = j < len(arrivals) and arrivals[j] < system.due[1]
        until = arrivals[j] if arrival else system.due[1]
        hold = until - clock[0]
        clock[0] = until
        for k in range(len(level)):
            sums[k] += level[k] * hold
        if arrival:
            at[next_place(system.seen)] = j
            if shown is None:
                arrive(policy, system, rng, groups[j], until, sizes[j])
            else:
                arrive(policy, system, rng, groups[j], until, sizes[j], sizes[j])
            j += 1
        else:
            depart(policy, system, rng, system.next[p], p, until)
            end[at[next_place(system.seen)]] = until
        if system.next[-1]:
            break
    known[0] = j
