"""The scorecard: every executable claim checked again, and compared with the verdicts in ``data/claims.csv``."""

import json
from collections import Counter

from compendium import places
from compendium.press import claims


def pages():
    """The notebook that shows each claim: path from ``chapters/`` by the claim's identifier."""
    found = {}
    for path in sorted(places.CHAPTERS.rglob("*.ipynb")):
        source = "".join("".join(cell["source"]) for cell in json.loads(path.read_text(encoding="utf-8"))["cells"])
        for identifier in claims.checks():
            if f'"{identifier}"' in source:
                found.setdefault(identifier, path.relative_to(places.CHAPTERS).as_posix())
    return found


def findings():
    """Every executable claim, checked now: `Finding` by identifier."""
    return {identifier: check() for identifier, check in claims.checks().items()}


def changes(found):
    """The claims whose verdict is not the committed one: (identifier, committed, found now)."""
    committed = {row["id"]: row["verdict"] for row in claims.table()}
    return [
        (identifier, committed[identifier], finding.verdict)
        for identifier, finding in found.items()
        if committed[identifier] != finding.verdict
    ]


def accept(found):
    """Commit the verdicts found to ``data/claims.csv``."""
    rows = claims.table()
    for row in rows:
        if row["id"] in found:
            row["verdict"] = found[row["id"]].verdict
    claims.write(rows)


def totals():
    """Claims by source and committed verdict, as a table."""
    counts = Counter((row["source"], row["verdict"]) for row in claims.table())
    verdicts = (*claims.VERDICTS, claims.OPEN)
    rows = []
    for source, title in claims.sources().items():
        numbers = [counts[source, verdict] for verdict in verdicts]
        rows.append((f"{title} ({source})", *numbers, sum(numbers)))
    return claims.Table(("source", *verdicts, "all"), rows)


def scorecard(found):
    """Every executable claim with its finding, linked to the page that shows it, as a table."""
    rows = {row["id"]: row for row in claims.table()}
    where = {name: f"../{page}".replace(".ipynb", ".html") for name, page in pages().items()}  # as seen from the ledger
    return claims.Table(
        ("claim", "the source states", "computed here", "verdict"),
        [
            ((name, where[name]), rows[name]["statement"], finding.computed, finding.verdict)
            for name, finding in found.items()
        ],
    )
