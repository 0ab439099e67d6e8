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
