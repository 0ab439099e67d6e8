"""What one can ask for, feature by feature: a call of the library for each, which says whether it came out."""

import inspect
import json
from typing import NamedTuple

import numba
import numpy as np

from clustershare import arrivals, dispatch, multiserver, results, sizes, uniprocessor

ONE = {"policy": "FCFS", "required_shares": (0.5, 0.5), "arrival_rates": (0.25, 0.25), "seed": 1}
SHORT = {"jumps": 40_000, "warmup": 2000}
TWO = {"required_shares": (0.5, 0.5), "loads": (0.3, 0.3), "processors": 2, "seed": 1} | SHORT
SIX = range(1, 7)  # weights of groups


def one(**more):
    """A processor, simulated."""
    return uniprocessor.simulate(**{**ONE, **SHORT, **more})


def data():
    """Pollaczek and Khinchine's mean, within three half widths."""
    law = sizes.Empirical([1.0, 2.0, 6.0], weights=[5, 3, 2])
    law = sizes.Empirical(law.values / law.mean, law.weights)
    jobs, mean = one(sizes=law).mean_jobs, 0.5 + 0.25 * (1 + law.squared_variation) / 2 / 0.5
    return abs(jobs.value.sum() - mean) < 3 * jobs.half_width.sum()


def arriving(process):
    """Jobs that arrive otherwise are other than Poisson ones in number."""
    return lambda: one(arrivals=process).mean_jobs != one().mean_jobs


def records():
    return one(records=True).records


def until():
    jobs = uniprocessor.simulate(**ONE, until={"mean_jobs": "10%"}).mean_jobs
    return (jobs.half_width <= 0.1 * jobs.value).all()


def two_queues_of_two():
    """Drawn without replacement two queues of two are all there are."""
    drawn = dispatch.simulate_central("JSQ(2)", **TWO).capacity_loss
    different = dispatch.simulate_central("JSQ(2)", reading="without replacement", **TWO).capacity_loss
    shortest = dispatch.simulate_central("JSQ", **TWO).capacity_loss
    return different < drawn and not (different < shortest or shortest < different)


@numba.njit
def by_size(policy, system, rng, group, size):
    return int(size > policy.cutoff)


@numba.njit
def stay(policy, system, rng, group, processor, now):
    pass


class SizeIntervals(NamedTuple):
    """Small jobs to one processor, and large ones to the other; of exponential sizes each has half the work."""

    migration: bool = False
    cutoff: float = 1.678347
    by_group = False
    place, rebalance = staticmethod(by_size), staticmethod(stay)


def sees_the_size():
    """Each processor is a queue of its own, of load 0.6."""
    dispatch.POLICIES["size intervals"] = SizeIntervals
    try:
        jobs = dispatch.simulate_central("size intervals", **TWO).mean_jobs
    finally:
        del dispatch.POLICIES["size intervals"]
    return abs(jobs.value.sum() - 2 * 0.6 / 0.4) < 3 * jobs.half_width.sum()


def weights():
    """Of jobs under discriminatory processor sharing (PPS): those that weigh more are sooner done."""
    times = one(policy="PPS", required_shares=(0.8, 0.2)).mean_response_time
    return times[0] < times[1]


def slowdowns():
    """Under processor sharing that of every job is one over what the load leaves."""
    found = one(policy="PS", records=True).records.mean_slowdown
    return (abs(found.value - 2) < 3 * found.half_width).all()


def six_groups():
    """The conservation law holds: times weighted by loads sum to the load over what it leaves."""
    times = uniprocessor.discriminatory_response_times(SIX, [0.1] * 6)
    return abs(0.1 * times.sum() - 0.6 / 0.4) < 1e-12


def repeats():
    found = one()
    kept = results.from_dict(json.loads(json.dumps(found.to_dict())))
    return kept == found == found.again() == kept.again()


def annotated():
    return all(
        parameter.annotation is not inspect.Parameter.empty
        for simulate in (uniprocessor.simulate, multiserver.simulate, dispatch.simulate_central)
        for parameter in inspect.signature(simulate).parameters.values()
    )


OURS = {
    "sizes from data, with weights": data,
    "renewal arrivals": arriving(sizes.Deterministic(1.0)),
    "Markov-modulated arrivals, three states": arriving(
        arrivals.MarkovModulated((0.4, 1.0, 1.6), ((0, 0.1, 0.1), (0.1, 0, 0.1), (0.1, 0.1, 0)))
    ),
    "a rate that varies by the hour": arriving(arrivals.Periodic((1.4, 0.6), (12.0, 12.0))),
    "batches": arriving(arrivals.Batches((0.5, 0.5))),
    "quantiles of response times, with intervals": lambda: np.isfinite(
        records().quantile("response_time", 0.9).half_width
    ).all(),
    "slowdowns": slowdowns,
    "mean response times by size": lambda: records().by_size.jobs.any(),
    "runs until intervals are narrow enough": until,
    "warm-up found by the run": lambda: one(warmup="auto").warmup_diagnosis is not None,
    "JSQ(2), drawn with and without replacement": two_queues_of_two,
    "a dispatch rule that sees the size": sees_the_size,
    "DPS with weights, simulated": weights,
    "exact means of DPS, six groups": six_groups,
    "results that compare, are kept and repeated": repeats,
    "annotated, and marked so": annotated,
}
