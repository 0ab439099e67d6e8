"""Claims of `thesis`, Sections 5.1, 5.2 and 5.4: the model and its numbers, system balance and group balance."""

import itertools
from fractions import Fraction

import numpy as np

from clustershare import dispatch, uniprocessor
from clustershare.dispatch.central import LOCAL
from clustershare.shares import State, maximum_obtainable_share
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, fact, grid, mended, none
from compendium.press.clauses.conditions import at_least, at_most, equal, larger, within
from compendium.press.findings import check
from pages.share_scheduling.central.witnesses.states import every_state, in_group_balance, in_system_balance

MOST = 12  # jobs


def numbers(processors):
    """All numbers of jobs on so many processors."""
    return [tuple(n for (n,) in state) for state in every_state(processors, 1, MOST)]


@check("thesis-5-078", usable=(0.8, 0.84))
def time_to_migrate(usable=(1.0, 1.0)):
    """100 megabytes over 1 Gbps, decimal and binary; in the control overhead takes a part of the network."""
    seconds = [8 * size / (1e9 * part) for size, part in zip((1e8, 100 * 2**20), usable)]
    found = exact(seconds, reading=("decimal", "binary"))
    return conclude(
        at_each("the seconds that 100 megabytes take less one", found - np.ones(2), within("close")),
        aside("the seconds", found),
    )


@check("thesis-5-106", megabytes=1)
def cost_of_migration(megabytes=100):
    """Two migrations a job, against its service time; the control has small jobs."""
    found = cases("minute", (1, 2, 3, 5, 10, 30, 60, 180, 600)).measure(
        lambda minutes: 2 * 8e6 * megabytes / 1e9 / (60 * minutes)
    )
    return conclude(at_each("two migrations as a part of a job's minutes", found, at_most("practically equal")))


@check("thesis-5-102", most=10)
def time_between_events(most=99):
    """Arrivals and departures, the latter from the library's law of M/M/P; the control has up to ten processors."""

    def busy(P, load):
        law = dispatch.numbers_in_one_line(load, P, P)
        return (np.arange(P + 1) @ law + P * (1 - law.sum())) / (P * load) - 1

    domain = {
        "number_of_processors": tuple(P for P in (2, 5, 10, 20, 50, 99) if P <= most),
        "load": (*(round(0.1 * k, 12) for k in range(1, 10)), 0.99),
    }
    between = grid(**domain, minutes=(1, 3, 10, 30, 60, 180, 600)).measure(
        lambda P, load, minutes: 60 * minutes / (2 * P * load)
    )
    return conclude(
        at_each("the mean seconds between events, with jobs of so many minutes,", between, at_least(1)),
        provided=[everywhere("departures of M/M/P and P rho / E[S]", grid(**domain).measure(busy), equal(1e-9))],
    )


@check("thesis-5-088", name="GPPS")
def name_of_the_local_policy(name="GPSS"):
    """Which local policy has the name that is printed; the control asks for the right one."""
    return mended(
        fact(f"a policy is called {name}", name in {*LOCAL, *uniprocessor.POLICIES}, f"no policy is called {name}"),
        fact("the ideal local policy is GPPS", "GPPS" in LOCAL, "no local policy is called GPPS"),
    )


@check("thesis-5-113", gap=2)
def balance_loses_nothing(gap=1):
    """The library's loss by numbers, and how the work is spread; the control lets the numbers differ by two."""

    def loss(lengths):
        weights = np.repeat(np.eye(len(lengths)) / np.maximum(lengths, 1)[:, None], lengths, axis=0)
        return State([1 / len(lengths)] * len(lengths), [0.5, 0.5], [0] * sum(lengths), weights).capacity_loss

    off, lost, worse = [], [], []
    for P in (2, 3, 4):
        least = {}
        for lengths in numbers(P):
            spread = max(lengths), sum(n * n for n in lengths)
            least[sum(lengths)] = min(least.get(sum(lengths), spread), spread)
        for lengths in numbers(P):
            found, jobs = loss(lengths), sum(lengths)
            off.append(found - (min(jobs, P) - sum(n > 0 for n in lengths)) / P)
            if np.ptp(lengths) <= gap:
                lost.append(abs(found) > 1e-12)
                worse.append((max(lengths), sum(n * n for n in lengths)) != least[jobs])
    return conclude(
        everywhere("the library's loss and (2.42)", exact(off, state=None), equal(1e-12)),
        none(len(lost), "state in balance", "lost capacity", sum(lost)),
        none(len(worse), "state in balance", "spread the work less well than it could", sum(worse)),
        whole=True,
    )


def _gap(lengths):
    """The largest difference of two jobs' service rates, in units of a processor."""
    rates = [Fraction(1, n) for n in lengths if n]
    return max(rates) - min(rates) if rates else Fraction(0)


@check("thesis-5-114", crowded=True)
def no_migration_helps(crowded=False):
    """Every move of one job from a balanced state; the control takes states with 2 P jobs or more."""
    moves, better = 0, []
    for P in (2, 3, 4):
        for lengths in numbers(P):
            if np.ptp(lengths) > 1 or (crowded and sum(lengths) < 2 * P):
                continue
            for p, q in itertools.permutations(range(P), 2):
                if lengths[p]:
                    after = [n - (k == p) + (k == q) for k, n in enumerate(lengths)]
                    moves += 1
                    if _gap(after) < _gap(lengths):
                        better.append((f"{sum(lengths)} jobs on {P}", after[p] > 0))
    where = ", ".join(sorted({place for place, _ in better}))
    return mended(
        fact("no move makes the difference of rates smaller", not better, f"a move makes it smaller with {where}"),
        none(moves, "move", "made it smaller and left no processor idle", sum(in_use for _, in_use in better)),
    )


@check("thesis-5-115", speeds=(2, 1))
def loss_in_the_future(speeds=None):
    """Expected loss until the system is empty; the control has two processors of speeds 2 and 1."""
    futures = {P: _future_losses(speeds or (1,) * P) for P in (2, 3)[: 1 if speeds else 2]}

    def least_of_others(P, jobs):
        found = {lengths: lost for lengths, lost in futures[P].items() if sum(lengths) == jobs}
        balanced = max(lost for lengths, lost in found.items() if np.ptp(lengths) <= 1)
        return min(lost for lengths, lost in found.items() if np.ptp(lengths) > 1) - balanced

    found = grid(number_of_processors=(2, 3) if speeds is None else (2,), number_of_jobs=range(2, MOST + 1))
    return conclude(
        everywhere("what states out of balance lose more until the system is empty, in mean times of a job,",
                   found.measure(least_of_others), larger(1e-12))
    )  # fmt: skip


def _future_losses(speeds):
    """The expected loss until all jobs have left, for all numbers of jobs: from what they can obtain (2.12)."""
    capacities, found = np.array(speeds) / sum(speeds), {}
    for lengths in sorted(numbers(len(speeds)), key=sum):
        rates = np.where(np.array(lengths) > 0, capacities, 0.0)
        lost = maximum_obtainable_share(sum(lengths), capacities) - rates.sum()
        after = sum(rates[p] * found[*lengths[:p], n - 1, *lengths[p + 1 :]] for p, n in enumerate(lengths) if n)
        found[lengths] = float((lost + after) / rates.sum()) if sum(lengths) else 0.0
    return found


@check("thesis-5-116", groups=(1,))
def two_balances(groups=(2, 3)):
    """States with one balance and not the other, least examples; the control has one group."""
    kinds = {"system": [], "group": []}
    for P, G in itertools.product((2, 3), groups):
        for state in every_state(P, G, 6):
            of_all = in_system_balance(state)
            if of_all != in_group_balance(state):
                kinds["system" if of_all else "group"].append((sum(map(sum, state)), state))
    return conclude(*(
        fact(f"{len(found)} states are in {kind} balance only, the least {min(found)[1] if found else ''}", found,
             f"no state is in {kind} balance only")
        for kind, found in kinds.items()
    ), whole=True)  # fmt: skip
