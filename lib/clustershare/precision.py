"""Simulating until intervals are as narrow as asked for.

The widths of a pilot say how long a run must be; the run itself has random numbers of its own, and its interval is what
is told. So the length does not depend on what the run finds, as it would if one went on until it looked precise: then
runs that happen to vary little would stop too soon. The run is so long that 19 of 20 reach what is asked for. What
does not is thrown away, and one that is longer, with fresh numbers again, takes its place. Those that are kept vary a
little less than all would; there are 30 replications, unless told otherwise, for of few it would be more.
"""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import stats

from clustershare.arguments import NothingSeen, fail, number, positive, truth
from clustershare.estimates import CONFIDENCE, Estimate
from clustershare.run_length import RunLength

if TYPE_CHECKING:
    from clustershare.results import Result

LATER = ("until", "seconds", "progress")  # what a run may be told besides its length
REACHED = 0.95  # of the runs, by the length that the pilot says
REPLICATIONS = 30  # unless given, and of the pilot at least: how widely they vary is known to an eighth
REMEMBERED = 20  # memories of the system in each replication of the pilot
FADED = 5  # memories after which the empty beginning is left out
SHORTEST, LEAST = 1000, 256  # jumps of a replication, in the pilot and afterwards
LONGER = 4  # how much longer a pilot is that takes the place of one that saw nothing
UNSEEN = 2  # times that this is done
ROUNDS = 6
MOST_EVENTS = 10**11  # hours
AHEAD = 0.8  # of the time that is left, what is planned for
APART = 10**6  # spawn keys of pilots and later runs: replications have those below


@dataclass(frozen=True)
class Wishes:
    """What a run is told besides numbers: see `clustershare.run_length.RunLength`."""

    until: dict[str, float | str]
    seconds: float | None
    progress: bool
    automatic: bool  # the warm-up
    length: dict[str, Any]


def wishes(run: Mapping[str, Any]) -> Wishes:
    """The keyword arguments of a run, told apart and checked, as far as they are not the run length's own.

    Examples
    --------
    >>> wishes({"until": {"mean_jobs": "1%"}, "seed": 3}).until
    {'mean_jobs': (0.01, True)}
    >>> wishes({"until": {"mean_jobs": 0.1}, "jumps": 1000})
    Traceback (most recent call last):
    ...
    ValueError: jumps must be left out where until is given, which finds them; got 1000.
    """
    length = dict(run)
    known = (*RunLength.__dataclass_fields__, *LATER)
    for name in run:
        if name not in known:
            fail("run argument", name, "one of " + ", ".join(known))
    until, seconds, progress = (length.pop(name, None) for name in LATER)
    progress = False if progress is None else truth("progress", progress)
    automatic = isinstance(length.get("warmup"), str)
    if automatic and length.pop("warmup") != "auto":
        fail("warmup", run["warmup"], 'an integer of at least 0, or "auto"')
    if until is None and seconds is not None:
        fail("seconds", seconds, "left out where there is no until, whose time they limit")
    if until is not None:
        until = _asked(until)
        seconds = None if seconds is None else positive("seconds", seconds)
        if "jumps" in length:
            fail("jumps", length["jumps"], "left out where until is given, which finds them")
        length.setdefault("replications", REPLICATIONS)
        if RunLength(**length).replications == 1:
            fail("replications", 1, "at least 2 where until is given: one alone has no interval")
    return Wishes(until, seconds, progress, automatic, length)


def _asked(until):
    """By quantity the half width, and whether it is relative."""
    if not isinstance(until, dict) or not until or not all(isinstance(name, str) for name in until):
        fail("until", until, 'half widths by quantity, as {"mean_jobs": 0.01} or {"mean_jobs": "1%"}')
    found = {}
    for name, width in until.items():
        what = f"until[{name!r}]"
        if isinstance(width, str):
            try:
                part = float(width.removesuffix("%")) if width.endswith("%") else math.nan
            except ValueError:
                part = math.nan
            if not 0 < part < math.inf:
                fail(what, width, 'a number above 0, or a part as "1%"')
            found[name] = positive(what, part / 100), True
        else:
            found[name] = positive(what, number(what, width)), False
    return found


def apart(seed: int | np.random.SeedSequence, number: int) -> np.random.SeedSequence:
    """A seed whose children have nothing to do with those of `seed`.

    Examples
    --------
    >>> apart(7, 0).spawn_key
    (1000000,)
    """
    if not isinstance(seed, np.random.SeedSequence):
        seed = np.random.SeedSequence(seed)
    return np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, APART + number), pool_size=seed.pool_size)


def first_look(measured: Callable[..., Any], seed: int | np.random.SeedSequence) -> Result:
    """The result of a run that is as short as may be: arguments are checked, and it is seen what there is.

    Parameters
    ----------
    measured : callable
        Of a word for it and a `RunLength`: the result of a run.
    seed : int or numpy.random.SeedSequence
    """
    jumps = SHORTEST
    while True:
        try:
            return measured("first look", RunLength(jumps, 0, 2, apart(seed, 0)))
        except NothingSeen:
            if jumps > 10**6:
                raise
            jumps *= 10


def reach(
    measured: Callable[..., Any], remembered: float, length: RunLength, wish: Wishes, began: float, *,
    enough: float, warmup: int | None = None,
) -> tuple[Result, RunLength, str | None]:  # fmt: skip
    """A run whose intervals are as narrow as asked for.

    Parameters
    ----------
    measured : callable
        As for `first_look`.
    remembered : float
        Jumps that the system remembers.
    length : RunLength
        Whose replications and seed are used.
    wish : Wishes
    began : float
        When the time that there is began, by ``time.monotonic``.
    enough : float
        Memories that all replications together must have.
    warmup : int, optional
        If not given, five memories.

    Returns
    -------
    result
    RunLength
        What gave it.
    str or None
        A sentence where it is wider.
    """
    if math.isinf(remembered):
        fail("until", _words(wish), "for what has a finite variance, and these sizes have none")
    reaching = _Reaching(measured, length, wish, began)
    warmup = LEAST + math.ceil(FADED * remembered) if warmup is None else warmup
    reaching.pilot(max(SHORTEST, math.ceil(REMEMBERED * remembered)), warmup)
    least = max(LEAST, math.ceil(enough * remembered / length.replications))
    return reaching.runs(least, warmup)


def _words(wish):
    """The wish, as it may be shown."""
    return {name: f"{100 * part:g}%" if relative else part for name, (part, relative) in wish.until.items()}


class _Reaching:
    """Pilot and runs, and what they say of how long the next must be."""

    def __init__(self, measured, length, wish, began):
        self.measured, self.length, self.wish, self.began = measured, length, wish, began
        self.seeds = 1  # that were used; the first look has had one
        self.variances, self.freedom = dict.fromkeys(wish.until, 0.0), 0
        self.seen = []  # jumps of each run so far, and what it says of the variances
        self.rate = None  # events a second

    def left(self):
        """Seconds that are left of those that there are."""
        limit = self.wish.seconds
        return math.inf if limit is None else self.began + limit - time.monotonic()

    def run(self, what, jumps, warmup, replications, seed):
        """Result and length of a run, whose rate is noted."""
        length = RunLength(jumps, warmup, replications, seed)
        start = time.monotonic()
        with np.errstate(invalid="ignore", divide="ignore"):
            result = self.measured(what, length)
        self.rate = replications * (jumps + warmup) / max(time.monotonic() - start, 1e-6)
        return result, length

    def fresh(self):
        self.seeds += 1
        return apart(self.length.seed, self.seeds)

    def pilot(self, jumps, warmup):
        """How widely the quantities vary, from many short replications."""
        replications, unseen = max(REPLICATIONS, self.length.replications), 0
        self.affordable(replications * (jumps + warmup))
        short = jumps if self.wish.seconds is None else SHORTEST  # step by step where time is short
        while True:
            result, length = self.run("pilot", short, min(warmup, 2 * short), replications, self.fresh())
            nothing = self.missing(result)
            larger = min(LONGER * short, jumps)
            if short >= jumps:
                if not nothing or unseen == UNSEEN:
                    break
                unseen, larger = unseen + 1, LONGER * short
            if (larger + warmup) * replications / self.rate > self.left() / 4:
                break
            short = larger
            jumps = max(jumps, short)
        for name in nothing:
            value = getattr(result, name).value
            if not np.isfinite(value).any():
                fail("until", _words(self.wish), f"for what is seen, and of {name} nothing was")
            if self.wish.until[name][1] and not np.any(value):
                fail("until", _words(self.wish), f"absolute for what is 0, as all that was seen of {name}")
        self.note(result, length)

    def missing(self, result):
        """The quantities that do not vary, or are no numbers, in any entry."""
        return [name for name in self.wish.until if not np.any(_known(getattr(result, name))[1])]

    def widths(self, result):
        """By quantity, how much wider its widest interval is than asked for."""
        found = {}
        for name, (part, relative) in self.wish.until.items():
            value, half_width = _known(getattr(result, name))
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                wide = half_width / (part * np.abs(value) if relative else part)
            found[name] = float(np.max(wide[half_width > 0], initial=0.0))
        return found

    def note(self, result, length):
        """Take what a run says of the variances, for each event of all replications, beside what is known."""
        own, found = length.replications - 1, {}
        for name, wide in self.widths(result).items():
            deviation = wide / _quantile(length.replications)  # whose product with itself may be infinite
            found[name] = deviation * deviation * length.replications * length.jumps
            self.variances[name] = (self.freedom * self.variances[name] + own * found[name]) / (self.freedom + own)
        self.freedom += own
        self.seen.append((length.jumps, found))

    def needed(self):
        """Jumps of a replication with which 19 of 20 runs are narrow enough."""
        R = self.length.replications
        spare = stats.f.ppf(REACHED, R - 1, self.freedom)
        return _quantile(R) ** 2 * spare * max(self.variances.values()) / R

    def affordable(self, events):
        if self.wish.seconds is None and not events <= MOST_EVENTS:
            most = f"such that {MOST_EVENTS:.0e} events do, not {events:.2g}, or given with seconds"
            fail("until", _words(self.wish), most)

    def runs(self, least, warmup):
        """Fresh runs, until one is narrow enough."""
        R, earlier = self.length.replications, None
        for attempt in range(ROUNDS):
            wanted = max(self.needed(), least, 0 if earlier is None else 1.25 * earlier[1].jumps)
            self.affordable(R * (wanted + warmup))
            each = AHEAD * max(self.left(), 0.0) * self.rate / R  # events that there is time for
            short = wanted + warmup > each
            if short and earlier is not None and each <= sum((earlier[1].jumps, earlier[1].warmup)):
                break
            own = min(warmup, int(each / 3)) if short else warmup
            jumps = max(LEAST, int(each - own)) if short else math.ceil(wanted)
            seed = self.length.seed if attempt == 0 else self.fresh()
            result, length = self.run(f"run {attempt + 1}", jumps, own, R, seed)
            wide = self.widths(result)
            if max(wide.values()) <= 1:
                return result, length, None
            earlier = result, length
            self.note(result, length)
            self.shrinking(wide)
        return *earlier, self.sentence(earlier[0])

    def shrinking(self, wide):
        """Refuse what replications vary by no less in a run several times as long: of 500 that are right, one."""
        jumps, found = self.seen[-1]
        for fewer, before in self.seen[:-1]:
            for name in found:
                slow = jumps >= LONGER * fewer and math.inf > found[name] / jumps >= before[name] / fewer
                if wide[name] > 1 and slow:
                    said = f"for what has a finite variance, and the half width of {name} does not shrink"
                    fail("until", _words(self.wish), said)

    def sentence(self, result):
        """What was not reached."""
        wide = self.widths(result)
        name = max(wide, key=wide.get)
        part, relative = self.wish.until[name]
        came, asked = (f"{100 * x:.3g} %" if relative else f"{x:.3g}" for x in (part * wide[name], part))
        within = f" within {self.wish.seconds:g} s" if self.wish.seconds is not None else f" in {ROUNDS} runs"
        return f"What until asks for was not reached{within}: the half width of {name} is {came}, not {asked}."


def _known(estimate):
    """Values and half widths of the entries that are numbers."""
    value, half_width = np.ravel(estimate.value), np.ravel(estimate.half_width)
    known = np.isfinite(value) & np.isfinite(half_width)
    return value[known], half_width[known]


@functools.cache
def _quantile(replications):
    return float(stats.t.ppf((1 + CONFIDENCE) / 2, replications - 1))


def check_names(wish: Wishes, result: Result) -> None:
    """Refuse quantities that a result does not have."""
    there = [name for name, one in vars(result).items() if isinstance(one, Estimate)]
    for name in wish.until or ():
        if name not in there:
            fail("until", name, "for quantities of the result: " + ", ".join(there))
