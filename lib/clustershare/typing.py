"""Names for what public functions take and give, for annotations."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from clustershare.arrivals import Bursts, Process
    from clustershare.estimates import Estimate
    from clustershare.sizes import JobSize

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
FloatOrArray: TypeAlias = float | FloatArray
BoolOrArray: TypeAlias = bool | BoolArray
Numbers: TypeAlias = Sequence[float] | FloatArray | IntArray  # one for each group, class or processor
Integers: TypeAlias = Sequence[int] | IntArray
FloatsOrFractions: TypeAlias = Sequence[float | Fraction] | FloatArray  # fractions give an exact answer
Matrix: TypeAlias = Sequence[Sequence[float]] | FloatArray
Quantity: TypeAlias = "float | FloatArray | Estimate"  # exact, or simulated
Arrivals: TypeAlias = "Process | Bursts | JobSize | None"  # of all jobs; None is Poisson
Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"
Written: TypeAlias = dict[str, Any]  # an object of JSON, of whose entries each reader knows the kind
Sparse: TypeAlias = Any  # of scipy.sparse, which is not annotated


class Run(TypedDict, total=False):
    """The keyword-only arguments of every simulator, see `clustershare.run_length.RunLength`."""

    jumps: int
    warmup: int | Literal["auto"]
    replications: int
    seed: int | np.random.SeedSequence
    until: Mapping[str, float | str]
    seconds: float
    progress: bool
