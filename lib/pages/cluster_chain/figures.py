"""The curves of `ctmc`, Figures 2, 3, 4, 5, 6, 7, 8, 9, 10, 11: a chain, and simulated points on it."""

from compendium.press import axes, exact_line, publish, simulated_points


def curves(identifier, exact, simulated, *, x, by, quantity, labels, name, caption, alt, fidelity=None, **settings):
    """Publish exact answers as lines and simulated ones as points, one of `ctmc`, Figures 2 to 11 (ctmc-fig-2, ...).

    Parameters
    ----------
    identifier : str
        As in ``data/figures.csv``.
    exact : pandas.DataFrame
        Of `pages.cluster_chain.systems.solutions`.
    simulated : pandas.DataFrame or None
        Of `compendium.study.run` over some of the same points.
    x, by : str
        The parameter along the axis, and the one that tells the curves apart.
    quantity : str
        A column of `exact`, and a quantity of `simulated`.
    labels : tuple of str
        Of the two axes.
    name : str or callable
        Of a curve, with ``{}`` for the value of `by`.
    caption, alt, fidelity
        As for `publish`.
    **settings
        Of the axes, such as ``xscale="log"``.

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plot = axes(*labels)
    groups = exact.groupby(by, sort=False)
    for number, (value, rows) in enumerate(groups):
        # Later ones are thinner: a curve on another one hides nothing.
        behind = (len(groups) - 1 - number) / max(len(groups) - 1, 1)
        exact_line(plot, rows[x], rows[quantity], number, name.format(value), linewidth=1.3 + 2.2 * behind)
        if simulated is not None:
            chosen = simulated[(simulated[by] == value) & (simulated["quantity"] == quantity)]
            marks = {"markersize": 4 + 6 * behind, "markerfacecolor": "none", "capsize": 0}
            simulated_points(plot, chosen, x, number, name.format(value), **marks)
    plot.set(**settings)  # only now, so that a limit that is left open fits what was drawn
    return publish(figure, identifier, caption=caption, alt=alt, fidelity=fidelity)


def memory(identifier, states, curves, *, caption, alt):
    """Publish memory against the number of states, a curve for each kind.

    Parameters
    ----------
    identifier : str
        As in ``data/figures.csv``.
    states : sequence of int
    curves : dict
        Gibibytes by the name of the curve.
    caption, alt
        As for `publish`.

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plot = axes("states", "memory (GiB)", xscale="log", yscale="log")
    for number, (name, gibibytes) in enumerate(curves.items()):
        exact_line(plot, states, gibibytes, number, name, marker="os^"[number % 3])
    plot.yaxis.set_major_formatter("{x:g}")
    return publish(figure, identifier, caption=caption, alt=alt)
