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
from compendium.press import beside_figures, crate, notebooks
from compendium.progress import say
from compendium.study import reproduction

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None

# What the pages are made of; everything else in the project stays out of the build.
INGREDIENTS = ("_config.yml", "_toc.yml", "references.bib", "assets", "chapters", "figures", "data", "lib")
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
    reproduction.rows()  # a spoilt results file is reported here, where it is seen, and not in a notebook's kernel
    output = _own(Path(output or places.ROOT / "_build").resolve())
    with _alone(output):
        for old in ("findings", "results-fresh"):
            shutil.rmtree(output / old, ignore_errors=True)
        gather(output)
        if fresh:
            for copy in (output / "source" / "figures").glob("*.svg"):
                copy.unlink()  # what stands there afterwards was drawn
        parameters = {} if fidelity is None else {"fidelity": fidelity}
        for some in turns():
            copies = [output / "source" / path.relative_to(places.ROOT) for path in some]
            notebooks.execute_all(copies, copies, parameters, environment(output, fresh=fresh))
        crate.write(output)
        return typeset(output)


@contextmanager
def _alone(output):
    """No other build writes into the folder until the end of the block, where the system can tell."""
    with open(output / ".building", "w") as lock:
        if fcntl:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ValueError(
                    f"Another build is under way in {str(output)!r}; wait for it, or give another output."
                ) from None
        yield


def is_current(output):
    """Whether a folder holds a book that is younger than all it is made of.

    Parameters
    ----------
    output : Path
        Folder of the build.

    Returns
    -------
    bool
    """
    page = output / "html" / "index.html"
    if not page.exists():
        return False
    every = (path for name in INGREDIENTS for path in (places.ROOT / name, *(places.ROOT / name).rglob("*")))
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
    """The folder of the build, which this command made or which is new: nothing of anybody else's is deleted.

    Raises
    ------
    ValueError
        If it stands among the sources, or holds what this command did not make.
    """
    inside = [places.ROOT / name for name in (*INGREDIENTS, ".git", "tests", "benchmarks")]
    if output in (places.ROOT, *places.ROOT.parents) or any(path in (output, *output.parents) for path in inside):
        raise ValueError(f"output must be a folder apart from the sources; got {str(output)!r}.")
    mark = output / ".made-by-compendium"
    foreign = [name for name in ("source", "html", "results-fresh", "findings") if (output / name).exists()]
    if output != places.ROOT / "_build" and foreign and not mark.exists():
        raise ValueError(f"output must be new or a folder of an earlier build; {str(output)!r} holds {foreign[0]!r}.")
    output.mkdir(parents=True, exist_ok=True)
    mark.touch()
    return output


def gather(output):
    """Copy what the pages are made of to ``source`` in the folder of the build, in place of what is there."""
    source = output / "source"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    leave = shutil.ignore_patterns(*LEFT_OUT)
    for name in INGREDIENTS:
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
    shutil.rmtree(output / "html", ignore_errors=True)
    built = source / "_build"
    command = [
        sys.executable, "-c", "from jupyter_book.cli.main import main; main()",
        "build", str(source), "-W", "-n", "--keep-going", "-q",
    ]  # fmt: skip
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "PYTHONWARNINGS": "ignore", "NO_COLOR": "1"}
    )
    if done.returncode:
        raise RuntimeError(f"Jupyter Book failed:\n{done.stdout[-3000:]}\n{done.stderr[-6000:]}")
    shutil.copytree(source / "figures", built / "html" / beside_figures.FOLDER)
    shutil.move(built / "html", output / "html")
    return output / "html" / "index.html"
