"""The executions of pages: each once as committed, for all tests and workers; and with other parameters."""

import fcntl
import hashlib
import json
import subprocess
from pathlib import Path

import nbformat
import pytest

import proving
from compendium import places
from compendium.press import book, notebooks, page_proofs


def execute(name, tmp_path, **parameters):
    """Run a notebook with other parameters, or take what is kept of that.

    What it glued, as numbers where they are numbers; under "figures" the names of those that it drew.
    """
    source = next(path for path in notebooks.notebooks() if path.stem == name)
    known = page_proofs.current(source, parameters)
    if known is not None and not proving.again(f"{name} {parameters}"):
        return known
    target = tmp_path / source.name
    folders = {"COMPENDIUM_FIGURES": str(tmp_path), "COMPENDIUM_RESULTS": str(tmp_path)}
    with page_proofs.execution(source, parameters) as (hearing, row_of):
        notebooks.execute(source, target, parameters, {**folders, **hearing})
        row = row_of(nbformat.read(target, 4))
    if proving.keeps():
        page_proofs.keep(row)
    if known is None:
        proving.tell(f"{name} with {parameters}")
    return page_proofs.values(row)


def tree():
    """The working tree as git sees it, changed and unknown files with what they hold."""
    seen = ""
    for words in (["status", "--porcelain"], ["diff", "HEAD"]):
        seen += subprocess.run(["git", *words], cwd=places.ROOT, capture_output=True, text=True, check=True).stdout
    folders = [sorted(path.name for path in (places.ROOT / name).iterdir()) for name in ("data/results", "figures")]
    return hashlib.sha256(repr((seen, folders)).encode()).hexdigest()


def _name(path):
    """What a page is called among all, several of which may have one file name."""
    return "-".join(path.relative_to(places.CHAPTERS).parts)


class Book:
    """The book made once in a test run: whichever worker first needs a part makes it, while the others go on.

    Parameters
    ----------
    output : Path
        Folder of the build, one for all workers.
    """

    def __init__(self, output):
        self.output = output
        self._marks = output.with_name(f"{output.name}-done")
        self._marks.mkdir(exist_ok=True)

    def _once(self, name, make, wait=True):
        """Make a part unless it was made; whether it is made now. What failed once fails for all, without a new try."""
        mark = self._marks / name
        with open(self._marks / f"{name}.lock", "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError:
                return False
            if not mark.exists():
                try:
                    make()
                except (RuntimeError, ValueError, OSError) as error:
                    mark.write_text(f"{error}\n")
                else:
                    mark.write_text("")
        if fault := mark.read_text():
            pytest.fail(fault, pytrace=False)
        return True

    def _gather(self):
        book.gather(self.output)
        (self._marks / "tree").write_text(tree())

    def gathered(self):
        """The folder of the copies."""
        self._once("gather", self._gather)
        return self.output / "source"

    def tree_before(self):
        """The working tree when the copies were taken; see `tree`."""
        self.gathered()
        return (self._marks / "tree").read_text()

    def taken(self, path):
        """Whether it is proven that a notebook's execution gives what is committed: it need not be executed."""
        return page_proofs.current(path) is not None and not proving.again(_name(path))

    def page(self, path, wait=True):
        """The executed copy of a notebook at its committed parameters; None if another worker is at it.

        The committed one where that is the same (see `taken`).
        """
        if self.taken(path):
            return self.gathered() / path.relative_to(places.ROOT)
        sources, ledger = book.turns()
        copy = self.gathered() / path.relative_to(places.ROOT)
        if path in ledger:
            self._pages(sources)
        return copy if self._once(_name(path), lambda: self._execute(path, copy), wait) else None

    def _execute(self, path, copy):
        with page_proofs.execution(path) as (hearing, row_of):
            notebooks.execute(copy, copy, environment={**book.environment(self.output), **hearing})
            (self._marks / f"{_name(path)}.json").write_text(json.dumps(row_of(notebooks.read(copy))))

    def row(self, path):
        """What was heard while a page was executed in this run; see `page_proofs.execution`."""
        return json.loads((self._marks / f"{_name(path)}.json").read_text())

    def _pages(self, paths):
        for path in [path for path in paths if not self.page(path, wait=False)]:
            self.page(path)

    def executed(self):
        """The folder of the copies, all of them executed."""
        for paths in book.turns():
            self._pages(paths)
        return self.gathered()

    def html(self):
        """The folder of the HTML book."""
        if not (self._marks / "typeset").exists():
            self.executed()
        self._once("typeset", lambda: book.typeset(self.output))
        return Path(self.output, "html")
