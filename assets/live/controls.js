// A cluster that runs on a page: what a reader may set, play, pause, step, speed, two of them side by side, and a link that carries
// it all. What a page shows is its own example, in `data-live` (compendium.press.live).
"use strict";

live.shown = []; // the clusters of this page

{
  const SPEEDS = [0.5, 1, 2, 5, 10, 30, 100, 1000, 1e4, 1e5, 1e7]; // events a second
  const SMOOTH = 300; // up to this speed jobs are seen to shrink between two events
  const WARM = 500; // events before a reader looks: it does not begin empty
  const WORK_MS = 8; // of computing in a frame
  const MOMENTS = 240; // that curves remember

  const BLOCK = "A block is a job, as long as its work that is left; paler: slower; hatched: it waits.";
  const LEGEND = {
    one: BLOCK, servers: BLOCK, distributed: `${BLOCK} Dots are messages between processors; full ones carry a job.`,
    tracker: "A block is a job, as high as the servers that it takes, as long as its work that is left; hatched: it waits.",
  };

  const { short } = live.view;
  const copy = (value) => JSON.parse(JSON.stringify(value));
  const same = (one, other) => JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());
  const replaced = (values, k, value) => values.map((one, j) => (j === k ? value : one));
  const number = (name, text, least, most) => live.number(name, text.trim() === "" || isNaN(text) ? text : Number(text), least, most);

  // What a reader sets is words, in a form or in a link. Each kind of setting has them read (or refused with a sentence), written, and
  // shown in a form, which calls `set` with other words.
  const LAWS = { exponential: {}, constant: {}, hyperexponential: { variation: 4 }, pareto: { exponent: 2.5 } };
  const list = (values) => values.map((one) => String(one).replace(/^0\./, ".")).join(",");
  const graph = (serversOf) => serversOf.map((own) => own.join(".")).join(",");
  const KINDS = {
    choice: { read: (text) => text, write: String, form: (field, value, set, state) => [select(field, value, field.words(state), set)] },
    number: {
      read: (text, { name, min, max, none }) => (none && Number(text) === 0 ? null : number(name, text, min, max)),
      write: (value) => String(value ?? 0),
      form({ name, label, min, max, step }, value, set) {
        const input = element("input", { type: "number", min, max, step, value: String(value ?? 0), "data-key": name, onchange: () => set(input.value) });
        return [element("label", {}, `${label} `, input)];
      },
    },
    flag: {
      read: (text, { name }) => live.among(name, text, ["yes", "no"]) === "yes",
      write: (value) => (value ? "yes" : "no"),
      form: (field, value, set) => [check(field, value, (on) => set(KINDS.flag.write(on)))],
    },
    // A slider for each group; what the last group is promised is what the others leave.
    list: {
      read: (text, { name, min, max }, state) => live.list(name, text.split(","), state.loads.length, (of, one) => number(of, one, min, max)),
      write: list,
      form({ name, label, min, max, step, rest }, value, set, { model, loads }) {
        const values = value ?? loads.map(() => 0);
        return values.slice(0, rest ? -1 : undefined).map((one, g) => {
          const shown = element("output", {}, short(one, step < 1 ? 2 : 0));
          const input = element("input", { type: "range", min, max, step, "data-key": name + g });
          input.value = one;
          input.oninput = () => { shown.textContent = short(Number(input.value), step < 1 ? 2 : 0); };
          input.onchange = () => {
            const next = replaced(values, g, Number(input.value)), last = values.length - 1;
            set(list(rest ? replaced(next, last, Number((1 - live.sum(next.slice(0, last))).toFixed(6))) : next));
          };
          return element("label", {}, `${label} of ${model === "servers" ? "class" : "group"} ${g + 1} `, input, " ", shown);
        });
      },
    },
    law: {
      read: (text, { name }, { size }) => (size?.law === text ? size : { law: live.among(name, text, Object.keys(LAWS)), ...LAWS[text] }),
      write: (value) => value.law,
      form: (field, value, set) => [select(field, value?.law, Object.keys(LAWS).map((law) => [law, law]), set)],
    },
    graph: {
      read(text, { name }, state) {
        const most = state.graph.capacities.length - 1;
        const serversOf = live.list(name, text.split(","), state.loads.length, (of, own) => own.split(".").map((one) => number(of, one, 0, most)).sort());
        return { ...state.graph, serversOf };
      },
      write: (value) => graph(value.serversOf),
      form: (field, value, set) => [live.view.graph(value, (serversOf) => set(graph(serversOf)))],
    },
  };

  function select({ name, label }, value, words, set) {
    const made = element("select", { "data-key": name, onchange: () => set(made.value) },
      ...words.map(([one, text]) => element("option", { value: one, selected: String(one) === String(value ?? "") }, text)));
    return element("label", {}, `${label} `, made);
  }

  function check({ name, label }, value, set) {
    const box = element("input", { type: "checkbox", checked: Boolean(value), "data-key": name, onchange: () => set(box.checked) });
    return element("label", {}, box, ` ${label}`);
  }

  const policies = ({ model }) => Object.entries(live.policies[model])
    .map(([name, { title }]) => [name, model === "servers" ? title : `${name}: ${title}`]);
  const field = (kind, label, more) => ({ kind, label, ...more });
  const within = (label, min, max, step = 1, more = {}) => field("number", label, { min, max, step, ...more });
  const FIELDS = {
    policy: field("choice", "policy", { words: policies }),
    interruptions: within("interruptions of a job, in the mean", 0, 100),
    probeLimit: within("others asked (probe limit)", 0, 9),
    arrivalRate: within("arrivals in a unit of time", 0.1, 1000, 0.1),
    trackerRate: within("jobs mapped in a unit of time", 0.1, 1000, 0.1),
    graph: field("graph", "who may use which server"),
    beside: field("choice", "beside it", { words: besides }),
    local: field("choice", "on a processor", { words: () => [["PS", "PS: jobs share alike"], ["GPPS", "GPPS: groups share as promised"]] }),
    migration: field("flag", "jobs may move"),
    probePeriod: within("asked by the clock every (0: on demand)", 0, 100, 0.5, { none: true }),
    probeTime: within("a question alone on the network takes", 0, 10, 0.001),
    migrationTime: within("a job alone on the network takes", 0, 10, 0.01),
    processors: within("processors", 1, 100),
    queue: within("places in the queue", 0, 50),
    loads: field("list", "load", { min: 0, max: 1.5, step: 0.01 }),
    shares: field("list", "promised share", { min: 0, max: 1, step: 0.01, rest: true }),
    permanent: field("list", "permanent jobs", { min: 0, max: 5, step: 1 }),
    size: field("law", "sizes of jobs"),
    speed: within("speed", SPEEDS[0], SPEEDS.at(-1)),
    seed: within("seed", 0, 2 ** 31),
  };
  for (const [name, one] of Object.entries(FIELDS)) one.name = name;
  const FEW = ["policy", "interruptions", "probeLimit", "arrivalRate", "trackerRate", "graph", "beside"]; // shown at once
  const HIDDEN = ["speed", "seed"]; // of which there is no such form
  const PROCESSORS = "policy beside local migration processors loads shares size speed seed";
  const OF = Object.fromEntries(Object.entries({
    one: "policy beside loads shares size permanent speed seed",
    dispatch: PROCESSORS,
    distributed: `probeLimit probePeriod probeTime migrationTime ${PROCESSORS}`,
    servers: "policy interruptions beside loads graph size speed seed",
    tracker: "arrivalRate trackerRate beside queue speed seed",
  }).map(([model, names]) => [model, Object.values(FIELDS).filter(({ name }) => names.split(" ").includes(name))]));
  const NUMBERED = { // may differ besides the policy
    servers: { name: "interruptions", values: [0, 1, 5, 20] }, tracker: { name: "trackerRate", values: [1, 5, 20, 100, 1000] },
  };

  // What differs in a second system: its policy or, if that is no policy, a number.
  const patch = (model, beside) => {
    if (beside in live.policies[model]) return { policy: beside };
    const one = NUMBERED[model];
    return one?.values.includes(Number(beside)) ? { [one.name]: Number(beside) } : live.refuse(`there is no ${beside} to stand beside it.`);
  };

  // What may stand beside a system.
  function besides(state) {
    const { model } = state, others = policies(state).filter(([name]) => name !== "algorithm");
    return [["", "nothing"], ...(model === "tracker" ? [] : others),
      ...(NUMBERED[model]?.values ?? []).map((one) => [one, called({ ...state, policy: null, ...patch(model, one) })])];
  }

  const called = ({ model, policy, interruptions, trackerRate }) => (
    model === "tracker" ? `A tracker that maps ${trackerRate} jobs in a unit of time` : model !== "servers" ? policy
      : policy === "balanced" ? "Balanced fairness" : `${interruptions} interruption${interruptions === 1 ? "" : "s"} of a job`);

  // Exact values that follow the reader's settings, by the laws of the book (laws.js, explorables.js), else those that the page was given.
  function reference(system, { seed: _, beside: __, speed: ___, ...plain }) {
    const { seed, ...example } = system.settings, { model, policy, loads, shares, size, graph, permanent = [] } = plain;
    for (const { when, ...values } of system.marks ?? []) if (same({ ...example, ...when }, plain)) return values;
    if (model === "servers" && window.balancedFairness) {
      const { jobs } = window.balancedFairness(graph.serversOf.map((own) => own.reduce((bits, s) => bits | 1 << s, 0)), loads, graph.capacities);
      return jobs ? { jobs, source: "balanced fairness" } : {};
    }
    const load = live.sum(loads ?? []), exponential = (size?.law ?? "exponential") === "exponential";
    if (model === "one" && exponential && loads.length === 2 && load < 1 && load > 0 && !permanent.some(Boolean)) {
      const law = policy === "PPS" || policy === "GPPS" ? undefined : window.laws?.[policy];
      const deviation = law?.({ load, share: shares[0], quantity: "group" }, loads[0] / load);
      return deviation ? { deviation, source: "exact" } : {};
    }
    return {};
  }

  class Cluster {
    constructor(root) {
      this.root = root;
      this.systems = JSON.parse(root.dataset.live).systems;
      this.playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;
      this.visible = false;
      this.last = null; // when the frame before was drawn
      this.frames = 0; // drawn so far
      this.follow();
      addEventListener("hashchange", () => {
        if (!location.hash.includes("=") || location.hash === this.link()) return;
        this.follow();
        root.scrollIntoView();
      });
      new IntersectionObserver(([entry]) => {
        this.visible = entry.isIntersecting;
        this.wake();
      }).observe(root);
      document.addEventListener("visibilitychange", () => this.wake());
      new ResizeObserver(() => this.draw()).observe(root);
      new MutationObserver(() => requestAnimationFrame(() => this.draw())).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    }

    // What is set: the settings of a simulation, what stands beside it, and the speed.

    own({ settings, beside = null, speed } = this.systems[0]) { return { ...copy(settings), beside, speed }; }

    get system() { return this.systems.find(({ name }) => name === this.name); }

    // The state after something was set, by its name and in words.
    set(state, name, text) {
      if (name === "system") {
        this.name = live.among(name, text, this.systems.map((one) => one.name));
        return this.own(this.system);
      }
      if (name === "load" && state.loads) {
        const load = number(name, text, 0, 3) / live.sum(state.loads);
        return { ...state, loads: state.loads.map((one) => Number((one * load).toFixed(6))) };
      }
      const found = OF[state.model].find((one) => one.name === name) ?? live.refuse(`there is nothing to set called ${name}.`);
      const value = KINDS[found.kind].read(text, found, state);
      if (name === "speed") live.among(name, value, SPEEDS);
      return { ...state, [name]: name === "beside" ? value || null : value };
    }

    // Show what the address says, or the page's own example, and a sentence if that cannot be had.
    follow() {
      let said = "";
      this.name = this.systems[0].name;
      const given = location.hash.includes("=") ? [...new URLSearchParams(location.hash.slice(1))] : [];
      try {
        this.begin(given.reduce((state, [name, text]) => this.set(state, name, text), this.own()));
      } catch (fault) {
        said = `The link could not be followed: ${fault.message} This is the page's own example.`;
        this.name = this.systems[0].name;
        this.begin(this.own());
      }
      this.build();
      this.tell(said);
    }

    // Set something; what cannot be is said, and nothing changes.
    change(name, text) {
      let said = "";
      const before = this.name;
      try {
        this.begin(this.set(copy(this.state), name, text));
        history.replaceState(null, "", this.link());
      } catch (fault) {
        said = `Not possible: ${fault.message}`;
        this.name = before;
      }
      this.build();
      this.tell(said);
    }

    link() {
      const parts = OF[this.state.model].map(({ name, kind }) => [name, KINDS[kind].write, this.state[name]]).filter(([,, value]) => value != null)
        .map(([name, write, value]) => `${name}=${encodeURIComponent(write(value)).replaceAll("%2C", ",")}`);
      return `#${[...(this.name ? [`system=${this.name}`] : []), ...parts].join("&")}`;
    }

    // One system, or two that differ in one thing and meet the same jobs.
    begin(state) {
      const { model, beside } = state, each = beside === null ? [state] : [state, { ...state, ...patch(model, beside) }];
      const [first, second] = each.map(live.make);
      this.state = state;
      first.run(WARM);
      this.pace = first.events / (first.now || 1); // events in a unit of time
      second?.advance(first.now);
      this.panels = [first, second].slice(0, each.length).map((simulation, k) => {
        simulation.reset();
        return { simulation, since: simulation.now, scale: {}, smooth: {}, past: [], mark: reference(this.system, each[k]) };
      });
    }

    // The page.

    build() {
      const { root, state } = this, focus = root.contains(document.activeElement) ? document.activeElement.dataset.key : null;
      const open = root.querySelector("details")?.open ?? this.systems.length > 1;
      const button = (key, text, onclick) => element("button", { type: "button", onclick, "data-key": key }, text);
      const forms = (few) => element("div", { className: "live-fields" }, ...OF[state.model].filter(({ name, words }) => (
        FEW.includes(name) === few && !HIDDEN.includes(name) && !(words?.(state).length < 2)))
        .flatMap((one) => KINDS[one.kind].form(one, state[one.name], (text) => this.change(one.name, text), state)));
      const few = forms(true), more = forms(false);
      if (this.name) {
        few.prepend(select({ name: "system", label: "system" }, this.name, this.systems.map(({ name, title }) => [name, title]), (name) => this.change("system", name)));
      }
      // The theme's script that follows the reader's scrolling takes what any link leads to for a selector, but for those of this class.
      this.anchor = element("a", { className: "disabled", "data-key": "link" }, "link to this");
      this.play = button("play", "", () => this.toggle());
      this.status = element("output", { className: "live-status", ariaLive: "polite" });
      const speed = element("input", { type: "range", min: 0, max: SPEEDS.length - 1, step: 1, value: String(SPEEDS.indexOf(state.speed)), "data-key": "speed" });
      const shown = element("output");
      speed.oninput = () => {
        state.speed = SPEEDS[speed.value];
        shown.textContent = state.speed === SPEEDS.at(-1) ? "as fast as it can" : `${state.speed.toLocaleString("en")} event${state.speed === 1 ? "" : "s"} a second`;
        speed.setAttribute("aria-valuetext", shown.textContent);
        this.anchor.href = this.link();
      };
      speed.oninput();
      root.replaceChildren(few,
        element("details", { open }, element("summary", {}, "shares" in state ? "Set loads, promises and more" : "Set more"), more),
        element("div", { className: "explorable-buttons live-bar" }, this.play, button("step", "Next event", () => this.step()),
          button("restart", "Begin again", () => this.again()), button("forget", "Measure anew", () => this.forget()),
          element("label", {}, "speed ", speed), shown,
          check({ name: "numbers", label: "rates on the jobs" }, this.named, (on) => {
            this.named = on;
            this.draw();
          }), this.anchor),
        this.status, element("p", { className: "live-legend" }, LEGEND[state.model] ?? LEGEND.one),
        element("div", { className: "live-panels" }, ...this.panels.map((panel) => this.panel(panel))));
      if (focus) root.querySelector(`[data-key="${focus}"]`)?.focus();
      this.wake();
      this.draw();
      this.measure(true);
    }

    panel(panel) {
      const { simulation, mark } = panel, { policy, settings: { model } } = simulation, name = called(simulation.settings);
      const canvas = (kind, label) => (panel[kind] = element("canvas", { className: `live-${kind}`, role: "img", ariaLabel: label }));
      const legend = (...words) => element("p", { className: "live-legend" }, ...words);
      const swatch = (kind) => element("i", { className: kind });
      panel.series = this.series(panel);
      panel.shared = Boolean(simulation.state().promised);
      panel.body = element("tbody");
      panel.alert = element("p", { className: "live-alert", role: "status" });
      const source = mark.source ?? "the library", dotted = panel.series.some((one) => one.mark !== undefined);
      const title = !panel.shared ? model === "tracker" ? "Servers busy and jobs lost" : "Mean number of jobs"
        : `Share deviation${simulation.lanes.length > 1 ? ", capacity lost (dashes)," : ""}`;
      const heads = ["", ...(panel.shared ? ["feasible", "obtained", "deviation"] : [model === "tracker" ? "measured" : "mean jobs"]), mark.source ?? "library"];
      return element("section", { className: "live-panel", ariaLabel: name },
        element("p", { className: "live-name" }, element("b", {}, name), ` ${live.policies[model][policy].sentence}`), panel.alert,
        canvas("lanes", "The jobs, each as long as the work that is left of it. In words they are in the line above when you pause."),
        ...(panel.shared ? [legend("Shares now: ", swatch("obtained"), " obtained, ", swatch("feasible"), " feasible, ", swatch("promised"), " promised"),
          canvas("shares", "What each group obtains, could use of its promise, and was promised. The numbers are in the table.")] : []),
        legend(`${title} so far, with 95 % intervals${dotted ? `; dotted: ${source}` : ""}`),
        canvas("curves", `${title}, as measured so far. The numbers are in the table.`), element("div", { className: "live-scroll" },
          element("table", {}, element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))), panel.body)));
    }

    // The rows of the table: which of the measures, by which colour (null: by dashes) they are drawn as curves, and the library's value.
    series({ simulation, mark }) {
      const one = (label, group, of, curve = true) => ({ label, group, of, curve, mark: of(mark), half: of(mark.half ?? {}) });
      if (simulation.settings.model === "tracker") {
        return [one("part of the servers busy", 4, (from) => from.utilisation), one("part of the jobs lost", 5, (from) => from.blocking),
          one("jobs that wait", null, (from) => from.queue, false), one("jobs that run", null, (from) => from.running, false)];
      }
      const main = simulation.state().promised ? "deviation" : "jobs";
      const each = simulation.present.map((_, g) => ({ ...one(`${simulation.kinds} ${g + 1}`, g, (from) => from[main]?.[g]), g }));
      return main === "jobs" || simulation.lanes.length < 2 ? each : [...each, one("capacity lost", null, (from) => from.loss)];
    }

    tell(text) {
      this.status.textContent = text;
      this.play.textContent = this.playing ? "Pause" : "Play";
    }

    // What runs is told when somebody stops it; else a reader who listens would hear nothing else.
    words() {
      const jobs = (count) => `${count} job${count === 1 ? "" : "s"}`;
      return this.panels.map(({ simulation }) => {
        const { promised, obtained, feasible } = simulation.state();
        const groups = promised?.map((_, g) => (
          `group ${g + 1} has ${jobs(simulation.present[g])} and obtains ${short(obtained[g])} where ${short(feasible[g])} is feasible`));
        return `${this.prefix(simulation)}${groups?.join("; ") ?? jobs(simulation.jobs.length)}.`;
      }).join(" ");
    }

    prefix({ settings }) { return this.panels.length > 1 ? `${called(settings)}: ` : ""; }

    // Time.

    toggle() {
      this.playing = !this.playing;
      this.tell(this.playing ? "" : `Paused at time ${short(this.panels[0].simulation.now)}. ${this.words()}`);
      this.wake();
    }

    step() {
      this.playing = false;
      const [next, other] = this.panels.map(({ simulation }) => simulation).sort((one, two) => one.soonest() - two.soonest());
      const { text } = next.step();
      other?.advance(next.now);
      this.tell(`Time ${short(next.now)}. ${this.prefix(next)}${text} ${this.words()}`);
      this.draw();
      this.measure(true);
    }

    again() {
      this.begin(this.state);
      this.build();
      this.tell("Begun again, with the same random numbers.");
    }

    forget() {
      for (const panel of this.panels) {
        panel.simulation.reset();
        panel.since = panel.simulation.now;
        panel.past = [];
      }
      this.tell("What was measured is forgotten; the jobs stay.");
      this.measure(true);
    }

    wake() {
      if (this.playing && this.visible && !document.hidden) {
        this.frame ||= requestAnimationFrame((time) => this.tick(time));
      } else if (this.frame) {
        cancelAnimationFrame(this.frame);
        this.frame = 0;
        this.last = null;
      }
    }

    tick(time) {
      const passed = this.last === null ? 0 : Math.min(0.1, (time - this.last) / 1000);
      this.last = time;
      this.go(passed);
      this.draw();
      this.measure(false);
      this.frame = 0;
      const stopped = this.panels.map(({ simulation }) => simulation.stopped).find(Boolean);
      if (stopped) {
        this.playing = false;
        this.measure(true);
        this.tell(stopped);
      }
      this.wake();
    }

    // So many seconds of watching; both systems are always at the same time.
    go(seconds) {
      const [first, second] = this.panels.map(({ simulation }) => simulation), { speed } = this.state;
      if (speed <= SMOOTH) {
        const to = first.now + speed * seconds / this.pace;
        first.advance(to);
        second?.advance(to);
        return;
      }
      const until = performance.now() + WORK_MS;
      for (let left = speed * seconds; left > 0 && !first.stopped && performance.now() < until; left -= 1000) {
        first.run(Math.ceil(Math.min(left, 1000)));
        while (second && !second.stopped && second.now < first.now) second.run(20);
        if (second && second.now > first.now) first.advance(second.now);
      }
    }

    draw() {
      if (!this.visible) return;
      this.frames += 1;
      const moving = this.playing && this.state.speed <= SMOOTH;
      for (const { lanes, shared, shares, simulation, scale, smooth } of this.panels) {
        live.view.lanes(lanes, simulation, scale, this.named);
        if (shared) live.view.shares(shares, simulation.state(), smooth, moving ? 0.8 : 0);
      }
    }

    // What was measured so far, a few times a second.
    measure(now) {
      const time = performance.now();
      if (!now && time - (this.measured ?? 0) < 200) return;
      this.measured = time;
      for (const panel of this.panels) {
        const { simulation, past, series, since, shared } = panel, curves = series.filter(({ curve }) => curve);
        const measures = simulation.measures(), halves = simulation.intervals(), clock = simulation.now - since;
        if (clock > (past.at(-1)?.time ?? 0) * (1 + 1 / MOMENTS)) {
          past.push({ time: clock, values: curves.map(({ of }) => of(measures)), halves: curves.map(({ of }) => of(halves)) });
        }
        if (past.length > MOMENTS) panel.past = past.filter((_, k) => k % 2 === 1);
        if (this.visible) live.view.curves(panel.curves, panel.past, curves);
        panel.alert.textContent = simulation.overload ?? "";
        const cell = (value, half) => element("td", {}, ...(value === undefined || Number.isNaN(value) ? ["–"]
          : [short(value, 3), ...(half === undefined ? [] : [" ", element("small", {}, `± ${half < Infinity ? short(half, 3) : "?"}`)])]));
        const promise = (g) => (shared && g !== undefined ? [" ", element("small", {}, `promised ${short(measures.promised[g])}`)] : []);
        panel.body.replaceChildren(...series.map(({ label, group, g, of, mark, half }) => element("tr", {},
          element("th", { scope: "row", className: group === null ? "" : `group-${group}` }, label, ...promise(g)),
          ...(shared ? ["feasible", "obtained"].map((name) => element("td", {}, g === undefined || !clock ? "" : short(measures[name][g]))) : []),
          cell(clock > 0 ? of(measures) : undefined, of(halves)), cell(simulation.overload ? undefined : mark, half))));
      }
    }
  }

  const begin = () => document.querySelectorAll("div.live[data-live]").forEach((root) => live.shown.push(new Cluster(root)));
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
}
