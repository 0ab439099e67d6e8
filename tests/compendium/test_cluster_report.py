"""The command for somebody's own cluster: small logs, hostile names, wrong promises, and files that are theirs."""

import html.parser
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from clustershare.sizes import Exponential
from clustershare.workload import Laws
from compendium import places
from compendium.__main__ import main
from compendium.cluster_report import blocks, command, markdown, numbers, pictures
from compendium.cluster_report import html as page

HOSTILE = ("<script>alert(1)</script>", "a|b & *c* $x_1$ [l](u)", "quo\"te's")
FILES = {"report.html", "report.md", "policies.csv", ".made-by-compendium"}


@pytest.fixture(autouse=True)
def few(monkeypatch):
    """Few policies and replications: the models are tested in their own house."""
    asked = command.compare

    def compare(work, shares, servers, **more):
        chosen = ("FCFS", "fair share", "HPRS PS", "JSQ PS, migrating") if np.max(_needs(work)) == 1 else None
        return asked(work, shares, servers, replications=2, jobs=200, policies=chosen, **more)

    monkeypatch.setattr(command, "compare", compare)
    parted = command.partings
    monkeypatch.setattr(command, "partings", lambda *given, **more: parted(*given, replications=2, **more))


def _needs(work):
    return work.servers if hasattr(work, "servers") else [need for need, _ in work.needs]


@pytest.fixture
def there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(folder, names=("a", "b"), jobs=300, servers=1, separator=","):
    """A log with named columns, of a Poisson stream and exponential sizes."""
    work = Laws((1.6 / 900, 1.6 / 900, 0.2 / 900)[: len(names)], Exponential(900.0), names=names).draw(jobs, seed=1)
    rng = np.random.default_rng(2)
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    lines = [separator.join(("User", "Submit", "Elapsed", "NCPUS", "Timelimit"))]
    for arrival, size, group in zip(work.arrivals, work.sizes, work.groups, strict=True):
        need = int(rng.integers(1, servers + 1))
        lines.append(separator.join((quoted[group], f"{arrival:.3f}", f"{size:.3f}", str(need), "3600")))
    path = folder / "log.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


class Tables(html.parser.HTMLParser):
    """The rows of tables, and all that a page holds besides."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.tags, self.texts, self.ids, self.cell = [], [], [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.ids += [value for name, value in attrs if name == "id"]
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.cell = ""

    def handle_data(self, data):
        self.texts.append(data)
        if self.cell is not None:
            self.cell += data

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.rows[-1].append(" ".join(self.cell.split()))
            self.cell = None


def rows_of_markdown(text):
    rows = [line for line in text.splitlines() if line.startswith("| ") and not re.match(r"\| :?--", line)]
    cells = [re.split(r"(?<!\\)\|", row)[1:-1] for row in rows]
    return [[" ".join(re.sub(r"\\(.)", r"\1", cell).split()) for cell in row] for row in cells]


def run(*words):
    return main(["cluster", *map(str, words)])


def refused(capsys, *words):
    assert run(*words) == 2
    said = capsys.readouterr()
    (line,) = said.err.splitlines()
    assert said.out == ""
    return line


# --- What is written --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("servers", [1, 3])
def test_a_log_becomes_a_page_that_says_what_markdown_says(there, capsys, servers):
    assert run(written(there, HOSTILE, servers=servers), "--servers", 8) == 0
    folder = there / "cluster-report"
    assert {path.name for path in folder.iterdir()} == FILES | {"pictures"}
    text, plain = (folder / "report.html").read_text("utf-8"), (folder / "report.md").read_text("utf-8")
    seen = Tables(text)
    assert seen.rows == rows_of_markdown(plain) and len(seen.rows) > 30
    for name in HOSTILE:
        assert any(" ".join(name.split()) in row for row in seen.rows)
    assert "script" not in {tag for tag, _ in seen.tags} and "<script" not in re.sub(r"\\<", "", plain)
    out = capsys.readouterr().out
    assert out.startswith("300 jobs of 3 groups in 301 lines\nWhich policy? ") and str(folder / "report.html") in out
    # The answer stands first, in both.
    for where in (text.partition("<main>")[2], plain):
        assert 0 < where.index("Which policy?") < where.index("What is lost?") < where.index("How many servers?") < 2000
    pictured = {path.stem for path in (folder / "pictures").iterdir()}
    assert pictured >= {"load", "sizes", "cycle", "policies"} and ("servers" in pictured) == (servers > 1)
    assert sorted(re.findall(r"\(pictures/(\w+)\.svg\)", plain)) == sorted(pictured)


def test_the_page_is_for_every_reader(there):
    assert run(written(there), "--servers", 4) == 0
    text = (there / "cluster-report" / "report.html").read_text("utf-8")
    seen = Tables(text)
    assert ("html", {"lang": "en"}) in seen.tags and len(seen.ids) == len(set(seen.ids))
    svgs = [attrs for tag, attrs in seen.tags if tag == "svg"]
    assert len(svgs) >= 4 and all(attrs["role"] == "img" and len(attrs["aria-label"]) > 30 for attrs in svgs)
    scopes = {attrs.get("scope") for tag, attrs in seen.tags if tag == "th"}
    assert scopes == {"row", "col"}
    used = re.findall(r'(?:url\(#|href="#)([^")]+)', text)
    assert used and set(used) <= set(seen.ids)
    assert not re.search(r'(?:src|href)="(?!#)|@import|url\((?!#)', text.replace("http://www.w3.org", ""))
    assert "prefers-color-scheme: dark" in text and "width=device-width" in text


def test_the_same_log_gives_the_same_bytes(there):
    log = written(there)
    for name in ("one", "two"):
        assert run(log, "--servers", 4, "--output", there / name) == 0
    for path in (there / "one").rglob("*.*"):
        if path.is_file():
            assert path.read_bytes() == (there / "two" / path.relative_to(there / "one")).read_bytes(), path


def test_groups_are_numbered_where_nobody_is_to_be_named(there, capsys):
    log = written(there, ("alice", "bob"))
    log.write_text(log.read_text() + "alice,yesterday of bob,3,1,9\n")
    assert run(log, "--servers", 4, "--anonymous", "--promise", "alice=.4", "bob=.6") == 0
    said = capsys.readouterr().out
    texts = [said, *(path.read_text("utf-8") for path in (there / "cluster-report").rglob("*.*") if path.is_file())]
    for text in texts:
        assert not re.search("alice|bob|yesterday|log[.]csv", text)
    assert "group 1" in texts[1] + texts[2] and "1 left out" in said


def test_what_was_left_out_is_said(there, capsys):
    log = written(there)
    log.write_text(log.read_text() + "".join(f"a,{k},nonsense {k},1,9\n" for k in range(12)) + "a,9000,0,1,9\n")
    assert run(log, "--servers", 4) == 0
    said = capsys.readouterr().out
    assert "no job (rule: leave out): 12 left out" in said and "zero run time (rule: leave out): 1 left out" in said
    assert said.count("\nline ") == 10 and "'nonsense 3'" in said
    assert "nonsense 3" in (there / "cluster-report" / "report.md").read_text("utf-8")


def test_a_few_numbers_in_place_of_a_log(there):
    words = ("--promise", "a=.5", "b=.3", "c=.2", "--servers", 10, "--load")
    assert run(*words, ".8", "--variation", 4, "--mean", 60) == 0
    text = (there / "cluster-report" / "report.md").read_text("utf-8")
    assert "| a | 40.0 % | 50.0 % |" in text and "by replay" not in text and "There is no log" in text
    assert run(*words, "a=.3", "b=.3", "c=.1", "--needs", "1=.5", "4=.5", "--output", "other") == 0
    assert "| c | 10.0 % | 20.0 % |" in (there / "other" / "report.md").read_text("utf-8")


# --- What is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--promise", "a=.5", "x=.5"], "promise names 'x', which is no group; there are 'a', 'b'."),
        (["--promise", "a=1"], "promise must name every group; missing: 'b'."),
        (["--promise", "a=.5", "b=.4"], "promise must be of shares above 0 that sum to 1, not 0.9; got 'a=0.5 b=0.4'."),
        (["--promise", "a=.5", "a=.5"], "promise must be given once for 'a'; got 'a=.5'."),
        (["--promise", "a=half", "b=.5"], "promise of 'a' must be a number; got 'half'."),
        (["--promise", ".5"], "promise must be of the form name=number; got '.5'."),
        (["--deviation", "much"], "deviation must be a finite number; got 'much'."),
        (["--slowdown", "0"], "slowdown must be"),
        (["--servers", "-3"], "servers must be an integer of at least 1; got -3."),
        (["--load", ".5"], "load must be left out where there is a log; got ['.5']."),
        (["--groups", "account"], "groups must be None or a column of"),
    ],
)
def test_wrong_words_are_one_sentence(there, capsys, words, sentence):
    extra = [] if "--servers" in words else ["--servers", "4"]
    assert refused(capsys, written(there, jobs=30), *words, *extra).startswith(sentence)
    assert not (there / "cluster-report").exists()


def test_a_log_without_jobs_servers_or_groups_is_one_sentence(there, capsys):
    log = written(there, jobs=30)
    assert "given with --servers" in refused(capsys, log)
    log.write_text("User,Submit,Elapsed\na,1,x\na,2,0\n")
    assert "has no line that is fit to be a job" in refused(capsys, log, "--servers", 4)
    log.write_text("User,Submit,Elapsed\na,1,3\na,2,4\n")
    assert "one group only, 'a'" in refused(capsys, log, "--servers", 4)
    assert "cannot be read" in refused(capsys, there / "none", "--servers", 4)
    assert refused(capsys) == "Without a log, --promise and --load and --servers must be given."


def test_nothing_of_the_users_is_written_over(there, capsys):
    log, folder = written(there, jobs=40), there / "cluster-report"
    assert run(log, "--servers", 4) == 0
    assert run(log, "--servers", 5) == 0  # what the command made, it may make again
    (folder / "report.md").write_text("my notes")
    capsys.readouterr()
    assert "was not made here by this project, or was changed since" in refused(capsys, log, "--servers", 4)
    assert (folder / "report.md").read_text() == "my notes"
    other = there / "mine"
    (other / "pictures").mkdir(parents=True)
    (other / "pictures" / "cat.svg").write_text("cat")
    assert "cat.svg" in refused(capsys, log, "--servers", 4, "--output", other)
    assert "apart from the sources" in refused(capsys, log, "--servers", 4, "--output", places.ROOT / "data" / "x")
    assert {path.name for path in other.iterdir()} == {"pictures"}


def test_ctrl_c_ends_it_cleanly(there):
    log = written(there, jobs=200)
    (there / "sitecustomize.py").write_text(
        "import clustershare.workload as w\n"
        "def wait(*_, **__):\n    import time\n    print('here', flush=True)\n    time.sleep(600)\n"
        "w.compare = wait\n"
    )
    known = {**os.environ, "PYTHONPATH": os.pathsep.join([str(there), str(Path(places.__file__).parents[1])])}
    begun = subprocess.Popen(
        [sys.executable, "-m", "compendium", "cluster", log, "--servers", "4"], env=known, cwd=there,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert [begun.stdout.readline() for _ in range(2)] == ["200 jobs of 2 groups in 201 lines\n", "here\n"]
    begun.send_signal(signal.SIGINT)
    assert begun.communicate(timeout=600)[1].endswith("Interrupted; what was finished is kept.\n")
    assert begun.returncode == 130 and not list((there / "cluster-report").iterdir())


# --- Parts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [*HOSTILE, "\\", "a\nb", "- x", "1. x", "# x", "`x`", "&lt;", "~~x~~", "x\x00\ud800y"])
def test_a_text_is_shown_as_it_is(text):
    assert "".join(Tables(page.written(blocks.Paragraph(text))).texts) == text
    made = markdown.written(blocks.Paragraph(text))
    assert "\n" not in made and " ".join(re.sub(r"\\(.)", r"\1", made).split()) == " ".join(text.split())
    assert not re.match(r"[-+#>]|\d+[.]\s", made)


def test_a_picture_bears_any_name():
    names = [*HOSTILE, "x\x00y\x1b[0m", "ü" * 99]
    svg = pictures.loads(names, np.full(5, 0.1), np.full(5, 0.2))
    seen = Tables(svg)
    assert "script" not in {tag for tag, _ in seen.tags} and "\x00" not in svg and "\x1b" not in svg
    assert (
        "var(--ink" in svg
        and pictures.INK not in svg
        and "a|b & *c* $x_1$ [l](u)" in [one.strip() for one in seen.texts]
    )


def test_rows_have_an_entry_for_each_column():
    with pytest.raises(ValueError, match="2 entries"):
        blocks.Table("t", ("a", "b"), (("1",),))
    assert numbers.percent(float("inf")) == "∞" and numbers.times(float("nan")) == "–"
