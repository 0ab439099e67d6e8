"""Claims of `thesis`, Section 7.1, items 2, 3 and 6: one processor, several with free migration, and placement."""

import inspect
import itertools
import re

import numpy as np

from clustershare import dispatch, routing, uniprocessor
from clustershare.compiled import service
from clustershare.dispatch import kernel
from clustershare.estimates import Estimate
from clustershare.multiprocessor import group_weights, is_feasible, schedule
from clustershare.shares import feasible_group_share, group_share_deviation, maximum_obtainable_share
from clustershare.sizes import Pareto
from clustershare.uniprocessor.analysis import RULES
from clustershare.workload import Workload, replay_processor
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, fact, grid, mended
from compendium.press.clauses.conditions import at_least, at_most, equal, larger, not_larger
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.conclusions.witnesses.placement import best_placement
from pages.share_scheduling.objectives import queues
from pages.share_scheduling.one_processor.points import larger_deviation, lows
from pages.share_scheduling.one_processor.simulated import IN_BOUND, agree, bounded
from pages.share_scheduling.one_processor.systems import SPLITS, two_groups
from pages.share_scheduling.one_processor.witnesses.paths import intervals

EXACT = 1e-12
LOADS = (0.3, 0.6, 0.9)
SERVICES = (2.0, 0.5, 1.0)  # rates of three groups


def no_deviation_and_no_loss(found, *others):
    """The finding that no group deviates and no capacity is lost, from Points by the name of a domain."""
    return conclude(
        *(
            everywhere(f"the {what} {where}", points[what], at_most(EXACT))
            for where, points in found.items() for what in ("group-share deviation", "capacity loss")
        ),
        *others,
        whole=True,
    )  # fmt: skip


def six_workloads():
    """Three groups at three loads, without permanent jobs and with: load, shares, arrival rates, permanent jobs."""
    for load, permanent in itertools.product(LOADS, ((0, 0, 0), (1, 0, 2))):
        rates = load * np.array([0.2, 0.3, 0.5]) * SERVICES * (1 - 0.5 * (sum(permanent) > 0))
        yield load, (0.5, 0.3, 0.2), tuple(rates), permanent


def mean_shares(policy):
    """Clauses of the mean deviations and shares that the library simulates, and that its chains give."""
    runs, chains = {}, {}
    for load, shares, rates, permanent in six_workloads():
        key, system = (load, any(permanent)), (policy, shares, rates, SERVICES, permanent)
        runs[key] = uniprocessor.simulate(*system, jumps=10_000, warmup=3_000, replications=20, seed=7004)
        if load < 0.9:  # there a chain is too large
            chains[key] = uniprocessor.exact(*system, tolerance=1e-3)
    means = {
        "simulated": [run.group_share_deviation.value.max() for run in runs.values()],
        "by chains": [chain.group_share_deviation.max() for chain in chains.values()],
    }
    for how, worst in means.items():
        yield everywhere(f"the mean deviation of a group {how}", exact(worst, workload=None), at_most(EXACT))
    whole = [run.obtained_share.value.sum() - 1 for (_, lasting), run in runs.items() if lasting]
    whole += [chain.obtained_share.sum() - 1 for (_, lasting), chain in chains.items() if lasting]
    yield everywhere("what groups obtain beside permanent jobs and the whole processor", exact(whole, workload=None),
                     equal(EXACT))  # fmt: skip
    alone = {load: run.obtained_share for (load, lasting), run in runs.items() if not lasting}
    yield agree("without them what groups obtain, simulated, less the load", list(alone),
                [Estimate(each.value.sum(), each.half_width.sum()) for each in alone.values()])  # fmt: skip
    yield everywhere("without them what groups obtain, by chains, less the load",
                     bounded((chain.obtained_share.sum() - load, len(chain.obtained_share) * chain.error)
                             for (load, lasting), chain in chains.items() if not lasting), IN_BOUND)  # fmt: skip


def replayed_logs(policy):
    """Clauses of what groups miss and what is lost in random logs that the library replays: bursts, or all at once."""
    rng, logs = np.random.default_rng(7004), []
    for k in range(40):
        groups, jobs = 2 + k % 4, 60
        arrivals = np.sort(rng.integers(0, 30, jobs)) * float(k % 2)
        logs.append(
            (rng.dirichlet(np.ones(groups)), arrivals, Pareto(1.0, 1.5).sample(rng, jobs), groups, 2.0 ** (k % 3 - 1))
        )

    def measure(shares, arrivals, sizes, groups, speed):
        jobs = Workload(arrivals, sizes, groups=np.arange(len(sizes)) % groups)
        found = replay_processor(jobs, policy, shares, speed)
        return {"deviation": found.group_share_deviation.max(), "loss": found.capacity_loss}

    found = cases("random log", logs, seed=7004).measure(measure)
    yield everywhere("the deviation of a group in a log that is replayed", found["deviation"], at_most(EXACT))
    yield everywhere("the capacity that such a log loses, and 0,", found["loss"], equal(EXACT))


@check("thesis-7-004", policy="PS")
def one_processor(policy="GPPS"):
    """Delta_g(t) and Delta^T(t) of the library's rule in random states and along paths, in the mean, and in logs."""
    code = {"PS": service.PS, **RULES}[policy]

    def worst(shares, jobs):
        obtained = service.divide_each(code, shares, jobs[:, None])[:, 0]
        return {
            "group-share deviation": group_share_deviation(
                feasible_group_share(shares, jobs, 1), obtained, shares
            ).max(),
            "capacity loss": maximum_obtainable_share(int(jobs.sum()), [1.0]) - obtained.sum(),
        }

    def off(shares, jobs, obtained):
        """What the library gives the groups, less what they obtain on the path."""
        return np.abs(service.divide_each(code, shares, jobs[:, None])[:, 0] - obtained).max()

    rng, states, moments = np.random.default_rng(7004), [], []
    for _ in range(500):
        groups = int(rng.integers(2, 7))
        states.append((rng.dirichlet(np.ones(groups)), rng.integers(0, 6, groups)))
    for _, shares, rates, permanent in six_workloads():
        path = intervals(policy, shares, rates, SERVICES, permanent, events=10_000, seed=7004)
        kinds = {tuple(interval.present(3)): interval.obtained(3) for interval in path}
        moments += [(np.array(shares), np.array(jobs), np.array(obtained)) for jobs, obtained in kinds.items()]
    along = cases("kind of moment", moments)
    return no_deviation_and_no_loss(
        {
            "in any state": cases("random state", states, seed=7004).measure(worst),
            "along paths": along.measure(lambda shares, jobs, _: worst(shares, jobs)),
        },
        everywhere("what groups obtain on paths and by the library", along.measure(off), equal(EXACT)),
        *mean_shares(policy),
        *replayed_logs(policy),
    )


def _population(rng, equal):
    """Required shares, jobs and capacities."""
    processors, groups = int(rng.integers(2, 7)), int(rng.integers(2, 6))
    speeds = np.sort(rng.dirichlet(np.ones(processors)))[::-1] if not equal else np.full(processors, 1 / processors)
    return rng.dirichlet(np.ones(groups)), rng.integers(0, 9, groups), speeds


@check("thesis-7-005", alike=True)
def several_processors(alike=False):
    """MGPPS against (2.26) and (2.41), and the rates of its jobs against (2.20); the control serves all jobs alike."""
    rng = np.random.default_rng(7005)

    def off_schedule(rates, speeds):
        """How far the library's schedule is from these rates, and for how long it serves a job twice."""
        found = schedule(rates, speeds)
        return max(np.abs(found.service_rates(speeds) - rates).max(), found.overlap)

    def worst(shares, jobs, speeds):
        most = maximum_obtainable_share(int(jobs.sum()), speeds)
        obtained = jobs / max(1, jobs.sum()) * most if alike else group_weights(shares, jobs, speeds) @ speeds
        there = jobs > 0
        rates = np.repeat(obtained[there] / jobs[there], jobs[there])
        return {
            "group-share deviation": ((feasible_group_share(shares, jobs, len(speeds)) - obtained) / shares).max(),
            "capacity loss": abs(most - obtained.sum()),
            "schedule": not len(rates) or is_feasible(rates, speeds) and off_schedule(rates, speeds) <= EXACT,
        }

    found = cases("random state", [_population(rng, k % 2) for k in range(500)], seed=7005).measure(worst)
    served = everywhere("a schedule gives the jobs their rates", found["schedule"])
    return no_deviation_and_no_loss({"on several processors": found}, served)


@check("thesis-7-006", policies=("GPPS",), loads=(0.8,))
def blind_to_groups(policies=("FCFS", "PS"), loads=(0.5, 0.8, 0.9)):
    """The larger deviation over the splits of a load; the control knows the groups."""

    def over_splits(policy, load, share):
        systems = [two_groups(part, load, share) for part in SPLITS]
        found = larger_deviation(policy, systems)
        own, required = (
            np.array([system[name] for system in systems]) for name in ("arrival_rates", "required_shares")
        )
        known = (own / (1 - load + own) - own / required).max(axis=1)  # a group is there, less what it obtains
        return {"range": np.ptp(found), "largest": found.max(), "off": np.abs(found - known).max()}

    found = grid(policy=policies, load=loads, share=(0.5, 0.6, 0.75)).measure(over_splits)
    return conclude(
        at_each("the range of the deviation over the splits of the load", found["range"], at_least("clear")),
        at_each("the largest deviation", found["largest"], larger(SCALE["close"].most)),
        together=("policy", "load", "share"),
        provided=[] if "GPPS" in policies else [
            everywhere("the larger deviation, by the library and by the presence of groups,", found["off"], equal(1e-9))
        ],
    )  # fmt: skip


@check("thesis-7-007", policies=("GPPS",))
def waiting_for_the_end(policies=("HOL", "UD")):
    """Services on paths, who waits meanwhile, and Delta^G at the points of three figures; the control interrupts."""

    def on_paths(policy):
        interrupted, waits, overlap = 0, set(), 0.0
        for shares, load in itertools.product(((0.6, 0.4), (0.5, 0.3, 0.2)), (0.5, 0.8)):
            served, came = None, {}
            for interval in intervals(policy, shares, [load / len(shares)] * len(shares), events=10_000, seed=7007):
                # A job that was in service and has work left is served alone until it has none.
                interrupted += served is not None and served.left > 0 and interval.rates != {served: 1.0}
                served = next(iter(interval.rates), None)
                came |= dict.fromkeys(interval.jobs)
                numbers, obtained = interval.present(len(shares)), interval.obtained(len(shares))
                waits |= {(r, n, 0.0) for r, n, o in zip(shares, numbers, obtained) if n and not o}
            # The library's services of the same jobs, one after the other: each lasts as long as its job alone.
            jobs = Workload([job.arrival for job in came], [job.size for job in came], [job.group for job in came])
            replayed = replay_processor(jobs, policy, shares)
            order = np.argsort(replayed.start)
            ends = replayed.start + jobs.sizes
            next_one = replayed.start[order][1:]
            overlap = max(overlap, np.abs(replayed.end - ends).max(), (ends[order][:-1] - next_one).max())
        deviations = {group_share_deviation(feasible_group_share(r, n, 1), o, r) for r, n, o in waits}
        largest = max(lows(figure, policy).max() for figure in ("3.5", "3.8", "3.10"))
        return {
            "interrupted": interrupted, "overlap": overlap, "waits": deviations == {1.0}, "largest": largest,
        }  # fmt: skip

    found = cases("policy", policies).measure(on_paths)
    return conclude(
        everywhere("the number of services that are interrupted", found["interrupted"], at_most(0)),
        everywhere("the time for which the library's services are interrupted", found["overlap"], at_most(1e-9)),
        everywhere("the deviation of a group that waits while another is served is 1", found["waits"]),
        everywhere("the largest deviation in the three figures", found["largest"], larger(SCALE["close"].most)),
        whole=True,
    )


@check("thesis-7-012", printed="job")
def what_arrives(printed="processor"):
    """What the library's event loop places when it arrives; the control takes the word that is right."""
    (word,) = re.findall(r"arriving (\w+)", inspect.getdoc(kernel.place))
    return mended(
        fact(f"what arrives is the printed {printed}", word == printed, f"what arrives is no {printed}"),
        fact("it is a job", word == "job", f"it is a {word}"),
    )


CUTS, SEEN = {2: 30, 3: 15}, 8  # jobs at a processor at most, by the number of processors; and in the states compared


@check("thesis-7-013", speeds=(10 / 11, 1 / 11))
def idle_first(speeds=None):
    """The best decision wherever a processor is idle; the control has two processors of speeds 10 and 1."""

    def saved(processors, load):
        """By sending the job to a busy processor: the most over the states with an idle one."""
        best = best_placement(load, speeds or [1 / processors] * processors, CUTS[processors])
        law, _ = routing.stationary_law("MRTP", [1.0] * processors, processors * load, CUTS[processors])
        found = best.values
        found = found[(slice(None), *[slice(SEEN + 1)] * processors)]
        idle = np.indices(found.shape[1:]) == 0
        some = idle.any(axis=0) & ~idle.all(axis=0)
        there, elsewhere = (np.where(mask, found, np.inf).min(axis=0)[some] for mask in (idle, ~idle))
        return {"saved": (there - elsewhere).max(), "states": some.sum(), "least": best.loss - queues.lost(law)}

    def less_than(policy, processors, most_jobs, load):
        """What is lost at least, less what the library's chain of a policy loses, and the error of that."""
        known = dispatch.exact_central(policy, required_shares=(0.5, 0.5), loads=(load / 2, load / 2),
                                       processors=processors, most_jobs=most_jobs)  # fmt: skip
        return least[processors, load] - known.capacity_loss, known.error

    systems = (2, 14, 0.3), (3, 8, 0.1)
    least = {(P, load): best_placement(load, [1 / P] * P, CUTS[P]).loss for P, _, load in systems}
    found = grid(processors=(2,) if speeds else tuple(CUTS), load=(0.3, 0.5, 0.7)).measure(saved)
    return conclude(
        everywhere("what sending the job to a busy processor saves at most", found["saved"], at_most(1e-9)),
        aside("states with an idle processor", found["states"]),
        provided=[] if speeds else [
            everywhere("the least loss and that of the library's shortest queue", found["least"], equal(1e-9)),
            everywhere("the least loss less that of JSQ, by its chain,",
                       bounded(less_than("JSQ", *one) for one in systems), IN_BOUND),
            everywhere("the least loss less that of HP, SVP and DVP, by theirs,",
                       bounded(less_than(policy, *one) for policy in ("HP", "SVP", "DVP") for one in systems),
                       not_larger()),
        ],
    )  # fmt: skip
