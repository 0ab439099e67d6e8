"""Claims of `thesis`, Section 5.6.3: unequal promises and equal loads, without migration."""

import itertools
from fractions import Fraction as F

import numpy as np

from clustershare.dispatch import partition
from compendium.press import words
from compendium.press.clauses import at_each, cases, conclude, everywhere, fact, grid, mended, mostly, none, somewhere
from compendium.press.clauses.conditions import (
    agrees,
    at_least,
    at_most,
    equal,
    larger,
    not_larger,
    smaller,
    within,
)
from compendium.press.findings import check
from pages.share_scheduling.central.points import by_case as points
from pages.share_scheduling.central.points.by_case import CASES, DEVIATION, LOSS, SPREAD, VERTICAL
from pages.share_scheduling.central.printed.rules import Rules, placement
from pages.share_scheduling.central.systems import LOCAL, SHARES
from pages.share_scheduling.central.witnesses.as_printed import chain_as_printed
from pages.share_scheduling.central.witnesses.compiled import Compiled
from pages.share_scheduling.central.witnesses.groups_apart import loss_on_two
from pages.share_scheduling.central.witnesses.paths import hp_as_by_chain, not_apart, one_loss_of_few, one_path

CASE = "case 3"
WHOLE, FRACTIONAL = CASES[CASE].some(True), CASES[CASE].some(False)  # of r_1 P


def _at(found, size):
    """The points at r_1 P."""
    return found.at(share=round(size / 10, 12))


@check("thesis-5-056", policies=("SVP", "SVP"))
def shares_and_loss(policies=SPREAD):
    """One path whatever the shares, stored points of HP/GPPS, and exact chains on two processors."""
    first, second = policies
    exactly = grid(load=(0.1, 0.2, 0.3), fraction=(0.1, 0.2, 0.3, 0.4, 0.5)).measure(
        lambda load, x: np.ptp([loss_on_two("HP", "GPPS", share, load, x) for share in (0.5, 0.7, 0.9)])
    )
    paths = [one_path(first, "share", SHARES), one_path(second, "share", SHARES, ("PS",))]
    pairs = [("JSQ", "PS"), ("JSQ", "GPPS"), ("HP", "PS")] if policies == SPREAD else []
    return conclude(
        *paths,
        everywhere("on two processors, by chains, the losses of HP with GPPS whatever the share", exactly, equal(1e-9)),
        provided=[
            *paths,
            *(one_loss_of_few(pairs, (0.5, 0.7, 0.9), (0.3,)) if pairs else []),
            hp_as_by_chain(local=("GPPS",), share=(0.5, 0.7, 0.9), fraction=(0.3,)),
            not_apart(second, CASE, "share", ("GPPS",)),
            everywhere("the losses of both policies", points.of(CASE, LOSS).at(policy=policies), at_most(0.1)),
        ],
    )


@check("thesis-5-061", trouble="GPPS")
def where_problems_arise(trouble="PS"):
    """Large deviations of the vertical policies, and where they are small; the control looks for trouble with GPPS."""
    found = points.of(CASE).at(policy=VERTICAL)
    large = f"the deviation with {trouble} if processors are shared", found.at(local_policy=trouble, share=FRACTIONAL)
    return conclude(
        at_each(*large, larger(0.05)),
        at_each("the deviation if none is", found.at(share=WHOLE), at_most(0.05)),
        at_each("the deviation with GPPS", found.at(local_policy="GPPS"), at_most(0.05)),
        provided=[somewhere(*large, larger(0.05))],
    )


@check("thesis-5-062", shares=WHOLE)
def static_or_dynamic(shares=FRACTIONAL):
    """SVP/GPPS against DVP/GPPS at fractional r_1 P; the control looks at whole ones."""
    found = points.of(CASE).at(local_policy="GPPS", share=shares)
    gap, both = found.at(policy="DVP") - found.at(policy="SVP"), found.at(policy=VERTICAL).largest("policy")
    return conclude(
        at_each("the deviation under DVP less that under SVP", gap, larger(), at_most("close")),
        at_each("the larger deviation", both, at_most(0.05)),
        provided=[everywhere("the larger deviation less 0.05", both - 0.05, not_larger())],
        together="share",
    )


@check("thesis-5-170", better="PS")
def gain_from_local_policy(better="GPPS"):
    """What JSQ and HP gain from GPPS, and which is lower with it; the control has PS in its place."""
    found = points.of(CASE).at(share=SHARES[1:])
    gain, own = found.at(local_policy="PS") - found.at(local_policy=better), found.at(local_policy=better)
    return conclude(
        at_each("what GPPS takes off the deviation under JSQ and HP", gain.at(policy=SPREAD), larger("clear")),
        at_each("with it, the deviation under JSQ less that under HP",
                own.at(policy="JSQ") - own.at(policy="HP"), larger()),
        at_each("what it takes off under HP less that under JSQ", gain.at(policy="HP") - gain.at(policy="JSQ"),
                larger()),
    )  # fmt: skip


@check("thesis-5-172", policy="JSQ")
def loss_and_subsets(policy="SVP"):
    """The loss of SVP between whole numbers of processors, and across them; n by n."""
    found = points.of(CASE, LOSS).at(policy=policy)
    limit = points.estimates(_at(found, 6)).scaled(0) - (-0.2)  # at a critical point there is a limit only

    def near(n):
        inside = found.at(share=tuple(round((n + part) / 10, 12) for part in (0.25, 0.5, 0.75)))
        before, after = (limit if policy == "SVP" and k == 6 else _at(found, min(k, 9)) for k in (n, n + 1))
        last = _at(found, n + 0.75)
        return {
            "little": inside.smallest("share") - inside.largest("share").scaled(1 - words.SCALE["comparable"].most),
            "lower": before - _at(found, n + 0.25), "kept": last - (after if n < 9 else last),
        }  # fmt: skip

    gaps = cases("n", range(5, 10)).measure(near)
    return conclude(
        at_each("the least loss on n to n + 1 processors less 0.8 of the largest", gaps["little"], at_least(0)),
        at_each("the loss on n processors less that a little beyond", gaps["lower"], larger()),
        at_each("the loss a little before n + 1 less that there", gaps["kept"], not_larger()),
        together=("n", "local policy"),
    )


@check("thesis-5-173", policy="DVP", local=("GPPS",))
def balance_of_processors(policy="SVP", local=LOCAL):
    """Busy fractions at whole r_1 P, exactly, against those of the stored points a quarter of a processor further."""
    found = {
        name: points.of(CASE, name).at(policy=policy, local_policy=local) for name in ("busy_range", "busy_spread")
    }

    def exactly(n):
        sizes = (partition([n / 10, 1 - n / 10], 10) > 0).sum(axis=1)
        busy = np.repeat(np.minimum(1, 4 / sizes), sizes)
        return {"busy_range": np.ptp(busy), "busy_spread": busy.std()}

    def further(n):
        before = exactly(n)
        return {name: _at(each, n + 0.25) - before[name] for name, each in found.items()}

    gaps = cases("n", range(5, 10)).measure(further)
    whole = cases("n", range(7, 10)).measure(lambda n: _at(found["busy_spread"], n) - exactly(n)["busy_spread"])
    return conclude(
        *(
            at_each(f"a little beyond n processors, the {name} of busy fractions less that on n", gaps[key], smaller())
            for key, name in (("busy_range", "range"), ("busy_spread", "standard deviation"))
        ),
        together=("n", "local policy"),
        provided=[everywhere("on n processors, the standard deviation as simulated less that", whole, agrees())],
    )  # fmt: skip


@check("thesis-5-174", shares=WHOLE)
def dynamic_loses_less(shares=FRACTIONAL):
    """DVP/GPPS against the other three at fractional r_1 P, and all four at whole; the control looks at whole only."""

    def rest(quantity, at):
        found = points.by_combination(points.of(CASE, quantity).at(policy=VERTICAL, share=at))
        others = found.at(combination_of_policies=("SVP/PS", "SVP/GPPS", "DVP/PS"))
        return others - found.at(combination_of_policies="DVP/GPPS")

    lost = "the loss of the other three less that of DVP with GPPS", rest(LOSS, shares)
    return conclude(
        at_each(*lost, larger("much")),
        *(
            everywhere(f"if no processor is shared, that difference of the {name}", rest(quantity, WHOLE), agrees())
            for quantity, name in ((LOSS, "loss"), (DEVIATION, "deviation"))
        ),
        provided=[somewhere(*lost, larger())],
    )


@check("thesis-5-178", policies=("SVP",), local=("PS",))
def no_teeth(policies=SPREAD, local=LOCAL):
    """The deviation between whole processors against the straight line from one to the next, or against that at 9."""
    found = points.of(CASE).at(policy=policies, local_policy=local)

    def between(numbers):
        sizes = [(n, part) for n in numbers for part in (0.25, 0.5, 0.75)]
        return cases("r_1 P", sizes, names=[f"{n + part:g}" for n, part in sizes])

    excess = between(range(5, 9)).measure(
        lambda n, part: _at(found, n + part) - _at(found, n).scaled(1 - part) - _at(found, n + 1).scaled(part)
    )
    beyond = between([9]).measure(lambda n, part: _at(found, n + part) - _at(found, n))
    return conclude(
        at_each("the deviation from n to n + 1 processors less the straight line", excess, at_most("very close")),
        at_each("the deviation beyond 9 processors less that at 9", beyond, at_most("very close")),
    )


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
    library = Compiled("DVP", (float(share), 1 - float(share)), P, local=local).outcomes(jobs, g)
    return name, places, places == {p for to in library for p in range(P) if to[p] != jobs[p]}


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
    with_ps = [_choice(share, state(n, aliens=1), 1, "PS") for n in (1, 10, 49)]

    def hardly(queue):
        """Whether an alien under PS takes a hundredth at most of what group 2 has with so many jobs."""
        before, now = (_obtained(share, state(queue, aliens=k), "PS")[1] for k in (0, 1))
        return words.allows("practically equal", float(1 - now / before))

    steps = {
        "group 2 keeps to two processors": r2 <= o2 < r2 + F(1, P) and keeps == "I3" and own == set(OTHERS),
        "it overloads them": F(4, 10) * P > len(OTHERS),
        "a job of group 1 joins it": o1 == F(8, 10) and o1 < r1 and first == "I4" and where == set(OTHERS),
        "this alien gets r_1": _obtained(share, crowded, "GPPS")[0] - o1 == r1 / P,
        "o_2 drops below r_2": after == F(1, 10) + r2 / P and after < r2,
        "a job of group 2 enters the others": enters == "I4" and entered == set(OWN),
        "it gets r_2 there": part == r2 / P,
        "with PS it stays": all(_obtained(share, state(n, aliens=1), "PS")[1] >= r2 for n in range(1, 60))
        and all(where <= set(OTHERS) and alike for _, where, alike in with_ps),
        "group 2 is as good as alone from 49 jobs on": hardly(49) and not hardly(8),
        "the library does the same": alike and alike_too and alike_three,
    }
    return conclude(*(fact(step, holds, f"it is not so that {step}") for step, holds in steps.items()), whole=True)


@check("thesis-5-086", share="0.75")
def rule_of_the_alien(share="0.85"):
    """The rule whose condition holds at o_1 = 0.8, and what I3 would do; the control promises 0.75."""
    jobs = state(20)
    o1 = _obtained(share, jobs, "PS")[0]
    name = "I4" if o1 < F(share) else "I3" if o1 < F(share) + F(1, P) else "I2"
    found, where, alike = _choice(share, jobs, 0, "PS")
    kept = _choice("0.75", jobs, 0, "PS")[1] == set(OWN)  # what I3 does with the same jobs
    return mended(
        fact("rule I3 holds, as printed", name == found == "I3", f"at o_1 = 0.8 and r_1 = {share} I3 does not hold"),
        fact("rule I4 holds", name == found == "I4", f"rule {name} holds"),
        fact("in the library too it sends the job to group 2", alike and where == set(OTHERS),
             "the job is not sent to group 2"),
        fact("I3 would keep it on its own processors", kept, "I3 would not keep it on its own processors"),
        chain_as_printed(("DVP",), [(3, (F(3, 7), F(4, 7)))], (False,)),
    )  # fmt: skip


def _story(quantity, policy, local, group=None):
    """A quantity at r_1 = 0.85."""
    return points.of(CASE, quantity, group=group).at(policy=policy, local_policy=local, share=0.85)


@check("thesis-5-175", local="GPPS")
def exclusive(local="PS"):
    """Loss of DVP against SVP's, and on how many processors group 2 is."""
    held = _story("processors_held", "DVP", local, group=1)
    return conclude(
        everywhere(f"the loss of SVP less that of DVP with {local}",
                   _story(LOSS, "SVP", LOCAL) - _story(LOSS, "DVP", local), within("practically equal")),
        everywhere("the number of processors of group 2 less 2", held - 2, within(0.05)),
    )  # fmt: skip


@check("thesis-5-176", policy="SVP")
def many_processors(policy="DVP"):
    """Processors that hold group 2, and how much lower the loss is with GPPS."""
    many, few = (_story("processors_held", policy, local, group=1) for local in ("GPPS", "PS"))
    return conclude(
        everywhere("the number of processors of group 2 with GPPS", many, at_least(4)),
        everywhere("that number less twice that with PS", many - few.scaled(2), at_least(0)),
        everywhere("the loss with PS less that with GPPS", _story(LOSS, policy, "PS") - _story(LOSS, policy, "GPPS"),
                   larger("clear")),
    )  # fmt: skip


@check("thesis-5-177", below=6)
def service_on_the_shared(below=10):
    """Shares at which group 2 overloads its processors, and what group 1 gets on the shared one under SVP."""

    def of_group_1(share):
        """X_1p of the shared processor: what r_1 P is beyond whole ones."""
        return float(F(str(share)) * P % 1)

    def shared(share):
        both = {local: Compiled("SVP", (share, round(1 - share, 12)), P, local=local) for local in LOCAL}
        parts, own_part = both["PS"].policy.parts, of_group_1(share)  # (processors, groups)
        p = int(np.flatnonzero((parts > 0).all(axis=1))[0])
        got = np.empty((2, 3, 3))  # with so many jobs of group 1 and of group 2
        for k, local in enumerate(LOCAL):
            for i, j in np.ndindex(3, 3):
                jobs = [[0, 0] for _ in range(P)]
                jobs[p] = [i + 1, 10 ** (j + 1)]
                got[k, i, j] = both[local].served(jobs)[p, 0]
        own, least = np.flatnonzero(parts[:, 1] == 1), []  # the latter: probabilities that the shared one gets the job
        for local, k, n in itertools.product(LOCAL if len(own) else (), (1, 2, 3), (10, 100)):
            enough = int(round((n + 1) / (1 - own_part), 9))  # so that (n + 1) / X is below m + 1
            for m in (enough, enough + 1):
                jobs = [[0, 0] for _ in range(P)]
                jobs[p] = [k, n]
                for q in own:
                    jobs[q] = [0, m]
                there = tuple(tuple(one if q != p else [k, n + 1]) for q, one in enumerate(jobs))
                least.append(float(both[local].outcomes(tuple(map(tuple, jobs)), 1).get(there, 0)))
        return {
            # Group 1 takes of the shared processor what it takes; with any of it the load 4 is too much for the rest.
            "overloaded": 0.4 * P >= (parts[:, 1] > 0).sum(), "falling": (np.diff(got[0]) < 0).all(),
            "least": got[0, :, 2].max(), "by jobs": np.abs(got[0, :, 1] - [k / (k + 100) for k in (1, 2, 3)]).max(),
            "kept": np.abs(got[1] - own_part).max(), "comes": min(least, default=1.0),
        }  # fmt: skip

    chosen = tuple(share for share in FRACTIONAL if 0.5 < share < below / 10)
    found = cases("share", chosen).measure(shared)
    growth = points.of(CASE, "growth", group=1).at(policy="SVP", share=chosen)
    most = found["overloaded"].value.mean() > 0.5
    large = tuple(one for one, over in zip(chosen, found["overloaded"].value) if over and of_group_1(one) >= 0.5)
    rows = {name: points.of(CASE, quantity, group=0).at(policy="SVP", share=large)
            for name, quantity in (("number of jobs", "mean_jobs"), ("deviation", DEVIATION)) if large}  # fmt: skip
    return conclude(
        fact("group 2 overloads its processors at most shares", most, "group 2 overloads its processors at few shares"),
        *(
            mostly(f"by how many jobs of group 2 there become more in a unit of time, with {local},",
                   growth.at(local_policy=local), larger())
            for local in LOCAL
        ),
        everywhere("the probability that a job of group 2 joins the shared one where (n + 1) / X_2p is least there",
                   found["comes"], at_least(1)),
        everywhere("with PS group 1 gets less of the shared one the more jobs of group 2 are there", found["falling"]),
        everywhere("what it gets beside 1000 of them", found["least"], at_most(0.01)),
        everywhere("what it gets beside 100 of them and its part of the jobs", found["by jobs"], equal(1e-12)),
        everywhere("what it gets with GPPS and X_1p", found["kept"], equal(1e-12)),
        *(
            everywhere(f"group 1's {name} with PS less that with GPPS, where X_1p is at least 1/2,",
                       each.at(local_policy="PS") - each.at(local_policy="GPPS"), larger())
            for name, each in rows.items()
        ),
        whole=True,
    )  # fmt: skip


@check("thesis-5-055", groups=3)
def two_groups(groups=2):
    """Sizes of subsets with two groups; the control splits the first of them in two."""
    wrong = 0
    systems = list(itertools.product(range(1, 21), (F(k, 60) for k in range(1, 60))))
    for P, first in systems:
        shares = [first, 1 - first] if groups == 2 else [first / 2, first / 2, 1 - first]
        X = partition(shares, P)
        part, whole = [int(share * P) for share in shares], (first * P).denominator == 1
        cut = [(0 < column).all() and column.sum() == 1 for column in X.T if (column < 1).all()]
        wrong += not (
            [-int(-share * P // 1) for share in shares] == list((X > 0).sum(axis=1))
            and list((X == 1).sum(axis=1)) == part
            and cut == ([] if whole else [True])
            and (whole or part[1] == P - part[0] - 1)
        )
    return conclude(none(len(systems), "system", "had subsets of other sizes", wrong), whole=True)
