"""Claims of `ctmc`, Section 3: the chain against the system in words, with numbered servers."""

import functools
from unittest import mock

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from clustershare import markov
from clustershare.cluster_chain import ServiceCluster, direct, solve_directly, uniform_sizes
from clustershare.cluster_chain.direct import eliminate_levels
from compendium.press.clauses import aside, besides, cases, conclude, equalities, everywhere, exact, grid, none
from compendium.press.clauses.conditions import at_most, between, equal, smaller
from compendium.press.findings import check
from pages.cluster_chain.systems import figure_3, figure_5, figure_7, figure_10, figure_11
from pages.cluster_chain.witnesses.words import RIGHT, Words, chain, random_clusters

SMALL = tuple(random_clusters())
LONG_QUEUES = tuple(random_clusters(10, 39, 3, (4, 7)))
LARGER = tuple(random_clusters(20, 40, 5, (4, 7)))
TO_SOLVE = tuple(random_clusters(30, 62, 5, (1, 4)))


@functools.cache
def generated(cluster, rules):
    """States and generator: those of the library, or of a wrong system in words."""
    if rules == RIGHT:
        return cluster.state_list(), cluster.generator().toarray()
    return chain(cluster, rules)[:2]


def jobs(state):
    """Jobs in the system in a state (x1, x2, V)."""
    return state[0] + (state[1] > 0) + len(state[2])


def moves(models, rules, wanted=lambda state: True):
    """The wanted states of some models, with the rates to the states that each leads to."""
    for cluster in models:
        states, Q = generated(cluster, rules)
        for row in filter(lambda row: wanted(states[row]), range(len(states))):
            yield cluster, states[row], {states[k]: Q[row, k] for k in np.flatnonzero(Q[row] > 0)}


@check("ctmc-069", rules=Words(one_by_one=True))
def five_kinds_of_transitions(rules=RIGHT):
    """Every rate of the library's generator against the system in words."""
    kinds = set()

    def against_words(cluster):
        states, Q, found, unequal = chain(cluster, rules)
        kinds.update(kind for *_, kind in found)
        same = states == cluster.state_list()
        rates = np.abs(cluster.generator() - Q).max() / np.abs(Q).max() if same else 0.0
        return {
            "the states of the library and those of the system in words": not same,
            "their rates, as parts of the largest,": rates,
            "the rates from all states that are lumped together": unequal,
        }

    found = cases("model", SMALL).measure(against_words)
    return conclude(
        *(everywhere(*each, equal(1e-12)) for each in found.items()),
        everywhere("the number of kinds of transitions", exact(len(kinds)), between(5, 5)),
        whole=True,
    )


@check("ctmc-070", rules=Words(pausing=True))
def no_idle_tracker_before_a_queue(rules=RIGHT):
    """States with a queue and an idle tracker, of all that the system in words reaches, and of the library's."""
    models = cases("model", SMALL)
    reached = {cluster: chain(cluster, rules)[0] for cluster in SMALL}
    idle = sum(x1 > 0 and x2 == 0 for states in reached.values() for x1, x2, _ in states)
    entered = [
        all(y1 == x1 - 1 and y2 > 0 for y1, y2, W in targets if len(W) > len(V))
        for _, (x1, _, V), targets in moves(SMALL, RIGHT, lambda state: state[0] > 0)
    ]
    return conclude(
        none(sum(map(len, reached.values())), "state", "had a queue and an idle tracker", idle),
        everywhere("the library lists the states that are reached, and no others",
                   models.measure(lambda cluster: sorted(reached[cluster]) == sorted(cluster.state_list()))),
        everywhere("in the library's generator the next job enters as one is mapped,",
                   exact(entered, state_with_a_queue=None)),
        whole=True,
    )  # fmt: skip


@check("ctmc-008", rules=Words(pausing=True))
def level_0_is_larger(rules=RIGHT):
    """States of each level that the system in words reaches."""

    def levels(cluster):
        states = chain(cluster, rules)[0]
        sizes = np.bincount([x1 for x1, _, _ in states])
        idle = sum(x2 == 0 for x1, x2, _ in states if x1 == 0)
        return {
            "level 0 is larger than each other by the states of an idle tracker":
                idle > 0 and (sizes[0] - sizes[1:] == idle).all(),
            "the levels are as large as the library lists and counts them":
                sizes.tolist() == np.bincount([x1 for x1, _, _ in cluster.state_list()]).tolist()
                and (idle, *sizes[1:]) == (cluster.level_sizes[0], *[cluster.level_sizes[1]] * cluster.queue_capacity),
        }  # fmt: skip

    found = cases("model", [model for model in SMALL + LONG_QUEUES if model.queue_capacity > 0]).measure(levels)
    return conclude(*(everywhere(*clause) for clause in found.items()), whole=True)


def blocks(cluster, rules):
    """The blocks of the generator by level and step."""
    states, Q = generated(cluster, rules)
    level = np.array([x1 for x1, _, _ in states])
    last = cluster.queue_capacity
    return {
        (i, step): Q[np.ix_(level == i, level == i + step)]
        for i in range(last + 1)
        for step in (-1, 0, 1)
        if 0 <= i + step <= last
    }


def all_equal(found, step, levels, scale):
    """Whether the blocks of some levels are the same but for rounding."""
    first, *others = (found[level, step] for level in levels)
    return all(one.shape == first.shape and np.abs(one - first).max(initial=0) <= 1e-12 * scale for one in others)


@check("ctmc-007", rules=Words(pairs=True))
def block_tridiagonal(rules=RIGHT):
    """Where each kind of transition stands, and which blocks are equal."""
    step_of = {"arrival": 0, "end": 0, "last": 0, "joining": 1, "next": -1}

    def in_its_block(cluster):
        states, _, kinds, _ = chain(cluster, rules)
        found, Q = generated(cluster, rules)
        places = {(row, column) for row, column in np.argwhere(Q).tolist() if row != column}
        return (
            all(states[column][0] - states[row][0] == step_of[kind] for row, column, kind in kinds)
            and states == found
            and places == {(row, column) for row, column, _ in kinds}
        )

    def three_diagonals(cluster):
        states, Q = generated(cluster, rules)
        rows, columns = np.nonzero(Q)
        return all(abs(states[row][0] - states[column][0]) <= 1 for row, column in zip(rows.tolist(), columns.tolist()))

    def form(cluster):
        found, last, scale = blocks(cluster, rules), cluster.queue_capacity, cluster.largest_rate
        first = found[0, 0].shape[0]
        return {
            "the blocks within and above the diagonal repeat from level 1 to the last but one":
                all(all_equal(found, step, range(1, last), scale) for step in (0, 1)),
            "that of the last level is another": not all_equal(found, 0, (1, last), scale),
            "those below the diagonal repeat from level 2 on": all_equal(found, -1, range(2, last + 1), scale),
            "these are not 0": found[2, -1].any(),
            "those of level 0 are larger":
                found[0, 1].shape[0] == found[1, -1].shape[1] == first > found[1, 0].shape[0],
        }  # fmt: skip

    every, found = cases("model", SMALL + LONG_QUEUES), cases("model with a long queue", LONG_QUEUES).measure(form)
    return conclude(
        everywhere("each kind of transitions stands in its block", every.measure(in_its_block)),
        everywhere("the matrix has no entry off the three diagonals of blocks", every.measure(three_diagonals)),
        *(everywhere(*clause) for clause in found.items()),
        whole=True,
    )


@check("ctmc-039", rules=Words(shy=True))
def blocks_repeat(rules=RIGHT):
    """Equality of the blocks of the levels from 2 to C - 1, in larger clusters than the system in words can be."""
    models = LONG_QUEUES + (LARGER if rules == RIGHT else ())

    def repeats(step, first):
        def same(cluster):
            levels = range(first, cluster.queue_capacity)
            return all_equal(blocks(cluster, rules), step, levels, cluster.largest_rate)

        return f"the blocks {kinds[step]} repeat from level {first} to C - 1", cases("model", models).measure(same)

    kinds = {-1: "down", 0: "within a level", 1: "up"}
    return conclude(
        *(everywhere(*repeats(step, 2)) for step in kinds), *(besides(*repeats(step, 1)) for step in (0, 1)), whole=True
    )


@check("ctmc-044", rules=Words(shy=True))
def joins_the_queue(rules=RIGHT):
    """Transitions that add a job in every state with a busy tracker."""
    seen = []
    for cluster, (x1, *rest), targets in moves(SMALL + LONG_QUEUES, rules, lambda state: state[1] > 0):
        more = {target: rate for target, rate in targets.items() if jobs(target) > jobs((x1, *rest))}
        seen.append(more == ({(x1 + 1, *rest): cluster.arrival_rate} if x1 < cluster.queue_capacity else {}))
    return conclude(everywhere("a job joins the queue at the rate λ, if there is room,", exact(seen, state=None)))


@check("ctmc-059", rules=Words(pausing=True))
def ways_out_of_a_state(rules=RIGHT):
    """Ways out of every state, counted in the generator."""
    departures, arrivals, mappings = [], [], []
    for cluster, state, targets in moves(SMALL + LONG_QUEUES, rules):
        (x1, x2, V), possible = state, len(cluster.sizes)
        departures.append(sum(jobs(target) < jobs(state) for target in targets) == len(set(V)))
        if x1 == x2 == 0:
            arrivals.append(sum(jobs(target) > jobs(state) for target in targets) == possible)
        elif x1 > 0 and sum(V) + x2 <= cluster.servers:
            mappings.append(sum(len(target[2]) > len(V) for target in targets) == possible)
    fewer = sum(len(cluster.sizes) < cluster.sizes.max() for cluster in SMALL + LONG_QUEUES)
    return conclude(
        everywhere("as many jobs may depart as there are sizes in service", exact(departures, state=None)),
        everywhere("a job of each possible size may arrive", exact(arrivals, empty_state=None)),
        everywhere("a job is mapped and one of each possible size enters", exact(mappings, state_with_a_queue=None)),
        aside("models in which the possible sizes are fewer than T", exact(fewer)),
        whole=True,
    )


@check("ctmc-060", rules=Words(one_by_one=True))
def rates_of_223(rules=RIGHT):
    """The two departures from V = (2, 2, 3), whatever the queue and the tracker hold."""
    rates = dict(zip(range(7, 11), 10 ** np.random.default_rng(60).uniform(-1, 2, (4, 2))))
    models = [ServiceCluster(N, 3, {2: 0.4, 3: 0.6}, 3.0, 7.0, {2: two, 3: three}) for N, (two, three) in rates.items()]
    gaps = []
    for cluster, state, targets in moves(models, rules, lambda state: state[2] == (2, 2, 3)):
        left = {target: rate for target, rate in targets.items() if jobs(target) < jobs(state)}
        two, three = rates[cluster.servers]
        expected = {(*state[:2], (2, 3)): 2 * two, (*state[:2], (2, 2)): three}
        gaps.append(max(abs(left.get(key, 0.0) / rate - 1) for key, rate in expected.items()) + (len(left) != 2))
    return conclude(
        everywhere("the rates of both departures and the stated ones", exact(gaps, state=None), equal(1e-12))
    )


def strong_components(Q):
    """How many classes of states a generator has."""
    return connected_components(Q > 0, directed=True, connection="strong", return_labels=False)


@check("ctmc-001", rules=Words(stuck=True))
def one_solution(rules=RIGHT):
    """Strong components of each chain, the rank of the small ones, and two solutions of (4)."""

    def solutions(cluster):
        states, Q = generated(cluster, rules)
        parts, apart = strong_components(Q), 0.0
        if parts == 1:
            system = np.vstack([Q.T / np.abs(Q).max(), np.ones(len(states))])
            least = np.linalg.lstsq(system, np.eye(len(states) + 1)[-1], rcond=None)[0]
            apart = np.abs(least - markov.gth(Q)).max()
        rank = np.linalg.matrix_rank(Q / np.abs(Q).max(axis=1, keepdims=True).clip(1e-300))
        return {"parts": parts, "missing": len(states) - rank, "apart": apart}

    found = cases("random model", SMALL + LONG_QUEUES).measure(solutions)
    figures = [figure_7("uniform", 30), figure_10(2.0), figure_11(0.05, 60), figure_5(8, 30), figure_3(8, 30)]
    drawn = cases("chain of a figure", figures).measure(lambda model: strong_components(model.generator()))
    return conclude(
        everywhere("the number of classes of states", found["parts"], between(1, 1)),
        everywhere("the states less the rank of Q", found["missing"], between(1, 1)),
        everywhere("two solutions", found["apart"], equal(1e-9)),
        everywhere("the number of classes of states", drawn, between(1, 1)),
        whole=True,
    )


def apart_where_likely(found, P):
    """The largest relative difference of probabilities, in states of a probability above 1e-12."""
    return np.abs(np.divide(found, P) - 1)[P > 1e-12].max()


@check("ctmc-062", rules=Words(passing=True))
def the_law_of_the_system(rules=RIGHT):
    """The library's solutions against elimination without subtraction on the system in words, state by state."""

    def gaps(cluster):
        states, Q = chain(cluster, rules)[:2]
        P, off = markov.gth(Q), []
        for solution in (cluster.solve(), solve_directly(cluster)):
            found = dict(zip(cluster.state_list(), solution.probabilities()))
            off.append(apart_where_likely([found.get(state, 0.0) for state in states], P))
        what = "the probabilities of all states, by the {}solver and by elimination in the system in words,"
        return dict(zip((what.format(""), what.format("second ")), off))

    return conclude(*equalities(cases("model", TO_SOLVE).measure(gaps), 1e-9), whole=True)


CAPACITIES = (5, 10, 20, 40)


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
def elimination_by_levels(rules=RIGHT):
    """Elimination level by level against that of the whole matrix, and the multiplications of both."""

    def gap(cluster):
        states, Q = chain(cluster, rules)[:2]
        if rules == RIGHT:
            return apart_where_likely(solve_directly(cluster).probabilities(), markov.gth(Q))
        return apart_where_likely(eliminate_levels(sp.csr_array(Q), edges_of(states)), markov.gth(Q))

    def multiplications(servers):
        cluster = ServiceCluster(servers, 5, uniform_sizes(servers), 3, 7, 1)
        Q, (idle, busy) = cluster.generator().toarray(), cluster.level_sizes
        zeros = skipping_zeros(Q, edges_of(cluster.state_list()))
        # A level in the middle sees nothing of the others, so that those beyond C = 5 have as many as the fourth.
        return exact([
            [level_by_level(idle, busy, capacity + 1), whole_matrix(idle + busy * (capacity + 1)),
             zeros.sum() + (capacity - 5) * zeros[3]] for capacity in CAPACITIES
        ], C=CAPACITIES, way=("level by level", "whole", "skipping zeros"))  # fmt: skip

    def solver(capacity):
        """How far it is off, and how many systems of equations it solves, and how large ones."""
        cluster = ServiceCluster(4, capacity, uniform_sizes(4), 3, 7, 1)
        with mock.patch.object(direct.la, "solve", wraps=direct.la.solve) as solve:
            found = solve_directly(cluster).probabilities()
        unknowns = [len(call.args[0]) for call in solve.call_args_list]
        return {
            "off": apart_where_likely(found, markov.gth(cluster.generator().toarray())),
            "systems": len(unknowns) - (capacity + 1),
            "unknowns": max(unknowns, default=np.inf) - sum(cluster.level_sizes),
        }

    models, large = cases("model", random_clusters(30, 71, 5, (1, 4))), grid(C=(5, 10)).measure(solver)
    work = grid(N=(4, 6)).measure(multiplications)
    by_level, growth = work.at(way="level by level"), work.at(C=40).value / work.at(C=5).value
    return conclude(
        everywhere("the probabilities of states, by level and by the whole matrix,", models.measure(gap), equal(1e-9)),
        everywhere("the same at N = 4", large["off"], equal(1e-9)),
        everywhere("the systems that the solver solves, less the levels,", large["systems"], between(0, 0)),
        everywhere("the most unknowns of one, less the states of a level,", large["unknowns"], at_most(0)),
        everywhere("the multiplications by level, less those of the whole matrix,", by_level - work.at(way="whole"),
                   smaller()),
        *(
            aside(f"multiplications ({way}), times those by level", work.at(way=way).scaled(1 / by_level.value))
            for way in ("whole", "skipping zeros")
        ),
        aside("from C = 5 to 40 they grow by the factor", exact(growth, **dict(work.at(C=5).axes))),
        whole=True,
    )  # fmt: skip
