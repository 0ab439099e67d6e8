"""What part of each processor each group has, as in `thesis`, Figures 5.2, 5.3, 5.4."""

import numpy as np

from compendium.press.figures import COLOURS, axes


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
    figure.set_size_inches(min(6.4, 1.4 + 0.8 * processors), 2.6)
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
                plot.text(p + 1, floor + part / 2, f"{g + 1}", ha="center", va="center", fontsize=10)
                floor += part
    return figure
