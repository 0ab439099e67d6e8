"""Figures of share deviations (`thesis`, Figures 3.4 to 3.15, and maps over two parameters)."""

import numpy as np
from matplotlib.colors import BoundaryNorm
from matplotlib.lines import Line2D
from matplotlib.path import Path

from clustershare import uniprocessor
from clustershare.arguments import UnstableError
from compendium.press.figures import COLOURS, axes, exact_line, publish, simulated_points
from pages.share_scheduling.one_processor.systems import two_groups

QUANTITIES = {
    "group_share_deviation": "group-share deviation $\\Delta^G$",
    "job_share_deviation": "job-share deviation $\\Delta^J$",
}
GRID = np.round(np.arange(0.04, 1, 0.08), 12)  # loads at which a chain confirms the sign
COLOUR = {policy: number for number, policy in enumerate(uniprocessor.POLICIES)}


def largest(policy, systems, quantity="group_share_deviation"):
    """The larger deviation over the groups, exactly, for each of several systems.

    Parameters
    ----------
    policy : str
    systems : list of dict
        Arguments of `clustershare.uniprocessor.exact`.
    quantity : str

    Returns
    -------
    ndarray, shape (systems,)
        nan where `exact` does not answer. A group whose deviation is not known beside one that is, is not the larger.
    """
    found = []
    for system in systems:
        try:
            deviations = getattr(uniprocessor.exact(policy, **system, tolerance=1e-8), quantity)
        except UnstableError:
            raise
        except ValueError:
            deviations = np.full(2, np.nan)
        found.append(np.nan if np.isnan(deviations).all() else np.nanmax(deviations))
    return np.array(found)


def _policy(label):
    """The policy that a label begins with."""
    return label.split(",")[0].split(" ")[0]


def exact_lines(labels, x, system, quantity="group_share_deviation"):
    """The larger deviation as a function of one parameter, for `panel`.

    Parameters
    ----------
    labels : list of str
        Each begins with a policy, as in "FCFS, PS".
    x : ndarray
    system : callable
        ``system(policy, value)`` gives the arguments of `clustershare.uniprocessor.exact`.
    quantity : str

    Returns
    -------
    dict
        Label: `x` and the deviations.
    """
    return {
        label: (x, largest(_policy(label), [system(_policy(label), value) for value in x], quantity))
        for label in labels
    }


def priority_curves(identifier, load, shares):
    """Draw and publish the group-share deviation under PQ against the split of a load (`thesis`, Figure 3.4).

    Parameters
    ----------
    identifier : str
    load : float
    shares : sequence of float
        Required shares of group 1.

    Returns
    -------
    compendium.press.figures.Published
    """
    x = np.append(np.linspace(0.005, 0.99, 198), 1 - np.geomspace(0.01, 1e-6, 40))  # it is steep at the end
    figure, plot = axes(
        "fraction of the load from group 1, $\\lambda_1/\\lambda$", QUANTITIES["group_share_deviation"], xlim=(0, 1)
    )
    plot.axhline(0, color="0.4", linewidth=0.8)
    words = []
    for number, share in enumerate(shares):
        curve = largest("PQ", [two_groups(part, load, share) for part in x])
        exact_line(plot, x, curve, number, f"$r_1 = {share:g}$")
        words.append(f"{curve.max():.3f} at {x[curve.argmax()]:.2f} for {share:g}")
    plot.legend()
    return publish(
        figure, identifier,
        caption=f"The group-share deviation under PQ against the split of a load of {load:g}, for several required shares of "
        f"group 1, by formula ({identifier}).",
        alt="A curve for each required share of group 1. Each falls in a straight line, turns, rises above zero and returns "
        f"to zero at the right end. Highest points: {', '.join(words)}.",
    )  # fmt: skip


def both_groups(identifier, rows, load, *, fidelity):
    """Draw and publish both deviations under UD against the split of the load, equal shares (`thesis`, Figure 3.6).

    Parameters
    ----------
    identifier : str
    rows : pandas.DataFrame
        Simulated group-share deviations of UD over `fraction`.
    load : float
    fidelity : str

    Returns
    -------
    compendium.press.figures.Published
    """
    x, known = [], []
    for part in np.linspace(0.005, 0.5, 100):
        try:
            known.append(uniprocessor.exact("UD", **two_groups(part, load)).group_share_deviation)
            x.append(part)
        except ValueError:
            break  # from here on the priorities stay together
    figure, plot = axes("fraction of the load from group 1, $x$", "group-share deviation $\\Delta_g^G$", xlim=(0, 0.51))
    words = []
    for group in range(2):
        if known:
            exact_line(plot, x, np.array(known)[:, group], group, f"group {group + 1}: UD is HOL (formula)", linestyle="--")
        chosen = rows[rows["index"] == group]
        simulated_points(plot, chosen, "fraction", group, f"group {group + 1}: UD (simulated)")
        first, last = chosen["estimate"].iloc[[0, -1]]
        words.append(f"group {group + 1} from {first:.4f} to {last:.4f}")
    plot.legend()
    return publish(
        figure, identifier, fidelity=fidelity,
        caption=f"Both group-share deviations under UD against the split of the load; equal required shares, load {load:g} "
        f"({identifier}). Intervals of 95 %.",
        alt=f"Points of two groups, {' and '.join(words)}. They start on dashed lines, which end where the groups meet.",
    )  # fmt: skip


def panel(identifier, exact, rows, *, x, xlabel, caption, told, quantity="group_share_deviation", fidelity, **settings):
    """Draw and publish deviations against one parameter: exact lines, simulated points, a colour for each policy.

    Parameters
    ----------
    identifier : str
    exact : dict
        A label that begins with a policy: its abscissae and ordinates.
    rows : pandas.DataFrame
        Simulated points, one a point, with a column `policy`.
    x : str
        The column of `rows` that goes across.
    xlabel, caption : str
    told : float
        Where the alt text gives the numbers.
    quantity : str
    fidelity : str
    **settings
        Passed to the axes' ``set``.

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plot = axes(xlabel, QUANTITIES[quantity], **settings)
    plot.axhline(0, color="0.4", linewidth=0.8)
    words = []
    for label, (abscissae, ordinates) in exact.items():
        number = COLOUR[_policy(label)]
        exact_line(plot, abscissae, ordinates, number, label, linestyle="--" if label.startswith("UD") else "-")
        if np.isfinite(value := np.interp(told, abscissae, ordinates)):
            words.append(f"{label} {value:.4f}")
    for policy, chosen in rows.groupby("policy", sort=False):
        simulated_points(plot, chosen, x, COLOUR[policy], f"{policy} (simulated)")
        nearest = chosen.iloc[(chosen[x] - told).abs().argmin()]
        words.append(f"{policy} simulated {nearest['estimate']:.4f}")
    figure.set_size_inches(6.4, 4.8)
    figure.legend(loc="outside upper center", fontsize="x-small", ncols=4)
    return publish(
        figure,
        identifier,
        fidelity=fidelity,
        caption=f"{caption} ({identifier}). Intervals of 95 %.",
        alt=f"{QUANTITIES[quantity].split(' $')[0].capitalize()} against {xlabel.split(', $')[0]}. "
        f"At {told:g}: {', '.join(words)}.",
    )


def feasibility_map(identifier, maps, grid, *, xlabel, ylabel, caption, limit=0.3):
    """Draw and publish maps of a deviation over two parameters, side by side, one cell a point.

    Parameters
    ----------
    identifier : str
    maps : dict
        Name: deviations, shape (points, points), the second parameter down.
    grid : ndarray, shape (points,)
        The middles of the cells in both directions, evenly spaced.
    xlabel, ylabel, caption : str
    limit : float
        Where the colours end; they change from violet to orange at 0.

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, first = axes(xlabel, ylabel)
    first.remove()
    figure.set_size_inches(3.1 * len(maps) + 0.6, 3.4)
    words, norm = [], BoundaryNorm(np.linspace(-limit, limit, 13), 256, extend="both")
    for number, (name, values) in enumerate(maps.items()):
        plot = figure.add_subplot(1, len(maps), number + 1, xlabel=xlabel, ylabel=ylabel, title=name)
        values = np.round(values, 6) + 0.0  # -0.0 is 0.0
        drawn = plot.pcolormesh(grid, grid, values - 1e-9, cmap="PuOr_r", norm=norm)  # 0 keeps the promise
        plot.grid(False)
        kept = np.mean(values <= 0)
        worst = np.round(values.max(), 3) + 0.0
        words.append(f"{name}: nobody falls short in {kept:.0%} of the plane, at worst {worst:.3f}")
    bar = figure.colorbar(drawn, ax=figure.axes, shrink=0.9)
    bar.ax.set(xlabel=" ", ylabel=QUANTITIES["group_share_deviation"])
    return publish(
        figure, identifier, caption=f"{caption} ({identifier}).",
        alt=f"Coloured maps. {'; '.join(words)}.",
    )  # fmt: skip


CLASSES = {
    "non-preemptive": ("FCFS", "HOL", "UD"),
    "preemptive": ("PQ",),
    "processor sharing": ("PS", "PPS", "GPPS"),
}
BLIND = ("FCFS", "PS")  # policies that do not look at the groups


def taxonomy(identifier):
    """Draw and publish the family of the seven policies (`thesis`, Figure 3.1)."""
    figure, plot = axes(" ", " ")
    plot.remove()
    figure.set_size_inches(6.4, 2.6)
    places = {"policies for one processor": (0.5, 0.9)}
    left = 0.06
    edges = []
    for name, policies in CLASSES.items():
        places[name] = (left + 0.132 * (len(policies) - 1) / 2, 0.55)
        edges.append(("policies for one processor", name))
        for policy in policies:
            places[policy] = (left, 0.2)
            edges.append((name, policy))
            left += 0.132
        left += 0.04
    for above, below in edges:
        (x, y), (to_x, to_y) = places[above], places[below]
        figure.add_artist(Line2D((x, to_x), (y - 0.06, to_y + 0.06), color="0.5", linewidth=1))
    for name, (x, y) in places.items():
        blind = {"boxstyle": "round", "facecolor": "0.88", "edgecolor": "0.5"} if name in BLIND else None
        figure.text(x, y, name, ha="center", va="center", bbox=blind)
    return publish(
        figure, identifier,
        caption=f"The seven policies by how they serve. Those in a box do not look at the groups ({identifier}).",
        alt="A tree. "
        + " ".join(f"{name.capitalize()}: {', '.join(policies)}." for name, policies in CLASSES.items())
        + " FCFS and PS stand in boxes.",
    )  # fmt: skip


def region(identifier, deviation, positive, *, xlabel, ylabel, caption):
    """Draw and publish where a deviation is positive by formula, with its sign in a chain at points of a grid.

    Parameters
    ----------
    identifier : str
    deviation : callable
        ``deviation(x, y)``, from a chain.
    positive : list of (float, float)
        Corners of the region in which the formula is positive, within the triangle of loads below 1. The boundary is the
        line between the first two.
    xlabel, ylabel, caption : str

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plot = axes(xlabel, ylabel, xlim=(0, 1), ylim=(0, 1), aspect="equal")
    plot.fill((0, 1, 0), (0, 0, 1), color=COLOURS[4], alpha=0.25, label="by formula: $\\Delta < 0$")
    plot.fill(*zip(*positive), color=COLOURS[1], alpha=0.35, label="by formula: $\\Delta > 0$")
    plot.plot(*zip(*positive[:2]), color=COLOURS[-1], label="$\\Delta = 0$")
    grid = [(x, y) for x in GRID for y in GRID if x + y < 0.78]
    signs = np.array([np.sign(deviation(x, y)) for x, y in grid])
    inside = np.array([Path(positive).contains_point(point) for point in grid])
    for sign, marker, name in ((-1, "v", "< 0"), (1, "^", "> 0")):
        chosen = np.array(grid)[signs == sign]
        plot.plot(*chosen.T, marker, color="0.2", markersize=4, label=f"in the chain: $\\Delta {name}$")
    plot.legend(fontsize="small", loc="upper right")
    right = int((inside == (signs > 0)).sum())
    return publish(
        figure, identifier, caption=f"{caption} ({identifier}).",
        alt=f"The triangle of loads, cut by a straight line. On one side the deviation is negative, on the other positive. "
        f"The chain has the sign of the formula at {right} of {len(grid)} points.",
    )  # fmt: skip
