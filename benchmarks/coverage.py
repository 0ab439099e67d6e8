"""How often 95 % intervals hold, near saturation: 100 studies each of all simulators, against what is known.

``python -m benchmarks coverage --record`` measures all of it anew (about ten minutes of processor time), and writes the
table as it goes along; without ``--record`` the short runs are counted again.
"""

import csv
import dataclasses
import functools
import math
import zlib

import numpy as np

from benchmarks.timing import Row
from clustershare import (
    cluster_chain,
    cluster_variants,
    dispatch,
    interruptions,
    markov,
    multiserver,
    names,
    settling,
    uniprocessor,
)
from clustershare.sizes import Exponential, bimodal_hyperexponential
from compendium.study.tasks import machine
from pages.share_scheduling.simulation.short_runs import TABLE

COLUMNS = (
    "simulator", "system", "load", "jumps", "warmup", "replications", "quantity", "known", "runs", "held", "told",
    "mean", "half_width", "remembered", "machine",
)  # fmt: skip
RUNS = 100
LOADS = (0.5, 0.8, 0.9, 0.95, 0.98, 0.995)
SEED = 95
SHORT = 10_000  # jumps with which all systems are tried
THREE = multiserver.CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 1])
ONE = multiserver.CompatibilityGraph([{0}], [1])
TEN = multiserver.RandomAssignment(10, 2)


@dataclasses.dataclass(frozen=True)
class Case:
    """A simulator and a system, whose load is chosen.

    Attributes
    ----------
    simulate : callable
    arguments : callable
        Of the load: the arguments.
    known : callable
        Of the load: what should come out, by quantity.
    lengths : dict
        Jumps of a replication, with the loads that they are tried at: ten replications, and a tenth of the jumps as
        warm-up.
    others : dict
        The same for other runs: jumps, warm-up and replications.
    """

    simulate: object
    arguments: object
    known: object
    lengths: dict
    others: dict = dataclasses.field(default_factory=dict)

    def runs(self):
        """All runs with the loads that they are tried at: jumps, warm-up and replications."""
        return {(jumps, jumps // 10, 10): loads for jumps, loads in self.lengths.items()} | self.others


# As many replications as the fidelities "book" and "paper" have, and about as short as may be at load 0.95.
BOOK, PAPER = (20_000, 6_667, 30), (6_000, 6_000, 100)


def halves(load):
    """Two groups that bring the same."""
    return load / 2, load / 2


def one_line(load):
    """Two groups on one processor."""
    found = uniprocessor.exact("FCFS", (0.5, 0.5), halves(load))
    return {"mean_jobs": found.mean_jobs[0], "group_share_deviation": found.group_share_deviation[0]}


@functools.cache
def shorter_of_two(load):
    """The shorter of two queues, without migration: a chain of the shorter one's length and the difference."""
    longest, widest = math.ceil(18 / (1 - load)), 40
    m, d = (grid.ravel() for grid in np.meshgrid(np.arange(longest), np.arange(widest), indexing="ij"))
    number, moves = np.arange(m.size).reshape(longest, widest), []

    def move(where, shorter, difference, rate):
        to_m, to_d = m[where] + shorter, d[where] + difference
        inside = (to_m < longest) & (to_d < widest)
        moves.append((number[m, d][where][inside], number[to_m[inside], to_d[inside]], np.full(inside.sum(), rate)))

    move(d == 0, 0, 1, load)
    move(d > 0, 1, -1, load)
    move((d == 0) & (m > 0), -1, 1, 1.0)  # one of two equal ones, at 1/2 each
    move((d > 0) & (m > 0), -1, 1, 0.5)
    move(d > 0, 0, -1, 0.5)
    chances = markov.stationary(markov.generator(m.size, *(np.concatenate(part) for part in zip(*moves))))
    one_idle = (m == 0) & (d > 1)  # though there are two jobs or more
    return {"mean_jobs": float(chances @ (2 * m + d)) / 2, "capacity_loss": float(chances[one_idle].sum()) / 2}


def two_apart(load):
    """Two queues M/M/1, which know nothing of each other."""
    return {"mean_jobs": load / (1 - load), "capacity_loss": (1 - load) * load**2}


@functools.cache
def long_run(load):
    """What 200 times as many jumps of the distributed policy give."""
    found = dispatch.simulate_distributed(**asking(load), jumps=200 * SHORT, warmup=20 * SHORT, seed=SEED)
    return {"mean_jobs": found.mean_jobs.value[0], "capacity_loss": found.capacity_loss.value}


def asking(load):
    """Four processors, each of which asks one other."""
    return {"policy": "JSQ", "probe_limit": 1, "required_shares": (0.5, 0.5), "loads": halves(load), "processors": 4}


def two_processors(policy, **more):
    """The arguments of a policy for two processors."""
    return lambda load: {
        "policy": policy, "required_shares": (0.5, 0.5), "loads": halves(load), "processors": 2, **more
    }  # fmt: skip


def balanced(load):
    """Balanced fairness of two classes on three servers; exponential sizes make any order alike."""
    found = multiserver.balanced_fairness(THREE, (1.5 * load, 1.5 * load))
    return {"mean_jobs": found.mean_jobs[0], "probability_empty": found.probability_empty}


def on_three(load):
    """The arguments for it."""
    return {"graph": THREE, "arrival_rates": (1.5 * load,) * 2, "sizes": Exponential(), "interruptions": 1}


def pollaczek(load):
    """One server, first come, first served, sizes of the squared coefficient of variation c^2."""
    spread = 1 + bimodal_hyperexponential().variance
    return {"mean_jobs": load + load**2 * spread / (2 * (1 - load)), "probability_empty": 1 - load}


def cluster(load):
    """Four servers with 20 places to wait; the load is of what they can serve when there is always a next job."""
    sizes = {1: 0.5, 2: 0.5}
    return cluster_chain.ServiceCluster(4, 20, sizes, load * cluster_chain.saturated_jobs(4, sizes), 100.0, 1.0)


def sleeping(load):
    """The same with servers that sleep."""
    return cluster_variants.SleepingCluster(cluster(load), 10.0, 1.0)


def urgent(load):
    """Ten servers, jobs of two classes."""
    return cluster_variants.PriorityCluster(10, (20, 20), (5, 1), (load, 5 * load), (1.0, 1.0), 100.0)


CASES = {
    "one processor": Case(
        uniprocessor.simulate,
        lambda load: {"policy": "FCFS", "required_shares": (0.5, 0.5), "arrival_rates": halves(load)},
        one_line, {10**4: LOADS, 10**5: LOADS, 10**6: LOADS[4:]},
        dict.fromkeys((BOOK, PAPER, (2_000, 2_000, 100), (30_000, 0, 100)), (0.95,)),
    ),
    "shorter of two": Case(
        dispatch.simulate_central, two_processors("JSQ"), shorter_of_two, {10**4: LOADS, 10**5: LOADS[1:]}
    ),
    "two apart": Case(
        dispatch.simulate_central, two_processors("SVP"), two_apart, {10**4: LOADS, 10**5: LOADS[1:]}
    ),
    "shorter of two, beside a queue": Case(
        dispatch.simulate_central_beside_queue, two_processors("JSQ"), shorter_of_two,
        {10**4: LOADS, 10**5: LOADS[1:]}, {BOOK: LOADS[3:4]},
    ),
    "two apart, each for itself": Case(
        dispatch.simulate_distributed, two_processors("Isolation", probe_limit=0), two_apart,
        {10**4: LOADS, 10**5: LOADS[2:]},
    ),
    "four that ask": Case(dispatch.simulate_distributed, asking, long_run, {10**4: LOADS[:4]}),
    "network": Case(
        dispatch.simulate_network, lambda load: {"loads": halves(load), "service_times": (1.0, 10.0)},
        lambda load: {"mean_customers": load / (1 - load), "utilisation": load}, {10**4: LOADS, 10**5: LOADS[1:]},
    ),
    "three servers, one list": Case(
        interruptions.simulate, on_three, balanced, {10**4: LOADS, 10**5: LOADS[3:5]}
    ),
    "three servers": Case(multiserver.simulate, on_three, balanced, {10**4: LOADS, 10**5: LOADS[1:]}),
    "one server, sizes of large variance": Case(
        multiserver.simulate,
        lambda load: {
            "graph": ONE, "arrival_rates": (load,), "sizes": bimodal_hyperexponential(), "interruptions": 0
        },
        pollaczek, {10**4: LOADS, 10**5: LOADS[1:]},
    ),
    "three servers, beside balanced fairness": Case(
        multiserver.simulate_beside_balanced_fairness, on_three,
        lambda load: {"distance": 0.0, "plain_jobs": balanced(load)["mean_jobs"]},
        {10**4: LOADS[:5], 10**5: LOADS[3:5]},  # it refuses .995
    ),
    "two of ten servers, beside processor sharing": Case(
        multiserver.simulate_assignment_beside_processor_sharing,
        lambda load: {"assignment": TEN, "arrival_rate": 10 * load, "sizes": Exponential(), "interruptions": 1},
        lambda load: {
            "total_distance": 0.0, "plain_jobs": multiserver.random_assignment(10, 2, load).mean_jobs
        },
        {10**4: LOADS, 10**5: LOADS[3:4]},
    ),
    "cluster": Case(
        cluster_chain.simulate, lambda load: {"cluster": cluster(load)},
        lambda load: _solved(cluster(load), "mean_queue"), {10**4: LOADS, 10**5: LOADS[5:]},
    ),
    "cluster that sleeps": Case(
        cluster_variants.simulate_energy, lambda load: {"cluster": sleeping(load)},
        lambda load: _solved(sleeping(load), "mean_queue"), {10**4: LOADS, 10**5: LOADS[5:]},
    ),
    "cluster with urgent jobs": Case(
        cluster_variants.simulate_priority, lambda load: {"cluster": urgent(load)},
        lambda load: _solved(urgent(load), "mean_waiting"), {10**4: LOADS, 10**5: LOADS[5:]},
    ),
}  # fmt: skip


def _of(found, *parts):
    """What stands under some names; of several groups or classes the last one's."""
    return [float(np.atleast_1d(getattr(found, part))[-1]) for part in parts]


def _solved(system, number):
    """Of a cluster's chain the part of the jobs that are lost, and a mean number."""
    parts = "blocking", number
    return dict(zip(parts, _of(system.solve(), *parts)))


def cells(most=math.inf):
    """Names of cases, loads and runs of all cells with up to so many jumps in all; the short ones first."""
    found = [(name, load, run) for name, case in CASES.items() for run, loads in case.runs().items() for load in loads]
    return sorted((cell for cell in found if total(cell) <= most), key=total)


def total(cell):
    """Jumps of all replications of a study, with the warm-up."""
    jumps, warmup, replications = cell[2]
    return (jumps + warmup) * replications


def measure(name, load, run):
    """One cell of the table.

    Parameters
    ----------
    name : str
        Of a case.
    load : float
    run : tuple of int
        Jumps, warm-up and replications.

    Returns
    -------
    list of dict
        For each quantity the row of the table.
    """
    case, (jumps, warmup, replications) = CASES[name], run
    known, found, told = case.known(load), [], 0
    seeds = np.random.SeedSequence(SEED, spawn_key=(zlib.crc32(name.encode()), round(1000 * load), jumps)).spawn(RUNS)
    for seed in seeds:
        result = case.simulate(**case.arguments(load), jumps=jumps, warmup=warmup, replications=replications, seed=seed)
        told += result.warning is not None
        found.append([_of(getattr(result, quantity), "value", "half_width") for quantity in known])
    values, half_widths = np.moveaxis(np.array(found), -1, 0)
    held = (np.abs(values - list(known.values())) <= half_widths).sum(axis=0)
    return [
        {
            "simulator": names.name_of(case.simulate), "system": name, "load": load, "jumps": jumps, "warmup": warmup,
            "replications": replications, "quantity": quantity, "known": float(known[quantity]), "runs": RUNS,
            "held": int(held[column]), "told": told, "mean": float(values[:, column].mean()),
            "half_width": float(half_widths[:, column].mean()),
            "remembered": settling.memory(case.simulate, case.arguments(load)), "machine": machine(),
        }
        for column, quantity in enumerate(known)
    ]  # fmt: skip


def tables(record=False):
    """Yield the one table; `record` keeps it in the data folder."""
    yield "Intervals that hold, of 100 of 95 %", rows(record)


def rows(record=False):
    """Yield a row for each quantity of each cell: all of them when they are recorded, else the short ones."""
    if record:
        with open(TABLE, "w", newline="", encoding="utf-8") as file:
            csv.DictWriter(file, COLUMNS, lineterminator="\n").writeheader()
    for cell in cells() if record else cells(SHORT * 11):
        measured = measure(*cell)
        if record:
            with open(TABLE, "a", newline="", encoding="utf-8") as file:
                csv.DictWriter(file, COLUMNS, lineterminator="\n").writerows(measured)
        for row in measured:
            what = f"{row['system']}, load {row['load']:g}, {row['replications']} x {row['jumps']:,}: {row['quantity']}"
            yield Row(what, str(row["held"]))
