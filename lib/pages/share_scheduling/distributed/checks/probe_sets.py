"""Claims of `thesis`, Sections 6.4.3 and 6.7.1, on who is asked, and by which rule a job goes where nobody was."""

import itertools
import re
from fractions import Fraction as F

from clustershare.dispatch.rules import static_vertical
from compendium.press.claims import check, erratum, finding
from pages.share_scheduling.distributed.printed_probing import inclusion, probe_set_law
from pages.share_scheduling.distributed.printed_rules import whole_parts

EXACT = 1e-12
HALVES, QUARTERS = (F(1, 2), F(1, 2)), (F(3, 4), F(1, 4))


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
