"""Paths of the live simulator and of the library on the same random numbers, event by event."""

from fractions import Fraction

import numpy as np

from clustershare.dispatch import chain
from clustershare.dispatch.central import LOCAL, policy_of
from clustershare.dispatch.kernel import bring
from clustershare.dispatch.state import empty
from clustershare.interruptions import trace
from clustershare.multiserver import CompatibilityGraph
from clustershare.run_length import RunLength
from clustershare.sizes import Exponential
from clustershare.uniprocessor import kernel
from live_engine import ask
from pages.share_scheduling.distributed.witnesses.event_loop import PrintedNetwork
from pages.share_scheduling.distributed.witnesses.parts import Setting
from pages.share_scheduling.one_processor.witnesses.up_down_path import up_down

EVENTS = 10_000


class Recorder:
    """A generator, and the numbers that it gave."""

    def __init__(self, rng):
        self.rng, self.numbers = rng, []

    def random(self):
        self.numbers.append(self.rng.random())
        return self.numbers[-1]

    def standard_exponential(self):
        self.numbers.append(self.rng.standard_exponential())
        return self.numbers[-1]


def of_choices(page, policy, migration, local, shares, processors, events=EVENTS, most=8):
    """Where the laws of the next state differ, on a path of so many events: list of str.

    At each event both go through all that the policy may leave to chance; the path then takes one of the results.
    """
    settings = {
        "model": "dispatch", "policy": policy, "migration": migration, "local": local, "shares": shares,
        "loads": [0.4 / len(shares)] * len(shares), "processors": processors, "seed": 1,
    }  # fmt: skip
    told = ask(page, "laws", settings, events, most)
    chosen, weights = policy_of("JSQ(2)" if policy == "JSQ(d)" else policy, migration, np.array(shares), processors)
    speeds = np.full(processors, 1 / processors)
    system = empty(LOCAL[local], np.array(shares), speeds, weights, by_group=chosen.by_group, timed=False)
    moves, found = chain.Moves(chosen, system, np.ones(len(shares)), most), []
    moves.arrays = [array for array in system if isinstance(array, np.ndarray)]
    for numbers, g, p, law in told:
        bring(system, np.array(numbers))
        moves.saved = [array.copy() for array in moves.arrays]
        wanted = {}
        for to, chance in moves.outcomes(g, p):
            wanted[to] = wanted.get(to, 0) + chance
        seen = {tuple(np.ravel(to).tolist()): chance for to, chance in law}
        if seen.keys() != wanted.keys() or any(abs(seen[to] - wanted[to]) > 1e-9 for to in wanted):
            found.append(f"{policy}: from {numbers}, group {g} at {p}: {seen}, not {wanted}")
    return found


def of_up_down(page, shares, rates, events=EVENTS, seed=1):
    """The events at which Up-Down serves another group, or other jobs are there, than in the library's kernel."""
    (rng,) = RunLength(replications=1, seed=seed).generators()
    recorder, comes, sizes, before, mark = Recorder(rng), [], ([], []), None, 1
    for stretch in up_down(recorder, shares, rates, (1, 1), (0, 0), events):
        drawn, mark = recorder.numbers[mark:], len(recorder.numbers)
        if before is not None and sum(stretch.jobs) > sum(before):
            comes.append((drawn[0], drawn[1], int(stretch.jobs[1] > before[1])))
            drawn = drawn[2:]
        if drawn:
            sizes[stretch.serving].append(drawn[0])
        before = stretch.jobs
    tape, taken = [recorder.numbers[0]], [iter(of) for of in sizes]
    for until_next, uniform, g in comes:  # jobs of a group are served in the order in which they come
        tape += [until_next, uniform, next(taken[g], 1.0)]
    settings = {"model": "one", "policy": "UD", "shares": shares, "loads": rates}
    tape += [100.0] * 3
    told = ask(page, "path", settings, tape, events - 1, "serving")
    table = np.array([[[1.0, 1.0, 1.0, 0.0]]] * 2)  # exponential sizes of mean 1, as the kernel reads them
    found = []
    for n, (serving, *jobs) in enumerate(told):
        (rng,) = RunLength(replications=1, seed=seed).generators()
        of_event = kernel.serve(
            rng, kernel.UP_DOWN, np.arange(2), np.array(shares), True, np.array(rates), np.ones(2),
            np.zeros(2, np.int64), table, 1, n,
        )  # fmt: skip
        wanted = [*of_event[1].round(9), *of_event[3].round(9)]
        if wanted != [serving == 0, serving == 1, *jobs]:
            found.append(f"event {n}: group {serving} of {jobs}; not {wanted}")
    return found


def of_algorithm(page, servers_of, capacities, loads, m, events=EVENTS, seed=1):
    """The events at which the queue of Algorithm 1 is another than in the library's trace."""
    graph = CompatibilityGraph([set(own) for own in servers_of], capacities)
    wanted = trace(graph, loads, Exponential(), m, events=events, seed=seed)
    (rng,) = RunLength(replications=1, seed=seed).generators()
    tape = [rng.standard_exponential()]
    for event in wanted:
        if event.kind == "arrival":
            group, size, turn = rng.random(), rng.standard_exponential(), rng.standard_exponential()
            tape += [rng.standard_exponential(), group, size, turn]
        elif event.kind == "interruption":
            tape.append(rng.standard_exponential())
    settings = {
        "model": "servers", "policy": "algorithm", "loads": loads, "interruptions": m,
        "graph": {"serversOf": servers_of, "capacities": capacities},
    }  # fmt: skip
    told = ask(page, "path", settings, tape, events, "queue")
    return [
        f"event {n}: {queue} at {time}, not {event}"
        for n, ((time, queue), event) in enumerate(zip(told, wanted, strict=True))
        if [*map(list, event.queue)] != queue or abs(time - event.time) > 1e-9 * event.time
    ]


class Recorded(PrintedNetwork):
    """Chapter 6 as printed. A job that is granted is drawn by its place in the order in which jobs joined the queue."""

    def __init__(self, setting, rng):
        self.lines = [[] for _ in range(setting.processors)]
        super().__init__(setting, rng)

    def join(self, job, p):
        self.lines[p].append(job)
        super().join(job, p)

    def leave(self, p, g, k):
        job = super().leave(p, g, k)
        self.left, self.line = job, list(self.lines[p])
        self.lines[p].remove(job)
        return job

    def _grant(self, p, asked, own, message=None):
        before = len(self.rng.numbers)
        super()._grant(p, asked, own, message)
        event = self.events[-2]  # what was sent comes last
        if self.events[-1].what != "refuses" and event.what == "grants" and event.other[1] > 1:
            eligible = [job for job in self.line if asked.group in (None, job.group)]
            self.rng.numbers[before] = (eligible.index(self.left) + 0.5) / len(eligible)


def of_network(page, policy, shares, loads, processors, events, seed=1, **more):
    """The events at which processors that ask each other stand otherwise than in `event_loop`."""
    setting = Setting(
        policy, tuple(map(Fraction, shares)), loads, processors, probe_time=1e-3, migration_time=0.05, **more
    )  # fmt: skip
    network = Recorded(setting, Recorder(np.random.default_rng(seed)))
    wanted = []
    for _ in range(events):
        network.step()
        rows = [list(network.there(p)) for p in range(processors)]
        wanted.append((network.now, rows, len(network.messages), sum(map(len, network.waiting))))
    settings = {
        "model": "distributed", "policy": policy, "shares": [*map(float, setting.shares)], "loads": loads,
        "processors": processors, "probeLimit": setting.limit, "probePeriod": setting.period, "probeTime": 1e-3,
        "migrationTime": 0.05, "local": setting.local, "migration": setting.migration,
        "arrivalPreference": setting.arrival, "probingPreference": setting.probing,
    }  # fmt: skip
    told = ask(page, "path", settings, network.rng.numbers, events, "network")
    return [
        f"{policy}, event {n}: {seen}, not {at} at {time}"
        for n, (seen, (time, *at)) in enumerate(zip(told, wanted, strict=True))
        if seen[1:] != at or abs(seen[0] - time) > 1e-9 * time
    ]
