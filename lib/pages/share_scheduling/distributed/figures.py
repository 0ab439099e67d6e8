"""The curves of `thesis`, Chapter 6: simulated points of the policies against one parameter.

Figures 6.1, 6.2, 6.3, 6.4, 6.5, 6.6, 6.7, 6.8, 6.9, 6.10, 6.11, 6.12, 6.13, 6.14, 6.15 (thesis-fig-6.1 and so
on).
"""

import numpy as np

from compendium.press.figures import COLOURS, MARKERS, axes, canvas, publish

QUANTITIES = {
    "group_share_deviation": "group-share deviation $\\Delta^G$",
    "capacity_loss": "capacity loss $\\Delta^T$",
    "network_utilisation": "network utilisation $\\rho_{net}$",
}
POLICIES = ("JSQ", "HP", "SVP", "DVP")  # colours and marks as in Chapter 5


def against(identifier, x, xlabel, curves, *, quantity, caption, told, fidelity, exact=None, **settings):
    """Publish points of the policies with their intervals, joined by thin lines.

    Parameters
    ----------
    identifier : str
        As in ``data/figures.csv``.
    x : array_like, shape (points,)
    xlabel : str
    curves : dict
        Name: values and half widths, each of shape (points,). The first word of the name is a policy; what has more
        words is dashed, with open marks.
    quantity : str
        One of `QUANTITIES`, or the label itself.
    caption : str
        Without identifier and full stop.
    told : float
        Where the alt text gives the values.
    fidelity : str
    exact : dict, optional
        Name of a grey curve without marks: its places and values.
    **settings
        Of the axes.

    Returns
    -------
    compendium.press.figures.Published
    """
    ylabel = QUANTITIES.get(quantity, quantity)
    figure, plot = axes(xlabel, ylabel, **settings)
    figure.set_size_inches(6.4, 4.8)
    x, words = np.asarray(x, float), []
    for number, (name, (places, values)) in enumerate((exact or {}).items()):
        plot.plot(places, values, color="0.25", linestyle=("--", ":", "-.")[number % 3], linewidth=1.4, label=name)
        words.append(f"{name} {np.interp(told, places, values):.4f}")
    for name, (values, halves) in curves.items():
        policy, _, other = name.partition(" ")
        number, values = POLICIES.index(policy), np.asarray(values)
        plot.errorbar(
            x, values, halves, color=COLOURS[number], marker=MARKERS[number], linewidth=0.9, markersize=5,
            linestyle="--" if other else "-", markerfacecolor="white" if other else COLOURS[number], label=name,
        )  # fmt: skip
        words.append(f"{name} {values[np.abs(x - told).argmin()]:.4f}")
    figure.legend(loc="outside upper center", fontsize="small", ncols=5 if len(words) == 5 else 4)
    return publish(
        figure, identifier, fidelity=fidelity, caption=f"{caption} ({identifier}). Intervals of 95 %.",
        alt=f"{ylabel.split(' $')[0].capitalize()} against {xlabel.split(' $')[0]}. "
            f"At {told:g}: {', '.join(words).replace('/', ' with ')}.",
    )  # fmt: skip


def panels(identifier, x, xlabel, rows, found, *, told, caption, fidelity, height=7.2, **settings):
    """Publish small multiples: a row for each quantity, a column for each policy or case, several curves in each.

    Parameters
    ----------
    identifier : str
        As in ``data/figures.csv``.
    x : array_like, shape (points,)
    xlabel : str
    rows : dict
        One of `QUANTITIES`, or the label itself: settings of that row's axes.
    found : dict
        (quantity, title of the column, name of the curve): values, nan where there is none, and half widths.
    told : float
        Where the alt text gives the values.
    caption : str
        Without identifier and full stop.
    fidelity : str
    height : float
    **settings
        Of all axes.

    Returns
    -------
    compendium.press.figures.Published
    """
    quantities, titles, names = list(rows), *(list(dict.fromkeys(key[k] for key in found)) for k in (1, 2))
    figure, plots = canvas(
        len(rows), ncols=len(titles), figsize=(9.0, height), squeeze=False, sharex=True, sharey="row"
    )
    x = np.asarray(x, float)
    for (quantity, title, name), (values, halves) in found.items():
        number = names.index(name)
        plots[quantities.index(quantity)][titles.index(title)].errorbar(
            x, values, halves, color=COLOURS[number], marker=MARKERS[number], linewidth=0.9, markersize=4.5, label=name
        )
    for line, (quantity, own) in zip(plots, rows.items()):
        for plot in line:
            plot.set(ylabel=QUANTITIES.get(quantity, quantity), **settings, **own)
        for plot in line[1:]:
            plot.yaxis.label.set_visible(False)  # all of a row have one ordinate
    for title, first, last in zip(titles, plots[0], plots[-1]):
        first.set_title(title, fontsize="medium")
        last.set_xlabel(xlabel)
    if "xticks" in settings:
        plots[0][0].set_xticklabels([f"{tick:g}" for tick in settings["xticks"]])
        plots[0][0].minorticks_off()
    figure.legend(
        *plots[0][0].get_legend_handles_labels(),
        loc="outside upper center",
        fontsize="small",
        ncols=len(names) if len(names) <= 4 else 3,
    )
    words = []
    for quantity in rows:
        ranges = []
        for name in names:
            at = [
                values[np.abs(x - told).argmin()] for key, (values, _) in found.items() if key[::2] == (quantity, name)
            ]
            there = [value for value in at if value == value]
            ranges.append(f"{name} {min(there):.3f} to {max(there):.3f}" if there else f"{name} nowhere")
        words.append(f"{QUANTITIES.get(quantity, quantity).split(' $')[0]} {', '.join(ranges)}")
    return publish(
        figure, identifier, fidelity=fidelity, caption=f"{caption} ({identifier}). Intervals of 95 %.",
        alt=f"Curves against {xlabel.split(' $')[0]}, from the lowest of {', '.join(titles)} to the highest, "
            f"at {told:g}: {'; '.join(words).replace('/', ' by ')}.",
    )  # fmt: skip
