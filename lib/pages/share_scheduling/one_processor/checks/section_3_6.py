"""Claims of `thesis`, Section 3.6: what the chapter concludes of all seven policies, for two groups and for more."""

import functools
import itertools
from dataclasses import replace

import numpy as np

from clustershare import uniprocessor
from clustershare.estimates import Estimate, from_replications
from clustershare.results import NoExactAnswer
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, grid, widened
from compendium.press.clauses.conditions import agrees, at_least, at_most, equal, larger
from compendium.press.findings import check
from pages.share_scheduling.one_processor.points import FIGURES, LIMIT, in_plane, lows, stored_of
from pages.share_scheduling.one_processor.simulated import RISK, ROUNDING, agree, refused
from pages.share_scheduling.one_processor.systems import random_splits, two_groups
from pages.share_scheduling.one_processor.witnesses.paths import averages, intervals, largest_deviation

RUN = {"jumps": 10_000, "warmup": 3_000, "replications": 20}
ALWAYS = 1e-12  # up to which a deviation is not above 0 at an event


@check("thesis-3-115", only="PQ")
def the_only_one(only="GPPS"):
    """The largest group-share deviation over all workloads of Figures 3.5 to 3.14."""
    worst = cases("policy", uniprocessor.POLICIES).measure(
        lambda policy: max(lows(figure, policy).max() for figure in FIGURES)
    )
    others = tuple(policy for policy in uniprocessor.POLICIES if policy != only)
    return conclude(
        everywhere(f"the largest deviation of {only}", worst.at(policy=only), at_most(LIMIT)),
        everywhere("the largest deviation of another policy", worst.at(policy=others), larger(1e-3)),
        whole=True,
    )


@check("thesis-3-158", policy="HOL", figures=("3.14",))
def weights_of_groups_better(policy="PPS", figures=tuple(FIGURES)):
    """How far GPPS lies below PPS, at every point of five figures."""

    def off(figure, name):
        found = stored_of(figure, name).largest("group")
        return replace(found, value=found.value - lows(figure, name), half=found.half + ROUNDING)

    gaps = {figure: lows(figure, policy) - lows(figure, "GPPS") for figure in figures}
    return conclude(
        *(
            at_each(f"in Figure {figure} the deviation of {policy} less that of GPPS",
                    exact(gap, as_it_stands=True, point=None), at_least("much")) for figure, gap in gaps.items()
        ),
        provided=[
            everywhere(f"that of {name}, simulated less exact, in Figure {figure},", off(figure, name), agrees())
            for figure in figures for name in ("PPS", "GPPS") if (figure, name) != ("3.5", "PPS")  # there it is PS
        ],
    )  # fmt: skip


@functools.cache
def mismatched(loads):
    """The clauses on a mismatch of a half, the groups either way: simulations as exact, and all as with other names."""
    expected, found, exchanged = [], [], []
    for load, policy in itertools.product(loads, ("PS", "PPS", "GPPS")):
        own = []
        for x in (0.25, 0.75):
            system = two_groups(x, load, 1 - x)
            answer = uniprocessor.exact(policy, **system, tolerance=1e-4 if load < 0.85 else 1e-2)
            run = uniprocessor.simulate(policy, **system, **{**RUN, "jumps": 5_000}, seed=157).group_share_deviation
            own.append(answer.group_share_deviation)
            found.append(Estimate(run.value, run.half_width + answer.error))
        expected += own
        exchanged.append(np.abs(own[0] - own[1][::-1]).max())
    return (
        agree("at x = 0.25, r_1 = 0.75, either way, the deviation simulated less the exact one", expected, found),
        everywhere("there, the exact ones with the groups exchanged", exact(exchanged, system=None), equal(ROUNDING)),
    )


@check("thesis-3-157", policies=("PS", "GPPS"))
def mismatch_under_load(policies=("PS", "PPS"), loads=(0.7, 0.8, 0.9, 0.95)):
    """The mismatch of loads and required shares from which PS and PPS fall short (`thesis`, Section 3.6)."""
    clauses, holds, kept = [], {policy: [] for policy in policies}, {policy: [] for policy in policies}
    for load, policy in itertools.product(loads, policies):
        points = 10 if policy == "PS" else {0.9: 4, 0.95: 2}.get(load, 10)
        x, r, low, _ = in_plane(policy, load, points, 1e-4 if load < 0.85 else 1e-2).T
        off = np.abs(x - r) > 0.05 - 1e-9
        names = tuple(f"x = {a:.3g}, r_1 = {b:.3g}" for a, b in zip(x[off], r[off]))
        low = exact(low[off], point=names)
        clauses.append(at_each(f"at a load of {load:g} the deviation of {policy}", low, larger(LIMIT)))
        holds[policy].append((low.value > LIMIT).any())
        kept[policy].append(np.abs(x - r)[off][low.value <= LIMIT].max(initial=0))
    never = [in_plane("GPPS", load, 10)[:, 2].max() for load in loads if load < 0.85]
    other_half = grid(x=(0.15, 0.5, 0.85), r_1=(0.15, 0.35), load=loads[:2]).measure(
        lambda x, r, load: uniprocessor.exact("GPPS", **two_groups(x, load, r)).group_share_deviation.max()
    )
    systems = [((r, 1 - r), (load * x, load * (1 - x))) for load in loads
               for x, r in ((0.125, 0.875), (0.375, 0.625), (0.875, 0.625))]  # fmt: skip
    on_paths = cases("path", systems).measure(lambda *one: largest_deviation("GPPS", *one, events=300, seed=1))
    return conclude(
        *clauses,
        *(aside(f"{name} may keep all up to a mismatch of", exact(most, load=loads)) for name, most in kept.items()),
        provided=[
            everywhere("the largest deviation of GPPS in the plane", exact(never, plane=None), at_most(LIMIT)),
            everywhere("that in the other half of it", other_half, at_most(LIMIT)),
            everywhere("its largest deviation at an event", on_paths, at_most(ALWAYS)),
            *mismatched(loads),
            everywhere(
                "each policy falls short somewhere", exact([any(one) for one in holds.values()], policy=policies)
            ),
        ],
    )


@check("thesis-3-156", above=False)
def useless(above=True):
    """The share of group 2 beside permanent jobs of group 1: in the chain of the line, exact, on paths and simulated.

    The last two have its arrivals as they are.
    """

    def served(policy, one, two, r):
        permanent = (one, two) if above else (0, 2)
        line = uniprocessor.limiting(policy, (0.75, 0.25), (0.25, 0.25), 1.0, permanent)
        chain = uniprocessor.whole_line(policy, **line, most_jobs=3).performance.obtained_share[1]
        path = intervals(policy, (r, 1 - r), (0.25, 0.25), 1.0, permanent, events=300, seed=7)
        run = refused(policy, (r, 1 - r), (0.25, 0.25), 1.0, permanent, **{**RUN, "warmup": 0, "replications": 2})
        told = [chain - ALWAYS, run.obtained.value[1], sum(now.obtained(2)[1] * now.length for now in path)]
        try:
            stable = uniprocessor.limiting(policy, (r, 1 - r), (0.25, 0.25), 1.0, permanent)
            told.append(uniprocessor.exact(policy, **stable).obtained_share[1])
        except NoExactAnswer:
            pass
        return {"served": max(told), "alike": len({one > 0 for one in told}) == 1}

    def lower(policy, one, r):
        system = (r, 0.6 * (1 - r), 0.4 * (1 - r)), (0.25, 0.15, 0.1), 1.0, (one, 0, 0)
        exactly = uniprocessor.exact(policy, **uniprocessor.limiting(policy, *system)).obtained_share[1:]
        path = intervals(policy, *system, events=300, seed=7)
        return max(*exactly, sum(sum(now.obtained(3)[1:]) * now.length for now in path))

    witnesses = []
    if above:
        three = cases("setting", (("HOL", 2), ("HOL", 3), ("PQ", 1), ("PQ", 2), ("PQ", 3)))
        three = three.measure(lambda policy, one: max(lower(policy, one, r) for r in (0.51, 0.75, 0.99)))
        witnesses = [everywhere("of three groups, the service of the two lower ones", three, at_most(0))]
    found = grid(
        policy=("HOL", "PQ"),
        permanent_jobs=(1, 2, 3),
        those_of_group_2=(0, 1, 2),
        required_share=(0.51, 0.75, 0.99),
    ).measure(served)
    return conclude(
        at_each("the service of group 2", found["served"], at_most(0)),
        provided=[
            everywhere("group 2 is served in the chain, on paths, simulated and exactly, or in none,", found["alike"]),
            *witnesses,
        ],
    )


def workloads(groups):
    """Those of `thesis`, Figures 3.8, 3.10, 3.12, 3.14, the second group split, and random ones: by name."""
    parts = np.arange(groups - 1, 0, -1) / (groups * (groups - 1) / 2)  # unequal shares, and equal loads

    def split(share, load, permanent):
        return (share, *(1 - share) * parts), (load[0], *np.full(groups - 1, load[1] / (groups - 1))), permanent

    found = {
        "3.8, x = 0.2": split(0.51, (0.16, 0.64), 0),
        "3.8, x = 0.8": split(0.51, (0.64, 0.16), 0),
        "3.10": split(0.9, (0.4, 0.4), 0),
        "3.12": split(0.8, (0.25, 0.25), 1),
        "3.14": split(0.8, (0.25, 0.25), 2),
    }
    for number, (shares, loads) in enumerate(random_splits(4, groups, 0.6, 0.9, seed=groups)):
        found[f"random {number + 1}"] = tuple(shares), tuple(loads), 0
    return found


def lower_ends(policy, shares, loads, permanent, points):
    """The deviations, or the lower ends of their joint intervals where only a simulation answers: shape (groups,)."""
    try:
        if policy not in ("UD", "PPS", "GPPS"):
            stable = uniprocessor.limiting(policy, shares, loads, 1.0, permanent)
            return uniprocessor.exact(policy, **stable).group_share_deviation
    except NoExactAnswer:
        pass
    path = refused(policy, shares, loads, 1.0, permanent, **RUN)
    value = path.present.value - path.obtained.value / np.array(shares)
    doubt = path.present.half_width + path.obtained.half_width / np.array(shares)
    return value - widened(2 * points, RUN["replications"], RISK) * doubt


SHORT = {"jumps": 2_000, "warmup": 1_000, "replications": 20}


def confirmed(numbers):
    """Clauses that simulations, paths and two groups confirm the answers for so many groups."""
    answers, found, aggregated = [], {"present": [], "obtained": []}, []
    for number, policy in itertools.product(numbers, ("FCFS", "HOL", "PQ", "PS")):
        for shares, loads, permanent in workloads(number).values():
            try:
                answer = uniprocessor.exact(policy, **uniprocessor.limiting(policy, shares, loads, 1.0, permanent))
            except NoExactAnswer:
                continue
            answers.append(answer)
            run = refused(policy, shares, loads, 1.0, permanent, **SHORT)
            for quantity, rows in found.items():
                rows.append(getattr(run, quantity))
            for g in range(number) if policy in ("FCFS", "PS") else ():
                share, load = shares[g], loads[g]
                two = (1 - share, share), (sum(loads) - load, load), 1.0, ((number - 1) * permanent, permanent)
                other = uniprocessor.exact(policy, *two).group_share_deviation[1]
                aggregated.append(answer.group_share_deviation[g] - other)
    yield agree("simulated less exactly the part of the time that a group is present",
                [one.probability_present for one in answers], found["present"])  # fmt: skip
    yield agree("simulated less exactly the share that a group obtains",
                [one.obtained_share for one in answers], found["obtained"])  # fmt: skip
    yield everywhere("under FCFS and PS the deviation of a group and it beside all others as one",
                     exact(aggregated, group_of_a_workload=None), equal(1e-9))  # fmt: skip
    values, paths = [], []
    for number in numbers:
        system = workloads(number)["3.12"]
        run = refused("PPS", *system[:2], 1.0, system[2], jumps=300, warmup=0, replications=200).obtained
        path = from_replications([
            averages(*system[:2], 1.0, system[2], policy="PPS", events=300, seed=seed).obtained for seed in range(20)
        ])  # fmt: skip
        values.append(run.value)
        paths.append(Estimate(path.value, path.half_width + run.half_width))
    yield agree("under PPS the share that a group obtains on paths of single jobs less it simulated", values, paths)


@check("thesis-3-159", policies=("FCFS", "HOL", "UD", "PQ", "PS", "GPPS"))
def not_only_two_groups(policies=("FCFS", "HOL", "UD", "PQ", "PS", "PPS")):
    """For which workloads of three, four and six groups somebody falls short of the promised share."""
    numbers = (3, 4, 6)

    def largest(groups, policy):
        systems = workloads(groups).values()
        low = [np.nanmax(lower_ends(policy, *system, groups * len(systems))) for system in systems]
        return {"largest": max(low), "number": np.sum(np.array(low) > 1e-9)}

    def of_hol(groups):
        """Whether those below starve beside permanent jobs, and how far those in front fall short for another's job."""
        ends = [lower_ends("HOL", *workloads(groups)[name], 9 * groups) for name in ("3.14", "3.10")]
        return {"starved": (ends[0][1:] == 1).all(), "in front": ends[1][0]}

    def sharing(groups):
        return max(
            largest_deviation("GPPS", shares, loads, 1.0, permanent, events=100, seed=number)
            for number, (shares, loads, permanent) in enumerate(workloads(groups).values())
        )

    def exactly(policy):
        """In two workloads of three groups, the largest exact deviation less its bound."""
        low = []
        for name in ("3.8, x = 0.2", "3.8, x = 0.8"):
            answer = uniprocessor.exact(policy, *workloads(3)[name][:2], tolerance=0.05)
            low.append((answer.group_share_deviation - answer.error).max())
        return max(low)

    found = grid(number_of_groups=numbers, policy=policies).measure(largest)
    domain = cases("number of groups", numbers)
    head_of_line = domain.measure(of_hol)
    return conclude(
        everywhere("the largest deviation in nine workloads", found["largest"], larger(1e-9)),
        everywhere("of three groups the largest exact deviation of PPS, bound off,", exact(exactly("PPS")), larger()),
        everywhere("that of GPPS", exact(exactly("GPPS")), at_most(0)),
        everywhere("under HOL all groups below starve in 3.14", head_of_line["starved"]),
        everywhere("under HOL group 1's deviation in 3.10", head_of_line["in front"], larger()),
        everywhere("under GPPS the largest deviation at an event", domain.measure(sharing), at_most(ALWAYS)),
        everywhere("under GPPS the largest lower end of a simulated deviation",
                   domain.measure(lambda groups: largest(groups, "GPPS")["largest"]), at_most(ALWAYS)),
        *(
            aside(f"workloads of {n} groups in which somebody falls short", found["number"].at(number_of_groups=n))
            for n in numbers
        ),
        provided=list(confirmed(numbers)),
        whole=True,
    )  # fmt: skip
