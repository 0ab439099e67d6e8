"""Claims of `thesis`, Section 5.5.3: the partitioning algorithm, and what its matrix does to groups."""

import functools
import itertools
import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from clustershare import dispatch, partitions, splitting
from clustershare.dispatch import exact_central, simulate_central
from clustershare.results import NoExactAnswer
from clustershare.shares import feasible_group_share
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, fact, grid, none
from compendium.press.clauses.conditions import between, equal, larger
from compendium.press.findings import check
from pages.share_scheduling.central.printed import matrices
from pages.share_scheduling.central.printed.matrices import EXAMPLE
from pages.share_scheduling.central.printed.rules import Rules
from pages.share_scheduling.central.systems import LOCAL
from pages.share_scheduling.central.witnesses.compiled import Compiled
from pages.share_scheduling.central.witnesses.paths import passed
from pages.share_scheduling.central.witnesses.reached import law
from pages.share_scheduling.central.witnesses.states import groups_there

SYSTEMS = matrices.systems(200, 501)
EXACT = 1e-12


def of_all(number, noun, *kinds, **asides):
    """The finding that of so many none did otherwise: pairs of what would be wrong and how often it was."""
    return conclude(
        *(none(number, noun, did, count) for did, count in kinds),
        *(aside(name.replace("_", " "), exact(value)) for name, value in asides.items()),
        whole=True,
    )


def parts_of(X):
    """How many processors each group has in part, shape (groups,)."""
    return ((X > 0) & (X < 1)).sum(axis=1)


def units(step=True):
    """The combinations of several groups that step 1 finds in all systems; or all groups of each."""
    return [
        tuple(sizes[g] for g in groups)
        for sizes in SYSTEMS
        for groups in (dispatch.combinations(sizes) if step else [range(len(sizes))])
        if len(groups) > 1
    ]


@check("thesis-5-016", rule="second part whole")
def rows_and_columns(rule=None):
    """(5.9) and (5.11) in fractions; the control gives a split group its second part in full."""

    def broken(sizes, X):
        rows = [r * X.shape[1] for r in matrices.shares(sizes)] == list(X.sum(axis=1))
        return not (rows and (X.sum(axis=0) == 1).all() and X.min() >= 0 and X.max() <= 1)

    found = matrices.matrices(SYSTEMS, rule)
    floats = [dispatch.partition([float(r) for r in matrices.shares(sizes)], X.shape[1]) for sizes, X in found]
    return of_all(
        len(SYSTEMS), "random system", ("broke a sum or a limit", sum(broken(*each) for each in found)),
        ("had another matrix from floats", sum((X != other).any() for (_, X), other in zip(found, floats)))
    )  # fmt: skip


@check("thesis-5-017", step=False)
def remaining_sizes(step=True):
    """What is left of the groups after whole processors; the control takes every system to step 2 as it is."""
    wrong, found = 0, units(step)
    for sizes in found:
        left, free = [size - int(size) for size in sizes], sum(sizes) - sum(map(int, sizes))
        wrong += not (all(0 < part < 1 for part in left) and free >= 1 and free == sum(left))
    if not step:
        return of_all(len(found), "combination", ("left sizes of 0 or 1, or no whole processor", wrong))
    other = 0
    for sizes, X in matrices.matrices(SYSTEMS):
        for groups in dispatch.combinations(sizes):
            own = X[groups][:, (X[groups] > 0).any(axis=0)]
            remain = own[:, (own < 1).all(axis=0)]  # processors of which no group has all
            parts = remain.sum(axis=1)
            whole = [int(sizes[g]) for g in groups] == list((own == 1).sum(axis=1))
            other += len(groups) > 1 and not (
                whole and all(0 < part < 1 for part in parts) and remain.shape[1] == sum(parts) >= 1
            )
    return of_all(
        len(found), "combination", ("left sizes of 0 or 1, or no whole processor", wrong),
        ("had other whole processors or parts in the library's matrix", other),
    )  # fmt: skip


@check("thesis-5-018", rule="side by side")
def sizes_of_subsets(rule=None):
    """How many processors a group is on; the control lays groups side by side."""
    many = matrices.systems(10, 502, groups=(8, 14), processors=(2, 30))
    found = [
        (size, own) for sizes, X in matrices.matrices(SYSTEMS + many, rule, sequences=5)
        for size, own in zip(sizes, (X > 0).sum(axis=1))
    ]  # fmt: skip
    more = [own - int(size) for size, own in found]
    return conclude(
        everywhere("on how many processors more than floor(omega) a group is at most", exact(max(more)), between(2, 2)),
        none(len(found), "group", "of whole size is on other than so many",
             sum(size.denominator == 1 and own != size for size, own in found)),
        whole=True,
    )  # fmt: skip


@check("thesis-5-019", rule="no step 1")
def the_example(rule=None):
    """(5.13); that its three subsets are the only ones is found by trying all partitions of the groups."""
    half, third = Fraction(1, 2), Fraction(1, 3)
    printed = np.array([
        [0, 1, half, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 2 * third, 0], [0, 0, 0, third, third],
        [0, 0, 0, 0, 2 * third], [0, 0, half, 0, 0],
    ])  # fmt: skip
    sets = dispatch.combinations(EXAMPLE) if rule is None else [list(range(6))]
    left = [[EXAMPLE[g] - int(EXAMPLE[g]) for g in groups] for groups in sets[1:]]
    into_three = [found for found in matrices.whole_partitions(EXAMPLE) if len(found) == 3]
    as_printed = {
        "the sums of the print are": list(printed.sum(axis=1)) == list(EXAMPLE) and (printed.sum(axis=0) == 1).all(),
        "the subsets are": sets == [[1], [0, 5], [2, 3, 4]] and into_three == [[[0, 5], [1], [2, 3, 4]]],
        "the remaining sizes are": left == [[half, half], [2 * third] * 3],
        "the matrix is": (matrices.matrix(EXAMPLE, rule) == printed).all(),
    }
    return conclude(
        *(fact(f"{name} as printed", holds, f"{name} not as printed") for name, holds in as_printed.items()), whole=True
    )


@check("thesis-5-020", exactly=False)
def two_processors_and_a_knapsack(exactly=True):
    """The library, Definition 2.1, and sums over integers; the control fills the knapsack at most."""
    rng, answers, found, wrong = np.random.default_rng(503), [], Counter(), Counter()
    for _ in range(500):
        items = [int(a) for a in rng.integers(1, 21, rng.integers(3, 13))]
        total, sums = sum(items), 1  # bit s of `sums`: some items sum to s
        for a in items:
            sums |= sums << a
        filled = total % 2 == 0 and sums >> (total // 2) & 1 == 1 if exactly else 2 * min(items) <= total
        sets = dispatch.combinations([Fraction(2 * a, total) for a in items])
        answers.append(len(sets) > 1)
        wrong["step 1"] += answers[-1] != filled
        found["sets"] += len(sets)
        wrong["sets"] += sum(2 * sum(items[g] for g in groups) % total != 0 for groups in sets)
        wrong["groups"] += sorted(itertools.chain(*sets)) != list(range(len(items)))
        if len(items) <= 8:
            halves = partitions.partition([a / total for a in items], [1, 1])
            wrong["definition"] += answers[-1] != (halves is not None)
            if halves is not None:
                found["halves"] += 1
                wrong["halves"] += 2 * sum(items[g] for g in halves[0]) != total or halves[1] not in ((0,), (1,))
    return conclude(
        none(500, "random knapsack", "had another answer than step 1", wrong["step 1"]),
        none(500, "system", "was partitioned otherwise by Definition 2.1", wrong["definition"]),
        none(500, "system", "has a group in no set or in two", wrong["groups"]),
        none(found["sets"], "set", "has another sum than a whole number", wrong["sets"]),
        none(found["halves"], "pair of sets by Definition 2.1", "is no half of the groups and one processor",
             wrong["halves"]),
        everywhere("the part that can be partitioned", exact(np.mean(answers)), between(0.1, 0.9)),
        whole=True,
    )  # fmt: skip


def _served_apart(required, processors):
    """Whether the library gives each group processors of its own, as VPRS does."""
    try:
        splitting.vertical(required, [share / 2 for share in required], processors)
    except ValueError:
        return False
    return True


@check("thesis-5-120", test=partitions.partition)
def whole_processors(test=partitions.full_partition):
    """Integral sizes, a search, Definition 2.2 and the matrix; the control asks for Definition 2.1."""
    wrong = Counter()
    for sizes, X in matrices.matrices(SYSTEMS):
        P, G = X.shape[1], len(sizes)
        whole = all(size.denominator == 1 for size in sizes)
        wrong["by the definition"] += (test([float(size / P) for size in sizes], [1] * P) is not None) != whole
        wrong["by the matrix"] += bool(((X == 0) | (X == 1)).all()) != whole
        wrong["by VPRS"] += _served_apart([float(size / P) for size in sizes], P) != whole
        if P <= 5 and G <= 4:
            owned = (tuple(map(owners.count, range(G))) for owners in itertools.product(range(G), repeat=P))
            wrong["by a search"] += (sizes in owned) != whole
    return of_all(len(SYSTEMS), "random system", *((f"had another answer {how}", n) for how, n in wrong.items()))


@check("thesis-5-122", rule="spread")
def shared_processors(rule=None):
    """How many processors a group shares; the control spreads what remains over all processors that remain."""
    found = [parts_of(X).max() for _, X in matrices.matrices(SYSTEMS, rule, sequences=5)]
    return conclude(everywhere("how many processors a group shares at most", exact(max(found)), between(2, 2)))


@check("thesis-5-129", rule="sets in turn")
def as_many_subsets_as_possible(rule=None):
    """Subsets of step 1 against all partitions; the control lets groups join until the sum is whole."""
    subsets_of = dispatch.combinations if rule is None else matrices.in_turn
    fewer, reducible, other, seen = 0, 0, 0, 0
    for least, sizes, X in [*((0, *each) for each in matrices.matrices(SYSTEMS, rule)), *put_together()]:
        sets = subsets_of(sizes)
        seen += len(sets)
        fewer += len(sets) < (least or len(matrices.most_sets(sizes)))
        for groups in sets:
            own = tuple(sizes[g] for g in groups)
            if len(groups) > 1:
                reducible += _has_whole_part(own)
            if X is not None and len(groups) == 1:
                other += bool(parts_of(X)[groups[0]]) or own[0].denominator > 1
            elif X is not None:  # as a system of its own, with shares that sum to 1
                used, alone = (X[groups] > 0).any(axis=0), matrices.matrix(own, rule)
                other += X[np.ix_(groups, used)].shape != alone.shape or (X[np.ix_(groups, used)] != alone).any()
    return conclude(
        none(len(SYSTEMS) + len(put_together()), "system", "had fewer subsets than there can be", fewer),
        none(seen, "subset", "fell apart", reducible),
        none(seen, "subset", "was otherwise on its own", other),
        whole=True,
    )


@functools.cache
def put_together():
    """Systems of 16 groups made of irreducible ones: of how many, the sizes, and no matrix."""
    rng, found = np.random.default_rng(504), []
    for each in ((4, 4, 4, 4), (5, 5, 6), (8, 8)):
        drawn = []
        for number, groups in enumerate(each):
            candidates = matrices.systems(50, 505 + number, groups=(groups, groups), denominators=(60,))
            drawn += next(sizes for sizes in candidates if not _has_whole_part(sizes))
        found.append((len(each), [drawn[g] for g in rng.permutation(16)], None))
    return found


def _has_whole_part(sizes):
    """Whether some of the groups, not all, have a whole sum."""
    numbers = {Fraction(0): {0}}  # of groups whose sizes have so large a sum, less whole numbers
    for size in sizes:
        for total in list(numbers):
            numbers.setdefault((total + size) % 1, set())
        numbers = {
            total: counts | {count + 1 for count in numbers.get((total - size) % 1, ())}
            for total, counts in numbers.items()
        }
    return bool(numbers[0] - {0, len(sizes)})


@check("thesis-5-130", step=False)
def any_sequence(step=True):
    """Step 2 in all sequences of a combination; the control leaves step 1 out."""
    rng, seen, wrong, empty = np.random.default_rng(506), 0, 0, 0
    for sizes in sorted(set(units(step))):
        orders = itertools.permutations(range(len(sizes)))
        if len(sizes) > 4:
            orders = [rng.permutation(len(sizes)) for _ in range(10)]
        for mixed in {tuple(sizes[g] for g in order) for order in orders}:
            X = matrices.matrix(mixed, None if step else "no step 1")
            laid = matrices.pieces(mixed, [range(len(mixed))])
            given = [matrices.Piece(g, p, X[g, p]) for g, p in itertools.product(*map(range, X.shape)) if X[g, p] > 0]
            seen += 1
            empty += any(piece.part == 0 for piece in laid)
            wrong += not (
                parts_of(X).max() <= 2
                and list(X.sum(axis=1)) == list(mixed)
                and (X.sum(axis=0) == 1).all()
                # each processor but the last is full in the midst of a group
                and (parts_of(X) == 2).sum() == (X < 1).all(axis=0).sum() - 1
                and sorted(laid) == sorted(given)
            )
    two = all(_alike_both_ways(Fraction(k, 100), P) for k in range(1, 100) for P in range(1, 21))
    turned = (0, 1, 3, 2, 4, 5)
    split = [turned[g] + 1 for g in np.flatnonzero(parts_of(matrices.matrix([EXAMPLE[g] for g in turned])) == 2)]
    return conclude(
        none(seen, "sequence", "was laid otherwise", wrong),
        none(seen, "sequence", "had a part of size 0", empty),
        fact("two groups have the same columns both ways", two, "two groups have other columns the other way"),
        fact("groups 4, 3, 5 in turn split group 3", split == [3], "groups 4, 3, 5 in turn split another group"),
        whole=True,
    )


def _alike_both_ways(share, processors):
    one, other = (dispatch.partition(shares, processors) for shares in ([share, 1 - share], [1 - share, share]))
    return matrices.columns(one) == matrices.columns(other, (1, 0))


@check("thesis-5-015", processors=(3,), groups=2)
def a_processor_for_each_group(processors=(2, 3, 5, 10), groups=None):
    """Deviations after every event; the control has a processor that two groups share."""

    def permutation(P):
        X = dispatch.partition([Fraction(1, P)] * P, P)
        return all((np.sum(X == 1, axis=axis) == 1).all() for axis in (0, 1)) and bool((X >= 0).all())

    def off(P, local, seed):
        """The largest deviation at any moment, and whether a group brings more than its processor can serve."""
        G = P if groups is None else groups
        loads = (rng := np.random.default_rng([520, P, seed])).uniform(0.5, 0.95) * rng.dirichlet(np.ones(G))
        jobs, obtained = passed("SVP", local, P, (1 / G,) * G, tuple(loads), 2000, seed)
        gap = feasible_group_share(1 / G, jobs.sum(axis=1), P) - obtained
        return {"deviation": np.abs(gap).max() * G, "overloaded": (loads > 1 / G).any()}

    def asked(policy, P, local, how):
        """The largest mean deviation that the library's simulator or its chain gives."""
        G = P if groups is None else groups
        system = {"local": local, "required_shares": (1 / G,) * G, "processors": P}
        if how == "chain":
            answer = exact_central(policy, **system, loads=np.arange(1, G + 1) * 0.04, most_jobs=8)
            return np.abs(answer.group_share_deviation).max()
        loads = np.arange(1, G + 1) * 0.9 / (G * (G + 1) / 2)
        answer = simulate_central(policy, **system, loads=loads, jumps=2000, warmup=0, replications=2, seed=15)
        return np.abs(answer.group_share_deviation.value).max()

    found = grid(number_of_processors=processors, local_policy=LOCAL, set_of_loads=range(5)).measure(off)
    mean = {
        how: cases(
            "system", [(policy, P, local, how) for policy in ("SVP", "DVP") for P in numbers for local in LOCAL]
        ).measure(asked)
        for how, numbers in (("simulator", processors), ("chain", processors[:2]))
    }
    # one group on one processor is no system of groups
    matrix = cases("number of processors", range(2, 13)).measure(permutation)
    return conclude(
        everywhere("the largest deviation at any moment and 0", found["deviation"], equal(EXACT)),
        everywhere("the mean deviations of the library's simulator and 0", mean["simulator"], equal(EXACT)),
        everywhere("those of its chain and 0", mean["chain"], equal(1e-10)),
        everywhere("each group has one processor", matrix),
        fact("some groups bring more than it can serve", found["overloaded"].value.any(), "no group brings too much"),
        whole=True,
    )


@check("thesis-5-128", rule="no step 1")
def as_few_shared_processors_as_possible(rule=None):
    """Entries of X against an integer programme, and how many jobs a group needs; the control leaves step 1 out."""
    found = matrices.systems(60, 521, groups=(2, 4), processors=(2, 4), denominators=(12,))
    more, other, jobs, seen = 0, 0, 0, 0
    for sizes, X in matrices.matrices(found, rule):
        entries, P, G = int((X > 0).sum()), X.shape[1], len(sizes)
        more += entries > _fewest_entries(sizes)
        other += entries != P + G - len(matrices.most_sets(sizes)) or (X == 1).sum() != sum(map(int, sizes))
        served = _served(sizes, (X.T > 0).astype(int))
        for g in range(G):
            own, share = np.flatnonzero(X[g] > 0), float(sizes[g] / P)
            given = served[own, g] / P
            enough = abs(given.sum() - share) <= EXACT
            seen += 1
            jobs += not (enough and all(given.sum() - left < share - EXACT for left in given))
    return conclude(
        none(len(found), "random system", "had more entries than there need be", more),
        none(len(found), "random system", "had other numbers of shared or whole processors", other),
        none(seen, "group", "needed other than |Omega| jobs", jobs),
        whole=True,
    )


@functools.cache
def _fewest_entries(sizes):
    """The least number of entries above 0 of all matrices with these rows, and columns of 1: by HiGHS."""
    G, P = len(sizes), int(sum(sizes))
    n = G * P
    sums = np.vstack([np.kron(np.eye(G), np.ones(P)), np.kron(np.ones(G), np.eye(P))])
    wanted = np.concatenate([np.array(sizes, float), np.ones(P)])
    answer = milp(
        np.repeat([0.0, 1.0], n), integrality=np.repeat([0, 1], n), bounds=Bounds(0, 1),
        constraints=[
            LinearConstraint(np.hstack([sums, np.zeros_like(sums)]), wanted, wanted),
            LinearConstraint(np.hstack([np.eye(n), -np.eye(n)]), -np.inf, 0),  # X > 0 counts as an entry
        ],
    )  # fmt: skip
    return round(answer.fun)


PAIRS = {2: ((4, 4), (5, 3), (6, 2), (7, 1)), 3: ((6, 6),)}  # required sizes of two groups, in quarters
PARTS = {2: 8, 3: 4}  # entries of other matrices are multiples of one over this
TOTAL_LOADS = {2: (0.2, 0.4, 0.6), 3: (0.2, 0.4)}


@dataclass(frozen=True)
class Laid(Rules):
    """Vertical partitioning of two groups by any matrix: `row` has what group 1 is given of each processor."""

    row: tuple = ()

    @functools.cached_property
    def parts(self):
        """X_gp, as parts[g][p]."""
        return self.row, tuple(1 - part for part in self.row)


@functools.cache
def rows_of_group_1(size, processors):
    """What group 1 may be given of the processors, which are numbered by that: the largest part first."""
    parts = [Fraction(k, PARTS[processors]) for k in range(PARTS[processors] + 1)]
    return tuple(
        row for row in itertools.combinations_with_replacement(parts[::-1], processors) if sum(row) == size
    )  # fmt: skip


def shared(row):
    """How many processors are no group's own."""
    return sum(0 < part < 1 for part in row)


@functools.cache
def meeting(row, local, loads, most_jobs=None):
    """The mean number of processors with jobs of both groups, by the printed rules and this matrix."""
    share = sum(row) / len(row)
    first = max(8, math.ceil(math.log(1e-3, sum(loads))))  # one queue of that load would lose less there
    for cut in (most_jobs,) if most_jobs else range(first, first + 8, 2):
        found = law(Laid("SVP", (share, 1 - share), len(row), local=local, row=row), loads, cut)
        if most_jobs or found.lost < 1e-3:
            return found.mean(lambda jobs: sum(groups_there(one) > 1 for one in jobs))
    raise NoExactAnswer(f"The chain of {', '.join(map(str, row))} is cut too early: {found.lost:.2g} is lost.")


def _of_the_algorithm(size, processors, rule=None):
    """Row 1 of the algorithm's matrix, or of one that gives each group the same part of all processors."""
    share = size / processors
    X = [[share] * processors] if rule == "all alike" else dispatch.partition([share, 1 - share], processors)
    return tuple(sorted(X[0], reverse=True))


@check("thesis-5-190", rule="all alike")
def groups_meet_least(rule=None):
    """Processors on which groups meet, by matrix; in the control all processors are shared alike."""
    compared, names = [], []
    for P, pairs in PAIRS.items():
        for size in (Fraction(one, 4) for one, _ in pairs):
            rows, share = rows_of_group_1(size, P), float(size / P)
            fewest, own = min(map(shared, rows)), _of_the_algorithm(size, P, rule)
            others = [row for row in rows if shared(row) > fewest]
            loads = dict.fromkeys((load * share, load * (1 - share)) for load in TOTAL_LOADS[P])
            loads |= dict.fromkeys((load / 2, load / 2) for load in (0.2, 0.4))
            for row, of_groups, local in itertools.product(others, loads, LOCAL):
                compared.append((own, row, of_groups, local))
                given, brought = (", ".join(map(str, each)) for each in (row, np.round(of_groups, 3)))
                names.append(f"that of {given} at loads {brought} with {local}")
    gap = cases("comparison", compared, names).measure(
        lambda own, row, loads, local: meeting(row, local, loads) - meeting(own, local, loads)
    )

    def library(size, local):
        promised = np.array([float(size / 2), float(1 - size / 2)])
        found = exact_central(
            "SVP", local=local, required_shares=promised, loads=0.2 * promised, processors=2, most_jobs=9
        )
        return found.mixed_processors.sum() - meeting(_of_the_algorithm(size, 2), local, tuple(0.2 * promised), 9)

    sizes = [Fraction(one, 4) for one, _ in PAIRS[2]]
    return conclude(
        at_each("the number of processors with both groups under another matrix less that under the algorithm's",
                gap, larger(1e-9)),
        provided=[
            everywhere("the library's number and that by the printed rules",
                       cases("system", itertools.product(sizes, LOCAL)).measure(library), equal(1e-9))
        ],
    )  # fmt: skip


def _served(sizes, jobs, local="GPPS", policy="SVP"):
    """What groups obtain of the processors in the library, shape (processors, groups)."""
    return Compiled(policy, tuple(map(float, matrices.shares(sizes))), len(jobs), local=local).served(jobs)


@check("thesis-5-133", policy="JSQ")
def weights_of_the_parts(policy="SVP"):
    """What groups obtain of their processors under GPPS and under PS; the control has the weights r_g everywhere."""
    rng, off, unlike = np.random.default_rng(522), [], []
    for sizes, X in matrices.matrices(SYSTEMS):
        present, wanted = X.T > 0, X.T.astype(float)
        jobs = rng.integers(1, 6, present.shape) * present
        with_gpps, with_ps = (np.abs(_served(sizes, jobs, local, policy) - wanted).max(axis=1) for local in LOCAL[::-1])
        off += list(with_gpps)
        unlike += list(with_ps[present.sum(axis=1) > 1] > 1e-3)
    return conclude(
        everywhere("what groups obtain with GPPS and X", exact(off, processor=None), equal(EXACT)),
        everywhere(
            "the part of shared processors on which PS gives something else", exact(np.mean(unlike)), larger(0.5)
        ),
        whole=True,
    )
