"""One processor, simulated: against the exact answers, for general sizes, and Up-Down."""

import numpy as np
import pytest
from scipy import stats

from clustershare import sizes, uniprocessor
from clustershare.uniprocessor import kernel
from compilation import printed
from simulated_shares import EQUAL, RUN, UNEQUAL, agree, off

# --- Simulation against the exact answers ----------------------------------------------------------------------------


# --- General sizes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["FCFS", "HOL"])
@pytest.mark.parametrize(
    "size", [sizes.Deterministic(1.0), sizes.bimodal_phases(), sizes.Pareto(1.0, 2.5)], ids=lambda s: type(s).__name__
)
def test_obtained_shares_are_the_loads_whatever_the_sizes(policy, size):
    result = uniprocessor.simulate(policy, UNEQUAL, (0.3, 0.2), (1.0, 2.0), sizes=size, **RUN)
    assert off(result.obtained_share, (0.3, 0.1)) < 4


@pytest.mark.parametrize("size", [sizes.Deterministic(1.0), sizes.bimodal_hyperexponential(), sizes.bimodal_phases()])
def test_ps_is_insensitive_to_the_sizes(size):
    expected = uniprocessor.exact("PS", UNEQUAL, (0.3, 0.4), 1.0, (0, 1))
    agree(uniprocessor.simulate("PS", UNEQUAL, (0.3, 0.4), 1.0, (0, 1), sizes=size, **RUN), expected)


def test_fcfs_is_sensitive_to_the_sizes():
    # P[N_g = 0] is the transform of the time in the system at lambda_g (Pollaczek, Khinchine), here for constant sizes
    rates = np.array([0.3, 0.4])
    transform = np.exp(-rates)
    present = 1 - 0.3 * rates / (rates - 0.7 * (1 - transform)) * transform
    result = uniprocessor.simulate("FCFS", UNEQUAL, rates, sizes=sizes.Deterministic(1.0), **RUN)
    assert off(result.probability_present, present) < 4
    exponential = uniprocessor.exact("FCFS", UNEQUAL, rates).probability_present
    assert off(result.probability_present, exponential) > 10


def test_a_preempted_job_resumes_where_it_stopped():
    # preemptive resume: P[N_2 = 0] = (1 - rho) sigma / lambda_2, sigma = lambda_2 + lambda_1 (1 - E exp(-sigma S_1))
    rates = (0.3, 0.4)
    sigma = 0.4
    for _ in range(200):
        sigma = rates[1] + rates[0] * (1 - np.exp(-sigma))
    result = uniprocessor.simulate("PQ", UNEQUAL, rates, sizes=sizes.Deterministic(1.0), **RUN)
    assert off(result.probability_present, (0.3, 1 - 0.3 * sigma / rates[1])) < 4
    assert off(result.obtained_share, rates) < 4


def test_each_group_has_sizes_of_its_own():
    # Pollaczek and Khinchine: the wait depends on all sizes, and is the same for all groups.
    own = sizes.Deterministic(1.0), sizes.bimodal_hyperexponential(), None
    rates, services = np.array([0.2, 0.1, 0.3]), np.array([1.0, 0.8, 2.0])
    second = np.array([1.0, own[1].variance + 1, 2.0]) / services**2
    loads = rates / services
    wait = rates @ second / 2 / (1 - loads.sum())
    result = uniprocessor.simulate("FCFS", (0.5, 0.3, 0.2), rates, services, sizes=own, **RUN)
    assert off(result.mean_response_time, wait + 1 / services) < 4
    assert off(result.mean_jobs, rates * (wait + 1 / services)) < 4
    assert off(result.mean_jobs, rates * (loads @ (1 / services) / (1 - loads.sum()) + 1 / services)) > 10
    # Processor sharing is insensitive to each of them.
    shared = uniprocessor.simulate("PS", (0.5, 0.3, 0.2), rates, services, sizes=own, **RUN)
    agree(shared, uniprocessor.exact("PS", (0.5, 0.3, 0.2), rates, services))


@pytest.mark.parametrize("policy", ["PPS", "GPPS"])
def test_discriminatory_sharing_serves_all_work_whatever_the_sizes(policy):
    result = uniprocessor.simulate(policy, UNEQUAL, (0.5, 0.3), sizes=sizes.bimodal_hyperexponential(), **RUN)
    assert off(result.obtained_share, (0.5, 0.3)) < 4
    assert not result.job_share_deviation.value.any()


# --- Up-Down ---------------------------------------------------------------------------------------------------------


def test_up_down_is_hol_where_the_small_group_is_always_ahead():
    # thesis, Fig. 3.6: for rho_1 / rho up to 0.4
    for fraction in (0.05, 0.2):
        rates = (0.8 * fraction, 0.8 * (1 - fraction))
        hol = uniprocessor.exact("HOL", (0.5 + 1e-9, 0.5 - 1e-9), rates)
        up_down = uniprocessor.simulate("UD", EQUAL, rates, **{**RUN, "warmup": 10_000})
        agree(up_down, hol)
    assert hol.group_share_deviation[1] > -0.8


def naive_up_down(shares, arrivals, events, rng):
    """Group-share deviations of Up-Down with lists of jobs and a clock, written from (3.37)."""
    now, next_arrival, departure = 0.0, rng.exponential(1 / sum(arrivals)), np.inf
    queue, serving, x = ([], []), None, list(shares)
    feasible, obtained = np.zeros(2), np.zeros(2)
    for _ in range(events):
        then = min(next_arrival, departure)
        for g in range(2):
            f, o = (shares[g] if queue[g] else 0.0), float(serving == g)
            x[g] += (then - now) * (f - o)
            feasible[g] += (then - now) * f
            obtained[g] += (then - now) * o
        now = then
        if then == next_arrival:
            queue[int(rng.random() * sum(arrivals) >= arrivals[0])].append(rng.exponential())
            next_arrival = now + rng.exponential(1 / sum(arrivals))
        else:
            queue[serving].pop(0)
            serving = None
        if serving is None:
            present = [g for g in range(2) if queue[g]]
            serving = max(present, key=lambda g: x[g]) if present else None
            departure = np.inf if serving is None else now + queue[serving][0]
    return (feasible - obtained) / now / shares


@pytest.mark.parametrize(("shares", "arrivals"), [((0.55, 0.45), (0.4, 0.4)), ((0.3, 0.7), (0.2, 0.6))])
def test_up_down_against_a_naive_simulation(shares, arrivals):
    naive = np.array(
        [naive_up_down(np.array(shares), arrivals, 40_000, np.random.default_rng(seed)) for seed in range(10)]
    )
    result = uniprocessor.simulate("UD", shares, arrivals, **RUN).group_share_deviation
    error = result.half_width / stats.t.ppf(0.975, RUN["replications"] - 1)
    both = np.sqrt(error**2 + naive.var(axis=0, ddof=1) / len(naive))
    assert (np.abs(naive.mean(axis=0) - result.value) < 4 * both).all()


@pytest.mark.parametrize(("shares", "first"), [((0.4, 0.6), 1), ((0.6, 0.4), 0), ((0.5, 0.5), 0)])
def test_up_down_starts_as_hol(shares, first):
    # the first job measured is of the group that requires more, or of the lower index
    result = uniprocessor.simulate("UD", shares, (1e-9, 1e-9), 1.0, 1, jumps=1, warmup=0, replications=1)
    assert result.obtained_share.value[first] == 1


def test_up_down_measures_priorities_in_real_time():
    markovian, drawn = (
        uniprocessor.simulate("UD", UNEQUAL, (0.3, 0.4), sizes=size, jumps=2000)
        for size in (None, sizes.Exponential(1.0))
    )
    np.testing.assert_array_equal(markovian.obtained_share.value, drawn.obtained_share.value)


def test_up_down_delivers_the_required_shares_to_permanent_jobs():
    # thesis, Fig. 3.14: with two permanent jobs each, group shares are met, and job shares deviate by r_g
    result = uniprocessor.simulate("UD", (0.7, 0.3), (0.25, 0.25), 1.0, 2, **RUN)
    np.testing.assert_allclose(result.group_share_deviation.value, 0, atol=1e-3)
    np.testing.assert_allclose(result.job_share_deviation.value, (0.7, 0.3), atol=1e-3)


def test_up_down_keeps_both_groups_alike_where_it_can():
    # thesis, Fig. 3.6 at rho_1 / rho = 0.45, and its identity for service one job at a time
    result = uniprocessor.simulate("UD", EQUAL, (0.36, 0.44), **{**RUN, "jumps": 100_000})
    deviation = result.group_share_deviation
    assert abs(deviation.value[0] - deviation.value[1]) < 2e-3
    assert off(result.job_share_deviation, np.array([0.36, 0.44]) * result.probability_present.value) < 4
    gpps = uniprocessor.exact("GPPS", EQUAL, (0.36, 0.44)).group_share_deviation
    assert deviation.value.max() + deviation.half_width.max() < gpps.max()


def test_hol_with_one_permanent_job_decides_before_it_returns():
    # thesis, Section 3.2.2: the lower class is served then, and not when it decides afterwards, which PQ does
    hol = uniprocessor.simulate("HOL", (0.7, 0.3), (0.25, 0.0), 1.0, 1, **RUN)
    assert hol.obtained_share.value[1] > 0.2
    pq = uniprocessor.simulate("PQ", (0.7, 0.3), (0.25, 0.0), 1.0, 1, **RUN)
    np.testing.assert_array_equal(pq.group_share_deviation.value[1], 1.0)
    np.testing.assert_array_equal(pq.job_share_deviation.value[1], 0.0)


# --- Kernels ---------------------------------------------------------------------------------------------------------

ALL_RUNS = """
from clustershare import sizes, uniprocessor
for policy in uniprocessor.POLICIES:
    for size in (None, sizes.Exponential(), sizes.bimodal_phases(), sizes.Deterministic(1.0), sizes.Pareto(1.0, 1.5)):
        for permanent in (0, (1, 1)):
            arrivals = (0.3, 0.0) if permanent else (0.45, 0.5)
            result = uniprocessor.simulate(
                policy, (0.6, 0.4), arrivals, (1.0, 1.1), permanent, sizes=size,
                jumps=1500, warmup=100, replications=2, seed=3)
            print(policy, [list(map(float, e.value)) for e in (
                result.group_share_deviation, result.job_share_deviation, result.obtained_share)])
# rings and heaps that grow: hundreds of jobs wait
for policy in uniprocessor.POLICIES:
    print(uniprocessor.simulate(policy, (0.6, 0.4), (0.7, 0.4), (100.0, 0.41), jumps=3000, warmup=0, replications=1,
                                sizes=sizes.Pareto(1.0, 1.2)).obtained_share.value.tolist())
    print(uniprocessor.simulate(policy, (0.6, 0.4), (0.1, 0.0), 1.0, (150, 80), jumps=500, warmup=0,
                                replications=1).obtained_share.value.tolist())
"""


def test_kernels_give_the_same_bits_without_compilation():
    outputs = printed(ALL_RUNS)
    assert outputs[0] == outputs[1]
    assert len(outputs[0].splitlines()) == 7 * 5 * 2 + 7 * 2


def test_rings_keep_their_order_when_they_grow():
    head = np.array([2, 0])
    wide = kernel.wider(np.array([[2, 3, 0, 1], [4, 5, 6, 7]]), head)
    np.testing.assert_array_equal(wide, [[0, 1, 2, 3, 0, 0, 0, 0], [4, 5, 6, 7, 0, 0, 0, 0]])
    np.testing.assert_array_equal(head, 0)


def test_a_run_depends_on_its_seed_alone():
    first, again, other = (
        uniprocessor.simulate("UD", UNEQUAL, (0.3, 0.4), jumps=2000, warmup=0, replications=2, seed=seed)
        for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first.obtained_share.value, again.obtained_share.value)
    assert (first.obtained_share.value != other.obtained_share.value).all()
