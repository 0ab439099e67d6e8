"""Claims of `ctmc`, Section 3: the chain against the system in words, with numbered servers."""

import functools

import numpy as np
from scipy.sparse.csgraph import connected_components

from clustershare import markov
from clustershare.cluster_chain import ServiceCluster
from compendium.press.findings import beyond, check, finding
from pages.cluster_chain.systems import figure_3, figure_5, figure_7, figure_10, figure_11
from pages.cluster_chain.words import Words, chain, random_clusters

SMALL = tuple(random_clusters())
LONG_QUEUES = tuple(random_clusters(10, 39, 3, (4, 7)))
TO_SOLVE = tuple(random_clusters(30, 62, 5, (1, 4)))


@functools.cache
def generated(cluster, rules):
    """States and generator: those of the library, or of a wrong system in words."""
    if rules == Words():
        return cluster.state_list(), cluster.generator().toarray()
    return chain(cluster, rules)[:2]


def jobs(state):
    """Jobs in the system in a state (x1, x2, V)."""
    return state[0] + (state[1] > 0) + len(state[2])


@check("ctmc-069", rules=Words(one_by_one=True))
def five_kinds_of_transitions(rules=Words()):  # noqa: B008
    """Every rate of the library's generator against the system in words."""
    worst, apart, strangers, kinds = 0.0, 0.0, 0, set()
    for cluster in SMALL:
        states, Q, found, unequal = chain(cluster, rules)
        strangers += states != cluster.state_list()
        if not strangers:
            worst = max(worst, float(np.abs(cluster.generator() - Q).max() / np.abs(Q).max()))
        apart = max(apart, unequal)
        kinds |= {kind for *_, kind in found}
    return finding(
        f"{len(SMALL)} models: {strangers} with other states; {len(kinds)} kinds of transitions; rates "
        f"{'equal within 1e-12' if worst < 1e-12 else f'apart by {worst:.2g} of the largest'}, lumping "
        f"{'exact' if apart < 1e-12 else f'off by {apart:.2g}'}",
        strangers == 0 and worst < 1e-12 and apart < 1e-12 and len(kinds) == 5,
    )


@check("ctmc-070", rules=Words(pausing=True))
def no_idle_tracker_before_a_queue(rules=Words()):  # noqa: B008
    """States with a queue and an idle tracker, of all that the system in words reaches."""
    reached = [state for cluster in SMALL for state in chain(cluster, rules)[0]]
    idle = sum(x1 > 0 and x2 == 0 for x1, x2, _ in reached)
    return finding(f"{idle} of {len(reached)} states", idle == 0)


@check("ctmc-008", rules=Words(pausing=True))
def level_0_is_larger(rules=Words()):  # noqa: B008
    """States of each level that the system in words reaches."""
    wrong, levels = 0, 0
    for cluster in (model for model in SMALL + LONG_QUEUES if model.queue_capacity > 0):
        states = chain(cluster, rules)[0]
        sizes = np.bincount([x1 for x1, _, _ in states])
        idle = sum(x2 == 0 for x1, x2, _ in states if x1 == 0)
        levels += len(sizes) - 1
        wrong += int((sizes[0] - sizes[1:] != idle).sum())
        wrong += sizes[0] == sizes[1] or idle != cluster.level_sizes[0]
    return finding(f"{wrong} of {levels} levels differ by other than the states of an idle tracker", wrong == 0)


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


def all_equal(matrices, scale):
    """Whether matrices are the same but for rounding."""
    return all(
        one.shape == matrices[0].shape and np.abs(one - matrices[0]).max(initial=0) <= 1e-12 * scale for one in matrices
    )


@check("ctmc-007", rules=Words(pairs=True))
def block_tridiagonal(rules=Words()):  # noqa: B008
    """Where each kind of transition stands, and which blocks are equal."""
    step_of = {"arrival": 0, "end": 0, "last": 0, "joining": 1, "next": -1}
    astray, unlike = 0, 0
    for cluster in LONG_QUEUES:
        states, _, kinds, _ = chain(cluster, rules)
        astray += sum(states[column][0] - states[row][0] != step_of[kind] for row, column, kind in kinds)
        found, last, scale = blocks(cluster, rules), cluster.queue_capacity, cluster.largest_rate
        unlike += not all_equal([found[level, 0] for level in range(1, last)], scale)
        unlike += not all_equal([found[level, 1] for level in range(1, last)], scale)
        unlike += not all_equal([found[level, -1] for level in range(2, last + 1)], scale)
        unlike += all_equal([found[1, 0], found[last, 0]], scale)  # that of the last level is another
        unlike += not found[0, 1].shape[0] == found[1, -1].shape[1] == found[0, 0].shape[0] > found[1, 0].shape[0]
    return finding(
        f"{len(LONG_QUEUES)} models: {astray} transitions elsewhere, {unlike} rows of blocks not as printed",
        astray == 0 and unlike == 0,
    )


@check("ctmc-039", rules=Words(shy=True))
def blocks_repeat(rules=Words()):  # noqa: B008
    """Equality of the blocks of the levels from 2 to C - 1."""
    unlike, from_one = 0, 0
    for cluster in LONG_QUEUES:
        found, last, scale = blocks(cluster, rules), cluster.queue_capacity, cluster.largest_rate
        unlike += sum(not all_equal([found[k, step] for k in range(2, last)], scale) for step in (-1, 0, 1))
        from_one += sum(all_equal([found[k, step] for k in range(1, last)], scale) for step in (0, 1))
    return finding(
        f"{unlike} of {3 * len(LONG_QUEUES)} kinds of blocks differ; the blocks within a level and up repeat from "
        f"level 1 on in {from_one} of {2 * len(LONG_QUEUES)}, the one down from level 2",
        unlike == 0,
    )


@check("ctmc-044", rules=Words(shy=True))
def joins_the_queue(rules=Words()):  # noqa: B008
    """Transitions that add a job in every state with a busy tracker."""
    wrong, seen = 0, 0
    for cluster in SMALL + LONG_QUEUES:
        states, Q = generated(cluster, rules)
        for row, (x1, x2, V) in enumerate(states):
            if x2 == 0:
                continue
            seen += 1
            more = {states[k]: Q[row, k] for k in np.flatnonzero(Q[row] > 0) if jobs(states[k]) > jobs(states[row])}
            wrong += more != ({(x1 + 1, x2, V): cluster.arrival_rate} if x1 < cluster.queue_capacity else {})
    return finding(f"{wrong} of {seen} states differ", wrong == 0)


@check("ctmc-059", rules=Words(pausing=True))
def transitions_out(rules=Words()):  # noqa: B008
    """Transitions of each kind out of every state, counted in the generator."""
    wrong, seen, fewer = 0, 0, 0
    for cluster in SMALL + LONG_QUEUES:
        states, Q = generated(cluster, rules)
        possible = len(cluster.sizes)
        fewer += possible < cluster.sizes.max()
        for row, (x1, x2, V) in enumerate(states):
            targets = [states[k] for k in np.flatnonzero(Q[row] > 0)]
            seen += 1
            departures = sum(jobs(target) < jobs((x1, x2, V)) for target in targets)
            wrong += departures != len(set(V))
            if x1 == x2 == 0:
                wrong += sum(jobs(target) > jobs((x1, x2, V)) for target in targets) != possible
            elif x1 > 0 and sum(V) + x2 <= cluster.servers:
                wrong += sum(len(target[2]) > len(V) for target in targets) != possible
    return finding(
        f"{wrong} of {seen} states differ; in {fewer} models the sizes that occur are fewer than T, and so "
        f"are the ways",
        wrong == 0,
    )


@check("ctmc-060", rules=Words(one_by_one=True))
def rates_of_223(rules=Words()):  # noqa: B008
    """The two departures from V = (2, 2, 3), whatever the queue and the tracker hold."""
    worst, seen = 0.0, 0
    for servers, rates in zip(range(7, 11), 10 ** np.random.default_rng(60).uniform(-1, 2, (4, 2)), strict=True):
        cluster = ServiceCluster(servers, 3, {2: 0.4, 3: 0.6}, 3.0, 7.0, {2: rates[0], 3: rates[1]})
        states, Q = generated(cluster, rules)
        for row, (x1, x2, V) in enumerate(states):
            if V == (2, 2, 3):
                seen += 1
                left = {states[k]: Q[row, k] for k in np.flatnonzero(Q[row] > 0) if jobs(states[k]) < jobs(states[row])}
                expected = {(x1, x2, (2, 3)): 2 * rates[0], (x1, x2, (2, 2)): rates[1]}
                same = left.keys() == expected.keys()
                worst = max(worst, *(abs(left[key] / expected[key] - 1) if same else 1.0 for key in expected))
    return finding(
        f"{seen} states: {'as stated within 1e-12' if worst < 1e-12 else f'off by {worst:.2g}'}",
        worst < 1e-12 and seen > 0,
    )


@check("ctmc-001", rules=Words(stuck=True))
def one_solution(rules=Words()):  # noqa: B008
    """Strong components of each chain, the rank of the small ones, and two solutions of (4)."""
    parts, ranks, off = [], 0, 0.0
    for cluster in SMALL + LONG_QUEUES:
        states, Q = generated(cluster, rules)
        parts.append(connected_components(Q > 0, directed=True, connection="strong", return_labels=False))
        ranks += np.linalg.matrix_rank(Q / np.abs(Q).max(axis=1, keepdims=True).clip(1e-300)) != len(states) - 1
        if parts[-1] == 1:
            P = markov.gth(Q)
            scaled = Q / np.abs(Q).max()
            system = np.vstack([scaled.T, np.ones(len(states))])
            least = np.linalg.lstsq(system, np.eye(len(states) + 1)[-1], rcond=None)[0]
            off = max(off, float(np.abs(least - P).max()))
    figures = [figure_7("uniform", 30), figure_10(2.0), figure_11(0.05, 60), figure_5(8, 30), figure_3(8, 30)]
    if rules == Words():
        parts += [
            connected_components(model.generator(), directed=True, connection="strong", return_labels=False)
            for model in figures
        ]
    return finding(
        f"{sum(number == 1 for number in parts)} of {len(parts)} chains in one class; {ranks} of another rank; "
        f"solutions {'equal within 1e-9' if off < 1e-9 else f'{off:.1g} apart'}",
        all(number == 1 for number in parts) and ranks == 0 and off < 1e-9,
    )


@check("ctmc-062", rules=Words(passing=True))
def the_law_of_the_system(rules=Words()):  # noqa: B008
    """The library's solution against elimination without subtraction on the system in words, state by state."""
    worst, seen = 0.0, 0
    for cluster in TO_SOLVE:
        states, Q = chain(cluster, rules)[:2]
        P, found = markov.gth(Q), dict(zip(cluster.state_list(), cluster.solve().probabilities(), strict=True))
        likely = P > 1e-12
        seen += int(likely.sum())
        ours = np.array([found.get(state, 0.0) for state in states])
        worst = max(worst, float((np.abs(ours - P) / P)[likely].max()))
    return finding(
        f"{seen} states of {len(TO_SOLVE)} models: {'equal within 1e-9' if worst < 1e-9 else f'off by {worst:.2g}'}",
        worst < 1e-9,
    )


@check("ctmc-061", rules=Words(shy=True))
def blocking_without_a_queue(rules=Words()):  # noqa: B008
    """Jobs never served without a queue, against the last level with and without the states of an idle tracker."""
    worst, printed = 0.0, []
    for cluster in random_clusters(30, 61, 5, (0, 0)):
        states, Q = chain(cluster, rules)[:2]
        P = markov.gth(Q)
        offered = P @ [rules.arrival_rate(cluster.arrival_rate, x1, x2) for x1, x2, _ in states]
        rates = dict(zip(cluster.sizes.tolist(), cluster.size_service_rates, strict=True))
        unserved = 1 - P @ [sum(rates[size] for size in V) for _, _, V in states] / offered
        busy = P[[x2 > 0 for _, x2, _ in states]].sum()
        worst = max(worst, abs(busy / unserved - 1), abs(cluster.solve().blocking / unserved - 1))
        printed.append(P.sum())
    return beyond(
        f"30 models: (6) over all states is {min(printed):.0f}; without those of an idle tracker it is "
        f"{'equal within 1e-9' if worst < 1e-9 else f'off by {worst:.2g}'}",
        worst < 1e-9,
    )
