"""The three houses: models, machinery, pages. Who imports whom, read from the code; and that figures can be found."""

import ast
import functools
import json
import re
import sys

import pytest

from compendium import places
from compendium.press import claims

LIB = places.ROOT / "lib"
MODELS, MACHINERY, PAGES = "clustershare", "compendium", "pages"
# What the machinery may know of the models: tools, which name no policy and no system.
TOOLS = {"arguments", "estimates", "results", "run_length", "compiled", "names", "plain", "settling"}
TOOLS |= {"precision", "progress", "truncation"}
# The command that answers for somebody's own cluster asks the models: it alone, and no more of them than that.
ASKING = {"compendium.cluster_report.command": {"clustershare.workload"}}
DRAWINGS = ("figures", "diagrams")
SECTION = re.compile(r"\b(?:Appendix|(?<=Appendix )D|[IV]+|(?:\d|A(?=\.\d))(?:\.\d+)*)\b")
ROOM = re.compile(r"\.section_((?:\d+|[ad])(?:_\d+)*)(?:_[a-z_]+)?$")
NUMBERS = {"I": "1", "II": "2", "III": "3", "IV": "4", "Appendix": "A"}


def module_name(path):
    parts = path.relative_to(LIB).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_name(path): path for house in (MODELS, MACHINERY, PAGES) for path in (LIB / house).rglob("*.py")}


def imported(source):
    """The names of the modules that some code imports, wherever it does: ``from a import b`` is a.b if that is one."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in FILES else node.module for name in inner}
    return found


@functools.cache  # each worker collects this file, and one runs it
def imports():
    """Of each module of the houses, the modules that it imports."""
    return {name: imported(path.read_text(encoding="utf-8")) for name, path in FILES.items()}


def house(name):
    return name.split(".")[0]


def models(names):
    """Those of the names that are models: of the models' house, and no tools."""
    return {name for name in names if house(name) == MODELS and (*name.split("."), "")[1] not in TOOLS}


def of(*houses):
    return {name: names for name, names in imports().items() if house(name) in houses}


def is_drawing(name):
    return house(name) == PAGES and name.split(".")[-1] in DRAWINGS


def is_check(name):
    return house(name) == PAGES and "checks" in name.split(".")


def guilty(found):
    """What a test shows when it fails: the modules with what they should not import."""
    return {name: sorted(names) for name, names in found.items() if names}


def test_models_stand_alone():
    allowed = {MODELS, "numpy", "scipy", "numba", "llvmlite", *sys.stdlib_module_names}
    strangers = {name: {other for other in names if house(other) not in allowed} for name, names in of(MODELS).items()}
    strangers[f"{MODELS}.progress"].discard("tqdm")  # if it is installed
    assert guilty(strangers) == {}


def test_the_machinery_knows_no_model_and_no_page():
    known = {
        name: models(names) - ASKING.get(name, set()) | {other for other in names if house(other) == PAGES}
        for name, names in of(MACHINERY).items()
    }
    assert guilty(known) == {}


def test_drawings_draw_what_they_are_given():
    """They import nothing that could compute: of our own code, the press, argument checks and other drawings."""
    allowed = {"numpy", "pandas", "matplotlib", *sys.stdlib_module_names}

    def fine(name):
        ours = name == f"{MODELS}.arguments" or name.startswith(f"{MACHINERY}.press") or is_drawing(name)
        return ours or house(name) in allowed

    computing = {
        name: {other for other in names if not fine(other)} for name, names in imports().items() if is_drawing(name)
    }
    assert computing and guilty(computing) == {}


def test_checks_lend_nothing():
    """Neither to other checks, nor to other modules, nor to notebooks."""
    borrowed = {name: {other for other in names if is_check(other)} for name, names in imports().items()}
    for path in places.CHAPTERS.rglob("*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        borrowed[path.name] = {other for other in imported(code) if is_check(other)}
    assert guilty(borrowed) == {}


def test_a_location_names_the_room_of_a_claim():
    """The file of a section that it names, or of one around it; a section may have several files, by subject."""
    named = {row["id"]: [NUMBERS.get(at, at) for at in SECTION.findall(row["location"])] for row in claims.table()}
    strangers = set()
    for name in FILES:
        if is_check(name) and (room := ROOM.search(name)):
            around = room[1].replace("_", ".").upper() + "."
            inside = re.findall(r'^@check\("([^"]+)"', FILES[name].read_text(encoding="utf-8"), re.MULTILINE)
            strangers |= {one for one in inside if not any(f"{at}.".startswith(around) for at in named[one])}
            assert inside, name
    assert strangers == set()


def rooms():
    """The folders of pages that have notebooks of their own."""
    return sorted({path.parent.relative_to(places.CHAPTERS) for path in places.CHAPTERS.rglob("*.ipynb")})


@pytest.mark.parametrize("room", [room for room in rooms() if (LIB / PAGES / room).exists()], ids=str)
def test_a_room_says_what_is_in_it(room):
    folder = LIB / PAGES / room
    described = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")))
    there = {path.stem for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    said = re.findall(r"^(\w+)  +\S", described, re.MULTILINE)
    assert set(said) == there - {"__init__"}


def _short(value):
    return getattr(value, "stem", value)


def published():
    """The sources' figures that a committed page shows: identifier and path of the page."""
    for path in places.CHAPTERS.rglob("*.ipynb"):
        for name in re.findall(r'"figure": "((?:balanced|roundrobin|thesis|ctmc)-fig-[^"]+)"', path.read_text("utf-8")):
            yield name, path


@pytest.mark.parametrize(("identifier", "path"), sorted(set(published())), ids=_short)
def test_a_figure_is_found_by_its_number(identifier, path):
    """`Figure 3.8` in the source's own numbering, alone or in a list, in the drawing or what it is drawn from."""
    number = re.fullmatch(r"\w+-fig-([\d.]+).*", identifier)[1]
    named = re.compile(r"Figures? (?:[\d.]+\d, |\d+, )*" + re.escape(number) + r"(?!\.?\d)")
    room = LIB / PAGES / path.parent.relative_to(places.CHAPTERS)
    files = [file for file in room.glob("*.py") if file.stem != "__init__"]
    assert any(named.search(file.read_text(encoding="utf-8")) for file in files), identifier
