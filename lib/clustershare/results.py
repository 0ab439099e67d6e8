"""What every answer says of itself, and the type of "there is no exact answer"."""

import math
from dataclasses import dataclass, fields

import numpy as np

from clustershare.arguments import shortened


class NoExactAnswer(Exception):  # noqa: N818 - it is no error: the arguments are good, and `simulate` answers
    """No exact method of this library reaches the system asked for, though its arguments are good."""

    def __init__(self, message):
        super().__init__(shortened(message))


def same(one, other):
    """Whether two answers are of one kind and hold the same; arrays entry by entry, a nan equals a nan.

    Examples
    --------
    >>> same((1, np.array([2.0, np.nan])), (1, np.array([2.0, np.nan])))
    True
    """
    if type(one) is not type(other):
        return False
    if hasattr(one, "__dataclass_fields__"):
        return all(same(getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray):
        return one.shape == other.shape and bool(np.all((one == other) | (one != one) & (other != other)))
    return bool(one == other or one != one and other != other)


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

    def __init_subclass__(cls):
        # A dataclass writes these itself unless they are there; its comparison asks whether arrays are true.
        cls.__eq__, cls.__hash__, cls.__repr__ = Result.__eq__, Result.__hash__, Result.__repr__

    def __eq__(self, other):
        return same(self, other)

    def __hash__(self):
        return hash((type(self), self.method))

    def __repr__(self):
        """As all dataclasses are shown, with the warning if there is one."""
        shown = [f"{field.name}={getattr(self, field.name)!r}" for field in fields(self) if field.repr]
        shown += [f"warning={self.warning!r}"] if self.warning else []
        return f"{type(self).__qualname__}({', '.join(shown)})"

    @property
    def warning(self):
        """Why simulated intervals may hold too rarely, in a sentence; None where nothing is known against them."""
        return vars(self).get("_warning")

    @property
    def run_length(self):
        """The `clustershare.run_length.RunLength` that gives it again, of a simulation; None otherwise."""
        return vars(self).get("_run")

    @property
    def warmup_diagnosis(self):
        """What ``warmup="auto"`` found, a `clustershare.truncation.WarmUp`; None where the warm-up was given."""
        return vars(self).get("_warm_up")
