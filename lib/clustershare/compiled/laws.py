"""Drawing from laws of sizes and times; `encoding` writes them down."""

import math

import numpy as np

from clustershare.compiled.choice import choose
from clustershare.compiled.jit import kernel

CONSTANT, POWER = 0, -1  # in place of a number of phases
WEIBULL, LOGNORMAL = -2, -3  # the same, in a table of two dimensions
MIXTURE, CELLS, ALIKE = 0, 1, 2  # what a law is there


@kernel(_nrt=False)  # it makes no arrays, and to count who refers to those given would cost as much as the draw
def draw_other(rng, laws, which):
    """As `draw`, from a table of three columns, of which the first rows are the laws: kind, first row, rows.

    The rows of a mixture are its components: phases (which need not be whole), mean, probability; of a single one, its
    exponent or spread in place of the probability. Those of data are the cells of Walker's alias method: up to where in
    [0, 1] the first of two values is drawn, and the two. Or they are values that are drawn alike, three in a row, and
    the head tells how many: a third of the memory, which a processor has near.

    Examples
    --------
    >>> import numpy as np
    >>> from clustershare.compiled.encoding import encode
    >>> from clustershare.sizes import Empirical, Exponential
    >>> draw_other(np.random.default_rng(0), encode(Exponential(3.0), Empirical([2.0])), 1)
    2.0
    """
    first, rows = np.uint64(laws[which, 1]), np.uint64(laws[which, 2])
    if laws[which, 0] == ALIKE:
        k = min(np.uint64(rng.random() * laws[which, 2]), rows - np.uint64(1))
        return laws[first + k // np.uint64(3), k % np.uint64(3)]
    if laws[which, 0] == CELLS:
        u = rng.random() * laws[which, 2]
        cell = min(np.uint64(u), rows - np.uint64(1))
        return laws[first + cell, np.uint64(1) + np.uint64(u - cell >= laws[first + cell, 0])]
    component = first
    if rows > 1:
        component += np.uint64(choose(rng.random(), laws[first : first + rows, 2]))
    phases, mean = laws[component, 0], laws[component, 1]
    if phases == 1:
        return mean * rng.standard_exponential()
    if phases == CONSTANT:
        return mean
    if phases == POWER:
        return mean * (1 - rng.random()) ** laws[component, 2]
    if phases == WEIBULL:
        return mean * rng.standard_exponential() ** laws[component, 2]
    if phases == LOGNORMAL:
        return mean * math.exp(laws[component, 2] * rng.standard_normal())
    return mean * rng.standard_gamma(phases)


@kernel
def draw(rng, laws, which):
    """A number drawn from one of several laws: a mixture of Erlangs, a constant, or a power of a uniform number.

    Parameters
    ----------
    rng : numpy.random.Generator
    laws : ndarray, shape (laws, components, 4)
        As `encoding.encode` makes them; of two dimensions for laws of other kinds, see `draw_other`.
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
    if laws.ndim == 2:  # the compiler leaves out what is not so
        return draw_other(rng, laws, which)
    component = choose(rng.random(), laws[which, :, 2]) if laws.shape[1] > 1 else 0
    phases, mean = laws[which, component, 0], laws[which, component, 1]
    if phases == 1:
        return mean * rng.standard_exponential()
    if phases == CONSTANT:
        return mean
    if phases == POWER:
        return mean * (1 - rng.random()) ** laws[which, component, 3]
    return mean * rng.standard_gamma(phases)
