"""The drawings of "Your own cluster"."""

import numpy as np

from compendium.press import publish
from compendium.press.figures import COLOURS, WIDTH, axes, canvas

SOURCES = {  # names, markers and colours
    "theory": ("what theory assumes", "o", COLOURS[0]), "simulation": ("the laws of the log", "s", COLOURS[1]),
    "replay": ("the log itself", "D", COLOURS[2]),
}  # fmt: skip


def workload(identifier, sizes, law, about, *, caption):
    """Publish what a workload is like: sizes, servers, hours of the day, and who brings what.

    Parameters
    ----------
    identifier : str
        As in ``data/figures.csv``.
    sizes : ndarray, shape (jobs,)
        In hours.
    law : callable
        Of sizes: which part is larger, if it were exponential.
    about : clustershare.workload.Description
    caption : str
        Without identifier and full stop.

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plots = canvas(2, ncols=2, figsize=(WIDTH, 4.8))
    plot = plots[0][0]
    ordered = np.sort(sizes)[:: max(1, len(sizes) // 400)]
    plot.plot(ordered, 1 - np.arange(len(ordered)) / len(ordered), color=COLOURS[0], label="the log")
    grid = np.geomspace(1 / 60, 60, 100)
    plot.plot(grid, law(grid), color="0.4", linestyle="--", label="exponential, or evenly in time")
    plot.set(xscale="log", yscale="log", ylim=(2e-4, 1.3), xlabel="size (hours)", ylabel="part that is larger")
    plot = plots[0][1]
    plot.bar(about.server_numbers, about.server_probabilities, color=COLOURS[0])
    plot.set(xlabel="servers of a job", ylabel="part of the jobs")
    plot = plots[1][0]
    plot.step(np.arange(25), np.append(about.daily_cycle, about.daily_cycle[-1]), where="post", color=COLOURS[0])
    plot.axhline(1, color="0.4", linestyle="--")
    plot.set(xlabel="hour of the day", ylabel="arrivals, relative", xticks=(0, 6, 12, 18, 24), ylim=(0, None))
    plot = plots[1][1]
    plot.plot(about.windows / 3600, about.index_of_dispersion, "o-", color=COLOURS[0])
    plot.axhline(1, color="0.4", linestyle="--")
    plot.set(
        xscale="log", yscale="log", xlabel="window (hours)", ylabel="variance of arrivals over mean", ylim=(0.7, None)
    )
    return publish(
        figure, identifier, caption=f"{caption} ({identifier}).",
        alt=f"Four panels. Sizes from minutes to days, far more spread than an exponential law. "
        f"{about.server_probabilities[0]:.0%} of the jobs take one server. Arrivals in an hour of the day are from "
        f"{np.nanmin(about.daily_cycle):.1f} to {np.nanmax(about.daily_cycle):.1f} times the mean. The variance of the "
        f"number of arrivals over its mean is {', then '.join(f'{one:.0f}' for one in about.index_of_dispersion)}.",
    )  # fmt: skip


def policies(identifier, table, *, caption):
    """Publish loss and deviation of policies, each from three sources.

    Parameters
    ----------
    identifier, caption
        As for `workload`.
    table : pandas.DataFrame
        Of `pages.using.answers.table`.

    Returns
    -------
    compendium.press.figures.Published
    """
    names = list(dict.fromkeys(table.index.get_level_values(0)))
    figure, plots = canvas(2, figsize=(WIDTH, 5.2), sharex=True)
    for plot, quantity, label in zip(plots, ("loss", "deviation"), ("capacity lost", "worst group misses")):
        for number, (source, (label_of, marker, colour)) in enumerate(SOURCES.items()):
            rows = table.xs(source, level=1).loc[names]
            plot.errorbar(
                np.arange(len(names)) + 0.2 * (number - 1), rows[quantity], rows[f"{quantity} within"], label=label_of,
                color=colour, marker=marker, linestyle="none",
            )  # fmt: skip
        plot.axhline(0, color="0.4", linewidth=0.8)
        plot.set(ylabel=label)
    plots[-1].set_xticks(range(len(names)), [name.removesuffix(" PS") for name in names])
    plots[-1].set_xlabel("policy")
    told = "; ".join(
        f"{name} {', '.join(f'{table.loc[(name, source)].loss:.3f}' for source in SOURCES)}" for name in names
    )
    return publish(
        figure, identifier, caption=f"{caption} ({identifier}). Intervals of 95 %.",
        alt=f"Capacity lost under each policy: what theory assumes, laws of the log, the log itself: {told}.",
    )  # fmt: skip


def slowdowns(identifier, table, bound, *, caption):
    """Publish the slowdown against the number of servers, a curve for each column.

    Parameters
    ----------
    identifier, caption
        As for `workload`.
    table : pandas.DataFrame
        By servers.
    bound : float

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plot = axes("servers", "slowdown of the worst group", yscale="log")
    for number, name in enumerate(table):
        plot.plot(table.index, table[name], marker="os*D^"[number], color=COLOURS[number], label=name)
    plot.axhline(bound, color="0.4", linewidth=0.8)
    first, last = table.index[0], table.index[-1]
    told = "; ".join(f"{name} {table.loc[first, name]:.3g} and {table.loc[last, name]:.3g}" for name in table)
    return publish(
        figure, identifier, caption=f"{caption} ({identifier}).",
        alt=f"Slowdown with {first} servers and with {last}: {told}.",
    )  # fmt: skip


def returns(identifier, windows, obtained, half_lives, replayed, line, up_down, *, caption):
    """Publish what a group obtains from its return on, and how long the other is pushed out.

    Parameters
    ----------
    identifier, caption
        As for `workload`.
    windows : ndarray, shape (windows,)
        Middles of stretches of time since the return, in hours.
    obtained : dict
        Label: the part that the group obtained in each window.
    half_lives, replayed : ndarray, shape (points,)
        Half lives and how long the other group waited, in hours.
    line : tuple of ndarray
        The same by the formula.
    up_down : float
        The same under Up-Down.

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plots = canvas(2, figsize=(WIDTH, 6.4))
    for number, (label, values) in enumerate(obtained.items()):
        last = number == len(obtained) - 1
        plots[0].plot(
            windows, values, color="0.3" if last else COLOURS[number], linestyle="--" if last else "-", label=label
        )
    plots[0].set(xlabel="hours since the return", ylabel="share of who came back", ylim=(0, 1.05))
    plots[1].plot(*line, color="0.3", label="formula")
    plots[1].plot(half_lives, replayed, "o", color=COLOURS[0], label="replay")
    plots[1].axhline(up_down, color="0.3", linestyle="--", label="Up-Down")
    plots[1].set(xscale="log", xlabel="half life (hours)", ylabel="hours that the other waits", ylim=(0, None))
    told = "; ".join(f"{life:g} hours, {wait:.1f}" for life, wait in zip(half_lives, replayed))
    return publish(
        figure, identifier, caption=f"{caption} ({identifier}).",
        alt=f"Who came back has everything at first, and its half after a time that grows with the half life. "
        f"Half life and hours that the other waits: {told}; under Up-Down {up_down:.1f}.",
    )  # fmt: skip
