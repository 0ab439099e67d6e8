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

  const LAWS = {
    exponential: {}, constant: {}, hyperexponential: { variation: 4 }, pareto: { exponent: 2.5 },
  };
  const list = (label, max) => ({ label, kind: "list", min: 0, max, step: 0.01 });
  const whole = (label, min, max) => ({ label, kind: "number", min, max, step: 1 });
  const FIELDS = {
    policy: { label: "policy", kind: "choice", words: (model) => Object.entries(live.policies[model]).map(([name, one]) => [name, `${name}: ${one.title}`]) },
    local: { label: "on a processor", kind: "choice", words: () => [["PS", "PS: jobs share alike"], ["GPPS", "GPPS: groups share as promised"]] },
    migration: { label: "jobs may move", kind: "flag" },
    processors: whole("processors", 1, 100),
    probeLimit: whole("others asked (probe limit)", 0, 9),
    probePeriod: { label: "asked by the clock every (0: on demand)", kind: "number", min: 0, max: 100, step: 0.5, none: true },
    interruptions: { label: "interruptions of a job, in the mean", kind: "number", min: 0, max: 100, step: 1 },
    loads: list("load", 1.5),
    shares: { ...list("promised share", 1), rest: true },
    size: { label: "sizes of jobs", kind: "law" },
    permanent: { ...list("permanent jobs", 5), step: 1 },
    graph: { label: "who may use which server", kind: "graph" },
    arrivalRate: { label: "arrivals in a unit of time", kind: "number", min: 0.1, max: 1000, step: 0.1 },
    probeTime: { label: "a question alone on the network takes", kind: "number", min: 0, max: 10, step: 0.001 },
    migrationTime: { label: "a job alone on the network takes", kind: "number", min: 0, max: 10, step: 0.01 },
    trackerRate: { label: "jobs mapped in a unit of time", kind: "number", min: 0.1, max: 1000, step: 0.1 },
    queue: whole("places in the queue", 0, 50),
  };
  const OF = {
    one: ["policy", "loads", "shares", "size", "permanent"],
    dispatch: ["policy", "local", "migration", "processors", "loads", "shares", "size"],
    distributed: ["policy", "local", "migration", "probeLimit", "probePeriod", "probeTime", "migrationTime", "processors", "loads", "shares", "size"],
    servers: ["policy", "interruptions", "loads", "graph", "size"],
    tracker: ["arrivalRate", "trackerRate", "queue"],
  };
  const FEW = ["policy", "interruptions", "probeLimit", "graph", "arrivalRate", "trackerRate"]; // shown at once
  const NUMBERED = { servers: ["interruptions", [0, 1, 5, 20]], tracker: ["trackerRate", [1, 5, 20, 100, 1000]] }; // besides the policy

  // What differs in a second system: its policy or, if that is no policy, a number.
  const patch = (model, beside) => {
    if (beside in live.policies[model]) return { policy: beside };
    const [name, values] = NUMBERED[model] ?? ["", []];
    return values.includes(Number(beside)) ? { [name]: Number(beside) } : live.refuse(`there is no ${beside} to stand beside it.`);
  };
  const inWords = {
    servers: ({ policy, interruptions }) => (policy === "balanced" ? "Balanced fairness" : `${interruptions} interruption${interruptions === 1 ? "" : "s"} of a job`),
    tracker: ({ trackerRate }) => `A tracker that maps ${trackerRate} jobs in a unit of time`,
  };
  const called = (settings) => (inWords[settings.model] ?? (({ policy }) => policy))(settings);

  const element = (name, settings = {}, ...inside) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(settings)) {
      if (key in made) made[key] = value;
      else made.setAttribute(key, value);
    }
    made.append(...inside);
    return made;
  };
  const copy = (value) => JSON.parse(JSON.stringify(value));
  const { short } = live.view;
  const same = (one, other) => JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());

  // What the link says, and back. A setting that is not understood is refused with a sentence.
  const written = (kind, value) => ({
    list: () => value.map((one) => String(one).replace(/^0\./, ".")).join(","),
    flag: () => (value ? "yes" : "no"),
    law: () => value.law,
    graph: () => value.serversOf.map((own) => own.join(".")).join(","),
  }[kind] ?? (() => String(value ?? 0)))();
  const numeric = (text, name) => (text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : live.refuse(`${name} is no number: ${text}.`));
  function read(name, text, settings, example) {
    const { kind, min, max, none } = FIELDS[name];
    const number = (one) => {
      const value = numeric(one, name);
      if (value < min || value > max) live.refuse(`${name} lies between ${min} and ${max}.`);
      return value;
    };
    if (kind === "number") return none && Number(text) === 0 ? null : number(text);
    if (kind === "flag") return ["yes", "no"].includes(text) ? text === "yes" : live.refuse(`${name} is yes or no.`);
    if (kind === "list") {
      const values = text.split(",").map(number);
      return values.length === example[name]?.length || values.length === settings.shares?.length ? values
        : live.refuse(`${name} has another number of groups.`);
    }
    if (kind === "law") {
      if (!(text in LAWS)) live.refuse(`there is no law of sizes called ${text}.`);
      return example.size?.law === text ? example.size : { law: text, ...LAWS[text] };
    }
    if (kind === "graph") {
      const serversOf = text.split(",").map((own) => [...new Set(own.split(".").map((one) => numeric(one, name)))].sort());
      const fits = serversOf.length === example.loads.length && serversOf.flat().every((s) => s in example.graph.capacities);
      return fits ? { ...example.graph, serversOf } : live.refuse("the graph has other classes or servers.");
    }
    return text;
  }

  // Exact values that follow the reader's settings, by the laws of the book (laws.js, explorables.js), else those that the page was given.
  function reference(system, settings) {
    const { seed: _, ...plain } = settings, { seed: __, ...example } = system.settings;
    for (const { when, ...values } of system.marks ?? []) if (same({ ...example, ...when }, plain)) return values;
    const { model, policy, loads, shares } = settings, exponential = (settings.size?.law ?? "exponential") === "exponential";
    if (model === "servers" && window.balancedFairness) {
      const { serversOf, capacities } = settings.graph;
      const found = window.balancedFairness(serversOf.map((own) => own.reduce((bits, s) => bits | 1 << s, 0)), loads, capacities);
      return found.jobs ? { jobs: found.jobs, source: "balanced fairness" } : {};
    }
    const load = loads ? loads.reduce((a, b) => a + b, 0) : 1;
    if (model === "one" && exponential && loads.length === 2 && load < 1 && load > 0 && !(settings.permanent ?? []).some(Boolean)
        && !settings.serviceRates && window.laws) {
      const deviation = window.laws[policy === "PPS" || policy === "GPPS" ? "" : policy]?.({ load, share: shares[0], quantity: "group" }, loads[0] / load);
      return deviation ? { deviation, source: "exact" } : {};
    }
    return {};
  }

  class Cluster {
    constructor(root) {
      this.root = root;
      this.systems = JSON.parse(root.dataset.live).systems;
      this.number = 0;
      this.playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;
      this.visible = false;
      this.last = null; // when the frame before was drawn
      this.frames = 0; // drawn so far
      this.begin(this.fromLink());
      this.build();
      this.tell(this.said);
      addEventListener("hashchange", () => {
        if (!location.hash.includes("=") || location.hash === this.link()) return;
        this.begin(this.fromLink());
        this.build();
        this.tell(this.said);
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

    get system() { return this.systems[this.number]; }

    own() {
      const { settings, beside = null, speed } = this.system;
      return { settings: copy(settings), beside, speed: SPEEDS.includes(speed) ? speed : live.refuse(`the page has no such speed: ${speed}.`) };
    }

    // The settings in the address, or the page's own example, and a sentence if they cannot be had.
    fromLink() {
      this.said = "";
      this.number = 0;
      if (!location.hash.includes("=")) return this.own();
      try {
        const given = [...new URLSearchParams(location.hash.slice(1))];
        const system = given.find(([name]) => name === "system")?.[1];
        if (system !== undefined) this.number = this.systems.findIndex((one) => one.name === system);
        if (this.number < 0) live.refuse(`there is no system called ${system}.`);
        const state = this.own(), { settings } = state, { model } = settings;
        for (const [name, text] of given) {
          if (name === "system") continue;
          if (name === "beside") state.beside = text;
          else if (name === "speed") state.speed = SPEEDS.includes(Number(text)) ? Number(text) : live.refuse(`no such speed: ${text}.`);
          else if (name === "seed") settings.seed = live.whole("seed", numeric(text, "seed"), 0, 2 ** 31);
          else if (name === "load" && settings.loads) {
            const load = numeric(text, name), sum = settings.loads.reduce((a, b) => a + b, 0);
            if (load < 0 || load > 3) live.refuse("load lies between 0 and 3.");
            settings.loads = settings.loads.map((one) => Number((one * load / sum).toFixed(6)));
          } else if (OF[model].includes(name)) settings[name] = read(name, text, settings, this.system.settings);
          else live.refuse(`there is nothing to set called ${name}.`);
        }
        this.pair(state).forEach(live.make);
        return state;
      } catch (fault) {
        this.number = 0;
        this.said = `The link could not be followed: ${fault.message} This is the page's own example.`;
        return this.own();
      }
    }

    link() {
      const { settings, beside, speed } = this, model = settings.model;
      const parts = OF[model].filter((name) => settings[name] !== undefined).map((name) => `${name}=${encodeURIComponent(written(FIELDS[name].kind, settings[name])).replaceAll("%2C", ",")}`);
      if (this.systems.length > 1) parts.unshift(`system=${this.system.name}`);
      if (beside !== null) parts.push(`beside=${encodeURIComponent(beside)}`);
      return `#${[...parts, `speed=${speed}`, `seed=${settings.seed}`].join("&")}`;
    }

    // The settings of what is shown: one system, or two that differ in one thing and meet the same jobs.
    pair({ settings, beside }) {
      return beside === null ? [settings] : [settings, { ...settings, ...patch(settings.model, beside) }];
    }

    begin(state) {
      const { settings } = state;
      settings.seed ??= 1;
      const each = this.pair(state).map((one) => [one, live.make(one)]), [, first] = each[0], [, second] = each[1] ?? [null, null];
      Object.assign(this, { settings, beside: state.beside, speed: state.speed });
      first.run(WARM);
      this.pace = first.events / (first.now || 1); // events in a unit of time
      second?.advance(first.now);
      this.panels = each.map(([set, simulation]) => {
        simulation.reset();
        return { simulation, since: simulation.now, scale: {}, smooth: {}, past: [], mark: reference(this.system, set) };
      });
    }

    // Change something; what cannot be is said, and nothing changes.
    change(make) {
      const state = { settings: copy(this.settings), beside: this.beside, speed: this.speed };
      make(state);
      try {
        this.begin(state);
      } catch (fault) {
        this.build();
        this.tell(`Not possible: ${fault.message}`);
        return;
      }
      this.build();
      history.replaceState(null, "", this.link());
      this.anchor.href = this.link();
      this.tell("");
    }

    // The page.

    build() {
      const focus = this.root.contains(document.activeElement) ? document.activeElement.dataset.key : null;
      const open = this.root.querySelector("details")?.open ?? this.systems.length > 1;
      const { root, settings } = this, names = OF[settings.model].filter((name) => name !== "policy" || Object.keys(live.policies[settings.model] ?? {}).length > 1);
      const button = (key, text, onclick) => element("button", { type: "button", onclick, "data-key": key }, text);
      this.play = button("play", "", () => this.toggle());
      const speed = element("input", { type: "range", min: 0, max: SPEEDS.length - 1, step: 1, value: String(SPEEDS.indexOf(this.speed)), "data-key": "speed" });
      const shown = element("output");
      const say = () => {
        const most = SPEEDS[speed.value] === SPEEDS[SPEEDS.length - 1];
        shown.textContent = most ? "as fast as it can" : `${SPEEDS[speed.value].toLocaleString("en")} event${SPEEDS[speed.value] === 1 ? "" : "s"} a second`;
        speed.setAttribute("aria-valuetext", shown.textContent);
      };
      speed.oninput = () => {
        this.speed = SPEEDS[speed.value];
        say();
        this.anchor.href = this.link();
      };
      say();
      const numbers = element("input", { type: "checkbox", checked: Boolean(this.named), "data-key": "numbers", onchange: () => {
        this.named = numbers.checked;
        this.draw();
      } });
      // The theme's script that follows the reader's scrolling takes what any link leads to for a selector, but for those of this class.
      this.anchor = element("a", { href: this.link(), className: "disabled", "data-key": "link" }, "link to this");
      this.status = element("output", { className: "live-status", ariaLive: "polite" });
      const few = names.filter((name) => FEW.includes(name)), more = names.filter((name) => !FEW.includes(name));
      const choose = this.systems.length < 2 ? [] : [this.choice("system", "system", this.systems.map((one, k) => [k, one.title]), this.number, (value) => {
        this.number = Number(value);
        this.change((state) => Object.assign(state, this.own()));
      })];
      this.views = element("div", { className: "live-panels" }, ...this.panels.map((panel) => this.panel(panel)));
      root.replaceChildren(
        element("div", { className: "live-fields" }, ...choose, ...few.flatMap((name) => this.field(name)), this.compare()),
        ...(more.length ? [element("details", { open }, element("summary", {}, more.includes("shares") ? "Set loads, promises and more" : "Set more"),
          element("div", { className: "live-fields" }, ...more.flatMap((name) => this.field(name))))] : []),
        element("div", { className: "explorable-buttons live-bar" }, this.play, button("step", "Next event", () => this.step()),
          button("restart", "Begin again", () => this.again()), button("forget", "Measure anew", () => this.forget()),
          element("label", {}, "speed ", speed), shown, element("label", {}, numbers, " rates on the jobs"), this.anchor),
        this.status, this.views);
      if (focus) root.querySelector(`[data-key="${focus}"]`)?.focus();
      this.wake();
      this.draw();
      this.measure(true);
    }

    choice(key, label, words, value, set) {
      const select = element("select", { "data-key": key, onchange: () => set(select.value) },
        ...words.map(([one, text]) => element("option", { value: one, selected: String(one) === String(value) }, text)));
      return element("label", {}, `${label} `, select);
    }

    slider(key, label, { min, max, step }, value, set) {
      const shown = element("output", {}, short(value, step < 1 ? 2 : 0));
      const input = element("input", { type: "range", min, max, step, "data-key": key,
        oninput: () => { shown.textContent = short(Number(input.value), step < 1 ? 2 : 0); }, onchange: () => set(Number(input.value)) });
      input.value = value;
      return element("label", {}, `${label} `, input, " ", shown);
    }

    field(name) {
      const { settings } = this, field = FIELDS[name], value = settings[name];
      const set = (given) => this.change((state) => { state.settings[name] = given; });
      if (field.kind === "choice") return [this.choice(name, field.label, field.words(settings.model), value ?? "PS", set)];
      if (field.kind === "law") {
        const words = Object.keys(LAWS).map((law) => [law, law]);
        return [this.choice(name, field.label, words, (value ?? { law: "exponential" }).law, (law) => set(read(name, law, settings, this.system.settings)))];
      }
      if (field.kind === "flag") {
        const box = element("input", { type: "checkbox", checked: Boolean(value), "data-key": name, onchange: () => set(box.checked) });
        return [element("label", {}, box, ` ${field.label}`)];
      }
      if (field.kind === "number") {
        const input = element("input", { type: "number", min: field.min, max: field.max, step: field.step, value: String(value ?? 0), "data-key": name,
          onchange: () => {
            try {
              set(read(name, input.value, settings, this.system.settings));
            } catch (fault) {
              this.tell(`Not possible: ${fault.message}`);
              input.value = String(value ?? 0);
            }
          } });
        return [element("label", {}, `${field.label} `, input)];
      }
      if (field.kind === "graph") {
        return [live.view.graph(value, (i, s, on) => this.change((state) => {
          const own = new Set(state.settings.graph.serversOf[i]);
          if (on) own.add(s);
          else own.delete(s);
          state.settings.graph.serversOf[i] = [...own].sort();
        }))];
      }
      // A slider for each group; the last group's promised share is what the others leave.
      const values = value ?? settings.loads.map(() => 0), of = settings.model === "servers" ? "class" : "group";
      return values.slice(0, field.rest ? -1 : undefined).map((one, g) => this.slider(`${name}${g}`, `${field.label} of ${of} ${g + 1}`, field, one, (given) => {
        const next = values.slice();
        next[g] = given;
        if (field.rest) next[next.length - 1] = Number((1 - next.slice(0, -1).reduce((a, b) => a + b, 0)).toFixed(6));
        set(next);
      }));
    }

    compare() {
      const { model } = this.settings, policies = FIELDS.policy.words(model), numbers = NUMBERED[model]?.[1] ?? [];
      const words = [["", "nothing"], ...(policies.length > 1 ? policies : []).filter(([name]) => name !== "algorithm"),
        ...numbers.map((one) => [one, called({ ...this.settings, policy: null, ...patch(model, one) })])];
      return this.choice("beside", "beside it", words, this.beside ?? "", (value) => this.change((state) => { state.beside = value || null; }));
    }

    panel(panel) {
      const { simulation } = panel, { model, policy } = simulation.settings, about = live.policies[model]?.[policy];
      const name = called(simulation.settings);
      const canvas = (kind, label) => element("canvas", { className: `live-${kind}`, role: "img", ariaLabel: label });
      panel.series = this.series(panel);
      panel.lanes = canvas("lanes", "The jobs, each as long as the work that is left of it. In words they are in the line above when you pause.");
      panel.shares = simulation.state().promised ? canvas("shares", "What each group obtains, could claim and was promised. The numbers are in the table.") : null;
      panel.curves = canvas("curves", `${this.title(panel)}, as measured so far. The numbers are in the table.`);
      panel.body = element("tbody");
      panel.alert = element("p", { className: "live-alert", role: "status" });
      const heads = panel.shares ? ["", "promised", "could claim", "obtained", "deviation"] : ["", model === "tracker" ? "measured" : "mean jobs"];
      heads.push(panel.mark.source ?? "library");
      const dotted = panel.series.some((one) => one.mark !== undefined) ? `; dotted: ${panel.mark.source ?? "the library"}` : "";
      return element("section", { className: "live-panel", ariaLabel: name },
        element("p", { className: "live-name" }, element("b", {}, name), about ? ` ${about.sentence}` : ""), panel.alert, panel.lanes,
        ...(panel.shares ? [element("p", { className: "live-legend" }, "Shares now: ", element("i", { className: "obtained" }), " obtained, ",
          element("i", { className: "feasible" }), " could be claimed, ", element("i", { className: "promised" }), " promised"), panel.shares] : []),
        element("p", { className: "live-legend" }, `${this.title(panel)} so far, with 95 % intervals${dotted}`),
        panel.curves, element("div", { className: "live-scroll", tabIndex: 0, role: "region", ariaLabel: `Numbers, ${name}` },
          element("table", {}, element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))), panel.body)));
    }

    title({ series, shares }) {
      if (!shares) return series[0].name === "jobs" ? "Mean number of jobs" : "Servers busy and jobs lost";
      return `Share deviation${series.some((one) => one.group === null) ? ", capacity lost (dashes)," : ""}`;
    }

    // What is drawn as curves: names in the measures, and which of them.
    series({ simulation, mark }) {
      const { model } = simulation.settings, measured = simulation.measures(), main = measured.deviation ? "deviation" : "jobs";
      const one = (name, group, label, drawn = true) => ({ name, g: null, group, label, mark: mark[name], drawn });
      if (model === "tracker") {
        return [one("utilisation", 4, "part of the servers busy"), one("blocking", 5, "part of the jobs lost"),
          one("queue", null, "jobs that wait", false), one("running", null, "jobs that run", false)];
      }
      const each = measured[main].map((_, g) => ({ name: main, g, group: g, label: `${model === "servers" ? "class" : "group"} ${g + 1}`, mark: mark[main]?.[g], drawn: true }));
      return measured.deviation && simulation.lanes.length > 1 ? [...each, one("loss", null, "capacity lost")] : each;
    }

    tell(text) {
      this.status.textContent = text;
      this.play.textContent = this.playing ? "Pause" : "Play";
    }

    // What runs is told when somebody stops it; else a reader who listens would hear nothing else.
    words() {
      return this.panels.map(({ simulation }) => {
        const state = simulation.state(), name = this.panels.length > 1 ? `${called(simulation.settings)}: ` : "";
        const number = (jobs) => (jobs === 1 ? "1 job" : `${jobs} jobs`);
        const groups = state.promised ? state.promised.map((promised, g) => `group ${g + 1} has ${number(Math.round(state.jobs[g]))} and obtains ${
          short(state.obtained[g])} of ${short(state.feasible[g])} that it could claim`).join("; ") : `${number(simulation.jobs.length)}`;
        return `${name}${groups}.`;
      }).join(" ");
    }

    // Time.

    toggle() {
      this.playing = !this.playing;
      this.tell(this.playing ? "" : `Paused at time ${short(this.panels[0].simulation.now)}. ${this.words()}`);
      this.wake();
    }

    step() {
      this.playing = false;
      const [first, second] = this.panels.map((panel) => panel.simulation);
      let event = null, of = first;
      if (second && second.soonest() < first.soonest()) of = second;
      event = of.step();
      if (second) (of === first ? second : first).advance(of.now);
      const name = second ? `${called(of.settings)}: ` : "";
      this.tell(`Time ${short(of.now)}. ${name}${event.text} ${this.words()}`);
      this.draw();
      this.measure(true);
    }

    again() {
      this.begin({ settings: { ...this.settings, seed: this.settings.seed }, beside: this.beside, speed: this.speed });
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
      if (this.panels.some(({ simulation }) => simulation.stopped)) {
        this.playing = false;
        this.measure(true);
        this.tell(this.panels.map(({ simulation }) => simulation.stopped).find(Boolean));
      }
      this.wake();
    }

    // So many seconds of watching; both systems are always at the same time.
    go(seconds) {
      const [first, second] = this.panels.map((panel) => panel.simulation);
      if (this.speed <= SMOOTH) {
        const to = first.now + this.speed * seconds / this.pace;
        first.advance(to);
        second?.advance(to);
        return;
      }
      const until = performance.now() + WORK_MS;
      for (let left = this.speed * seconds; left > 0 && !first.stopped && performance.now() < until;) {
        const many = Math.min(left, 1000);
        first.run(Math.ceil(many));
        left -= many;
        while (second && !second.stopped && second.now < first.now) second.run(20);
        if (second && second.now > first.now) first.advance(second.now);
      }
    }

    draw() {
      if (!this.visible) return;
      this.frames += 1;
      const moving = this.playing && this.speed <= SMOOTH;
      for (const panel of this.panels) {
        live.view.lanes(panel.lanes, panel.simulation, panel.scale, this.named);
        if (panel.shares) live.view.shares(panel.shares, panel.simulation.state(), panel.smooth, moving ? 0.8 : 0);
      }
    }

    // What was measured so far, a few times a second.
    measure(now) {
      const time = performance.now();
      if (!now && time - (this.measured ?? 0) < 200) return;
      this.measured = time;
      for (const panel of this.panels) {
        const { simulation, past } = panel, series = panel.series, drawn = series.filter((one) => one.drawn), measures = simulation.measures(), halves = simulation.intervals();
        const of = (from, { name, g }) => (g === null ? from[name] : from[name][g]);
        const clock = simulation.now - panel.since, latest = past[past.length - 1];
        if (clock > (latest?.time ?? 0) * (1 + 1 / MOMENTS)) {
          past.push({ time: clock, values: drawn.map((one) => of(measures, one)), halves: drawn.map((one) => of(halves, one)) });
        }
        if (past.length > MOMENTS) panel.past = past.filter((_, k) => k % 2 === 1);
        if (this.visible) live.view.curves(panel.curves, panel.past, drawn);
        const { overload } = simulation;
        panel.alert.textContent = overload ?? "";
        const known = (one) => (overload || one.mark === undefined ? "–" : short(one.mark, 3));
        const half = (value) => (Number.isFinite(value) ? [" ", element("small", {}, `± ${short(value, 3)}`)] : []);
        const value = (one) => (clock > 0 ? [short(of(measures, one), 3), ...half(of(halves, one))] : ["–"]);
        panel.body.replaceChildren(...series.map((one) => element("tr", {}, element("th", { scope: "row", className: one.group === null ? "" : `group-${one.group}` }, one.label),
          ...(panel.shares ? ["promised", "feasible", "obtained"].map((name) => element("td", {}, one.g === null || clock === 0 && name !== "promised" ? "" : short(measures[name][one.g]))) : []),
          element("td", {}, ...value(one)), element("td", {}, known(one)))));
      }
    }
  }

  const begin = () => document.querySelectorAll("div.live[data-live]").forEach((root) => live.shown.push(new Cluster(root)));
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
}
