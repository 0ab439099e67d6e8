"""The event loop of distributed policies: processors that ask each other over a network before they decide.

Chance is drawn from one generator, in this order. "One of n" takes ``min(int(random() * n), n - 1)``, and draws nothing
if n is 1.

- At time 0: the first arrival; with periodic probing the phase of each processor in turn.
- An arrival: the time to the next (or what `compiled.arrivals.wait` draws for it), the group, the size, the processor.
  On demand, the processors probed.
- A probe timer: the processors probed, the time to the next.
- A decision: what the rules leave to chance, in the order in which they are written; candidates in the order of the
  view. Then the place by rule I5, the guest of rule I2 and its place; which job's record is lowered by a request that
  names no group.
- A granted request: one of the eligible jobs, by group and by place in the heap; its migration time.

How processors are drawn that are probed, or in proportion to a group's parts, is said in
`distributed_kernel_draws`.
"""

import numpy as np

from clustershare.compiled.arrivals import wait
from clustershare.compiled.interrupts import heed, tell
from clustershare.compiled.laws import draw
from clustershare.dispatch import tracked
from clustershare.dispatch.distributed_kernel_acts import (
    arrive_from_network,
    ask,
    grant,
    look,
    look_back,
    lower_record,
    note_placement,
    probe,
    put,
    raise_record,
    record,
    reply,
    show_parts,
    what_must_hold,
)
from clustershare.dispatch.distributed_kernel_draws import in_subset
from clustershare.dispatch.distributed_kernel_parts import (
    AFTERWARDS,
    ARRIVED,
    BUSY,
    DEPARTED,
    ON_NETWORK,
    enter,
    expect,
    first_timer,
    served,
    set_timer,
)
from clustershare.dispatch.jit import inlined, kernel
from clustershare.dispatch.kernel import place, rebalance, resettle, whose
from clustershare.dispatch.network import (
    ASKING,
    AT_LEAST,
    BEGAN,
    CUSTOMERS,
    DUE,
    FEW,
    FREE,
    GROUP,
    KIND,
    RECEIVER,
    REPLIES,
    REQUEST,
    ROW,
    SENDER,
    TARGET,
    WHY,
    WORK,
    finish,
    free,
)
from clustershare.dispatch.network import RULE as BY_RULE
from clustershare.dispatch.state import complete, first_due
from clustershare.dispatch.view import ASKED, OWN_FIRST, RULE, SOURCE, View, estimate
from clustershare.dispatch.view import GROUP as OF_GROUP
from clustershare.dispatch.view import TARGET as GOING_TO
from clustershare.dispatch.words import I2

NOW, NEXT_ARRIVAL = 0, 1  # of the clock
A_LETTER, A_DEPARTURE, A_TIMER, AN_ARRIVAL = range(4)
UPON_ARRIVAL, UPON_DEPARTURE, IN_TURN, NEVER = range(4)  # when a processor probes or decides


@inlined
def coming(system, net, tally, clock):
    """What happens next, in this order at equal times, and when."""
    what, at = A_LETTER, net.clock[DUE]
    if system.due[1] < at:
        what, at = A_DEPARTURE, system.due[1]
    if tally.timers[1] < at:
        what, at = A_TIMER, tally.timers[1]
    if clock[NEXT_ARRIVAL] < at:
        what, at = AN_ARRIVAL, clock[NEXT_ARRIVAL]
    return what, at


@inlined
def come(rng, system, subsets, tally, setting, arrivals, total_rate, laws, clock, stream=None):
    """A job arrives: where, of which group, with how much work."""
    if stream is not None:
        clock[NEXT_ARRIVAL] = clock[NOW] + wait(rng, stream)
    else:
        clock[NEXT_ARRIVAL] = clock[NOW] + rng.standard_exponential() / total_rate
    g = whose(rng.random() * total_rate, arrivals)
    work = draw(rng, laws, g) / setting.capacity
    p = in_subset(rng, subsets, g if setting.vertical_arrivals else len(arrivals))
    if system.seen is not None:
        tracked.come(system.seen, clock[NOW], work * setting.capacity)
    enter(system, tally, g, 1)
    tally.at[p, ARRIVED + g] += 1
    return p, g, work


@inlined
def go(system, tally, now):
    """The job that is due departs: from where, of which group."""
    p = first_due(system)
    g = system.next[p]
    complete(system, g, p, now)
    served(system, tally, p, -1)
    enter(system, tally, g, -1)
    tally.count[DEPARTED + g] += 1
    return p, g


@kernel
def run(
    rng, policy, system, net, records, subsets, parts, view, seen, tally, tape, setting, arrivals, laws, events, clock,
    stream=None, journal=None,
):  # fmt: skip
    """Let arrivals and departures happen, and all between them; take notes.

    Parameters
    ----------
    rng : numpy.random.Generator
    policy : NamedTuple
        Of `clustershare.dispatch.rules`; if it goes by parts, these are written anew for each decision.
    system : state.System
        With drawn sizes.
    net : network.Network
    records, seen, tally, setting
        Of `distributed_kernel_parts`.
    subsets : probing.Subsets
    parts : ndarray, shape (processors, groups)
        The partitioning matrix.
    view : view.View
        With room for all processors.
    tape : tape.Tape
    arrivals : ndarray, shape (groups,)
        Arrival rates.
    laws : ndarray
        Of the sizes, one a group, as `compiled.encoding` writes them.
    events : int
        Arrivals and departures.
    clock : ndarray, shape (2,)
        The time, and the time of the next arrival.
    stream : compiled.arrivals.Stream or None
        When jobs arrive; None is a Poisson stream.
    journal : compiled.records.Seen or None
        To record the jobs that leave a system that tells them apart.

    Returns
    -------
    int
        Events left, if there was no room for more jobs at a processor or for more letters; it may also be 0 then.
    """
    total_rate, all_alike = 0.0, len(arrivals)
    for h in range(len(arrivals)):
        total_rate += arrivals[h]
    while events > 0 and net.count[FREE] >= FEW and not system.next[-1]:
        heed(1)
        what, now = coming(system, net, tally, clock)
        for k in range(len(tally.level)):
            tally.sums[k] += tally.level[k] * (now - clock[NOW])
        clock[NOW] = now
        decides, letter, p, g, work, began = NEVER, -1, 0, 0, 0.0, now
        granted, source, target, wanted, rule, row, at_least = False, 0, 0, -1, 0, 0, 0
        if what == A_LETTER:
            letter = finish(net, now)
            whole = net.whole[letter]
            kind, p, g = whole[KIND], whole[SENDER], whole[GROUP]
            work, began = net.real[letter, WORK], net.real[letter, BEGAN]
            if kind == REQUEST:
                reply(system, net, tally, setting, letter, now)
                letter = -1  # it is under way again
            elif kind == REPLIES:
                if setting.keeps:
                    record(net, records, tally, setting, letter, now)
                decides = whole[WHY]
            elif kind == ASKING:
                granted, source, target, wanted = True, whole[RECEIVER], whole[TARGET], g
                rule, row, at_least = whole[BY_RULE], whole[ROW], whole[AT_LEAST]
            else:
                arrive_from_network(system, net, tally, letter, now)
        elif what == A_TIMER:
            p = first_timer(tally.timers)
            probe(rng, system, net, subsets, tally, setting, IN_TURN, p, -1, all_alike, 0.0, now)
            length = setting.period * (1 - setting.spread + 2 * setting.spread * rng.random())
            set_timer(tally.timers, p, now + length)
        else:
            tell(1)
            events -= 1
            if what == A_DEPARTURE:
                p, g = go(system, tally, now)
                if journal is not None:
                    tracked.record_last(journal, system.seen, g, now)
                decides, vertical = UPON_DEPARTURE if setting.migrates else NEVER, setting.vertical_departures
            else:
                p, g, work = come(rng, system, subsets, tally, setting, arrivals, total_rate, laws, clock, stream)
                decides, vertical = UPON_ARRIVAL, setting.vertical_probes
            if decides != NEVER and setting.limit > 0 and setting.period == np.inf:
                probe(rng, system, net, subsets, tally, setting, decides, p, g, g if vertical else all_alike, work, now)
                if decides == UPON_ARRIVAL:
                    expect(tally, g, p, 1)
                decides = NEVER
        if decides == UPON_ARRIVAL or decides == UPON_DEPARTURE:
            if decides == UPON_ARRIVAL and letter >= 0:
                if system.seen is not None:
                    tracked.receive(system.seen, letter)
                expect(tally, g, p, -1)
            known = look(system, net, records, tally, setting, view, seen, p, letter, now)
            about = View(
                view.processors, view.rule, view.required, view.count, view.level, view.score[:known], view.noted
            )  # fmt: skip
            about.noted[ASKED], about.noted[OWN_FIRST] = 0, decides == UPON_ARRIVAL and setting.own_first
            if decides == UPON_DEPARTURE:
                tally.count[AFTERWARDS] += 1
                if letter >= 0:
                    look_back(net, tally, setting, about, letter)
            if setting.estimates:
                estimate(about, setting.estimates)
            show_parts(policy, parts, seen.who, known)
            if decides == UPON_ARRIVAL:
                k = place(policy, about, rng, g)
                to = seen.who[k] if k >= 0 else in_subset(rng, subsets, g)
                note_placement(tally, about, seen, p, g, k, to, began, now)
                put(system, net, tally, setting, p, to, g, work, now)
                if k >= 0:
                    raise_record(records, setting, seen, about, p, k, g)
                    if setting.migrates:
                        resettle(policy, about, rng, g, k, now)
            else:
                rebalance(policy, about, rng, g, 0, now)
            if about.noted[ASKED]:
                wanted, rule = about.noted[OF_GROUP], about.noted[RULE]
                first, last = about.noted[SOURCE], about.noted[GOING_TO]
                source, target = seen.who[first], seen.who[last] if last >= 0 else in_subset(rng, subsets, wanted)
                row, at_least = what_must_hold(about, setting, wanted, rule)
                granted = source == p or setting.without_message and rule == I2
                if not granted:
                    ask(net, tally, setting, p, source, target, wanted, rule, row, at_least, now)
                lower_record(rng, records, setting, seen, p, first, wanted)
                if last >= 0:
                    raise_record(records, setting, seen, about, p, last, max(wanted, 0))
        if granted:
            grant(rng, system, net, tally, setting, tape, source, target, wanted, rule, row, at_least, now)
        if letter >= 0:
            free(net, letter)
        tally.level[BUSY] = net.count[CUSTOMERS] > 0
        tally.level[ON_NETWORK] = net.count[CUSTOMERS]
    return events
