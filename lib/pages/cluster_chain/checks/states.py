"""Claims of `ctmc`, Section 3 and its figures' sizes: what a state holds, and how many there are."""

import functools
import itertools

from clustershare.cluster_chain import ServiceCluster, uniform_sizes
from compendium.press.findings import beyond, check, finding
from compendium.press.words import SCALE
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


@check("ctmc-002", rule=COUNTED_AS_RUNNING)
def every_job_is_in_the_state(rule=WAITS):
    """Jobs, servers and sizes one by one against the state, after every event of some paths."""
    found = [follow(cluster, rule, arrivals=100_000) for cluster in FOLLOWED]
    events, differ = (sum(getattr(one, name) for one in found) for name in ("events", "differ"))
    return finding(f"{differ} of {events / 1e6:.1f} million events on {len(found)} paths", differ == 0)


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
    wrong, seen = 0, 0
    for servers in range(1, 17):
        for largest in range(1, servers + 1):
            if not ordered:
                expected = compositions(servers, largest)
            elif largest == servers:
                expected = sum(partition_numbers(servers))
            else:
                expected = sum(with_parts(total, largest) for total in range(servers + 1))
            for capacity in range(16):
                model = ServiceCluster(servers, capacity, uniform_sizes(largest), 1, 1, 1)
                seen += 1
                wrong += model.states != expected * (1 + largest * (capacity + 1))
            listed = vectors(ServiceCluster(servers, 0, uniform_sizes(largest), 1, 1, 1))
            wrong += len(listed) != expected or len(set(listed)) != expected
    for servers, capacity in itertools.product(range(100, 1501, 100), (0, 15, 50)):
        model = ServiceCluster(servers, capacity, {10: 0.95, 100: 0.05}, 1, 1, 1)
        seen += 1
        wrong += model.states != pairs(servers) * (1 + 2 * (capacity + 1))
    return beyond(f"{seen - wrong} of {seen} models with the states as counted", wrong == 0)


@check("ctmc-004", long=95)
def pairs_of_numbers(long=100):
    """Cluster states of two sizes against lattice points under a line."""
    numbers = range(100, 3001, 100)
    same = [figure_11(0.05, 60, servers).level_sizes[0] == pairs(servers, 10, long) for servers in numbers]
    listed = [len(vectors(figure_11(0.05, 60, servers))) for servers in (100, 1500)]
    return beyond(
        f"{sum(same)} of {len(same)} counts the same", all(same) and listed == [pairs(100), pairs(1500)]
    )  # fmt: skip


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
    wrong, seen = 0, 0
    laws = [(servers, tuple(range(1, largest + 1))) for servers in range(1, 11) for largest in range(1, servers + 1)]
    laws += [(10, (2, 3, 7)), (12, (1, 4, 6)), (9, (2, 5)), (16, (3, 8)), (11, (4,))]
    for servers, sizes in laws:
        model = ServiceCluster(servers, 0, dict.fromkeys(sizes, 1 / len(sizes)), 1, 1, 1)
        expected, listed = separately(servers, sizes, halves), vectors(model)
        wrong += sorted(expected) != sorted(listed)
        for beginning in {V[:-1] for V in expected if V}:
            r = min(servers - sum(beginning), sizes[-1])
            lasts = [V[-1] for V in listed if V and V[:-1] == beginning]
            seen += 1
            wrong += lasts != [size for size in sizes if (beginning[-1] if beginning else 0) <= size <= r]
    return finding(f"{wrong} of {seen} beginnings with other last jobs or another order, {len(laws)} laws", wrong == 0)


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
    wrong, seen, shorter, unlike = 0, 0, 0, 0
    most = 5 if squeezing else 16  # what is mapped though it does not fit makes many states
    cases = [(servers, range(1, largest + 1)) for servers in range(1, most + 1) for largest in range(1, servers + 1)]
    for servers, sizes in cases if squeezing else [*cases, (1500, (10, 100))]:
        states = reached(servers, sizes, squeezing)
        listed = vectors(ServiceCluster(servers, 0, dict.fromkeys(sizes, 1 / len(sizes)), 1, 1, 1))
        unlike += states != set(listed)
        states.remove(())
        seen += len(states)
        wrong += sum(not (1 <= len(V) <= servers and sum(V) <= servers) for V in states)
        shorter += 1 in sizes and max(map(len, states)) != servers
    return finding(
        f"{wrong} of {seen} states beyond N; clusters where N jobs of size 1 do not occur: {shorter}, with other "
        f"states in the library: {unlike}",
        wrong == shorter == unlike == 0,
    )


@check("ctmc-065", short=1)
def a_small_chain(short=10):
    """States of the cloud's chain against those of Figure 7's, the largest with 16 servers."""
    sizes, rates = {short: 0.95, 100: 0.05}, {short: 10.0, 100: 1.0}
    cloud = ServiceCluster(1500, 50, sizes, 60.0, 100.0, rates)
    small, of_10 = figure_7("uniform", 30), figure_10(2.0)
    ratios = [cloud.states / small.states, cloud.level_sizes[0] / small.level_sizes[0]]
    more = 1 - 1 / max(ratios)  # relative to the larger
    return finding(
        f"{ratios[0]:.2f} times the states of Figure 7, {ratios[1]:.2f} times its cluster states; of Figure 10 "
        f"{cloud.states / of_10.states:.2f} and {cloud.level_sizes[0] / of_10.level_sizes[0]:.2f}",
        more < SCALE["much"].least,
    )


@check("ctmc-021", servers=18)
def two_of_the_largest(servers=16):
    """Where the job at the tracker fits beside one running, and two of the largest size, in all cluster states."""
    wrong = []
    for largest in range(1, 16):
        listed = vectors(ServiceCluster(servers, 0, uniform_sizes(largest), 1, 1, 1))
        fits = all(sum(V) + size <= servers for V in listed if len(V) <= 1 for size in range(1, largest + 1))
        two = (largest, largest) in listed
        if (fits and two) != (largest <= 8) or (largest > 8 and (fits or two)):
            wrong.append(largest)
    told = ", ".join(map(str, wrong)) or "none"
    return finding(
        f"T = 1 to 8: always; T = 9 to 15: not always, and never two of size T; other at T = {told}", not wrong
    )
