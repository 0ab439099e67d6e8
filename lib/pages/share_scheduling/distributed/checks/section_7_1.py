"""Claims of `thesis`, Section 7.1: what is concluded of distributed policies."""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from clustershare.compiled import service
from clustershare.dispatch import simulate_distributed
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact
from compendium.press.clauses.conditions import at_most, smaller
from compendium.press.findings import check
from pages.share_scheduling.distributed.points.limits import WHOLE, five
from pages.share_scheduling.distributed.points.network_times import by_migration_time
from pages.share_scheduling.distributed.points.stored import DEVIATION, UTILISATION, WORDS, beside
from pages.share_scheduling.distributed.printed.rules import Partial
from pages.share_scheduling.distributed.systems import of_case
from pages.share_scheduling.distributed.witnesses.alone import (
    by_chance,
    nobody_asked,
    own_paths,
    own_processors,
    same_under_both,
)

BOTH = service.PS, service.GPPS
HALF, LOCAL = (Fraction(1, 2), Fraction(1, 2)), ("PS", "GPPS")


@check("thesis-7-009", alone=True)
def better_than_splitting(alone=False):
    """One to three probed against HPRS and VPRS; the control has Isolation with VP arrivals for each policy."""
    limits, clauses = (1, 2, 3), []
    for quantity, word in WORDS.items():
        found = five(quantity).at(limit=limits)
        if alone:
            found = own_processors(quantity) - exact(np.zeros(found.value.shape), **dict(found.axes))
        more = {name: found - static(quantity) for name, static in (("HPRS", by_chance), ("VPRS", own_processors))}
        clauses += [
            at_each(f"{word}, less that of HPRS or VPRS, whichever is lower,",
                    beside("splitting", more).largest("splitting"), smaller()),
            *(aside(f"{word}, less that of {name}", each) for name, each in more.items()),
        ]  # fmt: skip
    return conclude(*clauses, provided=nobody_asked())


@check("thesis-7-016", slow=True)
def feasible_to_run(slow=False):
    """A policy that does well at little cost; in the control migrations take ten times as long, in case 1."""
    if slow:
        deviation, busy = (by_migration_time(quantity, (0.1,)) for quantity in (DEVIATION, UTILISATION))
    else:
        deviation, busy = (five(quantity).at(limit=3) for quantity in (DEVIATION, UTILISATION))
    largest = deviation.largest(deviation.axes[-1][0])
    best = largest.axes[0][1][largest.value.argmin()]
    return conclude(
        at_each(
            f"the deviation of {best}, whose largest is the smallest,", deviation.at(policy=best), at_most("close")
        ),
        at_each("its utilisation of the network", busy.at(policy=best), at_most(0.05)),
        aside("the largest deviation", largest),
        together=deviation.axes[-1][0],
    )


@check("thesis-7-011", case=3)
def local_policy_is_nothing(case=None):
    """Isolation with VP arrivals under PS and GPPS, by both loops; in the control two processors have two owners."""
    rules, rng = Partial("JSQ", HALF, 2, True, "PS"), np.random.default_rng(711)
    other = replace(rules, local="GPPS")
    states = cases("state", [(count,) for count in rng.integers(1, 50, 100).tolist()], seed=711)
    domain = cases("case", WHOLE if case is None else (case,))

    def lacking(count):
        """What a group alone on a processor lacks of it under PS or under GPPS, in the library."""
        each = [service.divide_each(rule, np.array([0.5, 0.5]), np.array([[count], [0]])) for rule in BOTH]
        return max(abs(1 - shares[0, 0]) for shares in each)

    def simulated(case):
        """By how much the library's simulations under PS and under GPPS differ, with the same random numbers."""
        setting, run = {"probe_limit": 0, "arrival_preference": "VP"}, {"jumps": 10_000, "replications": 3, "seed": 711}
        one, other = (
            simulate_distributed(**of_case("Isolation", case, local=local, **setting), **run) for local in LOCAL
        )
        return max(np.abs(getattr(one, name).value - getattr(other, name).value).max() for name in WORDS)

    return conclude(
        everywhere("PS and GPPS give the same path of 10000 events",
                   domain.measure(lambda case: own_paths(case, "PS") == own_paths(case, "GPPS"))),
        everywhere("they do in the library", domain.measure(same_under_both)),
        everywhere("what the library's simulations under PS and under GPPS differ by", domain.measure(simulated),
                   at_most(1e-9)),
        everywhere("a group alone has the same shares",
                   states.measure(lambda count: rules.served(0, (count, 0)) == other.served(0, (count, 0)))),
        everywhere("in the library what it lacks of the whole processor under either",
                   states.measure(lacking), at_most(1e-12)),
        whole=True,
    )  # fmt: skip
