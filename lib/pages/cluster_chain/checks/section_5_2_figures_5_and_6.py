"""Claims of `ctmc`, Section 5.2: what is said on Figures 5 and 6."""

from dataclasses import replace

import numpy as np

from clustershare.cluster_chain import ServiceCluster, saturated_jobs, simulate, uniform_sizes
from compendium.press.clauses import aside, at_each, besides, conclude, everywhere, exact, grid
from compendium.press.clauses.conditions import equal, falls, rises
from compendium.press.findings import check
from pages.cluster_chain.points import AXIS, changed, over, reason_for_delays, same, seen, small_rates, steps_of
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
    rising = at_each(*steps_of("mean_delay", "T", by_largest(AXIS, system)), rises())
    return conclude(rising, provided=seen(["5"], "mean_delay"))


@check("ctmc-076", system=just_as_large)
def larger_jobs_queue(system=same):
    """Jobs in the queue against the largest size (`ctmc`, Figure 6)."""
    rising = at_each(*steps_of("mean_queue", "T", by_largest(AXIS, system)), rises())
    return conclude(rising, provided=seen(["5"], "mean_queue"))


@check("ctmc-084", system=just_as_large)
def larger_jobs_as_the_reason(system=same):
    """Jobs in service, and the delay that they are to explain, against the largest size (`ctmc`, Figure 6)."""
    saturated = [saturated_jobs(16, uniform_sizes(largest)) for largest in (1, 15)]
    return conclude(
        *reason_for_delays(by_largest(AXIS, system), "T", up=False),
        aside("the mean number of jobs that a saturated cluster runs", exact(saturated, T=(1, 15))),
        together="λ",
        provided=seen(["5"], "mean_jobs_in_service", "mean_delay"),
    )


@check("ctmc-050", system=same_work)
def larger_jobs_use_more(system=same):
    """Utilisation against the largest size at small arrival rates (`ctmc`, Figure 5)."""
    small, axis = (
        steps_of("utilisation", "T", by_largest(rates, system)) for rates in (small_rates(figure_5(15, 1)), AXIS)
    )
    return conclude(at_each(*small, rises()), besides(*axis, rises()), provided=seen(["5"], "utilisation"))


@check("ctmc-051", system=changed(service_rates=1000.0))
def larger_jobs_use_less(system=same):
    """Utilisation against the largest size at large arrival rates (`ctmc`, Figure 5)."""
    beyond = over(lambda largest: figure_5(largest, 100), system, T=(15, 16))["utilisation"]
    return conclude(
        at_each(*steps_of("utilisation", "T", by_largest(LARGE, system)), falls()),
        aside("the utilisation at λ = 100", beyond),
        provided=seen(["5"], "utilisation"),
    )


@check("ctmc-052", system=just_as_large)
def larger_jobs_run_alone(system=same):
    """Jobs in service against the largest size at large arrival rates (`ctmc`, Figure 5)."""
    found = by_largest(LARGE, system)
    a_job = [(largest + 1) / 2 / system(figure_5(largest, 1)).servers for largest in BELOW]
    use = found["mean_jobs_in_service"].scaled(np.array(a_job)[:, None])
    return conclude(
        at_each(*steps_of("mean_jobs_in_service", "T", found), falls()),
        besides(*steps_of("utilisation", "T", found), falls()),
        provided=[
            everywhere(
                "the jobs in service times their mean size over the servers, less the utilisation,",
                exact(use.value / found["utilisation"].value - 1, **dict(use.axes)),
                equal(1e-9),
            ),
            *seen(["5"], "mean_jobs_in_service"),
        ],
    )


@check("ctmc-021", servers=18)
def two_of_the_largest(servers=16):
    """Where the job at the tracker fits beside one running, and two of the largest size, in all cluster states."""

    def beside(largest):
        listed, small = of_sizes(servers, range(1, largest + 1)), largest <= 8
        fits = all(sum(V) + largest <= servers for V in listed if len(V) <= 1)
        alone = ServiceCluster(servers, 5, {largest: 1.0}, 1e4, 1e5, 10.0)
        run = simulate(alone, jumps=20_000, warmup=2000, replications=2, seed=largest).mean_jobs_in_service.value
        both = alone.solve().mean_jobs_in_service, float(run)
        return {
            "up to T = 8 the job at the tracker fits beside any one, and beyond not always,": fits == small,
            "up to T = 8 two jobs of size T occur, and beyond not,": ((largest, largest) in listed) == small,
            "up to T = 8 two jobs of size T run, by the chain and simulated, and beyond one,": (
                min(both) > 1.5 if small else max(both) <= 1
            ),
        }

    found = grid(T=BELOW).measure(beside)
    return conclude(*(everywhere(*clause) for clause in found.items()), whole=True)
