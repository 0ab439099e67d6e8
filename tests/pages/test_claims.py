"""Every executable claim has its committed verdict, and its check can fail."""

import inspect
import re
import sys
from pathlib import Path

import pytest

from compendium import places
from compendium.__main__ import main
from compendium.press import claims, findings, notebooks, proofs, scorecard

CHECKS = claims.checks()
ROWS = {row["id"]: row for row in claims.table()}
NUMBER = re.compile(
    r"\b(\d[\d ]*) (?:(?:random|stable|small|drawn|other|such) )*"
    r"(?:systems|graphs|draws|states|configurations|cases|clusters|partitions|samples|instances|assignments)\b"
)
COUNTED = {  # what a rule counts that is made of other numbers: of laws, loads, states in a system, systems of a size
    "roundrobin-002": ["360"], "thesis-2-037": ["2000"], "thesis-4-130": ["60"],
    "thesis-4-132": ["200"], "thesis-4-162": ["150"],
    "thesis-5-089": ["2000"], "thesis-5-138": ["2000"],
}  # fmt: skip


@pytest.mark.parametrize("identifier", CHECKS)
def test_the_verdict_is_the_committed_one(identifier):
    """The one that is kept if its proof is current, or that its page found in this run; otherwise it is found here."""
    row = ROWS[identifier]
    found = CHECKS[identifier]()
    assert scorecard.judged(found) == tuple(row[name] for name in scorecard.JUDGED)
    assert row["statement"] and row["expected"] and row["rule"]


@pytest.mark.parametrize("identifier", CHECKS)
def test_the_verdict_turns_in_a_wrong_setting(identifier):
    check = CHECKS[identifier]
    assert check.control, "a check without a negative control"
    proof = proofs.current(check)
    assert (proof.turned if proof else check(**check.control).verdict) != ROWS[identifier]["verdict"]


def test_as_many_systems_as_a_rule_says_are_named_where_it_is_checked():
    """In the check's module, or in one of this book that it imports from."""
    rooms = {name: one for name, one in sys.modules.items() if name.startswith("pages.") and one.__file__}
    texts = {name: Path(one.__file__).read_text() for name, one in rooms.items()}
    missing = {}
    for identifier, check in CHECKS.items():
        if asked := {number.replace(" ", "") for number in NUMBER.findall(ROWS[identifier]["rule"])}:
            room = inspect.unwrap(check.function).__module__
            lent = [getattr(one, "__module__", getattr(one, "__name__", "")) for one in vars(rooms[room]).values()]
            text = " ".join(texts.get(name, "") for name in {room, *lent})
            named = {number.replace("_", "") for number in re.findall(r"(?<![\w.])\d[\d_]*(?![\w.])", text)}
            if asked - named:
                missing[identifier] = sorted(asked - named)
    assert missing == COUNTED


def test_a_claim_is_checked_once_and_its_control_apart(tmp_path, monkeypatch):
    counted = []

    def function(value=1):
        counted.append(value)
        return findings.finding(f"{value}", value == 1)

    check = claims.Check("claim", function, {"value": 2})
    monkeypatch.setenv("COMPENDIUM_FINDINGS", str(tmp_path))
    assert [check().verdict, check(), check(value=2).verdict] == ["agrees", findings.Finding("1", "agrees"), "differs"]
    assert counted == [1, 2]
    monkeypatch.delenv("COMPENDIUM_FINDINGS")
    check()
    assert counted == [1, 2, 1]  # nothing is kept where nobody asked for it


def test_identifiers_are_unique_and_verdicts_known():
    rows = claims.table()
    assert len({row["id"] for row in rows}) == len(rows)
    for row in rows:
        assert row["verdict"] in findings.VERDICTS and row["id"] in CHECKS, row["id"]  # none is open


def test_what_differs_or_cannot_be_decided_has_a_reason():
    """Each such claim, and no other."""
    left = {row["id"] for row in claims.of_sources() if row["verdict"] in (findings.DIFFERS, findings.UNDECIDABLE)}
    told = scorecard.reasons()
    assert told.keys() == left
    assert all(row["kind"] and row["reason"].endswith(".") for row in told.values())


def test_a_changed_verdict_fails(monkeypatch, capsys):
    changed = {"balanced-016": findings.Finding("2", findings.DIFFERS)}
    monkeypatch.setattr(scorecard, "findings", lambda: changed)
    assert main(["scorecard"]) == 1
    assert "balanced-016: the verdict was 'agrees' and is now 'differs'." in capsys.readouterr().err
    in_part = next(row for row in ROWS.values() if row["part"])
    changed = {in_part["id"]: findings.Finding("2", findings.PART, "1/1000")}
    assert scorecard.changes(changed) == [
        (in_part["id"], scorecard.committed()[in_part["id"]], "agrees in part, 1/1000")
    ]  # fmt: skip
    fewer = {"balanced-016": findings.Finding("above 0 at 3 of 9 points, 6 cannot be told", findings.AGREES)}
    assert scorecard.changes(fewer) == [("balanced-016", "agrees", "agrees, 6 untold")]


def test_each_claim_stands_on_a_page():
    known = {path.relative_to(places.CHAPTERS).with_suffix("").as_posix() for path in notebooks.notebooks()}
    assert {row["page"] for row in claims.table()} <= known


def test_the_record_of_a_page_in_a_notebook():
    """One call shows in a copy what the built page has at its end."""
    shown = claims.record("cluster_chain/energy")
    assert [line[0] for line in shown.rows] == ["ctmc-086"]
    with pytest.raises(ValueError, match="page must be a page with claims, such as .*; got 'nowhere'"):
        claims.record("nowhere")
