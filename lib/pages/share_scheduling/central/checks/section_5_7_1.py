"""Claims of `thesis`, Section 5.7.1: two groups that are alike, with migration."""

import itertools

import numpy as np

from compendium.press.clauses import at_each, cases, conclude, everywhere, exact, fact, mended, none
from compendium.press.clauses.conditions import equal, larger, never_rises, not_larger, smaller
from compendium.press.findings import check
from pages.share_scheduling.central.points import by_case as points
from pages.share_scheduling.central.points.migration import shortest_gains
from pages.share_scheduling.central.printed.closed_forms import Group, first_form
from pages.share_scheduling.central.printed.policies import idle
from pages.share_scheduling.central.printed.rules import Rules, placement
from pages.share_scheduling.central.systems import LOADS, LOCAL, PROCESSORS
from pages.share_scheduling.central.witnesses.as_printed import chain_as_printed
from pages.share_scheduling.central.witnesses.compiled import library
from pages.share_scheduling.central.witnesses.dynamic import choices, random_states
from pages.share_scheduling.central.witnesses.guests import BROKEN, HALVES
from pages.share_scheduling.central.witnesses.paths import passed

ODD, EVEN = PROCESSORS[1::2], PROCESSORS[::2]


@check("thesis-5-067", still=True)
def below_zero(still=False):
    """Delta^G in case 1 with migration, JSQ/PS by enumeration; the control is SVP without it for all."""
    found = points.of("case 1", policies=("SVP",)) if still else points.of("case 1", migration=True)
    enumerated = exact([2 * first_form(Group(0.5, load / 2, load, 10)) - load for load in LOADS], load=LOADS)
    formula = points.of("case 1", migration=True).at(policy="JSQ", local_policy="PS").value
    return conclude(
        at_each(f"the deviation at loads from {points.BUSY:g} on", found.at(load=points.HIGH), smaller()),
        provided=[
            everywhere("the deviation at lower loads", found.at(load=points.LOW), not_larger()),
            everywhere("that under JSQ with PS by enumeration", enumerated, smaller()),
            everywhere("it and the formula", enumerated - formula, equal(1e-9)),
        ],
    )


@check("thesis-5-158", vertical=("JSQ", "DVP"), spread=("SVP", "HP"))
def most_benefit(vertical=points.VERTICAL, spread=points.SPREAD):
    """What migration gains the vertical policies and the others in case 1, whatever the load and the processors.

    The control exchanges JSQ and SVP.
    """

    def gained(quantity):
        return points.over(("case 1", points.ALONG), lambda case: points.gains(case, quantity))

    return conclude(
        *(
            at_each(f"the gain of {name} under {' and '.join(vertical)} less that under {' and '.join(spread)}",
                    points.less(gained(quantity), vertical, spread), larger())
            for quantity, name in ((points.LOSS, "lost capacity"), (points.DEVIATION, "deviation"))
        ),
        together=("local policy", "point"),
    )  # fmt: skip


@check("thesis-5-185", migration=False)
def others_idle_capacity(migration=True):
    """SVP and DVP against JSQ, HP and themselves in case 1, and paths; the control has migration nowhere."""
    found, still = points.of("case 1", migration=migration), points.of("case 1")
    others, own = points.less(found, points.SPREAD, points.VERTICAL), (still - found).at(policy=points.VERTICAL)
    more, alone, by_idle, by_busy = _above_promise(migration)
    return conclude(
        at_each(f"the deviation under JSQ and HP less that under SVP and DVP at loads from {points.BUSY:g} on",
                others.at(load=points.HIGH), larger()),
        at_each("that of SVP and DVP without migration less that with it", own.at(load=points.HIGH), larger()),
        provided=[
            everywhere("at lower loads, that under SVP and DVP less that under JSQ and HP", -others.at(load=points.LOW),
                       not_larger()),
            everywhere("less that of themselves without migration", -own.at(load=points.LOW), not_larger()),
            fact("at times a group obtains more than its promise, under SVP only with a guest", more and not alone,
                 "a group never obtains more than its promise, or under SVP without a guest"),
            fact("under DVP jobs that come while a processor is idle are put on idle ones, some of which lift their "
                 "group above its promise", by_idle and not by_busy,
                 "under DVP none of these lifts its group above its promise, or some are not put on idle ones"),
        ],
    )  # fmt: skip


def _above_promise(migration):
    """Whether on every path a group obtains more than its promise; whether it does under SVP without a guest.

    Then how many jobs lift their group above it by an idle processor under DVP; how many passed one by.
    """
    own = Rules("SVP", HALVES, 10).parts
    more, alone, lifted, passed_by = [], False, 0, 0
    for policy in points.VERTICAL:
        for local in LOCAL:
            jobs, obtained = passed(policy, local, 10, migration=migration)
            above = obtained > 0.5 + 1e-12
            more.append(above.any())
            at_home = ~(jobs[:, np.array(own).T == 0] > 0).any(axis=1)
            alone = alone or policy == "SVP" and (above.any(axis=1) & at_home).any()
            if policy == "DVP":
                step, free = np.diff(jobs, axis=0), jobs[:-1].sum(axis=2) == 0
                came = (step.sum(axis=(1, 2)) == 1) & free.any(axis=1)
                on_free = (step.sum(axis=2) * free).any(axis=1)
                lifted += (came & on_free & (above[1:] & ~above[:-1]).any(axis=1)).sum()
                passed_by += (came & ~on_free).sum()
    return all(more), alone, lifted, passed_by


def _two_more(found):
    """The steps to two processors more."""
    return [found.at(number_of_processors=places).steps("number of processors") for places in (ODD, EVEN)]


@check("thesis-5-069", first="HPRS")
def alike_on_many_processors(first="JSQ"):
    """How far apart the policies are, and what one processor more does to SVP and DVP; the control has HPRS for JSQ."""
    found = points.of("case 1 against P", migration=True, policies=(first, "HP", *points.VERTICAL))
    apart = found.largest("policy") - found.smallest("policy")
    own = points.amplitude(found.at(policy=points.VERTICAL), ODD).distance()
    ends = cases("pair", ((3, 19), (4, 20)), ("P = 3 and 19", "P = 4 and 20")).measure(
        lambda few, many: apart.at(number_of_processors=few).scaled(0.5) - apart.at(number_of_processors=many)
    )
    return conclude(
        *(at_each("the difference between policies", steps, never_rises()) for steps in _two_more(apart)),
        at_each("what an odd number of processors changes under SVP and DVP", own.steps("number of processors"),
                never_rises()),
        provided=[
            everywhere("half the difference on few processors less that on many", ends, larger()),
            everywhere(
                "half the change on 3 processors less that on 19, as estimated,",
                points.estimates(own.at(number_of_processors=3).scaled(0.5) - own.at(number_of_processors=19)),
                larger(),
            ),
        ],
    )  # fmt: skip


FEW = (*range(3, 11), 15, 20)
"""Numbers of processors of Figure 5.11 up to 20."""


@check("thesis-5-186", load=0.5)
def less_on_more_processors(load=0.8):
    """The gain from migration against the number of processors; the control is JSQ/PS at another load."""
    found = points.gains("case 1 against P") if load == 0.8 else shortest_gains(FEW, load)
    numbers, line = found.axes[-1][1], shortest_gains((10, 20, 50, 100), load)
    pairs = [(P, P + 2) for P in numbers if P + 2 in numbers]
    steps = cases("step", pairs, [f"{P} to {Q} processors" for P, Q in pairs]).measure(
        lambda P, Q: found.at(number_of_processors=Q) - found.at(number_of_processors=P)
    )
    most = found.largest("number of processors").scaled(0.5)
    return conclude(
        at_each("the gain", steps, never_rises()),
        *(
            at_each(f"the gain on {P} processors less half of the largest", found.at(number_of_processors=P) - most,
                    smaller())
            for P in numbers[-2:]
        ),
        provided=[
            everywhere("that of JSQ with PS on 10, 20, 50, 100", line.steps("number of processors"), never_rises()),
            everywhere("that on 100 less half of the largest of these",
                       line.at(number_of_processors=100) - line.largest("number of processors").scaled(0.5),
                       smaller()),
        ],
        together=("policy", "local policy"),
    )  # fmt: skip


@check("thesis-5-087", name="I1")
def which_rule_uses_what_is_idle(name="II"):
    """The names of the rules, and who puts jobs on idle processors."""
    names, elsewhere, busy_without = set(), [], 0
    for rules, jobs in random_states(systems=12):
        for moves, g in itertools.product((False, True), range(len(rules.shares))):
            own = Rules("DVP", rules.shares, rules.processors, moves, rules.local)
            rule, _ = placement(own, jobs, g)
            names.add(rule)
            if idle(jobs):
                busy = not choices(library(own), jobs, g).issubset(idle(jobs))
                busy_without += not moves and busy
                elsewhere += [busy or rule != "I1"] * moves
    return mended(
        fact(f"a rule is named {name}", name in names, f"no rule is named {name}"),
        fact("a rule is named I1", "I1" in names, "no rule is named I1"),
        none(len(elsewhere), "arrival with migration and an idle processor", "was not placed there by I1",
             sum(elsewhere)),
        fact("without migration the other rules leave processors idle", busy_without > 0,
             "without migration no rule leaves processors idle"),
        chain_as_printed(("DVP",), [(3, BROKEN[2])], (True,)),
    )  # fmt: skip
