"""What an answer remembers of how it was asked for, so that it can be asked for again."""

import functools
import importlib
import inspect
import pickle
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NoReturn, ParamSpec, TypeVar

import numpy as np

from clustershare import __version__
from clustershare.arguments import fail, one_of, shortened
from clustershare.plain import MODULES, made, plain
from clustershare.typing import Written

P = ParamSpec("P")
R = TypeVar("R")

_known: dict[str, Callable[..., Any]] = {}  # functions whose answers remember, by public name


@dataclass(frozen=True)
class LeftOut:
    """Stands where an argument could not be kept: a function of the user's own, say.

    Attributes
    ----------
    shown : str
        How it looked.
    """

    shown: str


@dataclass(frozen=True, eq=False)
class Call:
    """A call of a public function.

    Attributes
    ----------
    function : str
        Its public name, such as "uniprocessor.exact".
    arguments : dict
        As given, by name; sequences are copies.
    run : dict
        What was given of `jumps`, `seed` and so on.
    version : str
        Of the library.
    place : int or None
        Of the answer, where the function gives several.
    """

    function: str
    arguments: dict[str, Any]
    run: dict[str, Any]
    version: str
    place: int | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "arguments": _kept(self.arguments, pickle.dumps), "run": _kept(self.run, pickle.dumps)}

    def __deepcopy__(self, memo: object) -> "Call":
        return self

    def repeat(self, changes: dict[str, Any]) -> Any:
        """The answer of the same call, or of one with other arguments.

        Raises
        ------
        ValueError
            If an argument was left out, and is not among the changes.
        """
        arguments = {**self.arguments, **self.run, **changes}
        for name, value in arguments.items():
            if isinstance(value, LeftOut):
                fail(name, value.shown, "given to again(), for it could not be written down with the result")
        found = _function(self.function)(**arguments)
        return found if self.place is None else found[self.place]

    def to_dict(self) -> Written:
        """The call as a dictionary that can be written as JSON; what cannot be is left out, and shown."""
        arguments, run = (_written(given) for given in (self.arguments, self.run))
        return {
            "function": self.function, "arguments": arguments, "run": run, "version": self.version, "place": self.place,
        }  # fmt: skip

    @classmethod
    def from_dict(cls, written: Written) -> "Call":
        """The call that `to_dict` wrote; sequences come back as tuples."""
        try:
            arguments, run = (_read(written[part]) for part in ("arguments", "run"))
            name, version, place = written["function"], written["version"], written["place"]
        except (TypeError, KeyError, AttributeError):
            fail("call", written, "a dictionary with function, arguments, run, version and place")
        _function(name)
        return cls(name, arguments, run, version, place)


def _kept(given: dict[str, Any], write: Callable[[Any], object]) -> dict[str, Any]:
    """Values by name as far as they can be written, and what stands for others."""
    return {name: _or_left_out(value, write) for name, value in given.items()}


def _written(given: dict[str, Any]) -> Written:
    return {
        name: {"left_out": value.shown} if isinstance(value, LeftOut) else plain(value)
        for name, value in _kept(given, plain).items()
    }


def _read(written: Written) -> dict[str, Any]:
    return {
        name: LeftOut(value["left_out"]) if isinstance(value, dict) and "left_out" in value else made(value)
        for name, value in written.items()
    }


def _or_left_out(value: Any, write: Callable[[Any], object]) -> Any:
    if value is None or isinstance(value, (str, int, float, np.ndarray, LeftOut)):
        return value
    try:
        write(value)
    except Exception:  # pickle raises what it likes
        return LeftOut(_shown(value))
    return value


def _shown(value: Any) -> str:
    return shortened(" ".join(repr(value).split()), 80)


def _function(name: str) -> Callable[..., Any]:
    room = name.partition(".")[0] if isinstance(name, str) else name
    importlib.import_module(f"clustershare.{one_of('module', room, MODULES)}")
    return _known[one_of("function", name, _known)]


def remembered(function: Callable[P, R]) -> Callable[P, R]:
    """A function or method whose results remember its arguments, so that they can be asked for again.

    Parameters
    ----------
    function : callable
        Gives a `clustershare.results.Result`, or a tuple of them.

    Returns
    -------
    callable

    Examples
    --------
    >>> from clustershare import uniprocessor
    >>> uniprocessor.exact("PS", (0.5, 0.5), arrival_rates=(0.4, 0.4)).arguments
    {'policy': 'PS', 'required_shares': (0.5, 0.5), 'arrival_rates': (0.4, 0.4)}
    """
    signature = inspect.signature(function)

    @functools.wraps(function)
    def asked(*args: P.args, **kwargs: P.kwargs) -> R:
        answer = function(*args, **kwargs)
        remember(answer, asked, signature.bind(*args, **kwargs).arguments)
        return answer

    known(asked)
    return asked


def known(function: Callable[..., Any]) -> None:
    """Let a function be found by its public name.

    Parameters
    ----------
    function : callable
        As it is public: the decorated one.
    """
    _known[_name(function)] = function


def remember(answer: Any, function: Callable[..., Any], arguments: dict[str, Any]) -> None:
    """Write a call to its answer, or to each of several.

    Parameters
    ----------
    answer : clustershare.results.Result or tuple of them
    function : callable
    arguments : dict
        As given, by name; `run` holds further ones.
    """
    given = {name: _copy(value) for name, value in arguments.items() if name != "run"}
    call = Call(_name(function), given, _copy(arguments.get("run", {})), __version__)
    for k, one in enumerate(answer) if isinstance(answer, tuple) else [(None, answer)]:
        object.__setattr__(one, "_call", replace(call, place=k))


def _name(function: Callable[..., Any]) -> str:
    return f"{function.__module__.split('.')[1]}.{function.__qualname__}"


def _copy(value: Any) -> Any:
    """A value that stays when the caller changes what was given; no earlier answer, which may remember another."""
    if hasattr(value, "_call"):
        return LeftOut(_shown(value))
    if isinstance(value, np.ndarray):
        return value.copy()
    if type(value) in (list, tuple, set):
        return type(value)(map(_copy, value))
    return {key: _copy(entry) for key, entry in value.items()} if type(value) is dict else value


def forgotten() -> NoReturn:
    """Raise the sentence for a result that no public function gave."""
    raise ValueError("This result does not know how it was asked for: no public function of the library gave it.")
