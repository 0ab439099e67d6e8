"""What every answer says of itself, and the type of "there is no exact answer"."""

from __future__ import annotations

import dataclasses
import importlib
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, fields
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from clustershare.arguments import fail, one_of, shortened
from clustershare.calls import Call, forgotten
from clustershare.plain import made, named, plain, public_name
from clustershare.run_length import RunLength, check_run_length
from clustershare.typing import FloatArray, Written

if TYPE_CHECKING:
    from clustershare.records import Records
    from clustershare.truncation import WarmUp

R = TypeVar("R", bound="Result")
MOST_COLUMNS, MOST_ROWS = 8, 12  # of a table that is printed
SPREAD = 0.6  # of the distance between groups, over which what is drawn of one is spread


class NoExactAnswer(Exception):  # noqa: N818 - it is no error: the arguments are good, and `simulate` answers
    """No exact method of this library reaches the system asked for, though its arguments are good."""

    def __init__(self, message: str) -> None:
        super().__init__(shortened(message))


def same(one: Any, other: Any) -> bool:
    """Whether two answers are of one kind and hold the same; arrays entry by entry, a nan equals a nan.

    Examples
    --------
    >>> same((1, np.array([2.0, np.nan])), (1, np.array([2.0, np.nan])))
    True
    """
    one, other = (value.item() if getattr(value, "ndim", None) == 0 else value for value in (one, other))
    if type(one) is not type(other):
        return False
    if hasattr(one, "__dataclass_fields__"):
        return all(same(getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray):
        return one.shape == other.shape and bool(np.all((one == other) | (one != one) & (other != other)))
    return bool(one == other or one != one and other != other)


@dataclass(frozen=True, kw_only=True)
class Result:
    """What all results have: how they were found, and how far off they may be.

    A result prints as a table. It equals another of its class that holds the same, whatever call it came from.

    Attributes
    ----------
    method : str
        "formula", "recursion", "chain", "simulation" or "replay".
    error : float
        How far off the quantities may be, apart from rounding: 0 for a formula, a recursion or a replay; the error of
        truncating and solving a chain; nan for a simulation, each of whose quantities is an `Estimate` with its own
        half width.

    Examples
    --------
    >>> from clustershare import splitting
    >>> print(splitting.minimise_response_time((0.6, 0.4), 0.5))
    SplitLoad by formula
    objective         3.91918
                            0         1
    processor_loads  0.541241  0.438138
    fractions         0.64949   0.35051
    """

    method: str
    error: float = 0.0

    def __post_init__(self) -> None:
        if self.method == "simulation":
            object.__setattr__(self, "error", math.nan)

    def __init_subclass__(cls) -> None:
        # A dataclass writes these itself unless they are there; its comparison asks whether arrays are true.
        cls.__eq__, cls.__hash__, cls.__repr__ = Result.__eq__, Result.__hash__, Result.__repr__  # type: ignore[method-assign]

    def __eq__(self, other: object) -> bool:
        return same(self, other)

    def __hash__(self) -> int:
        return hash((type(self), self.method))

    def __repr__(self) -> str:
        """As all dataclasses are shown, with the warning if there is one."""
        shown = [f"{field.name}={getattr(self, field.name)!r}" for field in fields(self) if field.repr]
        shown += [f"warning={self.warning!r}"] if self.warning else []
        return f"{type(self).__qualname__}({', '.join(shown)})"

    def __str__(self) -> str:
        """A table, a line for each quantity, and what is known against it."""
        lines = [f"{type(self).__qualname__} by {self.method}", *_table(self)]
        lines += [f"error {self.error:.2g}"] if np.ndim(self.error) == 0 and self.error > 0 else []
        return "\n".join([*lines, *filter(None, [self.warning])])

    @property
    def warning(self) -> str | None:
        """Why simulated intervals may hold too rarely, in a sentence; None where nothing is known against them."""
        return vars(self).get("_warning")

    @property
    def records(self) -> Records | None:
        """What jobs met with, as `clustershare.records.Records`; None where they were not asked for."""
        found: Records | None = vars(self).get("_records")
        return found

    @property
    def _asked(self) -> Call:
        call: Call | None = vars(self).get("_call")
        return call or forgotten()

    @property
    def function(self) -> str:
        """The public function that gave it, by name."""
        return self._asked.function

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments that it was asked for with, by name, as given; without the run length."""
        return dict(self._asked.arguments)

    @property
    def run_length(self) -> RunLength | None:
        """The run length and the seed; None where nothing was simulated."""
        return check_run_length(self._asked.run) if self.method == "simulation" else None

    @property
    def warmup_diagnosis(self) -> WarmUp | None:
        """What ``warmup="auto"`` found, a `clustershare.truncation.WarmUp`; None where the warm-up was given."""
        found: WarmUp | None = vars(self).get("_warm_up")
        return found

    @property
    def version(self) -> str:
        """The version of the library that gave it."""
        return self._asked.version

    @property
    def _attached(self) -> dict[str, Any]:
        """What is no field and no call."""
        own = {"_call", *(field.name for field in fields(self))}
        return {name: value for name, value in vars(self).items() if name not in own}

    def again(self, **changes: Any) -> Any:
        """The result of the same call: the same to the last bit, from the same version on the same kind of machine.

        Parameters
        ----------
        **changes
            Arguments to be other than they were, such as `jumps`.

        Returns
        -------
        Result

        Raises
        ------
        ValueError
            If no public function gave the result, or it was read from a dictionary that could not hold an argument.

        Examples
        --------
        >>> from clustershare import uniprocessor
        >>> result = uniprocessor.simulate("PS", (0.5, 0.5), (0.4, 0.4), jumps=1000, seed=7)
        >>> result.again() == result, result.again(seed=8) == result
        (True, False)
        >>> result.arguments
        {'policy': 'PS', 'required_shares': (0.5, 0.5), 'arrival_rates': (0.4, 0.4)}
        >>> result.run_length
        RunLength(jumps=1000, warmup=100000, replications=10, seed=7)
        """
        return self._asked.repeat(changes)

    def to_dict(self) -> Written:
        """A dictionary that can be written as JSON, of which `from_dict` makes an equal result.

        Returns
        -------
        dict
            `class`, `fields` by name, `attached` (what is known of it besides, such as the warning), and `call`: the
            function, its arguments and the version. An estimate is written as its `value` and `half_width`, an array
            as lists; infinite numbers and nan as words. An argument that JSON cannot hold is left out, and only shown:
            `again` then asks for it.

        Raises
        ------
        ValueError
            If a field holds what cannot be written.

        Examples
        --------
        >>> from clustershare import splitting
        >>> written = splitting.minimise_response_time((0.5, 0.5), 0.5).to_dict()
        >>> written["class"], written["fields"]["fractions"], written["call"]["arguments"]
        ('splitting.SplitLoad', [0.5, 0.5], {'capacities': [0.5, 0.5], 'load': 0.5})
        >>> from_dict(written).again().objective
        4.0
        """
        call: Call | None = vars(self).get("_call")
        return {
            "class": public_name(type(self)),
            "fields": {field.name: plain(getattr(self, field.name), exact=True) for field in fields(self)},
            "attached": {name: plain(value, exact=True) for name, value in self._attached.items()},
            "call": call and call.to_dict(),
        }

    @classmethod
    def from_dict(cls: type[R], written: Written) -> R:
        """The result that `to_dict` wrote, of this class; `results.from_dict` takes any."""
        found = from_dict(written)
        if not isinstance(found, cls):
            fail("class", written["class"], f"that of a {cls.__qualname__}")
        return found

    def to_frame(self) -> Any:
        """A table of pandas, with a row for each number.

        Returns
        -------
        pandas.DataFrame
            Columns `quantity`; `index`, of the group or class: a number from 0, a tuple of them where an array has
            more dimensions, None for a single number; `value`; `half_width`, nan where nothing was simulated.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pandas = _optional("pandas", "to_frame")
        rows = [
            (name, (index if len(index) > 1 else index[0]) if index else None, value, half_width)
            for name, values, half_widths in _quantities(self)
            for (index, value), half_width in zip(np.ndenumerate(values), _or_nan(half_widths, values).flat)
        ]
        columns = ["quantity", "index", "value", "half_width"]
        table = pandas.DataFrame(rows, columns=columns).astype({"value": float, "half_width": float})
        # As objects, so that one quantity without an index does not make floats of the others' numbers.
        return table.assign(index=pandas.Series([row[1] for row in rows], dtype=object))

    def plot(self, *quantities: str, axes: Any = None) -> Any:
        """Draw quantities by group or class, as points, those simulated with their intervals.

        Parameters
        ----------
        *quantities : str
            By name; all that have a number for each group or class if none is given.
        axes : matplotlib.axes.Axes, optional
            Where to draw; new ones if not given.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If there is nothing to draw, or nothing of such a name.
        """
        found = {name: (values, widths) for name, values, widths in _quantities(self) if values.ndim == 1}
        if not found:
            fail("result", type(self).__qualname__, "one with a number for each group or class, for there to be points")
        chosen = [one_of("quantity", name, found) for name in quantities] or list(found)
        axes = _optional("matplotlib.pyplot", "plot").subplots()[1] if axes is None else axes
        for k, name in enumerate(chosen):
            values, widths = found[name]
            there = np.arange(len(values)) + SPREAD * ((k + 0.5) / len(chosen) - 0.5)
            shown = np.nan_to_num(_or_nan(widths, values), nan=0.0, posinf=0.0)  # none where exact, or of one run
            axes.errorbar(there, values, yerr=shown, fmt="o", capsize=3, label=name.replace("_", " "))
        most = max(len(found[name][0]) for name in chosen)
        axes.set_xticks(range(most) if most <= MOST_ROWS else [0, most - 1])
        axes.legend()
        return axes


def from_dict(written: Written) -> Any:
    """The result that its `to_dict` wrote. Nothing is run but the class that is named there.

    Parameters
    ----------
    written : dict

    Returns
    -------
    Result

    Raises
    ------
    ValueError
        If it is not such a dictionary, or the library has no such class.
    """
    if not isinstance(written, dict) or written.keys() != {"class", "fields", "attached", "call"}:
        fail("written", written, "a dictionary as to_dict writes it, with class, fields, attached and call")
    kind, given = named(written["class"]), written["fields"]
    if not (isinstance(kind, type) and issubclass(kind, Result)):
        fail("class", written["class"], "that of a result")
    if not isinstance(given, dict) or given.keys() != {field.name for field in fields(kind)}:
        fail("fields", given, "those of " + kind.__qualname__)
    if not isinstance(written["attached"], dict) or not all(name.startswith("_") for name in written["attached"]):
        fail("attached", written["attached"], "a dictionary of names that begin with _")
    result = kind(**{name: made(value, exact=True) for name, value in given.items()})
    for name, value in written["attached"].items():
        object.__setattr__(result, name, made(value, exact=True))
    if written["call"] is not None:
        object.__setattr__(result, "_call", Call.from_dict(written["call"]))
    return result


def _quantities(answer: Any, within: str = "") -> Iterator[tuple[str, FloatArray, FloatArray | None]]:
    """What is counted or measured in an answer: names, values, and half widths, None where exact."""
    for field in fields(answer):
        name, value = within + field.name, getattr(answer, field.name)
        if field.name in ("method", "error") or not field.repr:
            continue
        if hasattr(value, "half_width"):
            yield name, np.asarray(value.value), np.asarray(value.half_width)
        elif dataclasses.is_dataclass(value):
            yield from _quantities(value, f"{name}.")
        elif isinstance(value, (int, float, np.ndarray, np.generic)):
            yield name, np.asarray(value), None


def _or_nan(half_widths: FloatArray | None, values: FloatArray) -> FloatArray:
    return np.full(values.shape, np.nan) if half_widths is None else half_widths


def _table(answer: Result) -> Iterator[str]:
    """Lines: single numbers, then those by group or class under their numbers."""
    from clustershare.estimates import Estimate  # which asks here what is the same

    single: list[tuple[str, list[str]]] = []
    several: list[tuple[str, list[str]]] = []
    for name, values, half_widths in _quantities(answer):
        for index in itertools.islice(np.ndindex(values.shape[:-1]), MOST_ROWS):
            if half_widths is None:
                shown = [f"{value:.6g}" for value in np.atleast_1d(values[index])]
            else:
                pairs = zip(np.atleast_1d(values[index]), np.atleast_1d(half_widths[index]), strict=True)
                shown = [str(Estimate(value, half_width)) for value, half_width in pairs]
            (several if values.ndim else single).append(("".join([name, *(f"[{k}]" for k in index)]), _cut(shown)))
        if math.prod(values.shape[:-1]) > MOST_ROWS:
            several.append((f"{name} ...", []))
    if several:
        most = max((values for _, values, _ in _quantities(answer) if values.ndim), key=lambda one: one.shape[-1])
        several.insert(0, ("", _cut([str(k) for k in range(most.shape[-1])])))
    label = max((len(name) for name, _ in single + several), default=0)
    width = max((len(text) for _, shown in single + several for text in shown), default=0)
    for name, shown in single + several:
        yield "  ".join([f"{name:{label}s}", *(f"{text:>{width}s}" for text in shown)]).rstrip()


def _cut(texts: list[str]) -> list[str]:
    return texts if len(texts) <= MOST_COLUMNS else [*texts[: MOST_COLUMNS - 2], "...", texts[-1]]


def _optional(module: str, needed_by: str) -> ModuleType:
    """A module of a package that the models can do without."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise ImportError(f"{needed_by}() needs {package}, which is not installed here.") from error
