"""The curves of `thesis`, Chapter 5: exact answers and simulated points against one parameter.

Figures 5.1, 5.5, 5.6, 5.7, 5.8, 5.9, 5.10, 5.11, 5.12, 5.13, 5.14, 5.15, 5.16, 5.17, 5.18, 5.19 (thesis-fig-5.1 and so
on).
"""

import numpy as np

from compendium.press.figures import COLOURS, MARKERS, WIDTH, axes, canvas, publish, scale
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


LOSS, DEVIATION = (QUANTITIES[quantity] for quantity in ("capacity_loss", "group_share_deviation"))


def _panels(columns, titles, height, **settings):
    """A row for each title: as wide as a phone can show."""
    figure, plots = canvas(
        len(titles), ncols=columns, figsize=(WIDTH, height * len(titles) + 0.6), squeeze=False, sharex=True, **settings
    )
    for row, title in zip(plots, titles):
        for plot in row:
            plot.set_title(title)
    return figure, plots


def planes(identifier, found, corner, *, caption, fidelity):
    """Publish planes of capacity loss and share deviation: a mark for each combination of policies, one plane a case.

    Parameters
    ----------
    identifier : str
        As in ``data/figures.csv``.
    found : dict
        (case, policy, local): pairs of capacity loss and share deviation, without migration and, if any, with it.
    corner : tuple of float
        Loss and deviation that count as low: a shaded corner.
    caption : str
        Without identifier and full stop.
    fidelity : str

    Returns
    -------
    compendium.press.figures.Published
    """
    cases, words = list(dict.fromkeys(key[0] for key in found)), []
    figure, plots = _panels(1, cases, 2.9, sharey=True)
    for plot, case in zip(plots[:, 0], cases):
        plot.fill_between([-0.01, corner[0]], -0.06, corner[1], color="#009E73", alpha=0.13, linewidth=0)
        plot.axhline(0, color="0.4", linewidth=0.8)
        for (there, policy, local), pairs in found.items():
            if there == case:
                style = {**marks(policy, full=local != "PS"), "linestyle": "none"}
                plot.plot(*np.transpose(pairs), color=style["color"], linewidth=0.6, alpha=0.5)
                plot.plot(*pairs[0], label=f"{policy}/{local}" if policy != "VPRS" else policy, **style)
                if len(pairs) > 1:
                    plot.plot(*pairs[1], **{**style, "markersize": 3})
                words.append(f"{case} {policy}/{local} {pairs[0][0]:.2f}, {pairs[0][1]:.2f}")
        plot.set(ylabel=DEVIATION, xlim=(-0.01, 0.44), ylim=(-0.06, 0.62))
    plot.set_xlabel(LOSS)
    return publish(
        figure, identifier, fidelity=fidelity,
        caption=f"{caption} ({identifier}). Large marks: without migration; small ones: with it, "
        "joined by a line to the same policies without. Open: PS; full: GPPS. Shaded: a loss of at most "
        f"{corner[0]:g} and a deviation of at most {corner[1]:g}.",
        alt=f"Capacity loss and share deviation without migration. {'; '.join(words).replace('/', ' with ')}.",
    )  # fmt: skip


def sizes_of_clusters(identifier, processors, found, *, caption, fidelity):
    """Publish loss and deviation against the number of processors, a column for each case.

    Parameters
    ----------
    identifier, caption, fidelity
        As for `planes`.
    processors : sequence of int
    found : dict
        (case, policy): loss and deviation, each of shape (processors,), nan where there is none.

    Returns
    -------
    compendium.press.figures.Published
    """
    cases, words = list(dict.fromkeys(key[0] for key in found)), []
    figure, plots = _panels(2, cases, 2.1, sharey="col")
    for (case, policy), values in found.items():
        style = {**marks(policy), "linewidth": 1.1}
        for plot, line in zip(plots[cases.index(case)], map(list, values)):
            plot.plot(processors, line, label=policy, **style)
        words.append(f"{case} {policy} {[value for value in line if value == value][-1]:.3f}")
    _label(plots, xscale="log", xticks=processors, xticklabels=[str(P) for P in processors])
    for plot in plots[-1]:
        plot.minorticks_off()
        plot.set_xlabel("processors, $P$")
    return publish(
        figure, identifier, fidelity=fidelity, caption=f"{caption} ({identifier}).",
        alt="Loss and deviation against the number of processors. Deviation where a line ends, at P = "
        f"{processors[-1]} or before: {'; '.join(words).replace('/', ' with ')}.",
    )  # fmt: skip


def two_laws(identifier, policies, found, *, names, caption, fidelity):
    """Publish loss and deviation of some policies under two laws of the job sizes, a column for each case.

    Parameters
    ----------
    identifier, caption, fidelity
        As for `planes`.
    policies : sequence of str
    found : dict
        (case, law): loss and deviation with their half widths, shape (2, 2, policies).
    names : sequence of str
        Of the laws, 0 and 1.

    Returns
    -------
    compendium.press.figures.Published
    """
    cases, words = list(dict.fromkeys(key[0] for key in found)), []
    figure, plots = _panels(2, cases, 2.1, sharey="col")
    for (case, law), values in found.items():
        place = [number + 0.24 * (law - 0.5) for number in range(len(policies))]
        for plot, pair in zip(plots[cases.index(case)], values):
            plot.errorbar(
                place, *pair, color=COLOURS[law], marker=MARKERS[law], linestyle="none", capsize=2,
                label=names[law],
            )  # fmt: skip
        words.append(f"{case} {names[law]} {', '.join(f'{value:.3f}' for value in values[1][0])}")
    _label(plots, xticks=range(len(policies)), xticklabels=policies)
    for plot in plots[-1]:
        plot.set_xlabel("policy")
    return publish(
        figure, identifier, fidelity=fidelity, caption=f"{caption} ({identifier}). Intervals of 95 %.",
        alt=f"Deviations of {', '.join(policies)}: {'; '.join(words).replace('/', ' with ')}.",
    )  # fmt: skip


def _label(plots, **settings):
    """The left column shows losses, the right one deviations."""
    for column, label in zip(plots.T, (LOSS, DEVIATION)):
        for plot in column:
            plot.axhline(0, color="0.4", linewidth=0.8)
            plot.set(ylabel=label, **settings)
