"""The cases of `thesis`, Section 4.5.4: two groups on like processors, and the largest deviation under each policy."""

import math
from functools import lru_cache

import numpy as np
from scipy.special import gammaln, logsumexp

from clustershare.splitting import group_number_law, horizontal, number_law, vertical
from clustershare.splitting.groups import laws_on_one_processor
from compendium.press.clauses import cases, equalities
from compendium.press.findings import difference
from pages.share_scheduling.splitting.witnesses.partitions import deviations

POLICIES = ("HPRS/PS", "HPRS/GPPS", "VPRS")
DIGITS = 1e-8  # a smaller difference is taken from the tails
TIE = 1e-9  # of deviations that are computed in one way or another
KNOWN = 1e-10  # of a tail, under GPPS
WITNESSED = 1e-7  # of a deviation: chains are cut
BEYOND = 3000  # terms of a tail, of numbers of at most 500 processors


def divided(total, fraction=0.5):
    """The loads of the groups when group 1 brings this fraction of the total.

    Parameters
    ----------
    total, fraction : float

    Returns
    -------
    tuple of float
    """
    return round(total * fraction, 12), round(total * (1 - fraction), 12)


@lru_cache(maxsize=2000)  # claims and figures meet at the same systems
def delivered(policy, share, loads, processors):
    """How a policy delivers shares to two groups on equal processors.

    Parameters
    ----------
    policy : str
        One of `POLICIES`.
    share : float
        That group 1 requires; group 2 requires the rest.
    loads : tuple of float
        Of the groups.
    processors : int

    Returns
    -------
    clustershare.splitting.SplitShares
    """
    required = share, round(1 - share, 12)
    if policy == "VPRS":
        return vertical(required, loads, processors)
    capacities = np.full(processors, 1 / processors)
    local = policy.removeprefix("HPRS/")
    return horizontal(required, loads, capacities, local)


def by_laws(*systems):
    """Clauses that the deviations in some systems are those by laws of numbers that do not come from the library.

    Parameters
    ----------
    *systems : tuple of policy, share, loads, processors
        As for `delivered`.

    Returns
    -------
    list of compendium.press.clauses.conclusions.Clause
    """

    def off(*system):
        return difference(delivered(*system).group_share_deviation, deviations(*system))

    return equalities({"their deviations and those by other laws of numbers": cases("system", systems).measure(off)},
                      WITNESSED)  # fmt: skip


def worst(policy, share, loads, processors):
    """The group-share deviation of the group that has the larger one.

    Parameters
    ----------
    policy, share, loads, processors
        As for `delivered`. The groups may change their names: of the two systems one is computed.

    Returns
    -------
    float
    """
    if (share, loads[0]) < (round(1 - share, 12), loads[1]):
        share, loads = round(1 - share, 12), loads[::-1]
    return float(delivered(policy, share, loads, processors).group_share_deviation.max())


def lines(policies, systems, processors):
    """The larger deviation in some systems, a curve for each policy and number of processors.

    Parameters
    ----------
    policies : dict
        One of `POLICIES`: what its curves are called.
    systems : sequence of (share, loads)
        As for `delivered`.
    processors : sequence of int

    Returns
    -------
    dict of str to ndarray, shape (systems,)

    Examples
    --------
    >>> lines({"HPRS/PS": "PS"}, [(0.5, (0.3, 0.3))], [2])["PS, P = 2"].round(4)
    array([0.0735])
    """
    return {
        f"{name}, P = {P}": np.array([worst(policy, *system, P) for system in systems])
        for policy, name in policies.items() for P in processors
    }  # fmt: skip


def of_groups(policies, systems, processors):
    """The deviations of both groups in some systems, a curve for each policy and group.

    Parameters
    ----------
    policies, systems
        As for `lines`.
    processors : int

    Returns
    -------
    dict of str to ndarray, shape (systems,)

    Examples
    --------
    >>> of_groups({"VPRS": "own"}, [(0.5, (0.6, 0.1))], 4)["own, group 1"]
    array([0.])
    """
    found = {}
    for policy, name in policies.items():
        both = np.array([delivered(policy, *system, processors).group_share_deviation for system in systems])
        found |= {f"{name}, group {group + 1}": both[:, group].round(12) + 0.0 for group in (0, 1)}
    return found


def lacking(policy, share, loads, processors):
    """E(r_1 - N_1 / P)^+ / r_1 of group 1, with all its digits: the deviation is 1 less this and less its load / r_1.

    Two deviations that agree in all digits differ in these. Under GPPS the processors' numbers are added one by one.

    Parameters
    ----------
    policy, share, loads, processors
        As for `delivered`.

    Returns
    -------
    float
    """
    wanted = share * processors
    length = math.ceil(wanted - 1e-9)
    if policy == "HPRS/GPPS":
        own = laws_on_one_processor("GPPS", (share, 1 - share), loads, (1.0, 1.0), None)[0][0]
        law = np.ones(1)
        for _ in range(processors):
            law = np.convolve(law, own[:length])[:length]
    else:
        law = group_number_law(delivered(policy, share, loads, processors).processor_loads, 0, length)
    return float((1 - np.arange(len(law)) / wanted) @ law)


def better(policy, other, share, loads, processors):
    """By how much the larger deviation under a policy is below that under another one, and by what part.

    Where so few digits differ that rounding decides, it is taken from what the group with the smaller load lacks.

    Parameters
    ----------
    policy, other : str
    share, loads, processors
        As for `delivered`; ties are found for equal shares only.

    Returns
    -------
    absolute, relative : float
    """
    before, after = (worst(name, share, loads, processors) for name in (other, policy))
    gain = before - after
    if share == 0.5 and abs(gain) < DIGITS:
        loads = tuple(sorted(loads))
        tails = lacking(policy, share, loads, processors) - lacking(other, share, loads, processors)
        gain = tails if abs(tails) < DIGITS else gain  # the digits that there are go first
    if before == 0:
        return gain, math.inf if gain > 0 else 0.0
    return gain, gain / abs(before)


def resolved(policy, other, share, loads, processors):
    """Whether the gain of `better` is known: it is no rounding of deviations, nor of the tails that it is taken from.

    Parameters
    ----------
    policy, other, share, loads, processors
        As for `better`.

    Returns
    -------
    bool
    """
    gain = abs(better(policy, other, share, loads, processors)[0])
    if gain == 0 or gain > DIGITS or share != 0.5:
        return gain == 0 or gain > TIE
    loads = tuple(sorted(loads))
    return gain > KNOWN * max(lacking(name, share, loads, processors) for name in (policy, other))


def log_tail(load, processors, level, above):
    """The logarithm of E(N - k)^+ or of E(k - N)^+, where N sums geometric numbers of one load.

    Deviations that agree in all digits of a number differ in these.

    Parameters
    ----------
    load : float
        Of each geometric number, P[N_p = n] = (1 - load) load^n.
    processors, level : int
        How many numbers, and k.
    above : bool
        Whether the first is wanted.

    Returns
    -------
    float

    Examples
    --------
    >>> round(float(np.exp(log_tail(0.5, 1, 1, True))), 9)  # 1/8 + 2/16 + 3/32 + ...
    0.5
    """
    n = np.arange(level + 1, level + 1 + BEYOND) if above else np.arange(level)
    law = gammaln(processors + n) - gammaln(n + 1) - gammaln(processors)
    return logsumexp(law + processors * np.log1p(-load) + n * np.log(load) + np.log(np.abs(n - level)))


def smaller_by_tails(processors, load):
    """Whether VPRS has the smaller deviation in case 1, where all digits may agree.

    Both deviations are the mean of 2 N_g / P, less the same load, less a tail; or 1 less the load, less one at the
    other end. So the wider law has the smaller deviation.

    Parameters
    ----------
    processors : int
    load : float

    Returns
    -------
    bool
    """
    few, half = load < 0.5, processors // 2
    mixed = load / 2 / (1 - load / 2)
    return bool(log_tail(load, half, half, few) > log_tail(mixed, processors, half, few))


def unused(policy, share, loads, processors):
    """As `lacking`, of all jobs: E(P - N)^+ / P. Without overload the loss is 1 less this and less the load."""
    each = delivered(policy, share, loads, processors).processor_loads.sum(axis=0)
    if each.max() >= 1:
        return 0.0
    law = number_law(each, processors)
    return float((1 - np.arange(processors) / processors) @ law)
