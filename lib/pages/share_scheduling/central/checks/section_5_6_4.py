"""Claims of `thesis`, Sections 5.6.4, 5.8 and Appendix D: what all figures without migration say together."""

from compendium.press.clauses import aside, at_each, conclude, everywhere, fact, somewhere
from compendium.press.clauses.conditions import agrees, at_least, at_most, larger, not_larger, smaller
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.central.points import by_case as points
from pages.share_scheduling.central.points import plane
from pages.share_scheduling.central.systems import FRACTIONS, LOADS, POLICIES, SHARES

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
        together=("policy", "local policy", "point"),
    )  # fmt: skip


def _rather_vertical(quantity, policies):
    """What JSQ and HP have of a quantity, points.less what vertical policies have, in the three cases."""
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
        )
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
                 "a combination has a loss below 0.1 and a deviation of at most 0.05 throughout")
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
        aside("in case 1 with GPPS, that of JSQ less that of HP",
              -ahead("case 1", "GPPS", hp=hp).at(load=tuple(load for load in LOADS if load >= 0.9))),
    )  # fmt: skip


@check("thesis-5-183", first="GPPS", second="PS")
def what_the_local_policy_gains(first="PS", second="GPPS"):
    """The gain of GPPS points.over PS by policy; the control exchanges them."""

    def gained(case, policies, whole=None):
        found = points.of(case)
        gain = found.at(local_policy=first, policy=policies) - found.at(local_policy=second, policy=policies)
        return gain.at(**{gain.axes[-1][0]: points.CASES[case].some(whole=True)}) if whole else gain

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
        provided=[somewhere(f"the deviation with {first} less that with {second} under JSQ and HP", spread, larger())],
    )  # fmt: skip


@check("thesis-5-154", whole_only=True)
def adequate_under_all_workloads(whole_only=False):
    """The largest deviation of each combination; the control has shares in whole processors only."""

    def largest(case):
        found = points.of(case)
        kept = tuple(
            x for x, whole in zip(points.CASES[case].values, points.CASES[case].whole) if whole or not whole_only
        )
        return points.by_combination(found.at(**{found.axes[-1][0].replace(" ", "_"): kept}))

    found = points.over(points.CASES, largest).largest("point")
    adequate = ("SVP/GPPS", "DVP/GPPS")
    others = tuple(name for name in found.axes[0][1] if name not in adequate)
    above = [(name in adequate) != (value <= ADEQUATE) for name, value in zip(found.axes[0][1], found.value)]
    return conclude(
        at_each("the largest deviation less 0.05", found.at(combination_of_policies=adequate) - ADEQUATE,
                not_larger()),
        at_each("0.05 less that of each other combination", -(found.at(combination_of_policies=others) - ADEQUATE),
                not_larger()),
        aside("the largest deviation", found),
        provided=[fact("at most one is on the wrong side", sum(above) <= 1, "several are on the wrong side")],
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
                       found.at(policy=complying, local_policy=local), at_most(ADEQUATE))
        ],
    )  # fmt: skip


@check("thesis-D-001", best="HP")
def best_global_policy(best="SVP"):
    """SVP against each other policy that differs from it, with the same local policy; the control is HP in its place.

    Without migration, and with shares of whole processors, DVP does what SVP does.
    """
    others = tuple(policy for policy in POLICIES if policy != best)
    parts = {}
    for case in points.TEN:
        for sort, whole in (("whole", True), ("fractional", False)):
            kept = tuple(
                x for x, is_whole in zip(points.CASES[case].values, points.CASES[case].whole) if is_whole == whole
            )
            if kept:
                unlike = tuple(policy for policy in others if not whole or {policy, best} != {"SVP", "DVP"})
                parts[f"{case}, {sort} shares"] = case, False, kept, unlike
        parts[f"{case}, migration"] = case, True, points.CASES[case].values, others

    def ahead(name):
        case, migration, kept, rivals = parts[name]
        found = points.of(case, migration=migration)
        found = found.at(**{found.axes[-1][0]: kept})
        return found.at(policy=rivals).smallest("policy") - found.at(policy=best)

    found = points.over(parts, ahead)
    lost = points.over(points.TEN, lambda case: points.less(points.of(case, points.LOSS), (best,), ("JSQ",)))
    return conclude(
        at_each("the least deviation of the other policies, which can be told from it, less that of SVP",
                larger().told(found, found.widened(found.asked)), larger()),
        aside("without migration, the loss of SVP less that of JSQ", lost),
    )  # fmt: skip
