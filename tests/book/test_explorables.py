"""Pages to play with: what they compute in the browser is what the library says, and keys suffice."""

import numpy as np
import pytest

from clustershare import multiserver
from clustershare.arguments import UnstableError
from clustershare.interruptions import served

PAGE = "chapters/balanced_fairness/try_it.html"


def shape(page, sets, loads, capacities):
    """Edit the graph on the page until it is this one."""
    for what, wanted in (("class", len(loads)), ("server", len(capacities))):
        remove = page.get_by_role("button", name=f"Remove a {what}")
        while remove.is_enabled():
            remove.click()
        for _ in range(wanted - 1):
            page.get_by_role("button", name=f"Add a {what}").click()
    for s, capacity in enumerate(capacities, 1):
        page.get_by_label(f"capacity of server {s}").fill(f"{capacity:g}")
    for i, (own, load) in enumerate(zip(sets, loads), 1):
        page.get_by_label(f"load of class {i}").fill(f"{load:g}")
        for wanted in (True, False):  # a class is never without a server
            for s in range(len(capacities)):
                if (s in own) == wanted:
                    page.get_by_label(f"class {i} may use server {s + 1}").set_checked(wanted)


@pytest.fixture
def page(made, visit):
    opened = visit.open(made.html() / PAGE)
    yield opened
    assert visit.faults == []


@pytest.mark.browser
@pytest.mark.parametrize("seed", range(12))
def test_balanced_fairness_is_that_of_the_library(page, seed):
    rng = np.random.default_rng(seed)
    classes, servers = rng.integers(1, 6, 2)
    sets = [set(rng.permutation(servers)[: rng.integers(1, servers + 1)].tolist()) for _ in range(classes)]
    capacities = rng.integers(1, 31, servers) / 10
    parts = rng.dirichlet(np.ones(classes))
    loads = np.clip((rng.uniform(0.2, 1.1) * capacities.sum() * parts).round(2), 0.01, 3)
    shape(page, sets, loads, capacities)
    told = page.locator(".explorable-fair")
    graph = multiserver.CompatibilityGraph(sets, capacities)
    try:
        fair = multiserver.balanced_fairness(graph, loads)
    except UnstableError as error:
        names = ", ".join(str(i + 1) for i in error.overloaded)
        assert told.inner_text().startswith("Overloaded: class")
        assert f" {names} bring" in told.inner_text()
        return
    assert f"nobody is there {100 * fair.probability_empty:.2f} %" in told.inner_text()
    rows = [[cell.inner_text() for cell in row.locator("td").all()][:3] for row in told.locator("tbody tr").all()]
    wanted = np.column_stack([fair.mean_jobs, fair.mean_delay, fair.mean_service_rate])
    np.testing.assert_allclose(np.array(rows, dtype=float), wanted, atol=5.1e-5)


def queue_of(page):
    """Number and class of each job on the page, and the servers that serve it."""
    jobs = []
    for text in page.locator(".explorable-walk li").all_inner_texts():
        number, words = text.split(" class ")
        kind, servers = words.split(", ")
        by = [int(word) - 1 for word in servers.split() if word.isdigit()]
        jobs.append((int(number), int(kind) - 1, by))
    return jobs


@pytest.mark.browser
def test_the_queue_follows_algorithm_1(page):
    """Who serves whom is the library's, event by event; arrivals and the interrupted go to the end."""
    graph, before, kinds = multiserver.CompatibilityGraph([{0, 1}, {1, 2}], [1, 1, 1]), [], set()
    page.get_by_label("interruptions of a job in the mean").fill("3")
    for _ in range(150):
        page.get_by_role("button", name="Next event").click()
        after, said = queue_of(page), page.locator(".explorable-walk output").inner_text()
        serving = served(graph, [job[:2] for job in after])
        assert [[s for s, job in enumerate(serving) if job == number] for number, _, _ in after] == [
            by for *_, by in after
        ]
        had, has = [job[:2] for job in before], [job[:2] for job in after]
        number = int(said.split("job ")[1].split()[0])
        kind = said.rsplit(" ", 1)[1]
        kinds.add(kind)
        if kind == "arrives.":
            assert has[:-1] == had and has[-1][0] == number
        else:
            moved = next(job for job in before if job[0] == number)
            rest = [job for job in had if job[0] != number]
            assert moved[2] and has == rest + ([moved[:2]] if kind == "end." else [])
        before = after
    assert kinds == {"arrives.", "leaves.", "end."}


@pytest.mark.browser
@pytest.mark.parametrize("interruptions", [0, 5])
def test_in_the_long_run_it_is_balanced_fairness(page, interruptions):
    page.get_by_label("interruptions of a job in the mean").fill(str(interruptions))
    for _ in range(300):
        page.get_by_role("button", name="A thousand events").click()
    rows = page.locator(".explorable-fair tbody tr").all()
    found = np.array([[row.locator("td").nth(k).inner_text() for k in (0, 3)] for row in rows], dtype=float)
    np.testing.assert_allclose(found[:, 1], found[:, 0], rtol=0.05)


@pytest.mark.browser
def test_keys_suffice_and_a_figure_stands_there_without_scripts(page, made):
    page.get_by_label("load of class 1").focus()
    before = page.locator(".explorable-fair").inner_text()
    page.keyboard.press("ArrowRight")
    assert page.locator(".explorable-fair").inner_text() != before
    page.get_by_label("class 1 may use server 3").focus()
    page.keyboard.press("Space")
    assert page.get_by_label("class 1 may use server 3").is_checked()
    page.get_by_role("button", name="Next event").focus()
    page.keyboard.press("Enter")
    assert "job 1 of class" in page.locator(".explorable-walk output").inner_text()
    text = (made.html() / PAGE).read_text(encoding="utf-8")
    (source,) = [word for word in text.split('"') if word.endswith("balanced-fig-1a-rate.svg")]
    assert ((made.html() / PAGE).parent / source).is_file()
