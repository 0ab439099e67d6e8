"""A Sphinx extension: where a page first uses a term of the glossary, it leads there.

The links are made when a page is written, so that sources and notebooks stay as they are committed.
"""

import itertools
import re

from docutils import nodes
from sphinx import addnodes

# Terms of some pages which on the others say no more than they do every day.
EVERYDAY = {
    "class", "coverage", "distance", "fidelity", "group", "interruption", "jump", "lag", "level", "residual", "verdict",
}  # fmt: skip
# What is no running text, or is a link already.
LEFT_OUT = (
    nodes.FixedTextElement, nodes.Invisible, nodes.caption, nodes.legend, nodes.literal, nodes.math, nodes.raw,
    nodes.reference, nodes.rubric, nodes.thead, nodes.title, addnodes.desc_signature, addnodes.pending_xref,
    addnodes.toctree,
)  # fmt: skip


def setup(app):
    """What Sphinx calls."""
    app.connect("doctree-resolved", link)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def link(app, tree, page):
    """Link the first use of each term in the running text of a page, unless it is the glossary itself.

    Parameters
    ----------
    app : sphinx.application.Sphinx
    page : str
        Its path without the suffix, from the top of the book.
    tree : docutils.nodes.document
        The page, which is changed.
    """
    terms = {name: place for name, place in _terms(app.env).items() if place[0] != page}
    if not terms:
        return
    wanted, names, pattern = set(terms), _longest_first(terms), _pattern(terms)
    for text in _running_text(tree):
        pieces, done = [], 0
        for found in pattern.finditer(text):
            name = names[found.lastindex - 1]  # each term is a group
            if name in wanted:
                wanted.remove(name)
                document, place, meaning = terms[name]
                address = f"{app.builder.get_relative_uri(page, document)}#{place}"
                pieces += [nodes.Text(text[done : found.start()]), _reference(found[0], address, meaning)]
                done = found.end()
        if pieces:
            text.parent.replace(text, [*pieces, nodes.Text(text[done:])])


def _terms(env):
    """Of each term that is linked the page of the glossary, the anchor, and the first sentence of what it means."""
    if not hasattr(env, "glossary_links"):
        env.glossary_links = {}
        for page in sorted({page for _, _, kind, page, *_ in env.get_domain("std").get_objects() if kind == "term"}):
            for entry in env.get_doctree(page).findall(nodes.definition_list_item):
                for term in entry.findall(nodes.term):
                    name = term.astext()
                    if name not in EVERYDAY:
                        meaning = " ".join(entry.children[-1].astext().split())
                        first = re.match(r".*?[.:](?= [A-Z(]|$)|.*", meaning)[0]
                        env.glossary_links[name] = (page, term["ids"][0], first)
    return env.glossary_links


def _longest_first(terms):
    return sorted(terms, key=lambda name: (-len(name), name))


def _pattern(terms):
    """Whole words, the longest term first, a group for each; a term that is no name also with a capital and an s."""
    words = []
    for name in _longest_first(terms):
        word = r"\s+".join(map(re.escape, name.split()))
        words.append(word if name[:1].isupper() else f"[{name[0]}{name[0].upper()}]{word[1:]}(?:e?s)?")
    return re.compile(rf"(?<![\w-])(?:{'|'.join(f'({word})' for word in words)})(?![\w]|-\w)")


def _running_text(node):
    """The texts between other nodes, in the order of the page: a line break inside of a sentence divides none."""
    if isinstance(node, LEFT_OUT) or {"cell_input", "cell_output"}.intersection(node["classes"]):
        return
    if isinstance(node, nodes.TextElement):
        children = []
        for is_text, group in itertools.groupby(node.children, lambda child: isinstance(child, nodes.Text)):
            some = list(group)
            children += [nodes.Text("".join(some))] if is_text else some
        node.children = []
        node.extend(children)
    for child in node.children[:]:  # what is found becomes a link while others are looked for
        if isinstance(child, nodes.Text):
            yield child
        else:
            yield from _running_text(child)


def _reference(text, address, meaning):
    return nodes.reference(
        "", "", nodes.Text(text), internal=True, refuri=address, reftitle=meaning, classes=["glossary-link"]
    )
