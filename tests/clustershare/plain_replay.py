"""Replays as one would write them first: whole lists looked through at every event, and nothing of the library."""

import math


def servers(jobs, servers_of_class, capacities, mean, rng):
    """Ends of jobs, each (arrival, work, class), and how often they were interrupted, after so much work on average."""
    queue, left, quantum, end, times = [], {}, {}, [None] * len(jobs), [0] * len(jobs)
    arrived, now = 0, 0.0
    while None in end:
        rates, free = {}, set(range(len(capacities)))
        for j in queue:
            used = free & set(servers_of_class[jobs[j][2]])
            free -= used
            rates[j] = sum(capacities[server] for server in used)
        until = jobs[arrived][0] - now if arrived < len(jobs) else math.inf
        first = None
        for j in queue:
            if rates[j] > 0 and min(left[j], quantum[j]) / rates[j] < until:
                until, first = min(left[j], quantum[j]) / rates[j], j
        done = first is not None and left[first] <= quantum[first]
        for j in queue:
            left[j] -= rates[j] * until
            quantum[j] -= rates[j] * until
        now += until
        if first is None:
            first, now = arrived, jobs[arrived][0]
            left[first], arrived = jobs[first][1], arrived + 1
        else:
            queue.remove(first)
            if done:
                end[first] = now
            else:
                times[first] += 1
        if not done:
            queue.append(first)
            quantum[first] = mean * rng.standard_exponential() if mean < math.inf else math.inf
    return end, times


class Cluster:
    """Jobs, each (arrival, size, servers, estimate, group), on servers; `start` fills up as time goes by."""

    def __init__(self, jobs, servers):
        self.jobs, self.servers, self.start, self.now = jobs, servers, [None] * len(jobs), -math.inf
        self.instants = {job[0] for job in jobs}

    def line(self):
        return [j for j, job in enumerate(self.jobs) if self.start[j] is None and job[0] <= self.now]

    def running(self):
        begun = [j for j, start in enumerate(self.start) if start is not None]
        return [j for j in begun if self.start[j] + self.jobs[j][1] > self.now]

    def free(self):
        return self.servers - sum(self.jobs[j][2] for j in self.running())

    def begin(self, j):
        self.start[j] = self.now
        self.instants.add(self.now + self.jobs[j][1])

    def used(self, group, half_life):
        """What a group used, each moment of each job weighed by its age."""
        found = 0.0
        for (_, size, need, _, own), start in zip(self.jobs, self.start):
            if own == group and start is not None:
                oldest, newest = self.now - start, max(self.now - start - size, 0.0)
                if half_life == math.inf:
                    found += need * (oldest - newest)
                else:
                    weights = 0.5 ** (newest / half_life) - 0.5 ** (oldest / half_life)
                    found += need * weights * half_life / math.log(2)
        return found


def cluster(jobs, servers, rule, shares=None, half_life=math.inf):
    """Starts of jobs, and what EASY promised the first in line."""
    this, promised = Cluster(jobs, servers), [None] * len(jobs)
    while None in this.start:
        this.now = now = min(time for time in this.instants if time > this.now)
        if rule == "fair share":
            while line := this.line():
                behind = {j: this.used(jobs[j][4], half_life) / shares[jobs[j][4]] for j in line}
                best = min(line, key=lambda j: (behind[j], jobs[j][4], j))  # noqa: B023 - asked at once
                if jobs[best][2] > this.free():
                    break
                this.begin(best)
            continue
        while this.line() and jobs[this.line()[0]][2] <= this.free():
            this.begin(this.line()[0])
        if rule == "FCFS" or not this.line():
            continue
        head, *others = this.line()
        at, spare = math.inf, servers
        if rule == "EASY":
            ends = sorted((this.start[j] + jobs[j][3], jobs[j][2]) for j in this.running())
            left = {end: this.free() + sum(need for other, need in ends if other <= end) for end, _ in ends}
            at = min(end for end in left if left[end] >= jobs[head][2])
            spare = left[at] - jobs[head][2]
            promised[head] = max(at, now) if promised[head] is None else promised[head]
        for j in others:
            if jobs[j][2] <= this.free() and (now + jobs[j][3] <= at or jobs[j][2] <= spare):
                spare -= jobs[j][2] * (now + jobs[j][3] > at)
                this.begin(j)
    return this.start, promised


def dispatch(jobs, capacities, local, shares, migration):
    """Ends of jobs, each (arrival, work, group): to the first processor with the fewest, and from the first with most.

    A job of the first group there migrates to where one left if that leaves it with no more jobs than where it was.
    """
    left, end, now, arrived = [work for _, work, _ in jobs], [None] * len(jobs), 0.0, 0
    there = [[] for _ in capacities]
    while None in end:
        rates = {}
        for capacity, own in zip(capacities, there):
            number = {g: sum(jobs[j][2] == g for j in own) for g in range(len(shares))}
            weights = {j: {"PS": 1.0, "PPS": shares[jobs[j][2]], "GPPS": shares[jobs[j][2]] / number[jobs[j][2]]}[local]
                       for j in own}  # fmt: skip
            rates |= {j: capacity * weight / sum(weights.values()) for j, weight in weights.items()}
        until = jobs[arrived][0] - now if arrived < len(jobs) else math.inf
        first = min(rates, key=lambda j: left[j] / rates[j], default=None)  # noqa: B023 - asked at once
        if first is not None and left[first] / rates[first] <= until:
            until = left[first] / rates[first]
        else:
            first = None
        for j in rates:
            left[j] -= rates[j] * until
        now = jobs[arrived][0] if first is None else now + until
        lengths = list(map(len, there))
        if first is None:
            there[lengths.index(min(lengths))].append(arrived)
            arrived += 1
            continue
        end[first] = now
        q = next(q for q, own in enumerate(there) if first in own)
        there[q].remove(first)
        lengths[q] -= 1
        p = lengths.index(max(lengths))
        if migration and lengths[p] >= lengths[q] + 2:
            moved = min(there[p], key=lambda j: jobs[j][2])
            there[p].remove(moved)
            there[q].append(moved)
    return end
