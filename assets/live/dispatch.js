// Many processors and one who sends each job to one of them (thesis, Chapters 4 and 5): random splitting, and rules that look at the
// numbers of jobs.
"use strict";

live.policies.dispatch = {
  HPRS: { title: "Random splitting", sentence: "Each job goes to any processor, by chance." },
  VPRS: { title: "Random splitting by group", sentence: "Each job goes to a processor of its group, by chance." },
  JSQ: { title: "Join the shortest queue", sentence: "Each job goes where there are fewest jobs." },
  HP: { title: "Horizontal partitioning", sentence: "Each job goes where there are fewest jobs of its group." },
  SVP: { title: "Static vertical partitioning", sentence: "Each group has processors of its own, as many as its share." },
  DVP: { title: "Dynamic vertical partitioning", sentence: "Each group keeps to as few processors as give it its share." },
  "JSQ(d)": { title: "The shortest of d queues", sentence: "Each job goes to the shortest of d queues drawn by chance." },
  SPILL: { title: "Own processors, then idle ones", sentence: "A job goes elsewhere only if all processors of its group are busy." },
};

{
  const WHOLE = 1e-9, TIE = 2 ** -30, NEAR = 1e-9; // sums of shares are compared within the last

  // Which processors are whose (Section 5.5.3): parts[p][g]. The groups fall into as many sets as possible whose sizes r_g P sum to
  // whole numbers; in each, a group gets its whole processors, and the parts that are left lie side by side over the rest.
  live.partition = (shares, P) => {
    const sizes = shares.map((share) => share * P), isWhole = (sum) => Math.abs(sum - Math.round(sum)) < WHOLE;
    const floor = (size) => Math.floor(size + WHOLE), alone = [], rest = [];
    sizes.forEach((size, g) => (isWhole(size) ? alone.push([g]) : rest.push(g)));
    if (rest.length > 10) live.refuse("shares must be such that at most 10 groups do not have whole processors.");
    const parts = Array.from({ length: P }, () => new Array(shares.length).fill(0));
    let first = 0;
    for (const set of [...alone, ...mostSets(rest, sizes, isWhole)]) {
      const end = first + Math.round(live.sum(set.map((g) => sizes[g])));
      for (const g of set) for (let k = 0; k < floor(sizes[g]); k++) parts[first++][g] = 1;
      let left = 1;
      for (const g of set) {
        let part = sizes[g] - floor(sizes[g]);
        while (part > WHOLE) {
          const given = Math.min(part, left);
          parts[first][g] = fraction(given);
          part -= given;
          left -= given;
          if (left < WHOLE) {
            first += 1;
            left = 1;
          }
        }
      }
      first = end;
    }
    return parts;
  };

  // The float of the fraction that a number is, but for rounding: rules compare quotients, and must see when two are equal.
  const fraction = (x) => {
    for (let below = 1; below <= 1000; below++) if (Math.abs(x * below - Math.round(x * below)) < WHOLE) return Math.round(x * below) / below;
    return x;
  };

  // Of all ways to divide the groups into sets with whole sums one with the most sets.
  const mostSets = (groups, sizes, isWhole) => {
    const known = new Map([[0, []]]), all = (1 << groups.length) - 1;
    const of = (mask) => groups.filter((_, k) => mask >> k & 1);
    const best = (mask) => {
      if (known.has(mask)) return known.get(mask);
      let found = [of(mask)];
      const lowest = mask & -mask;
      for (let one = mask; one > 0; one = (one - 1) & mask) {
        if (one & lowest && one !== mask && isWhole(live.sum(of(one).map((g) => sizes[g])))) {
          const others = best(mask ^ one);
          if (others.length + 1 > found.length) found = [of(one), ...others];
        }
      }
      known.set(mask, found);
      return found;
    };
    return best(all);
  };

  // What rules know: the numbers of jobs, by group and in all, of some processors. Whoever sees the whole cluster knows all of them;
  // one processor knows itself, first, and those that it asked.
  live.View = class {
    constructor(processors, groups, shares, chance) {
      this.size = processors;
      this.processors = processors;
      this.groups = groups;
      this.shares = shares;
      this.chance = chance;
      this.count = Array.from({ length: processors }, () => new Array(groups).fill(0));
      this.total = new Array(processors).fill(0);
      this.parts = null;
      this.score = new Float64Array(processors);
      this.preferOwn = false; // the first processor, where several are best
      this.all = true; // whether all processors are known, as they are
      this.rule = ""; // that decided
    }

    jobs(g) {
      let sum = 0;
      for (let k = 0; k < this.size; k++) sum += this.count[k][g];
      return sum;
    }

    // A processor with the least score, at random among several; -1 if no score is finite.
    least(of, preferOwn = this.preferOwn) {
      const { score, size } = this;
      let best = Infinity, ties = 0;
      for (let k = 0; k < size; k++) {
        score[k] = of(k);
        if (score[k] < best) {
          best = score[k];
          ties = 1;
        } else if (score[k] === best) ties += 1;
      }
      if (best === Infinity) return -1;
      if (preferOwn && score[0] === best) return 0;
      let chosen = this.chance.pick(ties);
      for (let k = 0; k < size; k++) if (score[k] === best && chosen-- === 0) return k;
      return -1;
    }

    fewest() { return this.least((k) => this.total[k]); }

    most() { return this.least((k) => -this.total[k]); }

    idle() { return this.least((k) => (this.total[k] === 0 ? 0 : Infinity)); }

    // Of those with the fewest jobs of a group (with the most, if the sign is -1) those with the fewest (the most) of all.
    fewestOf(g, sign = 1) { return this.least((k) => sign * (this.count[k][g] + this.total[k] * TIE)); }

    // Of the processors of a group one with the least of something.
    leastOwn(g, of) { return this.least((k) => (this.parts[k][g] > 0 ? of(k) : Infinity)); }

    // One of those for which something is highest, at random; null if it is nowhere above -Infinity. Pairs of a processor and a group.
    highestPair(of) {
      let best = -Infinity, ties = [];
      for (let k = 0; k < this.size; k++) {
        for (let h = 0; h < this.groups; h++) {
          const found = of(k, h);
          if (found > best) {
            best = found;
            ties = [];
          }
          if (found === best && found > -Infinity) ties.push([k, h]);
        }
      }
      return ties.length > 0 ? ties[this.chance.pick(ties.length)] : null;
    }

    took(rule, answer) {
      this.rule = rule;
      return answer;
    }
  };

  // A rule places a job of group g (`place`: a processor, or -1 if none that is known will do), and after a departure of one from
  // processor q it may let a job migrate to q (`migrate`: { from, group }, the group -1 if any job will do, or null).

  const rules = live.rules = {};

  // Section 5.5.1.
  rules.JSQ = {
    place: (view) => view.took("I1", view.fewest()),
    migrate(view, g, q) {
      const p = view.most();
      return view.total[p] >= view.total[q] + 2 ? view.took("M1", { from: p, group: -1 }) : null;
    },
  };

  // Section 5.5.2.
  rules.HP = {
    place: (view, g) => view.took("I1", view.fewestOf(g)),
    migrate(view, g, q) {
      let p = view.fewestOf(g, -1);
      if (view.count[p][g] >= view.count[q][g] + 2) return view.took("M1", { from: p, group: g });
      p = view.most();
      if (view.total[p] < view.total[q] + 2) return null;
      const eligible = view.shares.map((_, h) => h).filter((h) => view.count[p][h] >= view.count[q][h] + 1);
      return view.took("M2", { from: p, group: eligible[view.chance.pick(eligible.length)] });
    },
  };

  // Section 5.5.3. A job is a guest where its group has no part.
  rules.SVP = {
    place: (view, g, migration) => rules.SVP.placed(view, g, migration, migration),
    // With or without rules I2 and I3.
    placed(view, g, second, third) {
      const { parts, total, count } = view;
      let found = view.leastOwn(g, (k) => (total[k] === 0 ? -parts[k][g] : Infinity));
      if (found >= 0) return view.took("I1", found);
      if (second) {
        found = view.leastOwn(g, (k) => (guests(view, k) > 0 ? -parts[k][g] : Infinity));
        if (found >= 0) return view.took("I2", found);
      }
      if (third) {
        found = view.idle();
        if (found >= 0) return view.took("I3", found);
      }
      found = view.leastOwn(g, (k) => (count[k][g] + 1) / parts[k][g]);
      return view.took(found >= 0 ? "I4" : "I5", found);
    },
    // After a job of group g was placed on p: the guest there, if there is one, and where it goes.
    resettle(view, g, p) {
      if (view.parts[p][g] === 0) return null;
      const h = guest(view, p);
      if (h < 0) return null;
      const to = rules.SVP.placed(view, h, false, true);
      return view.took("I2", to === p ? null : { from: p, group: h, to });
    },
    migrate(view, g, q) {
      const { parts, total, count } = view;
      if (total[q] > 0) return null;
      const p = view.least((k) => { // M1: a guest that shares its processor
        const some = guests(view, k);
        return (some > 0 && some < total[k]) || (!view.all && some > 1) ? -total[k] : Infinity;
      });
      if (p >= 0) return view.took("M1", p === q ? null : { from: p, group: guest(view, p) });
      const crowded = (k, h) => total[k] >= 2 && count[k][h] >= 1 && parts[k][h] > 0;
      const asked = (rule, pair) => view.took(rule, pair[0] === q ? null : { from: pair[0], group: pair[1] });
      let pair = view.highestPair((k, h) => (crowded(k, h) && parts[q][h] > 0
        ? count[k][h] / parts[k][h] - (count[q][h] + 1) / parts[q][h] : -Infinity));
      if (pair) return asked("M2", pair);
      pair = view.highestPair((k, h) => (crowded(k, h) ? count[k][h] / parts[k][h] : -Infinity));
      if (pair) return asked("M3", pair);
      pair = view.highestPair((k, h) => (count[k][h] >= 1 && parts[k][h] === 0 && parts[q][h] > 0 ? parts[q][h] : -Infinity));
      return pair && asked("M4", pair);
    },
  };

  const guests = (view, k) => {
    let sum = 0;
    for (let h = 0; h < view.groups; h++) if (view.parts[k][h] === 0) sum += view.count[k][h];
    return sum;
  };

  // The group of a guest at random; -1 without one.
  const guest = (view, k) => {
    const some = guests(view, k);
    if (some === 0) return -1;
    let chosen = view.chance.pick(some);
    for (let h = 0; h < view.groups; h++) {
      if (view.parts[k][h] === 0) {
        chosen -= view.count[k][h];
        if (chosen < 0) return h;
      }
    }
    return -1;
  };

  // Section 5.5.4. A group obtains too little, about what it should, or more than that by a whole processor.
  const LITTLE = 0, ENOUGH = 1, MUCH = 2;
  const obtains = (view, g, should) => {
    const obtained = view.obtained(g);
    if (obtained < should - NEAR || obtained <= 0) return LITTLE;
    return obtained < view.shares[g] + 1 / view.processors - NEAR ? ENOUGH : MUCH;
  };

  rules.DVP = {
    place(view, g, migration) {
      const { count, total } = view;
      if (migration) {
        const found = view.idle();
        if (found >= 0) return view.took("I1", found);
      }
      const standing = obtains(view, g, view.shares[g]);
      if (standing === LITTLE) return view.took("I4", view.fewestOf(g));
      let dropped = -1;
      const fewest = (k) => (count[k][g] > 0 && k !== dropped ? count[k][g] + total[k] * TIE : Infinity);
      if (standing === ENOUGH) return view.took("I3", view.least(fewest));
      // I2: of the processors with jobs of the group one with the fewest of them is given up.
      dropped = view.least((k) => count[k][g] || Infinity, false);
      const found = view.least(fewest);
      return view.took("I2", found >= 0 ? found : dropped);
    },
    migrate(view, g, q) {
      const { count, total } = view;
      if (total[q] > 0) return null;
      const standing = view.shares.map((_, h) => obtains(view, h, Math.min(view.shares[h], view.claim(h))));
      for (const one of [LITTLE, ENOUGH, MUCH]) {
        const p = view.least((k) => (total[k] >= 2 && standing.some((of, h) => of === one && count[k][h] > 0) ? -total[k] : Infinity));
        if (p < 0) continue;
        if (p === q) return null;
        const most = Math.max(...standing.map((of, h) => (of === one ? count[p][h] : 0)));
        const largest = standing.map((_, h) => h).filter((h) => standing[h] === one && count[p][h] === most);
        return view.took(`M${1 + one}`, { from: p, group: largest[view.chance.pick(largest.length)] });
      }
      return null;
    },
  };

  // The others are no policies of the thesis for an arrival; where jobs migrate they do as under JSQ.
  rules["JSQ(d)"] = {
    place(view) {
      let best = -1, ties = 0;
      for (let k = 0; k < view.choices; k++) { // drawn with replacement: two may be one
        const p = view.chance.pick(view.size);
        if (best < 0 || view.total[p] < view.total[best]) {
          best = p;
          ties = 1;
        } else if (p !== best && view.total[p] === view.total[best]) {
          ties += 1;
          if (view.chance.pick(ties) === 0) best = p;
        }
      }
      return best;
    },
    migrate: rules.JSQ.migrate,
  };

  rules.SPILL = {
    place(view, g) {
      const own = view.leastOwn(g, (k) => (view.total[k] + 1) / view.parts[k][g]);
      if (view.total[own] === 0) return own;
      const idle = view.idle();
      return idle >= 0 ? idle : own;
    },
    migrate: rules.JSQ.migrate,
  };

  live.TOO_MUCH = "More work comes to some processors than they can do: their queues grow, and no mean exists.";

  // Processors with jobs, whoever decides where those go.
  live.Cluster = class extends live.Sharing {
    constructor(settings, clocks, more = 0) {
      const P = live.whole("processors", settings.processors ?? 10, 1, 1000);
      const capacities = live.numbers("capacities", settings.capacities ?? new Array(P).fill(1 / P), P, 0, 1, true);
      super(settings, clocks, capacities, more);
      live.sumToOne("capacities", capacities);
      this.equal = capacities.every((one) => one === capacities[0]);
      this.local = live.among("local", settings.local ?? "PS", ["PS", "PPS", "GPPS"]);
      this.migration = Boolean(settings.migration);
    }

    // Weights of the groups on the processors under GPPS and PPS: the required shares, or the parts under SVP (5.14).
    weigh(parts) {
      this.weights = this.lanes.map((_, p) => this.shares.map((share, g) => (parts && parts[p][g] > 0 ? parts[p][g] : share)));
    }

    join(job, p) {
      super.join(job, p);
      this.divide(this.lanes[p], this.weights[p], this.local);
    }

    part(job) {
      super.part(job);
      this.divide(this.lanes[job.processor], this.weights[job.processor], this.local);
    }

    // A job of a group (-1: of any) on a processor, at random.
    anyOf(p, group) {
      const { jobs, count } = this.lanes[p];
      let chosen = this.chance.pick(group < 0 ? jobs.length : count[group]);
      return jobs.find((one) => (group < 0 || one.group === group) && chosen-- === 0);
    }

    // Whether some processor gets more than it can do, if jobs go to those of their groups by chance.
    tooMuchByChance(parts) {
      return parts.some((part) => live.sum(part.map((one, g) => one * this.loads[g] / this.shares[g])) >= 1);
    }
  };

  // Whoever sends the jobs sees all processors, and the true shares.
  class Whole extends live.View {
    constructor(cluster) {
      super(cluster.lanes.length, cluster.groups, cluster.shares, cluster.chance);
      this.lanes = cluster.lanes;
      this.count = cluster.lanes.map((lane) => lane.count);
    }

    look() { for (let k = 0; k < this.size; k++) this.total[k] = this.lanes[k].jobs.length; }

    obtained(g) {
      let sum = 0;
      for (let k = 0; k < this.size; k++) sum += this.lanes[k].share[g];
      return sum;
    }

    // What the jobs of a group could occupy.
    claim(g) { return this.jobs(g) / this.processors; }
  }

  live.models.dispatch = class extends live.Cluster {
    constructor(settings) {
      super(settings, 1);
      const { shares, loads, lanes } = this, P = lanes.length;
      const vertical = ["VPRS", "SVP", "SPILL"].includes(this.policy);
      if (!this.equal && (vertical || this.policy === "DVP")) {
        live.refuse(`capacities must be equal under ${this.policy}, which counts processors.`);
      }
      this.view = new Whole(this);
      this.view.parts = vertical ? live.partition(shares, P) : null;
      this.view.choices = live.whole("choices", settings.choices ?? 2, 1, 100);
      this.weigh(this.policy === "SVP" ? this.view.parts : null);
      this.split = this.policy === "HPRS" ? shares.map(() => lanes.map((lane) => lane.capacity))
        : this.policy === "VPRS" ? shares.map((share, g) => this.view.parts.map((part) => part[g] / (share * P))) : null;
      this.rules = this.split ? null : rules[this.policy];
      if (this.split && this.migration) live.refuse(`migration is for policies that look; ${this.policy} goes by chance.`);
      this.receive(loads.map(() => live.law(settings.size)), loads);
      if (this.overload === null && vertical && this.policy !== "SPILL" && !this.migration) this.compareLoads();
      this.look();
    }

    // Groups that keep to processors of their own may overload these: by chance one processor, else all of some groups.
    compareLoads() {
      const { parts } = this.view, { loads, groups } = this;
      const tooMuch = this.policy === "VPRS" ? this.tooMuchByChance(parts)
        : Array.from({ length: 1 << groups }, (_, set) => loads.map((_, g) => set >> g & 1)).slice(1).some((inside) => (
          live.sum(loads.map((load, g) => inside[g] * load))
            >= parts.filter((part) => part.some((one, g) => one > 0 && inside[g])).length / parts.length));
      if (tooMuch) this.overload = live.TOO_MUCH;
    }

    rings() { this.place(this.comes()); }

    place(job) {
      const { view } = this, g = job.group;
      view.look();
      const p = this.split ? live.weighted(this.chance, this.split[g], 1) : this.rules.place(view, g, this.migration);
      this.join(job, p);
      this.tell("arrival", job, `* comes to processor ${p + 1}.`);
      if (!this.migration || !this.rules.resettle) return;
      view.look();
      const moved = this.rules.resettle(view, g, p);
      if (moved) this.move(moved, moved.to);
    }

    ends(job) {
      const q = job.processor;
      this.part(job);
      this.leave(job);
      this.tell("departure", job, `* departs from processor ${q + 1}.`);
      if (!this.migration || this.jobs.length === 0) return;
      this.view.look();
      const moved = this.rules.migrate(this.view, job.group, q);
      if (moved) this.move(moved, q);
    }

    // A random job of a group (-1: of any) moves, in no time.
    move({ from, group }, to) {
      const job = this.anyOf(from, group);
      this.part(job);
      this.join(job, to);
      this.tell("migration", job, `* moves from processor ${from + 1} to ${to + 1}.`);
    }
  };
}
