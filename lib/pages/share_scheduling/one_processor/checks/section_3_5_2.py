"""Claims of `thesis`, Section 3.5.2, Figures 3.12, 3.13, 3.14, 3.15: two groups beside permanent jobs."""

import functools
import itertools
from dataclasses import replace

import numpy as np
from scipy.special import comb

from clustershare import uniprocessor
from clustershare.arguments import UnstableError
from clustershare.estimates import Estimate, from_replications
from clustershare.results import NoExactAnswer
from clustershare.shares import feasible_group_share
from clustershare.uniprocessor.analysis import sharing_rule
from clustershare.uniprocessor.chain import distribution, tail
from clustershare.uniprocessor.model import Workload
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, fact, grid, measured, widened
from compendium.press.clauses.conditions import agrees, at_least, at_most, between, equal, larger, smaller
from compendium.press.findings import check
from pages.share_scheduling.one_processor.points import (
    BESIDE,
    POINTS,
    as_they_arrive,
    deviations_of,
    drawn,
    exactly_beside,
    larger_deviation,
    over_r,
    sharing_chain,
)  # fmt: skip
from pages.share_scheduling.one_processor.simulated import IN_BOUND, RISK, agree, bounded, refused, sampled, simulations
from pages.share_scheduling.one_processor.simulated import ROUNDING as SAME
from pages.share_scheduling.one_processor.systems import SHARES, beside_permanent_jobs, two_groups
from pages.share_scheduling.one_processor.witnesses.paths import averages, intervals

SIX = ("FCFS", "HOL", "UD", "PQ", "PS", "PPS")
QUARTERS = (0.25, 0.25)
ALL_POINTS = cases("required share", POINTS)
JOBS = "job_share_deviation"


def as_it_arrives(policy, permanent):
    """What paths with real arrivals give at each required share: both deviations, and the share of group 2."""

    def found(r):
        path = as_they_arrive(policy, permanent, r)
        first, second = deviations_of(path, r)[0]
        return {"first": first, "second": second, "served": path.obtained.value[1]}

    return ALL_POINTS.measure(found)


def starves(policies, permanent, number):
    """Clauses that group 1 alone is served, in simulations and exactly beside so many permanent jobs of each group."""
    whole = ALL_POINTS.measure(lambda r: 1 - 1 / r)
    for policy in policies:
        found = as_it_arrives(policy, permanent)
        answer = ALL_POINTS.measure(lambda r, policy=policy: exactly(policy, r, number)[0])
        curve = exact(drawn(policy, number), required_share=BESIDE)
        yield everywhere(f"under {policy} the share of group 2", found["served"], at_most(0))
        yield everywhere(f"under {policy} its deviation and 1", found["second"] - 1, equal(SAME))
        yield everywhere(f"under {policy} that of group 1 and 1 - 1/r_1", found["first"] - whole, equal(SAME))
        yield everywhere(f"exactly under {policy} that of group 1 and 1 - 1/r_1", answer - whole, equal(SAME))
        yield everywhere(f"as drawn for {policy} the larger deviation and 1", curve - 1, equal(SAME))


@check("thesis-3-102", policy="HOL")
def preemption_starves(policy="PQ", permanent=(1, 1)):
    """One permanent job of each group, arrivals as they are, against none (`thesis`, Figure 3.12)."""
    without = ALL_POINTS.measure(
        lambda r: 1 - uniprocessor.exact(policy, **two_groups(0.5, 0.5, r)).group_share_deviation.max()
    )
    return conclude(
        *starves((policy,), permanent, 1),
        everywhere("a deviation at a point of the figure less the exact one", off_points(policy, 1), agrees()),
        everywhere("1 less the deviation without permanent jobs", without, at_least("much")),
        whole=True,
    )


def largest_at_events(policy, permanent, events, seed):
    """The largest group-share deviation, either way, at any event of a path at each required share."""

    def worst(r):
        shares, path = (
            np.array([r, 1 - r]),
            intervals(policy, (r, 1 - r), QUARTERS, 1.0, permanent, events=events, seed=seed(POINTS.index(r))),
        )
        return max(
            np.abs(np.minimum(state.present(2), 1) - np.array(state.obtained(2)) / shares).max() for state in path
        )

    return ALL_POINTS.measure(worst)


@check("thesis-3-103", policy="PPS")
def exactly_met(policy="GPPS", permanent=(1, 1)):
    """The deviations at every event of a path, exactly, and at the points (`thesis`, Figure 3.12)."""
    paths = ALL_POINTS.measure(lambda r: np.abs(deviations_of(as_they_arrive(policy, permanent, r), r)[0]).max())
    answers = (exactly_beside(policy, r, permanent) for r in POINTS)
    answers = bounded([(np.abs(value).max(), bound) for value, bound in answers], "answer")
    at_events = largest_at_events(policy, permanent, 200, lambda k: k)
    return conclude(
        everywhere("the deviation at every event and 0", at_events, equal(1e-12)),
        everywhere("the deviation over a path and 0", paths, equal(SAME)),
        everywhere("the exact deviation", answers, IN_BOUND),
        everywhere("the deviation at a point of the figure", rounded(over_r(policy, 1)), agrees()),
        whole=True,
    )


def rounded(points):
    """Points whose intervals may have no width."""
    return replace(points, half=points.half + SAME)


def curve_of(policy, form, number):
    """Published points less a form of the required share: `Points`."""
    values = [[form(r), form(1 - r)] for r in SHARES]
    return over_r(policy, number) - exact(values, required_share=SHARES, group=(1, 2))


@check("thesis-3-104", permanent=(1, 2))
def first_come_curve(policy="FCFS", sharing="PS", permanent=None):
    """1 - 0.5 / r_1: the curve, the chain of PS, and the points of FCFS (`thesis`, Figures 3.12, 3.14)."""
    clauses = []
    for number in (1, 2):
        curves = cases("policy", (policy, sharing)).measure(
            lambda name, number=number: exact((drawn(name, number) - (1 - 0.5 / BESIDE)), required_share=BESIDE)
        )
        chains = ((r, *sharing_chain(sharing, r, permanent or number, 0.5)) for r in POINTS)
        chains = bounded([(value.max() - (1 - 0.5 / r), bound) for r, value, bound in chains])
        points = curve_of(policy, lambda r: 1 - 0.5 / r, number)
        some, beside = SHARES[2::3], f"beside {number} of each group"
        shared = simulations(
            "PS", [{**two_groups(0.5, 0.5, r), "permanent_jobs": permanent or number} for r in some],
            [(1 - 0.5 / r, 1 - 0.5 / (1 - r)) for r in some], jumps=20_000, warmup=2_000,
        )  # fmt: skip
        clauses += [
            everywhere(f"{beside} the curve and 1 - 0.5/r_1", curves, equal(SAME)),
            everywhere(f"{beside} PS simulated less 1 - 0.5/r_g", shared, agrees()),
            everywhere(f"{beside} the gap to the chain of {sharing}", chains, IN_BOUND),
            everywhere(f"{beside} a simulation less 1 - 0.5/r_g", points, agrees()),
        ]
    return conclude(*clauses, whole=True)


@check("thesis-3-105", policy="GPPS")
def weighted_curve(policy="PPS", permanent=None):
    """0.5 - 0.25 / r_1, by the chain and simulated (`thesis`, Figures 3.12, 3.14)."""
    clauses = []

    def form(r):
        return 0.5 - 0.25 / r

    for number in (1, 2):
        beside, chains = f"beside {number} of each group", []
        for r in POINTS:
            value, bound = exactly_beside(policy, r, permanent or (number, number))
            chains.append((np.abs(value - [form(r), form(1 - r)]).max(), bound))
        clauses += [
            everywhere(f"{beside} the gap of 0.5 - 0.25/r_g to the chain", bounded(chains), IN_BOUND),
            everywhere(f"{beside} a simulation less it", curve_of(policy, form, number), agrees()),
        ]
    return conclude(*clauses, ours=True)


def exactly(policy, share, permanent=1):
    """Both groups' deviations beside permanent jobs, exactly."""
    return uniprocessor.exact(policy, **beside_permanent_jobs(policy, share, permanent)).group_share_deviation


def off_points(policy, number):
    """The points of a figure less the exact deviations there."""
    held = exact([exactly(policy, r, number) for r in SHARES], required_share=SHARES, group=(1, 2))
    return rounded(over_r(policy, number) - held)


@check("thesis-3-107", policy="PQ")
def up_down_turns(policy="HOL", permanent=1):
    """UD against exact HOL at high shares of group 1: all groups, arrivals as they are (`thesis`, Figure 3.12)."""
    shares = (0.7, 0.71, 0.72, *(r for r in POINTS if r > 0.72))
    runs = [Estimate(*deviations_of(as_they_arrive("UD", permanent, r, 100_000, 10_000), r)) for r in shares]
    found = sampled(runs, required_share=shares, group=(1, 2))
    held = [exactly(policy, r, permanent) for r in shares]
    held = exact(held, required_share=shares, group=(1, 2))
    turn = uniprocessor.exact("HOL", **beside_permanent_jobs("HOL", 0.7, 1)).obtained_share[0]
    simulated = [Estimate(*deviations_of(as_they_arrive("HOL", 1, r), r)) for r in shares]
    alike = [np.subtract(*(exactly(name, r) for name in ("UD", "HOL"))) for r in shares if r > turn]
    high = tuple(r for r in SHARES if r > 0.72)
    in_figure = over_r("UD", permanent).at(required_share=high) - held.at(required_share=high)
    return conclude(
        at_each(f"a deviation less that of {policy}", found - held, agrees()),
        at_each("group 1's deviation", found.at(group=1), larger()),
        aside("the share that HOL gives group 1", exact(turn)),
        together="required share",
        provided=[
            everywhere(f"a deviation at a point of the figure less that of {policy}", in_figure, agrees()),
            agree("a simulation of HOL less the exact answer", [exactly("HOL", r) for r in shares], simulated),
            fact("from there on the exact deviations of UD and HOL are equal", np.max(np.abs(alike)) <= SAME,
                 "from there on the exact deviations of UD and HOL are not equal"),
        ],
    )  # fmt: skip


def confirmed():
    """Clauses that confirm deviations beside one permanent job of each group, and say who falls short."""
    five, some, high = [policy for policy in SIX if policy != "UD"], (0.6, 0.9), tuple(r for r in SHARES if r >= 0.8)

    def answer(policy, r):
        return exactly_beside("PPS", r, 1)[0] if policy == "PPS" else exactly(policy, r)

    def path(policy, r):
        return from_replications([
            1 - averages((r, 1 - r), QUARTERS, 1.0, 1, policy=policy, events=300, seed=seed).obtained / [r, 1 - r]
            for seed in range(20)
        ])  # fmt: skip

    def simulated(policy, r):
        return Estimate(*deviations_of(as_they_arrive(policy, 1, r, 5_000, 1_000), r))

    for text, points, found in (("simulation", POINTS, simulated), ("path of single jobs", some, path)):
        systems = list(itertools.product(five, points))
        yield agree(f"in a {text} a deviation less the exact one",
                    [answer(*one) for one in systems], [found(*one) for one in systems])  # fmt: skip
    short = grid(policy=five, required_share=high).measure(lambda policy, r: answer(policy, r)[int(policy == "PQ")])
    yield everywhere("the deviation of group 2 under PQ, of group 1 under the others,", short, larger())
    up_down = over_r("UD", 1).at(group=1, required_share=high)
    yield everywhere("that of group 1 under UD", up_down, larger())


@check("thesis-3-108", policies=("FCFS", "GPPS"))
def none_is_good(policies=SIX):
    """Where each policy has a deviation above 0 (`thesis`, Figure 3.12)."""

    def lowest(policy):
        """The larger deviation at each required share, the lower end of it."""
        if policy == "UD":
            points = over_r("UD", 1)
            return points.low(points.widened(points.asked)).max(axis=1)
        if policy in ("PPS", "GPPS"):
            return np.array([deviation.max() - error for deviation, error in
                             (exactly_beside(policy, r, 1) for r in POINTS)])  # fmt: skip
        return drawn(policy, 1)

    limit = 1e-7  # the first share is 1e-9 above a half
    largest = cases("policy", policies).measure(lambda policy: lowest(policy).max())

    def first(policy):
        shares = np.array(SHARES if policy == "UD" else POINTS if policy in ("PPS", "GPPS") else BESIDE)
        return shares[lowest(policy) > limit].min(initial=np.inf)

    return conclude(
        everywhere("the largest deviation", largest, larger(limit)),
        everywhere("the largest exact one of UD", exact(np.nanmax(drawn("UD", 1))), larger(limit)),
        everywhere("the largest of GPPS", exact(lowest("GPPS").max()), at_most(limit)),
        aside("the least r_1 at which it is above 0", cases("policy", policies).measure(first)),
        provided=[
            *confirmed(),
            everywhere(
                "at a point of the figure a deviation less the exact one",
                cases("policy", ("FCFS", "HOL", "PQ", "PPS", "GPPS")).measure(lambda policy: off_points(policy, 1)),
                agrees(),
            ),
        ],
        whole=True,
    )


@check("thesis-3-109", policy="PQ")
def head_of_line_better(policy="HOL"):
    """HOL against PQ as drawn, and the points of both (`thesis`, Figure 3.12)."""
    less = exact(drawn("PQ", 1) - drawn(policy, 1), as_it_stands=True, required_share=BESIDE)
    return conclude(
        everywhere(f"PQ's larger deviation less that of {policy}", less, larger(0.5)),
        everywhere("a simulated deviation of both less the exact one",
                   cases("policy", ("HOL", "PQ")).measure(lambda name: off_points(name, 1)), agrees()),
        whole=True,
    )  # fmt: skip


@check("thesis-3-111", permanent=(1, 2))
def both_starve(permanent=(2, 2), policies=("HOL", "PQ")):
    """Two permanent jobs of each group, arrivals as they are (`thesis`, Figure 3.14)."""
    in_figure = cases("policy", policies).measure(lambda policy: rounded(over_r(policy, 2).at(group=2) - exact(1.0)))
    return conclude(
        *starves(policies, permanent, 2),
        everywhere("the deviation of group 2 at a point of the figure less 1", in_figure, agrees()),
        whole=True,
    )


@check("thesis-3-112", permanent=1)
def both_exact(policy="UD", permanent=2):
    """UD over ever longer paths, arrivals as they are; GPPS at every event (`thesis`, Figure 3.14)."""
    lengths = (2_000, 8_000, 32_000)
    runs = [Estimate(*deviations_of(as_they_arrive(policy, permanent, r, jumps, 2_000), r))
            for r in POINTS for jumps in lengths]  # fmt: skip
    found = sampled(runs, required_share=POINTS, jumps=lengths, group=(1, 2))
    shrinks = np.exp(np.log(found.half[:, 0, 0] / found.half[:, 2, 0]).mean())
    in_chains = bounded([(np.abs(value).max(), bound) for r in POINTS
                         for value, bound in (exactly_beside("GPPS", r, permanent),)], "answer")  # fmt: skip
    in_figure = cases("policy", (policy, "GPPS")).measure(lambda name: rounded(over_r(name, permanent)))
    return conclude(
        everywhere(f"a deviation of {policy}", found, agrees()),
        # Over paths 16 times as long the spread falls by 16; by 4 if they were made of independent pieces.
        everywhere("the factor by which intervals shrink over paths 16 times as long", exact(shrinks), between(8, 32)),
        everywhere("under GPPS the deviation at every event and 0",
                   largest_at_events("GPPS", permanent, 100, lambda k: 1), equal(1e-12)),
        everywhere(f"the exact deviation of {policy} and 0",
                   ALL_POINTS.measure(lambda r: np.abs(exactly(policy, r, permanent)).max()), equal(SAME)),
        everywhere("the exact deviation of GPPS", in_chains, IN_BOUND),
        everywhere("a deviation at a point of the figure", in_figure, agrees()),
        whole=True,
    )  # fmt: skip


@check("thesis-3-113", permanent=1)
def job_shares(permanent=2, third="FCFS"):
    """HOL, PQ and FCFS: the curves, and the jobs' own records on paths (`thesis`, Figure 3.15)."""
    stated = {"HOL": 1.0, "PQ": 1.0, third: 0.5}

    def other_than_1(policy, r):
        path = intervals(policy, (r, 1 - r), QUARTERS, 1.0, permanent, events=150, seed=POINTS.index(r))
        return sum(state.job_share_deviation(0) != 1 for state in path)

    paths = [averages((0.6, 0.4), QUARTERS, 1.0, permanent, policy=third, events=1000, seed=seed) for seed in range(20)]
    records = [from_replications([[path.job_share_deviation, path.obtained] for path in paths])]

    def off_half(r):
        answer = uniprocessor.exact(third, **beside_permanent_jobs(third, r, permanent))
        return np.abs(np.array([answer.job_share_deviation, answer.obtained_share]) - 0.5).max()

    return conclude(
        everywhere("the curve and 1, 1 and 0.5", cases("policy", stated).measure(
            lambda policy: exact(drawn(policy, permanent, JOBS) - stated[policy], required_share=BESIDE)
        ), equal(SAME)),
        everywhere("the number of events at which group 1's job-share deviation under HOL and PQ is not 1",
                   grid(policy=("HOL", "PQ"), required_share=POINTS).measure(other_than_1), at_most(0)),
        everywhere(f"exactly under {third} both deviations and both shares, and 0.5,", ALL_POINTS.measure(off_half),
                   equal(SAME)),
        agree(f"0.5, against the deviation and the share under {third} on paths,", [np.full((2, 2), 0.5)], records),
        *(everywhere(f"the {name} of {third}, simulated, less 0.5", over_r(third, permanent, quantity) - 0.5, agrees())
          for name, quantity in (("job-share deviation", JOBS), ("share", "obtained_share"))),
        *(everywhere(f"that of group 1 under {policy}, simulated, less 1",
                     rounded(over_r(policy, permanent, JOBS).at(group=1) - exact(1.0)), agrees())
          for policy in ("HOL", "PQ")),
        whole=True,
    )  # fmt: skip


@check("thesis-3-114", permanent=1)
def between_them(policy="UD", permanent=2):
    """UD between FCFS and HOL: arrivals as they are (`thesis`, Figure 3.15)."""
    runs = [as_they_arrive(policy, permanent, r, 32_000, 2_000).job_share_deviation for r in POINTS]
    found = sampled(runs, required_share=POINTS, group=(1, 2)).largest("group")
    beyond, start = found.at(required_share=POINTS[1:]), found.at(required_share=POINTS[0])

    def larger_ones(name, shares):
        systems = [beside_permanent_jobs(name, r, permanent) for r in shares]
        return exact(larger_deviation(name, systems, JOBS), required_share=shares)

    ours, *others = (larger_ones(name, POINTS[1:]) for name in (policy, "FCFS", "HOL", "PQ"))
    in_figure = cases("policy", (policy, "FCFS", "HOL", "PQ")).measure(
        lambda name: rounded(over_r(name, permanent, JOBS).largest("group") - larger_ones(name, SHARES))
    )
    return conclude(
        everywhere("the larger exact deviation less that of FCFS", ours - others[0], larger()),
        everywhere("it less that of HOL", ours - others[1], smaller()),
        everywhere("it less that of PQ", ours - others[2], smaller()),
        everywhere("the larger simulated deviation of each less the exact one", in_figure, agrees()),
        everywhere("the larger deviation less 0.5, beyond a half,", beyond - 0.5, larger()),
        everywhere("the larger deviation less 1, beyond a half,", beyond - 1, smaller()),
        everywhere("the larger deviation less 0.5, at a half,", start - 0.5, agrees()),
        aside("it less r_1", found - np.array(POINTS)),
        whole=True,
    )


@check("thesis-3-155", permanent=(0, 1))
def always_there(permanent=(1, 1)):
    """The feasible share of group 1 on paths, beside permanent jobs and without (`thesis`, Section 3.5.2)."""

    def feasible(policy, r, permanent, seed):
        """The feasible shares of group 1 on a path, and how long each holds."""
        path = intervals(policy, (r, 1 - r), QUARTERS, 1.0, permanent, events=60, seed=seed)
        return np.transpose([(feasible_group_share(r, state.present(2)[0], 1), state.length) for state in path])

    def below(policy, r):
        paths = (feasible(policy, r, 0, seed) for seed in range(10))
        found = from_replications([np.average(shares, weights=lengths) for shares, lengths in paths])
        return measured(1 - found.value / r, found.half_width / r, runs=10, risk=RISK, as_it_stands=True)

    def absent(policy, r, permanent):
        """The part of the time that group 1 is absent in the library's simulation."""
        found = as_they_arrive(policy, permanent, r, 2000, replications=10).present
        return measured(1 - found.value[0], found.half_width[0], runs=10, risk=RISK, as_it_stands=True)

    def exactly_absent(permanent):
        """That part in the library's exact answers, where there are any, with their doubt on either side."""
        for policy, r in itertools.product(uniprocessor.POLICIES, shares):
            system = uniprocessor.limiting(policy, **two_groups(0.5, 0.5, r), permanent_jobs=permanent)
            try:
                found = uniprocessor.exact(policy, **system, tolerance=1e-3)
            except NoExactAnswer:
                continue
            yield 1 - found.probability_present[0], found.error

    shares = (0.5 + 1e-9, 0.6, 0.75, 0.9, 0.99)
    domain = grid(policy=uniprocessor.POLICIES, required_share=shares)
    always = domain.measure(lambda policy, r: np.abs(feasible(policy, r, permanent, 1)[0] - r).max())
    beside = domain.measure(lambda policy, r: float(absent(policy, r, permanent).value))
    return conclude(
        everywhere("at every event beside permanent jobs the feasible share of group 1 and r_1", always, equal(1e-12)),
        everywhere("without them, how far below r_1 the mean is, in parts,", domain.measure(below), larger()),
        everywhere("in the library's simulations the part of the time that group 1 is absent", beside, at_most(1e-12)),
        everywhere("that without permanent jobs", domain.measure(lambda policy, r: absent(policy, r, 0)), larger()),
        everywhere(
            "exactly, that part", exact([one for one, _ in exactly_absent(permanent)], answer=None), at_most(1e-12)
        ),
        everywhere(
            "exactly, that without permanent jobs",
            exact([one - doubt for one, doubt in exactly_absent(0)], answer=None),
            larger(),
        ),
        whole=True,
    )


FACTORS = (0.1, 0.5, 0.9, 1.0, 1.1, 1.5)  # loads over required shares
LEVEL = 28  # at which chains are cut
RATE = 2.0  # one over the mean service time, where the library answers


def brought(shares, factors):
    """Loads in proportion to the required shares, a factor each; None where they exceed the processor."""
    loads = np.multiply(shares, factors)
    return loads if loads.sum() < 1 - 1e-9 else None


def own_processor(occupied, permanent, most):
    """The law of the transient jobs of a group alone: n of them depart at the rate r n / (n + permanent)."""
    number = np.arange(most + 1)
    return (1 - occupied) ** (permanent + 1) * comb(number + permanent, permanent) * occupied**number


def off_own_processors(shares, factors, permanent, groups):
    """How far laws in the chain of all numbers are from those of groups alone, and how far the cut may move them."""
    work = Workload("GPPS", shares, np.multiply(shares, factors), 1.0, permanent)
    transient, probability = distribution(LEVEL, work, sharing_rule(work))
    full = transient.sum(axis=0) == LEVEL
    laws = [np.bincount(number, probability, LEVEL + 1) for number in transient]
    far = [np.abs(laws[g] - own_processor(factors[g], permanent[g], LEVEL)).max() for g in groups]
    return max(far), tail(work, transient[:, full], probability[full])


def off_own_means(shares, factors, permanent, groups, tolerance):
    """How far the library's exact mean numbers are from those of groups alone, and how far they may be off."""
    rates = np.multiply(shares, factors) * RATE
    try:
        found = uniprocessor.exact("GPPS", shares, rates, RATE, permanent, tolerance=tolerance)
    except UnstableError:
        return 1.0, 0.0
    means = [(permanent[g] + 1) * factors[g] / (1 - factors[g]) for g in groups]
    return np.abs(found.mean_jobs[list(groups)] - means).max(), found.error


def refuses_just(overloaded, *system):
    """Whether the library refuses to simulate, and to answer exactly, for just these groups; if none, it simulates."""

    def told(ask, **how):
        try:
            ask("GPPS", *system, **how)
        except UnstableError as error:
            return list(error.overloaded)
        except NoExactAnswer:
            pass
        return []

    if told(uniprocessor.simulate, jumps=100, warmup=0, replications=2) != overloaded:
        return False
    return not overloaded or told(uniprocessor.exact, tolerance=0.01) == overloaded


def grows(policy, shares, loads, permanent, jumps, replications, group=-1):
    """Whether the queue of a group grows over paths of T, 4T and 16T jumps, its arrivals left as they are."""
    means, doubts = [], []
    for length in (jumps, 4 * jumps, 16 * jumps):
        run = {"jumps": length, "warmup": 0, "replications": replications}
        found = refused(policy, shares, tuple(loads), 1.0, permanent, **run).jobs
        means.append(found.value[group])
        doubts.append(found.half_width[group])
    short, middle, long = means
    sure = long - middle > widened(2, replications, RISK) * (doubts[1] + doubts[2])
    return bool(sure and long > 1.5 * middle and middle > 1.5 * short)


@check("thesis-3-101", alone=True)
def processors_of_their_own(alone=False):
    """Chains and paths of GPPS against a birth-and-death chain of the group's own speed, and which are refused."""
    refusals, chains, answers, growing, expected, found = [], [], [], [], [], []
    for permanent, r in itertools.product((1, 2), (0.05, 0.25, 0.5, 0.75, 0.95)):
        shares, beside = (r, 1 - r), (permanent, 0 if alone else permanent)
        for factors in itertools.product(FACTORS, FACTORS):
            if (loads := brought(shares, factors)) is None:
                continue
            overloaded = [g for g in (0, 1) if factors[g] >= 1]
            refusals.append(refuses_just(overloaded, shares, loads * RATE, RATE, beside))
        for one in itertools.product((0.1, 0.5), (0.1, 0.5)):
            chains.append(off_own_processors(shares, one, beside, (0,)))
            if 0.2 < r < 0.8:  # the chains of others are long
                answers.append(off_own_means(shares, one, beside, (0,), 1e-6))
        for own, other in itertools.product((0.5, 0.9), (0.1, 1.0, 1.1)) if 0.2 < r < 0.8 else ():
            if (loads := brought(shares, (own, other))) is not None:
                run = {"jumps": 30_000 if own > 0.5 else 8_000, "warmup": 5_000, "replications": 20}
                jobs = refused("GPPS", shares, tuple(loads), 1.0, beside, **run).jobs
                expected.append((permanent + 1) * own / (1 - own))
                found.append(Estimate(jobs.value[0], jobs.half_width[0]))
        for own in (1.0, 1.1, 1.5) if 0.2 < r < 0.8 else ():
            if (loads := brought(shares, (own, 0.1))) is not None:
                growing.append(grows("GPPS", shares, loads, beside, 500, 40, group=0))
    for factors in ((0.1, 0.5, 0.5), (0.5, 0.1, 0.5), (0.5, 0.5, 0.1), (0.1, 0.1, 0.1)):
        beside, groups = ((1, 0, 0), (0,)) if alone else ((1, 2, 1), range(3))
        chains.append(off_own_processors(np.array((0.5, 0.3, 0.2)), factors, beside, groups))
        answers.append(off_own_means((0.5, 0.3, 0.2), factors, beside, groups, 1e-3))
    for factors in itertools.product((0.5, 1.0, 1.1), repeat=3):
        if (loads := brought((0.5, 0.3, 0.2), factors)) is not None:
            overloaded = [g for g in range(3) if factors[g] >= 1]
            refusals.append(refuses_just(overloaded, (0.5, 0.3, 0.2), loads * RATE, RATE, beside))
    return conclude(
        everywhere("just the groups with rho_g from r_g on are refused", exact(refusals, point=None)),
        everywhere("the gap of the law of a group's own processor", bounded(chains), IN_BOUND),
        everywhere("the gap of the mean by that law to the exact mean", bounded(answers, "answer"), IN_BOUND),
        agree("the mean by that law, against a simulation,", expected, found),
        everywhere("a queue grows without bound from rho_g = r_g on", exact(growing, queue=None)),
        whole=True,
    )


@functools.cache
def second_grows(policy, share, permanent, load):
    """Whether the queue of group 2 grows at equal loads."""
    return grows(policy, (share, 1 - share), (load / 2, load / 2), permanent, 2_000, 12)


@check("thesis-3-154", numbers=(0,))
def cured_by_less_load(numbers=(1, 2)):
    """Where the queue of group 2 grows at a load of 0.8, and where it still does at 0.5."""
    others = any(
        second_grows(policy, 0.9, n, load) for policy in ("FCFS", "PS", "PPS") for n in numbers for load in (0.8, 0.5)
    )

    def states(policy, permanent, r):
        full, half = (second_grows(policy, r, permanent, load) for load in (0.8, 0.5))
        return {0.8: full, 0.5: half, "cured": full and not half}

    def said():
        """Whether the library's exact answers say of each queue what the paths do: it grows where they refuse it."""
        for policy, n, r, load in itertools.product(uniprocessor.POLICIES, numbers, shares, (0.8, 0.5)):
            if policy in ("FCFS", "PS", "PPS") and r != 0.9:
                continue
            try:
                uniprocessor.exact(policy, **two_groups(0.5, load, r), permanent_jobs=n, tolerance=0.1)
                yield not second_grows(policy, r, n, load)
            except uniprocessor.UnboundedQueues as error:
                yield second_grows(policy, r, n, load) and list(error.overloaded) == [1]
            except NoExactAnswer:
                continue

    shares = (0.5 + 1e-9, 0.55, 0.65, 0.7, 0.8, 0.9, 0.99)
    found = grid(policy=("HOL", "UD", "PQ", "GPPS"), permanent_jobs=numbers, required_share=shares).measure(states)

    def first(load, number):
        """By the policy, the share from which on it grows; infinite if it never does."""
        rows = found[load].at(permanent_jobs=number).value
        return exact([min((r for r, one in zip(shares, row) if one), default=np.inf) for row in rows], **policies)

    policies = {"policy": ("HOL", "UD", "PQ", "GPPS")}
    return conclude(
        at_each("the queue of group 2 grows at a load of 0.8 and not at 0.5", found["cured"]),
        *(aside(f"the r_1 from which on it grows at {load} beside {number} of each group", first(load, number))
          for number in numbers for load in (0.8, 0.5)),
        provided=[
            fact("under FCFS, PS and PPS it does not grow", not others, "under FCFS, PS or PPS it grows too"),
            everywhere("exact answers say the same of a queue", exact(list(said()), queue=None)),
        ],
    )  # fmt: skip
