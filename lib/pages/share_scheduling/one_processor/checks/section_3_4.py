"""Claims of `thesis`, Section 3.4: PS, PPS and GPPS."""

import functools
import itertools
from fractions import Fraction

import numpy as np
from scipy import stats

from clustershare import markov, uniprocessor
from clustershare.compiled import service
from clustershare.estimates import Estimate
from clustershare.results import NoExactAnswer
from clustershare.sizes import Deterministic, Hyperexponential
from clustershare.uniprocessor import chain
from clustershare.uniprocessor.analysis import RULES, sharing_rule
from clustershare.uniprocessor.chain import distribution, rank, simplex, tail
from clustershare.uniprocessor.model import Workload
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, fact, grid, measured, mended
from compendium.press.clauses.conditions import agrees, at_least, at_most, equal, larger, rises
from compendium.press.findings import check
from pages.share_scheduling.one_processor.printed import gone, law, obtained, presence_and_means
from pages.share_scheduling.one_processor.simulated import RISK, agree, bounded, simulations
from pages.share_scheduling.one_processor.simulated import ROUNDING as SAME
from pages.share_scheduling.one_processor.systems import random_splits
from pages.share_scheduling.one_processor.witnesses.lines import RATE, numbers
from pages.share_scheduling.one_processor.witnesses.paths import intervals

MOST = {2: 60, 3: 20, 4: 12}  # jobs at which chains of so many groups are cut
PRECISE = {2: 60, 3: 11, 4: 7}  # where every state is to be found to nine digits
EXACT = 1e-12


def settings(count, seed, busiest=0.95):
    """Random systems of 2 to 4 groups: required shares, loads, service rates and up to three permanent jobs of each."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        groups = 2 + number % 3
        loads = rng.dirichlet(np.ones(groups)) * rng.uniform(0.02, busiest)
        shares = np.clip(rng.dirichlet(np.ones(groups)), 0.05, None)
        yield shares / shares.sum(), loads, rng.uniform(0.1, 10, groups), rng.integers(4, size=groups)


def arguments(shares, loads, services, permanent):
    """Those of `uniprocessor.simulate`."""
    return {"required_shares": shares, "arrival_rates": loads * services, "service_rates": services,
            "permanent_jobs": permanent}  # fmt: skip


def out_of_balance(weights, loads, services, permanent, most=12):
    """At how many states, up to 12 jobs, (3.84) does not hold with (3.80) put in: in rational arithmetic.

    The weights are those of the jobs, all 1 under processor sharing.
    """
    weights, loads, services = (
        np.array([Fraction(x).limit_denominator(50) for x in row]) for row in (weights, loads, services)
    )
    groups, total = len(loads), int(permanent.sum())
    jobs = simplex(most + 1, groups)
    value = law(jobs.astype(object), loads, total)
    claims = weights[:, None] * (jobs + permanent[:, None])
    rates = weights[:, None] * jobs * services[:, None] / np.where(claims.sum(axis=0) == 0, 1, claims.sum(axis=0))
    inner = jobs.sum(axis=0) <= most
    here, arrivals = jobs[:, inner], loads * services
    out = (arrivals.sum() + rates[:, inner].sum(axis=0)) * value[inner]
    into = 0 * out
    for group in range(groups):
        step = np.eye(groups, dtype=int)[:, [group]]
        more = rank(most + 1, here + step)
        into = into + rates[group, more] * value[more]
        some = here[group] > 0
        into[some] = into[some] + arrivals[group] * value[rank(most + 1, here[:, some] - step)]
    return int((out != into).sum())


def sharing(policy, shares, permanent):
    """The library's obtained shares in states given by the numbers of transient jobs."""
    code = {"PS": service.PS, **RULES}[policy]
    return lambda transient: service.divide_each(code, np.array(shares), transient + np.reshape(permanent, (-1, 1)))


def to_nine_digits(policy, shares, loads, services, permanent):
    """The numbers of transient jobs and their law, both cut: of more than two groups by elimination, not iteration."""
    groups, rule = len(shares), sharing(policy, shares, permanent)
    level = PRECISE[groups]
    if groups == 2:
        return distribution(level, Workload(policy, shares, loads * services, services, permanent), rule)
    transient = simplex(level, groups)
    jobs = transient + permanent[:, None]
    leaving = rule(transient) * services[:, None] * transient / np.maximum(jobs, 1)
    rates, room = np.zeros((transient.shape[1],) * 2), np.flatnonzero(transient.sum(axis=0) < level)
    for group in range(groups):
        more = rank(level, transient[:, room] + np.eye(groups, dtype=int)[:, [group]])
        rates[room, more] = loads[group] * services[group]
        rates[more, room] = leaving[group, more]
    return transient, markov.gth(rates)


@check("thesis-3-062", policy="PPS")
def law_of_sharing(policy="PS"):
    """(3.80), (3.81) and (3.84): exactly, against chains cut alike, and simulated at a load of 0.9."""
    rng, systems = np.random.default_rng(1), list(settings(12, 62))

    def in_chain(shares, loads, services, permanent):
        groups, total, rho = len(shares), int(permanent.sum()), loads.sum()
        transient, probability = to_nine_digits(policy, shares, loads, services, permanent)
        expected = law(transient, loads, total)
        beyond = stats.nbinom.sf(PRECISE[groups], total + 1, 1 - rho)  # by (3.82)
        series = [
            ((1 - rho) / (1 - loads @ z)) ** (total + 1) - probability @ np.prod(z[:, None] ** transient, axis=0)
            for z in rng.random((3, groups))
        ]
        gap = np.abs(probability / (expected / expected.sum()) - 1).max()
        return {"law": max(gap, abs(expected.sum() + beyond - 1)), "series": max(0, np.abs(series).max() - beyond)}

    def balance(shares, loads, services, permanent):
        return out_of_balance(shares if policy == "PPS" else np.ones(len(shares)), loads, services, permanent)

    def off_answer(shares, loads, services, permanent):
        answer = uniprocessor.exact("PS", shares, loads * services, services, permanent)
        form = presence_and_means(loads, permanent)
        return np.abs(([answer.probability_present, answer.mean_jobs] - form) / np.maximum(form, 1e-3)).max()

    exactly = cases("random system", settings(60, 67), seed=67).measure(off_answer)
    found, busy, numbers_of = cases("chain", systems, seed=62).measure(in_chain), [], []
    for shares, loads, services, permanent in settings(6, 63):
        loads = 0.9 * loads / loads.sum()
        busy.append(arguments(shares, loads, services, permanent))
        numbers_of.append(presence_and_means(loads, permanent))
    simulated = simulations(policy, busy, numbers_of, ("probability_present", "mean_jobs"), seed=62, jumps=50_000)
    return conclude(
        everywhere("the number of states at which (3.84) does not hold",
                   cases("random system", systems[:3], seed=62).measure(balance), at_most(0)),
        everywhere("at every state (3.80) and the law of the chain", found["law"], equal(SAME)),
        everywhere("but for the tail (3.81) and the series", found["series"], equal(EXACT)),
        everywhere("presence and mean numbers, exactly and by (3.81),", exactly, equal(SAME)),
        everywhere("a simulated presence or mean number less that of (3.81)", simulated, agrees()),
        whole=True,
    )  # fmt: skip


EQUATIONS = "(3.85)", "(3.87)", "(3.88)"


def forms(shares, loads, permanent, of):
    """(3.85), (3.87) and (3.88) with `of` where N_g^P is printed: deviation, presence, obtained share."""
    there = np.where(permanent > 0, 1, 1 - gone(loads) ** (of + 1))
    share = obtained(loads, permanent, of)
    return np.array([there - share / shares, there, share])


@check("thesis-3-063", policy="PPS")
def share_deviation(policy="PS"):
    """(3.85), (3.87) and (3.88) as printed and with N^P, and the library, against chains and simulations."""

    def gaps(shares, loads, services, permanent):
        """To the chain, beyond its bound, as printed and with N^P; and of the library."""
        work = Workload(policy, shares, loads * services, services, permanent)
        rule, level = sharing(policy, shares, permanent), MOST[len(shares)]
        transient, probability = distribution(level, work, rule)
        full = transient.sum(axis=0) == level
        bound = tail(work, transient[:, full], probability[full]) + SAME
        got, present = rule(transient) @ probability, (transient + permanent[:, None] > 0) @ probability
        found = np.array([present - got / shares, present, got])
        one = uniprocessor.exact("PS", shares, loads * services, services, permanent)
        as_printed, right = (forms(shares, loads, permanent, of) for of in (permanent, permanent.sum()))
        answer = np.array([one.group_share_deviation, one.probability_present, one.obtained_share])
        off = (np.abs(as_printed - found) - bound).max(axis=1)
        library = np.abs((answer - right) / np.maximum(np.abs(right), 1e-3)).max()
        return {**dict(zip(EQUATIONS, off)), "right": (np.abs(right - found) - bound).max(), "library": library}

    found, systems = cases("chain", settings(12, 64), seed=64).measure(gaps), list(settings(12, 65))
    names = "group_share_deviation", "probability_present", "obtained_share"
    expected = [forms(shares, loads, permanent, permanent.sum()) for shares, loads, _, permanent in systems]
    simulated = simulations(policy, [arguments(*one) for one in systems], expected, names, seed=63, jumps=50_000)
    printed = exact([found[one].value.max() for one in EQUATIONS], equation=EQUATIONS)
    return mended(
        everywhere("as printed, the gap to the chain beyond its bound", printed, at_most(0)),
        everywhere("with N^P, the gap to the chain beyond its bound", found["right"], at_most(0)),
        everywhere("the library's answer and the formulas with N^P", found["library"], equal(SAME)),
        everywhere("a simulation less the formula", simulated, agrees()),
    )  # fmt: skip


SYSTEMS = (  # required shares, loads, service rates, permanent jobs, law of the sizes
    ((0.6, 0.4), (0.15, 0.05), (1.0, 1.0), (0, 0), "exponential"),
    ((0.3, 0.7), (0.5, 0.4), (2.0, 0.5), (0, 0), "deterministic"),
    ((0.9, 0.1), (0.2, 0.4), (1.0, 3.0), (0, 0), "hyperexponential"),
    ((0.6, 0.4), (0.3, 0.2), (1.0, 1.0), (0, 2), "hyperexponential"),
    ((0.5, 0.3, 0.2), (0.1, 0.3, 0.4), (0.3, 1.0, 2.0), (0, 0, 0), "exponential"),
    ((0.2, 0.2, 0.6), (0.04, 0.1, 0.3), (1.0, 1.0, 4.0), (1, 1, 2), "deterministic"),
    ((0.4, 0.3, 0.2, 0.1), (0.2, 0.3, 0.1, 0.3), (0.5, 2.0, 1.0, 5.0), (0, 0, 0, 0), "hyperexponential"),
    ((0.3, 0.25, 0.2, 0.15, 0.1), (0.05, 0.1, 0.1, 0.05, 0.02), (1.0,) * 5, (0, 1, 0, 2, 0), "exponential"),
    ((0.3, 0.2, 0.2, 0.1, 0.1, 0.1), (0.2, 0.1, 0.1, 0.2, 0.2, 0.1), (0.1, 1.0, 10.0) * 2, (0,) * 6, "deterministic"),
)


LAWS = {
    "exponential": None,
    "deterministic": Deterministic(1.0),
    "hyperexponential": Hyperexponential((0.5 / 0.0917517095, 0.5 / 0.9082482905), (0.0917517095, 0.9082482905)),
}


def path_of(policy, number, count=1500):
    """The required shares of one of `SYSTEMS`, and the intervals of a path there."""
    shares, loads, services, permanent, sizes = SYSTEMS[number]
    rates = np.multiply(loads, services).tolist()
    return shares, intervals(policy, shares, rates, services, permanent, events=count, seed=number, law=sizes)


def along_paths(policies, function, count=1500):
    """What a function of the required shares and the intervals of a path gives, for each policy and system."""
    return grid(policy=policies, system=range(len(SYSTEMS))).measure(
        lambda policy, number: function(*path_of(policy, number, count))
    )


@functools.cache
def line_and_sharing(policy):
    """Gaps of law and of deviations between the line of FCFS and a sharing policy, both cut alike, with the bounds.

    Each row: whether the means are equal, the largest relative gap of the laws, the largest gap of the deviations.
    """
    rng, found = np.random.default_rng(65), []
    for number in range(16):
        groups, equal_means = 2 + number % 2, number < 10
        shares = np.clip(rng.dirichlet(np.ones(groups)), 0.05, 0.9)
        shares /= shares.sum()
        loads = rng.dirichlet(np.ones(groups)) * rng.uniform(0.02, 0.95)
        services = np.ones(groups) if equal_means else np.linspace(0.5, 2, groups)
        permanent = rng.permutation(((0, 0), (1, 2, 0), (2, 0), (0, 0, 0), (1, 1), (1, 0, 1))[number % 6][:groups])
        permanent = np.resize(permanent, groups)
        most = 5 if groups == 2 else 4
        system = shares, loads * services, services, permanent
        line = uniprocessor.whole_line("FCFS", *system, most_jobs=most)
        transient, probability = distribution(most, Workload("PS", *system), rule := sharing(policy, shares, permanent))
        counts, of_line = numbers(line)
        assert (counts == transient).all()  # both in lexicographic order
        present = ((transient + permanent[:, None]) > 0) @ probability
        deviation = present - rule(transient) @ probability / shares
        gap = np.abs(deviation - line.performance.group_share_deviation).max()
        found.append((equal_means, max(np.abs(of_line / probability - 1).max(), gap), gap))
    return found


OF_LAW = "group_share_deviation", "probability_present", "mean_jobs"


@check("thesis-3-065", policy="GPPS")
def as_first_come(policy="PS"):
    """The law of the numbers and the deviations under PS and FCFS: two chains cut alike, two simulations, and exact."""
    run = {"jumps": 100_000, "warmup": 10_000, "replications": 20}
    one, other = (
        uniprocessor.simulate(name, (0.7, 0.3), (0.3, 0.6), **run, seed=number)
        for number, name in enumerate((policy, "FCFS"))
    )
    pairs = [(getattr(one, name), getattr(other, name)) for name in OF_LAW]
    simulated = [Estimate(mine.value, np.hypot(mine.half_width, of_fcfs.half_width)) for mine, of_fcfs in pairs]

    def apart(shares, loads, _, permanent):
        answers = [uniprocessor.exact(name, shares, RATE * loads, RATE, lasting)
                   for lasting in (permanent, 0) for name in ("PS", "FCFS")]  # fmt: skip
        found = [[getattr(answer, name) for name in OF_LAW] for answer in answers]
        return np.abs(np.subtract(found[::2], found[1::2])).max()

    rows = line_and_sharing(policy)
    gaps = {side: exact([gap for same, gap, _ in rows if same == side], chain=None) for side in (True, False)}
    return conclude(
        *(at_each(f"with {'equal' if side else 'unequal'} means the laws and deviations of both", gap, equal(SAME))
          for side, gap in gaps.items()),
        aside("the gap of the deviations then", exact([gap for same, _, gap in rows if not same], chain=None)),
        provided=[agree("with equal means simulated deviations, presence and mean numbers, against FCFS,",
                        [getattr(other, name).value for name in OF_LAW], simulated),
                  everywhere("with equal means the exact deviations, presence and mean numbers of both",
                             cases("random system", settings(60, 66), seed=66).measure(apart), equal(SAME))],
    )  # fmt: skip


@check("thesis-3-066", policies=("PS", "PPS", "GPPS in order"))
def jobs_alike(policies=("PS", "PPS", "GPPS")):
    """(2.45) at every event, and the work done for two jobs of a group while both are there, from the jobs' records.

    And what the library says of job-share deviations: exactly, where it does, and simulated.
    """

    def uneven(shares, path):
        worst = apart = 0.0
        ahead = {}
        for interval in path:
            for group in range(len(shares)):
                worst = max(worst, interval.job_share_deviation(group))
                mine = [job for job in interval.jobs if job.group == group]
                for one, other in itertools.pairwise(mine):
                    lead = one.received - other.received
                    apart = max(apart, abs(ahead.setdefault((one, other), lead) - lead))
        return {"deviation": worst, "apart": apart}

    def least(shares, path):
        return min(interval.job_share_deviation(group) for interval in path for group in range(len(shares)))

    def by_library(policy, number):
        """The least and the largest job-share deviation of the library."""
        system = arguments(*map(np.array, SYSTEMS[number][:4]))
        found = [simulated(policy, number).job_share_deviation.value]
        if len(SYSTEMS[number][0]) == 2:  # chains of more groups take long
            stable = uniprocessor.limiting(policy, **system)
            try:
                found.append(uniprocessor.exact(policy, **stable, tolerance=0.1).job_share_deviation)
            except NoExactAnswer:
                pass
        return {"least": np.nanmin(found), "largest": np.nanmax(found)}

    others = "FCFS", "HOL", "UD", "PQ"
    alike = tuple(policy for policy in policies if policy in uniprocessor.POLICIES)
    found, least_of_others = along_paths(policies, uneven), along_paths(others, least, 500)
    of_library = grid(policy=(*alike, *others), system=range(len(SYSTEMS))).measure(by_library)
    return conclude(
        everywhere("the job-share deviation at every event and 0", found["deviation"], equal(SAME)),
        everywhere("the work done for two jobs of a group, since both are there,", found["apart"], equal(SAME)),
        everywhere("the deviation under another policy", least_of_others, at_least(0)),
        everywhere("the largest of the library", of_library["largest"].at(policy=alike), equal(EXACT)),
        everywhere("the least of the library under another policy", of_library["least"].at(policy=others), at_least(0)),
        whole=True,
    )


@check("thesis-3-067", policies=("GPPS", "PS"))
def more_jobs_more_share(policies=("PPS", "PS")):
    """(3.90): the library's shares in all states to 12 jobs, and those of the jobs' own records along paths.

    And those of its exact answers, beside permanent jobs, of which there are ever more.
    """

    def in_states(policy, shares):
        jobs, weights, rising = simplex(12, len(shares))[:, 1:], weights_of(policy, shares)[:, None], True
        found = service.divide_each({"PS": service.PS, **RULES}[policy], np.array(shares), jobs)
        inner = jobs.sum(axis=0) < 12
        for group in range(len(shares)):
            more = jobs[:, inner].copy()
            more[group] += 1
            step = service.divide_each({"PS": service.PS, **RULES}[policy], np.array(shares), more)[group]
            step = step - found[group, inner]
            others = np.delete(jobs[:, inner], group, axis=0).any(axis=0)
            rising &= (step[others] > 0).all() and np.abs(step[~others & (jobs[group, inner] > 0)]).max() < EXACT
        return {"gap": np.abs(found - jobs * weights / (jobs * weights).sum(axis=0)).max(), "rises": rising}

    def weights_of(policy, shares):
        return np.ones(len(shares)) if policy == "PS" else np.array(shares)

    def on_path(policy, number):
        (shares, path), worst = path_of(policy, number), 0.0
        for interval in path:
            if (claims := np.multiply(interval.present(len(shares)), weights_of(policy, shares))).any():
                worst = max(worst, np.abs(interval.obtained(len(shares)) - claims / claims.sum()).max())
        return worst

    def mean(policy, load):
        found = uniprocessor.simulate(policy, (0.5, 0.5), (load, 0.3), **run).obtained_share
        return measured(found.value[0], found.half_width[0], runs=10, risk=RISK, as_it_stands=True)

    def exactly(policy, other):
        """What a permanent job adds to group 1's exact share, or, if it alone has some, how far that is off."""
        found = [uniprocessor.exact(policy, (0.6, 0.4), (0.2, 0.1), 1.0, (k, other)) for k in range(1, 4)]
        got, doubt = np.array([one.obtained_share[0] for one in found]), 2 * max(one.error for one in found)
        return np.diff(got).min() - doubt if other else np.abs(got - 0.9).max() - doubt

    several = grid(policy=policies, required_shares=[(0.6, 0.4), (0.05, 0.95), (0.5, 0.3, 0.2)]).measure(in_states)
    loads, run = (0.1, 0.3, 0.5), {"jumps": 20_000, "warmup": 1000, "replications": 10, "seed": 1}
    means, domain = grid(policy=policies, load=loads).measure(mean), cases("policy", policies)
    return conclude(
        everywhere("in all states the library's shares and (3.90)", several["gap"], equal(EXACT)),
        everywhere("a share rises with the group's jobs if others are there", several["rises"]),
        everywhere("the jobs' own shares and (3.90)",
                   grid(policy=policies, system=range(len(SYSTEMS))).measure(on_path), equal(EXACT)),
        everywhere("the mean share of group 1, with more arrivals,", means.steps("load", np.add), rises()),
        everywhere("what a permanent job adds to the exact share of group 1 beside one of group 2",
                   domain.measure(lambda policy: exactly(policy, 1)), larger()),
        everywhere("beside none, how far it is from what group 2 leaves",
                   domain.measure(lambda policy: exactly(policy, 0)), at_most(SAME)),
        whole=True,
    )  # fmt: skip


WEIGHTS = tuple(system[0] for system in SYSTEMS)


def got_in_states(policy, shares, most):
    """All numbers of jobs up to so many, and what the library gives a group there; nan to those without jobs."""
    jobs = simplex(most, len(shares))[:, 1:]
    return jobs, np.where(jobs > 0, service.divide_each(RULES[policy], np.array(shares), jobs), np.nan)


def simulated(policy, number):
    """A short simulation of one of `SYSTEMS`, or of its limit."""
    *system, law = SYSTEMS[number]
    stable = uniprocessor.limiting(policy, *arguments(*map(np.array, system)).values())
    return uniprocessor.simulate(policy, **stable, jumps=2000, warmup=0, replications=2, seed=number, sizes=LAWS[law])


@check("thesis-3-068", policy="PPS")
def never_short(policy="GPPS"):
    """No deviation above 0 at any event or in any state, nor on average in the library's chain beyond its own bound."""

    def worst(shares, path):
        return max(
            float(number > 0) - got / share for interval in path
            for number, got, share in zip(interval.present(len(shares)), interval.obtained(len(shares)), shares)
        )  # fmt: skip

    rng, systems = np.random.default_rng(3), []
    for shares, loads in (*random_splits(8, 2, low=0.05, high=0.95), *random_splits(3, 3, low=0.05, high=0.5)):
        services = rng.uniform(0.3, 3, len(shares))
        systems.append((1e-4, shares, loads * services, services))
    for shares, loads in random_splits(5):
        permanent = rng.integers(3, size=2)
        systems.append((1e-7, shares, 0.6 * loads.sum() * shares, 1.0, permanent))

    def on_average(tolerance, *system):
        result = uniprocessor.exact(policy, *system, tolerance=tolerance)
        return (result.group_share_deviation - result.error).max()

    return conclude(
        everywhere("the largest deviation at any time", along_paths((policy,), worst), at_most(0)),
        everywhere("the largest in the library's simulations", cases("system", range(len(SYSTEMS))).measure(
            lambda number: simulated(policy, number).group_share_deviation.value.max()
        ), at_most(EXACT)),
        everywhere("the largest in the library's states", cases("choice of shares", WEIGHTS).measure(
            lambda *shares: np.nanmax(1 - got_in_states(policy, shares, 8)[1] / np.reshape(shares, (-1, 1)))
        ), at_most(0)),
        everywhere("on average, the largest deviation less the chain's bound",
                   cases("random system", systems, seed=5).measure(on_average), at_most(0)),
        whole=True,
    )  # fmt: skip


@check("thesis-3-133", kept=True)
def for_whom_it_is_meant(kept=False):
    """(3.91) with N(t) > 0 as printed and with N_g(t) > 0, against the library's shares and the jobs' own records.

    In the control groups without jobs keep their part: capacity is lost.
    """

    def of_library(groups):
        weights = np.random.default_rng(groups).dirichlet(np.ones(groups))
        jobs = np.array(list(itertools.product((0, 2), repeat=groups)))[1:].T
        found = service.divide_each(service.GPPS, weights, np.maximum(jobs, 1) if kept else jobs) * (jobs > 0)
        share, absent = weights[:, None] / (weights @ (jobs > 0)), ~(jobs > 0).all(axis=0)
        return {
            "printed": np.abs(share - found).max(), "above 1": (share.sum(axis=0) > 1 + 1e-9)[absent].mean(),
            "right": max(np.abs(share * (jobs > 0) - found).max(), np.abs(found.sum(axis=0) - 1).max()),
        }  # fmt: skip

    def answered(groups):
        """What the library answers beside a permanent job of each group that is there; one of them has arrivals."""
        weights, worst = np.random.default_rng(groups).dirichlet(np.ones(groups)), 0.0
        for there in itertools.product((0, 1), repeat=groups):
            if any(there):
                share = weights * there / (weights @ there)
                arrivals = np.where(np.arange(groups) == np.argmax(there), 0.1 * share, 0.0)
                system = {"arrival_rates": 4.0 * arrivals, "service_rates": 4.0, "permanent_jobs": there}
                found = uniprocessor.exact("GPPS", weights, **system).obtained_share, uniprocessor.simulate(
                    "GPPS", weights, **system, jumps=300, warmup=10, replications=2
                ).obtained_share.value  # fmt: skip
                worst = max(worst, np.abs(found - share).max())
        return worst

    def on_path(shares, path):
        worst = 0.0
        for interval in path:
            if (there := np.greater(interval.present(len(shares)), 0)).any():
                share = np.multiply(shares, there) / np.dot(shares, there)
                worst = max(worst, np.abs(share - interval.obtained(len(shares))).max())
        return worst

    found = cases("number of groups", (2, 3, 4, 5)).measure(of_library)
    return mended(
        everywhere("as printed, (3.91) and the library's shares", found["printed"], equal(EXACT)),
        everywhere("with N_g(t) > 0, (3.91) and the library's shares", found["right"], equal(EXACT)),
        everywhere("it and the jobs' own shares", along_paths(("GPPS",), on_path, 500), equal(EXACT)),
        everywhere("it and the library's answers beside permanent jobs",
                   cases("number of groups", (2, 3, 4)).measure(answered), equal(SAME)),
        aside("the part of the patterns with an absent group in which shares sum to more than 1", found["above 1"]),
    )  # fmt: skip


@check("thesis-3-134", policy="PPS")
def only_others_count(policy="GPPS"):
    """A present group's share: whatever its number of jobs, more where others are absent, less when another comes."""

    def against(shares, path):
        wrong, last = 0, None
        for interval in path:
            jobs, got = interval.present(len(shares)), interval.obtained(len(shares))
            there = [k > 0 for k in jobs]
            total = sum(share for share, present in zip(shares, there) if present)
            for group in np.flatnonzero(there).tolist():
                wrong += abs(got[group] - shares[group] / total) > EXACT
                wrong += (got[group] > shares[group] + EXACT) != (not all(there))
                wrong += got[group] < shares[group] - EXACT
                if last and last[0][group] > 0 and got[group] < last[1][group] - EXACT:
                    wrong += sum(k != group and there[k] and last[0][k] == 0 for k in range(len(shares))) != 1
            last = jobs, got
        return wrong

    def in_states(*shares):
        """The same of the library's shares in all states, whatever comes next: how many are against it."""
        jobs, got = got_in_states(policy, shares, 12 if len(shares) < 5 else 5)
        there, weights = jobs > 0, np.array(shares)[:, None]
        wrong = np.abs(got - weights / (weights * there).sum(axis=0)) > EXACT
        wrong |= (got > weights + EXACT) != ~there.all(axis=0)
        return (there & wrong).sum()

    def beside(shares, several):
        """How far exact shares are from the weights' parts, beside so many permanent jobs of group 1."""
        permanent = (several,) + (1,) * (len(shares) - 1)
        found = uniprocessor.exact(policy, shares, np.multiply(0.5, shares), 1.0, permanent, tolerance=0.1)
        return np.abs(found.obtained_share - shares).max()

    def least(number):
        """What a group obtains in a simulation while it is there, less its weight's part: the least."""
        found = simulated(policy, number)
        there = found.probability_present.value
        return (found.obtained_share.value / there - SYSTEMS[number][0])[there > 0].min()

    exactly = grid(required_shares=[one for one in WEIGHTS if len(one) < 4], number=(1, 2, 3)).measure(beside)
    return conclude(
        everywhere("the number of shares against it", along_paths((policy,), against), at_most(0)),
        everywhere("beside permanent jobs of all groups the exact shares and the weights' parts", exactly, equal(SAME)),
        everywhere(
            "the least that a group obtains in the library's simulations, over its weight's part,",
            cases("system", range(len(SYSTEMS))).measure(least),
            at_least(-EXACT),
        ),
        everywhere("that of the library's", cases("choice of shares", WEIGHTS).measure(in_states), at_most(0)),
        whole=True,
    )


ANGLES, FEW = 4000, 6  # of the integrals; and numbers of jobs beside none of the other group


def absent_in_integrals(shares, loads, services):
    """How often each of two groups is absent under GPPS, and how often n jobs of one are there and none of the other.

    The balance of the chain ties the generating functions of either group alone to each other on a curve. Where the
    variable of the group that brings the smaller part of its share runs round a circle, that of the other is real; so
    an imaginary part is known there, and Fourier's coefficients of it are the probabilities.

    Returns
    -------
    absent : ndarray, shape (2,)
    group : int
        That of which jobs are counted.
    alone : ndarray, shape (FEW,)
    """
    group = int(np.argmin(loads / shares))
    (r, s), (rho, sigma), (mu, nu) = (np.array(each)[[group, 1 - group]] for each in (shares, loads, services))
    angle = (np.arange(ANGLES) + 0.5) * np.pi / ANGLES
    q = np.sqrt(rho / r)
    y = np.exp(1j * angle) / q
    half = (sigma * nu + s * nu + rho * mu + r * mu) / 2 - np.sqrt(rho * r) * mu * np.cos(angle)
    x = s * nu / (half + np.sqrt(half**2 - sigma * s * nu**2))
    a, b = nu * (1 - 1 / x), mu * (1 - 1 / y)
    known = ((r * a + s * b) / (a - b)).imag
    idle = 1 - rho - sigma
    counts = [-2 / s * q**n * np.mean(known * np.sin(n * angle)) for n in range(1, FEW)]
    whole = np.mean(known * q * np.sin(angle) / (1 - 2 * q * np.cos(angle) + q**2))
    other = idle * (1 - 2 / s * whole)
    absent = np.array([(s * other + sigma - s + r * idle) / r, other])  # the obtained share of the other is its load
    return absent[[group, 1 - group]], group, idle * np.array([1, *counts])


@check("thesis-3-161", policy="PPS")
def no_law_of_groups(policy="GPPS"):
    """Integrals against the chain of GPPS and against simulations; the control has the chain of PPS."""
    rng, gaps, systems, expected = np.random.default_rng(161), [], [], []
    for number in range(32):  # 24 for chains, and 8 systems that are simulated
        total, part = rng.uniform(0.05, 0.9 if number < 24 else 0.95), rng.uniform(0.1, 0.9)
        loads, services = total * np.array([part, 1 - part]), 10 ** rng.uniform(-0.5, 0.5, 2)
        first = rng.uniform(0.1, 0.9) if number % 2 else rng.uniform(0.5, 0.95) * loads[0]  # less than it brings
        shares = np.array([first, 1 - first])
        absent, group, alone = absent_in_integrals(shares, loads, services)
        deviation = 1 - absent - loads / shares
        system = {"required_shares": shares, "arrival_rates": loads * services, "service_rates": services}
        if number >= 24:
            systems.append(system)
            expected.append(deviation)
            continue
        answer = uniprocessor.exact(policy, **system)
        work = Workload(policy, *system.values(), np.zeros(2, int))
        jobs, probability, error = chain.law(work, sharing_rule(work))
        beside_none = jobs[1 - group] == 0
        counted = np.bincount(jobs[group, beside_none], probability[beside_none], FEW)[:FEW]
        gaps += [
            (np.abs(deviation - answer.group_share_deviation).max(), answer.error),
            (np.abs(absent - (jobs == 0) @ probability).max(), error),
            (np.abs(alone - counted).max(), error),
        ]
    gaps, runs = bounded(gaps), simulations(policy, systems, expected)
    exist = not any(agrees().outside(one, one.widened(one.asked)).any() for one in (gaps, runs))
    return conclude(
        fact("integrals over one angle disagree", not exist,
             "integrals over one angle agree with the chain and with simulations"),
        aside("their gap to the chain", gaps), aside("their gap to simulations", runs),
    )  # fmt: skip
