"""Claims of `thesis`, Sections 3.2.2 to 3.3.1, on HOL and UD, and on PQ in numbers and limits.

The theorems on PQ over random parameters are in `priority_queueing`.
"""

import itertools

import numpy as np

from clustershare import uniprocessor
from compendium.press.claims import check, finding, over_domain
from pages.share_scheduling.one_processor.paths import intervals
from pages.share_scheduling.one_processor.simulated import outside

SHORT = {"jumps": 20_000, "warmup": 0, "replications": 2, "seed": 1}


@check("thesis-3-026", policy="FCFS")
def starved(policy="HOL"):
    """Service to the lower class beside one and two permanent jobs of the higher: the chain of the line."""
    two, one = (
        uniprocessor.whole_line(policy, (0.6, 0.4), (0.25, 0.0), 1.0, (n, 1), most_jobs=7).performance.obtained_share[1]
        for n in (2, 1)
    )
    return finding(f"share {two:.4f} beside two, {one:.4f} beside one", two < 1e-12 and one > 0.1)


@check("thesis-3-027", policy="UD")
def blind_to_the_shares(policy="HOL"):
    """Simulated with one seed for several required shares of the same order."""
    first, *others = (
        uniprocessor.simulate(policy, (share, 1 - share), (0.4, 0.4), **SHORT) for share in (0.55, 0.7, 0.95)
    )
    same = all((other.probability_present.value == first.probability_present.value).all() for other in others)
    same &= all((other.obtained_share.value == first.obtained_share.value).all() for other in others)
    return finding("the same sample path" if same else "other sample paths", same)


@check("thesis-3-028", policy="FCFS")
def priorities_of_up_down(policy="UD"):
    """It starts with the group that requires most, and pays back what it owes: permanent jobs get their shares."""
    shares = (0.4, 0.6)
    start = uniprocessor.simulate(policy, shares, (1e-9, 0.0), 1.0, 2, jumps=1, warmup=0, replications=1)
    later = uniprocessor.simulate(policy, shares, (1e-9, 0.0), 1.0, 2, **SHORT)
    first, gap = int(start.obtained_share.value.argmax()), np.abs(later.obtained_share.value - shares).max()
    return finding(f"group {first + 1} first; shares then off by at most {gap:.4f}", first == 1 and gap < 1e-3)


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
