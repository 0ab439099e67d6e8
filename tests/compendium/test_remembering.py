"""What processes remember of the text of the packages: once made, and gone with the text."""

import pytest

from compendium.study import fingerprints, remembering
from compendium.study.remembering import remembered


@pytest.fixture
def process(tmp_path, monkeypatch):
    """Begin as another process of a checkout of its own, whose one module has this text."""
    module = tmp_path / "compendium" / "study" / "remembering.py"
    (tmp_path / "compendium" / "__pycache__").mkdir(parents=True)
    module.parent.mkdir()
    monkeypatch.setattr(remembering, "__file__", str(module))

    def begin(text="a = 1"):
        module.write_text(text)
        monkeypatch.setattr(remembering, "_known", {})
        monkeypatch.setattr(remembering, "_read", {})
        remembering._file.cache_clear()
        return remembering._file()

    yield begin
    remembering._file.cache_clear()


def never():
    raise AssertionError("made again")


def test_it_is_made_once_for_all_processes(process):
    process()
    assert remembered(lambda: ["one", 2], "a", "b") == ["one", 2] == remembered(never, "a", "b")
    assert remembered(lambda: "other", "a b") == "other"
    process()
    assert remembered(never, "a", "b") == ["one", 2]


def test_what_others_make_meanwhile_is_seen(process):
    file = process()
    remembered(lambda: 1, "mine")
    file.write_text(file.read_text() + "\nnonsense\n\n" + file.read_text().split()[0] + ' "cut sh')
    assert remembered(never, "mine") == 1
    assert remembered(lambda: "whole", "theirs") == "whole"
    process()
    assert remembered(never, "mine") == 1 and remembered(never, "theirs") == "whole"


def test_other_text_is_made_anew_and_the_old_is_gone(process):
    before = process()
    remembered(lambda: 1, "a")
    after = process("a = 2")
    assert after != before and not before.exists()
    assert remembered(lambda: 2, "a") == 2


def test_what_a_fault_is_put_in_is_not_remembered(process):
    process()
    with fingerprints.changed("clustershare.shares", "a = 2"):
        assert remembered(lambda: 1, "a") == 1
    assert remembered(lambda: 2, "a") == 2


def test_where_nothing_can_be_written_it_is_made(process):
    file = process()
    file.parent.rmdir()
    assert remembered(lambda: 1, "a") == 1
