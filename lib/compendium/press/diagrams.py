"""Drawings without axes: boxes, queues, processors and arrows."""

import re

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Ellipse, FancyArrowPatch, Polygon, Rectangle

from clustershare.arguments import fail
from compendium.press.figures import COLOURS, STYLE, WIDTH

KINDS = ("box", "queue", "processor", "text")


def diagram(shapes, arrows=(), *, size=(WIDTH, 3.0)):
    """A drawing of named shapes and arrows between them.

    Parameters
    ----------
    shapes : dict
        By name: kind ("box", "queue", "processor" or "text"), x, y (of the middle, in inches from the lower left
        corner) and the text. A queue is open to the left, a processor is round.
    arrows : iterable of tuple
        Names of the shapes at the tail and at the head; a third entry is the style, "-" for a line.
    size : tuple of float
        Width and height in inches.

    Returns
    -------
    matplotlib.figure.Figure
    """
    matplotlib.rcParams.update(STYLE)
    figure = plt.figure(figsize=size, layout="none")
    plt.close(figure)  # shown by `publish` only
    scale = figure.dpi_scale_trans
    drawn = {}
    for name, (kind, x, y, text) in shapes.items():
        lines = text.split("\n")
        letters = max(len(re.sub(r"\$[^$]*\$", "xx", line)) for line in lines)
        width = max(0.5, 0.09 * letters + 0.2)
        height = 0.22 * len(lines) + 0.18
        style = {"facecolor": "white", "edgecolor": COLOURS[0], "linewidth": 1.3, "transform": scale}
        if kind == "box":
            shape = Rectangle((x - width / 2, y - height / 2), width, height, **style)
        elif kind == "processor":
            shape = Ellipse((x, y), max(0.5, width), 0.5, **{**style, "edgecolor": COLOURS[1]})
        elif kind == "queue":
            ends = [(x - 0.4, y + 0.14), (x + 0.4, y + 0.14), (x + 0.4, y - 0.14), (x - 0.4, y - 0.14)]
            shape = Polygon(ends, closed=False, **style)
            for step in (0.25, 0.1):
                figure.add_artist(
                    plt.Line2D([x + step] * 2, [y - 0.14, y + 0.14], color=COLOURS[0], linewidth=1, transform=scale)
                )
            y -= 0.3
        elif kind == "text":
            shape = Rectangle((x - width / 2, y - height / 2), width, height, **{**style, "edgecolor": "none"})
        else:
            fail("kind", kind, "one of " + ", ".join(KINDS))
        drawn[name] = figure.add_artist(shape)
        figure.text(x, y, text, transform=scale, ha="center", va="center", zorder=3)
    for tail, head, *style in arrows:
        ends = [np.array(shapes[name][1:3]) for name in (tail, head)]
        figure.add_artist(
            FancyArrowPatch(
                *ends, patchA=drawn[tail], patchB=drawn[head], arrowstyle=style[0] if style else "-|>",
                mutation_scale=11, linewidth=1.1, color="0.25", shrinkA=0, shrinkB=0, transform=scale, zorder=2,
            )
        )  # fmt: skip
    return figure
