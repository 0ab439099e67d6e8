"""The network: a server of unit capacity that its customers share alike (`thesis`, Section 6.2.2), and its letters.

A letter is what one customer, or several that start together, carry. Each is done when the network has given every
customer as much as its size: at a reading of a virtual clock that passes as a customer is served, found when it starts.
Letters of the constant size are done in the order in which they start; the others are kept in a heap.
"""

from typing import NamedTuple

import numpy as np

from clustershare.compiled.interrupts import stop_if_asked
from clustershare.dispatch.jit import inlined, kernel

READING, SINCE, DUE = range(3)  # clock: the virtual one at the time SINCE; when the next letter is done
CUSTOMERS, STARTED, FIRST, LINE, HEAP, FREE, NEXT_FREE = range(7)  # counts
KIND, SENDER, RECEIVER, TARGET, GROUP, RULE, WHY, ROW, AT_LEAST, BUNDLE, ORDER = range(11)  # of a letter, whole numbers
DONE, WORK, BEGAN, SEEN = range(4)  # of a letter: when the virtual clock reads this it is done; further numbers
REQUEST, REPLIES, PLACEMENT, ASKING, MIGRATION = range(5)  # kinds
FEW = 4  # letters that an event may start


class Network(NamedTuple):
    """Letters on the network; all arrays are changed in place.

    Attributes
    ----------
    clock : ndarray, shape (3,)
        READING, SINCE, DUE.
    count : ndarray of int, shape (7,)
        CUSTOMERS on the network, letters STARTED so far, where the line of constant ones begins (FIRST), how many are
        in it (LINE) and in the HEAP, how many letters are FREE and the next of them.
    line, heap : ndarray of int, shape (letters,)
        The line of letters of the constant size, a ring; the heap of the others.
    whole : ndarray of int, shape (letters, 11)
        KIND, SENDER, RECEIVER, GROUP and so on of each letter. BUNDLE is how many customers it stands for, ORDER how
        many started before; of a free letter, ORDER is the next free one.
    real : ndarray, shape (letters, 4)
        DONE, the WORK of the job that is moved or waits, when that waiting BEGAN, when the processors probed were SEEN.
    who : ndarray of int, shape (letters, limit)
        The processors probed.
    rows : ndarray of int, shape (letters, 1 + limit, groups)
        The own numbers of jobs by group, and those in the replies.
    """

    clock: np.ndarray
    count: np.ndarray
    line: np.ndarray
    heap: np.ndarray
    whole: np.ndarray
    real: np.ndarray
    who: np.ndarray
    rows: np.ndarray


def quiet(letters, limit, groups):
    """A network without customers.

    Parameters
    ----------
    letters : int
        For how many there is room.
    limit, groups : int

    Returns
    -------
    Network
    """
    count = np.zeros(7, np.int64)
    count[FREE] = letters
    whole = np.zeros((letters, 11), np.int64)
    whole[:, ORDER] = np.arange(1, letters + 1)
    return Network(
        np.array([0.0, 0.0, np.inf]), count, np.zeros(letters, np.int64), np.zeros(letters, np.int64), whole,
        np.zeros((letters, 4)), np.zeros((letters, limit), np.int32), np.zeros((letters, 1 + limit, groups), np.int32),
    )  # fmt: skip


def with_more_letters(net):
    """The same network with room for twice as many letters."""
    letters = len(net.line)
    wide = quiet(2 * letters, net.who.shape[1], net.rows.shape[2])
    for old, new in zip(net[2:], wide[2:], strict=True):
        new[:letters] = old
    wide.line[:letters] = np.roll(net.line, -net.count[FIRST])
    wide.clock[:], wide.count[:] = net.clock, net.count
    wide.count[FIRST], wide.count[FREE], wide.count[NEXT_FREE] = 0, net.count[FREE] + letters, letters
    wide.whole[-1, ORDER] = net.count[NEXT_FREE]
    return wide


@inlined
def new_letter(net, sender, receiver, group):
    """A letter that was free, addressed."""
    letter = net.count[NEXT_FREE]
    net.count[NEXT_FREE] = net.whole[letter, ORDER]
    net.count[FREE] -= 1
    whole = net.whole[letter]
    whole[SENDER], whole[RECEIVER], whole[GROUP] = sender, receiver, group
    return letter


@inlined
def free(net, letter):
    """A letter is of no more use."""
    net.whole[letter, ORDER] = net.count[NEXT_FREE]
    net.count[NEXT_FREE] = letter
    net.count[FREE] += 1


@inlined
def _before(net, one, other):
    """Whether a letter is done before another: at equal times, the one that started first."""
    there, here = net.real[one, DONE], net.real[other, DONE]
    return there < here or there == here and net.whole[one, ORDER] < net.whole[other, ORDER]


@inlined
def _first(net):
    """The letter that is done next, and whether it is in the heap; there must be one."""
    line = net.line[net.count[FIRST]]
    if net.count[HEAP] == 0:
        return line, False
    if net.count[LINE] == 0 or _before(net, net.heap[0], line):
        return net.heap[0], True
    return line, False


@inlined
def _look_ahead(net, now):
    """Find when the next letter is done."""
    if net.count[CUSTOMERS] == 0:
        net.clock[READING], net.clock[DUE] = 0.0, np.inf
        return
    letter, _ = _first(net)
    net.clock[DUE] = now + max(net.real[letter, DONE] - net.clock[READING], 0.0) * net.count[CUSTOMERS]


@kernel
def start(net, letter, size, customers, constant, now):
    """Send a letter of some customers of a size each; `constant` tells those of the one size that many have."""
    clock, count = net.clock, net.count
    if count[CUSTOMERS] > 0:
        clock[READING] += (now - clock[SINCE]) / count[CUSTOMERS]
    clock[SINCE] = now
    net.real[letter, DONE] = clock[READING] + size
    net.whole[letter, BUNDLE], net.whole[letter, ORDER] = customers, count[STARTED]
    count[STARTED] += 1
    count[CUSTOMERS] += customers
    if constant:
        room = len(net.line)
        at = count[FIRST] + count[LINE]
        net.line[at - room if at >= room else at] = letter
        count[LINE] += 1
    else:
        k = count[HEAP]
        while k > 0 and _before(net, letter, net.heap[(k - 1) // 2]):
            net.heap[k] = net.heap[(k - 1) // 2]
            k = (k - 1) // 2
        net.heap[k] = letter
        count[HEAP] += 1
    _look_ahead(net, now)


@kernel
def finish(net, now):
    """Take the letter that is done from the network."""
    clock, count = net.clock, net.count
    letter, in_heap = _first(net)
    clock[READING], clock[SINCE] = net.real[letter, DONE], now
    count[CUSTOMERS] -= net.whole[letter, BUNDLE]
    if in_heap:
        count[HEAP] -= 1
        _sink(net, net.heap[count[HEAP]], count[HEAP])
    else:
        count[LINE] -= 1
        count[FIRST] = count[FIRST] + 1 if count[FIRST] + 1 < len(net.line) else 0
    _look_ahead(net, now)
    return letter


@inlined
def _sink(net, letter, count):
    """Put a letter in the place of the first of a heap of others."""
    k = 0
    while 2 * k + 1 < count:
        child = 2 * k + 1
        if child + 1 < count and _before(net, net.heap[child + 1], net.heap[child]):
            child += 1
        if not _before(net, net.heap[child], letter):
            break
        net.heap[k] = net.heap[child]
        k = child
    net.heap[k] = letter


@kernel
def run_alone(rng, net, rates, sizes, events, clock, law, times, done):
    """Let letters come, of a constant size and of exponential sizes, and go: nothing but the network.

    Parameters
    ----------
    rng : numpy.random.Generator
    net : Network
    rates : ndarray, shape (2,)
        At which the two kinds come.
    sizes : ndarray, shape (2,)
        The constant one, and the mean of the others.
    events : int
        Letters that come or go.
    clock : ndarray, shape (2,)
        The time, and the time at which the next letter comes.
    law : ndarray, shape (n,)
        For how long there were 0, 1, ..., n - 2 customers, and more; added to.
    times : ndarray, shape (2,)
        Added to: how long the letters of each kind that have gone were on the network.
    done : ndarray of int, shape (2,)
        Added to: how many have gone.

    Returns
    -------
    int
        Events left, if there was no room for more letters; it may also be 0 then.
    """
    while events > 0 and net.count[FREE] > 0:
        stop_if_asked(1)
        events -= 1
        goes = net.clock[DUE] <= clock[1]
        now = net.clock[DUE] if goes else clock[1]
        law[min(net.count[CUSTOMERS], len(law) - 1)] += now - clock[0]
        clock[0] = now
        if goes:
            letter = finish(net, now)
            kind = net.whole[letter, KIND]
            times[kind] += now - net.real[letter, BEGAN]
            done[kind] += 1
            free(net, letter)
        else:
            clock[1] = now + rng.standard_exponential() / (rates[0] + rates[1])
            kind = int(rng.random() * (rates[0] + rates[1]) >= rates[0])
            letter = new_letter(net, 0, 0, 0)
            net.whole[letter, KIND], net.real[letter, BEGAN] = kind, now
            size = sizes[kind] * (rng.standard_exponential() if kind == 1 else 1.0)
            start(net, letter, size, 1, kind == 0, now)
    return events
