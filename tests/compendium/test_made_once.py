"""What processes remember of the text of the packages: once made, and gone with the text."""

import os

import pytest

from compendium.study import fingerprints
from compendium.study import made_once as its_module
from compendium.study.made_once import made_once


@pytest.fixture
def process(tmp_path, monkeypatch):
    """Begin as another process of a checkout of its own, whose one module has this text."""
    module = tmp_path / "compendium" / "study" / "made_once.py"
    (tmp_path / "compendium" / "__pycache__").mkdir(parents=True)
    module.parent.mkdir()
    monkeypatch.setattr(its_module, "__file__", str(module))

    def begin(text="a = 1"):
        module.write_text(text)
        monkeypatch.setattr(its_module, "_known", {})
        monkeypatch.setattr(its_module, "_read", {})
        its_module._today.cache_clear()
        return its_module._today()[0]

    yield begin
    its_module._today.cache_clear()


def never():
    raise AssertionError("made again")


def test_it_is_made_once_for_all_processes(process):
    process()
    assert made_once(lambda: ["one", 2], "a", "b") == ["one", 2] == made_once(never, "a", "b")
    assert made_once(lambda: "other", "a b") == "other"
    process()
    assert made_once(never, "a", "b") == ["one", 2]


def test_what_others_make_meanwhile_is_seen(process):
    file = process()
    made_once(lambda: 1, "mine")
    file.write_text(file.read_text() + "\nnonsense\n\n" + file.read_text().split()[0] + ' "cut sh')
    assert made_once(never, "mine") == 1
    assert made_once(lambda: "whole", "theirs") == "whole"
    process()
    assert made_once(never, "mine") == 1 and made_once(never, "theirs") == "whole"


def test_other_text_is_made_anew_and_the_old_is_gone(process):
    before = process()
    made_once(lambda: 1, "a")
    after = process("a = 2")
    assert after != before and not before.exists()
    assert made_once(lambda: 2, "a") == 2


def test_what_was_edited_meanwhile_is_not_kept(process):
    file = process()
    (module,) = its_module._today()[1]
    os.utime(module, ns=(0, module.stat().st_mtime_ns + 1))
    assert made_once(lambda: 1, "a") == 1 and not file.exists()


def test_what_a_fault_is_put_in_is_not_remembered(process):
    process()
    with fingerprints.changed("clustershare.shares", "a = 2"):
        assert made_once(lambda: 1, "a") == 1
    assert made_once(lambda: 2, "a") == 2


def test_where_nothing_can_be_written_it_is_made(process):
    file = process()
    file.parent.rmdir()
    assert made_once(lambda: 1, "a") == 1
