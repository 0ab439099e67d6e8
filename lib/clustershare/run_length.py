"""How long to simulate, and with which random numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from clustershare.arguments import affordable, fail, integer

MOST_REPLICATIONS = 10**5  # each has a generator


@dataclass(frozen=True)
class RunLength:
    """The length of a simulation: the keyword-only arguments of every `simulate` function.

    A simulator takes some more, which a stored point cannot have: they find these numbers, or show them.

    until : dict
        In place of `jumps`: half widths to be reached, by quantity of the result, of arrays in the widest entry. A
        number is absolute, a text such as ``"1%"`` is relative to the value: ``until={"capacity_loss": 0.002}``. The
        length is found in a pilot; the run itself has other random numbers (see `clustershare.precision`). `warmup` is
        five memories of the system then, and `replications` is 30, unless given. With 10, fewer intervals hold: 92 of
        100 were seen to.
    seconds : float
        Beside `until`: a limit, by the clock on the wall and not to the second, to which runs are planned; compiling,
        and finding the warm-up, count but are not broken off. The `warning` of the result says what was not reached.
    warmup : "auto"
        The warm-up is found by MSER-5 in a pilot of at least 20,480 jumps, which takes as long as twenty of them (see
        `clustershare.truncation`). The `warmup_diagnosis` of the result says what was found.
    progress : bool
        Show on standard error how many replications are done, parts of one included: a bar of tqdm on a terminal or in
        a notebook, if that is installed, and otherwise a line in 10 s at most. ``TQDM_DISABLE`` silences it.

    Whatever was found, the `run_length` of the result gives it again.

    Parameters
    ----------
    jumps : int
        Events of the Markov process that are measured in each replication.
    warmup : int
        Events before those, which are discarded.
    replications : int
        Independent runs, at most 100,000.
    seed : int or numpy.random.SeedSequence
        Replication k draws from the k-th child of this seed, whatever else runs.

    Examples
    --------
    >>> from clustershare.uniprocessor import simulate
    >>> system = {"policy": "PS", "required_shares": (0.5, 0.5), "arrival_rates": (0.25, 0.25), "seed": 1}
    >>> found = simulate(**system, until={"mean_jobs": "5%"})
    >>> bool(all(found.mean_jobs.half_width <= 0.05 * found.mean_jobs.value)), found.run_length.replications
    (True, 30)
    >>> simulate(**system, jumps=20_000, warmup="auto").warmup_diagnosis.refused
    False
    """

    jumps: int = 1_000_000
    warmup: int = 100_000
    replications: int = 10
    seed: int | np.random.SeedSequence = 0

    def __post_init__(self):
        integer("jumps", self.jumps, 1)
        integer("warmup", self.warmup, 0)
        integer("replications", self.replications, 1)
        affordable("replications", self.replications, MOST_REPLICATIONS)
        if not isinstance(self.seed, np.random.SeedSequence):
            integer("seed", self.seed, 0)

    def generators(self) -> list[np.random.Generator]:
        """One generator a replication (SFC64, the quickest of NumPy's that pass its tests).

        Examples
        --------
        >>> [round(generator.random(), 3) for generator in RunLength(replications=2, seed=7).generators()]
        [0.36, 0.9]
        """
        seed = self.seed
        if isinstance(seed, np.random.SeedSequence):
            # spawn() counts its children: a fresh copy keeps a second call equal to the first.
            seed = np.random.SeedSequence(seed.entropy, spawn_key=seed.spawn_key, pool_size=seed.pool_size)
        else:
            seed = np.random.SeedSequence(seed)
        return [np.random.Generator(np.random.SFC64(child)) for child in seed.spawn(self.replications)]


def check_run_length(run: Mapping[str, Any]) -> RunLength:
    """A `RunLength` made of keyword arguments, an unknown one answered with a sentence."""
    for name in run:
        if name not in RunLength.__dataclass_fields__:
            fail("run argument", name, "one of " + ", ".join(RunLength.__dataclass_fields__))
    return RunLength(**run)
