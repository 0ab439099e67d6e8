"""Claims of `thesis`, Section 5.5.3: the partitioning algorithm, held against the words of its source."""

import functools
import itertools
from fractions import Fraction

import numpy as np

from clustershare import dispatch, partitions
from compendium.press.findings import check, finding
from pages.share_scheduling.central import matrices
from pages.share_scheduling.central.matrices import EXAMPLE

SYSTEMS = matrices.systems(200, 501)


def parts_of(X):
    """How many processors each group has in part, shape (groups,)."""
    return ((X > 0) & (X < 1)).sum(axis=1)


@check("thesis-5-016", rule="second part whole")
def rows_and_columns(rule=None):
    """(5.9) and (5.11) in fractions; the control gives a split group its second part in full."""
    wrong = 0
    for sizes, X in matrices.matrices(SYSTEMS, rule):
        rows = [r * X.shape[1] for r in matrices.shares(sizes)] == list(X.sum(axis=1))
        wrong += not (rows and (X.sum(axis=0) == 1).all() and X.min() >= 0 and X.max() <= 1)
    return finding(f"systems that break a sum or a limit: {wrong} of {len(SYSTEMS)}", wrong == 0)


@check("thesis-5-017", step=False)
def remaining_sizes(step=True):
    """What is left of the groups after whole processors; the control takes every system to step 2 as it is."""
    seen, wrong = 0, 0
    for sizes in SYSTEMS:
        for groups in dispatch.combinations(sizes) if step else [range(len(sizes))]:
            if len(groups) > 1:
                left = [sizes[g] - int(sizes[g]) for g in groups]
                free = sum(sizes[g] for g in groups) - sum(int(sizes[g]) for g in groups)
                seen += 1
                wrong += not (all(0 < part < 1 for part in left) and free >= 1 and free == sum(left))
    return finding(f"combinations that say otherwise: {wrong} of {seen}", wrong == 0 and seen > 100)


@check("thesis-5-018", rule="side by side")
def sizes_of_subsets(rule=None):
    """How many processors a group is on; the control lays groups side by side."""
    many = matrices.systems(10, 502, groups=(8, 14), processors=(2, 30))
    most, wrong, attained = 0, 0, 0
    for sizes, X in matrices.matrices(SYSTEMS + many, rule, sequences=5):
        for size, own in zip(sizes, (X > 0).sum(axis=1)):
            most = max(most, own - int(size))
            wrong += own > int(size) + 2 or (size.denominator == 1 and own != size)
            attained += own == int(size) + 2
    return finding(
        f"at most floor(omega) + {most}, which {'is' if attained else 'is not'} attained; groups that say otherwise: "
        f"{wrong}",
        wrong == 0 and attained > 0,
    )


@check("thesis-5-019", rule="no step 1")
def the_example(rule=None):
    """(5.13); that its three subsets are the only ones is found by trying all partitions of the groups."""
    half, third = Fraction(1, 2), Fraction(1, 3)
    printed = np.array([
        [0, 1, half, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 2 * third, 0], [0, 0, 0, third, third],
        [0, 0, 0, 0, 2 * third], [0, 0, half, 0, 0],
    ])  # fmt: skip
    X = matrices.matrix(EXAMPLE, rule)
    sets = dispatch.combinations(EXAMPLE) if rule is None else [list(range(6))]
    left = [[EXAMPLE[g] - int(EXAMPLE[g]) for g in groups] for groups in sets[1:]]
    into_three = [found for found in matrices.whole_partitions(EXAMPLE) if len(found) == 3]
    holds = {
        "sums of the print": list(printed.sum(axis=1)) == list(EXAMPLE) and (printed.sum(axis=0) == 1).all(),
        "subsets": sets == [[1], [0, 5], [2, 3, 4]] and into_three == [[[0, 5], [1], [2, 3, 4]]],
        "remaining sizes": left == [[half, half], [2 * third] * 3],
        "matrix": (X == printed).all(),
    }
    said = ", ".join(f"{name} {'as printed' if good else 'otherwise'}" for name, good in holds.items())
    return finding(said, all(holds.values()))


@check("thesis-5-020", exactly=False)
def two_processors_and_a_knapsack(exactly=True):
    """The library, Definition 2.1, and sums over integers; the control fills the knapsack at most."""
    rng, answers, wrong = np.random.default_rng(503), [], 0
    for _ in range(500):
        items = [int(a) for a in rng.integers(1, 21, rng.integers(3, 13))]
        total, sums = sum(items), 1  # bit s of `sums`: some items sum to s
        for a in items:
            sums |= sums << a
        filled = total % 2 == 0 and sums >> (total // 2) & 1 == 1 if exactly else 2 * min(items) <= total
        answers.append(len(dispatch.combinations([Fraction(2 * a, total) for a in items])) > 1)
        wrong += answers[-1] != filled
        if len(items) <= 8:
            wrong += answers[-1] != (partitions.partition([a / total for a in items], [1, 1]) is not None)
    return finding(
        f"different answers: {wrong}; partitionable {sum(answers)} of 500",
        wrong == 0 and 50 <= sum(answers) <= 450,
    )


@check("thesis-5-055", groups=3)
def two_groups(groups=2):
    """Sizes of subsets with two groups; the control splits the first of them in two."""
    wrong, shared = 0, 0
    for P, k in itertools.product(range(1, 21), range(1, 60)):
        first = Fraction(k, 60)
        shares = [first, 1 - first] if groups == 2 else [first / 2, first / 2, 1 - first]
        X = dispatch.partition(shares, P)
        own, part = (X == 1).sum(axis=1), [int(share * P) for share in shares]
        cut = [(0 < column).all() and column.sum() == 1 for column in X.T if (column < 1).all()]
        whole = (first * P).denominator == 1
        wrong += not (
            [-int(-share * P // 1) for share in shares] == list((X > 0).sum(axis=1))
            and list(own) == part
            and cut == ([] if whole else [True])
            and (whole or part[1] == P - part[0] - 1)
        )
        shared += not whole
    return finding(f"systems that say otherwise: {wrong} of 1180; a shared processor in {shared}", wrong == 0)


@check("thesis-5-120", fully=False)
def whole_processors(fully=True):
    """Integral sizes, a search, Definition 2.2 and the matrix; the control asks for Definition 2.1."""
    wrong, searched, yes = 0, 0, 0
    for sizes, X in matrices.matrices(SYSTEMS):
        P, G = X.shape[1], len(sizes)
        whole = all(size.denominator == 1 for size in sizes)
        test = partitions.full_partition if fully else partitions.partition
        answers = [test([float(size / P) for size in sizes], [1] * P) is not None, bool(((X == 0) | (X == 1)).all())]
        if P <= 5 and G <= 4:
            answers.append(any(_counts(owners, G) == sizes for owners in itertools.product(range(G), repeat=P)))
            searched += 1
        wrong += any(answer != whole for answer in answers)
        yes += whole
    return finding(
        f"systems with different answers: {wrong} of {len(SYSTEMS)}; {yes} fully partitionable, {searched} searched",
        wrong == 0,
    )


def _counts(owners, groups):
    return tuple(owners.count(g) for g in range(groups))


@check("thesis-5-122", rule="spread")
def shared_processors(rule=None):
    """How many processors a group shares; the control spreads what remains over all processors that remain."""
    found = [parts_of(X).max() for _, X in matrices.matrices(SYSTEMS, rule, sequences=5)]
    return finding(
        f"most processors that a group shares: {max(found)}; two in {sum(n == 2 for n in found)} of {len(found)}",
        max(found) == 2,
    )


@check("thesis-5-129", rule="sets in turn")
def as_many_subsets_as_possible(rule=None):
    """Subsets of step 1 against all partitions; the control lets groups join until the sum is whole."""
    subsets_of = dispatch.combinations if rule is None else matrices.in_turn
    fewer, reducible, other = 0, 0, 0
    for sizes, X in matrices.matrices(SYSTEMS, rule):
        sets = subsets_of(sizes)
        fewer += len(sets) < len(matrices.most_sets(sizes))
        for groups in sets:
            own = tuple(sizes[g] for g in groups)
            if len(groups) == 1:
                other += (parts_of(X)[groups[0]] > 0) + (own[0].denominator > 1)
                continue
            reducible += _has_whole_part(own)
            used = [p for p in range(X.shape[1]) if X[groups[0], p] > 0 or any(X[g, p] > 0 for g in groups)]
            alone = matrices.matrix(own, rule)  # as a system of its own, with shares that sum to 1
            other += X[np.ix_(groups, used)].shape != alone.shape or (X[np.ix_(groups, used)] != alone).any()
    for least, sizes in put_together():
        sets = subsets_of(sizes)
        fewer += len(sets) < least
        reducible += sum(_has_whole_part([sizes[g] for g in groups]) for groups in sets if len(groups) > 1)
    return finding(
        f"systems with fewer subsets than there can be: {fewer}; subsets that fall apart: {reducible}; subsets that "
        f"are otherwise on their own: {other}",
        fewer == reducible == other == 0,
    )


@functools.cache
def put_together():
    """Systems of 16 groups made of irreducible ones, and of how many."""
    rng, found = np.random.default_rng(504), []
    for each in ((4, 4, 4, 4), (5, 5, 6), (8, 8)):
        drawn = []
        for number, groups in enumerate(each):
            candidates = matrices.systems(50, 505 + number, groups=(groups, groups), denominators=(60,))
            drawn += next(sizes for sizes in candidates if not _has_whole_part(sizes))
        found.append((len(each), [drawn[g] for g in rng.permutation(16)]))
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
    units = {
        tuple(sizes[g] for g in groups)
        for sizes in SYSTEMS
        for groups in (dispatch.combinations(sizes) if step else [range(len(sizes))])
        if len(groups) > 1
    }
    for sizes in sorted(units):
        orders = itertools.permutations(range(len(sizes)))
        if len(sizes) > 4:
            orders = [rng.permutation(len(sizes)) for _ in range(10)]
        for mixed in {tuple(sizes[g] for g in order) for order in orders}:
            X = matrices.matrix(mixed, None if step else "no step 1")
            laid = matrices.pieces(mixed, [range(len(mixed))])
            empty += any(piece.part == 0 for piece in laid)
            remaining = (X < 1).all(axis=0).sum()
            splits = (parts_of(X) == 2).sum()
            seen += 1
            wrong += not (
                parts_of(X).max() <= 2
                and list(X.sum(axis=1)) == list(mixed)
                and (X.sum(axis=0) == 1).all()
                and splits == remaining - 1  # each processor but the last is full in the midst of a group
                and sorted(piece for piece in laid) == sorted(_pieces(X))
            )
    two = all(_alike_both_ways(Fraction(k, 100), P) for k in range(1, 100) for P in range(1, 21))
    turned = matrices.matrix([EXAMPLE[g] for g in (0, 1, 3, 2, 4, 5)])
    split = [(0, 1, 3, 2, 4, 5)[g] + 1 for g in np.flatnonzero(parts_of(turned) == 2)]
    return finding(
        f"sequences that say otherwise: {wrong} of {seen}, with a part of size 0: {empty}; two groups: "
        f"{'the same columns both ways' if two else 'other columns'}; groups 4, 3, 5 in turn split group {split[0]}",
        wrong == empty == 0 and two and split == [3],
    )


def _pieces(X):
    return [matrices.Piece(g, p, X[g, p]) for g, p in itertools.product(*map(range, X.shape)) if X[g, p] > 0]


def _alike_both_ways(share, processors):
    one, other = (dispatch.partition(shares, processors) for shares in ([share, 1 - share], [1 - share, share]))
    return matrices.columns(one) == matrices.columns(other, (1, 0))
