"""Claims of `thesis`, Sections 6.4.3, 6.5.4 and 6.7.1: who is asked, and where a job goes if none of its own was."""

import itertools
import math
import re
from fractions import Fraction as F

import numpy as np

from clustershare.compiled import service
from clustershare.dispatch import view
from clustershare.dispatch.rules import static_vertical
from compendium.press.clauses import aside, cases, conclude, everywhere, exact, fact, mended
from compendium.press.clauses.conditions import equal
from compendium.press.findings import check
from pages.share_scheduling.central.states import every_state
from pages.share_scheduling.distributed.printed.probing import inclusion, probe_set_law
from pages.share_scheduling.distributed.printed.rules import whole_parts
from pages.share_scheduling.distributed.witnesses.small_states import MOST, SHARES

HALVES, QUARTERS = SHARES[0], SHARES[2]


def _in_proportion(own, limit, parts):
    """Inclusion with probabilities that are in proportion to X_gp; None if one of them would be above 1."""
    offered = [part if p != own else F(0) for p, part in enumerate(parts)]
    members = sum(part > 0 for part in offered)
    if limit >= members:  # all of them, and as many of the others, alike
        rest = F(limit - members, len(parts) - 1 - members) if members < len(parts) - 1 else F(0)
        return [F(p != own) if part else rest * (p != own) for p, part in enumerate(offered)]
    if limit * max(offered) > sum(offered):
        return None
    return [limit * part / sum(offered) for part in offered]


def _one_by_one(whole, part, limit):
    """Inclusion of the one processor with a part, among so many with 1, if drawn one after the other."""
    left_out = 1.0
    for k in range(limit):
        left_out *= (whole - k) / (whole - k + part)
    return 1 - left_out


def _beyond(shares):
    """The largest difference of the two laws for P = 2 to 20, over both groups and all limits."""
    worst = 0.0
    for P, first in itertools.product(range(2, 21), shares):
        for size in (first * P, (1 - first) * P):
            part = float(size - int(size))
            for whole in {int(size), int(size) - 1} if part else ():
                for limit in range(1, whole + 1):  # so that one is left out; then the second law exists
                    worst = max(worst, abs(_one_by_one(whole, part, limit) - limit * part / (whole + part)))
    return worst


def _largest(shares, processors=10):
    """The largest difference of the two laws, and the limits at which the second does not exist."""
    worst, missing = F(0), set()
    for parts, own, limit in itertools.product(whole_parts(shares, processors), range(processors), range(processors)):
        other = _in_proportion(own, limit, parts)
        if other is None:
            missing.add(limit)
            continue
        found = inclusion(probe_set_law(own, limit, processors, parts), processors)
        worst = max(worst, *(abs(a - b) for a, b in zip(found, other)))
    return float(worst), len(missing)


@check("thesis-6-053", shares=QUARTERS)
def two_laws_of_the_set(shares=HALVES):
    """Inclusion probabilities of both readings; in the control some processors are shared by the groups."""
    apart, missing = _largest(QUARTERS)
    return conclude(
        everywhere("where all X_gp are 1, both laws of the set", exact(_largest(shares)[0]), equal(1e-12)),
        aside("the largest difference with 3/4 and 1/4 on ten processors", exact(apart)),
        aside("at how many limits the second law does not exist then", exact(missing)),
        aside("the largest difference on 2 to 20 processors", exact(_beyond([F(k, 20) for k in range(1, 20)]))),
    )


@check("thesis-6-049", name="I5")
def name_of_the_rule(name="15"):
    """The rules that the library's policy has by name; the control takes the name that is right."""
    rules = [word for word in vars(static_vertical) if re.fullmatch(r"[IM]\d", word)]
    return mended(
        fact(
            f"there is a rule {name} among those of SVP", name in rules, f"there is no rule {name} among those of SVP"
        ),
        fact(f"there is a rule I5 among {', '.join(sorted(rules))}", "I5" in rules, "there is no rule I5"),
    )


def _none_known(P, width, limit):
    """The probability that a job and its probes find none of so many processors: all places and sets, in fractions."""
    sets = list(itertools.combinations(range(P - 1), limit))
    outside = sum(all(other >= width for other in chosen) for chosen in sets)  # the own processor is the last one
    return F(P - width, P) * F(outside, len(sets))


def _decisions(P, shares, migration):
    """Every decision on a place: whether I1 to I4 find none, whether none of the subset is known, and what else is."""
    rng, parts = np.random.default_rng(0), np.array(whole_parts(shares, P), dtype=float)
    for known in itertools.chain(*(itertools.combinations(range(P), size) for size in range(1, P + 1))):
        seen = view.blank(len(known), service.GPPS, np.array(shares, dtype=float))
        for number, jobs in enumerate(every_state(len(known), len(shares), MOST)):
            turn = number % len(known)  # each of them decides in some of the states
            order = list(known[turn:] + known[:turn])
            seen.count[:, 1:] = jobs
            seen.count[:, 0] = seen.count[:, 1:].sum(axis=1)
            policy = static_vertical.StaticVerticalPartitioning(migration, parts.T[order].copy())
            for g in range(len(shares)):
                needed = static_vertical.place(policy, seen, rng, g) < 0
                none, early = not parts[g, order].any(), len(known) - 1 < P - np.count_nonzero(parts[g])
                yield needed, none, bool(seen.count[:, 0].all()), early


@check("thesis-6-129", migration=False)
def nobody_known(migration=True):
    """Where the library's rules find no processor, in every state; the control leaves out rule I3."""
    every = np.array(
        [each for P, shares in itertools.product((2, 3), SHARES) for each in _decisions(P, shares, migration)]
    )
    needed, none, busy, early = every.T
    decided = int((none & ~needed).sum())
    cells = [(P, width, limit) for P in range(2, 11) for width in range(1, P) for limit in range(P)]
    parts = cases("system", cells).measure(
        lambda P, width, limit: (
            _none_known(P, width, limit)
            == F(P - width, P) * F(math.comb(P - 1 - width, limit), math.comb(P - 1, limit))
        )
    )
    return conclude(
        fact("I1 to I4 find no processor whenever none of the subset is known", not decided,
             f"where none of the subset is known, I3 still decides {decided} times"),
        fact("they find none only if none of the subset is known", not (needed & ~none).any(),
             "they find none though some of the subset is known"),
        aside("how often I5 is needed", exact(needed.sum())),
        provided=[
            fact("so never from the limit P less the subset on", not (none & ~early).any(), "they do beyond it"),
            fact("they find none if and only if no known one is idle either",
                 (needed == (none & busy)).all() or not migration, "they find none where a known one is idle"),
            everywhere("none is known as often as the formula says", parts),
        ],
    )  # fmt: skip
