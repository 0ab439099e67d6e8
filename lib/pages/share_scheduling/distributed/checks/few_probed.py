"""Claims of `thesis`, Sections 6.1, 6.7.1 and 6.8: what the first probed processors bring, and what the others do."""

import itertools

import numpy as np

from compendium.press.findings import Finding, check, over_domain
from compendium.press.words import SCALE
from pages.share_scheduling.distributed.alone import by_chance, in_place, isolated_paths, own_processors
from pages.share_scheduling.distributed.growing import excess_at
from pages.share_scheduling.distributed.limits import (
    against,
    at,
    extreme,
    five,
    of,
    substantial,
    where,
)
from pages.share_scheduling.distributed.measured import DEVIATION, LOSS, UTILISATION, Measured, above, below, upper
from pages.share_scheduling.distributed.network_times import by_migration_time
from pages.share_scheduling.distributed.systems import LIMITS, POLICIES, PROCESSORS

CLEAR, CLOSE, HARDLY = SCALE["clear"].least, SCALE["close"].most, SCALE["practically equal"].most
WORDS = {LOSS: "loss", DEVIATION: "deviation"}


def points(quantity, limits, plain=False):
    """The points at some limits, or Isolation by the plain event loop in their place."""
    found = at(five(quantity), limits)
    return in_place(isolated_paths()[quantity], found) if plain else found


def gains(limits, plain=False):
    """Where the loss is lower than Isolation's by a tenth of it, and the deviation by 0.1: dict of arrays of bool."""
    loss, deviation = (points(quantity, limits, plain) for quantity in (LOSS, DEVIATION))
    number = 2 * loss.value.size
    return {
        LOSS: above(substantial(loss, by_chance(LOSS), CLEAR), number),
        DEVIATION: above(against(deviation, by_chance(DEVIATION)), number, CLEAR),
    }


def by_limit(holds, limits):
    """How often something holds at each limit, in words."""
    return ", ".join(f"limit {limit} {of(holds[..., k])}" for k, limit in enumerate(limits))


@check("thesis-6-011", plain=True)
def small_number_of_probes(plain=False, limits=(1, 2, 3)):
    """One to three probed against Isolation; the control has Isolation by the plain event loop for each policy."""
    holds = gains(limits, plain)
    said = [
        f"{WORDS[quantity]} clearly lower: {by_limit(found, limits)}"
        + ("" if found.all() else f" (not {where(~found, limits)})")
        for quantity, found in holds.items()
    ]
    return over_domain("; ".join(said), [*holds.values()])


@check("thesis-6-043", plain=True)
def twenty_to_thirty_percent(plain=False):
    """Two and three of ten probed against Isolation; the control as above."""
    return small_number_of_probes(plain, (2, 3))


@check("thesis-6-012", plain=True)
def from_two_to_three(plain=False):
    """The step of the loss from two to three probed, in parts of it; Isolation gains nothing."""
    two, three = (points(LOSS, limit, plain) for limit in (2, 3))
    holds = above(Measured((1 - CLEAR) * two.value, (1 - CLEAR) * two.half) - three, two.value.size)
    step = two.value - three.value
    part = step / two.value
    loss = five(LOSS).value
    last = max(k for k in LIMITS[1:] if (1 - loss[..., k] / loss[..., k - 1] >= CLEAR).any())
    return over_domain(
        f"lower by {part.min():.3f} to {part.max():.3f} of it, {step.min():.4f} to {step.max():.4f} of the capacity; "
        f"clearly at {of(holds)}; the last step of a tenth somewhere leads to limit {last}",
        holds,
    )


@check("thesis-6-013", limits=LIMITS[:8])
def flat_from_two(limits=LIMITS[2:]):
    """The range of Delta^G over the limits; the control begins with none."""
    found = at(five(DEVIATION), limits)
    high, low = found.value.argmax(axis=-1)[..., None], found.value.argmin(axis=-1)[..., None]
    value, half = (
        [np.take_along_axis(part, place, -1)[..., 0] for place in (high, low)] for part in (found.value, found.half)
    )
    spread = Measured(value[0] - value[1], np.hypot(*half))
    holds = upper(spread, spread.value.size) <= CLOSE
    return over_domain(
        f"largest less smallest {spread.value.min():.3f} to {spread.value.max():.3f}; at most {CLOSE:g} at {of(holds)} "
        f"({where(holds)})",
        holds,
    )


@check("thesis-6-014", plain=True)
def about_zero(plain=False):
    """Delta^G with three probed in case 1; the control is Isolation."""
    found = points(DEVIATION, 3, plain).part((slice(None), 0))
    ends = np.maximum(upper(found, len(POLICIES)), -upper(Measured(-found.value, found.half), len(POLICIES)))
    holds = np.abs(found.value) + ends - found.value <= CLOSE
    said = ", ".join(f"{policy} {value:+.4f}" for policy, value in zip(POLICIES, found.value))
    return over_domain(f"{said}; half widths up to {found.half.max():.4f}", holds)


@check("thesis-6-102", limits=(3, 9))
def thirty_percent_against_none(limits=(0, 3)):
    """Three probed against none, as the measures stand; the control has nine against three."""
    none, some = limits
    holds, said = {}, []
    for quantity in (LOSS, DEVIATION):
        found = five(quantity)
        first = Measured(*(part[:1] for part in at(found, none))) if none == 0 else at(found, none)
        gain = first - at(found, some)
        holds[quantity] = above(gain, 2 * gain.value.size, CLEAR)
        part = gain.value / first.value
        said.append(
            f"{WORDS[quantity]} lower by {gain.value.min():.3f} to {gain.value.max():.3f}, clearly at "
            f"{of(holds[quantity])} ({where(holds[quantity])}); relative to the larger by {part.min():.2f} or more"
        )
    return over_domain("; ".join(said), [*holds.values()])


@check("thesis-6-103", of_limits=(2, 3), reference=0)
def marginal_beyond(of_limits=(4, 5, 6, 7, 8, 9), reference=3):
    """What four to nine probed gain over three; the control has two and three over none."""
    holds, said = [], []
    for quantity in (DEVIATION, LOSS):
        found = five(quantity)
        gain = Measured(*(part[..., None] for part in at(found, reference))) - at(found, of_limits)
        number = 2 * gain.value.size
        holds.append(upper(gain, number) <= CLOSE)
        hardly = upper(gain, number) <= HARDLY
        said.append(
            f"{WORDS[quantity]} lower by at most {extreme(gain.value, of_limits)}, marginally at {of(holds[-1])}; by "
            f"at most {HARDLY:g} at {of(hardly)}"
        )
    return over_domain("; ".join(said), holds)


@check("thesis-6-143", plain=True)
def strictly_decreasing(plain=False):
    """Every step from a limit to the next; Isolation does not change."""
    holds, said = [], []
    for quantity in (LOSS, DEVIATION):
        found = points(quantity, LIMITS, plain)
        step = found.part((..., slice(1, None))) - found.part((..., slice(None, -1)))
        number = 2 * step.value.size
        falls, rises = below(step, number), above(step, number)
        holds.append(falls)
        told = [k for k in LIMITS[1:] if falls[..., k - 1].any()]
        said.append(
            f"{WORDS[quantity]} falls at {of(falls)} steps, rises at {int(rises.sum())} ({where(rises, LIMITS[1:])}), "
            f"the others are not told; no fall is told beyond limit {max(told, default=0)}"
        )
    return over_domain("; ".join(said), holds)


@check("thesis-6-144", limits=(2, 4))
def sharp_at_first(limits=(0, 2)):
    """Delta^G with none less that with two; the control has two less four."""
    first, second = (at(five(DEVIATION), limit) for limit in limits)
    fall = first - second
    holds = above(fall, fall.value.size, CLEAR)
    return over_domain(
        f"lower by {fall.value.min():.3f} to {fall.value.max():.3f}; by {CLEAR:g} at {of(holds)} ({where(holds)})",
        holds,
    )


@check("thesis-6-147", limit=1)
def optimum_at_three(limit=3):
    """Three probed against the best of all limits; the control has one probed."""
    holds, said = [], []
    for quantity in (DEVIATION, LOSS):
        found, here = five(quantity), at(five(quantity), limit)
        least = found.value.argmin(axis=-1)[..., None]
        best = Measured(*(np.take_along_axis(part, least, -1)[..., 0] for part in found))
        scale = 1.0 if quantity == DEVIATION else here.value
        above_best = here - best
        near = upper(above_best, 2 * here.value.size) <= HARDLY * scale
        holds.append(near)
        excess = found.value - best.value[..., None]
        first = [
            next(
                k for k in LIMITS if excess[p, c, k] <= HARDLY * (1 if quantity == DEVIATION else found.value[p, c, k])
            )
            for p, c in itertools.product(range(excess.shape[0]), range(excess.shape[1]))
        ]
        start = f"limits {min(first)} to {max(first)}" if len(set(first)) > 1 else f"limit {first[0]}"
        said.append(
            f"{WORDS[quantity]} above the least by {above_best.value.min():.4f} to {above_best.value.max():.4f}, near "
            f"it at {of(near)} ({where(near)}); near it from {start} on"
        )
    whole = [each.all() for each in holds]
    some = any(each.any() for each in holds)
    return Finding("; ".join(said), "agrees" if all(whole) else "agrees in part" if some else "differs")


@check("thesis-1-017", probed=1)
def negligible_loss_of_information(probed=None):
    """Delta^G and Delta^T above those of full probing, from 30 % probed on; the control has one processor probed."""
    limits = LIMITS[3:] if probed is None else (probed,)
    holds, not_told, said = [], 0, []
    for quantity in (DEVIATION, LOSS):
        found = five(quantity)
        excess = at(found, limits) - Measured(*(part[..., None] for part in at(found, 9)))
        excess = Measured(excess.value, np.where(np.array(limits) == 9, 0.0, excess.half))
        others = excess_at(quantity, 0.3 if probed is None else probed)
        number = 2 * (excess.value.size + others.value.size)
        for each in (excess, others):
            holds.append(upper(each, number) <= HARDLY)
            not_told += int((~holds[-1] & ~above(each, number, HARDLY)).sum())
        told = above(excess, number, HARDLY)
        said.append(
            f"{WORDS[quantity]} above by at most {extreme(excess.value, limits)}, negligible at {of(holds[-2])}, more "
            f"at {where(told, limits)}; on {min(PROCESSORS)} to {max(PROCESSORS)} processors by at most "
            f"{others.value.max():.3f}, negligible at {of(holds[-1])}"
        )
    return over_domain(
        f"{'; '.join(said)}; {not_told} points not told", np.concatenate([each.ravel() for each in holds])
    )


@check("thesis-7-009", alone=True)
def better_than_splitting(alone=False):
    """One to three probed against HPRS and VPRS; the control has Isolation with VP arrivals for each policy."""
    limits, holds, said = (1, 2, 3), [], []
    for quantity in (DEVIATION, LOSS):
        found = at(five(quantity), limits)
        if alone:
            found = in_place(own_processors(quantity), found)
        number = 4 * found.value.size
        lower = [above(against(found, static(quantity)), number) for static in (by_chance, own_processors)]
        holds.append(lower[0] & lower[1])
        said.append(
            f"{WORDS[quantity]} lower than HPRS at {of(lower[0])}, than VPRS at {of(lower[1])}"
            + ("" if lower[1].all() else f" (not {where(~lower[1], limits)})")
        )
    return over_domain("; ".join(said), holds)


@check("thesis-7-016", slow=True)
def feasible_to_run(slow=False):
    """A policy that does well at little cost; in the control migrations take ten times as long, in case 1."""
    if slow:
        deviation, busy = (
            by_migration_time(quantity).part((slice(None), slice(-1, None))) for quantity in (DEVIATION, UTILISATION)
        )
    else:
        deviation, busy = (at(five(quantity), 3) for quantity in (DEVIATION, UTILISATION))
    number = 2 * deviation.value.size
    both = (upper(deviation, number) <= CLOSE) & (upper(busy, number) < 0.05)
    everywhere = [policy for policy, each in zip(POLICIES, both) if each.all()]
    verdict = "agrees" if everywhere else "agrees in part" if both.any(axis=0).all() else "differs"
    largest = ", ".join(f"{policy} {value:.3f}" for policy, value in zip(POLICIES, deviation.value.max(axis=1)))
    return Finding(
        f"in all cases: {', '.join(everywhere) or 'none'}; largest deviations: {largest}; utilisation at most "
        f"{busy.value.max():.3f}",
        verdict,
    )
