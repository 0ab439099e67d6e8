"""Claims of `thesis`, Section 5.6.1, Figures 5.5 to 5.10: two groups that are alike."""

import functools
from dataclasses import replace
from fractions import Fraction

import numpy as np
from scipy.stats import binom, nbinom

from clustershare import dispatch, splitting, uniprocessor
from clustershare.uniprocessor import chain as one_processor
from compendium.press.clauses import (
    aside,
    at_each,
    cases,
    conclude,
    everywhere,
    fact,
    grid,
    mended,
    somewhere,
)
from compendium.press.clauses.conditions import (
    agrees,
    at_least,
    at_most,
    between,
    equal,
    larger,
    never_rises,
    smaller,
    within,
)
from compendium.press.findings import check
from pages.share_scheduling.central import figures
from pages.share_scheduling.central.points import by_case as points
from pages.share_scheduling.central.points import simulated
from pages.share_scheduling.central.points.by_case import DEVIATION, LOSS, SPREAD, VERTICAL
from pages.share_scheduling.central.points.by_chains import (
    EXACT,
    FEW_JOBS,
    TWO,
    as_by_chain,
    as_of_five_lengths,
    by_chain,
    in_the_library,
    of_five_lengths,
)
from pages.share_scheduling.central.printed.rules import Rules
from pages.share_scheduling.central.systems import LOADS, LOCAL, POLICIES, PROCESSORS
from pages.share_scheduling.central.witnesses import lengths
from pages.share_scheduling.central.witnesses.compiled import Compiled, events_apart
from pages.share_scheduling.central.witnesses.paths import passed
from pages.share_scheduling.central.witnesses.reached import reached
from pages.share_scheduling.central.witnesses.two_processors import shortest_queue_loss

TINY = 1e-9
HALVES = (Fraction(1, 2),) * 2
BETWEEN = tuple(load for load in LOADS if load not in EXACT)  # and above: where the simulation alone speaks
BEFORE_ONE = tuple(load for load in LOADS if load <= 0.95)
KNOWN = tuple(load for load in LOADS if load <= points.CHAINS_TO)  # of HPRS with GPPS
CHANCE = ("HPRS", "VPRS")
ODD, EVEN = tuple(range(3, 20, 2)), tuple(range(4, 20, 2))
TEN, ALONG = "case 1", "case 1 against P"


@check("thesis-5-030", policies=("JSQ",))
def one_loss_for_four(policies=VERTICAL):
    """(4.81) for P = 2 against the library and chains; every state reached, and the library's outcomes there."""

    def in_states(policy, local):
        rules = Rules(policy, HALVES, 2, False, local)
        few = [jobs for jobs in reached(rules, 12) if max(map(sum, zip(*jobs))) <= 6]
        meet = sum(any(sum(count > 0 for count in cells) > 1 for cells in (*jobs, *zip(*jobs))) for jobs in few)
        return {"meet": meet, "other": events_apart(rules, 12)[1]}

    static = points.of(TWO, LOSS, policies=("HPRS", "VPRS")).at(local_policy="PS", load=BEFORE_ONE)
    load, known, of_chains = map(np.array, (BEFORE_ONE, KNOWN, EXACT))
    states = grid(policy=policies, local_policy=LOCAL)
    states = states.measure(in_states)
    return conclude(
        everywhere("the loss of HPRS and VPRS and rho^2 (1 - rho)", static - load**2 * (1 - load), equal(1e-12)),
        everywhere("that of HPRS with GPPS and it", points.of(TWO, LOSS, policies=("HPRS",)).at(
            local_policy="GPPS", load=KNOWN) - known**2 * (1 - known), equal(TINY)),
        everywhere(f"that of {' and '.join(policies)} by chains and it",
                   by_chain(policies)[LOSS] - of_chains**2 * (1 - of_chains), equal(1e-7)),
        *_as_own_processors(policies),
        everywhere("the number of states in which groups are not apart", states["meet"], between(0, 0)),
        everywhere("the number of events with other outcomes in the library", states["other"], between(0, 0)),
        whole=True,
    )  # fmt: skip


def _as_own_processors(policies):
    """Clauses that policies lose on two processors what two queues lose: by the library's chain, and as simulated."""
    load, names = np.array(LOADS), " and ".join(policies)
    return [
        everywhere(f"the loss of {names} by the library's chain, at the load {FEW_JOBS:g}, and that of two queues",
                   in_the_library(policies)[LOSS] - FEW_JOBS**2 * (1 - FEW_JOBS), equal(1e-7)),
        everywhere(f"the loss of {names} as simulated less that of two queues",
                   points.of(TWO, LOSS).at(policy=policies) - load**2 * (1 - load), agrees()),
    ]  # fmt: skip


@check("thesis-5-032", shares=(0.6, 0.4))
def no_deviation(shares=(0.5, 0.5)):
    """VPRS by (4.142), SVP and DVP by chains and in the rows; the control has the shares 0.6 and 0.4."""
    alike = shares == (0.5, 0.5)
    return conclude(
        everywhere("the deviation under SVP and DVP by chains and 0",
                   by_chain(VERTICAL, EXACT if alike else EXACT[:1], shares=shares)["off"], equal(1e-7)),
        everywhere("that by the library's chain and 0", in_the_library(VERTICAL, shares=shares)["off"], equal(1e-8)),
        everywhere("that under VPRS and 0", points.of(TWO, policies=("VPRS",)).at(load=BEFORE_ONE), equal(1e-12)),
        everywhere("that under SVP and DVP as simulated", points.of(TWO).at(policy=VERTICAL),
                   agrees("is 0 within its interval")),
        whole=True,
    )  # fmt: skip


@check("thesis-5-033", policies=("HPRS",))
def better_than_nothing_amiss(policies=SPREAD):
    """Below 0 in chains and rows; the control is HPRS."""
    return conclude(
        at_each("the deviation by chains", by_chain(policies)[DEVIATION], smaller(TINY)),
        at_each("that as simulated", points.of(TWO, policies=policies), smaller()),
        provided=[
            *as_by_chain(SPREAD, DEVIATION),
            everywhere("that of VPRS, and of SVP and DVP as simulated", points.of(TWO, policies=("VPRS", *VERTICAL)),
                       within(TINY)),
            everywhere("that of SVP and DVP by the library's chain and 0", in_the_library(VERTICAL)["off"],
                       equal(1e-8)),
        ],
    )  # fmt: skip


@check("thesis-5-034", first="HPRS")
def all_jobs_or_each_group(first="JSQ"):
    """HP less JSQ, for two processors and for ten; the control has HPRS in place of JSQ."""
    exactly = by_chain((first, "HP"))[DEVIATION]
    two, ten = (points.of(case, policies=(first, "HP")) for case in (TWO, TEN))
    return conclude(
        *(
            at_each(f"on {where}, the deviation under HP less that under JSQ",
                    found.at(policy="HP") - found.at(policy=first), larger(by))
            for where, found, by in (
                ("two processors, by chains", exactly, TINY), ("two processors, as simulated", two.at(load=BETWEEN), 0),
                ("ten processors", ten, 0),
            )
        ),
        provided=as_by_chain(("JSQ", "HP"), DEVIATION),
    )  # fmt: skip


@check("thesis-5-035", part=1.0)
def horizontal_loses_as_much(part=0.5):
    """The losses of HP and JSQ by chains and in the rows; in the control group 1 brings all of the load."""

    def gap(found):
        return found.at(policy="HP") - found.at(policy="JSQ")

    by_chains = by_chain(("JSQ", "HP"), part=part)[LOSS]
    rows = everywhere("the loss of HP less that of JSQ as simulated", gap(points.of(TWO, LOSS)), agrees())
    return conclude(
        everywhere("the losses of HP and JSQ by chains", gap(by_chains), equal(TINY)),
        everywhere("those by the library's chain", gap(in_the_library(("JSQ", "HP"), part=part)[LOSS]), equal(TINY)),
        *([rows] if part == 0.5 else []),
    )


@check("thesis-5-145", rates=(1.0, 0.25))
def local_policy_and_loss(rates=(1.0, 1.0)):
    """PS against GPPS, policy by policy; the control has sizes of means 1 and 4."""
    found = by_chain(POLICIES, service_rates=rates)[LOSS]
    gap = found.at(local_policy="GPPS") - found.at(local_policy="PS")
    chance = cases("load", EXACT).measure(lambda load: np.diff([_convolved(local, load, rates) for local in LOCAL])[0])
    rows = points.of(TWO, LOSS).at(policy="HP")
    others = [
        everywhere(
            "the losses of JSQ, SVP and DVP with PS and with GPPS", gap.at(policy=("JSQ", *VERTICAL)), equal(TINY)
        ),
        everywhere("those of HPRS", chance, equal(TINY)),
    ]
    return conclude(
        everywhere("the losses of HP with PS and with GPPS", gap.at(policy="HP"), equal(TINY)),
        *others,
        aside("what HP loses more with GPPS, as simulated", rows.at(local_policy="GPPS") - rows.at(local_policy="PS")),
        provided=others + ([*as_by_chain(POLICIES, LOSS), _library_by_chance()] if rates == (1.0, 1.0) else []),
    )


def _library_by_chance():
    """A clause: the library's HPRS loses what two processors do, each by its own chain."""

    def off(local, load):
        found = splitting.horizontal((0.5, 0.5), (load / 2, load / 2), (0.5, 0.5), local)
        return found.capacity_loss - _convolved(local, load, (1.0, 1.0))

    return everywhere("the loss of HPRS by the library less that", grid(local_policy=LOCAL, load=EXACT).measure(off),
                      equal(TINY))  # fmt: skip


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
    base, apart = (points.of(TWO, LOSS, policies=CHANCE).at(policy=name, local_policy="PS") for name in CHANCE)
    found, by_lengths = points.of(TWO, LOSS, policies=policies), tuple(load for load in LOADS if load <= 0.9)
    vertical, load = points.of(TWO, LOSS).at(policy=VERTICAL), np.array(LOADS)
    provided = [
        everywhere("the largest loss of SVP and DVP", vertical.largest("load"), at_least(0.1)),
        everywhere("the loss of SVP and DVP less rho^2 (1 - rho)", vertical - load**2 * (1 - load), agrees()),
    ]
    if "JSQ" in policies:
        gap = found.at(policy="JSQ", load=by_lengths) - [shortest_queue_loss(load) for load in by_lengths]
        provided.append(everywhere("the loss of JSQ as simulated less that by the chain of lengths", gap, agrees()))
        exactly = [shortest_queue_loss(load) if load in by_lengths else np.nan for load in LOADS]
        known = np.array([policy == "JSQ" for policy in policies])[:, None, None] & ~np.isnan(exactly)
        found = replace(found, value=np.where(known, exactly, found.value), half=np.where(known, 0, found.half))
    return conclude(
        at_each("rho^2 (1 - rho) less the loss", base - found, larger("much")),
        at_each("the loss of VPRS less it", apart - found, larger("much")),
        provided=provided,
    )


@check("thesis-5-147", first="HPRS")
def all_but_one_do_well(first="JSQ"):
    """The largest deviation of each policy; the control has HPRS in place of JSQ."""
    well = (first, "HP", *VERTICAL, "VPRS")
    return conclude(
        everywhere(f"the deviation under {', '.join(well)}", points.of(TWO, policies=well), at_most("close")),
        somewhere("that under HPRS", points.of(TWO, policies=("HPRS",)).at(local_policy="PS"), larger(0.05)),
        whole=True,
    )


@check("thesis-5-148", policies=VERTICAL)
def somewhat_better_with_priorities(policies=SPREAD):
    """PS less GPPS, by chains and in the rows; the control has SVP and DVP."""
    chains, rows = by_chain(policies)[DEVIATION], points.of(TWO).at(policy=policies, load=BETWEEN)
    return conclude(
        *(
            at_each(f"the deviation with PS less that with GPPS, {how},",
                    found.at(local_policy="PS") - found.at(local_policy="GPPS"), larger(by), at_most(0.1))
            for how, found, by in (("by chains", chains, TINY), ("as simulated", rows, 0))
        ),
        provided=as_by_chain(policies, DEVIATION),
    )  # fmt: skip


@check("thesis-5-036", policies=("JSQ",), others=("HP",))
def own_processors_lose_more(policies=VERTICAL, others=SPREAD):
    """SVP and DVP less JSQ and HP, relative to the former; the control has JSQ, against HP."""
    ten, two = points.of(TEN, LOSS), points.of(TWO, LOSS)
    first = ten.at(policy=policies, load=LOADS[:1])
    if policies == VERTICAL:  # what is lost at the lowest load takes longer to see
        rows = simulated.along("load", LOADS[:1], False, policies=policies, fidelity="paper", processors=10)
        first = replace(points.of_rows(rows, "load", LOSS), runs=100)
    own = (
        points.of(TWO, LOSS, policies=("VPRS",)).at(policy="VPRS") if policies == VERTICAL else two.at(policy=policies)
    )
    return conclude(
        *(
            at_each(f"the loss of {' and '.join(policies)} {where}, less that of {' and '.join(others)}",
                    ours - theirs.renamed(policy="other policy"), larger("clear"))
            for where, ours, theirs in (
                ("on two processors", own, two.at(policy=others)),
                ("on ten", ten.at(policy=policies, load=LOADS[1:]), ten.at(policy=others, load=LOADS[1:])),
                ("on ten at the lowest load", first, ten.at(policy=others, load=LOADS[:1])),
                ("by the library's chain of two", *(in_the_library(each)[LOSS] for each in (policies, others))),
            )
        ),
        provided=_as_own_processors(policies) if policies == VERTICAL else [],
    )  # fmt: skip


@check("thesis-5-037", pairs=[("SVP/PS", "JSQ/PS"), ("SVP/GPPS", "JSQ/GPPS")])
def no_differences_of_loss(pairs=None):
    """All pairs at all loads, and the library's HPRS; the control compares SVP and JSQ."""
    found, alike = points.by_combination(points.of(TEN, LOSS)), [("HP", "JSQ"), ("SVP", "DVP")]
    every = [
        *((f"{policy}/PS", f"{policy}/GPPS") for policy in POLICIES),
        *((f"{one}/{local}", f"{other}/{local}") for one, other in alike for local in LOCAL),
    ]
    named = [" and ".join(pair) for pair in pairs or every]
    gap = cases("pair", pairs or every, named).measure(
        lambda one, other: found.at(combination_of_policies=one) - found.at(combination_of_policies=other)
    )
    chance = points.of(TEN, LOSS, policies=("HPRS",)).at(policy="HPRS", load=KNOWN)
    return conclude(
        at_each("the difference of the losses", gap, agrees("is 0 within its interval")),
        *([] if pairs else [
            everywhere("the losses of HPRS with PS and with GPPS",
                       chance.at(local_policy="PS") - chance.at(local_policy="GPPS"), equal(TINY))
        ]),
    )  # fmt: skip


@check("thesis-5-038", policies=("VPRS",))
def small_deviation(policies=VERTICAL):
    """The largest upper end; the control is VPRS."""
    return conclude(
        everywhere("the deviation", points.of(TEN, policies=policies), at_most(0.05)),
        # what JSQ loses on five processors (thesis-5-023), around the peak
        everywhere("that around the peak, by the chain of five lengths", of_five_lengths(), at_most(0.05)),
        provided=[as_of_five_lengths()],
        whole=True,
    )


@check("thesis-5-191", load=0.3)
def a_challenge_to_all(load=0.8):
    """Loss and deviation at a load against half of the largest on their curve, static policies too."""

    def of(quantity):
        def on(P):
            found = points.of(TWO if P == 2 else TEN, quantity, policies=("HPRS", "VPRS", *POLICIES))
            found = points.by_combination(replace(found, value=np.nan_to_num(found.value, nan=-np.inf)))
            names = [name for name in found.axes[0][1] if name != "VPRS/GPPS"]  # which is VPRS/PS
            return found.at(combination_of_policies=names)

        both = cases("number of processors", (2, 10)).measure(on)
        top, at = both.largest("load"), both.at(load=load)
        return at - top.scaled(0.5), top, at

    (loss, most, lost), (deviation, top, deviates) = of(LOSS), of(DEVIATION)
    deviation = deviation.where(top.low(top.widened(top.asked)) > TINY, "the deviation is not above 0 at any load")
    return conclude(
        at_each(f"the loss at the load {load:g} less half of its largest", loss, at_least(0)),
        at_each(f"the deviation at the load {load:g} less half of its largest", deviation, at_least(0)),
        aside(f"the loss at the load {load:g}", lost),
        aside(f"the deviation at the load {load:g}", deviates),
        provided=[everywhere("the largest loss", most, larger(0.01))],
    )


@check("thesis-5-143", shares=(0.6, 0.4))
def both_deviate_alike(shares=(0.5, 0.5)):
    """The groups' deviations, by chains and in all rows of case 1; the control has other shares, and SVP and DVP."""
    alike = shares == (0.5, 0.5)
    chains = by_chain(POLICIES, shares=shares) if alike else by_chain(VERTICAL, EXACT[:1], shares=shares)
    rows = {name: (name.removesuffix(", migration"), name.endswith("migration"))
            for name in (TWO, TEN, ALONG, f"{TEN}, migration", f"{ALONG}, migration")}  # fmt: skip
    return conclude(
        everywhere("the deviations of both groups by chains", chains["gap"], equal(TINY)),
        everywhere("their difference as simulated", points.over(rows, lambda name: points.group_gap(*rows[name])),
                   agrees("is 0 within its interval")),
        *library_alike(shares),
        whole=True,
    )  # fmt: skip


def library_alike(shares):
    """Clauses: the groups' deviations by the library's chain are the same, and by its formulas."""

    def chain(policy, local, migration):
        return np.ptp(dispatch.exact_central(
            policy, local=local, migration=migration, required_shares=shares, loads=(0.05, 0.05), processors=2,
            most_jobs=6,
        ).group_share_deviation)  # fmt: skip

    def formula(P, load):
        loads = (load / 2, load / 2)
        answers = [
            dispatch.shortest_queue_with_migration(shares, loads, P), splitting.horizontal(shares, loads, (1 / P,) * P)
        ]  # fmt: skip
        answers += [splitting.vertical(shares, loads, P)] if shares == (0.5, 0.5) else []
        return max(np.ptp(answer.group_share_deviation) for answer in answers)

    places = {"policy": POLICIES, "local_policy": LOCAL, "migration": (False, True)}
    return [
        everywhere("those by the library's chain", grid(**places).measure(chain), equal(TINY)),
        everywhere("those by its formulas", grid(number_of_processors=(2, 10), load=LOADS[1:18:2]).measure(formula),
                   equal(TINY)),
    ]  # fmt: skip


@check("thesis-5-149", name="\\Delta^T")
def a_symbol_without_its_letter(name="\\Delta"):
    """Whether there is a measure of the printed name; the control has the name that the figure's caption has."""
    symbols = {symbol for label in figures.QUANTITIES.values() for symbol in label.split("$")[1::2]}
    return mended(
        fact("a measure has the printed name", name in symbols, "no measure has the printed name"),
        fact(
            "the capacity loss is Delta^T", "\\Delta^T" in figures.QUANTITIES[LOSS], "the capacity loss is not Delta^T"
        ),
    )


@check("thesis-5-150", static=("SVP",), dynamic=("DVP",))
def chance_deviates_much_more(static=("HPRS", "VPRS"), dynamic=POLICIES):
    """HPRS and VPRS against the worst dynamic combination; the control has SVP against DVP."""
    ours = points.of(TEN, policies=static).at(local_policy="PS")
    worst = points.by_combination(points.of(TEN).at(policy=dynamic)).largest("combination of policies")
    less = f"the deviation under {' and '.join(static)}, less the largest under the others,", ours - worst
    return conclude(at_each(*less, larger("much")), at_each(*less, larger()))


@check("thesis-5-151", policies=("VPRS",))
def chance_loses_far_more(policies=VERTICAL):
    """SVP and DVP against (4.81) on ten processors and on two; the control has VPRS in place of these."""

    def more(case):
        static = points.of(case, LOSS, policies=CHANCE).at(policy=CHANCE, local_policy="PS")
        found = points.of(case, LOSS, policies=(*VERTICAL, "VPRS")).at(policy=policies)
        return static.renamed(policy="other policy") - found

    what = "the loss of HPRS and VPRS less that of SVP and DVP"
    return conclude(
        at_each(what, more(TEN), larger("much")),
        at_each(f"with two processors, {what},", more(TWO), agrees("is 0 within its interval")),
        together="load",
        provided=[everywhere(f"the losses of HPRS and VPRS on {P} processors and (4.81)", points.of(
            case, LOSS, policies=CHANCE).at(policy=CHANCE, local_policy="PS") - _by_numbers(P), equal(TINY)
        ) for P, case in ((10, TEN), (2, TWO))],
    )  # fmt: skip


def _by_numbers(P):
    """(4.81) at all loads: the number of jobs is negative binomial if each of P like processors is an M/M/1 queue."""
    loads, n = np.array(LOADS), np.arange(P)[:, None]
    return 1 - loads - ((1 - n / P) * nbinom.pmf(n, P, 1 - loads)).sum(axis=0)


@check("thesis-5-152", policies=("HPRS",))
def spread_jobs_deviate_less(policies=SPREAD):
    """SVP and DVP less JSQ and HP; the control has HPRS in place of these."""
    gap = points.less(points.of(TEN, policies=(*VERTICAL, *policies)), VERTICAL, policies)
    return conclude(*(
        at_each("the deviation under SVP and DVP less that under JSQ and HP", gap, condition)
        for condition in (larger(), larger("clear"))
    ))  # fmt: skip


def _as_lost_on_two(policy, local):
    """The deviation of each group with two own processors less what JSQ loses on two that have as much to do."""
    halves, four, two = (0.5, 0.5), {"processors": 4, "most_jobs": 8}, {"processors": 2, "most_jobs": 14}
    own = dispatch.exact_central(policy, local=local, required_shares=halves, loads=(0.05, 0.05), **four)
    lost = dispatch.exact_central("JSQ", required_shares=halves, loads=(0.1, 0.0), **two).capacity_loss
    return np.abs(own.group_share_deviation - lost).max()


@check("thesis-5-153", processors=(5,))
def deviation_is_loss_in_a_subset(processors=(4, 10)):
    """States on paths: shares against what the own processors lose; the control has a shared processor."""

    def lost(P, local, policy):
        jobs, _ = passed(policy, local, P, events=3000)
        busy = (jobs > 0).sum(axis=1)  # processors that a group uses, shape (events, groups)
        able = np.minimum(jobs.sum(axis=1), P / 2)
        compiled = Compiled(policy, (0.5, 0.5), P, local=local)
        feasible, obtained = np.moveaxis([compiled.shares(each) for each in jobs], -1, 0)
        return {"gap": np.abs((feasible - obtained) - (able - busy) / P).max(), "above": (obtained - 0.5).max()}

    numbers = {"number_of_processors": processors, "local_policy": LOCAL}
    own = grid(**numbers, policy=VERTICAL).measure(lost)
    others = grid(**numbers, policy=SPREAD).measure(
        lambda P, local, policy: (passed(policy, local, P, events=1000).obtained - 0.5).max()
    )
    return conclude(
        everywhere("under SVP and DVP, the deviation and the loss within the subset", own["gap"], equal(1e-12)),
        everywhere("what a group obtains at most, less its share,", own["above"], at_most(1e-12)),
        everywhere("that under JSQ and HP", others, larger(1e-12)),
        everywhere(
            "on four processors, the library's deviations under SVP and DVP less the loss of its JSQ on two",
            grid(policy=VERTICAL, local_policy=LOCAL).measure(_as_lost_on_two),
            equal(1e-7),
        ),
        whole=True,
    )


@check("thesis-5-040", migration=True)
def whatever_the_number(migration=False):
    """The range of JSQ's and HP's loss over P, relative and of the capacity; with migration nothing is ever lost."""
    found = points.of(ALONG, LOSS, migration).at(policy=SPREAD)
    most, least = (getattr(found, end)("number of processors") for end in ("largest", "smallest"))
    return conclude(
        everywhere("the largest loss over P less the smallest", most - least, at_most("practically equal")),
        everywhere("as a part of the capacity, this", replace(most - least, terms=()), at_most(0.01)),
    )


@check("thesis-5-042", places=EVEN)
def sharing_one_helps(places=ODD):
    """Odd P against the mean of both neighbours, both measures; the control takes even P."""
    return conclude(*(
        at_each(f"the mean {name} of the neighbours less that for an odd number",
                points.amplitude(points.of(ALONG, quantity).at(policy=VERTICAL), places), larger())
        for quantity, name in ((LOSS, "loss"), (DEVIATION, "deviation"))
    ))  # fmt: skip


@check("thesis-5-155", dynamic=("HPRS",), local=("PS",))
def dynamic_below_static(dynamic=POLICIES, local=LOCAL):
    """Every combination against HPRS and VPRS; the control has HPRS as the dynamic policy."""

    def gap(quantity, static):
        found = points.of(ALONG, quantity, policies=(static, *dynamic))
        found = found.at(number_of_processors=PROCESSORS if static == "HPRS" else PROCESSORS[::2])
        return found.at(policy=static, local_policy="PS") - found.at(policy=dynamic, local_policy=local)

    return conclude(*(
        at_each(f"the {name} of {static} less that of a dynamic policy", gap(quantity, static), larger())
        for quantity, name in ((LOSS, "loss"), (DEVIATION, "deviation")) for static in ("HPRS", "VPRS")
    ))  # fmt: skip


@check("thesis-5-156", policies=("HPRS",))
def slowly_less(policies=SPREAD):
    """Steps from P = 6 on, and P = 6, 10, 20, those of JSQ up to 8 by chains; the control is HPRS."""
    few = (5, 6, 7, 8)
    exactly = cases("number of processors", few).measure(lambda P: shortest_queue_loss(0.8, P, spread=5))
    rows = points.of(ALONG, LOSS).at(policy="JSQ", number_of_processors=few)
    found = points.of(ALONG, LOSS, policies=policies)
    if policies == SPREAD:
        value, half = found.value.copy(), found.half.copy()
        value[0, :, 4:7], half[0, :, 4:7] = exactly.value[1:], 0.0  # 6, 7 and 8 processors
        found = replace(found, value=value, half=half)
    else:
        found = found.at(local_policy="PS")
    steps = found.at(number_of_processors=PROCESSORS[4:]).steps("number of processors")
    ends = found.at(number_of_processors=(6, 10, 20)).steps("number of processors")
    by_chains = exactly.at(number_of_processors=few[1:]).steps("number of processors")
    return conclude(
        at_each("what one processor more adds to the loss", steps.where(steps.half > 0, "by chains")
                if policies == SPREAD else steps, never_rises(), within("close")),
        *([at_each("that for JSQ by chains", by_chains, at_most(0), within("close"))] if policies == SPREAD else []),
        at_each("from 6 to 10 and 20 processors, the loss", ends, smaller()),
        provided=[everywhere("the loss of JSQ on 5 to 8 processors less that by chains", rows - exactly, agrees())],
    )  # fmt: skip


@check("thesis-5-157", whole=True)
def one_shared_processor(whole=False):
    """Matrices, and shares on paths; in the control the required shares are whole processors."""

    def required(P):
        return [Fraction(P + 1, 2 * P), Fraction(P - 1, 2 * P)] if whole else [*HALVES]

    def shared(P):
        X = dispatch.partition(required(P), P)
        return int(((X > 0) & (X < 1)).any(axis=0).sum()) - P % 2

    def on_paths(P, policy, local):
        shares = tuple(map(float, required(P)))
        jobs, obtained = passed(policy, local, P, shares, events=2000)
        both = (jobs > 0).all(axis=2)
        more = (obtained - np.array(shares) > 1e-12) & both.any(axis=1)[:, None]
        return {"more": (obtained - shares).max(), "beside": more.sum(), "at once": both.sum(axis=1).max()}

    odd, even = (
        grid(number_of_processors=numbers, policy=VERTICAL, local_policy=LOCAL).measure(on_paths)
        for numbers in ((3, 5, 7), (2, 4, 6))
    )
    provided = [
        everywhere("the number of shared processors less 1 if P is odd", cases("number of processors", PROCESSORS)
                   .measure(shared), between(0, 0)),
        everywhere("what a group obtains at most less its share, if P is odd,", odd["more"], larger(1e-12)),
        everywhere("that if P is even", even["more"], at_most(1e-12)),
    ]  # fmt: skip
    if not whole:
        meet = points.mixed(ALONG).at(policy=VERTICAL)
        provided += [
            everywhere("the processors with both groups as simulated, if P is odd,",
                       meet.at(number_of_processors=PROCESSORS[1::2]), larger()),
            everywhere("those if P is even", meet.at(number_of_processors=PROCESSORS[::2]), within(0)),
        ]  # fmt: skip
    return conclude(
        at_each("under SVP, the number of states with more although the other group is there",
                replace(odd["beside"], value=odd["beside"].value + even["beside"].value).at(policy="SVP").largest(
                    "number of processors"), between(0, 0)),
        aside("processors that are shared at once under DVP", odd["at once"].at(policy="DVP")),
        provided=provided,
    )  # fmt: skip


@check("thesis-5-159", places=EVEN)
def the_effect_shrinks(places=ODD):
    """Amplitudes of the deviation along P, and those of JSQ and HP beside; the control takes even P."""
    found, provided = points.amplitude(points.of(ALONG), places), []
    if 3 in places:  # JSQ/PS at P = 3 by the chain of ordered lengths
        two, three, four = (_by_lengths(P) for P in (2, 3, 4))
        rows = points.of(ALONG).at(policy="JSQ", local_policy="PS", number_of_processors=(2, 3, 4))
        provided = [everywhere("the deviation of JSQ with PS on 2 to 4 processors less that by chains",
                               rows - [two, three, four], agrees())]  # fmt: skip
        value, half = found.value.copy(), found.half.copy()
        value[0, 0, 0], half[0, 0, 0] = (two + four) / 2 - three, 0.0
        found = replace(found, value=value, half=half)
    own, others = found.at(policy=VERTICAL), found.at(policy=SPREAD)
    few, many = places[0], places[-1]
    return conclude(
        at_each("the effect of an odd number under SVP and DVP", own.steps("number of processors"), never_rises()),
        at_each("half of it on few processors less that on many, as estimated,", points.estimates(
            own.at(number_of_processors=few).scaled(0.5) - own.at(number_of_processors=many)), larger()),
        at_each("it under JSQ and HP", others, larger()),
        at_each("it under SVP and DVP less that under JSQ and HP", points.less(found, VERTICAL, SPREAD), larger()),
        provided=[everywhere("it under SVP and DVP, as estimated,", points.estimates(own), larger()), *provided],
    )  # fmt: skip


@functools.cache
def _by_lengths(processors, load=0.8, most=70, spread=8):
    """Delta^G of JSQ/PS: the group of each job is drawn, whatever the lengths."""
    jobs, probability = lengths.law(load, processors, most, spread)
    law = np.bincount(jobs.sum(axis=1), probability)
    n, m = np.arange(len(law))[:, None], np.arange(len(law))
    feasible = (binom.pmf(m, n, 0.5) * np.minimum(0.5, m / processors)).sum(axis=1)
    return float((law @ feasible - load / 2) / 0.5)
