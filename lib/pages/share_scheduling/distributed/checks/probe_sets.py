"""Claims of `thesis`, Sections 6.4.3, 6.5.4 and 6.7.1: who is asked, and where a job goes if none of its own was."""

import itertools
import math
import re
from fractions import Fraction as F

import numpy as np

from clustershare.compiled import service
from clustershare.dispatch import view
from clustershare.dispatch.rules import static_vertical
from compendium.press.findings import Finding, check, erratum, finding, yes
from pages.share_scheduling.distributed.printed_probing import inclusion, probe_set_law
from pages.share_scheduling.distributed.printed_rules import whole_parts

EXACT = 1e-12
HALVES, QUARTERS = (F(1, 2), F(1, 2)), (F(3, 4), F(1, 4))
SMALL = (HALVES, (F(2, 3), F(1, 3)), QUARTERS, (F(1, 3), F(1, 3), F(1, 3)), (F(1, 2), F(1, 4), F(1, 4)))
MOST_JOBS = 6


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


@check("thesis-6-053", shares=QUARTERS)
def two_laws_of_the_set(shares=HALVES):
    """Inclusion probabilities of both readings; in the control some processors are shared by the groups."""

    def largest(shares, processors=10):
        worst, missing = F(0), set()
        numbers = range(processors)
        for parts, own, limit in itertools.product(whole_parts(shares, processors), numbers, numbers):
            other = _in_proportion(own, limit, parts)
            if other is None:
                missing.add(limit)
                continue
            found = inclusion(probe_set_law(own, limit, processors, parts), processors)
            worst = max(worst, *(abs(a - b) for a, b in zip(found, other)))
        return worst, missing

    same, _ = largest(shares)
    apart, missing = largest(QUARTERS)
    beyond = _beyond([F(k, 20) for k in range(1, 20)])
    return finding(
        f"all X_gp are 1: {'the same within 1e-12' if same <= EXACT else f'apart by {float(same):.3f}'}; with 3/4 and "
        f"1/4 on ten processors apart by {float(apart):.3f}, where the second law exists at "
        f"{f'all limits but {sorted(missing)}' if missing else 'all limits'}; P = 2 to 20: apart by {beyond:.3f}",
        same <= EXACT,
    )


@check("thesis-6-049", name="I5")
def name_of_the_rule(name="15"):
    """The rules that the library's policy has by name; the control takes the name that is right."""
    rules = [word for word in vars(static_vertical) if re.fullmatch(r"[IM]\d", word)]
    return erratum(f"the rules of SVP: {', '.join(sorted(rules))}", name in rules, "I5" in rules)


def _known_sets(P):
    """All sets of processors that one may know, itself among them."""
    return itertools.chain(*(itertools.combinations(range(P), size) for size in range(1, P + 1)))


def _numbers(cells, most):
    """All numbers of jobs in so many cells that add up to a number at most."""
    if not cells:
        yield ()
        return
    for first in range(most + 1):
        for rest in _numbers(cells - 1, most - first):
            yield first, *rest


def _none_known(P, width, limit):
    """The probability that a job and its probes find none of so many processors: all places and sets, in fractions."""
    sets = list(itertools.combinations(range(P - 1), limit))
    outside = sum(all(other >= width for other in chosen) for chosen in sets)  # the own processor is the last one
    return F(P - width, P) * F(outside, len(sets))


@check("thesis-6-129", migration=False)
def nobody_known(migration=True):
    """Where the library's rules find no processor, in every state; the control leaves out rule I3."""
    rng, printed, only_if, exactly, late, decided = np.random.default_rng(0), True, True, True, True, 0
    for P, shares in itertools.product((2, 3), SMALL):
        parts = np.array(whole_parts(shares, P), dtype=float)
        G = len(shares)
        for known in _known_sets(P):
            seen = view.blank(len(known), service.GPPS, np.array(shares, dtype=float))
            for number, cells in enumerate(_numbers(len(known) * G, MOST_JOBS)):
                turn = number % len(known)  # each of them decides in some of the states
                order = list(known[turn:] + known[:turn])
                seen.count[:, 1:] = np.reshape(cells, (len(known), G))
                seen.count[:, 0] = seen.count[:, 1:].sum(axis=1)
                policy = static_vertical.StaticVerticalPartitioning(migration, parts.T[order].copy())
                for g in range(G):
                    needed = static_vertical.place(policy, seen, rng, g) < 0
                    none = not parts[g, order].any()
                    printed &= needed or not none
                    only_if &= none or not needed
                    exactly &= needed == (none and bool(seen.count[:, 0].all()))
                    late &= not none or len(known) - 1 < P - np.count_nonzero(parts[g])
                    decided += none and not needed
    part = all(
        _none_known(P, width, limit) == F(P - width, P) * F(math.comb(P - 1 - width, limit), math.comb(P - 1, limit))
        for P in range(2, 11) for width in range(1, P) for limit in range(P)
    )  # fmt: skip
    said = {
        "needed only if none of the subset is known": only_if, "so never from limit P less the subset on": late,
        "if and only if no known one is idle either": exactly, "none is known as often as the formula says": part,
    }  # fmt: skip
    return Finding(
        f"whenever none of the subset is known: {'yes' if printed else f'no, {decided} times I3 decides'}; "
        + "; ".join(f"{name}: {yes(holds)}" for name, holds in said.items()),
        "differs" if not (only_if and late and part) else "agrees" if printed else "agrees in part",
    )
