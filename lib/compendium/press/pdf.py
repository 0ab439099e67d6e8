"""The whole book on paper: its built pages as one page, which headless Chromium prints."""

import html
import os
import re
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pikepdf
import yaml

from compendium import places
from compendium.press import book, ownership
from compendium.progress import say

OLDEST = 131  # the first Chromium that prints page numbers
WINDOW = {"width": 657, "height": 900}  # as wide as A4 without its margins
PATIENCE = 1_800_000  # milliseconds: an upper bound, on a machine however busy


def chromium():
    """Path of the browser, or None."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def make(output=None):
    """Print the book, which is built before if it is not, or if what it is made of has changed.

    Parameters
    ----------
    output : Path, optional
        Folder of the build, ``_build`` in the project unless given.

    Returns
    -------
    Path
        The PDF, ``book.pdf`` in that folder.

    Raises
    ------
    RuntimeError
        If there is no Chromium, or one too old; if the book cannot be built; if a page asks for what is not there, or
        does not fit the paper.
    ValueError
        If the folder is not fit for a build, or holds a book or a PDF that is not of our making.
    """
    output = Path(output or places.ROOT / "_build").resolve()
    target = output / "book.pdf"
    with _browser() as browser:
        ownership.check(output, target.name)
        if not book.is_current(output):
            book.build(output)
        places.check_writable(target)
        say("Printing the pages, twice: the second time with the numbers of the sheets ...")
        # Beside the pages, which the sheet names, under names that are nobody's.
        kept = {"dir": output, "prefix": ".printing-"}
        with (
            tempfile.NamedTemporaryFile("w", suffix=".html", encoding="utf-8", **kept) as sheet,
            tempfile.TemporaryDirectory(**kept) as folder,
        ):
            sheet.write(_one_page(output))
            sheet.flush()
            draft = Path(folder, target.name)
            _print(browser, Path(sheet.name), draft)
            ownership.check(output, target.name)
            _settle(draft, target)
            ownership.record(output, target.name)
    return target


@contextmanager
def _browser():
    """The browser, which is refused at once where it cannot print."""
    from playwright.sync_api import sync_playwright

    path = chromium()
    if path is None:
        raise RuntimeError("The book was not printed: install Chromium (on Debian, apt-get install chromium).")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as playwright:
        with playwright.chromium.launch(executable_path=path, args=flags, timeout=PATIENCE) as browser:
            if int(browser.version.partition(".")[0]) < OLDEST:
                raise RuntimeError(f"The book was not printed: Chromium {OLDEST} is needed, here is {browser.version}.")
            yield browser


def _contents(toc):
    """The pages in their order, as (depth, caption of the part that begins there or "", file)."""

    def below(node, depth):
        for entry in [*node.get("chapters", []), *node.get("sections", [])]:
            yield depth, "", entry["file"]
            yield from below(entry, depth + 1)

    yield 0, "", toc["root"]
    yield from below(toc, 0)
    for part in toc.get("parts", []):
        for place, (depth, _, file) in enumerate(below(part, 0)):
            yield depth, "" if place else part.get("caption", ""), file


def _one_page(output):
    """The page to print: a title, the contents, and for print.js each built page as a template."""
    source, built = output / "source", output / "html"
    config, toc = (yaml.safe_load((source / name).read_text(encoding="utf-8")) for name in ("_config.yml", "_toc.yml"))
    title, author, year = (html.escape(str(config[name])) for name in ("title", "author", "copyright"))
    templates = []
    for depth, part, file in _contents(toc):
        text = (built / f"{file}.html").read_text(encoding="utf-8")
        article = re.search(r'<article class="bd-article">.*</article>', text, re.S)
        if article is None:
            raise RuntimeError(f"The book was not printed: {file}.html is no page of a book.")
        shown = f'data-page="{file}.html" data-depth="{depth}" data-part="{html.escape(part)}"'
        templates.append(f"<template {shown}>{article.group()}</template>")
    return f"""<!DOCTYPE html>
<html lang="en" data-theme="light"><head><meta charset="utf-8"><title>{title}</title>
<link rel="stylesheet" href="html/_static/pygments.css"><link rel="stylesheet" href="html/_static/print.css">
<script defer src="html/_static/mathjax/tex-svg.js"></script></head><body>
<div class="title"><h1>{title}</h1><p>{author}</p><p>{year}</p></div>
<nav id="contents"><h1>Contents</h1></nav>
{"".join(templates)}
<script src="html/_static/print.js"></script></body></html>"""


def _print(browser, sheet, target):
    """Print the page twice: the first print tells the numbers of the sheets, which the contents of the second show."""
    faults = []
    page = browser.new_context(offline=True, viewport=WINDOW).new_page()
    page.set_default_timeout(PATIENCE)
    page.on("request", lambda request: request.url.startswith(("file:", "data:")) or faults.append(request.url))
    page.on("requestfailed", lambda request: faults.append(request.url))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.emulate_media(media="print", color_scheme="light")
    page.goto(sheet.as_uri())
    page.evaluate(
        """async () => { await MathJax.startup.promise; await document.fonts.ready;
                         await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
                         fit(); }"""
    )
    if cut := page.evaluate("cut()"):
        raise RuntimeError("Wider than the paper: " + "; ".join(cut[:10]))
    if faults:
        raise RuntimeError("A page asks for what is not there: " + "; ".join(faults[:10]))
    page.pdf(path=target, prefer_css_page_size=True)
    numbers = _sheets(target)
    page.evaluate("sheets => number(sheets)", numbers)
    page.pdf(path=target, prefer_css_page_size=True, print_background=True, outline=True, tagged=True)
    if _sheets(target) != numbers:
        raise RuntimeError("Pages moved when their numbers were filled in.")
    if faults:
        raise RuntimeError("A page asks for what is not there: " + "; ".join(faults[:10]))


def _sheets(path):
    """The number of the sheet that each named place of a PDF is on."""
    with pikepdf.open(path) as pdf:
        return {name.removeprefix("/"): pikepdf.Page(place[0]).index + 1 for name, place in pdf.Root.Dests.items()}


def _settle(draft, target):
    """Put a PDF into its place: packed, and without what differs from run to run (when it was printed)."""
    with pikepdf.open(draft, allow_overwriting_input=True) as pdf:
        for name in set(pdf.docinfo.keys()) - {"/Title"}:
            del pdf.docinfo[name]
        pdf.save(draft, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
    os.replace(draft, target)
