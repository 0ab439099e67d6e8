"""Studies: grids of points, how long to simulate them, and the store of their results."""

from compendium.study.fidelity import FIDELITIES, run_lengths
from compendium.study.points import largest_of_groups, run
from compendium.study.tasks import grid

__all__ = ["FIDELITIES", "grid", "largest_of_groups", "run", "run_lengths"]
