"""The clusters that run on pages: the settings of each page's own example, and the library's numbers for them.

A mark holds what differs from the example (`when`) and what the library says there; `assets/live/controls.js` shows it
beside what the reader's machine measures. Of two policies side by side each has its mark.
"""

import itertools
from fractions import Fraction

import numpy as np

from clustershare import dispatch, multiserver, splitting, uniprocessor
from clustershare.cluster_chain import ServiceCluster, uniform_sizes
from compendium import study
from pages.balanced_fairness.systems import paper_sizes, three_servers
from pages.share_scheduling.central import reached
from pages.share_scheduling.central.printed_rules import Rules
from pages.share_scheduling.one_processor import paths

HALVES = (0.5, 0.5)


def example(name):
    """The systems that a page shows, and the lanes of its still picture.

    Parameters
    ----------
    name : str
        Of the page; "cluster" is all of them.

    Returns
    -------
    systems : list of dict
    lanes : list of list of tuple
        Group, work that is left, and whether it is served, of the jobs on each processor.

    Examples
    --------
    >>> systems, lanes = example("no_groups")
    >>> systems[0]["settings"]["loads"], systems[0]["marks"][0]["deviation"]
    ([0.2, 0.6], [0.1, -0.45])
    """
    if name == "cluster":
        parts = {key: EXAMPLES[key]() for key in SHOWN}
        systems = [{**part[0], "name": key, "title": SHOWN[key]} for key, part in parts.items()]
        return systems, parts["shortest_queue"][1]
    system, lanes = EXAMPLES[name]()
    return [system], lanes


def _plain(values):
    return [round(float(value), 6) for value in values]


def _of_shares(found, **when):
    """A mark from what the library says of shares."""
    mark = {"when": when, "deviation": _plain(found.group_share_deviation)}
    loss = getattr(found, "capacity_loss", None)
    return mark if loss is None else {**mark, "loss": round(float(loss), 6)}


def one_processor(policies, shares, loads, seed=1, speed=2):
    """Two policies of one processor, by `clustershare.uniprocessor.exact`."""
    settings = {"model": "one", "policy": policies[0], "shares": list(shares), "loads": list(loads), "seed": seed}
    marks = [_of_shares(uniprocessor.exact(policy, shares, loads), policy=policy) for policy in policies]
    system = {"settings": settings, "beside": policies[1], "marks": marks, "speed": speed}
    steps = paths.intervals(policies[0], shares, loads, events=400, seed=seed)
    for step in itertools.islice(steps, 40, None):
        if len(step.jobs) >= 4:
            break
    return system, [[(job.group, job.left, step.rates.get(job, 0) > 0)] for job in step.jobs]


def dispatched(policy, shares, loads, processors, *, migration=False, beside=None, marks=(), speed=10, seed=1):
    """Processors behind somebody who sends each job to one of them; the still picture is of a path by the printed rules."""
    settings = {
        "model": "dispatch", "policy": policy, "local": "PS", "migration": migration, "processors": processors,
        "shares": _plain(shares), "loads": list(loads), "seed": seed,
    }  # fmt: skip
    system = {"settings": settings, "beside": beside, "marks": list(marks), "speed": speed}
    rng = np.random.default_rng(seed)
    lanes = [
        [(group, float(rng.exponential()), True) for group, jobs in enumerate(row) for _ in range(jobs)]
        for row in _state(policy, shares, loads, processors, migration, seed)
    ]
    return system, lanes


def _state(policy, shares, loads, processors, migration, seed):
    """How many jobs of each group each processor has, after a while."""
    if policy in ("HPRS", "VPRS"):  # each processor by itself, and its number of jobs is geometric
        rng, load = np.random.default_rng(seed), sum(loads)
        numbers = rng.geometric(1 - load, processors) - 1
        return [rng.multinomial(jobs, np.divide(loads, load)) for jobs in numbers]
    rules = Rules(policy, tuple(Fraction(share).limit_denominator(100) for share in shares), processors, migration)
    *_, step = reached.path(rules, loads, 300, seed)
    return step.outcome.state


def obtained_shares():
    """Work is the same whoever is served, and who obtains it is not."""
    return one_processor(("FCFS", "PS"), HALVES, (0.35, 0.35), seed=2)


def no_groups():
    """Done by hand on the page."""
    return one_processor(("FCFS", "PS"), HALVES, (0.2, 0.6), seed=3)


def priorities():
    """Done by hand on the page."""
    return one_processor(("PQ", "HOL"), (0.6, 0.4), (0.5, 0.15), seed=4)


def weighted_sharing():
    """The promises done by hand on the page."""
    return one_processor(("PPS", "GPPS"), (0.6, 0.4), (0.3, 0.5), seed=5)


def by_chance():
    """Ten processors at the load at which most is lost, beside the shortest queue."""
    shares, loads, P = HALVES, (0.3, 0.3), 10
    mark = _of_shares(splitting.horizontal(shares, loads, (1 / P,) * P), policy="HPRS")
    return dispatched("HPRS", shares, loads, P, beside="JSQ", marks=[mark])


def shortest_queue():
    """The promise of the page's figures; with migration, so that all of it can be computed."""
    shares, loads, P = (0.7, 0.3), (0.4, 0.4), 10
    found = dispatch.shortest_queue_with_migration(shares, loads, P)
    return dispatched("JSQ", shares, loads, P, migration=True, marks=[_of_shares(found)], seed=2)


def static_vertical():
    """Three groups with a processor each, of which the first has nearly as much to do as it can."""
    shares, loads = (1 / 3,) * 3, (0.3, 0.15, 0.1)
    system = {"required_shares": shares, "loads": loads, "processors": 3, "migration": True}
    marks = [_of_shares(dispatch.exact_central("SVP", most_jobs=20, **system), policy="SVP")]
    made, lanes = dispatched("SVP", shares, loads, 3, migration=True, beside="JSQ", marks=marks, speed=3, seed=3)
    made["settings"]["shares"] = list(shares)  # not rounded: they sum to 1
    return made, lanes


EXAMPLES = {
    made.__name__: made
    for made in (obtained_shares, no_groups, priorities, weighted_sharing, by_chance, shortest_queue, static_vertical)
}
SHOWN = {
    "weighted_sharing": "one processor", "by_chance": "ten, by chance", "shortest_queue": "ten, and somebody looks",
}  # fmt: skip
