"""Claims of `thesis`, Section 4.4.3, on Figures 4.8 to 4.16: a fast and a slow processor over loads and capacities."""

import functools

import numpy as np

from clustershare.splitting import (
    capacity_loss,
    minimise_capacity_loss,
    minimise_response_time,
    minimise_waiting_time,
    switch_on_loads,
)
from compendium.press.clauses import aside, at_each, conclude, equalities, everywhere, exact, fact, grid, somewhere
from compendium.press.clauses.conditions import at_least, at_most, between, falls, larger, rises, short_of, within
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.splitting.points.pairs import CAPACITIES, FEW_LOADS, LOADS, least, proportional, splits
from pages.share_scheduling.splitting.printed.pairs import lowest

ALL = 1 - 1e-12  # as a fraction of the jobs
FINE = np.arange(200, 400) / 400  # capacities of the faster processor: 0.5, 0.5025, ..., 0.9975
EVERY = slice(4, None, 5)  # the few loads among all
LOW_TO_MODERATE = np.arange(1, 15) / 20
NEARLY_ONE = (0.9, 0.99, 0.999, 0.9999)
BELOW = CAPACITIES[CAPACITIES < 0.7475]
THREE = {
    "waiting time": minimise_waiting_time, "response time": minimise_response_time,
    "capacity loss": minimise_capacity_loss,
}  # fmt: skip
NAMES = {minimise: name for name, minimise in THREE.items()}
KNOWN = 1e-8  # the terms of (4.105) are large where the slower processor has hardly any capacity


@functools.cache
def best():
    """The splits that lose least, over the whole grid."""
    return splits(minimise_capacity_loss, CAPACITIES, LOADS)


@functools.cache
def in_proportion():
    """The loss of proportional branching over the whole grid."""
    return proportional(CAPACITIES, LOADS)


def by_cubic(faster=CAPACITIES, loads=LOADS):
    """Clauses that the library's best splits are where (4.105) is least, and lose that."""
    found = best() if faster is CAPACITIES and loads is LOADS else splits(minimise_capacity_loss, faster, loads)
    first, loss = lowest(*np.meshgrid(faster, loads, indexing="ij"))
    off = np.maximum(abs(found.objective - loss), abs(found.loads[..., 0] - first))
    return equalities({"the library's best splits and where (4.105) is least": exact(off, c=faster, load=loads)}, KNOWN)


def by_114(faster, loads):
    """Clauses that what is lost at equal loads is (4.114)."""
    c, load = np.meshgrid(faster, loads, indexing="ij")
    off = proportional(faster, loads) - (1 - load) * load * (load + (1 - load) * (2 * c - 1))
    return equalities({"the loss at equal loads and (4.114)": exact(off, c=faster, load=loads)}, KNOWN)


def by_prices(minimise, faster=CAPACITIES, loads=FEW_LOADS):
    """Clauses that one more job costs the same at both processors, or more at one that has none."""
    found = splits(minimise, faster, loads).loads
    more = (1 - found) ** -2.0 - (minimise is minimise_waiting_time)  # per unit of capacity, of the mean time of all
    fast, slow = np.moveaxis(more / np.column_stack([faster, 1 - np.array(faster)])[:, None], -1, 0)
    off = np.where(found[..., 1] > 0, fast / slow - 1, np.maximum(fast / slow - 1, 0))
    return equalities({f"what a job more costs at the two processors in {NAMES[minimise]}, relatively,":
                       exact(off, c=faster, load=loads)}, KNOWN)  # fmt: skip


@check("thesis-4-059", minimise=minimise_waiting_time, every=10)
def all_jobs_to_one(minimise=minimise_capacity_loss, every=1):
    """Where the faster processor has all jobs, pair by pair; the control at a tenth of the pairs."""
    faster = CAPACITIES[9::10] if every > 1 else CAPACITIES
    fraction = splits(minimise, faster, LOADS).fraction if every > 1 else best().fraction
    until = (fraction >= ALL).sum(axis=1)
    holds = [
        (row[:end] <= 2 - ALL).all() and (row[end:] < ALL).all() and (np.diff(row[end:]) <= 1e-12).all()
        for row, end in zip(fraction, until)
    ]
    on = [switch_on_loads([c, 1 - c])[1] * 100 for c in faster]
    shown = tuple(until[np.isclose(faster, c)][0] / 100 for c in (0.6, 0.7, 0.8, 0.9))
    return conclude(
        at_each(
            "the faster processor has all jobs up to a load, and beyond it a part that does not rise,",
            exact(holds, c=faster),
        ),
        at_each("the library switches the slower one on there", exact((until <= on) & (on < until + 1), c=faster)),
        aside("the load up to which it has all jobs", exact(shown, c=(0.6, 0.7, 0.8, 0.9))),
        provided=[
            fact("that load differs with c_1", len(set(shown)) == 4, "that load does not differ with c_1"),
            *by_cubic(),
        ],
    )


@check("thesis-4-060", limit=0.5)
def fractions_at_full_load(limit=1.0):
    """The distance of the fraction from the capacity, on the way to a load."""
    loads = limit - np.array([0.1, 0.01, 0.001, 0.0001])
    names = [f"{load:g}" for load in loads]
    fraction = exact(splits(minimise_capacity_loss, CAPACITIES, loads).fraction, c=CAPACITIES, load=names)
    distance = (fraction - exact(CAPACITIES, c=CAPACITIES)).distance()
    both = grid(c=CAPACITIES, load=loads).measure(
        lambda c, load: minimise_capacity_loss(np.array([c, 1 - c]), load).fractions.sum()
    )
    return conclude(
        everywhere("the distance of the fraction of the jobs from the capacity", distance.steps("load"), falls()),
        everywhere("that distance", distance.at(load=names[-1]), at_most(1e-3)),
        aside("the largest distance", distance.largest("c")),
        provided=[
            *by_cubic(CAPACITIES, loads),
            *equalities({"the fractions of both processors and 1": both - exact(1.0)}, 1 - ALL),
        ],
        whole=True,
    )


@check("thesis-4-061", alike=True)
def faster_is_loaded_more(alike=False):
    """The two loads against each other, and what is lost against equal loads."""
    found, faster = (splits(minimise_capacity_loss, [0.5], LOADS), [0.5]) if alike else (best(), CAPACITIES)
    first, second = (exact(found.loads[..., p], c=faster, load=LOADS) for p in (0, 1))
    more = proportional(faster, LOADS) - found.objective
    return conclude(
        everywhere("the load of the faster processor less that of the slower one", first - second, larger()),
        somewhere("the least load of the slower processor", second.smallest("c"), at_most(1e-12)),
        everywhere("what equal loads lose more", exact(more, c=faster, load=LOADS), larger()),
        provided=by_cubic(faster, LOADS),
        whole=True,
    )


@functools.cache
def humps(loss):
    """The loss at low to moderate loads, over fine capacities, and where it is largest."""
    found = loss(FINE, LOW_TO_MODERATE)
    return found, found.argmax(axis=0)


def uneven(faster, loads):
    """The loss if jobs are sent in proportion to the capacities to the power 3/2."""
    return np.array([
        [capacity_loss(speeds, load * np.sqrt(speeds) / (speeds**1.5).sum()) for load in loads]
        for speeds in (np.array([c, 1 - c]) for c in faster)
    ])  # fmt: skip


@check("thesis-4-063", loss=uneven)
def where_the_loss_is_largest(loss=least):
    """The capacity with the largest loss, load by load."""
    found, places = humps(loss)
    rising = [(np.diff(found[: place + 1, k]) > 0).all() for k, place in enumerate(places)]
    return conclude(
        at_each("the capacity c_1 with the largest loss", exact(FINE[places], load=LOW_TO_MODERATE), between(0.7, 0.8)),
        at_each("up to that capacity the loss rises", exact(rising, load=LOW_TO_MODERATE)),
        aside("the loss at c_1 = 0.75 less that at 0.5",
              exact(found[FINE == 0.75][0] - found[0], load=LOW_TO_MODERATE)),
        together="load",
        provided=by_cubic(FINE, LOW_TO_MODERATE),
    )  # fmt: skip


@check("thesis-4-139", loss=proportional)
def drops_to_zero(loss=least):
    """Beyond its largest value the loss falls, to nothing."""
    found, places = humps(loss)
    end = loss([0.9999], LOW_TO_MODERATE)[0]
    falling = [(np.diff(np.append(found[place:, k], end[k])) < 0).all() for k, place in enumerate(places)]
    return conclude(
        at_each("beyond its largest value the loss falls", exact(falling, load=LOW_TO_MODERATE)),
        at_each("the loss at c_1 = 0.9999", exact(end, load=LOW_TO_MODERATE), at_most(1e-3)),
        together="load",
        provided=[*by_cubic(FINE, LOW_TO_MODERATE), *by_cubic((0.9999,), LOW_TO_MODERATE)],
    )


@check("thesis-4-064", loss=proportional)
def flat_then_drops(loss=least):
    """The capacity from which on the loss is lower by more than a hundredth, load by load."""
    loads, faster = tuple(np.arange(76, 99, 2) / 100), np.append(FINE, [0.999, 0.9999])
    drops, flat = [], []
    for column in loss(faster, loads).T:
        kept = np.flatnonzero(1 - column / column[0] <= SCALE["practically equal"].most)
        start = kept[-1] + 1 if len(kept) else 0
        before = column[:start]
        drops.append(faster[start] if start < len(faster) else np.nan)
        apart = np.abs(before - before[:1]) / np.maximum(before, before[:1])
        flat.append(apart.max(initial=0) if start < len(faster) else np.inf)
    drops = exact(drops, load=loads)
    return conclude(
        at_each("the change of the loss before it drops, as a part of it,", exact(flat, load=loads),
                at_most("practically equal")),
        at_each("the c_1 at which it drops", drops.steps("load"), rises()),
        at_each("that c_1", drops.at(load=0.9), between(0.85, 0.95)),
        aside("the c_1 at which it drops", drops),
        provided=by_cubic(faster, loads),
    )  # fmt: skip


@check("thesis-4-065", loss=proportional)
def no_loss_in_the_limit(loss=least):
    """The loss on the way to one processor."""
    loads = (*FEW_LOADS, 0.99, 0.999)
    found = exact(loss(NEARLY_ONE, loads), c=map(str, NEARLY_ONE), load=loads)
    return conclude(
        everywhere("the loss", found.steps("c"), falls()),
        everywhere("the loss", found.at(c="0.9999"), at_most(1e-3)),
        aside("the largest loss", found.largest("load")),
        provided=by_cubic(NEARLY_ONE, loads),
        whole=True,
    )


@check("thesis-4-136", one=True)
def no_lower_in_general(one=False):
    """Where an unequal pair loses more than an equal one; the control is one processor."""
    found = np.array([[capacity_loss([1.0], [load]) for load in LOADS]]) if one else best().objective
    more = exact(found, c=[1.0] if one else CAPACITIES, load=LOADS) - exact(least([0.5], LOADS)[0], load=LOADS)
    return conclude(
        somewhere("the most by which a pair loses more than equal processors", more.largest("c"), larger(1e-9)),
        provided=[*by_cubic(), *by_cubic((0.5,), LOADS)],
    )


@check("thesis-4-137", faster=(0.50001,))
def almost_as_if_alike(faster=tuple(BELOW)):
    """The difference from an equal pair, c_1 by c_1 over all loads; the control's processors are nearly alike."""
    known = faster[0] in CAPACITIES
    pairs = exact(best().objective[: len(faster)] if known else least(faster, LOADS), c=faster, load=LOADS)
    return conclude(
        at_each("the difference of the least loss to that of equal processors, with c of the capacity in one of two,",
                pairs - exact(least([0.5], LOADS)[0], load=LOADS), within("practically equal")),
        together="c",
    )  # fmt: skip


@check("thesis-4-138", loss=proportional)
def falls_beyond_three_quarters(loss=least):
    """The fall against an equal pair, load by load; where the loss grows, it is 0."""

    def fall(faster):
        part = np.maximum(0, 1 - loss(faster, FEW_LOADS) / least([0.5], FEW_LOADS))
        return exact(part, c=faster, load=FEW_LOADS)

    said = "as a part of the loss of equal processors, its fall where the capacity c_1 is"
    return conclude(
        at_each(f"{said} below 0.75", fall(BELOW), short_of("clear")),
        at_each(f"{said} 0.9, 0.95 or 0.99", fall([0.9, 0.95, 0.99]), at_least("clear")),
        together="load",
        provided=by_cubic((0.5, *BELOW, 0.9, 0.95, 0.99), FEW_LOADS),
    )


@check("thesis-4-069", alike=True)
def proportional_is_no_good(alike=False):
    """What proportional branching loses in vain, as part of what it loses."""
    faster = CAPACITIES > 0.7025
    if alike:
        excess, c = 1 - least([0.5], FEW_LOADS) / proportional([0.5], FEW_LOADS), [0.5]
    else:
        excess, c = 1 - best().objective[faster][:, EVERY] / in_proportion()[faster][:, EVERY], CAPACITIES[faster]
    excess = exact(excess, c=c, load=FEW_LOADS)
    return conclude(
        at_each("of the loss of proportional branching, the part that is lost in vain", excess, at_least("clear")),
        aside("the least part", excess.smallest("c")),
        provided=[*by_cubic(c, FEW_LOADS), *by_114(c, FEW_LOADS)],
    )


@check("thesis-4-140", up_to=0.8)
def a_quarter_in_vain(up_to=1.0):
    """The largest excess of proportional branching, on a grid and, in the claim, closer to the limit."""
    grids = [(CAPACITIES[CAPACITIES <= up_to + 1e-9][::2], LOADS[::2])]
    if up_to == 1:
        grids.append((1 - 10.0 ** -np.arange(3, 8), np.arange(40, 61) / 100))
    worst = []
    for faster, loads in grids:
        excess = proportional(faster, loads) - least(faster, loads)
        pair, load = np.unravel_index(excess.argmax(), excess.shape)
        worst.append((excess[pair, load], 1 - faster[pair], loads[load]))
    excess, slower, load = max(worst)
    return conclude(
        everywhere("the largest loss in vain", exact(excess), between(0.24, 0.25)),
        aside("the capacity of the slower processor there", exact(slower)),
        aside("the load there", exact(load)),
        provided=[clause for faster, loads in grids for by in (by_cubic, by_114) for clause in by(faster, loads)],
    )


@functools.cache
def fractions(alike):
    """The part of the jobs for the faster processor under the three objectives: `Points`."""
    if alike:
        found, c = [splits(minimise, [0.5], FEW_LOADS).fraction for minimise in THREE.values()], [0.5]
    else:
        times = [splits(minimise, CAPACITIES, FEW_LOADS).fraction for minimise in list(THREE.values())[:2]]
        found, c = [*times, best().fraction[:, EVERY]], CAPACITIES
    return exact(found, objective=THREE, c=c, load=FEW_LOADS)


def known_splits():
    """Clauses that the library's best splits under the three objectives are those that fulfil their conditions."""
    return [*by_cubic(), *by_prices(minimise_waiting_time), *by_prices(minimise_response_time)]


@check("thesis-4-071", alike=True)
def which_objective_asks_for_more(alike=False):
    """Each fraction against the next, and where the order breaks."""
    found = fractions(alike)
    waiting, response, loss = found.value
    more = {
        "for response times than for waiting times": (response > waiting) | (waiting >= ALL),
        "for the capacity loss than for response times": (loss > response) | ((response >= ALL) & (loss >= ALL)),
    }
    axes = dict(found.axes[1:])
    return conclude(
        *(at_each(f"the faster processor has more jobs {than}, or all,", exact(holds, **axes))
          for than, holds in more.items()),
        together=("c", "load"),
        provided=known_splits(),
    )  # fmt: skip


@check("thesis-4-072", alike=True)
def faster_is_loaded_above_average(alike=False):
    """The load of the faster processor is above the total where its fraction is above its capacity."""
    found = fractions(alike)
    more = found - exact(found.axes[1][1], c=found.axes[1][1])
    return conclude(
        at_each("the fraction of the jobs less the capacity of the faster processor", more, larger()),
        provided=known_splits(),
    )


def apart(load):
    """By how much the fractions for response and waiting time differ, of the larger one, pair by pair: `Points`."""
    waiting, response, _ = fractions(False).at(load=load).value
    return exact(np.abs(response - waiting) / np.maximum(response, waiting), c=CAPACITIES)


@check("thesis-4-073", load=0.1)
def times_agree_at_high_load(load=0.9):
    """The largest difference of the two fractions."""
    return conclude(
        at_each(
            "the difference of the fractions for response and waiting times, of the larger one,",
            apart(load),
            at_most("practically equal"),
        ),
        provided=known_splits(),
    )


@check("thesis-4-074", load=0.9)
def times_differ_at_low_load(load=0.1):
    """The difference pair by pair, and the largest one against those at other loads."""
    others = tuple(other for other in (0.1, 0.5, 0.9) if other != load)
    more = [apart(load).value.max() - apart(other).value.max() for other in others]
    return conclude(
        at_each(
            "the difference of the fractions for response and waiting times, of the larger one,",
            apart(load),
            at_least("clear"),
        ),
        provided=[
            everywhere("the largest difference less that at other loads", exact(more, load=others), larger()),
            *known_splits(),
        ],
    )
