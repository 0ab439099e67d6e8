"""Shares that are fair to whoever demands less: max-min fairness, and dominant resource fairness for several resources.

Both fill progressively: all that is given grows, for each in proportion to its weight, until a demand is met or a
resource runs out; whoever it concerns keeps what it has, and the others go on.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from clustershare.arguments import affordable, array, fail, number, positive, sequence, vector
from clustershare.typing import FloatArray, Numbers

MOST_DEMANDS, MOST_STEPS = 10**6, 10**9  # a few seconds


def max_min_fair(demands: Numbers, capacity: float, weights: Numbers | None = None) -> FloatArray:
    """What each demand is given of one resource, so that none can have more but for one that has as little.

    Parameters
    ----------
    demands : sequence of float
        At least 0; one that is as large as the capacity is as good as any that is larger.
    capacity : float
        Of the resource, at least 0.
    weights : sequence of float, optional
        By which shares are compared: twice the weight, twice the share. Equal if not given.

    Returns
    -------
    ndarray, shape (demands,)
        In the unit of the capacity, which they use up unless all demands are met.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Notes
    -----
    With a level L, demand i is given the less of d_i and w_i L (Bertsekas and Gallager, 1992, Section 6.5.2). The
    demands are met in the order of d_i / w_i.

    Examples
    --------
    >>> max_min_fair([2, 2.6, 4, 5], 10)
    array([2. , 2.6, 2.7, 2.7])
    >>> max_min_fair([4, 2, 10, 4], 16, weights=[2.5, 4, 0.5, 1])
    array([4., 2., 6., 4.])
    """
    affordable("the number of demands", len(sequence("demands", demands)), MOST_DEMANDS)
    wanted = np.array(vector("demands", demands, lambda name, one: number(name, one, 0)))
    room, weight = number("capacity", capacity, 0), _weights(weights, len(wanted))
    with np.errstate(divide="ignore"):  # of a demand of 0; the quotient itself need not be a float
        order = np.argsort(np.log(wanted) - np.log(weight), kind="stable")
    wanted, weight = wanted[order], weight[order]
    left = np.maximum(room - np.append(0.0, wanted[:-1].cumsum()), 0.0)  # once those before are met
    equal = left * (weight / weight[::-1].cumsum()[::-1])
    unmet = np.flatnonzero(wanted > equal)
    if len(unmet):
        k = unmet[0]
        wanted[k:] = np.minimum(wanted[k:], left[k] * (weight[k:] / weight[k:].sum()))
    given = np.empty(len(order))
    given[order] = wanted
    return given


def dominant_resource_fair(demands: ArrayLike, capacities: Numbers, weights: ArrayLike | None = None) -> FloatArray:
    """How many tasks each user may run, so that their dominant shares are max-min fair.

    A user's dominant share is the largest of its shares of the resources. Tasks may be divided.

    Parameters
    ----------
    demands : array_like, shape (users, resources)
        What a task of each user takes of each resource: at least 0, and of one above 0.
    capacities : sequence of float
        Of the resources, above 0.
    weights : array_like, shape (users,) or (users, resources), optional
        By which shares are compared, of all resources or of each: twice the weight, twice the share. Equal if not
        given.

    Returns
    -------
    ndarray, shape (users,)
        Numbers of tasks, at which each user lacks a resource.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Notes
    -----
    Ghodsi et al. (2011), with weights as in their Section 4.3. Who needs nothing of what has run out goes on.

    Examples
    --------
    Of 9 processors and 18 GB, tasks of the first user take one and 4 GB, those of the second three and 1 GB:

    >>> dominant_resource_fair([[1, 4], [3, 1]], [9, 18])
    array([3., 2.])
    >>> dominant_resource_fair([[1, 4], [3, 1]], [9, 18], weights=[2, 1])
    array([4.15384615, 1.38461538])
    """
    room = np.array(vector("capacities", capacities, positive))
    allowed = f"a table of finite numbers of at least 0, of shape (users, {len(room)}), in each row one above 0"
    each = array("demands", demands, 2, 0)
    affordable("users times the square of resources", each.size * len(room), MOST_STEPS)
    if each.shape[1] != len(room) or not (each.max(axis=1) > 0).all():
        fail("demands", demands, allowed)
    if weights is None or np.ndim(weights) < 2:
        weight = _weights(weights, len(each))[:, None]
    else:
        weight = array("weights", weights, 2, 0)
        if weight.shape != each.shape or not (weight > 0).all():
            fail("weights", weights, f"numbers above 0, of shape ({len(each)},) or {each.shape}")
    with np.errstate(all="ignore"):
        tasks = 1 / (each / room / weight).max(axis=1)  # that are a weighted dominant share of 1
        pull = each / room * tasks[:, None]  # parts of the resources that these take
    if not (np.isfinite(pull).all() and pull.max(axis=1).min() > 0):
        fail("demands", demands, "such that parts of resources are floats above 0")
    level, left, active = np.zeros(len(each)), np.ones(len(room)), np.ones(len(each), dtype=bool)
    while active.any():
        flow = pull[active].sum(axis=0)
        lasts = np.divide(left, flow, out=np.full(len(room), np.inf), where=flow > 0)
        first = lasts.argmin()
        level[active] += lasts[first]
        left = np.maximum(left - lasts[first] * flow, 0.0)
        left[first] = 0.0
        active &= pull[:, first] == 0
    with np.errstate(over="ignore"):
        found = level * tasks
    if not np.isfinite(found).all():
        fail("demands", demands, "such that numbers of tasks are floats")
    return found


def _weights(weights, length):
    return np.ones(length) if weights is None else np.array(vector("weights", weights, positive, length))
