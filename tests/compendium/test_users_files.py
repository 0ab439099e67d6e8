"""What a command finds in its way is left alone, unless it made that itself or was told to write over it."""

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import nbformat
import pikepdf
import pytest

import test_book
from compendium import places
from compendium.__main__ import main
from compendium.press import book, crate, gallery, notebooks, ownership, pdf
from compendium.study import store

small_book = test_book.small_book
UNASKED = "was not made here by this project, or was changed since: move it away, or give another output."


def snapshot(folder):
    """Everything in a folder: what files hold, and where links lead."""
    return {
        path.relative_to(folder).as_posix(): os.readlink(path) if path.is_symlink() else path.read_bytes()
        for path in folder.rglob("*")
        if (path.is_file() or path.is_symlink()) and path.name != ".building"
    }


def complaint(capsys, words, code=2):
    """The sentence of a command that refuses."""
    assert main([str(word) for word in words]) == code
    said = capsys.readouterr()
    (line,) = said.err.splitlines()
    assert said.out == "" and 0 < len(line) <= 400
    return line


@pytest.fixture
def output(small_book, tmp_path, monkeypatch):
    """Folder of builds, in which pages are not executed, typeset by a word."""

    def typeset(command, **_):
        html = Path(command[command.index("build") + 1], "_build", "html")
        html.mkdir(parents=True)
        (html / "index.html").write_text("ours")
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(notebooks, "execute_all", lambda *_: None)
    monkeypatch.setattr(crate, "write", lambda _: None)
    monkeypatch.setattr(book.subprocess, "run", typeset)
    return tmp_path / "output"


def replaced(name):
    def spoil(output):
        shutil.rmtree(output / name, ignore_errors=True)
        (output / name).mkdir()
        (output / name / "mine.txt").write_text("mine")

    return spoil


def added(name):
    def spoil(output):
        (output / name).parent.mkdir(parents=True, exist_ok=True)
        (output / name).write_text("mine")

    return spoil


def linked(name):
    def spoil(output):
        shutil.rmtree(output / name, ignore_errors=True)
        (output.parent / "elsewhere").mkdir()
        (output.parent / "elsewhere" / "mine.txt").write_text("mine")
        (output / name).symlink_to(output.parent / "elsewhere")

    return spoil


def a_file(output):
    shutil.rmtree(output / "source", ignore_errors=True)
    (output / "source").write_text("mine")


INSTEAD = [*map(replaced, book.MADE), *map(linked, book.MADE), a_file]
INSIDE = [*map(added, ("source/mine.txt", "source/_toc.yml", "source/a/b", "html/index.html", "html/mine.txt"))]


@pytest.mark.parametrize(
    ("before", "spoil"),
    [
        *((before, spoil) for before in ("new", "built", "failed") for spoil in (*INSTEAD, *INSIDE)),
        *(("killed", spoil) for spoil in INSTEAD),  # what lies in a folder that was being filled is taken for ours
    ],
)
def test_a_build_deletes_nothing_of_the_users(before, spoil, output, capsys, monkeypatch):
    output.mkdir()
    with monkeypatch.context() as patch:
        if before != "built":
            patch.setattr(notebooks, "execute_all", lambda *_: 1 / 0)
        if before == "killed":
            patch.setattr(ownership, "finish", lambda *_: None)
        if before != "new":
            with nullcontext() if before == "built" else pytest.raises(ZeroDivisionError):
                book.build(output)
    spoil(output)
    snap = snapshot(output.parent)
    assert UNASKED in complaint(capsys, ["book", "--output", output])
    assert snapshot(output.parent) == snap


@pytest.mark.parametrize("fresh", [False, True])
def test_a_build_goes_where_one_was(output, fresh, monkeypatch):
    def interrupted(_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(book, "typeset", interrupted)
        with pytest.raises(KeyboardInterrupt):
            book.build(output, fresh=fresh)
        patch.setattr(ownership, "finish", lambda *_: None)  # a build that is killed says nothing at its end
        with pytest.raises(KeyboardInterrupt):
            book.build(output, fresh=fresh)
    for _ in range(2):
        book.build(output, fresh=fresh)
        assert not list(output.rglob(ownership.UNFINISHED))
    (output / "html" / ".DS_Store").write_text("of the system's")
    (output / "html" / "index.html").unlink()  # what its user deleted is not missed
    (output / "mine.txt").write_text("mine")
    book.build(output, fresh=fresh)
    assert (output / "html" / "index.html").read_text() == "ours" and (output / "mine.txt").read_text() == "mine"


def test_the_list_of_what_was_made_is_one_that_others_read(output):
    book.build(output)
    done = subprocess.Popen(["sha256sum", "--check", "--quiet", ownership.LIST], cwd=output)
    assert done.wait() == 0


def test_a_table_in_the_place_of_results_is_left_alone(tmp_path):
    table = tmp_path / "three-servers.csv"
    table.write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match="three-servers.csv is no results file, and is left as it is"):
        store.read(table)
    assert snapshot(tmp_path) == {"three-servers.csv": b"a,b\n1,2\n"}
    table.write_text("key,mod")  # of a writer that was killed
    with pytest.warns(store.ResultsWarning):
        assert store.read(table) == {}


def test_a_crate_of_the_users_is_left_alone(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(gallery, "catalogue", lambda: [])
    for name in ("source/ro-crate-metadata.json", "mine.txt"):
        added(name)(tmp_path)
    assert UNASKED in complaint(capsys, ["crate", "--output", tmp_path])
    assert set(snapshot(tmp_path).values()) == {b"mine"}
    (tmp_path / "source" / crate.NAME).unlink()
    for _ in range(2):
        assert main(["crate", "--output", str(tmp_path)]) == 0
        added("source/ro-crate-metadata.json")(tmp_path)  # it is asked to be written again
    assert (tmp_path / "mine.txt").read_text() == "mine"


@pytest.fixture
def printer(output, monkeypatch):
    """The command without a browser."""

    def printed(_, sheet, draft):
        assert sheet.read_text() == "page" and sheet.parent == output
        pikepdf.new().save(draft)

    monkeypatch.setattr(pdf, "_browser", nullcontext)
    monkeypatch.setattr(pdf, "_one_page", lambda _: "page")
    monkeypatch.setattr(pdf, "_print", printed)
    return output


def test_printing_deletes_nothing_of_the_users(printer, capsys):
    for name in ("book-for-print.html", "book-draft.pdf", "html/index.html"):
        added(name)(printer)
    os.utime(printer / "html" / "index.html", (2**32, 2**32))
    snap = snapshot(printer)
    assert UNASKED in complaint(capsys, ["pdf", "--output", printer])
    assert snapshot(printer) == snap
    shutil.rmtree(printer / "html")
    for _ in range(2):
        assert main(["pdf", "--output", str(printer)]) == 0
        capsys.readouterr()
        assert (printer / "book.pdf").read_bytes().startswith(b"%PDF")
        assert {name: (printer / name).read_text() for name in snap if "/" not in name} == {
            name: "mine" for name in snap if "/" not in name
        }
        assert not list(printer.glob(".printing-*"))


@pytest.mark.parametrize("spoil", [added("book.pdf"), linked("book.pdf")])
@pytest.mark.parametrize("printed", [False, True])
def test_a_pdf_of_the_users_is_left_alone(printer, capsys, spoil, printed):
    printer.mkdir()
    if printed:
        assert main(["pdf", "--output", str(printer)]) == 0
        capsys.readouterr()
        (printer / "book.pdf").unlink()
    spoil(printer)
    snap = snapshot(printer.parent)
    assert UNASKED in complaint(capsys, ["pdf", "--output", printer])
    assert snapshot(printer.parent) == snap


def test_no_output_among_the_sources_nor_in_an_environment(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(book, "gather", None)
    listed = subprocess.run(["git", "ls-files"], cwd=places.ROOT, capture_output=True, text=True, check=True).stdout
    tracked = {line.partition("/")[0] for line in listed.splitlines()}
    assert {"lib", ".github"} < tracked
    for name in {*tracked, ".git", ".venv", ".new", "tests/new", "_build/.hidden", ".", "..", "/"}:
        told = complaint(capsys, ["book", "--output", places.ROOT / name])
        assert told.startswith("output must be a folder"), name
        assert complaint(capsys, ["crate", "--output", places.ROOT / name]) == told
    (tmp_path / "environment").mkdir()
    (tmp_path / "environment" / "pyvenv.cfg").touch()
    for folder in (tmp_path / "environment", tmp_path / "environment" / "book"):
        told = complaint(capsys, ["book", "--output", folder])
        assert told.startswith("output must be a folder outside of any environment of Python")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: True)
    assert complaint(capsys, ["lab", "--folder", places.CHAPTERS]).startswith("folder must be a folder apart from")


def test_a_checkout_inside_of_an_environment_has_its_output(tmp_path, monkeypatch):
    (tmp_path / "pyvenv.cfg").touch()
    monkeypatch.setattr(places, "ROOT", tmp_path / "src" / "checkout")
    places.check_apart("output", tmp_path / "src" / "checkout" / "_build")


def test_every_ingredient_is_a_source():
    assert set(places.INGREDIENTS) <= set(places.SOURCES)


SVG, CSV = "ctmc-fig-7.svg", "ctmc-fig-7.csv"


@pytest.fixture
def drawing(tmp_path, monkeypatch):
    """A folder to call `figure` in; its page is not executed."""

    def execute(source, target, parameters, environment):
        for name in (SVG, CSV):
            Path(environment["COMPENDIUM_FIGURES"], name).write_text("ours")

    monkeypatch.setattr(notebooks, "execute", execute)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


@pytest.mark.parametrize("name", [SVG, CSV])
@pytest.mark.parametrize("kind", ["file", "link", "dangling", "folder"])
def test_a_figure_is_written_over_nothing_unasked(drawing, capsys, name, kind):
    kept = drawing.parent / "kept"
    if kind == "folder":
        (drawing / name).mkdir()
    elif kind == "file":
        (drawing / name).write_text("mine")
    else:
        (drawing / name).symlink_to(kept)
        if kind == "link":
            kept.write_text("mine")
    snap = snapshot(drawing.parent)
    assert complaint(capsys, ["figure", "ctmc-fig-7"]).startswith(f"{drawing / name} ")
    assert snapshot(drawing.parent) == snap
    if kind == "folder":
        assert complaint(capsys, ["figure", "ctmc-fig-7", "--overwrite"]).endswith("cannot be written: Is a directory.")
        return
    assert main(["figure", "ctmc-fig-7", "--overwrite"]) == 0
    assert capsys.readouterr().out.split() == [str(drawing / SVG), str(drawing / CSV)]
    assert (drawing / SVG).read_text() == (drawing / CSV).read_text() == "ours"
    assert kind == "file" or (drawing / name).is_symlink() and kept.read_text() == "ours"


def test_what_comes_while_a_figure_is_drawn_stays(drawing, capsys, monkeypatch):
    execute = notebooks.execute

    def slowly(*words):
        execute(*words)
        (drawing / SVG).write_text("mine")

    monkeypatch.setattr(notebooks, "execute", slowly)
    assert "exists; give --overwrite" in complaint(capsys, ["figure", "ctmc-fig-7"])
    assert snapshot(drawing) == {SVG: b"mine"}


def notebook(path, *cells, **metadata):
    made = nbformat.v4.new_notebook(cells=list(cells), metadata=metadata)
    nbformat.write(made, path)
    return path


def test_executing_keeps_what_a_notebook_says_of_itself(tmp_path):
    text = nbformat.v4.new_markdown_cell("# Mine", id="a-title", metadata={"slideshow": {"slide_type": "slide"}})
    text.attachments = {"a.png": {"image/png": "AAAA"}}
    tags = {"tags": ["mine", "injected-parameters"], "collapsed": True, "execution": {"iopub.status.idle": "long ago"}}
    code = nbformat.v4.new_code_cell("1 + 1", id="the-sum", metadata=tags)
    kernel = {"name": "python3", "display_name": "Mine", "language": "python", "env": {"A": "1"}}
    told = {"kernelspec": kernel, "language_info": {"name": "python", "version": "3.9"}, "authors": [{"name": "Me"}]}
    path = notebook(tmp_path / "mine.ipynb", text, code, **told, papermill={"duration": 7})
    path.chmod(0o600)
    (tmp_path / "link.ipynb").symlink_to(path)
    assert main(["execute", str(tmp_path / "link.ipynb")]) == 0
    executed = nbformat.read(path, 4)
    assert executed.metadata == told
    assert [cell.id for cell in executed.cells] == ["a-title", "the-sum"]
    assert executed.cells[0].metadata == text.metadata and executed.cells[0].attachments == text.attachments
    assert executed.cells[1].metadata == {"tags": tags["tags"], "collapsed": True}
    assert executed.cells[1].outputs[0].data == {"text/plain": "2"}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and (tmp_path / "link.ipynb").is_symlink()
    first = path.read_bytes()
    assert main(["execute", str(path)]) == 0
    assert path.read_bytes() == first


def test_cells_without_names_are_numbered(tmp_path, capfd):
    cells = [nbformat.v4.new_markdown_cell("a"), nbformat.v4.new_code_cell("1"), nbformat.v4.new_raw_cell("b")]
    path = notebook(tmp_path / "old.ipynb", *cells)
    old = json.loads(path.read_text())
    old["nbformat_minor"] = 4
    for cell, name in zip(old["cells"], (None, "cell-1", None)):
        cell["id"] = name  # where there is one, the file is not quite valid, as many are
        if name is None:
            del cell["id"]
    path.write_text(json.dumps(old))
    assert main(["execute", str(path)]) == 0
    assert "invalid" not in capfd.readouterr().err
    executed = nbformat.read(path, 4)
    assert [cell.id for cell in executed.cells] == ["cell-2", "cell-1", "cell-3"]
    assert executed.metadata == notebooks.HOUSE


def test_a_page_has_the_metadata_of_the_house(tmp_path, monkeypatch):
    """Where an editor put the names of a machine into it, too. `test_notebooks` asks it of every page."""
    monkeypatch.setattr(places, "CHAPTERS", tmp_path)
    kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    told = {"kernelspec": kernel, "language_info": {"name": "python", "version": "3.11.7"}}
    path = notebook(tmp_path / "page.ipynb", nbformat.v4.new_code_cell("1", id="cell-1"), **told)
    notebooks.execute(path, path)
    assert nbformat.read(path, 4).metadata == notebooks.HOUSE


def test_what_a_cell_says_of_its_figure_is_kept(tmp_path):
    own = {"figure": {"align": "left"}, "number_source_lines": True}
    cell = nbformat.v4.new_code_cell("", metadata={"mystnb": own})
    data = {"image/svg+xml": "<svg/>"}
    described = {"clustershare": {"figure": "a-1.5", "caption": "A caption.", "alt": "Words."}}
    cell.outputs = [nbformat.v4.new_output("display_data", data, metadata=described)]
    notebooks.describe_figures(nbformat.v4.new_notebook(cells=[cell]))
    assert cell.metadata.mystnb == {
        "figure": {"align": "left", "caption": "A caption.", "name": "fig-a-1-5"}, "image": {"alt": "Words."},
        "number_source_lines": True,
    }  # fmt: skip


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_notebook_that_may_not_be_written_is_not(tmp_path, capsys):
    path = notebook(tmp_path / "mine.ipynb", nbformat.v4.new_code_cell("1"))
    path.chmod(0o400)
    assert complaint(capsys, ["execute", path]) == f"{path} cannot be written: Permission denied."


@pytest.mark.parametrize(
    "text",
    ["{}", "[]", "", "hello", "null", "7", "[" * 100_000, '{"nbformat": 99}', '{"nbformat": 4, "nbformat_minor": 5}',
     '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{}]}',
     '{"nbformat": 4, "nbformat_minor": 5, "metadata": [], "cells": []}', "\0"],
)  # fmt: skip
def test_what_is_no_notebook_is_told_in_a_sentence(text, tmp_path, capsys, monkeypatch):
    path = tmp_path / "no.ipynb"
    path.write_text(text)
    assert complaint(capsys, ["execute", path]).startswith(f"{path} is no notebook of Jupyter: ")
    assert path.read_text() == text
    monkeypatch.setattr(places, "CHAPTERS", tmp_path)
    assert complaint(capsys, ["figure", "ctmc-fig-7"]).startswith(f"{path} is no notebook of Jupyter: ")


LONG = "-" * 50_000 + "1"


@pytest.mark.parametrize(
    ("parameter", "sentence"),
    [
        (f"servers={LONG}", "servers must be a number, as 16 is on the page; got '-----"),
        (f"servers={'(' * 50_000}", "servers must be a number, as 16 is on the page; got '(((("),
        (f"servers={'[' * 500}{']' * 500}", "servers must be a number, as 16 is on the page; got "),
        (f"servers={'1' * 9_000}", "servers must be a number, as 16 is on the page; got '1111"),
        ("servers={[1]: 2}", "servers must be a number, as 16 is on the page; got '{[1]: 2}'."),
        ("servers=True", "servers must be a number, as 16 is on the page; got True."),
        ("servers=\0", "servers must be a number, as 16 is on the page; got '\\x00'."),
        (f"{'+' * 50_000}=1", "-p must be of the form name=value; got '+++++"),
        (f"{'a' * 50_000}=1", "parameter must be one of fidelity, servers, queue_capacity, "),
        ("servers=0", "servers must be an integer of at least 1; got 0."),
        ("servers=2000000", "With servers=2000000: largest must be an integer of at least 1 and at most 1000000; got"),
    ],
    ids=lambda word: word[:20].replace("\0", "nul"),
)  # fmt: skip
def test_a_strange_parameter_is_told_in_a_sentence(parameter, sentence, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert complaint(capsys, ["figure", "ctmc-fig-7", "-p", parameter]).startswith(sentence)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words", [["mutants", "nosuch"], ["mutants", LONG], ["figure", "x" * 50_000], ["book", "--fidelity", "x" * 50_000],
              ["results", "--sample", "7" * 50_000], ["execute", "x" * 50_000], ["book", "--output", "x" * 50_000],
              ["x" * 50_000], ["figure", "a", "--nonsense" * 9_000]]
)  # fmt: skip
def test_no_sentence_is_too_long_to_read(words, capsys):
    try:
        assert main(words) == 2
    except SystemExit as end:  # of argparse
        assert end.code == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines and max(map(len, lines)) <= 450


@pytest.mark.parametrize(
    ("module", "words", "sentence"),
    [
        ("numpy", ["scorecard"], "Interrupted; nothing was begun.\n"),
        ("nbformat", ["figure", "ctmc-fig-7"], "Interrupted; what was finished is kept.\n"),
    ],
)
def test_ctrl_c_while_it_begins_is_one_line(module, words, sentence, tmp_path):
    (tmp_path / f"{module}.py").write_text("import time\nprint('here', flush=True)\ntime.sleep(600)\n")
    lib = Path(places.__file__).parents[1]
    known = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(lib)])}
    begun = subprocess.Popen(
        [sys.executable, "-m", "compendium", *words], env=known, cwd=tmp_path,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert begun.stdout.readline() == "here\n"
    begun.send_signal(signal.SIGINT)
    assert begun.communicate(timeout=600)[1] == sentence
    assert begun.returncode == 130
