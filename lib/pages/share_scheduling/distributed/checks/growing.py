"""Claims of `thesis`, Sections 6.7.5 and 6.8: up to twenty processors, with fixed probe limits and growing ones."""

import numpy as np

from compendium.press.findings import Finding, check, over_domain
from compendium.press.words import SCALE
from pages.share_scheduling.distributed.growing import MANY, by_chance, excess, few, many, migrations, probing
from pages.share_scheduling.distributed.measured import (
    DEVIATION,
    LOSS,
    UTILISATION,
    Measured,
    above,
    below,
    by_policy,
    column,
    named,
    steps,
    upper,
)
from pages.share_scheduling.distributed.simulated import joint
from pages.share_scheduling.distributed.systems import MANY_PROCESSORS, POLICIES, PROCESSORS

CLEAR, CLOSE, QUIET = SCALE["clear"].least, SCALE["close"].most, 0.05
QUARTER = tuple(-(-P // 4) for P in PROCESSORS)


def bends(found):
    """Second differences and their half widths: the point in the middle counts twice."""
    value, half = found
    widths = np.sqrt(half[:, :-2] ** 2 + 4 * half[:, 1:-1] ** 2 + half[:, 2:] ** 2)
    return np.diff(value, 2, axis=1), widths


@check("thesis-6-031", limit="0")
def network_fills(limit="P/4"):
    """Each step of Figure 6.11; the control has Isolation, which is every policy but SVP without probing."""
    chosen = [k for k, policy in enumerate(POLICIES) if limit != "0" or policy != "SVP"]
    found = few(UTILISATION, limit).part(chosen)
    rises = steps(found)
    bend, width = bends(found)
    wide = joint(bend.size)
    flatter, steeper = bend < -wide * width - 1e-12, bend > wide * width + 1e-12
    moved = migrations(limit, few).value[chosen]
    probes = [probing(P, quarter) for P, quarter in zip(PROCESSORS, QUARTER)]
    return over_domain(
        f"steps of {rises.value.min() + 0.0:.4f} to {rises.value.max() + 0.0:.4f} for four processors more; at "
        f"{PROCESSORS[-1]} {by_policy(found.value[:, -1], 4, [POLICIES[k] for k in chosen])}; of {bend.size} second "
        f"differences {flatter.sum()} are below 0 and {steeper.sum()} above it; migrations for each job at "
        f"{PROCESSORS[0]} {moved[:, 0].min() + 0.0:.3f} to {moved[:, 0].max() + 0.0:.3f}, at {PROCESSORS[-1]} "
        f"{moved[:, -1].min() + 0.0:.3f} to {moved[:, -1].max() + 0.0:.3f}; probes bring {probes[0]:.2g} to "
        f"{probes[-1]:.2g}",
        above(rises, rises.value.size),
    )  # fmt: skip


@check("thesis-6-055", processors=(4, 8))
def a_quarter_better_than_three(processors=(16, 20)):
    """Delta^G with a quarter probed less that with three; the control looks where a quarter is fewer than three."""
    places = [PROCESSORS.index(P) for P in processors]
    change = few(DEVIATION, "P/4") - few(DEVIATION, "3")
    there = column(change, places)
    lost = (few(LOSS, "P/4") - few(LOSS, "3")).value
    said = ", ".join(
        f"P = {P} {change.value[:, k].min() + 0.0:.4f} to {change.value[:, k].max() + 0.0:.4f}"
        for k, P in enumerate(PROCESSORS)
    )
    return over_domain(
        f"deviation with P/4 less that with 3, over the policies: {said}; the loss at {processors[0]} and "
        f"{processors[1]} changes by {lost[:, places].min():.4f} to {lost[:, places].max():.4f}",
        below(there, there.value.size),
    )


@check("thesis-6-155", limit="P - 1")
def the_limit_must_grow(limit="3"):
    """What Delta^G is above full probing, step by step; the control has full probing itself for the fixed limit."""
    fixed, growing = excess(limit), excess("P/4")
    up, more = above(steps(fixed), 16), above(steps(growing), 16)
    ends = above(column(fixed, -1) - column(fixed, 0), len(POLICIES))
    plain = above(steps(few(DEVIATION, limit)), 16)
    said = "; ".join(
        f"with {name} {', '.join(f'{low:.4f} to {high:.4f} at {P}' for P, low, high in zip(PROCESSORS, *ends_of))}"
        for name, ends_of in (
            (f"limit {limit}", (fixed.value.min(axis=0), fixed.value.max(axis=0))),
            ("P/4", (growing.value.min(axis=0), growing.value.max(axis=0))),
        )
    )
    verdict = "agrees" if up.all() and not more.any() else "agrees in part" if up.any() or ends.any() else "differs"
    return Finding(
        f"above full probing: {said}; with the fixed limit {up.sum()} of 16 steps go up, with P/4 {more.sum()}; the "
        f"deviation itself goes up at {plain.sum()} of 16 steps with the fixed limit",
        verdict,
    )


def gained(limit, points=few, processors=PROCESSORS):
    """What a limit takes from the deviation of Isolation, by policy and processors."""
    return Measured(np.tile([by_chance(P) for P in processors], (len(POLICIES), 1)), 0.0) - points(DEVIATION, limit)


def until(holds):
    """From which number of processors on something fails first, and for which policies; else how far it was seen."""
    fails = next((P for P, found in holds.items() if not found.all()), None)
    return f"up to {max(holds)}" if fails is None else f"not at {fails} ({named(~holds[fails], POLICIES)})"


@check("thesis-6-156", limit="0")
def valid_below_twenty(limit="P/4"):
    """Gain, cost of not knowing the rest, and traffic by the rule's bounds; the control probes nobody."""
    clear, close, quiet = "clearly below no probing", "close to full probing", "network below 0.05"
    gain, cost, traffic = gained(limit), excess(limit), few(UTILISATION, limit)
    number = cost.value.size
    holds = {
        clear: above(gain, number, CLEAR),
        close: upper(cost, number) <= CLOSE,
        quiet: below(traffic, number, QUIET),
    }
    beyond = {name: {PROCESSORS[-1]: found[:, -1]} for name, found in holds.items()}
    if limit in MANY:  # what is overloaded there is nan, and holds no more
        for name, found in (
            (clear, above(gained(limit, many, MANY_PROCESSORS), number, CLEAR)),
            (quiet, below(many(UTILISATION, limit), number, QUIET)),
        ):
            beyond[name] |= {P: found[:, k] for k, P in enumerate(MANY_PROCESSORS) if P > PROCESSORS[-1]}
    every, said = np.logical_and.reduce(list(holds.values()))[:, :-1], []
    for name, found in holds.items():
        fails = "; ".join(f"P = {P}: {named(~found[:, k], POLICIES)}" for k, P in enumerate(PROCESSORS[:-1])
                          if not found[:, k].all())  # fmt: skip
        said.append(f"{name} at {found[:, :-1].sum()} of 16 points" + (f" (not {fails})" if fails else ""))
    ends = "; ".join(f"{name} {until(found)}" for name, found in beyond.items())
    return Finding(
        f"{'; '.join(said)}; gain at least {gain.value.min():.3f}, cost at most {cost.value.max():.3f}, network at "
        f"most {traffic.value.max():.3f}; all three at {every.sum()} of 16; from P = {PROCESSORS[-1]} on: {ends}",
        "agrees" if every.all() else "agrees in part" if every.any() else "differs",
    )
