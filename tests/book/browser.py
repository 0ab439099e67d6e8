"""Headless Chromium with the network off: pages of the built book, opened from disk."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}
PATIENCE = 600_000  # milliseconds: an upper bound, on a machine however busy


@pytest.fixture(scope="session")
def visit(chromium_path):
    """A window that opens pages, and notes all that goes wrong while they load."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
        with playwright.chromium.launch(executable_path=chromium_path, args=flags, timeout=PATIENCE) as browser:
            yield Visit(browser.new_context(offline=True))


class Visit:
    """Pages opened one after another, with all that went wrong while they loaded."""

    def __init__(self, context):
        context.set_default_timeout(PATIENCE)
        self.page = context.new_page()
        self.faults, self._loaded = [], set()
        self.browser = f"Chromium {context.browser.version}"
        self.page.on("request", lambda request: self._seen(request.url))
        self.page.on("requestfailed", self._failed)
        self.page.on("pageerror", lambda error: self.faults.append(f"script error: {error}"))
        self.page.on("console", lambda line: line.type == "error" and self.faults.append(f"console: {line.text}"))

    def _seen(self, url):
        address = urlsplit(url)
        if address.scheme == "file":
            self._loaded.add(unquote(address.path))
        elif address.scheme not in ("data", "blob"):
            self.faults.append(f"remote: {url}")

    def begin(self):
        """Forget what was loaded so far; the next page is loaded anew."""
        self._loaded.clear()
        self.page.goto("about:blank")

    def loaded(self, built):
        """The files of a folder that the browser asked for, by their names from there."""
        paths = (Path(path) for path in self._loaded)
        return {path.relative_to(built).as_posix() for path in paths if path.is_relative_to(built)}

    def _failed(self, request):
        if request.failure != "net::ERR_ABORTED":  # broken off because the next page was opened
            self.faults.append(f"failed: {request.url} {request.failure}")

    def open(self, path, query="", window=DESK):
        self.faults.clear()
        self.page.set_viewport_size(window)
        self.page.emulate_media(color_scheme="light")
        self.page.goto(path.as_uri() + query)
        self.page.evaluate("async () => { if (window.MathJax) await window.MathJax.startup.promise; }")
        return self.page
