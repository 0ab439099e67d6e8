"""Recorded paths of the plain event loop: each policy in all settings that the rules of Chapter 6 name.

The library's kernel follows this loop number by number: `taken` asks it to.
"""

import functools
import itertools
from fractions import Fraction

import numpy as np

from pages.share_scheduling.distributed.systems import CASES
from pages.share_scheduling.distributed.witnesses import followed
from pages.share_scheduling.distributed.witnesses.event_loop import PrintedNetwork
from pages.share_scheduling.distributed.witnesses.parts import MIGRATION, Setting

LIMITS, OF_CASES, ARRIVALS, PERIOD = (1, 3, 9), (1, 3), ("HP", "VP"), 0.5
OF_A_POLICY = 10_000
"""Events of each policy, in all of its settings together."""


def settings(policy, periodic=(False, True), limits=LIMITS, **changes):
    """Probe limits, cases, arrival preferences and ways to probe; messages are so slow that they overlap.

    Parameters
    ----------
    policy : str
    periodic : tuple of bool
        Whether processors probe periodically.
    limits : tuple of int
    **changes
        Of `parts.Setting`.

    Returns
    -------
    list of parts.Setting
    """
    return [
        Setting(
            policy, tuple(map(Fraction, CASES[case][0])), CASES[case][1], 10, limit, arrival=arrival,
            period=PERIOD if timed else None, **{"probe_time": 1e-3, "migration_time": 0.05, **changes},
        )
        for limit, case, arrival, timed in itertools.product(limits, OF_CASES, ARRIVALS, periodic)
    ]  # fmt: skip


def _rng(setting):
    return np.random.default_rng([6, setting.limit, setting.period is None])


@functools.cache
def path(setting, events):
    """A path of so many events, or a few more, from the empty system: `event_loop.PrintedNetwork`."""
    network = PrintedNetwork(setting, _rng(setting))
    while len(network.events) < events:
        network.step()
    return network


def paths(policy, periodic=(False, True), events=None, **changes):
    """The paths of all settings of a policy; arguments as of `settings`.

    Parameters
    ----------
    events : int, optional
        Of each; all together `OF_A_POLICY` if not given.
    """
    chosen = settings(policy, periodic, **changes)
    return [path(each, events or -(-OF_A_POLICY // len(chosen))) for each in chosen]


def taken(found):
    """A clause: the library takes these recorded paths."""
    return followed.taken(found, _rng)


def unaccounted(network):
    """By how much the time for which the network was busy differs from the work brought, less what is left."""
    sent = [event.message for event in network.events if event.what == "sends"]
    return abs(network.busy - sum(message.size for message in sent) + sum(message.left for message in network.messages))


def kinds(network):
    """What was on the network: a set of kinds; and whether all but migrations took the constant time."""
    sent = [event.message for event in network.events if event.what == "sends"]
    alike = all(message.size == network.setting.probe_time for message in sent if message.kind != MIGRATION)
    return {message.kind for message in sent}, alike


def waits(network):
    """How long jobs waited for a decision where they arrived, those that have been decided: list of float."""
    begun = {event.job: event.time for event in network.events if event.what == "arrives"}
    return [event.time - begun[event.job] for event in network.events if event.what == "places"]


def periods(mean, number, seed=114):
    """The lengths of the library's probe periods with this mean, at least so many: ndarray."""
    half = Fraction(1, 2)
    many = Setting("JSQ", (half, half), (0.1, 0.1), 1000, 1, period=mean, probe_time=0.0, capacity=1 / mean)
    return followed.periods(many, number, np.random.default_rng([seed, round(1000 * mean)]))


def life(events, number=None):
    """Of these events, those that concern one job: its own, the probing for it, and the request by which it left.

    Parameters
    ----------
    events : sequence of parts.Event
    number : int, optional
        Of the job; that of the first one that migrates if not given.
    """
    granted = [event for event in events if event.what == "grants" and event.message]
    if number is None:
        number = granted[0].job.number
    requests = [event.message for event in granted if event.job.number == number]

    def concerns(event):
        if event.job is not None and event.what not in ("rebalances", "sends away"):
            return event.job.number == number and (event.what != "probes" or event.probing.why == "arrival")
        asked = event.message in requests
        return asked or bool(event.probing and event.probing.job and event.probing.job.number == number
                             and event.probing.why == "arrival")  # fmt: skip

    return [event for event in events if concerns(event)]


def stays(events):
    """Where a job is waiting or served, for how long, from the events of its life: see `life`.

    Parameters
    ----------
    events : iterable of parts.Event

    Returns
    -------
    list of tuple
        "waits" or "is served", processor, from and to: times.

    Examples
    --------
    >>> events = path(settings("JSQ", (False,))[0], 400).events
    >>> [(what, end > begin) for what, _, begin, end in stays(life(events, 1))]
    [('waits', True), ('is served', True)]
    """
    begins, ends = {"arrives": "waits", "joins": "is served"}, ("places", "grants", "departs")
    found, since = [], None
    for event in events:
        if event.what in begins:
            since = begins[event.what], event.processor, event.time
        elif event.what in ends and since:
            found.append((*since, event.time))
            since = None
    return found
