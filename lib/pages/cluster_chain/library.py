"""What the library answers on the cluster chain, its sizes, its sizing and its variants, held against small chains.

The chains follow the rules state by state, from what was given: no table, order or property of the library. Laws of
times are mixtures of Erlangs, so that the simulators are held against chains, too. `answers` has all of them.
"""

import functools
import itertools
import math

import numpy as np

from clustershare import cluster_chain, cluster_variants, settling, sizes
from clustershare.arrivals import Batches, MarkovModulated
from clustershare.results import NoExactAnswer
from compendium.press.clauses import cases, equalities, everywhere, exact, measured
from compendium.press.clauses.conditions import agrees, equal
from pages.agreement import gap, reached, refused, stationary

ROUNDING = 1e-9
RARE = 1e-12  # a probability
SEARCHES = 150
RUN = {"jumps": 40_000, "warmup": 2000, "replications": 16}
MEASURES = "mean_queue", "blocking", "mean_delay", "utilisation", "mean_jobs_in_service", "mean_jobs", "mean_response"
OF_CLASSES = "blocking", "mean_waiting", "mean_running", "mean_response", "evictions"
OF_ENERGY = "mean_queue", "blocking", "mean_delay", "servers"
# Laws of mean 1: of each component the probability, the number of phases and their mean.
ONE, TWO, HYPER = ((1.0, 1, 1.0),), ((1.0, 2, 0.5),), ((0.25, 1, 2.2), (0.75, 1, 0.6))
MIXED = ((0.4, 2, 0.7), (0.6, 1, 0.44 / 0.6))
BURSTS = cluster_chain.Bursts((0.4, 2.5), (2.0, 0.8))
MODULATED = MarkovModulated((0.0, 1.0, 3.5), ((0, 0.24, 0.1), (0.4, 0, 0.2), (0.25, 0.3, 0)))


near = functools.partial(gap, least=0)  # relative throughout


def apart(found, expected):
    """The largest gap of quantities by name."""
    return max(near(getattr(found, name), value) for name, value in expected.items())


def off(found, expected):
    """What was simulated less what is expected, with half widths, as a part of the expected: pairs."""
    pairs = [(getattr(found, name), value) for name, value in expected.items()]
    arrays = (np.broadcast_arrays(one.value, one.half_width, value) for one, value in pairs)
    numbers = [each for one in arrays for each in zip(*map(np.ravel, one), strict=True)]
    return [((value - known) / (known or 1.0), half / (known or 1.0)) for value, half, known in numbers]


def law_of(components):
    """A law of the library, None where it is exponential."""
    chances, phases, means = zip(*components)
    return None if components == ONE else sizes.HyperErlang(means, phases, chances)


def begun(components):
    """In which phase a time begins: component and phases left, and the probability."""
    return [((number, phases), chance) for number, (chance, phases, _) in enumerate(components)]


def walk(start, ways):
    """The states that are reached, as they are found, and the generator."""
    states, rates = reached(start, lambda state: ((rate, to) for to, rate in ways(state)))
    Q = rates.toarray()
    np.fill_diagonal(Q, 0.0)
    np.fill_diagonal(Q, -Q.sum(axis=1))
    return states, Q


def without(jobs, job):
    """A tuple of jobs with one less."""
    place = jobs.index(job)
    return jobs[:place] + jobs[place + 1 :]


# The cluster: jobs queued, the one at the tracker with the phase of its mapping, those in service with theirs.


class Given:
    """A cluster as it is given, and its chain. `modes` are moves without and with an arrival; `batch` comes at once."""

    def __init__(
        self, servers, places, chances, arrival, tracker, rates, mapping=ONE, service=ONE, modes=None, batch=(1.0,)
    ):
        self.servers, self.places, self.chances, self.arrival, self.tracker = servers, places, chances, arrival, tracker
        self.rates, self.mapping, self.modes, self.batch = rates, mapping, modes or [([], [(0, arrival)])], batch
        self.sizes = sorted(size for size, chance in chances.items() if chance)
        self.chance = np.array([chances[size] for size in self.sizes])
        self.rate = {size: rates[size] if isinstance(rates, dict) else rates for size in self.sizes}
        self.service = service if isinstance(service, dict) else dict.fromkeys(self.sizes, service)
        self.cluster = cluster_chain.ServiceCluster(servers, places, chances, arrival, tracker, rates)

    def tracked(self, size, running):
        """What becomes of a job at the tracker: it waits, or its mapping begins."""
        if size + sum(job[0] for job in running) > self.servers:
            return [((size,), 1.0)]
        return [((size, *phase), chance) for phase, chance in begun(self.mapping)]

    def first(self, running):
        """The job that enters the tracker: its size is drawn."""
        return [(at, self.chances[k] * part) for k in self.sizes for at, part in self.tracked(k, running)]

    def come(self, queued, at, running):
        """Where an arrival leads: lines and jobs at the tracker, with probabilities."""
        if not at:
            return [((0, entered), chance) for entered, chance in self.first(running)]
        return [((min(queued + 1, self.places), at), 1.0)]

    def ways(self, state):
        """The moves out of a state, with their rates."""
        queued, at, running, mode = state
        for to, rate in self.modes[mode][0]:
            yield (queued, at, running, to), rate
        for to, rate in self.modes[mode][1]:
            lines = [((queued, at), 1.0)]
            for part in self.batch:
                lines = [(then, p * q) for line, p in lines for then, q in self.come(*line, running)]
                for line, chance in lines:
                    yield (*line, running, to), rate * part * chance
        if len(at) > 1:
            size, kind, left = at
            rate = self.tracker / self.mapping[kind][2]
            if left > 1:
                yield (queued, (size, kind, left - 1), running, mode), rate
            else:
                for phase, chance in begun(self.service[size]):
                    larger = tuple(sorted((*running, (size, *phase))))
                    for entered, part in self.first(larger) if queued else [((), 1.0)]:
                        yield (max(queued - 1, 0), entered, larger, mode), rate * chance * part
        for job in set(running):
            (size, kind, left), rest = job, without(running, job)
            rate = running.count(job) * self.rate[size] / self.service[size][kind][2]
            if left > 1:
                yield (queued, at, tuple(sorted((*rest, (size, kind, left - 1)))), mode), rate
            else:
                for then, chance in self.tracked(at[0], rest) if len(at) == 1 else [(at, 1.0)]:
                    yield (queued, then, rest, mode), rate * chance

    def solve(self):
        """States, generator and law in the order of the source, and the measures."""
        found, Q = walk((0, (), (), 0), self.ways)
        plain = [(queued, at[0] if at else 0, tuple(job[0] for job in jobs)) for queued, at, jobs, _ in found]
        order = sorted(range(len(found)), key=lambda k: (*plain[k][:2], len(plain[k][2]), plain[k][2]))
        self.states, self.Q = [plain[k] for k in order], Q[np.ix_(order, order)]
        self.law = stationary(self.Q)
        room = np.array([self.places - queued + (not at) for queued, at, _ in self.states])
        epochs = self.law * [sum(rate for _, rate in self.modes[found[k][3]][1]) for k in order]
        accepted = sum(epochs @ np.minimum(room, jobs) * part for jobs, part in enumerate(self.batch, 1))
        lost = sum(epochs @ np.maximum(jobs - room, 0) * part for jobs, part in enumerate(self.batch, 1))
        queue = self.law @ [queued for queued, _, _ in self.states]
        jobs = np.array([self.law @ [V.count(size) for *_, V in self.states] for size in self.sizes])
        at = np.array([self.law @ [tracked == size for _, tracked, _ in self.states] for size in self.sizes])
        every = self.chance * queue + at + jobs
        values = (
            queue, lost / self.arrival, queue / accepted, jobs @ self.sizes / self.servers, jobs.sum(), every,
            every / (accepted * self.chance),
        )  # fmt: skip
        self.measures = dict(zip(MEASURES, values, strict=True))
        return self


def clusters():
    """Clusters that have much at once: sizes in any order, of probability 0, rates of none, light and heavy load."""
    rng, found = np.random.default_rng(64), []
    shapes = [(1, 0, [1]), (2, 3, [2, 1]), (5, 2, [5, 1, 2]), (4, 0, [3, 1, 2]), (6, 3, [4, 2]), (7, 1, [3, 2, 7, 4])]
    for number, (servers, places, own) in enumerate(shapes):
        spare = [k for k in range(1, servers + 1) if k not in own][:1]
        chances = dict(zip([*own[:1], *spare, *own[1:]], [0.0] * 9)) | dict(zip(own, rng.dirichlet(np.ones(len(own)))))
        rates = dict(zip([servers + 2, *own[::-1], *spare], 10 ** rng.uniform(-0.5, 0.5, 9)))
        arrival, tracker = 10 ** rng.uniform(-1, 1.2), 10 ** rng.uniform(-0.3, 1.3)
        found.append(Given(servers, places, chances, arrival, tracker, 1.7 if number == 3 else rates))
    return [*found, Given(3, 2, {2: 0.3, 1: 0.7}, 1e4, 2.0, {1: 0.5, 2: 3.0}), Given(2, 12, {1: 1.0}, 2.1, 50.0, 1.1)]


def of_counts(given):
    """Numbers of states, which are counted before a state is listed, and those that are reached."""
    states = given.solve().states
    empty = sum(tracked == 0 for _, tracked, _ in states)
    return near([given.cluster.states, *given.cluster.level_sizes], [len(states), empty, empty * len(given.sizes)])


def of_chain(given):
    """All that is said of one cluster exactly: the chain, its solvers, and the list of states."""
    cluster, law = given.cluster, given.law
    expected = given.measures

    def seen(one, what):  # elimination by levels loses the digits of rare states: a dense solver subtracts
        found = one.probabilities() if one is not given else law
        return np.where(law > RARE, found, 0.0) if what == "those by levels" else found

    slow = (1 / given.tracker + 1 / min(given.rate.values())) * (given.places + 2) ** 2
    neighbour = cluster_chain.ServiceCluster(
        given.servers, given.places, given.chances, 1.1 * given.arrival, 0.9 * given.tracker, given.rates
    )
    rough = cluster.solve(0.1)
    left = np.abs(rough.probabilities() @ given.Q).sum()
    exponential = sizes.Exponential()
    every = dict.fromkeys(given.sizes[::-1], exponential)
    solved = {
        "the measures": cluster.solve(), "those of a warm start": cluster.solve(1e-11, guess=neighbour.solve()),
        "those by levels": cluster_chain.solve_directly(cluster),
        "those by elimination": cluster_chain.solve_directly(cluster, "gth"),
        "those of the exact answer": cluster_chain.exact(cluster, tracker=exponential, service=exponential),
        "those with a law for each size": cluster_chain.exact(cluster, service=every),
    }  # fmt: skip
    constant = sizes.Deterministic(1.0)
    other = [
        {"arrivals": cluster_chain.Bursts((0.5, 3.0), (4.0, 1.0))}, {"arrivals": constant}, {"tracker": constant},
        {"service": constant}, {"service": every | {given.sizes[-1]: constant}},
    ]  # fmt: skip
    busy = [V for _, tracked, V in given.states if tracked == 0]
    ends = [
        (V.count(size) + 1) * given.rate[size]
        for V in busy for size in given.sizes if sum(V) + size <= given.servers
    ]  # fmt: skip
    departures = cluster.departures()
    return {
        **{f"{what} and those of the chain": apart(one, expected) for what, one in solved.items()},
        **{
            f"the probabilities with {what} and those of the chain": max(
                near(seen(one, what), seen(given, what)),
                near(one.error, one.residual * slow),
                one.residual / cluster.largest_rate,
                one.flow_error,
                one.little_error,
                float(one.method != "chain"),
            )
            for what, one in solved.items()
        },
        "the residual of a few sweeps and that of the chain": near(rough.residual, left) if left > 1e-6 else 0.0,
        "the listed states and those reached": float(cluster.state_list() != given.states),
        "the generator and the rates of the chain": near(cluster.generator().toarray(), given.Q),
        "rates at which jobs end and those of the chain": near(np.sort(departures[departures > 0]), np.sort(ends)),
        "what is given and what is kept": max(
            near(cluster.sizes, given.sizes), near(cluster.size_probabilities, given.chance),
            near(cluster.size_service_rates, [given.rate[size] for size in given.sizes]),
            near(cluster.mean_times, [1 / given.tracker, 1 / min(given.rate.values())]),
            float(cluster.largest_rate < -given.Q.diagonal().min() * (1 - ROUNDING)),
        ),
        "other laws and those that are refused": 1.0
        - all(refused(NoExactAnswer, cluster_chain.exact, cluster, **one) for one in other),
    }  # fmt: skip


# Sizes, saturation, and how many servers.


def of_laws(largest, spread, exponent):
    """The laws of sizes, by their formulas."""
    own = range(1, largest + 1)

    def gap(found, weight):
        weights = [weight(k) for k in own]
        return max(near(list(found), own), near(list(found.values()), np.divide(weights, math.fsum(weights))))

    def bell(width):
        return lambda k: math.exp(-(((k - (largest + 1) / 2) / width) ** 2) / 2)

    return {
        "uniform sizes and their formula": gap(cluster_chain.uniform_sizes(largest), lambda k: 1),
        "normal sizes and their formula": gap(cluster_chain.normal_sizes(largest, spread), bell(spread)),
        "normal sizes of the usual spread and their formula": gap(
            cluster_chain.normal_sizes(largest), bell((largest + 1) / 8)
        ),
        "harmonic sizes and their formula": gap(
            cluster_chain.harmonic_sizes(largest, exponent), lambda k: k**-exponent
        ),
        "harmonic sizes of the usual exponent and their formula": gap(
            cluster_chain.harmonic_sizes(largest), lambda k: k**-1.5
        ),
    }


def of_saturation(servers, chances, rates):
    """Jobs in service and those served, where there is always a next one, by the chain of both."""
    rate = {size: rates[size] if isinstance(rates, dict) else rates for size, chance in chances.items() if chance}

    def filled(V):
        for size in rate:
            if sum(V) + size > servers:
                yield (V, size), chances[size]
            else:
                yield from ((then, chances[size] * part) for then, part in filled(tuple(sorted((*V, size)))))

    def ways(state):
        V, head = state
        for size in set(V):
            rest, speed = without(V, size), V.count(size) * rate[size]
            if sum(rest) + head > servers:
                yield (rest, head), speed
            else:
                yield from ((then, speed * part) for then, part in filled(tuple(sorted((*rest, head)))))

    found, Q = walk(((max(rate),) * (servers // max(rate)), max(rate)), ways)
    law = stationary(Q)
    jobs = law @ [len(V) for V, _ in found]
    served = law @ [sum(rate[size] for size in V) for V, _ in found]
    return {
        "jobs that saturate and their chain": near(cluster_chain.saturated_jobs(servers, chances, rates), jobs),
        "the throughput of a saturated cluster and its chain": near(
            cluster_chain.saturated_throughput(servers, chances, rates), served
        ),
    }


def of_sizing(least, most, places, chances, arrival, tracker, rates):
    """The smallest cluster for some targets, and every number of servers tried; what cannot be had is refused."""
    tried = [Given(n, places, chances, arrival, tracker, rates).solve() for n in range(least, most + 1)]
    names = "mean_delay", "blocking", "utilisation"
    points = np.array([[one.measures[name] for name in names] for one in tried])
    levels = [np.unique(part.round(9)) for part in points.T]  # servers that are never used change nothing
    between = [(part[1:] + part[:-1]) / 2 for part in levels]
    wishes = list(itertools.product([*between[0], 10.0], [*between[1], 1.0], [0.0, *between[2]]))
    rng, gaps = np.random.default_rng(63), []
    for delay, blocking, use in rng.permutation(wishes)[:SEARCHES].tolist():
        up_to = int(rng.integers(least, most + 1))
        right = (points[:, 0] <= delay) & (points[:, 1] <= blocking) & (points[:, 2] >= use)
        right &= np.arange(least, most + 1) <= up_to
        call = {"delay": delay, "blocking": blocking, "utilisation": use, "most": up_to}
        try:
            found = cluster_chain.smallest_cluster(tried[-1].cluster, **call)
        except ValueError:
            gaps.append(float(right.any()))
            continue
        answer = [found.servers, *(getattr(found, name) for name in names)]
        gaps.append(near(answer, [least + right.argmax(), *points[right.argmax()]]) if right.any() else math.inf)
    return {"the smallest cluster and every number tried": max(gaps)}


# Servers that sleep: jobs queued, the size at the tracker, sizes in service, idle servers, phases of those set up.


class Sleeping:
    """A cluster whose servers sleep, and its chain."""

    def __init__(self, given, setup_rate, shutdown_rate, setup=ONE):
        self.given, self.setup_rate, self.shutdown_rate, self.setup = given, setup_rate, shutdown_rate, setup
        self.cluster = cluster_variants.SleepingCluster(given.cluster, setup_rate, shutdown_rate)

    def set_up(self, queued, at, V, idle, setups):
        """States after an event: those that are no longer needed are given up, the youngest first, or more begin."""
        wanted = min(max(at - idle, 0), self.given.servers - sum(V) - idle) if at else 0
        found = [(setups[:wanted], 1.0)]
        for _ in range(wanted - len(setups)):
            found = [((*old, phase), p * q) for old, p in found for phase, q in begun(self.setup)]
        return [((queued, at, V, idle, phases), chance) for phases, chance in found]

    def events(self, state):
        """What happens, before setups are begun or given up."""
        (queued, at, V, idle, setups), given = state, self.given
        if at and queued < given.places:
            yield (queued + 1, at, V, idle, setups), given.arrival
        for size in given.sizes if not at else ():
            yield (0, size, V, idle, setups), given.arrival * given.chances[size]
        for size in set(V):
            yield (queued, at, without(V, size), idle + size, setups), V.count(size) * given.rate[size]
        if at and at <= idle:
            larger = tuple(sorted((*V, at)))
            for size in given.sizes if queued else (0,):
                chance = given.chances[size] if queued else 1.0
                yield (max(queued - 1, 0), size, larger, idle - at, setups), given.tracker * chance
        for place, (kind, left) in enumerate(setups):
            rest, rate = setups[:place] + setups[place + 1 :], self.setup_rate / self.setup[kind][2]
            if left > 1:
                yield (queued, at, V, idle, (*setups[:place], (kind, left - 1), *setups[place + 1 :])), rate
            else:
                yield (queued, at, V, idle + 1, rest), rate
        if self.shutdown_rate and idle > at:
            yield (queued, at, V, idle - 1, setups), (idle - at) * self.shutdown_rate

    def ways(self, state):
        """The moves out of a state, with their rates."""
        for then, rate in self.events(state):
            yield from ((after, rate * chance) for after, chance in self.set_up(*then))

    def measures(self):
        """What follows from the chain."""
        found, Q = walk((0, 0, (), self.given.servers, ()), self.ways)
        law = stationary(Q)
        full = np.array([bool(at) and queued == self.given.places for queued, at, *_ in found])
        queue = law @ [queued for queued, *_ in found]
        up = np.array([(sum(V), idle, len(setups)) for *_, V, idle, setups in found])
        servers = law @ np.column_stack([up, self.given.servers - up.sum(axis=1)])
        values = queue, law @ full, queue / (self.given.arrival * (law @ ~full)), servers
        return found, dict(zip(OF_ENERGY, values, strict=True))


def of_energy(given, setup_rate, shutdown_rate):
    """The chain of servers that sleep."""
    sleeping = Sleeping(given, setup_rate, shutdown_rate)
    (found, expected), cluster = sleeping.measures(), sleeping.cluster
    law = sizes.Exponential()
    return {
        "sleeping servers and their chain": apart(cluster.solve(), expected),
        "the exact answer with sleeping servers and their chain": max(
            apart(cluster_variants.exact_energy(cluster, setup=one), expected) for one in (None, law)
        ),
        "moves of sleeping servers and those of their chain": moves_apart(
            cluster.transitions, sleeping.ways, found, lambda state: state[:4]
        ),
        "setups and those of their chain": near(
            [cluster.setups(state[:4]) for state in found], [len(state[4]) for state in found]
        ),
        "other setups and those that are refused": 1.0
        - refused(NoExactAnswer, cluster_variants.exact_energy, cluster, setup=sizes.Deterministic(1.0)),
    }


def moves_apart(transitions, ways, states, shown):
    """The largest gap between the moves of a method of the library and those of a chain."""
    worst = 0.0
    for state in states:
        one, other = {}, {}
        for moves, sums, name in ((transitions(shown(state)), one, tuple), (ways(state), other, shown)):
            for target, rate in moves:
                sums[name(target)] = sums.get(name(target), 0.0) + rate
        keys = sorted(one.keys() | other.keys())
        worst = max(worst, near([one.get(key, 0.0) for key in keys], [other.get(key, 0.0) for key in keys]))
    return worst


# Two classes: urgent jobs waiting and in service, the others in line (phases left, head first), those in service.


class Urgent:
    """A cluster with an urgent class, and its chain."""

    def __init__(self, servers, places, own, arrivals, rates, tracker, service=ONE):
        self.servers, self.places, self.own, self.arrivals = servers, places, own, arrivals
        self.rates, self.tracker, self.service = rates, tracker, service
        self.cluster = cluster_variants.PriorityCluster(servers, places, own, arrivals, rates, tracker)

    def evicted(self, state):
        """How many jobs the urgent one at the tracker evicts; None if it must wait or there is none."""
        urgent, served, _, run = state
        free = self.servers - self.own[0] * (len(served) + 1)
        return max(len(run) - free // self.own[1], 0) if urgent and free >= 0 else None

    def ways(self, state):
        """The moves out of a state, with their rates."""
        urgent, served, line, run = state
        if urgent <= self.places[0]:
            yield (urgent + 1, served, line, run), self.arrivals[0]
        for phase, chance in begun(self.service) if len(line) <= self.places[1] else ():
            yield (urgent, served, (*line, phase), run), self.arrivals[1] * chance
        if (number := self.evicted(state)) is not None:
            kept = run[: len(run) - number]
            for phase, chance in begun(self.service):
                after = urgent - 1, tuple(sorted((*served, phase))), run[len(kept) :] + line, kept
                yield after, self.tracker * chance
        if not urgent and line and np.dot(self.own, (len(served), len(run) + 1)) <= self.servers:
            yield (0, served, line[1:], (*run, line[0])), self.tracker
        for c, jobs in enumerate((served, run)):
            for place, (kind, left) in enumerate(jobs):
                then = (*jobs[:place], *([(kind, left - 1)] if left > 1 else []), *jobs[place + 1 :])
                after = (urgent, served, line, then) if c else (urgent, tuple(sorted(then)), line, run)
                yield after, self.rates[c] / self.service[kind][2]

    def measures(self):
        """What follows from the chain."""
        found, Q = walk((0, (), (), ()), self.ways)
        law = stationary(Q)
        waiting = np.array([(urgent, len(line)) for urgent, _, line, _ in found])
        open_to = waiting <= self.places
        accepted = self.arrivals * (law @ open_to)
        running = law @ [(len(served), len(run)) for _, served, _, run in found]
        evictions = self.tracker * (law @ [self.evicted(state) or 0 for state in found])
        values = (
            law @ ~open_to, law @ waiting, running, (law @ waiting + running) / accepted, [0, evictions / accepted[1]],
        )  # fmt: skip
        return found, dict(zip(OF_CLASSES, values, strict=True))


def of_priority(*arguments):
    """The chain of two classes, and of both in one line."""
    system = Urgent(*arguments)
    (found, expected), cluster = system.measures(), system.cluster
    servers, places, own, arrivals, rates, tracker = arguments
    one_line = 0.0
    if own[0] != own[1]:
        chances = dict(zip(own, np.divide(arrivals, sum(arrivals)).tolist()))
        both = Given(servers, sum(places), chances, sum(arrivals), tracker, dict(zip(own, rates))).solve()
        response = dict(zip(both.sizes, both.measures["mean_response"]))
        one_line = near(cluster.mean_response_in_one_line(), [response[size] for size in own])
    return {
        "two classes and their chain": apart(cluster.solve(), expected),
        "the exact answer with two classes and their chain": max(
            apart(cluster_variants.exact_priority(cluster, service=one), expected)
            for one in (None, sizes.Exponential())
        ),
        "moves of two classes and those of their chain": moves_apart(
            cluster.transitions, system.ways, found, lambda state: (state[0], *map(len, state[1:]))
        ),
        "two classes in one line and its chain": one_line,
        "other services and those that are refused": 1.0
        - refused(NoExactAnswer, cluster_variants.exact_priority, cluster, service=sizes.Deterministic(1.0)),
    }


# The simulators, with other laws.


def renewal(components, rate):
    """Modes of arrivals, one for each phase of the time between them."""
    phases = [(kind, k) for kind, (_, most, _) in enumerate(components) for k in range(most, 0, -1)]
    starts = [(phases.index(phase), chance) for phase, chance in begun(components)]
    found = []
    for kind, left in phases:
        speed = rate / components[kind][2]
        ends = [(to, speed * chance) for to, chance in starts]
        found.append(([(phases.index((kind, left - 1)), speed)], []) if left > 1 else ([], ends))
    return found


def modulated(rates, switching, rate):
    """Modes of arrivals, one for each state that sets their rate."""
    return [
        ([(to, speed) for to, speed in enumerate(row) if speed], [(mode, rate * own)])
        for mode, (own, row) in enumerate(zip(rates, switching, strict=True))
    ]


def of_laws_by_size(cluster):
    """Laws of sizes by a dictionary and in order: the same runs."""
    run = {"jumps": 3000, "warmup": 100, "replications": 2, "arrivals": MODULATED}
    laws = dict(zip(sorted(cluster.sizes.tolist(), reverse=True), (law_of(TWO), None)))
    first = cluster_chain.simulate(cluster, service=laws, **run)
    second = cluster_chain.simulate(cluster, service=list(laws.values())[::-1], **run)
    return max(near(getattr(first, name).value, getattr(second, name).value) for name in MEASURES)


def simulated():
    """What simulators find less what chains say, with half widths, by what was simulated."""
    found = {}

    def cluster(what, seed, given, **laws):
        given.solve()
        seen = cluster_chain.simulate(given.cluster, seed=seed, **laws, **RUN)
        found[what] = off(seen, given.measures)
        return seen

    cluster("exponential times", 1, Given(3, 2, {3: 0.35, 2: 0.0, 1: 0.65}, 2.4, 5.0, {1: 1.3, 3: 2.5}))
    given = Given(5, 0, {1: 0.2, 4: 0.5, 2: 0.3}, 4.0, 6.0, 1.6)
    seen = cluster("no queue", 2, given, records=True)
    response = given.measures["mean_response"]
    found["recorded jobs"] = off(seen.records, {"mean_response_time": response, "mean_wait": response - 1 / 1.6})
    times = {"mapping": TWO, "service": HYPER, "modes": modulated((0.4, 2.5), ((0, 0.5), (1.25, 0)), 2.0)}
    laws = {"arrivals": BURSTS, "tracker": law_of(TWO), "service": law_of(HYPER)}
    cluster("bursts", 3, Given(4, 2, {2: 0.7, 1: 0.3}, 2.0, 3.0, {1: 0.8, 2: 1.9}, **times), **laws)
    times = {"service": MIXED, "modes": renewal(TWO, 2.0)}
    laws = {"arrivals": law_of(TWO), "service": law_of(MIXED)}
    cluster("regular arrivals", 4, Given(3, 1, {2: 0.4, 1: 0.6}, 2.0, 6.0, {1: 1.5, 2: 1.1}, **times), **laws)
    modes, batch = modulated(MODULATED.rates, MODULATED.switching, 1.8 / 1.6), (0.6, 0.2, 0.2)
    given = Given(
        4, 2, {3: 0.4, 1: 0.6}, 1.8, 6.0, {1: 1.0, 3: 1.4}, service={3: TWO, 1: ONE}, modes=modes, batch=batch
    )  # fmt: skip
    cluster("batches and laws of sizes", 5, given, arrivals=Batches(batch, MODULATED), service=[None, law_of(TWO)])
    for setup in (ONE, TWO):
        inner = Given(4, 1, {2: 0.5, 1: 0.2, 4: 0.3}, 1.6, 9.0, {4: 2.0, 1: 0.8, 2: 1.1})
        sleeping = Sleeping(inner, 2.3, 0.9, setup)
        seen = cluster_variants.simulate_energy(sleeping.cluster, setup=law_of(setup), seed=6, **RUN)
        found[f"servers that sleep, set up in phases ({setup[0][1]})"] = off(seen, sleeping.measures()[1])
    for service, own in ((ONE, (4, 1)), (TWO, (2, 1))):
        system = Urgent(own[0] + 1, (2, 1), own, (0.9, 1.1), (1.3, 0.7), 5.0, service)
        seen = cluster_variants.simulate_priority(system.cluster, service=law_of(service), seed=7, **RUN)
        found[f"two classes, served in phases ({service[0][1]})"] = off(seen, system.measures()[1])
    return found


def of_memory(places, arrival, slowest, *, spread=1.0):
    """How many jumps a line remembers, reckoned at load 1 where it forgets most slowly, and its longest time."""
    return 3 * (1 + spread) / 2 * (1 / (2 - 2 * math.cos(math.pi / (places + 2))) + arrival * slowest)


def of_memories():
    """How many jumps simulators say that their systems remember."""
    given = Given(4, 3, {1: 0.5, 4: 0.5}, 2.5, 4.0, {1: 2.0, 4: 0.8})
    wide = sizes.Hyperexponential((0.2, 5.0), (5 / 6, 1 / 6))

    def memory(simulate, cluster, **laws):
        return settling.memory(simulate, {"cluster": cluster, **laws})

    plain, constant = (cluster_chain.simulate, given.cluster), sizes.Deterministic(1.0)
    sleeping = [
        (cluster_variants.simulate_energy, cluster_variants.SleepingCluster(given.cluster, *rates))
        for rates in ((0.25, 0.5), (9.0, 0.1), (9.0, 0.0))
    ]
    pair = cluster_variants.PriorityCluster(5, (1, 6), (2, 1), (3.0, 1.0), (0.4, 2.0), 7.0)
    least, wider = of_memory(3, 2.5, 1.25), of_memory(3, 2.5, 1.25, spread=wide.variance)
    lines = [3 * 4 * rate / (1 - math.cos(math.pi / most)) / 2 for rate, most in ((1 / 3, 3), (1, 8))]
    pairs = [
        (memory(*plain), least),
        (memory(*plain, arrivals=cluster_chain.Bursts((0.5, 3.0), (4.0, 1.0))), of_memory(3, 2.5, 4.0)),
        (memory(*plain, arrivals=Batches((0.5, 0.5))), of_memory(3, 2.5, 1.25, spread=5 / 3)),
        *((memory(*plain, **{what: wide}), wider) for what in ("arrivals", "tracker", "service")),
        (memory(*plain, arrivals=constant, tracker=constant, service=constant), least),
        (memory(*plain, service=[None, wide]), wider),
        *zip([memory(*one) for one in sleeping], [of_memory(3, 2.5, 4.0), of_memory(3, 2.5, 10.0), least]),
        (memory(*sleeping[0], setup=wide), of_memory(3, 2.5, 4.0, spread=wide.variance)),
        (memory(cluster_variants.simulate_priority, pair), max(lines[0] + 3 * 4 / 0.4, lines[1] + 3 * 4 / 2.0)),
    ]
    return near(*zip(*pairs))


def of_memory_limits():
    """Some hundred cluster states are solved in what their vectors take, a part of their square, and not in less."""
    cluster = cluster_chain.ServiceCluster(24, 2, cluster_chain.uniform_sizes(6), 3.0, 30.0, 1.0)
    enough, little = (refused(ValueError, cluster.solve, memory_limit=limit, tolerance=1e-6) for limit in (4e6, 1e5))
    return enough + 1 - little


def answers():
    """The clauses of the library's answers on this chapter's models.

    Returns
    -------
    tuple of compendium.press.clauses.conclusions.Clause
    """
    chosen, wide = clusters(), Given(6, 2, {3: 0.3, 1: 0.5, 2: 0.2}, 2.0, 7.0, {1: 1.2, 3: 0.9, 2: 0.7})
    sleeping = [(chosen[3], 1.3, 0.4), (chosen[1], 0.5, 2.0), (chosen[4], 4.0, 0.0), (wide, 0.8, 0.6)]
    classes = [
        (7, (2, 1), (4, 1), (0.5, 1.4), (1.3, 0.7), 5.0), (6, (0, 3), (1, 3), (2.0, 0.8), (0.9, 1.7), 2.0),
        (5, (1, 0), (2, 2), (1.0, 0.6), (0.8, 1.1), 8.0), (1, (2, 2), (1, 1), (0.3, 0.9), (2.0, 1.5), 3.0),
        (9, (2, 3), (3, 1), (0.7, 2.5), (0.6, 0.8), 6.0),
    ]  # fmt: skip
    saturated = [
        (1, {1: 1.0}, 2.5), (6, {4: 0.2, 2: 0.0, 1: 0.5, 3: 0.3}, {1: 0.7, 3: 2.0, 4: 1.1, 2: 9.0, 8: 3.0}),
        (7, {3: 0.6, 2: 0.4}, 1.4), (5, {2: 0.3, 5: 0.1, 1: 0.6}, 1.0), (8, {5: 0.5, 2: 0.5}, {2: 0.3, 5: 4.0}),
        (27, {3: 0.2, 1: 0.3, 2: 0.5}, {2: 1.2, 3: 0.6, 1: 0.8}),
    ]  # fmt: skip
    sizing = [
        (3, 9, 2, {3: 0.4, 2: 0.6}, 3.0, 9.0, {2: 1.0, 3: 1.6}),
        (4, 12, 3, {4: 0.3, 2: 0.7}, 4.0, 12.0, {2: 1.5, 4: 0.9}),
    ]  # fmt: skip
    counted = exact([of_counts(given) for given in chosen], cluster=None)
    numbers = everywhere("the numbers of states and those reached", counted, equal(ROUNDING))
    if (
        counted.value.any()
    ):  # by these numbers the library makes tables, which kernels fill without a look at their ends
        return (numbers,)
    return (
        numbers,
        *equalities(cases("cluster", chosen, seed=64).measure(of_chain), ROUNDING),
        *equalities(cases("law", [(1, 0.4, 2.5), (6, 2.2, 0.7), (9, 0.6, 0.0)]).measure(of_laws), ROUNDING),
        *equalities(cases("saturated cluster", saturated).measure(of_saturation), ROUNDING),
        *equalities(cases("workload", sizing).measure(of_sizing), 1e-7),
        *equalities(cases("sleeping cluster", sleeping).measure(of_energy), ROUNDING),
        *equalities(cases("pair of classes", classes).measure(of_priority), ROUNDING),
        *equalities(
            {"the memories of simulators and their formula": exact(of_memories()),
             "the limits of memory and what is refused": exact(of_memory_limits()),
             "laws of sizes by name and in order": exact(of_laws_by_size(chosen[1].cluster)),
             "rates of leaving a burst and its sojourns": exact(near(BURSTS.switching, (0.5, 1.25)))}, ROUNDING),
        *(
            everywhere(f"a simulation with {what}, less its chain,",
                       measured(*zip(*gaps), runs=RUN["replications"], quantity=None), agrees())
            for what, gaps in simulated().items()
        ),
    )  # fmt: skip
