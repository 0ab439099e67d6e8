"""The conclusions of the sources on other workloads: the workloads, the arithmetic of means over logs, the rules."""

import numpy as np
import pytest

from clustershare.compiled.arguments import law as check_law
from clustershare.workload.drawn import drawn
from compendium.study import FIDELITIES, run_lengths
from pages.across.points import conclusions, logs
from pages.across.points.conclusions import Conclusion, above, at_least, at_most, close
from pages.across.points.logs import Measured


def test_a_run_by_day_sees_the_load_of_a_day():
    """Its jobs come a given number after the beginning, so that it ends near midnight and not at it."""
    day = logs.stream("daily")
    hours = np.linspace(0, 1, len(day.rates) + 1)
    clock = np.concatenate([[0], np.cumsum(np.array(day.rates) / len(day.rates))])
    rng = np.random.default_rng(5)

    def time(work):
        return np.floor(work) + np.interp(work % 1, clock, hours)

    asked = {(100 * p * load, jumps) for p, jumps in ((3, 7), (10, 2), (100, 2)) for load in (0.3, 0.5, 0.7, 0.8, 0.9)}
    for fidelity, least in (("book", 1e-3), ("quick", 5e-3)):
        before = FIDELITIES[fidelity]["warmup"]
        for jobs, jumps in asked:
            part = logs.whole_days(fidelity, "daily", jobs, jumps)
            lengths = run_lengths(fidelity, part)
            days = np.array([lengths["warmup"], lengths["jumps"]]) / (jumps * jobs)
            np.testing.assert_allclose(days, np.rint(days), atol=1 / jobs)
            assert days[0] >= logs.FEWEST_DAYS[fidelity] and part >= logs.PART - 0.5 / before
            first, more = (rng.gamma(jobs * each, size=40_000) / jobs for each in days)
            assert abs((more / (time(first + more) - time(first))).mean() - 1) < least
    assert logs.whole_days("book", "bursty", 800) == logs.PART


@pytest.mark.parametrize("name", logs.LOGS)
def test_the_laws_of_a_log_have_mean_1(name):
    arrivals, sizes = logs.laws(name)
    check_law("sizes", sizes)
    assert arrivals.law.mean == pytest.approx(1) and sizes.mean == pytest.approx(1)
    _, own, _ = drawn(name, 1, logs.FEWER_JOBS)
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
    assert [at_most(sure, most) for most in (0.3, 0.55, 0.6)] == [(False, 0.5), (None, 0.5), (True, 0.5)]
    assert [above(sure), above(unsure), above(Measured(0.0)), above(sure * -1)] == [True, None, False, False]
    exact = Measured(1.0)
    assert close(Measured(0.985, 0.004), exact, 0.02) == (True, pytest.approx(0.015))
    assert close(exact, Measured(0.985, 0.004), 0.02)[0] and close(Measured(0.98, 0.01), exact, 0.02)[0] is None
    assert close(Measured(0.9, 0.01), exact, 0.02)[0] is False and close(Measured(1.1, 0.01), exact, 0.02)[0] is False
    assert close(Measured(0.0, 1e-3), Measured(1e-9), 0.02)[0] is None  # nobody was lost: that tells nothing


def test_an_outcome_counts_what_is_told():
    points = {("Lublin", 1): (True, 0.1), ("Lublin", 2): (None, 0.3), ("daily", 1): (False, 0.2)}
    whole = Conclusion(points, "the part is at most 0.15", "the largest part", max)
    assert (whole.outcome, whole.told, whole.extreme) == ("in part", (1, 2), 0.3)
    assert whole.workloads == ["Lublin", "daily"] and whole.of("Lublin", "daily") == whole
    assert [whole.of(name).outcome for name in ("Lublin", "daily")] == ["stands", "falls"]
    assert whole.extent == "all points that are told but 1 by day"
    assert whole.of("Lublin").extent == "every point that is told"
    assert conclusions.outcomes({"it": whole}).loc["it"].tolist() == ["stands 1/1", "", "", "", "falls 0/1"]
    found = whole.finding()
    assert (found.verdict, found.part) == ("agrees in part", "1/2")
    assert found.came_out == "the part is at most 0.15 at 1 of 1 point in logs of Lublin and none of 1 point by day"
    assert found.behind == [
        "the largest part: 0.3 in logs of Lublin, 0.2 by day",
        "left out, for their intervals lie on both sides of what is asked: 1 point in logs of Lublin",
    ]
    left = Conclusion({("daily", 1): (None, 0.2)}, "the part is at most 0.15", "the largest part", max)
    assert left.outcome == "open" and left.finding().verdict == "differs"
