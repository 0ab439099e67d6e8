"""Claims of `thesis`, Section 4.5.1: how many jobs a group has under random splitting, and what it obtains."""

import math

import numpy as np
from scipy.stats import binom

from clustershare.compiled import service
from clustershare.splitting import assignment, group_number_law
from compendium.press.clauses import cases, conclude, equalities, everywhere, exact, measured, mended, widened
from compendium.press.clauses.conditions import agrees, at_most, falls, larger
from compendium.press.findings import check, difference
from pages.share_scheduling.splitting.printed import partitions as printed
from pages.share_scheduling.splitting.witnesses import chance
from pages.share_scheduling.splitting.witnesses.partitions import cut_chain, mean_feasible, sum_of_geometric
from pages.share_scheduling.splitting.witnesses.split_paths import one_processor

LOADS = np.array([[0.5, 0.3], [0.9, 0.6], [1.5, 1.0]])
THIRDS = np.full(3, 1 / 3)  # the other two processors are idle, so that all together are not overloaded


def on_the_first(loads, rates=1.0):
    """The library's shares of groups with jobs on one of three equal processors."""
    shares = np.full(len(loads), 1 / len(loads))
    return assignment(shares, np.outer(loads, [1, 0, 0]), THIRDS, rates)


def fluid_of_two(loads, rates):
    """What two groups obtain of an overloaded PS processor: the root of a quadratic, numbers growing in proportion."""
    arriving = loads * rates
    middle, last = (rates - arriving).sum(), rates.prod() * (1 - loads.sum())
    root = math.sqrt(middle**2 - 4 * last)
    growth = (root - middle) / 2 if middle < 0 else -2 * last / (root + middle)  # the positive one, without cancelling
    return arriving / (growth + rates)


@check("thesis-4-077", policy="FCFS")
def obtained_share(policy="PS"):
    """(4.120) against paths and the fluid limit; the control is first come, first served, with unequal means."""
    ratios = (1.0, 10.0) if policy == "PS" else (10.0,)
    loads = np.concatenate([LOADS] * len(ratios))
    rates = np.repeat([(1.0, ratio) for ratio in ratios], len(LOADS), axis=0)
    copies = 200
    found = one_processor(loads * rates, rates, policy, copies=copies, ticks=8000)
    as_printed = np.array([3 * printed.obtained(np.outer(pair, [1, 0, 0]), THIRDS) for pair in loads])
    growing = np.array([3 * on_the_first(*system).obtained_share for system in zip(loads, rates)])
    half = np.minimum(widened(found.value.size, copies, 0.001) * found.half_width, 0.01)  # 99.9 % jointly
    off = [
        measured(found.value - np.ravel(shares), half, risk=None, group_of_a_system=None)
        for shares in (as_printed, growing)
    ]

    def gap(pair, faster):
        speeds = np.array([1.0, faster])
        return difference(3 * on_the_first(pair, speeds).obtained_share, fluid_of_two(pair, speeds))

    def gap_of_several(loads, speeds, faster):
        mu, alone = np.array([1.0, faster]), loads.copy()
        full = loads.sum(axis=0) >= 1
        alone[:, full] = np.transpose([fluid_of_two(pair, mu) for pair in loads.T[full]])
        return difference(assignment([0.5, 0.5], loads, speeds, mu).obtained_share, alone @ speeds)

    rng = np.random.default_rng(77)
    several = [
        (total * rng.dirichlet(np.ones(2), len(speeds)).T, speeds, rng.uniform(0.02, 50))
        for speeds, total, _ in chance.overloaded(200, 77)
    ]
    systems = [(rng.uniform(1.01, 2.9) * rng.dirichlet(np.ones(2)), rng.uniform(0.02, 50)) for _ in range(200)]
    shared = "what a group obtains on paths less"
    return mended(
        everywhere(f"{shared} the printed share", off[0], agrees()),
        everywhere(f"{shared} that where numbers grow in proportion", off[1], agrees()),
        *equalities({"that and the root of the quadratic for two groups":
                     cases("overloaded processor", systems, seed=77).measure(gap),
                     "that of several processors and the sum over them":
                     cases("system with an overloaded processor", several, seed=77).measure(gap_of_several)}, 1e-9),
    )  # fmt: skip


def departures(rates, rule):
    """The rates of departure of two or three groups in each state; what they require matters to GPPS."""
    return lambda numbers: rates[:, None] * service.divide_each(rule, np.array([0.6, 0.4, 0.2])[: len(rates)], numbers)


@check("thesis-4-078", rule=service.GPPS)
def numbers_are_geometric(rule=service.PS):
    """(4.122) and (4.123) against the chain of the numbers of two groups, or of three."""
    rng = np.random.default_rng(78)

    def gaps(load, others, parts):
        rates, loads = np.append(1.0, others), load * parts
        level = math.ceil(math.log(1e-10) / math.log(load))
        numbers, probability = cut_chain(level, loads * rates, departures(rates, rule))
        laws = [np.bincount(own, weights=probability) for own in numbers]
        few = numbers.sum(axis=0) <= 30  # their factorials are held exactly; the others weigh less than the bound
        return {
            "the law of a group's number and (4.123)": max(
                difference(law, group_number_law(loads[:, None], g, len(law))) for g, law in enumerate(laws)
            ),
            "the joint law and (4.122)": difference(probability[few], printed.joint_law(numbers[:, few], loads)),
        }

    systems = [(rng.uniform(0.1, 0.7), rng.uniform(0.1, 10), rng.dirichlet(np.full(2, 2.0))) for _ in range(20)]
    systems += [(rng.uniform(0.1, 0.3), rng.uniform(0.1, 10, 2), rng.dirichlet(np.full(3, 2.0))) for _ in range(5)]
    return conclude(*equalities(cases("random system", systems, seed=78).measure(gaps), 1e-8), whole=True)


@check("thesis-4-080", permanent=True)
def a_mean_and_what_it_is_the_mean_of(permanent=False):
    """The spread of f_g over the law of the group's number, which is convolved here from (4.123), and its mean against
    the library's; the control has as many permanent jobs as the group can use."""
    rng, systems = np.random.default_rng(80), []
    for _ in range(50):
        P, share = int(rng.integers(1, 6)), rng.uniform(0.1, 0.9)
        systems.append((share, rng.uniform(0.1, 0.8) * rng.dirichlet(np.ones(2), P).T))
    rng = np.random.default_rng([80, 1])
    systems = [(*system, np.sort(rng.dirichlet(np.ones(system[1].shape[1])))[::-1]) for system in systems]

    def moments(share, loads, speeds):
        P = loads.shape[1]
        law = sum_of_geometric(loads[0] / (1 - loads[1]), 400)
        always = math.ceil(share * P) if permanent else 0
        values = np.minimum(share, (np.arange(len(law)) + always) / P)  # (2.26)
        mean = values @ law
        gap = 0.0
        if not permanent:
            gap = assignment([share, 1 - share], loads, speeds).feasible_share[0] - mean
        return {"variance": (values - mean) ** 2 @ law, "gap": gap}

    found = cases("random system", systems, seed=80).measure(moments)
    return mended(
        everywhere("as printed, f_g is one number: its variance", found["variance"], at_most(0)),
        *equalities({"its mean and the right side of (4.127)": found["gap"]}, 1e-9),
    )


@check("thesis-4-141", joined=True)
def total_number(joined=False):
    """(4.124) of two or three groups with and without the constraint; the control has one processor in place of all."""
    rng = np.random.default_rng(141)

    def gaps(loads):
        groups, idle = range(len(loads)), 1 - loads.sum(axis=0)
        known = np.array([sum_of_geometric((own / (idle + own))[own > 0], 7) for own in loads])
        library = np.array([group_number_law(loads, g, 7) for g in groups])
        if joined:
            known = library = np.array([group_number_law(loads.mean(axis=1, keepdims=True), g, 7) for g in groups])
        found = {
            constrained: [[printed.number_law(loads, g, n, constrained) for n in range(7)] for g in groups]
            for constrained in (False, True)
        }
        return {
            "as printed, (4.124) and the law of the sum": difference(found[False], known),
            "(4.124) over numbers that sum to n and the law of the sum": difference(found[True], known),
            "that law and the library's": difference(library, known),
        }

    sizes = [(2 + k % 2, 2 + k // 2 % 2) for k in range(50)]  # processors and groups
    systems = [rng.uniform(0.1, 0.9, P) * rng.dirichlet(np.ones(G), P).T for P, G in sizes]
    for loads in systems[2::4]:
        loads[-1, 0] = 0.0
    return mended(*equalities(cases("random system", systems, seed=141).measure(gaps), 1e-10))


def gpps_fluid(shares, loads):
    """What groups obtain of a processor under GPPS for ever: what they bring, or their part of what these leave."""
    obtained, left = np.zeros(len(loads)), np.ones(len(loads), dtype=bool)
    while left.any():
        part = (1 - obtained.sum()) * shares / shares[left].sum()
        content = left & (loads <= part)
        if not content.any():
            return np.where(left, part, obtained)
        obtained, left = np.where(content, loads, obtained), left & ~content
    return obtained


def ever_growing(policy):
    """On 200 overloaded processors the least growth of a number, how far off proportion, and the least E[f_g] / r_g."""
    rng, systems = np.random.default_rng(142), []
    for _ in range(200):
        G = int(rng.integers(2, 5))
        systems.append(
            (rng.uniform(1.01, 2.9) * rng.dirichlet(np.ones(G)), rng.uniform(0.1, 10, G), rng.dirichlet(np.ones(G)))
        )

    def growth(loads, rates, shares):
        found = on_the_first(loads, rates)
        obtained = gpps_fluid(shares, loads) if policy == "GPPS" else 3 * found.obtained_share
        faster = rates * (loads - obtained)
        return {
            "growth": faster.min(), "parts": difference(faster / faster.sum(), obtained),
            "feasible": (len(loads) * found.feasible_share).min() - 1, "jobs": np.isposinf(found.mean_jobs).all(),
        }  # fmt: skip

    return cases("overloaded processor", systems, seed=142).measure(growth)


def also_elsewhere():
    """200 systems of three processors: one at load 1 (50 of them) or above, one below, one idle; in any order."""
    rng = np.random.default_rng(421)
    for k in range(200):
        G = int(rng.integers(2, 5))
        first = rng.uniform(1.0, 1.5) * rng.dirichlet(np.ones(G))
        if k < 50:
            first = (rng.multinomial(16 - G, np.full(G, 1 / G)) + 1) / 16
        loads = np.column_stack([first, rng.uniform(0.05, 0.9) * rng.dirichlet(np.ones(G)), np.zeros(G)])
        loads, speeds = loads[:, rng.permutation(3)], np.ones(3)
        while (loads @ speeds).sum() >= 1:  # all together are not overloaded
            speeds = np.sort(rng.dirichlet(np.ones(3)))[::-1].copy()
        yield rng.dirichlet(np.ones(G)), loads, speeds, rng.uniform(0.1, 10, G)


@check("thesis-4-142", policy="GPPS")
def numbers_without_bound(policy="PS"):
    """Growth above load 1; at load 1 the feasible share of ever longer chains."""
    rng, most = np.random.default_rng(1), (300, 1000, 3000)
    loads, rates = np.array([0.3, 0.7]), np.array([1.0, 4.0])
    numbers, probability = cut_chain(30, loads * rates, departures(rates, service.PS))
    law = np.bincount(numbers[0], weights=probability)

    def lacking(P, share, part):
        return exact([share - mean_feasible(share, law_at_one(part, cut, P + 1), P) for cut in most], jobs=most)

    def on_two(shares, loads, speeds, rates):
        found = assignment(shares, loads, speeds, rates)
        return {"jobs": np.isposinf(found.mean_jobs).all(), "feasible": difference(found.feasible_share / shares, 1)}

    elsewhere = cases("system", also_elsewhere(), seed=421).measure(on_two)
    systems = [(int(rng.integers(1, 11)), rng.uniform(0.05, 0.95), rng.uniform(0.05, 0.95)) for _ in range(20)]
    above, at_one = ever_growing(policy), cases("random system", systems, seed=1).measure(lacking)
    missing = "at load 1, cut at so many jobs, what E[f_g] is below r_g"
    return conclude(
        everywhere("the growth of the number of a group", above["growth"], larger()),
        *equalities({"its part of all growth and what the group obtains": above["parts"]}, 1e-9),
        *equalities({"E[f_g] / r_g and 1": above["feasible"],
                     "with jobs elsewhere too, E[f_g] / r_g and 1": elsewhere["feasible"]}, 1e-12),
        everywhere("the library's mean numbers are infinite", above["jobs"]),
        everywhere("with jobs elsewhere too, they are infinite", elsewhere["jobs"]),
        everywhere(missing, at_one.steps("jobs"), falls()),
        everywhere(missing, at_one.at(jobs=3000), larger(), at_most(0.05)),
        *equalities({"the law of the number at load 1 and a chain of 30 jobs":
                     exact(difference(law, law_at_one(loads[0], 30, 31)))}, 1e-10),
        whole=True,
    )  # fmt: skip


def law_at_one(part, most, length):
    """The number of a group at load 1 with so many jobs at most: all totals alike, and who they are by chance.

    The probabilities of n among k = 0, ..., most sum to that of more than n among most + 1, over the group's part.
    """
    return binom.sf(np.arange(length), most + 1, part) / (part * (most + 1))


@check("thesis-4-143", weighted=False)
def routing_and_back(weighted=True):
    """(4.131) after (4.32); the control leaves the capacities out."""
    rng, systems = np.random.default_rng(143), []
    for _ in range(200):
        G, P = int(rng.integers(2, 5)), int(rng.integers(1, 9))
        speeds = np.sort(rng.dirichlet(np.ones(P)))[::-1].copy()
        own, routing = rng.uniform(0.05, 0.95) * rng.dirichlet(np.ones(G)), rng.dirichlet(np.ones(P), G)
        systems.append((rng.dirichlet(np.ones(G)), own, routing, speeds))

    def gaps(shares, own, routing, speeds):
        found = assignment(shares, routing * own[:, None] / speeds, speeds)
        back = found.routing if weighted else found.processor_loads / own[:, None]
        return {
            "the routing and (4.131) of its loads": difference(back, routing),
            "the sums of rows of (4.131) and 1": difference(back.sum(axis=1), 1),
        }

    return conclude(*equalities(cases("random system", systems, seed=143).measure(gaps), 1e-12), whole=True)
