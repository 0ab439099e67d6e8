"""What a check runs, seen by the hooks of tracing, and what it is given by what it calls."""

import functools
import gc
import hashlib
import importlib
import inspect
import re
import sys
import types
from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pandas as pd
from numba.core.dispatcher import Dispatcher

from compendium.study import points

MODELS, PAGES = "clustershare", "pages"
# What refuses, shows or draws decides nothing of a statement.
APART = {"arguments", "calls", "names", "progress", "plain", "figures", "diagrams", "checks"}
ASKING = {"checks", "library"}  # the rooms of pages that ask
MOST = {"calls": 25, "lines": 3000}  # looked at anew, of one function, while nothing new is seen


@dataclass
class Run:
    """What was seen while a check ran.

    Attributes
    ----------
    finding : compendium.press.findings.Finding
    lines : dict
        By module, the lines that were executed.
    far : dict
        By (module, qualified name) of functions of the models and the pages, how many calls from the check.
    studies : set of str
        Whose stored points were read.
    """

    finding: object = None
    lines: dict = field(default_factory=lambda: defaultdict(set))
    far: dict = field(default_factory=dict)
    studies: set = field(default_factory=set)


def about(module):
    """Whether a claim can be about what a module says."""
    package, *rest = module.split(".")
    return package in (MODELS, PAGES) and not APART.intersection(rest)


class _Watch:
    """Sees what a check runs, by the hooks of tracing."""

    def __init__(self):
        self.run, self.codes = Run(), {}

    def __enter__(self):
        sys.setprofile(self._kernel)
        sys.settrace(self._called)
        return self.run

    def __exit__(self, *_):
        sys.settrace(None)
        sys.setprofile(None)

    def _kernel(self, frame, event, _):  # numba tells of what is compiled by this hook alone
        if event == "call" and frame.f_code not in self.codes:
            self._called(frame, "call", None)

    def _called(self, frame, event, _):
        code = frame.f_code
        known = self.codes.get(code)
        if known is None:
            module = frame.f_globals.get("__name__", "") or ""
            inside = module.partition(".")[0] in (MODELS, PAGES)
            known = self.codes[code] = [module, code.co_qualname.split(".<locals>")[0], 0, 0, inside, None]
            if inside:
                known[5] = self._line(known, self.run.lines[module])
        if code is points.run.__code__:
            self.run.studies.add(frame.f_locals["study"])
        if not known[4]:
            return None
        if known[2] < MOST["calls"]:
            known[2] += 1
            self._far(frame, *known[:2])
        return known[5] if known[3] < MOST["lines"] else None

    def _far(self, frame, module, name):
        key, far = (module, name), 0
        if "checks" not in module.split("."):
            while frame := frame.f_back:
                caller = self.codes.get(frame.f_code)
                if caller and caller[4] and (caller[0], caller[1]) != key:
                    far = self.run.far.get((caller[0], caller[1]), 0) + 1
                    break
        self.run.far[key] = min(far, self.run.far.get(key, far))

    def _line(self, known, lines):
        def local(frame, event, _):
            if event == "line":
                if frame.f_lineno not in lines:
                    lines.add(frame.f_lineno)
                    known[3] = 0
                elif known[3] < MOST["lines"]:
                    known[3] += 1
                else:
                    frame.f_trace_lines = False
            return local

        return local


def watched(check):
    """Run a check, and see what it runs.

    Parameters
    ----------
    check : compendium.press.claims.Check

    Returns
    -------
    Run
    """
    with _Watch() as run:
        run.finding = check.function()
    run.far = {key: far for key, far in run.far.items() if about(key[0])}
    return run


class Given:
    """A digest of all that a check is given by what it calls, or a part's room, to seven digits.

    Of a record it is given the fields that its module names, wherever it does; a room, those that any room names.
    """

    def __init__(self, module):
        asks = [name for name in sys.modules if name.startswith(PAGES) and "library" in name.split(".")]
        modules = asks if module in asks else [module]
        self.named = set(re.findall(r"\w+", " ".join(sources(name)[0] for name in modules)))
        self.digest, self.kinds = hashlib.sha256(), {}

    def __enter__(self):
        sys.setprofile(self._returned)
        return self.digest

    def __exit__(self, *_):
        sys.setprofile(None)

    def _returned(self, frame, event, value):
        if event != "return" or self._kind(frame) != 2:
            return
        caller = frame.f_back
        while caller and not self._kind(caller):
            caller = caller.f_back
        if caller and self._kind(caller) == 1:
            self._add(value)

    def _kind(self, frame):
        """0 of what is not of the project, 1 of checks, 2 of the rest."""
        kind = self.kinds.get(frame.f_code)
        if kind is None:
            package, *rest = (frame.f_globals.get("__name__") or "").split(".")
            ours = package in (MODELS, PAGES, "compendium")
            kind = 0 if not ours else 1 if package == PAGES and ASKING.intersection(rest) else 2
            self.kinds[frame.f_code] = kind
        return kind

    def _add(self, value, depth=6):
        if isinstance(value, (bool, int, str, bytes, np.integer, np.bool_)) or value is None:
            self.digest.update(repr(value).encode())
        elif isinstance(value, (float, np.floating)):
            self.digest.update(np.float32(value).tobytes())
        elif isinstance(value, np.ndarray):
            numbers = value.astype(np.float32) if value.dtype.kind == "f" else value
            self.digest.update(numbers.tobytes() if value.dtype.kind in "fiub" else repr(value).encode())
        elif not depth:
            return
        elif isinstance(value, pd.DataFrame):
            for name in value:
                self._add(value[name].to_numpy(), depth - 1)
        elif isinstance(value, (tuple, list)):
            for each in value:
                self._add(each, depth - 1)
        elif isinstance(value, dict):
            for key, each in value.items():
                self._add(key, depth - 1)
                self._add(each, depth - 1)
        elif not isinstance(value, (type, types.FunctionType, types.ModuleType)):
            for name, each in list(getattr(value, "__dict__", {}).items()):
                if name in self.named and each is not value:
                    self._add(each, depth - 1)


class Known(NamedTuple):
    """What there is in this process of the models and the pages.

    Attributes
    ----------
    functions : dict
        By (module, qualified name) the functions of modules and the methods: several where one name is defined again.
    kernels : dict
        By the same what is compiled.
    memories : list
        What functions remember.
    """

    functions: dict
    kernels: dict
    memories: list

    def forget(self):
        """Let all functions forget what they remember: a fault must meet them anew."""
        for one in self.memories:
            one.cache_clear()


_of = [0, None]  # how many modules there were, and what was known then


def known():
    """What there is in this process, found anew where modules were imported since.

    Returns
    -------
    Known
    """
    if _of[0] != len(sys.modules):
        gc.unfreeze()  # or it would not be seen
        found = Known(defaultdict(list), {}, [])
        for one in gc.get_objects():
            kind = type(one)  # `isinstance` would ask a proxy for what it stands for, which may be gone
            if issubclass(kind, functools._lru_cache_wrapper):
                if (one.__module__ or "").partition(".")[0] in (MODELS, PAGES):
                    found.memories.append(one)
            elif issubclass(kind, types.FunctionType):
                place = one.__module__ or "", one.__qualname__
                if about(place[0]) and one.__code__.co_qualname == place[1]:  # not what a decorator put around it
                    found.functions[place].append(one)
            elif issubclass(kind, Dispatcher) and about(one.py_func.__module__):
                found.kernels[one.py_func.__module__, one.py_func.__qualname__] = one
        gc.freeze()  # forks share what none of them touches
        _of[:] = len(sys.modules), found
    return _of[1]


@functools.cache
def sources(module):
    """The text of a module, and its file."""
    found = importlib.import_module(module)
    return inspect.getsource(found), found.__file__
