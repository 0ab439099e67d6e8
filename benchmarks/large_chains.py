"""Where the solver of the cluster chain ends: up to a thousand million states, and what the time and the memory go to.

``python -m benchmarks large_chains --record`` writes what the page on large clouds shows, with the largest chain, which
takes minutes and some gibibytes. Every chain is solved in a process of its own, so that its largest memory is seen.
"""

import cProfile
import csv
import functools
import json
import pstats
import re
import resource
import subprocess
import sys
import time

from benchmarks.timing import Row, below
from clustershare.cluster_chain import ServiceCluster, uniform_sizes
from clustershare.cluster_chain import solver as solving
from compendium import places

TABLE = places.DATA / "large_chains.csv"
SERVERS = (30, 35, 40, 45)  # the last one only where it is recorded
LIMIT = 2**34  # bytes


def tables(record=False):
    """Yield the one table; `record` keeps it in the data folder, with the largest chain."""
    yield "Where the solver ends: uniform sizes up to N = T, C = N - 1", rows(record)


def chain(servers):
    """The cluster of Figure 7 with uniform sizes, for any number of servers, and with a queue that grows with it."""
    return ServiceCluster(servers, servers - 1, uniform_sizes(servers), 30, 100, 10)


def counted(model):
    """The bytes that the solver says it needs, before it builds anything."""
    try:
        model.solve(memory_limit=0)
    except ValueError as error:
        return float(re.search(r"least (\S+) GiB", str(error))[1])


def measure(servers):
    """Solve one chain: its size, its cost by parts, and its answers. In a process that does nothing else."""
    model = chain(servers)
    chain(4).solve()  # compiled
    profile = cProfile.Profile(time.process_time)
    found = profile.runcall(functools.partial(model.solve, memory_limit=LIMIT))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**30 if sys.platform == "darwin" else 2**20)
    spent = {
        function: cumulative
        for (file, _, function), (_, _, _, cumulative, _) in pstats.Stats(profile).stats.items()
        if file == solving.__file__
    }
    parts = {"lattice": spent["__init__"], "passes": spent["sweep"], "checks": spent["_measured"]}
    parts["algebra"] = spent["solve"] - sum(parts.values())
    above = model.lattice()
    return {
        "servers": servers, "queue_capacity": model.queue_capacity, "states": model.states,
        "cluster_vectors": len(above.fits), "slots": len(above.larger),
        "gibibytes": f"{peak:.3g}", "counted": f"{counted(model):.3g}",
        "seconds": f"{spent['solve']:.3g}", **{name: f"{part:.3g}" for name, part in parts.items()},
        "sweeps": found.sweeps, "residual": f"{found.residual:.1e}", "flow_error": f"{found.flow_error:.1e}",
        "little_error": f"{found.little_error:.1e}", "blocking": f"{found.blocking:.12g}",
        "mean_queue": f"{found.mean_queue:.12g}", "utilisation": f"{found.utilisation:.12g}",
    }  # fmt: skip


def rows(record=False):
    """Yield a row for each chain; those of the largest one count when they are recorded."""
    measured = []
    for servers in SERVERS if record else SERVERS[:-1]:
        command = [sys.executable, "-m", "benchmarks.large_chains", str(servers)]
        done = subprocess.run(command, cwd=places.ROOT, capture_output=True, text=True, check=True)
        one = json.loads(done.stdout)
        measured.append(one)
        what = ", ".join(f"{name} {one[name]}" for name in ("states", "seconds", "gibibytes", "sweeps"))
        error = max(float(one[name]) for name in ("residual", "flow_error", "little_error"))
        yield Row(f"N = {servers}: {what}", f"{error:.1e}", error, below(1e-10))
    if record:
        with open(TABLE, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(measured[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(measured)


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]))))
