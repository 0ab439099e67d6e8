"""No information: jobs stay where they arrive, so that random splitting answers, the plain loop, or GPPS queues."""

import functools
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np

from clustershare import splitting
from clustershare.dispatch import arrival_law
from clustershare.dispatch.distributed_cluster import Cluster
from clustershare.dispatch.distributed_plan import plan_of
from clustershare.estimates import from_replications
from clustershare.splitting.groups import laws_on_one_processor
from compendium.press import clauses
from compendium.press.clauses import at_each, everywhere, exact
from compendium.press.clauses.conditions import agrees, larger
from pages.share_scheduling.distributed.points.limits import five
from pages.share_scheduling.distributed.points.stored import DEVIATION, LOSS, WORDS, measured
from pages.share_scheduling.distributed.systems import ALL_CASES, CASES, LIMITS, of_case
from pages.share_scheduling.distributed.witnesses.event_loop import PrintedNetwork
from pages.share_scheduling.distributed.witnesses.parts import Setting, histories

PROCESSORS = 10
WHOLE = (1, 2)  # the cases in which each group requires whole processors
EVENTS = 10_000  # of a policy's paths, in all cases together


@functools.cache
def horizontal(case):
    """HPRS with GPPS: `clustershare.splitting.SplitShares`."""
    return splitting.horizontal(*CASES[case], [1 / PROCESSORS] * PROCESSORS, "GPPS")


def by_chance(quantity):
    """Isolation with HP arrivals, by case, exact but for a chain's error."""
    values = [np.max(getattr(horizontal(case), quantity)) for case in ALL_CASES]
    return exact(values, as_it_stands=quantity == DEVIATION, case=ALL_CASES)


def nobody_asked():
    """Clauses that stored points of policies which ask nobody, but for SVP, are those of Isolation."""
    return [
        everywhere(f"{word} with nobody asked, less that of Isolation,",
                   five(quantity).at(policy=("JSQ", "HP", "DVP"), limit=0) - by_chance(quantity), agrees())
        for quantity, word in WORDS.items()
    ]  # fmt: skip


@functools.cache
def own_processors(quantity):
    """Isolation with VP arrivals: VPRS, exact, where each group requires whole processors; else simulated."""
    found = measured(
        "isolation", quantity, "case", policies=("Isolation",), probe_limit=0, arrival_preference="VP", case=ALL_CASES
    ).at(policy="Isolation")
    values, halves = found.value.copy(), found.half.copy()
    for case in WHOLE:
        alone = splitting.vertical(*CASES[case], PROCESSORS)
        values[ALL_CASES.index(case)], halves[ALL_CASES.index(case)] = np.max(getattr(alone, quantity)), 0.0
    return replace(found, value=values, half=halves)


@functools.cache
def isolated_paths(runs=4, jumps=600):
    """Loss and deviation of Isolation, by case, by the plain event loop, from the empty system: dict of Points.

    Their intervals are wide, for there are so few runs.
    """
    found = {LOSS: [], DEVIATION: []}
    for case, (shares, _) in CASES.items():
        levels = []
        for seed in range(runs):
            path = PrintedNetwork(printed("Isolation", case), np.random.default_rng([case, seed]))
            path.run(jumps)
            levels.append(np.array(path.integrals) / path.now)
        able, used, *of_groups = np.transpose(levels)
        missed = [(of_groups[3 * g] - of_groups[3 * g + 1]) / share for g, share in enumerate(shares)]
        found[LOSS].append(from_replications(able - used))
        found[DEVIATION].append(from_replications(max(missed, key=np.mean)))
    return {
        name: clauses.measured(
            [one.value for one in every], [one.half_width for one in every], runs=runs, as_it_stands=name == DEVIATION,
            case=ALL_CASES,
        ) for name, every in found.items()
    }  # fmt: skip


def at_limits(quantity, limits, plain=False):
    """The points of Figures 6.1 and 6.2 at some limits, or Isolation by the plain event loop in their place."""
    if not plain:
        return five(quantity).at(limit=limits)
    return isolated_paths()[quantity] - exact(np.zeros(len(LIMITS)), limit=LIMITS).at(limit=limits)


def clearly_below_isolation(limits, plain=False):
    """Clauses: at these limits loss and deviation are clearly below those of Isolation; arguments as of `at_limits`."""
    return [
        at_each(f"{word} of Isolation, less that with few asked,",
                by_chance(quantity) - at_limits(quantity, limits, plain), larger("clear"))
        for quantity, word in WORDS.items()
    ]  # fmt: skip


def printed(policy, case):
    """The plain, slow system of one of the five cases with nobody probed."""
    shares, loads = CASES[case]
    return Setting(policy, tuple(map(Fraction, shares)), loads, PROCESSORS, 0)


def path(policy, case, jumps):
    """A path of the plain event loop from the empty system; its random numbers depend on the case alone."""
    found = PrintedNetwork(printed(policy, case), np.random.default_rng(case))
    found.run(jumps)
    return found


@functools.cache
def own_paths(case, local):
    """What happens to jobs under Isolation with VP arrivals, as `parts.histories` lists it."""
    setting = replace(printed("Isolation", case), arrival="VP", local=local)
    found = PrintedNetwork(setting, np.random.default_rng(case))
    while len(found.events) < EVENTS:
        found.step()
    return histories(found.events)


def same_under_both(case):
    """Whether the library's Isolation with VP arrivals takes one path under PS and under GPPS, but for rounding."""
    pair = [
        Cluster(plan_of(**of_case("Isolation", case, probe_limit=0, arrival_preference="VP", local=local)),
                np.random.default_rng(case))
        for local in ("PS", "GPPS")
    ]  # fmt: skip
    alike = True
    for _ in range(EVENTS // 100):
        for each in pair:
            each.run(100)
        one, other = pair
        alike &= math.isclose(one.clock[0], other.clock[0], rel_tol=1e-9)
        alike &= one.system.count.tolist() == other.system.count.tolist()
        alike &= one.rng.bit_generator.state == other.rng.bit_generator.state
    return alike


def same_path(policy, case):
    """Whether a policy that probes nobody takes the path of Isolation: in the plain loop, and in the library.

    The plain loop is compared event by event, the library's system at every tenth arrival or departure.
    """
    jumps = EVENTS // 2 // len(CASES)
    mine, alone = (histories(path(name, case, jumps).events) for name in (policy, "Isolation"))
    pair = [
        Cluster(plan_of(**of_case(name, case, probe_limit=0)), np.random.default_rng(case))
        for name in (policy, "Isolation")
    ]
    alike = True
    for _ in range(jumps // 10):
        for each in pair:
            each.run(10)
        one, other = pair
        alike &= one.clock.tolist() == other.clock.tolist()
        alike &= one.system.count.tolist() == other.system.count.tolist()
        alike &= one.rng.bit_generator.state == other.rng.bit_generator.state
    return mine == alone, alike


def routed(case):
    """Isolation with VP arrivals where a processor has two owners, as GPPS queues: loss, and deviations by group.

    To a processor that both have in part one group may send too much; it is then always there, and the other has its
    guaranteed part of it.
    """
    shares, loads = CASES[case]
    law = np.array(arrival_law("VP", shares, PROCESSORS), float)
    brought = PROCESSORS * law * np.array(loads)[:, None]
    missed = []
    for g, share in enumerate(shares):
        numbers, obtained = [], 0.0
        for p in np.flatnonzero(brought[g]):
            number, served = _on_one(shares, brought[:, p], g)
            numbers.append(number)
            obtained += served / PROCESSORS
        feasible = share if any(each is None for each in numbers) else _feasible(share, numbers)
        missed.append((feasible - obtained) / share)
    loss = splitting.capacity_loss([1 / PROCESSORS] * PROCESSORS, brought.sum(axis=0))
    return loss, np.array(missed)


def _on_one(shares, loads, g):
    """The law of a group's number on a processor, None if it grows for ever, and what it is served there."""
    others = loads.sum() - loads[g]
    if loads.sum() < 1:
        if others == 0:
            return (1 - loads[g]) * loads[g] ** np.arange(PROCESSORS), loads[g]
        laws, _, _ = laws_on_one_processor("GPPS", tuple(shares), tuple(loads), (1.0,) * len(loads), None)
        return laws[g][:PROCESSORS], loads[g]
    if loads[g] >= shares[g] or others == 0:
        return None, 1 - others
    ratio = loads[g] / shares[g]  # the other group is always there
    return (1 - ratio) * ratio ** np.arange(PROCESSORS), loads[g]


def _feasible(share, laws):
    """E[min(r, N / P)], N being a sum of independent numbers."""
    law = np.array([1.0])
    for each in laws:
        law = np.convolve(law, each)[:PROCESSORS]
    return share - np.maximum(share - np.arange(len(law)) / PROCESSORS, 0) @ law
