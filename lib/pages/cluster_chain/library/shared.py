"""What several of these rooms use."""

import functools

import numpy as np

from clustershare import cluster_chain, cluster_variants
from pages.agreement import gap, reached, stationary

MEASURES = "mean_queue", "blocking", "mean_delay", "utilisation", "mean_jobs_in_service", "mean_jobs", "mean_response"
OF_CLASSES = "blocking", "mean_waiting", "mean_running", "mean_response", "evictions"
OF_ENERGY = "mean_queue", "blocking", "mean_delay", "servers"
# Laws of mean 1: of each component the probability, the number of phases and their mean.
ONE, TWO, HYPER = ((1.0, 1, 1.0),), ((1.0, 2, 0.5),), ((0.25, 1, 2.2), (0.75, 1, 0.6))
near = functools.partial(gap, least=0)  # relative throughout


def apart(found, expected):
    """The largest gap of quantities by name."""
    return max(near(getattr(found, name), value) for name, value in expected.items())


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
