"""What every answer says of itself, and the type of "there is no exact answer"."""

import math
from dataclasses import dataclass


class NoExactAnswer(Exception):  # noqa: N818 - it is no error: the arguments are good, and `simulate` answers
    """No exact method of this library reaches the system asked for, though its arguments are good."""


@dataclass(frozen=True, kw_only=True)
class Result:
    """What all results have: how they were found, and how far off they may be.

    Attributes
    ----------
    method : str
        "formula", "recursion", "chain" or "simulation".
    error : float
        How far off the quantities may be, apart from rounding: 0 for a formula or a recursion; the error of
        truncating and solving a chain; nan for a simulation, each of whose quantities is an `Estimate` with its own
        half width.
    """

    method: str
    error: float = 0.0

    def __post_init__(self):
        if self.method == "simulation":
            object.__setattr__(self, "error", math.nan)
