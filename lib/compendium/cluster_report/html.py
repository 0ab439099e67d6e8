"""Blocks as one HTML page that needs nothing else: no network, no script, no other file."""

import html
import re
from pathlib import Path

from compendium.cluster_report.blocks import Bullets, Folded, Heading, Paragraph, Picture, Strong, Table

LONG = 24  # letters of an entry that is given room, for not to become a tower
STYLE = Path(__file__).with_name("style.css").read_text(encoding="utf-8")


def page(blocks, title):
    """A whole page.

    Parameters
    ----------
    blocks : iterable
        Of `compendium.cluster_report.blocks`; what stands before the second heading is the answer.
    title : str

    Returns
    -------
    str
    """
    body, answer = [], None
    for block in blocks:
        if isinstance(block, Heading):
            if answer:
                body.append("</div>")
            body.append(written(block))
            answer = answer is None
            if answer:
                body.append('<div class="answer">')
            continue
        if answer and not isinstance(block, Paragraph):
            body.append("</div>")
            answer = False
        body.append(written(block))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # Whatever a log holds, nothing runs and nothing is loaded.
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{_escaped(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(body) + "\n</main>\n</body>\n</html>\n"
    )  # fmt: skip


def written(block):
    """One block.

    Examples
    --------
    >>> written(Paragraph("Use ", Strong("<b> & c"), "."))
    '<p>Use <strong>&lt;b&gt; &amp; c</strong>.</p>'
    """
    if isinstance(block, Heading):
        return f"<h{block.level}>{_escaped(block.text)}</h{block.level}>"
    if isinstance(block, Paragraph):
        return f"<p>{_inline(block)}</p>"
    if isinstance(block, Bullets):
        return "<ul>" + "".join(f"<li>{_inline(item)}</li>" for item in block.items) + "</ul>"
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Picture):
        alt = _escaped(block.alt)
        svg = re.sub(r"<svg ", f'<svg role="img" aria-label="{alt}" ', block.svg, count=1)
        return f"<figure>{svg}<figcaption>{_escaped(block.caption)}</figcaption></figure>"
    if isinstance(block, Folded):
        inside = "".join(map(written, block.blocks))
        return f"<details><summary>{_escaped(block.title)}</summary>{inside}</details>"
    raise TypeError(f"no block: {block!r}")


def _escaped(text):
    return html.escape(text, quote=True)


def _inline(paragraph):
    return "".join(
        f"<strong>{_escaped(part.text)}</strong>" if isinstance(part, Strong) else _escaped(part)
        for part in paragraph.parts
    )


def _table(table):
    def cell(tag, text, column, scope=""):
        long = " long" if tag == "td" and len(text) > LONG else ""
        word = f' class="word{long}"' if column in table.words else ""
        return f"<{tag}{scope}{word}>{_escaped(text)}</{tag}>"

    head = "".join(cell("th", text, k, ' scope="col"') for k, text in enumerate(table.header))
    marked = [' class="marked"' if k in table.marked else "" for k in range(len(table.rows))]
    rows = [
        f"<tr{mark}>" + cell("th", row[0], 0, ' scope="row"')
        + "".join(cell("td", text, column) for column, text in enumerate(row[1:], 1)) + "</tr>"
        for mark, row in zip(marked, table.rows, strict=True)
    ]  # fmt: skip
    caption = _escaped(table.caption)
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{caption}"><table>'
        f"<caption><span>{caption}</span></caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )
