"""Claims of `thesis`, Section 3.5.1, case 2, Figures 3.10, 3.11: two groups of equal loads and unequal shares."""

import numpy as np
from scipy.optimize import brentq

from clustershare import uniprocessor
from clustershare.estimates import from_replications
from clustershare.results import NoExactAnswer
from compendium.press.clauses import (
    aside,
    at_each,
    cases,
    conclude,
    everywhere,
    exact,
    fact,
    grid,
    measured,
    mended,
    widened,
)  # fmt: skip
from compendium.press.clauses.conditions import agrees, at_least, at_most, between, equal, falls, larger, rises, smaller
from compendium.press.findings import check
from pages.share_scheduling.one_processor.points import (
    POINTS,
    WITHOUT,
    drawn,
    exact_of_two_groups,
    exactly_beside,
    exactly_over_r,
    known,
    larger_deviation,
    lows,
    over_r,
    sharing_chain,
    simulated,
    stored,
)  # fmt: skip
from pages.share_scheduling.one_processor.simulated import (
    IN_BOUND,
    RISK,
    agree,
    as_simulated,
    bounded,
    paths,
    sampled,
    simulations,
)  # fmt: skip
from pages.share_scheduling.one_processor.simulated import ROUNDING as SAME
from pages.share_scheduling.one_processor.systems import SHARES, beside_permanent_jobs, two_groups
from pages.share_scheduling.one_processor.witnesses.chains import two_numbers
from pages.share_scheduling.one_processor.witnesses.decisions import least_deviation, programme, with_threshold
from pages.share_scheduling.one_processor.witnesses.paths import averages

ABOVE_HALF = tuple(np.linspace(0.505, 0.995, 50))
FROM_HALF = (0.5 + 1e-9, *ABOVE_HALF)
JOBS = "job_share_deviation"
BOTH = (0.4, 0.4)  # the loads
SHORT = {"jumps": 20_000, "warmup": 2_000}


def first_come(r):
    """(3.97) and (3.98)."""
    return np.array([2 * (5 * share - 3) / (15 * share) for share in (r, 1 - r)])


def larger_at(policy, r):
    """The larger exact deviation at a required share of group 1."""
    return larger_deviation(policy, [two_groups(0.5, required_share=float(r))])[0]


def as_drawn(policy, quantity="group_share_deviation"):
    """The clause that the points of Figure 3.10, or of 3.11 for job shares, have what is exact."""
    less = over_r(policy, 0, quantity) - exactly_over_r(policy, quantity=quantity)
    return everywhere(f"a point of {policy} less what is exact", less, agrees())


@check("thesis-3-090", load=0.7)
def first_come_in_case_2(load=0.8, sharing="PS"):
    """(3.97) and (3.98): the curve, exact answers, the chain of PS and the points of FCFS."""
    form = exact([first_come(r) for r in WITHOUT], required_share=WITHOUT, group=(1, 2))

    def off(policy):
        return (exactly_over_r(policy, WITHOUT, load=load) - form).scaled(1 / np.maximum(np.abs(form.value), 1e-3))

    chains = [(np.abs(deviation - first_come(r)).max(), bound) for r in POINTS
              for deviation, bound in (sharing_chain(sharing, r, 0, load),)]  # fmt: skip
    curve = drawn("FCFS") - form.value.max(axis=1)
    simulated = over_r("FCFS") - exact([first_come(r) for r in SHARES], required_share=SHARES, group=(1, 2))
    some = SHARES[2::3]
    shared = simulations("PS", [two_groups(0.5, load, r) for r in some], [first_come(r) for r in some], **SHORT)
    return conclude(
        everywhere("the exact deviation and (3.97), (3.98)", cases("policy", ("FCFS", "PS")).measure(off), equal(SAME)),
        everywhere("the curve and the larger of both", exact(curve, required_share=WITHOUT), equal(SAME)),
        everywhere(f"the gap to the chain of {sharing}", bounded(chains), IN_BOUND),
        everywhere("FCFS simulated less the formula", simulated, agrees()),
        everywhere("PS simulated less the formula", shared, agrees()),
        whole=True,
    )


@check("thesis-3-091", policies=("FCFS", "PPS"))
def above_six_tenths(policies=("FCFS", "PS")):
    """Which group is the worse, and where the larger deviation is above 0: curves, their zeros and points of FCFS."""

    def zero_of(policy):
        before, beyond = (larger_at(policy, r) for r in (0.52, 0.8))
        return brentq(lambda r: larger_at(policy, r), 0.52, 0.8, xtol=1e-13) if before < 0 < beyond else np.nan

    shares, domain = WITHOUT if "PPS" not in policies else np.array(POINTS), cases("policy", policies)
    found = domain.measure(lambda policy: exactly_over_r(policy, tuple(shares)))
    value = found.largest("group").value
    simulated = over_r("FCFS")
    above, below = (
        simulated.at(required_share=[r for r in SHARES if abs(r - 0.6) > 1e-9 and (r > 0.6) == side]).largest("group")
        for side in (True, False)
    )
    return conclude(
        everywhere("group 1's deviation less group 2's", found.at(group=1) - found.at(group=2), larger()),
        everywhere("the larger deviation is above 0 just beyond 0.6",
                   exact((value > 0) == (shares > 0.6), policy=policies, required_share=shares)),
        everywhere("its zero and 0.6", domain.measure(zero_of) - 0.6, equal(SAME)),
        everywhere("simulated, group 1's deviation less group 2's",
                   (simulated.at(group=1) - simulated.at(group=2)).at(required_share=SHARES[1:]), larger()),
        everywhere("the larger simulated deviation beyond 0.6", above, larger()),
        everywhere("the larger simulated deviation before", below, smaller()),
        whole=True,
    )  # fmt: skip


@check("thesis-3-092", policy="GPPS")
def weights_help_little(policy="PPS"):
    """PPS below PS, and above 0 for large shares of group 1 (`thesis`, Figure 3.10)."""
    shares = POINTS[1:]  # at a half all weights are equal, and PPS is PS
    answers = [exactly_beside(policy, r, 0, 0.8) for r in shares]
    found = measured(
        [one.max() for one, _ in answers], [bound for _, bound in answers], risk=None, required_share=shares
    )
    each = exact([one for one, _ in answers[:-1]], required_share=shares[:-1], group=(1, 2))
    sharing = exact(larger_deviation("PS", [two_groups(0.5, required_share=r) for r in shares]), required_share=shares)
    near = uniprocessor.exact(policy, **two_groups(0.5, required_share=0.999), tolerance=1e-3).group_share_deviation
    return conclude(
        everywhere("the larger deviation less that of PS", found - sharing, smaller()),
        everywhere(
            "the larger deviation from 0.75 on", found.at(required_share=[r for r in shares if r >= 0.75]), larger()
        ),
        everywhere(
            "a simulated deviation less the exact one", over_r(policy).at(required_share=shares[:-1]) - each, agrees()
        ),
        aside("the largest share at which it is not above 0", exact(np.array(shares)[found.value <= found.half].max())),
        aside("it at 0.999", exact(near.max())),
        whole=True,
    )


@check("thesis-3-095", policy="FCFS")
def full_share(policy="PQ"):
    """The deviation of group 1 as its required share tends to 1, exact and in a chain (`thesis`, Figure 3.10)."""
    shares = tuple(1 - 10.0 ** -np.arange(1, 10))
    found = exactly_over_r(policy, shares).at(group=1)
    chain = exact([two_numbers(*BOTH, 1.0).deviations(r)[0] for r in shares], required_share=shares)
    return conclude(
        everywhere("group 1's deviation is below 0", exact(found.value < 0, required_share=shares)),
        everywhere("the factor by which a tenfold smaller rest divides it",
                   exact(found.value[:-1] / found.value[1:], step=None), at_least(10 * (1 - 1e-6))),
        everywhere("at 1 - 1e-9 its distance to 0", exact(abs(found.value[-1])), at_most(1e-8)),
        everywhere("the deviation and that of the chain", found - chain, equal(SAME)),
        whole=True,
        provided=[as_drawn(policy)],
    )  # fmt: skip


@check("thesis-3-097", policy="PQ")
def demanding_group_worse(policy="UD"):
    """By how much group 1 is the worse, path by path (`thesis`, Figure 3.10)."""
    shares, pairs = (0.505, 0.51, *SHARES[1:], 0.99), []
    for r in shares:
        found = paths(policy, **two_groups(0.5, required_share=r), jumps=20_000, warmup=5_000, replications=20)
        deviations = found.present - found.obtained / np.array([r, 1 - r])
        pairs.append(from_replications(deviations[:, 0] - deviations[:, 1]))
    systems = [two_groups(0.5, required_share=r) for r in shares]
    exactly = [np.subtract(*known("UD", system, lambda found: found.group_share_deviation)) for system in systems]
    known_ones = agree("exact UD, where it is known, against these differences,", exactly, pairs)
    found, rows = sampled(pairs, required_share=shares), over_r("UD").at(required_share=SHARES[1:])
    return conclude(
        everywhere("group 1's deviation less group 2's", found, larger()),
        everywhere("the same at the points of the figure", rows.at(group=1) - rows.at(group=2), larger()),
        as_simulated(policy, systems),
        known_ones,
        whole=True,
    )


@check("thesis-3-098", policy="GPPS")
def too_much_promised(policy="UD"):
    """UD, simulated, and HOL, exact, where a group of low or moderate load is promised much (`thesis`, 3.5.1, 3.6)."""
    shares, loads, totals = (0.7, 0.8, 0.9, 0.99), (0.05, 0.1, 0.2, 0.3, 0.4), (0.8, 0.5)
    runs, rows, systems = [], [], []
    for total in totals:
        for load in loads:
            for r in shares:
                system = (r, 1 - r), (load, total - load)
                systems.append(dict(required_shares=system[0], arrival_rates=system[1]))
                found = paths(policy, *system, jumps=12_000, warmup=3_000, replications=20)
                deviations = found.present - found.obtained / np.array(system[0])
                runs.append(from_replications(deviations[:, 0]))
                held = uniprocessor.exact("HOL", *system).group_share_deviation
                rows.append((held[0], held.argmax() == 0 and deviations.mean(axis=0).argmax() == 0))
    axes = {"total_load": totals, "load": loads, "required_share": shares}
    of_hol, worse = (exact(np.reshape(column, [*map(len, axes.values())]), **axes) for column in zip(*rows))
    exactly = [known("UD", system, lambda found: found.group_share_deviation)[0] for system in systems]
    known_ones = agree("exact UD of group 1, where it is known, against the simulations,", exactly, runs)
    found, wide = sampled(runs, **axes), widened(len(runs), 20, RISK)
    short = exact((found.low(wide) > 0) & (of_hol.value > 1e-9) & worse.value.astype(bool), **axes)
    high = tuple(r for r in SHARES if r >= 0.7)
    figure = over_r(policy)
    low, drawn_there = (each[-len(high) :] for each in (figure.low(figure.widened(figure.asked)), figure.value))
    in_figure = exact(
        [one[0] > 0 and held[0] > 0 and both.argmax() == held.argmax() == 0
         for one, both, held in zip(low, drawn_there, (exact_of_two_groups("HOL", 0.5, r) for r in high))],
        required_share=high,
    )  # fmt: skip
    return conclude(
        at_each(f"group 1 falls short, and shorter than group 2, under {policy} and HOL", short),
        at_each("group 1 falls short in the figure, and shorter than group 2, under both", in_figure),
        aside(f"group 1's deviation under {policy}", found), aside("under HOL", of_hol),
        provided=[as_simulated(policy, systems), *[known_ones] * (policy == "UD")],
    )  # fmt: skip


@check("thesis-3-099", policies=("FCFS", "UD", "PQ"))
def constant_in_the_share(policies=("FCFS", "HOL", "PQ"), shares=(0.505, 0.6, 0.75, 0.9, 0.99)):
    """Job-share deviations over the shares of group 1: drawn, simulated, and job by job (`thesis`, Figure 3.11)."""

    def off_middle(policy):
        found = over_r(policy, quantity=JOBS)
        middle = np.average(found.value, axis=0, weights=found.half**-2.0)
        return found.at(required_share=SHARES[1:]) - middle

    def apart(policy, path):
        """In how many of the shares some job leaves at another time."""
        setting = {"policy": policy, "events": 500, "seed": path}
        left = [averages((r, 1 - r), BOTH, **setting).left for r in shares]
        departures = [[(job.group, job.departure) for job in jobs] for jobs in left]
        return sum(one != departures[0] for one in departures)

    def curve_range(policy):
        curve = drawn(policy, quantity=JOBS)
        return np.ptp(curve[~np.isnan(curve)])

    domain = cases("policy", policies)
    return conclude(
        everywhere("the range of the curve", domain.measure(curve_range), at_most(SAME)),
        everywhere("a simulated deviation less the mean over the shares", domain.measure(off_middle), agrees()),
        everywhere("the required shares at which some job leaves at another time",
                   grid(policy=policies, path=range(3)).measure(apart), at_most(0)),
        whole=True,
    )  # fmt: skip


@check("thesis-3-093", policies=("PQ", "HOL"))
def always_negative(policies=("PQ", "GPPS")):
    """The largest deviation over the shares of group 1; that of 1/2 with group 1 first (`thesis`, Figure 3.10)."""
    found = cases("policy", policies).measure(lambda policy: exactly_over_r(policy, FROM_HALF).largest("group"))
    return conclude(
        everywhere("the larger deviation", found, smaller()), whole=True, provided=[as_drawn(one) for one in policies]
    )


@check("thesis-3-096", policy="PQ")
def from_which_share(policy="HOL"):
    """UD, simulated, and HOL, exactly, at shares beyond 0.55: intervals that hold jointly (`thesis`, Figure 3.10)."""
    between_them = {round(0.55 + 0.005 * number, 12) for number in range(1, 15)}
    shares = tuple(sorted(between_them.union(share for share in SHARES if share > 0.55)))
    rows = simulated("UD", places=tuple((0.5, share) for share in shares))
    found = stored(rows, required_share=shares, group=(1, 2))
    # A group that is served first for ever falls behind its promise up to this share.
    present = uniprocessor.exact("HOL", (0.6, 0.4), BOTH).probability_present

    def off_answer(r):
        """How far exact UD is from exact HOL, if it is known."""
        try:
            found = uniprocessor.exact("UD", (r, 1 - r), BOTH).group_share_deviation
        except NoExactAnswer:
            return 0.0
        return np.abs(found - exact_of_two_groups("HOL", 0.5, r)).max()

    return conclude(
        at_each(f"a deviation less that of {policy}", found - exactly_over_r(policy, shares), agrees()),
        aside("the share from which on it is HOL for ever", exact(present[1] / present.sum())),
        together="required share",
        provided=[everywhere("exact UD, where it is known, and exact HOL",
                             cases("required share", shares).measure(off_answer), equal(SAME)), as_drawn(policy)],
    )  # fmt: skip


@check("thesis-3-148", permanent_jobs=1)
def only_one_performs(permanent_jobs=0):
    """Which policies have a positive deviation for some required share of group 1 (`thesis`, Figure 3.10)."""

    def worst(policy):
        if policy == "UD" and not permanent_jobs:  # of its rows, and of the exact answers that there are
            return min(lows("3.10", policy).max(), np.nanmax(drawn(policy)))
        if permanent_jobs:
            systems = [beside_permanent_jobs(policy, float(r), 1) for r in SHARES]
        else:
            systems = [two_groups(0.5, required_share=float(r)) for r in FROM_HALF]
        return np.nanmax(larger_deviation(policy, systems))

    others = tuple(policy for policy in uniprocessor.POLICIES if policy != "GPPS")
    return conclude(
        everywhere("the largest deviation of GPPS", exact(worst("GPPS")), at_most(1e-7)),
        everywhere("the largest deviation of another policy", cases("policy", others).measure(worst), larger(1e-7)),
        provided=[as_drawn(policy) for policy in ("FCFS", "HOL", "PQ", "PPS", "GPPS")],
        whole=True,
    )


@check("thesis-3-149", policy="FCFS")
def who_is_worse(policy="PQ"):
    """Both deviations over the required share of group 1: where they cross (`thesis`, Figure 3.10)."""

    def both(r):
        return exact_of_two_groups(policy, 0.5, r)

    found = exactly_over_r(policy, FROM_HALF)
    gap = found.at(group=2) - found.at(group=1)
    crossings = int((np.diff(np.sign(gap.value)) != 0).sum())
    place = brentq(lambda r: np.subtract(*both(r)), 0.51, 0.99, xtol=1e-12) if crossings else np.nan
    chain = cases("required share", np.linspace(0.52, 0.96, 12)).measure(
        lambda r: np.abs(both(r) - two_numbers(*BOTH, 1.0).deviations(r)).max()
    )
    return conclude(
        everywhere("at a half group 2's deviation less group 1's", exact(gap.value[0]), larger()),
        everywhere("the number of crossings", exact(crossings), between(1, 1)),
        everywhere("the share at which they cross", exact(place), between(0.55, 0.65)),
        everywhere("group 1's deviation", found.at(group=1).steps("required share"), rises()),
        everywhere("group 2's deviation", found.at(group=2).steps("required share"), falls()),
        everywhere("the deviations and those of the chain", chain, equal(SAME)),
        aside("group 1's deviation less group 2's at 0.6", exact(np.subtract(*both(0.6)))),
        whole=True,
        provided=[as_drawn(policy)],
    )


@check("thesis-3-152", fraction=0.75)
def fairer_within(fraction=0.5):
    """The job-share deviations of HOL and PQ below that of FCFS, exact and simulated (`thesis`, Figure 3.11)."""
    run = {"jumps": 200_000, "warmup": 10_000, "replications": 20}

    def largest(policy, r):
        return exact_of_two_groups(policy, fraction, r, quantity=JOBS).max()

    def run_of(policy):
        found = getattr(uniprocessor.simulate(policy, **two_groups(fraction, required_share=0.75), **run), JOBS)
        return measured(found.value, found.half_width, runs=20, risk=RISK, as_it_stands=True, group=(1, 2)).largest(
            "group"
        )

    lower, held = ("HOL", "PQ"), run_of("FCFS")
    domain = grid(policy=lower, required_share=ABOVE_HALF)
    runs = cases("policy", lower).measure(lambda policy: held - run_of(policy))
    margin = domain.measure(lambda policy, r: largest("FCFS", r) - largest(policy, r))
    each = cases("policy", ("FCFS", *lower)).measure(
        lambda policy: exact(exact_of_two_groups(policy, fraction, 0.75, quantity=JOBS), group=(1, 2))
    )
    return conclude(
        at_each("FCFS's larger deviation less the policy's", margin, larger()),
        aside("each group's deviation", each),
        aside("the same simulated, at 0.75,", runs),
        provided=[
            everywhere("simulated less exact", runs - margin.at(required_share=ABOVE_HALF[25]), agrees()),
            *(as_drawn(policy, JOBS) for policy in ("FCFS", *lower)),
        ],
    )


@check("thesis-3-150", preemptive=True)
def no_better_one(preemptive=False):
    """The least deviation that a linear programme allows, against UD, HOL and others (`thesis`, Figure 3.10)."""
    most = 30
    flows, bound = programme(BOTH, most, preemptive), sum(BOTH) ** (most + 1)
    points = over_r("UD")
    shares, wide = tuple(r for r in SHARES if r >= 0.55), points.widened(points.asked)
    at_random = np.array(
        [averages((0.6, 0.4), BOTH, policy="random", events=2_000, seed=seed).present for seed in range(10)]
    )
    at_random = from_replications(at_random)
    at_random = at_random.value + widened(2 * len(SHARES), 10, RISK) * at_random.half_width
    low, high = (dict(zip(SHARES, ends(wide).max(axis=1))) for ends in (points.low, points.high))

    def found(r):
        promised = np.array([r, 1 - r])
        least, back = least_deviation(flows, BOTH, most, r), uniprocessor.exact("HOL", (1 - r, r), BOTH)
        front, fcfs = (
            uniprocessor.exact(policy, (r, 1 - r), BOTH).group_share_deviation.max() for policy in ("HOL", "FCFS")
        )
        others = (
            front,
            (back.probability_present - back.obtained_share / promised).max(),
            fcfs,
            (at_random - BOTH / promised).max(),
        )
        reached = low[r] <= least + bound and high[r] >= least and front <= least + bound
        return {
            "reached": reached,
            "others": min(others) - least,
            "apart": points.value.max(axis=1)[SHARES.index(r)] - least,
        }

    found = cases("required share", shares).measure(found)
    return conclude(
        at_each("UD and HOL have the least deviation that any policy can have, up to the bound,", found["reached"]),
        aside("UD's deviation less the least", found["apart"]),
        aside("the bound", exact(bound)),
        provided=[
            everywhere("the best of the other policies less the least deviation", found["others"], at_least(-SAME))
        ],
    )


@check("thesis-3-151", thresholds=(np.inf,))
def waiting_for_the_other(thresholds=(0.0, 1.0, 4.0)):
    """UD that lets group 2 wait: deviations, lost capacity, and whether group 2 is served as it arrives."""
    shares = (0.6, 0.7, 0.8, 0.9)
    found = with_threshold([(r, one) for r in shares for one in thresholds], BOTH, replications=60)
    axes = {"required_share": shares, "threshold": thresholds}
    wide = widened(4 * len(shares) * len(thresholds), 60, RISK)

    def ends(estimate, sign):
        value = estimate.value + sign * wide * estimate.half_width
        return value.reshape(len(shares), len(thresholds), -1).max(axis=2)

    up_down = np.array([uniprocessor.exact("UD", (r, 1 - r), BOTH).group_share_deviation.max() for r in shares])[
        :, None
    ]
    gain, lost, grows = ends(found.deviations, 1) < up_down, ends(found.loss, -1) > 0, ends(found.growth, -1) > 0
    fails = (up_down > 0)[:, 0]
    failing, other = tuple(np.array(shares)[fails]), tuple(np.array(shares)[~fails])
    at = {"required_share": failing, "threshold": thresholds}
    return mended(
        fact("with some threshold there is a gain, and the queue of group 2 stays", (gain & lost & ~grows).any(),
             "with no threshold there is a gain and a queue of group 2 that does not grow"),
        everywhere("where UD fails, the deviation is lower", exact(gain[fails], **at)),
        everywhere("capacity is lost there", exact(lost[fails], **at)),
        everywhere("the queue of group 2 grows there", exact(grows[fails], **at)),
        everywhere("where UD does not fail there is no gain", exact(~gain[~fails], **{**at, "required_share": other})),
        aside("the loss", exact(found.loss.value.reshape(len(shares), -1), **axes)),
        aside("UD's deviation", exact(up_down[:, 0], required_share=shares)),
        aside("the largest deviation with a threshold", exact(
            found.deviations.value.reshape(len(shares), -1).max(axis=1), required_share=shares
        )),
    )  # fmt: skip
