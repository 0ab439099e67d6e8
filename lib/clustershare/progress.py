"""What is shown to whoever waits: how far a simulation has come, or for how long a solver has been at it."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from clustershare.arguments import truth
from clustershare.compiled import interrupts

if TYPE_CHECKING:
    from clustershare.run_length import RunLength

P = ParamSpec("P")
R = TypeVar("R")
EVERY = 0.2  # seconds between two looks at what is done
BETWEEN_LINES = 10.0  # seconds, where lines stand one under another


@contextlib.contextmanager
def shown(
    what: str, total: float | None = None, unit: str = "", done: Callable[[], float] = lambda: 0.0
) -> Iterator[None]:
    """Show on standard error, from a thread beside, what is done within a ``with`` block.

    On a terminal and in a notebook it is a bar of tqdm, if that is installed; elsewhere a line at the end, and one in
    10 s before. With ``TQDM_DISABLE`` set nothing is shown.

    Parameters
    ----------
    what : str
    total : float, optional
        Of what there is to be done; if not given, only the time that has gone by is shown.
    unit : str
    done : callable
        So much is done.

    Examples
    --------
    >>> with shown("looking", 4, "stones", lambda: 2):  # doctest: +SKIP
    ...     pass
    looking: 4.00 of 4 stones, 0 s
    """
    if os.environ.get("TQDM_DISABLE"):
        yield
        return
    line = _line(what, total, unit)
    over = threading.Event()

    def look():
        while not over.wait(EVERY):
            line.show(min(done(), total) if total else 0)

    beside = threading.Thread(target=look, daemon=True)
    beside.start()
    try:
        yield
        ended = total
    except BaseException:
        ended = None
        raise
    finally:
        over.set()
        beside.join()
        line.close(ended)


def of_run(what: str, length: RunLength, steps: float = 1.0) -> contextlib.AbstractContextManager[None]:
    """The same for a simulation: replications, and how much of the one that is running, from the events in all.

    Parameters
    ----------
    what : str
    length : clustershare.run_length.RunLength
    steps : float
        That the compiled code counts for each jump.
    """
    each, before = (length.warmup + length.jumps) * steps, interrupts.done.value
    return shown(what, length.replications, "replications", lambda: (interrupts.done.value - before) / each)


def waited_for(function: Callable[P, R]) -> Callable[P, R]:
    """A function whose argument `progress`, if true, has the time shown that it takes, while it works.

    Examples
    --------
    >>> @waited_for
    ... def twice(x, *, progress=False):
    ...     return 2 * x
    >>> twice(2, progress=True)  # doctest: +SKIP
    twice: 0 s
    4
    """

    @functools.wraps(function)
    def waited(*args: P.args, **kwargs: P.kwargs) -> R:
        with shown(function.__name__) if truth("progress", kwargs.pop("progress", False)) else contextlib.nullcontext():
            return function(*args, **kwargs)

    return waited


def _line(what, total, unit):
    bars = sys.stderr.isatty() or type(sys.stderr).__module__.startswith("ipykernel.")
    if bars:
        with contextlib.suppress(ImportError):
            return _Bar(what, total, unit)
    return _Lines(what, total, unit)


class _Bar:
    """A bar of tqdm."""

    def __init__(self, what, total, unit):
        from tqdm import tqdm

        form = "{desc}: {percentage:3.0f}%|{bar}| {n:.2f}/{total} {unit} [{elapsed}<{remaining}]"
        self.total = total
        form = form if total else "{desc}: {elapsed}"
        self.bar = tqdm(desc=what, total=total, unit=unit, bar_format=form, disable=False)

    def show(self, done):
        self.bar.n = done
        self.bar.refresh()

    def close(self, done):
        if done is not None:
            self.bar.n = done
        self.bar.close()


class _Lines:
    """Lines one under another, which a log can bear."""

    def __init__(self, what, total, unit):
        self.what, self.of = what, f" of {total:g} {unit}" if total else ""
        self.began = self.last = time.monotonic()

    def show(self, done):
        if time.monotonic() - self.last >= BETWEEN_LINES:
            self.last = time.monotonic()
            self.write(done)

    def write(self, done):
        passed = f"{time.monotonic() - self.began:.0f} s"
        said = f"{done:.2f}{self.of}, {passed}" if self.of else passed
        print(f"{self.what}: {said}", file=sys.stderr, flush=True)

    def close(self, done):
        if done is not None or not self.of:
            self.write(done)
