"""Claims of `thesis`, Sections 5.3 and 5.5.1, on what others had found: response times, ratios, tails."""

import math

import numpy as np
from scipy import optimize, special, stats

from clustershare import routing
from compendium.press.findings import check, finding, over_domain, yes
from compendium.press.words import SCALE
from pages.share_scheduling.central import lengths
from pages.share_scheduling.objectives import queues

CLEAR = SCALE["clear"].least
LOADS = tuple(round(0.05 * k, 12) for k in range(1, 20))
SPREADS = {2: 14, 3: 10, 4: 8}  # where the chains are cut, of which gains by a tenth know nothing


def _most(load, P, lost):
    return P + math.ceil(math.log(lost * (1 - load)) / math.log(load))


def _cyclic(load, P=None):
    """Mean response time, in service times, of jobs that are dealt in turn; to very many processors without P."""
    if P:
        return queues.cyclic(P, load)
    return 1 / (1 - optimize.brentq(lambda x: math.exp((x - 1) / load) - x, 0, 1 - 1e-9))


@check("thesis-5-107", dynamic=False)
def dynamic_against_static(dynamic=True):
    """Mean response times; the control has random choice in place of the dynamic policies."""
    gains = {"random": [], "cyclic": []}
    for load in LOADS:
        by_chance = 1 / (1 - load)
        for P, spread in SPREADS.items():
            mine = lengths.mean_jobs(load, P, _most(load, P, 1e-6), spread) / (P * load) if dynamic else by_chance
            gains["random"].append((load, "JSQ", 1 - mine / by_chance))
            gains["cyclic"].append((load, "JSQ", 1 - mine / _cyclic(load, P)))
        for threshold in (1, 2, 3):
            mine = routing.transfer_response_time("Random", load, threshold) if dynamic else by_chance
            gains["random"].append((load, "threshold", 1 - mine / by_chance))
            gains["cyclic"].append((load, "threshold", 1 - mine / _cyclic(load)))
    told = []
    for static, found in gains.items():
        for policy in ("JSQ", "threshold"):
            own = [(load, gain) for load, name, gain in found if name == policy]
            parts = []
            for least in (CLEAR, 1e-9):
                good = [load for load in LOADS if all(gain >= least for at, gain in own if at == load)]
                best = [load for load in LOADS if any(gain >= least for at, gain in own if at == load)]
                parts.append(
                    f"at loads {good[0]:g} to {good[-1]:g}" if good else
                    f"with the best one from load {best[0]:g}" if best else "nowhere"
                )  # fmt: skip
            told.append(f"{policy} against {static}: a tenth shorter {parts[0]}, shorter {parts[1]}")
    return over_domain("; ".join(told), [value >= CLEAR for found in gains.values() for _, _, value in found])


def _mixtures(rng, number, rising):
    """Tails and densities of random laws with mean near 1: exponential, hyperexponential, Pareto; or Erlang."""
    for _ in range(number):
        if rising:
            law = stats.gamma(int(rng.integers(2, 6)), scale=rng.uniform(0.2, 1))
            yield law.logsf, law.pdf, law.mean(), 0.0, False
            continue
        scale = rng.uniform(0.5, 2)
        yield stats.expon(scale=scale).logsf, stats.expon(scale=scale).pdf, scale, 0.0, True
        branches = int(rng.integers(2, 5))
        p, rates = rng.dirichlet(np.ones(branches)), rng.uniform(0.1, 5, branches)
        yield (
            lambda x, p=p, rates=rates: special.logsumexp(np.log(p) - np.multiply.outer(x, rates), axis=-1),
            lambda x, p=p, rates=rates: np.exp(-np.multiply.outer(x, rates)) @ (p * rates),
            float((p / rates).sum()), 0.0, False,
        )  # fmt: skip
        law = stats.pareto(rng.uniform(1.2, 4), scale=scale)
        yield law.logsf, law.pdf, law.mean(), scale, False


@check("thesis-5-108", rising=True)
def hazard_rates(rising=False):
    """(5.1) by differences, and what a falling one means; the control has Erlang laws."""
    worst, constant, falls = 0.0, 0.0, True
    for tail, density, mean, least, memoryless in _mixtures(np.random.default_rng(5108), 50, rising):
        x = least + mean * np.linspace(0.25, 10, 40)
        step = 1e-5 * mean
        slope = -(tail(x + step) - tail(x - step)) / (2 * step)
        hazard = density(x) / np.exp(tail(x))
        worst = max(worst, np.abs(slope / hazard - 1).max())
        conditional = [tail(x + h * mean) - tail(x) for h in (0.1, 1.0, 5.0)]
        if memoryless:
            constant = max(constant, np.abs(hazard * mean - 1).max())
        else:
            # Far out a mixture of exponentials is one of them but for rounding.
            falls &= (np.diff(hazard) < 1e-9 * hazard[1:]).all() and hazard[-1] < hazard[0]
            falls &= all((np.diff(values) > -1e-9).all() and values[-1] > values[0] for values in conditional)
    good = worst <= 1e-6 and constant <= 1e-9 and falls
    return finding(
        f"(5.1) is density over tail {'within 1e-6' if worst <= 1e-6 else 'not at all'}; the hazard "
        f"{'falls and the tail conditional on an age rises' if falls else 'rises'} with the age", good,
    )  # fmt: skip


def _inverse(rates, weights, power, cut):
    """E[S^-power] of a hyperexponential size, given that it is above the cut."""
    tails = weights @ np.exp(-rates * cut)
    integral = special.expn(power, rates * cut) * rates * cut ** (1 - power)
    return float(weights @ integral / tails)


@check("thesis-5-111", fixed=True)
def waiting_time_ratios(fixed=False):
    """Mean and variance of waiting over service time; the control has sizes that are all the same."""
    loads, cuts = np.array(LOADS), (1e-2, 1e-4, 1e-6, 1e-8)
    sharing = loads / (1 - loads)
    if fixed:
        return finding("FCFS has half the mean of PS", bool((sharing / 2 >= sharing).all()))
    rng, grows, larger, least = np.random.default_rng(5111), True, True, np.inf
    for cv2 in rng.uniform(1, 20, 20):
        p = (1 + math.sqrt((cv2 - 1) / (cv2 + 1))) / 2  # balanced means
        weights, rates = np.array([p, 1 - p]), 2 * np.array([p, 1 - p])
        means = np.array([(1 + cv2) / 2 * _inverse(rates, weights, 1, cut) for cut in cuts])
        grows &= bool((np.diff(means) > 0).all())
        larger &= bool((means[:, None] * sharing > sharing).all())
        least = min(least, means[0])
    one = np.ones(1)
    variances = []
    for cut in cuts:
        # PS: the conditional variance of M/M/1 over the square of the size; FCFS: a wait with an atom at 0.
        x = cut + np.append(0.0, np.geomspace(cut, 60, 4000))
        a = 1 - loads[:, None]
        both = -special.expm1(-a * x) / a
        spread = 2 * loads[:, None] / a**3 * (x - both) / x**2
        ps = np.trapezoid(spread * np.exp(cut - x), x, axis=1)
        inverse, square = (_inverse(one, one, power, cut) for power in (1, 2))
        fcfs = 2 * loads / (1 - loads) ** 2 * square - (sharing * inverse) ** 2
        variances.append((ps, fcfs))
    ps, fcfs = (np.array(values) for values in zip(*variances))
    bounded = bool((ps <= loads / (1 - loads) ** 2).all())
    grows &= bool((np.diff(fcfs, axis=0) > 0).all())
    larger &= bool((fcfs > ps).all())
    return finding(
        f"FCFS {'larger at each cut' if larger else 'not larger'}, the mean by a factor of {least:.1f} at least, and "
        f"growing as the cut falls: {yes(grows)}; the variance of PS "
        f"{'stays below its value at size 0' if bounded else 'grows'}",
        grows and larger and bounded,
    )  # fmt: skip


@check("thesis-5-110", placed=False, moved=False)
def large_jobs(placed=True, moved=True):
    """A job that never ends, beside others; the control neither places nor moves."""
    names = {"placement": (placed, False), "migration": (False, moved), "both": (placed, moved)}
    points = [(2, round(0.1 * k, 12)) for k in range(1, 10)] + [(3, round(0.1 * k, 12)) for k in range(1, 8)]
    gains = {name: [] for name in names}
    for P, load in points:
        for name, (shortest, migration) in names.items():
            most = _most(load, P, 1e-9)
            if shortest or migration:
                found, probability = lengths.law(load, P, most, 25, shortest, migration, tagged=True)
                ratio = 1 / float(probability @ (1 / found[:, 0]))
            else:
                ratio = 1 / (1 - load)
            gains[name].append(1 - ratio * (1 - load))
    told = []
    for name, found in gains.items():
        clear = np.array(found) >= CLEAR
        from_load = max((load for (_, load), good in zip(points, clear) if not good), default=0)
        told.append(f"{name}: a tenth shorter at {clear.sum()} of {len(points)} points, all loads above {from_load:g}")
    return over_domain("; ".join(told), [gain >= CLEAR for found in gains.values() for gain in found])


@check("thesis-5-117", shortest=False)
def one_queue_at_both_ends(shortest=True):
    """JSQ without migration against M/M/P; the control splits at random."""
    holds, told = [], []
    ends = {
        (2, "low"): (0.2, 0.1, 0.05, 0.02, 0.01), (2, "high"): (0.8, 0.9, 0.95, 0.98),
        (3, "low"): (0.2, 0.1, 0.05, 0.02, 0.01), (3, "high"): (0.8, 0.9, 0.95),
    }  # fmt: skip
    for (P, end), loads in ends.items():
        gaps = []
        for load in loads:
            one = P * load * queues.one_line(P, load)
            if shortest:
                mine = lengths.mean_jobs(load, P, _most(load, P, 1e-8), 20 if P == 2 else 14)
            else:
                mine = P * load / (1 - load)
            gaps.append(1 - one / mine)
        gaps = np.array(gaps)
        holds.append((np.diff(gaps) < 0).all() and SCALE["close"].allows(gaps[-1]))
        told.append(f"P = {P}, {end} loads: {gaps[0]:.4f} to {gaps[-1]:.4f}")
    return over_domain("; ".join(told), holds)
