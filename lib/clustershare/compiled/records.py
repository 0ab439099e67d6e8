"""What is kept of jobs as they leave: sums, and how many had which response time, wait and slowdown.

The memory is bounded whatever the length of a run. A value is counted in one of so many equal parts of its octave, the
numbers from one power of 2 to the next (as in HdrHistogram by Tene; DDSketch by Masson, Rim and Lee, 2019, gives such a
bound too). The part is read from the bits of the number, so that no logarithm is taken, and no bit depends on one.
"""

import math
from typing import NamedTuple

import numpy as np

from clustershare.compiled.arguments import few_groups
from clustershare.compiled.jit import inlined

RESPONSE, WAIT, SLOWDOWN = 0, 1, 2
OCTAVES = 64  # half of them below the unit
PARTS = 128  # of an octave, a power of 2
ERROR = 1 / (2 * PARTS + 1)  # of a value that is told only by its part, relative to it
MOST_GROUPS = 1000  # each takes 200 kB while a run lasts
_BITS, _BIAS = 52, 1023  # of the fraction of a float, and what is added to its exponent
_PART = _BITS - int(math.log2(PARTS))  # bits within a part


class Seen(NamedTuple):
    """The jobs that left in one replication; all arrays are changed in place.

    Attributes
    ----------
    sums : ndarray, shape (groups, 1 + 2 * 3)
        Jobs; then the sums of the three measures (response time, wait, slowdown), and of their squares.
    counts : ndarray of int, shape (groups, 3, 1 + 64 * 128 + 1)
        Jobs by measure: of least values, 0 among them; of each part of each octave; of larger values.
    classes : ndarray, shape (groups, 64, 3)
        Of the jobs whose size is within an octave: their number, and the sums of sizes and response times.
    lowest : int
        Of times and sizes, the power of 2 at which the first octave begins.
    first : int
        To which place of all counts the first one here belongs: see `kept`.
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
    >>> seen.sums[0].tolist()
    [1.0, 1.5, 0.0, 1.5, 2.25, 0.0, 2.25]
    """
    few_groups(groups, MOST_GROUPS)
    lowest = min(max(math.frexp(unit)[1] - 1 - OCTAVES // 2, 1 - _BIAS), _BIAS + 1 - OCTAVES)
    counts = np.zeros((groups, 3, OCTAVES * PARTS + 2), np.int64)
    return Seen(np.zeros((groups, 7)), counts, np.zeros((groups, OCTAVES, 3)), lowest, 0)


@inlined
def place(value, lowest):
    """Where a value is counted: 0 below the first octave, 1 for its first part, and so on.

    >>> [int(place(value, 0)) for value in (0.5, 1.0, 1 + 1 / 128, 2.0, 1e300)]
    [0, 1, 2, 129, 8193]
    """
    index = (np.float64(value).view(np.int64) >> _PART) - (_BIAS + lowest) * PARTS + 1
    return min(max(index, 0), OCTAVES * PARTS + 1)


@inlined
def record(seen, group, size, response, wait):
    """A job leaves.

    Parameters
    ----------
    seen : Seen
    group : int
    size : float
        Against which its slowdown is measured. At size 0 the slowdown is 1 if the job left at once, else infinite.
    response, wait : float
        Time from its arrival to its departure, and until it was first served; below 0 only by rounding.
    """
    response, wait = max(response, 0.0), max(wait, 0.0)
    if size > 0:
        slowdown = response / size
    else:
        slowdown = 1.0 if response == 0 else np.inf
    sums, counts, classes = seen.sums, seen.counts, seen.classes
    sums[group, 0] += 1
    sums[group, 1] += response
    sums[group, 2] += wait
    sums[group, 3] += slowdown
    sums[group, 4] += response * response
    sums[group, 5] += wait * wait
    sums[group, 6] += slowdown * slowdown
    counts[group, RESPONSE, place(response, seen.lowest)] += 1
    counts[group, WAIT, place(wait, seen.lowest)] += 1
    counts[group, SLOWDOWN, place(slowdown, -OCTAVES // 2)] += 1
    octave = (np.float64(size).view(np.int64) >> _BITS) - _BIAS - seen.lowest
    octave = min(max(octave, 0), OCTAVES - 1)
    classes[group, octave, 0] += 1
    classes[group, octave, 1] += size
    classes[group, octave, 2] += response


@inlined
def clear(seen):
    """Forget the jobs seen so far, as at the end of the warm-up."""
    seen.sums[:] = 0
    seen.counts[:] = 0
    seen.classes[:] = 0


def kept(seen):
    """The same without the first and the last counts that are 0 for all: a copy of its own.

    >>> seen = empty_records(1)
    >>> record(seen, 0, 1.0, 1.5, 0.25)
    >>> few = kept(seen)
    >>> few.first, few.counts.shape
    (3841, (1, 3, 321))
    """
    used = np.flatnonzero(seen.counts.any(axis=(0, 1)))
    first, end = (used[0], used[-1] + 1) if len(used) else (0, 1)
    counts = seen.counts[:, :, first:end].copy()
    return Seen(seen.sums.copy(), counts, seen.classes.copy(), seen.lowest, seen.first + int(first))


def recording(loop, groups, unit):
    """An event loop that takes `seen`, which gets one of its own in each call, and the list of these."""
    replications = []

    def recorded(*given, **named):
        seen = empty_records(groups, unit)
        found = loop(*given, seen=seen, **named)
        replications.append(kept(seen))
        return found

    return recorded, replications
