// One event loop for all models: jobs with work that is left and a rate at which it is done, what happens next, and what is measured.
"use strict";

live.models = {};
live.policies = {};

// A simulation by its settings; nonsense is refused with one sentence.
live.make = (settings) => {
  if (settings === null || typeof settings !== "object") live.refuse("settings must be an object.");
  return new live.models[live.among("model", settings.model, Object.keys(live.models))](settings);
};

{
  const MOST_BATCHES = 64, FEWEST_BATCHES = 8;

  class Job {
    constructor(id, group, size, arrived) {
      this.id = id;
      this.group = group;
      this.size = size;
      this.left = size; // work
      this.turn = Infinity; // work until it is interrupted
      this.rate = 0.5; // work done per unit of time; a number that is not whole, so that the engine keeps a float here
      this.rate = 0;
      this.arrived = arrived;
      this.processor = -1; // where it is served or, if it is nowhere yet, on its way to
      this.servers = null; // where several serve it
      this.queue = false; // whether it waits before it has a processor
      this.permanent = false;
      this.place = 0; // in `jobs`
    }
  }

  // What all models share. A model says what happens when a job's work is done (`ends`) or one of its clocks rings (`rings`), and
  // writes what is measured into `level` (`look`); `of` makes measures of averages of these levels.
  live.Simulation = class {
    constructor(settings, { groups, clocks, levels }) {
      const policies = Object.keys(live.policies[settings.model]);
      this.settings = settings;
      this.policy = live.among("policy", settings.policy ?? policies[0], policies);
      this.groups = groups;
      this.kinds = "group"; // what jobs are told apart by
      this.coming = settings.random ?? live.generator(settings.seed ?? 1, 1);
      this.chance = settings.random ?? live.generator(settings.seed ?? 1, 2);
      this.limit = live.whole("limit", settings.limit ?? 2000, 1, 1e6); // of jobs, and of messages
      this.now = 0;
      this.jobs = [];
      this.lanes = [];
      this.messages = [];
      this.present = new Array(groups).fill(0);
      this.stopped = null; // a sentence, once there are too many jobs
      this.overload = null; // a sentence, if no mean exists
      this.due = new Float64Array(clocks).fill(Infinity);
      this.level = new Float64Array(levels);
      this.events = 0;
      this.event = null; // what is told of the present event, if somebody wants to know
      this.names = 0; // jobs that were given a number
      this.reset();
    }

    // Forget what was measured.
    reset() {
      this.sums = new Float64Array(this.level.length + 1); // integrals of the levels, and last the time, since the last batch
      this.batches = [];
      this.batch = 64; // events
      this.inBatch = 0;
    }

    // Jobs come and go.

    // The streams in which jobs come: a rate and a law of sizes for each group. Given are the laws, and the work that comes or the rates.
    receive(laws, loads, rates = loads.map((load, g) => load / laws[g].mean)) {
      this.rates = rates;
      this.laws = laws;
      this.rate = live.sum(rates);
      this.arriving = this.due.length - 1; // the last of the clocks
      this.due[this.arriving] = this.rate > 0 ? this.coming.exponential() / this.rate : Infinity;
    }

    // The job that arrives now; when the next one does is drawn first.
    comes() {
      this.due[this.arriving] = this.now + this.coming.exponential() / this.rate;
      const group = this.groups > 1 ? live.weighted(this.coming, this.rates, this.rate) : 0;
      return this.enter(group, this.laws[group].draw(this.coming));
    }

    enter(group, size) {
      const job = new Job(this.names++, group, size, this.now);
      job.place = this.jobs.length;
      this.jobs.push(job);
      this.present[group] += 1;
      this.bound("jobs", this.jobs.length);
      return job;
    }

    bound(what, count) {
      if (count > this.limit) this.stop(`there are more than ${this.limit} ${what}.`);
    }

    stop(why) { this.stopped = `Stopped: ${why}${this.overload ? ` ${this.overload}` : ""}`; }

    leave(job) {
      const last = this.jobs.pop();
      if (last !== job) {
        this.jobs[job.place] = last;
        last.place = job.place;
      }
      this.present[job.group] -= 1;
    }

    // Time.

    // When the next event is; `first` is the job that is done then, or null, and `ringing` a clock.
    soonest() {
      const { jobs, due } = this;
      let hold = Infinity, first = null;
      for (let k = 0; k < jobs.length; k++) {
        const job = jobs[k];
        if (job.rate > 0) {
          const needs = (job.left < job.turn ? job.left : job.turn) / job.rate;
          if (needs < hold) {
            hold = needs;
            first = job;
          }
        }
      }
      let at = this.now + (hold > 0 ? hold : 0);
      let ringing = -1;
      for (let k = 0; k < due.length; k++) {
        if (due[k] < at) {
          at = due[k];
          ringing = k;
        }
      }
      this.first = ringing < 0 ? first : null;
      this.ringing = ringing;
      return at;
    }

    // Let time pass without an event.
    pass(at) {
      const { jobs, level, sums } = this, hold = at - this.now;
      for (let k = 0; k < jobs.length; k++) {
        const job = jobs[k];
        if (job.rate > 0) {
          job.left -= job.rate * hold;
          job.turn -= job.rate * hold;
        }
      }
      for (let k = 0; k < level.length; k++) sums[k] += level[k] * hold;
      sums[level.length] += hold;
      this.now = at;
    }

    happen() {
      const at = this.soonest();
      if (at === Infinity) {
        this.stopped = "Stopped: nothing happens any more.";
        return;
      }
      const { first, ringing } = this;
      this.pass(at);
      this.events += 1;
      if (first !== null) this.ends(first);
      else this.rings(ringing);
      this.look();
      if (++this.inBatch === this.batch) this.close();
    }

    // Many events, of which nothing is told; how many there were.
    run(events) {
      const until = this.events + events;
      while (this.events < until && this.stopped === null) this.happen();
      return this.events - until + events;
    }

    // The next event.
    step() {
      if (this.stopped === null) {
        this.event = { kind: "" };
        this.happen();
      }
      const told = this.stopped === null ? this.event : { kind: "stopped", job: null, text: this.stopped };
      told.time = this.now;
      this.event = null;
      return told;
    }

    // All events up to a time, and then the time itself, between two events.
    advance(time) {
      const told = [];
      while (this.stopped === null && this.soonest() <= time) told.push(this.step());
      if (this.stopped === null && time > this.now) this.pass(time);
      return told;
    }

    // What happens is told if somebody asked; the first thing names the event, and others may follow from it. A `*` is the job.
    tell(kind, job, text) {
      const { event } = this;
      if (event === null) return;
      const said = job ? text.replace("*", `A job of ${this.kinds} ${job.group + 1}`) : text;
      if (event.kind === "") Object.assign(event, { kind, job, text: said });
      else event.text += ` ${said}`;
    }

    // What is measured.

    // A batch of events is full. Two become one whenever there are too many.
    close() {
      this.batches.push(this.sums);
      this.sums = new Float64Array(this.sums.length);
      this.inBatch = 0;
      if (this.batches.length < MOST_BATCHES) return;
      this.batch *= 2;
      for (let k = 0; k < MOST_BATCHES / 2; k++) this.batches[k] = add(this.batches[2 * k], this.batches[2 * k + 1], 1);
      this.batches.length = MOST_BATCHES / 2;
    }

    // Averages over the time since the last reset.
    measures() {
      return this.of(averages(this.batches.reduce((sum, one) => add(sum, one, 1), this.sums.slice())));
    }

    // The same quantities at this instant.
    state() {
      this.look();
      return this.of(this.level);
    }

    // Half widths of 95 % intervals for all that is measured, by batches of events that are left out in turn (the jackknife);
    // infinite while there are too few.
    intervals() {
      const { batches } = this, n = batches.length;
      if (n < FEWEST_BATCHES) return combine([this.measures()], () => Infinity);
      const all = batches.reduce((sum, one) => add(sum, one, 1), new Float64Array(this.sums.length));
      const without = batches.map((one) => this.of(averages(add(all.slice(), one, -1))));
      return combine(without, (values) => {
        const mean = live.sum(values) / n;
        return student(n - 1) * Math.sqrt(live.sum(values.map((one) => (one - mean) ** 2)) * (n - 1) / n);
      });
    }
  };

  const add = (sums, others, sign) => {
    for (let k = 0; k < sums.length; k++) sums[k] += sign * others[k];
    return sums;
  };

  const averages = (sums) => sums.subarray(0, sums.length - 1).map((sum) => sum / sums[sums.length - 1]);

  // An object of numbers and lists of numbers from several alike, number by number.
  const combine = (several, make) => Object.fromEntries(Object.entries(several[0]).map(([name, value]) => [name,
    Array.isArray(value) ? value.map((_, k) => make(several.map((one) => one[name][k]))) : make(several.map((one) => one[name]))]));

  // The 97.5 % quantile of Student's law, from that of the normal one.
  const student = (n) => {
    const z = 1.959964;
    return z + (z ** 3 + z) / (4 * n) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * n * n);
  };

  // Shares: what groups are promised, can claim and obtain.

  // Models in which groups are promised shares of the capacity, which is 1 in all. Levels: able, used; then four of each group.
  const ABLE = 0, USED = 1, FIRST = 2, EACH = 4;

  live.Sharing = class extends live.Simulation {
    constructor(settings, clocks, capacities, more = 0) {
      const shares = live.sumToOne("shares", live.numbers("shares", settings.shares ?? [0.5, 0.5], null, 0, 1, true));
      const groups = shares.length, loads = live.numbers("loads", settings.loads, groups, 0, 100);
      super(settings, { groups, clocks, levels: FIRST + EACH * groups + more });
      this.more = FIRST + EACH * groups; // where a model's own levels begin
      this.shares = shares;
      this.loads = loads;
      this.lanes = capacities.map((capacity) => ({
        capacity, jobs: [], count: new Array(groups).fill(0), share: new Float64Array(groups), // what each group obtains there
      }));
      const fastest = capacities.slice().sort((a, b) => b - a);
      this.able = Float64Array.from({ length: capacities.length + 1 }, (_, n) => live.sum(fastest.slice(0, n)));
      if (live.sum(loads) >= 1) this.overload = "More work comes than all processors can do: the queue grows, and no mean exists.";
    }

    // A job comes to a processor.
    join(job, p) {
      const lane = this.lanes[p];
      job.processor = p;
      lane.jobs.push(job);
      lane.count[job.group] += 1;
    }

    // A job leaves its processor.
    part(job) {
      const lane = this.lanes[job.processor];
      lane.jobs.splice(lane.jobs.indexOf(job), 1);
      lane.count[job.group] -= 1;
      job.rate = 0;
    }

    // The rates of the jobs on a processor that serves all of them at once, and what groups obtain there. PS divides it among jobs,
    // PPS among jobs by weight, and GPPS among the groups that have jobs there, by weight.
    divide(lane, weights, rule) {
      const { jobs, count, share, capacity } = lane;
      let total = 0;
      for (let g = 0; g < count.length; g++) total += share[g] = live.claim(rule, count[g], weights[g]);
      for (let g = 0; g < count.length; g++) share[g] = total > 0 ? share[g] * capacity / total : 0;
      for (let k = 0; k < jobs.length; k++) jobs[k].rate = share[jobs[k].group] / count[jobs[k].group];
    }

    look() {
      const { level, present, lanes, shares } = this, P = lanes.length;
      let used = 0;
      for (let p = 0; p < P; p++) if (lanes[p].jobs.length > 0) used += lanes[p].capacity;
      level[ABLE] = this.able[Math.min(this.jobs.length, P)];
      level[USED] = used;
      for (let g = 0; g < present.length; g++) {
        let obtained = 0;
        for (let p = 0; p < P; p++) obtained += lanes[p].share[g];
        const at = FIRST + EACH * g;
        level[at] = Math.min(shares[g], present[g] / P);
        level[at + 1] = obtained;
        level[at + 2] = present[g];
      }
    }

    of(level) {
      const each = (make) => this.shares.map((share, g) => make(FIRST + EACH * g, share));
      return {
        loss: level[ABLE] - level[USED],
        deviation: each((at, share) => (level[at] - level[at + 1]) / share),
        promised: this.shares.slice(),
        feasible: each((at) => level[at]),
        obtained: each((at) => level[at + 1]),
        jobs: each((at) => level[at + 2]),
        uneven: each((at) => level[at + 3]),
        busy: level[USED],
      };
    }
  };

  // What the jobs of a group weigh beside others on their processor.
  live.claim = (rule, jobs, weight) => (jobs === 0 ? 0 : rule === "PS" ? jobs : rule === "PPS" ? weight * jobs : weight);

  live.Sharing.UNEVEN = (g) => FIRST + EACH * g + 3;
}
