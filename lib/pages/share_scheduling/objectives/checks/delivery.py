"""Claims of `thesis`, Sections 2.3 and 2.4: which of the promised shares can be delivered."""

import functools
import itertools
from collections import Counter

import numpy as np

from clustershare.delivery import deliver
from clustershare.shares import (
    State,
    feasible_group_share,
    maximum_feasible_group_share,
    maximum_obtainable_share,
)
from compendium.press.findings import check, difference, erratum, finding, listed, yes
from pages.share_scheduling.objectives import complications
from pages.share_scheduling.objectives.systems import EXACT, SYSTEM, random_capacities, random_jobs
from pages.share_scheduling.objectives.witnesses import fits_with_migration, fits_without_migration, played

MEMBERS = complications.members


def average(required, jobs, capacities):
    """(2.26), as a function of the same arguments as (2.24)."""
    return feasible_group_share(required, jobs, len(capacities))


def delivered(targets, jobs, capacities):
    """Whether the program delivers the targets with migration, and its weights do so when played."""
    found = deliver(targets, MEMBERS(jobs), capacities)
    if found.margin < -EXACT or not sum(jobs):
        return found.margin >= -EXACT
    shares = played(found.weights, capacities) / np.sum(capacities)
    return bool((np.bincount(MEMBERS(jobs), shares, len(jobs)) >= np.array(targets) - EXACT).all())


@functools.cache
def cases_of_rates(processors):
    """Rates of jobs at random, on the boundary of (2.20) with j, and 1e-6 to either side: can they be had?

    By the program, whose weights are played. Each row is the rates, the capacities and the answer.
    """
    rng, rows = np.random.default_rng(11), []
    for _ in range(125):
        speeds, J = random_capacities(rng, rng.integers(1, processors + 1)), rng.integers(1, 9)
        rates = np.sort(rng.dirichlet(np.ones(J)) * speeds.sum())[::-1]
        bounds = maximum_obtainable_share(np.arange(1, J + 1), speeds) * speeds.sum()
        edge = (bounds / rates.cumsum()).min()
        for scale in (rng.uniform(0.6, 1), edge, edge * (1 - 1e-6), edge * (1 + 1e-6)):
            wanted = rates * scale
            found = deliver(np.minimum(wanted / speeds.sum(), 1), range(J), speeds)
            possible = found.margin >= -EXACT and wanted[0] <= speeds.sum() * (1 + EXACT)
            if possible and (played(found.weights, speeds) < wanted - EXACT * speeds.sum()).any():
                raise ArithmeticError("The schedule does not deliver what the program promised.")
            rows.append((wanted, speeds, bool(possible)))
    return rows


def rates_that_fit(reading, processors=6):
    """How often the condition of (2.20), so read, and the program with its schedule answer differently."""
    wrong = 0
    for rates, speeds, possible in cases_of_rates(processors):
        J, P = len(rates), len(speeds)
        upper = {"j": range(1, J + 1), "first": [1] * J, "last": [J] * J, "total": [J] * J}[reading]
        sums = np.cumsum(rates) if reading != "total" else np.full(J, rates.sum())
        bounds = np.array([speeds[: min(k, P)].sum() for k in upper])
        wrong += bool((sums <= bounds + EXACT * speeds.sum()).all()) != possible
    return wrong


@check("thesis-2-011", reading="total")
def rates_of_jobs(reading="j"):
    """The control asks for the total only."""
    wrong = rates_that_fit(reading)
    return finding(f"condition and schedule differ in {wrong} of 500 cases", wrong == 0)


@check("thesis-2-012", processors=1)
def index_of_the_bound(processors=6):
    """k has no value on the right of (2.20): the first and the last of the sum are tried, and j."""
    first, last, right = (rates_that_fit(reading, processors) for reading in ("first", "last", "j"))
    return erratum(
        f"cases decided wrongly, of 500: {first} and {last} with k as the first and the last, {right} with j",
        min(first, last) == 0, right == 0,
    )  # fmt: skip


@check("thesis-2-017", target=average)
def two_processors(target=maximum_feasible_group_share):
    """The control takes (2.26) in the place of (2.24): nothing is missed anywhere."""
    rng, missed = np.random.default_rng(17), {"P = 2": 0, "homogeneous": 0, "one group": 0}
    for kind in missed:
        for _ in range(500):
            P = 2 if kind == "P = 2" else rng.integers(1, 7)
            speeds = random_capacities(rng, P, kind == "homogeneous")
            required, jobs = random_jobs(rng, 1 if kind == "one group" else rng.integers(1, 6), P + 2)
            missed[kind] += not delivered(target(required, jobs, speeds), jobs, speeds)
    never = []
    for G, P in itertools.product((2, 3, 4), (3, 4, 5, 6)):
        for _ in range(2000):
            speeds = random_capacities(rng, P)
            required, jobs = random_jobs(rng, G, P + 2)
            wanted = target(required, jobs, speeds)
            if not fits_with_migration(wanted, jobs, speeds) and not delivered(wanted, jobs, speeds):
                break
        else:
            never.append((G, P))
            break  # one pair decides
    said = ", ".join(f"{count} of 500 ({kind})" for kind, count in missed.items())
    return finding(
        f"missed in {said}; heterogeneous with 2 to 4 groups and 3 to 6 processors: "
        + ("12 of 12 pairs" if not never else f"never with {never[0][0]} and {never[0][1]}"),
        not any(missed.values()) and not never,
    )


@check("thesis-2-018", weights=np.eye(3))
def weights_of_case_3(weights=((0.5, 0.5, 0), (0.5, 0.5, 0), (0, 0, 1))):
    required = (0.375, 0.375, 0.25)
    state = State(SYSTEM, required, [0, 1, 2], weights)
    return finding(listed(state.obtained_group_shares), difference(state.obtained_group_shares, required) < EXACT)


@check("thesis-2-019", required=(0.5, 0.25, 0.25))
def no_placement(required=(0.375, 0.375, 0.25)):
    """All 27 placements, each by the linear program, and the best by branch and bound."""
    who = [0, 1, 2]
    margins = [
        deliver(required, who, SYSTEM, placement=placement).margin
        for placement in itertools.product(range(3), repeat=3)
    ]
    best = deliver(required, who, SYSTEM, migration=False).margin
    if abs(best - max(margins)) > 1e-6:
        raise ArithmeticError(f"best placement {max(margins)}, branch and bound {best}")
    return finding(f"the best of 27 placements leaves a group {max(0.0, -best):.4f} short", best < -1e-6)


@check("thesis-2-023", migration=False)
def always_delivered(migration=True):
    """(2.28), and f by the program, played; in the control by all placements."""
    rng, gap, missed = np.random.default_rng(23), 1.0, 0
    for trial in range(1000):
        P = rng.integers(1, 7)
        speeds = random_capacities(rng, P, trial % 3 == 0)
        required, jobs = random_jobs(rng, rng.integers(1, 6), 2 * P)
        gap = min(gap, (np.cumsum(speeds) / speeds.sum() - np.arange(1, P + 1) / P).min())
        wanted = feasible_group_share(required, jobs, P)
        missed += not (delivered if migration else fits_without_migration)(wanted, jobs, speeds)
    return finding(f"(2.28) {'holds' if gap > -1e-12 else 'fails'}; f missed in {missed} of 1000 systems",
                   gap > -1e-12 and missed == 0)  # fmt: skip


def local_weights(required, there, policy):
    """What a job of each group gets of each processor where so many stand, shape (groups, processors)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = there if policy == "PS" else np.array(required)[:, None] * (there > 0)
        return np.where(there > 0, parts / parts.sum(axis=0) / there, 0.0)


def left_on_the_slowest(required, fractions, jobs, policy):
    """Shares at the end of a run: jobs stand everywhere, and those on the faster processors have less to do."""
    there = np.repeat(np.array(jobs)[:, None], len(fractions), axis=1)
    work = np.random.default_rng(25).exponential(size=there.shape) + 0.1  # of each group's jobs on a processor
    work[:, -1] = np.inf
    while there[:, :-1].any():
        rates = local_weights(required, there, policy) * fractions
        with np.errstate(divide="ignore", invalid="ignore"):
            until = np.where(there > 0, work / rates, np.inf)
        work = work - rates * until[:, :-1].min()
        there[until == until[:, :-1].min()] = 0
    return (local_weights(required, there, policy) * there * fractions).sum(axis=1)


@check("thesis-2-025", policy="PS")
def worst_placement(policy="GPPS"):
    """All placements of one to three jobs of each group, by their numbers on the processors; and a run that ends so."""
    rng, gap = np.random.default_rng(25), 0.0
    for _ in range(100):
        P, G = rng.integers(2, 5), rng.integers(2, 5)
        fractions = random_capacities(rng, P)
        fractions = fractions / fractions.sum()
        required, jobs = random_jobs(rng, G, 3, least=1)
        options = [[o for o in itertools.product(range(n + 1), repeat=P) if sum(o) == n] for n in jobs]
        picked = np.meshgrid(*[range(len(option)) for option in options], indexing="ij")
        there = np.stack([np.array(option)[pick.ravel()] for option, pick in zip(options, picked)], axis=1)
        parts = there if policy == "PS" else required[:, None] * (there > 0)
        share = (parts / np.maximum(parts.sum(axis=1, keepdims=True), 1e-300) * fractions).sum(axis=2)
        gap = max(gap, difference(share.min(axis=0), required * fractions[-1]))
        gap = max(gap, difference(left_on_the_slowest(required, fractions, jobs, policy), required * fractions[-1]))
    return finding("the least is r c_P/c" if gap < EXACT else f"up to {gap:.2f} apart", gap < EXACT)


@check("thesis-2-035", migration=False)
def all_objectives(migration=True):
    """No loss, no group short, and equal jobs: by the program, with the jobs of a group taking turns, played."""
    rng, met, worst = np.random.default_rng(35), 0, 0.0
    for trial in range(500):
        P = rng.integers(1, 7)
        speeds = random_capacities(rng, P, trial % 2 == 0)
        required, jobs = random_jobs(rng, rng.integers(1, 6), 2 * P, least=1)
        who, wanted = np.array(MEMBERS(jobs)), feasible_group_share(required, jobs, P)
        if not migration:
            met += fits_without_migration(wanted, jobs, speeds)
            continue
        found = deliver(wanted, who, speeds, lossless=True)
        turns = np.array([found.weights[who == group].mean(axis=0) for group in who])
        obtained = played(turns, speeds) / speeds.sum()
        state = State(speeds, required, who, np.clip(turns, 0, None))
        groups = np.array([obtained[who == group].sum() for group in range(len(jobs))])
        short = (np.minimum(required, np.array(jobs) / P) - groups).max()  # of (2.26)
        lost = np.sort(speeds)[::-1][: len(who)].sum() / speeds.sum() - obtained.sum()
        apart = max(np.ptp(obtained[who == group]) for group in range(len(jobs)))
        off = max(state.group_share_deviations.max(), abs(state.capacity_loss), state.job_share_deviations.max(),
                  difference(obtained, state.obtained_job_shares), short, abs(lost), apart)  # fmt: skip
        met, worst = met + (off < EXACT), max(worst, off)
    return finding(f"all three met in {met} of 500 systems", met == 500)


@check("thesis-2-043", migration=True)
def placed_at_best(migration=False):
    """The targets (2.26) without migration, by all placements; what is missed is delivered with migration."""
    rng, missed = np.random.default_rng(43), Counter()
    for P, G in itertools.product((2, 3, 4), repeat=2):
        for trial in range(150):
            speeds = random_capacities(rng, P, trial % 2 == 0)
            required, jobs = random_jobs(rng, G, P + 2)
            if trial % 4 < 2:  # in twentieths
                required = (rng.multinomial(20 - G, required) + 1) / 20
            wanted = feasible_group_share(required, jobs, P)
            fits = fits_with_migration if migration else fits_without_migration
            if not fits(wanted, jobs, speeds):
                missed[trial % 2 == 0, G] += 1
                if not delivered(wanted, jobs, speeds):
                    raise ArithmeticError("Missed with migration.")
    said = ", ".join(f"{missed[True, G]} and {missed[False, G]}" for G in (2, 3, 4))
    return finding(f"missed with 2, 3, 4 groups, homogeneous and not, of 225 each: {said}", bool(missed))


@check("thesis-2-045", capacities=(2, 2, 1))
def best_in_case_2(capacities=SYSTEM):
    """Most for groups 1 and 2 alone, for the one that has less, and for both while group 3 has 0.2 only."""
    who, required = [0, 1, 2], (0.4, 0.4, 0.2)
    alone = [1 + deliver(np.eye(3)[g], who, capacities).margin for g in (0, 1)]
    both = deliver([0.4, 0.4, 0.0], who, capacities).margin >= -EXACT
    less = 1 + deliver([1.0, 1.0, 0.0], who, capacities).margin
    weights = np.array([[0.5, 0.5, 0], [0.5, 0.5, 0], [0, 0, 1]])
    best = played(weights, capacities) / sum(capacities)
    weights[2, 2] = 0.2 * sum(capacities) / capacities[2]
    taken = State(capacities, required, who, np.minimum(weights, 1))
    return finding(
        f"alone up to {listed(alone)}; both 0.4: {yes(both)}; the smaller at most {less:.6g}; played "
        f"{listed(best)}; with "
        f"0.2 for group 3 {listed(taken.obtained_group_shares)} and a loss of {taken.capacity_loss:.6g}",
        min(alone) >= 0.4 and not both
        and difference([less, *best], [0.375, 0.375, 0.375, 0.25]) < EXACT
        and difference([*taken.obtained_group_shares, taken.capacity_loss], [0.375, 0.375, 0.2, 0.05]) < EXACT,
    )  # fmt: skip


@check("thesis-2-047", exchanged=True)
def heterogeneous_does_as_well(exchanged=False):
    """Rates on the boundary of what like processors can do, on unlike ones; the control exchanges them."""
    rng, missed = np.random.default_rng(47), 0
    for _ in range(500):
        P, J = rng.integers(2, 7), rng.integers(1, 11)
        unlike = random_capacities(rng, P)
        like = np.full(P, unlike.mean())
        first, second = (unlike, like) if exchanged else (like, unlike)
        rates = np.sort(rng.dirichlet(np.ones(J)))[::-1]
        rates *= (maximum_obtainable_share(np.arange(1, J + 1), first) / rates.cumsum()).min()
        missed += not delivered(np.minimum(rates, 1), np.ones(J, dtype=int), second)
    return finding(f"missed in {missed} of 500 cases", missed == 0)


@check("thesis-2-048", total=1.0)
def rate_or_share(total=None):
    """All jobs on the slowest processor under GPPS, played: is r c_P/c their rate, or their share?"""
    rng, gaps, below = np.random.default_rng(48), np.zeros(2), True
    for _ in range(100):
        P, G = rng.integers(2, 7), rng.integers(2, 5)
        speeds = random_capacities(rng, P)
        speeds *= (total or 10 ** rng.uniform(np.log10(0.5), np.log10(20))) / speeds.sum()
        required, jobs = random_jobs(rng, G, 3, least=1)
        who, weights = np.array(MEMBERS(jobs)), np.zeros((jobs.sum(), P))
        weights[:, -1] = (required / jobs)[who]
        rates = np.bincount(who, played(weights, speeds))
        said = required * speeds[-1] / speeds.sum()
        gaps = np.maximum(gaps, [difference(rates, said), difference(rates / speeds.sum(), said)])
        below &= bool((said < required).all())
    return erratum(
        f"as a rate up to {gaps[0]:.2f} off, as a share {'equal' if gaps[1] < EXACT else f'{gaps[1]:.2f} off'}; "
        f"below r {'in every system' if below else 'not always'}",
        gaps[0] < EXACT and below, gaps[1] < EXACT and below,
    )  # fmt: skip
