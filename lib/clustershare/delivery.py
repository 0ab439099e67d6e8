"""Which shares can be delivered to all groups at once: a linear program decides (`thesis`, Sections 2.3 and 2.4).

The unknowns are the fractions of time w_jp that job j spends on processor p (2.17)-(2.19). With free migration they are
bound by nothing else; without it, each job has one processor.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from clustershare.arguments import fail, integer, number, truth, vector
from clustershare.results import same
from clustershare.shares import sorted_capacities
from clustershare.typing import Integers, Numbers

TOLERANCE = 1e-6  # of HiGHS, where unknowns are whole numbers


@dataclass(frozen=True)
class Delivery:
    """The best that can be done for the group that is furthest below its target.

    Attributes
    ----------
    margin : float
        The smallest obtained share minus its target, made as large as possible.
    weights : ndarray, shape (jobs, processors)
        Fractions of time that do it.
    """

    margin: float
    weights: np.ndarray

    def __eq__(self, other):
        return same(self, other)

    @property
    def feasible(self) -> bool:
        """Whether every group obtains its target."""
        return self.margin >= -TOLERANCE


def deliver(
    targets: Numbers, group_of_job: Integers, capacities: Numbers, *, migration: bool = True,
    placement: Integers | None = None, lossless: bool = False,
) -> Delivery:  # fmt: skip
    """Serve the jobs such that the groups obtain target shares, as nearly as can be.

    Parameters
    ----------
    targets : sequence of float
        A share in [0, 1] for each group.
    group_of_job : sequence of int
        The group of each job that is present, counted from 0.
    capacities : sequence of float
        Of the processors, in descending order.
    migration : bool
        Whether a job may be served by several processors in turn. Without, the best placement is sought as well, by
        branch and bound over the same program.
    placement : sequence of int, optional
        The processor of each job, counted from 0, where it stands already.
    lossless : bool
        Whether all that the jobs can obtain must be used (`thesis`, Section 2.5).

    Returns
    -------
    Delivery

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    Two jobs that need 0.375 each, on processors that are a half and a quarter of the whole (Section 2.4.3, case 3):

    >>> deliver([0.375, 0.375, 0.25], [0, 1, 2], [2, 1, 1]).feasible
    True
    >>> deliver([0.375, 0.375, 0.25], [0, 1, 2], [2, 1, 1], migration=False).feasible
    False
    """
    wanted = vector("targets", targets, lambda name, value: number(name, value, 0, 1))
    speeds = sorted_capacities("capacities", capacities)
    migration, lossless = truth("migration", migration), truth("lossless", lossless)
    if not isinstance(group_of_job, (list, tuple, range, np.ndarray)):
        fail("group_of_job", group_of_job, "a sequence, which may be empty")
    groups = [integer(f"group_of_job[{j}]", group, 0, len(wanted) - 1) for j, group in enumerate(group_of_job)]
    jobs, processors = len(groups), len(speeds)
    if jobs == 0:
        return Delivery(-max(wanted), np.zeros((0, processors)))
    if placement is not None:
        vector("placement", placement, lambda name, value: integer(name, value, 0, processors - 1), jobs)
    # Unknowns: the weights, row by row, and last the margin, which is maximised.
    size = jobs * processors
    shares = speeds / speeds.sum()
    each_job = np.kron(np.eye(jobs), np.ones(processors))
    each_processor = np.kron(np.ones(jobs), np.eye(processors))
    each_group = np.zeros((len(wanted), size))
    for j, group in enumerate(groups):
        each_group[group, j * processors : (j + 1) * processors] = -shares
    above = np.column_stack([np.vstack([each_job, each_processor]), np.zeros(jobs + processors)])
    rows = np.vstack([above, np.column_stack([each_group, np.ones(len(wanted))])])
    right = np.concatenate([np.ones(jobs + processors), -np.array(wanted)])
    if lossless:
        rows = np.vstack([rows, np.append(-np.tile(shares, jobs), 0)])
        right = np.append(right, -shares[: min(jobs, processors)].sum())
    bounds = [(0, 1)] * size + [(-1, 1)]
    integrality = None
    if placement is not None:
        for j, processor in enumerate(placement):
            for p in range(processors):
                bounds[j * processors + p] = (0, int(p == processor))
    elif not migration:
        # As many unknowns again, whole numbers: whether the job stands there. It is served nowhere else.
        rows = np.block([[rows, np.zeros((len(rows), size))], [np.eye(size), np.zeros((size, 1)), -np.eye(size)],
                         [np.zeros((jobs, size + 1)), each_job]])  # fmt: skip
        right = np.concatenate([right, np.zeros(size), np.ones(jobs)])
        bounds += [(0, 1)] * size
        integrality = [0] * (size + 1) + [1] * size
    cost = np.zeros(rows.shape[1])
    cost[size] = -1
    options = {} if integrality is None else {"mip_rel_gap": 0}
    solved = linprog(
        cost, A_ub=rows, b_ub=right, bounds=bounds, integrality=integrality, method="highs", options=options
    )
    if solved.status != 0:
        fail("targets", targets, f"such that HiGHS finds an answer (it says: {solved.message})")
    return Delivery(float(solved.x[size]), solved.x[:size].reshape(jobs, processors))
