"""The results store: one CSV file a study, one line a simulated point, each line with what recomputes it alone.

A line's checksum tells of accidents, and is no signature: whoever can write the file can write a line with a number of
his own and the checksum that belongs to it. Such a line does nothing (what it names is looked up in a closed list, and
not before the point is computed), but only computing the point again tells that the number is wrong.
"""

import csv
import functools
import hashlib
import io
import json
import os
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from compendium.study.tasks import Task, classes_named

# A point of many classes has long fields; a line is in memory as a whole before it is divided.
csv.field_size_limit(2**31 - 1)

COLUMNS = (
    "key", "model", "arguments", "fidelity", "jumps", "warmup", "replications", "seed", "fingerprint", "machine",
    "estimates", "checksum",
)  # fmt: skip


class ResultsWarning(UserWarning):
    """A line of a results file could not be trusted and was set aside."""


@dataclass(frozen=True)
class Row:
    """A stored point: its task, its provenance and its estimates by name."""

    task: Task
    fidelity: str
    fingerprint: str
    machine: str
    estimates: dict

    def line(self):
        """The row as a line of the file, with its checksum."""
        task = self.task
        fields = [task.key, task.model, task.arguments, self.fidelity, task.jumps, task.warmup, task.replications]
        fields += [task.seed, self.fingerprint, self.machine, json.dumps(self.estimates, separators=(",", ":"))]
        fields = [str(field) for field in fields]
        return _csv_line(fields + [_checksum(fields)])


def _checksum(fields):
    return hashlib.sha256(json.dumps(fields).encode()).hexdigest()[:12]


def _csv_line(fields):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(fields)
    return text.getvalue()


@functools.cache  # a page reads its files many times
def _parse(line):
    """The `Row` of a line; ValueError with the reason if it cannot be trusted."""
    if not line.endswith("\n"):
        raise ValueError("it is cut short")
    fields = next(csv.reader([line]), [])
    if len(fields) != len(COLUMNS):
        raise ValueError(f"it has {len(fields)} fields, not {len(COLUMNS)}")
    if _checksum(fields[:-1]) != fields[-1]:
        raise ValueError("it does not match its checksum")
    row = dict(zip(COLUMNS, fields))
    lengths = {name: int(row[name]) for name in ("jumps", "warmup", "replications", "seed")}
    task = Task(row["model"], row["arguments"], **lengths)
    if task.key != row["key"]:
        raise ValueError("it does not match its key")
    classes_named(task.arguments)  # answers for what is not of the form
    return Row(task, row["fidelity"], row["fingerprint"], row["machine"], _estimates(row["estimates"]))


def _estimates(text):
    """Estimates by name: numbers, lists or tables of them, with half widths of the same shape."""
    estimates = json.loads(text)
    try:
        for estimate in estimates.values():
            arrays = [np.asarray(estimate[name]) for name in ("value", "half_width")]
            if arrays[0].shape != arrays[1].shape or any(a.ndim > 2 or a.dtype.kind not in "fi" for a in arrays):
                raise ValueError
    except (AttributeError, KeyError, TypeError, ValueError):
        raise ValueError("its estimates are not numbers with half widths") from None
    return estimates


@contextmanager
def _locked(path):
    """The file open for reading and appending, no other process in it.

    The lock is taken on the file itself; after a wait, the file must still be the one of that name.
    """
    import fcntl  # here, so that everything else can be read where there is no fcntl

    path.parent.mkdir(parents=True, exist_ok=True)
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            if path.exists() and os.path.samestat(os.fstat(descriptor), os.stat(path)):
                yield descriptor
                return
        finally:
            os.close(descriptor)


def _append(descriptor, text, path):
    """Write all of `text` or none of it."""
    size = os.fstat(descriptor).st_size
    data = text.encode()
    try:
        written = os.write(descriptor, data)
        if written < len(data):
            written += os.write(descriptor, data[written:])
        if written < len(data):
            raise OSError("short write")
        os.fsync(descriptor)
    except OSError as error:
        os.ftruncate(descriptor, size)
        raise OSError(f"The result could not be stored in {path.name}: {error.strerror or error}.") from error


def read(path):
    """The trusted rows of a results file, by key and fingerprint; the others are moved to ``<name>.rejected``.

    Parameters
    ----------
    path : Path

    Returns
    -------
    dict of (str, str) to Row
        By the task's key and the fingerprint. Empty if there is no such file.

    Raises
    ------
    ValueError
        If nothing in the file is of a results file: it is somebody's.

    Warns
    -----
    ResultsWarning
        For each line set aside, with its number and the reason.
    """
    path = Path(path)
    rows, rejected = _scan(path)
    if rejected:
        try:
            _set_aside(path)
            fate = f"set aside in {path.name}.rejected"
        except OSError:  # the reader may not write here
            fate = "not used"
        for number, _, reason in rejected:
            warnings.warn(f"{path.name}, line {number}: {fate} because {reason}.", ResultsWarning, stacklevel=2)
    return rows


def _scan(path):
    """The trusted rows, by key and fingerprint, and the other lines: (number, line, reason); see `read`."""
    answers, rejected = {}, []
    if path.exists():
        with open(path, newline="", encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines(keepends=True)
        for number, line in enumerate(lines, 1):
            if number == 1 and line == _csv_line(COLUMNS):
                continue
            try:
                row = _parse(line)
                answers.setdefault((row.task.key, row.fingerprint), []).append((number, line, row))
            except (ValueError, RecursionError, csv.Error) as error:
                rejected.append((number, line, str(error)))
        if lines and not answers and not _csv_line(COLUMNS).startswith(lines[0]):
            raise ValueError(f"{path} is no results file, and is left as it is: move it away.")
    rows = {}
    for point, given in answers.items():
        if len(given) == 1 or len({json.dumps(row.estimates, sort_keys=True) for _, _, row in given}) == 1:
            rows[point] = given[0][2]
        else:  # one of them is wrong, and nobody can tell which: the point is computed again
            rejected += [(number, line, "another line answers its point otherwise") for number, line, _ in given]
    return rows, sorted(rejected)


def _set_aside(path):
    with _locked(path):
        rows, rejected = _scan(path)  # again: another process may have mended it, or added rows
        with open(path.with_name(path.name + ".rejected"), "a", encoding="utf-8") as file:
            file.writelines(line if line.endswith("\n") else line + "\n" for _, line, _ in rejected)
        _replace(path, rows.values())


def _replace(path, rows):
    new = path.with_name(path.name + f".{os.getpid()}")
    new.write_text(_csv_line(COLUMNS) + "".join(row.line() for row in rows), encoding="utf-8")
    os.replace(new, path)


def add(path, row):
    """Append a row: whole or not at all, whoever else is appending.

    Raises
    ------
    OSError
        If there is no room; the file is then as it was.
    """
    path = Path(path)
    with _locked(path) as descriptor:
        size = os.fstat(descriptor).st_size
        text = row.line()
        if size == 0:
            text = _csv_line(COLUMNS) + text
        elif os.pread(descriptor, 1, size - 1) != b"\n":
            text = "\n" + text  # what a killed writer left is a line of its own, for `read` to set aside
        _append(descriptor, text, path)


def prune(path, keep):
    """Drop the rows for which ``keep(row)`` is false, and order the others by model, fidelity and arguments.

    Returns
    -------
    int
        How many were dropped.
    """
    path = Path(path)
    read(path)  # sets spoilt lines aside, which would else be dropped unsaid
    with _locked(path):
        rows = list(_scan(path)[0].values())
        kept = sorted(filter(keep, rows), key=lambda row: (row.task.model, row.fidelity, row.task.arguments))
        _replace(path, kept)
    return len(rows) - len(kept)
