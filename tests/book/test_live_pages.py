"""Clusters that run on pages: they draw, keys suffice, a link carries the state, and nothing runs that nobody sees."""

import json

import pytest

from clustershare import multiserver, uniprocessor
from compendium import places
from compendium.press.live import shortened
from page_faults import faults_found, overhang
from pages import live

PAGES = {
    "cluster": "using/the_cluster",
    "obtained_shares": "share_scheduling/objectives/obtained_shares",
    "no_groups": "share_scheduling/one_processor/no_groups",
    "priorities": "share_scheduling/one_processor/priorities",
    "weighted_sharing": "share_scheduling/one_processor/weighted_sharing",
    "by_chance": "share_scheduling/splitting/by_chance",
    "shortest_queue": "share_scheduling/central/shortest_queue",
    "static_vertical": "share_scheduling/central/static_vertical",
    "life_of_a_job": "share_scheduling/distributed/life_of_a_job",
    "three_servers": "balanced_fairness/three_servers",
    "round_robin": "round_robin/algorithm",
    "cluster_chain": "cluster_chain/model",
}
NARROW = {"width": 360, "height": 780}


class Cluster:
    """A cluster in the browser."""

    def __init__(self, page):
        self.page, self.root = page, page.locator(".live")

    def wait(self, until):
        self.page.wait_for_function(f"(({{panels}}) => {until})(live.shown[0])")

    def key(self, name):
        return self.root.locator(f"[data-key='{name}']")

    def said(self):
        return self.root.locator(".live-status").inner_text()

    def steps(self, number, seen="null"):
        """Press *Next event* so many times; what is seen after each."""
        return self.page.evaluate(
            f"""(number) => Array.from({{length: number}}, () => {{
                 document.querySelector(".live [data-key='step']").click();
                 return {seen}; }})""",
            number,
        )

    def frames(self):
        """Let the window draw a few times."""
        self.page.evaluate(
            "(next => new Promise(done => next(() => next(() => next(() => next(done))))))(requestAnimationFrame)"
        )

    def pause(self):
        if self.page.evaluate("live.shown[0].playing"):
            self.key("play").press("Enter")

    def events(self):
        return self.page.evaluate("live.shown[0].panels[0].simulation.events")

    def marks(self):
        """What the library says beside the first system."""
        shown = self.root.locator(".live-panel").first.locator("tbody td:last-child").all_inner_texts()
        return [float(text.split()[0].replace("−", "-")) for text in shown]

    def settings(self):
        return self.page.evaluate("(({beside, speed, ...settings}) => settings)(live.shown[0].state)")


@pytest.fixture
def opened(made, visit):
    def open_page(name, link="", **window):
        visit.page.goto("about:blank")  # else only the link would change
        page = visit.open(made.html() / "chapters" / f"{PAGES[name]}.html", link, **window)
        page.locator(".live").scroll_into_view_if_needed()
        return Cluster(page)

    yield open_page
    assert visit.faults == []
    visit.page.emulate_media(reduced_motion="no-preference")


@pytest.mark.browser
@pytest.mark.parametrize("name", PAGES)
def test_it_draws_and_shows_the_numbers_of_the_library(opened, name):
    cluster = opened(name, "", window=NARROW)
    cluster.steps(12)
    assert overhang(cluster.page) == []
    colours = cluster.page.evaluate(
        """() => [...document.querySelectorAll(".live canvas")].map(canvas => {
             const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
             return new Set(new Uint32Array(data.buffer)).size; })"""
    )
    assert min(colours) > 3
    systems, _ = live.example(name)
    told = json.loads(cluster.root.get_attribute("data-live"))["systems"]
    assert told == json.loads(json.dumps(systems))
    marks = [one for one in systems[0]["marks"] if systems[0]["settings"].items() >= one["when"].items()]
    for mark in marks:  # of the first panel
        values = [value for key in ("deviation", "jobs", "utilisation") for value in _listed(mark.get(key, []))]
        assert cluster.marks()[: len(values)] == pytest.approx(values, abs=5.1e-4)
    assert marks
    assert faults_found(cluster.page, ".live") == []


def _listed(value):
    return value if isinstance(value, list) else [value]


@pytest.mark.browser
def test_keys_play_pause_and_step(opened):
    cluster = opened("shortest_queue")
    cluster.wait("panels[0].simulation.events > 500")  # those of the warm-up
    cluster.key("play").focus()
    cluster.page.keyboard.press("Space")
    assert cluster.said().startswith("Paused at time") and "group 2 has" in cluster.said()
    before = cluster.events()
    cluster.frames()
    assert cluster.events() == before
    cluster.key("step").focus()
    cluster.page.keyboard.press("Enter")
    assert cluster.events() == before + 1
    assert cluster.said().startswith("Time ") and "processor" in cluster.said()
    cluster.key("play").press("Enter")
    cluster.wait(f"panels[0].simulation.events > {before + 1}")
    cluster.key("speed").press("End")
    cluster.wait("panels[0].simulation.events > 20000")
    cluster.pause()
    cluster.key("restart").press("Enter")
    assert cluster.events() == 500  # those of the warm-up


@pytest.mark.browser
def test_a_link_carries_the_state(opened):
    cluster = opened("by_chance")
    cluster.root.locator("summary").click()
    cluster.key("policy").select_option("DVP")
    cluster.key("beside").select_option("SVP")
    cluster.key("migration").check()
    cluster.key("local").select_option("GPPS")
    cluster.key("size").select_option("pareto")
    for _ in range(3):
        cluster.key("loads1").press("ArrowRight")
    cluster.key("processors").fill("6")
    cluster.key("processors").press("Enter")
    link, settings = cluster.key("link").get_attribute("href"), cluster.settings()
    assert settings["policy"] == "DVP" and settings["loads"] == [0.3, 0.33] and settings["processors"] == 6
    again = opened("by_chance", link)
    assert again.settings() == settings and again.said() == ""
    assert again.page.evaluate("live.shown[0].state.beside") == "SVP"
    assert again.key("link").get_attribute("href") == link


@pytest.mark.browser
def test_what_cannot_be_is_said_and_nothing_changes(opened):
    cluster = opened("shortest_queue", "#policy=JSQQ")
    assert "policy must be one of" in cluster.said() and "page's own example" in cluster.said()
    for link in ("load=much", "loads=.1,.2,.3", "shares=.9,.9", "colour=blue", "processors=1e9", "="):
        cluster.page.evaluate("(link) => { live.shown[0].tell(''); location.hash = link; }", link)
        cluster.page.wait_for_function("live.shown[0].status.textContent !== ''")
        assert cluster.said().startswith("The link could not be followed: "), link
        assert cluster.settings() == live.example("shortest_queue")[0][0]["settings"]
    cluster.key("beside").select_option("HPRS")  # which does not look, and so cannot migrate
    assert cluster.said().startswith("Not possible: migration")
    assert cluster.key("beside").input_value() == ""


@pytest.mark.browser
def test_an_overloaded_system_says_so_and_stops(opened):
    cluster = opened("no_groups", "#loads=.7,.6&speed=10000000")
    assert "no mean exists" in cluster.root.locator(".live-alert").first.inner_text()
    cluster.wait("panels[0].simulation.stopped !== null")
    cluster.page.wait_for_function("!live.shown[0].playing")
    assert cluster.said().startswith("Stopped: there are more than")
    assert cluster.root.locator("tbody td:last-child").first.inner_text() == "–"


@pytest.mark.browser
def test_it_waits_for_a_reader_who_wants_less_motion(opened, visit):
    visit.page.emulate_media(reduced_motion="reduce")
    cluster = opened("shortest_queue")
    before = cluster.page.evaluate("live.shown[0].panels[0].simulation.now")
    cluster.frames()
    assert cluster.page.evaluate("live.shown[0].panels[0].simulation.now") == before
    assert cluster.events() == 500 and cluster.key("play").inner_text() == "Play"
    cluster.key("step").press("Enter")
    assert cluster.events() == 501


@pytest.mark.browser
def test_nothing_is_computed_out_of_sight(opened):
    cluster = opened("shortest_queue")
    cluster.wait("panels[0].simulation.events > 500")
    cluster.page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    cluster.page.wait_for_function("!live.shown[0].visible")
    before = cluster.page.evaluate("[live.shown[0].frames, live.shown[0].panels[0].simulation.now]")
    cluster.frames()
    assert cluster.page.evaluate("[live.shown[0].frames, live.shown[0].panels[0].simulation.now]") == before
    cluster.root.scroll_into_view_if_needed()
    cluster.wait(f"panels[0].simulation.now > {before[1]}")


@pytest.mark.browser
def test_two_side_by_side_meet_the_same_jobs(opened):
    cluster = opened("by_chance")
    cluster.pause()
    seen = """live.shown[0].panels.map(({simulation: {now, names, jobs}}) => ({now, names, jobs:
        Object.fromEntries(jobs.map(({id, group, size, arrived}) => [id, [group, size, arrived]]))}))"""
    for first, second in cluster.steps(40, seen):
        assert (first["now"], first["names"]) == (second["now"], second["names"])
        common = first["jobs"].keys() & second["jobs"].keys()
        assert {key: first["jobs"][key] for key in common} == {key: second["jobs"][key] for key in common}
    assert first["names"] > 10


@pytest.mark.browser
def test_the_graph_is_edited_by_click_and_key(opened):
    cluster = opened("three_servers")
    edge = cluster.root.get_by_label("class 1 may use server 2")
    edge.press("Space")
    assert cluster.settings()["graph"]["serversOf"] == [[0, 1, 2], [1, 2]]
    assert cluster.page.evaluate("document.activeElement.dataset.key") == "edge-0-1"
    cluster.root.get_by_label("class 2 may use server 3").dispatch_event("click")
    assert cluster.settings()["graph"]["serversOf"] == [[0, 1, 2], [1]]
    link = cluster.key("link").get_attribute("href")
    assert opened("three_servers", link).settings()["graph"]["serversOf"] == [[0, 1, 2], [1]]


@pytest.mark.browser
def test_it_is_legible_in_the_dark(opened):
    cluster = opened("cluster")
    cluster.pause()
    cluster.page.emulate_media(color_scheme="dark")
    cluster.page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    assert faults_found(cluster.page, ".live") == []


@pytest.mark.browser
def test_without_scripts_a_picture_stands_there(opened, made):
    """The page as it was built: scripts have not touched it."""
    for name, path in PAGES.items():
        text = (made.html() / "chapters" / f"{path}.html").read_text(encoding="utf-8")
        inside = text.split('class="explorable live"')[1].split("</div>")[0]
        assert '<svg class="live-still" role="img" aria-label="' in inside
        _, lanes = live.example(name)
        assert inside.count("<rect") == sum(map(len, lanes)) > 0 and "a block a job" in inside


def test_the_scripts_are_light(made):
    """All of them, as the built book carries them: short, and the same otherwise."""
    built, written = made.html() / "_static" / "live", places.ROOT / "assets" / "live"
    assert sum(path.stat().st_size for path in built.glob("*.js")) < 60_000
    for path in written.glob("*.js"):
        assert (built / path.name).read_text(encoding="utf-8") == shortened(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("late", ["const a = f(b), { c } = b;", "let a = f(b);\nconst [c] = b;"])
def test_what_would_be_done_too_early_is_refused(late):
    """The tool moves what is taken apart before all else that is declared beside it: it must stand there already."""
    with pytest.raises(ValueError, match="must take apart before"):
        shortened(late)
    assert shortened("const { c } = b, a = f(b);") == "const{c}=b,a=f(b)"


@pytest.mark.browser
def test_each_link_of_the_page_of_all_can_be_followed(opened):
    cluster = opened("cluster")
    links = cluster.page.locator(".live-links a")
    for number in range(links.count()):
        links.nth(number).click()
        system = links.nth(number).get_attribute("href").split("system=")[1].split("&")[0]
        cluster.page.wait_for_function(f"live.shown[0].system.name === '{system}'")
        assert cluster.said() == "" and len(cluster.settings()) > 3
    assert number > 3


@pytest.mark.browser
def test_values_of_the_library_follow_what_a_reader_sets(opened):
    """By the laws of the book, from the first moment on."""
    cluster = opened("no_groups", "#policy=PS&loads=.3,.3&shares=.6,.4&speed=1")
    wanted = uniprocessor.exact("PS", (0.6, 0.4), (0.3, 0.3)).group_share_deviation
    assert cluster.marks() == pytest.approx(list(wanted), abs=5.1e-4)
    cluster = opened("three_servers", "#interruptions=2&size=exponential&loads=.9,.6&graph=0.1.2,2&speed=1")
    graph = multiserver.CompatibilityGraph([{0, 1, 2}, {2}], [1, 1, 1])
    wanted = multiserver.balanced_fairness(graph, (0.9, 0.6)).mean_jobs
    assert cluster.marks() == pytest.approx(list(wanted), abs=5.1e-4)
