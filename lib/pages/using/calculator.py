"""The table behind the calculator of "Your own cluster": its points, and what is read between them."""

import itertools

import numpy as np
import pandas as pd
from scipy.interpolate import PchipInterpolator

from clustershare import dispatch
from clustershare.sizes import Deterministic, Exponential, fitted_hyperexponential
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
LAWS = {  # of sizes, all of mean 1; the last varies as much as those of the page's log
    "exponential": Exponential(),
    "constant": Deterministic(1.0),
    "hyperexponential": fitted_hyperexponential(1.0, 20.0),
}
PARTS = {"exponential": 0.15, "constant": 0.05, "hyperexponential": 0.3}  # of a fidelity's jumps
COARSE = {"processors": (5, 20, 100), "loads": (0.5, 0.7, 0.9, 0.95)}  # where the law is told to matter, or not
CLUSTERS = 90  # drawn at random for the error of a policy: 0.95**90 < 0.01
LONGER = 3  # times as many jumps, for what the table is held against


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


def system(promise, brought, processors, load, policy, law="exponential", local="PS"):
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
        {"promise": promise, "brought": brought, "processors": P, "load": load, "policy": policy, "law": law}
        for law, promise, brought in itertools.product(LAWS, PROMISES, BROUGHT)
        if brought != BROUGHT[2] or len(set(PROMISES[promise])) > 1
        for P in (PROCESSORS if law == "exponential" else COARSE["processors"]) for policy in POLICIES
        for load in (loads_of(promise, brought, policy) if law == "exponential" else COARSE["loads"])
    ]  # fmt: skip


def rows(points, fidelity, longer=1):
    """What was simulated of points: capacity loss, worst deviation, and the larger of their half widths.

    Parameters
    ----------
    points : list of dict
    fidelity : str
    longer : int
        Times as many jumps as the table takes.

    Returns
    -------
    pandas.DataFrame
        The points with columns `loss`, `deviation` and `within`.
    """
    names, tables = list(points[0]), []
    for law in dict.fromkeys(point["law"] for point in points):
        found = study.run(
            "own-cluster", dispatch.simulate_central, [point for point in points if point["law"] == law], system,
            fidelity=fidelity, part=longer * PARTS[law],
        )  # fmt: skip
        loss = found[found["quantity"] == "capacity_loss"].set_index(names)
        worst = study.largest_of_groups(found, "group_share_deviation").set_index(names)
        table = pd.DataFrame({"loss": loss["estimate"], "deviation": worst["estimate"]})
        tables.append(table.assign(within=np.maximum(loss["half_width"], worst["half_width"])))
    return pd.concat(tables).reset_index()


def fresh(seed):
    """Points that are none of the table's: of each policy, as many clusters as `CLUSTERS`, drawn at random.

    Policies that do not keep groups apart are asked between the processors and the loads of the table, the others
    between its loads only: with groups kept apart it matters how many whole processors a promise is, which no number of
    processors tells of another.

    Returns
    -------
    list of dict
    """
    rng = np.random.default_rng(seed)
    kinds = sorted({(point["law"], point["promise"], point["brought"]) for point in grid()})
    found = []
    for apart in (False, True):
        for _ in range(CLUSTERS):
            law, promise, brought = kinds[rng.integers(len(kinds))]
            processors = rng.choice(PROCESSORS) if apart else np.exp(rng.uniform(*np.log([5, 101])))
            load = round(rng.uniform(LOADS[0] if apart else AXIS[0], LOADS[-1]), 6)
            found.extend(
                {"promise": promise, "brought": brought, "processors": int(processors), "load": load, "policy": policy,
                 "law": law}
                for policy in POLICIES if (policy in APART) == apart
            )  # fmt: skip
    return found


def held_against(table, seed, fidelity):
    """How far the table is from `fresh` points, simulated longer: their rows with the larger difference, `off`."""
    found = table.errors(rows(fresh(seed), fidelity, LONGER))
    return found.assign(off=found[["loss off", "deviation off"]].max(axis=1))


def stated(table, fidelity):
    """The error of each policy: the largest difference at the clusters that are drawn first.

    The chance that all of n clusters lie within what only the part q of them keeps is q**n (Wilks, *Determination of
    sample sizes for setting tolerance limits*, Annals of Mathematical Statistics 12, 1941). So with a confidence of
    99 %, at least 95 of 100 clusters that are drawn in the same way lie within the error.

    Returns
    -------
    pandas.Series
        By policy.
    """
    return held_against(table, 1, fidelity).groupby("policy")["off"].max()


def moved_by_laws(rows):
    """The most by which another law of sizes than the exponential moves loss, and deviation, in the table."""
    cells = rows.pivot(index=["promise", "brought", "policy", "processors", "load"], columns="law")
    moved = [cells[name].sub(cells[name]["exponential"], axis=0) for name in ("loss", "deviation")]
    return tuple(float(one.abs().max(axis=None)) for one in moved)


def gpps():
    """Points of the table with GPPS on each processor."""
    return [
        {"promise": "50, 30, 20", "brought": brought, "processors": P, "load": load, "policy": policy,
         "law": "exponential", "local": "GPPS"}
        for brought in BROUGHT for P in (10, 40) for load in (0.7, 0.9) for policy in POLICIES
    ]  # fmt: skip


def between(values, processors, loads, known=LOADS, among=PROCESSORS):
    """Numbers of the table, read between its processors and loads.

    By monotone cubics, in the logarithm of the processors and in the load; at a load of 0 nothing is lost or missed.

    Parameters
    ----------
    values : array_like, shape (len(among), len(known))
    processors, loads : sequence of float
        From 5 to 100, and from 0 to 0.95.
    known, among : sequence of float
        The loads and the processors of the table.

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
    return PchipInterpolator(np.log(among), values, axis=0)(np.log(processors))


def _both_between(cells, *axes):
    return np.stack([between(cells[..., k], *axes) for k in (0, 1)], axis=-1)


class Table:
    """The table, read between its points.

    Parameters
    ----------
    rows : pandas.DataFrame
        Of `rows(grid(), fidelity)`.
    """

    def __init__(self, rows):
        index = ["law", "promise", "brought", "policy", "processors", "load"]
        self._cells = rows.set_index(index)[["loss", "deviation"]].sort_index()

    def read(self, law, promise, brought, policy, processors, loads):
        """Loss and worst deviation, shape (processors, loads, 2); of groups kept apart nan but near computed ones.

        By what law the sizes are changes little, so that fewer points tell the difference from the exponential law.
        """
        if brought == BROUGHT[2] and len(set(PROMISES[promise])) == 1:
            brought = BROUGHT[1]
        case, known = (promise, brought, policy), loads_of(promise, brought, policy)
        cells = self._cells.loc["exponential", *case].to_numpy().reshape(len(PROCESSORS), len(known), 2)
        found = _both_between(cells, processors, loads, known, PROCESSORS)
        if law != "exponential":
            among, coarse = COARSE["processors"], COARSE["loads"]
            cells = cells[np.ix_(np.isin(PROCESSORS, among), np.isin(known, coarse))]
            other = self._cells.loc[law, *case].to_numpy().reshape(cells.shape)
            found += _both_between(other - cells, processors, loads, coarse, among)
        if policy in APART:
            found[~np.isin(processors, PROCESSORS)] = np.nan
            found[:, np.array(loads) < LOADS[0]] = np.nan
        return found

    def errors(self, rows):
        """How far the table is from points of its own or others: their rows with both differences."""
        read = np.array([
            self.read(row.law, row.promise, row.brought, row.policy, [row.processors], [row.load])[0, 0]
            for row in rows.itertuples()
        ])  # fmt: skip
        return rows.assign(
            **{"loss off": abs(rows["loss"] - read[:, 0]), "deviation off": abs(rows["deviation"] - read[:, 1])}
        )

    def grids(self):
        """Loss and worst deviation by policy, shape (laws, promises, brought, STEPS, AXIS, 2)."""
        return {
            policy: np.array([
                [[self.read(law, promise, brought, policy, STEPS, AXIS) for brought in BROUGHT] for promise in PROMISES]
                for law in LAWS
            ]) for policy in POLICIES
        }  # fmt: skip
