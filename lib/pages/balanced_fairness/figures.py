"""The figures of `balanced`: rate or delay against the load; and the distance to balanced fairness."""

import re

import numpy as np

from clustershare.arguments import fail
from compendium.press.figures import COLOURS, WIDTH, axes, canvas, exact_line, publish, simulated_points, stacked
from pages.figures import CLASS_COLOURS

QUANTITIES = {
    "rate": ("mean_service_rate", "mean service rate", "$\\gamma$"),
    "delay": ("mean_delay", "mean delay", "$\\delta$"),
}
# The three size distributions, by the letter of their panels.
JOB_SIZES = {"a": "bimodal numbers of phases", "b": "hyperexponential sizes", "c": "Zipf numbers of phases"}
TOLD = 0.8  # the load at which the alt text gives the numbers


def against_load(identifier, rows, curves, *, system, classes=(0,), fidelity):
    """Publish a panel of `balanced`, Figures 1, 2, 3, 4: simulated points on the lines of balanced fairness.

    Parameters
    ----------
    identifier : str
        Such as ``balanced-fig-2a-rate``: a figure, the letter of the sizes, and `rate` or `delay`.
    rows : pandas.DataFrame
        Of `compendium.study.run`, over `letter`, `interruptions` and `load`.
    curves : pandas.DataFrame
        Of `pages.balanced_fairness.systems.fair_curves`.
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
    letter, (quantity, words, symbol) = parts[1], QUANTITIES[parts[2]]
    rows, curves = (
        frame[(frame["letter"] == letter) & (frame["quantity"] == quantity) & frame["index"].isin(classes)]
        for frame in (rows, curves)
    )
    delay = quantity == "mean_delay"
    if delay:
        figure, (plot, middle) = canvas(2, figsize=(WIDTH, 6.2), sharex=True)
        middle.set(xlabel="load $\\rho$", ylabel=f"{symbol} over balanced fairness", xlim=(0, 1))
        plot.set_ylabel(f"{words} {symbol}")
        middle.axhline(1, color=COLOURS[-1])
    else:
        figure, plot = axes("load $\\rho$", f"{words} {symbol}", xlim=(0, 1))
    told = []
    for number, index in enumerate(classes):
        name = f"class {index + 1}, " if len(classes) > 1 else ""
        fair = curves[curves["index"] == index]
        line = {"linestyle": "--"} if number else {}
        points = {"markerfacecolor": "none"} if number else {}
        exact_line(plot, fair["load"], fair["exact"], len(COLOURS) - 1, f"{name}balanced fairness", **line)
        told.append(f"{name}balanced fairness is at {np.interp(TOLD, fair['load'], fair['exact']):.3g}")
        simulated = rows[rows["index"] == index].groupby("interruptions", sort=False)
        for series, (interruptions, chosen) in enumerate(simulated):  # a number of interruptions has one colour
            label = f"{name}$m = {interruptions}$"
            simulated_points(plot, chosen, "load", series, label, **points)
            if delay:
                at = np.interp(chosen["load"], fair["load"], fair["exact"])
                ratio = chosen.assign(estimate=chosen["estimate"] / at, half_width=chosen["half_width"] / at)
                simulated_points(middle, ratio, "load", series, label, **points)
            told += [f"m = {interruptions} at {value:.3g}" for value in chosen[chosen["load"] == TOLD]["estimate"]]
    plot.set_ylim(0, 1.1 * rows["estimate"].max() if delay else None)
    below = " Below: the same, divided by balanced fairness." if delay else ""
    return publish(
        figure, identifier, fidelity=fidelity,
        caption=f"The {words} of a job against the load: {system}; {JOB_SIZES[letter]} ({identifier}). "
                f"Lines: balanced fairness, exact; points: $m$ interruptions a job, simulated; $m = 0$ is FCFS.{below} "
                "Intervals of 95 %.",
        alt=f"The {words} against the load, {JOB_SIZES[letter]}. At load {TOLD}: {', '.join(told)}.",
    )  # fmt: skip


def distance_against_interruptions(identifier, rows, *, system, fidelity):
    """Publish the distance against the number of interruptions, a plot for each size distribution, a series a load.

    Parameters
    ----------
    identifier : str
    rows : pandas.DataFrame
        Of `pages.balanced_fairness.points.distances.of_system`.
    system : str
        For the caption.
    fidelity : str

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plots = stacked(
        JOB_SIZES.values(), "mean number of interruptions of a job $m$", "distance", xscale="log", yscale="log"
    )
    told = []
    for plot, (letter, words) in zip(plots, JOB_SIZES.items()):
        chosen = rows[rows["letter"] == letter]
        for series, (load, curve) in enumerate(chosen.groupby("load", sort=False)):
            _either_side(plot, curve[curve["certain"]], "interruptions", series, f"load {load:g}")
            first, last = curve.iloc[0], curve.iloc[-1]
            told.append(
                f"{words}, load {load:g}: from {first['estimate']:.2g} at m = {first['interruptions']:g} "
                f"to {last['estimate']:.2g} at m = {last['interruptions']:g}"
            )
        m = np.array([chosen["interruptions"].min(), chosen["interruptions"].max()])
        plot.plot(m, chosen["estimate"].max() / m, ":", color="grey", label="$\\propto 1/m$")
        shown = chosen[chosen["certain"]]["estimate"]
        plot.set_ylim(0.5 * min(shown, default=0.01), 2 * max(shown, default=1.0))
    return publish(
        figure, identifier, fidelity=fidelity,
        caption=f"The distance to balanced fairness against the number of interruptions: {system}; the three "
                f"size distributions of Bonald and Comte ({identifier}). Open: fewer jobs than under balanced "
                "fairness. Intervals of 95 %.",
        alt="The distance to balanced fairness falls with the number of interruptions. " + "; ".join(told) + ".",
    )  # fmt: skip


def _either_side(plot, curve, x, series, label):
    """Distances; open marks for those that lie below balanced fairness."""
    for below, face in ((False, {}), (True, {"markerfacecolor": "white"})):
        if len(chosen := curve[curve["below"] == below]):
            simulated_points(plot, chosen, x, series, label, **face)


def distance_against_load(identifier, rows, *, fidelity):
    """Publish the distance for one number of interruptions against the load, a series for each system.

    Parameters
    ----------
    identifier : str
    rows : dict of pandas.DataFrame
        Of `pages.balanced_fairness.points.distances.of_system`, by the name of the system.
    fidelity : str

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plots = stacked(JOB_SIZES.values(), "load $\\rho$", "distance", xlim=(0, 1))
    told = []
    for plot, (letter, words) in zip(plots, JOB_SIZES.items()):
        for series, (system, curves) in enumerate(rows.items()):
            curve = curves[curves["letter"] == letter]
            _either_side(plot, curve, "load", series, system)
            told.append(f"{words}, {system}: {np.interp(TOLD, curve['load'], curve['estimate']):.2g}")
        plot.set_ylim(0, None)
    m = next(iter(rows.values()))["interruptions"].iloc[0]
    return publish(
        figure, identifier, fidelity=fidelity,
        caption=f"The distance to balanced fairness against the load, with {m:g} interruption a job ({identifier}). "
                "Open: fewer jobs than under balanced fairness. Intervals of 95 %.",
        alt=f"The distance at load {TOLD}, with {m:g} interruption a job. " + "; ".join(told) + ".",
    )  # fmt: skip


def rules_against_interruptions(identifier, rows, load, *, fidelity):
    """Publish the mean number of jobs over that of balanced fairness, a plot for each law of sizes, a series a rule.

    Parameters
    ----------
    identifier : str
    rows : pandas.DataFrame
        With the columns `law` (of the sizes), `rule`, `m`, `estimate`, `half_width`.
    load : float
        For the caption.
    fidelity : str

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plots = stacked(
        [f"{law} sizes" for law in rows["law"].unique()], "number of interruptions $m$",
        "jobs over balanced fairness", xscale="log",
    )  # fmt: skip
    told = []
    for plot, (law, curves) in zip(plots, rows.groupby("law", sort=False)):
        plot.axhline(1, color="black", linewidth=1, label="balanced fairness")
        for series, (rule, curve) in enumerate(curves.groupby("rule", sort=False)):
            nested = {"markersize": (5, 10, 7)[series % 3], "markerfacecolor": "none"}  # where rules agree
            simulated_points(plot, curve, "m", series, rule, **nested)
            last = curve.iloc[-1]
            told.append(f"{law} sizes, {rule}: {last['estimate']:.3g} at m = {last['m']:g}")
    return publish(
        figure, identifier, fidelity=fidelity,
        caption="Three rules of interruption: the mean number of jobs over that of balanced fairness, on three "
                f"servers at load {load:g} ({identifier}). Intervals of 95 %.",
        alt="The mean number of jobs over that of balanced fairness. " + "; ".join(told) + ".",
    )  # fmt: skip


def products_against_interruptions(identifier, rows, coefficients, *, fidelity):
    """Publish m times the distance against m, a plot for each size distribution, a series a load.

    Parameters
    ----------
    identifier : str
    rows : pandas.DataFrame
        With the columns `letter` (of the sizes), `load`, `m`, `estimate`, `half_width`.
    coefficients : pandas.Series
        The exact limits for hyperexponential sizes, by load: lines where there are points.
    fidelity : str

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plots = stacked(
        JOB_SIZES.values(), "mean number of interruptions of a job $m$", "$m$ times the distance", xscale="log"
    )
    told = []
    ends = np.array([rows["m"].min(), rows["m"].max()])
    for plot, (letter, words) in zip(plots, JOB_SIZES.items()):
        curves = rows[rows["letter"] == letter].groupby("load", sort=False)
        for series, (load, curve) in enumerate(curves):
            simulated_points(plot, curve, "m", series, f"load {load:g}")
            last = curve.iloc[-1]
            told.append(f"{words}, load {load:g}: {last['estimate']:.2g} at m = {last['m']:g}")
            if letter == "b" and load in coefficients.index:
                exact_line(plot, ends, np.full(2, coefficients[load]), series, f"load {load:g}, limit (exact)")
        plot.set_ylim(0, 1)
        plot.legend(fontsize="small", loc="upper left", ncols=4)
    return publish(
        figure, identifier, fidelity=fidelity,
        caption="$m$ times the distance from balanced fairness against $m$, on three servers, for the three size "
                f"distributions of Bonald and Comte ({identifier}). Intervals of 95 %.",
        alt="The number of interruptions times the distance levels off. " + "; ".join(told) + ".",
    )  # fmt: skip


def who_may_use(identifier, graph, line=None, served_by=None, *, names=None, caption, alt):
    """Publish a drawing of classes, or of jobs in a line, above the servers, and of who may use which.

    Parameters
    ----------
    identifier : str
    graph : clustershare.multiserver.CompatibilityGraph
    line : sequence of int, optional
        Classes of the jobs in order of arrival, counted from 0; without it there is a circle for each class.
    served_by : sequence of (int or None), optional
        For each server the place in the line of the job that it serves, counted from 0; None if it is idle.
    names : sequence of int, optional
        Of the servers, in place of 1, 2 and so on.
    caption, alt
        As for `publish`.

    Returns
    -------
    compendium.press.figures.Published
    """
    above = range(graph.classes) if line is None else line
    figure, plot = canvas(figsize=(WIDTH, 2.6))
    plot.set_axis_off()
    last = max(len(above), graph.servers) - 1
    place_above = lambda place: place + (last + 1 - len(above)) / 2  # noqa: E731
    place_below = lambda server: server + (last + 1 - graph.servers) / 2  # noqa: E731
    for place, i in enumerate(above):
        for server in graph.servers_of_class[i]:
            waits = served_by is not None and served_by[server] != place
            style = {"linestyle": ":", "linewidth": 1} if waits else {"linewidth": 2.5}
            plot.plot([place_above(place), place_below(server)], [1, 0], color="black", zorder=1, **style)
        colour = CLASS_COLOURS[i % len(CLASS_COLOURS)]
        plot.plot(place_above(place), 1, "o", markersize=30, color=colour, markeredgecolor="black", zorder=2)
        plot.text(place_above(place), 1, str(i + 1), ha="center", va="center", zorder=3)
    for server, capacity in enumerate(graph.capacities):
        x, name = place_below(server), server + 1 if names is None else names[server]
        plot.plot(x, 0, "s", markersize=30, color="white", markeredgecolor="black", zorder=2)
        plot.text(x, 0, str(name), ha="center", va="center", zorder=3)
        plot.text(x, -0.32, f"speed {capacity:g}", ha="center", va="top")
    plot.text(-0.6, 1, "classes" if line is None else "jobs, first\ncome first", ha="right", va="center")
    plot.text(-0.6, 0, "servers", ha="right", va="center")
    plot.set(xlim=(-1.6, last + 0.6), ylim=(-0.6, 1.3))
    return publish(figure, identifier, caption=caption, alt=alt)


def distance_beside_sharing(identifier, rows, *, system, fidelity):
    """Publish the distance against the number of interruptions, a series for each load, on lines that fall as 1/m.

    Parameters
    ----------
    identifier : str
    rows : pandas.DataFrame
        With the columns `load`, `m`, `estimate`, `half_width`.
    system : str
        For the caption.
    fidelity : str

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plot = axes("mean number of interruptions of a job $m$", "distance", xscale="log", yscale="log")
    told = []
    for series, (load, curve) in enumerate(rows.groupby("load", sort=False)):
        m, first, last = curve["m"].to_numpy(float), curve["estimate"].iloc[0], curve["estimate"].iloc[-1]
        plot.plot(m, first * m[0] / m, ":", color=COLOURS[series % len(COLOURS)], label="$\\propto 1/m$")
        simulated_points(plot, curve, "m", series, f"load {load:g}")
        told.append(f"load {load:g}: from {first:.2g} at m = {m[0]:g} to {last:.2g} at m = {m[-1]:g}")
    return publish(
        figure, identifier, fidelity=fidelity,
        caption=f"The distance to balanced fairness against the number of interruptions: {system}, hyperexponential "
                f"sizes ({identifier}). Dotted lines fall as $1/m$ from the first point. Intervals of 95 %.",
        alt="The distance to balanced fairness falls with the number of interruptions. " + "; ".join(told) + ".",
    )  # fmt: skip
