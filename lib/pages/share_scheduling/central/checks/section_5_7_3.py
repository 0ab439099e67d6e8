"""Claims of `thesis`, Section 5.7.3: unequal promises and equal loads, with migration."""

from compendium.press.clauses import at_each, conclude, everywhere, somewhere
from compendium.press.clauses.conditions import at_least, at_most, larger, not_larger, within
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.central.points import by_case as points
from pages.share_scheduling.central.systems import POLICIES, SHARES

CLOSE = SCALE["close"].most
UNEQUAL = SHARES[1:]


@check("thesis-5-075", best="HP")
def fewest_broken_promises(best="SVP"):
    """SVP against the other policies in case 3, and SVP/GPPS and DVP/GPPS against all; the control exchanges two."""
    order = tuple({"SVP": best, best: "SVP"}.get(policy, policy) for policy in POLICIES)
    found = {case: points.of(case, migration=True, policies=order) for case in (*points.TEN, points.ALONG)}
    own, with_gpps = order.index("SVP") if best == "SVP" else POLICIES.index("SVP"), f"{best}/GPPS"
    others = tuple(policy for k, policy in enumerate(order) if k != own)
    unequal = found["case 3"]
    lowest = unequal.at(policy=others).smallest("policy") - unequal.at(policy=best)
    of_all = {case: points.by_combination(each) for case, each in found.items()}
    rivals = tuple(name for name in of_all["case 3"].axes[0][1] if name != with_gpps)
    third = ("JSQ/PS", "JSQ/GPPS", "HP/PS", "HP/GPPS", "DVP/PS")
    ahead = {
        case: each.at(combination_of_policies=rivals).smallest("combination of policies")
        - each.at(combination_of_policies=with_gpps)
        for case, each in of_all.items()
    }
    lower = "in case 3, by how much the deviation of SVP is lower than that of any other policy", lowest, larger()
    return conclude(
        at_each(*lower),
        *(
            at_each(f"in {case}, by how much the deviation of SVP with GPPS is lower than any other", ahead[case],
                    larger())
            for case in points.TEN
        ),
        *(
            at_each(f"in {case}, by how much any other is lower than it", -each, not_larger())
            for case, each in ahead.items()
        ),
        *(
            at_each(f"in {case}, by how much that of JSQ, HP or DVP with PS is lower than that of DVP with GPPS",
                    each.at(combination_of_policies="DVP/GPPS")
                    - each.at(combination_of_policies=third).smallest("combination of policies"), not_larger())
            for case, each in of_all.items()
        ),
        *(
            everywhere(f"in {case}, by how much the deviation of DVP with GPPS is higher than that of SVP with GPPS",
                       each.at(combination_of_policies="DVP/GPPS") - each.at(combination_of_policies=with_gpps),
                       at_most("close"))
            for case, each in of_all.items()
        ),
        somewhere("in case 3, the deviation of DVP with PS", unequal.at(policy="DVP", local_policy="PS"),
                  at_least(CLOSE)),
        *(
            everywhere(f"in {case}, the deviation of DVP with GPPS", each.at(policy="DVP", local_policy="GPPS"),
                       at_most(CLOSE))
            for case, each in found.items()
        ),
        provided=[somewhere(*lower)],
    )  # fmt: skip


@check("thesis-5-076", migration=False)
def unequal_promises(migration=True):
    """What migration gains each combination in case 3; the control has migration in neither."""
    found = points.by_combination(points.gains("case 3", migration=migration))
    each, both = points.estimates(found), ("SVP/PS", "DVP/PS")
    most, divided = each.largest("share"), each.at(share=points.CASES["case 3"].some(False))
    others = tuple(name for name in each.axes[0][1] if name not in both)

    def least_of_both(gain):
        return gain.at(combination_of_policies=both).smallest("combination of policies")

    return conclude(
        at_each("what migration takes off the deviation", found, larger()),
        everywhere("the largest gains of SVP and DVP with PS less those of the others, as estimated,",
                   -(most.at(combination_of_policies=others) - least_of_both(most)), larger()),
        at_each("where a processor is divided, the smaller of these two gains less the largest other, as estimated,",
                least_of_both(divided) - divided.at(combination_of_policies=others).largest("combination of policies"),
                larger()),
    )  # fmt: skip


@check("thesis-5-189", ours="PS", other="GPPS")
def who_needs_gpps(ours="GPPS", other="PS"):
    """What GPPS gains in case 3, who keeps groups apart, and other cases; the control exchanges PS and GPPS."""

    def gained(case):
        found = points.of(case, migration=True)
        return found.at(local_policy=other) - found.at(local_policy=ours)

    rest, held = ("JSQ", "HP", "DVP"), points.mixed("case 3", migration=True)
    of_shares = gained("case 3").at(share=UNEQUAL)
    most = {case: points.estimates(gained(case)).at(policy=rest) for case in points.TEN}
    most = {case: each.largest(each.axes[-1][0]) for case, each in most.items()}
    return conclude(
        at_each(f"what {ours} takes off the deviation", of_shares.at(policy=rest), larger()),
        everywhere("the difference under SVP", gained("case 3").at(policy="SVP"), within("close")),
        at_each("the fewest processors with both groups of the other policies less those of SVP",
                held.at(policy=rest).smallest("policy") - held.at(policy="SVP"), larger()),
        *(
            everywhere(f"the largest gain in case 3 less that in {case}, as estimated,", most["case 3"] - most[case],
                       larger())
            for case in points.TEN[:2]
        ),
        provided=[
            somewhere(f"what {ours} takes off that of {policy}", of_shares.at(policy=policy), larger())
            for policy in rest
        ],
    )  # fmt: skip
