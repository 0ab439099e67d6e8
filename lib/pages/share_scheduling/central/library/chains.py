"""Exact answers and simulations, against chains of the printed rules, queues and lines."""

import functools
import itertools
from fractions import Fraction as F
from typing import NamedTuple

import numpy as np

from clustershare import dispatch, sizes, uniprocessor
from clustershare.arrivals import Batches
from compendium.press.clauses import cases, everywhere, fact, measured
from compendium.press.clauses.conditions import agrees, equal
from pages.agreement import gap, reached, stationary
from pages.share_scheduling.central.library.shared import OF_POLICY, SAME, Model, measures_of, models
from pages.share_scheduling.central.witnesses import lengths

RUN = {"jumps": 8000, "warmup": 500, "replications": 20}
BESIDE = {"jumps": 6000, "warmup": 500, "replications": 8}  # of more parts
MOST = 6  # jobs in a chain, lost beyond
BEYOND = 10  # what a lost job may change, in jobs


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
        found = measures_of(self.model, self.probability, self.jobs, self.obtained, self.capacities)
        with np.errstate(invalid="ignore"):
            return found | {"mean_response_time": found["mean_jobs"] / self.rates}


@functools.cache
def _law(model, loads, means=(1.0, 1.0, 1.0), capacities=None, most=MOST):
    """The chain of a model that is cut at a number of jobs, solved at once."""
    G, P = len(model.shares), model.processors
    speeds = np.full(P, 1 / P) if capacities is None else np.array(capacities)
    rates = np.array(loads) / means[:G]

    def obtained(jobs):
        return np.array([model.rules.served(p, row) for p, row in enumerate(jobs)], float) * speeds[:, None]

    def moves(jobs):
        served = obtained(jobs)
        events = [(g, None, rates[g]) for g in range(G) if rates[g] and sum(map(sum, jobs)) < most]
        events += [(g, p, served[p, g] / means[g]) for p in range(P) for g in range(G) if jobs[p][g]]
        for g, p, rate in events:
            for to, chance in model.after(jobs, g, p).items():
                yield rate * float(chance), to

    states, flows = reached(((0,) * G,) * P, moves)
    shares = np.array([obtained(jobs) for jobs in states])
    return Law(model, np.array(states), stationary(flows), shares, speeds, rates)


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


def on_chains():
    """The library's chains, exactly, on two processors; on three, with three groups."""

    def off(model, loads):
        found = dispatch.exact_central(loads=loads, most_jobs=4, **model.arguments)
        return max(gap(getattr(found, name), each) for name, each in _law(model, loads, most=4).measures.items())

    locals_, loads = itertools.cycle(("PPS", "PS", "GPPS")), itertools.cycle(((0.02, 0.08), (0.09, 0.015)))
    small = [
        (model._replace(local=next(locals_)), next(loads)) for model in models() if model.reading != "every departure"
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


def on_queues():
    """The simulators, by their intervals: at low loads against chains, at high ones against queues."""
    locals_, loads = itertools.cycle(("GPPS", "PPS", "PS")), itertools.cycle(((0.06, 0.14), (0.17, 0.05)))
    ways = itertools.cycle(("plain", "both", "capacities", "plain", "sizes", "plain"))
    names = [
        "group_share_deviation", "capacity_loss", "obtained_share", "mean_jobs", "mean_response_time",
        "processors_held", "mixed_processors", "growth", "busy_range", "busy_spread",
    ]  # fmt: skip
    alone, beside, nothing = [], [], True
    for seed, model in enumerate(model for model in models() if model.reading in (None, "without replacement")):
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
        fact(
            "each reading is another run",
            not alike_readings(),
            f"{', '.join(alike_readings())} do not differ from our reading",
        ),
        _clause("what is simulated where policies differ less what the library's chains have", _apart()),
        _clause("what is simulated at high loads less what queues have", _heavy()),
        _clause("what jobs meet with less what is known of one processor", _one_processor(), RUN["replications"]),
    )


@functools.cache
def alike_readings():
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


def _apart():
    """Loads at which no policy, and no way to weigh the jobs of a processor, has what another one has."""
    run = BESIDE | {"jumps": 20_000}
    for seed, (policy, migration) in enumerate(itertools.product(("HP", "SVP", "DVP"), (False, True))):
        for local, share in (("PS", 0.7), ("GPPS", 0.6)):
            system = {
                "policy": policy, "migration": migration, "local": local, "required_shares": (share, 1 - share),
                "loads": (0.3, 0.2), "processors": 2,
            }  # fmt: skip
            chain = dispatch.exact_central(**system, most_jobs=14)
            for simulate in (dispatch.simulate_central, dispatch.simulate_central_beside_queue):
                found = simulate(**system, **run, seed=seed)
                for name in ("group_share_deviation", "capacity_loss", "processors_held", "mixed_processors"):
                    one = getattr(found, name)
                    for value, half, known in np.nditer([one.value, one.half_width, getattr(chain, name)]):
                        yield float(value - known), float(half + chain.error)


def _heavy():
    """One line for all, with three groups; lines for each group, of which one grows; and one that grows alone."""
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
    model = Model("SVP", None, (F(1, 2), F(1, 2)))
    for simulate in (dispatch.simulate_central, dispatch.simulate_central_beside_queue):
        found = simulate(loads=(0.0, 0.9), **model.arguments, **BESIDE, seed=9)
        yield found.capacity_loss.value - 0.5, found.capacity_loss.half_width + SAME
        yield found.obtained_share.value[1] - 0.5, found.obtained_share.half_width[1] + SAME


def _one_processor():
    """Processor sharing, whatever the law of the sizes; with batches, what M^X/M/1 has; PPS and GPPS."""
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
    for policy, local in itertools.product(("JSQ", "SVP"), ("PPS", "GPPS")):  # where shares weigh much
        shares, loads = (0.2, 0.8), (0.45, 0.3)
        alone = uniprocessor.exact(local, shares, loads)
        for simulate, run in ((dispatch.simulate_central, RUN), (dispatch.simulate_central_beside_queue, BESIDE)):
            found = simulate(policy, required_shares=shares, loads=loads, processors=1, local=local, **run, seed=7)
            known += [(getattr(found, name), getattr(alone, name)) for name in ("mean_jobs", "group_share_deviation")]
    for one, expected in known:
        for value, half, each in np.nditer([one.value, one.half_width, expected]):
            yield float(value - each), float(half)
