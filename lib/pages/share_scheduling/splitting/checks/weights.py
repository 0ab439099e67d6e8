"""Claims of `thesis`, Sections 4.2.2 and 4.6: MGPPS, which loses nothing and gives every group its feasible share."""

import functools

import numpy as np

from clustershare.compiled import service
from clustershare.multiprocessor import group_weights, timetable
from clustershare.shares import feasible_group_share, maximum_obtainable_share
from compendium.press.findings import check, erratum, finding
from pages.share_scheduling.splitting.instances import paths, populations, procedure

EXACT = 1e-12


@check("thesis-4-010", limited=False)
def lines_of_the_procedure(limited=True):
    """Every round of the inner loop, and the weights in the end against the library's."""
    wrong = {"M": 0, "B": 0, "rates": 0, "weights": 0}
    for shares, jobs, speeds in populations(1000, 10):
        weights, steps = procedure(shares, jobs, len(speeds), limited)
        wrong["weights"] += np.abs(weights - group_weights(shares, jobs, speeds)).max() > EXACT
        given = np.zeros(len(shares))
        for step in steps:
            given += step.parts
            active = step.parts > 0
            wrong["M"] += (step.left < -EXACT).any() or np.abs(jobs - given - step.left).max() > EXACT
            wrong["B"] += step.given > 1 + EXACT
            wrong["rates"] += (
                np.ptp(step.parts[active] / shares[active]) > EXACT * (step.parts[active] / shares[active]).max()
            )
    said = ", ".join(f"{name} {count}" for name, count in wrong.items())
    return finding(f"rounds that say otherwise, of 1000 systems: {said}", not any(wrong.values()))


@check("thesis-4-011", ascending=True)
def weights_are_valid(ascending=False):
    """(4.23)-(4.26); the control serves the slowest first."""
    worst = 0.0
    for shares, jobs, speeds in populations(2000, 11):
        weights = group_weights(shares, jobs, speeds)
        used = (weights @ (speeds[::-1] if ascending else speeds)).sum()
        worst = max(worst, -weights.min(), weights.sum(axis=0).max() - 1, (weights.sum(axis=1) - jobs).max(),
                    abs(used - maximum_obtainable_share(int(jobs.sum()), speeds)))  # fmt: skip
    return finding("within 1e-12 in 2000 systems" if worst <= EXACT else f"off by {worst:.2f}", worst <= EXACT)


@check("thesis-4-012", by_numbers=True)
def feasible_shares_are_met(by_numbers=False):
    """(4.27), in few and in large crowds; the control divides by the numbers of jobs."""
    least = np.inf
    for most in (12, 1000):
        for shares, jobs, speeds in populations(1000, 12, most_jobs=most):
            if by_numbers:
                obtained = jobs / max(1, jobs.sum()) * maximum_obtainable_share(int(jobs.sum()), speeds)
            else:
                obtained = group_weights(shares, jobs, speeds) @ speeds
            least = min(least, (obtained - feasible_group_share(shares, jobs, len(speeds))).min())
    good = least >= -EXACT
    return finding("no group below, in 2000 systems" if good else f"a group {-least:.2f} below", good)


def in_a_crowd(seed, enough):
    """Systems whose first group is alone in running out: with `Q_g` at least P or below it, and `N_g` above 0."""
    for shares, jobs, speeds in populations(1500, seed, crowd=True):
        quotient = jobs[0] / shares[0]
        whole = abs(quotient - round(quotient)) < 1e-6
        if jobs[0] and not whole and (np.floor(quotient) >= len(speeds)) == enough:
            yield shares, jobs, speeds, quotient


@check("thesis-4-013", rounded=np.ceil)
def weights_in_a_crowd(rounded=np.floor):
    """(4.28), branch by branch."""
    worst, branches = 0.0, set()
    for enough in (False, True):
        for shares, jobs, speeds, quotient in in_a_crowd(13, enough):
            P, Q = len(speeds), int(rounded(quotient))
            expected = np.where(np.arange(P) < min(Q, P), shares[0], 0.0)
            if Q < P:
                expected[Q] = jobs[0] - shares[0] * Q
            branches |= {"all"} if Q >= P else {"some", "rest", *(["none"] if Q + 1 < P else [])}
            worst = max(worst, np.abs(group_weights(shares, jobs, speeds)[0] - expected).max())
    return finding("equal within 1e-12, every branch met" if worst <= EXACT else f"off by {worst:.2f}",
                   worst <= EXACT and len(branches) == 4)  # fmt: skip


@check("thesis-4-014", ascending=True)
def enough_of_the_fastest(ascending=False):
    """(4.30) where the group has too few jobs for its share everywhere."""
    margins = [
        group_weights(shares, jobs, speeds)[0] @ (speeds[::-1] if ascending else speeds) - jobs[0] / len(speeds)
        for shares, jobs, speeds, _ in in_a_crowd(14, enough=False)
    ]
    few = min(margins)
    return finding(f"least margin {few + 0.0:.2f}" if few < -EXACT else f"at least N_g / P in {len(margins)} systems",
                   few >= -EXACT)  # fmt: skip


@check("thesis-4-015", enough=False)
def direction_of_the_bound(enough=True):
    """r_g against N_g / P, and what that makes of (2.26)."""
    systems = list(in_a_crowd(15, enough))
    above = all(shares[0] >= jobs[0] / len(speeds) for shares, jobs, speeds, _ in systems)
    below = all(
        shares[0] <= jobs[0] / len(speeds) and feasible_group_share(shares[0], int(jobs[0]), len(speeds)) == shares[0]
        for shares, jobs, speeds, _ in systems
    )
    return erratum(f"in {len(systems)} systems r_g >= N_g / P {'holds' if above else 'fails'}, "
                   f"r_g <= N_g / P with f_g = r_g {'holds' if below else 'fails'}", above, below)  # fmt: skip


@check("thesis-4-118", doubled=True)
def weights_have_a_schedule(doubled=False):
    """A timetable in which each job has its part of its group's time on every processor."""
    worst, refused = 0.0, 0
    for shares, jobs, speeds in populations(500, 118):
        if not 0 < jobs.sum() <= 12:
            continue
        weights = group_weights(shares, jobs, speeds)
        if doubled:
            weights[np.argmax(jobs), 0] *= 2
        wanted = np.repeat(weights / np.maximum(jobs, 1)[:, None], jobs, axis=0)
        try:
            plan = timetable(wanted)
        except ValueError:
            refused += 1
            continue
        worst = max(worst, plan.overlap, np.abs(plan.fractions - wanted).max())
    return finding(f"{refused} refused; " + ("the others within 1e-9" if worst <= 1e-9 else f"off by {worst:.1g}"),
                   not refused and worst <= 1e-9)  # fmt: skip


@check("thesis-4-119", by_numbers=True)
def extends_one_processor(by_numbers=False):
    """On one processor the shares are those of GPPS; on more, each job that can have its required share has it."""

    def weights_of(shares, jobs, speeds):
        if by_numbers:
            return np.tile((jobs / max(1, jobs.sum()))[:, None], len(speeds))
        return group_weights(shares, jobs, speeds)

    worst, least = 0.0, np.inf
    for shares, jobs, speeds in populations(500, 119):
        if not jobs.sum():
            continue
        one = service.divide_each(service.GPPS, shares, jobs[:, None])[:, 0]
        worst = max(worst, np.abs(weights_of(shares, jobs, np.ones(1))[:, 0] - one).max())
        able = (jobs > 0) & (shares <= jobs / len(speeds))
        job_shares = (weights_of(shares, jobs, speeds) @ speeds)[able] / jobs[able]
        least = min(least, (job_shares - shares[able] / jobs[able]).min(initial=np.inf))
    good = worst <= EXACT and least >= -EXACT
    return finding("GPPS within 1e-12; no job below its required share" if good else
                   f"GPPS off by {worst:.2f}; a job {-least:.2f} below", good)  # fmt: skip


@check("thesis-4-120", migration=False)
def at_all_times(migration=True):
    """Paths: what is lost and what groups lack in every state; the control places jobs at random for good."""
    lost = lacking = 0.0
    for rng, start, arrival_rates, events in paths(20, 2000, 120):
        shares, jobs, speeds = start
        placed = np.zeros((len(shares), len(speeds)), dtype=int)

        @functools.cache
        def state(*cells, shares=shares, speeds=speeds, shape=placed.shape):
            jobs = np.array(cells).reshape(shape).sum(axis=1)
            if migration:
                obtained = group_weights(shares, jobs, speeds) @ speeds
            else:
                obtained = np.reshape(cells, shape) / np.maximum(np.reshape(cells, shape).sum(axis=0), 1) @ speeds
            short = (feasible_group_share(shares, jobs, len(speeds)) - obtained) / shares
            return obtained, maximum_obtainable_share(int(jobs.sum()), speeds) - obtained.sum(), short.max()

        for _ in events:
            if migration:  # where jobs are does not matter
                placed[:, 0], placed[:, 1:] = placed.sum(axis=1), 0
            obtained, one, other = state(*placed.ravel().tolist())
            lost, lacking = max(lost, one), max(lacking, other)
            if lost > 0.1:
                break  # that decides
            rates = np.cumsum([*arrival_rates, *obtained])
            what = int(np.searchsorted(rates, rng.random() * rates[-1], "right"))
            group = what % len(shares)
            if what < len(shares):
                placed[group, np.searchsorted(np.cumsum(speeds)[:-1], rng.random(), "right")] += 1
            else:
                placed[group, rng.choice(np.flatnonzero(placed[group]))] -= 1
    good = max(lost, lacking) <= EXACT
    return finding("nothing lost, no group short, at every moment" if good else
                   f"up to {lost:.2f} lost, a deviation of up to {lacking:.1f}", good)  # fmt: skip
