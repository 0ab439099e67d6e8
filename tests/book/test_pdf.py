"""The book on paper: contents that lead where they say, links inward, nothing cut and nothing asked of any host."""

import os
import re
import shutil
import subprocess
import sys

import nbformat
import pytest
from pypdf import PdfReader

import test_book
from compendium import places
from compendium.__main__ import main
from compendium.press import book, ownership

pytestmark = pytest.mark.browser
small_book = test_book.small_book

TOC = """format: jb-book
root: chapters/index
parts:
  - caption: A part
    chapters:
      - file: chapters/wide
        sections:
          - file: chapters/ledger/count
"""
# Formulas, code and a table that are wider than the paper; links of every kind; an answer that is folded.
WIDE = f"""# What is wide

(here)=
## A formula

$${" + ".join(f"x_{{{k}}}^2" for k in range(60))} = 0$$

```python
{" + ".join(f"summand_{k}" for k in range(60))}
```

| {" | ".join(f"column{k}" for k in range(16))} |
| {" | ".join("---" for k in range(16))} |
| {" | ".join(f"entry{k}" for k in range(16))} |

```{{raw}} html
<details><summary>Question</summary><p>Answer</p></details>
```

[outside](https://example.org/page), {{doc}}`ledger/count`, {{ref}}`here`, {{doc}}`index`
"""
# Short tables, some of which end where a sheet does.
TABLES = "".join(
    "\n| table | row |\n| --- | --- |\n" + "".join(f"| table{k} | row{row} |\n" for row in range(7)) for k in range(20)
)


def printed(output, before=""):
    """Run the command in a process of its own, where no other test drives a browser; its exit code and errors."""
    code = "import sys, pathlib; from compendium import places; from compendium.press import pdf\n"
    code += f"places.ROOT = pathlib.Path({str(places.ROOT)!r}); {before}\n"
    code += "from compendium.__main__ import main; sys.exit(main(['pdf', '--output', sys.argv[1]]))"
    command = [sys.executable, "-c", code, str(output)]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stderr


@pytest.fixture(scope="module")
def typeset_once(tmp_path_factory):
    """A project of three pages, and the folder where it is typeset."""
    folder = tmp_path_factory.mktemp("printed")
    project, output = test_book.small_project(folder / "project"), folder / "output"
    (project / "_toc.yml").write_text(TOC, encoding="utf-8")
    (project / "chapters" / "wide.md").write_text(WIDE + TABLES, encoding="utf-8")
    page = nbformat.read(project / "chapters" / "index.ipynb", 4)
    page.cells += [nbformat.v4.new_markdown_cell("To {ref}`here`, and $a_1$.\n\n" * 60)]
    nbformat.write(page, project / "chapters" / "index.ipynb")
    output.mkdir()
    with pytest.MonkeyPatch.context() as monkeypatch:
        test_book.use(project, monkeypatch)
        book.gather(output)
        book.typeset(output)
    return project, output


@pytest.fixture
def built(typeset_once, tmp_path, monkeypatch):
    """The book of three pages, typeset, in a folder of the test's own."""
    project, output = typeset_once
    test_book.use(project, monkeypatch)
    return shutil.copytree(output, tmp_path / "output")


def test_contents_and_links_lead_where_they_say(built, chromium_path):
    assert printed(built) == (0, "")
    first = (built / "book.pdf").read_bytes()
    assert first.startswith(b"%PDF-1.5")
    reader = PdfReader(built / "book.pdf")
    sheets = [page.extract_text() for page in reader.pages]
    assert "Contents" in sheets[1] and "A part" in sheets[1]
    lines = re.findall(r"^(One page|What is wide|The ledger)\s+(\d+)$", sheets[1], re.M)
    assert [title for title, _ in lines] == ["One page", "What is wide", "The ledger"]
    for title, number in lines:
        assert sheets[int(number) - 1].startswith(f"{number}\n{title}")  # under each sheet stands its number
    assert int(lines[1][1]) > int(lines[0][1]) + 1  # a page of the book is several of paper
    links = [note.get_object() for page in reader.pages for note in page.get("/Annots", [])]
    assert {link["/A"]["/URI"] for link in links if "/URI" in link.get("/A", {})} == {"https://example.org/page"}
    inward = [link["/Dest"] for link in links if "/Dest" in link]
    assert len(inward) == len(links) - 1 and len(inward) >= 3 + 60 + 3
    assert {name for name in inward if name not in reader.named_destinations} == set()
    whole = "".join(sheets)
    assert "Answer" in whole and "summand_59" in whole.replace("\n", "") and "entry15" in whole.replace("\n", "")
    assert [entry.title for entry in reader.outline if not isinstance(entry, list)][-3:] == [
        title for title, _ in lines
    ]
    for k in range(20):  # each on one sheet
        (sheet,) = [sheet for sheet in sheets if f"table{k}\n" in sheet.replace(" ", "\n")]
        assert sheet.replace(" ", "\n").count(f"table{k}\n") == 7
    assert printed(built) == (0, "")
    assert (built / "book.pdf").read_bytes() == first, "two prints differ"
    assert sorted(path.name for path in built.iterdir() if path.is_file()) == [ownership.LIST, "book.pdf"]


@pytest.mark.parametrize(
    ("inserted", "sentence"),
    [
        ('<p style="width: 2000px">broad</p>', "Wider than the paper: What is wide: broad\n"),
        (
            '<p><img src="http://127.0.0.1:9/x.png"><img src="../_images/lost.png"></p>',
            "A page asks for what is not there: (?=.*http://127.0.0.1:9/x.png)(?=.*file://[^;]*lost.png)",
        ),
    ],
)
def test_what_is_cut_or_missing_fails(built, chromium_path, inserted, sentence):
    page = built / "html" / "chapters" / "wide.html"
    page.write_text(page.read_text().replace("<details>", f"{inserted}<details>"))
    code, said = printed(built)
    assert code == 1 and re.match(sentence, said), said
    assert not (built / "book.pdf").exists()


def test_without_a_browser_that_can(tmp_path, chromium_path, monkeypatch, capsys):
    """One line, before anything is built."""
    nothing = "The book was not printed: install Chromium (on Debian, apt-get install chromium).\n"
    with monkeypatch.context() as without:
        without.setenv("PATH", "/nowhere")
        assert main(["pdf", "--output", str(tmp_path / "output")]) == 1  # no browser is driven
    assert capsys.readouterr().err == nothing
    code, said = printed(tmp_path / "output", before="pdf.OLDEST = 9999")
    assert code == 1
    assert re.fullmatch(r"The book was not printed: Chromium 9999 is needed, here is [\d.]+\.\n", said)
    assert not (tmp_path / "output").exists()


def test_a_book_that_is_older_than_a_page_is_not_current(small_book, tmp_path):
    assert not book.is_current(tmp_path / "output")
    (tmp_path / "output" / "html").mkdir(parents=True)
    page = tmp_path / "output" / "html" / "index.html"
    page.touch()
    os.utime(page, (2**31, 2**31))  # later than all that was made in the same moment
    assert not book.is_current(tmp_path / "output"), "it was not built here"
    ownership.record(tmp_path / "output", "html")
    assert book.is_current(tmp_path / "output")
    for left, current in (("lib/__pycache__/x.pyc", True), ("lib/x.egg-info/y", True), ("chapters/new.md", False)):
        (small_book / left).parent.mkdir(exist_ok=True)
        (small_book / left).touch()
        os.utime(small_book / left, (2**32, 2**32))
        assert book.is_current(tmp_path / "output") is current, left
    assert places.ROOT == small_book
