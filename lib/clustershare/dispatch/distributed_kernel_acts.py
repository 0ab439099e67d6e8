"""What happens in a distributed system: letters come and go, and what processors know."""

import numpy as np
from numba.extending import overload

from clustershare.dispatch import distributed_kernel_parts as notes
from clustershare.dispatch import tracked
from clustershare.dispatch.distributed_kernel_draws import draw_set
from clustershare.dispatch.distributed_kernel_parts import counted, expect, join, note_sender, sent_by_another, served
from clustershare.dispatch.jit import inlined
from clustershare.dispatch.network import (
    ASKING,
    AT_LEAST,
    BEGAN,
    GROUP,
    KIND,
    MIGRATION,
    PLACEMENT,
    RECEIVER,
    REPLIES,
    REQUEST,
    ROW,
    RULE,
    SEEN,
    SENDER,
    TARGET,
    WHY,
    WORK,
    new_letter,
    start,
)
from clustershare.dispatch.orders import TOTAL
from clustershare.dispatch.state import take_out
from clustershare.dispatch.tape import pick
from clustershare.dispatch.words import I2, M1, M4


@inlined
def send(net, tally, setting, letter, kind, customers, size, now):
    """Put a letter on the network."""
    net.whole[letter, KIND] = kind
    tally.count[notes.SENT + kind] += customers
    tally.sums[notes.OFFERED] += customers * size
    start(net, letter, size, customers, kind != MIGRATION, now)


@inlined
def probe(rng, system, net, subsets, tally, setting, why, p, g, row, work, now):
    """A processor asks others how they stand, for a job that has come or gone or in its turn."""
    letter = new_letter(net, p, -1, g)
    net.whole[letter, WHY] = why
    net.real[letter, WORK], net.real[letter, BEGAN] = work, now
    for h in range(net.rows.shape[2]):
        net.rows[letter, 0, h] = counted(system, tally, setting, p, h)
    if system.seen is not None:
        tracked.post(system.seen, letter)
    draw_set(rng, subsets, row, p, net.who[letter])
    send(net, tally, setting, letter, REQUEST, 1, setting.probe_time, now)


@inlined
def reply(system, net, tally, setting, letter, now):
    """Those who are asked tell how they stand."""
    net.real[letter, SEEN] = now
    for i in range(setting.limit):
        for g in range(net.rows.shape[2]):
            net.rows[letter, 1 + i, g] = counted(system, tally, setting, net.who[letter, i], g)
    send(net, tally, setting, letter, REPLIES, setting.limit, setting.probe_time, now)


@inlined
def record(net, records, tally, setting, letter, now):
    """Keep what was replied."""
    p = net.whole[letter, SENDER]
    if tally.at[p, notes.ANSWERS] > 0:
        tally.count[notes.ANSWERED] += 1
        tally.count[notes.UNUSED] += tally.at[p, notes.FRESH]
    tally.at[p, notes.ANSWERS] += 1
    tally.at[p, notes.FRESH] = 1
    if not setting.keeps_all:
        records.number[p] = setting.limit
    for i in range(setting.limit):
        q, r = net.who[letter, i], i
        if setting.keeps_all:
            if records.place[p, q] == 0:
                records.number[p] += 1
                records.place[p, q] = records.number[p]
            r = records.place[p, q] - 1
        records.who[p, r] = q
        records.heard[p, r, 0], records.heard[p, r, 1] = now, net.real[letter, SEEN]
        for g in range(net.rows.shape[2]):
            records.rows[p, r, g] = net.rows[letter, 1 + i, g]


@inlined
def see(view, k, g, jobs):
    """Write into a view how many jobs of a group a processor has; the first group first."""
    view.count[k, TOTAL] = jobs if g == 0 else view.count[k, TOTAL] + jobs
    view.count[k, 1 + g] = jobs


@inlined
def look(system, net, records, tally, setting, view, seen, p, letter, now):
    """Fill a view with what a processor knows: its own state, and the replies of a letter or those recorded.

    Returns
    -------
    int
        How many processors are known.
    """
    known, groups = 1, len(view.required)
    seen.who[0], seen.record[0] = p, -1
    for g in range(groups):
        see(view, 0, g, counted(system, tally, setting, p, g))
    if setting.keeps:
        for r in range(records.number[p]):
            if records.heard[p, r, 0] >= now - setting.oldest:
                seen.who[known], seen.record[known], seen.time[known] = records.who[p, r], r, records.heard[p, r, 1]
                for g in range(groups):
                    see(view, known, g, records.rows[p, r, g])
                known += 1
    elif letter >= 0:
        for i in range(setting.limit):
            seen.who[known], seen.record[known], seen.time[known] = net.who[letter, i], -1, net.real[letter, SEEN]
            for g in range(groups):
                see(view, known, g, net.rows[letter, 1 + i, g])
            known += 1
    stale = False
    for k in range(1, known):
        for g in range(groups):
            stale = stale or view.count[k, 1 + g] != counted(system, tally, setting, seen.who[k], g)
    tally.count[notes.DECISIONS] += 1
    tally.count[notes.STALE] += stale
    tally.at[p, notes.FRESH] = 0
    return known


@inlined
def look_back(net, tally, setting, view, letter):
    """Compare the own state with that which the departure left; see that, if this is the reading."""
    changed = False
    for g in range(len(view.required)):
        left = net.rows[letter, 0, g]
        changed = changed or view.count[0, 1 + g] != left
        if setting.at_departure:
            see(view, 0, g, left)
    tally.count[notes.CHANGED] += changed


def show_parts(policy, parts, who, known):
    """Let a policy that goes by the parts of processors see those of the ones known."""
    if hasattr(policy, "parts"):
        write_parts(policy.parts, parts, who, known)


@overload(show_parts)
def _show_parts(policy, parts, who, known):
    if not hasattr(policy.instance_class, "parts"):
        return lambda policy, parts, who, known: None
    return lambda policy, parts, who, known: write_parts(policy.parts, parts, who, known)


@inlined
def write_parts(seen, parts, who, known):
    """Copy the parts of some processors."""
    for k in range(known):
        for g in range(parts.shape[1]):
            seen[k, g] = parts[who[k], g]


@inlined
def put(system, net, tally, setting, p, to, g, work, now):
    """A processor lets a job join its own queue, or sends it to another."""
    if to == p:
        join(system, tally, g, p, now, work)
        return
    letter = new_letter(net, p, to, g)
    net.real[letter, WORK] = work
    if system.seen is not None:
        tracked.post(system.seen, letter)
    expect(tally, g, to, 1)
    send(net, tally, setting, letter, PLACEMENT, 1, setting.probe_time, now)


@inlined
def note_placement(tally, view, seen, p, g, k, to, began, now):
    """Take notes of where a job is to be put, k in the view."""
    tally.count[notes.PLACED] += 1
    tally.sums[notes.WAITED] += now - began
    tally.count[notes.INSIDE] += tally.member[to, g]
    tally.count[notes.UNKNOWN] += k < 0
    if to != p:
        if k > 0 and view.count[k, TOTAL] == 0 and sent_by_another(tally, p, to) > seen.time[k]:
            tally.count[notes.COLLISIONS] += 1
        note_sender(tally, p, to, now)


@inlined
def raise_record(records, setting, seen, view, p, k, g):
    """A job of a group more at a processor that is known, as it was sent there."""
    view.count[k, TOTAL] += 1
    view.count[k, 1 + g] += 1
    if seen.record[k] >= 0 and setting.notes_decisions:
        records.rows[p, seen.record[k], g] += 1


@inlined
def lower_record(rng, records, setting, seen, p, k, g):
    """A job of a group (-1: a random one) less at a processor that is known, as it was asked for."""
    if seen.record[k] < 0 or not setting.notes_decisions:
        return
    row = records.rows[p, seen.record[k]]
    if g < 0:
        jobs = 0
        for h in range(len(row)):
            jobs += row[h]
        chosen = pick(rng, jobs) if jobs > 1 else 0
        g = 0
        while g < len(row) - 1 and chosen >= row[g]:
            chosen -= row[g]
            g += 1
    row[g] -= row[g] > 0


@inlined
def what_must_hold(view, setting, g, rule):
    """A row of the source's numbers of jobs, and how many there must be for the rule to hold; 0 if it need not."""
    if setting.must_hold and setting.gap > 0:
        row = TOTAL if rule != M1 or g < 0 else 1 + g
        return row, view.count[0, row] + setting.gap
    return TOTAL, 2 if setting.must_hold and rule != I2 and rule != M4 else 0


@inlined
def ask(net, tally, setting, p, source, target, g, rule, row, at_least, now):
    """Ask a processor for a job."""
    letter = new_letter(net, p, source, g)
    whole = net.whole[letter]
    whole[TARGET], whole[RULE], whole[ROW], whole[AT_LEAST] = target, rule, row, at_least
    send(net, tally, setting, letter, ASKING, 1, setting.probe_time, now)


@inlined
def grant(rng, system, net, tally, setting, tape, source, target, g, rule, row, at_least, now):
    """A processor lets a job of a group (-1: any) go to another, if it has one and enough in a row of its numbers."""
    jobs = np.int64(system.count[source, 1 + g])  # of all, if there is no group
    if jobs == 0 or system.count[source, row] < at_least:
        tally.count[notes.REFUSED] += 1
        return
    chosen = pick(rng, jobs) if jobs > 1 else 0
    if g < 0:
        g = 0
        while chosen >= system.count[source, 1 + g]:
            chosen -= np.int64(system.count[source, 1 + g])
            g += 1
    tape.choices[0], tape.position[0] = chosen, 0
    work = take_out(system, tape, g, source, now)
    served(system, tally, source, -1)
    tally.count[notes.BY_RULE + (0 if rule == I2 else 1 + rule - M1)] += 1
    if system.count[source, TOTAL] == 0:
        tally.count[notes.LONE] += 1
        tally.count[notes.LONE_M4] += rule == M4
    expect(tally, g, target, 1)
    letter = new_letter(net, source, target, g)
    net.real[letter, WORK] = work
    if system.seen is not None:
        tracked.post(system.seen, letter)
    send(net, tally, setting, letter, MIGRATION, 1, setting.migration_time * rng.standard_exponential(), now)


@inlined
def arrive_from_network(system, net, tally, letter, now):
    """A job that was sent joins the queue of its processor."""
    g, p = net.whole[letter, GROUP], net.whole[letter, RECEIVER]
    expect(tally, g, p, -1)
    if system.seen is not None:
        tracked.receive(system.seen, letter)
    join(system, tally, g, p, now, net.real[letter, WORK])
