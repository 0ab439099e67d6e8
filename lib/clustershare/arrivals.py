"""How jobs arrive, where not in a Poisson stream: what every simulator takes as `arrivals`.

A process has mean rate 1. A simulator scales it by the total arrival rate of its jobs, and draws the group, class or
size of each job by itself, in proportion to the arrival rates, whatever came before. Times of phases are in the
model's unit of time and are not scaled. Exact answers are of Poisson arrivals alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.sparse.csgraph import connected_components

from clustershare import markov
from clustershare.arguments import LARGEST, affordable, fail, number, positive, probabilities, vector
from clustershare.compiled.arguments import law as check_law
from clustershare.results import NoExactAnswer
from clustershare.sizes import Exponential, JobSize
from clustershare.typing import Arrivals, FloatArray, Matrix, Numbers

__all__ = ["Batches", "MarkovModulated", "Periodic", "Process", "Renewal"]  # Bursts are known by cluster_chain

MOST_STATES = 300  # the time to find the law of the states grows with the third power
MOST_CHANGES = 1000  # of the rate from one arrival to the next: a process that changes as often is as good as Poisson
ROUNDING = 1e-9


class Process:
    """Common to all processes: what `clustershare.compiled.arrivals.encode` asks for."""

    @property
    def epochs(self) -> Process:
        """The process of the times at which jobs arrive, which is itself unless they come in batches."""
        return self

    @property
    def batches(self) -> tuple[float, ...]:
        """The probabilities that 1, 2, 3, ... jobs arrive at once; empty where jobs arrive one by one."""
        return ()

    def phases(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """What sets the rate.

        Returns
        -------
        rates, times : ndarray, shape (phases,)
            The rate in each phase, and how long it is; empty for a renewal process.
        moves : ndarray, shape (phases + 1, phases)
            The probability of each phase after the one of the row, the last row for the first phase, where times are
            means of exponential ones; empty where phases take turns and times are constants.
        """
        return np.zeros(0), np.zeros(0), np.zeros((0, 0))


@dataclass(frozen=True)
class Renewal(Process):
    """Independent times between arrivals, all of one law.

    Parameters
    ----------
    law : clustershare.sizes.JobSize
        Of mean 1, which the arrival rate divides. The first arrival comes as long after the beginning as any other
        after the one before.

    Raises
    ------
    ValueError
        If the argument is not as above.

    Examples
    --------
    >>> from clustershare.sizes import Deterministic
    >>> Renewal(Deterministic(1.0))
    Renewal(law=Deterministic(value=1.0))
    """

    law: JobSize

    def __post_init__(self):
        check_law("law", self.law)
        if abs(self.law.mean - 1) > ROUNDING:
            fail("law", self.law, "of mean 1, which the arrival rate scales")


@dataclass(frozen=True)
class MarkovModulated(Process):
    """A Poisson process whose rate is set by the state of a Markov chain (MMPP).

    Parameters
    ----------
    rates : sequence of float
        The rate in each state, relative to the mean rate; at least 0. Weighted by the stationary law of the chain, they
        must have mean 1. At most 300 states.
    switching : sequence of sequences of float, shape (states, states)
        The rate of going from the state of the row to that of the column, at least 0, in the model's unit of time; 0 on
        the diagonal. Every state must be reached from every other. The chain begins with its stationary law.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> process = MarkovModulated((0.5, 3.0), ((0, 0.25), (1, 0)))
    >>> process.stationary_law().round(9)
    array([0.8, 0.2])
    """

    rates: Numbers
    switching: Matrix

    def __post_init__(self):
        rates = vector("rates", self.rates, _rate)
        affordable("the number of rates", len(rates), MOST_STATES)

        def row(name, values):
            return vector(name, values, _rate, len(rates))

        object.__setattr__(self, "rates", rates)
        object.__setattr__(self, "switching", vector("switching", self.switching, row, len(rates)))
        switching = np.array(self.switching)
        if switching.diagonal().any():
            fail("switching", self.switching, "0 on the diagonal")
        if connected_components(switching > 0, connection="strong", return_labels=False) > 1:
            fail("switching", self.switching, "such that every state is reached from every other")
        with np.errstate(all="ignore"):
            law = self.stationary_law()
        if not np.isfinite(law).all():
            fail("switching", self.switching, "of a stationary law within the floats")
        _mean_1(rates, law, "the stationary law")

    def stationary_law(self) -> FloatArray:
        """The probability of each state, shape (states,)."""
        return markov.gth(self.switching)

    def phases(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """As of `Process`, a phase for each state."""
        switching = np.array(self.switching)
        leaving = switching.sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):  # a single state is never left
            moves = np.where(leaving > 0, switching.T / leaving, 1.0).T
            return np.array(self.rates), 1 / leaving, np.vstack([moves, self.stationary_law()])


@dataclass(frozen=True)
class Bursts:
    """Arrivals in bursts: a Poisson process whose rate alternates between two values (an MMPP).

    Parameters
    ----------
    rates : tuple of float
        The two rates, relative to the mean rate; at least 0.
    sojourns : tuple of float
        Mean times spent at each before the other, in the cluster's unit of time, above 0. Weighted by them, the rates
        must have mean 1.

    Examples
    --------
    >>> Bursts((0.5, 3.0), (4.0, 1.0)).switching
    (0.25, 1.0)
    """

    rates: Numbers
    sojourns: Numbers

    def __post_init__(self):
        def rate(name, value):
            return number(name, value, 0)

        object.__setattr__(self, "rates", vector("rates", self.rates, rate, 2))
        object.__setattr__(self, "sojourns", vector("sojourns", self.sojourns, positive, 2))
        mean = sum(r * s for r, s in zip(self.rates, self.sojourns, strict=True)) / sum(self.sojourns)
        if abs(mean - 1) > 1e-9:
            fail("rates", self.rates, f"of mean 1 when weighted by the sojourns (it is {mean:.12g})")

    @property
    def switching(self) -> tuple[float, float]:
        """The rates of leaving each of the two."""
        return 1 / self.sojourns[0], 1 / self.sojourns[1]


@dataclass(frozen=True)
class Periodic(Process):
    """A Poisson process whose rate depends on the hour: constant on the parts of a period, which comes again and again.

    Parameters
    ----------
    rates : sequence of float
        The rate on each part, relative to the mean rate; at least 0. Weighted by the durations, they must have mean 1.
    durations : sequence of float
        How long each part is, in the model's unit of time; above 0. The first begins at time 0.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> day = Periodic((1.4, 0.6), (12.0, 12.0))
    >>> sum(day.durations)
    24.0
    """

    rates: Numbers
    durations: Numbers

    def __post_init__(self):
        object.__setattr__(self, "rates", vector("rates", self.rates, _rate))
        object.__setattr__(self, "durations", vector("durations", self.durations, positive, len(self.rates)))
        durations = np.array(self.durations) / max(self.durations)
        _mean_1(self.rates, durations / durations.sum(), "the durations")

    def phases(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """As of `Process`, a phase for each part."""
        return np.array(self.rates), np.array(self.durations), np.zeros((0, 0))


@dataclass(frozen=True)
class Batches(Process):
    """Jobs that arrive several at once, at the epochs of another process.

    Parameters
    ----------
    probabilities : sequence of float
        That a batch is of 1, 2, 3, ... jobs; they sum to 1. Batches are independent. The mean rate of jobs stays 1, so
        that there are the fewer epochs.
    arrivals : Renewal, MarkovModulated, Periodic, Bursts or clustershare.sizes.JobSize, optional
        The process of the epochs; None is Poisson.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> Batches((0.5, 0.0, 0.5)).mean
    2.0
    """

    probabilities: Numbers
    arrivals: Arrivals = None

    def __post_init__(self):
        object.__setattr__(self, "probabilities", probabilities("probabilities", self.probabilities))
        if self.arrivals is not None:
            object.__setattr__(self, "arrivals", _one_by_one("arrivals", self.arrivals, " but Batches,"))

    @property
    def mean(self) -> float:
        """Mean number of jobs of a batch."""
        return math.fsum(k * probability for k, probability in enumerate(self.probabilities, 1))

    @property
    def epochs(self) -> Process:
        """The process of the epochs."""
        return Renewal(Exponential()) if self.arrivals is None else self.arrivals  # type: ignore[return-value]

    @property
    def batches(self) -> tuple[float, ...]:
        """As of `Process`."""
        return self.probabilities  # type: ignore[return-value]  # a tuple once it is made


def process(name, arrivals, rate):
    """A process that a simulator may scale by a rate: `arrivals`, a `Renewal` of a law, `Bursts` as `MarkovModulated`.

    Parameters
    ----------
    name : str
        What the argument is called, for the sentence.
    arrivals : Process, Bursts or clustershare.sizes.JobSize
    rate : float
        The total arrival rate of the jobs, above 0.

    Returns
    -------
    Process

    Raises
    ------
    ValueError
        If it is none of these, is a law not of mean 1, changes its rate more than 1000 times from one epoch to the
        next, or has a rate beyond 1e300.

    Examples
    --------
    >>> process("arrivals", Exponential(), 0.5)
    Renewal(law=Exponential(mean=1.0))
    >>> process("arrivals", "Poisson", 0.5)
    Traceback (most recent call last):
    ...
    ValueError: arrivals must be None, a process of clustershare.arrivals or a distribution of clustershare.sizes with \
mean 1; got 'Poisson'.
    """
    positive("rate", rate)
    found = arrivals if isinstance(arrivals, Batches) else _one_by_one(name, arrivals, "")
    rates, times, moves = found.epochs.phases()
    epoch_rate = rate / found.mean if found.batches else rate
    if len(rates):
        if rates.max() * epoch_rate > LARGEST:
            fail(name, arrivals, f"of rates up to {LARGEST:g} where they are scaled by the arrival rate")
        changes = (moves[-1] / times).sum() if len(moves) else len(times) / times.sum()
        if changes > MOST_CHANGES * epoch_rate:
            fail(name, arrivals, f"a process that changes its rate at most {MOST_CHANGES} times an arrival")
    return found


def require_poisson(arrivals):
    """Raise `NoExactAnswer` unless `arrivals` is None, and ValueError if no simulator takes it either.

    >>> require_poisson(None)
    """
    if arrivals is not None:
        process("arrivals", arrivals, 1.0)
        raise NoExactAnswer("Exact answers are of Poisson arrivals alone (arrivals=None): use a simulator.")


def _one_by_one(name, arrivals, other):
    """A process of single arrivals, or what stands for one."""
    if isinstance(arrivals, Bursts):
        calm, burst = arrivals.switching
        return MarkovModulated(arrivals.rates, ((0.0, calm), (burst, 0.0)))
    if isinstance(arrivals, Process) and not arrivals.batches:
        return arrivals
    if isinstance(arrivals, JobSize):
        check_law(name, arrivals)
        if abs(arrivals.mean - 1) <= ROUNDING:
            return Renewal(arrivals)
    fail(
        name, arrivals,
        f"None, a process of clustershare.arrivals{other} or a distribution of clustershare.sizes with mean 1",
    )  # fmt: skip


def _rate(name, value):
    return number(name, value, 0)


def _mean_1(rates, weights, of_weights):
    """Refuse rates that are all 0, or whose mean, each weighted, is not 1."""
    if not any(rates):
        fail("rates", rates, "above 0 for at least one")
    mean = math.fsum(rate * weight for rate, weight in zip(rates, weights, strict=True))
    if not abs(mean - 1) <= ROUNDING:
        fail("rates", rates, f"of mean 1 when weighted by {of_weights} (it is {mean:.12g})")
