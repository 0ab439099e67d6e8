"""The figures of share deviations, and what their alt text says."""

import numpy as np
import pandas as pd
import pytest

from clustershare.arguments import UnstableError
from pages.share_scheduling.one_processor import figures
from pages.share_scheduling.one_processor.systems import beside_permanent_jobs, two_groups


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPENDIUM_FIGURES", str(tmp_path))
    return tmp_path


def test_the_larger_deviation_where_it_is_known():
    known = figures.largest("UD", [two_groups(0.2), two_groups(0.5)])
    assert known[0] == pytest.approx(-0.07172, abs=1e-5) and np.isnan(known[1])
    beside = [beside_permanent_jobs("HOL", 0.6, 1)]
    assert figures.largest("HOL", beside, "job_share_deviation") == pytest.approx(0.42546, abs=1e-5)
    with pytest.raises(UnstableError):
        figures.largest("PQ", [{**two_groups(0.5, required_share=0.6), "permanent_jobs": 1}])


def test_a_panel_tells_its_numbers():
    rows = pd.DataFrame({"policy": ["UD", "UD"], "x": [0.1, 0.3], "estimate": [-0.25, -0.5], "half_width": [0.1, 0.1]})
    shown = figures.panel(
        "one", {"FCFS, PS": ([0, 1], [0.5, 1.5]), "UD": ([0, 0.2], [np.nan, np.nan])}, rows,
        x="x", xlabel="part", caption="A figure", told=0.19, fidelity="book",
    )  # fmt: skip
    assert shown.alt.endswith("against part. At 0.19: FCFS, PS 0.6900, UD simulated -0.2500.")
    assert shown.caption == "A figure (one). Intervals of 95 %."


def test_a_region_counts_the_points_that_agree():
    corners = [(0.5, 0), (0.5, 0.5), (1, 0)]
    words = {"xlabel": "x", "ylabel": "y", "caption": "A region"}
    right = figures.region("one", lambda x, y: x - 0.5, corners, **words)
    wrong = figures.region("one", lambda x, y: 0.5 - x, corners, **words)
    assert "at 45 of 45 points" in right.alt and "at 0 of 45 points" in wrong.alt


def test_a_map_says_how_much_is_kept():
    grid, values = np.array([0.25, 0.75]), np.array([[-0.1, 0.0], [0.2, -0.3]])
    shown = figures.feasibility_map("one", {"HOL": values}, grid, xlabel="x", ylabel="y", caption="A map")
    assert "HOL: nobody falls short in 75% of the plane, at worst 0.200" in shown.alt


def test_the_taxonomy_names_every_policy():
    alt = figures.taxonomy("one").alt
    assert "Processor sharing: PS, PPS, GPPS." in alt and "Preemptive: PQ." in alt
