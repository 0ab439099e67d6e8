"""Maps over all systems of three processors: by what they are worth relative to the fastest one."""

import numpy as np

from compendium.press.figures import WIDTH, canvas, publish


def relative(points=40):
    """The second and the third capacity relative to the first, on a grid of the triangle below the diagonal.

    Parameters
    ----------
    points : int
        Of each side.

    Returns
    -------
    second, third : ndarray, shape (points, points)
    """
    second, part = np.meshgrid(np.linspace(0.02, 1, points), np.linspace(0.02, 1, points), indexing="ij")
    return second, second * part


def contours(identifier, second, third, maps, *, levels, bar, caption, alt):
    """Publish maps one below the other, with lines of equal height.

    Parameters
    ----------
    identifier : str
        As in ``data/figures.csv``.
    second, third : ndarray, shape (points, points)
        From `relative`.
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
