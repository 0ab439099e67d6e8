"""A Sphinx extension: the identifier of a claim in the text leads to the claim's row on the scorecard."""

from docutils import nodes

from compendium.press import claims

SCORECARD = "chapters/ledger/scorecard"


def setup(app):
    """What Sphinx calls."""
    app.connect("doctree-resolved", link)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def link(app, tree, page):
    """Link the identifiers on a page that are no links and no headings yet.

    Parameters
    ----------
    app : sphinx.application.Sphinx
    page : str
        Its path without the suffix, from the top of the book.
    tree : docutils.nodes.document
        The page, which is changed.
    """
    if SCORECARD not in app.env.found_docs:
        return
    known = {row["id"] for row in claims.table()}
    for code in list(tree.findall(nodes.literal)):
        if code.astext() in known and not isinstance(code.parent, (nodes.reference, nodes.title)):
            address = f"{app.builder.get_relative_uri(page, SCORECARD)}#{code.astext()}"
            place = nodes.reference("", "", code.deepcopy(), internal=True, refuri=address, classes=["claim-link"])
            code.replace_self(place)
