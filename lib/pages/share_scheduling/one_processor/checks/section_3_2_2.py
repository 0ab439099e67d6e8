"""Claims of `thesis`, Section 3.2.2: whom HOL serves, and whether its deviations have closed forms."""

import functools

import numpy as np

from clustershare import uniprocessor
from clustershare.results import NoExactAnswer
from compendium.press.clauses import aside, conclude, everywhere, exact, fact
from compendium.press.clauses.conditions import agrees, at_most, larger
from compendium.press.findings import check
from pages.share_scheduling.one_processor.simulated import ROUNDING, bounded, refused, simulations
from pages.share_scheduling.one_processor.witnesses.paths import intervals


def shares_of_lower(shares, loads, services, permanent, order, seed):
    """What the groups below the first class obtain: along a path, in the chain of the line, simulated, and exactly.

    In the chain, and exactly, they have a permanent job each and no arrivals. The order of re-entry is that of the
    path; the others know only the late one.
    """
    below, rates = np.array(shares) < max(shares), np.array(loads) * services
    here = intervals("HOL", shares, rates.tolist(), services, permanent, events=500, seed=seed, returns=order)
    found = [sum(interval.length for interval in here for job in interval.rates if below[job.group])]
    if order == "after":
        lasting = tuple(1 if low else number for low, number in zip(below, permanent))
        line = uniprocessor.whole_line("HOL", shares, np.where(below, 0, rates), services, lasting, most_jobs=3)
        run = refused("HOL", shares, rates, services, permanent, jumps=5000, warmup=0, replications=4, seed=seed)
        found += [line.performance.obtained_share[below].sum(), run.obtained.value[below].sum()]
        try:
            exactly = uniprocessor.exact("HOL", shares, np.where(below, 0, rates), services, lasting)
            found.append(exactly.obtained_share[below].sum())
        except NoExactAnswer:
            pass
    return found


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
    starves = np.concatenate([found for order in ("after", "before") for found in lower_groups(True, order)])
    serves = np.concatenate(lower_groups(False, single))
    return conclude(
        everywhere("service of the lower classes beside two or three", exact(starves, record=None), at_most(0)),
        everywhere("service of the lower classes beside one", exact(serves, record=None), larger()),
        whole=True,
    )


def present_in_closed_form(loads, services, interrupts=False):
    """The probabilities that the groups are there under HOL, in loads and rates and one square root a group.

    For two groups of any rates, or more of equal ones. A job of the group sees Poisson arrivals of those above and of
    its own; with x the rate of its own arrivals in time stretched by those above, x - a - b x / (mu + x) = 0.
    """
    loads, services = np.array(loads), np.array(services)
    arrivals, found = loads * services, []
    for group in range(len(loads)):
        own, mu = arrivals[group], services[group]
        mu_above, mu_below = services[[0, -1]]
        above, below = arrivals[:group].sum(), arrivals[group + 1 :].sum()
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
    """A closed form against the library, the chain of HOL and simulations; the control has that of PQ."""
    rng, chains, systems, expected, gaps = np.random.default_rng(124), [], [], [], []
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
        exactly = uniprocessor.exact("HOL", **system)
        gaps += [values[0] - exactly.group_share_deviation, values[1] - exactly.job_share_deviation]
        if light:
            line = uniprocessor.whole_line("HOL", **system, most_jobs=16).performance
            found = line.group_share_deviation, line.job_share_deviation
            chains.append((np.abs(values - np.array(found)).max(), line.error))
        else:
            systems.append(system)
            expected.append(values)
    chains, largest = bounded(chains), np.abs(np.concatenate(gaps)).max()
    runs = simulations("HOL", systems, expected, ("group_share_deviation", "job_share_deviation"))
    exists = not any(agrees().outside(one, one.widened(one.asked)).any() for one in (chains, runs))
    exists &= bool(largest <= ROUNDING)
    return conclude(
        fact("the closed form disagrees", not exists,
             "a closed form agrees with the library, the chain and simulations"),
        aside("its gap to the library", exact(largest)),
        aside("its gap to the chain", chains), aside("its gap to simulations", runs),
    )  # fmt: skip
