"""The drawings of `thesis`, Chapters 1 and 2."""

from compendium.press.diagrams import diagram


def multiprocessor():
    """`thesis`, Figure 1.1: one queue, served by all processors."""
    shapes = {"in": ("text", 0.7, 1.4, "arrivals"), "queue": ("queue", 2.4, 1.4, "one queue")}
    shapes |= {name: ("processor", 4.8, y, f"$c_{name}$") for name, y in (("1", 2.45), ("2", 1.65), ("P", 0.35))}
    shapes["more"] = ("text", 4.8, 1.0, "⋮")
    return diagram(shapes, [("in", "queue"), *(("queue", name) for name in "12P")], size=(6.4, 2.8))


def distributed_system():
    """`thesis`, Figure 1.2: machines with a queue and a processor each, joined by a network."""
    shapes, arrows = {}, []
    for x, name in ((0.9, "1"), (2.7, "2"), (4.9, "P")):
        shapes[f"queue {name}"] = ("queue", x, 1.8, "")
        shapes[name] = ("processor", x + 0.85, 1.8, f"$c_{name}$")
        shapes[f"door {name}"] = ("text", x, 0.5, "")
        arrows += [(f"queue {name}", name), (f"door {name}", f"queue {name}", "<|-|>")]
    shapes["more"] = ("text", 4.25, 1.8, "…")
    shapes["network"] = ("box", 3.2, 0.5, " " * 33 + "network" + " " * 33)
    return diagram(shapes, arrows, size=(6.4, 2.4))


def taxonomy():
    """`thesis`, Figure 1.3: kinds of scheduling."""
    shapes = {
        "scheduling": ("box", 3.2, 3.2, "scheduling"),
        "local": ("box", 1.6, 2.3, "local"),
        "global": ("box", 4.2, 2.3, "global"),
        "static": ("box", 3.1, 1.4, "static"),
        "dynamic": ("box", 5.0, 1.4, "dynamic"),
        "central": ("box", 4.2, 0.5, "central"),
        "distributed": ("box", 5.7, 0.5, "distributed"),
    }
    branches = {"scheduling": ("local", "global"), "global": ("static", "dynamic"),
                "dynamic": ("central", "distributed")}  # fmt: skip
    return diagram(shapes, [(top, kind, "-") for top, kinds in branches.items() for kind in kinds], size=(6.4, 3.6))


def sources_and_servers():
    """`thesis`, Figure 1.4: Wang and Morris's sources, network and servers."""
    shapes, arrows = {}, []
    for y, source, server in ((2.5, "1", "1"), (1.7, "2", "2"), (0.4, "N", "K")):
        shapes[f"in {source}"] = ("text", 0.5, y, f"$\\lambda_{source}$")
        shapes[f"source {source}"] = ("queue", 1.6, y, "")
        shapes[f"left {source}"] = ("text", 3.05, y, "")
        shapes[f"right {server}"] = ("text", 3.35, y, "")
        shapes[f"server queue {server}"] = ("queue", 4.7, y, "")
        shapes[f"server {server}"] = ("processor", 5.7, y, "$\\mu$")
        arrows += [(f"in {source}", f"source {source}"), (f"source {source}", f"left {source}"),
                   (f"right {server}", f"server queue {server}"),
                   (f"server queue {server}", f"server {server}")]  # fmt: skip
    shapes["network"] = ("box", 3.2, 1.45, "\n" * 5 + "network" + "\n" * 6)
    shapes |= {"sources": ("text", 1.6, 1.05, "⋮"), "servers": ("text", 4.7, 1.05, "⋮"),
               "below": ("text", 1.6, 3.0, "$N$ sources"), "right": ("text", 5.1, 3.0, "$K$ servers")}  # fmt: skip
    return diagram(shapes, arrows, size=(6.4, 3.3))


def four_cases():
    """`thesis`, Figure 2.6: what can stand between a group and its share."""
    cases = {
        "1": "1. lack of jobs\n\ntoo few jobs\nto fill the share",
        "2": "2. inhomogeneity\n\nall want the\nfast processors",
        "3": "3. impossible fit\n\nno placement gives\nall their shares",
        "4": "4. irrevocability\n\na departure leaves\njobs misplaced",
    }
    shapes = {
        "share": ("box", 3.5, 3.0, "required share out of reach"),
        "any": ("box", 1.8, 2.1, "even if jobs may migrate"),
        "fixed": ("box", 5.2, 2.1, "if jobs may not migrate"),
    }
    for number, x in zip(cases, (0.95, 2.65, 4.3, 6.15)):
        shapes[number] = ("box", x, 0.75, cases[number])
    arrows = [("share", "any", "-"), ("share", "fixed", "-"), ("any", "1", "-"), ("any", "2", "-"),
              ("fixed", "3", "-"), ("fixed", "4", "-")]  # fmt: skip
    return diagram(shapes, arrows, size=(7.1, 3.4))
