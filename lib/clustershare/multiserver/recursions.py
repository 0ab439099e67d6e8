"""Recursions over the subsets of classes, and over boxes of numbers of jobs."""

import math

import numpy as np

from clustershare.compiled.jit import kernel


@kernel
def subset_recursion(arrival_rates, service_rates):
    """Total mass relative to the empty state, and the mean delay of each class (see `balanced_fairness`).

    With L_i(A) the mass of the states with active set A, weighted with x_i::

        (mu(A) - lambda(A)) L_i(A) = lambda_i (G(A) + G(A - i)) + sum over j in A, not i, of lambda_j L_i(A - j)

    The sum of L_i over A is the first term on the right weighted with the solution H of the adjoint recursion,
    (mu(A) - lambda(A)) H(A) = 1 + sum over j not in A of lambda_j H(A + j), which is the same for all i.
    """
    classes = len(arrival_rates)
    subsets = len(service_rates)
    slack = service_rates.copy()
    mass = np.zeros(subsets)
    mass[0] = 1.0
    total = 1.0
    for subset in range(1, subsets):
        inflow = 0.0
        load = 0.0
        for i in range(classes):
            if subset >> i & 1:
                load += arrival_rates[i]
                inflow += arrival_rates[i] * mass[subset ^ (1 << i)]
        slack[subset] -= load
        mass[subset] = inflow / slack[subset]
        total += mass[subset]
    adjoint = np.zeros(subsets)
    delays = np.zeros(classes)
    for subset in range(subsets - 1, 0, -1):
        inflow = 1.0
        for j in range(classes):
            if not subset >> j & 1:
                inflow += arrival_rates[j] * adjoint[subset | (1 << j)]
        adjoint[subset] = inflow / slack[subset]
        for i in range(classes):
            if subset >> i & 1:
                delays[i] += (mass[subset] + mass[subset ^ (1 << i)]) * adjoint[subset]
    return total, delays / total


@kernel
def balance(size, shape, strides, service_rates):
    """Phi of (4) on a box, flat in C order, as mantissas and exponents: of many jobs it underflows a float."""
    mantissas = np.zeros(size)
    exponents = np.zeros(size, dtype=np.int64)
    mantissas[0] = 1.0
    for state in range(1, size):
        subset = 0
        highest = np.int64(-(2**62))  # below any exponent
        for i in range(len(shape)):
            if state // strides[i] % shape[i] > 0:
                subset |= 1 << i
                highest = max(highest, exponents[state - strides[i]])
        inflow = 0.0
        for i in range(len(shape)):
            if subset >> i & 1:
                before = state - strides[i]
                inflow += math.ldexp(mantissas[before], int(exponents[before] - highest))
        mantissa, exponent = math.frexp(inflow / service_rates[subset])
        mantissas[state] = mantissa
        exponents[state] = exponent + highest
    return mantissas, exponents
