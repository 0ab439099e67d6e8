"""Claims of `ctmc`, Section 3 and its figures' sizes: what a state holds, and how many there are."""

import functools
import itertools

import numpy as np

from clustershare.cluster_chain import ServiceCluster, uniform_sizes
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, grid, none
from compendium.press.clauses.conditions import equal, short_of
from compendium.press.findings import check
from pages.cluster_chain.paths import COUNTED_AS_RUNNING, WAITS, follow
from pages.cluster_chain.systems import figure_7, figure_10, figure_11
from pages.cluster_chain.words import random_clusters

FOLLOWED = (
    *(figure_7(name, 30) for name in ("uniform", "bounded normal", "harmonic")),
    figure_10(2.0),
    figure_11(0.05, 60),
    *random_clusters(10, 2, 8, (1, 8)),
)


def vectors(model):
    """The cluster states, as tuples of the sizes in service."""
    return [V for _, x2, V in model.state_list() if x2 == 0]


def of_sizes(servers, sizes):
    """The cluster states of a number of servers and some sizes, all as likely."""
    sizes = tuple(sizes)
    return vectors(ServiceCluster(servers, 0, dict.fromkeys(sizes, 1 / len(sizes)), 1, 1, 1))


@check("ctmc-002", rule=COUNTED_AS_RUNNING)
def every_job_is_in_the_state(rule=WAITS):
    """Jobs, servers and sizes one by one against the state, after every event of some paths."""
    found = [follow(cluster, rule, arrivals=100_000) for cluster in FOLLOWED]
    events, differ = (sum(getattr(one, name) for one in found) for name in ("events", "differ"))
    return conclude(none(events, "event", "left the state other than the jobs one by one", differ))


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


@functools.cache
def with_parts(total, largest):
    """Ways to write a number as a sum of parts up to a largest one: the coefficients of a generating function."""
    if total < 0 or largest == 0:
        return int(total == 0)
    return with_parts(total, largest - 1) + with_parts(total - largest, largest)


def pairs(servers, short=10, long=100):
    """Points (number of short jobs, number of long ones) under a line."""
    return sum((servers - long * number) // short + 1 for number in range(servers // long + 1))


def compositions(servers, largest):
    """Sequences of sizes in any order, with a sum of at most so many servers: a wrong count of the states."""
    ways = [1]
    for total in range(1, servers + 1):
        ways.append(sum(ways[total - size] for size in range(1, min(largest, total) + 1)))
    return sum(ways)


@check("ctmc-003", ordered=False)
def number_of_states(ordered=True):
    """The states of the library, listed and as it says, against counts that list nothing."""

    def counted(servers, largest):
        if not ordered:
            return compositions(servers, largest)
        if largest == servers:
            return sum(partition_numbers(servers))
        return sum(with_parts(total, largest) for total in range(servers + 1))

    def states(servers, largest, capacity):
        model = ServiceCluster(servers, capacity, uniform_sizes(largest), 1, 1, 1)
        return model.states - counted(servers, largest) * (1 + largest * (capacity + 1))

    def listed(servers, largest):
        found = vectors(ServiceCluster(servers, 0, uniform_sizes(largest), 1, 1, 1))
        return max(abs(len(each) - counted(servers, largest)) for each in (found, set(found)))

    def of_two_sizes(servers, capacity):
        model = ServiceCluster(servers, capacity, {10: 0.95, 100: 0.05}, 1, 1, 1)
        return model.states - pairs(servers) * (1 + 2 * (capacity + 1))

    laws = [(servers, largest) for servers in range(1, 17) for largest in range(1, servers + 1)]
    models = [(*law, capacity) for law in laws for capacity in range(16)]
    two_sizes = grid(N=range(100, 1501, 100), C=(0, 15, 50))
    what = "and those of a count that lists nothing"
    return conclude(
        everywhere(f"the states of the library {what}", cases("model", models).measure(states), equal(0)),
        everywhere(f"its listed cluster states {what}", cases("law of the size", laws).measure(listed), equal(0)),
        everywhere(f"its states with two sizes {what}", two_sizes.measure(of_two_sizes), equal(0)),
        ours=True,
    )


@check("ctmc-004", long=95)
def pairs_of_numbers(long=100):
    """Cluster states of two sizes against lattice points under a line."""
    what, by = "the cluster states of the library, {}, and the points under a line", grid(N=range(100, 3001, 100))
    counted = by.measure(lambda servers: figure_11(0.05, 60, servers).level_sizes[0] - pairs(servers, 10, long))
    listed = grid(N=(100, 1500)).measure(lambda servers: len(vectors(figure_11(0.05, 60, servers))) - pairs(servers))
    return conclude(
        everywhere(what.format("counted"), counted, equal(0)),
        everywhere(what.format("listed"), listed, equal(0)),
        ours=True,
    )


def separately(servers, sizes, halves=False):
    """Increasing tuples of sizes that fit; in a wrong system, each job in one of two halves of the cluster."""
    found = []
    for length in range(servers // min(sizes) + 1):
        for V in itertools.combinations_with_replacement(sizes, length):
            if sum(V) <= servers and (not halves or fits_in_halves(V, servers // 2)):
                found.append(V)
    return found


def fits_in_halves(V, half):
    """Whether jobs can be put on two halves, none on both."""
    sums = {0}
    for size in V:
        sums |= {total + size for total in sums}
    return any(total <= half and sum(V) - total <= half for total in sums)


@check("ctmc-006", halves=True)
def last_job(halves=False):
    """After each beginning of a listed cluster state, the last jobs in their order, against r."""
    laws = [(servers, tuple(range(1, largest + 1))) for servers in range(1, 11) for largest in range(1, servers + 1)]
    laws += [(10, (2, 3, 7)), (12, (1, 4, 6)), (9, (2, 5)), (16, (3, 8)), (11, (4,))]
    same, right = [], []
    for servers, sizes in laws:
        expected, listed = separately(servers, sizes, halves), of_sizes(servers, sizes)
        same.append(sorted(expected) == sorted(listed))
        for beginning in {V[:-1] for V in expected if V}:
            r, least = min(servers - sum(beginning), sizes[-1]), beginning[-1] if beginning else 0
            lasts = [V[-1] for V in listed if V and V[:-1] == beginning]
            right.append(lasts == [size for size in sizes if least <= size <= r])
    return conclude(
        everywhere("the cluster states are those of a separate enumeration", exact(same, law_of_the_size=None)),
        everywhere("the last jobs run up to r, in order,", exact(right, beginning_of_a_state=None)),
        whole=True,
    )


def reached(servers, sizes, squeezing=False):
    """The cluster states that mapping and ends of jobs reach from the empty cluster, by the rules in words."""
    found, open_ends = {()}, [()]
    while open_ends:
        V = open_ends.pop()
        after = [tuple(sorted((*V, size))) for size in sizes if squeezing or sum(V) + size <= servers]
        after += [V[:k] + V[k + 1 :] for k in range(len(V))]
        for other in after:
            if other not in found and len(other) <= servers + 1:  # squeezing would never end
                found.add(other)
                open_ends.append(other)
    return found


@check("ctmc-040", squeezing=True)
def length_of_a_vector(squeezing=False):
    """Lengths and sums of all cluster states that a search from the empty system reaches."""
    most = 5 if squeezing else 16  # what is mapped though it does not fit makes many states
    clusters = [(N, tuple(range(1, largest + 1))) for N in range(1, most + 1) for largest in range(1, N + 1)]

    def lengths(servers, sizes):
        states = reached(servers, sizes, squeezing)
        listed = states == set(of_sizes(servers, sizes))
        states.remove(())
        return {
            "the states that a search reaches are those of the library": listed,
            "they hold 1 to N jobs on N servers at most": all(1 <= len(V) and sum(V) <= servers for V in states),
            "N jobs occur, where size 1 does,": 1 not in sizes or max(map(len, states)) == servers,
        }

    found = cases("cluster", clusters if squeezing else [*clusters, (1500, (10, 100))]).measure(lengths)
    return conclude(*(everywhere(*clause) for clause in found.items()), whole=True)


@check("ctmc-065", short=1)
def a_small_chain(short=10):
    """States of the cloud's chain against those of Figure 7's, the largest with 16 servers."""
    sizes, rates = {short: 0.95, 100: 0.05}, {short: 10.0, 100: 1.0}
    cloud = ServiceCluster(1500, 50, sizes, 60.0, 100.0, rates)
    small, of_10 = figure_7("uniform", 30), figure_10(2.0)
    of = {"the states": lambda model: model.states, "the cluster states": lambda model: model.level_sizes[0]}
    more = [exact(count(cloud)) - exact(count(small)) for count in of.values()]
    return conclude(
        *(at_each(f"{what} of the cloud, less those of Figure 7,", each, short_of("much"))
          for what, each in zip(of, more)),
        *(aside(f"{what} of the cloud, over those of Figures 7 and 10",
                exact([count(cloud) / count(other) for other in (small, of_10)], figure=(7, 10)))
          for what, count in of.items()),
        whole=True,
    )  # fmt: skip


@check("ctmc-021", servers=18)
def two_of_the_largest(servers=16):
    """Where the job at the tracker fits beside one running, and two of the largest size, in all cluster states."""

    def beside(largest):
        listed = of_sizes(servers, range(1, largest + 1))
        return {
            "fits": all(sum(V) + largest <= servers for V in listed if len(V) <= 1),
            "two": (largest, largest) in listed,
        }

    found, half = grid(T=range(1, 16)).measure(beside), 8
    return conclude(
        *(
            everywhere(what, exact(found[name].value.astype(bool) == (np.arange(1, 16) <= half), T=range(1, 16)))
            for name, what in (
                ("fits", "up to T = 8 the job at the tracker fits beside any one, and beyond not always,"),
                ("two", "up to T = 8 two jobs of size T occur, and beyond not,"),
            )
        ),
        whole=True,
    )
