"""Formulas and chains next to saturation and at tiny loads: digits, symmetry, units of time, monotony, known limits."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

from clustershare import cluster_chain, cluster_variants, interruptions, multiserver, sizes, uniprocessor
from clustershare.arguments import UnstableError
from clustershare.cluster_chain import ServiceCluster
from clustershare.dispatch import queueing_probability, shortest_queue_with_migration
from clustershare.results import NoExactAnswer

NEAR = [1 - 10.0**-k for k in range(1, 16)]
LOADS = sorted([10.0**-k for k in range(1, 16)] + NEAR)
FIELDS = ("obtained_share", "probability_present", "job_share_deviation", "mean_jobs")
THREE = multiserver.CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 1])
MIXTURE = sizes.bimodal_hyperexponential()


def one_processor(policy, loads, shares=(0.5, 0.5), permanent=(0, 0), unit=1.0):
    """The fields, a row each; None where there is no answer, which is honest."""
    try:
        found = uniprocessor.exact(policy, shares, np.array(loads) / unit, 1 / unit, permanent)
    except (UnstableError, NoExactAnswer):
        return None
    # A deviation is a difference: it has the digits of what it is a difference of.
    scale = np.maximum(found.probability_present, found.obtained_share / np.array(shares))
    off = found.probability_present - found.obtained_share / np.array(shares)
    assert (np.abs(found.group_share_deviation - off) <= 4e-16 * scale).all()
    return np.array([getattr(found, name) for name in FIELDS])


@pytest.mark.parametrize("load", LOADS)
@pytest.mark.parametrize("policy", uniprocessor.POLICIES)
def test_equal_groups_have_equal_results_whatever_their_labels_and_the_unit_of_time(policy, load):
    if policy in ("PPS", "GPPS") and load >= 0.9:
        return  # long chains, or none
    for permanent in ((0, 0), (0, 1), (1, 1), (1, 2), (2, 2)):
        found = one_processor(policy, (load / 2, load / 2), permanent=permanent)
        if found is None:
            continue
        relative = 1e-9 if policy in ("PPS", "GPPS") else 1e-14
        exchanged = one_processor(policy, (load / 2, load / 2), permanent=permanent[::-1])[:, ::-1]
        other_unit = one_processor(policy, (load / 2, load / 2), permanent=permanent, unit=2.0**40)
        np.testing.assert_allclose(exchanged, found, rtol=relative)
        np.testing.assert_allclose(other_unit, found, rtol=relative)
        if permanent == (0, 0) and policy not in ("PPS", "GPPS"):
            exactly = Fraction(load / 2) * 2 / (1 - Fraction(load / 2) * 2)
            assert found[3].sum() == pytest.approx(float(exactly), rel=1e-14)


def by_decimals(policy, arrivals, services, group):
    """The probability that a group is present, with 80 digits and by another arrangement: 1 less the transform."""
    with localcontext() as context:
        context.prec = 80
        rates, mus = ([Decimal(float(x)) for x in values] for values in (arrivals, services))
        loads = [rate / mu for rate, mu in zip(rates, mus)]
        x = sum(rates[: group + 1])
        for _ in range(400):  # Newton's method, from above the root of a convex function
            value = x - rates[group] - sum(a * x / (mu + x) for a, mu in zip(rates[:group], mus))
            x -= value / (1 - sum(a * mu / (mu + x) ** 2 for a, mu in zip(rates[:group], mus)))
        wait = 1 / (1 - sum(rates[i] / (mus[i] + x) for i in range(group + 1)))
        if policy == "PQ":
            return 1 - wait * (1 - sum(loads[: group + 1])) * mus[group] / (mus[group] + x)
        below = sum(a / (mu + x) for a, mu in zip(rates[group + 1 :], mus[group + 1 :]))
        return 1 - wait * (1 - sum(loads) + below) * mus[group] / (mus[group] + rates[group])


@pytest.mark.parametrize("load", LOADS[::2])
def test_priorities_to_the_last_digit(load):
    services = (0.7, 1.9, 3.1)
    arrivals = [load * part * mu for part, mu in zip((0.25, 0.3, 0.45), services)]
    for policy in ("HOL", "PQ"):
        try:
            found = uniprocessor.exact(policy, (0.5, 0.3, 0.2), arrivals, services)
        except UnstableError:  # rounded, the loads may sum to 1
            assert load > 1 - 1e-15 * 3
            continue
        right = [float(by_decimals(policy, arrivals, services, group)) for group in range(3)]
        np.testing.assert_allclose(found.probability_present, right, rtol=1e-14)


def served_before(load, service, other):
    """The sum of the recursion in the notes of the formula, step by step."""
    z, product, total, arrivals = 0.0, 1.0, 0.0, load * service
    for _ in range(3000):
        later = service / (service + arrivals * (1 - z))
        product *= later
        total += product * arrivals * (1 - z) / (other + arrivals * (1 - z))
        z = later
    return total


def test_a_queue_beside_one_permanent_job_of_the_first_group():
    # (1 - rho)^2 / (1 + sum over n of 1 / (n + 1)^2) remains at equal service rates as rho tends to 1.
    for load in NEAR[3:]:
        found = uniprocessor.exact("HOL", (0.6, 0.4), (load, 0.0), permanent_jobs=(1, 2)).obtained_share[1]
        assert found / (1 - load) ** 2 == pytest.approx(6 / math.pi**2, rel=1e-3 if load < 0.99999 else 2e-4)
    for load, services in ((1e-12, (1.0, 3.0)), (0.5, (1.0, 1e-4)), (0.97, (3.0, 1.0))):
        none_came = (1 - load) / (1 + served_before(load, *services))
        turns = (1 - load) / (1 + none_came * services[0] / services[1])
        found = uniprocessor.exact("HOL", (0.6, 0.4), (load * services[0], 0.0), services, (1, 2)).obtained_share
        np.testing.assert_allclose(found, [load + turns, 1 - load - turns], rtol=1e-9)


@pytest.mark.parametrize("load", LOADS)
def test_several_servers(load):
    # Equal classes, and (10) of `balanced` with fractions. A load within 1e-12 of 1 counts as 1.
    rate = 1.5 * load
    if load > 1 - 2e-12:
        with pytest.raises(UnstableError):
            multiserver.exact(THREE, [rate, rate], sizes.Exponential(), 0)
        return
    found = multiserver.exact(THREE, [rate, rate], sizes.Exponential(), 0)
    left, own = 3 - 2 * Fraction(rate), Fraction(rate) / 2
    right = float(1 / (1 / left + Fraction(1, 2) / (left + own**2)))
    for gamma in (found.mean_service_rate, multiserver.three_server_service_rates([1, 1, 1], [rate, rate])):
        assert gamma[0] == gamma[1] == pytest.approx(right, rel=1e-14)
    assert found.mean_jobs == pytest.approx([rate / right] * 2, rel=1e-14)
    unit = multiserver.CompatibilityGraph([{0, 2}, {1, 2}], [2.0**40] * 3)
    other = multiserver.exact(unit, [2.0**40 * rate] * 2, sizes.Exponential(), 0)
    np.testing.assert_allclose(other.mean_jobs, found.mean_jobs, rtol=1e-14)
    for servers, degree in ((3, 2), (10, 1), (10, 10)):
        share = [Fraction(math.comb(i - 1, degree - 1), math.comb(servers - 1, degree - 1))
                 for i in range(degree, servers + 1)]  # fmt: skip
        right = float(sum(part / (servers * (1 - Fraction(load) * part)) for part in share))
        assert multiserver.random_assignment(servers, degree, load).mean_delay == pytest.approx(right, rel=1e-14)


@pytest.mark.parametrize("load", LOADS)
def test_one_server_with_interruptions(load):
    # What is known at load 1, and that the coefficient over the load rises with it.
    assert multiserver.one_server_distance(load, sizes.Exponential(3.0)) == pytest.approx(0, abs=1e-14 * load)
    for law, limit in ((MIXTURE, 16 / 21), (sizes.ErlangMixture(0.5, (2,), (1.0,)), -1 / 3)):
        over = multiserver.one_server_distance(load, law) / load
        lower = multiserver.one_server_distance(load / 2, law) / (load / 2)
        assert abs(over) <= abs(limit) and abs(over) > abs(lower) * (1 - 1e-14)
        assert load < 0.99 or over == pytest.approx(limit, rel=2 * (1 - load))
    one = Fraction(load)
    equal = interruptions.many_tasks(load, sizes.Deterministic(2.0))
    assert equal == pytest.approx(float(one / (1 - one)), rel=1e-14)
    # Over the load the mean number rises, from 1: with a variation so large that the second term weighs.
    wild = sizes.Pareto(1.0, 2.0 + 1e-9)
    ratios = [interruptions.many_tasks(x, wild) / x for x in (load / 2, load)]
    assert 1 <= ratios[0] < ratios[1]


@pytest.mark.parametrize("load", LOADS)
def test_many_servers(load):
    exactly = Fraction(load)
    for processors in (1, 2, 9):
        blocking = Fraction(1)
        for servers in range(1, processors + 1):
            blocking *= exactly * processors / (servers + exactly * processors * blocking)
        right = float(blocking / (1 - exactly * (1 - blocking)))
        assert queueing_probability(load, processors) == pytest.approx(right, rel=1e-13)
        found = shortest_queue_with_migration((0.5, 0.5), (load / 2, load / 2), processors)
        mean = exactly * processors + Fraction(right) * exactly / (1 - exactly)
        np.testing.assert_allclose(found.mean_jobs, float(mean) / 2, rtol=1e-13)
        assert found.group_share_deviation[0] == pytest.approx(found.group_share_deviation[1], abs=1e-15)


@pytest.mark.parametrize("load", [*LOADS, *(1 / x for x in LOADS), 1e100, 1e299])
def test_clusters_between_no_arrivals_and_too_many(load):
    # What has a limit of many arrivals: a queue that is always full. What has one of few: the means per arrival.
    cluster = ServiceCluster(4, 2, {1: 0.5, 3: 0.5}, load, 5, 1)
    found = cluster.solve()
    accepted = found.mean_jobs_in_service  # the service rate is 1
    assert 0 <= found.blocking <= 1 and found.mean_delay == pytest.approx(found.mean_queue / accepted, rel=1e-9)
    assert load > 1e-3 or accepted == pytest.approx(load, rel=2 * load)
    assert load > 1e-3 or found.mean_response == pytest.approx([1.2, 1.2], rel=3 * load)
    assert load < 1e3 or found.mean_delay == pytest.approx(1.4709134615384616, rel=2 / load)
    unit = ServiceCluster(4, 2, {1: 0.5, 3: 0.5}, load / 2.0**20, 5 / 2.0**20, 2.0**-20)
    for name in ("blocking", "utilisation", "mean_queue"):
        assert getattr(unit.solve(), name) == pytest.approx(getattr(found, name), rel=1e-9)
    if load < 1e9:
        plain = cluster_chain.solve_directly(cluster, "gth")
        assert found.mean_delay == pytest.approx(plain.mean_delay, rel=1e-9)
        sleeping = cluster_variants.SleepingCluster(cluster, setup_rate=1.0, shutdown_rate=0.0).solve()
        assert sleeping.mean_delay == pytest.approx(plain.mean_delay, rel=1e-9)
        urgent = cluster_variants.PriorityCluster(4, (2, 2), (1, 3), (load, load), (1.0, 1.0), 5.0).solve()
        alone = ServiceCluster(4, 2, {1: 1.0}, load, 5, 1).solve()  # urgent jobs do not notice the others
        assert urgent.mean_response[0] == pytest.approx(alone.mean_response[0], rel=1e-9)
        assert urgent.mean_response[1] >= 1.2 - 1e-9
        # For the others the servers must stay free of urgent jobs, which takes a power of the load.
        power = 1.4046285714e14 * (load / 1e3) ** 5
        assert load < 1e3 or urgent.mean_response[1] == pytest.approx(power, rel=20 / load)


def test_so_many_interruptions_that_digits_are_lost():
    for interruptions_per_job in (1e9, 1e12):
        found = multiserver.exact(THREE, [0.1, 0.1], MIXTURE, interruptions_per_job)
        fair = multiserver.balanced_fairness(THREE, [0.1, 0.1]).mean_jobs
        assert np.abs(found.mean_jobs / fair - 1).max() < found.error < 1e-3
    for rate, interruptions_per_job in ((0.5, 1e6), (0.1, 1e15), (0.1, 1e300)):
        with pytest.raises(NoExactAnswer):
            multiserver.exact(THREE, [rate, rate], MIXTURE, interruptions_per_job)
