"""Claims of `thesis`, Section 3.5.1, case 2: what else a policy could do that interrupts nobody."""

import numpy as np

from clustershare import uniprocessor
from compendium.press.findings import check, erratum, over_domain
from pages.share_scheduling.one_processor.points import jointly, simulated
from pages.share_scheduling.one_processor.simulated import widened
from pages.share_scheduling.one_processor.systems import SHARES
from pages.share_scheduling.one_processor.witnesses.decisions import least_deviation, programme, with_threshold
from pages.share_scheduling.one_processor.witnesses.paths import averages

LOADS, MOST = (0.4, 0.4), 30


@check("thesis-3-150", preemptive=True)
def no_better_one(preemptive=False):
    """The least deviation that a linear programme allows, against UD, HOL and others (`thesis`, Figure 3.10)."""
    flows, bound = programme(LOADS, MOST, preemptive), sum(LOADS) ** (MOST + 1)
    value, half_width = simulated("UD")
    wide = jointly(half_width)
    at_random = np.array(
        [averages((0.6, 0.4), LOADS, policy="random", events=2_000, seed=seed).present for seed in range(10)]
    )
    doubt = widened(2 * len(SHARES), 10) * 2.262 * at_random.std(axis=0, ddof=1) / np.sqrt(10)
    holds, below, apart = {}, 0, 0.0
    for number, r in enumerate(SHARES):
        if r < 0.55:
            continue
        least, shares = least_deviation(flows, LOADS, MOST, r), np.array([r, 1 - r])
        front = uniprocessor.exact("HOL", (r, 1 - r), LOADS).group_share_deviation.max()
        back = uniprocessor.exact("HOL", (1 - r, r), LOADS)
        others = [
            front,
            (back.probability_present - back.obtained_share / shares).max(),
            uniprocessor.exact("FCFS", (r, 1 - r), LOADS).group_share_deviation.max(),
            (at_random.mean(axis=0) + doubt - LOADS / shares).max(),
        ]
        below += min(others) < least - 1e-9
        near = (value - wide)[number].max() <= least + bound and (value + wide)[number].max() >= least
        holds[r] = bool(near and front <= least + bound)
        apart = max(apart, value[number].max() - least)
    said = [f"{r:g}" for r, found in holds.items() if not found]
    return over_domain(
        f"the bound is {bound:.4f} wide; UD is above it at r_1 = {', '.join(said) or 'none'}, by up to {apart:.3f}; "
        f"{below} others below it",
        [found and not below for found in holds.values()],
    )


@check("thesis-3-151", thresholds=(np.inf,))
def waiting_for_the_other(thresholds=(0.0, 1.0, 4.0)):
    """UD that lets group 2 wait: deviations, lost capacity, and whether group 2 is served as it arrives."""
    settings = [(r, threshold) for r in (0.6, 0.7, 0.8, 0.9) for threshold in thresholds]
    found = with_threshold(settings, LOADS, replications=60)
    wide = widened(4 * len(settings), 60)
    up_down = [uniprocessor.exact("UD", (r, 1 - r), LOADS).group_share_deviation.max() for r, _ in settings]
    largest = (found.deviations.value + wide * found.deviations.half_width).max(axis=1)
    gain = largest < np.array(up_down)
    lost = found.loss.value - wide * found.loss.half_width > 0
    grows = found.growth.value - wide * found.growth.half_width > 0
    fails = np.array(up_down) > 0
    said = []
    for r in (0.8, 0.9):
        here = np.array([share == r for share, _ in settings])
        said.append(
            f"at {r:g} from {np.array(up_down)[here][0]:.3f} to at most {found.deviations.value[here].max():.3f}, "
            f"{found.loss.value[here].min():.2f} lost"
        )
    growing = "grows each time" if grows[fails].all() else "does not grow each time"
    return erratum(
        f"Delta^G {'; '.join(said)}; the queue of group 2 {growing}; "
        f"{'no gain' if not gain[~fails].any() else 'a gain'} at 0.6, 0.7",
        bool((gain & lost & ~grows).any()),
        bool((gain & lost & grows)[fails].all() and not gain[~fails].any()),
    )
