"""The live simulator of the book: events a second in a browser, where it is to tell a mean within a second."""

import shutil
import statistics

from benchmarks.timing import Row, at_least, not_measured
from compendium import places

SCRIPTS = ("random", "jobs", "one_processor", "dispatch", "distributed", "servers", "tracker")
EVENTS, ROUNDS = 500_000, 7
TEN = {"model": "dispatch", "shares": [0.5, 0.5], "loads": [0.4, 0.4], "processors": 10, "seed": 1}
ASKING = {**TEN, "model": "distributed", "probeLimit": 3}
GRAPH = {"serversOf": [[0, 2], [1, 2]], "capacities": [1, 1, 1]}
SYSTEMS = {
    "JSQ, PS, ten processors": {**TEN, "policy": "JSQ"},
    "HP, GPPS, ten processors, migration": {**TEN, "policy": "HP", "local": "GPPS", "migration": True},
    "SVP, GPPS, ten processors, migration": {**TEN, "policy": "SVP", "local": "GPPS", "migration": True},
    "GPPS, one processor": {"model": "one", "policy": "GPPS", "shares": [0.6, 0.4], "loads": [0.4, 0.4]},
    "JSQ, 3 of 10 asked, messages among the events": {**ASKING, "policy": "JSQ"},
    "Algorithm 1, three servers": {"model": "servers", "policy": "algorithm", "graph": GRAPH, "loads": [1.2, 1.2]},
    "tracker, four servers": {"model": "tracker", "processors": 4, "sizes": {1: 0.5, 3: 0.5}},
}
BOUNDS = {"JSQ, PS, ten processors": at_least(2)}
TIMED = """([settings, events, rounds]) => {
  const simulation = live.make(settings), times = [];
  simulation.run(events / 5);
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    simulation.run(events);
    times.push(performance.now() - began);
  }
  return times;
}"""


def tables():
    """Yield the one table."""
    yield "The live simulator, load 0.8 where there is one: million events a second in a browser", rows()


def rows():
    """The median of some rounds for each system."""
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        return [not_measured(what, BOUNDS.get(what, "no bound")) for what in SYSTEMS]
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=path, args=["--no-sandbox"]) as at:
        page = at.new_page()
        for name in SCRIPTS:
            page.add_script_tag(path=places.ROOT / "assets" / "live" / f"{name}.js")
        found = []
        for what, settings in SYSTEMS.items():
            times = page.evaluate(TIMED, [settings, EVENTS, ROUNDS])
            rate = EVENTS / statistics.median(times) / 1e3
            found.append(Row(what, f"{rate:.1f} million", rate, BOUNDS.get(what)))
    return found
