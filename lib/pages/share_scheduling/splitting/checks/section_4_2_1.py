"""Claims of `thesis`, Section 4.2.1: which service rates can be delivered with free migration, and how."""

import numpy as np

from clustershare.arguments import UnstableError
from clustershare.multiprocessor import Schedule, fractions, is_feasible, schedule
from compendium.press.clauses import aside, cases, conclude, equalities, everywhere, exact, fact, mended
from compendium.press.clauses.conditions import at_most, equal, smaller
from compendium.press.findings import check, difference
from pages.share_scheduling.splitting.systems.instances import pairs, rates_and_capacities, rotating, servable

EXACT = 1e-12


@check("thesis-4-001", ascending=True)
def feasible_rates(ascending=False):
    """The sums (4.5), and whether there is a schedule that serves as it should, against a linear programme."""

    def tightness(rng):
        return rng.choice([rng.uniform(0.5, 1 - 1e-6), 1.0, rng.uniform(1 + 1e-6, 1.5)], p=(0.4, 0.2, 0.4))

    drawn = rates_and_capacities(400 if ascending else 2000, 1, tightness=tightness, most_jobs=6, most_processors=5)

    def right(rates, speeds):
        said = is_feasible(rates, speeds)
        if ascending:
            sums = np.cumsum(np.sort(rates))
            said = (sums <= np.cumsum(speeds)[np.minimum(np.arange(len(rates)), len(speeds) - 1)] + EXACT).all()
        try:
            plan = schedule(rates, speeds)
            made = max(plan.overlap, difference(plan.service_rates(speeds), rates)) <= EXACT
        except UnstableError:
            made = False
        can = servable(rates, speeds)
        return {"said": bool(said) == can, "made": made == can}

    found = cases("random system", drawn, seed=1).measure(right)
    return conclude(
        everywhere("(4.5) takes what the linear programme can serve, and refuses the rest,", found["said"]),
        everywhere("the library makes schedules of what the programme can serve, and of nothing else,", found["made"]),
        whole=True,
    )


@check("thesis-4-002", shifted=False)
def schedules_serve(shifted=True):
    """No two processors serve a job at once, and every rate is met."""

    def served(rates, speeds):
        plan = schedule(rates, speeds)
        if not shifted:
            same = len(speeds)
            plan = Schedule(plan.jobs, (plan.breaks[0],) * same, (plan.served[0],) * same)
        return {"overlap": plan.overlap, "gap": difference(plan.service_rates(speeds), rates)}

    found = cases("random system", rates_and_capacities(2000, 2), seed=2).measure(served)
    return conclude(
        everywhere("the time for which two processors serve a job", found["overlap"], at_most(EXACT)),
        *equalities({"the rates of the schedule and those wanted": found["gap"]}, EXACT),
        whole=True,
    )


def reductions(rates, speeds, later=0):
    """The systems that the reduction passes, each by merging the processors where the library puts the largest job.

    Yields
    ------
    pairs, used : ndarray of int
        The first processors of the pairs that (4.13) allows, and those that serve the job.
    rates, speeds : ndarray
        Of what is left.
    """
    rates, speeds = np.sort(rates)[::-1], np.array(speeds)
    while len(rates) > 1 and rates[0] > speeds[-1] * (1 + EXACT) and (np.diff(speeds) <= EXACT).all():
        first = min(rates[0], speeds[0])
        pairs = np.flatnonzero((speeds[:-1] >= first) & (first > speeds[1:]))
        used = pairs if later else np.flatnonzero(fractions(rates, speeds)[0])  # after a wrong step it may serve nobody
        q = min(used[0] + later, len(speeds) - 2)
        speeds = np.concatenate([speeds[:q], [speeds[q] + speeds[q + 1] - first], speeds[q + 2 :]])
        rates = rates[1:]
        yield pairs, used, rates, speeds


@check("thesis-4-003", later=1)
def reduced_systems(later=0):
    """At each step one pair of processors, which is the library's, and what is left can be served and is in order."""

    def reduced(rates, speeds):
        passed = list(reductions(rates, speeds, later))
        ordered = all((np.diff(speeds) <= EXACT).all() and speeds[-1] > 0 for *_, speeds in passed)
        parts = fractions(rates, speeds)
        busy = max(parts.sum(axis=0).max(), parts.sum(axis=1).max()) - 1
        return {
            "served": max(difference(parts @ speeds, rates), busy, -parts.min()),
            "one pair": all(len(pairs) == 1 for pairs, *_ in passed), "in order": ordered, "steps": len(passed),
            "its pair": all(used[0] == pairs[0] and used[-1] <= pairs[0] + 1 for pairs, used, *_ in passed),
            "servable": ordered and all(is_feasible(rates, np.sort(speeds)[::-1]) for *_, rates, speeds in passed),
        }  # fmt: skip

    found = cases("random system", rates_and_capacities(2000, 2), seed=2).measure(reduced)
    off = "what the library's steps serve is off the rates, or takes longer than there is,"
    return conclude(
        everywhere("at each step one pair of processors can be chosen", found["one pair"]),
        everywhere("the library serves the largest job there", found["its pair"]),
        everywhere("the capacities that are left are in order", found["in order"]),
        everywhere("the rates that are left can be served", found["servable"]),
        everywhere(off, found["served"], at_most(1e-9)),
        aside("steps", exact(found["steps"].value.sum())),
        whole=True,
    )


@check("thesis-4-004", halved=True)
def split_of_an_interval(halved=False):
    """The merged processor's pieces cut in two: what the first job and the others get, and get by the library."""
    systems = [(np.sort(rates)[::-1], speeds) for rates, speeds in rates_and_capacities(2000, 2)]

    def gaps(rates, speeds, others, merged):
        wanted = min(rates[0], speeds[0])
        q = next(q for q in range(len(speeds) - 1) if speeds[q] >= wanted > speeds[q + 1])
        fast, slow = speeds[q], speeds[q + 1]
        part = 0.5 if halved else (wanted - slow) / (fast - slow)
        inner = schedule(others, merged)
        starts, ends = inner.breaks[q][:-1], inner.breaks[q][1:]
        middles = starts + part * (ends - starts)
        rest = np.zeros(len(others))
        for p, (breaks, served) in enumerate(zip(inner.breaks, inner.served)):
            work = (middles - starts) * slow + (ends - middles) * fast if p == q else np.diff(breaks) * merged[p]
            np.add.at(rest, served[served >= 0], work[served >= 0])
        both = schedule(rates, speeds).fractions[:, q : q + 2] @ speeds[q : q + 2]
        return {
            "the work of the first job and its rate": (
                (middles - starts).sum() * fast + (ends - middles).sum() * slow - rates[0]
            ),
            "the work of the others and their rates": difference(rest, others),
            "the work of the first job by the library's schedule and its rate": both[0] - wanted,
            "the work of the others there and on the merged processor": difference(
                both[1:], inner.fractions[:, q] * merged[q]
            ),
            "the work by the library's fractions and the rates": difference(fractions(rates, speeds) @ speeds, rates),
        }

    steps = [(*system, *step[2:]) for system in systems if (step := next(reductions(*system), None))]
    return conclude(*equalities(cases("random system", steps, seed=2).measure(gaps), EXACT), whole=True)


@check("thesis-4-005", slack=0.9)
def end_of_the_first_job(slack=1.0):
    """P alpha_1, and until when processor P serves job 1 in the library's schedule."""

    def ends(rates, speeds):
        plan = schedule(rates, speeds)
        product = len(speeds) * rates[0] / speeds.sum()
        return {"product": product, "off": plan.breaks[-1][1:][plan.served[-1] == 0].max() - product}

    found = cases("random system", rotating(2000, 5, slack=slack), seed=5).measure(ends)
    return mended(
        everywhere("as printed, P alpha_1 less 1", found["product"] - exact(1.0), smaller()),
        everywhere("P alpha_1", found["product"], at_most(1)),
        *equalities({"it and the end of job 1 on processor P in the library's schedule": found["off"]}, EXACT),
    )


def agree(one, other):
    """Whether two processors serve alike at some times; a time within rounding of a change may differ."""
    return (one != other).sum() <= 1


@check("thesis-4-006", step=2)
def lag_of_a_processor(step=1):
    """The schedule of processor p against that of processor 1, moved by p alpha_1 and by (p - 1) alpha_1."""
    rng = np.random.default_rng(6)

    def moved(rates, speeds):
        plan, alpha, times = schedule(rates, speeds), rates[0] / speeds.sum(), rng.random(60)

        def later(lag):
            return plan.at((times - lag * alpha) % 1)[0]

        others = range(2, len(speeds) + 1)
        served = {p: plan.at(times)[p - 1] if step == 1 else later(step * (p - 1)) for p in others}
        return {
            "printed": all(agree(served[p], later(p)) for p in others),
            "corrected": all(agree(served[p], later(p - 1)) for p in others),
        }

    found = cases("random system", rotating(500, 6, fewest=2), seed=6).measure(moved)
    return mended(
        everywhere("as printed, processor p serves what processor 1 does p alpha_1 earlier,", found["printed"]),
        everywhere("it serves what processor 1 does (p - 1) alpha_1 earlier", found["corrected"]),
    )


def begins(plan):
    """When each job's piece begins on each processor; last, when nobody's does: shape (processors, jobs + 1)."""
    found = np.full((len(plan.breaks), plan.jobs + 1), np.nan)
    for own, breaks, served in zip(found, plan.breaks, plan.served):
        own[served] = breaks[:-1]  # a piece cut by the end of the interval stands twice: its later part begins it
    return found


@check("thesis-4-007", full=True)
def renumbered_processors(full=False):
    """After the shift back: is processor 1 where P + 1 would be, and are pairs as far apart as they need be?"""

    def renumbered(rates, speeds):
        P = len(speeds)
        if full:  # all of the time of every processor, in equal parts
            rates = speeds = np.full(P, 1 / P)
        times, alpha = begins(schedule(rates, speeds)), rates[0] / speeds.sum()

        def later(one, other, lag):
            gap = times[other] - times[one] - lag
            there = np.isfinite(times[[one, other]]).any(axis=0)
            return (np.abs(gap - np.round(gap))[there] <= EXACT).all()  # the timetable repeats

        return {  # as printed: processor 1 comes after processor P
            "printed": later(P - 1, 0, alpha),
            "corrected": all(later(one, other, (other - one) * alpha) for one, other in pairs(P)),
        }

    found = cases("random system", rotating(500, 7, fewest=3), seed=7).measure(renumbered)
    return mended(
        everywhere("as printed, processors that are renumbered in a circle keep the form", found["printed"]),
        everywhere("two processors are as far apart as processor 1 and another", found["corrected"]),
    )


@check("thesis-4-008", later=1)
def index_of_the_order(later=0):
    """p numbers no processor of the reduced system; up to P - 1 the capacities are in order."""

    def ordered(rates, speeds):
        passed = list(reductions(rates, speeds, later))
        return {
            "order": all((np.diff(left) <= EXACT).all() for *_, left in passed),
            "two": all(len(used) <= 2 for _, used, *_ in passed),
            "rates": difference(fractions(rates, speeds) @ speeds, rates),
        }

    found = cases("random system", rates_and_capacities(2000, 2), seed=2).measure(ordered)
    return mended(
        fact("p stands for a number there", False, "p stands for no number there"),
        everywhere("up to P - 1 the capacities are in order", found["order"]),
        everywhere("the library serves the largest job on two processors", found["two"]),
        *equalities({"the rates in the library's schedule and those that are asked for": found["rates"]}, EXACT),
    )


@check("thesis-4-117", doubling=True)
def short_intervals(doubling=False):
    """Work received against the rate times the time, at every change of n repetitions, and what is repeated."""

    def repeated(rates, speeds):
        plan = schedule(rates, speeds)
        times = np.unique(np.concatenate(plan.breaks))
        served = plan.at(times[:-1])
        there = np.stack([served == job for job in range(len(rates))])
        work = np.hstack(
            [np.zeros((len(rates), 1)), np.cumsum(np.einsum("jpt,p->jt", there, speeds) * np.diff(times), axis=1)]
        )
        largest = {}
        for n in (1, 100):
            lengths = 2.0 ** np.arange(min(n, 30)) if doubling else np.ones(n)
            lengths /= lengths.sum()
            starts = np.cumsum(lengths) - lengths
            moments = (starts[:, None] + lengths[:, None] * times).ravel()
            got = starts[:, None] * rates[:, None, None] + lengths[:, None] * work[:, None]
            largest[n] = np.abs(got.reshape(len(rates), -1) - rates[:, None] * moments).max()
        return {
            "distance": largest[100] / largest[1] if largest[1] > EXACT else 0.01,
            "end": np.abs(work[:, -1] - rates).max(),
            "places": there.sum(axis=1).max(),
        }

    systems = rates_and_capacities(100, 117, tightness=lambda rng: rng.uniform(0.3, 1))
    found = cases("random schedule", systems, seed=117).measure(repeated)
    return conclude(
        everywhere("repeated 100 times, its distance from the rates, as a part of that at once, and 0.01",
                   found["distance"] - 0.01, equal(1e-9)),
        everywhere("at its end, the work of a job and its rate", found["end"], equal(1e-9)),
        everywhere("the number of processors that serve a job at once", found["places"], at_most(1)),
        whole=True,
    )  # fmt: skip
