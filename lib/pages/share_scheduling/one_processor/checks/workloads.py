"""Claims of `thesis`, Section 3.2.1, second paragraph: what a group gains under FCFS by what it brings."""

import functools
import math
from typing import NamedTuple

import numpy as np
from scipy import linalg

from clustershare import uniprocessor
from clustershare.estimates import from_replications
from clustershare.sizes import Deterministic, Hyperexponential
from compendium.press.findings import check, finding, over_domain
from pages.share_scheduling.one_processor.simulated import widened

RUN = {"jumps": 40_000, "warmup": 5000, "replications": 20}
PATHS = 20


class Brought(NamedTuple):
    """What two or three groups bring."""

    shares: tuple
    loads: np.ndarray
    rates: np.ndarray
    permanent: np.ndarray

    def more(self, what):
        """The first group brings a tenth more jobs, jobs that are a tenth longer, or one permanent job more."""
        loads, rates, permanent = self.loads.copy(), self.rates.copy(), self.permanent.copy()
        if what == "permanent":
            permanent[0] += 1
        else:
            loads[0] *= 1.1
            rates[0] /= 1.1 if what == "longer" else 1
        return Brought(self.shares, loads, rates, permanent)

    def obtained(self, answer, **setting):
        """The first group's share, and how far it may be off."""
        arrivals = tuple((self.loads * self.rates).tolist())
        found = answer(self.shares, arrivals, tuple(self.rates.tolist()), tuple(self.permanent.tolist()), **setting)
        found = getattr(found, "performance", found)  # that of a line
        share = found.obtained_share
        if isinstance(share, np.ndarray):
            return float(share[0]), found.error
        return float(share.value[0]), float(share.half_width[0])


def _random(lasting, low, high, rng, equal):
    groups = len(lasting)
    loads = rng.uniform(low, high) * (0.5 / groups + 0.5 * rng.dirichlet(np.ones(groups)))
    rates = np.ones(groups) if equal else rng.uniform(0.4, 2, groups)
    return Brought((0.5, 0.3, 0.2) if groups == 3 else (0.6, 0.4), loads, rates, np.array(lasting))


LIGHT = ((0, 0), (0, 1), (1, 1), (2, 1), (1, 0), (0, 2), (0, 0, 0), (0, 0, 1))
HEAVY = ((0, 0), (0, 2), (1, 1), (1, 2), (0, 0, 0), (1, 2, 0), (2, 1, 1), (2, 0))


SHORT = {"jumps": 10_000, "warmup": 2000, "replications": 20}
PLAIN = ("exponential", "exponential")


@check("thesis-3-119", policy="GPPS")
def more_is_obtained(policy="FCFS"):
    """More jobs, longer jobs or one permanent job more; where the group alone has permanent jobs it stands apart."""
    rng = np.random.default_rng(56)
    rises, cases, apart, moved = 0, 0, 0, 0
    systems = [(_random(lasting, 0.045, 0.06, rng, n % 2), False) for n, lasting in enumerate(LIGHT)]
    systems += [(_random(lasting, 0.5, 0.85, rng, n % 2), True) for n, lasting in enumerate(HEAVY)]
    if policy != "FCFS":
        # GPPS has no line, and what it can serve beside permanent jobs is less.
        systems = [(_random((1, 1), 0.3, 0.5, rng, True), True) for _ in range(4)]
    for system, heavy in systems:
        if heavy:
            answer, setting, factor = functools.partial(uniprocessor.simulate, policy), RUN, widened(48)
        else:
            most = 5 if len(system.loads) == 2 and system.permanent.sum() < 2 else 4
            answer, setting, factor = functools.partial(uniprocessor.whole_line, policy), {"most_jobs": most}, 1
        value, half = system.obtained(answer, **setting)
        alone = system.permanent[0] > 0 and not system.permanent[1:].any()
        for number, what in enumerate(("jobs", "longer", "permanent"), 1):
            after, after_half = system.more(what).obtained(answer, **setting, **({"seed": number} if heavy else {}))
            error = 1e-9 + factor * (math.hypot(half, after_half) if heavy else half + after_half)
            if alone:
                apart += 1
                moved += abs(after - value) > error
            else:
                cases += 1
                rises += after - value > error
    stops = (
        f"; with permanent jobs of the group alone it does not change in {apart - moved} of {apart}" if apart else ""
    )
    return finding(f"the share rises in {rises} of {cases} cases{stops}", rises == cases and moved == 0)


# Of squared coefficients of variation 0, 1 and 5; the last has balanced means.
PART = 0.5 - math.sqrt(1 / 6)
SIZES = {
    "deterministic": Deterministic(1.0),
    "exponential": None,
    "hyperexponential": Hyperexponential((0.5 / PART, 0.5 / (1 - PART)), (PART, 1 - PART)),
}


def _drawn(law, count, *seed):
    """Numbers of mean 1; under each law from the same exponentials."""
    if law == "deterministic":
        return np.ones(count)
    found = np.random.default_rng([*seed, 57]).standard_exponential(count)
    if law == "hyperexponential":
        found *= np.where(np.random.default_rng([*seed, 58]).random(count) < PART, 0.5 / PART, 0.5 / (1 - PART))
    return found


@functools.cache
def _deviation(loads, law, between, jobs, seed):
    """Deviations of both groups, whose required shares are equal, on a path of FCFS; the laws are those of group 1."""
    arrivals, sizes, group = [], [], []
    for g in range(2):
        count = round(jobs * loads[g] / sum(loads))
        gaps, works = (
            _drawn(name if g == 0 else "exponential", count, seed, g, k) for k, name in ((0, between), (1, law))
        )
        arrivals.append(np.cumsum(gaps) / loads[g])
        sizes.append(works)
        group.append(np.full(count, g))
    end = min(times[-1] for times in arrivals)
    arrivals, sizes, group = (np.concatenate(pair) for pair in (arrivals, sizes, group))
    order = np.argsort(arrivals, kind="stable")  # two sorted parts are merged
    order = order[: np.searchsorted(arrivals[order], end, side="right")]
    arrivals, sizes, group = arrivals[order], sizes[order], group[order]
    work = np.cumsum(sizes)
    departures = work + np.maximum.accumulate(arrivals - work + sizes)  # Lindley's recursion, unrolled
    result = np.zeros(2)
    for g in range(2):
        mine = group == g
        begins = np.maximum(arrivals[mine], np.append(0.0, departures[mine][:-1]))
        present = np.maximum(departures[mine] - begins, 0).sum()
        result[g] = (present - sizes[mine].sum() / 0.5) / end
    return result


def with_bursts(loads):
    """Both deviations under FCFS, exactly, where group 1 arrives with hyperexponential gaps; required shares of 1/2.

    The age of the job in service, since its arrival, has a density of matrix-exponential form: ages grow, and at the
    end of a service the next job is younger by the gap between the two. A group is absent if the job in service is of
    the other and none of the group came during its age.
    """
    rates = loads[0] * np.array([PART, 1 - PART]) / 0.5
    first, second = np.outer(rates, [PART, 1 - PART]), loads[1] * np.eye(2)
    silent, one = -np.diag(rates + loads[1]), np.ones(2)
    growth = -np.eye(2)
    for _ in range(2000):
        younger = linalg.solve_sylvester(growth, silent, -np.eye(2))
        before, growth = growth, -np.eye(2) + younger @ (first + second)
        if np.abs(growth - before).max() < 1e-14:
            break
    # The phase of the arrivals while nobody is there, up to a factor.
    value, vector = np.linalg.eig((-(first + second) @ younger @ np.linalg.inv(silent)).T)
    idle = vector[:, np.abs(value - 1).argmin()].real
    begin = idle @ (first + second)
    whole = idle.sum() - begin @ np.linalg.solve(growth, one)
    idle, begin = idle / whole, begin / whole
    without_second = np.linalg.solve((loads[1] * np.eye(2) - growth).T, begin) @ younger @ first
    without_second = (idle @ first + without_second) / (1 + loads[1])
    quiet = silent + second
    without_first = begin @ linalg.solve_sylvester(growth, quiet, -younger @ second) + idle @ second
    without_first = np.linalg.solve((np.eye(2) - quiet).T, without_first)
    absent = idle.sum() + np.array([without_first.sum(), without_second.sum()])
    return 1 - absent - np.array(loads) / 0.5


CHANGES = (
    ("deterministic", "exponential"), ("hyperexponential", "exponential"),
    ("exponential", "deterministic"), ("exponential", "hyperexponential"),
)  # fmt: skip


@functools.cache
def _changes(loads, law, between):
    """Paired differences of the deviations from those under exponential laws, and how far they may be off."""
    jobs = 24_000 if loads[0] < 0.1 and sum(loads) > 0.5 else 10_000
    if loads[0] < 0.05:  # a law matters least here
        jobs = 230_000 if law == "exponential" else 40_000
    pairs = [[_deviation(loads, *laws, jobs, seed) for laws in ((law, between), PLAIN)] for seed in range(PATHS)]
    found = from_replications([np.subtract(*pair) for pair in pairs])
    return found.value, found.half_width


def _changes_if_shared(loads, law):
    """The same for PS and a law of sizes, by independent simulations."""
    runs = [
        uniprocessor.simulate("PS", (0.5, 0.5), loads, sizes=(SIZES[name], None), **SHORT).group_share_deviation
        for name in (law, "exponential")
    ]
    return runs[0].value - runs[1].value, np.hypot(runs[0].half_width, runs[1].half_width)


@check("thesis-3-120", policy="PS")
def sensitive_to_the_laws(policy="FCFS"):
    """Each change of a law changes some deviation, beyond intervals that hold jointly; under PS sizes do not matter."""
    seen, sizes, unseen, apart = [], [], [], 0
    changes = CHANGES if policy == "FCFS" else CHANGES[:2]
    for load in (0.3, 0.6, 0.9):
        for part in (0.1, 0.3, 0.5):
            loads = (load * part, load * (1 - part))
            exact = uniprocessor.exact("FCFS", (0.5, 0.5), loads).group_share_deviation
            for law, between in changes:
                bursts = between == "hyperexponential"
                if bursts:
                    found = with_bursts(loads) - exact, 1e-9  # too little for a path at light loads
                else:
                    found = _changes(loads, law, between) if policy == "FCFS" else _changes_if_shared(loads, law)
                gaps, bounds = np.abs(found[0]), widened(18 * len(changes), PATHS) * found[1]
                if bursts and load == 0.6:
                    value, half = _changes(loads, law, between)
                    apart += int((np.abs(value - found[0]) > widened(6, PATHS) * half).sum())
                seen.append(bool((gaps > bounds).any()))
                (sizes if seen[-1] else unseen).append(float(gaps.max() if seen[-1] else (gaps + bounds).max()))
    said = f"by {min(sizes):.4f} to {max(sizes):.2f}" if sizes else "in no case"
    rest = f"; the others are below {math.ceil(100 * max(unseen)) / 100:g}" if unseen else ""
    return over_domain(
        f"{sum(seen)} of {len(seen)} changes of a law are seen, {said}{rest}", seen if not apart else [False]
    )
