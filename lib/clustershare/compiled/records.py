"""What is kept of jobs as they leave: sums, and how many had which response time, wait and slowdown.

The memory is bounded whatever the length of a run. A value is counted in one of so many equal parts of its octave, the
numbers from one power of 2 to the next (as in HdrHistogram by Tene; DDSketch by Masson, Rim and Lee, 2019, gives such a
bound too). The part is read from the bits of the number, so that no logarithm is taken, and no bit depends on one.
"""

import math
from typing import NamedTuple

import numpy as np

from clustershare.compiled.arguments import few_groups
from clustershare.compiled.jit import inlined, kernel

RESPONSE, WAIT, SLOWDOWN = 0, 1, 2
OCTAVES = 64  # half of them below the unit
PARTS = 128  # of an octave, a power of 2
ERROR = 1 / (2 * PARTS + 1)  # of a value that is told only by its part, relative to it
MOST_GROUPS = 1000  # each takes 200 kB while a run lasts
_TOGETHER = 256  # jobs that are counted at a time
_BITS, _BIAS = 52, 1023  # of the fraction of a float, and what is added to its exponent
_PART = _BITS - int(math.log2(PARTS))  # bits within a part


# Of a group: three sums and those of squares, and three numbers a class of sizes; and the places of three measures.
_SQUARES, _CLASSES = 3, 6
_SUMS, _PLACES = _CLASSES + 3 * OCTAVES, OCTAVES * PARTS + 2
# Of slowdowns, the largest number below the first octave and the least above the last one; what is taken from the bits.
_LOW, _HIGH = (1 - 2**-53) * 2.0 ** (-OCTAVES // 2), 2.0 ** (OCTAVES // 2)
_BEFORE = (_BIAS - OCTAVES // 2) * PARTS - 1


class Seen(NamedTuple):
    """The jobs that left in one replication; the arrays are changed in place.

    They are of one dimension, the groups one after the other, so that a loop holds two addresses and no lengths. A
    value is brought within bounds before its bits are looked at, which costs two steps where an index costs five.

    Attributes
    ----------
    sums : ndarray
        Of each group the sums of the three measures (response time, wait, slowdown), and of their squares; then of the
        jobs whose size is within each octave their number, and the sums of sizes and response times.
    counts : ndarray of int
        Of each group and measure the jobs with least values, 0 among them; in each part of each octave; with larger
        values.
    lowest : int
        Of times and sizes, the power of 2 at which the first octave begins.
    low, high : float
        The largest time below the first octave, and the least one above the last.
    least, most : float
        The least and the largest size within the octaves.
    jobs : ndarray
        Those of each group that are not counted yet: of each its size, response time and wait. To count many at a time
        takes a third as long, because sums are at hand and no step waits for the loop's others.
    noted : ndarray of int, shape (groups,)
        How many these are.
    """

    sums: np.ndarray
    counts: np.ndarray
    lowest: int
    low: float
    high: float
    least: float
    most: float
    jobs: np.ndarray
    noted: np.ndarray


class Kept(NamedTuple):
    """What is kept of these jobs when the replication has ended.

    Attributes
    ----------
    sums : ndarray, shape (groups, 1 + 2 * 3)
        Jobs; then the sums of the three measures, and of their squares.
    counts : ndarray of int, shape (groups, 3, places)
        Without the first and the last places where all are 0.
    classes : ndarray, shape (groups, 64, 3)
        Of the jobs whose size is within an octave: their number, and the sums of sizes and response times.
    lowest : int
        As of `Seen`.
    first : int
        To which place of all counts the first one here belongs.
    """

    sums: np.ndarray
    counts: np.ndarray
    classes: np.ndarray
    lowest: int
    first: int


def empty_records(groups, unit=1.0):
    """Nothing seen yet.

    Parameters
    ----------
    groups : int
        At most 1000.
    unit : float
        Such as the mean size: times are told apart from about 2e-10 to 4e9 of it.

    Returns
    -------
    Seen

    Examples
    --------
    >>> seen = empty_records(2)
    >>> record(seen, 0, 1.0, 1.5, 0.0)
    >>> kept(seen).sums[0].tolist()
    [1.0, 1.5, 0.0, 1.5, 2.25, 0.0, 2.25]
    """
    few_groups(groups, MOST_GROUPS)
    lowest = min(max(math.frexp(unit)[1] - 1 - OCTAVES // 2, 1 - _BIAS), _BIAS + 1 - OCTAVES)
    sums, counts = np.zeros(groups * _SUMS), np.zeros(groups * 3 * _PLACES, np.int64)
    least, high = math.ldexp(1.0, lowest), math.ldexp(1.0, lowest + OCTAVES - 1) * 2.0
    low, most = math.nextafter(least, 0.0), math.nextafter(high, 0.0)
    jobs, noted = np.zeros(groups * 3 * _TOGETHER), np.zeros(groups, np.int64)
    return Seen(sums, counts, lowest, low, high, least, most, jobs, noted)


@inlined
def within(value, low, high):
    """The value, or the bound that it is beyond; the upper one of what is no number."""
    value = value if value < high else high
    return value if value > low else low


@inlined
def part(value):
    """How many parts of octaves there are below a value of a float's range.

    >>> [int(part(value)) - 1023 * 128 for value in (1.0, 1 + 1 / 128, 2.0)]
    [0, 1, 128]
    """
    return np.float64(value).view(np.int64) >> _PART


@inlined
def record(seen, group, size, response, wait):
    """A job leaves: it is noted, and counted with others.

    Parameters
    ----------
    seen : Seen
    group : int
    size : float
        Against which its slowdown is measured. At size 0 the slowdown is 1 if the job left at once, else infinite.
    response, wait : float
        Time from its arrival to its departure, and until it was first served; below 0 only by rounding.
    """
    noted = seen.noted[np.uint64(group)]
    jobs, at = seen.jobs, 3 * (group * _TOGETHER + noted)
    jobs[np.uint64(at)], jobs[np.uint64(at + 1)], jobs[np.uint64(at + 2)] = size, response, wait
    seen.noted[np.uint64(group)] = noted + 1
    if noted + 1 == _TOGETHER:
        count(seen, group)


@kernel
def count(seen, group):
    """Count the jobs of a group that were noted, in the order in which they left."""
    # Of integers without a sign numba asks not whether they count from the end.
    jobs, first, sums, counts = seen.jobs, 3 * group * _TOGETHER, seen.sums, seen.counts
    total, at_classes = group * _SUMS, group * _SUMS + _CLASSES - 3 * (_BIAS + seen.lowest)
    responses, waits, slowdowns = sums[total + RESPONSE], sums[total + WAIT], sums[total + SLOWDOWN]
    squares = total + _SQUARES
    responses_2, waits_2, slowdowns_2 = sums[squares + RESPONSE], sums[squares + WAIT], sums[squares + SLOWDOWN]
    of_times = group * 3 * _PLACES - ((_BIAS + seen.lowest) * PARTS - 1)
    of_slowdowns = (group * 3 + SLOWDOWN) * _PLACES - _BEFORE
    for one in range(first, first + 3 * seen.noted[group], 3):
        size = jobs[np.uint64(one)]
        response, wait = max(jobs[np.uint64(one + 1)], 0.0), max(jobs[np.uint64(one + 2)], 0.0)
        if size > 0:
            slowdown = response / size
        else:
            slowdown = 1.0 if response == 0 else np.inf
        responses += response
        waits += wait
        slowdowns += slowdown
        responses_2 += response * response
        waits_2 += wait * wait
        slowdowns_2 += slowdown * slowdown
        at = at_classes + 3 * (np.float64(within(size, seen.least, seen.most)).view(np.int64) >> _BITS)
        sums[np.uint64(at)] += 1
        sums[np.uint64(at + 1)] += size
        sums[np.uint64(at + 2)] += response
        counts[np.uint64(part(within(response, seen.low, seen.high)) + of_times + RESPONSE * _PLACES)] += 1
        counts[np.uint64(part(within(wait, seen.low, seen.high)) + of_times + WAIT * _PLACES)] += 1
        counts[np.uint64(part(within(slowdown, _LOW, _HIGH)) + of_slowdowns)] += 1
    sums[total + RESPONSE], sums[total + WAIT], sums[total + SLOWDOWN] = responses, waits, slowdowns
    sums[squares + RESPONSE], sums[squares + WAIT], sums[squares + SLOWDOWN] = responses_2, waits_2, slowdowns_2
    seen.noted[group] = 0


@inlined
def clear(seen):
    """Forget the jobs seen so far, as at the end of the warm-up."""
    seen.noted[:] = 0
    seen.sums[:] = 0
    seen.counts[:] = 0


def kept(seen):
    """What is kept of the jobs seen: a copy of its own.

    >>> seen = empty_records(1)
    >>> record(seen, 0, 1.0, 1.5, 0.25)
    >>> few = kept(seen)
    >>> few.first, few.counts.shape
    (3841, (1, 3, 321))
    """
    for group in range(len(seen.noted)):
        count(seen, group)
    counts = seen.counts.reshape(-1, 3, _PLACES)
    used = np.flatnonzero(counts.any(axis=(0, 1)))
    first, end = (used[0], used[-1] + 1) if len(used) else (0, 1)
    sums = seen.sums.reshape(-1, _SUMS)
    classes = sums[:, _CLASSES:].reshape(-1, OCTAVES, 3).copy()
    jobs = classes[:, :, 0].sum(axis=1)
    return Kept(
        np.column_stack((jobs, sums[:, :_CLASSES])), counts[:, :, first:end].copy(), classes, seen.lowest, int(first)
    )


def recording(loop, groups, unit):
    """An event loop that takes `seen`, which gets one of its own in each call, and the list of these."""
    replications = []

    def recorded(*given, **named):
        seen = empty_records(groups, unit)
        found = loop(*given, seen=seen, **named)
        replications.append(kept(seen))
        return found

    return recorded, replications
