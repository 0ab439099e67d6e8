"""A plain, slow event loop of `thesis`, Chapter 6, from the words of Sections 6.2 to 6.5: a witness for the library's.

Jobs and messages are objects in lists that are searched; nothing is bundled, and nothing is compiled. All random
numbers come from one generator, in the order in which the library's kernel draws them.
"""

import math
from dataclasses import replace

from pages.share_scheduling.central.printed.rules import changed_by
from pages.share_scheduling.distributed.printed.probing import drawn_probe_set
from pages.share_scheduling.distributed.printed.rules import CHANGES as OF_RULES
from pages.share_scheduling.distributed.printed.rules import Partial, holds, migration, placement, sent_away, subset
from pages.share_scheduling.distributed.witnesses.parts import (
    ASKING,
    MIGRATION,
    PLACEMENT,
    REPLY,
    REQUEST,
    Event,
    Job,
    Message,
    Probing,
)
from pages.share_scheduling.distributed.witnesses.servers import Servers


class PrintedNetwork(Servers):
    """A distributed system, empty at first, event by event.

    Parameters
    ----------
    setting : parts.Setting
    rng : numpy.random.Generator

    Attributes
    ----------
    now : float
    messages : list of Message
        On the network, in the order in which they started.
    records : list of dict
        What each processor knows of others at any time: processor to numbers of jobs by group.
    events : list of Event
        All that has happened so far.
    jumps : int
        Arrivals and departures so far.
    busy : float
        For how long the network was busy.
    And those of `Servers`.
    """

    def __init__(self, setting, rng):
        self._rules = Partial(
            "JSQ" if setting.policy == "Isolation" else setting.policy, setting.shares, setting.processors,
            setting.migration, setting.local, gap=setting.gap, known=tuple(range(setting.processors)),
            changed=tuple(name for name in setting.changed if name in OF_RULES),
        )  # fmt: skip
        super().__init__(setting, self._rules.weights)
        self.rng, self.now, self.busy, self.jumps = rng, 0.0, 0.0, 0
        self.messages, self.events, self._arrived, self._sent = [], [], 0, 0
        self.records = [{} for _ in range(setting.processors)]
        self._recorded = [{} for _ in range(setting.processors)]  # when, and by which probing
        self._probes = setting.policy != "Isolation" and setting.limit > 0
        self._periodic = self._probes and setting.period is not None
        self._keeps = self._periodic or setting.does("keep replies")
        self._begin()

    # Chance. The order of the draws is that of the kernel.

    def _begin(self):
        setting = self.setting
        means = setting.means or (1.0,) * len(setting.shares)
        whole = setting.capacity * setting.processors
        self._means, self._rates = means, [load * whole / mean for load, mean in zip(setting.loads, means)]
        self._next_arrival = self.rng.standard_exponential() / sum(self._rates)
        self._next_probe = [math.inf] * setting.processors
        if self._periodic:
            together = setting.does("together")
            self._next_probe = [0.0 if together else self.rng.random() * setting.period for _ in self._next_probe]

    def choose(self, options, weights=None):
        """One of several, with weights or all alike; where there is one only nothing is drawn."""
        if len(options) == 1:
            return options[0]
        if weights is None:
            return options[min(int(self.rng.random() * len(options)), len(options) - 1)]
        left = self.rng.random() * float(sum(weights))
        for option, weight in zip(options, weights):
            left -= float(weight)
            if left < 0:
                return option
        return options[-1]

    def _draw_arrival(self):
        """The group, size and processor of a job that arrives now, and when the next one does."""
        self._next_arrival = self.now + self.rng.standard_exponential() / sum(self._rates)
        g = self.choose(range(len(self._rates)), self._rates)
        size = self.rng.standard_exponential() * self._means[g]
        if self.setting.arrival == "HP":
            return g, size, self.choose(range(self.setting.processors))
        return g, size, self.choose(*subset(self._rules, g))

    def _draw_probe_set(self, p, group):
        vertical = group is not None and self.setting.probing == "VP"
        return drawn_probe_set(
            p,
            self.setting.limit,
            self.setting.processors,
            self.rng.random,
            self._rules.whole[group] if vertical else None,
        )

    def _draw_period(self):
        spread = self.setting.spread
        return self.setting.period * (1 - spread + 2 * spread * self.rng.random())

    def _draw_migration(self):
        return self.setting.migration_time * self.rng.standard_exponential()

    # Time.

    def run(self, jumps):
        """Let so many arrivals and departures happen."""
        until = self.jumps + jumps
        while self.jumps < until:
            self.step()

    def step(self):
        """Let the next event happen: at equal times a message ends first, then come departures, probes, arrivals."""
        coming, sharing = [], 1 if self.setting.does("first come") else len(self.messages)
        first = None
        if self.messages:
            first = self.messages[0] if sharing == 1 else min(self.messages, key=lambda message: message.left)
            coming.append((self.now + first.left * sharing, self._receive, (first,)))
        leaving = self.next_departure()
        if leaving is not None:
            coming.append((self.now + leaving[0], self._depart, leaving[1:]))
        if self._periodic:
            p = min(range(self.setting.processors), key=lambda p: self._next_probe[p])
            coming.append((self._next_probe[p], self._probe_again, (p,)))
        coming.append((self._next_arrival, self._arrive, ()))
        at, happen, whom = min(coming, key=lambda found: found[0])
        self._pass(at, first.left if happen == self._receive else None)
        happen(*whom)

    def _pass(self, at, sent):
        """Let time pass; `sent` is what each message on the network is sent of until then, if that is known exactly."""
        hold, self.now = at - self.now, at
        self.serve(hold)
        if self.messages:
            self.busy += hold
            served = self.messages[:1] if self.setting.does("first come") else self.messages
            for message in served:
                message.left -= hold / len(served) if sent is None else sent

    def _happens(self, what, processor, *about, **more):
        self.events.append(Event(self.now, what, processor, *about, **more))

    # Jobs.

    def _join(self, job, p):
        self.join(job, p)
        self._happens("joins", p, job)

    def _arrive(self):
        g, size, p = self._draw_arrival()
        job = Job(self._arrived, g, size, self.now, p)
        self._arrived, self.jumps = self._arrived + 1, self.jumps + 1
        self.come(job)
        self._happens("arrives", p, job)
        if self._probes and not self._periodic:
            self._probe(p, "arrival", job)
        else:
            self._place(job, self._known(p))

    def _depart(self, p, g):
        own = self.row(p)
        job = self.leave(p, g, 0)
        self.go(job)
        self.jumps += 1
        self._happens("departs", p, job)
        if self.setting.policy == "Isolation" or not self.setting.migration:
            return
        if self._probes and not self._periodic:
            self._probe(p, "departure", job)
        else:
            self._rebalance(p, job, self._known(p), changed_by((own,), 0, g, -1)[0])

    # Decisions.

    def _known(self, p, probing=None):
        """What a processor knows of others when it decides."""
        if not self._keeps:
            return {} if probing is None else dict(probing.replies)
        oldest = self.now - self.setting.period if self.setting.does("drop old") else -math.inf
        return {other: row for other, row in self.records[p].items() if self._recorded[p][other][0] >= oldest}

    def _place(self, job, known, probing=None):
        p, g = job.processor, job.group
        self.waiting[p].remove(job)
        job.waited, job.where = self.now - job.came, "nowhere"  # it does not count for its own decision
        rules, rows, rule, to = replace(self._rules, known=(p, *known)), (self.row(p), *known.values()), None, p
        if self.setting.policy != "Isolation":
            rule, to = placement(rules, rows, g, self.choose)
        self._happens("places", p, job, rule, probing=probing, other=to, known=known, there=self._those(known))
        if to == p:
            self._join(job, p)
        else:
            self._send(PLACEMENT, p, to, job)
        self._decided(p, to, g, 1)
        if self.setting.policy == "SVP" and rule == "I2":
            rows = changed_by(rows, rules.known.index(to), g, 1)
            asked = sent_away(rules, rows, to, self.choose)
            self._happens("sends away", p, job, asked.rule, other=asked)
            self._ask(p, asked, rows[0], self.setting.does("without a message"))

    def _those(self, known):
        """How it stands at the processors of which something is known."""
        return {other: self.there(other) for other in known}

    def _rebalance(self, p, job, known, own, probing=None):
        """After the departure of a job; `own` are the processor's numbers as it left them."""
        rules = replace(self._rules, known=(p, *known))
        first = own if self.setting.does("state at departure") else self.row(p)
        asked = migration(rules, (first, *known.values()), job.group, self.choose)
        rule, there = asked and asked.rule, self._those(known)
        self._happens("rebalances", p, job, rule, probing=probing, other=asked, known=known, there=there)
        if asked is not None:
            self._ask(p, asked, first)

    def _ask(self, p, asked, own, at_once=False):
        if asked.source == p or at_once:
            self._grant(asked.source, asked, own)
        else:
            self._send(ASKING, p, asked.source, carries=(asked, own))
        self._decided(p, asked.source, asked.group, -1)
        if asked.target != p:
            self._decided(p, asked.target, asked.group, 1)

    def _decided(self, p, other, g, by):
        """A decision changes the record of another processor, if there is one that counts."""
        if other not in self._known(p) or self.setting.does("replies only"):
            return
        row = self.records[p][other]
        if g is None:
            g = self.choose([h for h, count in enumerate(row) for _ in range(count)])
        if row[g] + by >= 0:
            self._record(p, other, changed_by((row,), 0, g, by)[0], "decision")

    def _record(self, p, other, row, why):
        before, self.records[p][other] = self.records[p].get(other), row
        self._happens("records", p, other=(other, before, row, why))

    def _grant(self, p, asked, own, message=None):
        """Processor p is asked for a job, by one that had so many when it decided."""
        groups = range(len(self.queues[p])) if asked.group is None else [asked.group]
        eligible = [(g, k) for g in groups for k in range(len(self.queues[p][g]))]
        there = self.there(p)
        strict = message is not None and self.setting.does("rule must hold")
        if not eligible or strict and not holds(self._rules, asked, there, own):
            self._happens("refuses", p, message=message)
            return
        place = self.choose(range(len(eligible)))
        g, k = eligible[place]
        job = self.leave(p, g, k)
        self._happens("grants", p, job, asked.rule, message, other=(place, len(eligible)))
        self._send(MIGRATION, p, asked.target, job)

    # Messages.

    def _send(self, kind, sender, receiver, job=None, probing=None, carries=None):
        size = self._draw_migration() if kind == MIGRATION else self.setting.probe_time
        message = Message(self._sent, kind, sender, receiver, size, self.now, job, probing, carries)
        self._sent += 1
        self.messages.append(message)
        if job is not None:
            job.where, job.processor = "network", receiver
        self._happens("sends", sender, job, message=message, probing=probing)

    def _receive(self, message):
        self.messages.remove(message)
        message.ended, message.left = self.now, 0.0
        p = message.sender if message.receiver is None else message.receiver
        self._happens("receives", p, message.job, message=message, probing=message.probing)
        if message.kind == REQUEST:
            for other in message.probing.others if message.receiver is None else [message.receiver]:
                self._send(REPLY, other, message.sender, probing=message.probing, carries=self.row(other))
        elif message.kind == REPLY:
            self._take_reply(message)
        elif message.kind == ASKING:
            self._grant(p, *message.carries, message)
        else:
            self._join(message.job, p)

    def _probe(self, p, why, job=None):
        preferring = why == "arrival" or why == "departure" and self.setting.does("VP upon departures")
        others = self._draw_probe_set(p, job.group if preferring else None)
        probing = Probing(p, others, why, self.now, job, self.row(p))
        self._happens("probes", p, job, probing=probing)
        for receiver in others if self.setting.does("request each") else [None]:
            self._send(REQUEST, p, receiver, probing=probing)

    def _probe_again(self, p):
        self._probe(p, "period")
        self._next_probe[p] += self._draw_period()

    def _take_reply(self, reply):
        probing, p = reply.probing, reply.receiver
        probing.replies[reply.sender] = reply.carries
        probing.missing -= 1
        if self._keeps:
            if not self.setting.does("keep replies") and not self.setting.does("drop old"):
                for other in [other for other, (_, by) in self._recorded[p].items() if by is not probing]:
                    del self.records[p][other], self._recorded[p][other]  # each period's replies replace what was known
            self._recorded[p][reply.sender] = (self.now, probing)
            self._record(p, reply.sender, reply.carries, "reply")
        decides = probing.missing == (len(probing.others) - 1 if self.setting.does("first reply") else 0)
        if decides and probing.why == "arrival":
            self._place(probing.job, self._known(p, probing), probing)
        elif decides and probing.why == "departure":
            self._rebalance(p, probing.job, self._known(p, probing), probing.own, probing)
