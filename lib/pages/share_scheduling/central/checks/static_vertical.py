"""Claims of `thesis`, Section 5.5.3: what Static Vertical Partitioning keeps, and what it is without migration."""

import functools
import itertools
from collections import Counter
from fractions import Fraction as F

import numpy as np

from clustershare.dispatch import exact_central, simulate_central
from compendium.press.findings import check, erratum, finding
from pages.share_scheduling.central import simulated
from pages.share_scheduling.central.compiled import Compiled
from pages.share_scheduling.central.guests import HALVES, LOADS, PATHS, SMALL, THIRDS, on_states
from pages.share_scheduling.central.printed_rules import Rules, arrival
from pages.share_scheduling.central.reached import law, leaving, reached
from pages.share_scheduling.central.states import every_state, in_group_balance, in_system_balance, without_loss
from pages.share_scheduling.central.systems import FRACTIONS, PROCESSORS, SHARES
from pages.share_scheduling.central.systems import LOADS as FIGURE_LOADS

EXACT = 1e-12
WITH_MIGRATION = (("load", FIGURE_LOADS), ("processors", PROCESSORS), ("fraction", FRACTIONS), ("share", SHARES))


@check("thesis-5-021", without=("M3",))
def nothing_lost(without=()):
    """Events that lead to a loss; the library's paths and the stored points."""
    made = Counter()
    for record in on_states(without=without):
        kind = "arrivals" if record.processor is None else "departures"
        made[kind] += not without_loss(record.outcome.state)
    lost = max(
        simulate_central(
            "SVP", local=local, migration=True, required_shares=[float(share) for share in shares],
            loads=[load / len(shares)] * len(shares), processors=P, jumps=10_000, warmup=0, replications=2, seed=3,
        ).capacity_loss.value
        for (P, shares), load, local in itertools.product(PATHS, LOADS, ("PS", "GPPS"))
    )  # fmt: skip
    stored = max(
        simulated.table(simulated.along(axis, values, migration=True, policies=("SVP",)), axis, "capacity_loss")[0][
            "SVP", local
        ].max()
        for axis, values in WITH_MIGRATION
        for local in ("PS", "GPPS")
    )
    return finding(
        f"events that lead to a loss: {made['arrivals']} arrivals, {made['departures']} departures; "
        f"paths and stored points {'without loss' if max(lost, stored) <= EXACT else f'lose {max(lost, stored):.2g}'}",
        not any(made.values()) and max(lost, stored) <= EXACT,
    )


@check("thesis-5-022", systems=((3, HALVES),))
def local_policy(systems=((2, HALVES), (3, (F(1, 3), F(2, 3))))):
    """Groups on one processor, rates of the printed rules and of the library, and what both local policies measure."""
    meeting, gap = 0, 0.0
    for P, shares in systems:
        one, other = (Rules("SVP", shares, P, local=local) for local in ("PS", "GPPS"))
        for jobs, happening in reached(one, 6).items():
            meeting += any(sum(count > 0 for count in row) > 1 for row in jobs)
            for event in happening:
                if event.processor is not None:
                    gap = max(gap, abs(leaving(one, jobs, event) - leaving(other, jobs, event)))
        for part in (0.2, 0.6):
            loads = [part * float(share) for share in shares]
            laws = [law(rules, loads, 6) for rules in (one, other)]
            gap = max(gap, abs(laws[0].capacity_loss - laws[1].capacity_loss))
            gap = max(gap, np.abs(laws[0].group_share_deviation - laws[1].group_share_deviation).max())
        found = [
            exact_central(
                "SVP", local=local, required_shares=[float(share) for share in shares],
                loads=[0.2 * float(share) for share in shares], processors=P, most_jobs=8,
            )
            for local in ("PS", "GPPS")
        ]  # fmt: skip
        gap = max(gap, np.abs(found[0].group_share_deviation - found[1].group_share_deviation).max())
    apart, points = _apart()
    return finding(
        f"states in which groups meet: {meeting}; rates and measures {_gap(gap)}; stored points at which PS and GPPS "
        f"differ: {apart} of {points}",
        not meeting and gap <= 1e-9 and not apart,
    )


def _gap(gap, bound=1e-9):
    return f"equal within {bound:g}" if gap <= bound else f"differ by {gap:.2g}"


def _apart():
    """At how many stored points without migration, in whole processors, PS and GPPS are apart; and of how many."""
    whole = {
        "load": FIGURE_LOADS, "fraction": FRACTIONS, "processors": tuple(P for P in PROCESSORS if P % 2 == 0),
        "share": tuple(share for share in SHARES if abs(10 * share - round(10 * share)) < 1e-9),
    }  # fmt: skip
    gaps = []
    for axis, values in whole.items():
        rows = simulated.along(axis, _all_of(axis), policies=("SVP",))
        rows = rows[rows[axis].isin(values)]
        for quantity in ("capacity_loss", "group_share_deviation"):
            means, widths = simulated.table(rows, axis, quantity)
            difference = np.abs(means["SVP", "PS"] - means["SVP", "GPPS"])
            gaps.append(difference / (widths["SVP", "PS"] + widths["SVP", "GPPS"] + EXACT))
    gaps = np.concatenate(gaps)
    return int((gaps > simulated.joint(2 * len(gaps))).sum()), len(gaps)


def _all_of(axis):
    return dict(WITH_MIGRATION)[axis]


@check("thesis-5-095", processors=2, shares=HALVES)
def shortest_queue_in_each_subset(processors=4, shares=None):
    """Placements of SVP in the subset of a group, by the printed rules and the library's, against those of JSQ."""
    gap, seen = 0.0, 0
    for k in range(1, processors + 1) if shares is None else [processors]:
        P = k + 2 if shares is None else 3
        rules = Rules("SVP", shares or (F(k, P), F(P - k, P)), P)
        compiled, alone = Compiled("SVP", rules.shares, P), Rules("JSQ", (F(1),), k)
        own = rules.subsets[0]
        rest = [p for p in range(P) if p not in own]
        for numbers in every_state(k, 1, 6):
            expected = {outcome.processor: outcome.probability for outcome in arrival(alone, numbers, 0)}
            for others in itertools.product(range(4), repeat=len(rest)) if shares is None else [(0, 2)]:
                jobs = [[0, 0] for _ in range(P)]
                for p, (count,) in zip(own, numbers):
                    jobs[p][0] = count
                for p, count in zip(rest if shares is None else own, others):
                    jobs[p][1] = count
                jobs = tuple(map(tuple, jobs))
                found = {own.index(outcome.processor): outcome.probability for outcome in arrival(rules, jobs, 0)}
                library = {
                    next(own.index(p) for p in own if to[p][0] > jobs[p][0]): chance
                    for to, chance in compiled.outcomes(jobs, 0).items()
                }
                seen += 1
                for p in range(k):
                    chance = expected.get(p, 0)
                    gap = max(gap, abs(found.get(p, 0) - chance), abs(library.get(p, 0) - chance))
                    gap = max(gap, abs(rules.served(own[p], jobs[own[p]])[0] - (jobs[own[p]][0] > 0)))
    return finding(f"{seen} states: placements and departures {_gap(float(gap), EXACT)}", gap <= EXACT and seen > 100)


@check("thesis-5-135", policy="JSQ")
def what_is_not_kept(policy="SVP"):
    """Arrivals that end what there was before them."""
    ended, outside = {}, 0
    for migration in (False, True):
        found = Counter()
        for record in on_states(((2, HALVES),), migration, policy):
            if record.processor is None:
                for name, holds in PROPERTIES.items():
                    found[name] += holds(record.before) and not holds(record.outcome.state)
                if not migration:
                    outside += record.outcome.processor not in record.rules.subsets[record.group]
        ended[migration] = found
    said = "; ".join(
        f"{'with' if migration else 'without'} migration {', '.join(f'{name} {found[name]}' for name in PROPERTIES)}"
        for migration, found in ended.items()
    )
    return finding(
        f"arrivals that end it: {said}; jobs outside their subset without migration: {outside}",
        min(ended[False][name] for name in PROPERTIES) > 0
        and not ended[True]["no loss"]
        and min(ended[True][name] for name in ("system balance", "group balance")) > 0
        and not outside,
    )


PROPERTIES = {"no loss": without_loss, "system balance": in_system_balance, "group balance": in_group_balance}


@check("thesis-5-136", systems=((2, HALVES),))
def where_groups_meet(systems=((3, HALVES), (3, SMALL[4][1]), (2, THIRDS))):
    """The processors with more than one group in some state."""
    right, said = True, []
    for P, shares in systems:
        rules = Rules("SVP", shares, P)
        met = {p for jobs in reached(rules, 6) for p, row in enumerate(jobs) if sum(count > 0 for count in row) > 1}
        shared = {p for p in range(P) if max(row[p] for row in rules.parts) < 1}
        right &= met == shared and bool(met)
        said.append(f"{len(met)} of {P}")
    return finding(f"processors on which groups meet: {', '.join(said)}, those without an owner", right)


@check("thesis-5-084", worst=True)
def rule_four(worst=False):
    """The form of I4 that can be read, in the library and against JSQ."""
    printed, wrong, rng = "(|J_gp(t) + 1)/X_gp", 0, np.random.default_rng(84)
    for k in range(2, 7):
        compiled = Compiled("SVP", (k / (k + 1), 1 / (k + 1)), k + 1)
        shortest = Compiled("JSQ", (0.5, 0.5), k)
        for numbers in rng.integers(1, 6, (400, k)):
            jobs = (*((int(count), 0) for count in numbers), (0, 0))
            scores = [-(count + 1) if worst else count + 1 for count in numbers]
            chosen = {p for p, score in enumerate(scores) if score == min(scores)}
            library = {p for to in compiled.outcomes(jobs, 0) for p in range(k) if to[p] != jobs[p]}
            joined = {p for to in shortest.outcomes(jobs[:-1], 0) for p in range(k) if to[p] != jobs[p]}
            wrong += not chosen == library == joined
    said = (
        f"bars in the print: {printed.count('|')}; (|J_gp(t)| + 1)/X_gp: otherwise than JSQ in {wrong} of 2000 states"
    )
    return erratum(said, printed.count("|") % 2 == 0, not wrong)


@functools.cache
def _loss_of_shortest_queue(k, load):
    """The library's chain of JSQ on k processors, of one group alone."""
    found = exact_central("JSQ", required_shares=(0.5, 0.5), loads=(load, 0), processors=k, most_jobs=_cut(k, load))
    return found.capacity_loss


def _cut(k, load):
    return k + int(np.log(5e-4) / np.log(load)) + 1


@check("thesis-5-023", control=True)
def deviation_is_a_loss(control=False):
    """Deviations of SVP by the chain of the whole system against losses of JSQ in the subset, and stored points."""
    gap, cases = 0.0, ((1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4), (3, 6))
    if control:  # groups of one processor and a half
        own = [
            exact_central(
                "SVP", required_shares=(0.5, 0.5), loads=(load / 2, load / 2), processors=3, most_jobs=10
            ).group_share_deviation[0]
            for load in (0.2, 0.4)
        ]
        gap = min(
            abs(deviation - _loss_of_shortest_queue(k, load))
            for deviation, load in zip(own, (0.2, 0.4))
            for k in (1, 2)
        )
    else:
        for k, P in cases:
            for load in np.round(np.arange(1, 6 if k == 3 else 9) / 10, 12):
                found = exact_central(
                    "SVP", required_shares=(k / P, 1 - k / P), loads=(load * k / P, 0), processors=P,
                    most_jobs=_cut(k, load),
                ).group_share_deviation[0]  # fmt: skip
                gap = max(gap, abs(found - _loss_of_shortest_queue(k, load)))
    apart, points = _apart_from_shortest_queue()
    return finding(
        f"by the chains {_gap(gap)}; stored points at which they differ: {apart} of {points}", gap <= 1e-9 and not apart
    )


def _apart_from_shortest_queue():
    """At how many loads SVP on ten processors, shared equally, is apart from JSQ on five; and of how many."""
    own = simulated.along("load", FIGURE_LOADS, policies=("SVP",))
    other = simulated.along("load", FIGURE_LOADS, policies=("JSQ",), local=("PS",), processors=5)
    means, widths = simulated.table(own, "load")
    loss, width = (values["JSQ", "PS"] for values in simulated.table(other, "load", "capacity_loss"))
    gaps = np.concatenate(
        [np.abs(means["SVP", local] - loss) / (widths["SVP", local] + width) for local in ("PS", "GPPS")]
    )
    return int((gaps > simulated.joint(2 * len(gaps))).sum()), len(gaps)
