"""Claims of `thesis`, Section 1.3.6: policies for two processors and for many, and what they look at."""

import functools
import itertools
import math
from fractions import Fraction

import numpy as np
from scipy.integrate import quad
from scipy.linalg import expm
from scipy.special import gammainc

from clustershare import routing
from compendium.press import words
from compendium.press.clauses import aside, at_each, conclude, everywhere, exact, grid
from compendium.press.clauses.conditions import at_least, equal, larger
from compendium.press.findings import (
    AGREES,
    DIFFERS,
    UNDECIDABLE,
    Finding,
    check,
    erratum,
    finding,
    over_domain,
    relative_difference,
)
from pages.share_scheduling.objectives import paths, queues
from pages.share_scheduling.objectives.systems import LOADS, TENTHS, transfer_time
from pages.share_scheduling.objectives.witnesses.workstations import HEAVY, READINGS, allocated, up_down

EXAMPLE = {"jobs": (4, 1), "service_rates": (Fraction(2), Fraction(1))}  # Section 1.3.6
STEP = 0.25  # of the logarithm of time, at which sums of smooth functions are integrals to the last digits
RATIOS = (1, 1.5, 2, 3, 5, 10)
LOST = 1e-8
known = {}  # of policies that choose alike one chain is solved
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


def twice(exact, printed):
    """What both methods give, if it is the same."""
    said = "the methods differ" if exact is None else f"{exact}, a mean of {float(exact):.6f}, by both methods"
    return finding(said, exact == printed)


@check("thesis-1-002", rates=(Fraction(1), Fraction(2)))
def time_with_first(rates=EXAMPLE["service_rates"]):
    return twice(time_to_empty((5, 1), rates), Fraction(1279, 486))


@check("thesis-1-003", rates=(Fraction(1), Fraction(2)))
def time_with_second(rates=EXAMPLE["service_rates"]):
    return twice(time_to_empty((4, 2), rates), Fraction(1292, 486))


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
    rng, worst = np.random.default_rng(4), 0.0
    for _ in range(100):
        jobs, rate = int(rng.integers(0, 21)), float(10 ** rng.uniform(-1, 1))
        score = routing.scores("MRTP", jobs, (rate,), 1.0)[0, jobs]
        worst = max(worst, abs(score / mean_stay(jobs, rate, sharing) - 1))
    means = [routing.scores("MRTP", 4, (2.0, 1.0), 1.0)[k, 4, 1] for k in (0, 1)]
    return finding(
        f"{means[0]:g} and {means[1]:g} in the example; " + ("equal" if worst < 1e-9 else f"up to {worst:.2f} apart"),
        worst < 1e-9 and means == [2.5, 2.0],
    )


@check("thesis-1-005", jobs=(1, 1))
def two_answers(jobs=EXAMPLE["jobs"]):
    mrtp, mstp = (int(routing.choices(policy, 5, (2.0, 1.0), 1.0)[jobs]) + 1 for policy in ("MRTP", "MSTP"))
    return finding(f"MRTP sends the job to processor {mrtp}, MSTP to {mstp}", (mrtp, mstp) == (2, 1))


def mean_departures(jobs, rate, arrival):
    """Departures from a processor before the next arrival: each comes first with the same probability."""
    mean = 0.0
    for _ in range(jobs):
        mean = rate / (arrival + rate) * (1 + mean)
    return mean


@check("thesis-1-029", like=True)
def throughput_or_departures(like=False):
    """MTP's choice against that with the largest gain in departures; in the control all processors are as fast."""
    rng, same = np.random.default_rng(29), []
    for _ in range(500):
        count = rng.integers(2, 5)
        rates = np.ones(count) if like else np.sort(10 ** rng.uniform(0, 1, count))[::-1]
        jobs, arrival = rng.integers(0, 13, count), rng.uniform(0.1, 0.95) * rates.sum()
        gains = [
            [law(n + 1, rate, arrival) - law(n, rate, arrival) for n, rate in zip(jobs.tolist(), rates)]
            for law in (routing.throughput, mean_departures)
        ]
        best = [np.flatnonzero(np.array(gain) >= max(gain) - 1e-12).tolist() for gain in gains]
        same.append(bool(set(best[0]) & set(best[1])))
    # The formula for the throughput is the mean of departures over time, in an example.
    rate, arrival, jobs = 2.0, 1.5, 3

    def rates_of(t):
        law = [math.exp(-rate * t) * (rate * t) ** k / math.factorial(k) for k in range(jobs)]
        return (sum(k * q for k, q in enumerate(law)) + jobs * (1 - sum(law))) / t * arrival * math.exp(-arrival * t)

    if abs(quad(rates_of, 0, np.inf)[0] - routing.throughput(jobs, rate, arrival)) > 1e-7:
        return finding("the throughput is another one by quadrature", False)
    return over_domain(f"the same choice in {sum(same)} of 500 states", same)


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
    worst = relative_difference(values, integrals)
    holds = gap <= 1e-9 and worst <= 1e-7
    return finding("Q within 1e-09, TP relatively within 1e-07" if holds else f"TP up to {worst:.2f} apart", holds)


@check("thesis-1-007", same=True)
def last_argument(same=False):
    """Choices by the printed last argument m and by n_m against quadrature; in the control n_m is m."""
    rng, printed_wrong, right_wrong = np.random.default_rng(7), 0, 0
    for _ in range(300):
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
        printed_wrong += int(np.argmax(printed > printed.max() - 1e-9)) != best
        chosen = routing.choices("MTP", jobs.tolist(), rates.tolist(), arrival)[tuple(jobs)]
        right_wrong += int(chosen) != best
    return erratum(
        f"of 300 states, {printed_wrong} are decided otherwise with m and {right_wrong} with n_m",
        printed_wrong == 0, right_wrong == 0,
    )  # fmt: skip


@check("thesis-1-018", line=True)
def boundary_of_the_recursion(line=False):
    """(1.4) against 1 minus the product of Erlang laws, integrated; in the control all work on what is left."""
    rng, worst, alone = np.random.default_rng(18), 0.0, True
    for _ in range(100):
        count = int(rng.integers(2, 5))
        rates, jobs = 10 ** rng.uniform(-1, 1, count), rng.integers(0, 7, count)
        jobs[0] = max(jobs[0], 1)
        value = routing.times_to_empty(jobs.tolist(), rates.tolist())[tuple(jobs)]
        t = np.exp(np.arange(math.log(1e-11), math.log(1e4), 0.1))
        late = 1 - np.prod([gammainc(n, rate * t) for n, rate in zip(jobs, rates) if n], axis=0)
        witness = jobs.sum() / rates.sum() if line else 0.1 * (late * t).sum()
        worst = max(worst, abs(value / witness - 1))
        fractions = [Fraction(float(rate)) for rate in rates]
        k, n = int(rng.integers(count)), int(rng.integers(1, 7))
        only = tuple(n * (i == k) for i in range(count))
        alone &= routing.times_to_empty(only, fractions)[only] == n / fractions[k]
    example = routing.times_to_empty((5, 2), EXAMPLE["service_rates"])
    exact = alone and (example[5, 1], example[4, 2]) == (Fraction(1279, 486), Fraction(1292, 486))
    return finding(
        "relatively within 1e-08; (1.5) and the example exactly"
        if worst <= 1e-8 and exact else f"up to {worst:.2f} apart", worst <= 1e-8 and exact,
    )  # fmt: skip


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
    fixed, moving, most = True, [], 20
    for ratio in ratios:
        at = {
            policy: np.array([
                routing.choices(policy, most, (ratio, 1.0), load * (ratio + 1)) for load in np.arange(0.05, 0.96, 0.05)
            ])
            for policy in routing.POLICIES
        }  # fmt: skip
        for policy, values in zip(("MRTP", "MSTP"), by_absorption(ratio, most)):
            fixed &= (at[policy] == (values[1] < values[0] - 1e-9)).all()
        moving.append(int(np.ptp(at["MTP"], axis=0).sum()))
    return finding(
        ("MRTP and MSTP choose alike at all loads" if fixed else "MRTP or MSTP choose otherwise")
        + f"; MTP's choice changes in {min(moving)} to {max(moving)} of 441 states", fixed and min(moving) > 0,
    )  # fmt: skip


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
def off_on_paths():
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
    if off_on_paths() > 1:
        return finding("paths contradict the chain", False)
    holds, gains, better, behind = [], [], [], []
    for ratio in RATIOS:
        for load in TENTHS:
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


@functools.cache
def in_small_systems():
    """500 processors against the limit of many; and of 20, the ratios of the three policies."""
    ratios, off = [], []
    for load in (0.5, 0.8):
        few = {}
        for number, location in enumerate(routing.LOCATIONS):
            exact = transfer_time(location, load, 2, 1 if location == "Random" else 3)
            mean, half = paths.interval(paths.transferred(location, np.full(500, load), 2, 3, length=7, seed=number))
            off.append(abs(mean - exact) / max(half, 0.01 * mean))
            few[location] = paths.transferred(location, np.full(20, load), 2, 3, length=120, seed=number).mean()
        ratios.append((few["Threshold"] / few["Random"], few["Shortest"] / few["Threshold"]))
    return ratios, max(off)


@check("thesis-1-011", looks=False)
def simple_location(looks=True):
    """In the control Threshold takes the first processor that it probes, however long its queue is."""
    few, off = in_small_systems()
    if off > 1:
        return finding("500 processors contradict the limit of many", False)
    much, little, where = [], [], []
    ratios, gains = [], []
    for load, threshold, probes in itertools.product(TENTHS, THRESHOLDS, PROBES):
        better = transfer_time("Threshold" if looks else "Random", load, threshold, probes if looks else 1)
        gain = 1 - transfer_time("Shortest", load, threshold, probes) / better
        for transfers in TRANSFERS:
            ratio = better / transfer_time("Random", load, threshold, 1, transfers)
            ratios.append(ratio)
            gains.append(gain)
            much.append(words.allows("much", 1 - ratio))
            little.append(not words.allows("clear", gain))
            where.append((load, threshold))
    much, little = np.array(much), np.array(little)
    least = min((load for (load, _), good in zip(where, much) if good), default=None)
    few = "; ".join(f"{a:.2f} and {b:.2f}" for a, b in few)
    return over_domain(
        f"Threshold is {min(ratios):.2f} to {max(ratios):.2f} of Random, at most half at {100 * much.mean():.0f} % of "
        f"the points" + (f", all at loads of {least:g} and more" if least else "") + f"; Shortest is 0.1 or more "
        f"below Threshold at {len(little) - sum(little)} of {len(little)} points, at worst {max(gains):.3f}; 20 "
        f"processors simulated at loads 0.5 and 0.8, Threshold of Random and Shortest of Threshold: {few}",
        much & little,
    )


@check("thesis-1-034", policy="none")
def gap_closed(policy="Threshold"):
    """The part of the way from M/M/1 to no waiting that a policy goes; in the control jobs move whatever they find."""
    parts = {}
    for load, threshold, probes in itertools.product(TENTHS, THRESHOLDS, PROBES):
        alone = 1 / (1 - load)
        time = transfer_time(policy, load, threshold, probes) if policy == "Threshold" else alone
        parts[load, threshold, probes] = (alone - time) / (alone - 1)
    holds = np.array([part >= 0.5 for part in parts.values()])
    worst = min(parts, key=parts.get)
    high = min(part for (load, threshold, _), part in parts.items() if load >= 0.7 and threshold <= 2)
    return over_domain(
        f"{parts[worst]:.2f} to {max(parts.values()):.2f} of the gap; least at load {worst[0]:g}, threshold "
        f"{worst[1]}, {worst[2]} probes; at least a half at {100 * holds.mean():.0f} % of the points; at loads from "
        f"0.7 on and thresholds 1 and 2 at least {high:.2f}",
        holds,
    )


def drift(load, cost, moves):
    """Of a processor, when all have long queues: what comes less what is served beside so many moves of each job."""
    moving = 0.0 if cost == 0 else load * cost * moves
    return load - max(0.0, 1 - moving)


@check("thesis-1-033", once=True)
def transfer_limit(once=False):
    """Stable or not beside long queues; in the control no job moves twice, as under Threshold."""
    holds, free, bound = [], [], []
    for load, _, cost, limit in itertools.product(TENTHS, THRESHOLDS, (0.0, 0.01, 0.05, 0.1), (1, 2, 5, 20)):
        without = drift(load, cost, 1 if once else np.inf) > 0
        within = drift(load, cost, 1 if once else limit) < 0
        holds.append(without and within)
        (bound if cost else free).append((without, within))
    for load, limit, cost in itertools.product((0.4, 0.9), (1, 5, None), (0.0, 0.05)):
        mean, half = paths.interval(paths.crowded(load, 2, 1 if once else limit, cost))
        if abs(mean) <= half or (mean > 0) != (drift(load, cost, 1 if once else limit or np.inf) > 0):
            return finding("20 processors contradict the drift", False)
    without, within = np.array(bound).T
    return over_domain(
        f"if moving is free, unstable without a limit at {sum(w for w, _ in free)} of {len(free)} points; if it costs "
        f"the processors time, at {without.sum()} of {len(bound)}, and stable with a limit at {within.sum()}: those "
        "where the load times 1 + limit x cost is below 1",
        holds,
    )


@check("thesis-1-031", counted=False)
def light_users(counted=True):
    """Waits of light users for each reading of the index; in the control running jobs do not move it."""
    found, others, good, worst = up_down(counted), allocated(), [], 0.0
    for reading in READINGS:
        holds = True
        for load in HEAVY:
            mean, half = found[load, reading]
            for policy in ("random", "round robin"):
                other, width = others[load, policy]
                told = abs(other - mean) > half + width
                holds &= (told and mean < other) if load >= 0.6 else (not told or mean < other)
            holds &= words.allows("close", max(0.0, mean - found[HEAVY[0], reading][0]))
        good.append(holds)
        worst = max(worst, found[HEAVY[-1], reading][0])
    verdict = AGREES if all(good) else UNDECIDABLE if any(good) else DIFFERS
    steps = sorted({step for (step, _), holds in zip(READINGS, good) if holds})
    return Finding(
        f"at a heavy load of 0.8 light users wait up to {worst:.1f} of a service, {others[0.8, 'random'][0]:.1f} if "
        f"machines are given at random, {others[0.8, 'round robin'][0]:.2f} in turn; as stated under {sum(good)} of "
        f"{len(good)} readings of the index"
        + (f", with steps of waiting jobs of {steps[0]:g} to {steps[-1]:g} of those of running ones" if steps else ""),
        verdict,
    )


@check("thesis-1-032", blind=True)
def initiative(blind=False):
    """Server's against source's initiative; in the control a server goes to a source without knowing of its jobs."""

    def compared(processors, load):
        server = queues.blind_service(load) if blind else queues.one_line(processors, load)
        source = [1 / (1 - load), queues.cyclic(processors, load)]
        if processors == 2 or (processors == 3 and load <= 0.6):
            source.append(queues.joined(processors, load)[1])
        return {
            "gain": 1 - server / min(source),
            "apart": 1 - min(server, *source) / max(server, *source),
        }

    def by_source(rule):
        return max(max(queues.source_queues(0.8, part, rule)[1:]) for part in (0.5, 0.7, 0.9, 0.98))

    loads, asides, chains = [*LOADS[1::2], 0.95], [], []
    if not blind:
        best = queues.one_line(2, 0.8)
        worst = {"random service": by_source("random"), "longest queue": by_source("longest"),
                 "random splitting": 1 / (1 - 0.8), "shortest queue": queues.joined(2, 0.8)[1]}  # fmt: skip
        asides = [aside("Q of two servers at load 0.8", exact([best / time for time in worst.values()], rule=worst))]
        two = grid(load=[load for load in loads if load <= 0.8]).measure(
            lambda load: queues.source_queues(load, 0.5, "longest")[0] / queues.one_line(2, load) - 1
        )
        chains = [everywhere("the chain of the sources and Erlang's formula", two, equal(1e-6))]
    found = grid(number_of_processors=(2,) if blind else (2, 3, 4, 5), load=loads).measure(compared)
    return conclude(
        at_each(
            "the part by which the server's initiative is quicker than each of the source's", found["gain"], larger()
        ),
        at_each("the part by which the best is quicker than the worst", found["apart"], at_least("clear")),
        *asides,
        together=("number of processors", "load"),
        provided=chains,
    )
