"""A machine without Chromium is told so in one line; CI is not let off."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

LINE = "The browser tests did not run: install Chromium (on Debian, apt-get install chromium)."


@pytest.mark.parametrize(("ci", "code"), [("", 0), ("true", 1)])
def test_without_chromium(tmp_path, ci, code):
    tests, book = Path(__file__).parents[1], ("browser.py", "looks.py", "proving.py")
    for name in ("conftest.py", "compendium/dealing.py", *(f"book/{name}" for name in book)):
        shutil.copy(tests / name, tmp_path)
    (tmp_path / "test_it.py").write_text("def test_it(chromium_path):\n    pass\n")
    environment = {**os.environ, "PATH": "/nowhere", "CI": ci, "PYTEST_ADDOPTS": ""}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert done.returncode == code, done.stdout
    assert done.stdout.count(LINE) >= 1
    assert [line for line in done.stdout.splitlines() if line == LINE]
