"""The code is written as the linter of the project wants it."""

import subprocess
import sys

from compendium import places


def test_the_linter_finds_nothing():
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "--output-format", "concise"]
    done = subprocess.run([*command, "lib", "tests", "benchmarks"], cwd=places.ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
