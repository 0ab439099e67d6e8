"""Where the project keeps its files. Two environment variables redirect what is written, so that building or testing
the book leaves the working tree as it was."""

import os
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = ROOT / "chapters"
DATA = ROOT / "data"
RESULTS = DATA / "results"


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
