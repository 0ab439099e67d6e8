"""Claims of `thesis`, Section 5.4: system balance and group balance."""

import itertools
from fractions import Fraction

import numpy as np

from clustershare.shares import State
from compendium.press.clauses import conclude, everywhere, exact, fact, grid, mended, none
from compendium.press.clauses.conditions import equal, larger
from compendium.press.findings import check
from pages.share_scheduling.central.printed.rules import Rules
from pages.share_scheduling.central.witnesses.as_printed import chain_as_printed
from pages.share_scheduling.central.witnesses.compiled import Compiled
from pages.share_scheduling.central.witnesses.reached import reached
from pages.share_scheduling.central.witnesses.states import every_state, in_group_balance, in_system_balance

MOST = 12  # jobs


def numbers(processors):
    """All numbers of jobs on so many processors."""
    return [tuple(n for (n,) in state) for state in every_state(processors, 1, MOST)]


def _loss(lengths, speeds, groups=1, second=1.0):
    """The library's loss where so many jobs share each processor, alike or every second job so much less.

    Of several groups in turn each has a job.
    """
    claims = [(p, second if n % 2 else 1.0) for p, length in enumerate(lengths) for n in range(length)]
    weights = np.zeros((len(claims), len(lengths)))
    for j, (p, claim) in enumerate(claims):
        weights[j, p] = claim
    weights /= np.maximum(weights.sum(axis=0), 1e-300)
    state = State(np.array(speeds) / sum(speeds), [0.5, 0.5], [j % groups for j in range(len(claims))], weights)
    return state.capacity_loss


@check("thesis-5-113", gap=2)
def balance_loses_nothing(gap=1):
    """The library's loss by numbers, and how the work is spread; the control lets the numbers differ by two."""

    off, lost, worse = [], [], []
    for P in (2, 3, 4):
        least = {}
        for lengths in numbers(P):
            spread = max(lengths), sum(n * n for n in lengths)
            least[sum(lengths)] = min(least.get(sum(lengths), spread), spread)
        for lengths in numbers(P):
            found, jobs = _loss(lengths, (1,) * P), sum(lengths)
            other = _loss(lengths, (1,) * P, groups=2, second=1 / 9)
            expected = (min(jobs, P) - sum(n > 0 for n in lengths)) / P
            off.append(max(abs(found - expected), abs(other - expected)))
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
    moves, better, off = 0, [], 0.0
    for P in (2, 3, 4):
        compiled = Compiled("JSQ", (0.6, 0.4), P)
        for lengths in numbers(P):
            jobs = np.array([((n + 1) // 2, n // 2) for n in lengths])
            off = max(off, np.abs(compiled.served(jobs) * np.maximum(lengths, 1)[:, None] - jobs).max())
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
        everywhere("in the library, the rates of the jobs with PS and one over their number", exact(off), equal(1e-12)),
    )


@check("thesis-5-115", speeds=(2, 1))
def loss_in_the_future(speeds=None):
    """Expected loss until the system is empty; the control has two processors of speeds 2 and 1."""
    futures = {P: _future_losses(speeds or (1,) * P) for P in (2, 3)[: 1 if speeds else 2]}

    def least_of_others(P, jobs):
        found = {lengths: lost for lengths, lost in futures[P].items() if sum(lengths) == jobs}
        balanced = max(lost for lengths, lost in found.items() if np.ptp(lengths) <= 1)
        return min(lost for lengths, lost in found.items() if np.ptp(lengths) > 1) - balanced

    off = [
        _loss(lengths, (1,) * P) - (min(sum(lengths), P) - sum(n > 0 for n in lengths)) / P
        for P in (2, 3) for lengths in numbers(P)
    ]  # fmt: skip
    found = grid(number_of_processors=(2, 3) if speeds is None else (2,), number_of_jobs=range(2, MOST + 1))
    return conclude(
        everywhere("what states out of balance lose more until the system is empty, in mean times of a job,",
                   found.measure(least_of_others), larger(1e-12)),
        provided=[everywhere("the library's loss and (min(N, P) - busy)/P", exact(off, state=None), equal(1e-12))],
    )  # fmt: skip


def _future_losses(speeds):
    """The expected loss until all jobs have left, for all numbers of jobs, from the library's in each state."""
    capacities, found = np.array(speeds) / sum(speeds), {}
    for lengths in sorted(numbers(len(speeds)), key=sum):
        rates = np.where(np.array(lengths) > 0, capacities, 0.0)
        after = sum(rates[p] * found[*lengths[:p], n - 1, *lengths[p + 1 :]] for p, n in enumerate(lengths) if n)
        found[lengths] = float((_loss(lengths, speeds) + after) / rates.sum()) if sum(lengths) else 0.0
    return found


@check("thesis-5-116", groups=(1,))
def two_balances(groups=(2, 3)):
    """States with one balance and not the other, least examples, and who comes to them; the control has one group."""
    balances = {"system": in_system_balance, "group": in_group_balance}
    kinds = {"system": [], "group": []}
    for P, G in itertools.product((2, 3), groups):
        for state in every_state(P, G, 6):
            of_all = in_system_balance(state)
            if of_all != in_group_balance(state):
                kinds["system" if of_all else "group"].append((sum(map(sum, state)), state))
    shares, come = (Fraction(1, groups[-1]),) * groups[-1], {}
    for policy, kind in (("JSQ", "system"), ("HP", "group")):
        states = reached(Rules(policy, shares, 2, True), 5)
        come[policy, kind] = sum(balances[kind](state) and not all(each(state) for each in balances.values())
                                 for state in states)  # fmt: skip
    return conclude(
        *(
            fact(f"{len(found)} states are in {kind} balance only, the least {min(found)[1] if found else ''}", found,
                 f"no state is in {kind} balance only")
            for kind, found in kinds.items()
        ),
        *(
            fact(f"{policy} comes to {number} states in {kind} balance only", number,
                 f"{policy} comes to no state in {kind} balance only")
            for (policy, kind), number in come.items()
        ),
        *([chain_as_printed(("JSQ", "HP"), [(2, shares)], (True,))] if len(shares) > 1 else []),
        whole=True,
    )  # fmt: skip
