"""Claims of `thesis`, Sections 2.3 and 2.4: which of the promised shares can be delivered."""

import functools
import itertools

import numpy as np

from clustershare.delivery import deliver
from clustershare.shares import (
    State,
    feasible_group_share,
    maximum_feasible_group_share,
    maximum_obtainable_share,
)
from compendium.press.clauses import aside, cases, conclude, everywhere, exact, grid, mended, somewhere
from compendium.press.clauses.conditions import at_least, at_most, equal, smaller
from compendium.press.findings import check, difference
from pages.share_scheduling.objectives.complications import members
from pages.share_scheduling.objectives.printed import in_the_text
from pages.share_scheduling.objectives.systems import EXACT, SYSTEM, drawn, random_capacities, systems
from pages.share_scheduling.objectives.witnesses.delivery import (
    delivered,
    fits_with_migration,
    fits_without_migration,
    played,
)


def average(required, jobs, capacities):
    """(2.26), as a function of the same arguments as (2.24)."""
    return feasible_group_share(required, jobs, len(capacities))


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
    return cases("case", rows, seed=11)


def rates_that_fit(reading, processors=6):
    """Whether the condition of (2.20), so read, and the program with its schedule give the same answer."""

    def alike(rates, speeds, possible):
        J, P = len(rates), len(speeds)
        upper = {"j": range(1, J + 1), "first": [1] * J, "last": [J] * J, "total": [J] * J}[reading]
        sums = np.cumsum(rates) if reading != "total" else np.full(J, rates.sum())
        bounds = np.array([speeds[: min(k, P)].sum() for k in upper])
        return bool((sums <= bounds + EXACT * speeds.sum()).all()) == possible

    return cases_of_rates(processors).measure(alike)


@check("thesis-2-011", reading="total")
def rates_of_jobs(reading="j"):
    """The control asks for the total only."""
    return conclude(everywhere("condition and schedule agree", rates_that_fit(reading)))


@check("thesis-2-012", processors=1)
def index_of_the_bound(processors=6):
    """k has no value on the right of (2.20): the first and the last of the sum are tried, and j."""
    ends = {name: rates_that_fit(name, processors).value for name in ("first", "last")}
    always, wrong = (
        [count(found) for found in ends.values()] for count in (np.all, lambda found: np.sum(~(found > 0)))
    )
    return mended(
        somewhere("with k as an end of the sum condition and schedule agree always", exact(always, reading=ends)),
        everywhere("with j they agree", rates_that_fit("j", processors)),
        aside("the number of cases that are decided wrongly", exact(wrong, reading=ends)),
    )


@check("thesis-2-017", target=average)
def two_processors(target=maximum_feasible_group_share):
    """The control takes (2.26) in the place of (2.24): nothing is missed anywhere."""

    def met(speeds, required, jobs):
        return delivered(target(required, jobs, speeds), jobs, speeds)

    def missed(G, P):
        unlike = systems(500, 17, processors=(P, P), groups=(G, G)).cases
        return any(not fits_with_migration(target(r, n, c), n, c) and not met(c, r, n) for c, r, n in unlike)

    kinds = {"on two processors": {"processors": (2, 2)}, "on like processors": {"alike": 1},
             "for one group": {"groups": (1, 1)}}  # fmt: skip
    pairs = {"groups": (2, 3, 4), "processors": (3, 4, 5, 6)} if target is not average else {"G": (2,), "P": (3,)}
    return conclude(
        *(everywhere(f"{kind} the maximum is delivered", systems(500, 17, **kept).measure(met))
          for kind, kept in kinds.items()),
        everywhere("of 500 unlike systems it is missed in some", grid(**pairs).measure(missed)),
        whole=True,
    )  # fmt: skip


@check("thesis-2-018", weights=np.eye(3))
def weights_of_case_3(weights=((0.5, 0.5, 0), (0.5, 0.5, 0), (0, 0, 1))):
    required = (0.375, 0.375, 0.25)
    state = State(SYSTEM, required, [0, 1, 2], weights)
    return conclude(in_the_text("the groups obtain", state.obtained_group_shares, required))


@check("thesis-2-019", required=(0.5, 0.25, 0.25))
def no_placement(required=(0.375, 0.375, 0.25)):
    """All 27 placements, each by the linear program, and the best by branch and bound."""
    margins = grid(job_1=(1, 2, 3), job_2=(1, 2, 3), job_3=(1, 2, 3)).measure(
        lambda *placement: deliver(required, [0, 1, 2], SYSTEM, placement=np.subtract(placement, 1).tolist()).margin
    )
    best = deliver(required, [0, 1, 2], SYSTEM, migration=False).margin
    return conclude(
        everywhere("what the worst off group has above its share", margins, smaller(1e-6)),
        provided=[in_the_text("the best by branch and bound is", best, margins.value.max(), 1e-6)],
    )


@check("thesis-2-023", migration=False)
def always_delivered(migration=True):
    """(2.28), and f by the program, played; in the control by all placements."""
    drawn = systems(1000, 23, jobs=lambda P: 2 * P, alike=3)
    above = drawn.measure(lambda c, *_: (np.cumsum(c) / c.sum() - np.arange(1, len(c) + 1) / len(c)).min())
    met = drawn.measure(
        lambda c, r, n: (delivered if migration else fits_without_migration)(feasible_group_share(r, n, len(c)), n, c)
    )
    return conclude(
        everywhere("what the fastest n processors have above n/P, (2.28),", above, at_least(0)),
        everywhere("f is delivered", met),
        whole=True,
    )


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

    def gaps(speeds, required, jobs):
        fractions, P = speeds / speeds.sum(), len(speeds)
        options = [[o for o in itertools.product(range(n + 1), repeat=P) if sum(o) == n] for n in jobs]
        picked = np.meshgrid(*[range(len(option)) for option in options], indexing="ij")
        there = np.stack([np.array(option)[pick.ravel()] for option, pick in zip(options, picked)], axis=1)
        parts = there if policy == "PS" else required[:, None] * (there > 0)
        share = (parts / np.maximum(parts.sum(axis=1, keepdims=True), 1e-300) * fractions).sum(axis=2)
        ends = left_on_the_slowest(required, fractions, jobs, policy)
        return max(difference(found, required * fractions[-1]) for found in (share.min(axis=0), ends))

    gap = systems(100, 25, processors=(2, 4), groups=(2, 4), jobs=lambda P: 3, least=1).measure(gaps)
    return conclude(everywhere("the least share, also at the end of a run, and r c_P/c", gap, equal(EXACT)))


@check("thesis-2-035", migration=False)
def all_objectives(migration=True):
    """No loss, no group short, and equal jobs: by the program, with the jobs of a group taking turns, played."""

    def off(speeds, required, jobs):
        P = len(speeds)
        who, wanted = np.array(members(jobs)), feasible_group_share(required, jobs, P)
        if not migration:
            return 0.0 if fits_without_migration(wanted, jobs, speeds) else 1.0
        found = deliver(wanted, who, speeds, lossless=True)
        turns = np.array([found.weights[who == group].mean(axis=0) for group in who])
        obtained = played(turns, speeds) / speeds.sum()
        state = State(speeds, required, who, np.clip(turns, 0, None))
        groups = np.array([obtained[who == group].sum() for group in range(len(jobs))])
        short = (np.minimum(required, np.array(jobs) / P) - groups).max()  # of (2.26)
        lost = np.sort(speeds)[::-1][: len(who)].sum() / speeds.sum() - obtained.sum()
        apart = max(np.ptp(obtained[who == group]) for group in range(len(jobs)))
        return max(state.group_share_deviations.max(), abs(state.capacity_loss), state.job_share_deviations.max(),
                   difference(obtained, state.obtained_job_shares), short, abs(lost), apart)  # fmt: skip

    worst = systems(500, 35, jobs=lambda P: 2 * P, least=1, alike=2).measure(off)
    return conclude(
        everywhere("the largest of loss, deviations, and differences within a group", worst, at_most(EXACT))
    )


@check("thesis-2-043", migration=True)
def placed_at_best(migration=False):
    """The targets (2.26) without migration, by all placements; what is missed is delivered with migration."""

    def delivery(speeds, required, jobs):
        wanted = feasible_group_share(required, jobs, len(speeds))
        met = (fits_with_migration if migration else fits_without_migration)(wanted, jobs, speeds)
        return {"missed": not met, "with": met or delivered(wanted, jobs, speeds)}

    drawn = systems(1350, 43, processors=(2, 4), groups=(2, 4), alike=2, in_twentieths=True)
    found, like = drawn.measure(delivery), np.array([speeds[0] == speeds[-1] for speeds, *_ in drawn.cases])
    missed = [found["missed"].value[kind].sum() for kind in (like, ~like)]
    return conclude(
        somewhere("the targets are missed without migration", found["missed"]),
        aside("the number of such systems by their processors", exact(missed, processors=("alike", "unlike"))),
        provided=[everywhere("what is missed is delivered with migration", found["with"])],
    )


@check("thesis-2-045", capacities=(2, 2, 1))
def best_in_case_2(capacities=SYSTEM):
    """Most for groups 1 and 2 alone, for the one that has less, and for both while group 3 has 0.2 only."""
    who, required = [0, 1, 2], (0.4, 0.4, 0.2)
    alone = [1 + deliver(np.eye(3)[g], who, capacities).margin for g in (0, 1)]
    less = 1 + deliver([1.0, 1.0, 0.0], who, capacities).margin
    weights = np.array([[0.5, 0.5, 0], [0.5, 0.5, 0], [0, 0, 1]])
    best = played(weights, capacities) / sum(capacities)
    weights[2, 2] = 0.2 * sum(capacities) / capacities[2]
    taken = State(capacities, required, who, np.minimum(weights, 1))
    return conclude(
        everywhere("the most for a group alone", exact(alone, group=(1, 2)), at_least(0.4)),
        everywhere("what groups 1 and 2 have above 0.4, if both are to,",
                   exact(deliver([0.4, 0.4, 0.0], who, capacities).margin), smaller(EXACT)),
        in_the_text("the smaller of both has at most", less, 0.375),
        in_the_text("played, the groups have", best, (0.375, 0.375, 0.25)),
        in_the_text("with 0.2 for group 3 they have", taken.obtained_group_shares, (0.375, 0.375, 0.2)),
        in_the_text("and the loss is", taken.capacity_loss, 0.05),
        whole=True,
    )  # fmt: skip


@check("thesis-2-047", exchanged=True)
def heterogeneous_does_as_well(exchanged=False):
    """Rates on the boundary of what like processors can do, on unlike ones; the control exchanges them."""

    def met(rng, _):
        P, J = rng.integers(2, 7), rng.integers(1, 11)
        unlike = random_capacities(rng, P)
        like = np.full(P, unlike.mean())
        first, second = (unlike, like) if exchanged else (like, unlike)
        rates = np.sort(rng.dirichlet(np.ones(J)))[::-1]
        rates *= (maximum_obtainable_share(np.arange(1, J + 1), first) / rates.cumsum()).min()
        return delivered(np.minimum(rates, 1), np.ones(J, dtype=int), second)

    return conclude(everywhere("the rates are delivered", drawn("system", 500, 47).measure(met)))


@check("thesis-2-048", unit=True)
def rate_or_share(unit=False):
    """All jobs on the slowest processor under GPPS, played: is r c_P/c their rate, or their share?"""

    def gaps(speeds, required, jobs):
        speeds = speeds / speeds.sum() if unit else speeds
        who, weights = np.array(members(jobs)), np.zeros((jobs.sum(), len(speeds)))
        weights[:, -1] = (required / jobs)[who]
        rates = np.bincount(who, played(weights, speeds))
        said = required * speeds[-1] / speeds.sum()
        shares, below = rates / speeds.sum(), (said < required).all()
        return {"rates": difference(rates, said), "shares": difference(shares, said), "below": below}

    found = systems(100, 48, processors=(2, 6), groups=(2, 4), jobs=lambda P: 3, least=1).measure(gaps)
    below = everywhere("r c_P/c is below r", found["below"])
    rates, shares = (everywhere(f"the {name} and r c_P/c", found[name], equal(EXACT)) for name in ("rates", "shares"))
    return mended(rates, shares, below)
