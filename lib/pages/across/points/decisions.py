"""A chart of decisions: from what is known of a cluster to a policy that the book found good for it."""

from matplotlib.patches import FancyBboxPatch

from compendium.press import publish
from compendium.press.figures import COLOURS, WIDTH, canvas

# A question, and the policy if the answer is yes; what is left over has the last policy.
STEPS = (
    ("May several processors\nserve one job together?", "GPPS: promises kept", "PS: sizes do not matter"),
    ("May a job move\nwhen another one ends?", "SVP, with moves:", "promises kept, no loss"),
    ("Does nobody see\nthe queues?", "HPRS: wastes less", "VPRS: misses less"),
    ("Are there 50\nprocessors or more?", "JSQ with PS:", "little is missed or lost"),
    ("Equal promises,\nequal loads?", "JSQ", "is hard to beat"),
    ("Equal promises,\nunequal loads?", "SPILL: little lost", "SVP: promises kept"),
)
LAST = ("unequal promises", "HP, GPPS: little lost", "one group floods it: SVP")


def chart(identifier, *, caption):
    """Publish the chart.

    Parameters
    ----------
    identifier : str
        As in ``data/figures.csv``.
    caption : str
        Without identifier and full stop.

    Returns
    -------
    compendium.press.figures.Published
    """
    rows = len(STEPS) + 1
    figure, plot = canvas(figsize=(WIDTH, 0.82 * rows + 0.1))
    plot.set_axis_off()
    plot.set(xlim=(0, 10), ylim=(rows - 0.45, -0.5))
    arrow = {"arrowstyle": "->", "color": "0.25", "linewidth": 1.2, "shrinkA": 0, "shrinkB": 0}
    for row, (question, *policies) in enumerate((*STEPS, LAST)):
        last = row == len(STEPS)
        _box(plot, 0.05, row, 4.5, question, "white" if not last else "0.93", "0.25", dashed=last)
        _box(plot, 5.55, row, 4.4, "\n".join(policies), COLOURS[4] + "30", COLOURS[0])
        plot.annotate("", (5.55, row), (4.55, row), arrowprops=arrow)
        if not last:
            plot.text(5.05, row - 0.06, "yes", ha="center", va="bottom")
            plot.annotate("", (2.3, row + 0.67), (2.3, row + 0.33), arrowprops=arrow)
            plot.text(2.45, row + 0.5, "no", ha="left", va="center")
    told = [f"{' '.join(question.split())} {', '.join(policies)}" for question, *policies in STEPS]
    return publish(
        figure, identifier, caption=f"{caption} ({identifier}).",
        alt=f"Questions one below the other; if the answer is yes, the policies at the right. {'. '.join(told)}. "
            f"Otherwise, {LAST[0]}: {', '.join(LAST[1:])}.",
    )  # fmt: skip


def _box(plot, left, row, width, words, face, edge, dashed=False):
    look = {"facecolor": face, "edgecolor": edge, "linestyle": "--" if dashed else "-"}
    shape = "round,pad=0,rounding_size=0.1"
    plot.add_patch(FancyBboxPatch((left, row - 0.33), width, 0.66, boxstyle=shape, **look))
    plot.text(left + width / 2, row, words, ha="center", va="center")
