"""Values as plain JSON, and back: the arguments of stored points, and results that are written down.

Numbers and texts stay what they are, sequences become lists, and a class of the library its public name with its
fields. Infinite numbers and nan, which JSON does not have, become words.
"""

import dataclasses
import importlib
import math
import pkgutil
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from clustershare.arguments import fail, one_of
from clustershare.typing import Json, Written

WORDS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
MODULES = [module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)])]


def plain(
    value: Any,
    name_of: Callable[[Any], str] | None = None,
    other: Callable[[Any], Json] | None = None,
    *,
    exact: bool = False,
) -> Json:
    """A value as JSON has it.

    Parameters
    ----------
    value : object
    name_of : callable, optional
        Gives the name of a class; `public_name` if not given.
    other : callable, optional
        Writes what is no number, text, sequence or class with fields. If not given, infinite numbers and nan become
        words, and dictionaries, sets, fractions, seeds, and the library's own functions are written too.
    exact : bool
        Whether `made` is to tell arrays, lists and tuples apart. Otherwise all become tuples.

    Returns
    -------
    None, bool, int, float, str, list or dict

    Raises
    ------
    ValueError
        If it is, or holds, what cannot be written.

    Examples
    --------
    >>> from clustershare.sizes import Exponential
    >>> plain([Exponential(2.0), np.array([1.0, np.inf])])
    [{'class': 'sizes.Exponential', 'fields': {'mean': 2.0}}, [1.0, 'inf']]
    >>> plain((1, 2), exact=True)
    {'tuple': [1, 2]}
    """

    def inner(part: Any) -> Json:
        return plain(part, name_of, other, exact=exact)

    if exact and not isinstance(value, type) and hasattr(value, "to_dict"):
        written: Json = value.to_dict()
        return written
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: inner(getattr(value, field.name)) for field in dataclasses.fields(value)}
        return {"class": (name_of or public_name)(type(value)), "fields": fields}
    if isinstance(value, np.ndarray):
        entries = value.tolist()
        return list(map(_listed, entries)) if exact and value.ndim else inner(entries)
    if isinstance(value, np.generic):
        return inner(value.item())
    if isinstance(value, (list, tuple)):
        parts = list(map(inner, value))
        return {"list" if isinstance(value, list) else "tuple": parts} if exact else parts
    if value is None or isinstance(value, (str, bool, int)) or isinstance(value, float) and math.isfinite(value):
        return value
    return other(value) if other else _unusual(value, inner)


def _listed(entry: Any) -> Json:
    """An entry of an array, which may be of more dimensions."""
    return list(map(_listed, entry)) if isinstance(entry, list) else plain(entry)


def _unusual(value: Any, inner: Callable[[Any], Json]) -> Json:
    if isinstance(value, float):
        return str(value)
    if isinstance(value, dict):
        return {"dict": [[inner(key), inner(entry)] for key, entry in value.items()]}
    if isinstance(value, (set, frozenset)):
        return {"set": [inner(entry) for entry in sorted(value)]}
    if isinstance(value, Fraction):
        return {"fraction": str(value)}
    if isinstance(value, np.random.SeedSequence):
        return {"seed": [inner(value.entropy), [*value.spawn_key], value.pool_size]}
    return {"name": public_name(value)}


def made(value: Json, make: Callable[[Written], Any] | None = None, *, exact: bool = False) -> Any:
    """The value that `plain` wrote; nothing is run but the classes that it names.

    Parameters
    ----------
    value : None, bool, int, float, str, list or dict
    make : callable, optional
        Makes a value of a dictionary; if not given, of all that `plain` writes.
    exact : bool
        As for `plain`.

    Returns
    -------
    object
        Lists are tuples, or arrays where `exact`.

    Raises
    ------
    ValueError
        If it is not what `plain` writes.

    Examples
    --------
    >>> made({"class": "sizes.Exponential", "fields": {"mean": 2.0}}), made([1, "inf"])
    (Exponential(mean=2.0), (1, inf))
    """
    if isinstance(value, dict):
        return make(value) if make else _made_of(value, exact)
    if isinstance(value, list):
        return _array(value) if exact else tuple(made(entry, make) for entry in value)
    return WORDS.get(value, value) if isinstance(value, str) else value


def _array(entries: list[Json]) -> Any:
    try:
        return np.array(_numbers(entries))
    except ValueError:
        fail("what was written", entries, "an array of numbers")


def _numbers(entries: list[Json]) -> list[Any]:
    return [_numbers(entry) if isinstance(entry, list) else made(entry) for entry in entries]


def _made_of(value: Written, exact: bool) -> Any:
    def inner(part: Json) -> Any:
        return made(part, exact=exact)

    kind, *more = value or [""]
    try:
        given = value[kind]
        if "class" in value:
            found = named(value["class"])
            if "call" in value:  # a result within another
                return found.from_dict(value)
            return found(**{name: inner(entry) for name, entry in value["fields"].items()})
        if value.keys() == {"value", "half_width"}:
            return named("estimates.Estimate").from_dict(value)
        if not more and kind in ("list", "tuple"):
            return {"list": list, "tuple": tuple}[kind](map(inner, given))
        if not more and kind == "dict":
            return {inner(key): inner(entry) for key, entry in given}
        if not more and kind == "set":
            return set(map(inner, given))
        if not more and kind == "fraction":
            return Fraction(given)
        if not more and kind == "seed":
            entropy, spawn_key, pool_size = given
            return np.random.SeedSequence(made(entropy), spawn_key=tuple(spawn_key), pool_size=pool_size)
        if not more and kind == "name":
            return named(given)
    except (TypeError, KeyError, AttributeError):
        pass
    fail("what was written", value, "as to_dict writes it")


def public_name(thing: Any) -> str:
    """The name under which a class or function of the library is public.

    Raises
    ------
    ValueError
        If it is none of them.

    Examples
    --------
    >>> from clustershare.multiserver import CompatibilityGraph
    >>> public_name(CompatibilityGraph)
    'multiserver.CompatibilityGraph'
    """
    module = getattr(thing, "__module__", None) or ""
    package, _, rest = module.partition(".")
    name = f"{rest.partition('.')[0]}.{getattr(thing, '__qualname__', '')}"
    try:
        if package == "clustershare" and named(name) is thing:
            return name
    except ValueError:
        pass
    fail("what is written", thing, "made of numbers, texts, sequences, and classes and functions of clustershare")


def named(name: str) -> Any:
    """The class or function of that public name.

    Raises
    ------
    ValueError
        If the library has none.

    Examples
    --------
    >>> named("sizes.Exponential")(2.0)
    Exponential(mean=2.0)
    """
    room, _, own = name.partition(".") if isinstance(name, str) else ("", "", "")
    module = importlib.import_module(f"clustershare.{one_of('module', room, MODULES)}")
    found = None if own.startswith("_") else vars(module).get(own)
    if not callable(found) or not getattr(found, "__module__", "").startswith(module.__name__):
        fail("name", name, "that of a public class or function of clustershare")
    return found
