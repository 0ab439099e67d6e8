"""Which servers the simulator of Figures 3 and 4 of `balanced` gives to its jobs, read out of its memory."""

import types

import numpy as np

from clustershare.multiserver import RandomAssignment, any_graph, simulator
from clustershare.sizes import Exponential

ENDLESS = Exponential(1e15)  # nobody leaves


def drawn_servers(servers, degree, numbers):
    """The servers of jobs that only arrive, as the simulator's own event loop writes them down.

    Parameters
    ----------
    servers, degree : int
        S and d.
    numbers : ndarray (jobs, degree)
        The random numbers from which they are drawn.

    Returns
    -------
    ndarray (jobs, degree)
    """
    jobs, memory = len(numbers), []

    def advance(lanes, stretch, uniforms, choices, drawing, levels, *rest):
        """The library's, with room for all jobs; the row of a job is told at the head of `any_graph`."""
        degree, width, all_servers, state, sums, groups, members, cells, *fixed = rest
        first = lanes * all_servers * width
        rows = np.zeros((jobs + 1, width), dtype=np.uint32)
        start = first + width * np.arange(jobs + 1, dtype=np.uint32)[:, None]
        nodes = 2 + 3 * np.arange(degree, dtype=np.uint32)
        rows[:, nodes] = rows[:, nodes + 1] = start + nodes
        rows[1:, 1] = start[:-1, 0]  # the next free job
        cells = np.concatenate([cells[:first], rows.ravel()])
        state.view(np.uint64)[2:4] = start[-1, 0], 0
        any_graph.advance(
            lanes, jobs, np.linspace(0.25, 0.75, jobs), numbers.ravel(), drawing, levels, degree, width, all_servers,
            state, sums, groups, members, cells, *fixed,
        )  # fmt: skip
        memory.append((cells[first:].reshape(-1, width)[:0:-1, nodes + 2] - 2) // width)

    scope = {**any_graph.simulate.py_func.__globals__, "advance": advance}
    run = types.FunctionType(any_graph.simulate.py_func.__code__, scope)
    arguments = simulator._arguments_any(RandomAssignment(servers, degree), np.ones(1), ENDLESS, 0.0)
    run((np.random.default_rng(0),), 1, 0, 1, *arguments)
    return memory[0]


def with_replacement(servers, degree, numbers):
    """A wrong draw: one server may be drawn twice."""
    return (servers * numbers).astype(int)


def neighbours(servers, degree, numbers):
    """A wrong draw: neighbours on a ring."""
    return ((servers * numbers[:, :1]).astype(int) + np.arange(degree)) % servers
