"""Claims of `thesis`, Section 3.5.1, on both of its cases, and this book's own on numbers and response times."""

import functools

import numpy as np

from clustershare import uniprocessor
from clustershare.estimates import Estimate, from_replications
from clustershare.results import NoExactAnswer
from compendium.press.clauses import cases, conclude, everywhere, exact
from compendium.press.clauses.conditions import at_least, at_most, equal, larger
from compendium.press.findings import check
from pages.share_scheduling.one_processor.points import LIMIT, PAPER, in_plane, lows, simulated
from pages.share_scheduling.one_processor.simulated import agree
from pages.share_scheduling.one_processor.systems import SHARES, beside_permanent_jobs, two_groups
from pages.share_scheduling.one_processor.witnesses.paths import averages

QUANTITIES = ("mean_jobs", "mean_response_time")
PATHS = 8
RUN = {"jumps": 20_000, "warmup": 5_000, "replications": PAPER}


@check("thesis-3-153", exception="PQ")
def problems_widely(exception="GPPS"):
    """On which part of a plane each policy falls short, and in three figures (`thesis`, Section 3.5.1)."""

    def largest(policy):
        low = in_plane(policy, 0.8, 10)[:, 2]
        return {"low": max(low.max(), *(lows(figure, policy).max() for figure in ("3.5", "3.8", "3.10"))),
                "part": (low > LIMIT).mean()}  # fmt: skip

    found = cases("policy", uniprocessor.POLICIES).measure(largest)
    others = tuple(policy for policy in uniprocessor.POLICIES if policy != exception)
    return conclude(
        everywhere(f"the largest deviation of {exception}", found["low"].at(policy=exception), at_most(LIMIT)),
        everywhere("the largest deviation of another policy", found["low"].at(policy=others), larger(LIMIT)),
        everywhere("the part of the plane on which it is above 0", found["part"].at(policy=others), at_least("clear")),
        whole=True,
    )


def exactly(policy, **system):
    """Exact mean numbers and response times, shape (2, groups); nan where there are none."""
    try:
        found = uniprocessor.exact(policy, **system, tolerance=10.0 ** (len(system["required_shares"]) - 6))
    except NoExactAnswer:
        return np.full((2, len(system["required_shares"])), np.nan)
    return np.array([getattr(found, quantity) for quantity in QUANTITIES])


def random_systems():
    """Required shares in descending order, loads, unequal service rates, permanent jobs: four systems."""
    rng = np.random.default_rng(160)
    for groups, last in ((2, 0), (2, 0), (3, 0), (2, 1)):
        shares = np.sort(np.clip(rng.dirichlet(np.ones(groups)), 0.1, None))[::-1]
        loads = rng.dirichlet(np.full(groups, 5.0)) * rng.uniform(0.3, 0.6)  # every group brings some
        permanent = np.append(np.zeros(groups - 1, int), last)
        yield tuple(shares / shares.sum()), loads, rng.uniform(0.3, 3, groups), permanent


@functools.cache
def numbers_and_times_of(policy, answering):
    """Exact values, and the published points of them; of PS, which is blind to the shares, three short simulations."""
    expected, found = [], []
    for permanent in (0, 1, 2):
        points = [simulated(policy, permanent, quantity) for quantity in QUANTITIES] if policy != "PS" else None
        for number, r in enumerate(SHARES if policy != "PS" else (0.6 if permanent else 0.5,)):
            system = beside_permanent_jobs(policy, r, permanent) if permanent else two_groups(0.5, required_share=r)
            expected += [*exactly(answering, **system)]
            if points:
                found += [Estimate(value[number], half_width[number]) for value, half_width in points]
            else:
                run = uniprocessor.simulate("PS", **system, **RUN)
                found += [getattr(run, quantity) for quantity in QUANTITIES]
    return expected, found


@functools.cache
def times_on_paths(number, policy):
    """Mean times from arrival to departure on each path of a random system, shape (paths, groups)."""
    shares, loads, services, permanent = list(random_systems())[number]
    setting = {"policy": policy, "events": 200}
    found = []
    for seed in range(PATHS):
        path = averages(shares, tuple(loads * services), services, permanent, **setting, seed=100 * number + seed)
        times = [[] for _ in shares]
        for job in path.left:
            times[job.group].append(job.departure - job.arrival)
        found.append([np.mean(of_group) for of_group in times])
    return np.array(found)


@check("thesis-3-160", wrong=(("HOL", "FCFS"),))
def numbers_and_times(wrong=()):
    """Exact mean numbers and response times against stored points and against the records of jobs on paths."""
    answering = {policy: policy for policy in uniprocessor.POLICIES} | dict(wrong)
    pairs = [numbers_and_times_of(*names) for names in answering.items()]
    times, records, little = [], [], []
    for number, (shares, loads, services, permanent) in enumerate(random_systems()):
        rates = loads * services
        system = dict(required_shares=shares, arrival_rates=rates, service_rates=services, permanent_jobs=permanent)
        for policy, other in answering.items():
            jobs, time = exactly(other, **system)
            times.append(time)
            records.append(from_replications(times_on_paths(number, policy)))
            little += [gap for gap in np.abs(jobs - rates * time) if gap == gap]
    expected, found = (sum(column, []) for column in zip(*pairs))
    return conclude(
        agree("an exact mean number or time, against the simulated one,", expected, found, PAPER),
        agree("an exact mean time, against that of the records of jobs,", times, records, PATHS),
        everywhere("a mean number and the arrivals times the mean time", exact(little, mean=None), equal(1e-9)),
        ours=True,
    )
