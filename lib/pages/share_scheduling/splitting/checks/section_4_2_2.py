"""Claims of `thesis`, Section 4.2.2: MGPPS, which loses nothing and gives every group its feasible share."""

import csv
import itertools

import numpy as np

from clustershare.compiled import service
from clustershare.multiprocessor import group_weights, timetable
from clustershare.shares import feasible_group_share, maximum_obtainable_share
from clustershare.uniprocessor import exact
from compendium import places
from compendium.press.clauses import cases, conclude, equalities, everywhere, fact, mended, somewhere
from compendium.press.clauses.conditions import at_least, at_most
from compendium.press.findings import check, difference
from pages.share_scheduling.splitting.printed.mgpps import procedure
from pages.share_scheduling.splitting.systems.instances import populations
from pages.share_scheduling.splitting.witnesses.partitions import cut_chain

EXACT = 1e-12


@check("thesis-4-010", limited=False)
def lines_of_the_procedure(limited=True):
    """Every round of the inner loop, and the weights in the end against the library's."""

    def rounds(shares, jobs, speeds):
        weights, steps = procedure(shares, jobs, len(speeds), limited)
        given = np.cumsum([np.zeros(len(shares)), *(step.parts for step in steps)], axis=0)[1:]
        rates = [(step.parts / shares)[step.parts > 0] for step in steps]
        return {
            "M is what is left of the jobs, and never below 0,": all(
                (step.left >= -EXACT).all() and np.abs(jobs - so_far - step.left).max() <= EXACT
                for step, so_far in zip(steps, given)
            ),
            "B is never above 1": all(step.given <= 1 + EXACT for step in steps),
            "all groups that have jobs left are given alike": all(
                np.ptp(x) <= EXACT * x.max() for x in rates if len(x)
            ),
            "it ends with all jobs or all processors given out": (
                abs(weights.sum() - min(jobs.sum(), len(speeds))) <= len(speeds) * EXACT
            ),
            "the weights are the library's": np.abs(weights - group_weights(shares, jobs, speeds)).max() <= EXACT,
        }

    found = cases("random system", populations(1000, 10), seed=10).measure(rounds)
    return conclude(*(everywhere(said, holds) for said, holds in found.items()), whole=True)


@check("thesis-4-011", ascending=True)
def weights_are_valid(ascending=False):
    """(4.23)-(4.26); the control serves the slowest first."""

    def sides(shares, jobs, speeds):
        weights = group_weights(shares, jobs, speeds)
        used = (weights @ (speeds[::-1] if ascending else speeds)).sum()
        return {
            "weight": weights.min(), "processor": weights.sum(axis=0).max(),
            "jobs": (weights.sum(axis=1) - jobs).max(),
            "used": used - maximum_obtainable_share(int(jobs.sum()), speeds),
        }  # fmt: skip

    found = cases("random system", populations(2000, 11), seed=11).measure(sides)
    return conclude(
        everywhere("the least weight", found["weight"], at_least(0)),
        everywhere("the largest sum of the weights of a processor", found["processor"], at_most(1)),
        everywhere("the largest sum of the weights of a group less its jobs", found["jobs"], at_most(0)),
        *equalities({"what is used and all that can be": found["used"]}, EXACT),
        whole=True,
    )


@check("thesis-4-012", by_numbers=True)
def feasible_shares_are_met(by_numbers=False):
    """(4.27), in few and in large crowds; the control divides by the numbers of jobs."""

    def margin(shares, jobs, speeds):
        if by_numbers:
            obtained = jobs / max(1, jobs.sum()) * maximum_obtainable_share(int(jobs.sum()), speeds)
        else:
            obtained = group_weights(shares, jobs, speeds) @ speeds
        return (obtained - feasible_group_share(shares, jobs, len(speeds))).min()

    systems = [*populations(2000, 11), *populations(1000, 12, most_jobs=1000)]
    found = cases("random system", systems, seed=12).measure(margin)
    return conclude(
        everywhere("the least margin of an obtained share above the feasible one", found, at_least(0)), whole=True
    )


def in_a_crowd(enough):
    """Systems whose first group is alone in running out: with `Q_g` at least P or below it, and `N_g` above 0.

    In every third the processors are alike.
    """
    for k, (shares, jobs, speeds) in enumerate(populations(1500, 13, crowd=True)):
        quotient = jobs[0] / shares[0]
        whole = abs(quotient - round(quotient)) < 1e-6
        if jobs[0] and not whole and (np.floor(quotient) >= len(speeds)) == enough:
            yield shares, jobs, speeds if k % 3 else np.full(len(speeds), 1 / len(speeds)), quotient


@check("thesis-4-013", rounded=np.ceil)
def weights_in_a_crowd(rounded=np.floor):
    """(4.28), branch by branch."""

    def branch(shares, jobs, speeds, quotient):
        P, Q = len(speeds), int(rounded(quotient))
        expected = np.where(np.arange(P) < min(Q, P), shares[0], 0.0)
        if Q < P:
            expected[Q] = jobs[0] - shares[0] * Q
        return {
            "gap": difference(group_weights(shares, jobs, speeds)[0], expected),
            "the group has its share of all processors": Q >= P,
            "the group has its share of some, and of one a rest,": Q < P,
            "the group has nothing of others": Q + 1 < P,
        }  # fmt: skip

    systems = [system for enough in (False, True) for system in in_a_crowd(enough)]
    found = cases("random system", systems, seed=13).measure(branch)
    return conclude(
        *equalities({"the weights of the group and (4.28)": found.pop("gap")}, EXACT),
        *(somewhere(said, met) for said, met in found.items()),
        whole=True,
    )


@check("thesis-4-014", ascending=True)
def enough_of_the_fastest(ascending=False):
    """(4.30) where the group has too few jobs for its share everywhere."""
    found = cases("random system", in_a_crowd(enough=False), seed=13).measure(
        lambda shares, jobs, speeds, _: (
            group_weights(shares, jobs, speeds)[0] @ (speeds[::-1] if ascending else speeds) - jobs[0] / len(speeds)
        )
    )
    return conclude(everywhere("what the group obtains less N_g / P", found, at_least(0)), whole=True)


@check("thesis-4-015", enough=False)
def direction_of_the_bound(enough=True):
    """r_g against N_g / P, and what that makes of (2.26)."""

    def bounds(shares, jobs, speeds, _):
        part = jobs[0] / len(speeds)
        feasible = feasible_group_share(shares[0], int(jobs[0]), len(speeds))
        return {"printed": shares[0] >= part, "right": shares[0] <= part and feasible == shares[0]}

    found = cases("random system", in_a_crowd(enough), seed=13).measure(bounds)
    return mended(
        everywhere("as printed, r_g is at least N_g / P", found["printed"]),
        everywhere("r_g is at most N_g / P, and the feasible share is r_g,", found["right"]),
    )


@check("thesis-4-118", doubled=True)
def weights_have_a_schedule(doubled=False):
    """A timetable in which each job has its part of its group's time on every processor, and of less than that."""

    def planned(shares, jobs, speeds, parts):
        weights = parts * group_weights(shares, jobs, speeds)
        if doubled:
            weights[np.argmax(jobs), 0] *= 2
        wanted = np.repeat(weights / np.maximum(jobs, 1)[:, None], jobs, axis=0)
        try:
            plan = timetable(wanted)
        except ValueError:
            return {"there is a timetable": False, "overlap": 0.0, "gap": 0.0}
        return {
            "there is a timetable": True, "overlap": plan.overlap, "gap": difference(plan.fractions, wanted),
        }  # fmt: skip

    few = (system for system in populations(5000, 118) if 0 < system.jobs.sum() <= 12)
    rng, systems = np.random.default_rng([118, 1]), list(itertools.islice(few, 500))
    parts = (rng.random((len(shares), len(speeds))) if k % 2 else 1.0 for k, (shares, _, speeds) in enumerate(systems))
    found = cases("random system", [(*system, part) for system, part in zip(systems, parts)], seed=118).measure(planned)
    return conclude(
        everywhere("there is a timetable", found["there is a timetable"]),
        everywhere("in it, the time for which two processors serve a job", found["overlap"], at_most(1e-9)),
        *equalities({"the parts of the time that jobs have and those wanted": found["gap"]}, 1e-9),
        whole=True,
    )


@check("thesis-4-119", by_numbers=True)
def extends_one_processor(by_numbers=False):
    """On one processor the shares are those of GPPS; on more, each job that can have its required share has it."""

    def weights_of(shares, jobs, speeds):
        if by_numbers:
            return np.tile((jobs / max(1, jobs.sum()))[:, None], len(speeds))
        return group_weights(shares, jobs, speeds)

    def compared(shares, jobs, speeds):
        one = service.divide_each(service.GPPS, shares, jobs[:, None])[:, 0]
        able = (jobs > 0) & (shares <= jobs / len(speeds))
        weights = weights_of(shares, jobs, speeds)
        job_shares = (weights @ speeds)[able] / jobs[able]
        return {
            "least": weights.min(), "processor": weights.sum(axis=0).max(), "jobs": (weights.sum(axis=1) - jobs).max(),
            "gap": difference(weights_of(shares, jobs, np.ones(1))[:, 0], one),
            "margin": (job_shares - shares[able] / jobs[able]).min(initial=np.inf),
        }  # fmt: skip

    def on_one(shares, loads, rates):
        def departures(numbers):
            return rates[:, None] * np.array([weights_of(shares, jobs, np.ones(1))[:, 0] for jobs in numbers.T]).T

        numbers, probability = cut_chain(40, loads * rates, departures)
        return difference(numbers @ probability, exact("GPPS", shares, loads * rates, rates).mean_jobs)

    rng = np.random.default_rng([119, 1])
    alone = [
        (rng.dirichlet(np.full(2, 3.0)), rng.uniform(0.1, 0.5) * rng.dirichlet(np.full(2, 3.0)), rng.uniform(0.5, 2, 2))
        for _ in range(5)
    ]
    systems = [system for system in populations(500, 119) if system.jobs.any()]
    found = cases("random system", systems, seed=119).measure(compared)
    numbers = cases("system on one processor", alone, seed=119).measure(on_one)
    return conclude(
        *equalities({"on one processor the weights and the shares of GPPS": found["gap"]}, EXACT),
        *equalities({"the mean numbers by these weights and the library's under GPPS": numbers}, 1e-8),
        everywhere("the least margin of a job above its required share, where it can have that,", found["margin"],
                   at_least(0)),
        everywhere("the least weight", found["least"], at_least(0)),
        everywhere("the time that a processor serves", found["processor"], at_most(1)),
        everywhere("the time that the jobs of a group are served less their number", found["jobs"], at_most(0)),
        whole=True,
    )  # fmt: skip


@check("thesis-4-009", more=("thesis-fig-4.2.2",))
def number_of_the_figure(more=()):
    """The figures of the chapter by number."""
    with open(places.DATA / "figures.csv", newline="", encoding="utf-8") as file:
        titles = {row["id"]: row["title"] for row in csv.DictReader(file)} | dict.fromkeys(more, "")
    return mended(
        fact("there is a Figure 4.2.2", "thesis-fig-4.2.2" in titles, "there is no Figure 4.2.2"),
        fact("the procedure is Figure 4.4", "MGPPS" in titles["thesis-fig-4.4"], "the procedure is not Figure 4.4"),
    )
