"""Faults put into what a claim's check runs, one in a fork of this process each, and what comes of the check.

While a check runs, it is seen which functions of the models and the pages are entered, how many calls away from the
check, on which lines they run, and which stored points are read. On these lines faults are drawn (see `fault_sites`),
near ones rather than far ones, by a seed that is the claim's own. Each is put into the function itself, wherever that
was imported: nothing is imported or compiled again, and no file is changed. What is compiled to machine code is at
fault in what it gives, and stored points in what is read.
"""

import contextlib
import faulthandler
import functools
import gc
import os
import pickle
import select
import signal
import sys
import time
import types
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
from numba.core.errors import NumbaError

from compendium.press import fault_sites
from compendium.press.fault_sites import RESULTS, Fault
from compendium.press.reaching import MODELS, PAGES, Given, known, sources
from compendium.study import points

STORED = "data.results"  # as the module of a fault in what is stored
ROWS = (*RESULTS, "each point's values at the point before")
LIMIT = {"times": 4, "seconds": 5, "bytes": 3 << 30}  # of a fault: so many times the check's own time, and some seconds

TURNED, FAILED, TOLD, NOTHING = "another verdict", "an error", "other words", "nothing"
NOTICED = (TURNED, FAILED)
UNENDED, VOID = "no end", "void"  # it took too long or too much; it changed nothing that was given, or could not be put


def _besides(module, function):
    """Whether no claim can be about a function: it shows a value, refuses an argument by its name, draws systems, or is
    defined within another."""
    if function is None:
        return True
    arguments = function.__code__.co_varnames[: function.__code__.co_argcount + function.__code__.co_kwonlyargcount]
    shown = function.__name__ in ("__post_init__", "__repr__", "__str__", "_repr_html_", "__hash__", "__eq__")
    draws = module.startswith(PAGES) and ("rng" in arguments or "default_rng" in function.__code__.co_names)
    return shown or arguments[:1] == ("name",) or draws


def candidates(run):
    """All faults that can be made in what a check ran, each with how likely it is to be drawn.

    A function is half as likely as one that is a call nearer, one of the pages half as likely as one of the models. In
    a function each operator is as likely as another, and so are its places.

    Parameters
    ----------
    run : Run

    Returns
    -------
    list of (Fault, float)
    """
    found = []
    here = known()
    for (module, name), far in sorted(run.far.items()):
        weight = 2.0 ** -max(far - 1, 0) / (1 if module.startswith(MODELS) else 2)
        if (module, name) in here.kernels:
            faults = [Fault(module, name, operator) for operator in RESULTS]
        elif any(_besides(module, one) for one in here.functions.get((module, name), [None])):
            continue
        else:
            faults = _sites(module, frozenset(run.lines[module])).get(name, [])
        found += _weighed(faults, weight)
    for study in sorted(run.studies):
        found += _weighed([Fault(STORED, study, operator) for operator in ROWS], 1.0)
    return found


@functools.lru_cache(maxsize=64)
def _sites(module, lines):
    return fault_sites.sites(sources(module)[0], module, lines)


def _weighed(faults, weight):
    alike = Counter(fault.operator for fault in faults)
    return [(fault, weight / len(alike) / alike[fault.operator]) for fault in faults]


def drawn(run, claim, seed=0):
    """The candidates in the order in which a claim tries them.

    Parameters
    ----------
    run : Run
    claim : str
    seed : int

    Returns
    -------
    list of Fault
    """
    every = candidates(run)
    rng = np.random.default_rng(np.random.SeedSequence([seed, *claim.encode()]))
    turns = rng.exponential(size=len(every)) / [weight for _, weight in every]
    return [every[k][0] for k in np.argsort(turns, kind="stable")]


class Void(Exception):
    """A fault that is none: its place is gone, or what is at fault gives the same."""


def put(fault):
    """Put a fault into this process, which is never the same again.

    Parameters
    ----------
    fault : Fault

    Raises
    ------
    Void
        If there is no such place.
    """
    if fault.module == STORED:
        _put_stored(fault)
        return
    if fault.operator in RESULTS:
        _put_result(fault)
        return
    source, file = sources(fault.module)
    code, functions = fault_sites.code(source, fault, file), known().functions[fault.module, fault.function]
    if code is None or not functions:
        raise Void("The place is gone.")
    for function in functions:
        function.__code__ = code


def _put_stored(fault):
    original = points._estimates

    def estimates(study, tasks, fidelity):
        found = original(study, tasks, fidelity)
        if study != fault.function:
            return found
        order = list(dict.fromkeys(tasks))
        if fault.operator in RESULTS:
            given = {
                task: {
                    name: {**each, "value": spoilt_values(each["value"], fault.operator, k)}
                    for name, each in found[task].items()
                }
                for k, task in enumerate(order)
            }
        else:
            given = {task: found[before] for task, before in zip(order, order[-1:] + order[:-1])}
            if any(_shape(given[task]) != _shape(found[task]) for task in order):
                raise Void("The points are not of one shape.")
        return given

    points._estimates = estimates


def spoilt_values(values, operator, turn=0):
    """Values of a stored quantity, spoilt as by `fault_sites.spoilt`; in every second turn as if one stood before."""
    values = np.atleast_1d(np.asarray(values, dtype=float))
    found = fault_sites.spoilt(np.append(values[:1], values), operator)[1:] if turn % 2 else None
    if found is None or operator == RESULTS[2]:
        found = fault_sites.spoilt(values, operator)
    return found.tolist()


def _shape(quantities):
    return {name: np.shape(each["value"]) for name, each in quantities.items()}


def _put_result(fault):
    def around(function):
        return lambda *arguments, **named: fault_sites.spoilt(function(*arguments, **named), fault.operator)

    kernel = known().kernels.get((fault.module, fault.function))
    if kernel is not None:  # wherever a module has it by name; kernels that call it have it within
        spoil = around(kernel)
        for module in list(sys.modules.values()):
            if getattr(module, "__name__", "").partition(".")[0] in (MODELS, PAGES):
                for name in [name for name, value in vars(module).items() if value is kernel]:
                    setattr(module, name, spoil)
        return
    functions = known().functions[fault.module, fault.function]
    if not functions:
        raise Void("The place is gone.")
    for function in functions:
        inner = types.FunctionType(
            function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
        )
        inner.__kwdefaults__ = function.__kwdefaults__
        _around(function, around(inner))


def _around(function, spoil):
    """Have a function, wherever it is known, do what another does. Its code may have no free variables of its own."""
    name = f"_spoilt_{id(function)}"
    function.__globals__[name] = spoil
    free = function.__code__.co_freevars
    text = f"lambda *a, **k: {name}(*a, **k)"
    if free:  # such as __class__
        text = (
            f"(lambda {', '.join(free)}: lambda *a, **k: ({', '.join(free)}, {name}(*a, **k))[-1])(*{[0] * len(free)})"
        )
    function.__code__ = eval(text, function.__globals__).__code__
    function.__defaults__ = function.__kwdefaults__ = None


def noticed(check, fault, expected, before, seconds, folder):
    """What comes of a check with a fault in what it runs, found in a fork of this process.

    Parameters
    ----------
    check : compendium.press.claims.Check
    fault : Fault
    expected : compendium.press.findings.Finding
        Without it.
    before : bytes
        The digest of what the check is given without it.
    seconds : float
        What the check takes.
    folder : str
        For points that are simulated anew.

    Returns
    -------
    str
        One of `TURNED`, `FAILED`, `TOLD`, `NOTHING`, `UNENDED`, `VOID`.
    """

    def work():
        try:
            put(fault)
            with Given(check.function.__module__) as given:
                found = check.function()
        except (Void, NumbaError):
            return VOID
        except MemoryError:
            return UNENDED
        except Exception:
            return FAILED
        if (found.verdict, found.part) != (expected.verdict, expected.part):
            return TURNED
        if given.digest() == before:
            return VOID
        return TOLD if found != expected else NOTHING

    return apart(work, LIMIT["seconds"] + LIMIT["times"] * seconds, folder, UNENDED)


def apart(work, seconds, folder=None, late=None):
    """What a function gives in a fork of this process.

    Parameters
    ----------
    work : callable
        Gives what can be pickled.
    seconds : float
        Of the processor that it may take, and of the clock four times as many.
    folder : str, optional
        For points that are simulated in it.
    late : object
        The answer where it took longer, or more memory than there is.

    Raises
    ------
    RuntimeError
        With what went wrong in it.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        _work(work, seconds, folder, writer)
    os.close(writer)
    text, end = b"", time.monotonic() + 4 * seconds
    with open(reader, "rb", buffering=0) as answer:
        while (left := end - time.monotonic()) > 0 and select.select([answer], [], [], left)[0]:
            if not (more := answer.read(1 << 16)):
                break
            text += more
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    if left <= 0 or not text:
        return late
    value, error = pickle.loads(text)
    if error:
        raise RuntimeError(error)
    return value


def _work(work, seconds, folder, writer):
    """All that a fork does: it never returns."""
    try:
        import resource  # not on Windows, where there are no forks either

        gc.disable()
        faulthandler.disable()  # a fault may write where it must not: that is noticed, and no news
        os.setsid()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        seconds = int(np.ceil(seconds))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (_size() + LIMIT["bytes"], resource.RLIM_INFINITY))
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        if folder:
            os.environ.update(COMPENDIUM_RESULTS=folder, COMPENDIUM_MOST="quick", LOKY_MAX_CPU_COUNT="1")
        warnings.simplefilter("ignore")
        with np.errstate(all="ignore"):
            try:
                text = pickle.dumps((work(), ""))
            except Exception as error:
                text = pickle.dumps((None, f"{type(error).__name__}: {error}"))
        while text:
            text = text[os.write(writer, text) :]
    finally:
        os._exit(0)


def _size():
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:  # not on Linux
        return 8 << 30
