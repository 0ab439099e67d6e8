"""A claim of this book's own beside `thesis`, Section 3.5: mean numbers and response times of the groups' jobs."""

import functools

import numpy as np

from clustershare import uniprocessor
from clustershare.estimates import from_replications
from clustershare.results import NoExactAnswer
from compendium.press.findings import beyond, check
from compendium.study import run_lengths
from pages.share_scheduling.one_processor.points import simulated
from pages.share_scheduling.one_processor.simulated import widened
from pages.share_scheduling.one_processor.systems import SHARES, beside_permanent_jobs, two_groups
from pages.share_scheduling.one_processor.witnesses.paths import averages

QUANTITIES = ("mean_jobs", "mean_response_time")
PATHS = 8
RUN = {"jumps": 20_000, "warmup": 5_000, "replications": run_lengths("paper")["replications"]}


def exact(policy, **system):
    """Exact mean numbers and response times, shape (2, groups); None where there are none."""
    try:
        found = uniprocessor.exact(policy, **system, tolerance=10.0 ** (len(system["required_shares"]) - 6))
    except NoExactAnswer:
        return None
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
def stored(policy, answering):
    """Distances of the published points from the exact answers, in half widths; nan where one is missing."""
    found = []
    for permanent in (0, 1, 2):
        points = np.array([simulated(policy, permanent, quantity) for quantity in QUANTITIES])
        for number, r in enumerate(SHARES):
            if permanent:
                system = beside_permanent_jobs(policy, r, permanent)
            else:
                system = two_groups(0.5, required_share=r)
            if (answer := exact(answering, **system)) is not None:
                value, half_width = points[:, :, number].swapaxes(0, 1)
                found.append((np.abs(value - answer) / (half_width + 1e-12)).ravel())
    return np.concatenate(found)


@functools.cache
def shared():
    """The same of PS, which does not look at the required shares: a short simulation beside 0, 1 and 2 of each."""
    found = []
    for permanent in (0, 1, 2):
        system = beside_permanent_jobs("PS", 0.6, permanent) if permanent else two_groups(0.5)
        result, answer = uniprocessor.simulate("PS", **system, **RUN), exact("PS", **system)
        estimates = [getattr(result, quantity) for quantity in QUANTITIES]
        found += [np.abs(e.value - values) / e.half_width for e, values in zip(estimates, answer, strict=True)]
    return np.concatenate(found)


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
    gaps = [stored(policy, answering[policy]) for policy in ("FCFS", "HOL", "UD", "PQ", "PPS", "GPPS")]
    gaps = np.concatenate([*gaps, shared()])
    gaps = gaps[~np.isnan(gaps)]
    outside = int((gaps > widened(len(gaps), RUN["replications"])).sum())
    records, little = [], 0.0
    for number, (shares, loads, services, permanent) in enumerate(random_systems()):
        rates = loads * services
        for policy, other in answering.items():
            system = dict(zip(("required_shares", "arrival_rates", "service_rates"), (shares, rates, services)))
            answer = exact(other, **system, permanent_jobs=permanent)
            if answer is not None:
                little = max(little, np.nanmax(np.abs(answer[0] - rates * answer[1])))
                times = times_on_paths(number, policy)
                records.append(np.abs(times.mean(axis=0) - answer[1]) / from_replications(times).half_width)
    records = np.concatenate(records)
    records = records[~np.isnan(records)]
    against = int((records > widened(len(records), PATHS)).sum())
    return beyond(
        f"{outside} of {len(gaps)} simulated numbers and times against the exact ones, {against} of {len(records)} "
        f"times from the records of jobs; Little's law {'holds' if little <= 1e-9 else 'fails'}",
        outside == 0 and against == 0 and little <= 1e-9,
    )
