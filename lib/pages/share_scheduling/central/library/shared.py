"""What several of these rooms use."""

import functools
import itertools
import math
from collections import Counter
from fractions import Fraction as F
from typing import NamedTuple

import numpy as np

from pages.share_scheduling.central.printed.policies import MIGRATIONS
from pages.share_scheduling.central.printed.rules import Outcome, Rules, arrival, changed_by, departure

SAME = 1e-9
READINGS = {
    "M2 by jobs": {"changed": ("M2 by jobs",)}, "guest may return": {"changed": ("I2 idle",)},
    "every departure": {"changed": ("every departure",)}, "without M1": {"without": ("M1",)},
    "without M4": {"without": ("M4",)}, "M4 before M3": {"changed": ("M4 before M3",)},
    "guests stay": {"without": ("I2", "M4")}, "plain sums": {"changed": ("plain sums",)},
    "M1 any group": {"changed": ("any group",)},
}  # fmt: skip
OF_POLICY = {
    "HP": ("M2 by jobs",),
    "SVP": tuple(READINGS)[1:7],
    "DVP": ("plain sums", "M1 any group", "every departure"),
}
OTHERS = (("JSQ(3)", None), ("JSQ(2)", "without replacement"), ("SPILL", None))


class Weighed:
    """Of printed rules, the local policy "PPS" too: each job has the weight of its group. It stands before them."""

    def served(self, p, row):
        """As `Rules.served`."""
        if self.local != "PPS":
            return super().served(p, row)
        claims = [weight * count for weight, count in zip(self.weights[p], row)]
        return tuple(F(claim) / sum(claims) for claim in claims) if any(row) else (F(0),) * len(row)


class AnyRules(Weighed, Rules):
    """The rules of Chapter 5 under any local policy."""


class Model(NamedTuple):
    """A policy with its reading, and required shares, processors, migration and a local policy."""

    policy: str
    reading: str = None
    shares: tuple = (F(7, 10), F(3, 10))
    processors: int = 2
    migration: bool = False
    local: str = "PS"

    @property
    def rules(self):
        """As printed; what places jobs by a rule of its own moves them as JSQ does."""
        return _rules(self)

    @property
    def arguments(self):
        """Of the library's functions."""
        return {
            "policy": self.policy, "reading": self.reading, "required_shares": [float(share) for share in self.shares],
            "processors": self.processors, "migration": self.migration, "local": self.local,
        }  # fmt: skip

    def events(self, jobs, g, q=None):
        """What may come of an arrival of a group, or of its departure from a processor: list of `Outcome`."""
        if q is not None:
            return departure(self.rules, jobs, g, q)
        if self.reading == "guest may return":  # to a processor without others, which is how the library reads it
            ways = ((self, False), (self._replace(reading=None), True))
            return [
                one for model, others in ways for one in arrival(model.rules, jobs, g)
                if (sum(jobs[one.processor]) > 1) == others
            ]  # fmt: skip
        if self.policy in MIGRATIONS:
            return arrival(self.rules, jobs, g)
        return [Outcome(chance, changed_by(jobs, p, g, 1), None, p, ()) for p, chance in self._places(jobs, g)]

    def after(self, jobs, g, q=None):
        """The states after it, with their probabilities."""
        found = Counter()
        for outcome in self.events(jobs, g, q):
            found[outcome.state] += outcome.probability
        return found

    def _places(self, jobs, g):
        totals, P = [sum(row) for row in jobs], range(self.processors)
        if self.policy == "SPILL":
            parts = self.rules.parts[g]
            own = _fewest(P, lambda p: (totals[p] + 1) / parts[p] if parts[p] else math.inf)
            idle = [p for p in P if not totals[p]]
            return [
                (p, F(1, len(chosen))) for chosen in [own if not totals[own[0]] or not idle else idle] for p in chosen
            ]
        number = int(self.policy[4:-1])
        draws = list(itertools.permutations(P, number) if self.reading else itertools.product(P, repeat=number))
        best = [_fewest(sorted(set(drawn)), totals.__getitem__) for drawn in draws]
        return [(p, F(1, len(draws) * len(chosen))) for chosen in best for p in chosen]


@functools.cache
def _rules(model):
    policy = model.policy if model.policy in MIGRATIONS else "JSQ"
    how = READINGS[model.reading] if model.policy in MIGRATIONS and model.reading else {}
    return AnyRules(policy, model.shares, model.processors, model.migration, model.local, **how)


def _fewest(some, key):
    least = min(map(key, some))
    return [p for p in some if key(p) == least]


def models(migrations=(False, True)):
    """Each policy without and with migration, and in each of its readings."""
    for policy, migration in itertools.product(("JSQ", "HP", "SVP", "DVP"), migrations):
        for reading in (None, *(OF_POLICY.get(policy, ()) if migration else ())):
            yield Model(policy, reading, migration=migration)
    for (policy, reading), migration in itertools.product(OTHERS, migrations):
        yield Model(policy, reading, migration=migration)


def measures_of(model, law, jobs, obtained, capacities):
    """What `clustershare.dispatch.DispatchPerformance` has, over states with these parts of the time."""
    number, there, required, P = jobs.sum(axis=1), jobs.sum(axis=2), np.array(model.shares, float), model.processors
    able = np.append(0, np.cumsum(np.sort(capacities)[::-1]))[np.minimum(there.sum(axis=1), P)]
    several, obtained, busy = (jobs > 0).sum(axis=2) > 1, obtained.sum(axis=1), law @ (there > 0)
    found = {
        "group_share_deviation": (np.minimum(required, number / P) - obtained) / required,
        "capacity_loss": able - (there > 0) @ capacities, "obtained_share": obtained, "mean_jobs": number,
        "growth": 0.0 * number, "processors_held": (jobs > 0).sum(axis=1),
        "mixed_processors": np.stack([(several & few).sum(axis=1) for few in (there == 2, there > 2)], axis=1),
    }  # fmt: skip
    return {name: law @ each for name, each in found.items()} | {"busy_range": np.ptp(busy), "busy_spread": busy.std()}
