"""Rules of policies run as Python, with ``NUMBA_DISABLE_JIT=1``: shown a view of all processors, they are central."""

import numpy as np
from pytest import approx

from clustershare.compiled import service
from clustershare.dispatch import kernel, state, view
from clustershare.dispatch.central import policy_of
from clustershare.dispatch.tape import blank_tape, courses, ways
from replays_as_python import signed

SHARES = np.array([0.5, 0.3, 0.2])


def seen(rows, local=service.GPPS, processors=None):
    """A view of processors with these numbers of jobs by group."""
    found = view.blank(processors or len(rows), local, SHARES)
    found.count[: len(rows), 1:] = rows
    found.count[: len(rows), 0] = np.sum(rows, axis=1)
    return found._replace(score=found.score[: len(rows)])


def outcomes(decide):
    """What a decision may come to, with probabilities: all choices in turn."""
    tape, found = blank_tape(), {}
    for _ in courses(tape):
        result = decide(tape)
        found[result] = found.get(result, 0) + 1 / ways(tape)
    return found


def random_states(count, P):
    rng = np.random.default_rng(6)
    return rng.choice(3, (count, P, len(SHARES)), p=(0.6, 0.3, 0.1))


def all_known(policy):
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
            assert outcomes(lambda tape: int(kernel.place(chosen, known, tape, g))) == approx(places)  # noqa: B023

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
            assert outcomes(move) == approx(moves)


if __name__ == "__main__":
    state.empty = signed(state.empty)
    for policy in ("JSQ", "HP", "SVP", "DVP"):
        all_known(policy)
        print(policy)
