"""The data files are described column by column."""

import csv
import re

from compendium import places


def described():
    """The columns that the README of the data names, by file."""
    found, file = {}, None
    for first, columns in re.findall(
        r"^\| (`[^`]*`|) ?\| (`[^|]*`) \|", places.DATA.joinpath("README.md").read_text(), re.M
    ):
        file = first.strip("`") or file
        found.setdefault(file, []).extend(re.findall(r"`(\w+)`", columns))
    return found


def test_every_column_is_described():
    found, seen = described(), set()
    for path in sorted(places.DATA.rglob("*.csv")):
        name = path.relative_to(places.DATA).as_posix()
        name = "results/<study>.csv" if path.parent == places.RESULTS else name
        name = "results/laws/<digest>.csv" if path.parent == places.RESULTS / "laws" else name
        with open(path, newline="", encoding="utf-8") as file:
            assert sorted(next(csv.reader(file))) == sorted(found[name]), name
        seen.add(name)
    assert found.keys() == seen
