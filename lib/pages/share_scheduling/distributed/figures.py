"""The curves of `thesis`, Chapter 6: simulated points of the policies against one parameter.

Figures 6.1, 6.2, 6.3, 6.4, 6.5, 6.6, 6.7, 6.8, 6.9, 6.10, 6.11, 6.12, 6.13, 6.14, 6.15 (thesis-fig-6.1 and so
on).
"""

import numpy as np

from compendium.press.figures import COLOURS, MARKERS, WIDTH, axes, canvas, publish
from pages.figures import marks, policy_of

QUANTITIES = {
    "group_share_deviation": "group-share deviation $\\Delta^G$",
    "capacity_loss": "capacity loss $\\Delta^T$",
    "network_utilisation": "network utilisation $\\rho_{net}$",
}


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
    figure.set_size_inches(WIDTH, 3.8)
    x, words = np.asarray(x, float), []
    for name, (values, halves) in curves.items():
        policy, _, other = name.partition(" ")
        values = np.asarray(values)
        plot.errorbar(
            x, values, halves, linewidth=0.9, linestyle="--" if other else "-", label=name,
            **marks(policy, full=not other),
        )  # fmt: skip
        words.append(f"{name} {values[np.abs(x - told).argmin()]:.4f}")
    for number, (name, (places, values)) in enumerate((exact or {}).items()):  # a legend names bare lines first
        plot.errorbar(
            places, values, color="0.25", linestyle=("--", ":", "-.")[number % 3], linewidth=1.4, label=name,
            zorder=1.9,
        )  # fmt: skip
        words.append(f"{name} {np.interp(told, places, values):.4f}")
    return publish(
        figure, identifier, fidelity=fidelity, caption=f"{caption} ({identifier}). Intervals of 95 %.",
        alt=f"{ylabel.split(' $')[0].capitalize()} against {xlabel.split(' $')[0]}. "
            f"At {told:g}: {', '.join(words).replace('/', ' with ')}.",
    )  # fmt: skip


def panels(identifier, x, xlabel, rows, found, *, told, caption, fidelity, **settings):
    """Publish small multiples: a row for each policy or case, a column for each quantity, several curves in each.

    At most two quantities stand side by side; where there are more, rows and columns change places.

    Parameters
    ----------
    identifier : str
        As in ``data/figures.csv``.
    x : array_like, shape (points,)
    xlabel : str
    rows : dict
        One of `QUANTITIES`, or the label itself: settings of the axes of that quantity.
    found : dict
        (quantity, title of the panel, name of the curve): values, nan where there is none, and half widths.
    told : float
        Where the alt text gives the values.
    caption : str
        Without identifier and full stop.
    fidelity : str
    **settings
        Of all axes.

    Returns
    -------
    compendium.press.figures.Published
    """
    quantities, titles, names = list(rows), *(list(dict.fromkeys(key[k] for key in found)) for k in (1, 2))
    turned = len(rows) > 2
    shape = (len(rows), len(titles)) if turned else (len(titles), len(rows))
    figure, plots = canvas(
        shape[0], ncols=shape[1], figsize=(WIDTH, 0.6 + (3.2 if shape == (1, 1) else 1.9) * shape[0]), squeeze=False,
        sharex=True, sharey="row" if turned else "col",
    )  # fmt: skip
    by_quantity = plots if turned else plots.T
    x = np.asarray(x, float)
    for (quantity, title, name), (values, halves) in found.items():
        number = names.index(name)
        # a pair of preferences, such as HP/VP, is no policy
        policy, full = None if "/" in name else policy_of(name), not name.endswith("with PS")
        style = marks(policy, full=full) if policy else {"color": COLOURS[number], "marker": MARKERS[number]}
        by_quantity[quantities.index(quantity)][titles.index(title)].errorbar(
            x, values, halves, linewidth=0.9, label=name, linestyle="-" if full else ":", **style,
        )  # fmt: skip
    for line, (quantity, own) in zip(by_quantity, rows.items()):
        for plot, title in zip(line, titles):
            plot.set(ylabel=QUANTITIES.get(quantity, quantity), title=title, **settings, **own)
        if turned:
            for plot in line[1:]:
                plot.yaxis.label.set_visible(False)  # all of a row have one ordinate
    for plot in plots[-1]:
        plot.set_xlabel(xlabel)
    if "xticks" in settings:
        plots[0][0].set_xticklabels([f"{tick:g}" for tick in settings["xticks"]])
        plots[0][0].minorticks_off()
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


def message_chart(identifier, order, messages, stays, *, caption, alt):
    """Publish what one job and the messages about it do, time downwards; moments are evenly spaced, with their times.

    Parameters
    ----------
    identifier : str
        As in ``data/figures.csv``.
    order : sequence
        Numbers of the processors from left to right, and None for the network.
    messages : sequence of tuple
        What the reader calls it, whether it carries the job, sender, receivers, when it started and ended.
    stays : sequence of tuple
        "waits" or "is served", processor, from and to.
    caption : str
        Without identifier and full stop.
    alt : str

    Returns
    -------
    compendium.press.figures.Published
    """
    times = sorted({time for *_, begin, end in (*messages, *stays) for time in (begin, end)})
    row, after = {time: k for k, time in enumerate(times)}, 0.3  # what is sent stands a little below what came
    place = {each: k for k, each in enumerate(order)}
    looks = {"waits": COLOURS[5], "is served": COLOURS[2]}
    figure, plot = canvas(figsize=(WIDTH, 0.7 + 0.62 * len(times)))
    plot.set(xlim=(-0.85, len(order) + 0.7), ylim=(len(times) - 0.5, -1.1))
    plot.set_axis_off()
    for each, x in place.items():
        plot.plot([x, x], [-0.3, row[times[-1]] + 0.4], color="0.6", linewidth=1, zorder=1)
        plot.text(x, -0.45, "network" if each is None else f"proc. {each}", ha="center", va="bottom")
    for time in times:
        plot.text(-0.3, row[time] + after / 2, f"{time:.3f}", ha="right", va="center", color="0.3")
    for what, processor, begin, end in stays:
        plot.plot([place[processor]] * 2, [row[begin] + after / 2, row[end]], color=looks[what], label=what,
                  linewidth=9, solid_capstyle="butt", zorder=2)  # fmt: skip
    network, named = place[None], set()
    for name, carries, sender, receivers, begin, end in messages:
        beside = sorted((each[2] for each in messages if each[4:] == (begin, end)), key=place.get)
        x = network + 0.09 * (2 * beside.index(sender) - len(beside) + 1)
        style = {"color": COLOURS[1 if carries else 0], "linewidth": 1.6}
        label = "carries the job" if carries else "a message"
        plot.plot([x, x], [row[begin] + after, row[end]], **{**style, "linewidth": 5}, label=label, zorder=3,
                  solid_capstyle="butt")  # fmt: skip
        for start, goal, y in [(place[sender], x, row[begin] + after), *((x, place[to], row[end]) for to in receivers)]:
            plot.annotate("", (goal, y), (start, y), zorder=4,
                          arrowprops={"arrowstyle": "->", "shrinkA": 0, "shrinkB": 0, **style})  # fmt: skip
        if (name, begin) not in named:
            plot.text(len(order) - 0.65, (row[begin] + after + row[end]) / 2, name, va="center")
            named.add((name, begin))
    return publish(figure, identifier, caption=f"{caption} ({identifier}).", alt=alt)


def known_states(identifier, panels, jobs, own, *, caption, alt):
    """Publish what a processor knows of the jobs on all, and where rules would place a job by that.

    Parameters
    ----------
    identifier : str
        As in ``data/figures.csv``.
    panels : dict
        Title: the processors known, from 0, and for each of them that is chosen the words under it.
    jobs : sequence of tuple
        Of each processor its numbers of jobs by group, two of them.
    own : int
        How many of the processors, the first ones, belong to group 1.
    caption : str
        Without identifier and full stop.
    alt : str

    Returns
    -------
    compendium.press.figures.Published
    """
    figure, plots = canvas(len(panels), figsize=(WIDTH, 2.3 * len(panels)))
    for plot, (title, (known, chosen)) in zip(plots, panels.items()):
        plot.set(xlim=(-0.6, len(jobs) - 0.4), ylim=(-1.75, 2.7))
        plot.set_title(title, loc="left")
        plot.set_axis_off()
        for p, numbers in enumerate(jobs):
            seen = p in known
            plot.plot([p - 0.4, p + 0.4], [0, 0], color=COLOURS[0 if p < own else 1] if seen else "0.7", linewidth=3)
            plot.text(p, -0.1, p + 1, ha="center", va="top", color="black" if seen else "0.45")
            if not seen:
                plot.text(p, 0.75, "?", ha="center", va="center", fontsize=20, color="0.45")
                continue
            of = [group for group, number in enumerate(numbers) for _ in range(number)]
            for level, group in enumerate(of):
                plot.bar(p, 0.8, 0.62, bottom=0.15 + level, color=COLOURS[group], label=f"job of group {group + 1}")
            plot.text(p, -0.75, "\n".join(chosen.get(p, ())), ha="center", va="top")
    return publish(figure, identifier, caption=f"{caption} ({identifier}).", alt=alt)
