"""Claims of `thesis`, Section 2.6: internal fairness."""

import functools
import itertools
import math

import numpy as np

from clustershare import shares
from compendium.press.clauses import cases, conclude, everywhere, exact, mended
from compendium.press.clauses.conditions import between, equal
from compendium.press.findings import check, difference
from pages.share_scheduling.objectives.printed import in_the_text
from pages.share_scheduling.objectives.systems import (
    drawn,
    random_capacities,
    random_states,
)  # fmt: skip


@functools.cache
def served_together(count):
    """Obtained shares of the jobs of a group, in states of each policy, so many of each."""
    rng, states = np.random.default_rng(33), []
    for _ in range(count):
        groups = rng.integers(1, 5)
        jobs, weights, one = rng.integers(1, 7, size=groups), rng.dirichlet(np.ones(groups)), np.eye(groups)[0]
        rng.shuffle(one)
        head = np.eye(jobs[0])[rng.integers(jobs[0])]
        states += [("FCFS", one[0] * head), ("PQ", one[0] * head), ("UD", one[0] * head), ("HOL", head / groups)]
        states += [("PS", np.full(jobs[0], 1 / jobs.sum())), ("GPPS", np.full(jobs[0], weights[0] / jobs[0])),
                   ("PPS", np.full(jobs[0], weights[0] / (weights @ jobs)))]  # fmt: skip
        # Several processors: the jobs of all groups stand anywhere; there PS, or GPPS by the weights of those there.
        speeds, who = random_capacities(rng, rng.integers(2, 5)), np.repeat(np.arange(groups), jobs)
        where = rng.integers(len(speeds), size=len(who))
        there = np.array([[((who == g) & (where == p)).sum() for p in range(len(speeds))] for g in range(groups)])
        parts = weights[:, None] * (there > 0)
        local = speeds / speeds.sum()
        with np.errstate(invalid="ignore", divide="ignore"):
            states += [("PS, P > 1", (local / there.sum(axis=0))[where[who == 0]]),
                       ("GPPS, P > 1", (local * parts[0] / parts.sum(axis=0) / there[0])[where[who == 0]])]  # fmt: skip
    states += [("one job", np.array([share])) for share in rng.uniform(0, 1, count)]
    for state in random_states(count):
        states += [("weights", state.obtained_job_shares[state.group_of_job == g]) for g in np.flatnonzero(state.jobs)]
    return states


@check("thesis-2-033", target="feasible")
def range_of_unfairness(target="obtained"):
    """(2.44) and (2.45) job by job; the control aims at the feasible group share with a required share of a half."""

    def deviation(shares_of_jobs):
        whole = math.fsum(shares_of_jobs) if target == "obtained" else 0.5
        aim = whole / len(shares_of_jobs)
        return max((aim - share) / aim for share in shares_of_jobs) if math.fsum(shares_of_jobs) else 0.0

    policies, states = zip(*served_together(9000))
    found = np.array([deviation(state) for state in states])
    library = np.array([shares.job_share_deviation(state) for state in states])

    def of_a_state(state):
        rates = state.weights @ state.capacities / state.capacities.sum()
        known = [deviation(rates[state.group_of_job == g]) if jobs else 0.0 for g, jobs in enumerate(state.jobs)]
        return difference(state.job_share_deviations, known)

    of_groups = cases("state", random_states(200, 333), seed=333).measure(of_a_state)
    fcfs, ps = (found[np.array(policies) == policy].max() for policy in ("FCFS", "PS"))
    return conclude(
        everywhere("the job-share deviation", exact(found, state=None), between(0, 1)),
        in_the_text("the largest under FCFS and under PS are", (fcfs, ps), (1, 0)),
        everywhere("job by job and by the library they", exact(found - library, state=None), equal(1e-12)),
        everywhere("those of the groups of a state, job by job and by the library,", of_groups, equal(1e-12)),
        whole=True,
    )


@check("thesis-2-034", policies=("PS",))
def letter_of_the_target(policies=("FCFS", "PQ", "PS")):
    """A target for each job j, which could only be its own share, or one for the group (2.44): is it as the text says?

    0 with no job in service, 1 with one of several served alone, 0 where all are served alike.
    """

    def gaps(jobs, policy, served):
        obtained = np.full(jobs, served / jobs) if policy == "PS" else served * np.eye(jobs)[0]
        said = float(served and policy != "PS" and jobs > 1)
        each = max((share - share) / share if share else 0.0 for share in obtained)
        return {"a target for each job": each - said, "the group's": shares.job_share_deviation(obtained) - said}

    def formula(rng, _):
        obtained = rng.random(rng.integers(1, 7)) / 6
        target = obtained.mean()
        return shares.job_share_deviation(obtained) - max((target - share) / target for share in obtained)

    found = cases("state", itertools.product(range(1, 7), policies, (False, True))).measure(gaps)
    return mended(
        *(everywhere(f"with {target} the deviation and what the text says of it", gap, equal(1e-12))
          for target, gap in found.items()),
        everywhere("with the group's (2.45) and the library's", drawn("group", 100, 34).measure(formula), equal(1e-12)),
    )  # fmt: skip
