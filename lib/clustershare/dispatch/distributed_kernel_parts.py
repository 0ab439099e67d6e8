"""What the event loop of distributed policies keeps besides the processors and the network, and the notes it takes."""

from typing import NamedTuple

import numpy as np

from clustershare.dispatch.jit import inlined
from clustershare.dispatch.orders import TOTAL
from clustershare.dispatch.state import ABLE, FEASIBLE, IN_USE, OBTAINED_SHARE, bring_in, of_group

# Of `Tally.sums` and `Tally.level`; from GROUPS on, four of each group.
BUSY, ON_NETWORK, ABLE_TO_USE, USED, WAITED, OFFERED, GROUPS = range(7)
FEASIBLE_PART, OBTAINED_PART, NUMBER, LOSS = range(4)
# Of `Tally.count`: customers of the five kinds (SENT), migrations by rules I2, M1, ..., M4 (BY_RULE), and so on.
SENT, BY_RULE, LONE, LONE_M4, REFUSED, PLACED, INSIDE, UNKNOWN = 0, 5, 10, 11, 12, 13, 14, 15
COLLISIONS, DECISIONS, STALE, AFTERWARDS, CHANGED, ANSWERED, UNUSED, DEPARTED = 16, 17, 18, 19, 20, 21, 22, 23
# Of `Tally.at`, for each processor; from ARRIVED on, for each group the jobs that arrived, and then those expected.
ANSWERS, FRESH, LAST_SENDER, EARLIER_SENDER, ARRIVED = range(5)
PRESENT, IN_SUBSET, BUSY_IN_SUBSET, SUBSET = range(4)  # of `Tally.jobs`


class Setting(NamedTuple):
    """Numbers and switches of a run.

    Attributes
    ----------
    limit : int
        L^P; 0 where nothing is probed.
    period, spread : float
        Mean probe period, inf on demand; the part of it by which a period may be longer or shorter.
    probe_time, migration_time : float
        S^P, and the mean S^M.
    capacity : float
        Of all processors together: sizes are divided by it.
    vertical_arrivals, vertical_probes, vertical_departures : bool
        Whether the preference of arrivals, of probes upon arrivals and of probes upon departures is VP.
    migrates : bool
        Whether there is something to decide after departures.
    estimates : int
        How shares are estimated (see `view`); 0 if the policy needs none.
    gap : int
        What is asked of a source where the rule must hold: how many jobs more. 0: two jobs, whatever the other has.
    own_first : bool
        Whether the own processor is preferred at placements.
    keeps, keeps_all : bool
        Whether replies are recorded, and whether each record stands until it is replaced itself.
    oldest : float
        For how long a record counts.
    notes_decisions : bool
        Whether decisions change records.
    under_way, at_departure, must_hold, without_message : bool
        Readings (see `simulate_distributed`).
    """

    limit: int
    period: float
    spread: float
    probe_time: float
    migration_time: float
    capacity: float
    vertical_arrivals: bool
    vertical_probes: bool
    vertical_departures: bool
    migrates: bool
    estimates: int
    gap: int
    own_first: bool
    keeps: bool
    keeps_all: bool
    oldest: float
    notes_decisions: bool
    under_way: bool
    at_departure: bool
    must_hold: bool
    without_message: bool


class Records(NamedTuple):
    """What each processor keeps of others' replies.

    Attributes
    ----------
    number : ndarray of int, shape (processors,)
        How many others it has a record of.
    who : ndarray of int, shape (processors, most)
    rows : ndarray of int, shape (processors, most, groups)
        Their numbers of jobs.
    heard : ndarray, shape (processors, most, 2)
        When the reply came, and the time of which it speaks.
    place : ndarray of int, shape (processors, processors)
        One more than the place of a processor in another's `who`, 0 if it has none; kept only if all records are.
    """

    number: np.ndarray
    who: np.ndarray
    rows: np.ndarray
    heard: np.ndarray
    place: np.ndarray


class Seen(NamedTuple):
    """Of the processors in a view: which they are, the places of their records, and of which times these speak."""

    who: np.ndarray
    record: np.ndarray
    time: np.ndarray


class Tally(NamedTuple):
    """The notes that are taken.

    Attributes
    ----------
    level, sums : ndarray, shape (6 + 4 groups,)
        What is measured as it stands, and its integrals over time (and the sums of waiting times and of the work
        brought to the network).
    count : ndarray of int, shape (23 + groups,)
        How often things have happened; last, the departures of each group.
    at : ndarray of int, shape (processors, 4 + 2 groups)
        Of each processor: the probings answered, whether nothing was decided since the last of them, the last two
        processors that sent jobs there, the jobs that arrived there, and those on their way to it or waiting there.
    sent : ndarray, shape (processors, 2)
        When these two sent.
    jobs : ndarray of int, shape (4, 1 + groups)
        Jobs PRESENT in the system; jobs of any group IN_SUBSET of each, busy processors there, and its size (SUBSET).
    member : ndarray of bool, shape (processors, groups)
        Whether a processor is of a group's subset.
    timers : ndarray, shape (2 P, rounded up to a power of 2,)
        A tree of the times of the next probings (see `state.System.due`).
    """

    level: np.ndarray
    sums: np.ndarray
    count: np.ndarray
    at: np.ndarray
    sent: np.ndarray
    jobs: np.ndarray
    member: np.ndarray
    timers: np.ndarray


@inlined
def level_of(g, which):
    """Where in `Tally.level` a group's FEASIBLE_PART, OBTAINED_PART, NUMBER or LOSS stands."""
    return GROUPS + 4 * g + which


@inlined
def enter(system, tally, g, by):
    """A job more or less in the system, wherever it is."""
    jobs, P = tally.jobs, len(tally.sent)
    jobs[PRESENT, TOTAL] += by
    jobs[PRESENT, 1 + g] += by
    tally.level[ABLE_TO_USE] = system.reach[ABLE, min(jobs[PRESENT, TOTAL], P)]
    feasible = system.reach[FEASIBLE, min(jobs[PRESENT, 1 + g], P)]
    tally.level[level_of(g, FEASIBLE_PART)] = min(system.required[g], feasible)
    tally.level[level_of(g, NUMBER)] = jobs[PRESENT, 1 + g]


@inlined
def served(system, tally, p, by):
    """A job more or less at a processor, which serves it at once."""
    wakes = int(system.count[p, TOTAL] == 1 and by > 0) - int(system.count[p, TOTAL] == 0)
    tally.level[USED] = system.level[IN_USE]
    for g in range(len(system.required)):
        tally.level[level_of(g, OBTAINED_PART)] = system.level[of_group(g, OBTAINED_SHARE)]
        if tally.member[p, g]:
            jobs = tally.jobs[IN_SUBSET, 1 + g] + by
            busy = tally.jobs[BUSY_IN_SUBSET, 1 + g] + wakes
            tally.jobs[IN_SUBSET, 1 + g], tally.jobs[BUSY_IN_SUBSET, 1 + g] = jobs, busy
            tally.level[level_of(g, LOSS)] = (min(jobs, tally.jobs[SUBSET, 1 + g]) - busy) / len(tally.sent)


@inlined
def join(system, tally, g, p, now, work):
    """A job with so much work joins a server queue."""
    bring_in(system, g, p, now, work)
    served(system, tally, p, 1)


@inlined
def expect(tally, g, p, by):
    """A job more or less on its way to a processor, or waiting there."""
    tally.at[p, ARRIVED + tally.member.shape[1] + g] += by


@inlined
def counted(system, tally, setting, p, g):
    """Jobs of a group that a processor reports, and counts for itself."""
    expected = tally.at[p, ARRIVED + tally.member.shape[1] + g]
    return np.int64(system.count[p, 1 + g]) + (expected if setting.under_way else 0)


@inlined
def note_sender(tally, p, to, now):
    """A processor sends a job to another."""
    at = tally.at[to]
    if at[LAST_SENDER] != p:
        at[EARLIER_SENDER], tally.sent[to, 1] = at[LAST_SENDER], tally.sent[to, 0]
    at[LAST_SENDER], tally.sent[to, 0] = p, now


@inlined
def sent_by_another(tally, p, to):
    """When another processor than p last sent a job to one."""
    return tally.sent[to, 0] if tally.at[to, LAST_SENDER] != p else tally.sent[to, 1]


@inlined
def set_timer(timers, p, time):
    """When a processor is to probe next."""
    node = len(timers) // 2 + p
    timers[node] = time
    while node > 1:
        node //= 2
        timers[node] = min(timers[2 * node], timers[2 * node + 1])


@inlined
def first_timer(timers):
    """The processor that is to probe next."""
    node, leaves = 1, len(timers) // 2
    while node < leaves:
        node = 2 * node + (timers[2 * node + 1] < timers[2 * node])
    return node - leaves
