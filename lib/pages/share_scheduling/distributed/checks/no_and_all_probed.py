"""Claims of `thesis`, Sections 6.7.1 and 7.1, on the two ends: nobody is probed, or everybody."""

import functools
import itertools
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction

import numpy as np

from compendium.press.findings import Finding, check, finding, over_domain, yes
from compendium.press.words import SCALE
from pages.share_scheduling.central.printed import rules as central_rules
from pages.share_scheduling.distributed.alone import horizontal, own_paths, own_processors, same_path
from pages.share_scheduling.distributed.limits import (
    SMALL,
    WHOLE,
    at,
    central,
    five,
    of,
    small_chains,
    small_without_delay,
    where,
    without_delay,
)
from pages.share_scheduling.distributed.measured import (
    ASKING,
    DEVIATION,
    LOSS,
    MIGRATIONS,
    PLACEMENTS,
    UTILISATION,
    Measured,
    measured,
    upper,
)
from pages.share_scheduling.distributed.printed_rules import Partial, law, placement
from pages.share_scheduling.distributed.simulated import joint
from pages.share_scheduling.distributed.systems import ALL_CASES, POLICIES

HARDLY = SCALE["practically equal"].most
HALF = (Fraction(1, 2), Fraction(1, 2))


def none_probed(quantity, policies, index=None):
    """The points with nobody probed: shape (policies, cases)."""
    return at(five(quantity, index), 0).part(([POLICIES.index(policy) for policy in policies],))


def apart(policies):
    """Where loss or deviations are not those of HPRS with GPPS: array of bool, shape (policies, cases)."""
    found = np.zeros((len(policies), len(ALL_CASES)), bool)
    wide = joint(3 * found.size)
    for quantity, index in ((LOSS, None), (DEVIATION, 0), (DEVIATION, 1)):
        points = none_probed(quantity, policies, index)
        exact = np.array(
            [
                horizontal(case).capacity_loss if index is None else horizontal(case).group_share_deviation[index]
                for case in ALL_CASES
            ]
        )
        found |= np.abs(points.value - exact) > wide * points.half
    return found


@check("thesis-6-006", policies=("SVP",))
def isolation(policies=("JSQ", "HP", "DVP")):
    """Nobody probed: traffic, shares and paths against Isolation; the control is SVP."""
    sent = sum(none_probed("traffic", policies, kind).value for kind in (PLACEMENTS, ASKING, MIGRATIONS))
    busy = none_probed(UTILISATION, policies).value
    paths = [same_path(policy, case) for policy in policies for case in ALL_CASES]
    differ = apart(policies)
    holds = (sent == 0).all() and (busy == 0).all() and all(map(all, paths)) and not differ.any()
    return finding(
        f"customers of the network {sent.max():g}, utilisation {busy.max():g}; paths of Isolation: "
        f"{sum(map(all, paths))} "
        f"of {len(paths)}; shares and loss outside the joint intervals of HPRS with GPPS at {of(differ)}",
        holds,
    )


@check("thesis-6-007", arrivals="VP")
def partitioning_unseen(arrivals="HP"):
    """SVP with nobody probed; in the control every job arrives in its own subset."""
    if arrivals == "HP":
        unseen, crossing = (
            none_probed(*found) for found in (("placed_unknown", ("SVP",)), ("traffic", ("SVP",), PLACEMENTS))
        )
        differ = apart(("SVP",))[0]
        cases = ALL_CASES
    else:
        unseen, crossing = (
            measured(
                "isolation", *found, "case", policies=("SVP",), probe_limit=0, arrival_preference="VP", case=WHOLE,
                index=index,
            ) for found, index in ((("placed_unknown",), None), (("traffic",), PLACEMENTS))
        )  # fmt: skip
        deviation = measured(
            "isolation", DEVIATION, "case", policies=("SVP",), probe_limit=0, arrival_preference="VP", case=WHOLE
        )
        cases = WHOLE
        exact = own_processors(DEVIATION).value[: len(WHOLE)]
        differ = np.abs(deviation.value[0] - exact) > joint(2) * deviation.half[0]
    placed, others = unseen.value[0], crossing.value[0] - unseen.value[0]
    holds = (placed > 0) & (np.abs(others) < 1e-9) & differ
    guests = none_probed("migrations_by_rule", ("SVP",), 0).value[0]
    lower = [
        ", ".join(
            str(case) for case, mine in zip(cases, none_probed(quantity, ("SVP",)).value[0])
            if mine < np.max(getattr(horizontal(case), quantity))
        ) or "none" for quantity in (LOSS, DEVIATION)
    ]  # fmt: skip
    return over_domain(
        f"placements by I5 {placed.min():.3f} to {placed.max():.3f} a unit of time, others over the network "
        f"{np.abs(others).max():.0g}; another loss or deviation than without it in {of(differ)} cases; with HP "
        "arrivals the "
        f"loss is lower than under Isolation in cases {lower[0]}, the deviation in {lower[1]}; guests sent away by I2 "
        f"{guests.min():.3f} to {guests.max():.3f}",
        holds,
    )


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
    wide = joint(2 * len(POLICIES) * len(ALL_CASES) + 2 * len(SMALL) * len(POLICIES) * len(WHOLE) * 5)
    lossless = without_delay(LOSS)
    equal = [np.abs(lossless.value) <= wide * lossless.half + 1e-12]
    for g in (0, 1):
        difference = without_delay(DEVIATION, g) - central(DEVIATION, g)
        equal.append(np.abs(difference.value) <= wide * difference.half)
    small = []
    for P in SMALL:
        chains = small_chains(P)
        for g in (0, 1):
            points = small_without_delay(P, DEVIATION, g)
            small.append(np.abs(points.value - chains[..., g]) <= wide * points.half + 1e-6)
    laws = max(choice_of_place(policy) for policy in ("JSQ", "HP"))
    exactly = all(each.all() for each in (*equal, *small)) and laws < 1e-12
    close, worst = [], []
    for quantity in (DEVIATION, LOSS):
        found, reference = at(five(quantity), limit), central(quantity)
        difference = found - reference
        gap = Measured(np.abs(difference.value), difference.half)
        close.append(upper(gap, 2 * gap.value.size) <= HARDLY)
        worst.append(gap.value.max())
    near = close[0] & close[1]
    verdict = (
        "agrees"
        if exactly and near.all() and limit == 9
        else "agrees in part"
        if near.any() or (exactly and limit == 9)
        else "differs"
    )
    return Finding(
        f"without delay the central policies' loss and shares at {of(np.array(equal))} numbers, their chains' on 2 and "
        "3 "
        f"processors at {of(np.array(small))}, the same law of the place within 1e-12: "
        f"{yes(laws < 1e-12)}; with the usual "
        "delay "
        f"the deviation is up to {worst[0]:.4f} and the loss up to {worst[1]:.4f} apart, both practically equal at "
        f"{of(near)} ({where(near)})",
        verdict,
    )


@check("thesis-7-011", case=3)
def local_policy_is_nothing(case=None):
    """Isolation with VP arrivals under PS and GPPS by the plain loop; in the control two processors have two owners."""
    cases = WHOLE if case is None else (case,)
    same = [own_paths(each, "PS") == own_paths(each, "GPPS") for each in cases]
    rules = Partial("JSQ", HALF, 2, True, "PS")
    other = replace(rules, local="GPPS")
    rng = np.random.default_rng(711)
    whole = [
        rules.served(0, row) == other.served(0, row)
        for count in rng.integers(1, 50, 100).tolist()
        for row in ((count, 0),)
    ]
    return finding(
        f"the same path of 10000 events: {sum(same)} of {len(same)} cases; the same shares of a group alone in "
        f"{sum(whole)} "
        "of 100 states",
        all(same) and all(whole),
    )
