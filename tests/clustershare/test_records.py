"""Records of jobs: the sketch beside the data themselves, and what jobs meet with in clusters beside theory."""

import math
import pickle

import numpy as np
import pytest

from clustershare import cluster_chain, dispatch
from clustershare.arrivals import Batches, MarkovModulated, Periodic, Renewal
from clustershare.compiled import records as compiled
from clustershare.dispatch import state, tracked
from clustershare.records import MEASURES, Records
from clustershare.sizes import Deterministic, Exponential, Hyperexponential, Pareto

HYPER = Hyperexponential((3.0, 0.5), (0.2, 0.8))
TWO = {"required_shares": (0.5, 0.5), "loads": (0.4, 0.3), "processors": 2}
POISSON = {"arrivals": Renewal(Exponential())}  # the way of other arrivals: nothing more to compile
RUN = {"jumps": 60_000, "warmup": 3000, "replications": 8, "seed": 4}


def filled(sizes, responses, waits, groups=1, unit=1.0):
    """What is seen of jobs that take turns among groups."""
    seen = compiled.empty_records(groups, unit)
    for k, job in enumerate(zip(sizes, responses, waits, strict=True)):
        compiled.record(seen, k % groups, *job)
    return seen


def of(*seen):
    """The records of replications."""
    return Records.of([compiled.kept(one) for one in seen])


def near(estimate, value, least=0.1):
    """Whether an interval, twice as wide, holds a value, and tells something."""
    error = 2 * estimate.half_width
    return ((abs(estimate.value - value) <= error) & (error < least * np.asarray(value))).all()


# --- What is kept ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", [1.0, 1e-290, 1e290])
def test_quantiles_are_those_of_the_data_within_the_error(unit):
    rng = np.random.default_rng(1)
    sizes, waits = unit * rng.lognormal(0, 3, 3001), unit * np.maximum(rng.normal(0, 1, 3001), 0)
    responses = waits + sizes
    found = of(filled(sizes, responses, waits, unit=unit))
    data = {"response_time": responses, "wait": waits, "slowdown": responses / sizes}
    for measure in MEASURES:
        for probability in (0, 0.01, 0.3, 0.5, 0.5123, 0.9, 0.999, 1):
            exact = np.quantile(data[measure], probability)
            assert abs(found.quantile(measure, probability).value[0] - exact) <= found.error * exact * (1 + 1e-9)
        assert found.mean(measure).value[0] == pytest.approx(data[measure].mean())
        if unit == 1:
            assert found.variance(measure).value[0] == pytest.approx(data[measure].var())


def test_the_error_is_reached():
    """At either end of a part, beside the value that is told for all of it."""
    step = 1 / compiled.PARTS
    for end in (1.0, np.nextafter(1 + step, 0)):
        told = of(filled([end], [end], [0.0])).quantile("response_time", 0.5).value[0]
        assert abs(told - end) / end == pytest.approx(Records.error, rel=1e-6)


def test_the_memory_is_bounded_and_what_is_0_is_left_out():
    few, many = filled([1.0], [2.0], [1.0]), filled(*np.random.default_rng(0).pareto(0.2, (3, 5000)))
    assert [one.nbytes for one in few[:2]] == [one.nbytes for one in many[:2]]
    kept = compiled.kept(few)
    assert kept.counts.nbytes < few.counts.nbytes / 50
    whole = kept._replace(first=0, counts=few.counts.reshape(1, 3, -1))
    whole, cut = (Records.of([one, compiled.kept(many)]) for one in (whole, kept))
    assert whole.quantile("wait", 0.7) == cut.quantile("wait", 0.7) and whole.by_size == cut.by_size
    compiled.clear(many)
    assert not any(one.any() for one in many[:2])
    with pytest.raises(ValueError, match="number of groups with records must be at most 1000"):
        compiled.empty_records(1001)


def test_beyond_the_range():
    small, large = of(filled([1.0], [1.0], [0.0])).range
    assert (small, large) == (2.0**-32, 2.0**32)
    found = of(filled([small, large / 2, 4 * large], [small / 2, large / 2, 4 * large], [-1e-17, 0, large]))
    values = [found.quantile("response_time", probability).value[0] for probability in (0.0, 0.5, 1.0)]
    assert values[0] == 0 and values[1] == pytest.approx(large / 2, rel=found.error) and values[2] == math.inf
    assert found.quantile("wait", 0.5).value[0] == 0 and found.mean_wait.value[0] == large / 3
    assert found.mean_response_time.value[0] == pytest.approx(1.5 * large)
    assert found.by_size.jobs.sum() == 3 and found.by_size.jobs[0, [0, -1]].tolist() == [1, 2]
    nothing = of(filled([0.0, 0.0], [0.0, 1.0], [0.0, 1.0]))  # a slowdown of 1, and one without end
    assert nothing.quantile("slowdown", 0.0).value[0] == pytest.approx(1, rel=nothing.error)
    assert nothing.mean_slowdown.value[0] == math.inf


def place(value):
    """Where a time is counted, reckoned without its bits, at unit 1."""
    if value < 2.0**-32 or value >= 2.0**32:
        return 0 if value < 1 else 64 * 128 + 1
    fraction, octave = math.frexp(value)
    return 1 + (octave - 1 + 32) * 128 + int((2 * fraction - 1) * 128)


def test_a_value_is_counted_on_its_side_of_every_edge():
    edges = np.array([2.0**-32, 2.0**-31, 1.0, 1 + 1 / 128, 2.0, 2.0**31, 2.0**32 - 2.0**24, 2.0**32])
    values = [*edges, *np.nextafter(edges, 0), *np.nextafter(edges, 1e9), 0.0, 5e-324, 1e308, math.inf]
    for value in values:
        for of_job, measure in (((1.0, value, 0.0), "response_time"), ((1.0, 0.0, value), "wait")):
            kept = compiled.kept(filled(*([one] for one in of_job)))
            assert np.flatnonzero(kept.counts[0, MEASURES[measure]]) + kept.first == [place(value)], (value, measure)
            assert kept.counts.sum() == 3 and kept.sums[0, 0] == 1
        kept = compiled.kept(filled([value], [1.0], [1.0]))
        octave = min(max(math.frexp(value)[1] + 31, 0), 63) if 0 < value < math.inf else 63 * (value > 0)
        assert np.flatnonzero(kept.classes[0, :, 0]) == [octave]


def test_the_same_bits_without_compilation(monkeypatch):
    """Of more jobs than are counted together, and of a rest."""
    data = np.random.default_rng(2).lognormal(0, 4, (3, 900))
    found = compiled.kept(filled(*data, groups=2))
    monkeypatch.setattr(compiled, "count", compiled.count.py_func)
    plain = compiled.empty_records(2)
    for k, job in enumerate(data.T.tolist()):
        compiled.record.py_func(plain, k % 2, *job)
    assert 0 < plain.noted[0] < 450 and found.sums[:, 0].tolist() == [450, 450]
    assert all((one == other).all() for one, other in zip(found[:3], compiled.kept(plain)[:3], strict=True))


def test_a_warm_up_leaves_nothing():
    seen = filled([1.0] * 300, [2.0] * 300, [1.0] * 300)
    compiled.clear(seen)
    compiled.record(seen, 0, 1.0, 3.0, 2.0)
    assert compiled.kept(seen).sums[0, :2].tolist() == [1.0, 3.0]


def test_estimates_are_of_the_replications_that_saw_jobs():
    one, two = filled([1.0, 1.0], [2.0, 3.0], [0.0, 1.0], groups=2), filled([1.0], [4.0], [0.0], groups=2)
    found = of(one, two)
    assert found.jobs.tolist() == [2, 1]
    assert found.mean_response_time.value.tolist() == [3.0, 3.0]
    assert found.mean_response_time.half_width[0] == pytest.approx(12.706, rel=1e-4)  # two, 1 off their mean
    assert found.mean_response_time.half_width[1] == math.inf
    assert np.isnan(of(compiled.empty_records(1)).quantile("wait", 0.5).value[0])
    assert found == pickle.loads(pickle.dumps(found)) != of(two, one)
    assert hash(found) == hash(pickle.loads(pickle.dumps(found))) and len(repr(found)) < 200
    with pytest.raises(ValueError, match="measure must be one of response_time, wait, slowdown; got 'size'"):
        found.mean("size")
    with pytest.raises(ValueError, match="probability must be a finite number, at least 0 and at most 1; got 2"):
        found.quantile("wait", 2)


# --- Central policies ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", [Deterministic(1.0), Pareto(1.0, 3.0)])
def test_one_processor_is_processor_sharing(law):
    """The mean response time given the size is size / (1 - load), for every law."""
    system = TWO | {"processors": 1}
    found = dispatch.simulate_central("JSQ", **system, **POISSON, sizes=law, records=True, **RUN)
    classes, load = found.records.by_size, 0.7
    many = classes.jobs > 2000
    error = 2 * np.hypot(classes.mean_response_time.half_width, classes.mean_size.half_width / (1 - load))
    difference = abs(classes.mean_response_time.value - classes.mean_size.value / (1 - load))
    assert many.any() and (difference < error)[many].all()
    assert near(found.records.mean_slowdown, [1 / (1 - load)] * 2) and not found.records.mean_wait.value.any()


def test_one_line_with_migration():
    """JSQ with migration is M/M/P."""
    one_line = dispatch.shortest_queue_with_migration(**TWO)
    found = dispatch.simulate_central("JSQ", migration=True, **TWO, **POISSON, records=True, **RUN)
    assert near(found.records.mean_response_time, one_line.mean_response_time)
    assert near(found.mean_response_time, one_line.mean_response_time)


def test_little_holds_in_a_run():
    """Of one run: the integral of the jobs is the sum of the stays, but for those of the jobs at its two ends."""
    system = {"required_shares": (0.5, 0.5), "loads": (0.3, 0.4), "processors": 4}
    more = {"sizes": (HYPER, Exponential(2.0)), "arrivals": Batches((0.5, 0.5)), "local": "GPPS"}
    run = {"jumps": 100_000, "warmup": 2000, "replications": 1, "seed": 2}
    found = dispatch.simulate_central("JSQ", migration=True, **system, **more, records=True, **run)
    assert found.records.jobs.sum() == pytest.approx(50_000, abs=300)
    stays = found.records.jobs * found.records.mean_response_time.value
    assert stays[0] / stays[1] == pytest.approx(found.mean_jobs.value[0] / found.mean_jobs.value[1], rel=5e-3)
    rates = found.mean_jobs.value / found.mean_response_time.value
    assert rates == pytest.approx([0.3, 0.2])
    assert found.records.mean_response_time.value == pytest.approx(found.mean_response_time.value, rel=0.05)


def plain_shortest_queue(loads, law, count, rng):
    """JSQ with migration on two processors, job by job, from its words: the response time of each job."""
    jobs, time, responses = ([], []), 0.0, []  # each: work left, when it came
    following = rng.exponential(1 / sum(loads))
    while len(responses) < count:
        due = [min(one)[0] * len(one) * 2 if one else math.inf for one in jobs]
        step = min(following - time, *due)
        for one in jobs:
            for job in one:
                job[0] -= step / len(one) / 2
        time += step
        if time >= following or min(due) > step:
            time = following
            following += rng.exponential(1 / sum(loads))
            fewest = min(map(len, jobs))
            choices = [one for one in jobs if len(one) == fewest]
            choices[int(rng.random() * len(choices))].append([float(law.sample(rng)), time])
        else:
            here = int(due[1] < due[0])
            job = min(jobs[here])
            jobs[here].remove(job)
            responses.append(time - job[1])
            other = jobs[1 - here]
            if len(other) >= len(jobs[here]) + 2:
                jobs[here].append(other.pop(int(rng.random() * len(other))))
    return np.array(responses)


def test_a_job_stays_the_same_when_it_migrates():
    """Little's law would not tell if two jobs were mistaken for each other; the spread of their stays does."""
    found = dispatch.simulate_central("JSQ", migration=True, **TWO, **POISSON, sizes=HYPER, records=True, **RUN).records
    plain = np.array_split(plain_shortest_queue((0.4, 0.3), HYPER, 40_000, np.random.default_rng(7)), 10)
    for probability in (0.1, 0.5, 0.9, 0.97):
        ours = found.quantile("response_time", probability)
        values = [np.quantile(part, probability) for part in plain]
        error = 1.5 * np.hypot(2.3 * np.std(values, ddof=1) / math.sqrt(10), ours.half_width)
        assert (abs(ours.value - np.mean(values)) < error).all() and (error < 0.2 * np.mean(values)).all()


def test_what_tells_jobs_apart_grows_with_them():
    """All jobs keep their places and numbers when there is more room; places are never given twice."""
    room, rng = (2, 2, 4), np.random.default_rng(0)
    heaps, jobs, inside = np.zeros(room), tracked.nobody(room, 3), []
    for number in range(400):
        p, g = rng.integers(2, size=2)
        count = sum(one[:2] == (p, g) for one in inside)
        if count == room[2]:
            jobs = tracked.with_more_room(jobs, room)
            wide = np.zeros((2, 2, 2 * room[2]))
            wide[:, :, : room[2]], room = heaps, wide.shape
            heaps = wide
        if count and rng.random() < 0.4:
            tracked.leave(jobs, heaps[p, g], 2 * p + g, count)
            size = jobs.job[tracked.LAST, tracked.SIZE]
            first = min(one for one in inside if one[:2] == (p, g))
            assert size == first[3]
            inside.remove(first)
        else:
            reading = float(rng.random())
            tracked.come(jobs, 0.0, float(number))
            tracked.enter(jobs, heaps[p, g], 2 * p + g, count, reading, 1.0)
            inside.append((p, g, reading, float(number)))
    assert room[2] > 8 and len(inside) + jobs.book[tracked.FREE] == len(jobs.job) - 1


@pytest.mark.parametrize(
    ("arrivals", "mean_jobs"),
    [
        (Renewal(Exponential()), 7 / 3),
        (Batches((0.5, 0.5)), 28 / 9),  # M^X/M/1: load / (1 - load) times half of E X^2 / E X + 1
        (Deterministic(1.0), 0.7 / (1 - 0.46700)),  # D/M/1: load / (1 - s), s = exp(-(1 - s) / load)
    ],
)
def test_other_arrivals_at_one_processor(arrivals, mean_jobs):
    found = dispatch.simulate_central("JSQ", **TWO | {"processors": 1}, arrivals=arrivals, records=True, **RUN)
    total, error = found.mean_jobs.value.sum(), 2 * found.mean_jobs.half_width.sum()
    assert abs(total - mean_jobs) < error < 0.2 * mean_jobs
    assert near(found.records.mean_response_time, [mean_jobs / 0.7] * 2)


def test_without_the_options_nothing_is_told_apart():
    found = dispatch.simulate_central("JSQ", **TWO, **RUN | {"jumps": 100, "replications": 2})
    assert found.records is None
    assert state.empty(0, [0.5, 0.5], np.full(2, 0.5), np.ones((2, 2)), by_group=False, timed=True).seen is None
    with pytest.raises(ValueError, match="records must be True or False; got 1"):
        dispatch.simulate_central("HP", **TWO, records=1)
    with pytest.raises(ValueError, match="arrivals must be None, a process of clustershare.arrivals"):
        dispatch.simulate_central("HP", **TWO, arrivals="bursts")


# --- Distributed policies --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "more",
    [
        POISSON | {"probe_service_time": 0.01},
        POISSON | {"probe_period": 0.3},
        {"arrivals": MarkovModulated((0.5, 3.0), ((0, 0.25), (1, 0))), "migration_service_time": 0.3},
    ],
    ids=["on demand", "periodic", "modulated"],
)
def test_little_holds_with_jobs_on_the_network(more):
    """All stays count, there and in schedule queues."""
    system = {"required_shares": (0.5, 0.5), "loads": (0.3, 0.4), "processors": 4, "probe_limit": 2, "sizes": HYPER}
    run = {"jumps": 40_000, "warmup": 1000, "replications": 2, "seed": 3}
    found = dispatch.simulate_distributed("JSQ", **system, **more, records=True, **run)
    assert found.records.jobs.sum() == pytest.approx(2 * 20_000, abs=100)
    littles = found.mean_jobs.value / found.departures.value
    assert found.records.mean_response_time.value == pytest.approx(littles, rel=0.01)
    waits = found.records.mean_wait.value
    assert (waits >= found.wait.value * 0.97).all()
    if "probe_service_time" in more:  # and the time on the network, of those that are sent
        sent = found.traffic.value[2] / found.departures.value.sum()
        assert found.wait.value + sent * 0.01 * np.array([0.9, 1.5]) == pytest.approx(waits.mean(), rel=0.3)
        assert waits.mean() > found.wait.value > 0.02
    assert found.mean_response_time.value == pytest.approx(found.records.mean_response_time.value, rel=0.1)


def test_isolated_processors_are_queues_of_their_own():
    system = {"required_shares": (0.5, 0.5), "loads": (0.4, 0.3), "processors": 3, "probe_limit": 0}
    more = POISSON | {"local": "PS", "sizes": HYPER}
    found = dispatch.simulate_distributed("Isolation", **system, **more, records=True, **RUN).records
    assert near(found.mean_slowdown, [1 / 0.3] * 2, 0.2) and near(found.mean_response_time, [1 / 0.3] * 2, 0.3)
    assert not found.mean_wait.value.any()


# --- The cluster behind a queue --------------------------------------------------------------------------------------


def test_one_server_is_a_line_with_an_end():
    """M/M/1 with room for ten, but for the quick tracker: means, and the law of the response time of who enters."""
    cluster = cluster_chain.ServiceCluster(1, 8, {1: 1.0}, arrival_rate=0.8, tracker_rate=1e6, service_rates=1.0)
    found = cluster_chain.simulate(cluster, records=True, **RUN | {"jumps": 150_000})
    records, exact = found.records, cluster.solve()
    assert near(records.mean_response_time, exact.mean_response)
    assert near(records.mean_wait, exact.mean_response - 1)
    chance = 0.8 ** np.arange(10)  # of 0, 1, ..., 9 jobs that it finds, which it waits for
    chance /= chance.sum()
    for probability in (0.2, 0.5, 0.9):
        time = records.quantile("response_time", probability)
        low, high = (_erlang_mixture(chance, time.value[0] + sign * 2 * time.half_width[0]) for sign in (-1, 1))
        assert low < probability < high < low + 0.1


def _erlang_mixture(chance, time):
    """The probability of at most so much time for n + 1 exponential services with the chance of n."""
    terms = np.cumsum([math.exp(-time) * time**k / math.factorial(k) for k in range(len(chance))])
    return chance @ (1 - terms)


def test_records_of_a_cluster_by_size():
    cluster = cluster_chain.ServiceCluster(4, 3, {1: 0.6, 3: 0.4}, 2.0, tracker_rate=5, service_rates={1: 2, 3: 0.5})
    run = RUN | {"jumps": 60_000, "replications": 5}
    found = cluster_chain.simulate(cluster, records=True, **run)
    assert found == cluster_chain.simulate(cluster, **run)
    exact = cluster.solve()
    assert near(found.records.mean_response_time, exact.mean_response)
    assert near(found.records.mean_wait, exact.mean_response - [0.5, 2.0])
    sizes = found.records.by_size  # service times, whose slowdown is never below 1
    mean = (sizes.mean_size.value * sizes.jobs).sum(axis=1, where=sizes.jobs > 0) / sizes.jobs.sum(axis=1)
    assert mean == pytest.approx([0.5, 2.0], rel=0.05)
    assert (found.records.quantile("slowdown", 0.0).value >= 1 - found.records.error).all()


@pytest.mark.parametrize(
    "pair",
    [
        (cluster_chain.Bursts((0.5, 3.0), (4.0, 1.0)), MarkovModulated((0.5, 3.0), ((0, 0.25), (1, 0)))),
        (Deterministic(1.0), Renewal(Deterministic(1.0))),
        (None, Periodic((1.0, 1.0), (2.0, 3.0))),
    ],
    ids=["modulated", "renewal", "periodic"],
)
def test_arrivals_at_a_cluster_by_either_way(pair):
    """What the cluster's own loop does beside the same process as a stream."""
    cluster = cluster_chain.ServiceCluster(4, 3, {1: 0.5, 3: 0.5}, 2.0, tracker_rate=5.0, service_rates=1.0)
    run = RUN | {"jumps": 40_000}
    own, other = (cluster_chain.simulate(cluster, arrivals=one, records=True, **run) for one in pair)
    for name in ("blocking", "mean_delay"):
        error = 1.5 * np.hypot(getattr(own, name).half_width, getattr(other, name).half_width)
        assert abs(getattr(own, name).value - getattr(other, name).value) < error
    error = 1.5 * np.hypot(own.records.mean_response_time.half_width, other.records.mean_response_time.half_width)
    assert (abs(own.records.mean_response_time.value - other.records.mean_response_time.value) < error).all()


def test_a_whole_batch_is_lost_or_waits():
    """Batches of three at a cluster without a queue: of each batch one at most enters."""
    cluster = cluster_chain.ServiceCluster(4, 0, {1: 1.0}, 0.3, tracker_rate=100.0, service_rates=10.0)
    found = cluster_chain.simulate(cluster, arrivals=Batches((0, 0, 1.0)), records=True, **RUN | {"jumps": 20_000})
    assert 2 / 3 <= found.blocking.value + found.blocking.half_width < 0.68
