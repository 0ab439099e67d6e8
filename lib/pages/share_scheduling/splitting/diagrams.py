"""Who is served where and when: timetables of processors, as in `thesis`, Figures 4.1, 4.2, 4.3."""

import numpy as np

from compendium.press.figures import COLOURS, WIDTH, axes


def timetable(rows):
    """Bars in time, one row for each processor, a colour and a number for each job.

    Parameters
    ----------
    rows : sequence of (str, ndarray, ndarray of int)
        The processor, the times at which its pieces begin and 1, and the job of each piece, counted from 0 (-1: none).

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, plot = axes("time", "processor", xlim=(0, 1), ylim=(len(rows) - 0.5, -0.5))
    figure.set_size_inches(WIDTH, 0.9 + 0.55 * len(rows))
    plot.grid(False)
    plot.set_yticks(range(len(rows)), [label for label, _, _ in rows])
    for row, (_, breaks, served) in enumerate(rows):
        for start, length, job in zip(breaks[:-1], np.diff(breaks), served):
            if job < 0:
                continue
            colour = COLOURS[job % len(COLOURS)]
            plot.barh(row, length, left=start, height=0.7, color=colour, alpha=0.45, edgecolor="black", linewidth=0.8)
            if length > 0.04:
                plot.text(start + length / 2, row, f"{job + 1}", ha="center", va="center", clip_on=True)
    return figure
