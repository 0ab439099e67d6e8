"""Claims of `thesis`, Section 5.6.2: equal promises and unequal loads, without migration."""

import itertools

import numpy as np

from clustershare.dispatch import exact_central, partition, simulate_central
from clustershare.splitting import vertical
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, fact, grid, mended, somewhere
from compendium.press.clauses.conditions import (
    agrees,
    at_least,
    at_most,
    between,
    equal,
    larger,
    never_rises,
    rises,
    smaller,
    within,
)
from compendium.press.findings import check
from pages.share_scheduling.central.points import by_case as points
from pages.share_scheduling.central.points.by_case import LOSS, SPREAD, VERTICAL
from pages.share_scheduling.central.systems import FRACTIONS, LOADS, LOCAL, several_groups
from pages.share_scheduling.central.witnesses import splits
from pages.share_scheduling.central.witnesses.compiled import Compiled
from pages.share_scheduling.central.witnesses.groups_apart import loss_on_two
from pages.share_scheduling.central.witnesses.paths import hp_as_by_chain, not_apart, one_loss_of_few, one_path
from pages.share_scheduling.central.witnesses.two_processors import shortest_queue_loss

CASE, SOME = "case 2", FRACTIONS[1:]  # at 0 group 1 brings nothing


def _gained(found):
    """What GPPS takes off."""
    return found.at(local_policy="PS") - found.at(local_policy="GPPS")


@check("thesis-5-049", policies=("JSQ",))
def nothing_of_group_one(policies=VERTICAL):
    """Loss and growth of the stored points at fraction 0, against a balance of flow."""
    loss = points.of(CASE, LOSS).at(policy=policies, fraction=0.0) - 0.5
    growth = points.of(CASE, "growth", group=1).at(policy=policies, fraction=0.0) - 0.3
    return conclude(
        everywhere("the loss less 0.5, as estimated,", points.estimates(loss), within(0.01)),
        everywhere("the loss less 0.5", loss, agrees("is 0 within its interval")),
        everywhere("the growth less 0.3, as estimated,", points.estimates(growth), within(0.01)),
        whole=True,
    )


@check("thesis-5-051", policies=("SVP", "SVP"))
def split_and_loss(policies=SPREAD):
    """One path whatever the split, stored points, and HP by exact chains on two processors."""
    first, second = policies
    exactly = grid(load=(0.1, 0.2, 0.3), local_policy=LOCAL).measure(
        lambda load, local: np.ptp([loss_on_two("HP", local, 0.5, load, x) for x in (0.1, 0.2, 0.3, 0.4, 0.5)])
    )
    own = [one_path(first, "fraction", FRACTIONS), not_apart(first, CASE, "fraction")]
    by_library = one_loss_of_few([(first, local) for local in LOCAL], (0.5,), (0.1, 0.5)) if first == "JSQ" else []
    return conclude(
        *own,
        not_apart(second, CASE, "fraction"),
        everywhere("on two processors, by chains, the losses of HP whatever the fraction", exactly, equal(1e-9)),
        provided=[*own, *by_library, hp_as_by_chain(local=LOCAL, share=(0.5,), fraction=(0.1, 0.5))],
    )


@check("thesis-5-052", policies=("SVP",))
def largest_deviation(policies=SPREAD):
    """The largest point of each policy with GPPS, with its interval."""
    found = points.of(CASE).at(policy=policies, local_policy="GPPS").largest("fraction")
    return conclude(everywhere("the largest deviation with GPPS", found, between(0.07, 0.17)))


@check("thesis-5-053", first="HPRS")
def worse_than_shortest_queue(first="JSQ"):
    """HP against JSQ at every fraction above 0; the control compares it with HPRS."""
    found = points.of(CASE, policies=(first, "HP")).at(fraction=SOME)
    return conclude(
        at_each("the deviation under HP less that under JSQ", found.at(policy="HP") - found.at(policy=first), larger())
    )


@check("thesis-5-165", vertical=("JSQ",), others=("HP",))
def not_restrained(vertical=VERTICAL, others=SPREAD):
    """Losses of the vertical policies, against a bound, against an exact value, and against the others."""
    found = points.of(CASE, LOSS)
    over = tuple(x for x in FRACTIONS if x < 0.375)
    own = found.at(policy=vertical)
    off = points.estimates(own.at(fraction=over) - (0.5 - 0.8 * np.array(over)))
    wide = (own.low(own.widened(own.asked)) > 0.1).mean(axis=-1).min() >= 0.5
    names, gap = " and ".join(vertical), points.less(found, vertical, others)
    return conclude(
        at_each(f"the loss of {names} less that of {' and '.join(others)}", gap, larger("much")),
        everywhere("it less what group 2 leaves idle where it overloads its processors, as estimated,", off,
                   within(0.01)),
        fact(f"{names} lose more than 0.1 at half of the fractions", wide,
             f"{names} do not lose more than 0.1 at half of the fractions"),
        provided=[somewhere("the former", gap, larger("much"))],
    )  # fmt: skip


@check("thesis-5-167", unequal=True)
def little_gain(unequal=False):
    """What GPPS gains; the control looks at required shares of 0.85 and 0.15."""
    found = points.of("case 3").at(share=(0.85,)) if unequal else points.of(CASE)
    gained = _gained(found.at(policy=SPREAD))
    return conclude(
        at_each("what GPPS takes off the deviation", gained, at_most("practically equal")),
        at_each("it", gained, within("very close")),
    )


@check("thesis-5-168", policies=("HPRS",))
def smaller_unless_balanced(policies=VERTICAL):
    """The vertical policies against the others at each fraction; the control has HPRS in their place."""
    found = points.of(CASE, policies=(*SPREAD, *policies)).at(fraction=FRACTIONS[1:-1])
    gap = points.less(found, SPREAD, policies)
    far = gap.at(fraction=tuple(fraction for fraction in FRACTIONS[1:] if fraction <= 1 / 3))
    return conclude(
        at_each("the deviation under JSQ and HP less that under SVP and DVP", gap, larger()),
        provided=[everywhere("that if one group brings twice the load of the other or more", far, larger())]
        if policies == VERTICAL else [],
    )  # fmt: skip


@check("thesis-5-169", policies=("JSQ",))
def falls_without_balance(policies=VERTICAL):
    """Deviations of both groups and the larger one, from equal loads to one group alone."""
    found = {
        name: points.of(CASE, group=group).at(policy=policies)
        for name, group in (("the deviation", None), ("that of group 1", 0), ("that of group 2", 1))
    }

    def of_both(x):
        """What JSQ loses on the five processors of group 1, and the larger of both groups.

        It is 0 from a load of 1 on; at the one load between, 0.976, it is 0.0104, not the larger, and takes long.
        """
        own, others = (shortest_queue_loss(load, 5) if load < 0.95 else 0.0 for load in (1.6 * x, 1.6 * (1 - x)))
        return {"own": own, "larger": max(own, others)}

    exactly = cases("fraction", SOME).measure(of_both)
    inside = exactly["own"]
    return conclude(
        at_each("exactly, from a fraction to the next, the deviation", exactly["larger"].steps("fraction"), rises()),
        aside("what JSQ loses on five processors at half of the load and close to it", inside.at(fraction=SOME[-2:])),
        aside("that of group 2 where it overloads its processors",
              found["that of group 2"].at(fraction=tuple(x for x in FRACTIONS if x < 0.36))),
        provided=[
            *(
                everywhere(f"{name} less the lowest at fractions that are nearer to a half",
                           points.since_lowest(each.at(fraction=FRACTIONS[::-1]), "fraction"), never_rises())
                for name, each in found.items()
            ),
            *(
                everywhere(f"{name} at the fraction 0 less that at 0.5", each.at(fraction=0.0) - each.at(fraction=0.5),
                           smaller())
                for name, each in found.items()
            ),
            everywhere("from a fraction to the next up to 0.48, what JSQ loses on five processors",
                       inside.at(fraction=SOME[:-1]).steps("fraction"), rises()),
            everywhere("the deviation of group 1 less that",
                       found["that of group 1"].at(fraction=SOME[1:]) - inside.at(fraction=SOME[1:]).value, agrees()),
        ],
    )  # fmt: skip


@check("thesis-5-171", share=0.75)
def only_at_very_high_loads(share=None):
    """What GPPS and HP change, against the load; the control has unequal shares at load 0.8."""

    def changes(found):
        gaps = {f"the change by GPPS under {policy}": _gained(found.at(policy=policy)) for policy in SPREAD}
        with_gpps = found.at(local_policy="GPPS")
        gaps["the difference of HP and JSQ with GPPS"] = with_gpps.at(policy="HP") - with_gpps.at(policy="JSQ")
        return {name: gap.distance() for name, gap in gaps.items()}

    gaps = changes(points.of("case 1") if share is None else points.of("case 3").at(share=(share,)))
    high = tuple(load for load in LOADS if load >= 0.9)
    lower = {
        name: gap if share else gap.at(load=tuple(load for load in LOADS if load < 0.9)) for name, gap in gaps.items()
    }
    unequal = {} if share else changes(points.of(CASE).at(fraction=SOME))
    return conclude(
        *(everywhere(f"{name} at loads below 0.9", gap, at_most("practically equal")) for name, gap in lower.items()),
        *(everywhere(f"{name} with unequal loads", gap, at_most("practically equal")) for name, gap in unequal.items()),
        *(
            somewhere(f"{name} at higher loads", gap.at(load=high), larger(0.01))
            for name, gap in gaps.items() if share is None
        ),
        provided=[
            everywhere(f"{name} {where}", gap, at_most("close"))
            for where, each in {"at loads below 0.9": lower, "with unequal loads": unequal}.items()
            for name, gap in each.items()
        ],
    )  # fmt: skip


@check("thesis-5-179", share=0.75)
def where_groups_meet(share=0.5):
    """Who is served how where two groups meet, and on how many processors they do; the control has unequal shares."""
    alike = grid(policy=SPREAD, local_policy=LOCAL).measure(
        lambda policy, local: np.ptp(Compiled(policy, (share, 1 - share), 2, local=local).served(((1, 1), (0, 0)))[0])
    )

    def apart(policy, jobs):
        """By how much PS and GPPS serve groups otherwise that have so many jobs on a processor."""
        one, other = (Compiled(policy, (share, 1 - share), 2, local=local).served((jobs, (0, 0)))[0] for local in LOCAL)
        return np.abs(one - other).max()

    alone, beside = ((1, 0), (2, 0), (3, 0), (0, 1), (0, 2), (0, 3)), ((1, 2), (2, 1), (1, 3), (3, 1))
    case, where = ("case 3", {"share": (share,)}) if share > 0.5 else (CASE, {"fraction": FRACTIONS[4:]})
    meet, crowd = points.mixed(case), points.of(case, "mixed_processors", group=1)
    return conclude(
        at_each("the part of the processors with jobs of both groups",
                meet.at(policy=SPREAD, **where).scaled(0.1), at_least(0.1)),
        at_each("the part with jobs of both and three jobs or more", crowd.at(policy=SPREAD, **where).scaled(0.1),
                at_most(0.01)),
        provided=[
            everywhere("what one job each obtains on a processor", alike, equal(1e-12)),
            everywhere("what GPPS changes for a group alone", grid(policy=SPREAD, jobs=alone).measure(apart),
                       within(1e-12)),
            everywhere("what it changes where one job meets two or three of the other group",
                       grid(policy=SPREAD, jobs=beside).measure(apart), larger(0.1)),
        ],
    )  # fmt: skip


SYSTEMS = (*splits.subsets_of(2), *splits.subsets_of(3))


@check("thesis-5-166", last=False)
def all_in_the_smallest(last=True):
    """The loss with all load in the last group, against all other splits; the control puts it in the first."""

    def excess(*subsets):
        alone = splits.splits(len(subsets))[:, -1 if last else 0] == 1
        found = splits.losses(subsets)[1:8:2]
        return exact(found.max(axis=1) - found[:, alone][:, 0], load=(0.2, 0.4, 0.6, 0.8))

    def library(subsets, policy, local):
        """The loss by the library's chain less that by the chains of the subsets, at a low load."""
        P, parts = sum(subsets), splits.splits(len(subsets))
        by_library = [
            exact_central(policy, local=local, required_shares=[size / P for size in subsets],
                          loads=splits.LOADS[0] * part, processors=P, most_jobs=12).capacity_loss
            for part in parts[::5]
        ]  # fmt: skip
        return np.abs(by_library - splits.losses(subsets)[0][::5]).max()

    chosen = [subsets for subsets in SYSTEMS if last or len(set(subsets)) > 1]
    return conclude(
        at_each("the largest loss of all splits less that with all load in one group",
                cases("system", chosen).measure(excess), at_most(1e-7)),
        provided=[everywhere("the loss by the library's chain and by those of the subsets, at the load 0.1,",
                             cases("system", itertools.product(((1, 1), (2, 1)), VERTICAL, LOCAL)).measure(library),
                             equal(1e-6))],
    )  # fmt: skip


@check("thesis-5-050", group=0)
def largest_loss(group=-1):
    """Runs that overload the last group, and the largest loss of all splits; the control loads the first group."""

    def off(policy, *sizes):
        shares, loads = [size / sum(sizes) for size in sizes], [0.0] * len(sizes)
        loads[group] = (shares[-1] + 1) / 2
        found = simulate_central(
            **several_groups(policy, "PS", False, shares, loads, sum(sizes)), jumps=100_000, warmup=10_000,
            replications=1, seed=50,
        )  # fmt: skip
        return found.capacity_loss.value - (1 - shares[-1])

    systems = [
        (policy, *sizes)
        for P in range(2, 7) for G in (2, 3) for sizes in splits.subsets_of(G, P - 1) if sum(sizes) == P
        for policy in VERTICAL
    ]  # fmt: skip
    loss = points.of(CASE, LOSS).at(policy=VERTICAL)
    over = cases("system", SYSTEMS).measure(
        lambda *subsets: splits.losses(subsets).max() - (1 - subsets[-1] / sum(subsets))
    )
    return conclude(
        everywhere("the loss of a run that overloads the last group, less 1 - r_G,", cases("run", systems).measure(off),
                   within(0.01)),
        everywhere("the loss of the stored points where group 2 brings all, less 0.5,",
                   points.estimates(loss.at(fraction=0.0) - 0.5), within(0.01)),
        everywhere("the loss of the stored points less that where group 2 brings all",
                   loss.at(fraction=SOME) - loss.at(fraction=0.0), smaller()),
        everywhere("the largest loss of all splits less 1 - r_G", over, at_most(1e-9)),
        whole=True,
    )  # fmt: skip


@check("thesis-5-085", below=True)
def when_queues_grow(below=False):
    """Both conditions against the library's number of jobs of the last group; the control has low loads only.

    Each of the group's processors gets an equal part of the stream: there the mean number is that of M/M/1, once for
    each, or infinite.
    """
    rng, systems = np.random.default_rng(85), []
    for number in range(200):
        P = int(rng.integers(2, 13))
        cuts = np.sort(rng.choice(np.arange(1, P), int(rng.integers(1, P)), replace=False))
        sizes = sorted(np.diff([0, *cuts, P]).tolist(), reverse=True)
        last = sizes[-1] / P
        load = last * rng.random()
        if number % 2 and not below:
            load = last if number % 10 == 1 else last + (1 - last) * rng.random()
        systems.append((P, sizes, last, load))

    def found(P, sizes, last, load):
        shares, loads = [size / P for size in sizes], [0.0] * (len(sizes) - 1) + [load]
        number, own = vertical(shares, loads, P).mean_jobs[-1], (partition(shares, P)[-1] > 0).sum()
        each, grows = load * P / own, float(np.isinf(number))  # the load of one processor
        return {
            "printed": (load >= 1 / last) - grows, "corrected": (load >= last) - grows,
            "M/M/1": 0.0 if grows and each >= 1 else number * (1 - each) / (own * each) - 1,
        }  # fmt: skip

    def simulated(policy, P, sizes, last, load):
        """The growth of the last group's number, with all load in it, less what it brings too much."""
        loads = [0.0] * (len(sizes) - 1) + [load]
        answer = simulate_central(
            **several_groups(policy, "PS", False, [size / P for size in sizes], loads, P), jumps=30_000, warmup=0,
            replications=1, seed=85,
        )  # fmt: skip
        return answer.growth.value[-1] - max(0, load - last)

    few = [(policy, *system) for system in systems[:24] for policy in VERTICAL]
    gaps = cases("random system", systems, seed=85).measure(found)
    return mended(
        everywhere("the condition as printed and whether the number grows", gaps["printed"], equal(0)),
        everywhere("the condition as corrected and whether it grows", gaps["corrected"], equal(0)),
        everywhere("the mean number and that of M/M/1 on each processor of the group", gaps["M/M/1"], equal(1e-9)),
        everywhere(
            "the growth under SVP and DVP as simulated less what the load exceeds r_G by",
            cases("system", few).measure(simulated),
            within(0.03),
        ),
    )
