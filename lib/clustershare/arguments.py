"""What a public argument may be: every model asks here, and every answer is one sentence."""

from __future__ import annotations

import difflib
import math
import numbers
import operator
from collections.abc import Callable, Collection, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import numpy as np

from clustershare.typing import FloatArray

if TYPE_CHECKING:
    from clustershare.run_length import RunLength

T = TypeVar("T")
MOST_SHOWN = 80  # signs of what was given
MOST_LISTED = 320  # of what is allowed
LONGEST = 380  # characters of a sentence
LARGEST_INTEGER = 2**63 - 1
SMALLEST, LARGEST = 1e-300, 1e300
RESOLUTION = 1e-13  # load over events: floats know the time to .002 of a time of service
# Python or NumPy takes these for numbers, or as if they were.
NO_NUMBERS = (bool, np.bool_, np.timedelta64, np.ndarray)


class UnstableError(ValueError):
    """The offered load exceeds what the system can serve.

    Attributes
    ----------
    overloaded : tuple of int
        The overloaded set (classes, groups or processors, 0-based).
    """

    def __init__(self, message: str, overloaded: Iterable[int]) -> None:
        super().__init__(shortened(message))
        self.overloaded = tuple(overloaded)

    def __reduce__(self):  # an exception with two arguments must say how it travels between processes
        return type(self), (self.args[0], self.overloaded)


class NothingSeen(ValueError, ArithmeticError):
    """A run so short that nothing happened in it that an average could be taken of."""


def fail(name: str, value: object, allowed: str) -> NoReturn:
    """Raise the sentence that names the argument, what was given and what is allowed."""
    raise ValueError(shortened(f"{name} must be {allowed}; got {_shown(value)}."))


def shortened(text: str, most: int = LONGEST) -> str:
    """A text of at most so many characters: a list that would fill pages is cut in its middle.

    >>> shortened("0, 1, 2, 3, 4, 5, 6, 7, 8, 9", 20)
    '0, 1, 2 ... 7, 8, 9'
    """
    return text if len(text) <= most else f"{text[: most // 2 - 3]} ... {text[-most // 3 :]}"


def listed(values: Iterable[Any], most: int = 12) -> str:
    """Numbers as a list for a sentence: so many of them, and how many there are.

    >>> listed(range(3)), listed(range(3000), 2)
    ('0, 1, 2', '0, 1, ... (3000 in all)')
    """
    values = list(values)
    text = ", ".join(map(str, values[:most]))
    return text if len(values) <= most else f"{text}, ... ({len(values)} in all)"


def _shown(value):
    """What was given, in a line at most."""
    try:
        text = repr(value)
    except ValueError:  # an integer of more digits than Python writes
        text = f"an integer of {value.bit_length()} bits"
    text = " ".join(text.split())
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 4]} ..."


def number(
    name: str, value: Any, minimum: float = -math.inf, maximum: float = math.inf, *, open_below: bool = False,
    open_above: bool = False,
) -> float:  # fmt: skip
    """`value` as a finite float in [minimum, maximum] (or the open end where asked).

    >>> number("load", 2, 0, 1)
    Traceback (most recent call last):
    ...
    ValueError: load must be a finite number, at least 0 and at most 1; got 2.
    """
    if isinstance(value, float) or _is_number(type(value)):
        above = value > minimum if open_below else value >= minimum
        if above and (value < maximum if open_above else value <= maximum) and _finite(value):
            return float(value)
    bounds = []
    if minimum > -math.inf:
        bounds.append(f"{'above' if open_below else 'at least'} {minimum:g}")
    if maximum < math.inf:
        bounds.append(f"{'below' if open_above else 'at most'} {maximum:g}")
    fail(name, value, "a finite number" + (", " + " and ".join(bounds) if bounds else ""))


def _is_number(kind):
    return issubclass(kind, numbers.Real) and not issubclass(kind, NO_NUMBERS)


def _finite(value):
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond the floats
        return False


def positive(name: str, value: Any) -> float:
    """`value` as a float above 0, from 1e-300 to 1e300: one over it, and some multiples, are floats with all digits."""
    result = number(name, value, 0, open_below=True)
    return number(name, value, SMALLEST, LARGEST) if not SMALLEST <= result <= LARGEST else result


def integer(name: str, value: Any, minimum: int, maximum: int | None = None) -> int:
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
    if isinstance(value, NO_NUMBERS) or not minimum <= result <= most:
        fail(name, value, allowed if maximum is not None or result < most else f"{allowed} that fits 64 bits")
    return result


def affordable(name: str, value: Any, most: int) -> None:
    """Refuse an integer so large that what is proportional to it would fill the memory, or never end."""
    if not isinstance(value, int) or value <= most:
        integer(name, value, 0)
    if value > most:
        fail(name, value, f"at most {most}, for time and memory grow with it")


def comparable(name: str, rates: Iterable[float], capacities: Iterable[float]) -> None:
    """Refuse rates of work that are beyond the floats as multiples of the least capacity.

    >>> comparable("arrival_rates", [1.0, 1e300], [1.0, 1e-15])
    Traceback (most recent call last):
    ...
    ValueError: arrival_rates must be floats as multiples of the capacity 1e-15; got 1e+300.
    """
    most, least = float(max(rates)), float(min(capacities))
    if not math.isfinite(most / least):
        fail(name, most, f"floats as multiples of the capacity {least:g}")


def resolved(name: str, value: Any, load: float, run: RunLength) -> None:
    """Refuse loads so small that, late in a run, the clock would no longer tell a job's coming from its leaving.

    A run takes as many mean times of service as it has events, over the load, and a float knows the time to 2e-16 of
    that: here, to .002 of a time of service.

    >>> from clustershare.run_length import RunLength
    >>> resolved("loads", [1e-9], 1e-9, RunLength())
    Traceback (most recent call last):
    ...
    ValueError: loads must be such that the load is at least 1.1e-07, not 1e-09, for the clock of 1100000 events to \
tell when a job leaves; got [1e-09].
    """
    events = run.warmup + run.jumps
    if not load >= events * RESOLUTION:
        least = f"such that the load is at least {events * RESOLUTION:.2g}, not {load:.2g}"
        fail(name, value, f"{least}, for the clock of {events} events to tell when a job leaves")


def fraction(name: str, value: Any) -> Fraction:
    """`value` as an exact fraction of at least 0.

    >>> fraction("size", 0.5)
    Traceback (most recent call last):
    ...
    ValueError: size must be a fraction of at least 0; got 0.5.
    """
    if not isinstance(value, numbers.Rational) or isinstance(value, NO_NUMBERS) or value < 0:
        fail(name, value, "a fraction of at least 0")
    return Fraction(value)


def vector(name: str, values: Any, check: Callable[[str, Any], T], length: int | None = None) -> tuple[T, ...]:
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


def sequence(name: str, values: Any, wanted: str = "a sequence") -> Any:
    """`values`, which come one after the other; there may be none."""
    unordered = isinstance(values, (str, bytes, dict, set, frozenset))
    if unordered or not hasattr(values, "__len__") or getattr(values, "ndim", 1) == 0:
        fail(name, values, wanted)
    return values


def floats(name: str, values: Any, allowed: str) -> FloatArray:
    """`values`, numbers in whatever shape, as an ndarray of floats of their own; inf and nan are left to the caller.

    NumPy would take what is written as text, drop imaginary parts and the masks of masked arrays, and count truth
    values and times.

    >>> floats("counts", [1, "2"], "numbers")
    Traceback (most recent call last):
    ...
    ValueError: counts must be numbers; got [1, '2'].
    """
    try:
        given = np.asarray(values, dtype=None if isinstance(values, np.ndarray) else object)
        kinds = set(map(type, given.flat)) if given.dtype == object else {given.dtype.type}
        masked = np.ma.is_masked(values) or isinstance(values, (list, tuple)) and any(map(np.ma.is_masked, values))
        if all(map(_is_number, kinds)) and not masked:
            return np.array(values, dtype=float)
    except (TypeError, ValueError, OverflowError):
        pass
    fail(name, values, allowed)


def array(
    name: str, values: Any, dimensions: int | tuple[int, ...] = 1, minimum: float = -math.inf,
    maximum: float = math.inf, *, finite: bool = True,
) -> FloatArray:  # fmt: skip
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
    result = floats(name, values, allowed)
    if result.ndim not in several or not result.size or finite and not np.isfinite(result).all():
        fail(name, values, allowed)
    if result.min() < minimum or result.max() > maximum:
        fail(name, values, allowed)
    return result


def probabilities(name: str, values: Any, length: int | None = None) -> tuple[float, ...]:
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


def truth(name: str, value: Any) -> bool:
    """`value`, which is true or false."""
    if not isinstance(value, (bool, np.bool_)):
        fail(name, value, "True or False")
    return bool(value)


def one_of(name: str, value: Any, allowed: Collection[str]) -> str:
    """`value`, which is one of `allowed`; of very many names the refusal tells the nearest."""
    if not isinstance(value, str) or value not in allowed:
        listed = ", ".join(allowed)
        if len(listed) > MOST_LISTED:
            near = difflib.get_close_matches(str(value)[:MOST_SHOWN], allowed, 5, 0.0)
            listed = f"{len(allowed)} names, such as {', '.join(near)}"
        fail(name, value, f"one of {listed}")
    return value
