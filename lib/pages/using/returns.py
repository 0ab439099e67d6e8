"""A group that comes back after an absence: who is served then, under fair share with decay and under Up-Down."""

import math

import numpy as np
from scipy.optimize import brentq

from clustershare.workload import Workload, replay_cluster, replay_processor


def pushed_out(half_life, share, absence, history=math.inf):
    """How long nobody but the group that came back is served, under fair share with decay: a fluid of small jobs.

    Usage decays at the rate k = ln 2 / half life and grows by what is served. Until the absence both groups were
    always there, for the time `history`, and had their shares r and 1 - r. Then the usage of the absent group decays
    for the time D and the other has all, so that in units of 1 / k

        u_B = r (1 - exp(-k H)) exp(-k D),    u_A = 1 - exp(-k (H + D)) - u_B.

    From the return on u_A decays, until it is 1 - r of all that is used, 1 - exp(-k (H + D + t)). That is so at

        t = ln(u_A / (1 - r) + exp(-k (H + D))) / k,

    which is r D / (1 - r) in the limit of no forgetting, and at most log2(1 / (1 - r)) half lives.

    Parameters
    ----------
    half_life : float
        Infinite if nothing is forgotten.
    share : float
        r, of the group that was absent.
    absence, history : float
        D and H, in the unit of the half life.

    Returns
    -------
    float

    Examples
    --------
    After a long absence the one who stayed waits for one half life if each was promised one half; if nothing is
    forgotten, for as long as the absence lasted:

    >>> pushed_out(3, 0.5, 1000), pushed_out(math.inf, 0.5, 7)
    (3.0, 7.0)
    """
    stays = 1 - share
    if math.isinf(half_life):
        return share * absence / stays
    rate = math.log(2) / half_life
    back = share * -math.expm1(-rate * history) * math.exp(-rate * absence)
    stayed = -math.expm1(-rate * (history + absence)) - back
    return math.log(stayed / stays + math.exp(-rate * (history + absence))) / rate


def pushed_out_by_up_down(share, absence):
    """The same under Up-Down, which compares differences and forgets nothing.

    While a group has jobs, its level falls by what it obtains and rises by what it was promised. During the absence D
    the level of who stays falls at the rate 1 - (1 - r) = r, and the other's stands still. From the return on the
    former rises at the rate 1 - r, and the latter falls at the rate 1 - r. They meet after r D / (2 (1 - r)).

    Parameters
    ----------
    share, absence : float
        As for `pushed_out`.

    Returns
    -------
    float

    Examples
    --------
    >>> pushed_out_by_up_down(0.5, 72)
    36.0
    """
    return share * absence / (2 * (1 - share))


def half_life_like_up_down(share, absence, history=math.inf):
    """The half life at which fair share pushes out who stayed for as long as Up-Down; shorter ones do so for less."""
    wanted = pushed_out_by_up_down(share, absence)
    return brentq(lambda one: pushed_out(one, share, absence, history) - wanted, absence / 1000, absence * 1000)


def one_returns(share, absence, history, after, size, seed=0):
    """Jobs of two groups on one server: the first always has some, the second is away for a time.

    Parameters
    ----------
    share : float
        Of the second group, which it uses until it leaves.
    absence, history, after : float
        How long the second group is away, and both are there, before that and afterwards.
    size : float
        Mean of the sizes of jobs, which are exponential.
    seed : int

    Returns
    -------
    Workload
        The second group's later jobs arrive at `history` + `absence`.
    """
    rng = np.random.default_rng(seed)

    def lasting(time):
        sizes = rng.exponential(size, math.ceil(1.5 * time / size) + 100)
        return sizes[: np.searchsorted(sizes.cumsum(), time) + 1]

    whole = history + absence + after
    parts = ((0.0, 0, lasting(whole)), (0.0, 1, lasting(share * history)), (history + absence, 1, lasting(after)))
    sizes = np.concatenate([own for _, _, own in parts])
    counts = [len(own) for _, _, own in parts]
    came, groups = (np.repeat([part[k] for part in parts], counts) for k in (0, 1))
    return Workload(came, sizes, groups, names=("who stayed", "who comes back"))


def replayed(workload, share, half_life=None):
    """The workload under fair share with a half life; under Up-Down, on one processor, if that is None."""
    shares = (1 - share, share)
    if half_life is None:
        return replay_processor(workload, "UD", shares)
    memory = {} if math.isinf(half_life) else {"half_life": half_life}
    return replay_cluster(workload, 1, "fair share", required_shares=shares, **memory)


def first_served(workload, replay, since):
    """How long after a moment a job of the first group is started again."""
    starts = replay.start[workload.groups == 0]
    return float(np.min(starts[starts >= since]) - since)


def obtained(workload, replay, group, edges):
    """Which part of each stretch of time, between edges, the server spent on a group."""
    own = workload.groups == group
    start, end = replay.start[own], replay.end[own]
    used = np.array([np.clip(edge - start, 0, end - start).sum() for edge in edges])
    return np.diff(used) / np.diff(edges)
