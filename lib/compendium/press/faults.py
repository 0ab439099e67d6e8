"""Faults made by machine in what a claim's check runs, and whether the check notices: ``data/proofs/faults.csv``.

While a check runs, it is seen which functions of the models and the pages are entered, how many calls away from the
check, on which lines they run, and which stored points are read. On these lines faults are drawn (see `fault_sites`),
near ones rather than far ones, by a seed that is the claim's own. Each is put into the function itself, wherever that
was imported, in a fork of this process: nothing is imported or compiled again, and no file is changed. What is compiled
to machine code is at fault in what it gives, and stored points in what is read.

A fault counts if it reaches the check: if something that the check is given by models and pages is another value. It is
noticed if the verdict is another one, or the part of the statement that it grants, or if the check ends in an error.
That a fault is not noticed does not condemn a check: not every fault makes the statement wrong. A check that notices
few is one to be read.
"""

import contextlib
import csv
import functools
import gc
import json
import os
import pickle
import select
import shutil
import signal
import sys
import tempfile
import time
import types
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
from numba.core.errors import NumbaError

from compendium import places
from compendium.press import claims, fault_sites, proofs, scorecard
from compendium.press.fault_sites import RESULTS, Fault
from compendium.press.kept import Kept
from compendium.press.reaching import MODELS, PAGES, Given, known, sources, watched
from compendium.progress import progress
from compendium.side_by_side import side_by_side
from compendium.study import points

NUMBER = 8  # faults of a claim: with so many, all claims take less than two hours on two cores
KEPT = Kept("faults", ("claim", "digest", "seconds", "tried", "turned", "failed", "told", "unended", "seen", "unseen"))
SHOWN = 3  # faults of a kind that are kept by name

STORED = "data.results"  # as the module of a fault in what is stored
ROWS = (*RESULTS, "each point's values at the point before")
LIMIT = {"times": 4, "seconds": 5, "bytes": 3 << 30}  # of a fault: so many times the check's own time, and some seconds

TURNED, FAILED, TOLD, NOTHING = "another verdict", "an error", "other words", "nothing"
NOTICED = (TURNED, FAILED)
SHARES = ("none", "less than half", "half or more", "every fault", "no fault reaches it")  # how much a claim notices
UNREAD = "not read yet"
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


def judged(identifier, number=NUMBER, seed=0, again=()):
    """How many faults a claim notices.

    Parameters
    ----------
    identifier : str
    number : int
        Of faults tried.
    seed : int
        Of the draw, beside the claim's own.
    again : sequence of str
        Faults by name, tried beside those that are drawn, where their places are still there.

    Returns
    -------
    outcomes : dict
        Of each `Fault` that was tried, in their order, what came of it: none is void.
    seconds : float
        Of the check itself.
    """
    check = claims.checks(identifier)[identifier]
    check.function()  # what is compiled is read, and what is stored
    known().forget()
    with tempfile.TemporaryDirectory() as folder:

        def look():
            began = time.process_time()
            with Given(check.function.__module__) as given:
                found = check.function()
            return found, given.digest(), time.process_time() - began

        expected, before, seconds = apart(look, 3600, folder)
        run = apart(lambda: watched(check), 3600, folder)
        if run is None or run.finding != expected:
            raise RuntimeError(f"{identifier}: its check finds something else each time.")
        outcomes = {}
        waiting = drawn(run, identifier, seed)
        named = [fault for fault in waiting if str(fault) in again]
        for fault in (*named, *waiting):
            if len(outcomes) == number + len(named):
                break
            if fault not in outcomes:
                place = tempfile.mkdtemp(dir=folder)
                outcome = noticed(check, fault, expected, before, seconds, place)
                shutil.rmtree(place)
                if outcome != VOID:
                    outcomes[fault] = outcome
    return outcomes, seconds


def row(identifier, number=NUMBER):
    """The line of a claim in ``data/proofs/faults.csv``."""
    outcomes, seconds = judged(identifier, number)
    counts = Counter(outcomes.values())
    seen = [str(fault) for fault, outcome in outcomes.items() if outcome in NOTICED]
    unseen = [str(fault) for fault, outcome in outcomes.items() if outcome in (NOTHING, TOLD)]
    proof = proofs.KEPT.rows().get((identifier,), {"files": ""})
    function = claims.checks(identifier)[identifier].function
    return {
        "claim": identifier, "digest": proofs.digest(function, proof["files"].split()), "seconds": f"{seconds:.2g}",
        "tried": len(outcomes) - counts[UNENDED], "turned": counts[TURNED], "failed": counts[FAILED],
        "told": counts[TOLD], "unended": counts[UNENDED],
        "seen": json.dumps(seen[:SHOWN], ensure_ascii=False), "unseen": json.dumps(unseen[:SHOWN], ensure_ascii=False),
    }  # fmt: skip


def survey(identifiers=(), number=NUMBER, stale=False):
    """Make faults for claims, side by side, and keep what comes of them as it comes.

    Parameters
    ----------
    identifiers : sequence of str
        All claims if none is given.
    number : int
        Of faults for each.
    stale : bool
        Only for claims whose line is not of today's code.

    Yields
    ------
    dict
        The line of a claim.
    """
    chosen = [check.identifier for check in proofs.chosen(identifiers)]
    if stale:
        kept = current()
        chosen = [one for one in chosen if one not in kept]
    order = [(one["id"],) for one in claims.table()]
    if not chosen:
        return
    with progress(total=len(chosen), desc="claims", unit="claim") as shown:
        for found in side_by_side(functools.partial(row, number=number), chosen):
            KEPT.keep([found], lambda every: order)
            shown.update()
            yield found


def number(line):
    """How many faults were noticed, of a kept line."""
    return int(line["turned"]) + int(line["failed"])


def names(text):
    """The names of the faults in a field of a kept line."""
    return json.loads(text)


def current():
    """The kept lines that are of today's checks, as far as the proofs of the claims are: by claim."""
    of_proofs = proofs.KEPT.rows()
    return {key[0]: line for key, line in KEPT.rows().items() if line["digest"] == of_proofs.get(key, line)["digest"]}


def share(line):
    """How much a claim notices, in words.

    Examples
    --------
    >>> share({"tried": "8", "turned": "3", "failed": "1"}), share({"tried": "0", "turned": "0", "failed": "0"})
    ('half or more', 'no fault reaches it')
    """
    tried, noticed = int(line["tried"]), number(line)
    if not tried:
        return SHARES[4]
    if noticed < tried:
        return SHARES[2 if 2 * noticed >= tried else min(noticed, 1)]
    return SHARES[3]


def enough(line):
    """Whether a claim notices so many faults that nobody need read it."""
    return share(line) in SHARES[2:4]


def unread():
    """The claims of which nobody has said yet why they need not notice more."""
    return [name for (name,), line in KEPT.rows().items() if not enough(line) and name not in reasons()]


def reasons():
    """Why claims that notice less than half of their faults need not: by claim, from ``data/unnoticed.csv``."""
    with open(places.DATA / "unnoticed.csv", newline="", encoding="utf-8") as file:
        return {row["claim"]: row["reason"] for row in csv.DictReader(file)}


def _least(line):
    return SHARES.index(share(line)), number(line) / max(int(line["tried"]), 1)


def report():
    """Each claim with the faults that were tried and those it notices, as a table: those that notice least first."""
    pages, read = {row["id"]: row for row in claims.table()}, reasons()
    lines = [line for (name,), line in KEPT.rows().items() if name in pages]
    rows = [
        (
            (line["claim"], scorecard.place(pages[line["claim"]])), f"{number(line)} of {line['tried']}", line["told"],
            "; ".join(names(line["unseen"])), share(line), read.get(line["claim"], "" if enough(line) else UNREAD),
        )
        for line in sorted(lines, key=_least)
    ]  # fmt: skip
    head = ("claim", "noticed", "told in other words", "not noticed, among others", "notices", "why no more")
    return claims.Table(head, rows, "claims scorecard")


def totals():
    """Claims, faults and how many were noticed, by chapter: a table."""
    found = {}
    for line in KEPT.rows().values():
        source, chapter, *rest = line["claim"].split("-")
        found.setdefault(f"{source}, Chapter {chapter}" if rest else source, []).append(line)
    rows = []
    for chapter, lines in found.items():
        told = Counter(map(share, lines))
        rows.append(
            (chapter, len(lines), sum(int(line["tried"]) for line in lines), sum(map(number, lines)),
             *(told[name] for name in SHARES))
        )  # fmt: skip
    return claims.Table(("source", "claims", "faults", "noticed", *SHARES), rows)
