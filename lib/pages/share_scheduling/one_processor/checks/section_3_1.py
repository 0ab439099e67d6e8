"""Claims of `thesis`, Section 3.1: what the seven policies have in common, and how they differ, Figure 3.1."""

import functools
import itertools
import math

import numpy as np

from clustershare import uniprocessor
from clustershare.arguments import UnstableError
from clustershare.estimates import Estimate, from_replications
from clustershare.results import NoExactAnswer
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact
from compendium.press.clauses.conditions import at_most, equal, larger
from compendium.press.findings import check
from pages.share_scheduling.one_processor.diagrams import BLIND, CLASSES
from pages.share_scheduling.one_processor.simulated import ROUNDING as SAME
from pages.share_scheduling.one_processor.simulated import agree, refused
from pages.share_scheduling.one_processor.witnesses import lines, round_robin
from pages.share_scheduling.one_processor.witnesses.paths import intervals

ROUNDING = 1e-12
SHORT = {"jumps": 1000, "warmup": 0, "replications": 2, "seed": 4}
QUANTITIES = "obtained_share", "probability_present", "group_share_deviation", "job_share_deviation", "mean_jobs"


@check("thesis-3-001", policies=("PQ that idles",))
def no_capacity_is_lost(policies=uniprocessor.POLICIES):
    """At every event the jobs' own rates sum to 1 if there is a job, and to 0 if there is none; and the library's."""
    rng, off, expected, found, whole = np.random.default_rng(51), [], [], [], []
    for number, (policy, groups) in enumerate(itertools.product(policies, (2, 3))):
        shares, load = 0.1 + (1 - 0.1 * groups) * rng.dirichlet(np.ones(groups)), rng.uniform(0.1, 0.9)
        loads = load * rng.dirichlet(np.ones(groups))
        # No permanent job, one of the last group, some of each.
        for permanent in ((0,) * groups, (*(0,) * (groups - 1), 1), tuple(range(1, groups + 1))):
            path = intervals(policy, shares.tolist(), loads, 1.0, permanent, events=300, seed=number)
            off += [sum(now.obtained(groups)) - (len(now.jobs) > 0) for now in path]
            if policy in uniprocessor.POLICIES:
                whole += all_of_it(policy, shares, loads, permanent)
        if policy in uniprocessor.POLICIES:
            run = uniprocessor.simulate(policy, shares, loads, jumps=20_000, warmup=4000, replications=20, seed=number)
            expected.append(loads)  # that these sum to rho, all together, follows
            found.append(run.obtained_share)
    return conclude(
        everywhere("the total obtained share and 1, or 0 if nobody is there,", exact(off, event=None), equal(ROUNDING)),
        agree("a load, against the simulated share,", expected, found),
        *[everywhere("the sum of the library's shares, and 1, or rho without permanent jobs,",
                     exact(whole, answer=None), equal(SAME))] * bool(whole),
        whole=True,
    )  # fmt: skip


def all_of_it(policy, shares, loads, permanent):
    """What obtained shares beside permanent jobs are off 1, simulated and exactly; without them exactly, off rho."""
    missing, (total, tolerance) = [], (1.0, 0.1) if any(permanent) else (loads.sum(), SAME)
    if any(permanent):
        run = refused(policy, shares, loads, 1.0, permanent, jumps=1000, warmup=100, replications=2)
        missing.append(run.obtained.value.sum() - 1)
    if len(shares) > 2 and policy in ("PPS", "GPPS"):
        return missing  # chains of more groups take long
    try:
        limit = uniprocessor.limiting(policy, shares, loads, 1.0, permanent)
        return [*missing, uniprocessor.exact(policy, **limit, tolerance=tolerance).obtained_share.sum() - total]
    except NoExactAnswer:
        return missing


def _scaled(policy, system, services, capacity, arrivals_too=True):
    """How far an answer changes with the capacity: exactly where that is known, and on paths with the same seed."""
    shares, loads, permanent = system
    gaps = []
    for answer, setting in (
        (uniprocessor.exact, {}),
        (uniprocessor.simulate, {"jumps": 2000, "warmup": 100, "replications": 2, "seed": 5}),
    ):
        if answer is uniprocessor.exact and policy == "GPPS" and permanent.any():
            continue  # where it is known takes long
        try:
            arrivals = loads * services
            one = answer(policy, shares, arrivals, services, permanent, **setting)
            faster = arrivals * (capacity if arrivals_too else 1)
            other = answer(policy, shares, faster, services * capacity, permanent, **setting)
        except NoExactAnswer:
            continue
        for name in QUANTITIES:
            pair = [getattr(result, name) for result in (one, other)]
            values = [result if isinstance(result, np.ndarray) else result.value for result in pair]
            gap = np.abs(np.subtract(*values)) / np.maximum(1, np.abs(values[0]))
            gaps.append(np.nanmax(gap, initial=0.0))
    return max(gaps)


@check("thesis-3-116", arrivals_too=False)
def any_capacity(arrivals_too=True):
    """A capacity c with c times the arrivals is a capacity of 1 in another unit of time; the control is just faster.

    The priorities of UD start at r_g in any unit of time, so that its paths differ; its long averages do not.
    """
    rng, systems = np.random.default_rng(52), []
    for permanent, highest in (((0, 0), 0.9), ((0, 0), 0.6), ((0, 1), 0.3), ((1, 1), 0.3)):
        shares, part = rng.uniform(0.3, 0.7), rng.uniform(0.3, 0.7)
        loads = rng.uniform(0.1, highest) * np.array([part, 1 - part])
        systems.append(((shares, 1 - shares), loads, np.array(permanent)))

    def changed(policy):
        gaps = []
        for system, capacity in itertools.product(systems, (0.1, 3.0, 40.0)):
            services = np.ones(2) if system[2].any() else np.array([1.0, 1.7])
            try:
                gaps.append(_scaled(policy, system, services, capacity, arrivals_too))
            except UnstableError:
                continue
        return max(gaps)

    values, long = [], []
    run = {"jumps": 20_000, "warmup": 5000, "replications": 20}
    for shares, loads, permanent in systems:
        one, other = (
            uniprocessor.simulate("UD", shares, c * loads, c, permanent, **run, seed=k)
            for k, c in enumerate((1.0, 40.0))
        )
        for a, b in ((getattr(one, name), getattr(other, name)) for name in QUANTITIES[:4]):
            values.append(b.value)
            long.append(Estimate(a.value, np.hypot(a.half_width, b.half_width)))
    found = cases("policy", uniprocessor.POLICIES).measure(changed)
    others = tuple(policy for policy in uniprocessor.POLICIES if policy != "UD")
    return conclude(
        everywhere("for two capacities the answers of a policy but UD", found.at(policy=others), equal(SAME)),
        everywhere("those of UD with one seed", found.at(policy="UD"), equal(SAME)),
        provided=[agree("a long average of UD, against that with another capacity,", values, long)],
    )


def _departures(policy, system, shares):
    """Departure times of the transient jobs on a path by group and arrival, and the finished ones."""
    jobs = {}
    for now in intervals(policy, shares.tolist(), system.loads, 1.0, system.permanent, events=250, seed=3):
        for job in now.jobs:
            if not job.permanent:
                jobs[job.group, job.arrival] = job
    done = {key: job for key, job in jobs.items() if not math.isnan(job.departure)}
    return {key: job.departure for key, job in done.items()}, list(done.values())


def _served_as(policy, systems):
    """How a policy serves, from the jobs' own records: the name of its class in Figure 3.1, or none of them."""
    broken = partly = 0
    adds_up, at_once = True, True
    for system in systems:
        for now in intervals(policy, system.shares.tolist(), system.loads, 1.0, system.permanent, events=250, seed=4):
            at_once &= len(now.rates) == len(now.jobs) and all(rate > 0 for rate in now.rates.values())
            partly += len(now.rates) > 1
        for job in _departures(policy, system, system.shares)[1]:
            broken += len(job.periods) > 1
            adds_up &= partly > 0 or abs(sum(end - start for start, end in job.periods) - job.size) < SAME
    if partly:
        return "processor sharing" if at_once else "some at once"
    if not adds_up:
        return "what was served is lost"
    return "preemptive" if broken else "non-preemptive"


def _in_simulations(policy, systems):
    """Whether required shares change something in the library's simulation, and whether it serves a group's jobs alike.

    With one seed; queues that grow without bound are left to grow.
    """
    looks, alike = False, True
    for system in systems:
        one, other = (
            np.array([part.value for part in refused(policy, shares, system.loads, 1.0, system.permanent, **SHORT)])
            for shares in (system.shares, np.roll(system.shares, 1))
        )
        looks |= np.abs(one - other).max() > ROUNDING
        alike &= (one[2] == 0).all()
    return looks, alike


@check("thesis-3-118", instead={"PQ": "PQ from the start"})
def family(instead=None):
    """Figure 3.1: who looks at the groups, who interrupts, who serves all at once."""
    systems = [*lines.at_random(4, low=0.2, high=0.9, seed=53), *lines.at_random(4, True, 0.2, 0.9, seed=54)]
    kinds = {policy: kind for kind, policies in CLASSES.items() for policy in policies}

    def found(policy):
        name, changed = (instead or {}).get(policy, policy), 0
        for system in systems:
            one, other = (_departures(name, system, shares)[0] for shares in (system.shares, np.roll(system.shares, 1)))
            changed += any(abs(one[key] - other[key]) > ROUNDING for key in one.keys() & other.keys())
        looks, alike = _in_simulations(policy, systems)
        in_library = looks == (policy not in BLIND) and alike == (kinds[policy] == "processor sharing")
        return {"served": _served_as(name, systems) == kinds[policy], "looks": (changed == 0) == (policy in BLIND),
                "library": in_library}  # fmt: skip

    def waits(policy):
        """How much more often the first group is there than it is served, by the library's exact answer."""
        answers = [uniprocessor.exact(policy, (0.6, 0.4), (load, load)) for load in (0.1, 0.25, 0.4)]
        return min(one.probability_present[0] - one.obtained_share[0] for one in answers)

    def exactly(policy):
        """Whether the exact answer looks at the required shares just if it is drawn to."""
        changed = 0.0
        for loads in ((0.2, 0.3), (0.5, 0.2)):
            one, other = (uniprocessor.exact(policy, shares, loads) for shares in (SHARES, SHARES[::-1]))
            for name in QUANTITIES:
                if name != "group_share_deviation":  # that is relative to the required share
                    changed = max(changed, np.abs(getattr(one, name) - getattr(other, name)).max())
        return changed <= ROUNDING if policy in BLIND else changed > 1e-3

    found, answering = cases("policy", kinds).measure(found), cases("policy", [one for one in kinds if one != "UD"])
    return conclude(
        everywhere("a policy serves as its class is drawn", found["served"]),
        everywhere("required shares change some departure just if it is drawn to look at the groups,", found["looks"]),
        everywhere("so it looks, and serves a group's jobs alike if it shares, in the library's simulations",
                   found["library"]),
        everywhere("and so it looks in exact answers", answering.measure(exactly)),
        everywhere("exactly, the presence of the first group less its share under PQ", exact(waits("PQ")), equal(SAME)),
        everywhere("the same under HOL", exact(waits("HOL")), larger(SAME)),
        whole=True,
    )  # fmt: skip


SHARES = (0.6, 0.4)
SYSTEMS = tuple(
    ((load * part, load * (1 - part)), permanent)
    for load, part in ((0.3, 0.2), (0.6, 0.5), (0.9, 0.6)) for permanent in ((0, 0), (1, 1))
)  # fmt: skip
JOBS, PAIRS = 120, 4
MANY = 60  # pairs, where with so few the length of the intervals would decide
MEASURES = "group-share deviations", "response times", "job-share deviations"


@functools.cache
def shared(policy, system, seed):
    """What a sharing policy makes of the jobs of a pair, and the jobs."""
    loads, permanent = system
    coming = round_robin.arriving(loads, JOBS, seed)
    return round_robin.shared(policy, SHARES, permanent, coming), coming


def largest_gaps(quantum, cost=0.0):
    """The farthest ends of differences of round robin from sharing, over all policies and systems.

    Those of the group-share deviations, the job-share deviations, and, relative to the larger, the response times.
    """
    worst = np.zeros(3)
    for policy, system in itertools.product(round_robin.KINDS, SYSTEMS):
        pairs = []
        for seed in range(MANY if cost else PAIRS):
            sharing, coming = shared(policy, system, seed)
            pairs.append((round_robin.turns(policy, SHARES, system[1], coming, quantum, cost), sharing))
        for k in range(3):
            turns, sharing = np.array([[one[k], other[k]] for one, other in pairs]).swapaxes(0, 1)
            found = from_replications(turns - sharing)
            scale = np.maximum(turns.mean(axis=0), sharing.mean(axis=0)) if k == 2 else 1.0
            worst[k] = max(worst[k], ((np.abs(found.value) + found.half_width) / scale).max())
    return worst[[0, 2, 1]]


def longer_paths():
    """Exact deviations and mean response times of the sharing policies, and those of twenty paths each."""
    expected, found = [], []
    for policy, (loads, permanent) in itertools.product(round_robin.KINDS, SYSTEMS[:3]):
        stable = uniprocessor.limiting(policy, SHARES, loads, 1.0, permanent)
        answer = uniprocessor.exact(policy, **stable, tolerance=1e-4)
        paths = [round_robin.shared(policy, SHARES, permanent, round_robin.arriving(loads, 300, 100 + k))
                 for k in range(20)]  # fmt: skip
        for k, value in ((0, answer.group_share_deviation), (2, answer.mean_response_time)):
            expected.append(value)
            found.append(from_replications([path[k] for path in paths]))
    return expected, found


@check("thesis-3-117", quanta=(100.0,))
def turns_of_a_quantum(quanta=(1.0, 0.1, 0.01)):
    """Round robin against PS, PPS and GPPS on the same jobs; a quantum of 100 serves any job to its end.

    At each instant one job is served, so that the job-share deviation is another.
    """
    found = [largest_gaps(quantum) for quantum in quanta]
    last = np.maximum(found[-1], largest_gaps(quanta[-1], quanta[-1] / 100))
    smaller = [len(quanta) > 1 and (np.diff(column) < 0).all() for column in np.transpose(found)]
    near = exact(last, as_it_stands=True, quantity=MEASURES)
    return conclude(
        at_each("the farthest end of a difference at the shortest quantum, switching costs too,", near,
                at_most("close")),
        at_each("the shorter the quantum, the nearer it is", exact(smaller, quantity=MEASURES)),
        aside("the farthest end of a difference", exact(found, quantum=quanta, quantity=MEASURES)),
        together="quantity",
        provided=[agree("an exact deviation or time of a sharing policy, against longer paths,", *longer_paths(), 20)],
    )  # fmt: skip
