"""The drawing of the page on the conclusions."""

from compendium.press.figures import axes
from pages.figures import colour, marks, policy_of


def against_each_other(points):
    """What policies lose, and how far they leave a group short, each case a point with its number.

    Parameters
    ----------
    points : dict of list of (float, float)
        By the name of a policy, of each case the loss and the deviation. A name that says more than a policy, such as
        "JSQ, moves", is drawn open.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, plot = axes("capacity loss $\\Delta^T$", "group-share deviation $\\Delta^G$")
    plot.axhline(0, color="0.4", linewidth=0.8)
    for place, (name, cases) in enumerate(points.items()):
        look = {**marks(policy_of(name), full=name == policy_of(name)), "markersize": 9}
        plot.plot(*zip(*cases), linestyle="none", label=name, **look)
        highest = max(deviation for _, deviation in cases)
        for number, (loss, deviation) in enumerate(cases, 1):
            # To the left and right in turn, one high and the others low, for points may lie on each other.
            beside = (-15 if place % 2 else 8, 3 if deviation == highest else -9)
            plot.annotate(
                str(number), (loss, deviation), beside, textcoords="offset points", color=colour(policy_of(name))
            )
    plot.margins(0.1)
    return figure
