"""The lock, pyproject.toml and environment.yml agree, for every supported Python, without conda or a network."""

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from compendium import places

PYTHONS = ("3.11", "3.12", "3.13", "3.14")


LOCKS = ("requirements.lock", "requirements-lab.lock")


def lock(name="requirements.lock"):
    """Requirements of a lock, by name, and the text of each entry."""
    text = (places.ROOT / name).read_text()
    entries = re.split(r"\n(?=\S)", text.replace("\\\n", " ").strip())
    return {canonicalize_name(Requirement(entry.split(" --hash")[0].strip()).name): entry for entry in entries}


def project():
    return tomllib.loads((places.ROOT / "pyproject.toml").read_text())["project"]


def marker_environment(python, **more):
    return {
        "python_version": python, "python_full_version": f"{python}.5", "sys_platform": "linux", "os_name": "posix",
        "platform_system": "Linux", "platform_machine": "x86_64", "platform_python_implementation": "CPython",
        "implementation_name": "cpython", "extra": "", **more,
    }  # fmt: skip


@pytest.mark.parametrize("path", LOCKS)
def test_every_entry_is_pinned_and_hashed(path):
    for name, entry in lock(path).items():
        requirement = Requirement(entry.split(" --hash")[0].strip())
        assert [specifier.operator for specifier in requirement.specifier] == ["=="], name
        assert "--hash=sha256:" in entry, name


def test_no_registry_is_named():
    for name in (*LOCKS, "environment.yml", "pyproject.toml"):
        text = (places.ROOT / name).read_text()
        assert not re.search(r"https?://|index-url|find-links", text), name


def test_jupyterlab_changes_no_version():
    """What `make lab` adds to the environment has the versions of the lock where that names them."""
    pins, added = lock(), lock("requirements-lab.lock")
    assert "jupyterlab" in added and "jupyterlab" not in pins
    for name in added.keys() & pins.keys():
        ours, theirs = (Requirement(entry.split(" --hash")[0].strip()) for entry in (pins[name], added[name]))
        assert ours.specifier == theirs.specifier, name


@pytest.mark.parametrize("python", PYTHONS)
def test_the_lock_is_complete(python):
    """Whatever the project needs, and whatever that needs, is in the lock at a version that satisfies it."""
    pins = {name: Requirement(entry.split(" --hash")[0].strip()) for name, entry in lock().items()}
    wanted = [Requirement(text) for text in project()["dependencies"]]
    extras = {name: extra for name, extra in project()["optional-dependencies"].items() if name != "outside"}
    wanted += [Requirement(text) for extra in extras.values() for text in extra]
    seen = set()
    while wanted:
        requirement = wanted.pop()
        name = canonicalize_name(requirement.name)
        if (name, frozenset(requirement.extras)) in seen:
            continue
        seen.add((name, frozenset(requirement.extras)))
        assert name in pins, f"{requirement} is not in the lock"
        pin = pins[name]
        assert pin.marker is None or pin.marker.evaluate(marker_environment(python)), (
            f"{name} is not locked for {python}"
        )
        version = Version(next(iter(pin.specifier)).version)
        assert requirement.specifier.contains(version, prereleases=True), f"{requirement} against {version}"
        try:
            requires = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue  # locked for another Python than this one
        for text in requires:
            needed = Requirement(text)
            extras = requirement.extras or {""}
            if needed.marker is None or any(
                needed.marker.evaluate(marker_environment(python, extra=e)) for e in extras | {""}
            ):
                wanted.append(needed)


def test_this_environment_is_the_locked_one():
    for name, entry in lock().items():
        requirement = Requirement(entry.split(" --hash")[0].strip())
        if requirement.marker is None or requirement.marker.evaluate():
            assert requirement.specifier.contains(importlib.metadata.version(name), prereleases=True), name


def test_conda_takes_its_pins_from_the_lock():
    described = yaml.safe_load((places.ROOT / "environment.yml").read_text())
    names, (pip,) = (
        [entry for entry in described["dependencies"] if isinstance(entry, str)],
        [entry for entry in described["dependencies"] if isinstance(entry, dict)],
    )
    assert [re.split(r"[ <>=]", name)[0] for name in names] == ["python", "pip"]
    assert pip == {"pip": ["-r requirements.lock"]}
    supported = Requirement("python" + names[0].removeprefix("python").strip())
    assert all(supported.specifier.contains(f"{python}.5") for python in PYTHONS)
    assert project()["requires-python"] == ">=3.11"


@pytest.fixture
def checkout(tmp_path):
    """A checkout with an environment that looks made, and a `python3` that can make none; what make says to both."""
    shutil.copytree(places.ROOT / "lib" / "compendium", tmp_path / "checkout" / "lib" / "compendium")
    for name in ("Makefile", "requirements.lock"):
        shutil.copy(places.ROOT / name, tmp_path / "checkout")
    folder = tmp_path / "checkout" / ".venv" / "bin"
    folder.mkdir(parents=True)
    shutil.copy(places.ROOT / "requirements.lock", folder.with_name("lock"))
    ours = f'PYTHONPATH="{tmp_path}/checkout/lib" exec "{sys.executable}" "$@"'
    for path, line in ((folder / "python", ours), (tmp_path / "python3", '[ "$1" = -V ] && echo Python 3.10')):
        path.write_text(f"#!/bin/sh\n{line}\n")
        path.chmod(0o755)
    return tmp_path / "checkout"


def made_anew(checkout, *words):
    """Whether `make environment` sets about making it, which here it is refused."""
    known = {name: value for name, value in os.environ.items() if name not in ("PYTHON", "MAKEFLAGS", "MAKELEVEL")}
    known["PATH"] = f"{checkout.parent}:{known['PATH']}"
    done = subprocess.run(["make", "environment", *words], cwd=checkout, env=known, capture_output=True, text=True)
    assert (done.returncode != 0) == done.stdout.startswith("Python 3.11 or later is needed"), done
    return done.returncode != 0


def test_an_environment_is_made_once(checkout):
    assert not made_anew(checkout)
    assert not made_anew(checkout, f"PYTHON={sys.executable}")


def test_another_python_gets_its_own_environment(checkout):
    assert made_anew(checkout, "PYTHON=python3")


def test_a_changed_lock_gets_its_own_environment(checkout):
    (checkout / "requirements.lock").write_text("")
    assert made_anew(checkout)


def test_a_checkout_that_was_moved_or_whose_python_is_gone_gets_its_own_environment(checkout):
    moved = checkout.rename(checkout.with_name("with a space"))
    assert made_anew(moved), "it would import from where the checkout was"
    moved.rename(checkout)
    (checkout / ".venv" / "bin" / "python").unlink()
    assert made_anew(checkout)


def test_a_python_that_is_not_there_is_said_to_be_not_there(checkout):
    known = {name: value for name, value in os.environ.items() if name not in ("PYTHON", "MAKEFLAGS", "MAKELEVEL")}
    for name, sentence in (
        ("nonexistent", "nonexistent is not found"),
        ("/nowhere/python", "/nowhere/python is not found"),
        ("true", "Python 3.11 or later is needed, which true is not"),
    ):
        words = ["make", "environment", f"PYTHON={name}"]
        done = subprocess.run(words, cwd=checkout, env=known, capture_output=True, text=True)
        assert done.returncode and done.stdout.startswith(sentence), done
        assert "not found" not in done.stderr and (checkout / ".venv" / "lock").exists()


@pytest.mark.parametrize("command", ["environment", "clean"])
def test_an_environment_that_was_not_made_here_stays(checkout, command):
    """Nor does any other folder go that VENV may name; one that was begun is made again."""
    mine = checkout / ".venv"
    (mine / "lock").unlink()
    words = ["make", "--no-print-directory", command, f"PYTHON={sys.executable}", "INSTALL=exit 7; echo"]
    done = subprocess.run(words, cwd=checkout, capture_output=True, text=True)
    assert done.returncode and done.stdout.startswith(".venv was not made here: move it away"), done
    assert (mine / "bin" / "python").exists()
    (mine / "made-by-compendium").touch()
    done = subprocess.run(words, cwd=checkout, capture_output=True, text=True)
    assert (done.returncode == 0) == (command == "clean"), done
    assert (mine / "pyvenv.cfg").exists() == (mine / "made-by-compendium").exists() == (command == "environment")


def test_cleaning_leaves_the_pages_that_a_reader_worked_on(checkout):
    for name in ("lab", "source", "html"):
        (checkout / "_build" / name).mkdir(parents=True)
    assert subprocess.run(["make", "clean"], cwd=checkout, capture_output=True).returncode == 0
    assert [path.name for path in (checkout / "_build").iterdir()] == ["lab"]
