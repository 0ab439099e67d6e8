"""Executing the book's notebooks with papermill."""

import ast
import csv
import difflib
import functools
import os
import re
import tempfile
from pathlib import Path

import nbformat
import papermill
from papermill.clientwrap import PapermillNotebookClient
from papermill.engines import NBClientEngine, papermill_engines
from papermill.exceptions import PapermillExecutionError
from traitlets.config import Config

from compendium import places
from compendium.press import kernels
from compendium.progress import progress
from compendium.side_by_side import side_by_side

KINDS = {"a number": (int, float), "a word": str, "a list": (list, tuple), "a dictionary": dict}


def notebooks():
    """Every notebook of the book, sorted by path."""
    every = (path.relative_to(places.CHAPTERS) for path in places.CHAPTERS.rglob("*.ipynb"))
    return sorted(places.CHAPTERS / path for path in every if not any(part.startswith(".") for part in path.parts))


def figures():
    """Every figure that a page declares, by a name of the catalogue in a code cell: its notebook by that name.

    It need not have been executed.
    """
    with open(places.DATA / "figures.csv", newline="", encoding="utf-8") as file:
        known = {row["id"] for row in csv.DictReader(file)}
    return {
        name: path
        for path in notebooks()
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "code"
        for name in re.findall(r"""["']([^"'\n]+)["']""", cell.source)
        if name in known
    }


def notebook_of_figure(identifier):
    """The notebook that declares a figure.

    Raises
    ------
    ValueError
        If none does.
    """
    known = figures()
    if identifier not in known:
        like = difflib.get_close_matches(identifier, known, 5, 0.0)
        raise ValueError(
            f"figure must be one of those in data/figures.csv, such as {', '.join(like)}; got {identifier!r}."
        )
    return known[identifier]


def check_parameters(path, parameters):
    """Refuse a parameter that the notebook does not have (papermill would only warn), or one of another kind.

    Raises
    ------
    ValueError
        With the names that it has, or with the notebook's own value.
    """
    known = papermill.inspect_notebook(str(path))
    for name, value in parameters.items():
        if name not in known:
            raise ValueError(f"parameter must be one of {', '.join(known) or 'none'} for {path.name}; got {name!r}.")
        try:
            own = ast.literal_eval(known[name]["default"])
        except (SyntaxError, ValueError):
            continue  # it is computed
        for word, kinds in KINDS.items():
            if isinstance(own, kinds) and not isinstance(value, kinds):
                raise ValueError(f"{name} must be {word}, as {own!r} is on the page; got {value!r}.")


class _Engine(NBClientEngine):
    """papermill's own engine, with environment variables for the kernel alone."""

    @classmethod
    def execute_managed_notebook(cls, nb_man, kernel_name, *, env, **_):
        with tempfile.TemporaryDirectory(prefix="kernel-") as folder:
            client = PapermillNotebookClient(
                nb_man, kernel_name=kernel_name, timeout=None, startup_timeout=600,
                extra_arguments=["--IPKernelApp.log_level=50"],  # what the kernel says while it stops helps nobody
                config=_connection(folder),
            )  # fmt: skip
            client.execute(env=env)


def _connection(folder):
    """Sockets that are files of a folder of their own, where the system has such.

    Ports are chosen before the kernel opens them, and on a busy machine another process may be quicker: the kernel
    dies, and nobody tells the client.
    """
    if os.name != "posix":
        return Config()
    return Config(KernelManager={"transport": "ipc", "connection_file": os.path.join(folder, "kernel.json")})


papermill_engines.register("compendium", _Engine)
kernels.use()

# Sentences that a page passes on: a bad argument, an overload, and a question without an exact answer.
SENTENCES = ("ValueError", "UnstableError", "NoExactAnswer")


def execute(source, target, parameters=None, environment=None):
    """Execute a notebook into another file, in the folder of the source, and give its figures captions and alt text.

    The target is written when the whole execution has succeeded, and not before.

    Parameters
    ----------
    source, target : Path
        May be the same file.
    parameters : dict, optional
        Values for the notebook's parameters; an unknown name is an error.
    environment : dict, optional
        Environment variables of the kernel.

    Raises
    ------
    ValueError
        If a parameter is unknown, or if the notebook raised a ValueError or `clustershare.results.NoExactAnswer`
        (the sentence is passed on).
    RuntimeError
        If a cell failed otherwise.
    """
    check_parameters(source, parameters or {})
    quiet = {"TQDM_DISABLE": "1", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}  # standard error is empty on a good page
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".executing-") as folder:
        unfinished = Path(folder, target.name)
        try:
            papermill.execute_notebook(
                str(source), str(unfinished), parameters=parameters or {}, cwd=str(source.parent),
                kernel_name="python3", progress_bar=False, engine_name="compendium",
                env={**os.environ, **quiet, **(environment or {})},
            )  # fmt: skip
        except PapermillExecutionError as error:
            if error.ename in SENTENCES:
                raise ValueError(error.evalue) from None
            raise RuntimeError(f"{source.name}: a cell failed with {error.ename}: {error.evalue}") from None
        notebook = nbformat.read(unfinished, as_version=4)
        merge_streams(notebook)
        describe_figures(notebook)
        if source == target:
            tidy(notebook)
        nbformat.write(notebook, unfinished)
        os.replace(unfinished, target)


def describe_figures(notebook):
    """Copy each published figure's caption, name and alt text from its output to its cell, where MyST-NB reads them."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            described = output.get("metadata", {}).get("clustershare")
            if described:
                name = f"fig-{described['figure']}".replace(".", "-")
                cell.metadata["mystnb"] = {
                    "figure": {"caption": described["caption"], "name": name},
                    "image": {"alt": described["alt"]},
                }


def merge_streams(notebook):
    """Put printed lines together that the kernel sent in several pieces, where it cut them by chance.

    Between two outputs of another kind each stream has one piece: how the two took turns is chance as well.
    """
    for cell in notebook.cells:
        kept, streams = [], {}
        for output in cell.get("outputs", []):
            if output.output_type != "stream":
                streams = {}
            elif output.name in streams:
                streams[output.name].text += output.text
                continue
            else:
                streams[output.name] = output
            kept.append(output)
        if "outputs" in cell:
            cell.outputs = kept


def tidy(notebook):
    """Drop what differs from run to run and says nothing: times, host versions, papermill's own records."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    kept = [cell for cell in notebook.cells if "injected-parameters" not in cell.metadata.get("tags", [])]
    for number, cell in enumerate(kept, 1):
        cell.metadata.pop("papermill", None)
        cell.metadata.pop("execution", None)
        cell["id"] = f"cell-{number}"
    notebook.cells = kept


def execute_all(sources, targets, parameters=None, environment=None):
    """Execute notebooks in parallel, with a progress bar; the first failure stops the run."""
    run = functools.partial(_execute_known, parameters=parameters or {}, environment=environment)
    for _ in progress(side_by_side(run, sources, targets), total=len(sources), desc="notebooks", unit="page"):
        pass


def _execute_known(source, target, parameters, environment):
    known = papermill.inspect_notebook(str(source))
    execute(
        Path(source), Path(target), {name: value for name, value in parameters.items() if name in known}, environment
    )


def glued(notebook):
    """What an executed notebook recorded with ``myst_nb.glue``, by name.

    Parameters
    ----------
    notebook : nbformat.NotebookNode

    Returns
    -------
    dict
        Numbers where the value is one, text otherwise.
    """
    values = {}
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            name = output.get("metadata", {}).get("scrapbook", {}).get("name")
            if name:
                name = name.removeprefix("application/papermill.record/")
                data = output["data"]
                text = data.get("text/plain", data.get("application/papermill.record/text/plain"))
                try:
                    values[name] = float(text)
                except ValueError:
                    values[name] = text
    return values
