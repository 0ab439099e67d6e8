"""Claims of `thesis`, Section 3.4: PS, PPS and GPPS."""

import functools
import itertools
from fractions import Fraction

import numpy as np
from scipy import stats

from clustershare import markov, uniprocessor
from clustershare.compiled import service
from clustershare.uniprocessor.analysis import RULES
from clustershare.uniprocessor.chain import distribution, rank, simplex, tail
from clustershare.uniprocessor.model import Workload
from compendium.press.findings import check, erratum, finding, over_domain, relative_difference
from pages.share_scheduling.one_processor.printed import gone, law, obtained
from pages.share_scheduling.one_processor.simulated import outside
from pages.share_scheduling.one_processor.systems import random_splits
from pages.share_scheduling.one_processor.witnesses.paths import intervals

MOST = {2: 60, 3: 20, 4: 12}  # jobs at which chains of so many groups are cut
PRECISE = {2: 60, 3: 11, 4: 7}  # where every state is to be found to nine digits


def settings(count, seed, busiest=0.95):
    """Random systems of 2 to 4 groups: required shares, loads, service rates and up to three permanent jobs of each."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        groups = 2 + number % 3
        loads = rng.dirichlet(np.ones(groups)) * rng.uniform(0.02, busiest)
        shares = np.clip(rng.dirichlet(np.ones(groups)), 0.05, None)
        yield shares / shares.sum(), loads, rng.uniform(0.1, 10, groups), rng.integers(4, size=groups)


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
    unbalanced, apart, beyond_tail = 0, 0.0, 0
    rng = np.random.default_rng(1)
    for number, (shares, loads, services, permanent) in enumerate(settings(12, 62)):
        groups, total = len(shares), int(permanent.sum())
        if number < 3:
            unbalanced += out_of_balance(shares if policy == "PPS" else np.ones(groups), loads, services, permanent)
        transient, probability = to_nine_digits(policy, shares, loads, services, permanent)
        expected = law(transient, loads, total)
        apart = max(apart, relative_difference(probability, expected / expected.sum()))
        tail = stats.nbinom.sf(PRECISE[groups], total + 1, 1 - loads.sum())  # by (3.82)
        apart = max(apart, abs(expected.sum() + tail - 1))
        for z in rng.random((3, groups)):
            generating = ((1 - loads.sum()) / (1 - loads @ z)) ** (total + 1)
            series = probability @ np.prod(z[:, None] ** transient, axis=0)
            beyond_tail += abs(generating - series) > tail + 1e-12
    systems, present = [], []
    for shares, loads, services, permanent in settings(6, 63):
        loads = 0.9 * loads / loads.sum()
        systems.append(
            {"required_shares": shares, "arrival_rates": loads * services, "service_rates": services,
             "permanent_jobs": permanent}
        )  # fmt: skip
        present.append(np.where(permanent > 0, 1, 1 - gone(loads) ** (permanent.sum() + 1)))
    against = outside(policy, systems, present, ("probability_present",), seed=62, jumps=50_000)
    return finding(
        f"(3.84) holds {'at all states' if unbalanced == 0 else f'not at {unbalanced} states'}; (3.80) "
        f"{'equal within 1e-9' if apart <= 1e-9 else f'off by up to {apart:.2g}'} in 12 chains; (3.81) "
        f"{'within' if beyond_tail == 0 else 'beyond'} the tail; {'no' if against == 0 else 'some'} simulated interval "
        "against it",
        unbalanced == 0 and apart <= 1e-9 and beyond_tail == 0 and against == 0,
    )


def forms(shares, loads, permanent, of):
    """(3.85), (3.87) and (3.88) with `of` where N_g^P is printed: deviation, presence, obtained share."""
    there = np.where(permanent > 0, 1, 1 - gone(loads) ** (of + 1))
    share = obtained(loads, permanent, of)
    return np.array([there - share / shares, there, share])


@check("thesis-3-063", policy="PPS")
def share_deviation(policy="PS"):
    """(3.85), (3.87) and (3.88) as printed and with N^P, and the library, against chains and simulations."""
    off, library = np.full((2, 3), -np.inf), True
    for shares, loads, services, permanent in settings(12, 64):
        work = Workload(policy, shares, loads * services, services, permanent)
        rule, level = sharing(policy, shares, permanent), MOST[len(shares)]
        transient, probability = distribution(level, work, rule)
        full = transient.sum(axis=0) == level
        bound = tail(work, transient[:, full], probability[full]) + 1e-9
        got, present = rule(transient) @ probability, (transient + permanent[:, None] > 0) @ probability
        found = present - got / shares, present, got
        exact = uniprocessor.exact("PS", shares, loads * services, services, permanent)
        answer = exact.group_share_deviation, exact.probability_present, exact.obtained_share
        for number, of in enumerate((permanent, permanent.sum())):
            form = forms(shares, loads, permanent, of)
            off[number] = np.maximum(off[number], (np.abs(form - found) - bound).max(axis=1))
        library &= bool(np.allclose(answer, form, 1e-9, 1e-12))
    systems, expected = [], []
    for shares, loads, services, permanent in settings(12, 65):
        systems.append(
            {"required_shares": shares, "arrival_rates": loads * services, "service_rates": services,
             "permanent_jobs": permanent}
        )  # fmt: skip
        expected.append(forms(shares, loads, permanent, permanent.sum()))
    names = ("group_share_deviation", "probability_present", "obtained_share")
    against = outside(policy, systems, expected, names, seed=63, jumps=50_000)
    return erratum(
        "off as printed by up to {:.2f}, {:.2f}, {:.2f} beyond the chains' bounds".format(*off[0])
        + f"; with N^P {'within them' if off[1].max() <= 0 else f'off by {off[1].max():.2f}'}, against "
        f"{'some' if against else 'no'} simulated interval, and {'as' if library else 'not as'} the library has it",
        off[0].max() <= 0, library and off[1].max() <= 0 and against == 0,
    )  # fmt: skip


SYSTEMS = (  # required shares, loads, service rates, permanent jobs, law of the sizes
    ((0.6, 0.4), (0.15, 0.05), (1.0, 1.0), (0, 0), "exponential"),
    ((0.3, 0.7), (0.5, 0.4), (2.0, 0.5), (0, 0), "deterministic"),
    ((0.9, 0.1), (0.2, 0.4), (1.0, 3.0), (0, 0), "hyperexponential"),
    ((0.6, 0.4), (0.3, 0.2), (1.0, 1.0), (0, 2), "hyperexponential"),
    ((0.5, 0.3, 0.2), (0.1, 0.3, 0.4), (0.3, 1.0, 2.0), (0, 0, 0), "exponential"),
    ((0.2, 0.2, 0.6), (0.04, 0.1, 0.3), (1.0, 1.0, 4.0), (1, 1, 2), "deterministic"),
)


def events(policy, count=1500):
    """The intervals of a path in each of `SYSTEMS`, the required shares beside each."""
    for number, (shares, loads, services, permanent, sizes) in enumerate(SYSTEMS):
        rates = np.multiply(loads, services).tolist()
        path = intervals(policy, shares, rates, services, permanent, events=count, seed=number, law=sizes)
        for interval in path:
            yield number, shares, interval


def sharing(policy, shares, permanent):
    """The library's obtained shares in states given by the numbers of transient jobs."""
    code = {"PS": service.PS, **RULES}[policy]
    return lambda transient: service.divide_each(code, np.array(shares), transient + np.reshape(permanent, (-1, 1)))


@functools.cache
def line_and_sharing(policy):
    """Gaps of law and of deviations between the line of FCFS and a sharing policy, both cut alike, with the bounds.

    Each row: whether the means are equal, the largest relative gap of the laws, the largest gap of the deviations.
    """
    rng, found = np.random.default_rng(65), []
    for number in range(16):
        groups, equal = 2 + number % 2, number < 10
        shares = np.clip(rng.dirichlet(np.ones(groups)), 0.05, 0.9)
        shares /= shares.sum()
        loads = rng.dirichlet(np.ones(groups)) * rng.uniform(0.02, 0.95)
        services = np.ones(groups) if equal else np.linspace(0.5, 2, groups)
        permanent = rng.permutation(((0, 0), (1, 2, 0), (2, 0), (0, 0, 0), (1, 1), (1, 0, 1))[number % 6][:groups])
        permanent = np.resize(permanent, groups)
        most = 5 if groups == 2 else 4
        system = shares, loads * services, services, permanent
        line = uniprocessor.whole_line("FCFS", *system, most_jobs=most)
        transient, probability = distribution(most, Workload("PS", *system), rule := sharing(policy, shares, permanent))
        counts, place = np.unique(line.transient, axis=1, return_inverse=True)
        assert (counts == transient).all()  # both in lexicographic order
        gap = np.abs(np.bincount(place.ravel(), line.probability) / probability - 1).max()
        present = ((transient + permanent[:, None]) > 0) @ probability
        deviation = present - rule(transient) @ probability / shares
        found.append((equal, gap, np.abs(deviation - line.performance.group_share_deviation).max()))
    return found


@check("thesis-3-065", policy="GPPS")
def as_first_come(policy="PS"):
    """The law of the numbers and the deviations under PS and FCFS: two chains cut alike, and two simulations."""
    rows = line_and_sharing(policy)
    alike = [gap < 1e-9 and deviation < 1e-9 for _, gap, deviation in rows]
    equal = [holds for (same, *_), holds in zip(rows, alike) if same]
    estimates = [
        uniprocessor.simulate(name, (0.7, 0.3), (0.3, 0.6), jumps=100_000, warmup=10_000, replications=20, seed=number)
        for number, name in enumerate((policy, "FCFS"))
    ]
    one, other = (result.group_share_deviation for result in estimates)
    together = bool((np.abs(one.value - other.value) <= 2 * (one.half_width + other.half_width)).all())
    worst = max(deviation for same, _, deviation in rows if not same)
    said = "laws and deviations equal within 1e-9" if all(equal) else "they differ"
    return over_domain(
        f"equal means: {said}; unequal means: the deviations differ by up to {worst:.2f}",
        [holds and together for holds in equal] + [holds for (same, *_), holds in zip(rows, alike) if not same],
    )


@check("thesis-3-066", policies=("PS", "PPS", "GPPS in order"))
def jobs_alike(policies=("PS", "PPS", "GPPS")):
    """(2.45) at every event, and the work done for two jobs of a group while both are there, from the jobs' records."""
    uneven = worst = 0.0
    for policy in policies:
        ahead = {}
        for number, shares, interval in events(policy):
            for group in range(len(shares)):
                uneven = max(uneven, interval.job_share_deviation(group))
                mine = [job for job in interval.jobs if job.group == group]
                for pair in zip(mine, mine[1:]):
                    lead = pair[0].received - pair[1].received
                    worst = max(worst, abs(ahead.setdefault((policy, number, *pair), lead) - lead))
    least = min(
        interval.job_share_deviation(group)
        for policy in ("FCFS", "HOL", "UD", "PQ")
        for _, shares, interval in events(policy, 500)
        for group in range(len(shares))
    )
    return finding(
        f"{'0 at every event' if uneven < 1e-9 else f'up to {uneven:.3f}'}; work of two jobs of a group "
        f"{'alike' if worst < 1e-9 else f'apart by up to {worst:.2f}'}; never below {least:g} under the other policies",
        uneven < 1e-9 and worst < 1e-9 and least >= 0,
    )


@check("thesis-3-067", policy="GPPS")
def more_jobs_more_share(policy="PPS"):
    """(3.90): the library's shares in all states to 12 jobs, and those of the jobs' own records along paths."""
    gap, rising = 0.0, True
    for shares in ((0.6, 0.4), (0.05, 0.95), (0.5, 0.3, 0.2)):
        jobs, weights = simplex(12, len(shares))[:, 1:], np.array(shares)[:, None]
        obtained = service.divide_each(RULES[policy], np.array(shares), jobs)
        gap = max(gap, np.abs(obtained - jobs * weights / (jobs * weights).sum(axis=0)).max())
        for group in range(len(shares)):
            inner = jobs.sum(axis=0) < 12
            more = jobs[:, inner].copy()
            more[group] += 1
            step = service.divide_each(RULES[policy], np.array(shares), more)[group] - obtained[group, inner]
            others = np.delete(jobs[:, inner], group, axis=0).any(axis=0)
            rising &= bool((step[others] > 0).all() and np.abs(step[~others & (jobs[group, inner] > 0)]).max() < 1e-12)
    for _, shares, interval in events(policy):
        claims = np.multiply(interval.present(len(shares)), shares)
        if claims.any():
            gap = max(gap, np.abs(interval.obtained(len(shares)) - claims / claims.sum()).max())
    means = [
        uniprocessor.simulate(policy, (0.5, 0.5), (x, 0.3), jumps=20_000, warmup=1000, seed=1).obtained_share
        for x in (0.1, 0.3, 0.5)
    ]
    ends = [(mean.value[0] - mean.half_width[0], mean.value[0] + mean.half_width[0]) for mean in means]
    grows = all(before[1] < after[0] for before, after in zip(ends, ends[1:]))
    return finding(
        f"{'equal to (3.90)' if gap < 1e-12 else f'off (3.90) by up to {gap:.2f}'}; "
        f"{'rising' if rising else 'not rising'} with the group's jobs, and on average with its arrivals",
        gap < 1e-12 and rising and grows,
    )


@check("thesis-3-068", policy="PPS")
def never_short(policy="GPPS"):
    """No deviation above 0 at any event, nor on average by the library's chain beyond the chain's own bound."""
    worst = max(
        float(number > 0) - obtained / share
        for _, shares, interval in events(policy)
        for number, obtained, share in zip(interval.present(len(shares)), interval.obtained(len(shares)), shares)
    )
    rng, mean = np.random.default_rng(3), -np.inf
    for shares, loads in (*random_splits(8, 2, low=0.05, high=0.95), *random_splits(3, 3, low=0.05, high=0.5)):
        services = rng.uniform(0.3, 3, len(shares))
        result = uniprocessor.exact(policy, shares, loads * services, services, tolerance=1e-4)
        mean = max(mean, (result.group_share_deviation - result.error).max())
    for shares, loads in random_splits(5):
        permanent = rng.integers(3, size=2)
        result = uniprocessor.exact(policy, shares, 0.6 * loads.sum() * shares, 1.0, permanent, tolerance=1e-7)
        mean = max(mean, (result.group_share_deviation - result.error).max())
    return finding(
        f"at any time {'none above 0' if worst <= 1e-12 else f'up to {worst:.3f}'}; "
        f"on average {'none above 0' if mean <= 1e-12 else f'up to {mean:.3f}'}",
        worst <= 1e-12 and mean <= 1e-12,
    )


@check("thesis-3-133", kept=True)
def for_whom_it_is_meant(kept=False):
    """(3.91) with N(t) > 0 as printed and with N_g(t) > 0, against the library's shares and the jobs' own records.

    In the control groups without jobs keep their part: capacity is lost.
    """

    def obtained(weights, jobs):
        there = np.maximum(jobs, 1) if kept else jobs
        return service.divide_each(service.GPPS, weights, there) * (jobs > 0)

    wrong = patterns = 0
    printed = right = 0.0
    for groups in (2, 3, 4, 5):
        weights = np.random.default_rng(groups).dirichlet(np.ones(groups))
        jobs = np.array(list(itertools.product((0, 2), repeat=groups)))[1:].T
        found, share = obtained(weights, jobs), weights[:, None] / (weights @ (jobs > 0))
        patterns += int((~(jobs > 0).all(axis=0)).sum())
        wrong += int((share.sum(axis=0) > 1 + 1e-9).sum())
        printed = max(printed, np.abs(share - found).max())
        right = max(right, np.abs(share * (jobs > 0) - found).max(), np.abs(found.sum(axis=0) - 1).max())
    for _, shares, interval in events("GPPS", 500):
        there = np.greater(interval.present(len(shares)), 0)
        if there.any():
            share = np.multiply(shares, there) / np.dot(shares, there)
            right = max(right, np.abs(share - interval.obtained(len(shares))).max())
    return erratum(
        f"as printed the shares sum to more than 1 in {wrong} of {patterns} patterns in which a group is absent; with "
        f"N_g(t) > 0 they are {'those given' if right < 1e-12 else f'off by up to {right:.2f}'}",
        printed < 1e-12, right < 1e-12,
    )  # fmt: skip


@check("thesis-3-134", policy="PPS")
def only_others_count(policy="GPPS"):
    """A present group's share: whatever its number of jobs, more where others are absent, less when another comes."""
    against, count, last = 0, 0, None
    for number, shares, interval in events(policy):
        jobs, obtained = interval.present(len(shares)), interval.obtained(len(shares))
        there = [k > 0 for k in jobs]
        total = sum(share for share, present in zip(shares, there) if present)
        for group in np.flatnonzero(there).tolist():
            against += abs(obtained[group] - shares[group] / total) > 1e-12
            against += (obtained[group] > shares[group] + 1e-12) != (not all(there))
            against += obtained[group] < shares[group] - 1e-12
            if last and last[0] == number and last[1][group] > 0 and obtained[group] < last[2][group] - 1e-12:
                came = [k for k in range(len(shares)) if k != group and there[k] and last[1][k] == 0]
                against += len(came) != 1
            count += 1
        last = number, jobs, obtained
    return finding(f"{against} of {count} shares against it", against == 0)
