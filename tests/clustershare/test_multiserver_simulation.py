"""The multi-server queue simulated: Algorithm 1 as printed, the two kernels, and formulas against one another."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clustershare import sizes
from clustershare.compiled.choice import alias, alias_table
from clustershare.multiserver import (
    CompatibilityGraph,
    RandomAssignment,
    any_graph,
    few_servers,
    simulate,
    simulator,
    state_rates,
)
from clustershare.run_length import RunLength
from compilation import printed
from random_graphs import SETTINGS, THREE, stable_systems

# Algorithm 1 as printed


class Servers:
    """Draws the server at which an event happens, as the kernels do: by number, or from groups of equal rate."""

    def __init__(self, graph, means, timer_rate, grouped):
        self.capacities, self.paces = np.array(graph.capacities), np.unique(1 / means)
        self.timer_rate, self.grouped = timer_rate, grouped
        self.values = np.unique(self.capacities)
        # Idle, and for each pace of its job: the servers of each capacity, a newcomer last.
        self.members = {
            (pace, value): [s for s in range(graph.servers) if pace == 0 and self.capacities[s] == value]
            for pace in (0, *self.paces)
            for value in self.values
        }

    def move(self, server, pace):
        """The job that the server serves now has that pace."""
        old = next(servers for servers in self.members.values() if server in servers)
        new = self.members[pace, self.capacities[server]]
        if new is not old:
            old[old.index(server)] = old[-1]
            old.pop()
            new.append(server)

    def draw(self, paces, mark):
        """The server under a mark, for the paces of all servers, and how far into its rate the mark lies."""
        rates = self.capacities * (paces + self.timer_rate) * (paces > 0)
        if not self.grouped:
            for server, rate in enumerate(rates):
                if mark < rate:
                    return server, mark
                mark -= rate
        for (pace, value), servers in self.members.items():
            rate = value * (pace + self.timer_rate) * (pace > 0)
            if mark < rate * len(servers):
                return servers[int(mark / rate)], mark % rate
            mark -= rate * len(servers)
        raise AssertionError("the mark is beyond all rates")


def simulate_as_printed(graph, rates, distribution, interruptions, rng, warmup, jumps, grouped):
    """`balanced` Algorithm 1, line by line; draws its random numbers for the same purposes as the kernels.

    Returns, over the events after the warm-up, the time, the integral of the numbers of jobs, the time empty and the
    interruptions of each class.
    """
    counts, means, weights = distribution.erlang_mixture()
    kind_table = alias_table(np.outer(rates, weights).ravel())
    compatible = graph.servers_of_class
    queue = []  # jobs in order: [class, mean of a phase, phases left]
    a = [0] * graph.servers  # 0 or the class, counted from 1, that server s serves
    t = [False] * graph.servers
    timer_rate = interruptions / distribution.mean
    servers = Servers(graph, means, timer_rate, grouped)
    time, empty, area, interrupted = 0.0, 0.0, np.zeros(graph.classes), np.zeros(graph.classes)

    def position(i):
        return next(k for k, job in enumerate(queue) if job[0] == i)

    def reallocate(i, k):
        for s in compatible[i]:
            if a[s] == i + 1:
                a[s], t[s] = 0, False
        while k < len(queue):
            for s in compatible[queue[k][0]]:
                if s in compatible[i] and a[s] == 0:
                    a[s], t[s] = queue[k][0] + 1, True
            k += 1

    def pace(s):
        return 1 / queue[position(a[s] - 1)][1] if a[s] else 0

    for jump in range(warmup + jumps):
        if jump == warmup:
            time, empty, area, interrupted = 0.0, 0.0, np.zeros(graph.classes), np.zeros(graph.classes)
        paces = np.array([pace(s) for s in range(graph.servers)])
        total = rates.sum() + (servers.capacities * (paces + timer_rate * np.array(t))).sum()
        mark = rng.random() * total
        time += 1 / total
        np.add.at(area, [job[0] for job in queue], 1 / total)
        empty += (not queue) / total
        if mark < rates.sum():
            kind = int(alias(mark / rates.sum() * graph.classes * len(counts), *kind_table))
            i, component = divmod(kind, len(counts))
            queue.append([i, means[component], counts[component]])
            for s in compatible[i]:
                if a[s] == 0:
                    a[s], t[s] = i + 1, True
        else:
            s, mark = servers.draw(paces, mark - rates.sum())
            i = a[s] - 1
            k = position(i)
            if mark < graph.capacities[s] * timer_rate:
                interrupted[i] += 1
                queue.append(queue.pop(k))
                reallocate(i, k)
            else:
                queue[k][2] -= 1
                if queue[k][2] == 0:
                    queue.pop(k)
                    reallocate(i, k)
        for s in compatible[i]:
            servers.move(s, pace(s))
        # The state is that of Section 2, formed anew from the order of the queue; one job of a class is in service.
        # That costs more than the event: every seventh will do, for what is wrong once stays in the state.
        if jump % 7:
            continue
        served = state_rates(graph, [job[0] for job in queue])
        in_service = [job[0] for job, rate in zip(queue, served, strict=True) if rate]
        assert len(set(in_service)) == len(in_service)
        for i in range(graph.classes):
            of_class = sum(c for s, c in enumerate(graph.capacities) if a[s] == i + 1)
            of_jobs = sum(served[k] for k, job in enumerate(queue) if job[0] == i)
            assert math.isclose(of_class, of_jobs, rel_tol=1e-6, abs_tol=1e-12)
        assert t == [served > 0 for served in a]
    return time, area, empty, interrupted


def one_replication(few, graph, rates, distribution, interruptions, run, warmup, jumps):
    """What the kernel for graphs in which a server has few classes returns, or the other one."""
    arguments = simulator._arguments_few if few else simulator._arguments_any
    simulate_lanes = few_servers.simulate if few else any_graph.simulate
    rngs = tuple(run.generators()[:1] * simulator.LANES)
    results = simulate_lanes(rngs, 1, warmup, jumps, *arguments(graph, rates, distribution, interruptions))
    return [part[0] for part in results]


@given(
    # For each number of servers the code is compiled anew, and for each depth of the tree of their capacities.
    stable_systems(most_classes=4, numbers=(3,), capacity=st.sampled_from([0.4, 1.1])),
    st.sampled_from([sizes.Exponential(2.0), sizes.bimodal_hyperexponential(), sizes.zipf_phases(6)]),
    st.sampled_from([0, 0.5, 5]),
    st.booleans(),
)
@SETTINGS
def test_the_kernel_follows_algorithm_1_as_printed_event_by_event(system, distribution, interruptions, equal):
    graph, rates = system
    if equal:  # capacities in common make groups of servers
        rates = rates * min(graph.capacities)
        graph = CompatibilityGraph(graph.servers_of_class, np.ones(graph.servers))
    rates = rates / distribution.mean
    work = (graph, rates, distribution, interruptions)
    for few in (False, True):
        printed = simulate_as_printed(*work, RunLength(seed=5).generators()[0], 600, 900, grouped=not few)
        followed = one_replication(few, *work, RunLength(seed=5), 600, 900)
        for one, other in zip(printed, followed, strict=True):
            np.testing.assert_allclose(other, one, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("few", [False, True])
def test_the_table_of_jobs_grows(few):
    # An overloaded queue, which the public face refuses: 2000 jobs are there in the end.
    one = CompatibilityGraph([{0}], [1.0])
    jumps, rng = 10_000, RunLength().generators()[0]
    time, area, empty, interrupted = one_replication(
        few, one, np.array([3.0]), sizes.Exponential(1), 1, RunLength(), 0, jumps
    )
    jobs, expected_time, expected_area, expected_interrupted = 0, 0.0, 0.0, 0
    for _ in range(jumps):
        total = 3.0 + 2.0 * (jobs > 0)
        expected_time += 1 / total
        expected_area += jobs / total
        mark = rng.random() * total
        expected_interrupted += 3 <= mark < 4
        jobs += 1 if mark < 3 else -(mark >= 4)
    assert jobs > 3000
    assert (time, area[0], interrupted[0]) == pytest.approx((expected_time, expected_area, expected_interrupted))


# Runs


SMALL_RUN = """
from clustershare import sizes
from clustershare.multiserver import (
    CompatibilityGraph,
    RandomAssignment,
    balance_function,
    balanced_fairness,
    service_rates,
    simulate,
)
graph = CompatibilityGraph([{0, 2}, {1, 2}, {0, 1, 2}], [1, 2, 1.5])
small = CompatibilityGraph([{0, 2}, {1, 2}], [1, 2, 1.5])
for size in (sizes.Exponential(), sizes.zipf_phases(5)):
    found = simulate(graph, [0.5, 0.8, 0.6], size, 1.5, jumps=1000, warmup=200, replications=2, seed=4)
    print(found.to_dict()['fields'])
    found = simulate(RandomAssignment(6, 3), 0.7, size, 1.5, jumps=600, warmup=200, replications=2, seed=4)
    print(found.to_dict()['fields'])
    for m in (0, 2):  # a small graph, for the other kernel
        print(simulate(small, [0.5, 0.3], size, m, jumps=500, warmup=200, replications=2, seed=4).to_dict()['fields'])
print(balanced_fairness(graph, [0.5, 0.8, 0.6]), balance_function(graph, [3, 4, 2]), service_rates(graph, [3, 4, 2]))
"""


def test_the_same_bits_with_and_without_compilation():
    outputs = printed(SMALL_RUN)
    assert outputs[0] == outputs[1] and "half_width" in outputs[0]


def test_a_replication_depends_on_its_own_seed_alone():
    few, many = (
        simulate(THREE, [0.2, 0.2], sizes.zipf_phases(5), 1, jumps=5000, replications=n, seed=9) for n in (1, 2)
    )
    assert np.isinf(few.mean_jobs.half_width).all() and np.isfinite(many.mean_jobs.half_width).all()
    assert (few.mean_jobs.value != many.mean_jobs.value).all()


@pytest.mark.parametrize("drawn", [False, True])
@pytest.mark.parametrize("few", [False, True])
def test_a_lane_does_not_depend_on_its_neighbours(few, drawn):
    if few and drawn:
        return  # the kernel for few servers draws none
    graph, rates = (RandomAssignment(6, 3), np.array([4.5])) if drawn else (THREE, np.array([0.7, 0.7]))
    arguments = simulator._arguments_few if few else simulator._arguments_any
    arguments = arguments(graph, rates, sizes.zipf_phases(5), 1)
    simulate_lanes = few_servers.simulate if few else any_graph.simulate
    generators = RunLength(replications=simulator.LANES, seed=9).generators
    together = simulate_lanes(tuple(generators()), simulator.LANES, 100, 5000, *arguments)
    for lane in range(simulator.LANES):
        alone = simulate_lanes((generators()[lane],) * simulator.LANES, 1, 100, 5000, *arguments)
        for one, other in zip(alone, together, strict=True):
            np.testing.assert_array_equal(one[0], other[lane])


# Random assignment


# The last brings more jobs than the kernel has room for at first. The code is compiled anew for each degree.


def test_more_drawn_servers_than_can_be_compiled():
    with pytest.raises(ValueError, match="graph must be of a degree up to 1000; .*interruptions.simulate takes more"):
        simulate(RandomAssignment(1200, 1001), 600.0, sizes.Exponential(), 1)
