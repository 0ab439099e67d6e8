"""What jobs meet with on one processor and on servers with compatibilities, beside formulas and plain loops."""

import heapq
import math

import numpy as np
import pytest

from clustershare import interruptions, multiserver, uniprocessor
from clustershare.arrivals import Batches, Renewal
from clustershare.sizes import Deterministic, Exponential, Hyperexponential, Pareto, bimodal_hyperexponential

RUN = {"jumps": 60_000, "warmup": 3000, "replications": 10, "seed": 5}
ONE = multiserver.CompatibilityGraph([{0}], [1.0])
TWO = multiserver.CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 2])
HYPER = Hyperexponential((3.0, 0.5), (0.2, 0.8))


def alone(policy, load, sizes=None, **more):
    """Records of a processor all of whose jobs are of the second group, but for one in a hundred."""
    system = (policy, (0.5, 0.5), (load / 100, load * 0.99))
    return uniprocessor.simulate(*system, sizes=sizes, records=True, **{**RUN, **more}).records


def near(estimate, value, least=0.1):
    """Whether an estimate is as it should be for the second group, and tells something."""
    error = 2 * estimate.half_width[1]
    return abs(estimate.value[1] - value) < error < least * value


@pytest.mark.parametrize("law", [bimodal_hyperexponential(), Pareto(1.0, 3.0)])
def test_processor_sharing_is_proportional_to_the_size(law):
    """The mean response time of a job of given size is its size / (1 - load), whatever the law."""
    found = alone("PS", 0.6, law, jumps=200_000)
    classes = found.by_size
    many = classes.jobs[1] > 1000
    size, response = classes.mean_size, classes.mean_response_time
    error = 2.5 * np.hypot(response.half_width, size.half_width / 0.4)[1]
    assert many.sum() > 3
    assert (abs(response.value - size.value / 0.4)[1] < error)[many].all()
    assert (error < 0.2 * response.value[1])[many].all()
    assert near(found.mean_slowdown, 1 / 0.4) and not found.mean_wait.value.any()


def test_first_come_first_served_has_exponential_response_times():
    found = alone("FCFS", 0.7)
    assert near(found.mean_response_time, 1 / 0.3) and near(found.mean_wait, 0.7 / 0.3)
    for probability in (0.1, 0.5, 0.9, 0.99):
        assert near(found.quantile("response_time", probability), -math.log(1 - probability) / 0.3)
    assert found.quantile("wait", 0.29).value[1] == 0 < found.quantile("wait", 0.32).value[1]


@pytest.mark.parametrize("law", [HYPER, Deterministic(1.0)])
def test_waits_are_those_of_pollaczek_and_khinchine(law):
    wait = 0.6 * (1 + law.squared_variation) / 2 / 0.4
    assert near(alone("FCFS", 0.6, law).mean_wait, wait)
    found = interruptions.simulate(ONE, [0.6], law, 0, records=True, **RUN).records
    assert abs(found.mean_wait.value[0] - wait) < 2 * found.mean_wait.half_width[0] < 0.1 * wait


def test_the_variance_under_processor_sharing_is_that_of_coffman_muntz_and_trotter():
    found = alone("PS", 0.5, jumps=200_000)
    assert near(found.variance("response_time"), (2 + 0.5) / (2 - 0.5) / 0.25)
    assert near(found.mean_slowdown, 2.0)


@pytest.mark.parametrize("policy", uniprocessor.POLICIES)
@pytest.mark.parametrize("more", [{}, {"arrivals": Batches((0.5, 0.0, 0.5)), "sizes": HYPER}], ids=["Poisson", "other"])
def test_little_holds_in_a_run(policy, more):
    """Of one run: the integral of the jobs is the sum of the stays, but for those of the jobs at its two ends."""
    rates = np.array([0.2, 0.4])
    found = uniprocessor.simulate(
        policy, (0.6, 0.4), rates, records=True, **more, jumps=300_000, warmup=3000, replications=1, seed=3
    )
    stays = found.records.jobs * found.records.mean_response_time.value
    jobs = found.mean_jobs.value
    assert stays[0] / stays[1] == pytest.approx(jobs[0] / jobs[1], rel=2e-3)  # whatever the time and the jobs in it
    assert jobs == pytest.approx(rates * found.records.mean_response_time.value, rel=0.03)  # more or fewer jobs than 1
    assert abs(found.records.jobs - 150_000 * rates / 0.6) == pytest.approx(0, abs=1500)


def plain_preemption(rates, sizes, count, rng):
    """Preemptive priority with the higher group first, job by job: arrays of (group, size, response, wait)."""
    time, done, result, queue, number = 0.0, 0, [], [], 0
    following = rng.exponential(1 / rates.sum())
    while done < count:
        if queue and time + queue[0][3] <= following:
            group, _, came, left, size, begun = heapq.heappop(queue)
            begun = time if begun is None else begun
            time += left
            result.append((group, size, time - came, begun - came))
            done += 1
            continue
        if queue:
            group, order, came, left, size, begun = heapq.heappop(queue)
            begun = time if begun is None else begun
            heapq.heappush(queue, (group, order, came, left - (following - time), size, begun))
        time, group = following, int(rng.random() * rates.sum() >= rates[0])
        following += rng.exponential(1 / rates.sum())
        size = float(sizes.sample(rng))
        number += 1
        heapq.heappush(queue, (group, number, time, size, size, None))
    return np.array(result)


def test_waits_and_slowdowns_of_interrupted_jobs_are_those_of_a_plain_loop():
    """A job of the second group waits until it is first served, not until its service goes on."""
    rates, law = np.array([0.25, 0.25]), Hyperexponential((0.5, 1.5), (0.5, 0.5))
    found = uniprocessor.simulate("PQ", (0.6, 0.4), rates, sizes=law, records=True, **RUN).records
    plain = np.array_split(plain_preemption(rates, law, 40_000, np.random.default_rng(2)), 10)
    for group in (0, 1):
        rows = [part[part[:, 0] == group] for part in plain]
        for name, column in (("response_time", 2), ("wait", 3)):
            means = np.array([part[:, column].mean() for part in rows])
            ours, error = found.mean(name), 2.3 * means.std(ddof=1) / math.sqrt(10)
            error = 1.5 * math.hypot(ours.half_width[group], error)
            assert abs(ours.value[group] - means.mean()) < error < 0.2 * means.mean()
        for probability in (0.3, 0.9):
            values = [np.quantile(part[:, 2] / part[:, 1], probability) for part in rows]
            ours = found.quantile("slowdown", probability)
            error = 2.3 * np.std(values, ddof=1) / math.sqrt(10) + found.error * np.mean(values)
            assert abs(ours.value[group] - np.mean(values)) < 1.5 * math.hypot(ours.half_width[group], error)


@pytest.mark.parametrize("interrupted", [0, 2])
def test_several_servers(interrupted):
    """Little by class, exact means where sizes are exponential, and slowdowns from 1 on."""
    found = multiserver.simulate(TWO, [1.0, 0.5], Exponential(2.0), interrupted, records=True, **RUN)
    exact = multiserver.exact(TWO, [1.0, 0.5], Exponential(2.0), interrupted)
    records = found.records
    error = 2 * records.mean_response_time.half_width
    assert (abs(records.mean_response_time.value - exact.mean_delay) < error).all()
    assert (error < 0.1 * exact.mean_delay).all()
    assert records.jobs * records.mean_response_time.value / records.jobs.sum() == pytest.approx(
        found.mean_jobs.value / 1.5, rel=0.02
    )
    least = records.quantile("slowdown", 0.0).value
    assert (least > 1 - records.error - 1e-9).all() and (least < 1.01).all()  # alone, of size / 3
    assert (records.mean_wait.value < records.mean_response_time.value).all()


def test_the_wait_for_several_servers_is_until_the_first_serves():
    """Three servers that all serve the same job are one of capacity 3."""
    shared = multiserver.CompatibilityGraph([{0, 1, 2}], [1, 1, 1])
    found = interruptions.simulate(shared, [1.8], Exponential(), 0, records=True, **RUN).records
    wait = 0.6 / (3 * 0.4)
    assert abs(found.mean_wait.value[0] - wait) < 2 * found.mean_wait.half_width[0] < 0.1 * wait


def test_a_job_that_is_passed_over_still_waits():
    """Two queues side by side, each of one class and one server: the head of one may be behind many of the other."""
    apart = multiserver.CompatibilityGraph([{0}, {1}], [1, 1])
    found = interruptions.simulate(apart, [0.6, 0.3], Exponential(), 0, records=True, **RUN).records
    waits, error = np.array([0.6 / 0.4, 0.3 / 0.7]), 2 * found.mean_wait.half_width
    assert (abs(found.mean_wait.value - waits) < error).all() and (error < 0.15 * waits).all()


@pytest.mark.parametrize("policy", ["FCFS", "PQ", "PS"])
def test_long_lines_lose_no_job(policy):
    """Batches of 150 jobs make all arrays grow; the stays of the jobs still add up to the integral of their number."""
    system = (policy, (0.6, 0.4), (0.25, 0.25))
    batches = Batches((0.0,) * 149 + (1.0,))
    found = uniprocessor.simulate(*system, arrivals=batches, records=True, **{**RUN, "jumps": 200_000})
    stays = found.records.jobs * found.records.mean_response_time.value
    assert stays / found.records.jobs.sum() == pytest.approx(found.mean_jobs.value / 0.5, rel=0.05)
    assert stays[0] / stays[1] == pytest.approx(found.mean_jobs.value[0] / found.mean_jobs.value[1], rel=0.01)


def test_permanent_jobs_are_not_recorded_and_what_is_seen_is_not_changed_by_it():
    """The same bits with records as without, where times are drawn anyway."""
    for policy in ("FCFS", "PQ", "PS"):
        system = (policy, (0.6, 0.4), (0.2, 0.3), 1.0, (0, 1))
        run = {**RUN, "jumps": 20_000, "replications": 2}
        found = uniprocessor.simulate(*system, sizes=HYPER, records=True, **run)
        assert found == uniprocessor.simulate(*system, sizes=HYPER, **run)
        stays, jobs = found.records.jobs * found.records.mean_response_time.value, found.mean_jobs.value
        assert stays[0] / stays[1] == pytest.approx(jobs[0] / jobs[1], rel=0.02)
    run = {**RUN, "jumps": 5000, "replications": 2}
    found = interruptions.simulate(TWO, [1.0, 0.5], HYPER, 1, records=True, **run)
    assert found == interruptions.simulate(TWO, [1.0, 0.5], HYPER, 1, **run)
    assert found.records is not None and interruptions.simulate(TWO, [1.0, 0.5], HYPER, 1, **run).records is None


def test_jobs_keep_their_times_when_the_queue_outgrows_its_room():
    """At first there is room for 64 jobs. One server works off 300 that come together before the next come."""
    together = Batches((0.0,) * 299 + (1.0,), Renewal(Deterministic(1.0)))
    run = {"arrivals": together, "jumps": 3000, "warmup": 0, "replications": 1, "seed": 1, "records": True}
    seen = interruptions.simulate(ONE, [0.99], Deterministic(1.0), 0, **run).records
    assert seen.mean_wait.value == pytest.approx(299 / 2) and seen.quantile("wait", 0).value == 0
    assert seen.mean_response_time.value == pytest.approx(299 / 2 + 1)
