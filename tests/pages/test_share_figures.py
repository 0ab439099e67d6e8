"""The figures of share deviations, what they are drawn from, and what their alt text says."""

import numpy as np
import pandas as pd
import pytest

from clustershare import uniprocessor
from clustershare.arguments import UnstableError
from pages.share_scheduling.one_processor import diagrams, figures
from pages.share_scheduling.one_processor.planes import Plane
from pages.share_scheduling.one_processor.points import Curve, curves, larger_deviation, on_grid, up_down_apart
from pages.share_scheduling.one_processor.systems import beside_permanent_jobs, two_groups


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPENDIUM_FIGURES", str(tmp_path))
    return tmp_path


def test_the_larger_deviation_where_it_is_known():
    known = larger_deviation("UD", [two_groups(0.2), two_groups(0.5)])
    assert known[0] == pytest.approx(-0.07172, abs=1e-5) and np.isnan(known[1])
    beside = [beside_permanent_jobs("HOL", 0.6, 1)]
    assert larger_deviation("HOL", beside, "job_share_deviation") == pytest.approx(0.42546, abs=1e-5)
    with pytest.raises(UnstableError):
        larger_deviation("PQ", [{**two_groups(0.5, required_share=0.6), "permanent_jobs": 1}])
    with pytest.raises(ValueError, match="policy must be one of"):
        larger_deviation("LIFO", [two_groups(0.5)])


def test_up_down_is_known_only_where_the_priorities_part():
    fractions, known = up_down_apart(0.8, [0.1, 0.2, 0.5, 0.6])
    assert fractions.tolist() == [0.1, 0.2]
    front = uniprocessor.exact("HOL", **two_groups(0.2, required_share=0.5 + 1e-9)).group_share_deviation
    np.testing.assert_allclose(known[1], front, atol=1e-8)
    nowhere, nothing = up_down_apart(0.8, [0.5])
    assert nowhere.shape == (0,) and nothing.shape == (0, 2)


def test_a_figure_tells_its_numbers():
    rows = pd.DataFrame({"policy": ["UD", "UD"], "x": [0.1, 0.3], "estimate": [-0.25, -0.5], "half_width": [0.1, 0.1]})
    curves = {
        "FCFS": Curve("FCFS", "FCFS, PS", [0, 1], [0.5, 1.5]),
        "UD": Curve("UD", "UD", [0, 0.2], [np.nan, np.nan]),
    }
    shown = figures.deviations_against(
        "one", curves, rows, x="x", xlabel="part", caption="A figure", told=0.19, fidelity="book"
    )
    assert shown.alt.endswith("against part. At 0.19: FCFS, PS 0.6900, UD simulated -0.2500.")
    assert shown.caption == (
        "A figure (one). Policies named together are on one line. The line of UD is dashed. Intervals of 95 %."
    )


def test_a_curve_is_computed_for_its_policy_whatever_its_label():
    x = np.array([0.2, 0.4])
    found = curves({"PQ": "PQ, which starves"}, x, lambda policy, part: two_groups(part))["PQ"]
    expected = [uniprocessor.exact("PQ", **two_groups(part)).group_share_deviation.max() for part in x]
    assert found.label == "PQ, which starves" and found.deviation == pytest.approx(expected)


def test_the_taxonomy_has_every_policy():
    assert sorted(sum(diagrams.CLASSES.values(), ())) == sorted(uniprocessor.POLICIES)


def test_a_region_counts_the_points_that_agree():
    corners = [(0.5, 0), (0.5, 0.5), (1, 0)]
    words = {"xlabel": "x", "ylabel": "y", "caption": "A region"}
    points, found = on_grid(lambda x, y: x - 0.5)
    assert (points.sum(axis=1) < 0.78).all() and (found == points[:, 0] - 0.5).all()
    right = figures.sign_region("one", points, found, corners, **words)
    wrong = figures.sign_region("one", points, -found, corners, **words)
    assert "at 45 of 45 points" in right.alt and "at 0 of 45 points" in wrong.alt


def test_a_map_says_how_much_is_kept():
    plane = Plane(np.array([0.25, 0.75]), np.array([[-0.1, 0.0], [0.2, -0.3]]), 0.0)
    shown = figures.deviation_maps("one", {"HOL": plane}, "A map")
    assert "HOL: nobody falls short in 75% of the plane, at worst 0.200" in shown.alt


def test_the_taxonomy_names_every_policy():
    alt = diagrams.taxonomy("one").alt
    assert "Processor sharing: PS, PPS, GPPS." in alt and "Preemptive: PQ." in alt
