"""Claims of `thesis`, Section 3.3.1: an example, and what becomes of group 2 under PQ as the load rises to 1."""

import itertools

import numpy as np

from clustershare import uniprocessor
from compendium.press.findings import check, erratum, finding, over_domain
from pages.share_scheduling.one_processor.printed import deviation_2
from pages.share_scheduling.one_processor.simulated import outside
from pages.share_scheduling.one_processor.witnesses.chains import two_numbers
from pages.share_scheduling.one_processor.witnesses.priority_points import BOUND, answer

# How a load that vanishes may do so, as the rest 1 - rho does.
VANISHING = {"sqrt(1 - rho)": np.sqrt, "1 - rho": lambda rest: rest, "(1 - rho)^2": np.square}


def of_group_2(r, rho_1, rho_2, alpha, **wrong):
    """The library's deviation of group 2, by its definition."""
    result = answer((r, rho_1, rho_2, alpha), **wrong)
    return result.probability_present[1] - result.obtained_share[1] / (1 - r)


@check("thesis-3-051", policy="HOL")
def example(policy="PQ"):
    """The example by the library, the printed formula, the chain and simulations; and FCFS at random systems."""
    system = dict(required_shares=(0.6, 0.4), arrival_rates=(0.5, 0.1))
    value, formula = uniprocessor.exact(policy, **system).group_share_deviation[1], deviation_2(0.5, 0.1, 0.6, 1.0)
    chain = two_numbers(0.5, 0.1, 1.0).deviations(0.6)[1]
    missed = outside(policy, [system], [[np.nan, formula]])
    rng, first_come = np.random.default_rng(51), []
    for r, part in rng.uniform((0.501, 0.02), (0.99, 1), (200, 2)):
        loads = r * part, rng.uniform(0.02, 0.98) * (1 - r * part)
        first_come.append(uniprocessor.exact("FCFS", (r, 1 - r), loads).group_share_deviation[1])
    same = max(abs(value - formula), abs(value - chain)) < BOUND
    return finding(
        f"{value:.4f}, {'as' if same else 'not as'} by formula and chain; simulated "
        f"{'around it' if missed == 0 else 'elsewhere'}; under FCFS "
        f"{'never above 0' if max(first_come) < 1e-12 else 'above 0'}",
        same and abs(value - 0.053) < 5e-4 and missed == 0 and max(first_come) < 1e-12,
    )


@check("thesis-3-052", first=1)
def limit_of_group_2(first=0):
    """The library's deviation of group 2 as the load rises to 1 on many paths, at loads of 1 - 10^-k."""
    rng, rests = np.random.default_rng(52), 10.0 ** -np.arange(1, 10)

    def approaches(r, alpha, bar, loads):
        """Whether it tends to the stated limit when group 2 has these loads, and its last value."""
        values = [of_group_2(r, 1 - rest - rho_2, rho_2, alpha, first=first) for rest, rho_2 in zip(rests, loads)]
        gaps = np.abs(np.array(values) - (1 - bar / (1 - r)))
        allowed = 1e-4 * (1 if bar else 1 / (1 - r) + alpha**-0.5)
        return gaps[-1] < allowed and (np.diff(gaps[2:]) < 0).all(), values[-1]

    def drawn(count):
        return zip(rng.uniform(0.501, 0.99, count), 20 ** rng.uniform(-1, 1, count))

    bars = np.append(1000 ** -rng.random(39), 1.0)
    holds = [all([approaches(r, alpha, bar, bar * (1 - rests))[0] for (r, alpha), bar in zip(drawn(40), bars)])]
    stops, as_derived = [], 0.0
    for name, path in VANISHING.items():
        systems = list(drawn(12))
        found = [approaches(r, alpha, 0.0, path(rests)) for r, alpha in systems]
        holds.append(all(good for good, _ in found))
        if not holds[-1]:
            root = np.sqrt([1 + 4 * alpha for _, alpha in systems])
            as_derived = max(as_derived, np.abs([value for _, value in found] - (root - 1) / (root + 1)).max())
            stops.append(name)
    _, rho_1, rho_2, alpha = 0.6, 0.55, 0.4, 2.0
    system = dict(required_shares=(0.6, 0.4), arrival_rates=(rho_1, rho_2 * alpha), service_rates=(1.0, alpha))
    missed = outside("PQ", [system], [[np.nan, deviation_2(rho_1, rho_2, 0.6, alpha)]])
    holds[0] &= missed == 0
    limits = "where it tends to (w - 1)/(w + 1), w the root of 1 + 4 alpha" if as_derived < 1e-4 else "but elsewhere"
    return over_domain(
        f"{'holds' if holds[0] else 'fails'} for rhobar_2 from 0.001 to 1; for rhobar_2 = 0 it fails if rho_2 is "
        f"{', '.join(stops)}, {limits}",
        holds,
    )


@check("thesis-3-053", permanent=1)
def which_limit(permanent=0):
    """The limits as rho_1 rises to some point, and as rho rises to 1."""
    rng = np.random.default_rng(53)
    near, far = [], []
    for r, rho_2, alpha, part in [
        (0.6, 0.2, 1.0, 0.625),
        *rng.uniform((0.501, 0.01, 0.05, 0.05), (0.99, 0.9, 20, 0.95), (99, 4)),
    ]:
        stated = -(rho_2 - (1 - r)) / (1 - r)
        for gaps, rho_1 in ((far, part * (1 - rho_2) - 1e-9), (near, 1 - rho_2 - 1e-9)):
            gaps.append(abs(of_group_2(r, rho_1, rho_2, alpha, permanent=permanent) - stated))
    return erratum(
        f"off the stated value by {min(far):.3f} or more as rho_1 rises to another point, "
        f"{'by less than 1e-4' if max(near) < 1e-4 else 'by more than 1e-4'} as rho rises to 1; the copy may "
        "have lost the 1",
        max(far) < 1e-4, max(near) < 1e-4 < min(far),
    )  # fmt: skip


@check("thesis-3-131", policy="HOL", exchanged=True)
def who_falls_short(policy="PQ", exchanged=False):
    """The signs of the limits under PQ and under FCFS, inside and at both ends."""
    rng, rests, priority, first_come = np.random.default_rng(131), 10.0 ** -np.array([3, 6, 9]), [], []

    def nobody(name, r, one, other, alpha=1.0, exchanged=False):
        """Whether no group falls short in the limit of these loads of the groups."""
        order, values = (1 - r, r) if exchanged else (r, 1 - r), []
        for rho_1, rho_2 in zip(one, other):
            result = uniprocessor.exact(name, order, (rho_1, rho_2 * alpha), (1.0, alpha))
            values.append(result.probability_present - result.obtained_share / np.array([r, 1 - r]))
        size = np.abs(values)
        vanishes = (size[1] <= 0.1 * size[0]) & (size[2] <= 0.1 * size[1])
        return bool(np.all(vanishes | (values[2] < 0)))

    for number, (r, bar) in enumerate(rng.uniform((0.501, 0.01), (0.99, 0.99), (100, 2))):
        bar = 1 - r if number % 10 == 0 else bar
        loads, alpha = ((1 - bar) * (1 - rests), bar * (1 - rests)), 20 ** rng.uniform(-1, 1)
        priority.append(nobody(policy, r, *loads, alpha, exchanged) == (bar >= 1 - r))
        first_come.append(nobody("FCFS", r, *loads) == (bar == 1 - r))
    paths = {"is 0": np.zeros_like, **{f"is {name}": path for name, path in VANISHING.items()}}
    ends, stops = {1: True, 2: True}, {"PQ": [], "FCFS": []}
    for vanishing, (name, path), r in itertools.product((1, 2), paths.items(), (0.55, 0.9)):
        loads = (path(rests), 1 - rests - path(rests))[:: 1 if vanishing == 1 else -1]
        wrong = {
            "PQ": nobody(policy, r, *loads, 2.0, exchanged) != (vanishing == 1),
            "FCFS": nobody("FCFS", r, *loads),
        }
        ends[vanishing] &= not any(wrong.values())
        for which, said in stops.items():
            if wrong[which] and f"rho_{vanishing} {name}" not in said:
                said.append(f"rho_{vanishing} {name}")
    systems = [dict(required_shares=(0.6, 0.4), arrival_rates=(0.95 - y, y)) for y in (0.2, 0.6)]
    missed = 0
    for name in ("PQ", "FCFS"):
        expected = [uniprocessor.exact(name, **system).group_share_deviation for system in systems]
        missed += outside(policy if name == "PQ" else name, systems, [[value] for value in expected])
    return over_domain(
        f"PQ as stated at {sum(priority)} of 100 rhobar_2 and FCFS at {sum(first_come)}; not at the ends: PQ where "
        f"{' or '.join(stops['PQ'])}, FCFS where {' or '.join(stops['FCFS'])}",
        [all(priority) and all(first_come) and missed == 0, ends[1], ends[2]],
    )
