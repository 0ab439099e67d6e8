// Processors that ask each other over a network before they decide (thesis, Chapter 6). Jobs arrive at processors; a processor goes by
// its own numbers of jobs and by what some others replied.
"use strict";

live.policies.distributed = {
  Isolation: { title: "Isolation", sentence: "A job stays where it arrives." },
  ...Object.fromEntries(["JSQ", "HP", "SVP", "DVP"].map((name) => [name, {
    title: live.policies.dispatch[name].title,
    sentence: `${live.policies.dispatch[name].sentence} A processor goes by what those replied that it asked.`,
  }])),
};

{
  const SPREAD = 0.1; // by which part of it the period between two probes may differ
  const MESSAGE = 0, PROBE = 1; // clocks; the last one rings when a job arrives
  const BUSY = 0, CUSTOMERS = 1, WAITING = 2; // levels beside those of the groups

  // What a processor knows: of itself and of those that replied. Shares are estimated from these, as if the others were like them
  // (Section 6.5.5).
  class Partial extends live.View {
    constructor(cluster) {
      super(cluster.lanes.length, cluster.groups, cluster.shares, cluster.chance);
      this.cluster = cluster;
      this.all = false;
      this.known = []; // which processors they are, the own one first
      this.wholeParts = null;
    }

    // `rows` has the numbers of jobs by group of each processor known.
    look(known, rows) {
      this.known = known;
      this.size = known.length;
      known.forEach((p, k) => {
        for (let g = 0; g < this.groups; g++) this.count[k][g] = rows[k][g];
        this.total[k] = live.sum(rows[k]);
      });
      this.parts = this.wholeParts && known.map((p) => this.wholeParts[p]);
    }

    add(k, g) {
      this.count[k][g] += 1;
      this.total[k] += 1;
    }

    obtained(g) {
      const { local } = this.cluster;
      let sum = 0;
      for (let k = 0; k < this.size; k++) {
        const claims = this.shares.map((share, h) => live.claim(local, this.count[k][h], share));
        if (claims[g] > 0) sum += claims[g] / live.sum(claims);
      }
      return sum / this.size;
    }

    claim(g) { return this.jobs(g) / this.size; }
  }

  live.models.distributed = class extends live.Cluster {
    constructor(settings) {
      super({ ...settings, local: settings.local ?? "GPPS", migration: settings.migration ?? true }, 3, 3);
      const { loads, lanes, shares } = this, P = lanes.length;
      const isolated = this.policy === "Isolation";
      this.probeLimit = isolated ? 0 : live.whole("probeLimit", settings.probeLimit ?? Math.min(3, P - 1), 0, P - 1);
      this.migration &&= !isolated;
      this.probePeriod = settings.probePeriod == null ? null : live.number("probePeriod", settings.probePeriod, 0, 1e6, true);
      this.probeTime = live.number("probeTime", settings.probeTime ?? 1e-6, 0, 1e3);
      this.migrationTime = live.number("migrationTime", settings.migrationTime ?? 1e-2, 0, 1e3);
      // Whether a job arrives at, and asks, a processor of its group (VP) or any (HP).
      const ofGroup = (name) => live.among(name, settings[name] ?? "HP", ["HP", "VP"]) === "VP";
      this.arrivesInSubset = ofGroup("arrivalPreference");
      this.probesSubset = ofGroup("probingPreference");
      if (!this.equal) live.refuse("capacities must be equal where processors ask each other.");
      this.rules = live.rules[isolated ? "JSQ" : this.policy];
      this.probing = this.probeLimit > 0;
      this.periodic = this.probing && this.probePeriod !== null;
      this.parts = live.partition(shares, P);
      this.weigh(this.policy === "SVP" ? this.parts : null);
      // Whose processors they are: those in part first, as they are drawn.
      this.subsets = shares.map((_, g) => [false, true].flatMap((whole) => lanes.map((lane, p) => p).filter((p) => (
        this.parts[p][g] > 0 && (this.parts[p][g] === 1) === whole))));
      this.view = new Partial(this);
      this.view.wholeParts = this.policy === "SVP" ? this.parts : null;
      this.records = lanes.map(() => new Map()); // with periodic probing: what each knows of others
      this.waiting = 0; // jobs in schedule queues
      this.receive(loads.map(() => live.law(settings.size, P)), loads); // a processor does a unit of work in a unit of time
      this.timers = lanes.map(() => (this.periodic ? this.chance.uniform() * this.probePeriod : Infinity));
      this.due[PROBE] = Math.min(...this.timers);
      this.compareLoads();
      this.look();
    }

    compareLoads() {
      if (this.overload !== null) return;
      const asks = this.periodic ? this.lanes.length / this.probePeriod : this.rate * (1 + this.migration);
      if (this.probing && asks * (1 + this.probeLimit) * this.probeTime >= 1) {
        this.overload = "Processors ask more than the network can carry: messages heap up, and no mean exists.";
      } else if (this.arrivesInSubset && !this.probing && this.tooMuchByChance(this.parts)) this.overload = live.TOO_MUCH;
    }

    // Events.

    rings(clock) {
      if (clock === MESSAGE) this.arrived(this.nearest);
      else if (clock === PROBE) this.probeAgain();
      else this.arrive();
      this.schedule();
    }

    ends(job) {
      const p = job.processor;
      this.part(job);
      this.leave(job);
      this.tell("departure", job, `* departs from processor ${p + 1}.`);
      if (this.migration) {
        if (this.probing && !this.periodic) this.probe(p, "departure", job);
        else this.rebalance(p, job.group, this.knownTo(p));
      }
      this.schedule();
    }

    arrive() {
      const job = this.comes(), g = job.group;
      const p = job.processor = this.arrivesInSubset ? this.inSubset(g, this.coming) : this.coming.pick(this.lanes.length);
      job.queue = true;
      this.waiting += 1;
      this.tell("arrival", job, `* arrives at processor ${p + 1}.`);
      if (this.probing && !this.periodic) this.probe(p, "arrival", job);
      else this.place(job, this.knownTo(p));
    }

    // Decisions.

    row(p) { return this.lanes[p].count.slice(); }

    knownTo(p) { return this.periodic ? this.records[p] : new Map(); }

    look() {
      super.look();
      this.level[this.more + BUSY] = this.messages.length > 0 ? 1 : 0;
      this.level[this.more + CUSTOMERS] = this.messages.length;
      this.level[this.more + WAITING] = this.waiting;
    }

    of(level) {
      return {
        ...super.of(level),
        network: level[this.more + BUSY], customers: level[this.more + CUSTOMERS], waiting: level[this.more + WAITING],
      };
    }

    // One processor of a group's, in proportion to its part.
    inSubset(g, chance) {
      const subset = this.subsets[g], weights = subset.map((p) => this.parts[p][g]);
      return subset.length === 1 ? subset[0] : subset[live.weighted(chance, weights, live.sum(weights))];
    }

    // What a processor knows when it decides.
    know(p, known) { this.view.look([p, ...known.keys()], [this.row(p), ...known.values()]); }

    place(job, known) {
      const { view } = this, p = job.processor, g = job.group;
      this.know(p, known);
      view.preferOwn = true;
      job.queue = false;
      this.waiting -= 1;
      const k = this.rules.place(view, g, this.migration);
      const to = k >= 0 ? view.known[k] : this.inSubset(g, this.chance);
      if (to === p) {
        this.join(job, p);
        this.tell("placement", job, `Processor ${p + 1} keeps it (${view.rule}).`);
      } else {
        this.tell("placement", job, `Processor ${p + 1} sends it to ${to + 1} (${view.rule}).`);
        this.send("placement", p, to, this.probeTime, { job });
      }
      this.note(p, to, g, 1);
      if (view.rule !== "I2" || this.policy !== "SVP") return;
      view.add(k, g); // the guest that was there is to leave
      const asked = this.rules.resettle(view, g, k);
      if (asked) this.ask(p, to, asked.group, asked.to >= 0 ? view.known[asked.to] : this.inSubset(asked.group, this.chance));
    }

    rebalance(p, g, known) {
      const { view } = this;
      this.know(p, known);
      view.preferOwn = false;
      const asked = this.rules.migrate(view, g, 0);
      if (asked) this.ask(p, view.known[asked.from], asked.group, p);
    }

    // Processor p asks a source for a job of a group (-1: of any) that is to go to a target.
    ask(p, source, group, target) {
      if (source === p) this.grant(source, group, target);
      else {
        this.tell("asking", null, `Processor ${p + 1} asks ${source + 1} for a job.`);
        this.send("asking", p, source, this.probeTime, { group, target });
      }
      this.note(p, source, group, -1);
      if (target !== p) this.note(p, target, group, 1);
    }

    // A decision changes what is recorded of another processor.
    note(p, other, g, by) {
      const row = this.periodic ? this.records[p].get(other) : undefined;
      if (row === undefined) return;
      let h = g;
      if (g < 0) {
        let chosen = this.chance.pick(live.sum(row));
        for (h = 0; chosen >= row[h]; h++) chosen -= row[h];
      }
      row[h] = Math.max(row[h] + by, 0);
    }

    grant(source, group, target) {
      const job = this.anyOf(source, group);
      if (!job) {
        this.tell("refusal", null, `Processor ${source + 1} has no such job any more.`);
        return;
      }
      this.part(job);
      this.tell("migration", job, `* leaves processor ${source + 1} for ${target + 1}.`);
      this.send("migration", source, target, this.migrationTime * this.chance.exponential(), { job });
    }

    // Messages.

    // The network serves its messages all at once and all alike.
    send(kind, from, to, size, about) {
      if (about.job && kind !== "request") about.job.processor = to;
      this.messages.push({ kind, from, to, size, left: size, ...about });
      this.bound("messages", this.messages.length);
    }

    // When the next message will have come.
    schedule() {
      const { messages } = this;
      this.nearest = null;
      for (const one of messages) if (this.nearest === null || one.left < this.nearest.left) this.nearest = one;
      this.due[MESSAGE] = this.nearest === null ? Infinity : this.now + Math.max(this.nearest.left, 0) * messages.length;
    }

    pass(at) {
      const { messages } = this;
      const sent = this.ringing === MESSAGE && at === this.due[MESSAGE] ? this.nearest.left : (at - this.now) / messages.length;
      for (let k = 0; k < messages.length; k++) messages[k].left -= sent;
      super.pass(at);
    }

    arrived(message) {
      const { kind, from, to, job } = message;
      this.messages.splice(this.messages.indexOf(message), 1);
      if (kind === "request") {
        this.tell("request", job, `${to.length} processors are asked by ${from + 1}, and reply.`);
        for (const other of to) this.send("reply", other, from, this.probeTime, { probing: message, row: this.row(other) });
      } else if (kind === "reply") {
        this.tell("reply", null, `Processor ${from + 1} replies to ${to + 1}.`);
        this.hear(message);
      } else if (kind === "asking") this.grant(to, message.group, message.target);
      else {
        this.tell("joins", job, `* comes to processor ${to + 1} over the network.`);
        this.join(job, to);
      }
    }

    // Replies are complete: a decision that waited for them is taken. Those to a periodic probing replace what was known before.
    hear({ probing, from, to, row }) {
      if (this.periodic) {
        if (probing.replies.size === 0) this.records[to].clear();
        this.records[to].set(from, row);
      }
      probing.replies.set(from, row);
      if (probing.replies.size < probing.to.length) return;
      if (probing.why === "arrival") this.place(probing.job, probing.replies);
      else if (probing.why === "departure") this.rebalance(to, probing.group, probing.replies);
    }

    // Probing.

    probe(p, why, job) {
      const to = this.drawProbed(p, why === "arrival" && this.probesSubset ? job.group : -1);
      this.tell("probe", job, `Processor ${p + 1} asks ${to.map((other) => other + 1).join(", ")}.`);
      this.send("request", p, to, this.probeTime, { why, job: why === "arrival" ? job : null, group: job ? job.group : -1, replies: new Map() });
    }

    probeAgain() {
      const p = this.timers.indexOf(this.due[PROBE]);
      this.probe(p, "period", null);
      this.timers[p] += this.probePeriod * (1 - SPREAD + 2 * SPREAD * this.chance.uniform());
      this.due[PROBE] = Math.min(...this.timers);
    }

    // Different others: those of a group's subset before all others, in proportion to their parts, or all alike (g = -1). Those that are
    // wholly the group's are alike; of these the last takes the place of the one that is drawn.
    drawProbed(own, g) {
      const others = this.lanes.map((_, p) => p).filter((p) => p !== own), found = [];
      const part = (p) => (g < 0 ? 1 : this.parts[p][g]);
      const inPart = others.filter((p) => part(p) > 0 && part(p) < 1);
      let alike = others.filter((p) => part(p) === 1);
      while (found.length < this.probeLimit) {
        if (inPart.length + alike.length === 0) alike = others.filter((p) => !found.includes(p));
        const weights = [...inPart.map(part), alike.length];
        const sum = live.sum(weights);
        let left = inPart.length + alike.length > 1 ? this.chance.uniform() * sum : 0, k = 0;
        while (k < inPart.length && left >= weights[k] && (alike.length > 0 || k < inPart.length - 1)) left -= weights[k++];
        if (k < inPart.length) found.push(...inPart.splice(k, 1));
        else {
          k = Math.min(Math.floor(left), alike.length - 1);
          found.push(alike[k]);
          alike[k] = alike[alike.length - 1];
          alike.pop();
        }
      }
      return found;
    }
  };
}
