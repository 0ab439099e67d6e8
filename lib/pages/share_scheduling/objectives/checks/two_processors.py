"""Claims of `thesis`, Section 1.3.6: the three dynamic policies of Chow and Kohler on two processors."""

import functools
import math

import numpy as np

from clustershare import routing
from clustershare.splitting import minimise_response_time
from compendium.press import words
from compendium.press.clauses import at_each, conclude, grid
from compendium.press.clauses.conditions import larger
from compendium.press.findings import check, finding, over_domain
from pages.share_scheduling.objectives import paths

RATIOS = (1, 1.5, 2, 3, 5, 10)
LOADS = (*np.round(np.arange(0.1, 0.95, 0.1), 1).tolist(), 0.95)
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


def all_to_the_fastest(ratio, load):
    """Mean response time if the slower processor gets nothing."""
    return 1 / (ratio - load * (ratio + 1)) if load * (ratio + 1) < ratio else math.inf


@functools.cache
def witnessed():
    """How far the chains are from paths of three settings, over the half width of the interval."""
    off = 0.0
    for seed, (policy, ratio, load) in enumerate((("MRTP", 2, 0.5), ("MSTP", 5, 0.7), ("MTP", 3, 0.2))):
        rates, arrival = (float(ratio), 1.0), load * (ratio + 1)
        chosen = routing.choices(policy, 40, rates, arrival)
        mean, half = paths.interval(paths.routed(chosen, rates, arrival, steps=2000, seed=seed) / arrival)
        off = max(off, abs(mean - mean_time(policy, ratio, load)) / half)
    return off


@check("thesis-1-008", control=True)
def dynamic_policies(control=False):
    """In the control all jobs go to the faster processor in MTP's place, and anywhere at random in MRTP's."""
    if witnessed() > 1:
        return finding("paths contradict the chain", False)
    holds, gains, better, behind = [], [], [], []
    for ratio in RATIOS:
        for load in LOADS:
            static = 2 / ((ratio + 1) * (1 - load))
            times = {policy: mean_time(policy, ratio, load) for policy in routing.POLICIES}
            if control:
                times["MTP"], times["MRTP"] = all_to_the_fastest(ratio, load), static
            gain = 1 - max(times.values()) / static
            alike = ratio == 1 and not control  # all three join the shorter queue
            lead = min(times["MRTP"], times["MSTP"]) / times["MTP"] - 1
            later = 1 - times["MTP"] / times["MRTP"]
            best = abs(lead) <= 1e-6 if alike else lead > 1e-6
            holds.append(words.allows("clear", gain) and best and words.allows("close", abs(later)))
            gains.append((gain, ratio, load))
            better.append((lead, ratio, load))
            behind.append((later, ratio, load))
    least, slow = min(gains), max(behind)
    most = [gain < 0.1 for gain, _, _ in gains]
    lost = [(ratio, load) for lead, ratio, load in better if ratio > 1 and lead <= 0]
    small = [later <= 0.05 for later, _, _ in behind]
    return over_domain(
        f"the gain on branching is {least[0]:.3f} at least, at speed ratio {least[1]:g} and load {least[2]:g}, and "
        f"below 0.1 at {sum(most)} of {len(most)} points; MTP is not the best at {len(lost)}"
        + (f", of ratios from {min(lost)[0]:g} on and loads up to {max(load for _, load in lost):g}" if lost else "")
        + f"; MRTP is little behind it at {sum(small)}, and {slow[0]:.3f} at worst, at ratio {slow[1]:g} and load "
        f"{slow[2]:g}",
        holds,
    )


@check("thesis-1-047", dynamic=False)
def without_being_told(dynamic=True):
    """Loads other than the assumed one, for policies that are not told, and for fixed fractions; or these exchanged."""
    if witnessed() > 1:
        return finding("paths contradict the chain", False)

    def best(ratio, load):
        return minimise_response_time((ratio / (ratio + 1), 1 / (ratio + 1)), load).fractions

    def time(ratio, load, fractions):
        left = np.array([ratio, 1.0]) - load * (ratio + 1) * fractions
        return (fractions[fractions > 0] / left[fractions > 0]).sum() if (left > 0).all() else math.inf

    def beaten(policy, ratio, load):
        known = mean_time(policy, ratio, load) if dynamic else time(ratio, load, best(ratio, 0.5))
        return 1 - known / time(ratio, load, best(ratio, load))

    def kept(assumed, ratio, load):
        return 1 - time(ratio, load, best(ratio, load)) / time(ratio, load, best(ratio, assumed if dynamic else load))

    def alike(assumed, ratio, load):
        return assumed == load or ratio == 1 or min(best(ratio, assumed)[0], best(ratio, load)[0]) > 1 - 1e-9

    follows = grid(policy=("MRTP", "MSTP"), ratio=RATIOS, load=LOADS[:-1]).measure(beaten)
    stays = grid(assumed=(0.3, 0.5, 0.7), ratio=RATIOS, load=LOADS[:-1])
    return conclude(
        at_each("what a dynamic policy takes off the mean response time of the best static routing", follows, larger()),
        at_each("what this takes off that of the routing for the assumed load",
                stays.without("nothing to change", alike).measure(kept), larger(1e-9)),
    )  # fmt: skip
