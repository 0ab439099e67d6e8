"""What a processor knows: the words of the rules, and the rules themselves where everything is known."""

import numpy as np
import pytest

from clustershare.compiled import service
from clustershare.dispatch import kernel, orders, state, view
from clustershare.dispatch.central import policy_of
from clustershare.dispatch.tape import Tape

SHARES = np.array([0.5, 0.3, 0.2])


def seen(rows, local=service.GPPS, processors=None):
    """A view of processors with these numbers of jobs by group."""
    found = view.blank(processors or len(rows), local, SHARES)
    found.count[: len(rows), 1:] = rows
    found.count[: len(rows), 0] = np.sum(rows, axis=1)
    return found._replace(score=found.score[: len(rows)])


def outcomes(decide):
    """What a decision may come to, with probabilities: all choices in turn."""
    choices, among, position = np.zeros(8, np.int64), np.zeros(8, np.int64), np.zeros(1, np.int64)
    found = {}
    while True:
        position[0] = 0
        result = decide(Tape(choices, among, position))
        made = position[0]
        found[result] = found.get(result, 0) + 1 / np.prod(among[:made])
        while made and choices[made - 1] == among[made - 1] - 1:
            made -= 1
        if not made:
            return found
        choices[made - 1] += 1
        choices[made:] = 0


def test_the_words():
    known = seen([[1, 2, 0], [0, 0, 0], [1, 0, 3], [0, 0, 0], [1, 0, 1]], processors=10)

    def law(word, *about):
        return outcomes(lambda tape: word(known, tape, *about))

    assert law(orders.fewest, orders.TOTAL) == law(orders.an_idle_one) == {1: 0.5, 3: 0.5}
    assert law(orders.fewest_but_some, 0) == {4: 1} and law(orders.fewest_but_some, 1) == {0: 1}
    assert law(orders.most, orders.TOTAL) == {2: 1} and law(orders.most, 1) == {2: 1}
    assert law(orders.group_of_random_job, 2) == {-1: 1}
    assert orders.idle_ones(known) == 2 and orders.part_of_one(known) == 0.1 and not orders.knows_all(known)
    assert orders.own_of_fewest(known, 2) == -1 and orders.own_of_fewest(known, 3) == 0
    known.noted[view.OWN_FIRST] = 1
    assert law(orders.fewest, 3) == {1: 0.5, 3: 0.5} and law(orders.fewest, 2) == {1: 0.5, 3: 0.5}
    known.count[0] = 0
    assert law(orders.fewest, orders.TOTAL) == {0: 1}
    known.score[:] = np.inf
    assert law(orders.best_scored) == {-1: 1}
    orders.took(known, 7)
    state.move(known, None, 2, 3, 0, 0.0)
    assert known.noted[:5].tolist() == [7, 1, 2, 3, 0]


def random_states(count, P):
    rng = np.random.default_rng(6)
    return rng.choice(3, (count, P, len(SHARES)), p=(0.6, 0.3, 0.1))


@pytest.mark.parametrize("local", [service.PS, service.GPPS])
def test_with_all_known_estimates_are_the_shares(local):
    system = state.empty(local, SHARES, np.full(4, 0.25), np.tile(SHARES, (4, 1)), by_group=False, timed=False)
    for rows in random_states(30, 4):
        kernel.bring(system, rows)
        for scale in (view.SCALED, view.UNSCALED):
            known = seen(rows, local)
            view.estimate(known, scale)
            for which in (state.OBTAINED_SHARE, state.FEASIBLE_SHARE):
                places = [state.of_group(g, which) for g in range(3)]
                assert np.abs(known.level[places] - system.level[places]).max() < 1e-12


def test_estimates_from_some():
    """The shares of the processors known times P / K, or their sums; feasible ones are at most those required."""
    known = seen([[1, 0, 0], [1, 1, 0]], service.PS, processors=6)
    for scale, obtained, feasible in (
        (view.SCALED, (0.75, 0.25, 0), (0.5, 0.3, 0)),
        (view.UNSCALED, (0.25, 1 / 12, 0), (1 / 3, 1 / 6, 0)),
    ):
        view.estimate(known, scale)
        found = state.of_groups(known.level)
        assert found[:, state.OBTAINED_SHARE] == pytest.approx(obtained)
        assert found[:, state.FEASIBLE_SHARE] == pytest.approx(feasible)
    assert view.share(known, 0, 1, 1) == 0.5 and known.count[0].tolist() == [1, 1, 0, 0]


@pytest.mark.parametrize("policy", ["JSQ", "HP", "SVP", "DVP"])
def test_with_all_known_the_rules_are_the_central_ones(policy):
    """The same places and moves, with the same probabilities, where no processor has two guests and ties are alike."""
    P = 4
    chosen, weights = policy_of(policy, True, SHARES, P)
    system = state.empty(service.GPPS, SHARES, np.full(P, 1 / P), weights, by_group=True, timed=False)
    arrays = [array for array in system if isinstance(array, np.ndarray)]
    for rows in random_states(60, P):
        if policy == "SVP" and ((rows * (chosen.parts == 0)).sum(axis=1) > 1).any():
            continue
        known = seen(rows)
        view.estimate(known, view.SCALED)
        for g in range(3):
            kernel.bring(system, rows)
            places = outcomes(lambda tape: int(kernel.place(chosen, system, tape, g)))  # noqa: B023
            assert outcomes(lambda tape: int(kernel.place(chosen, known, tape, g))) == pytest.approx(places)  # noqa: B023

            def central_move(tape):
                kernel.bring(system, rows)  # noqa: B023
                for array, kept in zip(arrays, saved, strict=True):  # noqa: B023
                    array[...] = kept
                before = system.count[:, 1:].astype(int)
                kernel.rebalance(chosen, system, tape, g, 0, 0.0)  # noqa: B023
                lost = np.argwhere(before > system.count[:, 1:])
                return tuple(lost[0].tolist()) if len(lost) else None

            def move(tape):
                known.noted[:] = 0  # noqa: B023
                kernel.rebalance(chosen, known, tape, g, 0, 0.0)  # noqa: B023
                _, asked, h, p, q, _ = known.noted.tolist()  # noqa: B023
                return ((p,) if h < 0 else (p, h)) if asked else None

            kernel.bring(system, rows)
            saved = [array.copy() for array in arrays]
            moves = outcomes(central_move)
            if policy == "JSQ":  # its request names no group
                merged = {}
                for key, chance in moves.items():
                    merged[key and key[:1]] = merged.get(key and key[:1], 0) + chance
                moves = merged
            assert outcomes(move) == pytest.approx(moves)
