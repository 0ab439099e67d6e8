"""Two public packages beside the library: what they answer, how far off, how quick. The book does not need them.

``pip install .[outside]``, into an environment of its own (LINE asks for an older pandas than the book), and there
``python -m benchmarks outside --record`` writes what the page on outside witnesses shows. LINE (``line-solver``) solves
chains of its own (CTMC), has formulas and approximations (MVA), and simulates (LDES by a compiled program, SSA in
Python); ``most-queue`` has formulas for priorities.
"""

import contextlib
import csv
import importlib.metadata
import importlib.util
import io
import os
import warnings

from benchmarks.timing import Row
from clustershare import uniprocessor
from compendium import places
from pages.across.outside import SYSTEMS

TABLE = places.DATA / "outside.csv"
CUTOFF = 25  # jobs of a group, in LINE's chains
SAMPLES = {"LDES": 2_000_000, "SSA": 10_000}
# The policies of LINE by the solvers that take them; those of the chain that do not fit into memory are left out.
LINE = {
    "CTMC": {"PS": "PS", "PPS": "DPS", "GPPS": "GPS"},
    "MVA": {"HOL": "HOL", "PQ": "FCFSPRPRIO"},
    "LDES": {"PPS": "DPS", "GPPS": "GPS", "HOL": "HOL", "PQ": "FCFSPRPRIO"},
    "SSA": {"PPS": "DPS", "GPPS": "GPS"},
}
SLOW = ("CTMC", "SSA")  # with two groups only


def _spent():
    """Processor seconds of this process and of those that it waited for: LDES is a program of its own."""
    return sum(os.times()[:4])


def tables(record=False):
    """Yield the one table; `record` keeps it in the data folder."""
    yield "Outside witnesses: mean jobs of each group, and seconds", rows(record)


def with_line(solver, policy, system):
    """Mean numbers of jobs of each group, as LINE finds them, and its seconds."""
    import line_solver

    shares, arrivals, services = SYSTEMS[system]
    model = line_solver.Network("model")
    source, sink = line_solver.Source(model, "source"), line_solver.Sink(model, "sink")
    queue = line_solver.Queue(model, "queue", getattr(line_solver.SchedStrategy, LINE[solver][policy]))
    for group, (share, arrival, service) in enumerate(zip(shares, arrivals, services)):
        jobs = line_solver.OpenClass(model, f"group {group}", group if policy in ("HOL", "PQ") else 0)
        source.setArrival(jobs, line_solver.Exp(arrival))
        weight = (share,) if policy in ("PPS", "GPPS") else ()
        queue.setService(jobs, line_solver.Exp(service), *weight)
    model.link(line_solver.Network.serial_routing([source, queue, sink]))
    options = {"cutoff": CUTOFF} if solver == "CTMC" else {}
    if solver in SAMPLES:
        options = {"seed": 1, "samples": SAMPLES[solver]}
    start = _spent()
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answer = getattr(line_solver, f"Solver{solver}")(model, verbose=False, **options).getAvgTable()
    seconds = _spent() - start
    answer = answer if hasattr(answer, "columns") else answer.data
    return [float(jobs) for jobs in answer[answer["Station"] == "queue"]["QLen"]], seconds


def with_most_queue(solver, policy, system):
    """The same by most-queue, from the first four moments of the service times."""
    from most_queue.theory.priority.non_preemptive.mg1 import MG1NonPreemptiveCalc
    from most_queue.theory.priority.preemptive.mg1 import MG1PreemptiveCalc

    _, arrivals, services = SYSTEMS[system]
    queue = {"HOL": MG1NonPreemptiveCalc, "PQ": MG1PreemptiveCalc}[policy]()
    start = _spent()
    queue.set_sources(list(arrivals))
    queue.set_servers([[1 / rate, 2 / rate**2, 6 / rate**3, 24 / rate**4] for rate in services])
    if solver == "formula":
        times = [moments[0] for moments in queue.run().v]
    else:  # a method of its own for the mean waiting times
        times = [wait + 1 / rate for wait, rate in zip(queue.get_w1(), services)]
    seconds = _spent() - start
    return [float(arrival * mean) for arrival, mean in zip(arrivals, times)], seconds


def cases():
    """Every question put to a package: its name, solver, our name of the policy, the system, and who answers."""
    for solver, policies in LINE.items():
        for policy in policies:
            for system in ("two groups",) if solver in SLOW else ("two groups", "three groups"):
                yield "line-solver", solver, policy, system, lambda a=(solver, policy, system): with_line(*a)
    for solver, policy in (("formula", "HOL"), ("formula", "PQ"), ("first moment", "PQ")):
        for system in SYSTEMS:
            yield "most-queue", solver, policy, system, lambda a=(solver, policy, system): with_most_queue(*a)


def ours(policy, system, times=10):
    """Our exact mean numbers, and the seconds that one of several answers took (the clock is coarse)."""
    settings = {"tolerance": 1e-6} if policy in ("PPS", "GPPS") and system == "three groups" else {}
    start = _spent()
    for _ in range(times):
        jobs = uniprocessor.exact(policy, *SYSTEMS[system], **settings).mean_jobs
    return jobs, max(_spent() - start, 0.01) / times


def rows(record=False):
    """Yield a row for each question; seconds of theirs and ours are taken in turn, the second time of two."""
    measured = []
    for package, solver, policy, system, ask in cases():
        what = f"{package} {solver}, {policy}, {system}"
        if importlib.util.find_spec(package.replace("-", "_")) is None:
            yield Row(f"{what}: not installed", "")
            continue
        for _ in range(2):
            (jobs, seconds), (own, own_seconds) = ask(), ours(policy, system)
        for group, theirs in enumerate(jobs, 1):
            measured.append(
                {
                    "package": package, "version": importlib.metadata.version(package), "solver": solver,
                    "policy": policy, "system": system, "group": group, "mean_jobs": repr(theirs),
                    "seconds": f"{seconds:.3g}", "own_seconds": f"{own_seconds:.3g}",
                }
            )  # fmt: skip
        worst = max(abs(theirs / exact - 1) for theirs, exact in zip(jobs, own))
        yield Row(f"{what}: off by {worst:.1e}, {seconds:.3g} s", f"{seconds / own_seconds:,.0f} x")
    if record:
        with open(TABLE, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(measured[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(measured)
