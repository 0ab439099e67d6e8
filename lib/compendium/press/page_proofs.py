"""What executions of pages gave, kept with a digest of all that they depend on: ``data/proofs/pages.csv``.

With its own parameters, that a page's execution gives what is committed; with others, what it glued and which figures
it drew. The digest covers the code, every definition of the three packages that it reaches by name, the versions of
the packages that these use, the files that were read while the page was executed, and the claims that it asked for;
with its own parameters the committed outputs too.
"""

import contextlib
import functools
import json
import os
import tempfile
import textwrap
from pathlib import Path

from compendium import places
from compendium.press import claims, kept, notebooks, proofs
from compendium.press.kept import APART, SCOPE, Kept, digest_of_files, places_of, version
from compendium.study.fingerprints import Reach, changed
from compendium.study.made_once import made_once

KEPT = Kept("pages", ("page", "parameters", "digest", "claims", "files", "values"), keys=2)
CODE = "page"  # the name of a page's code, as a module and as its only function
# Of the machinery, tables of claims decide what a page shows; and so does what is made of an executed notebook.
WIDE = SCOPE._replace(packages=(*SCOPE.packages, CODE), apart=tuple(name for name in APART if name != claims.__name__))
MADE_BY = ("describe_figures", "merge_streams", "round_glued", "HOUSE")
ASKED = ("compendium.press.claims", "record"), ("compendium.press.claims", "Check.__call__")  # a claim at a time


def digest(path, parameters, asked, files):
    """The digest of a page's execution.

    Parameters
    ----------
    path : Path
        Of the notebook.
    parameters : dict
        In place of its own; with none, its outputs count.
    asked : collection of str
        The identifiers of the claims that it asked for; a star for all.
    files : iterable of str
        That were read, from the root of the project.

    Returns
    -------
    str
    """
    code, cells, outputs = _read(path, path.stat().st_mtime_ns)
    names = [] if parameters else _drawn(path, path.stat().st_mtime_ns)  # committed, and drawn again
    figures = digest_of_files(f"figures/{name}.{suffix}" for name in names for suffix in ("svg", "csv"))
    outputs = [] if parameters else [outputs, *figures]
    asked = _claims(_stamp()) if "*" in asked else asked
    rest = [*cells, _written(parameters), *outputs, *map(_of_claim, asked), *digest_of_files(files)]
    return made_once(lambda: _reach(code).digest(*rest, version=version), "page", *rest)


@functools.cache
def _reach(code):
    return reach_of(code, *(f"{notebooks.__name__}:{name}" for name in MADE_BY))


@functools.cache
def _read(path, changed_at):
    """The code of a page, its cells, and all of the notebook but its prose, which no execution reads."""
    notebook = notebooks.read(path)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    tagged = [json.dumps((cell.source, cell.metadata.get("tags"))) for cell in cells]
    code = "\n".join(cell.source for cell in cells)
    for cell in notebook.cells:
        cell.source = cell.source if cell.cell_type == "code" else ""
    return code, tagged, json.dumps(notebook, sort_keys=True)


def reach_of(code, *places):
    """All that can be reached from some code that is in no module of the packages, and from places."""
    with changed(CODE, f"def {CODE}():\n" + textwrap.indent(code, "    ")):
        return Reach([f"{CODE}:{CODE}", *places], WIDE)


@functools.cache
def _drawn(path, changed_at):
    return drawn(notebooks.read(path))


def drawn(notebook):
    """The names of the figures in the outputs of a notebook."""
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", []))
    described = (output.get("metadata", {}).get("clustershare") for output in outputs)
    return [one["figure"] for one in described if one]


def _of_claim(identifier):
    """What a page can show of a claim: its row, and what was found."""
    kept_row = proofs.KEPT.rows().get((identifier,), {})
    return json.dumps(
        (_claims(_stamp()).get(identifier), [kept_row.get(name) for name in ("verdict", "part", "computed")])
    )


def _stamp():
    return (places.DATA / "claims.csv").stat().st_mtime_ns


@functools.lru_cache(maxsize=2)
def _claims(changed_at):
    return {row["id"]: row for row in claims.table()}


def _written(parameters):
    return json.dumps(parameters, sort_keys=True) if parameters else ""


def _name(path):
    return path.relative_to(places.CHAPTERS).with_suffix("").as_posix()


def current(path, parameters=None):
    """What is kept of a page's execution, if it is of today's code and data; otherwise None.

    Parameters
    ----------
    path : Path
        Of the notebook.
    parameters : dict, optional
        In place of its own.

    Returns
    -------
    dict or None
        What it glued by name, and under "figures" the names of those that it drew.
    """
    row = KEPT.rows().get((_name(path), _written(parameters)))
    stands = row and row["digest"] == digest(path, parameters, row["claims"].split(), row["files"].split())
    return values(row) if stands else None


def values(row):
    """What a page glued by name, and under "figures" the names of those that it drew; of other parameters alone."""
    return json.loads(row["values"])


@contextlib.contextmanager
def execution(path, parameters=None):
    """Execute a page in the block, and hear what it reads.

    Parameters
    ----------
    path : Path
        Of the notebook.
    parameters : dict, optional
        In place of its own.

    Yields
    ------
    environment : dict
        Environment variables that its kernel needs.
    values : callable
        Given the executed notebook: its row, for `keep`.
    """
    with tempfile.TemporaryDirectory() as folder:
        heard = Path(folder, "heard")
        heard.touch()

        def row(notebook):
            asked, files = set(), set()
            for line in heard.read_text(encoding="utf-8").splitlines():
                kind, name = line.split(" ", 1)
                (asked if kind == "claim" else files).add(name)
            asked, files = ["*"] if asked >= _claims(_stamp()).keys() else sorted(asked), sorted(files)
            values = {**notebooks.glued(notebook), "figures": drawn(notebook)} if parameters else {}
            return {
                "page": _name(path), "parameters": _written(parameters), "claims": " ".join(asked),
                "files": " ".join(files), "digest": digest(path, parameters, asked, files),
                "values": json.dumps(values),
            }  # fmt: skip

        yield {"COMPENDIUM_HEARD": str(heard)}, row


def keep(row):
    """Write a row that `execution` gave beside those that are kept, without those of pages that are gone."""
    pages = set(map(_name, notebooks.notebooks()))
    KEPT.keep([row], lambda every: sorted(key for key in every if key[0] in pages))


def listen():
    """Let this process write down what it reads, if it is the kernel of an `execution`."""
    if not (target := os.environ.get("COMPENDIUM_HEARD")):
        return
    known = set()
    file = open(target, "a", buffering=1, encoding="utf-8")  # a line at a time, until the kernel ends

    def note(kind, name, frame):
        if (kind, name) not in known and (kind == "claim" or set(ASKED).isdisjoint(places_of(frame))):
            known.add((kind, name))
            file.write(f"{kind} {name}\n")

    kept.listen(note)
