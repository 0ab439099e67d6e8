"""A binary heap of times in an array, with an item of each in another.

Arrays and not `heapq`, which numba compiles as well: its lists took from 1.4 to 2.1 times as long.
"""

from clustershare.compiled.jit import kernel


@kernel
def push(times, items, count, time, item):
    """Add a time and its item to the heap of the first `count`.

    Parameters
    ----------
    times : ndarray, shape (room,)
        With room for one more.
    items : ndarray, shape (room,), or None
        None where the times alone are wanted: the code for items is then left out.
    count : int
        How many are in the heap before; the caller counts them.
    time, item : scalar

    Examples
    --------
    >>> import numpy as np
    >>> times, items = np.zeros(3), np.zeros(3, int)
    >>> for count, time in enumerate([2.0, 3.0, 1.0]):
    ...     push(times, items, count, time, 10 * count)
    >>> times[0], items[0]
    (np.float64(1.0), np.int64(20))
    >>> pop(times, items, 3)
    >>> times[0], items[0]
    (np.float64(2.0), np.int64(0))
    """
    k = count
    while k > 0:
        above = (k - 1) // 2
        if times[above] <= time:
            break
        times[k] = times[above]
        if items is not None:
            items[k] = items[above]
        k = above
    times[k] = time
    if items is not None:
        items[k] = item


@kernel
def pop(times, items, count):
    """Remove the least time, ``times[0]``, and its item, ``items[0]``, from the heap of the first `count`.

    Parameters
    ----------
    times : ndarray, shape (room,)
    items : ndarray, shape (room,), or None
        As for `push`.
    count : int
        How many are in the heap before, at least 1; the caller counts them.
    """
    last = count - 1
    time = times[last]
    k = 0
    while True:
        child = 2 * k + 1
        if child >= last:
            break
        if child + 1 < last and times[child + 1] < times[child]:
            child += 1
        if times[child] >= time:
            break
        times[k] = times[child]
        if items is not None:
            items[k] = items[child]
        k = child
    times[k] = time
    if items is not None:
        items[k] = items[last]
