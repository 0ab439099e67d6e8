"""How much of a beginning to leave out: MSER-5, which weighs what is still biased against what would be lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from clustershare.arguments import array
from clustershare.estimates import Estimate

BATCHES = 40  # of five observations each
OBSERVATIONS = 5
LAST = 5  # batches that are never left alone: the fewer are left, the less their variance says
STRETCH = 512  # jumps: the kernels of many servers draw ahead in stretches, so that only whole ones are on one path
DOUBLINGS = 3
FLAT = 1e-9  # what varies by less, relative to its size, is rounding


@dataclass(frozen=True)
class WarmUp:
    """What ``warmup="auto"`` found.

    Attributes
    ----------
    jumps : int
        To be left out.
    pilot : int
        Jumps of each replication in which they were found.
    quantity : str or None
        That which takes longest; None where none varies.
    refused : bool
        Whether the least still stood beyond half of the longest pilot, whose half is taken then.
    """

    jumps: int
    pilot: int
    quantity: str | None
    refused: bool


def mser(batches: ArrayLike) -> int:
    """After how many batch means a series is best cut off: where its standard error, taken naively, is least.

    Of the batches from d on it is the sum of squares about their mean, over the square of their number. MSER-5 is this
    for means of five observations each (White, 1997; White, Cobb and Spratt, 2000; what is beyond half of the series is
    to be refused). The last five batches are never left alone.

    Parameters
    ----------
    batches : array_like, shape (n,)
        At least six.

    Returns
    -------
    int
        0 where nothing need be left out; the first of several that are equally good.

    Raises
    ------
    ValueError
        If there are fewer, or something is no finite number.

    Examples
    --------
    >>> mser([0.0, 4.0, 7.0, 9.0, 10.0, 9.0, 10.0, 9.0, 10.0, 9.0, 10.0, 9.0])
    3
    """
    values = array("batches", batches, 1, -1e100, 1e100)
    if len(values) <= LAST:
        raise ValueError(f"batches must be at least {LAST + 1} numbers; got {len(values)}.")
    cuts = range(len(values) - LAST)
    return int(np.argmin([np.sum((values[d:] - values[d:].mean()) ** 2) / (len(values) - d) ** 2 for d in cuts]))


def find_warmup(measured: Callable[..., Any], remembered: float, most: int | None) -> WarmUp:
    """The warm-up by MSER-5: that of the quantity which takes longest.

    An observation is the average of a quantity over a stretch of jumps and over the replications. A stretch is had from
    the same path, that is the same seed, begun with the jumps before it as warm-up; five of them at once, as only their
    mean counts. Where the cut is beyond half of the pilot, the pilot is doubled, up to three times.

    Parameters
    ----------
    measured : callable
        Of warm-up and jumps: the result of a run.
    remembered : float
        Jumps that the system remembers, see `clustershare.settling`: a batch of the first pilot is half of them.
    most : int or None
        Jumps that the first pilot may have, or at least 20,480.

    Returns
    -------
    WarmUp
    """
    batch = min(remembered / 2, np.inf if most is None else most / BATCHES)
    batch = STRETCH * max(1, round(batch / STRETCH))
    for doubling in range(DOUBLINGS + 1):
        length = batch << doubling
        found = [_estimates(measured(k * length, length)) for k in range(BATCHES)]
        cut, quantity = 0, None
        for name in found[0]:
            series = np.array([np.ravel(one[name].value) for one in found])
            for column in series.T[np.isfinite(series).all(axis=0)]:
                if np.ptp(column) > FLAT * np.abs(column).max() and (own := mser(column)) >= cut:
                    cut, quantity = own, name
        if 2 * cut <= BATCHES:
            break
    return WarmUp(min(cut, BATCHES // 2) * length, BATCHES * length, quantity, 2 * cut > BATCHES)


def _estimates(result):
    return {name: one for name, one in vars(result).items() if isinstance(one, Estimate)}
