"""Names for what public functions take and give, for annotations."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from clustershare.estimates import Estimate

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
FloatOrArray: TypeAlias = float | FloatArray
BoolOrArray: TypeAlias = bool | BoolArray
Numbers: TypeAlias = Sequence[float] | FloatArray | IntArray  # one for each group, class or processor
Integers: TypeAlias = Sequence[int] | IntArray
Matrix: TypeAlias = Sequence[Sequence[float]] | FloatArray
Quantity: TypeAlias = "float | FloatArray | Estimate"  # exact, or simulated
Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"
Written: TypeAlias = dict[str, Any]  # an object of JSON, of whose entries each reader knows the kind
