"""Claims of `thesis`, Sections 4.3.3, 4.5.3, 4.6: which assignment is fairest, and what even that one costs."""

import itertools

import numpy as np

from clustershare.multiprocessor import group_weights
from clustershare.shares import feasible_group_share, maximum_obtainable_share
from clustershare.splitting import assignment, horizontal, minimise_capacity_loss, vertical
from clustershare.splitting.fairest import deviations_of
from compendium.press import words
from compendium.press.findings import check, erratum, finding, over_domain
from pages.share_scheduling.splitting.assignments import (
    best_found,
    equal,
    fully_partitionable,
    not_partitionable,
    one_to_one,
    order,
    pairs_of_routings,
    processor_loads,
    shared_pairs,
)

EXACT = 1e-12
HALVES = np.full(2, 0.5)


def largest(result):
    return float(result.group_share_deviation.max())


@check("thesis-4-091", required=(0.6, 0.4))
def each_its_own_of_two(required=(0.5, 0.5)):
    """No other routing comes to 0; VPRS and its mirror image do."""
    loads, to_first = pairs_of_routings(2000, 91)
    apart = (to_first.sum(axis=1) == 1) & (to_first.max(axis=1) == 1)
    found = deviations_of(np.array(required), HALVES, processor_loads(loads, to_first)).max(axis=1)
    own = max(largest(assignment(required, np.diag(2 * x), HALVES)) for x in loads[:50])
    apart_at = abs(found[apart]).max()
    good = max(abs(own), apart_at) <= EXACT and (found[~apart] > 0).all()
    return finding(f"0 within 1e-12 in VPRS; above it in {(~apart).sum()} others, at least {found[~apart].min():.1e}"
                   if good else f"up to {max(own, apart_at):.2f} in VPRS", good)  # fmt: skip


@check("thesis-4-092", capacities=(0.6, 0.4))
def mirror_image(capacities=(0.5, 0.5)):
    """The groups with processors exchanged."""
    speeds, worst = np.array(capacities), np.zeros(2)
    for loads in pairs_of_routings(100, 92)[0]:
        for k, routing in enumerate((np.eye(2), np.eye(2)[::-1])):
            deviation = assignment(HALVES, routing * loads[:, None] / speeds, speeds).group_share_deviation
            worst[k] = max(worst[k], abs(deviation).max())
    both = (worst <= EXACT).all()
    said = "0 in VPRS and in its mirror image" if both else f"up to {worst.max():.2f} in one of them"
    return erratum(f"Delta^G is {said}, 100 random loads", worst[0] <= EXACT < worst[1], both)


@check("thesis-4-093", group=1)
def key_inequality(group=0):
    """(4.147) in closed form and as the deviation of the library."""
    loads = shared_pairs(5000, 93)
    own, other = loads[:, group], loads[:, 1 - group]
    left = np.prod((1 - own - other) / (1 - other), axis=1)
    margin = 1 - own.sum(axis=1) - left
    gap = abs(deviations_of(HALVES, HALVES, loads)[:, group] - margin).max()
    strict = (margin > 0).sum()
    return finding(f"strict in {strict} of {len(loads)}", strict == len(loads) and gap <= EXACT)


def left_sides(loads, group=0):
    """The left side of (4.147), from the deviation of the group."""
    return 1 - loads[:, group].sum(axis=1) - deviations_of(HALVES, HALVES, loads)[:, group]


@check("thesis-4-148", group=1)
def moves_of_the_proof(group=0):
    """Step by step: `group` is the one whose load is moved, the left side is that of the lighter group."""
    loads, least = shared_pairs(2000, 148), 0.0
    gap = loads.sum(axis=1) @ [1, -1]
    level = np.sign(gap) * np.minimum(abs(gap) / 2, np.where(gap > 0, loads[:, group, 0], loads[:, group, 1]))
    before = left_sides(loads)
    for _ in range(20):
        loads[:, group] += level[:, None] / 20 * [-1, 1]
        after = left_sides(loads)
        least, before = min(least, (after - before).min()), after
    loads = loads[abs(loads.sum(axis=1) @ [1, -1]) <= EXACT]  # those that the first move has levelled
    to_first = np.where(loads[:, group, 0] > loads[:, group, 1], 1, -1)
    left_over = np.minimum(loads[:, group].min(axis=1), np.where(
        to_first > 0, loads[:, 1 - group, 0], loads[:, 1 - group, 1]))  # fmt: skip
    before = left_sides(loads)
    for _ in range(20):
        step = (to_first * left_over / 20)[:, None] * [1, -1]
        loads[:, group] += step
        loads[:, 1 - group] -= step
        after = left_sides(loads)
        least, before = min(least, (after - before).min()), after
    good = least >= -EXACT and len(loads) > 100
    return finding("never falls, to the processor where it has more" if good else f"falls by {-least:.3f} in a step",
                   good)  # fmt: skip


@check("thesis-4-094", policy=horizontal)
def fair_and_wasteful(policy=vertical):
    """What the policy loses at each pair of loads, and whether it is fairest there: Delta^G = 0 is the least."""
    grid = [(i / 20, j / 20) for i, j in itertools.product(range(1, 20), repeat=2) if i + j < 20]
    processors = 2 if policy is vertical else HALVES
    found = [policy(HALVES, loads, processors) for loads in grid]
    losses = np.array([result.capacity_loss for result in found])
    fairest = np.array([abs(largest(result)) <= EXACT for result in found])
    worst = grid[int(losses.round(9).argmax())]
    return finding(
        f"loss up to {losses.max():.2f}, at loads {worst[0]:g} and {worst[1]:g}; at least 0.1 at "
        f"{np.mean(losses >= 0.1):.0%} of {len(grid)}; fairest at {fairest.sum()}",
        words.allows("clear", losses.max()) and fairest.all(),
    )


@check("thesis-4-095", groups=2, sizes=((4, 30),))
def each_its_own_of_more(groups=None, sizes=((3, 100), (4, 30))):
    """Below VPRS, or at 0 elsewhere: by random routings and by descents; the control gives each group two of four."""
    below, elsewhere, tried = -np.inf, [], 0
    for processors, number in sizes:
        count = groups or processors
        required, rng = equal(count), np.random.default_rng(95)
        for k, loads in enumerate(one_to_one(count, number, 95 + processors)):
            own = largest(vertical(required, loads, processors))
            spread = rng.dirichlet(np.full(processors, 0.3), size=(10, count)) * loads[:, None] * processors
            values = deviations_of(required, equal(processors), spread).max(axis=1)
            if k % 10 == 0:
                best = best_found(tuple(required), tuple(loads), processors, starts=5)
                values = np.append(values, largest(best))
                light = loads < 1 / processors
                alone = (best.processor_loads > 1e-6).sum(axis=1) == 1
                elsewhere += [loads] * bool(largest(best) < 1e-9 and not alone[light].all())
            below, tried = max(below, own - values.min()), tried + len(values)
    good = below <= 1e-9
    return finding(f"none below VPRS of {tried} routings; at 0 elsewhere: {len(elsewhere)}" if good else
                   f"a routing {below:.2f} below VPRS", good)  # fmt: skip


@check("thesis-4-096", loads=(0.2, 0.3))
def counterexample(loads=(0.3, 0.2)):
    """Loads of the processors and both deviations."""
    result = vertical(HALVES, loads, 4)
    used = result.processor_loads.max(axis=1)
    gap = max(abs(used - [0.6, 0.4]).max(), abs(result.group_share_deviation - [0.144, 0.096]).max())
    shown = ", ".join(f"{x:.3f}" for x in result.group_share_deviation)
    return finding(f"loads {used[0]:g} and {used[1]:g}, deviations {shown}", gap <= 0.0005)


PRINTED = np.array([[0.55, 0.55, 0.1, 0], [0, 0, 0.35, 0.45]])


@check("thesis-4-149", tenth=0.0)
def printed_assignment(tenth=0.1):
    """Both deviations to two digits."""
    loads = PRINTED.copy()
    loads[0, 2] = tenth
    found = assignment(HALVES, loads, equal(4)).group_share_deviation
    return finding(", ".join(f"{x:.4f}" for x in found), (abs(found - 0.12) <= 0.005).all())


@check("thesis-4-098", processors=2)
def best_of_the_counterexample(processors=4):
    """Below VPRS and below the printed assignment, and a minimum to first order."""
    best = best_found((0.5, 0.5), (0.3, 0.2), processors, starts=30)
    limit = largest(vertical(HALVES, (0.3, 0.2), processors))
    if processors == 4:
        limit = min(limit, largest(assignment(HALVES, PRINTED, equal(4))))
    first, second = best.processor_loads[:, order(best.processor_loads)]
    return finding(
        f"{largest(best):.4f}, against {limit:.4f}; loads of the processors by group 1: "
        f"{', '.join(f'{x:.2f}' for x in first)}; by group 2: {', '.join(f'{x:.2f}' for x in second)}",
        largest(best) < limit - 1e-9 and best.error <= 1e-6,
    )


@check("thesis-4-150", most=2)
def close_to_the_best(most=5):
    """VPRS less the best found; the control has one processor for each group."""
    systems = list(fully_partitionable(50, 150, most))
    gaps = np.array([largest(vertical(*system)) - largest(best_found(*system)) for system in systems])
    worst = systems[int(gaps.argmax())]
    close = np.array([words.allows("close", max(gap, 0.0)) for gap in gaps])
    return over_domain(
        f"more than 0.05 apart in {(~close).sum()} of 50 systems, by up to {gaps.max():.2f} (P = {worst[2]}, "
        f"r_1 P = {worst[0][0] * worst[2]:.0f}, loads {worst[1][0]:.2f} and {worst[1][1]:.2f})", close,
    )  # fmt: skip


def mixes_apart(result):
    """How far the traffic mixes at the processors in use are apart: the part of group 1."""
    totals = result.processor_loads.sum(axis=0)
    mixes = result.processor_loads[0, totals > 1e-9] / totals[totals > 1e-9]
    return np.ptp(mixes)


@check("thesis-4-151", objective="capacity loss")
def best_mix(objective="deviation"):
    """Of 50 systems that VPRS fits and 20 that it does not; HPRS loses least capacity on equal processors."""
    apart = []
    for required, loads, processors in [*fully_partitionable(50, 150), *not_partitionable(20, 151)]:
        if objective == "deviation":
            apart.append(mixes_apart(best_found(required, loads, processors)))
        else:
            same = horizontal(required, loads, equal(processors))
            least = minimise_capacity_loss(equal(processors), sum(loads)).objective
            apart.append(mixes_apart(same) if abs(same.capacity_loss - least) <= EXACT else 1.0)
    apart = np.array(apart)
    return over_domain(f"apart by {apart.min():.2f} at least, in {(apart > 0.01).sum()} of {len(apart)} systems "
                       "by more than 0.01", apart > 0.01)  # fmt: skip


@check("thesis-4-155", migration=True)
def not_enough(migration=False):
    """The least Delta^G of all ten kinds of systems, and the least loss at each load; the control migrates."""
    loads, deviations = np.arange(1, 10) / 10, {}
    losses = {
        processors: np.array([0.0 if migration else minimise_capacity_loss(equal(processors), x).objective
                              for x in loads])
        for processors in (2, 4, 10, 100)
    }  # fmt: skip
    for processors in range(2, 6):
        for size in range(1, processors):
            required = (size / processors, 1 - size / processors)
            if migration:
                value, lost = freely_moved(required, processors)
                losses[100][:] = max(losses[100].max(), lost)
            else:
                value = largest(best_found(required, (0.2, 0.3), processors))
            deviations[processors, size] = value
    alone = deviations.pop((2, 1))
    shares = np.mean(list(deviations.values()) > np.array(0.05)) if deviations else 0.0
    high = {processors: values > 0.1 for processors, values in losses.items()}
    said = "; ".join(
        f"P = {processors} from {loads[some].min():g} to {loads[some].max():g}"
        if some.any()
        else f"P = {processors} never"
        for processors, some in high.items()
    )
    return over_domain(
        f"least Delta^G {max(deviations.values()):.2f} at most, above 0.05 in {shares:.0%} of the kinds, "
        f"{abs(alone):.0f} with one processor each; least loss above 0.1: {said}",
        [max(deviations.values()) > 0.05 and abs(alone) <= 1e-9, *np.ravel(list(high.values()))],
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
