"""The figures of `thesis`, Chapter 3: share deviations against one parameter, and over two."""

import numpy as np
from matplotlib.colors import BoundaryNorm
from matplotlib.path import Path

from compendium.press.figures import COLOURS, WIDTH, axes, canvas, exact_line, publish, simulated_points
from pages.figures import colour, marks

QUANTITIES = {
    "group_share_deviation": "group-share deviation $\\Delta^G$",
    "job_share_deviation": "job-share deviation $\\Delta^J$",
}
OPEN = {"markerfacecolor": "none", "capsize": 0, "markeredgewidth": 1.3}


def priority_deviations(identifier, x, curves, load):
    """Publish the group-share deviation under PQ against the split of a load: `thesis`, Figure 3.4.

    By the required share of group 1, the larger deviation over the fractions x.
    """
    figure, plot = axes(
        "fraction of the load from group 1, $\\lambda_1/\\lambda$", QUANTITIES["group_share_deviation"], xlim=(0, 1)
    )
    plot.axhline(0, color="0.4", linewidth=0.8)
    words = []
    for number, (share, curve) in enumerate(curves.items()):
        exact_line(plot, x, curve, number, f"$r_1 = {share:g}$")
        words.append(f"{curve.max():.3f} at {x[curve.argmax()]:.2f} for {share:g}")
    return publish(
        figure, identifier,
        caption=f"The group-share deviation under PQ against the split of a load of {load:g}, for several required "
                f"shares of group 1, by formula ({identifier}). Load and shares are our choice.",
        alt="A curve for each required share of group 1. Each falls in a straight line, turns, rises above zero and "
            f"returns to zero at the right end. Highest points: {', '.join(words)}.",
    )  # fmt: skip


def deviations_of_both_groups(identifier, rows, x, exact, load, *, fidelity):
    """Publish both deviations under UD against the split, equal shares: `thesis`, Figure 3.6 (thesis-fig-3.6).

    The rows are simulated group-share deviations of UD over `fraction`; at the fractions x UD is HOL, and has the
    `exact` deviations, shape (points, 2).
    """
    figure, plot = axes("fraction of the load from group 1, $x$", "group-share deviation $\\Delta_g^G$", xlim=(0, 0.51))
    words = []
    for group in range(2):
        if len(x):
            exact_line(plot, x, exact[:, group], group, f"group {group + 1}", linestyle="--")
        chosen = rows[rows["index"] == group]
        simulated_points(plot, chosen, "fraction", group, f"group {group + 1}")
        first, last = chosen["estimate"].iloc[[0, -1]]
        words.append(f"group {group + 1} from {first:.4f} to {last:.4f}")
    return publish(
        figure, identifier, fidelity=fidelity,
        caption="Both group-share deviations under UD against the split of the load; equal required shares, load "
                f"{load:g} ({identifier}). Lines: the formula of HOL, where UD is HOL; from there on, the "
                "points of both groups are one. Intervals of 95 %.",
        alt=f"Points of two groups, {' and '.join(words)}. They start on dashed lines, which end where the "
            "groups meet.",
    )  # fmt: skip


def deviations_against(
    identifier, curves, rows, *, x, xlabel, caption, told, quantity="group_share_deviation", fidelity, closer=None,
    **settings,
):  # fmt: skip
    """Publish deviations against one parameter: exact lines, simulated points, a colour for each policy.

    `thesis`, Figures 3.7, 3.8, 3.9, 3.10, 3.11, 3.12, 3.13, 3.14, 3.15 (thesis-fig-3.7 and so on).

    The lines are `points.Curve`, by policy; that of UD is dashed. The rows are simulated points, one a point, with a
    column `policy` and the column `x` that goes across. `told` is where the alt text gives the numbers; a second panel
    shows the part of the first between the ordinates `closer`.
    """
    ranges = [None] if closer is None else [None, closer]
    figure, plots = canvas(len(ranges), figsize=(WIDTH, 1.0 + 2.6 * len(ranges)), squeeze=False, sharex=True)
    plots = list(plots[:, 0])
    words = []
    names = {policy: curve.label for curve in curves.values() for policy in curve.label.split(", ")}
    for plot, limits in zip(plots, ranges):
        plot.set(ylabel=QUANTITIES[quantity], **settings)
        if limits:
            plot.set(ylim=limits, title="part of the same")
        plot.axhline(0, color="0.4", linewidth=0.8)
        for policy, curve in curves.items():  # UD dashed and on top: where it is another policy, both are seen
            style = {"linestyle": "--", "zorder": 2.5} if policy == "UD" else {}
            exact_line(plot, curve.x, curve.deviation, 0, curve.label, color=colour(policy), **style)
        for policy, chosen in rows.groupby("policy", sort=False):  # open, so that coinciding points are all seen
            simulated_points(plot, chosen, x, 0, names.get(policy, policy), **{**marks(policy), **OPEN})
    plots[-1].set_xlabel(xlabel)
    for curve in curves.values():
        if np.isfinite(value := np.interp(told, curve.x, curve.deviation)):
            words.append(f"{curve.label} {value:.4f}")
    for policy, chosen in rows.groupby("policy", sort=False):
        nearest = chosen.iloc[(chosen[x] - told).abs().argmin()]
        words.append(f"{policy} simulated {nearest['estimate']:.4f}")
    shared = any(", " in curve.label for curve in curves.values())
    return publish(
        figure, identifier, fidelity=fidelity,
        caption=f"{caption} ({identifier}). {'Policies named together are on one line. ' if shared else ''}"
                f"{'The line of UD is dashed. ' if 'UD' in curves else ''}Intervals of 95 %.",
        alt=f"{QUANTITIES[quantity].split(' $')[0].capitalize()} against {xlabel.split(', $')[0]}. "
            f"At {told:g}: {', '.join(words)}.",
    )  # fmt: skip


def deviation_maps(identifier, planes, caption, limit=0.3):
    """Publish maps of a deviation over load split and required share, side by side, one cell a point.

    By name, each a `planes.Plane` of the same grid. Colours change from violet to orange at 0, and end at the limit.
    """
    xlabel, ylabel = "part of the load of group 1, $x$", "required share $r_1$"
    rows = -(-len(planes) // 2)
    figure, plots = canvas(rows, ncols=2, figsize=(WIDTH, 0.7 + 2.1 * rows), squeeze=False, sharex=True, sharey=True)
    words, norm = [], BoundaryNorm(np.linspace(-limit, limit, 13), 256, extend="both")
    for plot in plots.flat[len(planes) :]:
        plot.remove()
    for number, (plot, (name, plane)) in enumerate(zip(plots.flat, planes.items())):
        plot.set(title=name, aspect="equal", xlabel=xlabel, ylabel=ylabel)
        lowest = number + 2 >= len(planes)
        plot.xaxis.label.set_visible(lowest)
        plot.yaxis.label.set_visible(number % 2 == 0)
        plot.tick_params(labelbottom=lowest)
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

    At the points, pairs of loads, the deviations are from a chain. The corners are those of the region in which the
    formula is positive, within the triangle of loads below 1; the boundary is the line between the first two. The
    identifier is thesis-fig-3.2 or thesis-fig-3.3.
    """
    figure, plot = axes(xlabel, ylabel, xlim=(0, 1), ylim=(0, 1), aspect="equal")
    plot.fill((0, 1, 0), (0, 0, 1), color="#d4ecf8", label="formula: $\\Delta < 0$")
    plot.fill(*zip(*positive), color="#f3d2ba", label="formula: $\\Delta > 0$")  # opaque: the colour of its legend
    plot.plot(*zip(*positive[:2]), color=COLOURS[-1], label="$\\Delta = 0$")
    for chosen, marker, name in ((deviations < 0, "v", "< 0"), (deviations > 0, "^", "> 0")):
        plot.plot(*points[chosen].T, marker, color="0.2", markersize=4, label=f"chain: $\\Delta {name}$")
    right = int((Path(positive).contains_points(points) == (deviations > 0)).sum())
    return publish(
        figure, identifier,
        caption=f"{caption} ({identifier}). Shares, rates and the grid of the chain are our choice.",
        alt="The triangle of loads, cut by a straight line. On one side the deviation is negative, on the other "
            f"positive. The chain has the sign of the formula at {right} of {len(points)} points.",
    )  # fmt: skip


def timelines(served, until):
    """When one processor serves which job until a time, a lane for each policy, and above them when the jobs arrive.

    By policy, of each job its group, its arrival, and from when until when it is served; the jobs are the same.
    """
    figure, plot = axes("time $t$", "policy", xlim=(0, until), ylim=(len(served) + 0.5, -0.5))
    figure.set_size_inches(WIDTH, 1.4 + 0.7 * len(served))
    for lane, jobs in enumerate(served.values(), 1):
        by_group = sorted(enumerate(jobs, 1), key=lambda job: job[1][0])  # the order of the legend
        for number, (group, arrival, periods) in by_group:
            colour_of_group, label = COLOURS[group], f"group {group + 1}"
            if lane == 1:
                plot.plot(arrival, 0.15, "v", color=colour_of_group, markersize=7)
                plot.text(arrival, -0.02, str(number), ha="center", va="bottom")
            for begin, end in periods:
                plot.barh(
                    lane, end - begin, 0.6, left=begin, align="center", color=colour_of_group, alpha=0.45,
                    edgecolor="white", label=label,
                )  # fmt: skip
                if end - begin > 0.15:  # there is room
                    plot.text((begin + end) / 2, lane, str(number), ha="center", va="center")
    plot.set_yticks(range(len(served) + 1), ["arrivals", *served])
    plot.grid(axis="y", visible=False)
    return figure


def divided(shares):
    """How a processor is divided among jobs, a bar for each case: a piece for each job, in the colour of its group.

    By the name of the case, of each group the part of each of its jobs.
    """
    figure, plot = axes("part of the processor", "policy and jobs", xlim=(0, 1), ylim=(len(shares) - 0.5, -0.5))
    figure.set_size_inches(WIDTH, 1.2 + 0.6 * len(shares))
    for lane, groups in enumerate(shares.values()):
        left = 0.0
        for group, jobs in enumerate(groups):
            for part in jobs:
                plot.barh(
                    lane, part, 0.7, left=left, color=COLOURS[group], alpha=0.45, edgecolor="white",
                    label=f"group {group + 1}",
                )  # fmt: skip
                plot.text(left + part / 2, lane, f"{part:.2f}", ha="center", va="center")
                left += part
    plot.set_yticks(range(len(shares)), list(shares))
    plot.grid(axis="y", visible=False)
    return figure
