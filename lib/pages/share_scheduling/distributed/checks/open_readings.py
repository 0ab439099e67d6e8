"""What `thesis`, Sections 6.2 to 6.5, leaves open: whether it matters, by stored points of both readings."""

import itertools
from fractions import Fraction

from compendium.press.clauses import aside, cases, conclude, everywhere, exact
from compendium.press.clauses.conditions import equal
from compendium.press.findings import check
from pages.share_scheduling.central.states import every_state
from pages.share_scheduling.distributed.points.network_times import by_probe_time
from pages.share_scheduling.distributed.points.periodic import by_period, uninformed
from pages.share_scheduling.distributed.points.readings import (
    SLOW_PROBES,
    at_limits,
    at_periods,
    no_matter,
    slow_migrations,
    slow_probes,
)
from pages.share_scheduling.distributed.printed.rules import Partial
from pages.share_scheduling.distributed.witnesses.small_states import SHARES


@check("thesis-6-050", nobody=True)
def when_it_is_removed(nobody=False):
    """On demand and periodically; the control asks nobody in place of the other reading."""
    found = {"on demand": lambda quantity: at_limits("keep replies", quantity)}
    kept = ("keep replies", "drop old")
    found |= {f"periodically, if it is {reading!r}": lambda quantity, reading=reading: at_periods(reading, quantity)
              for reading in kept}  # fmt: skip
    told = {reading: by_period(periods=(0.6, 10.0), reading=reading) for reading in kept}
    return conclude(
        *no_matter(found, nobody),
        *(aside(f"the deviation at 0.6 with {reading!r}", each.at(mean_period=0.6)) for reading, each in told.items()),
        *(aside(f"that at 10 with {reading!r}, less that of nobody asked,", each.at(mean_period=10.0) - uninformed())
          for reading, each in told.items()),
    )  # fmt: skip


def _both_true(P, shares):
    """Whether scaled and bare sums are the same shares in every state, if all are known."""
    scaled, bare = (
        Partial("DVP", shares, P, True, "GPPS", (), change, tuple(range(P))) for change in ((), ("bare sums",))
    )
    return all(
        scaled.obtained(jobs, g) == bare.obtained(jobs, g) and scaled.feasible(jobs, g) == bare.feasible(jobs, g)
        for jobs in every_state(P, len(shares), 6 if P * len(shares) < 9 else 4) for g in range(len(shares))
    )  # fmt: skip


def _biases(P, shares):
    """How far the mean of the scaled o_g over random sets is from the truth: over any, and with the own one in it."""
    found = {"any": Fraction(0), "own": Fraction(0)}
    for jobs in every_state(P, 2, 4 if P < 4 else 3):
        for g, size in itertools.product((0, 1), range(1, P)):
            true, sets = _mean_obtained(shares, P, jobs, g, [range(P)]), list(itertools.combinations(range(P), size))
            for name, some in (("any", sets), ("own", [known for known in sets if known[0] == 0])):
                found[name] = max(found[name], abs(_mean_obtained(shares, P, jobs, g, some) - true))
    return {name: float(each) for name, each in found.items()}


def _mean_obtained(shares, P, jobs, g, sets):
    """The mean of the scaled estimate of o_g over sets of known processors."""
    found = [
        Partial("DVP", shares, P, True, "GPPS", known=tuple(known)).obtained(tuple(jobs[p] for p in known), g)
        for known in sets
    ]
    return sum(found, Fraction(0)) / len(found)


@check("thesis-6-051", nobody=True)
def how_shares_are_estimated(nobody=False):
    """DVP with scaled and with bare sums; the control asks nobody in place of the second."""
    biases = cases("system", itertools.product((2, 3, 4), (SHARES[0], SHARES[2]))).measure(_biases)
    return conclude(
        *no_matter({"with bare sums": lambda quantity: at_limits("bare sums", quantity, ("DVP",))}, nobody, ("DVP",)),
        aside("how far the mean of scaled sums is from the truth with the own processor always known",
              exact(biases["own"].value.max())),
        provided=[
            everywhere("both are the true shares where all are known",
                       cases("system", itertools.product((2, 3), SHARES)).measure(_both_true)),
            everywhere("the mean of scaled sums over random sets and the true share", biases["any"], equal(0)),
        ],
    )  # fmt: skip


@check("thesis-6-052", nobody=True)
def what_is_counted(nobody=False):
    """Jobs under way counted or not; the control asks nobody in place of the second."""
    reading = "with those under way"
    return conclude(*no_matter({
        "on the usual network": lambda quantity: at_limits(reading, quantity),
        "with slow migrations": lambda quantity: slow_migrations(reading, quantity),
    }, nobody))  # fmt: skip


@check("thesis-6-054", nobody=True)
def in_the_meantime(nobody=False):
    """The state after a departure, or that when replies are in; the control asks nobody in place of the first."""
    found = {
        "on the usual network": lambda quantity: at_limits("state at departure", quantity),
        "with slow messages": slow_probes,
    }
    part = by_probe_time("changed_meanwhile", (1e-6, *SLOW_PROBES))
    return conclude(*no_matter(found, nobody), aside("the part of the departures at which the two differ",
                                                     part.largest("policy")))  # fmt: skip
