"""The panels of `balanced`, Figures 1 to 4: rate or delay against the load, simulation over balanced fairness."""

import re

import numpy as np

from clustershare.arguments import fail
from compendium.press.figures import COLOURS, MARKERS, axes, exact_line, publish, simulated_points
from pages.balanced_fairness.systems import paper_sizes

QUANTITIES = {
    "rate": ("mean_service_rate", "mean service rate", "$\\gamma$"),
    "delay": ("mean_delay", "mean delay", "$\\delta$"),
}
SIZES = {"a": "bimodal numbers of phases", "b": "hyperexponential sizes", "c": "Zipf numbers of phases"}
TOLD = 0.8  # the load at which the alt text gives the numbers


def panel(identifier, rows, loads, fair, *, system, classes=(0,), fidelity):
    """Draw and publish one panel.

    Parameters
    ----------
    identifier : str
        Such as ``balanced-fig-2a-rate``: a figure, the letter of the sizes, and `rate` or `delay`.
    rows : pandas.DataFrame
        Of `compendium.study.run`, over `sizes` (a letter), `interruptions` and `load`.
    loads : sequence of float
        Where balanced fairness is drawn.
    fair : list
        Its answers there for mean size 1, as `clustershare.multiserver.balanced_fairness` returns them.
    system : str
        For the caption.
    classes : tuple of int
        The classes to draw, 0-based; several are told apart by colour.
    fidelity : str

    Returns
    -------
    compendium.press.figures.Published

    Raises
    ------
    ValueError
        If the identifier is not of that form.
    """
    parts = re.fullmatch(r"balanced-fig-\d([abc])-(rate|delay)", identifier)
    if not parts:
        fail("identifier", identifier, "of the form balanced-fig-1a-rate")
    letter, quantity = parts.groups()
    # A rate is work per unit time, whatever the mean size; a delay is proportional to it.
    scale = 1.0 if quantity == "rate" else paper_sizes()[letter].mean
    field, words, symbol = QUANTITIES[quantity]
    exact = scale * np.array([np.atleast_1d(getattr(result, field)) for result in fair])
    rows = rows[(rows["sizes"] == letter) & (rows["quantity"] == field)]
    figure, plot = axes("load $\\rho$", f"{words} {symbol}", xlim=(0, 1))
    told = []
    for number, index in enumerate(classes):
        name = f"class {index + 1}, " if len(classes) > 1 else ""
        exact_line(plot, loads, exact[:, index], number if name else len(COLOURS) - 1, f"{name}balanced fairness (exact)")
        told.append(f"{name}balanced fairness is at {np.interp(TOLD, loads, exact[:, index]):.3g}")
        for series, (interruptions, chosen) in enumerate(
            rows[rows["index"] == index].groupby("interruptions", sort=False)
        ):
            style = {"marker": MARKERS[series]} if name else {}
            simulated_points(
                plot, chosen, "load", number if name else series, f"{name}$m = {interruptions}$ (simulation)", **style
            )
            told += [f"m = {interruptions} at {value:.3g}" for value in chosen[chosen["load"] == TOLD]["estimate"]]
    plot.set_ylim(0, None if quantity == "rate" else 1.1 * rows[rows["index"].isin(classes)]["estimate"].max())
    plot.legend(fontsize="small" if len(classes) > 1 else None)
    return publish(
        figure,
        identifier,
        fidelity=fidelity,
        caption=f"The {words} of a job against the load: {system}; {SIZES[letter]} ({identifier}). $m = 0$ is FCFS. "
        "Intervals of 95 %.",
        alt=f"The {words} against the load, {SIZES[letter]}. At load {TOLD}: {', '.join(told)}.",
    )
