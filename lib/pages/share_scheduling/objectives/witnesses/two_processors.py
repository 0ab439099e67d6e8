"""Two processors to which a policy routes (`thesis`, Section 1.3): the library's mean times, and paths beside them."""

import functools
import itertools
import math

import numpy as np

from clustershare import routing
from clustershare.splitting import parallel_response_time
from compendium.press.clauses import cases, conclude, everywhere
from compendium.press.clauses.conditions import agrees, equal
from compendium.press.findings import AGREES
from pages.share_scheduling.objectives import paths
from pages.share_scheduling.objectives.systems import TENTHS

RATIOS = (1, 1.5, 2, 3, 5, 10)
LOST = 1e-8
known = {}  # of policies that choose alike one chain is solved


@functools.cache
def mean_time(policy, ratio, load):
    """Mean response time, from a chain large enough to lose no more jobs than `LOST`."""
    rates, arrival = (float(ratio), 1.0), load * (ratio + 1)
    jobs = math.log(LOST / (1 - load)) / math.log(load)  # of a geometric law
    most = [math.ceil(jobs * rate / sum(rates)) + 6 for rate in rates]
    while True:
        key = (ratio, load, *most, routing.choices(policy, most, rates, arrival).tobytes())
        if key not in known:
            law, lost = routing.stationary_law(policy, rates, arrival, most)
            mean = (np.indices(law.shape).sum(axis=0) * law).sum() / (arrival * (1 - lost))
            known[key] = mean, lost
        mean, lost = known[key]
        if lost <= LOST:
            return float(mean)
        most = [math.ceil(1.08 * limit) + 2 for limit in most]


@functools.cache
def on_paths():
    """Mean response times of paths of three settings, less those of the chains."""
    settings = (("MRTP", 2, 0.5), ("MSTP", 5, 0.7), ("MTP", 3, 0.2))
    off = []
    for seed, (policy, ratio, load) in enumerate(settings):
        rates, arrival = (float(ratio), 1.0), load * (ratio + 1)
        chosen = routing.choices(policy, 40, rates, arrival)
        found = paths.routed(chosen, rates, arrival, steps=2000, seed=seed) / arrival
        off.append(found - mean_time(policy, ratio, load))
    return paths.averaged(np.stack(off, axis=1), policy=[policy for policy, *_ in settings])


def by_paths():
    """The clause that paths do not contradict the chains."""
    return everywhere("what paths take longer than the chains say", on_paths(), agrees())


def in_the_library():
    """The clause that these are the mean response times that the library gives, from the chains of its own choice."""

    def off(policy, ratio, load):
        return (
            routing.mean_response_time(policy, (float(ratio), 1.0), load * (ratio + 1)) / mean_time(policy, ratio, load)
            - 1
        )

    some = zip(itertools.product(routing.POLICIES, RATIOS), itertools.cycle(TENTHS[:-1]))
    some = cases("setting", [(*setting, load) for setting, load in some])
    return everywhere(
        "the library's mean response times and those of these laws, relatively,", some.measure(off), equal(1e-5)
    )


def static_time(ratio, load, fractions):
    """The library's mean response time if these fractions of the jobs go to the two processors; none if overloaded."""
    rates = (float(ratio), 1.0)
    sent = [load * (ratio + 1) * float(part) for part in fractions]
    if any(arrival >= rate for arrival, rate in zip(sent, rates)):
        return math.inf
    return parallel_response_time(sent, rates, [rate**-2 for rate in rates])


def contradicted():
    """Whether they do. It is asked first: a chain that is wrong may have no law, and be made larger for ever."""
    return conclude(by_paths()).verdict != AGREES
