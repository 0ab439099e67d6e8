"""From a promise to a design: which policy, and how many processors, keep deviations and delays within bounds.

Groups bring work, measured in processors that it would keep busy. Jobs run on one processor at a time, or on all that
serve them at once. Each policy is asked, from the fewest processors on, by a formula, a recursion or a chain where
there is one, and by simulation elsewhere; what an interval cannot tell stays undecided.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

import numpy as np

from clustershare import dispatch, multiserver, splitting, uniprocessor
from clustershare.arguments import UnstableError, affordable, fail, integer, number, positive, truth, vector
from clustershare.calls import remembered
from clustershare.compiled.arguments import law
from clustershare.dispatch import own_processors
from clustershare.estimates import Estimate
from clustershare.progress import waited_for
from clustershare.results import NoExactAnswer, Result
from clustershare.run_length import check_run_length
from clustershare.shares import required_shares as check_shares
from clustershare.sizes import Exponential, JobSize
from clustershare.typing import Numbers, Quantity, Run

if TYPE_CHECKING:
    from clustershare.multiserver.graph import CompatibilityGraph

MOST_PROCESSORS, MOST_PLACES = 1000, 10**5  # a place is for the jobs of a group on a processor
GROWING = 0.01  # of a group's jobs that never leave: its mean number has no limit
ONE_AT_A_TIME = (
    "HPRS PS", "HPRS GPPS", "VPRS", "JSQ PS, migrating",
    *(f"{policy} {local}" for policy in ("JSQ", "HP", "SVP", "DVP") for local in ("PS", "GPPS")),
)  # fmt: skip
BALANCED = "balanced fairness"
AT_ONCE = (BALANCED, *uniprocessor.POLICIES)


@dataclass(frozen=True)
class Candidate(Result):
    """A policy on so many processors, held against the bounds.

    Attributes
    ----------
    policy : str
    processors : int
    deviation : float or Estimate
        Of the group that misses most: the largest group-share deviation (`thesis` (2.39)).
    slowdown : float or Estimate
        Of the group that is delayed most: mean time in the system over mean time of service on one processor. Infinite
        where a group is sent more than it is served.
    margin : float
        The smaller of two distances from the bounds, below 0 outside: of the deviation, and of the slowdown as a part
        of its bound. Where simulated, of the ends of the intervals that are farther off.
    verdict : str
        "meets" or "misses"; "undecided" where an interval holds a bound.
    method, error
        As `clustershare.results.Result`.
    """

    policy: str
    processors: int
    deviation: Quantity
    slowdown: Quantity
    margin: float
    verdict: str


def own_and_shared(required_shares: Numbers, processors: int) -> CompatibilityGraph:
    """Promises as a compatibility graph: each group has its whole processors, and all may use those left over.

    Processors that the same groups may use are made one, which no job can tell (`multiserver`).

    Parameters
    ----------
    required_shares : sequence of float
        Of the groups; they sum to 1.
    processors : int

    Returns
    -------
    clustershare.multiserver.CompatibilityGraph
        Of capacity 1 in all.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> own_and_shared((0.6, 0.4), 2)
    CompatibilityGraph(servers_of_class=((0, 1), (1,)), capacities=(0.5, 0.5))
    >>> own_and_shared((0.6, 0.4), 10)
    CompatibilityGraph(servers_of_class=((0,), (1,)), capacities=(0.6, 0.4))
    """
    required = check_shares("required_shares", required_shares)
    affordable("processors", processors, MOST_PROCESSORS)
    own = [own_processors(share, integer("processors", processors, 1)) for share in required]
    parts = np.round(np.array([*own, processors - sum(own)]) / processors, 12)
    there = [number for number, part in enumerate(parts) if part > 0]
    servers = [[there.index(number) for number in (g, len(own)) if number in there] for g in range(len(own))]
    return multiserver.CompatibilityGraph(servers, parts[there].tolist())


@waited_for
@remembered
def choose(
    required_shares: Numbers, work: Numbers, *, deviation: float, slowdown: float, sizes: JobSize | None = None,
    parallel: bool = False, policies: Sequence[str] | None = None, most_processors: int = 50, **run: Unpack[Run],
) -> tuple[Candidate, ...]:  # fmt: skip
    """The policies that keep the bounds, each on as few processors as it can, the smallest design first.

    Parameters
    ----------
    required_shares : sequence of float
        Promised to the groups; they sum to 1.
    work : sequence of float
        What each group brings, above 0: jobs per unit of time, times their mean time of service on one processor.
    deviation : float
        The most that any group may miss of its promise on average, relative to it.
    slowdown : float
        The most that any group's mean time in the system may be, in mean times of service on one processor.
    sizes : clustershare.sizes.JobSize, optional
        Of mean 1: the unit of time is a mean time of service on one processor. Exponential if not given.
    parallel : bool
        Whether several processors may serve a job at once. Then a single job can claim all that its group was promised.
    policies : sequence of str, optional
        Some of `ONE_AT_A_TIME`, or of `AT_ONCE` where `parallel`, each once. All if not given.
    most_processors : int
        How far to look, at most 1000, and at most 100 000 over the number of groups.
    **run
        `jumps`, `warmup`, `replications`, `seed` of what is simulated (see `clustershare.run_length.RunLength`).
    progress : bool
        Whether to show on standard error for how long this has been at work.

    Returns
    -------
    tuple of Candidate
        For each policy the fewest processors with which it meets the bounds, and before that all with which that is
        undecided; the last number tried where it never does. First what meets, by processors and margin. More
        processors need not be better: those beyond are not looked at.

    Raises
    ------
    UnstableError
        If `most_processors` cannot do the work.
    ValueError
        If an argument is not as above.

    Notes
    -----
    With other sizes than exponential ones those answers stay exact that do not depend on the sizes: random splitting to
    processors under PS, balanced fairness, and PS of all processors as one. The rest is then simulated, but for HPRS
    with GPPS, which is left out. No allowance is made for the number of intervals that a search looks at: simulate
    what was chosen once more, with another seed.

    Examples
    --------
    >>> for found in choose((0.6, 0.4), (1.0, 1.0), deviation=0.1, slowdown=2.5, policies=("HPRS PS", "VPRS")):
    ...     print(found.policy, found.processors, round(found.slowdown, 2), found.verdict, found.method)
    HPRS PS 7 1.4 meets formula
    VPRS 10 1.33 meets formula
    >>> choose((0.6, 0.4), (1.0, 1.0), deviation=0.1, slowdown=2.0, policies=["JSQ PS, migrating"])[0].processors
    3
    """
    required = check_shares("required_shares", required_shares)
    offered = np.array(vector("work", work, positive, len(required)))
    bounds = number("deviation", deviation), positive("slowdown", slowdown)
    known = AT_ONCE if truth("parallel", parallel) else ONE_AT_A_TIME
    affordable("most_processors", most_processors, MOST_PROCESSORS)
    most, law = integer("most_processors", most_processors, 1), _law(sizes)
    affordable("groups times most_processors", len(required) * most, MOST_PLACES)
    check_run_length(run)
    if offered.sum() >= most:
        raise UnstableError(
            f"work must be less than most_processors can do; it is {offered.sum():.12g}, and they are {most}.",
            range(len(required)),
        )
    if policies is not None:
        policies = vector("policies", policies, functools.partial(_policy, known))
        if len(set(policies)) < len(policies):
            fail("policies", policies, "different from each other")
    found = []
    for policy in known if policies is None else policies:
        found += _fewest(policy, required, offered, law, bounds, most, run)
    order = ("meets", "undecided", "misses")
    return tuple(sorted(found, key=lambda one: (order.index(one.verdict), one.processors, -one.margin)))


def _policy(known, name, value):
    if not isinstance(value, str) or value not in known:
        fail(name, value, "one of " + ", ".join(known))
    return value


def _law(sizes):
    """The law of the sizes, None if exponential."""
    if isinstance(sizes, JobSize):
        law("sizes", sizes)
    if sizes is not None and (not isinstance(sizes, JobSize) or abs(sizes.mean - 1) > 1e-9):
        fail("sizes", sizes, "None or a distribution of clustershare.sizes of mean 1")
    return None if isinstance(sizes, Exponential) else sizes


def _fewest(policy, required, offered, law, bounds, most, run):
    """Candidates: those undecided, and the first that meets, or the last."""
    candidates = []
    for processors in range(math.floor(offered.sum()) + 1, most + 1):
        answer = _answer(
            policy, required, offered / processors, processors, law, run
        )
        if answer is None:
            continue
        candidate = _held_against(
            policy, processors, answer, offered, bounds
        )
        candidates = [
            one for one in candidates if one.verdict == "undecided"
        ] + [candidate]
        if candidate.verdict == "meets":
            break
    return candidates


def _held_against(policy, processors, answer, offered, bounds):
    method, error, deviations, jobs = answer
    found = []
    for values in (deviations, Estimate(jobs.value / offered, jobs.half_width / offered)):
        g = int(np.argmax(values.value))
        low, high = (values.value - values.half_width).max(), (values.value + values.half_width).max()
        found.append((Estimate(float(values.value[g]), float(values.half_width[g])), low, high))
    (deviation, *missed), (slowdown, *delayed) = found
    # From the least to the most favourable end.
    margins = [min(bounds[0] - missed[end], 1 - delayed[end] / bounds[1]) for end in (1, 0)]
    verdict = "meets" if margins[0] >= 0 else "misses" if margins[1] < 0 else "undecided"
    if method != "simulation":
        deviation, slowdown = deviation.value, slowdown.value
    return Candidate(
        policy=policy, processors=processors, deviation=deviation, slowdown=slowdown, margin=float(margins[0]),
        verdict=verdict, method=method, error=error,
    )  # fmt: skip


def _answer(policy, required, loads, processors, law, run):
    """Method, error, deviations and mean numbers of jobs, both as `Estimate`s; None where nothing answers."""
    if policy == BALANCED:
        return _balanced(required, loads, processors)
    if policy in uniprocessor.POLICIES:
        return _as_one(policy, required, loads, law, run)
    name, _, local = policy.partition(" ")
    if name in ("HPRS", "VPRS"):
        return _split(name, local, required, loads, processors, law)
    migrating = local.endswith(", migrating")
    if migrating and law is None:
        return _exactly(dispatch.shortest_queue_with_migration(required, loads, processors))
    found = dispatch.simulate_central(
        name, local=local.split(",")[0], migration=migrating, required_shares=required, loads=loads,
        processors=processors, sizes=law, **run,
    )  # fmt: skip
    growing = found.growth.value > GROWING * loads  # a processor of capacity 1 serves one job per unit of time
    jobs = Estimate(np.where(growing, np.inf, found.mean_jobs.value), np.where(growing, 0, found.mean_jobs.half_width))
    return "simulation", math.nan, found.group_share_deviation, jobs


def _exactly(found, deviations=None):
    missed = found.group_share_deviation if deviations is None else deviations
    return found.method, found.error, _sharp(missed), _sharp(found.mean_jobs)


def _sharp(values):
    return Estimate(values, np.zeros_like(values))


def _split(name, local, required, loads, processors, law):
    """Random splitting. Sizes do not matter to processors that are shared by PS."""
    if name == "VPRS":
        parts = np.array(required) * processors
        whole = (abs(parts - parts.round()) <= splitting.groups.WHOLE).all()
        return _exactly(splitting.vertical(required, loads, processors)) if whole else None
    if local == "GPPS" and law is not None:
        return None
    try:
        return _exactly(splitting.horizontal(required, loads, (1 / processors,) * processors, local))
    except NoExactAnswer:
        return None


def _balanced(required, loads, processors):
    """A group is absent with the probability of nobody there, over that in a system without the group."""
    graph = own_and_shared(required, processors)
    try:
        fair = multiserver.balanced_fairness(graph, loads)
    except UnstableError:
        return None
    others = [np.where(np.arange(len(loads)) == g, 0, loads) for g in range(len(loads))]
    alone = np.array([multiserver.balanced_fairness(graph, rates).probability_empty for rates in others])
    return _exactly(fair, 1 - fair.probability_empty / alone - loads / required)


def _as_one(policy, required, loads, law, run):
    """All processors serve one job, or one group of jobs: they are one processor."""
    try:
        if law is None or policy == "PS":
            return _exactly(uniprocessor.exact(policy, required, loads))
    except NoExactAnswer:
        pass
    found = uniprocessor.simulate(policy, required, loads, sizes=law, **run)
    return "simulation", math.nan, found.group_share_deviation, found.mean_jobs
