"""Round robins on one processor, simulated quantum by quantum and stored with their page."""

import functools
import math

from clustershare import interruptions
from clustershare.multiserver import CompatibilityGraph
from clustershare.sizes import Deterministic, Exponential, Hyperexponential
from compendium import study

LOADS = (0.3, 0.5, 0.7, 0.9, 0.95)
QUANTA = (1.0, 0.1, 0.01)  # in mean service times
LIGHT = (1 + math.sqrt(3 / 5)) / 2  # of two phases that bring the same load
LAWS = {
    "deterministic": Deterministic(1.0),
    "exponential": Exponential(1.0),
    "hyperexponential": Hyperexponential(means=(0.5 / LIGHT, 0.5 / (1 - LIGHT)), probabilities=(LIGHT, 1 - LIGHT)),
}
VARIATION = {"deterministic": 0.0, "exponential": 1.0, "hyperexponential": 4.0}  # squared coefficients


def arguments(law, load, quantum):
    """Of `clustershare.interruptions.simulate`."""
    return {
        "graph": CompatibilityGraph([{0}], [1.0]),
        "arrival_rates": (load,),
        "sizes": LAWS[law],
        "interruptions": 1 / quantum,
        "rule": "quantum",
    }


def points(fidelity="book"):
    """The stored rows of all laws, loads and quanta."""
    grid = study.grid(law=list(LAWS), load=list(LOADS), quantum=list(QUANTA))
    return study.run("quanta", interruptions.simulate, grid, arguments, fidelity=fidelity)


@functools.cache
def simulated():
    """Mean response times and half widths by law, load and quantum."""
    rows = points()
    rows = rows[rows["quantity"] == "mean_jobs"]
    return {
        (row.law, row.load, row.quantum): (row.estimate / row.load, row.half_width / row.load)
        for row in rows.itertuples()
    }
