"""The list of figures: figures, tables and algorithms of the sources, and our own figures, each with its page."""

import csv
import functools
import re

from clustershare.arguments import fail
from compendium import places
from compendium.press import claims, notebooks

KINDS = {"fig": "Figure", "tab": "Table", "alg": "Algorithm"}
OURS = "ours"


def catalogue():
    """The rows of ``data/figures.csv`` as dictionaries; of a figure of ours the `source` is "ours"."""
    with open(places.DATA / "figures.csv", newline="", encoding="utf-8") as file:
        rows = [{name: value or "" for name, value in row.items()} for row in csv.DictReader(file)]
    return [row | {"source": OURS if row["id"].startswith("beyond-") else row["source"]} for row in rows]


@functools.cache
def captions():
    """Identifier: the page that shows the figure, and the caption there, without the identifier."""
    found = {}
    for path in notebooks.notebooks():
        for cell in notebooks.read(path).cells:
            figure = cell.metadata.get("mystnb", {}).get("figure")
            if figure:
                identifier = re.search(r"\(((?:[a-z]+-fig|[a-z]+-tab|beyond)-[^\s()]+)\)", figure["caption"])[1]
                caption = " ".join(figure["caption"].split())
                found[identifier] = path, caption.replace(f" ({identifier})", ""), figure["name"]
    return found


def number(identifier):
    """What a reader of the source would look for.

    Examples
    --------
    >>> [number(each) for each in ("thesis-fig-3.8", "balanced-fig-1a-rate", "beyond-in-turn", "beyond-jsq-excess")]
    ['Figure 3.8', 'Figure 1a, rate', 'In turn', 'JSQ excess']
    """
    source, kind, *rest = identifier.split("-")
    if source == "beyond":
        return " ".join([kind, *rest]).capitalize().replace("Jsq", "JSQ")
    return f"{KINDS[kind]} {', '.join(rest)}"


def cited(identifier):
    """The number with the authors of the source, or the name of a figure of ours.

    Examples
    --------
    >>> [cited(each) for each in ("thesis-fig-3.8", "ctmc-fig-7", "beyond-in-turn")]
    ['Thesis, Figure 3.8', 'Salameh and Wittevrongel, Figure 7', 'Our figure "In turn"']
    """
    source = identifier.partition("-")[0]
    if source == "beyond":
        return f'Our figure "{number(identifier)}"'
    return f"{claims.cited()[source]}, {number(identifier)}"


def missing():
    """Identifiers that no page shows, and for which ``data/figures.csv`` names neither a page nor a reason."""
    return [row["id"] for row in catalogue() if row["id"] not in captions() and not row["page"]]


class Gallery:
    """The figures, tables and algorithms of a source as small pictures that lead to their pages.

    Parameters
    ----------
    source : str
        As in ``data/sources.csv``, or "ours".

    Raises
    ------
    ValueError
        If there is no such source.
    """

    def __init__(self, source):
        known = (*claims.sources(), OURS)
        if source not in known:
            fail("source", source, f"one of {', '.join(known)}")
        self.rows = [row for row in catalogue() if row["source"] == source]

    def __repr__(self):
        return f"{len(self.rows)} figures, tables and algorithms"

    def _repr_markdown_(self):
        head = [":::::{grid} 1 2 3 3", ":gutter: 2", ":class-container: catalogue", ""]
        return "\n".join([*head, *map(self._card, self.rows), ":::::"])

    @staticmethod
    def _card(row):
        name, page = row["id"], row["page"]
        if name in captions():
            path, words, label = captions()[name]
            alt = f"Small picture of {number(name)}: {row['title']}".replace("/", " by ")
            picture = [f":img-top: ../../figures/{name}.svg", f":img-alt: {alt}", f":link: {label}", ":link-type: ref"]
            title = heading(path)
            words += _beside(name)
            picture.append(f":class-card: part-{path.parent.name}")  # by which the list is filtered
        else:
            words, path = row["title"], places.CHAPTERS / f"{page}.ipynb"
            stands = path.exists()
            picture = [f":link: /chapters/{page}", ":link-type: doc"] if stands else []
            title = heading(path) if stands else page or "To come"
        head = [f"::::{{grid-item-card}} {number(name)}", *picture, "", words, ""]
        about = " ".join(f"`{claim}`" for claim in claims_about(name))
        lines = [*head, ":::{card-footer}", f"{title} {about}", ":::", "::::"]
        return "\n".join([*lines, ""])


def _beside(name):
    """Links to a figure's files, and the command that draws it."""
    files = [suffix for suffix in ("svg", "csv") if (places.ROOT / "figures" / f"{name}.{suffix}").exists()]
    links = [f'<a href="../../_figures/{name}.{suffix}" download>{suffix.upper()}</a>' for suffix in files]
    return f' <span class="beside-figure">{" ".join(links)} <code>{name}</code></span>'


NAMED = re.compile(r"\b(Fig|Tab|Alg)[a-z]*\.? ((?:(?:, | and |, and |-)?(?:[A-Z]\.)?\d[\w.]*)+)")


@functools.cache
def claims_about(identifier):
    """The claims whose place in the source is a figure, or that name it: identifiers in the order of the table.

    Examples
    --------
    >>> claims_about("thesis-fig-3.5")[:2], claims_about("ctmc-fig-8")[-1]
    (['thesis-3-072', 'thesis-3-073'], 'ctmc-083')
    """
    return [row["id"] for row in claims.table() if identifier in figures_named(row["source"], row["location"])]


@functools.cache
def figures_named(source, location):
    """The figures, tables and algorithms that a place in a source names, as "Figs 4.10, 4.11" or "Figures 7-9"."""
    known, found = [row["id"] for row in catalogue()], set()
    for kind, numbers in NAMED.findall(location):
        for part in re.split(r", and |, | and ", numbers):
            first, _, last = part.strip(".").partition("-")
            whole = first.isdigit() and last.isdigit()
            for number in range(int(first), int(last) + 1) if whole else filter(None, (first, last)):
                name = re.escape(f"{source}-{kind.lower()}-{number}")
                found |= {one for one in known if re.fullmatch(rf"{name}(?:[a-z].*)?", one)}  # with a panel's letter
    return found


@functools.cache
def heading(path):
    """The first heading of a notebook."""
    return notebooks.read(path).cells[0].source.splitlines()[0].removeprefix("# ")
