"""The thesis's formulas as printed and as corrected (`thesis`, Chapter 3).

What is printed is tested in the checks against chains that know nothing of it; `clustershare.uniprocessor` does not use
it. Loads are arrays of shape (groups,); rho_1, rho_2, r_1 and alpha are the loads of two groups, the required share of
the first and the service rate of the second over that of the first.
"""

import math

import numpy as np


def gone(loads):
    """(1 - rho) / (1 - (rho - rho_g)) for each group."""
    return (1 - loads.sum()) / (1 - (loads.sum() - loads))


def obtained(loads, permanent, of=None):
    """`thesis` (3.19); `of` is the number of permanent jobs that those of the group are divided by."""
    of = permanent.sum() if of is None else of
    return loads + np.where(permanent > 0, permanent / np.maximum(of, 1) * (1 - loads.sum()), 0)


def fcfs_present(loads, permanent):
    """`thesis` (3.18)."""
    return np.where(permanent > 0, 1, 1 - gone(loads) ** (permanent.sum() + 1))


def fcfs_alone(shares, loads):
    """`thesis` (3.20)."""
    return loads * (1 / (1 - (loads.sum() - loads)) - 1 / shares)


def fcfs_in_proportion(shares, load):
    """`thesis` (3.25)."""
    return -(1 - load) * load * (1 - shares) / (1 - load * (1 - shares))


def job_deviation(loads, permanent, of):
    """`thesis` (3.26), with `of` in place of N^P in the exponents and denominators."""
    y, idle = gone(loads), 1 - loads.sum()
    safe = np.maximum(of, 1)
    return np.select(
        [permanent == 0, permanent == 1],
        [loads * (1 - y ** (of + 1)), loads + idle / safe * (1 - y**of)],
        loads + permanent / safe * idle,
    )


def response_transform(gamma, load, of):
    """`thesis` (3.28) for a mean service time of 1, with `of` in place of N^P; (3.30) is it times 1 + gamma."""
    return ((1 - load) / (1 - load + gamma)) ** (of + 1)


def nobody_else(loads, permanent):
    """`thesis` (3.31): no other job of the group is there when service to a transient one starts."""
    return gone(loads) ** (permanent.sum() + 1) * (1 + loads)


def nobody_beside(loads, permanent):
    """`thesis` (3.35): no other job of the group is there when service to its one permanent job starts."""
    return gone(loads) ** permanent.sum() * (1 + loads)


def while_served(rate, alone, loads, waiting=1.0):
    """`thesis` (3.32) and (3.36): the part of the time that a job is served beside others of its group.

    `rate` counts services, `alone` is the probability that they start without others, and `waiting` the deviation
    while there are others from the start.
    """
    return rate * ((1 - alone) * waiting + alone * loads / (loads + 1))


def law(n, loads, permanent):
    """`thesis` (3.10) and (3.80) at the numbers of transient jobs n, shape (groups, states)."""
    total = n.sum(axis=0)
    ways = [
        math.factorial(permanent + k) // math.prod(math.factorial(m) for m in (permanent, *column))
        for k, column in zip(total.tolist(), n.T.tolist())
    ]  # whole numbers, so that loads which are fractions give the law exactly
    ways = np.array(ways, dtype=loads.dtype)
    return (1 - loads.sum()) ** (permanent + 1) * ways * np.prod(loads[:, None] ** n, axis=0)


def generating(z, loads, permanent):
    """`thesis` (3.11)."""
    return ((1 - loads.sum()) / (1 - loads @ z)) ** (permanent + 1)


def presence_and_means(loads, permanent):
    """What `thesis` (3.11) and (3.81) give at (1, .., 0, .., 1) and by their slopes at 1: shape (2, groups).

    The probabilities that groups are present, and mean numbers of transient jobs.
    """
    units, total, step = np.eye(len(loads)), permanent.sum(), 1e-30j
    absent = np.array([generating(1 - unit, loads, total) for unit in units])
    slopes = [generating(1 + step * unit, loads, total).imag / step.imag for unit in units]
    return np.array([np.where(permanent > 0, 1, 1 - absent), slopes])


def total_law(count, load, permanent):
    """`thesis` (3.14) and (3.83), term by term, for 0, ..., count - 1 transient jobs."""
    return np.array([(1 - load) ** (permanent + 1) * math.comb(permanent + n, n) * load**n for n in range(count)])


def root(rho_1, rho_2, alpha):
    """The square root in (3.53)."""
    return np.sqrt((1 + rho_1 + alpha * rho_2) ** 2 - 4 * rho_1)


def eta_0(rho_1, rho_2, alpha):
    """(3.53), written without cancellation."""
    return 2 * rho_1 / (1 + rho_1 + alpha * rho_2 + root(rho_1, rho_2, alpha))


def deviation_1(rho_1, r_1):
    """(3.41)."""
    return -rho_1 * (1 - r_1) / r_1


def deviation_2(rho_1, rho_2, r_1, alpha):
    """(3.42), in the form (3.47)."""
    return 1 - (1 - rho_1 - rho_2) / (1 - eta_0(rho_1, rho_2, alpha)) - rho_2 / (1 - r_1)


def excess(r_1, alpha):
    """The bracket of (3.52)."""
    return np.sqrt((alpha + 1) ** 2 + 4 * r_1 / (1 - r_1) * alpha) - (alpha + 1)


def gamma(r_1, alpha):
    """(3.52)."""
    return r_1 - (1 - r_1) / 2 * excess(r_1, alpha)


def zero_line(rho_2, r_1, alpha):
    """The right side of (3.51)."""
    return gamma(r_1, alpha) + (r_1 - gamma(r_1, alpha)) / (1 - r_1) * rho_2


def roots(r_1, rho_2, alpha):
    """(3.65) and (3.66)."""
    r_2 = 1 - r_1
    middle = (r_2 - rho_2) * (alpha + 1) / 2 + r_1
    spread = (r_2 - rho_2) / 2 * np.sqrt((alpha + 1) ** 2 + 4 * r_1 / r_2 * alpha)
    return middle - spread, middle + spread


def right_side(r_1, rho_2, alpha, upper=False):
    """The three forms of the right side of (3.60) at the lower root, or at the upper one."""
    r_2, low, sign = 1 - r_1, roots(r_1, rho_2, alpha)[int(upper)], -1 if upper else 1
    half = (excess(r_1, alpha) + alpha + 1) * sign - (alpha + 1)
    first = 1 + low + alpha * rho_2 - (2 * r_2 * (low + rho_2) - 2 * rho_2) / (r_2 - rho_2)
    second = -(r_2 + rho_2) * low + (r_2 + rho_2) + (alpha - 2) * r_2 * rho_2 - alpha * rho_2**2
    third = r_2**2 + (alpha - 1) * r_2 * rho_2 + (r_2**2 - rho_2**2) / 2 * half - alpha * rho_2**2
    return first, second / (r_2 - rho_2), third / (r_2 - rho_2)


def fcfs_deviations(x):
    """`thesis` (3.93) and (3.94): both deviations under FCFS in `thesis`, Figure 3.5."""
    return np.array([4 * y * (3 - 8 * y) / (5 * (1 + 4 * y)) for y in (x, 1 - x)])
