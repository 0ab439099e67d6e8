"""Claims of `thesis`, Section 3.5, on several policies at once: which act alike, and which does better everywhere."""

import functools
import itertools

import numpy as np

from clustershare import uniprocessor
from clustershare.arguments import UnstableError
from clustershare.compiled import service
from clustershare.results import NoExactAnswer
from clustershare.uniprocessor.analysis import RULES
from clustershare.uniprocessor.chain import distribution
from clustershare.uniprocessor.model import Workload
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, grid, measured, widened
from compendium.press.clauses.conditions import agrees, at_least, equal, larger
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.one_processor.points import FIGURES, PAPER, stored_of
from pages.share_scheduling.one_processor.simulated import RISK, simulations
from pages.share_scheduling.one_processor.simulated import ROUNDING as SAME
from pages.share_scheduling.one_processor.systems import FRACTIONS, two_groups
from pages.share_scheduling.one_processor.witnesses.lines import RATE
from pages.share_scheduling.one_processor.witnesses.paths import averages

RUN = {"jumps": 30_000, "warmup": 5_000, "replications": 20}
ONE_LINE, ONE_SHARING = ("FCFS", "HOL", "PQ"), ("PS", "PPS")
BY_FORMULA = ("FCFS", "PS", "PQ")
DEVIATIONS = ("group_share_deviation", "job_share_deviation")
QUANTITIES = (
    *DEVIATIONS, "obtained_share", "probability_present", "mean_jobs",
    "mean_response_time",
)  # fmt: skip


def several_groups(count, seed, sizes=(3, 4, 5), busiest=0.95):
    """Random systems: required shares, loads, unequal service rates and permanent jobs, none in every other system."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        groups = sizes[number % len(sizes)]
        shares = rng.dirichlet(np.ones(groups)) + 0.05
        loads = rng.dirichlet(np.ones(groups)) * rng.uniform(0.02, busiest)
        permanent = rng.integers(3, size=groups) * (number % 2)
        yield shares / shares.sum(), loads, rng.uniform(0.3, 3, groups), permanent


def beside_the_rest(policy, group, shares, loads, permanent):
    """Both exact deviations of a group in a system of two: it and the others, under PQ those above, as one group."""
    others = shares > shares[group] if policy == "PQ" else np.arange(len(shares)) != group
    rest = np.flatnonzero(others)
    order = (0.4, 0.6)  # the others first, which counts under PQ
    rates, lasting = (loads[group], loads[rest].sum()), (int(permanent[group]), int(permanent[rest].sum()))
    found = uniprocessor.exact(policy, order, rates, 1.0, lasting)
    return found.probability_present[0] - found.obtained_share[0] / shares[group], found.job_share_deviation[0]


@functools.cache
def as_two_at_best(policy):
    """How far a policy is from it, all others as one group, beyond what a chain or a simulation may be off.

    Of UD, which is simulated, few systems; of PPS and GPPS those whose chains are short.
    """
    count, busiest = {"HOL": (100, 0.95), "UD": (3, 0.95)}.get(policy, (12, 0.75))
    worst = 0.0
    for number, (shares, loads, *_) in enumerate(several_groups(count, 136, (3,), busiest)):
        for group in (None, 0, 1, 2):
            system = shares, loads
            if group is not None:
                system = (shares[group], 1 - shares[group]), (loads[group], loads.sum() - loads[group])
            if policy == "UD":
                result = uniprocessor.simulate(policy, *system, **RUN, seed=number).group_share_deviation
                value, doubt = result.value, widened(9 * count, RUN["replications"], RISK) * result.half_width
            else:
                result = uniprocessor.exact(policy, *system, tolerance=1e-2)
                value, doubt = result.group_share_deviation, np.full(len(system[0]), result.error)
            if group is None:
                found, errors = value, doubt
            else:
                worst = max(worst, abs(value[0] - found[group]) - doubt[0] - errors[group])
    return worst


@check("thesis-3-135", unequal=True)
def several_groups_as_one(unequal=False):
    """Systems of three to five groups against systems of two: exact and simulated; the control has unequal rates."""

    def gaps(policy, number):
        shares, loads, services, permanent = list(several_groups(24, 135))[number]
        rates = services if policy == "PS" or (policy == "FCFS" and unequal) else np.full(len(shares), RATE)
        lasting = permanent if policy == "PS" or (policy == "FCFS" and not unequal) else 0 * permanent
        found = uniprocessor.exact(policy, shares, loads * rates, rates, lasting)
        alone = [beside_the_rest(policy, group, shares, loads, lasting) for group in range(len(shares))]
        return np.abs(np.transpose([getattr(found, name) for name in DEVIATIONS]) - alone).max()

    def simulated(policy):
        systems, expected, none = [], [], np.zeros(3, dtype=int)
        for shares, loads, services, _ in several_groups(8, 137, (3,)):
            rates = services if policy == "PS" or (unequal and policy == "FCFS") else np.ones(3)
            systems.append({"required_shares": shares, "arrival_rates": loads * rates, "service_rates": rates})
            alone = np.transpose([beside_the_rest(policy, group, shares, loads, none) for group in range(3)])
            alone[1, loads < 0.01] = np.nan  # two of its jobs are too rare for a path
            expected.append(alone)
        return simulations(policy, systems, expected, DEVIATIONS, seed=135, jumps=15_000, warmup=3_000)

    exactly = grid(policy=BY_FORMULA, system=range(24)).measure(gaps)
    others = cases("policy", ("HOL", "UD", "PPS", "GPPS")).measure(as_two_at_best)
    like = (exactly.value.max(axis=1) <= SAME).sum() + (others.value <= SCALE["close"].most).sum()
    runs = cases("policy", BY_FORMULA).measure(simulated)
    return conclude(
        everywhere("under FCFS, PS and PQ deviations among several groups and among two", exactly, equal(SAME)),
        everywhere("the number of policies whose deviations are equal or close", exact(like), at_least(4)),
        aside("how far others are from two groups", others),
        provided=[everywhere("a simulation less the formula of two groups", runs, agrees())],
    )


@functools.cache
def shown(policy, figure):
    """The larger exact deviation at the points of a figure, the ends of its axis left out, and the chains' bound."""
    systems = FIGURES[figure](policy)
    found = [uniprocessor.exact(policy, **system, tolerance=1e-5) for system in systems]
    return np.array([np.nanmax(one.group_share_deviation) for one in found]), max(one.error for one in found)


@check("thesis-3-136", policy="PQ")
def none_can_match(policy="GPPS"):
    """GPPS below PS and below PPS at the points of five figures; the control has PQ in its place."""
    clauses = []
    for figure in FIGURES:
        value, error = shown(policy, figure)
        better = [other - value - error - more for other, more in (shown(name, figure) for name in ONE_SHARING)]
        margin = exact(np.min(better, axis=0), as_it_stands=True, point=None)
        clauses.append(at_each(f"in Figure {figure} the margin of {policy} to PS and PPS", margin, larger()))
    stored = [*itertools.product(("GPPS", "PPS"), list(FIGURES)[1:]), ("GPPS", "3.5")]
    return conclude(*clauses, provided=[as_drawn(*one) for one in stored])


def as_drawn(policy, figure):
    """The clause that the points of a policy in a figure have what is exact."""
    value, error = shown(policy, figure)
    points = stored_of(figure, policy).largest("group")
    less = points.value[len(points.value) - len(value) :] - value
    half = points.half[len(points.value) - len(value) :] + error + SAME
    return everywhere(
        f"in Figure {figure} a point of {policy} less what is exact",
        measured(less, half, runs=PAPER, risk=RISK, point=None),
        agrees(),
    )


def departures(policy, shares, loads, services, permanent, seed):
    """Group, arrival and departure of the jobs that leave along a path of one seed."""
    found = averages(shares, (loads * services).tolist(), services, permanent, policy=policy, events=400, seed=seed)
    return np.array([(job.group, job.arrival, job.departure) for job in found.left])


def all_of(policy, *system):
    """All quantities of an exact answer, 0 where one is not known; None if there is no answer."""
    try:
        found = uniprocessor.exact(policy, *system, tolerance=0.1)
    except (NoExactAnswer, UnstableError):
        return None
    return np.nan_to_num([getattr(found, name) for name in QUANTITIES])


@check("thesis-3-137", tilt=0.01)
def as_first_come_or_sharing(tilt=0.0):
    """Equal required shares: the same departures job by job, the same chain, and the same curves."""
    systems = []
    for number, (_, loads, services, permanent) in enumerate(several_groups(12, 138, (2, 3, 4))):
        shares = np.full(len(loads), 1 / len(loads))
        shares[[0, -1]] += tilt, -tilt
        systems.append((number, shares, loads, services if number % 4 > 1 else np.ones(len(loads)), permanent))

    def alike(number, shares, loads, services, permanent):
        same = True
        for policies in (ONE_LINE, ONE_SHARING):
            first, *others = (departures(name, shares, loads, services, permanent, number) for name in policies)
            same &= all(len(first) == len(other) and np.allclose(first, other, 1e-12, 1e-12) for other in others)
        work = Workload("PPS", shares, loads * services, services, permanent)

        def law(code):
            jobs = work.permanent_jobs[:, None]
            rule = functools.partial(service.divide_each, code, work.required_shares)
            return distribution({2: 30, 3: 10, 4: 6}[len(loads)], work, lambda numbers: rule(numbers + jobs))[1]

        return {"paths": same, "chains": np.abs(law(RULES["PPS"]) - law(service.PS)).max()}

    def curves(x):
        system = two_groups(x, required_share=0.5 + tilt)
        worst = 0.0
        for kind in (ONE_LINE, ONE_SHARING):
            found = [uniprocessor.exact(policy, **system, tolerance=1e-4) for policy in kind]
            both = [(one.group_share_deviation, one.job_share_deviation) for one in found]
            worst = max(worst, np.ptp(both, axis=0).max())
        return worst

    def answers(_, shares, loads, services, permanent):
        """The range of all quantities over the exact answers of a kind; infinite if not all of it have one."""
        worst = 0.0
        for kind in (ONE_LINE, ONE_SHARING):
            found = [all_of(policy, shares, loads * services, services, permanent) for policy in kind]
            told = [one is not None for one in found]
            worst = max(worst, np.ptp(found, axis=0).max() if all(told) else np.inf if any(told) else 0.0)
        return worst

    def ranges(kind):
        """The range of all quantities over simulations of a kind; infinite if some of it refuse a system."""
        worst = 0.0
        for number, shares, loads, services, permanent in systems[:6]:
            system = shares, 0.9 * loads * services, services, permanent
            try:
                runs = [uniprocessor.simulate(name, *system, jumps=5_000, replications=2, seed=number) for name in kind]
            except UnstableError:
                return np.inf
            found = np.nan_to_num([[getattr(run, name).value for name in QUANTITIES] for run in runs])
            worst = max(worst, np.ptp(found, axis=0).max())
        return worst

    found = cases("random system", systems, seed=138).measure(alike)
    return conclude(
        everywhere("each job leaves at the same time under all of a kind", found["paths"]),
        everywhere("the laws of the chains of PPS and of PS", found["chains"], equal(SAME)),
        everywhere("the curves of a kind", cases("x", FRACTIONS).measure(curves), equal(SAME)),
        everywhere(
            "all quantities of the exact answers of a kind",
            cases("random system", systems, seed=138).measure(answers),
            equal(SAME),
        ),
        everywhere("all quantities of the simulations of FCFS, HOL and PQ", exact(ranges(ONE_LINE)), equal(0)),
        everywhere("those of PS and PPS", exact(ranges(ONE_SHARING)), equal(SAME)),
        whole=True,
    )
