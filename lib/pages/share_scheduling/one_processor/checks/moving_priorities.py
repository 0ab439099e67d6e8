"""Claims of `thesis`, Section 3.2.3: the priorities of Up-Down, and what it does for permanent jobs."""

import itertools

import numpy as np

from clustershare import uniprocessor
from clustershare.results import NoExactAnswer
from clustershare.run_length import RunLength
from compendium.press.findings import check, finding, over_domain
from compendium.press.words import allows
from pages.share_scheduling.one_processor.points import simulated
from pages.share_scheduling.one_processor.systems import SHARES, beside_permanent_jobs
from pages.share_scheduling.one_processor.witnesses.up_down_path import averages, up_down


def random_numbers(seed):
    """Those of the first replication of a simulation."""
    return RunLength(replications=1, seed=seed).generators()[0]


@check("thesis-3-028", rule="integral over the share")
def priorities_of_up_down(rule="integral"):
    """The library's path and the one by definition, a stretch of 200 events at a time; and who is first."""
    rng, apart, stretches, completions = np.random.default_rng(28), 0.0, 0, 10**9
    for seed, permanent in enumerate(((0, 0), (0, 0, 0), (1, 2), (2, 0, 1))):
        groups, events = len(permanent), 20_200
        shares = np.clip(rng.dirichlet(np.ones(groups)), 0.05, None)
        shares /= shares.sum()
        rates = rng.uniform(0.3, 3, groups)
        load = rng.uniform(0.3, 0.9) * rng.dirichlet(np.ones(groups))
        system = tuple(shares.tolist()), tuple((load * rates).tolist()), tuple(rates.tolist()), permanent
        path = list(up_down(random_numbers(seed), *system, events, rule))
        jobs = np.array([stretch.jobs for stretch in path])
        for k in range(100):
            size = events // 100
            found = uniprocessor.simulate("UD", *system, jumps=size, warmup=k * size, replications=1, seed=seed)
            values = [found.probability_present, found.obtained_share, found.job_share_deviation, found.mean_jobs]
            expected = averages(path[k * size : (k + 1) * size], permanent)
            apart = max(apart, np.abs(np.array([value.value for value in values]) - expected).max())
            stretches += 1
            if apart > 1e-9:  # from here on it is another path
                break
        ended = (np.diff(jobs.sum(axis=1)) <= 0).sum()  # of permanent jobs as well
        completions = min(completions, ended)
        if apart > 1e-9:
            break
    first = []
    for shares in itertools.permutations((0.2, 0.3, 0.5)):
        start = uniprocessor.simulate("UD", shares, (1e-9,) * 3, 1.0, 2, jumps=1, warmup=0, replications=1)
        first.append(start.obtained_share.value.argmax() == np.argmax(shares))
    return finding(
        f"{'equal within 1e-9' if apart < 1e-9 else 'other paths'} over {stretches} stretches; first the group that "
        f"requires most in {sum(first)} of {len(first)} orders",
        bool(apart < 1e-9 and completions >= 10_000 and all(first)),
    )


@check("thesis-3-125", rule="fading")
def slopes_and_range(rule="integral"):
    """Slopes of the priorities at every event, and how far they go in systems in which they drift."""
    off, reached = 0.0, {}
    systems = {
        "little load of group 1": ((0.5 + 1e-9, 0.5 - 1e-9), (0.04, 0.76)),
        "r_1 = 0.95": ((0.95, 0.05), (0.4, 0.4)),
        "r_1 = 0.7": ((0.7, 0.3), (0.3, 0.3)),
        "r_1 = 0.99": ((0.99, 0.01), (0.3, 0.1)),
    }
    for seed, (name, (shares, rates)) in enumerate(systems.items()):
        drifts = name in ("little load of group 1", "r_1 = 0.95")
        low = high = elapsed = 0.0
        events = 24_000 if drifts else 3000
        for stretch in up_down(random_numbers(seed), shares, rates, (1.0, 1.0), (0, 0), events, rule):
            elapsed += stretch.length
            for g, (before, after) in enumerate(zip(stretch.before, stretch.after)):
                slope = (shares[g] if stretch.jobs[g] else 0.0) - (stretch.serving == g)
                rounding = max(1.0, elapsed)  # of integrals over that time
                off = max(off, abs(after - before - slope * stretch.length) / rounding)
                low, high = min(low, after), max(high, after)
        if drifts:
            reached[name] = low, high
    far = all(low < -1000 for low, _ in reached.values()) and reached["r_1 = 0.95"][1] > 1000
    return finding(
        f"slopes {'as stated' if off < 1e-12 else f'off by up to {off:.0e}'}; at the end of 24 000 events "
        f"{'beyond -1000 and 1000' if far else 'not far from 0'}",
        bool(off < 1e-12 and far),
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
    numbers = [*itertools.product((1, 2, 3), repeat=3)]
    workloads = [
        *itertools.product(two, itertools.product((1, 2, 3), repeat=2)),
        *itertools.product(three, numbers[::2]),
    ]
    kinds = ("two groups, 1 of the first", "three groups, 1 of the first", "2 or 3 of the first")
    better = {kind: [] for kind in kinds}
    run = {"warmup": 1000, "jumps": 5000, "replications": 4, "seed": 126}
    for shares, permanent in workloads:
        found = uniprocessor.simulate(policy, shares, (1e-9,) + (0.0,) * (len(shares) - 1), 1.0, permanent, **run)
        end = (found.group_share_deviation.value + found.group_share_deviation.half_width).max()
        kind = kinds[2 if permanent[0] > 1 else len(shares) - 2]
        better[kind].append(head_of_line(shares, permanent) - end)
    for number in (1, 2):
        value, half_width = simulated(policy, number)
        end = (value + half_width).max(axis=1)
        exact = [
            uniprocessor.exact("HOL", **beside_permanent_jobs("HOL", r, number)).group_share_deviation.max()
            for r in SHARES
        ]
        better[f"Figure {'3.12' if number == 1 else '3.14'}"] = list(exact - end)
    said = [
        f"{name}: {sum(gap < 0.5 for gap in gaps)} of {len(gaps)}, least {round(min(gaps), 2) + 0.0:.2f}"
        for name, gaps in better.items()
    ]
    return over_domain(
        f"below HOL by less than 0.5, {'; '.join(said)}",
        [allows("much", gap) for gaps in better.values() for gap in gaps],
    )
