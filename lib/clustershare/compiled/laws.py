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
    laws : ndarray, shape (laws, components, 4)
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
    component = choose(rng.random(), laws[which, :, 2]) if laws.shape[1] > 1 else 0
    phases, mean = laws[which, component, 0], laws[which, component, 1]
    if phases == 1:
        return mean * rng.standard_exponential()
    if phases == CONSTANT:
        return mean
    if phases == POWER:
        return mean * (1 - rng.random()) ** laws[which, component, 3]
    return mean * rng.standard_gamma(phases)
