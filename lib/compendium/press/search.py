"""A Sphinx extension: what the search of the book looks through, as a script beside its page.

A page that is opened from disk may not fetch others, and Sphinx's index holds no text. So a script hands over each
section of each page: its name as built, its title, its text, and what it defines or shows, which comes first.
``assets/search.js`` does the rest.
"""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

NAME = "searchtext.js"
SCRIPTS = r"\s*<script[^>]*(?:searchtools|language_data|searchindex)\.js[^>]*>\s*</script>"
LEFT_OUT = ("script", "style", "pre")
# Classes of what nobody looks for: numbers, formulas, links.
UNREAD = {"headerlink", "dataframe", "math", "beside-figure", "chip-name", "caption-number"}
BREAKS = ("p", "li", "td", "th", "dt", "dd", "figcaption", "div", "h1", "h2", "h3", "h4", "summary")
NAMED = ("strong", "dt")  # in which something is defined
VOID = ("img", "br", "hr", "input", "link", "meta", "source", "wbr", "col")


def setup(app):
    """What Sphinx calls."""
    app.connect("env-updated", index_nothing)
    app.connect("html-page-context", collect)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True}


def index_nothing(app, env):
    """Spare Sphinx the index that no page asks for: each page bears the field which says that it is not searched."""
    for page in env.all_docs:
        env.metadata[page]["nosearch"] = True


def collect(app, page, template, context, tree):
    """Keep the sections of a page that is about to be written, in a file: several processes write pages."""
    if tree is not None and page.startswith("chapters/"):
        parser = Sections()
        parser.feed(context["body"])
        title = re.sub(r"<[^>]*>", "", context["title"])
        kept = _kept(app, page)
        kept.parent.mkdir(parents=True, exist_ok=True)
        found = {"page": f"{page}.html", "title": title, "sections": parser.found()}
        kept.write_text(json.dumps(found, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def write(app, error):
    """Write the script, and let the search page run it in place of Sphinx's own."""
    page = Path(app.outdir, "search.html")
    if error or app.builder.name != "html" or not page.exists():
        return
    every = (_kept(app, name) for name in _in_order(app.env, app.config.root_doc))
    told = ",".join(kept.read_text(encoding="utf-8") for kept in every if kept.exists())
    Path(app.outdir, NAME).write_text(f"window.bookSections = [{told}];\n", encoding="utf-8")
    text, count = re.subn(SCRIPTS, "", page.read_text(encoding="utf-8"))
    if not count:
        raise RuntimeError("The search page does not run the scripts that it was known to run.")
    own = f'<script src="{NAME}"></script>\n<script src="_static/search.js"></script>\n'
    page.write_text(text.replace("</body>", f"{own}</body>"), encoding="utf-8")


def _kept(app, page):
    return Path(app.doctreedir, "sections", f"{page}.json")


def _in_order(env, page):
    """The pages of the book as its contents list them."""
    yield page
    for below in env.toctree_includes.get(page, ()):
        yield from _in_order(env, below)


class Sections(HTMLParser):
    """The sections of a page: name, title, text, and what they define or show."""

    def __init__(self):
        super().__init__()
        self._all, self._open, self._tags, self._silent = [], [], [], 0

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag in VOID:
            return
        self._tags.append(tag)
        if tag == "section" or given.get("id") == "record":  # the record is a section of its own
            self._tags[-1] = f"+{tag}"
            section = {"id": given.get("id", ""), "title": "", "text": "", "names": [], "captions": []}
            self._all.append(section)
            self._open.append(section)
        elif tag in LEFT_OUT or UNREAD.intersection((given.get("class") or "").split()):
            self._silent += 1
            self._tags[-1] = f"!{tag}"
        elif tag == "figcaption" and self._open:
            self._open[-1]["captions"].append("")
        elif tag in NAMED and self._open:
            self._open[-1]["names"].append("")
        if tag in BREAKS and self._open:
            self._open[-1]["text"] += " "

    def handle_endtag(self, tag):
        while self._tags:
            last = self._tags.pop()
            self._silent -= last.startswith("!")
            if last.startswith("+"):
                self._open.pop()
            if last.lstrip("!+") == tag:
                break

    def handle_data(self, text):
        if self._silent or not self._open:
            return
        section = self._open[-1]
        if self._tags and self._tags[-1] in ("h1", "h2", "h3", "h4"):
            section["title"] += text
            return
        section["text"] += text
        if any(tag in self._tags for tag in NAMED) and section["names"]:
            section["names"][-1] += text
        if "figcaption" in self._tags and section["captions"]:
            section["captions"][-1] += text

    def found(self):
        """The sections, their words with single blanks."""
        return [
            {
                "id": one["id"], "title": _plain(one["title"]), "text": _plain(one["text"]),
                "names": [_plain(name) for name in one["names"] if name.strip()],
                "captions": [_plain(caption) for caption in one["captions"]],
            }
            for one in self._all
        ]  # fmt: skip


def _plain(text):
    return " ".join(text.split())
