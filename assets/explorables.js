// Pages to play with: a graph of servers and classes of jobs that the reader edits, its balanced fairness, and the queue of
// Algorithm 1 step by step. What is computed here is tested against the library. Without scripts a figure stands there.
"use strict";

{
  const MOST = 5; // classes, and servers

  // Balanced fairness by the recursion over the sets of classes that are present (balanced, Section 3). `sets` holds for
  // each class the bits of its servers, `loads` and `capacities` are numbers. An overloaded set is named instead.
  function fairness(sets, loads, capacities) {
    const classes = loads.length, mass = [1], weighted = [Array(classes).fill(0)];
    let worst = {ratio: 0};
    for (let A = 1; A < 1 << classes; A++) {
      const present = [...loads.keys()].filter((i) => A >> i & 1);
      const servers = present.reduce((all, i) => all | sets[i], 0);
      const capacity = capacities.reduce((sum, c, s) => sum + (servers >> s & 1 ? c : 0), 0);
      const load = present.reduce((sum, i) => sum + loads[i], 0);
      if (load > worst.ratio * capacity) worst = {ratio: load / capacity, present, load, capacity};
      const slack = capacity - load;
      mass[A] = present.reduce((sum, i) => sum + loads[i] * mass[A & ~(1 << i)], 0) / slack;
      weighted[A] = loads.map((own, j) => (A >> j & 1 ? (
        own * (mass[A] + mass[A & ~(1 << j)]) + present.reduce((sum, i) => sum + loads[i] * weighted[A & ~(1 << i)][j], 0)
      ) / slack : 0));
    }
    if (worst.ratio >= 1) return {overloaded: worst};
    const total = mass.reduce((sum, one) => sum + one, 0);
    return {jobs: loads.map((_, j) => weighted.reduce((sum, one) => sum + one[j], 0) / total), empty: 1 / total};
  }

  window.balancedFairness = fairness; // clusters that run show it too (live/controls.js)

  // Who serves whom: each server the first job of the queue that it may serve.
  function served(queue, sets, servers) {
    return Array.from({length: servers}, (_, s) => queue.findIndex((job) => sets[job.class] >> s & 1));
  }

  // Numbers in (0, 1], the same for everybody (mulberry32).
  function numbers(seed) {
    return () => {
      seed = (seed + 0x6D2B79F5) | 0;
      let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return 1 - ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
  }

  // The queue of Algorithm 1 with exponential sizes of mean 1: one event, and what it was.
  function step(state, sets, loads, capacities, interruptions) {
    const rates = state.queue.map(() => 0);
    served(state.queue, sets, capacities.length).forEach((place, s) => { if (place >= 0) rates[place] += capacities[s]; });
    const busy = rates.reduce((sum, rate) => sum + rate, 0), arriving = loads.reduce((sum, load) => sum + load, 0);
    const passed = -Math.log(state.draw()) / (arriving + busy * (1 + interruptions));
    state.clock += passed;
    for (const job of state.queue) state.area[job.class] += passed;
    let left = state.draw() * (arriving + busy * (1 + interruptions));
    let arrived = loads.findIndex((load) => (left -= load) <= 0);
    if (arrived < 0 && !busy) arrived = loads.length - 1; // a last bit of the sum
    if (arrived >= 0) {
      state.queue.push({number: state.next++, class: arrived});
      return `job ${state.next - 1} of class ${arrived + 1} arrives`;
    }
    const place = rates.findIndex((rate) => (left -= rate * (1 + interruptions)) <= 0);
    const [job] = state.queue.splice(place < 0 ? rates.findLastIndex((rate) => rate > 0) : place, 1);
    if (state.draw() * (1 + interruptions) <= 1) return `job ${job.number} is done and leaves`;
    state.queue.push(job);
    return `job ${job.number} is interrupted and goes to the end`;
  }

  function explore(root) {
    const graph = {sets: [3, 6], loads: [0.75, 0.75], capacities: [1, 1, 1], interruptions: 1};
    let state;
    const table = element("table", {className: "explorable-graph"});
    const shape = element("p", {className: "explorable-buttons"});
    const fair = element("div", {role: "status", className: "explorable-fair"});
    const walk = element("div", {className: "explorable-walk"});
    root.replaceChildren(table, shape, fair, walk);

    const button = (label, act, off = false) => element("button", {type: "button", disabled: off, onclick: act}, label);
    const number = (label, value, min, max, by, act) => element("input", {
      type: "number", ariaLabel: label, value: String(value), min, max, step: by,
      oninput: (event) => { const given = event.target.valueAsNumber; if (given >= min && given <= max) act(given); },
    });

    function edit() {
      const head = graph.capacities.map((capacity, s) => element("th", {scope: "col"}, `server ${s + 1}`, element("br"),
        number(`capacity of server ${s + 1}`, capacity, 0.1, 10, 0.1, (given) => { graph.capacities[s] = given; begin(); })));
      const rows = graph.loads.map((load, i) => {
        const shown = element("output", {}, load.toFixed(2));
        const slider = element("input", {
          type: "range", ariaLabel: `load of class ${i + 1}`, min: 0.01, max: 3, step: 0.01, value: String(load),
          oninput: (event) => {
            graph.loads[i] = event.target.valueAsNumber;
            shown.textContent = graph.loads[i].toFixed(2);
            begin();
          },
        });
        const boxes = graph.capacities.map((_, s) => element("td", {}, element("input", {
          type: "checkbox", ariaLabel: `class ${i + 1} may use server ${s + 1}`, checked: Boolean(graph.sets[i] >> s & 1),
          onchange: (event) => {
            const changed = graph.sets[i] ^ (1 << s);
            if (changed) graph.sets[i] = changed;
            else event.target.checked = true; // a class needs a server
            begin();
          },
        })));
        return element("tr", {}, element("th", {scope: "row"}, `class ${i + 1}`), element("td", {}, slider, " ", shown), ...boxes);
      });
      table.replaceChildren(
        element("thead", {}, element("tr", {}, element("td"), element("th", {scope: "col"}, "load"), ...head)),
        element("tbody", {}, ...rows));
      const again = (act) => () => { act(); edit(); };
      const classes = graph.loads.length, servers = graph.capacities.length;
      shape.replaceChildren(
        button("Add a class", again(() => { graph.sets.push(1); graph.loads.push(0.2); }), classes === MOST),
        button("Remove a class", again(() => { graph.sets.pop(); graph.loads.pop(); }), classes === 1),
        button("Add a server", again(() => graph.capacities.push(1)), servers === MOST),
        button("Remove a server", again(() => {
          graph.capacities.pop();
          graph.sets = graph.sets.map((set) => set & ((1 << graph.capacities.length) - 1) || 1);
        }), servers === 1));
      begin();
    }

    function tell() {
      const found = fairness(graph.sets, graph.loads, graph.capacities);
      if (found.overloaded) {
        const {present, load, capacity} = found.overloaded;
        const names = present.map((i) => i + 1).join(", ");
        fair.replaceChildren(element("p", {}, `Overloaded: class${present.length > 1 ? "es" : ""} ${names} bring${
          present.length > 1 ? "" : "s"} ${load.toFixed(2)}, and the servers they may use can do ${capacity.toFixed(2)}.`));
        return;
      }
      const seen = (i) => (state.clock ? (state.area[i] / state.clock).toFixed(4) : "");
      const rows = graph.loads.map((load, i) => element("tr", {}, element("th", {scope: "row"}, `class ${i + 1}`),
        ...[found.jobs[i].toFixed(4), (found.jobs[i] / load).toFixed(4), (load / found.jobs[i]).toFixed(4), seen(i)].map(
          (text) => element("td", {className: "number"}, text))));
      const names = ["", "mean jobs", "mean delay", "mean service rate", "jobs in the queue below, so far"];
      fair.replaceChildren(
        element("p", {}, `Balanced fairness; nobody is there ${(100 * found.empty).toFixed(2)} % of the time.`),
        element("table", {}, element("thead", {}, element("tr", {}, ...names.map((name) => element("th", {scope: "col"}, name)))),
          element("tbody", {}, ...rows)));
    }

    function show(event) {
      const serving = served(state.queue, graph.sets, graph.capacities.length);
      const jobs = state.queue.map((job, place) => {
        const by = serving.flatMap((at, s) => (at === place ? [s + 1] : []));
        return element("li", {className: by.length ? "served" : ""}, element("b", {}, `${job.number}`), ` class ${job.class + 1}`,
          by.length ? `, server ${by.join(" and ")}` : ", waits");
      });
      walk.querySelector("ol").replaceChildren(...jobs);
      walk.querySelector("output").textContent = `Time ${state.clock.toFixed(3)}: ${event}.`;
      tell();
    }

    function go(steps) {
      let event = "";
      for (let k = 0; k < steps; k++) event = step(state, graph.sets, graph.loads, graph.capacities, graph.interruptions);
      show(event);
    }

    function begin() {
      state = {queue: [], clock: 0, area: graph.loads.map(() => 0), next: 1, draw: numbers(1)};
      const most = number("interruptions of a job in the mean", graph.interruptions, 0, 100, 0.5, (given) => {
        graph.interruptions = given;
      });
      if (!walk.firstChild) {
        walk.append(
          element("p", {className: "explorable-buttons"}, button("Next event", () => go(1)), button("A thousand events", () => go(1000)),
            button("Begin again", () => begin()), element("label", {}, "interruptions of a job ", most)),
          element("p", {}, element("output", {ariaLive: "polite"})), element("ol", {ariaLabel: "the queue, from its head on"}));
      }
      show("the queue is empty");
    }

    edit();
  }

  const begin = () => document.querySelectorAll("div.explorable:not(.explorable-curves, .live)").forEach(explore);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
}
