"""Claims of `ctmc`, Sections 1, 3, 5.1, 6: that any law and many servers can be solved, and how much work it is."""

import itertools

import numpy as np
import scipy.sparse as sp

from clustershare import markov
from clustershare.cluster_chain import ServiceCluster, simulate, uniform_sizes
from clustershare.cluster_chain.direct import eliminate_levels
from compendium import study
from compendium.press.clauses import aside, cases, conclude, everywhere, exact, grid, none
from compendium.press.clauses.conditions import at_most, equal, smaller
from compendium.press.findings import check
from pages.cluster_chain.paths import follow
from pages.cluster_chain.simulated import agreeing, in_widths, off_paths
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


RIGHT = Words()


@check("ctmc-071", rules=Words(pairs=True))
def elimination_by_levels(rules=RIGHT):
    """Elimination level by level against that of the whole matrix, and the multiplications of both."""

    def gap(cluster):
        states, Q = chain(cluster, rules)[:2]
        P, found = markov.gth(Q), eliminate_levels(sp.csr_array(Q), edges_of(states))
        return np.abs(found / P - 1)[P > 1e-12].max()

    def multiplications(servers):
        cluster = ServiceCluster(servers, 5, uniform_sizes(servers), 3, 7, 1)
        Q, (idle, busy) = cluster.generator().toarray(), cluster.level_sizes
        zeros = skipping_zeros(Q, edges_of(cluster.state_list()))
        # A level in the middle sees nothing of the others, so that those beyond C = 5 have as many as the fourth.
        return exact([
            [level_by_level(idle, busy, capacity + 1), whole_matrix(idle + busy * (capacity + 1)),
             zeros.sum() + (capacity - 5) * zeros[3]] for capacity in CAPACITIES
        ], C=CAPACITIES, way=("level by level", "whole", "skipping zeros"))  # fmt: skip

    models = cases("model", random_clusters(30, 71, 5, (1, 4)))
    work = grid(N=(4, 6)).measure(multiplications)
    by_level, growth = work.at(way="level by level"), work.at(C=40).value / work.at(C=5).value
    return conclude(
        everywhere("the probabilities of states, by level and by the whole matrix,", models.measure(gap), equal(1e-9)),
        everywhere("the multiplications by level, less those of the whole matrix,", by_level - work.at(way="whole"),
                   smaller()),
        *(
            aside(f"multiplications ({way}), times those by level", work.at(way=way).scaled(1 / by_level.value))
            for way in ("whole", "skipping zeros")
        ),
        aside("from C = 5 to 40 they grow by the factor", exact(growth, **dict(work.at(C=5).axes))),
        whole=True,
    )  # fmt: skip


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
    gaps, off = [], []
    for number in range(30):
        small = number < 10
        servers = int(rng.integers(2, 6) if small else rng.integers(6, 17))
        largest = int(rng.integers(1, servers + 1))
        chances = laws(number, largest, rng)
        rates = dict(enumerate(10 ** rng.uniform(np.log10(0.5), np.log10(50), largest), 1))
        capacity, (arrival, tracker) = int(rng.integers(0, 4 if small else 9)), 10 ** rng.uniform(-0.3, 1.7, 2)
        model, told_by = (
            ServiceCluster(servers, capacity, dict(enumerate(law.tolist(), 1)), arrival, tracker, rates)
            for law in (chances, chances[::-1] if backwards else chances)
        )
        solution = model.solve()
        if small:
            found = np.array([getattr(solution, name) for name in MEASURES])
            states, Q = chain(told_by)[:2]
            expected = of_states(told_by, states, markov.gth(Q))
            gaps.append(np.abs(found / np.where(expected > 0, expected, 1.0) - (expected > 0)).max())
        else:
            paths = follow(told_by, arrivals=5000, warmup=1500, replications=16, seed=number)
            off.append(off_paths(vars(solution), paths))
    return conclude(
        everywhere("the measures, by the library and by elimination,", exact(gaps, law_of_the_size=None), equal(1e-9)),
        *agreeing("the measures", off),
        whole=True,
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
    solved, refused = {}, []
    for point in points:
        model = cloud(*point, sizes)
        try:
            solved[point] = model.solve(1e-10), model.largest_rate
        except ValueError:  # it needs more memory than is allowed
            refused.append(point)
    off = []
    if not refused:
        names = ("servers", "share", "load")
        chosen = [(servers, 0.05, 0.7) for servers in (1000, 1500, 2000, 3000)] + [(5000, 0.05, 0.3)]
        rows = study.run(
            "cluster-cloud", simulate, [dict(zip(names, point)) for point in chosen],
            lambda **point: {"cluster": cloud(**point)}, fidelity="book",
        )  # fmt: skip
        for *point, name, value, width in rows[[*names, "quantity", "estimate", "half_width"]].itertuples(index=False):
            if name in MEASURES:
                off.append(in_widths(getattr(solved[tuple(point)][0], name), value, width))
    residuals = [found.residual / rate for found, rate in solved.values()] or [np.inf]
    return conclude(
        none(len(points), "cloud", "needed more memory than is allowed", len(refused)),
        *(
            [everywhere("the residual, as a part of the largest rate,", exact(residuals, cloud=None), at_most(1e-9))]
            if residuals
            else []
        ),
        *(agreeing("the measures", off) if off else []),
        whole=True,
    )
