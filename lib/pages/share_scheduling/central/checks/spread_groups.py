"""Claims of `thesis`, Section 5.5.2: what groups obtain that are spread over all processors, by simulated points."""

import functools

import numpy as np

from clustershare.dispatch import kernel
from clustershare.dispatch.central import LOCAL, policy_of
from clustershare.dispatch.state import OBTAINED_SHARE, empty, of_groups
from compendium.press import words
from compendium.press.findings import check, over_domain
from pages.share_scheduling.central import simulated, spread
from pages.share_scheduling.central.systems import FRACTIONS, LOADS, PROCESSORS, SHARES

AXES = {"load": LOADS, "processors": PROCESSORS, "fraction": FRACTIONS, "share": SHARES}


@check("thesis-5-103", migration=False)
def what_migration_gains(migration=True):
    """Every point with migration against the one without; the control has migration in neither."""
    before, after, widths, horizontal = [], [], [], []
    for axis, values in AXES.items():
        still = simulated.table(simulated.along(axis, values), axis)
        moved = simulated.table(simulated.along(axis, values, migration=migration), axis)
        for key, estimates in still[0].items():
            before.append(estimates)
            after.append(moved[0][key])
            widths.append((still[1][key], moved[1][key]))
            horizontal.append(np.full(len(estimates), key[0] == "HP"))
    before, after, horizontal = map(np.concatenate, (before, after, horizontal))
    own, other = np.concatenate(widths, axis=1)
    joint = simulated.joint(len(before)) * np.hypot(own, other)
    missed = before > own
    holds = np.where(missed, after <= before / 2, before - after > joint)
    substantial = (before - after)[horizontal] >= words.SCALE["clear"].least
    much = before - after >= words.SCALE["much"].least
    return over_domain(
        f"of {missed.sum()} points that miss promises, at most half is left in {_part(holds[missed])}; of the others "
        f"smaller in {_part(holds[~missed])}; HP: smaller by 0.1 in {_part(substantial)}; all: smaller by 0.5 in "
        f"{_part(much)}",
        np.concatenate([holds, substantial]),
    )


def _part(holds):
    return f"{np.mean(holds):.0%}" if len(holds) else "none"


@functools.cache
def _gains(local):
    """JSQ less HP: Delta^G, its joint half width, and the least mean number of a group under HP, at every point."""
    gain, width, jobs = [], [], []
    for load in spread.HIGH:
        for migration in (False, True):
            rows = spread.at_high_load(load, migration, (local,))
            estimates, widths = simulated.table(rows, "share")
            gain.append(estimates["JSQ", local] - estimates["HP", local])
            width.append(np.hypot(widths["JSQ", local], widths["HP", local]))
            own = rows[(rows["quantity"] == "mean_jobs") & (rows["policy"] == "HP")]
            jobs.append(own.groupby("share")["estimate"].min().to_numpy())
    gain, width, jobs = map(np.concatenate, (gain, width, jobs))
    return gain, width * simulated.joint(gain.size), jobs


@check("thesis-5-104", local="PS")
def what_horizontal_gains(local="GPPS"):
    """HP against JSQ at high loads where groups have a job for every processor; the control has PS."""
    gain, width, jobs = _gains(local)
    everywhere, clear, exact = jobs >= 10, gain - width >= words.SCALE["clear"].least, _in_the_limit(local)
    return over_domain(
        f"gain of 0.1 in {clear.sum()} of {gain.size} points, of any size in {(gain > width).sum()}; of the "
        f"{everywhere.sum()} points with 10 jobs of each group, on average, in {clear[everywhere].sum()} and "
        f"{(gain > width)[everywhere].sum()}; largest {gain.max():.2f}; with each group on every processor for ever, "
        f"shares {'are' if exact else 'are not'} what was promised",
        np.append(clear, exact),
    )


def _in_the_limit(local):
    """Whether groups obtain their shares in random states in group balance where all are on every processor."""
    rng, worst = np.random.default_rng(530), 0.0
    for _ in range(100):
        P, G = int(rng.integers(2, 11)), int(rng.integers(2, 5))
        required = rng.dirichlet(np.ones(G))
        policy, weights = policy_of("HP", True, required, P)
        system = empty(LOCAL[local], required, np.full(P, 1 / P), weights, by_group=True, timed=False)
        jobs = (rng.integers(1, 5, G) + (rng.random((P, G)) < rng.random(G))).astype(np.int64)
        kernel.bring(system, jobs)
        worst = max(worst, np.abs(of_groups(system.level)[:, OBTAINED_SHARE] - required).max())
    return worst <= 1e-12


@check("thesis-5-109", quantity="capacity_loss")
def how_the_load_is_spread(quantity="group_share_deviation"):
    """The range of Delta^G under HP/PS over the splits; the control looks at the lost capacity."""
    ranges, halves, said = [], [], []
    for migration in (False, True):
        every = []
        for share in spread.SPLIT_PROMISES:
            found = simulated.table(spread.over_splits(share, migration), "fraction", quantity)
            values, widths = (part["HP", "PS"] for part in found)
            every.extend(values)
            ranges.append(np.ptp(values))
            halves.append(np.hypot(widths[values.argmax()], widths[values.argmin()]))
        least, *_, most = sorted(ranges[-len(spread.SPLIT_PROMISES) :])
        said.append(
            f"{'with' if migration else 'without'} migration from {min(every):.2f} to {max(every):.2f}, at one r_1 "
            f"apart by {least:.2f} to {most:.2f}"
        )
    # Each range is that of five points.
    holds = np.array(ranges) > simulated.joint(len(ranges) * len(spread.SPLITS)) * np.array(halves)
    strong = words.SCALE["much"].least
    return over_domain(
        f"{'; '.join(said)}; beyond the intervals at {holds.sum()} of {holds.size}, by {strong:g} at "
        f"{(np.array(ranges) >= strong).sum()}",
        holds,
    )


@check("thesis-5-112", policy="SVP")
def a_group_with_little_load(policy="HP"):
    """HP/GPPS without migration where group 1 brings a quarter of the load at most; the control is SVP."""
    few = tuple(x for x in FRACTIONS if 0 < x <= 0.25)
    rows = simulated.along("fraction", FRACTIONS)
    own = rows[
        (rows["policy"] == policy)
        & (rows["local"] == "GPPS")
        & (rows["quantity"] == "group_share_deviation")
        & rows["fraction"].isin(few)
    ].pivot(index="fraction", columns="index", values=["estimate", "half_width"])
    first, second = own["estimate"][0], own["estimate"][1]
    holds = (first - own["half_width"][0] > words.SCALE["close"].most) & (first > second)
    until = f"; it holds from {holds[holds].index.min():g} to {holds[holds].index.max():g}" if holds.any() else ""
    return over_domain(
        f"Delta^G of group 1 from {first.min():.2f} to {first.max():.2f}, of group 2 from {second.min():.2f} to "
        f"{second.max():.2f}, at {len(few)} fractions{until}",
        holds,
    )
