"""Claims of `thesis`, Section 4.3.2: one class of jobs, split for short responses or waits, or sent by a pattern."""

from functools import cache

import numpy as np

from clustershare.sizes import ErlangMixture, Hyperexponential
from clustershare.splitting import minimise_response_time, minimise_waiting_time, pattern_allocation
from clustershare.splitting.capacity_loss import mean_response_time
from clustershare.splitting.response import fastest_responses, parallel_response_time, shortest_waits
from compendium.press.findings import check, equality, finding, over_domain, relative_difference
from pages.share_scheduling.splitting.allocations import different, in_blocks, patterns, sent_by, turned, waits
from pages.share_scheduling.splitting.phase_chains import birth_death_jobs, mean_jobs
from pages.share_scheduling.splitting.streams import searched, streams, unmet

EXACT = 1e-9
LOADS = 0.3, 0.6, 0.9
BLOCKS = 1, 2, 5, 10, 20, 50


@check("thesis-4-021", proportional=False)
def proportional_branching(proportional=True):
    """(4.43) and the library against the chain of each processor."""
    rng, worst = np.random.default_rng(21), 0.0
    for _ in range(100):
        speeds = np.sort(rng.dirichlet(np.ones(rng.integers(2, 7))))[::-1]
        load, processors = rng.uniform(0.05, 0.9), len(speeds)
        parts = speeds if proportional else np.full(processors, 1 / processors)
        chains = sum(birth_death_jobs(load * part, speed) for part, speed in zip(parts, speeds)) / load
        library = mean_response_time(speeds, np.full(processors, load))
        worst = max(worst, abs(1 - processors / (1 - load) / chains), abs(1 - library / chains))
    return equality(worst, EXACT)


LAWS = {
    "Erlang": (ErlangMixture(0.5, (2,), (1.0,)), {0.2: 0.4, 0.5: 0.6, 0.8: 0.85}),
    "hyperexponential": (Hyperexponential((2.0, 0.5), (1 / 3, 2 / 3)), {0.2: 0.5, 0.5: 0.7, 0.8: 0.9}),
}


@check("thesis-4-022", second="LCFS")
def pollaczek_and_khinchine(second="PS"):
    """(4.44) for each law and load by itself, and for two processors, one of each law."""
    gaps = {}
    for discipline in ("FCFS", second):
        off = []
        for load in (0.2, 0.5, 0.8):
            jobs = [mean_jobs(discipline, load, size, load if discipline == "PS" else decay[load])
                    for size, decay in LAWS.values()]  # fmt: skip
            variances = [size.variance for size, _ in LAWS.values()]
            off += [number / load / parallel_response_time([load], [1.0], [variance]) - 1
                    for number, variance in zip(jobs, variances)]  # fmt: skip
            off.append(sum(jobs) / (2 * load) / parallel_response_time([load] * 2, [1.0] * 2, variances) - 1)
        gaps[discipline] = np.array(off)
    said = [
        f"{name} within 1e-6" if np.abs(off).max() <= 1e-6 else f"{name} {off.min():+.0%} to {off.max():+.0%}"
        for name, off in gaps.items()
    ]
    return over_domain(
        "chains against (4.44): " + "; ".join(said), [np.abs(off).max() <= 1e-6 for off in gaps.values()]
    )


@check("thesis-4-023", variances=False)
def fastest_split(variances=True):
    """(4.47) against descents."""
    above = apart = 0.0
    for system, (least, rates) in zip(streams(23), searched(23, responses=True)):
        spread = system.variances if variances else 0 * system.variances
        found = fastest_responses(system.arrival_rate, system.service_rates, spread)
        sent = found.arrival_rates
        value = parallel_response_time(sent, system.service_rates, system.variances)
        above, apart = max(above, value / least - 1), max(apart, np.abs(sent - rates).max())
    good = above <= EXACT and apart <= 1e-4
    return finding("100 systems: mean within 1e-9 of the least found or below, rates within 1e-4" if good else
                   f"mean up to {above:.1%} above the least found", good)  # fmt: skip


@check("thesis-4-024", ratio=1)
def exponential_multiplier(ratio=2):
    """(4.47) and (4.48), both of the library: rates and multipliers."""
    rates_off = multipliers_off = conditions = 0.0
    for system in streams(24, exponential=True):
        whole = system.service_rates.sum()
        general = fastest_responses(system.arrival_rate, system.service_rates, system.variances)
        special = minimise_response_time(system.service_rates / whole, system.arrival_rate / whole)
        sent = special.fractions * system.arrival_rate
        used = sent > 0
        rates_off = max(rates_off, relative_difference(general.arrival_rates[used], sent[used]))
        rates_off = max(rates_off, general.arrival_rates[~used].sum())
        # (4.48) solved for delta' on the fastest processor
        own = 1 / (system.service_rates[0] * (1 - special.processor_loads[0]) ** 2)
        multipliers_off = max(multipliers_off, abs(general.multiplier / ratio / own - 1))
        conditions = max(conditions, unmet(system, sent))
    good = max(rates_off, multipliers_off, conditions) <= EXACT
    return finding("rates, delta' = delta / 2 and the conditions of a minimum within 1e-9" if good else
                   f"delta / {ratio} is off by up to {multipliers_off:.0%} of delta'", good)  # fmt: skip


@check("thesis-4-025", costly=False)
def shortest_split(costly=True):
    """(4.50) against descents, (4.51) against (4.50)."""
    above = special = 0.0
    least_rate = np.inf
    for system, (least, _) in zip(streams(25, costly=True), searched(25, responses=False, costly=True)):
        means = 1 / system.service_rates
        found = shortest_waits(system.arrival_rate, means, system.second_moments, system.costs if costly else None)
        above = max(above, system.cost(found.arrival_rates, False)[0] / least - 1)
        least_rate = min(least_rate, found.arrival_rates.min() / system.arrival_rate)
        whole = system.service_rates.sum()
        fractions = minimise_waiting_time(system.service_rates / whole, system.arrival_rate / whole).fractions
        general = shortest_waits(system.arrival_rate, means, 2 * means**2).arrival_rates / system.arrival_rate
        special = max(special, relative_difference(general, fractions))
    good = above <= EXACT and special <= EXACT and least_rate > 0
    return finding("100 systems: cost within 1e-9 of the least found or below, (4.51) within 1e-9, every rate positive"
                   if good else f"cost up to {above:.0%} above the least found", good)  # fmt: skip


@check("thesis-4-128", equal=True)
def proportional_is_not_best(equal=False):
    """Mean response times of the two splits."""
    rng, margins = np.random.default_rng(128), []
    while len(margins) < 200:
        processors = rng.integers(2, 7)
        speeds = np.sort(rng.dirichlet(np.ones(processors)))[::-1]
        if equal:
            speeds = np.full(processors, 1 / processors)
        elif (speeds[:-1] / speeds[1:]).min() <= 1.01:
            continue
        load = rng.uniform(0.05, 0.95)
        best = minimise_response_time(speeds, load)
        value = parallel_response_time(best.fractions * load, speeds, speeds**-2)
        margins.append(1 - value / mean_response_time(speeds, np.full(processors, load)))
    least = min(margins)
    return finding(f"200 systems: shorter by {least:.1g} to {max(margins):.2f} of it" if least > EXACT else
                   "in some no splitting is better", least > EXACT)  # fmt: skip


@check("thesis-4-129", first="variance")
def slowest_switched_off(first="speed"):
    """Systems of thesis-4-023 where (4.47) for all processors has a rate below 0."""
    worst, switched = 0.0, 0
    for system in streams(23):
        rates, variances = system.service_rates, system.variances
        sent = fastest_responses(system.arrival_rate, rates, variances).arrival_rates
        if sent.all():
            continue
        if first == "variance":
            on = np.arange(len(rates)) != np.argmax(variances)
            if system.arrival_rate >= rates[on].sum():
                continue
            sent = np.zeros(len(rates))
            sent[on] = fastest_responses(system.arrival_rate, rates[on], variances[on]).arrival_rates
        switched += 1
        slower = rates[sent == 0].max() < rates[sent > 0].min()
        worst = max(worst, unmet(system, sent) if slower or first == "variance" else np.inf)
    good = switched >= 30 and worst <= EXACT
    said = "the slowest are off, and the conditions of a minimum hold within 1e-9"
    return finding(
        f"{switched} systems: {said if good else f'conditions of a minimum missed by up to {worst:.1g}'}", good
    )


def in_turn(load):
    """The mean wait of one of two equal processors that get jobs in turn: gaps of two phases, service exponential."""
    root, rate = 0.5, 0.5 / load
    for _ in range(2000):
        root = (1 / (1 + rate * (1 - root))) ** 2
    return root / (rate * (1 - root))


@cache
def ratios(load, drawn):
    """Mean waits of all patterns over those of M/M/1, by pattern; and of blocks."""
    found = {}
    for pattern in [*(p for period in range(2, 9) for p in different(period)), *map(in_blocks, BLOCKS)]:
        rates = sent_by(pattern)
        if drawn:  # each processor has its own Poisson stream
            own = [pattern_allocation([0], rate, [rate / load]).mean_waiting_time[0] for rate in rates]
        else:
            own = waits(pattern, load)
        chance = [parallel_response_time([rate], [rate / load], [(load / rate) ** 2]) - load / rate for rate in rates]
        found[pattern] = np.divide(own, chance)
    return found


@check("thesis-4-026", drawn=True)
def patterns_against_chance(drawn=False):
    """Every pattern up to period 8, and blocks, exactly."""
    known = all(abs(waits((0, 1), load)[0] / in_turn(load) - 1) < EXACT for load in LOADS)
    short, said = [], []
    for load in LOADS:
        found = ratios(load, drawn)
        own = np.array([found[turned(pattern)] for period in range(2, 9) for pattern in patterns(period)])
        blocks = {size: found[in_blocks(size)].max() for size in BLOCKS}
        short += [*(own < 1 - EXACT).ravel()]
        first = min((size for size in BLOCKS if blocks[size] >= 1 - EXACT), default=None)
        said.append(f"load {load}: waits under patterns up to period 8 shorter in {(own < 1 - EXACT).mean():.1%}, "
                    f"{own.max():.2f} times those by chance at most; blocks longer from {first} on, {blocks[50]:.1f} "
                    "times at 50")  # fmt: skip
        short += [ratio < 1 - EXACT for ratio in blocks.values()]
    return over_domain("; ".join(said), np.array(short) & known)
