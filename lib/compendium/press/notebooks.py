"""Executing the book's notebooks with papermill."""

import ast
import contextlib
import copy
import csv
import difflib
import functools
import itertools
import os
import re
import shutil
import tempfile
import threading
from pathlib import Path

import nbformat
import papermill
from papermill.clientwrap import PapermillNotebookClient
from papermill.engines import NBClientEngine, papermill_engines
from papermill.exceptions import PapermillExecutionError
from traitlets.config import Config

from clustershare.arguments import fail
from compendium import places
from compendium.press import kernels
from compendium.progress import progress, say
from compendium.side_by_side import side_by_side

# The metadata of a page; a notebook from elsewhere has its own.
HOUSE = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
KINDS = {
    "True or False": bool, "a number": (int, float), "a word": str, "a list": (list, tuple), "a dictionary": dict,
}  # fmt: skip


def notebooks():
    """Every notebook of the book, sorted by path."""
    every = (path.relative_to(places.CHAPTERS) for path in places.CHAPTERS.rglob("*.ipynb"))
    return sorted(places.CHAPTERS / path for path in every if not any(part.startswith(".") for part in path.parts))


def read(path):
    """A notebook, in format 4.

    Raises
    ------
    ValueError
        If the file holds none.
    """
    faults = {}  # small ones pass, as they do in Jupyter, and are not logged
    try:
        notebook = nbformat.read(path, as_version=4, capture_validation_error=faults)
        notebook.metadata.keys(), [(cell.cell_type, cell.source, cell.metadata.keys()) for cell in notebook.cells]
    except OSError:
        raise
    except Exception as error:  # whatever the reader stumbles over: it expects the right form
        raise _none(path, faults.get("ValidationError", error)) from None
    return notebook


def _none(path, error):
    return ValueError(f"{path} is no notebook of Jupyter: {str(error).partition(chr(10))[0]}")


def figures():
    """Every figure that a page declares, by a name of the catalogue in a code cell: its notebook by that name.

    It need not have been executed.
    """
    with open(places.DATA / "figures.csv", newline="", encoding="utf-8") as file:
        known = {row["id"] for row in csv.DictReader(file)}
    return {
        name: path
        for path in notebooks()
        for cell in read(path).cells
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
        fail("figure", identifier, f"one of those in data/figures.csv, such as {', '.join(like)}")
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
            fail("parameter", name, f"one of {', '.join(known) or 'none'} for {path.name}")
        try:
            own = ast.literal_eval(known[name]["default"])
        except (SyntaxError, ValueError):
            continue  # it is computed
        word, kinds = next(((word, kinds) for word, kinds in KINDS.items() if isinstance(own, kinds)), (None, object))
        if not isinstance(value, kinds) or isinstance(value, bool) and kinds not in (bool, object):
            fail(name, value, f"{word}, as {own!r} is on the page")


class _Engine(NBClientEngine):
    """papermill's own engine, with environment variables for the kernel alone."""

    @classmethod
    def execute_managed_notebook(cls, nb_man, kernel_name, *, env, **_):
        with tempfile.TemporaryDirectory(prefix="kernel-") as folder:
            client = PapermillNotebookClient(
                nb_man, kernel_name=kernel_name, timeout=None, startup_timeout=600,
                extra_arguments=["--IPKernelApp.log_level=50", *_listening(env)],  # its last words help nobody
                config=_connection(folder),
            )  # fmt: skip
            client.execute(env=env)


def _listening(env):
    """For the kernel of an execution that is proven: see `compendium.press.page_proofs`."""
    line = "__import__('compendium.press.page_proofs', fromlist=['listen']).listen()"
    return [f"--IPKernelApp.exec_lines={line}"] if "COMPENDIUM_HEARD" in env else []


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
        May be the same file, whose metadata and names of cells then stay (see `restore`).
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
    before = read(source)
    check_parameters(source, parameters or {})
    places.check_writable(target)
    quiet = {"TQDM_DISABLE": "1", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}  # standard error is empty on a good page
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".executing-") as folder, _passing_on(folder) as log:
        unfinished = Path(folder, target.name)
        try:
            papermill.execute_notebook(
                str(source), str(unfinished), parameters=parameters or {}, cwd=str(source.parent),
                kernel_name="python3", progress_bar=False, engine_name="compendium",
                env={**os.environ, **quiet, "CLUSTERSHARE_LOG": str(log), **(environment or {})},
            )  # fmt: skip
        except nbformat.ValidationError as error:
            raise _none(source, error) from None
        except PapermillExecutionError as error:
            if error.ename in SENTENCES:
                raise ValueError(error.evalue) from None
            raise RuntimeError(f"{source.name}: a cell failed with {error.ename}: {error.evalue}") from None
        notebook = read(unfinished)
        merge_streams(notebook)
        round_glued(notebook)
        if source == target:
            restore(notebook, before, injected=bool(parameters))
        describe_figures(notebook)
        if places.CHAPTERS in target.parents:
            notebook.metadata.update(copy.deepcopy(HOUSE))
        nbformat.write(notebook, unfinished)
        if target.exists():
            shutil.copymode(target, unfinished)
        os.replace(unfinished, target)


@contextlib.contextmanager
def _passing_on(folder):
    """The log of a kernel, from which whoever waits at a terminal is told what it compiles."""
    log, ended = Path(folder, "log"), threading.Event()
    log.touch()

    def pass_on():
        with open(log, encoding="utf-8") as lines:
            while not ended.wait(0.2):
                for line in lines:
                    say(line.rstrip())

    thread = threading.Thread(target=pass_on, daemon=True)
    thread.start()
    try:
        yield log
    finally:
        ended.set()
        thread.join()


def describe_figures(notebook):
    """Copy each published figure's caption, name and alt text from its output to its cell, where MyST-NB reads them."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            described = output.get("metadata", {}).get("clustershare")
            if described:
                name = f"fig-{described['figure']}".replace(".", "-")
                shown = cell.metadata.setdefault("mystnb", {})
                shown.setdefault("figure", {}).update(caption=described["caption"], name=name)
                shown.setdefault("image", {})["alt"] = described["alt"]


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


def round_glued(notebook):
    """Write glued fractions to nine digits: the last bits differ from run to run and between versions of Python."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if "scrapbook" in output.get("metadata", {}):
                for kind, text in output.data.items():
                    if re.fullmatch(r"-?\d+\.\d+(e[-+]\d+)?", str(text)) and not float(text).is_integer():
                        output.data[kind] = repr(float(f"{float(text):.9g}"))


def restore(notebook, before, *, injected=False):
    """Give an executed notebook the metadata and the names of cells that it had before its execution.

    What differs from run to run and says nothing stays out of it: times, host versions, papermill's own records.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
    before : nbformat.NotebookNode
        The same one, not executed.
    injected : bool
        Whether papermill put a cell with parameters into it, which is dropped.
    """
    if injected:
        notebook.cells = [cell for cell in notebook.cells if "injected-parameters" not in cell.metadata.get("tags", [])]
        before.cells = [cell for cell in before.cells if "injected-parameters" not in cell.metadata.get("tags", [])]
    notebook.metadata = {**copy.deepcopy(HOUSE), **before.metadata}
    notebook.metadata.pop("papermill", None)
    taken = {cell.get("id") for cell in before.cells}
    names = (name for number in itertools.count(1) if (name := f"cell-{number}") not in taken)
    for cell, old in zip(notebook.cells, before.cells, strict=True):
        cell["id"] = old.get("id") or next(names)
        cell.metadata = old.metadata
        for record in ("papermill", "execution"):  # of an earlier run
            cell.metadata.pop(record, None)


def execute_all(sources, targets, parameters=None, environment=None):
    """Execute notebooks in parallel, with a progress bar; the first failure stops the run."""
    run = functools.partial(_execute_known, parameters=parameters or {}, environment=environment)
    pages = side_by_side(run, sources, targets, waiting=1)  # for kernels, while they start and end
    for _ in progress(pages, total=len(sources), desc="notebooks", unit="page"):
        pass


def _execute_known(source, target, parameters, environment):
    read(source)
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
