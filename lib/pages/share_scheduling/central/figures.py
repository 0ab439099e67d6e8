"""The curves of `thesis`, Chapter 5: exact answers and simulated points against one parameter.

Figures 5.1, 5.5, 5.6, 5.7, 5.8, 5.9, 5.10, 5.11, 5.12, 5.13, 5.14, 5.15, 5.16, 5.17, 5.18, 5.19 (thesis-fig-5.1 and so
on).
"""

import numpy as np

from compendium.press.figures import COLOURS, MARKERS, WIDTH, axes, publish, scale
from pages.figures import marks, name_curves, numbers_on_curves

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


def lines(
    identifier, curves, *, labels, caption, told, fidelity, exact=None, bound=None, whole=(), ordered=False, **settings
):
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
    ordered : bool
        Whether the names are in the order of a parameter: colours on a scale, and names on the curves.
    **settings
        Of the axes.

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plot = axes(*labels, **settings)
    figure.set_size_inches(WIDTH, 3.8)
    words, names = [], list(curves)
    colours = scale(len(names)) if ordered else COLOURS
    if bound is not None:
        plot.axhline(bound, color="0.4", linewidth=0.8)
    if whole:
        plot.set(xscale="log", xticks=whole, xticklabels=[str(number) for number in whole])
        plot.minorticks_off()
    for number, (name, (places, values, halves)) in enumerate(curves.items()):
        plot.errorbar(
            places, values, halves, color=colours[number], marker="o" if ordered else MARKERS[number], linewidth=0.9,
            markersize=3.5 if ordered else 4.5, label=name,
        )  # fmt: skip
        words.append(f"{name} {np.interp(told, places, values):.4f}")
    for name, (places, values) in (exact or {}).items():
        plot.plot(
            places, values, "--", linewidth=1.2, label=name,
            color=colours[names.index(name.removesuffix(" exactly").removesuffix(", with migration"))],
        )  # fmt: skip
        words.append(f"{name} {np.interp(told, places, values):.4f}")
    at_curves = [*name_curves(plot, numbers_on_curves(names)), *(exact or ())] if ordered else ()
    return publish(
        figure, identifier, fidelity=fidelity, caption=f"{caption} ({identifier}). Intervals of 95 %.",
        named=at_curves,
        alt=f"{labels[1].split(' $')[0].capitalize()} against {labels[0].split(', $')[0].split(' $')[0]}. "
            f"At {told:g}: {', '.join(words).replace('/', ' with ')}.",
    )  # fmt: skip
