"""Claims of `thesis`, Sections 4.3.3, 4.5.3, 4.6: which assignment is fairest, and what even that one costs."""

import itertools

import numpy as np

from clustershare.multiprocessor import group_weights
from clustershare.shares import feasible_group_share, maximum_obtainable_share
from clustershare.splitting import assignment, horizontal, minimise_capacity_loss, vertical
from clustershare.splitting.fairest import deviations_of
from compendium.press.clauses import aside, at_each, cases, conclude, equalities, everywhere, exact, mended, somewhere
from compendium.press.clauses.conditions import at_least, at_most, larger, smaller, within
from compendium.press.findings import check
from pages.share_scheduling.splitting.systems.assignments import (
    best_found,
    equal,
    fully_partitionable,
    largest,
    not_partitionable,
    one_to_one,
    order,
    pairs_of_routings,
    processor_loads,
    shared_pairs,
)

EXACT = 1e-12
HALVES = np.full(2, 0.5)


@check("thesis-4-091", required=(0.6, 0.4))
def each_its_own_of_two(required=(0.5, 0.5)):
    """No other routing comes to 0; VPRS and its mirror image do."""
    loads, to_first = pairs_of_routings(2000, 91)
    apart = (to_first.sum(axis=1) == 1) & (to_first.max(axis=1) == 1)
    found = deviations_of(np.array(required), HALVES, processor_loads(loads, to_first)).max(axis=1)
    own = cases("pair of loads", loads[:50]).measure(
        lambda pair: largest(assignment(required, np.diag(2 * pair), HALVES))
    )
    return conclude(
        everywhere("Delta^G in VPRS", own, within(EXACT)),
        everywhere("Delta^G where each group has a processor", exact(found[apart], random_routing=None), within(EXACT)),
        everywhere("Delta^G elsewhere", exact(found[~apart], random_routing=None), larger()),
        whole=True,
    )


@check("thesis-4-092", capacities=(0.6, 0.4))
def mirror_image(capacities=(0.5, 0.5)):
    """The groups with processors exchanged."""
    speeds = np.array(capacities)

    def both(loads):
        vprs, mirrored = (
            abs(assignment(HALVES, routing * loads[:, None] / speeds, speeds).group_share_deviation).max()
            for routing in (np.eye(2), np.eye(2)[::-1])
        )
        return {"unique": vprs <= EXACT < mirrored, "VPRS": vprs, "its mirror image": mirrored}

    found = cases("random pair of loads", pairs_of_routings(100, 92)[0], seed=92).measure(both)
    unique = everywhere("the deviations are 0 in VPRS and not in its mirror image", found.pop("unique"))
    return mended(unique, *(everywhere(f"the larger one in {name}", each, at_most(0)) for name, each in found.items()))


@check("thesis-4-093", group=1)
def key_inequality(group=0):
    """(4.147) in closed form and as the deviation of the library."""
    loads = shared_pairs(5000, 93)
    own, other = loads[:, group], loads[:, 1 - group]
    margin = 1 - own.sum(axis=1) - np.prod((1 - own - other) / (1 - other), axis=1)
    gap = deviations_of(HALVES, HALVES, loads)[:, group] - margin
    return conclude(
        everywhere("the right side of (4.147) less the left one", exact(margin, random_system=None), larger()),
        *equalities({"that and the deviation of the library": exact(gap, random_system=None)}, EXACT),
        whole=True,
    )


def least_change(loads, move):
    """Of the left side of (4.147), from the deviation of the lighter group, in 20 equal steps of a move of loads."""
    moved = [loads + move * k / 20 for k in range(21)]
    left = [1 - each[:, 0].sum(axis=1) - deviations_of(HALVES, HALVES, each)[:, 0] for each in moved]
    return exact(np.diff(left, axis=0).min(axis=0), random_system=None)


@check("thesis-4-148", group=1)
def moves_of_the_proof(group=0):
    """Step by step: `group` is the one whose load is moved, the left side is that of the lighter group."""
    loads = shared_pairs(2000, 148)
    gap = loads.sum(axis=1) @ [1, -1]
    level = np.sign(gap) * np.minimum(abs(gap) / 2, np.where(gap > 0, loads[:, group, 0], loads[:, group, 1]))
    own = np.eye(2)[group][:, None]
    levelling = level[:, None, None] * own * [-1, 1]
    even = loads + levelling
    even = even[abs(even.sum(axis=1) @ [1, -1]) <= EXACT]  # those that the first move has levelled
    to_first = np.where(even[:, group, 0] > even[:, group, 1], 1, -1)
    left_over = np.minimum(
        even[:, group].min(axis=1), np.where(to_first > 0, even[:, 1 - group, 0], even[:, 1 - group, 1])
    )
    concentrating = (to_first * left_over)[:, None, None] * (2 * own - 1) * [1, -1]
    change = "the least change of the left side of (4.147) in a step, as"
    return conclude(
        everywhere(f"{change} the processors are equalised", least_change(loads, levelling), at_least(0)),
        everywhere(f"{change} the group is concentrated", least_change(even, concentrating), at_least(0)),
        whole=True,
    )


@check("thesis-4-094", policy=horizontal)
def fair_and_wasteful(policy=vertical):
    """What the policy loses at each pair of loads, and whether it is fairest there: Delta^G = 0 is the least."""
    pairs = [(i / 20, j / 20) for i, j in itertools.product(range(1, 20), repeat=2) if i + j < 20]

    def of_both(*loads):
        result = policy(HALVES, loads, 2 if policy is vertical else HALVES)
        return {"loss": result.capacity_loss, "deviation": largest(result)}

    found = cases("pair of loads", pairs).measure(of_both)
    return conclude(
        somewhere("the capacity loss", found["loss"], at_least("clear")),
        everywhere("Delta^G", found["deviation"], within(EXACT)),
        aside("the loads where the loss is largest", exact(pairs[found["loss"].value.round(9).argmax()], group=(1, 2))),
        whole=True,
    )


@check("thesis-4-095", groups=2, sizes=((4, 30),))
def each_its_own_of_more(groups=None, sizes=((3, 100), (4, 30))):
    """Below VPRS, or at 0 elsewhere: by random routings and by descents; the control gives each group two of four."""

    def systems():
        for processors, number in sizes:
            count, rng = groups or processors, np.random.default_rng(95)
            for k, loads in enumerate(one_to_one(count, number, 95 + processors)):
                routings = rng.dirichlet(np.full(processors, 0.3), size=(10, count))
                yield processors, loads, routings * loads[:, None] * processors, k % 10 == 0

    def below(processors, loads, splits, searched):
        required, elsewhere = equal(len(loads)), False
        least = deviations_of(required, equal(processors), splits).max(axis=1).min()
        if searched:
            best = best_found(tuple(required), tuple(loads), processors, starts=5)
            alone = (best.processor_loads > 1e-6).sum(axis=1) == 1
            elsewhere = largest(best) < 1e-9 and not alone[loads < 1 / processors].all()
            least = min(least, largest(best))
        return {"gap": least - largest(vertical(required, loads, processors)), "elsewhere": elsewhere}

    found = cases("random system", systems(), seed=95).measure(below)
    return conclude(
        everywhere("the least Delta^G of all routings that are tried less that of VPRS", found["gap"], at_least(-1e-9)),
        aside("systems where Delta^G is 0 in another routing", exact(found["elsewhere"].value.sum())),
        whole=True,
    )


@check("thesis-4-096", loads=(0.2, 0.3))
def counterexample(loads=(0.3, 0.2)):
    """Loads of the processors and both deviations."""
    result = vertical(HALVES, loads, 4)
    used = exact(result.processor_loads.max(axis=1), group=(1, 2))
    deviations = exact(result.group_share_deviation, group=(1, 2))
    return conclude(
        everywhere("the load of its processors less the printed one", used - exact([0.6, 0.4], group=(1, 2)),
                   within(0.0005)),
        everywhere("its deviation less the printed one", deviations - exact([0.144, 0.096], group=(1, 2)),
                   within(0.0005)),
        aside("the loads", used),
        aside("the deviations", deviations),
        whole=True,
    )  # fmt: skip


PRINTED = np.array([[0.55, 0.55, 0.1, 0], [0, 0, 0.35, 0.45]])


@check("thesis-4-149", tenth=0.0)
def printed_assignment(tenth=0.1):
    """Both deviations to two digits."""
    loads = PRINTED.copy()
    loads[0, 2] = tenth
    found = assignment(HALVES, loads, equal(4)).group_share_deviation
    return conclude(
        everywhere("the deviation less the printed 0.12", exact(found - 0.12, group=(1, 2)), within(0.005)),
        aside("the deviations", exact(found, group=(1, 2))),
        whole=True,
    )


@check("thesis-4-098", processors=2)
def best_of_the_counterexample(processors=4):
    """Below VPRS and below the printed assignment, and a minimum to first order."""
    best = best_found((0.5, 0.5), (0.3, 0.2), processors, starts=30)
    others = {"VPRS": vertical(HALVES, (0.3, 0.2), processors)}
    if processors == 4:
        others["the printed assignment"] = assignment(HALVES, PRINTED, equal(4))
    loads = best.processor_loads[:, order(best.processor_loads)]
    below = exact([largest(best) - largest(other) for other in others.values()], assignment=tuple(others))
    return conclude(
        everywhere("the Delta^G of the best one found less that", below, smaller(1e-9)),
        everywhere("by how much it misses the conditions of a minimum", exact(best.error), at_most(1e-6)),
        aside("Delta^G of the best one found", exact(largest(best))),
        *(aside(f"the loads of the processors by group {g + 1}", exact(own, processor=range(1, processors + 1)))
          for g, own in enumerate(loads)),
        whole=True,
    )  # fmt: skip


@check("thesis-4-150", most=2)
def close_to_the_best(most=5):
    """VPRS less the best found; the control has one processor for each group."""

    def apart(*system):
        return largest(vertical(*system)) - largest(best_found(*system))

    gaps = cases("random system", fully_partitionable(50, 150, most), seed=150).measure(apart)
    return conclude(at_each("the Delta^G of VPRS less that of the best assignment found", gaps, at_most("close")))


def mixes_apart(result):
    """How far the traffic mixes at the processors in use are apart: the part of group 1."""
    totals = result.processor_loads.sum(axis=0)
    return np.ptp(result.processor_loads[0, totals > 1e-9] / totals[totals > 1e-9])


@check("thesis-4-151", objective="capacity loss")
def best_mix(objective="deviation"):
    """Of 50 systems that VPRS fits and 20 that it does not; HPRS loses least capacity on equal processors."""

    def apart(required, loads, processors):
        if objective == "deviation":
            return mixes_apart(best_found(required, loads, processors))
        same = horizontal(required, loads, equal(processors))
        least = minimise_capacity_loss(equal(processors), sum(loads)).objective
        return mixes_apart(same) if abs(same.capacity_loss - least) <= EXACT else 1.0

    systems = [*fully_partitionable(50, 150), *not_partitionable(20, 151)]
    found = cases("random system", systems).measure(apart)
    return conclude(at_each("the distance of the parts that group 1 has at two processors", found, larger(0.01)))


@check("thesis-4-155", migration=True)
def not_enough(migration=False):
    """The least Delta^G of all ten kinds of systems, and the least loss at each load; the control migrates."""
    loads = np.arange(1, 10) / 10
    kinds = [(size, processors) for processors in range(2, 6) for size in range(1, processors)]

    def least(size, processors):
        required = (size / processors, 1 - size / processors)
        if migration:
            return dict(zip(("deviation", "loss"), freely_moved(required, processors)))
        return {"deviation": largest(best_found(required, (0.2, 0.3), processors)), "loss": 0.0}

    names = [f"{size} of {processors} processors for group 1" for size, processors in kinds]
    found = cases("kind", kinds, names).measure(least)
    losses = [[(found["loss"].value.max() if migration else minimise_capacity_loss(equal(P), load).objective) - 0.1
               for load in loads] for P in (2, 4, 10, 100)]  # fmt: skip
    alone = found["deviation"].at(kind=names[0])
    return conclude(
        somewhere("the least Delta^G", found["deviation"].at(kind=names[1:]), larger(0.05)),
        at_each("the least capacity loss less 0.1", exact(losses, P=(2, 4, 10, 100), load=loads), larger()),
        provided=[everywhere("the least Delta^G with one processor for each of two groups", alone, within(1e-9))],
    )


def freely_moved(required, processors):
    """The largest deviation and loss under MGPPS in all states of up to five jobs a group."""
    worst = lost = 0.0
    for jobs in itertools.product(range(6), repeat=2):
        if sum(jobs):
            obtained = group_weights(required, np.array(jobs), equal(processors)) @ equal(processors)
            short = feasible_group_share(np.array(required), np.array(jobs), processors) - obtained
            worst = max(worst, (short / required).max())
            lost = max(lost, maximum_obtainable_share(sum(jobs), equal(processors)) - obtained.sum())
    return worst, lost
