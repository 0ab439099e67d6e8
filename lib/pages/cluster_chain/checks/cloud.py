"""Claims of `ctmc`, Section 5.2, on the cloud of Figure 11."""

import itertools
from dataclasses import replace

import numpy as np

from clustershare.cluster_chain import ServiceCluster
from compendium.press.findings import check, erratum, finding, over_domain
from compendium.press.words import SCALE
from pages.cluster_chain.domains import (
    AXIS,
    CLOUD_AXIS,
    MIXTURES,
    RESOLVED,
    listed_where,
    measured,
    rises,
    same,
    surface,
)
from pages.cluster_chain.systems import figure_7, figure_11, job_sizes


def all_short(cluster):
    """Long jobs that are as short and as small as the others: a wrong system."""
    return replace(cluster, job_sizes={10: 1.0}, service_rates=10.0)


def of_150(cluster):
    """A tenth of the servers: a wrong system."""
    return replace(cluster, servers=150)


def mixed(quantity, system):
    """A quantity of the cloud, shape (mixtures, rates)."""
    return surface(figure_11, MIXTURES, CLOUD_AXIS, quantity, system)


def spread(values):
    """The largest less the smallest of all mixtures, relative to the largest, by arrival rate."""
    return 1 - values.min(axis=0) / values.max(axis=0)


def percent(values):
    """The largest share, in per cent, up to which all mixtures differ by 0.01 at most, by arrival rate."""
    most = SCALE["practically equal"].most
    return [
        max(k + 1 for k in range(len(MIXTURES)) if k == 0 or spread(values[: k + 1])[rate] <= most)
        for rate in range(len(CLOUD_AXIS))
    ]


@check("ctmc-031", system=all_short)
def long_jobs_fill_the_cloud(system=same):
    """The relative rise of the utilisation by one percentage point of long jobs (`ctmc`, Figure 11)."""
    steps = rises(mixed("utilisation", system))
    clear = steps >= SCALE["clear"].least
    until = [1 + int(np.argmin([*column, False])) for column in clear.T]
    told = ", ".join(f"{share} % at {rate}" for share, rate in zip(until, CLOUD_AXIS, strict=True))
    return over_domain(
        f"by {steps.max():.3f} to {steps.min():.3f} a step; by 0.1 or more up to {told} per second", clear
    )


@check("ctmc-032", system=of_150)
def long_jobs_do_not_block(system=same):
    """Blocking and queue of all mixtures at each arrival rate (`ctmc`, Figure 11)."""
    blocking, queue = (mixed(quantity, system) for quantity in ("blocking", "mean_queue"))
    seen = blocking.max(axis=0) > RESOLVED
    apart = spread(blocking)[seen], spread(queue)
    near = [values <= SCALE["practically equal"].most for values in apart]
    rates = np.array(CLOUD_AXIS)
    shares = ", ".join(f"{share} % at {rate}" for share, rate in zip(percent(queue), CLOUD_AXIS, strict=True))
    lost = ", ".join(
        f"{share} % at {rate}" for share, rate, shown in zip(percent(blocking), CLOUD_AXIS, seen, strict=True) if shown
    )
    return over_domain(
        f"up to 10 %: B the same within 0.01 at {listed_where(near[0], rates[seen])} of {rates[seen][0]} to 120 per "
        f"second (up to {lost}), E[q] at {listed_where(near[1], rates)} (up to {shares}); apart by up to "
        f"{apart[0].max():.2f} and {apart[1].max():.2f}",
        np.concatenate(near),
    )


@check("ctmc-033", system=of_150)
def long_jobs_delay_nobody(system=same):
    """Delays of all mixtures while the utilisation rises, and the tracker's queue alone (`ctmc`, Figure 11)."""
    delay, queue = (mixed(quantity, system) for quantity in ("mean_delay", "mean_queue"))
    rising = (rises(mixed("utilisation", system)) > RESOLVED).all(axis=0)
    near = spread(delay) <= SCALE["practically equal"].most
    alone = []
    for rate in CLOUD_AXIS:  # M/M/1 with the tracker as its server and C + 1 places
        line = (rate / 100) ** np.arange(52)
        alone.append(line[1:] @ np.arange(51) / line.sum())
    off = np.abs(queue / alone - 1).max(axis=0)
    shares = ", ".join(f"{share} % at {rate}" for share, rate in zip(percent(delay), CLOUD_AXIS, strict=True))
    return over_domain(
        f"up to 10 %: E[D] the same within 0.01 at {listed_where(near, CLOUD_AXIS)} per second (up to {shares}); apart "
        f"by up to {spread(delay).max():.2f}; E[q] that of the tracker alone within 0.01 at "
        f"{listed_where(off <= 0.01, CLOUD_AXIS)}",
        near & rising,
    )


@check("ctmc-036", axis="share")
def not_one_arrival_rate(axis="arrival rate"):
    """The values that one mixture, or one arrival rate, shows along the axis (`ctmc`, Figure 11)."""
    grid = [(share, rate) for share in MIXTURES for rate in (CLOUD_AXIS if axis == "arrival rate" else (30,))]
    rates = {rate for _, rate in grid}
    use = [measured(figure_11(*point))["utilisation"] for point in grid]
    fixed = len(rates) == 1  # as the caption says
    return erratum(
        f"{len(rates)} arrival rates, under which one mixture is used {use[0]:.4f} to {use[len(CLOUD_AXIS) - 1]:.4f}",
        fixed,
        len(rates) > 1 and use[len(CLOUD_AXIS) - 1] > use[0],
    )


def transitions(cluster):
    """The number of transitions of a chain, counted without building its generator."""
    vectors, fitting = cluster.level_sizes[0], int(np.count_nonzero(cluster.lattice().multiplicity))
    sizes, levels = len(cluster.sizes), cluster.queue_capacity + 1
    arriving = vectors * sizes + (levels - 1) * sizes * vectors
    return arriving + fitting * (1 + levels * sizes) + fitting * ((levels - 1) * sizes + 1)


@check("ctmc-082", short=1, mixtures=(0.05,), rates=(60,))
def in_reasonable_time(short=10, mixtures=MIXTURES, rates=CLOUD_AXIS):
    """Transitions times passes, and multiplications level by level, of the cloud over those of 16 servers."""
    works, counted = [], []
    clouds = [figure_11(*point) for point in itertools.product(mixtures, rates)]
    if short != 10:
        changed = {"job_sizes": {short: 0.95, 100: 0.05}, "service_rates": {short: 10.0, 100: 1.0}}
        clouds = [replace(cloud, **changed) for cloud in clouds]
    small = [figure_7(name, rate) for name in job_sizes(16) for rate in AXIS]
    for models in (clouds, small):
        works.append(transitions(models[0]) * np.mean([measured(model)["sweeps"] for model in models]))
        counted.append((models[0].queue_capacity + 1) * float(models[0].level_sizes[1]) ** 3)
    check_of_count = ServiceCluster(4, 3, {1: 0.5, 2: 0.25, 4: 0.25}, 2, 5, 1)
    same = transitions(check_of_count) == check_of_count.generator().nnz - check_of_count.states
    passes, eliminated = (pair[0] / pair[1] for pair in (works, counted))
    return finding(
        f"{passes:.1f} times the work of as many points of Figure 7, {eliminated:.3f} times by elimination",
        same and passes < 2 and eliminated < 2,
    )
