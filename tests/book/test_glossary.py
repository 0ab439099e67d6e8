"""The glossary: it knows every acronym of the book, and each page leads to it where it first uses a term."""

import re
from html.parser import HTMLParser

import pytest
from sphinx.application import Sphinx

from compendium import places

# What is written in capitals and is no term: numerals, a slip of a source that the errata quote, the name of a program,
# what everybody knows, and the heads of NP-complete and RO-Crate.
NO_TERMS = {
    "II", "III", "GPSS", "LINE", "HTML", "JSON", "CSV", "GB", "EM", "NP", "RO", "DAS", "IEEE", "ISO", "LNCS",
}  # fmt: skip
ACRONYM = re.compile(r"(?<![\w-])[A-Z][A-Z-]*[A-Z]\d*(?!\w)")


class Prose(HTMLParser):
    """The running text of a page, with each link to the glossary as ``[term|text]``."""

    SILENT = {"pre", "code", "script", "style", "figure", "thead", "h1", "h2", "h3", "h4", "svg"}
    CLASSES = {"math", "cell_output", "cell_input", "headerlink", "reference", "footnote", "prev-next-footer", "toc"}
    CLASSES |= {"sig", "record"}  # the head of a function in the reference; what sources state, in their words
    VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "wbr"}

    def __init__(self, page):
        super().__init__()
        self.open, self.text = [], ""
        self.feed(page[page.index("<article") : page.rindex("</article>")])

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        classes = set((known.get("class") or "").split())
        linked = "glossary-link" in classes
        if linked:
            self.text += f"[{known['href'].partition('#')[2]}|"
        if tag not in self.VOID:
            self.open.append((tag, not linked and (tag in self.SILENT or bool(classes & self.CLASSES)), linked))

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            *_, linked = self.open.pop()
            self.text += "]" if linked else ""

    def handle_data(self, data):
        if not any(silent for _, silent, _ in self.open):
            self.text += data


def terms():
    """The terms of the glossary."""
    text = (places.CHAPTERS / "ledger" / "glossary.md").read_text(encoding="utf-8")
    return re.findall(r"^(\w.*)\n(?=  )", text.partition(":::{glossary}")[2], re.MULTILINE)


def pages(made):
    """Of each page but the glossary and the bibliography its running text, by its path."""
    built = made.html()
    paths = sorted(path for path in built.glob("chapters/**/*.html") if path.stem not in ("bibliography", "glossary"))
    return {str(path.relative_to(built)): Prose(path.read_text(encoding="utf-8")).text for path in paths}


def without_links(text):
    return re.sub(r"\[[\w-]+\|([^]]*)\]", r"\1", text)


def test_every_acronym_is_in_the_glossary(made):
    used = {name: path for path, text in pages(made).items() for name in ACRONYM.findall(without_links(text))}
    assert {name: path for name, path in used.items() if name not in {*terms(), *NO_TERMS}} == {}


def test_a_page_leads_to_the_glossary_where_it_first_uses_an_acronym(made):
    """There and nowhere else. What the still picture of a live cluster says goes when the cluster runs."""
    for path, text in pages(made).items():
        text = re.sub(r"A moment under \S+ drawn", "A moment drawn", text)
        links = re.findall(r"\[(term-[\w-]+)\|", text)
        assert len(links) == len(set(links)), path
        for name in filter(ACRONYM.fullmatch, terms()):
            first = re.search(rf"(?<![\w-]){name}(?!\w|-\w|\()", text)
            assert first is None or text[: first.start()].endswith(f"[term-{name}|"), f"{path}: {name}"


GLOSSARY = """# Glossary

:::{glossary}
GPPS
  Sharing: by groups. More of it.

PS
  Processor sharing; see PS.

capacity loss
  What is lost.

class
  Of jobs.
:::
"""
PAGE = """# GPPS and PS

`PS` is code, $PS$ is a formula, [PS](https://example.org) is a link already. *GPPS is* no PS; D-PS is another, and
so is PSX. GPPS again.
Capacity
losses of a class.
"""


@pytest.fixture(scope="module")
def small_pages(tmp_path_factory):
    source = tmp_path_factory.mktemp("book")
    (source / "index.md").write_text(f"{PAGE}\n```{{toctree}}\nglossary\n```\n")
    (source / "glossary.md").write_text(GLOSSARY)
    settings = {
        "extensions": ["myst_parser", "compendium.press.glossary_links"],
        "myst_enable_extensions": ["colon_fence", "dollarmath"],
    }
    app = Sphinx(source, None, source / "html", source / "trees", "html", confoverrides=settings, status=None)
    app.build()
    return {name: (source / "html" / f"{name}.html").read_text() for name in ("index", "glossary")}


def test_the_first_use_in_running_text_is_linked(small_pages):
    page = small_pages["index"]
    links = re.findall(r'<a class="glossary-link[^"]*" href="([^"]*)" title="([^"]*)">([^<]*)</a>', page)
    assert links == [
        ("glossary.html#term-GPPS", "Sharing: by groups.", "GPPS"),
        ("glossary.html#term-PS", "Processor sharing; see PS.", "PS"),
        ("glossary.html#term-capacity-loss", "What is lost.", "Capacity\nlosses"),
    ]
    assert re.search(r"GPPS</a> is</em> no <a[^>]*>PS</a>; D-PS is another, and\nso is PSX. GPPS again.", page)


def test_the_glossary_does_not_lead_to_itself(small_pages):
    assert "glossary-link" not in small_pages["glossary"]
