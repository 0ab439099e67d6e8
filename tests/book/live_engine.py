"""The simulator of `assets/live`, opened in a bare page, and what its answers are held against."""

import json
from dataclasses import dataclass

import numpy as np
from scipy import stats

from clustershare.estimates import Estimate
from compendium import places
from compendium.press.live import shortened

SCRIPTS = ("random", "jobs", "one_processor", "dispatch", "distributed", "servers", "tracker")
JOINT = 0.999  # of all comparisons of a kind together

# What a page of tests does with the simulator. Chance is a script of choices in `laws`, which goes through all of them.
HARNESS = """
window.answers = (list) => list.map(({ settings, warmup, events }) => {
  const simulation = live.make(settings);
  simulation.run(warmup);
  simulation.reset();
  simulation.run(events);
  if (simulation.stopped) throw new Error(simulation.stopped);
  return { measures: simulation.measures(), intervals: simulation.intervals(), batches: simulation.batches.length };
});

window.laws = (settings, steps, most) => {
  const choices = [], among = [];
  let at = 0;
  const script = {
    uniform() { throw new Error("not by choices"); },
    exponential: () => 1,
    pick(count) {
      if (count < 2) return 0;
      if (at === choices.length) choices.push(0);
      among[at] = count;
      return choices[at++];
    },
  };
  const simulation = live.make({ ...settings, random: script }), { lanes } = simulation, known = new Map();
  const bring = (numbers) => {
    simulation.jobs.length = 0;
    simulation.present.fill(0);
    lanes.forEach((lane) => { lane.jobs.length = 0; lane.count.fill(0); lane.share.fill(0); });
    numbers.forEach((row, p) => row.forEach((jobs, g) => {
      for (let k = 0; k < jobs; k++) simulation.join(simulation.enter(g, 1), p);
    }));
  };
  const outcomes = (numbers, g, p) => {
    const law = new Map();
    choices.length = 0;
    for (;;) {
      at = 0;
      bring(numbers);
      if (p < 0) simulation.place(simulation.enter(g, 1));
      else simulation.ends(lanes[p].jobs.find((job) => job.group === g));
      const to = JSON.stringify(lanes.map((lane) => lane.count));
      law.set(to, (law.get(to) ?? 0) + among.slice(0, at).reduce((chance, one) => chance / one, 1));
      choices.length = at;
      while (choices.length > 0 && choices.at(-1) === among[choices.length - 1] - 1) choices.pop();
      if (choices.length === 0) return law;
      choices.push(choices.pop() + 1);
    }
  };
  const chance = live.generator(settings.seed), groups = settings.shares.length;
  let numbers = lanes.map(() => new Array(groups).fill(0));
  for (let step = 0; step < steps; step++) {
    const jobs = numbers.flatMap((row, p) => row.flatMap((count, g) => new Array(count).fill([g, p])));
    const comes = jobs.length === 0 || (jobs.length < most && chance.uniform() < 0.52);
    const [g, p] = comes ? [chance.pick(groups), -1] : jobs[chance.pick(jobs.length)];
    const key = JSON.stringify([numbers, g, p]);
    if (!known.has(key)) known.set(key, outcomes(numbers, g, p));
    const law = [...known.get(key)];
    numbers = JSON.parse(law[live.weighted(chance, law.map(([, one]) => one), 1)][0]);
  }
  return [...known].map(([key, law]) => [...JSON.parse(key), [...law].map(([to, one]) => [JSON.parse(to), one])]);
};

window.path = (settings, numbers, events, what) => {
  const simulation = live.make({ ...settings, random: live.tape(numbers) }), seen = [];
  const tell = {
    serving: () => [simulation.serving ? simulation.serving.group : -1, ...simulation.present],
    queue: () => [simulation.now, simulation.line.map((job) => [job.id, job.group])],
    network: () => [simulation.now, simulation.lanes.map((lane) => lane.count.slice()), simulation.messages.length,
      simulation.waiting],
  }[what];
  if (what === "serving") seen.push(tell());
  for (let k = 0; k < events; k++) {
    simulation.happen();
    seen.push(tell());
  }
  return seen;
};
"""


def page_of(visit, folder, *changes):
    """The scripts as the book carries them, in a page of nothing else, with texts in them changed: (script, old, new).

    Parameters
    ----------
    visit : browser.Visit
    folder : pathlib.Path
    """
    texts = {name: (places.ROOT / "assets" / "live" / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS}
    for name, old, new in changes:
        assert texts[name].count(old) == 1, f"{name}.js has this {texts[name].count(old)} times, not once: {old}"
        texts[name] = texts[name].replace(old, new)
    for name, text in texts.items():
        (folder / f"{name}.js").write_text(shortened(text), encoding="utf-8")
    (folder / "harness.js").write_text(HARNESS, encoding="utf-8")
    tags = "".join(f'<script src="{name}.js"></script>' for name in (*SCRIPTS, "harness"))
    file = folder / "live.html"
    file.write_text(f'<!doctype html><html lang="en"><meta charset="utf-8"><title>live</title>{tags}</html>', "utf-8")
    page = visit.open(file)
    assert visit.faults == []
    return page


def ask(page, name, *given):
    """What a function of the page answers; as text, which the browser hands over much faster."""
    return json.loads(page.evaluate(f"(given) => JSON.stringify({name}(...JSON.parse(given)))", json.dumps(given)))


@dataclass
class Compared:
    """A system in both, and what is compared."""

    name: str
    settings: dict
    wanted: dict  # measure: a value or an `Estimate`, by the library
    events: int = 60_000


def misfits(page, systems):
    """The measures that differ by more than both errors allow, jointly at level `JOINT`: list of str."""
    asked = [{"settings": one.settings, "warmup": 4000, "events": one.events} for one in systems]
    told = ask(page, "answers", asked)
    count = sum(np.size(getattr(value, "value", value)) for one in systems for value in one.wanted.values())
    level = 1 - (1 - JOINT) / (2 * count)
    found = []
    for one, answer in zip(systems, told, strict=True):
        freedom = answer["batches"] - 1
        for measure, wanted in one.wanted.items():
            seen, half = (np.array(answer[part][measure], float) for part in ("measures", "intervals"))
            width = half * stats.t.ppf(level, freedom) / stats.t.ppf(0.975, freedom)
            value = wanted
            if isinstance(wanted, Estimate):
                value = wanted.value
                width = np.hypot(width, wanted.half_width * stats.t.ppf(level, 9) / stats.t.ppf(0.975, 9))
            bad = np.abs(seen - value) > width + 1e-9
            if np.any(bad):
                found.append(f"{one.name}: {measure} is {seen}, not {value} +/- {width}; {one.settings}")
    return found
