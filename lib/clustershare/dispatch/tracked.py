"""Jobs with an identity, for records of them: each has a place of its own, from its arrival to its departure.

The heaps of `state.System` hold when jobs leave; for each entry it is noted here whose it is. What moves a job does so
in two steps, out of one heap and into another: in between, it is in hand.
"""

from typing import NamedTuple

import numpy as np

from clustershare.compiled.heaps import pop, push
from clustershare.compiled.records import record
from clustershare.dispatch.jit import kernel

CAME, BEGAN, SIZE = 0, 1, 2
HAND, FREE = 0, 1
LAST = 0  # the place of the job that left last
MOST_PLACES = 10**6  # of the jobs of a group on a processor, at first: some 500 bytes each


class Tracked(NamedTuple):
    """The jobs in a system; both arrays are changed in place. There are only two, because every call hands them on.

    Attributes
    ----------
    job : ndarray, shape (places, 3)
        CAME: when it arrived. BEGAN: when it was first served, nan before. SIZE. The first is of who left last.
    book : ndarray of int, shape (2 + letters + places + P G room,)
        HAND: the place of the job in hand. FREE: how many places have no job. The places of the jobs that letters stand
        for, in a system with a network; the places without a job, as many as there are; and for each entry of the heaps
        `state.System.leave` the place of its job.
    letters : int
        There may be on the network.
    """

    job: np.ndarray
    book: np.ndarray
    letters: int


def nobody(room, letters=0):
    """No jobs yet.

    Parameters
    ----------
    room : tuple of int
        Processors, groups and the jobs of a group on a processor for which there is room.
    letters : int
        On the network, at most.

    Returns
    -------
    Tracked
    """
    entries = int(np.prod(room))
    places = 1 + entries + letters
    free = np.arange(1, places)[::-1]
    book = np.concatenate([[LAST, len(free)], np.zeros(letters, np.int64), free, np.zeros(1 + entries, np.int64)])
    return Tracked(np.zeros((places, 3)), book, letters)


def with_more_room(tracked, room):
    """The same jobs, with twice the room on each processor where there was `room`, as of `nobody`."""
    wide = nobody((*room[:2], 2 * room[2]), tracked.letters)
    begin, old, new = 2 + tracked.letters, len(tracked.job), len(wide.job)
    few, more = tracked.book[FREE], new - old
    wide.job[:old] = tracked.job
    wide.book[HAND], wide.book[FREE] = tracked.book[HAND], more + few
    wide.book[2:begin] = tracked.book[2:begin]
    wide.book[begin : begin + more] = np.arange(old, new)[::-1]
    wide.book[begin + more : begin + more + few] = tracked.book[begin : begin + few]
    wide.book[begin + new :].reshape(*room[:2], -1)[:, :, : room[2]] = tracked.book[begin + old :].reshape(room)
    return wide


@kernel
def come(tracked, now, size):
    """A job arrives; it is in hand."""
    if tracked is not None:
        job, book = tracked.job, tracked.book
        book[FREE] -= 1
        place = book[2 + tracked.letters + book[FREE]]
        job[place, CAME], job[place, BEGAN], job[place, SIZE] = now, np.nan, size
        book[HAND] = place


@kernel
def post(tracked, letter):
    """A letter stands for the job in hand."""
    if tracked is not None:
        tracked.book[2 + letter] = tracked.book[HAND]


@kernel
def receive(tracked, letter):
    """The job that a letter stands for is in hand."""
    if tracked is not None:
        tracked.book[HAND] = tracked.book[2 + letter]


@kernel
def whose(tracked, heap, heaps_before):
    """Of each entry of a heap the place of its job, so many heaps coming before."""
    if tracked is not None:
        begin = 2 + tracked.letters + len(tracked.job) + heaps_before * len(heap)
        return tracked.book[begin : begin + len(heap)]


@kernel
def enter(tracked, heap, heaps_before, count, reading, now):
    """The job in hand is put into a heap, that of its group on a processor, which serves it at once."""
    if tracked is not None:
        place = tracked.book[HAND]
        if np.isnan(tracked.job[place, BEGAN]):
            tracked.job[place, BEGAN] = now
        push(heap, whose(tracked, heap, heaps_before), count, reading, place)


@kernel
def take(tracked, heap, heaps_before, count, chosen):
    """Take one of the jobs of a heap out of it, in hand."""
    if tracked is not None:
        items = whose(tracked, heap, heaps_before)
        tracked.book[HAND] = items[chosen]
        # To the top, as if it were the next to leave, and then out.
        while chosen > 0:
            heap[chosen], items[chosen] = heap[(chosen - 1) // 2], items[(chosen - 1) // 2]
            chosen = (chosen - 1) // 2
        pop(heap, items, count)


@kernel
def leave(tracked, heap, heaps_before, count):
    """The first job of a heap leaves the system."""
    if tracked is not None:
        job, book, items = tracked.job, tracked.book, whose(tracked, heap, heaps_before)
        place = items[0]
        pop(heap, items, count)
        job[LAST, CAME], job[LAST, BEGAN], job[LAST, SIZE] = job[place, CAME], job[place, BEGAN], job[place, SIZE]
        book[2 + tracked.letters + book[FREE]] = place
        book[FREE] += 1


@kernel
def record_last(journal, tracked, group, now):
    """Record the job that has just left."""
    if tracked is not None:
        job = tracked.job
        record(journal, group, job[LAST, SIZE], now - job[LAST, CAME], job[LAST, BEGAN] - job[LAST, CAME])
