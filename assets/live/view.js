// What is seen of a simulation: its jobs on the processors, the shares of the groups, and what was measured so far. A canvas each;
// the numbers stand beside them as text (controls.js).
"use strict";

live.view = {};

{
  const WORK = [0.1, 0.2, 0.3, 0.5, 1, 2, 3, 5, 8, 12, 20, 40, 80, 160, 320, 1000, 1e4, 1e6]; // units of work that a lane may be long
  const LABEL = 26, ROW = 13; // pixels: what stands before a lane, and a row of text

  // Colours, as the book has them by day and by night; read again when the reader turns the light on or off.
  let colours = null;
  new MutationObserver(() => { colours = null; }).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  function palette(canvas) {
    if (colours) return colours;
    const style = getComputedStyle(canvas), of = (name) => style.getPropertyValue(name).trim();
    colours = {
      groups: [0, 1, 2, 3, 4, 5].map((k) => of(`--curve-${k}`)), text: of("--pst-color-text-base"), muted: of("--pst-color-text-muted"),
      line: of("--pst-color-border"), ground: of("--pst-color-background"),
    };
    return colours;
  }
  const colour = (look, group) => look.groups[group % look.groups.length];

  // A canvas as wide as there is room, sharp on every screen.
  function sheet(canvas, height) {
    const width = canvas.clientWidth, by = window.devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * by) || canvas.height !== Math.round(height * by)) {
      canvas.width = Math.round(width * by);
      canvas.height = Math.round(height * by);
      canvas.style.height = `${height}px`;
    }
    const pen = canvas.getContext("2d");
    pen.setTransform(by, 0, 0, by, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = "12px sans-serif";
    pen.textBaseline = "middle";
    pen.textAlign = "left";
    return { pen, width, look: palette(canvas) };
  }

  const short = (value, digits = 2) => value.toFixed(digits).replace(/^(-?)0\./, "$1.").replace("-", "−");

  // Slanted lines: somebody waits, or could claim.
  function hatch(pen, x, y, width, height, stroke) {
    pen.save();
    pen.beginPath();
    pen.rect(x, y, width, height);
    pen.clip();
    pen.beginPath();
    for (let at = x - height; at < x + width; at += 5) {
      pen.moveTo(at, y + height);
      pen.lineTo(at + height, y);
    }
    pen.strokeStyle = stroke;
    pen.lineWidth = 1;
    pen.stroke();
    pen.restore();
  }

  // A job: as long as the work that is left, the brighter the faster it is served; hatched if nobody serves it.
  function block(pen, look, job, x, y, width, height, full, named) {
    const own = colour(look, job.group), room = Math.max(width, 1.5);
    pen.globalAlpha = job.rate > 0 ? 0.3 + 0.7 * Math.min(1, job.rate / full) : 0.12;
    pen.fillStyle = own;
    pen.fillRect(x, y, room, height);
    pen.globalAlpha = 1;
    if (!(job.rate > 0)) hatch(pen, x, y, room, height, own);
    pen.strokeStyle = own;
    pen.lineWidth = job.rate > 0 ? 1.5 : 1;
    if (room > 3) pen.strokeRect(x + 0.75, y + 0.75, room - 1.5, height - 1.5);
    if (!named || height < 11 || room < 24) return;
    const text = job.rate > 0 ? short(job.rate) : "waits";
    if (pen.measureText(text).width > room - 4) return;
    pen.fillStyle = look.ground;
    pen.globalAlpha = 0.85;
    pen.fillRect(x + 2, y + 1.5, pen.measureText(text).width + 3, height - 3);
    pen.globalAlpha = 1;
    pen.fillStyle = look.text;
    pen.fillText(text, x + 3.5, y + height / 2 + 0.5);
  }

  // Which jobs stand in which row, and who waits before all of them. Where all are served at once, or one after the other by a single
  // processor, each has a row of its own, in the order of arrival. A job that waits for a decision stands behind those that are served.
  function rows(simulation) {
    const { lanes, jobs, settings: { model, policy } } = simulation;
    if (model === "one" || policy === "balanced") return { rows: (simulation.line ?? lanes[0].jobs).map((job) => [job]), alone: true };
    if (model === "servers") return { rows: lanes.map((lane) => lane.jobs), waiting: simulation.line.filter((job) => !job.servers) };
    if (model === "tracker") return { rows: lanes.map((lane) => lane.jobs), waiting: simulation.tracked ? [simulation.tracked, ...simulation.waiting] : [] };
    const undecided = jobs.filter((job) => job.queue);
    return { rows: lanes.map((lane, p) => (undecided.length ? [...lane.jobs, ...undecided.filter((job) => job.processor === p)] : lane.jobs)) };
  }

  // The lanes of a simulation; `scale` remembers between two pictures how long they are.
  live.view.lanes = (canvas, simulation, scale, named) => {
    const found = rows(simulation), several = Boolean(found.waiting), work = (job) => (Number.isFinite(job.left) ? job.left : 2);
    const most = found.alone ? 10 : found.rows.length, network = simulation.settings.model === "distributed" ? 64 : 0;
    const tall = found.alone ? 15 : Math.max(3, Math.min(24, Math.floor(250 / most)));
    const { pen, width, look } = sheet(canvas, most * tall + ROW + 6 + (several ? 26 : 0));
    const left = LABEL + network, room = width - left - 4, top = ROW + 4;
    const longest = Math.max(0.05, ...found.rows.map((row) => row.reduce((sum, job) => sum + work(job), 0)));
    const wanted = WORK.find((one) => one >= longest) ?? longest;
    // It grows at once, and shrinks when it was too long for two seconds.
    if (!scale.work || wanted > scale.work) scale.work = wanted;
    if (wanted === scale.work) scale.since = performance.now();
    else if (performance.now() - scale.since > 2000) scale.work = wanted;
    const unit = room / scale.work;
    pen.fillStyle = look.muted;
    const head = found.alone ? "jobs in order of arrival" : several ? "servers" : "processors";
    pen.fillText(head, network ? left : 0, ROW / 2 + 1);
    if (network) pen.fillText("network", 0, ROW / 2 + 1);
    // How long is a unit of work?
    const bar = [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 1000, 1e4, 1e5].find((one) => one * unit >= 24) ?? 1e6, said = `${String(bar).replace(/^0/, "")} of work`;
    const end = width - 4, begin = end - bar * unit;
    if (begin > left + pen.measureText(head).width + pen.measureText(said).width + 16) {
      pen.fillRect(begin, ROW / 2 + 1, bar * unit, 1.5);
      pen.fillRect(begin, ROW / 2 - 2, 1.5, 8);
      pen.fillRect(end - 1.5, ROW / 2 - 2, 1.5, 8);
      pen.fillText(said, begin - pen.measureText(said).width - 5, ROW / 2 + 1);
    }
    const middle = (p) => top + (p + 0.5) * tall;
    for (let p = 0; p < most; p++) {
      const y = top + p * tall, row = found.rows[p] ?? [];
      if (!found.alone) {
        pen.fillStyle = look.line;
        pen.fillRect(left, y + tall - 0.5, room, 0.5);
        if (tall >= 12 || p % 5 === 4) {
          pen.fillStyle = look.muted;
          pen.textAlign = "right";
          pen.fillText(String(p + 1), left - 6, middle(p));
          pen.textAlign = "left";
        }
      }
      let x = left;
      const full = found.alone ? 1 : simulation.lanes[p].capacity || 1;
      for (const job of row) {
        // A job on several servers is drawn once in each of its lanes; where these are neighbours it is one block.
        if (several && p > 0 && found.rows[p - 1].includes(job)) continue;
        let lanes = 1;
        while (several && found.rows[p + lanes]?.includes(job)) lanes += 1;
        const wide = (job.left < Infinity ? job.left : scale.work) * unit;
        block(pen, look, job, x, y + 1, Math.min(wide, width - x), tall * lanes - 2, several && lanes > 1 ? job.rate : full, named);
        x += wide;
      }
      if (found.alone && p === most - 1 && found.rows.length > most) {
        pen.fillStyle = look.ground;
        pen.fillRect(left, y, room, tall);
        pen.fillStyle = look.text;
        pen.fillText(`and ${found.rows.length - most + 1} more`, left + 2, middle(p));
      }
    }
    if (several) queue(pen, look, found.waiting, top + most * tall + 4, width, unit);
    if (network) messages(pen, look, simulation, middle, top);
  };

  // Who waits, from the head on.
  function queue(pen, look, waiting, y, width, unit) {
    pen.fillStyle = look.muted;
    const head = waiting.length ? `queue of ${waiting.length}` : "nobody waits";
    pen.fillText(head, 0, y + 9);
    let x = Math.max(84, pen.measureText(head).width + 8);
    for (const job of waiting) {
      const wide = Math.max(4, Math.min(60, job.left * unit));
      if (x + wide > width) break;
      block(pen, look, job, x, y, wide, 18, 1, false);
      x += wide + 2;
    }
  }

  // A message is a dot on its way from lane to lane; filled if it carries a job.
  function messages(pen, look, simulation, middle, top) {
    simulation.messages.forEach((one, k) => {
      const way = one.size > 0 ? 1 - one.left / one.size : 1, carried = ["placement", "migration"].includes(one.kind) ? one.job : null;
      const ends = [].concat(one.to ?? []), x = 10 + (k % 4) * 11;
      for (const to of ends) {
        const from = middle(one.from), y = Math.max(top, from + (middle(to) - from) * way);
        pen.strokeStyle = look.line;
        pen.lineWidth = 1;
        pen.beginPath();
        pen.moveTo(x, from);
        pen.lineTo(x, middle(to));
        pen.stroke();
        pen.beginPath();
        pen.arc(x, y, carried ? 5.5 : 3.5, 0, 7);
        pen.fillStyle = carried ? colour(look, carried.group) : look.ground;
        pen.fill();
        pen.strokeStyle = carried ? colour(look, carried.group) : look.text;
        pen.lineWidth = 1.5;
        pen.stroke();
      }
    });
  }

  // Shares at this instant: obtained (full), claimable (hatched up to there), promised (a mark). `smooth` are the bars as last seen.
  live.view.shares = (canvas, state, smooth, ease) => {
    const tall = 22, groups = state.obtained.length, { pen, width, look } = sheet(canvas, groups * tall + 2);
    const left = 58, unit = width - left - 6;
    for (let g = 0; g < groups; g++) {
      const y = g * tall + 4, own = colour(look, g);
      const seen = ["obtained", "feasible"].map((name) => {
        const key = `${name}${g}`;
        smooth[key] = (smooth[key] ?? state[name][g]) * ease + state[name][g] * (1 - ease);
        return smooth[key];
      });
      pen.fillStyle = look.text;
      pen.fillText(`group ${g + 1}`, 0, y + 8);
      pen.strokeStyle = look.line;
      pen.lineWidth = 1;
      pen.strokeRect(left + 0.5, y + 0.5, unit - 1, 15);
      hatch(pen, left, y, seen[1] * unit, 16, look.text);
      pen.fillStyle = own;
      pen.fillRect(left, y + 3, seen[0] * unit, 10);
      pen.fillStyle = look.text;
      pen.fillRect(left + state.promised[g] * unit - 1.25, y - 3, 2.5, 22);
    }
  };

  // Round numbers from low to high.
  function ticks(low, high) {
    const rough = (high - low) / 4, unit = 10 ** Math.floor(Math.log10(rough)), by = unit * [1, 2, 5, 10].find((k) => k * unit >= rough * 0.999);
    return { by, low: Math.floor(low / by + 1e-9) * by, high: Math.ceil(high / by - 1e-9) * by };
  }

  // What was measured so far, against the time it was measured for, with 95 % intervals, and the library's value as a line of dots.
  // `past` holds for each moment {time, values, halves}; `series` are {label, group or null, mark}.
  live.view.curves = (canvas, past, series) => {
    const height = 140, { pen, width, look } = sheet(canvas, height), left = 44, right = 8, top = 8, bottom = 20;
    if (past.length < 2) return;
    const last = past[past.length - 1], shown = past.slice(Math.floor(past.length / 8));
    const all = shown.flatMap((one) => one.values).concat(last.values.flatMap((value, k) => [value - last.halves[k], value + last.halves[k]]),
      series.map((one) => one.mark ?? 0), [0]).filter(Number.isFinite);
    const y = ticks(Math.min(...all), Math.max(...all, 1e-3)), digits = Math.max(0, -Math.floor(Math.log10(y.by) + 1e-9));
    const across = (time) => left + time / last.time * (width - left - right);
    const up = (value) => height - bottom - (Math.max(y.low, Math.min(y.high, value)) - y.low) / (y.high - y.low) * (height - top - bottom);
    pen.textAlign = "right";
    for (let value = y.low; value < y.high + y.by / 2; value += y.by) {
      pen.fillStyle = look.line;
      pen.fillRect(left, up(value), width - left - right, Math.abs(value) < y.by / 2 ? 1.5 : 0.5);
      pen.fillStyle = look.muted;
      pen.fillText(short(Math.abs(value) < y.by / 2 ? 0 : value, digits), left - 5, up(value));
    }
    pen.fillText(`time ${Number(last.time.toPrecision(3)).toLocaleString("en")}`, width - right, height - 8);
    pen.textAlign = "left";
    pen.fillText("0", left, height - 8);
    series.forEach((one, k) => {
      pen.strokeStyle = pen.fillStyle = one.group === null ? look.text : colour(look, one.group);
      pen.globalAlpha = 0.18;
      pen.beginPath();
      const band = past.filter((moment) => Number.isFinite(moment.halves[k]));
      band.forEach((moment) => pen.lineTo(across(moment.time), up(moment.values[k] + moment.halves[k])));
      band.reverse().forEach((moment) => pen.lineTo(across(moment.time), up(moment.values[k] - moment.halves[k])));
      pen.fill();
      pen.globalAlpha = 1;
      pen.lineWidth = 2;
      pen.setLineDash(one.group === null ? [6, 3] : []);
      pen.beginPath();
      past.forEach((moment) => pen.lineTo(across(moment.time), up(moment.values[k])));
      pen.stroke();
      if (one.mark === undefined) return;
      pen.setLineDash([2, 3]);
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.moveTo(left, up(one.mark));
      pen.lineTo(width - right, up(one.mark));
      pen.stroke();
      pen.setLineDash([]);
      pen.beginPath(); // a triangle at the end points at it
      pen.moveTo(width - right - 7, up(one.mark));
      pen.lineTo(width - 1, up(one.mark) - 5);
      pen.lineTo(width - 1, up(one.mark) + 5);
      pen.fill();
    });
    pen.setLineDash([]);
  };

  // The graph of who may use which server; edges are switches, by click and by key.
  live.view.graph = (graph, onchange) => {
    const NS = "http://www.w3.org/2000/svg", { serversOf, capacities } = graph;
    const drawn = (name, settings, ...inside) => {
      const made = document.createElementNS(NS, name);
      for (const [key, value] of Object.entries(settings)) made.setAttribute(key, value);
      made.append(...inside);
      return made;
    };
    const width = 300, place = (k, count) => width * (k + 0.5) / count;
    const svg = drawn("svg", { viewBox: `0 0 ${width} 130`, class: "live-graph", role: "group", "aria-label": "Which class may use which server" });
    serversOf.forEach((own, i) => capacities.forEach((_, s) => {
      const on = own.includes(s), ends = { x1: place(i, serversOf.length), y1: 26, x2: place(s, capacities.length), y2: 104 };
      const edge = drawn("g", { class: "live-edge", role: "checkbox", tabindex: 0, "aria-checked": on,
        "aria-label": `class ${i + 1} may use server ${s + 1}`, "data-key": `edge-${i}-${s}` },
      drawn("line", { ...ends, class: "touch" }), drawn("line", { ...ends, class: on ? "on" : "off" }));
      const toggle = () => onchange(i, s, !on);
      edge.addEventListener("click", toggle);
      edge.addEventListener("keydown", (event) => {
        if (event.key !== " " && event.key !== "Enter") return;
        event.preventDefault();
        toggle();
      });
      svg.append(edge);
    }));
    const node = (k, count, y, text, group) => drawn("g", { class: group === null ? "live-server" : `live-class group-${group}` },
      ...(group === null ? [drawn("rect", { x: place(k, count) - 36, y: y - 13, width: 72, height: 26, rx: 4 })]
        : [drawn("rect", { x: place(k, count) - 36, y: y - 13, width: 72, height: 26, rx: 13 })]),
      drawn("text", { x: place(k, count), y: y + 4.5, "text-anchor": "middle" }, text));
    serversOf.forEach((_, i) => svg.append(node(i, serversOf.length, 15, `class ${i + 1}`, i)));
    capacities.forEach((_, s) => svg.append(node(s, capacities.length, 115, `server ${s + 1}`, null)));
    return svg;
  };

  live.view.short = short;
}
