"""Claims of `thesis`, Section 3.3.1: how strongly PQ favours group 1, its busy periods, and the ratio of the rates."""

import numpy as np
from scipy import sparse
from scipy.sparse import linalg

from clustershare import uniprocessor
from compendium.press.findings import check, finding, over_domain
from pages.share_scheduling.one_processor.simulated import outside, widened
from pages.share_scheduling.one_processor.witnesses.chains import two_numbers
from pages.share_scheduling.one_processor.witnesses.paths import intervals
from pages.share_scheduling.one_processor.witnesses.priority_points import BOUND, answer


def first_passage(rho, mu, waits=0.0, other=1.0, length=2000):
    """Mean time from a job of group 1 to none in the chain of its number, by linear equations.

    With a probability `waits` it finds a job of group 2 in service, at a rate `other`, and waits for its end.
    """
    up, down = np.full(length, rho * mu), np.full(length, mu)
    up[-1] = 0
    equations = sparse.diags_array([-down[1:], up + down, -up[:-1]], offsets=[-1, 0, 1], format="csc")
    served = linalg.spsolve(equations, np.ones(length))
    if not waits:
        return float(served[0])
    equations = sparse.diags_array([up + other, -up[:-1]], offsets=[0, 1], format="csc")
    delayed = linalg.spsolve(equations, 1 + other * served)
    return float(waits * delayed[0] + (1 - waits) * served[0])


def busy_periods(policy, loads, services, seed, events, most=None):
    """The lengths of the times in which there are jobs of group 1, along a path."""
    lengths, begun = [], None
    rates = np.multiply(loads, services).tolist()
    for interval in intervals(policy, (0.6, 0.4), rates, services, events=events, seed=seed):
        there = any(job.group == 0 for job in interval.jobs)
        if there and begun is None:
            begun = interval.start
        elif not there and begun is not None:
            lengths.append(interval.start - begun)
            begun = None
            if len(lengths) == most:
                break
    return np.array(lengths)


@check("thesis-3-050", policy="HOL")
def busy_period(policy="PQ"):
    """Mean busy period of group 1: first passage in the chain, and along paths in 20 batches of periods."""
    rng, gap, missed, least = np.random.default_rng(50), 0.0, 0, 10_000
    width = widened(16) * 2.093 / 20**0.5  # half of a 95 % interval of 20 batches is 2.093 standard errors
    for seed in range(16):
        mu_1, rho_1, alpha = rng.uniform(0.2, 5), rng.uniform(0.02, 0.95), 5 ** rng.uniform(-1, 1)
        rho_2 = rng.uniform(0.02, 0.95) * (1 - rho_1)
        stated, waits = 1 / mu_1 / (1 - rho_1), 0.0
        if policy == "HOL":
            alone = 1 - answer((0.6, rho_1, rho_2, alpha), policy=policy).probability_present[0]
            waits = 1 - (1 - rho_1 - rho_2) / alone
        gap = max(gap, abs(first_passage(rho_1, mu_1, waits, alpha * mu_1) / stated - 1))
        lengths = busy_periods(policy, (rho_1, rho_2), (mu_1, alpha * mu_1), seed, events=15_000, most=400)
        least = min(least, len(lengths))
        batches = lengths[: len(lengths) // 20 * 20].reshape(20, -1).mean(axis=1)
        missed += abs(batches.mean() - stated) > width * batches.std(ddof=1)
    return finding(
        f"chain {'equal' if gap < 1e-8 else f'off by up to {gap:.0%}'}; {missed} of 16 simulated intervals miss it",
        gap < 1e-8 and missed == 0 and least >= 40,
    )


@check("thesis-3-129", policy="HOL")
def what_alpha_changes(policy="PQ"):
    """Obtained shares and presence in the chain as alpha rises at fixed loads; the control asks the library of HOL."""
    rng, ratios, same, rising, library = np.random.default_rng(129), np.geomspace(0.05, 20, 11), 0.0, True, 0.0
    for _ in range(12):
        rho, part, r = rng.uniform(0.05, 0.9), rng.uniform(0.05, 0.95), rng.uniform(0.501, 0.99)
        rho_1, rho_2 = rho * part, rho * (1 - part)
        found = []
        for alpha in ratios:
            exact = answer((r, rho_1, rho_2, alpha), policy=policy)
            one = two_numbers(rho_1, rho_2, alpha) if policy == "PQ" else None
            present, obtained = (
                (one.present, one.obtained) if one else (exact.probability_present, exact.obtained_share)
            )
            library = max(library, np.abs(exact.probability_present - present).max())
            found.append((*present, *obtained))
        first, second, *obtained = np.transpose(found)
        same = max(same, np.abs(np.subtract([first, *obtained], [[rho_1], [rho_1], [rho_2]])).max())
        rising &= bool((np.diff(second) > 0).all())
    loads, systems = (0.4, 0.3), []
    for alpha in (0.2, 5.0):
        rates = loads[0], loads[1] * alpha
        systems.append(dict(required_shares=(0.6, 0.4), arrival_rates=rates, service_rates=(1.0, alpha)))
    quantities = "probability_present", "obtained_share"
    expected = [
        [[loads[0], two_numbers(*loads, alpha).present[1]], loads] for alpha in (0.2, 5.0)
    ]  # the presence of group 2 differs
    missed = outside(policy, systems, expected, quantities)
    return finding(
        f"P[N1 > 0] and obtained shares {'the same' if same < 1e-8 else f'change by up to {same:.2f}'}, "
        f"P[N2 > 0] {'rises' if rising else 'does not rise'} at each step; {missed} of 8 simulated intervals miss it",
        same < 1e-8 and rising and missed == 0 and library < BOUND,
    )


@check("thesis-3-130", ratio=0.1)
def why_it_gets_worse(ratio=10.0):
    """Mean busy periods of group 1 as alpha changes at fixed loads in three ways, and the deviation meanwhile."""
    ways = {"mu_1 lowered": (1 / ratio, 1.0), "mu_2 raised": (1.0, ratio), "both": (ratio**-0.5, ratio**0.5)}
    holds, same, said = [], 0.0, []
    for rho_1, rho_2 in ((0.3, 0.3), (0.6, 0.2), (0.2, 0.7)):
        before, values = first_passage(rho_1, 1.0), []
        for name, (mu_1, mu_2) in ways.items():
            after = first_passage(rho_1, mu_1)
            gaps = busy_periods("PQ", (rho_1, rho_2), (mu_1, mu_2), seed=3, events=4000)
            simulated = bool(abs(np.mean(gaps) - after) < 4 * np.std(gaps, ddof=1) / len(gaps) ** 0.5)
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


@check("thesis-3-132", policy="FCFS")
def strongest_favour(policy="PQ"):
    """Presence and deviations of both groups under a policy against all others."""
    rng, holds, least = np.random.default_rng(132), True, True
    sign = np.array([1, -1])  # group 1 least, group 2 most
    checked = 0
    for number in range(100):
        few = number < 12
        r, rho, x = rng.uniform(0.501, 0.99), rng.uniform(0.02, 0.8 if few else 0.9), rng.uniform(0.02, 0.98)
        system = (r, 1 - r), (rho * x, rho * (1 - x))
        of_it = uniprocessor.exact(policy, *system)
        ours = np.array([of_it.probability_present, of_it.group_share_deviation])
        least &= abs(ours[0, 0] - rho * x) < 1e-9
        for name in uniprocessor.POLICIES:
            slow = name in ("PPS", "GPPS", "UD")
            if name == policy or (slow and not few):
                continue
            if name == "UD":
                result = uniprocessor.simulate(name, *system, jumps=20_000, warmup=2000, replications=20, seed=number)
                estimates = result.probability_present, result.group_share_deviation
                theirs = np.array([estimate.value for estimate in estimates])
                doubt = np.array([estimate.half_width for estimate in estimates]) * widened(48)
            else:
                result = uniprocessor.exact(name, *system, tolerance=1e-6 if slow else None)
                theirs, doubt = np.array([result.probability_present, result.group_share_deviation]), result.error
            holds &= bool(((theirs - ours) * sign >= -doubt - 1e-12).all())
            checked += 1
    return finding(
        f"{'never' if holds else 'not always'} beaten in {checked} comparisons; P[N1 > 0] "
        f"{'is the load of group 1' if least else 'is more than the load of group 1'}",
        holds and least,
    )
