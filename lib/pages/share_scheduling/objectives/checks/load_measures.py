"""Claims of `thesis`, Section 1.3.3: what tells whether load is spread well, and how likely an idle processor is."""

import functools
import itertools
import math

import numpy as np

from clustershare import markov, routing
from clustershare.splitting import load_balancing_success
from compendium.press.clauses import aside, at_each, conclude, everywhere, exact, grid
from compendium.press.clauses.conditions import agrees, at_least, at_most, equal, larger, smaller
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.objectives import queues
from pages.share_scheduling.objectives.paths import averaged
from pages.share_scheduling.objectives.systems import LOADS

CLEAR = SCALE["clear"].least


@check("thesis-1-009", passed_on=True)
def q_factor(passed_on=False):
    """The worst source over random splits of the load; in the control its own server passes its jobs on."""
    rng = np.random.default_rng(9)

    def factors(servers, load):
        best = queues.one_line(servers, load)
        splits = np.vstack([rng.dirichlet(np.full(servers, part), 40) for part in (0.1, 1, 10)])
        splits = np.vstack([splits, np.eye(servers), np.full(servers, 1 / servers)]) * servers * load
        random = (1 / (1 - splits.sum(axis=1) / servers))[:, None] * np.ones(servers)
        own = random if passed_on else np.where(splits < 1, 1 / np.maximum(1 - splits, 1e-300), np.inf)
        return {
            "chain": queues.line_chain(servers, load) / best - 1,
            "range": np.ptp(random.max(axis=1)) / random.max(), "equal": own[-1].max() / random[-1].max() - 1,
            "random": best / random.max(), "own": best / own.max(),
        }  # fmt: skip

    found = grid(servers=(2, 3, 4), load=LOADS[1:18:2]).measure(factors)
    few = (0.1, 0.5, 0.9)
    shortest = exact([queues.one_line(2, load) / queues.joined(2, load)[1] for load in few], load=few)
    return conclude(
        everywhere("under random splitting the worst sources of all splits", found["range"], equal(1e-9)),
        everywhere("with load split equally, own servers and random splitting", found["equal"], equal(1e-9)),
        everywhere("Q of own servers less that of random splitting", found["own"] - found["random"], smaller(1e-9)),
        everywhere("what a source's jobs find at the shortest queue, less what all find,", tagged_sources(), agrees()),
        *(aside(f"Q of two servers, {rule}", found[name].at(servers=2, load=few))
          for name, rule in (("random", "random splitting"), ("own", "own servers"))),
        aside("Q of two servers, shortest queue", shortest),
        provided=[everywhere("the chain of one line and Erlang's formula", found["chain"], equal(1e-9))],
        whole=True,
    )  # fmt: skip


@functools.cache
def tagged_sources():
    """What jobs of each source find at the shortest of three queues, less what all find, however the load is split."""
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
    return averaged(apart.swapaxes(0, 1), system=None, source=(1, 2, 3))


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
    loads = LOADS[1:2] if setup else LOADS[1:]

    def shortest(processors, load):
        most = {2: 20, 3: 8}[processors]
        wasted, counted = served_and_waiting(processors, load, True, setup, most)
        law, _ = routing.stationary_law("MRTP", (1.0,) * processors, processors * load, most)
        return wasted - (counted if setup else success(law, 0, 2))

    def apart(processors, load):
        """Without a common policy a server's own chain is enough: its states are combined."""
        works, waits = queues.own_chain(load, setup)
        law = queues.own_law(load, setup)
        chances = [law[kind].sum() for kind in (~works & ~waits, works & ~waits, ~works & waits, works & waits)]
        wasted = sum(
            math.prod(chances[kind] for kind in state)
            for state in itertools.product(range(4), repeat=processors)
            if any(a in (0, 2) and b in (2, 3) for a, b in itertools.permutations(state, 2))
        )
        return wasted - load_balancing_success(0, 2, [load] * processors)

    said = "the chance that a server idles while a job waits at another, and P_lbs(0,2)"
    return conclude(
        everywhere(
            f"with the shortest queue {said}",
            grid(number_of_processors=(2, 3), load=loads).measure(shortest),
            equal(1e-9),
        ),
        everywhere(
            f"without any policy {said}", grid(number_of_processors=(2, 3, 5), load=loads).measure(apart), equal(1e-9)
        ),
        provided=[simulation_agrees()],
        whole=True,
    )


@functools.cache
def simulation_agrees():
    """A clause: of 5 and 10 servers some idle, while jobs wait elsewhere, as often as P_lbs(0,2) says."""
    rng, copies, apart = np.random.default_rng(10), 40, []
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
        known = [load_balancing_success(0, 2, [load] * processors) for load in LOADS[1:]]
        apart.append((seen / 200).reshape(-1, copies).T - known)
    points = averaged(np.stack(apart, axis=1), processors=(5, 10), load=LOADS[1:])
    return everywhere("the simulated chance less P_lbs(0,2)", points, agrees())


@check("thesis-1-022", shortest=True)
def idle_without_distribution(shortest=False):
    """Over loads and numbers of processors; in the control arrivals join the shorter of two queues."""

    def chance(processors, load):
        return (
            success(queues.joined(2, load)[0], 0, 2) if shortest else load_balancing_success(0, 2, [load] * processors)
        )

    def counted(processors, load):
        parts = (1 - load, (1 - load) * load, load**2)
        return sum(
            math.prod(parts[kind] for kind in state)
            for state in itertools.product(range(3), repeat=processors) if 0 in state and 2 in state
        ) - load_balancing_success(0, 2, [load] * processors)  # fmt: skip

    chances = grid(number_of_processors=(2,) if shortest else (2, 3, 5, 10, 20, 100), load=LOADS).measure(chance)
    gap = grid(number_of_processors=(2, 3, 5), load=LOADS).measure(counted)
    return conclude(
        at_each("P_lbs(0,2)", chances, at_least(CLEAR)),
        provided=[everywhere("(4.41) and the count", gap, equal(1e-12)), simulation_agrees()],
    )


def spread(processors, load):
    """The mean difference between the longest and the shortest of independent queues."""
    k = np.arange(1, 20 + int(40 / (1 - load)))
    return (1 - (1 - load**k) ** processors).sum() - load**processors / (1 - load**processors)


PAIRS = ((0, 2), (1, 3), (0, 3), (2, 5))  # so few jobs at one processor, so many at another


def where_balanced(who, points, chance, apart):
    """A clause: where the chance of a pair is small, the mean difference of the queues is at most that of the pair."""
    beyond, small = (
        points.measure(lambda *point: apart(*point[:-1]) - np.ptp(point[-1])),
        at_most("close").inside(points.measure(chance), 1.0, 1.0),
    )
    return at_each(f"the mean difference between {who}, less that of the pair,", beyond.where(small, "P_lbs not small"),
                   at_most(0))  # fmt: skip


@check("thesis-1-023", evened=True)
def success_and_spread(evened=False):
    """Where P_lbs is small, how far the queues differ; in the control jobs move so that they never do by two."""
    loads = [0.02, *LOADS, 0.97, 0.98, 0.99]

    def independent(processors, load, pair):
        # Moved at once, queues differ by one at most, and nobody has two jobs more than another.
        return 0.0 if evened else load_balancing_success(*pair, [load] * processors)

    def apart(processors, load):
        return 1.0 if evened else spread(processors, load)

    def joined_chance(processors, load, pair):
        return success(queues.joined(processors, load)[0], *pair)

    def joined_apart(processors, load):
        law, _ = queues.joined(processors, load)
        return (law * np.ptp(np.indices(law.shape), axis=0)).sum()

    systems = {"the longest and the shortest queue": ((2, 3, 5, 10), loads)}
    if not evened:
        said = "the longest of {} queues and the shortest, which is joined"
        systems |= {said.format(2): ((2,), LOADS), said.format(3): ((3,), (0.2, 0.4, 0.6))}
    return conclude(*(
        where_balanced(who, grid(number_of_processors=numbers, load=loads, pair=PAIRS),
                       *((joined_chance, joined_apart) if "joined" in who else (independent, apart)))
        for who, (numbers, loads) in systems.items()
    ))  # fmt: skip


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
