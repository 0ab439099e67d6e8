"""Claims of `thesis`, Section 5.5.1: what Join Shortest Queue keeps, its law with migration, and queueing."""

from fractions import Fraction

import numpy as np
import scipy.sparse.linalg as spla
from scipy import optimize, sparse

from clustershare import dispatch, markov
from compendium.press.findings import check, finding, over_domain
from compendium.press.words import SCALE
from pages.share_scheduling.central import apart, closed_forms, lengths, simulated
from pages.share_scheduling.central.compiled import Compiled
from pages.share_scheduling.central.printed_rules import Rules, arrival, departure
from pages.share_scheduling.central.states import every_state, in_system_balance, without_loss
from pages.share_scheduling.central.systems import FRACTIONS, LOADS, PROCESSORS, SHARES

MOST = 12  # jobs
ALL_MIGRATED = (("load", LOADS), ("processors", PROCESSORS), ("fraction", FRACTIONS), ("share", SHARES))


def _most(load, lost):
    return 4 + int(np.ceil(np.log(lost) / np.log(load)))


@check("thesis-5-001", migration=False)
def law_of_the_number(migration=True):
    """The chain of the printed rules against M/M/P, and the simulated mean numbers of Figure 5.16."""
    worst = 0.0
    for P in (2, 3):
        for load in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7) if migration else (0.5,):
            most = _most(load, 1e-10)
            if P == 2 and migration and load in (0.1, 0.4, 0.7):
                jobs, probability = apart.law("JSQ", True, "PS", (0.5, 0.5), (0.3 * load, 0.7 * load), 2, most)
                number = jobs.sum(axis=(1, 2))
            else:
                found, probability = lengths.law(load, P, most, 1 if migration else most, migration=migration)
                number = found.sum(axis=1)
            law, right = np.bincount(number, probability), closed_forms.birth_and_death(load, P)
            worst = max(worst, np.abs(law - right[: len(law)]).max())
            worst = max(worst, np.abs(dispatch.numbers_in_one_line(load, P, most) - right[: most + 1]).max())
    if not migration:
        return finding(f"the probabilities differ by up to {worst:.3f}", worst <= 1e-8)
    rows = simulated.along("load", LOADS, migration=True, policies=("JSQ",), local=("PS",))
    both = rows[rows["quantity"] == "mean_jobs"].groupby("load")[["estimate", "half_width"]].sum()
    expected = [
        dispatch.shortest_queue_with_migration((0.5, 0.5), (load / 2, load / 2), 10).mean_jobs.sum()
        for load in both.index
    ]
    outside = np.abs(both["estimate"] - expected) > simulated.joint(len(both)) * both["half_width"]
    return finding(
        f"the laws are {'equal within 1e-8' if worst <= 1e-8 else f'up to {worst:.2g} apart'}; simulated mean numbers: "
        f"{outside.sum()} of {len(both)} outside their intervals", worst <= 1e-8 and not outside.any(),
    )  # fmt: skip


@check("thesis-5-003", local="GPPS")
def groups_given_the_number(local="PS"):
    """(5.4) against the chain of the printed rules with the groups apart; the control serves by GPPS, 0.9 and 0.1."""
    worst, systems = 0.0, 0
    for P, load in ((2, 0.1), (2, 0.3), (2, 0.5), (2, 0.7), (3, 0.1), (3, 0.3)) if local == "PS" else ((2, 0.5),):
        for part in (0.1, 0.3, 0.5):
            own = round(part * load, 12)
            jobs, probability = apart.law("JSQ", True, local, (0.9, 0.1), (own, load - own), P, _most(load, 1e-10))
            first, number, systems = jobs[:, :, 0].sum(axis=1), jobs.sum(axis=(1, 2)), systems + 1
            size = number.max() + 1
            joint = np.bincount(number * size + first, probability, size * size).reshape(size, size)
            seen = np.flatnonzero(joint.sum(axis=1) > 1e-6)
            binomial = np.ones(1)
            for n in range(seen[-1] + 1):
                worst = max(worst, np.abs(joint[n, : n + 1] / joint[n].sum() - binomial).max())
                binomial = np.append(binomial * (1 - part), 0.0) + np.append(0.0, binomial * part)
    return finding(f"in {systems} systems " + ("equal within 1e-8" if worst <= 1e-8 else f"up to {worst:.2f} apart"),
                   worst <= 1e-8)  # fmt: skip


@check("thesis-5-007", random=True)
def probability_of_queueing(random=False):
    """The curve of Figure 5.1; the control sends jobs to processors at random."""

    def curve(load, P):
        return load if random else dispatch.queueing_probability(load, P)

    small = SCALE["very close"].most
    rising, steep, points, gap, end = True, [], {}, 0.0, True
    for P in (1, 2, 5, 10, 20, 50, 100, 1000, 10_000, 100_000, 1_000_000):
        # The point is 1 less a few times the root of 1 / P, for many processors.
        low, high = (0.001, 0.9999) if P < 100 else (1 - 2.6 / np.sqrt(P), 1 - 1.6 / np.sqrt(P))
        points[P] = 0.02 if random else _crossing(lambda x, P=P: curve(x, P) - small, low, high)
        if P > 1000:
            continue
        values = [curve(load / 100, P) for load in range(1, 100)]
        rising &= bool((np.diff(values) >= 0).all() and values[-1] > values[49] > 0)
        end &= curve(1 - 1e-6, P) > 0.99
        steep.append(P if (1 - small) / (1 - points[P]) >= 2 else 0)
        if not random:
            # What is above the largest number summed is a geometric rest.
            for load in (0.1, 0.5, 0.9, 0.99):
                law = dispatch.numbers_in_one_line(load, P, P)
                gap = max(gap, abs(law[P] / (1 - load) - curve(load, P)))
    left = 1 - np.array([points[10**k] for k in range(1, 7)])
    to_one = bool((np.diff(left) < 0).all() and left[-1] <= 0.01 and (np.diff(list(points.values())) > 0).all())
    first = min((P for P in steep if P), default=0)
    return over_domain(
        f"0.02 at load {points[1]:.2f}, {points[10]:.2f}, {points[100]:.2f} and {points[1000]:.2f} for P = 1, 10, 100 "
        f"and 1000, {left[-1]:.4f} below 1 for a million; on average twice as steep as for P = 1 from P = {first} on",
        [rising and end and to_one and gap <= 1e-10 and P > 0 for P in steep],
    )  # fmt: skip


def _crossing(curve, low, high):
    """Where a rising curve is 0, or the end beyond which that must be."""
    if curve(low) >= 0 or curve(high) <= 0:
        return low if curve(low) >= 0 else high
    return optimize.brentq(curve, low, high, xtol=1e-6)


def _numbers(processors):
    return every_state(processors, 1, MOST)


@check("thesis-5-009", changed=("random of two",))
def what_is_kept(changed=()):
    """Every state, event and tie, by the printed rules and the library's; the control looks at two processors."""
    broken = {"balance": 0, "loss": 0, "balance without migration": 0, "loss without migration": 0}
    states = differ = 0
    for P in (2, 3, 4):
        with_moves, without = (Rules("JSQ", (Fraction(1),), P, moves, changed=changed) for moves in (True, False))
        library = Compiled("JSQ", (0.5, 0.5), P, True)
        for jobs in _numbers(P):
            states += 1
            after = arrival(with_moves, jobs, 0)
            if not changed:
                two = tuple((n, 0) for (n,) in jobs)
                mine = {tuple((n, 0) for (n,) in found.state): found.probability for found in after}
                differ += library.outcomes(two, 0) != mine
            if in_system_balance(jobs):
                broken["balance"] += not all(in_system_balance(found.state) for found in after)
            if without_loss(jobs):
                broken["loss"] += not all(without_loss(found.state) for found in after)
            if not in_system_balance(jobs):
                continue
            for q in range(P):
                if not jobs[q][0]:
                    continue
                after = departure(with_moves, jobs, 0, q)
                broken["balance"] += not all(in_system_balance(found.state) for found in after)
                broken["loss"] += not all(without_loss(found.state) for found in after)
                if not changed:
                    differ += library.outcomes(two, 0, q).keys() != {
                        tuple((n, 0) for (n,) in found.state) for found in after
                    }
                after = departure(without, jobs, 0, q)
                broken["balance without migration"] += not all(in_system_balance(found.state) for found in after)
                broken["loss without migration"] += not all(without_loss(found.state) for found in after)
    lossy, points = 0, 0
    if not changed:
        for axis, values in ALL_MIGRATED:
            rows = simulated.along(axis, values, migration=True, policies=("JSQ",))
            rows = rows[rows["quantity"] == "capacity_loss"]
            lossy, points = lossy + (np.abs(rows["estimate"]) > 1e-12).sum(), points + len(rows)
    said = ", ".join(f"{name} {count}" for name, count in broken.items())
    kept = not broken["balance"] and not broken["loss"]
    lost = broken["balance without migration"] > 0 and broken["loss without migration"] > 0
    return finding(f"in {states} states broken: {said}; {lossy} of {points} simulated points lose capacity",
                   kept and lost and not lossy and not differ)  # fmt: skip


@check("thesis-5-010", by_group=True)
def after_a_departure(by_group=False):
    """Gaps after a departure from a balanced state, and M1 in any state; the control has balance of each group only."""
    largest, wider, moves, differ = 0, 0, 0, 0
    for P in (2,) if by_group else (2, 3, 4):
        rules = Rules("JSQ", (Fraction(1),), P, True)
        library = Compiled("JSQ", (0.5, 0.5), P, True)
        if by_group:
            for jobs in every_state(2, 2, MOST):
                if all(max(own) - min(own) <= 1 for own in zip(*jobs)):
                    totals = [sum(row) for row in jobs]
                    largest = max([largest, *(max(totals) - (n - 1) for n in totals if n)])
            continue
        for jobs in _numbers(P):
            for q in range(P):
                if not jobs[q][0]:
                    continue
                left = [n - (p == q) for p, (n,) in enumerate(jobs)]
                if in_system_balance(jobs):
                    largest = max(largest, max(left) - left[q])
                    continue
                after = departure(rules, jobs, 0, q)
                two = tuple((n, 0) for (n,) in jobs)
                differ += library.outcomes(two, 0, q).keys() != {tuple((n, 0) for (n,) in out.state) for out in after}
                for out in after:
                    for move in out.moves:
                        numbers = [n for (n,) in out.state]
                        p, moves = move.source, moves + 1
                        wider += abs(numbers[p] - numbers[q]) >= abs(left[p] - left[q])
                        wider += max(numbers) - min(numbers) > max(left) - min(left)
    return finding(f"at most {largest} more than q after a departure from balance; of {moves} moves out of balance "
                   f"{wider} widen a difference", largest <= 2 and not wider and not differ)  # fmt: skip


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
        if rates and P > 2:
            continue
        for load in loads:
            values = _values(load, P, most, rates)
            inner = np.indices((seen + 1,) * P).reshape(P, -1)
            after = np.array([values[tuple(inner + np.eye(P, dtype=int)[:, [p]])] for p in range(P)])
            best = np.where(inner == inner.min(axis=0), after, np.inf).min(axis=0)
            worse += int((after.min(axis=0) < best - 1e-9).sum())
            states += inner.shape[1]
    return finding(f"a longer queue would be better in {worse} of {states} states", not worse)
