"""The curves of `thesis`, Sections 4.3 to 4.5: exact answers against one parameter, and simulated points on them.

Figures 4.5, 4.6, 4.7, 4.8, 4.9, 4.10, 4.11, 4.12, 4.13, 4.14, 4.15, 4.16, 4.17, 4.18, 4.19, 4.20, 4.21, 4.22, 4.23
(thesis-fig-4.5 and so on).
"""

import numpy as np

from compendium.press import axes, exact_line, publish, simulated_points
from compendium.press.figures import WIDTH, canvas, scale
from pages.figures import marks, name_curves, policy_of


def curves(
    identifier, x, lines, *, labels, caption, told, dashed=(), dots=(), series=None, simulated=None,
    across=None, fidelity=None, ordered=None, named=None, height=None, **settings,
):  # fmt: skip
    """Publish curves over one parameter.

    Parameters
    ----------
    identifier : str
        As in ``data/figures.csv``.
    x : ndarray, shape (points,)
    lines : dict
        Name of a curve: its values, shape (points,); nan where it has none.
    labels : tuple of str
        Of the two axes.
    caption : str
        Without identifier and full stop.
    told : float
        Where the alt text gives the values.
    dashed : collection of str
        The curves that are drawn dashed.
    dots : collection of str
        The curves of which only the points with a value are drawn.
    series : dict, optional
        Name of a curve: number of its colour. Without it, colours go round.
    simulated : dict, optional
        Name of a series of points: its rows of `compendium.study.run`. Points and curve of one name share the colour.
    across : str, optional
        The column of the rows along the axis.
    fidelity : str, optional
        Of the points.
    ordered : dict, optional
        Name of a curve: the value of the parameter by which curves are ordered, and coloured on a scale.
    named : dict or True, optional
        Name of a curve: what is written on it in place of a legend, or nothing; True for the names themselves.
    height : float, optional
        Of the figure, in inches.
    **settings
        Of the axes, such as ``xlim=(0, 1)``.

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plot = axes(*labels)
    if height:
        figure.set_figheight(height)
    steps = sorted(set((ordered or {}).values()))
    colours = {name: scale(len(steps))[steps.index(value)] for name, value in (ordered or {}).items()}
    numbers = {name: number for number, name in enumerate(lines)} if series is None else series
    words = []
    for name, values in lines.items():
        style = {"linestyle": "none", "marker": "o"} if name in dots else {"linestyle": "--" if name in dashed else "-"}
        if series is None and (policy := policy_of(name)):  # a policy looks the same in all figures
            own = marks(policy)
            style |= own if name in dots else {"color": own["color"]}
        if name in colours:
            style["color"] = colours[name]
        exact_line(plot, x, values, numbers[name], name, **style)
        values, known = np.asarray(values), np.isfinite(values)
        if known.any() and x[known].min() <= told <= x[known].max():
            words.append(f"{name} {np.interp(told, x[known], values[known]):.4f}")
    for name, rows in (simulated or {}).items():
        own = {"color": colours[name]} if name in colours else {}
        simulated_points(plot, rows, across, numbers[name], name, **own)
        nearest = rows.iloc[(rows[across] - told).abs().argmin()]
        words.append(f"{name} simulated {nearest['estimate']:.4f}")
    plot.set(**settings)
    at_curves = name_curves(plot, None if named is True else named) if named else ()
    intervals = " Intervals of 95 %." if simulated else ""
    return publish(
        figure, identifier, caption=f"{caption} ({identifier}).{intervals}", fidelity=fidelity, named=at_curves,
        alt=f"{_plain(labels[1])} against {_plain(labels[0])}. "
            f"At {told:g}: {_plain(', '.join(words).replace('/', ' over '))}.",
    )  # fmt: skip


def _plain(text):
    """Words of a label without the signs of its formulas."""
    return "".join(sign for sign in text if sign not in "$\\{}")


def contours(identifier, second, third, maps, *, levels, bar, caption, alt):
    """Publish maps one below the other, with lines of equal height.

    Parameters
    ----------
    identifier : str
        As in ``data/figures.csv``.
    second, third : ndarray, shape (points, points)
        What the second and the third processor are worth relative to the first.
    maps : dict
        Title of a map: its heights, shape (points, points).
    levels : sequence of float
        Of the lines.
    bar : str
        What the heights are.
    caption, alt : str
        Caption without identifier and full stop.

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plots = canvas(len(maps), figsize=(WIDTH, 0.6 + 3.5 * len(maps)), sharex=True)
    for plot, (title, heights) in zip(plots, maps.items()):
        heights = heights.round(6)  # the last bits differ between machines, and the file must not
        filled = plot.contourf(second, third, heights, levels=levels, cmap="cividis")
        lines = plot.contour(second, third, heights, levels=levels[1:-1], colors="white", linewidths=0.8)
        inks = ["white" if level < 0.55 else "black" for level in filled.norm(lines.levels)]
        plot.clabel(lines, fmt="%g", manual=_middles(lines), colors=inks)
        plot.plot([0, 1], [0, 1], color="black", linewidth=0.8)
        plot.set(title=title, xlabel="$c_2 / c_1$", ylabel="$c_3 / c_1$", xlim=(0, 1), ylim=(0, 1), aspect="equal")
        plot.grid(False)
    figure.colorbar(filled, ax=list(plots), shrink=0.8).ax.set(xlabel=" ", ylabel=bar)
    return publish(figure, identifier, caption=f"{caption} ({identifier}).", alt=alt)


def _middles(lines, shortest=0.25):
    """The middle of each line that is long enough to carry a number: near the corner a number would be cut off."""
    found = []
    for path in lines.get_paths():
        points = path.vertices
        if len(points) > 1:
            run = np.append(0, np.hypot(*np.diff(points, axis=0).T).cumsum())
            if run[-1] >= shortest:
                found.append(tuple(float(np.interp(run[-1] / 2, run, side)) for side in points.T))
    return found
