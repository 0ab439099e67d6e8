"""Claims of `thesis`, Section 4.4.3, on Figures 4.8 to 4.16: a fast and a slow processor over loads and capacities."""

import functools

import numpy as np

from clustershare.splitting import capacity_loss, minimise_capacity_loss, minimise_response_time, minimise_waiting_time
from compendium.press import words
from compendium.press.clauses import at_each, conclude, exact
from compendium.press.clauses.conditions import within
from compendium.press.findings import check, finding, over_domain
from pages.share_scheduling.splitting.pairs import CAPACITIES, FEW_LOADS, LOADS, proportional, splits

ALL = 1 - 1e-12  # as a fraction of the jobs
FINE = np.arange(200, 400) / 400  # capacities of the faster processor: 0.5, 0.5025, ..., 0.9975
EVERY = slice(4, None, 5)  # the few loads among all


@functools.cache
def best():
    """The splits that lose least, over the whole grid."""
    return splits(minimise_capacity_loss, CAPACITIES, LOADS)


@functools.cache
def fractions(minimise):
    """The part of the jobs for the faster processor under an objective, at few loads."""
    if minimise is minimise_capacity_loss:
        return best().fraction[:, EVERY]
    return splits(minimise, CAPACITIES, FEW_LOADS).fraction


@functools.cache
def in_proportion():
    """The loss of proportional branching over the whole grid."""
    return proportional(CAPACITIES, LOADS)


def alike(loads):
    """The least loss of two equal processors at some loads."""
    return splits(minimise_capacity_loss, [0.5], loads).objective[0]


def least(faster, loads):
    """The least loss of pairs at some loads."""
    return splits(minimise_capacity_loss, faster, loads).objective


def numbers(mask, values):
    """The values where something is so, as text: first and last of each run."""
    ends = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]])))
    runs = [f"{values[first]:g} to {values[last - 1]:g}" for first, last in zip(ends[::2], ends[1::2])]
    return " and ".join(runs) or "none"


@check("thesis-4-059", minimise=minimise_waiting_time, every=10)
def all_jobs_to_one(minimise=minimise_capacity_loss, every=1):
    """Where the faster processor has all jobs, pair by pair; the control at a tenth of the pairs."""
    faster = CAPACITIES[9::10] if every > 1 else CAPACITIES
    fraction = splits(minimise, faster, LOADS).fraction if every > 1 else best().fraction
    thresholds, holds = (fraction >= ALL).sum(axis=1), []
    for row, until in zip(fraction, thresholds):
        beyond = row[until:]
        holds.append((row[:until] <= 2 - ALL).all() and (beyond < ALL).all() and (np.diff(beyond) <= 1e-12).all())
    shown = [int(thresholds[np.isclose(faster, c)][0]) for c in (0.6, 0.7, 0.8, 0.9)]
    said = ", ".join(f"{until / 100:.2f}" for until in shown)
    differ = len(set(shown)) == 4
    return over_domain(f"all jobs up to a load of {said} for c_1 = 0.6, 0.7, 0.8, 0.9; "
                       f"beyond it not all and not rising with {sum(holds)} of {len(faster)} c_1",
                       [differ and hold for hold in holds])  # fmt: skip


@check("thesis-4-060", limit=0.5)
def fractions_at_full_load(limit=1.0):
    """The distance of the fraction from the capacity, on the way to a load."""
    loads = limit - np.array([0.1, 0.01, 0.001, 0.0001])
    distance = np.abs(splits(minimise_capacity_loss, CAPACITIES, loads).fraction - CAPACITIES[:, None])
    falls = (np.diff(distance, axis=1) < 0).all()
    said = ", ".join(f"{worst:.1g}" for worst in distance.max(axis=0))
    return finding(
        f"largest distance at loads 0.9, 0.99, 0.999, 0.9999: {said}", falls and distance[:, -1].max() <= 1e-3
    )


@check("thesis-4-061", alike=True)
def faster_is_loaded_more(alike=False):
    """The two loads against each other."""
    loads = splits(minimise_capacity_loss, [0.5], LOADS).loads if alike else best().loads
    above, idle = (loads[..., 0] > loads[..., 1]).sum(), (loads[..., 1] <= 1e-12).sum()
    size = loads[..., 0].size
    return finding(f"the faster one has the higher load in {above} of {size} systems; the slower one no job in {idle}",
                   above == size and idle > 0)  # fmt: skip


LOW_TO_MODERATE = np.arange(1, 15) / 20


@functools.cache
def humps(loss):
    """The loss at low to moderate loads, over fine capacities, and where it is largest."""
    found = loss(FINE, LOW_TO_MODERATE)
    return found, found.argmax(axis=0)


def uneven(faster, loads):
    """The loss if jobs are sent in proportion to the capacities to the power 3/2."""
    found = np.empty((len(faster), len(loads)))
    for i, c in enumerate(faster):
        speeds = np.array([c, 1 - c])
        for k, load in enumerate(loads):
            found[i, k] = capacity_loss(speeds, load * np.sqrt(speeds) / (speeds**1.5).sum())
    return found


@check("thesis-4-063", loss=uneven)
def where_the_loss_is_largest(loss=least):
    """The capacity with the largest loss, load by load."""
    found, places = humps(loss)
    near = np.abs(FINE[places] - 0.75) <= 0.05 + 1e-9
    rises = np.array([(np.diff(found[: place + 1, k]) > 0).all() for k, place in enumerate(places)])
    first, last = places.argmin(), places.argmax()
    return over_domain(
        f"largest at c_1 = {FINE[places[first]]:.2f} (load {LOW_TO_MODERATE[first]:g}) to {FINE[places[last]]:.2f} "
        f"(load {LOW_TO_MODERATE[last]:g}); near 0.75 at {near.sum()} of {len(near)} loads, rising on the way at "
        f"{rises.sum()}; at c_1 = 0.75 lower than at 0.5 at {(found[FINE == 0.75][0] < found[0]).sum()}",
        near & rises,
    )


@check("thesis-4-139", loss=proportional)
def drops_to_zero(loss=least):
    """Beyond its largest value the loss falls, to nothing."""
    found, places = humps(loss)
    end = loss([0.9999], LOW_TO_MODERATE)[0]
    falls = np.array([(np.diff(np.append(found[place:, k], end[k])) < 0).all() for k, place in enumerate(places)])
    return over_domain(f"falls from the largest value on at {falls.sum()} of {len(falls)} loads; "
                       f"at c_1 = 0.9999 at most {end.max():.1g}", falls & (end <= 1e-3))  # fmt: skip


@check("thesis-4-064", loss=proportional)
def flat_then_drops(loss=least):
    """The capacity from which on the loss is lower by more than a hundredth, load by load."""
    loads, grid = np.arange(76, 99, 2) / 100, np.append(FINE, [0.999, 0.9999])
    found = loss(grid, loads)
    change = 1 - found / found[0]
    drops, flat = [], []
    for column in change.T:
        lower = column > words.SCALE["practically equal"].most
        start = len(grid) - (np.argmin(lower[::-1]) if not lower.all() else len(grid))
        drops.append(grid[start] if start < len(grid) else np.nan)
        before = found[:start, len(drops) - 1]
        apart = np.abs(before - before[0]) / np.maximum(before, before[0])
        flat.append(start < len(grid) and (apart <= words.SCALE["practically equal"].most).all())
    drops = np.array(drops)
    at_nine = drops[np.isclose(loads, 0.9)][0]
    off = np.abs(np.where(grid[:, None] < drops, change, 0)).max()
    return over_domain(
        f"flat within {off:.3f} of the loss before the drop point, at {sum(flat)} of {len(flat)} loads; it rises from "
        f"{drops[0]:.2f} to {drops[-1]:.2f}, at {(np.diff(drops) > 0).sum()} of {len(drops) - 1} steps, and is "
        f"{at_nine:.2f} at rho = 0.9",
        [*flat, *(np.diff(drops) > 0), abs(at_nine - 0.9) <= 0.05],
    )


@check("thesis-4-065", loss=proportional)
def no_loss_in_the_limit(loss=least):
    """The loss on the way to one processor."""
    found = loss([0.9, 0.99, 0.999, 0.9999], FEW_LOADS)
    said = ", ".join(f"{worst:.1g}" for worst in found.max(axis=1))
    return finding(f"at most {said} at c_1 = 0.9, 0.99, 0.999, 0.9999",
                   found[-1].max() <= 1e-3 and (np.diff(found, axis=0) < 0).all())  # fmt: skip


@check("thesis-4-136", one=True)
def no_lower_in_general(one=False):
    """Where an unequal pair loses more than an equal one; the control is one processor."""
    found = np.array([[capacity_loss([1.0], [load]) for load in LOADS]]) if one else best().objective
    above = found - alike(LOADS) > 1e-9
    pairs, loads = np.nonzero(above)
    where = f", at {len(set(loads))} of 99 loads, with c_1 up to {CAPACITIES[pairs].max():g}" if above.any() else ""
    return finding(f"more in {above.sum()} of {above.size} systems{where}", above.any())


@check("thesis-4-137", faster=(0.50001,))
def almost_as_if_alike(faster=tuple(CAPACITIES[CAPACITIES < 0.7475])):
    """The difference from an equal pair, c_1 by c_1 over all loads; the control's processors are nearly alike."""
    known = faster[0] in CAPACITIES
    pairs = exact(best().objective[: len(faster)] if known else least(faster, LOADS), c=faster, load=LOADS)
    return conclude(
        at_each("the difference of the least loss to that of equal processors, with c of the capacity in one of two,",
                pairs - exact(alike(LOADS), load=LOADS), within("practically equal")),
        together="c",
    )  # fmt: skip


@check("thesis-4-138", loss=proportional)
def falls_beyond_three_quarters(loss=least):
    """The fall against an equal pair, load by load."""
    clear = words.SCALE["clear"].least
    below = CAPACITIES[CAPACITIES < 0.7475]
    falls = [1 - loss(faster, FEW_LOADS) / alike(FEW_LOADS) for faster in (below, [0.9, 0.95, 0.99])]
    none, all_fall = (falls[0] < clear).all(axis=0), (falls[1] >= clear).all(axis=0)
    return over_domain(f"no fall of a tenth below 0.75 at loads {numbers(none, FEW_LOADS)}, elsewhere up to "
                       f"{max(falls[0].max(), 0):.0%}; a fall of a tenth from c_1 = 0.9 on at loads "
                       f"{numbers(all_fall, FEW_LOADS)}; both at {(none & all_fall).sum()} of 19 loads",
                       none & all_fall)  # fmt: skip


@check("thesis-4-069", alike=True)
def proportional_is_no_good(alike=False):
    """What proportional branching loses in vain, as part of what it loses."""
    faster = CAPACITIES > 0.7025
    if alike:
        excess = 1 - least([0.5], FEW_LOADS) / proportional([0.5], FEW_LOADS)
    else:
        excess = 1 - best().objective[faster][:, EVERY] / in_proportion()[faster][:, EVERY]
    holds = excess >= words.SCALE["clear"].least
    always = FEW_LOADS[holds.all(axis=0)]
    return over_domain(f"a tenth or more at {holds.mean():.0%} of the points, for every c_1 up to load "
                       f"{always.max(initial=0):g}, least {max(excess.min(), 0):.3f}", holds)  # fmt: skip


@check("thesis-4-140", up_to=0.8)
def a_quarter_in_vain(up_to=1.0):
    """The largest excess of proportional branching, on the grid and closer to the limit."""
    known = CAPACITIES <= up_to + 1e-9
    excess = (in_proportion() - best().objective)[known]
    pair, load = np.unravel_index(excess.argmax(), excess.shape)
    most, where = excess.max(), (CAPACITIES[known][pair], LOADS[load])
    if up_to == 1:
        closer, loads = 1 - 10.0 ** -np.arange(3, 8), np.arange(40, 61) / 100
        excess = proportional(closer, loads) - least(closer, loads)
        pair, load = np.unravel_index(excess.argmax(), excess.shape)
        most, where = excess.max(), (closer[pair], loads[load])
    return finding(f"{most:.3f} at c_1 = {where[0]:g} and load {where[1]:g}", 0.24 <= most <= 0.25 + 1e-9)


THREE = (minimise_waiting_time, minimise_response_time, minimise_capacity_loss)


def three(alike):
    """The fractions for waiting time, response time and capacity loss, shape (3, pairs, loads)."""
    if alike:
        return np.array([splits(minimise, [0.5], FEW_LOADS).fraction for minimise in THREE])
    return np.array([fractions(minimise) for minimise in THREE])


@check("thesis-4-071", alike=True)
def which_objective_asks_for_more(alike=False):
    """Each fraction against the next, and where the order breaks."""
    waiting, response, loss = three(alike)
    steps = [(response > waiting) | (waiting >= ALL), (loss > response) | ((response >= ALL) & (loss >= ALL))]
    holds = steps[0] & steps[1]
    figures = ", ".join(f"{holds[:, k].mean():.0%} at {FEW_LOADS[k]:g}" for k in (1, 9, 17))
    said = [f"{(~step).sum()} of {step.size} points" for step in steps]
    return over_domain(
        f"response above waiting but for {said[0]}, loss above response but for {said[1]}; both: {figures}", holds
    )


@check("thesis-4-072", alike=True)
def faster_is_loaded_above_average(alike=False):
    """The load of the faster processor is above the total where its fraction is above its capacity."""
    above = three(alike) > (np.array([0.5]) if alike else CAPACITIES)[:, None] + 1e-12
    return over_domain(f"so at {above.sum()} of {above.size} points", above)


def apart(load):
    """By how much the fractions for response and waiting time differ, of the larger one, pair by pair."""
    k = int(np.flatnonzero(np.isclose(FEW_LOADS, load))[0])
    waiting, response, _ = (table[:, k] for table in three(False))
    return np.abs(response - waiting) / np.maximum(response, waiting)


@check("thesis-4-073", load=0.1)
def times_agree_at_high_load(load=0.9):
    """The largest difference of the two fractions."""
    gaps = apart(load)
    return over_domain(f"at most {gaps.max():.4f}, at c_1 = {CAPACITIES[gaps.argmax()]:.3g}",
                       gaps <= words.SCALE["practically equal"].most)  # fmt: skip


@check("thesis-4-074", load=0.9)
def times_differ_at_low_load(load=0.1):
    """The difference pair by pair, and the largest one against those at other loads."""
    gaps, others = apart(load), [apart(other).max() for other in (0.1, 0.5, 0.9) if other != load]
    holds = (gaps >= words.SCALE["clear"].least) & (gaps.max() > max(others))
    return over_domain(f"up to {gaps.max():.2f}, at least 0.1 for c_1 = {numbers(holds, CAPACITIES)}; elsewhere up to "
                       + ", ".join(f"{other:.2g}" for other in others), holds)  # fmt: skip
