"""Capacity loss and share deviation of all policies, side by side: planes, larger clusters, other sizes."""

import numpy as np

from compendium.press import publish
from compendium.press.figures import COLOURS, MARKERS, WIDTH, canvas
from pages.figures import marks

LOSS, DEVIATION = "capacity loss $\\Delta^T$", "group-share deviation $\\Delta^G$"


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
