"""What a page concludes: its numbers are computed, not typed."""

import re

import nbformat
import pytest

from compendium.press import notebooks, scorecard

PAGES = [path for path in notebooks.notebooks() if path.parent.name != "ledger"]
HEADING = "## What to take away"
NUMBER = re.compile(
    r"(?<![\w.])\d[\d.,]*(?:/\d+)?|\b(?:ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|"
    r"million|half|halves?|halved|thirds?|quarters?|fifths?|tenths?|hundredths?|twice|doubles?|triples?|fourfold|tenfold)\b",
    re.IGNORECASE,
)
# What is no number: glued values, links and code; equations, figures, sections and classes; orders of growth.
REFERENCES = (
    r"\{[^{}]+\}`[^`]*`",
    r"`[^`]*`",
    r"\((?:[1-9A]\.)?\d+\)",
    r"\b(?:Figures?|Sections?|Tables?|Chapters?|[Cc]lass(?:es)?) [A-Z]?[\d.]+(?:(?:,| and| to) [\d.]+)*",
    r"\$1/m\$",
)
# Numbers that state what the page is about, and not what it found; by the page's name.
STATED = {
    "cluster_size": ["(16 servers, 40 arrivals per second)"],
    "design": ["forty nodes"],
    "interruption_rules": ["the hundred servers"],
    "random_assignment": ["two servers out of a hundred"],
    "random_numbers": ["1979's", "in 2002"],
    "sensitivity": ["a hundred servers", "load 0.5", "load 0.95", "A third server", "load 0.8", "the hundred servers"],
    "spread": ["more than half the cluster"],
    "workload": ["a hundred seconds"],
    "your_cluster": ["half lives", "half life"],
}


def conclusion(notebook):
    """The text of a page from its last heading on, on one line."""
    text = "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    before, heading, after = text.rpartition(HEADING)
    assert heading, f"no heading {HEADING!r}"
    return " ".join(after.split())


def typed_numbers(text, stated=()):
    """The numbers in a text, as digits or as words from ten on and fractions, that are neither glued nor stated."""
    for phrase in stated:
        text = text.replace(phrase, "")
    for reference in REFERENCES:
        text = re.sub(reference, "", text)
    return NUMBER.findall(text)


@pytest.mark.parametrize("path", PAGES, ids=[path.stem for path in PAGES])
def test_the_numbers_of_a_conclusion_are_glued(path):
    assert typed_numbers(conclusion(nbformat.read(path, 4)), STATED.get(path.stem, ())) == []


@pytest.mark.parametrize("path", PAGES, ids=[path.stem for path in PAGES])
def test_what_a_conclusion_need_not_glue_is_still_there(path):
    text = conclusion(nbformat.read(path, 4))
    assert [phrase for phrase in STATED.get(path.stem, ()) if phrase not in text] == []


def test_a_reason_types_no_number():
    """What was computed stands beside it, and may change."""
    assert [row["id"] for row in scorecard.reasons().values() if typed_numbers(row["reason"])] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("forty servers with sizes up to {glue:text}`most` are out of reach", ["forty"]),
        ("delays within 7 % of balanced fairness, by (2.26), Figures 3 and 4", ["7"]),
        ("the 1.34 of the text is $x = 3/8$ of the load at most", ["1.34", "3/8"]),
        ("up to a third longer; the price is $1/m$ (`ctmc-063`, Section 5.2)", ["third"]),
        ("to a residual of $10^{-11}$, at 138,012,428 states", ["10", "11", "138,012,428"]),
        ("{glue:text}`worst:.0%` longer with one interruption", []),
    ],
)
def test_a_typed_number_is_found(text, found):
    assert typed_numbers(text) == found
