"""A claim of `ctmc`, Section 5.2, on Figure 3: why larger clusters are used less."""

from dataclasses import replace

import numpy as np

from compendium.press.clauses import aside, at_each, conclude, exact
from compendium.press.clauses import measured as points
from compendium.press.clauses.conditions import larger
from compendium.press.findings import check
from pages.cluster_chain.domains import CURVES, measured, same
from pages.cluster_chain.paths import IS_PASSED, follow
from pages.cluster_chain.systems import figure_3

LARGER = (2, 4, 8, 16)
JOBS, PATHS = 2500, 8  # accepted in each path, about


def of_one_server(cluster):
    """Jobs that take one server each: a wrong system, in which none waits for more than are idle."""
    return replace(cluster, job_sizes={1: 1.0})


@check("ctmc-048", system=of_one_server)
def waiting_for_servers(system=same):
    """How much of the fall of the utilisation vanishes where smaller jobs pass one that does not fit."""
    gain, half, fall = np.zeros((3, len(LARGER), len(CURVES)))
    for column, rate in enumerate(CURVES):
        one = measured(system(figure_3(1, rate)))["utilisation"]
        for row, servers in enumerate(LARGER):
            cluster = system(figure_3(servers, rate))
            found = measured(cluster)
            arrivals = int(JOBS / (1 - found["blocking"]))
            passed = follow(cluster, IS_PASSED, arrivals=arrivals, warmup=arrivals // 4, replications=PATHS).utilisation
            place, fall[row, column] = (row, column), one - found["utilisation"]
            gain[place], half[place] = passed.value - found["utilisation"], passed.half_width
    axes = {"N": LARGER, "arrival rate": CURVES}
    return conclude(
        at_each("what the utilisation gains if small jobs may pass, less half of what it falls by,",
                points(gain - fall / 2, half, runs=PATHS, **axes), larger()),
        *(
            aside(f"at {rate} arrivals per second, the part of the fall that vanishes",
                  exact(gain[:, k] / fall[:, k], N=LARGER))
            for k, rate in enumerate(CURVES) if rate in (1, 1000)
        ),
    )  # fmt: skip
