"""Chance: one of several with equal probabilities, from a generator, or as laid down beforehand.

The chain of `chain.py` is made by the rules of the simulator: a tape goes through all that chance may choose.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from clustershare.dispatch.jit import kernel


class Tape(NamedTuple):
    """Choices laid down beforehand, in place of a generator, and among how many each was: shape (longest,)."""

    choices: np.ndarray
    among: np.ndarray
    position: np.ndarray


def pick(rng, count):
    """One of 0, ..., count - 1 with equal probabilities; from a `Tape`, the one that is laid down."""
    return next_of(rng, count) if isinstance(rng, Tape) else min(int(rng.random() * count), count - 1)


@kernel
def next_of(tape, count):
    """The next choice of a tape, and a note of among how many it was."""
    k = tape.position[0]
    tape.among[k] = count
    tape.position[0] = k + 1
    return tape.choices[k]


@overload(pick)
def _pick(rng, count):
    if isinstance(rng, types.BaseNamedTuple):
        return lambda rng, count: next_of(rng, count)
    return lambda rng, count: min(int(rng.random() * count), count - 1)
