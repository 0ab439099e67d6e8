"""How long a simulated system remembers, and whether a run is long against that.

Near saturation a system forgets so slowly that a run may see too little of it: it has not left its beginning behind,
and its replications have more in common than their differences tell. Their intervals then hold less often than they
say. Every public simulator says so in the `warning` of its result. How long a system remembers is reckoned from its
load, as each model states; how many times that a run must be was measured (``python -m benchmarks coverage``).
"""

from __future__ import annotations

import functools
import inspect
import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numpy as np

from clustershare import precision, progress, truncation
from clustershare.arrivals import MarkovModulated, Periodic, process
from clustershare.calls import known, remember
from clustershare.run_length import RunLength, check_run_length

if TYPE_CHECKING:
    from clustershare.sizes import JobSize
    from clustershare.typing import Arrivals

ENOUGH = 200  # memories in all replications together: intervals from so many were seen to hold as often as they should
BIAS = 1.5  # limit of what is left of an empty beginning, see `too_short`

P = ParamSpec("P")
R = TypeVar("R")

_memories, _steps = {}, {}  # of simulators, the functions that tell their memory, and what is counted for a jump


def telling(
    simulate: Callable[P, R], package: str, memory_of: Callable[[dict[str, Any]], float], counted: Sequence[str] = (),
    steps: Callable[[dict[str, Any]], float] | None = None,
) -> Callable[P, R]:  # fmt: skip
    """A simulator that takes what `clustershare.run_length.RunLength` says.

    Its results remember their arguments, and carry a `warning` where their runs are too short.

    Parameters
    ----------
    simulate : callable
    package : str
        Where it is public.
    memory_of : callable
        Of its arguments, as a dictionary: how many jumps a system remembers.
    counted : sequence of str
        Quantities that are parts of jobs to which something rare happens.
    steps : callable, optional
        Of the same, if it is not one: how many events the compiled code counts for a jump, see
        `clustershare.compiled.interrupts`.

    Returns
    -------
    callable
    """
    _memories[simulate], _steps[simulate] = memory_of, steps

    @functools.wraps(simulate)
    def told(*args: P.args, **kwargs: P.kwargs) -> R:
        given = inspect.signature(simulate).bind(*args, **kwargs).arguments
        wish = precision.wishes(given.pop("run", {}))

        def measured(what, length):
            if not wish.progress:
                return simulate(**given, **_words(length))
            with progress.of_run(f"{simulate.__name__}, {what}", length, steps_per_jump(simulate, given)):
                return simulate(**given, **_words(length))

        result, length, warm_up, *said = _run(measured, functools.partial(memory, simulate, given), wish)
        remember(result, told, given | {"run": _words(length)})
        said += [warning(simulate, given, _words(length)), *(_unseen(result, name) for name in counted)]
        object.__setattr__(result, "_warning", " ".join(filter(None, said)) or None)
        object.__setattr__(result, "_warm_up", warm_up)
        return result

    told.__module__ = package  # where pickle finds it
    known(told)
    return told


def _words(length):
    """A run length as keyword arguments."""
    return {field.name: getattr(length, field.name) for field in fields(length)}


def _run(measured, remembered, wish):
    """Result of a run, its length, what was found of the warm-up, and sentences: as is wished."""
    began, warm_up, kept = time.monotonic(), None, None
    if wish.automatic or wish.until:
        seed = RunLength(**wish.length).seed
        looked = precision.first_look(measured, seed)  # arguments are checked there
        precision.check_names(wish, looked)
    if wish.automatic:
        warm_up, kept = _warm_up(measured, remembered(), wish, seed)
    if not wish.until:
        length = RunLength(**wish.length, **({"warmup": warm_up.jumps} if warm_up else {}))
        return measured("run", length), length, warm_up, kept
    chosen = warm_up.jumps if warm_up else wish.length.get("warmup")
    found = precision.reach(
        measured, remembered(), RunLength(**wish.length), wish, began, enough=ENOUGH, warmup=chosen
    )  # fmt: skip
    return *found[:2], warm_up, kept, found[2]


def _warm_up(measured, remembered, wish, seed):
    """The warm-up, and a sentence where it may not be long enough."""
    length = replace(RunLength(**wish.length), seed=precision.apart(seed, -1))

    def window(warmup, jumps):
        with np.errstate(invalid="ignore", divide="ignore"):
            return measured("warm-up", replace(length, warmup=warmup, jumps=jumps))

    found = truncation.find_warmup(window, remembered, None if wish.until else length.jumps)
    if not found.refused:
        return found, None
    return found, (
        f"No warm-up was found in {found.pilot:,} jumps: by MSER-5 more than half of them would have to be left out."
    )


def warning(simulate: Callable[..., Any], arguments: dict[str, Any], run: dict[str, Any]) -> str | None:
    """What is to be said of the intervals of a run.

    Parameters
    ----------
    simulate : callable
        A simulator of the library.
    arguments : dict
        Its arguments by name, without the run length.
    run : dict
        `jumps`, `warmup` and so on, as far as given.

    Returns
    -------
    str or None
        A sentence; None if the run is long enough, or its single replication has no interval.

    Examples
    --------
    >>> from clustershare.uniprocessor import simulate
    >>> system = {"policy": "PS", "required_shares": (0.5, 0.5), "arrival_rates": (0.5, 0.49)}
    >>> print(warning(simulate, system, {"jumps": 100_000}))
    10 runs of 100,000 jumps are short for a system that remembers about 79,000: their intervals may hold too rarely.
    >>> warning(simulate, system, {"jumps": 10_000_000})
    """
    length, remembered = check_run_length(run), memory(simulate, arguments)
    if length.replications == 1 or not too_short(remembered, length.jumps, length.warmup, length.replications):
        return None
    most = "without end" if math.isinf(remembered) else f"about {float(f'{remembered:.2g}'):,.0f}"
    return (
        f"{length.replications} runs of {length.jumps:,} jumps are short for a system that remembers {most}: their "
        "intervals may hold too rarely."
    )


def _unseen(result, name):
    """What is to be said where something was never seen: replications that all give 0 have an interval of no width."""
    if np.all(getattr(result, name).value):
        return None
    return f"Nothing was seen of what {name} counts: it is rare, and its interval 0 to 0 says nothing."


def memory(simulate: Callable[..., Any], arguments: dict[str, Any]) -> float:
    """How many jumps a system remembers.

    Parameters
    ----------
    simulate, arguments
        As for `warning`.

    Returns
    -------
    float
        Infinite where sizes vary so much that the memory has no mean.

    Examples
    --------
    >>> from clustershare.dispatch import simulate_network
    >>> round(memory(simulate_network, {"loads": (0.45, 0.45), "service_times": (1.0, 1.0)}))
    513
    """
    simulate = inspect.unwrap(simulate)
    bound = inspect.signature(simulate).bind(**arguments)
    bound.apply_defaults()
    return _memories[simulate](bound.arguments)


def steps_per_jump(simulate: Callable[..., Any], arguments: dict[str, Any]) -> float:
    """How many events the compiled code of a simulator counts for a jump.

    Parameters
    ----------
    simulate, arguments
        As for `warning`.

    Returns
    -------
    float

    Examples
    --------
    >>> from clustershare.dispatch import simulate_network
    >>> steps_per_jump(simulate_network, {"loads": (0.45, 0.45), "service_times": (1.0, 1.0)})
    1.0
    """
    simulate = inspect.unwrap(simulate)
    return 1.0 if _steps[simulate] is None else _steps[simulate](arguments)


def too_short(remembered: float, jumps: int, warmup: int, replications: int) -> bool:
    """Whether intervals from such runs hold less often than they should.

    Either is too little seen in all; or what is left of an empty beginning, a part of exp(-warmup / remembered), is too
    much. That takes about `remembered` of the `jumps` to fade, in every replication alike, whereas what they differ by
    averages out: the more there are, the smaller the bias must be.

    Examples
    --------
    >>> too_short(1000, 10_000, 1000, 10), too_short(1000, 100_000, 1000, 10)
    (True, False)
    """
    left = math.exp(-2 * warmup / remembered) if remembered else 0.0
    return replications * jumps < ENOUGH * remembered or replications * remembered * left > BIAS * jumps


def memory_of_queue(
    load: float, jumps_per_job: float = 2.0, *, part: float = 1.0, spread: float = 1.0, servers: float = 1.0,
    arriving: float = 1.0,
) -> float:  # fmt: skip
    """How many jumps of a system a queue in it remembers.

    A queue M/M/1 of service rate 1 and load rho forgets at the rate (1 - sqrt(rho))^2 (the gap of its chain). With
    sizes that vary it has fewer, larger steps. Where no job can have all of the service rate, a job alone takes longer.

    Parameters
    ----------
    load : float
        rho of the queue. At 1 it never forgets.
    jumps_per_job : float
    part : float
        Of all jobs of the system, those that come to this queue.
    spread : float
        Squared coefficient of variation of the sizes.
    servers : float
        How much longer a job takes that is alone than if it had all of the service rate.
    arriving : float
        Variance of the number of arrivals in a long time over its mean: 1 of Poisson ones.

    Returns
    -------
    float

    Examples
    --------
    >>> round(memory_of_queue(0.9)), round(memory_of_queue(0.9, part=0.5, spread=3.0))
    (684, 2734)
    """
    if load >= 1:  # by rounding
        return math.inf
    slow = ((1 + math.sqrt(load)) / (1 - load)) ** 2 + servers - 1  # 1 - sqrt(load) may round to 0
    return jumps_per_job * load / part * slow * (arriving + spread) / 2


def memory_of_line(places: int, jumps_per_job: float, *, part: float = 1.0, spread: float = 1.0) -> float:
    """How many jumps a line remembers that has so many places, at the load at which it forgets most slowly.

    A queue M/M/1 with room for K forgets at the rate 2 mu (1 - cos(pi / (K + 1))) at load 1, whose square root is about
    pi / (K + 1) at a service rate mu of 1.

    Parameters
    ----------
    places : int
        K, at least 1.
    jumps_per_job, part, spread
        As for `memory_of_queue`.

    Returns
    -------
    float

    Examples
    --------
    >>> round(memory_of_line(20, 2.0))
    90
    """
    return jumps_per_job / part * (1 + spread) / 2 / (2 - 2 * math.cos(math.pi / (places + 1)))


def variability(arrivals: Arrivals, rate: float) -> tuple[float, float]:
    """How unevenly jobs arrive.

    Parameters
    ----------
    arrivals : clustershare.arrivals.Process, Bursts, clustershare.sizes.JobSize or None
        As simulators take it.
    rate : float
        Of all jobs.

    Returns
    -------
    dispersion : float
        The variance of the number of arrivals in a long time over its mean.
    memory : float
        The time that the process remembers: the longest relaxation time of its states, or the period; else 0.

    Examples
    --------
    >>> from clustershare.arrivals import Batches, Bursts
    >>> variability(Bursts((0.5, 3.0), (4.0, 1.0)), 2.0), variability(Batches((0.0, 1.0)), 2.0)
    ((4.200000000000001, 0.8), (2.0, 0.0))
    """
    if arrivals is None:
        return 1.0, 0.0
    found = process("arrivals", arrivals, rate)
    mean = found.mean if found.batches else 1.0
    if isinstance(found.epochs, MarkovModulated):
        dispersion, memory = _of_chain(found.epochs, rate / mean)
    elif isinstance(found.epochs, Periodic):
        dispersion, memory = 1.0, math.fsum(found.epochs.durations)
    else:
        dispersion, memory = found.epochs.law.squared_variation, 0.0
    square = math.fsum(k * k * chance for k, chance in enumerate(found.batches, 1)) if found.batches else 1.0
    return float(mean * dispersion + (square / mean - mean)), float(memory)


def _of_chain(chain, rate):
    """The dispersion and the memory of a Markov-modulated process: from its deviation matrix and its eigenvalues."""
    law, beyond = chain.stationary_law(), np.array(chain.rates) - 1
    if len(law) == 1:
        return 1.0, 0.0
    generator = np.array(chain.switching)
    unit = generator.max()
    generator /= unit
    np.fill_diagonal(generator, -generator.sum(axis=1))
    ahead = np.linalg.lstsq(generator, -beyond, rcond=None)[0]
    gap = np.sort(np.abs(np.linalg.eigvals(generator).real))[1]
    with np.errstate(all="ignore"):
        return 1 + 2 * rate * max(0.0, law @ (beyond * (ahead - law @ ahead))) / unit, 1 / gap / unit


def squared_variation(rates: Iterable[float], laws: Iterable[JobSize]) -> float:
    """Of a size drawn from several laws, in proportion to their rates: variance over squared mean.

    Examples
    --------
    >>> from clustershare.sizes import Exponential
    >>> squared_variation([1.0, 1.0], [Exponential(1.0), Exponential(1.0)])
    1.0
    """
    work = [rate * law.mean for rate, law in zip(rates, laws)]
    mean = math.fsum(work) / math.fsum(rates)
    # By parts of the work, for neither the square of a mean nor that of a quotient need be a float.
    parts = [part / math.fsum(work) for part in work]
    squares = (part * (law.squared_variation + 1) * (law.mean / mean) for part, law in zip(parts, laws) if part)
    return math.fsum(squares) - 1
