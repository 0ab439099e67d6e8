// What is seen of a simulation: its jobs on the processors, the shares of the groups, and what was measured so far. A canvas each;
// the numbers stand beside them as text (controls.js).
"use strict";

live.view = {};

{
  const LABEL = 26, ROW = 13; // pixels: what stands before a lane, and a row of text
  const ALONE = 6; // jobs that are drawn in rows of their own

  // Colours, as the book has them by day and by night; read again when the reader turns the light on or off.
  let colours = null;
  new MutationObserver(() => { colours = null; }).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  function palette(canvas) {
    if (colours) return colours;
    const style = getComputedStyle(canvas), of = (name) => style.getPropertyValue(`--${name}`).trim();
    const groups = [0, 1, 2, 3, 4, 5].map((k) => of(`curve-${k}`));
    colours = {
      group: (g) => groups[g % groups.length], text: of("pst-color-text-base"), muted: of("pst-color-text-muted"),
      line: of("pst-color-border"), ground: of("pst-color-background"),
    };
    return colours;
  }

  // A canvas as wide as there is room, sharp on every screen: its pen, which knows the colours (`look`) and its width.
  function sheet(canvas, height) {
    const width = canvas.clientWidth, by = window.devicePixelRatio || 1, sizes = [width, height].map((size) => Math.round(size * by));
    if (canvas.width !== sizes[0] || canvas.height !== sizes[1]) {
      [canvas.width, canvas.height] = sizes;
      canvas.style.height = `${height}px`;
    }
    const pen = canvas.getContext("2d");
    pen.setTransform(by, 0, 0, by, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = "12px sans-serif";
    pen.textBaseline = "middle";
    return Object.assign(pen, { width, look: palette(canvas) });
  }

  function box(pen, fill, ...place) {
    pen.fillStyle = fill;
    pen.fillRect(...place);
  }

  // Text that begins at x, or ends there; how long it is.
  function say(pen, text, x, y, fill = pen.look.muted, align = "left") {
    pen.fillStyle = fill;
    pen.textAlign = align;
    pen.fillText(text, x, y);
    return pen.measureText(text).width;
  }

  function stroke(pen, colour, width, ...points) {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.beginPath();
    for (const point of points) pen.lineTo(...point);
    pen.stroke();
  }

  const short = (value, digits = 2) => value.toFixed(digits).replace(/^-(0\.?0*)$/, "$1").replace(/^(-?)0\./, "$1.").replace("-", "−");

  // The round number from x on: 1, 2 or 5 with zeros.
  function round(x) {
    const unit = 10 ** Math.floor(Math.log10(x));
    return Number(([1, 2, 5, 10].find((k) => k * unit >= x * 0.999) * unit).toPrecision(1));
  }

  // Slanted lines: somebody waits, or could obtain.
  function hatch(pen, x, y, width, height, colour) {
    pen.save();
    pen.beginPath();
    pen.rect(x, y, width, height);
    pen.clip();
    pen.beginPath();
    for (let at = x - height; at < x + width; at += 5) {
      pen.moveTo(at, y + height);
      pen.lineTo(at + height, y);
    }
    pen.strokeStyle = colour;
    pen.lineWidth = 1;
    pen.stroke();
    pen.restore();
  }

  // A job: as long as the work that is left, the brighter the faster it is served; hatched if nobody serves it.
  function block(pen, job, x, y, width, height, full, named) {
    const own = pen.look.group(job.group), room = Math.max(width, 1.5), served = job.rate > 0;
    pen.globalAlpha = served ? 0.3 + 0.7 * Math.min(1, job.rate / full) : 0.12;
    box(pen, own, x, y, room, height);
    pen.globalAlpha = 1;
    if (!served) hatch(pen, x, y, room, height, own);
    pen.strokeStyle = own;
    pen.lineWidth = served ? 1.5 : 1;
    if (room > 3) pen.strokeRect(x + 0.75, y + 0.75, room - 1.5, height - 1.5);
    const text = served ? short(job.rate) : "waits", long = pen.measureText(text).width;
    if (!named || height < 11 || long > room - 4) return;
    pen.globalAlpha = 0.85;
    box(pen, pen.look.ground, x + 2, y + 1.5, long + 3, height - 3);
    pen.globalAlpha = 1;
    say(pen, text, x + 3.5, y + height / 2 + 0.5, pen.look.text);
  }

  // Which jobs stand in which row, and who waits before all of them. Where all are served at once, or one after the other by a single
  // processor, each has a row of its own, in the order of arrival. A job that waits for a decision stands behind those that are served.
  function rows({ lanes, jobs, line, tracked, waiting, policy, settings: { model } }) {
    if (model === "one" || policy === "balanced") return { rows: (line ?? lanes[0].jobs).map((job) => [job]), alone: true };
    const found = lanes.map((lane) => lane.jobs);
    if (model === "servers") return { rows: found, waiting: line.filter((job) => !job.servers) };
    if (model === "tracker") return { rows: found, waiting: tracked ? [tracked, ...waiting] : [] };
    const undecided = jobs.filter((job) => job.queue);
    return { rows: undecided.length ? found.map((row, p) => [...row, ...undecided.filter((job) => job.processor === p)]) : found };
  }

  // The lanes of a simulation; `scale` remembers between two pictures how long they are.
  live.view.lanes = (canvas, simulation, scale, named) => {
    const { model } = simulation.settings, found = rows(simulation), several = Boolean(found.waiting);
    const most = found.alone ? ALONE : found.rows.length, network = model === "distributed" ? 64 : 0;
    const tall = found.alone ? 15 : Math.max(3, Math.min(24, Math.floor(250 / most)));
    const pen = sheet(canvas, most * tall + ROW + 6 + (several ? 26 : 0)), width = pen.width, look = pen.look;
    const left = LABEL + network, room = width - left - 4, top = ROW + 4, middle = (p) => top + (p + 0.5) * tall;
    const longest = Math.max(...found.rows.map((row) => live.sum(row.map((job) => (job.left < Infinity ? job.left : 2)))));
    const wanted = longest > 0 ? round(longest) : scale.work ?? 1;
    // It grows at once, and shrinks when it was too long for two seconds.
    if (!scale.work || wanted > scale.work) scale.work = wanted;
    if (wanted === scale.work) scale.since = performance.now();
    else if (performance.now() - scale.since > 2000) scale.work = wanted;
    const unit = room / scale.work, head = found.alone ? "jobs in order of arrival" : several ? "servers" : "processors";
    if (network) say(pen, "network", 0, ROW / 2 + 1);
    const used = (network && left) + say(pen, head, network && left, ROW / 2 + 1);
    // How long is a unit of work?
    const bar = round(24 / unit), said = `${short(bar, Math.max(0, -Math.floor(Math.log10(bar))))} of work`, end = width - 4, begin = end - bar * unit;
    if (begin > used + pen.measureText(said).width + 16) {
      say(pen, said, begin - 5, ROW / 2 + 1, look.muted, "right");
      for (const at of [[begin, 1, bar * unit, 1.5], [begin, -2, 1.5, 8], [end - 1.5, -2, 1.5, 8]]) box(pen, look.muted, at[0], ROW / 2 + at[1], at[2], at[3]);
    }
    for (let p = 0; p < most; p++) {
      const y = top + p * tall;
      if (!found.alone) {
        box(pen, look.line, left, y + tall - 0.5, room, 0.5);
        if (tall >= 12 || p % 5 === 4) say(pen, p + 1, left - 6, middle(p), look.muted, "right");
      }
      let x = left;
      const full = found.alone ? 1 : simulation.lanes[p].capacity || 1;
      for (const job of found.rows[p] ?? []) {
        // A job on several servers is drawn once in each of its lanes; where these are neighbours it is one block.
        if (several && p > 0 && found.rows[p - 1].includes(job)) continue;
        let lanes = 1;
        while (several && found.rows[p + lanes]?.includes(job)) lanes += 1;
        const wide = (job.left < Infinity ? job.left : scale.work) * unit;
        block(pen, job, x, y + 1, Math.min(wide, width - x), tall * lanes - 2, lanes > 1 ? job.rate : full, named);
        x += wide;
      }
    }
    if (found.alone && found.rows.length > most) {
      box(pen, look.ground, left, top + (most - 1) * tall, room, tall);
      say(pen, `and ${found.rows.length - most + 1} more`, left + 2, middle(most - 1), look.text);
    }
    if (several) queue(pen, found.waiting, model === "tracker", top + most * tall + 4, unit);
    if (network) messages(pen, simulation, middle, top);
  };

  // Who waits, from the head on; before a tracker the first is the one that it maps.
  function queue(pen, waiting, tracker, y, unit) {
    const count = waiting.length, rest = count > 1 ? `, ${count - 1} in the queue` : "";
    let x = 12 + Math.max(72, say(pen, count === 0 ? "nobody waits" : tracker ? `1 at the tracker${rest}` : `queue of ${count}`, 0, y + 9));
    for (const job of waiting) {
      const wide = Math.max(4, Math.min(60, job.left * unit));
      if (x + wide > pen.width) break;
      block(pen, job, x, y, wide, 18, 1, false);
      x += wide + 2;
    }
  }

  // A message is a dot on its way from lane to lane; filled if it carries a job.
  function messages(pen, { messages }, middle, top) {
    const { look } = pen;
    messages.forEach((one, k) => {
      const way = one.size > 0 ? 1 - one.left / one.size : 1, carries = ["placement", "migration"].includes(one.kind), x = 10 + (k % 4) * 11;
      const own = carries ? look.group(one.job.group) : look.text, from = middle(one.from);
      for (const to of [].concat(one.to)) {
        stroke(pen, look.line, 1, [x, from], [x, middle(to)]);
        pen.beginPath();
        pen.arc(x, Math.max(top, from + (middle(to) - from) * way), carries ? 5.5 : 3.5, 0, 7);
        pen.fillStyle = carries ? own : look.ground;
        pen.fill();
        pen.strokeStyle = own;
        pen.lineWidth = 1.5;
        pen.stroke();
      }
    });
  }

  // Shares at this instant: obtained (full), feasible (hatched up to there), promised (a mark). `smooth` are the bars as last seen.
  live.view.shares = (canvas, state, smooth, ease) => {
    const tall = 22, left = 58, pen = sheet(canvas, state.obtained.length * tall + 2), look = pen.look, unit = pen.width - left - 6;
    state.promised.forEach((promised, g) => {
      const y = g * tall + 4, seen = (name) => {
        const now = state[name][g];
        return unit * (smooth[name + g] = (smooth[name + g] ?? now) * ease + now * (1 - ease));
      };
      say(pen, `group ${g + 1}`, 0, y + 8, look.text);
      pen.strokeStyle = look.line;
      pen.lineWidth = 1;
      pen.strokeRect(left + 0.5, y + 0.5, unit - 1, 15);
      hatch(pen, left, y, seen("feasible"), 16, look.text);
      box(pen, look.group(g), left, y + 3, seen("obtained"), 10);
      box(pen, look.text, left + promised * unit - 1.25, y - 3, 2.5, 22);
    });
  };

  // What was measured so far, against the time it was measured for, with 95 % intervals, and the library's value as a line of dots.
  // `past` holds for each moment {time, values, halves}; `series` are {group or null, mark}.
  live.view.curves = (canvas, past, series) => {
    const height = 140, pen = sheet(canvas, height), width = pen.width, look = pen.look, left = 44, right = width - 8, top = 8, bottom = height - 20;
    if (past.length < 2) return;
    const last = past[past.length - 1], shown = past.slice(Math.floor(past.length / 8));
    const all = [0, 1e-3, ...shown.flatMap((one) => one.values), ...last.values.flatMap((value, k) => [value - last.halves[k], value + last.halves[k]]),
      ...series.map((one) => one.mark ?? 0)].filter(Number.isFinite);
    const by = round((Math.max(...all) - Math.min(...all)) / 4), digits = Math.max(0, -Math.floor(Math.log10(by) + 1e-9));
    const low = Math.floor(Math.min(...all) / by + 1e-9), high = Math.ceil(Math.max(...all) / by - 1e-9); // steps
    const across = (time) => left + time / last.time * (right - left);
    const up = (value) => bottom - (Math.max(low, Math.min(high, value / by)) - low) / (high - low) * (bottom - top);
    for (let step = low; step <= high; step++) {
      box(pen, look.line, left, up(step * by), right - left, step === 0 ? 1.5 : 0.5);
      say(pen, step === 0 ? "0" : short(step * by, digits), left - 5, up(step * by), look.muted, "right");
    }
    say(pen, `time ${Number(last.time.toPrecision(3)).toLocaleString("en").replace(/^0\./, ".")}`, right, height - 8, look.muted, "right");
    say(pen, "0", left, height - 8);
    series.forEach(({ group, mark }, k) => {
      const colour = group === null ? look.text : look.group(group), band = past.filter(({ halves }) => Number.isFinite(halves[k]));
      const line = (moments, sign) => moments.map(({ time, values, halves }) => [across(time), up(values[k] + (sign && sign * halves[k]))]);
      pen.fillStyle = colour;
      pen.globalAlpha = 0.18;
      pen.beginPath();
      for (const point of [...line(band, 1), ...line(band, -1).reverse()]) pen.lineTo(...point);
      pen.fill();
      pen.globalAlpha = 1;
      pen.setLineDash(group === null ? [6, 3] : []);
      stroke(pen, colour, 2, ...line(past, 0));
      if (mark !== undefined) {
        pen.setLineDash([2, 3]);
        stroke(pen, colour, 1.5, [left, up(mark)], [right, up(mark)]);
        pen.beginPath(); // a triangle at the end points at it
        for (const [x, y] of [[right - 7, 0], [width - 1, -5], [width - 1, 5]]) pen.lineTo(x, up(mark) + y);
        pen.fill();
      }
      pen.setLineDash([]);
    });
  };

  // The graph of who may use which server; edges are switches, by click and by key.
  live.view.graph = ({ serversOf, capacities }, onchange) => {
    const width = 300, place = (k, of) => width * (k + 0.5) / of.length;
    const edges = serversOf.flatMap((own, i) => capacities.map((_, s) => {
      const on = own.includes(s), ends = { x1: place(i, serversOf), y1: 26, x2: place(s, capacities), y2: 104 };
      const edge = drawn("g", { class: "live-edge", role: "checkbox", tabindex: 0, "aria-checked": on,
        "aria-label": `class ${i + 1} may use server ${s + 1}`, "data-key": `edge-${i}-${s}` },
      drawn("line", { ...ends, class: "touch" }), drawn("line", { ...ends, class: on ? "on" : "off" }));
      const toggle = () => onchange(serversOf.map((known, j) => (j !== i ? known : on ? known.filter((one) => one !== s) : [...known, s])));
      edge.addEventListener("click", toggle);
      edge.addEventListener("keydown", (event) => {
        if (event.key !== " " && event.key !== "Enter") return;
        event.preventDefault();
        toggle();
      });
      return edge;
    }));
    const node = (x, y, rx, text, kind) => drawn("g", { class: kind }, drawn("rect", { x: x - 36, y: y - 13, width: 72, height: 26, rx }),
      drawn("text", { x, y: y + 4.5, "text-anchor": "middle" }, text));
    return drawn("svg", { viewBox: `0 0 ${width} 130`, class: "live-graph", role: "group", "aria-label": "Which class may use which server" }, ...edges,
      ...serversOf.map((_, i) => node(place(i, serversOf), 15, 13, `class ${i + 1}`, `group-${i}`)),
      ...capacities.map((_, s) => node(place(s, capacities), 115, 4, `server ${s + 1}`, "")));
  };

  live.view.short = short;
}
