"""What the results store holds comes out of today's code."""

import random
import warnings

import pytest

from compendium import places
from compendium.__main__ import main
from compendium.study import reproduction, store

SAMPLE = 3


def test_no_row_is_stale_and_no_line_spoilt(recwarn):
    rows = reproduction.rows()
    assert rows
    assert not [row for _, row in rows if reproduction.stale(row)]
    assert not [warning for warning in recwarn if issubclass(warning.category, store.ResultsWarning)]
    assert not list(places.RESULTS.glob("*.rejected"))


def test_a_fresh_sample_of_rows_is_reproduced():
    seed = random.SystemRandom().randrange(2**32)
    outcomes = list(reproduction.recompute(SAMPLE, random.Random(seed)))
    assert len(outcomes) == SAMPLE
    for row, outcome in outcomes:
        assert outcome != "different", f"{row.task} (sample drawn with seed {seed})"
        if outcome != "identical":
            print(f"{row.task}: {outcome}")


def test_the_command_line_reports_a_spoilt_line(tmp_path, monkeypatch):
    monkeypatch.setattr(places, "RESULTS", tmp_path)
    monkeypatch.setattr(warnings, "formatwarning", warnings.formatwarning)  # the command line's own is for its process
    source = places.DATA / "results" / "uniprocessor.csv"
    text = source.read_text()
    (tmp_path / source.name).write_text(text[:-100])
    last = len(text.splitlines())
    spoilt = f"uniprocessor.csv, line {last}: set aside in uniprocessor.csv.rejected because it is cut short."
    with pytest.warns(store.ResultsWarning, match=spoilt):
        assert main(["results", "--prune"]) == 0
    assert len((tmp_path / source.name).read_text().splitlines()) == last - 1
    assert (tmp_path / "uniprocessor.csv.rejected").exists()


@pytest.mark.parametrize(
    ("machine", "shift", "outcome"),
    [
        ("same", 0.0, "identical"),
        ("same", 1e-15, "different"),
        ("other", 1e-15, "within the interval"),
        ("other", 1.0, "different"),
    ],
)
def test_how_a_recomputed_point_is_judged(monkeypatch, machine, shift, outcome):
    monkeypatch.setattr(reproduction, "machine", lambda: "same")
    stored = {"mean_jobs": {"value": [0.5, 1.0], "half_width": [0.1, 0.1]}}
    found = {"mean_jobs": {"value": [0.5, 1.0 + shift], "half_width": [0.1, 0.1]}}
    row = store.Row(None, "paper", "kernel", machine, stored)
    assert reproduction.compare(row, found) == outcome


def test_a_group_that_has_no_answer_has_none_again():
    stored = {"mean_response_time": {"value": [0.5, float("nan")], "half_width": [0.1, float("nan")]}}
    found = {"mean_response_time": {"value": [0.5, float("nan")], "half_width": [0.1, float("nan")]}}
    assert reproduction.compare(store.Row(None, "paper", "code", "machine", stored), found) == "identical"
