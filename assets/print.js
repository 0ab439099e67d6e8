// The whole book as one page, to be printed: see lib/compendium/press/pdf.py, which writes each page as a template.
"use strict";

window.MathJax = {options: {enableMenu: false, processHtmlClass: "math"}};
const HOME = "file:///book/"; // stands for the folder of the built book
const templates = [...document.querySelectorAll("template[data-page]")];
const names = new Map(templates.map((template, place) => [template.dataset.page, `page-${place + 1}`]));

const element = (name, settings = {}, ...inside) => {
  const made = Object.assign(document.createElement(name), settings);
  made.append(...inside);
  return made;
};

// Where a link leads: to a place in the book, outside, or (null) to a file beside it, which paper does not have.
function inward(href, page) {
  const target = new URL(href, HOME + page);
  if (!target.href.startsWith(HOME)) return target.href;
  const name = names.get(target.pathname.slice(new URL(HOME).pathname.length));
  const place = decodeURIComponent(target.hash.slice(1));
  return name ? `#${name}${place && `-${place}`}` : null;
}

// The rows of the scorecard have names, and lead to the same claim on its page.
function link(table) {
  for (const row of table.tBodies[0].rows) {
    const [cell] = row.cells;
    row.id = cell.textContent.trim();
    const there = cell.querySelector("a");
    if (there) there.setAttribute("href", `${there.getAttribute("href")}#${row.id}`);
  }
}

// What touches a formula, such as a bracket or a comma, stays on its line: browsers break there.
function join(formula) {
  const before = formula.previousSibling?.nodeType === Node.TEXT_NODE && /\S+$/.exec(formula.previousSibling.data);
  const after = formula.nextSibling?.nodeType === Node.TEXT_NODE && /^\S+/.exec(formula.nextSibling.data);
  if (!before && !after) return;
  const joined = element("span", {className: "joined"});
  formula.replaceWith(joined);
  if (before) joined.previousSibling.deleteData(before.index, before[0].length);
  if (after) joined.nextSibling.deleteData(0, after[0].length);
  joined.append(before ? before[0] : "", formula, after ? after[0] : "");
}

function insert(template) {
  const {page, depth, part} = template.dataset;
  const name = names.get(page);
  const whole = document.importNode(template.content, true);
  whole.querySelectorAll("script, style, button, .headerlink, .beside-figure > a, .hide > summary").forEach((one) => one.remove());
  whole.querySelectorAll("details.hide").forEach((folded) => { folded.replaceWith(element("div", {className: "aside"}, ...folded.childNodes)); });
  whole.querySelectorAll("table.scorecard").forEach(link);
  whole.querySelectorAll("details").forEach((folded) => { folded.open = true; });
  whole.querySelectorAll("[id]").forEach((one) => { one.id = `${name}-${one.id}`; });
  whole.querySelectorAll("span.math").forEach(join);
  for (const image of whole.querySelectorAll("img")) {
    const source = new URL(image.getAttribute("src"), HOME + page).href;
    image.src = source.startsWith(HOME) ? `html/${source.slice(HOME.length)}` : source;
    image.loading = "eager";
  }
  for (const anchor of whole.querySelectorAll("a[href]")) {
    const href = inward(anchor.getAttribute("href"), page);
    if (href) anchor.setAttribute("href", href);
    else anchor.replaceWith(...anchor.childNodes);
  }
  for (const cell of whole.querySelectorAll("table.dataframe td")) {
    cell.classList.toggle("number", /^(?:[-−+±./\d\s%e]|,(?=\d{3}))*$/.test(cell.textContent));
  }
  const contents = document.getElementById("contents");
  if (part) contents.append(element("p", {className: "part"}, part));
  const title = whole.querySelector("h1").textContent.trim();
  const line = element("p", {className: `entry depth-${depth}`}, element("a", {href: `#${name}`}, title), element("span"));
  contents.append(line);
  template.replaceWith(element("section", {id: name, className: "page"}, whole));
}

// What is wider than the paper is made smaller until it is not.
function fit() {
  const shrink = (one, width, scale) => {
    const room = one.parentElement.getBoundingClientRect().width;
    for (let part = 1, turn = 0; turn < 8 && width() > room + 1; turn++) scale(part *= 0.99 * room / width());
  };
  for (const table of document.querySelectorAll("table")) {
    shrink(table, () => table.getBoundingClientRect().width, (part) => { table.style.zoom = part; });
  }
  for (const formula of document.querySelectorAll("mjx-container > svg")) {
    shrink(formula.parentElement, () => formula.getBoundingClientRect().width,
      (part) => { formula.parentElement.style.fontSize = `${100 * part}%`; });
  }
}

// What still stands out of the paper, by the page of the book.
function cut() {
  const edge = document.body.getBoundingClientRect().right + 2;
  return [...document.querySelectorAll("section.page *")].filter(
    (one) => !one.closest("mjx-assistive-mml") && one.getBoundingClientRect().right > edge
  ).map((one) => `${one.closest(".page").querySelector("h1").textContent}: ${one.textContent.trim().slice(0, 40) || one.tagName}`);
}

// The number of the sheet for each line of the contents.
function number(sheets) {
  for (const line of document.querySelectorAll("#contents .entry")) {
    line.lastChild.textContent = sheets[line.firstChild.getAttribute("href").slice(1)] ?? "";
  }
}

templates.forEach(insert);
