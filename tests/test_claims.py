"""Every executable claim has its committed verdict, and its check can fail."""

import pytest

from compendium.__main__ import main
from compendium.press import claims, scorecard

CHECKS = claims.checks()


@pytest.mark.parametrize("identifier", CHECKS)
def test_the_verdict_is_the_committed_one(identifier):
    (row,) = [row for row in claims.table() if row["id"] == identifier]
    assert CHECKS[identifier]().verdict == row["verdict"]
    assert row["statement"] and row["expected"] and row["tolerance"]


@pytest.mark.parametrize("identifier", CHECKS)
def test_the_verdict_turns_in_a_wrong_setting(identifier):
    check = CHECKS[identifier]
    assert check.control, "a check without a negative control"
    (row,) = [row for row in claims.table() if row["id"] == identifier]
    assert check(**check.control).verdict != row["verdict"]


def test_identifiers_are_unique_and_verdicts_known():
    rows = claims.table()
    assert len({row["id"] for row in rows}) == len(rows)
    for row in rows:
        assert row["verdict"] in (*claims.VERDICTS, claims.OPEN)
        assert (row["verdict"] == claims.OPEN) == (row["id"] not in CHECKS), row["id"]


def test_a_changed_verdict_fails(monkeypatch, capsys):
    changed = {"balanced-016": claims.Finding("2", claims.DIFFERS)}
    monkeypatch.setattr(scorecard, "findings", lambda: changed)
    assert main(["scorecard"]) == 1
    assert "balanced-016: the verdict was 'agrees' and is now 'differs'." in capsys.readouterr().err


def test_an_unknown_claim_is_a_sentence():
    with pytest.raises(ValueError, match="identifier must be a claim with a check .*; got 'balanced-999'"):
        claims.show("balanced-999")
