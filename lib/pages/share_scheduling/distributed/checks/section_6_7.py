"""Claims of `thesis`, Section 6.7: the five cases and the units of time."""

import itertools
from fractions import Fraction as F

import numpy as np

from clustershare import partitions
from clustershare.dispatch import simulate_distributed
from clustershare.dispatch.distributed_plan import plan_of
from compendium.press.clauses import aside, cases, conclude, everywhere, exact, fact, measured, mended
from compendium.press.clauses.conditions import agrees, at_most, between, equal, larger
from compendium.press.findings import check
from pages.share_scheduling.distributed.points.network_times import by_migration_time
from pages.share_scheduling.distributed.points.periodic import ARRIVING
from pages.share_scheduling.distributed.points.stored import MIGRATIONS, UTILISATION, WORDS
from pages.share_scheduling.distributed.systems import CASES, POLICIES, of_case


def usual(quantity):
    """What migrations of the usual time add to a quantity, with capacities 1; with 1/P they take a tenth of it."""
    found = by_migration_time(quantity, (0.0, 0.01))
    return found.at(migration_time=0.01) - found.at(migration_time=0.0)


@check("thesis-6-044", processors=1)
def time_scale(processors=10):
    """The library's rate of arrivals with capacities 1/P and 1; the control has one processor, where they are one."""

    def arriving(capacity):
        """Jobs per unit of time in the library, less 0.8 P."""
        setting = of_case("JSQ", processors=processors, probe_limit=0, processor_capacity=capacity)
        return exact(plan_of(**setting).arrivals.sum() - 0.8 * processors)

    def counted(**capacity):
        """Arrivals per unit of time in runs, the capacities as they are if none are given."""
        setting = of_case("JSQ", processors=processors, probe_limit=0, **capacity)
        found = simulate_distributed(**setting, jumps=4000, warmup=400, replications=10, seed=644).arrivals
        return measured(found.value.sum(), found.half_width.sum(), runs=10)

    most = np.array([2 if policy == "SVP" else 1 for policy in POLICIES]) * ARRIVING
    rates = by_migration_time("traffic", (0.1,), index=MIGRATIONS).at(migration_time=0.1)
    busy = by_migration_time(UTILISATION, (0.1,)).at(migration_time=0.1)
    first, second = (by_migration_time("arrivals", (0.1,), index=g).at(migration_time=0.1) for g in (0, 1))
    return mended(
        everywhere("with capacities 1/P, the rate of arrivals and 0.8 P", arriving(1 / processors), equal(1e-9)),
        everywhere("with capacities 1, the rate of arrivals and 0.8 P", arriving(1.0), equal(1e-9)),
        everywhere("the arrivals in runs with capacities 1/P, less 0.8,",
                   counted(processor_capacity=1 / processors) - 0.8, agrees()),
        everywhere("those in runs where no capacities are given, less 0.8 P,", counted() - 0.8 * processors, agrees()),
        everywhere("the arrivals in the runs, less 8,", first.less(-second, np.add) - ARRIVING, agrees()),
        everywhere("migrations per unit of time, less one a departure, and under SVP one an arrival,",
                   exact(rates.value - most, policy=POLICIES), at_most(1e-9)),
        everywhere("the utilisation of the network, less the most that migrations could use with capacities 1/P,",
                   busy - exact(most / 100, policy=POLICIES), larger()),
        aside("these migrations", rates),
        aside("the most that they could use of the network with capacities 1/P", exact(most / 100, policy=POLICIES)),
        aside("the utilisation as it is", busy),
        *(aside(f"what usual migrations add to {word} in case 1 with three asked", usual(name))
          for name, word in WORDS.items()),
    )  # fmt: skip


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
        whole, part = partitions.full_partition(required, speeds), partitions.partition(required, speeds)
        alike = [fully, some] == [whole is not None, part is not None]
        alike &= whole is None or all(len(own) == share * processors for own, share in zip(whole, shares))
        alike &= part is None or len(part[1]) == processors * sum(shares[g] for g in part[0])
        return {"fully": fully, "some": some, "alike": alike}

    found = cases("case", CASES).measure(parts)
    return conclude(
        everywhere("the case can be partitioned fully", found["fully"].at(case=(1, 2))),
        everywhere("the number of its partitions", found["some"].at(case=(3, 4, 5)), between(0, 0)),
        everywhere("the library says the same, and which processors, as many as are required", found["alike"]),
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
