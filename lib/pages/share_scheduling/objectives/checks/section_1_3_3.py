"""Claims of `thesis`, Section 1.3.3: what tells whether load is spread well, and what sharing does for responses."""

import functools
import itertools
import math

import numpy as np

from clustershare import markov, routing, uniprocessor
from clustershare.splitting import load_balancing_success, parallel_response_time
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, grid
from compendium.press.clauses.conditions import agrees, at_least, at_most, equal, larger, smaller
from compendium.press.findings import check, difference
from compendium.press.words import SCALE
from pages.share_scheduling.objectives import paths, queues
from pages.share_scheduling.objectives.paths import averaged
from pages.share_scheduling.objectives.systems import LOADS, transfer_time

CLEAR = SCALE["clear"].least
PAIRS = ((0, 2), (1, 3), (0, 3), (2, 5))  # so few jobs at one processor, so many at another


@check("thesis-1-009", passed_on=True)
def q_factor(passed_on=False):
    """The worst source over random splits of the load; in the control its own server passes its jobs on."""
    rng = np.random.default_rng(9)

    def factors(servers, load):
        best = queues.library_line(servers, load)
        splits = np.vstack([rng.dirichlet(np.full(servers, part), 40) for part in (0.1, 1, 10)])
        splits = np.vstack([splits, np.eye(servers), np.full(servers, 1 / servers)]) * servers * load
        loads = np.tile(splits.sum(axis=1)[:, None] / servers, servers)  # of the servers, however it is split
        random = np.array([[parallel_response_time(one, [1.0] * servers, [1.0] * servers)] for one in loads.tolist()])
        random = random * np.ones(servers)  # of each source
        own = random if passed_on else np.where(splits < 1, 1 / np.maximum(1 - splits, 1e-300), np.inf)
        return {
            "chain": queues.line_chain(servers, load) / best - 1, "formula": queues.one_line(servers, load) / best - 1,
            "range": np.ptp(random.max(axis=1)) / random.max(), "equal": own[-1].max() / random[-1].max() - 1,
            "random": best / random.max(), "own": best / own.max(),
        }  # fmt: skip

    found = grid(servers=(2, 3, 4), load=LOADS).measure(factors)
    few = (0.1, 0.5, 0.9)
    found_by_source, found_by_all = tagged_sources()
    shortest = exact([queues.library_line(2, load) / queues.joined_time(2, load) for load in few], load=few)
    return conclude(
        everywhere("under random splitting the worst sources of all splits", found["range"], equal(1e-9)),
        everywhere("with load split equally, own servers and random splitting", found["equal"], equal(1e-9)),
        everywhere("Q of own servers less that of random splitting", found["own"] - found["random"], smaller(1e-9)),
        everywhere("what a source's jobs find at the shortest queue, less what all find,", found_by_source, agrees()),
        *(aside(f"Q of two servers, {rule}", found[name].at(servers=2, load=few))
          for name, rule in (("random", "random splitting"), ("own", "own servers"))),
        aside("Q of two servers, shortest queue", shortest),
        provided=[
            everywhere("the chain of one line and the library", found["chain"], equal(1e-9)),
            everywhere("Erlang's formula and the library", found["formula"], equal(1e-9)),
            everywhere("what all find at the shortest queue, less what its chain says,", found_by_all, agrees()),
        ],
        whole=True,
    )  # fmt: skip


@functools.cache
def tagged_sources():
    """At the shortest of three queues: mean times of each source's jobs less those of all, and these less the chain's.

    The load is split in three ways. The chain is asked at the loads at which it is small.
    """
    rng, copies = np.random.default_rng(90), 60
    splits = np.array([[1, 1, 1], [4, 1, 1], [18, 1, 1]]) * [[1], [0.5], [0.15]]
    splits = np.repeat(np.tile(splits, (3, 1)), copies, axis=0)
    loads = (0.3, 0.6, 0.9)
    rates = splits * np.repeat(loads, 3 * copies)[:, None]
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
    chain = np.repeat([queues.joined_time(3, load) for load in loads[:2]], 3)
    return (
        averaged(apart.swapaxes(0, 1), system=None, source=(1, 2, 3)),
        averaged(means[: len(chain)].T - chain, system=None),
    )


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
    loads = LOADS[1:2] if setup else LOADS

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
    loads = np.repeat(LOADS, copies)
    for processors in (5, 10):
        jobs = rng.geometric(1 - loads[:, None], (len(loads), processors)) - 1
        rows, seen = np.arange(len(loads)), np.zeros(len(loads))
        for step in range(4000):
            place = rng.integers(processors, size=len(loads))
            arriving = rng.random(len(loads)) < loads / (1 + loads)
            jobs[rows, place] = np.maximum(jobs[rows, place] + np.where(arriving, 1, -1), 0)
            if step % 20 == 0:
                seen += (jobs == 0).any(axis=1) & (jobs >= 2).any(axis=1)
        known = [load_balancing_success(0, 2, [load] * processors) for load in LOADS]
        apart.append((seen / 200).reshape(-1, copies).T - known)
    points = averaged(np.stack(apart, axis=1), processors=(5, 10), load=LOADS)
    return everywhere("the simulated chance less P_lbs(0,2)", points, agrees())


@check("thesis-1-022", shortest=True)
def idle_without_distribution(shortest=False):
    """Over loads and numbers of processors; in the control arrivals join the shorter of two queues."""

    def chance(processors, load):
        return success(queues.joined(2, load), 0, 2) if shortest else load_balancing_success(0, 2, [load] * processors)

    def counted(loads):
        law = np.zeros((2, 2))  # whether some idle, whether some have two or more
        law[0, 0] = 1.0
        for load in loads:
            idle, one, more = (1 - load) * law, (1 - load) * load * law, load**2 * law
            law = one
            law[1] += idle.sum(axis=0)
            law[:, 1] += more.sum(axis=1)
        return law[1, 1] - load_balancing_success(0, 2, list(loads))

    rng = np.random.default_rng(22)
    apart = cases("system", [(rng.uniform(0.05, 0.95, 2 + number % 5),) for number in range(50)], seed=22)
    numbers = 2, 3, 5, 10, 20, 100
    chances = grid(number_of_processors=(2,) if shortest else numbers, load=LOADS).measure(chance)
    gap = grid(number_of_processors=numbers, load=LOADS).measure(lambda count, load: counted([load] * count))
    return conclude(
        at_each("P_lbs(0,2)", chances, at_least(CLEAR)),
        provided=[
            everywhere("(4.41) and the count", gap, equal(1e-12)),
            everywhere("with loads that differ (4.41) and the count", apart.measure(counted), equal(1e-12)),
            simulation_agrees(),
        ],
    )


def spread(processors, load):
    """The mean difference between the longest and the shortest of independent queues."""
    k = np.arange(1, 20 + int(40 / (1 - load)))
    return (1 - (1 - load**k) ** processors).sum() - load**processors / (1 - load**processors)


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
        return success(queues.joined(processors, load), *pair)

    def joined_apart(processors, load):
        law = queues.joined(processors, load)
        return (law * np.ptp(np.indices(law.shape), axis=0)).sum()

    systems = {"the longest and the shortest queue": ((2, 3, 5, 10), loads)}
    if not evened:
        said = "the longest of {} queues and the shortest, which is joined"
        systems |= {said.format(2): ((2,), LOADS), said.format(3): ((3,), (0.2, 0.4, 0.6))}

    def counted(processors, load, pair):
        """By the chance that all are longer than the shorter of the pair, and that none is as long as the longer."""
        few, many = load ** (pair[0] + 1), 1 - load ** pair[1]
        known = 1 - few**processors - many**processors + (few + many - 1) ** processors
        return independent(processors, load, pair) - known

    def joined_counted(processors, load):
        return joined_chance(processors, load, (0, 2)) - served_and_waiting(2, load, True, False, 30)[1]

    witnesses = [] if evened else [
        everywhere("P_lbs of independent queues and what their chances say",
                   grid(number_of_processors=(2, 3, 5, 10), load=loads, pair=PAIRS).measure(counted), equal(1e-12)),
        everywhere("P_lbs(0,2) where the shorter of two is joined, in the library and by a chain of its own,",
                   grid(number_of_processors=(2,), load=(0.2, 0.4, 0.6)).measure(joined_counted), equal(1e-6)),
    ]  # fmt: skip
    return conclude(*(
        where_balanced(who, grid(number_of_processors=numbers, load=loads, pair=PAIRS),
                       *((joined_chance, joined_apart) if "joined" in who else (independent, apart)))
        for who, (numbers, loads) in systems.items()
    ), provided=witnesses)  # fmt: skip


def _two_processors(loads, threshold, most):
    """Mean response time of two processors, each of which moves a job to the other if that is short and it is not."""

    def transitions(state):
        for home in (0, 1):
            place = 1 - home if state[home] >= threshold > state[1 - home] else home
            for target, rate in ((place, loads[home]),):
                if state[target] < most:
                    yield tuple(jobs + (k == target) for k, jobs in enumerate(state)), rate
            if state[home]:
                yield tuple(jobs - (k == home) for k, jobs in enumerate(state)), 1.0

    states, *moves = markov.explore((0, 0), transitions)
    law = markov.stationary(markov.generator(len(states), *moves))
    return float(np.sum(states, axis=1) @ law / sum(loads))


@check("thesis-1-024", split=True)
def unbalanced_arrivals(split=False):
    """More and more of the arrivals at one half of the processors; in the control all are split at random."""
    skews = (1.0, 1.1, 1.25, 1.5, 2.0)

    def steps(load, system):
        times = []
        for skew in skews:
            loads = (2 * load * skew / (1 + skew), 2 * load / (1 + skew)) if not split else (load, load)
            if loads[0] > 0.95:
                break
            if system == "none":
                times.append(parallel_response_time(loads, (1.0, 1.0), (1.0, 1.0)))
            elif isinstance(system, str):
                times.append(_two_processors(loads, int(system[-1]), int(np.log(1e-4) / np.log(loads[0])) + 12))
            else:
                location, threshold, looks = system
                looks = {"transfers" if location == "Random" else "probes": looks}
                times.append(transfer_time(location, loads, threshold, **looks))
        return np.diff(times) / times[0]

    def simulated(threshold, probes):
        found = paths.interval(paths.transferred("Threshold", np.repeat([0.9, 0.5], 100), threshold, probes, length=12))
        off = abs(found[0] - transfer_time("Threshold", (0.9, 0.5), threshold, probes))
        return off / max(found[1], 0.02 * found[0])

    systems = ["none", "two, 1", "two, 2", *itertools.product(routing.LOCATIONS, (1, 2), (1, 2, 3))]
    found = np.concatenate([steps(*setting) for setting in itertools.product((0.3, 0.5, 0.7, 0.9), systems)])
    return conclude(
        at_each("the growth of the mean response time with the imbalance", exact(found, step=None), larger(1e-6)),
        provided=[everywhere("what 200 processors are off the limit, in parts of what is allowed,",
                             cases("rule", [(1, 1), (2, 3)]).measure(simulated), at_most(1))],
    )  # fmt: skip


def answer(policy, shares, arrivals, permanent=0, tolerance=1e-7):
    """The library's exact answer, or None where it has none."""
    try:
        return uniprocessor.exact(policy, shares, arrivals, 1.0, permanent, tolerance=tolerance)
    except (ValueError, ArithmeticError):
        return None


@check("thesis-1-025", policies=("FCFS", "PS"))
def shares_and_times(policies=("FCFS", "HOL", "PQ", "PS", "PPS", "GPPS")):
    """Policies with the same obtained shares and other response times; in the control there is one group."""
    shares, one_group = (0.6, 0.4), len(policies) == 2

    def without_permanent_jobs(load, first):
        arrivals = np.array([load / 2] * 2 if one_group else [load * first, load * (1 - first)])
        if one_group:  # all jobs together
            found = [uniprocessor.exact(policy, (0.5, 0.5), arrivals) for policy in policies]
            times, obtained = [one.mean_jobs.sum() / load for one in found], [one.obtained_share.sum() for one in found]
        else:
            found = [answer(policy, shares, arrivals) for policy in policies]
            times, obtained = [one.mean_response_time for one in found], [one.obtained_share for one in found]
        apart = max(
            (np.abs(a - b) / np.maximum(a, b)).max()
            for (a, x), (b, y) in itertools.combinations(zip(times, obtained), 2) if np.abs(x - y).max() <= 1e-9
        )  # fmt: skip
        return {"apart": apart, "served": 0.0 if one_group else difference(obtained[:4], arrivals)}

    def with_them_only(first, second):
        """N_g jobs at a throughput that is the share: a job is back after N_g over the share, whatever the policy.

        The library takes them beside hardly any arrivals. Of equal shares the times are as far apart as these are.
        """
        jobs = first, second
        found = {policy: uniprocessor.exact(policy, shares, (1e-12, 0.0), 1.0, jobs).obtained_share
                 for policy in policies}  # fmt: skip
        pairs = itertools.combinations([share for share in found.values() if share.min() > 1e-9], 2)
        return {
            "apart": max((np.abs(1 - a / b).max() for a, b in pairs if difference(a, b) <= 1e-9), default=0.0),
            "known": max(difference(share, closed_share(policy, shares, jobs)) for policy, share in found.items()),
        }

    found = grid(load=(0.3, 0.6, 0.9), part_of_group_1=(0.25, 0.5, 0.75)).measure(without_permanent_jobs)
    closed = grid(jobs_of_group_1=range(1, 6), jobs_of_group_2=range(1, 6)).measure(with_them_only)
    return conclude(
        at_each("how far response times are apart where shares are the same, without permanent jobs,", found["apart"],
                at_least(CLEAR)),
        at_each("with permanent jobs only that", closed["apart"], at_least(CLEAR)),
        provided=[
            everywhere("in a stable system shares and loads", found["served"], equal(1e-9)),
            everywhere("with permanent jobs only shares by the library and by the rules", closed["known"], equal(1e-9)),
        ],
    )  # fmt: skip


def closed_share(policy, shares, jobs):
    """Obtained shares of two groups with permanent jobs only, whose service times have mean 1, by what is served next.

    A job is back in the line when the next one has been chosen, so that one alone in its class is served every other
    time under HOL.
    """
    jobs, shares = np.array(jobs), np.array(shares)
    if policy in ("FCFS", "PS"):
        return jobs / jobs.sum()
    if policy == "HOL" and jobs[shares.argmax()] == 1:
        return np.array([0.5, 0.5])
    if policy in ("HOL", "PQ"):
        return np.where(np.arange(2) == shares.argmax(), 1.0, 0.0)
    return shares * jobs / (shares * jobs).sum() if policy == "PPS" else shares
