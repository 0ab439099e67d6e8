"""Numbers under random splitting where they are tiny or many, against fractions (`thesis`, Section 4.3)."""

import math
from fractions import Fraction

import numpy as np
import pytest

from clustershare.splitting import load_balancing_success


def test_a_small_chance_of_success_keeps_its_digits():
    for n, m, loads in ((0, 6, [0.01, 0.02]), (2, 6, [0.03] * 3), (4, 5, [0.999, 0.99]), (0, 2, [1e-6] * 5)):
        exact = [Fraction(load) for load in loads]
        success = (
            1 - math.prod(1 - x**m for x in exact) - math.prod(x ** (n + 1) for x in exact)
            + math.prod(x ** (n + 1) - x**m for x in exact)
        )  # fmt: skip
        assert load_balancing_success(n, m, loads) == pytest.approx(float(success), rel=1e-10)


def test_success_at_the_ends_of_its_domain():
    assert load_balancing_success(0, 1, [0.0, 1.2]) == 1
    assert load_balancing_success(0, 2, [0.7]) == load_balancing_success(1, 3, [0.0, 0.0]) == 0
    assert load_balancing_success(0, 2, np.full(10**6, 0.3)) == 1
