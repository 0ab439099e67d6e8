"""Claims of `thesis`, Section 1.3.3: what tells whether load is spread well, and how likely an idle processor is."""

import functools
import itertools
import math

import numpy as np

from clustershare import markov, routing
from clustershare.splitting import load_balancing_success
from compendium.press import words
from compendium.press.findings import check, finding, over_domain
from pages.share_scheduling.objectives import paths, queues

LOADS = np.round(np.arange(0.05, 0.96, 0.05), 2).tolist()


@check("thesis-1-009", passed_on=True)
def q_factor(passed_on=False):
    """The worst source over random splits of the load; in the control its own server passes its jobs on."""
    rng, same, lower, values = np.random.default_rng(9), 0.0, True, []
    for servers, load in itertools.product((2, 3, 4), LOADS[1:18:2]):
        best = queues.one_line(servers, load)
        chain = queues.line_chain(servers, load)
        if abs(chain / best - 1) > 1e-9:
            return finding("the chain of one line contradicts Erlang's formula", False)
        splits = np.vstack([rng.dirichlet(np.full(servers, part), 40) for part in (0.1, 1, 10)])
        splits = np.vstack([splits, np.eye(servers), np.full(servers, 1 / servers)]) * servers * load
        random = (1 / (1 - splits.sum(axis=1) / servers))[:, None] * np.ones(servers)
        own = random if passed_on else np.where(splits < 1, 1 / np.maximum(1 - splits, 1e-300), np.inf)
        same = max(same, np.ptp(random.max(axis=1)) / random.max(), abs(own[-1].max() / random[-1].max() - 1))
        factors = best / random.max(), best / own.max()
        lower &= factors[1] < factors[0] - 1e-9
        values.append((servers, load, *factors))
    told = tagged_sources()
    two = [(best, other) for servers, load, best, other in values if servers == 2 and load in (0.1, 0.5, 0.9)]
    return finding(
        "two servers at loads 0.1, 0.5, 0.9: random splitting " + ", ".join(f"{q:.3f}" for q, _ in two)
        + ", own servers " + ", ".join(f"{q:.3f}" for _, q in two)
        + ", shortest queue " + ", ".join(f"{queues.one_line(2, x) / joined(2, x)[1]:.3f}" for x in (0.1, 0.5, 0.9)),
        bool(told and same <= 1e-9 and lower),
    )  # fmt: skip


@functools.cache
def tagged_sources():
    """Whether jobs of all sources find the same at the shortest of three queues, however the load is split."""
    rng, copies = np.random.default_rng(90), 60
    splits = np.array([[1, 1, 1], [4, 1, 1], [18, 1, 1]]) * [[1], [0.5], [0.15]]
    splits = np.repeat(np.tile(splits, (3, 1)), copies, axis=0)
    rates = splits * np.repeat([0.3, 0.6, 0.9], 3 * copies)[:, None]
    jobs, rows = np.zeros((len(rates), 3), dtype=int), np.arange(len(rates))
    limits = np.cumsum(np.hstack([rates, np.ones((len(rates), 3))]), axis=1)
    found, seen = np.zeros((len(rates), 3)), np.zeros((len(rates), 3))
    for step in range(4000):
        kind = (rng.random((len(rates), 1)) * limits[:, -1:] > limits).sum(axis=1)
        source, arriving = kind, kind < 3
        shortest = (jobs + rng.random(jobs.shape)).argmin(axis=1)
        if step > 500:
            found[rows[arriving], source[arriving]] += jobs.min(axis=1)[arriving] + 1
            seen[rows[arriving], source[arriving]] += 1
        place = np.where(arriving, shortest, kind - 3)
        jobs[rows, place] = np.maximum(jobs[rows, place] + np.where(arriving, 1, -1), 0)
    shape = (9, copies, 3)
    means = found.reshape(shape).sum(axis=2) / seen.reshape(shape).sum(axis=2)
    apart = found.reshape(shape) / np.maximum(seen.reshape(shape), 1) - means[:, :, None]
    mean, half = paths.interval(apart.swapaxes(0, 1))
    return bool((np.abs(mean) <= 1.3 * half).all())  # 27 intervals, jointly


@functools.cache
def joined(processors, load):
    """Join the shortest queue: the law of the numbers of jobs, and the mean response time."""
    most = math.ceil(math.log(1e-6) / math.log(load) / processors) + 6
    law, lost = routing.stationary_law("MRTP", (1.0,) * processors, processors * load, most)
    mean = (np.indices(law.shape).sum(axis=0) * law).sum() / (processors * load * (1 - lost))
    return law, float(mean)


def success(law, fewest, most):
    """The probability that one has so few and another so many jobs, counted state by state."""
    jobs = np.indices(law.shape)
    return float(law[(jobs.min(axis=0) <= fewest) & (jobs.max(axis=0) >= most)].sum())


def served_and_waiting(processors, arrival, shortest, setup, most):
    """The probability that a server idles while the waiting room of another is not empty; P_lbs(0, 2).

    A state is, for each server, whether it works and how many wait. With a set-up a job waits for it at an idle server.
    """

    def transitions(state):
        lengths = [works + waits for works, waits in state]
        for k in range(processors):
            works, waits = state[k]
            if shortest:
                ties = [j for j in range(processors) if lengths[j] == min(lengths)]
                rate = processors * arrival / len(ties) if k in ties else 0.0
            else:
                rate = arrival
            if rate and lengths[k] < most:
                new = (1, waits) if not works and not setup else (works, waits + 1)
                yield (*state[:k], new, *state[k + 1 :]), rate
            if works:
                yield (*state[:k], (1, waits - 1) if waits else (0, 0), *state[k + 1 :]), 1.0
            elif waits:
                yield (*state[:k], (1, waits - 1), *state[k + 1 :]), 1.0

    states, *moves = markov.explore(((0, 0),) * processors, transitions)
    law = markov.stationary(markov.generator(len(states), *moves))
    wasted = [any(not a[0] and b[1] for a, b in itertools.permutations(state, 2)) for state in states]
    lengths = np.array([[works + waits for works, waits in state] for state in states])
    counted = (lengths.min(axis=1) == 0) & (lengths.max(axis=1) >= 2)
    return law[wasted].sum(), law[counted].sum()


@check("thesis-1-010", setup=True)
def idle_while_waiting(setup=False):
    """P_lbs(0,2) against servers that idle while jobs wait; in the control each starts with a set-up."""
    gap = 0.0
    for load in LOADS[1:]:
        for processors, most in ((2, 20), (3, 8)):
            if gap > 0.1:  # a wrong system is known to be one
                break
            wasted, counted = served_and_waiting(processors, load, True, setup, most)
            known = (
                counted
                if setup
                else success(routing.stationary_law("MRTP", (1.0,) * processors, processors * load, most)[0], 0, 2)
            )
            gap = max(gap, abs(wasted - known))
        # Without a common policy a server's own chain is enough: its states are combined.
        works, waits = queues.own_chain(load, setup)
        kinds = [(~works & ~waits), works & ~waits, ~works & waits, works & waits]
        law = queues.own_law(load, setup)
        chances = [law[kind].sum() for kind in kinds]
        for processors in (2, 3, 5):
            wasted = sum(
                math.prod(chances[kind] for kind in state)
                for state in itertools.product(range(4), repeat=processors)
                if any(a in (0, 2) and b in (2, 3) for a, b in itertools.permutations(state, 2))
            )
            gap = max(gap, abs(wasted - load_balancing_success(0, 2, [load] * processors)))
    if not setup:
        inside = simulated_waste()
        if inside > 1:
            return finding("the simulation contradicts P_lbs(0,2)", False)
    holds = gap <= 1e-9
    return finding("equal within 1e-09 where exact, inside the intervals with 5 and 10" if holds
                   else f"up to {gap:.2f} apart", holds)  # fmt: skip


@functools.cache
def simulated_waste():
    """Servers that idle while jobs wait elsewhere, of 5 and 10, over the half width of the interval."""
    rng, copies, worst = np.random.default_rng(10), 40, 0.0
    loads = np.repeat(LOADS[1:], copies)
    for processors in (5, 10):
        jobs = rng.geometric(1 - loads[:, None], (len(loads), processors)) - 1
        rows, seen = np.arange(len(loads)), np.zeros(len(loads))
        for step in range(4000):
            place = rng.integers(processors, size=len(loads))
            arriving = rng.random(len(loads)) < loads / (1 + loads)
            jobs[rows, place] = np.maximum(jobs[rows, place] + np.where(arriving, 1, -1), 0)
            if step % 20 == 0:
                seen += (jobs == 0).any(axis=1) & (jobs >= 2).any(axis=1)
        mean, half = paths.interval((seen / 200).reshape(-1, copies).T)
        known = [load_balancing_success(0, 2, [load] * processors) for load in LOADS[1:]]
        worst = max(worst, (np.abs(mean - known) / (1.3 * half)).max())  # 36 intervals, jointly
    return worst


@check("thesis-1-022", shortest=True)
def idle_without_distribution(shortest=False):
    """Over loads and numbers of processors; in the control arrivals join the shorter of two queues."""
    chances = {}
    for processors, load in itertools.product((2,) if shortest else (2, 3, 5, 10, 20, 100), LOADS):
        if shortest:
            chances[processors, load] = success(joined(processors, load)[0], 0, 2)
        else:
            chances[processors, load] = load_balancing_success(0, 2, [load] * processors)
            if processors <= 5:
                few, one = 1 - load, (1 - load) * load
                parts = (few, one, 1 - few - one)
                counted = sum(
                    math.prod(parts[kind] for kind in state)
                    for state in itertools.product(range(3), repeat=processors) if 0 in state and 2 in state
                )  # fmt: skip
                if abs(counted - chances[processors, load]) > 1e-12:
                    return finding("(4.41) contradicts the count", False)
    if not shortest and simulated_waste() > 1:
        return finding("the simulation contradicts P_lbs(0,2)", False)
    holds = {point: words.allows("clear", chance) for point, chance in chances.items()}
    where = "; ".join(
        f"{processors} at loads from {min(good):g} to {max(good):g}"
        for processors in sorted({processors for processors, _ in holds})
        if (good := [load for (own, load), well in holds.items() if own == processors and well])
    )
    return over_domain(
        f"at least 0.1 at {sum(holds.values())} of {len(holds)} points" + (f": {where}" if where else ""),
        list(holds.values()),
    )


def spread(processors, load):
    """The mean difference between the longest and the shortest of independent queues."""
    k = np.arange(1, 20 + int(40 / (1 - load)))
    return (1 - (1 - load**k) ** processors).sum() - load**processors / (1 - load**processors)


@check("thesis-1-023", evened=True)
def success_and_spread(evened=False):
    """Where P_lbs is small, how far the queues differ; in the control jobs move so that they never do by two."""
    holds, failing, pairs = [], [], ((0, 2), (1, 3), (0, 3), (2, 5))
    loads = [0.02, *LOADS, 0.97, 0.98, 0.99]
    for processors, load, (fewest, most) in itertools.product((2, 3, 5, 10), loads, pairs):
        # Moved at once, queues differ by one at most, and nobody has two jobs more than another.
        chance = 0.0 if evened else load_balancing_success(fewest, most, [load] * processors)
        apart = 1.0 if evened else spread(processors, load)
        if words.allows("close", chance):
            holds.append(apart <= most - fewest)
            if not holds[-1]:
                failing.append((processors, load, (fewest, most), apart))
    for processors, load in [(2, load) for load in LOADS] + [(3, load) for load in (0.2, 0.4, 0.6)]:
        if evened:
            continue
        law, _ = joined(processors, load)
        jobs = np.indices(law.shape)
        apart = (law * np.ptp(jobs, axis=0)).sum()
        for fewest, most in pairs:
            if words.allows("close", success(law, fewest, most)):
                holds.append(apart <= most - fewest)
                if not holds[-1]:
                    failing.append(("joined", load, (fewest, most), apart))
    said = f"fails at {len(failing)} of {len(holds)} points where P_lbs is at most 0.05"
    if failing:
        lightest, worst = min(point[1] for point in failing), max(failing, key=lambda point: point[3])
        joins = sum(point[0] == "joined" for point in failing)
        said += (f", {joins} of them with the shortest queue, all at loads of {lightest:g} and more: at worst queues "
                 f"of {worst[0]} processors differ by {worst[3]:.0f} at load {worst[1]:g}")  # fmt: skip
    return over_domain(said, holds)


@check("thesis-1-032", blind=True)
def initiative(blind=False):
    """Server's against source's initiative; in the control a server goes to a source without knowing of its jobs."""
    holds, least, close, pairs = [], np.inf, [], []
    for processors, load in itertools.product((2,) if blind else (2, 3, 4, 5), [*LOADS[1::2], 0.95]):
        server = queues.blind_service(load) if blind else queues.one_line(processors, load)
        if (
            not blind
            and processors == 2
            and load <= 0.8
            and abs(queues.source_queues(load, 0.5, "longest")[0] / server - 1) > 1e-6
        ):
            return finding("the chain of the sources contradicts Erlang's formula", False)
        source = [1 / (1 - load), queues.cyclic(processors, load)]
        if processors == 2 or (processors == 3 and load <= 0.6):
            source.append(joined(processors, load)[1])
        gaps = [1 - server / time for time in source]
        apart = 1 - min(server, *source) / max(server, *source)
        holds.append(min(gaps) > 0 and words.allows("clear", apart))
        pairs.append(min(gaps))
        least = min(least, min(gaps))
        if not words.allows("clear", apart):
            close.append((processors, load))
    q = "not found"
    if not blind:
        at = 0.8
        worst = {
            rule: max(max(queues.source_queues(at, part, rule)[1:]) for part in (0.5, 0.7, 0.9, 0.98))
            for rule in ("random", "longest")
        }
        best = queues.one_line(2, at)
        q = (f"random service {best / worst['random']:.2f}, longest queue {best / worst['longest']:.2f}, random "
             f"splitting {best * (1 - at):.2f}, shortest queue {best / joined(2, at)[1]:.2f}")  # fmt: skip
    return over_domain(
        f"the server's is shorter in {sum(gap > 0 for gap in pairs)} of {len(pairs)} comparisons of all pairs, by at "
        f"least {least:.3f}; best and worst less than 0.1 apart at {len(close)} points"
        + (f", loads up to {max(load for _, load in close):g}" if close else "")
        + f"; Q of two servers at load 0.8: {q}",
        holds,
    )
