"""Several classes and processors: random systems, the curvature of a cost, its interior minima, and waits by hand."""

import numpy as np

from clustershare.splitting.classes import Classes
from clustershare.splitting.response import shortest_waits


def random_classes(rng, systems, classes, processors, *, alike=False, by_priority=False):
    """Random systems, all at once.

    Parameters
    ----------
    rng : numpy.random.Generator
    systems, classes, processors : int
    alike : bool
        Whether all classes have the same sizes and costs.
    by_priority : bool
        Whether the classes are put in the order of `thesis` (4.55).

    Returns
    -------
    clustershare.splitting.classes.Classes
        Its arrays have a first axis for the systems.
    """
    shape = systems, classes
    means, costs = rng.uniform(0.3, 2, shape), rng.uniform(0.2, 3, shape)
    seconds = means**2 * (1 + rng.exponential(1.5, shape))
    parts = rng.dirichlet(np.ones(classes), systems) + 0.02
    loads = parts / parts.sum(axis=1, keepdims=True) * rng.uniform(0.3, 0.95, (systems, 1))
    speeds = rng.dirichlet(np.full(processors, 2.0), systems)
    if alike:
        means, costs, seconds = (values[:, :1] * np.ones(shape) for values in (means, costs, seconds))
    system = Classes(loads / means, means, seconds, costs, speeds)
    return in_order(system, np.argsort(-costs / means, axis=1)) if by_priority else system


def two_minima():
    """One system of two classes by priority that has two interior minima of unequal cost; found by search."""
    means, loads = np.array([[1.0, 5.0]]), np.array([[0.5, 0.4]])
    return Classes(loads / means, means, 2 * means**2, [[2.0, 5.0]], [[0.6, 0.4]])


def in_order(system, order):
    """The same systems with their classes in another order.

    Parameters
    ----------
    system : clustershare.splitting.classes.Classes
    order : ndarray of int, shape (systems, classes)
    """
    moved = {name: np.take_along_axis(values, order, axis=-1)
             for name, values in vars(system).items() if name != "capacities"}  # fmt: skip
    return Classes(**moved, capacities=system.capacities)


def one_of(system, number):
    """One of many systems."""
    return Classes(**{name: values[number] for name, values in vars(system).items()})


def common_cost(system):
    """The least cost of waiting when all classes have the same routing probabilities: one stream of mixed jobs.

    Parameters
    ----------
    system : clustershare.splitting.classes.Classes
        Many.

    Returns
    -------
    ndarray, shape (systems,)
    """
    found = []
    for number in range(len(system.capacities)):
        one = one_of(system, number)
        jobs, speeds = one.arrival_rates, one.capacities
        mean, second = (jobs @ sizes / jobs.sum() for sizes in (one.mean_sizes, one.second_moments))
        waits = shortest_waits(jobs.sum(), mean / speeds, second / speeds**2)
        found.append(waits.objective * (one.costs @ jobs))
    return np.array(found)


def curvature(system, cost, routing, step=1e-6):
    """The Hessian of a cost by the routing probabilities of all processors but the last.

    Parameters
    ----------
    system : clustershare.splitting.classes.Classes
    cost : callable
        Gives slopes too, as `clustershare.splitting.classes.waiting_cost` does.
    routing : ndarray, shape (..., classes, processors)
    step : float
        Of the differences of slopes.

    Returns
    -------
    ndarray, shape (..., n, n)
    """
    *front, classes, processors = routing.shape
    columns = []
    for place in np.ndindex(classes, processors - 1):
        move = np.zeros((classes, processors))
        move[place], move[place[0], -1] = step, -step
        change = (cost(system, routing + move)[1] - cost(system, routing - move)[1]) / (2 * step)
        columns.append((change[..., :-1] - change[..., -1:]).reshape(*front, -1))
    hessian = np.stack(columns, axis=-1)
    return (hessian + np.swapaxes(hessian, -1, -2)) / 2


def interior_minimum(system, cost, routing, edge=1e-3, steps=30):
    """The local minimum near a routing, by Newton's method, if there is one away from 0 and 1.

    Parameters
    ----------
    system : clustershare.splitting.classes.Classes
        One.
    cost, routing
        As for `curvature`.
    edge : float
        How near to 0 or 1 no probability may be.
    steps : int

    Returns
    -------
    routing : ndarray or None
        None where the curvature is not positive, or the minimum is at the edge.
    cost : float
    """
    value, slopes = cost(system, routing)
    for _ in range(steps):
        hessian = curvature(system, cost, routing)
        slope = (slopes[:, :-1] - slopes[:, -1:]).ravel()
        if np.linalg.eigvalsh(hessian)[0] <= 0:
            return None, np.inf
        if np.abs(slope).max() < 1e-9 * value:
            break
        ahead = -np.linalg.solve(hessian, slope).reshape(len(routing), -1)
        ahead = np.column_stack([ahead, -ahead.sum(axis=1)])
        for part in 0.5 ** np.arange(20):
            tried = routing + part * ahead
            if tried.min() <= 0:
                continue
            found, steeper = cost(system, tried)
            if found <= value * (1 + 1e-12):
                routing, value, slopes = tried, found, steeper
                break
        else:
            break
    inside = edge < routing.min() and routing.max() < 1 - edge and np.abs(slope).max() < 1e-6 * value
    return (routing, float(value)) if inside else (None, np.inf)


def waits_by_balance(jobs, means, seconds):
    """Mean waits of classes in order of priority on one processor: from what a job finds, and who overtakes it.

    A job waits for the one in service, for those of its own class and the classes before that wait already, and for
    those of the classes before that arrive while it waits.

    Parameters
    ----------
    jobs, means, seconds : ndarray, shape (..., classes)
        Arrival rates, and the first two moments of the service times.

    Returns
    -------
    ndarray, shape (..., classes)
    """
    loads = jobs * means
    before = np.tril(np.ones((jobs.shape[-1],) * 2))
    system = np.eye(jobs.shape[-1]) - before * loads[..., None, :]
    overtaken = loads.cumsum(axis=-1) - loads
    system = system - np.eye(jobs.shape[-1]) * overtaken[..., None]
    found = np.broadcast_to((jobs * seconds / 2).sum(axis=-1)[..., None], jobs.shape)
    return np.linalg.solve(system, found[..., None])[..., 0]
