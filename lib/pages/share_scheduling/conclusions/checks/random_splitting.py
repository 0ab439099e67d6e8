"""Claims of `thesis`, Section 7.1, items 4, 5 and 8: dynamic policies, static ones, and vertical partitioning."""

import itertools

import numpy as np

from compendium.press.findings import Finding, check, over_domain
from compendium.press.words import SCALE
from pages.share_scheduling.central.points.by_case import TEN
from pages.share_scheduling.central.systems import LOCAL
from pages.share_scheduling.conclusions import compared
from pages.share_scheduling.conclusions.compared import DEVIATION, EQUAL, FIGURES, LOSS, QUANTITIES, WITH, WITHOUT

MUCH = SCALE["much"].least


@check("thesis-7-001", instead="VPRS")
def shortest_queue_against_vertical(instead="JSQ"):
    """Both quantities of JSQ against VPRS where the groups require whole processors; the control takes VPRS for JSQ."""
    lower = {quantity: [] for quantity in QUANTITIES}
    by_case = {}
    for name, migration in FIGURES:
        for local in LOCAL:
            for quantity, found in lower.items():
                holds, known = compared.below(name, migration, (instead, local), ("VPRS", None), quantity)
                found.append(holds[known])
            case = f"{name}{' with migration' if migration else ''}"
            by_case.setdefault(case, []).append(lower[DEVIATION][-1] & lower[LOSS][-1])
    for quantity, found in lower.items():
        for migration in (WITHOUT, WITH):
            mine, around, static = compared.of_a_hundred(migration, quantity)
            chance = static["VPRS"]
            found.append(chance - (chance if instead == "VPRS" else mine) > around + EQUAL)
        mine, chance = compared.of_two(quantity)
        found.append(chance - (chance if instead == "VPRS" else mine) > EQUAL)
    lower = {quantity: np.concatenate(found) for quantity, found in lower.items()}
    both = lower[DEVIATION] & lower[LOSS]
    said = compared.parts({QUANTITIES[quantity]: found for quantity, found in lower.items()} | {"both": both})
    cases = compared.parts({name: np.concatenate(found) for name, found in by_case.items()})
    return over_domain(f"lower: {said}; both, by case: {cases}", both)


@check("thesis-7-008", instead=True)
def dramatically(instead=False):
    """JSQ against HPRS and VPRS; in the control each of these takes the place of JSQ."""
    half, much, lower, relative = [], [], [], []

    def judge(dev, around, loss, wide, theirs, lost):
        half.append((loss + wide <= (1 - MUCH) * lost) & (lost > EQUAL))
        much.append(theirs - dev - around >= MUCH)
        lower.extend([theirs - dev > around + EQUAL, lost - loss > wide + EQUAL])
        relative.append((dev + around <= (1 - MUCH) * theirs)[theirs > SCALE["close"].most])

    for (name, migration), local, other in itertools.product(FIGURES, LOCAL, ("HPRS", "VPRS")):
        against = (other, local if other == "HPRS" else None)
        mine = against if instead else ("JSQ", local)
        values = [
            *compared.value(name, migration, mine), *compared.value(name, migration, mine, LOSS),
            compared.value(name, migration, against)[0], compared.value(name, migration, against, LOSS)[0],
        ]  # fmt: skip
        known = ~np.isnan(values[4]) & ((other == "VPRS") | (compared.loads(name) <= 0.9 + EQUAL))
        judge(*(each[known] for each in values))
    for migration, other in itertools.product((WITHOUT, WITH), ("HPRS", "VPRS")):
        (dev, around, static), (loss, wide, lost) = (compared.of_a_hundred(migration, each) for each in QUANTITIES)
        if instead:
            dev, around, loss, wide = static[other], 0 * around, lost[other], 0 * wide
        judge(dev, around, loss, wide, static[other], lost[other])
    half, much, lower, relative = map(np.concatenate, (half, much, lower, relative))
    said = compared.parts({"loss at most half": half, "Delta^G lower by 0.5": much, "one of both lower": lower})
    verdict = "agrees" if half.all() and much.all() else "agrees in part" if lower.any() else "differs"
    return Finding(
        f"{said}; where random splitting has Delta^G above {SCALE['close'].most:g}, JSQ has at most half of it at "
        f"{int(relative.sum())} of {len(relative)} points", verdict,
    )  # fmt: skip


@check("thesis-7-015", instead="HPRS")
def vertical_against_horizontal(instead=None):
    """VPRS against HPRS, SVP and DVP against HP; the control takes HPRS in place of the vertical ones."""
    groups = {}
    for name in ("two processors", "case 1", "case 1 against P", "case 2", "case 3"):
        for local in LOCAL:
            vertical = (instead, local) if instead else ("VPRS", None)
            holds, known = compared.below(name, WITHOUT, vertical, ("HPRS", local))
            groups.setdefault("VPRS", []).append(holds[known])
    for other, label in (("HP", ""), ("JSQ", " than JSQ")):
        for name, migration in FIGURES:
            for first, second in compared.combinations((instead,) if instead else ("SVP", "DVP"), (other,)):
                holds, known = compared.below(name, migration, first, second)
                key = f"SVP and DVP{label} {'with' if migration else 'without'} migration"
                groups.setdefault(key, []).append(holds[known])
    groups = {name: np.concatenate(found) for name, found in groups.items()}
    judged = np.concatenate([found for name, found in groups.items() if "JSQ" not in name])
    loss = [
        compared.below(name, WITHOUT, second, first, LOSS)[0]
        for name in TEN
        for first, second in compared.combinations(("SVP", "DVP"), ("HP",))
    ]
    loss = np.concatenate(loss)
    return over_domain(
        f"Delta^G lower: {compared.parts(groups)}; without migration the loss of SVP and DVP is higher than that of "
        f"HP at {loss.sum()} of {len(loss)} points",
        judged,
    )
