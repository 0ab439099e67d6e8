"""The expected feasible share E[f^T] of `thesis` (4.62) as a polynomial of the loads: slopes, bounds of curvature.

With h_n the sum of all monomials of degree n (complete homogeneous polynomial), P[N = n] is h_n of the loads times the
product of (1 - load). In a slope the load by which it is taken stands twice among the arguments of h, in a second
derivative three times, and the factor (1 - load) goes: nothing is singular where a load is 1.
"""

import numpy as np

from clustershare.compiled.jit import kernel


@kernel
def monomials(loads, first, second, h):
    """h_0, ..., h_{P-1} of the loads, with two of them once more (-1: none), into `h`."""
    h[:] = 0.0
    h[0] = 1.0
    for k in range(len(loads) + 2):
        if k < len(loads):
            a = loads[k]
        elif k == len(loads):
            a = loads[first] if first >= 0 else 0.0
        else:
            a = loads[second] if second >= 0 else 0.0
        for n in range(1, len(h)):
            h[n] += a * h[n - 1]


@kernel
def slopes(capacities, points, values, gradients):
    """E[f^T] and its gradient at points, shape (points, processors)."""
    P = len(capacities)
    h = np.zeros(P)
    for i in range(len(points)):
        loads = points[i]
        monomials(loads, -1, -1, h)
        product = 1.0
        for p in range(P):
            product *= 1.0 - loads[p]
        total, unused = 1.0, 0.0
        for n in range(P - 1, -1, -1):
            unused += capacities[n]
            total -= unused * product * h[n]
        values[i] = total
        for p in range(P):
            monomials(loads, p, -1, h)
            product = 1.0
            for q in range(P):
                if q != p:
                    product *= 1.0 - loads[q]
            slope = 0.0
            for n in range(P):
                slope += capacities[n] * h[n]
            gradients[i, p] = slope * product


@kernel
def corner(capacities, low, high, p, q, shift, upper, loads, h):
    """E[c_{M + shift}] over the slopes' factors, with M the jobs and one more geometric number for each of p and q.

    It grows with the loads of p and q and falls with those of the others: its bounds over a box are at two corners.
    """
    P = len(capacities)
    product = 1.0
    for r in range(P):
        own = r == p or r == q
        loads[r] = high[r] if own == upper else low[r]
        if not own:
            product *= 1.0 - loads[r]
    monomials(loads, p, q, h)
    result = 0.0
    for n in range(shift - 1, P):
        result += capacities[n] * h[n - shift + 1]
    return result * product


@kernel
def curvatures(capacities, lows, highs, least, most):
    """Bounds of all second derivatives over boxes, shape (boxes, processors, processors)."""
    P = len(capacities)
    loads, h = np.zeros(P), np.zeros(P)
    for i in range(len(lows)):
        low, high = lows[i], highs[i]
        for p in range(P):
            least[i, p, p] = 2.0 * corner(capacities, low, high, p, p, 2, False, loads, h)
            most[i, p, p] = 2.0 * corner(capacities, low, high, p, p, 2, True, loads, h)
            for q in range(p):
                # Minus what one job more would add: never above 0, for no processor is faster than the one before.
                one_low = corner(capacities, low, high, p, q, 1, False, loads, h)
                one_high = corner(capacities, low, high, p, q, 1, True, loads, h)
                two_low = corner(capacities, low, high, p, q, 2, False, loads, h)
                two_high = corner(capacities, low, high, p, q, 2, True, loads, h)
                least[i, p, q] = least[i, q, p] = two_low - one_high
                most[i, p, q] = most[i, q, p] = min(0.0, two_high - one_low)
