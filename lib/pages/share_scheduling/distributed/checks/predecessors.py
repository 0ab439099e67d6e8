"""Claims of `thesis`, Section 6.6, on its author's earlier policies: which keep promises, how many must be asked."""

import numpy as np

from compendium.press.findings import Finding, check
from compendium.press.words import SCALE
from pages.share_scheduling.distributed.predecessors import (
    CASES,
    COMBINATIONS,
    LIMITS,
    LOCAL,
    NAMES,
    deviation,
    fall,
    mean,
    settled,
)
from pages.share_scheduling.distributed.simulated import joint

CLEAR = SCALE["clear"].least
WIDENED = joint(2 * len(CASES))
PROMISING = {("D-HP", "GPPS"), ("Nice", "GPPS")}


def called(key):
    """A combination in words."""
    return f"{NAMES[key[0]]} with {key[1]}"


def listed(values):
    """A number for each case, as text."""
    return ", ".join(f"case {case} {value + 0.0:.4f}" for case, value in zip(CASES, values))


@check("thesis-6-138", exchanged=True)
def most_promising(exchanged=False):
    """The ranking of the six combinations by mean Delta^G; in the control each has the other local policy's points."""
    points = {key: deviation(key[0], LOCAL[1 - LOCAL.index(key[1])] if exchanged else key[1]) for key in COMBINATIONS}
    means = {key: mean(found) for key, found in points.items()}
    wide = joint(len(COMBINATIONS))
    others = [key for key in COMBINATIONS if key not in PROMISING]

    def ahead(key):
        value, half = means[key]
        return all(means[other][0] - value > wide * np.hypot(half, means[other][1]) for other in others)

    first = [key for key in COMBINATIONS if key in PROMISING and ahead(key)]
    stays, two = np.all([settled(*key) for key in COMBINATIONS], axis=0), np.zeros((len(CASES), len(LIMITS)), bool)
    for case, limit in np.ndindex(two.shape):
        best = sorted(COMBINATIONS, key=lambda key: points[key].value[case, limit])[:2]
        two[case, limit] = set(best) == PROMISING
    bare = mean(deviation("Nice", "GPPS", "bare sums"))
    said = ", ".join(f"{called(key)} {value:.4f}" for key, (value, _) in sorted(means.items(), key=lambda one: one[1]))
    order = sorted(COMBINATIONS, key=lambda key: points[key].value[stays].mean())
    verdict = "agrees" if len(first) == 2 else "agrees in part" if first or two.any() else "differs"
    return Finding(
        f"mean deviations: {said}; half widths up to {max(half for _, half in means.values()):.4f}; the two named are "
        f"the first two at {two.sum()} of {two.size} points; Nice with bare sums and GPPS {bare[0]:.4f}; at the "
        f"{stays.sum()} points where all six are in equilibrium the first two at {two[stays].sum()}, in the mean "
        f"{', '.join(map(called, order[:2]))}",
        verdict,
    )


@check("thesis-6-139", reading="bare sums")
def needs_to_ask_half(reading=None):
    """What asking fewer than half costs Nice and Distributed HP; in the control the estimate of Nice is a bare sum."""
    (less, wide), found = fall(deviation("D-HP", "GPPS")), {}
    for name, each in (("Nice", None), ("Nice with bare sums", "bare sums")):
        worse, around = fall(deviation("Nice", "GPPS", each))
        substantial = worse - WIDENED * around >= CLEAR
        half = np.abs(less) + WIDENED * np.hypot(wide, around / 2) <= worse / 2
        found[each] = f"{name} {listed(worse)}, both hold in {int((substantial & half).sum())} of 3 cases"
        if each == reading:
            holds = substantial & half
    return Finding(
        f"higher with 2 and 4 asked than with 6 and 9: {found[None]}; {found['bare sums']}; Distributed HP "
        f"{listed(less)}",
        "agrees" if holds.all() else "agrees in part" if holds.any() else "differs",
    )
