"""Claims of `thesis`, Sections 6.1 to 6.3 and 6.7: the five cases, the units of time, and arrivals."""

import itertools
from fractions import Fraction as F

import numpy as np

from clustershare import partitions, splitting
from clustershare.dispatch import numbers_in_one_line
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, fact, grid
from compendium.press.clauses.conditions import at_least, at_most, between, equal, larger
from compendium.press.findings import check
from pages.share_scheduling.distributed.systems import CASES

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

    def parts(case):
        shares, _ = _exactly(case)
        speeds, required = [1 / processors] * processors, list(map(float, shares))
        fully, some = all((share * processors).denominator == 1 for share in shares), bool(_splits(shares, processors))
        library = partitions.full_partition(required, speeds), partitions.partition(required, speeds)
        return {"fully": fully, "some": some, "alike": [fully, some] == [found is not None for found in library]}

    found = cases("case", CASES).measure(parts)
    return conclude(
        everywhere("the case can be partitioned fully", found["fully"].at(case=(1, 2))),
        everywhere("the number of its partitions", found["some"].at(case=(3, 4, 5)), between(0, 0)),
        everywhere("the library says the same", found["alike"]),
        whole=True,
    )


def apart(found, said):
    """How far numbers are from what is said, relative to the larger."""
    return exact([float(abs(each - said) / max(each, said)) for each in found], size=None)


@check("thesis-6-002", network=10**7)
def time_of_a_message(network=NETWORK):
    """The time of a message, in seconds and in mean services; the control has a slower network."""
    times, said = [F(8 * size, network) for size in BYTES], F(1, 10**4)
    seconds = {"1 minute": 60, "100 seconds": 100, "10 minutes": 600, "1 hour": 3600, "10 hours": 36000}
    in_services = exact([float(times[0] / each) for each in seconds.values()], service=tuple(seconds))
    return conclude(
        everywhere("the time of a message and 100 microseconds, relative to the larger,", apart(times, said),
                   at_most("comparable")),
        fact("100 microseconds are a millionth of 100 seconds", said / UNIT == F(1, 10**6), "they are not"),
        everywhere("it in services of 100 seconds or more", in_services.at(service=tuple(seconds)[1:]), at_most(1e-6)),
        aside("the time of a message in microseconds", exact([float(each) * 1e6 for each in times], size=BYTES)),
        aside("it in services", in_services),
        whole=True,
    )  # fmt: skip


@check("thesis-6-003", spaces=(10**8,))
def time_of_a_migration(spaces=ADDRESS_SPACE):
    """The time of a migration in mean services; the control moves the job of Section 5.2.1."""
    said, probe = F(1, 100), F(1, 10**6)
    times = [F(8 * size, NETWORK) / UNIT for size in spaces]
    return conclude(
        everywhere(
            "the time of a migration and 0.01, relative to the larger,", apart(times, said), at_most("comparable")
        ),
        fact("sizes are as the times", F(spaces[0], BYTES[0]) == said / probe, "sizes are not as the times"),
        everywhere(
            "0.01 less the time of a message, relative to the larger,",
            exact(float((said - probe) / said)),
            at_least("clear"),
        ),
        aside("the time of a migration", exact(list(map(float, times)), size=spaces)),
        whole=True,
    )


@check("thesis-6-140", exchanged=True)
def the_five_cases(exchanged=False):
    """Which of shares and loads are equal, and in proportion; the control exchanges cases 4 and 5."""
    order = {4: 5, 5: 4} if exchanged else {}
    found = {case: _exactly(order.get(case, case)) for case in CASES}
    equal_rows = [tuple(len(set(row)) == 1 for row in found[case]) for case in (1, 2, 3)]
    ((r_1, r_2), (load_1, load_2)), ((s_1, s_2), (own_1, own_2)) = found[4], found[5]
    return conclude(
        fact("the load is 0.8 and the shares are 1 in all",
             all(sum(shares) == 1 and sum(loads) == F(4, 5) for shares, loads in found.values()), "they are not"),
        fact("case 4 has loads in proportion to the shares", load_1 * r_2 == load_2 * r_1, "case 4 has not"),
        fact("case 5 inversely", own_1 * s_1 == own_2 * s_2, "case 5 not inversely"),
        fact("cases 1 to 3 are those of Section 5.6", equal_rows == [(True, True), (True, False), (False, True)],
             "cases 1 to 3 are others"),
        whole=True,
    )  # fmt: skip


@check("thesis-6-101", services=(1, 2, 5, 10))
def decisions_a_second(services=(60, 100, 180, 600, 1800, 3600, 10800, 36000)):
    """An arrival and a departure are a decision each; the control has jobs of seconds."""
    P, loads = 1000, (*(k / 10 for k in range(1, 10)), 0.99)

    def busy(load):
        law = numbers_in_one_line(load, P, P + int(np.log(1e-13) / np.log(load)) + 1)
        return law @ np.minimum(np.arange(len(law)), P) / (P * load) - 1

    rates = grid(load=loads, service_time=services).measure(lambda load, seconds: 2 * P * load / seconds)
    return conclude(
        at_each("the decisions a second", rates, at_least(10)),
        provided=[
            everywhere("the decisions a second", rates, at_most(100)),
            everywhere(
                "the busy processors of M/M/P and its load, relative to it,",
                cases("load", loads).measure(busy),
                equal(1e-9),
            ),
        ],
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


@check("thesis-6-056", part=F(3, 10))
def a_quarter_of_the_processors(part=F(1, 4)):
    """Where rounding down, to the nearest and up agree; the control takes another part."""
    same = cases("number of processors", range(2, 21)).measure(
        lambda P: ((part * P).__floor__() == round(part * P) == (part * P).__ceil__()) == (P % 4 == 0)
    )
    return conclude(everywhere("rounding down, to the nearest and up agree if and only if 4 divides P", same))
