"""Claims of `thesis`, Section 6.7.1: how many are asked."""

import functools
import itertools
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction

import numpy as np

from clustershare.dispatch import shortest_queue_with_migration
from compendium.press.clauses import aside, at_each, besides, cases, conclude, everywhere, exact, fact, grid, mended
from compendium.press.clauses.conditions import agrees, at_most, equal, falls, larger, within
from compendium.press.findings import check
from pages.share_scheduling.central.printed import rules as central_rules
from pages.share_scheduling.central.systems import LOCAL
from pages.share_scheduling.conclusions.points.compared import EQUAL, WITH
from pages.share_scheduling.distributed.points.chapter_5 import MIGRATION, of_case
from pages.share_scheduling.distributed.points.limits import (
    SMALL,
    WHOLE,
    central,
    five,
    from_which_on,
    rate,
    small_chains,
    small_without_delay,
    without_delay,
)
from pages.share_scheduling.distributed.points.network_times import accounts, by_migration_time, migration_load
from pages.share_scheduling.distributed.points.stored import (
    ASKING,
    DEVIATION,
    LOSS,
    MIGRATIONS,
    PLACEMENTS,
    REPLIES,
    REQUESTS,
    UTILISATION,
    WORDS,
    as_it_stands,
    extremes,
    measured,
)
from pages.share_scheduling.distributed.printed.rules import Partial, law, placement
from pages.share_scheduling.distributed.systems import ALL_CASES, LIMITS, MIGRATION_TIMES, POLICIES
from pages.share_scheduling.distributed.witnesses.alone import (
    at_limits,
    by_chance,
    clearly_below_isolation,
    horizontal,
    nobody_asked,
    own_processors,
    printed,
    same_path,
)
from pages.share_scheduling.distributed.witnesses.followed import answers_apart
from pages.share_scheduling.distributed.witnesses.small_states import every_decision

SOME = LIMITS[1:]
OTHERS = ("JSQ", "HP", "DVP")
HALF = (Fraction(1, 2), Fraction(1, 2))
MEASURES = {"the loss": (LOSS, None), "the deviation of group 1": (DEVIATION, 0), "that of group 2": (DEVIATION, 1)}


@check("thesis-6-011", plain=True)
def small_number_of_probes(plain=False):
    """One to three probed against Isolation; the control has Isolation by the plain event loop for each policy."""
    alone = cases("case", ALL_CASES).measure(lambda case: answers_apart(printed("Isolation", case), 400, case))
    return conclude(
        *clearly_below_isolation((1, 2, 3), plain),
        provided=[
            *nobody_asked(),
            everywhere("what the simulator answers of Isolation and the plain loop's sums", alone, equal(1e-9)),
        ],
    )


@check("thesis-6-012", plain=True)
def from_two_to_three(plain=False):
    """The step of the loss from two to three probed, in parts of it; Isolation gains nothing."""
    two, three = (by_chance(LOSS) if plain else five(LOSS).at(limit=limit) for limit in (2, 3))
    gain, steps = two - three, five(LOSS).steps("limit")
    wide = steps.widened(steps.asked)
    substantial = larger("clear").inside(-steps, wide, wide)
    return conclude(
        at_each("the loss with two asked, less that with three,", gain, larger("clear")),
        aside("that gain in parts of the capacity", gain),
        aside("the largest fall from one limit to the next, in parts of the larger loss,",
              exact((-steps.value / steps.terms[1].value).max(axis=(0, 1)), step=steps.axes[-1][1])),
        aside("the last limit whose step is substantial",
              exact(np.where(substantial, SOME, 0).max(axis=-1), **dict(steps.axes[:-1]))),
    )  # fmt: skip


@check("thesis-6-013", limits=LIMITS[:8])
def flat_from_two(limits=LIMITS[2:]):
    """The range of Delta^G over the limits; the control begins with none."""
    most, least = extremes(five(DEVIATION).at(limit=limits), "limit")
    return conclude(
        at_each("the largest deviation of these limits, less the smallest,", most - least, at_most("close"))
    )


@check("thesis-6-143", plain=True)
def strictly_decreasing(plain=False):
    """Every step from a limit to the next; Isolation does not change."""
    clauses = []
    for quantity, word in WORDS.items():
        steps = at_limits(quantity, LIMITS, plain).steps("limit")
        wide = steps.widened(len(WORDS) * steps.asked)
        told = falls().inside(steps, wide, wide) | falls().outside(steps, wide)
        last = exact(np.where(told, SOME, 0).max(axis=-1), **dict(steps.axes[:-1]))
        clauses += [at_each(word, steps, falls()), aside(f"the last limit at which a step of {word} is told", last)]
    return conclude(*clauses)


@check("thesis-6-144", limits=(2, 4))
def sharp_at_first(limits=(0, 2)):
    """Delta^G with none less that with two; the control has two less four."""
    first, second = (five(DEVIATION).at(limit=limit) for limit in limits)
    return conclude(at_each(f"the deviation with {limits[0]} asked, less that with {limits[1]},", first - second,
                            larger("clear")))  # fmt: skip


@check("thesis-6-147", limit=1)
def optimum_at_three(limit=3):
    """Three probed against the best of all limits; the control has one probed."""
    clauses, near = [], at_most("practically equal")
    for quantity, word in WORDS.items():
        _, least = extremes(five(quantity), "limit")
        gap = five(quantity).at(limit=limit) - least
        since = from_which_on(five(quantity) - least, near)
        clauses += [at_each(f"{word} with {limit} asked, less the smallest of all limits,", gap, near),
                    aside(f"that gap of {word} as it stands", gap),
                    aside(f"the limit from which on {word} is so near", since)]  # fmt: skip
    return conclude(*clauses)


def spread(migration, local, instead="HP"):
    """How far the policies are apart in case 1, at each load; another one may stand in for HP."""
    policies = tuple(instead if policy == "HP" else policy for policy in POLICIES)
    most, least = extremes(of_case("case 1", migration, local, policies), "policy")
    return most - least


@check("thesis-6-142", instead="HPRS")
def little_difference(instead="HP"):
    """How far apart the policies are in case 1 at all loads; the control has random splitting for HP."""
    lost = of_case("case 1", WITH, "GPPS", POLICIES, LOSS).at(load=0.8)
    shortest = of_case("case 1", WITH, "PS", ("JSQ",)).at(policy="JSQ")
    ((noun, loads),) = shortest.axes
    known = [shortest_queue_with_migration((0.5, 0.5), (load / 2, load / 2), 10).group_share_deviation.max()
             for load in loads]  # fmt: skip
    return conclude(
        *(everywhere(f"{word} and with {local}, the largest deviation less the smallest,",
                     spread(migration, local, instead), at_most("close"))
          for (migration, word), local in itertools.product(MIGRATION.items(), LOCAL)),
        everywhere("the loss at load 0.8 with migration and GPPS", exact(lost.value, policy=POLICIES), at_most(EQUAL)),
        provided=[everywhere("with migration and PS, the deviation of JSQ, less the exact one,",
                             shortest - exact(known, **{noun: loads}), agrees())],
        whole=True,
    )  # fmt: skip


@check("thesis-6-015", limit=3)
def almost_all_migrations(limit=2):
    """The rate of migrations in case 1 at one limit against all; the control has three probed."""
    here, (most, _) = rate(MIGRATIONS, limit), extremes(rate(MIGRATIONS), "limit")
    growth = rate(MIGRATIONS, LIMITS[limit + 1 :]) - here
    missing = most - here
    busy = five(UTILISATION).at(case=1)
    there, (largest, _) = busy.at(limit=limit), extremes(busy, "limit")
    return conclude(
        at_each(f"the largest rate of migrations, less that with {limit} asked,", missing, at_most("very close")),
        at_each("what it grows by beyond", growth, at_most("practically equal"), every="limit"),
        besides("the largest utilisation of the network, less that there,", largest - there, at_most("very close")),
        besides("what that grows by beyond", busy.at(limit=LIMITS[limit + 1 :]) - there, at_most("practically equal")),
        aside("the rate there", here),
        aside("the largest rate", most),
        aside("the limit of the largest rate", exact(rate(MIGRATIONS).value.argmax(axis=1), policy=POLICIES)),
        aside("the rate with 9 asked", rate(MIGRATIONS, 9)),
    )


@check("thesis-6-016", instead="Isolation")
def most_migrations(instead="SVP"):
    """SVP's rate of migrations in case 1 against the others'; the control has Isolation, which moves none."""
    found = rate(MIGRATIONS)
    mine = found.at(policy="SVP") if instead == "SVP" else exact(np.zeros(len(LIMITS)), limit=LIMITS)
    others = found.at(policy=OTHERS)
    times = exact(mine.at(limit=SOME).value / others.at(limit=SOME).value.max(axis=0), limit=SOME)
    return conclude(
        at_each(f"the rate of migrations of {instead}, less that of another policy,", mine - others, larger()),
        aside("the rate itself", exact(mine.value, limit=LIMITS)),
        aside("how many times the most of the others it is", exact(times.value, limit=SOME)),
    )


@check("thesis-6-145", rule=1)
def return_of_guests(rule=4):
    """What rule M4 brings to SVP's excess of migrations, and how often from a job alone; the control has rule M1."""
    mine, most = rate(MIGRATIONS).at(policy="SVP"), extremes(rate(MIGRATIONS).at(policy=OTHERS), "policy")[0]
    moved, alone, every = (
        five(name, index).at(policy="SVP", case=1)
        for name, index in (("migrations_by_rule", rule), ("lone_migrations", 1), ("lone_migrations", 0))
    )
    alone = alone if rule == 4 else every - alone  # those by all other rules
    return conclude(
        at_each(f"the moves by rule M{rule}, less half of SVP's excess over the others,",
                moved - (mine - most).scaled(0.5), larger()),
        at_each("those from a job alone, less half of the moves by the rule,",
                (alone - moved.scaled(0.5)).where(moved.value > 0, "the rule moves nothing"), larger()),
        aside("the moves by the rule, per unit of time", moved),
        aside("the excess without these moves", (mine - most) - moved),
        aside("the part of the moves that is from a job alone",
              exact((alone.value / np.maximum(moved.value, 1e-99))[1:], limit=SOME)),
        provided=[everywhere("the excess", mine - most, larger())],
    )  # fmt: skip


@check("thesis-6-028", migration_time=1e-5)
def determined_by_migrations(migration_time=None):
    """The work brought and the utilisation, and the part of migrations; in the control these are ten messages long."""
    found = accounts()
    moved, sent = rate(MIGRATIONS), sum(rate(kind).value for kind in (REQUESTS, REPLIES, PLACEMENTS, ASKING))
    work, some = moved.value * (migration_time or 0.01), MIGRATION_TIMES[1:]
    busy = five(UTILISATION).at(case=1).value if migration_time is None else work + sent * 1e-6
    parts = {"in case 1": exact(work / np.maximum(busy, 1e-99), **dict(moved.axes)).where(work > 0, "nothing moves")}
    if migration_time is None:
        slow = migration_load(lambda *what, index: by_migration_time(*what, some, index), some)
        parts["with slow migrations"] = exact(
            slow.value / by_migration_time(UTILISATION, some).value, **dict(slow.axes)
        )
    return conclude(
        at_each("the utilisation, less the work brought, in case 1,", found["Figures 6.1 to 6.3, all cases"].at(case=1),
                agrees()),
        at_each("that with other times of migrations", found["Figures 6.7 and 6.8"], agrees()),
        at_each("that with slower messages", found["Figure 6.6"], agrees()),
        *(at_each(f"the part that migrations bring {where}, less 1,", part - 1.0, within("practically equal"))
          for where, part in parts.items()),
    )  # fmt: skip


def none_probed(quantity, policies, index=None):
    """The points with nobody probed: by policy and case."""
    return five(quantity, index).at(policy=policies, limit=0)


def less_isolation(policies):
    """By the word for a measure: the points with nobody probed, less HPRS with GPPS."""
    found = {}
    for word, (quantity, g) in MEASURES.items():
        values = [getattr(horizontal(case), quantity) for case in ALL_CASES]
        known = exact(values if g is None else [each[g] for each in values], case=ALL_CASES)
        found[word] = none_probed(quantity, policies, g) - known
    return found


@check("thesis-6-006", policies=("SVP",))
def isolation(policies=("JSQ", "HP", "DVP")):
    """Nobody probed: traffic, shares and paths against Isolation; the control is SVP."""
    sent = [none_probed("traffic", policies, kind).value for kind in (PLACEMENTS, ASKING, MIGRATIONS)]
    paths = grid(policy=policies, case=ALL_CASES).measure(lambda *setting: all(same_path(*setting)))
    return conclude(
        everywhere("the customers of the network", exact(sum(sent), policy=policies, case=ALL_CASES), within(0)),
        everywhere("its utilisation", none_probed(UTILISATION, policies), within(0)),
        everywhere("paths are those of Isolation", paths),
        *(everywhere(f"{word}, less that of HPRS with GPPS,", gap, agrees())
          for word, gap in less_isolation(policies).items()),
        whole=True,
    )  # fmt: skip


@check("thesis-6-007", arrivals="VP")
def partitioning_unseen(arrivals="HP"):
    """SVP with nobody probed; in the control every job arrives in its own subset."""
    svp, which = ("SVP",), ALL_CASES if arrivals == "HP" else WHOLE

    def found(quantity, index=None):
        if arrivals == "HP":
            return none_probed(quantity, svp, index).at(policy="SVP")
        return measured("isolation", quantity, "case", policies=svp, probe_limit=0, arrival_preference="VP", case=WHOLE,
                        index=index).at(policy="SVP")  # fmt: skip

    # Beyond its interval from Isolation, in one measure at least; how many half widths, of what is allowed.
    gaps = (
        less_isolation(svp).values()
        if arrivals == "HP"
        else [found(DEVIATION) - own_processors(DEVIATION).at(case=which)]
    )
    wide = next(iter(gaps)).widened(len(gaps) * len(which))
    away = np.max([np.abs(gap.value).ravel() / (wide * gap.half.ravel()) for gap in gaps], axis=0)
    unseen = found("placed_unknown")
    lower = {word: less_isolation(svp)[word].at(policy="SVP") for word in ("the loss", "the deviation of group 1")}
    return conclude(
        at_each("the placements by rule I5 per unit of time", exact(unseen.value, case=which), larger()),
        at_each("other placements over the network",
                exact(found("traffic", PLACEMENTS).value - unseen.value, case=which), within(1e-9)),
        at_each("how far loss or deviations are beyond the joint intervals from those of Isolation, in these, less 1,",
                exact(away - 1, case=which), larger()),
        *(aside(f"with HP arrivals, {word}, less that of Isolation,", gap) for word, gap in lower.items()),
        aside("guests that rule I2 sends away", none_probed("migrations_by_rule", svp, 0).at(policy="SVP")),
        together="case",
    )  # fmt: skip


def _placed(rules, jobs, g, choose):
    return placement(rules, jobs, g, choose)[1]


def choice_of_place(policy):
    """The largest difference of two laws of the place: with the own processor preferred in ties, and without.

    The own processor is any of three alike; every state with up to five jobs is looked at.
    """
    largest = Fraction(0)
    rules = Partial(policy, HALF, 3, True, "GPPS")
    counts = [(a, b) for a in range(6) for b in range(6 - a)]
    for jobs in itertools.product(counts, repeat=3):
        if sum(map(sum, jobs)) > 5:
            continue
        for g in (0, 1):
            preferring = defaultdict(Fraction)
            for own in range(3):
                known = (own, *(p for p in range(3) if p != own))
                here, told = replace(rules, known=known), tuple(jobs[p] for p in known)
                found = law(functools.partial(_placed, here, told, g))
                for place, chance in found.items():
                    preferring[place] += chance / 3
            alike = defaultdict(Fraction)
            for weight, place in central_rules.placement(rules, jobs, g)[1]:
                alike[place] += weight
            total = sum(alike.values())
            largest = max([largest, *(abs(preferring[p] - alike[p] / total) for p in range(3))])
    return float(largest)


@check("thesis-6-008", limit=1)
def central_if_all_are_probed(limit=9):
    """All nine others probed against the central policies; the control has one probed."""
    usual = {word: as_it_stands(five(name).at(limit=limit) - central(name))
             for word, name in (("the deviation", DEVIATION), ("the loss", LOSS))}  # fmt: skip
    return conclude(
        *(at_each(f"with the usual delay, {word}, less that of the central policy,", gap, within("practically equal"))
          for word, gap in usual.items()),
        provided=[
            everywhere("without delay, the loss", without_delay(LOSS), agrees()),
            *(everywhere(f"without delay, the deviation of group {g + 1}, less that of the central policy,",
                         without_delay(DEVIATION, g) - central(DEVIATION, g), agrees()) for g in (0, 1)),
            *(everywhere(f"that of group {g + 1} on {P} processors, less that of the chain,",
                         small_without_delay(P, DEVIATION, g) - small_chains(P, g), agrees())
              for P in SMALL for g in (0, 1)),
            everywhere("the laws of the place with the own processor preferred in ties and without",
                       cases("policy", ("JSQ", "HP")).measure(choice_of_place), equal(1e-12)),
        ],
    )  # fmt: skip


@check("thesis-6-049", name="I5")
def name_of_the_rule(name="15"):
    """The rules by which the library's SVP goes to processors not known; the control takes the name that is right."""
    by = {
        rule for (_, _, known), jobs, g, svp in every_decision("SVP") for rule, p in svp.placement(known, jobs, g)
        if p is None
    }  # fmt: skip
    return mended(
        fact(f"a rule {name} places jobs on processors not known", name in by, f"no rule {name} places jobs there"),
        fact("I5 alone does", by == {"I5"}, f"{', '.join(sorted(by))} do"),
    )
