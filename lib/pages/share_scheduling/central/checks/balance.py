"""Claims of `thesis`, Sections 5.1 to 5.4: the model and its numbers, system balance and group balance."""

import itertools
from fractions import Fraction
from functools import cache

import numpy as np

from clustershare import dispatch, uniprocessor
from clustershare.dispatch.central import LOCAL
from clustershare.shares import State
from compendium.press.findings import check, erratum, finding, over_domain
from compendium.press.words import SCALE
from pages.share_scheduling.central.states import every_state, in_group_balance, in_system_balance

MOST = 12  # jobs


def numbers(processors):
    """All numbers of jobs on so many processors, and those in falling order."""
    found = [tuple(n for (n,) in state) for state in every_state(processors, 1, MOST)]
    return found, [lengths for lengths in found if all(a >= b for a, b in itertools.pairwise(lengths))]


@check("thesis-5-078", usable=(0.8, 0.84))
def time_to_migrate(usable=(1.0, 1.0)):
    """100 megabytes over 1 Gbps, decimal and binary; in the control overhead takes a part of the network."""
    seconds = [8 * size / (1e9 * part) for size, part in zip((1e8, 100 * 2**20), usable)]
    return over_domain(
        f"{seconds[0]:.2f} s, {seconds[1]:.2f} s with binary megabytes: of the order of a second",
        [SCALE["close"].allows(abs(value - 1) / max(value, 1)) for value in seconds],
    )


@check("thesis-5-106", megabytes=1)
def cost_of_migration(megabytes=100):
    """Two migrations a job, against its service time; the control has small jobs."""
    minutes = np.array([1, 2, 3, 5, 10, 30, 60, 180, 600])
    parts = 2 * 8e6 * megabytes / 1e9 / (60 * minutes)
    good = parts <= SCALE["practically equal"].most
    return over_domain(
        f"{100 * parts[0]:.1f} % of a minute, {100 * parts[-1]:.3f} % of ten hours; at most 1 % from "
        f"{minutes[good][0] if good.any() else 0} minutes on", good,
    )  # fmt: skip


@check("thesis-5-102", most=10)
def time_between_events(most=99):
    """Arrivals and departures, the latter from the library's law of M/M/P; the control has up to ten processors."""
    seconds = np.array([60, 180, 600, 1800, 3600, 10_800, 36_000])
    between, known = [], True
    for P in (2, 5, 10, 20, 50, 99):
        for load in (*(round(0.1 * k, 12) for k in range(1, 10)), 0.99):
            if P > most:
                continue
            law = dispatch.numbers_in_one_line(load, P, P)
            busy = np.arange(P + 1) @ law + P * (1 - law.sum())
            known &= abs(busy / (P * load) - 1) <= 1e-9
            between.append((P, load, seconds / (2 * P * load)))
    shortest = min(row[2][0] for row in between)
    return over_domain(
        f"shortest {shortest:.2f} s, with jobs of a minute; from 1 s on in all with jobs of "
        f"{min(s for k, s in enumerate(seconds) if all(row[2][k] >= 1 for row in between)) // 60} minutes or more",
        [known and value >= 1 for row in between for value in row[2]],
    )  # fmt: skip


@check("thesis-5-088", name="GPPS")
def name_of_the_local_policy(name="GPSS"):
    """Which local policy has the name that is printed; the control asks for the right one."""
    known = {*LOCAL, *uniprocessor.POLICIES}
    return erratum(f"policies called {name}: {'one' if name in known else 'none'}; the ideal local policy is GPPS",
                   name in known, "GPPS" in LOCAL)  # fmt: skip


@check("thesis-5-113", gap=2)
def balance_loses_nothing(gap=1):
    """The library's loss by numbers, and how the work is spread; the control lets the numbers differ by two."""
    wrong = lossy = worse = states = 0
    for P in (2, 3, 4):
        least = {}
        found, ordered = numbers(P)
        for lengths in ordered:
            spread = (lengths[0], sum(n * n for n in lengths))
            least[sum(lengths)] = min(least.get(sum(lengths), spread), spread)
        for lengths in found:
            states += 1
            jobs = sum(lengths)
            busy = sum(n > 0 for n in lengths)
            weights = np.repeat(np.eye(P) / np.maximum(lengths, 1)[:, None], lengths, axis=0)
            loss = State([1 / P] * P, [0.5, 0.5], [0] * jobs, weights).capacity_loss
            wrong += abs(loss - (min(jobs, P) - busy) / P) > 1e-12
            if max(lengths) - min(lengths) <= gap:
                lossy += abs(loss) > 1e-12
                worse += (max(lengths), sum(n * n for n in lengths)) != least[jobs]
    return finding(f"of {states} states {wrong} with another loss; of those in balance {lossy} lose capacity, "
                   f"and {worse} spread the work less well than they could",
                   not wrong and not lossy and not worse)  # fmt: skip


def _gap(lengths):
    """The largest difference of two jobs' service rates, in units of a processor."""
    rates = [Fraction(1, n) for n in lengths if n]
    return max(rates) - min(rates) if rates else Fraction(0)


@check("thesis-5-114", crowded=True)
def no_migration_helps(crowded=False):
    """Every move of one job from a balanced state; the control takes states with 2 P jobs or more."""
    better, in_use, failing = 0, 0, set()
    for P in (2, 3, 4):
        for lengths in numbers(P)[1]:
            if lengths[0] - lengths[-1] > 1 or (crowded and sum(lengths) < 2 * P):
                continue
            for p, q in itertools.permutations(range(P), 2):
                if not lengths[p]:
                    continue
                after = list(lengths)
                after[p] -= 1
                after[q] += 1
                if _gap(after) < _gap(lengths):
                    better += 1
                    in_use += after[p] > 0
                    failing.add((P, sum(lengths)))
    told = ", ".join(f"{N} jobs on {P}" for P, N in sorted(failing))
    return erratum(f"a move makes the difference smaller with {told or 'no numbers at all'}; of those that leave no "
                   f"processor idle {'none does' if not in_use else 'some do'}", not better, not in_use)  # fmt: skip


@check("thesis-5-115", speeds=(2, 1))
def loss_in_the_future(speeds=None):
    """Expected loss until the system is empty, exactly; the control has two processors of speeds 2 and 1."""
    wrong, closest = 0, None
    for P in (2, 3) if speeds is None else (2,):
        capacities = [Fraction(c, sum(speeds or (1,) * P)) for c in speeds or (1,) * P]

        @cache
        def future(lengths, capacities=tuple(capacities)):
            rate = sum(c for c, n in zip(capacities, lengths) if n)
            if not rate:
                return Fraction(0)
            lost = sum(sorted(capacities, reverse=True)[: sum(lengths)]) - rate
            after = Fraction(0)
            for p, n in enumerate(lengths):
                if n:
                    after += capacities[p] * future((*lengths[:p], n - 1, *lengths[p + 1 :]))
            return (lost + after) / rate

        for jobs in range(1, MOST + 1):
            states = [lengths for lengths in numbers(P)[0] if sum(lengths) == jobs]
            spread = [max(lengths) - min(lengths) <= 1 for lengths in states]
            least = max(future(lengths) for lengths, good in zip(states, spread) if good)
            others = [future(lengths) - least for lengths, good in zip(states, spread) if not good]
            wrong += any(other <= 1e-12 for other in others)
            closest = min([*others, *([] if closest is None else [closest])], default=None)
    told = "not always more" if wrong else f"more, by {float(closest):.2g} at least"
    return finding(
        f"every state out of balance loses {told}, in units of the time that the system serves a job in", not wrong
    )


@check("thesis-5-116", groups=(1,))
def two_balances(groups=(2, 3)):
    """States with one balance and not the other, least examples; the control has one group."""
    kinds = {"system only": [], "groups only": []}
    for P, G in itertools.product((2, 3), groups):
        for state in every_state(P, G, 6):
            of_all = in_system_balance(state)
            if of_all != in_group_balance(state):
                kinds["system only" if of_all else "groups only"].append((sum(map(sum, state)), P, G, state))
    told = [
        f"{name}: {len(found)} states" + (f", the least {min(found)[3]}" if found else "")
        for name, found in kinds.items()
    ]
    return finding("; ".join(told), all(kinds.values()))
