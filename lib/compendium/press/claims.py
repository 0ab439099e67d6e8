"""The sources' statements as executable checks, each with one verdict.

The statement, what the source says about it, the rule and the verdict last committed stand in ``data/claims.csv``. A
rule is committed before its verdict is known. If it was changed later, the row's note says so, and why.
"""

import csv
import html
import importlib
import json
import os
import pkgutil
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import pandas as pd

from clustershare.arguments import fail
from compendium import places
from compendium.press import library, proofs
from compendium.press.findings import CHECKS, VERDICTS, Finding
from compendium.press.kept import CLAIM

COLUMNS = ("claim", "where", "the source states", "rule", "computed here", "verdict")


@dataclass(frozen=True)
class Check:
    """An executable claim: its function, and the setting under which its verdict must turn.

    The function is what is proven, and asked with faults put in. Whoever calls the claim is told besides whether what
    the library answers on its part is right: see `compendium.press.library`.
    """

    identifier: str
    function: object
    control: dict

    def __call__(self, **setting):
        """The `Finding` in the setting of the statement, or in another one.

        In the statement's own, one that is kept and current is taken (see `compendium.press.proofs`), unless
        $COMPENDIUM_FRESH is set. With $COMPENDIUM_FINDINGS set to a folder, as while the book is built or tested, the
        finding is kept there: each claim is checked, or its proof looked at, once, however many pages and tests ask.
        """
        sys.audit(CLAIM, self.identifier)
        if setting:
            return library.confirmed(self, self.function(**setting))
        folder = os.environ.get("COMPENDIUM_FINDINGS")
        kept = Path(folder, f"{self.identifier}.json") if folder else None
        if kept is None or not kept.exists():
            proof = proofs.taken(self)
            found = proof.finding if proof else self.function()
            if kept is None:
                return library.confirmed(self, found)
            kept.parent.mkdir(parents=True, exist_ok=True)
            written = kept.with_suffix(f".{os.getpid()}")
            written.write_text(json.dumps(asdict(found)), encoding="utf-8")
            written.replace(kept)  # whole, or not there
        return library.confirmed(self, Finding(**json.loads(kept.read_text(encoding="utf-8"))))


def checks(*identifiers):
    """The executable claims by identifier, in the order of ``data/claims.csv``.

    The checks are found by the name of their package, so that the machinery imports no page.

    Parameters
    ----------
    *identifiers : str
        Those wanted, all if none is given. Only modules that name one of them are imported: a page waits for no others.

    Returns
    -------
    dict of str to Check
    """
    pages = importlib.import_module("pages")
    for module in pkgutil.walk_packages(pages.__path__, "pages."):
        if "checks" in module.name.split(".") and not module.ispkg:
            path = Path(module.module_finder.path, f"{module.name.rpartition('.')[2]}.py")
            text = path.read_text(encoding="utf-8") if identifiers else ""
            if not identifiers or any(f'"{name}"' in text for name in identifiers):
                importlib.import_module(module.name)
    wanted = set(identifiers or CHECKS).intersection(CHECKS)
    return {row["id"]: Check(row["id"], *CHECKS[row["id"]]) for row in table() if row["id"] in wanted}


def table():
    """The rows of ``data/claims.csv`` as dictionaries."""
    return _rows("claims.csv")


def of_sources():
    """The rows of ``data/claims.csv`` on what a source says.

    Others are of this book: a source's sentence, asked where the source does not speak. They count for no source.
    """
    return [row for row in table() if row["source"] in sources()]


def sources():
    """The titles of the sources by their short names, from ``data/sources.csv``."""
    return {row["source"]: row["title"] for row in _rows("sources.csv")}


def cited():
    """How a caption cites each source, by its short name, from ``data/sources.csv``."""
    return {row["source"]: row["cited"] for row in _rows("sources.csv")}


def _rows(name):
    with open(places.DATA / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write(rows):
    """Write the rows back to ``data/claims.csv``."""
    with open(places.DATA / "claims.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


class Table:
    """Rows shown as text in a terminal and as a table in a notebook. A cell may be a (text, link) pair, or a list of
    pieces of code.

    What ``assets/book.js`` does with a table depends on its `kind`: "claims", "claims scorecard", or "claims scorecard
    faults".
    """

    def __init__(self, head, rows, kind="claims"):
        self.head, self.rows, self.kind = head, rows, kind

    def __repr__(self):
        return "\n".join(" | ".join(map(self._text, row)) for row in self.rows)

    def _repr_html_(self):
        page = pd.DataFrame(self.rows, columns=self.head).to_html(
            classes=self.kind, index=False, border=0, escape=False, formatters=[self._cell] * len(self.head)
        )  # what is text is escaped cell by cell, for links and verdicts are not
        return page.replace('class="dataframe ', 'class="', 1)  # no stripes: these cells hold sentences

    @staticmethod
    def _text(cell):
        return cell[0] if isinstance(cell, tuple) else "; ".join(cell) if isinstance(cell, list) else str(cell)

    @staticmethod
    def _cell(cell):
        if isinstance(cell, list):
            return "; ".join(f"<code>{html.escape(piece)}</code>" for piece in cell)
        if isinstance(cell, tuple):
            return f'<a href="{html.escape(cell[1])}">{html.escape(cell[0])}</a>'
        text = html.escape(str(cell))
        return f'<span class="verdict-{text.replace(" ", "-")}">{text}</span>' if cell in VERDICTS else text


def record(page):
    """What the sources state on the subject of a page, and whether it is so, as the built page has it at its end.

    Parameters
    ----------
    page : str
        Its path from ``chapters/`` without the suffix, such as "share_scheduling/central/balance".

    Returns
    -------
    Table
    """
    own = {row["id"]: row for row in table() if row["page"] == page}
    if not own:
        fail("page", page, "a page with claims, such as share_scheduling/central/balance")
    known = checks(*own)
    return Table(COLUMNS, [(name, *line(row, known[name]())) for name, row in own.items()])


def line(row, found):
    """A row of ``data/claims.csv`` and what was found, in the order of `COLUMNS` but for the identifier."""
    return row["location"], row["statement"], row["rule"], found.came_out, found.verdict
