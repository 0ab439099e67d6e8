"""The distance to balanced fairness as a function of the number of interruptions, and its curves."""

import numpy as np
import pandas as pd

from clustershare import multiserver
from clustershare.arguments import one_of
from compendium.press.figures import publish, simulated_points, stacked
from compendium.study.points import run
from compendium.study.tasks import grid
from pages.balanced_fairness.figures import SIZES
from pages.balanced_fairness.systems import paper_sizes, random_servers, three_servers

# Of each system the study of its figure, whose points are used again, and its arguments by load and mean size.
SYSTEMS = {
    "three servers": ("three-servers", lambda load, mean: three_servers(load, mean_size=mean)),
    "two nested classes": ("nested-servers", lambda load, mean: three_servers(load, (1.0, 0.0, 1.0), mean)),
    "2 of 100": ("random-servers", lambda load, mean: random_servers(load, 2, mean_size=mean)),
    "3 of 100": ("random-servers", lambda load, mean: random_servers(load, 3, mean_size=mean)),
}


def fair_jobs(graph, arrival_rates, mean):
    """Mean numbers of jobs under balanced fairness, for jobs of that mean size."""
    if isinstance(graph, multiserver.RandomAssignment):
        load = arrival_rates * mean / graph.servers
        return np.array([multiserver.random_assignment(graph.servers, graph.degree, load).mean_jobs])
    return multiserver.balanced_fairness(graph, np.array(arrival_rates) * mean).mean_jobs


def distances(system, interruptions, loads, fidelity):
    """Relative distance of the mean numbers of jobs from balanced fairness, in the class where it is largest.

    Parameters
    ----------
    system : str
        A name in `SYSTEMS`.
    interruptions, loads : sequence of float
    fidelity : str

    Returns
    -------
    pandas.DataFrame
        `sizes` (the letter of the panels of `balanced`), `load`, `interruptions`, `estimate`, `half_width`.
    """
    name, arguments = SYSTEMS[one_of("system", system, SYSTEMS)]
    sizes = paper_sizes()
    rows = run(
        name, multiserver.simulate, grid(letter=list(sizes), load=loads, interruptions=interruptions),
        lambda letter, load, interruptions: {
            **arguments(load, sizes[letter].mean), "sizes": sizes[letter], "interruptions": interruptions,
        },
        fidelity=fidelity,
    )  # fmt: skip
    rows = rows[rows["quantity"] == "mean_jobs"]
    found = []
    for (letter, load, m), classes in rows.groupby(["letter", "load", "interruptions"], sort=False):
        fair = fair_jobs(**arguments(load, sizes[letter].mean), mean=sizes[letter].mean)
        distance = np.abs(classes["estimate"].to_numpy() / fair - 1)
        farthest = distance.argmax()
        half_width = classes["half_width"].to_numpy()[farthest] / fair[farthest]
        found.append((letter, load, m, distance[farthest], half_width))
    return pd.DataFrame(found, columns=["sizes", "load", "interruptions", "estimate", "half_width"])


def of_all_systems(interruptions, loads, fidelity):
    """`distances` of every one of `SYSTEMS`, by its name."""
    return {system: distances(system, interruptions, loads, fidelity) for system in SYSTEMS}


def certain(rows):
    """The rows whose distance is larger than its own interval."""
    return rows[rows["estimate"] > rows["half_width"]]


def draw(identifier, rows, *, fidelity):
    """Publish the distance against the number of interruptions, a plot for each size distribution, a series a load.

    Parameters
    ----------
    identifier : str
    rows : pandas.DataFrame
        Of `distances`.
    fidelity : str

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plots = stacked(
        SIZES.values(), "mean number of interruptions of a job $m$", "distance", xscale="log", yscale="log"
    )
    told = []
    for plot, (letter, words) in zip(plots, SIZES.items()):
        chosen = rows[rows["sizes"] == letter]
        for series, (load, curve) in enumerate(chosen.groupby("load", sort=False)):
            simulated_points(plot, certain(curve), "interruptions", series, f"load {load:g}")
            first, last = curve.iloc[0], curve.iloc[-1]
            told.append(
                f"{words}, load {load:g}: from {first['estimate']:.2g} at m = {first['interruptions']:g} "
                f"to {last['estimate']:.2g} at m = {last['interruptions']:g}"
            )
        m = np.array([chosen["interruptions"].min(), chosen["interruptions"].max()])
        plot.plot(m, chosen["estimate"].max() / m, ":", color="grey", label="$\\propto 1/m$")
        shown = certain(chosen)["estimate"]
        plot.set_ylim(0.5 * min(shown, default=0.01), 2 * max(shown, default=1.0))
    plots[0].legend(fontsize="small", loc="lower left")
    return publish(
        figure, identifier, fidelity=fidelity,
        caption="The distance to balanced fairness against the number of interruptions, for the three size distributions "
                f"of balanced ({identifier}). Intervals of 95 %.",
        alt="The distance to balanced fairness falls with the number of interruptions. " + "; ".join(told) + ".",
    )  # fmt: skip


def draw_against_load(identifier, rows, *, fidelity):
    """Publish the distance for one number of interruptions against the load, a series for each system.

    Parameters
    ----------
    identifier : str
    rows : dict of pandas.DataFrame
        Of `distances`, by the name of the system.
    fidelity : str

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plots = stacked(SIZES.values(), "load $\\rho$", "distance", xlim=(0, 1))
    told = []
    for plot, (letter, words) in zip(plots, SIZES.items()):
        for series, (system, curves) in enumerate(rows.items()):
            curve = curves[curves["sizes"] == letter]
            simulated_points(plot, curve, "load", series, system)
            told.append(f"{words}, {system}: {np.interp(0.8, curve['load'], curve['estimate']):.2g}")
        plot.set_ylim(0, None)
    plots[0].legend(fontsize="small")
    m = next(iter(rows.values()))["interruptions"].iloc[0]
    return publish(
        figure, identifier, fidelity=fidelity,
        caption=f"The distance to balanced fairness against the load, with {m:g} interruption a job ({identifier}). "
                "Intervals of 95 %.",
        alt=f"The distance at load 0.8, with {m:g} interruption a job. " + "; ".join(told) + ".",
    )  # fmt: skip


def draw_rules(identifier, rows, load, *, fidelity):
    """Publish the mean number of jobs over that of balanced fairness, a plot for each law of sizes, a series a rule.

    Parameters
    ----------
    identifier : str
    rows : pandas.DataFrame
        With the columns `sizes`, `rule`, `m`, `estimate`, `half_width`.
    load : float
        For the caption.
    fidelity : str

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plots = stacked(
        [f"{law} sizes" for law in rows["sizes"].unique()], "number of interruptions $m$",
        "jobs over balanced fairness", xscale="log",
    )  # fmt: skip
    told = []
    for plot, (law, curves) in zip(plots, rows.groupby("sizes", sort=False)):
        plot.axhline(1, color="black", linewidth=1, label="balanced fairness")
        for series, (rule, curve) in enumerate(curves.groupby("rule", sort=False)):
            simulated_points(plot, curve, "m", series, rule)
            last = curve.iloc[-1]
            told.append(f"{law} sizes, {rule}: {last['estimate']:.3g} at m = {last['m']:g}")
    plots[0].legend(fontsize="small")
    return publish(
        figure, identifier, fidelity=fidelity,
        caption="Three rules of interruption: the mean number of jobs over that of balanced fairness, on three servers at load "
                f"{load:g} ({identifier}). Intervals of 95 %.",
        alt="The mean number of jobs over that of balanced fairness. " + "; ".join(told) + ".",
    )  # fmt: skip
