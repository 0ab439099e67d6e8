"""Paths of small systems, step by step: what the checks of `thesis`, Chapter 1, simulate."""

import numpy as np
from scipy.stats import t

from compendium.press.clauses import measured


def interval(samples, level=0.99):
    """Mean and half width over the first axis, from independent samples or batches."""
    samples = np.asarray(samples, dtype=float)
    half = t.ppf((1 + level) / 2, len(samples) - 1) * samples.std(axis=0, ddof=1) / np.sqrt(len(samples))
    return samples.mean(axis=0), half


def averaged(samples, **axes):
    """Points of the means over the first axis, of independent samples or batches."""
    mean, half = interval(samples, 0.95)
    return measured(mean, half, runs=len(samples), **axes)


def routed(chosen, service_rates, arrival_rate, *, copies=200, steps=6000, seed=1):
    """Mean numbers of jobs in copies of a system of processors, each over a path of its own.

    Parameters
    ----------
    chosen : ndarray of int
        The processor of an arriving job in each state, as `clustershare.routing.choices` gives it.
    service_rates : sequence of float
    arrival_rate : float
    copies, steps, seed : int
        Events of each path, a third of which are not counted.

    Returns
    -------
    ndarray, shape (copies,)
    """
    rng, processors = np.random.default_rng(seed), len(service_rates)
    rates = np.append(service_rates, arrival_rate)
    jobs, area, rows = np.zeros((copies, processors), dtype=int), np.zeros(copies), np.arange(copies)
    most = np.array(chosen.shape) - 1
    for step in range(steps):
        kind = np.searchsorted(np.cumsum(rates) / rates.sum(), rng.random(copies), side="right")
        arriving = kind == processors
        place = np.where(arriving, chosen[tuple(np.minimum(jobs, most).T)], kind)
        jobs[rows, place] = np.maximum(jobs[rows, place] + np.where(arriving, 1, -1), 0)
        if step >= steps // 3:
            area += jobs.sum(axis=1)
    return area / (steps - steps // 3)


def transferred(location, loads, threshold, probes, *, transfers=1, batches=8, warm=3, length=10.0, seed=1):
    """Mean response times of batches where a job that finds a long queue is moved: see `clustershare.routing`.

    Parameters
    ----------
    location, threshold, probes, transfers
        As of `clustershare.routing.transfer_response_time`.
    loads : ndarray
        Of each processor.
    batches, warm : int
        That count, and before them.
    length : float
        Of a batch, in mean services.
    seed : int
    """
    rng, processors = np.random.default_rng(seed), len(loads)
    rate = loads.sum() + processors
    events = int(length * rate)
    queues, total, means = [0] * processors, 0, []
    homes = np.cumsum(loads) / loads.sum()
    looks = transfers if location == "Random" else probes
    for batch in range(batches + warm):
        arriving = (rng.random(events) * rate < loads.sum()).tolist()
        home = np.searchsorted(homes, rng.random(events)).tolist()
        served = rng.integers(processors, size=events).tolist()
        probed = rng.integers(processors, size=(events, looks)).tolist()
        area = 0
        for event in range(events):
            if arriving[event]:
                place = home[event]
                if queues[place] >= threshold:
                    if location == "Random":
                        for place in probed[event]:
                            if queues[place] < threshold:
                                break
                    else:
                        fit = [other for other in probed[event] if queues[other] < threshold]
                        if fit:
                            place = fit[0] if location == "Threshold" else min(fit, key=queues.__getitem__)
                queues[place] += 1
                total += 1
            elif queues[served[event]]:
                queues[served[event]] -= 1
                total -= 1
            area += total
        if batch >= warm:
            means.append(area / events / loads.sum())
    return np.array(means)


def crowded(load, threshold, limit, cost, *, processors=20, copies=8, length=60.0, seed=1):
    """Drifts of the number of jobs a processor, from long queues on, where long queues move jobs on at random.

    Parameters
    ----------
    load : float
    threshold : int
    limit : int or None
        Moves of a job, after which it stays wherever it is.
    cost : float
        Mean time of a processor for a move, which comes before all service. If it is 0 and there is no limit, a job
        that finds all queues long goes round until one is not.
    processors, copies, length, seed
        A quarter of the length is not counted.

    Returns
    -------
    ndarray, shape (copies,)
    """
    drifts = []
    quickest = 1 / cost if cost else 1.0
    for copy in range(copies):
        rng = np.random.default_rng([seed, copy])
        queues, moving, roaming = [threshold + 60] * processors, [[] for _ in range(processors)], 0
        rate = processors * (load + quickest)
        events = int(length * rate)
        places, others = (rng.integers(processors, size=events).tolist() for _ in range(2))
        kinds = (rng.random(events) * (load + quickest)).tolist()
        for event, (place, other, kind) in enumerate(zip(places, others, kinds)):
            if event == events // 4:
                before = sum(queues) + sum(map(len, moving)) + roaming
            moved = 0
            if kind >= load:  # something ends
                if moving[place]:
                    moved, place = moving[place].pop() + 1, other
                else:
                    if queues[place] and (kind - load) < 1:
                        queues[place] -= 1
                        if roaming and queues[place] < threshold:
                            queues[place] += 1
                            roaming -= 1
                    continue
            if queues[place] < threshold or (limit is not None and moved >= limit):
                queues[place] += 1
            elif cost:
                moving[place].append(moved)
            elif limit is None:
                if min(queues) < threshold:
                    queues[queues.index(min(queues))] += 1
                else:
                    roaming += 1
            else:
                for _ in range(limit):
                    place = int(rng.integers(processors))
                    if queues[place] < threshold:
                        break
                queues[place] += 1
        drifts.append((sum(queues) + sum(map(len, moving)) + roaming - before) / processors / length / 0.75)
    return np.array(drifts)
