"""What was seen of the built book in a browser, kept with digests of all that was looked at: ``data/proofs/looks.csv``.

A look is a test that is marked `browser` and asks for `visit` and `made`. Its digest covers the bytes of every file of
the book that the browser asked for, of every style and script; the file of the test, and every definition of
the three packages that it reaches by name; and what all looks share. Which browser looked is written down, and does not
count.
"""

import functools
import hashlib
import re
from pathlib import Path

import proving
from compendium.press.kept import Kept, digest_of_file, version
from compendium.press.page_proofs import reach_of

KEPT = Kept("looks", ("look", "digest", "browser", "files"))
STATIC = "_static"  # the folder of the book whose files every page loads
SHARED = ("browser.py", "page_faults.py", "looks.py")


def is_one(item):
    """Whether a test is a look."""
    return item.get_closest_marker("browser") is not None and {"visit", "made"} <= {*item.fixturenames}


def name(item):
    return f"{item.path.stem}::{item.name}"


@functools.cache
def _eyes(path):
    """Of a file of tests, with what it shares with others."""
    files = [path, *(Path(__file__).with_name(name) for name in SHARED)]
    reach = reach_of(path.read_text(encoding="utf-8"))
    return reach.digest(*map(digest_of_file, files), version("axe-playwright-python"), version=version)


def digest(item, built, files):
    """Of a look at files of a book, by their names from its folder, with all styles and scripts of the book."""
    seen = [f"{one} {digest_of_file(built / one)}" for one in (*files, *_static(built))]
    return hashlib.sha256("\n".join([name(item), _eyes(item.path), *seen]).encode()).hexdigest()[:16]


@functools.cache
def _static(built):
    return sorted(path.relative_to(built).as_posix() for path in (built / STATIC).rglob("*") if path.is_file())


def stands(item, built):
    """Whether what a test would see was seen before, and need not be seen again in this run."""
    row = KEPT.rows().get((name(item),))
    if not row or row["digest"] != digest(item, built, row["files"].split()):
        proving.tell(name(item))
        return False
    return not proving.again(name(item))


def keep(item, built, visit):
    """Write down that a test saw no fault, if what is proven in this run is kept."""
    if not proving.keeps() or visit.faults:
        return
    files = sorted(name for name in visit.loaded(built) if not name.startswith(f"{STATIC}/"))
    row = {"look": name(item), "digest": digest(item, built, files), "browser": visit.browser, "files": " ".join(files)}
    KEPT.keep([row], lambda every: sorted(key for key in every if _is_there(every[key], built)))


def _is_there(row, built):
    """Whether the test that looked, and all that it looked at, are there still."""
    file, function = re.match(r"(\w+)::(\w+)", row["look"]).groups()
    text = Path(__file__).with_name(f"{file}.py")
    named = text.exists() and f"def {function}(" in text.read_text(encoding="utf-8")
    return named and all((built / one).exists() for one in row["files"].split())
