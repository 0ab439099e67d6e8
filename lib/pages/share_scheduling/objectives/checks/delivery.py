"""Claims of `thesis`, Sections 2.3 and 2.4: which shares can be promised, and which can be delivered."""

import itertools

import numpy as np

from clustershare.delivery import deliver
from clustershare.partitions import full_partition, one_to_one_partition, partition, partitioned_feasible_share
from clustershare.shares import State, feasible_group_share, maximum_feasible_group_share
from compendium.press.claims import check, difference, erratum, finding, listed
from pages.share_scheduling.objectives import complications
from pages.share_scheduling.objectives.systems import EXACT, SYSTEM, random_systems


def rates_that_fit(reading, count=150):
    """Random service rates: how often the condition of (2.20), so read, and the linear program answer differently."""
    rng, wrong = np.random.default_rng(11), 0
    for _ in range(count):
        P, J = rng.integers(1, 5), rng.integers(1, 6)
        capacities = np.sort(rng.exponential(size=P))[::-1]
        rates = np.sort(rng.dirichlet(np.ones(J)) * capacities.sum() * rng.uniform(0.6, 1))[::-1]
        upper = {"j": range(1, J + 1), "first": [1] * J, "last": [J] * J}[reading]
        bounds = [capacities[: min(k, P)].sum() for k in upper]
        holds = bool((np.cumsum(rates) <= np.array(bounds) + EXACT).all())
        wrong += holds != deliver(rates / capacities.sum(), range(J), capacities).feasible
    return wrong


@check("thesis-2-011", reading="last")
def rates_of_jobs(reading="j"):
    wrong = rates_that_fit(reading)
    return finding(f"condition and program differ in {wrong} of 150 random cases", wrong == 0)


@check("thesis-2-012", readings=("j",))
def index_of_the_bound(readings=("first", "last")):
    """k has no value on the right of (2.20): the first and the last of the sum are tried, and j."""
    printed, corrected = [rates_that_fit(reading) for reading in readings], rates_that_fit("j")
    return erratum(
        f"cases decided wrongly, of 150: {listed(printed)} with k as the {' or '.join(readings)}, {corrected} with j",
        min(printed) == 0, corrected == 0,
    )  # fmt: skip


@check("thesis-2-016", symbol=maximum_feasible_group_share)
def targets_of_the_examples(symbol=lambda r, jobs, capacities: feasible_group_share(r, jobs, len(capacities))):
    """f by (2.26) and fbar by (2.24), in the examples of cases 2 and 3."""
    printed = [(0.4, 0.4, 0.2), (0.375, 0.375, 0.25)]
    found = [symbol(r, [1, 1, 1], SYSTEM) for r in printed]
    bars = [maximum_feasible_group_share(r, [1, 1, 1], SYSTEM) for r in printed]
    return erratum(f"f = {listed(found[0])} and {listed(found[1])}; fbar = {listed(bars[0])} and {listed(bars[1])}",
                   difference(found, printed) < EXACT, difference(bars, printed) < EXACT)  # fmt: skip


def undelivered(processors, target, count=100, seed=17):
    """In how many random systems the targets cannot be delivered to all, with free migration."""
    missed = 0
    rng = np.random.default_rng(seed)
    for _ in range(count):
        capacities = np.sort(rng.integers(1, 4, size=processors))[::-1].tolist()
        required, jobs = rng.dirichlet(np.full(3, 3.0)).tolist(), rng.integers(0, 3, size=3).tolist()
        wanted = target(required, jobs, capacities)
        missed += not deliver(wanted, complications.members(jobs), capacities).feasible
    return missed


@check("thesis-2-017", processors=3)
def two_processors(processors=2):
    missed, more = undelivered(processors, maximum_feasible_group_share), undelivered(3, maximum_feasible_group_share)
    return finding(
        f"not delivered: {missed} of 100 with {processors} processors, {more} with 3", missed == 0 and more > 0
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


@check("thesis-2-020", homogeneous=False)
def fit_of_two_groups(homogeneous=True):
    """Without migration: two groups, and three."""
    two = [complications.find(3, 2, P, homogeneous, migration=False) for P in (2, 3)]
    three = complications.find(3, 3, 2, homogeneous, migration=False)
    kind = "homogeneous" if homogeneous else "heterogeneous"
    return erratum(f"{kind}: {'found' if any(two) else 'none'} with 2 groups, {'found' if three else 'none'} with 3",
                   any(two), not any(two) and three is not None)  # fmt: skip


@check("thesis-2-021", placement=(1, 0, 2))
def left_behind(placement=(0, 1, 2)):
    """Job 1 has gone; the others stay where they are, or are placed anew."""
    required = (0.375, 0.375, 0.25)
    here = deliver(required[1:], [0, 1], SYSTEM, placement=placement[1:])
    state = State(SYSTEM, required, [1, 2], np.eye(3)[list(placement[1:])])
    anew = deliver(required[1:], [0, 1], SYSTEM, migration=False)
    share = state.obtained_group_shares[1]
    return finding(f"group 2 obtains {share:g} of {required[1]:g}; anew all could: {anew.feasible}",
                   share < required[1] and not here.feasible and anew.feasible)  # fmt: skip


@check("thesis-2-022", processors=4)
def one_processor(processors=1):
    found = np.array([feasible_group_share(0.3, jobs, processors) for jobs in range(4)])
    return finding(listed(found), difference(found, [0, 0.3, 0.3, 0.3]) == 0 and feasible_group_share(0.8, 2, 4) == 0.5)


@check("thesis-2-023", target=maximum_feasible_group_share)
def always_delivered(target=lambda required, jobs, capacities: feasible_group_share(required, jobs, len(capacities))):
    """(2.28), and the linear program for f (for fbar in the control)."""
    gap = min(
        (np.cumsum(capacities) / sum(capacities) - np.arange(1, len(capacities) + 1) / len(capacities)).min()
        for capacities, _, _ in random_systems(300)
    )
    missed = sum(undelivered(processors, target, 60) for processors in (2, 3, 4))
    return finding(f"(2.28) holds with {max(gap, 0):.3g} to spare; f missed in {missed} of 180 systems",
                   gap > -EXACT and missed == 0)  # fmt: skip


@check("thesis-2-024", homogeneous=False)
def alike_when_homogeneous(homogeneous=True):
    gap = 0.0
    for capacities, required, jobs in random_systems(200, processors=(2, 5), homogeneous=homogeneous):
        share = feasible_group_share(required, jobs, len(capacities))
        gap = max(gap, difference(share, maximum_feasible_group_share(required, jobs, capacities)))
    return finding("equal" if gap < EXACT else f"up to {gap:.2f} apart", gap < EXACT)


@check("thesis-2-025", processor=0)
def worst_placement(processor=-1):
    """All placements; on each processor the groups present share in the ratio of what they require."""
    gap = 0.0
    for capacities, required, _ in random_systems(15, processors=(2, 3), groups=(2, 3)):
        fractions, needs = np.array(capacities) / sum(capacities), np.array(required)
        worst = np.ones(len(required))
        for placement in itertools.product(range(len(capacities)), repeat=len(required)):
            for g, p in enumerate(placement):
                present = [other for other, place in enumerate(placement) if place == p]
                worst[g] = min(worst[g], fractions[p] * needs[g] / needs[present].sum())
        gap = max(gap, difference(worst, needs * fractions[processor]))
    return finding("the least is r c_P/c" if gap < EXACT else f"up to {gap:.2f} apart", gap < EXACT)


JOBS = (0, 1, 2, 3)


@check("thesis-2-026", processors=2)
def shares_of_the_whole(processors=3):
    found = [feasible_group_share(r, JOBS, processors) for r in (0.5, 0.25, 0.25)]
    printed = [[0, 0.33, 0.5, 0.5], [0, 0.25, 0.25, 0.25], [0, 0.25, 0.25, 0.25]]
    return finding(f"group 1: {listed(found[0])}; others: {listed(found[1])}", difference(found, printed) <= 0.005)


@check("thesis-2-027", own=((1, 2), (0,), (0,)))
def shares_of_the_parts(own=((0,), (1,), (2,))):
    found = [partitioned_feasible_share(r, JOBS, mine, SYSTEM) for r, mine in zip((0.5, 0.25, 0.25), own)]
    printed = [[0, 0.5, 0.5, 0.5], [0, 0.25, 0.25, 0.25], [0, 0.25, 0.25, 0.25]]
    return finding(f"group 1: {listed(found[0])}; others: {listed(found[1])}", difference(found, printed) < EXACT)


@check("thesis-2-028", capacities=(3, 1, 1))
def partitions_of_the_example(capacities=SYSTEM):
    own, parts = one_to_one_partition((0.5, 0.25, 0.25), capacities), full_partition((0.5, 0.5), capacities)
    return finding(
        f"one to one {own}; in two parts {parts}; the first found {partition((0.5, 0.25, 0.25), capacities)}",
        own == (0, 1, 2) and parts == [(0,), (1, 2)],
    )


@check("thesis-2-029", capacities=(1, 1, 1, 1))
def requirement_broken(capacities=SYSTEM):
    """Two groups that require the same, each with its part: like promises (2), and all of it in the end (3)?"""
    parts = full_partition((0.5, 0.5), capacities)
    promised = [partitioned_feasible_share(0.5, JOBS, own, capacities) for own in parts]
    alike, enough = difference(*promised) < EXACT, difference([share[-1] for share in promised], 0.5) < EXACT
    return erratum(f"with one job {listed([share[1] for share in promised])}, with three {promised[0][-1]:g} and "
                   f"{promised[1][-1]:g}", not enough, enough and not alike)  # fmt: skip


@check("thesis-2-030", equation="(2.26)")
def section_of_the_alternative(equation="(2.35)"):
    """Where the text has the equations: the first one of each section."""
    first = {"2.4.1": 21, "2.4.2": 22, "2.4.4": 26, "2.4.5": 29, "2.4.6": 38}
    number = int(equation.strip("()").split(".")[1])
    section = max((name for name, start in first.items() if start <= number), key=lambda name: first[name])
    return erratum(f"{equation} is in Section {section}", section == "2.4.4", section == "2.4.5")


@check("thesis-2-035", migration=False)
def all_objectives(migration=True):
    """No loss, no group short, and equal jobs: by the linear program, with the jobs of a group taking turns."""
    met = count = 0
    for kind in (False, True):
        for capacities, required, jobs in random_systems(25, processors=(2, 4), seed=35, homogeneous=kind):
            who = np.array(complications.members(jobs), dtype=int)
            if not len(who):
                continue
            wanted = feasible_group_share(required, jobs, len(capacities))
            found = deliver(wanted, who.tolist(), capacities, lossless=True) if migration else deliver(
                wanted, who.tolist(), capacities, migration=False
            )  # fmt: skip
            turns = np.array([found.weights[who == group].mean(axis=0) for group in who])
            state = State(capacities, required, who, np.clip(turns, 0, None) * (1 - 1e-12))
            count += 1
            met += bool(
                state.capacity_loss < 1e-6
                and state.group_share_deviations.max() < 1e-6
                and state.job_share_deviations.max() < 1e-6
            )
    return finding(f"all three met in {met} of {count} systems", met == count)


@check("thesis-2-037", corrected=False)
def table_of_cases(corrected=True):
    """Table 2.1 cell by cell: the fewest groups and processors with which a case arises."""
    printed = {1: [(1, 1)] + [(1, 2)] * 4, 2: [None, None, (2, 3), None, (2, 3)],
               3: [None, None, None, (2, 2), (2, 2)], 4: [None, None, None, (1, 2), (1, 2)]}  # fmt: skip
    wrong = [
        f"case {case}, {name}: {found}"
        for case, cells in printed.items()
        for cell, (name, setting) in zip(cells, complications.ARCHITECTURES.items())
        if (found := complications.least(case, *setting)) != cell
    ]
    right = ["case 3, no migration, hom.: (3, 2)"] if corrected else []
    return erratum(f"20 cells; other than printed: {'; '.join(wrong)}", not wrong, wrong == right)
