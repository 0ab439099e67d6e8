"""Every public function of the models, called with values that are extreme but may be right: nothing may go wrong.

    python tests/clustershare/extremes.py [--seed SEED] [--calls CALLS] [--all] [NAME ...]

There is an answer of which all holds that `answers` asks for, or else one sentence. The calls are those of the
docstrings, made extreme, in a process that may die of them.
"""

import argparse
import contextlib
import dataclasses
import fractions
import inspect
import itertools
import multiprocessing
import numbers
import os
import re
import resource
import signal
import sys
import traceback
import warnings
from pathlib import Path

import numpy as np
from numba.core.dispatcher import Dispatcher

import answers
from clustershare import sizes
from clustershare.arrivals import Batches, Bursts, MarkovModulated, Periodic, Renewal
from clustershare.results import NoExactAnswer
from compendium.garbage import look_seldom
from test_wrong_arguments import FUNCTIONS, LONGEST, first_call

SECONDS, ROOM = 300, 2 * 2**30  # for each call: of the processor's time, and of memory beside what the process has
REALS = (0.0, 1e-300, 1e-15, 1e-9, 0.5, 1 - 1e-9, 1 - 1e-15, 1.0, 1 + 1e-9, 1e15, 1e300)
WHOLES = (0, 1, 2, 7, 100, 10**4, 10**6, 2**31, 2**53 + 1, 2**62, 2**63 - 1)
SMALL_PARTS = (0.0, 1e-300, 1e-15, 1e-12, 1e-9, 1e-6)
LONG = 10**5
RUN = {"jumps": 200, "warmup": 20, "replications": 2, "seed": 1}  # a longer run takes longer, and that is all
RUNS = {"jumps": (1, 7), "warmup": (0, "auto"), "replications": (1,), "seed": (2**63 - 1,)}
PART = 18  # one in so many functions is called in a run that names none: others in the next
WIDTHS = (1e-300, 1e-6, 0.3, 1e15, "1e-300%", "30%", "1e300%")  # of intervals, for which a run has this time:
SHORT = 0.1  # seconds
LAWS = (
    sizes.Exponential(2.0), sizes.Deterministic(2.0), sizes.Pareto(3.0, 1.5), sizes.bimodal_hyperexponential(),
    sizes.ErlangMixture(0.5, (2, 3), (0.5, 0.5)), sizes.HyperErlang((0.5, 2.0), (2, 1), (0.5, 0.5)),
    sizes.Weibull(2.0, 0.5), sizes.LogNormal(2.0, 3.0), sizes.Gamma(2.0, 0.5), sizes.Empirical([1.0, 2.0, 5.0]),
)  # fmt: skip
PROCESSES = (
    Renewal(sizes.Pareto(1.0, 1.5)), MarkovModulated((0.5, 3.0), ((0.0, 0.25), (1.0, 0.0))),
    Periodic((1.5, 0.5), (2.0, 2.0)), Batches((0.5, 0.0, 0.5)), Batches((0.5, 0.5), Periodic((2.0, 0.0), (1.0, 1.0))),
)  # fmt: skip
OPTIONAL = {  # what may be given where the docstring's first call gives nothing
    "sizes": LAWS[0], "service": LAWS[0], "tracker": LAWS[0], "setup": LAWS[0], "arrivals": Bursts((0.5, 3.0), (4, 1)),
    "capacities": (0.5, 0.5), "weights": (1.0, 2.0), "costs": (1.0, 2.0), "permanent_jobs": (0, 1), "most_jobs": 20,
    "probe_period": 1.0, "tolerance": 1e-6, "most": 9, "start": (0.05, 0.05, 0.0), "placement": (0, 1),
    "tracker_rate": 5.0,
}  # fmt: skip


# --- The calls --------------------------------------------------------------------------------------------------------


def variants(value):
    """Extreme values of a value's kind, and the value with a part that is extreme."""
    if isinstance(value, sizes.JobSize):
        for law in LAWS:
            yield law
            yield from _with_extreme_field(law)
        yield from (list(LAWS[:several]) for several in (2, 3))  # one a class
    elif isinstance(value, Bursts):  # of whatever takes them
        for process in (value, *PROCESSES):
            yield process
            yield from _with_extreme_field(process)
    elif dataclasses.is_dataclass(value):
        yield from _with_extreme_field(value)
    elif isinstance(value, np.ndarray):
        for one in variants(value.tolist()):
            with contextlib.suppress(OverflowError):  # an integer array
                yield np.array(one, value.dtype)
    elif isinstance(value, dict):
        for key in {min(value), max(value)}:
            yield from (value | {key: one} for one in variants(value[key]))
            rest = {other: part for other, part in value.items() if other != key}
            yield from (rest | {one: value[key]} for one in variants(key))
    elif isinstance(value, (list, tuple)) and value:
        yield from map(type(value), _with_extreme_entry(list(value)))
    elif isinstance(value, (bool, np.bool_)):
        yield not value
    elif isinstance(value, numbers.Integral):
        yield from (*WHOLES, *REALS[1:3])
    elif isinstance(value, fractions.Fraction):
        yield from map(fractions.Fraction, (*REALS[:5], 1, 10**300))
    elif isinstance(value, numbers.Real):
        yield from REALS


def _with_extreme_field(value):
    for field in dataclasses.fields(value):
        for one in variants(getattr(value, field.name)):
            with contextlib.suppress(ValueError):  # what may not be made is asked for by its own name
                yield dataclasses.replace(value, **{field.name: one})


def _with_extreme_entry(values):
    """One entry made extreme, with the others as they are or the sum as it is; and all entries."""
    real = all(isinstance(one, numbers.Real) and not isinstance(one, bool) for one in values)
    for k in {0, len(values) - 1}:
        rest = [*values[:k], *values[k + 1 :]]
        yield from ([*rest[:k], one, *rest[k:]] for one in variants(values[k]))
        if real and sum(rest) > 0:
            for one in (*SMALL_PARTS, *(1 - part for part in SMALL_PARTS[2:])):
                scaled = [(1 - one) * other * (sum(values) / sum(rest)) for other in rest]
                yield [*scaled[:k], one * sum(values), *scaled[k:]]
    if real:
        yield from ([one] * len(values) for one in variants(values[0]))
        yield from ([factor * one for one in values] for factor in (1e-300, 1e-15, 1e15, 1e300))


def longer(arguments):
    """Calls with many entries where sequences have one length: each as it is, or with the sum as it is."""
    sequences = {key: one for key, one in arguments.items() if isinstance(one, (list, tuple, np.ndarray)) and len(one)}
    for length in {len(one) for one in sequences.values()}:
        for kept, times in itertools.product(((), ("required_shares",), sequences), (10, LONG // length)):
            many = {key: list(one) * times for key, one in sequences.items() if len(one) == length}
            for key in set(kept) & set(many):
                if all(isinstance(entry, numbers.Real) for entry in sequences[key]):
                    many[key] = [entry / times for entry in sequences[key]] * times
            yield arguments | many


def words(function, arguments, name):
    """The words that an argument may be, as the function's own sentence tells them."""
    try:
        function(**{**arguments, name: "?"})
    except ValueError as error:
        said = str(error).split("; got")[0]
        return re.findall(r"'([^']+)'", said) or said.partition("one of ")[2].split(", ")
    return []


def wishes(function, arguments):
    """Calls that ask for narrow intervals in place of a length, of each quantity that the function itself names."""
    asked = {key: one for key, one in arguments.items() if key not in ("jumps", "warmup")} | {"seconds": SHORT}
    try:
        function(**asked, until={"?": 1.0})
    except ValueError as error:
        _, told, names = str(error).split("; got")[0].partition("quantities of the result: ")
        if told:
            return [asked | {"until": {name: width}} for name in names.split(", ") for width in WIDTHS]
    return []


class Function:
    """A public function with its settings, words and truths, and with what can be made extreme."""

    def __init__(self, name):
        self.name, self.function, valid = name, FUNCTIONS[name], first_call(name)
        signature = inspect.signature(self.function).parameters
        simulates = "run" in signature
        self.base = {key: one for key, one in valid.items() if key != "run"} | (RUN if simulates else {})
        offered = {key: one.default for key, one in signature.items() if key not in self.base and key != "run"}
        offered = {key: OPTIONAL.get(key) if default is None else default for key, default in offered.items()}
        self.extreme, self.settings = {}, {}
        for key, value in (offered | self.base).items():
            if isinstance(value, str) and key != "name" or key == "reading":
                self.settings[key] = words(self.function, self.base, key)
            elif isinstance(value, (bool, np.bool_)):
                self.settings[key] = [False, True]
            elif simulates and key in RUN:
                self.extreme[key] = RUNS[key]
            else:
                self.extreme[key] = [value] * (key in offered and value is not None) + list(variants(value))
        # What a call is told that it may use, it may: no more than there is.
        limits = self.extreme.get("memory_limit", [])
        limits[:] = [one for one in limits if one <= ROOM / 2]
        self.extreme = {key: several for key, several in self.extreme.items() if several}
        if name in answers.GROWING:  # up to where it is too much
            key, _, most = answers.GROWING[name]
            parts = [part for k in range(1, 16) for part in (10.0**-k, 1 - 10.0**-k)]
            self.extreme[key] += [answers.times(part * most / np.sum(self.base[key]))(self.base[key]) for part in parts]
        self.longer = list(longer(self.base))
        self.wishes = wishes(self.function, self.base) if simulates else []

    def all(self, rng, count):
        """One argument at a time, under each setting; and then so many at random."""
        for setting in [{}, *({key: one} for key, several in self.settings.items() for one in several)]:
            for key, several in self.extreme.items():
                yield from (self.base | setting | {key: one} for one in several)
        yield from self.longer
        yield from self.wishes
        yield from (self.drawn(rng) for _ in range(count))

    def drawn(self, rng):
        """Up to three arguments at once, under any setting."""
        one_of = lambda several: several[rng.integers(len(several))]  # noqa: E731
        arguments = one_of(self.longer) if self.longer and rng.random() < 0.05 else self.base
        arguments = one_of(self.wishes) if self.wishes and rng.random() < 0.1 else arguments
        arguments = arguments | {key: one_of(several) for key, several in self.settings.items() if several}
        if "reading" in self.settings:  # it depends on the policy which there are
            arguments["reading"] = one_of([None, *words(self.function, arguments, "reading")])
        extreme = [key for key in self.extreme if "until" not in arguments or key not in ("jumps", "warmup")]
        for key in rng.permutation(extreme)[: rng.integers(1, 4)]:
            arguments = arguments | {str(key): one_of(self.extreme[key])}
        return arguments


def spelled(name, arguments):
    """The call as it is written."""
    return f"{name}({', '.join(f'{key}={_spelled(one)}' for key, one in arguments.items())})"


def _spelled(value):
    if isinstance(value, (list, tuple)) and len(value) > 12:
        said = [repr(one) for one in value]
        for length in range(1, 9):
            if said == said[:length] * (len(said) // length):
                return f"[{', '.join(said[:length])}] * {len(said) // length}"
    return " ".join(repr(value).split())[:300]


# --- What comes of them -----------------------------------------------------------------------------------------------


def complaints(name, arguments):
    """Call a function; what goes wrong, in a line each. None where it answers in a sentence."""
    function = FUNCTIONS[name]
    try:
        answer = function(**arguments)
        told, corrected = inspect.getdoc(function) or "", "beside" in name
        found = list(answers.faults(answer, name.partition(".")[2], told, corrected=corrected))
        with contextlib.suppress(ValueError, NoExactAnswer):  # the other question need not have an answer
            found = found or list(answers.broken_relations(name, function, arguments, answer))
        return found
    except Exception as error:
        said, frames = " ".join(str(error).split()), traceback.extract_tb(error.__traceback__)
        if isinstance(error, (ValueError, NoExactAnswer)) and "clustershare" in frames[-1].filename:
            if str(error).endswith(".") and "\n" not in str(error) and len(said) <= LONGEST:
                return None
        said += f" ({len(said)} characters)" * (len(said) > LONGEST)
        place = next((one for one in reversed(frames) if "clustershare" in one.filename), frames[-1])
        where = f"{Path(place.filename).name}:{place.lineno}"
        return [f"{type(error).__name__}: {said[:120]}{said[120:][-20:]} ({where})"]


def _limit(room, seconds):
    """So much more memory than now, and time of the processor; 0 for no limit."""
    held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (held + room if room else resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    signal.setitimer(signal.ITIMER_PROF, seconds)


def _work(pipe):
    """Make the calls that come, each within the limits; to compile a kernel is free."""
    compile = Dispatcher.compile

    def compile_freely(self, signature):
        _limit(0, 0)
        try:
            return compile(self, signature)
        finally:
            _limit(ROOM, SECONDS)

    Dispatcher.compile = compile_freely
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # which ends the process, whatever it is at
    while True:
        name, arguments = pipe.recv()
        _limit(ROOM, SECONDS)
        found = complaints(name, arguments)
        _limit(0, 0)
        pipe.send(found)


class Worker:
    """A process that makes calls, and another one when it is dead."""

    def __init__(self):
        self.process = None

    def ask(self, name, arguments):
        """What goes wrong with a call; where the memory does not do, with all that a fresh process has."""
        fresh = self.process is None
        if fresh:
            context = multiprocessing.get_context("fork")
            self.pipe, other = context.Pipe()
            self.process = context.Process(target=_work, args=(other,), daemon=True)
            self.process.start()
            other.close()
        try:
            self.pipe.send((name, arguments))
            found = self.pipe.recv()
        except (EOFError, ConnectionError):
            self.process.join()
            number, self.process = signal.Signals(-self.process.exitcode), None
            return [f"takes more than {SECONDS} s" if number == signal.SIGPROF else f"dies of {number.name}"]
        if fresh or not found or "MemoryError" not in found[0]:
            return found
        self.process.kill()
        self.process.join()
        self.process = None
        return self.ask(name, arguments)


def main(names=tuple(FUNCTIONS), looked_for=""):
    """Make calls, and print those that go wrong: the first of each kind."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", default=names, help="of functions, as splitting.vertical")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4)))
    parser.add_argument("--calls", type=int, default=300, help="so many at random; with --all, of each function")
    parser.add_argument("--all", action="store_true", help="each extreme value by itself before those at random")
    given = parser.parse_args()
    print("Seed:", given.seed, flush=True)
    look_seldom()  # most of the time goes into compiling
    warnings.simplefilter("ignore")  # a number that comes of what is warned of is looked at
    rng = np.random.default_rng(given.seed)
    drawn = given.names is names and not (given.all or looked_for)  # a part, for what is called has to be compiled
    few = rng.choice(names, max(1, len(names) // PART), replace=False).tolist() if drawn else given.names
    worker, functions = Worker(), [Function(name) for name in few]
    if given.all:
        calls = ((each, call) for each in functions for call in each.all(rng, given.calls))
    else:
        chosen = (functions[rng.integers(len(functions))] for _ in range(given.calls))
        calls = ((each, each.drawn(rng)) for each in chosen)
    kinds, count = set(), 0
    for each, arguments in calls:
        count += 1
        for found in filter(re.compile(looked_for).match, worker.ask(each.name, arguments) or ()):
            kind = each.name, re.sub(r"[-+.\d\[\], ]*\d[-+.e\d\[\], ]*|nan|inf", "#", found)[:60]
            if kind not in kinds:
                kinds.add(kind)
                print(f"{spelled(each.name, arguments)}\n    {found}", flush=True)
    print(f"{count} calls, {len(kinds)} kinds of faults")
    sys.exit(bool(kinds))


if __name__ == "__main__":
    main()
