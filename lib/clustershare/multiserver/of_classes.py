"""Sizes that differ from class to class, and those that have no phases: what the faster simulator does not take."""

import numpy as np

from clustershare.arguments import fail, vector
from clustershare.compiled.arguments import law as check_law
from clustershare.multiserver.graph import RandomAssignment
from clustershare.settling import squared_variation
from clustershare.sizes import Deterministic, Empirical, Gamma, JobSize, LogNormal, Pareto, Weibull


class SizesOfClasses:
    """A law of sizes for each class.

    Attributes
    ----------
    laws : tuple of clustershare.sizes.JobSize
    mean : ndarray, shape (classes,)
    of_all : float
        The mean size of all jobs.
    squared_variation : float
        Of the size of a job of any class.
    """

    def __init__(self, laws, rates):
        self.laws, self.mean = laws, np.array([law.mean for law in laws])
        self.of_all = float(rates @ self.mean / rates.sum())
        self.squared_variation = squared_variation(rates, laws)


def several(sizes):
    """Whether these are laws of classes, and not one of all.

    Examples
    --------
    >>> from clustershare.sizes import Exponential
    >>> several([Exponential(1.0), Exponential(2.0)]), several(Exponential(1.0))
    (True, False)
    """
    return isinstance(sizes, (list, tuple, np.ndarray, SizesOfClasses))


def of_classes(graph, rates, sizes):
    """The laws of classes, one for each of a graph, checked.

    Parameters
    ----------
    graph : clustershare.multiserver.CompatibilityGraph
    rates : ndarray, shape (classes,)
        Of arrivals, above 0.
    sizes : sequence of clustershare.sizes.JobSize

    Returns
    -------
    SizesOfClasses

    Raises
    ------
    ValueError
        If they are not as above.

    Examples
    --------
    >>> from clustershare.multiserver import CompatibilityGraph
    >>> from clustershare.sizes import Exponential
    >>> laws = [Exponential(1.0), Exponential(2.0)]
    >>> of_classes(CompatibilityGraph([{0}, {0}], [1.0]), np.array([0.25, 0.25]), laws).of_all
    1.5
    """
    if isinstance(sizes, SizesOfClasses):
        return sizes
    if isinstance(graph, RandomAssignment):
        fail("sizes", sizes, "one distribution of clustershare.sizes under a random assignment, whose jobs are alike")
    return SizesOfClasses(vector("sizes", sizes, _law, graph.classes), rates)


def _law(name, value):
    check_law(name, value)
    return value


def phaseless(sizes):
    """Whether sizes differ between classes, or are known to be no mixture of Erlangs.

    Examples
    --------
    >>> from clustershare.sizes import Exponential
    >>> phaseless(Deterministic(1.0)), phaseless([Exponential()]), phaseless(Exponential())
    (True, True, False)
    """
    without = Deterministic, Pareto, Weibull, LogNormal, Gamma, Empirical
    return several(sizes) or isinstance(sizes, JobSize) and isinstance(sizes, without)
