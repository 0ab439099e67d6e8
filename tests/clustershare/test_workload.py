"""What a workload says of itself: by hand, by plain loops, and where it is drawn so that the answer is known."""

import math
from dataclasses import astuple, replace

import numpy as np
import pytest
from scipy import stats

from clustershare import cluster_chain, dispatch, multiserver, uniprocessor
from clustershare.arrivals import Batches, Periodic, Renewal
from clustershare.workload import (
    Workload,
    assumptions,
    das2,
    describe,
    description,
    downey,
    fitted,
    li_groep_wolters,
    lublin,
    lublin_feitelson,
    replay_cluster,
    replay_dispatch,
    replay_processor,
    replay_servers,
)

RUN = {"jumps": 150_000, "warmup": 5000, "replications": 6, "seed": 1}
SEVEN = Workload(
    [1, 3, 3, 4, 8, 9, 13], [2, 1, 4, 1, 2, 6, 3], groups=[0, 1, 1, 0, 0, 1, 0], servers=[1, 2, 1, 1, 4, 1, 1],
    names=("a", "b", "c"),
)  # fmt: skip


def drawn(seed=1, jobs=3000, **changes):
    """A workload of which every assumption holds, but for what is changed: functions of a generator and the rest."""
    rng = np.random.default_rng(seed)
    parts = {
        "gaps": rng.exponential(1.0, jobs), "sizes": rng.exponential(3.0, jobs), "groups": rng.integers(0, 3, jobs),
        "servers": rng.integers(1, 9, jobs),
    }  # fmt: skip
    for name, change in changes.items():
        parts[name] = change(rng, parts)
    return Workload(parts["gaps"].cumsum(), parts["sizes"], parts["groups"], parts["servers"])


def in_order_of(keys, values):
    """The values, put in an order in which they rise with the keys."""
    return np.sort(values)[np.argsort(np.argsort(keys))]


# --- In numbers -------------------------------------------------------------------------------------------------------


def test_a_description_by_hand():
    found = describe(SEVEN, servers=8, day=6)
    np.testing.assert_array_equal(found.jobs, [4, 3, 0])
    np.testing.assert_array_equal(found.work, [2 + 1 + 8 + 3, 2 + 4 + 6, 0])
    np.testing.assert_allclose(found.arrival_rates, [4 / 7 / 2, 3 / 7 / 2, 0])
    np.testing.assert_allclose(found.loads, [14 / 7 / 2 / 8, 12 / 7 / 2 / 8, 0])
    np.testing.assert_allclose(found.mean_sizes, [2, 11 / 3, np.nan])
    np.testing.assert_allclose(found.size_squared_variations, [0.5 / 4, (53 / 3 - 121 / 9) / (121 / 9), np.nan])
    np.testing.assert_allclose(found.gap_squared_variations, [(9 + 16 + 25) / 3 / 16 - 1, 1, np.nan])
    np.testing.assert_allclose(found.gap_squared_variation, (4 + 0 + 1 + 16 + 1 + 16) / 6 / 4 - 1)
    np.testing.assert_array_equal(found.server_numbers, [1, 2, 4])
    np.testing.assert_allclose(found.server_probabilities, np.array([5, 1, 1]) / 7)
    assert found.span == 12 and len(found.windows) == 0
    ranks = stats.rankdata(SEVEN.sizes)
    assert found.size_part_of_groups == pytest.approx(stats.kruskal(ranks[[0, 3, 4, 6]], ranks[[1, 2, 5]])[0] / 6)
    assert found.size_server_correlation == pytest.approx(stats.spearmanr(SEVEN.sizes, SEVEN.servers)[0])


def test_the_daily_cycle_by_a_plain_count():
    work = drawn(jobs=4000)
    seen, count = description.exposure(work, 50.0, 24)
    first, last = work.arrivals[[0, -1]]
    fine = np.linspace(first, last, 2_000_001)
    hours = (fine % 50.0 // (50 / 24)).astype(int)
    np.testing.assert_allclose(seen, np.bincount(hours) * (last - first) / 2e6, rtol=1e-3)
    hours = [int(time % 50.0 // (50 / 24)) for time in work.arrivals[1:]]
    np.testing.assert_array_equal(count, [hours.count(k) for k in range(24)])
    found = describe(work, day=50.0)
    rate = (len(work) - 1) / (last - first)
    np.testing.assert_allclose(found.daily_cycle, count / seen / rate)
    assert np.isnan(describe(SEVEN, day=1e3).daily_cycle[1:]).all()


def test_the_index_of_dispersion_by_a_plain_count():
    work = drawn(gaps=lambda rng, _: rng.gamma(0.3, 1 / 0.3, 3000))
    found = describe(work)
    assert len(found.windows) == 2
    for length, index in zip(found.windows, found.index_of_dispersion):
        since = work.arrivals - work.arrivals[0]
        counts = [((since >= k * length) & (since < (k + 1) * length)).sum() for k in range(int(since[-1] // length))]
        assert index == pytest.approx(np.var(counts) / np.mean(counts))
    assert 1.5 < found.index_of_dispersion[0] < 5  # 1 / 0.3 for long windows
    assert abs(describe(drawn(jobs=20000)).index_of_dispersion[0] - 1) < 0.15


# --- Assumptions ------------------------------------------------------------------------------------------------------


def test_true_assumptions_are_contradicted_as_often_as_the_level_says(monkeypatch):
    monkeypatch.setattr(description, "DRAWS", 199)
    monkeypatch.setattr(description, "DRAWN_JOBS", 100)
    times = 150
    found = [assumptions(drawn(seed, 400), level=0.1, day=30.0, seed=seed) for seed in range(times)]
    p_values = np.array([[one.p_value for one in each] for each in found])
    contradicted = (p_values < 0.1).sum(axis=0)
    assert contradicted.tolist() == [sum(one.contradicted for one in each) for each in zip(*found, strict=True)]
    low, high = stats.binom(times, 0.1).ppf([1e-4, 1 - 1e-4])
    assert (low <= contradicted).all() and (contradicted <= high).all(), contradicted
    assert (stats.kstest(p_values, "uniform").pvalue > 1e-4).all()


@pytest.mark.parametrize("jobs", [20, 50, 1000])
def test_the_distance_has_the_law_that_stephens_printed(jobs):
    """Upper points of the modified distance, the mean estimated: 0.990 at 10 %, 1.094 at 5 %, 1.308 at 1 %."""
    rng = np.random.default_rng(1)
    _, drawn = description._distance(np.sort(rng.standard_exponential((4000, jobs))))
    for point, chance in ((0.990, 0.10), (1.094, 0.05), (1.308, 0.01)):
        assert abs((drawn > point).mean() - chance) < 4 * math.sqrt(chance / 4000)


BROKEN = {  # what is contradicted when something is not as assumed; other things may be as well
    "exponential times between arrivals": {"gaps": lambda rng, _: rng.gamma(0.7, 1 / 0.7, 3000)},
    "independent times between arrivals": {
        "gaps": lambda rng, parts: in_order_of(
            rng.normal(size=3000) + np.repeat(rng.normal(size=300), 10), parts["gaps"]
        )
    },
    "a constant arrival rate": {"gaps": lambda _, parts: parts["gaps"] * np.linspace(0.8, 1.2, 3000)},
    "no daily cycle of arrivals": {
        "gaps": lambda rng, parts: np.diff(np.sort((rng.integers(0, 60, 3001) + rng.beta(1.2, 1.2, 3001)) * 50))
    },
    "exponential sizes": {"sizes": lambda rng, _: rng.lognormal(0, 1, 3000)},
    "independent sizes": {"sizes": lambda rng, parts: parts["sizes"] * np.repeat(rng.lognormal(0, 0.5, 300), 10)},
    "sizes independent of the times between arrivals": {
        "sizes": lambda rng, parts: in_order_of(parts["gaps"] + rng.exponential(3.0, 3000), parts["sizes"])
    },
    "sizes independent of the number of servers": {"sizes": lambda _, parts: parts["sizes"] + 0.1 * parts["servers"]},
    "one law of the sizes for all groups": {"sizes": lambda _, parts: parts["sizes"] * (1 + 0.2 * parts["groups"])},
    "groups independent of those before": {"groups": lambda rng, _: np.repeat(rng.integers(0, 3, 1500), 2)},
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_each_assumption_is_contradicted_where_it_is_broken(name):
    found = {one.assumption: one for one in assumptions(drawn(**BROKEN[name]), day=50.0)}
    assert list(found) == list(BROKEN) and found[name].contradicted
    assert found[name].sentence.startswith("Contradicted: ") and found[name].method in found[name].sentence
    # What does not speak of arrivals tells nothing of them, and the other way round.
    about = [other for other in found if ("arriv" in other) != ("arriv" in name) and "sizes ind" not in other]
    assert not any(found[other].contradicted for other in about)


@pytest.mark.parametrize("jittered", [True, False])
def test_rounding_to_seconds_contradicts_nothing(jittered, monkeypatch):
    work = drawn(jobs=20000)
    whole = Workload(np.floor(2 * work.arrivals), np.floor(10 * work.sizes) + 1)
    if not jittered:
        monkeypatch.setattr(description, "_anywhere", lambda values, _: values)
    found = {one.assumption: one.contradicted for one in assumptions(whole)}
    assert found["exponential times between arrivals"] is not jittered


@pytest.mark.parametrize("jobs", [2, 19, 25])
def test_what_cannot_be_tested_is_said(jobs):
    for one in assumptions(Workload(np.arange(jobs), np.ones(jobs))):
        if math.isnan(one.p_value):
            assert one.sentence.startswith("Not tested") and not one.contradicted
    assert jobs > 20 or all(math.isnan(one.p_value) for one in assumptions(Workload(np.arange(jobs), np.ones(jobs))))


# --- Arguments of the models ------------------------------------------------------------------------------------------

SINGLE = drawn(
    jobs=20000, sizes=lambda rng, parts: rng.lognormal(-1, 1, 20000) * (1 + parts["groups"]),
    servers=lambda rng, _: np.ones(20000, int),
)  # fmt: skip
SHARES = (0.4, 0.3, 0.3)
GRAPH = multiserver.CompatibilityGraph([{0}, {1}, {0, 1}], [1, 1])
BOTH = {  # mean response times, simulated with what is fitted, and of the jobs themselves
    "uniprocessor": lambda given: (
        uniprocessor.simulate("PS", SHARES, **given, **RUN).mean_response_time,
        replay_processor(SINGLE, "PS", SHARES, speed=2).mean_response_time,
    ),
    "dispatch": lambda given: (
        dispatch.simulate_central("JSQ", required_shares=SHARES, **given, **RUN).mean_response_time,
        replay_dispatch(SINGLE, "JSQ", required_shares=SHARES, processors=2).mean_response_time,
    ),
    "multiserver": lambda given: (
        multiserver.simulate(GRAPH, interruptions=0, **given, **RUN).mean_delay,
        replay_servers(SINGLE, GRAPH, 0).mean_response_time,
    ),
    "cluster_chain": lambda given: (
        cluster_chain.simulate(**given, **RUN).mean_response, replay_cluster(SINGLE, 2).performance.mean_response,
    ),
}  # fmt: skip


@pytest.mark.parametrize("model", BOTH)
@pytest.mark.parametrize(("arrivals", "sizes"), [("renewal", "empirical"), ("hourly", "two moments"),
                                                 ("Poisson", "exponential")])  # fmt: skip
def test_a_model_takes_what_is_fitted(model, arrivals, sizes):
    given = fitted(SINGLE, model, servers=2, arrivals=arrivals, sizes=sizes, day=100.0)
    assert ("arrivals" in given) == (arrivals != "Poisson")
    if arrivals == "renewal":  # the jobs are drawn independently: simulated anew, they meet with the same, within 3 %
        simulated, replayed = BOTH[model](given)
        np.testing.assert_allclose(simulated.value, replayed, rtol=0.1)
    said = describe(SINGLE, servers=1 if model == "multiserver" else 2)
    if model == "cluster_chain":
        cluster = given["cluster"]
        work = cluster.arrival_rate * cluster.size_probabilities / cluster.size_service_rates
        np.testing.assert_allclose(work.sum() / 2, said.loads.sum())
        (law,) = given["service"].values()
        assert law.mean == pytest.approx(1)
        wanted = [said.size_squared_variation]
        laws = [law]
    elif model == "dispatch":
        laws, wanted = given["sizes"], said.size_squared_variations
        np.testing.assert_allclose(given["loads"], said.loads)
        np.testing.assert_allclose([law.mean for law in laws], said.mean_sizes / 2)
    else:
        laws, wanted = given["sizes"], said.size_squared_variations
        np.testing.assert_allclose(given["arrival_rates"], said.arrival_rates)
        alone = [law.mean for law in laws] / np.array(given.get("service_rates", 1.0))
        np.testing.assert_allclose(alone, said.mean_sizes / (2 if model == "uniprocessor" else 1))
    variations = [law.squared_variation for law in laws]
    np.testing.assert_allclose(variations, 1.0 if sizes == "exponential" else wanted, rtol=1e-6)


def test_arrivals_as_they_are():
    work = Workload([0, 0, 1, 1, 1, 4, 6], np.ones(7), names=("a",))
    flow = fitted(work, "uniprocessor")["arrivals"]
    assert isinstance(flow, Batches) and flow.probabilities == (2 / 3, 0.0, 1 / 3)
    assert (flow.arrivals.law.values * 2).tolist() == [1, 2, 3]
    flow = fitted(Workload([0, 1, 4, 6], np.ones(4)), "uniprocessor")["arrivals"]
    assert isinstance(flow, Renewal) and (flow.law.values * 2).tolist() == [1, 2, 3]
    flow = fitted(SINGLE, "uniprocessor", arrivals="hourly", day=100.0)["arrivals"]
    assert isinstance(flow, Periodic) and sum(flow.durations) == pytest.approx(100)
    ratio = np.array(flow.rates) / describe(SINGLE, day=100.0).daily_cycle
    np.testing.assert_allclose(ratio, ratio[0])


def test_a_cluster_has_the_sizes_of_the_log():
    work = Workload(np.arange(6.0), [1, 2, 3, 4, 5, 9], servers=[1, 1, 1, 4, 4, 8])
    given = fitted(work, "cluster_chain", servers=8, queue_capacity=5, tracker_rate=7.0)
    cluster = given["cluster"]
    assert dict(cluster.job_sizes) == {1: 1 / 2, 4: 1 / 3, 8: 1 / 6}
    assert (cluster.queue_capacity, cluster.servers) == (5, 8)
    assert cluster.arrival_rate == 1 and cluster.tracker_rate == 7
    np.testing.assert_allclose(given["service"][1].values, [0.5, 1, 1.5])
    np.testing.assert_allclose(cluster.size_service_rates, [1 / 2, 1 / 4.5, 1 / 9])
    cluster_chain.simulate(**given, **RUN | {"jumps": 500})


@pytest.mark.parametrize(
    ("work", "model", "options", "message"),
    [(SEVEN, "dispatch", {}, "one server each, but job 1"), (SEVEN, "cluster_chain", {"servers": 3}, "at least 4"),
     (Workload([1, 1], [1, 1]), "dispatch", {}, "at once"), (SINGLE, "one", {}, "model must be"),
     (Workload([1, 2], [1, 1], names=("a", "b")), "dispatch", {}, "'b' has not"),
     (SINGLE, "dispatch", {"arrivals": "hourly"}, "shorter than a day"),
     (SINGLE, "dispatch", {"sizes": "?"}, "one of")],
)  # fmt: skip
def test_what_cannot_be_fitted_gets_a_sentence(work, model, options, message):
    with pytest.raises(ValueError, match=message):
        fitted(work, model, **options)


# --- A published model ------------------------------------------------------------------------------------------------


def paid_in_buckets(kind, logarithms):
    """Arrival times by the rule of the paper: each half hour costs its points, and what is left over is kept."""
    shape, scale = kind.cycle
    points = [0.0] * 48
    for bucket in range(11, 59):
        low, high = stats.gamma.cdf([bucket - 0.5, bucket + 0.5], shape, scale=scale)
        points[(bucket - 1) % 48] = high - low
    mean = sum(points) / 48
    now, purse, times = 0, 0.0, []
    for logarithm in logarithms:
        purse += math.exp(logarithm) / 1800
        while purse > points[now % 48] / mean:
            purse -= points[now % 48] / mean
            now += 1
        times.append(1800 * (now + purse / (points[now % 48] / mean)))
    return times


@pytest.mark.parametrize("kind", [lublin.INTERACTIVE, lublin.BATCH])
def test_arrivals_of_the_model_by_its_own_rule(kind):
    logarithms = np.random.default_rng(2).gamma(kind.gap[0], kind.gap[1], 2000)
    np.testing.assert_allclose(lublin.arrival_times(kind, logarithms), paid_in_buckets(kind, logarithms), rtol=1e-9)


def test_servers_and_run_times_of_the_model():
    work = lublin_feitelson(30000, seed=3)
    for group, kind in enumerate((lublin.INTERACTIVE, lublin.BATCH)):
        own = work.groups == group
        needs, logarithms = work.servers[own], np.log(work.sizes[own])
        n = len(needs)
        serial, power = (needs == 1).mean(), ((needs & (needs - 1)) == 0).mean()
        assert abs(serial - kind.serial) < 4 * math.sqrt(kind.serial / n) and needs.max() <= 2**kind.high + 0.5
        assert kind.serial + kind.power_of_2 - 4 * math.sqrt(0.25 / n) < power
        count = min(np.bincount(needs)[[2, 4]])
        assert count > 100
        for servers in (1, 2, 4):
            (a1, b1), (a2, b2) = kind.gammas
            p = kind.intercept + kind.slope * servers

            def law(x, p=p, a1=a1, b1=b1, a2=a2, b2=b2):
                below, all_kept = (
                    p * stats.gamma.cdf(y, a1, scale=b1) + (1 - p) * stats.gamma.cdf(y, a2, scale=b2) for y in (x, 12)
                )
                return below / all_kept

            assert stats.kstest(logarithms[needs == servers], law).pvalue > 1e-3
    assert lublin_feitelson(500, 3, servers=40).servers.max() <= 40
    assert np.array_equal(lublin_feitelson(500, 3).sizes, lublin_feitelson(500, 3).sizes)
    assert not np.array_equal(lublin_feitelson(500, 3).sizes, lublin_feitelson(500, 4).sizes)


@pytest.mark.parametrize("longest", [162754.0, 100.0])  # the published one cuts off four jobs of a million
def test_the_model_of_li_groep_and_wolters_has_its_moments(longest, monkeypatch):
    """Those of a Weibull law, of a lognormal one that is cut off, and of two uniform ones."""
    assert astuple(das2.LAW) == (0.024, 0.78, 0.8, 4.5, 7.0, 0.9, 23.375, 0.522, 4.4, 1.7, 162754.0)
    monkeypatch.setattr(das2, "LAW", replace(das2.LAW, longest=longest))
    work, law, jobs = li_groep_wolters(100_000, seed=2), das2.LAW, 100_000
    gaps = np.diff(work.arrivals, prepend=0)
    weibull = stats.weibull_min(law.gap_shape, scale=law.gap_scale)
    assert abs(gaps.mean() / weibull.mean() - 1) < 4 * weibull.std() / weibull.mean() / math.sqrt(jobs)
    assert stats.kstest(gaps, weibull.cdf).pvalue > 1e-3
    cut, normal = math.log(law.longest) - law.location, stats.norm(scale=law.spread)
    first, second = (
        math.exp(k * law.location + (k * law.spread) ** 2 / 2) * normal.cdf(cut - k * law.spread**2) / normal.cdf(cut)
        for k in (1, 2)
    )
    assert abs(work.sizes.mean() - first) < 4 * math.sqrt((second - first**2) / jobs)
    logarithm = stats.truncnorm(-np.inf, cut / law.spread, law.location, law.spread)
    assert abs(np.log(work.sizes).mean() - logarithm.mean()) < 4 * logarithm.std() / math.sqrt(jobs)
    assert work.sizes.max() <= law.longest and work.servers.max() <= 128
    serial, powers = (work.servers == 1).mean(), (work.servers & (work.servers - 1) == 0).mean()
    # One server is rounded to by nobody: 2**0.8 is nearer to 2.
    assert abs(serial - law.serial) < 4 * math.sqrt(law.serial / jobs)
    assert powers > law.serial + law.power_of_2 - 4 * math.sqrt(0.25 / jobs)
    above = law.first * (law.middle - 3.5) / (law.middle - law.low) + 1 - law.first  # rounded to 16 and more
    rounded = work.servers[(work.servers & (work.servers - 1) == 0) & (work.servers > 1)]
    assert abs((rounded >= 16).mean() - above) < 0.02  # others happen to be powers of two
    assert li_groep_wolters(500, 3, servers=40).servers.max() <= 40
    assert np.array_equal(li_groep_wolters(500, 3).sizes, li_groep_wolters(500, 3).sizes)


def test_the_model_of_downey_has_its_moments():
    """Its printed line between six seconds and a day and a half, and a log-uniform number of servers."""
    jobs = 100_000
    work = downey(jobs, seed=2)
    low, high = math.exp(1.8), math.exp(11.8)
    assert work.sizes.min() >= low * (1 - 1e-12) and work.sizes.max() <= high * (1 + 1e-12)
    assert stats.kstest(work.sizes, lambda t: -0.18 + 0.10 * np.log(t)).pvalue > 1e-3
    first, second = 0.1 * (high - low), 0.05 * (high**2 - low**2)
    assert abs(work.sizes.mean() - first) < 4 * math.sqrt((second - first**2) / jobs)
    for n in (2, 10, 100, 400):
        chance = math.log(n) / math.log(401)
        assert abs((work.servers < n).mean() - chance) < 4 * math.sqrt(0.25 / jobs)
    assert set(work.servers.tolist()) == set(range(1, 401))
    a_year = 365 * 86400
    came = np.bincount((work.arrivals // a_year).astype(int))[:-1]
    assert abs(came.mean() - 24906) < 4 * math.sqrt(24906 / len(came))
    assert abs(np.corrcoef(np.log(work.sizes), np.log(work.servers))[0, 1]) < 4 / math.sqrt(jobs)
    assert downey(500, 3, servers=1).servers.max() == 1
