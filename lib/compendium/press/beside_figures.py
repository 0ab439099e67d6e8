"""A Sphinx extension: under each figure its picture, its data and the command that draws it again.

Captions begin as a reader of the source would look for them, and a page ends with the record of its claims and with
where it comes from. All this stands
in the built book alone: the notebooks stay as they are committed.
"""

import json
import os
import shlex
from collections import Counter
from pathlib import Path

import papermill

from compendium.press import claims, proofs, record
from compendium.press.called import called
from compendium.press.depends import parameters_of
from compendium.press.findings import AGREES, BEYOND, CORRECTED, DIFFERS, PART, UNDECIDABLE
from compendium.press.gallery import cited

FOLDER = "_figures"  # of the built book
USE = "chapters/use.md"
SHOWN = ("```{image}", 'class="explorable')  # what a page begins with by itself
RUNNING = "```{live}"  # begins a page too, and leaves the figure to the words under it


def setup(app):
    """What Sphinx calls."""
    app.connect("config-inited", count)
    app.connect("source-read", add)
    return {"parallel_read_safe": True}


TOTALS = {
    AGREES: "agree", PART: "part", CORRECTED: "corrected", DIFFERS: "differ",
    UNDECIDABLE: "undecidable",
}  # fmt: skip


def count(app, config):
    """Let pages say how many claims of sources have each verdict: ``{{ claims_agree }}``, and ``{{ claims_all }}``.

    Those that are ours are none of these, but ``{{ claims_beyond }}``: all others.

    Of those that agree in part, ``{{ claims_mostly }}`` do so on more than nine tenths of their domain.
    """
    judged = {row["id"]: row["verdict"] for row in claims.of_sources() if row["verdict"] != BEYOND}
    verdicts = Counter(judged.values())
    totals = {f"claims_{name}": verdicts[verdict] for verdict, name in TOTALS.items()}
    totals |= {"claims_all": len(judged), "claims_beyond": len(claims.table()) - len(judged)}
    parts = (row.get("part", "").split("/") for (name,), row in proofs.KEPT.rows().items() if name in judged)
    totals["claims_mostly"] = sum(10 * int(some[0]) > 9 * int(some[1]) for some in parts if len(some) == 2)
    config.myst_substitutions = {**config.myst_substitutions, **totals}


def add(app, page, source):
    """Extend a page that Sphinx has just read, if it is a notebook.

    Parameters
    ----------
    app : sphinx.application.Sphinx
    page : str
        Its path without the suffix, from the top of the book.
    source : list of str
        Its text, which is replaced.
    """
    path = Path(app.srcdir, f"{page}.ipynb")
    if not path.exists():
        return
    notebook, figures = json.loads(source[0]), Path(app.srcdir, "figures")
    options = _options(path, notebook["cells"])
    for number, cell in enumerate(notebook["cells"]):
        figure = cell["metadata"].get("mystnb", {}).get("figure")
        if figure:
            identifier = _identifier(cell)
            figure["caption"] = _named(figure["caption"], identifier)
            figure["caption"] += _links(identifier, figures, "../" * page.count("/") + FOLDER, options(number))
    last = _origin(app, page, notebook)
    notebook["cells"] = led(notebook["cells"])
    if told := record.of_page(page.removeprefix("chapters/")):
        last = f"```{{raw}} html\n{told}\n```\n\n{last}"
    notebook["cells"].append({"cell_type": "markdown", "metadata": {}, "source": last})
    source[0] = json.dumps(notebook)


def led(cells):
    """The cells of a page with a picture under its first paragraph: the story begins with what there is to see.

    It is that of the cell with the tag ``lead``, or the first one. The code that drew it stays where it is. On a page
    that begins with a cluster that runs, the picture stands after all of its first text.
    """
    seen = [place for place, cell in enumerate(cells) if any(map(_picture, cell.get("outputs", [])))]
    place = next((one for one in seen if "lead" in cells[one]["metadata"].get("tags", [])), seen[0] if seen else 0)
    title, _, text = "".join(cells[0]["source"]).partition("\n\n")
    abstract, _, rest = text.partition("\n\n")
    if not place or any(shown in "".join(cell["source"]) for cell in cells[:2] for shown in SHOWN):
        return cells
    cell = cells[place]
    pictures = [output for output in cell["outputs"] if _picture(output)]
    others = [output for output in cell["outputs"] if not _picture(output)]
    first = {**cells[0], "source": f"{title}\n\n{abstract}"}
    tags = [*cell["metadata"].get("tags", []), "remove-input"]
    lead = {**cell, "id": "lead", "metadata": {**cell["metadata"], "tags": tags}, "outputs": pictures}
    kept = {name: value for name, value in cell["metadata"].items() if name != "mystnb"}
    left = {**cell, "metadata": kept, "outputs": others}
    between = [{"cell_type": "markdown", "id": "rest", "metadata": {}, "source": rest}] if rest else []
    if RUNNING in rest:
        return [first, *between, lead, *cells[1:place], left, *cells[place + 1 :]]
    return [first, lead, *between, *cells[1:place], left, *cells[place + 1 :]]


def _picture(output):
    return "image/svg+xml" in output.get("data", {})


def _identifier(cell):
    return next(found["figure"] for output in cell["outputs"] if (found := output["metadata"].get("clustershare")))


def _named(caption, identifier):
    """A caption that begins with the authors and the number there, in place of the identifier in brackets."""
    return f"**{cited(identifier)}.** {caption.replace(f' ({identifier})', '')}"


def _options(path, cells):
    """From the number of a cell to options of the command: the parameters that change its figure, as the page has them.

    The fidelity, which changes simulated points only, is none of them.
    """
    known = {name: one for name, one in papermill.inspect_notebook(str(path)).items() if name != "fidelity"}
    code = ["".join(cell["source"]) if cell["cell_type"] == "code" else "" for cell in cells]
    tagged = (place for place, cell in enumerate(cells) if "parameters" in cell["metadata"].get("tags", []))
    after = next(tagged, -1) + 1

    def options(number):
        names = parameters_of(code[after:], number - after, known)
        return [f"-p {name}={shlex.quote(known[name]['default'])}" for name in names]

    return options


def _links(identifier, figures, folder, options):
    """Markdown after a caption; the command is code, whose quotation marks stay as they are."""
    files = {"svg": "picture", "csv": "data"}
    links = [
        f'<a href="{folder}/{identifier}.{suffix}" download>{name} ({suffix.upper()})</a>'
        for suffix, name in files.items()
        if Path(figures, f"{identifier}.{suffix}").exists()
    ]
    command = " ".join(["python -m compendium figure", identifier, *options])
    other = ", with other parameters" if options else ""
    again = f'<span class="redraw">Draw it again{other}: `{command}`</span>'
    return f' <span class="beside-figure">{" ".join(links)}{again}</span>'


def _origin(app, page, notebook):
    """The last paragraph of a page."""
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    own, shared = map(_linked, called("\n".join(cells)))
    uses = f" It calls {own}." if own else ""
    uses += f" Through functions of `lib/pages` it {'also ' * bool(own)}uses {shared}." if shared else ""
    use = ""
    if Path(app.srcdir, USE).exists():
        use = f" [How to install, run and cite it]({os.path.relpath(USE, Path(page).parent)})."
    return f"---\n*This page is `{page}.ipynb` of the book's sources.{uses}{use}*"


def _linked(names):
    """Links to the entries of some names in the reference of the library."""
    return ", ".join(f"{{py:obj}}`{name.partition('.')[2]} <{name}>`" for name in names)
