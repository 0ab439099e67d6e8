"""The works that the book names are cited where they are named."""

import re

import nbformat
import pytest

from compendium import places
from compendium.press import notebooks

TEXT = (places.ROOT / "references.bib").read_text(encoding="utf-8")
PAGES = [*notebooks.notebooks(), *sorted(places.CHAPTERS.rglob("*.md"))]


def authors():
    """The surnames of each work, by its key; those of the four sources are named everywhere."""
    works = re.findall(r"^@\w+\{(\w+),\s+author = \{(.*)\},$", TEXT, re.MULTILINE)
    sources = {"balanced", "roundrobin", "thesis", "ctmc"}
    return {key: tuple(re.findall(r"(?:^| and )([^,]+),", names)) for key, names in works if key not in sources}


def prose(path):
    if path.suffix == ".md":
        return path.read_text(encoding="utf-8")
    return "\n\n".join(cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "markdown")


def cited(text):
    return {key for keys in re.findall(r"\{cite[^}]*\}`([^`]*)`", text) for key in keys.split(",")}


def test_every_entry_is_cited():
    keys = set(re.findall(r"^@\w+\{(\w+),", TEXT, re.MULTILINE))
    assert keys == set().union(*(cited(prose(path)) for path in PAGES))


@pytest.mark.parametrize("path", PAGES, ids=[path.stem if path.stem != "index" else path.parent.name for path in PAGES])
def test_a_work_that_is_named_is_cited(path):
    text = prose(path)
    named = {names for names in authors().values() if all(re.search(rf"\b{name}\b", text) for name in names)}
    assert named <= {authors().get(key) for key in cited(text)}
