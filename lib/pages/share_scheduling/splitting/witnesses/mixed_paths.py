"""Simulated points for `thesis`, Figures 4.18, 4.21 and 4.23: like processors that all groups share, on long paths.

`clustershare.splitting.horizontal` solves the chain of one processor and convolves. Here all processors run together,
and the feasible share is taken from the total number of a group at each event.
"""

import numpy as np
import pandas as pd

from clustershare.compiled import service
from clustershare.compiled.choice import choose
from clustershare.compiled.jit import kernel
from clustershare.estimates import from_replications
from clustershare.run_length import RunLength

RULES = {"PS": service.PS, "PPS": service.PPS, "GPPS": service.GPPS}


@kernel
def _follow(rng, rule, required, arrivals, rates, processors, steps, warmup):
    """The mean feasible and obtained shares of the groups, shape (2, groups).

    A processor serves a group that is alone there at its rate / processors. An idle one serves nobody and is given its
    turns all the same, so that every step is as long as any other.
    """
    groups, total, fastest = len(required), arrivals.sum(), rates.max()
    there = np.zeros((processors, groups), np.int64)
    number, now = np.zeros(groups, np.int64), np.zeros(groups)
    served, obtained = np.zeros((processors, groups)), np.zeros(groups)
    sums = np.zeros((2, groups))
    for step in range(warmup + steps):
        if step >= warmup:
            for g in range(groups):
                sums[0, g] += min(required[g], number[g] / processors)
                sums[1, g] += obtained[g]
        u = rng.random() * (fastest + total)
        p = min(int(rng.random() * processors), processors - 1)
        if u < total:
            g = choose(u, arrivals)
            there[p, g] += 1
            number[g] += 1
        elif there[p].sum() > 0 and (fastest == rates.min() or u - total < (served[p] * rates).sum()):
            g = choose(u - total, served[p] * rates)
            there[p, g] -= 1
            number[g] -= 1
        else:
            continue
        service.divide(rule, required, there[p], now)
        for g in range(groups):
            obtained[g] += (now[g] - served[p, g]) / processors
            served[p, g] = now[g]
    return sums / steps


def followed(
    local, required_shares, loads, processors, service_rates=None, *, steps=400_000, warmup=40_000, replications=10,
    seed=1,
):  # fmt: skip
    """Group-share deviations under HPRS from paths.

    Parameters
    ----------
    local : str
        "PS", "PPS" or "GPPS".
    required_shares, loads : sequence of float
        Of the groups. Sizes are exponential.
    processors : int
    service_rates : sequence of float, optional
        Of the groups: the inverse of their mean sizes on a processor that is the whole system; 1 if not given.
    steps, warmup, replications, seed : int

    Returns
    -------
    clustershare.estimates.Estimate
        Of shape (groups,).

    Examples
    --------
    >>> followed("PS", [0.5, 0.5], [0.3, 0.3], 2, steps=20_000).value.round(2)
    array([0.07, 0.07])
    """
    required = np.array(required_shares, dtype=float)
    rates = np.ones(len(required)) if service_rates is None else np.array(service_rates, dtype=float)
    arriving = np.array(loads, dtype=float) * rates
    generators = RunLength(replications=replications, seed=seed).generators()
    paths = [_follow(rng, RULES[local], required, arriving, rates, processors, steps, warmup) for rng in generators]
    means = np.array(paths)
    return from_replications((means[:, 0] - means[:, 1]) / required)


def confirmed(local, required_shares, loads, processors, expected, **path):
    """Whether deviations lie within twice the intervals of paths: for two groups that is 99.9 % together.

    Parameters
    ----------
    local, required_shares, loads, processors, **path
        As for `followed`.
    expected : ndarray, shape (groups,)

    Returns
    -------
    bool
    """
    found = followed(local, required_shares, loads, processors, **path)
    return bool((abs(found.value - expected) < 2 * found.half_width).all())


def points(local, systems, processors, **path):
    """The larger deviation in some systems, simulated, a series for each number of processors.

    Parameters
    ----------
    local : str
        As for `followed`.
    systems : dict
        Abscissa: (share, loads), as for `pages.share_scheduling.splitting.points.cases.lines`.
    processors : sequence of int
    **path
        As for `followed`.

    Returns
    -------
    dict of str to pandas.DataFrame
        Rows for a figure: "x", "estimate" and "half_width".
    """
    found = {}
    for P in processors:
        rows = []
        for x, (share, loads) in systems.items():
            one = followed(local, [share, 1 - share], loads, P, **path)
            group = int(np.argmax(one.value))
            rows.append({"x": x, "estimate": one.value[group], "half_width": one.half_width[group]})
        found[f"{local}, P = {P}"] = pd.DataFrame(rows)
    return found


def half_widths(series, x, lines):
    """How many half widths the farthest point of each series lies from the line of its name.

    Parameters
    ----------
    series : dict
        As `points` has it.
    x : ndarray, shape (n,)
    lines : dict of str to ndarray, shape (n,)

    Returns
    -------
    dict of str to float
        To one decimal.
    """
    return {
        name: round(float((abs(rows["estimate"] - np.interp(rows["x"], x, lines[name])) / rows["half_width"]).max()), 1)
        for name, rows in series.items()
    }
