"""Jobs with an identity, for records of them: each has a place of its own, from its arrival to its departure.

The heaps of `state.System` hold when jobs leave; beside each entry stands here whose it is. What moves a job does so in
two steps, out of one place and into another: in between, it is in hand.
"""

from typing import NamedTuple

import numpy as np

from clustershare.compiled.heaps import pop, push
from clustershare.compiled.records import Seen, record
from clustershare.dispatch.jit import kernel

CAME, BEGAN, SIZE = 0, 1, 2
HAND, FREE = 0, 1
MOST_PLACES = 10**6  # of the jobs of a group on a processor, at first: some 500 bytes each


class Tracked(NamedTuple):
    """The jobs in a system; all arrays are changed in place.

    Attributes
    ----------
    seen : compiled.records.Seen
        Those that left.
    item : ndarray of int, shape (P, G, room)
        Of each entry of the heaps `state.System.leave`, the job's place.
    job : ndarray, shape (places, 3)
        CAME: when it arrived. BEGAN: when it was first served, nan before. SIZE.
    free : ndarray of int, shape (places,)
        Places without a job, the last FREE of `note`; taken from the end.
    note : ndarray of int, shape (2,)
        HAND: the place of the job in hand. FREE: how many places have no job.
    sent : ndarray of int, shape (letters,)
        The places of jobs that letters stand for, in a system with a network.
    """

    seen: Seen
    item: np.ndarray
    job: np.ndarray
    free: np.ndarray
    note: np.ndarray
    sent: np.ndarray


def nobody(seen, room, letters=0):
    """No jobs yet.

    Parameters
    ----------
    seen : compiled.records.Seen
    room : tuple of int
        Processors, groups and the jobs of a group on a processor for which there is room.
    letters : int
        On the network, at most.

    Returns
    -------
    Tracked
    """
    places = int(np.prod(room)) + letters
    note = np.array([0, places])
    free = np.arange(places)[::-1].copy()
    return Tracked(seen, np.zeros(room, np.int64), np.zeros((places, 3)), free, note, np.zeros(letters, np.int64))


def with_more_room(tracked):
    """The same jobs with twice the room on each processor."""
    P, G, room = tracked.item.shape
    wide = nobody(tracked.seen, (P, G, 2 * room), len(tracked.sent))
    old, new = len(tracked.job), len(wide.job)
    wide.item[:, :, :room], wide.job[:old], wide.sent[:] = tracked.item, tracked.job, tracked.sent
    few = tracked.note[FREE]
    wide.free[: new - old] = np.arange(old, new)[::-1]
    wide.free[new - old : new - old + few] = tracked.free[:few]
    wide.note[:] = tracked.note[HAND], new - old + few
    return wide


@kernel
def come(tracked, now, size):
    """A job arrives; it is in hand."""
    if tracked is not None:
        note = tracked.note
        note[FREE] -= 1
        place = tracked.free[note[FREE]]
        tracked.job[place, CAME], tracked.job[place, BEGAN], tracked.job[place, SIZE] = now, np.nan, size
        note[HAND] = place


@kernel
def post(tracked, letter):
    """A letter stands for the job in hand."""
    if tracked is not None:
        tracked.sent[letter] = tracked.note[HAND]


@kernel
def receive(tracked, letter):
    """The job that a letter stands for is in hand."""
    if tracked is not None:
        tracked.note[HAND] = tracked.sent[letter]


@kernel
def enter(tracked, heap, p, g, count, reading, now):
    """The job in hand is put into the heap of its group on a processor, which serves it at once."""
    if tracked is not None:
        place = tracked.note[HAND]
        if np.isnan(tracked.job[place, BEGAN]):
            tracked.job[place, BEGAN] = now
        push(heap, tracked.item[p, g], count, reading, place)


@kernel
def take(tracked, heap, p, g, count, chosen):
    """Take one of the jobs of a heap out of it, in hand."""
    if tracked is not None:
        items = tracked.item[p, g]
        tracked.note[HAND] = items[chosen]
        # To the top, as if it were the next to leave, and then out.
        while chosen > 0:
            heap[chosen], items[chosen] = heap[(chosen - 1) // 2], items[(chosen - 1) // 2]
            chosen = (chosen - 1) // 2
        pop(heap, items, count)


@kernel
def leave(tracked, heap, p, g, count, now):
    """The first job of a heap leaves the system, and is recorded."""
    if tracked is not None:
        note = tracked.note
        place = tracked.item[p, g, 0]
        pop(heap, tracked.item[p, g], count)
        job = tracked.job[place]
        record(tracked.seen, g, job[SIZE], now - job[CAME], job[BEGAN] - job[CAME])
        tracked.free[note[FREE]] = place
        note[FREE] += 1
