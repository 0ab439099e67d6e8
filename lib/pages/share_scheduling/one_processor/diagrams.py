"""The drawings of `thesis`, Chapter 3, that are no curves."""

from matplotlib.lines import Line2D

from compendium.press.diagrams import diagram
from compendium.press.figures import WIDTH, axes, publish

CLASSES = {
    "non-preemptive": ("FCFS", "HOL", "UD"),
    "preemptive": ("PQ",),
    "processor sharing": ("PS", "PPS", "GPPS"),
}
BLIND = ("FCFS", "PS")  # policies that do not look at the groups


def taxonomy(identifier):
    """Publish the family of the seven policies: `thesis`, Figure 3.1 (thesis-fig-3.1)."""
    figure, plot = axes(" ", " ")
    plot.remove()
    figure.set_size_inches(WIDTH, 2.6)
    places = {"policies for one processor": (0.5, 0.9)}
    left = 0.06
    edges = []
    for name, policies in CLASSES.items():
        places[name] = (left + 0.132 * (len(policies) - 1) / 2, 0.55)
        edges.append(("policies for one processor", name))
        for policy in policies:
            places[policy] = (left, 0.2)
            edges.append((name, policy))
            left += 0.132
        left += 0.04
    for above, below in edges:
        (x, y), (to_x, to_y) = places[above], places[below]
        figure.add_artist(Line2D((x, to_x), (y - 0.06, to_y + 0.06), color="0.5", linewidth=1))
    for name, (x, y) in places.items():
        blind = {"boxstyle": "round", "facecolor": "0.88", "edgecolor": "0.5"} if name in BLIND else None
        figure.text(x, y, name, ha="center", va="center", bbox=blind)
    return publish(
        figure, identifier,
        caption=f"The seven policies by how they serve. Those in a box do not look at the groups ({identifier}).",
        alt="A tree. "
        + " ".join(f"{name.capitalize()}: {', '.join(policies)}." for name, policies in CLASSES.items())
        + " FCFS and PS stand in boxes.",
    )  # fmt: skip


def line():
    """A line of jobs of two groups, in which permanent jobs go back to the end when they were served."""
    waiting = ("2", "1", "2P", "1", "2")  # the group of each job, from the end of the line on
    shapes = {f"job {place}": ("box", 1.1 + 0.5 * place, 1.9, name) for place, name in enumerate(waiting)}
    shapes |= {
        "new": ("text", 0.3, 1.9, "new"), "processor": ("processor", 4.1, 1.9, "1P"), "gone": ("text", 5.0, 1.9, ""),
        "served": ("text", 4.1, 2.45, "being served"), "line": ("text", 2.1, 2.45, "the line"),
        "back": ("box", 2.6, 0.7, "permanent jobs (P) return"),
    }  # fmt: skip
    arrows = [("new", "job 0"), ("job 4", "processor"), ("processor", "gone"), ("processor", "back"), ("back", "job 0")]
    return diagram(shapes, arrows, size=(WIDTH, 2.8))
