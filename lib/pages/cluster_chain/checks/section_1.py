"""Claims of `ctmc`, Abstract and Section 1: the cluster in words, its chain, and what that is good for."""

from collections import Counter

import numpy as np

from clustershare import markov
from clustershare.cluster_chain import ServiceCluster, simulate, solve_directly
from clustershare.cluster_chain import exact as exact_answer
from compendium.press.clauses import besides, cases, conclude, everywhere, exact, grid, none
from compendium.press.clauses import measured as points
from compendium.press.clauses.conditions import agrees, at_most, equal
from compendium.press.findings import check
from pages.cluster_chain.points import RUNS, agreeing, measured, off_of, off_paths, words_for
from pages.cluster_chain.systems import MEASURES, figure_7, figure_10, figure_11, job_sizes, laws, solved
from pages.cluster_chain.witnesses.paths import COUNTED_AS_RUNNING, GOES_BACK, IS_PASSED, WAITS, follow
from pages.cluster_chain.witnesses.words import chain, random_clusters

AS_OF_THE_CHAIN = agrees("is 0 within two half widths")


@check("ctmc-064", other={"service": ("exponential",), "arrivals": ("Poisson",)})
def first_approximation(other=None):
    """Simulated delay, utilisation and blocking with other laws, over those of the chain: no bound is in the text."""
    other = other or {
        "service": ("constant", "hyperexponential", "Pareto"),
        "arrivals": ("regular", "hyperexponential", "bursts"),
    }
    run = {"jumps": 20_000, "warmup": 5_000, "replications": 8, "seed": 64}
    measures = ("mean_delay", "utilisation", "blocking")

    def against_the_chain(law, distribution, rate):
        model, (name, what) = figure_7(distribution, rate), law.rsplit(" ", 1)
        simulated, exactly = simulate(model, **{what: laws()[what][name]}, **run), solved(model)
        pairs = {measure: (getattr(simulated, measure), getattr(exactly, measure)) for measure in measures}
        off = {
            measure: points(found.value - value, 2 * max(found.half_width, 1e-4), risk=None)
            for measure, (found, value) in pairs.items()
        }
        seen = [max(found.value, value) if value >= 1e-3 else np.inf for found, value in pairs.values()]
        return off | {f"{measure}, relative": float(off[measure].value) / most for measure, most in zip(measures, seen)}

    names = [f"{name} {what}" for what, some in other.items() for name in some]
    found = grid(law=names, distribution=job_sizes(16), λ=(5, 20, 50)).measure(against_the_chain)
    return conclude(
        *(everywhere(f"the {words_for(name)}, less that of the chain,", found[name], AS_OF_THE_CHAIN)
          for name in measures),
        *(besides(f"the {words_for(name)}, less that of the chain, as a part of the larger,",
                  found[f"{name}, relative"].distance().largest("distribution").largest("λ"), at_most("comparable"))
          for name in measures),
        undecidable=True,
    )  # fmt: skip


@check("ctmc-066", rules=(IS_PASSED, GOES_BACK))
def the_chain_is_the_system(rules=(WAITS,)):
    """All measures against the stored simulation, and in random models against paths with numbered servers.

    The control has two wrong systems, neither of which may agree: the nearer is judged.
    """
    models = random_clusters(20, 66, 16, (1, 8), span=(0.5, 50), least=2)

    def off_of_paths(rule):
        return [
            off_paths(measured(cluster), follow(cluster, rule, **RUNS, seed=number))
            for number, cluster in enumerate(models)
        ]

    def off_exactly(cluster):
        answers, values = [exact_answer(cluster)], measured(cluster)
        if cluster.states <= 2500:
            answers.append(solve_directly(cluster))
        return max(abs(getattr(found, name) - values[name]) / max(values[name], 1e-300)
                   for found in answers for name in MEASURES)  # fmt: skip

    return conclude(
        *agreeing("the measures at the points of the figures", [off_of(name) for name in MEASURES]),
        *agreeing("the measures of random models", min(map(off_of_paths, rules), key=np.max)),
        everywhere("their measures by the answer without simulation, by elimination and by the chain",
                   cases("random model", models).measure(off_exactly), equal(1e-9)),
        whole=True,
    )  # fmt: skip


def of_states(cluster, states, P):
    """The measures (5) to (9) from probabilities of states."""
    queued, tracked = (np.array([state[k] for state in states]) for k in (0, 1))
    queue = queued @ P
    blocking = P[(queued == cluster.queue_capacity) & (tracked > 0)].sum()
    busy, jobs = (P @ [measure(V) for _, _, V in states] for measure in (sum, len))
    return np.array([queue, blocking, queue / (cluster.arrival_rate * (1 - blocking)), busy / cluster.servers, jobs])


def random_law(number, largest, rng):
    """A random law of the size: with zeros, of one size, with all mass at the ends, or of all sizes."""
    kind = number % 4
    if kind == 0:
        chances = rng.dirichlet(np.ones(largest)) * (rng.random(largest) < 0.6)
        chances[rng.integers(largest)] += 0.1
    elif kind == 1:
        chances = np.eye(largest)[rng.integers(largest)]
    elif kind == 2:
        chances = np.zeros(largest)
        chances[[0, -1]] = rng.dirichlet(np.ones(2)) if largest > 1 else 1.0
    else:
        chances = rng.dirichlet(np.ones(largest))
    return chances / chances.sum()


@check("ctmc-068", backwards=True)
def any_law(backwards=False):
    """Chains with random laws against elimination in the system in words, and against paths with numbered servers."""
    rng = np.random.default_rng(68)
    gaps, off, by_library = [], [], []
    run = {"jumps": 15_000, "warmup": 5_000, "replications": 8}
    for number in range(30):
        small = number < 10
        servers = int(rng.integers(2, 6) if small else rng.integers(6, 17))
        largest = int(rng.integers(1, servers + 1))
        chances = random_law(number, largest, rng)
        rates = dict(enumerate(10 ** rng.uniform(np.log10(0.5), np.log10(50), largest), 1))
        capacity, (arrival, tracker) = int(rng.integers(0, 4 if small else 9)), 10 ** rng.uniform(-0.3, 1.7, 2)
        model, told_by = (
            ServiceCluster(servers, capacity, dict(enumerate(law.tolist(), 1)), arrival, tracker, rates)
            for law in (chances, chances[::-1] if backwards else chances)
        )
        solution = model.solve()
        if small:
            found = np.array([getattr(solution, name) for name in MEASURES])
            states, Q = chain(told_by)[:2]
            expected = of_states(told_by, states, markov.gth(Q))
            both = np.array([found, [getattr(solve_directly(model), name) for name in MEASURES]])
            gaps.append(np.abs(both / np.where(expected > 0, expected, 1.0) - (expected > 0)).max())
        else:
            by_library.append(off_paths(vars(solution), simulate(model, **run, seed=number)))
            off.append(off_paths(vars(solution), follow(told_by, **RUNS, seed=number)))
    return conclude(
        everywhere("the measures, by both solvers and by elimination,", exact(gaps, law_of_the_size=None), equal(1e-9)),
        *agreeing("the measures", off),
        *agreeing("the measures", by_library),
        whole=True,
    )


FOLLOWED = (
    *(figure_7(name, 30) for name in ("uniform", "bounded normal", "harmonic")),
    figure_10(2.0),
    figure_11(0.05, 60),
    *random_clusters(10, 2, 8, (1, 8)),
)


def lost_sight_of(cluster):
    """How many transitions of the library's chain do not add a job, end one, or map that at the tracker as it is."""
    states, (rows, columns), wrong = cluster.state_list(), cluster.generator().tocoo().coords, 0
    for row, column in zip(rows[rows != columns].tolist(), columns[rows != columns].tolist()):
        (x1, x2, V), (y1, y2, W) = states[row], states[column]
        if len(W) > len(V):
            right = W == tuple(sorted((*V, x2))) and (y1 == x1 - 1 and y2 > 0 if x1 else y1 == y2 == 0)
        elif len(W) < len(V):
            right = (y1, y2) == (x1, x2) and len(W) == len(V) - 1 and not Counter(W) - Counter(V)
        else:
            right = W == V and ((y1, y2) == (x1 + 1, x2) if x2 else x1 == y1 == 0 < y2)
        wrong += not right
    return wrong


@check("ctmc-002", rule=COUNTED_AS_RUNNING)
def every_job_is_in_the_state(rule=WAITS):
    """Jobs, servers and sizes one by one against the state, after every event of some paths, and in the chain."""
    found = [follow(cluster, rule, arrivals=100_000) for cluster in FOLLOWED]
    events, differ = (sum(getattr(one, name) for one in found) for name in ("events", "differ"))
    what = "the transitions of the library's chain that do not add a job, end one, or map that at the tracker"
    return conclude(
        none(events, "event", "left the state other than the jobs one by one", differ),
        everywhere(what, cases("model", random_clusters()).measure(lost_sight_of), equal(0)),
        whole=True,
    )
