"""Claims of `ctmc`, Section 5.2: what is said on Figures 5 and 6."""

from dataclasses import replace

import numpy as np

from clustershare.cluster_chain import saturated_jobs, uniform_sizes
from compendium.press.clauses import aside, at_each, besides, conclude, everywhere, exact, grid
from compendium.press.clauses.conditions import falls, larger, never_rises, rises
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.cluster_chain.points import AXIS, changed, over, relative, same, small_rates, steps_of
from pages.cluster_chain.systems import figure_5, of_sizes

BELOW = tuple(range(1, 16))  # the largest size below 16 servers, Figures 5 and 6


LARGE = (70, 80, 90, 100, 1000)


def just_as_large(cluster):
    """As many servers as the largest job takes: a wrong system."""
    return replace(cluster, servers=int(cluster.sizes.max()))


def same_work(cluster):
    """Service the shorter the larger the job, so that every job is the same work: a wrong system."""
    return replace(cluster, service_rates={size: 10.0 * size for size in cluster.sizes.tolist()})


def by_largest(rates, system):
    """The measures of Figures 5 and 6 for largest sizes below the number of servers."""
    return over(figure_5, system, T=BELOW, λ=rates)


@check("ctmc-022", system=just_as_large)
def larger_jobs_wait_longer(system=same):
    """Delay against the largest size (`ctmc`, Figure 6)."""
    return conclude(at_each(*steps_of("mean_delay", "T", by_largest(AXIS, system)), rises()))


@check("ctmc-076", system=just_as_large)
def larger_jobs_queue(system=same):
    """Jobs in the queue against the largest size (`ctmc`, Figure 6)."""
    return conclude(at_each(*steps_of("mean_queue", "T", by_largest(AXIS, system)), rises()))


@check("ctmc-084", system=just_as_large)
def larger_jobs_as_the_reason(system=same):
    """Jobs in service, and the delay that they are to explain, against the largest size (`ctmc`, Figure 6)."""
    found = by_largest(AXIS, system)
    fewer, longer = (
        relative(found[name].at(T=15) - found[name].at(T=1)) for name in ("mean_jobs_in_service", "mean_delay")
    )
    reason = (fewer.value < -SCALE["practically equal"].most) | (longer.value <= SCALE["close"].most)
    name, steps = steps_of("mean_jobs_in_service", "T", found)
    return conclude(
        at_each(name, steps, never_rises()),
        at_each("the largest fall", -steps.smallest("step"), larger()),
        at_each("the number falls by more than 0.01, if the delay rises by more than 0.05,", exact(reason, λ=AXIS)),
        aside("the mean delay, from T = 1 to T = 15,", longer),
        besides("the mean number of jobs in service, from T = 1 to T = 15,", fewer, falls(0.01)),
        aside("the mean number of jobs that a saturated cluster runs",
              exact([saturated_jobs(16, uniform_sizes(largest)) for largest in (1, 15)], T=(1, 15))),
        together="λ",
    )  # fmt: skip


@check("ctmc-050", system=same_work)
def larger_jobs_use_more(system=same):
    """Utilisation against the largest size at small arrival rates (`ctmc`, Figure 5)."""
    small, axis = (
        steps_of("utilisation", "T", by_largest(rates, system)) for rates in (small_rates(figure_5(15, 1)), AXIS)
    )
    return conclude(at_each(*small, rises()), besides(*axis, rises()))


@check("ctmc-051", system=changed(service_rates=1000.0))
def larger_jobs_use_less(system=same):
    """Utilisation against the largest size at large arrival rates (`ctmc`, Figure 5)."""
    beyond = over(lambda largest: figure_5(largest, 100), system, T=(15, 16))["utilisation"]
    return conclude(
        at_each(*steps_of("utilisation", "T", by_largest(LARGE, system)), falls()),
        aside("the utilisation at λ = 100", beyond),
    )


@check("ctmc-052", system=just_as_large)
def larger_jobs_run_alone(system=same):
    """Jobs in service against the largest size at large arrival rates (`ctmc`, Figure 5)."""
    found = by_largest(LARGE, system)
    return conclude(
        at_each(*steps_of("mean_jobs_in_service", "T", found), falls()),
        besides(*steps_of("utilisation", "T", found), falls()),
    )


@check("ctmc-021", servers=18)
def two_of_the_largest(servers=16):
    """Where the job at the tracker fits beside one running, and two of the largest size, in all cluster states."""

    def beside(largest):
        listed = of_sizes(servers, range(1, largest + 1))
        return {
            "fits": all(sum(V) + largest <= servers for V in listed if len(V) <= 1),
            "two": (largest, largest) in listed,
        }

    found, half = grid(T=range(1, 16)).measure(beside), 8
    return conclude(
        *(
            everywhere(what, exact(found[name].value.astype(bool) == (np.arange(1, 16) <= half), T=range(1, 16)))
            for name, what in (
                ("fits", "up to T = 8 the job at the tracker fits beside any one, and beyond not always,"),
                ("two", "up to T = 8 two jobs of size T occur, and beyond not,"),
            )
        ),
        whole=True,
    )
