"""Claims of `thesis`, Section 5.6.1, Figure 5.11: Join Shortest Queue as processors become more."""

from dataclasses import replace

import numpy as np

from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, measured
from compendium.press.clauses.conditions import (
    Condition,
    agrees,
    at_most,
    between,
    falls,
    larger,
    never_falls,
    never_rises,
    not_larger,
    rises,
    smaller,
)
from compendium.press.findings import check
from pages.share_scheduling.central.points import by_case, growing
from pages.share_scheduling.central.points.growing import EXACT_LOADS, FINE, LOADS, NUMBER, PROCESSORS
from pages.share_scheduling.central.points.simulated import Measured

EVEN = tuple(range(4, 21, 2))  # processors, of which two groups have half each


def _peaks(numbers, fine=True):
    """Place and height of the largest loss: their intervals hold jointly already."""

    def peak(P):
        loads, found = LOADS, growing.losses(P) if fine else growing.random_losses(P)
        if fine and P == 100:  # there are more rows near the maximum
            below = found.part(np.array(LOADS) < FINE[0])
            loads = (*(load for load in LOADS if load < FINE[0]), *FINE)
            found = Measured(*np.concatenate([below, growing.fine_losses()], axis=1))
        ends = growing.peak_interval(loads, found, len(numbers))
        return measured(ends.mean(axis=1), np.diff(ends)[:, 0] / 2, risk=None, what=("load", "height"))

    return cases(NUMBER, numbers).measure(peak)


@check("thesis-5-044", fine=False)
def the_worst_load_rises(fine=True):
    """Where the loss is largest, for P = 7, 10, 20, 50, 100 and all between; the control is random splitting."""
    beyond = tuple(P for P in PROCESSORS if P >= 7)
    place, every = (_peaks(numbers, fine).at(what="load") for numbers in ((7, 10, 20, 50, 100), beyond))
    return conclude(
        everywhere("the load of the largest loss", place.steps(NUMBER, np.add), rises()),
        everywhere("from one of nine numbers of processors to the next, it",
                   every.steps(NUMBER, np.add), never_falls()),
        everywhere("as estimated, it", by_case.estimates(every.steps(NUMBER)), rises()),
        aside("this load", place),
    )  # fmt: skip


@check("thesis-5-045", processors=10)
def nothing_up_to_a_high_load(processors=100):
    """The largest loss up to the load 0.8."""
    found = growing.curves("JSQ", (processors,)).at(load=tuple(load for load in LOADS if load <= 0.8))
    return conclude(everywhere("the loss at loads up to 0.8", found, at_most("practically equal")))


@check("thesis-5-046", processors=50)
def the_largest_loss(processors=100):
    """The height of the maximum, against the digits printed."""
    height, widths = _peaks((processors,)).at(what="height"), exact(growing.fine_losses().half, load=FINE)
    return conclude(
        everywhere("the largest loss less 0.026", height - 0.026,
                   Condition("is within its interval one of those that are rounded to 0.026 less 0.026",
                             low=-0.0005, high=0.0005, doubt=True)),
        everywhere("the half widths on 100 processors", widths, at_most(0.0005)),
        aside("the largest loss", height),
        whole=True,
    )  # fmt: skip


@check("thesis-5-047", processors=10)
def the_worst_load(processors=100):
    """The load of the maximum, against the digit printed."""
    return conclude(
        everywhere("the load of the largest loss", _peaks((processors,)).at(what="load"), between(0.85, 0.95))
    )


def _falling(curves):
    """That no step rises, and that the last is below the first where that is above 0.005: load by load."""
    first, last = (curves.at(number_of_processors=curves.axes[0][1][k]) for k in (0, -1))
    steps, fall = curves.steps(NUMBER), last - first
    wide = steps.widened(steps.asked + fall.asked)
    fallen = smaller().inside(fall, wide, wide) | (first.value <= 0.005)
    return (
        at_each("from each number of processors to the next, it", steps, never_rises()),
        at_each(f"from {curves.axes[0][1][0]} processors to 100 it falls, or is at most 0.005 at first,",
                exact(fallen, load=LOADS)),
    )  # fmt: skip


@check("thesis-5-048", policy="VPRS")
def deviations_of_growing_subsets(policy="JSQ"):
    """Losses within subsets of 7 to 100 processors, load by load."""
    sizes, load = (7, 8, 9, 10), 0.8
    lost = growing.curves("JSQ", sizes).at(load=load)
    lost = measured(lost.value, lost.half, number_of_processors=tuple(2 * k for k in sizes))
    own = by_case.of("case 1 against P").at(policy=by_case.VERTICAL, number_of_processors=tuple(2 * k for k in sizes))
    return conclude(
        *_falling(growing.curves(policy, tuple(P for P in PROCESSORS if P >= 7))),
        provided=[] if policy != "JSQ" else [
            everywhere("the deviation of SVP and DVP at load 0.8 less the loss of JSQ on half as many processors",
                       own - lost, agrees())
        ],
        together="load",
    )  # fmt: skip


def _few_as_by_chain():
    """A clause that the simulated losses on two and three processors are those of the chains of lengths."""
    chains = exact([growing.chain_losses(P).value for P in (2, 3)], number_of_processors=(2, 3), load=EXACT_LOADS)
    return everywhere("the loss on two and three processors, as simulated, less that by chains,",
                      growing.curves("JSQ", (2, 3)).at(load=EXACT_LOADS) - chains, agrees())  # fmt: skip


@check("thesis-5-160", policy="random splitting")
def far_below_chance(policy="JSQ"):
    """The loss relative to that of random splitting, at every load and number of processors."""
    found, chance = growing.curves(policy), growing.curves("random splitting")
    if policy == "JSQ":
        value, half, known = found.value.copy(), found.half.copy(), np.isin(LOADS, EXACT_LOADS)
        for k, P in enumerate((2, 3)):
            value[k, known], half[k, known] = growing.chain_losses(P).value, 0.0
        found = replace(found, value=value, half=half)
    fine = growing.fine_losses() if policy == "JSQ" else growing.random_losses(100, FINE)
    fine_chance = exact(growing.random_losses(100, FINE).value, load=FINE)
    return conclude(
        at_each("the loss by chance less that of JSQ", chance - found, larger("much")),
        at_each("near the maximum of 100 processors, it", fine_chance - measured(*fine, load=FINE), larger("much")),
        provided=[_few_as_by_chain()],
    )


@check("thesis-5-161", policy="random splitting")
def more_processors_help(policy="JSQ"):
    """Losses from 2 to 100 processors, load by load, and those of random splitting."""
    chance = growing.curves("random splitting")
    # Where processors are many already, the steps of (4.81) are less than its last digits.
    ends = chance.at(number_of_processors=100) - chance.at(number_of_processors=2)
    return conclude(
        *_falling(growing.curves(policy)),
        at_each("a step down of the loss by chance", -chance.steps(NUMBER),
                not_larger()),
        at_each("what 100 processors add to that of 2 by chance", ends, larger()),
        together="load",
    )  # fmt: skip


@check("thesis-5-162", one_group=True)
def up_and_down_again(one_group=False):
    """The shape of each curve."""
    if one_group:
        # SVP with two processors, and all jobs on one of them: N is geometric while 2 rho < 1, then without limit.
        loads = np.array(LOADS)
        found = exact([np.where(loads < 0.5, 2 * loads**2, 0.5)], number_of_processors=(2,), load=LOADS)
    else:
        found = growing.curves("JSQ")
    top, late = found.value.argmax(axis=1), (0.9, 0.95, 0.98)
    away = np.where(np.arange(len(LOADS) - 1) < top[:, None], -1, 1)  # from the maximum
    chain = cases(NUMBER, (2, 3)).measure(lambda P: exact([growing.chain_loss(P, load) for load in late], load=late))
    return conclude(
        at_each("away from its maximum, the loss", found.steps("load").scaled(away), never_rises()),
        at_each("the loss at the two lowest loads", found.at(load=LOADS[:2]), at_most("very close")),
        at_each("the loss less 1 - rho", found - (1 - np.array(LOADS)), not_larger()),
        at_each("the maximum lies between the ends",
                exact((0 < top) & (top < len(LOADS) - 1), number_of_processors=found.axes[0][1])),
        provided=[] if one_group else [everywhere("that of two and three by chains", chain.steps("load"), falls())],
        together=NUMBER,
    )  # fmt: skip


@check("thesis-5-163", policy="random splitting")
def the_maximum_falls(policy="JSQ"):
    """The largest row of each curve from P = 7 on."""
    highest = growing.curves(policy).largest("load")
    beyond = highest.at(number_of_processors=tuple(P for P in PROCESSORS if P >= 7)).steps(NUMBER)
    return conclude(
        everywhere("from 7 processors on, the largest loss", beyond, never_rises()),
        everywhere("from 7 to 10, 20, 50, 100 processors, it",
                   highest.at(number_of_processors=(7, 10, 20, 50, 100)).steps(NUMBER), falls()),
        aside("the largest loss", highest.at(number_of_processors=(2, 5, 7, 10, 20, 50, 100))),
        whole=True,
    )  # fmt: skip


@check("thesis-5-164", sizes=(1,))
def below_static_partitions(sizes=PROCESSORS):
    """The loss within a subset under JSQ against that under random splitting (4.142), and SVP and DVP against it."""
    few = tuple(k for k in sizes if k in (2, 3))
    parts = [(few, EXACT_LOADS, growing.chain_losses)] if few else []
    parts.append((tuple(k for k in sizes if k not in few), LOADS, growing.losses))
    figures = ("case 1", by_case.ALONG) if few else ("two processors",)

    def simulated(case):
        found = by_case.of(case, policies=("VPRS", *by_case.VERTICAL))
        found = found.at(number_of_processors=EVEN) if case == by_case.ALONG else found
        return by_case.less(found, ("VPRS",), by_case.VERTICAL)

    return conclude(
        at_each("in the figures, the deviation under VPRS less that under SVP and DVP",
                by_case.over(figures, simulated), larger()),
        *(
            at_each("the deviation under VPRS less that under JSQ", cases("number of own processors", numbers).measure(
                lambda k, loads=loads, curve=curve: exact(growing.deviations_by_chance(k, loads).value, load=loads)
                - measured(*curve(k), load=loads)), larger())
            for numbers, loads, curve in parts
        ),
        provided=[_few_as_by_chain()],
    )  # fmt: skip
