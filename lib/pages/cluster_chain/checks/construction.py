"""Claims of `ctmc`, Sections 3 and 4: the states, the transitions, the blocks, the measures."""

import functools

import numpy as np
from scipy.sparse import csr_array

from clustershare import markov
from clustershare.cluster_chain import (
    ServiceCluster,
    harmonic_sizes,
    normal_sizes,
    simulate,
    solve_directly,
    uniform_sizes,
)
from compendium.press.claims import UNDECIDABLE, Finding, check, erratum, finding
from pages.cluster_chain.systems import cluster, figure_2, figure_7, figure_10, figure_11, size_moments, solved

SMALL = ServiceCluster(4, 5, {1: 0.3, 2: 0.3, 3: 0.2, 4: 0.2}, 3.0, 7.0, {1: 1.0, 2: 0.5, 3: 2.0, 4: 1.5})


def partition_numbers(largest):
    """Ways to write 0, 1, ... as sums, by Euler's pentagonal numbers: nothing is enumerated."""
    ways = [1]
    for n in range(1, largest + 1):
        total, k = 0, 1
        while k * (3 * k - 1) // 2 <= n:
            for pentagonal in (k * (3 * k - 1) // 2, k * (3 * k + 1) // 2):
                if pentagonal <= n:
                    total += ways[n - pentagonal] if k % 2 else -ways[n - pentagonal]
            k += 1
        ways.append(total)
    return ways


def vectors(model):
    """The cluster states, as tuples of the sizes in service."""
    return [V for _, x2, V in model.state_list() if x2 == 0]


@check("ctmc-003", servers=14)
def states_of_figure_10(servers=15):
    """States of the chain, and of the cluster by Euler's recursion."""
    whole, of_cluster = figure_10(2.0, servers).states, sum(partition_numbers(servers))
    return finding(f"{whole} states, {of_cluster} of the cluster", (whole, of_cluster) == (164844, 684))


@check("ctmc-004", servers=1400)
def states_of_figure_11(servers=1500):
    """States of the chain, and of the cluster counted by its long jobs."""
    model = figure_11(0.05, 60, servers)
    of_cluster = sum((servers - 100 * long) // 10 + 1 for long in range(servers // 100 + 1))
    level = model.level_sizes[1]
    return finding(
        f"{model.states} states, {level} at a level above 0, {of_cluster} of the cluster",
        (model.states, level, of_cluster) == (125248, 2432, 1216),
    )


@check("ctmc-005", servers=7)
def order_of_three_jobs(servers=6):
    """The cluster states with three jobs, in order."""
    names = ["".join(map(str, V)) for V in vectors(cluster("uniform", 1.0, servers)) if len(V) == 3]
    return finding(", ".join(names), names == "111 112 113 114 122 123 222".split())


@check("ctmc-006", bounded=False)
def last_job(bounded=True):
    """The last jobs that occur after each beginning, against r."""
    worst = 0
    for largest in (4, 6):
        found = vectors(ServiceCluster(6, 0, uniform_sizes(largest), 1, 1, 1))
        for beginning in {V[:-1] for V in found if V}:
            r = min(6 - sum(beginning), largest) if bounded else 6 - sum(beginning)
            lasts = {V[-1] for V in found if V and V[:-1] == beginning}
            worst += lasts != set(range(max(beginning, default=1), r + 1))
    return finding(f"{worst} beginnings with another range", worst == 0)


def _blocks(model, tampered=0.0):
    """The generator as a matrix, and the level of each state."""
    Q = model.generator()
    Q = (Q + csr_array(([tampered], ([0], [Q.shape[0] - 1])), shape=Q.shape)).toarray()
    return Q, np.array([x1 for x1, _, _ in model.state_list()])


def _identical(model, first, tampered=0.0):
    """Whether all blocks of a kind are the same from level `first` to C - 1."""
    Q, level = _blocks(model, tampered)

    def block(i, step):
        return Q[np.ix_(level == i, level == i + step)]

    last = model.queue_capacity - 1
    pairs = [(i, step) for step in (-1, 0, 1) for i in range(first + (step < 0), last + 1)]
    try:
        return all((block(i, step) == block(last, step)).all() for i, step in pairs)
    except ValueError:  # blocks of different shapes
        return False


@check("ctmc-007", tampered=1.0)
def block_tridiagonal(tampered=0.0):
    """Entries off the three diagonals of blocks, and equality of the blocks."""
    Q, level = _blocks(SMALL, tampered)
    off = (np.abs(level[:, None] - level) > 1) & (Q != 0)
    same = _identical(SMALL, 2, tampered)
    return finding(f"{off.sum()} entries elsewhere; blocks {'identical' if same else 'differ'}", not off.any() and same)


@check("ctmc-008", level=2)
def level_0_is_larger(level=0):
    """Sizes of a level and of level 1."""
    levels = np.bincount([x1 for x1, _, _ in SMALL.state_list()])
    more, block = levels[level] - levels[1], len(vectors(SMALL))
    return finding(f"{levels[level]} against {levels[1]} states", more == block)


@check("ctmc-009", servers=1600)
def most_jobs(servers=1500):
    """The length of the longest cluster state."""
    above = figure_11(0.05, 60, servers).lattice()
    length = np.zeros(len(above.parent), dtype=int)
    for v, parent in enumerate(above.parent[1:], 1):
        length[v] = length[parent] + 1
    return finding(f"{length.max()} jobs", length.max() == 150)


@check("ctmc-012", below=1)
def a_full_queue(below=0):
    """The probability of a level against what is not served."""
    worst = 0.0
    for rate in (5, 10, 20, 40, 100):
        model = figure_2(100, rate, 6, 6)
        found = solve_directly(model)
        level = np.array([x1 for x1, _, _ in model.state_list()]) == 6 - below
        unserved = 1 - 10 * found.mean_jobs_in_service / rate
        worst = max(worst, abs(found.probabilities()[level].sum() - unserved))
    return finding("equal within 1e-9" if worst < 1e-9 else f"off by {worst:.2g}", worst < 1e-9)


@check("ctmc-013", with_tracker=True)
def little_in_the_queue(with_tracker=False):
    """The mean queue against the expected times of tagged jobs."""
    worst = 0.0
    for rate in (5, 10, 20, 40, 100):
        found = solved(figure_7("uniform", rate))
        extra = (1 - found.blocking) * rate / 100 if with_tracker else 0.0
        worst = max(worst, found.little_error + extra)
    return finding("equal within 1e-9" if worst < 1e-9 else f"off by {worst:.2g}", worst < 1e-9)


@check("ctmc-037", divided=False)
def a_fraction_of_the_servers(divided=True):
    """(8) as printed, and divided by N."""
    printed = 16 * solved(figure_7("uniform", 100)).utilisation
    right = printed / 16 if divided else printed
    return erratum(f"(8) is {printed:.2f}, divided by N {printed / 16:.4f}", printed <= 1, right <= 1)


@check("ctmc-038", places=16)
def room_for_two_more(places=17):
    """One server and an ever quicker tracker, against single-server queues: where B tends to is extrapolated."""
    slow, quick = (ServiceCluster(1, 15, {1: 1}, 10, rate, 10).solve().blocking for rate in (1e5, 1e6))
    limit = (10 * quick - slow) / 9
    printed, right = 1 / 16, 1 / (places + 1)  # at load 1, all numbers of jobs are equally likely
    return erratum(
        f"B tends to {limit:.5f}; {printed:.5f} with 15 places, {1 / 18:.5f} with 17",
        abs(limit - printed) < 1e-4,
        abs(limit - right) < 1e-4,
    )


@check("ctmc-039", first=0)
def blocks_repeat(first=2):
    """Equality of the blocks from a level on."""
    return finding(
        f"identical from level {first}: {_identical(SMALL, first)}; from level 1: {_identical(SMALL, 1)}",
        _identical(SMALL, first),
    )


@check("ctmc-040", empty_too=True)
def length_of_a_vector(empty_too=False):
    """The numbers of jobs in the cluster states."""
    lengths = {len(V) for V in vectors(figure_7("uniform", 30)) if V or empty_too}
    return finding(f"{min(lengths)} to {max(lengths)}", lengths == set(range(1, 17)))


@check("ctmc-041", parameter=4.0)
def sigma_is_a_parameter(parameter=8.0):
    """The standard deviation of the sizes, and the parameter of the density recovered from two of them."""
    sizes, (_, deviation) = normal_sizes(15, 8.0), size_moments(8.0)
    recovered = (49 / 2 / np.log(sizes[8] / sizes[1])) ** 0.5
    return erratum(
        f"at sigma = 8 the standard deviation is {deviation:.3f}; the parameter is {recovered:.3f}",
        abs(deviation / 8 - 1) < 0.01,
        abs(recovered - parameter) < 1e-9,
    )


@check("ctmc-042", candidates=(10,))
def lost_arrival_rates(candidates=(5, 10, 20, 40)):
    """The candidates under which what is said on Figure 2 holds."""
    fits = []
    for rate in candidates:
        delays = [solved(figure_2(tracker, rate)).mean_delay for tracker in (20, 100, 200, 1000)]
        if (np.diff(delays) < 0).all() and delays[0] - delays[1] > 5 * (delays[2] - delays[3]):
            fits.append(rate)
    text = f"Figure 2 is as described at {', '.join(map(str, fits))} jobs per second"
    return finding(text, True) if len(fits) == 1 else Finding(text, UNDECIDABLE)


@functools.cache
def _simulated(seed=1):
    model = cluster("uniform", 8.0, servers=8, queue_capacity=6, tracker_rate=20.0)
    return model.solve(), simulate(model, jumps=100_000, warmup=10_000, replications=12, seed=seed)


@check("ctmc-043", with_tracker=True)
def delay_in_the_queue(with_tracker=False):
    """Delays of simulated jobs against (7)."""
    exact, found = _simulated()
    expected = exact.mean_delay + (1 / 20 if with_tracker else 0)
    estimate = found.mean_delay
    off = abs(estimate.value - expected) / (estimate.half_width / 2.2)
    return finding(f"{expected:.4f}, simulated {estimate.value:.4f} ± {estimate.half_width:.4f}", off < 4)


@check("ctmc-044", level=0)
def joins_the_queue(level=1):
    """Where an arrival leads from every state of level 0 with a busy tracker."""
    states, Q = SMALL.state_list(), SMALL.generator().toarray()
    index = {state: number for number, state in enumerate(states)}
    busy = [state for state in states if state[0] == 0 and state[1] > 0]
    right = sum(Q[index[state], index[level, *state[1:]]] == SMALL.arrival_rate for state in busy)
    return finding(f"{right} of {len(busy)} states", right == len(busy))


@check("ctmc-058", exponent=1.0)
def job_size_distributions(exponent=1.5):
    """Ratios of the probabilities, written down a second time."""
    n = np.arange(1, 17)
    worst = 0.0
    for sizes, weights in (
        (uniform_sizes(16), np.ones(16)),
        (normal_sizes(16), np.exp(-((n - 8.5) ** 2) / (2 * 2.125**2))),
        (harmonic_sizes(16), n**-exponent),
    ):
        found = np.array(list(sizes.values()))
        worst = max(worst, abs(found.sum() - 1), np.abs(found / found[0] * weights[0] / weights - 1).max())
    return finding("equal within 1e-12" if worst < 1e-12 else f"off by {worst:.2g}", worst < 1e-12)


@check("ctmc-059", more=1)
def transitions_out(more=0):
    """Transitions of each kind out of every state, counted in the generator."""
    model, wrong = cluster("uniform", 3.0, servers=4, queue_capacity=3), 0
    Q, states = model.generator(), model.state_list()
    for number, (x1, x2, V) in enumerate(states):
        targets = [states[k] for k in Q.indices[Q.indptr[number] : Q.indptr[number + 1]] if k != number]
        departures = sum(target[1] == x2 and sum(target[2]) < sum(V) for target in targets)
        if x1 == x2 == 0:
            wrong += len(targets) - departures != 4 + more
        elif x1 > 0 and sum(V) + x2 <= 4:
            wrong += sum(target[0] < x1 for target in targets) != 4 + more
        wrong += departures != len(set(V))
    return finding(f"{wrong} of {len(states)} states differ", wrong == 0)


@check("ctmc-060", V=(2, 3, 3))
def rates_of_223(V=(2, 2, 3)):
    """The two departures, with a rate of 3 for size 2 and of 5 for size 3."""
    model = ServiceCluster(8, 0, uniform_sizes(3), 1, 1, {1: 1, 2: 3, 3: 5})
    states, Q = model.state_list(), model.generator()
    index = {state: number for number, state in enumerate(states)}
    rates = [Q[index[0, 0, V], index[0, 0, V[:k] + V[k + 1 :]]] for k in (0, 2)]
    return finding(f"{rates[0]:g} and {rates[1]:g}, of 3 and 5 for one job", rates == [6, 5])


@check("ctmc-061", idle_too=True)
def blocking_without_a_queue(idle_too=False):
    """(6) as printed, and without the states of an idle tracker, against what is not served."""
    model = ServiceCluster(4, 0, uniform_sizes(4), 3, 7, 1)
    P, states = markov.gth(model.generator()), model.state_list()
    served = P @ [len(V) for _, _, V in states]
    printed = P.sum()
    right = printed if idle_too else P[[x2 > 0 for _, x2, _ in states]].sum()
    return erratum(
        f"printed {printed:.4f}, without them {right:.4f}, not served {1 - served / 3:.4f}",
        abs(printed - 1 + served / 3) < 1e-9,
        abs(right - 1 + served / 3) < 1e-9,
    )


@check("ctmc-062", tampered=1e-9)
def balance_equations(tampered=0.0):
    """Residuals of two solvers, and how far they are apart."""
    model = figure_2(100, 30, 8, 5)
    plain, fast = solve_directly(model), model.solve()
    apart = np.abs(plain.probabilities() - fast.probabilities() - tampered).max()
    worst = max(plain.residual, fast.residual)
    return finding(
        "residuals below 1e-12, apart by less than 1e-11" if worst < 1e-12 and apart < 1e-11 else f"apart {apart:.1e}",
        worst < 1e-12 and apart < 1e-11,
    )


@check("ctmc-065", servers=3000)
def a_small_chain(servers=1500):
    """States of the cloud's chain, and of Figure 7's."""
    cloud, small = figure_11(0.05, 60, servers).states, figure_7("uniform", 30).states
    return finding(f"{cloud} against {small} states", cloud < small)
