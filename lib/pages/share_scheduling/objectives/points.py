"""Round robins on one processor, simulated quantum by quantum and stored with their page."""

import functools
import itertools
import math

import numpy as np

from clustershare import interruptions
from clustershare.multiserver import CompatibilityGraph
from clustershare.sizes import Deterministic, Exponential, Hyperexponential
from compendium import study
from compendium.press.clauses import measured

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
def response_times():
    """Mean response times by law, load and quantum."""
    rows = points()
    rows = rows[rows["quantity"] == "mean_jobs"].set_index(["law", "load", "quantum"])
    rows = rows.loc[list(itertools.product(LAWS, LOADS, QUANTA))]
    shape, loads = (len(LAWS), len(LOADS), len(QUANTA)), np.array(LOADS)[:, None]
    value, half = (rows[column].to_numpy(float).reshape(shape) / loads for column in ("estimate", "half_width"))
    return measured(value, half, law=LAWS, load=LOADS, quantum=QUANTA)
