"""Figures of execution traces: Gantt charts, and what jobs have, get and could get (`thesis`, Section 2.2)."""

import numpy as np

from compendium.press.figures import COLOURS, WIDTH, axes, canvas
from pages.figures import colour


def gantt(trace, *, names=None):
    """The Gantt chart of an execution: a lane for each processor, in which a job is as high as its part of it.

    `thesis`, Figures 2.1, 2.2.

    Parameters
    ----------
    trace : clustershare.execution.Trace
    names : sequence of str, optional
        Of the jobs.

    Returns
    -------
    matplotlib.figure.Figure
    """
    names = [f"job {job}" for job in range(len(trace.work))] if names is None else names
    figure, plot = axes("time $t$", "processor")
    figure.set_size_inches(WIDTH, 1.2 + 0.9 * len(set(trace.placement)))
    lanes = sorted(set(trace.placement))
    for rates, begin, end in zip(trace.rates, trace.times[:-1], trace.times[1:]):
        floor = {processor: -0.4 for processor in lanes}
        for job, rate in enumerate(rates):
            if rate > 0:
                processor = trace.placement[job]
                height = 0.8 * rate / trace.capacities[processor]
                bottom = lanes.index(processor) + floor[processor]
                plot.barh(
                    bottom, end - begin, height, left=begin, align="edge", color=COLOURS[job % len(COLOURS)],
                    alpha=0.45, edgecolor="white",
                )  # fmt: skip
                plot.text((begin + end) / 2, bottom + height / 2, names[job], ha="center", va="center")
                floor[processor] += height
    plot.set(
        yticks=range(len(lanes)), yticklabels=[str(processor + 1) for processor in lanes], xlim=(0, None),
        ylim=(len(lanes) - 0.4, -0.6),
    )  # fmt: skip
    plot.grid(axis="y", visible=False)
    return figure


def progress(trace, job):
    """Remaining work, service rate and obtained share of a job against time: `thesis`, Figures 2.3, 2.4.

    Parameters
    ----------
    trace : clustershare.execution.Trace
    job : int
        Counted from 0.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, plots = canvas(3, sharex=True, figsize=(WIDTH, 5.0))
    plots[0].plot(trace.times, trace.remaining_work[:, job], color=COLOURS[0])
    for number, values in ((1, trace.rates), (2, trace.obtained_shares)):
        plots[number].step(trace.times, np.append(values[:, job], 0), where="post", color=COLOURS[number])
    for plot, symbol in zip(plots, ("W", "\\sigma", "o")):
        plot.set(ylabel=f"${symbol}_{job}(t)$", xlim=(0, None), ylim=(0, None), xlabel="time $t$")
        plot.xaxis.label.set_visible(plot is plots[-1])
        plot.margins(y=0.15)
    return figure


def obtainable(traces, until):
    """The maximum obtainable total share against time, and the total obtained one: `thesis`, Figure 2.5.

    All policies leave no work undone on the one processor, so they obtain the same, which is drawn once.

    Parameters
    ----------
    traces : dict of clustershare.execution.Trace
        By policy.
    until : float
        End of the time axis.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, plot = axes("time $t$", "share of the capacity", xlim=(0, until), ylim=(0, 1))
    for number, (name, trace) in enumerate(traces.items()):
        times = np.append(trace.times, until)
        plot.step(
            times, np.append(trace.maximum_obtainable_total_shares, [0, 0]), where="post", color=colour(name),
            linewidth=6 - 3 * number, label=f"$m^T(t)$, {name}",
        )  # fmt: skip
    plot.step(
        times, np.append(trace.obtained_shares.sum(axis=1), [0, 0]), "--", where="post", color=COLOURS[1],
        linewidth=2, label="$o^T(t)$, both",
    )  # fmt: skip
    return figure


def told(times, values):
    """A step function in words, for the alt text."""
    return ", ".join(f"{value:.3g} from {time:.3g}" for time, value in zip(times, values))


def placed(capacities, wanted):
    """What processors have, and what jobs that are put on them one by one want of all capacity.

    Parameters
    ----------
    capacities : sequence of float
        Parts of all capacity, that of each processor.
    wanted : sequence of float
        By the job on each processor.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, plot = axes("processor", "part of the capacity", xlim=(-0.6, len(capacities) - 0.4))
    places = range(len(capacities))
    within = [min(want, has) for want, has in zip(wanted, capacities)]
    plot.bar(places, within, 0.5, color=COLOURS[0], alpha=0.45, label="what the job wants")
    for place in places:
        if wanted[place] > within[place]:
            plot.bar(
                place, wanted[place] - within[place], 0.5, bottom=within[place], color="white", edgecolor=COLOURS[1],
                hatch="///", label="what is not there",
            )  # fmt: skip
    plot.bar(places, capacities, 0.7, color="none", edgecolor="black", linewidth=1.8, label="the processor")
    for place, want in zip(places, wanted):
        plot.text(place, want / 2, f"job {place + 1}\n{want:g}", ha="center", va="center")
    plot.set_xticks(places, [str(place + 1) for place in places])
    plot.grid(axis="x", visible=False)
    return figure
