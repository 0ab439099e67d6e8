// What is folded opens for those who come for it; the scorecard is filtered and sorted, the list of figures filtered. Tables
// of numbers: which cells are numbers, and what fits. Without scripts all tables stand whole.
"use strict";

// An element of the page, and one of a drawing; for the other scripts too.
const element = (name, settings = {}, ...inside) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(settings)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...inside);
  return made;
};
const drawn = (name, settings, ...inside) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(settings)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
};
const text = (row, place) => row.cells[place].textContent.trim();
const verdict = (row) => text(row, row.cells.length - 1);
const number = (row) => text(row, 0).replace(/\d+/g, (digits) => digits.padStart(4, "0")); // 3.5 before 3.10

// What is folded opens for those who come for something within it.
function openForTarget() {
  const wanted = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!wanted) return;
  for (let folded = wanted.closest("details"); folded; folded = folded.parentElement.closest("details")) folded.open = true;
  wanted.scrollIntoView();
}

// A form before a place that shows some of many things: by choices, each a label and what a thing has of it, and by words.
function filterForm(place, choices, things) {
  const selects = choices.map(([label, of, told = (value) => value]) => {
    const values = [...new Set(things.map(of))].filter(Boolean);
    const options = values.map((value) => element("option", {value}, told(value)));
    return element("select", {ariaLabel: label}, element("option", {value: ""}, `${label}: all`), ...options);
  });
  const words = element("input", {type: "search", ariaLabel: "Words", placeholder: "Words"});
  const count = element("output", {ariaLive: "polite"});
  const apply = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const thing of things) {
      const fits = choices.every(([, of], number) => !selects[number].value || of(thing) === selects[number].value);
      const seen = fits && wanted.every((word) => thing.words.includes(word));
      thing.show(seen);
      shown += seen;
    }
    count.textContent = `${shown} of ${things.length}`;
  };
  for (const control of [...selects, words]) control.addEventListener("input", apply);
  place.before(element("form", {className: "claims-filter", onsubmit: () => false}, ...selects, words, count));
  apply();
}

// On the scorecard: by source and chapter, by verdict, by words; and sorted by a column. Faults: by how many are noticed.
function filter(table) {
  const faults = table.matches(".faults");
  const rows = [...table.tBodies[0].rows];
  for (const row of rows) {
    row.id = text(row, 0);
    const link = row.cells[0].querySelector("a");
    if (link) link.href = `${link.getAttribute("href")}#${row.id}`;
  }
  const things = rows.map((row) => ({
    part: text(row, 0).match(/^thesis-\w+|^[a-z]+/)[0], verdict: faults ? text(row, 4) : verdict(row), words: row.textContent.toLowerCase(),
    show: (seen) => { row.hidden = !seen; },
  }));
  filterForm(table, [
    ["Source and chapter", ({part}) => part, (part) => part.replace("thesis-", "thesis, Chapter ")],
    [faults ? "Notices" : "Verdict", (thing) => thing.verdict],
  ], things);
  [...table.tHead.rows[0].cells].forEach((head, place) => {
    const button = element("button", {type: "button"}, head.textContent);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const up = head.ariaSort !== "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const key = place ? (row) => text(row, place) : number;
      const sorted = [...rows].sort((one, other) => (up ? 1 : -1) * key(one).localeCompare(key(other)));
      table.tBodies[0].append(...sorted);
    });
  });
}

// On the page of all figures: by source, by chapter, by part of the book, by words.
function filterCards(grids) {
  const things = grids.flatMap((grid) => [...grid.querySelectorAll(".sd-card")].map((card) => ({
    source: grid.closest("section").querySelector("h2").firstChild.textContent.trim(),
    chapter: card.querySelector(".sd-card-title").textContent.match(/ ([A-Z\d]+)\./)?.[1],
    part: [...card.classList].find((name) => name.startsWith("part-")), words: card.textContent.toLowerCase(),
    show: (seen) => (card.closest(".sd-col") ?? card).classList.toggle("unwanted", !seen),
  })));
  filterForm(grids[0].closest("section"), [
    ["Source", ({source}) => source], ["Chapter", ({chapter}) => chapter],
    ["Part of the book", ({part}) => part, (part) => part.slice("part-".length).replaceAll("_", " ")],
  ], things);
}

// Numbers of a column, also those behind a ±, have their points under each other: what some have more of, the others
// have unseen.
const NUMBER = /^[-−+]?\d*\.?\d*$/;
const unseen = (characters) => element("span", {className: "unseen", ariaHidden: "true"}, characters);

function align(table) {
  const columns = new Map();
  for (const row of table.tBodies[0]?.rows ?? []) {
    const cells = [...row.querySelectorAll(":scope > td"), ...[...row.querySelectorAll(":scope > th")].slice(-1)];
    for (const [place, cell] of cells.entries()) {
      const key = cell.tagName === "TD" ? place : "index";
      const parts = cell.textContent.trim().split(/\s*±\s*/);
      if (parts[0] && parts.every((part) => NUMBER.test(part))) {
        columns.set(key, [...(columns.get(key) ?? []), [cell, parts.map((part) => part.split("."))]]);
      }
    }
  }
  for (const column of columns.values()) {
    const longest = (part, side) => Math.max(...column.map(([, parts]) => parts[part]?.[side]?.length ?? 0));
    const most = [0, 1].map((part) => [0, 1].map((side) => longest(part, side)));
    const paired = column.some(([, parts]) => parts.length > 1);
    for (const [cell, parts] of column) {
      cell.classList.add("number");
      const pieces = [];
      for (const part of paired ? [0, 1] : [0]) {
        const [whole, fraction = ""] = parts[part] ?? [""];
        const more = most[part][1] - fraction.length;
        if (part) pieces.push(part in parts ? " ± " : unseen(" ± "), unseen("0".repeat(most[1][0] - whole.length)));
        pieces.push((parts[part] ?? []).join("."), unseen((fraction || !more ? "" : ".") + "0".repeat(more)));
      }
      cell.replaceChildren(...pieces.filter((piece) => piece.textContent !== ""));
    }
  }
}

// The names of the rows' columns stand in a line of their own, under a line that is empty there: the two become one.
function joinHeads(table) {
  const [first, second] = [...(table.tHead?.rows ?? [])].slice(-2);
  if (!second || first.cells.length !== second.cells.length) return;
  const index = table.tBodies[0].rows[0]?.querySelectorAll("th").length ?? 0;
  const bare = (row, from, to) => ![...row.cells].slice(from, to).some((cell) => cell.textContent.trim());
  if (!bare(first, 0, index) || !bare(second, index)) return;
  for (let place = 0; place < index; place++) first.cells[place].replaceChildren(...second.cells[place].childNodes);
  first.classList.add("joined");
  second.remove();
}

// A column of words or lists, and be there a number among them, begins on the left, and so does its name. (What stands over the
// names of the rows is theirs only in a joined head: else it is that of the columns beside it.)
function setColumns(table) {
  const [head, more] = table.tHead?.rows ?? [];
  if (!head || more) return;
  for (let place = 1; place <= head.cells.length; place++) { // from the right: what spans rows is missing on the left
    const column = [...table.tBodies[0].rows].map((row) => row.cells[row.cells.length - place]);
    const cells = column.filter((cell) => cell?.textContent.trim());
    const numbers = cells.filter((cell) => cell.matches(".number, :has(> sup)"));
    const lists = cells.some((cell) => /\d, \d/.test(cell.textContent));
    if ((numbers.length * 2 >= cells.length && !lists) || (cells[0].tagName === "TH" && !head.matches(".joined"))) continue;
    head.cells[head.cells.length - place].classList.add("words");
    for (const cell of numbers) cell.classList.remove("number");
  }
}

// Words of a cell may break, but neither before a number ("group 1") nor within a ratio ("1 : 2").
function keepNumbers(table) {
  for (const cell of table.querySelectorAll("tbody :is(th, td):not(.number)")) {
    for (const part of cell.childNodes) {
      if (part.nodeType === Node.TEXT_NODE) part.data = part.data.replace(/(?<!,) (?=[\d:])|(?<=:) /g, "\u00a0");
    }
  }
}

// A table that is wider than the text is set smaller. Where that is not enough, it scrolls, and a line says so.
function fit(box) {
  const tables = box.matches("table") ? [box] : [...box.querySelectorAll("table:is(.dataframe, .table)")];
  if (!tables.length) return;
  const over = () => box.scrollWidth > box.clientWidth + 1;
  const set = (size, on) => tables.forEach((table) => table.classList.toggle(size, on));
  for (const size of ["tight", "tighter"]) set(size, false);
  for (const size of ["tight", "tighter"]) if (over()) set(size, true);
  const wide = over();
  if (wide) set("tighter", false); // it would not save it
  sayThatItGoesOn(box, wide, "More columns to the right: scroll the table. →");
  if (wide) box.tabIndex = 0;
}
// So is a formula on a line of its own.
function fitFormula(formula) {
  const over = () => formula.scrollWidth > formula.clientWidth + 1;
  formula.classList.remove("tight");
  formula.classList.toggle("tight", over());
  sayThatItGoesOn(formula.parentElement, over(), "The formula goes on to the right: scroll it. →");
  if (over()) formula.tabIndex = 0;
}
// One within the text scrolls too: it breaks nowhere.
function fitInline(formula) {
  const drawn = formula.querySelector("svg")?.getBoundingClientRect().width; // beside it is one to be read aloud, unseen
  const over = drawn > formula.clientWidth + 1;
  formula.classList.toggle("wide", over);
  if (over) formula.tabIndex = 0;
}
function sayThatItGoesOn(box, wide, words) {
  const said = box.nextElementSibling?.matches(".goes-on") ? box.nextElementSibling : null;
  if (wide && !said) box.after(element("p", {className: "goes-on"}, words));
  if (!wide) said?.remove();
}
const BOXES = ".cell_output > .output, .pst-scrollable-table-container, table.claims"; // what scrolls sideways
const FORMULAS = '.bd-article div.math > mjx-container[display="true"]';
function fitFormulas() {
  document.querySelectorAll(FORMULAS).forEach(fitFormula);
  document.querySelectorAll(".bd-article span.math").forEach(fitInline);
}
function fitAll() {
  document.querySelectorAll(BOXES).forEach(fit);
  fitFormulas();
}

// A line may break on both sides of a formula, even before its comma: the two stay together.
function keepMarks() {
  for (const math of document.querySelectorAll("article span.math")) {
    const after = math.nextSibling;
    const mark = after?.nodeType === Node.TEXT_NODE && after.data.match(/^[,.;:?!)”’]+/)?.[0];
    if (!mark) continue;
    after.data = after.data.slice(mark.length);
    const kept = element("span", {className: "kept"});
    math.before(kept);
    kept.append(math, mark);
  }
}

// A number and its "%" stand in one line.
function keepPercents() {
  const texts = document.createTreeWalker(document.querySelector("article") ?? document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (/\d %/.test(text.data) && !text.parentElement.closest("pre, script")) text.data = text.data.replace(/(?<=\d) %/g, "\u00a0%");
  }
}

function begin() {
  keepMarks();
  keepPercents();
  document.querySelectorAll("table.scorecard").forEach(filter);
  const grids = [...document.querySelectorAll(".catalogue")];
  if (grids.length) filterCards(grids);
  for (const toggle of document.querySelectorAll("summary")) {
    const above = toggle.parentElement.previousElementSibling; // in the list of contents: the page whose sections it opens
    if (!toggle.textContent.trim() && above) toggle.ariaLabel = `Sections of ${above.textContent.trim()}`;
  }
  for (const work of document.querySelectorAll('[role="list"] > [role="doc-biblioentry"]')) work.role = "listitem";
  for (const cell of document.querySelectorAll("table.dataframe td")) {
    cell.classList.toggle("number", !cell.querySelector("sup") && /^(?:[-−+±./\d\s%e]|,(?=\d{3}))*$/.test(cell.textContent));
  }
  document.querySelectorAll("table.dataframe").forEach(joinHeads);
  document.querySelectorAll("table.dataframe").forEach(align);
  document.querySelectorAll("table.dataframe").forEach(setColumns);
  document.querySelectorAll("table.dataframe").forEach(keepNumbers);
  fitAll();
  // A box has its new width only after the window's event; and what is changed while sizes are told would be told again.
  const resized = new ResizeObserver((boxes) => requestAnimationFrame(() => boxes.forEach((box) => fit(box.target))));
  document.querySelectorAll(BOXES).forEach((box) => resized.observe(box));
  window.addEventListener("resize", () => requestAnimationFrame(() => requestAnimationFrame(fitFormulas)));
  window.addEventListener("load", () => window.MathJax?.startup?.promise?.then(fitAll)); // formulas are set late
  for (const wide of document.querySelectorAll(`table, .cell_output, ${BOXES}`)) {
    if (wide.scrollWidth > wide.clientWidth + 1 && getComputedStyle(wide).overflowX === "auto") wide.tabIndex = 0;
  }
  openForTarget(); // the rows of the scorecard have their names only now
  window.addEventListener("hashchange", openForTarget);
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
else begin();
