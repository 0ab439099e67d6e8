// What pages of curves compute themselves; each law is tested against the library. A law takes what the sliders say and the
// place on the axis, and gives a value for each column of the page's table, or null where it does not answer.
"use strict";

window.laws = {};

{
  // One processor, two groups, service rate 1: the probability that a group with load `own` is there, in service of one job at
  // a time (clustershare.uniprocessor.exact). Of the other's load, it has `above` before it, `beside` it, or `below` it.
  function present(own, above, beside, below, preemptive) {
    const slack = 1 - own - above, ahead = own + above + beside;
    const stretched = (Math.sqrt(slack * slack + 4 * own) - slack) / 2; // arrivals of the group, with those above worked off
    const wait = 1 / (1 - ahead / (1 + stretched));
    if (preemptive) return 1 - wait * (1 - ahead) / (1 + stretched);
    return 1 - wait * (1 - ahead - below + below / (1 + stretched)) / (1 + own);
  }

  const pair = (of) => [of(0), of(1)];
  const loads = (given, x) => [given.load * x, given.load * (1 - x)];
  const shares = (given) => [given.share, 1 - given.share];

  // Both groups' presence when group `first` is served first; -1 if no group is.
  const inTurn = (own, first, preemptive = false) => pair((g) => present(
    own[g], ...[first === 1 - g, first === -1, first === g].map((so) => (so ? own[1 - g] : 0)), preemptive));

  const deviations = (given, own, there) => pair((g) => (
    given.quantity === "job" ? own[g] * there[g] : there[g] - own[g] / shares(given)[g]));

  const preferred = (given) => (Math.abs(2 * given.share - 1) < 1e-12 ? -1 : given.share > 0.5 ? 0 : 1);

  const oneByOne = (first, preemptive) => (given, x) => {
    const own = loads(given, x);
    return deviations(given, own, inTurn(own, first(given), preemptive));
  };
  window.laws.FCFS = oneByOne(() => -1);
  window.laws.HOL = oneByOne(preferred);
  window.laws.PQ = oneByOne(preferred, true);

  // Up-Down is HOL where the group that is served first still falls behind; elsewhere no formula is known.
  window.laws.UD = (given, x) => {
    const own = loads(given, x);
    for (const first of [0, 1]) {
      const there = inTurn(own, first), owed = pair((g) => shares(given)[g] * there[g] - own[g]);
      if (owed[first] > owed[1 - first]) return deviations(given, own, there);
    }
    return null;
  };

  // Sharing policies serve all jobs of a group alike; of how the groups share, there is a formula for equal rates alone.
  window.laws.sharing = (given) => (given.quantity === "job" ? [0, 0] : null);
  window.laws.PS = (given, x) => {
    const own = loads(given, x);
    return window.laws.sharing(given) || deviations(given, own, pair((g) => own[g] / (1 - own[1 - g])));
  };
}

{
  // Two groups alike, each promised half of P equal processors. With a law of a group's number, up to P / 2, its share
  // deviation (thesis (4.121), (4.127)); with that of all jobs, up to P, the capacity loss (4.58).
  const deviation = (law, P, load) => {
    const feasible = law.slice(0, P / 2 + 1).reduce((sum, p, n) => sum - p * (0.5 - n / P), 0.5);
    return (feasible - load / 2) / 0.5;
  };
  const loss = (law, P, load) => law.slice(0, P + 1).reduce((sum, p, n) => sum - p * (1 - n / P), 1) - load;

  // The law of a sum of so many geometric numbers.
  const negativeBinomial = (count, ratio, most) => {
    const law = [(1 - ratio) ** count];
    for (let n = 1; n <= most; n++) law.push(law[n - 1] * ratio * (count + n - 1) / n);
    return law;
  };

  // Random splitting with processor sharing, over all processors or over the group's own half (Theorems 4.11 and 4.13).
  const split = (count, ratio) => (given, load) => {
    const P = given.processors;
    return [loss(negativeBinomial(P, load, P), P, load), deviation(negativeBinomial(count(P), ratio(load), P), P, load)];
  };
  window.laws.HPRS = split((P) => P, (load) => load / 2 / (1 - load / 2));
  window.laws.VPRS = split((P) => P / 2, (load) => load);

  // Join Shortest Queue with migration is one line before P processors: M/M/P, a job of either group at random (5.2)-(5.7).
  window.laws.JSQ = (given, load) => {
    if (given.migration === "no") return null;
    const P = given.processors, weights = [1];
    for (let n = 1; n < P; n++) weights.push(weights[n - 1] * load * P / n);
    const all = weights[P - 1] * load; // all processors are busy: so many and more
    const total = weights.reduce((sum, w) => sum + w, 0) + all / (1 - load);
    const binomial = (n, own) => { // of n jobs, the probability that so many are the group's
      let p = 0.5 ** n;
      for (let k = 0; k < own; k++) p *= (n - k) / (k + 1);
      return own > n ? 0 : p;
    };
    const law = Array.from({length: P / 2 + 1}, (_, own) => weights.reduce((sum, w, n) => sum + w * binomial(n, own), 0) / total);
    // Of those that wait, a geometric number, the group's are geometric too.
    const part = load / 2 / (1 - load / 2), busy = all / (1 - load) / total;
    law.forEach((_, own) => {
      for (let k = 0; k <= own; k++) law[own] += busy * binomial(P, k) * (1 - part) * part ** (own - k);
    });
    return [0, deviation(law, P, load)];
  };
}

{
  // The cluster chain (ctmc, Section 3), service rate 1. What does not depend on rates: the vectors, each the numbers of jobs
  // of each size in service, and which follows when a job is added.
  function lattice(servers, sizes) {
    const vectors = [], place = {};
    const extend = (jobs, free) => {
      if (jobs.length === sizes.length) {
        place[jobs] = vectors.push(jobs) - 1;
        return;
      }
      const size = sizes[jobs.length];
      for (let n = 0; n * size <= free; n++) extend([...jobs, n], free - n * size);
    };
    extend([], servers);
    const larger = vectors.map((jobs) => sizes.map((_, s) => place[jobs.map((n, k) => n + (k === s))] ?? -1));
    const smaller = vectors.map((jobs) => sizes.map((_, s) => place[jobs.map((n, k) => n - (k === s))] ?? -1));
    return {vectors, larger, smaller};
  }

  // The stationary probabilities by Gauss-Seidel sweeps: idle[v], and held[q][s][v] with q jobs in the queue and one of size
  // sizes[s] at the tracker.
  function stationary({servers, places, tracker}, rate, sizes, chances) {
    const {vectors, larger, smaller} = lattice(servers, sizes), S = sizes.length;
    const jobs = vectors.map((own) => own.reduce((sum, n) => sum + n, 0));
    const idle = vectors.map(() => 1), held = Array.from({length: places + 1}, () => sizes.map(() => vectors.map(() => 1)));
    for (let sweep = 0; sweep < 20000; sweep++) {
      let moved = 0, total = 0;
      const departing = (at, v) => {
        let into = 0;
        for (let s = 0; s < S; s++) if (larger[v][s] >= 0) into += at[larger[v][s]] * vectors[larger[v][s]][s];
        return into;
      };
      const mapped = (q, v) => {
        let into = 0;
        for (let s = 0; s < S; s++) if (smaller[v][s] >= 0) into += held[q][s][smaller[v][s]] * tracker;
        return into;
      };
      const set = (at, v, value) => {
        moved += Math.abs(value - at[v]);
        total += value;
        at[v] = value;
      };
      for (let v = vectors.length - 1; v >= 0; v--) set(idle, v, (departing(idle, v) + mapped(0, v)) / (rate + jobs[v]));
      for (let q = 0; q <= places; q++) {
        for (let v = vectors.length - 1; v >= 0; v--) {
          const next = q < places ? mapped(q + 1, v) : 0;
          for (let s = 0; s < S; s++) {
            const into = (q ? held[q - 1][s][v] * rate : idle[v] * rate * chances[s]) + departing(held[q][s], v) + next * chances[s];
            const out = (q < places ? rate : 0) + jobs[v] + (larger[v][s] >= 0 ? tracker : 0);
            set(held[q][s], v, into / out);
          }
        }
      }
      for (const at of [idle, ...held.flat()]) for (let v = 0; v < at.length; v++) at[v] /= total;
      if (moved < 1e-11 * total) break;
    }
    return {idle, held, vectors};
  }

  const known = {};
  window.laws.cluster = (given, rate) => {
    const weights = [1, 2, 3, 4].map((size) => [size, given[`weight${size}`]]).filter(([, weight]) => weight > 0);
    const all = weights.reduce((sum, [, weight]) => sum + weight, 0);
    if (!all) return null;
    const key = JSON.stringify([given, rate]);
    if (key in known) return known[key];
    const sizes = weights.map(([size]) => size), chances = weights.map(([, weight]) => weight / all);
    const {idle, held, vectors} = stationary(given, rate, sizes, chances);
    const sum = (at) => at.reduce((total, p) => total + p, 0);
    const level = held.map((of) => sum(of.map(sum)));
    const queue = level.reduce((total, p, q) => total + q * p, 0), blocking = level[given.places];
    const busy = vectors.map((jobs) => jobs.reduce((total, n, s) => total + n * sizes[s], 0) / given.servers);
    const used = [idle, ...held.flat()].reduce((total, at) => total + sum(at.map((p, v) => p * busy[v])), 0);
    known[key] = [used, blocking, queue, queue / (rate * (1 - blocking))];
    return known[key];
  };
}
