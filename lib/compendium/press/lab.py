"""A copy of the pages to work on in JupyterLab: what a reader changes there leaves the checkout clean."""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

from compendium import places
from compendium.press import notebooks


def copies(folder):
    """Copy the pages that are not there yet; what a reader has worked on stays.

    Parameters
    ----------
    folder : Path
    """
    for page in notebooks.notebooks():
        copy = folder / page.relative_to(places.CHAPTERS)
        if not os.path.lexists(copy):
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(page, copy)


def environment(folder):
    """Environment variables for JupyterLab, which its kernels inherit.

    Parameters
    ----------
    folder : Path
        Of the copies. Figures that they draw go to its folder ``figures``, points that they compute to where a
        reader's points go (`compendium.places.results`).

    Returns
    -------
    dict
    """
    return {
        "COMPENDIUM_FIGURES": str(folder / "figures"),
        "JUPYTER_PREFER_ENV_PATH": "1",  # the kernel python3 is this environment's, whatever else is on the machine
    }


def run(folder=None, options=()):
    """Become JupyterLab, opened on the copies: who ends the command then ends the server and its kernels.

    Parameters
    ----------
    folder : Path, optional
        Of the copies, ``_build/lab`` in the project unless given.
    options : sequence of str
        Of JupyterLab.

    Raises
    ------
    ValueError
        If it is not installed, or the folder is one of the sources.
    """
    if importlib.util.find_spec("jupyterlab") is None:
        raise ValueError("JupyterLab is not installed here; make lab installs it.")
    folder = Path(folder or places.ROOT / "_build" / "lab").resolve()
    places.check_apart("folder", folder)
    copies(folder)
    print(f"The pages are copies, in {folder}; delete one to have it anew.", flush=True)
    command = [sys.executable, "-m", "jupyterlab", *options, str(folder)]
    os.execve(sys.executable, command, {**os.environ, **environment(folder)})
