"""Required, feasible and obtained shares of groups of jobs, and how far they lie apart (`thesis`, Chapter 2)."""

import math

import numpy as np

from clustershare.checks import fail, integer, number, vector


def required_shares(name, values):
    """The required group shares as a tuple: at least two, each strictly between 0 and 1, their sum 1 within 1e-9.

    >>> required_shares("required_shares", [0.6, 0.3])
    Traceback (most recent call last):
    ...
    ValueError: required_shares must be shares that sum to 1 (they sum to 0.9); got [0.6, 0.3].
    """
    result = vector(name, values, lambda entry, value: number(entry, value, 0, 1, open_below=True, open_above=True))
    if len(result) < 2:
        fail(name, values, "the shares of at least 2 groups")
    total = math.fsum(result)
    if abs(total - 1) > 1e-9:
        fail(name, values, f"shares that sum to 1 (they sum to {total:.12g})")
    return result


def _numbers(name, values, minimum, maximum, *, positive=False):
    """`values`, one number or an array of them, as a float array with every entry in range."""
    allowed = f"finite and {'above' if positive else 'at least'} {minimum:g}"
    allowed += f" and at most {maximum:g}" if maximum < math.inf else ""
    try:
        result = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        fail(name, values, allowed)
    inside = np.isfinite(result) & (result > minimum if positive else result >= minimum) & (result <= maximum)
    if not inside.all():
        fail(name, float(result[~inside].flat[0]), allowed)
    return result


def feasible_group_share(required_share, jobs, processors):
    """The share a group can claim: what it requires, but no more than its jobs can occupy (`thesis` (2.26)).

    Parameters
    ----------
    required_share : float or array_like
        Required group share, a fraction of the total capacity in (0, 1].
    jobs : int or array_like of int
        Jobs of the group that are present, permanent ones included.
    processors : int
        Number of processors, at least 1.

    Returns
    -------
    float or ndarray
        Feasible shares, of the common shape of `required_share` and `jobs`.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> feasible_group_share(0.5, [0, 1, 2, 3], 3).round(3)
    array([0.   , 0.333, 0.5  , 0.5  ])
    """
    required = _numbers("required_share", required_share, 0, 1, positive=True)
    present = _numbers("jobs", jobs, 0, math.inf)
    if (present != np.floor(present)).any():
        fail("jobs", jobs, "whole numbers")
    result = np.minimum(required, present / integer("processors", processors, 1))
    return result if result.ndim else float(result)


def group_share_deviation(feasible, obtained, required):
    """How much a group obtains below its feasible share, relative to what it requires (`thesis` (2.38)).

    Parameters
    ----------
    feasible, obtained : float or array_like
        Feasible and obtained group shares in [0, 1], or their expectations.
    required : float or array_like
        Required group shares in (0, 1].

    Returns
    -------
    float or ndarray
        Negative where the group obtains more than its feasible share.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> group_share_deviation(0.5, [0.0, 0.5, 1.0], 0.5)
    array([ 1.,  0., -1.])
    """
    required = _numbers("required", required, 0, 1, positive=True)
    result = (_numbers("feasible", feasible, 0, 1) - _numbers("obtained", obtained, 0, 1)) / required
    return result if result.ndim else float(result)
