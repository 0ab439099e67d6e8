"""Every public function of some rooms is called with every wrong value for every argument: it answers in a sentence.

A valid call is taken from the function's own docstring, and one argument of it is replaced at a time.
"""

import ast
import contextlib
import dataclasses
import doctest
import functools
import importlib
import inspect
import io
import pkgutil
import re
import signal
import warnings

import numpy as np
import pytest

import clustershare
from clustershare.cluster_chain import Sizing
from clustershare.delivery import Delivery
from clustershare.estimates import Estimate
from clustershare.execution import Trace
from clustershare.interruptions import Event
from clustershare.multiprocessor import Schedule
from clustershare.records import Records, SizeClasses
from clustershare.results import Result
from clustershare.run_length import RunLength
from clustershare.uniprocessor import WholeLine

# Of the models, for one another.
TOOLS = {"arguments", "calls", "compiled", "markov", "names", "plain", "results", "run_length", "settling", "typing"}
TOOLS |= {"precision", "progress", "truncation"}
ROOMS = sorted({module.name for module in pkgutil.iter_modules(clustershare.__path__)} - TOOLS)
# What functions give; nobody makes them by hand.
ANSWERS = (
    Result, Delivery, Estimate, Event, Records, Schedule, SizeClasses, Sizing, Trace, WholeLine, Exception,
)  # fmt: skip
MEANT = {  # values that are right there
    ("splitting.approximate_capacity_loss", "rounds"): None,
    ("delivery.deliver", "group_of_job"): [],
    ("interruptions.served", "queue"): [],
    ("interruptions.trace", "present"): [],
    ("interruptions.trace_with_steps", "present"): [],
    ("interruptions.trace_with_steps", "steps"): [],
    ("multiserver.state_rates", "classes_in_order"): [],
    ("multiserver.stationary_measure", "classes_in_order"): [],
    ("dispatch.combinations", "sizes"): [],
    ("partitions.partitioned_feasible_share", "jobs"): [],
    ("shares.feasible_group_share", "jobs"): [],
    ("shares.maximum_obtainable_share", "jobs"): [],
    ("shares.group_share_deviation", "obtained"): [],
    ("shares.job_share_deviation", "obtained"): [],
}
# A number there is an array of no dimension.
OF_ANY_SHAPE = {"routing.transfer_response_time", "shares.feasible_group_share", "shares.group_share_deviation"}
WRONG = (
    None, "abc", float("nan"), float("inf"), -1, True, 10**15, 10**400, 1j, [], [[1], [2, 3]], object(), b"x", {},
    "x" * 5000,
)  # fmt: skip
RUN = {field.name: field.default for field in dataclasses.fields(RunLength)}
WISHES = {"until": None, "seconds": None, "progress": False}  # of simulators, whose length is given here
SECONDS, LONGEST = 60, 400  # of this process, which may have to compile


def public(room):
    """The functions and classes of a room, by name."""
    module = importlib.import_module(f"clustershare.{room}")
    own = [(name, one) for name, one in vars(module).items() if not name.startswith("_") and callable(one)]
    own = [(name, one) for name, one in own if one.__module__.startswith(module.__name__)]
    return {name: one for name, one in own if not (inspect.isclass(one) and issubclass(one, ANSWERS))}


def _value(expression, known):
    return eval(compile(ast.Expression(expression), "", "eval"), known)


def valid_call(name, function):
    """The arguments of the first call of a function in its docstring, by name; None if it shows none."""
    known = {**vars(inspect.getmodule(inspect.unwrap(function))), "np": np}
    for example in doctest.DocTestParser().get_examples(inspect.getdoc(function) or ""):
        if (found := _call_in(example, name, function, known)) is not None:
            return found
        with contextlib.redirect_stdout(io.StringIO()):
            # A short run does: what it finds is of no interest here.
            exec(re.sub(r"jumps=[\d_]+(, warmup=\d+)?", "jumps=1000, warmup=100", example.source), known)
        if (found := _call_in(example, name, function, known)) is not None:  # with the last value of a loop's variable
            return found
    return None


def _call_in(example, name, function, known):
    for node in ast.walk(ast.parse(example.source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == name:
            with contextlib.suppress(NameError):
                given = [_value(one, known) for one in node.args]
                named = {}
                for one in node.keywords:
                    named |= {one.arg: _value(one.value, known)} if one.arg else _value(one.value, known)
                bound = inspect.signature(function).bind(*given, **named).arguments
                return {**bound.pop("run", {}), **bound}
    return None


FUNCTIONS = {
    f"{room}.{name}": one for room in ROOMS for name, one in public(room).items() if inspect.signature(one).parameters
}


@functools.cache
def first_call(name):
    """The arguments of the first call that a function shows. When asked for: what it shows before may compile."""
    return valid_call(name.partition(".")[2], FUNCTIONS[name])


def likenesses(valid):
    """What looks like a valid number or array of numbers, and is none: text, complex, truth values, times, masks."""
    try:
        numbers = np.array(valid, dtype=float)
    except (TypeError, ValueError):
        return []
    if isinstance(valid, (bool, str)) or not numbers.size or not np.isfinite(numbers).all():
        return []
    other = [numbers.astype(kind) for kind in (str, complex, bool, "m8[s]")]
    if numbers.ndim == 0:
        return [np.array(valid), np.ma.array(valid), *(one[()] for one in other)]
    masked = np.ma.array(numbers, mask=np.arange(numbers.size).reshape(numbers.shape) == 0)
    return [masked, [*masked], *other, *([*one] for one in other)]


def _same(value, other):
    return type(value) is type(other) and repr(value) == repr(other)


def _may_be_right(value, valid):
    """Whether a value need not be wrong where another is valid: a number for a number, True for False."""
    if isinstance(value, bool):
        return isinstance(valid, bool)
    return isinstance(value, (int, float)) and value == value and not isinstance(valid, (bool, str))


@pytest.fixture
def patience():
    """A call that hangs is broken off."""
    before = signal.signal(signal.SIGPROF, lambda *_: (_ for _ in ()).throw(TimeoutError()))
    yield lambda: signal.setitimer(signal.ITIMER_PROF, SECONDS)
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.signal(signal.SIGPROF, before)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no alarms on this system")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_wrong_value_gets_a_sentence(name, patience):
    function, valid = FUNCTIONS[name], first_call(name)
    assert valid is not None, "its docstring shows no call"
    found = []
    defaults = {one.name: one.default for one in inspect.signature(function).parameters.values()}
    if "run" in defaults:
        defaults |= RUN | (WISHES if function.__name__.startswith("simulate") else {})
    for argument, default in defaults.items():
        if argument == "name":  # that of an argument, in two checks which other packages call
            continue
        for value in (*WRONG, *likenesses(valid.get(argument, default))):
            meant = (valid.get(argument), default, MEANT.get((name, argument), "none"))
            if argument in {"jumps", "warmup"} and value == 10**15:  # right, and takes as long as it says
                continue
            if value is True and valid.get(argument, default) is False:  # right too, and compiles another simulator
                continue
            if any(_same(value, one) for one in meant) or name in OF_ANY_SHAPE and getattr(value, "ndim", 1) == 0:
                continue
            patience()
            try:
                with warnings.catch_warnings(action="ignore"):
                    function(**{**valid, argument: value})
            except ValueError as error:
                if "\n" in str(error) or len(str(error)) > LONGEST:
                    found.append(f"{argument}={value!r:.20}: {str(error)[:200]}")
            except Exception as error:
                found.append(f"{argument}={value!r:.20}: {type(error).__name__}: {str(error)[:200]}")
            else:
                if not _may_be_right(value, valid.get(argument, default)):
                    found.append(f"{argument}={value!r:.20}: accepted")
    assert found == []
