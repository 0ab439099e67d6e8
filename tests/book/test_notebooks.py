"""Every notebook is committed executed, and its one execution in a test run gives what is committed."""

import ast
import io
import re
import subprocess
import sys
import tokenize

import nbformat
import papermill
import pytest
from nbval import plugin as nbval

import proving
from compendium import places
from compendium.__main__ import main
from compendium.press import gallery, notebooks, page_proofs

NOTEBOOKS = notebooks.notebooks()
NAMES = [path.stem for path in NOTEBOOKS]


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def published(notebook):
    """The figures in the outputs of a notebook: their SVG by identifier."""
    outputs = [output for cell in code(notebook) for output in cell.outputs]
    return {
        output.metadata["clustershare"]["figure"]: "".join(output.data["image/svg+xml"])
        for output in outputs
        if "image/svg+xml" in output.get("data", {})
    }


def points(folder, identifier):
    """The data of a figure, numbers as they are compared; none where it is a diagram."""
    path = folder / f"{identifier}.csv"
    cells = [line.split(",") for line in path.read_text().splitlines()] if path.exists() else []
    return [[number(cell) for cell in line] for line in cells]


def number(cell):
    """To the digits that do not differ from run to run."""
    try:
        return pytest.approx(float(cell), rel=1e-6, abs=1e-9, nan_ok=True)
    except ValueError:
        return cell


def complaints(notebook):
    """What a good page does not put out."""
    outputs = [output for cell in code(notebook) for output in cell.outputs]
    return [output for output in outputs if output.output_type == "error" or output.get("name") == "stderr"]


def differences(session, committed, executed):
    """Where nbval finds the outputs of an executed copy to differ from the committed ones: its report of each cell.

    nbval decides what is compared and how, by the tags of the cells; only the execution is not its own.
    """
    page = nbval.IPyNbFile.from_parent(session, path=committed)
    page.setup_sanitize_files()
    found = []
    for item, cell in zip(page.collect(), code(nbformat.read(executed, 4)), strict=True):
        ours, theirs = nbval.coalesce_streams(cell.outputs), nbval.coalesce_streams(item.cell.outputs)
        if item.options["check"] and not item.options["skip"] and not item.compare_outputs(ours, theirs):
            found.append("\n".join([f"{committed.name}, {item.name}", *item.comparison_traceback]))
    return found


@pytest.mark.proof
@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_its_execution_gives_what_is_committed(path, made, request):
    """Text, tables and HTML as nbval compares them; figures byte for byte; glued values as numbers.

    Unless it is proven already.
    """
    copy = made.page(path)
    if made.taken(path):
        return
    executed, committed = nbformat.read(copy, 4), nbformat.read(path, 4)
    if found := differences(request.session, path, copy):
        pytest.fail("\n".join(found), pytrace=False)
    assert executed.metadata == committed.metadata == notebooks.HOUSE
    told, known = ([(cell.id, cell.metadata) for cell in page.cells] for page in (executed, committed))
    assert told == known
    assert complaints(executed) == []
    assert published(executed).keys() == published(committed).keys()
    for identifier, svg in published(executed).items():
        drawn = (made.gathered() / "figures" / f"{identifier}.svg").read_bytes()
        assert drawn == svg.encode() == (places.ROOT / "figures" / f"{identifier}.svg").read_bytes(), identifier
        assert points(made.gathered() / "figures", identifier) == points(places.ROOT / "figures", identifier)
    ours, theirs = notebooks.glued(executed), notebooks.glued(committed)
    assert ours.keys() == theirs.keys()
    for name, value in theirs.items():
        # The last bits of what a solver left over differ from run to run; what a page quotes does not.
        expected = value if isinstance(value, str) else pytest.approx(value, rel=1e-6, abs=1e-9, nan_ok=True)
        assert ours[name] == expected, name
    if proving.keeps():
        page_proofs.keep(made.row(path))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_it_is_committed_executed_from_top_to_bottom(path):
    notebook = nbformat.read(path, 4)
    cells = code(notebook)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert complaints(notebook) == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_its_figures_are_numbered_described_and_published(path):
    for cell in nbformat.read(path, 4).cells:
        for output in cell.get("outputs", []):
            if "image/svg+xml" in output.get("data", {}):
                described = output.metadata["clustershare"]
                assert cell.metadata["mystnb"]["figure"]["caption"] == described["caption"]
                assert cell.metadata["mystnb"]["image"]["alt"] == described["alt"]


def lines_of_code(source):
    """Lines that hold anything but comments, captions and other long texts.

    From Python 3.12 on a text with values in it is many tokens, of which the first counts, as its only one did before.
    """
    words = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    lines, inside = set(), 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if not inside and token.type not in words:
            lines.add(token.start[0])
        kind = tokenize.tok_name[token.type]
        inside += kind.endswith("STRING_START") - kind.endswith("STRING_END")
    return len(lines)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_it_is_thin(path):
    """What is folded (a drawing, imports) or not shown does not count."""
    left_out = {"hide-input", "remove-cell"}
    shown = [cell for cell in code(nbformat.read(path, 4)) if not left_out.intersection(cell.metadata.get("tags", []))]
    assert len(shown) <= 6
    assert sum(lines_of_code(cell.source) for cell in shown) <= 60  # about 40, and the brackets that close


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_each_of_its_parameters_can_be_given_on_the_command_line(path):
    """papermill sees one name a line: of two in one assignment it sees neither."""
    cells = [cell.source for cell in code(nbformat.read(path, 4)) if "parameters" in cell.metadata.get("tags", [])]
    names = {node.id for node in ast.walk(ast.parse("\n".join(cells))) if isinstance(node, ast.Name)}
    assert names <= set(papermill.inspect_notebook(str(path)))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_no_prose_is_commented_out_in_code(path):
    assert [cell.source for cell in code(nbformat.read(path, 4)) if "# #" in cell.source] == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["thesis-fig-99"], "figure must be one of .*such as thesis-fig-.*; got 'thesis-fig-99'"),
        (["thesis-fig-3.5", "-p", "load=abc"], "load must be a number, as 0.8 is on the page; got 'abc'"),
        (["thesis-fig-3.5", "-p", "load=True"], "load must be a number, as 0.8 is on the page; got True"),
        (["thesis-fig-3.5", "-p", "load={0.1, 0.2}"], "load must be a number, as 0.8 is on the page; got {0.1, 0.2}"),
        (["thesis-fig-3.5", "--fidelity", ""], "fidelity must be one of quick, book, paper; got ''"),
        (["thesis-fig-3.5", "-p", "speed=2"], "parameter must be one of .* for equal_shares.ipynb; got 'speed'"),
        (["thesis-fig-3.5", "-p", "load"], "-p must be of the form name=value; got 'load'"),
        (["thesis-fig-3.5", "--fidelity", "best"], "fidelity must be one of quick, book, paper; got 'best'"),
        (
            ["thesis-fig-3.5", "--fidelity", "quick", "-p", "load=1.2"],
            "arrival_rates must give a total load below 1; got 1.2",
        ),
    ],
)
def test_a_wrong_word_on_the_command_line_is_one_sentence(words, sentence, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["figure", *words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    (line,) = said.err.strip().splitlines()
    assert re.search(sentence, line), line
    assert not list(tmp_path.glob("*.svg"))


def test_a_figure_from_the_command_line(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["figure", "ctmc-fig-7", "--fidelity", "quick", "-p", "servers=4", "-p", "queue_capacity=2"]) == 0
    assert capsys.readouterr().out.split() == [str(tmp_path / f"ctmc-fig-7.{suffix}") for suffix in ("svg", "csv")]
    assert (tmp_path / "ctmc-fig-7.svg").read_text().startswith("<?xml")
    assert "blocking probability" in (tmp_path / "ctmc-fig-7.csv").read_text()


def test_figures_made_in_the_checkout_leave_it_clean():
    for name in ("thesis-fig-3.5.svg", "balanced-fig-1b-rate.csv"):
        assert subprocess.run(["git", "check-ignore", "-q", name], cwd=places.ROOT).returncode == 0, name
        assert subprocess.run(["git", "check-ignore", "-q", f"figures/{name}"], cwd=places.ROOT).returncode == 1, name


def test_who_waits_at_a_terminal_is_told_for_what(monkeypatch, tmp_path):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(notebooks, "execute", lambda *_: None)
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert main(["figure", "thesis-fig-3.5"]) == 0
    assert sys.stderr.getvalue() == "Executing chapters/share_scheduling/one_processor/equal_shares.ipynb ...\n"


def test_a_folder_in_the_place_of_a_figure_is_found_before_anything_is_computed(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(notebooks, "execute", None)
    (tmp_path / "ctmc-fig-7.csv").mkdir()
    assert main(["figure", "ctmc-fig-7"]) == 2
    assert capsys.readouterr().err == f"{tmp_path / 'ctmc-fig-7.csv'} cannot be written: Is a directory.\n"


def test_a_failing_cell_fails_the_build(tmp_path):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 / 0")])
    notebook.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(notebook, tmp_path / "failing.ipynb")
    before = (tmp_path / "failing.ipynb").read_bytes()
    with pytest.raises(RuntimeError, match="failing.ipynb: a cell failed with ZeroDivisionError"):
        notebooks.execute_all([tmp_path / "failing.ipynb"], [tmp_path / "failing.ipynb"])
    assert (tmp_path / "failing.ipynb").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["failing.ipynb"]


def test_what_is_printed_in_pieces_is_one_text(tmp_path):
    lines = "import sys, time\nfor k in range(4):\n    print(k, flush=True)\n    time.sleep(0.3)\n"
    lines += "print(4, file=sys.stderr)"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(lines)])
    notebook.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(notebook, tmp_path / "page.ipynb")
    notebooks.execute(tmp_path / "page.ipynb", tmp_path / "page.ipynb")
    (cell,) = nbformat.read(tmp_path / "page.ipynb", 4).cells
    assert [(output.name, output.text) for output in cell.outputs] == [("stdout", "0\n1\n2\n3\n"), ("stderr", "4\n")]


def test_a_figure_is_known_before_its_page_was_executed(tmp_path, monkeypatch):
    cell = nbformat.v4.new_code_cell('figures.draw(\n    "beyond-in-turn",\n)')
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "new.ipynb")
    monkeypatch.setattr(places, "CHAPTERS", tmp_path)
    assert notebooks.figures() == {"beyond-in-turn": tmp_path / "new.ipynb"}


def test_ctrl_c_is_one_line(monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(notebooks, "execute_all", interrupted)
    assert main(["execute"]) == 130
    assert capsys.readouterr().err == "Interrupted; what was finished is kept.\n"


def tables(path):
    """Of each output of a page what it shows: a table, or text where it has none; without tables of claims."""
    for cell in nbformat.read(path, 4).cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "papermill" not in "".join(data) and "claims" not in data.get("text/html", ""):
                yield data.get("text/html", data.get("text/plain", ""))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_tables_speak_to_readers(path):
    """No number that is none, no counting of rows, no names of code, no powers of ten as machines write them."""
    for text in tables(path):
        cells = re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", text, re.DOTALL)
        poor = r"True|False|-?inf|-0(\.0*)?( ±.*)?|[a-z]{2,}(_[a-z]{2,})+|.*\de[+-]?\d.*"
        assert [cell for cell in cells if re.fullmatch(poor, cell)] == []
        assert not re.search(r"<td>NaN</td>|dtype:", text)
        head = re.search(r"<thead>.*?</thead>", text, re.DOTALL)
        if head and head[0].count("<tr") == 1:  # with more, the index has a name
            assert re.findall(r"<tr>\s*<th>(.*?)</th>", text)[:2] != ["0", "1"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_formulas_are_not_shown_as_keyboards_write_them(path):
    """Nor truth values, in tables and printed lines; names of arguments only where a page shows an error about them, or
    between backquotes.
    """
    shown = re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", "".join(tables(path)), re.DOTALL)
    for cell in nbformat.read(path, 4).cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            shown.append(output.get("text", "") or data.get("text/plain", "") * (data.keys() == {"text/plain"}))
    poor = r"\^|\b(?:True|False|None|nan|inf|sqrt|rho|lambda)\b|\d(?:\.\d+)?e[-+]?\d|"
    poor += r"\b(?!memory_limit|arrival_rates|required_shares|permanent_jobs)[^\W\d_]+_\w"
    assert [text for text in shown if re.search(poor, re.sub("`[^`]+(`|$)", "", text))] == []


def test_no_two_pages_have_one_title():
    titles = [nbformat.read(path, 4).cells[0].source.splitlines()[0] for path in NOTEBOOKS]
    assert sorted(titles) == sorted(set(titles))


def test_every_figure_of_the_book_is_on_a_page_and_in_the_catalogue():
    with open(places.DATA / "figures.csv", encoding="utf-8") as file:
        known = {line.split(",", 1)[0] for line in file}
    committed = {path.stem for path in places.ROOT.joinpath("figures").glob("*.svg")}
    assert committed == notebooks.figures().keys()
    assert committed <= known
    assert committed == gallery.captions().keys()
    assert not gallery.missing()
