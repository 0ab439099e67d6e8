"""Claims of `thesis`, Sections 3.2.2 to 3.3.1, on HOL and UD, and on PQ in numbers and limits.

The theorems on PQ over random parameters are in `priority_queueing`.
"""

import itertools

import numpy as np
from scipy import sparse
from scipy.sparse import linalg

from clustershare import uniprocessor
from compendium.press.claims import check, equality, finding, over_domain
from pages.share_scheduling.one_processor.chains import chain_law
from pages.share_scheduling.one_processor.paths import intervals
from pages.share_scheduling.one_processor.printed import deviation_2
from pages.share_scheduling.one_processor.simulated import outside
from pages.share_scheduling.one_processor.systems import random_parameters

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


@check("thesis-3-050", rate=2.0)
def busy_period(rate=1.0):
    """Mean busy period of group 1 from the chain: the time it is present, over the number of its busy periods."""
    gap = 0.0
    for _, (rho_1, rho_2, alpha) in random_parameters(6, loads=0.6):
        counts, law = chain_law(rho_1, rho_2, alpha)
        absent = law[counts[0] == 0].sum()
        gap = max(gap, abs((1 - absent) / (rho_1 * absent) - 1 / (1 - rho_1 / rate)))
    return equality(gap, 1e-7)


@check("thesis-3-059", above=1)
def permanent_below(above=0):
    """Permanent jobs of group 2 only: the chain of the line against (rho_1 - r_1) / r_2."""
    gap = 0.0
    for r, (rho_1, _, alpha) in random_parameters(6, loads=0.25):
        r = max(r, 1 - r)  # group 1 comes first
        for jobs in (1, 2):
            line = uniprocessor.whole_line(
                "PQ", (r + 1e-3, 1 - r - 1e-3), (rho_1, 0.0), (1.0, alpha), (above, jobs), most_jobs=12
            )
            found = line.performance.group_share_deviation[1]
            gap = max(gap, abs(found - (rho_1 - r - 1e-3) / (1 - r - 1e-3)))
    return equality(gap, 1e-6)


@check("thesis-3-060", policy="FCFS")
def permanent_above(policy="PQ"):
    """Permanent jobs of group 1: group 2 is never served, and its queue grows without bound (`limiting`)."""
    system = uniprocessor.limiting(policy, (0.6, 0.4), (0.2, 0.3), permanent_jobs=(1, 0))
    result = uniprocessor.whole_line(policy, **system, most_jobs=8).performance
    group, job = result.group_share_deviation[1], result.job_share_deviation[1]
    return finding(f"deviations {group:.6g} and {job:.6g}", abs(group - 1) < 1e-12 and abs(job) < 1e-12)


@check("thesis-3-061", services=(1.0, 3.0, 1.0))
def groups_above_as_one(services=1.0):
    """Three groups: the chain against the two-group formula for the groups above put together."""
    shares, gap = (0.5, 0.3, 0.2), 0.0
    for loads in ((0.05, 0.1, 0.05), (0.1, 0.03, 0.06), (0.02, 0.05, 0.12)):
        line = uniprocessor.whole_line("PQ", shares, np.array(loads) * services, services, most_jobs=9)
        found = line.performance.group_share_deviation
        expected = [deviation_2(sum(loads[:g]), loads[g], 1 - shares[g], 1.0) for g in (1, 2)]
        gap = max(gap, np.abs(found[1:] - expected).max())
    return equality(gap, 1e-5)


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


def first_passage(rho, mu, length=2000):
    """Mean time from one job to none in the chain of the first group's number, by its linear equations."""
    up, down = np.full(length, rho * mu), np.full(length, mu)
    up[-1] = 0
    equations = sparse.diags_array([-down[1:], up + down, -up[:-1]], offsets=[-1, 0, 1], format="csc")
    return float(linalg.spsolve(equations, np.ones(length))[0])


@check("thesis-3-130", ratio=0.1)
def why_it_gets_worse(ratio=10.0):
    """Mean busy periods of group 1 as alpha changes at fixed loads in three ways, and the deviation meanwhile."""
    ways = {"mu_1 lowered": (1 / ratio, 1.0), "mu_2 raised": (1.0, ratio), "both": (ratio**-0.5, ratio**0.5)}
    holds, same, said = [], 0.0, []
    for rho_1, rho_2 in ((0.3, 0.3), (0.6, 0.2), (0.2, 0.7)):
        before, values = first_passage(rho_1, 1.0), []
        for name, (mu_1, mu_2) in ways.items():
            after = first_passage(rho_1, mu_1)
            simulated = busy_periods((rho_1, rho_2), (mu_1, mu_2))
            holds.append(after > before * (1 + 1e-9) and simulated)
            result = uniprocessor.exact("PQ", (0.6, 0.4), (rho_1 * mu_1, rho_2 * mu_2), (mu_1, mu_2))
            values.append(result.group_share_deviation[1])
            if rho_1 == 0.3:
                said.append(f"{name}: {before:.3f} to {after:.3f}")
        same = max(same, np.ptp(values))
    return over_domain(
        f"{'; '.join(said)}; the deviation is the same in all three" if same < 1e-9 else f"apart by {same:.2g}",
        [*holds] if same < 1e-9 else [False],
    )


def busy_periods(loads, services):
    """Whether busy periods of group 1 along a path have the mean of the chain, within three standard errors."""
    lengths, begun = [], None
    rates = np.multiply(loads, services).tolist()
    for interval in intervals("PQ", (0.6, 0.4), rates, services, events=4000, seed=3):
        there = any(job.group == 0 for job in interval.jobs)
        if there and begun is None:
            begun = interval.start
        elif not there and begun is not None:
            lengths.append(interval.start - begun)
            begun = None
    mean, error = np.mean(lengths), np.std(lengths, ddof=1) / np.sqrt(len(lengths))
    return bool(abs(mean - first_passage(loads[0], services[0])) < 4 * error)


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
