"""The drawings of `roundrobin`, by what they show."""

import numpy as np

from clustershare import interruptions, multiserver, sizes
from pages.round_robin import diagrams
from pages.round_robin.systems import stretches

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
    path = stretches(GRAPH, start, events)
    assert path[-1].stop == events[5].time
    above, below = diagrams.timeline(path, events[:5]).axes
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
