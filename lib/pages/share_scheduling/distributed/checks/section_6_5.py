"""Claims of `thesis`, Section 6.5: what the rules do with what a processor knows."""

import functools
import itertools
import math
import random
from collections import Counter
from fractions import Fraction
from fractions import Fraction as F

import numpy as np

from clustershare import dispatch, splitting
from clustershare.compiled import service
from clustershare.dispatch import distributed_kernel_draws as draws
from clustershare.dispatch import view
from clustershare.dispatch.distributed_kernel_acts import write_parts
from clustershare.dispatch.distributed_plan import plan_of
from clustershare.dispatch.rules import static_vertical
from compendium.press import clauses
from compendium.press.clauses import aside, cases, conclude, everywhere, exact, fact
from compendium.press.clauses.conditions import agrees, at_most, between, equal, larger, within
from compendium.press.findings import check
from pages.share_scheduling.central.printed import rules as chapter_5
from pages.share_scheduling.central.printed.policies import PLACEMENTS as PRINTED
from pages.share_scheduling.central.printed.policies import guests_on
from pages.share_scheduling.central.printed.rules import changed_by
from pages.share_scheduling.central.witnesses.states import every_state
from pages.share_scheduling.distributed.points import limits as points
from pages.share_scheduling.distributed.points import readings
from pages.share_scheduling.distributed.points.preferences import of_others
from pages.share_scheduling.distributed.points.readings import at_limits, no_matter, slow_migrations
from pages.share_scheduling.distributed.points.stored import DEVIATION, LOSS, PLACEMENTS, UTILISATION, WORDS, measured
from pages.share_scheduling.distributed.printed.rules import Partial, law, sent_away, whole_parts
from pages.share_scheduling.distributed.systems import ALL_CASES, CASES, LIMITS, POLICIES
from pages.share_scheduling.distributed.witnesses import recorded
from pages.share_scheduling.distributed.witnesses.alone import PROCESSORS, WHOLE, horizontal, routed
from pages.share_scheduling.distributed.witnesses.small_states import (
    MOST,
    SHARES,
    decisions,
    every_decision,
    library,
    moves,
    none_of,
    placements,
    random_systems,
    rules,
)

NONE = between(0, 0)
DRAWN, DRAWS = 20, 2000
SOME_JOBS = 3  # up to which what is to migrate is looked at under JSQ and HP, too
REST = ("M2", "M3", "M4")


def _both_true(P, shares):
    """Whether scaled and bare sums are the true shares in every state, if all are known."""
    true, *both = (
        chapter_5.Rules("DVP", shares, P, True, "GPPS"),
        *(Partial("DVP", shares, P, True, "GPPS", (), change, tuple(range(P))) for change in ((), ("bare sums",))),
    )
    return all(
        one.obtained(jobs, g) == true.obtained(jobs, g) and one.feasible(jobs, g) == true.feasible(jobs, g)
        for jobs in every_state(P, len(shares), 6) for g in range(len(shares)) for one in both
    )  # fmt: skip


def _of_library(P, shares):
    """How far the library's estimates are from these sums, in every state, with any number of processors known."""
    worst = 0.0
    for size, change in itertools.product(range(1, P + 1), ((), ("bare sums",))):
        compiled = library("DVP", (P, shares, None), *change)
        printed = Partial("DVP", shares, P, True, "GPPS", (), change, tuple(range(size)))
        for jobs in every_state(size, len(shares), 6):
            of = printed.obtained, printed.feasible
            told = [[float(share(jobs, g)) for g in range(len(shares))] for share in of]
            worst = max(worst, np.abs(np.subtract(told, compiled.shares(jobs))).max())
    return worst


def _biases(P, shares):
    """How far the mean of the scaled o_g over random sets is from the truth: over any, and with the own one in it."""
    found = {"any": Fraction(0), "own": Fraction(0)}
    for jobs in every_state(P, 2, 4 if P < 4 else 3):
        for g, size in itertools.product((0, 1), range(1, P)):
            true, sets = _mean_obtained(shares, P, jobs, g, [range(P)]), list(itertools.combinations(range(P), size))
            for name, some in (("any", sets), ("own", [known for known in sets if known[0] == 0])):
                found[name] = max(found[name], abs(_mean_obtained(shares, P, jobs, g, some) - true))
    return {name: float(each) for name, each in found.items()}


def _mean_obtained(shares, P, jobs, g, sets):
    """The mean of the scaled estimate of o_g over sets of known processors."""
    found = [
        Partial("DVP", shares, P, True, "GPPS", known=tuple(known)).obtained(tuple(jobs[p] for p in known), g)
        for known in sets
    ]
    return sum(found, Fraction(0)) / len(found)


@check("thesis-6-051", nobody=True)
def how_shares_are_estimated(nobody=False):
    """DVP with scaled and with bare sums; the control asks nobody in place of the second."""
    paths = [path for change in ((), ("bare sums",))
             for path in recorded.paths("DVP", (False,), limits=(1, 3), events=500, changed=change)]  # fmt: skip
    biases = cases("system", itertools.product((2, 3, 4), (SHARES[0], SHARES[2]))).measure(_biases)
    return conclude(
        *no_matter({"with bare sums": lambda quantity: at_limits("bare sums", quantity, ("DVP",))}, nobody, ("DVP",)),
        aside("how far the mean of scaled sums is from the truth with the own processor always known",
              exact(biases["own"].value.max())),
        provided=[
            everywhere("both are the true shares where all are known",
                       cases("system", itertools.product((2, 3), SHARES)).measure(_both_true)),
            everywhere("the estimates of the library and these sums, with any number known,",
                       cases("system", itertools.product((2, 3), SHARES)).measure(_of_library), equal(1e-12)),
            everywhere("the mean of scaled sums over random sets and the true share", biases["any"], equal(0)),
            recorded.taken(paths),
        ],
    )  # fmt: skip


@check("thesis-6-052", nobody=True)
def what_is_counted(nobody=False):
    """Jobs under way counted or not; the control asks nobody in place of the second."""
    reading = "with those under way"
    paths = [path for policy in POLICIES
             for path in recorded.paths(policy, (False,), limits=(3,), events=250, changed=(reading,))]  # fmt: skip
    return conclude(*no_matter({
        "on the usual network": lambda quantity: at_limits(reading, quantity),
        "with slow migrations": lambda quantity: slow_migrations(reading, quantity),
    }, nobody), provided=[recorded.taken(paths)])  # fmt: skip


@check("thesis-6-124", limit=3)
def complete_information(limit=9):
    """All known: decisions beside Chapter 5's, and its points; in the control three of nine are asked."""
    wrong, number = 0, 0
    of_chapter_5 = functools.cache(lambda policy, shares, P: chapter_5.Rules(policy, shares, P, True, "GPPS"))
    for policy in POLICIES:
        for system, jobs, g, one in every_decision(policy, all_known=True):
            P, shares, known = system
            whole, there = of_chapter_5(policy, shares, P), tuple(jobs[known.index(p)] for p in range(P))
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


def in_all_cases(arrival):
    """Clauses: in the five cases Isolation's loss and deviations are those of random splitting, or of its queues."""

    def exactly(case):
        if arrival == "VP" and case not in WHOLE:
            return routed(case)
        found = horizontal(case) if arrival == "HP" else splitting.vertical(*CASES[case], PROCESSORS)
        return found.capacity_loss, found.group_share_deviation

    losses, missed = zip(*map(exactly, ALL_CASES))
    row = functools.partial(measured, "isolation", policies=("Isolation",), probe_limit=3, arrival_preference=arrival,
                            case=ALL_CASES)  # fmt: skip
    words = {"the loss": (LOSS, None, losses)} | {
        f"the deviation of group {g + 1}": (DEVIATION, g, [each[g] for each in missed]) for g in (0, 1)
    }
    return [
        everywhere(f"with {arrival} arrivals in the five cases, {word}, less the exact one,",
                   row(quantity, "case", index=index).at(policy="Isolation") - np.array(known), agrees())
        for word, (quantity, index, known) in words.items()
    ]  # fmt: skip


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
        if policy == "Isolation":
            clauses_ += in_all_cases(arrival)
    every = [(P, first) for P in range(1, 31) for first in range(1, P)]
    return conclude(
        everywhere("jobs are routed as stated", cases("system", every).measure(routing)),
        *clauses_,
        whole=True,
    )


@check("thesis-6-126", changed=("ties alike",))
def own_one_preferred(changed=()):
    """Places by the printed words and by the library in every state; in the control ties are broken alike."""
    wrong, number, moved, moves_of_both = 0, 0, 0, 0
    for policy in ("JSQ", "HP"):
        for system, jobs, g, one in every_decision(policy):
            printed, number = rules(policy, system, *changed), number + 1
            wrong += placements(printed, jobs, g) != one.placement(system[2], jobs, g)
            if sum(map(sum, jobs)) <= SOME_JOBS:
                moves_of_both += 1
                moved += moves(printed, jobs, g) != one.migration(system[2], jobs, g)
    crossing = points.five("traffic", PLACEMENTS).at(case=1, limit=3)
    alike = readings.at_limits("ties alike", "traffic", POLICIES, PLACEMENTS)
    paths = [path for policy in ("JSQ", "HP") for path in recorded.paths(policy, (False,), limits=(1, 3), events=500)]
    said = {"with ties broken alike": ("ties alike", POLICIES), "with HP's other reading": ("own first", ("HP",))}
    return conclude(
        none_of(number, "laws of the place, those that differ", wrong),
        none_of(moves_of_both, "laws of what is to migrate, those that differ", moved),
        fact("the weights of the groups are their shares",
             all((plan_of(policy, required_shares=shares, loads=loads, processors=10, probe_limit=3).weights
                  == shares).all() for policy in ("JSQ", "HP") for shares, loads in CASES.values()),
             "the weights of the groups are not their shares"),
        recorded.taken(paths),
        everywhere("in the runs, what the placements that cross grow by with ties broken alike",
                   alike.at(policy=("JSQ", "HP"), limit=LIMITS[1:]), larger()),
        aside("with three asked, the part of the jobs that are placed elsewhere", crossing.scaled(1 / 8)),
        aside("what that part grows by with ties broken alike", alike.at(limit=3).scaled(1 / 8)),
        *(aside(f"{where}, what {word} changes by", readings.at_limits(reading, quantity, policies).distance())
          for where, (reading, policies) in said.items() for quantity, word in WORDS.items()),
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
    paths = recorded.paths("SVP", (False,), limits=(1, 3), events=500)
    return conclude(*readings.no_matter(said, nobody, ("SVP",), measures), provided=[
        none_of(number, "laws of place and guest, those that differ", wrong), recorded.taken(paths),
    ])  # fmt: skip


def _known_places(laws):
    """The law of the guest and of its place, which is None where rule I5 draws by itself."""
    found = Counter()
    for asked, chance in laws.items():
        found[asked.group, asked.source, None if asked.rule == "I5" else asked.target] += chance
    return dict(found)


@check("thesis-6-130", alike=True)
def in_proportion_to_parts(alike=False):
    """The law of I5, in fractions, drawn, on paths; the control draws each of the subset alike in case 3."""

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
    paths = recorded.paths("SVP", (False,), events=1000, limits=(1,))
    places = sum(event.what == "places" and event.rule == "I5" for path in paths for event in path.events)
    return conclude(
        everywhere("the law is in proportion to X_gp", cases("system", random_systems(130)).measure(in_proportion)),
        everywhere("in case 3, how often each processor is drawn, less the law,",
                   clauses.measured(gaps, halves, runs=10_000, group=(1, 2), processor=range(1, 11)), agrees()),
        everywhere("the number of jobs on paths that I5 places", exact(places), larger()),
        recorded.taken(paths),
        whole=True,
    )  # fmt: skip


@check("thesis-6-131", changed=("M1 beside others",))
def the_rest_needs_no_change(changed=()):
    """SVP's migrations by words and by the library, and what then holds; in the control M1 is as in Chapter 5."""
    wrong, number, reached, faults = 0, 0, Counter(), Counter()
    for system, jobs, g, one in every_decision("SVP", idle=True):
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


@check("thesis-6-132", all_known=True)
def no_candidate(all_known=None):
    """States in which DVP's rule I2 drops the only candidate; in the control all processors are known."""
    found, number, wrong = {(): [], ("bare sums",): []}, 0, 0
    compiled = functools.cache(functools.partial(library, "DVP"))
    for system, jobs in decisions("DVP", all_known):
        number += len(system[1])
        for change, g in itertools.product(found, range(len(system[1]))):
            rule, _ = PRINTED["DVP"](rules("DVP", system, *change), jobs, g, True)
            alone = sum(row[g] > 0 for row in jobs) == 1
            none = rule.startswith("I2") and alone
            if none:
                found[change].append((sum(map(sum, jobs)), len(system[2]), jobs, system[0], system[1], g))
            if alone:
                stays = {("I2", known): 1 for known, row in zip(system[2], jobs) if row[g]}
                wrong += (compiled(system, *change).placement(system[2], jobs, g) == stays) != none
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
        provided=[none_of(2 * number, "decisions, those in which the library finds other candidates", wrong)],
    )  # fmt: skip


def _none_known(P, width, limit):
    """The probability that a job and its probes find none of so many processors: all places and sets, in fractions."""
    sets = list(itertools.combinations(range(P - 1), limit))
    outside = sum(all(other >= width for other in chosen) for chosen in sets)  # the own processor is the last one
    return F(P - width, P) * F(outside, len(sets))


def _formula(P, width, limit):
    """The same as the rule says it."""
    return F(P - width, P) * F(math.comb(P - 1 - width, limit), math.comb(P - 1, limit))


def _none_drawn(cells):
    """How often it is so where the library draws the sets, in some systems, less the formula."""
    rng, gaps, halves = np.random.default_rng(129), [], []
    for P, width, limit in random.Random(129).sample([cell for cell in cells if 0.1 < _formula(*cell) < 0.9], DRAWN):
        shares, found, none = (F(width, P), F(P - width, P)), np.zeros(limit, np.int64), 0
        subsets, law = draws.subsets(dispatch.partition(shares, P)), dispatch.arrival_law("HP", shares, P)[0]
        for own in rng.choice(P, DRAWS, p=law.astype(float)).tolist():
            draws.draw_set(rng, subsets, len(shares), own, found)  # with HP preference
            none += own >= width and bool((found >= width).all())
        known = float(_formula(P, width, limit))
        gaps.append(none / DRAWS - known)
        halves.append(1.96 * np.sqrt(known * (1 - known) / DRAWS))
    return clauses.measured(gaps, halves, runs=DRAWS, system=None)


def _decisions(P, shares, migration):
    """Every decision on a place: whether I1 to I4 find none, whether none of the subset is known, and what else is."""
    rng, parts = np.random.default_rng(0), np.array(whole_parts(shares, P), dtype=float)
    for known in itertools.chain(*(itertools.combinations(range(P), size) for size in range(1, P + 1))):
        seen = view.blank(len(known), service.GPPS, np.array(shares, dtype=float))
        for own in range(len(known)):
            order = list(known[own:] + known[:own])
            policy = static_vertical.StaticVerticalPartitioning(migration, np.empty((len(known), len(shares))))
            write_parts(policy.parts, parts.T, np.array(order), len(known))
            for jobs in every_state(len(known), len(shares), MOST):
                seen.count[:, 1:] = jobs
                seen.count[:, 0] = seen.count[:, 1:].sum(axis=1)
                for g in range(len(shares)):
                    needed = static_vertical.place(policy, seen, rng, g) < 0
                    none, early = not parts[g, order].any(), len(known) - 1 < P - np.count_nonzero(parts[g])
                    yield needed, none, bool(seen.count[:, 0].all()), early


@check("thesis-6-129", migration=False)
def nobody_known(migration=True):
    """Where the library's rules find no processor, in every state; the control leaves out rule I3."""
    every = np.array(
        [each for P, shares in itertools.product((2, 3), SHARES) for each in _decisions(P, shares, migration)]
    )
    needed, none, busy, early = every.T
    unknown = points.five("placed_unknown").at(policy="SVP")
    decided = int((none & ~needed).sum())
    cells = [(P, width, limit) for P in range(2, 11) for width in range(1, P) for limit in range(P)]
    parts = cases("system", cells).measure(lambda *cell: _none_known(*cell) == _formula(*cell))
    return conclude(
        fact("I1 to I4 find no processor whenever none of the subset is known", not decided,
             f"where none of the subset is known, I3 still decides {decided} times"),
        fact("they find none only if none of the subset is known", not (needed & ~none).any(),
             "they find none though some of the subset is known"),
        aside("how often I5 is needed", exact(needed.sum())),
        provided=[
            fact("so never from the limit P less the subset on", not (none & ~early).any(), "they do beyond it"),
            fact("they find none if and only if no known one is idle either",
                 (needed == (none & busy)).all() or not migration, "they find none where a known one is idle"),
            everywhere("none is known as often as the formula says", parts),
            everywhere("how often the library's sets hold none, less that,", _none_drawn(cells), agrees()),
            everywhere("in the runs of SVP with none to four asked, the placements by I5 per unit of time",
                       unknown.at(limit=(0, 1, 2, 3, 4)), larger()),
            everywhere("those with all but two of ten asked, or more,", unknown.at(limit=(7, 8, 9)), NONE),
            everywhere("those in cases 1 and 2 with five or more asked", unknown.at(case=WHOLE, limit=(5, 6)), NONE),
            *(everywhere(f"those with VP arrivals in case {case}",
                         of_others("VP/VP", "placed_unknown", case).at(policy="SVP"), NONE) for case in WHOLE),
        ],
    )  # fmt: skip
