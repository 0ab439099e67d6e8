// One processor (thesis, Chapter 3): seven policies, and permanent jobs.
"use strict";

live.policies.one = {
  FCFS: { title: "First come, first served", sentence: "One job at a time, in order of arrival, whatever its group." },
  HOL: { title: "Head of the line", sentence: "One job at a time; next is a job of the group with the largest share." },
  UD: { title: "Up-Down", sentence: "One job at a time; next is a job of the group that has fallen behind its share the most." },
  PQ: { title: "Preemptive priority", sentence: "A job of the group with the largest share interrupts all others." },
  PS: { title: "Processor sharing", sentence: "All jobs at once and all alike: many jobs obtain much." },
  PPS: { title: "Priority processor sharing", sentence: "All jobs at once, each in proportion to the share of its group." },
  GPPS: { title: "Group-priority processor sharing", sentence: "All jobs at once; groups that have jobs divide the processor by their shares." },
};

{
  const ALL_AT_ONCE = ["PS", "PPS", "GPPS"];

  live.models.one = class extends live.Sharing {
    constructor(settings) {
      super(settings, 1, [1]);
      const { shares, loads, groups } = this;
      const rates = live.numbers("serviceRates", settings.serviceRates ?? new Array(groups).fill(1), groups, 0, 1e6, true);
      const permanent = live.list("permanent", settings.permanent ?? new Array(groups).fill(0), groups,
        (name, value) => live.whole(name, value, 0, 1000));
      this.shared = ALL_AT_ONCE.includes(this.policy);
      this.preemptive = this.policy === "PQ";
      this.line = []; // jobs in the order in which they came, or came back
      this.serving = null;
      this.priority = shares.slice(); // Up-Down: what a group could claim less what it obtained so far
      // Groups with equal shares are one class; 1 - 2 / 3 is 1 / 3.
      this.class = shares.map((share) => (this.policy === "HOL" || this.preemptive ? Math.round(share * 1e12) : 0));
      if (this.overload === null && loads.some((load, g) => load > 0 && load >= this.reach(g, permanent))) {
        this.overload = "Beside the permanent jobs of others, more work comes to a group than it obtains: no mean exists.";
      }
      this.receive(rates.map((rate) => live.law(settings.size, rate)), loads);
      permanent.forEach((jobs, g) => {
        for (let k = 0; k < jobs; k++) this.stay(g);
      });
      this.decide(null);
      this.look();
    }

    // The load that a group must stay below, if it is stable for itself: 1 but beside permanent jobs.
    reach(g, permanent) {
      const { loads, shares, policy } = this;
      const above = permanent.reduce((sum, jobs, h) => sum + (this.class[h] > this.class[g] ? jobs : 0), 0);
      if ((policy === "PQ" && above > 0) || (policy === "HOL" && above > 1)) return 0; // it is never served (Section 3.2.2)
      if (policy === "UD" && permanent.every((jobs) => jobs > 1)) return shares[g];
      if (policy !== "GPPS" || permanent.every((jobs) => jobs === 0)) return 1;
      // Groups leave what they do not use to those that would need more (Section 3.5.2).
      const needs = shares.map((share, h) => (permanent[h] > 0 ? Infinity : loads[h] / share));
      let free = 1, weight = 1;
      for (const h of needs.map((_, h) => h).filter((h) => needs[h] < Math.min(needs[g], Infinity)).sort((a, b) => needs[a] - needs[b])) {
        if (loads[h] >= free * shares[h] / weight) break;
        free -= loads[h];
        weight -= shares[h];
      }
      return free * shares[g] / weight;
    }

    // A permanent job: it is served for ever, or comes back as soon as it was served.
    stay(group) {
      const job = this.enter(group, this.shared ? Infinity : this.laws[group].draw(this.coming));
      job.permanent = true;
      this.join(job);
    }

    join(job) {
      super.join(job, 0);
      this.line.push(job);
    }

    rings() {
      const job = this.comes();
      this.join(job);
      this.tell("arrival", job, "* arrives.");
      if (this.shared || this.preemptive || this.serving === null) this.decide(null);
    }

    ends(job) {
      this.line.splice(this.line.indexOf(job), 1);
      if (job.permanent) {
        this.tell("return", job, `A permanent job of group ${job.group + 1} was served, and returns.`);
        job.size = job.left = this.laws[job.group].draw(this.coming);
        if (this.preemptive) this.line.push(job); // before the decision; elsewhere after it
      } else {
        this.tell("departure", job, "* departs.");
        this.part(job);
        this.leave(job);
      }
      this.serving = null;
      this.decide(job.permanent && !this.preemptive ? job : null);
    }

    // Who is served from now on; `returning` is outside while this is decided.
    decide(returning) {
      const [lane] = this.lanes;
      if (this.shared) {
        this.divide(lane, this.shares, this.policy);
        return;
      }
      let best = null;
      for (const job of this.line) if (best === null || this.before(job.group, best.group)) best = job;
      if (returning !== null) {
        this.line.push(returning);
        best ??= returning;
      }
      this.serving = best;
      for (const job of lane.jobs) job.rate = job === best ? 1 : 0;
      lane.share.fill(0);
      if (best !== null) lane.share[best.group] = 1;
    }

    // Whether a job of one group goes before one of another that came earlier.
    before(one, other) {
      if (this.policy !== "UD") return this.class[one] > this.class[other];
      const more = this.priority[one] - this.priority[other];
      return more > 0 || (more === 0 && one < other);
    }

    pass(at) {
      if (this.policy === "UD") {
        const { share, count } = this.lanes[0];
        for (let g = 0; g < this.groups; g++) if (count[g] > 0) this.priority[g] += (at - this.now) * (this.shares[g] - share[g]);
      }
      super.pass(at);
    }

    // The job that is served worst obtains nothing where another of its group is served alone (2.45).
    look() {
      super.look();
      if (this.shared) return;
      const { share, count } = this.lanes[0];
      for (let g = 0; g < this.groups; g++) this.level[live.Sharing.UNEVEN(g)] = share[g] > 0 && count[g] > 1 ? 1 : 0;
    }
  };
}
