"""The marks of all policies on the plane: one table a system, from stored points where no formula or chain answers."""

import numpy as np
import pandas as pd

from clustershare import uniprocessor
from clustershare.arguments import UnstableError
from pages.across import systems
from pages.across.points import exact, measures

ONE, SEVERAL = "one processor at a time", "several servers at once"
COLUMNS = ["kind", "policy", "deviation", "within", "loss", "sensitivity", "sensitivity_within", "known"]


def _of(rows, quantity, columns="law"):
    """Estimates and half widths of a quantity, each of shape (laws, groups)."""
    rows = rows[rows["quantity"] == quantity]
    tables = [rows.pivot_table(part, columns, "index", sort=False).to_numpy() for part in ("estimate", "half_width")]
    return tables


def _sensitivity(rows):
    return measures.sensitivity(*_of(rows, "mean_jobs"))


def one_at_a_time(rows, one_processor, processors, load):
    """Policies whose jobs run on one processor at a time.

    Parameters
    ----------
    rows, one_processor : pandas.DataFrame
        Of `systems.central` and `systems.one_processor`.
    processors : int
    load : float

    Returns
    -------
    pandas.DataFrame
        Columns `COLUMNS`; nan where a group has no mean.
    """
    found = []
    here = rows[(rows["processors"] == processors) & (rows["load"] == load)]
    for (policy, local, migration), points in here.groupby(["policy", "local", "migration"], sort=False):
        (deviation, *_), (within, *_) = _of(points, "group_share_deviation")
        (loss, *_), _ = _of(points, "capacity_loss")
        g, moved = int(np.argmax(deviation)), _sensitivity(points)
        if measures.grows(_of(points, "growth")[0], systems.loads_of(load)):
            moved = (np.nan, np.nan)
        known, entry = "simulation", (deviation[g], within[g], loss[0])
        if migration:
            answer = exact.migrating(processors, load)
            known, entry = "formula", (answer.group_share_deviation.max(), 0.0, answer.capacity_loss)
        found.append((ONE, f"{policy} {local}{', migrating' if migration else ''}", *entry, *moved, known))
    for policy, answer in exact.random_splitting(processors, load).items():
        moved = (0.0, 0.0)
        if not np.isfinite(answer.mean_jobs).all():
            moved = (np.nan, np.nan)
        elif policy.endswith("GPPS"):  # each processor is one under GPPS
            moved = _pooled_sensitivity(one_processor, "GPPS", load)
        entry = answer.group_share_deviation.max(), 0.0, answer.capacity_loss
        found.append((ONE, policy, *entry, *moved, answer.method))
    return pd.DataFrame([*found, _mgpps(processors, load)], columns=COLUMNS)


def _mgpps(processors, load):
    """Of two laws only, where the chain of the second reaches: at least as sensitive as that."""
    exponential, hyper = (exact.mgpps(processors, systems.LAWS[law], load) for law in list(systems.LAWS)[:2])
    moved = (np.nan, np.nan)
    if hyper is not None:
        moved = measures.sensitivity(np.array([exponential[1], hyper[1]]), np.zeros((2, 2)))
    return (ONE, "MGPPS", exponential[0].max(), 0.0, 0.0, *moved, "chain")


def _pooled_sensitivity(rows, policy, load):
    return _sensitivity(rows[(rows["policy"] == policy) & (rows["load"] == load)])


def several_at_once(one_processor, own, whole, processors, load):
    """Policies under which all servers of a job serve it at once.

    Parameters
    ----------
    one_processor : pandas.DataFrame
        Of `systems.one_processor`.
    own, whole : pandas.DataFrame
        Of `systems.algorithm`, for both graphs.
    processors, load
        As for `one_at_a_time`.

    Returns
    -------
    pandas.DataFrame
        Columns `COLUMNS`.
    """
    found = []
    for policy in uniprocessor.POLICIES:
        deviation = exact.pooled(policy, load).max()
        moved = (0.0, 0.0) if policy == "PS" else _pooled_sensitivity(one_processor, policy, load)
        found.append((SEVERAL, policy, deviation, 0.0, 0.0, *moved, "formula or chain"))
    for name, rows in (("all", whole), ("own", own)):
        here = rows[(rows["processors"] == (1 if name == "all" else processors)) & (rows["load"] == load)]
        try:
            fair, loss, _ = exact.balanced_fairness(systems.GRAPHS[name](processors), load)
        except UnstableError:
            continue
        if name == "own":  # that of all servers is PS
            found.append((SEVERAL, "own, balanced", fair.max(), 0.0, loss, 0.0, 0.0, "recursion"))
        for m, points in here.groupby("interruptions", sort=False):
            if name == "own" or m:  # without interruptions, all servers are one under FCFS
                found.append((SEVERAL, f"{name}, m = {m}", fair.max(), 0.0, loss, *_sensitivity(points), "recursion"))
    return pd.DataFrame(found, columns=COLUMNS)


def judged(table):
    """The same table, and which of its policies no other beats: none at all, and none that never moves a job.

    Parameters
    ----------
    table : pandas.DataFrame
        Of one kind of jobs.

    Returns
    -------
    pandas.DataFrame
        With the columns `best` and `best_staying`.
    """
    moving = table["policy"].str.contains("migrating|MGPPS")
    staying = pd.Series(_not_beaten(table[~moving]), table.index[~moving]).reindex(table.index, fill_value=False)
    return table.assign(best=_not_beaten(table), best_staying=staying if moving.any() else False)


def _not_beaten(table):
    there = table[table["sensitivity"].notna()]
    columns = ["deviation", "within", "sensitivity", "sensitivity_within"]
    points = dict(zip(there.index, there[columns].itertuples(index=False, name=None)))
    return table.index.isin(measures.not_beaten(points))
