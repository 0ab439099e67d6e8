"""Where the project keeps its files. Two environment variables redirect what is written, so that building or testing
the book leaves the working tree as it was."""

import os
import tempfile
from pathlib import Path

from clustershare.arguments import fail

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = ROOT / "chapters"
DATA = ROOT / "data"
RESULTS = DATA / "results"

# What the pages are made of; everything else in the project stays out of a build.
INGREDIENTS = ("_config.yml", "_toc.yml", "references.bib", "assets", "chapters", "figures", "data", "lib")
SOURCES = (*INGREDIENTS, "benchmarks", "tests")  # folders of the checkout, besides the hidden ones
ENVIRONMENT = ("pyvenv.cfg", "conda-meta")  # one of them is in each


def figures():
    """The folder that `publish` writes to: $COMPENDIUM_FIGURES, or the project's own."""
    return Path(os.environ.get("COMPENDIUM_FIGURES") or ROOT / "figures")


def results():
    """The folders of the results store. Rows are added to the first and read from all.

    Points that a reader computes go to ``_build/results``, so that exploring leaves the checkout clean.
    $COMPENDIUM_RESULTS stands in place of that folder; with $COMPENDIUM_FRESH set, in place of the project's own too.
    """
    added = Path(os.environ.get("COMPENDIUM_RESULTS") or ROOT / "_build" / "results")
    return [added] if os.environ.get("COMPENDIUM_FRESH") else [added, RESULTS]


def check_apart(name, folder):
    """Refuse a folder for what is made that is, holds or is in a folder of the sources or an environment.

    Parameters
    ----------
    name : str
        Of the argument.
    folder : Path
        Absolute.

    Raises
    ------
    ValueError
    """
    if folder.exists() and not folder.is_dir():
        fail(name, str(folder), "a folder")
    inside = folder.relative_to(ROOT).parts if folder.is_relative_to(ROOT) else ()
    if ROOT.is_relative_to(folder) or inside[:1] and inside[0] in SOURCES or any(p.startswith(".") for p in inside):
        fail(name, str(folder), "a folder apart from the sources and the hidden folders of the checkout")
    for one in (folder, *folder.parents):
        if not ROOT.is_relative_to(one) and any((one / mark).exists() for mark in ENVIRONMENT):
            fail(name, str(folder), "a folder outside of any environment of Python")


def check_writable(path):
    """Answer before any work whether a file can be written later; its folder is made where there is none.

    Raises
    ------
    OSError
        If it cannot, or if a folder stands in its place.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
        if path.exists():
            with open(path, "r+b"):
                pass
    except OSError as error:
        raise OSError(f"{path} cannot be written: {error.strerror}.") from None
