"""The library's distributed system beside a path of the plain event loop, on the same random numbers."""

import itertools

import numpy as np

from clustershare import dispatch
from clustershare.dispatch import distributed_kernel_parts as notes
from clustershare.dispatch.distributed_cluster import Cluster
from clustershare.dispatch.distributed_plan import plan_of
from clustershare.run_length import RunLength
from clustershare.sizes import Exponential
from compendium.press.clauses import cases, everywhere
from compendium.press.clauses.conditions import equal
from pages.share_scheduling.distributed.witnesses.event_loop import PrintedNetwork
from pages.share_scheduling.distributed.witnesses.parts import MESSAGES, REPLY

GRANTED = slice(notes.BY_RULE, notes.BY_RULE + 5)


def arguments(setting):
    """A system of the plain loop as arguments of `clustershare.dispatch.simulate_distributed`.

    Parameters
    ----------
    setting : parts.Setting
        What it changes must be one of the library's readings, or that all probe together.

    Returns
    -------
    dict
    """
    changed = [name for name in setting.changed if name != "together"]
    return {
        "policy": setting.policy, "required_shares": tuple(map(float, setting.shares)), "loads": setting.loads,
        "processors": setting.processors, "probe_limit": setting.limit, "probe_period": setting.period,
        "arrival_preference": setting.arrival, "probing_preference": setting.probing,
        "probe_service_time": setting.probe_time, "migration_service_time": setting.migration_time,
        "local": setting.local, "migration": setting.migration, "processor_capacity": setting.capacity,
        "period_spread": setting.spread, "probe_phases": "together" if "together" in setting.changed else "random",
        "gap": setting.gap, "sizes": None if setting.means is None else tuple(map(Exponential, setting.means)),
        "reading": changed[0] if changed else None,
    }  # fmt: skip


def library(setting, rng):
    """A system of the plain loop in the library, empty at first.

    Parameters
    ----------
    setting : parts.Setting
        As for `arguments`.
    rng : numpy.random.Generator

    Returns
    -------
    clustershare.dispatch.distributed_cluster.Cluster
    """
    return Cluster(plan_of(**arguments(setting)), rng)


def apart(path, rng):
    """By what the library is told apart from a path, after the first arrival or departure at which it is.

    Parameters
    ----------
    path : event_loop.PrintedNetwork
        Without the readings in which records are kept for longer.
    rng : numpy.random.Generator
        As it was when the path began.

    Returns
    -------
    list of str
    """
    setting, cluster = path.setting, library(path.setting, rng)
    P, tally = setting.processors, cluster.tally
    jobs, sent, waited = np.zeros((P, len(setting.shares)), int), dict.fromkeys(MESSAGES, 0), 0.0
    answers, told, records = {"grants": 0, "refuses": 0}, [None] * P, [{} for _ in range(P)]
    for now, events in itertools.groupby(path.events, key=lambda event: event.time):
        jumps = 0
        for event in events:
            p = event.processor
            jumps += event.what in ("arrives", "departs")
            if event.what in ("joins", "grants", "departs"):
                jobs[p, event.job.group] += 1 if event.what == "joins" else -1
            if event.what in answers:
                answers[event.what] += 1
            elif event.what == "sends":
                sent[event.message.kind] += 1
            elif event.what == "places":
                waited += now - event.job.came
            elif event.what == "receives" and event.message.kind == REPLY and event.probing is not told[p]:
                told[p], records[p] = event.probing, {}  # its replies replace what was known
            elif event.what == "records":
                other, _, row, _ = event.other
                records[p][other] = row
        if not jumps:
            continue
        cluster.run(jumps)
        same = {
            "time": abs(cluster.clock[0] - now) <= 1e-9,
            "jobs": (cluster.system.count[:, 1:] == jobs).all(),
            "messages": tally.count[notes.SENT : notes.SENT + 5].tolist() == list(sent.values()),
            "requests": [tally.count[GRANTED].sum(), tally.count[notes.REFUSED]] == list(answers.values()),
            "waits": abs(tally.sums[notes.WAITED] - waited) <= 1e-9 * max(waited, 1.0),
            "records": _records(cluster) == records,
        }
        if not all(same.values()):
            return [name for name, alike in same.items() if not alike]
    return []


def periods(setting, number, rng):
    """The lengths of that many probe periods, or a few more, as the library draws them: ndarray.

    Parameters
    ----------
    setting : parts.Setting
        In which processors probe periodically, and some hundred jobs come in a period.
    number : int
    rng : numpy.random.Generator
    """
    cluster, P, found = library(setting, rng), setting.processors, []
    between = int(0.4 * setting.period * 2 * cluster.plan.arrivals.sum())  # of two looks: nobody probes twice
    timers = cluster.tally.timers[len(cluster.tally.timers) // 2 :][:P]
    while sum(map(len, found)) < number:
        before = timers.copy()
        cluster.run(between)
        found.append((timers - before)[timers > before])
    return np.concatenate(found)


def answers_apart(setting, jumps, seed):
    """How far the simulator's answer is from the sums over time of the plain loop, on the same random numbers: float.

    Parameters
    ----------
    setting : parts.Setting
    jumps : int
        Arrivals and departures, from the empty system on.
    seed : int
    """
    run = RunLength(jumps=jumps, warmup=0, replications=1, seed=seed)
    path = PrintedNetwork(setting, run.generators()[0])
    path.run(jumps)
    able, used, *of_groups = np.array(path.integrals) / path.now
    feasible, obtained, number = np.reshape(of_groups, (-1, 3)).T
    told = {
        "capacity_loss": able - used, "feasible_share": feasible, "obtained_share": obtained, "mean_jobs": number,
        "group_share_deviation": (feasible - obtained) / np.array(setting.shares, float),
    }  # fmt: skip
    found = dispatch.simulate_distributed(**arguments(setting), jumps=jumps, warmup=0, replications=1, seed=seed)
    return max(np.abs(getattr(found, name).value - value).max() for name, value in told.items())


def shares(levels):
    """Of the library's levels or sums: f^T and o^T, then for each group f_g, o_g and the number of its jobs."""
    of_groups = levels[notes.GROUPS :].reshape(-1, 4)[:, [notes.FEASIBLE_PART, notes.OBTAINED_PART, notes.NUMBER]]
    return np.concatenate([levels[[notes.ABLE_TO_USE, notes.USED]], of_groups.ravel()])


def _records(cluster):
    """What the processors of the library know of others: as `event_loop.PrintedNetwork.records`."""
    known = cluster.records
    return [
        dict(zip(who[:number].tolist(), map(tuple, rows[:number].tolist())))
        for number, who, rows in zip(known.number, known.who, known.rows)
    ]


def taken(paths, rng_of):
    """A clause: the library takes paths of the plain loop; `rng_of` gives the generator of a path's setting."""
    alike = cases("path", paths).measure(lambda path: not apart(path, rng_of(path.setting)))
    return everywhere("the library takes the path of the plain loop", alike)


def answered(settings, jumps, seed):
    """A clause: the simulator answers what paths of the plain loop give over time; arguments as of `answers_apart`."""
    gaps = cases("path", settings).measure(lambda setting: answers_apart(setting, jumps, seed))
    return everywhere("what the simulator answers and the path's sums over time", gaps, equal(1e-9))
