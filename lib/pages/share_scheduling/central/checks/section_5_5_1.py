"""Claims of `thesis`, Section 5.5.1, (5.2)-(5.8): Join Shortest Queue, its law with migration, and queueing."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import scipy.sparse.linalg as spla
from scipy import optimize, sparse

from clustershare import dispatch, markov
from clustershare.shares import feasible_group_share, group_share_deviation, maximum_obtainable_share
from compendium.press.clauses import (
    aside,
    at_each,
    cases,
    conclude,
    everywhere,
    exact,
    fact,
    grid,
    measured,
    mended,
    none,
)
from compendium.press.clauses.conditions import agrees, at_least, at_most, equal, larger, rises, within
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.central.points import by_case as points
from pages.share_scheduling.central.points import simulated
from pages.share_scheduling.central.points.by_case import CASES, LOSS, SPREAD, VERTICAL
from pages.share_scheduling.central.printed import closed_forms
from pages.share_scheduling.central.printed.closed_forms import Group
from pages.share_scheduling.central.printed.rules import Rules, departure, outcomes
from pages.share_scheduling.central.systems import LOADS, LOCAL
from pages.share_scheduling.central.witnesses import groups_apart, lengths, reached
from pages.share_scheduling.central.witnesses.as_printed import chain_as_printed
from pages.share_scheduling.central.witnesses.compiled import Compiled
from pages.share_scheduling.central.witnesses.no_loss import by_library_chain
from pages.share_scheduling.central.witnesses.states import (
    every_state,
    in_group_balance,
    in_system_balance,
    without_loss,
)

MANY = (*range(1, 21), 50, 100)
TWENTIETHS = tuple(round(0.05 * k, 12) for k in range(1, 20))
MOST = 12  # jobs
ALIKE = tuple((P, (Fraction(1, 2),) * 2) for P in (2, 3))  # processors and required shares


def _most(load, lost):
    return 4 + int(np.ceil(np.log(lost) / np.log(load)))


@check("thesis-5-001", migration=False)
def law_of_the_number(migration=True):
    """The chain of the printed rules against M/M/P, and the simulated mean numbers of Figure 5.16."""

    def gaps(P, load):
        most = _most(load, 1e-10)
        if P == 2 and migration and load in (0.1, 0.4, 0.7):
            jobs, probability = groups_apart.law("JSQ", True, "PS", (0.5, 0.5), (0.3 * load, 0.7 * load), 2, most)
            number = jobs.sum(axis=(1, 2))
        else:
            found, probability = lengths.law(load, P, most, 1 if migration else most, migration=migration)
            number = found.sum(axis=1)
        law, right = np.bincount(number, probability), closed_forms.birth_and_death(load, P)
        return {
            "chain": np.abs(law - right[: len(law)]).max(),
            "library": np.abs(dispatch.numbers_in_one_line(load, P, most) - right[: most + 1]).max(),
        }

    def library(P, load, cut):
        own = dict(required_shares=(0.5, 0.5), loads=(0.3 * load, 0.7 * load), processors=P)
        jobs = dispatch.exact_central("JSQ", migration=migration, most_jobs=cut, **own).mean_jobs.sum()
        law = closed_forms.birth_and_death(load, P)
        return jobs / (np.arange(len(law)) @ law) - 1

    loads = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7) if migration else (0.5,)
    by_rules = cases("system", ((2, 0.1, 10), (2, 0.3, 16), (3, 0.1, 8))).measure(library)
    found = grid(number_of_processors=(2, 3), load=loads).measure(gaps)
    one, other = (points.of("case 1", "mean_jobs", True, group=g).at(policy="JSQ", local_policy="PS") for g in (0, 1))
    expected = [
        dispatch.shortest_queue_with_migration((0.5, 0.5), (load / 2, load / 2), 10).mean_jobs.sum() for load in LOADS
    ]
    number = measured(one.value + other.value, one.half + other.half, load=LOADS)
    return conclude(
        everywhere("the law of the number by the chain and that of M/M/P", found["chain"], equal(1e-8)),
        everywhere("that of the library and of M/M/P", found["library"], equal(1e-8)),
        everywhere("the mean number by the library's chain of its rules, over that of M/M/P, less 1,", by_rules,
                   equal(1e-4)),
        everywhere("the mean number as simulated, less that of M/M/P,", number - np.array(expected), agrees()),
        whole=True,
    )  # fmt: skip


@check("thesis-5-003", local="GPPS")
def groups_given_the_number(local="PS"):
    """(5.4) against the chain of the printed rules with the groups apart; the control serves by GPPS, 0.9 and 0.1."""

    def gap(P, load, parts, shares):
        loads, worst = tuple(round(part * load, 12) for part in parts), 0.0
        answers = [dispatch.shortest_queue_with_migration(shares, loads, P)]
        jobs, probability = groups_apart.law("JSQ", True, local, shares, loads, P, _most(load, 1e-10))
        first, number = jobs[:, :, 0].sum(axis=1), jobs.sum(axis=(1, 2))
        size = number.max() + 1
        joint = np.bincount(number * size + first, probability, size * size).reshape(size, size)
        seen, binomial = np.flatnonzero(joint.sum(axis=1) > 1e-6), np.ones(1)
        for n in range(seen[-1] + 1):
            worst = max(worst, np.abs(joint[n, : n + 1] / joint[n].sum() - binomial).max())
            binomial = np.append(binomial * (1 - parts[0]), 0.0) + np.append(0.0, binomial * parts[0])
        feasible = probability @ feasible_group_share(np.array(shares), jobs.sum(axis=1), P)
        if (P, load, local) == (2, 0.1, "PS") and len(shares) == 2:  # and by the chain of the rules
            answers.append(dispatch.exact_central(
                "JSQ", migration=True, required_shares=shares, loads=loads, processors=P, most_jobs=10
            ))  # fmt: skip
        library = [each.group_share_deviation * shares + loads for each in answers]
        return {"law": worst, "library": np.abs(library - feasible).max()}

    kinds = ((2, 0.1), (2, 0.3), (2, 0.5), (2, 0.7), (3, 0.1), (3, 0.3)) if local == "PS" else ((2, 0.5),)
    systems = [(*kind, (part, 1 - part), (0.9, 0.1)) for kind in kinds for part in (0.1, 0.3, 0.5)]
    if local == "PS":
        systems.append((2, 0.1, (0.2, 0.3, 0.5), (0.6, 0.3, 0.1)))
    found = cases("system", systems).measure(gap)
    return conclude(
        everywhere("the law of a group's number, given that of all, and the binomial one", found["law"], equal(1e-8)),
        everywhere("the library's expected feasible shares, by binomial laws, and the chain's", found["library"],
                   equal(1e-8)),
        whole=True,
    )  # fmt: skip


@check("thesis-5-007", random=True)
def probability_of_queueing(random=False):
    """The curve of Figure 5.1; the control sends jobs to processors at random."""

    def curve(load, P):
        return load if random else dispatch.queueing_probability(load, P)

    small, drawn = SCALE["very close"].most, (1, 2, 5, 10, 20, 50, 100, 1000)

    def begins(P):
        """The load at which the probability is small: 1 less a few times the root of 1 / P, for many processors."""
        low, high = (0.001, 0.9999) if P < 100 else (1 - 2.6 / np.sqrt(P), 1 - 1.6 / np.sqrt(P))
        return 0.02 if random else _crossing(lambda load: curve(load, P) - small, low, high)

    def summed(P, load):
        """What is above the largest number summed is a geometric rest; and by the rates up and down."""
        if random:
            return {"library": 0.0, "rates": 0.0}
        return {
            "library": dispatch.numbers_in_one_line(load, P, P)[P] / (1 - load) - curve(load, P),
            "rates": 1 - closed_forms.birth_and_death(load, P)[:P].sum() - curve(load, P),
        }

    values = grid(number_of_processors=drawn, load=tuple(range(1, 100))).measure(lambda P, load: curve(load / 100, P))
    start = cases("number of processors", (*drawn, 10_000, 100_000, 1_000_000)).measure(begins)
    left = (start - 1).at(number_of_processors=tuple(10**k for k in range(1, 7)))
    own = start.at(number_of_processors=drawn)
    sums = grid(number_of_processors=drawn, load=(0.1, 0.5, 0.9, 0.99)).measure(summed)
    return conclude(
        at_each("the slope from 0.02 on, as many times that of one processor, less 2", exact(
            (1 - small) / (1 - own.value) - 2, number_of_processors=drawn), at_least(0)),
        aside("the load at which the probability is 0.02", start),
        provided=[
            everywhere("a step of the probability as the load rises", values.steps("load"), at_least(0)),
            everywhere("from a load of 0.5 to 0.99 it", values.at(load=99) - values.at(load=50), larger()),
            everywhere("near load 1 it", cases("number of processors", drawn).measure(lambda P: curve(1 - 1e-6, P)),
                       larger(0.99)),
            everywhere("the load at which it is 0.02", start.steps("number of processors"), rises()),
            everywhere("what that load lacks of 1, for a million,", -left.at(number_of_processors=1_000_000),
                       at_most(0.01)),
            everywhere("the curve and the sum of the law", sums["library"], equal(1e-10)),
            everywhere("the curve and that by the rates up and down", sums["rates"], equal(1e-10)),
        ],
    )  # fmt: skip


def _crossing(curve, low, high):
    """Where a rising curve is 0, or the end beyond which that must be."""
    if curve(low) >= 0 or curve(high) <= 0:
        return low if curve(low) >= 0 else high
    return optimize.brentq(curve, low, high, xtol=1e-6)


def _alone(P, migration=True, **changed):
    """The printed rules of JSQ for one group, and the library's."""
    return Rules("JSQ", (Fraction(1),), P, migration, **changed), Compiled("JSQ", (0.5, 0.5), P, migration)


def _of_two(jobs):
    """The same state with a second group that has no jobs."""
    return tuple((n, 0) for (n,) in jobs)


def _differs(rules, compiled, jobs, q=None):
    """Whether the library does something else in an event of the first group."""
    printed = {_of_two(state): chance for state, chance in outcomes(rules, jobs, 0, q).items()}
    return compiled.outcomes(_of_two(jobs), 0, q) != printed


@check("thesis-5-009", changed=("random of two",))
def what_is_kept(changed=()):
    """Every state, event and tie, by the printed rules and the library's; the control looks at two processors."""
    found = Counter()
    for P in (2, 3, 4):
        rules, compiled = _alone(P, changed=changed)
        still, compiled_still = _alone(P, False, changed=changed)
        for jobs in every_state(P, 1, MOST):
            balanced = in_system_balance(jobs)
            for q in (None, *(p for p, (n,) in enumerate(jobs) if n and balanced)):
                after = outcomes(rules, jobs, 0, q)
                found["seen"] += 1
                found["unlike"] += not changed and _differs(rules, compiled, jobs, q)
                found["balance"] += balanced and not all(map(in_system_balance, after))
                found["loss"] += without_loss(jobs) and not all(map(without_loss, after))
                if q is not None:
                    left = outcomes(still, jobs, 0, q)
                    found["unlike"] += not changed and _differs(still, compiled_still, jobs, q)
                    found["balance without"] += not all(map(in_system_balance, left))
                    found["loss without"] += not all(map(without_loss, left))
    lost = points.over(tuple(CASES)[1:], lambda case: points.of(case, LOSS, True).at(policy="JSQ"))
    both = found["balance without"] and found["loss without"]
    return conclude(
        none(found["seen"], "event", "ended system balance", found["balance"]),
        none(found["seen"], "event", "brought a loss", found["loss"]),
        none(found["seen"], "event", "went otherwise in the library", found["unlike"]),
        fact("without migration departures do either", both, "without migration departures do not do both"),
        *by_library_chain("JSQ"),
        chain_as_printed(("JSQ",), ALIKE, (False, True)),
        everywhere("the simulated loss with migration", lost, within(1e-12)),
        whole=True,
    )


@check("thesis-5-010", by_group=True)
def after_a_departure(by_group=False):
    """Gaps after a departure from a balanced state, and M1 in any state; the control has balance of each group only."""
    largest, wider, unlike = 0, [], []
    for P in (2, 3, 4):
        rules, compiled = _alone(P)
        for jobs in every_state(P, 1, MOST):
            for q in (p for p, (n,) in enumerate(jobs) if n):
                left = [n - (p == q) for p, (n,) in enumerate(jobs)]
                if in_system_balance(jobs):
                    largest = max(largest, max(left) - left[q])
                    continue
                unlike.append(_differs(rules, compiled, jobs, q))
                for out in departure(rules, jobs, 0, q):
                    for p, numbers in ((move.source, [n for (n,) in out.state]) for move in out.moves):
                        wider.append(
                            abs(numbers[p] - numbers[q]) >= abs(left[p] - left[q]) or np.ptp(numbers) > np.ptp(left)
                        )
    if by_group:
        for jobs in filter(in_group_balance, every_state(2, 2, MOST)):
            totals = [sum(row) for row in jobs]
            largest = max([largest, *(max(totals) - (n - 1) for n in totals if n)])
    return conclude(
        everywhere(
            "how many jobs more there may be than on q after a departure from balance", exact(largest), at_most(2)
        ),
        none(len(wider), "move out of balance", "widened a difference", sum(wider)),
        none(len(unlike), "departure", "went otherwise in the library", sum(unlike)),
        chain_as_printed(("JSQ",), ALIKE, (True,)),
        whole=True,
    )


def _values(load, P, most, rates=None):
    """Relative values of the states of JSQ, by the number of jobs: all lengths up to `most`, as an array.

    Without rates processors are alike, and lengths in falling order stand for all of their orders.
    """
    rank = (lambda lengths: lengths) if rates else (lambda lengths: -np.sort(-lengths, axis=0))
    everything = np.indices((most + 1,) * P)
    cells = np.unique(rank(everything.reshape(P, -1)), axis=1)
    place = np.zeros((most + 1,) * P, dtype=np.int64)
    place[tuple(cells)] = np.arange(cells.shape[1])
    place = place[tuple(rank(everything.reshape(P, -1)))]
    strides = [(most + 1) ** (P - 1 - p) for p in range(P)]
    ties = cells == cells.min(axis=0)
    rows, columns, speeds = [], [], []
    for p in range(P):
        up, down = np.flatnonzero(ties[p] & (cells[p] < most)), np.flatnonzero(cells[p] > 0)
        for these, by in ((up, 1), (down, -1)):
            rows.append(these)
            columns.append(place[strides @ cells[:, these] + by * strides[p]])
        speeds += [load / ties[:, up].sum(axis=0), np.full(len(down), rates[p] if rates else 1 / P)]
    Q = markov.generator(cells.shape[1], *map(np.concatenate, (rows, columns, speeds)))
    # Q h = mean - jobs, with h = 0 in the first state: the mean takes the place of that unknown.
    matrix = sparse.csc_array(sparse.hstack([-np.ones((cells.shape[1], 1)), Q[:, 1:]]))
    found = spla.spsolve(matrix, -cells.sum(axis=0).astype(float))
    found[0] = 0.0
    return found[place].reshape((most + 1,) * P)


@check("thesis-5-119", rates=(2 / 3, 1 / 3))
def no_better_place(rates=None):
    """Relative values of JSQ: elsewhere than in a shortest queue is never better; the control has two speeds."""
    worse, states = 0, 0
    for P, most, seen, loads in ((2, 60, 15, (0.3, 0.5, 0.7, 0.9)), (3, 25, 8, (0.3, 0.5, 0.7))):
        inner = np.indices((seen + 1,) * P).reshape(P, -1)
        chosen = _chosen(P, inner)
        for load in loads if P == 2 or not rates else ():
            values = _values(load, P, most, rates)
            after = np.array([values[tuple(inner + np.eye(P, dtype=int)[:, [p]])] for p in range(P)])
            worse += int((after.min(axis=0) < np.where(chosen, after, -np.inf).max(axis=0) - 1e-9).sum())
            states += inner.shape[1]
    return conclude(
        none(states, "state", "had a better place than one that the library's JSQ may choose", worse),
        everywhere("by the library's chain, the mean number of jobs with other rules less that with JSQ",
                   grid(policy=("HP", "SVP", "DVP", "JSQ(2)", "SPILL"), system=((2, 0.1, 7), (2, 0.2, 10), (3, 0.1, 5)))
                   .measure(_more_jobs), at_least(-1e-6)),
        whole=True,
    )  # fmt: skip


def _more_jobs(policy, system):
    """The mean number of jobs by the library's chain, less that with JSQ."""
    P, load, most = system
    common = {"required_shares": (0.5, 0.5), "loads": (load / 2, load / 2), "processors": P, "most_jobs": most}
    other, own = (dispatch.exact_central(name, **common).mean_jobs.sum() for name in (policy, "JSQ"))
    return other - own


def _chosen(P, lengths):
    """Which processors the library's JSQ may choose for a job, for each column of lengths."""
    compiled = Compiled("JSQ", (0.5, 0.5), P)
    found = np.zeros(lengths.shape, dtype=bool)
    for k, numbers in enumerate(lengths.T.tolist()):
        for to in compiled.outcomes(_of_two([(n,) for n in numbers]), 0):
            found[:, k] |= np.array(to)[:, 0] > numbers
    return found


@check("thesis-5-002", power=0)
def normalising_constant(power=1):
    """(5.3) against the sum of the terms of (5.2), corrected, and the library's law."""

    def gaps(P, load):
        summed = 1 / closed_forms.terms(closed_forms.enough(load, P), load, P).sum()
        forms = {"printed": closed_forms.none(load, P, power), "library": dispatch.numbers_in_one_line(load, P, 0)[0]}
        return {name: form / summed - 1 for name, form in forms.items()}

    found = grid(number_of_processors=MANY, load=TWENTIETHS).measure(gaps)
    return conclude(
        everywhere("(5.3) and the sum of the terms of (5.2)", found["printed"], equal(1e-10)),
        everywhere("the library's P[N = 0] and that sum", found["library"], equal(1e-10)),
        whole=True,
    )


@check("thesis-5-079", migration=False)
def law_of_numbers(migration=True):
    """(5.2) in both forms and the library's against rates up and down; the control is JSQ without migration."""

    def gaps(P, load):
        if migration:
            right = closed_forms.birth_and_death(load, P)
        else:
            found, probability = lengths.law(load, P, 40, 40)
            right = np.bincount(found.sum(axis=1), probability)
        forms = {"printed": closed_forms.law(load, P, True), "corrected": closed_forms.law(load, P, False),
                 "library": dispatch.numbers_in_one_line(load, P, len(right) - 1)}  # fmt: skip
        shortest = {name: min(len(form), len(right)) for name, form in forms.items()}
        return {
            name: np.abs(form[:n] / right[:n] - 1).max() for (name, form), n in zip(forms.items(), shortest.values())
        }

    domain = {"number_of_processors": MANY, "load": TWENTIETHS} if migration else {
        "number_of_processors": (2, 3), "load": (0.3, 0.5)
    }  # fmt: skip
    found = grid(**domain).measure(gaps)
    return mended(
        everywhere("as printed, (5.2) and the law of M/M/P", found["printed"], equal(1e-9)),
        everywhere("corrected, (5.2) and the law of M/M/P", found["corrected"], equal(1e-9)),
        everywhere("the library's law and that of M/M/P", found["library"], equal(1e-9)),
    )


def _by_chain(group):
    """E[f_g] from the chain of the jobs of a group and of all others in M/M/P with PS."""
    r, own, load, P = group
    most = P + math.ceil(math.log(1e-11) / math.log(load))
    i, j = np.divmod(np.arange((most + 1) ** 2), most + 1)
    i, j = (numbers[i + j <= most] for numbers in (i, j))
    place = np.full((most + 2, most + 2), -1)
    place[i, j] = np.arange(len(i))
    rate = np.minimum(i + j, P) / P / np.maximum(i + j, 1)
    moves = [(i + 1, j, own), (i, j + 1, load - own), (i - 1, j, rate * i), (i, j - 1, rate * j)]
    rows, columns, rates = [], [], []
    for to, other, speed in moves:
        inside = (to >= 0) & (other >= 0) & (to + other <= most)
        rows.append(np.flatnonzero(inside))
        columns.append(place[to[inside], other[inside]])
        rates.append(np.broadcast_to(speed, len(i))[inside])
    Q = markov.generator(len(i), *map(np.concatenate, (rows, columns, rates)))
    return float(markov.iterate(Q, load ** (i + j), 1e-12) @ np.minimum(r, i / P))


def _systems(values, chosen=None):
    """Numbers, one for each random system or some of them."""
    return exact(np.asarray(values)[slice(None) if chosen is None else chosen], random_system=None)


def _library(group, others=((1, 1),)):
    """E[f_g] of a group and of all other jobs as another or as several, from the deviations that the library gives.

    Of the others each has a part of their share and of their load.
    """
    r, own, load, P = map(float, group)
    shares, loads = np.array([(r, own), *((part * (1 - r), of * (load - own)) for part, of in others)]).T
    return dispatch.shortest_queue_with_migration(shares, loads, int(P)).group_share_deviation * shares + loads


def _others(group, part=1, of=1):
    """All other jobs as a group, or a part of them."""
    return Group(part * (1 - group.share), of * (group.load - group.own), group.load, group.processors)


APART = ((0.3, 0.8), (0.7, 0.2))  # of the others' share and of their load


def _of_three(group):
    """How far the library's E[f_g] of three groups are from the first form."""
    forms = [closed_forms.first_form(each) for each in (group, *(_others(group, *each) for each in APART))]
    return np.abs(_library(group, APART) - forms).max()


@check("thesis-5-005", local="GPPS")
def expected_feasible_share(local="PS"):
    """The first two forms of (5.7), the library's and chains; the control serves groups by GPPS on two processors."""
    groups, first = closed_forms.systems(), closed_forms.first_forms()
    few = [k for k, group in enumerate(groups) if group.processors <= 5 and group.load <= 0.7][:50]
    if local == "GPPS":
        jobs, probability = groups_apart.law("JSQ", True, "GPPS", (0.9, 0.1), (0.25, 0.25), 2, 40)
        by_chain = [probability @ np.minimum(0.9, jobs.sum(axis=1)[:, 0] / 2)]
        by_chain -= closed_forms.first_form(Group(0.9, 0.25, 0.5, 2))
    else:
        by_chain = [_by_chain(groups[k]) - first[k] for k in few]
    small = Group(0.3, 0.1, 0.15, 2)  # of the two groups the one with the smaller share
    answer = dispatch.exact_central(
        "JSQ", migration=True, required_shares=(0.7, 0.3), loads=(0.05, 0.1), processors=2, most_jobs=12
    ).group_share_deviation[1]
    both = np.array([first, [closed_forms.first_form(_others(group)) for group in groups]])
    return conclude(
        everywhere("the first and the second form", _systems([*map(closed_forms.second_form, groups)] - first),
                   equal(1e-10)),
        everywhere("the first form and the library's, of both groups,",
                   _systems(np.abs(both - np.transpose([*map(_library, groups)])).max(axis=0)), equal(1e-10)),
        everywhere("those of three groups", _systems([*map(_of_three, groups[::3])]), equal(1e-10)),
        everywhere("the first form and a chain", _systems(by_chain), equal(1e-8)),
        everywhere("the first form and the library's chain of two processors",
                   exact(answer * small.share + small.own - closed_forms.first_form(small)), equal(1e-8)),
        whole=True,
    )  # fmt: skip


@check("thesis-5-101", below_one=True)
def last_form(below_one=False):
    """The last form of (5.7) as printed and as corrected; the control takes r_g P < 1, where only m = 0 counts."""
    groups, first = closed_forms.systems(), closed_forms.first_forms()
    deciding = np.array([(group.whole < 1) if below_one else (group.whole >= 2) for group in groups])
    printed, corrected = (np.abs(closed_forms.last_forms(wrong) / first - 1) for wrong in (True, False))
    return mended(
        everywhere("as printed, the last form and the first", _systems(printed, deciding), equal(1e-9)),
        everywhere("that gap, if kappa is 2 or more,", _systems(printed, deciding), larger(1e-9)),
        everywhere("corrected, the last form and the first", _systems(corrected), equal(1e-9)),
        everywhere(
            "the library's and the first", _systems([_library(group)[0] for group in groups] / first - 1), equal(1e-9)
        ),
        everywhere("those of three groups", _systems([*map(_of_three, groups[::3])]), equal(1e-10)),
    )


@check("thesis-5-006", more=0)
def negative_binomial(more=1):
    """(5.8) in exact fractions; the control has the exponent n."""

    def gap(up, n):
        a = Fraction(up, 20)
        top, bottom, ways, power, i = 1, 1, 1, 1, 0  # of the sum so far; binom(n + i, n) and up^i
        while True:
            i += 1
            ways, power = ways * (n + i) // i, power * up
            growth = abs(up) * (n + i + 1) / (20 * (i + 1))  # of the terms, falling: the rest is geometric at most
            if growth < 1 and ways * (abs(up) / 20) ** i < 1e-14 * (1 - growth):
                break
            top, bottom = top * 20 + ways * power, bottom * 20
        right = (1 / (1 - a)) ** (n + more)
        off = abs(float(Fraction(top, bottom) - right))
        return 0.0 if off <= 1e-12 else off / float(right)

    numbers = np.random.default_rng(5006).integers(-17, 18, 50).tolist()
    found = cases("random a and n", [(up, n) for up in numbers for n in range(21)], seed=5006).measure(gap)
    return conclude(everywhere("both sides of (5.8)", found, equal(1e-10)))


@check("thesis-5-083", less=1)
def whole_processors(less=0):
    """(5.6) for all r_g = a / b with b up to 30, against fractions; the control takes one processor less."""
    found = [
        (dispatch.own_processors(a / b, P) - less, a, b, P)
        for b in range(2, 31) for a in range(1, b) if math.gcd(a, b) == 1 for P in range(1, 61)
    ]  # fmt: skip
    # min(r, m / P) = r from kappa + 1 on, and is m / P < r before kappa; so is no term below 0.
    wrong = sum(not ((k + 1) * b > a * P and (k - 1) * b < a * P and k * b <= a * P) for k, a, b, P in found)
    beside = [
        dispatch.own_processors((k + by) / P, P) - less == k - (by < 0)
        for P in range(1, 61) for k in range(1, P) for by in (-1e-6, 1e-6)
    ]  # fmt: skip
    return conclude(
        none(len(found), "system", "had sums that miss a number or hold one too many", wrong),
        none(len(found), "system", "was told otherwise by rounding", sum(k != a * P // b for k, a, b, P in found)),
        none(len(beside), "share", "that is 1e-6 beside some k / P was taken for another", beside.count(False)),
        fact("0.29 times 100 is 29", dispatch.own_processors(0.29, 100) - less == 29, "0.29 times 100 is not 29"),
        whole=True,
    )


@check("thesis-5-082", printed=True)
def finitely_many_terms(printed=False):
    """The last form in exact fractions, group loads up to the whole load; the control takes it as printed."""
    rng, systems = np.random.default_rng(5082), []
    for k in range(60):
        P, load = int(rng.integers(1, 13)), Fraction(int(rng.integers(5, 95)), 100)
        own = load if k % 3 == 0 else load * Fraction(int(rng.integers(1, 20)), 20)
        systems.append((Group(Fraction(int(rng.integers(2, 49)), 50), own, load, P),))

    def measures(group):
        kappa, P = group.whole, group.processors
        allowed = (P + 1) * (kappa + 1) + 2 * (kappa + 1) * (P + 2)
        try:
            gap = float(closed_forms.last_form(group, printed)) - closed_forms.first_form(group)
        except ZeroDivisionError:  # where the group brings all of the load
            gap = np.inf
        forms = [closed_forms.first_form(each) for each in (group, _others(group))]
        return {
            "gap": gap,
            "terms": closed_forms.number_of_terms(group) - allowed,
            "library": max(np.abs(_library(group) - forms).max(), _of_three(Group(*map(float, group[:3]), group[3]))),
        }

    found = cases("random system", systems, seed=5082).measure(measures)
    return conclude(
        everywhere("the last form and the first", found["gap"], equal(1e-12)),
        everywhere("its number of terms less what is allowed", found["terms"], at_most(0)),
        everywhere("the library's and the first, of both groups,", found["library"], equal(1e-10)),
        whole=True,
    )


@check("thesis-5-080", groups=(1,))
def what_is_summed(groups=(2, 3, 4)):
    """The summand of (5.7) is a group's feasible share, not that of all groups; the control has one group."""
    rng, states = np.random.default_rng(5080), []
    for _ in range(200):
        G, P = int(rng.choice(groups)), int(rng.integers(1, 9))
        states.append((rng.dirichlet(np.ones(G)) if G > 1 else np.ones(1), rng.integers(0, 2 * P + 1, G), P))

    def gaps(shares, jobs, P):
        summand = np.minimum(shares, jobs / P)
        total = maximum_obtainable_share(int(jobs.sum()), np.full(P, 1 / P))
        return {
            "all": np.abs(summand - total).max(),
            "own": np.abs(summand - feasible_group_share(shares, jobs, P)).max(),
        }

    found = cases("random state", states, seed=5080).measure(gaps)
    return mended(
        everywhere("the summand and what all jobs can obtain (2.41)", found["all"], equal(1e-12)),
        everywhere("the summand and the feasible share of the group (2.26)", found["own"], equal(1e-12)),
    )


@check("thesis-5-004", unstable=True)
def deviation_of_a_stable_group(unstable=False):
    """(5.5) in both forms; the control is a group of SVP that is sent more than its processors can serve."""
    if unstable:
        rows = simulated.along("fraction", (0.09,), policies=("SVP",), local=("PS",))
        obtained = points.of_rows(rows, "fraction", "obtained_share", group=1)
        return conclude(everywhere("what group 2 obtains of its load", obtained - 0.728, within(1e-6)))

    def gaps(policy, migration, local, load, share):
        required = np.array([share, round(1 - share, 12)])
        # Under PS the promises change nothing about the chain.
        loads, jobs, probability = groups_apart.solved(
            policy, migration == "with", local, share if local == "GPPS" else 0.7, load
        )
        feasible = feasible_group_share(required, jobs.sum(axis=1), 2)
        obtained = groups_apart.obtained(jobs, local, required).sum(axis=1)
        mean = probability @ group_share_deviation(feasible, obtained, required)
        forms = [(probability @ feasible - right) / required for right in (probability @ obtained, loads)]
        return {name: np.abs(mean - form).max() for name, form in zip(("obtained", "load"), forms)}

    def library(policy, migration, local, share):
        required = (share, round(1 - share, 12))
        loads, jobs, probability = groups_apart.solved(
            policy, migration == "with", local, share if local == "GPPS" else 0.7, 0.1
        )  # fmt: skip
        answer = dispatch.exact_central(
            policy, local=local, migration=migration == "with", required_shares=required, loads=tuple(loads),
            processors=2, most_jobs=8,
        )  # fmt: skip
        form = (probability @ feasible_group_share(np.array(required), jobs.sum(axis=1), 2) - loads) / required
        return max(np.abs(answer.group_share_deviation - form).max(), np.abs(answer.obtained_share - loads).max())

    def vertical(policy, migration, local, share):
        """The library's chain of SVP or DVP against the second form by the printed rules, and what groups obtain."""
        required, loads = np.array([share, round(1 - share, 12)]), np.array([0.03, 0.07])
        rules = Rules(policy, tuple(Fraction(str(each)) for each in required), 2, migration == "with", local)
        feasible = reached.law(rules, loads, 7).mean(
            lambda jobs: feasible_group_share(required, np.sum(jobs, axis=0), 2)
        )
        answer = dispatch.exact_central(
            policy, local=local, migration=migration == "with", required_shares=required, loads=loads, processors=2,
            most_jobs=7,
        )  # fmt: skip
        off = answer.group_share_deviation - (feasible - loads) / required
        return max(np.abs(off).max(), np.abs(answer.obtained_share - loads).max())

    def formula(load, share):
        """The library's formula of JSQ with migration against the second form by the chain."""
        required = np.array([share, round(1 - share, 12)])
        loads, jobs, probability = groups_apart.solved("JSQ", True, "PS", 0.7, load)
        feasible = probability @ feasible_group_share(required, jobs.sum(axis=1), 2)
        answer = dispatch.shortest_queue_with_migration(required, loads, 2)
        return np.abs(answer.group_share_deviation - (feasible - loads) / required).max()

    kinds = {"policy": SPREAD, "migration": ("without", "with"), "local_policy": LOCAL}
    places = {"load": (0.1, 0.3, 0.5), "share": (0.5, 0.7, 0.9)}
    found = grid(**kinds, **places).measure(gaps)
    return conclude(
        everywhere("the deviation and (5.5) with what the group obtains", found["obtained"], equal(1e-6)),
        everywhere("the deviation and (5.5) with its load", found["load"], equal(1e-6)),
        everywhere("the library's deviation and (5.5)", grid(**kinds, share=(0.7, 0.9)).measure(library), equal(1e-6)),
        everywhere(
            "that of SVP and DVP and (5.5)",
            grid(**{**kinds, "policy": VERTICAL}, share=(0.5, 0.7)).measure(vertical),
            equal(1e-6),
        ),
        everywhere("that of JSQ with migration by the formula and (5.5)", grid(**places).measure(formula), equal(1e-6)),
        points.obtained_less_loads({"case 1": ("case 1", False), "case 1, migration": ("case 1", True)}),
        points.as_exact_with_migration(("case 1",)),
        whole=True,
    )
