"""A log, or a few numbers, to a report: the one place of the machinery that asks the models."""

import math
import os
from pathlib import Path

from clustershare.arguments import fail, integer, number, positive, shortened
from clustershare.workload import (
    Workload,
    assumptions,
    compare,
    describe,
    fewest_servers,
    partings,
    stated,
)
from compendium import logs, places
from compendium.cluster_report import html, markdown, policies, workload
from compendium.cluster_report.blocks import Folded, Heading, Paragraph, Picture
from compendium.press import ownership
from compendium.progress import progress, tell_what_compiles

FILES = ("report.html", "report.md", "policies.csv", "pictures")
LEVEL = 0.01
HOUR = 3600.0
MOST_SOUGHT, MOST_APART = 6, 3  # policies whose fewest servers are looked for, and whose theory is held against replay
OF_NUMBERS = ("load", "mean", "variation", "needs")


def report(
    log=None, *, groups="user", promise=None, servers=None, deviation=0.05, slowdown=2.0, anonymous=False, output=None,
    load=None, mean=None, variation=None, needs=None, told=print,
):  # fmt: skip
    """Write the report of a cluster.

    Parameters
    ----------
    log : str or Path, optional
        A log that `compendium.logs.read` takes. Without one, jobs are as the numbers from `load` on say.
    groups : str
        Which column or field tells the group of a job.
    promise : sequence of str, optional
        Such as "physics=.5", one for each group. With a log, all groups are promised the same if not given.
    servers : int, optional
        Of the cluster; with a log, as many as it tells if not given.
    deviation, slowdown : float
        Bounds of the worst group.
    anonymous : bool
        Whether groups are numbered, and nothing of the log is quoted.
    output : Path, optional
        Folder of the report; `cluster-report` where you are if not given.
    load : sequence of str, optional
        Part of the servers that all groups together keep busy, each as much as it was promised; or one for each group,
        such as "physics=.4".
    mean, variation : float, optional
        Mean size in seconds, an hour if not given, and squared coefficient of variation, 1 if not given.
    needs : sequence of str, optional
        Such as "1=.5", "4=.5": which part of the jobs takes so many servers; all take one if not given.
    told : callable
        Given what is to be shown on the way.

    Returns
    -------
    Path
        Of the page.

    Raises
    ------
    ValueError
        If an argument is not as above, the log has no job that is fit, or a file in the way was not made here.
    OSError
        If a file cannot be written.
    """
    number("deviation", deviation), positive("slowdown", slowdown)
    servers = None if servers is None else integer("servers", servers, 1)
    folder = (Path("cluster-report") if output is None else Path(output)).resolve()
    places.check_apart("output", folder)
    read, work, shares = _asked(
        log, groups, promise, servers, anonymous, {"load": load, "mean": mean, "variation": variation, "needs": needs}
    )
    servers = read.servers if servers is None and read is not None else servers
    if servers is None:
        fail("servers", servers, "given with --servers, for the log does not tell how many there are")
    ownership.check(folder, *FILES)
    places.check_writable(folder / FILES[0])
    if read is not None:
        told(_left_out(read, anonymous))
    tell_what_compiles()
    blocks, comparison, said = _found(read, work, shares, servers, deviation, slowdown, anonymous, variation)
    name = None if read is None or anonymous else Path(log).name
    title = "Your cluster" if name is None else f"Your cluster: {name}"
    _write(folder, [Heading(1, title), *blocks], title, comparison)
    told("\n".join(said))
    return folder / FILES[0]


def _asked(log, groups, promise, servers, anonymous, numbers):
    """The log as it was read, or None; jobs, or laws of them; and promised shares."""
    promised = None if promise is None else _named("promise", promise)
    if log is None:
        return None, *_from_numbers(promised, servers, anonymous, **numbers)
    for name in OF_NUMBERS:
        if numbers[name] is not None:
            fail(name, numbers[name], "left out where there is a log")
    read = logs.read(Path(log), groups=groups, servers=servers)
    work = Workload(**read.jobs)
    if len(work.names) < 2:
        (one,) = work.names
        raise ValueError(
            f"The log has one group only, {one!r:.60}, and shares are of two at least: give --groups another column."
        )
    shares = _shares(promised, work.names)
    if anonymous:
        work = Workload(**{**read.jobs, "names": _numbered(work.names)})
    return read, work, shares


def _from_numbers(promised, servers, anonymous, load, mean, variation, needs):
    if promised is None or load is None or servers is None:
        missing = [f"--{name}" for name, value in (("promise", promised), ("load", load), ("servers", servers))
                   if value is None]  # fmt: skip
        raise ValueError(f"Without a log, {' and '.join(missing)} must be given.")
    names, shares = tuple(promised), _shares(promised, promised)
    if len(load) == 1 and "=" not in load[0]:
        total = _float("load", load[0])
        loads = [total * share for share in shares]
    else:
        given = _named("load", load)
        loads = _in_order("load", given, names)
    parts = None
    if needs is not None:
        parts = {_whole("needs", need): part for need, part in _named("needs", needs).items()}
    laws = stated(
        loads, servers, mean_size=HOUR if mean is None else positive("mean", mean), needs=parts,
        squared_variation=1.0 if variation is None else number("variation", variation, 0),
        names=_numbered(names) if anonymous else names,
    )  # fmt: skip
    return laws, shares


def _numbered(names):
    return tuple(f"group {k}" for k in range(1, len(names) + 1))


def _named(option, words):
    """Numbers by name, of words such as a=.5."""
    found = {}
    for word in words:
        name, sign, value = word.rpartition("=")
        if not sign or not name:
            fail(option, word, "of the form name=number")
        if name in found:
            fail(option, word, f"given once for {name!r:.60}")
        found[name] = _float(f"{option} of {name!r:.60}", value)
    return found


def _float(name, text):
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    return value if math.isfinite(value) else fail(name, text, "a number")


def _whole(name, text):
    return int(text) if text.isdecimal() and len(text) < 10 else fail(name, text, "of whole numbers of servers")


def _in_order(option, given, names):
    unknown, missing = [name for name in given if name not in names], [name for name in names if name not in given]
    if unknown:
        there = ", ".join(map(repr, names))
        raise ValueError(shortened(f"{option} names {unknown[0]!r:.60}, which is no group; there are {there}."))
    if missing:
        raise ValueError(shortened(f"{option} must name every group; missing: {', '.join(map(repr, missing))}."))
    return [given[name] for name in names]


def _shares(promised, names):
    if promised is None:
        return tuple(1 / len(names) for _ in names)
    shares = _in_order("promise", promised, names)
    total = math.fsum(shares)
    if min(shares) <= 0 or abs(total - 1) > 1e-9:
        fail("promise", " ".join(f"{name}={share:g}" for name, share in promised.items()),
             f"of shares above 0 that sum to 1, not {total:.12g}")  # fmt: skip
    return tuple(share / total for share in shares)


def _left_out(read, anonymous):
    """What lines were not as they should be, as text."""
    head = f"{len(read.jobs['arrivals'])} jobs of {len(read.jobs['names'])} groups in {read.lines} lines"
    first = [f"line {n}: {kind}{'' if anonymous else f': {why}'}" for n, kind, why in workload.first_lines(read)]
    return "\n".join([head, *map(str, read.found), *first])


class _Bar:
    """A line of progress that the models call before each step."""

    def __init__(self, what):
        self.what, self.bar = what, None

    def __call__(self, _, left):
        if self.bar is None:
            self.bar = progress(total=left, desc=self.what)
        else:
            self.bar.update()

    def __enter__(self):
        return self

    def __exit__(self, failed, *_):
        if self.bar is not None:
            if failed is None:
                self.bar.update()
            self.bar.close()


def _found(read, work, shares, servers, deviation, slowdown, anonymous, variation):
    """Blocks of the report, the comparison, and the answer as lines of text."""
    with _Bar("policies") as watch:
        comparison = compare(work, shares, servers, watch=watch)
    choices = [policy for policy, _ in policies.chosen(comparison, deviation, slowdown).values()]
    first = policies.first_choice(comparison, deviation, slowdown)[0]
    sought = tuple(dict.fromkeys([first, *choices, *comparison.best]))
    with _Bar("servers") as watch:
        fewest = fewest_servers(
            work, shares, deviation=deviation, slowdown=slowdown, policies=sought[:MOST_SOUGHT], watch=watch
        )
    parted, tests, later = (), (), []
    if read is not None:
        with _Bar("reasons") as watch:
            parted = partings(
                work, shares, servers, tuple(dict.fromkeys([first, *choices]))[:MOST_APART], compared=comparison,
                watch=watch,
            )  # fmt: skip
        tests = assumptions(work, level=LEVEL)
        later += policies.apart(parted, tests)
        later += workload.like(
            describe(work, servers), tests, shares, work.names, work.sizes, work.groups, LEVEL
        )  # fmt: skip
        later += workload.left_out(read, anonymous)
    else:
        later += workload.stated(work, comparison.loads, shares, 1.0 if variation is None else variation)
    answer = list(policies.answer(comparison, fewest, parted, deviation, slowdown))
    blocks = [
        *answer, *policies.choices(comparison, fewest, deviation, slowdown),
        *policies.side_by_side(comparison, deviation, slowdown), *policies.how_many(fewest, deviation, slowdown),
        *later,
    ]  # fmt: skip
    said = ["".join(getattr(part, "text", part) for part in one.parts) for one in answer if isinstance(one, Paragraph)]
    return blocks, comparison, said


def _pictures(blocks):
    for block in blocks:
        if isinstance(block, Picture):
            yield block
        elif isinstance(block, Folded):
            yield from _pictures(block.blocks)


def _write(folder, blocks, title, comparison):
    """All files at once, when all there is to say is known."""
    ownership.check(folder, *FILES)  # it took a while
    table = comparison.to_frame().to_csv(index=False, float_format="%.8g")
    made = {FILES[0]: html.page(blocks, title), FILES[1]: markdown.document(blocks), FILES[2]: table}
    made |= {f"{FILES[3]}/{one.name}.svg": one.svg for one in _pictures(blocks)}
    (folder / FILES[3]).mkdir(exist_ok=True)
    for name, text in made.items():
        new = folder / f"{name}.{os.getpid()}"
        new.write_text(text, encoding="utf-8", errors="replace", newline="\n")
        os.replace(new, folder / name)
        ownership.record(folder, name)
