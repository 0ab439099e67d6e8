"""Claims of `thesis`, Section 5.6.1, Figures 5.5 and 5.6: two groups that are alike, on two processors."""

from fractions import Fraction

import numpy as np

from clustershare import splitting, uniprocessor
from clustershare.uniprocessor import chain as one_processor
from compendium.press.findings import check, finding, over_domain
from compendium.press.words import allows
from pages.share_scheduling.central import case_one
from pages.share_scheduling.central.case_one import DEVIATION, LOSS, SPREAD, VERTICAL, beyond, exact, points, said
from pages.share_scheduling.central.compiled import Compiled
from pages.share_scheduling.central.printed_rules import Rules
from pages.share_scheduling.central.reached import reached
from pages.share_scheduling.central.systems import LOADS, LOCAL
from pages.share_scheduling.central.two_processors_chain import LOADS as EXACT
from pages.share_scheduling.central.two_processors_chain import chain, shortest_queue_loss

TINY = 1e-9
HALVES = (Fraction(1, 2),) * 2
ABOVE = np.array(LOADS) > EXACT[-1]  # where the simulation speaks


@check("thesis-5-030", policies=("JSQ",))
def one_loss_for_four(policies=VERTICAL):
    """(4.81) for P = 2 against the library and chains; every state reached, and the library's outcomes there."""
    static = max(
        abs(case_one.static(policy, 2, load).capacity_loss - load**2 * (1 - load))
        for policy in ("HPRS", "VPRS") for load in case_one.BEFORE_ONE
    )  # fmt: skip
    chains = max(
        abs(chain(policy, local, load).capacity_loss - load**2 * (1 - load))
        for policy in policies for local in LOCAL for load in EXACT
    )  # fmt: skip
    met, other, states = 0, 0, 0
    for policy in policies:
        for local in LOCAL:
            library = Compiled(policy, (0.5, 0.5), 2, local=local)
            for jobs, happening in reached(Rules(policy, HALVES, 2, False, local), 12).items():
                if max(map(sum, zip(*jobs))) > 6:
                    continue
                states += 1
                met += not _apart(jobs)
                for event in happening:
                    printed = {}
                    for outcome in event.outcomes:
                        printed[outcome.state] = printed.get(outcome.state, 0) + outcome.probability
                    other += library.outcomes(jobs, event.group, event.processor) != printed
    said_of_chains = "within 1e-7" if chains <= 1e-7 else f"off by up to {chains:.2f}"
    return finding(
        f"HPRS and VPRS {'within 1e-12' if static <= 1e-12 else f'off by {static:.2g}'} of rho^2 (1 - rho), chains "
        f"{said_of_chains}; of {states} states, groups not apart in {met}; events with other outcomes in the library: "
        f"{other}",
        static <= 1e-12 and chains <= 1e-7 and met == other == 0,
    )


def _apart(jobs):
    """No processor with both groups, no group on both processors."""
    return all(sum(count > 0 for count in cells) <= 1 for cells in (*jobs, *zip(*jobs)))


@check("thesis-5-032", share=0.6)
def no_deviation(share=0.5):
    """VPRS by (4.142), SVP and DVP by chains and in the rows; the control has the shares 0.6 and 0.4."""
    shares = (share, round(1 - share, 12))
    chains = max(
        np.abs(chain(policy, local, load, shares).deviations).max()
        for policy in VERTICAL for local in LOCAL for load in (EXACT if share == 0.5 else EXACT[:1])
    )  # fmt: skip
    if share != 0.5:
        return finding(f"chains up to {chains:.2f} from 0", chains <= 1e-7)
    static = max(
        np.abs(splitting.vertical(shares, (load / 2, load / 2), 2).group_share_deviation).max()
        for load in case_one.BEFORE_ONE
    )
    found = [points(DEVIATION, 2)[policy, local] for policy in VERTICAL for local in LOCAL]
    outside = sum((np.abs(one.value) > wide * one.half + TINY).sum() for one in found for wide in [_wide(found)])
    return finding(
        f"VPRS {'within 1e-12' if static <= 1e-12 else f'off by {static:.2g}'}; chains "
        f"{'within 1e-7' if chains <= 1e-7 else f'off by {chains:.2g}'}; rows outside their intervals: {outside}",
        static <= 1e-12 and chains <= 1e-7 and outside == 0,
    )


def _wide(found):
    return case_one.simulated.joint(sum(len(one.value) for one in found))


def _deviation(policy, local, load):
    """Delta^G from the chain; for controls that of HPRS, always with PS."""
    if policy == "HPRS":
        return case_one.static("HPRS", 2, load).group_share_deviation.max()
    return chain(policy, local, load).deviations.max()


def _above(policy, local):
    """The rows of Figure 5.6 above the chain's loads; for controls HPRS, always with PS."""
    if policy == "HPRS":
        return case_one.of_static(DEVIATION, "HPRS", 2, np.array(LOADS)[ABOVE])
    return points(DEVIATION, 2)[policy, local].part(ABOVE)


@check("thesis-5-033", policies=("HPRS",))
def better_than_nothing_amiss(policies=SPREAD):
    """Below 0 in chains and rows; the control is HPRS."""
    pairs = [(policy, local) for policy in policies for local in LOCAL]
    exactly = np.array([[_deviation(*pair, load) for load in EXACT] for pair in pairs])
    above = [_above(*pair) for pair in pairs]
    ends = np.array(case_one.upper_ends(above))
    most = max(exactly.max(), max(one.value.max() for one in above))
    least = min(exactly.min(), min(one.value.min() for one in above))
    return over_domain(
        f"from {least:.3f} to {most:.4f}; chains below 0 at {(exactly < -TINY).sum()} of {exactly.size} points, rows "
        f"at {(ends < 0).sum()} of {ends.size}",
        [*(exactly < -TINY).ravel(), *(ends < 0).ravel()],
    )


@check("thesis-5-034", policy="HPRS")
def all_jobs_or_each_group(policy="JSQ"):
    """HP less JSQ, for two processors and for ten; the control has HPRS in place of JSQ."""
    words, holds = [], []
    other = case_one.of_static(DEVIATION, "HPRS", 10) if policy == "HPRS" else None
    exactly = np.array([[_deviation("HP", local, x) - _deviation(policy, local, x) for x in EXACT] for local in LOCAL])
    two = [_above("HP", local) - _above(policy, local) for local in LOCAL]
    ten = [points(DEVIATION, 10)["HP", local] - (other or points(DEVIATION, 10)[policy, local]) for local in LOCAL]
    first = [[*a, *b] for a, b in zip(exactly > TINY, beyond(two))]
    second = beyond(ten)
    for P, places, each in ((2, [*EXACT, *np.array(LOADS)[ABOVE]], first), (10, LOADS, second)):
        words.append(
            f"P = {P}: smaller beyond the intervals at the loads "
            + ", ".join(f"{said(places, one)} ({local})" for local, one in zip(LOCAL, each))
        )
        holds += [value for one in each for value in one]
    less = [said(np.array(LOADS)[ABOVE], one.value + _wide(two) * one.half < 0) for one in two]
    more = sum((one.value + _wide(ten) * one.half < 0).sum() for one in ten)
    return over_domain(
        f"{'; '.join(words)}; larger for P = 2 at {less[0]} (PS), {less[1]} (GPPS); for P = 10 at {more} points", holds
    )


@check("thesis-5-035", part=1.0)
def horizontal_loses_as_much(part=0.5):
    """The losses of HP and JSQ by chains and in the rows; in the control group 1 brings all of the load."""
    gaps = {}
    for local in LOCAL:
        lost = [[chain(policy, local, x, part=part).capacity_loss for x in EXACT] for policy in ("HP", "JSQ")]
        gaps[local] = np.subtract(*lost)
    largest = max(np.abs(gap).max() for gap in gaps.values())
    if largest <= TINY:
        return finding("equal within 1e-9", True)
    rows = [points(LOSS, 2)["HP", local] - points(LOSS, 2)["JSQ", local] for local in LOCAL]
    more = [said(LOADS, one) for one in beyond(rows)]
    apart = sum((np.abs(one.value) > _wide(rows) * one.half).sum() for one in rows)
    least = min(gap.min() for gap in gaps.values())
    relative = max(gap[-1] / chain("HP", local, EXACT[-1]).capacity_loss for local, gap in gaps.items())
    return over_domain(
        f"HP loses more at {'every load' if least > TINY else 'some loads'} of the chain, at {EXACT[-1]:g} by "
        f"{gaps['PS'][-1]:.5f} (PS) and {gaps['GPPS'][-1]:.5f} (GPPS), up to {100 * relative:.1f} % of it; rows apart "
        f"at the loads {more[0]} (PS), {more[1]} (GPPS)",
        [False, apart == 0],
    )


@check("thesis-5-145", rates=(1.0, 0.25))
def local_policy_and_loss(rates=(1.0, 1.0)):
    """PS against GPPS, policy by policy; the control has sizes of means 1 and 4."""
    gaps = {
        policy: np.array([
            chain(policy, "GPPS", x, service_rates=rates).capacity_loss
            - chain(policy, "PS", x, service_rates=rates).capacity_loss
            for x in EXACT
        ])
        for policy in (*SPREAD, *VERTICAL)
    }  # fmt: skip
    gaps["HPRS"] = np.array([_convolved("GPPS", x, rates) - _convolved("PS", x, rates) for x in EXACT])
    unlike = [policy for policy, gap in gaps.items() if np.abs(gap).max() > TINY]
    rows = points(LOSS, 2)["HP", "GPPS"] - points(LOSS, 2)["HP", "PS"]
    told = said(LOADS, np.abs(rows.value) > case_one.simulated.joint(len(LOADS)) * rows.half)
    words = f"equal within 1e-9: {', '.join(policy for policy in gaps if policy not in unlike) or 'none'}"
    for policy in unlike:
        worst = gaps[policy][np.abs(gaps[policy]).argmax()]
        words += f"; {policy}: up to {worst:.1g} apart" + (" (more with GPPS)" if (gaps[policy] > 0).all() else "")
    words += f"; rows of HP tell the two apart {told if told == 'nowhere' else f'at the loads {told}'}"
    return over_domain(words, [not unlike, set(unlike) <= {"HP"}])


def _convolved(local, load, rates):
    """The loss of two processors with HPRS, each by its own chain."""
    shares, rates = np.array([0.5, 0.5]), np.array(rates)
    rule = {"PS": "PPS", "GPPS": "GPPS"}[local]  # with equal required shares PPS serves all jobs alike
    work = uniprocessor.model.Workload(rule, shares, load / 2 * rates, rates, np.zeros(2, dtype=int))
    numbers, probability, _ = one_processor.law(work, uniprocessor.analysis.sharing_rule(work), 1e-13)
    none, one = np.bincount(sum(numbers), weights=probability)[:2]
    return none * (1 - none - one)  # one idles, the other has two jobs or more: half the capacity, in two ways


@check("thesis-5-146", policies=("HPRS",))
def much_less_is_lost(policies=SPREAD):
    """The fall of the loss below rho^2 (1 - rho), the worst load; the control is HPRS."""
    base = case_one.of_static(LOSS, "HPRS", 2).value
    ours = [points(LOSS, 2)[policy, local] for policy in VERTICAL for local in LOCAL]
    lower = min((one.value - _wide(ours) * one.half).max() for one in ours)
    falls, words = [], []
    for policy in policies:
        for local in LOCAL if policy in SPREAD else ("PS",):
            lost = exact(base) if policy == "HPRS" else points(LOSS, 2)[policy, local]
            if policy == "JSQ":
                exactly = exact([shortest_queue_loss(load) if load <= 0.9 else 0.0 for load in LOADS])
                lost = case_one.Measured(*(np.where(np.array(LOADS) <= 0.9, *both) for both in zip(exactly, lost)))
            falls.append(case_one.Measured(1 - lost.value / base, lost.half / base))
            words.append(f"{policy}/{local} {falls[-1].value.min():.2f}")
    wide = _wide(falls)
    holds = [allows("much", end) for fall in falls for end in fall.value - wide * fall.half]
    return over_domain(
        f"largest loss of SVP and DVP at least {lower:.2f}; least fall {', '.join(words)}; half or more at "
        f"{sum(holds)} of {len(holds)} points",
        [bool(lower > 0.1 and good) for good in holds],
    )


@check("thesis-5-147", spread=("HPRS", "HP"))
def all_but_one_do_well(spread=SPREAD):
    """The largest deviation of each policy; the control has HPRS in place of JSQ."""
    mixed = case_one.of_static(DEVIATION, "HPRS", 2).value.max()
    found = {(policy, local): points(DEVIATION, 2)[policy, local] for policy in VERTICAL for local in LOCAL}
    for policy in spread:
        for local in LOCAL:
            found[policy, local] = exact([mixed]) if policy == "HPRS" else points(DEVIATION, 2)[policy, local]
    ends = dict(zip(found, case_one.upper_ends(found.values())))
    largest = {policy: max(ends[policy, local].max() for local in LOCAL) for policy in (*VERTICAL, *spread)}
    own = case_one.of_static(DEVIATION, "VPRS", 2).value.max()
    words = ", ".join(f"{policy} {value + 0.0:.3f}" for policy, value in largest.items())
    return finding(
        f"largest upper ends: {words}; VPRS {'0' if abs(own) <= 1e-12 else format(own, '.3f')}; HPRS {mixed:.3f}",
        all(allows("close", max(value, 0.0)) for value in (*largest.values(), own)) and mixed > 0.05,
    )


@check("thesis-5-148", policies=VERTICAL)
def somewhat_better_with_priorities(policies=SPREAD):
    """PS less GPPS, by chains and in the rows; the control has SVP and DVP."""
    words, holds = [], []
    rows = [points(DEVIATION, 2)[policy, "PS"] - points(DEVIATION, 2)[policy, "GPPS"] for policy in policies]
    above = [row.part(ABOVE) for row in rows]
    for policy, row, clear in zip(policies, above, beyond(above)):
        gain = [_deviation(policy, "PS", x) - _deviation(policy, "GPPS", x) for x in EXACT]
        each = [*(np.array(gain) > TINY), *clear]
        words.append(
            f"{policy} by {min(gain) + 0.0:.1g} to {max(*gain, row.value.max()):.2f}, at {sum(each)} of {len(each)}"
        )
        holds += [good and most < 0.1 for good, most in zip(each, [*gain, *row.value])]
    return over_domain(f"lower with GPPS: {'; '.join(words)} loads", holds)
