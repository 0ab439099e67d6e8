"""Claims of `thesis`, Section 5.8: which combinations of policies do without migration."""

from compendium.press.clauses import aside, at_each, conclude, fact
from compendium.press.clauses.conditions import not_larger
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.central.points import by_case as points

ADEQUATE = SCALE["close"].most  # "still reasonable" in Section 5.6.1


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
