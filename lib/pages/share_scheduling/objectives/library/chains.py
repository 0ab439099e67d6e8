"""Generators, explored states and every solver of chains, against dense solves."""

import numpy as np
from scipy import sparse

from clustershare import (
    markov,
)
from compendium.press.clauses import cases, equalities, fact
from pages.agreement import gap
from pages.share_scheduling.objectives.library.shared import differs, refusals

# Chains, and systems that can be split.


def on_chains():
    """Generators, explored states and every solver of chains, against dense solves."""

    def one(number, states):
        rng = np.random.default_rng(number)
        count = 4 * states
        rows, columns, rates = (
            rng.integers(states, size=count),
            rng.integers(states, size=count),
            rng.exponential(size=count),
        )
        rows, columns = np.append(rows, range(states)), np.append(columns, (np.arange(states) + 1) % states)
        rates = np.append(rates, rng.exponential(size=states)) * 10 ** rng.uniform(-2, 2)
        rates[0] = 0.0
        dense = np.zeros((states, states))
        for row, column, rate in zip(rows, columns, rates):
            if row != column:
                dense[row, column] += rate
                dense[row, row] -= rate
        Q = markov.generator(states, rows, columns, rates)
        system = dense.T.copy()
        system[-1] = 1
        law = np.linalg.solve(system, np.eye(states)[-1])
        moves = {row: [(int(c), r) for s, c, r in zip(rows, columns, rates) if s == row] for row in range(states)}
        found, *explored = markov.explore(2 % states, moves.get)
        again = markov.generator(len(found), *explored).toarray()
        some = rng.dirichlet(np.ones(states))
        matrix = np.eye(states) * 3 + rng.random((states, states))
        goal = matrix @ some
        seen = markov.bicgstab(lambda vector: matrix @ vector, goal, 1e-12, 200)
        return {
            "generators and sums of rates": gap(Q.toarray(), dense),
            "explored chains and those given": gap(again, dense[np.ix_(found, found)]) + differs(found[0], 2 % states),
            "laws by elimination of dense tables and solved ones": gap(markov.gth(dense) / law, np.ones(states)),
            "those of sparse ones": gap(markov.gth(Q) / law, np.ones(states)),
            "those by sparse elimination": gap(markov.stationary(Q) / law, np.ones(states)),
            "those by a Krylov method": gap(markov.iterate(Q, np.ones(states)) / law, np.ones(states)),
            "residuals": gap(markov.residual(some, Q), sum(abs(some @ dense))),
            "solutions of linear systems": gap(seen, some),
        }

    found = cases("chain", [(1, 2), (2, 5), (3, 12), (4, 30)], seed=0).measure(one)
    yield from equalities(found, 1e-8)
    lone, one_way = markov.generator(1, [], [], []), markov.generator(3, [0, 1], [1, 0], [1.0, 2.0])
    apart = sparse.csr_array(one_way)
    yield fact("a single state has all", markov.stationary(lone).tolist() == [1.0], "a single state has not all")
    yield refusals(
        "chains in parts, rates below 0 and too many states",
        (ValueError, markov.gth, apart),
        (ArithmeticError, markov.stationary, apart),
        (ArithmeticError, markov.iterate, apart, np.ones(3)),
        (ValueError, markov.generator, 2, [0], [1], [-1.0]),
        (ValueError, markov.explore, 0, lambda state: [(state + 1, 1.0)], 50),
    )
