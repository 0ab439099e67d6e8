"""The built book, opened from disk in headless Chromium with the network off."""

import html
import os
import re
import shlex
import shutil
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest

from browser import DESK, PHONE
from compendium import places
from compendium.__main__ import _parameter, main
from compendium.press import book, claims, findings, gallery, notebooks
from executed_pages import tree
from test_look import PAGES


def test_the_book_holds_every_page(made):
    built = made.html()
    assert sorted(path.relative_to(built) for path in built.glob("chapters/**/*.html")) == PAGES
    assert {path.name for path in built.glob("*.html")} == {"index.html", "search.html"}  # no index that nobody reaches


def test_the_store_holds_what_the_book_needs(made):
    made.executed()
    assert sorted(path.name for path in made.output.glob("results/*.csv")) == []


def test_the_working_tree_is_as_it_was(made):
    before = made.tree_before()
    made.html()
    assert tree() == before, "building the book changed the working tree"


@pytest.mark.browser
def test_on_a_phone_a_formula_begins_at_the_left(made, visit):
    """On a desk it stands in the middle, with its number at the right of both."""
    path = made.html() / "chapters/share_scheduling/central/balance.html"
    places = """() => [...document.querySelectorAll("article div.math mjx-container[width='full']")].map(formula => {
                  const place = element => element.getBoundingClientRect();
                  const signs = [...formula.querySelectorAll("[data-table] use")].map(sign => place(sign).left);
                  return Math.min(...signs) - place(formula).left; })"""
    desk = visit.open(path).evaluate(places)
    phone = visit.open(path, window=PHONE).evaluate(places)
    assert len(desk) == len(phone) > 0
    assert min(desk) > 50 and max(phone) < 5


@pytest.mark.browser
def test_a_formula_in_the_text_that_does_not_fit_scrolls(made, visit):
    """On a window narrower than any phone."""
    page = visit.open(made.html() / "chapters/ledger/errata.html", window={"width": 200, "height": 400})
    wide = page.locator("article span.math.wide")
    assert wide.count() > 0
    assert wide.evaluate_all("all => all.every(formula => (formula.scrollLeft = 1000, formula.scrollLeft > 0))")
    assert wide.evaluate_all("all => all.every(formula => formula.tabIndex === 0)")
    page.set_viewport_size(DESK)
    page.wait_for_function("!document.querySelector('span.math.wide')", timeout=30_000)


@pytest.mark.browser
def test_a_chip_leads_into_the_record_which_is_folded(made, visit):
    page = visit.open(made.html() / "chapters/share_scheduling/distributed/workload.html")
    record, row = page.locator("details.record"), page.locator("#thesis-6-101")
    assert record.count() == 1 and not row.is_visible()
    assert record.locator("> summary").inner_text().startswith("What the sources state here, and whether it is so: ")
    chip = page.get_by_role("link", name="thesis-6-101: agrees in part")
    assert chip.locator("[aria-hidden]").inner_text() == "◐"
    chip.click()
    page.wait_for_function("document.querySelector('details.record')?.open")
    assert row.is_visible() and "agrees in part" in row.inner_text()
    assert not row.get_by_text("thesis-6-101").is_visible()
    row.locator("summary").click()
    assert row.get_by_text("thesis-6-101").is_visible()
    assert visit.faults == []


@pytest.mark.browser
def test_a_row_of_the_scorecard_leads_to_the_record_and_a_name_in_the_ledger_too(made, visit):
    built = made.html()
    page = visit.open(built / "chapters/ledger/scorecard.html")
    row = page.locator("table.scorecard #thesis-6-101")
    row.scroll_into_view_if_needed()
    row.get_by_role("link").click()
    page.wait_for_function("location.pathname.endsWith('workload.html') && document.querySelector('.record')?.open")
    assert page.locator("#thesis-6-101").is_visible()
    page = visit.open(built / "chapters/ledger/errata.html")
    torn = "links => links.filter(link => link.getClientRects().length > 1).length"
    assert page.locator(".claim-link").evaluate_all(torn) == 0  # none breaks at its hyphen
    page.get_by_role("link", name="balanced-017").first.click()
    page.wait_for_function("document.querySelector('details.record')?.open && document.getElementById('balanced-017')")
    assert page.locator("#balanced-017").is_visible()
    assert visit.faults == []


@pytest.mark.browser
def test_the_scorecard_is_filtered_and_sorted(made, visit):
    page = visit.open(made.html() / "chapters/ledger/scorecard.html")
    rows = page.locator("table.scorecard tbody tr")
    shown, every = rows.filter(visible=True), rows.count()
    page.get_by_label("Source and chapter").select_option("thesis-6")
    judged = {row["id"]: row["verdict"] for row in claims.table() if row["verdict"] != findings.OPEN}
    assert shown.count() == sum(name.startswith("thesis-6-") for name in judged)
    page.get_by_label("Verdict").select_option("agrees")
    wanted = [name for name, verdict in judged.items() if name.startswith("thesis-6-") and verdict == "agrees"]
    assert [row.get_attribute("id") for row in shown.all()] == wanted
    assert page.locator(".claims-filter output").inner_text() == f"{len(wanted)} of {every}"
    page.get_by_label("Verdict").select_option("")
    page.get_by_label("Source and chapter").select_option("")
    page.get_by_label("Words").fill("MULTICAST request")
    assert 0 < shown.count() < 10
    page.get_by_label("Words").fill("")
    page.get_by_role("button", name="claim", exact=True).click()
    first = rows.first.get_attribute("id")
    page.get_by_role("button", name="claim", exact=True).click()
    assert first == min(judged) and rows.last.get_attribute("id") == first
    assert visit.faults == []


def test_the_front_page_counts_the_verdicts(made):
    text = re.sub(r"<[^>]*>|\s+", " ", (made.html() / "chapters" / "index.html").read_text(encoding="utf-8"))
    verdicts = [row["verdict"] for row in claims.of_sources() if row["verdict"] != findings.BEYOND]
    ours = len(claims.table()) - len(verdicts)
    assert (
        f"{len(verdicts)} statements of the four works were checked: {verdicts.count(findings.AGREES)} agree" in text
    )
    assert f"{verdicts.count(findings.DIFFERS)} differ" in text and f"{ours} more are ours" in text


@pytest.mark.parametrize("path", notebooks.notebooks(), ids=lambda path: path.stem)
def test_beside_each_figure_its_picture_its_data_and_its_command(made, path):
    """And at the end of the page where it comes from."""
    built, page = made.html(), path.relative_to(places.ROOT).with_suffix(".html")
    text = (built / page).read_text(encoding="utf-8")
    assert f'<code class="docutils literal notranslate"><span class="pre">{page.with_suffix(".ipynb")}</span>' in text
    shown = [name for name, (where, *_) in gallery.captions().items() if where == path]
    drawn = made.gathered() / "figures"
    linked = [
        ((built / page).parent / link).resolve().relative_to(built.resolve())
        for link in re.findall(r'<a href="([^"]*)" download>', text)
    ]
    wanted = {
        f"{name}.{suffix}" for name in shown for suffix in ("svg", "csv") if (drawn / f"{name}.{suffix}").exists()
    }
    assert all((built / link).is_file() for link in linked)
    if path.stem == "figures" and path.parent.name == "ledger":
        return  # it lists those of all pages
    assert {link.name for link in linked} == wanted
    marked = re.findall(r'<span class="redraw">[^<]*<code[^>]*>(.*?)</code>', text, re.DOTALL)
    commands = [shlex.split(html.unescape(re.sub(r"<[^>]*>", "", command))) for command in marked]
    assert all(command[:4] == ["python", "-m", "compendium", "figure"] for command in commands)
    assert sorted(command[4] for command in commands) == sorted(shown)
    for options in (command[5:] for command in commands):
        notebooks.check_parameters(path, dict(map(_parameter, options[1::2])))
        assert set(options[::2]) <= {"-p"}


@pytest.mark.browser
def test_search_finds_figures_definitions_and_words(made, visit):
    """Each result with a line of its page, in which the words are marked."""
    built = made.html()

    def found(words):
        page = visit.open(built / "search.html", f"?q={words}")
        return [
            (item.locator("a").get_attribute("href"), item.locator("p")) for item in page.locator(".search li").all()
        ]

    assert found("Figure 5.7")[0][0].startswith("chapters/share_scheduling/central/equal_promises.html#")
    assert found("GPPS")[0][0].startswith("chapters/ledger/glossary.html#")
    pages = found("interruptions")
    assert any("three_servers" in page for page, _ in pages)
    assert pages[0][1].locator("mark").count() and all(len(line.inner_text()) > 20 for _, line in pages)
    assert found("zyzzyva") == []
    assert "No pages with" in visit.page.locator("#search-results").inner_text()
    assert visit.faults == []


@pytest.mark.browser
def test_figures_are_filtered_and_name_their_claims(made, visit):
    page = visit.open(made.html() / "chapters/ledger/figures.html")
    cards = page.locator(".catalogue .sd-card")
    shown = cards.filter(visible=True)
    assert shown.count() == cards.count() > 140
    page.get_by_label("Chapter", exact=True).select_option("5")
    page.get_by_label("Words").fill("ten processors load")
    titles = [card.locator(".sd-card-title").inner_text() for card in shown.all()]
    assert "Figure 5.7" in titles and all(
        title.startswith(("Figure 5.", "Table 5.", "Algorithm 5.")) for title in titles
    )
    card = shown.filter(has_text="Figure 5.7")
    assert card.get_by_role("link", name="thesis-5-037").count() == 1 and "CSV" in card.inner_text()
    page.get_by_label("Source", exact=True).select_option("Our own")
    assert shown.count() == 0
    page.get_by_label("Source", exact=True).select_option("")
    page.get_by_label("Part of the book").select_option(label="central")
    assert "Figure 5.7" in [card.locator(".sd-card-title").inner_text() for card in shown.all()]
    page.get_by_label("Part of the book").select_option(label="splitting")
    assert shown.count() == 0
    assert visit.faults == []


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links = []

    def handle_starttag(self, tag, attributes):
        self.links += [value for name, value in attributes if name in ("href", "src") and value]


def test_every_local_link_leads_somewhere(made):
    for path in [made.html() / page for page in PAGES]:
        parser = Links()
        parser.feed(path.read_text(encoding="utf-8"))
        found = {(address.scheme, address.path) for address in map(urlsplit, parser.links)}
        for scheme, link in sorted(found):
            if not scheme and link:
                assert (path.parent / unquote(link)).exists(), f"{path.name}: {link}"


def test_no_machine_is_named(made):
    for path in [made.html() / page for page in PAGES]:
        text = path.read_text(encoding="utf-8")
        for name in (Path.home(), places.ROOT, made.output):
            assert os.fspath(name) not in text, path.name


@pytest.fixture
def small_book(tmp_path, monkeypatch):
    """A project of one page, not executed, and a notebook of the ledger."""
    root = small_project(tmp_path / "project")
    use(root, monkeypatch)
    return root


def use(root, monkeypatch):
    """Let this project be the one that is built."""
    for name, path in (("ROOT", ""), ("CHAPTERS", "chapters"), ("DATA", "data"), ("RESULTS", "data/results")):
        monkeypatch.setattr(places, name, root / path)


def small_project(root):
    """The files of `small_book`."""
    for name in ("chapters/ledger", "figures", "data/results", "lib"):
        (root / name).mkdir(parents=True)
    shutil.copytree(places.ROOT / "assets", root / "assets")
    for name in ("_config.yml", "references.bib", "CITATION.cff"):
        shutil.copy(places.ROOT / name, root)
    (root / "data" / "figures.csv").write_text("id,source,page\n")
    (root / "_toc.yml").write_text(
        "format: jb-book\nroot: chapters/index\nchapters:\n  - file: chapters/ledger/count\n", encoding="utf-8"
    )
    # The ledger's page is executed after the others, whose files it finds.
    for path, title, source in (
        ("chapters/index.ipynb", "# One page", "open('seen', 'w').write('seen by the ledger'); 1234567 * 7"),
        ("chapters/ledger/count.ipynb", "# The ledger", "open('../seen').read()"),
    ):
        cells = [nbformat.v4.new_markdown_cell(title), nbformat.v4.new_code_cell(source)]
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}), root / path)
    return root


def test_a_wrong_committed_figure_is_noticed(tmp_path, small_book, capsys):
    """A build from nothing starts without figures, and each that it draws is compared with the committed one."""
    (small_book / "figures").mkdir(exist_ok=True)
    (small_book / "figures" / "old.svg").write_text("committed")
    assert main(["book", "--fresh", "--output", str(tmp_path / "output")]) == 1
    said = capsys.readouterr()
    assert said.out.splitlines()[-1] == "1 figures are not the committed ones"
    assert "old: not drawn" in said.err.splitlines()
    drawn, committed = tmp_path / "drawn", tmp_path / "committed"
    for folder in (drawn, committed):
        folder.mkdir()
        (folder / "same.svg").write_text("a")
        (folder / "changed.svg").write_text(folder.name)
    (drawn / "new.svg").write_text("b")
    assert book.figures_unlike(drawn, committed) == {"changed": "another", "new": "not committed"}


def test_two_builds_do_not_share_a_folder(tmp_path, small_book):
    output = tmp_path / "output"
    output.mkdir()
    with book._alone(output), pytest.raises(ValueError, match="Another build is under way in .*; wait for it"):
        book.build(output)
    with book._alone(output):
        pass


def test_the_command_line_executes_and_builds_the_same_to_the_last_byte(small_book, tmp_path, capsys):
    """Twice; what is printed slowly, to both streams, would be divided by chance."""
    lines = "import sys, time\nfor k in range(200):\n    print(k, file=(sys.stdout, sys.stderr)[k % 2])\n"
    lines += "    time.sleep(0.01)\nimport pandas\npandas.DataFrame({'a': [1.5]})"
    source, output = small_book / "chapters" / "index.ipynb", tmp_path / "two"
    page = nbformat.read(source, 4)
    page.cells += [nbformat.v4.new_code_cell(lines)]
    nbformat.write(page, source)
    committed = source.read_text()
    assert main(["book", "--output", str(tmp_path / "one")]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"The book is at {tmp_path / 'one' / 'html' / 'index.html'}"
    book.build(output)
    made = []
    for built in (tmp_path / "one" / "html", output / "html"):
        made.append({path.relative_to(built): path.read_bytes() for path in built.rglob("*") if path.is_file()})
    assert len(made[0]) > 20
    assert {path for path in made[0].keys() | made[1].keys() if made[0].get(path) != made[1].get(path)} == set()
    assert str(1234567 * 7) in (output / "html/chapters/index.html").read_text()
    assert "seen by the ledger" in (output / "html/chapters/ledger/count.html").read_text()
    assert source.read_text() == committed
    # A warning is an error, and leaves no book that looks finished.
    copy = output / "source/chapters/index.ipynb"
    copy.write_text(copy.read_text().replace("# One page", "# One page, {numref}`nowhere`"))
    with pytest.raises(RuntimeError, match="Jupyter Book failed:(.|\n)*nowhere"):
        book.typeset(output)
    assert not (output / "html").exists()
