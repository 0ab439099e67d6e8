"""The clusters that run on pages: the settings of each page's own example, and the library's numbers for them.

A mark holds what differs from the example (`when`) and what the library says there; `assets/live/controls.js` shows it
beside what the reader's machine measures. Of two policies side by side each has its mark.
"""

import itertools
from fractions import Fraction

import numpy as np

from clustershare import dispatch, multiserver, splitting, uniprocessor
from clustershare import interruptions as interrupted
from clustershare.cluster_chain import ServiceCluster, uniform_sizes
from clustershare.sizes import Exponential
from compendium import study
from pages.balanced_fairness import systems
from pages.share_scheduling.central import reached
from pages.share_scheduling.central.printed_rules import Rules
from pages.share_scheduling.one_processor.witnesses import paths

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
        every = [{**part[0], "name": key, "title": SHOWN[key]} for key, part in parts.items()]
        return every, parts["shortest_queue"][1]
    system, lanes = EXAMPLES[name]()
    return [system], lanes


def _plain(values):
    return [round(float(value), 6) for value in values]


def _of_shares(found, **when):
    """A mark from what the library says of shares."""
    mark = {"when": when, "deviation": _plain(found.group_share_deviation)}
    loss = getattr(found, "capacity_loss", None)
    return mark if loss is None else {**mark, "loss": round(float(loss), 6)}


def _stored(name, model, given, **when):
    """A mark from a point that is simulated and stored, with half widths of 95 % intervals."""
    points = study.grid(policy=["JSQ"])
    rows = study.run(name, model, points, lambda policy: {"policy": policy, **given}, fidelity="book")
    found = {quantity: rows[rows["quantity"] == quantity] for quantity in ("group_share_deviation", "capacity_loss")}
    value, half = (
        {"deviation": _plain(found["group_share_deviation"][of]), "loss": _plain(found["capacity_loss"][of])[0]}
        for of in ("estimate", "half_width")
    )
    return {"when": when, **value, "half": half}


def one_processor(policies, shares, loads, seed=1, speed=2):
    """Two policies of one processor, by `clustershare.uniprocessor.exact`."""
    settings = {"model": "one", "policy": policies[0], "shares": list(shares), "loads": list(loads), "seed": seed}
    marks = [_of_shares(uniprocessor.exact(policy, shares, loads), policy=policy) for policy in policies]
    system = {"settings": settings, "beside": policies[1], "marks": marks, "speed": speed}
    steps = paths.intervals(policies[0], shares, loads, events=400, seed=seed)
    for step in itertools.islice(steps, 40, None):
        if len(step.jobs) >= 4 and min(job.left for job in step.jobs) > 0.05:  # all are seen
            break
    return system, [[(job.group, job.left, step.rates.get(job, 0) > 0)] for job in step.jobs]


def dispatched(policy, shares, loads, processors, *, migration=False, beside=None, marks=(), speed=10, seed=1):
    """Processors behind somebody who sends each job to one of them; the still picture is from a path by the rules."""
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
    given = {"local": "PS", "migration": False, "required_shares": shares, "loads": loads, "processors": P}
    marks = [
        _of_shares(splitting.horizontal(shares, loads, (1 / P,) * P), policy="HPRS"),
        _stored("live-central", dispatch.simulate_central, given, policy="JSQ"),
    ]
    return dispatched("HPRS", shares, loads, P, beside="JSQ", marks=marks)


def shortest_queue():
    """The promise of the page's figures; with migration, so that all of it can be computed."""
    shares, loads, P = (0.7, 0.3), (0.4, 0.4), 10
    found = dispatch.shortest_queue_with_migration(shares, loads, P)
    return dispatched("JSQ", shares, loads, P, migration=True, marks=[_of_shares(found)], seed=2)


def static_vertical():
    """Three groups with a processor each, of which the first has nearly as much to do as it can."""
    shares, loads = (1 / 3,) * 3, (0.3, 0.15, 0.1)
    system = {"required_shares": shares, "loads": loads, "processors": 3, "migration": True}
    marks = [
        _of_shares(dispatch.exact_central("SVP", most_jobs=20, **system), policy="SVP"),
        _of_shares(dispatch.shortest_queue_with_migration(shares, loads, 3), policy="JSQ"),
    ]
    made, lanes = dispatched("SVP", shares, loads, 3, migration=True, beside="JSQ", marks=marks, speed=2, seed=3)
    made["settings"]["shares"] = list(shares)  # not rounded: they sum to 1
    return made, lanes


def life_of_a_job():
    """The network of the page's figure, whose messages are so slow that they are seen."""
    shares, loads, P = HALVES, (0.4, 0.4), 4
    given = {
        "local": "PS", "required_shares": shares, "loads": loads, "processors": P, "probe_limit": 2,
        "probe_service_time": 0.01, "migration_service_time": 0.2,
    }  # fmt: skip
    marks = [_stored("live-distributed", dispatch.simulate_distributed, given)]
    system, lanes = dispatched("JSQ", shares, loads, P, migration=True, marks=marks, speed=1, seed=3)
    system["settings"] |= {"model": "distributed", "probeLimit": 2, "probeTime": 0.01, "migrationTime": 0.2}
    return system, lanes


def served_together(sets, capacities, loads, size=None, *, beside, marks=(), interruptions=0, speed=5, seed=1):
    """Servers that share jobs, by Algorithm 1; the still picture has the jobs that they serve in some state."""
    settings = {
        "model": "servers", "policy": "algorithm", "interruptions": interruptions, "loads": _plain(loads), "seed": seed,
        "graph": {"serversOf": [list(own) for own in sets], "capacities": list(capacities)},
    }  # fmt: skip
    if size is not None:
        settings["size"] = size
    graph = multiserver.CompatibilityGraph(sets, capacities)
    events = interrupted.trace(graph, loads, Exponential(1.0), interruptions, events=200, seed=seed)
    event = next(event for event in events if len({one for _, one in event.queue}) == len(sets))  # all are there
    kinds, left = dict(event.queue), np.random.default_rng(seed).exponential(size=1000)
    serving = interrupted.served(graph, event.queue)
    lanes = [[] if job is None else [(kinds[job], float(left[job]), True)] for job in serving]
    return {"settings": settings, "beside": beside, "marks": list(marks), "speed": speed}, lanes


def fair(sets, capacities, loads, **when):
    """The mark of balanced fairness."""
    found = multiserver.balanced_fairness(multiserver.CompatibilityGraph(sets, capacities), loads)
    return {"when": when, "jobs": _plain(found.mean_jobs)}


def three_servers():
    """The page's system and its sizes b, at a load where interruptions matter: as they are stored for its figures."""
    load, size = 0.7, systems.paper_sizes()["b"]
    system = systems.three_servers(load, mean_size=size.mean)
    points = study.grid(letter=["b"], interruptions=[0, 1, 5], load=[load])
    rows = study.run(
        "three-servers", multiserver.simulate, points,
        lambda letter, interruptions, load: {**system, "sizes": size, "interruptions": interruptions}, fidelity="paper",
    )  # fmt: skip
    jobs = rows[rows["quantity"] == "mean_jobs"].groupby("interruptions")["estimate"]
    marks = [{"when": {"interruptions": int(m)}, "jobs": _plain(estimates)} for m, estimates in jobs]
    loads = np.multiply(system["arrival_rates"], size.mean)
    marks.append(fair([[0, 2], [1, 2]], (1.0,) * 3, loads, policy="balanced"))
    told = {"law": "hyperexponential", "means": list(size.means), "probabilities": list(size.probabilities)}
    return served_together([[0, 2], [1, 2]], (1.0,) * 3, loads, told, beside="5", marks=marks)


def round_robin():
    """The two computers and three classes of the page; with exponential sizes both are balanced fairness."""
    sets, capacities, loads = [[0], [0, 1], [1]], (1.0, 1.0), (0.5, 0.4, 0.3)
    marks = [fair(sets, capacities, loads), fair(sets, capacities, loads, policy="balanced")]
    return served_together(sets, capacities, loads, interruptions=5, beside="balanced", marks=marks, seed=2)


def cluster_chain():
    """The small cluster of the page; in the still picture are the jobs that run in its state by hand."""
    servers, places, arrivals, tracker, service = 4, 3, 30, 100, 10
    found = ServiceCluster(servers, places, uniform_sizes(servers), arrivals, tracker, service).solve()
    settings = {
        "model": "tracker", "processors": servers, "queue": places, "arrivalRate": arrivals, "trackerRate": tracker,
        "serviceRates": service, "sizes": {str(size): 1 / servers for size in range(1, servers + 1)}, "seed": 1,
    }  # fmt: skip
    mark = {
        "when": {}, "utilisation": found.utilisation, "blocking": found.blocking, "queue": found.mean_queue,
        "running": found.mean_jobs_in_service,
    }  # fmt: skip
    lanes = [[(0, 1.0, True)], [(1, 1.6, True)], [(1, 1.6, True)], []]
    return {"settings": settings, "beside": None, "marks": [mark], "speed": 2}, lanes


EXAMPLES = {
    made.__name__: made
    for made in (
        obtained_shares, no_groups, priorities, weighted_sharing, by_chance, shortest_queue, static_vertical,
        life_of_a_job, three_servers, round_robin, cluster_chain,
    )
}  # fmt: skip
SHOWN = {  # on the page of all, in this order
    "shortest_queue": "ten processors, and somebody who looks", "weighted_sharing": "one processor",
    "by_chance": "ten processors, by chance", "life_of_a_job": "processors that ask each other",
    "three_servers": "servers that share jobs", "cluster_chain": "a tracker, and jobs that take several servers",
}  # fmt: skip
