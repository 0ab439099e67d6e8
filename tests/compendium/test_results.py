"""What the results store holds comes out of today's code."""

import json
import random
import re
import warnings
from dataclasses import replace

import numpy as np
import pytest

from compendium import places
from compendium.__main__ import main
from compendium.study import FIDELITIES, reproduction, store
from compendium.study.tasks import Task, encode, same_machine

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
def test_how_a_recomputed_point_is_judged(machine, shift, outcome):
    stored = {"mean_jobs": {"value": [0.5, 1.0], "half_width": [0.1, 0.1]}}
    found = {"mean_jobs": {"value": [0.5, 1.0 + shift], "half_width": [0.1, 0.1]}}
    row = store.Row(None, "paper", "kernel", machine, stored)
    assert reproduction.compare(row, found, "same") == outcome


def test_a_group_that_has_no_answer_has_none_again():
    stored = {"mean_response_time": {"value": [0.5, float("nan")], "half_width": [0.1, float("nan")]}}
    found = {"mean_response_time": {"value": [0.5, float("nan")], "half_width": [0.1, float("nan")]}}
    row = store.Row(None, "paper", "code", "machine", stored)
    assert reproduction.compare(row, found, "other") == "identical"
    found["mean_response_time"]["value"][0] = np.nextafter(0.5, 1)
    assert reproduction.compare(row, found, "other") == "within the interval"
    found["mean_response_time"]["value"][1] = 0.5
    assert reproduction.compare(row, found, "other") == "different"


def test_a_machine_is_known_by_the_features_that_matter():
    here = "x86_64 AuthenticAMD family 25 model 17, fma avx2, glibc 2.36"
    assert same_machine(here, here)
    assert same_machine("x86_64 AuthenticAMD family 25 model 17, glibc 2.36", here)  # an older record
    assert not same_machine("x86_64 AuthenticAMD family 25 model 17, avx2, glibc 2.36", here)
    assert not same_machine("x86_64 AuthenticAMD family 25 model 17, fma avx2, glibc 2.41", here)


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A results folder of one point, which is short, and a way to add to it."""
    monkeypatch.setattr(places, "RESULTS", tmp_path)
    monkeypatch.setitem(FIDELITIES, "quick", {"jumps": 50, "warmup": 1, "replications": 2})
    arguments = encode({"policy": "PQ", "required_shares": (0.5, 0.5), "arrival_rates": (0.25, 0.25)})
    task = Task("uniprocessor.simulate", arguments, 50, 1, 2, 7)
    fresh = store.Row(task, "quick", task.fingerprint(), "another machine", task.compute())

    def add(**changes):
        store.add(tmp_path / "small.csv", replace(fresh, **changes))

    add()
    return fresh, add


def test_a_stale_row_hides_no_fresh_one(small):
    fresh, add = small
    wrong = {name: {**estimate, "value": [9.0, 9.0]} for name, estimate in fresh.estimates.items()}
    add(fingerprint="of other code", estimates=wrong)
    assert sorted(outcome for _, outcome in reproduction.recompute()) == ["identical", "stale"]


def test_a_row_for_ever_is_not_recomputed(small):
    fresh, add = small
    add(task=replace(fresh.task, jumps=10**15))
    assert sorted(outcome for _, outcome in reproduction.recompute()) == ["identical", "stale"]


@pytest.mark.parametrize(
    "named", ["clustershare.__main__:main", "compendium.study.store:read", "clustershare.sizes:Pareto", 7, ["a"]]
)
def test_what_a_row_names_is_not_called(small, named, capsys):
    """Neither where it is read, nor where all are recomputed; its checksum is right."""
    fresh, add = small
    value = {"class": named, "fields": {"path": "x"}}
    forged = replace(fresh.task, arguments=json.dumps({**json.loads(fresh.task.arguments), "sizes": value}))
    add(task=forged)
    add(task=replace(fresh.task, model="compendium.__main__:main"))
    assert main(["results"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "1 identical, 0 within the interval, 0 different, 2 stale"
    assert main(["results", "--prune"]) == 0
    assert capsys.readouterr().out == "2 stale rows dropped\n"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"speed": 2}, "run argument must be one of .*; got 'speed'"),
        (
            {"sizes": {"class": "sizes.Pareto", "fields": {"speed": 2}}},
            "A stored point does not fit Pareto: .* required argument",
        ),
    ],
)
def test_a_row_with_wrong_arguments_is_a_sentence(small, capsys, changes, sentence):
    fresh, add = small
    wrong = replace(fresh.task, arguments=json.dumps({**json.loads(fresh.task.arguments), **changes}))
    add(task=wrong, fingerprint=wrong.fingerprint())
    assert main(["results"]) == 2
    assert re.search(sentence, capsys.readouterr().err.splitlines()[-1])
