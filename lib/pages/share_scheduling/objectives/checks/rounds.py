"""Claims of `thesis`, Section 1.5.3: queues in turn, and what fair queueing does for those that ask for little."""

import functools
import heapq
import itertools
from dataclasses import replace

import numpy as np

from clustershare import fair_queueing
from compendium.press.clauses import at_each, conclude, everywhere, grid
from compendium.press.clauses.conditions import at_most, larger
from compendium.press.findings import check, finding
from pages.share_scheduling.objectives.paths import interval
from pages.share_scheduling.objectives.witnesses import fluids


def turns_of(sizes, deficit):
    """What backlogged flows are sent in turn; with deficits, by quanta alike. Shape (flows,), and batches of it."""
    flows, packets = sizes.shape
    if not deficit:
        return sizes.sum(axis=1), sizes.reshape(flows, 20, -1).sum(axis=2)
    kept = sizes[:, : 3000 // flows]
    owners = np.tile(np.arange(flows), kept.shape[1])
    lengths = kept.T.ravel()
    begins, _ = fair_queueing.deficit_round_robin(np.zeros(len(lengths)), lengths, owners, [sizes.max()] * flows)
    empty = min(begins[owners == flow][-1] for flow in range(flows))  # from then on they are not all backlogged
    sent = np.array([lengths[(owners == flow) & (begins < empty)].sum() for flow in range(flows)])
    return sent, np.repeat(sent[:, None] / 20, 20, axis=1)


@check("thesis-1-040", deficit=True)
def plain_cycle(deficit=False):
    """Rates in the ratio of mean sizes, whatever is required; in the control a deficit round robin."""
    rng, wrong, off, cases = np.random.default_rng(40), 0, 0.0, 0
    for flows, spread, fixed in itertools.product((2, 3, 4, 5, 6), (1.0, 3.0, 10.0, 100.0), (True, False)):
        means = spread ** np.linspace(0, 1, flows)
        packets = 100_000 // flows // 20 * 20
        sizes = means[:, None] * (np.ones((flows, packets)) if fixed else rng.standard_exponential((flows, packets)))
        sent, batches = turns_of(sizes, deficit)
        rates = sent / sent.sum()
        parts, half = interval(batches.T / batches.sum(axis=0)[:, None])
        margin = 1e-9 if fixed else 2 * half
        off = max(off, (np.abs(rates - means / means.sum()) - margin).max())
        for required in (
            np.ones(flows) / flows,
            means / means.sum(),
            np.arange(1, flows + 1) / (flows * (flows + 1) / 2),
        ):
            matched = np.allclose(required, means / means.sum())
            below = bool((rates < required - np.maximum(margin, 1e-9)).any())
            wrong += below == matched
            cases += 1
    return finding(
        f"in {wrong} of {cases} cases the rates do not follow the sizes" if wrong or off > 0 else
        f"rates as the mean sizes: a flow falls short where these are not as required, and only there ({cases} cases)",
        wrong == 0 and off <= 0,
    )  # fmt: skip


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


OTHERS = ("an equal part", 0.5, 1.0, 3.0)  # what the source brings that is not well-behaved, in links


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
    rng, worst = np.random.default_rng(43), 0.0
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
    counted = {queues: comparisons(queues) for queues in (10, 100, 1000)}
    cheap = all(turn <= heap / 2 for heap, turn in counted.values()) and counted[1000][1] <= 1.05 * counted[10][1]
    return finding(
        f"off by at most {worst:.2f} largest packets after a round; comparisons per packet "
        + ", ".join(f"{turn:.1f} against {heap:.1f} with {queues} queues" for queues, (heap, turn) in counted.items()),
        worst <= 1 + 1e-9 and cheap,
    )
