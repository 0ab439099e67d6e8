"""How much a companion of known mean takes from the noise of central policies, and the figure of it."""

import numpy as np

from clustershare import dispatch
from compendium.press import publish
from compendium.press.figures import stacked
from compendium.study import grid, run
from pages.figures import colour, marks, name_beside

SIMULATORS = {"plain": dispatch.simulate_central, "beside": dispatch.simulate_central_beside_queue}
RARE = 1e-5  # a half width below is of what happens hardly ever in a run, and is no measure of it
NOISE = 1e-9  # a half width below is a rounding error
QUANTITIES = {"mean_jobs": "numbers of jobs", "group_share_deviation": "share deviations"}


def both(policies, loads, processors, *, local, required_shares, fidelity):
    """Central policies with two groups alike, simulated alone and beside one line.

    Parameters
    ----------
    policies : sequence of str
    loads : sequence of float
        Of both groups together.
    processors : sequence of int
    local : str
    required_shares : sequence of float
    fidelity : str

    Returns
    -------
    dict of pandas.DataFrame
        "plain" and "beside": rows of `compendium.study.run` over `policy`, `processors` and `load`.
    """
    points = grid(policy=policies, processors=processors, load=loads)
    return {
        name: run(
            "companions", simulate, points,
            lambda policy, processors, load: {
                "policy": policy, "local": local, "required_shares": required_shares, "loads": (load / 2, load / 2),
                "processors": processors,
            },
            fidelity=fidelity,
        )
        for name, simulate in SIMULATORS.items()
    }  # fmt: skip


def variance_ratios(found):
    """The squared half widths without the companion, averaged over the groups, over those with it.

    Parameters
    ----------
    found : dict of pandas.DataFrame
        Of `both`.

    Returns
    -------
    pandas.DataFrame
        Indexed by policy, processors and load; a column for each of `QUANTITIES`. Not a number where one has no
        noise: the policy does there what the line does, or what is known anyhow.
    """
    squares = {}
    for (name, rows), least in zip(found.items(), (RARE, NOISE)):
        rows = rows[rows["quantity"].isin(QUANTITIES)]
        squared = rows.assign(squared=rows["half_width"].where(rows["half_width"] > least) ** 2)
        squares[name] = squared.groupby(["policy", "processors", "load", "quantity"], sort=False)["squared"].mean()
    return (squares["plain"] / squares["beside"]).unstack("quantity")[list(QUANTITIES)].rename(columns=QUANTITIES)


def gains(identifier, ratios, *, fidelity):
    """Publish the ratios against the load, a plot for each quantity, a curve for each policy.

    Parameters
    ----------
    identifier : str
        As in ``data/figures.csv``.
    ratios : pandas.DataFrame
        Of `variance_ratios`, of one number of processors.
    fidelity : str

    Returns
    -------
    compendium.press.figures.Published
    """
    P = ratios.index.get_level_values("processors")[0]
    figure, plots = stacked(ratios.columns, "load $\\rho$", "variance ratio", yscale="log")
    told, names = [], []
    for plot, (quantity, column) in zip(plots, ratios.items()):
        last = []
        for policy, values in column.groupby("policy", sort=False):
            loads = values.index.get_level_values("load")
            plot.plot(loads, np.round(values, 6), label=policy, **marks(policy))
            ends = ", ".join(f"{values.iloc[i]:.0f} at {loads[i]:g}" for i in (0, -1))
            told.append(f"{policy}, {quantity}: {ends}")
            if len(there := values.dropna()):
                end = there.index.get_level_values("load")[-1], round(there.iloc[-1], 6)
                last.append((policy, *end, colour(policy)))
        plot.axhline(1, color="0.4", linewidth=0.8)
        names.append(last)
    named = {name for plot, last in zip(plots, names) for name in name_beside(plot, last)}
    return publish(
        figure, identifier, fidelity=fidelity, named=named,
        caption=f"The variance without the companion over that with it, on {P} processors, two groups alike "
        f"({identifier}). Above the line at 1 something is gained; each ratio is itself an estimate.",
        alt="How many times the companion makes the variance smaller. " + "; ".join(told) + ".",
    )  # fmt: skip
