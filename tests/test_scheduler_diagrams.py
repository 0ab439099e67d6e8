"""Drawings of systems, by what they show; and the distance to balanced fairness."""

import numpy as np
import pytest

from clustershare import interruptions, multiserver, sizes
from pages.balanced_fairness import sensitivity
from pages.balanced_fairness.systems import three_servers
from pages.round_robin import figures as diagrams

GRAPH = multiserver.CompatibilityGraph([{0}, {0, 1}, {1}], [1.0, 2.0])


def words(figure):
    return [text.get_text() for plot in figure.axes for text in plot.texts]


def test_a_line_for_every_pair_that_fits():
    figure = diagrams.compatibility(GRAPH)
    lines = [line for line in figure.axes[0].lines if len(line.get_xdata()) == 2]
    assert len(lines) == 4
    assert words(figure) == ["class 1", "class 2", "class 3", "computer 1\ncapacity 1", "computer 2\ncapacity 2"]


def test_a_timeline_has_a_box_for_each_server_and_place():
    start = [0, 1, 0]
    events = interruptions.trace(GRAPH, [0.3] * 3, sizes.Exponential(50.0), 100, start, events=6, seed=2)
    above, below = diagrams.timeline(GRAPH, start, events[:5], events[5].time).axes
    queues = [tuple(enumerate(start)), *(event.queue for event in events[:5])]
    boxes = sorted((patch.get_x(), patch.get_y() + 0.4) for patch in below.patches)
    assert len(boxes) == sum(map(len, queues))
    assert [x for x, _ in boxes][0] == 0 and len(above.patches) <= 2 * len(queues)
    in_service = sum(np.count_nonzero(multiserver.state_rates(GRAPH, [i for _, i in queue])) for queue in queues)
    assert sum(line.get_marker() == "." for line in below.lines) == in_service


def test_a_network_tells_its_means():
    figure = diagrams.network([("a", "x"), ("b", "y")], [0.5, 1.25])
    assert {"0.500", "1.250", "a", "y"} <= set(words(figure))
    assert [patch.get_width() for patch in figure.axes[0].patches] == [0.5, 1.25]


def test_balanced_fairness_is_at_no_distance_of_itself():
    for mean in (1.0, 3.0):
        system = three_servers(0.7, (0.5, 1.5, 1.2), mean)
        exact = multiserver.balanced_fairness(system["graph"], np.array(system["arrival_rates"]) * mean).mean_jobs
        np.testing.assert_allclose(sensitivity.fair_jobs(**system, mean=mean), exact)
        assignment = multiserver.RandomAssignment(50, 2)
        found = sensitivity.fair_jobs(assignment, 40 / mean, mean)
        assert found == pytest.approx(multiserver.random_assignment(50, 2, 0.8).mean_jobs)


def test_distances_take_the_class_that_is_farthest(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPENDIUM_RESULTS", str(tmp_path))
    rows = sensitivity.distances("two nested classes", [0, 3], [0.5], "quick")
    assert list(rows["sizes"]) == ["a", "a", "b", "b", "c", "c"]
    system = three_servers(0.5, (1.0, 0.0, 1.0))
    fair = multiserver.balanced_fairness(**system).mean_jobs
    first_come = multiserver.simulate(**system, sizes=sizes.bimodal_hyperexponential(), interruptions=0, seed=1)
    ratios = np.abs(first_come.mean_jobs.value / fair - 1)
    row = rows[(rows["sizes"] == "b") & (rows["interruptions"] == 0)].iloc[0]
    assert row["estimate"] == pytest.approx(ratios.max(), abs=2 * row["half_width"])
    after = rows[(rows["sizes"] == "b") & (rows["interruptions"] == 3)].iloc[0]
    assert after["estimate"] + after["half_width"] < row["estimate"] - row["half_width"]
    with pytest.raises(ValueError, match="system must be one of"):
        sensitivity.distances("four servers", [0], [0.5], "quick")
