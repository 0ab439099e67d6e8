"""How often intervals hold that were simulated until they were narrow enough: 100 runs each, against what is known.

``python -m benchmarks until`` takes about ten minutes of processor time.
"""

import numpy as np

from benchmarks import coverage
from benchmarks.timing import Row, at_least, at_most
from clustershare import uniprocessor

LOADS = (0.5, 0.8, 0.95)
HELD = 90  # of 100, at least


def _shared(load):
    """Two groups on one processor that all jobs share."""
    return {"policy": "PS", "required_shares": (0.5, 0.5), "arrival_rates": coverage.halves(load)}


def _shared_exactly(load):
    return {"mean_jobs": load / (1 - load) / 2}


SHARED = coverage.Case(uniprocessor.simulate, _shared, _shared_exactly, {})
# What is simulated, and the half width asked for. What a cluster loses at a load of 0.5 is too rare to be seen.
CASES = {
    "one processor, FCFS": (coverage.CASES["one processor"], {"mean_jobs": "5%"}),
    "one processor, PS": (SHARED, {"mean_jobs": "5%"}),
    "shorter of two": (coverage.CASES["shorter of two"], {"mean_jobs": "5%"}),
    "shorter of two, its loss": (coverage.CASES["shorter of two"], {"capacity_loss": "3%"}),
    "cluster": (coverage.CASES["cluster"], {"mean_queue": "5%"}),
    "cluster, both": (coverage.CASES["cluster"], {"mean_queue": 0.1, "blocking": 0.005}),
}


def tables():
    """Yield the one table."""
    yield f"Intervals of 95 % that hold, of {coverage.RUNS} that are narrow enough", rows()


def rows(cases=CASES, loads=LOADS, runs=coverage.RUNS):
    """Yield for each case and load how many intervals hold, and the events that all replications of a run took."""
    for name, (case, until) in cases.items():
        for load in loads:
            if name == "cluster, both" and load < 0.8:
                continue
            held, wide, events = measure(case, until, load, runs)
            what = f"{name}, load {load:g}"
            for quantity, count in held.items():
                yield Row(f"{what}: {quantity}", f"{count} of {runs}", 100 * count / runs, at_least(HELD))
            yield Row(f"{what}: wider than asked for", str(wide), wide, at_most(0))
            yield Row(f"{what}: events of a run", f"{events:.3g}")


def measure(case, until, load, runs):
    """By quantity how many intervals hold, how many runs are not narrow enough, and the events of one on average."""
    known, held, wide, events = case.known(load), dict.fromkeys(until, 0), 0, 0.0
    for seed in np.random.SeedSequence(coverage.SEED, spawn_key=(round(1000 * load),)).spawn(runs):
        result = case.simulate(**case.arguments(load), until=until, seed=seed)
        for quantity in until:
            value, half_width = coverage._of(getattr(result, quantity), "value", "half_width")
            held[quantity] += bool(abs(value - known[quantity]) <= half_width)
        wide += "until" in (result.warning or "")
        events += result.run_length.replications * result.run_length.jumps / runs
    return held, wide, events
