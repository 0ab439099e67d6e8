"""A binary heap of times, with an item each, in two arrays."""

from clustershare.compiled.jit import kernel


@kernel
def push(times, items, count, time, item):
    """Add an item to the heap of the first `count` times and items, which have room for it.

    Parameters
    ----------
    times, items : ndarray, shape (room,)
    count : int
        Those in the heap before; the caller counts.
    time, item : scalar
    """
    k = count
    while k > 0 and times[(k - 1) // 2] > time:
        times[k], items[k] = times[(k - 1) // 2], items[(k - 1) // 2]
        k = (k - 1) // 2
    times[k], items[k] = time, item


@kernel
def pop(times, items, count):
    """Remove the item of the least time, and return it.

    Parameters
    ----------
    times, items : ndarray, shape (room,)
    count : int
        Those in the heap before, at least 1; the caller counts.

    Returns
    -------
    scalar
        The item; its time was ``times[0]``.
    """
    item = items[0]
    time, last = times[count - 1], items[count - 1]
    k = 0
    while True:
        child = 2 * k + 1
        if child >= count - 1:
            break
        if child + 1 < count - 1 and times[child + 1] < times[child]:
            child += 1
        if times[child] >= time:
            break
        times[k], items[k] = times[child], items[child]
        k = child
    times[k], items[k] = time, last
    return item
