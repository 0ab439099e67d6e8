"""Claims about slips of `balanced`, and about places where it must be read twice."""

import numpy as np

from clustershare import multiserver
from clustershare.multiserver import CompatibilityGraph
from compendium.press.findings import check, equality, finding, relative_difference
from pages.balanced_fairness.systems import LOADS, random_graphs


@check("balanced-043", own=0.5)
def two_servers_or_three(own=0.0):
    """Figure 2 with mu_2 = 0 by (10)-(11), and as two servers by the recursion."""
    two, gap = CompatibilityGraph([{0, 1}, {1}], [1, 1]), 0.0
    for load in LOADS:
        fair = multiserver.balanced_fairness(two, [load, load]).mean_service_rate
        gap = max(gap, relative_difference(multiserver.three_server_service_rates([1, own, 1], [load, load]), fair))
    return equality(gap, 1e-12)


def misplaced_servers(events=400, release="all", position=0):
    """Random events of Algorithm 1 as printed: after how many of them some server serves a wrong job."""
    rng, wrong = np.random.default_rng(9), 0
    for graph, _ in random_graphs().cases:
        compatible, a, queue = graph.servers_of_class, [None] * graph.servers, []  # a_s, and the class of each job
        for _ in range(events):
            event = int(rng.integers(-2, graph.servers))
            if event < 0:
                i = int(rng.integers(graph.classes))
                queue.append(i)
                for s in compatible[i]:
                    a[s] = i if a[s] is None else a[s]
            elif a[event] in queue:  # not so for an idle server, nor, in the control, for one that was left behind
                i = a[event]
                k = [place for place, other in enumerate(queue) if other == i][position]
                queue.pop(k)
                queue += [i] * int(rng.integers(2))  # the timer, or a departure
                for s in compatible[i] if release == "all" else [event]:
                    a[s] = None if a[s] == i else a[s]
                for other in queue[k:]:
                    for s in set(compatible[other]) & set(compatible[i]):
                        a[s] = other if a[s] is None else a[s]
            # Section 2: the first job in the queue that the server may serve.
            first = [next((i for i in queue if s in compatible[i]), None) for s in range(graph.servers)]
            wrong += a != first
    return wrong


@check("balanced-046", release="the server of the timer")
def classes_name_jobs(release="all"):
    """Algorithm 1 as printed; the control takes the inner s for the server whose timer expired."""
    wrong = misplaced_servers(release=release)
    return finding(f"a wrong job in service after {wrong} of 8000 events", wrong == 0)


@check("balanced-047", position=-1)
def position_of_the_job(position=0):
    """Algorithm 1 with the first job of the class; the control takes the last."""
    wrong = misplaced_servers(position=position)
    return finding(f"a wrong job in service after {wrong} of 8000 events", wrong == 0)
