"""The reference of the library: each public name once, and each page leads to the entries of what it calls."""

import functools
import importlib
import inspect
import json
import pkgutil
import re
import shutil

import nbformat
import pytest
from sphinx.util.inventory import InventoryFile

import clustershare
from compendium import places
from compendium.press import book, notebooks, several_names
from compendium.press.called import called

INNER = {"compiled"}  # for kernels; no page calls it
PACKAGES = sorted({module.name for module in pkgutil.iter_modules(clustershare.__path__)} - INNER)
MACHINERY = ("compendium.logs", "compendium.press", "compendium.study")
REFERENCE = places.CHAPTERS / "library"
PAGE = """from clustershare import uniprocessor as one, sizes
from clustershare.splitting.groups import horizontal
from pages.share_scheduling.one_processor.systems import two_groups

one.exact("PS", (0.5, 0.5), (0.3, 0.3))
sizes.Pareto(1.0, 2.5)"""


def public():
    """The functions and classes on the faces of the packages, and of what pages call of the machinery."""
    for package in [*(f"clustershare.{name}" for name in PACKAGES), *MACHINERY]:
        module = importlib.import_module(package)
        for name in getattr(module, "__all__", vars(module)):
            found = getattr(module, name)
            own = hasattr(module, "__all__") or getattr(found, "__module__", None) == package
            if own and not name.startswith("_") and (inspect.isroutine(found) or inspect.isclass(found)):
                yield f"{package}.{name}"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A book of the reference alone, and of one page that calls something."""
    output = tmp_path_factory.mktemp("reference")
    source = output / "source"
    shutil.copytree(REFERENCE, source / "chapters" / "library", ignore=shutil.ignore_patterns("*.ipynb"))
    for name in ("_config.yml", "references.bib", "assets"):
        (shutil.copytree if (places.ROOT / name).is_dir() else shutil.copy)(places.ROOT / name, source / name)
    (source / "figures").mkdir()
    # Links to pages that are not there become words.
    index = source / "chapters" / "library" / "index.md"
    index.write_text(re.sub(r"\{doc\}`(?:\.\./|add_)[^`]*`", "elsewhere", index.read_text("utf-8")), encoding="utf-8")
    cells = [nbformat.v4.new_markdown_cell("# A page"), nbformat.v4.new_code_cell(PAGE)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    page = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel, "language_info": {"name": "python"}})
    nbformat.write(page, source / "chapters" / "page.ipynb")
    pages = ["page", *(f"library/{path.stem}" for path in REFERENCE.glob("*.md"))]
    files = "".join(f"  - file: chapters/{page}\n" for page in sorted(pages) if page != "library/index")
    (source / "_toc.yml").write_text(f"format: jb-book\nroot: chapters/library/index\nchapters:\n{files}", "utf-8")
    return book.typeset(output).parent


@pytest.fixture(scope="module")
def entries(built):
    """Where each name is described."""
    with open(built / "objects.inv", "rb") as file:
        found = InventoryFile.load(file, "", lambda base, place: place)
    return {name: item[2] for kind in ("py:function", "py:class", "py:exception") for name, item in found[kind].items()}


def test_each_public_name_is_described_once(built, entries):
    """At its public name; a second description would be a warning, and so an error of the build."""
    anchors = {place.partition("#")[2] for place in entries.values()}  # a class is listed by where it stands, too
    assert sorted(anchors) == sorted(set(public()))


def test_a_page_leads_to_what_it_calls(built, entries):
    text = (built / "chapters" / "page.html").read_text(encoding="utf-8")
    origin = text[text.index("of the book’s sources") :]
    links = re.findall(r'<a class="reference internal" href="([^"#]*)#([^"]*)"', origin)
    wanted = ["clustershare.sizes.Pareto", "clustershare.uniprocessor.exact"]
    assert [anchor for _, anchor in links] == wanted
    for page, anchor in links:
        there = (built / "chapters" / page).read_text(encoding="utf-8")
        assert f'id="{anchor}"' in there
        assert entries[anchor] == f"chapters/{page}#{anchor}"


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


OF_NO_MODEL = ("ledger", "long_computations")  # what others found; a program that other processes run


@pytest.mark.parametrize(
    "path",
    [path for path in notebooks.notebooks() if not {path.parent.name, path.stem}.intersection(OF_NO_MODEL)],
    ids=lambda path: path.stem,
)
def test_every_page_of_a_model_leads_to_the_library(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    own, shared = called("\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"))
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
