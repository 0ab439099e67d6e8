"""Claims of `ctmc`, Section 5.2: what is said on Figures 2, 3, 4, 5, 6."""

from dataclasses import replace

import numpy as np

from clustershare import markov
from clustershare.cluster_chain import ServiceCluster, saturated_jobs, solve_directly, uniform_sizes
from compendium.press.clauses import at_each, conclude
from compendium.press.clauses import measured as points
from compendium.press.clauses.conditions import rises as rising
from compendium.press.findings import beyond, check, erratum, finding, over_domain
from compendium.press.words import SCALE
from pages.cluster_chain.by_rate import (
    OTHERS,
    by_jobs,
    by_tracker,
    changes_once,
    enough_servers,
    limited_by_the_tracker,
    settled,
)
from pages.cluster_chain.domains import (
    AXIS,
    BELOW,
    CURVES,
    LARGE,
    RESOLVED,
    apart,
    in_proportion,
    in_service_while_queued,
    instant_tracker,
    just_as_large,
    listed_where,
    measured,
    quick_servers,
    resolved,
    rises,
    same,
    same_work,
    slow_tracker,
    small_jobs,
    small_jobs_on_16,
    small_rates,
    surface,
    told_steps,
    tracker_without_place,
    wasted,
    whole_jobs,
)
from pages.cluster_chain.systems import SERVERS, figure_3, figure_5


@check("ctmc-014", system=quick_servers(1e4))
def quicker_trackers(system=same):
    """Delay against the tracker rate at every arrival rate (`ctmc`, Figure 2)."""
    falls, sharp, little, threefold = by_tracker(system)
    return over_domain(
        f"falls at {listed_where(falls, CURVES)} arrivals per second; sharply at {listed_where(sharp, CURVES)} (from "
        f"10 to 30 by {threefold.min():.3f} to {threefold.max():.3f}); little later at {listed_where(little, CURVES)}",
        falls & sharp & little,
    )


@check("ctmc-046", system=quick_servers(0.01))
def other_measures(system=same):
    """The tracker rate beyond which each measure changes little, at every arrival rate (`ctmc`, Figure 2)."""
    holds, told = [], []
    for quantity in OTHERS:
        seen, rates = settled(quantity, system)
        fine = [rate is not None for rate in rates]
        latest = max((rate for rate in rates if rate), default="nowhere")
        told.append(
            f"{quantity.replace('_', ' ')} at {listed_where(fine, [CURVES[k] for k in seen])} of {CURVES[seen[0]]} to "
            f"{CURVES[seen[-1]]} arrivals per second, from {latest} on at the latest"
        )
        holds.extend(fine)
    return over_domain("settled: " + "; ".join(told), holds)


@check("ctmc-047", system=quick_servers(1e4))
def bottleneck(system=same):
    """Whether 1 % more of the tracker's rate, or of the servers', is accepted more (`ctmc`, Figure 2)."""
    holds, told, hidden = [], [], []
    for rate, slow in limited_by_the_tracker(system).items():
        if len(slow) < 2:
            hidden.append(rate)
            continue
        holds.append(changes_once(slow))
        until = list(slow)[sum(slow.values()) - 1]
        told.append(f"{until} at {rate}" if holds[-1] else f"(no change of sign at {rate})")
    text = "the tracker is the bottleneck up to a tracker rate of " + ", ".join(told)
    return over_domain(text + (f"; not resolved at {', '.join(map(str, hidden))}" if hidden else ""), holds)


@check("ctmc-015", system=whole_jobs)
def larger_clusters_are_used_less(system=same):
    """Utilisation against the number of servers (`ctmc`, Figure 3)."""
    steps = rises(surface(figure_3, SERVERS, CURVES, "utilisation", system))
    return over_domain(f"relative steps {told_steps(steps)}", steps < -RESOLVED)


@check("ctmc-016", system=in_proportion)
def busier_clusters(system=same):
    """Utilisation and delay against the arrival rate at each number of servers (`ctmc`, Figures 3, 4)."""
    steps = {
        name.replace("_", " "): rises(surface(figure_3, SERVERS, CURVES, name, system), 1)
        for name in ("utilisation", "mean_delay")
    }
    axes = {"risk": None, "N": SERVERS, "step": [f"{one} to {two}" for one, two in zip(CURVES, CURVES[1:])]}
    return conclude(
        *(
            at_each(
                f"the {name}, by more than 1e-9 of it,", points(each, np.full(each.shape, RESOLVED), **axes), rising()
            )
            for name, each in steps.items()
        )
    )


@check("ctmc-017", system=whole_jobs)
def larger_clusters_are_quicker(system=same):
    """Delay against the number of servers (`ctmc`, Figure 4)."""
    steps = rises(surface(figure_3, SERVERS, CURVES, "mean_delay", system))
    return over_domain(f"relative steps {told_steps(steps)}", steps < -RESOLVED)


@check("ctmc-018", system=small_jobs)
def levelling_off(system=same):
    """From which number of servers on 16 make hardly a difference, by arrival rate (`ctmc`, Figures 3, 4)."""
    least = enough_servers(system)
    text = ", ".join(f"{number} at {rate}" for number, rate in zip(least, CURVES, strict=True))
    limit = saturated_jobs(1000, uniform_sizes(1000))
    return over_domain(
        f"from this many servers on, by arrival rate: {text}; without end, a saturated cluster runs {limit:.4f} jobs, "
        f"of 16 servers {saturated_jobs(16, uniform_sizes(16)):.4f}",
        np.array(least) <= 12,
    )


@check("ctmc-019", largest=4)
def hardly_more_than_one(largest=None):
    """The largest mean number of jobs in service (`ctmc`, Figures 3, 4)."""
    rates = CURVES
    if largest is None:
        most = surface(figure_3, SERVERS, rates, "mean_jobs_in_service").max()
    else:
        most = max(
            ServiceCluster(16, 15, uniform_sizes(largest), rate, 1000, 10).solve().mean_jobs_in_service
            for rate in rates
        )
    return finding(f"{most:.4f}", most <= 1.34)


@check("ctmc-049", system=whole_jobs)
def more_in_parallel(system=same):
    """Jobs in service, and the delay that they are to explain, against the number of servers (`ctmc`, Figure 4)."""
    holds, explained, shorter, more = by_jobs(system)
    queued = [in_service_while_queued(system(figure_3(servers, 1))) for servers in (1, 16)]
    return over_domain(
        f"with 16 servers the delay is shorter by {shorter.min():.3f} to {shorter.max():.3f}; E[J] is larger by "
        f"more than 0.01 at {listed_where(explained, CURVES)} arrivals per second, by {max(more[2], 0):.1g} at 5; "
        f"while jobs are queued it is {queued[1]:.3f} against {queued[0]:.3f} at 1",
        holds,
    )


def of_4_servers(cluster):
    """Four servers at most, and sizes up to four: a wrong system, in which other numbers of jobs run."""
    servers = min(4, cluster.servers)
    return replace(cluster, servers=servers, job_sizes=uniform_sizes(servers))


@check("ctmc-042", system=of_4_servers)
def lost_arrival_rates(system=same):
    """The arrival rates at which all that is said of Figures 2 to 4 holds, and those with the stated E[J]."""
    steps = [rises(surface(figure_3, SERVERS, CURVES, name, system)) for name in ("utilisation", "mean_delay")]
    holds = [*by_tracker(system)[:3], *((part < -RESOLVED).all(axis=0) for part in steps)]
    holds.append(np.array([changes_once(slow) or len(slow) < 2 for slow in limited_by_the_tracker(system).values()]))
    holds += [np.array(enough_servers(system)) <= 12, by_jobs(system)[0]]
    for quantity in OTHERS:
        seen, rates = settled(quantity, system)
        fine = np.ones(len(CURVES), dtype=bool)
        fine[seen] = [rate is not None for rate in rates]
        holds.append(fine)
    every = np.logical_and.reduce(holds)
    most = surface(figure_3, SERVERS, CURVES, "mean_jobs_in_service", system).max(axis=0)
    highest = np.abs(most - 1.34) <= 0.005
    told = "one value is left" if 1 in (every.sum(), highest.sum()) else "no single value is left"
    return beyond(
        f"all that is said of each curve holds at {listed_where(every, CURVES)} arrivals per second; the largest E[J] "
        f"is 1.34 at {listed_where(highest, CURVES)}: {told}",
        highest.any() and 1 not in (every.sum(), highest.sum()),
    )


@check("ctmc-074", system=slow_tracker)
def the_tracker_hardly_counts(system=same):
    """Figures 3 and 4 against those with a tracker that takes no time (`ctmc`, Figures 3, 4)."""
    gaps = {
        name: apart(
            surface(figure_3, SERVERS, CURVES, name, system), surface(figure_3, SERVERS, CURVES, name, instant_tracker)
        )
        for name in ("utilisation", "mean_delay")
    }
    told = []
    for name, gap in gaps.items():
        servers, rate = np.unravel_index(gap.argmax(), gap.shape)
        told.append(f"{name.replace('_', ' ')} {gap.max():.4f} at N = {SERVERS[servers]}, {CURVES[rate]} per second")
    return over_domain("at most: " + "; ".join(told), np.array(list(gaps.values())) <= SCALE["close"].most)


@check("ctmc-075", system=whole_jobs)
def more_is_wasted(system=same):
    """Servers that are idle while a job waits for more of them, over all (`ctmc`, Figure 3)."""
    part = np.array([[wasted(system(figure_3(servers, rate))) for rate in CURVES] for servers in SERVERS])
    steps = np.diff(part, axis=0) / np.maximum(part[1:], 1e-300)
    number = np.diff(part * np.array(SERVERS)[:, None], axis=0)
    return over_domain(
        f"up to {part.max():.4f} of the servers; more at each step at "
        f"{listed_where((steps > RESOLVED).all(axis=0), CURVES)} arrivals per second, as is their number at "
        f"{listed_where((number > 0).all(axis=0), CURVES)}",
        steps > RESOLVED,
    )


def single_queue(places, arrival_rate, service_rate=10.0):
    """What M/M/1 with so many places loses, its mean line and wait, and how busy it is, from its birth-death chain."""
    states = np.arange(places)
    up, down = np.full(places, arrival_rate), np.full(places, service_rate)
    Q = markov.generator(places + 1, np.append(states, states + 1), np.append(states + 1, states), np.append(up, down))
    P = markov.gth(Q)
    line = P[2:] @ np.arange(1, places)
    return np.array([P[-1], line, line / (arrival_rate * (1 - P[-1])), 1 - P[0]])


@check("ctmc-034", system=small_jobs_on_16)
def one_server(system=same):
    """The measures with one server against those of M/M/1/C as printed, and with more places (`ctmc`, Figure 3)."""
    names = ("blocking", "mean_queue", "mean_delay", "utilisation")
    one = np.array([[measured(system(figure_3(1, rate)))[name] for name in names] for rate in CURVES])
    near = {
        places: apart(one, [single_queue(places, rate) for rate in CURVES]) <= SCALE["very close"].most
        for places in (15, 16, 17)
    }
    told = {
        places: ", ".join(
            f"{name} {listed_where(holds, CURVES)}"
            for name, holds in zip(("B", "E[q]", "E[D]", "E[U]"), near[places].T, strict=True)
        )
        for places in near
    }
    return over_domain(
        f"within 0.02 of M/M/1/15 at: {told[15]} per second; of M/M/1/16: {told[16]}; of M/M/1/17: {told[17]}", near[15]
    )


@check("ctmc-038", system=tracker_without_place)
def room_for_two_more(system=same):
    """One server and an ever quicker tracker, against M/M/1 with C + 2 places, measure by measure."""

    def measures(tracker, rate):
        model = system(replace(figure_3(1, rate), tracker_rate=tracker))
        found = solve_directly(model, "gth")  # to relative accuracy
        at_tracker = found.probabilities()[[x2 > 0 for _, x2, _ in model.state_list()]].sum()
        return np.array([found.blocking, found.mean_queue + at_tracker, found.utilisation])

    trackers = (1e3, 1e4, 1e5, 1e6)
    gaps, limits, printed, nearest = [], [], [], []
    for rate in CURVES:
        expected = {places: single_queue(places, rate)[[0, 1, 3]] for places in (15, 16, 17, 18)}
        found = np.array([measures(tracker, rate) for tracker in trackers])
        limit = (10 * found[-1] - found[-2]) / 9  # what is missing falls in proportion to a mapping's mean time
        gaps.append(apart(found, expected[17]))
        limits.append(apart(limit, expected[17]))
        printed.append(apart(limit[0], expected[15][0]))
        slow = [measures(tracker, rate)[0] for tracker in (20, 100)]
        nearest.append([min(expected, key=lambda n: abs(expected[n][0] - B)) for B in (*slow, *found[:, 0])])
    gaps, limits, printed = np.array(gaps), np.max(limits), np.array(printed)
    nearer = ((np.diff(gaps, axis=1) < 0) | (gaps[:, 1:] < RESOLVED)).all(axis=(1, 2))
    table = "; ".join(
        f"{tracker:g}: {' '.join(map(str, places))}"
        for tracker, places in zip((20, 100, *trackers), np.transpose(nearest).tolist(), strict=True)
    )
    within = "1e-6" if limits < 1e-6 else f"{limits:.1g}"
    near = nearer & (gaps[:, -1] <= 1e-4).all(axis=1)
    most = ", ".join(f"{gap:.2e}" for gap in gaps[:, -1].max(axis=0))
    text = (
        f"at a tracker rate of 1e6 within 1e-4 of C + 2 places at {listed_where(near, CURVES)} arrivals per second (B, "
        f"the line, E[U] at most {most} off); in the limit within {within}; B of C places is off by more than 0.02 at "
        f"{listed_where(printed > 0.02, CURVES)}; nearest in B, by tracker rate, at the arrival rates "
        f"{' '.join(map(str, CURVES))}: {table}"
    )
    if near.all():
        return erratum(text, bool((printed < 1e-6).all()), limits < 1e-6)
    return over_domain(text, near)


def against_largest(quantity, rates, system):
    """The relative steps of a quantity as the largest size grows (`ctmc`, Figures 5, 6)."""
    return rises(surface(figure_5, BELOW, rates, quantity, system))


@check("ctmc-022", system=just_as_large)
def larger_jobs_wait_longer(system=same):
    """Delay against the largest size (`ctmc`, Figure 6)."""
    steps = against_largest("mean_delay", AXIS, system)
    return over_domain(f"relative steps {told_steps(steps)}", steps[resolved(steps)] > 0)


@check("ctmc-076", system=just_as_large)
def larger_jobs_queue(system=same):
    """Jobs in the queue against the largest size (`ctmc`, Figure 6)."""
    steps = against_largest("mean_queue", AXIS, system)
    return over_domain(f"relative steps {told_steps(steps)}", steps[resolved(steps)] > 0)


@check("ctmc-084", system=just_as_large)
def larger_jobs_as_the_reason(system=same):
    """Jobs in service, and the delay that they are to explain, against the largest size (`ctmc`, Figure 6)."""
    jobs, delay = (surface(figure_5, BELOW, AXIS, name, system) for name in ("mean_jobs_in_service", "mean_delay"))
    steps = rises(jobs)
    falling = (steps[:, :] < RESOLVED).all(axis=0) & (steps < -RESOLVED).any(axis=0)
    longer, fewer = 1 - delay[0] / delay[-1], 1 - jobs[-1] / jobs[0]
    explained = np.array([gap > SCALE["practically equal"].most for gap in fewer])
    reason = explained | (longer <= SCALE["close"].most)
    full = [saturated_jobs(16, uniform_sizes(largest)) for largest in BELOW]
    return over_domain(
        f"from T = 1 to 15 the delay grows by {longer.min():.3f} to {longer.max():.3f} of the larger; E[J] falls by "
        f"more than 0.01 at {listed_where(explained, AXIS)} arrivals per second; that of a saturated cluster falls "
        f"from {full[0]:.3f} to {full[-1]:.3f}",
        falling & reason,
    )


@check("ctmc-050", system=same_work)
def larger_jobs_use_more(system=same):
    """Utilisation against the largest size at small arrival rates (`ctmc`, Figure 5)."""
    rates = small_rates(figure_5(15, 1))
    steps = against_largest("utilisation", rates, system)
    all_rates = against_largest("utilisation", AXIS, system)
    until = next((rate for k, rate in enumerate(AXIS) if not (all_rates[:, k] > RESOLVED).all()), None)
    return over_domain(
        f"relative steps {told_steps(steps)} up to {rates[-1]:.2f} per second; on the axis not at every step "
        f"from {until} on",
        steps > RESOLVED,
    )


@check("ctmc-051", system=quick_servers(100))
def larger_jobs_use_less(system=same):
    """Utilisation against the largest size at large arrival rates (`ctmc`, Figure 5)."""
    steps = against_largest("utilisation", LARGE, system) < -RESOLVED
    told = "; ".join(f"{listed_where(line, BELOW[1:])} at {rate}" for rate, line in zip(LARGE, steps.T, strict=True))
    beyond = [measured(system(figure_5(largest, 100)))["utilisation"] for largest in (15, 16)]
    return over_domain(f"a step to T lowers it: {told} per second; T = 15, 16: {beyond[0]:.4f}, {beyond[1]:.4f}", steps)


@check("ctmc-052", system=just_as_large)
def larger_jobs_run_alone(system=same):
    """Jobs in service against the largest size at large arrival rates (`ctmc`, Figure 5)."""
    steps = against_largest("mean_jobs_in_service", LARGE, system)
    lower = (against_largest("utilisation", LARGE, system) < -RESOLVED).mean()
    return over_domain(
        f"relative steps {told_steps(steps)}; {lower:.0%} of them lower the utilisation", steps < -RESOLVED
    )
