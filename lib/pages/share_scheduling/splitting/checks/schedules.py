"""Claims of `thesis`, Section 4.2.1: which service rates can be delivered with free migration, and how."""

import csv

import numpy as np

from clustershare.multiprocessor import Schedule, fractions, is_feasible, schedule
from compendium import places
from compendium.press.clauses import cases, conclude, everywhere
from compendium.press.clauses.conditions import at_most, equal
from compendium.press.findings import check, erratum, finding
from pages.share_scheduling.splitting.instances import pairs, rates_and_capacities, rotating, servable

EXACT = 1e-12


@check("thesis-4-001", ascending=True)
def feasible_rates(ascending=False):
    """The sums (4.5) against a linear programme."""
    wrong = {False: 0, True: 0}
    tightness = lambda rng: rng.choice([rng.uniform(0.5, 1 - 1e-6), rng.uniform(1 + 1e-6, 1.5)])  # noqa: E731
    for rates, speeds in rates_and_capacities(2000, 1, tightness=tightness, most_jobs=6, most_processors=5):
        if ascending:
            sums = np.cumsum(np.sort(rates))
            said = (sums <= np.cumsum(speeds)[np.minimum(np.arange(len(rates)), len(speeds) - 1)] + EXACT).all()
        else:
            said = is_feasible(rates, speeds)
        possible = servable(rates, speeds)
        wrong[possible] += bool(said) != possible
        if ascending and wrong[False] > 9:
            break
    return finding(
        f"of 2000 systems {wrong[True]} that can be served are refused, {wrong[False]} that cannot are taken",
        not any(wrong.values()),
    )


@check("thesis-4-002", shifted=False)
def schedules_serve(shifted=True):
    """No two processors serve a job at once, and every rate is met."""
    overlap = missed = 0.0
    for rates, speeds in rates_and_capacities(2000, 2):
        plan = schedule(rates, speeds)
        if not shifted:
            same = len(speeds)
            plan = Schedule(plan.jobs, (plan.breaks[0],) * same, (plan.served[0],) * same)
        overlap = max(overlap, plan.overlap)
        missed = max(missed, np.abs(plan.service_rates(speeds) - rates).max())
    good = max(overlap, missed) <= EXACT
    return finding(
        "no job on two processors, every rate met, within 1e-12, in 2000 systems" if good else
        f"a job on two processors for {overlap:.2f} of the time, a rate missed by {missed:.2g}", good,
    )  # fmt: skip


def reductions(rates, speeds, later=0):
    """The systems that the reduction passes, and how many pairs (4.13) it could have chosen at each."""
    rates, speeds = np.sort(rates)[::-1], list(speeds)
    while len(rates) > 1 and rates[0] > speeds[-1] * (1 + EXACT):
        first = min(rates[0], speeds[0])
        choices = [q for q in range(len(speeds) - 1) if speeds[q] >= first > speeds[q + 1]]
        q = min(choices[0] + later, len(speeds) - 2)
        speeds[q] += speeds.pop(q + 1) - first
        rates = rates[1:]
        yield len(choices), rates, np.array(speeds)


@check("thesis-4-003", later=1)
def reduced_systems(later=0):
    """At each step one pair of processors, and what is left can be served and is in order."""
    steps = ambiguous = unfit = 0
    for rates, speeds in rates_and_capacities(2000, 2):
        for choices, left, reduced in reductions(rates, speeds, later):
            steps += 1
            ambiguous += choices != 1
            ordered = (np.diff(reduced) <= EXACT).all() and reduced[-1] > 0
            if not ordered or not is_feasible(left, np.sort(reduced)[::-1]):
                unfit += 1
                break
    return finding(f"{ambiguous} of {steps} steps with another number of pairs than one; {unfit} systems left unfit",
                   ambiguous == 0 and unfit == 0 and steps > 0)  # fmt: skip


@check("thesis-4-004", halved=True)
def split_of_an_interval(halved=False):
    """The merged processor's pieces cut in two: what the first job and the others get, and get by the library."""
    worst, systems = 0.0, 0
    for rates, speeds in rates_and_capacities(2000, 2):
        rates = np.sort(rates)[::-1]
        step = next(reductions(rates, speeds), None)
        if step is None:
            continue
        systems += 1
        _, others, merged = step
        wanted = min(rates[0], speeds[0])
        q = next(q for q in range(len(speeds) - 1) if speeds[q] >= wanted > speeds[q + 1])
        fast, slow = speeds[q], speeds[q + 1]
        part = 0.5 if halved else (wanted - slow) / (fast - slow)
        inner = schedule(others, merged)
        starts, ends = inner.breaks[q][:-1], inner.breaks[q][1:]
        middles = starts + part * (ends - starts)
        first = (middles - starts).sum() * fast + (ends - middles).sum() * slow
        rest = np.zeros(len(others))
        for p, (breaks, served) in enumerate(zip(inner.breaks, inner.served)):
            work = (middles - starts) * slow + (ends - middles) * fast if p == q else np.diff(breaks) * merged[p]
            np.add.at(rest, served[served >= 0], work[served >= 0])
        own = fractions(rates, speeds) @ speeds
        worst = max(worst, abs(first - rates[0]), np.abs(rest - others).max(), np.abs(own - rates).max())
    return finding(
        f"every rate met within 1e-12 in {systems} systems" if worst <= EXACT else f"missed by {worst:.2f}",
        worst <= EXACT and systems > 0,
    )  # fmt: skip


@check("thesis-4-005", slack=0.9)
def end_of_the_first_job(slack=1.0):
    """P alpha_1 where the largest job wants all of the slowest processor, and all processors are alike."""
    ends = [len(speeds) * rates[0] / speeds.sum() for rates, speeds in rotating(2000, 5, slack=slack)]
    at_one = sum(end >= 1 - EXACT for end in ends)
    return erratum(f"largest P alpha_1: {max(ends):.3f}; 1 in {'some' if at_one else 'none'} of 2000 systems",
                   at_one == 0, max(ends) <= 1 + EXACT)  # fmt: skip


def agree(one, other):
    """Whether two processors serve alike at some times; a time within rounding of a change may differ."""
    return (one != other).sum() <= 1


@check("thesis-4-006", step=2)
def lag_of_a_processor(step=1):
    """The schedule of processor p against that of processor 1, moved by p alpha_1 and by (p - 1) alpha_1."""
    rng, printed, corrected = np.random.default_rng(6), True, True
    for rates, speeds in rotating(500, 6, fewest=2):
        plan, alpha, times = schedule(rates, speeds), rates[0] / speeds.sum(), rng.random(60)
        for p in range(2, len(speeds) + 1):
            served = plan.at(times)[p - 1] if step == 1 else plan.at((times - step * (p - 1) * alpha) % 1)[0]
            printed &= agree(served, plan.at((times - p * alpha) % 1)[0])
            corrected &= agree(served, plan.at((times - (p - 1) * alpha) % 1)[0])
    return erratum(f"moved by p alpha_1: {'' if printed else 'not '}the same; "
                   f"by (p - 1) alpha_1: {'' if corrected else 'not '}the same", printed, corrected)  # fmt: skip


@check("thesis-4-007", full=True)
def renumbered_processors(full=False):
    """After the shift back: is processor 1 where P + 1 would be, and are pairs as far apart as they need be?"""
    rng, printed, corrected = np.random.default_rng(7), True, True
    for rates, speeds in rotating(500, 7, fewest=3):
        if full:  # all of the time of every processor, in equal parts
            speeds = np.full(len(speeds), 1 / len(speeds))
            rates = speeds
        plan, alpha, times = schedule(rates, speeds), rates[0] / speeds.sum(), rng.random(40)
        P = len(speeds)
        for p in range(1, P):
            back = plan.at((times + p * alpha) % 1)  # all moved left until processor p + 1 begins at 0
            printed &= agree(back[0], plan.at((times - (P - p) * alpha) % 1)[0])
        for one, other in pairs(P):
            moved = plan.at((times - one * alpha) % 1)
            here = plan.at(times)
            corrected &= agree(here[one], moved[0]) and agree(here[other], moved[other - one])
    return erratum(f"renumbered in a circle the form is {'' if printed else 'not '}kept; "
                   f"pairs are {'' if corrected else 'not '}as those with processor 1", printed, corrected)  # fmt: skip


@check("thesis-4-008", later=1)
def index_of_the_order(later=0):
    """p numbers no processor of the reduced system; up to P - 1 the capacities are in order."""
    ordered = all(
        (np.diff(reduced) <= EXACT).all()
        for rates, speeds in rates_and_capacities(2000, 2)
        for _, _, reduced in reductions(rates, speeds, later)
    )
    said = "" if ordered else "not always "
    return erratum(f"p stands for no number there; up to P - 1 the capacities are {said}in order", False, ordered)


@check("thesis-4-009", more=("thesis-fig-4.2.2",))
def number_of_the_figure(more=()):
    """The figures of the chapter by number."""
    with open(places.DATA / "figures.csv", newline="", encoding="utf-8") as file:
        titles = {row["id"]: row["title"] for row in csv.DictReader(file)} | dict.fromkeys(more, "")
    return erratum(f"Figure 4.2.2: {'there' if 'thesis-fig-4.2.2' in titles else 'none'}; the procedure is Figure 4.4",
                   "thesis-fig-4.2.2" in titles, "MGPPS" in titles["thesis-fig-4.4"])  # fmt: skip


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
