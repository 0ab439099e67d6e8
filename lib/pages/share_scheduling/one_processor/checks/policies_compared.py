"""Claims of `thesis`, Section 3.5, on several policies at once: which act alike, and which does better everywhere."""

import functools

import numpy as np

from clustershare import uniprocessor
from clustershare.compiled import service
from clustershare.uniprocessor.analysis import RULES
from clustershare.uniprocessor.chain import distribution
from clustershare.uniprocessor.model import Workload
from compendium.press.findings import check, finding, over_domain
from compendium.press.words import allows
from pages.share_scheduling.one_processor.simulated import outside, widened
from pages.share_scheduling.one_processor.systems import FRACTIONS, SHARES, SPLITS, beside_permanent_jobs, two_groups
from pages.share_scheduling.one_processor.witnesses.paths import averages

RUN = {"jumps": 30_000, "warmup": 5_000, "replications": 20}
ONE_LINE, ONE_SHARING = ("FCFS", "HOL", "PQ"), ("PS", "PPS")


def several_groups(count, seed, sizes=(3, 4, 5), busiest=0.95):
    """Random systems: required shares, loads, unequal service rates and permanent jobs, none in every other system."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        groups = sizes[number % len(sizes)]
        shares = rng.dirichlet(np.ones(groups)) + 0.05
        loads = rng.dirichlet(np.ones(groups)) * rng.uniform(0.02, busiest)
        permanent = rng.integers(3, size=groups) * (number % 2)
        yield shares / shares.sum(), loads, rng.uniform(0.3, 3, groups), permanent


def beside_the_rest(policy, group, shares, loads, permanent):
    """The exact deviation of a group in a system of two: it and the others, under PQ those above, as one group."""
    others = shares > shares[group] if policy == "PQ" else np.arange(len(shares)) != group
    rest = np.flatnonzero(others)
    order = (0.4, 0.6)  # the others first, which counts under PQ
    rates, lasting = (loads[group], loads[rest].sum()), (int(permanent[group]), int(permanent[rest].sum()))
    found = uniprocessor.exact(policy, order, rates, 1.0, lasting)
    return found.probability_present[0] - found.obtained_share[0] / shares[group]


def exactly_as_two(unequal):
    """How far FCFS, PS and PQ are from the system in which the others, or those above, are one group."""
    gaps = dict.fromkeys(("FCFS", "PS", "PQ"), 0.0)
    for shares, loads, services, permanent in several_groups(24, 135):
        for policy in gaps:
            rates = services if policy == "PS" or (policy == "FCFS" and unequal) else np.ones(len(shares))
            lasting = permanent if policy == "PS" or (policy == "FCFS" and not unequal) else 0 * permanent
            found = uniprocessor.exact(policy, shares, loads * rates, rates, lasting).group_share_deviation
            for group in range(len(shares)):
                alone = beside_the_rest(policy, group, shares, loads, lasting)
                gaps[policy] = max(gaps[policy], abs(alone - found[group]))
    return gaps


@functools.cache
def as_two_at_best():
    """How far the other policies are from it, all others as one group, beyond what a chain or a simulation may be off.

    Of UD, which is simulated, few systems; of PPS and GPPS those whose chains are short.
    """
    gaps = {}
    for policy, count, busiest in (("HOL", 100, 0.95), ("UD", 3, 0.95), ("PPS", 12, 0.75), ("GPPS", 12, 0.75)):
        gaps[policy] = 0.0
        for number, (shares, loads, *_) in enumerate(several_groups(count, 136, (3,), busiest)):
            for group in (None, 0, 1, 2):
                system = shares, loads
                if group is not None:
                    system = (shares[group], 1 - shares[group]), (loads[group], loads.sum() - loads[group])
                if policy == "UD":
                    result = uniprocessor.simulate(policy, *system, **RUN, seed=number).group_share_deviation
                    value, doubt = result.value, widened(9 * count) * result.half_width
                else:
                    result = uniprocessor.exact(policy, *system, tolerance=1e-2)
                    value, doubt = result.group_share_deviation, np.full(len(system[0]), result.error)
                if group is None:
                    found, errors = value, doubt
                else:
                    gaps[policy] = max(gaps[policy], abs(value[0] - found[group]) - doubt[0] - errors[group])
    return gaps


@check("thesis-3-135", unequal=True)
def several_groups_as_one(unequal=False):
    """Systems of three to five groups against systems of two: exact and simulated; the control has unequal rates."""
    gaps = exactly_as_two(unequal)
    against = 0
    for policy in ("FCFS", "PS", "PQ"):
        systems, expected = [], []
        for shares, loads, services, _ in several_groups(8, 137, (3,)):
            rates = services if policy == "PS" or (unequal and policy == "FCFS") else np.ones(3)
            systems.append({"required_shares": shares, "arrival_rates": loads * rates, "service_rates": rates})
            none = np.zeros(3, dtype=int)
            expected.append([beside_the_rest(policy, group, shares, loads, none) for group in range(3)])
        against += outside(policy, systems, expected, seed=135, jumps=15_000, warmup=3_000)
    exactly = max(gaps.values()) <= 1e-9 and against == 0
    others = as_two_at_best()
    like = sum(gap <= 1e-9 for gap in gaps.values()) + sum(allows("close", gap) for gap in others.values())
    said = ", ".join(f"{policy} {gap:.2f}" for policy, gap in others.items())
    return over_domain(
        f"{'FCFS, PS and PQ equal within 1e-9' if exactly else 'not equal'}; the largest differences of the others: "
        f"{said}; {like} of seven equal or close",
        [exactly, like >= 4],
    )


@functools.cache
def shown(policy, figure):
    """The larger exact deviation at the points of a figure, the ends of its axis left out, and the chains' bound."""
    systems = {
        "3.5": [two_groups(x) for x in FRACTIONS],
        "3.8": [two_groups(x, required_share=0.51) for x in SPLITS],
        "3.10": [two_groups(0.5, required_share=r) for r in SHARES[1:]],
        "3.12": [beside_permanent_jobs(policy, r, 1) for r in SHARES[1:]],
        "3.14": [beside_permanent_jobs(policy, r, 2) for r in SHARES[1:]],
    }[figure]
    found = [uniprocessor.exact(policy, **system, tolerance=1e-5) for system in systems]
    values = np.array([np.nanmax(result.group_share_deviation) for result in found])
    return values, max(result.error for result in found)


@check("thesis-3-136", policy="PQ")
def none_can_match(policy="GPPS"):
    """GPPS below PS and below PPS at the points of five figures; the control has PQ in its place."""
    holds, margins = [], {}
    for figure in ("3.5", "3.8", "3.10", "3.12", "3.14"):
        value, error = shown(policy, figure)
        gaps = []
        for other in ONE_SHARING:
            against, more = shown(other, figure)
            gaps.append(against - value - error - more)
        margins[figure] = np.min(gaps, axis=0)
        holds += list(margins[figure] > 0)
    said = ", ".join(f"{found.min():.3f} in {figure}" for figure, found in margins.items())
    return over_domain(f"smallest margin {said}; against it at {len(holds) - sum(holds)} of {len(holds)} points", holds)


def departures(policy, shares, loads, services, permanent, seed):
    """Group, arrival and departure of the jobs that leave along a path of one seed."""
    found = averages(shares, (loads * services).tolist(), services, permanent, policy=policy, events=400, seed=seed)
    return np.array([(job.group, job.arrival, job.departure) for job in found.left])


@check("thesis-3-137", tilt=0.01)
def as_first_come_or_sharing(tilt=0.0):
    """Equal required shares: the same departures job by job, the same chain, and the same curves."""
    paths_apart, jobs, chains_apart = 0, 0, 0.0
    for number, (_, loads, services, permanent) in enumerate(several_groups(12, 138, (2, 3, 4))):
        groups = len(loads)
        shares = np.full(groups, 1 / groups)
        shares[[0, -1]] += tilt, -tilt
        services = services if number % 4 > 1 else np.ones(groups)
        for alike in (ONE_LINE, ONE_SHARING):
            first, *others = (departures(name, shares, loads, services, permanent, number) for name in alike)
            jobs += len(first)
            paths_apart += sum(
                len(first) != len(other) or not np.allclose(first, other, 1e-12, 1e-12) for other in others
            )
        work = Workload("PPS", shares, loads * services, services, permanent)
        laws = [
            distribution(
                {2: 30, 3: 10, 4: 6}[groups],
                work,
                lambda numbers, code=code, work=work: service.divide_each(
                    code, work.required_shares, numbers + work.permanent_jobs[:, None]
                ),
            )[1]
            for code in (RULES["PPS"], service.PS)
        ]
        chains_apart = max(chains_apart, np.abs(laws[0] - laws[1]).max())
    curves_apart = 0.0
    for x in FRACTIONS:
        system = two_groups(x, required_share=0.5 + tilt)
        for alike in (ONE_LINE, ONE_SHARING):
            for name in ("group_share_deviation", "job_share_deviation"):
                values = [getattr(uniprocessor.exact(policy, **system, tolerance=1e-4), name) for policy in alike]
                curves_apart = max(curves_apart, np.ptp(values, axis=0).max())
    system = two_groups(0.3, required_share=0.5 + tilt)
    simulated = [uniprocessor.simulate(name, **system, jumps=20_000, seed=1).obtained_share.value for name in ONE_LINE]
    kernels = np.ptp(simulated, axis=0).max() == 0
    return finding(
        f"paths apart: {paths_apart}, of {jobs} departures; chains {'equal' if chains_apart <= 1e-9 else 'apart'} and "
        f"curves {'one' if curves_apart <= 1e-9 else 'apart'}; simulations {'the same' if kernels else 'not the same'}",
        bool(paths_apart == 0 and chains_apart <= 1e-9 and curves_apart <= 1e-9 and kernels),
    )
