"""Each page of content tells its story in the order in which one reads: what of that can be read from the notebook."""

import re

import pytest

from compendium import places
from compendium.press import abstracts, claims, notebooks
from pages.across import figures
from test_look import STORIES

PAGES = [path for path in notebooks.notebooks() if path.relative_to(places.CHAPTERS).parts[0] in STORIES]
NAMES = [path.stem for path in PAGES]
NO_HAND = ("literature", "literature_of_sharing", "conclusions", "outside", "try_it")  # what others say, sliders


# Numbers that titles and the chart of decisions say in words or as they are, beside what pages compute.
SAID = (
    ("scalability", "Thirty questions", "scal-cheapest", lambda found: found == 30),
    ("largest_chains", "thousand million states", "chain-states", lambda found: 1e9 <= found < 1.2e9),
    ("solvers", "quarter million equations", "unknowns", lambda found: 220_000 < found < 280_000),
    ("many_processors", "Are there 50 processors", "growing-enough", lambda found: found == 50),
)


def prose(path):
    return "\n\n".join(cell.source for cell in notebooks.read(path).cells if cell.cell_type == "markdown")


@pytest.mark.parametrize("path", PAGES, ids=NAMES)
def test_it_begins_with_its_answer(path):
    """In one sentence, which lists of pages show too: without what only the page has."""
    told = abstracts.abstract(path)
    assert told.endswith((".", "?")) and 5 <= len(told.split()) <= 45, told
    assert not re.search(r"\{|`", told)


@pytest.mark.parametrize("path", PAGES, ids=NAMES)
def test_no_cell_lists_identifiers(path):
    known = {row["id"] for row in claims.table()}
    code = "\n".join(cell.source for cell in notebooks.read(path).cells if cell.cell_type == "code")
    assert known.isdisjoint(re.findall(r"[\"']([\w-]+)[\"']", code))


@pytest.mark.parametrize("path", PAGES, ids=NAMES)
def test_what_it_names_are_claims_of_the_book(path):
    """A name that is none would stay one, where a chip should be."""
    known = {row["id"] for row in claims.table()}
    assert set(re.findall(r"`((?:thesis-\w+|balanced|roundrobin|ctmc)-\d+)`", prose(path))) <= known


@pytest.mark.parametrize("path", [one for one in PAGES if one.stem not in NO_HAND], ids=lambda path: path.stem)
def test_it_has_a_case_by_hand(path):
    assert re.search(r"\bby hand\b", prose(path), re.IGNORECASE)


@pytest.mark.parametrize("path", PAGES, ids=NAMES)
def test_it_says_what_to_take_away(path):
    assert re.search(r"^## (?:What to take away|Where to go on)", prose(path), re.MULTILINE)


@pytest.mark.parametrize(("name", "words", "glued", "holds"), SAID, ids=[name for name, *_ in SAID])
def test_a_number_in_a_title_is_what_its_page_computes(name, words, glued, holds):
    (path,) = (path for path in PAGES if path.stem == name)
    steps = " ".join(question.replace("\n", " ") for question, *_ in figures.STEPS)
    assert words in prose(path) + steps
    assert holds(notebooks.glued(notebooks.read(path))[glued])


def test_lists_of_pages_say_what_each_finds():
    """A line that only names a page gets the abstract of that page; there is one."""
    listed = [
        (index, found[2])
        for index in places.CHAPTERS.rglob("index.md")
        for found in abstracts.LINE.finditer(index.read_text(encoding="utf-8"))
    ]
    assert len(listed) > 60
    for index, name in listed:
        start = places.ROOT if name.startswith("/") else index.parent
        (page,) = start.joinpath(name.lstrip("/")).parent.glob(f"{name.rpartition('/')[2]}.*[bd]")
        assert abstracts.abstract(page), page
