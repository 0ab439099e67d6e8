"""Claims of `thesis`, Sections 6.7.1 and 7.1, on the two ends: nobody is probed, or everybody."""

import functools
import itertools
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction

import numpy as np

from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, grid
from compendium.press.clauses.conditions import agrees, equal, larger, within
from compendium.press.findings import check
from pages.share_scheduling.central import printed_rules as central_rules
from pages.share_scheduling.distributed.points.limits import (
    SMALL,
    WHOLE,
    central,
    five,
    small_chains,
    small_without_delay,
    without_delay,
)
from pages.share_scheduling.distributed.points.stored import (
    ASKING,
    DEVIATION,
    LOSS,
    MIGRATIONS,
    PLACEMENTS,
    UTILISATION,
    as_it_stands,
    measured,
)
from pages.share_scheduling.distributed.printed.rules import Partial, law, placement
from pages.share_scheduling.distributed.systems import ALL_CASES
from pages.share_scheduling.distributed.witnesses.alone import horizontal, own_paths, own_processors, same_path

HALF = (Fraction(1, 2), Fraction(1, 2))
MEASURES = {"the loss": (LOSS, None), "the deviation of group 1": (DEVIATION, 0), "that of group 2": (DEVIATION, 1)}


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


@check("thesis-7-011", case=3)
def local_policy_is_nothing(case=None):
    """Isolation with VP arrivals under PS and GPPS by the plain loop; in the control two processors have two owners."""
    rules, rng = Partial("JSQ", HALF, 2, True, "PS"), np.random.default_rng(711)
    other = replace(rules, local="GPPS")
    states = cases("state", [(count,) for count in rng.integers(1, 50, 100).tolist()], seed=711)
    same = cases("case", WHOLE if case is None else (case,)).measure(
        lambda case: own_paths(case, "PS") == own_paths(case, "GPPS")
    )
    return conclude(
        everywhere("PS and GPPS give the same path of 10000 events", same),
        everywhere("a group alone has the same shares",
                   states.measure(lambda count: rules.served(0, (count, 0)) == other.served(0, (count, 0)))),
        whole=True,
    )  # fmt: skip
