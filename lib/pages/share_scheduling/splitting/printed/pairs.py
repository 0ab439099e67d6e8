"""The loss of two processors on the line of a fixed total load, as printed (`thesis`, (4.105)-(4.109))."""

import numpy as np


def cubic(c, load):
    """(4.106)-(4.109): a_0, a_1, a_2, a_3 for the capacity of the faster processor and the total load."""
    return [
        (load**2 + (2 * c - 1) * load) / (1 - c),
        -(load**2 + (4 * c - 1) * load + (2 * c - 1) * c) / (1 - c),
        ((3 * c - 1) * load + 4 * c**2 - 3 * c + 1) / (1 - c),
        -c * (2 * c - 1) / (1 - c),
    ]


def lowest(c, load):
    """Where (4.105) is least: the load of the faster processor, which has all jobs at most, and the loss there."""
    a0, a1, a2, a3 = cubic(c, load)
    first = np.minimum(-a1 / (a2 + np.sqrt(a2**2 - 3 * a1 * a3)), load / c)
    return first, a0 + first * (a1 + first * (a2 + first * a3))


def slope(c, load, first):
    """The derivative of (4.105) by the load of the faster processor, over the largest of its terms."""
    _, a1, a2, a3 = cubic(c, load)
    terms = np.array([a1 + 0 * first, 2 * a2 * first, 3 * a3 * first**2])
    return terms.sum(axis=0) / abs(terms).max(axis=0)
