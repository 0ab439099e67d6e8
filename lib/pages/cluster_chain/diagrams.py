"""Diagrams of the cluster chain, drawn from the model: the system, the ways out of a state, the blocks of Q."""

import math

import numpy as np
import pandas as pd
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle

from compendium.press.figures import COLOURS, axes

# Of Table 2, told apart by the change of the number queued, whether a job enters the tracker or leaves it empty, and the
# change of the number of running jobs.
FAMILIES = {
    (0, True, 0): "arrival to an empty tracker",
    (1, False, 0): "arrival to the queue",
    (0, False, -1): "end of a job",
    (-1, True, 1): "job mapped, the next one enters",
    (0, True, 1): "job mapped, nobody waits",
}


def written(state):
    """A state as the source writes it.

    Examples
    --------
    >>> written((1, 2, (1, 3))), written((0, 0, ()))
    ('1, 2, (1, 3)', '0, 0, (0)')
    """
    x1, x2, V = state
    return f"{x1}, {x2}, ({', '.join(map(str, V)) if V else 0})"


def _family(state, target):
    return target[0] - state[0], target[1] != state[1] or target[0] < state[0], len(target[2]) - len(state[2])


def ways_out(cluster, state):
    """The transitions out of a state, read from the generator: pairs of a state and a rate."""
    states, Q = cluster.state_list(), cluster.generator()
    row = states.index(state)
    entries = zip(Q.indices[Q.indptr[row] : Q.indptr[row + 1]], Q.data[Q.indptr[row] : Q.indptr[row + 1]], strict=True)
    return [(states[column], float(rate)) for column, rate in sorted(entries) if column != row]


def transition_table(cluster):
    """Table 2 from the generator: its entries off the diagonal, told apart by what they change, and counted.

    Returns
    -------
    pandas.DataFrame
        A row for each family, with an example of its own.
    """
    states, Q = cluster.state_list(), cluster.generator().tocoo()
    counts, examples = dict.fromkeys(FAMILIES, 0), {}
    for row, column, rate in zip(*Q.coords, Q.data, strict=True):
        if row != column:
            family = _family(states[row], states[column])
            counts[family] += 1
            examples[family] = f"{written(states[row])} to {written(states[column])} at {rate:g}"
    rows = [(event, counts[family], examples[family]) for family, event in FAMILIES.items()]
    return pd.DataFrame(rows, columns=["transition", "in Q", "the last one"])


def system(cluster, running):
    """The queueing system of a cluster, with some jobs running.

    Parameters
    ----------
    cluster : clustershare.cluster_chain.ServiceCluster
    running : sequence of int
        Sizes of the running jobs.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, plot = axes("from arrival to departure", "servers", xlim=(-1.2, 11), ylim=(-1.2, 3.9), aspect="equal")
    figure.set_size_inches(6.4, 2.9)
    plot.set_axis_off()
    columns = math.ceil(math.sqrt(cluster.servers))
    for place in range(5):
        plot.add_patch(Rectangle((1 + 0.55 * place, 1.1), 0.55, 0.9, fill=False, lw=1.2))
    plot.text(2.4, 2.25, f"queue, C = {cluster.queue_capacity}", ha="center")
    plot.add_patch(Circle((5.1, 1.55), 0.62, facecolor="#F0E442", edgecolor="black"))
    plot.text(5.1, 1.55, "tracker", ha="center", va="center", fontsize=8)
    plot.text(5.1, 2.4, f"$\\mu_1 = {cluster.tracker_rate:g}$", ha="center")
    owners = np.repeat(np.arange(len(running)), running)
    for server in range(cluster.servers):
        corner = (7 + 0.6 * (server % columns), 2.6 - 0.6 * (server // columns))
        colour = COLOURS[owners[server] % 6] if server < len(owners) else "white"
        plot.add_patch(Rectangle(corner, 0.5, 0.5, facecolor=colour, edgecolor="black"))
    plot.text(7 + 0.3 * columns, 3.4, f"cluster, N = {cluster.servers}", ha="center")
    plot.text(7 + 0.3 * columns, 2.0 - 0.6 * math.ceil(cluster.servers / columns), "service $\\mu_{2,n}$", ha="center")
    right = 7 + 0.6 * columns
    horizontal = [((x, 1.55), (y, 1.55)) for x, y in ((-0.6, 0.95), (3.8, 4.45), (5.75, 6.95), (right, right + 1.2))]
    for start, end in (*horizontal, ((0.6, 1.5), (0.6, -0.2))):
        plot.add_patch(FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=12, color="black"))
    plot.text(-0.2, 1.8, "$\\lambda$", ha="center")
    plot.text(0.6, -0.65, "lost if the queue is full", ha="center", fontsize=9)
    return figure


def neighbourhood(cluster, state):
    """The states that a state leads to, with the rates of the generator.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, plot = axes("one transition", "states", xlim=(-1.75, 1.75), ylim=(-1.2, 1.2))
    plot.set_axis_off()
    found = ways_out(cluster, state)
    colours = {family: COLOURS[number] for number, family in enumerate(FAMILIES)}

    def box(x, y, text, colour):
        plot.text(x, y, text, ha="center", va="center", fontsize=9, color=colour,
                  bbox={"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": colour})  # fmt: skip

    for number, (target, rate) in enumerate(found):
        angle = math.pi / 2 - 2 * math.pi * number / len(found)
        x, y, colour = 1.3 * math.cos(angle), math.sin(angle), colours[_family(state, target)]
        arrow = {"arrowstyle": "-|>", "mutation_scale": 12, "shrinkA": 22, "shrinkB": 20}
        plot.add_patch(FancyArrowPatch((0, 0), (x, y), color=colour, **arrow))
        plot.text(0.52 * x, 0.52 * y, f"{rate:g}", ha="center", va="center", fontsize=9, backgroundcolor="white")
        box(x, y, written(target), colour)
    box(0, 0, written(state), "black")
    for family, event in FAMILIES.items():
        if any(_family(state, target) == family for target, _ in found):
            plot.plot([], [], color=colours[family], label=event)
    plot.legend(loc="upper center", bbox_to_anchor=(0.5, 0.02), ncols=2, fontsize=9)
    return figure


def blocks(cluster):
    """The generator as a picture: an entry a dot, the levels marked off, departures apart from the rest.

    Returns
    -------
    matplotlib.figure.Figure
    """
    states, Q = cluster.state_list(), cluster.generator().tocoo()
    rows, columns = Q.coords
    kinds = [("the diagonal", rows == columns)]
    families = [_family(states[row], states[column]) for row, column in zip(rows, columns, strict=True)]
    for family, event in FAMILIES.items():
        kinds.append((event, np.array([found == family for found in families]) & (rows != columns)))
    figure, plot = axes("to state", "from state")
    figure.set_size_inches(6.4, 5.6)
    plot.grid(False)
    for number, (event, chosen) in enumerate(kinds):
        colour = "0.75" if number == 0 else COLOURS[number - 1]
        plot.plot(columns[chosen], rows[chosen], "s", markersize=1.6, color=colour, label=event)
    idle, busy = cluster.level_sizes
    for level in range(cluster.queue_capacity + 1):
        edge = idle + busy * (level + 1) - 0.5
        plot.axhline(edge, color="0.4", lw=0.6)
        plot.axvline(edge, color="0.4", lw=0.6)
    plot.set(xlim=(-1, len(states)), ylim=(len(states), -1), aspect="equal")
    plot.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), markerscale=4, fontsize=9)
    return figure
