"""What must hold under every supported Python; `.ci/pythons` runs this file under each that it finds."""

import nbformat

from compendium import places
from compendium.press import notebooks
from compendium.study import reproduction

PAGE = places.CHAPTERS / "share_scheduling" / "one_processor" / "equal_shares.ipynb"
SAMPLE = 3


def test_no_row_is_stale():
    assert [row for _, row in reproduction.rows() if reproduction.stale(row)] == []


def test_a_sample_of_rows_is_the_same_to_the_last_bit():
    outcomes = [outcome for _, outcome in reproduction.recompute(SAMPLE)]
    assert len(outcomes) == SAMPLE and "different" not in outcomes


def test_a_page_executes(tmp_path):
    environment = {"COMPENDIUM_FIGURES": str(tmp_path), "COMPENDIUM_RESULTS": str(tmp_path / "results")}
    target = tmp_path / PAGE.name
    notebooks.execute(PAGE, target, {}, environment)
    assert notebooks.glued(nbformat.read(target, 4)) == notebooks.glued(nbformat.read(PAGE, 4))
    assert not (tmp_path / "results").exists()
