"""Every state of two and three processors, and every set of them that one of them may know: decisions by the rules.

The rules look at the numbers of jobs on the processors known, and at what part each group has of these; so systems in
which those are alike are gone through once.
"""

import functools
import itertools
import operator
import random
from collections import Counter
from fractions import Fraction

from compendium.press.clauses import everywhere, exact
from compendium.press.clauses.conditions import between
from pages.share_scheduling.central.witnesses.states import every_state
from pages.share_scheduling.distributed.printed.rules import Partial, law, migration, placement, whole_parts
from pages.share_scheduling.distributed.systems import CASES
from pages.share_scheduling.distributed.witnesses.views import CompiledRules

SHARES = (
    (Fraction(1, 2), Fraction(1, 2)), (Fraction(2, 3), Fraction(1, 3)), (Fraction(3, 4), Fraction(1, 4)),
    (Fraction(1, 3),) * 3, (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)),
)  # fmt: skip
PROCESSORS = (2, 3)
MOST = 6  # jobs


@functools.cache
def systems(policy):
    """Processors, shares and processors known, the deciding one first, that a policy can tell apart: list of tuple."""
    found = {}
    for P, shares in itertools.product(PROCESSORS, SHARES):
        parts = whole_parts(shares, P)
        for q, size in itertools.product(range(P), range(P)):
            for rest in itertools.combinations([p for p in range(P) if p != q], size):
                known = (q, *rest)
                seen = tuple(tuple(row[p] for row in parts) for p in known) if policy == "SVP" else len(known)
                found.setdefault((P if policy in ("SVP", "DVP") else None, shares, seen), (P, shares, known))
    return list(found.values())


@functools.cache
def rules(policy, system, *changed):
    """The printed rules in one of these systems: `rules.Partial`."""
    P, shares, known = system
    return Partial(policy, shares, P, True, "GPPS", (), changed, known)


def library(policy, system, reading=None):
    """Those of the library: `views.CompiledRules`."""
    P, shares, _ = system
    return CompiledRules(policy, shares, P, "GPPS", reading, migration=True)


def decisions(policy, all_known=None, idle=False):
    """All of them: pairs of a system and a state.

    Parameters
    ----------
    policy : str
    all_known : bool, optional
        Only where all processors are known, or only where some are not.
    idle : bool
        Only where the deciding processor has no job.
    """
    for system in systems(policy):
        P, shares, known = system
        if all_known is None or (len(known) == P) == all_known:
            every = every_state(len(known), len(shares), MOST)
            yield from ((system, jobs) for jobs in every if not (idle and any(jobs[0])))


def every_decision(policy, all_known=None, idle=False):
    """Of a policy: system, state, group, and the library's rules there."""
    for system, states in itertools.groupby(decisions(policy, all_known, idle), key=operator.itemgetter(0)):
        compiled = library(policy, system)
        for _, jobs in states:
            for g in range(len(system[1])):
                yield system, jobs, g, compiled


def none_of(number, what, wrong):
    """A clause: of so many, none is wrong."""
    return everywhere(f"of {number} {what}", exact(wrong), between(0, 0))


def placements(found, jobs, g):
    """The law of rule and place by the printed rules; where rule I5 draws by itself the place is None."""
    result = Counter()
    for (rule, p), chance in law(lambda choose: placement(found, jobs, g, choose)).items():
        result[rule, None if rule == "I5" else p] += chance
    return dict(result)


def moves(found, left, g):
    """The law of what is asked for after a departure: dict of `rules.Asked` or None."""
    return law(lambda choose: migration(found, left, g, choose))


def twelfths(number, seed=12):
    """Random shares of 2 to 4 groups in twelfths, after those of the five cases: list of tuple of Fraction."""
    rng, found = random.Random(seed), [tuple(map(Fraction, shares)) for shares, _ in CASES.values()]
    for _ in range(number):
        groups = rng.randint(2, 4)
        cuts = sorted(rng.sample(range(1, 12), groups - 1))
        found.append(tuple(Fraction(b - a, 12) for a, b in itertools.pairwise((0, *cuts, 12))))
    return list(dict.fromkeys(found))


def random_systems(seed, number=100):
    """Random systems in fractions: shares of 2 to 6 groups, and 1 to 30 processors; after them the five cases."""
    rng = random.Random(seed)
    for _ in range(number):
        weights = [rng.randint(1, 12) for _ in range(rng.randint(2, 6))]
        yield tuple(Fraction(each, sum(weights)) for each in weights), rng.randint(1, 30)
    for shares, _ in CASES.values():
        yield tuple(map(Fraction, shares)), 10
