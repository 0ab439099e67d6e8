"""The built book, opened from disk in headless Chromium with the network off."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from compendium import places

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}


def tree():
    """What git sees changed, and what the results and figures folders hold."""
    shown = subprocess.run(["git", "status", "--porcelain"], cwd=places.ROOT, capture_output=True, text=True).stdout
    return shown, sorted(path.name for name in ("data/results", "figures") for path in (places.ROOT / name).iterdir())


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """The folder of the HTML book, built as `make book` builds it."""
    output, before = tmp_path_factory.mktemp("book"), tree()
    command = [sys.executable, "-m", "compendium", "book", "--output", str(output)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == f"The book is at {output / 'html' / 'index.html'}"
    assert tree() == before, "building the book changed the working tree"
    assert not list(output.glob("results/*.csv")), "the store lacks points that the book needs"
    return output / "html"


def pages(book):
    return sorted(book.glob("chapters/**/*.html"))  # the rest is the theme's, and a page that leads to the first


@pytest.fixture(scope="module")
def browser(chromium_path):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
        with playwright.chromium.launch(executable_path=chromium_path, args=flags) as started:
            yield started


class Visit:
    """Pages opened one after another, with all that went wrong while they loaded."""

    def __init__(self, browser, viewport, scheme):
        self.context = browser.new_context(viewport=viewport, color_scheme=scheme, offline=True)
        self.page = self.context.new_page()
        self.faults = []
        self.page.on("request", lambda request: self._seen(request.url))
        self.page.on("requestfailed", self._failed)
        self.page.on("pageerror", lambda error: self.faults.append(f"script error: {error}"))
        self.page.on("console", lambda line: line.type == "error" and self.faults.append(f"console: {line.text}"))

    def _seen(self, url):
        if urlsplit(url).scheme not in ("file", "data", "blob"):
            self.faults.append(f"remote: {url}")

    def _failed(self, request):
        if request.failure != "net::ERR_ABORTED":  # broken off because the next page was opened
            self.faults.append(f"failed: {request.url} {request.failure}")

    def open(self, path, query=""):
        self.page.goto(path.as_uri() + query)
        self.page.evaluate("async () => { if (window.MathJax) await window.MathJax.startup.promise; }")
        return self.page


@pytest.fixture(
    scope="module", params=[("light", DESK), ("dark", DESK), ("light", PHONE)], ids=["light", "dark", "phone"]
)
def visit(request, browser):
    scheme, viewport = request.param
    visiting = Visit(browser, viewport, scheme)
    yield visiting
    visiting.context.close()


@pytest.mark.browser
def test_every_page_loads_whole_and_asks_nobody(book, visit):
    assert len(pages(book)) > 10
    for path in pages(book):
        visit.open(path)
    assert visit.faults == []


@pytest.mark.browser
def test_no_raw_tex_is_left(book, visit):
    for path in pages(book):
        page = visit.open(path)
        wanted, shown = page.locator(".math").count(), page.locator(".math mjx-container").count()
        assert shown >= wanted, path.name
        assert page.locator("mjx-merror, [data-mjx-error]").count() == 0, path.name
        text = page.evaluate(
            """() => { const copy = document.querySelector("article").cloneNode(true);
                       copy.querySelectorAll("pre, code, mjx-container").forEach(e => e.remove()); return copy.textContent; }"""
        )
        raw = re.findall(r"\$\$|\\\(|\\\[|\\(?:frac|lambda|rho|mu|Delta|sum)\b|(?<!\d)\$[^\s$]+\$", text)
        assert raw == [], path.name


@pytest.mark.browser
def test_every_figure_is_visible_and_described(book, visit):
    figures = 0
    for path in pages(book):
        page = visit.open(path)
        for image in page.locator("article img").all():
            image.scroll_into_view_if_needed()
            assert image.is_visible(), path.name
            alt = image.get_attribute("alt") or ""
            assert len(alt.split()) >= 5 and "/" not in alt, f"{path.name}: alt text {alt!r}"
            page.wait_for_function("image => image.complete && image.naturalWidth > 100", arg=image.element_handle())
            assert image.bounding_box()["width"] <= page.viewport_size["width"], path.name
            figures += 1
        for figure in page.locator("article figure").all():
            assert len(figure.locator("figcaption").inner_text().split()) > 5, path.name
    assert figures >= 4


@pytest.mark.browser
def test_search_finds_a_word(book, visit):
    page = visit.open(book / "search.html", "?q=interruptions")
    page.wait_for_selector("#search-results li a")
    found = [link.get_attribute("href") for link in page.locator("#search-results li a").all()]
    assert any("three_servers" in link for link in found)
    visit.open(book / "search.html", "?q=zyzzyva").wait_for_selector("#search-results p")
    assert page.locator("#search-results li a").count() == 0
    assert visit.faults == []


@pytest.mark.browser
def test_every_page_is_legible(book, visit):
    """axe-core finds no text of too little contrast, no image without text and no control without a name."""
    from axe_playwright_python.sync_playwright import Axe

    for path in pages(book):
        page = visit.open(path)
        rules = ["color-contrast", "image-alt", "link-name", "button-name", "document-title", "html-has-lang"]
        found = Axe().run(page, context="article", options={"runOnly": {"type": "rule", "values": rules}}).response
        assert [(one["id"], node["html"]) for one in found["violations"] for node in one["nodes"]] == [], path.name


@pytest.mark.browser
def test_no_page_is_wider_than_its_window(book, visit):
    for path in pages(book):
        page = visit.open(path)
        assert page.evaluate("document.scrollingElement.scrollWidth - window.innerWidth") <= 1, path.name


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links = []

    def handle_starttag(self, tag, attributes):
        self.links += [value for name, value in attributes if name in ("href", "src") and value]


def test_every_local_link_leads_somewhere(book):
    for path in pages(book):
        parser = Links()
        parser.feed(path.read_text(encoding="utf-8"))
        for link in parser.links:
            address = urlsplit(link)
            if not address.scheme and address.path:
                assert (path.parent / unquote(address.path)).exists(), f"{path.name}: {link}"


def test_no_machine_is_named(book):
    for path in pages(book):
        assert str(Path.home()) not in path.read_text(encoding="utf-8"), path.name
        assert os.fspath(places.ROOT) not in path.read_text(encoding="utf-8"), path.name


def test_the_figures_are_the_committed_ones(book):
    """What the build drew is byte for byte what the figures folder holds."""
    made = book.parent / "source" / "figures"
    for path in sorted(places.ROOT.joinpath("figures").glob("*.svg")):
        assert (made / path.name).read_bytes() == path.read_bytes(), path.name
