"""The errata: none is missing, and the table that opens the page says of each which claims it is about."""

import re

from compendium import places
from compendium.press import claims, findings

PAGE = (places.CHAPTERS / "ledger" / "errata.md").read_text(encoding="utf-8")
OVERVIEW, _, PROOFS = PAGE.partition("\nAt the end stands")
VERDICTS = {row["id"]: row["verdict"] for row in claims.table()}


def proofs():
    """The sections with proofs, by the names that lead to them."""
    _, *parts = re.split(r"^\((erratum-[\w-]+)\)=$", PROOFS.partition("\n(no-errata)=")[0], flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2]))


def claims_in(text):
    """The claims that do not simply agree, in the order in which a text names them."""
    named = dict.fromkeys(re.findall(r"`([a-z]+(?:-[\dAC]+)?-\d{3})`", text))
    return [name for name in named if VERDICTS.get(name) in (findings.CORRECTED, findings.PART, findings.DIFFERS)]


def test_every_claim_of_a_corrected_formula_has_a_proof():
    told = {name for text in proofs().values() for name in claims_in(text)}
    assert {name for name, verdict in VERDICTS.items() if verdict == findings.CORRECTED} <= told


def test_the_overview_leads_to_every_proof_and_names_its_claims():
    rows = [line.strip("| ").split(" | ") for line in OVERVIEW.splitlines() if "](#erratum-" in line]
    assert all(len(row) == 6 for row in rows)
    cells = {re.search(r"\(#(erratum-[\w-]+)\)", row[1])[1]: row[-1] for row in rows}
    expected = {}
    for name, text in proofs().items():
        first, *more = [f"`{claim}`" for claim in claims_in(text)]
        expected[name] = f"{first} and {len(more)} more" if len(more) > 1 else ", ".join([first, *more])
    assert cells == expected
