"""The table behind the calculator of "Your own cluster": its points, and what is read between them."""

import itertools

import numpy as np
import pandas as pd
from scipy.interpolate import PchipInterpolator

from clustershare import dispatch
from clustershare.sizes import Exponential, bimodal_hyperexponential
from compendium import study

POLICIES = ("JSQ", "HP", "SVP", "DVP", "SPILL")
APART = ("SVP", "DVP")  # keep the groups apart
PROMISES = {
    "50, 50": (0.5, 0.5), "70, 30": (0.7, 0.3), "90, 10": (0.9, 0.1), "33, 33, 33": (1 / 3, 1 / 3, 1 / 3),
    "50, 30, 20": (0.5, 0.3, 0.2), "80, 10, 10": (0.8, 0.1, 0.1),
}  # fmt: skip
BROUGHT = ("each its part", "the first, twice its part", "the last, twice its part")
PROCESSORS, LOADS = (5, 10, 20, 40, 100), (0.5, 0.7, 0.8, 0.85, 0.9, 0.95)
FINER = tuple(sorted({*LOADS, 0.55, 0.6, 0.65}))  # where a group that is kept apart begins to bring too much
STEPS = (5, 6, 8, 10, 12, 16, 20, 25, 32, 40, 50, 64, 80, 100)  # of the page's slider
AXIS = tuple(round(0.05 * number, 12) for number in range(1, 20))  # loads of the page
PART = 0.15  # of a fidelity's jumps
LAWS = {"exponential": Exponential(), "hyperexponential": bimodal_hyperexponential()}  # variances 1 and 7.4


def split(promise, brought, load):
    """What each group brings of a total load: in proportion to its promise, but for one that brings twice that.

    Examples
    --------
    >>> split((0.5, 0.3, 0.2), "the last, twice its part", 0.6)
    (0.25, 0.15, 0.2)
    """
    weights = np.array(promise)
    if brought != BROUGHT[0]:
        weights[0 if brought == BROUGHT[1] else -1] *= 2
    return tuple(np.round(load * weights / weights.sum(), 12).tolist())


def system(promise, brought, processors, load, policy, local="PS", law="exponential"):
    """A cell of the table as arguments of `clustershare.dispatch.simulate_central`."""
    shares = PROMISES[promise]
    given = {
        "policy": policy, "local": local, "required_shares": shares, "loads": split(shares, brought, load),
        "processors": processors,
    }  # fmt: skip
    return given if law == "exponential" else {**given, "sizes": LAWS[law]}


def loads_of(promise, brought, policy):
    """The loads of the table. Where groups are kept apart, one is that at which a group brings all it was promised.

    Examples
    --------
    >>> loads_of("50, 50", BROUGHT[1], "JSQ"), 0.75 in loads_of("50, 50", BROUGHT[1], "SVP")
    ((0.5, 0.7, 0.8, 0.85, 0.9, 0.95), True)
    """
    if policy not in APART:
        return LOADS
    shares = PROMISES[promise]
    full = min(round(share / own, 6) for share, own in zip(shares, split(shares, brought, 1.0)))
    return tuple(sorted({*FINER, full} if LOADS[0] < full < LOADS[-1] else FINER))


def grid():
    """The points of the table. With equal promises it does not matter which group brings twice its part."""
    return [
        {"promise": promise, "brought": brought, "processors": P, "load": load, "policy": policy}
        for promise, brought in itertools.product(PROMISES, BROUGHT)
        if brought != BROUGHT[2] or len(set(PROMISES[promise])) > 1
        for P in PROCESSORS for policy in POLICIES for load in loads_of(promise, brought, policy)
    ]  # fmt: skip


def rows(points, fidelity):
    """What was simulated of points: capacity loss, worst deviation, and the larger of their half widths.

    Returns
    -------
    pandas.DataFrame
        The points with columns `loss`, `deviation` and `within`.
    """
    found = study.run("own-cluster", dispatch.simulate_central, points, system, fidelity=fidelity, part=PART)
    names = list(points[0])
    loss = found[found["quantity"] == "capacity_loss"].set_index(names)
    worst = study.largest_of_groups(found, "group_share_deviation").set_index(names)
    table = pd.DataFrame({"loss": loss["estimate"], "deviation": worst["estimate"]})
    table["within"] = np.maximum(loss["half_width"], worst["half_width"])
    return table.reset_index()


def fresh(seed=1):
    """Points that are none of the table's, of policies that do not keep groups apart and of those that do.

    The former lie between the processors and the loads of the table, the latter between its loads only: with groups
    kept apart it matters how many whole processors a promise is, which no number of processors tells of another.

    Returns
    -------
    tuple of list of dict
    """
    rng = np.random.default_rng(seed)
    asked = [(point["promise"], point["brought"]) for point in grid()]
    found = [], []
    for number in range(80):
        promise, brought = asked[rng.integers(len(asked))]
        processors = int(np.exp(rng.uniform(*np.log([5, 101]))))
        apart = number >= 40
        load = round(rng.uniform(LOADS[0] if apart else 0.1, LOADS[-1]), 3)
        if apart:
            processors = int(PROCESSORS[rng.integers(len(PROCESSORS))])
        found[apart].extend(
            {"promise": promise, "brought": brought, "processors": processors, "load": load, "policy": policy}
            for policy in POLICIES if (policy in APART) == apart
        )  # fmt: skip
    return found


def others():
    """Points of the table with other sizes, and with GPPS on each processor."""
    kinds = {
        "as in the table": ("PS", "exponential"),
        "sizes": ("PS", "hyperexponential"),
        "GPPS": ("GPPS", "exponential"),
    }
    return {
        kind: [
            {"promise": "50, 30, 20", "brought": brought, "processors": P, "load": load, "policy": policy,
             "local": local, "law": law}
            for brought in BROUGHT for P in (10, 40) for load in (0.7, 0.9) for policy in POLICIES
        ] for kind, (local, law) in kinds.items()
    }  # fmt: skip


def between(values, processors, loads, known=LOADS):
    """Numbers of the table, read between its processors and loads.

    By monotone cubics, in the logarithm of the processors and in the load; at a load of 0 nothing is lost or missed.

    Parameters
    ----------
    values : array_like, shape (len(PROCESSORS), len(known))
    processors, loads : sequence of float
        From 5 to 100, and from 0 to 0.95.
    known : sequence of float
        The loads of the table.

    Returns
    -------
    ndarray, shape (len(processors), len(loads))

    Examples
    --------
    >>> between(np.tile([0.1, 0.2, 0.3, 0.3, 0.2, 0.1], (5, 1)), [5, 64], [0.0, 0.7])
    array([[0. , 0.2],
           [0. , 0.2]])
    """
    values = np.asarray(values, dtype=float)
    values = PchipInterpolator((0.0, *known), np.column_stack([np.zeros(len(values)), values]), axis=1)(loads)
    return PchipInterpolator(np.log(PROCESSORS), values, axis=0)(np.log(processors))


class Table:
    """The table, read between its points.

    Parameters
    ----------
    rows : pandas.DataFrame
        Of `rows(grid(), fidelity)`.
    """

    def __init__(self, rows):
        index = ["promise", "brought", "policy", "processors", "load"]
        self._cells = rows.set_index(index)[["loss", "deviation"]].sort_index()

    def read(self, promise, brought, policy, processors, loads):
        """Loss and worst deviation, shape (processors, loads, 2); of groups kept apart nan but near computed ones."""
        if brought == BROUGHT[2] and len(set(PROMISES[promise])) == 1:
            brought = BROUGHT[1]
        known = loads_of(promise, brought, policy)
        cells = self._cells.loc[promise, brought, policy].to_numpy().reshape(len(PROCESSORS), len(known), 2)
        found = np.stack([between(cells[..., k], processors, loads, known) for k in (0, 1)], axis=-1)
        if policy in APART:
            found[~np.isin(processors, PROCESSORS)] = np.nan
            found[:, np.array(loads) < LOADS[0]] = np.nan
        return found

    def errors(self, rows):
        """How far the table is from points of its own or others: their rows with both differences."""
        read = np.array([
            self.read(row.promise, row.brought, row.policy, [row.processors], [row.load])[0, 0]
            for row in rows.itertuples()
        ])  # fmt: skip
        return rows.assign(
            **{"loss off": abs(rows["loss"] - read[:, 0]), "deviation off": abs(rows["deviation"] - read[:, 1])}
        )

    def grids(self):
        """Loss and worst deviation by policy, shape (promises, brought, STEPS, AXIS, 2)."""
        return {
            policy: np.array([
                [self.read(promise, brought, policy, STEPS, AXIS) for brought in BROUGHT] for promise in PROMISES
            ]) for policy in POLICIES
        }  # fmt: skip
