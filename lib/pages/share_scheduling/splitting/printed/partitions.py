"""The formulas of `thesis`, Sections 4.5.1 to 4.5.3, as printed and as corrected.

`clustershare.splitting` does not use them: it has one way for any routing. Here each stands by itself, to be held
against the library and against witnesses that know neither.
"""

import itertools
import math

import numpy as np


def obtained(processor_loads, speeds):
    """`thesis` (4.120): obtained shares, processor_loads being rho_gp of shape (groups, processors)."""
    return processor_loads / np.maximum(1, processor_loads.sum(axis=0)) @ speeds


def joint_law(numbers, loads):
    """`thesis` (4.122) on one processor: loads rho_gp and numbers of jobs, shape (groups,) and (groups, states)."""
    ways = [math.factorial(sum(n)) / math.prod(map(math.factorial, n)) for n in numbers.T.tolist()]
    return (1 - loads.sum()) * np.array(ways) * np.prod(loads[:, None] ** numbers, axis=0)


def number_law(processor_loads, group, jobs, constrained):
    """`thesis` (4.124): that a group has so many jobs; printed without the constraint that they sum to that."""
    totals, own = processor_loads.sum(axis=0), processor_loads[group]
    ratios = (own / (1 - (totals - own)))[own > 0]
    law = (1 - ratios) * ratios ** np.arange(jobs + 1)[:, None]
    return sum(
        math.prod(law[n, p] for p, n in enumerate(numbers))
        for numbers in itertools.product(range(jobs + 1), repeat=len(ratios))
        if sum(numbers) == jobs or not constrained
    )


def horizontal_loss(speeds, load):
    """`thesis` (4.135): the capacity loss under HPRS."""
    P, unused = len(speeds), np.cumsum(speeds[::-1])[::-1]
    return 1 - load - sum(unused[n] * math.comb(P + n - 1, n) * (1 - load) ** P * load**n for n in range(P))


def horizontal_deviation(share, own, load, processors, rounded):
    """`thesis` (4.136) with (4.137); `rounded` is its upper limit of r_g P: printed math.ceil, right math.floor."""
    ratio, promised = own / (1 - (load - own)), share * processors
    last = round(promised) if abs(promised - round(promised)) < 1e-9 else rounded(promised)
    missing = sum((1 - n / promised) * _negative_binomial(n, processors, ratio) for n in range(last + 1))
    return 1 - missing - own / share


def vertical_routing(sizes):
    """`thesis` (4.138), (4.139): where the jobs of each group go under VPRS, shape (groups, processors)."""
    p, ends = np.arange(1, sum(sizes) + 1), np.cumsum(sizes)[:, None]
    return ((p > ends - sizes[:, None]) & (p <= ends)) / sizes[:, None]


def vertical_loss(sizes, loads, constrained):
    """`thesis` (4.140): the capacity loss under VPRS, no subset overloaded; printed without n_1 + ... + n_G = n."""
    P, ratios, total = int(sum(sizes)), loads / (sizes / sum(sizes)), 0.0
    for n in range(P):
        laws = [[_negative_binomial(k, int(m), x) for k in range(n + 1)] for m, x in zip(sizes, ratios)]
        if constrained:
            inner = np.eye(1, n + 1)[0]
            for law in laws:
                inner = np.convolve(inner, law)[: n + 1]
            total += (1 - n / P) * inner[n]
        else:
            total += (1 - n / P) * math.prod(map(sum, laws))
    return 1 - loads.sum() - total


def overloaded_loss(shares, loads):
    """`thesis` (4.141): the capacity loss under VPRS with an overloaded subset."""
    return 1 - loads.sum() + np.maximum(0, loads - shares).sum()


def vertical_deviation(share, own, processors):
    """`thesis` (4.142), (4.143): the deviation of a group under VPRS."""
    if own >= share:
        return 0.0
    size = round(share * processors)
    missing = sum((1 - n / size) * _negative_binomial(n, size, own / share) for n in range(size))
    return 1 - missing - own / share


def _negative_binomial(n, queues, ratio):
    """That so many independent geometric numbers sum to n."""
    return math.comb(queues + n - 1, n) * (1 - ratio) ** queues * ratio**n
