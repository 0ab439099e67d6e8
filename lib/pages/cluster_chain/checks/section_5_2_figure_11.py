"""Claims of `ctmc`, Section 5.2: what is said on Figure 11, the cloud."""

import itertools
from dataclasses import replace

import numpy as np

from clustershare.cluster_chain import ServiceCluster, simulate
from compendium.press.clauses import aside, at_each, besides, conclude, everywhere, exact, fact, grid, mended
from compendium.press.clauses.conditions import at_most, between, equal, larger, rises, short_of, within
from compendium.press.findings import check
from pages.cluster_chain.points import (
    AXIS,
    RESOLVED,
    changed,
    measured,
    over,
    relative,
    same,
    seen,
    steps_of,
    words_for,
)
from pages.cluster_chain.systems import figure_7, figure_10, figure_11, job_sizes, vectors
from pages.cluster_chain.witnesses.single_queue import single_queue
from pages.cluster_chain.witnesses.states import pairs

MIXTURES = tuple(number / 100 for number in range(1, 11))  # shares of long jobs
CLOUD_AXIS = (5, 10, *range(15, 121, 15))
ALIKE = at_most("practically equal")


def mixed(system, rates=CLOUD_AXIS):
    """The measures of Figure 11."""
    return over(figure_11, system, share=MIXTURES, λ=rates)


@check("ctmc-031", system=changed(job_sizes={10: 1.0}, service_rates=10.0))
def long_jobs_fill_the_cloud(system=same):
    """The relative rise of the utilisation by one percentage point of long jobs (`ctmc`, Figure 11)."""
    rise = at_each(*steps_of("utilisation", "share", mixed(system)), rises("clear"))
    return conclude(rise, provided=seen(["11"], "utilisation"))


def alike(name, found, least=0.0):
    """That a measure of all mixtures is the same, where it is seen; and up to which share of long jobs it is."""
    values = found[name]
    what = f"the largest {words_for(name)} less the least, of mixtures up to a share of long jobs of"
    most, few = (replace(values, value=part.accumulate(values.value, axis=0)) for part in (np.maximum, np.minimum))
    apart = relative(most - few)
    kept = apart.at(share=0.1).where(most.value[-1] > least, "nobody is lost")
    return at_each(f"{what} 0.1,", kept, ALIKE), besides(f"{what} so much,", apart, ALIKE)


@check("ctmc-032", system=changed(servers=150))
def long_jobs_do_not_block(system=same):
    """Blocking and queue of all mixtures at each arrival rate (`ctmc`, Figure 11)."""
    found = mixed(system)
    clauses = *alike("blocking", found, RESOLVED), *alike("mean_queue", found)
    return conclude(*clauses, provided=seen(["11"], "blocking", "mean_queue"))


@check("ctmc-033", system=changed(servers=150))
def long_jobs_delay_nobody(system=same):
    """Delays of all mixtures while the utilisation rises, and the tracker's queue alone (`ctmc`, Figure 11)."""
    found = mixed(system)
    alone = exact([single_queue(51, rate, 100.0)[1] for rate in CLOUD_AXIS], λ=CLOUD_AXIS)
    return conclude(
        *alike("mean_delay", found),
        at_each(*steps_of("utilisation", "share", found), rises()),
        besides("the mean queue, less that before the tracker alone,", relative(found["mean_queue"] - alone),
                within(0.01)),
        together="λ",
        provided=seen(["11"], "mean_delay", "utilisation"),
    )  # fmt: skip


@check("ctmc-036", rates=(30,))
def not_one_arrival_rate(rates=CLOUD_AXIS):
    """The values that one mixture, or one arrival rate, shows along the axis (`ctmc`, Figure 11)."""
    use = mixed(same, rates)["utilisation"]
    return mended(
        fact("the figure has one λ", len(rates) == 1, f"the figure has {len(rates)} values of λ"),
        everywhere("the range of the utilisation of one mixture", use.largest("λ") - use.smallest("λ"), larger()),
    )


def transitions(cluster):
    """The number of transitions of a chain, counted without building its generator."""
    vectors, fitting = cluster.level_sizes[0], int(np.count_nonzero(cluster.lattice().multiplicity))
    sizes, levels = len(cluster.sizes), cluster.queue_capacity + 1
    arriving = vectors * sizes + (levels - 1) * sizes * vectors
    return arriving + fitting * (1 + levels * sizes) + fitting * ((levels - 1) * sizes + 1)


def work(models):
    """Transitions times passes of the solver, and multiplications level by level, as means of models of one size."""
    first = models[0]
    sweeps = np.mean([measured(model)["sweeps"] for model in models])
    return np.array([transitions(first) * sweeps, (first.queue_capacity + 1) * float(first.level_sizes[1]) ** 3])


SMALL_JOBS = changed(job_sizes={1: 0.95, 100: 0.05}, service_rates={1: 10.0, 100: 1.0})


@check("ctmc-082", system=SMALL_JOBS, mixtures=(0.05,), rates=(60,))
def in_reasonable_time(system=same, mixtures=MIXTURES, rates=CLOUD_AXIS):
    """Transitions times passes, and multiplications level by level, of the cloud over those of 16 servers."""
    clouds = [system(figure_11(*point)) for point in itertools.product(mixtures, rates)]
    ratios = work(clouds) / work([figure_7(*point) for point in itertools.product(job_sizes(16), AXIS)])
    counted = ServiceCluster(4, 3, {1: 0.5, 2: 0.25, 4: 0.25}, 2, 5, 1)
    listed = counted.generator().nnz - counted.states
    return conclude(
        everywhere("the work, over that of Figure 7,", exact(ratios, way=("by passes", "by elimination")), at_most(2)),
        everywhere("the transitions counted and those of a generator", exact(transitions(counted) - listed), equal(0)),
        whole=True,
    )


@check("ctmc-009", servers=1600)
def most_jobs(servers=1500):
    """The length of the longest cluster state."""
    above = figure_11(0.05, 60, servers).lattice()
    length = np.zeros(len(above.parent), dtype=int)
    for v, parent in enumerate(above.parent[1:], 1):
        length[v] = length[parent] + 1
    short = ServiceCluster(servers, 50, {10: 1.0}, 1e5, 1e6, 10.0)
    run = simulate(short, jumps=50_000, warmup=5000, replications=2, seed=9).mean_jobs_in_service.value
    both = exact([short.solve().mean_jobs_in_service, run], way=("by the chain", "simulated"))
    return conclude(
        everywhere("the number of jobs in the longest state", exact(length.max()), between(150, 150)),
        everywhere("the mean number of short jobs that run, if there are always some,", both, between(149, 150)),
        whole=True,
    )


@check("ctmc-004", long=95)
def pairs_of_numbers(long=100):
    """Cluster states of two sizes against lattice points under a line."""
    what, by = "the cluster states of the library, {}, and the points under a line", grid(N=range(100, 3001, 100))
    counted = by.measure(lambda servers: figure_11(0.05, 60, servers).level_sizes[0] - pairs(servers, 10, long))
    listed = grid(N=(100, 1500)).measure(lambda servers: len(vectors(figure_11(0.05, 60, servers))) - pairs(servers))
    return conclude(
        everywhere(what.format("counted"), counted, equal(0)),
        everywhere(what.format("listed"), listed, equal(0)),
        ours=True,
    )


@check("ctmc-065", short=1)
def a_small_chain(short=10):
    """States of the cloud's chain against those of Figure 7's, the largest with 16 servers."""
    sizes, rates = {short: 0.95, 100: 0.05}, {short: 10.0, 100: 1.0}
    cloud = ServiceCluster(1500, 50, sizes, 60.0, 100.0, rates)
    small, of_10 = figure_7("uniform", 30), figure_10(2.0)
    of = {"the states": lambda model: model.states, "the cluster states": lambda model: model.level_sizes[0]}
    more = [exact(count(cloud)) - exact(count(small)) for count in of.values()]
    return conclude(
        *(at_each(f"{what} of the cloud, less those of Figure 7,", each, short_of("much"))
          for what, each in zip(of, more)),
        *(aside(f"{what} of the cloud, over those of Figures 7 and 10",
                exact([count(cloud) / count(other) for other in (small, of_10)], figure=(7, 10)))
          for what, count in of.items()),
        whole=True,
    )  # fmt: skip
