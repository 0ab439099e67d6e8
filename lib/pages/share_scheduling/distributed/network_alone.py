"""The network of Chapter 6 by itself: independent streams of short constant and of long random customers.

The library's network serves them, alone, as the simulator of Chapter 6 uses it; the closed forms are those of an M/G/1
queue with processor sharing.
"""

import functools

import numpy as np

from clustershare.arguments import one_of
from clustershare.dispatch import network
from clustershare.dispatch.jit import kernel
from clustershare.estimates import from_replications
from pages.share_scheduling.distributed.printed_network import PrintedNetwork

LEVELS = 8  # numbers of customers, from 0 on, whose probabilities are looked at
RARE = 1e-3  # but for those that are less
ROOM = 1024


@functools.cache
def alone(load, ratio, sharing="processor sharing", customers=40_000, replications=30, seed=106):
    """What two Poisson streams meet, of constant size 1 and of exponential sizes; each brings half of the load.

    Parameters
    ----------
    load : float
        Offered in all, below 1.
    ratio : float
        The mean of the exponential sizes.
    sharing : str
        "processor sharing", by the library's network, or "first come".
    customers, replications : int
        Of each run, of which the first quarter is not looked at; runs.
    seed : int

    Returns
    -------
    busy : Estimate
        For what part of the time.
    numbers : Estimate
        The probabilities of 0 to `LEVELS` - 1 customers.
    times : Estimate
        Mean times in the network of both kinds.
    """
    one_of("sharing", sharing, ("processor sharing", "first come"))
    found = []
    for stream in np.random.SeedSequence(seed).spawn(replications):
        came, sizes, constant = _arrivals(np.random.default_rng(stream), load, ratio, customers)
        left = _shared(came, sizes, constant) if sharing == "processor sharing" else _in_turn(came, sizes)
        found.append(_measured(came, left, constant))
    return tuple(from_replications([run[k] for run in found]) for k in range(3))


def _arrivals(rng, load, ratio, customers):
    rates = load / 2 / np.array([1.0, ratio])
    came = np.cumsum(rng.standard_exponential(customers) / rates.sum())
    constant = rng.random(customers) * rates.sum() < rates[0]
    return came, np.where(constant, 1.0, ratio * rng.standard_exponential(customers)), constant


def _shared(came, sizes, constant):
    """When customers leave the library's network."""
    left = np.zeros(len(came))
    if not _serve(network.quiet(ROOM, 1, 1), came, sizes, constant, left):
        raise RuntimeError(f"more than {ROOM} customers at once")
    return left


def _in_turn(came, sizes):
    """When customers leave if one is served after the other: Lindley's recursion, solved."""
    done = np.cumsum(sizes)
    return done + np.maximum.accumulate(came - done + sizes)


@kernel
def _serve(net, came, sizes, constant, left):
    arrived, gone = 0, 0
    while gone < len(came):
        if arrived < len(came) and came[arrived] < net.clock[network.DUE]:
            if net.count[network.FREE] == 0:
                return False
            letter = network.new_letter(net, 0, 0, 0)
            net.whole[letter, network.WHY] = arrived
            network.start(net, letter, sizes[arrived], 1, constant[arrived], came[arrived])
            arrived += 1
        else:
            now = net.clock[network.DUE]
            letter = network.finish(net, now)
            left[net.whole[letter, network.WHY]] = now
            network.free(net, letter)
            gone += 1
    return True


def _measured(came, left, constant):
    first, last = came[len(came) // 4], came[-1]
    at = np.concatenate([came, left])
    order = np.argsort(at, kind="stable")
    number = np.cumsum(np.repeat([1, -1], len(came))[order])
    ends = np.clip(at[order], first, last)
    hold = np.diff(ends)
    held = np.bincount(np.minimum(number[:-1], LEVELS), hold, LEVELS + 1) / (last - first)
    later = np.arange(len(came)) >= len(came) // 4
    return 1 - held[0], held[:LEVELS], np.array([(left - came)[later & kind].mean() for kind in (constant, ~constant)])


def closed_forms(load, ratio):
    """The same by M/G/1 with processor sharing, where sizes matter by their means alone: busy, numbers, times.

    Examples
    --------
    >>> busy, numbers, times = closed_forms(0.5, 10.0)
    >>> busy, numbers[:3].tolist(), times.tolist()
    (0.5, [0.5, 0.25, 0.125], [2.0, 20.0])
    """
    return load, (1 - load) * load ** np.arange(LEVELS), np.array([1.0, ratio]) / (1 - load)


def distances(load, ratio, sharing="processor sharing"):
    """How far what is simulated lies from the closed forms, in half widths of each interval: ndarray."""
    expected = closed_forms(load, ratio)
    often = np.flatnonzero(expected[1] >= RARE)
    chosen, away = (Ellipsis, often, Ellipsis), []
    for found, known, some in zip(alone(load, ratio, sharing), expected, chosen):
        away.append(np.ravel(np.abs(np.subtract(found.value, known))[some] / np.asarray(found.half_width)[some]))
    return np.concatenate(away)


def unequal_service(setting, steps, seed=106):
    """On a path of the plain event loop: what one customer was served between two events, and another was not.

    Parameters
    ----------
    setting : printed_parts.Setting
    steps, seed : int

    Returns
    -------
    largest : float
        Difference of two customers that were both present, over all events.
    shared : int
        Between how many events there were several.
    """
    path, largest, shared = PrintedNetwork(setting, np.random.default_rng(seed)), 0.0, 0
    for _ in range(steps):
        before = {message: message.left for message in path.messages}
        path.step()
        served = [left - message.left for message, left in before.items()]
        if len(served) > 1:
            largest, shared = max(largest, max(served) - min(served)), shared + 1
    return largest, shared
