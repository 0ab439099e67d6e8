"""An RO-Crate of a build: what each figure was drawn from, in words that other programs understand.

RO-Crate 1.1 (https://w3id.org/ro/crate/1.1) is JSON-LD in the words of schema.org. The crate stands beside the copies
that the book is made of: executed pages, drawn figures with their points, data and code. Every figure is the result of
an action, whose instruments are its page, the simulators and the code, and whose objects are data files, seeds and
fidelity.
"""

import functools
import importlib.metadata
import json
import re
import subprocess
from datetime import date

import yaml

from compendium import places
from compendium.press import gallery, notebooks, ownership

NAME = "ro-crate-metadata.json"
VERSION = "https://w3id.org/ro/crate/1.1"
CODE, PROSE = "https://spdx.org/licenses/BSD-3-Clause", "https://creativecommons.org/licenses/by/4.0/"
PYTHON = "https://www.python.org/"


def write(output):
    """Write the crate of a build, in place of an earlier one, even if that was changed.

    Parameters
    ----------
    output : Path
        Folder of the build, whose pages were executed.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ValueError
        If a page shows a figure that was not drawn there, or if a file of that name was not made there.
    """
    source, name = output / "source", f"source/{NAME}"
    if name not in ownership.listed(output):
        ownership.check(output, name)
    crate = _Crate(source)
    for row in gallery.catalogue():
        if row["id"] in gallery.captions():
            crate.figure(row["id"])
        elif (path := places.CHAPTERS / f"{row['page']}.ipynb").exists():
            crate.part_of_a_page(row, path)
    written = output / name
    written.write_text(json.dumps(crate.whole(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    ownership.record(output, name)
    return written


def recorded(source, identifier):
    """What a figure's page had read of the results store when it drew it: see `compendium.study.points.read`."""
    record = source / "figures" / f"{identifier}.json"
    if not record.exists():
        raise ValueError(f"figure must be drawn in the build before the crate is written; got {identifier!r}.")
    return json.loads(record.read_text(encoding="utf-8"))


class _Crate:
    """The entities of a crate by their names."""

    def __init__(self, source):
        self.source, self.entities, self.told = source, {}, []  # told: by their names, figures and parts of pages
        python = self._add(PYTHON, "ComputerLanguage", name="Python")
        self.code = self._add(
            "lib/", ["Dataset", "SoftwareSourceCode"], name="clustershare and the machinery of the book",
            programmingLanguage=python, version=importlib.metadata.version("clustershare"),
            license=self._add(CODE, "CreativeWork", name="BSD 3-Clause License", description="Of the code."),
        )  # fmt: skip
        self.licence = self._add(PROSE, "CreativeWork", name="CC BY 4.0", description="Of prose and figures.")
        self.catalogue = self._file("data/figures.csv", "The list of figures, tables and algorithms")

    def _add(self, identifier, kind, **properties):
        """An entity, once; a reference to it. What is one of its kind stands without a list."""
        plain = {name: one[0] if isinstance(one, list) and len(one) == 1 else one for name, one in properties.items()}
        self.entities[identifier] = {"@id": identifier, "@type": kind, **plain}
        return {"@id": identifier}

    def _file(self, path, name, encoding="text/csv", **properties):
        return self._add(path, "File", name=name, encodingFormat=encoding, **properties)

    def _page(self, path):
        return self._add(
            path.relative_to(places.ROOT).as_posix(), ["File", "SoftwareSourceCode"], name=gallery.heading(path),
            encodingFormat="application/x-ipynb+json", programmingLanguage={"@id": PYTHON}, license=self.licence,
        )  # fmt: skip

    def part_of_a_page(self, row, path):
        """A table or an algorithm, which is no file of its own."""
        name = gallery.cited(row["id"])
        self.told.append(f"#{row['id']}")
        self._add(f"#{row['id']}", "CreativeWork", name=name, description=row["title"], isPartOf=self._page(path))

    def figure(self, identifier):
        """A figure, its points, and how they were made."""
        path, caption, _ = gallery.captions()[identifier]
        name, picture = gallery.cited(identifier), f"figures/{identifier}"
        results = [self._file(f"{picture}.svg", name, "image/svg+xml", description=caption, license=self.licence)]
        if (self.source / f"{picture}.csv").exists():  # a diagram has no points
            results.append(self._file(f"{picture}.csv", f"{name}: its points"))
        tools, objects = [self._page(path)], [self._file(f"data/{one}", f"Table {one}") for one in tables_of(path)]
        for study in recorded(self.source, identifier):
            objects.append(self._file(f"data/results/{study['study']}.csv", f"Simulated points: {study['study']}"))
            objects += [self._value("seed", seed) for seed in study["seeds"]]
            objects += [self._value("fidelity", fidelity) for fidelity in study["fidelities"]]
            tools += [self._simulator(*one) for one in study["simulators"].items()]
        self.told.append(f"#draw-{identifier}")
        self._add(
            f"#draw-{identifier}", "CreateAction", name=f"Drawing {name}",
            description=f"python -m compendium figure {identifier}",
            instrument=_once([*tools, self.code]), object=_once(objects), result=results,
        )  # fmt: skip

    def _value(self, name, value):
        return self._add(f"#{name}-{value}", "PropertyValue", name=name, value=value)

    def _simulator(self, name, fingerprint):
        identifier = f"#{name}-{fingerprint}".replace(":", ".")
        return self._add(identifier, "SoftwareSourceCode", name=name, version=fingerprint, isPartOf=self.code)

    def whole(self):
        """The crate as JSON-LD."""
        citation = yaml.safe_load((places.ROOT / "CITATION.cff").read_text(encoding="utf-8"))
        commit, day = _commit()
        if commit:
            self.entities["lib/"]["identifier"] = commit
        authors = [
            self._add(f"#author-{number}", "Organization", name=one["name"])
            for number, one in enumerate(citation["authors"], 1)
        ]
        kinds = {name: entity["@type"] for name, entity in self.entities.items()}  # a word, or a list of them
        self._add(
            "./", "Dataset", name=citation["title"], datePublished=day, author=authors, license=self.licence,
            mainEntity=self.catalogue,
            description="Pages, figures, data and code of one build of a reproducible-research compendium.",
            hasPart=[{"@id": name} for name, kind in kinds.items() if "File" in kind or "Dataset" in kind],
            mentions=[{"@id": name} for name in self.told],
        )  # fmt: skip
        about = {"@id": NAME, "@type": "CreativeWork", "about": {"@id": "./"}, "conformsTo": {"@id": VERSION}}
        return {"@context": f"{VERSION}/context", "@graph": [about, *self.entities.values()]}


@functools.cache
def tables_of(path):
    """The tables of ``data/`` that the code of a page names."""
    notebook = notebooks.read(path)
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    return [name for name in sorted(set(re.findall(r"[\"'](\w+\.csv)[\"']", code))) if (places.DATA / name).exists()]


def _once(references):
    """References without repetition, in their order."""
    return [{"@id": name} for name in dict.fromkeys(one["@id"] for one in references)]


def _commit():
    """The commit that the build was made of and its date; None and today's where git cannot tell or files differ."""
    try:
        words = ["git", "-C", str(places.ROOT)]
        changed = subprocess.run([*words, "status", "--porcelain"], capture_output=True, text=True, check=True).stdout
        shown = subprocess.run([*words, "log", "-1", "--format=%H %cI"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        changed = "unknown"
    if changed:
        return None, date.today().isoformat()
    return shown.stdout.split()
