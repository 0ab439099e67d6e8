"""What is wrong with a page in a browser: each function gives the faults of one kind that it finds, in words."""

import re

LAPTOP = 800  # pixels of the height of its window


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
LOOKS = ["color-contrast", "link-in-text-block"]  # its rules of how an element looks, which cost the most


def faults_found(page, context=None, **options):
    """What axe-core finds of weight, of the rules named or of all."""
    from axe_playwright_python.sync_playwright import Axe

    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    run = "([context, options]) => axe.run(context ?? document, options)"
    found = page.evaluate(run, [context, {**AXE, **options}])
    weighty = [one for one in found["violations"] if one["impact"] in ("serious", "critical")]
    return [f"{one['id']}: {node['html']}" for one in weighty for node in one["nodes"]]


def ill_formed(page):
    """What axe-core finds of weight, but for how things look; see `illegible`."""
    return faults_found(page, rules={rule: {"enabled": False} for rule in LOOKS})


def mark_what_looks_alike(page):
    """Mark each element that stands where another stood: with the same tags, classes and styles all the way up, and
    with words of its own as that one, or without.

    Contrast, which is nine tenths of what axe-core takes for a page of tables, is the same for all of them. It looks
    into no formula either, whose thousands of strokes go now, after everything else was looked at.
    """
    page.evaluate(
        """() => {
             document.querySelectorAll("mjx-container").forEach(formula => formula.replaceChildren());
             const seen = new Set();
             const walk = (element, above) => {
               const look = ["class", "style"].map(name => element.getAttribute(name));
               const words = [...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
               const key = [above, element.tagName, ...look, words].join("|"), first = !seen.has(key);
               seen.add(key);
               const alike = [...element.children].filter(child => walk(child, key));
               if (!first && alike.length === element.children.length) return true;
               alike.forEach(child => child.setAttribute("data-alike", ""));
               return false; };
             walk(document.body, ""); }"""
    )


def illegible(page):
    """Text of too little contrast, and links that look like text: once for each way in which things look here."""
    return faults_found(page, {"include": [["html"]], "exclude": [["[data-alike]"]]}, runOnly=LOOKS)


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


def cut_code(page):
    """Lines of code, or of what it printed, that are not seen whole; folded cells are opened, and need not fade in."""
    cut = page.evaluate(
        """async () => { document.querySelectorAll("article details").forEach(folded => { folded.open = true; });
                   await new Promise(requestAnimationFrame);
                   document.getAnimations().forEach(one => one.finish());
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


def torn_percents(page):
    """Numbers whose percent sign stands in the next line."""
    torn = page.evaluate(
        """() => {
             const article = document.querySelector("article"), found = [];
             const texts = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
             while (texts.nextNode()) {
               const text = texts.currentNode;
               if (text.parentElement.closest("pre, script, [hidden]")) continue;
               for (const {index, 0: words} of text.data.matchAll(/\\d\\s%/g)) {
                 const range = document.createRange();
                 range.setStart(text, index); range.setEnd(text, index + words.length);
                 const boxes = [...range.getClientRects()].filter(box => box.width > 0);
                 if (new Set(boxes.map(box => Math.round(box.top))).size > 1) found.push(text.data.trim());
               }
             }
             return found; }"""
    )
    return [f"percent sign in the next line: {text}" for text in torn]


def uneven_columns(page):
    """Columns of lists, such as "1, 0", of which some cells begin on the left and others end on the right."""
    uneven = page.evaluate(
        """() => [...document.querySelectorAll("article table.dataframe")].flatMap(table => {
             if (table.tHead.rows.length > 1) return [];
             const columns = {};
             for (const row of table.tBodies[0].rows)
               [...row.querySelectorAll("td")].forEach((cell, place) => {
                 if (cell.textContent.trim()) (columns[place] ??= []).push(cell); });
             return Object.values(columns).filter(cells =>
               cells.some(cell => /\\d, \\d/.test(cell.textContent)) &&
               new Set(cells.map(cell => getComputedStyle(cell).textAlign.replace("start", "left"))).size > 1);
           }).map(cells => cells.map(cell => cell.textContent).join(" | "))"""
    )
    return [f"column of lists on both sides: {cells}" for cells in uneven]


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


def late_picture(page):
    """A page whose first picture, or thing to move, begins below the first screen of a laptop."""
    top = page.evaluate(
        """() => { window.scrollTo(0, 0);
             const shown = [...document.querySelectorAll("article :is(img, .explorable)")];
             const seen = shown.filter(one => one.checkVisibility());
             return seen.length ? seen[0].getBoundingClientRect().top : null; }"""
    )
    return [] if top is not None and top < LAPTOP - 200 else [f"the first picture begins at {top}"]
