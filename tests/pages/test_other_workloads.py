"""The conclusions of the sources on other workloads: the workloads, the arithmetic of means over logs, the rules."""

import numpy as np
import pytest

from clustershare.compiled.arguments import law as check_law
from pages.across import conclusions, logs
from pages.across.conclusions import Conclusion, above, at_least, at_most, close
from pages.across.logs import Measured
from pages.cluster_chain.checks.curves import single_queue


@pytest.mark.parametrize("name", logs.LOGS)
def test_a_log_has_the_load_and_the_groups_that_are_asked_for(name):
    work = logs.of_one_server(name, 2, rate=8.0, first=0.25)
    span = work.arrivals[-1] - work.arrivals[0]
    assert len(work) == logs.JOBS and work.servers.max() == 1
    assert work.sizes.sum() / span / 10 == pytest.approx(0.8)
    assert abs((work.groups == 0).mean() - 0.25) < 4 * np.sqrt(0.25 * 0.75 / logs.JOBS)
    parallel = logs.in_parallel(name, 2, 0.5)
    used = (parallel.sizes * parallel.servers).sum() / (parallel.arrivals[-1] - parallel.arrivals[0])
    assert used / logs.MACHINE == pytest.approx(0.5) and parallel.servers.max() <= logs.MACHINE
    assert parallel.sizes.mean() == pytest.approx(1)
    np.testing.assert_allclose(  # the work is that of the log
        work.sizes / work.sizes[0], parallel.sizes * parallel.servers / (parallel.sizes * parallel.servers)[0]
    )


@pytest.mark.parametrize("name", logs.LOGS)
def test_the_laws_of_a_log_have_mean_1(name):
    arrivals, sizes = logs.laws(name)
    check_law("sizes", sizes)
    assert arrivals.law.mean == pytest.approx(1) and sizes.mean == pytest.approx(1)
    _, own, _ = logs.drawn(name, 1, logs.FEWER_JOBS)
    np.testing.assert_allclose(
        np.repeat(sizes.values, np.rint(sizes.weights * len(own)).astype(int)), np.sort(own), rtol=1e-9
    )


def test_the_chain_of_a_workload_has_its_load():
    for name in ("Downey", "daily"):
        cluster = logs.chain_of(name, 0.5)
        needs = np.array(cluster.job_sizes)
        assert cluster.arrival_rate * needs.prod(axis=1).sum() / cluster.servers == pytest.approx(0.5)


def test_means_over_logs_are_subtracted_log_by_log():
    logs_of = np.array([1.0, 2.0, 4.0])
    one, two = Measured.of_logs(logs_of), Measured.of_logs(logs_of - 0.5)
    assert one.value == pytest.approx(7 / 3) and one.within == pytest.approx(4.302653 * logs_of.std(ddof=1) / 3**0.5)
    assert (one - two).value == pytest.approx(0.5) and (one - two).within < 1e-12
    assert (2 * one - 1).value == pytest.approx(2 * 7 / 3 - 1) and (2 * one - 1).within == pytest.approx(2 * one.within)
    apart = Measured(3.0, 0.3) - Measured(1.0, 0.4)
    assert (apart.value, apart.within) == (2.0, pytest.approx(0.5))
    assert (1 - Measured(3.0, 0.3)).value == -2.0
    assert Measured(0.0).of_jobs(300).within == 0.01 and Measured(0.1, 0.02).of_jobs(300).within == 0.02


def test_a_point_holds_fails_or_is_open():
    sure, unsure = Measured(0.5, 0.1), Measured(0.5, 0.6)
    assert [at_least(sure, 0.3), at_least(sure, 0.45), at_least(sure, 0.7)] == [True, None, False]
    assert [at_most(sure, 0.3), at_most(sure, 0.55), at_most(sure, 0.6)] == [False, None, True]
    assert [above(sure), above(unsure), above(Measured(0.0)), above(sure * -1)] == [True, None, False, False]
    exact = Measured(1.0)
    assert close(Measured(0.985, 0.004), exact, 0.02) == (True, pytest.approx(0.015))
    assert close(exact, Measured(0.985, 0.004), 0.02)[0] and close(Measured(0.98, 0.01), exact, 0.02)[0] is None
    assert close(Measured(0.9, 0.01), exact, 0.02)[0] is False and close(Measured(1.1, 0.01), exact, 0.02)[0] is False
    assert close(Measured(0.0, 1e-3), Measured(1e-9), 0.02)[0] is None  # nobody was lost: that tells nothing


def test_an_outcome_counts_what_is_told():
    points = {("Lublin", 1): (True, 0.1), ("Lublin", 2): (None, 0.3), ("daily", 1): (False, 0.2)}
    whole = Conclusion(points, "the part", max)
    assert (whole.outcome, whole.told, whole.extreme) == ("in part", (1, 2), 0.3)
    assert whole.workloads == ["Lublin", "daily"]
    assert [whole.of(name).outcome for name in ("Lublin", "daily")] == ["stands", "falls"]
    assert conclusions.outcomes({"it": whole}).loc["it"].tolist() == ["stands 1/1", "", "", "", "falls 0/1"]
    found = whole.finding()
    assert (found.verdict, found.part) == ("agrees in part", "1/2")
    assert found.computed.endswith("Lublin 1 of 1, 1 open, 0.3; daily 0 of 1, 0.2")
    left = Conclusion({("daily", 1): (None, 0.2)}, "the part", max)
    assert left.outcome == "open"


def test_one_queue_loses_what_its_chain_says():
    for load, places in ((0.1, 15), (0.9, 15), (3.0, 2)):
        expected = single_queue(places, 10 * load)[0]
        assert conclusions.lost_by_one_queue(load, places) == pytest.approx(expected, rel=1e-9)
