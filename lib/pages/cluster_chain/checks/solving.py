"""Claims of `ctmc`, Sections 1, 3, 5.1, 6: that any law and many servers can be solved, and how much work it is."""

import itertools

import numpy as np
import scipy.sparse as sp

from clustershare import markov
from clustershare.cluster_chain import ServiceCluster, simulate, uniform_sizes
from clustershare.cluster_chain.direct import eliminate_levels
from compendium import study
from compendium.press.findings import check, finding
from pages.cluster_chain.paths import follow
from pages.cluster_chain.simulated import in_widths, told, within
from pages.cluster_chain.systems import MEASURES
from pages.cluster_chain.words import Words, chain, random_clusters

CAPACITIES = (5, 10, 20, 40)
LOADS = (0.3, 0.5, 0.7, 0.9, 1.1)  # of the tracker


def edges_of(states):
    """The first state of each level, and the number of states."""
    return np.append(0, np.cumsum(np.bincount([x1 for x1, _, _ in states])))


def level_by_level(idle, busy, levels):
    """Multiplications of `eliminate_levels`: factors, ways up and back for each level, and the last one."""
    total = 0
    for rest in [busy] * (levels - 2) + [idle + busy] * (levels > 1):
        total += busy**3 / 3 + busy**2 * rest + rest**2 * busy
    return total + (idle + busy) ** 3 / 3


def whole_matrix(states):
    """Multiplications of `markov.gth`: an outer product and a column for each state."""
    return sum(left**2 + left for left in range(states))


def skipping_zeros(Q, edges):
    """Multiplications of elimination that skips zeros, by level: how the entries fill is followed, no number is."""
    rows, columns = (
        [sum(1 << int(k) for k in np.flatnonzero(line)) for line in matrix] for matrix in (Q > 0, (Q > 0).T)
    )
    counts = np.zeros(len(edges) - 1)
    for last in range(len(rows) - 1, 0, -1):
        below = (1 << last) - 1
        into, out = columns[last] & below, rows[last] & below
        counts[np.searchsorted(edges, last, "right") - 1] += into.bit_count() * (out.bit_count() + 1)
        for lines, marks, added in ((rows, into, out), (columns, out, into)):
            while marks:
                k = marks.bit_length() - 1
                lines[k] |= added
                marks ^= 1 << k
    return counts


@check("ctmc-071", rules=Words(pairs=True))
def elimination_by_levels(rules=Words()):  # noqa: B008
    """Elimination level by level against that of the whole matrix, and the multiplications of both."""
    worst, seen = 0.0, 0
    for cluster in random_clusters(30, 71, 5, (1, 4)):
        states, Q = chain(cluster, rules)[:2]
        P = markov.gth(Q)
        found = eliminate_levels(sp.csr_array(Q), edges_of(states))
        likely = P > 1e-12
        seen += int(likely.sum())
        worst = max(worst, float((np.abs(found - P) / P)[likely].max()))
    less, growth = [], []
    for servers in (4, 6):
        cluster = ServiceCluster(servers, 5, uniform_sizes(servers), 3, 7, 1)
        Q, (idle, busy) = cluster.generator().toarray(), cluster.level_sizes
        zeros = skipping_zeros(Q, edges_of(cluster.state_list()))
        work = []
        for capacity in CAPACITIES:
            states = idle + busy * (capacity + 1)
            skipped = zeros.sum() + (capacity - 5) * zeros[3]  # a level in the middle sees nothing of the others
            work.append((level_by_level(idle, busy, capacity + 1), whole_matrix(states), skipped))
        less += [by_level < whole for by_level, whole, _ in work]
        times = np.divide(work[-1], work[0])
        growth.append(
            f"N = {servers}: {work[0][1] / work[0][0]:.0f} to {work[-1][1] / work[-1][0]:.0f} times fewer (of an "
            f"elimination that skips zeros {work[-1][2] / work[-1][0]:.1f} times), from C = 5 to 40 {times[0]:.1f} "
            f"times as many, in the whole matrix {times[1]:.0f} times"
        )
    return finding(
        f"{seen} states of 30 models: {'equal within 1e-9' if worst <= 1e-9 else f'off by {worst:.2g}'}; "
        f"{'; '.join(growth)}",
        worst <= 1e-9 and all(less),
    )


def of_states(cluster, states, P):
    """The measures (5) to (9) from probabilities of states."""
    queued, tracked = (np.array([state[k] for state in states]) for k in (0, 1))
    queue = queued @ P
    blocking = P[(queued == cluster.queue_capacity) & (tracked > 0)].sum()
    busy, jobs = (P @ [measure(V) for _, _, V in states] for measure in (sum, len))
    return np.array([queue, blocking, queue / (cluster.arrival_rate * (1 - blocking)), busy / cluster.servers, jobs])


def laws(number, largest, rng):
    """A random law of the size: with zeros, of one size, with all mass at the ends, or of all sizes."""
    kind = number % 4
    if kind == 0:
        chances = rng.dirichlet(np.ones(largest)) * (rng.random(largest) < 0.6)
        chances[rng.integers(largest)] += 0.1
    elif kind == 1:
        chances = np.eye(largest)[rng.integers(largest)]
    elif kind == 2:
        chances = np.zeros(largest)
        chances[[0, -1]] = rng.dirichlet(np.ones(2)) if largest > 1 else 1.0
    else:
        chances = rng.dirichlet(np.ones(largest))
    return chances / chances.sum()


@check("ctmc-068", backwards=True)
def any_law(backwards=False):
    """Chains with random laws against elimination in the system in words, and against paths with numbered servers."""
    rng = np.random.default_rng(68)
    worst, off = 0.0, []
    for number in range(30):
        small = number < 10
        servers = int(rng.integers(2, 6) if small else rng.integers(6, 17))
        largest = int(rng.integers(1, servers + 1))
        chances = laws(number, largest, rng)
        rates = dict(enumerate(10 ** rng.uniform(np.log10(0.5), np.log10(50), largest), 1))
        capacity, (arrival, tracker) = int(rng.integers(0, 4 if small else 9)), 10 ** rng.uniform(-0.3, 1.7, 2)

        def cluster(law):
            sizes = dict(enumerate(law.tolist(), 1))
            return ServiceCluster(servers, capacity, sizes, arrival, tracker, rates)  # noqa: B023

        model, told_by = cluster(chances), cluster(chances[::-1] if backwards else chances)
        solution = model.solve()
        found = np.array([getattr(solution, name) for name in MEASURES])
        if small:
            states, Q = chain(told_by)[:2]
            expected = of_states(told_by, states, markov.gth(Q))
            seen = expected > 0
            worst = max(worst, np.abs(found[seen] / expected[seen] - 1).max(), found[~seen].max(initial=0.0))
        else:
            paths = follow(told_by, arrivals=5000, warmup=1500, replications=16, seed=number)
            estimates = [getattr(paths, name) for name in MEASURES]
            off += [
                in_widths(value, estimate.value, estimate.half_width)
                for value, estimate in zip(found, estimates, strict=True)
            ]
    return finding(
        f"10 laws: {'equal within 1e-9' if worst <= 1e-9 else f'off by {worst:.2g}'}; 20 laws, simulated {told(off)}",
        worst <= 1e-9 and within(off),
    )


def cloud(servers, share, load, sizes=None):
    """Figure 11 with its arrival and tracker rates in proportion to the servers."""
    tracker = 100.0 * servers / 1500
    if sizes is None:
        return ServiceCluster(servers, 50, {10: 1 - share, 100: share}, load * tracker, tracker, {10: 10.0, 100: 1.0})
    return ServiceCluster(servers, 50, sizes, load * tracker, tracker, 10.0)


@check("ctmc-067", sizes=uniform_sizes(100))
def thousands_of_servers(sizes=None):
    """Clouds of up to 5000 servers, solved, and a simulated point for each number of servers."""
    points = [(servers, 0.05, load) for servers in (2000, 3000) for load in (0.3, 0.7)] + [(5000, 0.05, 0.3)]
    points = [*itertools.product((1000, 1500), (0.01, 0.02, 0.05, 0.1), LOADS), *points]
    solved, refused, worst = {}, 0, 0.0
    for point in points:
        model = cloud(*point, sizes)
        try:
            solved[point] = found = model.solve(1e-10)
        except ValueError:  # it needs more memory than is allowed
            refused += 1
            continue
        worst = max(worst, found.residual / model.largest_rate)
    off = []
    if not refused:
        names = ("servers", "share", "load")
        chosen = [(servers, 0.05, 0.7) for servers in (1000, 1500, 2000, 3000)] + [(5000, 0.05, 0.3)]
        rows = study.run(
            "cluster-cloud", simulate, [dict(zip(names, point, strict=True)) for point in chosen],
            lambda **point: {"cluster": cloud(**point)}, fidelity="book",
        )  # fmt: skip
        for *point, name, value, width in rows[[*names, "quantity", "estimate", "half_width"]].itertuples(index=False):
            if name in MEASURES:
                off.append(in_widths(getattr(solved[tuple(point)], name), value, width))
    told_off = f"simulated {told(off)}" if off else "nothing to simulate"
    return finding(
        f"{len(solved)} of {len(points)} clouds solved, residuals {'at most' if worst <= 1e-9 else 'above'} 1e-9 of "
        f"the largest rate; {told_off}",
        refused == 0 and worst <= 1e-9 and within(off),
    )
