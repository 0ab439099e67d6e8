"""Claims of `thesis`, Section 1.4: what others do to the share and the response times of a group."""

import math

import numpy as np

from clustershare import uniprocessor
from clustershare.compiled import service
from clustershare.multiprocessor import group_weights
from compendium.press.clauses import aside, at_each, conclude, everywhere, grid
from compendium.press.clauses.conditions import equal, larger, smaller
from compendium.press.findings import check
from pages.share_scheduling.objectives.systems import drawn, random_capacities
from pages.share_scheduling.objectives.witnesses.mean_deviations import law_by_chain


@check("thesis-1-035", weights="jobs")
def more_jobs(weights="groups"):
    """One group's jobs from P to 5 P; in the control weights belong to jobs (PPS) and not to groups."""

    def changes(before, after, others):
        """The own share's rise and the fall of every other under PS, and by how much others change by weights."""
        step = after - before
        return {"own": step[..., 0].min(), "other": step[..., 1:].max(), "weighted": np.abs(others).max()}

    def alone(rng, number):
        processors, groups = 1 + number % 6, 2 + number % 3
        capacities = random_capacities(rng, processors, homogeneous=number % 2 == 0)
        required = rng.dirichlet(np.full(groups, 3.0))
        jobs = rng.integers(processors, 3 * processors + 1, groups)
        numbers = np.repeat(jobs[:, None], 5, axis=1)
        numbers[0] = processors * np.arange(1, 6)
        plain = service.divide_each(service.PS, required, numbers).T
        if weights == "groups":
            share = [group_weights(required, some, capacities) @ capacities / capacities.sum() for some in numbers.T]
        else:
            share = service.divide_each(service.PPS, required, numbers).T
        return changes(plain[:-1], plain[1:], np.diff(np.array(share)[:, 1:], axis=0))

    def beside_arrivals(own, plainly):
        plain = [
            uniprocessor.exact(plainly, (0.5, 0.5), (0.2, 0.2), 1.0, (n, 2)).obtained_share for n in (own, own + 1)
        ]
        policy = "GPPS" if weights == "groups" else "PPS"
        pair = [
            uniprocessor.exact(policy, (0.7, 0.3), (0.2, 0.2), 1.0, (n, 2), tolerance=1e-7).obtained_share
            for n in (own, own + 1)
        ]
        return changes(*plain, pair[1][1] - pair[0][1])

    clauses, present = [], grid(number_of_jobs=range(1, 5), policy=("PS", "FCFS")).measure(beside_arrivals)
    permanent = drawn("system", 60, 35).measure(alone)
    for said, plain, found in (("", "PS", permanent), ("beside arrivals ", "PS and FCFS", present)):
        clauses += [
            everywhere(f"{said}under {plain} the change of the own share", found["own"], larger(1e-9)),
            everywhere(f"{said}under {plain} the change of every other share", found["other"], smaller(1e-9)),
            everywhere(f"{said}under share scheduling others' shares before and after", found["weighted"], equal(1e-9)),
        ]
    return conclude(*clauses, whole=True)


def off_the_witnesses(share, used):
    """The library's mean response times: of FCFS and PS less those of M/M/1, of GPPS relative to those of a chain."""
    load = used * share
    loads = np.array([load, 0.45 * (1 - load)])
    plain = [uniprocessor.exact(policy, (0.5, 0.5), loads).mean_response_time for policy in ("FCFS", "PS")]
    jobs, law = law_by_chain("GPPS", np.array([share, 1 - share]), loads, math.ceil(-9 / math.log10(loads.sum())))
    found = uniprocessor.exact("GPPS", (share, 1 - share), loads, tolerance=1e-4).mean_response_time
    return {"plain": np.abs(np.array(plain) * (1 - loads.sum()) - 1).max(),
            "fair": np.abs(found * loads / (jobs @ law) - 1).max()}  # fmt: skip


@check("thesis-1-045", fair="PPS")
def predictable(fair="GPPS"):
    """How far a group's response time ranges as the other's load grows; in the control all jobs weigh alike."""

    def ranges(share, used):
        load = used * share
        others, found = [0.001, 0.45 * (1 - load), 0.9 * (1 - load)], {}
        for policy in (fair, "FCFS", "PS"):
            shares = (share, 1 - share) if policy == "GPPS" else (0.5, 0.5)
            times = [uniprocessor.exact(policy, shares, (load, other), tolerance=1e-4).mean_response_time[0]
                     for other in others]  # fmt: skip
            found[policy] = np.ptp(times) / max(times)
        return {"fair": found[fair], "plain": min(found["FCFS"], found["PS"])}

    found = grid(share=(0.2, 0.5, 0.8), part_used=(0.1, 0.5, 0.9)).measure(ranges)
    known = grid(share=(0.2, 0.5, 0.8), part_used=(0.1, 0.5)).measure(off_the_witnesses)
    return conclude(
        at_each("the range under share scheduling, less that under FCFS and PS,", found["fair"] - found["plain"],
                smaller(1e-6)),
        aside("the range in parts of the largest", found["fair"]),
        aside("that under FCFS and PS", found["plain"]),
        provided=[
            everywhere("mean response times under FCFS and PS and those of M/M/1", known["plain"], equal(1e-9)),
            everywhere("those under GPPS and by a chain", known["fair"], equal(1e-3)),
        ],
    )  # fmt: skip
