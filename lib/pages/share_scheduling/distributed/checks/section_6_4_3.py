"""Claims of `thesis`, Section 6.4.3: whom they ask, and whether it matters."""

import itertools
import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from fractions import Fraction as F

import numpy as np

from clustershare import dispatch
from clustershare.dispatch import distributed_kernel_draws as draws
from compendium.press import clauses
from compendium.press.clauses import aside, at_each, conclude, everywhere, exact, fact, mostly, somewhere
from compendium.press.clauses.conditions import agrees, at_least, between, equal, larger, within
from compendium.press.findings import check
from pages.share_scheduling.central.points.by_case import TEN
from pages.share_scheduling.central.systems import LOCAL
from pages.share_scheduling.conclusions.points.compared import EQUAL
from pages.share_scheduling.distributed.points.chapter_5 import MIGRATION, of_case
from pages.share_scheduling.distributed.points.limits import five
from pages.share_scheduling.distributed.points.preferences import PAIRS, of_jsq, of_others
from pages.share_scheduling.distributed.points.stored import DEVIATION, LOSS, WORDS, as_it_stands, beside, measured
from pages.share_scheduling.distributed.printed.probing import inclusion, probe_set_law
from pages.share_scheduling.distributed.printed.rules import whole_parts
from pages.share_scheduling.distributed.systems import ALL_CASES, POLICIES
from pages.share_scheduling.distributed.witnesses import recorded
from pages.share_scheduling.distributed.witnesses.small_states import SHARES, every_decision, twelfths

NONE = between(0, 0)
HALVES, QUARTERS = SHARES[0], SHARES[2]
DRAWN, DRAWS = 20, 20_000
ENUMERATED = 1000  # laws of sets on more than five processors, some shared: all of them take half a minute
NEAR = replace(within("close"), doubt=True, text='is at most 0.05 ("close") and its interval from 0')
SIMILAR = replace(within("comparable"), doubt=True)


@check("thesis-6-123", instead="HPRS")
def much_better(instead="SVP"):
    """SVP against JSQ where JSQ leaves something to be desired; the control has random splitting for SVP."""
    said, single, told = [], [], []
    for migration, word in MIGRATION.items():
        spare, lower = {case: [] for case in TEN}, 0
        for case, local in itertools.product(TEN, LOCAL):
            found = of_case(case, migration, local, ("JSQ", instead))
            theirs, mine = found.at(policy="JSQ"), found.at(policy=instead)
            poor = (theirs.low() > EQUAL) & ~np.isnan(mine.value)
            half = theirs.scaled(0.5).less(mine, np.add)
            spare[case] += zip(half.value[poor], half.half[poor])
            lower += int((theirs.less(mine, np.add).low() > 0)[poor].sum())
        value, width = np.array(sum(spare.values(), [])).T
        every = clauses.measured(value, width, risk=None, as_it_stands=True, point=None)
        every = every.where(np.abs(value) >= width, "it cannot be told")
        said.append(mostly(f"{word}, half of JSQ's deviation less SVP's", every, at_least(0)))
        for case, rows in spare.items():
            holds, fails = (sum(sign * value >= width for value, width in rows) for sign in (1, -1))
            if rows:
                single.append(holds > fails)
            told.append(aside(f"{word}, of {len(rows)} points of {case} it is so at", exact(holds)))
        told.append(aside(f"{word}, at how many points it is lower", exact(lower)))
    in_some = somewhere("it is so at most points of a case", exact(single, case=None))
    return conclude(*said, in_some, *told)


@check("thesis-6-121", policies=("SVP", "HP", "DVP"))
def only_where_known(policies=("JSQ", "HP", "DVP")):
    """Places of the library in every state, and on paths; the control has SVP in place of JSQ."""
    every, outside, by_rule, number = tuple(dict.fromkeys((*policies, "SVP"))), Counter(), Counter(), 0
    for policy in every:
        for system, jobs, g, one in every_decision(policy):
            number += 1
            found = [rule for rule, p in one.placement(system[2], jobs, g) if p is None or p not in system[2]]
            outside[policy] += len(found)
            by_rule.update(found)
        for event in itertools.chain(*(path.events for path in recorded.paths(policy))):
            if event.what == "places" and event.other not in (event.processor, *event.known):
                outside[policy] += 1
                by_rule[event.rule] += 1
    counted = exact([outside[policy] for policy in every], policy=every)
    return conclude(
        everywhere("the number of places that are not known", counted.at(policy=policies), NONE),
        everywhere("that under SVP", counted.at(policy="SVP"), larger()),
        fact("all of them are by rule I5", set(by_rule) == {"I5"}, "they are by other rules than I5"),
        recorded.taken([path for policy in every for path in recorded.paths(policy)]),
        everywhere("in the runs, the placements where nothing is known, per unit of time,",
                   five("placed_unknown").at(policy=policies), NONE),
        everywhere("those of SVP with none to two asked", five("placed_unknown").at(policy="SVP", limit=(0, 1, 2)),
                   larger()),
        aside("decisions in small states", exact(number)),
        whole=True,
    )  # fmt: skip


def _in_proportion(own, limit, parts):
    """Inclusion with probabilities that are in proportion to X_gp; None if one of them would be above 1."""
    offered = [part if p != own else F(0) for p, part in enumerate(parts)]
    members = sum(part > 0 for part in offered)
    if limit >= members:  # all of them, and as many of the others, alike
        rest = F(limit - members, len(parts) - 1 - members) if members < len(parts) - 1 else F(0)
        return [F(p != own) if part else rest * (p != own) for p, part in enumerate(offered)]
    if limit * max(offered) > sum(offered):
        return None
    return [limit * part / sum(offered) for part in offered]


def _one_by_one(whole, part, limit):
    """Inclusion of the one processor with a part, among so many with 1, if drawn one after the other."""
    left_out = 1.0
    for k in range(limit):
        left_out *= (whole - k) / (whole - k + part)
    return 1 - left_out


def _beyond(shares):
    """The largest difference of the two laws for P = 2 to 20, over both groups and all limits."""
    worst = 0.0
    for P, first in itertools.product(range(2, 21), shares):
        for size in (first * P, (1 - first) * P):
            part = float(size - int(size))
            for whole in {int(size), int(size) - 1} if part else ():
                for limit in range(1, whole + 1):  # so that one is left out; then the second law exists
                    worst = max(worst, abs(_one_by_one(whole, part, limit) - limit * part / (whole + part)))
    return worst


def _largest(shares, processors=10):
    """The largest difference of the library's law and the other, and the limits at which that does not exist."""
    worst, missing = F(0), set()
    asked = {"required_shares": shares, "processors": processors}
    for g, own, limit in itertools.product(range(len(shares)), range(processors), range(processors)):
        other = _in_proportion(own, limit, whole_parts(shares, processors)[g])
        if other is None:
            missing.add(limit)
            continue
        found = dispatch.probe_law("VP", **asked, group=g, own=own, probe_limit=limit)
        worst = max(worst, *(abs(a - b) for a, b in zip(found, other)))
    return float(worst), len(missing)


@check("thesis-6-053", shares=QUARTERS)
def two_laws_of_the_set(shares=HALVES):
    """Inclusion probabilities of both readings; in the control some processors are shared by the groups."""
    apart, missing = _largest(QUARTERS)
    return conclude(
        everywhere("where all X_gp are 1, both laws of the set", exact(_largest(shares)[0]), equal(1e-12)),
        everywhere("the largest difference with 3/4 and 1/4 on ten processors", exact(apart), larger(0.01)),
        aside("at how many limits the second law does not exist then", exact(missing)),
        aside("the largest difference on 2 to 20 processors", exact(_beyond([F(k, 20) for k in range(1, 20)]))),
        whole=True,
    )


def said_of_set(own, limit, processors, parts, own_counts=False):
    """Inclusion by the section's words where the group's subset has whole processors only: list of Fraction."""
    members = [p for p in range(processors) if parts[p] and p != own]
    others = [p for p in range(processors) if not parts[p] and p != own]
    offered = len(members) + (own_counts and bool(parts[own]))
    inside = Fraction(min(limit, offered), len(members)) if members else Fraction(0)
    beyond = Fraction(max(limit - offered, 0), len(others)) if others else Fraction(0)
    return [inside if p in members else beyond if p in others else Fraction(0) for p in range(processors)]


@check("thesis-6-119", own_counts=True)
def who_is_asked(own_counts=False):
    """The law of the set by words, by enumeration and by the library; in the control the own processor is offered."""
    wrong, number, slow = 0, 0, []
    for shares, P in itertools.product(twelfths(30), range(2, 13)):
        X = whole_parts(shares, P)
        for g, own, limit in itertools.product(range(len(shares)), range(P), range(P)):
            asked = {"required_shares": shares, "processors": P, "group": g, "own": own, "probe_limit": limit}
            found, number = dispatch.probe_law("VP", **asked), number + 1
            if all(part in (0, 1) for part in X[g]):
                wrong += found != said_of_set(own, limit, P, X[g], own_counts)
            elif P <= 5:
                wrong += found != inclusion(probe_set_law(own, limit, P, X[g]), P)
            else:
                slow.append((found, own, limit, P, X[g]))
            if g == 0:
                alike = dispatch.probe_law("HP", **asked)
                wrong += alike != [Fraction(limit, P - 1) if p != own else 0 for p in range(P)]
    for found, *asked in random.Random(6).sample(slow, ENUMERATED):
        wrong += found != inclusion(probe_set_law(*asked), asked[2])
    return conclude(
        everywhere(f"of {number} laws of the probe set, those that differ from the words or the enumeration",
                   exact(wrong), between(0, 0)),
        everywhere(f"how often a processor is in {DRAWS} sets of the kernel, less the law,", _of_kernel(), agrees()),
        everywhere("how often others are asked upon departures and periodically with VP preference, less HP's law,",
                   _upon_departures(), agrees("is within three standard deviations")),
        recorded.taken(_vertically()),
        whole=True,
    )  # fmt: skip


def _of_kernel():
    """How often processors are in sets that are drawn, in parts, less the law."""
    rng, chosen, gaps, halves = np.random.default_rng(119), random.Random(119), [], []
    for shares in chosen.sample(twelfths(30), DRAWN):
        P = chosen.randint(3, 12)
        g, own, limit = chosen.randrange(len(shares)), chosen.randrange(P), chosen.randint(1, P - 1)
        subsets, found = draws.subsets(dispatch.partition(list(shares), P)), np.zeros(limit, np.int64)
        count = np.zeros(P)
        for _ in range(DRAWS):
            draws.draw_set(rng, subsets, g, own, found)
            count[found] += 1
        asked = {"required_shares": shares, "processors": P, "group": g, "own": own, "probe_limit": limit}
        known = np.array(dispatch.probe_law("VP", **asked), float)
        gaps += (count / DRAWS - known).tolist()
        halves += (1.96 * np.sqrt(known * (1 - known) / DRAWS)).tolist()
    return clauses.measured(gaps, halves, runs=DRAWS, place=None)


def _vertically():
    """Paths with VP probing preference."""
    return [path for policy in POLICIES for path in recorded.paths(policy, probing="VP")]


def _upon_departures():
    """How often others are asked, by their place relative to the asker, less what HP's law expects."""
    count, sets = np.zeros(10), 0.0
    for path in _vertically():
        for event in path.events:
            if event.what == "probes" and event.probing.why != "arrival" and path.setting.limit < 9:
                sets += path.setting.limit / 9
                for other in event.probing.others:
                    count[(other - event.processor) % 10] += 1
    return clauses.measured(count[1:] - sets, np.full(9, 3 * np.sqrt(sets)), risk=None, place=range(1, 10))


def _effects(quantity, case, pairs):
    """What the probing preference changes, by the arrival preference, and the other way round; by limit."""
    found = of_jsq(quantity, case).at(limit=tuple(range(1, 9)))
    horizontal, mixed, other, vertical = (found.at(pair=pair) for pair in pairs)
    return (
        beside("other preference", {"HP": mixed - horizontal, "VP": vertical - other}),
        beside("other preference", {"HP": other - horizontal, "VP": vertical - mixed}),
    )


@check("thesis-6-120", pairs=("HP/HP",) * 4)
def probe_set_matters(pairs=PAIRS):
    """Effects of the probing and of the arrival preference; the control has HP for both, whatever is preferred."""
    low, high, clauses_ = (1, 2, 3, 4), (5, 6, 7, 8), []
    for quantity, word in WORDS.items():
        probing, arrival = (
            beside("case", {case: _effects(quantity, case, pairs)[k].distance().largest("other preference")
                            for case in ALL_CASES}) for k in (0, 1)
        )  # fmt: skip
        clauses_ += [
            at_each(f"the effect of the probing preference on {word}", probing.at(limit=low), larger("clear")),
            at_each("half of it, less the effect of the arrival preference,",
                    probing.at(limit=low).scaled(0.5) - arrival.at(limit=low), larger()),
            at_each("its largest effect at low limits, less that at the others,",
                    probing.at(limit=low).largest("limit") - probing.at(limit=high).largest("limit"), larger()),
            *(aside(f"the effect of the {name} preference on {word} in case {case}", found.at(case=case, limit=low))
              for case in ALL_CASES for name, found in (("probing", probing), ("arrival", arrival))),
        ]  # fmt: skip
    return conclude(*clauses_)


@check("thesis-6-122", pairs=("HP/HP",))
def like_static_vertical(pairs=("HP/VP", "VP/VP")):
    """Placements at home, and differences from SVP; the control has HP for both, with one asked."""
    asked, three = (1,) if pairs == ("HP/HP",) else (1, 2), ("JSQ", "HP", "DVP")

    def found(quantity, index=None):
        return beside("case", {case: beside("pair", {pair: of_all(quantity, case, pair, index) for pair in pairs})
                               for case in (1, 2)})  # fmt: skip

    def of_all(quantity, case, pair, index):
        jsq, others = (
            of_jsq(quantity, case, index).at(pair=pair, limit=asked),
            _others(pair, quantity, case, index, asked),
        )
        return beside("policy", {"JSQ": jsq, **{policy: others.at(policy=policy) for policy in POLICIES[1:]}})

    home, apart = found("placed_in_subset", 0), {}
    for quantity, word in ((DEVIATION, "the deviation"), (LOSS, "the loss")):
        every = found(quantity)
        apart[word] = as_it_stands(every.at(policy=three) - every.at(policy="SVP"))
    return conclude(
        at_each("the part of the jobs that are placed at home", home.at(policy=three), larger(0.5)),
        *(at_each(f"{word}, less that of SVP,", gap, NEAR) for word, gap in apart.items()),
        *(aside(f"at how many points the difference of {word} is at most 0.2, by its interval",
                exact(SIMILAR.inside(gap, 1.0, gap.widened(gap.asked)).sum())) for word, gap in apart.items()),
        aside("the part of SVP's jobs that are placed at home", home.at(policy="SVP")),
        *(aside(f"the distance of {word} with {pair} in case {case}", gap.at(case=case, pair=pair).distance())
          for word, gap in apart.items() for case in (1, 2) for pair in pairs),
        together=("policy", "case", "pair", "limit"),
    )  # fmt: skip


def _others(pair, quantity, case, index, asked):
    """HP, SVP and DVP with a pair of preferences, by policy and limit."""
    if pair != "HP/VP":
        return of_others(pair, quantity, case, index).at(limit=asked)
    return measured(
        "preferences", quantity, "probe_limit", policies=("HP", "SVP", "DVP"), index=index, case=case,
        arrival_preference="HP", probing_preference="VP", probe_limit=asked,
    )  # fmt: skip
