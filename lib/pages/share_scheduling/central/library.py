"""All that the library answers about central policies, held against what shares nothing with it."""

import functools
import itertools
import math
from collections import Counter
from fractions import Fraction as F
from typing import NamedTuple

import numpy as np

from clustershare import dispatch, sizes, workload
from clustershare.arguments import UnstableError
from clustershare.arrivals import Batches
from compendium.press.clauses import cases, everywhere, exact, fact, measured
from compendium.press.clauses.conditions import agrees, equal
from pages.agreement import gap
from pages.share_scheduling.central.printed import closed_forms, matrices
from pages.share_scheduling.central.printed.policies import MIGRATIONS
from pages.share_scheduling.central.printed.rules import Outcome, Rules, arrival, changed_by, departure
from pages.share_scheduling.central.witnesses import compiled, lengths, reached

RUN = {"jumps": 8000, "warmup": 500, "replications": 20}
BESIDE = {"jumps": 6000, "warmup": 500, "replications": 8}  # of more parts
SAME = 1e-9
MOST = 6  # jobs in a chain, lost beyond
BEYOND = 10  # what a lost job may change, in jobs
READINGS = {
    "M2 by jobs": {"changed": ("M2 by jobs",)}, "guest may return": {"changed": ("I2 idle",)},
    "every departure": {"changed": ("every departure",)}, "without M1": {"without": ("M1",)},
    "without M4": {"without": ("M4",)}, "M4 before M3": {"changed": ("M4 before M3",)},
    "guests stay": {"without": ("I2", "M4")}, "plain sums": {"changed": ("plain sums",)},
    "M1 any group": {"changed": ("any group",)},
}  # fmt: skip
OF_POLICY = {
    "HP": ("M2 by jobs",),
    "SVP": tuple(READINGS)[1:7],
    "DVP": ("plain sums", "M1 any group", "every departure"),
}
OTHERS = (("JSQ(3)", None), ("JSQ(2)", "without replacement"), ("SPILL", None))


def answers():
    """Clauses, one for each kind of answer: its function, and what else is known of the same."""
    return (*_one_line(), *_partitions(), *_decisions(), *_chains(), *_queues(), *_replays())


class Weighed(Rules):
    """Rules under any local policy: with "PPS" each job has the weight of its group."""

    def served(self, p, row):
        """As `Rules.served`."""
        if self.local != "PPS":
            return super().served(p, row)
        claims = [weight * count for weight, count in zip(self.weights[p], row)]
        return tuple(F(claim) / sum(claims) for claim in claims) if any(row) else (F(0),) * len(row)


class Model(NamedTuple):
    """A policy with its reading, and required shares, processors, migration and a local policy."""

    policy: str
    reading: str = None
    shares: tuple = (F(7, 10), F(3, 10))
    processors: int = 2
    migration: bool = False
    local: str = "PS"

    @property
    def rules(self):
        """As printed; what places jobs by a rule of its own moves them as JSQ does."""
        return _rules(self)

    @property
    def arguments(self):
        """Of the library's functions."""
        return {
            "policy": self.policy, "reading": self.reading, "required_shares": [float(share) for share in self.shares],
            "processors": self.processors, "migration": self.migration, "local": self.local,
        }  # fmt: skip

    def events(self, jobs, g, q=None):
        """What may come of an arrival of a group, or of its departure from a processor: list of `Outcome`."""
        if q is not None:
            return departure(self.rules, jobs, g, q)
        if self.reading == "guest may return":  # to a processor without others, which is how the library reads it
            ways = ((self, False), (self._replace(reading=None), True))
            return [
                one for model, others in ways for one in arrival(model.rules, jobs, g)
                if (sum(jobs[one.processor]) > 1) == others
            ]  # fmt: skip
        if self.policy in MIGRATIONS:
            return arrival(self.rules, jobs, g)
        return [Outcome(chance, changed_by(jobs, p, g, 1), None, p, ()) for p, chance in self._places(jobs, g)]

    def after(self, jobs, g, q=None):
        """The states after it, with their probabilities."""
        found = Counter()
        for outcome in self.events(jobs, g, q):
            found[outcome.state] += outcome.probability
        return found

    def _places(self, jobs, g):
        totals, P = [sum(row) for row in jobs], range(self.processors)
        if self.policy == "SPILL":
            parts = self.rules.parts[g]
            own = _fewest(P, lambda p: (totals[p] + 1) / parts[p] if parts[p] else math.inf)
            idle = [p for p in P if not totals[p]]
            return [
                (p, F(1, len(chosen))) for chosen in [own if not totals[own[0]] or not idle else idle] for p in chosen
            ]
        number = int(self.policy[4:-1])
        draws = list(itertools.permutations(P, number) if self.reading else itertools.product(P, repeat=number))
        best = [_fewest(sorted(set(drawn)), totals.__getitem__) for drawn in draws]
        return [(p, F(1, len(draws) * len(chosen))) for chosen in best for p in chosen]


@functools.cache
def _rules(model):
    policy = model.policy if model.policy in MIGRATIONS else "JSQ"
    how = READINGS[model.reading] if model.policy in MIGRATIONS and model.reading else {}
    return Weighed(policy, model.shares, model.processors, model.migration, model.local, **how)


def _fewest(some, key):
    least = min(map(key, some))
    return [p for p in some if key(p) == least]


def _one_line():
    """M/M/P and the groups in it, by (5.2)-(5.8) term by term."""
    rng = np.random.default_rng(51)

    def law(load, P):
        number = int(rng.integers(0, 2 * P + 3))
        long = closed_forms.birth_and_death(load, P)
        return {
            "number": gap(dispatch.numbers_in_one_line(load, P, number), long[: number + 1]),
            "queue": dispatch.queueing_probability(load, P) - long[P:].sum(),
        }

    def groups(P, shares, loads):
        found, load = dispatch.shortest_queue_with_migration(shares, loads, P), sum(loads)
        long = closed_forms.birth_and_death(load, P)
        feasible = [
            closed_forms.first_form(closed_forms.Group(share, own, load, P)) if own else 0.0
            for share, own in zip(shares, loads)
        ]
        jobs = np.array(loads) / load * (long @ np.arange(len(long)))
        with np.errstate(invalid="ignore"):
            times = jobs / np.array(loads)
        return max(
            gap(found.group_share_deviation, (np.array(feasible) - loads) / shares), abs(found.capacity_loss),
            gap(found.obtained_share, loads), gap(found.mean_jobs, jobs), gap(found.mean_response_time, times),
        )  # fmt: skip

    laws = cases("load", [(float(rng.uniform(0.05, 0.9)), P) for P in (1, 2, 3, 8, 17)], seed=51).measure(law)
    systems = [
        (1, (0.7, 0.3), (0.2, 0.5)), (2, (0.35, 0.65), (0.55, 0.2)), (3, (0.2, 0.5, 0.3), (0.5, 0.0, 0.35)),
        (8, (0.125, 0.65, 0.225), (0.3, 0.1, 0.2)), (13, (0.6, 0.4), (0.0, 0.7)),
    ]  # fmt: skip
    own = [(0.29, 100), (0.3, 1), (1.0, 7), (0.74, 4), (1 / 3, 6)]

    def refused(function, *given):
        try:
            function(*given)
        except UnstableError:
            return True
        return False

    return (
        everywhere("the numbers in one line and those of a chain", laws["number"], equal(SAME)),
        everywhere("the probability of queueing and that by a chain", laws["queue"], equal(SAME)),
        everywhere("the law without jobs and a line that is empty",
                   exact([gap(dispatch.numbers_in_one_line(0.0, 3, 4), [1, 0, 0, 0, 0]),
                          dispatch.queueing_probability(0.0, 3)], line=None), equal(0)),
        everywhere("JSQ with migration and (5.4)-(5.8)", cases("system", systems).measure(groups), equal(SAME)),
        everywhere("whole processors and those counted",
                   exact([dispatch.own_processors(*each) - math.floor(F(each[0]).limit_denominator(1000) * each[1])
                          for each in own], system=None), equal(0)),
        fact("no line has a law at load 1", refused(dispatch.queueing_probability, 1.0, 3)
             and refused(dispatch.shortest_queue_with_migration, (0.5, 0.5), (0.5, 0.5), 2), "one has"),
    )  # fmt: skip


def _partitions():
    """Step 1 against all partitions of the groups, step 2 against its words."""

    def off(*sizes):
        sets, P = dispatch.combinations(sizes), int(sum(sizes))
        X = np.full((len(sizes), P), F(0))
        for g, p, part in matrices.pieces(sizes, sets):
            X[g, p] = part
        given = [size / P for size in sizes]
        whole = all(sum(sizes[g] for g in one).denominator == 1 for one in sets)
        whole &= sorted(itertools.chain(*sets)) == list(range(len(sizes)))
        return {
            "sets": float(len(sets) != len(matrices.most_sets(sizes)) or not whole),
            "matrix": float((dispatch.partition(given, P) != X).any()
                            or (dispatch.partition([float(share) for share in given], P) != X).any()),
        }  # fmt: skip

    found = [matrices.EXAMPLE, *matrices.systems(12, 53)]
    found = cases("system", found, seed=53).measure(off)
    return (
        everywhere("the number of combinations and the most there can be,", found["sets"], equal(0)),
        everywhere("the matrix and that of the words", found["matrix"], equal(0)),
    )


def _models(migrations=(False, True)):
    """Each policy without and with migration, and in each of its readings."""
    for policy, migration in itertools.product(("JSQ", "HP", "SVP", "DVP"), migrations):
        for reading in (None, *(OF_POLICY.get(policy, ()) if migration else ())):
            yield Model(policy, reading, migration=migration)
    for (policy, reading), migration in itertools.product(OTHERS, migrations):
        yield Model(policy, reading, migration=migration)


def _decisions():
    """What each rule does in states of paths of four processors and three groups, and where there are many jobs."""
    rng, locals_ = np.random.default_rng(55), itertools.cycle(("GPPS", "PS"))
    events = []
    for k, model in enumerate(_models()):
        shares = ((F(3, 8), F(1, 8), F(1, 2)), (F(1, 4), F(5, 12), F(1, 3)))[k % 2]
        model = model._replace(shares=shares, processors=4, local=next(locals_))
        loads = [1.1 * float(share) for share in shares[::-1]]
        steps = reached.path(model.rules, loads, 50, k)
        events += [(model, step.before, step.group, step.processor) for step in steps][10:]
        if model.policy != "SVP":
            for base in (0, 14, 62, 341):
                jobs = tuple(map(tuple, (rng.integers(0, 3, (4, 3)) + base + (base > 0)).tolist()))
                q = int(rng.integers(4))
                g = int(rng.integers(3))
                events += [(model, jobs, g, None), *([(model, jobs, g, q)] if jobs[q][g] else [])]

    least = Model("DVP", None, (F(1, 10**10), 1 - F(1, 10**10)), 3)  # a group with too much on its only processor
    one = Model("SVP", None, (F(3, 8), F(1, 8), F(1, 2)), 4, True)  # guests on processors with unlike parts of a group
    two = Model("SVP", None, (F(1, 3), F(1, 6), F(1, 4), F(1, 4)), 4, True)  # guests who may come to unlike parts
    events += [
        (least, ((1, 0), (0, 1), (0, 0)), 0, None),
        (one, ((0, 0, 1),) * 4, 0, None),
        (two, ((0, 1, 0, 0), (1, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0)), 1, 3),
    ]
    # The library lets a job stay where "every departure" may take it from the processor itself; the print says nothing.
    events = [
        (model, jobs, g, q) for model, jobs, g, q in events
        if model.reading != "every departure" or q is None or sum(jobs[q]) < 3
    ]  # fmt: skip

    @functools.cache
    def asked(model):
        return compiled.Compiled(
            model.policy, [float(share) for share in model.shares], model.processors, model.migration, model.local,
            model.reading,
        )  # fmt: skip

    def off(model, jobs, g, q):
        return float(asked(model).outcomes(jobs, g, q) != model.after(jobs, g, q))

    return (everywhere("what the library's rules do and what the printed ones do,",
                       cases("event", events, seed=55).measure(off), equal(0)),)  # fmt: skip


class Law(NamedTuple):
    """The law of a chain: states, probabilities, and what each group obtains of each processor, of the whole."""

    model: Model
    jobs: np.ndarray
    probability: np.ndarray
    obtained: np.ndarray
    capacities: np.ndarray
    rates: np.ndarray

    @property
    def lost(self):
        """By how much an answer without a last state may differ."""
        totals = self.jobs.sum(axis=(1, 2))
        return BEYOND * float(self.probability[totals == totals.max()].sum())

    @property
    def measures(self):
        """All attributes of `clustershare.dispatch.DispatchPerformance`."""
        found = _means(self.model, self.probability, self.jobs, self.obtained, self.capacities)
        with np.errstate(invalid="ignore"):
            return found | {"mean_response_time": found["mean_jobs"] / self.rates}


def _means(model, law, jobs, obtained, capacities):
    """What `clustershare.dispatch.DispatchPerformance` has, over states with these parts of the time."""
    number, there, required, P = jobs.sum(axis=1), jobs.sum(axis=2), np.array(model.shares, float), model.processors
    able = np.append(0, np.cumsum(np.sort(capacities)[::-1]))[np.minimum(there.sum(axis=1), P)]
    several, obtained, busy = (jobs > 0).sum(axis=2) > 1, obtained.sum(axis=1), law @ (there > 0)
    found = {
        "group_share_deviation": (np.minimum(required, number / P) - obtained) / required,
        "capacity_loss": able - (there > 0) @ capacities, "obtained_share": obtained, "mean_jobs": number,
        "growth": 0.0 * number, "processors_held": (jobs > 0).sum(axis=1),
        "mixed_processors": np.stack([(several & few).sum(axis=1) for few in (there == 2, there > 2)], axis=1),
    }  # fmt: skip
    return {name: law @ each for name, each in found.items()} | {"busy_range": np.ptp(busy), "busy_spread": busy.std()}


@functools.cache
def _law(model, loads, means=(1.0, 1.0, 1.0), capacities=None, most=MOST):
    """The chain of a model that is cut at a number of jobs, solved at once."""
    G, P = len(model.shares), model.processors
    speeds = np.full(P, 1 / P) if capacities is None else np.array(capacities)
    rates = np.array(loads) / means[:G]
    states, moves, shares = {((0,) * G,) * P: 0}, [], []
    for jobs in (waiting := list(states)):
        served = np.array([model.rules.served(p, row) for p, row in enumerate(jobs)], float) * speeds[:, None]
        shares.append(served)
        events = [(g, None, rates[g]) for g in range(G) if rates[g] and sum(map(sum, jobs)) < most]
        events += [(g, p, served[p, g] / means[g]) for p in range(P) for g in range(G) if jobs[p][g]]
        for g, p, rate in events:
            for to, chance in model.after(jobs, g, p).items():
                if to not in states:
                    states[to] = len(states)
                    waiting.append(to)
                moves.append((states[jobs], states[to], rate * float(chance)))
    Q = np.zeros((len(states),) * 2)
    for row, column, rate in moves:
        Q[row, column] += rate
        Q[row, row] -= rate
    Q[:, 0] = 1.0
    probability = np.linalg.solve(Q.T, np.eye(len(Q))[0])
    return Law(model, np.array(list(states)), probability, np.array(shares), speeds, rates)


def _gaps(found, law, names):
    """Simulated measures less those of a chain, with half widths: pairs."""
    expected = law.measures
    for name in names:
        one = getattr(found, name)
        if name.startswith("busy") and expected[name] < 0.05:
            continue  # noise alone
        for value, half, known in np.nditer([one.value, one.half_width, expected[name]]):
            yield float(value - known), float(half + law.lost * (name != "growth"))


def _clause(subject, gaps, runs=BESIDE["replications"]):
    return everywhere(subject, measured(*zip(*gaps), runs=runs, quantity=None), agrees())


def _chains():
    """The library's chains, exactly, on two processors; on three, with three groups."""

    def off(model, loads):
        found = dispatch.exact_central(loads=loads, most_jobs=4, **model.arguments)
        return max(gap(getattr(found, name), each) for name, each in _law(model, loads, most=4).measures.items())

    locals_, loads = itertools.cycle(("PPS", "PS", "GPPS")), itertools.cycle(((0.02, 0.08), (0.09, 0.015)))
    small = [
        (model._replace(local=next(locals_)), next(loads)) for model in _models() if model.reading != "every departure"
    ]
    three = [
        (Model(policy, None, (F(1, 2), F(1, 3), F(1, 6)), 3, migration, local), (0.02, 0.0, 0.04))
        for policy, migration, local in (("SVP", True, "GPPS"), ("DVP", True, "PPS"), ("HP", True, "PS"))
    ] + [(Model("SVP", processors=1, local="PPS"), (0.03, 0.05))]
    one = dispatch.exact_central(
        "JSQ", migration=True, required_shares=(0.6, 0.4), loads=(0.1, 0.3), processors=2, most_jobs=9
    )
    line = dispatch.shortest_queue_with_migration((0.6, 0.4), (0.1, 0.3), 2)
    off_line = gap(one.mean_jobs, line.mean_jobs)
    return (
        everywhere("the library's chains and those of the printed rules", cases("system", small + three).measure(off),
                   equal(SAME)),
        fact("a chain that is cut is as far off as it says", one.error / 30 < off_line < one.error, "it is not"),
    )  # fmt: skip


def _queues():
    """The simulators, by their intervals: at low loads against chains, at high ones against queues."""
    locals_, loads = itertools.cycle(("GPPS", "PPS", "PS")), itertools.cycle(((0.06, 0.14), (0.17, 0.05)))
    ways = itertools.cycle(("plain", "both", "capacities", "plain", "sizes", "plain"))
    names = [
        "group_share_deviation", "capacity_loss", "obtained_share", "mean_jobs", "mean_response_time",
        "processors_held", "mixed_processors", "growth", "busy_range", "busy_spread",
    ]  # fmt: skip
    alone, beside, nothing = [], [], True
    for seed, model in enumerate(model for model in _models() if model.reading in (None, "without replacement")):
        model, own, way = model._replace(local=next(locals_)), next(loads), next(ways)
        means, more = (1.0, 1.0), {}
        if way in ("sizes", "both"):
            means = (2.0, 0.5)
            more["sizes"] = [sizes.Exponential(mean) for mean in means]
        if way == "capacities":  # and sizes of one mean, which need not be drawn
            means, more["sizes"] = (2.0, 2.0), sizes.Exponential(2.0)
        if way in ("capacities", "both") and model.policy not in ("SVP", "DVP", "SPILL"):
            more["capacities"] = (0.7, 0.3)
        law = _law(model, own, means, more.get("capacities"))
        found = dispatch.simulate_central(loads=own, **model.arguments, **more, **RUN, seed=seed)
        alone += _gaps(found, law, names)
        if way == "plain":
            found = dispatch.simulate_central_beside_queue(loads=own, **model.arguments, **BESIDE, seed=seed)
            beside += _gaps(found, law, names[:-3])
            nothing &= found.growth is found.busy_range is found.busy_spread is None
    return (
        _clause("what is simulated less what chains of the printed rules have", alone, RUN["replications"]),
        _clause("what is simulated beside a queue less that", beside),
        fact("beside a queue nothing is told of busy times", nothing, "busy times are told"),
        fact("each reading is another run", not _unread(), f"{', '.join(_unread())} do not differ from our reading"),
        _clause("what is simulated at high loads less what queues have", _heavy()),
        _clause("what jobs meet with less what is known of one processor", _one_processor(), RUN["replications"]),
    )


@functools.cache
def _unread():
    """Readings with which a simulator does what it does without: what they are is told by the chains."""
    system = {
        "migration": True, "required_shares": (0.5, 0.3, 0.2), "loads": (0.4, 0.25, 0.2), "processors": 4,
        "jumps": 3000, "warmup": 0, "replications": 1, "seed": 8,
    }  # fmt: skip
    found = []
    for simulate in (dispatch.simulate_central, dispatch.simulate_central_beside_queue):
        for policy, readings in (*OF_POLICY.items(), ("JSQ(2)", ("without replacement",))):
            ours = simulate(policy, **system).mean_jobs.value
            found += [
                f"{policy}, {reading}" for reading in readings
                if reading != "without M1"  # which has no guest to move but in other readings
                and (simulate(policy, reading=reading, **system).mean_jobs.value == ours).all()
            ]  # fmt: skip
    return found


def _heavy():
    """One line for all, with three groups; and lines for each group, of which one grows."""
    model = Model("JSQ", None, (F(1, 2), F(1, 5), F(3, 10)), 3, True)
    own = (0.3, 0.35, 0.15)
    line = dispatch.shortest_queue_with_migration([float(share) for share in model.shares], own, 3)
    for simulate in (dispatch.simulate_central, dispatch.simulate_central_beside_queue):
        found = simulate(loads=own, **model.arguments, **BESIDE | {"jumps": 20_000}, seed=3)
        for name in ("group_share_deviation", "capacity_loss", "obtained_share", "mean_jobs", "mean_response_time"):
            one = getattr(found, name)
            for value, half, known in np.nditer([one.value, one.half_width, getattr(line, name)]):
                yield float(value - known), float(half)
    model = Model("SVP", None, (F(1, 2), F(1, 4), F(1, 4)), 4, False, "GPPS")
    found = dispatch.simulate_central(loads=(0.35, 0.15, 0.3), **model.arguments, **RUN, seed=4)
    two = lengths.mean_jobs(0.7, 2, 50, 20)
    for one, known in ((found.obtained_share, (0.35, 0.15, 0.25)), (found.growth, (0, 0, 0.05))):
        for value, half, expected in zip(one.value, one.half_width, known):
            yield value - expected, half
    for g, expected in enumerate((two, 1.5)):
        yield found.mean_jobs.value[g] - expected, found.mean_jobs.half_width[g]


def _one_processor():
    """Processor sharing, whatever the law of the sizes; with batches, what M^X/M/1 has."""
    laws, load = [sizes.Deterministic(0.5), sizes.ErlangMixture(0.5, (1, 6), (0.6, 0.4))], 0.75
    system = {"required_shares": (0.7, 0.3), "processors": 1, "local": "PS", "loads": (0.45, 0.3)}
    found = dispatch.simulate_central("JSQ", **system, sizes=laws, records=True, **RUN, seed=5)
    seen, mean = found.records, np.array([law.mean for law in laws])
    known = [
        (found.mean_jobs, np.array(system["loads"]) / (1 - load)), (found.mean_response_time, mean / (1 - load)),
        (seen.mean_response_time, mean / (1 - load)), (seen.mean_slowdown, 1 / (1 - load)), (seen.mean_wait, 0.0),
    ]  # fmt: skip
    system["loads"] = (load, 0.0)
    batches = dispatch.simulate_central(
        "JSQ", **system, sizes=sizes.Exponential(2.0), arrivals=Batches((0.5, 0.5)), **RUN, seed=6
    )
    known.append((batches.mean_jobs, (load / (1 - load) * 4 / 3, 0.0)))  # (E X^2 / E X + 1) / 2
    for one, expected in known:
        for value, half, each in np.nditer([one.value, one.half_width, expected]):
            yield float(value - each), float(half)


def _replays():
    """Given jobs: what the library makes of them is one of all courses that chance can take."""
    rng = np.random.default_rng(57)

    def off(model, capacities):
        at, work = np.cumsum(rng.exponential(0.5, 6)), rng.exponential(1.5, 6)
        of = rng.permutation([0, 1, 0, 1, 1, 0])
        jobs = workload.Workload(at.tolist(), work.tolist(), groups=of.tolist())
        may = list(_courses(model, at, work, of, np.array(capacities)))
        more = {} if len(set(capacities)) == 1 else {"capacities": capacities}

        def apart(found, end, means):
            times = end - at
            slow = times / (work / len(capacities) / max(capacities))
            by_group = [[each[of == g].mean() for g in (0, 1)] for each in (times, slow)]
            return max(
                gap(found.end, end), gap(found.mean_response_time, by_group[0]), gap(found.response, times),
                gap(found.mean_slowdown, by_group[1]), gap(found.mean_jobs, means["mean_jobs"]),
                *(gap(getattr(found.performance, name), each) for name, each in means.items()),
            )  # fmt: skip

        found = [workload.replay_dispatch(jobs, seed=seed, **model.arguments, **more) for seed in range(3)]
        return max(min(apart(one, *course) for course in may) for one in found)

    half, unequal = (0.5, 0.5), (0.6, 0.4)
    systems = [
        (Model("JSQ", migration=True, local="PPS"), unequal), (Model("HP", migration=True, local="GPPS"), unequal),
        (Model("SVP", migration=True, local="PPS"), half), (Model("DVP", migration=False, local="GPPS"), half),
        (Model("SPILL", migration=True), half), (Model("JSQ", processors=1, local="PPS"), (1.0,)),
    ]  # fmt: skip
    return (everywhere("ends of given jobs, and shares, and those of a course of the printed rules",
                       cases("system", systems, seed=57).measure(off), equal(SAME)),)  # fmt: skip


def _courses(model, at, work, of, capacities):
    """For each course of chance the ends of given jobs, and what is measured."""
    G, P = len(model.shares), model.processors

    def go_on(now, come, there, left, end, past):
        jobs = tuple(tuple(sum(of[j] == g and p == q for j, q in there.items()) for g in range(G)) for p in range(P))
        if come == len(at) and not there:
            ends, (held, *states) = np.array([end[j] for j in range(len(at))]), map(np.array, zip(*past))
            yield ends, _means(model, held / (ends.max() - at[0]), *states, capacities)
            return
        served = np.array([model.rules.served(p, row) for p, row in enumerate(jobs)], float) * capacities[:, None]
        rate = {j: P * served[p, of[j]] / jobs[p][of[j]] for j, p in there.items()}
        first = min(there, key=lambda j: left[j] / rate[j], default=None)
        until = now + left[first] / rate[first] if there else math.inf
        arriving = come < len(at) and at[come] < until
        until = at[come] if arriving else until
        left = {j: left[j] - rate[j] * (until - now) for j in there}
        past = (*past, (until - now, jobs, served))
        j, q = (come, None) if arriving else (first, there[first])
        for outcome in model.events(jobs, of[j], q):
            after, rest = {k: p for k, p in there.items() if k != j}, dict(left)
            if arriving:
                after[j], rest[j] = outcome.processor, work[j]
            ways = [after]
            for move in outcome.moves:
                ways = [
                    way | {k: move.target} for way in ways for k, p in way.items()
                    if k != j and p == move.source and of[k] == move.group
                ]  # fmt: skip
            for way in ways:
                yield from go_on(until, come + arriving, way, rest, end if arriving else end | {j: until}, past)

    yield from go_on(at[0], 0, {}, {}, {}, ())
