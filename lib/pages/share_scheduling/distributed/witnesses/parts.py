"""What a path of `event_loop` is made of: its system, jobs, messages, probings, and the record of what happens."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from clustershare.arguments import one_of
from pages.share_scheduling.distributed.printed.rules import CHANGES as OF_RULES

REQUEST, REPLY, PLACEMENT, ASKING, MIGRATION = MESSAGES = (
    "probe request", "probe reply", "job placement", "migration request", "job migration",
)  # fmt: skip
WHAT = {
    "arrives": "a job at a processor; other: None",
    "probes": "a processor, for the job or the departure of the probing, or as its time has come",
    "places": "a processor, a job, by a rule; other: the processor chosen",
    "rebalances": "a processor, after the departure of a job; other: `Asked`, or None",
    "sends away": "a processor, after rule I2 has placed a job; other: `Asked`",
    "sends": "a processor, a message",
    "receives": "a processor, a message; of a request for several, the one that sent it",
    "joins": "a job its server queue",
    "grants": "a processor a migration request, by which the job leaves it; other: its place among those eligible, and "
    "their number",
    "refuses": "a processor a migration request",
    "records": "a processor other numbers about another; other: that one, the numbers before and after, and why",
    "departs": "a job",
}
CHANGES = {
    "with those under way": "jobs on their way to a processor and in its schedule queue count as its jobs",
    "keep replies": "the latest reply of every processor is kept and used",
    "drop old": "periodic: so it is, but only for one mean period",
    "replies only": "periodic: decisions change no record",
    "state at departure": "after a departure the rules see the own processor as the departure left it",
    "rule must hold": "a request is granted only if what the rule asked of the processor holds then",
    "without a message": "SVP: the guest that I2 sends away leaves at once, without a request",
    "together": "periodic: all processors probe at time 0 first",
    "VP upon departures": "VP probing preference also upon departures",
    "request each": "a probe request for each processor probed",
    "first reply": "the decision is taken at the first reply",
    "first come": "the network serves one message after the other",
}


@dataclass(frozen=True)
class Setting:
    """A distributed system (`thesis`, Sections 6.2 to 6.5).

    Attributes
    ----------
    policy : str
        "Isolation", or one of `rules.Partial`.
    shares : tuple of fractions.Fraction
        Required ones of the groups.
    loads : tuple of float
        rho_{g*} of the groups (5.15).
    processors : int
    limit : int
        L^P.
    period : float, optional
        tau^P; on-demand probing if not given.
    arrival, probing : str
        Preferences: "HP" or "VP".
    probe_time, migration_time : float
        S^P, and the mean S^M.
    local : str
        "GPPS" or "PS".
    migration : bool
    capacity : float
        Of a processor.
    spread : float
        A period is uniform between 1 - spread and 1 + spread times its mean.
    gap : int
        As for `Partial`.
    means : tuple of float, optional
        Mean sizes of the groups' jobs, which are exponential; 1 if not given.
    changed : tuple of str
        Of `CHANGES`, or of those of `rules`.
    """

    policy: str
    shares: tuple
    loads: tuple
    processors: int
    limit: int
    period: object = None
    arrival: str = "HP"
    probing: str = "HP"
    probe_time: float = 1e-6
    migration_time: float = 1e-2
    local: str = "GPPS"
    migration: bool = True
    capacity: float = 1.0
    spread: float = 0.1
    gap: int = 2
    means: object = None
    changed: tuple = ()

    def __post_init__(self):
        one_of("arrival", self.arrival, ("HP", "VP"))
        one_of("probing", self.probing, ("HP", "VP"))
        for name in self.changed:
            one_of("changed", name, (*CHANGES, *OF_RULES))
        if not all(isinstance(share, Fraction) for share in self.shares):
            raise ValueError(f"shares must be fractions; got {self.shares!r}.")
        if not 0 <= self.limit < self.processors:
            raise ValueError(f"limit must be from 0 to {self.processors - 1}; got {self.limit!r}.")

    def does(self, name):
        """Whether one of these changes is made."""
        return name in self.changed


class Job:
    """A job and its own record.

    Attributes
    ----------
    number : int
        Jobs are numbered as they arrive.
    group : int
    size, left : float
        The work that it brings, and what is left of it.
    came, home : float, int
        When and where it arrived.
    where : str
        "schedule queue", "server queue", "network", or "gone"; "nowhere" while it is decided.
    processor : int
        Where it waits or is served; or the one that it is on its way to.
    waited : float
        Its time in the schedule queue; nan until that is over.
    """

    __slots__ = ("came", "group", "home", "left", "number", "processor", "size", "waited", "where")

    def __init__(self, number, group, size, came, home):
        self.number, self.group, self.size, self.left = number, group, size, size
        self.came, self.home, self.processor = came, home, home
        self.where, self.waited = "schedule queue", math.nan


class Message:
    """A customer of the network.

    Attributes
    ----------
    number : int
        Messages are numbered as they start.
    kind : str
        Of `MESSAGES`.
    sender, receiver : int
        The receiver of a request for several processors is None.
    size, left : float
        Its time alone on the network, and what is left of that.
    started, ended : float
        The second is nan until it has crossed the network.
    job : Job, optional
        That it carries.
    probing : Probing, optional
        That it belongs to.
    carries : object
        Of a reply: numbers of jobs by group. Of a migration request: `Asked`, and the asker's numbers when it
        decided.
    """

    __slots__ = (
        "carries", "ended", "job", "kind", "left", "number", "probing", "receiver", "sender", "size", "started",
    )  # fmt: skip

    def __init__(self, number, kind, sender, receiver, size, started, job=None, probing=None, carries=None):
        self.number, self.kind, self.sender, self.receiver, self.size = number, kind, sender, receiver, size
        self.left, self.started, self.ended = size, started, math.nan
        self.job, self.probing, self.carries = job, probing, carries


class Probing:
    """A processor asks others for their state.

    Attributes
    ----------
    prober : int
    others : list of int
        In the order in which they were drawn.
    why : str
        "arrival", "departure" or "period".
    began : float
    job : Job, optional
        That has arrived or departed.
    own : tuple of int
        Jobs of each group at the prober then.
    replies : dict
        Processor: its numbers of jobs by group.
    missing : int
        Replies that are to come.
    """

    __slots__ = ("began", "job", "missing", "others", "own", "prober", "replies", "why")

    def __init__(self, prober, others, why, began, job, own):
        self.prober, self.others, self.why, self.began, self.job, self.own = prober, others, why, began, job, own
        self.replies, self.missing = {}, len(others)


class Event(NamedTuple):
    """Something that happens: `WHAT` says who and what stands where.

    With decisions come `known`, what was known of other processors, as numbers of jobs by group, and `there`, how it
    stood in their server queues.
    """

    time: float
    what: str
    processor: int
    job: object = None
    rule: object = None
    message: object = None
    probing: object = None
    other: object = None
    known: object = None
    there: object = None


def histories(events):
    """What happens to jobs, wherever it was decided: list of (time, what, processor, number of the job)."""
    of_jobs = ("arrives", "joins", "grants", "departs")
    return [(event.time, event.what, event.processor, event.job.number) for event in events if event.what in of_jobs]


def put_in(heap, job):
    """Put a job into a server queue, which is a binary heap: the first of it is the next to leave."""
    k = len(heap)
    heap.append(job)
    while k > 0 and heap[(k - 1) // 2].left > job.left:
        heap[k] = heap[(k - 1) // 2]
        k = (k - 1) // 2
    heap[k] = job


def take_out(heap, k):
    """Take the job at a place out of a server queue: first those before it step back, then the last fills the top."""
    job = heap[k]
    while k > 0:
        heap[k] = heap[(k - 1) // 2]
        k = (k - 1) // 2
    last = heap.pop()
    if not heap:
        return job
    while 2 * k + 1 < len(heap):
        below = 2 * k + 1
        if below + 1 < len(heap) and heap[below + 1].left < heap[below].left:
            below += 1
        if heap[below].left >= last.left:
            break
        heap[k] = heap[below]
        k = below
    heap[k] = last
    return job
