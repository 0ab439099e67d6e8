"""A Sphinx extension: the record at the end of a page, and the chips in its text that lead there.

The record is one folded section: what the sources state on the page's subject, and whether it is so. Each claim stands
there once, by the page that ``data/claims.csv`` names for it. A chip stands where the text names a claim; it shows the
verdict, and leads to the claim's row. All this is in the built book alone.
"""

import functools
import html
import os
from collections import Counter
from pathlib import Path

from docutils import nodes

from compendium import places
from compendium.press import claims, gallery
from compendium.press.claim_signs import signs
from compendium.press.findings import AGREES, BEYOND, CORRECTED, DIFFERS, PART, UNCONFIRMED, UNDECIDABLE

MARKS = {
    AGREES: "✓", PART: "◐", CORRECTED: "✎", DIFFERS: "✗", UNDECIDABLE: "?", BEYOND: "+", UNCONFIRMED: "✗",
}  # fmt: skip
COUNTED = {  # in the summary: one, and several
    AGREES: ("agrees", "agree"), PART: ("agrees in part", "agree in part"), BEYOND: ("is ours", "are ours"),
    CORRECTED: ("agrees with the corrected formula", "agree with the corrected formula"),
    DIFFERS: ("differs", "differ"), UNDECIDABLE: ("cannot be decided", "cannot be decided"),
    UNCONFIRMED: ("is not confirmed", "are not confirmed"),
}  # fmt: skip
TITLE = "What the sources state here, and whether it is so"
LEDGER = "chapters/ledger/"  # whose text speaks of claims by their names, ...
FIGURES = "chapters/ledger/figures"  # ... but for this page


def setup(app):
    """What Sphinx calls."""
    app.connect("doctree-resolved", put_chips)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


@functools.cache
def rows():
    """The rows of ``data/claims.csv`` by the claim's identifier."""
    return {row["id"]: row for row in claims.table()}


def of_page(page):
    """The record of a page as HTML, or nothing if there are no claims on it.

    Parameters
    ----------
    page : str
        Its path from ``chapters/`` without the suffix.

    Returns
    -------
    str
    """
    own = [row for row in rows().values() if row["page"] == page]
    if not own:
        return ""
    found = [_checks()[row["id"]]() for row in own]
    counts = Counter(one.verdict for one in found)
    told = ", ".join(f"{counts[each]} {words[counts[each] > 1]}" for each, words in COUNTED.items() if counts[each])
    items = "\n".join(map(_item, own, found))
    return f'<details class="record" id="record"><summary>{TITLE}: {told}</summary>\n<ul>\n{items}\n</ul>\n</details>'


@functools.cache
def _checks():
    return claims.checks()


def _item(row, found):
    part = ""
    if found.part:
        some, every = map(int, found.part.split("/"))
        part = f' <span class="domain" style="--part: {some / every:.2%}" aria-hidden="true"></span> {found.part}'
    mark = f'<span class="verdict-{found.verdict.replace(" ", "-")}">{MARKS[found.verdict]} {found.verdict}</span>'
    rule = f"<p>{signs(row['rule'])}. <code>{row['id']}</code></p>"
    behind = "".join(f"<p>{signs(line)}.</p>" for line in found.behind)
    fold = "By which rule, and the numbers" if behind else "By which rule"
    where = "" if row["verdict"] == BEYOND else f' <span class="where">{_where(row)}</span>'
    return "\n".join(
        [
            f'<li id="{row["id"]}">',
            f"<p>{mark}{part} {signs(row['statement'])}.{where}</p>",
            f"<p>Here: {signs(found.came_out)}.</p>",
            f"<details><summary>{fold}</summary>{rule}{behind}</details>",
            "</li>",
        ]
    )


def _where(row):
    """The place in the source, which leads to the figure that it names."""
    place = html.escape(row["location"])
    named = [name for name in gallery.figures_named(row["source"], row["location"]) if name in gallery.captions()]
    if not named:
        return place
    path, _, label = gallery.captions()[min(named)]
    there = os.path.relpath(path.with_suffix(".html"), places.CHAPTERS / Path(row["page"]).parent)
    return f'<a href="{there}#{label}">{place}</a>'


def put_chips(app, tree, page):
    """Put a chip in the place of each name of a claim in the text of a page; on the ledger's pages a link.

    Parameters
    ----------
    app : sphinx.application.Sphinx
    page : str
        Its path without the suffix, from the top of the book.
    tree : docutils.nodes.document
        The page, which is changed.
    """
    for code in list(tree.findall(nodes.literal)):
        row = rows().get(code.astext())
        home = f"chapters/{row['page']}" if row else ""
        if home not in app.env.found_docs or isinstance(code.parent, (nodes.reference, nodes.title)):
            continue
        address = f"{'' if home == page else app.builder.get_relative_uri(page, home)}#{row['id']}"
        named = page.startswith(LEDGER) and page != FIGURES
        shown, kind = (code.deepcopy(), "claim-link") if named else (_chip(row), "chip")
        code.replace_self(nodes.reference("", "", shown, internal=True, refuri=address, classes=[kind]))


def _chip(row):
    mark = html.escape(MARKS[row["verdict"]])
    kind = row["verdict"].replace(" ", "-")
    name = f'<span class="chip-name"> {row["id"]}: {row["verdict"]}</span>'
    return nodes.raw("", f'<span class="verdict-{kind}" title="{row["id"]}: {row["verdict"]}">'
                         f'<span aria-hidden="true">{mark}</span>{name}</span>', format="html")  # fmt: skip
