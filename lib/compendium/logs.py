"""Logs of clusters as columns: what is fit to be a job, and what is not, counted by kind.

Nothing is left out in silence. What may be wrong with a line is one of `KINDS`, each with rules to choose from, the
first of which holds if none is chosen. What is read is handed to the models as it stands::

    log = logs.read("log.swf.gz")
    workload = Workload(**log.jobs)
"""

import csv
import datetime
import gzip
import io
import re
import zlib
import zoneinfo
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from clustershare.arguments import fail, integer, one_of, shortened

MOST_SHOWN = 10  # lines of each kind
BLOCK = 8 * 2**20  # characters that are parsed at once
MOST_SERVERS = 10**9
WEEK, MONDAY = 7 * 86400, 4 * 86400  # the first Monday of Unix time came after four days
EPOCH_AT_LEAST = 10**8  # seconds: smaller numbers count from the beginning of the log
UNKNOWN = "unknown"
KINDS = {
    "byte-order mark": ("skip", "refuse"),
    "no job": ("leave out", "refuse"),
    "part of a job": ("leave out", "keep", "refuse"),
    "unknown arrival": ("leave out", "refuse"),
    "cancelled": ("keep what ran", "leave out", "refuse"),
    "times run backwards": ("leave out", "refuse"),
    "unknown run time": ("leave out", "estimate", "refuse"),
    "zero run time": ("leave out", "one second", "refuse"),
    "no processors": ("requested", "one", "leave out", "refuse"),
    "too many processors": ("leave out", "all", "refuse"),
    "unknown group": ("own group", "leave out", "refuse"),
    "unknown estimate": ("run time", "leave out", "refuse"),
    "out of order": ("sort", "leave out", "refuse"),
}
SWF_FIELDS = 18
SWF_GROUPS = {"user": 11, "group": 12, "executable": 13, "queue": 14, "partition": 15}
SWF_USED = {"arrival": 1, "wait": 2, "run": 3, "servers": 4, "requested": 7, "estimate": 8}
CANCELLED, PART, UNFINISHED = 1, 2, 3
SWF_STATES = {5: CANCELLED, 2: PART, 3: PART, 4: PART}
STATES_UNFINISHED = ("RUNNING", "PENDING", "SUSPENDED", "REQUEUE", "CONFIGURING", "COMPLETING", "RESIZING", "STOPPED")
COLUMNS = {  # by what they hold: names, of which the first that is there is taken
    "arrival": ("submit", "arrival", "arrivals", "submit_time", "submittime", "arrival_time"),
    "start": ("start", "start_time", "starttime"),
    "end": ("end", "end_time", "endtime"),
    "run": ("elapsedraw", "elapsed", "run_time", "runtime", "size", "sizes", "service_time", "duration"),
    "servers": ("alloccpus", "ncpus", "nnodes", "allocnodes", "servers", "processors", "cpus", "nodes"),
    "requested": ("reqcpus", "reqnodes", "requested_processors"),
    "estimate": ("timelimitraw", "timelimit", "estimate", "estimates", "requested_time", "walltime"),
    "state": ("state", "status"),
    "job": ("jobid", "job_id", "jobidraw", "job"),
}
IN_MINUTES = {"timelimitraw"}
DURATION = re.compile(r"(?:(\d+)-)?(?:(?:(\d+):)?(\d+):)?(\d+(?:\.\d*)?)")


@dataclass(frozen=True)
class Found:
    """Lines of one kind.

    Attributes
    ----------
    kind, rule : str
    left_out, kept : int
        How many lines are no job, and how many are, mended as the rule says.
    first : tuple of (int, str)
        Number of the line, from 1, and the reason; the first ten.
    """

    kind: str
    rule: str
    left_out: int
    kept: int
    first: tuple

    def __str__(self):
        parts = [f"{count} {what}" for count, what in ((self.left_out, "left out"), (self.kept, "kept")) if count]
        return f"{self.kind} (rule: {self.rule}): {', '.join(parts)}"


@dataclass(frozen=True, eq=False)
class Log:
    """A log as it was read.

    Attributes
    ----------
    jobs : dict
        `arrivals`, `sizes`, `groups`, `servers`, `names`, `estimates`: what `clustershare.workload.Workload` takes.
        Times are in seconds. Where the log tells the date, arrivals count from the Monday before the first, 0 o'clock;
        else the first job arrives at 0.
    lines : int
        Of the file.
    found : tuple of Found
        What was wrong, by kind, in the order of `KINDS`.
    servers : int or None
        Of the machine, as given or as the log tells.
    began : datetime.datetime or None
        The Monday that arrivals count from, in the log's own time.
    header : dict
        What the comments of the Standard Workload Format tell.
    """

    jobs: dict = field(repr=False)
    lines: int
    found: tuple
    servers: int | None
    began: datetime.datetime | None
    header: dict = field(repr=False)

    @property
    def first(self):
        """Number of the line, kind and reason of the first ten lines that were not as they should be."""
        rows = sorted((number, one.kind, reason) for one in self.found for number, reason in one.first)
        return tuple(rows[:MOST_SHOWN])

    def __str__(self):
        head = f"{len(self.jobs['arrivals'])} jobs of {len(self.jobs['names'])} groups in {self.lines} lines"
        return "\n".join([head, *map(str, self.found), *(f"line {n}: {kind}: {why}" for n, kind, why in self.first)])


def read(path, **options):
    """Read a log of either format, told by its first line that is no comment: words with separators name columns.

    Parameters
    ----------
    path : str or Path
    **options
        Of `read_swf` or `read_csv`.

    Returns
    -------
    Log
    """
    for _, lines in _blocks(path, _Tally(path, {})):
        for line in lines:
            if line.strip() and line.lstrip()[0] not in ";#":
                named = re.search(r"[A-Za-z]{2}", line) and re.search(r"[|;,\t]", line)
                return (read_csv if named else read_swf)(path, **options)
    return read_swf(path, **options)


def read_swf(path, *, groups="user", servers=None, rules=None):
    """Read a log in the Standard Workload Format of the Parallel Workloads Archive, plain or gzipped.

    Lines that begin with ; are comments; ``; MaxProcs: 128`` tells the size of the machine and ``; UnixStartTime:``,
    with ``; TimeZoneString:``, the date. A job is a line of 18 numbers, -1 for what is not known.

    Parameters
    ----------
    path : str or Path
    groups : str or None
        Which field tells the group of a job: "user", "group", "executable", "queue" or "partition". None: all are of
        one group.
    servers : int, optional
        Processors of the machine. If not given, MaxProcs or MaxNodes of the comments; if they tell none, any number.
    rules : dict, optional
        From kinds to rules, see `KINDS`.

    Returns
    -------
    Log

    Raises
    ------
    ValueError
        If an argument is not as above, the file cannot be read, no line is fit, or a rule refuses one.
    """
    if groups is not None:
        one_of("groups", groups, SWF_GROUPS)
    tally, header, blocks, lines = _Tally(path, rules), {}, [], 0
    for first, block in _blocks(path, tally):
        lines += len(block)
        numbers, kept = [], []
        for number, line in enumerate(block, first):
            text = line.lstrip()
            if text[:1] in (";", "#"):
                key, colon, value = text.lstrip(";# \t").partition(":")
                if colon and value.strip():
                    header.setdefault(key.strip(), value.strip())
            elif text:
                numbers.append(number)
                kept.append(line if line[-1] == "\n" else f"{line}\n")
        if kept:
            blocks.append(_swf_block(np.array(numbers), kept, tally))
    everything = np.concatenate([block for block in blocks if len(block)] or [np.zeros((0, SWF_FIELDS + 1))])
    table = {name: everything[:, 1 + column] for name, column in SWF_USED.items()} | {
        "line": everything[:, 0].astype(int), "state": np.zeros(len(everything), np.int8)}  # fmt: skip
    for value, state in SWF_STATES.items():
        table["state"][everything[:, 11] == value] = state
    if groups is None:
        codes, names = np.zeros(len(everything), int), ["all"]
    else:
        own = everything[:, 1 + SWF_GROUPS[groups]]
        values, codes = np.unique(own, return_inverse=True)
        names = [f"{value:.15g}" for value in values]
        codes[own < 0] = -1
    wait, run, arrival = table.pop("wait"), table["run"], table["arrival"]
    table["backwards"] = [
        (run < 0) & (run != -1), (wait < 0) & (wait != -1), (arrival < 0) & (arrival != -1)
    ]  # fmt: skip
    table["why backwards"] = [("run time {:.15g}", run), ("wait {:.15g}", wait), ("arrival at {:.15g}", arrival)]
    for name in ("arrival", "run", "servers", "requested", "estimate"):
        known = table[name] > 0 if name == "estimate" else table[name] != -1
        table[name] = np.where(known, table[name], np.nan)
    machine = _machine(servers, header)
    return _judged(tally, table, codes, names, machine, _swf_start(header), lines, header)


def read_csv(path, *, groups="user", servers=None, rules=None, columns=None):
    """Read a log with named columns, a job a line: ``sacct -P``, or any CSV, plain or gzipped.

    Parameters
    ----------
    path : str or Path
        The first line names the columns, between them | ; , or tabulators.
    groups : str or None
        The column that tells the group of a job, such as "user", "account" or "partition"; the case of letters does
        not matter. None: all are of one group.
    servers : int, optional
        Processors of the machine; any number if not given.
    rules : dict, optional
        From kinds to rules, see `KINDS`.
    columns : dict, optional
        What is to be read from which column: "arrival", "start", "end", "run", "servers", "requested", "estimate",
        "state", "job". What is not given is looked for under the names of `COLUMNS`. There must be an arrival, and a
        run time or start and end. Without a column of servers, each job takes one.

    Returns
    -------
    Log

    Raises
    ------
    ValueError
        If an argument is not as above, the file cannot be read, lacks a column, no line is fit, or a rule refuses one.

    Notes
    -----
    Points in time are dates as Slurm and ISO 8601 write them, taken as they stand, or seconds; from 10^8 on, of Unix
    time. Times are seconds, or ``days-hours:minutes:seconds``; TimelimitRaw is in minutes.
    """
    tally, lines, names, parts = _Tally(path, rules), 0, None, []
    known = {}  # number of each group
    for first, block in _blocks(path, tally):
        lines += len(block)
        numbers = [number for number, line in enumerate(block, first) if line.strip()]
        kept = [line.rstrip("\n") for line in block if line.strip()]
        if names is None and kept:
            separator = next((one for one in "|;\t" if one in kept[0]), ",")
            names = [name.strip() for name in _fields(kept[0], separator)]
            chosen = _columns(path, names, groups, columns)
            del numbers[0], kept[0]
        if kept:
            parts.append(_csv_block(np.array(numbers), kept, separator, names, chosen, known, tally))
    if names is None:
        raise ValueError(shortened(f"{path} is empty."))
    table = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]} if parts else {}
    if not table:
        _nothing_fit(tally)
    start, end, run = (table.pop(name, None) for name in ("start", "end", "run"))
    none = np.full(len(table["line"]), np.nan)
    table["backwards"], table["why backwards"] = [], []
    if start is not None and end is not None:
        run = end - start if run is None else np.where(np.isnan(run), end - start, run)
        table["backwards"].append(end < start)
        table["why backwards"].append(("end {:.15g} s before the start", start - end))
    if start is not None:
        table["backwards"].append(start < table["arrival"])
        table["why backwards"].append(("start {:.15g} s before the arrival", table["arrival"] - start))
    table["backwards"].append(run < 0)
    table["why backwards"].append(("run time {:.15g}", run))
    table["run"] = run
    if "servers" not in table:
        table["servers"] = np.ones(len(none)) if "requested" not in table else table["requested"]
    table.setdefault("requested", none)
    table["estimate"] = np.where(table.get("estimate", none) > 0, table.get("estimate", none), np.nan)
    unfinished = table["state"] == UNFINISHED
    table["run"] = np.where(unfinished, np.nan, table["run"])
    arrival = table["arrival"]
    dated = not np.isnan(arrival).all() and np.nanmin(arrival) >= EPOCH_AT_LEAST
    start = 0.0 if dated else None
    codes, of_groups = (np.zeros(len(none), int), ["all"]) if groups is None else (table.pop("group"), list(known))
    return _judged(tally, table, codes, of_groups, _machine(servers, {}), start, lines, {})


class _Tally:
    """What was wrong with lines of a file, and what the rules say to it."""

    def __init__(self, path, rules):
        self.path, self.left_out, self.kept, self.first = path, {}, {}, {}
        if not isinstance({} if rules is None else rules, dict):
            fail("rules", rules, "a dictionary from kinds of lines to rules")
        self.rules = {kind: allowed[0] for kind, allowed in KINDS.items()}
        for kind, rule in (rules or {}).items():
            self.rules[kind] = one_of(f"rules[{kind!r}]", rule, KINDS[one_of("kind in rules", kind, KINDS)])

    def add(self, kind, numbers, reason, left_out):
        """Count lines of a kind; `reason` gives that of the k-th of them."""
        if len(numbers):
            if self.rules[kind] == "refuse":
                raise ValueError(shortened(f"{self.path}, line {numbers[0]}: {kind}: {reason(0)}."))
            counts = self.left_out if left_out else self.kept
            counts[kind] = counts.get(kind, 0) + len(numbers)
            new = [(int(numbers[k]), shortened(reason(k), 160)) for k in range(min(MOST_SHOWN, len(numbers)))]
            self.first[kind] = sorted(self.first.get(kind, []) + new)[:MOST_SHOWN]

    def found(self):
        return tuple(
            Found(kind, self.rules[kind], self.left_out.get(kind, 0), self.kept.get(kind, 0), tuple(self.first[kind]))
            for kind in KINDS
            if kind in self.first
        )


def _nothing_fit(tally):
    counts = [f"{count} {kind}" for kind, count in tally.left_out.items()]
    first = sorted((*one, kind) for kind, found in tally.first.items() for one in found)[:1]
    why = "".join(f" ({', '.join(counts)}; line {number}: {kind}: {reason})" for number, reason, kind in first)
    raise ValueError(shortened(f"{tally.path} has no line that is fit to be a job{why}."))


def _blocks(path, tally):
    """The lines of a file, some at a time, with the number of the first of them."""
    if not isinstance(path, (str, Path)):
        fail("path", path, "the path of a file")
    try:
        with open(path, "rb") as file:
            zipped = file.read(2) == b"\x1f\x8b"
        opened = gzip.open if zipped else open
        with opened(path, "rb") as file:
            head = file.read(3)
        marks = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
        encoding = next((name for mark, name in marks.items() if head.startswith(mark)), "utf-8")
        if encoding != "utf-8":
            tally.add("byte-order mark", [1], lambda _: f"the file begins with one, of {encoding}", False)
        with opened(path, "rb") as file, io.TextIOWrapper(file, encoding, "replace") as text:
            number = 1
            while lines := text.readlines(BLOCK):
                yield number, lines
                number += len(lines)
    except (OSError, EOFError, zlib.error, UnicodeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise ValueError(shortened(f"{path} cannot be read: {' '.join(why.split())}.")) from None
    except ValueError as error:
        if "null" not in str(error):
            raise
        fail("path", path, "the path of a file")


def _swf_block(numbers, lines, tally):
    """Lines as numbers, shape (lines that are jobs, 19): first the number of the line."""
    try:
        table = pd.read_csv(
            io.StringIO("".join(lines)), sep=r"\s+", header=None, names=range(SWF_FIELDS + 1), dtype=float,
            quoting=csv.QUOTE_NONE,
        ).to_numpy()  # fmt: skip
        fine = len(table) == len(lines) and np.isnan(table[:, -1]).all() and np.isfinite(table[:, :-1]).all()
    except ValueError:  # of pandas: a field too many, or one that is no number
        fine = False
    if fine:
        return np.column_stack([numbers, table[:, :-1]])
    rows, wrong, reasons = [], [], []
    for number, line in zip(numbers, lines, strict=True):
        fields = line.split()
        if len(fields) != SWF_FIELDS:
            wrong.append(number)
            reasons.append(f"{len(fields)} fields in place of {SWF_FIELDS}")
            continue
        try:
            row = [number, *map(float, fields)]
        except ValueError:
            row = [np.nan]
        if np.isfinite(row).all() and "_" not in line:
            rows.append(row)
        else:
            wrong.append(number)
            reasons.append(f"{next((one for one in fields if not _is_number(one)), line)!r:.60} is no number")
    tally.add("no job", wrong, reasons.__getitem__, True)
    return np.array(rows).reshape(-1, SWF_FIELDS + 1)


def _is_number(text):
    try:
        return bool(np.isfinite(float(text))) and "_" not in text
    except ValueError:
        return False


def _machine(servers, header):
    if servers is not None:
        return integer("servers", servers, 1, MOST_SERVERS)
    for name in ("MaxProcs", "MaxNodes"):
        told = re.match(r"\d+", header.get(name, ""))
        if told and 1 <= int(told[0]) <= MOST_SERVERS:
            return int(told[0])
    return None


def _swf_start(header):
    """Local Unix time of time 0 of the log; None if it does not tell."""
    told = re.match(r"\d+", header.get("UnixStartTime", ""))
    if not told or not EPOCH_AT_LEAST <= int(told[0]) < 10**11:
        return None
    when = datetime.datetime.fromtimestamp(int(told[0]), datetime.UTC)
    try:
        offset = when.astimezone(zoneinfo.ZoneInfo(header.get("TimeZoneString", "UTC"))).utcoffset().total_seconds()
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        offset = 0.0
    return int(told[0]) + offset


def _columns(path, names, groups, given):
    """Which column holds what: a dictionary to places, and which of them are in minutes."""
    if not isinstance({} if given is None else given, dict):
        fail("columns", given, "a dictionary from what is read to names of columns")
    if groups is not None and not isinstance(groups, str):
        fail("groups", groups, "the name of a column, or None")
    there = {}
    for place, name in enumerate(names):
        there.setdefault(name.lower(), place)
    wanted = {what: (one_of(f"columns[{what!r}]", name, names).lower(),) for what, name in (given or {}).items()
              if one_of("what is read in columns", what, COLUMNS)}  # fmt: skip
    found = {}
    for what, usual in COLUMNS.items():
        for name in wanted.get(what, usual):
            if name in there:
                found[what] = there[name], name in IN_MINUTES
                break
    if groups is not None:
        if groups.lower() not in there:
            fail("groups", groups, f"None or a column of {path}, which has {', '.join(names)}")
        found["group"] = there[groups.lower()], False
    if "arrival" not in found or "run" not in found and not {"start", "end"} <= found.keys():
        missing = "arrivals" if "arrival" not in found else "run times, nor of starts and ends"
        raise ValueError(shortened(f"{path} has no column of {missing}; it has {', '.join(names)}."))
    return found


def _csv_block(numbers, lines, separator, names, chosen, known, tally):
    """What lines tell, as arrays by name."""
    width = len(names)
    plain = not any('"' in line or "\0" in line for line in lines)
    if plain and all(line.count(separator) == width - 1 for line in lines):
        used = sorted({place for place, _ in chosen.values()})
        by_column = pd.read_csv(
            io.StringIO("\n".join(lines)), sep=separator, header=None, usecols=used, dtype=object, na_filter=False,
            quoting=csv.QUOTE_NONE,
        )  # fmt: skip
    else:
        rows = [line.split(separator) if plain else _fields(line, separator) for line in lines]
        # A separator behind the last field, as of sacct -p, is none too many.
        rows = [row[:-1] if len(row) == width + 1 and not row[-1].strip() else row for row in rows]
        right = np.array([len(row) == width for row in rows])
        wrong = [row for row in rows if len(row) != width]
        tally.add("no job", numbers[~right], lambda k: f"{len(wrong[k])} fields in place of {width}", True)
        numbers = numbers[right]
        by_column = pd.DataFrame([row for row in rows if len(row) == width], columns=range(width), dtype=object)
    columns = {what: by_column[place].to_numpy() for what, (place, _) in chosen.items()}
    table, bad = {"line": numbers}, {}
    for what in ("arrival", "start", "end", "run", "servers", "requested", "estimate"):
        if what in chosen:
            place, minutes = chosen[what]
            read_one = _points_in_time if what in ("arrival", "start", "end") else _durations
            table[what], wrong = read_one(columns[what])
            if minutes:
                table[what] = table[what] * 60
            for k in np.flatnonzero(wrong):
                bad.setdefault(int(k), f"{names[place]} is {columns[what][k]!r:.60}")
    table["state"] = np.zeros(len(numbers), np.int8)
    if "state" in chosen:
        codes, values = pd.factorize(columns["state"])
        table["state"] = np.array([*map(_state, values), 0], np.int8)[codes]
    if "job" in chosen:  # 12.0 and 12.batch are steps of 12
        table["state"][np.array(["." in job for job in columns["job"]], bool)] = PART
    if "group" in chosen:
        codes, values = pd.factorize(columns["group"])
        values = map(str.strip, values)
        numbered = [known.setdefault(one, len(known)) if one not in ("", "-1") else -1 for one in values]
        table["group"] = np.array([*numbered, -1])[codes]
    wrong = sorted(bad)
    tally.add("no job", numbers[wrong], lambda k: bad[wrong[k]], True)
    right = np.ones(len(numbers), bool)
    right[wrong] = False
    return {name: values[right] for name, values in table.items()}


def _fields(line, separator):
    try:
        return next(csv.reader([line], delimiter=separator))
    except csv.Error:  # a field of more signs than it takes
        return []


def _state(text):
    text = text.strip().upper()
    if text.startswith("CANCEL") or text == "5":
        return CANCELLED
    return UNFINISHED if text.startswith(STATES_UNFINISHED) else 0


NOT_KNOWN = frozenset(["", "-1", "none", "unknown", "n/a", "na", "nan", "unlimited", "partition_limit", "invalid"])


def _points_in_time(texts):
    """Seconds, nan for what is not known, and which entries are neither."""
    found = np.full(len(texts), np.nan)
    if any(":" in text or "-" in text[1:] for text in texts[:MOST_SHOWN]):  # else years would be taken for dates
        dates = pd.to_datetime(pd.Series(texts), errors="coerce", format="ISO8601", utc=True)
        dates = dates.dt.tz_localize(None).to_numpy().astype("datetime64[us]")
        found = np.where(np.isnat(dates), np.nan, dates.astype(float) / 1e6)
    return _with_unknown(_numbers_where(np.isnan(found), texts, found), texts)


def _durations(texts):
    """Numbers, or seconds of durations, as `_points_in_time`."""
    found = np.full(len(texts), np.nan)
    if any(":" in text for text in texts[:MOST_SHOWN]):
        codes, values = pd.factorize(texts)
        found = np.array([*map(_duration, values), np.nan])[codes]
    found = _numbers_where(np.isnan(found), texts, found)
    other = np.flatnonzero(~np.isfinite(found))
    found[other] = [_duration(text) for text in texts[other]]
    return _with_unknown(found, texts)


def _numbers_where(which, texts, found):
    found[which] = pd.to_numeric(texts[which], errors="coerce").astype(float)
    return found


def _duration(text):
    told = DURATION.fullmatch(text.strip())
    if not told:
        return np.nan
    days, hours, minutes, seconds = (float(part or 0) for part in told.groups())
    return ((24 * days + hours) * 60 + minutes) * 60 + seconds


def _with_unknown(found, texts):
    found[found == -1] = np.nan
    missing = np.flatnonzero(~np.isfinite(found))
    wrong = np.zeros(len(found), bool)
    wrong[missing] = [texts[k].strip().lower() not in NOT_KNOWN for k in missing]
    found[missing] = np.nan
    return found, wrong


def _judged(tally, table, codes, names, machine, start, lines, header):
    """The log of what is fit.

    Parameters
    ----------
    tally : _Tally
    table : dict of ndarray
        By line; nan is what is not known.
    codes : ndarray of int
        Groups, -1 for unknown ones.
    names : list of str
        Of the groups.
    machine : int or None
        Its processors.
    start : float or None
        What is added to arrivals to have Unix time; None if that is not known.
    lines : int
    header : dict
    """
    number, arrival, run = table["line"], table["arrival"], table["run"].copy()
    servers, estimate = table["servers"].copy(), table["estimate"].copy()
    fit, rules = np.ones(len(number), bool), tally.rules

    def judge(kind, which, reason, mended=None):
        """Leave lines out, or those that are not mended."""
        which = which & fit
        if which.any():
            kept = which & mended if mended is not None and rules[kind] != "leave out" else np.zeros(len(which), bool)
            for lot, left_out in ((which & ~kept, True), (kept, False)):
                where = np.flatnonzero(lot)
                tally.add(kind, number[where], lambda k, where=where: reason(where[k]), left_out)
            fit[which & ~kept] = False
        return which & fit

    every = np.ones(len(number), bool)
    state = table["state"]
    parts = every if rules["part of a job"] == "keep" else ~every
    judge("part of a job", state == PART, lambda _: "a step, or a partial execution", parts)
    judge("unknown arrival", np.isnan(arrival), lambda _: "no time of arrival")
    judge("cancelled", state == CANCELLED, lambda k: f"run time {run[k]:.15g}".replace("nan", UNKNOWN), run > 0)
    for which, (words, values) in zip(table["backwards"], table["why backwards"], strict=True):
        judge("times run backwards", which, lambda k, words=words, values=values: words.format(values[k]))
    usable = (estimate > 0) & (rules["unknown run time"] == "estimate")
    why = lambda k: "not finished" if state[k] == UNFINISHED else "no run time"  # noqa: E731
    mended = judge("unknown run time", np.isnan(run), why, usable)
    run[mended] = estimate[mended]
    mended = judge("zero run time", run == 0, lambda _: "run time 0", every & (rules["zero run time"] == "one second"))
    run[mended] = 1.0
    requested = table["requested"]
    none = ~(servers >= 1) | (servers != np.floor(servers))
    other = np.where((requested >= 1) & (requested == np.floor(requested)), requested, np.nan)
    other = np.ones(len(number)) if rules["no processors"] == "one" else other
    told = lambda k: f"{servers[k]:.15g} processors".replace("nan", UNKNOWN)  # noqa: E731
    mended = judge("no processors", none, told, ~np.isnan(other))
    servers[mended] = other[mended]
    most = machine or MOST_SERVERS
    cut = every & (rules["too many processors"] == "all") & (machine is not None)
    mended = judge("too many processors", servers > most, lambda k: f"{servers[k]:.15g} of {most} processors", cut)
    servers[mended] = most
    unknown = judge("unknown group", codes < 0, lambda _: "no group", every)
    codes, names = np.where(unknown, len(names), codes), [*names, _other_name(names)]
    mended = judge("unknown estimate", np.isnan(estimate), lambda _: "no estimate of the run time", every)
    estimate[mended] = run[mended]
    latest = np.maximum.accumulate(np.where(fit, arrival, -np.inf)) if len(number) else arrival
    judge("out of order", arrival < latest, lambda k: f"{latest[k] - arrival[k]:.15g} s before an earlier line", every)
    if not fit.any():
        _nothing_fit(tally)
    order = np.flatnonzero(fit)
    order = order[np.argsort(arrival[order], kind="stable")]
    present, codes = np.unique(codes[order], return_inverse=True)
    times, began = arrival[order] - arrival[order[0]], None
    if start is not None and -6e10 < start + arrival[order[0]] < 2e11:
        first = start + arrival[order[0]]
        into_week = (first - MONDAY) % WEEK
        times = times + into_week
        began = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=round(first - into_week))
    jobs = {
        "arrivals": times, "sizes": run[order], "groups": codes, "servers": servers[order].astype(np.int64),
        "names": tuple(names[code] for code in present), "estimates": estimate[order],
    }  # fmt: skip
    return Log(jobs, lines, tally.found(), machine, began, header)


def _other_name(names):
    return UNKNOWN if UNKNOWN not in names else next(
        name for k in range(len(names) + 1) if (name := f"{UNKNOWN} {k}") not in names
    )  # fmt: skip
