"""Given jobs on one processor, against a plain loop."""

import numpy as np

from clustershare import uniprocessor, workload
from compendium.press.clauses import cases, equalities
from pages.agreement import gap
from pages.share_scheduling.one_processor.library.shared import ROUNDING
from pages.share_scheduling.one_processor.witnesses.replays import processor


def on_replays():
    """Ends of jobs, and what groups meet with by them, under every policy, in an overload, many at once or none."""

    def off(policy, shares, whole):
        rng = np.random.default_rng(59)
        at, groups, speed = np.cumsum(rng.exponential(0.6, 120)), rng.integers(0, 3, 120), 1.0 if whole else 1.25
        size = rng.exponential(1.0, 120)
        if whole:
            at, size = np.floor(at), np.ceil(size)
        found = workload.replay_processor(workload.Workload(at + 7, size, groups=groups), policy, shares, speed)
        end = np.array(processor(list(zip(at, size, groups.tolist())), policy, shares, speed))
        span, response, seen = end.max() - at[0], end - at, found.performance
        instants = np.unique([*at, *end])
        middle, length = (instants[1:] + instants[:-1]) / 2, np.diff(instants)
        number = np.array([
            ((at[mine][:, None] < middle) & (middle < end[mine][:, None])).sum(axis=0)
            for mine in (groups == g for g in range(3))
        ])  # fmt: skip
        present, jobs = (number > 0) @ length / span, number @ length / span
        obtained = np.bincount(groups, size) / speed / span
        times = [response[groups == g].mean() for g in range(3)]
        return {
            "ends of given jobs and those of a plain loop": gap([*found.end - 7, *found.response], [*end, *response]),
            "what groups meet with, and that by these ends": gap(
                [seen.obtained_share, seen.probability_present, seen.group_share_deviation, seen.mean_jobs,
                 seen.mean_response_time],
                [obtained, present, present - obtained / shares, jobs, times],
            ),
        }  # fmt: skip

    systems = [
        (policy, shares, whole) for policy in uniprocessor.POLICIES
        for shares, whole in (((0.5, 0.3, 0.2), True), ((0.4, 0.4, 0.2), False), ((0.2, 0.3, 0.5), False))
    ]  # fmt: skip
    return equalities(cases("system", systems, seed=59).measure(off), ROUNDING)
