"""Random splitting of several classes, for short waits and responses (`thesis`, Section 4.3.2, (4.52)-(4.57)).

Each class has its own sizes and cost. Where every processor serves in order of arrival, the cost is that of [7]; where
it serves the first class that has jobs, without interrupting anyone, it is that of [75]. Arrays may have more
dimensions in front: many systems at once, or many routings of one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from clustershare.arguments import UnstableError, fail, floats, integer
from clustershare.calls import remembered
from clustershare.progress import waited_for
from clustershare.results import NoExactAnswer, Result, same
from clustershare.typing import FloatArray

MEMORY = 5  # a step may end above the last value, but not above all of the last few
STEPS, KEPT, LAST_STEPS = 120, 4, 600  # all descents a little, then the best few on
SPARSE = 0.05  # of Dirichlet's law: how near to 0 and 1 probabilities are
TINY, MOST_STARTS = 1e-12, 10**4
NEAR = 1e-5  # to 1: what differences of costs may take a row of probabilities from it
LEAST_LEFT = 1e-9
LEAST_LOAD = 1e-20  # less only scales the cost of waiting; squares of it leave the floats


@dataclass(frozen=True)
class Classes:
    """Classes of jobs in Poisson streams, and the processors to which they may be sent.

    Parameters
    ----------
    arrival_rates, mean_sizes, second_moments, costs : array_like, shape (..., classes)
        Jobs per unit time; the first two moments of the work of a job; what a job of the class pays per unit of time.
    capacities : array_like, shape (..., processors)
        Work per unit time.

    Raises
    ------
    ValueError
        If a number is not finite and above 0, or a second moment below the square of its mean.

    Examples
    --------
    >>> Classes([0.3, 0.03], [1.0, 10.0], [2.0, 200.0], [1.0, 1.0], [0.5, 0.5]).load
    np.float64(0.6)
    """

    arrival_rates: np.ndarray
    mean_sizes: np.ndarray
    second_moments: np.ndarray
    costs: np.ndarray
    capacities: np.ndarray

    def __eq__(self, other):
        return same(self, other)

    def __post_init__(self):
        for name, values in list(vars(self).items()):
            array = floats(name, values, "numbers above 0")
            if array.ndim == 0 or not array.size or not (np.isfinite(array) & (array > 0)).all():
                fail(name, values, "numbers above 0")
            object.__setattr__(self, name, array)
        sizes = {name: values.shape[-1] for name, values in vars(self).items() if name != "capacities"}
        if len(set(sizes.values())) > 1:
            fail("arrival_rates", self.arrival_rates, f"as long as the others, which have {sizes} entries")
        _broadcast("arrival_rates", self.arrival_rates, *(values.shape[:-1] for values in vars(self).values()))
        if (self.second_moments < self.mean_sizes**2 * (1 - 1e-12)).any():
            fail("second_moments", self.second_moments, "at least the squares of mean_sizes")

    @property
    def load(self) -> FloatArray:
        """The work that arrives per unit time over the capacity of all processors."""
        return (self.arrival_rates * self.mean_sizes).sum(axis=-1) / self.capacities.sum(axis=-1)

    def offered(self, routing: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """What each class brings to each processor: jobs, load, and lasting work, shape (..., classes, processors).

        The last is the arrival rate times half the second moment of the service time. Its sum over the classes is the
        mean remaining service of the job that an arrival finds in service.
        """
        jobs = routing * self.arrival_rates[..., :, None]
        speeds = self.capacities[..., None, :]
        return (
            jobs,
            jobs * self.mean_sizes[..., :, None] / speeds,
            jobs * self.second_moments[..., :, None] / (2 * speeds**2),
        )


def _broadcast(name, values, *shapes):
    """Refuse what has dimensions in front that do not fit those of the others."""
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        fail(name, values, f"such that the dimensions in front fit one another; they are {shapes}")


def _checked(system, routing):
    """A routing of a system as an array: a probability for each class and processor, or more such tables."""
    if not isinstance(system, Classes):
        fail("system", system, "Classes")
    allowed = "a table of finite numbers, a row for each class and a column for each processor"
    table = floats("routing", routing, allowed)
    shape = (system.mean_sizes.shape[-1], system.capacities.shape[-1])
    if table.shape[-2:] != shape or not np.isfinite(table).all():
        fail("routing", routing, f"{allowed}, {shape[0]} x {shape[1]}")
    if table.min(initial=0) < -NEAR or (np.abs(table.sum(axis=-1) - 1) > NEAR).any():
        fail("routing", routing, "probabilities that sum to 1 in each row")
    _broadcast("routing", routing, table.shape[:-2], *(values.shape[:-1] for values in vars(system).values()))
    return table


def waiting_cost(system: Classes, routing: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The cost of waiting per unit of time, each processor first come, first served (`thesis` (4.52)).

    Parameters
    ----------
    system : Classes
    routing : ndarray, shape (..., classes, processors)
        The probabilities pi_gp. A row may miss a sum of 1 by 1e-5, for differences of costs.

    Returns
    -------
    cost : ndarray, shape (...)
        Infinite where a processor is sent as much as it can serve, or more.
    slopes : ndarray, shape (..., classes, processors)
        Its derivatives by the routing probabilities; nan where the cost is infinite.

    Examples
    --------
    >>> system = Classes([0.3, 0.3], [1.0, 1.0], [2.0, 2.0], [1.0, 1.0], [0.5, 0.5])
    >>> round(float(waiting_cost(system, np.full((2, 2), 0.5))[0]), 12)
    1.8
    """
    routing = _checked(system, routing)
    jobs, loads, lasting = system.offered(routing)
    free = 1 - loads.sum(axis=-2)
    paid = (system.costs[..., :, None] * jobs).sum(axis=-2)
    left = lasting.sum(axis=-2)
    one = system.offered(np.ones_like(routing))
    with np.errstate(divide="ignore", invalid="ignore"):
        waits = left / free
        slopes = (
            system.costs[..., :, None] * one[0] * waits[..., None, :]
            + one[2] * (paid / free)[..., None, :]
            + one[1] * (paid * waits / free)[..., None, :]
        )
        cost = (paid * waits).sum(axis=-1)
    return _known((free > 0).all(axis=-1), cost, slopes)


def _known(stable, cost, slopes):
    """The cost where it is finite, and there its slopes."""
    cost = np.where(stable, cost, np.inf)
    return cost, np.where(np.isfinite(cost)[..., None, None], slopes, np.nan)


def priority_response_times(system: Classes, routing: FloatArray) -> FloatArray:
    """Mean response times where the first class that has jobs is served first, nobody interrupted (`thesis` (4.56)).

    Parameters
    ----------
    system, routing
        As for `waiting_cost`, the classes in order of priority.

    Returns
    -------
    ndarray, shape (..., classes, processors)
        Of the jobs of a class at a processor; infinite where the class and those before it overload the processor. Of
        (4.56) the numerator is corrected: it counts what is sent to this processor, and has second moments.

    Examples
    --------
    >>> system = Classes([0.3, 0.3], [1.0, 1.0], [2.0, 2.0], [2.0, 1.0], [1.0])
    >>> priority_response_times(system, np.ones((2, 1))).round(3)
    array([[1.857],
           [3.143]])
    """
    routing = _checked(system, routing)
    jobs, loads, lasting = system.offered(routing)
    up_to = loads.cumsum(axis=-2)
    free, above = 1 - up_to, 1 - up_to + loads
    with np.errstate(divide="ignore", invalid="ignore"):
        # In service is what is served: of a class that overloads the processor what those before it leave.
        served = np.where(loads > 0, np.clip(above, 0, loads) / loads, 1)
        waits = np.where(free > 0, (lasting * served).sum(axis=-2, keepdims=True) / (above * free), np.inf)
    return waits + system.mean_sizes[..., :, None] / system.capacities[..., None, :]


def priority_cost(system: Classes, routing: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The mean cost of a job's response time where the first class is served first (`thesis` (4.54)).

    Parameters
    ----------
    system, routing
        As for `priority_response_times`.

    Returns
    -------
    cost, slopes
        As `waiting_cost`, infinite and nan where a processor is sent as much as it can serve, or more.

    Examples
    --------
    >>> system = Classes([0.3, 0.3], [1.0, 1.0], [2.0, 2.0], [2.0, 1.0], [1.0])
    >>> round(float(priority_cost(system, np.ones((2, 1)))[0]), 3)
    3.429
    """
    times = priority_response_times(system, routing)
    jobs, loads, lasting = system.offered(routing)
    total = system.arrival_rates.sum(axis=-1)
    up_to = loads.cumsum(axis=-2)
    free, above = 1 - up_to, 1 - up_to + loads
    one = system.offered(np.ones_like(routing))
    weights = system.costs[..., :, None] * jobs
    with np.errstate(divide="ignore", invalid="ignore"):
        cost = np.where(jobs != 0, weights * times, 0).sum(axis=(-2, -1)) / total
        delayed = weights / (above * free)  # by each unit of remaining service
        waiting = delayed * lasting.sum(axis=-2, keepdims=True)
        own, below = waiting / free, waiting / above  # by load of the class or of one before; by one before
        longer = np.flip(np.flip(own, -2).cumsum(axis=-2), -2)
        longer += np.flip(np.flip(below, -2).cumsum(axis=-2), -2) - below
        slopes = (
            system.costs[..., :, None] * one[0] * times + one[2] * delayed.sum(axis=-2, keepdims=True) + one[1] * longer
        ) / total[..., None, None]
    return _known((free[..., -1, :] > 0).all(axis=-1), cost, slopes)


def onto_simplex(points):
    """The nearest probabilities to points, along the last axis.

    Examples
    --------
    >>> onto_simplex(np.array([0.7, 0.7, -1.0])).round(12)
    array([0.5, 0.5, 0. ])
    """
    sums = (-np.sort(-points, axis=-1)).cumsum(axis=-1) - 1
    # The shift is the largest of these means: more entries stay above 0 as long as it rises.
    shift = (sums / np.arange(1, points.shape[-1] + 1)).max(axis=-1, keepdims=True)
    return np.maximum(points - shift, 0)


def stable_routings(system, rng, count):
    """Random routings that overload no processor: half of them of any kind, half with most probabilities near 0 or 1.

    Parameters
    ----------
    system : Classes
    rng : numpy.random.Generator
    count : int

    Returns
    -------
    ndarray, shape (..., count, classes, processors)
    """
    shape = (*system.load.shape, count, system.arrival_rates.shape[-1])
    routing = rng.dirichlet(np.ones(system.capacities.shape[-1]), shape)
    routing[..., ::2, :, :] = rng.dirichlet(np.full(system.capacities.shape[-1], SPARSE), shape)[..., ::2, :, :]
    system = with_axis(system)
    alike = (system.capacities / system.capacities.sum(axis=-1, keepdims=True))[..., None, :]
    most = system.offered(routing)[1].sum(axis=-2).max(axis=-1)
    # Loads are linear between a routing and the one that loads all processors alike.
    limit = 1 - (1 - system.load) / 20
    part = np.where(most > limit, (limit - system.load) / np.maximum(most - system.load, TINY), 1.0)
    return alike + part[..., None, None] * (routing - alike)


def descend(system, cost, routing, steps):
    """Routings downhill from given ones, all at once, by spectral projected gradients (Birgin, Martinez, Raydan, 2000).

    Probabilities are measured by the work that they move.

    Parameters
    ----------
    system : Classes
    cost : callable
        `waiting_cost` or `priority_cost`.
    routing : ndarray, shape (..., classes, processors)
        With finite costs.
    steps : int

    Returns
    -------
    ndarray, of the shape of `routing`
    """
    work = (system.arrival_rates * system.mean_sizes)[..., :, None] ** 2
    value, slopes = cost(system, routing)
    recent = np.repeat(value[None], MEMORY, axis=0)
    part, scale = np.ones_like(value), np.full_like(value, np.inf)
    best, least = routing, value
    for step in range(steps):
        # A point far away would be projected with too few digits.
        scale = np.minimum(scale, (10 if step else 0.3) / np.abs(slopes / work).max(axis=(-2, -1)))
        ahead = onto_simplex(routing - scale[..., None, None] * slopes / work) - routing
        tried = routing + part[..., None, None] * ahead
        found, steeper = cost(system, tried)
        taken = found <= recent.max(axis=0) + 1e-4 * part * (slopes * ahead).sum(axis=(-2, -1))
        wide = taken[..., None, None]
        moved, change = tried - routing, np.where(wide, steeper - slopes, 0)
        curvature = (moved * change).sum(axis=(-2, -1))
        with np.errstate(divide="ignore", invalid="ignore"):
            spectral = np.where(curvature > 0, (work * moved**2).sum(axis=(-2, -1)) / curvature, 10 * scale)
        scale = np.where(taken, np.maximum(spectral, TINY), scale)
        part = np.where(taken, 1.0, part / 4)
        value = np.where(taken, found, value)
        recent[step % MEMORY] = value
        routing, slopes = np.where(wide, tried, routing), np.where(wide, steeper, slopes)
        lower = value < least
        least, best = np.where(lower, value, least), np.where(lower[..., None, None], routing, best)
    return best


@dataclass(frozen=True)
class ClassRouting(Result):
    """A routing with a small cost.

    Attributes
    ----------
    routing : ndarray, shape (..., classes, processors)
        The probability that a job of the class is sent to the processor.
    objective : ndarray, shape (...)
        The cost of it.
    error : ndarray, shape (...)
        How much of the cost would still be saved, at the present slopes, by sending each class where that saves most:
        0 at a minimum.
    """

    routing: np.ndarray
    objective: np.ndarray


@waited_for
@remembered
def minimise_cost(
    system: Classes, cost: Callable[..., Any] = waiting_cost, *, starts: int = 40, seed: int = 0, progress: bool = False
) -> ClassRouting:
    """The routing with the least cost, as far as descents from many starts find it (`thesis`, (4.52) or (4.54)).

    The cost is not convex in the probabilities, and no proof is at hand that the best one found is the least.

    Parameters
    ----------
    system : Classes
        One, or many at once.
    cost : callable
        `waiting_cost`, or `priority_cost` with the classes in order of priority.
    starts : int
        At most 10 000.
    seed : int
        Of the starts.
    progress : bool
        Whether to show on standard error for how long this has been at work.

    Returns
    -------
    ClassRouting

    Raises
    ------
    UnstableError
        If more work arrives than the processors can do.
    NoExactAnswer
        If less than 1e-9 of the capacity is left: costs keep too few digits to be compared.

    Examples
    --------
    Short and long jobs, which cost the same: each processor is for one kind.

    >>> system = Classes([0.3, 0.03], [1.0, 10.0], [2.0, 200.0], [1.0, 1.0], [0.5, 0.5])
    >>> minimise_cost(system).routing.round(3)
    array([[1., 0.],
           [0., 1.]])
    """
    if not isinstance(system, Classes):
        fail("system", system, "Classes")
    if not callable(cost):
        fail("cost", cost, "a function such as waiting_cost")
    if (system.load >= 1).any():
        raise UnstableError("arrival_rates must bring a load below 1.", range(system.arrival_rates.shape[-1]))
    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(integer("seed", seed, 0))))
    rising = np.maximum(1, LEAST_LOAD / system.load)[..., None]
    many = with_axis(Classes(**{**vars(system), "arrival_rates": system.arrival_rates * rising}))
    if (system.load > 1 - LEAST_LEFT).any():
        raise NoExactAnswer(f"A load of {system.load.max():.17g} leaves too little to tell routings apart by costs.")
    found = descend(many, cost, stable_routings(system, rng, integer("starts", starts, 1, MOST_STARTS)), STEPS)
    order = np.argsort(cost(many, found)[0], axis=-1)[..., :KEPT, None, None]
    found = descend(many, cost, np.take_along_axis(found, order, axis=-3), LAST_STEPS)
    first = np.argmin(cost(many, found)[0], axis=-1)[..., None, None, None]
    routing = np.take_along_axis(found, first, axis=-3)[..., 0, :, :]
    value, slopes = cost(system, routing)
    saved = (routing * (slopes - slopes.min(axis=-1, keepdims=True))).sum(axis=(-2, -1))
    return ClassRouting(method="descent", error=saved, routing=routing, objective=value)


def with_axis(system):
    """The same with an axis for many routings of each system."""
    return Classes(**{name: values[..., None, :] for name, values in vars(system).items()})
