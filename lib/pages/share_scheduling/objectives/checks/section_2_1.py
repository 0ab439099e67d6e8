"""Claims of `thesis`, Section 2.1: capacity is lost where a processor idles beside two jobs."""

import functools
import itertools

import numpy as np

from compendium.press.clauses import at_each, conclude, everywhere, grid
from compendium.press.clauses.conditions import equal
from compendium.press.findings import check
from pages.share_scheduling.objectives.queues import central_loss
from pages.share_scheduling.objectives.systems import EXACT, random_capacities
from pages.share_scheduling.objectives.witnesses.placements import MOST, all_numbers, chain, idle_beside_two, loss


@functools.cache
def tables(processors, homogeneous, migration):
    """All states of a system, whether one is idle beside two in each, and the loss."""
    rng = np.random.default_rng([39, processors])
    speeds = random_capacities(rng, processors, homogeneous)
    states = all_numbers(processors)
    return speeds, {n: (idle_beside_two(n), loss(n, speeds, migration)) for n in states}


def unused(numbers, speeds, migration):
    """What the capacities say of the loss: those of the fastest less those in use."""
    used = speeds[: sum(numbers)] if migration else speeds[np.array(numbers) > 0]
    return (speeds[: sum(numbers)].sum() - used.sum()) / speeds.sum()


@check("thesis-2-039", migration=True)
def idle_beside_two_jobs(migration=False):
    """Loss and idleness state by state, and policies in order by both; in the control jobs migrate freely."""

    def compared(kind, processors, load):
        speeds, table = tables(processors, kind == "homogeneous", migration)
        found = []
        for policy in ("random", "shortest", "fastest idle"):
            states, law = chain(speeds, load, policy)
            found.append(law @ np.array([table[state] for state in states]))
        off = max(abs(lost - unused(n, speeds, migration)) for n, (_, lost) in table.items())
        return {
            "counted": off,
            "capacity is lost wherever a processor idles beside two jobs": all(
                lost > EXACT for idle, lost in table.values() if idle
            ),
            "none is lost elsewhere": not any(lost > EXACT for idle, lost in table.values() if not idle),
            "policies are in the same order by loss and by idleness": all(
                abs(a[0] - b[0]) <= EXACT or np.sign(a[0] - b[0]) == np.sign(np.round(a[1] - b[1], 12))
                for a, b in itertools.combinations(found, 2)
            ),
        }

    def of_the_library(processors):
        """The loss of the shortest queue at load 0.3 in the library, less that of the chain."""
        like = (1.0,) * processors
        states, law = chain(like, 0.3, "shortest")
        return central_loss(processors, 0.3, MOST) - law @ np.array([loss(state, like) for state in states])

    systems = grid(kind=("homogeneous", "heterogeneous"), number_of_processors=(2, 3, 4, 5), load=(0.3, 0.6, 0.9))
    found = systems.measure(compared)
    counted = found.pop("counted")
    return conclude(
        *(at_each(what, holds) for what, holds in found.items()),
        together=("kind", "number of processors", "load"),
        provided=[everywhere("the loss by the library and by the capacities in use", counted, equal(1e-12)),
                  everywhere("the loss of the shortest queue of like processors in the library and by the chain",
                             grid(number_of_processors=(2, 3)).measure(of_the_library), equal(1e-9))],
    )  # fmt: skip
