"""Drawing from laws of sizes and times; `encoding` writes them down."""

from clustershare.compiled.choice import choose
from clustershare.compiled.jit import kernel

CONSTANT, POWER = 0, -1  # in place of a number of phases


@kernel
def draw(rng, laws, which):
    """A number drawn from one of several laws: a mixture of Erlangs, a constant, or a power of a uniform number.

    Parameters
    ----------
    rng : numpy.random.Generator
    laws : tuple of ndarray
        As `encoding.encode` makes them.
    which : int
        The law to draw from.

    Returns
    -------
    float

    Examples
    --------
    >>> import numpy as np
    >>> from clustershare.compiled.encoding import encode
    >>> from clustershare.sizes import Deterministic, Exponential
    >>> draw(np.random.default_rng(0), encode(Exponential(3.0), Deterministic(2.0)), 1)
    2.0
    """
    starts, phases, means, probabilities, exponents = laws
    component, end = starts[which], starts[which + 1]
    if end > component + 1:
        component += choose(rng.random(), probabilities[component:end])
    count = phases[component]
    if count == 1:
        return means[component] * rng.standard_exponential()
    if count == CONSTANT:
        return means[component]
    if count == POWER:
        return means[component] * (1 - rng.random()) ** exponents[which]
    return means[component] * rng.standard_gamma(count)
