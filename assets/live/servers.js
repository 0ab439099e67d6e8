// Servers that share jobs, on a graph of who may serve whom (Bonald and Comte): first come, first served with interruptions, their
// Algorithm 1; and balanced fairness, which it comes close to.
"use strict";

live.policies.servers = {
  algorithm: { title: "Algorithm 1", sentence: "A server serves the first job in the queue that it may, and interrupts it by chance." },
  balanced: { title: "Balanced fairness", sentence: "All jobs at once, at the rates that a balance function says." },
};

{
  const MOST_STATES = 2e5, MOST_CLASSES = 10;
  const EMPTY = 0, INTERRUPTED = 1, USED = 2, FIRST = 3;

  live.models.servers = class extends live.Simulation {
    constructor(settings) {
      const { serversOf, capacities } = settings.graph ?? live.refuse("graph must say which servers may serve each class.");
      live.numbers("graph.capacities", capacities, null, 0, 1e6, true);
      live.list("graph.serversOf", serversOf, null, (name, own) => (
        live.list(name, own, null, (of, server) => live.whole(of, server, 0, capacities.length - 1)).length > 0
          && new Set(own).size === own.length ? own : live.refuse(`${name} must name one server at least, and none twice.`)));
      const groups = serversOf.length;
      if (groups < 1 || groups > MOST_CLASSES) live.refuse(`graph.serversOf must have 1 to ${MOST_CLASSES} classes; got ${groups}.`);
      super(settings, { groups, clocks: 1, levels: FIRST + groups });
      this.kinds = "class";
      this.serversOf = serversOf;
      this.capacities = capacities;
      this.loads = live.numbers("loads", settings.loads, groups, 0, 1e6);
      this.interruptions = live.number("interruptions", settings.interruptions ?? 1, 0, 1000); // of a job, on average: m
      this.law = live.law(settings.size);
      this.lanes = capacities.map((capacity) => ({ capacity, jobs: [] })); // the job that each server serves
      this.line = []; // the queue
      this.reach = Float64Array.from({ length: 1 << groups }, (_, set) => ( // mu(A) of each set of classes
        live.sum(capacities.filter((_, server) => serversOf.some((own, i) => set >> i & 1 && own.includes(server))))));
      this.logarithms = new Map([["", 0]]); // of the balance function, by state
      this.fair = new Map(); // the rates of jobs of each class, by state
      for (let set = 1; set < 1 << groups; set++) {
        if (live.sum(this.loads.filter((_, i) => set >> i & 1)) >= this.reach[set]) this.overload = "More work comes to some servers than they can do: the queue grows, and no mean exists.";
      }
      this.receive(new Array(groups).fill(this.law), this.loads);
      this.look();
    }

    // The work of a job until it is interrupted: exponential, so that there are m interruptions in a job of mean size.
    draw(job) {
      if (this.policy === "algorithm" && this.interruptions > 0) job.turn = this.law.mean / this.interruptions * this.chance.exponential();
    }

    rings() {
      const job = this.comes();
      this.draw(job);
      this.line.push(job);
      this.tell("arrival", job, "* joins the queue.");
      this.serve();
    }

    ends(job) {
      this.line.splice(this.line.indexOf(job), 1);
      if (job.left <= job.turn) {
        this.leave(job);
        this.tell("departure", job, "* departs.");
      } else {
        this.draw(job);
        this.line.push(job);
        this.sums[INTERRUPTED] += 1;
        this.tell("interruption", job, "* is interrupted, and goes to the end of the queue.");
      }
      this.serve();
    }

    // Who is served, at which rate.
    serve() {
      if (this.policy === "balanced") this.balance();
      else this.takeFirst();
    }

    // Each server serves the first job in the queue that it may serve; a job is served by all of these at once.
    takeFirst() {
      for (const lane of this.lanes) lane.jobs.length = 0;
      let free = this.lanes.length;
      for (const job of this.line) {
        job.rate = 0;
        job.servers = null;
        if (free === 0) continue;
        for (const server of this.serversOf[job.group]) {
          const lane = this.lanes[server];
          if (lane.jobs.length > 0) continue;
          lane.jobs.push(job);
          job.rate += lane.capacity;
          (job.servers ??= []).push(server);
          free -= 1;
        }
      }
    }

    // Class i obtains phi_i(x) = Phi(x - e_i) / Phi(x), its jobs alike (7).
    balance() {
      const { present } = this, key = present.join();
      if (!this.fair.has(key)) {
        const whole = this.logarithm(present);
        this.fair.set(key, present.map((jobs, i) => (jobs > 0 ? Math.exp(this.logarithm(less(present, i)) - whole) / jobs : 0)));
      }
      const rates = this.fair.get(key);
      for (const job of this.line) job.rate = rates[job.group];
      if (this.logarithms.size > MOST_STATES) this.stop("there are too many jobs for exact rates.");
    }

    // log Phi(x), where Phi(0) = 1 and mu(A(x)) Phi(x) is the sum of Phi(x - e_i) over the classes that have jobs (4).
    logarithm(x) {
      const key = x.some((jobs) => jobs > 0) ? x.join() : "", known = this.logarithms.get(key);
      if (known !== undefined) return known;
      const there = x.map((_, i) => i).filter((i) => x[i] > 0), terms = there.map((i) => this.logarithm(less(x, i)));
      const most = Math.max(...terms), set = there.reduce((bits, i) => bits | 1 << i, 0);
      const found = most + Math.log(live.sum(terms.map((term) => Math.exp(term - most))) / this.reach[set]);
      this.logarithms.set(key, found);
      return found;
    }

    look() {
      const { level, present } = this;
      level[EMPTY] = this.jobs.length === 0 ? 1 : 0;
      level[USED] = 0;
      for (let k = 0; k < this.jobs.length; k++) level[USED] += this.jobs[k].rate;
      for (let i = 0; i < present.length; i++) level[FIRST + i] = present[i];
    }

    // Mean service rates and delays by Little's law (9).
    of(level) {
      const jobs = this.loads.map((_, i) => level[FIRST + i]);
      return {
        jobs,
        serviceRate: jobs.map((number, i) => this.loads[i] / number),
        delay: jobs.map((number, i) => number * this.law.mean / this.loads[i]),
        empty: level[EMPTY],
        interruptions: level[INTERRUPTED] / this.rate, // of a job
        used: level[USED],
      };
    }
  };

  const less = (x, i) => x.map((jobs, k) => (k === i ? jobs - 1 : jobs));
}
