"""What clients of EEVDF are owed, in real time, beside the library's virtual time (`thesis`, Section 1.5.1)."""

import functools
import itertools

import numpy as np

from clustershare import proportional
from compendium.press.clauses import cases


class WithoutEligibility(proportional.EEVDF):
    """Of all requests, eligible or not, the one that is due first in virtual time."""

    def serve(self):
        due = {
            name: joined + (served + request) / weight
            for name, (weight, request, joined, served) in self.clients.items()
        }
        chosen = min(due, key=due.get)
        request = self.clients[chosen][1]
        self.virtual_time += request / sum(client[0] for client in self.clients.values())
        self.clients[chosen][3] += request
        self._note()
        return chosen


class Ledger:
    """What each client is owed, in real time: its weight over all weights, for as long as that is so.

    If the accounts are settled, what a client that goes has had too much or too little is shared out by weight among
    those that stay; a change of weight is going and coming back with the same account.
    """

    def __init__(self, settle):
        self.settle, self.owed, self.weights, self.worst = settle, {}, {}, 0.0

    def pass_time(self, time):
        total = sum(self.weights.values())
        for name, weight in self.weights.items():
            self.owed[name] += weight / total * time

    def share_out(self, amount):
        if self.settle and self.weights:
            self.pass_time(amount)

    def note(self):
        self.worst = max(self.worst, max(map(abs, self.owed.values())))

    def join(self, name, weight):
        self.owed[name], self.weights[name] = 0.0, weight

    def serve(self, name, size):
        """Time passes until somebody is owed something, then for the service."""
        total = sum(self.weights.values())
        idle = min(-self.owed[other] / weight * total for other, weight in self.weights.items())
        if idle > 1e-12:
            self.pass_time(idle)
            self.note()
        self.pass_time(size)
        self.owed[name] -= size
        self.note()

    def leave(self, name):
        del self.weights[name]
        self.share_out(self.owed.pop(name))
        if self.owed:
            self.note()

    def reweigh(self, name, weight):
        lag = self.owed[name]
        del self.weights[name]
        self.share_out(lag)  # among the others
        self.weights[name] = weight
        self.share_out(-lag)  # among all: accounts sum to 0 before and after
        self.note()


def clients(rng, law):
    """A weight and the length of requests, at most 1."""
    size = (rng.uniform(0.05, 1), rng.choice([0.05, 1.0]), min(1.0, 0.05 + rng.exponential(0.3)))[law]
    return 10 ** rng.uniform(-1, 1), float(size)


def trace(policy, settle, seed, quanta=200):
    """What clients that come, go and change their weights at random lag: see `lags`."""
    rng, processor, ledger = np.random.default_rng(seed), policy(settle), Ledger(settle)
    largest, names, here = 0.0, itertools.count(), {}

    def join():
        nonlocal largest
        name, (weight, request) = next(names), clients(rng, seed % 3)
        largest, here[name] = max(largest, request), request
        processor.join(name, weight, request)
        ledger.join(name, weight)

    for _ in range(2 + seed % 19):
        join()
    for _ in range(quanta):
        event, name = rng.random(), list(here)[int(rng.integers(len(here)))]
        if event < 0.1 and len(here) < 20:
            join()
        elif event < 0.2 and len(here) > 2:
            processor.leave(name)
            ledger.leave(name)
            del here[name]
        elif event < 0.3:
            weight = 10 ** rng.uniform(-1, 1)
            processor.reweigh(name, weight)
            ledger.reweigh(name, weight)
        served = processor.serve()
        ledger.serve(served, here[served])
        if 0.3 <= event < 0.4 and len(here) > 2:
            processor.leave(served)
            ledger.leave(served)
            del here[served]
    return {"lag": ledger.worst / largest, "gap": processor.worst_lag - ledger.worst}


def visitors(policy, settle, count, request):
    """The same of one with requests of 1 among visitors with shorter ones, which go as soon as they are served."""
    processor, ledger = policy(settle), Ledger(settle)
    for name in range(count + 1):
        processor.join(name, 1.0, 1.0 if name == 0 else request)
        ledger.join(name, 1.0)
    for _ in range(count):
        served = processor.serve()
        ledger.serve(served, request if served else 1.0)
        if served:
            processor.leave(served)
            ledger.leave(served)
    return {"lag": ledger.worst, "gap": processor.worst_lag - ledger.worst}


@functools.cache
def lags(policy, settle):
    """Over 60 random traces, and over the visitors that a search goes through.

    Returns
    -------
    dict of Points
        "lag": the worst one over the largest request; "gap": what the policy's own account of it is off.
    """

    def of(*setting):
        return (visitors if len(setting) == 2 else trace)(policy, settle, *setting)

    return cases("trace", [*itertools.product((1, 5, 20), (0.1, 0.5, 0.9)), *range(60)]).measure(of)
