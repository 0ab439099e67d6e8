"""Chance: one of several with equal probabilities, from a generator, or as laid down beforehand.

The chain of `chain.py` is made by the rules of the simulator: a tape goes through all that chance may choose.
"""

import math
from collections.abc import Iterator
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


def blank_tape(longest: int = 16) -> Tape:
    """A tape with room for so many choices."""
    return Tape(np.zeros(longest, np.int64), np.zeros(longest, np.int64), np.zeros(1, np.int64))


def courses(tape: Tape) -> Iterator[None]:
    """Lay down each course that chance can take in turn, as an odometer counts, for who picks from the tape.

    Examples
    --------
    >>> tape = blank_tape()
    >>> [(pick(tape, 2), pick(tape, 3), ways(tape)) for _ in courses(tape)]
    [(0, 0, 6), (0, 1, 6), (0, 2, 6), (1, 0, 6), (1, 1, 6), (1, 2, 6)]
    """
    choices, among, position = tape
    choices[:] = 0
    while True:
        position[0] = 0
        yield
        made = int(position[0])
        while made and choices[made - 1] == among[made - 1] - 1:
            made -= 1
        if not made:
            return
        choices[made - 1] += 1
        choices[made:] = 0


def ways(tape: Tape) -> int:
    """One in so many is the probability of what was picked."""
    return math.prod(tape.among[: tape.position[0]].tolist())


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
