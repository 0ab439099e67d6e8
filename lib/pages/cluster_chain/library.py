"""What the library answers on the cluster chain, its sizes, its sizing and its variants, held against small chains.

The chains follow the rules state by state, from what was given: no table, order or property of the library. Laws of
times are mixtures of Erlangs, so that the simulators are held against chains, too. `answers` has all of them.
"""

import math

import numpy as np

from clustershare import cluster_chain, cluster_variants, settling, sizes
from clustershare.arrivals import Batches, MarkovModulated
from clustershare.results import NoExactAnswer
from compendium.press.clauses import cases, equalities, everywhere, measured
from compendium.press.clauses.conditions import agrees

ROUNDING = 1e-9
RUN = {"jumps": 40_000, "warmup": 2000, "replications": 16}
MEASURES = "mean_queue", "blocking", "mean_delay", "utilisation", "mean_jobs_in_service", "mean_jobs", "mean_response"
OF_CLASSES = "blocking", "mean_waiting", "mean_running", "mean_response", "evictions"
OF_ENERGY = "mean_queue", "blocking", "mean_delay", "servers"
# Laws of mean 1: of each component the probability, the number of phases and their mean.
ONE, TWO, HYPER = ((1.0, 1, 1.0),), ((1.0, 2, 0.5),), ((0.25, 1, 2.2), (0.75, 1, 0.6))
MIXED = ((0.4, 2, 0.7), (0.6, 1, 0.44 / 0.6))


def near(one, other):
    """The largest difference, relative to what is not 0 of the second; of other shapes, infinite."""
    one, other = np.asarray(one, float), np.asarray(other, float)
    if one.shape != other.shape:
        return math.inf
    gaps = np.abs(one - other) / np.where(other == 0, 1.0, np.abs(other))
    return float(np.max(np.where(np.isnan(gaps), math.inf, gaps), initial=0.0))


def apart(found, expected):
    """The largest gap of quantities by name."""
    return max(near(getattr(found, name), value) for name, value in expected.items())


def off(found, expected):
    """What was simulated less what is expected, with half widths, as a part of the expected: pairs."""
    pairs = [(getattr(found, name), value) for name, value in expected.items()]
    arrays = (np.broadcast_arrays(one.value, one.half_width, value) for one, value in pairs)
    numbers = [each for one in arrays for each in zip(*map(np.ravel, one), strict=True)]
    return [((value - known) / (known or 1.0), half / (known or 1.0)) for value, half, known in numbers]


def refused(call, *arguments, error=NoExactAnswer, **more):
    """Whether a call is refused with such an error."""
    try:
        call(*arguments, **more)
    except error:
        return True
    return False


def law_of(components):
    """A law of the library, None where it is exponential."""
    chances, phases, means = zip(*components)
    return None if components == ONE else sizes.HyperErlang(means, phases, chances)


def begun(components):
    """In which phase a time begins: component and phases left, and the probability."""
    return [((number, phases), chance) for number, (chance, phases, _) in enumerate(components)]


def walk(start, ways):
    """The states that are reached, as they are found, and the generator."""
    states, moves = {start: 0}, []
    for state in (found := [start]):
        for target, rate in ways(state):
            if target not in states:
                states[target] = len(found)
                found.append(target)
            moves.append((states[state], states[target], rate))
    Q = np.zeros((len(found),) * 2)
    np.add.at(Q, tuple(np.array([move[:2] for move in moves]).T), [rate for *_, rate in moves])
    np.fill_diagonal(Q, 0.0)
    np.fill_diagonal(Q, -Q.sum(axis=1))
    return found, Q


def stationary(Q):
    """The law of a chain, by the elimination that never subtracts."""
    A, law = Q.copy(), np.ones(1)
    for n in range(len(A) - 1, 0, -1):
        A[:n, n] /= A[n, :n].sum()
        A[:n, :n] += A[:n, n, None] * A[n, :n]
    for n in range(1, len(A)):
        law = np.append(law, law @ A[:n, n])
    return law / law.sum()


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
    return found


def of_chain(given):
    """All that is said of one cluster exactly: the chain, its solvers, and the list of states."""
    cluster, law = given.solve().cluster, given.law
    expected, count = given.measures, len(given.states)
    slow = (1 / given.tracker + 1 / min(given.rate.values())) * (given.places + 2) ** 2
    neighbour = cluster_chain.ServiceCluster(
        given.servers, given.places, given.chances, 1.1 * given.arrival, 0.9 * given.tracker, given.rates
    )
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
        **{f"the probabilities with {what} and those of the chain": max(
            near(one.probabilities(), law), near(one.error, one.residual * slow),
            *(max(one.residual / cluster.largest_rate, one.flow_error, one.little_error) for _ in "1"),
        ) for what, one in solved.items()},
        "the listed states and those reached": float(cluster.state_list() != given.states),
        "the generator and the rates of the chain": near(cluster.generator().toarray(), given.Q),
        "the numbers of states and those reached": near(
            [cluster.states, *cluster.level_sizes], [count, len(busy), len(busy) * len(given.sizes)]
        ),
        "rates at which jobs end and those of the chain": near(np.sort(departures[departures > 0]), np.sort(ends)),
        "what is given and what is kept": max(
            near(cluster.sizes, given.sizes), near(cluster.size_probabilities, given.chance),
            near(cluster.size_service_rates, [given.rate[size] for size in given.sizes]),
            near(cluster.mean_times, [1 / given.tracker, 1 / min(given.rate.values())]),
            float(cluster.largest_rate < -given.Q.diagonal().min() * (1 - ROUNDING)),
        ),
        "other laws and those that are refused": near([refused(cluster_chain.exact, cluster, **one) for one in other], [1] * 5),
    }  # fmt: skip


def answers():
    """The clauses of the library's answers on this chapter's models.

    Returns
    -------
    tuple of compendium.press.clauses.conclusions.Clause
    """
    return (*equalities(cases("cluster", clusters(), seed=64).measure(of_chain), ROUNDING),)
