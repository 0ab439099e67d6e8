"""What the built book adds to a figure: who drew it first, and the command that draws it again."""

import json
import re

import pytest

from compendium import places
from compendium.press import beside_figures, claims, gallery, notebooks
from compendium.press.depends import parameters_of


def test_a_caption_cites_authors_and_no_short_name():
    keys = "|".join(claims.sources().keys() - {"thesis"})
    for row in gallery.catalogue():
        words = beside_figures._named(f"A figure ({row['id']}).", row["id"])
        assert row["id"] not in words and not re.match(rf"\W*({keys})\b", words, re.IGNORECASE)
    assert beside_figures._named("Delays (ctmc-fig-8).", "ctmc-fig-8") == (
        "**Salameh and Wittevrongel, Figure 8.** Delays."
    )


def test_no_caption_speaks_of_a_source_by_its_short_name():
    short = rf"\b(of|in|by|from) ({'|'.join(claims.sources())})\b(?! (fairness|networks?|loads?))"
    found = [caption for _, caption, _ in gallery.captions().values() if re.search(short, caption)]
    assert found == []


@pytest.mark.parametrize(
    ("code", "names"),
    [
        (["draw(1)"], []),
        (["draw(load)"], ["load"]),
        # By way of names, functions, loops and what is changed in place; the last value counts.
        (["rows = run(load)", "worst = rows.max()", "draw(worst)"], ["load"]),
        (["def run(x):\n    return x * load", "draw(run(1))"], ["load"]),
        (["rows = {}\nfor x in y:\n    rows[x] = load", "draw(rows)"], ["load"]),
        (["rows = []\nfor x in y:\n    rows.append(load)", "draw(rows)"], ["load"]),
        (["rows = run(1)\nrows.load = load", "draw(rows)"], ["load"]),
        (["rows = run(load)", "rows = run(1)", "draw(rows)"], []),
        (["total = 1\ntotal += load", "draw(total)"], ["load"]),
        # Not by what has only the name in common, is computed beside it, or comes later.
        (["rows = [run(load) for load in range(3)]", "draw(rows, load=1)"], []),
        (["rows = [run(x) for x in load]", "draw(rows)"], ["load"]),
        (["rows = list(map(lambda load: run(load), y))", "draw(rows)"], []),
        (["def run(load):\n    return load", "draw(run(1))"], []),
        (["load = 0.5", "draw(load)"], []),
        (["import press", "press.table(load)", "press.publish(1)"], []),
        (["draw(1)", "draw(load)"][::-1], []),
    ],
)
def test_a_figure_depends_on_what_leads_to_it(code, names):
    assert parameters_of(code, len(code) - 1, ["load", "share"]) == names


def commands(path):
    """The parameters that the book offers with each figure of a notebook, by its identifier."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    options = beside_figures._options(path, cells)
    return {
        beside_figures._identifier(cell): [re.match(r"-p (\w+)=", one)[1] for one in options(number)]
        for number, cell in enumerate(cells)
        if "figure" in cell["metadata"].get("mystnb", {})
    }


@pytest.mark.parametrize(
    ("page", "changed"),
    [
        ("what_is_shared", {"jobs": [2, 1], "load": 0.5}),
        ("literature_of_sharing", {"tickets": [3, 2], "quanta": 50}),
        ("free_migration", {"required_shares": [0.4, 0.4, 0.2], "rates": [0.3, 0.3, 0.2, 0.1]}),
    ],
)
def test_the_parameters_offered_are_those_that_change_the_figure(page, changed, tmp_path):
    """One after the other, the page is executed with another value: exactly the figures that offer it change."""
    path = next(path for path in notebooks.notebooks() if path.stem == page)
    offered = commands(path)
    for name, value in changed.items():
        folder = tmp_path / name
        folder.mkdir()
        environment = {"COMPENDIUM_FIGURES": str(folder), "COMPENDIUM_RESULTS": str(folder)}
        notebooks.execute(path, folder / path.name, {name: value}, environment)
        drawn = {one.stem: one.read_bytes() for one in folder.glob("*.svg")}
        unlike = {one for one, svg in drawn.items() if svg != (places.ROOT / f"figures/{one}.svg").read_bytes()}
        assert drawn.keys() == offered.keys()
        assert unlike == {one for one, names in offered.items() if name in names}, name


def test_a_figure_that_nothing_changes_offers_nothing():
    path = next(path for path in notebooks.notebooks() if path.stem == "unequal_loads")
    half, first = ["load"], ["load", "required_share"]
    assert list(commands(path).values()) == [half, half, first, first]
    links = beside_figures._links("thesis-fig-1.1", places.ROOT / "figures", "..", [])
    assert "Draw it again: `python -m compendium figure thesis-fig-1.1`" in links
