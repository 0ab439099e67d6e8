"""The rules of the four policies of `thesis`, Section 5.5, line by line, as `printed_rules` applies them.

A placement gives the rule that applies and the processors it may choose; a migration the rule and the pairs of a group
and a processor whose job may come to q. Choices come with weights. `left` is the state after a departure.
"""

from fractions import Fraction


def shares_of(choices):
    """Pairs of weight and choice, with weights made to sum to 1."""
    if len(choices) == 1:
        return ((1, choices[0][1]),)
    total = sum(weight for weight, _ in choices)
    return [(Fraction(weight, total), choice) for weight, choice in choices]


def least(keys):
    """The choices with the least key, each alike: from pairs of key and choice."""
    best = min(key for key, _ in keys)
    return [(1, choice) for key, choice in keys if key == best]


def idle(jobs):
    """Processors without jobs."""
    return [p for p, row in enumerate(jobs) if not any(row)]


def _jsq_placement(rules, jobs, g, second):
    totals = [sum(row) for row in jobs]
    if rules.does("random of two"):
        pairs = [(p, q) for p in range(len(jobs)) for q in range(p)]
        return "I1", [
            (2 // len(best), p) for pair in pairs for best in [least([(totals[p], p) for p in pair])] for _, p in best
        ]
    return "I1", least([(total, p) for p, total in enumerate(totals)])


def _candidates(rules, jobs, q):
    return [p for p in range(len(jobs)) if p != q or not rules.does("others only", "no gap")]


def _jsq_migration(rules, left, g, q):
    totals, gap = [sum(row) for row in left], 0 if rules.does("no gap") else 2
    found = [p for _, p in least([(-totals[p], p) for p in _candidates(rules, left, q)])]
    if "M1" in rules.without or not totals[found[0]] or totals[found[0]] < totals[q] + gap:
        return None, []
    return "M1", [(count, (h, p)) for p in found for h, count in enumerate(left[p]) if count]


def _hp_placement(rules, jobs, g, second):
    sign = -1 if rules.does("most in ties") else 1
    return "I1", least([((row[g], sign * sum(row)), p) for p, row in enumerate(jobs)])


def _hp_migration(rules, left, g, q):
    others, gap = _candidates(rules, left, q), 0 if rules.does("no gap") else 2
    if "M1" not in rules.without:
        found = [p for _, p in least([((-left[p][g], -sum(left[p])), p) for p in others])]
        if left[found[0]][g] and left[found[0]][g] >= left[q][g] + gap:
            return "M1", [(1, (g, p)) for p in found]
    if "M2" not in rules.without:
        found = [p for _, p in least([(-sum(left[p]), p) for p in others])]
        if sum(left[found[0]]) and sum(left[found[0]]) >= sum(left[q]) + gap:
            pairs = []
            for p in found:
                groups = [h for h, count in enumerate(left[p]) if count >= left[q][h] + 1]
                weights = [left[p][h] if rules.does("M2 by jobs") else 1 for h in groups]
                pairs += [(Fraction(weight, sum(weights)), (h, p)) for h, weight in zip(groups, weights)]
            if pairs:
                return "M2", pairs
    return None, []


def guests_on(rules, jobs, p):
    """The groups with guests on a processor, with the numbers of these."""
    row = jobs[p]
    return [(row[h], h) for h in rules.strangers[p] if row[h]]


def beside(rules, jobs, p):
    """Whether a guest runs beside a job that is none on a processor."""
    guests = sum(count for count, _ in guests_on(rules, jobs, p))
    return 0 < guests < sum(jobs[p])


def _svp_placement(rules, jobs, g, second):
    own, parts = rules.subsets[g], rules.parts[g]
    if "I1" not in rules.without:
        found = [(-parts[p], p) for p in own if not any(jobs[p])]
        if found:
            return "I1", least(found)
    if second and rules.migration and "I2" not in rules.without:
        found = [(-parts[p], p) for p in own if guests_on(rules, jobs, p)]
        if found:
            return "I2", least(found)
    if rules.migration and "I3" not in rules.without:
        if rules.does("I3 anywhere"):
            outside = [(sum(row), p) for p, row in enumerate(jobs) if not parts[p]]
            if outside:
                return "I3", least(outside)
        elif found := [p for p in idle(jobs) if not parts[p]]:
            return "I3", [(1, p) for p in found]
    all_jobs, inverses = rules.does("I4 by all jobs"), rules.inverses[g]
    return "I4", least([(((sum(jobs[p]) if all_jobs else jobs[p][g]) + 1) * inverses[p], p) for p in own])


def pairs_of_M2(rules, left, q, printed):
    """Rule M2 of SVP: pairs of score and (group, processor), as printed or with p in the subset of the group."""
    found = []
    for p, row in enumerate(left):
        if p != q and sum(row) >= 2:
            for h, count in enumerate(row):
                if count and rules.parts[h][q] and (printed or rules.parts[h][p]):
                    # On an idle q, as printed, one job more means 1; the other reading comes with jobs on q.
                    found.append((count * rules.inverses[h][p] - (left[q][h] + 1) * rules.inverses[h][q], (h, p)))
    return found


def pairs_of_M3(rules, left, q, printed):
    """Rule M3 of SVP: pairs of score and (group, processor), as printed or with a job of the group there."""
    return [
        (count * rules.inverses[h][p], (h, p))
        for p, row in enumerate(left)
        if p != q and sum(row) >= 2
        for h, count in enumerate(row)
        if rules.parts[h][p] and (printed or count)
    ]


def largest(pairs):
    """The choices with the largest score."""
    return least([(-score, choice) for score, choice in pairs])


def _svp_migration(rules, left, g, q):
    if any(left[q]) and not rules.does("every departure"):
        return None, []
    order = ("M1", "M2", "M4", "M3") if rules.does("M4 before M3") else ("M1", "M2", "M3", "M4")
    for name in order:
        if name not in rules.without:
            found = _SVP_RULES[name](rules, left, q)
            if found:
                return name, found
    return None, []


def _svp_m1(rules, left, q):
    found = [(-sum(row), p) for p, row in enumerate(left) if p != q and beside(rules, left, p)]
    return (
        [(chance, (h, p)) for _, p in least(found) for chance, h in shares_of(guests_on(rules, left, p))]
        if found
        else []
    )


def _svp_m2(rules, left, q):
    found = pairs_of_M2(rules, left, q, rules.does("pairs as printed"))
    return largest(found) if found else []


def _svp_m3(rules, left, q):
    found = pairs_of_M3(rules, left, q, rules.does("pairs as printed"))
    return largest(found) if found else []


def _svp_m4(rules, left, q):
    found = [
        (rules.parts[h][q], (h, p))
        for p in range(len(left))
        if p != q
        for _, h in guests_on(rules, left, p)
        if rules.parts[h][q]
    ]
    if not found:
        return []
    by_processor = rules.does("M4 by processor")
    return [(1 if by_processor else left[p][h], (h, p)) for _, (h, p) in largest(found)]


_SVP_RULES = {"M1": _svp_m1, "M2": _svp_m2, "M3": _svp_m3, "M4": _svp_m4}


def _dvp_placement(rules, jobs, g, second):
    if rules.migration and "I1" not in rules.without and (found := idle(jobs)):
        return "I1", [(1, p) for p in found]
    share, required, more = rules.obtained(jobs, g), rules.shares[g], Fraction(1, rules.processors)
    if rules.does("plain sums"):
        required, more = float(required), 1 / rules.processors
    keys = [((row[g], sum(row)), p) for p, row in enumerate(jobs)]
    present = [(key, p) for key, p in keys if key[0]]
    if share >= required + (0 if rules.does("I2 from r") else more):
        fewest = [p for _, p in least([(key[0], p) for key, p in present])]
        if len(present) == 1:
            return "I2 without a candidate", [(1, present[0][1])]
        found = []
        for dropped in fewest:
            rest = least([(key, p) for key, p in present if p != dropped])
            found += [(Fraction(1, len(fewest) * len(rest)), p) for _, p in rest]
        return "I2", found
    if share >= required:
        return "I3", least(present)
    return "I4", least(keys)


def standing(rules, jobs, h):
    """Which of M1, M2 and M3 of DVP speaks of a group."""
    share, required, more = rules.obtained(jobs, h), rules.shares[h], Fraction(1, rules.processors)
    if share < rules.feasible(jobs, h):
        return "M1"
    if rules.does("plain sums"):
        required, more = float(required), 1 / rules.processors
    return "M2" if share < required + more else "M3"


def _dvp_migration(rules, left, g, q):
    if any(left[q]) and not rules.does("every departure"):
        return None, []
    crowded = [p for p, row in enumerate(left) if p != q and sum(row) >= 2]
    if not crowded:
        return None, []
    under = [standing(rules, left, h) for h in range(len(left[q]))]
    for name in ("M1", "M2", "M3"):
        pairs = [(h, p) for p in crowded for h, count in enumerate(left[p]) if count and under[h] == name]
        if pairs and name not in rules.without:
            best = [p for _, p in least([(-sum(left[p]), p) for p in {p for _, p in pairs}])]
            found = []
            for p in sorted(best):
                eligible = [
                    h for h, count in enumerate(left[p]) if count and (under[h] == name or rules.does("any group"))
                ]
                chosen = least([(-left[p][h], h) for h in eligible])
                found += [(Fraction(1, len(chosen)), (h, p)) for _, h in chosen]
            return name, found
    return None, []


PLACEMENTS = {"JSQ": _jsq_placement, "HP": _hp_placement, "SVP": _svp_placement, "DVP": _dvp_placement}
MIGRATIONS = {"JSQ": _jsq_migration, "HP": _hp_migration, "SVP": _svp_migration, "DVP": _dvp_migration}
