"""The names under which stored results know the models: a closed list.

A stored point names its simulator and the classes of its arguments as they stand here, wherever their code lives; its
key and its seed are made of these names, so that moving a file moves no random number. Nothing else can be named.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from typing import Any

from clustershare.arguments import one_of

SIMULATORS = {
    "cluster_chain.simulate": "clustershare.cluster_chain.simulator:simulate",
    "cluster_variants.simulate_energy": "clustershare.cluster_variants.energy:simulate_energy",
    "cluster_variants.simulate_priority": "clustershare.cluster_variants.priority:simulate_priority",
    "dispatch.simulate_central": "clustershare.dispatch.central:simulate_central",
    "dispatch.simulate_central_beside_queue":
        "clustershare.dispatch.beside_queue:simulate_central_beside_queue",
    "dispatch.simulate_distributed": "clustershare.dispatch.distributed:simulate_distributed",
    "dispatch.simulate_network": "clustershare.dispatch.network_alone:simulate_network",
    "interruptions.simulate": "clustershare.interruptions.simulator:simulate",
    "multiserver.simulate": "clustershare.multiserver.simulator:simulate",
    "multiserver.simulate_assignment_beside_processor_sharing":
        "clustershare.multiserver.beside_assignment:simulate_assignment_beside_processor_sharing",
    "multiserver.simulate_beside_balanced_fairness":
        "clustershare.multiserver.beside:simulate_beside_balanced_fairness",
    "uniprocessor.simulate": "clustershare.uniprocessor.events:simulate",
}
REPLAYS = {  # of logs that are drawn: they take a run length too, whose jumps are jobs, and its replications logs
    "workload.cluster": "clustershare.workload.drawn:cluster",
    "workload.dispatch": "clustershare.workload.drawn:dispatch",
    "workload.servers": "clustershare.workload.drawn:servers",
}
CLASSES = {
    "arrivals.Batches": "clustershare.arrivals:Batches",
    "arrivals.MarkovModulated": "clustershare.arrivals:MarkovModulated",
    "arrivals.Periodic": "clustershare.arrivals:Periodic",
    "arrivals.Renewal": "clustershare.arrivals:Renewal",
    "cluster_chain.Bursts": "clustershare.cluster_chain:Bursts",
    "cluster_chain.ServiceCluster": "clustershare.cluster_chain:ServiceCluster",
    "cluster_variants.PriorityCluster": "clustershare.cluster_variants:PriorityCluster",
    "cluster_variants.SleepingCluster": "clustershare.cluster_variants:SleepingCluster",
    "multiserver.CompatibilityGraph": "clustershare.multiserver:CompatibilityGraph",
    "multiserver.RandomAssignment": "clustershare.multiserver:RandomAssignment",
    "sizes.Deterministic": "clustershare.sizes:Deterministic",
    "sizes.Empirical": "clustershare.sizes:Empirical",
    "sizes.ErlangMixture": "clustershare.sizes:ErlangMixture",
    "sizes.Exponential": "clustershare.sizes:Exponential",
    "sizes.Gamma": "clustershare.sizes:Gamma",
    "sizes.HyperErlang": "clustershare.sizes:HyperErlang",
    "sizes.Hyperexponential": "clustershare.sizes:Hyperexponential",
    "sizes.LogNormal": "clustershare.sizes:LogNormal",
    "sizes.Pareto": "clustershare.sizes:Pareto",
    "sizes.Weibull": "clustershare.sizes:Weibull",
}


def simulator(name: str) -> Callable[..., Any]:
    """The simulator, or the replay of logs, of that name.

    Raises
    ------
    ValueError
        If the list has no such name.

    Examples
    --------
    >>> simulator("multiserver.simulate").__name__
    'simulate'
    """
    return _found(place_of(name))


def place_of(name: str) -> str:
    """Where it stands, as ``module:name``; errors as of `simulator`.

    Examples
    --------
    >>> place_of("interruptions.simulate")
    'clustershare.interruptions.simulator:simulate'
    """
    every = SIMULATORS | REPLAYS
    return every[one_of("simulator", name, every)]


def value_class(name: str) -> type[Any]:
    """The class of that name; errors as of `simulator`.

    Examples
    --------
    >>> value_class("sizes.Exponential")(2.0)
    Exponential(mean=2.0)
    """
    return _found(CLASSES[one_of("class", name, CLASSES)])


def name_of(named: Any) -> str:
    """The name of a simulator or class.

    Raises
    ------
    ValueError
        If it has none.

    Examples
    --------
    >>> from clustershare import sizes
    >>> name_of(sizes.Pareto)
    'sizes.Pareto'
    """
    if not inspect.isclass(named):
        named = inspect.unwrap(named)  # what is public tells of short runs besides
    for name, place in {**SIMULATORS, **REPLAYS, **CLASSES}.items():
        # Only what is imported already can have been given.
        if place.rpartition(":")[2] == getattr(named, "__name__", None) and _found(place) is named:
            return name
    raise ValueError(
        "A stored point may name only the library's own simulators and classes "
        f"({', '.join([*SIMULATORS, *REPLAYS, *CLASSES])}); got {getattr(named, '__qualname__', named)!r}."
    )


def _found(place):
    module, _, attribute = place.partition(":")
    return getattr(importlib.import_module(module), attribute)
