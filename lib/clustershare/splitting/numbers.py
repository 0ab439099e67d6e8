"""How many jobs there are under random splitting, and what follows from the numbers alone (`thesis`, Section 4.3).

Jobs are sent to processors at random, as they arrive, and stay there. Each processor is an M/M/1 queue, or an M/G/1
queue with processor sharing: its number of jobs is geometric, and independent of the others.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import betainc
from scipy.stats import binom

from clustershare.arguments import fail, integer, number, vector
from clustershare.splitting.recursion import convolve, exceed, success
from clustershare.typing import FloatsOrFractions, Numbers

MOST_STEPS = 10**8  # of a recursion, where equal loads can be taken together
NEVER, MOST_KINDS = 1e-40, 50


def checked_loads(name, values, length=None):
    """Loads of processors, at least 0, as an array; a load of 1 and more is an overload and allowed."""
    array = values if type(values) is np.ndarray and values.dtype == float else np.empty(0)
    if array.ndim == 1 and array.size and length in (None, array.size) and array.min() >= 0 and array.max() < np.inf:
        return np.ascontiguousarray(array)  # a million at once
    return np.array(vector(name, values, lambda entry, value: number(entry, value, 0), length))


def law_of_numbers(loads, length):
    """P[N = n] for n below the length, of loads up to 1, shape (length,)."""
    law = np.zeros(length)
    law[0] = 1.0
    kinds, counts = np.unique(loads, return_counts=True)
    if len(loads) * length <= MOST_STEPS or len(kinds) > MOST_KINDS:
        convolve(law, loads)
        return law
    n = np.arange(length)
    for load, count in zip(kinds, counts):  # of equal loads: a negative binomial number
        law = _sum(law, binom.pmf(n, n + count, load) * (count / (n + count)))
    return law


def _sum(law, other):
    """The law of a sum, as far as both reach, without what is never seen."""
    result, (first, second) = np.zeros(len(law)), (np.flatnonzero(one > NEVER) for one in (law, other))
    if len(first) and len(second) and (start := first[0] + second[0]) < len(law):
        part = np.convolve(law[first[0] : first[-1] + 1], other[second[0] : second[-1] + 1])[: len(law) - start]
        result[start : start + len(part)] = part
    return result


def tails_of_numbers(loads, length):
    """P[N > n] for n below the length, of loads up to 1, shape (length,)."""
    tails = np.zeros(length)
    if len(loads) * length > MOST_STEPS and loads.min() == loads.max():
        return betainc(np.arange(1, length + 1), len(loads), loads[0])
    exceed(tails, loads)
    return tails


def number_law(processor_loads: FloatsOrFractions, length: int) -> npt.NDArray[Any]:
    """The law of the total number of jobs on processors with loads below 1 (`thesis` (4.37)).

    Parameters
    ----------
    processor_loads : sequence of float or of fractions.Fraction
        In [0, 1). With fractions the answer is exact.
    length : int
        The probabilities of 0, ..., length - 1 jobs are wanted.

    Returns
    -------
    ndarray of float or of Fraction, shape (length,)

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> from fractions import Fraction
    >>> number_law([0.5, 0.5], 3), number_law([Fraction(1, 2)] * 2, 3)[2]
    (array([0.25  , 0.25  , 0.1875]), Fraction(3, 16))
    """
    if max(checked_loads("processor_loads", processor_loads)) >= 1:
        fail("processor_loads", processor_loads, "below 1, each of them")
    exact = not isinstance(processor_loads, np.ndarray) and isinstance(sum(processor_loads), Fraction)
    law = np.zeros(integer("length", length, 1, 10**8), dtype=object if exact else float)
    law[0] = 1 if exact else 1.0
    if not exact:
        convolve(law, np.array(processor_loads, dtype=float))
        return law
    for load in processor_loads:
        before = 0 * load
        for n in range(length):
            before = law[n] = (1 - load) * law[n] + load * before
    return law


def load_balancing_success(fewest: int, most: int, processor_loads: Numbers) -> float:
    """P_lbs(n, m): some processor has n jobs or fewer while another has m or more (`thesis` (4.40), (4.87)).

    With n = 0 and m = 2 it is the wait-while-idle probability P_wwi: a processor is idle while a job waits elsewhere.

    Parameters
    ----------
    fewest, most : int
        n and m, with 0 <= n < m.
    processor_loads : sequence of float
        At least 0; on a processor with load 1 or more there are always more than m jobs.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> round(load_balancing_success(0, 2, [0.5, 0.5]), 12)
    0.25
    """
    n = integer("fewest", fewest, 0)
    m = integer("most", most, n + 1)
    loads = np.minimum(checked_loads("processor_loads", processor_loads), 1.0)
    with np.errstate(divide="ignore"):
        logs = np.log(loads)
        few, fewer = -np.expm1((n + 1) * logs), -np.expm1(m * logs)  # P[n or fewer], P[fewer than m]
        between = -np.exp((n + 1) * logs) * np.expm1((m - n - 1) * logs) if m > n + 1 else np.zeros(len(loads))
    return float(success(few, fewer, between, np.exp(m * logs)))
