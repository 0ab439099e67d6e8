"""Proofs that are kept: files of ``data/proofs/``, whose rows each have a digest of all that the proof depends on.

A proof is current while its digest is: then it is taken from there, and not made again. What counts for a digest is
wider than what the text says: see `SCOPE`, and the files that were read are heard of while a proof is made.
"""

import csv
import functools
import hashlib
import importlib.metadata
import os
import re
import sys
from contextlib import contextmanager
from pathlib import Path

from compendium import places
from compendium.study.fingerprints import Scope

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None

# Of the machinery, what shows, keeps and divides work, and decides nothing.
APART = (
    "compendium.progress", "compendium.side_by_side", "compendium.study.dask_cluster", "compendium.study.engines",
    "compendium.study.fingerprints", "compendium.study.made_once", "compendium.study.store",
    "compendium.press.claims", "compendium.press.kept", "compendium.press.library", "compendium.press.proofs",
    "compendium.press.page_proofs", "compendium.press.reruns",
)  # fmt: skip
SCOPE = Scope(("clustershare", "compendium", "pages"), wide=True, apart=APART)
HEARD = ("data", "chapters")  # folders whose files count where they are read; ``lib`` counts by definition


class Kept:
    """A file of proofs.

    Parameters
    ----------
    name : str
        Of the file in ``data/proofs/``, without its suffix.
    columns : tuple of str
    keys : int
        So many of the first columns name a row.
    """

    def __init__(self, name, columns, keys=1):
        self.name, self.columns, self.keys = name, columns, keys

    @property
    def file(self):
        """Its path."""
        return places.DATA / "proofs" / f"{self.name}.csv"

    def key(self, row):
        """What names a row."""
        return tuple(row[name] for name in self.columns[: self.keys])

    def rows(self):
        """Every row, a dictionary of texts, by its key."""
        return self._rows(self.file, self.file.stat().st_mtime_ns) if self.file.exists() else {}

    @functools.lru_cache(maxsize=2)  # noqa: B019  there are as many of these as kinds of proofs
    def _rows(self, file, changed):
        with open(file, newline="", encoding="utf-8") as lines:
            return {self.key(row): row for row in csv.DictReader(lines)}

    def keep(self, rows, order):
        """Write rows beside those that are kept, also while other processes do.

        An empty line stands between two, so that changes of neighbours are no conflict.

        Parameters
        ----------
        rows : iterable of dict
        order : callable
            Gives the keys that stay in their order, of all that there are.
        """
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with _alone(self.file.parent):
            every = {**self.rows(), **{self.key(row): row for row in rows}}
            unfinished = self.file.with_suffix(f".{os.getpid()}")
            with open(unfinished, "w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, self.columns, lineterminator="\n\n")
                writer.writeheader()
                writer.writerows(every[key] for key in order(every) if key in every)
            unfinished.replace(self.file)


@contextmanager
def _alone(folder):
    """No other process keeps proofs until the end of the block, where the system can tell."""
    if fcntl is None:
        yield
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)


def digest_of_files(names):
    """For each file its name and a digest of its bytes, or that it is gone; names from the root of the project."""
    return [f"{name} {digest_of_file(places.ROOT / name)}" for name in names]


def digest_of_file(path):
    """A digest of a file's bytes, or that it is gone."""
    return _digest(path, path.stat().st_mtime_ns) if path.exists() else "is gone"


@functools.cache
def _digest(path, changed):
    return hashlib.sha256(path.read_bytes()).hexdigest()


@functools.cache
def version(package):
    """The version of a package: all that the lock has, if it has the one that is here, for Pythons differ in theirs."""
    try:
        here = importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:  # it is called otherwise, or it is a module of the tests
        return " ".join(map(version, importlib.metadata.packages_distributions().get(package, ())))
    lock = (places.ROOT / "requirements.lock").read_text(encoding="utf-8")
    locked = re.findall(rf"^{re.escape(package)}==([^\s;\\]+)", lock, re.MULTILINE)
    return " ".join(locked) if here in locked else here


CLAIM = "compendium.claim"  # the event of a claim that is asked for, by its identifier
_notes = []  # of those who listen, the last one first


def _hear(event, arguments):
    if not _notes:
        return
    if event == "open" and isinstance(arguments[0], (str, Path)):
        path = Path(os.path.abspath(arguments[0]))
        if path.is_relative_to(places.ROOT) and path.relative_to(places.ROOT).parts[0] in HEARD:
            _notes[-1]("file", path.relative_to(places.ROOT).as_posix(), sys._getframe(1))
    elif event == CLAIM:
        _notes[-1]("claim", arguments[0], sys._getframe(1))


@functools.cache
def _hook():
    sys.addaudithook(_hear)  # none can be taken away again


def listen(note):
    """Hear from now on which files are read and which claims are asked for.

    Parameters
    ----------
    note : callable
        ``note(kind, name, frame)`` is told of each "file", from the root of the project, of each "claim", and of the
        frame that asks for it.
    """
    _hook()
    _notes.append(note)


@contextmanager
def hearing(note):
    """Hear what is read in the block; see `listen`."""
    listen(note)
    try:
        yield
    finally:
        _notes.remove(note)


def places_of(frame):
    """The functions that wait for a frame, itself first: (module, qualified name)."""
    while frame:
        yield frame.f_globals.get("__name__", ""), frame.f_code.co_qualname
        frame = frame.f_back
