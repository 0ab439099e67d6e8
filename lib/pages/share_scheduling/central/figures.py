"""The curves of `thesis`, Chapter 5: exact answers and simulated points against one parameter.

Figures 5.1, 5.5, 5.6, 5.7, 5.8, 5.9, 5.10, 5.11, 5.12, 5.13, 5.14, 5.15, 5.16, 5.17, 5.18, 5.19 (thesis-fig-5.1 and so
on).
"""

import matplotlib
import numpy as np
from matplotlib.patheffects import withStroke

from compendium.press.figures import COLOURS, MARKERS, WIDTH, axes, publish
from pages.figures import marks

QUANTITIES = {
    "group_share_deviation": "group-share deviation $\\Delta^G$",
    "capacity_loss": "capacity loss $\\Delta^T$",
    "mixed_processors": "processors with jobs of both groups",
}


def policies(
    identifier, x, xlabel, estimates, half_widths, *, quantity, caption, told, fidelity, exact=None, **settings,
):  # fmt: skip
    """Publish simulated points of combinations of policies, joined by thin lines, and exact curves beside them.

    Parameters
    ----------
    identifier : str
        As in ``data/figures.csv``.
    x : ndarray, shape (points,)
    xlabel : str
    estimates, half_widths : dict
        (global policy, local policy): shape (points,). A third entry of the key, if there is one, is the label.
    quantity : str
        One of `QUANTITIES`.
    caption : str
        Without identifier and full stop.
    told : float
        Where the alt text gives the values.
    fidelity : str
    exact : dict, optional
        Name of a dashed curve: a pair of its places and values.
    **settings
        Of the axes.

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plot = axes(xlabel, QUANTITIES[quantity], **settings)
    figure.set_size_inches(WIDTH, 3.8)
    x, words = np.asarray(x), []
    if quantity == "group_share_deviation":
        plot.axhline(0, color="0.4", linewidth=0.8)
    for number, (name, (places, values)) in enumerate((exact or {}).items()):
        plot.plot(places, values, color="0.25", linestyle=("--", ":", "-.")[number % 3], linewidth=1.4, label=name)
        words.append(f"{name} {np.interp(told, places, values):.4f}")
    for key, values in estimates.items():
        policy, local = key[:2]
        label = key[2] if len(key) > 2 else f"{policy}/{local}"
        plot.errorbar(
            x, values, half_widths[key], linewidth=0.9, label=label, linestyle=":" if local == "PS" else "-",
            **marks(policy, full=local != "PS"),
        )  # fmt: skip
        words.append(f"{label} {np.asarray(values)[np.abs(x - told).argmin()]:.4f}")
    return publish(
        figure, identifier, fidelity=fidelity,
        caption=f"{caption} ({identifier}). Large open marks and dotted lines: PS; small full ones: GPPS, within "
                "the open ones where both agree. Intervals of 95 %.",
        alt=f"{QUANTITIES[quantity].split(' $')[0].capitalize()} against {xlabel.split(', $')[0]}. "
            f"At {told:g}: {', '.join(words).replace('/', ' with ')}.",
    )  # fmt: skip


def meetings(identifier, loads, estimates, half_widths, *, told, fidelity, caption):
    """Publish how many processors serve several groups, against the load, on a scale of powers of ten.

    Parameters
    ----------
    identifier : str
        As in ``data/figures.csv``.
    loads : array_like, shape (points,)
    estimates, half_widths : mapping of str to array_like, shape (points,)
        By the name of the policy, and words on what is different, if anything is: dashed.
    told : float
        Where the alt text gives the values.
    fidelity, caption : str

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plot = axes("load $\\rho$", "processors with several groups", yscale="log", xlim=(0.25, 0.95))
    loads, words = np.asarray(loads), []
    for name in estimates:
        policy, _, other = name.partition(" ")
        values = np.asarray(estimates[name])
        plot.errorbar(
            loads, values, np.asarray(half_widths[name]), linewidth=1.0, label=name,
            linestyle="--" if other else "-", **marks(policy, full=not other),
        )  # fmt: skip
        words.append(f"{name} {values[np.abs(loads - told).argmin()]:.4f}")
    return publish(
        figure, identifier, fidelity=fidelity, caption=f"{caption} ({identifier}). Intervals of 95 %.",
        alt=f"Mean number of processors with several groups against the load."
            f" At {told:g}: {', '.join(words).replace('/', ' with ')}.",
    )  # fmt: skip


def lines(identifier, curves, *, labels, caption, told, fidelity, exact=None, bound=None, whole=(), **settings):
    """Publish simulated curves that are told apart by a parameter of the system, each on points of its own.

    Parameters
    ----------
    identifier : str
        As in ``data/figures.csv``.
    curves : dict
        Name: places, values and half widths of the intervals.
    labels : tuple of str
        Of the axes.
    caption : str
        Without identifier and full stop.
    told : float
        Where the alt text gives the values.
    fidelity : str
    exact : dict, optional
        Name of a dashed curve, in the colour of the simulated one whose name is the same but for " exactly" or
        ", with migration": its places and values.
    bound : float, optional
        Where a line goes across.
    whole : sequence of int
        Numbers at which a scale of powers of ten has its ticks.
    **settings
        Of the axes.

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plot = axes(*labels, **settings)
    figure.set_size_inches(WIDTH, 3.8)
    words, names = [], list(curves)
    if bound is not None:
        plot.axhline(bound, color="0.4", linewidth=0.8)
    if whole:
        plot.set(xscale="log", xticks=whole, xticklabels=[str(number) for number in whole])
        plot.minorticks_off()
    for number, (name, (places, values, halves)) in enumerate(curves.items()):
        plot.errorbar(
            places, values, halves, color=COLOURS[number], marker=MARKERS[number], linewidth=0.9, markersize=4.5,
            label=name,
        )  # fmt: skip
        words.append(f"{name} {np.interp(told, places, values):.4f}")
    for name, (places, values) in (exact or {}).items():
        plot.plot(
            places, values, "--", linewidth=1.2, label=name,
            color=COLOURS[names.index(name.removesuffix(" exactly").removesuffix(", with migration"))],
        )  # fmt: skip
        words.append(f"{name} {np.interp(told, places, values):.4f}")
    return publish(
        figure, identifier, fidelity=fidelity, caption=f"{caption} ({identifier}). Intervals of 95 %.",
        alt=f"{labels[1].split(' $')[0].capitalize()} against {labels[0].split(', $')[0].split(' $')[0]}. "
            f"At {told:g}: {', '.join(words).replace('/', ' with ')}.",
    )  # fmt: skip


def ordered(
    identifier, curves, *, labels, caption, told, fidelity=None, exact=None, dashed=(), shades=None, on=None,
    dots=False, before=False, **settings,
):  # fmt: skip
    """Publish curves that are told apart by an ordered parameter: from light to dark, each named where it runs.

    Parameters
    ----------
    identifier : str
        As in ``data/figures.csv``.
    curves : dict
        Name, in the order of the parameter: places and values, and half widths of the intervals if it is simulated.
    labels : tuple of str
        Of the axes.
    caption : str
        Without identifier and full stop.
    told : float
        Where the alt text gives the values.
    fidelity : str, optional
        Of simulated curves.
    exact : dict, optional
        Name of a simulated curve: places and exact values, which are drawn dashed in its colour.
    dashed : collection of str
        Curves that are drawn dashed.
    shades : dict, optional
        Name: number of its shade. Without it, each curve has its own.
    on : dict, optional
        Name: what is written on the curve, in place of the name. The first name alone is written in full where all have
        the form "letter = number".
    dots : bool
        Whether exact points are marked.
    before : bool
        Whether the names stand before the first points and not on the curves.
    **settings
        Of the axes.

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plot = axes(*labels)
    figure.set_size_inches(WIDTH, 3.8)
    shades = shades or {name: number for number, name in enumerate(curves)}
    colours, dark = (scale(max(shades.values()) + 1, lightest) for lightest in (0.5, 0.65))
    words = []
    for name, (places, values, *halves) in curves.items():
        values = [float(f"{value:.9g}") for value in values]
        style = {"color": colours[shades[name]], "label": name, "linestyle": "--" if name in dashed else "-"}
        if halves:
            plot.errorbar(places, values, *halves, marker="o", markersize=3.5, linewidth=1.2, **style)
        else:
            plot.plot(places, values, marker="o" if dots else "", **style)
        known = np.isfinite(values)
        x, y = np.asarray(places, float)[known], np.asarray(values)[known]
        if x.min() <= told <= x.max():
            words.append(f"{name} {np.interp(told, x, y):.4f}")
    for name, (places, values) in (exact or {}).items():
        values = [float(f"{value:.9g}") for value in values]
        plot.plot(places, values, "--", linewidth=1.2, color=colours[shades[name]], label=f"{name} exactly")
        words.append(f"{name} exactly {np.interp(told, places, values):.4f}")
    plot.set(**settings)
    if on is None:
        short = {name: name.partition(" = ")[2] or name for name in curves}
        on = short | {name: name for name in list(curves)[:1]}
    if before:
        plot.get_xlim(), plot.get_ylim()  # they are settled now
        free = -np.inf  # from here up nothing is written, in points
        for name, (places, values, *_) in sorted(curves.items(), key=lambda curve: curve[1][1][0]):
            height = plot.transData.transform((places[0], values[0]))[1] * 72 / figure.dpi
            lifted = max(height, free) - height
            free = height + lifted + 14
            plot.annotate(
                on[name], (places[0], values[0]), (-7, lifted), textcoords="offset points", color=dark[shades[name]],
                ha="right", va="center",
            )  # fmt: skip
    else:
        _name_curves(plot, curves, on, {name: dark[shades[name]] for name in curves})
    plot.get_legend_handles_labels = lambda *_: ([], [])  # the names stand on the curves
    simulated = any(len(curve) > 2 for curve in curves.values())
    return publish(
        figure, identifier, fidelity=fidelity,
        caption=f"{caption} ({identifier}).{' Intervals of 95 %.' * simulated}",
        alt=f"{_plain(labels[1])} against {_plain(labels[0])}. At {told:g}: {', '.join(words)}.".replace("/", " by "),
    )  # fmt: skip


def scale(shades, lightest=0.5):
    """Colours of an ordered parameter: one hue, from light to dark."""
    return [matplotlib.colormaps["Blues"](part) for part in np.linspace(lightest, 1, shades)]


def _name_curves(plot, curves, names, colours):
    """Write names on curves, each where the others leave most room; over the right edge if need be.

    Distances are in halves of the name's width and height.
    """
    plot.get_xlim(), plot.get_ylim()  # they are settled now
    frame, runs = plot.get_window_extent(), {}
    for name, (places, values, *_) in curves.items():
        points = np.column_stack([np.asarray(places, float), np.asarray(values, float)])
        x, y = plot.transData.transform(points[np.isfinite(points).all(axis=1)]).T
        fine = np.linspace(x[0], x[-1], 400)
        runs[name] = np.column_stack([fine, np.interp(fine, x, y)])
    written = []
    for name, text in names.items():
        half = np.array([5.0 * len(text) + 4, 10.0])
        free = np.all((runs[name] - half > frame.min + 2) & (runs[name] + half * (0, 1) < frame.max - 2), axis=1)
        here = runs[name][free] if free.any() else runs[name][len(runs[name]) // 2 :][:1]
        others = [run for other, run in runs.items() if other != name]
        room = np.full(len(here), 4.0)
        for points, size in [*((run, half) for run in others), *((place, half + other) for place, other in written)]:
            gaps = np.abs(here[:, None] - np.atleast_2d(points)[None]) / size
            room = np.minimum(room, np.round(gaps.max(axis=2).min(axis=1), 2))
        best = np.flatnonzero(room == room.max())
        place = here[best[len(best) // 2]]
        written.append((place, half))
        plot.text(
            *plot.transData.inverted().transform(place), text, color=colours[name], ha="center", va="center", zorder=5,
            path_effects=[withStroke(linewidth=3.5, foreground="white")],
        )  # fmt: skip


def _plain(text):
    """Words of a label without the signs of its formulas."""
    return "".join(sign for sign in text if sign not in "$\\{}")
