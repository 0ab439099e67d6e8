"""Every page of the built book as it looks: by day, by night, and on a phone."""

import nbformat
import pytest

from browser import DESK, PHONE
from compendium import places
from compendium.press.notebooks import notebooks
from page_faults import (
    counted_figures,
    cut_code,
    cut_formulas,
    empty_heads,
    glued_outputs,
    hidden_columns,
    ill_formed,
    illegible,
    late_picture,
    lost_first_columns,
    lost_formulas,
    mark_what_looks_alike,
    narrow_sentences,
    overhang,
    points_apart,
    poor_figures,
    raw_tex,
    torn_numbers,
    torn_percents,
    uneven_columns,
    unseen_verdicts,
    wide_formulas,
    wrapped_code,
)

PAGES = sorted(
    path.relative_to(places.ROOT).with_suffix(".html")
    for path in (*notebooks(), *places.CHAPTERS.rglob("*.md"))
    if ".ipynb_checkpoints" not in path.parts
)

# Pages that tell a story.
STORIES = ("share_scheduling", "balanced_fairness", "round_robin", "cluster_chain", "across")


def figures_of(made, page):
    """The number of figures that the executed notebook of a page shows."""
    path = made.gathered() / page.with_suffix(".ipynb")
    if not path.exists():
        return 0
    outputs = [output for cell in nbformat.read(path, 4).cells for output in cell.get("outputs", [])]
    return sum("image/svg+xml" in output.get("data", {}) for output in outputs)


@pytest.mark.browser
@pytest.mark.parametrize("path", PAGES, ids=[path.stem if path.stem != "index" else path.parent.name for path in PAGES])
def test_a_page(made, visit, path):
    """It loads whole and asks nobody; formulas are typeset, figures seen and described, text legible; it fits.

    It is loaded once, and looked at by day, by night, and on a phone, whose colours are those of the day.
    """
    page, figures = visit.open(made.html() / path), figures_of(made, path)
    tells = path.parts[1] in STORIES and (made.gathered() / path.with_suffix(".ipynb")).exists()
    by_day = late_picture(page) if tells else []
    by_day += [*raw_tex(page), *cut_formulas(page), *poor_figures(page, figures), *overhang(page)]
    by_day += [*cut_code(page), *wrapped_code(page), *torn_numbers(page), *points_apart(page), *unseen_verdicts(page)]
    by_day += [*torn_percents(page), *uneven_columns(page)]
    by_day += [*empty_heads(page), *lost_formulas(page), *hidden_columns(page)]
    by_day += [*glued_outputs(page), *counted_figures(page)]
    page.set_viewport_size(PHONE)
    on_a_phone = [*raw_tex(page), *poor_figures(page, figures), *overhang(page)]
    on_a_phone += [*cut_code(page), *torn_numbers(page), *unseen_verdicts(page), *lost_first_columns(page)]
    on_a_phone += [*lost_formulas(page), *hidden_columns(page), *wide_formulas(page), *narrow_sentences(page)]
    on_a_phone += [*torn_percents(page)]
    page.set_viewport_size(DESK)
    mark_what_looks_alike(page)
    by_day += [*ill_formed(page), *illegible(page)]
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    page.evaluate("document.getAnimations().forEach(one => one.finish())")  # colours fade
    by_night = [*poor_figures(page, figures), *illegible(page)]
    assert visit.faults == []
    assert {"day": by_day, "night": by_night, "phone": on_a_phone} == {"day": [], "night": [], "phone": []}
