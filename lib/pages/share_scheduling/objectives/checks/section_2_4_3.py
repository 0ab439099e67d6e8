"""Claims of `thesis`, Section 2.4.3: the four cases in which a group cannot have its share."""

import itertools

import numpy as np

from clustershare.delivery import deliver
from clustershare.shares import (
    State,
    feasible_group_share,
    maximum_feasible_group_share,
    maximum_obtainable_share,
)
from compendium.press.clauses import cases, conclude, everywhere, exact, fact, grid, mended, none, somewhere
from compendium.press.clauses.conditions import at_least, larger, smaller
from compendium.press.findings import check
from pages.share_scheduling.objectives import complications
from pages.share_scheduling.objectives.complications import members
from pages.share_scheduling.objectives.printed import in_the_text
from pages.share_scheduling.objectives.systems import EXACT, SYSTEM, random_capacities, random_jobs, systems, twentieths
from pages.share_scheduling.objectives.witnesses.delivery import (
    cases_in,
    delivered,
    fits_with_migration,
    fits_without_migration,
    played,
)

ROUNDING = 1e-6  # of shares, where a program places jobs


@check("thesis-2-016", capacities=(1, 1, 1))
def targets_of_the_examples(capacities=SYSTEM):
    """f by (2.26) and fbar by (2.24), in the examples of cases 2 and 3."""
    printed = [(0.4, 0.4, 0.2), (0.375, 0.375, 0.25)]
    states = [State(capacities, r, [0, 1, 2], np.zeros((3, 3))) for r in printed]
    return mended(
        in_the_text("f is", [feasible_group_share(r, [1, 1, 1], len(capacities)) for r in printed], printed),
        in_the_text("fbar is", [maximum_feasible_group_share(r, [1, 1, 1], capacities) for r in printed], printed),
        in_the_text("by a state it is", [state.maximum_feasible_group_shares for state in states], printed),
    )


def average(required, jobs, capacities):
    """(2.26), as a function of the same arguments as (2.24)."""
    return feasible_group_share(required, jobs, len(capacities))


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
    found = deliver(required, [0, 1, 2], SYSTEM)
    return conclude(
        in_the_text("the groups obtain", state.obtained_group_shares, required),
        in_the_text("the worst off has at best above its share", found.margin, 0),
        in_the_text(
            "by the program's weights, played, they have", played(found.weights, SYSTEM) / sum(SYSTEM), required
        ),
        whole=True,
    )


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
        in_the_text("both together have at most", maximum_obtainable_share(2, capacities), 0.75),
        in_the_text("the smaller of both has at most", less, 0.375),
        in_the_text("what the groups have above 0.375, 0.375 and 0.25 is at best",
                    deliver([0.375, 0.375, 0.25], who, capacities).margin, 0),
        in_the_text("played, the groups have", best, (0.375, 0.375, 0.25)),
        in_the_text("with 0.2 for group 3 they have", taken.obtained_group_shares, (0.375, 0.375, 0.2)),
        in_the_text("and the loss is", taken.capacity_loss, 0.05),
        whole=True,
    )  # fmt: skip


@check("thesis-2-020", homogeneous=False)
def fit_of_two_groups(homogeneous=True):
    """Without migration: two groups, by all placements over a grid and at random, and three."""
    rng = np.random.default_rng(20)

    def arises(required, jobs, speeds):
        wanted = maximum_feasible_group_share(required, jobs, speeds)
        if fits_without_migration(wanted, jobs, speeds) or not fits_with_migration(wanted, jobs, speeds):
            return False
        fits = deliver(wanted, members(jobs), speeds).feasible
        if not fits or deliver(wanted, members(jobs), speeds, migration=False).feasible:
            raise ArithmeticError("Placements and program do not agree.")
        return True

    grids = [
        (P, share, jobs) for P in (2, 3, 4)
        for twentieths, *jobs in itertools.product(range(1, 20), range(P + 3), range(P + 3))
        for share in (twentieths / 20, rng.uniform(0.001, 0.999))
    ]  # fmt: skip
    two = any(arises((r, 1 - r), jobs, random_capacities(rng, P, homogeneous)) for P, r, jobs in grids)
    random = systems(5000, 20, processors=(2, 4), groups=(3, 3), alike=int(homogeneous)).cases  # the case is rare
    three = any(arises(required, jobs, speeds) for speeds, required, jobs in random)

    def searched(groups, P, alike):
        return complications.find(3, groups, P, alike, migration=False) is not None

    if homogeneous and [searched(2, 2, True), searched(3, 2, True)] != [two, three]:
        raise ArithmeticError("Table 2.1 is searched otherwise.")
    unlike = all(searched(2, P, False) for P in (2, 3))
    nowhere = f"in none of {len(grids)} systems with two groups case 3 arises"
    return mended(
        fact("case 3 arises with two groups", two, nowhere),
        fact(nowhere, not two, "case 3 arises with two groups"),
        fact("with three it does", three, "nor does it with three"),
        fact("two suffice on unlike processors", unlike, "two do not suffice on unlike processors"),
    )


@check("thesis-2-021", placement=(1, 0, 2))
def left_behind(placement=(0, 1, 2)):
    """Job 1 has gone; the others stay where they are, or are placed anew."""
    required = (0.375, 0.375, 0.25)
    here = deliver(required[1:], [0, 1], SYSTEM, placement=placement[1:])
    state = State(SYSTEM, required, [1, 2], np.eye(3)[list(placement[1:])])
    anew = deliver(required[1:], [0, 1], SYSTEM, migration=False)
    return conclude(
        in_the_text("group 2 obtains", state.obtained_group_shares[1], 0.25),
        everywhere("what it obtains less than it requires", exact(required[1] - state.obtained_group_shares[1]),
                   larger()),
        in_the_text("of all groups the worst off has above its share at best", here.margin, 0.25 - required[1]),
        fact("not all can have their shares where they are", not here.feasible, "all can where they are"),
        fact("placed anew all can", anew.feasible, "nor can they if placed anew"),
        whole=True,
    )  # fmt: skip


@check("thesis-2-046", groups=(1,))
def fit_lost_at_a_departure(groups=(2, 3, 4)):
    """Does case 3 arise when a job leaves, or only when one comes? By all placements, and by the program."""

    def state_of(required, jobs, speeds):
        wanted = maximum_feasible_group_share(required, jobs, speeds)
        return fits_with_migration(wanted, jobs, speeds), fits_without_migration(wanted, jobs, speeds)

    pairs = []
    for speeds, required, jobs in systems(600, 46, processors=(2, 4), groups=(groups[0], groups[-1]), alike=2,
                                          in_twentieths=True).cases:  # fmt: skip
        fits = state_of(required, jobs, speeds)
        pairs += [(fits, state_of(required, jobs - (np.arange(len(jobs)) == g), speeds)) for g in np.flatnonzero(jobs)]
    arrival = [fewer[1] and fits == (True, False) for fits, fewer in pairs]
    departure = [fits[1] and fewer == (True, False) for fits, fewer in pairs]
    like, required = (1, 1), (0.4, 0.3, 0.3)
    fit = [
        deliver(maximum_feasible_group_share(required, jobs, like), members(jobs), like, migration=free).feasible
        for jobs, free in (((1, 1, 0), False), ((2, 1, 1), False), ((1, 1, 1), False), ((1, 1, 1), True))
    ]
    example = (
        "with c = (1, 1) and r = (0.4, 0.3, 0.3) jobs (1, 1, 0) and (2, 1, 1) fit; (1, 1, 1) do if they migrate, and "
        "only then"
    )
    return mended(
        none(len(pairs), "pair of states", "showed case 3 after a departure", sum(departure)),
        somewhere("it arises at an arrival", exact(arrival, pair_of_states=None)),
        fact(example, fit == [True, True, False, True], f"it is not so that {example}"),
    )


@check("thesis-2-053", migration=True)
def one_redistribution(migration=False):
    """Cases 3 and 4 before and after the best redistribution; in the control jobs move all the time in its place."""
    rng, states = np.random.default_rng(53), {3: [], 4: []}
    for trial in range(600):
        P, G = rng.integers(2, 5), 2 + trial % 3
        speeds = random_capacities(rng, P, trial % 2 == 0)
        required, jobs = random_jobs(rng, G, P + 2)
        required = twentieths(rng, required)
        for case in cases_in(required, jobs, speeds, False) & {3, 4}:
            states[case].append((maximum_feasible_group_share(required, jobs, speeds), members(jobs), speeds))

    def left(wanted, who, speeds):
        return deliver(wanted, who, speeds, placement=[len(speeds) - 1] * len(who)).margin

    def once(*state):
        return deliver(*state, migration=migration).margin

    def always(*state):
        return deliver(*state).margin

    irrevocable, impossible = (cases("state", states[case], seed=53) for case in (4, 3))
    return conclude(
        everywhere("in case 4 what the worst off group has above its share, as departures leave the jobs,",
                   irrevocable.measure(left), smaller(ROUNDING)),
        everywhere("that after one redistribution", irrevocable.measure(once), at_least(-ROUNDING)),
        everywhere("in case 3 that after one redistribution", impossible.measure(once), smaller(ROUNDING)),
        everywhere("that if jobs move all the time", impossible.measure(always), at_least(-ROUNDING)),
        whole=True,
    )  # fmt: skip
