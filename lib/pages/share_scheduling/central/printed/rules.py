"""The rules of `thesis`, Section 5.5, once more in plain Python, line by line: a witness for the compiled ones.

A state says how many jobs of each group are on each processor, as a tuple for each processor: ``jobs[p][g]``. Whatever
the rules leave to chance is returned with its weights, so that all of it can be gone through; shares are fractions, so
that comparisons are exact. A named rule can be left out or changed, which gives the wrong systems of the claims and the
other readings of the text.
"""

import functools
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import inf, lcm
from typing import NamedTuple

from clustershare.dispatch import partition
from pages.share_scheduling.central.printed.policies import MIGRATIONS, PLACEMENTS, guests_on, shares_of

CHANGES = {
    "M4 before M3": "SVP: the last two migration rules exchanged",
    "I3 anywhere": "SVP: I3 takes any processor outside the subset, the one with the fewest jobs",
    "I2 idle": "SVP: the processor that I2 takes counts as idle while the guest that leaves it is placed",
    "I2 again": "SVP: a guest sent away by I2 may itself use I2",
    "I4 by all jobs": "SVP: I4 counts all jobs of a processor",
    "pairs as printed": "SVP: M2 does not ask for p in the subset of g, nor M3 for a job of g on p",
    "M4 by processor": "SVP: M4 takes a random processor with a guest of the group, not a random guest",
    "M2 by jobs": "HP: M2 draws the group in proportion to its jobs on p, not each alike",
    "others only": "JSQ, HP: the maximum is sought over processors other than q",
    "no gap": "JSQ, HP: as before, and the condition of two jobs more is dropped",
    "any group": "DVP: M1 to M3 take any group on p', not only one that the rule speaks of",
    "I2 from r": "DVP: I2 begins at the required share",
    "plain sums": "DVP: the obtained share is summed in floating point and compared as it is",
    "every departure": "SVP, DVP: the migration rules apply also where q is left with jobs",
    "random of two": "JSQ: I1 takes the shorter of two random processors",
    "most in ties": "HP: I1 breaks ties for the processor with the most jobs",
}


class Move(NamedTuple):
    """A migrated job: by which rule, of which group, from where and to where.

    The rule of a guest that I2 sends away is the one that places it; at a departure it is a migration rule.
    """

    rule: str
    group: int
    source: int
    target: int


class Outcome(NamedTuple):
    """What may come of an event: with what probability, the state after it, and how.

    `rule` is the rule that placed an arriving job on `processor`. At a departure it is None, and the job left there.
    """

    probability: object
    state: tuple
    rule: object
    processor: int
    moves: tuple


@dataclass(frozen=True)
class Rules:
    """A global and a local policy in a system of equal processors.

    Attributes
    ----------
    policy : str
        "JSQ", "HP", "SVP" or "DVP".
    shares : tuple of fractions.Fraction
        Required ones of the groups.
    processors : int
    migration : bool
    local : str
        "PS" or "GPPS".
    without : tuple of str
        Names of rules that are left out, such as "M3".
    changed : tuple of str
        Of `CHANGES`.
    """

    policy: str
    shares: tuple
    processors: int
    migration: bool = False
    local: str = "PS"
    without: tuple = ()
    changed: tuple = ()

    def __post_init__(self):
        if unknown := set(self.changed) - set(CHANGES):
            raise ValueError(f"changed must name entries of CHANGES; got {', '.join(sorted(unknown))}.")

    def does(self, *names):
        """Whether one of these changes is made."""
        return any(name in self.changed for name in names)

    @functools.cached_property
    def empty(self):
        """The state without jobs."""
        return ((0,) * len(self.shares),) * self.processors

    @functools.cached_property
    def parts(self):
        """X_gp of (5.9), as parts[g][p]."""
        return tuple(map(tuple, partition(list(self.shares), self.processors)))

    @functools.cached_property
    def subsets(self):
        """Omega_g (5.10)."""
        return tuple(tuple(p for p, part in enumerate(row) if part > 0) for row in self.parts)

    @functools.cached_property
    def strangers(self):
        """For each processor the groups whose jobs are guests there."""
        return tuple(tuple(g for g, part in enumerate(column) if not part) for column in zip(*self.parts))

    @functools.cached_property
    def inverses(self):
        """1 / X_gp times a number that makes all of them whole; infinite where X_gp = 0."""
        common = lcm(*(part.numerator for row in self.parts for part in row if part > 0))
        return tuple(tuple(int(common / part) if part > 0 else inf for part in row) for row in self.parts)

    @functools.cached_property
    def weights(self):
        """w_gp for GPPS, as weights[p][g]: (5.14) with SVP, else the required shares."""
        if self.policy != "SVP":
            return (self.shares,) * self.processors
        columns = zip(*self.parts)
        return tuple(tuple(part or share for part, share in zip(column, self.shares)) for column in columns)

    def served(self, p, row):
        """What part of a processor each group obtains that has so many jobs there."""
        if self.local == "PS":
            return _divided(None, row)
        if (p, row) not in self._kept:  # weights would be long to compare
            self._kept[p, row] = _divided(self.weights[p], row)
        return self._kept[p, row]

    @functools.cached_property
    def _kept(self):
        return {}

    def obtained(self, jobs, g):
        """The obtained share o_g of a group, of the whole system."""
        if self.does("plain sums"):
            each = 1 / self.processors
            return sum(each * float(self.served(p, row)[g]) for p, row in enumerate(jobs) if row[g])
        return sum(self.served(p, row)[g] for p, row in enumerate(jobs) if row[g]) * Fraction(1, self.processors)

    def feasible(self, jobs, g):
        """The feasible share f_g (2.26)."""
        return min(self.shares[g], Fraction(sum(row[g] for row in jobs), self.processors))


@functools.lru_cache(maxsize=100_000)
def _divided(weights, row):
    claims = row if weights is None else [weight if count else 0 for weight, count in zip(weights, row)]
    total = sum(claims)
    return tuple(Fraction(claim, total) if claim else Fraction(0) for claim in claims)


def changed_by(jobs, p, g, by):
    """The state with one job of a group more or less on a processor."""
    row = jobs[p]
    return (*jobs[:p], (*row[:g], row[g] + by, *row[g + 1 :]), *jobs[p + 1 :])


def arrival(rules, jobs, g):
    """All that may come of the arrival of a job of group g: list of `Outcome`."""
    found = []
    rule, choices = placement(rules, jobs, g)
    for chance, p in shares_of(choices):
        for probability, state, moves in settled(rules, jobs, g, rule, p):
            found.append(Outcome(chance * probability, state, rule, p, moves))
    return found


def settled(rules, jobs, g, rule, p):
    """A placed job, and where its rule I2 sends the guest: triples of probability, state and moves."""
    after = changed_by(jobs, p, g, 1)
    if rules.policy != "SVP" or rule != "I2":
        return [(1, after, ())]
    found = []
    for chance, h in shares_of(guests_on(rules, jobs, p)):
        if rules.does("I2 idle"):
            seen = (*jobs[:p], (0,) * len(jobs[p]), *jobs[p + 1 :])
        else:
            seen = changed_by(after, p, h, -1)
        name, choices = placement(rules, seen, h, second=rules.does("I2 again"))
        for share, to in shares_of(choices):
            left = changed_by(after, p, h, -1)
            for probability, state, moves in settled(rules, left, h, name, to):
                found.append((chance * share * probability, state, (Move(name, h, p, to), *moves)))
    return found


def departure(rules, jobs, g, q):
    """All that may come of the departure of a job of group g from processor q: list of `Outcome`."""
    left = changed_by(jobs, q, g, -1)
    rule, choices = migration(rules, left, g, q)
    if rule is None:
        return [Outcome(1, left, None, q, ())]
    found = []
    for chance, (h, p) in shares_of(choices):
        state = changed_by(changed_by(left, p, h, -1), q, h, 1)
        found.append(Outcome(chance, state, None, q, (Move(rule, h, p, q),)))
    return found


def outcomes(rules, jobs, g, q=None):
    """States after an arrival of a group, or its departure from q, with their probabilities: as `Compiled.outcomes`."""
    found = Counter()
    for outcome in arrival(rules, jobs, g) if q is None else departure(rules, jobs, g, q):
        found[outcome.state] += outcome.probability
    return found


def placement(rules, jobs, g, second=True):
    """The initial-placement policy: the rule that applies, and the processors it may choose with their weights."""
    return PLACEMENTS[rules.policy](rules, jobs, g, second)


def migration(rules, left, g, q):
    """The migration policy after a job of group g left q: the rule that applies, and pairs (group, processor).

    The rule is None, and there are no pairs, if no job migrates.
    """
    if not rules.migration:
        return None, []
    return MIGRATIONS[rules.policy](rules, left, g, q)
