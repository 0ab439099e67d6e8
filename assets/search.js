// The search of the book, from disk too: window.bookSections holds the text (lib/compendium/press/search.py). A result is a
// page, by its best section, with a line of its text.
"use strict";

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
// A word may go on ("share": "shares"), a number may not ("5.7" is not "5.70").
const pattern = (words) => new RegExp(`(?<![\\p{L}\\d])${escaped(words)}${/\d$/.test(words) ? "(?![\\d]|\\.\\d)" : ""}`, "giu");
const whole = (words) => new RegExp(`(?<![\\p{L}\\d])${escaped(words)}(?![\\p{L}\\d])`, "iu");

// How well a section answers: a figure of that name before a definition, a title before the text.
function score(page, section, phrase, words) {
  const text = `${page.title} ${section.title} ${section.text}`;
  if (!words.every((word) => pattern(word).test(text))) return 0;
  const exactly = whole(phrase);
  let points = 1;
  if (section.captions.some((caption) => pattern(phrase).test(caption.split(/\.\s/)[0]))) points += 1000;
  const names = section.names.filter((name) => exactly.test(name));
  const defined = names.some((name) => name.length < phrase.length + 3);
  points += defined ? (page.page.endsWith("glossary.html") ? 900 : 300) : names.length ? 150 : 0;
  if (exactly.test(page.title)) points += 200;
  if (exactly.test(section.title)) points += 100;
  points += 2 * Math.min(10, text.match(pattern(phrase))?.length ?? 0);
  return points + words.reduce((sum, word) => sum + Math.min(3, text.match(pattern(word))?.length ?? 0), 0);
}

// A line of the text around the first place where it fits, with the words marked.
function line(section, phrase, words) {
  const source = section.captions.find((caption) => pattern(phrase).test(caption)) ?? section.text;
  const place = [phrase, ...words].map((one) => source.search(pattern(one))).find((found) => found >= 0) ?? 0;
  const from = place > 60 ? source.indexOf(" ", place - 60) + 1 : 0;
  const shown = source.slice(from, from + 170).replace(/\s\S*$/, "");
  const made = document.createElement("p");
  const marks = new RegExp(`(${[phrase, ...words].map((one) => pattern(one).source).join("|")})`, "giu");
  made.append(from ? "… " : "", ...shown.split(marks).filter(Boolean).map((piece) => {
    if (!new RegExp(`^(?:${marks.source})$`, "iu").test(piece)) return piece;
    return Object.assign(document.createElement("mark"), {textContent: piece});
  }), " …");
  return made;
}

function find(query) {
  const phrase = query.trim().replace(/\s+/g, " "), words = phrase.split(" ").filter(Boolean);
  if (!words.length) return [];
  const found = window.bookSections.map((page, order) => {
    const sections = page.sections.map((section) => [score(page, section, phrase, words), section]);
    const [best, section] = sections.reduce((one, other) => (other[0] > one[0] ? other : one), [0, null]);
    return {page, section, points: best + Math.min(20, sections.filter(([points]) => points).length), best, order};
  });
  return found.filter(({best}) => best).sort((one, other) => other.points - one.points || one.order - other.order)
    .map((one) => ({...one, line: line(one.section, phrase, words)}));
}

function show() {
  const box = document.getElementById("search-results");
  const query = new URLSearchParams(location.search).get("q") ?? "";
  if (!box || !query.trim()) return;
  const found = find(query);
  const head = document.createElement("p"); // the theme hides a heading here
  head.textContent = `${found.length || "No"} ${found.length === 1 ? "page" : "pages"} with “${query}”`;
  const list = document.createElement("ul");
  list.className = "search";
  for (const {page, section, line} of found) {
    const item = document.createElement("li");
    const link = Object.assign(document.createElement("a"), {href: `${page.page}#${section.id}`});
    link.textContent = section.title && section.title !== page.title ? `${page.title}: ${section.title}` : page.title;
    item.append(link, line);
    list.append(item);
  }
  box.replaceChildren(head, list);
  for (const field of document.querySelectorAll("input[name=q]")) field.value = query;
}

show();
