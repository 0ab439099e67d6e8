"""What several of these rooms use."""

import math
from fractions import Fraction as F

import numpy as np

SAME, LITTLE = 1e-9, 1e-3  # gaps are relative to what is expected and a little more
NO, HALF = F(0), F(1, 2)
PARTITIONS = (
    ((F(5, 8), F(3, 8)), ((1, 1, 0, HALF), (0, 0, 1, HALF))),
    ((F(1, 6), F(5, 12), F(5, 12)), ((0, 0, F(2, 3), 0), (1, 0, F(1, 3), F(1, 3)), (0, 1, 0, F(2, 3)))),
    ((F(1, 4), F(3, 4)), ((0, 0, F(3, 4)), (1, 1, F(1, 4)))),
    ((F(1, 5), F(1, 2), F(3, 10)), ((1, 0, 0, 0, 0), (0, 1, 1, 0, HALF), (0, 0, 0, 1, HALF))),
    ((F(3, 10), F(7, 10)), ((1, 1, 0, 0, 0, 0, 0, F(2, 5)), (0, 0, 1, 1, 1, 1, 1, F(3, 5)))),
    ((F(2, 3), F(1, 3)), ((1, F(1, 3)), (0, F(2, 3)))),
)  # fmt: skip


def joined(samples):
    """Mean and half width of two replications: Student's law with one degree of freedom is Cauchy's."""
    one, other = np.array(samples)
    return np.array([(one + other) / 2, math.tan(0.475 * math.pi) * np.abs(one - other) / 2])
