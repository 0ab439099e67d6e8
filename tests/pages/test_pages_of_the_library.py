"""What is added to the library on pages, with other numbers than theirs; and exercises, answered twice."""

import re

import nbformat
import pytest

from compendium import places
from executed_pages import execute
from test_notebooks import lines_of_code

ADDITIONS = ("add_policy", "add_rule", "add_law")


def cells(name):
    return nbformat.read(places.CHAPTERS / f"{name}.ipynb", 4).cells


@pytest.mark.parametrize("name", ADDITIONS)
def test_an_addition_is_short(name):
    (added,) = [cell for cell in cells(f"library/{name}") if "addition" in cell.metadata.get("tags", [])]
    assert lines_of_code(added.source) < 30


@pytest.mark.proof
def test_a_policy_that_is_added_waits_as_cobham_says(tmp_path):
    """Three groups, of which the second comes first; and with classes by promise it is HOL to the last bit."""
    numbers = {"required_shares": [0.2, 0.3, 0.5], "arrival_rates": [0.2, 0.9, 0.3], "service_rates": [1.0, 3.0, 1.5]}
    found = execute("add_policy", tmp_path, **numbers, precision="3%")
    assert found["apart"] < 2
    assert found["same"] in (True, "True")


@pytest.mark.proof
def test_a_rule_that_is_added_splits_at_random_where_it_never_looks(tmp_path):
    numbers = {"required_shares": [0.25, 0.75], "loads": [0.5, 0.25], "processors": 3}
    found = execute("add_rule", tmp_path, **numbers, jumps=50_000)
    assert found["apart"] < 2
    assert found["loss-always"] < found["loss-some"] < found["loss-never"]
    assert found["far"] < 2 and found["slow-jsq"] < found["slow-large"]


@pytest.mark.parametrize("variation", [0.15, 1.0])
@pytest.mark.proof
def test_a_law_that_is_added_waits_as_pollaczek_and_khinchine_say(tmp_path, variation):
    found = execute("add_law", tmp_path, variation=variation, loads=[0.2, 0.3], jumps=100_000)
    assert found["wrong"] < 1e-12
    assert found["apart-fcfs"] < 2 and found["apart-ps"] < 2 and found["apart-data"] < 2


def test_exercises_are_answered_by_hand_and_by_the_library():
    """Each in a box that folds out, with both answers; that they are equal, the page demands when it is executed."""
    told = [cell.source for cell in cells("reading/exercises") if cell.source.startswith("## ")][:-1]
    code = "\n".join(cell.source for cell in cells("reading/exercises") if cell.cell_type == "code")
    answered = re.findall(r'answer\(\s*"([\w-]+)"', code)
    assert len(told) == len(answered) >= 8
    for text, name in zip(told, answered, strict=True):
        (folded,) = re.findall(r"```\{admonition\} Answer\n:class: dropdown\n(.*?)```", text, re.DOTALL)
        assert re.findall(r"\{glue:text\}`([\w-]+):\.4f`", folded) == [f"{name}-hand", f"{name}-library"]
        assert text.count("{doc}") == 1
