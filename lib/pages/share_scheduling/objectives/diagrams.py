"""The drawings of `thesis`, Chapters 1 and 2."""

from compendium.press.diagrams import diagram
from compendium.press.figures import WIDTH


def multiprocessor():
    """`thesis`, Figure 1.1: one queue, served by all processors."""
    shapes = {"in": ("text", 0.6, 1.4, "arrivals"), "queue": ("queue", 2.1, 1.4, "one queue")}
    shapes |= {name: ("processor", 4.3, y, f"$c_{name}$") for name, y in (("1", 2.45), ("2", 1.65), ("P", 0.35))}
    shapes["more"] = ("text", 4.3, 1.0, "⋮")
    return diagram(shapes, [("in", "queue"), *(("queue", name) for name in "12P")], size=(WIDTH, 2.8))


def distributed_system():
    """`thesis`, Figure 1.2: machines with a queue and a processor each, joined by a network."""
    shapes, arrows = {}, []
    for x, name in ((0.6, "1"), (2.2, "2"), (4.15, "P")):
        shapes[f"queue {name}"] = ("queue", x, 1.8, "")
        shapes[name] = ("processor", x + 0.78, 1.8, f"$c_{name}$")
        shapes[f"door {name}"] = ("text", x, 0.5, "")
        arrows += [(f"queue {name}", name), (f"door {name}", f"queue {name}", "<|-|>")]
    shapes["more"] = ("text", 3.55, 1.8, "…")
    shapes["network"] = ("box", 2.6, 0.5, " " * 22 + "network" + " " * 22)
    return diagram(shapes, arrows, size=(WIDTH, 2.4))


def taxonomy():
    """`thesis`, Figure 1.3: kinds of scheduling."""
    shapes = {
        "scheduling": ("box", 2.4, 3.2, "scheduling"),
        "local": ("box", 0.9, 2.3, "local"),
        "global": ("box", 3.2, 2.3, "global"),
        "static": ("box", 2.2, 1.4, "static"),
        "dynamic": ("box", 4.0, 1.4, "dynamic"),
        "central": ("box", 3.1, 0.5, "central"),
        "distributed": ("box", 4.5, 0.5, "distributed"),
    }
    branches = {"scheduling": ("local", "global"), "global": ("static", "dynamic"),
                "dynamic": ("central", "distributed")}  # fmt: skip
    return diagram(shapes, [(top, kind, "-") for top, kinds in branches.items() for kind in kinds], size=(WIDTH, 3.6))


def sources_and_servers():
    """`thesis`, Figure 1.4: Wang and Morris's sources, network and servers."""
    shapes, arrows = {}, []
    for y, source, server in ((2.5, "1", "1"), (1.7, "2", "2"), (0.4, "N", "K")):
        shapes[f"in {source}"] = ("text", 0.35, y, f"$\\lambda_{source}$")
        shapes[f"source {source}"] = ("queue", 1.3, y, "")
        shapes[f"left {source}"] = ("text", 2.35, y, "")
        shapes[f"right {server}"] = ("text", 2.85, y, "")
        shapes[f"server queue {server}"] = ("queue", 3.9, y, "")
        shapes[f"server {server}"] = ("processor", 4.75, y, "$\\mu$")
        arrows += [(f"in {source}", f"source {source}"), (f"source {source}", f"left {source}"),
                   (f"right {server}", f"server queue {server}"),
                   (f"server queue {server}", f"server {server}")]  # fmt: skip
    shapes["network"] = ("box", 2.6, 1.45, "\n" * 5 + "network" + "\n" * 5)
    shapes |= {"sources": ("text", 1.3, 1.05, "⋮"), "servers": ("text", 3.9, 1.05, "⋮"),
               "below": ("text", 1.3, 3.0, "$N$ sources"), "right": ("text", 4.2, 3.0, "$K$ servers")}  # fmt: skip
    return diagram(shapes, arrows, size=(WIDTH, 3.3))


def four_cases():
    """`thesis`, Figure 2.6: what can stand between a group and its share."""
    cases = {
        "1": "1. lack of jobs:\ntoo few jobs\nto fill the share\n\n2. inhomogeneity:\nall want the\nfast processors",
        "3": "3. impossible fit:\nno placement gives\nall their shares\n\n"
        "4. irrevocability:\na departure leaves\njobs misplaced",
    }
    shapes = {
        "share": ("box", 2.6, 3.9, "required share out of reach"),
        "any": ("box", 1.35, 3.1, "even if jobs\nmay migrate"),
        "fixed": ("box", 3.85, 3.1, "if jobs may\nnot migrate"),
    }
    for number, x in zip(cases, (1.35, 3.85)):
        shapes[number] = ("box", x, 1.25, cases[number])
    arrows = [("share", "any", "-"), ("share", "fixed", "-"), ("any", "1", "-"),
              ("fixed", "3", "-")]  # fmt: skip
    return diagram(shapes, arrows, size=(WIDTH, 4.2))


def places(jobs, rates, sent, load):
    """Two processors with jobs, and where policies send a new one.

    Parameters
    ----------
    jobs : sequence of int
        At each of the two processors.
    rates : sequence of float
        Of service.
    sent : dict of int
        By policy, the number of the processor, from 1.
    load : float
        Of both processors together.

    Returns
    -------
    matplotlib.figure.Figure
    """
    shapes, arrows = {"new": ("text", 0.75, 2.9, f"a new job,\nload {load:g}")}, []
    for number, (present, rate, y) in enumerate(zip(jobs, rates, (2.2, 0.8)), 1):
        shapes[f"end {number}"] = ("text", 4.0 - 0.5 * present + 0.4, y, "")  # arrows stop before the last job
        for place in range(present):
            shapes[f"job {number} {place}"] = ("box", 4.0 - 0.5 * place, y, "")
        shapes[f"processor {number}"] = ("processor", 4.7, y, f"rate {rate:g}")
    for policy, y in zip(sorted(sent, key=sent.get), (2.2, 1.5, 0.8)):
        shapes[policy] = ("box", 0.75, y, policy)
        arrows.append((policy, f"end {sent[policy]}"))
    return diagram(shapes, arrows, size=(WIDTH, 3.4))
