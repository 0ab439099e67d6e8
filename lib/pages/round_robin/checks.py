"""Claims of `roundrobin`, on its text and on Figures 1, 2, 3."""

import functools
import itertools

import numpy as np
from scipy import stats

from clustershare import interruptions, markov, multiserver, sizes
from clustershare.multiserver import CompatibilityGraph
from clustershare.multiserver.chain import ordered_chain
from compendium import study
from compendium.press.claims import beyond, check, equality, erratum, finding, over_domain
from pages.balanced_fairness.lines import chain, law, lines, measure, moves, net_flow
from pages.balanced_fairness.small_systems import clusters, mass_falls, without
from pages.balanced_fairness.systems import paper_sizes, three_servers
from pages.round_robin.systems import round_robin_path

CLASSES = ((0,), (0, 1), (1,))
SUBSETS = [A for n in (1, 2, 3) for A in itertools.combinations(range(3), n)]


def random_graphs(count):
    """The graph of `roundrobin`, Figure 1, with capacities at random."""
    rng = np.random.default_rng(5)
    return [CompatibilityGraph(CLASSES, rng.uniform(0.2, 3, 2)) for _ in range(count)]


@check("roundrobin-001", both=1)
def capacity_of_classes(both=None):
    """mu(A) for every set of classes of `roundrobin`, Figure 1."""
    wrong = 0
    for graph in random_graphs(50):
        first, second = graph.capacities
        expected = [{(0,): first, (2,): second, (both,): first}.get(A, first + second) for A in SUBSETS]
        wrong += sum(abs(graph.service_rate(A) - value) > 1e-12 for A, value in zip(SUBSETS, expected))
    return finding(f"{wrong} of {50 * len(SUBSETS)} sets differ", wrong == 0)


MEAN = 1.5


@functools.cache
def counted(theta, letter=None):
    """Interruptions of a job of each class, for computers of capacities 1/2 and 2 and jobs of mean size 3/2."""
    graph = CompatibilityGraph(CLASSES, (0.5, 2.0))
    size = sizes.Exponential(MEAN) if letter is None else paper_sizes()[letter]
    rates = np.array([0.2, 0.5, 0.6]) * MEAN / size.mean
    return multiserver.simulate(graph, rates, size, size.mean / theta, jumps=400_000, seed=2).interruptions_per_job


def standard_errors_off(estimate, expected):
    """The largest distance from what is expected, in standard errors (10 replications)."""
    return float(np.max(np.abs(estimate.value - expected) / (estimate.half_width / 2.262)))


@check("roundrobin-002", factor=1.1)
def work_between_interruptions(factor=1.0):
    """Work done on the jobs of a class over the number of their interruptions."""
    theta = 0.5
    found = counted(theta)
    work = MEAN / found.value
    distance = standard_errors_off(found, MEAN / (factor * theta))
    return finding("theta = 0.5: " + ", ".join(f"{value:.3f}" for value in work) + " in classes 1 to 3", distance < 3)


@check("roundrobin-003", letter="c")
def interruptions_per_job(letter="b"):
    """m = sigma / theta, for sigma = 1 and every size distribution of that mean."""
    distance = max(standard_errors_off(counted(theta, letter), 1 / theta) for theta in (2.0, 0.5, 0.2))
    return finding(f"theta = 2, 0.5, 0.2: at most {distance:.1f} standard errors from sigma / theta", distance < 3)


@check("roundrobin-004", more=(5, 1, 0), exact=(50, 5, 1, 0))
def less_spread(more=(0, 1, 5), exact=(0, 1, 5, 50)):
    """Simulated: largest less smallest service rate of the three distributions on three servers at load 0.8.

    Exact: distance to balanced fairness of hyperexponential sizes in the example, with at most 4 jobs.
    """
    spreads = []
    for m in more:
        rows = study.run(
            "three-servers", multiserver.simulate, study.grid(letter=list("abc")),
            lambda letter, m=m: {
                **three_servers(0.8, mean_size=paper_sizes()[letter].mean), "sizes": paper_sizes()[letter],
                "interruptions": m,
            },
            fidelity="paper",
        )  # fmt: skip
        rows = rows[(rows["quantity"] == "mean_service_rate") & (rows["index"] == 0)]
        spreads.append((np.ptp(rows["estimate"]), 2 * rows["half_width"].max()))
    apart = all(now + doubt < before - doubts for (before, doubts), (now, doubt) in itertools.pairwise(spreads))
    graph, size = CompatibilityGraph(CLASSES, (1.0, 1.0)), sizes.bimodal_hyperexponential()
    distances = [multiserver.distance_from_balanced_fairness(graph, (0.3, 0.3, 0.2), size, m, 4) for m in exact]
    text = "; exact, m = ".join(
        ", ".join(f"{m}: {value:.4f}" for m, value in zip(numbers, values))
        for numbers, values in ((more, [spread for spread, _ in spreads]), (exact, distances))
    )
    falls = all(now < before for before, now in itertools.pairwise(distances))
    return finding(f"simulated, m = {text}", apart and falls)


@check("roundrobin-005", servers_of_class=((0,), (1,), (1,)))
def sample_path(servers_of_class=CLASSES):
    """`roundrobin`, Figure 2: who is served by what before each of its steps, and who goes to the end."""
    graph = CompatibilityGraph(servers_of_class, (1.0, 1.0))
    _, events = interruptions.trace_with_steps(graph, **round_robin_path())
    before = [tuple(enumerate((0, 1, 0))), *(event.queue for event in events)]
    two_timers = interruptions.served(graph, before[1]) == [1, 1]
    moved = all(
        event.queue == (*(job for job in queue if job[0] != event.job), (event.job, dict(event.queue)[event.job]))
        for queue, event in zip(before, events[:4])
    )
    order = " ".join(str(job + 1) for job, _ in events[3].queue)
    return finding(
        f"jobs 1 2 3 come to be {order}; {'two timers' if two_timers else 'one timer'} for job 2", two_timers and moved
    )


@check("roundrobin-008", theta=1.0)
def formula_for_m(theta=2.0):
    """Interruptions of a job of mean size 1 against the product sigma theta and the quotient sigma / theta."""
    found = counted(theta, "b")
    return erratum(
        f"theta = {theta:g}: {found.value.mean():.3f}; product {theta:g}, quotient {1 / theta:g}",
        standard_errors_off(found, theta) < 3,
        standard_errors_off(found, 1 / theta) < 3,
    )


def fixed_capacities(graph, x, before):
    """A wrong network: queues of fixed capacities, those of each class's computers."""
    return {i: graph.service_rate([i]) for i in np.flatnonzero(x)}


def divided_equally(graph, x, before):
    """A wrong network: each computer divided equally among the classes present that may use it."""
    users = [[i for i in np.flatnonzero(x) if s in graph.servers_of_class[i]] for s in range(graph.servers)]
    return {i: sum(graph.capacities[s] / len(users[s]) for s in graph.servers_of_class[i]) for i in np.flatnonzero(x)}


def largest_balanced(graph, x, before):
    """Balanced fairness by its definition: the largest balanced rates in the capacity set; `before` has Phi."""
    phi = {i: before[without(x, i)] for i in np.flatnonzero(x)}
    before[x] = max(sum(phi.get(i, 0.0) for i in A) / graph.service_rate(A) for A in SUBSETS)
    return {i: value / before[x] for i, value in phi.items()}


def network_law(graph, rates, most, shares):
    """The law of three processor-sharing queues with at most so many jobs, by their chain."""
    states = sorted((x for x in itertools.product(range(most + 1), repeat=3) if sum(x) <= most), key=sum)
    index, before, transitions = {x: k for k, x in enumerate(states)}, {states[0]: 1.0}, []
    for x in states[1:]:
        for i, rate in shares(graph, x, before).items():
            less = index[without(x, i)]
            transitions += [(index[x], less, rate), (less, index[x], rates[i])]
    return states, markov.gth(markov.generator(len(states), *zip(*transitions)))


def random_traffic(count, boundary=None):
    """The graph of Figure 1 with capacities and traffic at random: of the most loaded classes a random load, or one."""
    rng = np.random.default_rng(6)
    for number in range(count):
        graph, rates = CompatibilityGraph(CLASSES, rng.uniform(0.1, 3, 2)), rng.uniform(0.05, 1, 3)
        loads = [rates[list(A)].sum() / graph.service_rate(A) for A in ((0,), (2,), (0, 1, 2))]
        load = rng.uniform(0.05, 0.95) / max(loads) if boundary is None else boundary / loads[number % 3]
        yield graph, load * rates


@check("roundrobin-006", shares=divided_equally)
def aggregate_law(shares=largest_balanced):
    """The chain of the algorithm for exponential sizes against that of the three queues, both cut at 4 jobs; and runs.

    `roundrobin`, Figure 3; the control divides each computer equally among its classes.
    """
    gap, distances = 0.0, []
    for number, (graph, rates) in enumerate(random_traffic(50)):
        states, expected = network_law(graph, rates, 4, shares)
        for m in (0, 1, 5):
            queues, Q, _ = ordered_chain(graph, rates, sizes.Exponential(), m, 4)
            found = dict.fromkeys(states, 0.0)
            for queue, value in zip(queues, markov.gth(Q)):
                found[tuple(np.bincount([job[0] for job in queue], minlength=3).tolist())] += value
            gap = max(gap, *(abs(found[x] - value) for x, value in zip(states, expected)))
            if number < 4:
                run = multiserver.simulate(graph, rates, sizes.Exponential(), m, jumps=100_000, seed=number).mean_jobs
                fair = multiserver.balanced_fairness(graph, rates).mean_jobs
                distances += (np.abs(run.value - fair) / run.half_width).tolist()
    bound = stats.t.ppf(1 - 0.025 / len(distances), 9) / stats.t.ppf(0.975, 9)
    said = "laws equal within 1e-9" if gap < 1e-9 else f"probabilities differ by up to {gap:.2g}"
    return finding(
        f"{said}; {len(distances)} simulated means at most {max(distances):.1f} half widths away, "
        f"{bound:.1f} allowed for so many", gap < 1e-9 and max(distances) < bound,
    )  # fmt: skip


@check("roundrobin-007", change=lambda graph: CompatibilityGraph(((0,), (1,), (1,)), graph.capacities))
def stability_region(change=lambda graph: graph):
    """The three inequalities against the growth of the mass of long queues; in the control class 2 has one computer."""
    wrong = 0
    for boundary in (0.95, 1.05):
        for graph, rates in random_traffic(300, boundary):
            first, second = graph.capacities
            region = rates[0] < first and rates[2] < second and rates.sum() < first + second
            wrong += bool(region) != mass_falls(change(graph), rates)
    return beyond(f"{wrong} of 600 systems classified differently", wrong == 0)


# First and last words of the blocks of the columns copy, in its order: a block is what no break of a column parts.
BLOCKS = {
    "I": ("I. Computer cluster", "the service rate of the job is the sum"),
    "I, II": ("of the capacities of the computers.", "whenever the timer of one of its machine"),
    "II": ("expires. The time before interruption", "a too high parallelization overhead."),
    "III, end": ("distribution of this state proves", "supported by simulations."),
    "III, beginning": ("III. Queueing model", "beyond the traffic intensity of each class."),
    "IV": ("IV. Conclusion", "the sensitivity of the resource allocation."),
    "III, middle": ("Network of processor-sharing queues.", "The stationary"),
}
OTHER_COPY = ("I", "I, II", "II", "III, beginning", "III, middle", "III, end", "IV")


def reads_on(order):
    """Whether each block that ends within a sentence is followed by one that begins within one, and sections rise."""
    inside = [(BLOCKS[name][0][0].islower(), not BLOCKS[name][1].endswith(".")) for name in order]
    joined = all(ends == begins for (_, ends), (begins, _) in itertools.pairwise(inside))
    sections = [name.split(",")[0] for name in order]
    return joined and not inside[-1][1] and sections == sorted(sections, key=("I", "II", "III", "IV").index)


@check("roundrobin-009", order=OTHER_COPY)
def order_of_the_blocks(order=tuple(BLOCKS)):
    """The order of the blocks in the columns copy, and that of the other copy."""
    printed, corrected = reads_on(order), reads_on(OTHER_COPY)
    return erratum(
        "the blocks read on" if printed else "the blocks do not read on; in the order of the other copy they do",
        printed, corrected,
    )  # fmt: skip


def law_of_classes(short, of, probabilities, classes):
    """The law of the line of classes, from that of a line whose kinds of jobs have more detail."""
    result = lines(classes, short.most)
    numbers = np.concatenate([result.numbers(of[jobs]) for jobs in short.jobs])
    return np.bincount(numbers, probabilities, result.first[-1])


def algorithm(graph, rates, means, theta):
    """The transitions of the algorithm for exponential sizes of several means, cut at 4 jobs; and the law."""
    short = lines(graph.classes, 4)
    found = moves(short, graph, rates / means, pace=1 / means, timers=np.array(graph.capacities) / theta)
    return found, law(short.first[-1], found)


def off_product_form(graph, rates, short, probabilities):
    """The largest difference of the law of a line of classes to (1), cut alike."""
    product = measure(short, graph, rates)
    return float(np.abs(probabilities - product / product.sum()).max())


def off_re_entrant(graph, rates, means, theta, units, found):
    """The largest difference to the rates of the re-entrant queue with these units of size, relative to the largest."""
    short, stays = lines(graph.classes, 4), means / (theta + means)
    again = moves(short, graph, rates / means, pace=1 / units, comes_back=np.diag(stays))
    first, second = (markov.generator(short.first[-1], *each[:3]) for each in (found, again))
    return float(np.abs((first - second).data).max(initial=0) / np.abs(first.diagonal()).max())


@check("roundrobin-012", size=sizes.bimodal_hyperexponential())
def re_entrant_queue(size=None):
    """The algorithm against re-entrant queues with one unit of size: rates of transitions, and the law (1).

    In the control the sizes are hyperexponential, and only the law is compared, of at most 3 jobs.
    """
    rng, holds, corrected, apart = np.random.default_rng(12), {True: True, False: True}, 0.0, {}
    for number, (graph, rates) in enumerate(clusters()):
        count = graph.classes
        if size is not None:
            if count < 4:
                short, of, found = chain(graph, rates / size.mean, size, 3, 1.0)
                found = law_of_classes(short, of, law(short.first[-1], found), count)
                holds[True] &= off_product_form(graph, rates, lines(count, 3), found) < 1e-9
            continue
        theta, means = rng.uniform(0.1, 5), rng.uniform(0.1, 5, count)
        means = np.full(count, means[0]) if number % 2 == 0 else means
        found, probabilities = algorithm(graph, rates, means, theta)
        unit = theta * means / (theta + means)
        off = off_product_form(graph, rates, lines(count, 4), probabilities)
        common = off_re_entrant(graph, rates, means, theta, np.full(count, unit.mean()), found)
        holds[bool(np.ptp(means) == 0)] &= off < 1e-9 and common < 1e-12
        corrected = max(corrected, off_re_entrant(graph, rates, means, theta, unit, found))
        if np.ptp(means) > 0 and number < 30:
            for m in (1, 5, 50):
                _, probabilities = algorithm(graph, rates, means, means.mean() / m)
                off = off_product_form(graph, rates, lines(count, 4), probabilities)
                apart[m] = max(apart.get(m, 0.0), off)
    if size is not None:
        return over_domain("hyperexponential sizes: the law is not (1)", [holds[True]])
    said = ", ".join(f"{off:.1g} at m = {m}" for m, off in apart.items())
    return over_domain(
        f"equal means: {'the same' if holds[True] else 'another'} queue; unequal means: law off (1) by up to {said}; "
        f"corrected: {'the same' if corrected < 1e-12 else 'another'} queue",
        [value and corrected < 1e-12 for value in holds.values()],
    )


@check("roundrobin-013", to="place")
def traffic_intensities(to="end"):
    """(1) in the balance of the open queue whose classes leave with chances of their own, and the law of its chain.

    In the control a job that comes back keeps its place.
    """
    rng, gap = np.random.default_rng(13), 0.0
    for graph, intensity in clusters():
        count, laws = graph.classes, []
        for _ in range(2):
            p = rng.uniform(0.01, 1, count)
            short = lines(count, 5)
            found = moves(short, graph, p * intensity, comes_back=np.diag(1 - p), to=to)
            balance = net_flow(short.first[-1], found, measure(short, graph, intensity))
            gap = max(gap, np.abs(balance[: short.first[5]]).max())
            short = lines(count, 4)
            laws.append(law(short.first[-1], moves(short, graph, p * intensity, comes_back=np.diag(1 - p), to=to)))
        gap = max(gap, np.abs(laws[0] - laws[1]).max())
    return equality(gap, 1e-9)
