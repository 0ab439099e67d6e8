"""Processors at several moments, one column each: how many jobs of each group are there, and what the group obtains."""

import numpy as np

from compendium.press.figures import COLOURS, WIDTH, axes


def moments(jobs, obtained, names):
    """Draw a story: each processor at each moment is a box that is divided among the groups there.

    Parameters
    ----------
    jobs : array_like of int, shape (moments, processors, groups)
        Numbers of jobs; they are written into the boxes.
    obtained : array_like, shape (moments, processors, groups)
        What part of the processor each group has.
    names : sequence of str
        Of the moments.

    Returns
    -------
    matplotlib.figure.Figure
    """
    jobs, obtained = np.asarray(jobs), np.asarray(obtained, dtype=float)
    count, processors, groups = jobs.shape
    figure, plot = axes("after the event", "processor", xlim=(0.5, count + 0.5), ylim=(processors + 0.5, 0.5))
    figure.set_size_inches(WIDTH, 1.3 + 0.55 * processors)
    plot.grid(False)
    plot.set_xticks(range(1, count + 1), names)
    plot.set_yticks(range(1, processors + 1))
    for moment, p in np.ndindex(count, processors):
        _box(plot, moment + 0.57, p + 0.6, 0.86, 0.8, "white")
        left = moment + 0.57
        for g in range(groups):
            if jobs[moment, p, g]:
                width = 0.86 * obtained[moment, p, g]
                _box(plot, left, p + 0.6, width, 0.8, COLOURS[g % len(COLOURS)])
                plot.text(left + width / 2, p + 1, f"{jobs[moment, p, g]}", ha="center", va="center")
                left += width
    for g in range(groups):
        plot.bar(0, 0, color=COLOURS[g % len(COLOURS)], alpha=0.45, edgecolor="black", label=f"jobs of group {g + 1}")
    return figure


def _box(plot, left, bottom, width, height, colour):
    alpha = 1 if colour == "white" else 0.45
    plot.bar(left, height, width, bottom, align="edge", color=colour, alpha=alpha, edgecolor="black", linewidth=0.6)
