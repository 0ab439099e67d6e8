"""What outside packages were recorded to answer: asked again where they are installed; and who decides."""

import csv
import importlib.util

import numpy as np
import pytest
from benchmarks import outside, outside_features

from pages.across.witnesses import outside as outside_systems
from pages.across.witnesses.features import OURS
from pages.across.witnesses.outside import (
    GRAPHS,
    SEVERAL,
    SYSTEMS,
    beyond_means,
    by_definition,
    law_by_definition,
    ours,
)


def recorded(**chosen):
    """Rows of the table."""
    with open(outside.TABLE, newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if all(row[name] == value for name, value in chosen.items())]


def test_the_table_has_every_question():
    asked = [
        case[:4] + (str(group),)
        for case in outside.cases()
        for group in range(1, 1 + (1 if case[2] == "JSQ PS" else len(({**SYSTEMS, **SEVERAL, **GRAPHS})[case[3]][1])))
    ]
    names = ("package", "solver", "policy", "system", "group")
    assert [tuple(row[name] for name in names) for row in recorded()] == asked


@pytest.mark.parametrize("policy", ["PQ", "HOL"])
@pytest.mark.parametrize("system", ["two groups", "high load"])
def test_the_third_computation_conserves_work(policy, system):
    """Under any order the mean work is that of the queue M/G/1; without interruption, Kleinrock's law of waiting."""
    _, arrivals, services = map(np.array, SYSTEMS[system])
    loads, jobs = arrivals / services, by_definition(policy, system)
    work = (arrivals / services**2).sum() / (1 - loads.sum())
    assert jobs @ (1 / services) == pytest.approx(work, rel=1e-9)
    if policy == "PQ":  # the first group sees nobody else
        assert jobs[0] == pytest.approx(loads[0] / (1 - loads[0]), rel=1e-9)


@pytest.mark.parametrize("policy", ["PS", "PPS", "PQ", "HOL", "FCFS"])
def test_the_third_computation_is_of_the_policy(policy):
    """Formulas of textbooks, none of them ours."""
    _, arrivals, services = map(np.array, SYSTEMS["two groups"])
    loads, jobs = arrivals / services, by_definition(policy, "two groups")
    residual = (arrivals / services**2).sum()
    wait = residual / (1 - loads.sum())
    known = {
        "PS": loads / (1 - loads.sum()),
        "FCFS": arrivals * wait + loads,
        "HOL": arrivals * residual / (1 - loads[0]) / np.array([1, 1 - loads.sum()]) + loads,
        "PQ": [loads[0] / (1 - loads[0]), np.nan],
    }
    if policy in known:
        there = ~np.isnan(known[policy])
        assert jobs[there] == pytest.approx(np.array(known[policy])[there], rel=1e-9)
    else:  # the group of more weight has fewer jobs than under PS; the work is the same
        assert jobs[0] < known["PS"][0] and jobs @ (1 / services) == pytest.approx(known["PS"] @ (1 / services))


def test_jobs_that_share_a_server_from_the_oldest_on():
    """One class that has both servers is a queue M/M/1 of twice the speed; two classes apart are two queues."""
    both, apart = ({0, 1}, {0, 1}), ({0}, {1})
    assert outside_systems._oldest_first(both, (0.1, 0.1)) == pytest.approx([0.1 / 1.8, 0.1 / 1.8], rel=1e-6)
    assert outside_systems._oldest_first(apart, (0.1, 0.15)) == pytest.approx([0.1 / 0.9, 0.15 / 0.85], rel=1e-4)


def test_times_and_their_squares():
    """The group in front under PQ is a queue M/M/1; a busy processor is busy with the load."""
    busy, squares = beyond_means("PQ", "two groups")
    _, arrivals, services = SYSTEMS["two groups"]
    assert busy == pytest.approx(0.3 / 1.0 + 0.2 / 0.8)
    assert squares[0] == pytest.approx(2 / (services[0] - arrivals[0]) ** 2)
    states, law = law_by_definition("PQ", "two groups")
    assert law.sum() == pytest.approx(1) and (squares > (states[:2] @ law / arrivals) ** 2).all()


def test_where_the_packages_are_wrong():
    """The recorded answers that the page names, against the third computation."""
    for solver, policy, system in (
        ("NC", "FCFS", "two groups"), ("AG", "PS", "two groups"), ("AG", "HOL", "two groups"), ("NC", "balanced",
        "shared server"), ("MVA", "HOL, one priority", "two groups"), ("formula", "PQ", "two groups"),
    ):  # fmt: skip
        rows = recorded(solver=solver, policy=policy, system=system)
        theirs, third = np.array([float(row["answer"]) for row in rows]), by_definition(policy, system)
        assert third == pytest.approx(ours(policy, system), rel=1e-7)
        assert abs(theirs / third - 1).max() > 0.04


@pytest.mark.parametrize("case", list(outside.cases()), ids=lambda case: "-".join(case[:4]).replace(" ", "-"))
def test_a_package_answers_as_recorded(case):
    package, solver, policy, system, ask = case
    if importlib.util.find_spec(package.replace("-", "_")) is None:
        pytest.skip(f"{package} is not installed (pip install .[outside])")
    rows = recorded(package=package, solver=solver, policy=policy, system=system)
    assert ask()[0] == pytest.approx([float(row["answer"]) for row in rows], rel=1e-9)


def test_the_simulator_in_python_refuses_what_it_lists():
    line_solver = pytest.importorskip("line_solver", reason="LINE is not installed (pip install .[outside])")
    assert "SchedStrategy_OI" in line_solver.SolverSSA.getFeatureSet()
    with pytest.raises(TypeError):
        outside.with_line("SSA", "balanced", "shared server")


def test_every_feature_was_tried_of_every_package():
    with open(outside_features.TABLE, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = [(package, feature) for package in outside_features.PACKAGES for feature in OURS]
    assert [(row["package"], row["feature"]) for row in rows] == names
    assert {row["has"] for row in rows} == {"yes", "in part", "no"} and all(row["how"] for row in rows)


@pytest.mark.parametrize("package", outside_features.PACKAGES)
def test_what_was_found_of_a_package_is_found_again(package):
    told = outside_features.PACKAGES[package]()
    if not told:
        pytest.skip(f"{package} is not installed")
    with open(outside_features.TABLE, newline="", encoding="utf-8") as file:
        kept = {row["feature"]: (row["has"], row["how"]) for row in csv.DictReader(file) if row["package"] == package}
    assert {feature: (has, how) for feature, (has, how, _) in told.items()} == kept
