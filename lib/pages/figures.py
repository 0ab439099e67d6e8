"""What drawings of all parts share: a policy has one look through the whole book; names at curves and points."""

import numpy as np
from matplotlib import patheffects
from matplotlib.container import ErrorbarContainer

from compendium.press.figures import COLOURS

CLASS_COLOURS = (COLOURS[5], COLOURS[2], COLOURS[4], COLOURS[3], COLOURS[0], COLOURS[1])  # dark text is legible on all

# Colours for readers with any colour vision are seven: policies share one where no figure shows both. Markers of two
# sizes, the large ones behind: policies that often agree are both seen.
LOOKS = {
    "FCFS": (COLOURS[0], "o", 4),
    "HOL": (COLOURS[1], "s", 8),
    "UD": (COLOURS[2], "^", 5),
    "PQ": (COLOURS[3], "D", 6),
    "PS": (COLOURS[4], "v", 9),
    "PPS": (COLOURS[5], "+", 9),
    "GPPS": (COLOURS[6], "x", 6),
    "HPRS": (COLOURS[6], "X", 7),
    "VPRS": ("0.45", "*", 9),
    "JSQ": (COLOURS[0], "o", 4),
    "HP": (COLOURS[1], "s", 6.5),
    "SVP": (COLOURS[2], "^", 4),
    "DVP": (COLOURS[3], "D", 6.5),
    "JSQ(2)": (COLOURS[4], "v", 6.5),
    "SPILL": (COLOURS[5], "P", 5),
    "Shortest": (COLOURS[4], "v", 5),
    "Distributed HP": (COLOURS[1], "s", 5),
    "Nice": (COLOURS[5], "P", 5),
    "Sender": (COLOURS[0], "o", 5),
    "Receiver": (COLOURS[1], "s", 5),
    "Reservation": (COLOURS[2], "^", 5),
    "random": (COLOURS[6], "X", 5),
    "cyclic": (COLOURS[5], "P", 5),
    "threshold of 2": (COLOURS[2], "^", 5),
    "stride": (COLOURS[0], "o", 5),
    "lottery": (COLOURS[1], "s", 5),
}


def policy_of(name):
    """The policy with which the name of a curve begins; None if it begins with none.

    Examples
    --------
    >>> [policy_of(name) for name in ("JSQ all asked", "JSQ(2)/PS", "HPRS, P = 4", "P = 2")]
    ['JSQ', 'JSQ(2)', 'HPRS', None]
    """
    ends = (" ", "/", ",")
    found = [policy for policy in LOOKS if name == policy or name.startswith(tuple(policy + end for end in ends))]
    return max(found, key=len, default=None)


def colour(policy):
    """The colour of a policy."""
    return LOOKS[policy][0]


def marks(policy, *, full=True):
    """Colour and marker of a policy, as matplotlib's keywords; marks that are not full show what is under them."""
    own, marker, size = LOOKS[policy]
    return {"color": own, "marker": marker, "markersize": size if full else size + 3, "zorder": 3 - size / 20,
            "markerfacecolor": own if full else "none"}  # fmt: skip


# A name that lies on a line: the line shows faintly at most.
ON_A_LINE = {
    "path_effects": [patheffects.withStroke(linewidth=2.5, foreground="white")],
    "bbox": {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.5},
}


DOTTED = {"arrowstyle": "-", "linewidth": 0.9, "linestyle": ":"}  # from a name to its place


def name_curves(plot, words=None):
    """Write the name of each curve on it, where it is farthest from the others, in place of a legend.

    Parameters
    ----------
    plot : matplotlib.axes.Axes
        With its limits set and all its curves drawn.
    words : dict, optional
        Label of a curve: what is written on it; nothing if that is empty. Without it, each label.

    Returns
    -------
    list of str
        The labels, which `publish` is to leave out of the legend.
    """
    curves = {line.get_label(): line for line in plot.lines if not line.get_label().startswith("_")}
    for container in plot.containers:  # of simulated points
        if isinstance(container, ErrorbarContainer):
            curves.setdefault(container.get_label(), container[0])
    words = {label: label for label in curves} if words is None else words
    plot.figure.draw_without_rendering()
    room, taken = plot.get_window_extent(), []
    paths = {label: _path(plot, line) for label, line in curves.items()}
    for label, word in words.items():
        if not word:
            continue
        text = plot.text(0, 0, word, ha="center", va="center", color=curves[label].get_color(), zorder=4, **ON_A_LINE)
        size = text.get_window_extent()
        half, best = np.array([size.width, size.height]) / 2, None
        candidates = paths[label]
        if not _drawn_through(curves[label]):  # above or below a point
            candidates = np.concatenate([candidates + (0, side * (half[1] + 8)) for side in (1, -1)])
        for point in candidates:
            outside = max((room.min + half - point).max(), (point + half - room.max).max(), 0)
            covered = sum(float(np.prod(np.clip(half + other - abs(point - there), 0, None))) for there, other in taken)
            free = min((_gap(point, half, path) for key, path in paths.items() if key != label), default=0)
            middle = abs(point[0] - room.x0 - room.width / 2) / room.width
            score = round(min(free, 25) - middle - 50 * outside - covered, 3)
            if best is None or score > best[0]:
                best = score, point
        if best:
            taken.append((best[1], half))
            text.set_position([float(f"{value:.4g}") for value in plot.transData.inverted().transform(best[1])])
    return list(words)


def numbers_on_curves(names):
    """What is written on curves for several numbers of processors: P is named on the first of them.

    Parameters
    ----------
    names : sequence of str
        With the number behind "P = ", if there is one.

    Returns
    -------
    dict
        Of each name.

    Examples
    --------
    >>> numbers_on_curves(["P = 2", "P = 5", "limit"])
    {'P = 2': '$P = 2$', 'P = 5': '5', 'limit': 'limit'}
    """
    first = next((name for name in names if name.startswith("P = ")), "")
    return {name: f"${name}$" if name == first else name.removeprefix("P = ") for name in names}


def _path(plot, line):
    """The points of a curve on the paper, within the axes."""
    points = np.column_stack([line.get_xdata(), line.get_ydata()]).astype(float)
    points = plot.transData.transform(points[np.isfinite(points).all(axis=1)])
    if _drawn_through(line) and len(points) > 1:
        run = np.append(0, np.hypot(*np.diff(points, axis=0).T).cumsum())
        at = np.linspace(0, run[-1], 241)
        points = np.column_stack([np.interp(at, run, side) for side in points.T])
    room = plot.get_window_extent()
    return points[(points >= room.min - 1).all(axis=1) & (points <= room.max + 1).all(axis=1)]


def _drawn_through(line):
    return line.get_linestyle() not in ("None", "none")


def _gap(point, half, path):
    """How far a path stays from a box."""
    if not len(path):
        return np.inf
    return float(np.hypot(*np.clip(abs(path - point) - half, 0, None).T).min())


def name_beside(plot, places, *, x=1.02, gap=None):
    """Write names in a column, in the order of their places, with a dotted line to each place.

    Parameters
    ----------
    plot : matplotlib.axes.Axes
        With its limits set.
    places : sequence of (str, float, float, str)
        Name, point and colour.
    x : float
        Where the column begins, as a part of the width of the axes.
    gap : float, optional
        The least distance of two names as a part of the height of the axes; without it, that of lines of text.

    Returns
    -------
    list of str
        The names, which `publish` is to leave out of the legend.
    """
    plot.figure.draw_without_rendering()
    room = plot.get_window_extent()
    gap = gap or 12.5 * plot.figure.dpi / 72 / room.height
    inside = plot.transData + plot.transAxes.inverted()
    order = sorted(places, key=lambda place: (round(place[2], 9), -round(place[1], 9)))
    wanted = [float(inside.transform(place[1:3])[1]) for place in order]
    for (name, *point, colour), height in zip(order, _apart(wanted, gap)):
        plot.annotate(
            name, point, (x, round(height, 4)), textcoords="axes fraction", color=colour, va="center", ha="left",
            annotation_clip=False, arrowprops={**DOTTED, "color": colour, "shrinkA": 1, "shrinkB": 4},
        )  # fmt: skip
    return [name for name, *_ in places]


def name_points(plot, places):
    """Write a name at each point, where it covers least; with a dotted line to it where that is not beside the point.

    Parameters
    ----------
    plot : matplotlib.axes.Axes
        With its limits set and all that it shows drawn.
    places : sequence of (str, float, float, str)
        Name, point and colour.

    Returns
    -------
    list of str
        The names, which `publish` is to leave out of the legend.
    """
    plot.figure.draw_without_rendering()
    room = plot.get_window_extent()
    points = plot.transData.transform([place[1:3] for place in places])
    dot, taken = np.array([7.0, 7.0]), []
    for (name, x, y, colour), point in zip(places, points):
        text = plot.annotate(name, (x, y), (0, 0), textcoords="offset pixels", color=colour, va="center", ha="center",
                             zorder=4)  # fmt: skip
        size = text.get_window_extent()
        half, best = np.array([size.width, size.height]) / 2, None
        for far in (1, 13, 26, 40, 56):
            for side in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)):
                at = point + np.array(side) * (half + dot + far)
                outside = max((room.min + half - at).max(), (at + half - room.max).max(), 0)
                boxes = [*taken, *((other, dot) for other in points)]
                covered = sum(float(np.prod(np.clip(half + b - abs(at - there), 0, None))) for there, b in boxes)
                score = round(-far / 4 - 50 * outside - covered, 3)
                if best is None or score > best[0]:
                    best = score, at, far
        taken.append((best[1], half))
        text.set_position([round(float(step), 1) for step in best[1] - point])
        if best[2] > 13:
            line = {**DOTTED, "color": colour}
            plot.annotate("", (x, y), best[1] - point, textcoords="offset pixels", zorder=1, arrowprops=line)
    return [name for name, *_ in places]


def _apart(wanted, gap):
    """Heights in rising order that are a gap apart, as near to those that are wanted as can be.

    Examples
    --------
    >>> [round(height, 3) for height in _apart([0.1, 0.11, 0.5], 0.05)]
    [0.08, 0.13, 0.5]
    """
    groups = []  # of names that touch: the sum of what each wants of the first, and how many they are
    for height in wanted:
        groups.append((height, 1))
        while len(groups) > 1:
            (before, m), (after, n) = groups[-2:]
            if after / n >= before / m + gap * m:
                break
            groups[-2:] = [(before + after - n * gap * m, m + n)]
    return [total / number + gap * k for total, number in groups for k in range(number)]
