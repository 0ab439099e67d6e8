"""Claims of `thesis`, Section 4.3.1 and Appendix C: the numbers of jobs under random splitting."""

import itertools
import math

import numpy as np
from scipy import stats
from scipy.special import gammaln

from clustershare.estimates import from_replications
from clustershare.shares import State
from clustershare.splitting import assignment, group_number_law, horizontal, number_law
from clustershare.uniprocessor import chain
from clustershare.uniprocessor.analysis import sharing_rule
from clustershare.uniprocessor.model import Workload as Streams
from clustershare.workload import Workload, replay_dispatch
from compendium.press.clauses import cases, conclude, equalities, everywhere, exact, measured, mended
from compendium.press.clauses.conditions import agrees, equal, larger
from compendium.press.findings import check, difference, relative_difference
from pages.share_scheduling.splitting.witnesses import chance


@check("thesis-4-016", local="GPPS")
def product_form(local="PS"):
    """The chain of one processor against (4.36); the totals of several, enumerated, against (4.37)."""
    rng = np.random.default_rng(16)
    systems = [
        (rng.uniform(0.05, 0.7), rng.uniform(0.2, 5, 2), rng.dirichlet(np.ones(2)),
         rng.uniform(0, 0.99, rng.integers(1, 5)))
        for _ in range(20)
    ]  # fmt: skip

    def gaps(total, rates, parts, loads):
        own = total * parts
        work = Streams("GPPS", np.array([0.5, 0.5]), own * rates, rates, np.zeros(2, dtype=int))
        rule = sharing_rule(work) if local == "GPPS" else lambda jobs: jobs / np.maximum(jobs.sum(axis=0), 1)
        level = math.ceil(math.log(1e-10) / math.log(total))
        jobs, law = chain.distribution(level, work, rule)
        together = jobs.sum(axis=0)
        ways = np.exp(gammaln(together + 1) - gammaln(jobs + 1).sum(axis=0))
        numbers, probability = chance.states(loads, 13)
        counted = np.bincount(numbers.sum(axis=0), probability)[:13]
        return {
            "the law of the chain and (4.36)": difference(
                law, (1 - total) * ways * np.prod(own[:, None] ** jobs, axis=0)
            ),
            "the law of its total and the geometric one": difference(
                np.bincount(together, law), number_law([total], level + 1)
            ),
            "the law of a group's number and the library's": max(
                difference(np.bincount(one, law), group_number_law(own[:, None], g, one.max() + 1))
                for g, one in enumerate(jobs)
            ),
            "the states": relative_difference(number_law(loads, 13), counted),
        }

    found = cases("random system", systems, seed=16).measure(gaps)
    several = {"(4.37) and the law of the total over all states, relatively,": found.pop("the states")}
    return conclude(*equalities(found, 1e-8), *equalities(several, 1e-12), whole=True)


@check("thesis-C-001", square=True)
def shapes_of_the_vectors(square=False):
    """Numbers of jobs counted one by one: of a group on each processor, and of each group on a processor."""

    def counted(groups, processors):
        rng = np.random.default_rng([3, groups, processors])
        group, place = rng.integers(groups, size=50), rng.integers(processors, size=50)
        jobs = np.zeros((groups, processors), int)
        np.add.at(jobs, (group, place), 1)
        of_group, on_processor = jobs[:1, :], jobs[:, processors - 1 : processors]  # N_*,p...p is the list's own
        sums = of_group.sum() == np.sum(group == 0) and on_processor.sum() == np.sum(place == processors - 1)
        return {
            "listed": of_group.size == groups and on_processor.size == processors,
            "exchanged": of_group.shape == (1, processors) and on_processor.shape == (groups, 1) and bool(sums),
        }

    pairs = [(G, P) for G, P in itertools.product(range(1, 6), repeat=2) if (G == P) == square]
    found = cases("pair of numbers", pairs).measure(counted)
    return mended(
        everywhere("N_g* has an entry for each group and N_*p one for each processor", found["listed"]),
        everywhere("it is N_g* that has one for each processor, and N_*p one for each group,", found["exchanged"]),
    )


HALVES = (0.5, 0.5)


def sent_by_chance(times, group):
    """To which of three processors the library sends jobs: short ones, whose response times tell the capacity."""
    slowness = np.array([2.0, 3.0, 6.0])
    jobs = Workload(times, np.full(len(times), 1e-5 * times[-1] / len(times)), groups=group)
    found = replay_dispatch(jobs, "JSQ(1)", required_shares=HALVES, processors=3, capacities=1 / slowness, seed=121)
    relative = 3 * (found.end - times) / jobs.sizes
    return np.abs(relative[:, None] - slowness).argmin(axis=1)


def busy_replays(load=0.8, count=20, length=10_000):
    """Mean response times of jobs that the library sends to three processors by chance, over that of M/M/1, less 1."""
    rng, found = np.random.default_rng(1210), []
    for seed in range(count):
        times, sizes = rng.exponential([[1 / (3 * load)], [1.0]], (2, length))
        jobs = Workload(times.cumsum(), sizes, groups=rng.integers(2, size=length))
        replay = replay_dispatch(jobs, "JSQ(1)", required_shares=HALVES, processors=3, seed=seed)
        found.append((replay.end - jobs.arrivals)[length // 10 :].mean() * (1 - load) - 1)
    mean = from_replications(np.array(found))
    return measured(mean.value, mean.half_width, runs=count)


@check("thesis-4-121", cyclic=True)
def streams_are_poisson(cyclic=False):
    """Times between arrivals at three processors, and the numbers in windows at each two; last, by the library."""
    rng, found = np.random.default_rng(121), []
    for by_library in (False, False, False, True):
        rates = rng.uniform(0.5, 2, 2)
        sent = rng.dirichlet(np.ones(3), 2)
        times = np.cumsum(rng.exponential(1 / rates.sum(), 100_000))
        group = (rng.random(len(times)) > rates[0] / rates.sum()).astype(int)
        place = (rng.random(len(times))[:, None] > np.cumsum(sent, axis=1)[group, :2]).sum(axis=1)
        arriving = rates @ sent
        if by_library:
            place, arriving = sent_by_chance(times, group), np.full(3, rates.sum() / 3)
        if cyclic:
            place, arriving = np.arange(len(times)) % 3, np.full(3, rates.sum() / 3)
        windows = np.arange(0, times[-1], 3 / rates.sum())
        own = [times[place == p] for p in range(3)]
        found += [stats.kstest(np.diff(one), "expon", args=(0, 1 / rate)).pvalue for one, rate in zip(own, arriving)]
        for pair in itertools.combinations([np.minimum(np.histogram(one, windows)[0], 2) for one in own], 2):
            table = np.histogram2d(*pair, bins=(range(4), range(4)))[0]
            table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
            found.append(stats.chi2_contingency(table).pvalue)
    return conclude(
        everywhere("the p-value", exact(found, test=None), larger(1e-4)),
        everywhere("the mean response time in the library's busy system over that of M/M/1, less 1,", busy_replays(),
                   agrees()),
        whole=True,
    )  # fmt: skip


@check("thesis-4-183", lost=0.1)
def loads_whatever_the_routing(lost=0.0):
    """Sums of (4.32), what the library makes of such loads, and HPRS; in the control routing leaves some jobs out."""
    rng, systems = np.random.default_rng(183), []
    for _ in range(100):
        processors, groups = rng.integers(1, 7), rng.integers(1, 6)
        speeds = np.sort(rng.dirichlet(np.ones(processors)))[::-1]
        loads, rates = rng.dirichlet(np.ones(groups)) * rng.uniform(0.05, 0.95), 10 ** rng.uniform(-1, 1, groups)
        systems.append((speeds, loads * rates, rates, rng.dirichlet(np.ones(processors), groups) * (1 - lost)))

    def summed(speeds, arrivals, rates, sent):
        own = sent * arrivals[:, None] / (speeds * rates[:, None])  # (4.32)
        loads = arrivals / rates
        required, found = np.full(len(loads), 1 / len(loads)), {"obtained": 0.0, "routing": 0.0, "spread": 0.0}
        if len(loads) > 1:
            for local in ("PS", "GPPS")[: 2 if len(loads) == 2 else 1]:  # a chain of more groups takes long
                hprs = horizontal(required, loads, speeds, local, tolerance=1e-3)
                found["spread"] = max(
                    found["spread"],
                    difference(hprs.processor_loads, loads[:, None]),
                    difference(hprs.routing, speeds),
                    difference(hprs.obtained_share, loads),
                )
            if own.sum(axis=0).max() < 1:
                library = assignment(required, own, speeds)
                found["obtained"] = np.abs(library.obtained_share - loads).max()
                found["routing"] = np.abs(library.routing - sent).max()
        evenly = speeds * arrivals[:, None] / (speeds * rates[:, None])
        return {
            **found, "group": np.abs(own @ speeds - loads).max(), "total": abs(own.sum(axis=0) @ speeds - loads.sum()),
            "mix": np.abs(evenly - loads[:, None]).max(), "whole": np.abs(evenly.sum(axis=0) - loads.sum()).max(),
        }  # fmt: skip

    found = cases("system", systems, seed=183).measure(summed)
    return conclude(
        everywhere("rho_g* and the sum of c_p rho_gp", found["group"], equal(1e-12)),
        everywhere("rho and the sum of c_p rho_*p", found["total"], equal(1e-12)),
        everywhere("the share that a group obtains and rho_g*", found["obtained"], equal(1e-12)),
        everywhere(
            "the routing that the library finds in the loads and that of the jobs", found["routing"], equal(1e-12)
        ),
        everywhere("with pi_gp = c_p, rho_gp and rho_g*", found["mix"], equal(1e-12)),
        everywhere("with pi_gp = c_p, rho_*p and rho", found["whole"], equal(1e-12)),
        everywhere(
            "the library's loads, shares and routing of HPRS and rho_g*, rho_g* and c_p", found["spread"], equal(1e-12)
        ),
        whole=True,
    )


@check("thesis-C-002", most=1)
def place_of_the_matrix(most=5):
    """Numbers of jobs by the library, which are those of (3.4), and counted one by one on each processor.

    In a state with jobs of any group, in one in which the last group has none, and in one without jobs.
    """

    def counted(groups, processors, there, count):
        rng = np.random.default_rng([4, groups, processors])
        group, place = rng.integers(there, size=count), rng.integers(processors, size=count)
        weights = np.zeros((count, processors))
        weights[np.arange(count), place] = 1 / 50
        numbers = State(np.ones(processors), np.full(groups, 1 / groups), group, weights).jobs
        jobs = np.zeros((groups, processors), int)
        np.add.at(jobs, (group, place), 1)
        return {
            "listed": numbers.size == groups * processors,
            "right": np.array_equal(jobs.sum(axis=1), numbers) and jobs.sum() == count,
        }

    pairs = itertools.product(range(1, 6), [1] if most == 1 else range(2, most + 1))
    states = [(G, P, *one) for G, P in pairs for one in ((G, 50), (max(G - 1, 1), 50), (1, 0))]
    found = cases("state", states).measure(counted)
    return mended(
        everywhere("(3.4) has an entry for each group and each processor", found["listed"]),
        everywhere("the matrix of Section 4.3.1 has; its sums over processors are (3.4), of all entries (3.6),",
                   found["right"]),
    )  # fmt: skip
