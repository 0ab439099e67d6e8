"""The clusters that run on pages: frames a second with a hundred jobs on screen, in headless Chromium without a GPU."""

import html
import json
import shutil
import tempfile
from pathlib import Path

from benchmarks.timing import Row, at_least
from compendium import places
from compendium.press import live

SECONDS = 5
SCREEN = 60  # frames a second that a screen shows; a frame or two are lost when the clock starts
# By chance over 30 processors, each with 10/3 jobs in the mean: a hundred in all.
SETTINGS = {
    "model": "dispatch", "policy": "HPRS", "local": "PS", "migration": False, "processors": 30, "shares": [0.5, 0.5],
    "loads": [0.385, 0.385], "seed": 1,
}  # fmt: skip


def tables():
    """Yield the table with its title."""
    rows = [frames(name, **other) for name, other in (("one system", {}), ("two side by side", {"beside": "VPRS"}))]
    yield f"Frames a second with a hundred jobs on screen, over {SECONDS} s", rows


def frames(name, **other):
    """Of a page with nothing but the cluster, after it has filled."""
    from playwright.sync_api import sync_playwright

    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        return Row(name, "no browser")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = Path(folder, "page.html")
        page.write_text(bare({"settings": SETTINGS, "speed": 30, **other}), encoding="utf-8")
        with playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"]) as chromium:
            window = chromium.new_page(viewport={"width": 1000, "height": 1200})
            window.goto(page.as_uri())
            seen, jobs = window.evaluate(
                """async (seconds) => {
                     const [cluster] = live.shown, wait = (ms) => new Promise((done) => setTimeout(done, ms));
                     for (const {simulation} of cluster.panels) simulation.run(20000);
                     const to = Math.max(...cluster.panels.map(({simulation}) => simulation.now));
                     for (const {simulation} of cluster.panels) simulation.advance(to);
                     await wait(500);
                     const before = cluster.frames, began = performance.now();
                     await wait(1000 * seconds);
                     const rate = (cluster.frames - before) / (performance.now() - began) * 1000;
                     return [rate, cluster.panels[0].simulation.jobs.length]; }""",
                SECONDS,
            )
    return Row(f"{name}, {jobs} jobs in the first", f"{seen:.1f}", seen, at_least(SCREEN - 2))


def bare(system):
    """A page with a cluster and no more."""
    told = html.escape(json.dumps({"systems": [system]}))
    folder = (places.ROOT / "assets").as_uri()
    names = ["book", *(f"{live.FOLDER}/{name}" for name in live.scripts([system["settings"]["model"]]))]
    scripts = "".join(f'<script defer src="{folder}/{name}.js"></script>' for name in names)
    style = f'<link rel="stylesheet" href="{folder}/{live.FOLDER}/{live.STYLE}">'
    return f'<!doctype html><html lang="en">{style}{scripts}<div class="live" data-live="{told}"></div></html>'
