"""Cases 2 and 3 of `thesis`, Section 5.6, for their claims: stored points without migration, HPRS, and paths."""

import functools

import numpy as np

from clustershare.dispatch import simulate_central
from clustershare.splitting import horizontal
from pages.share_scheduling.central.apart import law
from pages.share_scheduling.central.simulated import along, joint, table
from pages.share_scheduling.central.systems import FRACTIONS, LOADS, LOCAL, SHARES, two_groups

AXES = {"fraction": FRACTIONS, "share": SHARES, "load": LOADS}


@functools.cache
def points(axis, quantity="group_share_deviation", index=None):
    """Estimates and half widths of all combinations of policies along an axis, without migration, on ten processors.

    Parameters
    ----------
    axis : str
        Of `AXES`.
    quantity : str
    index : int, optional
        Of a group, say; the largest of all if not given.

    Returns
    -------
    estimates, half_widths : dict
        (policy, local): ndarray, shape (values of the axis,).
    """
    rows = along(axis, AXES[axis], False, **({"processors": 10} if axis == "load" else {}))
    if index is not None:
        rows = rows[(rows["quantity"] == quantity) & (rows["index"] == index)]
    return table(rows, axis, quantity)


def ends(axis, quantity="group_share_deviation", index=None, widen=None):
    """Lower and upper ends of intervals that hold together with 95 %: two functions of a combination of policies.

    Parameters
    ----------
    axis, quantity, index
        As for `points`.
    widen : float, optional
        By how much intervals are widened; so that those of two curves hold together if not given.
    """
    means, widths = points(axis, quantity, index)
    factor = joint(2 * len(AXES[axis])) if widen is None else widen
    return (
        lambda *key: means[key] - factor * widths[key],
        lambda *key: means[key] + factor * widths[key],
    )  # fmt: skip


def whole(share, processors=10):
    """Whether a share is one of whole processors.

    Examples
    --------
    >>> whole(0.7), whole(0.725)
    (True, False)
    """
    return abs(share * processors - round(share * processors)) < 1e-9


WHOLE = np.array([whole(share) for share in SHARES])


@functools.cache
def by_chance(fractions=FRACTIONS):
    """Delta^G of HPRS in case 2, exactly: local policy: ndarray, shape (fractions,)."""
    return {
        local: np.array([
            horizontal((0.5, 0.5), (0.8 * x, 0.8 * (1 - x)), (0.1,) * 10, local).group_share_deviation.max()
            for x in fractions
        ])
        for local in LOCAL
    }  # fmt: skip


def totals(policy, local, **setting):
    """What 10,000 events with one seed say of all jobs together, whatever their groups, and how many jobs remain."""
    found = simulate_central(
        **two_groups(policy, local, False, **setting), jumps=10_000, warmup=0, replications=2, seed=51
    )
    return np.array([
        found.capacity_loss.value, found.capacity_loss.half_width, found.mean_jobs.value.sum(),
        found.growth.value.sum(), found.busy_range.value, found.busy_spread.value,
    ])  # fmt: skip


@functools.cache
def loss_on_two(policy, local, share, load, fraction, lost=1e-8):
    """Delta^T on two processors by the chain of the printed rules, cut where less than a part is lost."""
    most = 8
    while True:
        jobs, probability = law(
            policy, False, local, (share, round(1 - share, 12)), (load * fraction, load * (1 - fraction)), 2, most
        )
        number = jobs.sum(axis=(1, 2))
        if probability[number == most].sum() < lost:
            able, busy = np.minimum(number, 2) / 2, (jobs.sum(axis=2) > 0).sum(axis=1) / 2
            return float(probability @ (able - busy))
        most += 4
