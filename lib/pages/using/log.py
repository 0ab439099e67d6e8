"""The log of a cluster that nobody owns: four weeks of three groups, drawn from a published model, as a log."""

import gzip

import numpy as np

from clustershare.workload import Workload, lublin_feitelson
from compendium import places

PATH = places.ROOT / "data" / "logs" / "three-groups.swf.gz"
SERVERS, WIDEST, DAYS = 40, 16, 28
GROUPS = ("physics", "biology", "chemistry")
PROMISED = (0.5, 0.3, 0.2)
KEPT = (0.8, 0.43, 0.53)  # of what the model draws for each group, so that chemistry brings more than its part
BEGINS = 1735776000  # Thursday, 2 January 2025, 0 o'clock
HEADER = f"""; Version: 2.2
; Computer: none; drawn from the model of Lublin and Feitelson (2003), a stream for each of three groups
; Note: jobs of up to {WIDEST} servers, thinned; estimates are the run times times a factor drawn from 1 to 5
; MaxProcs: {SERVERS}
; UnixStartTime: {BEGINS}
; Group: 1 physics
; Group: 2 biology
; Group: 3 chemistry
"""


def text():
    """The log, as the Standard Workload Format writes it: the same bytes each time.

    Returns
    -------
    str
        A line for each job: number, arrival, wait (unknown), run time, servers, two unknowns, servers asked for,
        estimate, an unknown, completed, user and group, and unknowns.
    """
    parts = []
    for group, kept in enumerate(KEPT):
        rng = np.random.default_rng(2003 + group)
        jobs = lublin_feitelson(9000, seed=2003 + group)
        which = (jobs.servers <= WIDEST) & (jobs.arrivals < 86400 * DAYS) & (rng.random(len(jobs)) < kept)
        sizes = np.maximum(np.round(jobs.sizes[which]), 1)
        factor = rng.uniform(1, 5, len(sizes))
        parts.append([
            np.floor(jobs.arrivals[which]), sizes, jobs.servers[which], np.ceil(sizes * factor / 60) * 60,
            np.full(len(sizes), group + 1),
        ])  # fmt: skip
    columns = np.concatenate(parts, axis=1).astype(int)
    columns = columns[:, np.argsort(columns[0], kind="stable")]
    lines = [
        f"{number} {came} -1 {size} {servers} -1 -1 {servers} {estimate} -1 1 {group} {group} -1 -1 -1 -1 -1\n"
        for number, (came, size, servers, estimate, group) in enumerate(columns.T.tolist(), 1)
    ]
    return HEADER + "".join(lines)


def write(path=PATH):
    """Write the log, compressed; the file tells no time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text().encode(), 9, mtime=0))


def node_by_node(workload):
    """Each job of n servers as n jobs of one server that arrive together: what a scheduler of nodes sees.

    Examples
    --------
    >>> jobs = node_by_node(Workload([0, 5], [3, 4], servers=[1, 2]))
    >>> jobs.arrivals, jobs.sizes
    (array([0., 5., 5.]), array([3., 4., 4.]))
    """
    each = workload.servers
    return Workload(*(np.repeat(values, each) for values in (workload.arrivals, workload.sizes, workload.groups)),
                    names=workload.names, estimates=np.repeat(workload.estimates, each))  # fmt: skip
