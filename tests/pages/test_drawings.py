"""What drawings show: a policy looks the same in all of them, and nothing hides anything else."""

import itertools

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import same_color
from matplotlib.text import Annotation, Text

from clustershare import uniprocessor
from compendium.press import axes
from compendium.press.figures import legend
from pages import figures as shared
from pages.across import figures
from pages.cluster_chain import diagrams as chain_diagrams
from pages.cluster_chain import figures as chain_figures
from pages.cluster_chain import systems as chains
from pages.round_robin import diagrams as round_robin_diagrams
from pages.round_robin.systems import Stretch
from pages.share_scheduling.central import figures as central
from pages.share_scheduling.distributed import figures as distributed
from pages.share_scheduling.one_processor import figures as one_processor
from pages.share_scheduling.one_processor.points import Curve
from pages.share_scheduling.splitting import figures as splitting

CLUSTERS = ("JSQ", "HP", "SVP", "DVP", "JSQ(2)", "SPILL", "HPRS", "VPRS")


@pytest.fixture
def kept(monkeypatch):
    """The figures that are published, in place of files."""
    found = []
    for module in (one_processor, splitting, central, distributed, chain_figures):
        monkeypatch.setattr(module, "publish", lambda figure, *args, **words: found.append(figure))
    return found


@pytest.mark.parametrize("policies", [uniprocessor.POLICIES, CLUSTERS, ("Shortest", "Distributed HP", "Nice")])
def test_policies_of_one_figure_differ_in_colour_and_marker(policies):
    looks = [shared.LOOKS[policy] for policy in policies]
    for part in (0, 1):
        assert len({look[part] for look in looks}) == len(policies)


def series(figure):
    """The lines of a figure with the policy of their label."""
    for plot in figure.axes:
        for container in plot.containers:
            yield shared.policy_of(container.get_label()), container[0]
        for line in plot.lines:
            if not line.get_label().startswith("_"):
                yield shared.policy_of(line.get_label()), line


def simulated(policies):
    rows = [(policy, x, 0.5, 0.01) for policy in policies for x in (0.1, 0.2)]
    return pd.DataFrame(rows, columns=["policy", "x", "estimate", "half_width"])


def test_a_policy_looks_the_same_in_all_drawings(kept):
    x, common = [0.1, 0.2], {"caption": "A figure", "told": 0.1, "fidelity": "book"}
    curves = {policy: Curve(policy, policy, x, [0.0, 0.0]) for policy in uniprocessor.POLICIES}
    one_processor.deviations_against("one", curves, simulated(curves), x="x", xlabel="x", **common)
    four = CLUSTERS[:4]
    values = {(policy, local): [0.1, 0.2] for policy in CLUSTERS[:6] for local in ("PS", "GPPS")}
    central.policies("two", x, "x", values, values, quantity="capacity_loss", **common)
    pairs = {policy: ([0.1, 0.2], [0.0, 0.0]) for policy in (*four, "SVP all asked")}
    distributed.against("three", x, "x", pairs, quantity="capacity_loss", **common)
    panels = {("capacity_loss", "case 1", policy): pair for policy, pair in list(pairs.items())[::-1]}
    distributed.panels("four", x, "x", {"capacity_loss": {}}, panels, **common)
    splitting.curves("five", np.array(x), {"VPRS": x, "HPRS": x}, labels=("x", "y"), caption="A figure", told=0.1)
    points = {("case 1", policy, "GPPS"): [(0.1, 0.2)] for policy in CLUSTERS[::-1]}
    central.planes("six", points, (0.1, 0.1), caption="A figure", fidelity="book")
    assert len(kept) == 6
    for figure in kept:
        found = list(series(figure))
        assert found
        for policy, line in found:
            assert same_color(line.get_color(), shared.colour(policy)), policy
            assert line.get_marker() in ("None", shared.LOOKS[policy][1]), policy


def test_policies_that_agree_are_all_seen(kept):
    """Marks at one place are open and differ in size or form; Up-Down's line is dashed and on top."""
    x = [0.1, 0.2]
    curves = {"HOL": Curve("HOL", "HOL", x, x), "UD": Curve("UD", "UD", x, x)}
    policies = ("HOL", "UD", "PS", "PPS", "GPPS")
    one_processor.deviations_against(
        "one", curves, simulated(policies), x="x", xlabel="x", caption="A", told=0.1, fidelity="book"
    )
    (plot,) = kept[0].axes
    marks = [container[0] for container in plot.containers]
    assert len({(mark.get_marker(), mark.get_markersize()) for mark in marks}) == len(policies)
    assert {mark.get_markerfacecolor() for mark in marks} == {"none"}
    lines = {line.get_label(): line for line in plot.lines}
    assert lines["UD"].get_linestyle() == "--" and lines["UD"].get_zorder() > lines["HOL"].get_zorder()


def test_chains_that_agree_are_all_seen(kept):
    exact = pd.DataFrame([(rate, x, 0.5) for rate in (20, 40) for x in (1, 2)], columns=["rate", "x", "use"])
    points = exact.assign(quantity="use", estimate=exact["use"], half_width=0.01)
    chain_figures.curves(
        "one", exact, points, x="x", by="rate", quantity="use", labels=("x", "y"), name="{}", caption="A", alt="A"
    )
    (plot,) = kept[0].axes
    below, above = (line for line in plot.lines if not line.get_label().startswith("_"))
    assert below.get_linewidth() > 1.5 * above.get_linewidth()
    below, above = (container[0] for container in plot.containers)
    assert below.get_markersize() > above.get_markersize() and below.get_markerfacecolor() == "none"


def sharpest_corner(x, y):
    """The largest turn of a line in degrees, in a panel one and a half times as wide as it is high."""
    x, y = (np.asarray(values, float) / np.ptp(values) for values in (x, y))
    return np.abs(np.diff(np.degrees(np.arctan2(np.diff(y), 1.5 * np.diff(x))))).max()


@pytest.mark.parametrize(
    ("make", "axis", "coarse", "measure"),
    [
        (lambda x: chains.figure_2(x, 10), "tracker_rate", chains.TRACKER_RATES, "mean_delay"),
        (lambda x: chains.figure_5(14, x), "arrival_rate", chains.ARRIVAL_RATES, "mean_delay"),
        (lambda x: chains.figure_7("bounded normal", x), "arrival_rate", chains.ARRIVAL_RATES, "utilisation"),
        (lambda x: chains.figure_11(0.1, x), "cloud_rate", chains.CLOUD_RATES, "utilisation"),
    ],
    ids=["2", "6", "9", "11"],
)
def test_exact_lines_have_no_corners(make, axis, coarse, measure):
    """Where the table's own points do."""
    turns = []
    for places in (chains.FINE[axis], coarse):
        values = [getattr(chains.solved(make(float(x))), measure) for x in places]
        turns.append(sharpest_corner(np.log(places) if axis == "tracker_rate" else places, values))
    assert turns[0] < 15 < turns[1]


def test_a_second_panel_is_closer(kept):
    curves = {"FCFS": Curve("FCFS", "FCFS", [0, 1], [0.26, 0.26])}
    one_processor.deviations_against(
        "one", curves, simulated(["FCFS"]), x="x", xlabel="x", caption="A", told=0.1, fidelity="book", closer=(0.2, 0.3)
    )
    whole, part = kept[0].axes
    assert part.get_ylim() == (0.2, 0.3) and whole.get_ylim()[0] <= 0


def test_a_region_has_the_colour_of_its_legend(kept):
    """Opaque: a region on another one is not a mixture of both."""
    points = np.array([(0.1, 0.1), (0.6, 0.2)])
    one_processor.sign_region(
        "one", points, points[:, 0] - 0.5, [(0.5, 0), (0.5, 0.5), (1, 0)], xlabel="x", ylabel="y", caption="A"
    )
    assert {patch.get_alpha() or 1 for patch in kept[0].axes[0].patches} == {1}


def test_arrows_end_at_their_boxes():
    families = pd.Categorical(["a", "b", "a", "b", "b"])
    targets = ["0, 1, (1, 1, 2)", "2, 1, (1, 2)", "1, 1, (2)", "0, 3, (1, 1, 2)", "1, 1, (1)"]
    figure = chain_diagrams.neighbourhood(
        "1, 1, (1, 2)", pd.DataFrame({"rate": range(5), "family": families, "target": targets})
    )
    figure.draw_without_rendering()
    notes = figure.axes[0].findobj(Annotation)
    assert len(notes) == 5
    middle = next(text for text in figure.axes[0].texts if text.get_text() == "1, 1, (1, 2)")
    for note in notes:
        (path, *_), _ = note.arrow_patch._get_path_in_displaycoord()
        ends = path.vertices[[0, -1]]
        for text in (note, middle):
            box = text.get_bbox_patch().get_window_extent()
            edge = [box.padded(4).contains(*end) and not box.padded(-4).contains(*end) for end in ends]
            assert any(edge), note.get_text()


def test_labels_of_events_stand_apart():
    def stretch(start, stop):
        return Stretch(start=start, stop=stop, queue=[(0, 0), (1, 0)], served=[0, 1], in_service=[True, True])

    class Event:
        def __init__(self, time, kind):
            self.time, self.kind, self.job = time, kind, 1

    times = [0.0, 0.48, 0.77, 0.85, 1.01, 1.83]
    events = [
        Event(time, kind) for time, kind in zip(times[1:5], ("interruption", "interruption", "arrival", "departure"))
    ]
    figure = round_robin_diagrams.timeline([stretch(*pair) for pair in zip(times, times[1:])], events)
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in figure.axes[0].texts if text.get_rotation()]
    assert len(boxes) == 4
    assert not any(one.overlaps(other) for k, one in enumerate(boxes) for other in boxes[:k])


def test_names_at_curves_stand_in_place_of_the_legend():
    """Each within the axes, and none on another."""
    figure, plot = axes("x", "y", xlim=(0, 1), ylim=(0, 1.1))
    x = np.linspace(0, 1, 21)
    for power in (1, 2, 4):
        plot.plot(x, x**power, label=f"power {power}")
    legend(figure, shared.name_curves(plot))
    assert not figure.legends
    figure.draw_without_rendering()
    boxes, room = [text.get_window_extent() for text in plot.texts], plot.get_window_extent()
    assert [text.get_text() for text in plot.texts] == ["power 1", "power 2", "power 4"]
    assert all(room.x0 <= box.x0 and box.x1 <= room.x1 and room.y0 <= box.y0 and box.y1 <= room.y1 for box in boxes)
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))


def test_names_at_points_do_not_cover_each_other():
    places = [("near", 0.5, 0.5, "black"), ("nearer", 0.51, 0.5, "black"), ("far", 0.9, 0.1, "black")]
    for write in (shared.name_points, shared.name_beside):
        figure, plot = axes("x", "y", xlim=(0, 1), ylim=(0, 1))
        for name, *_ in places:
            plot.plot([0.5], [0.5], label=name)
        legend(figure, write(plot, places))
        assert not figure.legends
        figure.draw_without_rendering()
        texts = [text for text in plot.texts if text.get_text()]
        assert sorted(text.get_text() for text in texts) == ["far", "near", "nearer"]
        boxes = [Text.get_window_extent(text) for text in texts]
        assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))


def test_a_chart_of_decisions_says_every_policy(monkeypatch):
    said = {}
    monkeypatch.setattr(figures, "publish", lambda figure, *args, **words: said.update(words, figure=figure))
    figures.decisions("one", caption="A chart")
    steps = (*figures.STEPS, figures.LAST)
    assert all(policy in said["alt"] for step in steps for policy in step[1:])
    (plot,) = said["figure"].axes
    assert len(plot.patches) == 2 * (len(figures.STEPS) + 1)
