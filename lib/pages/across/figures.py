"""Deviation and sensitivity of all policies; numbers beside those of other packages; where conclusions stand; a chart
of decisions."""

from textwrap import fill

import numpy as np
from matplotlib.patches import FancyBboxPatch, Rectangle

from compendium.press import publish
from compendium.press.figures import COLOURS, WIDTH, canvas, scale
from pages.figures import name_beside, name_points

DEVIATION, SENSITIVITY = "deviation $\\Delta$", "sensitivity $S$"
BASES = {  # colour and marker of a policy; open marks are PS
    "JSQ": (0, "o"), "HP": (1, "s"), "SVP": (2, "^"), "DVP": (3, "D"), "JSQ(2)": (4, "v"), "SPILL": (5, "P"),
    "migrating": (0, "<"), "HPRS": (6, "X"), "VPRS": (0, "*"), "MGPPS": (1, "h"),
    "FCFS": (0, "o"), "HOL": (1, "s"), "UD": (2, "^"), "PQ": (3, "v"), "PPS": (4, "D"), "GPPS": (5, "P"),
    "PS": (6, "X"), "all": (0, "*"), "own": (3, "h"),
}  # fmt: skip
FINEST = 0.01  # below this the axis of sensitivities is linear
# A question, and the policy if the answer is yes; what is left over has the last policy.
STEPS = (
    ("May several processors\nserve one job together?", "GPPS: promises kept", "PS: sizes do not matter"),
    ("May a job move\nwhen another one ends?", "SVP, with moves:", "promises kept, no loss"),
    ("Does nobody see\nthe queues?", "HPRS: wastes less", "VPRS: misses less"),
    ("Are there 50\nprocessors or more?", "JSQ with PS:", "little is missed or lost"),
    ("Equal promises,\nequal loads?", "JSQ", "is hard to beat"),
    ("Equal promises,\nunequal loads?", "SPILL: little lost", "SVP: promises kept"),
)
LAST = ("unequal promises", "HP, GPPS: little lost", "one group floods it: SVP")


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
            x, y, row.within or None, row.sensitivity_within or None, label=row.policy, elinewidth=0.7, zorder=3,
            **_look(row.policy),
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
    """Publish a plane for each kind of jobs, with the name of each policy at its mark.

    Where all marks are near to one side, their names stand in a column.

    Parameters
    ----------
    identifier : str
        As in ``data/figures.csv``.
    tables : sequence of pandas.DataFrame
        Of `pages.across.points.plane.judged`.
    caption : str
        Without identifier and full stop.
    fidelity : str

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plots = canvas(len(tables), figsize=(WIDTH, 4.6 * len(tables)), sharex=True)
    for plot, table in zip(plots, tables):
        _marks(plot, table)
        plot.set(title=f"Jobs on {table['kind'].iloc[0]}", ylabel=DEVIATION, xlim=(-0.004, 12))
        plot.margins(y=0.12)
    plots[-1].set_xlabel(SENSITIVITY)
    named = set()
    for plot, table in zip(plots, tables):
        there = table.dropna(subset=["sensitivity"])
        places = [
            (row.policy, row.sensitivity, row.deviation, _look(row.policy)["color"]) for row in there.itertuples()
        ]
        if there["sensitivity"].max() < 0.3:
            named |= {*name_beside(plot, places, x=0.58)}
        else:
            named |= {*name_points(plot, places)}
    return publish(
        figure, identifier, fidelity=fidelity, named=named,
        caption=f"{caption} ({identifier}). Ringed: not beaten; thin rings: not beaten by those that never move a job. "
        "Open: PS on each processor, a job that may move, or balanced "
        f"fairness. Up to {FINEST:g} the lower axis is linear. Intervals of 95 %.",
        alt="Deviation and sensitivity of each policy. " + ". ".join(_words(table) for table in tables) + ".",
    )  # fmt: skip


def multiples(identifier, tables, *, caption, fidelity):
    """Publish deviation and sensitivity side by side, a line for each policy and a pair of panels for each number P.

    Parameters
    ----------
    identifier, caption, fidelity
        As for `planes`.
    tables : dict
        (processors, load): table of `pages.across.points.plane.judged`.

    Returns
    -------
    compendium.press.figures.Published
    """
    numbers, loads = (list(dict.fromkeys(key[part] for key in tables)) for part in (0, 1))
    policies = {P: list(dict.fromkeys(name for key in tables if key[0] == P for name in tables[key]["policy"]))
                for P in numbers}  # fmt: skip
    heights = [len(names) + 2 for names in policies.values()]
    figure, plots = canvas(
        len(numbers), ncols=2, figsize=(WIDTH, 0.2 * sum(heights) + 0.8), sharex="col", squeeze=False,
        height_ratios=heights,
    )  # fmt: skip
    for (P, load), table in tables.items():
        colour = scale(len(loads))[loads.index(load)]
        pair = plots[numbers.index(P)]
        for row in table.dropna(subset=["sensitivity"]).itertuples():
            height = policies[P].index(row.policy) + 0.25 * (loads.index(load) - (len(loads) - 1) / 2)
            values = (row.deviation, row.within), (row.sensitivity, row.sensitivity_within)
            for plot, (value, within) in zip(pair, values):
                plot.errorbar(
                    float(f"{value:.9g}"), height, xerr=within or None, marker="o", markersize=5, linestyle="none",
                    color=colour, elinewidth=0.8, markerfacecolor=colour if row.best else "white",
                    label=f"load {load:g}",
                )  # fmt: skip
    for P, pair in zip(numbers, plots):
        for plot, quantity in zip(pair, (DEVIATION, SENSITIVITY)):
            names = policies[P] if plot is pair[0] else []
            plot.set_yticks(range(len(policies[P])), names or [""] * len(policies[P]))
            plot.set(ylim=(len(policies[P]) - 0.4, -0.6), title=f"$P = {P}$", xlabel=quantity)
            plot.set_ylabel("policy", visible=plot is pair[0])
            plot.axvline(0, color="0.4", linewidth=0.8)
        pair[1].set_xscale("symlog", linthresh=0.1, linscale=1)
        pair[1].set_xticks([0, 0.1, 1, 10], ["0", "0.1", "1", "10"])
        pair[1].minorticks_off()
    for plot in plots[:-1].ravel():
        plot.set_xlabel("")
    best = [
        f"P = {P}, load {load:g}: {', '.join(table[table['best']]['policy'])}" for (P, load), table in tables.items()
    ]
    return publish(
        figure, identifier, fidelity=fidelity,
        caption=f"{caption} ({identifier}). Full marks: not beaten. Up to 0.1 the axis of sensitivities is linear. "
        "Intervals of 95 %.",
        alt=f"Deviation and sensitivity of each policy at each load. Not beaten are: {'; '.join(best)}.",
    )  # fmt: skip


def differences(identifier, kinds, bound, *, caption):
    """Publish relative differences from our answers, a point a case, a row for each way of computing.

    Parameters
    ----------
    identifier : str
        As in ``data/figures.csv``.
    kinds : dict
        Name of a row: pandas.Series of differences, and whether they are simulated.
    bound : float
        Above it exact answers differ.
    caption : str
        Without identifier and full stop.

    Returns
    -------
    compendium.press.figures.Published
    """
    least = 3e-11  # where those stand that are the same to all digits that are compared
    figure, plot = canvas(figsize=(WIDTH, 0.48 * len(kinds) + 1.3))
    words = []
    for row, (values, simulated) in enumerate(kinds.values()):
        shown = np.sort(np.clip(values.to_numpy(), least, None))
        steps = np.round(np.log10(shown) * 4)  # what is near to each other stands one above the other
        place = [np.count_nonzero(steps[:k] == step) for k, step in enumerate(steps)]
        heights = row + 0.11 * (np.array(place) - [(steps == step).sum() / 2 - 0.5 for step in steps])
        plot.plot(
            shown, heights, linestyle="none", marker="o", markersize=5, color=COLOURS[1 if simulated else 0],
            markerfacecolor="white" if simulated else COLOURS[0], label="simulated" if simulated else "exact",
        )  # fmt: skip
        words.append(f"{list(kinds)[row]}, {len(values)} cases, at most {values.max():.1e}")
    plot.axvline(bound, color="0.4", linewidth=0.8, linestyle="--")
    plot.set_xscale("log")
    ticks = (least, 1e-9, 1e-6, 1e-3, 1)
    plot.set_xticks(ticks, ["0", *(f"$10^{{{np.log10(tick):.0f}}}$" for tick in ticks[1:])])
    plot.minorticks_off()
    plot.set_yticks(range(len(kinds)), list(kinds))
    plot.set(ylim=(len(kinds) - 0.4, -0.6), xlim=(least / 2, 2))
    plot.set(ylabel="solver", xlabel="relative difference from ours")
    return publish(
        figure, identifier,
        caption=f"{caption} ({identifier}). Dashed: {_power(bound)}, above which exact answers differ.",
        alt=f"Relative differences. {'; '.join(words)}.",
    )  # fmt: skip


def _power(value):
    """A power of ten as mathematics."""
    return f"$10^{{{np.log10(value):.0f}}}$"


LOOK_OF = {"stands": ("\u25cf", COLOURS[2] + "40"), "in part": ("\u25d0", COLOURS[5] + "40"),
           "falls": ("\u25cb", COLOURS[1] + "40"), "open": ("?", "0.93"), "": ("", "white")}  # fmt: skip


def standing(identifier, table, *, caption, fidelity):
    """Publish where conclusions stand, a row for each and a column for each workload.

    Parameters
    ----------
    identifier : str
        As in ``data/figures.csv``.
    table : pandas.DataFrame
        Of `pages.across.points.conclusions.outcomes`.
    caption : str
        Without identifier and full stop.
    fidelity : str

    Returns
    -------
    compendium.press.figures.Published
    """
    rows, columns = table.shape
    figure, plot = canvas(figsize=(WIDTH, 0.44 * rows + 0.9))
    for row, words in enumerate(table.index):
        for column, name in enumerate(table.columns):
            outcome, _, points = table.loc[words, name].rpartition(" ")
            mark, colour = LOOK_OF[outcome]
            plot.add_patch(Rectangle((column - 0.48, row - 0.46), 0.96, 0.92, facecolor=colour, edgecolor="none"))
            plot.text(column, row - 0.2, mark, ha="center", va="center")
            plot.text(column, row + 0.22, points, ha="center", va="center")
    plot.set_yticks(range(rows), [fill(words, 17) for words in table.index])
    plot.set_xticks(range(columns), list(table.columns))
    plot.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5), xlabel="workload", ylabel="conclusion")
    plot.xaxis.set_ticks_position("top")
    plot.grid(visible=False)
    plot.tick_params(length=0)
    for side in plot.spines.values():
        side.set_visible(False)
    told = [
        f"{words}: "
        + ", ".join(f"{name} {cell.replace('/', ' of ')}" for name, cell in table.loc[words].items() if cell)
        for words in table.index
    ]
    return publish(
        figure, identifier, fidelity=fidelity,
        caption=f"{caption} ({identifier}). Full: it stands; half: in part; empty: it falls; ?: open. Below: at how "
        "many points, of how many that are told.",
        alt=f"Conclusions by workload. {'; '.join(told)}.",
    )  # fmt: skip


def decisions(identifier, *, caption):
    """Publish the chart from what is known of a cluster to a policy that the book found good for it.

    Parameters
    ----------
    identifier : str
        As in ``data/figures.csv``.
    caption : str
        Without identifier and full stop.

    Returns
    -------
    compendium.press.figures.Published
    """
    rows = len(STEPS) + 1
    figure, plot = canvas(figsize=(WIDTH, 0.82 * rows + 0.1))
    plot.set_axis_off()
    plot.set(xlim=(0, 10), ylim=(rows - 0.45, -0.5))
    arrow = {"arrowstyle": "->", "color": "0.25", "linewidth": 1.2, "shrinkA": 0, "shrinkB": 0}
    for row, (question, *policies) in enumerate((*STEPS, LAST)):
        last = row == len(STEPS)
        _box(plot, 0.05, row, 4.5, question, "white" if not last else "0.93", "0.25", dashed=last)
        _box(plot, 5.55, row, 4.4, "\n".join(policies), COLOURS[4] + "30", COLOURS[0])
        plot.annotate("", (5.55, row), (4.55, row), arrowprops=arrow)
        if not last:
            plot.text(5.05, row - 0.06, "yes", ha="center", va="bottom")
            plot.annotate("", (2.3, row + 0.67), (2.3, row + 0.33), arrowprops=arrow)
            plot.text(2.45, row + 0.5, "no", ha="left", va="center")
    told = [f"{' '.join(question.split())} {', '.join(policies)}" for question, *policies in STEPS]
    return publish(
        figure, identifier, caption=f"{caption} ({identifier}).",
        alt=f"Questions one below the other; if the answer is yes, the policies at the right. {'. '.join(told)}. "
            f"Otherwise, {LAST[0]}: {', '.join(LAST[1:])}.",
    )  # fmt: skip


def _box(plot, left, row, width, words, face, edge, dashed=False):
    look = {"facecolor": face, "edgecolor": edge, "linestyle": "--" if dashed else "-"}
    shape = "round,pad=0,rounding_size=0.1"
    plot.add_patch(FancyBboxPatch((left, row - 0.33), width, 0.66, boxstyle=shape, **look))
    plot.text(left + width / 2, row, words, ha="center", va="center")
