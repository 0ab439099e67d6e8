"""Claims of `thesis`, Section 3.5.2: queues that grow without bound beside permanent jobs."""

import functools
import itertools

import numpy as np
from scipy.special import comb

from clustershare.arguments import UnstableError
from clustershare.uniprocessor.analysis import sharing_rule
from clustershare.uniprocessor.chain import distribution, tail
from clustershare.uniprocessor.model import Workload
from compendium.press.findings import check, finding, over_domain
from pages.share_scheduling.one_processor.simulated import refused, widened

FACTORS = (0.1, 0.5, 0.9, 1.0, 1.1, 1.5)  # loads over required shares
LEVEL = 28  # at which chains are cut
ROUNDING = 1e-12


def brought(shares, factors):
    """Loads in proportion to the required shares, a factor each; None where they exceed the processor."""
    loads = np.multiply(shares, factors)
    return loads if loads.sum() < 1 - 1e-9 else None


def own_processor(occupied, permanent, most):
    """The law of the transient jobs of a group alone: n of them depart at the rate r n / (n + permanent)."""
    number = np.arange(most + 1)
    return (1 - occupied) ** (permanent + 1) * comb(number + permanent, permanent) * occupied**number


def law_in_chain(shares, loads, permanent, level):
    """Law of the number of each group in the chain of all numbers, and how far the cut may move it."""
    work = Workload("GPPS", shares, loads, 1.0, permanent)
    transient, probability = distribution(level, work, sharing_rule(work))
    full = transient.sum(axis=0) == level
    laws = [np.bincount(number, probability, level + 1) for number in transient]
    return laws, tail(work, transient[:, full], probability[full])


def grows(policy, shares, loads, permanent, jumps, replications, group=-1):
    """Whether the queue of a group grows over paths of T, 4T and 16T jumps, its arrivals left as they are."""
    means, doubts = [], []
    for length in (jumps, 4 * jumps, 16 * jumps):
        run = {"jumps": length, "warmup": 0, "replications": replications}
        found = refused(policy, shares, tuple(loads), 1.0, permanent, **run).jobs
        means.append(found.value[group])
        doubts.append(found.half_width[group])
    short, middle, long = means
    sure = long - middle > widened(2, replications) * (doubts[1] + doubts[2])
    return bool(sure and long > 1.5 * middle and middle > 1.5 * short)


@check("thesis-3-101", alone=True)
def processors_of_their_own(alone=False):
    """Chains and paths of GPPS against a birth-and-death chain of the group's own speed, and which are refused."""
    gap, refusals, quiet, points, values, doubts = -np.inf, 0, 0, 0, [], []
    for permanent, r in itertools.product((1, 2), (0.05, 0.25, 0.5, 0.75, 0.95)):
        beside = (permanent, 0 if alone else permanent)
        for factors in itertools.product(FACTORS, FACTORS):
            if (loads := brought((r, 1 - r), factors)) is None:
                continue
            overloaded = [g for g in (0, 1) if factors[g] >= 1]
            try:
                Workload("GPPS", (r, 1 - r), loads, 1.0, beside)
                found = []
            except UnstableError as error:
                found = list(error.overloaded)
            points, refusals = points + 1, refusals + (found != overloaded)
        for factors in itertools.product((0.1, 0.5), (0.1, 0.5)):
            laws, bound = law_in_chain((r, 1 - r), np.multiply((r, 1 - r), factors), beside, LEVEL)
            far = [np.abs(law - own_processor(f, permanent, LEVEL)).max() for law, f in zip(laws, factors, strict=True)]
            gap = max(gap, far[0] - bound)
        if 0.2 < r < 0.8:
            for own, other in itertools.product((0.5, 0.9), (0.1, 1.0, 1.1)):
                if (loads := brought((r, 1 - r), (own, other))) is not None:
                    run = {"jumps": 30_000 if own > 0.5 else 8_000, "warmup": 5_000, "replications": 20}
                    jobs = refused("GPPS", (r, 1 - r), tuple(loads), 1.0, beside, **run).jobs
                    values.append(jobs.value[0] - (permanent + 1) * own / (1 - own))
                    doubts.append(jobs.half_width[0])
            for own in (1.0, 1.1, 1.5):
                loads = brought((r, 1 - r), (own, 0.1))
                if loads is not None:
                    quiet += not grows("GPPS", (r, 1 - r), loads, beside, 500, 40, group=0)
    for factors in ((0.1, 0.5, 0.5), (0.5, 0.1, 0.5), (0.5, 0.5, 0.1), (0.1, 0.1, 0.1)):
        shares = np.array((0.5, 0.3, 0.2))
        beside = (1, 0, 0) if alone else (1, 2, 1)
        laws, bound = law_in_chain(shares, shares * factors, beside, LEVEL)
        far = [np.abs(law - own_processor(f, n, LEVEL)).max() for law, f, n in zip(laws, factors, beside, strict=True)]
        gap = max(gap, (far[0] if alone else max(far)) - bound)
    outside = int((np.abs(values) > widened(len(values)) * np.array(doubts)).sum())
    said = "within the bounds" if gap <= ROUNDING else f"off by {gap:.2f}"
    return finding(
        f"{refusals} of {points} points refused otherwise; the law {said}; "
        f"{outside} of {len(values)} simulated means against it; {quiet} queues do not grow from rho_g = r_g on",
        refusals == 0 and gap <= ROUNDING and outside == 0 and quiet == 0,
    )


@functools.cache
def second_grows(policy, share, permanent, load):
    """Whether the queue of group 2 grows at equal loads."""
    return grows(policy, (share, 1 - share), (load / 2, load / 2), permanent, 2_000, 12)


@check("thesis-3-154", numbers=(0,))
def cured_by_less_load(numbers=(1, 2)):
    """Where the queue of group 2 grows at a load of 0.8, and where it still does at 0.5."""
    shares = (0.5 + 1e-9, 0.55, 0.65, 0.7, 0.8, 0.9, 0.99)
    holds, said = [], []
    for permanent in numbers:
        for policy in ("HOL", "UD", "PQ", "GPPS"):
            full, half = ([second_grows(policy, r, permanent, load) for r in shares] for load in (0.8, 0.5))
            holds += [before and not after for before, after in zip(full, half)]
            first = [f"{shares[k.index(True)]:g}" if any(k) else "never" for k in (full, half)]
            said.append(f"{policy} with {permanent}: {first[0]}, {first[1]}")
    bounded = not any(
        second_grows(policy, 0.9, n, load) for policy in ("FCFS", "PS", "PPS") for n in numbers for load in (0.8, 0.5)
    )
    return over_domain(
        f"grows from r_1 = ... on, at a load of 0.8 and of 0.5: {'; '.join(said)}"
        + ("" if bounded else "; others grow too"),
        [found and bounded for found in holds],
    )
