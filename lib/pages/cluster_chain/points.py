"""Where the claims of `ctmc` are judged, and the points of Figures 2 to 11: by the chain and stored simulated ones.

The values of the source's axes and curves are lost. A claim is therefore judged over more of them than the pages draw,
by the functions of `systems` that the pages draw from. What the solver's rounding may make of a difference is its
interval (`relative`). Exact values are held against simulated ones by one rule (`agreeing`), everywhere: every one
within two half widths of the 95 % interval, and within one at nine points of ten, where an interval is taken to be 1e-4
wide at least.
"""

import functools
from dataclasses import replace

import numpy as np

from clustershare.cluster_chain import simulate
from compendium import study
from compendium.press.clauses import aside, at_each, besides, everywhere, exact, grid
from compendium.press.clauses.conditions import at_least, at_most, falls, larger, never_falls, never_rises, rises
from compendium.press.words import SCALE
from pages.cluster_chain import systems
from pages.cluster_chain.systems import ARRIVAL_RATES, MEASURES

AXIS = (1, 2, 3, 4, *ARRIVAL_RATES)  # of Figures 5 to 9
SPREAD_AXIS = tuple(np.geomspace(0.1, 100, 25).tolist())  # Figure 10
RESOLVED = 1e-9  # a relative difference that the solutions resolve
SATURATING = 1e4  # arrivals per second, far more than any of these clusters can serve


def same(cluster):
    """The system itself, where a control takes a wrong one."""
    return cluster


def changed(**parameters):
    """A wrong system: the same with other parameters."""
    return lambda cluster: replace(cluster, **parameters)


INSTANT = changed(tracker_rate=1e6)  # a tracker that takes next to no time


def in_proportion(cluster):
    """Tracker and servers that keep pace with the arrivals, as at 30 a second: a wrong system."""
    pace = cluster.arrival_rate / 30
    return replace(cluster, tracker_rate=pace * cluster.tracker_rate, service_rates=pace * 10.0)


@functools.cache
def measured(cluster):
    """The measures of a cluster by name, with `little_error` and `sweeps`, kept without its probabilities."""
    found = cluster.solve()
    return {name: getattr(found, name) for name in (*MEASURES, "little_error", "sweeps")}


def over(make, system=same, **axes):
    """The measures of clusters at all combinations of some parameters, by name; `system` changes each cluster.

    Examples
    --------
    >>> from pages.cluster_chain.systems import figure_3
    >>> over(figure_3, N=(1, 2), λ=(10, 20, 30))["utilisation"].value.round(2).tolist()
    [[0.94, 0.99, 0.99], [0.74, 0.85, 0.85]]
    """
    return grid(**axes).measure(lambda *point: measured(system(make(*point))))


def words_for(name):
    """What a measure is called."""
    return {"mean_jobs_in_service": "mean number of jobs in service"}.get(name, name.replace("_", " "))


def steps_of(name, noun, points):
    """Of a measure from each value of a parameter to the next: a subject, and steps relative to the larger."""
    return f"the {words_for(name)}, from one {noun} to the next,", relative(points[name].steps(noun))


def relative(difference):
    """A difference as a part of the larger of its two quantities, with what the solver's rounding may make of it.

    Examples
    --------
    >>> steps = relative(exact([1.0, 2.0, 2.0], N=(1, 2, 3)).steps("N"))
    >>> steps.value.tolist(), steps.half.tolist()
    ([0.5, 0.0], [1e-09, 1e-09])
    """
    larger = np.maximum(*(one.value for one in difference.terms[:2]))
    half = np.full(difference.value.shape, RESOLVED)
    return replace(difference.scaled(1 / np.maximum(larger, 1e-300)), half=half, risk=None)


def settles(values, noun, word):
    """From which place of an axis on values, to its end, differ from there by no more than a word says.

    Infinite where that is the last place alone.

    Examples
    --------
    >>> settles(exact([[1.0, 2.0], [3.9, 5.0], [4.0, 9.0]], N=(1, 2, 3), λ=(10, 20)), "N", "close").value.tolist()
    [2.0, inf]
    """
    names = dict(values.axes)[noun]
    rest = {axis: places for axis, places in values.axes if axis != noun}
    found = np.full([len(places) for places in rest.values()], np.inf)
    for k in reversed(range(len(names) - 1)):
        off = relative(values.at(**{noun: names[k:]}) - values.at(**{noun: names[k]})).distance().largest(noun)
        found[off.value <= SCALE[word].most] = names[k]
    return exact(found, **rest)


def reason_for_delays(found, noun, up):
    """Clauses: that more jobs run along an axis, or if not `up` fewer; and enough so, where the delay changes."""
    names = dict(found["mean_delay"].axes)[noun]
    first, last = names[0], names[-1]
    jobs, delay = (
        relative(found[name].at(**{noun: last}) - found[name].at(**{noun: first}))
        for name in ("mean_jobs_in_service", "mean_delay")
    )
    explained = (np.abs(jobs.value) > SCALE["practically equal"].most) | (np.abs(delay.value) <= SCALE["close"].most)
    what, steps = steps_of("mean_jobs_in_service", noun, found)
    ends = f"from {noun} = {first} to {noun} = {last},"
    return (
        at_each(what, steps, never_falls() if up else never_rises()),
        at_each("the largest of these steps" if up else "the largest fall", (steps if up else -steps).largest("step"),
                larger()),
        at_each("where the delay changes by more than 0.05, this number does by more than 0.01",
                exact(explained, **dict(delay.axes))),
        aside(f"the mean delay, {ends}", delay),
        besides(f"the mean number of jobs in service, {ends}", jobs, rises(0.01) if up else falls(0.01)),
    )  # fmt: skip


def worst(what, points):
    """Of some points that which is farthest from 0, with its place: it stands in the fold."""
    place = np.unravel_index(np.abs(points.value).argmax(), points.value.shape)
    return aside(f"{what}, at most, at {points.place(place)}", exact(points.value[place]))


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


def small_rates(cluster):
    """Five arrival rates up to 0.3 of what the saturated cluster accepts.

    Examples
    --------
    >>> from pages.cluster_chain.systems import figure_7
    >>> [round(rate, 2) for rate in small_rates(figure_7("uniform", 30))]
    [0.73, 1.47, 2.2, 2.93, 3.67]
    """
    full = replace(cluster, arrival_rate=SATURATING)
    return (SATURATING * (1 - measured(full)["blocking"]) * np.linspace(0.06, 0.3, 5)).tolist()


# By figure: the cluster of a point, the points that are drawn, the study and the points that are simulated.
FIGURES = {
    "2": (systems.figure_2, {"tracker_rate": systems.TRACKER_RATES, "arrival_rate": systems.RATES},
          "cluster-tracker", {"tracker_rate": (15, 50, 200, 1000), "arrival_rate": systems.RATES}),
    "3": (systems.figure_3, {"servers": systems.SERVERS, "arrival_rate": systems.RATES},
          "cluster-size", {"servers": (1, 2, 4, 8, 16), "arrival_rate": systems.RATES}),
    "5": (systems.figure_5, {"largest": systems.LARGEST, "arrival_rate": ARRIVAL_RATES},
          "cluster-largest-job", {"largest": systems.LARGEST, "arrival_rate": (20, 60, 100)}),
    "7": (systems.figure_7, {"distribution": systems.NAMES, "arrival_rate": ARRIVAL_RATES},
          "cluster-blocking", {"distribution": systems.NAMES, "arrival_rate": (10, 20, 30, 50, 80, 100)}),
    "10": (systems.figure_10, {"spread": systems.SPREADS}, "cluster-spread", {"spread": (0.5, 2, 4, 8, 15)}),
    "11": (systems.figure_11, {"share": systems.SHARES, "arrival_rate": systems.CLOUD_RATES},
           "cluster-cloud", {"share": systems.SHARES, "arrival_rate": (30, 60, 90, 120)}),
}  # fmt: skip
EVERY = tuple(FIGURES)  # those of Figures 4, 6, 8 and 9 are among them
LEAST_WIDTH = 1e-4
RUNS = {"arrivals": 5000, "warmup": 1500, "replications": 16}  # of paths in words


def drawn(figures=EVERY):
    """The clusters of all points that some figures draw.

    Examples
    --------
    >>> len(drawn(["10"])), len(drawn())
    (13, 341)
    """
    return [make(**point) for make, points, *_ in map(FIGURES.get, figures) for point in study.grid(**points)]


@functools.cache
def _points(figure):
    make, _, name, points = FIGURES[figure]
    grid = study.grid(**points)
    rows = study.run(name, simulate, grid, lambda **point: {"cluster": make(**point)}, fidelity="book")
    rows = rows[rows["index"] == 0]
    keys = rows[list(points)].itertuples(index=False, name=None)
    found = {}
    for key, name, value, width in zip(keys, rows["quantity"], rows["estimate"], rows["half_width"]):
        found.setdefault(key, {})[name] = (value, width)
    return [(make(**dict(zip(points, key))), measures) for key, measures in found.items()]


def simulated(figures=EVERY):
    """The simulated points of some figures: clusters, and for each measure its estimate and half width.

    Examples
    --------
    >>> [(cluster, measures)] = simulated(["10"])[:1]
    >>> value, width = measures["mean_delay"]
    >>> abs(value - cluster.solve().mean_delay) < 2 * width
    True
    """
    return [point for figure in figures for point in _points(figure)]


def in_widths(exact, estimate, half_width):
    """How far exact values are from simulated ones, in half widths.

    Examples
    --------
    >>> in_widths([1.0, 1e-5], [1.5, 0.0], [0.5, 0.0]).tolist()
    [1.0, 0.1]
    """
    return np.abs(np.subtract(exact, estimate)) / np.maximum(half_width, LEAST_WIDTH)


def off_of(name, figures=None, scale=lambda cluster: 1):
    """A measure at the simulated points of some figures, in half widths; `scale` makes it another one."""
    return [
        float(in_widths(*(scale(cluster) * each for each in (measured(cluster)[name], *measures[name]))))
        for cluster, measures in (simulated(figures) if figures else simulated())
    ]


def off_paths(exactly, found, names=MEASURES):
    """How far measures, by name, are from those that some paths show, in half widths."""
    return [in_widths(exactly[name], getattr(found, name).value, getattr(found, name).half_width) for name in names]


def seen(figures, *names):
    """That some measures at the simulated points of some figures agree: two clauses."""
    return agreeing(" and ".join(map(words_for, names)), [off_of(name, figures) for name in names])


def agreeing(what, off):
    """That exact values are within two half widths of simulated ones, and nine of ten within one: two clauses."""
    off = np.ravel(off)
    return (
        everywhere(
            f"the distance of {what} from simulated values, in half widths,", exact(off, point=None), at_most(2)
        ),
        everywhere("the part of these distances that is at most 1", exact((off <= 1).mean()), at_least(0.9)),
    )
