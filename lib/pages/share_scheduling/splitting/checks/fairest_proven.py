"""Beyond `thesis`, Section 4.5.3: the conjecture on one processor for each group, and minima with a proof."""

import itertools

import numpy as np

from clustershare.splitting import assignment, certify_group_share_deviation, horizontal, vertical
from clustershare.splitting.certify_shares import none_below
from clustershare.splitting.fairest import deviations_of
from compendium.press.findings import beyond, check
from pages.share_scheduling.splitting.assignments import best_found, equal, moved_border, one_to_one, routings_of

EXACT = 1e-12


def largest(result):
    return float(result.group_share_deviation.max())


@check("thesis-4-170", alike=False)
def one_processor_for_each(alike=True):
    """The two inequalities of the proof, and what they prove, over random routings."""
    rng = np.random.default_rng(170)
    in_vprs = jobs_off = 0.0
    least = sum_least = np.inf
    more_jobs = tried = 0
    for processors in range(2, 7):
        required = equal(processors) if alike else np.arange(1, processors + 1) / sum(range(1, processors + 1))
        for k, loads in enumerate(one_to_one(processors, 20, 170 + processors)):
            work = processors * loads
            split = routings_of(loads, 50, rng)
            found = deviations_of(required, equal(processors), split)
            least, tried = min(least, found.max(axis=1).min()), tried + len(split)
            own = assignment(required, np.diag(work), equal(processors))
            in_vprs = max(in_vprs, abs(own.group_share_deviation).max())
            split, found = (values[(split.sum(axis=1) < 1).all(axis=1)] for values in (split, found))
            jobs = (split / (1 - split.sum(axis=1, keepdims=True))).sum(axis=2)
            if k == 0 and len(split):
                one = assignment(required, split[0], equal(processors))
                jobs_off = max(jobs_off, abs(one.mean_jobs / jobs[0] - 1).max())
            light = work < 1  # alone on a processor, the others would have no queue to be compared with
            alone = work[light] / (1 - work[light])
            more = jobs[:, light] - alone
            more_jobs += ((found[:, light] <= 0) & (more > 1e-9)).sum()
            sum_least = min(sum_least, (more / alone**2).sum(axis=1).min(initial=np.inf))
    good = in_vprs <= EXACT and least > 0 and not more_jobs and sum_least >= -1e-9 and jobs_off <= 1e-9
    return beyond(
        f"{tried} routings: least Delta^G {least:.1e}, 0 within 1e-12 in VPRS; groups not short with more jobs than "
        f"alone: {more_jobs}; weighted sum of jobs more than alone never below 0" if good else
        f"Delta^G up to {in_vprs:.2f} in VPRS; groups not short with more jobs than alone: {more_jobs}", good,
    )  # fmt: skip


@check("thesis-4-171", heavy=False)
def two_that_flood(heavy=True):
    """Groups 1 and 2 mixed on processors 1 and 2 such that each obtains the work of one."""
    rng, worst, apart = np.random.default_rng(171), 0.0, np.inf
    for k in range(50):
        processors = 3 + k % 2
        work = np.append(rng.uniform(1.05, 1.3, 2), rng.dirichlet(np.ones(processors - 1))[:-1] * 0.3)
        work[:2] *= 1 if heavy else 0.6
        little = 0.1 * (work[:2].min() - 1) if heavy else 0.01
        # What group 2 sends back, such that the parts of group 1 on both processors sum to 1.
        rest = work[0] - little
        back = (work[1] - np.sqrt(work[1] ** 2 - 4 * little * rest)) / 2
        split = np.diag(work)
        split[:2, :2] = [[rest, little], [back, work[1] - back]]
        worst = max(worst, abs(largest(assignment(equal(processors), split, equal(processors)))))
        apart = min(apart, little)
    return beyond(f"0 within 1e-12, at least {apart:.3f} of a processor's work elsewhere" if worst <= EXACT else
                  f"up to {worst:.2f}", worst <= EXACT)  # fmt: skip


@check("thesis-4-172", best=vertical)
def proven_counterexample(best=None):
    """By branch and bound with a gap of 1e-6; above a routing that is known, on three processors, it proves nothing."""
    system = (0.5, 0.5), (0.3, 0.2), 4
    result = best(*system) if best else certify_group_share_deviation(*system, gap=1e-6)
    other = (1 / 3, 2 / 3), (0.3, 0.2), 3
    wrong = none_below(*other, largest(vertical(*other)) + 1e-3, most_boxes=10_000)
    proven = result.method == "branch and bound" and result.error == 1e-6 and not wrong
    return beyond(f"{largest(result):.4f}" + ", none lower by 1e-6" * proven,
                  proven and abs(largest(result) - 0.1217) <= 0.00005)  # fmt: skip


@check("thesis-4-173", required=(0.25, 0.75))
def when_a_small_move_helps(required=(0.5, 0.5)):
    """From all processors of the worse group to all of the others; the condition is for two processors each."""
    sizes = np.round(4 * np.array(required)).astype(int)
    loads = np.random.default_rng(173).random((300, 2)) * required
    served = np.repeat(np.eye(2), sizes, axis=1)
    split = (loads / required)[:, :, None] * served
    before = deviations_of(np.array(required), equal(4), split)
    worse = before.argmax(axis=1)
    rows = np.arange(len(loads))
    a, b = (loads / required)[rows, worse], (loads / required)[rows, 1 - worse]
    moved = split.copy()
    moved[rows, worse] *= 1 - 1e-5
    moved[rows, worse] += (1e-5 * a * sizes[worse] / sizes[1 - worse])[:, None] * served[1 - worse]
    lower = deviations_of(np.array(required), equal(4), moved).max(axis=1) < before.max(axis=1)
    left, right = (1 - a) * (0.5 + a), (1 - b) * (0.5 + 1.5 * a)
    judged = (abs(left - right) >= 1e-3) & (abs(before @ [1, -1]) >= 1e-3)
    right_said = (lower == (left < right))[judged]
    lighter = (a < b)[judged]
    return beyond(
        f"as stated in {right_said.sum()} of {len(right_said)}; the move helps in {lower[judged][~lighter].mean():.0%} "
        f"if the worse group brings more, in {lower[judged][lighter].mean():.0%} if it brings less", right_said.all(),
    )  # fmt: skip


@check("thesis-4-174", policy=horizontal)
def proven_minima(policy=None):
    """At a load of 0.5 and three splits of it; the control does not search."""
    apart, proven = [], True
    for part in (0.5, 0.7, 0.9):
        loads = (0.5 * part, 0.5 * (1 - part))
        if policy:
            best = policy((0.5, 0.5), loads, equal(4))
        else:
            best = certify_group_share_deviation((0.5, 0.5), loads, 4)
        proven = proven and best.method == "branch and bound" and best.error <= 1e-3
        apart.append(largest(vertical((0.5, 0.5), loads, 4)) - largest(best))
    return beyond(f"VPRS is {', '.join(f'{gap + 0.0:.3f}' for gap in apart)} above", proven)


@check("thesis-4-175", loads=(0.25, 0.25))
def far_in_large_systems(loads=(0.25, 0.005)):
    """What VPRS leaves on the table as processors become more."""
    apart = {}
    for processors in (4, 10, 20, 50, 100):
        best = min(largest(moved_border((0.5, 0.5), loads, processors, kept)) for kept in range(1, processors // 2 + 1))
        apart[processors] = largest(vertical((0.5, 0.5), loads, processors)) - best
    values = np.array(list(apart.values()))
    return beyond("; ".join(f"P = {processors}: {gap + 0.0:.3f}" for processors, gap in apart.items()),
                  (np.diff(values) > 0).all() and values[-1] > 0.25)  # fmt: skip


@check("thesis-4-176", part=0.6)
def best_at_equal_loads(part=0.5):
    """VPRS less the best found."""
    below = 0.0
    for processors, load in itertools.product((2, 4, 6, 8), (0.3, 0.5, 0.7, 0.9)):
        loads = (load * part, load * (1 - part))
        best = best_found((0.5, 0.5), loads, processors)
        below = max(below, largest(vertical((0.5, 0.5), loads, processors)) - largest(best))
    return beyond("none below" if below <= 1e-9 else f"up to {below:.3f} below", below <= 1e-9)


@check("thesis-4-177", loads=(0.3, 0.2))
def overloaded_on_purpose(loads=(0.44, 0.36)):
    """The largest load of a processor in the best assignment, and what it is worth."""
    system = (0.5, 0.5), loads, 4
    best = best_found(*system, starts=8)
    most = best.processor_loads.sum(axis=0).max()
    gain = largest(vertical(*system)) - largest(best)
    good = most > 1 and gain >= 0.002 and none_below(*system, largest(best) - 2e-4)
    return beyond(f"a load of {most:.2f}; {largest(best):.4f}, {gain:.4f} below VPRS", good)
