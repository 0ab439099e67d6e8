"""The drawings of `ctmc` that are no curves: the system, the ways out of a state, the blocks of the generator."""

import math

import numpy as np
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle

from compendium.press.figures import COLOURS, WIDTH, axes


def system(cluster, running, waiting=()):
    """The queueing system of a cluster, with some jobs running: `ctmc`, Figure 1.

    Parameters
    ----------
    cluster : clustershare.cluster_chain.ServiceCluster
    running : sequence of int
        Sizes of the running jobs.
    waiting : sequence of int, optional
        Sizes of the job at the tracker and of those queued behind it; five are shown.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, plot = axes("from arrival to departure", "servers", xlim=(-1.2, 11), ylim=(-1.2, 3.9), aspect="equal")
    figure.set_size_inches(WIDTH, 2.5)
    plot.set_axis_off()
    columns = math.ceil(math.sqrt(cluster.servers))
    for place in range(5):
        plot.add_patch(Rectangle((1 + 0.55 * place, 1.1), 0.55, 0.9, fill=False, lw=1.2))
    plot.text(2.4, 2.25, f"queue, C = {cluster.queue_capacity}", ha="center")
    plot.add_patch(Circle((5.1, 1.55), 0.62, facecolor="#F0E442", edgecolor="black"))
    plot.text(5.1, 2.4, "tracker", ha="center")
    plot.text(5.1, 0.3, f"$\\mu_1 = {cluster.tracker_rate:g}$", ha="center")
    owners = np.repeat(np.arange(len(running)), running)
    for server in range(cluster.servers):
        corner = (7 + 0.6 * (server % columns), 2.6 - 0.6 * (server // columns))
        colour = COLOURS[owners[server] % 6] if server < len(owners) else "white"
        plot.add_patch(Rectangle(corner, 0.5, 0.5, facecolor=colour, edgecolor="black"))
    plot.text(7 + 0.3 * columns, 3.4, f"cluster, N = {cluster.servers}", ha="center")
    plot.text(7 + 0.3 * columns, 2.0 - 0.6 * math.ceil(cluster.servers / columns), "service $\\mu_{2,n}$", ha="center")
    for size, x in zip(waiting, (5.1, *(3.475 - 0.55 * place for place in range(5)))):
        plot.text(x, 1.55, str(size), ha="center", va="center")
    right = 7 + 0.6 * columns
    horizontal = [((x, 1.55), (y, 1.55)) for x, y in ((-0.6, 0.95), (3.8, 4.45), (5.75, 6.95), (right, right + 1.2))]
    for start, end in (*horizontal, ((0.6, 1.5), (0.6, -0.2))):
        plot.add_patch(FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=12, color="black"))
    plot.text(-0.2, 1.8, "$\\lambda$", ha="center")
    plot.text(1.4, -0.8, "lost if the queue is full", ha="center")
    return figure


def neighbourhood(state, ways):
    """The states that a state leads to, with the rates of the generator: `ctmc`, Table 2.

    Parameters
    ----------
    state : str
        As the source writes it.
    ways : pandas.DataFrame
        Of `pages.cluster_chain.transitions.ways_out`.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, plot = axes("one transition", "states", xlim=(-1.85, 1.85), ylim=(-1.2, 1.2))
    figure.set_size_inches(WIDTH, 4.0)
    plot.set_axis_off()
    colours = dict(zip(ways["family"].cat.categories, COLOURS))

    def box(colour):
        frame = {"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": colour}
        return {"ha": "center", "va": "center", "color": colour, "bbox": frame}

    middle = plot.text(0, 0, state, zorder=3, **box("black"))
    for number, (rate, family, target) in enumerate(ways[["rate", "family", "target"]].itertuples(index=False)):
        angle = math.pi / 2 - 2 * math.pi * number / len(ways)
        x, y, colour = 1.3 * math.cos(angle), math.sin(angle), colours[family]
        arrow = {"arrowstyle": "<|-", "color": colour, "patchB": middle.get_bbox_patch(), "shrinkA": 0, "shrinkB": 0}
        plot.annotate(target, (0, 0), (x, y), arrowprops=arrow, zorder=4, **box(colour))  # from box to box
        plot.text(0.52 * x, 0.52 * y, f"{rate:g}", ha="center", va="center", zorder=5,
                  bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})  # fmt: skip
    for family, colour in colours.items():
        if (ways["family"] == family).any():
            plot.plot([], [], color=colour, label=family)
    return figure


def blocks(entries, level_sizes, levels):
    """The generator as a picture: an entry a dot, the levels marked off, the families of transitions in colours.

    Parameters
    ----------
    entries : pandas.DataFrame
        Of `pages.cluster_chain.transitions.transitions`.
    level_sizes : (int, int)
        States of level 0 with an idle tracker, and of each level with a busy one.
    levels : int
        With level 0.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, plot = axes("to state", "from state")
    figure.set_size_inches(WIDTH, 5.0)
    plot.grid(False)
    diagonal = entries[entries["family"].isna()]
    groups = [("the diagonal", diagonal), *entries.groupby("family", observed=False)]
    for (name, chosen), colour in zip(groups, ("0.75", *COLOURS)):
        plot.plot(chosen["column"], chosen["row"], "s", markersize=1.6, color=colour)
        plot.plot([], [], "s", markersize=6, color=colour, label=name)
    idle, busy = level_sizes
    for level in range(levels):
        edge = idle + busy * (level + 1) - 0.5
        plot.axhline(edge, color="0.4", lw=0.6)
        plot.axvline(edge, color="0.4", lw=0.6)
    states = idle + busy * levels
    plot.set(xlim=(-1, states), ylim=(states, -1), aspect="equal")
    return figure
