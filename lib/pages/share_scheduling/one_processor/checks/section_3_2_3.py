"""Claims of `thesis`, Section 3.2.3: HOL, the priorities of Up-Down, and what it does for permanent jobs."""

import itertools

import numpy as np

from clustershare import uniprocessor
from clustershare.results import NoExactAnswer
from clustershare.run_length import RunLength
from compendium.press.clauses import at_each, cases, conclude, everywhere, exact
from compendium.press.clauses.conditions import agrees, at_least, at_most, equal
from compendium.press.findings import check
from pages.share_scheduling.one_processor.points import over_r
from pages.share_scheduling.one_processor.simulated import refused
from pages.share_scheduling.one_processor.systems import SHARES, beside_permanent_jobs
from pages.share_scheduling.one_processor.witnesses.paths import intervals
from pages.share_scheduling.one_processor.witnesses.up_down_path import averages, up_down

BEHAVIOUR = "obtained_share", "probability_present", "job_share_deviation", "mean_jobs"


@check("thesis-3-027", policy="UD")
def blind_to_the_shares(policy="HOL"):
    """Jobs in service along paths, simulations with one seed, and exact answers, for required shares of one order."""
    rng, parts = np.random.default_rng(27), (0.55, 0.95, *np.linspace(0.51, 0.99, 10))
    orders = {2: [(part, 1 - part) for part in parts], 3: [(0.4, 0.35, 0.25), (0.6, 0.3, 0.1), (0.9, 0.06, 0.04)]}
    systems = []
    for seed, permanent in enumerate(((0, 0), (0, 0, 0), (1, 1), (0, 0, 1), (0, 0), (0, 2), (2, 0))):
        groups = len(permanent)
        loads = rng.dirichlet(np.ones(groups)) * rng.uniform(0.2, 0.4 if any(permanent) else 0.9)
        services = np.ones(groups) if seed % 2 or permanent == (2, 0) else rng.uniform(0.3, 3, groups)
        rates = tuple((loads * services).tolist())
        systems.append((seed, (rates[0], 0.1 * rates[1]) if permanent == (1, 1) else rates, services, permanent))

    def same(seed, rates, services, permanent):
        records, runs = [], []
        for shares in orders[len(permanent)]:
            system = shares, rates, services, permanent
            records.append(
                [
                    (interval.start, interval.length, *sorted((job.group, job.arrival) for job in interval.rates))
                    for interval in intervals(policy, *system, events=200, seed=seed)
                ]
            )
            run = refused(policy, *system, jumps=2000, warmup=0, replications=2, seed=seed)
            runs.append([one.value for one in run])
        found = {"paths": all(one == records[0] for one in records), "runs": np.ptp(runs, axis=0).max(), "exact": 0.0}
        if policy == "HOL" and found["paths"] and found["runs"] < 1e-12:  # others may have no exact answer
            system = rates, services, permanent
            limits = [uniprocessor.limiting(policy, shares, *system) for shares in orders[len(permanent)]]
            answers = [uniprocessor.exact(policy, **limit) for limit in limits]
            values = [[getattr(answer, name) for name in BEHAVIOUR] for answer in answers]
            found["exact"] = np.ptp(np.nan_to_num(values), axis=0).max()  # the same are unknown
        return found

    found = cases("random system", systems, seed=27).measure(same)
    return conclude(
        everywhere("the paths are the same for all shares", found["paths"]),
        everywhere("simulations for all shares", found["runs"], equal(1e-12)),
        everywhere("exact answers for all shares", found["exact"], equal(1e-9)),
        whole=True,
    )


def random_numbers(seed):
    """Those of the first replication of a simulation."""
    return RunLength(replications=1, seed=seed).generators()[0]


@check("thesis-3-028", rule="integral over the share")
def priorities_of_up_down(rule="integral"):
    """The library's path and the one by definition, a stretch of 200 events at a time; and who is first."""
    rng, systems, events = np.random.default_rng(28), [], 20_200
    for seed, permanent in enumerate(((0, 0), (0, 0, 0), (1, 2), (2, 0, 1))):
        groups = len(permanent)
        shares = np.clip(rng.dirichlet(np.ones(groups)), 0.05, None)
        shares /= shares.sum()
        rates = rng.uniform(0.3, 3, groups)
        load = rng.uniform(0.3, 0.9) * rng.dirichlet(np.ones(groups))
        systems.append((seed, *(tuple(one.tolist()) for one in (shares, load * rates, rates)), permanent))

    def apart(seed, *system):
        path, worst, size = list(up_down(random_numbers(seed), *system, events, rule)), 0.0, events // 100
        for k in range(100):
            found = uniprocessor.simulate("UD", *system, jumps=size, warmup=k * size, replications=1, seed=seed)
            values = [found.probability_present, found.obtained_share, found.job_share_deviation, found.mean_jobs]
            expected = averages(path[k * size : (k + 1) * size], system[-1])
            worst = max(worst, np.abs(np.array([value.value for value in values]) - expected).max())
            if worst > 1e-9:  # from here on it is another path
                break
        jobs = np.array([stretch.jobs for stretch in path])
        return {"apart": worst, "completions": (np.diff(jobs.sum(axis=1)) <= 0).sum()}  # of permanent jobs as well

    def first(*shares):
        start = uniprocessor.simulate("UD", shares, (1e-9,) * 3, 1.0, 2, jumps=1, warmup=0, replications=1)
        return start.obtained_share.value.argmax() == np.argmax(shares)

    found = cases("path", systems, seed=28).measure(apart)
    return conclude(
        everywhere("the library's path and that by definition, in each of 100 stretches,", found["apart"], equal(1e-9)),
        everywhere("the number of completions", found["completions"], at_least(10_000)),
        everywhere("first is the group that requires most",
                   cases("order", list(itertools.permutations((0.2, 0.3, 0.5)))).measure(first)),
        whole=True,
    )  # fmt: skip


DRIFTING = {
    "little load of group 1": ((0.5 + 1e-9, 0.5 - 1e-9), (0.04, 0.76)),
    "r_1 = 0.95": ((0.95, 0.05), (0.4, 0.4)),
}
OTHERS = {
    "r_1 = 0.55": ((0.55, 0.45), (0.45, 0.35)),  # where the groups take turns
    "r_1 = 0.7": ((0.7, 0.3), (0.3, 0.3)),
    "r_1 = 0.99": ((0.99, 0.01), (0.3, 0.1)),
}


@check("thesis-3-125", rule="fading")
def slopes_and_range(rule="integral"):
    """Slopes of the priorities at every event, and how far they go in systems in which they drift.

    Where they end, on the same random numbers, by the library's averages as well.
    """
    systems = {**DRIFTING, **OTHERS}

    def along_the_path(name):
        low = high = elapsed = off = 0.0
        (shares, rates), events = systems[name], 24_000 if name in DRIFTING else 3000
        seed = list(systems).index(name)
        path = up_down(random_numbers(seed), shares, rates, (1.0, 1.0), (0, 0), events, rule)
        for stretch in path:
            elapsed += stretch.length
            for g, (before, after) in enumerate(zip(stretch.before, stretch.after)):
                slope = (shares[g] if stretch.jobs[g] else 0.0) - (stretch.serving == g)
                rounding = max(1.0, elapsed)  # of integrals over that time
                off = max(off, abs(after - before - slope * stretch.length) / rounding)
                low, high = min(low, after), max(high, after)
        run = uniprocessor.simulate("UD", shares, rates, jumps=events, warmup=0, replications=1, seed=seed)
        ends = shares + elapsed * (shares * run.probability_present.value - run.obtained_share.value)
        return {"off": off, "low": low, "high": high, "end": np.abs(ends - stretch.after).max() / elapsed}

    found = cases("system", systems).measure(along_the_path)
    return conclude(
        everywhere("the slopes and those stated", found["off"], equal(1e-12)),
        everywhere("the priorities at the end and the library's, a unit of time,", found["end"], equal(1e-9)),
        everywhere("the lowest priority after 24 000 events", found["low"].at(system=tuple(DRIFTING)), at_most(-1000)),
        everywhere("the highest priority for r_1 = 0.95", found["high"].at(system="r_1 = 0.95"), at_least(1000)),
        whole=True,
    )


def head_of_line(required_shares, permanent):
    """The larger deviation under HOL beside permanent jobs alone, exactly: by formula, or by the chain of the line."""
    arguments = required_shares, (1e-9,) + (0.0,) * (len(permanent) - 1), 1.0, permanent
    try:
        return uniprocessor.exact("HOL", *arguments).group_share_deviation.max()
    except NoExactAnswer:
        return uniprocessor.whole_line("HOL", *arguments, most_jobs=1).performance.group_share_deviation.max()


@check("thesis-3-126", policy="HOL")
def permanent_jobs_served(policy="UD"):
    """How far UD lies below HOL beside permanent jobs, and at the published points of Figures 3.12 and 3.14."""
    two = [(r, 1 - r) for r in (0.5 + 1e-9, 0.55, 0.6, 0.7, 0.8, 0.9, 0.95)]
    three = [(0.35, 0.33, 0.32), (0.5, 0.3, 0.2), (0.7, 0.2, 0.1), (0.95, 0.03, 0.02)]
    workloads = [*itertools.product(two, itertools.product((1, 2, 3), repeat=2)),
                 *itertools.product(three, [*itertools.product((1, 2, 3), repeat=3)][::2])]  # fmt: skip
    run = {"warmup": 1000, "jumps": 5000, "replications": 4, "seed": 126}

    def lower(shares, permanent):
        """By how much UD is lower, the interval's upper end taken."""
        found = uniprocessor.simulate(policy, shares, (1e-9,) + (0.0,) * (len(shares) - 1), 1.0, permanent, **run)
        deviation = found.group_share_deviation
        return head_of_line(shares, permanent) - (deviation.value + deviation.half_width).max()

    def in_figure(number):
        systems = [beside_permanent_jobs("HOL", r, number) for r in SHARES]
        held = [uniprocessor.exact("HOL", **system).group_share_deviation.max() for system in systems]
        return exact(held - over_r(policy, number).high().max(axis=1), as_it_stands=True, required_share=SHARES)

    kinds = {"two groups, one permanent job of the first": (2, 1), "three groups, one of the first": (3, 1)}
    clauses = []
    for name, kind in {**kinds, "two or three permanent jobs of the first group": None}.items():
        mine = [one for one in workloads if ((len(one[0]), one[1][0]) == kind if kind else one[1][0] > 1)]
        clauses.append(at_each(f"with {name}, HOL's larger deviation less {policy}'s",
                               cases("workload", mine).measure(lower), at_least("much")))  # fmt: skip
    figures = {"3.12": 1, "3.14": 2}
    found = cases("figure", figures).measure(lambda name: in_figure(figures[name]))
    systems = {number: [beside_permanent_jobs("UD", r, number) for r in SHARES] for number in figures.values()}
    less = [
        over_r("UD", number)
        - exact([uniprocessor.exact("UD", **one).group_share_deviation for one in systems[number]],
                required_share=SHARES, group=(1, 2))
        for number in systems
    ]  # fmt: skip
    return conclude(
        *clauses,
        at_each("in the figures, it", found, at_least("much")),
        provided=[everywhere("a point of UD less what is exact", one, agrees()) for one in less],
    )
