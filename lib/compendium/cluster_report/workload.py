"""What a log is like, which assumptions of models it contradicts, and what of it was left out, as blocks."""

import numpy as np

from compendium.cluster_report import pictures
from compendium.cluster_report.blocks import Bullets, Heading, Paragraph, Picture, Strong, Table
from compendium.cluster_report.numbers import chance, duration, percent, times

MOST_GROUPS, MOST_LAWS = 10, 4
FEW_LINES = 10


def largest(amounts, most=MOST_GROUPS):
    """The groups that bring most, the first first.

    Examples
    --------
    >>> largest(np.array([1.0, 3.0, 2.0]), 2).tolist()
    [1, 2]
    """
    return np.argsort(-np.nan_to_num(amounts), kind="stable")[:most]


def first_lines(log):
    """The first ten lines that were not as they should be, those that were left out before those that were mended.

    Returns
    -------
    list of (int, str, str)
        Number, kind and reason.
    """
    rows = [(not one.left_out, number, one.kind, why) for one in log.found for number, why in one.first]
    return sorted(row[1:] for row in sorted(rows)[:FEW_LINES])


def left_out(log, anonymous=False):
    """What lines were not as they should be: each kind counted, the first with number and reason.

    Parameters
    ----------
    log : compendium.logs.Log
    anonymous : bool
        Whether reasons are withheld, which quote the log.
    """
    yield Heading(2, "What was left out")
    jobs, groups = len(log.jobs["arrivals"]), len(log.jobs["names"])
    if not log.found:
        yield Paragraph(f"Nothing: all of {log.lines} lines were read, and {jobs} jobs of {groups} groups are in them.")
        return
    yield Paragraph(f"{jobs} jobs of {groups} groups were read from {log.lines} lines. Not all were as they should be.")
    rows = tuple((one.kind, one.rule, f"{one.left_out:,}", f"{one.kept:,}") for one in log.found)
    yield Table(
        "Lines by kind. A line that is kept was mended as the rule says.", ("kind", "rule", "left out", "kept"), rows,
        words=(0, 1),
    )  # fmt: skip
    first = tuple((f"{number}", kind, "" if anonymous else why) for number, kind, why in first_lines(log))
    yield Table(
        "The first of them, those that were left out before others.", ("line", "kind", "reason"), first, words=(0, 1, 2)
    )


def like(description, assumptions, promised, names, sizes, groups, level):
    """The workload in numbers and pictures, and its assumptions tested.

    Parameters
    ----------
    description, assumptions
        As `clustershare.workload.describe` and `assumptions` give them.
    promised : ndarray, shape (groups,)
    names : sequence of str
    sizes, groups : ndarray, shape (jobs,)
    level : float
        Of the tests.
    """
    d = description
    yield Heading(2, "The workload")
    jobs, servers = int(d.jobs.sum()), d.server_numbers
    taken = "one server each" if servers[-1] == 1 else f"{servers[0]} to {servers[-1]} servers each"
    yield Paragraph(
        f"{jobs:,} jobs arrived within {duration(d.span)}. They take {taken}, and would keep {percent(d.loads.sum())} "
        f"of all servers busy. Their sizes, the times that they run, vary {times(d.size_squared_variation)} times as "
        f"much as exponential ones, and the times between arrivals {times(d.gap_squared_variation)} times as much "
        "(squared coefficients of variation, variance over squared mean)."
    )
    chosen = largest(d.work)
    rows = tuple(
        (names[g], f"{d.jobs[g]:,}", percent(d.loads[g]), percent(promised[g]), duration(d.mean_sizes[g]),
         times(d.size_squared_variations[g]))
        for g in chosen
    )  # fmt: skip
    more = f" The {len(chosen)} of {len(names)} that bring most work." if len(names) > len(chosen) else ""
    yield Table(
        f"Groups.{more}", ("group", "jobs", "load", "promised", "mean size", "squared variation of sizes"), rows
    )
    shown = [names[g] for g in chosen]
    yield Picture(
        "load", f"Load that each group brings, beside the share of the servers that it is promised.{more}",
        "Bars of the load of each group with a mark at its promised share: " + "; ".join(
            f"{pictures.short(names[g])} {percent(d.loads[g])} of {percent(promised[g])}" for g in chosen[:MOST_LAWS]
        ) + ".", pictures.loads(shown, d.loads[chosen], np.asarray(promised)[chosen]),
    )  # fmt: skip
    few = [g for g in chosen[:MOST_LAWS] if d.jobs[g]]
    yield Picture(
        "sizes", "Laws of the sizes: which part of the jobs runs longer than t. A straight line falling slowly is a "
        "heavy tail: few long jobs bring most of the work.",
        f"Curves of the part of jobs that run longer than a time, from {duration(sizes.min())} to "
        f"{duration(sizes.max())}, beside an exponential law.",
        pictures.sizes([names[g] for g in few], [sizes[groups == g] for g in few]),
    )  # fmt: skip
    if servers[-1] > 1:
        yield from _servers(d)
    yield Picture(
        "cycle", "Arrivals by hour of the day and by day of the week, beside their mean. "
        + ("Hours count from midnight and days from Monday where the log tells the date, else from the first job."),
        f"Bars of the rate of arrivals: over the day {_range(d.daily_cycle)}, over the week {_range(d.weekly_cycle)} "
        "times the mean.", pictures.cycles(d.daily_cycle, d.weekly_cycle),
    )  # fmt: skip
    if len(d.windows):
        yield Picture(
            "bursts", "Burstiness: the variance of the number of arrivals in a window over its mean. It is 1 at all "
            "lengths in a Poisson stream, and grows where arrivals come in bursts.",
            f"A line of the index of dispersion, from {times(d.index_of_dispersion[0])} in windows of "
            f"{duration(d.windows[0])} to {times(d.index_of_dispersion[-1])} in windows of {duration(d.windows[-1])}.",
            pictures.bursts(d.windows, d.index_of_dispersion),
        )  # fmt: skip
    yield Bullets(
        f"{what}: {value:.2f}" if value == value else f"{what}: not to be told"
        for what, value in (
            ("Rank correlation of a size with the next", d.size_correlation),
            ("of a time between arrivals with the next", d.gap_correlation),
            ("of the size of a job with the number of its servers", d.size_server_correlation),
        )
    )
    yield Heading(3, "What models assume, and what the log says to it")
    no = sum(one.contradicted for one in assumptions)
    yield Paragraph(
        f"{no} of {len(assumptions)} assumptions are contradicted, at a level of {level:g}: where one holds, its test "
        "contradicts it so often. In a log of many jobs the smallest difference is found; what matters is told further "
        "up, by replays."
    )
    yield Table(
        "Assumptions, tested.", ("assumption", "contradicted", "test", "p"),
        tuple((one.assumption, "contradicted" if one.contradicted else "no", one.method, chance(one.p_value))
              for one in assumptions), words=(0, 1, 2), marked=(),
    )  # fmt: skip


def _servers(d):
    part = d.server_probabilities * d.server_numbers
    yield Picture(
        "servers", "Numbers of servers that jobs take at once: of the jobs, and of the servers that are asked for.",
        f"Bars by number of servers, from {d.server_numbers[0]} to {d.server_numbers[-1]}; the most usual is "
        f"{d.server_numbers[np.argmax(d.server_probabilities)]}.",
        pictures.servers(d.server_numbers, d.server_probabilities, part / part.sum()),
    )  # fmt: skip


def _range(rates):
    seen = rates[~np.isnan(rates)]
    return f"from {times(seen.min())} to {times(seen.max())}" if len(seen) else "not to be told"


def stated(laws, loads, promised, variation):
    """The workload where there is no log."""
    yield Heading(2, "The workload")
    yield Paragraph(
        "There is no log: jobs arrive in a Poisson stream and are independent of one another, with a mean size of "
        f"{duration(laws.sizes[0].mean)} and a squared coefficient of variation of {variation:g}. ",
        Strong("Whether yours are so, only a log can tell."),
    )
    needs = ", ".join(f"{need} ({percent(part)})" for need, part in laws.needs)
    rows = tuple((name, percent(load), percent(share)) for name, load, share in zip(laws.names, loads, promised))
    yield Table(f"Groups. Servers that jobs take: {needs}.", ("group", "load", "promised"), rows)
