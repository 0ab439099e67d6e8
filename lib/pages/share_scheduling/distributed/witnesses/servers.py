"""The processors of `event_loop` with their jobs, and what is measured there: lists of objects."""

from pages.share_scheduling.distributed.witnesses.parts import put_in, take_out


class Servers:
    """Processors that serve jobs at once, by PS or GPPS.

    Parameters
    ----------
    setting : parts.Setting
    weights : sequence of sequence
        Of the groups under GPPS, as ``weights[p][g]``.

    Attributes
    ----------
    jobs : list of Job
        All in the system, wherever they are, in the order in which they came.
    waiting : list of list of Job
        The schedule queues.
    queues : list of list of list of Job
        The server queues, as ``queues[p][g]``; see `parts.put_in`.
    served : list of list of float
        What the groups obtain of each processor.
    integrals : list of float
        Of `levels` over time.
    """

    def __init__(self, setting, weights):
        P, G = setting.processors, len(setting.shares)
        self.setting, self.weights, self.jobs, self._levels = setting, weights, [], None
        self.waiting, self.queues = [[] for _ in range(P)], [[[] for _ in range(G)] for _ in range(P)]
        self.served, self.integrals = [[0.0] * G for _ in range(P)], [0.0] * (2 + 3 * G)

    def there(self, p):
        """The numbers of jobs by group in a server queue."""
        return tuple(map(len, self.queues[p]))

    def row(self, p):
        """The numbers of jobs by group that a processor counts as its own."""
        numbers = list(self.there(p))
        if self.setting.does("with those under way"):
            for job in self.jobs:
                numbers[job.group] += job.processor == p and job.where in ("schedule queue", "network")
        return tuple(numbers)

    def come(self, job):
        """A job comes to a schedule queue."""
        self.jobs.append(job)
        self.waiting[job.processor].append(job)
        self._levels = None

    def join(self, job, p):
        """A job joins a server queue."""
        job.where, job.processor = "server queue", p
        put_in(self.queues[p][job.group], job)
        self._divide(p)

    def leave(self, p, g, k):
        """The job at a place of a server queue leaves it: `Job`."""
        job = take_out(self.queues[p][g], k)
        self._divide(p)
        return job

    def go(self, job):
        """A job leaves the system."""
        self.jobs.remove(job)
        job.where, self._levels = "gone", None

    def _divide(self, p):
        """Divide a processor among the groups that have jobs there (Sections 3.4.1 and 3.4.3)."""
        claims = list(self.there(p))
        if self.setting.local == "GPPS":
            claims = [float(weight) * (count > 0) for weight, count in zip(self.weights[p], claims)]
        total = sum(claims)
        self.served[p] = [claim / total if total else 0.0 for claim in claims]
        self._levels = None

    def next_departure(self):
        """How long it is until the next job is done, and its processor and group; None without jobs."""
        found = [
            (queue[0].left * len(queue) / (share * self.setting.capacity), p, g)
            for p, queues in enumerate(self.queues)
            for g, (queue, share) in enumerate(zip(queues, self.served[p]))
            if queue
        ]
        return min(found, key=lambda one: one[0], default=None)

    def serve(self, hold):
        """Serve all jobs for some time; it may be none, as for the second of two replies that end together."""
        if not hold:
            return
        if self._levels is None:
            self._levels = self.levels()
        for k, level in enumerate(self._levels):
            self.integrals[k] += level * hold
        for queues, shares in zip(self.queues, self.served):
            for queue, share in zip(queues, shares):
                for job in queue:
                    job.left -= hold * share * self.setting.capacity / len(queue)

    def levels(self):
        """What holds now: f^T and o^T (2.42), then for each group f_g (2.26), o_g and the number of its jobs."""
        P = self.setting.processors
        found = [min(len(self.jobs), P) / P, sum(any(queues) for queues in self.queues) / P]
        for g, required in enumerate(self.setting.shares):
            number = sum(job.group == g for job in self.jobs)
            obtained = sum(shares[g] for shares in self.served) / P
            found += [min(float(required), number / P), obtained, number]
        return found
