"""What part of each processor each group has, as in `thesis`, Figures 5.2, 5.3, 5.4; jobs step by step."""

import numpy as np

from compendium.press.figures import COLOURS, WIDTH, axes, canvas


def parts(X, names=None):
    """Processors as bars, divided among the groups: each has its number and a colour of its own.

    Parameters
    ----------
    X : array_like, shape (groups, processors)
        The part of a processor that a group has.
    names : sequence of str, optional
        Of the processors; their numbers if not given.

    Returns
    -------
    matplotlib.figure.Figure
    """
    X = np.asarray(X, dtype=float)
    groups, processors = X.shape
    figure, plot = axes("processor", "part of the processor", ylim=(0, 1), xlim=(0.4, processors + 0.6))
    figure.set_size_inches(min(WIDTH, 1.4 + 0.8 * processors), 2.6)
    plot.grid(False)
    plot.set_xticks(range(1, processors + 1), names)
    for p in range(processors):
        floor = 0.0
        for g in range(groups):
            part = X[g, p]
            if part > 0:
                colour = COLOURS[g % len(COLOURS)]
                plot.bar(
                    p + 1, part, bottom=floor, width=0.8, color=colour, alpha=0.45, edgecolor="black", linewidth=0.8
                )
                plot.text(p + 1, floor + part / 2, f"{g + 1}", ha="center", va="center")
                floor += part
    return figure


def stacks(states, titles, subsets, named=True):
    """Jobs on processors, step after step: a box for each job, with the number and the colour of its group.

    Parameters
    ----------
    states : sequence of tuple of tuple of int
        ``jobs[p][g]`` in each step.
    titles : sequence of str
        Of the steps.
    subsets : sequence of set of int
        The processors of each group, counted from 0. Jobs elsewhere are guests: hatched.
    named : bool
        Whether each job has the number of its group.

    Returns
    -------
    matplotlib.figure.Figure
    """
    processors = len(states[0])
    most = max(sum(row) for jobs in states for row in jobs)
    columns = min(len(states), 3)
    rows = -(-len(states) // columns)
    figure, plots = canvas(rows, ncols=columns, figsize=(WIDTH, rows * (1.0 + 0.45 * most)), squeeze=False)
    for plot in plots.flat:
        plot.set(xlim=(-0.6, processors - 0.4), ylim=(-0.75, most + 0.9))
        plot.set_axis_off()
    left = 0
    for plot, jobs, title in zip(plots.flat, states, titles):
        plot.text(left + (processors - 1) / 2, most + 0.45, title, ha="center", va="center")
        for p, row in enumerate(jobs):
            x, floor = left + p, 0
            plot.plot([x - 0.45, x + 0.45], [0, 0], color="black", linewidth=1.2)
            plot.text(x, -0.4, f"{p + 1}", ha="center", va="center", color="0.35")
            for g, count in enumerate(row):
                for _ in range(count):
                    plot.bar(
                        x, 0.86, bottom=floor + 0.06, width=0.8, color=COLOURS[g % len(COLOURS)], alpha=0.45,
                        edgecolor="black", linewidth=0.8, hatch="" if p in subsets[g] else "///",
                    )  # fmt: skip
                    if named:
                        plot.text(
                            x, floor + 0.49, f"{g + 1}", ha="center", va="center", bbox={
                                "boxstyle": "circle,pad=0.12", "facecolor": "white", "edgecolor": "none", "alpha": 0.8,
                            },
                        )  # fmt: skip
                    floor += 1
    return figure


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
