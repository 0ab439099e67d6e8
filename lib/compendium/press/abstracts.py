"""A Sphinx extension: lists of pages say of each page what it finds.

A page may begin with its abstract, a paragraph in italics under its title. A line of a list that is a link to the page
and no more, as ``- {doc}`page` ``, gets the abstract.
"""

import re
from pathlib import Path

from compendium.press import notebooks

ABSTRACT = re.compile(r"# [^\n]*\n\n\*(?!\*)(.+?)\*(?:\n\n|\Z)", re.DOTALL)
LINE = re.compile(r"^(\s*[-*] \{doc\}`([^`<>]+)`(?: \([^()]*\))?)$", re.MULTILINE)


def setup(app):
    """What Sphinx calls."""
    app.connect("source-read", add)
    return {"parallel_read_safe": True}


def abstract(page):
    """The sentence with which a page begins, without its stars; nothing if it begins otherwise.

    Parameters
    ----------
    page : Path
        Of a notebook, or of a page of text.

    Returns
    -------
    str
    """
    text = notebooks.read(page).cells[0].source if page.suffix == ".ipynb" else page.read_text(encoding="utf-8")
    found = ABSTRACT.match(text)
    return " ".join(found[1].split()) if found else ""


def add(app, page, source):
    """Extend the lists of a page of text that Sphinx has just read.

    Parameters
    ----------
    app : sphinx.application.Sphinx
    page : str
        Its path without the suffix, from the top of the book.
    source : list of str
        Its text, which is replaced.
    """
    path = Path(app.srcdir, f"{page}.md")
    if not path.exists():
        return

    def with_abstract(found):
        start = app.srcdir if found[2].startswith("/") else path.parent
        there = Path(start, found[2].lstrip("/"))
        files = (there.with_name(f"{there.name}{suffix}") for suffix in (".ipynb", ".md"))
        told = next((abstract(file) for file in files if file.exists()), "")
        return f"{found[1]}: {told}" if told else found[1]

    source[0] = LINE.sub(with_abstract, source[0])
