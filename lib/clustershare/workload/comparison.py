"""Policies side by side for the jobs of a log: by theory, by simulation with the laws of the log, and by its replay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clustershare.arguments import UnstableError, affordable, fail, integer, number, positive, vector
from clustershare.calls import remembered
from clustershare.estimates import Estimate, from_replications
from clustershare.results import NoExactAnswer, Result, _optional
from clustershare.shares import required_shares as check_shares
from clustershare.typing import FloatArray, Numbers, Quantity
from clustershare.workload import policies as known
from clustershare.workload import theory
from clustershare.workload.description import DAY, DAYS, observed
from clustershare.workload.jobs import MOST_JOBS, MOST_SERVERS, Workload
from clustershare.workload.laws import CHANGES, Laws, changed, has_cycle, redrawn

THEORY, SIMULATION, REPLAY = "theory", "simulation", "replay"
MEASURES = ("capacity_loss", "deviation", "slowdown")
DRAWN = 20_000  # jobs of a replication where there is no log
MOST_REPLICATIONS = 1000
MOST_WORK = 10**11  # servers times groups times jobs: hours
ALIKE = (0.001, 0.001, 0.01)  # of the measures: what differs by less is no better
Watch = Callable[[str, int], None]


@dataclass(frozen=True)
class Answer(Result):
    """How a policy does, found in one way.

    Attributes
    ----------
    policy : str
    by : str
        "theory", "simulation" or "replay".
    capacity_loss : float or Estimate
        Part of the capacity that the jobs present could use and do not (`thesis` (2.43)); nan where theory does not
        tell.
    deviations : ndarray or Estimate, shape (groups,)
        Feasible minus obtained share, relative to the promised one (2.39); nan where theory does not tell.
    slowdowns : ndarray or Estimate, shape (groups,)
        Mean time in the system over mean size; nan for a group without jobs, and infinite where jobs grow in number
        for ever.
    high_slowdowns : ndarray or Estimate, shape (groups,)
        Of the jobs' own times in the system over their sizes, what 95 % stay below; nan where theory does not tell.
    note : str
        Why it was found as it was, where theory has no formula.
    """

    policy: str
    by: str
    capacity_loss: Quantity
    deviations: Quantity
    slowdowns: Quantity
    high_slowdowns: Quantity
    note: str = ""

    @property
    def kind(self) -> str:
        """How the policy treats running jobs.

        "in line": a job has its servers for itself until it ends. "sharing": jobs share a server, and stay there.
        "migrating": they share, and may be moved while they run.
        """
        return known.kind(self.policy)

    @property
    def deviation(self) -> Quantity:
        """Of the group that misses most."""
        return _worst(self.deviations)

    @property
    def slowdown(self) -> Quantity:
        """Of the group that is delayed most."""
        return _worst(self.slowdowns)

    @property
    def high_slowdown(self) -> Quantity:
        """Of the group of which it is the largest."""
        return _worst(self.high_slowdowns)


@dataclass(frozen=True)
class Comparison(Result):
    """Policies side by side.

    Attributes
    ----------
    answers : tuple of Answer
        By policy, and for each by theory, by simulation and, where there is a log, by replay.
    names : tuple of str
        Of the groups.
    promised : ndarray, shape (groups,)
    servers : int
    loads : ndarray, shape (groups,)
    best : tuple of str
        The policies that no other beats: none is as good or better in capacity loss, in the worst deviation and in the
        worst slowdown, and better in one; to a thousandth, a thousandth and a hundredth, and a promise that is more
        than kept is kept. By replay, or else by simulation.
    left_out : tuple of (str, str)
        Policies that cannot be asked, and why.
    """

    answers: tuple[Answer, ...]
    names: tuple[str, ...]
    promised: FloatArray
    servers: int
    loads: FloatArray
    best: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...] = ()

    @property
    def policies(self) -> tuple[str, ...]:
        """Of the answers, each once."""
        return tuple(dict.fromkeys(one.policy for one in self.answers))

    @property
    def judged_by(self) -> str:
        """By what policies are held against each other, "replay", or "simulation" where there is no log."""
        return REPLAY if any(one.by == REPLAY for one in self.answers) else SIMULATION

    def answer(self, policy: str, by: str | None = None) -> Answer:
        """The answer of a policy, found in one way: by what policies are judged, if none is named.

        Raises
        ------
        ValueError
            If there is none.
        """
        wanted = self.judged_by if by is None else by
        for one in self.answers:
            if (one.policy, one.by) == (policy, wanted):
                return one
        fail("policy", (policy, wanted), "a policy of the comparison, and a way in which it was asked")

    def recommended(
        self, kinds: Sequence[str] | None = None, *, deviation: float = np.inf, slowdown: float = np.inf
    ) -> str | None:
        """Of the policies that keep bounds, the one that loses least capacity; between equals, the one with the least
        deviation, then the least slowdown, then the first. Measures are rounded as for `best`.

        Parameters
        ----------
        kinds : sequence of str, optional
            Of policies, see `Answer`; any if not given.
        deviation, slowdown : float
            Bounds of the worst group.

        Returns
        -------
        str or None
            None if no policy keeps them.
        """

        kept = [
            policy for policy in self.policies if (kinds is None or self.answer(policy).kind in kinds)
            and keeps(self.answer(policy), deviation, slowdown) and np.isfinite(_value(self.answer(policy).slowdown))
        ]  # fmt: skip
        return min(kept, key=lambda policy: _rounded(self.answer(policy)), default=None)

    def to_frame(self) -> Any:
        """A table of pandas, a row for each answer and group.

        Returns
        -------
        pandas.DataFrame
            Columns `policy`, `by`, `method`, `group`, `capacity_loss`, `deviation`, `slowdown`, `high_slowdown`, and of
            each of the last four its half width, `..._half_width`, nan where nothing was simulated.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        rows = []
        for one in self.answers:
            for g, group in enumerate(self.names):
                row: dict[str, Any] = {"policy": one.policy, "by": one.by, "method": one.method, "group": group}
                for name, given in (
                    ("capacity_loss", one.capacity_loss), ("deviation", one.deviations), ("slowdown", one.slowdowns),
                    ("high_slowdown", one.high_slowdowns),
                ):  # fmt: skip
                    value, width = _both(given)
                    row[name] = float(value) if np.ndim(value) == 0 else float(value[g])
                    row[f"{name}_half_width"] = float(width) if np.ndim(width) == 0 else float(width[g])
                rows.append(row)
        return _optional("pandas", "to_frame").DataFrame(rows)


@dataclass(frozen=True)
class Fewest(Result):
    """On how few servers a policy keeps bounds.

    Attributes
    ----------
    policy : str
    servers : int
        The fewest that were found, with one server less missing the bounds; 0 if no number that was tried keeps them.
    answer : Answer
        With so many; with the most that were tried, if none keeps the bounds.
    tried : tuple of int
        Numbers of servers, increasing.
    """

    policy: str
    servers: int
    answer: Answer
    tried: tuple[int, ...]


@dataclass(frozen=True)
class Parting(Result):
    """Where theory and replay of a policy part, and what changes when one thing is taken out of the log.

    Attributes
    ----------
    policy : str
    theory, replay : ndarray, shape (3,)
        Capacity loss, worst deviation and worst slowdown; nan where theory does not tell.
    changes : tuple of str
        What was taken out, one at a time, as in `clustershare.workload.without`.
    without : Estimate, shape (changes, 3)
        The same measures, replayed without it; nan where the policy cannot be.
    chance : ndarray, shape (3,)
        Of what theory assumes, 95 of 100 logs as long lie within so much of their mean.
    """

    policy: str
    theory: FloatArray
    replay: FloatArray
    changes: tuple[str, ...]
    without: Estimate
    chance: FloatArray

    @property
    def effects(self) -> Estimate:
        """What is the doing of each thing, shape (changes, 3), the replay less the replay without it."""
        return self.replay - self.without


@remembered
def compare(
    workload: Workload | Laws, promised: Numbers, servers: int, *, policies: Sequence[str] | None = None,
    day: float = DAY, half_life: float | None = None, jobs: int | None = None, replications: int | None = None,
    seed: int = 0, watch: Watch | None = None,
) -> Comparison:  # fmt: skip
    """Each policy by theory, by simulation, and by replay.

    Theory assumes a Poisson stream and independent exponential sizes, of the means that groups have with each number of
    servers: it answers by a formula or a chain, or else by simulation of what it assumes. Simulation takes the laws of
    the log, one independent of another. Replay takes the jobs as they came.

    Parameters
    ----------
    workload : Workload or Laws
        Of jobs that do not all arrive at once. Of laws there is no replay.
    promised : sequence of float
        Shares of the groups; they sum to 1.
    servers : int
        At least as many as any job takes. A job alone is served at rate 1.
    policies : sequence of str, optional
        Each once. Of jobs of one server: a global and a local policy, such as "JSQ PS" or "JSQ GPPS, migrating": "HPRS"
        and "VPRS" (random splitting, to all servers or to those of the group), or a policy of
        `clustershare.dispatch.simulate_central`; and a local one of "PS", "GPPS", "PPS". Of any jobs: "FCFS", "first
        fit", "EASY", "EASY, exact" (which knows the sizes), "fair share", and "fair share, forgetting". All, if not
        given.
    day : float
        How long a day is, in the unit of time of the workload.
    half_life : float, optional
        Under "fair share, forgetting", in which the weight of what was used halves; seven days if not given.
    jobs : int, optional
        Of a replication that is simulated; as many as the workload has if not given, and 20 000 where it is of laws.
    replications : int, optional
        Of what is simulated; two at least. If not given, 500 000 over the jobs, but from 5 to 40; fewer of
        many groups.
    seed : int
    watch : callable, optional
        Called with the policy and the number of policies left, before each is asked.

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        If an argument is not as above.

    Notes
    -----
    In a simulation as in a replay the cluster is empty at first, and what is measured lasts from the first arrival to
    the last departure. What jobs were there before a log begins is not known.

    Examples
    --------
    >>> from clustershare.sizes import Exponential
    >>> from clustershare.workload import Laws
    >>> jobs = Laws((1.6, 1.6), Exponential()).draw(3000, seed=1)
    >>> found = compare(jobs, (0.5, 0.5), 4, policies=("HPRS PS", "JSQ PS, migrating"), replications=2)
    >>> found.best, round(found.answer("HPRS PS", "theory").slowdown, 1)
    (('JSQ PS, migrating',), 5.4)
    """
    demand, shares, P, chosen = _asked(workload, promised, servers, policies, watch)
    memory = DAYS * positive("day", day) if half_life is None else positive("half_life", half_life)
    length = _length(workload, jobs)
    replications = _replications(replications, 500_000 // length // _weight(shares), 5, 40)
    affordable("servers times groups times jobs", P * len(shares) * length, MOST_WORK)
    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(integer("seed", seed, 0))))
    drawn = [_drawn(workload, rng, length, False) for _ in range(replications)]
    assumed = [_drawn(workload, rng, length, True) for _ in range(replications)]
    answers, left_out = [], []
    for k, policy in enumerate(chosen):
        if watch is not None:
            watch(policy, len(chosen) - k)
        if policy.startswith("VPRS") and known.whole_parts(shares, P) is None:
            left_out.append((policy, f"{P} servers do not have a whole number for each group"))
            continue
        try:
            found = [_theoretical(policy, demand, shares, P, assumed, memory, rng)]
            found.append(_simulated(policy, SIMULATION, drawn, shares, P, memory, rng))
            if isinstance(workload, Workload):
                seen = known.measures(policy, workload, shares, P, memory, int(rng.integers(2**32)))
                found.append(_answer(policy, REPLAY, "replay", seen))
        except NoExactAnswer as why:
            left_out.append((policy, str(why).rstrip(".")))
            continue
        answers += found
    judged = [one for one in answers if one.by == (REPLAY if isinstance(workload, Workload) else SIMULATION)]
    return Comparison(
        answers=tuple(answers), names=workload.names, promised=shares, servers=P, loads=demand.loads(P),
        best=_unbeaten(judged), left_out=tuple(left_out), method="comparison",
    )  # fmt: skip


@remembered
def fewest_servers(
    workload: Workload | Laws, promised: Numbers, *, deviation: float, slowdown: float,
    policies: Sequence[str] | None = None, most: int | None = None, day: float = DAY, half_life: float | None = None,
    jobs: int | None = None, seed: int = 0, watch: Watch | None = None,
) -> tuple[Fewest, ...]:  # fmt: skip
    """On how few servers each policy keeps bounds of deviation and slowdown, by replay.

    From the fewest that can do the work on, the number is doubled until the bounds are kept; then what lies between is
    halved. With one server less than what is found they are missed. As more servers need not be better, there may be a
    smaller number that keeps them too.

    Parameters
    ----------
    workload : Workload or Laws
        As for `compare`; of laws, jobs are drawn once and replayed.
    promised : sequence of float
        Shares of the groups; they sum to 1.
    deviation : float
        The most that any group may miss of its promise, relative to it.
    slowdown : float
        The most that the mean time in the system of any group may be, in mean sizes.
    policies, day, half_life, seed, watch
        As for `compare`.
    most : int, optional
        To be tried; 64 times the work that is brought if not given, or 64 times what the largest job takes.
    jobs : int, optional
        To be drawn where the workload is of laws.

    Returns
    -------
    tuple of Fewest
        For each policy, in the order given.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> from clustershare.sizes import Exponential
    >>> from clustershare.workload import Laws
    >>> laws = Laws((1.0, 1.0), Exponential())
    >>> found = fewest_servers(laws, (0.6, 0.4), deviation=0.1, slowdown=2.0, policies=["FCFS"], jobs=3000)
    >>> found[0].policy, found[0].servers
    ('FCFS', 3)
    """
    number("deviation", deviation), positive("slowdown", slowdown)
    demand, shares, _, chosen = _asked(workload, promised, MOST_SERVERS, policies, watch)
    memory = DAYS * positive("day", day) if half_life is None else positive("half_life", half_life)
    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(integer("seed", seed, 0))))
    work = _drawn(workload, rng, _length(workload, jobs), False) if isinstance(workload, Laws) else workload
    start = max(int(np.floor(demand.loads(1).sum())) + 1, int(work.servers.max()))
    most = 64 * start if most is None else integer("most", most, start, MOST_SERVERS)
    affordable("the most servers times groups times jobs", most * len(shares) * len(work), MOST_WORK)
    one = int(rng.integers(2**32))
    found = []
    for k, policy in enumerate(chosen):
        if watch is not None:
            watch(policy, len(chosen) - k)
        tried = {}

        def keeps_with(servers, policy=policy, tried=tried):
            if servers not in tried:
                if policy.startswith("VPRS") and known.whole_parts(shares, servers) is None:
                    return False
                try:
                    row = known.measures(policy, work, shares, servers, memory, one)
                except NoExactAnswer:
                    return False
                tried[servers] = _answer(policy, REPLAY, "replay", row)
            return keeps(tried[servers], deviation, slowdown)

        found.append(_searched(policy, keeps_with, start, most, tried))
    return tuple(one for one in found if one is not None)


@remembered
def partings(
    workload: Workload, promised: Numbers, servers: int, policies: Sequence[str], *,
    compared: Comparison | None = None, day: float = DAY, half_life: float | None = None,
    replications: int | None = None, seed: int = 0, watch: Watch | None = None,
) -> tuple[Parting, ...]:  # fmt: skip
    """Where theory and replay part, by how much, and why: by replays of the log without one thing at a time.

    Parameters
    ----------
    workload : Workload
    promised, servers, policies, day, half_life, seed, watch
        As for `compare`.
    compared : Comparison, optional
        Of the same workload, promises and servers, with these policies; it is made if not given.
    replications : int, optional
        Of each change, two at least: what is put in a random order is so anew. If not given, 300 000 over the jobs, but
        from 3 to 20; fewer of many groups.

    Returns
    -------
    tuple of Parting
        For each policy. There is no daily cycle to be taken out of less than two days.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Notes
    -----
    Effects need not add up to the difference: what bursts do depends on how long jobs are.

    Examples
    --------
    >>> from clustershare.sizes import Exponential
    >>> from clustershare.workload import Laws
    >>> jobs = Laws((1.6, 1.6), Exponential()).draw(2000, seed=1)
    >>> found, = partings(jobs, (0.5, 0.5), 4, ["HPRS PS"], day=1e6)
    >>> found.changes[:3]
    ('order of the gaps', 'law of the gaps', 'all of the arrivals')
    """
    if not isinstance(workload, Workload):
        fail("workload", workload, "a clustershare.workload.Workload")
    if policies is None:
        fail("policies", policies, "a sequence of policies")
    if compared is not None and not isinstance(compared, Comparison):
        fail("compared", compared, "None or a clustershare.workload.Comparison")
    _, shares, P, chosen = _asked(workload, promised, servers, policies, watch)
    memory = DAYS * positive("day", day) if half_life is None else positive("half_life", half_life)
    replications = _replications(replications, 300_000 // len(workload) // _weight(shares), 3, 20)
    affordable("servers times groups times jobs", P * len(shares) * len(workload), MOST_WORK)
    if compared is None:
        compared = compare(workload, promised, servers, policies=policies, day=day, half_life=half_life, seed=seed)
    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(integer("seed", seed, 0), spawn_key=(1,))))
    taken = tuple(one for one in CHANGES if one != "daily cycle" or has_cycle(workload, day))
    samples = np.empty((len(chosen), len(taken), replications, 1 + 3 * len(shares)))
    for c, change in enumerate(taken):
        if watch is not None:
            watch(change, len(taken) - c)
        for k in range(replications):
            work = changed(workload, change, rng, day)
            for p, policy in enumerate(chosen):
                try:
                    samples[p, c, k] = known.measures(policy, work, shares, P, memory, int(rng.integers(2**32)))
                except NoExactAnswer:
                    samples[p, c, k] = np.nan
    return tuple(
        _parted(
            policy, compared, taken, [_answer(policy, REPLAY, "replay", _estimated(one)) for one in rows], replications
        )
        for policy, rows in zip(chosen, samples)
    )


def _parted(policy, compared, taken, answers, replications):
    worst = [[getattr(one, name) for name in MEASURES] for one in answers]
    without = Estimate(*(np.array([[getattr(one, part) for one in row] for row in worst], float)
                         for part in ("value", "half_width")))  # fmt: skip
    return Parting(
        policy=policy, theory=_three(compared.answer(policy, THEORY)), replay=_three(compared.answer(policy, REPLAY)),
        changes=taken, without=without, chance=without.half_width[-1] * np.sqrt(replications + 1), method="replay",
    )  # fmt: skip


def keeps(answer: Answer, deviation: float, slowdown: float) -> bool:
    """Whether an answer is within bounds of the worst deviation and the worst slowdown."""
    return bool(_value(answer.deviation) <= deviation and _value(answer.slowdown) <= slowdown)


def _asked(workload, promised, servers, policies, watch):
    """Demand, shares, servers and policies, checked."""
    if watch is not None and not callable(watch):
        fail("watch", watch, "None or a function of a policy and a number")
    if isinstance(workload, Laws):
        demand = _of_laws(workload)
    else:
        demand = _of_jobs(workload)
    shares = np.array(check_shares("promised", promised))
    if len(shares) != len(workload.names):
        fail("promised", promised, f"a sequence of {len(workload.names)} shares, one for each group of the workload")
    servers = integer("servers", servers, int(demand.needs[-1]), MOST_SERVERS)
    exact = not isinstance(workload, Workload) or bool((workload.estimates == workload.sizes).all())
    if policies is None:
        return demand, shares, servers, known.known(int(demand.needs[-1]), exact)
    chosen = vector("policies", policies, lambda name, one: known.check(name, one, int(demand.needs[-1])))
    if len(set(chosen)) < len(chosen):
        fail("policies", policies, "different from each other")
    return demand, shares, servers, chosen


def _of_laws(laws):
    rates, needs = np.array(laws.arrival_rates), np.array(laws.needs)
    chances = np.outer(rates / rates.sum(), needs[:, 1] / needs[:, 1].sum())
    means = np.repeat([[law.mean] for law in laws.sizes], len(needs), axis=1)
    return theory.Demand(float(rates.sum()), chances, means, needs[:, 0].astype(int))


def _of_jobs(workload):
    work, rate = observed(workload)
    needs, of_need = np.unique(work.servers, return_inverse=True)
    shape = len(work.names), len(needs)
    cell = work.groups * len(needs) + of_need
    count = np.bincount(cell, minlength=shape[0] * shape[1])
    means = np.bincount(cell, work.sizes, len(count)) / np.maximum(count, 1)
    return theory.Demand(rate, (count / len(work)).reshape(shape), means.reshape(shape), needs)


def _replications(given, usual, fewest, most):
    return max(fewest, min(usual, most)) if given is None else integer("replications", given, 2, MOST_REPLICATIONS)


def _weight(shares):
    """How much longer a replay takes, as there are groups."""
    return 1 + len(shares) // 10


def _length(workload, jobs):
    if jobs is not None:
        affordable("jobs", jobs, MOST_JOBS)
        return integer("jobs", jobs, 2)
    return DRAWN if isinstance(workload, Laws) else max(len(workload), 2)


def _drawn(workload, rng, jobs, assumed):
    if isinstance(workload, Laws):
        return workload.drawn(rng, jobs, exponential=assumed)
    return redrawn(workload, rng, jobs, assumed=assumed)


def _theoretical(policy, demand, shares, servers, assumed, memory, rng):
    """By a formula or a chain; else by simulation of what theory assumes."""
    try:
        method, loss, deviations, slowdowns = theory.answer(policy, demand, shares, servers)
    except (NoExactAnswer, UnstableError) as why:
        return _simulated(policy, THEORY, assumed, shares, servers, memory, rng, note=str(why))
    nothing = np.full(len(shares), np.nan)
    return Answer(policy, THEORY, loss, deviations, slowdowns, nothing, method=method)


def _simulated(policy, by, works, shares, servers, memory, rng, note=""):
    rows = [known.measures(policy, work, shares, servers, memory, int(rng.integers(2**32))) for work in works]
    return _answer(policy, by, "simulation", _estimated(np.array(rows)), note)


def _answer(policy, by, method, row, note=""):
    loss, deviations, slowdowns, high = (row[part] for part in _parts(row))
    return Answer(policy, by, loss, deviations, slowdowns, high, note, method=method)


def _parts(row):
    groups = (len(np.atleast_1d(_value(row))) - 1) // 3
    return 0, *(slice(1 + k * groups, 1 + (k + 1) * groups) for k in range(3))


def _estimated(samples):
    """From replications, each entry from those that do not give nan."""
    seen = ~np.isnan(samples)
    if seen.all():
        return from_replications(samples)
    value, width = np.full((2, *samples.shape[1:]), np.nan)
    for entry in np.ndindex(value.shape):
        own = samples[(slice(None), *entry)]
        if len(own := own[~np.isnan(own)]):
            one = from_replications(own)
            value[entry], width[entry] = one.value, one.half_width
    return Estimate(value, width)


def _both(quantity):
    if isinstance(quantity, Estimate):
        return quantity.value, quantity.half_width
    return quantity, np.nan


def _value(quantity):
    return quantity.value if isinstance(quantity, Estimate) else quantity


def _worst(quantity):
    """The largest entry, of those that are no nan."""
    values = _value(quantity)
    if np.isnan(values).all():
        return float("nan")
    g = int(np.nanargmax(values))
    return quantity[g] if isinstance(quantity, Estimate) else float(values[g])


def _three(answer):
    return np.array([_value(getattr(answer, name)) for name in MEASURES], float)


def _rounded(answer):
    """The measures as far as they matter: a promise that is more than kept is kept."""
    return tuple(np.round(np.maximum(np.nan_to_num(_three(answer), nan=np.inf), 0) / ALIKE).tolist())


def _unbeaten(answers):
    rows = np.array([_rounded(one) for one in answers]).reshape(-1, len(MEASURES))
    return tuple(
        one.policy for one, row in zip(answers, rows)
        if not ((rows <= row).all(axis=1) & (rows < row).any(axis=1)).any()
    )  # fmt: skip


def _searched(policy, keeps_with, start, most, tried):
    low, high = start - 1, start
    while not keeps_with(high):
        if high == most:
            if not tried:
                return None
            return Fewest(policy, 0, tried[max(tried)], tuple(sorted(tried)), method="replay")
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if keeps_with(middle) else (middle, high)
    return Fewest(policy, high, tried[high], tuple(sorted(tried)), method="replay")
