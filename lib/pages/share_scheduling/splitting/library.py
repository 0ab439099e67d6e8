"""All that the library answers on random splitting, on partitions and on proportional and fair shares, held against
witnesses that read nothing but what was given: numbers of jobs in fractions, chains, prices, all choices one by one."""

import itertools
import math
from fractions import Fraction

import numpy as np
from scipy.optimize import brentq
from scipy.stats import binom, nbinom

from clustershare import splitting
from clustershare.results import NoExactAnswer
from clustershare.splitting import certify_shares, curvature
from compendium.press.clauses import cases, equalities, exact, fact
from pages.agreement import gap

CLOSE = 1e-9


def answers():
    """Clauses: the library and independent witnesses agree on the models of Chapter 4 and on what stands beside them.

    Returns
    -------
    tuple of Clause
    """
    parts = (on_numbers, on_splits, on_routings, on_searches, on_queues, on_mixes, on_patterns)
    return tuple(clause for part in parts for clause in part())


def _off(found, expected, least=1e-6):
    """As `gap`, relative to the largest that is expected, or to what counts as small."""
    sizes = np.abs(np.asarray(expected, float))
    return gap(found, expected, max(sizes[np.isfinite(sizes)].max(initial=0), least))


def _agree(noun, seed, systems, function, within=CLOSE):
    """Clauses: two things each are equal in all systems."""
    return equalities(cases(noun, systems, seed=seed).measure(function), within)


def _exactly(values):
    return [Fraction(float(value)) for value in values]


def _law(loads, length):
    """The law of the number of jobs, of whatever kind of number the loads are: geometric numbers summed one by one."""
    law = [loads[0] ** 0] + [0 * loads[0]] * (length - 1)
    for load in loads:
        law = [sum((1 - load) * load**k * law[n - k] for k in range(n + 1)) for n in range(length)]
    return law


def _loss(speeds, loads):
    """What so many jobs could use of the fastest processors, less what they do use, of whatever kind of number."""
    served = sum(speed * min(load, 1) for speed, load in zip(speeds, loads))
    if max(loads) >= 1:
        return sum(speeds) - served
    law = _law(loads, len(speeds))
    return sum(speeds) - sum(p * sum(speeds[n:]) for n, p in enumerate(law)) - served


def _prices(speeds, loads, step=Fraction(1, 2**80)):
    """By how much the loss rises with a unit of work on each processor, but for a constant: differences in fractions.

    The loss is linear in the work that is served: that constant is 1.
    """
    speeds, loads, found = _exactly(speeds), _exactly(loads), []
    for p, speed in enumerate(speeds):
        up, down = (loads[:p] + [loads[p] + move] + loads[p + 1 :] for move in (step, -step))
        found.append(float((_loss(speeds, up) - _loss(speeds, down)) / (2 * step * speed)) + 1)
    return np.array(found)


def _unmet(prices, used):
    """By how much prices miss the conditions of a minimum, relative to them: alike where used, elsewhere no cheaper."""
    prices, used = np.asarray(prices), np.asarray(used)
    return float(max(np.ptp(prices[used]), (prices[used].max() - prices[~used]).max(initial=0)) / prices[used].max())


def _random_loads(rng, speeds, total, count):
    """Loads below 1 of a given total, and no jobs on some processors of a few."""
    loads = total * rng.dirichlet(np.full(len(speeds), 0.7), count) / speeds
    part = np.minimum(1, 0.999 * (1 - total) / np.maximum(loads.max(axis=1) - total, 1e-9))[:, None]
    return total + part * (loads - total)


def on_numbers():
    """Laws, success and loss of given loads: few and many processors, empty, light, nearly full and overloaded ones."""

    def law(loads):
        parts, length = [Fraction(round(1024 * load), 1024) for load in loads], 13
        floats = [float(part) for part in parts]
        exactly = _law(parts, length)
        success = {}
        for n, m in ((0, 1), (0, 2), (1, 2), (0, 5), (2, 6)):
            few, many = [1 - a ** (n + 1) for a in parts], [a**m for a in parts]
            none_few, none_many = (math.prod(1 - x for x in kind) for kind in (few, many))
            neither = math.prod(1 - x - y for x, y in zip(few, many))
            success[n, m] = 1 - none_few - none_many + neither if len(parts) > 1 else 0
        return {
            "the law in floats and in fractions": _off(splitting.number_law(floats, length), exactly, 1e-300),
            "the law in fractions and that summed one by one": float(
                splitting.number_law(parts, length).tolist() != exactly
            ),
            "P_lbs and that of all that may be": _off(
                [splitting.load_balancing_success(*pair, floats) for pair in success], list(success.values())
            ),
        }

    def loss(speeds, loads):
        parts = [Fraction(round(1024 * speed), 1024) for speed in speeds]
        parts[0] += 1 - sum(parts)
        exactly = [Fraction(round(1024 * load), 1024) for load in loads]
        truth = _loss(parts, exactly)
        found = splitting.capacity_loss(parts, exactly)
        return {
            "the loss in floats and in fractions": _off(
                splitting.capacity_loss([float(c) for c in parts], [float(a) for a in exactly]), truth, 1e-300
            ),
            "the loss in fractions and that summed one by one": _off(found, truth) if max(loads) >= 1 else float(
                found != truth
            ),
        }  # fmt: skip

    rng = np.random.default_rng(41)
    few = [np.append(rng.uniform(0.02, 0.99, P - 1), 0.0)[::-1] for P in (2, 3, 8)]
    many = [rng.uniform(0.001, 0.2, 11), rng.uniform(0.004, 0.03, 18)]
    loads = [np.array([0.6]), *few, *many, np.array([1e-3, 2e-3, 1e-3])]
    over = [np.array([0.7, 0.2, 1.0]), np.array([0.3, 1.7, 0.0, 0.9]), np.array([1.2, 0.4])]
    speeds = [np.sort(rng.dirichlet(np.full(len(own), 2.0)))[::-1] for own in (*loads, *over)]
    systems = list(zip(speeds, (*loads, *over)))
    alike = [(np.full(P, 1 / P), np.full(P, load)) for P, load in ((4, 0.5), (2, 2 / 3), (20, 0.06))]
    success = splitting.load_balancing_success(1, 3, [1.5, 0.25, 0.0]), splitting.load_balancing_success(0, 2, [1.0, 2])
    P, low, high, length = 15_000, 0.25, 0.4, 8_000
    counts = np.arange(length)
    crowded = np.convolve(*(nbinom.pmf(counts, P // 2, 1 - load) for load in (low, high)))[:length]
    found = splitting.group_number_law([np.repeat([low, high], P // 2)], 0, length)
    lost = splitting.capacity_loss(np.full(P, 1 / P), np.full(P, high))
    truth = 1 - high - (1 - np.arange(P) / P) @ nbinom.pmf(np.arange(P), P, 1 - high)
    crowd = {
        "P_lbs beside an overload and 1": exact(_off(success, (1, 0))),
        "the law of thousands of processors and that of two sums": exact(_off(found, crowded)),
        "their loss and that by the law of all jobs": exact(_off(lost, truth)),
    }
    return [
        *_agree("load of processors", 41, loads, law), *_agree("split load", 41, [*systems, *alike], loss),
        *equalities(crowd, CLOSE),
    ]  # fmt: skip


def _filled(speeds, total, weights):
    """Loads such that what is left of the time is in proportion to weights, at most 1, by bisection."""
    level = brentq(lambda k: speeds @ np.maximum(1 - k * weights, 0) - total, 0, 1 / weights.min(), xtol=1e-16)
    return np.maximum(1 - level * weights, 0)


def on_splits():
    """The splits of one load: least loss, with and without proof, nearly least loss, short responses and waits."""
    rng = np.random.default_rng(42)

    def told(found, speeds, total, method):
        """What a `SplitLoad` says of its own loads, but for the objective."""
        loads = found.processor_loads
        return float(
            max(_off([speeds @ loads, *found.fractions], [total, *(speeds * loads / total)]), -loads.min(), 0)
            + (found.method not in method)
        )

    def lost(found, speeds):
        return _off(found.objective, _loss(_exactly(speeds), _exactly(found.processor_loads)))

    def least(speeds, total):
        found = splitting.minimise_capacity_loss(speeds, total, starts=4)
        loads, used = found.processor_loads, found.processor_loads > 0
        prices = _prices(speeds, loads)
        rivals = [_loss(speeds, rival) for rival in _random_loads(rng, speeds, total, 40)]
        formula = len(speeds) < 3 or speeds[0] == speeds[-1]
        return {
            "the least loss and that of its loads": lost(found, speeds),
            "its loads and parts": told(found, speeds, total, ("formula",) if formula else ("equal prices", "descent")),
            "the prices of used processors, and others that are no cheaper,": _unmet(prices, used) / 1e3,
            "the least loss and the least of it and of random splits": max(0.0, found.objective - min(rivals)),
            "its error": max(0.0, found.error - (0 if formula else 1e-7)),
        }

    def nearly(speeds, total):
        P = len(speeds)
        tilt = total ** ((P / 30) ** (1 / 3))
        loads = _filled(speeds, total, speeds ** (-1 / (2 - tilt)))
        result = {}
        for rounds in (0, 1, 2, None):
            if rounds:
                fixed = _prices(speeds, loads) * (1 - loads) ** (2 - tilt)
                loads = _filled(speeds, total, fixed ** (1 / (2 - tilt)))
            if rounds is None:
                loads = splitting.minimise_capacity_loss(speeds, total, starts=1).processor_loads
            found = splitting.approximate_capacity_loss(speeds, total, rounds=rounds)
            prices, used = _prices(speeds, found.processor_loads), found.processor_loads > 0
            unequal = max(np.ptp(prices[used]), (prices[used].mean() - prices[~used]).max(initial=0))
            result |= {
                f"after {rounds} rounds, the loads and those of prices in fractions":
                    _off(found.processor_loads, loads) / (1e3 if rounds is None else 1),
                f"after {rounds} rounds, the loss and what is told": max(lost(found, speeds), told(
                    found, speeds, total, ("power rule" if rounds is not None else "equal prices",)
                )),
                f"after {rounds} rounds, the error and the prices": abs(found.error - unequal),
            }  # fmt: skip
        level = splitting.level_spare_capacity(speeds, total)
        return result | {
            "level loads and those of bisection": _off(level.processor_loads, _filled(speeds, total, 1 / speeds)),
            "the loss at level loads": max(lost(level, speeds), told(level, speeds, total, ("formula",))),
        }

    def fast(speeds, total):
        responses, waits = (
            minimise(speeds, total) for minimise in (splitting.minimise_response_time, splitting.minimise_waiting_time)
        )
        one, other = responses.processor_loads, waits.processor_loads
        return {
            "the least response time and that of its loads": _off(responses.objective, (one / (1 - one)).sum() / total),
            "the least wait and that of its loads": _off(waits.objective, (other**2 / (1 - other)).sum() / total),
            "their loads and parts": max(told(found, speeds, total, ("formula",)) for found in (responses, waits)),
            "prices of responses": _unmet(1 / (speeds * (1 - one) ** 2), one > 0),
            "prices of waits": _unmet(((1 - other) ** -2.0 - 1) / speeds, other > 0),
        }  # fmt: skip

    def switched(speeds):
        loads, gaps = splitting.switch_on_loads(speeds), []
        for k in range(1, len(speeds)):
            if speeds[k] == speeds[k - 1]:
                gaps.append(abs(loads[k] - loads[k - 1]))
                continue
            split = splitting.minimise_capacity_loss(speeds, loads[k], starts=1).processor_loads
            prices = _prices(speeds, split)
            gaps.append(max(np.ptp(prices[: k + 1]) / prices[0], split[k], loads[k - 1] - loads[k]))
        return float(max(gaps + [abs(loads[0])])) / 1e2

    def proven(speeds, total, bad):
        best = splitting.minimise_capacity_loss(speeds, total)
        start = splitting.certify_capacity_loss(speeds, total, gap=1e-6, start=bad)
        return {
            "the proven loss and the least one": max(0.0, abs(start.objective - best.objective) - 1e-6),
            "the proven loss and that of its loads": lost(start, speeds)
            + told(start, speeds, total, "branch and bound"),
            "the gap": abs(start.error - 1e-6),
        }

    def curved(speeds, lows, highs):
        """Values, slopes and second derivatives at a point; and bounds of these over a box that has it."""
        P, h = len(speeds), Fraction(1, 2**60)
        at = lows + rng.random(P) * (highs - lows)
        exactly, c = _exactly(at), _exactly(speeds)

        def feasible(*moves):
            moved = [load + sum(sign * h for sign, q in moves if q == p) for p, load in enumerate(exactly)]
            return _loss(c, moved) + sum(map(math.prod, zip(c, moved)))

        slopes = [float((feasible((1, p)) - feasible((-1, p))) / (2 * h)) for p in range(P)]
        seconds = [
            [float(sum(s * t * feasible((s, p), (t, q)) for s in (1, -1) for t in (1, -1)) / (4 * h * h))
             for q in range(P)] for p in range(P)
        ]  # fmt: skip
        values, gradients = np.empty(1), np.empty((1, P))
        curvature.slopes(speeds, at[None], values, gradients)
        least, most = np.empty((2, 2, P, P))
        curvature.curvatures(speeds, np.array([at, lows]), np.array([at, highs]), least, most)
        return {
            "the feasible share and its slopes": _off([*values, *gradients[0]], [float(feasible()), *slopes]),
            "its curvature at a point": max(_off(least[0], seconds), _off(most[0], seconds)),
            "its bounds over a box and what is inside": float(
                max((least[1] - seconds).max(), (seconds - most[1]).max(), 0)
            ),
        }

    pairs = [(np.array([c, 1 - c]), load) for c, load in ((0.62, 0.3), (0.7, 0.8), (0.9, 0.1))]
    more = [(np.sort(rng.dirichlet(np.full(P, 3.0)))[::-1], load) for P, load in ((3, 0.1), (4, 0.6), (3, 0.97))]
    more.append((np.array([0.4, 0.25, 0.25, 0.1]), 0.35))
    same = [(np.full(P, 1 / P), load) for P, load in ((1, 0.7), (3, 0.4), (9, 0.9))]
    tenths = np.array([0.5, 0.3, 0.2])
    return [
        *_agree("split", 42, [*pairs, *more, *same], least),
        *_agree("approximate split", 42, [more[0], pairs[2], (np.array([0.36, 0.31, 0.21, 0.12]), 0.4)],
                nearly),
        *_agree("fast split", 42, [*pairs, *more, *same], fast),
        *equalities({"loads of switching on and their prices":
                     cases("processors", [more[1][0], more[3][0], pairs[0][0], np.ones(1)], seed=42)
                     .measure(switched)}, CLOSE),
        *_agree("proof", 42, [(tenths, 0.5, np.array([0.4, 0.5, 0.75])),
                              (tenths, 0.1, np.array([0.1, 0.1, 0.1]))], proven),
        *_agree("box", 42, [(np.array([0.55, 0.45]), np.array([0.2, 0.5]), np.array([0.5, 0.8])),
                            (tenths, np.array([0.1, 0.0, 0.3]), np.array([0.7, 0.2, 1.0]))], curved),
    ]  # fmt: skip


def _on_processors(own, total, length):
    """The law of a group's number: of the jobs on each processor each is of the group as often as its part of the load.

    Parameters
    ----------
    own, total : ndarray, shape (processors,)
    length : int
    """
    law = np.eye(1, length)[0]
    for load, whole in zip(own, total):
        if load and whole > 0.9:  # too many to be added up; such a number is geometric (4.123)
            law = np.convolve(law, nbinom.pmf(np.arange(length), 1, (1 - whole) / (1 - whole + load)))[:length]
        elif load:
            jobs = np.arange(int(np.log(1e-17) / np.log(whole)) + 2)[:, None]
            here = ((1 - whole) * whole**jobs * binom.pmf(np.arange(length), jobs, load / whole)).sum(axis=0)
            law = np.convolve(law, here)[:length]
    return law


def _grown(arriving, rates):
    """The parts of an overloaded processor that groups have in the end, when all numbers grow: step by step."""
    if np.ptp(rates) == 0:
        return arriving / arriving.sum()
    numbers = arriving.copy()
    for _ in range(4000):
        numbers = 0.95 * numbers + 0.05 * (arriving - rates * numbers / numbers.sum())
    return numbers / numbers.sum()


def _feasible(share, law, processors):
    """What a group can claim on average; more jobs than there are processors claim no more than so many."""
    return share - sum(p * max(0.0, share - n / processors) for n, p in enumerate(law[:processors]))


def _delivered(required, loads, speeds, rates):
    """All that a `SplitShares` says of loads rho_gp under processor sharing."""
    (G, P), totals, rates = loads.shape, loads.sum(axis=0), np.broadcast_to(rates, len(required)).astype(float)
    obtained = np.zeros(G)
    for p, total in enumerate(totals):
        obtained += speeds[p] * (loads[:, p] if total <= 1 else _grown(loads[:, p] * rates, rates))
    over = [(totals[own > 0] >= 1).any() for own in loads]
    feasible = [share if full else _feasible(share, _on_processors(own, totals, P + 1), P)
                for share, own, full in zip(required, loads, over)]  # fmt: skip
    with np.errstate(divide="ignore", invalid="ignore"):
        jobs = [np.inf if full else (own[own > 0] / (1 - totals[own > 0])).sum() for own, full in zip(loads, over)]
    return _as_told(required, loads, speeds, rates, feasible, obtained, jobs)


def _as_told(required, loads, speeds, rates, feasible, obtained, jobs):
    """A `SplitShares` as a dictionary."""
    work = loads * speeds
    with np.errstate(invalid="ignore"):
        return {
            "feasible_share": feasible, "obtained_share": obtained, "mean_jobs": jobs,
            "group_share_deviation": (np.array(feasible) - obtained) / required,
            "capacity_loss": _loss(speeds, loads.sum(axis=0)),
            "processor_loads": loads, "mean_response_time": np.array(jobs) / (work.sum(axis=1) * rates),
            "routing": work / work.sum(axis=1, keepdims=True),
        }  # fmt: skip


def _told(found, expected):
    """The largest gap of all that is told; and that of each by its name, where it is to be seen."""
    return max(_off(getattr(found, name), value) for name, value in expected.items())


def _one_processor(rule, required, loads, rates, most):
    """Mean numbers on one processor and laws of each and of all, from a chain that loses jobs when there are many."""
    states = [state for state in itertools.product(range(most + 1), repeat=len(loads)) if sum(state) <= most]
    number, units = {state: k for k, state in enumerate(states)}, np.eye(len(loads), dtype=int)
    Q = np.zeros((len(states), len(states)))
    for k, state in enumerate(states):
        parts = required * (np.array(state) > 0) * (state if rule == "PPS" else 1)
        for g, unit in enumerate(units):
            if sum(state) < most:
                Q[k, number[tuple(state + unit)]] = loads[g] * rates[g]
            if state[g]:
                Q[k, number[tuple(state - unit)]] = rates[g] * parts[g] / parts.sum()
    Q -= np.diag(Q.sum(axis=1))
    Q[:, 0] = 1.0
    law = np.linalg.solve(Q.T, np.eye(1, len(states))[0])
    numbers = np.array(states).T
    return numbers @ law, [np.bincount(own, weights=law) for own in (*numbers, numbers.sum(axis=0))]


def on_routings():
    """Shares under any routing, the same mix everywhere, and processors of one's own; laws of a group's number."""
    rng = np.random.default_rng(45)

    def any_routing(required, loads, speeds, rates):
        found, totals = splitting.assignment(required, loads, speeds, rates), loads.sum(axis=0)
        stable = [g for g, own in enumerate(loads) if (totals[own > 0] < 1).all()]
        return {
            "all that an assignment tells and what follows from its loads": _told(
                found, _delivered(required, loads, speeds, rates)
            ),
            "its method and error": float((found.method, found.error) != ("formula", 0)),
            "the laws of groups' numbers and jobs drawn from all jobs": max(
                (_off(splitting.group_number_law(loads, g, 9), _on_processors(loads[g], totals, 9)) for g in stable),
                default=0.0,
            ),
        }

    def same_mix(required, own, speeds, rates, most):
        P, loads = len(speeds), np.tile(own[:, None], len(speeds))
        result = {"all that HPRS with PS tells and what follows from its loads": _told(
            splitting.horizontal(required, own, speeds, "PS", rates), _delivered(required, loads, speeds, rates)
        )}  # fmt: skip
        for rule in ("PPS", "GPPS"):
            found = splitting.horizontal(required, own, speeds, rule, rates)
            jobs, laws = _one_processor(rule, required, own, np.broadcast_to(rates, len(own)), most)
            sums = [np.eye(1, P + 1)[0]] * len(laws)
            for _ in range(P):
                sums = [np.convolve(before, law)[: P + 1] for before, law in zip(sums, laws)]
            feasible = [_feasible(share, law, P) for share, law in zip(required, sums)]
            told = _as_told(required, loads, speeds, rates, feasible, own, P * jobs)
            told["capacity_loss"] = 1 - sum(p * speeds[n:].sum() for n, p in enumerate(sums[-1][:P])) - own.sum()
            result |= {
                f"all that HPRS with {rule} tells and a chain": _told(found, told) / 10,
                f"HPRS with {rule}, its method": float(found.method != "chain" or found.error > 1e-6),
            }
        return result

    def own_processors(sizes, own):
        P = sum(sizes)
        loads = np.repeat(np.diag(own * P / np.array(sizes)), sizes, axis=1)
        shares = np.array(sizes) / P
        return {"all that VPRS tells and what follows from its loads": _told(
            splitting.vertical(shares, own, P), _delivered(shares, loads, np.full(P, 1 / P), 1.0)
        )}  # fmt: skip

    mixed = [
        ([0.7, 0.3], [[0.3, 0.5, 0.1], [0.2, 0.0, 0.8]], [0.5, 0.3, 0.2], [1.0, 2.5]),
        ([0.2, 0.5, 0.3], [[0.1, 0.4, 0.0, 0.3], [0.2, 0.5, 0.0, 0.0], [0.25, 0.25, 0.0, 0.2]], [0.4, 0.3, 0.2, 0.1],
         [0.5, 2.0, 1.2]),
        ([0.35, 0.65], [[0.6, 0.8], [0.0, 0.7]], [0.7, 0.3], 2.0),
        ([0.35, 0.65], [[0.0, 0.0], [0.3, 0.7]], [0.6, 0.4], 2.0),
        ([0.5, 0.5], [[0.3, 1.4, 0.2], [0.1, 0.0, 0.0]], [0.4, 0.3, 0.3], 0.7),
        ([0.6, 0.4], [[0.2], [0.5]], [1.0], [1.0, 3.0]),
        ([0.25, 0.75], rng.uniform(0.02, 0.4, (2, 10)), np.full(10, 0.1), 1.0),
    ]  # fmt: skip
    mixes = [([0.7, 0.3], [0.12, 0.24], [0.5, 0.3, 0.2], [1.0, 2.5], 34),
             ([0.35, 0.65], [0.4, 0.05], np.full(8, 1 / 8), 1.5, 30),
             ([0.2, 0.5, 0.3], [0.08, 0.05, 0.12], [0.6, 0.4], [0.5, 2.0, 1.2], 15)]  # fmt: skip
    own = [([2, 1], [0.5, 0.2]), ([1, 2, 5], [0.35, 0.2, 0.3]), ([1, 3], [0.2, 0.0])]
    given = [tuple(np.array(x, float) if isinstance(x, list) else x for x in case) for case in (*mixed, *mixes)]
    P, shares, loads = 14_400, np.array([0.75, 0.25]), np.array([0.4, 0.05])
    many, apart = (splitting.horizontal(shares, loads, np.full(P, 1 / P)), splitting.vertical(shares, loads, P))
    jobs = np.arange(P)
    lacking = [
        [
            (np.maximum(0, 1 - jobs / (share * P)) * nbinom.pmf(jobs, count, 1 - ratio)).sum()
            for share, count, ratio in kind
        ]
        for kind in (zip(shares, (P, P), loads / (1 - loads[::-1])), zip(shares, shares * P, loads / shares))
    ]
    crowd = {
        f"deviations under {name} over thousands of processors and laws of sums": exact(
            _off(found.group_share_deviation, 1 - np.array(lack) - loads / shares)
        )
        for name, found, lack in zip(("HPRS", "VPRS"), (many, apart), lacking)
    }
    return [
        *_agree("assignment", 45, given[: len(mixed)], any_routing), *_agree("mix", 45, given[len(mixed) :], same_mix),
        *_agree("partition", 45, [(sizes, np.array(own)) for sizes, own in own], own_processors),
        *equalities(crowd, CLOSE),
    ]  # fmt: skip


def on_searches():
    """The fairest routing, found and proven: its value, and no other that is better."""
    rng = np.random.default_rng(46)

    def largest(required, loads, speeds):
        return _delivered(required, loads, speeds, 1.0)["group_share_deviation"].max()

    def rivals(required, own, speeds):
        """The least deviations: of random routings, and where each processor serves some groups by its capacity."""
        some = [np.array(served).T * speeds for served in
                itertools.product(itertools.product((0, 1), repeat=len(own)), repeat=len(speeds))]  # fmt: skip
        some = [table / table.sum(axis=1, keepdims=True) for table in some if (table.sum(axis=1) > 0).all()]
        tried = rng.dirichlet(np.full(len(speeds), 0.4), (15, len(own)))
        return [
            min(largest(required, table * own[:, None] / speeds, speeds) for table in kind) for kind in (tried, some)
        ]

    def fairest(required, own, speeds):
        found = splitting.minimise_group_share_deviation(required, own, speeds, starts=5)
        first = splitting.minimise_group_share_deviation(required, own, speeds, starts=1)
        told, others = _delivered(required, found.processor_loads, speeds, 1.0), rivals(required, own, speeds)
        return {
            "all that the fairest routing tells and what follows from its loads": _told(found, told),
            "the work that it sends and what comes": _off(found.processor_loads @ speeds, own),
            "its deviation and the least of it and of others":
                max(0.0, told["group_share_deviation"].max() - min(others) - 1e-7),
            "the descent from the best processors for each and their deviation":
                max(0.0, first.group_share_deviation.max() - others[1] - 1e-7),
            "its method and what is still to gain": float(found.method != "descent" or found.error > 1e-3),
        }  # fmt: skip

    def proven(required, own, P, gap):
        speeds = np.full(P, 1 / P)
        found = splitting.certify_group_share_deviation(required, own, P, gap=gap, starts=4)
        best = found.group_share_deviation.max()
        return {
            "all that the proven routing tells and what follows from its loads":
                _told(found, _delivered(required, found.processor_loads, speeds, 1.0)),
            "its deviation and the least of others": max(0.0, best - gap - min(rivals(required, own, speeds))),
            "what is said of the proof": float((found.method, found.error) != ("branch and bound", gap)),
            "that nothing is below what is reached, which is not proven,":
                float(certify_shares.none_below(required, own, P, best + 2e-3, most_boxes=3000)),
        }  # fmt: skip

    systems = [([0.5, 0.5], [0.3, 0.2], np.full(4, 0.25)), ([0.15, 0.85], [0.67, 0.11], [0.5, 0.5]),
               ([0.3, 0.7], [0.1, 0.5], [0.5, 0.3, 0.2]), ([0.5, 0.3, 0.2], [0.3, 0.3, 0.1], [0.6, 0.4])]  # fmt: skip
    proofs = [([0.3, 0.7], [0.15, 0.45], 2, 5e-3), ([1 / 3, 2 / 3], [0.3, 0.2], 3, 1e-2),
              ([0.15, 0.85], [0.67, 0.11], 2, 5e-3)]  # fmt: skip
    try:
        splitting.certify_group_share_deviation([0.18, 0.82], [0.227, 0.329], 2, gap=0.02, starts=1, most_boxes=2000)
        refused = False
    except NoExactAnswer:
        refused = True
    return [
        *_agree("system", 46, [tuple(map(np.array, system)) for system in systems], fairest),
        *_agree("proof", 46, [(np.array(required), np.array(own), *rest) for required, own, *rest in proofs], proven),
        fact("what a few descents miss by far is not proven", refused, "what a few descents miss by far is proven"),
    ]


def on_queues():
    """One stream over queues with sizes of any law: responses, and the fastest and the cheapest splits."""
    rng = np.random.default_rng(43)

    def parallel(total, rates, variances, costs):
        means, seconds = 1 / rates, 1 / rates**2 + variances
        fast = splitting.fastest_responses(total, rates, variances)
        few = splitting.shortest_waits(total, means, seconds)
        cheap = splitting.shortest_waits(total, means, seconds, costs)

        def wait(sent):
            return sent * seconds / (2 * (1 - sent / rates))

        def more(sent):  # the derivative of what all wait together
            free = 1 - sent / rates
            return sent * seconds / free + sent**2 * seconds / (2 * rates * free**2)

        sent = total * rates * rng.uniform(0.5, 1, len(rates)) / rates.sum()
        sent[0] *= len(rates) == 1
        responses, used = means + more(fast.arrival_rates), fast.arrival_rates > 0
        spent = [(few, more(few.arrival_rates), 1.0), (cheap, costs * more(cheap.arrival_rates), costs)]
        return {
            "the mean response time and that of Pollaczek and Khinchine":
                _off(splitting.parallel_response_time(sent, rates, variances), sent @ (means + wait(sent)) / sum(sent)),
            "the prices of responses, and what is not used,": _unmet(responses, used) / 10,
            "the least response time, its rates and multiplier": _off(
                [fast.objective, fast.arrival_rates.sum(), fast.multiplier],
                [fast.arrival_rates @ (means + wait(fast.arrival_rates)) / total, total, 2 * responses[used].max()],
            ),
            "the prices of waits": max(_unmet(prices, prices > 0) for _, prices, _ in spent) / 10,
            "the least waits, their rates and multipliers": max(_off(
                [found.objective, found.arrival_rates.sum(), found.multiplier],
                [(weight * found.arrival_rates) @ wait(found.arrival_rates) / total, total, prices.max()],
            ) for found, prices, weight in spent),
        }  # fmt: skip

    systems = [(load * rates.sum(), rates, rng.exponential(1.5, P) / rates**2 * kind, rng.uniform(0.3, 3, P))
               for load, P, kind in ((0.2, 4, 1), (0.7, 3, 1), (0.96, 2, 0), (0.5, 1, 1))
               for rates in [rng.permutation(rng.uniform(0.2, 2.5, P))]]  # fmt: skip
    return _agree("stream", 43, systems, parallel)


def _waits(jobs, means, seconds, by_priority):
    """Mean waits at a processor: for who is in service and who is served before, also those who come later."""
    loads, found = jobs * means, []
    rest = (jobs * seconds).sum() / 2
    for k in range(len(jobs)):
        before = loads[:k].sum()
        ahead = sum(load * wait for load, wait in zip(loads, found))
        found.append((rest + ahead) / (1 - before - loads[k]) if by_priority else rest / (1 - loads.sum()))
    return np.array(found)


def on_mixes():
    """Several classes and processors: costs of waiting and of responses by priority, their slopes, the least ones."""
    rng = np.random.default_rng(44)

    def spent(system, routing, by_priority):
        """The cost, of whatever kind of number the routing is."""
        total = 0
        for table, speed in zip(routing.T, system.capacities):
            jobs, means = system.arrival_rates * table, system.mean_sizes / speed
            times = _waits(jobs, means, system.second_moments / speed**2, by_priority) + by_priority * means
            total = total + (system.costs * jobs * times).sum()
        return total / system.arrival_rates.sum() if by_priority else total

    def slopes(system, routing, by_priority):
        """By steps so small in an imaginary direction that none of the digits is lost."""
        found = np.zeros(routing.shape)
        for place in np.ndindex(routing.shape):
            moved = routing.astype(complex)
            moved[place] += 1e-30j
            found[place] = spent(system, moved, by_priority).imag / 1e-30
        return found

    def costs(system, routing):
        jobs, work = system.arrival_rates[:, None] * routing, system.arrival_rates * system.mean_sizes
        brought = [jobs, work[:, None] * routing / system.capacities,
                   jobs * system.second_moments[:, None] / system.capacities**2 / 2]  # fmt: skip
        found = {
            "the load": _off(system.load, work.sum() / system.capacities.sum()),
            "jobs, loads and work that lasts": _off(system.offered(routing), brought),
        }
        tables = np.stack([routing, np.full(routing.shape, 1 / routing.shape[1])])
        for by_priority, cost in ((False, splitting.waiting_cost), (True, splitting.priority_cost)):
            value, steep = cost(system, tables)
            kind = "by priority" if by_priority else "in order"
            found |= {
                f"the cost {kind} and that of balances": _off(
                    value, [spent(system, one, by_priority) for one in tables]
                ),
                f"its slopes {kind}": _off(steep, [slopes(system, one, by_priority) for one in tables]),
            }
        times = np.column_stack([
            _waits(system.arrival_rates * table, system.mean_sizes / speed, system.second_moments / speed**2, True)
            + system.mean_sizes / speed for table, speed in zip(routing.T, system.capacities)
        ])  # fmt: skip
        crowd = splitting.Classes(
            *(3 / system.load * np.array(x) if k == 0 else x for k, x in enumerate(vars(system).values()))
        )
        none = [cost(crowd, routing) for cost in (splitting.waiting_cost, splitting.priority_cost)]
        over = (3 / system.load * system.arrival_rates * system.mean_sizes)[:, None] * routing / system.capacities
        return found | {
            "response times by priority": _off(splitting.priority_response_times(system, routing), times),
            "costs of an overload": float(not all(value == np.inf and np.isnan(steep).all() for value, steep in none)),
            "response times in an overload": float(
                (np.isinf(splitting.priority_response_times(crowd, routing)) != (over.cumsum(axis=0) >= 1)).any()
            ),
        }

    def least(one, other, by_priority):
        """Two systems at once."""
        both = splitting.Classes(*np.stack([list(vars(one).values())[:-1], list(vars(other).values())[:-1]], axis=1),
                                 np.stack([one.capacities, other.capacities]))  # fmt: skip
        cost = splitting.priority_cost if by_priority else splitting.waiting_cost
        found = splitting.minimise_cost(both, cost, starts=12)
        each = [optimum(system, by_priority, *values) for system, *values in
                zip((one, other), found.routing, found.objective, found.error)]  # fmt: skip
        return {name: max(first[name] for first in each) for name in each[0]}

    def optimum(system, by_priority, routing, objective, error):
        steep, P = slopes(system, routing, by_priority), routing.shape[1]
        tried = list(rng.dirichlet(np.full(P, 0.3), (100, len(routing))))
        tried += [np.eye(P)[list(to)] for to in np.ndindex((P,) * len(routing))]
        loads = [(system.arrival_rates * system.mean_sizes) @ one / system.capacities for one in tried]
        rivals = [spent(system, one, by_priority) for one, load in zip(tried, loads) if load.max() < 1]
        return {
            "the least cost and that of its routing": _off(objective, spent(system, routing, by_priority)),
            "its routing, and probabilities": _off(routing.sum(axis=1), np.ones(len(routing))) + max(0, -routing.min()),
            "its error and its slopes": _off(error, (routing * (steep - steep.min(axis=1, keepdims=True))).sum(), 1),
            "what may still be saved": max(0.0, error / objective - 1e-6),
            "the least cost and the least of it and of others": max(0.0, 1 - min(rivals) / objective),
        }

    def one_class(rate, mean, second, cost, speeds):
        system = splitting.Classes([rate], [mean], [second], [cost], speeds)
        alone = splitting.shortest_waits(rate, mean / speeds, second / speeds**2).objective
        found = splitting.minimise_cost(system, starts=5)
        return {"the least cost of one class and its shortest waits": _off(found.objective, cost * rate * alone)}

    def drawn(classes, processors, load):
        means, speeds = rng.uniform(0.3, 2, classes), rng.dirichlet(np.full(processors, 3.0)) * 1.7
        parts = rng.dirichlet(np.full(classes, 3.0)) * load * speeds.sum()
        seconds = means**2 * (1 + rng.exponential(1.5, classes))
        system = splitting.Classes(parts / means, means, seconds, rng.uniform(0.3, 3, classes), speeds)
        even = np.tile(speeds / speeds.sum(), (classes, 1))
        return system, even + 0.3 * (rng.dirichlet(np.ones(processors), classes) - even)

    short = splitting.Classes([0.3, 0.03, 0.1], [1, 10, 2], [2, 200, 8], [1, 1, 2], [0.5, 0.5, 0.4])
    return [
        *_agree("mix", 44, [drawn(3, 2, 0.6), drawn(2, 3, 0.4), drawn(1, 2, 0.6)], costs),
        *_agree("least cost", 44, [(short, drawn(3, 3, 0.7)[0], by_priority) for by_priority in (False, True)], least),
        *_agree("class", 44, [(0.7, 1.5, 4.0, 2.0, np.array([0.9, 0.5, 0.2]))], one_class),
    ]


def on_patterns():
    """Jobs sent by a pattern, from a chain of the place in it and of the number of jobs, cut where hardly any are."""

    def pattern(places, rate, rates):
        P, period, waits, jobs, most = len(rates), len(places), [], [], 70
        for p, served in enumerate(rates):
            here = [place == p for place in places]
            if not any(here):
                waits.append(np.nan)
                jobs.append(0.0)
                continue
            Q = np.zeros((period * (most + 1),) * 2)
            for place, number in itertools.product(range(period), range(most + 1)):
                after = min(number + here[place], most)
                Q[place * (most + 1) + number, (place + 1) % period * (most + 1) + after] += rate
                if number:
                    Q[place * (most + 1) + number, place * (most + 1) + number - 1] += served
            Q -= np.diag(Q.sum(axis=1))
            Q[:, 0] = 1.0
            law = np.linalg.solve(Q.T, np.eye(1, len(Q))[0]).reshape(period, -1)
            jobs.append(law.sum(axis=0) @ np.arange(most + 1))
            waits.append(law[here].sum(axis=0) @ np.arange(most + 1) / law[here].sum() / served)
        found = splitting.pattern_allocation(places, rate, rates)
        parts = np.bincount(places, minlength=P) / period
        return {
            "mean numbers under a pattern and a chain's": _off(found.mean_jobs, jobs),
            "mean waits and a chain's": _off(found.mean_waiting_time, waits),
            "the wait of all": _off(found.overall_waiting_time, np.nansum(parts * waits)),
        }

    return _agree("pattern", 26, [([0, 1, 0, 0, 2], 1.0, [0.9, 0.5, 0.4, 1.0]), ([1, 1, 0], 1.2, [1.0, 1.3]),
                                  ([0], 0.5, [1.0])], pattern)  # fmt: skip
