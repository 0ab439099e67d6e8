"""Claims of `ctmc`, Section 3: the states, and how many there are."""

import itertools

import numpy as np

from clustershare.cluster_chain import ServiceCluster, uniform_sizes
from compendium.press.clauses import cases, conclude, everywhere, exact, fact, grid
from compendium.press.clauses.conditions import equal
from compendium.press.findings import check
from pages.cluster_chain.systems import cluster, of_sizes, vectors
from pages.cluster_chain.witnesses.states import compositions, pairs, partition_numbers, reached, separately, with_parts


@check("ctmc-005", servers=7)
def order_of_three_jobs(servers=6):
    """The cluster states with three jobs, in order."""
    names = ["".join(map(str, V)) for V in vectors(cluster("uniform", 1.0, servers)) if len(V) == 3]
    right, told = names == "111 112 113 114 122 123 222".split(), ", ".join(names)
    return conclude(fact(f"the states are {told}", right, f"the states are others: {told}"))


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

    def listed_in_full(servers, largest, capacity):
        found = ServiceCluster(servers, capacity, uniform_sizes(largest), 1, 1, 1).state_list()
        expected = counted(servers, largest) * (1 + largest * (capacity + 1))
        return max(abs(len(each) - expected) for each in (found, set(found)))

    def of_two_sizes(servers, capacity):
        model = ServiceCluster(servers, capacity, {10: 0.95, 100: 0.05}, 1, 1, 1)
        return model.states - pairs(servers) * (1 + 2 * (capacity + 1))

    laws = [(servers, largest) for servers in range(1, 17) for largest in range(1, servers + 1)]
    models = [(*law, capacity) for law in laws for capacity in range(16)]
    small = [model for model in models if model[0] <= 7 and model[2] <= 3]
    two_sizes = grid(N=range(100, 1501, 100), C=(0, 15, 50))
    what = "and those of a count that lists nothing"
    return conclude(
        everywhere(f"the states of the library {what}", cases("model", models).measure(states), equal(0)),
        everywhere(f"its listed cluster states {what}", cases("law of the size", laws).measure(listed), equal(0)),
        everywhere(f"all its listed states {what}", cases("model", small).measure(listed_in_full), equal(0)),
        everywhere(f"its states with two sizes {what}", two_sizes.measure(of_two_sizes), equal(0)),
        ours=True,
    )


@check("ctmc-006", halves=True)
def last_job(halves=False):
    """After each beginning of a listed cluster state, the last jobs in their order, against r."""
    laws = [(servers, tuple(range(1, largest + 1))) for servers in range(1, 11) for largest in range(1, servers + 1)]
    laws += [(10, (2, 3, 7)), (12, (1, 4, 6)), (9, (2, 5)), (16, (3, 8)), (11, (4,))]
    same, in_full, right = [], [], []
    for servers, sizes in laws:
        expected, listed = separately(servers, sizes, halves), of_sizes(servers, sizes)
        expected.sort(key=lambda V: (len(V), V))
        same.append(expected == listed)
        for ratio in (0.5, 2.0):  # given from the largest size down, the chances falling and rising
            chances = np.power(ratio, range(len(sizes)))
            law = dict(zip(sizes[::-1], (chances / chances.sum()).tolist()))
            model = ServiceCluster(servers, 0, law, 1, 1, 1)
            same.append(model.sizes.tolist() == list(sizes) and expected == vectors(model))
        if servers <= 6:
            model = ServiceCluster(servers, 1, dict.fromkeys(sizes, 1 / len(sizes)), 1, 1, 1)
            places = [(0, 0), *itertools.product((0, 1), sizes)]
            in_full.append(model.state_list() == [(*place, V) for place in places for V in expected])
        for beginning in {V[:-1] for V in expected if V}:
            r, least = min(servers - sum(beginning), sizes[-1]), beginning[-1] if beginning else 0
            lasts = [V[-1] for V in listed if V and V[:-1] == beginning]
            right.append(lasts == [size for size in sizes if least <= size <= r])
    return conclude(
        everywhere("the list is that of a separate enumeration in its order,", exact(same, law_of_the_size=None)),
        everywhere("so it is in the whole list, for each queue and job at the tracker,",
                   exact(in_full, law_of_the_size=None)),
        everywhere("the last jobs run up to r, in order,", exact(right, beginning_of_a_state=None)),
        whole=True,
    )  # fmt: skip


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
