"""Claims of `ctmc`, Section 5.2: what is said on Figures 2, 3 and 4."""

from dataclasses import replace

import numpy as np

from clustershare.cluster_chain import ServiceCluster, saturated_jobs, solve_directly, uniform_sizes
from compendium.press.clauses import aside, at_each, besides, cases, conclude, everywhere, exact, fact, grid
from compendium.press.clauses import measured as points
from compendium.press.clauses.conditions import at_least, at_most, equal, falls, larger, rises, within
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.cluster_chain.points import (
    INSTANT,
    RESOLVED,
    agreeing,
    changed,
    drawn,
    in_proportion,
    in_service_while_queued,
    in_widths,
    measured,
    off_of,
    over,
    reason_for_delays,
    relative,
    same,
    seen,
    settles,
    simulated,
    steps_of,
    wasted,
    words_for,
    worst,
)
from pages.cluster_chain.systems import SERVERS, TRACKER_RATES, figure_2, figure_3
from pages.cluster_chain.witnesses import words
from pages.cluster_chain.witnesses.paths import IS_PASSED, follow
from pages.cluster_chain.witnesses.single_queue import single_queue

CURVES = (1, 2, 5, 10, 15, 20, 30, 40, 60, 100, 1000)  # arrival rates
SMALL_ON_16 = changed(servers=16, job_sizes=uniform_sizes(4))
BEFORE_THE_LAST = at_most(TRACKER_RATES[-2])


def whole_jobs(cluster):
    """Every job takes the whole cluster: a wrong system."""
    return replace(cluster, job_sizes={cluster.servers: 1.0})


def small_jobs(cluster):
    """Sizes up to 4 whatever the cluster: a wrong system."""
    return replace(cluster, job_sizes=uniform_sizes(min(4, cluster.servers)))


def by_tracker_rate(system):
    """The measures of Figure 2, and in the limit of a tracker that takes no time."""
    return over(figure_2, system, tracker_rate=(*TRACKER_RATES, 1e6), λ=CURVES)


def by_servers(system):
    """Those of Figures 3 and 4."""
    return over(figure_3, system, N=SERVERS, λ=CURVES)


def delays_by_tracker_rate(system):
    """What is said of each curve of Figure 2."""
    delay = by_tracker_rate(system)["mean_delay"].at(tracker_rate=TRACKER_RATES)
    return (
        at_each("the mean delay, from a tracker rate to the next,", relative(delay.steps("tracker rate")), falls()),
        at_each("the mean delay, from a tracker rate of 10 to one of 30,",
                relative(delay.at(tracker_rate=30) - delay.at(tracker_rate=10)), falls("much")),
        at_each("the tracker rate from which on the mean delay changes by 0.05 at most",
                settles(delay, "tracker rate", "close"), BEFORE_THE_LAST),
    )  # fmt: skip


@check("ctmc-014", system=changed(service_rates=1e5))
def quicker_trackers(system=same):
    """Delay against the tracker rate at every arrival rate (`ctmc`, Figure 2), and against paths."""
    return conclude(
        *delays_by_tracker_rate(system),
        together="λ",
        provided=agreeing("the mean delay", off_of("mean_delay", ["2"])),
    )


def others_by_tracker_rate(system):
    """From where on the other measures of Figure 2 change little, up to the limit."""
    found = by_tracker_rate(system)
    lost = (found["blocking"].value > RESOLVED).all(axis=0)
    what, names = (
        "the tracker rate from which on the {} changes by 0.05 at most",
        ("utilisation", "mean_jobs_in_service"),
    )
    from_there = {name: settles(found[name], "tracker rate", "close") for name in ("blocking", *names)}
    from_there["blocking"] = from_there["blocking"].where(lost, "nobody is lost")
    return [at_each(what.format(words_for(name)), rate, BEFORE_THE_LAST) for name, rate in from_there.items()]


@check("ctmc-046", system=changed(service_rates=0.1))
def other_measures(system=same):
    """The tracker rate beyond which each measure changes little, at every arrival rate (`ctmc`, Figure 2)."""
    names = ("blocking", "utilisation", "mean_jobs_in_service")
    return conclude(*others_by_tracker_rate(system), provided=seen(["2"], *names))


def up_to_a_tracker_rate(system):
    """Whether the tracker is the bottleneck up to some tracker rate and not beyond, and up to which."""

    def counts_more(tracker, rate):
        cluster = system(figure_2(tracker, rate))
        lost = [
            measured(replace(cluster, **{name: 1.01 * getattr(cluster, name)}))["blocking"]
            for name in ("tracker_rate", "service_rates")
        ]
        return lost[0] < lost[1] if max(lost) > 1e-12 else None

    axis = (5, *TRACKER_RATES)
    slow = {rate: [more for each in axis if (more := counts_more(each, rate)) is not None] for rate in CURVES}
    told = grid(λ=CURVES).without("of fewer than two clusters jobs are lost", lambda rate: len(slow[rate]) < 2)
    once = told.measure(lambda rate: 0 < sum(slow[rate]) < len(slow[rate]) and slow[rate] == sorted(slow[rate])[::-1])
    last = told.measure(lambda rate: axis[len(axis) - len(slow[rate]) + sum(slow[rate]) - 1])
    return at_each("the tracker is the bottleneck up to one tracker rate, and not beyond,", once), last


@check("ctmc-047", system=changed(service_rates=1e5))
def bottleneck(system=same):
    """Whether 1 % more of the tracker's rate, or of the servers', is accepted more (`ctmc`, Figure 2)."""
    once, last = up_to_a_tracker_rate(system)
    return conclude(once, aside("the last tracker rate at which it is", last), provided=seen(["2"], "blocking"))


@check("ctmc-015", system=whole_jobs)
def larger_clusters_are_used_less(system=same):
    """Utilisation against the number of servers (`ctmc`, Figure 3)."""
    falling = at_each(*steps_of("utilisation", "N", by_servers(system)), falls())
    return conclude(falling, provided=seen(["3"], "utilisation"))


@check("ctmc-016", system=in_proportion)
def busier_clusters(system=same):
    """Utilisation and delay against the arrival rate at each number of servers (`ctmc`, Figures 3, 4), and paths."""
    found, names = by_servers(system), ("utilisation", "mean_delay")
    return conclude(
        *(at_each(*steps_of(name, "λ", found), rises()) for name in names),
        provided=agreeing("utilisation and delay", [off_of(name, ["3"]) for name in names]),
    )


@check("ctmc-017", system=whole_jobs)
def larger_clusters_are_quicker(system=same):
    """Delay against the number of servers (`ctmc`, Figure 4)."""
    falling = at_each(*steps_of("mean_delay", "N", by_servers(system)), falls())
    return conclude(falling, provided=seen(["3"], "mean_delay"))


def enough_servers(system):
    """From which number of servers on 16 make hardly a difference, by arrival rate."""
    found = by_servers(system)
    off = [relative(found[name] - found[name].at(N=16)).value for name in ("utilisation", "mean_delay")]
    near = np.abs(off).max(axis=0) <= SCALE["practically equal"].most
    least = 1 + np.logical_and.accumulate(near[::-1])[::-1].argmax(axis=0)
    return at_each("the N from which on utilisation and mean delay differ from those of N = 16 by 0.01 at most",
                   exact(least, λ=CURVES), at_most(12))  # fmt: skip


@check("ctmc-018", system=small_jobs)
def levelling_off(system=same):
    """From which number of servers on 16 make hardly a difference, by arrival rate (`ctmc`, Figures 3, 4)."""
    saturated = [saturated_jobs(servers, uniform_sizes(servers)) for servers in (16, 1000)]
    return conclude(
        enough_servers(system),
        aside("the mean number of jobs that a saturated cluster runs", exact(saturated, N=(16, 1000))),
        provided=seen(["3"], "utilisation", "mean_delay"),
    )


@check("ctmc-019", system=SMALL_ON_16)
def hardly_more_than_one(system=same):
    """The largest mean number of jobs in service (`ctmc`, Figures 3, 4), and by elimination in clusters up to 7."""

    def off(servers, rate):
        cluster = figure_3(servers, rate)
        return solve_directly(cluster).mean_jobs_in_service / measured(cluster)["mean_jobs_in_service"] - 1

    return conclude(
        everywhere("the mean number of jobs in service", by_servers(system)["mean_jobs_in_service"], at_most(1.34)),
        provided=[
            *seen(["3"], "mean_jobs_in_service"),
            everywhere(
                "the mean numbers by elimination and by the solver, relative to these,",
                grid(N=range(1, 8), λ=(1, 40, 1000)).measure(off),
                equal(1e-9),
            ),
        ],
    )


@check("ctmc-049", system=whole_jobs)
def more_in_parallel(system=same):
    """Jobs in service, and the delay that they are to explain, against the number of servers (`ctmc`, Figure 4)."""
    queued = [in_service_while_queued(system(figure_3(servers, 1))) for servers in (1, 16)]
    return conclude(
        *reason_for_delays(by_servers(system), "N", up=True),
        aside("that number while jobs are queued, at λ = 1,", exact(queued, N=(1, 16))),
        together="λ",
        provided=seen(["3"], "mean_jobs_in_service", "mean_delay"),
    )


def of_4_servers(cluster):
    """Four servers at most, and sizes up to four: a wrong system, in which other numbers of jobs run."""
    servers = min(4, cluster.servers)
    return replace(cluster, servers=servers, job_sizes=uniform_sizes(servers))


def not_refuted(clause):
    """For which arrival rates a clause may hold, at all other places."""
    may, nouns = clause.found(1.0)[1], [noun for noun, _ in clause.axes]
    along = nouns.index("λ")
    kept = may.all(axis=tuple(k for k in range(may.ndim) if k != along))
    return np.array([rate not in clause.axes[along][1] or kept[clause.axes[along][1].index(rate)] for rate in CURVES])


@check("ctmc-042", system=of_4_servers)
def lost_arrival_rates(system=same):
    """The arrival rates at which all that is said of Figures 2 to 4 holds, and those with the stated E[J]."""
    found = by_servers(system)
    said = [*delays_by_tracker_rate(system), *others_by_tracker_rate(system), up_to_a_tracker_rate(system)[0]]
    said += [at_each(*steps_of(name, "N", found), falls()) for name in ("utilisation", "mean_delay")]
    said += [enough_servers(system), *reason_for_delays(found, "N", up=True)[:3]]
    every = np.logical_and.reduce([not_refuted(clause) for clause in said])
    off = exact(found["mean_jobs_in_service"].largest("N").value - 1.34, λ=CURVES)
    highest = np.count_nonzero(within(0.005).inside(off, 1, 1))
    return conclude(
        everywhere("the number of λ for which the largest mean number of jobs in service is 1.34", exact(highest),
                   at_least(2)),
        fact("all that is said of each curve is not left for a single λ", every.sum() != 1,
             "all that is said of each curve is left for a single λ"),
        besides("all that is said of each curve holds", exact(every, λ=CURVES)),
        besides("the largest mean number of jobs in service, less 1.34,", off, within(0.005)),
        ours=True,
    )  # fmt: skip


@check("ctmc-074", system=changed(tracker_rate=20.0))
def the_tracker_hardly_counts(system=same):
    """Figures 3 and 4 against those with a tracker that takes no time (`ctmc`, Figures 3, 4)."""
    found, instant = by_servers(system), by_servers(INSTANT)
    gaps = {f"what the tracker makes of the {words_for(name)}": relative(found[name] - instant[name])
            for name in ("utilisation", "mean_delay")}  # fmt: skip
    return conclude(
        *(clause for name, gap in gaps.items() for clause in (at_each(name, gap, within("close")), worst(name, gap))),
        provided=seen(["3"], "utilisation", "mean_delay"),
    )


def off_in_words(servers, rate):
    """How far servers idle while a job waits for more, and all idle ones, are from those in the system in words."""
    cluster = figure_3(servers, rate)
    unused, every = (
        words.mean(cluster, value)
        for value in (lambda idle, tracked: np.where(tracked > idle, idle, 0), lambda idle, tracked: idle)
    )
    found = [wasted(cluster) * servers / unused, (1 - measured(cluster)["utilisation"]) * servers / every]
    idle = np.array([(servers - sum(V)) * (x2 > servers - sum(V)) for _, x2, V in cluster.state_list()])
    found += [idle @ solve(cluster).probabilities() / unused for solve in (ServiceCluster.solve, solve_directly)]
    return np.abs(np.array(found) - 1).max()


@check("ctmc-075", system=whole_jobs)
def more_is_wasted(system=same):
    """Servers that are idle while a job waits for more of them, over all (`ctmc`, Figure 3), and in words."""
    part = grid(N=SERVERS, λ=CURVES).measure(lambda servers, rate: wasted(system(figure_3(servers, rate))))
    number = part.scaled(np.array(SERVERS)[:, None])
    in_words = grid(N=(2, 3), λ=(1, 20, 1000)).measure(off_in_words)
    used = by_servers(system)["utilisation"]
    return conclude(
        at_each("the part of the servers that is wasted, from one N to the next,", relative(part.steps("N")), rises()),
        aside("that part", part),
        besides("the number of wasted servers, from one N to the next,", number.steps("N"), rises()),
        besides(
            "the part of the servers that is idle, from one N to the next,",
            relative((exact(np.ones(used.value.shape), **dict(used.axes)) - used).steps("N")),
            rises(),
        ),
        provided=[
            everywhere(
                "that part and all idle servers, by the library and by the system in words", in_words, equal(1e-9)
            )
        ],
    )


@check("ctmc-034", system=SMALL_ON_16)
def one_server(system=same):
    """The measures with one server against those of M/M/1/C as printed, and with more places (`ctmc`, Figure 3)."""
    found = over(lambda rate: figure_3(1, rate), system, λ=CURVES)
    names = ("blocking", "mean_queue", "mean_delay", "utilisation")
    clauses = []
    for places, clause in ((15, at_each), (16, besides), (17, besides)):
        expected = np.transpose([single_queue(places, rate) for rate in CURVES])
        clauses += [
            clause(f"the {words_for(name)}, less that of M/M/1/{places},",
                   relative(found[name] - exact(value, λ=CURVES)), within("very close"))
            for name, value in zip(names, expected)
        ]  # fmt: skip
    alone = [point for point in simulated(["3"]) if point[0].servers == 1]
    off = [in_widths(measured(cluster)[name], *values[name]) for cluster, values in alone for name in names]
    return conclude(*clauses, provided=agreeing("the measures of one server", off))


@check("ctmc-038", system=changed(queue_capacity=14))
def room_for_two_more(system=same):
    """One server and an ever quicker tracker, against M/M/1 with C + 2 places, measure by measure."""
    names, trackers = ("the blocking", "the line", "the utilisation"), (1e3, 1e4, 1e5, 1e6)
    expected = {n: np.array([single_queue(n, rate)[[0, 1, 3]] for rate in CURVES]) for n in (15, 16, 17, 18)}

    def measures(tracker, rate):
        model = system(replace(figure_3(1, rate), tracker_rate=tracker))
        found, by_solver = solve_directly(model, "gth"), model.solve()  # the first to relative accuracy
        at_tracker = found.probabilities()[[x2 > 0 for _, x2, _ in model.state_list()]].sum()
        gaps = [abs(getattr(by_solver, name) / getattr(found, name) - 1)
                for name in ("blocking", "mean_queue", "utilisation")]  # fmt: skip
        return dict(zip(names, (found.blocking, found.mean_queue + at_tracker, found.utilisation)), gap=max(gaps))

    found = grid(tracker_rate=(20, 100, *trackers), λ=CURVES).measure(measures)
    limits, clauses = {}, []
    for name, told in zip(names, expected[17].T):
        values, told = found[name].at(tracker_rate=trackers), exact(told, λ=CURVES)
        gap = relative(values - told).distance()
        nearer = (np.diff(gap.value, axis=0) < 0) | (gap.value[1:] < RESOLVED)
        clauses += [
            at_each(f"the distance of {name} from that with C + 2 places, at a tracker rate of 1e6,",
                    gap.at(tracker_rate=1e6), at_most(1e-4)),
            at_each(f"{name} comes nearer to it at each tenfold tracker rate",
                    exact(nearer, step=trackers[1:], λ=CURVES)),
        ]  # fmt: skip
        limit = (10 * values.value[-1] - values.value[-2]) / 9  # what is missing falls as a mapping's mean time does
        limits[name] = exact(limit, λ=CURVES)
        clauses.append(aside(f"{name} in the limit, less that with C + 2 places", relative(limits[name] - told)))
    B = found["the blocking"].value
    nearest = np.argmin([np.abs(B - each[:, 0]) for each in expected.values()], axis=0)
    return conclude(
        *clauses,
        besides("the blocking, in the limit, less that with C places,",
                relative(limits["the blocking"] - exact(expected[15][:, 0], λ=CURVES)), within("very close")),
        *(besides(f"with {n} places the blocking is nearest", replace(found["the blocking"], value=nearest == k))
          for k, n in enumerate(expected)),
        together="λ",
        provided=[everywhere("the measures by the solver and by elimination, relative to these,", found["gap"],
                             equal(1e-8))],
    )  # fmt: skip


OF_UTILISATION = ("3", "5", "7", "11")


@check("ctmc-037", by_largest=True)
def a_fraction_of_the_servers(by_largest=False):
    """(8) over N against the part of the time that servers are busy (`ctmc`, Figures 3, 5, 9, 11)."""

    def printed(cluster):
        return cluster.servers * measured(cluster)["utilisation"]

    def divided(cluster):
        return printed(cluster) / (cluster.sizes.max() if by_largest else cluster.servers)

    points = cases("point", dict.fromkeys(drawn(OF_UTILISATION)))
    off = [in_widths(divided(cluster), *found["utilisation"]) for cluster, found in simulated(OF_UTILISATION)]
    return conclude(
        everywhere("(8) over N", points.measure(divided), at_most(1)),
        *agreeing("(8) over N", off),
        besides("(8) itself less 1", points.measure(lambda cluster: printed(cluster) - 1), larger()),
        whole=True,
    )


LARGER = (2, 4, 8, 16)
JOBS, PATHS = 2500, 8  # accepted in each path, about


@check("ctmc-048", system=changed(job_sizes={1: 1.0}))
def waiting_for_servers(system=same):
    """How much of the fall of the utilisation vanishes where smaller jobs pass one that does not fit.

    In the control jobs take one server each, and none waits for more than are idle.
    """

    def gained(servers, rate):
        cluster = system(figure_3(servers, rate))
        found, one = measured(cluster), measured(system(figure_3(1, rate)))["utilisation"]
        arrivals = int(JOBS / (1 - found["blocking"]))
        passed = follow(cluster, IS_PASSED, arrivals=arrivals, warmup=arrivals // 4, replications=PATHS).utilisation
        gain, fall = passed.value - found["utilisation"], one - found["utilisation"]
        return {"gain": points(gain - fall / 2, passed.half_width, runs=PATHS), "part": gain / fall}

    found = grid(N=LARGER, λ=CURVES).measure(gained)
    what = "what the utilisation gains if small jobs may pass, less half of what it falls by,"
    return conclude(
        at_each(what, found["gain"], larger()),
        *(aside(f"at λ = {rate}, the part of the fall that vanishes", found["part"].at(λ=rate)) for rate in (1, 1000)),
        provided=agreeing("the utilisation", off_of("utilisation", ["3"])),
    )
