"""Publishing a figure."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pandas as pd
import pytest

from compendium import places, press
from compendium.press.figures import RINGED

ROWS = pd.DataFrame({"x": [1, 2], "estimate": [3.0, 4.0], "half_width": [0.1, 0.2]})


def drawn():
    figure, axes = press.axes("load $\\rho$", "delay", xlim=(0, 3))
    press.exact_line(axes, [0, 3], [2, 5], 0, "exact")
    press.simulated_points(axes, ROWS, "x", 1, "simulated")
    axes.legend()
    return figure


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPENDIUM_FIGURES", str(tmp_path))
    return tmp_path


def test_the_same_drawing_is_the_same_bytes(folder):
    press.publish(drawn(), "one", caption="A figure.", alt="A line and two points.")
    first = (folder / "one.svg").read_bytes()
    press.publish(drawn(), "one", caption="A figure.", alt="A line and two points.")
    assert first == (folder / "one.svg").read_bytes()
    assert b"2026" not in first and b"date" not in first
    assert ElementTree.fromstring(first).tag.endswith("svg")


def test_a_last_bit_of_the_data_does_not_show(folder):
    rng, files = np.random.default_rng(1), set()
    for _ in range(6):
        figure, axes = press.axes("mean interruptions", "error")
        error = np.array([0.2, 0.03, 0.0031, 0.00031]) * (1 + 1e-15 * rng.standard_normal(4))
        press.exact_line(axes, [1, 10, 100, 1000], error, 0, "exact")
        axes.set(xscale="log", yscale="log")
        press.publish(figure, "one", caption="A figure.", alt="A line.")
        files.add((folder / "one.svg").read_bytes())
    assert len(files) == 1


def test_caption_and_alt_text_travel_with_the_picture(folder):
    shown = press.publish(drawn(), "one", caption="A\n  figure.", alt="A line.")
    data, metadata = shown._repr_mimebundle_()
    assert data["image/svg+xml"] == (folder / "one.svg").read_text()
    assert metadata == {"clustershare": {"figure": "one", "caption": "A figure.", "alt": "A line."}}


def test_its_points_stand_beside_it(folder):
    figure, (first, second) = press.figures.canvas(2)
    first.set(title="alone", xlabel="load $\\rho$", ylabel="delay")
    press.exact_line(first, [0, 3], [2, 5 + 1e-13], 0, "exact")
    press.simulated_points(first, ROWS, "x", 1, "simulated")
    first.axhline(3)
    first.axvspan(0, 1)
    second.set(xlabel="policy", ylabel="jobs")
    second.bar([1, 2], [7, 8], width=0.5, label="bars")
    second.scatter([4], [9])
    press.publish(figure, "one", caption="A figure.", alt="Two panels.")
    assert (folder / "one.csv").read_text().splitlines() == [
        "panel,abscissa,ordinate,series,x,y,half_width",
        r"alone,load $\rho$,delay,exact,0,2,",
        r"alone,load $\rho$,delay,exact,3,5,",
        r"alone,load $\rho$,delay,simulated,1,3,0.1",
        r"alone,load $\rho$,delay,simulated,2,4,0.2",
        "2,policy,jobs,bars,1,7,",
        "2,policy,jobs,bars,2,8,",
        "2,policy,jobs,,4,9,",
    ]


def test_a_diagram_has_no_points(folder):
    figure, axes = press.axes("", "")
    axes.set_axis_off()
    axes.plot([0, 1], [0, 1])
    press.publish(figure, "one", caption="A diagram.", alt="A line.")
    assert sorted(path.name for path in folder.iterdir()) == ["one.json", "one.svg"]


def test_a_point_of_short_runs_has_a_ring_which_the_caption_explains(folder):
    """It is no point of its own."""
    for said, ringed in ((["", "short"], True), (["", ""], False)):
        figure, axes = press.axes("x", "y")
        rows = pd.DataFrame({"x": [1.0, 2.0], "estimate": [3.0, 4.0], "half_width": [0.1, 0.2], "warning": said})
        press.simulated_points(axes, rows, "x", 0, "simulated")
        shown = press.publish(figure, "one", caption="A figure.", alt="Two points.")
        assert (RINGED in shown.caption) == ringed and shown.caption.startswith("A figure.")
        assert len((folder / "one.csv").read_text().splitlines()) == 3


def test_quick_fidelity_is_written_across(folder):
    press.publish(drawn(), "quick", caption="A figure.", alt="A line.", fidelity="quick")
    press.publish(drawn(), "book", caption="A figure.", alt="A line.", fidelity="book")
    assert len((folder / "quick.svg").read_text()) > len((folder / "book.svg").read_text())


@pytest.mark.parametrize(
    ("caption", "alt", "sentence"),
    [("", "A line.", "caption must be a sentence; got ''"), ("A figure.", " ", "alt must be a sentence; got ' '")],
)
def test_a_figure_without_words_is_refused(folder, caption, alt, sentence):
    with pytest.raises(ValueError, match=sentence):
        press.publish(drawn(), "one", caption=caption, alt=alt)
    assert not list(folder.iterdir())


def test_an_axis_without_a_label_is_refused(folder):
    figure = drawn()
    figure.axes[0].set_ylabel("")
    with pytest.raises(ValueError, match=r"figure.axes\[0\] must be labelled on both axes"):
        press.publish(figure, "one", caption="A figure.", alt="A line.")


SVG = "{http://www.w3.org/2000/svg}"


LEGEND = re.compile(r'<g id="legend_\d+">.*?(?=<g id="(?:legend|axes|figure)|\Z)', re.DOTALL)
ENTRY = re.compile(r"<!-- (.*?) -->\s*<g [^>]*translate\(([\d.]+) ")


def legend_of(svg):
    """The words of the legends of a figure, and the places of their text across and down.

    Those of exponents, which have one scale alone, are told from their text.
    """
    words, spots = [], []
    for legend in LEGEND.findall(svg):
        words += re.findall(r"<!-- (.*?) -->", legend)
        found = re.findall(r"translate\(([\d.]+) ([\d.]+)\) scale\(\S+ ", legend)
        spots += [tuple(map(float, place)) for place in found]
    return words, spots


def test_a_series_is_named_once_and_outside_of_the_axes(folder):
    figure, plots = press.figures.stacked(["one", "two"], "load", "delay")
    for plot in plots:
        press.exact_line(plot, [0, 3], [2, 5], 0, "PS")
        press.simulated_points(plot, ROWS, "x", 0, "PS")
        press.simulated_points(plot, ROWS, "x", 1, "FCFS")
        plot.legend(loc="center")
    press.publish(figure, "one", caption="A figure.", alt="Two panels.")
    words, _ = legend_of((folder / "one.svg").read_text())
    assert sorted(words) == ["FCFS", "PS", "lines: exact, points: simulated"]
    box = figure.legends[0].get_window_extent()
    assert not any(plot.get_legend() or box.overlaps(plot.get_window_extent()) for plot in plots)
    assert box.x1 <= figure.bbox.width
    names = [row.split(",")[3] for row in (folder / "one.csv").read_text().splitlines()[1:]]
    assert set(names) == {"PS", "PS (simulated)", "FCFS"}


def test_a_lone_series_needs_no_legend(folder):
    figure, axes = press.axes("load", "delay")
    press.exact_line(axes, [0, 3], [2, 5], 0, "PS")
    axes.legend()
    press.publish(figure, "one", caption="A figure.", alt="A line.")
    assert not figure.legends and not axes.get_legend()


def test_text_that_a_phone_would_show_too_small_is_refused(folder):
    figure = drawn()
    figure.axes[0].text(1, 3, "small", fontsize=9)
    with pytest.raises(ValueError, match="figure must be legible on a phone; got 'text of 9 points on 5.2 inches'"):
        press.publish(figure, "one", caption="A figure.", alt="A line.")


def places_across(svg):
    """Where the entries of the legend of a figure begin, from the left."""
    found = [place for legend in LEGEND.findall(svg) for place in ENTRY.findall(legend)]
    return [float(x) for word, x in found if not word.startswith("lines: exact")]


def uneven(places):
    """What fewer columns of a legend would mend: a last line that is emptier than it need be, or has one entry."""
    entries, left = len(places), []
    for x in places:
        if all(abs(x - other) > 1.5 for other in left):
            left.append(x)
    columns, fewer = len(left), range(2, len(left))
    if any(-(-entries // number) == -(-entries // columns) for number in fewer):
        return f"{entries} in {columns} columns, and fewer would need no more lines"
    if columns > 1 and entries % columns == 1 and any(entries % number != 1 for number in fewer):
        return f"the last of {entries} stands alone"
    return ""


@pytest.mark.parametrize(("entries", "columns", "mended"), [(5, 4, 3), (6, 4, 3), (4, 3, 2), (10, 3, 2)])
def test_lines_of_a_legend_are_even(folder, entries, columns, mended):
    """Where so many columns would leave the last line nearly empty, the same entries stand in fewer."""
    filled = np.repeat(range(columns), [len(part) for part in np.array_split(range(entries), columns)])
    assert uneven(50 * filled) != "" and mended in press.figures._columns(entries)
    figure, plot = press.axes("load", "delay")
    for number in range(entries):
        press.exact_line(plot, [0, 3], [number, 5], number, f"c = {number}")
    press.publish(figure, "one", caption="A figure.", alt="Lines.")
    assert uneven(places_across((folder / "one.svg").read_text())) == ""


@pytest.mark.parametrize("path", sorted((places.ROOT / "figures").glob("*.svg")), ids=lambda path: path.stem)
def test_every_figure_of_the_book_can_be_read(path):
    """No name twice in a legend, its lines even, no legend within axes, no text smaller than small print on a phone."""
    svg = path.read_text(encoding="utf-8")
    words, spots = legend_of(svg)
    assert len(words) == len(set(words))
    assert uneven(places_across(svg)) == ""
    root = ElementTree.fromstring(svg)
    rooms = [
        [
            (min(values), max(values))
            for values in zip(*(map(float, pair) for pair in re.findall(r"([\d.]+) ([\d.]+)", d)))
        ]
        for d in re.findall(r'<g id="axes_\d+">\s*<g id="patch_\d+">\s*<path d="([^"]*)"', svg)
    ]
    for x, y in spots:
        assert not any(left <= x <= right and top <= y <= bottom for (left, right), (top, bottom) in rooms)
    width = float(root.get("viewBox").split()[2])
    sizes = [100 * float(scale) for scale in re.findall(r"scale\(([\d.]+) -[\d.]+\)", svg)]
    assert min(sizes, default=12) * press.figures.PHONE / width >= press.figures.SMALL_PRINT


def test_clip_paths_do_not_hang_on_the_last_bits(folder):
    """Panels whose corners differ by a rounding error are clipped by paths of the same names."""
    drawings = []
    for left in (0.2, 0.2 + 1e-15):
        figure = press.figures.plt.figure(layout="none")
        plot = figure.add_axes((left, 0.2, 0.6, 0.6), xlabel="load", ylabel="delay")
        press.exact_line(plot, [0, 3], [2, 5], 0, "exact")
        drawings.append(press.publish(figure, "one", caption="A figure.", alt="A line.").svg)
    assert drawings[0] == drawings[1]
    assert 'clip-path="url(#clip-one-1)"' in drawings[0] and '<clipPath id="clip-one-1">' in drawings[0]
