"""What the benchmarks share: pieces of work timed in turn, the least that an event can cost, and tables with bounds."""

import operator
import statistics
import time
from dataclasses import dataclass

import numba
import numpy as np

JUMPS = 2_000_000


def seconds(work, rounds=9, clock=time.perf_counter):
    """Median seconds of several pieces of work, timed in turn after a first round that warms them up.

    Parameters
    ----------
    work : dict
        Callables by name.
    rounds : int
        Zero to keep the first round: for work that takes minutes.
    clock : callable

    Returns
    -------
    dict
        Seconds by name.
    """
    times = {name: [] for name in work}
    for _ in range(rounds + 1):
        for name, piece in work.items():
            start = clock()
            piece()
            times[name].append(clock() - start)
    return {name: statistics.median(values[1:] or values) for name, values in times.items()}


@numba.njit
def _draws(rng, number):
    total = 0.0
    for _ in range(number):
        total += rng.standard_exponential() * rng.random()
    return total


def floor():
    """Work of `JUMPS` events that cost the least an event can: an exponential and a uniform number each."""
    rng = np.random.Generator(np.random.SFC64(1))
    return lambda: _draws(rng, JUMPS)


@dataclass(frozen=True)
class Bound:
    """What a value is held against."""

    words: str
    limit: float

    def held_by(self, value):
        """Whether the value is within the bound."""
        return {"at most": operator.le, "below": operator.lt, "at least": operator.ge}[self.words](value, self.limit)

    def __str__(self):
        return f"{self.words} {self.limit:g}"


def at_most(limit):
    """A bound that may be reached."""
    return Bound("at most", limit)


def below(limit):
    """A bound that may not be reached."""
    return Bound("below", limit)


def at_least(limit):
    """A bound from below."""
    return Bound("at least", limit)


@dataclass(frozen=True)
class Row:
    """A line of a table: what, how much in words, and, where there is a bound, the value held against it."""

    what: str
    shown: str
    value: float = None
    bound: Bound = None

    @property
    def held(self):
        """Whether the bound held; True where there is none."""
        return self.bound is None or self.bound.held_by(self.value)

    def __str__(self):
        verdict = "" if self.bound is None else f"{self.bound}: {'held' if self.held else 'NOT HELD'}"
        return f"  {self.what:62} {self.shown:>16}   {verdict}".rstrip()


def not_measured(what, bound):
    """A line for what could not be measured here, with the bound that was not tried."""
    return Row(f"{what} ({bound}, not tried)", "")
