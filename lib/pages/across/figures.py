"""Planes of deviation against sensitivity: a mark for each policy, a ring around those that no other beats."""

from compendium.press import publish
from compendium.press.figures import COLOURS, WIDTH, canvas

DEVIATION, SENSITIVITY = "deviation $\\Delta$", "sensitivity $S$"
BASES = {  # colour and marker of a policy; open marks are PS
    "JSQ": (0, "o"), "HP": (1, "s"), "SVP": (2, "^"), "DVP": (3, "D"), "JSQ(2)": (4, "v"), "SPILL": (5, "P"),
    "migrating": (0, "<"), "HPRS": (6, "X"), "VPRS": (0, "*"), "MGPPS": (1, "h"),
    "FCFS": (0, "o"), "HOL": (1, "s"), "UD": (2, "^"), "PQ": (3, "v"), "PPS": (4, "D"), "GPPS": (5, "P"),
    "PS": (6, "X"), "all": (0, "*"), "own": (3, "h"),
}  # fmt: skip
RINGS = "Ringed: not beaten; thin rings: not beaten by those that never move a job."
FINEST = 0.01  # below this the axis of sensitivities is linear


def _look(policy):
    base, _, rest = policy.replace(",", "").partition(" ")
    colour, marker = BASES["migrating" if "migrating" in rest else base]
    size = {"*": 10, "h": 8}.get(marker, 6.5)
    if rest.startswith("m ="):
        size += min(int(rest.split()[-1]), 5) - 3
    colour = COLOURS[colour % len(COLOURS)]
    face = "white" if rest == "PS" or "migrating" in rest or rest == "balanced" else colour
    return {"color": colour, "marker": marker, "markerfacecolor": face, "markersize": size, "linestyle": "none"}


def _marks(plot, table, ticks=(0, 0.01, 0.1, 1, 10)):
    """The marks of a table; those without a sensitivity are left out."""
    for row in table.dropna(subset=["sensitivity"]).itertuples():
        x, y = (float(f"{value:.9g}") for value in (row.sensitivity, row.deviation))
        plot.errorbar(
            x, y, row.within or None, row.sensitivity_within or None, label=row.policy, capsize=2, elinewidth=0.8,
            zorder=3, **_look(row.policy),
        )  # fmt: skip
        for size, ringed, width in ((14, row.best, 1.4), (17, row.best_staying, 0.6)):
            if ringed:
                plot.plot(x, y, "o", ms=size, mfc="none", color="0.25", mew=width, zorder=2)
    plot.axhline(0, color="0.4", linewidth=0.8)
    plot.set_xscale("symlog", linthresh=FINEST, linscale=0.6)
    plot.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    plot.minorticks_off()


def _words(table):
    there = table.dropna(subset=["sensitivity"])
    named = [f"{row.policy} {row.deviation:.2f}, {row.sensitivity:.2f}" for row in there.itertuples()]
    return f"{'; '.join(named)}; not beaten: {', '.join(there[there['best']]['policy'])}"


def planes(identifier, tables, *, caption, fidelity):
    """Publish a plane for each kind of jobs, with the names of its policies.

    Parameters
    ----------
    identifier : str
        As in ``data/figures.csv``.
    tables : sequence of pandas.DataFrame
        Of `pages.across.plane.judged`.
    caption : str
        Without identifier and full stop.
    fidelity : str

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plots = canvas(len(tables), figsize=(WIDTH, 10.5), sharex=True)
    for plot, table in zip(plots, tables):
        _marks(plot, table)
        plot.set(title=f"Jobs on {table['kind'].iloc[0]}", ylabel=DEVIATION, xlim=(-0.004, 12))
    plots[-1].set_xlabel(SENSITIVITY)
    return publish(
        figure, identifier, fidelity=fidelity,
        caption=f"{caption} ({identifier}). {RINGS} Open: PS on each processor, a job that may move, or balanced "
        f"fairness. Up to {FINEST:g} the lower axis is linear. Intervals of 95 %.",
        alt="Deviation and sensitivity of each policy. " + ". ".join(_words(table) for table in tables) + ".",
    )  # fmt: skip


def multiples(identifier, tables, *, caption, fidelity):
    """Publish small planes, a row for each number of processors and a column for each load.

    Parameters
    ----------
    identifier, caption, fidelity
        As for `planes`.
    tables : dict
        (processors, load): table of `pages.across.plane.judged`.

    Returns
    -------
    compendium.press.figures.Published
    """
    rows, columns = (list(dict.fromkeys(key[part] for key in tables)) for part in (0, 1))
    figure, plots = canvas(
        len(rows), ncols=len(columns), figsize=(WIDTH, 2.2 * len(rows) + 2.5), sharex=True, sharey=True, squeeze=False
    )
    for (P, load), table in tables.items():
        plot = plots[rows.index(P)][columns.index(load)]
        _marks(plot, table, ticks=(0, 0.1, 10))
        plot.set_title(f"$P = {P}$, load {load:g}")
    for plot in plots[-1]:
        plot.set_xlabel(SENSITIVITY)
    for row in plots:
        row[0].set_ylabel(DEVIATION)
        for plot in row[1:]:
            plot.set_ylabel(DEVIATION, visible=False)
    best = [
        f"P = {P}, load {load:g}: {', '.join(table[table['best']]['policy'])}" for (P, load), table in tables.items()
    ]
    return publish(
        figure, identifier, fidelity=fidelity, caption=f"{caption} ({identifier}). {RINGS}",
        alt=f"Small planes of deviation against sensitivity. Not beaten are: {'; '.join(best)}.",
    )  # fmt: skip
