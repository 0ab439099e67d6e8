"""Claims of `ctmc`, Section 5.2: what is said on Figures 2, 3, 4, 5, 6, 8, 9, 10, 11."""

import functools

import numpy as np

from clustershare.cluster_chain import ServiceCluster, uniform_sizes
from compendium.press.claims import check, erratum, finding
from pages.cluster_chain.systems import (
    ARRIVAL_RATES,
    CLOUD_RATES,
    LARGEST,
    RATES,
    SERVERS,
    SPREADS,
    TRACKER_RATES,
    figure_2,
    figure_3,
    figure_5,
    figure_7,
    figure_10,
    figure_11,
    size_moments,
    solved,
)


def surface(make, rows, columns, quantity):
    """A quantity over two parameters, shape (rows, columns)."""
    return np.array([[getattr(solved(make(row, column)), quantity) for column in columns] for row in rows])


def told(values, start, end, name):
    """A line from its first to its last value."""
    return f"{name} from {values[0]:.4g} at {start} to {values[-1]:.4g} at {end}"


@check("ctmc-014", rates=TRACKER_RATES[::-1])
def quicker_trackers(rates=TRACKER_RATES):
    """Delay against the tracker rate (`ctmc`, Figure 2)."""
    delay = surface(figure_2, rates, RATES, "mean_delay")
    at = {rate: delay[TRACKER_RATES.index(rate)] for rate in (20, 100, 200, 1000)}
    ratio = ((at[20] - at[100]) / (at[200] - at[1000])).min()
    falls = (np.diff(delay, axis=0) < 0).all()
    return finding(f"falls: {falls}; first fall at least {ratio:.1f} times the second", falls and ratio >= 5)


@check("ctmc-046", rates=(10, 20, 1000))
def other_measures(rates=TRACKER_RATES):
    """The least tracker rate of the axis from which on no measure changes any more (`ctmc`, Figure 2)."""
    settled = []
    for rate in rates[:-1]:
        change = {}
        for quantity in ("blocking", "utilisation", "mean_jobs_in_service"):
            low, high = surface(figure_2, (rate, rates[-1]), RATES, quantity)
            change[quantity] = np.abs(high - low if quantity == "blocking" else high / low - 1).max()
        if max(change.values()) < 0.01:
            settled.append(rate)
    return finding(f"from {settled[0]} per second on" if settled else "nowhere", bool(settled))


@check("ctmc-047", slow=200)
def bottleneck(slow=5):
    """How the accepted rate follows the tracker rate (`ctmc`, Figure 2)."""

    def accepted(rate):
        return 1 - solved(figure_2(rate, 40)).blocking

    gain = [(accepted(1.01 * rate) / accepted(rate) - 1) / 0.01 for rate in (slow, 1000)]
    return finding(f"by {gain[0]:.3f} % and {gain[1]:.4f} %", gain[0] >= 0.5 and gain[1] <= 0.05)


@check("ctmc-015", servers=SERVERS[::-1])
def larger_clusters_are_used_less(servers=SERVERS):
    """Utilisation against the number of servers (`ctmc`, Figure 3)."""
    values = surface(figure_3, servers, RATES, "utilisation")
    at_20 = values[:, RATES.index(20)]
    return finding(told(at_20, servers[0], servers[-1], "at 20 per second"), (np.diff(values, axis=0) < 0).all())


@check("ctmc-016", rates=RATES[::-1])
def busier_clusters(rates=RATES):
    """Utilisation and delay against the arrival rate at each number of servers (`ctmc`, Figures 3, 4)."""
    rises = [
        (np.diff(surface(figure_3, SERVERS, rates, quantity), axis=1) > 0).all()
        for quantity in ("utilisation", "mean_delay")
    ]
    return finding(f"utilisation rises: {rises[0]}; delay rises: {rises[1]}", all(rises))


@check("ctmc-017", servers=SERVERS[::-1])
def larger_clusters_are_quicker(servers=SERVERS):
    """Delay against the number of servers (`ctmc`, Figure 4)."""
    values = surface(figure_3, servers, RATES, "mean_delay")
    at_20 = values[:, RATES.index(20)]
    return finding(told(at_20, servers[0], servers[-1], "at 20 per second"), (np.diff(values, axis=0) < 0).all())


@check("ctmc-018", servers=2)
def levelling_off(servers=16):
    """The change by the last server (`ctmc`, Figures 3, 4)."""
    change = 0.0
    for quantity in ("utilisation", "mean_delay"):
        before, after = surface(figure_3, (servers - 1, servers), RATES, quantity)
        change = max(change, np.abs(after / before - 1).max())
    return finding(f"at most {change:.2%}", change < 0.01)


@check("ctmc-019", largest=4)
def hardly_more_than_one(largest=None):
    """The largest mean number of jobs in service (`ctmc`, Figures 3, 4)."""
    rates = (*RATES, 100, 1000)
    if largest is None:
        most = surface(figure_3, SERVERS, rates, "mean_jobs_in_service").max()
    else:
        most = max(
            ServiceCluster(16, 15, uniform_sizes(largest), rate, 1000, 10).solve().mean_jobs_in_service
            for rate in rates
        )
    return finding(f"{most:.4f}", most <= 1.34)


@check("ctmc-049", servers=SERVERS[::-1])
def more_in_parallel(servers=SERVERS):
    """Jobs in service against the number of servers (`ctmc`, Figure 4)."""
    values = surface(figure_3, servers, RATES, "mean_jobs_in_service")
    at_20 = values[:, RATES.index(20)]
    return finding(told(at_20, servers[0], servers[-1], "at 20 per second"), (np.diff(values, axis=0) > 0).all())


@check("ctmc-048", largest=1)
def waiting_for_servers(largest=16):
    """The part of the idle capacity that is idle while the job at the tracker does not fit (`ctmc`, Figure 3)."""
    model = ServiceCluster(16, 15, uniform_sizes(largest), 40, 1000, 10)
    P = model.solve().probabilities()
    idle = np.array([16 - sum(V) for _, _, V in model.state_list()])
    tracked = np.array([x2 for _, x2, _ in model.state_list()])
    part = (P * idle)[tracked > idle].sum() / (P * idle).sum()
    return finding(f"{part:.3f} of it", part > 0.5)


@check("ctmc-034", tracker_rate=20)
def one_server(tracker_rate=1000):
    """Blocking with one server, against M/M/1 with 17 places at load 1."""
    found = ServiceCluster(1, 15, {1: 1}, 10, tracker_rate, 10).solve().blocking
    return finding(f"{found:.5f} against {1 / 18:.5f}", abs(found - 1 / 18) < 0.005)


@check("ctmc-021", largest=9)
def two_of_the_largest(largest=8):
    """Largest jobs side by side, in the cluster states of a chain (`ctmc`, Figure 5)."""
    states = ServiceCluster(16, 0, {1: 0.5, largest: 0.5}, 1, 1, 1).state_list()
    most = max(V.count(largest) for _, _, V in states)
    return finding(f"{most} of size {largest}", most == 2)


def against_largest(rates, quantity):
    """A quantity against the largest size at some arrival rates, shape (sizes, rates)."""
    return surface(figure_5, LARGEST, rates, quantity)


@check("ctmc-022", direction=-1)
def larger_jobs_wait_longer(direction=1):
    """Delay against the largest size (`ctmc`, Figure 6)."""
    values = against_largest(ARRIVAL_RATES, "mean_delay")
    at_20 = values[:, ARRIVAL_RATES.index(20)]
    return finding(told(at_20, 4, 16, "at 20 per second"), (direction * np.diff(values, axis=0) > 0).all())


@check("ctmc-050", rate=100)
def larger_jobs_use_more(rate=5):
    """Utilisation against the largest size at a small arrival rate (`ctmc`, Figure 5)."""
    values = against_largest((rate,), "utilisation")[:, 0]
    return finding(told(values, "T = 4", "T = 16", f"at {rate} per second"), (np.diff(values) > 0).all())


@check("ctmc-051", largest=LARGEST[:-1])
def larger_jobs_use_less(largest=LARGEST):
    """Utilisation against the largest size at a large arrival rate (`ctmc`, Figure 5)."""
    values = surface(figure_5, largest, (100,), "utilisation")[:, 0]
    text = ", ".join(f"{value:.4f}" for value in values)
    return finding(f"{text} at T = {', '.join(map(str, largest))}", bool((np.diff(values) < 0).all()))


@check("ctmc-052", direction=1)
def larger_jobs_run_alone(direction=-1):
    """Jobs in service against the largest size at a large arrival rate (`ctmc`, Figure 5)."""
    values = against_largest((100,), "mean_jobs_in_service")[:, 0]
    return finding(told(values, "T = 4", "T = 16", "at 100 per second"), (direction * np.diff(values) > 0).all())


@functools.cache
def delays():
    """The three curves of Figure 8."""
    return {
        name: np.array([solved(figure_7(name, rate)).mean_delay for rate in ARRIVAL_RATES])
        for name in ("uniform", "bounded normal", "harmonic")
    }


@check("ctmc-025", lowest="uniform")
def harmonic_waits_least(lowest="harmonic"):
    """Delays of the three distributions (`ctmc`, Figure 8)."""
    at = ARRIVAL_RATES.index(15)
    others = np.min([curve for name, curve in delays().items() if name != lowest], axis=0)
    better = (delays()["uniform"] < delays()["bounded normal"]).all()
    holds = (delays()[lowest] < others).all() and delays()[lowest][at] < 0.5 * others[at] and better
    text = ", ".join(f"{name} {curve[at]:.3f}" for name, curve in delays().items())
    return finding(f"at 15 per second {text}", bool(holds))


@check("ctmc-053", name="harmonic")
def delay_levels_off(name=None):
    """How much the delay rises early and late, and how full the queue is (`ctmc`, Figure 8)."""
    worst, fullest = 0.0, 1.0
    for chosen in (name,) if name else ("uniform", "bounded normal"):
        curve = dict(zip(ARRIVAL_RATES, delays()[chosen], strict=True))
        worst = max(worst, (curve[100] - curve[80]) / (curve[25] - curve[5]))
        fullest = min(fullest, solved(figure_7(chosen, 80)).mean_queue / 15)
    return finding(f"late rise {worst:.3f} of the early; queue {fullest:.3f} of C", worst < 0.1 and fullest > 0.95)


@check("ctmc-027", linear=20)
def linear_then_flat(linear=5):
    """Utilisation against a line through 0, and against its last value (`ctmc`, Figure 9)."""
    bent, flat = 0.0, 0.0
    for name in ("uniform", "bounded normal", "harmonic"):
        mean_size = sum(size * chance for size, chance in figure_7(name, 5).job_sizes)
        values = {rate: solved(figure_7(name, rate)).utilisation for rate in (linear, 80, 100)}
        bent = max(bent, abs(values[linear] / (linear * mean_size / 160) - 1))
        flat = max(flat, abs(values[100] / values[80] - 1))
    return finding(f"{bent:.2%} off the line at {linear}, {flat:.2%} from 80 to 100", bent < 0.01 and flat < 0.01)


@check("ctmc-030", largest=14)
def mean_size_is_fixed(largest=15):
    """Means and standard deviations of the sizes of Figure 10."""
    means, deviations = zip(*(size_moments(sigma, largest) for sigma in SPREADS), strict=True)
    off = max(abs(mean - 8) for mean in means)
    within = "1e-12" if off < 1e-12 else f"{off:.2g}"
    return finding(
        f"mean 8 within {within}; deviation {deviations[0]:.3f} to {deviations[-1]:.3f}",
        off < 1e-12 and bool((np.diff(deviations) > 0).all()),
    )


def against_spread(spreads, quantity):
    """A quantity along Figure 10."""
    return np.array([getattr(solved(figure_10(sigma)), quantity) for sigma in spreads])


@check("ctmc-055", spreads=SPREADS[::-1])
def spread_sizes_wait_less(spreads=SPREADS):
    """Delay against the spread (`ctmc`, Figure 10)."""
    values = against_spread(spreads, "mean_delay")
    return finding(told(values, spreads[0], spreads[-1], "sigma"), bool((np.diff(values) < 0).all()))


@check("ctmc-056", spreads=SPREADS[::-1])
def spread_sizes_run_together(spreads=SPREADS):
    """Utilisation and jobs in service against the spread (`ctmc`, Figure 10)."""
    use, jobs = (against_spread(spreads, quantity) for quantity in ("utilisation", "mean_jobs_in_service"))
    holds = (np.diff(use) > 0).all() and (np.diff(jobs) > 0).all()
    return finding(told(jobs, spreads[0], spreads[-1], "E[J], sigma"), bool(holds))


@check("ctmc-031", shares=(0.05, 0.02))
def long_jobs_fill_the_cloud(shares=(0.02, 0.05)):
    """Utilisation with two shares of long jobs (`ctmc`, Figure 11)."""
    low, high = (solved(figure_11(share, 45)).utilisation for share in shares)
    return finding(f"{low:.4f} to {high:.4f}", high / low >= 1.8)


@check("ctmc-032", shares=(0.01, 0.02, 0.2))
def long_jobs_do_not_block(shares=(0.01, 0.02, 0.05)):
    """Blocking and queue with several shares of long jobs (`ctmc`, Figure 11)."""
    rates = [rate for rate in CLOUD_RATES if rate <= 90]
    blocking, queue = (surface(figure_11, shares, rates, quantity) for quantity in ("blocking", "mean_queue"))
    apart = np.ptp(blocking, axis=0).max(), (np.ptp(queue, axis=0) / queue.min(axis=0)).max()
    return finding(f"B apart by {apart[0]:.1e}, E[q] by {apart[1]:.2%}", apart[0] < 1e-3 and apart[1] < 0.01)


@check("ctmc-033", shares=(0.2,))
def the_tracker_alone(shares=(0.01, 0.02, 0.05)):
    """The mean queue against that of M/M/1 with 51 places, the tracker among them (`ctmc`, Figure 11)."""
    powers = 0.75 ** np.arange(52)
    alone = powers[1:] @ np.arange(51) / powers.sum()
    queues = [solved(figure_11(share, 75)).mean_queue for share in shares]
    worst = max(abs(queue / alone - 1) for queue in queues)
    return finding(f"{max(queues):.4f} against {alone:.4f}", worst < 0.01)


@check("ctmc-036", rates=(30,))
def not_one_arrival_rate(rates=CLOUD_RATES):
    """The utilisation along the axis (`ctmc`, Figure 11)."""
    values = [solved(figure_11(0.05, rate)).utilisation for rate in rates]
    return erratum(f"{min(values):.4f} to {max(values):.4f}", max(values) == min(values), max(values) > min(values))
