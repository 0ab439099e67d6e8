// A cluster behind a job tracker (Salameh and Wittevrongel): a job takes several servers at once, and waits at the tracker until so many
// are free; behind it others wait, in a queue with few places.
"use strict";

live.policies.tracker = {
  FCFS: { title: "First come, first served", sentence: "The tracker maps one job after the other, each once its servers are free." },
};

{
  const MAPPED = 0; // a clock; the other rings when a job arrives
  const QUEUE = 0, BUSY = 1, RUNNING = 2, FULL = 3, HELD = 4, FIRST = 5;

  live.models.tracker = class extends live.Simulation {
    constructor(settings) {
      const servers = live.whole("processors", settings.processors ?? 4, 1, 1000);
      if (settings.sizes === null || typeof settings.sizes !== "object") live.refuse("sizes must give a probability for each number of servers.");
      const widths = Object.keys(settings.sizes).map(Number).filter((width) => settings.sizes[width] > 0).sort((a, b) => a - b);
      const chances = widths.map((width) => live.number(`sizes[${live.whole("sizes", width, 1, servers)}]`, settings.sizes[width], 0, 1));
      live.sumToOne("sizes", chances);
      super({ ...settings, limit: 1e5 }, { groups: widths.length, clocks: 2, levels: FIRST + widths.length });
      this.widths = widths; // servers of a job, by group
      this.places = live.whole("queue", settings.queue ?? 5, 0, 1000);
      this.trackerRate = live.number("trackerRate", settings.trackerRate ?? 5, 0, 1e6, true);
      const { serviceRates = 1 } = settings;
      const rates = widths.map((width) => (
        live.number("serviceRates", typeof serviceRates === "number" ? serviceRates : serviceRates[width], 0, 1e6, true)));
      const arrivalRate = live.number("arrivalRate", settings.arrivalRate ?? 2, 0, 1e6, true);
      this.lanes = Array.from({ length: servers }, () => ({ capacity: 1, jobs: [] }));
      this.waiting = [];
      this.tracked = null; // the job at the tracker
      this.free = servers;
      this.running = 0;
      this.receive(rates.map((rate) => live.law(settings.size, rate)), null, chances.map((chance) => arrivalRate * chance));
      this.look();
    }

    rings(clock) {
      if (clock === MAPPED) this.map();
      else this.arrive();
      this.track();
    }

    // How many servers a job needs is drawn as it comes; nobody asks before it is at the tracker.
    arrive() {
      const job = this.comes(), needs = `needs ${this.widths[job.group]} servers`;
      job.queue = true;
      if (this.tracked === null) {
        this.tracked = job;
        this.tell("arrival", job, `A job that ${needs} comes to the tracker.`);
      } else if (this.waiting.length < this.places) {
        this.waiting.push(job);
        this.tell("arrival", job, `A job that ${needs} waits in the queue.`);
      } else {
        this.leave(job);
        this.tell("loss", job, `A job that ${needs} finds the queue full, and is lost.`);
      }
    }

    // The tracker works on its job once enough servers are free.
    track() {
      if (this.tracked !== null && this.due[MAPPED] === Infinity && this.widths[this.tracked.group] <= this.free) {
        this.due[MAPPED] = this.now + this.chance.exponential() / this.trackerRate;
      }
    }

    map() {
      const job = this.tracked, width = this.widths[job.group];
      job.servers = [];
      for (let server = 0; job.servers.length < width; server++) {
        if (this.lanes[server].jobs.length === 0) {
          this.lanes[server].jobs.push(job);
          job.servers.push(server);
        }
      }
      this.free -= width;
      this.running += 1;
      job.queue = false;
      job.rate = 1;
      this.tracked = this.waiting.shift() ?? null;
      this.due[MAPPED] = Infinity;
      this.tell("mapping", job, `A job is mapped to servers ${job.servers.map((server) => server + 1).join(", ")}.`);
    }

    ends(job) {
      for (const server of job.servers) this.lanes[server].jobs.length = 0;
      this.free += job.servers.length;
      this.running -= 1;
      this.leave(job);
      this.tell("departure", job, `A job leaves ${job.servers.length} servers.`);
      this.track();
    }

    look() {
      const { level } = this;
      level[QUEUE] = this.waiting.length;
      level[BUSY] = this.lanes.length - this.free;
      level[RUNNING] = this.running;
      level[FULL] = this.tracked !== null && this.waiting.length === this.places ? 1 : 0;
      level[HELD] = this.tracked !== null && this.due[MAPPED] === Infinity ? 1 : 0;
      for (let g = 0; g < this.groups; g++) level[FIRST + g] = this.present[g];
    }

    // An arrival sees averages over time, so the part of the time that all places are taken is the part of the jobs that is lost.
    of(level) {
      return {
        queue: level[QUEUE],
        blocking: level[FULL],
        delay: level[QUEUE] / (this.rate * (1 - level[FULL])), // in the queue, by Little's law
        utilisation: level[BUSY] / this.lanes.length,
        running: level[RUNNING],
        held: level[HELD], // the part of the time that the tracker waits for servers
        jobs: this.widths.map((_, g) => level[FIRST + g]),
      };
    }
  };
}
