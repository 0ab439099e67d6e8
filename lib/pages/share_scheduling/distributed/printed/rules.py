"""The rules of `thesis`, Section 6.5, in plain Python: those of Section 5.5 for a processor that knows some others.

``jobs[k][g]`` are the jobs of group g that are recorded for the k-th processor known; the first is the deciding one
itself. What the rules leave to chance is asked of `choose`, a function that takes one of several choices, all alike
unless it is given weights; `law` goes through all of them. It is asked also where there is one choice only.
"""

import functools
from collections import defaultdict
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import NamedTuple

from clustershare.dispatch import partition
from pages.share_scheduling.central.printed import policies as printed_policies
from pages.share_scheduling.central.printed.policies import beside, guests_on, idle, least
from pages.share_scheduling.central.printed.rules import Rules, changed_by

CHANGES = {
    "ties alike": "the own processor is not preferred",
    "own first": "HP: the own processor is preferred as soon as it is best by the first criterion",
    "bare sums": "DVP, Nice: the estimates are the sums over the known processors, not scaled up to all of them",
    "I2 fewest": "DVP: where rule I2 drops the only candidate, the known processor with the fewest jobs of the group",
    "own subset only": "SVP: the guest that I2 sends away is placed without I3",
    "guests stay": "SVP: neither I2 nor M4",
    "without M4": "SVP: as it says",
    "M1 beside others": "SVP: M1 asks for a guest beside jobs that are none, as in Chapter 5",
    "no I5": "SVP: where no rule of Chapter 5 finds a processor, the job stays",
    "pairs as printed": "SVP: M2 does not ask for p in the subset of g, nor M3 for a job of g on p",
}


@dataclass(frozen=True)
class Partial(Rules):
    """What a processor knows of a system under a policy: the rules of Chapter 5, for the processors known.

    Attributes
    ----------
    policy : str
        "JSQ", "HP", "SVP" or "DVP"; or "D-HP" or "Nice" of Section 6.6, which only place.
    known : tuple of int
        The processors known, the deciding one first.
    gap : int
        JSQ, HP: how many jobs more a processor must have for one to migrate from there.
    changed : tuple of str
        Of `CHANGES`.
    """

    known: tuple = ()
    gap: int = 2

    def __post_init__(self):
        if unknown := set(self.changed) - set(CHANGES):
            raise ValueError(f"changed must name entries of CHANGES; got {', '.join(sorted(unknown))}.")

    @functools.cached_property
    def whole(self):
        """X_gp of (5.9) for all processors, as whole[g][p]."""
        return whole_parts(self.shares, self.processors)

    @functools.cached_property
    def parts(self):
        """The same for the processors known, as parts[g][k]."""
        return tuple(tuple(row[p] for p in self.known) for row in self.whole)

    def obtained(self, jobs, g):
        """The estimate of the obtained share: that of the processors known, scaled up to all of them."""
        found = super().obtained(jobs, g)
        return found if self.does("bare sums") else found * Fraction(self.processors, len(jobs))

    def feasible(self, jobs, g):
        """The estimate of the feasible share."""
        among = self.processors if self.does("bare sums") else len(jobs)
        return min(self.shares[g], Fraction(sum(row[g] for row in jobs), among))


@functools.cache
def whole_parts(shares, processors):
    """The partitioning matrix, as parts[g][p]."""
    return tuple(map(tuple, partition(list(shares), processors)))


class Asked(NamedTuple):
    """A job that is to migrate: by which rule, of which group (None: any), from where and to where."""

    rule: str
    group: object
    source: int
    target: int


def placement(rules, jobs, g, choose, second=True):
    """The initial-placement policy: the rule that applies, and the processor that it chooses.

    Parameters
    ----------
    rules : Partial
    jobs : tuple of tuple of int
    g : int
        Group of the job.
    choose : callable
    second : bool
        Whether rule I2 of SVP may be used.

    Returns
    -------
    rule : str
    processor : int
    """
    if rules.policy in ("D-HP", "Nice"):
        return "I1", rules.known[_preferred(rules, _OF_SECTION_66[rules.policy](rules, jobs, g), choose)]
    if rules.policy == "SVP" and not rules.subsets[g] and not (_third_rule(rules) and idle(jobs)):
        # Rules I1, I2 and I4 find none; I3 may, and speaks of any idle processor that is known.
        return ("I4", rules.known[0]) if rules.does("no I5") else ("I5", choose(*subset(rules, g)))
    rule, choices = printed_policies.PLACEMENTS[rules.policy](rules, jobs, g, second and not rules.does("guests stay"))
    if rule.startswith("I2") and rules.policy == "DVP":
        return "I2", rules.known[_after_dropping(rules, jobs, g, choose)]
    found = [k for _, k in choices]
    if rules.does("own first") and rules.policy == "HP" and jobs[0][g] == jobs[found[0]][g]:
        found = [0]
    return rule, rules.known[_preferred(rules, found, choose)]


def _preferred(rules, found, choose):
    """One of those that are equally good: the own processor if it is among them."""
    return 0 if 0 in found and not rules.does("ties alike") else choose(found)


def _third_rule(rules):
    return rules.migration and "I3" not in rules.without


def subset(rules, g):
    """The processors of a group's subset, those that are shared first, and their parts."""
    return zip(*sorted(((p, part) for p, part in enumerate(rules.whole[g]) if part), key=lambda one: one[1] == 1))


def _after_dropping(rules, jobs, g, choose):
    """Rule I2 of DVP; the only processor with jobs of the group is not dropped."""
    present = [k for k, row in enumerate(jobs) if row[g]]
    dropped = choose([k for _, k in least([(jobs[k][g], k) for k in present])])
    rest = [((jobs[k][g], sum(jobs[k])), k) for k in present if k != dropped]
    if not rest and rules.does("I2 fewest"):
        rest = [((row[g], sum(row)), k) for k, row in enumerate(jobs)]
    return _preferred(rules, [k for _, k in least(rest)], choose) if rest else dropped


def sent_away(rules, jobs, p, choose):
    """The guest that leaves processor p, which rule I2 of SVP took; `jobs` have the newcomer there: `Asked`."""
    k = rules.known.index(p)
    h = choose([h for count, h in guests_on(rules, jobs, k) for _ in range(count)])
    to_place = replace(rules, without=(*rules.without, "I3")) if rules.does("own subset only") else rules
    rule, to = placement(to_place, jobs, h, choose, second=False)
    return Asked(rule, h, p, to)


def migration(rules, left, g, choose):
    """The migration policy after a job of group g left the deciding processor: `Asked`, or None."""
    found = _MIGRATIONS[rules.policy](rules, left, g, choose)
    return found and Asked(found[0], found[1], rules.known[found[2]], rules.known[0])


def holds(rules, asked, there, own):
    """Whether what a migration rule asked of the source is true of what is there when the request arrives.

    `own` are the numbers of jobs of the asker when it decided. That there is a job to migrate is not asked here.
    """
    more = [count - before for count, before in zip(there, own)]
    if rules.policy == "JSQ":
        return sum(more) >= rules.gap
    if rules.policy == "HP":
        return more[asked.group] >= rules.gap if asked.rule == "M1" else sum(more) >= rules.gap
    return asked.rule not in ("M1", "M2", "M3") or sum(there) >= 2


def _most(keys):
    """Those with the most, by index."""
    return [k for k, key in enumerate(keys) if key == max(keys)]


def _jsq(rules, left, g, choose):
    totals = [sum(row) for row in left]
    k = choose(_most(totals))
    return ("M1", None, k) if totals[k] >= totals[0] + rules.gap else None


def _hp(rules, left, g, choose):
    totals = [sum(row) for row in left]
    k = choose(_most([(row[g], total) for row, total in zip(left, totals)]))
    if left[k][g] >= left[0][g] + rules.gap:
        return "M1", g, k
    k = choose(_most(totals))
    if totals[k] < totals[0] + rules.gap:
        return None
    return "M2", choose([h for h, count in enumerate(left[k]) if count >= left[0][h] + 1]), k


def _svp(rules, left, g, choose):
    if any(left[0]):
        return None
    sources = [
        (-sum(row), k)
        for k, row in enumerate(left)
        if sum(row) >= 2
        and guests_on(rules, left, k)
        and (not rules.does("M1 beside others") or beside(rules, left, k))
    ]
    if sources:
        k = choose([k for _, k in least(sources)])
        return "M1", choose([h for count, h in guests_on(rules, left, k) for _ in range(count)]), k
    rule, pairs = printed_policies.MIGRATIONS["SVP"](rules, left, g, 0)
    if rule is None or rule == "M4" and rules.does("guests stay", "without M4"):
        return None
    return rule, *choose([pair for weight, pair in pairs for _ in range(weight)])


def _dvp(rules, left, g, choose):
    rule, pairs = printed_policies.MIGRATIONS["DVP"](rules, left, g, 0)
    if rule is None:
        return None
    k = choose(sorted({k for _, (_, k) in pairs}))
    return rule, choose([h for _, (h, source) in pairs if source == k]), k


_MIGRATIONS = {"JSQ": _jsq, "HP": _hp, "SVP": _svp, "DVP": _dvp}


def _increase(rules, jobs, g, k):
    """By how much the obtained share of a group would increase with a job on a processor, as a part of that."""
    return rules.served(k, changed_by(jobs, k, g, 1)[k])[g] - rules.served(k, jobs[k])[g]


def _most_increased(rules, jobs, g, among):
    return [k for _, k in least([(-_increase(rules, jobs, g, k), k) for k in among])]


def _distributed_horizontal(rules, jobs, g):
    without = [k for k, row in enumerate(jobs) if not row[g]]
    return _most_increased(rules, jobs, g, without or range(len(jobs)))


def _nice(rules, jobs, g):
    if rules.obtained(jobs, g) >= rules.shares[g]:
        return [k for _, k in least([(-rules.served(k, row)[g], k) for k, row in enumerate(jobs)])]
    return _most_increased(rules, jobs, g, range(len(jobs)))


_OF_SECTION_66 = {"D-HP": _distributed_horizontal, "Nice": _nice}


def law(decide):
    """All that a decision may come to, with probabilities.

    Parameters
    ----------
    decide : callable
        Of `choose`.

    Returns
    -------
    dict
        Result: fractions.Fraction.

    Examples
    --------
    >>> law(lambda choose: choose("ab") + choose("cd", [1, 2]))["ac"]
    Fraction(1, 6)
    """
    found, scripts = defaultdict(Fraction), [()]
    while scripts:
        script, chances = list(scripts.pop()), []

        def choose(options, weights=None, script=script, chances=chances):
            at, weights = len(chances), weights or [1] * len(options)
            if at == len(script):  # new: the other choices are gone through later
                scripts.extend((*script, k) for k in range(1, len(options)))
                script.append(0)
            chances.append((weights[script[at]], sum(weights)))
            return options[script[at]]

        result, (taken, all_of) = decide(choose), map(prod, zip((1, 1), *chances))
        found[result] += Fraction(taken, all_of)
    return dict(found)
