"""Studies: grids of points, the results store, claims, figures, and executing the book."""

from clustershare.study.fidelity import FIDELITIES, run_lengths
from clustershare.study.figures import axes, line, points, publish, series
from clustershare.study.tasks import grid
from clustershare.study.runs import largest, run, table

__all__ = [
    "FIDELITIES",
    "axes",
    "grid",
    "largest",
    "line",
    "points",
    "publish",
    "run",
    "run_lengths",
    "series",
    "table",
]
