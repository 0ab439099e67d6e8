"""What chains say of the points of Figures 5.5 to 5.8, and clauses that the library's answers agree with it."""

import functools
from dataclasses import replace

import numpy as np

from clustershare import dispatch, splitting
from compendium.press.clauses import cases, everywhere, grid
from compendium.press.clauses.conditions import agrees, equal
from pages.share_scheduling.central.points import by_case as points
from pages.share_scheduling.central.points.by_case import DEVIATION, LOSS, VERTICAL
from pages.share_scheduling.central.systems import LOADS, LOCAL
from pages.share_scheduling.central.witnesses.two_processors import CUTS, chain, shortest_queue_loss
from pages.share_scheduling.central.witnesses.two_processors import LOADS as EXACT

TWO = "two processors"
FEW_JOBS = EXACT[0]  # at so low a load


@functools.cache
def by_chain(policies, loads=EXACT, **setting):
    """Loss, larger deviation and difference of both on two processors, exactly; of HPRS the deviation with PS."""

    def measures(policy, local, load):
        if policy == "HPRS":
            deviations = splitting.horizontal((0.5, 0.5), (load / 2, load / 2), (0.5, 0.5)).group_share_deviation
            return {LOSS: np.nan, DEVIATION: deviations.max(), "gap": np.nan, "off": np.nan}
        found = chain(policy, local, load, **setting)
        return {LOSS: found.capacity_loss, DEVIATION: found.deviations.max(), "gap": np.diff(found.deviations)[0],
                "off": np.abs(found.deviations).max()}  # fmt: skip

    found = grid(policy=policies, local_policy=LOCAL, load=loads).measure(measures)
    return {name: replace(each, as_it_stands=name != LOSS) for name, each in found.items()}


@functools.cache
def in_the_library(policies, **setting):
    """Loss, larger deviation and the larger one either way, by the library's own chain, where few jobs are there."""

    def measures(policy, local):
        shares, part = setting.get("shares", (0.5, 0.5)), setting.get("part", 0.5)
        loads = (FEW_JOBS * part, FEW_JOBS * (1 - part))
        found = dispatch.exact_central(
            policy, local=local, required_shares=shares, loads=loads, processors=2, most_jobs=CUTS[FEW_JOBS]
        )
        return {LOSS: found.capacity_loss, DEVIATION: found.group_share_deviation.max(),
                "off": np.abs(found.group_share_deviation).max()}  # fmt: skip

    return grid(policy=policies, local_policy=LOCAL).measure(measures)


def as_by_chain(policies, quantity):
    """Clauses that the library has what the chain has: by its own chain at the lowest load, and as simulated."""
    name = {LOSS: "loss", DEVIATION: "deviation"}[quantity]
    found = by_chain(policies)[quantity]
    rows = points.of(TWO, quantity, group=0 if quantity == DEVIATION else None).at(policy=policies, load=EXACT)
    return [
        everywhere(f"the {name} by the library's chain and by this one, at the load {FEW_JOBS:g},",
                   in_the_library(policies)[quantity] - found.at(load=FEW_JOBS), equal(1e-8)),
        everywhere(f"the {name} as simulated less that by chains", rows - found, agrees()),
    ]  # fmt: skip


@functools.cache
def of_five_lengths():
    """The deviation of SVP and DVP on ten processors around its peak: what JSQ loses on five, by their lengths."""
    around = tuple(load for load in LOADS if 0.6 < load < 0.9)
    return cases("load", around).measure(lambda load: shortest_queue_loss(load, 5))


def as_of_five_lengths():
    """A clause that the deviation of SVP and DVP as simulated is that."""
    exactly = of_five_lengths()
    rows = points.of("case 1", policies=VERTICAL).at(load=exactly.axes[0][1])
    return everywhere("the deviation of SVP and DVP around the peak as simulated less that by chains", rows - exactly,
                      agrees())  # fmt: skip
