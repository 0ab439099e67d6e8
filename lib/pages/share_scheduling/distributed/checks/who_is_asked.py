"""Claims of `thesis`, Section 6.4.3: whom a processor asks, and whether it matters."""

import itertools
import random
from fractions import Fraction

import numpy as np

from clustershare import dispatch
from clustershare.dispatch import distributed_kernel_draws as draws
from compendium.press.findings import Finding, check, finding, over_domain
from compendium.press.words import SCALE
from pages.share_scheduling.distributed import recorded
from pages.share_scheduling.distributed.measured import (
    DEVIATION,
    LOSS,
    Measured,
    above,
    measured,
)
from pages.share_scheduling.distributed.preferences import PAIRS, of_jsq, of_others
from pages.share_scheduling.distributed.printed_probing import inclusion, probe_set_law
from pages.share_scheduling.distributed.printed_rules import whole_parts
from pages.share_scheduling.distributed.simulated import joint
from pages.share_scheduling.distributed.small_states import twelfths
from pages.share_scheduling.distributed.systems import LIMITS, POLICIES

CLEAR, CLOSE = SCALE["clear"].least, SCALE["close"].most
DRAWN, DRAWS = 20, 20_000


def said_of_set(own, limit, processors, parts, own_counts=False):
    """Inclusion by the section's words where the group's subset has whole processors only: list of Fraction."""
    members = [p for p in range(processors) if parts[p] and p != own]
    others = [p for p in range(processors) if not parts[p] and p != own]
    offered = len(members) + (own_counts and bool(parts[own]))
    inside = Fraction(min(limit, offered), len(members)) if members else Fraction(0)
    beyond = Fraction(max(limit - offered, 0), len(others)) if others else Fraction(0)
    return [inside if p in members else beyond if p in others else Fraction(0) for p in range(processors)]


@check("thesis-6-119", own_counts=True)
def who_is_asked(own_counts=False):
    """The law of the set by words, by enumeration and by the library; in the control the own processor is offered."""
    wrong, number = 0, 0
    for shares, P in itertools.product(twelfths(30), range(2, 13)):
        X = whole_parts(shares, P)
        for g, own, limit in itertools.product(range(len(shares)), range(P), range(P)):
            asked = {"required_shares": shares, "processors": P, "group": g, "own": own, "probe_limit": limit}
            found, number = dispatch.probe_law("VP", **asked), number + 1
            if all(part in (0, 1) for part in X[g]):
                wrong += found != said_of_set(own, limit, P, X[g], own_counts)
            elif P <= 5:
                wrong += found != inclusion(probe_set_law(own, limit, P, X[g]), P)
            if g == 0:
                alike = dispatch.probe_law("HP", **asked)
                wrong += alike != [Fraction(limit, P - 1) if p != own else 0 for p in range(P)]
    worst, counted = _of_kernel()
    score, sets = _upon_departures()
    return finding(
        f"wrong for {wrong} of {number} systems, groups, processors and limits; {DRAWN} times {DRAWS} sets of "
        "the kernel "
        f"at most {worst:.1f} half widths from the law, of {joint(counted, DRAWS):.1f} for all together; {sets} "
        "sets of "
        f"departures and of periodic probing on paths with VP preference at most {score:.1f} standard "
        f"deviations from HP's",
        not wrong and worst <= joint(counted, DRAWS) and score <= 3,
    )


def _of_kernel():
    """The largest distance of drawn sets from the law, in half widths, and how many numbers were compared."""
    rng, chosen, worst, counted = np.random.default_rng(119), random.Random(119), 0.0, 0
    for shares in chosen.sample(twelfths(30), DRAWN):
        P = chosen.randint(3, 12)
        g, own, limit = chosen.randrange(len(shares)), chosen.randrange(P), chosen.randint(1, P - 1)
        subsets, found = draws.subsets(dispatch.partition(list(shares), P)), np.zeros(limit, np.int64)
        count = np.zeros(P)
        for _ in range(DRAWS):
            draws.draw_set(rng, subsets, g, own, found)
            count[found] += 1
        asked = {"required_shares": shares, "processors": P, "group": g, "own": own, "probe_limit": limit}
        known = np.array(dispatch.probe_law("VP", **asked), float)
        half = 1.96 * np.sqrt(known * (1 - known) / DRAWS)
        free = half > 0
        worst = max(worst, (np.abs(count / DRAWS - known)[free] / half[free]).max(initial=0.0))
        worst = np.inf if (count / DRAWS != known)[~free].any() else worst
        counted += int(free.sum())
    return worst, counted


def _upon_departures():
    """How far sets of departures and of periodic probings are from HP's, by who is asked relative to the asker."""
    count, expected, sets = np.zeros(10), np.zeros(10), 0
    for policy in POLICIES:
        for path in recorded.paths(policy, probing="VP"):
            for event in path.events:
                if event.what == "probes" and event.probing.why != "arrival" and path.setting.limit < 9:
                    sets += 1
                    expected[1:] += path.setting.limit / 9
                    for other in event.probing.others:
                        count[(other - event.processor) % 10] += 1
    return float(np.abs((count - expected)[1:] / np.sqrt(expected[1:])).max()), sets


def _effects(case):
    """What the probing preference changes, and the arrival preference: two `Measured`, shape (2, 8)."""
    found = of_jsq(DEVIATION, case).part((slice(None), slice(1, 9)))
    horizontal, mixed, other, vertical = (found.part(k) for k in range(len(PAIRS)))
    probing = [mixed - horizontal, vertical - other]
    arrival = [other - horizontal, vertical - mixed]
    return [Measured(*(np.stack(part) for part in zip(*pair))) for pair in (probing, arrival)]


@check("thesis-6-120", low=slice(4, 8))
def probe_set_matters(low=slice(0, 4)):
    """Effects of the probing and of the arrival preference under JSQ; the control takes five to eight for low "
    "limits."""
    high = slice(0, 4) if low.start else slice(4, 8)
    wide, parts, said = joint(2 * 2 * 8 * 2), ([], [], []), []
    for case in (1, 2):
        probing, arrival = _effects(case)
        least = (np.abs(probing.value) - wide * probing.half).max(axis=0)
        ends, most = ((np.abs(each.value) + wide * each.half).max(axis=0) for each in (probing, arrival))
        parts[0].extend(least[low] >= CLEAR)
        parts[1].extend(2 * most[low] <= least[low])
        parts[2].append(least[low].max() > ends[high].max())
        said.append(
            f"case {case}, one to four asked: probing {', '.join(f'{each:.3f}' for each in _largest(probing)[:4])}, "
            f"arrival {', '.join(f'{each:.3f}' for each in _largest(arrival)[:4])}, probing beyond at most "
            f"{_largest(probing)[4:].max():.3f}"
        )
    return Finding(
        f"{'; '.join(said)}; significant at {sum(parts[0])} of 8 points, twice the other at {sum(parts[1])}, "
        "more at low "
        f"limits in {sum(parts[2])} of 2 cases",
        "agrees" if all(map(all, parts)) else "agrees in part" if any(map(any, parts)) else "differs",
    )


def _largest(found):
    return np.abs(found.value).max(axis=0)


@check("thesis-6-122", pairs=("HP/HP",))
def like_static_vertical(pairs=("HP/VP", "VP/VP")):
    """Placements at home, and differences from SVP; the control has HP for both, with one asked."""
    control = pairs == ("HP/HP",)
    asked = (1,) if control else (1, 2)
    home, near, largest = [], [], {}
    number = 3 * 2 * len(pairs) * len(asked) * 2
    for case, pair in itertools.product((1, 2), pairs):
        places = [LIMITS.index(limit) for limit in asked]

        def at(quantity, index=None, case=case, pair=pair, places=places):
            jsq = of_jsq(quantity, case, index).part((PAIRS.index(pair), places))
            others = _others(pair, quantity, case, index, asked)
            every = [jsq, *(others.part(k) for k in range(3))]
            return Measured(*(np.stack(part) for part in zip(*every)))  # JSQ, HP, SVP, DVP

        home.append(above(at("placed_in_subset", 0), number, 0.5))
        apart = []
        for quantity in (DEVIATION, LOSS):
            found = at(quantity)
            gap = Measured(*(np.stack(part) for part in zip(*(found.part(k) - found.part(2) for k in (0, 1, 3)))))
            apart.append(np.abs(gap.value) <= CLOSE + joint(number) * gap.half)
            largest[case, pair, quantity] = np.abs(gap.value).max()
        near.append(np.all(apart, axis=0))
    both = [at_home[[0, 1, 3]] & close for at_home, close in zip(home, near)]
    return over_domain(
        f"more than half at home at {sum(each.sum() for each in home)} of {sum(each.size for each in home)} "
        "points; at most "
        f"{CLOSE:g} from SVP at {sum(each.sum() for each in near)} of {sum(each.size for each in near)}; largest "
        "differences "
        + "; ".join(
            f"{pair} in case {case}: deviation {largest[case, pair, DEVIATION]:.3f}, loss "
            f"{largest[case, pair, LOSS]:.3f}"
            for case, pair in itertools.product((1, 2), pairs)
        ),
        np.concatenate([each.ravel() for each in both]),
    )


def _others(pair, quantity, case, index, asked):
    """HP, SVP and DVP with a pair of preferences at one and two asked, or at one: `Measured`, shape (3, limits)."""
    if pair != "HP/VP":
        return of_others(pair, quantity, case, index).part((slice(None), slice(0, len(asked))))
    return measured(
        "preferences", quantity, "probe_limit", policies=("HP", "SVP", "DVP"), index=index, case=case,
        arrival_preference="HP", probing_preference="VP", probe_limit=asked,
    )  # fmt: skip
