"""The figures of `thesis`, Chapter 3: share deviations against one parameter, and over two."""

import numpy as np
from matplotlib.colors import BoundaryNorm
from matplotlib.path import Path

from compendium.press.figures import COLOURS, axes, exact_line, publish, simulated_points

QUANTITIES = {
    "group_share_deviation": "group-share deviation $\\Delta^G$",
    "job_share_deviation": "job-share deviation $\\Delta^J$",
}
COLOUR = {policy: number for number, policy in enumerate(("FCFS", "HOL", "UD", "PQ", "PS", "PPS", "GPPS"))}


def priority_deviations(identifier, x, curves, load):
    """Publish the group-share deviation under PQ against the split of a load: `thesis`, Figure 3.4.

    Parameters
    ----------
    identifier : str
    x : ndarray, shape (points,)
        Fractions of the load.
    curves : dict
        Required share of group 1: the larger deviation, shape (points,).
    load : float

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plot = axes(
        "fraction of the load from group 1, $\\lambda_1/\\lambda$", QUANTITIES["group_share_deviation"], xlim=(0, 1)
    )
    plot.axhline(0, color="0.4", linewidth=0.8)
    words = []
    for number, (share, curve) in enumerate(curves.items()):
        exact_line(plot, x, curve, number, f"$r_1 = {share:g}$")
        words.append(f"{curve.max():.3f} at {x[curve.argmax()]:.2f} for {share:g}")
    plot.legend()
    return publish(
        figure, identifier,
        caption=f"The group-share deviation under PQ against the split of a load of {load:g}, for several required "
                f"shares of group 1, by formula ({identifier}).",
        alt="A curve for each required share of group 1. Each falls in a straight line, turns, rises above zero and "
            f"returns to zero at the right end. Highest points: {', '.join(words)}.",
    )  # fmt: skip


def deviations_of_both_groups(identifier, rows, x, exact, load, *, fidelity):
    """Publish both deviations under UD against the split, equal shares: `thesis`, Figure 3.6 (thesis-fig-3.6).

    Parameters
    ----------
    identifier : str
    rows : pandas.DataFrame
        Simulated group-share deviations of UD over `fraction`.
    x : ndarray, shape (points,)
        Fractions at which UD is HOL.
    exact : ndarray, shape (points, 2)
        The deviations of the groups there.
    load : float
    fidelity : str

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plot = axes("fraction of the load from group 1, $x$", "group-share deviation $\\Delta_g^G$", xlim=(0, 0.51))
    words = []
    for group in range(2):
        if len(x):
            exact_line(plot, x, exact[:, group], group, f"group {group + 1}: UD is HOL (formula)", linestyle="--")
        chosen = rows[rows["index"] == group]
        simulated_points(plot, chosen, "fraction", group, f"group {group + 1}: UD (simulated)")
        first, last = chosen["estimate"].iloc[[0, -1]]
        words.append(f"group {group + 1} from {first:.4f} to {last:.4f}")
    plot.legend()
    return publish(
        figure, identifier, fidelity=fidelity,
        caption="Both group-share deviations under UD against the split of the load; equal required shares, load "
                f"{load:g} ({identifier}). Intervals of 95 %.",
        alt=f"Points of two groups, {' and '.join(words)}. They start on dashed lines, which end where the "
            "groups meet.",
    )  # fmt: skip


def deviations_against(
    identifier, curves, rows, *, x, xlabel, caption, told, quantity="group_share_deviation", fidelity, **settings
):
    """Publish deviations against one parameter: exact lines, simulated points, a colour for each policy.

    `thesis`, Figures 3.7, 3.8, 3.9, 3.10, 3.11, 3.12, 3.13, 3.14, 3.15 (thesis-fig-3.7 and so on).

    Parameters
    ----------
    identifier : str
    curves : dict
        Policy: its line, a `pages.share_scheduling.one_processor.deviations.Curve`. That of UD is dashed.
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
    for policy, curve in curves.items():
        style = "--" if policy == "UD" else "-"
        exact_line(plot, curve.x, curve.deviation, COLOUR[policy], curve.label, linestyle=style)
        if np.isfinite(value := np.interp(told, curve.x, curve.deviation)):
            words.append(f"{curve.label} {value:.4f}")
    for policy, chosen in rows.groupby("policy", sort=False):
        simulated_points(plot, chosen, x, COLOUR[policy], f"{policy} (simulated)")
        nearest = chosen.iloc[(chosen[x] - told).abs().argmin()]
        words.append(f"{policy} simulated {nearest['estimate']:.4f}")
    figure.set_size_inches(6.4, 4.8)
    figure.legend(loc="outside upper center", fontsize="x-small", ncols=4)
    return publish(
        figure, identifier, fidelity=fidelity,
        caption=f"{caption} ({identifier}). Intervals of 95 %.",
        alt=f"{QUANTITIES[quantity].split(' $')[0].capitalize()} against {xlabel.split(', $')[0]}. "
            f"At {told:g}: {', '.join(words)}.",
    )  # fmt: skip


def deviation_maps(identifier, planes, caption, limit=0.3):
    """Publish maps of a deviation over load split and required share, side by side, one cell a point.

    Parameters
    ----------
    identifier : str
    planes : dict
        Name: `pages.share_scheduling.one_processor.planes.Plane`, all of the same grid.
    caption : str
    limit : float
        Where the colours end; they change from violet to orange at 0.

    Returns
    -------
    compendium.press.figures.Published
    """
    xlabel, ylabel = "part of the load of group 1, $x$", "required share $r_1$"
    figure, first = axes(xlabel, ylabel)
    first.remove()
    figure.set_size_inches(3.1 * len(planes) + 0.6, 3.4)
    words, norm = [], BoundaryNorm(np.linspace(-limit, limit, 13), 256, extend="both")
    for number, (name, plane) in enumerate(planes.items()):
        plot = figure.add_subplot(1, len(planes), number + 1, xlabel=xlabel, ylabel=ylabel, title=name)
        values = np.round(plane.deviation, 6) + 0.0  # -0.0 is 0.0
        drawn = plot.pcolormesh(plane.grid, plane.grid, values - 1e-9, cmap="PuOr_r", norm=norm)  # 0 keeps the promise
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


def sign_region(identifier, points, deviations, positive, *, xlabel, ylabel, caption):
    """Publish where a deviation is positive by formula, with its sign in a chain: `thesis`, Figures 3.2, 3.3.

    Parameters
    ----------
    identifier : str
        thesis-fig-3.2 or thesis-fig-3.3.
    points : ndarray, shape (points, 2)
        Loads.
    deviations : ndarray, shape (points,)
        From a chain.
    positive : list of (float, float)
        Corners of the region in which the formula is positive, within the triangle of loads below 1. The boundary is
        the line between the first two.
    xlabel, ylabel, caption : str

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plot = axes(xlabel, ylabel, xlim=(0, 1), ylim=(0, 1), aspect="equal")
    plot.fill((0, 1, 0), (0, 0, 1), color=COLOURS[4], alpha=0.25, label="by formula: $\\Delta < 0$")
    plot.fill(*zip(*positive), color=COLOURS[1], alpha=0.35, label="by formula: $\\Delta > 0$")
    plot.plot(*zip(*positive[:2]), color=COLOURS[-1], label="$\\Delta = 0$")
    for chosen, marker, name in ((deviations < 0, "v", "< 0"), (deviations > 0, "^", "> 0")):
        plot.plot(*points[chosen].T, marker, color="0.2", markersize=4, label=f"in the chain: $\\Delta {name}$")
    plot.legend(fontsize="small", loc="upper right")
    right = int((Path(positive).contains_points(points) == (deviations > 0)).sum())
    return publish(
        figure, identifier, caption=f"{caption} ({identifier}).",
        alt="The triangle of loads, cut by a straight line. On one side the deviation is negative, on the other "
            f"positive. The chain has the sign of the formula at {right} of {len(points)} points.",
    )  # fmt: skip
