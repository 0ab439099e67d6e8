"""Claims of `thesis`, Section 1.5.3: fair queueing, and queues in turn."""

import functools
import heapq
from dataclasses import replace

import numpy as np

from clustershare import fair_queueing
from compendium.press.clauses import aside, at_each, besides, cases, conclude, everywhere, exact, fact, grid, none
from compendium.press.clauses.conditions import at_most, equal, larger, smaller
from compendium.press.findings import check, difference
from pages.share_scheduling.objectives.paths import interval
from pages.share_scheduling.objectives.witnesses import fluids

STEPS = 0.04, 0.02  # in which GPS is stepped
OTHERS = ("an equal part", 0.5, 1.0, 3.0)  # what the source brings that is not well-behaved, in links


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
    return systems, [fluids.stepped(traces, weights, step, horizon) for step in STEPS]


@check("thesis-1-015", unweighted=True)
def guaranteed_rate(unweighted=False):
    """Service over what weights guarantee, in every piece of the traces; in the control all weights are alike."""
    systems, steps = shared_systems()

    def served(number):
        weights, rate, arrivals, sizes, owners = systems[number]
        used = np.ones(len(weights)) if unweighted else weights
        starts, ends, times, service = fair_queueing.processor_sharing(arrivals, sizes, owners, used)
        middle, spent = (times[1:] + times[:-1]) / 2, np.diff(times)
        short, early, off, apart = 0.0, -np.inf, 0.0, np.zeros(2)
        for queue, promised in enumerate(weights / weights.sum()):
            own = owners == queue
            early = max(early, -np.diff(ends[own]).min(initial=np.inf))
            left = (arrivals[own] < middle[:, None]) @ sizes[own] - np.interp(middle, times, service[:, queue])
            waiting = (left > 1e-9) & (spent > 1e-6)
            got = rate * np.diff(service[:, queue])[waiting] / spent[waiting]
            short = max(short, (1 - got / (promised * rate)).max(initial=0.0))
            begun = np.maximum(arrivals[own], np.append(0.0, ends[own][:-1]))
            done = np.interp(ends[own], times, service[:, queue]) - np.cumsum(sizes[own])
            off = max(off, np.abs(starts[own] - begun).max(initial=0.0), np.abs(done).max(initial=0.0))
            for k, (step, had) in enumerate(zip(STEPS, steps)):
                known = np.interp(step * np.arange(len(had)), times, service[:, queue])
                apart[k] = max(apart[k], np.abs(had[:, number, queue] - known).max())
        return {"short": short, "early": early, "off": off, "apart": exact(apart, step=STEPS)}

    def alike(number):
        """HOL-PS, the library's without weights, beside GPS with equal ones, and by backlogs alone."""
        *_, arrivals, sizes, owners = systems[number]
        plain, same = (
            fair_queueing.processor_sharing(arrivals, sizes, owners, weights)
            for weights in (None, np.ones(len(systems[number][0])))
        )
        times, service = fluids.heads_served(arrivals, sizes, owners)
        known = np.array([np.interp(times, plain[2], own) for own in plain[3].T]).T
        return max(difference(plain[1], same[1]), np.abs(known[:, : service.shape[1]] - service).max())

    found = cases("trace", range(len(systems)), [""] * len(systems)).measure(served)
    apart = found["apart"].largest("trace")
    return conclude(
        everywhere("the part of what is guaranteed that is not served", found["short"], at_most(1e-9)),
        everywhere("by how much a packet ends before one that came first", found["early"], at_most(1e-12)),
        everywhere("starts and ends of packets, and those that the service of their source tells,", found["off"],
                   equal(1e-9)),
        everywhere("GPS with equal weights and HOL-PS", cases("trace", range(10)).measure(alike), equal(1e-9)),
        everywhere("the distance of GPS by steps", exact(apart.value[0]), at_most(0.1 / 0.7)),
        everywhere("that with half as large steps, less 0.7 of it,", exact(apart.value[1] - 0.7 * apart.value[0]),
                   smaller()),
        whole=True,
    )  # fmt: skip


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
    rng, gaps = np.random.default_rng(16), []
    worst = {rule: np.zeros(2) for rule in fair_queueing.RULES}

    def tried(system):
        fluid, apart = fluids.heads_served(*system), []
        for rule in worst:
            begins = begun(rule, *system, wrong)
            apart.append(fluids.differences(begins, *system, fluid))
            gaps.append(fair_queueing.largest_difference(begins, *system) - max(apart[-1]))
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
    names = "ahead", "behind"
    largest = exact(list(worst.values()), rule=tuple(worst), side=names)
    least = cases("number of like queues", range(2, 7)).measure(lambda n: fluids.least_worst(n) - (1 - 1 / n))
    return conclude(
        everywhere("the largest difference from HOL-PS over the largest packet", largest, at_most(1 + 1e-9)),
        everywhere("the larger side and the library's largest difference", exact(gaps, trace=None), equal(1e-9)),
        everywhere("in whatever order, what one of n is off at least and 1 - 1/n of a packet", least, equal(1e-12)),
        whole=True,
    )


@functools.cache
def weighted_systems():
    """40 traces with the weights of their sources, GPS of all of them by small steps, and its clock.

    So many packets that each source brings 100 or more.
    """
    rng, traces, weights = np.random.default_rng(44), [], np.zeros((40, 8))
    for number in range(40):
        queues = 2 + number % 7
        load, packets = rng.uniform(0.3, 1.2), max(600, 150 * queues)
        traces.append(fluids.trace(rng, queues, fluids.LAWS[number % 4], load, packets))
        weights[number, :queues] = 10 ** rng.uniform(-1, 1, queues)
    horizon = max(arrivals[-1] + sizes.sum() for arrivals, sizes, _ in traces)
    had = fluids.stepped(traces, weights, 0.2, horizon)
    return traces, [own[own > 0] for own in weights], had, 0.2 * np.arange(len(had))


def sent_otherwise(equal):
    """Of some decisions in small traces, how many there are, and how many send another packet than PGPS by its text.

    That is the one which would end first under GPS if no more came.
    """
    rng, decisions, wrong = np.random.default_rng(440), 0, 0
    for number in range(14):
        queues = 2 + number % 7
        arrivals, sizes, owners = fluids.trace(rng, queues, fluids.LAWS[number % 4], rng.uniform(0.5, 1.2), 24)
        weights = 10 ** rng.uniform(-1, 1, queues)
        begins = fair_queueing.fair_queueing("FQF", arrivals, sizes, owners, None if equal else weights)
        for packet, now in enumerate(begins):
            came = int((arrivals <= now + 1e-12).sum())
            ends = fair_queueing.processor_sharing(arrivals[:came], sizes[:came], owners[:came], weights)[1]
            wrong += packet >= came or ends[packet] > ends[begins[:came] >= now].min() + 1e-9
        decisions += len(begins)
    return decisions, wrong


@check("thesis-1-044", equal=True)
def near_to_the_fluid(equal=False):
    """Service over windows of 100 packets of a source, sent and under GPS; in the control by equal weights."""
    traces, weights, had, clock = weighted_systems()
    decisions, wrong = sent_otherwise(equal)
    worst, late = [], []
    for number, (arrivals, sizes, owners) in enumerate(traces):
        used = None if equal else weights[number]
        begins = fair_queueing.fair_queueing("FQF", arrivals, sizes, owners, used)
        ends = fair_queueing.processor_sharing(arrivals, sizes, owners, weights[number])[1]
        late.append((begins + sizes - ends).max() / sizes.max())
        for queue in range(len(weights[number])):
            order, own = np.sort(begins[owners == queue]), sizes[owners == queue]
            fluid = np.interp(np.append(order, order[-1] + own[-1]), clock, had[:, number, queue])
            sent = np.append(0.0, np.cumsum(own))
            windows = np.arange(0, len(order) - 99, 5)
            one, other = sent[windows + 100] - sent[windows], fluid[windows + 100] - fluid[windows]
            worst.append((np.abs(one - other) / np.maximum(one, other)).max() if len(windows) else np.nan)
    worst = exact(worst, source=None)
    return conclude(
        everywhere("over windows of 100 packets, the part by which what is sent is off the fluid,",
                   worst.where(~np.isnan(worst.value), "fewer than 100 packets"), at_most("close")),
        none(decisions, "decision", "sends another packet than the one that would end first", wrong),
        besides("how much later than under GPS a packet ends, over the largest,", exact(late, trace=None), at_most(1)),
        whole=True,
    )  # fmt: skip


def changed_schedules(rule, rng, trace):
    """How many decisions of the library's schedule change if the sizes of packets not begun by then are others."""
    arrivals, sizes, owners = trace
    begins = fair_queueing.fair_queueing(rule, *trace)
    order, changed = np.argsort(begins), 0
    for sent, packet in enumerate(order):
        guess = np.where(begins < begins[packet], sizes, fluids.sizes_of(rng, "uniform", len(sizes)))
        other = np.argsort(fair_queueing.fair_queueing(rule, arrivals, guess, owners))
        changed += (other[: sent + 1] != order[: sent + 1]).any()
    return changed


@check("thesis-1-042", shortest=True)
def known_beforehand(shortest=False):
    """The next packet if all sizes not begun were others; in the control the shortest packet comes first.

    By HOL-PS, computed anew, and by the library's own schedules.
    """
    rng, changed = np.random.default_rng(42), {"FQS": 0, "FQF": 0}
    decisions, library = 0, dict.fromkeys(changed, 0)
    for number in range(12):
        arrivals, sizes, owners = fluids.trace(rng, 2 + number % 5, "uniform", rng.uniform(0.5, 2), 16)
        for rule in library:
            library[rule] += changed_schedules(rule, np.random.default_rng(number), (arrivals, sizes, owners))
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
    return conclude(
        none(decisions, "decision", "of FQS changes with the sizes", changed["FQS"]),
        fact(f"{changed['FQF']} of FQF do", changed["FQF"] > 0, "none of FQF does"),
        none(decisions, "decision", "of the library's FQS changes with them", library["FQS"]),
        fact(f"{library['FQF']} of its FQF do", library["FQF"] > 0, "none of its FQF does"),
        whole=True,
    )


def turns_of(sizes, deficit):
    """The order in which the library sends packets of backlogged flows in turn: the flow of each, while all have some.

    With deficits, by quanta alike.
    """
    flows, packets = sizes.shape
    lengths, owners = sizes.ravel(), np.repeat(np.arange(flows), packets)
    trace = np.zeros(len(lengths)), lengths, owners
    begins = fair_queueing.deficit_round_robin(*trace, [sizes.max()] * flows)[0] if deficit else in_turn(*trace)
    last = min(begins[owners == flow][-1] for flow in range(flows))
    return [owners[packet] for packet in np.argsort(begins) if begins[packet] < last]


@check("thesis-1-040", deficit=True)
def plain_cycle(deficit=False):
    """Rates in the ratio of mean sizes, whatever is required; in the control a deficit round robin.

    The library sends the first 3000 packets; as many packets of each flow as go on in that way make the rates.
    """
    rng = np.random.default_rng(40)

    def short(flows, spread, law):
        means = spread ** np.linspace(0, 1, flows)
        packets, fixed = 100_000 // flows // 20 * 20, law == "fixed"
        sizes = means[:, None] * (np.ones((flows, packets)) if fixed else rng.standard_exponential((flows, packets)))
        turns = np.cumsum(np.array(turns_of(sizes[:, : 3000 // flows], deficit))[:, None] == np.arange(flows), axis=0)
        batches = sizes.reshape(flows, 20, -1).sum(axis=2) * (turns[-1] / turns[-1].max())[:, None]
        rates, parts = batches.sum(axis=1) / batches.sum(), means / means.sum()
        margin = 1e-9 if fixed else 2 * interval(batches.T / batches.sum(axis=0)[:, None])[1]
        wanted = np.ones(flows) / flows, parts, np.arange(1, flows + 1) / (flows * (flows + 1) / 2)
        return {
            "ahead": np.ptp(turns, axis=1).max(), "off": (np.abs(rates - parts) - margin).max(),
            "as said": all((rates < r - np.maximum(margin, 1e-9)).any() != np.allclose(r, parts) for r in wanted),
        }  # fmt: skip

    found = grid(flows=(2, 3, 4, 5, 6), ratio=(1, 3, 10, 100), law=("fixed", "exponential")).measure(short)
    return conclude(
        everywhere("the number of packets by which a flow is ahead", found["ahead"], at_most(1)),
        everywhere("what rates are off those of the mean sizes, beyond intervals,", found["off"], at_most(0)),
        everywhere("a flow falls short where its size is not as its required rate, and only there,", found["as said"]),
        whole=True,
    )


def sources(rng, count, own, other, law, packets):
    """Some well-behaved sources and one more, until the former have brought so many packets between them."""
    mean = 0.5 if law == "equal" else 0.35
    shares = np.append(np.full(count - 1, own / count), other)
    horizon = packets * mean / (shares[:-1].sum())
    parts = []
    for source, share in enumerate(shares):
        number = rng.poisson(horizon * share / mean)
        sizes = np.full(number, mean) if law == "equal" else rng.exponential(mean, number)
        parts.append((rng.uniform(0, horizon, number), sizes + 1e-9, np.full(number, source)))
    arrivals, sizes, owners = (np.concatenate(part) for part in zip(*parts))
    order = np.argsort(arrivals)
    return arrivals[order], sizes[order], owners[order], horizon


def alone(arrivals, sizes, count):
    """When packets end if their source has its part of the link for itself, by Lindley's recursion."""
    ends, end = [], 0.0
    for arrival, size in zip(arrivals.tolist(), sizes.tolist()):
        end = max(end, arrival) + size * count
        ends.append(end)
    return np.array(ends)


@check("thesis-1-041", one_queue=True)
def protection(one_queue=False):
    """Fair queueing against first come, first served; in the control all packets are of one queue."""
    rng = np.random.default_rng(41)

    def setting(count, own, law, number):
        other, gains, late = (1 / count, 0.5, 1.0, 3.0)[number], [], 0.0
        fair = plain = needed = brought = 0.0
        for _ in range(6):
            packets = {0.1: 40, 0.5: 120, 0.9: 200}[own]
            arrivals, sizes, owners, horizon = sources(rng, count, own, other, law, packets)
            first = fair_queueing.in_order(np.arange(len(sizes)), arrivals, sizes)
            queues = np.zeros_like(owners) if one_queue else owners
            begins = fair_queueing.fair_queueing("FQF", arrivals, sizes, queues)
            gains.append((first - begins)[owners < count - 1].mean())
            for source in range(count - 1):
                mine = owners == source
                ends = alone(arrivals[mine], sizes[mine], count)
                late = max(late, (begins[mine] + sizes[mine] - ends - sizes.max()).max())
                needed += sizes[mine][ends + sizes.max() <= horizon].sum()
                brought += sizes[mine].sum()
                fair += sizes[mine][begins[mine] + sizes[mine] <= horizon].sum()
                plain += sizes[mine][first[mine] + sizes[mine] <= horizon].sum()
        mean, half = interval(gains)
        overloaded = own * (count - 1) / count + other > 1.1
        return {
            "gain": mean, "half": half, "sent": fair >= needed, "late": late,
            "lost": 1 - plain / brought if overloaded else np.nan,
        }  # fmt: skip

    found = grid(sources=(2, 4, 8), use=(0.1, 0.5, 0.9), law=("equal", "exponential"), number=range(4)).measure(setting)
    found = {name: replace(each, axes=(*each.axes[:3], ("other source", OTHERS))) for name, each in found.items()}
    places = ["sources", "use", "law", "other source"]
    return conclude(
        at_each("the mean delay of the well-behaved, served as they come, less that under fair queueing,",
                replace(found["gain"], half=found["half"].value, risk=None), larger()),
        at_each("all that is due to them is sent", found["sent"]),
        together=places,
        provided=[
            everywhere("the time beyond a packet's that a packet ends after it would on its source's part of the link",
                       found["late"], at_most(1e-9)),
            everywhere("what is not sent of theirs if all are served as they come",
                       found["lost"].where(~np.isnan(found["lost"].value), "not overloaded"), larger(0.03)),
        ],
    )  # fmt: skip


class Counted(float):
    """A number that counts how often it is compared."""

    compared = 0

    def __lt__(self, other):
        Counted.compared += 1
        return float.__lt__(self, other)


@functools.cache
def comparisons(queues, rounds=4):
    """Per packet: of a heap of the finishing times of the heads, and of a deficit round robin."""
    rng = np.random.default_rng(queues)
    sizes = rng.uniform(0.05, 1, (rounds, queues))
    heap = [Counted(size) for size in sizes[0]]
    heapq.heapify(heap)
    Counted.compared = 0
    for later in sizes[1:].ravel():
        heapq.heapreplace(heap, Counted(heap[0] + later))
    by_heap = Counted.compared / (queues * (rounds - 1))
    lengths, owners = sizes.ravel(), np.tile(np.arange(queues), rounds)
    _, turns = fair_queueing.deficit_round_robin(np.zeros(len(lengths)), lengths, owners, [1.0] * queues)
    # In each turn the head is compared with the deficit, once for each packet sent and once for the next one.
    return by_heap, (turns.max() + len(lengths)) / len(lengths)


@check("thesis-1-043", plain=True)
def deficits(plain=False):
    """Service after each round, and comparisons per packet; in the control a round robin without deficits."""
    rng, worst, early = np.random.default_rng(43), 0.0, -1.0
    for queues in (2, 3, 5, 10, 30, 100):
        for law in fluids.LAWS:
            quanta = 10 ** rng.uniform(0, 1, queues)
            packets = 1500 // queues
            sizes = np.stack([fluids.sizes_of(rng, law, packets) for _ in range(queues)])
            lengths, owners = sizes.T.ravel(), np.tile(np.arange(queues), packets)
            begins, turns = fair_queueing.deficit_round_robin(np.zeros(len(lengths)), lengths, owners, quanta)
            if plain:
                turns = np.arange(len(lengths)) + 1
            rounds = (turns - 1) // queues + 1
            # Rounds in which all queues still have packets.
            most = min(rounds[owners == queue].max() for queue in range(queues)) - 1
            for done in range(1, most + 1):
                had = np.bincount(owners, lengths * (rounds <= done), queues)
                worst = max(worst, np.abs(had - done * quanta).max() / lengths.max())
                early = max(early, (had - done * quanta).max() / lengths.max())
    counted = grid(number_of_queues=(10, 100, 1000)).measure(
        lambda queues: dict(zip(("heap", "turns"), comparisons(queues)))
    )
    turns = counted["turns"]
    return conclude(
        everywhere("what a queue is off its quanta after a round, in largest packets,", exact(worst),
                   at_most(1 + 1e-9)),
        everywhere("what it has had beyond its quanta, in largest packets,", exact(early), at_most(1e-9)),
        everywhere("the number of comparisons per packet over that of a heap", turns.scaled(1 / counted["heap"].value),
                   at_most(0.5)),
        everywhere("that number with 1000 queues over that with 10", exact(turns.value[2] / turns.value[0]),
                   at_most(1.05)),
        aside("comparisons per packet", turns),
        aside("comparisons of a heap", counted["heap"]),
        whole=True,
    )  # fmt: skip
