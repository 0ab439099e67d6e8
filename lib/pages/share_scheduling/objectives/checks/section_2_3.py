"""Claims of `thesis`, Section 2.3: what JPPS and MJPPS can do."""

import functools

import numpy as np

from clustershare.arguments import UnstableError
from clustershare.delivery import deliver
from clustershare.fair_queueing import processor_sharing
from clustershare.multiprocessor import is_feasible, schedule
from clustershare.proportional import stride
from clustershare.shares import (
    State,
    maximum_obtainable_share,
)
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, grid, mended, somewhere
from compendium.press.clauses.conditions import at_most
from compendium.press.findings import check
from pages.share_scheduling.objectives.complications import members
from pages.share_scheduling.objectives.systems import (
    EXACT,
    random_capacities,
    systems,
)
from pages.share_scheduling.objectives.witnesses.delivery import (
    played,
)


@functools.cache
def cases_of_rates(processors):
    """Rates of jobs at random, on the boundary of (2.20) with j, and 1e-6 to either side: can they be had?

    By the program, whose weights are played. Each row is the rates, the capacities and the answer.
    """
    rng, rows = np.random.default_rng(11), []
    for _ in range(125):
        speeds, J = random_capacities(rng, rng.integers(1, processors + 1)), rng.integers(1, 9)
        rates = np.sort(rng.dirichlet(np.ones(J)) * speeds.sum())[::-1]
        bounds = np.cumsum(speeds)[np.minimum(np.arange(J), len(speeds) - 1)]
        edge = (bounds / rates.cumsum()).min()
        for scale in (rng.uniform(0.6, 1), edge, edge * (1 - 1e-6), edge * (1 + 1e-6)):
            wanted = rates * scale
            found = deliver(np.minimum(wanted / speeds.sum(), 1), range(J), speeds)
            possible = found.margin >= -EXACT and wanted[0] <= speeds.sum() * (1 + EXACT)
            if possible and (played(found.weights, speeds) < wanted - EXACT * speeds.sum()).any():
                raise ArithmeticError("The schedule does not deliver what the program promised.")
            rows.append((wanted, speeds, bool(possible)))
    return cases("case", rows, seed=11)


def rates_that_fit(reading, processors=6):
    """Whether (2.20), so read, and the program with its schedule give the same answer; with j it is the library's."""

    def alike(rates, speeds, possible):
        if reading == "j":
            return is_feasible(rates, speeds) == possible
        sums = np.cumsum(rates) if reading != "total" else np.full(len(rates), rates.sum())
        bound = speeds[:1] if reading == "first" else speeds[: len(rates)]
        return bool((sums <= bound.sum() + EXACT * speeds.sum()).all()) == possible

    return cases_of_rates(processors).measure(alike)


@check("thesis-2-011", reading="total")
def rates_of_jobs(reading="j"):
    """(2.20) against the program and its schedule, and the library's own; the control asks for the total only."""

    def made(rates, speeds, possible):
        try:
            found = schedule(rates, speeds).service_rates(speeds)
        except UnstableError:
            return not possible
        return possible and np.abs(found - rates).max() <= EXACT * speeds.sum()

    return conclude(
        everywhere("condition and schedule agree", rates_that_fit(reading)),
        everywhere("the library makes a schedule just where there is one", cases_of_rates(6).measure(made)),
        whole=True,
    )


@check("thesis-2-012", processors=1)
def index_of_the_bound(processors=6):
    """k has no value on the right of (2.20): the first and the last of the sum are tried, and j."""
    ends = {name: rates_that_fit(name, processors).value for name in ("first", "last")}
    always, wrong = (
        [count(found) for found in ends.values()] for count in (np.all, lambda found: np.sum(~(found > 0)))
    )
    return mended(
        somewhere("with k as an end of the sum condition and schedule agree always", exact(always, reading=ends)),
        everywhere("with j they agree", rates_that_fit("j", processors)),
        aside("the number of cases that are decided wrongly", exact(wrong, reading=ends)),
    )


@check("thesis-2-041", weighted=False)
def any_share(weighted=True):
    """Shares by weights: in a state, in traces by the fluid, by quanta, and one wanted share for one job.

    The control takes equal weights, as PS does, and GPPS among the jobs of a group.
    """

    def first_shares(weights):
        return State([1.0], (1.0,), [0] * len(weights), (weights / weights.sum())[:, None]).obtained_job_shares

    rng = np.random.default_rng(41)

    def off(count, _):
        wanted = 10 ** rng.uniform(-3, 3, count)
        given = wanted if weighted else np.ones(count)
        obtained = first_shares(given)
        ratio = np.abs(obtained / obtained[0] / (wanted / wanted[0]) - 1).max()
        begin, sizes = np.sort(rng.uniform(0, 1, count)), rng.exponential(size=count) + 0.1
        _, ends, times, service = processor_sharing(begin, sizes, range(count), given)
        rates = np.diff(service, axis=0) / np.maximum(np.diff(times), 1e-300)[:, None]
        for start, end, row in zip(times, times[1:], rates):
            here = (begin <= start) & (ends > start)
            if here.any() and end - start > 1e-6:
                ratio = max(ratio, np.abs(row[here] / wanted[here] * wanted[here].sum() - 1).max())
        one = rng.uniform(0.01, 0.99)
        others = rng.dirichlet(np.ones(count - 1)) * (1 - one) if count > 1 else []
        share = first_shares(np.array([one, *others]) if weighted else np.ones(count))[0]
        return {"ratio": ratio, "single": abs(share - one)}

    def by_quanta(count):
        tickets = rng.integers(1, 20, count)
        had = np.bincount(stride((tickets if weighted else np.ones_like(tickets)).tolist(), 2000), minlength=count)
        return np.abs(had - 2000 * tickets / tickets.sum()).max()

    found = grid(number_of_jobs=range(1, 9), setting=range(20)).measure(off)
    quanta = cases("number of jobs", range(1, 9)).measure(by_quanta)
    return conclude(
        at_each("the largest error of a ratio of shares", found["ratio"].largest("setting"), at_most(EXACT)),
        at_each("the largest error of one job's share", found["single"].largest("setting"), at_most(EXACT)),
        at_each("by how many of 2000 quanta a job is off", quanta, at_most(1)),
        together="number of jobs",
    )


@check("thesis-2-042", groups=(1,))
def not_all_at_once(groups=(1, 2, 3, 4)):
    """What all jobs, each group alone, and all groups at once can have: by the program, and played."""

    def alone_and_together(speeds, _, jobs):
        who, most = np.array(members(jobs)), maximum_obtainable_share(jobs, speeds)
        whole = maximum_obtainable_share(jobs.sum(), speeds)
        gap, rates_too = [0.0], True
        alone = ((most[g], np.where(who == g, 0, 1)) for g in range(len(jobs)))
        for target, own in [(whole, np.zeros(len(who), int)), *alone]:
            if target:
                found = deliver([target, *[0.0] * int(own.max())], own, speeds)
                had = played(found.weights, speeds)[own == 0].sum() / speeds.sum()
                gap += [-found.margin, target - had]
                rates = np.full((own == 0).sum(), target * speeds.sum() / (own == 0).sum())
                rates_too &= is_feasible(rates, speeds) and not is_feasible(1.001 * rates, speeds)
        together, over = deliver(most, who, speeds).margin >= -EXACT, most.sum() > whole + EXACT
        return {
            "gap": max(gap), "missed": not together, "over": over, "known": not (over and together),
            "rates": rates_too,
        }  # fmt: skip

    drawn_systems = systems(240, 42, groups=(groups[0], groups[-1]), alike=3)
    found = drawn_systems.without("without jobs", lambda c, r, jobs: not jobs.any()).measure(alone_and_together)
    return conclude(
        everywhere("what all jobs, or a group alone, have less than they can have", found["gap"], at_most(EXACT)),
        everywhere("by the library's test of rates they can have it, and no more,", found["rates"]),
        somewhere("at once the groups miss what each can have", found["missed"]),
        everywhere("no more is delivered than all can have", found["known"]),
        aside("systems where the groups ask for more than all can have", exact(found["over"].value.sum())),
        whole=True,
    )
