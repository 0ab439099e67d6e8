"""Blocks as Markdown, as GitHub and CommonMark read it."""

import re

from compendium.cluster_report.blocks import Bullets, Folded, Heading, Paragraph, Picture, Strong, Table

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~!$&])")
LISTED = re.compile(r"^(\s*)([-+]|\d+[.)])(?=\s)")


def document(blocks):
    """A whole report; pictures stand beside it, in the folder `pictures`.

    Returns
    -------
    str
    """
    return "\n\n".join(map(written, blocks)) + "\n"


def written(block):
    """One block.

    Examples
    --------
    >>> print(written(Table("Of *two*", ("a|b", "n"), (("<x>", "1"),))))
    Of \\*two\\*
    <BLANKLINE>
    | a\\|b | n |
    | :-- | --: |
    | \\<x\\> | 1 |
    """
    if isinstance(block, Heading):
        return f"{'#' * block.level} {_escaped(block.text)}"
    if isinstance(block, Paragraph):
        return _inline(block)
    if isinstance(block, Bullets):
        return "\n".join(f"- {_inline(item)}" for item in block.items)
    if isinstance(block, Table):
        rules = [":--" if k in block.words else "--:" for k in range(len(block.header))]
        lines = [map(_escaped, block.header), rules, *(map(_escaped, row) for row in block.rows)]
        return "\n".join([_escaped(block.caption), "", *(f"| {' | '.join(line)} |" for line in lines)])
    if isinstance(block, Picture):
        return f"![{_escaped(block.alt)}](pictures/{block.name}.svg)\n\n{_escaped(block.caption)}"
    if isinstance(block, Folded):
        return "\n\n".join([written(Heading(4, block.title)), *map(written, block.blocks)])
    raise TypeError(f"no block: {block!r}")


def _escaped(text):
    """On one line, with nothing in it that Markdown or HTML would read."""
    return LISTED.sub(r"\1\\\2", SPECIAL.sub(r"\\\1", " ".join(text.split())))


def _inline(paragraph):
    made = ""
    for part in paragraph.parts:
        text = part.text if isinstance(part, Strong) else part
        # Escaped with the spaces around it, which are of the sentence.
        lead, trail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
        inner = _escaped(text)
        made += f"{' ' if lead else ''}{f'**{inner}**' if isinstance(part, Strong) and inner else inner}"
        made += " " if trail and inner else ""
    return made.strip()
