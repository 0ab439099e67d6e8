"""Claims of `thesis`, Section 6.3: where jobs arrive."""

import itertools
import random
from fractions import Fraction

import numpy as np

from clustershare import dispatch, splitting
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, grid
from compendium.press.clauses.conditions import agrees, larger
from compendium.press.findings import check
from pages.share_scheduling.distributed.points.preferences import PROCESSORS, arrivals_apart
from pages.share_scheduling.distributed.points.stored import beside
from pages.share_scheduling.distributed.printed.rules import whole_parts
from pages.share_scheduling.distributed.systems import ALL_CASES, CASES
from pages.share_scheduling.distributed.witnesses.small_states import random_systems


def arrivals(preference, law):
    """A clause: rates of arrivals by group and processor agree with a law, in all cases, whoever is asked."""
    return everywhere("the arrivals of stored paths by group and processor, less the law,", beside("case", {
        case: beside("way", {
            f"{probing} {limit}": arrivals_apart(case, f"{preference}/{probing}", limit,
                                                 law(tuple(map(Fraction, CASES[case][0]))))
            for probing, limit in itertools.product(("HP", "VP"), (0, 3))
        }) for case in ALL_CASES
    }), agrees())  # fmt: skip


@check("thesis-6-004", by_processors=True)
def in_its_own_subset(by_processors=False):
    """The law, in fractions, and what arrived; in the control X_gp is divided by P alone."""

    def law(shares, processors=PROCESSORS):
        parts = whole_parts(shares, processors)
        return [[x / (processors if by_processors else r * processors) for x in row] for r, row in zip(shares, parts)]

    def few(size, number):
        """Whether a subset of so many processors is within the guarantee of Section 5.5.3."""
        return number == size if size.denominator == 1 else number <= size // 1 + 2

    def holds(shares, processors):
        found, parts, load = law(shares, processors), whole_parts(shares, processors), Fraction(4, 5)
        of_library = dispatch.arrival_law("VP", shares, processors).tolist()
        each = [sum(load * r * processors * row[p] for r, row in zip(shares, found)) for p in range(processors)]
        return (
            all(sum(row) == 1 for row in found)
            and all((value > 0) == (x > 0) and value >= 0 for row, xs in zip(found, parts) for value, x in zip(row, xs))
            and all(at == load for at in each)
            and found == of_library
            and all(few(r * processors, sum(value > 0 for value in row)) for r, row in zip(shares, of_library))
        )

    every = cases("system", random_systems(4)).measure(holds)
    return conclude(everywhere("each group's jobs arrive in its own subset, and load all processors alike", every),
                    arrivals("VP", law), whole=True)  # fmt: skip


@check("thesis-6-110", preference="VP")
def alike_everywhere(preference="HP"):
    """The law, in fractions, and what arrived; the control has the other preference."""
    rng, every = random.Random(110), []
    for processors in range(1, 51):
        for shares, _ in random_systems(rng.random(), 2):
            every.append((shares, processors, [Fraction(rng.randint(1, 9), 60) for _ in shares]))

    def holds(shares, processors, loads):
        law = dispatch.arrival_law(preference, shares, processors).tolist()
        brought = [[load * processors * value for value in row] for load, row in zip(loads, law)]
        return all(value == load for load, row in zip(loads, brought) for value in row) and all(
            sum(row) == 1 for row in law
        )

    alike = everywhere("every processor receives the same mix of the groups", cases("system", every).measure(holds))
    return conclude(
        alike, arrivals(preference, lambda shares: [[1 / PROCESSORS] * PROCESSORS for _ in shares]), whole=True
    )


@check("thesis-6-111", alone=True)
def own_processors_for_arrivals(alone=False):
    """The deviation of VPRS below that of HPRS; one group alone misses what capacity is lost, under both."""
    parts = (0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
    points = {f"load {load:g}, equal": (load / 2, load / 2) for load in np.arange(1, 10) / 10}
    points |= {f"load 0.8, part {part:g} of group 1": (0.8 * part, 0.8 * (1 - part)) for part in parts}

    def gain(P, name, local):
        loads, even = points[name], [1 / P] * P
        mixed = splitting.horizontal((0.5, 0.5), loads, even, local)
        if alone:
            return mixed.capacity_loss - splitting.capacity_loss(even, [sum(loads)] * P)
        return mixed.group_share_deviation.max() - splitting.vertical((0.5, 0.5), loads, P).group_share_deviation.max()

    def gains(local, sizes, names=tuple(points)):
        return grid(number_of_processors=sizes, point=names).measure(lambda P, name: gain(P, name, local))

    few = {local: gains(local, (2, 4, 6, 8, 10)) for local in ("PS", "GPPS")}
    falling = gains("PS", (2, 10, 20, 50, 100), ("load 0.8, equal", "load 0.8, part 0.25 of group 1"))
    return conclude(
        *(at_each(f"the deviation of HPRS with {local}, less that of VPRS,", found, larger("clear"))
          for local, found in few.items()),
        *(aside(f"at how many points the gain over HPRS with {local} is above 0", exact(np.sum(found.value > 1e-9)))
          for local, found in few.items()),
        *(aside(f"the gain over HPRS with PS at {name}", falling.at(point=name)) for name in falling.axes[1][1]),
    )  # fmt: skip
