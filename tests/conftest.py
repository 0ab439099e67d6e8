"""Shared by all tests: nothing they run writes into the working tree, and what takes long is made once for all."""

# ruff: noqa: E402  Settings come before what reads them when it is imported.

import contextlib
import os
import tempfile

_scratch = tempfile.mkdtemp(prefix="clustershare-")
os.environ.setdefault("COMPENDIUM_FIGURES", os.path.join(_scratch, "figures"))
os.environ.setdefault("COMPENDIUM_RESULTS", os.path.join(_scratch, "results"))
os.environ["TQDM_DISABLE"] = "1"
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in the Makefile
with contextlib.suppress(OSError), open("/proc/cpuinfo") as processors:
    if "avx2" in processors.read():
        os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")  # as there

import gc
import shutil
import signal

import pytest

import proving
from browser import visit  # noqa: F401  a fixture
from compendium.garbage import look_seldom
from dealing import pytest_xdist_auto_num_workers, pytest_xdist_make_scheduler, turn  # noqa: F401  two are hooks

look_seldom()
# A shell that runs them in the background ignores Ctrl-C for them, and so for what they start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A program which switches compilation off as soon as it is imported, as a look for its doctests would; and what other
# tests find under the Python that runs them all, for `.ci/pythons` to ask under the others.
collect_ignore = ["clustershare/indices.py", "compendium/test_every_python.py"]

NOT_KEPT = "not kept"
NO_BROWSER = "The browser tests did not run: install Chromium (on Debian, apt-get install chromium)."


def pytest_addoption(parser):
    parser.addoption("--prove", choices=("sample", "stale", "all"), default="sample", help="see tests/book/proving.py")


def pytest_configure(config):
    proving.begin(config.getoption("prove"))


def pytest_report_header():
    return f"The sample of what is proven already: COMPENDIUM_SEED={proving.seed()}"


@pytest.hookimpl(tryfirst=True)  # before those that are not marked are left out
def pytest_collection_modifyitems(items):
    import looks  # here, because it takes seconds, and the process that deals tests to workers has none

    for item in filter(looks.is_one, items):
        item.add_marker("proof")
    items.sort(key=turn)


def pytest_collection_finish():
    gc.freeze()  # modules and tests stay until the end


@pytest.fixture(scope="session", autouse=True)
def shared(request, tmp_path_factory):
    """A folder for all workers of this run, and in it each claim's finding, so that none is computed twice."""
    folder = tmp_path_factory.getbasetemp()
    if hasattr(request.config, "workerinput"):
        folder = folder.parent
    os.environ["COMPENDIUM_FINDINGS"] = str(folder / "book" / "findings")
    return folder


@pytest.fixture(scope="session")
def made(shared):
    """The book and its parts: `executed_pages.Book`."""
    from executed_pages import Book

    return Book(shared / "book")


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


@pytest.fixture(autouse=True)
def _looked(request):
    """What was seen in a browser before is not looked at again: see tests/book/looks.py."""
    import looks

    if looks.is_one(request.node):
        if looks.stands(request.node, request.getfixturevalue("made").html()):
            pytest.skip("seen before as it is")
        request.getfixturevalue("visit").begin()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    import looks

    try:
        outcome = yield
    finally:
        item.user_properties += [(NOT_KEPT, name) for name in proving.told()]
    if looks.is_one(item):
        looks.keep(item, item.funcargs["made"].html(), item.funcargs["visit"])
    return outcome


def pytest_terminal_summary(terminalreporter):
    if chromium() is None:
        terminalreporter.write_line(NO_BROWSER)
    reports = terminalreporter.getreports("passed") + terminalreporter.getreports("failed")
    names = {value for report in reports for name, value in report.user_properties if name == NOT_KEPT}
    if names:
        terminalreporter.write_line(f"Proven in this run, as its proof is not current: {', '.join(sorted(names))}.")
        terminalreporter.write_line("`make prove ONLY=stale` keeps what it proves.")


def pytest_sessionfinish(session):
    shutil.rmtree(_scratch, ignore_errors=True)
