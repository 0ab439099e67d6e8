"""Claims of `thesis`, Chapter 1: where to send a job, and how others share a processor or a link."""

import inspect
import itertools
import math

import numpy as np

from clustershare import fair_queueing, proportional, routing
from clustershare.shares import maximum_obtainable_share
from compendium.press.claims import check, erratum, finding


@check("thesis-1-001", order=1)
def order_of_processors(order=-1):
    """With the fastest first, the first k capacities are the most that k processors have; summed, they are c."""
    rng, gap = np.random.default_rng(1), 0.0
    for _ in range(20):
        capacities = np.sort(rng.exponential(size=4))[::-1]
        for k in range(5):
            best = max(sum(chosen) for chosen in itertools.combinations(capacities, k)) / capacities.sum()
            first = np.sort(capacities)[::order][:k].sum() / capacities.sum()
            gap = max(gap, abs(best - first), abs(best - maximum_obtainable_share(k, capacities)))
    return finding("the first k are the fastest k" if gap < 1e-12 else f"up to {gap:.2f} less", gap < 1e-12)


def first_come(servers, load):
    """Mean response time of M/M/K, mean service time 1."""
    offered = servers * load
    waiting = offered**servers / math.factorial(servers) / (1 - load)
    chance = waiting / (sum(offered**k / math.factorial(k) for k in range(servers)) + waiting)
    return 1 + chance / (servers * (1 - load))


@check("thesis-1-009", reference="M/M/1 of all servers")
def q_factor(reference="FCFS"):
    """Random splitting and the shortest queue do not see the sources; a server for each source does."""
    found = {}
    for load in (0.3, 0.6, 0.9):
        best = first_come(2, load) if reference == "FCFS" else first_come(1, load)
        found.setdefault("random", []).append(best * (1 - load))
        found.setdefault("shortest queue", []).append(best / routing.mean_response_time("MRTP", (1.0, 1.0), 2 * load))
        # All jobs may come from one source: its server has twice the load.
        found.setdefault("own server", []).append(best * max(0.0, 1 - 2 * load))
    inside = all(0 <= q <= 1 for values in found.values() for q in values)
    inside &= all(r < s < 1 for r, s in zip(found["random"], found["shortest queue"]))
    said = "; ".join(f"{name} {', '.join(f'{q:.3f}' for q in values)}" for name, values in found.items())
    return finding(f"{said} at loads 0.3, 0.6, 0.9", inside)


@check("thesis-1-010", below=1)
def balancing_success(below=0):
    """Three independent queues counted state by state, against the formulas of Section 4.3 for one property each."""
    load, count, most = 0.6, 3, 80
    law = (1 - load) * load ** np.arange(most)
    few, many = law[: below + 1].sum(), 1 - law[:2].sum()
    middle = 1 - few - many
    counted = sum(
        few ** kinds.count(0) * middle ** kinds.count(1) * many ** kinds.count(2)
        for kinds in itertools.product(range(3), repeat=count)
        if 0 in kinds and 2 in kinds
    )
    sharing = 1 - load**count - (1 - load) ** count * ((1 + load) ** count - load**count)
    both = 1 - (1 - load**2) ** count - load**count + (load - load**2) ** count
    return finding(f"counted {counted:.6f}, (4.38) {sharing:.6f}, (4.41) {both:.6f}",
                   max(abs(counted - sharing), abs(counted - both)) < 1e-12)  # fmt: skip


@check("thesis-1-012", few=100)
def time_functions(few=1):
    """Services of two classes with slopes 1 and 3: with few jobs in a class, and with a hundred."""
    ratios = {}
    for jobs in (few, 100):
        served = np.bincount(proportional.time_function((1.0, 3.0), jobs, 60_000))
        ratios[jobs] = served[1] / served[0]
    return erratum(f"slopes 1 and 3: ratio {ratios[few]:.3f} with {few} job{'s' * (few > 1)} in a class, "
                   f"{ratios[100]:.3f} with 100", abs(ratios[few] / 3 - 1) < 0.01,
                   abs(ratios[100] / 3 - 1) < 0.01)  # fmt: skip


def lottery_error(tickets, quanta, windows=200):
    """The mean error of the service of the last job in a window, relative to its part."""
    chosen = proportional.lottery(tickets, quanta * windows, np.random.default_rng(13)).reshape(windows, quanta)
    part = quanta * tickets[-1] / sum(tickets)
    return float(np.abs((chosen == len(tickets) - 1).sum(axis=1) - part).mean() / part)


@check("thesis-1-013", policy=proportional.lottery)
def lottery_and_stride(policy=proportional.stride):
    """Errors in quanta over 5000 quanta; and the lottery's by the length of a window and the ratio of the tickets."""
    tickets, rng = tuple(range(1, 11)), np.random.default_rng(31)
    drawn = proportional.worst_error(proportional.lottery(tickets, 5000, rng), tickets)
    own = {"rng": rng} if "rng" in inspect.signature(policy).parameters else {}
    strides = proportional.worst_error(policy(tickets, 5000, **own), tickets)
    windows = [lottery_error((3, 1), quanta) for quanta in (50, 500)]
    ratios = [lottery_error((ratio, 1), 500) for ratio in (1, 10)]
    return finding(
        f"{strides:.2f} quanta against {drawn:.1f}; lottery in windows of 50 and 500 {windows[0]:.3f} and "
        f"{windows[1]:.3f}, tickets 1 to 1 and 10 to 1 {ratios[0]:.3f} and {ratios[1]:.3f}",
        strides <= 1 < drawn and windows[0] > windows[1] and ratios[1] > ratios[0],
    )


def visitors(settle, count=20):
    """A client with requests of 1 among visitors with requests of 1/2, which go as soon as they are served."""
    processor = proportional.EEVDF(settle)
    processor.join("resident", 1.0, 1.0)
    for visitor in range(count):
        processor.join(visitor, 1.0, 0.5)
    for _ in range(count):
        processor.leave(processor.serve())
    return processor.worst_lag


def crowd(settle, seed):
    """Clients that come and go at random; no request exceeds 1."""
    rng, processor = np.random.default_rng(seed), proportional.EEVDF(settle)
    for name in range(303):
        if name < 3 or (rng.random() < 0.1 and len(processor.clients) < 8):
            processor.join(name, rng.uniform(0.2, 3), rng.uniform(0.2, 1))
        if name > 2:
            served = processor.serve()
            if rng.random() < 0.1 and len(processor.clients) > 2:
                processor.leave(served)
    return processor.worst_lag


@check("thesis-1-014", settle=True)
def service_lag(settle=False):
    """Largest lags over the largest request, with virtual time by (1.6) only, and set right at each departure."""
    printed = max(visitors(settle), *(crowd(settle, seed) for seed in range(20)))
    settled = max(visitors(True), *(crowd(True, seed) for seed in range(20)))
    alike = proportional.EEVDF()
    for client in range(100):  # whatever serves one of 100 like clients first
        alike.join(client, 1.0, 1.0)
    alike.serve()
    return erratum(
        f"largest lag {printed:.2f} with (1.6) alone, {settled:.2f} settled; {alike.worst_lag:.2f} is unavoidable",
        printed <= 1 and alike.worst_lag > 0.98, settled <= 1 and alike.worst_lag > 0.98,
    )  # fmt: skip


def packets(seed, count=40, number=4):
    """A random trace of packets for some queues."""
    rng = np.random.default_rng(seed)
    return np.sort(rng.uniform(0, count, count)), rng.uniform(0.05, 1, count), rng.integers(number, size=count)


@check("thesis-1-015", squared=True)
def guaranteed_rate(squared=False):
    """Service of backlogged queues under GPS over what their weights guarantee, piece by piece of random traces."""
    weights, least = np.array([1.0, 2.0, 3.0, 4.0]), math.inf
    promised = weights**2 / (weights**2).sum() if squared else weights / weights.sum()
    for seed in range(10):
        arrivals, sizes, queues = packets(seed)
        _, ends, times, service = fair_queueing.processor_sharing(arrivals * 0.5, sizes, queues, weights)
        middle, spent = (times[1:] + times[:-1]) / 2, np.diff(times)
        for queue in range(4):
            own = queues == queue
            waiting = ((arrivals[own] * 0.5 < middle[:, None]) & (middle[:, None] < ends[own])).any(axis=1)
            kept = waiting & (spent > 1e-9)
            least = min(least, (np.diff(service[:, queue])[kept] / spent[kept] / promised[queue]).min(initial=math.inf))
    return finding(f"never below {least:.4f} of the guarantee", least > 1 - 1e-6)


@check("thesis-1-016", bound=0.4)
def fair_queueing_bound(bound=1.0):
    """Differences from HOL-PS over the largest packet; and that a packet first served among many is nearly one."""
    worst = {rule: 0.0 for rule in fair_queueing.RULES}
    for seed in range(60):
        arrivals, sizes, queues = packets(seed)
        for rule, value in worst.items():
            begins = fair_queueing.fair_queueing(rule, arrivals * 0.6, sizes, queues)
            apart = fair_queueing.largest_difference(begins, arrivals * 0.6, sizes, queues)
            worst[rule] = max(value, apart / sizes.max())
    many = [0.0] * 50, [1.0] * 50, list(range(50))
    unavoidable = fair_queueing.largest_difference(fair_queueing.fair_queueing("FQS", *many), *many)
    said = ", ".join(f"{rule} {value:.3f}" for rule, value in worst.items())
    return finding(f"largest difference {said} of the largest packet; {unavoidable:.2f} is unavoidable",
                   max(*worst.values(), unavoidable) <= bound and unavoidable > 0.97)  # fmt: skip
