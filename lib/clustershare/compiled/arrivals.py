"""Arrivals of `clustershare.arrivals` as kernels take them: a `Stream`, and the `wait` for the next arrival."""

from typing import NamedTuple

import numpy as np

from clustershare.compiled.choice import alias, alias_table, choose
from clustershare.compiled.encoding import encode as encode_laws
from clustershare.compiled.jit import again_inlined, inlined
from clustershare.compiled.laws import draw

_choose, _draw = again_inlined(choose), again_inlined(draw)
PHASE, LEFT, JOBS = 0, 1, 2  # of the state: the phase, the time left in it, the jobs of the batch that are to come


class Stream(NamedTuple):
    """A process of arrivals, scaled, and where it is. All are arrays; those that the process does not need are empty.

    Attributes
    ----------
    scale : ndarray, shape (1,)
        Of a renewal process: the mean time between epochs.
    between : ndarray
        Its law, of mean 1, as `encoding.encode` writes it.
    rates, times : ndarray, shape (phases,)
        Of a process in phases: the rate of epochs in each, and how long it is, on average or always.
    moves : ndarray, shape (phases + 1, phases)
        The probabilities of the next phase, in the last row of the first; empty where phases take turns, each of a
        constant time.
    thresholds, jobs : ndarray
        Of batches: `choice.alias_table` of their numbers of jobs less 1.
    state : ndarray, shape (3,)
        PHASE, LEFT and JOBS; `wait` changes it.
    """

    scale: np.ndarray
    between: np.ndarray
    rates: np.ndarray
    times: np.ndarray
    moves: np.ndarray
    thresholds: np.ndarray
    jobs: np.ndarray
    state: np.ndarray


def encode(process, rate):
    """A stream at its beginning; each replication takes one of its own.

    Parameters
    ----------
    process : clustershare.arrivals.Process
        As `clustershare.arrivals.process` gives it.
    rate : float
        Jobs per unit of time.

    Returns
    -------
    Stream

    Examples
    --------
    >>> from clustershare.arrivals import Batches, Renewal
    >>> from clustershare.sizes import Deterministic
    >>> stream = encode(Batches((0.0, 1.0), Renewal(Deterministic(1.0))), 4.0)
    >>> rng = np.random.default_rng(0)
    >>> [wait(rng, stream) for _ in range(5)]
    [0.5, 0.0, 0.5, 0.0, 0.5]
    """
    rates, times, moves = process.epochs.phases()
    thresholds, jobs = np.zeros(0), np.zeros(0, dtype=np.uint64)
    if process.batches:
        rate /= process.mean
        thresholds, jobs = alias_table(process.batches)
    between = np.zeros((0, 0, 4)) if len(rates) else encode_laws(process.epochs.law)
    state = np.array([-1.0 if len(moves) else len(rates) - 1.0, 0.0, 0.0])
    return Stream(np.array([1 / rate]), between, rate * rates, times, moves, thresholds, jobs, state)


def arriving(loop, process, rate):
    """An event loop that takes a `stream`, given that of a process: from its beginning in each call."""

    def arrived(*given, **named):
        with np.errstate(divide="ignore", invalid="ignore"):  # no time goes by in a run within one batch
            return loop(*given, stream=encode(process, rate), **named)

    return arrived


@inlined
def restart(stream):
    """Bring a stream back to its beginning."""
    stream.state[:] = 0.0
    stream.state[PHASE] = -1.0 if len(stream.moves) > 0 else len(stream.rates) - 1.0


@inlined
def wait(rng, stream):
    """The time from the last arrival, or the beginning, to the next: 0 within a batch. The stream moves on.

    In phases the integral of the rate from one epoch to the next is exponential with mean 1.

    Parameters
    ----------
    rng : numpy.random.Generator
    stream : Stream

    Returns
    -------
    float
    """
    state = stream.state
    if len(stream.thresholds) > 0:
        if state[JOBS] > 0.0:
            state[JOBS] -= 1.0
            return 0.0
        state[JOBS] = alias(rng.random() * len(stream.thresholds), stream.thresholds, stream.jobs)
    if len(stream.rates) == 0:
        return stream.scale[0] * _draw(rng, stream.between, 0)
    phase, left, passed = int(state[PHASE]), state[LEFT], 0.0
    need = rng.standard_exponential()
    while need >= left * stream.rates[max(phase, 0)]:  # before the first phase nothing is left
        need -= left * stream.rates[max(phase, 0)]
        passed += left
        if len(stream.moves) > 0:
            if len(stream.rates) == 2 and phase >= 0:  # nothing to draw
                phase = 1 - phase
            else:
                phase = _choose(rng.random(), stream.moves[phase if phase >= 0 else len(stream.rates)])
            left = stream.times[phase] * rng.standard_exponential()
        else:
            phase = (phase + 1) % len(stream.rates)
            left = stream.times[phase]
    need /= stream.rates[phase]
    state[PHASE], state[LEFT] = phase, left - need
    return passed + need
