"""The README's map is the tree, and what it shows runs."""

import re
import subprocess

from compendium import places

README = (places.ROOT / "README.md").read_text(encoding="utf-8")
MAP = README.partition("## What is where")[2].partition("To find")[0]


def rows():
    """The map: the place and the names in backticks of its row, a folder of `lib` put before its parts."""
    folder = ""
    for line in MAP.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 2 and "`" in cells[0]:
            names = re.findall(r"`([^`]+)`", cells[0])
            if not cells[0].startswith("..."):
                folder = names[0]
            yield folder, names, cells[0].startswith("...")


def test_what_the_map_names_is_there():
    for folder, names, part in rows():
        for name in names:
            name = name.replace("<part>/", "")
            path = places.ROOT / folder / name if part else places.ROOT / name
            assert path.exists() or path.with_suffix(".py").exists(), name


def test_what_is_there_is_on_the_map():
    named = {name.rstrip("/") for folder, names, part in rows() if part for name in names}
    for package in ("clustershare", "compendium"):
        for path in (places.ROOT / "lib" / package).iterdir():
            shown = path.suffix == ".py" or (path.is_dir() and (path / "__init__.py").exists())
            if shown and not path.name.startswith("_") and path.stem != "places":
                assert path.stem in named, path
    listed = subprocess.run(["git", "ls-files"], cwd=places.ROOT, capture_output=True, text=True, check=True).stdout
    folders = {line.partition("/")[0] for line in listed.splitlines() if "/" in line and not line.startswith(".")}
    tops = {name.partition("/")[0] for _, names, part in rows() if not part for name in names}
    assert folders - {"assets"} == tops


def test_its_python_runs():
    (code,) = re.findall(r"```python\n(.*?)```", README, re.S)
    known = {}
    for line in code.splitlines():
        exec(line.replace("interruptions=1)", "interruptions=1, jumps=2000, replications=2)"), known)
    assert known["graph"].servers == 3
