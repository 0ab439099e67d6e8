"""Claims of `thesis`, end of Section 3.3.1: PQ beside permanent jobs, and with more than two groups."""

import math

import numpy as np

from clustershare import uniprocessor
from clustershare.arguments import UnstableError
from clustershare.results import NoExactAnswer
from clustershare.uniprocessor.chain import distribution, tail
from clustershare.uniprocessor.model import Workload
from compendium.press.findings import check, finding
from pages.share_scheduling.one_processor.printed import deviation_2
from pages.share_scheduling.one_processor.simulated import outside, refused
from pages.share_scheduling.one_processor.witnesses.chains import preemptive
from pages.share_scheduling.one_processor.witnesses.priority_points import off

RUN = {"jumps": 40_000, "warmup": 4000, "replications": 20}


@check("thesis-3-059", above=1)
def permanent_below(above=0):
    """Permanent jobs of group 2 alone: (rho_1 - r_1) / r_2 by the library, the chain of the line and simulations."""
    rng, wrong, gap, bound, chain = np.random.default_rng(59), 0, 0.0, 0.0, 0.0

    def system(most=0.95, r=None):
        r = rng.uniform(0.501, 0.99) if r is None else r
        rho_1 = rng.uniform(0.02, min(0.9, 0.95 * most))
        rho_2, alpha = rng.uniform(0, most - rho_1), 20 ** rng.uniform(-1, 1)
        return r, rho_1, dict(
            required_shares=(r, 1 - r), arrival_rates=(rho_1, rho_2 * alpha), service_rates=(1.0, alpha),
            permanent_jobs=(above, int(rng.integers(1, 4))),
        )  # fmt: skip

    for number in range(1000):
        r, rho_1, arguments = system()
        if number % 10 == 0:
            r = rho_1 = rng.uniform(0.501, 0.9)
            arguments |= {"required_shares": (r, 1 - r), "arrival_rates": (rho_1, 0.01), "service_rates": 1.0}
        value = uniprocessor.exact("PQ", **uniprocessor.limiting("PQ", **arguments)).group_share_deviation[1]
        gap = max(gap, off(value - (rho_1 - r) / (1 - r), 1 / (1 - r)))
        wrong += bool(value <= 1e-9) != (rho_1 <= r)
        if gap > 1e-9 and wrong:  # that is enough to know
            break
    for number in range(6):
        alone = number % 2  # without transient jobs of group 2 the chain is small enough for more load
        r, rho_1, arguments = system(0.3 if alone else 0.1, rng.uniform(0.501, 0.9))
        if alone:
            arguments["arrival_rates"] = (rho_1, 0.0)
        line = uniprocessor.whole_line("PQ", **uniprocessor.limiting("PQ", **arguments), most_jobs=20 if alone else 9)
        bound = max(bound, line.performance.error)
        found = line.performance.group_share_deviation[1]
        chain = max(chain, abs(found - (rho_1 - r) / (1 - r)) - line.performance.error)
    drawn = [system() for _ in range(12)]
    expected = [[np.nan, (rho_1 - r) / (1 - r)] for r, rho_1, _ in drawn]
    missed = outside("PQ", [uniprocessor.limiting("PQ", **arguments) for *_, arguments in drawn], expected, **RUN)
    return finding(
        f"library {'equal' if gap < 1e-9 else 'elsewhere'}, {wrong} of 1000 signs wrong; chain "
        f"{'within' if chain <= 1e-9 else 'outside'} its bound ({bound:.0e}); {missed} of 12 simulated "
        "intervals miss it",
        gap < 1e-9 and wrong == 0 and chain <= 1e-9 and bound <= 1e-4 and missed == 0,
    )


@check("thesis-3-060", policy="HOL", numbers=(1,))
def permanent_above(policy="PQ", numbers=(1, 2)):
    """Permanent jobs of group 1 and real arrivals of group 2, over ever longer paths; and the library's limit."""
    rng, served, uneven, tends, limits = np.random.default_rng(60), 0.0, 0.0, True, 0.0
    for one in numbers:
        for two in (0, 1):
            for _ in range(3):
                rho, part = rng.uniform(0.1, 0.95), rng.uniform(0.1, 0.9)
                system = (0.6, 0.4), (rho * part, rho * (1 - part)), 1.0, (one, two)
                alpha = 5 ** rng.uniform(-1, 1)
                unequal = *system[:1], (rho * part, rho * (1 - part) * alpha), (1.0, alpha), (one, two)
                absent = []
                for jumps in (1000, 10_000, 100_000):
                    path = refused(policy, *unequal, jumps=jumps, warmup=0, replications=3, seed=60)
                    served = max(served, path.obtained.value[1])
                    uneven = max(uneven, path.job_share_deviation.value[1])
                    absent.append(1 - path.present.value[1])
                tends &= absent == [0, 0, 0] if two else absent[0] > 5 * absent[1] > 25 * absent[2] and absent[2] < 0.01
                try:
                    limit = uniprocessor.exact(policy, **uniprocessor.limiting(policy, *system))
                    values = np.array([limit.group_share_deviation[1], limit.job_share_deviation[1]])
                    limits = max(limits, np.abs(values - (1, 0)).max())
                except (NoExactAnswer, UnstableError):  # under HOL
                    limits = math.inf
    return finding(
        f"group 2 is {'never' if served == 0 else 'also'} served, and in the end {'always' if tends else 'not always'} "
        f"there; the library says {'1 and 0' if limits < 1e-12 else 'otherwise'}",
        bool(served == 0 and uneven == 0 and tends and limits < 1e-12),
    )


@check("thesis-3-061", unequal=True)
def groups_above_as_one(unequal=False):
    """More than two groups: the two-group formula for each, with those above put together, against three witnesses."""
    rng, gap, below, chain, systems, expected = np.random.default_rng(61), 0.0, 0.0, 0.0, [], []

    def system(groups, most):
        shares = np.sort(np.clip(rng.dirichlet(np.ones(groups)), 0.05, None))[::-1] + np.arange(groups)[::-1] * 1e-4
        loads = rng.dirichlet(np.ones(groups)) * rng.uniform(0.05, most)
        services = np.where(np.arange(groups) % 2, 3.0, 1.0) if unequal else np.ones(groups)
        stated = [deviation_2(loads[:g].sum(), loads[g], 1 - shares[g] / shares.sum(), 1.0) for g in range(1, groups)]
        return dict(
            required_shares=tuple(shares / shares.sum()), arrival_rates=loads * services, service_rates=services
        ), np.array(stated)

    for groups in (3, 4, 5):
        for _ in range(20):
            arguments, stated = system(groups, 0.95)
            found = uniprocessor.exact("PQ", **arguments)
            terms = found.obtained_share[1:] / np.array(arguments["required_shares"][1:])
            gap = max(gap, off(found.group_share_deviation[1:] - stated, np.maximum(terms, 1)))
            fewer = arguments["arrival_rates"] * (np.arange(groups) < groups - 1)
            without = uniprocessor.exact("PQ", **{**arguments, "arrival_rates": fewer}).group_share_deviation
            below = max(below, np.abs(without[:-1] - found.group_share_deviation[:-1]).max())
        for _ in range(4):
            arguments, stated = system(groups, 0.95)
            systems.append(arguments)
            expected.append([[np.nan, *stated]])
    bounds = []
    for most, level in ((0.3, 18), (0.6, 36)):
        arguments, stated = system(3, most)
        work = Workload("PQ", **arguments, permanent_jobs=0)
        jobs, law = distribution(level, work, preemptive)
        full = jobs.sum(axis=0) == level
        bounds.append(tail(work, jobs[:, full], law[full]))
        value = (jobs > 0) @ law - preemptive(jobs) @ law / work.required_shares
        chain = max(chain, np.abs(value[1:] - stated).max() - bounds[-1])
    numbers, missed = sum(len(value[0]) - 1 for value in expected), 0
    for groups in (3, 4, 5):
        missed += outside(
            "PQ",
            [one for one in systems if len(one["required_shares"]) == groups],
            [value for value in expected if len(value[0]) == groups],
            **RUN,
        )
    return finding(
        f"library {'equal' if gap < 1e-9 else f'off by up to {gap:.2f}'}, groups below "
        f"{'without effect' if below < 1e-9 else 'matter'}; chain {'within' if chain <= 1e-9 else 'outside'} its bound "
        f"({max(bounds):.0e}); {missed} of {numbers} simulated intervals miss it",
        gap < 1e-9 and below < 1e-9 and chain <= 1e-9 and missed == 0,
    )
