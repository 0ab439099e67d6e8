"""Claims of `thesis`, Sections 6.1 to 6.3 and 6.7: the five cases, the units of time, and arrivals."""

import itertools
from fractions import Fraction as F

import numpy as np

from clustershare import partitions, splitting
from clustershare.dispatch import numbers_in_one_line
from compendium.press.findings import Finding, check, finding, over_domain, yes
from compendium.press.words import SCALE
from pages.share_scheduling.distributed.systems import CASES

ROUGHLY, CLEAR, EQUAL = SCALE["comparable"].most, SCALE["clear"].least, SCALE["equal"].most
BYTES, NETWORK = (1000, 1024), 10**8  # of a message; bits a second
UNIT = 100  # seconds to a mean service time
ADDRESS_SPACE = (10**7, 10 * 2**20)


def _exactly(case):
    """Shares and loads as fractions."""
    return tuple(tuple(F(str(value)) for value in row) for row in CASES[case])


def _splits(shares, processors):
    """Sets of groups, but for none and all, whose shares are those of whole processors: all subsets, in fractions."""
    groups = range(len(shares))
    sets = [chosen for size in range(1, len(shares)) for chosen in itertools.combinations(groups, size)]
    return [chosen for chosen in sets if any(sum(shares[g] for g in chosen) == F(k, processors)
                                             for k in range(1, processors))]  # fmt: skip


@check("thesis-6-001", processors=4)
def which_can_be_partitioned(processors=10):
    """Definitions 2.1 and 2.2 by search, and by the library."""
    whole, none, alike = [], [], True
    for case in CASES:
        shares, _ = _exactly(case)
        speeds, required = [1 / processors] * processors, list(map(float, shares))
        fully = all((share * processors).denominator == 1 for share in shares)
        alike &= fully == (partitions.full_partition(required, speeds) is not None)
        alike &= bool(_splits(shares, processors)) == (partitions.partition(required, speeds) is not None)
        whole += [case] if fully else []
        none += [] if _splits(shares, processors) else [case]
    return finding(
        f"with {processors} processors cases {whole} are fully partitionable, cases {none} not at all; the library "
        f"{'agrees' if alike else 'does not'}",
        whole == [1, 2] and none == [3, 4, 5] and alike,
    )


@check("thesis-6-002", network=10**7)
def time_of_a_message(network=NETWORK):
    """The time of a message, in seconds and in mean services; the control has a slower network."""
    times = [F(8 * size, network) for size in BYTES]
    said = F(1, 10**4)
    roughly = all(abs(time - said) / max(time, said) <= F(str(ROUGHLY)) for time in times)
    exactly = said / UNIT == F(1, 10**6)
    services = {F(60): "1 minute", F(100): "100 seconds", F(600): "10 minutes", F(3600): "1 hour", F(36000): "10 hours"}
    scaled = {name: times[0] / seconds for seconds, name in services.items()}
    long = all(times[0] / seconds <= F(1, 10**6) for seconds in services if seconds >= UNIT)
    return finding(
        f"{BYTES[0]} bytes take {float(times[0]) * 1e6:.0f} microseconds, {BYTES[1]} {float(times[1]) * 1e6:.2f}; in "
        f"services of " + ", ".join(f"{name} {float(value):.2g}" for name, value in scaled.items()),
        roughly and exactly and long,
    )  # fmt: skip


@check("thesis-6-003", spaces=(10**8,))
def time_of_a_migration(spaces=ADDRESS_SPACE):
    """The time of a migration in mean services; the control moves the job of Section 5.2.1."""
    said, probe = F(1, 100), F(1, 10**6)
    times = [F(8 * size, NETWORK) / UNIT for size in spaces]
    roughly = all(abs(time - said) / max(time, said) <= F(str(ROUGHLY)) for time in times)
    ratio = F(spaces[0], BYTES[0]) == said / probe
    longer = (said - probe) / said >= F(str(CLEAR))
    equal = all(abs(time - said) / max(time, said) <= F(str(EQUAL)) for time in times)
    return finding(
        f"{' and '.join(f'{float(time):.4f}' for time in times)} where 0.01 is said; sizes are as the times: "
        f"{yes(ratio)}; equal, which 'corresponds' alone would mean: {yes(equal)}",
        roughly and ratio and longer,
    )


@check("thesis-6-140", exchanged=True)
def the_five_cases(exchanged=False):
    """Which of shares and loads are equal, and in proportion; the control exchanges cases 4 and 5."""
    order = {4: 5, 5: 4} if exchanged else {}
    found = {case: _exactly(order.get(case, case)) for case in CASES}
    total = all(sum(shares) == 1 and sum(loads) == F(4, 5) for shares, loads in found.values())
    equal = {case: tuple(len(set(row)) == 1 for row in both) for case, both in found.items()}
    ((r_1, r_2), (load_1, load_2)), ((s_1, s_2), (own_1, own_2)) = found[4], found[5]
    proportional, inverse = load_1 * r_2 == load_2 * r_1, own_1 * s_1 == own_2 * s_2
    three = [equal[case] for case in (1, 2, 3)] == [(True, True), (True, False), (False, True)]
    return finding(
        f"load 0.8 and shares of 1 in all: {yes(total)}; case 4 in proportion: "
        f"{yes(proportional)}, case 5 inversely: {yes(inverse)}; cases 1 to 3 are those of "
        f"Section 5.6: {yes(three)}",
        total and proportional and inverse and three,
    )


@check("thesis-6-101", services=(1, 2, 5, 10))
def decisions_a_second(services=(60, 100, 180, 600, 1800, 3600, 10800, 36000)):
    """An arrival and a departure are a decision each; the control has jobs of seconds."""
    P, loads = 1000, (*(k / 10 for k in range(1, 10)), 0.99)
    busy = []
    for load in loads:
        law = numbers_in_one_line(load, P, P + int(np.log(1e-13) / np.log(load)) + 1)
        busy.append(law @ np.minimum(np.arange(len(law)), P))
    known = np.abs(np.array(busy) / (P * np.array(loads)) - 1).max() <= 1e-9
    rates = 2 * P * np.array(loads) / np.array(services)[:, None]
    few, tens = rates < 100, rates >= 10
    verdict = "differs" if not few.all() else "agrees" if tens.all() else "agrees in part" if tens.any() else "differs"
    longest = max(seconds for seconds, row in zip(services, tens) if row.any())
    return Finding(
        f"{rates.min():.3g} to {rates.max():.3g} decisions a second; below 100 at {few.sum()} of {few.size} points, 10 "
        f"or more at {tens.sum()}, in services of up to {longest:g} seconds; departures "
        f"as many as M/M/P has: {yes(known)}",
        verdict if known else "differs",
    )  # fmt: skip


@check("thesis-6-111", alone=True)
def own_processors_for_arrivals(alone=False):
    """The deviation of VPRS below that of HPRS; one group alone misses what capacity is lost, under both."""
    loads = [(load / 2, load / 2) for load in np.arange(1, 10) / 10]
    splits = (0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
    points = [*loads, *((0.8 * part, 0.8 * (1 - part)) for part in splits)]
    gains = {}
    for P, local in itertools.product((2, 4, 6, 8, 10, 20, 50, 100), ("PS", "GPPS")):
        if local == "GPPS" and P > 10:
            continue
        mixed = [splitting.horizontal((0.5, 0.5), each, [1 / P] * P, local) for each in points]
        own = [splitting.vertical((0.5, 0.5), each, P) for each in points]
        if alone:
            equal = [splitting.capacity_loss([1 / P] * P, [sum(each)] * P) for each in points]
            gains[P, local] = np.array([each.capacity_loss for each in mixed]) - equal
        else:
            worst = [[each.group_share_deviation.max() for each in found] for found in (mixed, own)]
            gains[P, local] = np.subtract(*worst)
    few = {local: np.concatenate([gains[P, local] for P in (2, 4, 6, 8, 10)]) for local in ("PS", "GPPS")}
    said = ", ".join(f"HPRS with {local} {(gain >= CLEAR).sum()} of {gain.size} (some gain {(gain > EQUAL).sum()})"
                     for local, gain in few.items())  # fmt: skip
    by_size = {
        name: ", ".join(f"{gains[P, 'PS'][place] + 0.0:.3f} at {P}" for P in (2, 10, 20, 50, 100))
        for name, place in (("equal loads", 7), ("a quarter from group 1", len(loads) + 2))
    }
    return over_domain(
        f"up to 10 processors lower by {CLEAR:g}: {said}; the gain over HPRS with PS at load 0.8 by number: "
        + "; ".join(f"{name} {found}" for name, found in by_size.items()),
        np.concatenate(list(few.values())) >= CLEAR,
    )


@check("thesis-6-056", part=F(3, 10))
def a_quarter_of_the_processors(part=F(1, 4)):
    """Where rounding down, to the nearest and up agree; the control takes another part."""
    numbers = range(2, 21)
    alike = [P for P in numbers if (part * P).__floor__() == round(part * P) == (part * P).__ceil__()]
    return finding(
        f"all three ways of rounding agree at P = {', '.join(map(str, alike))}",
        alike == [P for P in numbers if P % 4 == 0],
    )
