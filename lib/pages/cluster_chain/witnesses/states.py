"""The cluster states of `ctmc`, Section 3, counted and listed without the library, and wrong ones."""

import functools
import itertools


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
