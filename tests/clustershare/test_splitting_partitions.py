"""What a group finds on the processors: the law of its number, which the shares under random splitting rest on."""

import numpy as np
import pytest

from clustershare.splitting import assignment, group_number_law


def test_the_law_gives_the_feasible_share():
    rng = np.random.default_rng(1)
    for _ in range(20):
        processors = rng.integers(1, 6)
        loads = rng.uniform(0, 0.45, (2, processors)) * (rng.random((2, processors)) < 0.8)
        loads[:, 0] = 0.3
        law = group_number_law(loads, 0, processors)
        feasible = 0.6 - np.maximum(0.6 - np.arange(processors) / processors, 0) @ law
        found = assignment([0.6, 0.4], loads, np.full(processors, 1 / processors)).feasible_share[0]
        assert found == pytest.approx(feasible, abs=1e-12)


def test_a_group_without_load_has_no_jobs():
    np.testing.assert_array_equal(group_number_law([[0, 0], [2.0, 0.5]], 0, 3), [1, 0, 0])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ([[0.5, 0.2], [0.6, 0.2]], 0, 3),
            "processor_loads must be below 1 together on each processor that group 0 uses",
        ),
        (([0.5, 0.2], 0, 3), "processor_loads must be an array of finite numbers, 2-dimensional, at least 0"),
        (([[0.5], [0.2]], 2, 3), "group must be an integer of at least 0 and at most 1"),
        (([[0.5], [0.2]], 0, 0), "length must be an integer of at least 1"),
    ],
)
def test_a_bad_argument_is_named(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        group_number_law(*arguments)
