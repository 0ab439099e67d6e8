"""Claims of `thesis`, Section 5.6.1, Figures 5.9 and 5.10: two groups that are alike, on 2 to 20 processors."""

import functools
from fractions import Fraction

import numpy as np
from scipy.stats import binom

from clustershare import dispatch
from compendium.press.findings import check, finding, over_domain, yes
from compendium.press.words import allows
from pages.share_scheduling.central import lengths
from pages.share_scheduling.central.case_one import (
    DEVIATION,
    LOSS,
    SPREAD,
    VERTICAL,
    Measured,
    beyond,
    of_static,
    points,
    said,
)
from pages.share_scheduling.central.passed import passed
from pages.share_scheduling.central.simulated import joint
from pages.share_scheduling.central.systems import COMBINATIONS, LOCAL, PROCESSORS

ODD, EVEN = tuple(range(3, 20, 2)), tuple(range(4, 20, 2))
NAMES = {LOSS: "loss", DEVIATION: "deviation"}


def amplitude(measured, places):
    """The mean of the values at P - 1 and P + 1, less that at P."""
    at = np.array(places) - PROCESSORS[0]
    value, half = measured
    return Measured(
        (value[at - 1] + value[at + 1]) / 2 - value[at],
        np.sqrt((half[at - 1] / 2) ** 2 + (half[at + 1] / 2) ** 2 + half[at] ** 2),
    )


@check("thesis-5-040", migration=True)
def whatever_the_number(migration=False):
    """The range of JSQ's and HP's loss over P, relative and of the capacity; with migration nothing is ever lost."""
    found = [points(LOSS, migration=migration)[policy, local] for policy in SPREAD for local in LOCAL]
    wide, parts, ranges, words = joint(len(found)), [], [], []
    for one in found:
        top, low = int(one.value.argmax()), int(one.value.argmin())
        gap = max(one.value[top] - one.value[low], 0.0)
        end = gap + wide * np.hypot(one.half[top], one.half[low])
        ranges.append(end)
        parts.append(end / one.value[top] if one.value[top] > 1e-9 else 0.0)
        words.append((one.value[low], PROCESSORS[low], one.value[top], PROCESSORS[top]))
    if max(ranges) <= 1e-9:
        return finding("none is lost, whatever P", True)
    low, P, top, Q = words[int(np.argmax(parts))]
    least = min(value for value, *_ in words)
    return over_domain(
        f"from {low:.3f} at P = {P} to {top:.3f} at {Q}: by up to {max(parts):.2f} of the larger, and "
        f"{max(ranges):.3f} of the capacity (least loss {least:.3f})",
        [all(allows("practically equal", part) for part in parts), max(ranges) <= 0.01],
    )


@check("thesis-5-042", places=EVEN)
def sharing_one_helps(places=ODD):
    """Odd P against the mean of both neighbours, both measures; the control takes even P."""
    found = {
        (quantity, policy, local): amplitude(points(quantity)[policy, local], places)
        for quantity in NAMES for policy in VERTICAL for local in LOCAL
    }  # fmt: skip
    holds = np.array(beyond(found.values()))
    words = []
    for quantity, name in NAMES.items():
        values = np.array([one.value for key, one in found.items() if key[0] == quantity])
        words.append(f"{name} lower by {values.min():.4f} to {values.max():.3f}")
    return over_domain(f"{', '.join(words)}, beyond the intervals at {holds.sum()} of {holds.size} points", holds)


@check("thesis-5-155", dynamic=("HPRS",))
def dynamic_below_static(dynamic=None):
    """Every combination against HPRS and VPRS; the control has HPRS as the dynamic policy."""
    gaps, places = {}, {}
    for quantity, name in NAMES.items():
        for static, numbers in (("HPRS", PROCESSORS), ("VPRS", PROCESSORS[::2])):
            base = of_static(quantity, static, numbers)
            at = np.array(numbers) - PROCESSORS[0]
            for key in COMBINATIONS if dynamic is None else [(policy, "PS") for policy in dynamic]:
                ours = points(quantity)[key] if dynamic is None else of_static(quantity, key[0], PROCESSORS)
                gaps[name, static, key], places[name, static, key] = base - ours.part(at), numbers
    holds = dict(zip(gaps, beyond(gaps.values())))
    total, good = sum(len(one) for one in holds.values()), sum(one.sum() for one in holds.values())
    missed = sorted({(places[key][k], key[2][0]) for key, one in holds.items() for k in np.flatnonzero(~one)})
    who = {P: ", ".join(dict.fromkeys(name for place, name in missed if place == P)) for P, _ in missed}
    where = (
        "; ".join(f"not at P = {P} ({names})" for P, names in who.items()) if len(who) < 5 else f"not at {len(who)} P"
    )
    return over_domain(f"lower at {good} of {total} points; {where}",
                       np.concatenate(list(holds.values())))  # fmt: skip


@check("thesis-5-156", policies=("HPRS",))
def slowly_less(policies=SPREAD):
    """Steps from P = 5 on, and P = 5, 10, 20; the control is HPRS."""
    start = 5 - PROCESSORS[0]
    if policies == SPREAD:
        found = {(policy, local): points(LOSS)[policy, local] for policy in policies for local in LOCAL}
    else:
        found = {("HPRS", "PS"): of_static(LOSS, "HPRS", PROCESSORS)}
    steps = {key: one.part(slice(start + 1, None)) - one.part(slice(start, -1)) for key, one in found.items()}
    wide = joint(sum(len(one.value) for one in steps.values()) + 2 * len(found))
    words, holds = [], []
    for (policy, local), step in steps.items():
        one = found[policy, local]
        rising = step.value - wide * step.half > 0
        falls = np.maximum(-step.value, 0) / one.value[start:-1]
        ends = [one.part([high - 2]) - one.part([low - 2]) for low, high in ((10, 5), (20, 10))]
        ordered = [bool((end.value - wide * end.half > 0).all()) for end in ends]
        up = ", ".join(f"{PROCESSORS[start + k]} to {PROCESSORS[start + k + 1]}" for k in np.flatnonzero(rising)[:3])
        words.append(
            f"{policy}/{local} rises from {up or 'none'}, falls by at most {falls.max():.3f} of it a step, 5, 10, 20 "
            f"{'in order' if all(ordered) else 'not in order'}"
        )
        holds += [*(~rising & (falls <= 0.05)), *ordered]
    return over_domain("; ".join(words), holds)


@check("thesis-5-157", whole=True)
def one_shared_processor(whole=False):
    """Matrices, and shares on paths; in the control the required shares are whole processors."""
    matrices = True
    for P in PROCESSORS:
        X = dispatch.partition(_shares(P, whole), P)
        matrices &= int(((X > 0) & (X < 1)).any(axis=0).sum()) == P % 2
    above, beside, most = {0: [], 1: []}, {local: 0 for local in LOCAL}, 0
    for P in range(2, 8) if not whole else (3, 5, 7):
        shares = tuple(map(float, _shares(P, whole)))
        for policy in VERTICAL:
            for local in LOCAL:
                jobs, obtained = passed(policy, local, P, shares, events=2000)
                more = obtained - np.array(shares) > 1e-12
                above[P % 2].append(float((obtained - np.array(shares)).max()))
                both = (jobs > 0).all(axis=2)
                if policy == "SVP":
                    beside[local] += int((more & both.any(axis=1)[:, None]).sum())
                else:
                    most = max(most, int(both.sum(axis=1).max()))
    odd, even = min(above[1]), max(above[0], default=0.0)
    told = f"more than the share by up to {odd:.2f} or further" if odd > 1e-12 else "never more than the share"
    return over_domain(
        f"one shared processor for odd P, none for even: {yes(matrices)}; odd P: "
        f"{told}; even P: {'never' if even <= 1e-12 else f'by {even:.2f}'}; under SVP more although the other group "
        f"is there, in {beside['PS']} states (PS) and {beside['GPPS']} (GPPS); under DVP up to {most} processors "
        f"shared at once",
        [matrices and odd > 1e-12 and even <= 1e-12 and not beside[local] for local in LOCAL],
    )


def _shares(P, whole):
    return [Fraction(P + 1, 2 * P), Fraction(P - 1, 2 * P)] if whole else [Fraction(1, 2)] * 2


@check("thesis-5-159", places=EVEN)
def the_effect_shrinks(places=ODD):
    """Amplitudes of the deviation along P, and those of JSQ and HP beside; the control takes even P."""
    found = {key: amplitude(points(DEVIATION)[key], places) for key in COMBINATIONS}
    own = [key for key in COMBINATIONS if key[0] in VERTICAL]
    steps = {key: found[key].part(slice(1, None)) - found[key].part(slice(None, -1)) for key in own}
    wide = joint(sum(len(step.value) for step in steps.values()) + 2 * len(own) * len(places) + 4 * len(places))
    falling = np.array([
        (step.value - wide * step.half <= 0) & (found[key].value[1:] > 0) for key, step in steps.items()
    ])  # fmt: skip
    halved = np.array([0 < found[key].value[-1] < found[key].value[0] / 2 for key in own])
    chains = _with_exact(found["JSQ", "PS"], places)
    positive, smaller, opposite = [], [], 0
    for key in COMBINATIONS:
        if key[0] in SPREAD:
            ours = chains if key == ("JSQ", "PS") else found[key]
            positive.append(ours.value - wide * ours.half > 0)
            opposite += int((ours.value + wide * ours.half <= 0).sum())
            for policy in VERTICAL:
                gap = found[policy, key[1]] - ours
                smaller.append(gap.value - wide * gap.half > 0)
                opposite += int((gap.value + wide * gap.half <= 0).sum())
    positive, smaller = np.array(positive), np.array(smaller)
    first, last = (f"{found['SVP', 'PS'].value[k]:.3f}" for k in (0, -1))
    return over_domain(
        f"SVP/PS from {first} at P = {places[0]} to {last} at {places[-1]}, steps up beyond the intervals: "
        f"{(~falling).sum()}; JSQ and HP: {chains.value[0]:.3f} to {found['JSQ', 'PS'].value[-1]:.3f} (JSQ/PS), above "
        f"0 beyond the intervals at {positive.sum()} of {positive.size} points (all four at P = "
        f"{said(places, positive.all(axis=0))}), below SVP's and DVP's "
        f"at {smaller.sum()} of {smaller.size}; the other way round at {opposite}",
        np.concatenate([falling.ravel(), halved, positive.ravel(), smaller.ravel()]),
    )


def _with_exact(measured, places):
    """JSQ/PS with the amplitude at P = 3 by the chain of ordered lengths."""
    if 3 not in places:
        return measured
    two, three, four = (_by_lengths(P) for P in (2, 3, 4))
    value, half = measured.value.copy(), measured.half.copy()
    value[places.index(3)], half[places.index(3)] = (two + four) / 2 - three, 0.0
    return Measured(value, half)


@functools.cache
def _by_lengths(processors, load=0.8, most=70, spread=8):
    """Delta^G of JSQ/PS: the group of each job is drawn, whatever the lengths."""
    jobs, probability = lengths.law(load, processors, most, spread)
    law = np.bincount(jobs.sum(axis=1), probability)
    n, m = np.arange(len(law))[:, None], np.arange(len(law))
    feasible = (binom.pmf(m, n, 0.5) * np.minimum(0.5, m / processors)).sum(axis=1)
    return float((law @ feasible - load / 2) / 0.5)
