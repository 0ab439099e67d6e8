"""What a public argument may be: every model asks here, and every answer is one sentence."""

import math
import numbers
import operator
from fractions import Fraction

import numpy as np

MOST_SHOWN = 80
LARGEST_INTEGER = 2**63 - 1


class UnstableError(ValueError):
    """The offered load exceeds what the system can serve.

    Attributes
    ----------
    overloaded : tuple of int
        The overloaded set (classes, groups or processors, 0-based).
    """

    def __init__(self, message, overloaded):
        super().__init__(message)
        self.overloaded = tuple(overloaded)

    def __reduce__(self):  # an exception with two arguments must say how it travels between processes
        return type(self), (self.args[0], self.overloaded)


def fail(name, value, allowed):
    """Raise the sentence that names the argument, what was given and what is allowed."""
    raise ValueError(f"{name} must be {allowed}; got {_shown(value)}.")


def _shown(value):
    """What was given, in a line at most."""
    try:
        text = repr(value)
    except ValueError:  # an integer of more digits than Python writes
        text = f"an integer of {value.bit_length()} bits"
    text = " ".join(text.split())
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 4]} ..."


def number(name, value, minimum=-math.inf, maximum=math.inf, *, open_below=False, open_above=False):
    """`value` as a finite float in [minimum, maximum] (or the open end where asked).

    >>> number("load", 2, 0, 1)
    Traceback (most recent call last):
    ...
    ValueError: load must be a finite number, at least 0 and at most 1; got 2.
    """
    if isinstance(value, float) or isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_)):
        above = value > minimum if open_below else value >= minimum
        if above and (value < maximum if open_above else value <= maximum) and _finite(value):
            return float(value)
    bounds = []
    if minimum > -math.inf:
        bounds.append(f"{'above' if open_below else 'at least'} {minimum:g}")
    if maximum < math.inf:
        bounds.append(f"{'below' if open_above else 'at most'} {maximum:g}")
    fail(name, value, "a finite number" + (", " + " and ".join(bounds) if bounds else ""))


def _finite(value):
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond the floats
        return False


def positive(name, value):
    """`value` as a finite float above 0."""
    return number(name, value, 0, open_below=True)


def integer(name, value, minimum, maximum=None):
    """`value` as an int of at least `minimum` (and at most `maximum`).

    >>> integer("servers", 2.5, 1)
    Traceback (most recent call last):
    ...
    ValueError: servers must be an integer of at least 1; got 2.5.
    """
    allowed = f"an integer of at least {minimum}" + ("" if maximum is None else f" and at most {maximum}")
    most = LARGEST_INTEGER if maximum is None else maximum
    try:
        result = operator.index(value)
    except TypeError:
        fail(name, value, allowed)
    if isinstance(value, (bool, np.bool_)) or not minimum <= result <= most:
        fail(name, value, allowed if maximum is not None or result < most else f"{allowed} that fits 64 bits")
    return result


def affordable(name, value, most):
    """Refuse an integer so large that what is proportional to it would fill the memory, or never end."""
    integer(name, value, 0)
    if value > most:
        fail(name, value, f"at most {most}, for time and memory grow with it")


def fraction(name, value):
    """`value` as an exact fraction of at least 0.

    >>> fraction("size", 0.5)
    Traceback (most recent call last):
    ...
    ValueError: size must be a fraction of at least 0; got 0.5.
    """
    if not isinstance(value, numbers.Rational) or isinstance(value, (bool, np.bool_)) or value < 0:
        fail(name, value, "a fraction of at least 0")
    return Fraction(value)


def vector(name, values, check, length=None):
    """`values` as a tuple whose entries passed `check(name[i], value)`.

    >>> vector("loads", [0.5, -1], positive)
    Traceback (most recent call last):
    ...
    ValueError: loads[1] must be a finite number, above 0; got -1.
    """
    wanted = "a non-empty sequence" if length is None else f"a sequence of {length} entries"
    sequence(name, values, wanted)
    if len(values) == 0 or (length is not None and len(values) != length):
        fail(name, values, wanted)
    try:
        return tuple(check(name, value) for value in values)
    except ValueError:  # now it is worth while to say of which
        return tuple(check(f"{name}[{index}]", value) for index, value in enumerate(values))


def sequence(name, values, wanted="a sequence"):
    """`values`, which come one after the other; there may be none."""
    unordered = isinstance(values, (str, bytes, dict, set, frozenset))
    if unordered or not hasattr(values, "__len__") or getattr(values, "ndim", 1) == 0:
        fail(name, values, wanted)
    return values


def array(name, values, dimensions=1, minimum=-math.inf, maximum=math.inf, *, finite=True):
    """`values` as an ndarray of floats in [minimum, maximum], not empty, with so many dimensions (or one of several).

    They are finite unless told otherwise.

    >>> array("counts", [[1, 2], [3, -1]], 2, 0)
    Traceback (most recent call last):
    ...
    ValueError: counts must be an array of finite numbers, 2-dimensional, at least 0; got [[1, 2], [3, -1]].
    """
    bounds = [f"at least {minimum:g}"] if minimum > -math.inf else []
    bounds += [f"at most {maximum:g}"] if maximum < math.inf else []
    several = dimensions if isinstance(dimensions, tuple) else (dimensions,)
    shape = " or ".join(f"{count}-dimensional" for count in several)
    allowed = f"an array of {'finite ' if finite else ''}numbers, {shape}" + "".join(f", {bound}" for bound in bounds)
    try:
        result = np.array(None if isinstance(values, (str, bytes)) else values, dtype=float)
    except (TypeError, ValueError, OverflowError):
        fail(name, values, allowed)
    if result.ndim not in several or not result.size or finite and not np.isfinite(result).all():
        fail(name, values, allowed)
    if result.min() < minimum or result.max() > maximum:
        fail(name, values, allowed)
    return result


def probabilities(name, values, length=None):
    """`values` as a tuple of numbers in [0, 1] that sum to 1 within 1e-9.

    >>> probabilities("probabilities", [0.5, 0.4])
    Traceback (most recent call last):
    ...
    ValueError: probabilities must be probabilities that sum to 1 (they sum to 0.9); got [0.5, 0.4].
    """
    result = vector(name, values, lambda entry, value: number(entry, value, 0, 1), length)
    total = math.fsum(result)
    if abs(total - 1) > 1e-9:
        fail(name, values, f"probabilities that sum to 1 (they sum to {total:.12g})")
    return result


def truth(name, value):
    """`value`, which is true or false."""
    if not isinstance(value, (bool, np.bool_)):
        fail(name, value, "True or False")
    return bool(value)


def one_of(name, value, allowed):
    """`value`, which is one of `allowed`."""
    if not isinstance(value, str) or value not in allowed:
        fail(name, value, "one of " + ", ".join(allowed))
    return value
