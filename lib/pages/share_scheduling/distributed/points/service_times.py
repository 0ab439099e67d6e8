"""Other service times: the points of `thesis`, Figures 6.12 and 6.13, and what is exact about them."""

import functools

import numpy as np
from scipy import stats

from clustershare import dispatch, splitting
from clustershare.sizes import Hyperexponential, Pareto
from compendium.press.clauses import aside, exact
from pages.share_scheduling.distributed.points.stored import DEVIATION, in_equilibrium, measured
from pages.share_scheduling.distributed.systems import CASES, LIMITS, POLICIES, RATIOS, means, of_case

LOAD, PROCESSORS, EXPONENT = 0.8, 10, 1.25
LONG = 4.0
"""Part of a fidelity's jumps where one group has few jobs."""
OTHER_CASES, OTHER_RATIOS = (2, 3, 4, 5), (0.01, 0.1, 10.0, 100.0)
APART = (10.0, 100.0)
"""Ratios at which PS, and placement without migration, were simulated too."""


def at_ratios(quantity, index=None, ratios=RATIOS, **other):
    """The points of Figure 6.12, by policy and ratio; `other` is a fidelity, and parameters of `systems.of_case`."""
    return measured("ratios", quantity, "ratio", index=index, ratio=ratios, **{"part": LONG, **other})


def in_other_cases(quantity, index=None, **other):
    """The points of cases 2 to 5, by policy, case and ratio."""
    return measured(
        "ratios", quantity, "case", "ratio", index=index, case=OTHER_CASES, ratio=OTHER_RATIOS, part=1.0, **other
    )


def at_limits(quantity, index=None, heavy=False, limits=LIMITS, **other):
    """The points of Figure 6.13, if heavy, or of Figures 6.1 to 6.3, by policy and limit."""
    if heavy:
        chosen = {"probe_limit": limits, "pareto": EXPONENT, "part": 1.0, **other}
        return measured("pareto", quantity, "probe_limit", index=index, **chosen)
    return measured("limits", quantity, "probe_limit", index=index, probe_limit=limits, **other)


def degradation(quantity, limits=LIMITS, **other):
    """What Pareto sizes add to exponential ones."""
    return at_limits(quantity, heavy=True, limits=limits, **other) - at_limits(quantity, limits=limits, **other)


@functools.cache
def alone(case=1, ratio=1.0, local="GPPS"):
    """The shares under HPRS, which is Isolation; exact: `clustershare.splitting.SplitShares`."""
    shares, loads = CASES[case]
    rates = [1 / mean for mean in means(ratio, "overall mean", loads)]
    return splitting.horizontal(shares, loads, np.full(PROCESSORS, 1 / PROCESSORS), local, rates)


def rates(ratio, ratio_of="overall mean", equal=False):
    """Arrival rates of two groups that bring 0.4 each (6.1), and their mean service times; equal rates if wished.

    Examples
    --------
    >>> [each.round(12).tolist() for each in rates(4.0)]
    [[1.6, 6.4], [2.5, 0.625]]
    """
    loads = CASES[1][1]
    mean = np.array(means(ratio, ratio_of, loads))
    rate = np.array(loads) * PROCESSORS / mean
    return (np.full(2, rate.sum() / 2) if equal else rate), mean


def mixture(ratio):
    """The largest difference of the mixture of the groups' laws from the library's hyperexponential one, and its CV."""
    rate, mean = rates(ratio)
    law = Hyperexponential(tuple(mean.tolist()), tuple((rate / rate.sum()).tolist()))
    _, stages, weights = law.erlang_mixture()
    times = np.linspace(0.0, 10.0, 50)[:, None]
    ours = (np.array([1.0, ratio]) / (1 + ratio) * np.exp(-times / mean)).sum(axis=1)
    theirs = (weights * np.exp(-times / stages)).sum(axis=1)
    return float(np.abs(ours - theirs).max()), law.standard_deviation / law.mean


def feasible_with_own_processors(share=0.5, load=0.4, processors=PROCESSORS):
    """E[f_g] if every job had a processor of its own: Poisson numbers, whatever the service times (M/G/infinity)."""
    few = np.arange(np.ceil(share * processors - 1e-9))
    return float(share - (share - few / processors) @ stats.poisson.pmf(few, load * processors))


def largest_possible(case=1):
    """The deviation that no stable system exceeds, for f_g is at most r_g and o_g is rho_g: 1 - rho_g / r_g (5.5)."""
    shares, loads = map(np.array, CASES[case])
    return float((1 - loads / shares).max())


def not_there_yet(time):
    """Part of a Pareto load that is missing so long after a start without jobs, if each had a processor of its own.

    Parameters
    ----------
    time : array_like
        In mean service times; at least the smallest size.

    Returns
    -------
    ndarray
        E[(S - t)+] / E[S].

    Examples
    --------
    >>> not_there_yet([10, 1e5, 1e9]).round(3)
    array([0.301, 0.03 , 0.003])
    """
    return (Pareto(1.0, EXPONENT).minimum / np.asarray(time, float)) ** (EXPONENT - 1) / EXPONENT


def missing_in_runs(part=1.0, jumps=300_000, warmup=100_000):
    """The same, averaged over what a run measures; a job is two jumps."""
    first, last = (part * each / (2 * LOAD * PROCESSORS) for each in (warmup, warmup + jumps))
    b = EXPONENT
    integral = [time * not_there_yet(time) / (2 - b) for time in (first, last)]
    return float((integral[1] - integral[0]) / (last - first))


@functools.cache
def from_empty(jobs, heavy=True, replications=30, policy="Isolation", limit=0):
    """The answer of short runs that begin without jobs, and measure from there: no stored points.

    Parameters
    ----------
    jobs : int
        About so many arrive.
    heavy : bool
        Whether sizes are Pareto; else exponential.
    replications, limit : int
    policy : str

    Returns
    -------
    clustershare.dispatch.DistributedPerformance
    """
    system = of_case(policy, probe_limit=limit, pareto=EXPONENT if heavy else None)
    return dispatch.simulate_distributed(**system, jumps=2 * jobs, warmup=0, replications=replications, seed=613)


def missing_from_empty(jobs):
    """As `missing_in_runs`, for `from_empty`; until the first instant everything is missing."""
    last = jobs / (LOAD * PROCESSORS)
    least = Pareto(1.0, EXPONENT).minimum
    # E[(S - t)+] = 1 - t up to the smallest size; its integral from there on as in `missing_in_runs`.
    early = least - least**2 / 2
    late = [time * not_there_yet(time) / (2 - EXPONENT) for time in (least, last)]
    return float((early + late[1] - late[0]) / last)


def obtained(limits, **other):
    """The shares that the groups obtain in runs with Pareto sizes."""
    return [at_limits("obtained_share", g, heavy=True, limits=limits, **other) for g in (0, 1)]


def settled(limits, **other):
    """Which points of Figure 6.13 are in equilibrium: array of bool."""
    return in_equilibrium(obtained(limits, **other), CASES[1][1])


def part_of_load(limits, said="", **other):
    """What part of the load these runs obtain: a clause in the fold."""
    least = np.min([group.value / load for group, load in zip(obtained(limits, **other), CASES[1][1])], axis=0)
    return aside(
        f"the part of the load that runs with Pareto sizes obtain{said}", exact(least, policy=POLICIES, limit=limits)
    )


def isolated(quantity=DEVIATION, cases=(1,), ratios=(1.0,)):
    """What Isolation gives in place of the policies, by case and ratio; exact."""
    values = [[np.max(getattr(alone(case, ratio), quantity)) for ratio in ratios] for case in cases]
    return exact(values, as_it_stands=quantity == DEVIATION, case=cases, ratio=ratios)
