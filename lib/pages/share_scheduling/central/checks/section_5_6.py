"""Claims of `thesis`, Section 5.6: loads, when problems arise, and permanent jobs under GPPS, without migration."""

import functools
import itertools
import random
from dataclasses import replace
from fractions import Fraction
from math import ceil

import numpy as np

from clustershare import shares, splitting
from clustershare.compiled import service
from clustershare.dispatch import exact_central, kernel, state
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, fact, grid, somewhere
from compendium.press.clauses.conditions import at_least, at_most, equal, larger
from compendium.press.findings import check
from pages.share_scheduling.central.points import by_case as points
from pages.share_scheduling.central.points import simulated
from pages.share_scheduling.central.points.by_case import CASES, LOSS, SPREAD
from pages.share_scheduling.central.points.growing import PROCESSORS
from pages.share_scheduling.central.printed.rules import Rules, changed_by, outcomes, placement
from pages.share_scheduling.central.systems import LOADS, LOCAL, POLICIES
from pages.share_scheduling.central.witnesses import groups_apart
from pages.share_scheduling.central.witnesses.compiled import library
from pages.share_scheduling.central.witnesses.reached import drawn

SYSTEMS, TERMINATIONS = 100, 25
EXACT = 1e-12


def random_systems(count=SYSTEMS):
    """Processors and required shares, not all equal: r_g P whole in every second system."""
    rng, found = random.Random(5029), []
    while len(found) < count:
        P, G = rng.randint(2, 6), rng.choice((2, 3))
        whole = P * (1 if len(found) % 2 else rng.randint(2, 7))  # the parts that are given out
        if whole < G:
            continue
        cuts = [0, *sorted(rng.sample(range(1, whole), G - 1)), whole]
        required = tuple(Fraction(high - low, whole) for low, high in itertools.pairwise(cuts))
        if len(set(required)) == 1 or (len(found) % 2 == 0 and all((share * P).denominator == 1 for share in required)):
            continue
        found.append((P, required))
    return found


@check("thesis-5-029", told="of the next group")
def permanent_jobs_comply(told="own"):
    """Paths of permanent jobs by the printed rules; the control tells the policy the shares of the next groups."""

    def largest(policy, number, P, required):
        rules = Rules(policy, required if told == "own" else (*required[1:], required[0]), P, local="GPPS")
        least = [P if policy == "HP" else ceil(share * P) for share in required]
        jobs = [bound + (0, 1, 3)[number // 2 % 3] for bound in least]
        return largest_deviation(rules, required, jobs, random.Random(number))

    systems = list(enumerate(random_systems()))
    found = {
        f"under {policy}, {'whole' if odd else 'fractional'} r_g P,": cases(
            "random system", [(policy, k, *system) for k, system in systems if k % 2 == odd], seed=5029
        ).measure(largest)
        for policy in ("HP", "SVP", "DVP") for odd in (0, 1)
    }  # fmt: skip
    unlike = sum(each["unlike"].value.sum() for each in found.values())
    return conclude(
        *(at_each(f"the largest deviation {how}", each["deviation"], at_most(EXACT)) for how, each in found.items()),
        provided=[fact("every placement has the same law and every job the same service in the library", not unlike,
                       "some placements have another law in the library, or some jobs another service")],
    )  # fmt: skip


def largest_deviation(rules, required, jobs, rng):
    """Of any group at any time, once all permanent jobs are there, and what the library places or serves otherwise.

    Returns
    -------
    dict
    """
    coming = [g for g, count in enumerate(jobs) for _ in range(count)]
    rng.shuffle(coming)
    system, places, unlike = rules.empty, [], 0
    for g in coming:
        unlike += library(rules).outcomes(system, g) != outcomes(rules, system, g)
        system = placed(rules, system, g, rng, places)
    largest, unlike = deviation(rules, required, system), unlike + served_otherwise(rules, system)
    for _ in range(TERMINATIONS):
        # A job ends where it is served, and the faster the sooner; permanent jobs of a group on a processor are alike.
        rates = [float(rules.served(p, system[p])[g]) / system[p][g] for g, p in places]
        g, p = places.pop(rng.choices(range(len(places)), rates)[0])
        system = changed_by(system, p, g, -1)
        unlike += library(rules).outcomes(system, g) != outcomes(rules, system, g)
        system = placed(rules, system, g, rng, places)
        largest, unlike = max(largest, deviation(rules, required, system)), unlike + served_otherwise(rules, system)
    return {"deviation": largest, "unlike": unlike}


def served_otherwise(rules, system):
    """Whether the library serves groups otherwise than the printed rules do."""
    printed = np.array([rules.served(p, row) for p, row in enumerate(system)], float)
    return bool(np.abs(library(rules).served(system) - printed).max() > EXACT)


def placed(rules, system, g, rng, places):
    """The state after an arrival, whose place is noted."""
    _, choices = placement(rules, system, g)
    p = drawn(rng, choices)
    places.append((g, p))
    return changed_by(system, p, g, 1)


def deviation(rules, required, system):
    """The largest Delta_g(t), with feasible and obtained shares of the required ones."""
    told = replace(rules, shares=required) if rules.shares != required else rules
    return max(
        float((told.feasible(system, g) - rules.obtained(system, g)) / share) for g, share in enumerate(required)
    )


@check("thesis-5-141", balance="group")
def spread_of_permanent_jobs(balance="system"):
    """All placements of P and k P jobs in system balance; the control takes those in group balance."""

    def placements(P, k, first):
        required, found, reached, gap = np.array([first, 1 - first]), [], [], 0.0
        for ones in itertools.combinations_with_replacement(range(k + 2), P):
            if sum(ones) == P and (balance == "system" or set(ones) == {1}):
                jobs = [(one, k + 1 - one) for one in ones]
                found.append(by_library(required, jobs))
                gap = max(gap, np.abs(found[-1] - by_hand(required, jobs)).max())
                reached.append(may_stand(tuple(jobs)))
        largest = [kept.max() for kept in found]
        return {"range": max(largest) - min(largest), "gap": gap, "reached": min(reached)}

    found = grid(P=range(2, 7), k=range(1, 5), share=(0.5, 0.75)).measure(placements)
    return conclude(
        somewhere("the range of the deviation over the placements", found["range"], at_least("much")),
        everywhere("the deviations of the simulator and by hand", found["gap"], equal(EXACT)),
        fact("the library's JSQ may bring about every placement", found["reached"].value.all(),
             "the library's JSQ cannot bring about some placements"),
        aside("the largest range", found["range"].largest("P").largest("k")),
        whole=True,
    )  # fmt: skip


@functools.cache
def may_stand(jobs):
    """Whether the library's JSQ may place jobs so, one on every processor in turn, each with those of group 1 first."""
    rules = Rules("JSQ", (Fraction(1, 2),) * 2, len(jobs))
    system = rules.empty
    for round_of_jobs in zip(*((0,) * ones + (1,) * others for ones, others in jobs)):
        for p, g in enumerate(round_of_jobs):
            before, system = system, changed_by(system, p, g, 1)
            if system not in library(rules).outcomes(before, g):
                return False
    return True


def by_library(required, jobs):
    """Delta_g of all groups in a state under GPPS, as the simulator of the figures keeps it."""
    P = len(jobs)
    system = state.empty(
        service.GPPS, required, np.full(P, 1 / P), np.tile(required, (P, 1)), by_group=False, timed=False
    )
    kernel.bring(system, np.array(jobs))
    feasible, obtained, _, _ = state.of_groups(system.level).T
    return (feasible - obtained) / required


def by_hand(required, jobs):
    """The same, from the groups that are present on each processor."""
    weights = (np.array(jobs) > 0) * required
    obtained = np.mean(weights / weights.sum(axis=1, keepdims=True), axis=0)
    present, P = np.sum(jobs, axis=0), len(jobs)
    allowed = [shares.feasible_group_share(share, int(n), P) for share, n in zip(required, present)]
    return (np.array(allowed) - obtained) / required


@check("thesis-5-140", one_group=True)
def neither_too_low_nor_too_high(one_group=False):
    """The ends of each curve against half of its peak; in the control one group brings all, under SVP on two."""
    curves = {
        "the loss on two processors": points.of("two processors", LOSS), "the loss on ten": points.of("case 1", LOSS),
        "the deviation on ten": points.of("case 1"),
    }  # fmt: skip
    if one_group:  # one processor with all jobs, and one with none
        curves = {"the loss": cases("load", LOADS).measure(
            lambda load: splitting.vertical((0.5, 0.5), (0, load), 2).capacity_loss
        )}  # fmt: skip
    return conclude(
        *(
            at_each(f"half of the largest value of {name} less that at the load {end:g}",
                    found.largest("load").scaled(0.5) - found.at(load=end), at_least(0))
            for name, found in curves.items() for end in (LOADS[0], LOADS[-1])
        ),
        *(at_each(f"the largest value of {name}", found.largest("load"), larger(0.01))
          for name, found in curves.items()),
    )  # fmt: skip


@check("thesis-5-142", in_time=True)
def loads_are_obtained(in_time=False):
    """Chains and simulated points; the control takes sizes for times on a processor of capacity 1 / P."""

    def gap(policy, load):
        loads, jobs, probability = groups_apart.solved(policy, False, "PS", 0.7, load)
        return np.abs(
            probability @ groups_apart.obtained(jobs, "PS", None).sum(axis=1) - loads / (2 if in_time else 1)
        ).max()

    def library(policy, local):
        loads = np.array([0.03, 0.07])
        found = exact_central(
            policy, local=local, required_shares=(0.7, 0.3), loads=loads, processors=2, most_jobs=8
        )  # fmt: skip
        return np.abs(found.obtained_share - loads / (2 if in_time else 1)).max()

    found = grid(policy=SPREAD, load=(0.1, 0.2, 0.3, 0.4, 0.5)).measure(gap)
    figures = {name: (name, False) for name in CASES}
    figures |= {f"{name}, migration": (name, True) for name in tuple(CASES)[1:]}
    return conclude(
        everywhere("what a group brings and what it obtains, by chains", found, equal(1e-6)),
        everywhere("these by the library's chain", grid(policy=POLICIES, local_policy=LOCAL).measure(library),
                   equal(1e-6)),
        points.obtained_less_loads(figures, total=True, beside=_of_figure_5_11()),
        whole=True,
    )  # fmt: skip


def _of_figure_5_11():
    """What groups obtain less their loads, each and both: the stored points of JSQ with PS on up to 100 processors."""

    def less(P, which):
        rows = simulated.along("load", LOADS, False, policies=("JSQ",), local=("PS",), processors=P)
        first, second = (points.of_rows(rows, "load", "obtained_share", group=g) for g in (0, 1))
        found = {"group 1": first, "group 2": second, "both groups": first.less(-second, np.add)}[which]
        return found - np.array(LOADS) / (1 if which == "both groups" else 2)

    return grid(number_of_processors=PROCESSORS, share_of=("group 1", "group 2", "both groups")).measure(less)
