"""Answers can be compared: one is equal to its copy, to what was written of it, and to another of the same call."""

import copy
import dataclasses
import inspect
import json
import pickle

import numpy as np
import pytest

from clustershare import results
from clustershare.estimates import Estimate
from clustershare.results import Result, same
from test_wrong_arguments import FUNCTIONS, first_call

# Checks of arguments, which other packages call, show a call that fails.
ASKED = [
    name
    for name, one in FUNCTIONS.items()
    if inspect.isfunction(one) and "name" not in inspect.signature(one).parameters
]


@pytest.mark.parametrize("name", ASKED)
def test_an_answer_equals_its_copy_and_another_of_the_same_call(name):
    function, valid = FUNCTIONS[name], first_call(name)
    once = function(**valid)
    for one in once if isinstance(once, tuple) else [once]:
        if isinstance(one, Result):
            read = results.from_dict(json.loads(json.dumps(one.to_dict(), allow_nan=False)))
            assert one == read == read.again() and str(one)
    if dataclasses.is_dataclass(once):
        assert isinstance(once, Result) or once == function(**valid)
        assert once == pickle.loads(pickle.dumps(once)) == copy.deepcopy(once)
        assert once != 1 and not once == [once]


@pytest.mark.parametrize(
    "other", [(1.0, 0.2), (np.array([1.0]), 0.1), (np.nan, 0.1), (np.array([1.0, 2.0]), np.zeros(2))]
)
def test_an_estimate_differs_in_any_number(other):
    assert Estimate(1.0, 0.1) != Estimate(*other) == Estimate(*other)
    assert hash(Estimate(*other)) == hash(copy.deepcopy(Estimate(*other)))


def test_nothing_equals_what_has_another_shape_or_kind():
    assert same(np.array([np.nan, 1]), np.array([np.nan, 1]))
    assert not same(np.array([1.0]), np.array([1.0, 1.0])) and not same((1, 2), (1,)) and not same(1, 1.0)
