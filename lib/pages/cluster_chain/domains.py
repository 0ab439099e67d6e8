"""Where the claims of `ctmc` are judged: whole axes and all curves of its figures, and systems that are wrong for them.

The values of the source's axes and curves are lost. A claim is therefore judged over more of them than the pages draw,
by the functions of `systems` that the pages draw from.
"""

import functools
from dataclasses import replace

import numpy as np

from clustershare.cluster_chain import uniform_sizes
from pages.cluster_chain.systems import ARRIVAL_RATES, MEASURES

CURVES = (1, 2, 5, 10, 15, 20, 30, 40, 60, 100, 1000)  # arrival rates of Figures 2 to 4
AXIS = (1, 2, 3, 4, *ARRIVAL_RATES)  # of Figures 5 to 9
BELOW = tuple(range(1, 16))  # the largest size below 16 servers, Figures 5 and 6
LARGE = (70, 80, 90, 100, 1000)
SPREAD_AXIS = tuple(np.geomspace(0.1, 100, 25).tolist())  # Figure 10
MIXTURES = tuple(number / 100 for number in range(1, 11))  # shares of long jobs, Figure 11
CLOUD_AXIS = (5, 10, *range(15, 121, 15))
RESOLVED = 1e-9  # a relative difference that the solutions resolve
SATURATING = 1e4  # arrivals per second, far more than any of these clusters can serve


def same(cluster):
    """The system itself, where a control takes a wrong one."""
    return cluster


def quick_servers(factor):
    """Servers so many times quicker: a wrong system."""

    def changed(cluster):
        return replace(cluster, service_rates=factor * 10.0)

    return changed


def in_proportion(cluster):
    """Tracker and servers that keep pace with the arrivals, as at 30 a second: a wrong system."""
    pace = cluster.arrival_rate / 30
    return replace(cluster, tracker_rate=pace * cluster.tracker_rate, service_rates=pace * 10.0)


def whole_jobs(cluster):
    """Every job takes the whole cluster: a wrong system."""
    return replace(cluster, job_sizes={cluster.servers: 1.0})


def small_jobs(cluster):
    """Sizes up to 4 whatever the cluster: a wrong system."""
    return replace(cluster, job_sizes=uniform_sizes(min(4, cluster.servers)))


def just_as_large(cluster):
    """As many servers as the largest job takes: a wrong system."""
    return replace(cluster, servers=int(cluster.sizes.max()))


def same_work(cluster):
    """Service the shorter the larger the job, so that every job is the same work: a wrong system."""
    return replace(cluster, service_rates={size: 10.0 * size for size in cluster.sizes.tolist()})


def without_queue(cluster):
    """No place to wait but at the tracker: a wrong system."""
    return replace(cluster, queue_capacity=0)


def one_server_more(cluster):
    """A server more, so that two jobs of the mean size fit exactly: a wrong system for Figure 10."""
    return replace(cluster, servers=cluster.servers + 1)


def slow_tracker(cluster):
    """A tracker hardly quicker than a server: a wrong system."""
    return replace(cluster, tracker_rate=20.0)


def instant_tracker(cluster):
    """A tracker that takes next to no time."""
    return replace(cluster, tracker_rate=1e6)


def small_jobs_on_16(cluster):
    """Sizes up to 4 on 16 servers, whatever the cluster: a wrong system."""
    return replace(cluster, servers=16, job_sizes=uniform_sizes(4))


def tracker_without_place(cluster):
    """A tracker that holds no place of its own, so that one job less finds room: a wrong system."""
    return replace(cluster, queue_capacity=cluster.queue_capacity - 1)


@functools.cache
def measured(cluster):
    """The measures of a cluster by name, with `little_error` and `sweeps`, kept without its probabilities."""
    found = cluster.solve()
    return {name: getattr(found, name) for name in (*MEASURES, "little_error", "sweeps")}


def surface(make, rows, columns, quantity, system=same):
    """A quantity over two parameters.

    Parameters
    ----------
    make : callable
        ``make(row, column)`` is the cluster.
    rows, columns : sequence
    quantity : str
        One of `pages.cluster_chain.systems.MEASURES`.
    system : callable
        What is changed in each cluster.

    Returns
    -------
    ndarray, shape (rows, columns)
    """
    return np.array([[measured(system(make(row, column)))[quantity] for column in columns] for row in rows])


def _parts(cluster):
    """The probabilities while a job is at the tracker, by queue, its size and vector; and what is idle."""
    vectors, lattice = cluster.level_sizes[0], cluster.lattice()
    busy = np.zeros(vectors, dtype=int)
    for vector in range(1, vectors):
        busy[vector] = busy[lattice.parent[vector]] + cluster.sizes[lattice.last[vector]]
    probabilities = cluster.solve().probabilities()[vectors:]
    return probabilities.reshape(cluster.queue_capacity + 1, len(cluster.sizes), vectors), cluster.servers - busy


def wasted(cluster):
    """The part of the servers that is idle while the job at the tracker waits for more of them, on average.

    Examples
    --------
    >>> from pages.cluster_chain.systems import figure_3
    >>> round(wasted(figure_3(16, 100)), 3), wasted(figure_3(1, 100))
    (0.279, 0.0)
    """
    probabilities, idle = _parts(cluster)
    waiting = cluster.sizes[:, None] > idle
    return float((probabilities.sum(axis=0) * waiting * idle).sum() / cluster.servers)


def time_wasted(cluster, fewer_than):
    """The part of the time that some servers, fewer than given, are idle while the job at the tracker waits for more.

    Examples
    --------
    >>> from pages.cluster_chain.systems import figure_10
    >>> round(time_wasted(figure_10(0.5), 8), 2)
    0.85
    """
    probabilities, idle = _parts(cluster)
    waiting = (cluster.sizes[:, None] > idle) & (idle > 0) & (idle < fewer_than)
    return float((probabilities.sum(axis=0) * waiting).sum())


def in_service_while_queued(cluster):
    """The mean number of jobs in service, given that a job is in the queue.

    Examples
    --------
    >>> from pages.cluster_chain.systems import figure_3
    >>> round(in_service_while_queued(figure_3(1, 100)), 3)
    0.99
    """
    probabilities, _ = _parts(cluster)
    lattice, jobs = cluster.lattice(), np.zeros(probabilities.shape[2])
    for vector in range(1, len(jobs)):
        jobs[vector] = jobs[lattice.parent[vector]] + 1
    queued = probabilities[1:].sum(axis=(0, 1))
    return float(queued @ jobs / queued.sum())


def rises(values, axis=0):
    """The steps along an axis, each relative to the larger of its two values."""
    values = np.moveaxis(np.asarray(values), axis, 0)
    return np.moveaxis(np.diff(values, axis=0) / np.maximum(values[1:], values[:-1]), 0, axis)


def apart(left, right):
    """The differences of two arrays, relative to the larger.

    Examples
    --------
    >>> apart([1.0, 2.0], [2.0, 2.0]).tolist()
    [0.5, 0.0]
    """
    return np.abs(np.subtract(left, right)) / np.maximum(left, right)


def accepted_at_most(cluster):
    """Jobs per second that a cluster accepts when it is never short of them."""
    full = replace(cluster, arrival_rate=SATURATING)
    return SATURATING * (1 - measured(full)["blocking"])


def small_rates(cluster):
    """Five arrival rates up to 0.3 of what the saturated cluster accepts.

    Examples
    --------
    >>> from pages.cluster_chain.systems import figure_7
    >>> [round(rate, 2) for rate in small_rates(figure_7("uniform", 30))]
    [0.73, 1.47, 2.2, 2.93, 3.67]
    """
    return (accepted_at_most(cluster) * np.linspace(0.06, 0.3, 5)).tolist()


def resolved(steps):
    """Which of some relative steps are larger than what the solver's rounding may make of them."""
    return np.abs(steps) > RESOLVED


def told_steps(steps):
    """Relative steps as text: the least and the largest that are resolved.

    Examples
    --------
    >>> told_steps(np.array([0.1, 0.2, 1e-12]))
    '0.1 to 0.2 (1 of 3 steps not resolved)'
    """
    seen = steps[resolved(steps)]
    hidden = steps.size - seen.size
    text = f"{seen.min():.2g} to {seen.max():.2g}" if seen.size else "nothing"
    return text + (f" ({hidden} of {steps.size} steps not resolved)" if hidden else "")


def listed_where(holds, values):
    """The values at which a statement holds, as text; runs of neighbours as ranges.

    Examples
    --------
    >>> listed_where([True, True, True, False, True], (1, 2, 5, 10, 20))
    '1 to 5, 20'
    >>> listed_where([False, False], (1, 2)), listed_where([True, True], (1, 2))
    ('none', 'all')
    """
    if all(holds):
        return "all"
    runs = []
    for before, now, value in zip([False, *holds], [*holds, False], [*values, None], strict=True):
        if now and not before:
            runs.append([value, value])
        elif now:
            runs[-1][1] = value
    texts = [f"{first:.4g}" if first == last else f"{first:.4g} to {last:.4g}" for first, last in runs]
    return ", ".join(texts) or "none"
