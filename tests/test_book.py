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
from compendium.press import book, claims, gallery, notebooks
from executed_pages import tree

PAGES = sorted(
    path.relative_to(places.ROOT).with_suffix(".html")
    for path in (*notebooks.notebooks(), *places.CHAPTERS.rglob("*.md"))
    if ".ipynb_checkpoints" not in path.parts
)


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


def raw_tex(page):
    """Formulas that were not typeset, or not well."""
    missing = page.locator(".math").count() - page.locator(".math mjx-container").count()
    found = [f"{missing} formulas not typeset"] if missing > 0 else []
    if broken := page.locator("mjx-merror, [data-mjx-error]").count():
        found.append(f"{broken} formulas that MathJax does not understand")
    text = page.evaluate(
        """() => { const copy = document.querySelector("article").cloneNode(true);
                   copy.querySelectorAll("pre, code, mjx-container").forEach(e => e.remove());
                   return copy.textContent; }"""
    )
    raw = re.findall(r"\$\$|\\\(|\\\[|\\(?:frac|lambda|rho|mu|Delta|sum)\b|(?<!\d)\$[^\s$]+\$", text)
    return found + [f"raw TeX: {text}" for text in raw]


def poor_figures(page, expected):
    """Images that are not seen, not described or too wide, and figures without a caption."""
    images = page.evaluate(
        """async () => Promise.all([...document.querySelectorAll("article img")].map(async image => {
             image.loading = "eager";
             await image.decode().catch(() => {});
             image.scrollIntoView();
             return {source: image.getAttribute("src"), alt: image.getAttribute("alt") || "",
                     natural: image.naturalWidth, width: image.getBoundingClientRect().width,
                     visible: image.checkVisibility({visibilityProperty: true, opacityProperty: true})}; }))"""
    )
    captions = page.evaluate(
        """() => [...document.querySelectorAll("article figure")].map(
             figure => figure.querySelector("figcaption")?.innerText ?? "")"""
    )
    found = [] if len(images) >= expected else [f"{len(images)} images for {expected} figures"]
    for image in images:
        if not image["visible"] or image["natural"] <= 100 or not 0 < image["width"] <= page.viewport_size["width"]:
            found.append(f"not seen whole: {image}")
        if len(image["alt"].split()) < 5 or "/" in image["alt"]:
            found.append(f"not described: {image}")
    return found + [f"caption {text!r}" for text in captions if len(text.split()) <= 5]


AXE = {"resultTypes": ["violations"], "preload": False}  # it would ask for style sheets, which it may not from disk


def faults_found(page, context=None, **options):
    """What axe-core finds of weight, of the rules named or of all."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, context=context, options={**AXE, **options}).response
    weighty = [one for one in found["violations"] if one["impact"] in ("serious", "critical")]
    return [f"{one['id']}: {node['html']}" for one in weighty for node in one["nodes"]]


def mark_what_looks_alike(page):
    """Mark each element that stands where another stood, with the same tags, classes and styles all the way up.

    Contrast, which is nine tenths of what axe-core takes for a page of tables, is the same for all of them. It looks
    into no formula either, whose thousands of strokes go now, after everything else was looked at.
    """
    page.evaluate(
        """() => {
             document.querySelectorAll("mjx-container").forEach(formula => formula.replaceChildren());
             const seen = new Set();
             const walk = (element, above) => {
               const look = ["class", "style"].map(name => element.getAttribute(name));
               const key = [above, element.tagName, ...look].join("|"), first = !seen.has(key);
               seen.add(key);
               const alike = [...element.children].filter(child => walk(child, key));
               if (!first && alike.length === element.children.length) return true;
               alike.forEach(child => child.setAttribute("data-alike", ""));
               return false; };
             walk(document.body, ""); }"""
    )


def illegible(page):
    """Text of too little contrast, once for each way in which text looks here."""
    return faults_found(page, {"include": [["html"]], "exclude": [["[data-alike]"]]}, runOnly=["color-contrast"])


def overhang(page):
    """How far a page is wider than its window."""
    wider = page.evaluate("document.scrollingElement.scrollWidth - window.innerWidth")
    return [f"{wider} pixels wider than the window"] if wider > 1 else []


def cut_formulas(page):
    """Formulas on lines of their own that are wider than the text."""
    cut = page.evaluate(
        """() => [...document.querySelectorAll("article div.math")].filter(
             formula => formula.scrollWidth > formula.clientWidth + 2).map(formula => formula.textContent)"""
    )
    return [f"formula cut at the border: {formula}" for formula in cut]


def wide_formulas(page):
    """Formulas within the text that are wider than it: they break nowhere, so what is long is written as two."""
    wide = page.evaluate(
        """() => [...document.querySelectorAll("article span.math:has(svg)")].filter(formula =>
             formula.querySelector("svg").getBoundingClientRect().width > formula.clientWidth + 2
           ).map(formula => formula.textContent)"""
    )
    return [f"formula wider than the text: {formula}" for formula in wide]


def narrow_sentences(page):
    """Cells of tables of claims with sentences of which a line holds a word or two."""
    narrow = page.evaluate(
        """() => [...document.querySelectorAll("table.claims td")].filter(
             cell => cell.checkVisibility() && cell.clientWidth < window.innerWidth / 3 &&
                     cell.textContent.trim().split(/\\s+/).length > 8).map(cell => cell.textContent)"""
    )
    return [f"sentence in a narrow column: {text}" for text in narrow]


def lost_formulas(page):
    """Formulas on lines of their own of which a part is where no scrolling leads, as left of the page."""
    lost = page.evaluate(
        """() => [...document.querySelectorAll("article div.math mjx-container")].filter(formula => {
             const place = element => element.getBoundingClientRect();
             const seen = place(formula.parentElement), from = place(formula);
             const signs = [...formula.querySelectorAll("svg use, svg rect")].map(place);
             const first = Math.min(...signs.map(sign => sign.left)), last = Math.max(...signs.map(sign => sign.right));
             return from.left < seen.left - 1 || from.right > seen.right + 1 || first < from.left - 1 ||
                    last > from.left + formula.scrollWidth + 1;
           }).map(formula => formula.textContent || formula.parentElement.textContent)"""
    )
    return [f"part of a formula lost: {formula}" for formula in lost]


def counted_figures(page):
    """Captions that begin with a number of the book's own, beside that of the source."""
    seen = page.evaluate(
        """() => [...document.querySelectorAll("figcaption .caption-number")].filter(
             number => number.checkVisibility()).map(number => number.textContent.trim())"""
    )
    return [f"counted by the book: {number}" for number in seen]


def hidden_columns(page):
    """Tables that go on behind a border without a line under it that says so."""
    hidden = page.evaluate(
        """async () => { for (let frames = 3; frames; frames--) await new Promise(requestAnimationFrame);  // resized
             return [...document.querySelectorAll("article table")].filter(table => {
               let box = table;
               while (box.tagName !== "ARTICLE" && getComputedStyle(box).overflowX === "visible")
                 box = box.parentElement;
               if (!table.checkVisibility() || box.scrollWidth <= box.clientWidth + 1) return false;
               return !box.nextElementSibling?.matches(".goes-on") || !box.nextElementSibling.checkVisibility();
             }).map(table => table.rows[0].textContent.trim().replace(/\\s+/g, " ")); }"""
    )
    return [f"table goes on unseen: {words}" for words in hidden]


def glued_outputs(page):
    """Tables that follow what the same cell printed without a space."""
    glued = page.evaluate(
        """() => [...document.querySelectorAll("article .cell_output > .stream + .text_html")].filter(output =>
             output.getBoundingClientRect().top - output.previousElementSibling.getBoundingClientRect().bottom < 8
           ).map(output => output.previousElementSibling.textContent)"""
    )
    return [f"table glued under: {text}" for text in glued]


def miscounted_claims(page):
    """Buttons for the claims that agree whose words do not fit their number: "1 of 1", or "the 1 ... that agree"."""
    said = page.evaluate(
        """() => [...document.querySelectorAll("button.claims-fold")].map(button => {
             let table = button.previousElementSibling;
             while (!table.matches("table")) table = table.previousElementSibling;
             const agreeing = table.querySelectorAll("tr.agreeing").length;
             return [button.textContent, agreeing, table.tBodies[0].rows.length]; })"""
    )
    found = []
    for text, agreeing, rows in said:
        ends = "agrees" if agreeing == 1 else "agree"
        part = f"the {agreeing} of {rows} claims here that"
        whole = {1: "the claim here, which", 2: "both claims here, which"}.get(rows, f"all {rows} claims here, which")
        if text.partition(" ")[2] != f"{part if agreeing < rows else whole} {ends}":
            found.append(f"button of {agreeing} in {rows}: {text}")
    return found


def cut_code(page):
    """Lines of code, or of what it printed, that are not seen whole; folded cells are opened, and fade in.

    A fade that the page breaks off, as when the window has just become a phone's, is over too.
    """
    cut = page.evaluate(
        """async () => { document.querySelectorAll("article details").forEach(folded => { folded.open = true; });
                   await new Promise(requestAnimationFrame);
                   await Promise.allSettled(document.getAnimations().map(one => one.finished));
                   const blocks = [...document.querySelectorAll("article pre")];
                   return blocks.filter(block => block.scrollWidth > block.clientWidth + 1).map(
                     block => block.textContent.slice(0, 80)); }"""
    )
    return [f"code cut at the border: {text}" for text in cut]


def wrapped_code(page):
    """Blocks of code with a line that goes on in the next; folded cells are open, see `cut_code`.

    Examples in docstrings, on the pages of the library, have its own width.
    """
    wrapped = page.evaluate(
        """() => { const blocks = [...document.querySelectorAll("article div.highlight pre")];
                   const code = blocks.filter(block => !block.closest(".cell_output, dl.py"));
                   code.forEach(block => { block.style.whiteSpace = "pre"; });
                   const wide = code.filter(block => block.scrollWidth > block.clientWidth + 1);
                   code.forEach(block => { block.style.whiteSpace = ""; });
                   return wide.map(block => block.textContent.slice(0, 80)); }"""
    )
    return [f"line of code on two lines: {text}" for text in wrapped]


def torn_numbers(page):
    """Cells of numbers on more than one line."""
    torn = page.evaluate(
        """() => [...document.querySelectorAll("article td.number")].filter(cell => {
             const range = document.createRange(); range.selectNodeContents(cell);
             return new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1;
           }).map(cell => cell.textContent)"""
    )
    return [f"number on two lines: {text}" for text in torn]


def points_apart(page):
    """Columns of numbers whose points, or whose ±, do not stand under each other."""
    apart = page.evaluate(
        """() => {
             const left = (node, at) => { const range = document.createRange();
                                          range.setStart(node, at); range.setEnd(node, at + 1);
                                          return range.getBoundingClientRect(); };
             const place = (cell, mark) => {
               const walk = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
               for (let node = walk.nextNode(); node; node = walk.nextNode()) {
                 const text = node.textContent;
                 if (node.parentElement.matches(".unseen") || !text.trim()) continue;
                 if (text.includes(mark)) return left(node, text.indexOf(mark)).left;
                 if (mark === ".") return left(node, text.trimEnd().length - 1).right;
               }
               return null; };
             const found = [];
             for (const table of document.querySelectorAll("article table.dataframe"))
               for (const mark of [".", "±"]) {
                 const columns = {};
                 for (const row of table.tBodies[0].rows)
                   [...row.querySelectorAll("td")].forEach((cell, number) => {
                     if (!cell.matches(".number") || /[e%]/.test(cell.textContent)) return;
                     const x = place(cell, mark);
                     if (x !== null) (columns[number] ??= []).push([x, cell.textContent]); });
                 for (const column of Object.values(columns)) {
                   const places = column.map(([x]) => x), texts = column.map(([, text]) => text);
                   if (Math.max(...places) - Math.min(...places) > 1) found.push(texts.join(" | "));
                 }
               }
             return found; }"""
    )
    return [f"points apart: {column}" for column in apart]


def lost_first_columns(page):
    """Rows of a table that scrolls sideways whose name is gone at its end, or lets through what passes under it."""
    lost = page.evaluate(
        """() => [...document.querySelectorAll("article table.dataframe")].flatMap(table => {
             let box = table;
             while (box && box.tagName !== "ARTICLE" && box.scrollWidth <= box.clientWidth + 1) box = box.parentElement;
             if (!box || box.tagName === "ARTICLE") return [];
             box.scrollLeft = box.scrollWidth;
             const names = [...table.querySelectorAll("tbody th:first-child")];
             const gone = names.filter(name =>
               name.getBoundingClientRect().left < box.getBoundingClientRect().left - 1 ||
               /transparent|, 0\\)$/.test(getComputedStyle(name).backgroundColor));
             box.scrollLeft = 0;
             return gone.map(name => name.textContent); })"""
    )
    return [f"row without its name: {name}" for name in lost]


def empty_heads(page):
    """Tables whose head ends in two lines where one would do: where one has words the other has none."""
    found = page.evaluate(
        """() => [...document.querySelectorAll("article table.dataframe")].filter(table => {
             const lines = [...table.tHead.rows].slice(-2);
             const rows = lines.map(row => [...row.cells].map(cell => cell.textContent.trim()));
             return rows.length === 2 && rows[0].length === rows[1].length &&
                    rows[0].every((text, place) => !text || !rows[1][place]);
           }).map(table => table.tHead.textContent.trim().replace(/\\s+/g, " "))"""
    )
    return [f"two lines of a head: {words}" for words in found]


def unseen_verdicts(page):
    """Claims that are shown, but whose verdict is seen only after scrolling sideways."""
    unseen = page.evaluate(
        """() => [...document.querySelectorAll("table.claims:has(td:nth-child(6):last-child) tbody tr")].filter(
             row => row.checkVisibility() && row.lastElementChild.getBoundingClientRect().right > window.innerWidth + 1
           ).map(row => row.id)"""
    )
    return [f"verdict beyond the border: {name}" for name in unseen]


def disordered_verdicts(page):
    """Tables of claims in which a graver verdict stands under another, or what was corrected looks like what agrees."""
    tables = page.evaluate(
        """() => [...document.querySelectorAll("table.claims:not(.scorecard)")].filter(
             table => table.tHead.rows[0].lastElementChild.textContent === "verdict").map(
             table => [...table.tBodies[0].rows].map(row => {
               const cell = row.lastElementChild, style = getComputedStyle(cell.firstElementChild);
               return [cell.textContent.trim(), style.color + style.textDecorationLine]; }))"""
    )
    graver = [claims.DIFFERS, claims.CORRECTED, claims.PART, claims.UNDECIDABLE, claims.AGREES, claims.BEYOND]
    found = []
    for rows in tables:
        places = [graver.index(verdict) for verdict, _ in rows]
        looks = {verdict: look for verdict, look in rows}
        if places != sorted(places):
            found.append(f"verdicts in disorder: {[verdict for verdict, _ in rows]}")
        if claims.AGREES in looks and looks[claims.AGREES] == looks.get(claims.CORRECTED):
            found.append("corrected looks like agrees")
    return found


def figures_of(made, page):
    """The number of figures that the executed notebook of a page shows."""
    path = made.gathered() / page.with_suffix(".ipynb")
    if not path.exists():
        return 0
    outputs = [output for cell in nbformat.read(path, 4).cells for output in cell.get("outputs", [])]
    return sum("image/svg+xml" in output.get("data", {}) for output in outputs)


@pytest.mark.browser
@pytest.mark.parametrize("path", PAGES, ids=[path.stem if path.stem != "index" else path.parent.name for path in PAGES])
def test_a_page(made, visit, path):
    """It loads whole and asks nobody; formulas are typeset, figures seen and described, text legible; it fits.

    It is loaded once, and looked at by day, by night, and on a phone, whose colours are those of the day.
    """
    page, figures = visit.open(made.html() / path), figures_of(made, path)
    by_day = [*raw_tex(page), *cut_formulas(page), *poor_figures(page, figures), *overhang(page)]
    by_day += [*cut_code(page), *wrapped_code(page), *torn_numbers(page), *points_apart(page), *unseen_verdicts(page)]
    by_day += [*disordered_verdicts(page), *empty_heads(page), *lost_formulas(page), *hidden_columns(page)]
    by_day += [*glued_outputs(page), *miscounted_claims(page), *counted_figures(page)]
    page.set_viewport_size(PHONE)
    on_a_phone = [*raw_tex(page), *poor_figures(page, figures), *overhang(page)]
    on_a_phone += [*cut_code(page), *torn_numbers(page), *unseen_verdicts(page), *lost_first_columns(page)]
    on_a_phone += [*lost_formulas(page), *hidden_columns(page), *wide_formulas(page), *narrow_sentences(page)]
    page.set_viewport_size(DESK)
    mark_what_looks_alike(page)
    by_day += [*faults_found(page, rules={"color-contrast": {"enabled": False}}), *illegible(page)]
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    page.evaluate("async () => Promise.allSettled(document.getAnimations().map(one => one.finished))")  # colours fade
    by_night = [*poor_figures(page, figures), *illegible(page)]
    assert visit.faults == []
    assert {"day": by_day, "night": by_night, "phone": on_a_phone} == {"day": [], "night": [], "phone": []}


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
def test_what_agrees_is_folded_under_its_number(made, visit):
    page = visit.open(made.html() / "chapters/share_scheduling/distributed/workload.html")
    table = page.locator("table.claims").first
    verdicts = [row.locator("td").last.inner_text() for row in table.locator("tbody tr:visible").all()]
    assert verdicts == ["agrees in part"]
    page.get_by_role("button", name="Show the 2 of 3 claims here that agree").click()
    assert table.locator("tbody tr:visible").count() == 3
    page.get_by_role("button", name="Hide the 2 of 3 claims here that agree").click()
    assert table.locator("tbody tr:visible").count() == 1
    page.emulate_media(media="print")
    assert table.locator("tbody tr:visible").count() == 3
    page.emulate_media(media="screen")
    assert visit.faults == []


@pytest.mark.browser
def test_a_claim_leads_to_its_row_and_the_row_to_the_claim(made, visit):
    built = made.html()
    page = visit.open(built / "chapters/share_scheduling/distributed/workload.html")
    page.get_by_role("link", name="thesis-6-101").click()
    page.wait_for_function("document.querySelector('table.scorecard #thesis-6-101')")
    row = page.locator("table.scorecard").locator("#thesis-6-101")
    row.scroll_into_view_if_needed()
    row.get_by_role("link").click()
    page.wait_for_function("location.pathname.endsWith('workload.html') && document.getElementById('thesis-6-101')")
    assert page.locator("#thesis-6-101").is_visible()
    # An identifier in the text leads there too.
    page = visit.open(built / "chapters/ledger/errata.html")
    torn = "links => links.filter(link => link.getClientRects().length > 1).length"
    assert page.locator(".claim-link").evaluate_all(torn) == 0  # none breaks at its hyphen
    page.get_by_role("link", name="balanced-017").first.click()
    page.wait_for_function("location.pathname.endsWith('scorecard.html') && document.getElementById('balanced-017')")
    # A claim that agrees is unfolded for those who come for it.
    page = visit.open(built / "chapters/share_scheduling/distributed/workload.html", "#thesis-6-002")
    page.reload()
    assert page.locator("#thesis-6-002").is_visible()
    assert visit.faults == []


@pytest.mark.browser
def test_the_scorecard_is_filtered_and_sorted(made, visit):
    page = visit.open(made.html() / "chapters/ledger/scorecard.html")
    rows = page.locator("table.scorecard tbody tr")
    shown, every = rows.filter(visible=True), rows.count()
    page.get_by_label("Source and chapter").select_option("thesis-6")
    judged = {row["id"]: row["verdict"] for row in claims.table() if row["verdict"] != claims.OPEN}
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
    verdicts = [row["verdict"] for row in claims.table()]
    ours = verdicts.count(claims.BEYOND)
    assert (
        f"{len(verdicts) - ours} statements of the four works were checked: {verdicts.count(claims.AGREES)} agree"
        in text
    )
    assert f"{verdicts.count(claims.DIFFERS)} differ" in text and f"{ours} more are ours" in text


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
    assert {link.name for link in linked} == wanted and all((built / link).is_file() for link in linked)
    marked = re.findall(r'<span class="redraw">[^<]*<code[^>]*>(.*?)</code>', text, re.DOTALL)
    commands = [shlex.split(html.unescape(re.sub(r"<[^>]*>", "", command))) for command in marked]
    assert all(command[:4] == ["python", "-m", "compendium", "figure"] for command in commands)
    assert sorted(command[4] for command in commands) == sorted(shown)
    for options in (command[5:] for command in commands):
        notebooks.check_parameters(path, dict(map(_parameter, options[1::2])))
        assert set(options[::2]) <= {"-p"}


@pytest.mark.browser
def test_search_finds_a_word(made, visit):
    built = made.html()
    page = visit.open(built / "search.html", "?q=interruptions")
    page.wait_for_selector("#search-results li a[href*=three_servers]")  # results come one by one
    assert visit.faults == []
    visit.open(built / "search.html", "?q=zyzzyva").wait_for_selector("#search-results p")
    assert page.locator("#search-results li a").count() == 0
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
    root = tmp_path / "project"
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
    for name, path in (("ROOT", ""), ("CHAPTERS", "chapters"), ("DATA", "data"), ("RESULTS", "data/results")):
        monkeypatch.setattr(places, name, root / path)
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


def test_two_builds_are_the_same_to_the_last_byte(tmp_path, small_book):
    """What is printed slowly, to both streams, would be divided by chance."""
    lines = "import sys, time\nfor k in range(200):\n    print(k, file=(sys.stdout, sys.stderr)[k % 2])\n"
    lines += "    time.sleep(0.01)\nimport pandas\npandas.DataFrame({'a': [1.5]})"
    page = nbformat.read(small_book / "chapters" / "index.ipynb", 4)
    page.cells += [nbformat.v4.new_code_cell(lines)]
    nbformat.write(page, small_book / "chapters" / "index.ipynb")
    made = []
    for name in ("one", "two"):
        built = book.build(tmp_path / name).parent
        made.append({path.relative_to(built): path.read_bytes() for path in built.rglob("*") if path.is_file()})
    assert len(made[0]) > 20
    assert {path for path in made[0].keys() | made[1].keys() if made[0].get(path) != made[1].get(path)} == set()


def test_two_builds_do_not_share_a_folder(tmp_path, small_book):
    output = tmp_path / "output"
    output.mkdir()
    with book._alone(output), pytest.raises(ValueError, match="Another build is under way in .*; wait for it"):
        book.build(output)
    with book._alone(output):
        pass


def test_the_command_line_executes_and_builds(small_book, tmp_path, capsys):
    committed, output = (small_book / "chapters/index.ipynb").read_text(), tmp_path / "output"
    assert main(["book", "--output", str(output)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"The book is at {output / 'html' / 'index.html'}"
    assert str(1234567 * 7) in (output / "html/chapters/index.html").read_text()
    assert "seen by the ledger" in (output / "html/chapters/ledger/count.html").read_text()
    assert (small_book / "chapters/index.ipynb").read_text() == committed
    # A warning is an error, and leaves no book that looks finished.
    copy = output / "source/chapters/index.ipynb"
    copy.write_text(copy.read_text().replace("# One page", "# One page, {numref}`nowhere`"))
    with pytest.raises(RuntimeError, match="Jupyter Book failed:(.|\n)*nowhere"):
        book.typeset(output)
    assert not (output / "html").exists()
