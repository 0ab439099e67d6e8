"""A Sphinx extension: a cluster that runs on a page, ``assets/live``.

A page names an example of `pages.live` and says in words what its still picture shows and what to look for::

    ```{live} shortest_queue
    :alt: Ten processors in a column, seven of which have a job and none two.

    **Look for**

    1. jobs that share a processor.
    ```

The build writes the example's settings and the library's numbers into the page, and draws the still picture that stands
there without scripts, and on paper. Only pages with a cluster load the scripts, which the built book carries without
comments and with short names.
"""

import functools
import html
import importlib
import json
import re
from pathlib import Path

import minify
from docutils import nodes
from docutils.parsers.rst import Directive, directives

from compendium.press.figures import COLOURS

SCRIPTS = {  # of each model, between those that all need
    "one": ("one_processor",), "dispatch": ("dispatch",), "distributed": ("dispatch", "distributed"),
    "servers": ("servers",), "tracker": ("tracker",),
}  # fmt: skip
FIRST, LAST = ("random", "jobs"), ("view", "controls")
FOLDER, STYLE = "live", "live.css"  # which also has the colours, by day and by night
TAKEN_APART_LATE = re.compile(r"\b(?:const|let) (?![{\[])[^;]*?(?:,|;\s*(?:const|let)) [{\[][^;=(]*[}\]] = ")
LANE, LENGTH = 22, 600  # of the still picture


def setup(app):
    """What Sphinx calls."""
    app.add_directive("live", Live)
    app.connect("html-page-context", load)
    app.connect("build-finished", shorten)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


@functools.cache
def example(name):
    """What a page shows, found by the name of its module, so that the machinery imports no page.

    Parameters
    ----------
    name : str

    Returns
    -------
    systems : list of dict
        Each with `settings`, `marks` and what else `assets/live/controls.js` reads.
    lanes : list of list of tuple
        The still picture: of each lane its jobs, as group, work that is left, and whether it is served.
    """
    return importlib.import_module("pages.live").example(name)


class Live(Directive):
    """A cluster in the place of the directive, and under it what to look for."""

    required_arguments, has_content = 1, True
    option_spec = {"alt": directives.unchanged_required}

    def run(self):
        if not self.options.get("alt"):
            raise self.error("a cluster needs :alt:, which says in words what its still picture shows")
        systems, lanes = example(self.arguments[0])
        settings = systems[0]["settings"]
        told = html.escape(json.dumps({"systems": systems}, separators=(",", ":"), allow_nan=False))
        text = (
            f'<div class="explorable live" data-live="{told}">{still(lanes, self.options["alt"], kinds(settings))}'
            f"<p>{moment(settings)}</p></div>"
        )
        words = nodes.container(classes=["live-look"])
        self.state.nested_parse(self.content, self.content_offset, words)
        models = " ".join(one["settings"]["model"] for one in systems)
        return [nodes.raw("", text, format="html", live=models), words]


def moment(settings):
    """What the still picture shows, in words.

    Parameters
    ----------
    settings : dict
        Of the system.

    Returns
    -------
    str

    Examples
    --------
    >>> moment({"model": "one", "policy": "PS"}).partition(":")[0]
    'A moment under PS, drawn by the library'
    """
    model = settings["model"]
    row = {"one": "job, in the order of arrival", "servers": "server", "tracker": "server"}.get(model, "processor")
    when = "of it" if model in ("servers", "tracker") else f"under {settings['policy']}"
    return (
        f"A moment {when}, drawn by the library: a row is a {row}, and a block a job, as long as its work that is "
        "left; pale: it waits. In a browser with scripts it runs."
    )


def kinds(settings):
    """What jobs of each colour are, in words.

    Parameters
    ----------
    settings : dict
        Of the system.

    Returns
    -------
    list of str

    Examples
    --------
    >>> kinds({"model": "dispatch", "loads": [0.4, 0.4]})
    ['group 1', 'group 2']
    """
    if settings["model"] == "tracker":
        return [f"on {size} server{'' if size == '1' else 's'}" for size in sorted(settings["sizes"], key=int)]
    kind = "class" if settings["model"] == "servers" else "group"
    return [f"{kind} {number}" for number in range(1, 1 + len(settings["loads"]))]


def still(lanes, alt, kinds):
    """The picture of a moment, as SVG.

    Parameters
    ----------
    lanes : list of list of tuple
        As `example` gives them.
    alt : str
    kinds : list of str
        What jobs of each colour are.

    Returns
    -------
    str

    Examples
    --------
    >>> still([[(0, 1.0, True)]], "a job", ["group 1"]).count("<rect")
    1
    """
    unit = (LENGTH - 30) / max(1, *(sum(left for _, left, _ in lane) for lane in lanes))
    parts = []
    for number, lane in enumerate(lanes):
        x, y = 28.0, number * LANE
        parts.append(f'<text x="20" y="{y + 15}" text-anchor="end" font-size="12">{number + 1}</text>')
        parts.append(f'<line x1="28" x2="{LENGTH}" y1="{y + LANE}" y2="{y + LANE}" stroke="#bbb"/>')
        for group, left, served in lane:
            kind = f"group-{group}" if served else f"group-{group} waits"
            size = f'width="{left * unit:.1f}" height="{LANE - 4}"'
            look = f'fill="{COLOURS[group % 6]}" stroke="white" fill-opacity="{0.7 if served else 0.3}"'  # on paper
            parts.append(f'<rect class="{kind}" x="{x:.1f}" y="{y + 2}" {size} {look}/>')
            x += left * unit
    for group, kind in enumerate(kinds):  # below the lanes
        x, y = 34 + 110 * group, len(lanes) * LANE + 13
        parts.append(f'<circle class="group-{group}" cx="{x}" cy="{y}" r="5" fill="{COLOURS[group % 6]}"/>')
        parts.append(f'<text x="{x + 10}" y="{y + 4}" font-size="12">{kind}</text>')
    box = f'viewBox="0 0 {LENGTH} {(len(lanes) + 1) * LANE}"'
    return f'<svg class="live-still" role="img" aria-label="{html.escape(alt)}" {box}>{"".join(parts)}</svg>'


def load(app, page, template, context, tree):
    """Style and scripts of a page that has a cluster: of its models alone."""
    found = [node["live"] for node in tree.findall(nodes.raw) if "live" in node] if tree else []
    if not found:
        return
    app.add_css_file(f"{FOLDER}/{STYLE}")
    for name in scripts(" ".join(found).split()):
        app.add_js_file(f"{FOLDER}/{name}.js", loading_method="defer", priority=900)  # after laws.js, which it asks


def shorten(app, failed):
    """Make the built book's copies of the scripts short."""
    if failed is None:
        for path in Path(app.outdir, "_static", FOLDER).glob("*.js"):
            path.write_text(shortened(path.read_text(encoding="utf-8")), encoding="utf-8")


def shortened(script):
    """A script that does the same, without comments and with short names.

    Parameters
    ----------
    script : str

    Returns
    -------
    str

    Raises
    ------
    minify.MinifyError
        If it is none.
    ValueError
        If it takes something apart (``const { a } = b``) behind another declaration: the tool, which joins
        declarations, would do that first, when `b` may be another yet.

    Examples
    --------
    >>> shortened("{ const length = 3; /* of a side */ window.area = length * length; }")
    '{const e=3;window.area=e*e}'
    """
    if found := TAKEN_APART_LATE.search(re.sub("//.*", "", script)):
        raise ValueError(f"script must take apart before it declares anything else; got {found.group()!r}")
    return minify.string("text/javascript", script)


def scripts(models):
    """The names of the scripts that some models need, in the order in which they are loaded.

    Examples
    --------
    >>> scripts(["distributed", "one"])
    ['random', 'jobs', 'dispatch', 'distributed', 'one_processor', 'view', 'controls']
    """
    return list(dict.fromkeys([*FIRST, *(name for model in models for name in SCRIPTS[model]), *LAST]))
