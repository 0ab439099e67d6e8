"""Drawing a figure and publishing it: one style, one way to lay simulation over exact answers, one file a figure."""

import io
import json
import re
from dataclasses import dataclass

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import to_hex
from matplotlib.container import ErrorbarContainer
from matplotlib.lines import Line2D
from matplotlib.text import Text

from clustershare.arguments import fail
from compendium import places
from compendium.press import drawn
from compendium.study import points as studied

# Okabe and Ito's palette: told apart by readers with any colour vision. Every series has its own marker as well.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")

WIDTH = 5.2  # inches, of all figures
PHONE = 342  # pixels that a figure has across in the book on a phone of 390, measured
SMALL_PRINT = 10.9  # pixels: text of 12 points has 10.96

# What a caption says of rings; see `compendium.study.run`.
RINGED = "A ring marks a point whose runs are short for such a system: its interval may hold too rarely."

STYLE = {
    # A phone shows a figure of this width so that its text is as large as the page's small print.
    "figure.figsize": (WIDTH, 3.6),
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "figure.constrained_layout.use": True,
    "font.size": 12,
    "axes.titlesize": "medium",
    "axes.grid": True,
    "grid.alpha": 0.3,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
    "legend.frameon": False,
    # Text as outlines and fixed identifiers: the file is the same bytes on every machine.
    "svg.fonttype": "path",
    "svg.hashsalt": "clustershare",
}


def scale(number):
    """Colours for so many values of an ordered parameter, from dark blue to orange.

    Examples
    --------
    >>> scale(3)
    ['#0d0887', '#a11b9b', '#f2844b']
    """
    return [to_hex(colour) for colour in matplotlib.colormaps["plasma"](np.linspace(0, 0.7, number))]


def axes(xlabel, ylabel, **settings):
    """A new figure in the book's style.

    Parameters
    ----------
    xlabel, ylabel : str
    **settings
        Passed to the axes' ``set``, such as ``xlim=(0, 1)``.

    Returns
    -------
    figure : matplotlib.figure.Figure
    axes : matplotlib.axes.Axes
    """
    figure, plot = canvas()
    plot.set(xlabel=xlabel, ylabel=ylabel, **settings)
    return figure, plot


def stacked(titles, xlabel, ylabel, **settings):
    """A new figure of axes one below the other, which share the abscissa and its label.

    Parameters
    ----------
    titles : sequence of str
        One for each of the axes.
    xlabel, ylabel, **settings
        As for `axes`.

    Returns
    -------
    figure : matplotlib.figure.Figure
    plots : list of matplotlib.axes.Axes
    """
    figure, plots = canvas(len(titles), figsize=(WIDTH, 1 + 2.2 * len(titles)), sharex=True)
    for plot, title in zip(plots, titles):
        plot.set(title=title, ylabel=ylabel, **settings)
    plots[-1].set_xlabel(xlabel)
    return figure, list(plots)


def canvas(rows=1, **settings):
    """A new figure in the book's style with `rows` bare axes; settings are those of matplotlib's ``subplots``."""
    matplotlib.rcParams.update(STYLE)  # for what is added later too, such as a legend
    figure, plots = plt.subplots(rows, **settings)
    plt.close(figure)  # shown by `publish` only
    return figure, plots


def exact_line(plot, x, y, series, label, **style):
    """An exact answer: a line in the colour of series number `series`.

    It is rounded to nine digits, because its last bits may differ between two runs, and the file must not.
    """
    y = [float(f"{value:.9g}") for value in y]
    plot.plot(x, y, **{"color": COLOURS[series % len(COLOURS)], "label": label, **style})


def simulated_points(plot, frame, x, series, label, *, marker=None, **style):
    """Simulated points with their 95 % intervals; a ring around those whose intervals may hold too rarely.

    Points with the label of an exact line are named with it, once (see `legend`). `publish` says in the caption what a
    ring means.

    Parameters
    ----------
    plot : matplotlib.axes.Axes
    frame : pandas.DataFrame
        Rows of `compendium.study.run`, one a point.
    x : str or array_like
        A column of `frame`, or the abscissae.
    series : int
        Number of the series: its colour and marker.
    label : str
    marker : str, optional
        In place of the series' own.
    **style
        Of the ``errorbar``.
    """
    abscissae = frame[x] if isinstance(x, str) else x
    given = {"color": COLOURS[series % len(COLOURS)], "capsize": 2.5, "label": label, **style}
    marker = marker or MARKERS[series % len(MARKERS)]
    plot.errorbar(abscissae, frame["estimate"], frame["half_width"], marker=marker, linestyle="none", **given)
    if "warning" in frame and (short := frame["warning"] != "").any():
        ring = {"marker": "o", "markersize": 13, "markerfacecolor": "none", "color": "0.5", "linestyle": "none"}
        plot.plot(np.asarray(abscissae)[short], frame["estimate"][short], gid=drawn.RING, **ring)


def simulated_series(plot, frame, x, by, label):
    """Simulated points, a series for each value of a column.

    Parameters
    ----------
    plot, frame, x
        As for `simulated_points`.
    by : str
        The column; its values in the order of the frame.
    label : str
        With ``{}`` for the value.
    """
    for number, (value, rows) in enumerate(frame.groupby(by, sort=False)):
        simulated_points(plot, rows, x, number, label.format(value))


def legend(figure, named=()):
    """Name each series of a figure once, above its axes, in as few lines as fit; in place of any other legend.

    What has the same label, in one panel or in several, has one entry: an exact line and the points on it together.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    named : collection of str, optional
        Labels that stand in the drawing, at what they name.
    """
    entries = {}
    for plot in figure.axes:
        if plot.get_legend():
            plot.get_legend().remove()
        for handle, label in zip(*plot.get_legend_handles_labels()):
            if label not in named:
                entries.setdefault(label, {}).setdefault(_look(handle), handle)
    for other in tuple(figure.legends):
        other.remove()
    if len(entries) < 2:
        return  # the caption says what it is
    both = any(len({type(handle) for handle in looks.values()}) > 1 for looks in entries.values())
    handles = [tuple(looks.values()) for looks in entries.values()]
    for columns in _columns(len(entries)):
        drawn_legend = figure.legend(
            handles, entries, loc="outside upper left", ncols=columns, columnspacing=1.2, handlelength=1.8,
            title="lines: exact, points: simulated" if both else None, alignment="left",
        )  # fmt: skip
        box = drawn_legend.get_window_extent()
        if columns == 1 or box.width <= figure.bbox.width:
            figure.set_figheight(figure.get_figheight() + box.height / figure.dpi)  # the axes stay as high as they were
            return
        drawn_legend.remove()


def _columns(entries, most=4):
    """Numbers of columns to try: the fewest lines first, in as few columns as these lines need, all about full.

    What would leave the last entry alone on its line comes last but for a single column.

    Examples
    --------
    >>> [_columns(entries) for entries in (4, 5, 7, 10)]
    [[4, 2, 1], [3, 2, 1], [4, 3, 2, 1], [4, 2, 3, 1]]
    """
    lines = sorted({-(-entries // columns) for columns in range(1, min(entries, most) + 1)})
    columns = [-(-entries // number) for number in lines]
    return sorted(columns, key=lambda number: (number == 1, number > 1 and entries % number == 1))


def break_labels(figure):
    """Break the labels of axes that are longer than their axes, at the space nearest to the middle."""
    figure.draw_without_rendering()
    for plot in figure.axes:
        room = plot.get_window_extent()
        for label, long in (
            (plot.yaxis.label, plot.yaxis.label.get_window_extent().height > room.height),
            (plot.xaxis.label, plot.xaxis.label.get_window_extent().width > 1.1 * room.width),
        ):
            text = label.get_text()
            spaces = [k for k, sign in enumerate(text) if sign == " " and text[:k].count("$") % 2 == 0]
            if long and label.get_visible() and "\n" not in text and spaces:
                middle = min(spaces, key=lambda k: abs(k - len(text) / 2))
                label.set_text(f"{text[:middle]}\n{text[middle + 1 :]}")


def smallest_text(figure):
    """The size in points of the smallest text of a figure."""
    return min((text.get_fontsize() for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()),
               default=float("inf"))  # fmt: skip


def _look(handle):
    """What tells the entries of one label apart."""
    line = handle[0] if isinstance(handle, ErrorbarContainer) else handle
    return type(handle), line.get_marker() if isinstance(line, Line2D) else None


@dataclass(frozen=True)
class Published:
    """A figure as the notebook shows it; its caption and alt text travel in the output's metadata."""

    identifier: str
    caption: str
    alt: str
    svg: str

    def __repr__(self):
        return f"<figure {self.identifier}>"

    def _repr_mimebundle_(self, include=None, exclude=None):
        described = {"figure": self.identifier, "caption": self.caption, "alt": self.alt}
        return {"image/svg+xml": self.svg, "text/plain": repr(self)}, {"clustershare": described}


def named_clips(svg, identifier):
    """A drawing whose clip paths are called by their order.

    Matplotlib calls a clip path by a hash of its unrounded corners, and the last bits of these differ between machines.
    """
    old = dict.fromkeys(re.findall(r'<clipPath id="(\w+)"', svg))
    new = {name: f"clip-{identifier}-{number}" for number, name in enumerate(old, 1)}
    return re.sub(r'(?<=["#])\w+(?=["\)])', lambda found: new.get(found[0], found[0]), svg)


def publish(figure, identifier, *, caption, alt, fidelity=None, named=()):
    """Write a figure with its legend to ``figures/<identifier>.svg`` and hand it to the notebook.

    Its points stand beside it as ``<identifier>.csv`` (see `drawn`); where the figures of a build or of a reader go,
    what the page had read of the results store by then as ``<identifier>.json``.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        With a label on each axis that is drawn.
    identifier : str
        The source figure's identifier, as in ``data/figures.csv``.
    caption, alt : str
        Caption under the figure; text for readers who cannot see it.
    fidelity : str, optional
        Of the simulated points, if any: `quick` is written across the figure.
    named : collection of str, optional
        What the legend leaves out: see `legend`.

    Returns
    -------
    Published

    Raises
    ------
    ValueError
        If the caption, the alt text or an axis label is missing, or if text would be too small on a phone.
    """
    for name, text in (("caption", caption), ("alt", alt)):
        if not isinstance(text, str) or not text.strip():
            fail(name, text, "a sentence")
    for number, plot in enumerate(figure.axes):
        shared = plot.xaxis.get_tick_params().get("labelbottom") is False  # the abscissa stands under other axes
        if plot.axison and not (plot.get_ylabel() and (shared or plot.get_xlabel())):
            fail(f"figure.axes[{number}]", "an axis without a label", "labelled on both axes")
    legend(figure, named)
    break_labels(figure)
    size = smallest_text(figure)
    if size * PHONE < SMALL_PRINT * 72 * figure.get_figwidth():
        fail("figure", f"text of {size:g} points on {figure.get_figwidth():g} inches", "legible on a phone")
    if any(line.get_gid() == drawn.RING for plot in figure.axes for line in plot.lines):
        caption = f"{caption.strip().rstrip('.')}. {RINGED}"
    if fidelity == "quick":
        figure.text(
            0.5, 0.5, "quick fidelity", fontsize=34, color="0.5", alpha=0.35, rotation=20, ha="center", va="center"
        )
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    svg = named_clips(buffer.getvalue(), identifier)
    folder = places.figures()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{identifier}.svg").write_text(svg, encoding="utf-8")
    if points := drawn.text(figure):
        (folder / f"{identifier}.csv").write_text(points, encoding="utf-8")
    if folder != places.ROOT / "figures":
        (folder / f"{identifier}.json").write_text(json.dumps(studied.read()) + "\n", encoding="utf-8")
    return Published(identifier, " ".join(caption.split()), " ".join(alt.split()), svg)
