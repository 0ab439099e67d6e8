"""Claims of `thesis`, Sections 5.2 and 5.5.3: groups with processors of their own, against JSQ and HP."""

import functools
import itertools
from fractions import Fraction as F

import numpy as np

from clustershare.dispatch import exact_central
from clustershare.results import NoExactAnswer
from compendium.press import words
from compendium.press.findings import check, finding, over_domain
from pages.share_scheduling.central import beside, simulated
from pages.share_scheduling.central.compiled import Compiled
from pages.share_scheduling.central.guests import HALVES, THIRDS
from pages.share_scheduling.central.printed_rules import Rules
from pages.share_scheduling.central.reached import deviations, law, path, reached

LOCAL = ("PS", "GPPS")


@check("thesis-5-105", changed=("I2 again",))
def one_job_moves(changed=()):
    """States before and after the events of paths, and after all events in the library."""
    events, most, wrong = 0, 0, 0
    for shares in (THIRDS, (F(1, 2), F(1, 3), F(1, 6))):
        for policy, local, lasting in itertools.product(("JSQ", "HP", "SVP", "DVP"), LOCAL, ((), (2,))):
            rules = Rules(policy, shares, 3, True, local, changed=changed)
            for step in path(rules, (0.8 / 3,) * 3, 600, 105, lasting):
                events += 1
                moves = _moved(step.before, step.outcome.state, step.group, step.processor)
                most, wrong = max(most, moves), wrong + (moves < 0)
        for policy in ("JSQ", "HP", "SVP", "DVP"):
            rules, compiled = Rules(policy, shares, 3, True, changed=changed), Compiled(policy, shares, 3, True)
            for jobs, happening in reached(rules, 4, like=True).items():
                for event in happening:
                    ends = set(compiled.outcomes(jobs, event.group, event.processor))
                    for to in ends.union(outcome.state for outcome in event.outcomes):
                        moves = _moved(jobs, to, event.group, event.processor)
                        most, wrong = max(most, moves), wrong + (moves < 0)
    return finding(
        f"jobs that moved at an event: at most {most}; totals not kept: {wrong}, in {events} events of paths and all "
        f"events in the states with up to 4 jobs",
        most == 1 and not wrong,
    )


def _moved(before, after, g, q):
    """How many jobs moved at an event, the fewest that explain the states; -1 if others came or went."""
    change = np.subtract(after, before)
    come = change[:, g].copy()
    if q is not None:
        change[q, g] += 1
        return -1 if change.sum(axis=0).any() else int(change.clip(0).sum())
    if come.sum() != 1 or np.delete(change, g, axis=1).sum(axis=0).any():
        return -1
    return int(change.clip(0).sum()) - 1  # one of them is the job that came


def _met(jobs):
    """Processors that serve jobs of more than one group."""
    return sum(sum(count > 0 for count in row) > 1 for row in jobs)


@functools.cache
def _meeting(policy, local, P, load, most_jobs=None):
    """The mean number of processors with jobs of more than one group, by the printed rules."""
    cut = most_jobs or (9 if P == 3 else 20 if policy in ("SVP", "DVP") else 14)
    found = law(Rules(policy, HALVES, P, local=local), (load / 2, load / 2), cut)
    if found.lost >= 1e-3:
        raise NoExactAnswer(f"The chain of {policy} is cut too early: {found.lost:.2g} is lost.")
    return found.mean(_met)


def _counted(policy):
    """The same by the library."""
    common = {"required_shares": (0.5, 0.5), "loads": (0.1, 0.1), "processors": 2, "most_jobs": 9}
    return exact_central(policy, **common).mixed_processors.sum()


@check("thesis-5-125", vertical=("HP",))
def groups_meet_less(vertical=("SVP", "DVP")):
    """Processors on which groups meet, under each policy."""
    ratios, alone = {2: [], 3: []}, 0.0
    for P, loads in ((2, (0.2, 0.4, 0.6)), (3, (0.2, 0.4))):
        for load, local, policy, other in itertools.product(loads, LOCAL, vertical, ("JSQ", "HP")):
            own = _meeting(policy, local, P, load)
            ratios[P].append(own / _meeting(other, local, P, load))
            alone = max(alone, own) if P == 2 else alone
    counted = max(abs(_counted(policy) - _meeting(policy, "PS", 2, 0.2, 9)) for policy in ("JSQ", "HP", "SVP", "DVP"))
    return over_domain(
        f"the library's chain counts {'the same' if counted < 1e-9 else 'others'}; processors with several groups, "
        f"against JSQ and HP: on two processors "
        f"{'none' if alone <= 1e-9 else f'up to {max(ratios[2]):.2f} of those there'}, on three "
        f"{min(ratios[3]):.2f} to {max(ratios[3]):.2f} of them",
        [
            words.allows("much", 1 - ratio) and (P == 3 or alone <= 1e-9) and counted < 1e-9
            for P, found in ratios.items()
            for ratio in found
        ],
    )


@check("thesis-5-126", policies=("SVP",))
def not_with_the_others(policies=("JSQ", "HP")):
    """A state and a load at which a group gets less than it should."""
    right, said = True, []
    for policy, local in itertools.product(policies, LOCAL):
        rules = Rules(policy, HALVES, 2, local=local)
        worst = max(max(deviations(rules, jobs)) for jobs in reached(rules, 4))
        mean = 0.0
        for loads in ((0.05, 0.45), (0.1, 0.4), (0.2, 0.3)):
            if mean <= 1e-6:  # one of them is enough
                most_jobs = int(np.log(5e-4) / np.log(2 * max(loads))) if policy == "SVP" else 11
                found = exact_central(
                    policy, local=local, required_shares=(0.5, 0.5), loads=loads, processors=2, most_jobs=most_jobs
                )  # fmt: skip
                mean = max(mean, found.group_share_deviation.max())
        right &= worst > 0.1 and mean > 1e-6
        said.append(
            f"{policy}/{local} up to {worst:.2f}, {f'in the mean {mean:.3f}' if mean > 1e-6 else 'none in the mean'}"
        )
    return finding("; ".join(said), right)


@functools.cache
def _two_by_law(load):
    """JSQ on two processors: the law of the number of jobs, and the loss, of one group alone."""
    found = law(Rules("JSQ", (F(1),), 2), (load,), 100)
    numbers = np.bincount([sum(map(sum, jobs)) for jobs in found.states], found.probability)
    return numbers, found.capacity_loss


def _of_subset(k, load):
    """The law of the number of jobs in a subset of k processors, and the loss within it."""
    return (load ** np.arange(101) * (1 - load), 0.0) if k == 1 else _two_by_law(load)


@check("thesis-5-127", alone=True)
def idle_elsewhere(alone=False):
    """The loss of the whole system against those within the subsets, weighted by the shares."""
    margins = {}
    for k, groups in ((1, 1), (2, 1)) if alone else ((1, 2), (1, 3), (2, 2)):
        for load in np.round(np.arange(1, 10) / 10, 12):
            numbers, within = _of_subset(k, load)
            total = functools.reduce(np.convolve, [numbers] * groups)
            busy = np.minimum(np.arange(len(total)), k * groups) @ total / (k * groups)
            margins[k, groups, load] = busy - load * total.sum() - within
    worst, gap = min(margins, key=margins.get), 0.0
    for load in () if alone else (0.1, 0.2, 0.3):
        common = {"required_shares": (0.5, 0.5), "loads": (load / 2, load / 2), "processors": 2, "most_jobs": 20}
        gap = max(gap, abs(exact_central("SVP", **common).capacity_loss - margins[1, 2, load]))
    return finding(
        f"loss beyond that within the subsets: {min(margins.values()):.4f} to {max(margins.values()):.4f}, least for "
        f"{worst[1]} groups with {worst[0]} each at load {worst[2]:g}; the library's chain "
        f"{'agrees' if gap < 1e-6 else f'is off by {gap:.2g}'}",
        min(margins.values()) > 1e-6 and gap < 1e-6,
    )


@check("thesis-5-132", systems=("two groups",))
def worth_of_the_first_rule(systems=("three processors", "six processors")):
    """Processors with a guest beside others, with rule M1 and without."""
    loads, margins, said = (0.5, 0.7, 0.9), [], []
    wide = simulated.joint(4 * len(loads))
    for system in systems:
        rows = beside.mixed(system, loads, ("SVP", "SVP without M1"))
        (own, width), (other, other_width) = (
            rows[rows["rule"] == rule].sort_values("load")[["estimate", "half_width"]].to_numpy().T
            for rule in ("SVP", "SVP without M1")
        )
        margins += list(other - own - wide * (width + other_width))
        said.append(f"{system}: {', '.join(f'{a:.5f} and {b:.5f}' for a, b in zip(own, other))}")
    return over_domain(f"at loads 0.5, 0.7, 0.9, with M1 and without, {'; '.join(said)}", np.array(margins) > 0)
