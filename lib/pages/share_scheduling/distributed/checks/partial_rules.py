"""Claims of `thesis`, Sections 6.4.3 and 6.5: what the rules of the policies do with what a processor knows."""

import itertools
from collections import Counter
from fractions import Fraction

import numpy as np

from clustershare import dispatch, splitting
from clustershare.dispatch import distributed_kernel_draws as draws
from compendium.press.findings import Finding, check, finding
from compendium.press.words import SCALE
from pages.share_scheduling.central.printed import rules as chapter_5
from pages.share_scheduling.central.printed.policies import PLACEMENTS as PRINTED
from pages.share_scheduling.central.printed.policies import guests_on
from pages.share_scheduling.central.printed.rules import changed_by
from pages.share_scheduling.distributed import limits as points
from pages.share_scheduling.distributed import readings, recorded
from pages.share_scheduling.distributed.alone import routed
from pages.share_scheduling.distributed.measured import (
    DEVIATION,
    LOSS,
    PLACEMENTS,
    UTILISATION,
    measured,
)
from pages.share_scheduling.distributed.printed_network import PrintedNetwork
from pages.share_scheduling.distributed.printed_parts import Setting
from pages.share_scheduling.distributed.printed_rules import law, sent_away, whole_parts
from pages.share_scheduling.distributed.simulated import joint
from pages.share_scheduling.distributed.small_states import decisions, library, moves, placements, rules, twelfths
from pages.share_scheduling.distributed.systems import CASES, POLICIES, of_case

NEGLIGIBLE = SCALE["practically equal"].most
GUESTS, EVENTS = 100_000, 5_000


@check("thesis-6-121", policies=("SVP", "HP", "DVP"))
def only_where_known(policies=("JSQ", "HP", "DVP")):
    """Places of the library in every state, and on paths; the control has SVP in place of JSQ."""
    outside, by_rule, number = Counter(), Counter(), 0
    for policy in (*policies, "SVP"):
        compiled = {}
        for system, jobs in decisions(policy):
            one = compiled.setdefault(system, library(policy, system))
            for g in range(len(system[1])):
                number += 1
                for rule, p in one.placement(system[2], jobs, g):
                    outside[policy] += p is None or p not in system[2]
                    by_rule[rule] += p is None or p not in system[2]
        for path in recorded.paths(policy):
            for event in path.events:
                if event.what == "places" and event.other not in (event.processor, *event.known):
                    outside[policy] += 1
                    by_rule[event.rule] += 1
    rules_outside = sorted(rule for rule, count in by_rule.items() if count)
    said = ", ".join(f"{outside[policy]} times under {policy}" for policy in dict.fromkeys((*policies, "SVP")))
    return finding(
        f"{number} decisions in small states, and 4 paths of 10^4 events: a place that is not known {said}, by rule "
        f"{', '.join(map(str, rules_outside)) or 'none'}",
        not any(outside[policy] for policy in policies) and rules_outside == ["I5"],
    )


@check("thesis-6-124", limit=3)
def complete_information(limit=9):
    """All known: decisions beside Chapter 5's, and its points; in the control three of nine are asked."""
    wrong, number = 0, 0
    for policy in POLICIES:
        compiled = {}
        for system, jobs in decisions(policy, all_known=True):
            P, shares, known = system
            one = compiled.setdefault(system, library(policy, system))
            whole = chapter_5.Rules(policy, shares, P, True, "GPPS")
            there = tuple(jobs[known.index(p)] for p in range(P))
            for g in range(len(shares)):
                rule, choices = chapter_5.placement(whole, there, g)
                best = {p for _, p in choices}
                found = {p for _, p in one.placement(known, jobs, g)}
                number += 1
                if policy == "DVP" and rule == "I2":
                    wrong += not found <= best
                else:
                    wrong += found != ({known[0]} if known[0] in best else best)
                if any(sum(count for count, _ in guests_on(whole, there, p)) > 1 for p in range(P)):
                    continue
                rule, pairs = chapter_5.migration(whole, there, g, known[0])
                asked = {move and (move.group, move.source) for move in one.migration(known, jobs, g)}
                pairs = {(None if policy == "JSQ" else h, p) for _, (h, p) in pairs} or {None}
                wrong += asked != pairs
    at = {"probe_service_time": 1e-9, "migration_service_time": 1e-9}
    away, compared = 0.0, 0
    for quantity, index in ((DEVIATION, None), (LOSS, 0), ("mean_jobs", 0), ("mean_jobs", 1)):
        found = measured(
            "central", quantity, "case", "probe_limit", index=index, case=(1, 2, 3), probe_limit=(3, 9), **at
        )
        gap = found.part((slice(None), slice(None), (3, 9).index(limit))) - points.central(quantity, index).part(
            (slice(None), slice(0, 3))
        )
        away = max(away, (np.abs(gap.value) / np.maximum(gap.half, 1e-4)).max())
        compared += gap.value.size
    small, exact = _two_processors(1 if limit == 9 else 0, at)
    away = max(away, (np.abs(small.value - exact) / np.maximum(small.half, 1e-4)).max())
    compared += small.value.size
    usual = points.five(DEVIATION).part((slice(None), slice(0, 3), 9)) - points.central(DEVIATION).part(
        (slice(None), slice(0, 3))
    )
    return finding(
        f"{wrong} of {number} decisions are not among those of Chapter 5; performance at most {away:.1f} half "
        "widths from "
        f"it, of {joint(compared):.1f} for all together; with migrations of the usual length the deviation is "
        "higher by "
        f"{usual.value.min():.4f} to {usual.value.max():.4f}",
        not wrong and away <= joint(compared),
    )


def _two_processors(limit, at):
    """Two processors at four loads, simulated, and by the chain of Chapter 5's rules."""
    loads = (0.1, 0.3, 0.5, 0.7)
    found = measured(
        "central", DEVIATION, "load", "probe_limit", policies=("JSQ", "HP"), processors=2, probe_limit=(0, 1), case=1,
        load=loads, **at,
    )  # fmt: skip
    exact = [
        [
            dispatch.exact_central(
                policy, local="GPPS", migration=True, processors=2, most_jobs=cut,
                **{name: of_case(policy, 1, load)[name] for name in ("required_shares", "loads")},
            ).group_share_deviation.max()
            for load, cut in zip(loads, (8, 12, 20, 30))
        ]
        for policy in ("JSQ", "HP")
    ]  # fmt: skip
    return found.part((slice(None), slice(None), limit)), np.array(exact)


@check("thesis-6-125", policy="SVP")
def isolation_is_splitting(policy="Isolation"):
    """Routing and stored rows against random splitting; the control is SVP that asks nobody, with HP arrivals."""
    wrong = 0
    for P in range(1, 31):
        for first in range(1, P):
            shares = (Fraction(first, P), Fraction(P - first, P))
            vertical = dispatch.arrival_law("VP", shares, P).tolist()
            own = [
                [Fraction(1, first)] * first + [0] * (P - first),
                [0] * first + [Fraction(1, P - first)] * (P - first),
            ]
            wrong += vertical != own or dispatch.arrival_law("HP", shares, P).tolist() != [[Fraction(1, P)] * P] * 2
    loads, sizes, shares = (0.3, 0.6, 0.8), (2, 4, 10), CASES[1][0]
    away, sent, compared = 0.0, 0.0, 0
    for arrival in ("HP", "VP") if policy == "Isolation" else ("HP",):
        for quantity, kind in ((DEVIATION, "group_share_deviation"), (LOSS, "capacity_loss")):
            found = measured(
                "isolation", quantity, "processors", "load", policies=(policy,), processors=sizes, load=loads, case=1,
                probe_limit=1 if policy == "Isolation" else 0, arrival_preference=arrival,
            ).part(0)  # fmt: skip
            for (j, P), (k, load) in itertools.product(enumerate(sizes), enumerate(loads)):
                own = tuple(load / 2 for _ in shares)
                alone = (
                    splitting.horizontal(shares, own, np.full(P, 1 / P), "GPPS")
                    if arrival == "HP"
                    else splitting.vertical(shares, own, P)
                )
                gap = found.value[j, k] - np.max(getattr(alone, kind))
                away, compared = max(away, abs(gap) / max(found.half[j, k], 1e-9)), compared + 1
        busy = measured(
            "isolation", UTILISATION, "processors", "load", policies=(policy,), processors=sizes, load=loads, case=1,
            probe_limit=1 if policy == "Isolation" else 0, arrival_preference=arrival,
        )  # fmt: skip
        sent = max(sent, busy.value.max())
    simulated = measured(
        "isolation", LOSS, "case", policies=("Isolation",), probe_limit=0, arrival_preference="VP", case=(3, 4, 5)
    ).value[0]
    owners = [abs(value - routed(case)[0]) for value, case in zip(simulated, (3, 4, 5))]
    return finding(
        f"{wrong} routings are not as stated; rows at most {away:.1f} half widths from random splitting, of "
        f"{joint(compared):.1f} for all together; the network is busy for at most {sent:.2g}; cases 3 to 5 with VP "
        f"arrivals: losses at most {max(owners):.4f} from GPPS queues with two owners",
        not wrong and away <= joint(compared) and sent == 0,
    )


@check("thesis-6-126", changed=("ties alike",))
def own_one_preferred(changed=()):
    """Places by the printed words and by the library in every state; in the control ties are broken alike."""
    wrong, number = 0, 0
    for policy in ("JSQ", "HP"):
        compiled = {}
        for system, jobs in decisions(policy):
            one = compiled.setdefault(system, library(policy, system))
            found = rules(policy, system, *changed)
            for g in range(len(system[1])):
                number += 1
                wrong += placements(found, jobs, g) != one.placement(system[2], jobs, g)
    crossing = points.five("traffic", PLACEMENTS).part((slice(None), 0))
    alike = readings.at_limits("ties alike", "traffic", POLICIES, PLACEMENTS)
    change = {name: np.abs(readings.at_limits("ties alike", name).value).max() for name in readings.BOTH}
    first = {name: np.abs(readings.at_limits("own first", name, ("HP",)).value).max() for name in readings.BOTH}
    return finding(
        f"{wrong} of {number} laws differ; with three asked {crossing.value[:, 3].min() / 8:.2f} to "
        f"{crossing.value[:, 3].max() / 8:.2f} of the jobs are placed elsewhere, with ties broken alike "
        f"{alike.value[:, 3].min() / 8:.2f} to {alike.value[:, 3].max() / 8:.2f} more; that changes deviations "
        "by up to "
        f"{change[DEVIATION]:.4f}, losses by up to {change[LOSS]:.4f}; HP's other reading by up to "
        f"{first[DEVIATION]:.4f} "
        f"and {first[LOSS]:.4f}",
        not wrong,
    )


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
    found, idle, whole = {}, [], []
    each = GUESTS // 18
    for P, (shares, loads) in itertools.product((4, 10), _of_guests()):
        fast = {"probe_time": 1e-12, "migration_time": 1e-12}
        whole.append(_guests(Setting("SVP", shares, loads, P, P - 1, **fast), EVENTS)[0])
        for limit in (1, 2, 3):
            setting = Setting("SVP", shares, loads, P, P - 1 if complete else limit, **(fast if complete else {}))
            most, part = _guests(setting, each)
            found[P, limit], idle = max(found.get((P, limit), 0), most), [*idle, part]
    return finding(
        "the most guests on a processor with 1, 2 and 3 asked: "
        + "; ".join(f"{', '.join(str(found[P, limit]) for limit in (1, 2, 3))} of {P} processors" for P in (4, 10))
        + f"; with all asked and no delays {max(whole)}; one processor is idle while another has two jobs for "
        f"{min(idle):.2f} to {max(idle):.2f} of the events",
        max(found.values()) >= 2 and max(whole) <= 1,
    )


@check("thesis-6-128", nobody=True)
def guests_sent_away(nobody=False):
    """Places and guests by words and by the library, and other readings; the control asks nobody in their place."""
    wrong, number = 0, 0
    compiled = {}
    for system, jobs in decisions("SVP"):
        one, found = compiled.setdefault(system, library("SVP", system)), rules("SVP", system)
        for g in range(len(system[1])):
            place, number = placements(found, jobs, g), number + 1
            wrong += place != one.placement(system[2], jobs, g)
            for p in {p for rule, p in place if rule == "I2"}:
                after = changed_by(jobs, system[2].index(p), g, 1)
                guests = _known_places(law(lambda choose: sent_away(found, after, p, choose)))  # noqa: B023
                wrong += guests != _known_places(one.sent_away(system[2], after, g, p))
    if nobody:
        changes = [readings.uninformed(name, ("SVP",)) for name in readings.BOTH]
    else:
        changes = [
            readings.at_limits(reading, name, ("SVP",))
            for reading in ("own subset only", "without a message")
            for name in (*readings.BOTH, UTILISATION)
        ]
    same = np.concatenate([np.abs(each.value).ravel() <= NEGLIGIBLE for each in changes])
    largest = max(np.abs(each.value).max() for each in changes)
    return Finding(
        f"{wrong} of {number} laws differ; the readings differ by up to {largest:.4f}, at most {NEGLIGIBLE:g} at "
        f"{same.sum()} of {same.size} points",
        "agrees" if not wrong and same.all() else "agrees in part" if not wrong and same.any() else "differs",
    )


def _known_places(laws):
    """The law of the guest and of its place, which is None where rule I5 draws by itself."""
    found = Counter()
    for asked, chance in laws.items():
        found[asked.group, asked.source, None if asked.rule == "I5" else asked.target] += chance
    return dict(found)


@check("thesis-6-130", alike=True)
def in_proportion_to_parts(alike=False):
    """The law of I5, in fractions and drawn; in the control each processor of the subset is alike in case 3."""
    wrong, systems = 0, twelfths(100, 130)
    for k, shares in enumerate(systems):
        P = 1 + k % 30
        parts = whole_parts(shares, P)
        law_of = dispatch.arrival_law("VP", shares, P).tolist()
        for row, xs, share in zip(law_of, parts, shares):
            wrong += row != [x / sum(xs) for x in xs] or row != [x / (share * P) for x in xs] or sum(row) != 1
    shares = tuple(map(Fraction, CASES[3][0]))
    subsets, rng = draws.subsets(dispatch.partition(list(shares), 10)), np.random.default_rng(130)
    worst, counted = 0.0, 0
    for g in (0, 1):
        xs = np.array(whole_parts(shares, 10)[g], float)
        known = (xs > 0) / np.count_nonzero(xs) if alike else xs / xs.sum()
        drawn = np.bincount([draws.in_subset(rng, subsets, g) for _ in range(10_000)], minlength=10) / 10_000
        half = 1.96 * np.sqrt(known * (1 - known) / 10_000)
        worst = max(worst, (np.abs(drawn - known)[half > 0] / half[half > 0]).max())
        counted += int((half > 0).sum())
    return finding(
        f"{wrong} of {sum(map(len, systems))} laws are not in proportion; draws in case 3 at most {worst:.1f} "
        "half widths "
        f"from the law, of {joint(counted, 10_000):.1f} for all together",
        not wrong and worst <= joint(counted, 10_000),
    )


@check("thesis-6-131", changed=("M1 beside others",))
def the_rest_needs_no_change(changed=()):
    """SVP's migrations by words and by the library, and what then holds; in the control M1 is as in Chapter 5."""
    wrong, number, reached, faults = 0, 0, Counter(), Counter()
    compiled = {}
    for system, jobs in decisions("SVP"):
        if any(jobs[0]):
            continue
        found, printed = rules("SVP", system, *changed), rules("SVP", system, *changed, "pairs as printed")
        one = compiled.setdefault(system, library("SVP", system))
        for g in range(len(system[1])):
            asked, number = moves(found, jobs, g), number + 1
            wrong += asked != one.migration(system[2], jobs, g)
            used = {move.rule for move in asked if move}
            for rule in used - {"M1"}:
                reached[rule] += 1
                alone = all(sum(row) == 1 for k, row in enumerate(jobs) if guests_on(found, jobs, k))
                faults["guests alone"] += rule in ("M2", "M3") and not alone
                faults["as printed"] += rule in ("M2", "M3") and moves(printed, jobs, g) != asked
                faults["M4 last"] += rule == "M4" and max(map(sum, jobs)) > 1
    return finding(
        f"{wrong} of {number} laws differ from the library's; states that reach M2, M3 and M4: "
        f"{', '.join(str(reached[rule]) for rule in ('M2', 'M3', 'M4'))}; in them a guest not alone "
        f"{faults['guests alone']} "
        f"times, M2 or M3 otherwise than as printed {faults['as printed']}, M4 with two jobs somewhere "
        f"{faults['M4 last']}",
        not wrong and not any(faults.values()) and all(reached[rule] for rule in ("M2", "M3", "M4")),
    )


@check("thesis-6-132", all_known=True)
def no_candidate(all_known=None):
    """States in which DVP's rule I2 drops the only candidate; in the control all processors are known."""
    found, number = {}, 0
    for system, jobs in decisions("DVP", all_known):
        for change in ((), ("bare sums",)):
            seen = rules("DVP", system, *change)
            for g in range(len(system[1])):
                number += 1
                rule, _ = PRINTED["DVP"](seen, jobs, g, True)
                if rule.startswith("I2") and sum(row[g] > 0 for row in jobs) == 1:
                    found.setdefault(change, []).append((sum(map(sum, jobs)), len(system[2]), jobs, system, g))
    said = [
        f"{name} estimates: {len(found.get(change, []))}" for name, change in (("scaled", ()), ("bare", ("bare sums",)))
    ]
    example = ""
    if found.get(()):
        jobs_in_all, known, jobs, system, g = min(found[()], key=lambda one: one[:2])
        example = (
            f"; the smallest: {system[0]} processors, {known} known with {' and '.join(map(str, jobs))} jobs, a "
            "job of group "
            f"{g + 1} that requires {system[1][g]}"
        )
    change = np.abs(readings.at_limits("I2 fewest", DEVIATION, ("DVP",)).value).max()
    return Finding(
        f"decisions without a candidate, of {number // 2} each: {', '.join(said)}{example}; the two ways out "
        "change the "
        f"deviation by up to {change:.4f}",
        "differs" if len(found) == 2 else "agrees in part" if found else "agrees",
    )
