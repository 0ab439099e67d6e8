"""Claims of `thesis`, Sections 5.2.1 and 5.2.2: the name of the local policy, how many jobs migrate, what it costs."""

import itertools
from fractions import Fraction as F

import numpy as np

from clustershare import uniprocessor
from clustershare.dispatch.central import LOCAL as RULES
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, fact, mended, none
from compendium.press.clauses.conditions import at_most, between, equal, within
from compendium.press.findings import check
from pages.share_scheduling.central.printed.rules import Rules
from pages.share_scheduling.central.systems import LOCAL, POLICIES
from pages.share_scheduling.central.witnesses.compiled import Compiled
from pages.share_scheduling.central.witnesses.guests import THIRDS
from pages.share_scheduling.central.witnesses.reached import path, reached
from pages.share_scheduling.central.witnesses.states import moved


@check("thesis-5-078", usable=(0.8, 0.84))
def time_to_migrate(usable=(1.0, 1.0)):
    """100 megabytes over 1 Gbps, decimal and binary; in the control overhead takes a part of the network."""
    seconds = [8 * size / (1e9 * part) for size, part in zip((1e8, 100 * 2**20), usable)]
    found = exact(seconds, reading=("decimal", "binary"))
    return conclude(
        at_each("the seconds that 100 megabytes take less one", found - np.ones(2), within("close")),
        aside("the seconds", found),
    )


@check("thesis-5-106", megabytes=1)
def cost_of_migration(megabytes=100):
    """Two migrations a job, against its service time; the control has small jobs."""
    found = cases("minute", (1, 2, 3, 5, 10, 30, 60, 180, 600)).measure(
        lambda minutes: 2 * 8e6 * megabytes / 1e9 / (60 * minutes)
    )
    return conclude(at_each("two migrations as a part of a job's minutes", found, at_most("practically equal")))


@check("thesis-5-088", name="GPPS")
def name_of_the_local_policy(name="GPSS"):
    """Which local policy has the name that is printed; the control asks for the right one."""
    return mended(
        fact(f"a policy is called {name}", name in {*RULES, *uniprocessor.POLICIES}, f"no policy is called {name}"),
        fact("the ideal local policy is GPPS", "GPPS" in RULES, "no local policy is called GPPS"),
    )


@check("thesis-5-105", changed=("I2 again",))
def one_job_moves(changed=()):
    """States before and after the events of paths, and after all events in the library."""
    moves, off = [], []
    for shares, policy in itertools.product((THIRDS, (F(1, 2), F(1, 3), F(1, 6))), POLICIES):
        for local, lasting in itertools.product(LOCAL, ((), (2,))):
            rules = Rules(policy, shares, 3, True, local, changed=changed)
            moves += [
                moved(step.before, step.outcome.state, step.group, step.processor)
                for step in path(rules, (0.8 / 3,) * 3, 600, 105, lasting)
            ]
        rules, compiled = Rules(policy, shares, 3, True, changed=changed), Compiled(policy, shares, 3, True)
        for jobs, happening in reached(rules, 5, like=True).items():
            for event in happening:
                ends = {outcome.state for outcome in event.outcomes}
                for to, served in compiled.courses(jobs, event.group, event.processor):
                    ends.add(tuple(map(tuple, to.tolist())))
                    off.append(np.abs(served * np.maximum(to.sum(axis=1, keepdims=True), 1) - to).max())
                moves += [moved(jobs, to, event.group, event.processor) for to in ends]
    return conclude(
        everywhere("the number of jobs that move at an event at most", exact(max(moves)), between(1, 1)),
        none(len(moves), "event", "did not keep the numbers of jobs", sum(each < 0 for each in moves)),
        everywhere("right after it, what a group obtains in the library and its part of the jobs, in jobs,",
                   exact(off, event=None), equal(1e-12)),
        whole=True,
    )  # fmt: skip
