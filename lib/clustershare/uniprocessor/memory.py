"""How long the queue of one processor remembers."""

from clustershare.settling import memory_of_queue, squared_variation, variability
from clustershare.sizes import Exponential
from clustershare.uniprocessor.events import ONE_AT_A_TIME
from clustershare.uniprocessor.model import Workload


def of_workload(given):
    """Jumps that the system remembers, of the arguments of `simulate`: those of its slowest queue.

    All jobs are one queue. Beside permanent jobs, which make a job take longer, each group under GPPS and Up-Down is
    one too, with what is left to it.
    """
    names = "policy", "required_shares", "arrival_rates", "service_rates", "permanent_jobs"
    work = Workload(*(given[name] for name in names))
    laws, sizes, permanent = [Exponential()] * work.groups, given["sizes"], int(work.permanent_jobs.sum())
    if sizes is not None:
        several = sizes if hasattr(sizes, "__len__") else [sizes] * work.groups
        laws = [Exponential() if law is None else law for law in several]
    scaled = [_Scaled(law, rate) for law, rate in zip(laws, work.service_rates)]
    jumps_per_job = 2 + (1 / work.load if permanent and work.policy in ONE_AT_A_TIME else 0)
    rate = work.arrival_rates.sum()
    dispersion, lasting = variability(given["arrivals"], rate)
    spread = squared_variation(work.arrival_rates, scaled)
    common = {"spread": spread, "servers": 1 + permanent, "arriving": dispersion}
    found = [memory_of_queue(work.load, jumps_per_job, **common), jumps_per_job * rate * lasting]
    if permanent and work.policy in ("GPPS", "UD"):
        left = work.capacities() if work.policy == "GPPS" else work.required_shares
        for load, of_group, capacity in zip(work.loads, work.arrival_rates, left):
            if 0 < load < capacity:
                part = of_group / rate
                found.append(memory_of_queue(load / capacity, jumps_per_job, part=part, **common))
    return max(found)


class _Scaled:
    """A law of mean 1 in units of time."""

    def __init__(self, law, rate):
        self.mean, self.squared_variation = law.mean / rate, law.squared_variation
