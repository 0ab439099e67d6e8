"""Claims of `thesis`, Section 4.3.2: one class of jobs, split for short responses or waits, or sent by a pattern."""

from functools import cache

import numpy as np

from clustershare import uniprocessor
from clustershare.estimates import from_replications
from clustershare.sizes import ErlangMixture, Hyperexponential
from clustershare.splitting import horizontal, minimise_response_time, minimise_waiting_time, pattern_allocation
from clustershare.splitting.capacity_loss import mean_response_time
from clustershare.splitting.response import fastest_responses, parallel_response_time, shortest_waits
from compendium.press.clauses import (
    aside,
    at_each,
    cases,
    conclude,
    equalities,
    everywhere,
    exact,
    fact,
    grid,
    measured,
)  # fmt: skip
from compendium.press.clauses.conditions import agrees, at_most, larger, smaller
from compendium.press.clauses.conditions import equal as are_equal
from compendium.press.findings import check, difference, relative_difference
from pages.share_scheduling.splitting.points.allocations import LAWS as SIZES
from pages.share_scheduling.splitting.points.allocations import (
    different,
    in_blocks,
    path_waits,
    patterns,
    sent_by,
    turned,
    waits,
)
from pages.share_scheduling.splitting.systems.streams import searched, streams, unmet
from pages.share_scheduling.splitting.witnesses import dynamic
from pages.share_scheduling.splitting.witnesses.phase_chains import birth_death_jobs, mean_jobs

EXACT = 1e-9
LOADS = 0.3, 0.6, 0.9
BLOCKS = 1, 2, 5, 10, 20, 50


@check("thesis-4-021", proportional=False)
def proportional_branching(proportional=True):
    """(4.43) and the library against the chain of each processor."""
    rng, systems = np.random.default_rng(21), []
    for _ in range(100):
        speeds = np.sort(rng.dirichlet(np.ones(rng.integers(2, 7))))[::-1]
        systems.append((speeds, rng.uniform(0.05, 0.9), rng.uniform(0.2, 5)))

    def gaps(speeds, load, mu):
        P = len(speeds)
        parts, rates = speeds if proportional else np.full(P, 1 / P), mu * speeds
        chains = sum(birth_death_jobs(load * mu * part, rate) for part, rate in zip(parts, rates)) / (load * mu)
        mixed = horizontal([0.5, 0.5], [load / 3, 2 * load / 3], speeds, service_rates=mu)
        return {
            "(4.43) and the chains of all processors, relatively,": P / (mu - load * mu) / chains - 1,
            "the library and these chains, relatively,": mean_response_time(speeds, np.full(P, load)) / mu / chains - 1,
            "(4.44) for exponential sizes and these chains, relatively,":
                parallel_response_time(load * rates, rates, rates**-2) / chains - 1,
            "HPRS of two groups and these chains, relatively,": difference(mixed.mean_response_time / chains, 1),
        }  # fmt: skip

    return conclude(*equalities(cases("random system", systems, seed=21).measure(gaps), EXACT), whole=True)


LAWS = {
    "Erlang": (ErlangMixture(0.5, (2,), (1.0,)), {0.2: 0.4, 0.5: 0.6, 0.8: 0.85}),
    "hyperexponential": (Hyperexponential((2.0, 0.5), (1 / 3, 2 / 3)), {0.2: 0.5, 0.5: 0.7, 0.8: 0.9}),
}


@check("thesis-4-022", second="LCFS")
def pollaczek_and_khinchine(second="PS"):
    """(4.44) for each law and load by itself, and for two processors, one of each law."""

    def gaps(discipline, load):
        jobs = [mean_jobs(discipline, load, size, load if discipline == "PS" else decay[load])
                for size, decay in LAWS.values()]  # fmt: skip
        variances = [size.variance for size, _ in LAWS.values()]
        found = [number / load / parallel_response_time([load], [1.0], [variance]) - 1
                 for number, variance in zip(jobs, variances)]  # fmt: skip
        found.append(sum(jobs) / (2 * load) / parallel_response_time([load] * 2, [1.0] * 2, variances) - 1)
        return exact(found, sizes=(*LAWS, "one of each law"))

    def simulated(discipline, load):
        """Of each law the response time in the library's simulation, of two groups alike, and what it should be."""
        for size, _ in LAWS.values():
            run = {"jumps": 20_000, "warmup": 2_000, "replications": 20, "sizes": size}
            times = uniprocessor.simulate(discipline, (0.5, 0.5), (load / 2, load / 2), **run).mean_response_time
            if discipline == "FCFS":
                yield parallel_response_time([load], [1.0], [size.variance]), times
            else:
                yield mean_jobs(discipline, load, size, load) / load, times

    def off(discipline, load):
        expected, times = zip(*simulated(discipline, load))
        gap = np.array([one.value - mean for mean, one in zip(expected, times)])
        half = np.array([one.half_width for one in times])
        return measured(gap, half, runs=20, risk=0.001, sizes=tuple(LAWS), group=(1, 2))

    in_library = tuple(name for name in ("FCFS", second) if name in uniprocessor.POLICIES)
    runs = grid(discipline=in_library, load=(0.2, 0.5, 0.8)).measure(off)
    found = grid(discipline=("FCFS", second), load=(0.2, 0.5, 0.8)).measure(gaps)
    flat = exact(found.value.reshape(2, -1), discipline=("FCFS", second), point=None)
    return conclude(
        at_each("the mean response times of chains and (4.44), relatively,", flat, are_equal(1e-6), every="point"),
        *(aside(f"the chains over (4.44) less 1 under {name}", found.at(discipline=name)) for name in ("FCFS", second)),
        provided=[everywhere("under FCFS the library's (4.44) is known: the chains over it less 1",
                             flat.at(discipline="FCFS"), are_equal(1e-6)),
                  everywhere("simulated response times less (4.44), under PS less the chains'", runs, agrees())],
    )  # fmt: skip


@check("thesis-4-023", variances=False)
def fastest_split(variances=True):
    """(4.47) against descents."""

    def gaps(system, least, rates):
        spread = system.variances if variances else 0 * system.variances
        best, mu = fastest_responses(system.arrival_rate, system.service_rates, spread), system.service_rates
        sent, scaled = best.arrival_rates, mu**2 * spread
        value = parallel_response_time(sent, mu, system.variances)
        printed = mu * (1 - np.sqrt((scaled + 1) / np.maximum(best.multiplier * mu + scaled - 1, scaled + 1)))
        return {
            "above": value / least - 1, "told": best.objective / least - 1,
            "apart": difference(sent, rates), "printed": difference(sent, printed),
        }  # fmt: skip

    systems = [(system, *best) for system, best in zip(streams(23), searched(23, responses=True))]
    found = cases("random system", systems, seed=23).measure(gaps)
    return conclude(
        everywhere(
            "the mean response time over the least one that descents find, less 1,", found["above"], at_most(EXACT)
        ),
        *equalities({"the rates and those of the descents": found["apart"]}, 1e-4),
        *equalities({"the library's least mean and that of the descents, relatively,": found["told"]}, EXACT),
        *equalities({"the rates and (4.47) with the library's delta, or 0,": found["printed"]}, EXACT),
        whole=True,
    )


@check("thesis-4-024", ratio=1)
def exponential_multiplier(ratio=2):
    """(4.47) and (4.48), both of the library: rates and multipliers."""

    def gaps(system):
        whole = system.service_rates.sum()
        general = fastest_responses(system.arrival_rate, system.service_rates, system.variances)
        special = minimise_response_time(system.service_rates / whole, system.arrival_rate / whole)
        sent = special.fractions * system.arrival_rate
        used = sent > 0
        # (4.48) solved for delta' on the fastest processor
        own = 1 / (system.service_rates[0] * (1 - special.processor_loads[0]) ** 2)
        return {
            "the rates of (4.47) and (4.48), relatively,": relative_difference(general.arrival_rates[used], sent[used]),
            "the rates of (4.47) elsewhere and 0": general.arrival_rates[~used].sum(),
            f"delta / {ratio} and delta', relatively,": general.multiplier / ratio / own - 1,
            "the prices of one more job, relatively,": unmet(system, sent),
        }

    systems = cases("random system", streams(24, exponential=True), seed=24)
    return conclude(*equalities(systems.measure(gaps), EXACT), whole=True)


@check("thesis-4-025", costly=False)
def shortest_split(costly=True):
    """(4.50) against descents, (4.51) against (4.50)."""

    def gaps(system, least, _):
        means, whole = 1 / system.service_rates, system.service_rates.sum()
        found = shortest_waits(system.arrival_rate, means, system.second_moments, system.costs if costly else None)
        dear = 2 * means * found.multiplier / ((system.costs if costly else 1) * system.second_moments)
        fractions = minimise_waiting_time(system.service_rates / whole, system.arrival_rate / whole).fractions
        general = shortest_waits(system.arrival_rate, means, 2 * means**2).arrival_rates / system.arrival_rate
        return {
            "above": system.cost(found.arrival_rates, False)[0] / least - 1, "told": found.objective / least - 1,
            "rate": found.arrival_rates.min() > 0, "special": relative_difference(general, fractions),
            "printed": relative_difference((1 - 1 / np.sqrt(1 + dear)) / means, found.arrival_rates),
        }  # fmt: skip

    searches = searched(25, responses=False, costly=True)
    systems = [(system, *best) for system, best in zip(streams(25, costly=True), searches)]
    found = cases("random system", systems, seed=25).measure(gaps)
    return conclude(
        everywhere("the cost over the least one that descents find, less 1,", found["above"], at_most(EXACT)),
        *equalities({"the library's least cost and that of the descents, relatively,": found["told"]}, EXACT),
        *equalities({"(4.50) with the library's delta and the rates, relatively,": found["printed"]}, EXACT),
        *equalities({"the fractions of (4.51) and (4.50), relatively,": found["special"]}, EXACT),
        everywhere("every rate is positive", found["rate"]),
        whole=True,
    )


@check("thesis-4-128", equal=True)
def proportional_is_not_best(equal=False):
    """Mean response times of the two splits."""
    rng, systems = np.random.default_rng(128), []
    while len(systems) < 200:
        processors = rng.integers(2, 7)
        speeds = np.sort(rng.dirichlet(np.ones(processors)))[::-1]
        if equal:
            speeds = np.full(processors, 1 / processors)
        elif (speeds[:-1] / speeds[1:]).min() <= 1.01:
            continue
        systems.append((speeds, rng.uniform(0.05, 0.95)))

    def shorter(speeds, load):
        best = minimise_response_time(speeds, load)
        sent = load * speeds, best.fractions * load
        proportional, found = (parallel_response_time(each, speeds, speeds**-2) for each in sent)
        return 1 - max(found, best.objective) / proportional

    found = cases("random system", systems, seed=128).measure(shorter)
    return conclude(everywhere("the part by which response times are shorter", found, larger(EXACT)), whole=True)


@check("thesis-4-129", first="variance")
def slowest_switched_off(first="speed"):
    """Systems of thesis-4-023 where (4.47) for all processors has a rate below 0."""

    def switched():
        for system in streams(23):
            rates, variances = system.service_rates, system.variances
            sent = fastest_responses(system.arrival_rate, rates, variances).arrival_rates
            on = np.arange(len(rates)) != np.argmax(variances)
            if (sent > 0).all() or first == "variance" and system.arrival_rate >= rates[on].sum():
                continue
            if first == "variance":
                sent = np.zeros(len(rates))
                sent[on] = fastest_responses(system.arrival_rate, rates[on], variances[on]).arrival_rates
            yield system, sent

    def kept(system, sent):
        rates = system.service_rates
        slower = first == "variance" or rates[sent <= 0].max() < rates[sent > 0].min()
        return {"slower": slower, "prices": unmet(system, sent)}

    found = cases("system with a processor off", switched(), seed=23).measure(kept)
    return conclude(
        everywhere("the slowest are off", found["slower"]),
        *equalities({"the prices of one more job, and what comes and is sent, relatively,": found["prices"]}, EXACT),
        fact("there are 30 systems or more", len(found["slower"].value) >= 30, "there are fewer than 30 systems"),
        whole=True,
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


def variability(pattern, drawn):
    """The squared coefficient of variation of the times between the jobs of each of two processors; of a stream, 1."""
    found = []
    for p in (0, 1):
        places = np.flatnonzero(np.array(pattern) == p)
        gaps = np.diff(np.append(places, places[0] + len(pattern)))  # each a sum of so many exponential times
        found.append(1.0 if drawn else (gaps**2 + gaps).mean() / gaps.mean() ** 2 - 1)
    return found


def along_paths(law, load, drawn):
    """The mean wait of jobs in turn, or by chance, along paths, less that of the library's M/G/1 at the same rate."""
    size = SIZES[law]
    rate = load / size.mean
    found = path_waits((0.5, 0.5) if drawn else (0, 1), 2 * rate, [size] * 2, 26, jobs=20_000)
    found = from_replications(found) - (parallel_response_time([rate], [1 / size.mean], [size.variance]) - size.mean)
    return found.value, found.half_width


@check("thesis-4-026", drawn=True)
def patterns_against_chance(drawn=False):
    """Every pattern up to period 8, and blocks, exactly; other sizes along paths."""
    found = {load: ratios(load, drawn) for load in LOADS}
    every = [pattern for period in range(2, 9) for pattern in patterns(period)]
    short = exact([[found[load][turned(pattern)] for pattern in every] for load in LOADS], load=LOADS, pattern=None,
                  processor=(1, 2))  # fmt: skip
    blocks = exact(
        [[found[load][in_blocks(size)].max() for size in BLOCKS] for load in LOADS], load=LOADS, block=BLOCKS
    )
    uneven = exact([variability(pattern, drawn) for pattern in every], pattern=None, processor=(1, 2))
    of_blocks = exact([max(variability(in_blocks(size), drawn)) for size in BLOCKS], block=BLOCKS)
    others, loads = ("constant", "bursty", "Pareto"), LOADS[:2]
    in_turn_less, by_chance_less = (
        measured(*np.moveaxis([[along_paths(law, load, chance) for load in loads] for law in others], -1, 0), runs=20,
                 law=others, load=loads)
        for chance in (drawn, True)
    )  # fmt: skip
    known = cases("load", LOADS).measure(lambda load: waits((0, 1), load)[0] / in_turn(load) - 1)
    blocks_of_20 = waits(in_blocks(20), 0.3) / 0.6 / (dynamic.in_blocks(2, 0.3) - 1) - 1  # a mean service takes 0.6
    said = "the mean wait over that by chance, less 1,"
    between = "the squared coefficient of variation of the times between jobs, less 1,"
    return conclude(
        at_each(f"under patterns up to period 8 {between}", uneven - exact(1.0), smaller(EXACT)),
        at_each(f"under blocks {between}", of_blocks - exact(1.0), smaller(EXACT)),
        at_each(f"under patterns up to period 8 {said}", short - exact(1.0), smaller(EXACT)),
        at_each(f"under blocks {said}", blocks - exact(1.0), smaller(EXACT)),
        at_each("with sizes of other laws, in turn, the mean wait less that by chance",
                in_turn_less, smaller()),
        provided=[
            *equalities({"waits in turn and those of a queue with gaps of two phases, relatively,": known}, EXACT),
            *equalities({"waits in blocks of 20 at a load of 0.3 and those from job to job, relatively,":
                         exact(blocks_of_20, processor=(1, 2))}, 1e-6),
            everywhere("by chance, with sizes of other laws, the wait along paths less that of M/G/1",
                       by_chance_less, agrees()),
        ],
    )  # fmt: skip
