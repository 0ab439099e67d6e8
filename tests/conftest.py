"""Shared by all tests: nothing they run writes into the working tree."""

import os
import shutil
import tempfile

import pytest

_scratch = tempfile.mkdtemp(prefix="clustershare-")
os.environ.setdefault("COMPENDIUM_FIGURES", os.path.join(_scratch, "figures"))
os.environ.setdefault("COMPENDIUM_RESULTS", os.path.join(_scratch, "results"))
os.environ["TQDM_DISABLE"] = "1"
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in the Makefile

NO_BROWSER = "The browser tests did not run: install Chromium (on Debian, apt-get install chromium)."


def chromium():
    """Path of the browser, or None."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="session")
def chromium_path():
    """The browser's path. Without one the test does not run, which the summary says; on CI that is a failure."""
    path = chromium()
    if path is None and os.environ.get("CI"):
        pytest.fail(NO_BROWSER)
    if path is None:
        pytest.skip(NO_BROWSER)  # a reader's machine need not have a browser that can be driven; CI must
    return path


def pytest_terminal_summary(terminalreporter):
    if chromium() is None:
        terminalreporter.write_line(NO_BROWSER)


def pytest_sessionfinish(session):
    shutil.rmtree(_scratch, ignore_errors=True)
