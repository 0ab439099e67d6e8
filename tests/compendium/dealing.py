"""In which order the tests of a run are taken, and which of them stay on one worker. It imports next to nothing."""

import re

from xdist.scheduler import LoadScopeScheduling

# Workers take tests in this order, so that none waits long for what another makes. The pages are executed first, then
# one worker builds the book, which needs them all, while the others are at the files that are not named; behind these
# stands what looks at the book. What is short comes last: all end together.
FIRST = (
    "test_notebooks.py::test_its_execution", "test_pages_of_", "test_claims.py::test_the_verdict_turns",
    "test_glossary.py",
)  # fmt: skip
LAST = (
    "test_explorable", "test_look.py", "test_book.py", "test_reference.py", "test_without_browser.py",
    "test_notebooks.py", "test_claims.py", "test_style.py",
)  # fmt: skip
# Each test of these goes to whichever worker is free; those of another file share what they computed, on one worker.
SPREAD = ("test_notebooks.py", "test_pages_of_", "test_look.py", "test_book.py", "test_claims.py")
# Claims spoilt on purpose share what the checks of their chapter computed: thesis-6-137 goes where thesis-6-136 went.
SPOILT = re.compile(r"test_the_verdict_turns_in_a_wrong_setting\[(.*)-\w+\]$")


def turn(item):
    """The place of a test among all: a third of them, and a number in it."""
    for third, names in ((0, FIRST), (2, LAST)):
        for number, name in enumerate(names):
            if name in item.nodeid:
                return third, number
    return 1, 0


class ByFile(LoadScopeScheduling):
    """Workers are given the tests of a file together, those of `SPREAD` one by one.

    Not by the mark `xdist_group`, of which pytest 9.2 shows the scheduler of xdist 3.8 nothing.
    """

    def _split_scope(self, nodeid):
        if spoilt := SPOILT.search(nodeid):
            return spoilt[1]
        file = nodeid.split("::")[0]
        return nodeid if any(name in file for name in SPREAD) else file


def pytest_xdist_make_scheduler(config, log):
    return ByFile(config, log)


def pytest_xdist_auto_num_workers():
    """One more than there are processors: they wait for browsers, for kernels of pages, and for each other."""
    import joblib  # here, because workers have no need of it

    return joblib.cpu_count() + 1
