"""Claims of `thesis`, Section 6.7.5: more processors."""

from fractions import Fraction as F

import numpy as np

from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, measured
from compendium.press.clauses.conditions import never_rises, rises, smaller
from compendium.press.findings import check
from pages.share_scheduling.distributed.points.growing import excess, few, many, migrations, probing, rounding
from pages.share_scheduling.distributed.points.stored import DEVIATION, LOSS, SIZE, UTILISATION, WORDS
from pages.share_scheduling.distributed.systems import MANY_PROCESSORS, PROCESSORS

ALL, LARGE = (*PROCESSORS, *MANY_PROCESSORS[2:]), MANY_PROCESSORS[2:]
GROWING = ("3", "log2 P", "sqrt P", "P/4")


def told(found):
    """Points, without those where the network is overloaded."""
    return found.where(~np.isnan(found.value), "overloaded")


def up_less_down(quantity):
    """What a quantity changes by if a quarter is rounded up and not down, where it is not whole."""
    down, up = rounding(quantity)
    return up - down


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
        aside("what probes bring", exact([probing(P, -(-P // 4)) for P in ALL], **{SIZE: ALL})),
        aside("migrations for each job, of 50 to 1000 processors", told(migrations("P/4", many).at(**{SIZE: LARGE}))),
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
        *(aside(f"{word} {said} of 50 to 1000", told((many(name, "P/4") - many(name, "3")).at(**{SIZE: LARGE})))
          for name, word in WORDS.items()),
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
        *(aside(f"what {above.replace('full probing', 'P/2')} with {name}, of 50 to 1000 processors",
                told(excess(name, many, "P/2").at(**{SIZE: LARGE}))) for name in GROWING),
        *(aside(f"{word} there with {name}", told(many(quantity, name).at(**{SIZE: LARGE})))
          for name in GROWING for quantity, word in ((LOSS, "the loss"), (UTILISATION, "the utilisation"))),
    )  # fmt: skip


@check("thesis-6-056", part=F(3, 10))
def a_quarter_of_the_processors(part=F(1, 4)):
    """Where rounding down, to the nearest and up agree; the control takes another part."""
    same = cases("number of processors", range(2, 21)).measure(
        lambda P: ((part * P).__floor__() == round(part * P) == (part * P).__ceil__()) == (P % 4 == 0)
    )
    return conclude(
        everywhere("rounding down, to the nearest and up agree if and only if 4 divides P", same),
        *(aside(f"between these, what rounding up changes {word} by", up_less_down(name))
          for name, word in ((DEVIATION, "the deviation"), (UTILISATION, "the utilisation"))),
    )  # fmt: skip
