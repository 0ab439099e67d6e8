"""Claims of `thesis`, Section 1.5.3: GPS, and how near packets that cannot be interrupted come to it."""

import functools

import numpy as np

from clustershare import fair_queueing
from compendium.press import words
from compendium.press.findings import check, finding
from pages.share_scheduling.objectives.witnesses import fluids


@functools.cache
def shared_systems():
    """100 traces with the weights of their sources and the rate of the server, and GPS by small steps."""
    rng, systems = np.random.default_rng(15), []
    for number in range(100):
        queues, rate = 2 + number % 7, float(rng.uniform(0.5, 4))
        arrivals, sizes, owners = fluids.trace(rng, queues, fluids.LAWS[number % 4], rng.uniform(0.3, 1.5), 24)
        systems.append((10 ** rng.uniform(-1, 1, queues), rate, arrivals / rate, sizes / rate, owners))
    weights = np.array([np.pad(weights, (0, 8 - len(weights))) for weights, *_ in systems])
    traces = [system[2:] for system in systems]
    horizon = max(arrivals[-1] + sizes.sum() for arrivals, sizes, _ in traces)
    return systems, [fluids.stepped(traces, weights, step, horizon) for step in (0.04, 0.02)]


@check("thesis-1-015", equal=True)
def guaranteed_rate(equal=False):
    """Service over what weights guarantee, in every piece of the traces; in the control all weights are alike."""
    systems, steps = shared_systems()
    short, apart, ordered = 0.0, [0.0, 0.0], True
    for number, (weights, rate, arrivals, sizes, owners) in enumerate(systems):
        used = np.ones(len(weights)) if equal else weights
        _, ends, times, service = fair_queueing.processor_sharing(arrivals, sizes, owners, used)
        middle, spent = (times[1:] + times[:-1]) / 2, np.diff(times)
        for queue, promised in enumerate(weights / weights.sum()):
            own = owners == queue
            ordered &= bool((np.diff(ends[own]) > -1e-12).all())
            waiting = ((arrivals[own] < middle[:, None]) & (middle[:, None] < ends[own])).any(axis=1) & (spent > 1e-6)
            got = rate * np.diff(service[:, queue])[waiting] / spent[waiting]
            short = max(short, (1 - got / (promised * rate)).max(initial=0.0))
        for k, (step, had) in enumerate(zip((0.04, 0.02), steps)):
            clock = step * np.arange(len(had))
            for queue in range(len(weights)):
                known = np.interp(clock, times, service[:, queue])
                apart[k] = max(apart[k], np.abs(had[:, number, queue] - known).max())
    plain = all(
        np.array_equal(fair_queueing.processor_sharing(*system[2:])[1],
                       fair_queueing.processor_sharing(*system[2:], np.ones(len(system[0])))[1])
        for system in systems[:10]
    )  # fmt: skip
    near = apart[1] < 0.7 * apart[0] < 0.1
    return finding(
        ("never below the guarantee" if short <= 1e-9 else f"up to {short:.2f} of the guarantee short")
        + f"; from GPS by steps of 0.04 and 0.02 at most {apart[0]:.3f} and {apart[1]:.3f} apart",
        short <= 1e-9 and ordered and plain and near,
    )


def in_turn(arrivals, sizes, owners):
    """One packet of each queue that has one, in a cycle."""
    position = np.zeros(len(sizes))
    for queue in set(owners.tolist()):
        position[owners == queue] = np.arange((owners == queue).sum())
    return fair_queueing.in_order(position, arrivals, sizes)


def begun(rule, arrivals, sizes, owners, wrong):
    if not wrong:
        return fair_queueing.fair_queueing(rule, arrivals, sizes, owners)
    if rule == "FQS":
        return fair_queueing.in_order(np.arange(len(sizes)), arrivals, sizes)
    return in_turn(arrivals, sizes, owners)


@check("thesis-1-016", wrong=True)
def fair_queueing_bound(wrong=False):
    """Ahead of HOL-PS and behind, over the largest packet; in the control first come, first served, and a cycle."""
    rng = np.random.default_rng(16)
    worst = {rule: np.zeros(2) for rule in fair_queueing.RULES}

    def tried(system):
        fluid = fluids.heads_served(*system)
        apart = [fluids.differences(begun(rule, *system, wrong), *system, fluid) for rule in worst]
        found = np.array(apart) / system[1].max()
        for rule, values in zip(worst, found):
            worst[rule] = np.maximum(worst[rule], values)
        return found.max()

    for number in range(300):
        load = None if number % 5 == 0 else rng.uniform(0.5, 2)
        tried(fluids.trace(rng, 2 + number % 11, fluids.LAWS[number % 4], load, 24))
    for queues in range(2, 13):  # a search from one packet of each queue on: one more, smaller or later at a time
        best = (np.zeros(queues), np.ones(queues), np.arange(queues))
        value = tried(best)
        for _ in range(12):
            arrivals, sizes, owners = (
                np.append(part, new)
                for part, new in zip(best, (rng.uniform(0, 3), rng.choice([0.01, 0.3, 1]), rng.integers(queues)))
            )
            order = np.argsort(arrivals, kind="stable")
            changed = arrivals[order], sizes[order], owners[order].astype(int)
            if (new := tried(changed)) > value:
                best, value = changed, new
    optimal = all(abs(fluids.least_worst(count) - (1 - 1 / count)) < 1e-12 for count in range(2, 7))
    said = ", ".join(f"{rule} {ahead:.2f} ahead and {behind:.2f} behind" for rule, (ahead, behind) in worst.items())
    return finding(
        f"{said}, over the largest packet; of n like queues one is off by "
        f"{'1 - 1/n' if optimal else 'another part'} in whatever order",
        max(values.max() for values in worst.values()) <= 1 + 1e-9 and optimal,
    )


@functools.cache
def weighted_systems():
    """40 traces with the weights of their sources, GPS of all of them by small steps, and its clock."""
    rng, traces, weights = np.random.default_rng(44), [], np.zeros((40, 8))
    for number in range(40):
        queues = 2 + number % 7
        traces.append(fluids.trace(rng, queues, fluids.LAWS[number % 4], rng.uniform(0.3, 1.2), 600))
        weights[number, :queues] = 10 ** rng.uniform(-1, 1, queues)
    horizon = max(arrivals[-1] + sizes.sum() for arrivals, sizes, _ in traces)
    had = fluids.stepped(traces, weights, 0.2, horizon)
    return traces, [own[own > 0] for own in weights], had, 0.2 * np.arange(len(had))


@check("thesis-1-044", equal=True)
def near_to_the_fluid(equal=False):
    """Service over windows of 100 packets of a source, sent and under GPS; in the control by equal weights."""
    traces, weights, had, clock = weighted_systems()
    worst, ahead = [], 0.0
    for number, (arrivals, sizes, owners) in enumerate(traces):
        begins = fair_queueing.fair_queueing("FQF", arrivals, sizes, owners, None if equal else weights[number])
        for queue in range(len(weights[number])):
            order, own = np.sort(begins[owners == queue]), sizes[owners == queue]
            fluid = np.interp(np.append(order, order[-1] + own[-1]), clock, had[:, number, queue])
            sent = np.append(0.0, np.cumsum(own))
            ahead = max(ahead, (sent[1:] - np.interp(order + own, clock, had[:, number, queue])).max())
            if len(order) >= 100:
                windows = np.arange(0, len(order) - 99, 5)
                one, other = sent[windows + 100] - sent[windows], fluid[windows + 100] - fluid[windows]
                worst.append((np.abs(one - other) / np.maximum(one, other)).max())
    return finding(
        f"at most {max(worst):.3f} apart over windows of 100 packets of {len(worst)} sources; never more than "
        f"{ahead:.1f} largest packets ahead",
        words.allows("close", max(worst)),
    )


@check("thesis-1-042", shortest=True)
def known_beforehand(shortest=False):
    """The next packet if all sizes not begun were others; in the control the shortest packet comes first."""
    rng, changed = np.random.default_rng(42), {"FQS": 0, "FQF": 0}
    decisions = 0
    for number in range(12):
        arrivals, sizes, owners = fluids.trace(rng, 2 + number % 5, "uniform", rng.uniform(0.5, 2), 16)
        begins = fair_queueing.fair_queueing("FQS", arrivals, sizes, owners)
        for packet in np.argsort(begins):
            now = begins[packet]
            here = np.flatnonzero((arrivals <= now + 1e-12) & (begins >= now))
            decisions += 1
            picks = []
            for other in range(4):
                guess = np.where(begins < now, sizes, fluids.sizes_of(rng, "uniform", 16)) if other else sizes
                starts, ends, _, _ = fair_queueing.processor_sharing(arrivals, guess, owners)
                # Of packets that start at the same time the first to come, as the library has it.
                picks.append([here[np.argmin(np.round(key[here], 9))] for key in (guess if shortest else starts, ends)])
            if not shortest:
                changed["FQS"] += bool(picks[0][0] != packet)  # nor may the library choose another one
            for rule, chosen in zip(changed, zip(*picks)):
                changed[rule] += len(set(chosen)) > 1
    return finding(
        f"of {decisions} decisions other sizes change {changed['FQS']} of FQS and {changed['FQF']} of FQF",
        changed["FQS"] == 0 and changed["FQF"] > 0,
    )
