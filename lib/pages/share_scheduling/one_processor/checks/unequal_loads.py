"""Claims of `thesis`, Section 3.5.1, Figures 3.7, 3.8, 3.9: two groups with unequal loads, without permanent jobs."""

import functools

import numpy as np

from clustershare import uniprocessor
from clustershare.estimates import from_replications
from clustershare.uniprocessor.chain import distribution
from clustershare.uniprocessor.model import Workload
from compendium import study
from compendium.press.findings import check, erratum, finding, over_domain
from compendium.press.words import LOADS, allows
from pages.share_scheduling.one_processor.points import curves, exact_of_two_groups, simulated_of_two_groups
from pages.share_scheduling.one_processor.simulated import outside, paths, widened
from pages.share_scheduling.one_processor.systems import (
    FRACTIONS,
    SHARES,
    SPLITS,
    beside_permanent_jobs,
    two_groups,
)
from pages.share_scheduling.one_processor.witnesses import uninterrupted
from pages.share_scheduling.one_processor.witnesses.chains import preemptive
from pages.share_scheduling.one_processor.witnesses.paths import intervals

DRAWN = np.linspace(0.005, 0.995, 199)  # the fractions at which the figures are drawn
JOBS = "job_share_deviation"
LINE = ("FCFS", "HOL", "PQ")  # one job at a time, by formula
RUN = {"jumps": 20_000, "warmup": 5_000, "replications": 20}
PAPER = study.run_lengths("paper")["replications"]


def drawn(policy, x=DRAWN, share=0.51, quantity="group_share_deviation"):
    """The line of a policy as the page draws it: the larger deviation over the fractions."""
    return curves({policy: policy}, x, lambda name, y: two_groups(float(y), required_share=share), quantity)[
        policy
    ].deviation


def both(policy, x, share=0.51, quantity="group_share_deviation"):
    """Both exact deviations over the fractions x, shape (fractions, groups)."""
    return np.array([exact_of_two_groups(policy, y, share, quantity=quantity) for y in x])


@functools.cache
def differences(policy, fraction):
    """Group 2 less group 1, simulated in pairs: deviations, job-share deviations and presence, each an `Estimate`."""
    found = paths(policy, **two_groups(fraction), **RUN, seed=int(1000 * fraction))
    deviation = found.present - found.obtained / 0.5
    pairs = deviation, found.job_share_deviation, found.present
    return [from_replications(values[:, 1] - values[:, 0]) for values in pairs]


@check("thesis-3-078", share=0.51)
def job_shares_in_case_1(share=0.5):
    """(3.95) and (3.96): as drawn, exact and simulated; and (2.45) from the jobs' records at each event."""
    x = np.append(0, np.linspace(0.005, 0.5, 100))
    printed = np.array([[16 * z**2 / (5 + 20 * z) for z in (y, 1 - y)] for y in x])
    line = drawn("FCFS", x, share, JOBS)
    on_it = [np.allclose(line, printed.max(axis=1), 1e-9, 1e-15)]
    on_it += [np.allclose(both(policy, x, share, JOBS), printed, 1e-9, 1e-15) for policy in LINE]
    systems = [two_groups(y, required_share=share) for y in FRACTIONS]
    expected = [np.array([16 * z**2 / (5 + 20 * z) for z in (y, 1 - y)]) for y in FRACTIONS]
    against = sum(
        outside(policy, systems, expected, (JOBS,), seed=100 + 10 * number, **RUN) for number, policy in enumerate(LINE)
    )
    events = wrong = 0
    for policy in LINE:
        for number, system in enumerate(systems):
            for interval in intervals(policy, **system, events=300, seed=number):
                served, there = {job.group for job in interval.rates}, interval.present(2)
                for group in (0, 1):
                    wrong += interval.job_share_deviation(group) != float(group in served and there[group] > 1)
                events += 1
    return finding(
        f"{'on the printed curves' if all(on_it) else f'{sum(on_it)} of 4 curves as printed'}; "
        f"{'no' if against == 0 else 'some'} simulated interval against them; (2.45) as added up at "
        f"{events - wrong} of {events} events",
        all(on_it) and against == 0 and wrong == 0,
    )


@check("thesis-3-079", exchanged=True)
def which_deviation(exchanged=False):
    """Delta_2 at least Delta_1 up to x = 0.5: printed for G, right for J; exact and in simulated pairs."""
    x = np.linspace(0, 0.5, 51)[1:]
    x, some = (1 - x, [1 - y for y in FRACTIONS]) if exchanged else (x, FRACTIONS)
    factor = widened(2 * len(LINE) * len(some))
    least, holds = {}, {}
    for number, quantity in enumerate(("group_share_deviation", JOBS)):
        exact = [both(policy, x, 0.5, quantity) for policy in LINE]
        gaps = np.array([values[:, 1] - values[:, 0] for values in exact])
        pairs = [differences(policy, y)[number] for policy in LINE for y in some]
        least[quantity] = gaps.min()
        holds[quantity] = gaps.min() >= -1e-12 and all(
            pair.value >= -factor * pair.half_width - 1e-12 for pair in pairs
        )
    printed, right = least.values()
    return erratum(f"smallest difference {printed:.3f} for G and {right.round(3) + 0.0:.3f} for J", *holds.values())


@check("thesis-3-081", exchanged=True)
def busier_group_unfair(exchanged=False, policy="UD"):
    """UD: group 2 has the larger job-share deviation and is there more often below x = 0.5 (`thesis`, Figure 3.7)."""
    points = FRACTIONS[:-1]
    factor, margins = widened(2 * len(points)), []
    for x in points:
        _, *pairs = differences(policy, 1 - x if exchanged else x)
        margins.append([pair.value - factor * pair.half_width for pair in pairs])
    unfair, present = np.min(margins, axis=0)
    return finding(
        f"smallest lower ends of the differences: {unfair:.2f} of the deviations, {present:.2f} of the presence",
        bool(unfair > 0 and present > 0),
    )


@check("thesis-3-083", share=0.5)
def head_of_line_better(share=0.51):
    """HOL below PQ from x = 0.6 on: as drawn, and in simulated pairs (`thesis`, Figure 3.8)."""
    x = DRAWN[DRAWN > 0.5999]
    margin = drawn("PQ", x, share) - drawn("HOL", x, share)
    some, sure = [y for y in SPLITS if y > 0.5999], []
    for number, y in enumerate(some):
        system = two_groups(y, required_share=share)
        worse = int(exact_of_two_groups("PQ", y, share).argmax())
        pq, hol = (paths(policy, **system, **RUN, seed=number) for policy in ("PQ", "HOL"))
        promised = system["required_shares"][worse]
        pair = from_replications(((pq.present - hol.present) - (pq.obtained - hol.obtained) / promised)[:, worse])
        sure.append(pair.value > widened(len(some)) * pair.half_width)
    return finding(
        f"smallest margin {margin.min():.3f}, at x = {x[margin.argmin()]:g}; simulated at {sum(sure)} of {len(some)} x",
        bool(margin.min() > 1e-9 and all(sure)),
    )


@check("thesis-3-085", first=1)
def up_down_as_head_of_line(first=0, policy="UD"):
    """UD as HOL with group 1 first at low x, and with group 2 first at high x (`thesis`, Figure 3.8)."""
    value, half_width = simulated_of_two_groups(policy, required_share=0.51)
    shares, splits = np.array([0.51, 0.49]), np.array(SPLITS)
    ends = splits <= LOADS["low"][1], splits >= LOADS["high"][0]
    factor = widened(2 * int(sum(ends).sum()), PAPER)
    said, verdicts = [], []
    for number, end in enumerate(ends):
        order = (0.51, 0.49) if number == first else (0.49, 0.51)
        found = [uniprocessor.exact("HOL", order, two_groups(x)["arrival_rates"]) for x in SPLITS]
        exact = np.array([result.probability_present - result.obtained_share / shares for result in found])
        inside = (np.abs(value - exact) <= factor * half_width).all(axis=1)
        verdicts += list(inside[end])
        alike = f"{splits[inside].min():g} to {splits[inside].max():g}" if inside.any() else "nowhere"
        worst = np.abs(value - exact)[end].max()
        said.append(f"as HOL with group {1 + number} first, at x = {alike} (within {worst:.4f} at the end)")
    return over_domain("; ".join(said), verdicts)


@check("thesis-3-086", permanent_jobs=1)
def closer_to_sharing(permanent_jobs=0):
    """PPS between PS and GPPS as drawn: its distance to each (`thesis`, Figure 3.8; the control is Figure 3.12)."""
    found, errors = {}, 0.0
    at = SHARES if permanent_jobs else np.linspace(0.02, 0.98, 49)
    for policy in ("PPS", "PS", "GPPS"):
        if permanent_jobs:
            systems = [beside_permanent_jobs(policy, r, 1) for r in at]
        else:
            systems = [two_groups(float(x), required_share=0.51) for x in at]
        results = [uniprocessor.exact(policy, **system, tolerance=1e-5) for system in systems]
        found[policy] = np.array([result.group_share_deviation.max() for result in results])
        errors = max(errors, *(result.error for result in results))
    near, far = (np.abs(found["PPS"] - found[other]) for other in ("PS", "GPPS"))
    holds = near + 2 * errors <= 0.5 * (far - 2 * errors)
    not_so = ", ".join(f"{x:g}" for x in np.asarray(at)[~holds])
    return over_domain(
        f"at most {near.max():.3f} from PS; {far.min():.3f} to {far.max():.3f} from GPPS; largest quotient "
        f"{(near / far).max():.2f}, at {np.asarray(at)[(near / far).argmax()]:g}; against it: {not_so or 'nowhere'}",
        holds,
    )


def overtaken(policy, share, fractions=(0.65, 0.8, 0.95), events=1500):
    """How often a service of group 2 starts while a job of group 1 waits, along paths."""
    count = 0
    for number, x in enumerate(fractions):
        for interval in intervals(policy, **two_groups(x, required_share=share), events=events, seed=number):
            starts = any(job.group == 1 and not job.periods for job in interval.rates)
            count += starts and any(job.group == 0 and job not in interval.rates for job in interval.jobs)
    return count


@check("thesis-3-144", policies=("FCFS",))
def hundredth_hurts(policies=("HOL", "PQ"), share=0.51):
    """Delta^G of HOL and PQ beyond x of about 0.6, against that of equal shares (`thesis`, Figure 3.8)."""
    holds, said = [], []
    for policy in policies:
        values = both(policy, DRAWN, share)
        line = drawn(policy, DRAWN, share)
        excess = line - drawn(policy, DRAWN, 0.5)
        second = np.isclose(line, values[:, 1], 1e-9, 1e-12) & (overtaken(policy, share) == 0)
        large, more = (np.array([allows("clear", value) for value in found]) for found in (line, excess))
        beyond, before = DRAWN > 0.6299, DRAWN < 0.5701
        holds += list((large & more & second)[beyond] & (not large[before].any()))
        spans = [
            f"{DRAWN[where].min():.3f} to {DRAWN[where].max():.3f}" if where.any() else "no x"
            for where in (large, more)
        ]
        said.append(
            f"{policy}: at least 0.1 at x = {spans[0]}, 0.1 more than with equal shares at {spans[1]}, "
            f"group 2 {'never' if overtaken(policy, share) == 0 else 'often'} served before group 1"
        )
    return over_domain("; ".join(said), holds)


@check("thesis-3-147", share=0.49)
def two_or_more_of_group_1(share=0.51):
    """P[N1 > 1] under HOL, PQ and FCFS, each from a chain (`thesis`, Figure 3.9)."""
    points, margins, same = (0.01, *SPLITS, 0.99), {"HOL": [], "PQ": []}, True
    order = 0 if share > 0.5 else 1
    for x in points:
        system = two_groups(x, required_share=share)
        work = Workload("PQ", **system, service_rates=1.0, permanent_jobs=0)
        chains = {
            policy: uninterrupted.law(*system["arrival_rates"], first)
            for policy, first in (("FCFS", None), ("HOL", order))
        }
        error = chains["FCFS"][2]  # the same of all three: they lose the same jobs
        chains["PQ"] = distribution(60, work, preemptive if order == 0 else lambda jobs: preemptive(jobs[::-1])[::-1])
        many = {}
        for policy, (counts, probability, *_) in chains.items():
            many[policy] = probability[counts[0] > 1].sum()
            there = (counts > 0) @ probability
            same &= bool((np.abs(uniprocessor.exact(policy, **system).probability_present - there) <= error).all())
        for policy, found in margins.items():
            found.append(many["FCFS"] - many[policy] - 2 * error)
    said = [
        f"{policy} at least {min(found):.4f} lower, at x = {points[int(np.argmin(found))]:g}"
        for policy, found in margins.items()
    ]
    return over_domain(
        f"{'; '.join(said)}; presence {'as' if same else 'not as'} by formula",
        (np.ravel(list(margins.values())) > 0) & same,
    )
