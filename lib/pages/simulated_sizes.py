"""Sizes as simulators draw them, by the part that all of them share: no witness of it, but what is held against one."""

import numpy as np

from clustershare.compiled.encoding import encode
from clustershare.compiled.jit import kernel
from clustershare.compiled.laws import draw


@kernel
def _fill(rng, laws, drawn):
    for k in range(len(drawn)):
        drawn[k] = draw(rng, laws, 0)


def simulated_sizes(size, count, seed, beside=()):
    """So many sizes of a law, drawn one after another as in a simulation, which may have other laws beside it.

    Examples
    --------
    >>> from clustershare.sizes import Exponential
    >>> bool(abs(simulated_sizes(Exponential(2.0), 10_000, 0).mean() - 2) < 0.1)
    True
    """
    drawn = np.zeros(count)
    _fill(np.random.default_rng(seed), encode(size, *beside), drawn)
    return drawn
