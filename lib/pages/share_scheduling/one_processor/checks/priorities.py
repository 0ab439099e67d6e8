"""Claims of `thesis`, Sections 3.2.2, 3.2.3 and 3.6, on HOL: whom it serves, and what it does not look at."""

import functools
import itertools

import numpy as np

from clustershare import uniprocessor
from compendium.press.findings import check, finding, over_domain
from pages.share_scheduling.one_processor.simulated import outside, refused
from pages.share_scheduling.one_processor.witnesses.paths import intervals


def shares_of_lower(shares, loads, services, permanent, order, seed):
    """What the groups below the first class obtain: in the chain of the line, along a path, and simulated.

    In the chain they have a permanent job each and no arrivals. The order of re-entry is that of the path; the chain
    and the simulation know only the late one.
    """
    below, rates = np.array(shares) < max(shares), np.array(loads) * services
    here = intervals("HOL", shares, rates.tolist(), services, permanent, events=500, seed=seed, returns=order)
    path = sum(interval.length for interval in here for job in interval.rates if below[job.group])
    found = [path]
    if order == "after":
        lasting = tuple(1 if low else number for low, number in zip(below, permanent))
        line = uniprocessor.whole_line("HOL", shares, np.where(below, 0, rates), services, lasting, most_jobs=3)
        run = refused("HOL", shares, rates, services, permanent, jumps=5000, warmup=0, replications=4, seed=seed)
        found += [line.performance.obtained_share[below].sum(), run.obtained.value[below].sum()]
    return np.array(found)


@functools.cache
def lower_groups(several, order):
    """What `shares_of_lower` finds at random systems with one permanent job of the first class, or with several."""
    rng, result = np.random.default_rng(26), []
    for seed in range(18):
        groups = 2 + seed % 2
        first = rng.uniform(0.501, 0.95)
        shares = (0.4, 0.4, 0.2) if seed == 17 else (first, *(1 - first) * np.array([[1.0], [0.6, 0.4]][groups - 2]))
        loads = rng.dirichlet(np.ones(groups)) * rng.uniform(0.1, 0.9)
        services = rng.uniform(0.3, 3, groups)
        permanent = (1 + seed % 3,) + (0,) * (groups - 1)
        if several == (permanent[0] > 1):
            result.append(shares_of_lower(tuple(map(float, shares)), loads, services, permanent, order, seed))
    return result


@check("thesis-3-026", single="before")
def starved(single="after"):
    """Service below a group of the first class with two or three permanent jobs, and with one that re-enters late."""
    starves = [found for order in ("after", "before") for found in lower_groups(True, order)]
    serves = lower_groups(False, single)
    none, some = max(found.max() for found in starves), min(found.min() for found in serves)
    return finding(
        f"beside two or three {'nothing' if none < 1e-12 else f'up to {none:.2f}'} in {len(starves)} systems; beside "
        f"one {'something in each of' if some > 0 else 'nothing in some of'} {len(serves)}",
        none < 1e-12 and some > 0,
    )


@check("thesis-3-027", policy="UD")
def blind_to_the_shares(policy="HOL"):
    """Jobs in service along paths, simulations with one seed, and exact answers, for required shares of one order."""
    rng, parts = np.random.default_rng(27), (0.55, 0.95, *np.linspace(0.51, 0.99, 10))
    two = [(part, 1 - part) for part in parts]
    three = [(0.4, 0.35, 0.25), (0.6, 0.3, 0.1), (0.9, 0.06, 0.04)]
    paths = answers = simulations = True
    for seed, permanent in enumerate(((0, 0), (0, 0, 0), (1, 1), (0, 0, 1), (0, 0), (0, 2), (2, 0))):
        groups = len(permanent)
        loads = rng.dirichlet(np.ones(groups)) * rng.uniform(0.2, 0.4 if any(permanent) else 0.9)
        services = np.ones(groups) if seed % 2 or permanent == (2, 0) else rng.uniform(0.3, 3, groups)
        rates, found = tuple((loads * services).tolist()), []
        if permanent == (1, 1):
            rates = rates[0], 0.1 * rates[1]
        for shares in two if groups == 2 else three:
            record = [
                (interval.start, interval.length, *sorted((job.group, job.arrival) for job in interval.rates))
                for interval in intervals(policy, shares, rates, services, permanent, events=200, seed=seed)
            ]
            run = refused(policy, shares, rates, services, permanent, jumps=2000, warmup=0, replications=2, seed=seed)
            found.append((record, np.array([run.obtained.value, run.present.value])))
        paths &= all(record == found[0][0] for record, _ in found)
        simulations &= all(np.abs(values - found[0][1]).max() < 1e-12 for _, values in found)
        if paths and simulations:  # others may have no exact answer
            exact = [
                uniprocessor.exact(policy, **uniprocessor.limiting(policy, shares, rates, services, permanent))
                for shares in (two if groups == 2 else three)
            ]
            values = np.array([[result.obtained_share, result.probability_present] for result in exact])
            answers &= bool(np.ptp(values, axis=0).max() < 1e-9)
    said = ", ".join(
        f"{'the same' if same else 'other'} {name}"
        for name, same in (("paths", paths), ("simulations", simulations), ("exact answers", answers))
    )
    return finding(said, bool(paths and simulations and answers))


def present_in_closed_form(loads, services, interrupts=False):
    """The probabilities that the groups are there under HOL, in loads and rates and one square root a group.

    For two groups of any rates, or more of equal ones. A job of the group sees Poisson arrivals of those above and of
    its own; with x the rate of its own arrivals in time stretched by those above, x - a - b x / (mu + x) = 0.
    """
    loads, services = np.array(loads), np.array(services)
    arrivals, found = loads * services, []
    for group in range(len(loads)):
        own, mu = arrivals[group], services[group]
        above, mu_above, below, mu_below = (
            arrivals[:group].sum(),
            services[0],
            arrivals[group + 1 :].sum(),
            services[-1],
        )
        half = (mu_above - own - above) / 2
        x = np.sqrt(half**2 + own * mu_above) - half
        wait = 1 / (1 - above / (mu_above + x) - own / (mu + x))
        if interrupts:
            absent = wait * (1 - loads[: group + 1].sum()) * mu / (mu + x)
        else:
            absent = wait * (1 - loads.sum() + below / (mu_below + x)) * mu / (mu + own)
        found.append(1 - absent)
    return np.array(found)


@check("thesis-3-124", interrupts=True)
def no_closed_form(interrupts=False):
    """A closed form against the chain of HOL and against simulations; the control has that of PQ."""
    rng, gap, bound, systems, expected = np.random.default_rng(124), 0.0, 0.0, [], []
    for number in range(22):
        groups = 2 if number % 2 else 3
        shares = np.sort(np.clip(rng.dirichlet(np.ones(groups)), 0.06, None))[::-1]
        shares = shares / shares.sum() + np.arange(groups)[::-1] * 1e-6  # no ties
        shares /= shares.sum()
        light = number < 6
        loads = rng.dirichlet(np.ones(groups)) * rng.uniform(0.02, 0.3 if light else 0.95)
        services = rng.uniform(0.3, 3, 2) if groups == 2 else np.ones(3)
        present = present_in_closed_form(loads, services, interrupts)
        values = np.array([present - loads / shares, loads * present])
        system = dict(required_shares=tuple(shares), arrival_rates=loads * services, service_rates=services)
        if light:
            line = uniprocessor.whole_line("HOL", **system, most_jobs=16).performance
            gap = max(gap, np.abs(values - [line.group_share_deviation, line.job_share_deviation]).max() - line.error)
            bound = max(bound, line.error)
        else:
            systems.append(system)
            expected.append(values)
    wrong = outside("HOL", systems, expected, ("group_share_deviation", "job_share_deviation"))
    exists = gap <= 1e-9 and wrong == 0
    return finding(
        f"a closed form {'agrees' if exists else 'disagrees'} with the chain (bound {bound:.0e}) and {wrong} of "
        f"{sum(value.size for value in expected)} simulated intervals miss it",
        not exists,
    )


@check("thesis-3-156", above=False)
def useless(above=True):
    """The share of group 2 beside permanent jobs of group 1, by the chain of the line and along paths with arrivals."""
    places, holds = [], []
    for policy, one, two in itertools.product(("HOL", "PQ"), (1, 2, 3), (0, 1, 2)):
        permanent = (one, two) if above else (0, 2)
        line = uniprocessor.limiting(policy, (0.75, 0.25), (0.25, 0.25), 1.0, permanent)
        chain = uniprocessor.whole_line(policy, **line, most_jobs=3).performance.obtained_share[1]
        for r in (0.51, 0.75, 0.99):
            path = intervals(policy, (r, 1 - r), (0.25, 0.25), 1.0, permanent, events=300, seed=7)
            path = sum(interval.obtained(2)[1] * interval.length for interval in path)
            holds.append(path == 0 and chain < 1e-12)
            if not holds[-1]:
                places.append((policy, *permanent))
    served = sorted({f"{policy} with {one} of group 1 and {two} of group 2" for policy, one, two in places})
    return over_domain(f"group 2 is served under {', '.join(served) or 'neither'}", holds)
