"""Claims of `thesis`, Section 2.4.4: the feasible group share."""

import itertools
from dataclasses import replace

import numpy as np

from clustershare import uniprocessor
from clustershare.compiled import service
from clustershare.delivery import deliver
from clustershare.multiprocessor import fractions, is_feasible
from clustershare.shares import State, feasible_group_share, maximum_feasible_group_share
from compendium.press.clauses import conclude, everywhere, mended
from compendium.press.clauses.conditions import at_least, equal
from compendium.press.findings import check, difference
from pages.share_scheduling.objectives.complications import members
from pages.share_scheduling.objectives.systems import EXACT, drawn, random_capacities, systems
from pages.share_scheduling.objectives.witnesses.delivery import (
    delivered,
    fits_without_migration,
    most_by_program,
    played,
)


@check("thesis-2-022", processors=4)
def one_processor(processors=1):
    """The largest promise that holds whatever the others do: with all of them there, and with some, by the program."""

    def promise(rng, _):
        own, G = rng.uniform(0.001, 0.999), rng.integers(2, 6)
        jobs = int(10 ** rng.uniform(0, 3)) if rng.random() < 0.8 else 0
        others = rng.dirichlet(np.ones(G - 1)) * (1 - own)
        share = feasible_group_share(own, jobs, processors)
        # Tight with all others there: no more can be promised. With fewer of them there is room.
        all_there = deliver([share, *others], [0] * jobs + list(range(1, G)), [1.0]).margin
        some = others[rng.random(G - 1) < 0.5]
        room = deliver([share, *some], [0] * min(jobs, 9) + list(range(1, 1 + len(some))), [1.0]).margin
        who = [0] * min(jobs, 9) + list(range(1, G))
        of_state = State([1.0], [own, *others], who, np.zeros((len(who), 1))).feasible_group_shares[0]
        return max(abs(all_there), -room, abs(share - own * (jobs > 0)), abs(of_state - own * (jobs > 0)))

    gap = drawn("system", 500, 22).measure(promise)
    return conclude(everywhere("the promise, the most that can be promised, and 0 or r", gap, equal(EXACT)))


@check("thesis-2-024", homogeneous=False)
def alike_when_homogeneous(homogeneous=True):
    """f, fbar and what is delivered of r, against the smaller of r and what the group's jobs can have by a program."""

    def gap(rng, _):
        P, own = rng.integers(1, 9), rng.uniform(0.001, 0.999)
        jobs, speeds = int(rng.integers(0, 3 * P + 1)), random_capacities(rng, P, homogeneous)
        kept = own + min(deliver([own], [0] * jobs, speeds).margin, 0)
        promises = feasible_group_share(own, jobs, P), maximum_feasible_group_share(own, jobs, speeds), kept
        return difference(promises, min(own, most_by_program(jobs, 0, speeds)))

    gaps = drawn("system", 500, 24).measure(gap)
    return conclude(
        everywhere("(2.26), (2.24), what is delivered of r, and the most of r that jobs can have", gaps, equal(EXACT))
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


def left_on_the_slowest(required, fractions, jobs, rule):
    """Shares at the end of a run: jobs stand everywhere, and those on the faster processors have less to do."""
    there = np.repeat(np.array(jobs)[:, None], len(fractions), axis=1)
    work = np.random.default_rng(25).exponential(size=there.shape) + 0.1  # of each group's jobs on a processor
    work[:, -1] = np.inf
    while there[:, :-1].any():
        rates = service.divide_each(rule, required, there) / np.maximum(there, 1) * fractions  # of a job
        with np.errstate(divide="ignore", invalid="ignore"):
            until = np.where(there > 0, work / rates, np.inf)
        work = work - rates * until[:, :-1].min()
        there[until == until[:, :-1].min()] = 0
    return service.divide_each(rule, required, there) @ fractions


@check("thesis-2-025", rule=service.PS)
def worst_placement(rule=service.GPPS):
    """All placements of one to three jobs of each group, by their numbers on the processors; and a run that ends so.

    What they obtain is by the library's rule for the jobs of one processor, on each of them.
    """

    def gaps(speeds, required, jobs):
        fractions, P = speeds / speeds.sum(), len(speeds)
        options = [[o for o in itertools.product(range(n + 1), repeat=P) if sum(o) == n] for n in jobs]
        picked = np.meshgrid(*[range(len(option)) for option in options], indexing="ij")
        there = np.stack([np.array(option)[pick.ravel()] for option, pick in zip(options, picked)])
        local = service.divide_each(rule, required, there.reshape(len(jobs), -1)).reshape(there.shape)
        ends = left_on_the_slowest(required, fractions, jobs, rule)
        return max(difference(found, required * fractions[-1]) for found in ((local @ fractions).min(axis=1), ends))

    def most(speeds, required, jobs):
        """What the worst off group has above r c_P/c at best, if all jobs are on the slowest, by the program."""
        wanted = required * speeds[-1] / speeds.sum()
        return deliver(wanted, members(jobs), speeds, placement=[len(speeds) - 1] * int(jobs.sum())).margin

    def alone(speeds, required, jobs):
        """The share of the whole that groups with permanent jobs on the slowest obtain there, and r c_P/c."""
        system = required, (1e-9, *[0.0] * (len(required) - 1)), 1.0, jobs  # somebody must come
        run = uniprocessor.simulate("GPPS", *system, jumps=50, warmup=0, replications=2)
        part = speeds[-1] / speeds.sum()
        found = uniprocessor.exact("GPPS", *system).obtained_share, run.obtained_share.value
        return max(difference(part * share, required * part) for share in found)

    drawn_systems = systems(100, 25, processors=(2, 4), groups=(2, 4), jobs=lambda P: 3, least=1)
    few = replace(drawn_systems, cases=drawn_systems.cases[:10])
    return conclude(
        everywhere("the least share, also at the end of a run, and r c_P/c", drawn_systems.measure(gaps), equal(EXACT)),
        everywhere("the most that all can have on the slowest, and r c_P/c", drawn_systems.measure(most), equal(EXACT)),
        everywhere("what permanent jobs obtain there, and r c_P/c", few.measure(alone), equal(EXACT)),
        whole=True,
    )


@check("thesis-2-047", exchanged=True)
def heterogeneous_does_as_well(exchanged=False):
    """Rates on the boundary of what like processors can do, on unlike ones; the control exchanges them."""

    def met(rng, _):
        P, J = rng.integers(2, 7), rng.integers(1, 11)
        unlike = random_capacities(rng, P)
        like = np.full(P, unlike.mean())
        first, second = (unlike, like) if exchanged else (like, unlike)
        rates = np.sort(rng.dirichlet(np.ones(J)))[::-1]
        rates *= (np.cumsum(first)[np.minimum(np.arange(J), P - 1)] / first.sum() / rates.cumsum()).min()
        given = rates * unlike.sum()
        asked = all(is_feasible(given, each) for each in (first, second))
        return {
            "timetable": asked and np.abs(fractions(given, second) @ second - given).max() <= EXACT * second.sum(),
            "played": delivered(np.minimum(rates, 1), np.ones(J, dtype=int), second),
            "asked": asked,
        }

    found = drawn("system", 500, 47).measure(met)
    return conclude(
        everywhere("the rates are delivered", found["played"]),
        everywhere("the library calls them feasible on both", found["asked"]),
        everywhere("by its timetable each job is served at its rate", found["timetable"]),
        whole=True,
    )


@check("thesis-2-048", unit=True)
def rate_or_share(unit=False):
    """All jobs on the slowest processor under GPPS, played and by the state: is r c_P/c their rate, or their share?"""

    def gaps(speeds, required, jobs):
        speeds = speeds / speeds.sum() if unit else speeds
        who, weights = np.array(members(jobs)), np.zeros((jobs.sum(), len(speeds)))
        weights[:, -1] = (required / jobs)[who]
        state, said = State(speeds, required, who, weights), required * speeds[-1] / speeds.sum()
        work = np.bincount(who, played(weights, speeds))
        rates = work, np.bincount(who, state.service_rates)
        shares = work / speeds.sum(), state.obtained_group_shares
        return {
            "rates": difference(rates, said), "shares": difference(shares, said), "below": (said < required).all(),
            "played": difference(*rates),
        }  # fmt: skip

    found = systems(100, 48, processors=(2, 6), groups=(2, 4), jobs=lambda P: 3, least=1).measure(gaps)
    below = everywhere("r c_P/c is below r", found["below"])
    rates, shares = (everywhere(f"the {name} and r c_P/c", found[name], equal(EXACT)) for name in ("rates", "shares"))
    return mended(rates, shares, below, everywhere("rates by the state and played", found["played"], equal(EXACT)))
