"""Pages of curves to play with: each number that they show is the library's, and keys suffice."""

import json

import numpy as np
import pytest

from clustershare import dispatch, splitting, uniprocessor
from clustershare.cluster_chain import ServiceCluster
from clustershare.results import NoExactAnswer
from compendium import study
from page_faults import faults_found
from pages.share_scheduling.central.systems import two_groups
from pages.using import calculator

ONE = "chapters/share_scheduling/one_processor/try_it.html"
MANY = "chapters/share_scheduling/central/try_it.html"
CLUSTER = "chapters/cluster_chain/try_it.html"
OWN = "chapters/using/your_cluster.html"
PAGES = pytest.mark.parametrize("path", [ONE, MANY, CLUSTER, OWN], ids=lambda path: path.split("/")[-2])
LAST = 5.1e-5  # half of the last decimal that is shown


class Page:
    """A page of curves in the browser."""

    def __init__(self, page):
        self.page = page
        self.root = page.locator(".explorable-curves")
        told = json.loads(page.locator("script.explorable-specification").text_content())
        self.axes = {one["name"]: one for one in (*told["controls"], told["x"])}
        self.columns = told["columns"]

    def move(self, **chosen):
        """Set sliders and choices to these values."""
        for name, value in chosen.items():
            one = self.axes[name]
            field = self.page.get_by_label(one["label"], exact=True)
            number = str(one["values"].index(value))
            field.select_option(number) if "words" in one else field.fill(number)

    def moved(self, rng):
        """Set everything to random values, and say which."""
        chosen = {name: one["values"][rng.integers(len(one["values"]))] for name, one in self.axes.items()}
        self.move(**chosen)
        return chosen

    def table(self):
        """What the table says, by row: shape (columns,), nan where nothing is known."""
        rows = self.page.evaluate(
            """() => [...document.querySelectorAll(".explorable-curves tbody tr")].map(row =>
                 [row.querySelector("label"), ...row.querySelectorAll("td")].map(cell => cell.innerText.trim()))"""
        )
        return {name: np.array([np.nan if text == "–" else float(text) for text in cells]) for name, *cells in rows}

    def circles(self):
        """Where the curves are marked, by the ordinates of the chart's horizontal lines."""
        return self.page.evaluate(
            """() => { const svg = document.querySelector(".explorable-curves > svg");
                 const lines = [...svg.querySelectorAll("line.rule, line.zero")].map(l => Number(l.getAttribute("y1")));
                 const texts = [...svg.querySelectorAll("text[text-anchor=end]")].map(t => Number(t.textContent));
                 const scale = (texts.at(-1) - texts[0]) / (lines.at(-1) - lines[0]);
                 return [...svg.querySelectorAll("circle")].map(
                   c => texts[0] + (Number(c.getAttribute("cy")) - lines[0]) * scale); }"""
        )


@pytest.fixture
def opened(made, visit):
    def open_page(path):
        return Page(visit.open(made.html() / path))

    yield open_page
    assert visit.faults == []


def of_one_processor(policy, load, share, fraction, quantity):
    """The deviations by the library, exact or as stored."""
    system = {"required_shares": (share, 1 - share), "arrival_rates": (load * fraction, load * (1 - fraction))}
    name = f"{quantity}_share_deviation"
    try:
        return getattr(uniprocessor.exact(policy, **system, tolerance=1e-5), name)
    except NoExactAnswer:
        up_down = {"policy": policy, **system}
        rows = study.run("uniprocessor", uniprocessor.simulate, [{}], lambda: up_down, fidelity="book")
        return rows[rows["quantity"] == name]["estimate"].to_numpy()


@pytest.mark.browser
def test_one_processor_deviates_as_in_the_library(opened):
    page, rng = opened(ONE), np.random.default_rng(1)
    for number in range(20):
        chosen = page.moved(rng)
        if number % 4 == 0:  # where UD is simulated
            chosen |= {"load": 0.8, "share": 0.51, "fraction": float(rng.choice([0.45, 0.5, 0.55]))}
            page.move(**chosen)
        told = page.table()
        assert list(told) == list(uniprocessor.POLICIES)
        for policy, shown in told.items():
            wanted = of_one_processor(policy, **chosen)
            np.testing.assert_allclose(shown, wanted, atol=2 * LAST, err_msg=f"{policy} {chosen}")
        np.testing.assert_allclose(page.circles(), [max(pair) for pair in told.values()], atol=2e-3)


def by_dispatch(policy, processors, migration, load):
    """Capacity loss and deviation by the library, exact or as stored."""
    shares, loads, moves = (0.5, 0.5), (round(load / 2, 12),) * 2, migration == "yes"
    if policy == "HPRS":
        answer = splitting.horizontal(shares, loads, (1 / processors,) * processors)
    elif policy == "VPRS":
        answer = splitting.vertical(shares, loads, processors)
    elif policy == "JSQ" and moves:
        answer = dispatch.shortest_queue_with_migration(shares, loads, processors)
    else:
        system = two_groups(policy, "PS", moves, processors, load)
        rows = study.run("central-load", dispatch.simulate_central, [{}], lambda: system, fidelity="book")
        found = rows.groupby("quantity")["estimate"].mean()
        return [found["capacity_loss"], found["group_share_deviation"]]
    return [answer.capacity_loss, answer.group_share_deviation.mean()]


@pytest.mark.browser
def test_splitting_and_dispatch_lose_as_in_the_library(opened):
    page, rng = opened(MANY), np.random.default_rng(2)
    for _ in range(30):
        chosen = page.moved(rng)
        told = page.table()
        assert list(told) == ["HPRS", "VPRS", "JSQ", "HP", "SVP", "DVP"]
        for policy, shown in told.items():
            np.testing.assert_allclose(shown, by_dispatch(policy, **chosen), atol=LAST, err_msg=f"{policy} {chosen}")
        np.testing.assert_allclose(page.circles(), [loss for loss, _ in told.values()], atol=1e-3)


def solved(servers, places, tracker, weights, rate):
    chances = {size: weight / sum(weights) for size, weight in enumerate(weights, 1) if weight}
    return ServiceCluster(servers, places, chances, rate, tracker, 1.0).solve()


@pytest.mark.browser
def test_the_cluster_is_solved_as_by_the_library(opened):
    page, rng = opened(CLUSTER), np.random.default_rng(3)
    for _ in range(12):
        chosen = page.moved(rng)
        weights = [chosen.pop(f"weight{size}") for size in (1, 2, 3, 4)]
        (shown,) = page.table().values()
        if not any(weights):
            assert np.isnan(shown).all()
            continue
        by = solved(chosen["servers"], chosen["places"], chosen["tracker"], weights, chosen["rate"])
        wanted = [by.utilisation, by.blocking, by.mean_queue, by.mean_delay]
        np.testing.assert_allclose(shown, wanted, atol=LAST, err_msg=f"{weights} {chosen}")


@pytest.mark.browser
def test_the_calculator_reads_its_table_as_the_library_does(opened):
    page, rng = opened(OWN), np.random.default_rng(5)
    table = calculator.Table(calculator.rows(calculator.grid(), "book"))
    for _ in range(20):
        chosen = page.moved(rng)
        told = {name.partition(",")[0]: shown for name, shown in page.table().items()}
        assert list(told) == list(calculator.POLICIES)
        for policy, shown in told.items():
            wanted = table.read(
                chosen["law"], chosen["promise"], chosen["brought"], policy, [chosen["processors"]], [chosen["load"]]
            )  # fmt: skip
            np.testing.assert_allclose(shown, wanted[0, 0], atol=5.1e-4, err_msg=f"{policy} {chosen}")


@pytest.mark.browser
def test_a_kept_curve_stays_and_says_in_what_it_differs(opened):
    page = opened(CLUSTER)
    before = page.table()["this cluster"]
    page.page.get_by_role("button", name="Keep this curve").click()
    page.move(places=6, tracker=1)
    told = page.table()
    np.testing.assert_array_equal(told["kept: places in the queue 3, rate of the tracker 10"], before)
    assert not np.allclose(told["this cluster"], before)
    page.page.get_by_role("button", name="Remove curve kept 1").click()
    assert list(page.table()) == ["this cluster"]


def test_what_the_page_answers_about_clusters_is_so():
    """At random steps of its sliders, and as it opens, by the library."""
    rng = np.random.default_rng(4)
    for _ in range(12):
        weights, servers = rng.integers(1, 6, 4).tolist(), int(rng.integers(4, 7))
        tracker, rate = (float(rng.choice(of)) for of in ((1, 2, 5, 10, 20, 50, 100), (0.6, 2, 4)))
        found = [solved(servers, places, tracker, weights, rate) for places in range(7)]
        assert (np.diff([one.blocking for one in found]) < 0).all()
        assert (np.diff([one.mean_delay for one in found]) > 0).all()
        assert max(rate * (1 - one.blocking) for one in found) < tracker
    opening = solved(4, 3, 10, (1, 1, 1, 1), 4.0)
    assert opening.utilisation < solved(4, 3, 10, (1, 0, 0, 0), 4.0).utilisation < 1
    assert solved(4, 3, 1, (1, 1, 1, 1), 4.0).utilisation < 0.5
    for tracker in (1, 2, 5, 10, 20, 50, 100):
        twos, mixed = (solved(4, 3, tracker, weights, 4.0) for weights in ((0, 1, 0, 0), (1, 0, 1, 0)))
        assert twos.utilisation > mixed.utilisation and twos.blocking < mixed.blocking


@pytest.mark.browser
def test_curves_are_hidden_and_values_told_where_one_points(opened):
    page = opened(ONE)
    before = page.table()
    page.page.get_by_label("GPPS", exact=True).uncheck()
    assert page.root.locator("svg polyline").count() == len(before) - 1
    page.page.get_by_label("the curves show").select_option(label="group 2")
    np.testing.assert_allclose(page.circles(), [pair[1] for pair in before.values()][:-1], atol=2e-3)
    chart = page.root.locator("> svg")
    box = chart.bounding_box()
    chart.hover(position={"x": box["width"] - 15, "y": 50})
    there = page.table()
    page.page.mouse.move(0, 0)
    assert {name: pair.tolist() for name, pair in page.table().items()} == {
        name: pair.tolist() for name, pair in before.items()
    }
    page.move(fraction=0.95)
    assert {name: pair.tolist() for name, pair in page.table().items()} == {
        name: pair.tolist() for name, pair in there.items()
    }


@pytest.mark.browser
@PAGES
def test_keys_suffice(opened, path):
    """Every slider is moved by an arrow key, which the table, read aloud, and the slider's own text follow."""
    page = opened(path)
    for one in page.axes.values():
        field, before = page.page.get_by_label(one["label"], exact=True), page.root.inner_text()
        field.focus()
        page.page.keyboard.press("ArrowDown" if "words" in one else "ArrowLeft" if one["start"] else "ArrowRight")
        assert page.root.inner_text() != before, one["name"]
        if "words" not in one:
            assert field.get_attribute("aria-valuetext") == str(one["values"][int(field.input_value())])
    page.root.locator("tbody input").first.focus()
    page.page.keyboard.press("Space")
    assert not page.root.locator("tbody input").first.is_checked()
    assert page.root.locator("[aria-live=polite] table").count() == 1


@pytest.mark.browser
@PAGES
def test_axe_finds_nothing_serious_and_a_figure_stands_there_without_scripts(opened, made, path):
    page = opened(path)
    for scheme in ("light", "dark"):
        page.page.emulate_media(color_scheme=scheme)
        page.page.wait_for_function(f"document.documentElement.dataset.theme === '{scheme}'")
        assert faults_found(page.page, ".explorable-curves") == []
    text = (made.html() / path).read_text(encoding="utf-8")
    there = text[text.index('class="explorable explorable-curves"') :]
    source = next(word for word in there.split('"') if word.startswith("../") and word.endswith(".svg"))
    assert ((made.html() / path).parent / source).is_file()
