"""Claims of `thesis`, Sections 6.7.5 and 6.8: up to twenty processors, with fixed probe limits and growing ones."""

import numpy as np

from compendium.press.clauses import aside, at_each, conclude, exact, measured
from compendium.press.clauses.conditions import at_most, larger, never_rises, rises, smaller
from compendium.press.findings import check
from pages.share_scheduling.distributed.points.growing import (
    MANY,
    by_chance,
    excess,
    few,
    many,
    migrations,
    probing,
)
from pages.share_scheduling.distributed.points.stored import DEVIATION, LOSS, SIZE, UTILISATION
from pages.share_scheduling.distributed.systems import MANY_PROCESSORS, PROCESSORS


def bends(found):
    """How much a step is larger than the one before: the point in the middle counts twice."""
    half = np.sqrt(found.half[:, :-2] ** 2 + 4 * found.half[:, 1:-1] ** 2 + found.half[:, 2:] ** 2)
    (noun, names), (_, sizes) = found.axes
    return measured(np.diff(found.value, 2, axis=1), half, **{noun: names, SIZE: sizes[1:-1]})


@check("thesis-6-031", limit="0")
def network_fills(limit="P/4"):
    """Each step of Figure 6.11; the control has Isolation, which is every policy but SVP without probing."""
    found, moved = few(UTILISATION, limit), migrations(limit, few)
    found = found if limit != "0" else found.at(policy=("JSQ", "HP", "DVP"))
    bend = bends(found)
    return conclude(
        at_each("the utilisation", found.steps(SIZE), rises()),
        aside("how many of its second differences are below 0", exact(np.sum(bend.high(bend.widened(bend.asked)) < 0))),
        aside("how many are above 0", exact(np.sum(bend.low(bend.widened(bend.asked)) > 0))),
        aside("second differences", bend),
        aside("the utilisation of 20 processors", found.at(**{SIZE: 20})),
        *(aside(f"migrations for each job, of {P} processors", moved.at(**{SIZE: P})) for P in (4, 20)),
        aside("what probes bring", exact([probing(P, -(-P // 4)) for P in PROCESSORS], **{SIZE: PROCESSORS})),
    )


@check("thesis-6-055", processors=(4, 8))
def a_quarter_better_than_three(processors=(16, 20)):
    """Delta^G with a quarter probed less that with three; the control looks where a quarter is fewer than three."""
    change, lost = (few(name, "P/4") - few(name, "3") for name in (DEVIATION, LOSS))
    said = "with a quarter asked, less that with three,"
    return conclude(
        at_each(f"the deviation {said}", change.at(**{SIZE: processors}), smaller()),
        *(aside(f"the deviation {said} of {P} processors", change.at(**{SIZE: P})) for P in PROCESSORS),
        aside(f"the loss {said}", lost.at(**{SIZE: processors})),
    )


@check("thesis-6-155", limit="P - 1")
def the_limit_must_grow(limit="3"):
    """What Delta^G is above full probing, step by step; the control has full probing itself for the fixed limit."""
    fixed, growing = excess(limit), excess("P/4")
    above = "the deviation is above that of full probing"
    return conclude(
        at_each(f"with the limit {limit}, what {above}", fixed.steps(SIZE), rises()),
        *([at_each(f"with P/4, what {above}", growing.steps(SIZE), never_rises())] if limit == "3" else []),
        *(aside(f"what {above} of {P} processors with {name}", each.at(**{SIZE: P}))
          for name, each in ((limit, fixed), ("P/4", growing)) for P in PROCESSORS),
        aside("steps of the deviation itself", few(DEVIATION, limit).steps(SIZE)),
    )  # fmt: skip


@check("thesis-6-156", limit="0")
def valid_below_twenty(limit="P/4"):
    """Gain, cost of not knowing the rest, and traffic by the rule's bounds; the control probes nobody."""

    def gain(points, sizes):
        return exact([by_chance(P) for P in sizes], as_it_stands=True, **{SIZE: sizes}) - points(DEVIATION, limit)

    found = {
        "the deviation of Isolation, less that with a quarter asked,": (gain(few, PROCESSORS), larger("clear")),
        "that with a quarter asked, less that of full probing,": (excess(limit), at_most("close")),
        "the utilisation of the network": (few(UTILISATION, limit), at_most(0.05)),
    }
    larger_ones = {} if limit not in MANY else {
        "the gain": gain(many, MANY_PROCESSORS), "the utilisation": many(UTILISATION, limit),
    }  # fmt: skip
    return conclude(
        *(at_each(word, points.at(**{SIZE: PROCESSORS[:-1]}), bound) for word, (points, bound) in found.items()),
        *(aside(f"{word} of 20 processors", points.at(**{SIZE: 20})) for word, (points, _) in found.items()),
        *(aside(f"{word} of {P} processors", points.at(**{SIZE: P})) for word, points in larger_ones.items()
          for P in MANY_PROCESSORS if P > 20),
        together=("policy", SIZE),
    )  # fmt: skip
