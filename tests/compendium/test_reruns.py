"""Stored points are those of their arguments, say runs of other random numbers; where they are not, no verdict."""

from dataclasses import replace

import pytest

from compendium.press import claims, reruns
from compendium.press.findings import AGREES, UNCONFIRMED
from compendium.study import engines, store
from compendium.study.tasks import SEED, Task, encode


def test_what_is_kept_of_stored_points_is_of_todays():
    """Those named can be proven by ``python -m compendium prove --stale``."""
    assert [file for file in reruns.files() if not reruns.current(file)] == []
    assert [row["computed"] for row in map(reruns.current, reruns.files()) if int(row["refused"])] == []


@pytest.fixture(scope="module")
def points():
    """Three of one processor, at different loads."""
    rows = []
    for load in (0.3, 0.5, 0.7):
        arguments = {"policy": "FCFS", "required_shares": (0.75, 0.25), "arrival_rates": (load / 3, 2 * load / 3)}
        task = Task("uniprocessor.simulate", encode(arguments), 50_000, 5000, 30, SEED)
        rows.append(store.Row(task, "book", "", "", task.compute()))
    return rows


def exchanged(first, second, third):
    """The estimates of one point in the row of another."""
    return [replace(first, estimates=second.estimates), second, third]


def groups_exchanged(first, *others):
    both = {name: one[::-1] for name, one in first.estimates["group_share_deviation"].items()}
    return [replace(first, estimates={**first.estimates, "group_share_deviation": both}), *others]


def larger(first, *others):
    """A tenth more jobs than there are."""
    jobs = first.estimates["mean_jobs"]
    more = {**jobs, "value": [1.1 * value for value in jobs["value"]]}
    return [replace(first, estimates={**first.estimates, "mean_jobs": more}), *others]


@pytest.mark.parametrize("change", [exchanged, groups_exchanged, larger])
def test_a_point_in_anothers_place_is_refused(tmp_path, monkeypatch, points, change):
    monkeypatch.setattr(engines, "compute", lambda tasks: ((task, task.compute(), "") for task in tasks))
    right, wrong = tmp_path / "right.csv", tmp_path / "wrong.csv"
    for file, rows in ((right, points), (wrong, change(*points))):
        for row in rows:
            store.add(file, row)
    assert reruns.ask(right)["refused"] == 0
    told = reruns.ask(wrong)
    assert told["refused"] == 1 and points[0].task.arguments in told["computed"]


def test_no_verdict_rests_on_points_that_are_refused(monkeypatch):
    """Of whoever reads their file, and of nobody else."""
    reads, other = (claims.checks(name)[name] for name in ("thesis-5-176", "balanced-057"))
    refused = []
    monkeypatch.setattr(reruns, "current", lambda file: {"refused": str(int(file in refused)), "computed": "not so"})
    assert reads().verdict == other().verdict == AGREES
    refused += reruns.read_by("thesis-5-176")[:1]
    assert other().verdict == AGREES
    assert reads().verdict == UNCONFIRMED and reads().came_out.endswith("; but of what is stored: not so")
