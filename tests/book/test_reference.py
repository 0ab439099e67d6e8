"""The reference of the library: each public name once, and each page leads to the entries of what it calls."""

import functools
import importlib
import inspect
import json
import os
import pkgutil
import re
from pathlib import Path

import nbformat
import pytest
from sphinx.util.inventory import InventoryFile

import clustershare
from compendium import places
from compendium.press import notebooks, several_names
from compendium.press.called import called

INNER = {"compiled"}  # for kernels; no page calls it
PACKAGES = sorted({module.name for module in pkgutil.iter_modules(clustershare.__path__)} - INNER)
MACHINERY = ("compendium.logs", "compendium.press", "compendium.study")
OF_NO_MODEL = ("ledger", "long_computations")  # what others found; a program that other processes run
OF_MODELS = [path for path in notebooks.notebooks() if not {path.parent.name, path.stem}.intersection(OF_NO_MODEL)]
PAGE = """from clustershare import uniprocessor as one, sizes
from clustershare.splitting.groups import horizontal
from pages.share_scheduling.one_processor.systems import two_groups

one.exact("PS", (0.5, 0.5), (0.3, 0.3))
sizes.Pareto(1.0, 2.5)"""


def calls_of(path):
    """What a notebook calls: itself, and through what pages share."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return called("\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"))


def public():
    """The functions and classes on the faces of the packages, and of what pages call of the machinery."""
    for package in [*(f"clustershare.{name}" for name in PACKAGES), *MACHINERY]:
        module = importlib.import_module(package)
        for name in getattr(module, "__all__", vars(module)):
            found = getattr(module, name)
            own = hasattr(module, "__all__") or getattr(found, "__module__", None) == package
            if own and not name.startswith("_") and (inspect.isroutine(found) or inspect.isclass(found)):
                yield f"{package}.{name}"


@pytest.fixture
def entries(made):
    """Where each name is described."""
    with open(made.html() / "objects.inv", "rb") as file:
        found = InventoryFile.load(file, "", lambda base, place: place)
    return {name: item[2] for kind in ("py:function", "py:class", "py:exception") for name, item in found[kind].items()}


def test_each_public_name_is_described_once(entries):
    """At its public name; a second description would be a warning, and so an error of the build."""
    anchors = {place.partition("#")[2] for place in entries.values()}  # a class is listed by where it stands, too
    assert sorted(anchors) == sorted(set(public()))


def test_a_page_leads_to_what_it_calls(made, entries):
    """To each entry, in the last lines of the page."""
    for path in OF_MODELS:
        page = made.html() / path.relative_to(places.ROOT).with_suffix(".html")
        text = page.read_text(encoding="utf-8")
        origin = text[text.index("of the book’s sources") :].partition("</p>")[0]
        links = re.findall(r'<a class="reference internal" href="([^"#]*)#([^"]*)"', origin)
        own, shared = calls_of(path)
        assert [anchor for _, anchor in links] == own + shared
        for there, anchor in links:
            target = Path(os.path.normpath(page.parent / there))
            assert entries[anchor] == f"{target.relative_to(made.html())}#{anchor}"
            assert f'id="{anchor}"' in target.read_text(encoding="utf-8")


def test_what_code_calls_is_found():
    assert called(PAGE) == (["clustershare.sizes.Pareto", "clustershare.uniprocessor.exact"], [])


def test_a_name_is_found_under_its_public_name():
    code = "from clustershare.splitting import classes, groups\nclasses.minimise_cost\ngroups.horizontal"
    assert called(code)[0] == ["clustershare.splitting.horizontal", "clustershare.splitting.minimise_cost"]
    assert called("from clustershare.splitting.prices import prices\nprices(1)") == ([], [])


def test_what_stands_between_is_followed():
    code = "from pages.share_scheduling.one_processor import planes\nplanes"
    assert called(code) == ([], [])  # a module is not yet a call
    path = places.CHAPTERS / "share_scheduling" / "one_processor" / "feasible_plane.ipynb"
    cells = [cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
    assert called("\n".join(cells)) == ([], ["clustershare.uniprocessor.exact"])


@pytest.mark.parametrize("path", OF_MODELS, ids=lambda path: path.stem)
def test_every_page_of_a_model_leads_to_the_library(path):
    own, shared = calls_of(path)
    assert own + shared
    assert set(own + shared) <= set(public())


def test_attributes_that_are_described_together_are_listed_each():
    lines = [":ivar loss, delay: Of a job,", "    or None.", ":vartype loss, delay: float", ":ivar jobs: How many.", ""]
    several_names.separate(None, "class", "", None, None, lines)
    assert lines == [
        ":ivar loss: Of a job,", "    or None.", ":ivar delay: Of a job,", "    or None.",
        ":vartype loss: float", ":vartype delay: float", ":ivar jobs: How many.", "",
    ]  # fmt: skip


def test_no_property_has_words_for_a_type():
    # What stands before a colon would be taken for the type.
    described = [
        (f"{name}.{attribute}", (inspect.getdoc(found) or "").partition("\n")[0])
        for name in public()
        for attribute, found in vars(pkgutil.resolve_name(name)).items()
        if isinstance(found, property | functools.cached_property)
    ]
    assert len(described) > 20
    assert [name for name, words in described if ": " in words] == []
