"""Drawing a figure and publishing it: one style, one way to lay simulation over exact answers, one file a figure."""

import io
from dataclasses import dataclass

import matplotlib
import matplotlib.pyplot as plt

from clustershare.arguments import fail
from compendium import places
from compendium.press import drawn

# Okabe and Ito's palette: told apart by readers with any colour vision. Every series has its own marker as well.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")

STYLE = {
    "figure.figsize": (6.4, 4.0),
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "figure.constrained_layout.use": True,
    "font.size": 11,
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
    figure, plots = canvas(len(titles), figsize=(6.4, 1 + 2.6 * len(titles)), sharex=True)
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
    plot.plot(x, y, color=COLOURS[series % len(COLOURS)], label=label, **style)


def simulated_points(plot, frame, x, series, label, *, marker=None):
    """Simulated points with their 95 % intervals.

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
    """
    abscissae = frame[x] if isinstance(x, str) else x
    plot.errorbar(
        abscissae, frame["estimate"], frame["half_width"], color=COLOURS[series % len(COLOURS)],
        marker=marker or MARKERS[series % len(MARKERS)], linestyle="none", capsize=2.5, label=label,
    )  # fmt: skip


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


def publish(figure, identifier, *, caption, alt, fidelity=None):
    """Write a figure to ``figures/<identifier>.svg`` and hand it to the notebook.

    Where the figures of a build or of a reader go, its points stand beside it as ``<identifier>.csv`` (see `drawn`).

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

    Returns
    -------
    Published

    Raises
    ------
    ValueError
        If the caption, the alt text or an axis label is missing.
    """
    for name, text in (("caption", caption), ("alt", alt)):
        if not isinstance(text, str) or not text.strip():
            fail(name, text, "a sentence")
    for number, plot in enumerate(figure.axes):
        shared = plot.xaxis.get_tick_params().get("labelbottom") is False  # the abscissa stands under other axes
        if plot.axison and not (plot.get_ylabel() and (shared or plot.get_xlabel())):
            fail(f"figure.axes[{number}]", "an axis without a label", "labelled on both axes")
    if fidelity == "quick":
        figure.text(
            0.5, 0.5, "quick fidelity", fontsize=34, color="0.5", alpha=0.35, rotation=20, ha="center", va="center"
        )
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    svg = buffer.getvalue()
    folder = places.figures()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{identifier}.svg").write_text(svg, encoding="utf-8")
    if folder != places.ROOT / "figures" and (points := drawn.text(figure)):
        (folder / f"{identifier}.csv").write_text(points, encoding="utf-8")
    return Published(identifier, " ".join(caption.split()), " ".join(alt.split()), svg)
