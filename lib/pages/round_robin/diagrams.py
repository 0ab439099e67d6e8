"""The drawings of `roundrobin`: who may use what, who is served when, and queues as a network."""

from compendium.press.figures import WIDTH, canvas, publish
from pages.figures import CLASS_COLOURS


def compatibility(graph):
    """The classes and servers of a graph, a line where a class may use a server: `roundrobin`, Figure 1.

    Parameters
    ----------
    graph : clustershare.multiserver.CompatibilityGraph

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, plot = canvas(figsize=(4.4, 0.9 * max(graph.classes, graph.servers) + 0.3))
    plot.set_axis_off()
    height = {"class": graph.classes, "server": graph.servers}
    place = lambda kind, number: (height[kind] - 1) / 2 - number  # noqa: E731
    for i, servers in enumerate(graph.servers_of_class):
        for server in servers:
            plot.plot([0, 1], [place("class", i), place("server", server)], color="black", zorder=1)
    for i in range(graph.classes):
        colour = CLASS_COLOURS[i % len(CLASS_COLOURS)]
        plot.plot(0, place("class", i), "o", markersize=26, color=colour, markeredgecolor="black", zorder=2)
        plot.text(-0.13, place("class", i), f"class {i + 1}", ha="right", va="center")
    for server, capacity in enumerate(graph.capacities):
        plot.plot(1, place("server", server), "s", markersize=26, color="white", markeredgecolor="black", zorder=2)
        plot.text(1.13, place("server", server), f"computer {server + 1}\ncapacity {capacity:g}", va="center")
    plot.set(xlim=(-0.65, 1.85), ylim=(-0.5 * max(height.values()), 0.5 * max(height.values())))
    return figure


def timeline(path, events):
    """Who is served by whom, and the order of the queue, from one event to the next: `roundrobin`, Figure 2.

    Parameters
    ----------
    path : list of pages.round_robin.systems.Stretch
    events : list of clustershare.interruptions.Event
        Those that part the stretches.

    Returns
    -------
    matplotlib.figure.Figure
    """
    class_of = {job: i for stretch in path for job, i in stretch.queue}
    servers, longest = len(path[0].served), max(len(stretch.queue) for stretch in path)
    figure, (above, below) = canvas(
        2, figsize=(WIDTH, 2.5 + 0.4 * (servers + longest)), sharex=True, height_ratios=[servers + 3.1, longest]
    )

    def box(plot, stretch, row, job):
        colour, length = CLASS_COLOURS[class_of[job] % len(CLASS_COLOURS)], stretch.stop - stretch.start
        plot.barh(row, length, left=stretch.start, height=0.8, color=colour, edgecolor="black", linewidth=0.8)
        plot.text((stretch.start + stretch.stop) / 2, row, str(job + 1), ha="center", va="center")

    for stretch in path:
        for server, job in enumerate(stretch.served):
            if job is not None:
                box(above, stretch, server, job)
        for place, (job, _) in enumerate(stretch.queue):
            box(below, stretch, place, job)
            if stretch.in_service[place]:
                above_the_digit = place - 0.28  # places are counted downwards
                below.plot((stretch.start + stretch.stop) / 2, above_the_digit, "k.", markersize=4)
    for event in events:
        for plot in (above, below):
            plot.axvline(event.time, color="black", linewidth=0.8, linestyle=":")
        near = any(0 < other.time - event.time < 0.08 * path[-1].stop for other in events)
        above.text(event.time, -0.6, f" {event.job + 1} {SHORT[event.kind]}", rotation=90, va="bottom",
                   ha="right" if near else "left")  # fmt: skip
    above.set(yticks=range(servers), yticklabels=[f"computer {server + 1}" for server in range(servers)])
    above.set(ylim=(servers - 0.5, -3.6))
    above.set_ylabel("served by", loc="bottom")  # beside the computers, not the words above them
    below.set(yticks=range(longest), yticklabels=[str(place + 1) for place in range(longest)])
    below.set(xlabel="time", ylabel="place in the queue", ylim=(longest - 0.5, -0.5), xlim=(0, path[-1].stop))
    for plot in (above, below):
        plot.grid(False)
    return figure


SHORT = {"arrival": "arrives", "departure": "leaves", "interruption": "to the end"}


def network(labels, means):
    """Queues side by side, a row each, filled with their mean number of jobs: `roundrobin`, Figure 3.

    Parameters
    ----------
    labels : list of (str, str)
        Of each queue, its arrivals and its server.
    means : sequence of float
        Mean numbers of jobs.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, plot = canvas(figsize=(WIDTH, 0.95 * len(means) + 0.9))
    for row, ((arrivals, server), mean) in enumerate(zip(labels, means)):
        colour = CLASS_COLOURS[row % len(CLASS_COLOURS)]
        plot.barh(row, mean, height=0.5, color=colour, edgecolor="black", linewidth=0.8)
        plot.text(mean + 0.02 * max(means), row, f"{mean:.3f}", va="center")
        plot.text(1.42 * max(means), row, server, ha="center", va="center",
                  bbox={"boxstyle": "circle,pad=0.35", "facecolor": "white", "edgecolor": "black"})  # fmt: skip
        plot.text(0.02 * max(means), row - 0.3, arrivals, va="bottom")
    plot.set(yticks=range(len(means)), yticklabels=[f"queue {row + 1}" for row in range(len(means))])
    plot.set(
        xlabel="mean number of jobs",
        ylabel="processor sharing",
        xlim=(0, 1.55 * max(means)),
        ylim=(len(means) - 0.5, -0.75),
    )
    plot.grid(False)
    return figure


def publish_graph(identifier, graph, fidelity):
    """Publish `roundrobin`, Figure 1 (roundrobin-fig-1): the graph of classes and computers."""
    lines = "; ".join(
        f"class {i + 1} has a line to computer {', '.join(str(server + 1) for server in servers)}"
        for i, servers in enumerate(graph.servers_of_class)
    )
    return publish(
        compatibility(graph), identifier, fidelity=fidelity,
        caption=f"Three classes of jobs, two computers; a line where a class may use a computer ({identifier}).",
        alt=f"A graph: {lines}. The capacities are {', '.join(f'{capacity:g}' for capacity in graph.capacities)}.",
    )  # fmt: skip


def publish_path(identifier, path, events, fidelity):
    """Publish `roundrobin`, Figure 2 (roundrobin-fig-2): all events but the last, at which the drawing ends."""
    told = ". ".join(f"At {event.time:.2f}, job {event.job + 1} {SHORT[event.kind]}" for event in events[:-1])
    return publish(
        timeline(path, events[:-1]), identifier, fidelity=fidelity,
        caption=f"A path of the algorithm ({identifier}). Above: the job that each computer serves. Below: the "
                "queue, its head on top; a dot marks the jobs in service. A colour is a class.",
        alt=f"Two computers and a queue over time. {told}.",
    )  # fmt: skip


def publish_network(identifier, arrival_rates, means, fidelity):
    """Publish `roundrobin`, Figure 3 (roundrobin-fig-3): a processor-sharing queue for each class."""
    labels = [(f"traffic $\\rho_{i + 1} = {rate:g}$", f"$\\phi_{i + 1}(x)$") for i, rate in enumerate(arrival_rates)]
    told = "; ".join(f"traffic {rate:g}, mean number {mean:.3f}" for rate, mean in zip(arrival_rates, means))
    return publish(
        network(labels, means), identifier, fidelity=fidelity,
        caption="The queue seen from far away: a processor-sharing queue for each class, with the mean numbers of jobs "
                f"({identifier}). That a bar shows the mean number is our choice.",
        alt=f"Queues of classes 1 to {len(means)}: {told}.",
    )  # fmt: skip
