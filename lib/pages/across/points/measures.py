"""How a policy is judged on the plane: promises broken, capacity lost, how much the sizes of jobs matter."""

import numpy as np

GROWING = 0.01  # of a group's jobs that never leave: such a group has no mean


def sensitivity(jobs, half_widths):
    """How far the mean number of a group's jobs moves between laws of sizes, relative to exponential ones.

    Parameters
    ----------
    jobs, half_widths : ndarray, shape (laws, groups)
        Mean numbers, the first row for exponential sizes, and the half widths of their intervals.

    Returns
    -------
    value, half_width : float
        (max - min) / exponential of the group where that is largest. The half width adds up those of its parts, as if
        all erred in the worst direction.

    Examples
    --------
    >>> sensitivity(np.array([[2.0, 1.0], [3.0, 1.1]]), np.full((2, 2), 0.1))
    (0.5, 0.125)
    """
    spread = np.ptp(jobs, axis=0) / jobs[0]
    g = int(np.argmax(spread))
    ends = half_widths[[jobs[:, g].argmax(), jobs[:, g].argmin()], g].sum()
    return float(spread[g]), float((ends + spread[g] * half_widths[0, g]) / jobs[0, g])


def grows(growth, arrival_rates):
    """Whether a group is sent more than it is served, so that its mean number of jobs has no limit."""
    return bool((np.asarray(growth) > GROWING * np.asarray(arrival_rates)).any())


def not_beaten(points):
    """The policies that no other beats: none is as good in both respects and clearly better in one.

    A deviation below 0 is a promise kept, and counts as 0. What lies within the sum of two half widths counts as equal.

    Parameters
    ----------
    points : dict
        Of each policy the deviation, its half width, the sensitivity and its half width.

    Returns
    -------
    list
        Keys, in order.

    Examples
    --------
    >>> not_beaten({"a": (0.1, 0, 0.0, 0), "b": (-0.1, 0, 0.2, 0), "c": (0.1, 0, 0.3, 0), "d": (-0.3, 0, 0.21, 0.02)})
    ['a', 'b', 'd']
    """

    def beats(one, other):
        pairs = zip(*((max(p[0], 0.0), p[2]) for p in (one, other)), (one[1] + other[1], one[3] + other[3]))
        gained = [(theirs - ours, within + 1e-9) for ours, theirs, within in pairs]
        return all(gain >= -within for gain, within in gained) and any(gain > within for gain, within in gained)

    return [name for name, point in points.items() if not any(beats(other, point) for other in points.values())]
