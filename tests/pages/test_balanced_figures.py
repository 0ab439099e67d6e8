"""The figures of `balanced` and what their alt text says; the distance to balanced fairness."""

import numpy as np
import pandas as pd
import pytest

from clustershare import multiserver, sizes
from pages.balanced_fairness.figures import against_load
from pages.balanced_fairness.points import distances
from pages.balanced_fairness.systems import LOADS, fair_curves, paper_sizes, three_servers

NESTED = (1.0, 0.0, 1.0)
FAIR = [multiserver.balanced_fairness(**three_servers(load, NESTED)) for load in LOADS]


def rows():
    """Made-up points: half the exact rate, and a delay to match."""
    made = []
    for letter, size in paper_sizes().items():
        for load, exact in zip(LOADS, FAIR):
            for index in (0, 1):
                rate = exact.mean_service_rate[index] / 2
                values = {"mean_service_rate": rate, "mean_delay": size.mean / rate}
                made += [(letter, 1, load, name, index, value, 0.01) for name, value in values.items()]
    columns = ["letter", "interruptions", "load", "quantity", "index", "estimate", "half_width"]
    return pd.DataFrame(made, columns=columns)


def test_a_panel_tells_its_numbers(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPENDIUM_FIGURES", str(tmp_path))
    at = LOADS.index(0.8)
    common = {
        "rows": rows(),
        "curves": fair_curves(LOADS, FAIR),
        "system": "two servers",
        "classes": (0, 1),
        "fidelity": "book",
    }
    shown = against_load("balanced-fig-2c-rate", **common)
    for index in (0, 1):
        exact = FAIR[at].mean_service_rate[index]
        assert f"class {index + 1}, balanced fairness is at {exact:.3g}, m = 1 at {exact / 2:.3g}" in shown.alt
    slow = against_load("balanced-fig-2c-delay", **common)
    assert f"balanced fairness is at {paper_sizes()['c'].mean * FAIR[at].mean_delay[1]:.3g}" in slow.alt
    assert (tmp_path / "balanced-fig-2c-delay.svg").exists()


def test_little_and_the_mean_size_hold_for_the_exact_lines():
    for size in paper_sizes().values():
        system = three_servers(0.6, NESTED, size.mean)
        assert np.allclose(np.array(system["arrival_rates"]) * size.mean, three_servers(0.6, NESTED)["arrival_rates"])


def test_another_identifier_is_refused():
    with pytest.raises(ValueError, match="identifier must be of the form balanced-fig-1a-rate; got 'thesis-fig-3.5'"):
        against_load("thesis-fig-3.5", rows(), fair_curves(LOADS, FAIR), system="", fidelity="book")


def test_balanced_fairness_is_at_no_distance_of_itself():
    for mean in (1.0, 3.0):
        system = three_servers(0.7, (0.5, 1.5, 1.2), mean)
        exact = multiserver.balanced_fairness(system["graph"], np.array(system["arrival_rates"]) * mean).mean_jobs
        np.testing.assert_allclose(distances.fair_jobs(**system, mean=mean), exact)
        assignment = multiserver.RandomAssignment(50, 2)
        found = distances.fair_jobs(assignment, 40 / mean, mean)
        assert found == pytest.approx(multiserver.random_assignment(50, 2, 0.8).mean_jobs)


def test_distances_take_the_class_that_is_farthest(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPENDIUM_RESULTS", str(tmp_path))
    monkeypatch.setenv("COMPENDIUM_FRESH", "1")  # whatever is stored
    rows = distances.of_system("two nested classes", [0, 3], [0.5], "quick")
    assert list(rows["letter"]) == ["a", "a", "b", "b", "c", "c"]
    system = three_servers(0.5, (1.0, 0.0, 1.0))
    fair = multiserver.balanced_fairness(**system).mean_jobs
    first_come = multiserver.simulate(**system, sizes=sizes.bimodal_hyperexponential(), interruptions=0, seed=1)
    ratios = np.abs(first_come.mean_jobs.value / fair - 1)
    row = rows[(rows["letter"] == "b") & (rows["interruptions"] == 0)].iloc[0]
    assert row["estimate"] == pytest.approx(ratios.max(), abs=2 * row["half_width"])
    after = rows[(rows["letter"] == "b") & (rows["interruptions"] == 3)].iloc[0]
    assert after["estimate"] + after["half_width"] < row["estimate"] - row["half_width"]
    with pytest.raises(ValueError, match="system must be one of"):
        distances.of_system("four servers", [0], [0.5], "quick")
