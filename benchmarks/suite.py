"""What the suite costs: the time of its tests by what they test, on as many workers as ``make test`` has."""

import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

from benchmarks.timing import Row
from compendium import places

# By the class that pytest names, which is the file; the first that fits.
PARTS = (
    ("claims", r"test_claims|test_proofs|test_mutants"),
    ("pages", r"test_pages_|test_notebooks.*test_its_execution|test_every_python"),
    ("looks", r"test_look|test_book|test_explorable|test_glossary|test_pdf|test_without_browser|test_page_faults"),
    ("compilation", r"test_interrupts|test_kernels|compilation"),
    ("models", r"tests\.clustershare|lib\.clustershare"),
    ("shared by pages", r"tests\.pages|lib\.pages"),
    ("machinery", r""),
)
DEAREST = 15


def tables():
    """Yield the table with its title, and that of the dearest tests."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        command = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "--junitxml", str(report)]
        began = time.monotonic()
        subprocess.run(command, cwd=places.ROOT, check=False, stdout=subprocess.DEVNULL)
        whole = time.monotonic() - began
        tests = [
            (f"{case.get('classname')}::{case.get('name')}", float(case.get("time")))
            for case in ElementTree.parse(report).iter("testcase")
        ]
    spent = Counter()
    for name, seconds in tests:
        spent[part_of(name)] += seconds
    every = sum(spent.values())
    rows = [Row(part, f"{seconds:.0f} s, {seconds / every:.0%}") for part, seconds in spent.most_common()]
    yield f"The suite, {len(tests)} tests: {whole:.0f} s by the clock", rows
    tests.sort(key=lambda one: -one[1])
    dearest = [Row(name, f"{seconds:.0f} s, {seconds / every:.1%}") for name, seconds in tests[:DEAREST]]
    yield "Its dearest tests", dearest


def part_of(name):
    """What a test is for, by its name."""
    return next(part for part, names in PARTS if re.search(names, name))
