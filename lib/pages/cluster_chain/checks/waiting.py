"""A claim of `ctmc`, Section 5.2, on Figure 3: why larger clusters are used less."""

from dataclasses import replace

import numpy as np

from compendium.press.findings import check, over_domain
from pages.cluster_chain.domains import CURVES, listed_where, measured, same
from pages.cluster_chain.paths import IS_PASSED, follow
from pages.cluster_chain.systems import figure_3

LARGER = (2, 4, 8, 16)
JOBS = 2500  # accepted in each path, about


def of_one_server(cluster):
    """Jobs that take one server each: a wrong system, in which none waits for more than are idle."""
    return replace(cluster, job_sizes={1: 1.0})


@check("ctmc-048", system=of_one_server)
def waiting_for_servers(system=same):
    """How much of the fall of the utilisation vanishes where smaller jobs pass one that does not fit."""
    holds, parts = np.zeros((len(LARGER), len(CURVES)), bool), np.zeros((len(LARGER), len(CURVES)))
    for column, rate in enumerate(CURVES):
        one = measured(system(figure_3(1, rate)))["utilisation"]
        for row, servers in enumerate(LARGER):
            cluster = system(figure_3(servers, rate))
            found = measured(cluster)
            arrivals = int(JOBS / (1 - found["blocking"]))
            passed = follow(cluster, IS_PASSED, arrivals=arrivals, warmup=arrivals // 4, replications=8).utilisation
            fall = one - found["utilisation"]
            gain, width = passed.value - found["utilisation"], passed.half_width
            holds[row, column] = gain - width > fall / 2
            parts[row, column] = gain / fall
    told = "; ".join(
        f"N = {servers}: at {listed_where(line, CURVES)} ({part[0]:.2f} of the fall at 1, {part[-1]:.2f} at 1000)"
        for servers, line, part in zip(LARGER, holds, parts, strict=True)
    )
    return over_domain(f"more than half of the fall vanishes: {told} arrivals per second", holds)
