"""Building the HTML book from executed copies of its notebooks."""

import itertools
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path

from compendium import places
from compendium.press import beside_figures, crate, notebooks, ownership
from compendium.progress import say
from compendium.study import reproduction

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None

MADE = ("source", "html", "findings", "results-fresh")  # folders of a build that the next one deletes
LEFT_OUT = ("__pycache__", ".ipynb_checkpoints", "*.egg-info", ".executing-*")


def build(output=None, *, fidelity=None, fresh=False):
    """Execute a copy of every notebook, write the crate of it all, then build the book with warnings as errors.

    The working tree stays as it was: rows computed on the way are kept beside the build.

    Parameters
    ----------
    output : Path, optional
        Folder of the build, ``_build`` in the project unless given.
    fidelity : str, optional
        In place of each notebook's own.
    fresh : bool
        Start from an empty results store.

    Returns
    -------
    Path
        The page to open.

    Raises
    ------
    RuntimeError
        If a cell fails, or if Jupyter Book warns.
    ValueError
        If the folder is not fit for it, or another build is under way there.
    """
    output = _own(Path(output or places.ROOT / "_build").resolve())
    reproduction.rows()  # a spoilt results file is reported here, where it is seen, and not in a notebook's kernel
    with _alone(output):
        try:
            ownership.anew(output, "findings")
            ownership.remove(output, "results-fresh")
            gather(output)
            if fresh:
                ownership.anew(output, "results-fresh")
                for copy in (output / "source" / "figures").glob("*.svg"):
                    copy.unlink()  # what stands there afterwards was drawn
            parameters = {} if fidelity is None else {"fidelity": fidelity}
            for some in turns():
                copies = [output / "source" / path.relative_to(places.ROOT) for path in some]
                notebooks.execute_all(copies, copies, parameters, environment(output, fresh=fresh))
            crate.write(output)
            return typeset(output)
        finally:
            ownership.finish(output, *MADE)


@contextmanager
def _alone(output):
    """No other build writes into the folder until the end of the block, where the system can tell."""
    with open(output / ".building", "a") as lock:
        if fcntl:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ValueError(
                    f"Another build is under way in {str(output)!r}; wait for it, or give another output."
                ) from None
        yield


def is_current(output):
    """Whether a folder holds a book that was built there and is younger than all it is made of.

    Parameters
    ----------
    output : Path
        Folder of the build.

    Returns
    -------
    bool
    """
    page = output / "html" / "index.html"
    if not ownership.made(output, "html/index.html"):
        return False
    every = (path for name in places.INGREDIENTS for path in (places.ROOT / name, *(places.ROOT / name).rglob("*")))
    made_of = (
        path
        for path in every
        if path.is_file() and not any(fnmatch(part, left) for part in path.parts for left in LEFT_OUT)
    )
    return page.stat().st_mtime > max(path.stat().st_mtime for path in made_of)


def figures_unlike(drawn, committed=None):
    """The figures that were not drawn as they are committed, to the last byte.

    Parameters
    ----------
    drawn : Path
        A folder with the figures of a build.
    committed : Path, optional
        The project's own, if not given.

    Returns
    -------
    dict of str to str
        Identifier: "not drawn", "not committed" or "another".
    """
    known, found = (
        {path.stem: path.read_bytes() for path in folder.glob("*.svg")}
        for folder in (committed or places.ROOT / "figures", drawn)
    )
    return {
        name: "not drawn" if name not in found else "not committed" if name not in known else "another"
        for name in sorted(known.keys() | found.keys())
        if known.get(name) != found.get(name)
    }


def _own(output):
    """The folder of the build, which is new or holds what builds made: nothing of anybody else's is deleted.

    Raises
    ------
    ValueError
        If it stands among the sources, or where something is to be deleted that no build made.
    """
    places.check_apart("output", output)
    ownership.check(output, *MADE)
    output.mkdir(parents=True, exist_ok=True)
    return output


def gather(output):
    """Copy what the pages are made of to ``source`` in the folder of the build, in place of what a build left there."""
    source = ownership.anew(output, "source")
    leave = shutil.ignore_patterns(*LEFT_OUT)
    for name in places.INGREDIENTS:
        item = places.ROOT / name
        if item.is_dir():
            shutil.copytree(item, source / name, ignore=leave)
        else:
            shutil.copy2(item, source / name)


def environment(output, *, fresh=False):
    """Environment variables for the kernels of a build: figures, rows and findings are kept in its folder.

    Parameters
    ----------
    output : Path
        Folder of the build.
    fresh : bool
        Start from an empty results store.

    Returns
    -------
    dict
    """
    return {
        "COMPENDIUM_FIGURES": str(output / "source" / "figures"),
        "COMPENDIUM_RESULTS": str(output / ("results-fresh" if fresh else "results")),
        "COMPENDIUM_FRESH": "1" if fresh else "",
        "COMPENDIUM_FINDINGS": str(output / "findings"),
    }


def turns():
    """The notebooks in two lists: those of the sources, then those of the ledger, which count what the others found.

    The first page of each chapter, then the second: neighbours are executed at the same time, and those of one chapter
    would compile the same kernels side by side.
    """
    ledger, every = places.CHAPTERS / "ledger", notebooks.notebooks()
    chapters = itertools.groupby(every, key=lambda path: path.parent)
    every = [path for pages in itertools.zip_longest(*(list(pages) for _, pages in chapters)) for path in pages if path]
    return [[path for path in every if ledger not in path.parents], [path for path in every if ledger in path.parents]]


def typeset(output):
    """Build the HTML book from the executed copies in ``source``, with warnings as errors.

    Parameters
    ----------
    output : Path
        Folder of the build.

    Returns
    -------
    Path
        The page to open.

    Raises
    ------
    RuntimeError
        If Jupyter Book warns.
    """
    say("Typesetting the pages ...")
    source = output / "source"
    ownership.remove(output, "html")
    built = source / "_build"
    command = [
        sys.executable, "-c",
        "from compendium.garbage import look_seldom; look_seldom(); from jupyter_book.cli.main import main; main()",
        "build", str(source), "-W", "-n", "--keep-going", "-q",
    ]  # fmt: skip
    settings = {"PYTHONWARNINGS": "ignore", "NO_COLOR": "1", "COMPENDIUM_FINDINGS": str(output / "findings")}
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **settings})
    if done.returncode:
        raise RuntimeError(f"Jupyter Book failed:\n{done.stdout[-3000:]}\n{done.stderr[-6000:]}")
    shutil.copytree(source / "figures", built / "html" / beside_figures.FOLDER)
    (built / "html" / ownership.UNFINISHED).touch()
    shutil.move(built / "html", output / "html")
    ownership.finish(output, "html")
    return output / "html" / "index.html"
