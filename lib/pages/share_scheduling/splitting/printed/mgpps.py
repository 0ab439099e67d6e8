"""The procedure of MGPPS (`thesis`, Figure 4.4), line by line as printed."""

from typing import NamedTuple

import numpy as np


class Step(NamedTuple):
    """What the procedure of Figure 4.4 holds after its inner loop: M, B, and what it gave in this round."""

    left: np.ndarray
    given: float
    parts: np.ndarray
    step: float


def procedure(shares, jobs, processors, limited=True):
    """The weights of MGPPS line by line as printed (`thesis`, Figure 4.4), and all rounds of its inner loop.

    Parameters
    ----------
    shares, jobs : ndarray, shape (groups,)
    processors : int
    limited : bool
        Whether line 16 stands: no more than is left of the processor.

    Returns
    -------
    weights : ndarray, shape (groups, processors)
    steps : list of Step
    """
    M, w, steps = jobs.astype(float), np.zeros((len(shares), processors)), []
    for p in range(processors):
        B = 0.0
        while B < 1 - 1e-14:  # what rounding leaves is nothing
            active = M > 1e-14
            if not active.any():
                return w, steps
            total = shares[active].sum()
            b = (M[active] * total / shares[active]).min()
            b = min(b, 1 - B) if limited else b
            parts = np.where(active, shares * b / total, 0)
            w[:, p] += parts
            M = M - parts
            B += b
            steps.append(Step(M, B, parts, b))
    return w, steps
