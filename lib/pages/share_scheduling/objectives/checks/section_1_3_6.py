"""Claims of `thesis`, Section 1.3.6: policies for two processors and for many, and what they look at."""

import functools
import math
from fractions import Fraction

import numpy as np
from scipy.integrate import quad
from scipy.linalg import expm
from scipy.special import gammainc

from clustershare import routing
from clustershare.splitting import parallel_response_time, pattern_allocation
from compendium.press import words
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, fact, grid, mended
from compendium.press.clauses.conditions import at_least, at_most, equal, larger, short_of, smaller, within
from compendium.press.findings import check
from pages.share_scheduling.objectives import paths, queues
from pages.share_scheduling.objectives.printed import in_the_text
from pages.share_scheduling.objectives.systems import LOADS, TENTHS, drawn, transfer_time
from pages.share_scheduling.objectives.witnesses.many_processors import by_flow
from pages.share_scheduling.objectives.witnesses.two_processors import (
    RATIOS,
    by_paths,
    contradicted,
    in_the_library,
    mean_time,
    static_time,
)
from pages.share_scheduling.objectives.witnesses.workstations import HEAVY, READINGS, allocated, up_down

EXAMPLE = {"jobs": (4, 1), "service_rates": (Fraction(2), Fraction(1))}  # Section 1.3.6
STEP = 0.25  # of the logarithm of time, at which sums of smooth functions are integrals to the last digits
THRESHOLDS, PROBES, TRANSFERS = (1, 2, 3, 4, 5), (1, 2, 3, 5), (1, 2, 3)


def time_to_empty(jobs, rates):
    """(1.4) and (1.5) in fractions, and the mean of the longer of two sums of exponentials; None if they differ.

    The witness is the sum of both means less that of the shorter one: the integral of the product of two Erlang tails.
    """
    recursion = routing.times_to_empty(jobs, rates)[jobs]
    shorter = sum(
        math.comb(i + k, i) * rates[0] ** i * rates[1] ** k / sum(rates) ** (i + k + 1)
        for i in range(jobs[0]) for k in range(jobs[1])
    )  # fmt: skip
    return recursion if recursion == jobs[0] / rates[0] + jobs[1] / rates[1] - shorter else None


def twice(time, printed, processor, rates):
    """The finding that both methods give what is printed, and that it is what MSTP minimises for the processor."""
    said = "the methods differ" if time is None else f"{time}, a mean of {float(time):.6f}, comes of both methods"
    least = routing.scores("MSTP", EXAMPLE["jobs"], rates, 1.0)[(processor, *EXAMPLE["jobs"])]
    return conclude(
        fact(said, time == printed, f"{said}, and {printed} is printed"),
        everywhere("what MSTP minimises and the fraction", exact(least / float(printed) - 1), equal(1e-12)),
        whole=True,
    )


@check("thesis-1-002", rates=(Fraction(1), Fraction(2)))
def time_with_first(rates=EXAMPLE["service_rates"]):
    return twice(time_to_empty((5, 1), rates), Fraction(1279, 486), 0, rates)


@check("thesis-1-003", rates=(Fraction(1), Fraction(2)))
def time_with_second(rates=EXAMPLE["service_rates"]):
    return twice(time_to_empty((4, 2), rates), Fraction(1292, 486), 1, rates)


def mean_stay(ahead, rate, sharing):
    """Of a job that finds so many: the mean time to absorption in the chain of the others that are still there.

    Under processor sharing the next to leave is any of those present; otherwise the job is the last.
    """
    others = np.arange(ahead + 1)
    gone = rate / (others + 1) if sharing else np.where(others == 0, rate, 0.0)
    chain = np.diag(np.full(ahead + 1, float(rate))) - np.diag((rate - gone)[1:], -1)
    return np.linalg.solve(chain, np.ones(ahead + 1))[-1]


@check("thesis-1-004", sharing=True)
def response_times(sharing=False):
    """What MRTP minimises against a chain; in the control the processors share themselves among their jobs."""

    def off(rng, _):
        jobs, rate = int(rng.integers(0, 21)), float(10 ** rng.uniform(-1, 1))
        return routing.scores("MRTP", jobs, (rate,), 1.0)[0, jobs] / mean_stay(jobs, rate, sharing) - 1

    means = [routing.scores("MRTP", 4, (2.0, 1.0), 1.0)[k, 4, 1] for k in (0, 1)]
    return conclude(
        in_the_text("in the example MRTP minimises", means, (2.5, 2), 0),
        everywhere("what it minimises and the chain", drawn("queue", 100, 4).measure(off), equal(1e-9)),
        whole=True,
    )


@check("thesis-1-005", jobs=(1, 1))
def two_answers(jobs=EXAMPLE["jobs"]):
    chosen = [routing.choices(policy, 5, (2.0, 1.0), 1.0)[jobs] + 1 for policy in ("MRTP", "MSTP")]
    return conclude(in_the_text("MRTP and MSTP send the job to processors", chosen, (2, 1)))


def mean_departures(jobs, rate, arrival):
    """Departures from a processor before the next arrival: each comes first with the same probability."""
    mean = 0.0
    for _ in range(jobs):
        mean = rate / (arrival + rate) * (1 + mean)
    return mean


@check("thesis-1-029", like=True)
def throughput_or_departures(like=False):
    """MTP's choice against that with the largest gain in departures; in the control all processors are as fast."""

    def same(rng, _):
        count = rng.integers(2, 5)
        rates = np.ones(count) if like else np.sort(10 ** rng.uniform(0, 1, count))[::-1]
        jobs, arrival = rng.integers(0, 13, count).tolist(), rng.uniform(0.1, 0.95) * rates.sum()
        gains = [
            np.array([law(n + 1, rate, arrival) - law(n, rate, arrival) for n, rate in zip(jobs, rates)])
            for law in (routing.throughput, mean_departures)
        ]
        through, departures = (set(np.flatnonzero(gain >= gain.max() - 1e-12).tolist()) for gain in gains)
        chosen = int(routing.choices("MTP", jobs, rates.tolist(), arrival)[tuple(jobs)])
        return {"same": bool(through & departures), "chosen": chosen in through}

    # The formula for the throughput is the mean of departures over time, in an example.
    rate, arrival, jobs = 2.0, 1.5, 3

    def rates_of(t):
        law = [math.exp(-rate * t) * (rate * t) ** k / math.factorial(k) for k in range(jobs)]
        return (sum(k * q for k, q in enumerate(law)) + jobs * (1 - sum(law))) / t * arrival * math.exp(-arrival * t)

    gap = exact(quad(rates_of, 0, np.inf)[0] - routing.throughput(jobs, rate, arrival))
    found = drawn("state", 500, 29).measure(same)
    return conclude(
        at_each("the choice is the same", found["same"]),
        provided=[
            everywhere("the throughput by quadrature and by its formula", gap, equal(1e-7)),
            everywhere("the library's MTP chooses the largest gain of the throughput", found["chosen"]),
        ],
    )


def log_times(rate):
    """Times from where nothing has happened yet to where all is over, evenly spaced on a logarithmic scale."""
    return np.exp(np.arange(math.log(1e-11), math.log(60), STEP)) / rate


@functools.cache
def death_chains():
    """For random arrival rates, service rates and jobs: Q and TP from the chain of the jobs that are left.

    Returns the triples, the largest difference of Q from the printed law, and the quadrature of departures over time.
    """
    rng, gap, triples, integrals = np.random.default_rng(6), 0.0, [], []
    for _ in range(200):
        arrival, rate, jobs = *(20 ** rng.uniform(-1, 1, 2)), int(rng.integers(1, 16))
        leaving = rate * (np.eye(jobs + 1, k=1) - np.diag(np.arange(jobs + 1) < jobs))  # after so many departures
        for t in (0.1 / rate, 1 / rate, 10 / rate):
            law = [math.exp(-rate * t) * (rate * t) ** k / math.factorial(k) for k in range(jobs)]
            gap = max(gap, np.abs(expm(leaving * t)[0] - [*law, 1 - sum(law)]).max())
        t = log_times(arrival)
        mean = expm(leaving * t[:, None, None])[:, 0] @ np.arange(jobs + 1)
        triples.append((arrival, rate, jobs))
        integrals.append(STEP * (mean * arrival * np.exp(-arrival * t)).sum())
    return triples, gap, np.array(integrals)


@check("thesis-1-006", together=True)
def throughput_formula(together=False):
    """The formula against the death chain; in the control all jobs are served at once, each at the full rate."""
    triples, gap, integrals = death_chains()
    if together:  # each has left by then independently of the others
        integrals = np.array([
            STEP * jobs * arrival * (-np.expm1(-rate * t) * np.exp(-arrival * t)).sum()
            for (arrival, rate, jobs), t in ((triple, log_times(triple[0])) for triple in triples)
        ])  # fmt: skip
    values = [routing.throughput(jobs, rate, arrival) for arrival, rate, jobs in triples]
    return conclude(
        everywhere("the law Q and that of the chain", exact(gap), equal(1e-9)),
        everywhere("the throughput and the integral over the chain", exact(values / integrals - 1, system=None),
                   equal(1e-7)),
        whole=True,
    )  # fmt: skip


@check("thesis-1-007", same=True)
def last_argument(same=False):
    """Choices by the printed last argument m and by n_m against quadrature; in the control n_m is m."""

    def choices(rng, _):
        count = int(rng.integers(2, 5))
        rates, jobs = np.sort(10 ** rng.uniform(-0.5, 0.5, count))[::-1], rng.integers(0, 13, count)
        jobs[-1] = count if same else jobs[-1]
        arrival = rng.uniform(0.1, 0.95) * rates.sum()
        t = log_times(arrival)
        # Mean departures are sums over k of the chances of more than k; times dt/t, which is d log t.
        more = gammainc(np.arange(1, 15)[:, None, None], rates[:, None] * t)
        through = np.vstack([np.zeros(count), np.cumsum(more @ (arrival * np.exp(-arrival * t)) * STEP, axis=0)])
        now, then = through[jobs, np.arange(count)], through[jobs + 1, np.arange(count)]
        totals = now.sum() - now + then
        printed = totals - np.where(np.arange(count) < count - 1, now[-1] - through[count, -1], 0)
        best = int(np.argmax(totals > totals.max() - 1e-9))
        chosen = routing.choices("MTP", jobs.tolist(), rates.tolist(), arrival)[tuple(jobs)]
        return {"m": int(np.argmax(printed > printed.max() - 1e-9)) == best, "n_m": int(chosen) == best}

    found = drawn("state", 300, 7).measure(choices)
    return mended(*(everywhere(f"with {last} the choice is the best", right) for last, right in found.items()))


@check("thesis-1-018", line=True)
def boundary_of_the_recursion(line=False):
    """(1.4) against 1 minus the product of Erlang laws, integrated; in the control all work on what is left."""

    def compared(rng, _):
        count = int(rng.integers(2, 5))
        rates, jobs = 10 ** rng.uniform(-1, 1, count), rng.integers(0, 7, count)
        jobs[0] = max(jobs[0], 1)
        value = routing.times_to_empty(jobs.tolist(), rates.tolist())[tuple(jobs)]
        t = np.exp(np.arange(math.log(1e-11), math.log(1e4), 0.1))
        late = 1 - np.prod([gammainc(n, rate * t) for n, rate in zip(jobs, rates) if n], axis=0)
        witness = jobs.sum() / rates.sum() if line else 0.1 * (late * t).sum()
        fractions = [Fraction(float(rate)) for rate in rates]
        k, n = int(rng.integers(count)), int(rng.integers(1, 7))
        only = tuple(n * (i == k) for i in range(count))
        alone = routing.times_to_empty(only, fractions)[only] == n / fractions[k]
        return {"gap": value / witness - 1, "alone": alone}

    found = drawn("system", 100, 18).measure(compared)
    example = routing.times_to_empty((5, 2), EXAMPLE["service_rates"])
    printed = (example[5, 1], example[4, 2]) == (Fraction(1279, 486), Fraction(1292, 486))
    return conclude(
        everywhere("(1.4) and the integral", found["gap"], equal(1e-8)),
        everywhere("(1.5) is exact", found["alone"]),
        fact("the example is exact", printed, "the example is not exact"),
        whole=True,
    )


@functools.cache
def by_absorption(ratio, most):
    """What MRTP and MSTP minimise, by absorbing chains: of those ahead of a job, and of all jobs present."""
    own = np.array([[mean_stay(n, rate, False) for n in range(most + 1)] for rate in (ratio, 1.0)])
    shape = (most + 2, most + 2)
    index, (first, second) = np.arange(shape[0] * shape[1]).reshape(shape), np.indices(shape)
    chain = np.zeros((index.size, index.size))
    for number, rate, stride in ((first, ratio, shape[1]), (second, 1.0, 1)):
        busy = index[number > 0]
        chain[busy, busy] += rate
        chain[busy, busy - stride] = -rate
    chain[0, 0] = 1.0
    wanted = np.ones(index.size)
    wanted[0] = 0
    times = np.linalg.solve(chain, wanted).reshape(shape)
    here = np.indices((most + 1, most + 1))
    return np.stack([own[0][here[0]], own[1][here[1]]]), np.stack([times[1:, :-1], times[:-1, 1:]])


@check("thesis-1-030", ratios=(1.0,))
def who_needs_the_arrival_rate(ratios=(1.5, 2.0, 3.0, 5.0, 10.0)):
    """Choices at all loads in 441 states; in the control both processors are as fast."""

    def choices(ratio):
        at = {
            policy: np.array([
                routing.choices(policy, 20, (ratio, 1.0), load * (ratio + 1)) for load in np.arange(0.05, 0.96, 0.05)
            ])
            for policy in routing.POLICIES
        }  # fmt: skip
        own = zip(("MRTP", "MSTP"), by_absorption(ratio, 20))
        fixed = all((at[policy] == (values[1] < values[0] - 1e-9)).all() for policy, values in own)
        return {"fixed": fixed, "moving": int(np.ptp(at["MTP"], axis=0).sum())}

    def of_three(policy, rates):
        """In how many states of up to 6 jobs at each of three processors the choice changes with the load."""
        at = [routing.choices(policy, 6, rates, load * sum(rates)) for load in np.arange(0.05, 0.96, 0.05)]
        return int((np.ptp(at, axis=0) > 0).sum())

    found = cases("ratio", ratios).measure(choices)
    rates = ((1.5, 1.2, 1.0), (3.0, 2.0, 1.0), (10.0, 3.0, 1.0))
    three = grid(policy=routing.POLICIES, rates=rates).measure(of_three)
    return conclude(
        everywhere("MRTP and MSTP choose alike at all loads", found["fixed"]),
        everywhere("the number of states, of 441, in which MTP's choice changes", found["moving"], at_least(1)),
        everywhere("of three processors, that in which MRTP's or MSTP's changes", three.at(policy=("MRTP", "MSTP")),
                   at_most(0)),
        everywhere("of three processors, that in which MTP's changes", three.at(policy="MTP"), at_least(1)),
        whole=True,
    )  # fmt: skip


def all_to_the_fastest(ratio, load):
    """Mean response time if the slower processor gets nothing."""
    return 1 / (ratio - load * (ratio + 1)) if load * (ratio + 1) < ratio else math.inf


@check("thesis-1-008", control=True)
def dynamic_policies(control=False):
    """In the control all jobs go to the faster processor in MTP's place, and anywhere at random in MRTP's."""
    if contradicted():
        return conclude(by_paths())

    def compared(ratio, load):
        static = static_time(ratio, load, (ratio / (ratio + 1), 1 / (ratio + 1)))
        times = {policy: mean_time(policy, ratio, load) for policy in routing.POLICIES}
        if control:
            times["MTP"], times["MRTP"] = all_to_the_fastest(ratio, load), static
        alike = ratio == 1 and not control  # all three join the shorter queue
        lead = min(times["MRTP"], times["MSTP"]) / times["MTP"] - 1
        return {
            "gain": 1 - max(times.values()) / static, "best": abs(lead) <= 1e-6 if alike else lead > 1e-6,
            "later": 1 - times["MTP"] / times["MRTP"], "static": static * (ratio + 1) * (1 - load) / 2 - 1,
        }  # fmt: skip

    found = grid(ratio=RATIOS, load=TENTHS).measure(compared)
    return conclude(
        at_each(
            "the part by which the slowest of the three is quicker than branching", found["gain"], at_least("clear")
        ),
        at_each("MTP is the quickest, or all three are alike on equal processors,", found["best"]),
        at_each("the part by which MTP is quicker than MRTP", found["later"], within("close")),
        together=("ratio", "load"),
        provided=[
            by_paths(),
            in_the_library(),
            everywhere("the static mean response time and that of M/M/1 queues", found["static"], equal(1e-9)),
        ],
    )


@functools.cache
def in_small_systems():
    """Of 500 processors how far they are off the limit of many; of 20, ratios of the three policies at two loads."""
    ratios, off = [], {}
    for load in (0.5, 0.8):
        few = {}
        for number, location in enumerate(routing.LOCATIONS):
            limit = transfer_time(location, load, 2, 1 if location == "Random" else 3)
            mean, half = paths.interval(paths.transferred(location, np.full(500, load), 2, 3, length=7, seed=number))
            off[location, load] = abs(mean - limit) / max(half, 0.01 * mean)
            few[location] = paths.transferred(location, np.full(20, load), 2, 3, length=120, seed=number).mean()
        ratios.append((few["Threshold"] / few["Random"], few["Shortest"] / few["Threshold"]))
    return np.array(ratios).T, exact(list(off.values()), setting=None)


def near_the_limit():
    """The clause that 500 processors are near the limit of many."""
    _, off = in_small_systems()
    return everywhere("what 500 processors are off the limit, in parts of what is allowed,", off, at_most(1))


def by_flows(location, **counts):
    """The clause that the limit of many is what flows say, at all loads and thresholds and so many probes or moves."""
    found = grid(load=TENTHS, threshold=THRESHOLDS, **counts).measure(
        lambda load, threshold, count: transfer_time(
            location, load, threshold, *((1, count) if location == "Random" else (count,))
        ) / by_flow(location, load, threshold, count) - 1
    )  # fmt: skip
    return everywhere(f"under {location} the limit of many and what flows say, relatively,", found, equal(1e-8))


@check("thesis-1-011", looks=False)
def simple_location(looks=True):
    """In the control Threshold takes the first processor that it probes, however long its queue is."""

    def compared(load, threshold, probes, transfers):
        better = transfer_time("Threshold" if looks else "Random", load, threshold, probes if looks else 1)
        return {
            "much": 1 - better / transfer_time("Random", load, threshold, 1, transfers),
            "little": 1 - transfer_time("Shortest", load, threshold, probes) / better,
        }

    settings = grid(load=TENTHS, threshold=THRESHOLDS, number_of_probes=PROBES, number_of_transfers=TRANSFERS)
    found, (few, _) = settings.measure(compared), in_small_systems()
    return conclude(
        at_each("the part by which Threshold is quicker than Random", found["much"], at_least("much")),
        at_each("the part by which Shortest is quicker than Threshold", found["little"], short_of("clear")),
        *(aside(f"of 20 processors simulated the part of {pair}", exact(part, load=(0.5, 0.8)))
          for pair, part in zip(("Random that Threshold takes", "Threshold that Shortest takes"), few)),
        together=("load", "threshold", "number of probes", "number of transfers"),
        provided=[
            near_the_limit(),
            by_flows("Random", number_of_transfers=TRANSFERS),
            *(by_flows(location, number_of_probes=PROBES) for location in ("Threshold", "Shortest")),
        ],
    )  # fmt: skip


@check("thesis-1-034", policy="none")
def gap_closed(policy="Threshold"):
    """The part of the way from M/M/1 to no waiting that a policy goes; in the control jobs move whatever they find."""

    def part(load, threshold, probes):
        alone = parallel_response_time([load], [1.0], [1.0])
        time = transfer_time(policy, load, threshold, probes) if policy == "Threshold" else alone
        return (alone - time) / (alone - 1)

    parts = grid(load=TENTHS, threshold=THRESHOLDS, number_of_probes=PROBES).measure(part)
    high = parts.at(load=(0.7, 0.8, 0.9, 0.95), threshold=(1, 2))
    return conclude(
        at_each("the part of the gap that is closed", parts, at_least(0.5)),
        aside("that part at loads from 0.7 on and thresholds 1 and 2", high),
        provided=[near_the_limit(), by_flows("Threshold", number_of_probes=PROBES)],
    )


def drift(load, cost, moves):
    """Of a processor, when all have long queues: what comes less what is served beside so many moves of each job."""
    moving = 0.0 if cost == 0 else load * cost * moves
    return load - max(0.0, 1 - moving)


@functools.cache
def moved_often(limit):
    """How far 500 processors at load 0.8, where a job may move so often, are off the limit of many, over allowed."""
    times = paths.transferred("Random", np.full(500, 0.8), 2, 1, transfers=limit, batches=16, length=7, seed=limit)
    mean, half = paths.interval(times)
    return abs(mean - transfer_time("Random", 0.8, 2, 1, limit)) / max(half, 0.01 * mean)


@check("thesis-1-033", once=True)
def transfer_limit(once=False):
    """Stable or not beside long queues; in the control no job moves twice, as under Threshold."""

    def drifts(load, threshold, cost, limit):
        return {moves: drift(load, cost, 1 if once else most) for moves, most in (("any", np.inf), ("few", limit))}

    def simulated(load, limit, cost):
        found = paths.averaged(paths.crowded(load, 2, 1 if once else limit or None, cost, copies=16))
        return found.scaled(np.sign(drift(load, cost, 1 if once else limit or np.inf)))

    limits = 1, 2, 5, 20
    found = grid(load=TENTHS, threshold=THRESHOLDS, cost=(0.0, 0.01, 0.05, 0.1), limit=limits).measure(drifts)
    saved = grid(load=TENTHS, threshold=THRESHOLDS, limit=limits).measure(
        lambda load, threshold, limit: 1 - (1 - load) * transfer_time("Random", load, threshold, 1, limit)
    )
    return conclude(
        at_each("beside long queues and without a limit, the drift of the number of jobs", found["any"], larger()),
        at_each("with a limit, that drift", found["few"], smaller()),
        aside("the largest drift with a limit if moving is free", found["few"].at(cost=0.0).largest("load")),
        together=("load", "threshold", "cost", "limit"),
        provided=[everywhere("the drift of 20 processors, in the direction that is told,",
                             grid(load=(0.4, 0.9), limit=(1, 5, 0), cost=(0.0, 0.05)).measure(simulated), larger()),
                  everywhere("with several moves what 500 processors are off the limit, in parts of what is allowed,",
                             cases("limit", limits[1:]).measure(moved_often), at_most(1)),
                  everywhere("what free moves take off the mean response time without them", saved, larger()),
                  by_flows("Random", number_of_transfers=limits), near_the_limit()],
    )  # fmt: skip


@check("thesis-1-031", counted=False)
def light_users(counted=True):
    """Waits of light users for each reading of the index; in the control running jobs do not move it."""
    found, others = up_down(counted), allocated()

    def as_stated(step, drawn):
        holds = True
        for load in HEAVY:
            mean, half = found[load, (step, drawn)]
            for policy in ("random", "round robin"):
                other, width = others[load, policy]
                told = abs(other - mean) > half + width
                holds &= (told and mean < other) if load >= 0.6 else (not told or mean < other)
            holds &= words.allows("close", max(0.0, mean - found[HEAVY[0], (step, drawn)][0]))
        return holds

    good = cases("reading", READINGS, [f"step {step:g}{', drawn to 0' * drawn}" for step, drawn in READINGS])
    holds = good.measure(as_stated)
    waits = [max(found[HEAVY[-1], reading][0] for reading in READINGS)]
    waits += [others[HEAVY[-1], policy][0] for policy in ("random", "round robin")]
    return conclude(
        at_each("the waits of light users are as stated", holds),
        aside(f"their longest wait in services at a heavy load of {HEAVY[-1]:g}",
              exact(waits, policy=("up-down", "random", "round robin"))),
        undecidable=holds.value.any(),
    )  # fmt: skip


@check("thesis-1-032", blind=True)
def initiative(blind=False):
    """Server's against source's initiative; in the control a server goes to a source without knowing of its jobs."""

    def compared(processors, load):
        server = queues.blind_service(load) if blind else queues.library_line(processors, load)
        turns = 1 + pattern_allocation(range(processors), processors * load, [1.0] * processors).overall_waiting_time
        source = [parallel_response_time([load], [1.0], [1.0]), turns]
        if processors == 2 or (processors == 3 and load <= 0.6):
            source.append(queues.joined_time(processors, load))
        known = [turns / queues.cyclic(processors, load) - 1, source[0] * (1 - load) - 1]
        if not blind:
            known.append(server / queues.one_line(processors, load) - 1)
        return {
            "gain": 1 - server / min(source),
            "apart": 1 - min(server, *source) / max(server, *source),
            "known": np.abs(known).max(),
        }

    def by_source(rule):
        return max(max(queues.source_queues(0.8, part, rule)[1:]) for part in (0.5, 0.7, 0.9, 0.98))

    loads, asides, chains = [*LOADS[1::2], 0.95], [], []
    if not blind:
        best = queues.library_line(2, 0.8)
        worst = {"random service": by_source("random"), "longest queue": by_source("longest"),
                 "random splitting": 1 / (1 - 0.8), "shortest queue": queues.joined_time(2, 0.8)}  # fmt: skip
        asides = [aside("Q of two servers at load 0.8", exact([best / time for time in worst.values()], rule=worst))]
        two = grid(load=[load for load in loads if load <= 0.8]).measure(
            lambda load: queues.source_queues(load, 0.5, "longest")[0] / queues.library_line(2, load) - 1
        )
        shortest = cases("load", (0.2, 0.5, 0.8)).measure(
            lambda load: queues.joined_time(2, load) / queues.shorter_of_two(load) - 1
        )
        chains = [
            everywhere("the chain of the sources and one line", two, equal(1e-6)),
            everywhere("the shorter of two queues in the library and by a chain", shortest, equal(1e-5)),
        ]
    found = grid(number_of_processors=(2,) if blind else (2, 3, 4, 5), load=loads).measure(compared)
    return conclude(
        at_each(
            "the part by which the server's initiative is quicker than each of the source's", found["gain"], larger()
        ),
        at_each("the part by which the best is quicker than the worst", found["apart"], at_least("clear")),
        *asides,
        together=("number of processors", "load"),
        provided=[
            *chains,
            everywhere(
                "the times of one line, of a stream in turn and of random splitting, in the library and by formulas,",
                found["known"],
                equal(1e-9),
            ),
        ],
    )
