"""What must hold under every supported Python; `.ci/pythons` runs this file under each that it finds."""

import nbformat

from compendium import places
from compendium.press import claims, notebooks, page_proofs, proofs
from compendium.study import reproduction

PAGE = places.CHAPTERS / "share_scheduling" / "one_processor" / "equal_shares.ipynb"
SUMS = places.CHAPTERS / "share_scheduling" / "central" / "dynamic_vertical.ipynb"
SAMPLE = 3


def test_no_row_is_stale():
    assert [row for _, row in reproduction.rows() if reproduction.stale(row)] == []


def test_what_is_kept_of_claims_is_current():
    assert [check.identifier for check in claims.checks().values() if not proofs.current(check)] == []


def test_what_is_kept_of_pages_is_current():
    assert [path.stem for path in notebooks.notebooks() if page_proofs.current(path) is None] == []


def test_a_sample_of_rows_is_the_same_to_the_last_bit():
    outcomes = [outcome for _, outcome in reproduction.recompute(SAMPLE)]
    assert len(outcomes) == SAMPLE and "different" not in outcomes


def executed(page, tmp_path):
    """A page as it comes out here, and as it is committed."""
    environment = {"COMPENDIUM_FIGURES": str(tmp_path), "COMPENDIUM_RESULTS": str(tmp_path / "results")}
    target = tmp_path / page.name
    notebooks.execute(page, target, {}, environment)
    assert not (tmp_path / "results").exists()
    return nbformat.read(target, 4), nbformat.read(page, 4)


def test_a_page_executes(tmp_path):
    here, committed = executed(PAGE, tmp_path)
    assert notebooks.glued(here) == notebooks.glued(committed)


def test_numbers_are_added_up_alike(tmp_path):
    """Python's own sum() rounds less from 3.12 on; a page that counts what rounding does would count otherwise."""
    here, committed = (
        [output.text for cell in notebook.cells for output in cell.get("outputs", []) if output.output_type == "stream"]
        for notebook in executed(SUMS, tmp_path)
    )
    assert here == committed != []
