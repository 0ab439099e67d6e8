"""The first call of each simulator on an empty cache of compiled code: CPU seconds, nearly all of it compilation."""

import os
import subprocess
import sys
import tempfile

from benchmarks.timing import Row, at_most

SYSTEMS = {
    "three servers": ("multiserver.simulate(graph, [0.75, 0.75], Exponential(), 1", 4),
    "two of a hundred servers": ("multiserver.simulate(RandomAssignment(100, 2), 80.0, Exponential(), 1", None),
    "one processor, PS": ("uniprocessor.simulate('PS', (0.6, 0.4), (0.2, 0.2), (1, 1), (0, 0)", 4),
    "one processor, FCFS": ("uniprocessor.simulate('FCFS', (0.6, 0.4), (0.2, 0.2), (1, 1), (0, 0)", 4),
    "JSQ": ("dispatch.simulate_central('JSQ', **two", 10),
    "DVP": ("dispatch.simulate_central('DVP', **two", 10),
    "JSQ beside its queue": ("dispatch.simulate_central_beside_queue('JSQ', **two", None),
    "distributed HP": ("dispatch.simulate_distributed('HP', **two, probe_limit=1", 18),
}
PROGRAM = """
import time
from clustershare import dispatch, multiserver, uniprocessor
from clustershare.multiserver import CompatibilityGraph, RandomAssignment
from clustershare.sizes import Exponential
graph = CompatibilityGraph([{{0, 2}}, {{1, 2}}], [1, 1, 1])
two = {{"required_shares": (0.5, 0.5), "loads": (0.3, 0.3), "processors": 2}}
began = time.process_time()
{call}, jumps=1000, warmup=0, replications=2)
print(time.process_time() - began)
"""


def tables():
    """Yield the table with its title; the rates, which it must not cost, are those of the other tables."""
    yield "First calls on an empty cache", [first_call(name, *of) for name, of in SYSTEMS.items()]


def first_call(name, call, most):
    """CPU seconds of the call in a process of its own, without those of imports."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-c", PROGRAM.format(call=call)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    spent = float(done.stdout)
    return Row(name, f"{spent:.1f} s", spent, most and at_most(most))
