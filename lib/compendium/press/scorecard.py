"""The scorecard: every executable claim checked again, and compared with the verdicts in ``data/claims.csv``."""

import csv
import hashlib
import re
from collections import Counter

from compendium import places
from compendium.press import claims, proofs
from compendium.press.findings import BEYOND, OPEN, PART, VERDICTS

JUDGED = ("verdict", "part", "untold")  # what is committed of a finding
ASKED = "across"  # the source of the claims that are of no source


def findings():
    """Every executable claim, checked now: `Finding` by identifier."""
    return {identifier: check() for identifier, check in claims.checks().items()}


def rests():
    """On what the findings of this build rest: a table of how many were computed, and how many were kept."""
    checks = claims.checks()
    taken = sum(proofs.taken(check) is not None for check in checks.values())
    kept = hashlib.sha256(proofs.KEPT.file.read_bytes()).hexdigest()[:12] if taken else "none"
    rows = [("computed while this page was", len(checks) - taken), (f"kept in data/proofs/claims.csv, {kept}", taken)]
    return claims.Table(("findings", "how many"), rows)


def changes(found):
    """The claims of which something else is found than is committed: (identifier, committed, found now), in words."""
    told, now = committed(), {name: in_words(*judged(finding)) for name, finding in found.items()}
    return [(name, told[name], verdict) for name, verdict in now.items() if told[name] != verdict]


def committed():
    """The committed verdicts in words, by claim."""
    return {row["id"]: in_words(*(row[name] for name in JUDGED)) for row in claims.table()}


def judged(finding):
    """What is committed of a finding, as text: its verdict, its part, how many points of all clauses cannot be told.

    With another part, or another number of points that cannot be told, it is another verdict.
    """
    untold = sum(map(int, re.findall(r"(\d+) cannot be told", finding.came_out)))
    return finding.verdict, finding.part, str(untold or "")


def in_words(verdict, part, untold):
    """The same in words.

    Examples
    --------
    >>> in_words("agrees", "", ""), in_words("agrees in part", "3/4", "2")
    ('agrees', 'agrees in part, 3/4, 2 untold')
    """
    return ", ".join(filter(None, (verdict, part, untold and f"{untold} untold")))


def accept(found):
    """Commit the verdicts found, their parts, and how much cannot be told, to ``data/claims.csv``."""
    rows = claims.table()
    for row in rows:
        if row["id"] in found:
            row |= zip(JUDGED, judged(found[row["id"]]), strict=True)
    claims.write(rows)


def totals():
    """Claims by source and committed verdict, as a table; what this book asks of other workloads last."""
    counts = Counter((row["source"], row["verdict"]) for row in claims.table())
    verdicts = (*VERDICTS, OPEN)
    rows = []
    for source, title in {**claims.sources(), ASKED: "Their conclusions, asked of other workloads"}.items():
        numbers = [counts[source, verdict] for verdict in verdicts]
        rows.append((f"{title} ({source})", *numbers, sum(numbers)))
    return claims.Table(("source", *verdicts, "all"), rows)


def place(row):
    """Where the record of a claim stands, as seen from the ledger's pages."""
    return f"../{row['page']}.html"


def scorecard(found):
    """Every executable claim with its finding, linked to the page that shows it, as a table."""
    rows = {row["id"]: row for row in claims.table()}
    lines = [((name, place(rows[name])), *claims.line(rows[name], finding)) for name, finding in found.items()]
    return claims.Table(claims.COLUMNS, lines, "claims scorecard")


def reasons():
    """Why claims differ or cannot be decided: rows of ``data/reasons.csv`` by the claim's identifier."""
    with open(places.DATA / "reasons.csv", newline="", encoding="utf-8") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def explained(verdict):
    """The sources' claims with a verdict, each with what was computed and the reason, by kind of reason.

    Parameters
    ----------
    verdict : str

    Returns
    -------
    dict of str to compendium.press.claims.Table
    """
    told, rows = reasons(), {row["id"]: row for row in claims.of_sources() if row["verdict"] == verdict}
    known, found = claims.checks(*rows), {}
    for name, row in rows.items():
        line = ((name, place(row)), row["statement"], known[name]().came_out, told[name]["reason"])
        found.setdefault(told[name]["kind"], []).append(line)
    head = ("claim", "the source states", "computed here", "why")
    return {kind: claims.Table(head, lines) for kind, lines in found.items()}


def partly():
    """How many claims of each chapter hold in part, of how many that were judged: a table."""
    judged, part = Counter(), Counter()
    for row in claims.of_sources():
        chapter = (row["source"], row["id"].split("-")[1] if row["source"] == "thesis" else "")
        judged[chapter] += row["verdict"] != BEYOND
        part[chapter] += row["verdict"] == PART
    names = {"A": "Appendix A"}
    rows = [
        (source, names.get(chapter, f"Chapter {chapter}") if chapter else "", part[source, chapter], number)
        for (source, chapter), number in judged.items()
    ]
    return claims.Table(("source", "part", "agree in part", "judged"), rows)
