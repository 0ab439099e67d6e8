"""Two public packages beside the library: what they answer, how far off, how quick. The book does not need them.

``pip install .[outside]``, into an environment of its own (LINE asks for an older pandas than the book), and there
``python -m benchmarks outside --record`` writes what the page on outside witnesses shows. LINE (``line-solver``) solves
chains of its own (CTMC), has formulas and approximations (MVA, MAM, NC, AG), and simulates (LDES by a compiled program,
SSA in Python); ``most-queue`` has formulas for priorities.
"""

import contextlib
import csv
import importlib.metadata
import importlib.util
import io
import os
import warnings

from benchmarks.timing import Row
from compendium import places
from pages.across.witnesses.outside import GRAPHS, SEVERAL, SYSTEMS, TIED, ours

TABLE = places.DATA / "outside.csv"
CUTOFF = 25  # jobs of a group, in LINE's chains of one processor
CUTOFFS = {"two processors": 20, "three processors": 12, "shared server": 8}
SAMPLES = {"LDES": 2_000_000, "SSA": 10_000}
# The policies of LINE by the solvers that take them; those of the chain that do not fit into memory are left out.
LINE = {
    "CTMC": {"PS": "PS", "PPS": "DPS", "GPPS": "GPS", "PQ": "PSPRIO"},
    "MVA": {"PS": "PS", "PPS": "DPS", "FCFS": "FCFS", "HOL": "HOL", TIED: "HOL", "PQ": "FCFSPRPRIO"},
    "MAM": {"PS": "PS", "FCFS": "FCFS", "HOL": "HOL", TIED: "HOL"},
    "NC": {"PS": "PS", "FCFS": "FCFS"},
    "AG": {"PS": "PS", "PPS": "DPS", "HOL": "HOL"},
    "LDES": {
        "PPS": "DPS", "GPPS": "GPS", "FCFS": "FCFS", "HOL": "HOL", TIED: "HOL", "PQ": "FCFSPRPRIO",
    },
    "SSA": {"PPS": "DPS", "GPPS": "GPS"},
}  # fmt: skip
# Several processors: global and local policy, and LINE's words for both.
ROUTED = {
    "CTMC": {"JSQ PS": ("JSQ", "PS")},
    "MVA": {"HPRS PS": ("RAND", "PS")},
    "LDES": {"JSQ GPPS": ("JSQ", "GPS"), "HPRS GPPS": ("RAND", "GPS")},
}
TOGETHER = ("CTMC", "NC", "LDES")  # solvers that take jobs which several servers serve at once
SLOW = ("CTMC", "SSA")  # with two groups only, as are the next: MVA did not come back from three under PPS
EXACTLY_TWO = ("FCFS", TIED)  # the third computation knows two groups


def _spent():
    """Processor seconds of this process and of those that it waited for: LDES is a program of its own."""
    return sum(os.times()[:4])


def tables(record=False):
    """Yield the one table; `record` keeps it in the data folder."""
    yield "Outside witnesses: mean jobs of each group, and seconds", rows(record)


def with_line(solver, policy, system):
    """Mean numbers of jobs of each group, as LINE finds them, and its seconds."""
    import line_solver

    model = line_solver.Network("model")
    build = _together if system in GRAPHS else _routed if system in SEVERAL else _alone
    queues = build(line_solver, model, solver, policy, system)
    options = {"cutoff": CUTOFFS.get(system, CUTOFF)} if solver == "CTMC" else {}
    if solver in SAMPLES:
        options = {"seed": 1, "samples": SAMPLES[solver]}
    start = _spent()
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answer = getattr(line_solver, f"Solver{solver}")(model, verbose=False, **options).getAvgTable()
    seconds = _spent() - start
    answer = answer if hasattr(answer, "columns") else answer.data
    answer = answer[answer["Station"].isin([f"queue {number}" for number in range(queues)])]
    return [float(jobs) for jobs in answer.groupby("JobClass", sort=False)["QLen"].sum()], seconds


def _alone(line_solver, model, solver, policy, system):
    """One processor."""
    shares, arrivals, services = SYSTEMS[system]
    source, sink = line_solver.Source(model, "source"), line_solver.Sink(model, "sink")
    queue = line_solver.Queue(model, "queue 0", getattr(line_solver.SchedStrategy, LINE[solver][policy]))
    for group, (share, arrival, service) in enumerate(zip(shares, arrivals, services)):
        jobs = line_solver.OpenClass(model, f"group {group}", group if policy in ("HOL", "PQ") else 0)
        source.setArrival(jobs, line_solver.Exp(arrival))
        weight = (share,) if policy in ("PPS", "GPPS") else ()
        queue.setService(jobs, line_solver.Exp(service), *weight)
    model.link(line_solver.Network.serial_routing([source, queue, sink]))
    return 1


def _routed(line_solver, model, solver, policy, system):
    """Several processors behind a router. JSQ with PS does not tell groups apart: one class then."""
    processors, shares, loads = SEVERAL[system]
    routing, local = ROUTED[solver][policy]
    source, sink = line_solver.Source(model, "source"), line_solver.Sink(model, "sink")
    router = line_solver.Router(model, "router")
    strategy = getattr(line_solver.SchedStrategy, local)
    queues = [line_solver.Queue(model, f"queue {number}", strategy) for number in range(processors)]
    groups = [(1.0, sum(loads))] if policy == "JSQ PS" else list(zip(shares, loads))
    classes = [line_solver.OpenClass(model, f"group {group}") for group in range(len(groups))]
    for jobs, (share, load) in zip(classes, groups):
        source.setArrival(jobs, line_solver.Exp(load))
        for queue in queues:
            queue.setService(jobs, line_solver.Exp(1 / processors), *((share,) if local == "GPS" else ()))
    model.addLink(source, router)
    for queue in queues:
        model.addLink(router, queue)
        model.addLink(queue, sink)
    for jobs in classes:
        router.setRouting(jobs, getattr(line_solver.RoutingStrategy, routing))
    return processors


def _together(line_solver, model, solver, policy, system):
    """An order-independent queue: what it serves in all is that of the servers that somebody present can use."""
    servers, arrivals = GRAPHS[system]
    source, sink = line_solver.Source(model, "source"), line_solver.Sink(model, "sink")
    queue = line_solver.Queue(model, "queue 0", line_solver.SchedStrategy.OI)
    classes = [line_solver.OpenClass(model, f"group {group}") for group in range(len(arrivals))]
    for jobs, arrival in zip(classes, arrivals):
        source.setArrival(jobs, line_solver.Exp(arrival))
    queue.setService(lambda present: float(len(set().union(*(servers[int(group)] for group in present)))))
    queue.setNumberOfServers(len(set().union(*servers)))
    if solver != "NC":  # which takes no bound, as the others take none without
        queue.setCap(CUTOFFS[system] if solver == "CTMC" else 60)
    routes = model.initRoutingMatrix()
    for jobs in classes:
        routes[jobs] = line_solver.Network.serial_routing(source, queue, sink)
    model.link(routes)
    return 1


def with_most_queue(solver, policy, system):
    """The same by most-queue, from the first four moments of the service times; or what it says besides."""
    from most_queue.theory.priority.non_preemptive.mg1 import MG1NonPreemptiveCalc
    from most_queue.theory.priority.preemptive.mg1 import MG1PreemptiveCalc

    _, arrivals, services = SYSTEMS[system]
    queue = {"HOL": MG1NonPreemptiveCalc, "PQ": MG1PreemptiveCalc}[policy]()
    start = _spent()
    queue.set_sources(list(arrivals))
    queue.set_servers([[1 / rate, 2 / rate**2, 6 / rate**3, 24 / rate**4] for rate in services])
    if solver == "first moment":  # a method of its own for the mean waiting times
        answer = [wait + 1 / rate for wait, rate in zip(queue.get_w1(), services)]
    elif solver == "utilisation":
        return [float(queue.get_utilization())] * len(arrivals), _spent() - start
    else:
        answer = [moments[int(solver == "second moment")] for moments in queue.run().v]
    seconds = _spent() - start
    if solver == "second moment":
        return [float(moment) for moment in answer], seconds
    return [float(arrival * mean) for arrival, mean in zip(arrivals, answer)], seconds


BESIDE = {"utilisation": "busy", "second moment": "time squared"}  # what most-queue says that is no mean number


def cases():
    """Every question put to a package: its name, solver, our name of the policy, the system, and who answers."""
    for solver, policies in LINE.items():
        for policy in policies:
            few = solver in SLOW or policy in EXACTLY_TWO or (solver, policy) == ("MVA", "PPS")
            for system in ("two groups",) if few else ("two groups", "three groups"):
                yield "line-solver", solver, policy, system, lambda a=(solver, policy, system): with_line(*a)
    for solver, policies in ROUTED.items():
        for policy in policies:
            for system in SEVERAL:
                yield "line-solver", solver, policy, system, lambda a=(solver, policy, system): with_line(*a)
    for solver in TOGETHER:
        for system in GRAPHS:
            yield "line-solver", solver, "balanced", system, lambda a=(solver, "balanced", system): with_line(*a)
    for solver, policy in (("formula", "HOL"), ("formula", "PQ"), ("first moment", "PQ")):
        for system in SYSTEMS:
            yield "most-queue", solver, policy, system, lambda a=(solver, policy, system): with_most_queue(*a)
    for solver in BESIDE:
        for policy in ("HOL", "PQ"):
            a = (solver, policy, "two groups")
            yield "most-queue", *a, lambda a=a: with_most_queue(*a)


def timed(policy, system, times=10):
    """Our exact mean numbers, and the seconds that one of several answers took (the clock is coarse)."""
    times = 1 if system in SEVERAL else times
    start = _spent()
    for _ in range(times):
        jobs = ours(policy, system)
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
            (jobs, seconds), (own, own_seconds) = ask(), timed(policy, system)
        for group, theirs in enumerate(jobs, 1):
            measured.append(
                {
                    "package": package, "version": importlib.metadata.version(package), "solver": solver,
                    "policy": policy, "system": system, "group": group,
                    "quantity": BESIDE.get(solver, "mean jobs"), "answer": repr(theirs),
                    "seconds": f"{seconds:.3g}", "own_seconds": f"{own_seconds:.3g}",
                }
            )  # fmt: skip
        if solver in BESIDE:
            continue
        worst = max(abs(theirs / exact - 1) for theirs, exact in zip(jobs, own))
        yield Row(f"{what}: off by {worst:.1e}, {seconds:.3g} s", f"{seconds / own_seconds:,.0f} x")
    if record:
        with open(TABLE, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(measured[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(measured)
