"""The code is written as the linter of the project wants it."""

import re
import subprocess
import sys

import nbformat
import pytest

from compendium import places
from compendium.press import notebooks

WIDTH = 76  # of a line of code on a page 1280 pixels wide; the browser test measures it
PAGES = [*notebooks.notebooks(), *sorted(places.CHAPTERS.rglob("*.md"))]


def test_the_linter_finds_nothing():
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "--output-format", "concise"]
    done = subprocess.run([*command, "lib", "tests", "benchmarks"], cwd=places.ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def code_on(path):
    """The code that a page shows, folded or not: of its cells and of its fenced blocks."""
    if path.suffix == ".md":
        text = path.read_text(encoding="utf-8")
    else:
        cells = nbformat.read(path, 4).cells
        yield from (cell.source for cell in cells if cell.cell_type == "code")
        text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    yield from re.findall(r"^```(?:python|bash)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("path", PAGES, ids=[path.stem if path.stem != "index" else path.parent.name for path in PAGES])
def test_no_line_of_code_on_a_page_is_too_long(path):
    assert [line for code in code_on(path) for line in code.splitlines() if len(line) > WIDTH] == []
