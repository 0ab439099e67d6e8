"""Claims of `thesis`, Sections 3.5.2, 3.6, Figures 3.12, 3.13, 3.14, 3.15: two groups beside permanent jobs."""

import functools

import numpy as np

from clustershare import uniprocessor
from clustershare.arguments import UnstableError
from compendium import study
from compendium.press.claims import check, equality, finding, over_domain
from compendium.press.words import allows
from pages.share_scheduling.one_processor.deviations import larger_of_two_groups, simulated_of_two_groups
from pages.share_scheduling.one_processor.simulated import refused
from pages.share_scheduling.one_processor.systems import SHARES, SPLITS, beside_permanent_jobs

LIMIT = 1e-9


@functools.cache
def exact(policy, share, permanent):
    """The exact answer beside permanent jobs of both groups."""
    return uniprocessor.exact(policy, **beside_permanent_jobs(policy, share, permanent), tolerance=1e-8)


@functools.cache
def simulated(policy, permanent, quantity="group_share_deviation"):
    """Simulated deviations and half widths over `SHARES`, shape (shares, groups)."""
    rows = study.run(
        "uniprocessor",
        uniprocessor.simulate,
        study.grid(policy=[policy], share=SHARES, permanent=[permanent]),
        lambda policy, share, permanent: {"policy": policy, **beside_permanent_jobs(policy, share, permanent)},
        fidelity="paper",
    )
    rows = rows[rows["quantity"] == quantity]
    return tuple(rows[column].to_numpy().reshape(-1, 2) for column in ("estimate", "half_width"))


def over_shares(policy, permanent, quantity="group_share_deviation"):
    """The larger exact deviation at each of `SHARES`; what is not known is not the larger one."""
    return np.array([np.nanmax(getattr(exact(policy, r, permanent), quantity)) for r in SHARES])


def mass_at_the_end(load, share, permanent, length=4000):
    """The probability that a queue of its own processor, beside permanent jobs, is at the end of its room."""
    jobs = np.arange(1, length + 1)
    logs = np.append(0, np.cumsum(np.log(load / (share * jobs / (jobs + permanent)))))
    law = np.exp(logs - logs.max())
    return law[-1] / law.sum()


@check("thesis-3-101", factor=0.8)
def stable_or_not(factor=1.0):
    """What is refused as unstable under GPPS, against a birth-and-death chain of the group's own processor."""
    wrong = 0
    for r in np.linspace(0.1, 0.9, 9):
        for load in np.linspace(0.05, 0.95, 10) * r / 0.7:
            if load > 0.8:
                continue
            try:
                uniprocessor.model.Workload("GPPS", (r, 1 - r), (factor * load, 0.01), 1.0, 1)
                stable = True
            except UnstableError:
                stable = False
            wrong += stable != (mass_at_the_end(load, r, 1) < 1e-6)
    return finding(f"{wrong} loads against it", wrong == 0)


@check("thesis-3-102", policy="HOL")
def preemption_starves(policy="PQ"):
    """One permanent job of each group: exact and simulated (`thesis`, Figure 3.12)."""
    found, (value, _) = over_shares(policy, 1), simulated(policy, 1)
    gap = max(np.abs(found - 1).max(), np.abs(value[:, 1] - 1).max())
    return finding(f"{found.min():.4f} to {found.max():.4f}", gap < LIMIT)


@check("thesis-3-103", policy="PPS")
def exactly_met(policy="GPPS"):
    """One permanent job of each group (`thesis`, Figure 3.12)."""
    found, (value, _) = over_shares(policy, 1), simulated(policy, 1)
    gap = max(np.abs(found).max(), np.abs(value).max())
    return finding("0 at all shares" if gap < 1e-7 else f"{found.min():.4f} to {found.max():.4f}", gap < 1e-7)


@check("thesis-3-104", policy="PPS")
def first_come_curve(policy="FCFS"):
    """1 - 0.5 / r_1, exact and simulated (`thesis`, Figure 3.12)."""
    gap = errors = 0.0
    for permanent in (1, 2):
        expected = 1 - 0.5 / np.array(SHARES)
        value, half_width = simulated(policy, permanent)
        gap = max(gap, np.abs(over_shares(policy, permanent) - expected).max())
        errors = max(errors, (np.abs(value.max(axis=1) - expected) / half_width[:, 0]).max())
    return finding(
        f"equal within 1e-9; simulated within {errors:.2f} half widths" if gap < 1e-9 else f"off by {gap:.3f}",
        gap < 1e-9 and errors < 2,
    )


@check("thesis-3-105", policy="GPPS")
def weighted_curve(policy="PPS"):
    """0.5 - 0.25 / r_1, by the chain and simulated (`thesis`, Figure 3.12)."""
    gap = 0.0
    for permanent in (1, 2):
        expected = 0.5 - 0.25 / np.array(SHARES)
        value, half_width = simulated(policy, permanent)
        gap = max(gap, np.abs(over_shares(policy, permanent) - expected).max())
        gap = max(gap, (np.abs(value.max(axis=1) - expected) - 2 * half_width[:, 0]).max())
    return equality(gap, 1e-4)


@check("thesis-3-107", low=0.6)
def up_down_turns(low=0.72):
    """UD as HOL beyond the share that HOL gives group 1, and no deviation below (`thesis`, Figure 3.12)."""
    value, half_width = simulated("UD", 1)
    hol, shares = np.array([exact("HOL", r, 1).group_share_deviation for r in SHARES]), np.array(SHARES)
    gap, below = np.abs(value - hol).max(axis=1), np.abs(value).max(axis=1)
    allowed = np.maximum(1e-3, half_width.max(axis=1))
    turn = exact("HOL", 0.7, 1).obtained_share[0]
    return finding(
        f"beyond {low:g} at most {gap[shares > low].max():.4f} from HOL; "
        f"below 0.71 at most {below[shares < 0.71].max():.4f}; HOL gives {turn:.4f}",
        (gap <= allowed)[shares > low].all() and (below <= allowed)[shares < 0.71].all(),
    )


@check("thesis-3-108", policies=("FCFS", "GPPS"))
def none_is_good(policies=("FCFS", "HOL", "UD", "PQ", "PS", "PPS")):
    """The largest deviation over the shares of group 1 (`thesis`, Figure 3.12)."""
    worst = {}
    for policy in policies:
        values = simulated("UD", 1)[0].max(axis=1) if policy == "UD" else over_shares(policy, 1)
        worst[policy] = values.max()
    said = ", ".join(f"{policy} {value:.3f}" for policy, value in worst.items())
    return finding(f"largest: {said}", min(worst.values()) > 0.01)


@check("thesis-3-109", policy="PQ")
def head_of_line_better(policy="HOL"):
    """HOL against PQ, which gives 1 (`thesis`, Figure 3.12)."""
    found = over_shares(policy, 1)
    return finding(f"at most {found.max():.4f}, and 1 under PQ", found.max() < 0.5)


@check("thesis-3-111", permanent=1)
def both_starve(permanent=2):
    """Two permanent jobs of each group: exact and simulated (`thesis`, Figure 3.14)."""
    found = [over_shares(policy, permanent) for policy in ("HOL", "PQ")]
    value = [simulated(policy, permanent)[0][:, 1] for policy in ("HOL", "PQ")]
    gap = max(np.abs(np.subtract(found, 1)).max(), np.abs(np.subtract(value, 1)).max())
    return finding("1 at all shares" if gap < LIMIT else f"off by up to {gap:.3f}", gap < LIMIT)


@check("thesis-3-112", permanent=1)
def both_exact(permanent=2):
    """UD simulated, GPPS exact (`thesis`, Figure 3.14)."""
    up_down, gpps = np.abs(simulated("UD", permanent)[0]).max(), np.abs(over_shares("GPPS", permanent)).max()
    return finding(f"UD within {up_down:.6f}; GPPS 0 within 1e-7", up_down < 1e-4 and gpps < 1e-7)


@check("thesis-3-113", permanent=1)
def job_shares(permanent=2):
    """HOL, PQ and FCFS: exact, and simulated within two half widths (`thesis`, Figure 3.15)."""
    gap = errors = 0.0
    for policy, expected in (("HOL", 1.0), ("PQ", 1.0), ("FCFS", 0.5)):
        gap = max(gap, np.abs(over_shares(policy, permanent, "job_share_deviation") - expected).max())
        value, half_width = simulated(policy, permanent, "job_share_deviation")
        errors = max(errors, (np.abs(value[:, 0] - expected) - 2 * half_width[:, 0]).max())
    return finding(
        "1, 1 and 0.5 at all shares" if max(gap, errors) < 1e-9 else f"off by up to {gap:.3f}", max(gap, errors) < 1e-9
    )


@check("thesis-3-114", permanent=1)
def between_them(permanent=2):
    """UD: between FCFS and HOL, and equal to the required share of group 1 (`thesis`, Figure 3.15)."""
    value, half_width = simulated("UD", permanent, "job_share_deviation")
    largest = value.max(axis=1)
    gap = np.abs(largest - SHARES).max()
    return finding(
        f"from {largest.min():.4f} to {largest.max():.4f}; equal to r_1 within {gap:.6f}",
        bool((largest >= 0.5 - 1e-4).all() and (largest <= 1).all() and gap < 1e-4),
    )


@check("thesis-3-115", only="PQ")
def the_only_one(only="GPPS"):
    """The largest group-share deviation over all workloads of Figures 3.5 to 3.14."""
    worst = {policy: -np.inf for policy in uniprocessor.POLICIES}
    for policy in worst:
        found = []
        if policy == "UD":
            settings = ({"required_share": 0.5, "fractions": SPLITS[:10]}, {"required_share": 0.51}, {})
            found += [
                (value - half_width).max()
                for value, half_width in (simulated_of_two_groups("UD", **s) for s in settings)
            ]
            found += [(value - half_width).max() for value, half_width in (simulated("UD", n) for n in (1, 2))]
        else:
            for required_share in (0.5, 0.51):
                found.append(larger_of_two_groups(policy, {"fraction": SPLITS}, required_share=required_share).max())
            found.append(larger_of_two_groups(policy, {"required_share": SHARES}).max())
            found += [over_shares(policy, permanent).max() for permanent in (1, 2)]
        worst[policy] = max(found)
    others = {policy: value for policy, value in worst.items() if policy != only}
    said = ", ".join(f"{policy} {value:.3f}" for policy, value in others.items())
    kept = "never above 0" if worst[only] < 1e-7 else f"up to {worst[only]:.3f}"
    return finding(f"{only} {kept}; others up to {said}", worst[only] < 1e-7 and min(others.values()) > 1e-3)


@functools.cache
def grows(policy, share, permanent, load):
    """Whether the queue of group 2 grows over ever longer paths, its arrivals left as they are."""
    system = (share, 1 - share), (load / 2, load / 2), 1.0, permanent
    means = []
    for jumps in (8_000, 32_000, 128_000):
        found = refused(policy, *system, jumps=jumps, warmup=0, replications=12).jobs
        means.append((found.value[1], found.half_width[1]))
    (short, _), (middle, doubt), (long, more) = means
    return bool(long - middle > 2 * (doubt + more) and long > 1.5 * middle and middle > 1.5 * short)


@check("thesis-3-154", numbers=(0,))
def cured_by_less_load(numbers=(1, 2)):
    """Where the queue of group 2 grows at a load of 0.8, and where it still does at 0.5."""
    shares = (0.5 + 1e-9, 0.55, 0.65, 0.7, 0.8, 0.9, 0.99)
    holds, said = [], []
    for permanent in numbers:
        for policy in ("HOL", "UD", "PQ", "GPPS"):
            full, half = ([grows(policy, r, permanent, load) for r in shares] for load in (0.8, 0.5))
            holds += [before and not after for before, after in zip(full, half)]
            first = [f"{shares[k.index(True)]:g}" if any(k) else "never" for k in (full, half)]
            said.append(f"{policy} with {permanent}: {first[0]}, {first[1]}")
    bounded = not any(
        grows(policy, 0.9, n, load) for policy in ("FCFS", "PS", "PPS") for n in numbers for load in (0.8, 0.5)
    )
    return over_domain(
        f"grows from r_1 = ... on, at a load of 0.8 and of 0.5: {'; '.join(said)}"
        + ("" if bounded else "; others grow too"),
        [found and bounded for found in holds],
    )


@check("thesis-3-158", policy="HOL", figures=("3.14",))
def weights_of_groups_better(policy="PPS", figures=("3.5", "3.8", "3.10", "3.12", "3.14")):
    """How far GPPS lies below PPS, at every point of five figures."""
    gaps = {}
    for figure in figures:
        if figure in ("3.12", "3.14"):
            number = 1 if figure == "3.12" else 2
            gaps[figure] = over_shares(policy, number) - over_shares("GPPS", number)
        elif figure == "3.10":
            points = {"required_share": SHARES}
            gaps[figure] = larger_of_two_groups(policy, points) - larger_of_two_groups("GPPS", points)
        else:
            points, share = {"fraction": SPLITS[:10] if figure == "3.5" else SPLITS}, 0.5 if figure == "3.5" else 0.51
            one, other = (larger_of_two_groups(name, points, required_share=share) for name in (policy, "GPPS"))
            gaps[figure] = one - other
    said = ", ".join(f"{found.min():.3f} to {found.max():.3f} in {figure}" for figure, found in gaps.items())
    every = np.concatenate(list(gaps.values()))
    return over_domain(f"PPS less GPPS: {said}" if policy == "PPS" else said, [allows("much", gap) for gap in every])
