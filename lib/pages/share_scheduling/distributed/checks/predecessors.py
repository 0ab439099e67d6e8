"""Claims of `thesis`, Section 6.6, on its author's earlier policies: which keep promises, how many must be asked."""

from dataclasses import replace

import numpy as np

from compendium.press.clauses import aside, at_each, conclude, exact, somewhere
from compendium.press.clauses.conditions import larger
from compendium.press.findings import check
from pages.share_scheduling.distributed.points.predecessors import (
    COMBINATIONS,
    LOCAL,
    NAMES,
    deviation,
    fall,
    mean,
    settled,
)
from pages.share_scheduling.distributed.points.stored import beside

PROMISING = (("D-HP", "GPPS"), ("Nice", "GPPS"))
CALLED = {key: f"{NAMES[key[0]]} with {key[1]}" for key in COMBINATIONS}
OTHERS = tuple(name for key, name in CALLED.items() if key not in PROMISING)


@check("thesis-6-138", exchanged=True)
def most_promising(exchanged=False):
    """The ranking of the six combinations by mean Delta^G; in the control each has the other local policy's points."""
    points = {
        CALLED[policy, local]: deviation(policy, LOCAL[1 - LOCAL.index(local)] if exchanged else local)
        for policy, local in COMBINATIONS
    }
    two = tuple(CALLED[key] for key in PROMISING)
    means = beside("policy", {name: mean(found) for name, found in points.items()})
    others = replace(means.at(policy=OTHERS), axes=(("other policy", OTHERS),))
    more = others - means.at(policy=two)
    every = np.array([found.value for found in points.values()])
    first = np.array([name in two for name in points])[every.argsort(axis=0)[:2]].all(axis=0)
    stays = np.all([settled(*key) for key in COMBINATIONS], axis=0)
    return conclude(
        at_each("the mean deviation of another combination, less that of one of the two,", more, larger(),
                every="other policy"),
        somewhere("the two are the first two", exact(first, **dict(points[two[0]].axes))),
        aside("the mean deviation", means),
        aside("that of Nice with bare sums and GPPS", mean(deviation("Nice", "GPPS", "bare sums"))),
        aside(f"at how many of the {stays.sum()} points where all are in equilibrium they are the first two",
              exact(first[stays].sum())),
        aside("the mean deviation there", exact(every[:, stays].mean(axis=1), policy=tuple(points))),
    )  # fmt: skip


@check("thesis-6-139", reading="bare sums")
def needs_to_ask_half(reading=None):
    """What asking fewer than half costs Nice and Distributed HP; in the control the estimate of Nice is a bare sum."""
    less, other = fall(deviation("D-HP", "GPPS")), None if reading else "bare sums"
    worse = fall(deviation("Nice", "GPPS", reading))
    return conclude(
        at_each("what asking fewer than half adds to the deviation of Nice", worse, larger("clear")),
        at_each("half of that, less what it adds to Distributed HP's,", worse.scaled(0.5) - less.distance(), larger()),
        aside("what it adds to Distributed HP's", less),
        aside(
            f"what it adds to Nice's with {'bare' if other else 'scaled'} sums", fall(deviation("Nice", "GPPS", other))
        ),
        together="case",
    )
