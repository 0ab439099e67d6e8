"""What three public packages can be asked, feature by feature: each is tried. The book does not need them.

In an environment of its own that has `ciw`, `line-solver` and `stochastic-matching` beside this library,
``python -m benchmarks outside_features --record`` writes what the page on outside witnesses shows. Each entry of a
package is what was found, how, and a trial that must come out for it to be written down: a call that answers, or one
that is refused.
"""

import contextlib
import csv
import importlib.metadata
import importlib.util
import inspect
import io
import math
import pickle
import warnings
from pathlib import Path

import numpy as np

from benchmarks.timing import Row
from compendium import places
from pages.across.witnesses.features import OURS

TABLE = places.DATA / "outside_features.csv"
YES, PART, NO = "yes", "in part", "no"


def tables(record=False):
    """Yield the one table; `record` keeps it in the data folder."""
    yield "Outside packages: what they can be asked", rows(record)


def refused(call, *arguments, **named):
    """Whether a call ends in an error, of whatever kind."""
    try:
        call(*arguments, **named)
    except Exception:
        return True
    return False


def came_out(trial):
    """Whether a trial was true, without an error."""
    try:
        return bool(np.all(trial()))
    except Exception as error:
        print(f"  {type(error).__name__}: {error}")
        return False


def marked(package):
    """Whether a package says that its annotations may be relied on."""
    return Path(importlib.util.find_spec(package).origin).with_name("py.typed").exists()


# Ciw ---------------------------------------------------------------------------------------------------------------


def ciw_records(arrivals=None, service=None, time=5000.0, kind=None, **network):
    """Records of the jobs of a queue."""
    import ciw

    ciw.seed(1)
    made = ciw.create_network(
        arrival_distributions=[arrivals or ciw.dists.Exponential(0.5)],
        service_distributions=[service or ciw.dists.Exponential(1.0)],
        **{"number_of_servers": [1]} | network,
    )
    simulation = ciw.Simulation(made, **{"node_class": kind} if kind else {})
    simulation.simulate_until_max_time(time)
    return simulation.get_all_records()


def ciw_modulated():
    """Markov modulation, written as a distribution that keeps its state."""
    import ciw

    class Modulated(ciw.dists.Distribution):
        state, left = 0, 0.0

        def sample(self, t=None, ind=None):
            waited = 0.0
            while True:
                time = ciw.rng.exponential(1 / (0.2, 0.5, 0.8)[self.state])
                if time < self.left:
                    self.left -= time
                    return waited + time
                waited, self.left = waited + self.left, ciw.rng.exponential(10.0)
                self.state = (self.state + 1) % 3

    return abs(len(ciw_records(Modulated(), time=20_000)) / 20_000 - 0.5) < 0.05


def ciw_routed(rule):
    """Jobs of two queues by a rule, and the service times that the rule saw."""
    import ciw

    seen = []

    class Rule(ciw.routing.NodeRouting):
        def next_node(self, ind):
            seen.append(ind.service_time)
            drawn = ciw.rng.integers(1, 3, 2)
            return self.simulation.nodes[min(drawn, key=lambda node: self.simulation.nodes[node].number_of_individuals)]

    class Shortest(ciw.routing.JoinShortestQueue):
        def __init__(self):
            super().__init__(destinations=[1, 2])

    first = {"drawn": Rule, "shortest": Shortest}[rule]()
    ciw.seed(1)
    network = ciw.create_network(
        arrival_distributions=[None, None, ciw.dists.Exponential(1.0)],
        service_distributions=[ciw.dists.Exponential(1.0), ciw.dists.Exponential(1.0), ciw.dists.Deterministic(0.0)],
        number_of_servers=[1, 1, math.inf],
        routing=ciw.routing.NetworkRouting(routers=[ciw.routing.Leave(), ciw.routing.Leave(), first]),
    )
    simulation = ciw.Simulation(network)
    simulation.simulate_until_max_time(500)
    return {one.node for one in simulation.get_all_records()} == {1, 2, 3}, seen


def ciw():
    """What Ciw can be asked."""
    if importlib.util.find_spec("ciw") is None:
        return {}
    import ciw

    times = inspect.signature(ciw.Simulation.simulate_until_max_time).parameters
    ways = [name for name in dir(ciw.Simulation) if name.startswith("simulate_until")]
    ends = {"simulate_until_deadlock", "simulate_until_max_customers", "simulate_until_max_time"}
    network = inspect.signature(ciw.create_network).parameters

    def shared():
        return ciw_records(number_of_servers=[math.inf], ps_thresholds=[1], kind=ciw.PSNode)

    return {
        "sizes from data, with weights": (
            YES, "`dists.Empirical`, and `dists.Pmf` with weights",
            lambda: len(ciw_records(service=ciw.dists.Empirical([1.0, 1.5])))
            and len(ciw_records(service=ciw.dists.Pmf([1.0, 2.0], [0.8, 0.2]))),
        ),
        "renewal arrivals": (YES, "any distribution", lambda: len(ciw_records(ciw.dists.Deterministic(2.0)))),
        "Markov-modulated arrivals, three states": (
            PART, "by a distribution of one's own that keeps its state", ciw_modulated
        ),
        "a rate that varies by the hour": (
            YES, "`dists.PoissonIntervals`",
            lambda: abs(
                len(ciw_records(ciw.dists.PoissonIntervals([0.9, 0.3], [12.0, 24.0], max_sample_date=5000.0)))
                / 3000 - 1
            ) < 0.1,
        ),
        "batches": (
            YES, "`batching_distributions`",
            lambda: abs(
                len(ciw_records(ciw.dists.Exponential(0.3), batching_distributions=[ciw.dists.Pmf([1, 2], [0.5, 0.5])]))
                / 2250 - 1
            ) < 0.1,
        ),
        "quantiles of response times, with intervals": (
            PART, "from the records of all jobs, by hand; no intervals",
            lambda: np.quantile([one.exit_date - one.arrival_date for one in ciw_records()], 0.9) > 0,
        ),
        "slowdowns": (
            PART, "from the records, by hand; not under processor sharing, where they have no sizes",
            lambda: all(math.isclose(one.service_time, one.exit_date - one.arrival_date) for one in shared()),
        ),
        "mean response times by size": (
            PART, "from the records, by hand; not under processor sharing, where they have no sizes",
            lambda: ciw_records()[0].service_time > 0,
        ),
        "runs until intervals are narrow enough": (
            NO, "runs end by time, by customers or by deadlock", lambda: set(ways) == ends
        ),
        "warm-up found by the run": (
            NO, "records of the beginning are left out by hand", lambda: set(times) == {
                "self", "max_simulation_time", "progress_bar"
            },
        ),
        "JSQ(2), drawn with and without replacement": (
            PART, "JSQ is there; JSQ(d) is a class of one's own",
            lambda: ciw_routed("shortest")[0] and ciw_routed("drawn")[0],
        ),
        "a dispatch rule that sees the size": (
            NO, "the size is drawn when service begins, after the rule was asked",
            lambda: not any(ciw_routed("drawn")[1]),
        ),
        "DPS with weights, simulated": (
            NO, "processor sharing is equal", lambda: len(shared()) and not [one for one in network if "weight" in one]
        ),
        "exact means of DPS, six groups": (NO, "it simulates only", lambda: not hasattr(ciw, "exact")),
        "results that compare, are kept and repeated": (
            PART, "records compare, the same from the same seed; they cannot be pickled, and there is no result",
            lambda: ciw_records() == ciw_records() and refused(pickle.dumps, ciw_records()),
        ),
        "annotated, and marked so": (
            NO, "no `py.typed`; no parameter of `create_network` is annotated",
            lambda: not marked("ciw") and all(one.annotation is one.empty for one in network.values()),
        ),
    }  # fmt: skip


# LINE --------------------------------------------------------------------------------------------------------------


def line(arrivals=None, service=None, policy="FCFS", solver="LDES", routing=None, queues=1, weights=(1,), **options):
    """Mean response times: a solver's, of classes at the first queue."""
    import line_solver

    model = line_solver.Network("model")
    source, sink = line_solver.Source(model, "source"), line_solver.Sink(model, "sink")
    strategy = getattr(line_solver.SchedStrategy, policy)
    stations = [line_solver.Queue(model, f"queue {number}", strategy) for number in range(queues)]
    classes = [line_solver.OpenClass(model, f"group {group}") for group in range(len(weights))]
    for jobs, weight in zip(classes, weights):
        source.setArrival(jobs, arrivals or line_solver.Exp(0.5 / len(weights)))
        for station in stations:
            station.setService(jobs, service or line_solver.Exp(1.0), *((weight,) if len(weights) > 1 else ()))
    if routing is None:
        model.link(line_solver.Network.serial_routing([source, *stations, sink]))
    else:
        router = line_solver.Router(model, "router")
        model.addLink(source, router)
        for station in stations:
            model.addLink(router, station)
            model.addLink(station, sink)
        router.setRouting(classes[0], *routing)
    options = {"seed": 1, "samples": 100_000} | options if solver == "LDES" else options
    made = getattr(line_solver, f"Solver{solver}")(model, verbose=False, **options)
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = made.getAvgTable()
    table = table if hasattr(table, "columns") else table.data
    return table[table["Station"] == "queue 0"]["RespT"].to_numpy(float), made


def line_quantile():
    """The fluid solver's, of a queue M/M/1 whose quantile is known; and whether the simulator's can be had."""
    _, made = line(solver="Fluid")
    found = np.array(made.getCdfRespT()[1][0])
    quantile = found[np.abs(found[:, 0] - 0.9).argmin(), 1]
    with contextlib.redirect_stdout(io.StringIO()):
        return 0.2 < 1 - quantile / (math.log(10) / 0.5) < 0.3 and refused(line()[1].getCdfRespT)


def six_by_line():
    """What mean value analysis says of six groups breaks the conservation law; the chain does not come to an end."""
    groups = {"policy": "DPS", "weights": range(1, 7), "arrivals": _exponential(0.1)}
    times, _ = line(solver="MVA", **groups)
    return 0.1 * times.sum() > 1.2 * 0.6 / 0.4 and refused(line, solver="CTMC", cutoff=8, timeout=20, **groups)


def _exponential(rate):
    import line_solver

    return line_solver.Exp(rate)


def line_solver():
    """What LINE can be asked."""
    if importlib.util.find_spec("line_solver") is None:
        return {}
    import line_solver as they

    routes = they.RoutingStrategy

    def queues(number, *routing):
        return line(_exponential(0.8 * number), routing=routing, queues=number)[0]

    def said(word):
        return [name for name in dir(they.SolverLDES) if word in name.lower().replace("_", "")]

    methods = [one for one in vars(they.Queue).values() if inspect.isfunction(one)]
    bare = [
        one for one in methods
        if any(p.annotation is p.empty for name, p in inspect.signature(one).parameters.items() if name != "self")
    ]  # fmt: skip
    return {
        "sizes from data, with weights": (
            PART, "`Replayer` plays data in their order; its simulator refuses `EmpiricalCDF` and `DiscreteSampler`",
            lambda: line(service=they.Replayer([0.5, 1.0, 1.5]))[0] > 0
            and refused(line, service=they.EmpiricalCDF([0.5, 1.5], [0.5, 1.0]))
            and refused(line, service=they.DiscreteSampler([0.5, 0.5], [0.5, 1.5])),
        ),
        "renewal arrivals": (YES, "any distribution", lambda: line(they.Det(2.0))[0] < 1.5),
        "Markov-modulated arrivals, three states": (
            YES, "`MMPP`",
            lambda: line(they.MMPP([[-0.1, 0.1, 0], [0, -0.1, 0.1], [0.1, 0, -0.1]], [0.2, 0.5, 0.8]))[0] > 2,
        ),
        "a rate that varies by the hour": (
            YES, "`NHPP`", lambda: line(they.NHPP([0.0, 12.0, 24.0], [0.7, 0.3]))[0] > 2
        ),
        "batches": (YES, "`BMAP`", lambda: line(they.BMAP([[[-0.4]], [[0.2]], [[0.2]]]))[0] > 2),
        "quantiles of response times, with intervals": (
            PART, "the fluid solver's is a quarter off for M/M/1; the simulator wants a Java archive it could not get",
            line_quantile,
        ),
        "slowdowns": (NO, "the simulator has no method for them", lambda: not said("slowdown")),
        "mean response times by size": (NO, "the simulator has no method for them", lambda: not said("bysize")),
        "runs until intervals are narrow enough": (
            YES, "`cnvgon`, `cnvgtol`", lambda: line(samples=2_000_000, cnvgon=True, cnvgtol=0.02)[0] > 0
        ),
        "warm-up found by the run": (YES, "MSER-5", lambda: they.LDESOptions().tranfilter == "mser5"),
        "JSQ(2), drawn with and without replacement": (
            PART, "`SQ` with d; without replacement",
            lambda: (queues(2, routes.SQ, 2) == queues(2, routes.JSQ)).all() and queues(4, routes.SQ, 2) > 0,
        ),
        "a dispatch rule that sees the size": (
            PART, "none that sends jobs; local ones such as `SRPT` do",
            lambda: line(policy="SRPT")[0] < 1.6 and not [one for one in dir(routes) if "SIZE" in one or "SITA" in one],
        ),
        "DPS with weights, simulated": (
            YES, "`DPS`", lambda: np.diff(line(policy="DPS", weights=(1, 5))[0]) < 0
        ),
        "exact means of DPS, six groups": (
            PART, "MVA answers and breaks the conservation law; the chain comes to no end", six_by_line
        ),
        "results that compare, are kept and repeated": (
            PART, "tables of pandas, the same from the same seed; they do not know what was asked",
            lambda: (line()[0] == line()[0]).all(),
        ),
        "annotated, and marked so": (
            PART, "no `py.typed`; a part of the methods is annotated",
            lambda: not marked("line_solver") and 0 < len(bare) < len(methods),
        ),
    }  # fmt: skip


# stochastic_matching ------------------------------------------------------------------------------------------------


def stochastic_matching():
    """What stochastic_matching can be asked: of items that wait for each other, and are not served."""
    if importlib.util.find_spec("stochastic_matching") is None:
        return {}
    import stochastic_matching as they

    def matching(**more):
        made = they.Longest(they.CycleChain(rates=[2, 2.1, 1.1, 1]), n_steps=20_000, seed=1, **more)
        made.run()
        return made

    def without(name):
        return lambda: refused(matching, **{name: 1}) and matching().delay > 0

    alone = "arrivals are Poisson, in classes with a rate each"
    items = "items are matched at once, and have no size"
    return {
        "sizes from data, with weights": (NO, items, without("sizes")),
        "renewal arrivals": (NO, alone, without("arrivals")),
        "Markov-modulated arrivals, three states": (NO, alone, without("arrivals")),
        "a rate that varies by the hour": (NO, alone, without("arrivals")),
        "batches": (NO, alone, without("arrivals")),
        "quantiles of response times, with intervals": (
            NO, "mean delays, and the distribution of how many wait", lambda: matching().ccdf.shape[0] == 4
        ),
        "slowdowns": (NO, items, without("records")),
        "mean response times by size": (NO, items, without("records")),
        "runs until intervals are narrow enough": (NO, "so many arrivals", without("until")),
        "warm-up found by the run": (NO, "all that is simulated counts", without("warmup")),
        "JSQ(2), drawn with and without replacement": (
            NO, "policies choose among matches, not among queues", lambda: not hasattr(they, "JSQ")
        ),
        "a dispatch rule that sees the size": (NO, items, without("sizes")),
        "DPS with weights, simulated": (NO, items, without("weights")),
        "exact means of DPS, six groups": (NO, items, lambda: not hasattr(they, "DPS")),
        "results that compare, are kept and repeated": (
            PART, "the same from the same seed; results cannot be pickled, and do not compare",
            lambda: matching().delay == matching().delay
            and matching() != matching()
            and refused(pickle.dumps, matching()),
        ),
        "annotated, and marked so": (
            NO, "no `py.typed`, no annotations", lambda: not marked("stochastic_matching") and all(
                one.annotation is one.empty for one in inspect.signature(they.Simulator.__init__).parameters.values()
            ),
        ),
    }  # fmt: skip


PACKAGES = {"ciw": ciw, "line-solver": line_solver, "stochastic-matching": stochastic_matching}


def rows(record=False):
    """Yield a row for each feature of each package; keep them if every trial came out."""
    found, failed = [], []
    for package, entries in PACKAGES.items():
        told = entries()
        if not told:
            failed.append(package)
            yield Row(f"{package}: not installed", "")
            continue
        for feature in OURS:
            has, how, trial = told[feature]
            if not came_out(trial):
                failed.append(feature)
                yield Row(f"{package}, {feature}: the trial did not come out", "")
                continue
            version = importlib.metadata.version(package)
            found.append({"package": package, "version": version, "feature": feature, "has": has, "how": how})
            yield Row(f"{package}, {feature}", has)
    if record and not failed:
        with open(TABLE, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(found[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(found)
