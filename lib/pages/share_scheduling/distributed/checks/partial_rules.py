"""Claims of `thesis`, Sections 6.4.3 and 6.5: what the rules of the policies do with what a processor knows."""

import functools
import itertools
from collections import Counter
from fractions import Fraction

import numpy as np

from clustershare import dispatch, splitting
from clustershare.dispatch import distributed_kernel_draws as draws
from compendium.press import clauses
from compendium.press.clauses import aside, cases, conclude, everywhere, exact, fact, somewhere
from compendium.press.clauses.conditions import agrees, at_least, at_most, between, larger, within
from compendium.press.findings import check
from pages.share_scheduling.central import printed_rules as chapter_5
from pages.share_scheduling.central.printed_policies import PLACEMENTS as PRINTED
from pages.share_scheduling.central.printed_policies import guests_on
from pages.share_scheduling.central.printed_rules import changed_by
from pages.share_scheduling.distributed.points import limits as points
from pages.share_scheduling.distributed.points import readings
from pages.share_scheduling.distributed.points.stored import DEVIATION, LOSS, PLACEMENTS, UTILISATION, WORDS, measured
from pages.share_scheduling.distributed.printed.rules import law, sent_away, whole_parts
from pages.share_scheduling.distributed.systems import CASES, POLICIES
from pages.share_scheduling.distributed.witnesses import recorded
from pages.share_scheduling.distributed.witnesses.alone import routed
from pages.share_scheduling.distributed.witnesses.event_loop import PrintedNetwork
from pages.share_scheduling.distributed.witnesses.parts import Setting
from pages.share_scheduling.distributed.witnesses.small_states import (
    decisions,
    every_decision,
    moves,
    none_of,
    placements,
    rules,
    twelfths,
)

GUESTS, EVENTS = 100_000, 5_000
NONE = between(0, 0)


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
        aside("decisions in small states", exact(number)),
        whole=True,
    )


@check("thesis-6-124", limit=3)
def complete_information(limit=9):
    """All known: decisions beside Chapter 5's, and its points; in the control three of nine are asked."""
    wrong, number = 0, 0
    for policy in POLICIES:
        for system, jobs, g, one in every_decision(policy, all_known=True):
            P, shares, known = system
            whole, there = (
                chapter_5.Rules(policy, shares, P, True, "GPPS"),
                tuple(jobs[known.index(p)] for p in range(P)),
            )
            rule, choices = chapter_5.placement(whole, there, g)
            best, found = {p for _, p in choices}, {p for _, p in one.placement(known, jobs, g)}
            number += 1
            if policy == "DVP" and rule == "I2":
                wrong += not found <= best
            else:
                wrong += found != ({known[0]} if known[0] in best else best)
            if not any(sum(count for count, _ in guests_on(whole, there, p)) > 1 for p in range(P)):
                _, pairs = chapter_5.migration(whole, there, g, known[0])
                asked = {move and (move.group, move.source) for move in one.migration(known, jobs, g)}
                wrong += asked != ({(None if policy == "JSQ" else h, p) for _, (h, p) in pairs} or {None})
    at = {"probe_service_time": 1e-9, "migration_service_time": 1e-9}
    gaps = []
    for quantity, index in ((DEVIATION, None), (LOSS, 0), ("mean_jobs", 0), ("mean_jobs", 1)):
        found = measured(
            "central", quantity, "case", "probe_limit", index=index, case=(1, 2, 3), probe_limit=(3, 9), **at
        )
        word = {DEVIATION: "the deviation", LOSS: "the loss"}.get(
            quantity, f"the number of jobs of group {(index or 0) + 1}"
        )
        gaps.append((word, found.at(limit=limit) - points.central(quantity, index).at(case=(1, 2, 3))))
    gaps.append(("the deviation on two processors", _two_processors(1 if limit == 9 else 0, at)))
    usual = points.five(DEVIATION).at(case=(1, 2, 3), limit=9) - points.central(DEVIATION).at(case=(1, 2, 3))
    return conclude(
        none_of(number, "decisions, those that are not Chapter 5's", wrong),
        *(everywhere(f"{word}, less Chapter 5's,", gap, within(1e-6) if word == "the loss" else agrees())
          for word, gap in gaps),
        aside("what migrations of the usual length add to the deviation", usual),
        whole=True,
    )  # fmt: skip


def _two_processors(limit, at):
    """Delta^G on two processors at four loads, simulated, less that by the chain of Chapter 5's rules."""
    loads, cuts = (0.1, 0.3, 0.5, 0.7), (8, 12, 20, 30)
    found = measured(
        "central", DEVIATION, "load", "probe_limit", policies=("JSQ", "HP"), processors=2, probe_limit=(0, 1), case=1,
        load=loads, **at,
    )  # fmt: skip
    return found.at(limit=limit) - np.array([
        [points.by_chain(policy, 1, load, 2, cut).max() for load, cut in zip(loads, cuts)] for policy in ("JSQ", "HP")
    ])  # fmt: skip


@check("thesis-6-125", policy="SVP")
def isolation_is_splitting(policy="Isolation"):
    """Routing and stored rows against random splitting; the control is SVP that asks nobody, with HP arrivals."""

    def routing(P, first):
        shares = (Fraction(first, P), Fraction(P - first, P))
        own = [[Fraction(1, first)] * first + [0] * (P - first), [0] * first + [Fraction(1, P - first)] * (P - first)]
        vertical, horizontal = (dispatch.arrival_law(name, shares, P).tolist() for name in ("VP", "HP"))
        return vertical == own and horizontal == [[Fraction(1, P)] * P] * 2

    loads, sizes, shares, clauses_ = (0.3, 0.6, 0.8), (2, 4, 10), CASES[1][0], []

    def alone(arrival, P, load):
        own = (load / 2, load / 2)
        return (
            splitting.horizontal(shares, own, [1 / P] * P, "GPPS")
            if arrival == "HP"
            else splitting.vertical(shares, own, P)
        )

    for arrival in ("HP", "VP") if policy == "Isolation" else ("HP",):
        row = functools.partial(
            measured, "isolation", policies=(policy,), processors=sizes, load=loads, case=1,
            probe_limit=int(policy == "Isolation"), arrival_preference=arrival,
        )  # fmt: skip
        for word, quantity in (("the deviation", DEVIATION), ("the loss", LOSS)):
            known = [[np.max(getattr(alone(arrival, P, load), quantity)) for load in loads] for P in sizes]
            gap = row(quantity, "processors", "load").at(policy=policy) - np.array(known)
            clauses_.append(
                everywhere(f"with {arrival} arrivals, {word}, less that of random splitting,", gap, agrees())
            )
        busy = row(UTILISATION, "processors", "load").at(policy=policy)
        clauses_.append(everywhere("the utilisation of the network", busy, at_most(0)))
    simulated = measured(
        "isolation", LOSS, "case", policies=("Isolation",), probe_limit=0, arrival_preference="VP", case=(3, 4, 5)
    ).at(policy="Isolation")
    every = [(P, first) for P in range(1, 31) for first in range(1, P)]
    return conclude(
        everywhere("jobs are routed as stated", cases("system", every).measure(routing)),
        *clauses_,
        aside("with VP arrivals in cases 3 to 5, the loss, less that of GPPS queues with two owners,",
              simulated - [routed(case)[0] for case in (3, 4, 5)]),
        whole=True,
    )  # fmt: skip


@check("thesis-6-126", changed=("ties alike",))
def own_one_preferred(changed=()):
    """Places by the printed words and by the library in every state; in the control ties are broken alike."""
    wrong, number = 0, 0
    for policy in ("JSQ", "HP"):
        for system, jobs, g, one in every_decision(policy):
            number += 1
            wrong += placements(rules(policy, system, *changed), jobs, g) != one.placement(system[2], jobs, g)
    crossing = points.five("traffic", PLACEMENTS).at(case=1, limit=3)
    alike = readings.at_limits("ties alike", "traffic", POLICIES, PLACEMENTS).at(limit=3)
    said = {"with ties broken alike": ("ties alike", POLICIES), "with HP's other reading": ("own first", ("HP",))}
    return conclude(
        none_of(number, "laws of the place, those that differ", wrong),
        aside("with three asked, the part of the jobs that are placed elsewhere", crossing.scaled(1 / 8)),
        aside("what that part grows by with ties broken alike", alike.scaled(1 / 8)),
        *(aside(f"{where}, what {word} changes by", readings.at_limits(reading, quantity, policies).distance())
          for where, (reading, policies) in said.items() for quantity, word in WORDS.items()),
    )  # fmt: skip


def _guests(setting, events, seed=127):
    """On a path: the most guests on a processor, and between how many events one was idle while another had two."""
    network = PrintedNetwork(setting, np.random.default_rng([seed, setting.limit]))
    parts = whole_parts(setting.shares, setting.processors)
    most, idle, number = 0, 0, 0
    while len(network.events) < events:
        network.step()
        rows = [network.there(p) for p in range(setting.processors)]
        most = max(most, *(sum(n for n, part in zip(row, parts) if not part[p]) for p, row in enumerate(rows)))
        totals = [sum(row) for row in rows]
        idle, number = idle + (min(totals) == 0 and max(totals) > 1), number + 1
    return most, idle / number


def _of_guests():
    """The systems of thesis-6-127: shares and loads of two groups, equal and not, and of three."""
    halves, quarters = (Fraction(1, 2),) * 2, (Fraction(3, 4), Fraction(1, 4))
    three = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    return ((halves, (0.4, 0.4)), (quarters, (0.4, 0.4)), (three, (0.3, 0.3, 0.2)))


@check("thesis-6-127", complete=True)
def new_states(complete=False):
    """Guests on paths of SVP; in the control all are asked over a network that takes no time."""
    fast, found = {"probe_time": 1e-12, "migration_time": 1e-12}, {}
    for P, limit, (k, (shares, loads)) in itertools.product((4, 10), (1, 2, 3), enumerate(_of_guests())):
        setting = Setting("SVP", shares, loads, P, P - 1 if complete else limit, **(fast if complete else {}))
        found[P, limit, k] = _guests(setting, GUESTS // 18)
    most, idle = (np.array([each[k] for each in found.values()]).reshape(2, 3, 3) for k in (0, 1))
    axes = {"number of processors": (4, 10), "limit": (1, 2, 3)}
    whole = [_guests(Setting("SVP", shares, loads, P, P - 1, **fast), EVENTS)[0]
             for P in (4, 10) for shares, loads in _of_guests()]  # fmt: skip
    return conclude(
        somewhere("the most guests on a processor", exact(most.max(axis=2), **axes), at_least(2)),
        everywhere("that with all asked and no delays", exact(whole, system=None), at_most(1)),
        aside("the part of the events with one idle while another has two jobs", exact(idle, **axes, system=None)),
        *(aside(f"the most guests on one of {P} processors", exact(row.max(axis=1), limit=(1, 2, 3)))
          for P, row in zip((4, 10), most)),
        whole=True,
    )  # fmt: skip


@check("thesis-6-128", nobody=True)
def guests_sent_away(nobody=False):
    """Places and guests by words and by the library, and other readings; the control asks nobody in their place."""
    wrong, number = 0, 0
    for system, jobs, g, one in every_decision("SVP"):
        found, number = rules("SVP", system), number + 1
        place = placements(found, jobs, g)
        wrong += place != one.placement(system[2], jobs, g)
        for p in {p for rule, p in place if rule == "I2"}:
            after = changed_by(jobs, system[2].index(p), g, 1)
            guests = _known_places(law(lambda choose: sent_away(found, after, p, choose)))  # noqa: B023
            wrong += guests != _known_places(one.sent_away(system[2], after, g, p))
    said = {
        reading: lambda quantity, reading=reading: readings.at_limits(reading, quantity, ("SVP",))
        for reading in ("own subset only", "without a message")
    }
    measures = WORDS if nobody else {**WORDS, UTILISATION: "the utilisation"}
    return conclude(*readings.no_matter(said, nobody, ("SVP",), measures),
                    provided=[none_of(number, "laws of place and guest, those that differ", wrong)])  # fmt: skip


def _known_places(laws):
    """The law of the guest and of its place, which is None where rule I5 draws by itself."""
    found = Counter()
    for asked, chance in laws.items():
        found[asked.group, asked.source, None if asked.rule == "I5" else asked.target] += chance
    return dict(found)


@check("thesis-6-130", alike=True)
def in_proportion_to_parts(alike=False):
    """The law of I5, in fractions and drawn; in the control each processor of the subset is alike in case 3."""

    def in_proportion(shares, P):
        laws = dispatch.arrival_law("VP", shares, P).tolist()
        return all(
            row == [x / sum(xs) for x in xs] and row == [x / (share * P) for x in xs] and sum(row) == 1
            for row, xs, share in zip(laws, whole_parts(shares, P), shares)
        )

    shares = tuple(map(Fraction, CASES[3][0]))
    subsets, rng = draws.subsets(dispatch.partition(list(shares), 10)), np.random.default_rng(130)
    gaps, halves = [], []
    for g in (0, 1):
        xs = np.array(whole_parts(shares, 10)[g], float)
        known = (xs > 0) / np.count_nonzero(xs) if alike else xs / xs.sum()
        drawn = np.bincount([draws.in_subset(rng, subsets, g) for _ in range(10_000)], minlength=10) / 10_000
        gaps.append(drawn - known)
        halves.append(1.96 * np.sqrt(known * (1 - known) / 10_000))
    every = [(each, 1 + k % 30) for k, each in enumerate(twelfths(100, 130))]
    return conclude(
        everywhere("the law is in proportion to X_gp", cases("system", every).measure(in_proportion)),
        everywhere("in case 3, how often each processor is drawn, less the law,",
                   clauses.measured(gaps, halves, runs=10_000, group=(1, 2), processor=range(1, 11)), agrees()),
        whole=True,
    )  # fmt: skip


@check("thesis-6-131", changed=("M1 beside others",))
def the_rest_needs_no_change(changed=()):
    """SVP's migrations by words and by the library, and what then holds; in the control M1 is as in Chapter 5."""
    wrong, number, reached, faults = 0, 0, Counter(), Counter()
    for system, jobs, g, one in every_decision("SVP"):
        if any(jobs[0]):
            continue
        found, printed = rules("SVP", system, *changed), rules("SVP", system, *changed, "pairs as printed")
        asked, number = moves(found, jobs, g), number + 1
        wrong += asked != one.migration(system[2], jobs, g)
        for rule in {move.rule for move in asked if move} - {"M1"}:
            reached[rule] += 1
            alone = all(sum(row) == 1 for k, row in enumerate(jobs) if guests_on(found, jobs, k))
            faults["a guest is not alone"] += rule in ("M2", "M3") and not alone
            faults["M2 or M3 are not as printed"] += rule in ("M2", "M3") and moves(printed, jobs, g) != asked
            faults["M4 finds two jobs somewhere"] += rule == "M4" and max(map(sum, jobs)) > 1
    return conclude(
        none_of(number, "laws of migration, those that differ", wrong),
        everywhere("the states that reach a rule", exact([reached[rule] for rule in REST], rule=REST), larger()),
        everywhere("in these, how often it fails", exact(list(faults.values()), way=tuple(faults)), NONE),
        whole=True,
    )


REST = ("M2", "M3", "M4")


@check("thesis-6-132", all_known=True)
def no_candidate(all_known=None):
    """States in which DVP's rule I2 drops the only candidate; in the control all processors are known."""
    found, number = {(): [], ("bare sums",): []}, 0
    for system, jobs in decisions("DVP", all_known):
        number += len(system[1])
        for change, g in itertools.product(found, range(len(system[1]))):
            rule, _ = PRINTED["DVP"](rules("DVP", system, *change), jobs, g, True)
            if rule.startswith("I2") and sum(row[g] > 0 for row in jobs) == 1:
                found[change].append((sum(map(sum, jobs)), len(system[2]), jobs, system[0], system[1], g))
    names = dict(zip(found, ("scaled", "bare")))
    smallest = [
        aside(f"the smallest example: {P} processors, {known} known with {' and '.join(map(str, jobs))} jobs, and a "
              f"job of group {g + 1} that requires {shares[g]}; jobs in all", exact(total))
        for total, known, jobs, P, shares, g in sorted(found[()], key=lambda one: one[:2])[:1]
    ]  # fmt: skip
    return conclude(
        *(none_of(number, f"decisions with {names[change]} estimates, those without a candidate", len(each))
          for change, each in found.items()),
        *smallest,
        aside("what the two ways out change the deviation by",
              readings.at_limits("I2 fewest", DEVIATION, ("DVP",)).distance()),
    )  # fmt: skip
