"""What a figure shows, as a table: read back from the lines, points and bars that were drawn."""

import csv
import io

import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.container import BarContainer, ErrorbarContainer

RING = "short-run"  # what a mark around a point is called, which is no point of its own
COLUMNS = ("panel", "abscissa", "ordinate", "series", "x", "y", "half_width")


def rows(figure):
    """The points of a figure, in the order in which they were drawn.

    Parameters
    ----------
    figure : matplotlib.figure.Figure

    Returns
    -------
    list of tuple
        As `COLUMNS`: the panel's title (or number, where there are several without one), the labels of its axes, the
        series as the legend names it, a point, and the half width of its interval or nothing. Labels stand as they were
        given, formulas in TeX.
    """
    plots = [plot for plot in figure.axes if plot.axison]
    found = []
    for number, plot in enumerate(plots, 1):
        panel = plot.get_title() or (str(number) if len(plots) > 1 else "")
        words = (panel, _abscissa(plot, plots), plot.get_ylabel().replace("\n", " "))
        for series, points in _series(plot):
            found += [(*words, series, *map(_written, point)) for point in points]
    return found


def text(figure):
    """The rows as a CSV file with a head; nothing if the figure is a diagram without points."""
    found = rows(figure)
    if not found:
        return ""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([COLUMNS, *found])
    return file.getvalue()


def _abscissa(plot, plots):
    """The label of the abscissa, which panels one above the other have in common."""
    shared = [other for other in plots if plot.get_shared_x_axes().joined(plot, other)]
    found = next((other.get_xlabel() for other in (plot, *reversed(shared)) if other.get_xlabel()), "")
    return found.replace("\n", " ")


def _series(plot):
    """Series of an axes by name, each with its points (x, y, half width)."""
    known = {}  # the legend's names of what belongs to a container
    for container in plot.containers:
        if isinstance(container, ErrorbarContainer) and container[0] is not None:
            known[container[0]] = container.get_label(), _half_widths(container)
        elif isinstance(container, BarContainer):
            bars = [(bar.get_x() + bar.get_width() / 2, bar.get_y() + bar.get_height(), "") for bar in container]
            yield _name(container.get_label()), bars
    exact = {line.get_label() for line in plot.lines}
    limits = {line for container in plot.containers for line in _limits(container)}
    for line in plot.lines:
        if line in limits or line.get_gid() == RING:
            continue
        if line.get_transform() != plot.transData:  # a line across the axes marks a place
            continue
        label, half_widths = known.get(line, (line.get_label(), None))
        if line in known and label in exact:
            label += " (simulated)"  # the legend names it with its line
        x, y = np.asarray(line.get_xdata(orig=False), float), np.asarray(line.get_ydata(orig=False), float)
        yield _name(label), zip(x, y, [""] * len(x) if half_widths is None else half_widths)
    for collection in plot.collections:
        if isinstance(collection, PathCollection):  # of a scatter plot
            yield _name(collection.get_label()), [(*point, "") for point in np.asarray(collection.get_offsets(), float)]


def _limits(container):
    return container[1] if isinstance(container, ErrorbarContainer) else ()


def _half_widths(container):
    """From the bars of the ordinate, as long as the intervals; None where there are none."""
    if not container.has_yerr:
        return None
    bars = container[2][-1].get_segments()
    return [(bar[1][1] - bar[0][1]) / 2 if len(bar) == 2 else "" for bar in bars]


def _name(label):
    return "" if label.startswith("_") else label


def _written(value):
    """To nine digits, for the last bits of an exact answer may differ between two runs."""
    return value if isinstance(value, str) else f"{value:.9g}"
