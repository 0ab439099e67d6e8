"""The systems that outside witnesses are asked about, and a computation that decides where they differ from us."""

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as spla

# Required shares, arrival rates, service rates.
SYSTEMS = {
    "two groups": ((0.75, 0.25), (0.3, 0.2), (1.0, 0.8)),
    "three groups": ((0.5, 0.3, 0.2), (0.2, 0.15, 0.1), (1.0, 0.8, 0.5)),
    "high load": ((0.75, 0.25), (0.45, 0.5), (1.0, 1.0)),
}


def by_definition(policy, system, most=(40, 500)):
    """Mean jobs of two groups under PQ or HOL; group 1 is in front."""
    _, arrivals, services = SYSTEMS[system]
    shape = (
        most[0] + 1,
        most[1] + 1,
        2,
    )  # jobs of each group, and the group in service
    states = np.indices(shape).reshape(3, -1)
    rows, columns, rates = [], [], []
    for group in (0, 1):
        for step, rate in ((1, arrivals[group]), (-1, services[group])):
            after = states.copy()
            after[group] += step
            possible = (after[group] >= 0) & (after[group] <= most[group])
            if step < 0:
                possible &= states[2] == group
            chosen = (
                policy == "PQ" or step < 0 or (states[:2] == 0).all(axis=0)
            )  # else HOL goes on as it was
            after[2] = np.where(chosen, after[0] == 0, states[2])
            rows.append(np.flatnonzero(possible))
            columns.append(np.ravel_multi_index(after[:, possible], shape))
            rates.append(np.full(possible.sum(), rate))
    size = states.shape[1]
    flows = sp.csr_array(
        (
            np.concatenate(rates),
            (np.concatenate(rows), np.concatenate(columns)),
        ),
        shape=(size, size),
    )
    empty = np.ravel_multi_index((0, 0, 1), shape)
    reached = np.sort(
        sp.csgraph.breadth_first_order(
            flows, empty, return_predecessors=False
        )
    )
    flows = flows[reached][:, reached]
    balance = sp.csc_array((flows - sp.diags_array(flows.sum(axis=1))).T)
    others = spla.spsolve(
        balance[1:, 1:], -balance[1:, [0]].toarray().ravel()
    )
    law = np.append(1.0, others) / (1 + others.sum())
    return states[:2, reached] @ law
