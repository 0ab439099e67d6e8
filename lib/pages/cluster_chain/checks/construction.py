"""Claims of `ctmc`, Sections 3 and 4: the states, the transitions, the blocks, the measures."""

import functools

import numpy as np

from clustershare.cluster_chain import (
    ServiceCluster,
    harmonic_sizes,
    normal_sizes,
    simulate,
    solve_directly,
    uniform_sizes,
)
from compendium.press.claims import UNDECIDABLE, Finding, check, erratum, finding
from pages.cluster_chain.systems import cluster, figure_2, figure_7, figure_10, figure_11, solved

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


@check("ctmc-002", servers=15)
def number_of_states(servers=16):
    """States of the chain, and of the cluster."""
    whole = cluster("uniform", 30.0, servers=servers).states
    # A level more adds a block of cluster states for each of the job sizes.
    level = whole - cluster("uniform", 30.0, servers=servers, queue_capacity=14).states
    return finding(f"{whole} states, {level // servers} of the cluster", (whole, level) == (235155, 14640))


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


@check("ctmc-040", empty_too=True)
def length_of_a_vector(empty_too=False):
    """The numbers of jobs in the cluster states."""
    lengths = {len(V) for V in vectors(figure_7("uniform", 30)) if V or empty_too}
    return finding(f"{min(lengths)} to {max(lengths)}", lengths == set(range(1, 17)))


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


@check("ctmc-065", servers=3000)
def a_small_chain(servers=1500):
    """States of the cloud's chain, and of Figure 7's."""
    cloud, small = figure_11(0.05, 60, servers).states, figure_7("uniform", 30).states
    return finding(f"{cloud} against {small} states", cloud < small)
