"""What a law of sizes may be: one of the library's, or one of the user's that draws what it claims.

A law of one's own is taken for what it does: the table that `encoding` makes of it, which is all that is drawn from,
must have the mean and the variance that the law says it has.
"""

import math

import numpy as np

from clustershare.arguments import affordable, fail, floats, number, positive, vector
from clustershare.sizes import (
    Deterministic,
    Empirical,
    ErlangMixture,
    Exponential,
    Gamma,
    HyperErlang,
    Hyperexponential,
    JobSize,
    LogNormal,
    Pareto,
    Weibull,
)

CHECKED = (  # when they were made
    Exponential, Hyperexponential, ErlangMixture, HyperErlang, Deterministic, Pareto, Weibull, LogNormal, Gamma,
    Empirical,
)  # fmt: skip
ROUNDING = 1e-9


def law(name, size):
    """Refuse what is no law of sizes, or has another mean or variance than it says.

    Parameters
    ----------
    name : str
        What the argument is called, for the sentence.
    size : clustershare.sizes.JobSize
        Of a class of one's own, the mean and the mean square must be those of its `erlang_mixture`, within 1e-9 of
        each; of one derived from `Deterministic` or `Pareto`, those of its `value`, or its `minimum` and `exponent`.
        One derived from `Exponential` must vary like it, because it is taken for exponential.
        Its `sample` is not looked at: nothing draws by it.

    Raises
    ------
    ValueError
        If it is not so, or it gives no mixture of Erlangs.

    Examples
    --------
    >>> class Doubled(Exponential):
    ...     def erlang_mixture(self):
    ...         return np.array([1]), np.array([2.0]), np.array([1.0])
    >>> law("sizes", Doubled())
    Traceback (most recent call last):
    ...
    ValueError: sizes must be of the mean that it claims, 1 (what is drawn has mean 2); got \
Doubled(mean=1.0).
    """
    if type(size) in CHECKED:
        return
    if not isinstance(size, JobSize):
        fail(name, size, "a distribution of clustershare.sizes")
    mean, variance = (getattr(size, moment, None) for moment in ("mean", "variance"))
    positive(f"{name}.mean", mean)
    if not isinstance(variance, float) or variance != math.inf:
        number(f"{name}.variance", variance, 0)
    drawn_mean, drawn_square = _moments(name, size, mean)
    if not math.isclose(drawn_mean, 1, rel_tol=ROUNDING):
        fail(name, size, f"of the mean that it claims, {mean:g} (what is drawn has mean {drawn_mean * mean:g})")
    if not math.isclose(1 + variance / mean / mean, drawn_square, rel_tol=ROUNDING):
        drawn = (drawn_square - drawn_mean**2) * mean * mean
        fail(name, size, f"of the variance that it claims, {variance:g} (what is drawn has variance {drawn:g})")
    if isinstance(size, Exponential) and not math.isclose(drawn_square, 2, rel_tol=ROUNDING):
        fail(name, size, f"of the variance of an exponential distribution, {mean * mean:g} (it has {variance:g})")


def laws(name, sizes, groups=None):
    """Refuse what is neither None nor a law nor a sequence of laws, one for each group, each as of `law`."""
    if isinstance(sizes, JobSize):
        law(name, sizes)
    elif sizes is not None:
        vector(name, sizes, law, groups)


def _moments(name, size, unit):
    """The mean and the mean square of what is drawn, in units of the mean that is claimed."""
    if isinstance(size, Deterministic):
        drawn = positive(f"{name}.value", size.value) / unit
        return drawn, drawn * drawn
    if isinstance(size, Pareto):
        drawn = Pareto(1.0, size.exponent)
        scale = positive(f"{name}.minimum", size.minimum) / drawn.minimum / unit
        return scale, scale * scale * (1 + drawn.variance)
    counts, means, weights = _mixture(name, size)
    means = means / unit
    return math.fsum(weights * counts * means), math.fsum(weights * counts * (counts + 1) * means * means)


def _mixture(name, size):
    """What `erlang_mixture` gives, as floats, checked."""
    mixture = size.erlang_mixture()
    if not isinstance(mixture, tuple) or [getattr(part, "ndim", 0) for part in mixture] != [1, 1, 1]:
        fail(f"{name}.erlang_mixture()", mixture, "three arrays: counts, means and probabilities")
    lengths = {len(part) for part in mixture}
    if len(lengths) > 1 or 0 in lengths:
        fail(f"{name}.erlang_mixture()", mixture, "three arrays of one length")
    counts, means, weights = mixture
    if counts.dtype.kind not in "iu" or counts.min() < 1:
        fail(f"{name}.erlang_mixture()[0]", counts, "integers of at least 1, how many phases there are")
    of_means, of_weights = "finite numbers above 0, the means of phases", "probabilities that sum to 1"
    means = floats(f"{name}.erlang_mixture()[1]", means, of_means)
    weights = floats(f"{name}.erlang_mixture()[2]", weights, of_weights)
    if not (np.isfinite(means) & (means > 0)).all():
        fail(f"{name}.erlang_mixture()[1]", means, of_means)
    if not (weights >= 0).all() or not abs(math.fsum(weights) - 1) <= ROUNDING:
        fail(f"{name}.erlang_mixture()[2]", weights, of_weights)
    return counts.astype(float), means, weights


def few_groups(groups, most):
    """Refuse to record jobs of more groups than so many.

    >>> few_groups(2000, 1000)
    Traceback (most recent call last):
    ...
    ValueError: the number of groups with records must be at most 1000, for time and memory grow with it; got 2000.
    """
    affordable("the number of groups with records", groups, most)
