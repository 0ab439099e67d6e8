"""Claims of `thesis`, Appendix D, on Chapters 5 and 7: which policy is best, and what none can do without."""

from compendium.press.clauses import aside, at_each, conclude, somewhere
from compendium.press.clauses.conditions import at_most, larger
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.central.points import by_case as points
from pages.share_scheduling.central.systems import POLICIES

WELL = SCALE["close"].most


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
        provided=[points.as_exact_with_migration()],
    )  # fmt: skip


@check("thesis-D-002", lacking=((True, "GPPS"),), policies=("SVP",))
def cannot_do_without(lacking=((False, "PS"), (False, "GPPS"), (True, "PS")), policies=POLICIES):
    """The largest deviation of each policy without migration, or with PS; the control has SVP with both."""

    def of_all(migration, local):
        return points.over(points.TEN, lambda case: points.of(case, migration=migration)).at(local_policy=local)

    both = of_all(True, "GPPS")
    return conclude(
        *(
            somewhere(f"the deviation under {policy} with {local}, {'with' if migration else 'without'} migration,",
                      of_all(migration, local).at(policy=policy), larger(WELL))
            for migration, local in lacking for policy in policies
        ),
        provided=[
            somewhere("with both, the largest deviation of a policy", both.largest("point"), at_most(WELL)),
            points.as_exact_with_migration(),
        ],
    )  # fmt: skip
