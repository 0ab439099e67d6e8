"""Which intervals are too short near saturation: what was measured, and what the store holds."""

import pandas as pd

from clustershare import names, settling
from compendium import places
from compendium.study import reproduction
from compendium.study.tasks import decode

TABLE = places.DATA / "interval_coverage.csv"
RARE = 10  # jobs lost in all, below which hardly any is seen
EDGES = (0, 1, 10, 50, 100, settling.ENOUGH, 1000, float("inf"))  # memories in all replications together


def measured():
    """The recorded table (``python -m benchmarks coverage``).

    Returns
    -------
    pandas.DataFrame
        With a column `memories`: jumps of all replications over those that the system remembers.
    """
    table = pd.read_csv(TABLE)
    table["memories"] = table["jumps"] * table["replications"] / table["remembered"]
    return table


def by_system(table, jumps):
    """For each system and load the fewest of its quantities' 100 intervals that hold.

    A star where most results carry a warning.

    Parameters
    ----------
    table : pandas.DataFrame
        As returned by `measured`.
    jumps : int
        Of each of ten replications.

    Returns
    -------
    pandas.DataFrame
    """
    rows = table[(table["jumps"] == jumps) & (table["replications"] == 10)]
    cells = rows.groupby(["system", "load"], sort=False).agg({"held": "min", "told": "min"})
    shown = cells["held"].astype(str) + (cells["told"] > 50).map({True: " *", False: ""})
    return shown.unstack("load", fill_value="").loc[rows["system"].unique()]


def by_memories(table):
    """How many of the intervals hold, by how many memories the replications have in all.

    Left out are runs without a warm-up, and what is hardly ever seen.

    Parameters
    ----------
    table : pandas.DataFrame
        As returned by `measured`.

    Returns
    -------
    pandas.DataFrame
    """
    seen = table["known"] * table["jumps"] * table["replications"]
    table = table[((table["quantity"] != "blocking") | (seen > RARE)) & (table["warmup"] > 0)]
    ends = [f"{low:g} to {high:g}" if high < EDGES[-1] else f"{low:g} and more" for low, high in zip(EDGES, EDGES[1:])]
    groups = table.groupby(pd.cut(table["memories"], EDGES, labels=ends, right=False), observed=True)
    return groups.agg(quantities=("held", "size"), on_average=("held", "mean"), fewest=("held", "min")).round(1)


def stored():
    """The points of the store whose intervals may hold too rarely.

    Returns
    -------
    pandas.DataFrame
        One row a study: how many points there are, how many of them are too short, and the fewest memories.
    """
    found = []
    for path, row in reproduction.rows():
        task = row.task
        if task.model in names.REPLAYS:  # all of a log, from its first arrival to its last departure
            continue
        remembered = settling.memory(names.simulator(task.model), decode(task.arguments))
        short = settling.too_short(remembered, task.jumps, task.warmup, task.replications)
        found.append((path.stem, short, task.jumps * task.replications / remembered))
    table = pd.DataFrame(found, columns=["study", "short", "memories"])
    shown = table.groupby("study").agg(points=("short", "size"), short=("short", "sum"), memories=("memories", "min"))
    return shown[shown["short"] > 0].round(1)
