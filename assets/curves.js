// Pages of curves to play with: sliders, curves to hide, and a table of values. What is there to move and to draw is a page's
// specification (compendium.press.explorables); a curve is a law of laws.js, a grid of numbers computed beforehand, or both.
"use strict";

{
  // About `wanted` round numbers from low to high.
  function ticks(low, high, wanted) {
    const rough = (high - low) / wanted, unit = 10 ** Math.floor(Math.log10(rough));
    const by = unit * [1, 2, 5, 10].find((k) => k * unit >= rough * 0.999), first = Math.floor(low / by + 1e-9);
    const count = Math.ceil(high / by - 1e-9) - first;
    return Array.from({length: count + 1}, (_, k) => Number(((first + k) * by).toPrecision(12)));
  }

  const written = (value, digits) => (value === null || !Number.isFinite(value) ? "–" : value.toFixed(digits).replace(/^-(0\.?0*)$/, "$1"));

  function explore(root, spec) {
    const controls = [...spec.controls, spec.x], fine = [];
    spec.x.values.forEach((x, k, all) => {
      fine.push([x, k]);
      for (let j = 1; k + 1 < all.length && j < (spec.x.between || 1); j++) {
        fine.push([x + (all[k + 1] - x) * j / spec.x.between, k + j / spec.x.between]);
      }
    });
    const at = Object.fromEntries(controls.map((one) => [one.name, one.start]));
    const curves = spec.curves.map((curve, number) => ({...curve, number, shown: true}));
    let shows = 0, looked = null; // what the curves show; where a pointer looks

    const settings = (places) => Object.fromEntries(spec.controls.map((one) => [one.name, one.values[places[one.name]]]));

    // The values of a curve: those of its law, or of its grid where the law has none.
    function values(curve, x, k) {
      const places = curve.kept || at;
      const found = curve.law ? window.laws[curve.law](settings(places), x) : null;
      if (found || !curve.grid) return found;
      let grid = spec.grids[curve.grid].values;
      for (const name of spec.grids[curve.grid].axes) grid = grid[places[name]];
      // Between two points each column is a straight line, so that the larger of two keeps the corner where they cross.
      const before = grid[Math.floor(k)], after = grid[Math.ceil(k)], scale = spec.grids[curve.grid].scale;
      return before && after && before.map((value, column) => (value + (k % 1) * (after[column] - value)) / scale);
    }

    const plotted = (found) => (found ? Math.max(...spec.shows[shows].of.map((column) => found[column])) : null);

    const text = (one, k) => one.words ? one.words[k] : String(one.values[k]);

    function field(one) {
      const id = `explorable-${one.name}`, output = element("output", {htmlFor: id}, text(one, at[one.name]));
      const input = one.words
        ? element("select", {id}, ...one.words.map((word, k) => element("option", {value: k, selected: k === one.start}, word)))
        : element("input", {id, type: "range", min: 0, max: one.values.length - 1, step: 1, value: String(one.start)});
      const tell = () => {
        output.textContent = text(one, at[one.name]);
        input.setAttribute("aria-valuetext", output.textContent);
      };
      input.oninput = () => {
        at[one.name] = Number(input.value);
        tell();
        show();
      };
      if (one.words) return element("p", {}, element("label", {htmlFor: id}, one.label), " ", input);
      tell();
      one.input = input;
      return element("p", {}, element("label", {htmlFor: id}, one.label), " ", input, " ", output);
    }

    const chart = drawn("svg", {role: "img"}), body = element("tbody"), where = element("p", {className: "explorable-where"});
    const choice = {name: "shows", label: "the curves show", values: [], words: spec.shows.map((one) => one.label), start: 0};
    const choose = field(choice);
    choose.querySelector("select").oninput = (event) => { shows = Number(event.target.value); show(); };
    const head = [spec.named, ...spec.columns].map((name) => element("th", {scope: "col"}, name));
    root.replaceChildren(
      element("div", {className: "explorable-controls"}, ...controls.map(field), ...(spec.shows.length > 1 ? [choose] : [])), chart,
      element("div", {ariaLive: "polite"}, where, element("table", {}, element("thead", {}, element("tr", {}, ...head)), body)));

    function rows() {
      body.replaceChildren(...curves.map((curve) => {
        const box = element("input", {type: "checkbox", checked: curve.shown, onchange: () => { curve.shown = box.checked; show(); }});
        const swatch = drawn("svg", {width: 28, height: 10, "aria-hidden": "true"});
        swatch.append(drawn("line", {x1: 0, x2: 28, y1: 5, y2: 5, class: `curve curve-${curve.number % 7}`}));
        curve.named = element("span", {}, curve.label);
        curve.cells = spec.columns.map(() => element("td", {className: "number"}));
        const drop = curve.kept ? [" ", element("button", {type: "button", ariaLabel: `Remove ${curve.label}`, onclick: () => {
          curves.splice(curves.indexOf(curve), 1);
          rows();
        }}, "×")] : [];
        return element("tr", {}, element("th", {scope: "row"}, element("label", {}, box, " ", swatch, " ", curve.named), ...drop),
          ...curve.cells);
      }));
      show();
    }

    if (spec.keep) {
      let kept = 0;
      root.append(element("p", {className: "explorable-buttons"}, element("button", {type: "button", onclick: () => {
        const used = curves.map((curve) => curve.number);
        const number = [...Array(99).keys()].find((k) => !used.includes(k));
        curves.push({...spec.curves[0], label: `curve kept ${++kept}`, kept: {...at}, shown: true, number});
        rows();
      }}, "Keep this curve")));
    }

    // A kept curve is known by what the sliders said then and do not say now.
    function difference(curve) {
      const changed = spec.controls.filter((one) => curve.kept[one.name] !== at[one.name]);
      return `kept: ${changed.map((one) => `${one.label} ${text(one, curve.kept[one.name])}`).join(", ") || "the same"}`;
    }

    function show() {
      const width = Math.max(280, root.clientWidth), height = Math.min(400, 0.75 * width);
      const left = 58, right = 12, top = 10, bottom = 44, xs = spec.x.values;
      const lines = curves.map((curve) => fine.flatMap(([x, k]) => {
        const y = plotted(values(curve, x, k));
        return y === null ? [] : [[x, y, k]];
      }));
      const all = [0, ...lines.flat().map(([, y]) => y)], ys = ticks(Math.min(...all), Math.max(...all, 1e-3), 5);
      const low = ys[0], high = ys[ys.length - 1], first = Math.min(0, xs[0]), last = xs[xs.length - 1];
      const across = (x) => left + (x - first) / (last - first) * (width - left - right);
      const up = (y) => height - bottom - (y - low) / (high - low) * (height - top - bottom);
      chart.replaceChildren();
      chart.setAttribute("viewBox", `0 0 ${width} ${height}`);
      const add = (name, set, inside = "") => chart.append(drawn(name, set, inside));
      for (const y of ys) {
        add("line", {x1: left, x2: width - right, y1: up(y), y2: up(y), class: y === 0 ? "zero" : "rule"});
        add("text", {x: left - 6, y: up(y) + 4, "text-anchor": "end"}, String(y));
      }
      for (const x of ticks(first, last, width < 450 ? 4 : 8).filter((tick) => tick <= last + 1e-9)) {
        add("text", {x: across(x), y: height - bottom + 17, "text-anchor": "middle"}, String(x));
      }
      add("text", {x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle"}, spec.x.label);
      const k = looked ?? at[spec.x.name];
      add("line", {x1: across(xs[k]), x2: across(xs[k]), y1: top, y2: height - bottom, class: "cursor"});
      curves.forEach((curve, number) => {
        const found = values(curve, xs[k], k), y = plotted(found);
        curve.cells.forEach((cell, column) => { cell.textContent = written(found && found[column], spec.digits); });
        if (curve.kept) curve.named.textContent = difference(curve);
        if (!curve.shown) return;
        const look = `curve curve-${curve.number % 7}`;
        add("polyline", {points: lines[number].map(([x, value]) => `${across(x).toFixed(1)},${up(value).toFixed(1)}`).join(" "), class: look});
        if (y !== null) add("circle", {cx: across(xs[k]), cy: up(y), r: 4, class: look});
      });
      chart.setAttribute("aria-label", `${spec.shows[shows].label}, against ${spec.x.label}: ${
        curves.filter((curve) => curve.shown).map((curve) => curve.label).join("; ")}. Values in the table below.`);
      where.textContent = `At ${[...spec.controls, spec.x].filter((one) => !one.words).map(
        (one) => `${one.label}: ${text(one, one === spec.x ? k : at[one.name])}`).join("; ")}.`;
    }

    const nearest = (event) => {
      const box = chart.getBoundingClientRect(), width = box.width - 70;
      const first = Math.min(0, spec.x.values[0]), last = spec.x.values[spec.x.values.length - 1];
      const x = first + (event.clientX - box.left - 58) / width * (last - first);
      const far = spec.x.values.map((value) => Math.abs(value - x));
      return far.indexOf(Math.min(...far));
    };
    const look = (k) => { if (k !== looked) { looked = k; show(); } };
    chart.addEventListener("pointermove", (event) => look(nearest(event)));
    chart.addEventListener("pointerleave", () => look(null));
    chart.addEventListener("click", (event) => {
      spec.x.input.value = nearest(event);
      spec.x.input.oninput();
    });
    rows();
    new ResizeObserver(show).observe(root);
  }

  const begin = () => document.querySelectorAll("div.explorable-curves").forEach((root) => {
    explore(root, JSON.parse(document.querySelector("script.explorable-specification").textContent));
  });
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
}
