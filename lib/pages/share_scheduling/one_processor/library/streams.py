"""Arrival processes: what they say, and what they do to a line."""

import math

import numpy as np
from scipy import linalg

from clustershare import arrivals as streams
from clustershare import sizes, uniprocessor
from clustershare.results import NoExactAnswer
from compendium.press.clauses import cases, equalities, everywhere, fact
from compendium.press.clauses.conditions import agrees
from pages.agreement import gap
from pages.share_scheduling.one_processor.library.shared import ROUNDING, RUN, solved
from pages.share_scheduling.one_processor.simulated import estimates


def by_phase(rates, switching, load, most=90):
    """Mean number in a queue with one server whose Poisson arrivals depend on a phase: its chain, service rate 1."""

    def moves(state):
        phase, jobs = state
        yield from ((rate, (to, jobs)) for to, rate in enumerate(switching[phase]) if rate)
        if jobs < most and rates[phase]:
            yield load * rates[phase], (phase, jobs + 1)
        if jobs:
            yield 1.0, (phase, jobs - 1)

    states, law, _ = solved((0, 0), moves)
    return law @ np.array(states)[:, 1]


def by_hours(rates, durations, load, most=60):
    """The same where phases take turns, each of a constant time, by matrix exponentials."""
    start, jobs, parts = np.eye(most), np.arange(most), []
    for rate, time in zip(rates, durations):
        Q = np.diag(np.full(most - 1, load * rate), 1) + np.diag(np.ones(most - 1), -1)
        Q -= np.diag(Q.sum(axis=1))
        wide = np.zeros((2 * most, 2 * most))
        wide[:most, :most], wide[:most, most:] = Q * time, np.eye(most) * time
        both = linalg.expm(wide)
        parts.append((start, both[:most, most:]))
        start = start @ both[:most, :most]
    law = np.linalg.solve((start.T - np.eye(most) + 1), np.ones(most))
    return sum(law @ before @ spent @ jobs for before, spent in parts) / sum(durations)


def renewal(transform, load):
    """Mean number in GI/M/1 with service rate 1, from the transform of the times between arrivals, of mean 1."""
    sigma = 0.5
    for _ in range(500):
        sigma = transform((1 - sigma) / load)
    return load / (1 - sigma)


def on_arrivals():
    """Processes: what they say, and what they do to a line."""
    load, law = 0.6, sizes.Hyperexponential((0.4, 2.4), (0.7, 0.3))
    switching = ((0, 0.3, 0.1), (0.2, 0, 0.5), (0.9, 0.4, 0))
    balance = np.array(switching).T - np.diag(np.sum(switching, axis=1))
    stationary = np.linalg.solve(np.vstack([balance[:2], np.ones(3)]), [0, 0, 1])
    rates = np.array([0.3, 1.1, 2.6])
    rates /= stationary @ rates
    modulated = streams.MarkovModulated(rates.tolist(), switching)
    batches = (0.5, 0.2, 0.0, 0.3)
    mean = sum(k * p for k, p in enumerate(batches, 1))
    more = sum(k * (k - 1) * p for k, p in enumerate(batches, 1))
    at_once = load * (1 + more / 2 / mean) / (1 - load)
    of_law = renewal(lambda s: 0.7 / (1 + 0.4 * s) + 0.3 / (1 + 2.4 * s), load)
    listed = (
        (streams.Renewal(sizes.Deterministic(1.0)), renewal(lambda s: math.exp(-s), load)),
        (law, of_law),
        (modulated, by_phase(rates, switching, load)),
        (streams.Bursts((0.5, 3.0), (4.0, 1.0)), by_phase((0.5, 3.0), ((0, 0.25), (1, 0)), load)),
        (streams.Periodic((1.5, 0.25, 1.0), (3.0, 2.0, 1.0)), by_hours((1.5, 0.25, 1.0), (3.0, 2.0, 1.0), load)),
        (streams.Batches(batches), at_once),
        (streams.Batches((1.0,), law), of_law),
    )
    expected, found = [], []
    for number, (process, jobs) in enumerate(listed):
        for policy in ("FCFS", "PS"):
            result = uniprocessor.simulate(policy, (0.3, 0.7), (0.2, 0.4), arrivals=process, **RUN, seed=number)
            expected += [[jobs / 3, jobs / 1.5], [0.2, 0.4]]
            found += [result.mean_jobs, result.obtained_share]
    yield everywhere("lines of arrivals of any process, less what is exact,", estimates(expected, found, 30), agrees())
    parts = modulated.phases()
    chances = np.array(switching) / np.sum(switching, axis=1)[:, None]
    gaps = {
        "laws of phases and their balance": gap(modulated.stationary_law(), stationary)
        + gap(parts[0], rates) + gap(parts[1], 1 / np.sum(switching, axis=1))
        + gap(parts[2], np.vstack([chances, stationary])),
        "means of batches and theirs": gap(streams.Batches(batches).mean, mean),
        "rates of bursts and theirs": gap(streams.Bursts((0.5, 3.0), (4.0, 1.0)).switching, (0.25, 1.0)),
    }  # fmt: skip
    yield from equalities({what: cases("process", [far]).measure(float) for what, far in gaps.items()}, ROUNDING)
    refused = 0
    for policy in uniprocessor.POLICIES:
        try:
            uniprocessor.exact(policy, (0.3, 0.7), (0.2, 0.4), arrivals=law)
        except NoExactAnswer:
            refused += 1
    yield fact(
        "no exact answer is of other arrivals than Poisson", refused == 7, "an exact answer is of other arrivals"
    )
