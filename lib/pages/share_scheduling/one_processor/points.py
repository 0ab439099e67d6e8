"""Share deviations on one processor, exact and simulated: for the figures of `thesis`, Chapter 3, and the checks."""

import functools
from typing import NamedTuple

import numpy as np

from clustershare import uniprocessor
from clustershare.compiled import service
from clustershare.results import NoExactAnswer
from clustershare.uniprocessor.chain import solve
from clustershare.uniprocessor.model import Workload
from compendium import study
from compendium.press.clauses import exact, measured, widened
from compendium.study import run_lengths
from pages.share_scheduling.one_processor.printed import gamma
from pages.share_scheduling.one_processor.simulated import RISK, refused
from pages.share_scheduling.one_processor.systems import FRACTIONS, SHARES, SPLITS, beside_permanent_jobs, two_groups

# Policies, and beside each those that deviate alike: the lines of `thesis`, Figures 3.8, 3.9, 3.10, 3.11, 3.12, 3.13.
LINES = {
    "group_share_deviation": {
        "FCFS": "FCFS, PS", "HOL": "HOL", "UD": "UD", "PQ": "PQ", "PPS": "PPS", "GPPS": "GPPS",
    },
    "job_share_deviation": {"FCFS": "FCFS", "HOL": "HOL", "UD": "UD", "PQ": "PQ", "PS": "PS, PPS, GPPS"},
}  # fmt: skip
PAPER = run_lengths("paper")["replications"]
TOLERANCE = 1e-8  # of the chains
LIMIT = 1e-7  # up to which an answer of a chain is not above 0
MIDDLES = tuple(round(0.04 + 0.08 * number, 12) for number in range(12))  # loads at which a chain confirms a sign

# Parts of a load that group 1 brings, in `thesis`, Figure 3.4: closer at the end, where the curves are steep.
PARTS = np.append(np.linspace(0.005, 0.99, 198), 1 - np.geomspace(0.01, 1e-6, 40))


class Curve(NamedTuple):
    """A deviation as a function of one parameter.

    Attributes
    ----------
    policy, label : str
        The policy it was computed for, and the policies that it stands for.
    x, deviation : ndarray, shape (points,)
    """

    policy: str
    label: str
    x: np.ndarray
    deviation: np.ndarray


def larger_deviation(policy, systems, quantity="group_share_deviation"):
    """The larger deviation over the groups, exactly, for each of several systems: arguments of `uniprocessor.exact`.

    It is nan where there is no exact answer. A group whose deviation is not known beside one that is, is not the
    larger.

    Examples
    --------
    >>> larger_deviation("UD", [two_groups(0.2), two_groups(0.5)]).round(5)
    array([-0.07172,      nan])
    """
    found = []
    for system in systems:
        try:
            deviations = getattr(uniprocessor.exact(policy, **system, tolerance=TOLERANCE), quantity)
        except NoExactAnswer:
            deviations = np.full(2, np.nan)
        found.append(np.nan if np.isnan(deviations).all() else np.nanmax(deviations))
    return np.array(found)


def over_parts(policy, required_share, load, parts=PARTS):
    """The larger deviation as group 1 brings more of a load: a curve of `thesis`, Figure 3.4, if the policy is PQ.

    Examples
    --------
    >>> over_parts("PQ", 0.6, 0.9, [0.1, 0.9]).round(4)
    array([-0.06  ,  0.4926])
    """
    return larger_deviation(policy, [two_groups(float(part), load, required_share) for part in parts])


def curves(labels, x, system, quantity="group_share_deviation"):
    """The larger deviation over x, a `Curve` for each policy.

    They are the lines of `thesis`, Figures 3.7, 3.8, 3.9, 3.10, 3.11, 3.12, 3.13, 3.14, 3.15.

    By the policy there is a label, which may name others that deviate alike; ``system(policy, value)`` gives the
    arguments of `uniprocessor.exact`.
    """
    return {
        policy: Curve(policy, label, x, larger_deviation(policy, [system(policy, value) for value in x], quantity))
        for policy, label in labels.items()
    }


def up_down_apart(load, fractions):
    """Both deviations under UD where the priorities part for ever: the dashed lines of `thesis`, Figure 3.6.

    The groups require equal shares. Of the ascending fractions of the load, from group 1, those before the first for
    which there is no exact answer, and the deviations there, shape (points, groups).

    Examples
    --------
    >>> up_down_apart(0.8, [0.1, 0.2, 0.5])[1].round(4)
    array([[-0.0267, -0.6537],
           [-0.0717, -0.5096]])
    """
    found = []
    for fraction in fractions:
        try:
            found.append(uniprocessor.exact("UD", **two_groups(fraction, load)).group_share_deviation)
        except NoExactAnswer:
            break
    return np.array(fractions)[: len(found)], np.reshape(found, (-1, 2))


def known(policy, system, value):
    """A value of the exact answer for a system, shape (2,); nan where there is no exact answer.

    Examples
    --------
    >>> known("UD", two_groups(0.5), lambda found: found.obtained_share)
    array([nan, nan])
    """
    try:
        return value(uniprocessor.exact(policy, **system))
    except NoExactAnswer:
        return np.full(2, np.nan)


def fcfs_falls_short(required_share):
    """Where a group falls short under FCFS by `thesis` (3.24): the region drawn in `thesis`, Figure 3.2.

    Corners, each the others' load and the own; the first two are on the line at which the deviation is 0.

    Examples
    --------
    >>> fcfs_falls_short(0.75)
    [(0.25, 0), (0.25, 0.75), (1, 0)]
    """
    return [(1 - required_share, 0), (1 - required_share, required_share), (1, 0)]


def on_grid(deviation, middles=MIDDLES, most=0.78):
    """A deviation over two loads, which together stay below `most`: the points of `thesis`, Figures 3.2, 3.3.

    Places, shape (points, 2), and what ``deviation(x, y)`` is there.
    """
    points = np.array([(x, y) for x in middles for y in middles if x + y < most])
    return points, np.array([deviation(x, y) for x, y in points.tolist()])


def above_the_line(required_share, alpha):
    """Where group 2 falls short under PQ, by `thesis`, Theorem 3.7: the region of Figure 3.3.

    Corners, each a load of group 2 and one of group 1; the first two are the ends of the line. The service rate of
    group 2 is `alpha` times that of group 1.

    Examples
    --------
    >>> above_the_line(0.75, 1.0)
    [(0, 0.5), (0.25, 0.75), (0, 1)]
    """
    return [(0, float(gamma(required_share, alpha))), (1 - required_share, required_share), (0, 1)]


@functools.cache
def exact_of_two_groups(policy, fraction=0.5, required_share=0.51, load=0.8, quantity="group_share_deviation"):
    """Both groups' deviations without permanent jobs, to 1e-7 at least: `thesis`, Figures 3.7, 3.8, 3.9, 3.10, 3.11."""
    system = two_groups(float(fraction), load, float(required_share))
    return getattr(uniprocessor.exact(policy, **system, tolerance=1e-7), quantity)


@functools.cache
def _rows(policy, permanent, places):
    """The stored points of a policy at fractions and required shares, read once, in all quantities."""

    def arguments(fraction, share):
        if permanent:
            return {"policy": policy, **beside_permanent_jobs(policy, share, permanent)}
        return {"policy": policy, **two_groups(fraction, required_share=share)}

    points = [{"fraction": fraction, "share": share} for fraction, share in places]
    return study.run("uniprocessor", uniprocessor.simulate, points, arguments, fidelity="paper")


def simulated(policy, permanent=0, quantity="group_share_deviation", places=tuple((0.5, share) for share in SHARES)):
    """The stored points: estimates and half widths, shape (places, groups)."""
    rows = _rows(policy, permanent, places)
    rows = rows[rows["quantity"] == quantity]
    return tuple(rows[column].to_numpy().reshape(-1, 2) for column in ("estimate", "half_width"))


def stored(rows, **axes):
    """Estimates and half widths of stored points, as `Points` that hold together at 99.9 %."""
    return measured(*rows, runs=PAPER, risk=RISK, as_it_stands=True, **axes)


def over_x(policy, quantity="group_share_deviation", share=0.5, fractions=FRACTIONS):
    """The stored points over the fraction x of the load from group 1: `thesis`, Figures 3.5, 3.6, 3.7, 3.8, 3.9."""
    rows = simulated(policy, 0, quantity, tuple((fraction, share) for fraction in fractions))
    return stored(rows, x=fractions, group=(1, 2))


def exactly_over_x(policy, fractions=FRACTIONS, share=0.5, quantity="group_share_deviation", load=0.8):
    """The exact deviations there."""
    values = [exact_of_two_groups(policy, x, share, load, quantity) for x in fractions]
    return exact(values, as_it_stands=True, x=fractions, group=(1, 2))


def over_r(policy, permanent=0, quantity="group_share_deviation"):
    """The stored points over the required share of group 1: `thesis`, Figures 3.10, 3.11, 3.12, 3.13, 3.14, 3.15."""
    return stored(simulated(policy, permanent, quantity), required_share=SHARES, group=(1, 2))


def exactly_over_r(policy, shares=SHARES, quantity="group_share_deviation", load=0.8):
    """The exact deviations there, without permanent jobs."""
    values = [exact_of_two_groups(policy, 0.5, r, load, quantity) for r in shares]
    return exact(values, as_it_stands=True, required_share=shares, group=(1, 2))


# The systems of figures, whose ends are left out, by policy.
FIGURES = {
    "3.5": lambda policy: [two_groups(x) for x in FRACTIONS],
    "3.8": lambda policy: [two_groups(x, required_share=0.51) for x in SPLITS],
    "3.10": lambda policy: [two_groups(0.5, required_share=r) for r in SHARES[1:]],
    "3.12": lambda policy: [beside_permanent_jobs(policy, r, 1) for r in SHARES[1:]],
    "3.14": lambda policy: [beside_permanent_jobs(policy, r, 2) for r in SHARES[1:]],
}
# Where the curves are drawn; at a half, group 1 is in front.
WITHOUT = np.linspace(0.5, 0.99, 99) + 1e-9
BESIDE = np.linspace(0.5, 0.99, 50) + 1e-9
POINTS = (*SHARES, 0.99)  # where paths are run with the arrivals as they are


def drawn(policy, permanent=0, quantity="group_share_deviation"):
    """The published curve of a policy, over `WITHOUT`, or beside so many permanent jobs of each group over `BESIDE`."""
    if permanent:
        return _curve(policy, BESIDE, lambda name, r: beside_permanent_jobs(name, r, permanent), quantity)
    return _curve(policy, WITHOUT, lambda _, r: two_groups(0.5, required_share=r), quantity)


def _curve(policy, shares, system, quantity):
    return curves({policy: policy}, shares, system, quantity)[policy].deviation


@functools.cache
def as_they_arrive(policy, permanent, share, jumps=20_000, warmup=0, replications=20):
    """Paths from the start at loads of 0.25 each, no arrivals replaced where a queue grows without bound."""
    system = two_groups(0.5, 0.5, share)
    return refused(policy, *system.values(), 1.0, permanent, jumps=jumps, warmup=warmup, replications=replications)


def deviations_of(path, share):
    """Deviations and half widths of a path on which both groups are always there, each of shape (2,)."""
    shares = np.array([share, 1 - share])
    return path.present.value - path.obtained.value / shares, path.obtained.half_width / shares


def _of(figure):
    """The required share and the fractions of a figure over x, if it is one, and the permanent jobs of each group."""
    share, fractions = {"3.5": (0.5, SPLITS[:10]), "3.8": (0.51, SPLITS)}.get(figure, (None, None))
    return share, fractions, {"3.12": 1, "3.14": 2}.get(figure, 0)


def stored_of(figure, policy):
    """The stored points of a policy in a figure."""
    share, fractions, permanent = _of(figure)
    return over_x(policy, share=share, fractions=fractions) if share else over_r(policy, permanent)


@functools.cache
def lows(figure, policy):
    """At the simulated points of a figure, the larger deviation; for UD the lower end of its joint interval."""
    share, fractions, permanent = _of(figure)
    if policy == "UD":
        points = stored_of(figure, "UD")
        return points.low(points.widened(points.asked)).max(axis=1)
    if share:
        return exactly_over_x(policy, fractions, share).value.max(axis=1)
    if not permanent:
        return exactly_over_r(policy).value.max(axis=1)
    if policy in ("PPS", "GPPS"):
        return np.array([exactly_beside(policy, r, permanent)[0].max() for r in SHARES])
    systems = [beside_permanent_jobs(policy, r, permanent) for r in SHARES]
    return np.array([np.nanmax(uniprocessor.exact(policy, **s).group_share_deviation) for s in systems])


@functools.cache
def in_plane(policy, load, points, tolerance=1e-4):
    """Where a policy has a positive deviation for sure, over load split and required share, and where that is known.

    With the groups' names exchanged it is the same system, so half of the plane is computed. Rows: x, r_1, the lower
    end of the larger deviation and its upper end.
    """
    grid, found = (np.arange(points) + 0.5) / points, []
    for r in grid[grid > 0.5]:
        for x in grid:
            system = two_groups(x, load, r)
            try:
                result = uniprocessor.exact(policy, **system, tolerance=tolerance)
                value, doubt = result.group_share_deviation, result.error
            except NoExactAnswer:
                run = {"jumps": 20_000, "warmup": 5_000, "replications": 20}
                result = uniprocessor.simulate(policy, **system, **run).group_share_deviation
                value, doubt = result.value, widened(points**2, 20, RISK) * result.half_width
            found.append((x, r, (value - doubt).max(), (value + doubt).max()))
    return np.array(found)


@functools.cache
def exactly_beside(policy, share, permanent, load=0.5):
    """Exact deviations of two equal loads beside permanent jobs of each group, or of their limit, and the error."""
    system = uniprocessor.limiting(policy, **two_groups(0.5, load, share), permanent_jobs=permanent)
    found = uniprocessor.exact(policy, **system, tolerance=TOLERANCE)
    return found.group_share_deviation, found.error


@functools.cache
def sharing_chain(policy, share, permanent=0, load=0.8, fraction=0.5, tolerance=TOLERANCE):
    """PS, PPS or GPPS by the chain of both numbers, beside permanent jobs of each group: deviations, and its bound."""
    code = {"PS": service.PS, "PPS": service.PPS, "GPPS": service.GPPS}[policy]
    shares, rates = two_groups(fraction, load, share).values()
    stable = {"permanent_jobs": 0, **uniprocessor.limiting(policy, shares, rates, 1.0, permanent)}
    work = Workload(policy, service_rates=1.0, **stable)
    obtained, present, _, error = solve(
        work,
        lambda transient: service.divide_each(code, work.required_shares, transient + work.permanent_jobs[:, None]),
        tolerance,
    )
    return present - obtained / work.required_shares, error
