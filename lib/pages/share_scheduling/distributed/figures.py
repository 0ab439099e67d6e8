"""The curves of `thesis`, Chapter 6: simulated points of the policies against one parameter.

Figures 6.4, 6.5, 6.6, 6.7, 6.8 (thesis-fig-6.4 and so on).
"""

import numpy as np

from compendium.press.figures import COLOURS, MARKERS, axes, publish

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
    figure.legend(loc="outside upper center", fontsize="small", ncols=4)
    return publish(
        figure, identifier, fidelity=fidelity, caption=f"{caption} ({identifier}). Intervals of 95 %.",
        alt=f"{ylabel.split(' $')[0].capitalize()} against {xlabel.split(' $')[0]}. "
            f"At {told:g}: {', '.join(words).replace('/', ' with ')}.",
    )  # fmt: skip
