"""Claims of `thesis`, Section 2.1: capacity is lost where a processor idles beside two jobs."""

import functools
import itertools

import numpy as np

from compendium.press.findings import check, over_domain
from pages.share_scheduling.objectives.systems import EXACT, random_capacities
from pages.share_scheduling.objectives.witnesses.placements import all_numbers, chain, idle_beside_two, loss


def named(homogeneous):
    return "homogeneous" if homogeneous else "heterogeneous"


@functools.cache
def tables(processors, homogeneous, migration):
    """All states of a system, whether one is idle beside two in each, and the loss."""
    rng = np.random.default_rng([39, processors])
    speeds = random_capacities(rng, processors, homogeneous)
    states = all_numbers(processors)
    return speeds, {n: (idle_beside_two(n), loss(n, speeds, migration)) for n in states}


@check("thesis-2-039", migration=True)
def idle_beside_two_jobs(migration=False):
    """Loss and idleness state by state, and policies in order by both; in the control jobs migrate freely."""
    holds, failed = {}, {True: set(), False: set()}
    for homogeneous, processors in itertools.product((True, False), (2, 3, 4, 5)):
        speeds, table = tables(processors, homogeneous, migration)
        always = all(lost > EXACT for idle, lost in table.values() if idle)
        only = not any(lost > EXACT for idle, lost in table.values() if not idle)
        for load in (0.3, 0.6, 0.9):
            found = []
            for policy in ("random", "shortest", "fastest idle"):
                states, law = chain(speeds, load, policy)
                found.append(law @ np.array([table[state] for state in states]))
            ordered = all(
                abs(a[0] - b[0]) <= EXACT or np.sign(a[0] - b[0]) == np.sign(np.round(a[1] - b[1], 12))
                for a, b in itertools.combinations(found, 2)
            )
            holds[homogeneous, processors, load] = always and only and ordered
            failed[homogeneous] |= {
                name for name, good in
                (("no loss in such states", always), ("loss in others", only), ("policies in another order", ordered))
                if not good
            }  # fmt: skip
    said = "; ".join(
        f"{named(kind)}: {sum(yes for key, yes in holds.items() if key[0] == kind)} of 12 systems"
        + (f" ({'; '.join(sorted(failed[kind]))})" if failed[kind] else "")
        for kind in (True, False)
    )
    return over_domain(said, list(holds.values()))
