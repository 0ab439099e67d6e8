"""Claims of `thesis`, Section 5.6.4: what all figures without migration say together."""

from fractions import Fraction as F

from compendium.press.clauses import (
    aside,
    at_each,
    besides,
    cases,
    conclude,
    everywhere,
    exact,
    fact,
    measured,
    somewhere,
)
from compendium.press.clauses.conditions import agrees, at_least, at_most, larger, not_larger, smaller
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.central.points import by_case as points
from pages.share_scheduling.central.points import growing, plane
from pages.share_scheduling.central.points.by_chains import as_by_chain, as_of_five_lengths
from pages.share_scheduling.central.points.growing import NUMBER
from pages.share_scheduling.central.systems import FRACTIONS, LOADS, POLICIES, SHARES
from pages.share_scheduling.central.witnesses.as_printed import chain_as_printed

ADEQUATE = SCALE["close"].most  # "still reasonable" in Section 5.6.1
SUBSTANTIAL = SCALE["clear"].least
FIGURES = {
    **{name: (name, False) for name in points.CASES},
    **{f"{name}, migration": (name, True) for name in tuple(points.CASES)[1:]},
}
"""Figures 5.5 to 5.10 and 5.12 to 5.19 by name: a case, and whether jobs migrate."""


@check("thesis-5-064", policies=("HPRS",))
def better_than_static_policies(policies=POLICIES):
    """Both quantities of every combination against HPRS and VPRS; the control puts HPRS in place of the former."""

    def better(quantity):
        def gap(name):
            case, migration = FIGURES[name]
            return points.best_static(case, quantity) - points.of(case, quantity, migration, policies)

        return points.over(FIGURES, gap)

    found = {"deviation": better(points.DEVIATION), "loss": better(points.LOSS)}
    return conclude(
        *(
            at_each(f"the {name} of the best static policy less that of a dynamic one", each, condition)
            for condition in (larger(), larger("clear")) for name, each in found.items()
        ),
        provided=[each for quantity in (points.LOSS, points.DEVIATION) for each in as_by_chain(POLICIES, quantity)],
        together=("policy", "local policy", "point"),
    )  # fmt: skip


def _rather_vertical(quantity, policies):
    """What JSQ and HP have of a quantity, less what vertical policies have, in the three cases."""
    return points.over(
        points.TEN,
        lambda case: points.less(
            points.of(case, quantity, policies=(*points.SPREAD, *policies)), points.SPREAD, policies
        ),
    )


@check("thesis-5-098", vertical=("HPRS",))
def global_policy_gains_more(vertical=points.VERTICAL):
    """SVP/PS and DVP/PS against JSQ/GPPS and HP/GPPS; the control takes HPRS in place of the former."""

    def gap(case):
        theirs, ours = points.of(case, policies=points.SPREAD), points.of(case, policies=vertical)
        return theirs.at(local_policy="GPPS") - ours.at(local_policy="PS").renamed(policy="other policy")

    return conclude(
        at_each(
            "the deviation of JSQ and HP with GPPS less that of SVP and DVP with PS",
            points.over(points.TEN, gap),
            larger(),
        ),
        provided=[as_of_five_lengths(), *as_by_chain(points.SPREAD, points.DEVIATION)],
    )


@check("thesis-5-180", vertical=("HPRS",))
def promises_against_capacity(vertical=points.VERTICAL):
    """Vertical policies against JSQ and HP in both quantities; the control takes HPRS in place of the former."""
    most = [
        points.by_combination(points.over(points.TEN, lambda case, quantity=quantity: points.of(case, quantity)))
        .largest("point")
        .value
        for quantity in (points.LOSS, points.DEVIATION)
    ]
    return conclude(
        at_each("the deviation of JSQ and HP less that of SVP and DVP",
                _rather_vertical(points.DEVIATION, vertical), larger()),
        at_each("their loss less that of SVP and DVP", _rather_vertical(points.LOSS, vertical), smaller()),
        provided=[
            fact("no combination has a loss below 0.1 and a deviation of at most 0.05 throughout",
                 not ((most[0] < SUBSTANTIAL) & (most[1] <= ADEQUATE)).any(),
                 "a combination has a loss below 0.1 and a deviation of at most 0.05 throughout"),
            everywhere("what JSQ and HP lose less what SVP and DVP do",
                       _rather_vertical(points.LOSS, vertical), not_larger()),
        ],
        together=("policy", "local policy", "point", "other policy"),
    )  # fmt: skip


@check("thesis-5-181", vertical=("HPRS",))
def vertical_policies_comply_better(vertical=points.VERTICAL):
    """The deviation of SVP and DVP against that of JSQ and HP; the control takes HPRS in place of the former."""
    return conclude(
        at_each(
            "the deviation of JSQ and HP less that of SVP and DVP",
            _rather_vertical(points.DEVIATION, vertical),
            larger(),
        )
    )


@check("thesis-5-182", instead="HPRS")
def shortest_queue_against_horizontal(instead=None):
    """JSQ against HP in the three cases; the control puts HPRS in place of the one that is said to be better."""

    def ahead(case, local, jsq="JSQ", hp="HP"):
        """The deviation of HP less that of JSQ."""
        found = points.of(case, policies=(jsq, hp)).at(local_policy=local)
        return found.at(policy=hp) - found.at(policy=jsq)

    jsq, hp = instead or "JSQ", instead or "HP"
    below = tuple(load for load in LOADS if load < 0.9)
    much = tuple(share for share in SHARES if share >= 0.75)
    somewhat = larger(), at_most(SUBSTANTIAL)
    return conclude(
        at_each("in case 1 with PS, the deviation of HP less that of JSQ", ahead("case 1", "PS", jsq), *somewhat),
        at_each("with GPPS and loads below 0.9, it", ahead("case 1", "GPPS", jsq).at(load=below), *somewhat),
        *(
            at_each(f"in case 2 with {local}, it", ahead("case 2", local, jsq).at(fraction=FRACTIONS[1:]), *somewhat)
            for local in ("PS", "GPPS")
        ),
        at_each("in case 3 with PS, that of JSQ less that of HP", -ahead("case 3", "PS", jsq), not_larger()),
        at_each("with GPPS from the share 0.75 on, it", -ahead("case 3", "GPPS", hp=hp).at(share=much), larger()),
        at_each("in case 1 with GPPS and loads from 0.9 on, that of HP less that of JSQ",
                ahead("case 1", "GPPS", hp=hp).at(load=tuple(load for load in LOADS if load >= 0.9)), not_larger()),
        provided=[everywhere("in case 3 with GPPS up to the share 0.525, that of JSQ less that of HP",
                             -ahead("case 3", "GPPS").at(share=SHARES[:2]), not_larger())],
    )  # fmt: skip


@check("thesis-5-183", first="GPPS", second="PS")
def what_the_local_policy_gains(first="PS", second="GPPS"):
    """The gain of GPPS over PS by policy; the control exchanges them."""

    def gained(case, policies, whole=None, quantity=points.DEVIATION):
        found = points.of(case, quantity)
        gain = found.at(local_policy=first, policy=policies) - found.at(local_policy=second, policy=policies)
        return gain if whole is None else gain.at(**{gain.axes[-1][0]: points.CASES[case].some(whole=whole)})

    cases = tuple(points.CASES)[1:]
    spread = points.over(cases, lambda case: gained(case, points.SPREAD))
    vertical = points.over(cases, lambda case: gained(case, points.VERTICAL))
    twice = vertical.renamed(policy="other policy").scaled(2) - spread
    return conclude(
        at_each(f"the deviation with {first} less that with {second} under JSQ and HP", spread, larger()),
        at_each("twice that under SVP and DVP less it", twice, smaller()),
        at_each("under SVP and DVP, if shares are whole processors, it",
                points.over(cases, lambda case: gained(case, points.VERTICAL, True)),
                agrees("is 0 within its interval")),
        besides("the gain of SVP and DVP, if shares are not whole processors,",
                points.over(("case 1 against P", "case 3"), lambda case: gained(case, points.VERTICAL, False)),
                larger()),
        provided=[
            somewhere(f"the deviation with {first} less that with {second} under JSQ and HP", spread, larger()),
            everywhere(f"the loss with {first} less that with {second} under SVP and DVP, if shares are whole,",
                       points.over(cases, lambda case: gained(case, points.VERTICAL, True, points.LOSS)),
                       agrees("is 0 within its interval")),
            chain_as_printed(POLICIES, [(2, (F(7, 10), F(3, 10)))], (False,)),
        ],
    )  # fmt: skip


UNEQUAL_LOADS = ("1 : 1 : 2", "1 : 2 : 5", "0 : 1 : 4")
UNEQUAL_PROMISES = ("6, 4, 2", "6.6, 3.6, 1.8", "8.4, 2.4, 1.2")


@check("thesis-5-184", complying=("JSQ",), local="PS")
def more_groups(complying=points.VERTICAL, local="GPPS"):
    """Seven systems of three groups; the control takes JSQ/PS for the policies that comply."""
    found, lost = (
        points.of_rows(plane.three_groups(), "groups", quantity) for quantity in (points.DEVIATION, points.LOSS)
    )
    gained = found.at(policy="HP", local_policy="PS") - found.at(policy="HP", local_policy="GPPS")
    return conclude(
        at_each("the deviation under JSQ with PS, if loads or promises are unequal,",
                found.at(policy="JSQ", local_policy="PS", system=UNEQUAL_LOADS + UNEQUAL_PROMISES), at_least(ADEQUATE)),
        at_each("what GPPS takes off that of HP, if promises are equal,",
                gained.at(system=("1 : 1 : 1", *UNEQUAL_LOADS)), at_most(0.01)),
        at_each("the deviation under SVP and DVP with PS, if promises are no whole processors,",
                found.at(policy=points.VERTICAL, local_policy="PS", system=UNEQUAL_PROMISES[1:]), at_least(ADEQUATE)),
        at_each("their loss, if loads are unequal,", lost.at(policy=points.VERTICAL, system=UNEQUAL_LOADS),
                at_least(SUBSTANTIAL)),
        provided=[
            everywhere(f"the deviation under {' and '.join(complying)} with {local}",
                       found.at(policy=complying, local_policy=local), at_most(ADEQUATE)),
            everywhere("that under JSQ with GPPS, if loads are unequal,",
                       found.at(policy="JSQ", local_policy="GPPS", system=UNEQUAL_LOADS), at_least(ADEQUATE)),
            chain_as_printed(POLICIES, [(2, (F(1, 2), F(1, 3), F(1, 6)))], (False,)),
        ],
    )  # fmt: skip


@check("thesis-5-065", processors=10)
def the_simplest_suffices(processors=100):
    """The largest loss and deviation of JSQ with PS in all three cases; from which P on; M/M/P beside it."""

    def largest(P):
        return cases("case", growing.CASES).measure(lambda case: {
            name: measured(*growing.worst(P, case, quantity), place=None).largest("place")
            for name, quantity in (("loss", points.LOSS), ("deviation", points.DEVIATION))
        })  # fmt: skip

    found = largest(processors)
    return conclude(
        *(at_each(f"the largest {name}", each, at_most("close")) for name, each in found.items()),
        aside("the largest deviation with migration", exact(growing.in_one_line(processors))),
        *(
            aside(f"the largest {name} of all cases", cases(NUMBER, growing.LARGER).measure(
                lambda P, name=name: largest(P)[name].largest("case")))
            for name in (found if processors == 100 else ())
        ),
        together="case",
    )  # fmt: skip
