"""Two groups with promises on 2, 3 and 10 servers: the systems of "One plane for all policies", and their points."""

import pandas as pd

from clustershare import dispatch, interruptions, multiserver, uniprocessor
from clustershare.design import own_and_shared
from clustershare.multiserver import CompatibilityGraph
from clustershare.sizes import ErlangMixture, Exponential, Pareto, bimodal_hyperexponential, zipf_phases
from compendium import study

SHARES = (0.6, 0.4)  # promised; both groups bring the same load, so that the second brings more than its part
PROCESSORS, LOADS = (2, 3, 10), (0.5, 0.7, 0.9)
INTERRUPTIONS = (0, 1, 5)
FEW, MANY = 0.3, 2.0  # of a fidelity's jumps: central policies are many points, and lines of jobs vary more
CENTRAL = (
    *((policy, local, False) for policy in ("JSQ", "HP", "SVP", "DVP") for local in ("PS", "GPPS")),
    ("JSQ(2)", "GPPS", False), ("SPILL", "GPPS", False), ("JSQ", "PS", True),
)  # fmt: skip


def _zipf():
    """The `balanced` paper's third distribution in a unit of work that makes its mean 1."""
    law = zipf_phases()
    return ErlangMixture(1 / law.mean, law.phase_counts, law.probabilities)


LAWS = {  # mean 1, variances 1, 7.4, 8.8 and 2.3
    "exponential": Exponential(),
    "hyperexponential": bimodal_hyperexponential(),
    "Zipf": _zipf(),
    "Pareto": Pareto(1.0, 2.2),
}


def loads_of(load):
    """What the two groups bring."""
    return load / 2, load / 2


ALL_SERVERS = CompatibilityGraph([{0}, {0}], [1.0])  # every job may use every server: as one

GRAPHS = {"own": lambda processors: own_and_shared(SHARES, processors), "all": lambda processors: ALL_SERVERS}


def central(fidelity, processors=PROCESSORS, loads=LOADS):
    """Rows of the dynamic central policies of `thesis`, Chapter 5, of JSQ with migration, and of two more."""
    points = [
        {"processors": P, "load": load, "policy": policy, "local": local, "migration": migration, "law": law}
        for P in processors for load in loads for policy, local, migration in CENTRAL for law in LAWS
    ]  # fmt: skip
    return study.run(
        "across-central", dispatch.simulate_central, points,
        lambda load, law, **point: {
            **point, "required_shares": SHARES, "loads": loads_of(load), "sizes": LAWS[law],
        }, fidelity=fidelity, part=FEW,
    )  # fmt: skip


def one_processor(fidelity, loads=LOADS):
    """Rows of the seven policies of `thesis`, Chapter 3: the whole cluster as one processor."""
    return study.run(
        "across-one-processor", uniprocessor.simulate,
        study.grid(load=loads, policy=uniprocessor.POLICIES, law=list(LAWS)),
        lambda load, policy, law: {
            "policy": policy, "required_shares": SHARES, "arrival_rates": loads_of(load), "sizes": LAWS[law],
        }, fidelity=fidelity, part=MANY,
    )  # fmt: skip


def algorithm(fidelity, processors=PROCESSORS, loads=LOADS, graph="own"):
    """Rows of Algorithm 1 of `balanced`, by its own simulator, and by the slower one that takes Pareto sizes too."""
    found = []
    for simulate, laws in ((multiserver.simulate, [*LAWS][:3]), (interruptions.simulate, [*LAWS][3:])):
        points = study.grid(processors=processors, load=loads, interruptions=INTERRUPTIONS, law=laws)
        points = [point for point in points if _stable(graph, point)]
        found.append(
            study.run(
                "across-algorithm", simulate, points,
                lambda processors, load, interruptions, law: {
                    "graph": GRAPHS[graph](processors), "arrival_rates": loads_of(load), "sizes": LAWS[law],
                    "interruptions": interruptions,
                }, fidelity=fidelity, part=MANY,
            )
        )  # fmt: skip
    return pd.concat(found, ignore_index=True)


def _stable(graph, point):
    return multiserver.is_stable(GRAPHS[graph](point["processors"]), loads_of(point["load"]))
