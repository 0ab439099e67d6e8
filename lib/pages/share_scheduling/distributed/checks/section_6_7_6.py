"""Claims of `thesis`, Section 6.7.6: unequal mean service times, and heavy tails."""

from dataclasses import replace

import numpy as np

from clustershare import splitting
from clustershare.sizes import Deterministic, Exponential, Pareto, Weibull
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, fact, mended
from compendium.press.clauses.conditions import agrees, at_least, at_most, equal, larger, short_of
from compendium.press.findings import check, difference
from pages.share_scheduling.distributed.points.limits import five
from pages.share_scheduling.distributed.points.service_times import (
    APART,
    LONG,
    OTHER_CASES,
    PROCESSORS,
    alone,
    at_limits,
    at_ratios,
    degradation,
    feasible_with_own_processors,
    from_empty,
    in_other_cases,
    isolated,
    largest_possible,
    missing_in_runs,
    mixture,
    part_of_load,
    rates,
    settled,
)
from pages.share_scheduling.distributed.points.stored import DEVIATION, beside
from pages.share_scheduling.distributed.printed.sizes import corrected, printed, random_laws, tail, tail_integral
from pages.share_scheduling.distributed.systems import CASES, LIMITS, POLICIES, RATIOS
from pages.simulated_sizes import simulated_sizes

BELOW_ONE = (0.01, 0.1)
WAYS = {"PS": {"local": "PS"}, "no migration": {"migration": False}}


@check("thesis-6-032", isolation=True)
def robust(isolation=False):
    """Deviations at all ratios, and what they are above those at 1; the control is Isolation, in cases 2 to 5 at 1."""
    one, others = at_ratios(DEVIATION), in_other_cases(DEVIATION)
    if isolation:
        one, others = isolated(ratios=RATIOS).at(case=1), isolated(cases=OTHER_CASES).at(ratio=1.0)
    usual = five(DEVIATION).at(case=OTHER_CASES, limit=3)
    more = "what unequal means add to it"
    return conclude(
        at_each("the deviation in case 1", one, at_most("close")),
        at_each(more, one - at_ratios(DEVIATION).at(ratio=1.0), short_of("clear")),
        at_each(f"{more} in cases 2 to 5", others - usual, short_of("clear")),
    )


@check("thesis-6-033", ratios=(1.0, 2.0))
def horizontal_best(ratios=(20.0, 50.0, 100.0)):
    """The other policies less HP at high ratios; the control has low ones."""
    found = at_ratios(DEVIATION)
    more = found.at(policy=("JSQ", "SVP", "DVP")) - found.at(policy="HP")
    told = (more.low(more.widened(more.asked)) > 0).all(axis=0)
    since = [ratio for k, ratio in enumerate(RATIOS) if told[k:].all()]
    return conclude(
        at_each("the deviation of another policy, less that of HP,", more.at(ratio=ratios), larger()),
        aside("the ratio from which on it is so for all", exact(min(since, default=np.nan))),
    )


@check("thesis-6-034", ignored=True)
def only_without_probing(ignored=False):
    """Pareto less exponential at all limits; in the control nobody is probed with Pareto sizes."""
    heavy, usual = at_limits(DEVIATION, heavy=True), at_limits(DEVIATION)
    if ignored:
        heavy = heavy.at(limit=0) - exact(np.zeros(len(LIMITS)), limit=LIMITS)
    more, stays = heavy - usual, settled((0,))[:, 0]
    isolation = usual.at(limit=0) - float(alone().group_share_deviation.max())
    # A run that is too short says nothing of an equilibrium: an exact bound does. That of SVP rests on its row.
    bound = largest_possible() - float(alone().group_share_deviation.max())
    by_row = np.array(POLICIES) == "SVP"
    first = more.at(limit=0)
    first = replace(
        first, value=np.where(stays, first.value, bound - by_row * isolation.value),
        half=np.where(stays, first.half, by_row * isolation.half),
    )  # fmt: skip
    exactly = float(splitting.horizontal(*CASES[1], [1 / PROCESSORS] * PROCESSORS, "PS").group_share_deviation.max())
    runs = {f"{law} of {jobs} jobs": from_empty(jobs, heavy=law == "Pareto").group_share_deviation.value.max()
            for law in ("Pareto", "exponential") for jobs in (10_000, 100_000)}  # fmt: skip
    return conclude(
        at_each("without probing, the deviation with Pareto sizes, or its bound, less that with exponential ones,",
                first, larger("clear")),
        at_each("with probing, what Pareto sizes add to it", more.at(limit=LIMITS[1:]), short_of("clear")),
        aside("what they add without probing as the runs stand", more.at(limit=0)),
        aside("the most that any law adds without probing, exactly", exact(bound)),
        aside("the load that such runs miss, by the law", exact(missing_in_runs())),
        part_of_load(LIMITS),
        aside("without probing and with PS, the deviation of the runs of JSQ",
              at_limits(DEVIATION, heavy=True, limits=(0,), local="PS").at(policy="JSQ", limit=0)),
        aside("that of any law, exactly", exact(exactly)),
        aside("that of runs from an empty system", exact(list(runs.values()), run=tuple(runs))),
        provided=[everywhere("without probing, the deviation with exponential sizes less that of HPRS with GPPS",
                             isolation.at(policy=("JSQ", "HP", "DVP")), agrees())],
    )  # fmt: skip


@check("thesis-6-048", alike=True)
def loads_stay(alike=False):
    """Obtained shares at all ratios, and the law over all jobs; in the control both groups have equal arrivals."""
    every = cases("ratio", RATIOS)
    brought = every.measure(lambda ratio: np.abs(np.prod(rates(ratio, equal=alike), axis=0) / PROCESSORS - 0.4).max())
    mixed = every.measure(lambda ratio: dict(zip(("gap", "cv"), mixture(ratio))))
    cv = mixed["cv"].value - 1
    other = {
        f"group {g}": (at_ratios(DEVIATION, ratios=(2.0, 10.0), ratio_of=f"group {g}", part=1.0)
                       - at_ratios(DEVIATION, ratios=(2.0, 10.0))).distance() for g in (1, 2)
    }  # fmt: skip
    return conclude(
        everywhere("the loads and 0.4", brought, equal(1e-12)),
        *(everywhere(f"the arrivals of group {g + 1} in the runs, less its load over its mean,",
                     at_ratios("arrivals", g) - [rates(ratio)[0][g] for ratio in RATIOS], agrees()) for g in (0, 1)),
        *(everywhere(f"the share that group {g + 1} obtains, less 0.4,", at_ratios("obtained_share", g) - 0.4, agrees())
          for g in (0, 1)),
        everywhere("the law over all jobs and the hyperexponential one", mixed["gap"], equal(1e-12)),
        fact("its coefficient of variation is 1 at ratio 1 alone, and larger elsewhere",
             abs(cv[0]) <= 1e-12 and (cv[1:] > 1e-9).all(), "its coefficient of variation is not larger than 1"),
        aside("the coefficient of variation", mixed["cv"]),
        aside("what the deviation changes by if the mean of one group is 1 in place of the overall mean",
              beside("reading", other).largest("policy").largest("reading")),
        whole=True,
    )  # fmt: skip


@check("thesis-6-157", exchanged=True)
def both_help(exchanged=False):
    """Deviations with PS, and without migration, less those with both; the control exchanges them."""
    clauses, usual = [], at_limits(DEVIATION, limits=(3,)).at(limit=3)
    for name, way in WAYS.items():
        more = at_ratios(DEVIATION, ratios=APART, **way) - at_ratios(DEVIATION, ratios=APART)
        clauses += [
            at_each(f"what {name} adds to the deviation", -more if exchanged else more, larger()),
            aside(f"what {name} adds where means are equal",
                  at_limits(DEVIATION, limits=(3,), **way).at(limit=3) - usual),
        ]  # fmt: skip
    return conclude(*clauses)


@check("thesis-6-158", ratios=(1.0,))
def short_jobs_miss_more(ratios=RATIOS[1:]):
    """Delta_2 less Delta_1; the control has equal means."""
    less, more = (at_ratios(DEVIATION, index=g, ratios=ratios) for g in (0, 1))
    return conclude(at_each("the deviation of group 2, less that of group 1,", more - less, larger()))


@check("thesis-6-159", ratios=BELOW_ONE)
def more_arrivals_more_feasible(ratios=RATIOS[1:]):
    """E[f_2] less E[f_1], in rows and where it is exact; the control has ratios below 1."""
    part = 1.0 if ratios == BELOW_ONE else LONG
    first, second = (at_ratios("feasible_share", index=g, ratios=ratios, part=part) for g in (0, 1))
    few, many = (at_ratios("arrivals", index=g, ratios=ratios, part=part) for g in (0, 1))
    every = cases("ratio", ratios)
    by_itself = every.measure(lambda ratio: float(np.diff(alone(1, ratio, "PS").feasible_share)[0]))
    return conclude(
        at_each("the mean feasible share of group 2, less that of group 1,", second - first, larger()),
        at_each("that difference for processors by themselves with PS, exactly,", by_itself, larger(1e-9)),
        aside("the mean feasible share of both with a processor for each job", exact(feasible_with_own_processors())),
        provided=[everywhere("the ratio of arrivals, relative to that of means, and 1",
                             every.measure(lambda ratio: rates(ratio)[0][1] / rates(ratio)[0][0] / ratio - 1),
                             equal(1e-12)),
                  everywhere("that exact difference", by_itself, at_least(-1e-12)),
                  everywhere("the arrivals of group 2 in the runs, less as many of group 1 as the ratio says,",
                             many - few.scaled(ratios), agrees())],
    )  # fmt: skip


@check("thesis-6-160", ratio=100.0)
def horizontal_inferior(ratio=None):
    """HP less JSQ where the groups are much alike; the control has a ratio of 100."""

    def more(found):
        return found.at(policy="HP") - found.at(policy="JSQ")

    ratios = (1.0, 2.0) if ratio is None else (ratio,)
    clauses = [at_each("the deviation of HP, less that of JSQ,", more(at_ratios(DEVIATION, ratios=ratios)), larger())]
    if ratio is None:
        clauses.append(at_each("that with equal means", more(at_limits(DEVIATION, limits=LIMITS[1:])), larger()))
    return conclude(*clauses, aside("that in cases 2 to 5", more(five(DEVIATION).at(case=OTHER_CASES, limit=3))))


@check("thesis-6-163", short=True)
def more_dramatic(short=False):
    """What one probed gains with Pareto and with exponential sizes; the control takes runs too short as they stand."""
    limits = (0, 1)
    heavy, usual = (at_limits(DEVIATION, heavy=law, limits=limits) for law in (True, False))
    gained, usual = (found.at(limit=0) - found.at(limit=1) for found in (heavy, usual))
    shares, loads = CASES[1]
    stays = settled(limits) | short
    # A bound where the run is too short: the largest without probing, the least with one probed.
    feasible = [at_limits("feasible_share", g, heavy=True, limits=(1,)).at(limit=1) for g in (0, 1)]
    least = np.max([(f.value - load) / share for f, load, share in zip(feasible, loads, shares)], axis=0)
    wide = np.max([f.half / share for f, share in zip(feasible, shares)], axis=0)
    bounds = np.transpose([np.full(len(POLICIES), largest_possible()), least])
    widths = np.transpose([0 * wide, wide])
    best = replace(heavy, value=np.where(stays, heavy.value, bounds), half=np.where(stays, heavy.half, widths))
    most = best.at(limit=0) - best.at(limit=1)
    twice, known = most - usual.scaled(2), stays.all(axis=1)
    refuted = not (twice.high(twice.widened(len(POLICIES))) >= 0).any()
    more = (most - usual).where(known, "too short for an equilibrium") if known.any() else None
    # What rests on a bound may refute, but shows nothing.
    twice = replace(twice, value=np.where(known, twice.value, np.minimum(twice.value, 0.0)))
    return conclude(
        at_each("the gain with Pareto sizes, or its bound, less twice that with exponential ones,", twice, larger()),
        *(
            []
            if more is None
            else [at_each("the gain with Pareto sizes, less that with exponential ones,", more, larger())]
        ),
        aside("the gain with Pareto sizes as the runs stand", gained),
        aside("the most that it can be in equilibrium", most),
        aside("the gain with exponential sizes", usual),
        aside(f"of {stays.size} runs, those that are too short", exact(np.sum(~stays))),
        undecidable=not known.all() and not refuted,
    )


@check("thesis-6-164", exponential=True)
def due_to_both(exponential=False):
    """What Pareto sizes add without migration, and with PS, above what they add with both; the control adds nothing."""
    three, clauses = (3,), []
    both = degradation(DEVIATION, limits=three).at(limit=3)
    for name, way in reversed(WAYS.items()):
        more = both - both if exponential else degradation(DEVIATION, limits=three, **way).at(limit=3) - both
        clauses.append(at_each(f"what Pareto sizes add with {name}, less what they add with both,", more, larger()))
    runs = [part_of_load(three, f" with {name}", **way) for name, way in {"both": {}, **WAYS}.items()]
    return conclude(*clauses, aside("what they add with both", both), *runs)


def _as_pareto(a, b):
    """The library's law with this tail."""
    return Pareto(a ** (1 / b) * b / (b - 1), b)


def _is_pareto(law, a, b, exponent):
    """Whether a printed law rises from 0 and is the library's, by its formula and by what it and simulators draw."""
    least = a ** (1 / exponent)
    size, t = _as_pareto(a, exponent), least * np.geomspace(1, 1000, 50)
    found = law(t, a, b)
    rises = abs(found[0]) <= 1e-12 and (np.diff(found) > 0).all() and found[-1] < 1
    formula = np.abs(found - (1 - (size.minimum / t) ** size.exponent)).max() <= 1e-12
    drawn = rises and formula
    for draws in (size.sample(np.random.default_rng(602), 100_000), simulated_sizes(size, 100_000, 602)):
        counted = np.cumsum(np.bincount(np.searchsorted(t, draws), minlength=len(t) + 1))[:-1] / len(draws)
        drawn &= np.abs(counted - found).max() <= 0.01
    return drawn


@check("thesis-6-046", sign=-1)
def law_of_sizes(sign=1):
    """(6.2) as printed and as corrected, for random laws; in the control b is below 0."""
    laws = cases("random law", random_laws(100), seed=602)

    def clause(kind, law):
        right = laws.measure(lambda a, b: _is_pareto(law, a, sign * b, b))
        return everywhere(f"{kind}, (6.2) is the law of Pareto sizes", right)

    return mended(clause("as printed", printed), clause("corrected", corrected))


def _mean(a, b, cut):
    """The mean by quadrature up to a place, and the rest."""
    return tail_integral(a, b, 0, cut) + a * cut ** (1 - b) / (b - 1)


@check("thesis-6-035", a=0.2)
def mean_of_1(a=None):
    """The law with mean 1 and b = 1.25; the control takes another a."""
    b, size = 1.25, Pareto(1.0, 1.25)
    least = (b - 1) / b
    a = least**b if a is None else a
    return conclude(
        everywhere("the library's smallest size and (b - 1) / b", exact(size.minimum - least), equal(1e-12)),
        everywhere("its power of b and a", exact(size.minimum**b - a), equal(1e-12)),
        everywhere("the mean by quadrature and 1", exact(_mean(a, b, 1e12) - 1), equal(1e-6)),
        everywhere("that of the library's law and 1", exact(size.minimum * b / (b - 1) - 1), equal(1e-12)),
        everywhere("the part of the sizes that it draws above t, and a t^-b", exact(_drawn(size, a, b)), equal(0.01)),
        aside("the smallest size", exact(a ** (1 / b))), aside("a", exact(a)),
        whole=True,
    )  # fmt: skip


def _drawn(size, a, b):
    """How far off the part of 10^5 sizes drawn is that are above t, up to 1000 times the least size.

    Drawn by the law itself, and as simulators draw them, alone and beside a law of another kind.
    """
    t, off = a ** (1 / b) * np.geomspace(1.01, 1000, 20), []
    simulated = (simulated_sizes(size, 100_000, 161, beside) for beside in ((), (Weibull(1.0, 0.5),)))
    for drawn in (size.sample(np.random.default_rng(161), 100_000), *simulated):
        off.append(difference(1 - np.searchsorted(np.sort(drawn), t, side="right") / len(drawn), tail(t, a, b)))
    return max(off)


@check("thesis-6-161", b=2.5)
def mean_and_variance(b=None):
    """The mean by quadrature, and how the second moment grows with where it is cut; the control has a light tail."""

    def gaps(a, exponent):
        expected, size = a ** (1 / exponent) * exponent / (exponent - 1), _as_pareto(a, exponent)
        moments = [tail_integral(a, exponent, 1, T) for T in (1e4, 1e6, 1e8, 1e10)]
        grown = np.divide(moments[1:], moments[:-1]) / 100 ** (2 - exponent)
        return {"mean": _mean(a, exponent, 1e8) / expected - 1,
                "library": size.minimum * exponent / (exponent - 1) / expected - 1,
                "variance": np.isinf([size.variance, size.squared_variation, size.standard_deviation]).all(),
                "growth": np.abs(grown - 1).max(), "drawn": _drawn(size, a, exponent)}  # fmt: skip

    laws = [(a, b) for a, _ in random_laws(50)] if b else [*random_laws(50, seed=661), (0.2**1.25, 1.25)]
    found = cases("law", laws).measure(gaps)
    return conclude(
        everywhere("the mean by quadrature and a finite one", found["mean"], equal(1e-6)),
        everywhere("that of the library's law by its least size and the finite one", found["library"], equal(1e-6)),
        everywhere("the library's law has an infinite variance, by all three numbers,", found["variance"]),
        everywhere("the part of the sizes that it draws above t, and a t^-b", found["drawn"], equal(0.01)),
        everywhere("the growth of the second moment from T to 100 T and 100^(2 - b)", found["growth"], equal(0.02)),
        whole=True,
    )


@check("thesis-6-047", constant=True)
def times_or_means(constant=False):
    """Whether service times can be other than their means; the control has two constant ones."""
    law = Deterministic if constant else Exponential
    spread = [law(mean).standard_deviation for mean in (1.0, 4.0)]
    return mended(
        fact("the service times are their means", not any(spread), "service times differ from their means"),
        fact("they have finite spreads", np.isfinite(spread).all(), "their spreads are infinite"),
        aside("their standard deviations", exact(spread, group=(1, 2))),
    )
