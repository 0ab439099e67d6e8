"""Drawings of a workload and of policies, from the arrays that they are given.

Their colours are variables with defaults, so that a page shows them light and dark; a text is a text.
"""

import io
import re

import matplotlib
import numpy as np
from matplotlib.figure import Figure

INK = "#010203"  # stands for the colour of text until it is a variable
SERIES = ("#0072B2", "#C04F00", "#007A57", "#A8447F")
MARKERS = ("o", "s", "^", "D")
WIDTH = 6.0  # inches
STYLE = {
    "font.size": 11, "font.family": "sans-serif", "svg.fonttype": "none", "text.parse_math": False,
    "text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": INK, "xtick.color": INK, "ytick.color": INK,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": INK, "grid.alpha": 0.18,
    "axes.axisbelow": True, "legend.frameon": False, "axes.titlesize": "medium", "figure.constrained_layout.use": True,
}  # fmt: skip
LONGEST_NAME = 22


def drawn(name, height, draw, columns=1):
    """An SVG.

    Parameters
    ----------
    name : str
        Letters and hyphens; what is named within begins with it.
    height : float
        Inches.
    draw : callable
        Of the axes.
    columns : int
        Axes side by side.

    Returns
    -------
    str
    """
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": name}):
        figure = Figure(figsize=(WIDTH, height))
        draw(figure.subplots(1, columns))
        file = io.StringIO()
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    svg = file.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.S)
    for k, colour in enumerate(SERIES, 1):
        svg = re.sub(re.escape(colour), f"var(--series-{k}, {colour})", svg, flags=re.I)
    svg = svg.replace(INK, "var(--ink, #1f2328)")
    used = set(re.findall(r"(?:url\(#|href=\"#)([^\")]+)", svg))
    svg = re.sub(r' id="([^"]*)"', lambda m: f' id="{name}-{m[1]}"' if m[1] in used else "", svg)
    return re.sub(r'(url\(#|href="#)', rf"\g<1>{name}-", svg)


def _plainly(axis, ticks=None):
    """Labels of a logarithmic axis, which would be formulas else; ticks are values with their labels."""
    axis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.set_minor_formatter(lambda value, _: "")
    if ticks:
        low, high = sorted(axis.get_view_interval())
        seen = {value: label for value, label in ticks if low <= value <= high}
        if len(seen) > 1:
            axis.set_ticks(list(seen), labels=list(seen.values()))
            axis.set_ticks([], minor=True)


TIMES = (
    (0.001, "1 ms"), (0.1, "0.1 s"), (1, "1 s"), (10, "10 s"), (60, "1 min"), (600, "10 min"), (3600, "1 h"),
    (21600, "6 h"), (86400, "1 d"), (604800, "1 w"), (31557600, "1 y"),
)  # fmt: skip


def short(name):
    """A name as an axis can bear it."""
    shown = "".join(sign if sign.isprintable() else "?" for sign in name)
    return shown if len(shown) <= LONGEST_NAME else f"{shown[: LONGEST_NAME - 1]}…"


def loads(names, brought, promised):
    """What groups bring beside what they are promised."""

    def draw(plot):
        where = np.arange(len(names))[::-1]
        plot.barh(where, 100 * np.asarray(brought), color=SERIES[0], height=0.6, label="load that it brings")
        plot.plot(100 * np.asarray(promised), where, "D", color=SERIES[1], label="share that it is promised")
        plot.set_yticks(where, list(map(short, names)))
        plot.set(xlabel="% of all servers", ylim=(-0.6, len(names) - 0.4))
        plot.set_xlim(left=0)
        plot.figure.legend(loc="outside upper center", ncols=2)
        plot.grid(axis="y", visible=False)

    return drawn("load", 1.5 + 0.34 * len(names), draw)


def sizes(names, of_groups):
    """How many jobs run longer than so long; beside the exponential law of the same mean."""

    def draw(plot):
        every = np.sort(np.concatenate(of_groups))
        for k, (name, own) in enumerate(zip(names, of_groups, strict=True)):
            plot.plot(*_survival(np.sort(own)), color=SERIES[k], label=short(name), ls=("-", "--", "-.", ":")[k])
        grid = np.geomspace(every[0], every[-1], 200)
        law = np.exp(-grid / every.mean())
        plot.plot(grid[law > 0.3 / len(every)], law[law > 0.3 / len(every)], color=INK, lw=1, ls=(0, (1, 1)),
                  label="exponential, same mean")  # fmt: skip
        plot.set(xscale="log", yscale="log", xlabel="run time t", ylabel="part of jobs longer than t")
        _plainly(plot.xaxis, TIMES)
        _plainly(plot.yaxis)
        plot.legend()

    return drawn("sizes", 3.4, draw)


def _survival(values, points=300):
    n = len(values)
    keep = np.unique(np.concatenate([np.linspace(0, n - 1, points).astype(int),
                                     n - np.geomspace(1, n, points).astype(int)]))  # fmt: skip
    return values[keep], 1 - keep / n


def servers(numbers, of_jobs, of_work):
    """Numbers of servers that jobs take, in powers of two."""
    octaves = np.ceil(np.log2(numbers)).astype(int)
    kinds = np.arange(octaves.max() + 1)
    jobs, work = (np.bincount(octaves, part, len(kinds)) for part in (of_jobs, of_work))
    labels = ["1" if k == 0 else "2" if k == 1 else f"{2 ** (k - 1) + 1}–{2**k}" for k in kinds]

    def draw(plot):
        plot.bar(kinds - 0.2, 100 * jobs, 0.38, color=SERIES[0], label="of the jobs")
        plot.bar(kinds + 0.2, 100 * work, 0.38, color=SERIES[1], label="of the work", hatch="//", edgecolor="none")
        crowded = len(kinds) > 6
        plot.set_xticks(kinds, labels, rotation=40 if crowded else 0, ha="right" if crowded else "center")
        plot.set(xlabel="servers that a job takes at once", ylabel="%")
        plot.legend()
        plot.grid(axis="x", visible=False)

    return drawn("servers", 3.2, draw)


def cycles(daily, weekly):
    """Rates of arrivals over the day and over the week, relative to the mean rate."""

    def draw(plots):
        for plot, rates, unit in zip(plots, (daily, weekly), ("hour of the day", "day of the week"), strict=True):
            plot.bar(np.arange(len(rates)), np.nan_to_num(rates), 0.8, color=SERIES[0])
            plot.axhline(1, color=INK, lw=1, ls=(0, (4, 2)))
            plot.set(xlabel=unit, ylabel="arrivals, mean = 1" if plot is plots[0] else "")
            plot.grid(axis="x", visible=False)
        plots[0].set_xticks(range(0, 24, 6))
        plots[1].set_xticks(range(7), range(1, 8))

    return drawn("cycle", 2.7, draw, columns=2)


def bursts(windows, dispersion):
    """Index of dispersion against the length of the window."""

    def draw(plot):
        plot.plot(windows, dispersion, "o-", color=SERIES[0], label="this log")
        plot.axhline(1, color=INK, lw=1, ls=(0, (4, 2)), label="Poisson stream")
        plot.set(xscale="log", yscale="log", xlabel="length of the window", ylabel="variance over mean\nof arrivals")
        _plainly(plot.xaxis, TIMES)
        _plainly(plot.yaxis)
        plot.legend()

    return drawn("bursts", 2.9, draw)


def policies(names, ways, loss, deviation, slowdown):
    """Measures of policies, found in several ways.

    Parameters
    ----------
    names : sequence of str
    ways : sequence of str
    loss, deviation, slowdown : ndarray, shape (ways, policies)
    """

    def draw(plots):
        where = np.arange(len(names))[::-1]
        scaled = (
            (100 * loss, "capacity lost, %"),
            (100 * deviation, "worst deviation, %"),
            (slowdown, "worst slowdown"),
        )
        for plot, (values, label) in zip(plots, scaled, strict=True):
            for k, way in enumerate(ways):
                plot.plot(
                    values[k], where, MARKERS[k], color=SERIES[k], ms=6, mfc="none" if k else SERIES[k], label=way
                )
            plot.set(xlabel=label, ylim=(-0.6, len(names) - 0.4))
            plot.set_yticks(where, names if plot is plots[0] else [""] * len(names))
        seen = slowdown[np.isfinite(slowdown)]
        if len(seen) and seen.max() > 5 * max(seen.min(), 1e-9):
            plots[2].set_xscale("log")
            _plainly(plots[2].xaxis)
        plots[0].set_xlim(left=min(0, plots[0].get_xlim()[0]))
        plots[0].figure.legend(*plots[0].get_legend_handles_labels(), loc="outside upper center", ncols=len(ways))

    return drawn("policies", 1.5 + 0.27 * len(names), draw, columns=3)
