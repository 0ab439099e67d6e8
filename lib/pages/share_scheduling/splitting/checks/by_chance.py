"""Claims of `thesis`, Sections 4.3.1 to 4.3.3: the numbers of jobs under random splitting, and what follows."""

import functools
import importlib
import itertools
import math
import re

import numpy as np
from scipy import stats
from scipy.special import gammaln

from clustershare import routing
from clustershare.shares import State, maximum_obtainable_share
from clustershare.splitting import assignment, capacity_loss, horizontal, load_balancing_success, number_law
from clustershare.splitting.capacity_loss import mean_response_time
from clustershare.uniprocessor import chain
from clustershare.uniprocessor.analysis import sharing_rule
from clustershare.uniprocessor.model import Workload
from compendium import places
from compendium.press import words
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, mended
from compendium.press.clauses.conditions import at_least, at_most, equal
from compendium.press.findings import check, erratum, finding, over_domain, relative_difference
from pages.share_scheduling.objectives import paths, queues
from pages.share_scheduling.splitting import chance, dynamic

LOADS = np.arange(1, 20) / 20


def said(gap, bound):
    """A largest difference in words that rounding does not change."""
    return f"within {bound:g}" if gap <= bound else f"off by {gap:.2g}"


@check("thesis-4-016", local="GPPS")
def product_form(local="PS"):
    """The chain of one processor against (4.36); the totals of several, enumerated, against (4.37)."""
    rng, one, several = np.random.default_rng(16), 0.0, 0.0
    for _ in range(20):
        total, rates = rng.uniform(0.05, 0.7), rng.uniform(0.2, 5, 2)
        own = total * rng.dirichlet(np.ones(2))
        work = Workload("GPPS", np.array([0.5, 0.5]), own * rates, rates, np.zeros(2, dtype=int))
        equal = lambda jobs: jobs / np.maximum(jobs.sum(axis=0), 1)  # noqa: E731
        level = math.ceil(math.log(1e-10) / math.log(total))
        jobs, law = chain.distribution(level, work, equal if local == "PS" else sharing_rule(work))
        together = jobs.sum(axis=0)
        ways = np.exp(gammaln(together + 1) - gammaln(jobs + 1).sum(axis=0))
        product = (1 - total) * ways * np.prod(own[:, None] ** jobs, axis=0)
        geometric = number_law([total], level + 1)
        one = max(one, np.abs(law - product).max(), np.abs(np.bincount(together, law) - geometric).max())
        loads = rng.uniform(0, 0.99, rng.integers(1, 5))
        numbers, probability = chance.states(loads, 13)
        counted = np.bincount(numbers.sum(axis=0), probability)[:13]
        several = max(several, relative_difference(number_law(loads, 13), counted))
    return finding(f"the law of one processor {said(one, 1e-8)}; (4.37) {said(several, 1e-12)} relatively",
                   one <= 1e-8 and several <= 1e-12)  # fmt: skip


@check("thesis-4-017", law="Poisson")
def both_lines(law="geometric"):
    """The two lines of (4.38), the library, and the three-way law of idle, one and more."""
    lines = witness = 0.0
    for processors, load in itertools.product(range(2, 21), LOADS.tolist()):
        idle = np.arange(1, processors + 1)
        rest = processors - idle
        ways = np.array([math.comb(processors, p) for p in idle])
        first = np.sum(ways * (1 - load) ** idle * (load**rest - ((1 - load) * load) ** rest))
        second = 1 - load**processors - (1 - load) ** processors * ((1 + load) ** processors - load**processors)
        mean = load / (1 - load)
        none, single = (
            (1 - load, (1 - load) * load) if law == "geometric" else (math.exp(-mean), mean * math.exp(-mean))
        )
        more = 1 - none - single
        counted = sum(
            math.comb(processors, i) * math.comb(processors - i, j) * none**i * more**j * single ** (processors - i - j)
            for i in range(1, processors) for j in range(1, processors - i + 1)
        )  # fmt: skip
        library = load_balancing_success(0, 2, np.full(processors, load))
        lines = max(lines, abs(first / second - 1))
        witness = max(witness, abs(library / counted - 1), abs(second / counted - 1))
    return finding(f"the lines {said(lines, 1e-9)}, the law {said(witness, 1e-9)}, relatively",
                   max(lines, witness) <= 1e-9)  # fmt: skip


@check("thesis-4-018", evened=True)
def limit_of_many(evened=False):
    """From ten to a million processors; in the control numbers differ by one at most."""
    worst, points, rising = 0.0, 0, True
    for load, (n, m) in itertools.product(LOADS.tolist(), ((0, 1), (0, 2), (1, 3), (2, 5))):
        if evened:
            chances = np.full(6, float(m == n + 1))
        else:
            chances = np.array([load_balancing_success(n, m, np.full(10**k, load)) for k in range(1, 7)])
        steps = np.diff(chances)
        rising &= bool((steps >= -1e-15).all() and (steps > 0)[chances[:-1] < 1 - 1e-12].all())
        if min(load**m, 1 - load ** (n + 1)) >= 1e-4:
            points, worst = points + 1, max(worst, 1 - chances[-1])
    return finding(f"at a million processors {said(worst, 1e-9)} of 1 at {points} points of 76; "
                   f"{'rising everywhere' if rising else 'not rising'}", worst <= 1e-9 and rising)  # fmt: skip


def success_by_states(fewest, most, loads):
    """P_lbs(n, m) from all states."""
    numbers, probability = chance.states(loads, most)
    return probability[(numbers.min(axis=0) <= fewest) & (numbers.max(axis=0) >= most)].sum()


@check("thesis-4-020", exclusive=True)
def load_balancing(exclusive=False):
    """(4.40) and (4.41) against all states; the control takes the two events as exclusive."""
    rng, gap = np.random.default_rng(20), 0.0
    for k in range(200):
        loads = rng.random(rng.integers(2, 6))
        loads = np.full(len(loads), loads[0]) if k % 3 == 0 else loads
        m = int(rng.integers(1, 7))
        n = int(rng.integers(0, m))
        library = load_balancing_success(n, m, loads)
        library -= np.prod(loads ** (n + 1) - loads**m) if exclusive else 0.0
        gap = max(gap, abs(library / success_by_states(n, m, loads) - 1))
    return finding(f"200 systems {said(gap, 1e-9)}, relatively", gap <= 1e-9)


@check("thesis-4-124", most=1)
def wait_while_idle(most=2):
    """P_lbs(0, 2) against the states in which a processor is idle and another has two jobs."""
    gap = 0.0
    rng = np.random.default_rng(124)
    for _ in range(200):
        loads = rng.random(rng.integers(2, 7))
        gap = max(gap, abs(load_balancing_success(0, most, loads) / success_by_states(0, 2, loads) - 1))
    return finding(f"200 systems {said(gap, 1e-9)}, relatively", gap <= 1e-9)


@check("thesis-4-182", alike=False)
def loss_where_jobs_wait_while_idle(alike=True):
    """The loss state by state, and those that P_wwi counts; the processors of the control have unequal capacities."""
    rng, P = np.random.default_rng(182), range(2, 7)
    systems = [(np.sort(rng.uniform(0.1, 1, processors))[::-1], rng.uniform(0, 0.99, processors))
               for processors in P for _ in range(100)]  # fmt: skip
    if alike:
        systems += [(np.ones(processors), rng.uniform(0, 0.99, processors)) for processors in P for _ in range(100)]
        systems += [(np.ones(processors), np.full(processors, k / 10)) for processors in P for k in range(1, 10)]

    def summed(speeds, loads):
        processors = len(loads)
        speeds = speeds / speeds.sum()
        numbers, probability = chance.states(loads, processors)
        lost = maximum_obtainable_share(numbers.sum(axis=0), speeds) - speeds @ (numbers > 0)
        counted = (numbers.min(axis=0) == 0) & (numbers.max(axis=0) > 1)
        loss, waits = capacity_loss(speeds, loads), load_balancing_success(0, 2, loads)
        return {
            "there": lost[counted].min() / speeds[-1], "elsewhere": np.abs(lost[~counted]).max(),
            "loss": probability[counted] @ lost[counted] - loss, "waits": probability[counted].sum() - waits,
            "least": loss - waits * speeds[-1], "most": loss - waits * (1 - speeds[-1]),
        }  # fmt: skip

    kinds = ["unequal" if np.ptp(speeds) else "like" for speeds, _ in systems]
    found = cases("system", systems, seed=182).measure(summed)
    return conclude(
        at_each("the loss in a state that P_wwi counts, over the part of the slowest,", found["there"], at_least(1)),
        at_each("the loss in other states and 0", found["elsewhere"], equal(1e-12)),
        at_each("the mean over the states that P_wwi counts and the library's loss", found["loss"], equal(1e-9)),
        at_each("their probability and the library's P_wwi", found["waits"], equal(1e-9)),
        at_each("the loss less P_wwi times the part of the slowest", found["least"], at_least(0)),
        at_each("the loss less P_wwi times the rest", found["most"], at_most(0)),
        *(
            aside(f"the largest loss elsewhere with {kind} processors",
                  exact(max(lost for lost, own in zip(found["elsewhere"].value, kinds) if own == kind)))
            for kind in dict.fromkeys(kinds)
        ),
        together="system",
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
            found["spread"] = np.abs(horizontal(required, loads, speeds).processor_loads - loads[:, None]).max()
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
        everywhere("the library's loads of HPRS and rho_g*", found["spread"], equal(1e-12)),
        whole=True,
    )


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


@check("thesis-C-002", most=1)
def place_of_the_matrix(most=5):
    """Numbers of jobs by the library, which are those of (3.4), and counted one by one on each processor."""

    def counted(groups, processors):
        rng = np.random.default_rng([4, groups, processors])
        group, place = rng.integers(groups, size=50), rng.integers(processors, size=50)
        weights = np.zeros((50, processors))
        weights[np.arange(50), place] = 1 / 50
        numbers = State(np.ones(processors), np.full(groups, 1 / groups), group, weights).jobs
        jobs = np.zeros((groups, processors), int)
        np.add.at(jobs, (group, place), 1)
        matrix = jobs.shape == (groups, processors) and (jobs.sum(axis=1) == numbers).all() and jobs.sum() == 50
        return {"listed": numbers.size == groups * processors, "right": bool(matrix)}

    pairs = itertools.product(range(1, 6), [1] if most == 1 else range(2, most + 1))
    found = cases("pair of numbers", pairs).measure(counted)
    return mended(
        everywhere("(3.4) has an entry for each group and each processor", found["listed"]),
        everywhere("the matrix of Section 4.3.1 has; its sums over processors are (3.4), of all entries (3.6),",
                   found["right"]),
    )  # fmt: skip


@check("thesis-4-121", cyclic=True)
def streams_are_poisson(cyclic=False):
    """Times between arrivals at three processors, and the numbers in windows at each two of them."""
    rng, least = np.random.default_rng(121), 1.0
    for _ in range(3):
        rates = rng.uniform(0.5, 2, 2)
        sent = rng.dirichlet(np.ones(3), 2)
        times = np.cumsum(rng.exponential(1 / rates.sum(), 100_000))
        group = (rng.random(len(times)) > rates[0] / rates.sum()).astype(int)
        place = (rng.random(len(times))[:, None] > np.cumsum(sent, axis=1)[group, :2]).sum(axis=1)
        arriving = rates @ sent
        if cyclic:
            place, arriving = np.arange(len(times)) % 3, np.full(3, rates.sum() / 3)
        counts = []
        for p in range(3):
            gaps = np.diff(times[place == p])
            least = min(least, stats.kstest(gaps, "expon", args=(0, 1 / arriving[p])).pvalue)
            windows = np.arange(0, times[-1], 3 / rates.sum())
            counts.append(np.minimum(np.histogram(times[place == p], windows)[0], 2))
        for one, other in itertools.combinations(counts, 2):
            table = np.histogram2d(one, other, bins=(range(4), range(4)))[0]
            table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
            least = min(least, stats.chi2_contingency(table).pvalue)
    good = least > 1e-4
    return finding(f"{'all' if good else 'not all'} of 18 tests pass at level 1e-4", good)


@check("thesis-4-122", sizes=(1,))
def chances_are_high(sizes=(2, 5, 10, 20, 50, 100)):
    """P_wwi, which is P_lbs(0, 2), over the loads of Figure 4.5."""
    loads = np.arange(1, 100) / 100
    high = {P: [load_balancing_success(0, 2, np.full(P, load)) >= 0.5 for load in loads] for P in sizes}
    where = "; ".join(f"P = {P}: {', '.join(parts(loads, good)) or 'nowhere'}" for P, good in high.items())
    holds = np.array(list(high.values()))
    return over_domain(f"at least 0.5 at {holds.sum()} of {holds.size} points ({where})", holds)


def parts(loads, good):
    """The ranges of loads where something holds."""
    ends = np.flatnonzero(np.diff([0, *np.asarray(good, dtype=int), 0]))
    return [f"{loads[first]:g} to {loads[last - 1]:g}" for first, last in ends.reshape(-1, 2)]


def ratio(sums, counts):
    """The mean of all jobs from batches along the first axis, and its standard error."""
    mean = sums.sum(axis=0) / counts.sum(axis=0)
    spread = (sums - mean * counts).std(axis=0, ddof=1) / counts.mean(axis=0)
    return mean, spread / math.sqrt(len(sums))


@functools.cache
def sampled():
    """Of 50 systems, response times summed by batch, group and processor, the routing, and the least spread of one."""
    found, spread = [], np.inf
    for child in np.random.SeedSequence(29).spawn(50):
        rng = np.random.default_rng(child)
        groups, processors = rng.integers(2, 4), rng.integers(2, 5)
        sent, mix = rng.dirichlet(np.full(processors, 3.0), groups), rng.dirichlet(np.full(groups, 3.0))
        times = rng.uniform(0.3, 3, (groups, 1)) / rng.dirichlet(np.full(processors, 3.0))
        rate = rng.uniform(0.3, 0.7) / (mix @ (sent * times)).max()
        group, place, response = chance.responses(rng, 40_000, rate, mix, sent, times)
        cell = (np.arange(len(response)) // 1000 * groups + group) * processors + place
        shape = (40, groups, processors)
        counts, sums = (np.bincount(cell, of, math.prod(shape)).reshape(shape) for of in (None, response))
        found.append((counts, sums, sent))
        spread = min(spread, response.std())
    return found, spread


@check("thesis-4-029", equal=True)
def mean_of_means(equal=False):
    """The mean of a group's jobs against the means by processor of other jobs, weighted; a response time is no mean."""
    systems, spread = sampled()
    distances = []
    for counts, sums, sent in systems:
        weights = np.full_like(sent, 1 / sent.shape[1]) if equal else sent
        whole, error = ratio(sums[20:].sum(axis=2), counts[20:].sum(axis=2))
        means, errors = ratio(sums[:20], counts[:20])
        distances += list(
            np.abs((weights * means).sum(axis=1) - whole) / np.hypot(error, np.linalg.norm(weights * errors, axis=1))
        )
    allowed = stats.t.ppf(1 - 0.025 / len(distances), 19)  # jointly
    outside = int((np.array(distances) > allowed).sum())
    return erratum(f"{outside} of {len(distances)} means of a group outside their joint interval of 95 %; "
                   f"response times {'vary' if spread > 0 else 'do not vary'}", spread == 0, outside == 0)  # fmt: skip


@check("thesis-4-030", letter="T")
def letter_of_the_loss(letter="F"):
    """Deviations and losses of the table of notation: is there one of that letter, and which is the capacity loss?"""
    rows = (places.ROOT / "chapters/ledger/notation.md").read_text(encoding="utf-8").splitlines()
    named = {(found, row) for row in rows for found in re.findall(r"\\Delta(?:_g)?\^([A-Z])", row)}
    letters = sorted({found for found, _ in named})
    public = importlib.import_module("clustershare.splitting")
    loss = any(found == "T" and "`capacity_loss`" in row for found, row in named) and callable(public.capacity_loss)
    return erratum(f"there are Delta^{', Delta^'.join(letters)}; the capacity loss is Delta^T", letter in letters, loss)


def longest_in_turn(processors, load):
    """The longest mean response time of a source that deals its jobs in turn, alone or beside another source.

    A source with hardly any jobs beside one with all others finds the work that there is in the mean over time.
    """
    alone = queues.cyclic(processors, load)
    return max(alone, 1 + load * alone, *(dynamic.dealt(processors, load, part).max() for part in (0.5, 0.9)))


@check("thesis-4-125", blocks=True)
def better_than_chance(blocks=False):
    """In turn and the shortest queue against M/M/1; the control deals blocks of 10 P jobs instead of single ones.

    The measure of the source, Q of (1.3), takes the source of jobs that waits longest, whichever parts the sources
    have. Where chance or the shortest queue decides, all wait alike. Dealt in turn by one source, or by each of two.
    """
    for processors, load, most in ((2, 0.8, 60), (3, 0.3, 10)):
        whole = routing.mean_response_time("MRTP", (1.0,) * processors, processors * load, most)
        if abs(dynamic.shortest_queue(processors, load) / whole - 1) > 1e-4:
            return finding("the chain of all numbers contradicts that of the sorted ones", False)
        if abs(dynamic.dealt(processors, load, 0.9999)[1] - 1 - load * queues.cyclic(processors, load)) > 0.01:
            return finding("the chain of two sources contradicts the root for one", False)
    gains = {"in turn": [], "the shortest queue": []}
    for processors, load in itertools.product((2, 3, 4), LOADS.tolist()):
        alone = mean_response_time(np.full(processors, 1 / processors), np.full(processors, load)) / processors
        turn = dynamic.in_blocks(processors, load) if blocks else longest_in_turn(processors, load)
        gains["in turn"].append(1 - turn / alone)
        gains["the shortest queue"].append(1 - dynamic.shortest_queue(processors, load) / alone)
    said = "; ".join(f"{name} {min(gain):.3f} to {max(gain):.3f}" for name, gain in gains.items())
    return over_domain(f"shorter, relatively by: {said}", np.min(list(gains.values()), axis=0) > 0)


@check("thesis-4-126", thresholds=(200,))
def threshold_and_chance(thresholds=(1, 2, 3)):
    """Jobs that find T others at home are sent on at random, against none of that; 500 processors as witness."""
    for load, threshold in ((0.5, 1), (0.8, 2)):
        mean, half = paths.interval(paths.transferred("Random", np.full(500, load), threshold, 1, length=7))
        if abs(mean - routing.transfer_response_time("Random", load, threshold)) > half:
            return finding("500 processors contradict the limit of many", False)
    gains = {
        (threshold, load): 1 - routing.transfer_response_time("Random", load, threshold) * (1 - load)
        for threshold in thresholds
        for load in np.arange(10, 20) / 20
    }
    least = min(gains, key=gains.get)
    clear = [words.allows("clear", gain) for gain in gains.values()]
    return over_domain(f"the gain is {gains[least]:.2f} (T = {least[0]}, load {least[1]:g}) to "
                       f"{max(gains.values()):.2f}, at least 0.1 at {sum(clear)} of {len(clear)} points",
                       clear)  # fmt: skip


@check("thesis-4-127", equal=True)
def better_than_branching(equal=False):
    """MRTP and MSTP on two processors against branching by capacity; the control sends equal parts instead."""
    gains = {}
    for ratio, load in itertools.product((2, 3, 5), LOADS.tolist()):
        speeds = np.array([ratio, 1.0]) / (ratio + 1)
        branching = mean_response_time(speeds, np.full(2, load))
        most = [math.ceil(math.log(1e-5) / math.log(load) * speed) + 6 for speed in speeds]
        solved = {}
        for policy in ("MRTP", "MSTP"):
            if equal:
                own = load / 2 / speeds
                time = mean_response_time(speeds, own) if own.max() < 1 else np.inf
            else:
                chosen = routing.choices(policy, most, speeds.tolist(), load).tobytes()
                if chosen not in solved:
                    solved[chosen] = routing.mean_response_time(policy, speeds.tolist(), load, most)
                time = solved[chosen]
            gains[policy, ratio, load] = 1 - time / branching
    clear = [words.allows("clear", gain) for gain in gains.values()]
    least = min(gains, key=gains.get)
    if not any(clear):
        return over_domain("nowhere a gain of 0.1", clear)
    return over_domain(f"the gain is {gains[least]:.2f} ({least[0]}, {least[1]}:1, load {least[2]:g}) to "
                       f"{max(gains.values()):.2f}, at least 0.1 at {sum(clear)} of {len(clear)} points",
                       clear)  # fmt: skip
