"""Every paragraph of the sources that stand is accounted for, and every claim has its paragraph."""

import csv
import re

from compendium import places
from compendium.press import claims

PLACED = re.compile(r"\b(Secs?|Sections?|[Aa]ppendix|abstract)\b")


def rows(name):
    with open(places.DATA / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


COVERAGE, CLAIMS = rows("coverage.csv"), {row["id"]: row for row in claims.of_sources()}


def test_every_paragraph_makes_claims_or_says_why_not():
    assert {row["source"] for row in COVERAGE} == set(claims.sources())
    for row in COVERAGE:
        assert row["begins"] and (row["claims"] or row["reason"]), row


def test_no_paragraph_is_accounted_for_twice():
    places_of = [(row["source"], row["section"], row["paragraph"]) for row in COVERAGE]
    assert len(set(places_of)) == len(places_of)


def test_the_claims_of_paragraphs_exist_and_every_claim_has_a_paragraph():
    named = {name for row in COVERAGE for name in row["claims"].split()}
    assert named <= set(CLAIMS)
    assert set(CLAIMS) <= named


def test_a_claim_has_a_rule_before_it_has_a_verdict():
    for name, row in CLAIMS.items():
        assert row["statement"] and row["expected"] and row["rule"], name
        assert PLACED.search(row["location"]), f"{name}: its check's room is found by the section"
