"""Claims of `thesis`, Section 5.6.3: a story of required shares 0.85 and 0.15, and jobs on strange ground."""

from fractions import Fraction as F

import numpy as np

from compendium.press import words
from compendium.press.findings import check, erratum, finding, over_domain, yes
from pages.share_scheduling.central.compiled import Compiled
from pages.share_scheduling.central.printed_rules import Rules, placement
from pages.share_scheduling.central.systems import SHARES
from pages.share_scheduling.central.unequal import ends, points, whole

P = 10
OWN, OTHERS = range(8), (8, 9)  # where group 1 and group 2 are in the story


def state(queue, aliens=0, guests=0):
    """Eight processors with one job of group 1, two with a queue of group 2; and one alien or guest where asked for."""
    jobs = [[1, 0] for _ in OWN] + [[0, queue] for _ in OTHERS]
    jobs[8][0] += aliens
    jobs[0][1] += guests
    return tuple(map(tuple, jobs))


def _obtained(share, jobs, local):
    """Shares of both groups by the printed rules, after a comparison with the library's."""
    rules = Rules("DVP", (F(share), 1 - F(share)), P, local=local)
    served = Compiled("DVP", (float(share), 1 - float(share)), P, local=local).served(jobs)
    found = [rules.obtained(jobs, g) for g in (0, 1)]
    if np.abs(served.sum(axis=0) / P - np.array(found, float)).max() > 1e-12:
        raise ValueError("The printed rules and the library divide the processors differently.")
    return found


def _choice(share, jobs, g, local):
    """Which rule places a job of a group, and where: by the printed rules, and whether the library agrees."""
    rules = Rules("DVP", (F(share), 1 - F(share)), P, local=local)
    name, choices = placement(rules, jobs, g)
    places = {p for _, p in choices}
    library = {
        p for to in Compiled("DVP", (float(share), 1 - float(share)), P, local=local).outcomes(jobs, g)
        for p in range(P) if to[p] != jobs[p]
    }  # fmt: skip
    return name, places, places == library


@check("thesis-5-060", share="0.8")
def story_of_an_alien(share="0.85"):
    """Each step of the story, by the printed rules and the library's; the control promises 0.8 and 0.2."""
    r1, r2 = F(share), 1 - F(share)
    quiet, queue = state(20), 20
    o1, o2 = _obtained(share, quiet, "PS")
    first, where, alike = _choice(share, quiet, 0, "GPPS")
    keeps, own, alike_too = _choice(share, quiet, 1, "GPPS")
    crowded = state(queue, aliens=1)
    after = _obtained(share, crowded, "GPPS")[1]
    enters, entered, alike_three = _choice(share, crowded, 1, "GPPS")
    part = _obtained(share, state(queue, aliens=1, guests=1), "GPPS")[1] - after
    steps = {
        "group 2 keeps to two": r2 <= o2 < r2 + F(1, P) and keeps == "I3" and own == set(OTHERS),
        "overloads them": F(4, 10) * P > len(OTHERS),
        "group 1 joins it": o1 == F(8, 10) and o1 < r1 and first == "I4" and where == set(OTHERS),
        "the alien gets r_1": _obtained(share, crowded, "GPPS")[0] - o1 == r1 / P,
        "o_2 drops below r_2": after == F(1, 10) + r2 / P and after < r2,
        "group 2 enters": enters == "I4" and entered == set(OWN),
        "and gets r_2": part == r2 / P,
        "with PS it stays": all(_obtained(share, state(n, aliens=1), "PS")[1] >= r2 for n in range(1, 60))
        and all(_choice(share, state(n, aliens=1), 1, "PS")[1] <= set(OTHERS) for n in (1, 10, 49)),
        "as good as alone from 49 jobs on": _hardly(share, 49) and not _hardly(share, 8),
        "library alike": alike and alike_too and alike_three,
    }
    failing = [name for name, right in steps.items() if not right]
    return finding(
        f"{len(steps) - len(failing)} of {len(steps)} steps{' fail: ' * bool(failing)}{', '.join(failing)}",
        not failing,
    )


def _hardly(share, queue):
    """Whether an alien under PS takes from group 2, with so many jobs there, a hundredth of what it has at most."""
    before, after = _obtained(share, state(queue), "PS")[1], _obtained(share, state(queue, aliens=1), "PS")[1]
    return words.allows("practically equal", float(1 - after / before))


@check("thesis-5-086", share="0.75")
def rule_of_the_alien(share="0.85"):
    """The rule whose condition holds at o_1 = 0.8, and what I3 would do; the control promises 0.75."""
    jobs = state(20)
    o1 = _obtained(share, jobs, "PS")[0]
    conditions = {
        "I2": o1 >= F(share) + F(1, P),
        "I3": F(share) <= o1 < F(share) + F(1, P),
        "I4": o1 < F(share),
    }
    (name,) = (rule for rule, holds in conditions.items() if holds)
    found, where, alike = _choice(share, jobs, 0, "PS")
    kept = _choice("0.75", jobs, 0, "PS")[1] == set(OWN)  # what I3 does with the same jobs
    return erratum(
        f"at o_1 = 0.8 and r_1 = {share} rule {name} holds, in the library too: {yes(alike)}; it sends "
        f"the job {'to group 2' if where == set(OTHERS) else 'to its own'}, I3 keeps it on its own",
        name == found == "I3",
        name == found == "I4" and alike and where == set(OTHERS) and kept,
    )


def _at(share):
    return SHARES.index(share)


def _ends(key, quantity, index=None, share=0.85):
    """The point at r_1 = 0.85 with both ends of its interval: estimate, lower, upper."""
    low, high = ends("share", quantity, index, widen=1)
    return (points("share", quantity, index)[0][key][_at(share)], low(*key)[_at(share)], high(*key)[_at(share)])


@check("thesis-5-175", policy=("DVP", "GPPS"))
def exclusive(policy=("DVP", "PS")):
    """Loss against SVP's, and on how many processors group 2 is."""
    loss, low, high = _ends(policy, "capacity_loss")
    gaps = []
    for local in ("PS", "GPPS"):
        other, least, most = _ends(("SVP", local), "capacity_loss")
        gaps.append((abs(loss - other) + (high - low + most - least) / 2) / max(loss, other))
    held, *between = _ends(policy, "processors_held", 1)
    parts = [max(gaps) <= words.SCALE["practically equal"].most, max(abs(end - 2) for end in between) <= 0.05]
    return over_domain(
        f"loss within {max(gaps):.3f} of that of SVP, PS and GPPS; group 2 on {held:.2f} processors", parts
    )


@check("thesis-5-176", policy="SVP")
def many_processors(policy="DVP"):
    """Processors that hold group 2, and how much lower the loss is with GPPS."""
    held, low, _ = _ends((policy, "GPPS"), "processors_held", 1)
    _, _, high = _ends((policy, "GPPS"), "capacity_loss")
    _, least, _ = _ends((policy, "PS"), "capacity_loss")
    fall = 1 - high / least
    return over_domain(
        f"group 2 on {held:.1f} processors; loss lower by {fall:.2f} of it", [low >= 4, words.allows("clear", fall)]
    )


@check("thesis-5-177", between=(5, 6))
def service_on_the_shared(between=(5, 10)):
    """Shares at which group 2 overloads its processors, and what group 1 gets on the shared one under SVP."""
    shares = [share for share in SHARES if not whole(share) and between[0] < share * P < between[1]]
    overloaded, hardly, kept = 0, True, True
    for share in shares:
        pair = (share, round(1 - share, 12))
        both = {local: Compiled("SVP", pair, P, local=local) for local in ("PS", "GPPS")}
        parts = both["PS"].policy.parts  # (processors, groups)
        shared = int(np.flatnonzero((parts > 0).all(axis=1))[0])
        # Group 1 takes of the shared processor what it takes; with any of it the load 4 is too much for the rest.
        overloaded += 0.4 * P > (parts[:, 1] > 0).sum() or (0.4 * P == (parts[:, 1] > 0).sum())
        for k in (1, 2, 3):
            got = []
            for n in (10, 100, 1000):
                jobs = [[0, 0] for _ in range(P)]
                jobs[shared] = [k, n]
                got.append(both["PS"].served(jobs)[shared, 0])
                kept &= abs(both["GPPS"].served(jobs)[shared, 0] - parts[shared, 0]) <= 1e-12
            hardly &= got[0] > got[1] > got[2] and got[2] <= 0.01 and abs(got[1] - k / (k + 100)) <= 1e-12
    return finding(
        f"group 2 overloads its processors at {overloaded} of {len(shares)} shares; with 1000 of its jobs on the "
        f"shared one, group 1 gets {'0.01 or less' if hardly else 'more than 0.01'} of it with PS and "
        f"{'X_1p' if kept else 'not X_1p'} with GPPS",
        overloaded > len(shares) / 2 and hardly and kept,
    )
