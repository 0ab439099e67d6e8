"""The policies that a comparison knows by name, and their replay in the measures that all of them have."""

from __future__ import annotations

import numpy as np

from clustershare.arguments import fail
from clustershare.dispatch.central import LOCAL_POLICIES, OF_CHOICES, POLICIES
from clustershare.results import NoExactAnswer
from clustershare.splitting.groups import WHOLE
from clustershare.workload import replay
from clustershare.workload.jobs import Workload

MIGRATING = ", migrating"
GLOBAL = ("JSQ", "HP", "SVP", "DVP")
RANDOM = ("HPRS", "VPRS")
FORGETTING, EXACT = "fair share, forgetting", "EASY, exact"
IN_LINE = ("FCFS", "first fit", "EASY", EXACT, "fair share", FORGETTING)
AT_ONE_SERVER = (  # simple ones first
    "FCFS", "fair share", FORGETTING, "HPRS PS", "HPRS GPPS", "VPRS PS",
    *(f"{name} {local}{moved}" for name in GLOBAL for local in ("PS", "GPPS") for moved in ("", MIGRATING)),
)  # fmt: skip
KINDS = ("in line", "sharing", "migrating")
QUANTILE = 0.95


def known(workload_servers, exact_estimates):
    """The policies of a comparison if none are named.

    Parameters
    ----------
    workload_servers : int
        Most servers that a job takes.
    exact_estimates : bool
        Whether users know the sizes.
    """
    if workload_servers == 1:
        return AT_ONE_SERVER
    return tuple(name for name in IN_LINE if name != EXACT or not exact_estimates)


def kind(policy: str) -> str:
    """How a policy treats running jobs.

    Returns
    -------
    str
        "in line": a job has its servers for itself until it ends. "sharing": jobs share a server, and stay there.
        "migrating": they share, and may be moved while they run.

    Examples
    --------
    >>> kind("FCFS"), kind("JSQ GPPS"), kind("JSQ GPPS, migrating")
    ('in line', 'sharing', 'migrating')
    """
    return "in line" if policy in IN_LINE else "migrating" if policy.endswith(MIGRATING) else "sharing"


def parts(policy):
    """Global policy, local policy, and whether jobs migrate."""
    name, _, local = policy.removesuffix(MIGRATING).partition(" ")
    return name, local, policy.endswith(MIGRATING)


def check(name, policy, most_servers):
    """Refuse what is no policy, or none for jobs that take several servers each."""
    if isinstance(policy, str) and policy in IN_LINE:
        return policy
    if most_servers > 1:
        fail(name, policy, f"one of {', '.join(IN_LINE)}, for there are jobs that take several servers")
    first, local, moved = parts(policy) if isinstance(policy, str) else ("", "", False)
    there = first in POLICIES or first in RANDOM and not moved or OF_CHOICES.fullmatch(first)
    if not there or local not in LOCAL_POLICIES or first == "VPRS" and local != "PS":
        fail(
            name, policy, f"one of {', '.join(IN_LINE)}, or such as {', '.join(AT_ONE_SERVER[:5])} or JSQ PS, migrating"
        )
    return policy


def whole_parts(shares, servers):
    """How many servers each share is, or None if they are not whole."""
    sizes = shares * servers
    return None if (abs(sizes - np.round(sizes)) > WHOLE).any() else np.round(sizes).astype(int)


def replayed(policy, work, shares, servers, half_life, seed):
    """What groups met with: a `Replay`."""
    if policy in IN_LINE:
        rule = policy.partition(",")[0]
        options = {"half_life": half_life} if policy == FORGETTING else {}
        options |= {"exact_estimates": True} if policy == EXACT else {}
        return replay.replay_cluster(work, servers, rule, required_shares=shares, **options)
    first, local, moved = parts(policy)
    if first == "VPRS":
        return _vertical(work, shares, servers, seed)
    return replay.replay_dispatch(
        work, "JSQ(1)" if first == "HPRS" else first, local=local, migration=moved, required_shares=shares,
        processors=servers, seed=seed,
    )  # fmt: skip


def _vertical(work, shares, servers, seed):
    """Each group on servers of its own, to one of which each of its jobs is sent by chance."""
    own, end = whole_parts(shares, servers), np.full(len(work), np.nan)
    for group, count in enumerate(own):
        mine = np.flatnonzero(work.groups == group)
        if len(mine):
            jobs = Workload(work.arrivals[mine], work.sizes[mine], names=("own", "nobody"))  # shares are of two groups
            end[mine] = replay.replay_dispatch(
                jobs, "JSQ(1)", required_shares=(0.5, 0.5), processors=int(count), seed=seed + group
            ).end
    return replay.of_ends(work, end, shares, servers)


def measures(policy, work, shares, servers, half_life, seed):
    """Capacity loss, then of each group the deviation, the slowdown and its 95 % quantile, in a row.

    Returns
    -------
    ndarray, shape (1 + 3 groups,)

    Raises
    ------
    NoExactAnswer
        If the policy cannot begin, or there is no room for its jobs.
    """
    try:
        found = replayed(policy, work, shares, servers, half_life, seed)
    except replay.NoRoom as why:
        raise NoExactAnswer(str(why)) from None
    groups = len(shares)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.bincount(work.groups, work.sizes, groups) / np.bincount(work.groups, minlength=groups)
        slowdown = found.mean_response_time / means
    order = np.argsort(work.groups, kind="stable")
    each = np.split(found.slowdown[order], np.bincount(work.groups, minlength=groups).cumsum()[:-1])
    slow = [np.quantile(one, QUANTILE) if len(one) else np.nan for one in each]
    loss = max(found.capacity_loss, 0.0) if found.capacity_loss > -1e-9 else found.capacity_loss
    return np.array([loss, *found.group_share_deviation, *slowdown, *slow])
