"""What outside packages were recorded to answer: asked again where they are installed; and who decides."""

import csv
import importlib.util

import numpy as np
import pytest
from benchmarks import outside

from pages.across.outside import SYSTEMS, by_definition


def recorded(**chosen):
    """Rows of the table."""
    with open(outside.TABLE, newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if all(row[name] == value for name, value in chosen.items())]


def test_the_table_has_every_question():
    asked = [case[:4] + (str(group),) for case in outside.cases() for group in range(1, len(SYSTEMS[case[3]][0]) + 1)]
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


@pytest.mark.parametrize("case", list(outside.cases()), ids=lambda case: "-".join(case[:4]).replace(" ", "-"))
def test_a_package_answers_as_recorded(case):
    package, solver, policy, system, ask = case
    if importlib.util.find_spec(package.replace("-", "_")) is None:
        pytest.skip(f"{package} is not installed (pip install .[outside])")
    rows = recorded(package=package, solver=solver, policy=policy, system=system)
    assert ask()[0] == pytest.approx([float(row["mean_jobs"]) for row in rows], rel=1e-9)
