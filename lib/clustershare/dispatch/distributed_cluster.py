"""A distributed system as a whole: processors, network and what each knows, from which events are let happen."""

from typing import NamedTuple

import numpy as np

from clustershare.arguments import UnstableError
from clustershare.dispatch import distributed_kernel as kernel
from clustershare.dispatch import distributed_kernel_draws as draws
from clustershare.dispatch import distributed_kernel_parts as parts
from clustershare.dispatch import network, state, tracked, view
from clustershare.dispatch.central import with_more_room
from clustershare.dispatch.tape import Tape

LETTERS = 64  # at first; doubled where they do not do
MOST_LETTERS = 2**13  # there are far fewer on a network that is not overloaded


class Plan(NamedTuple):
    """What a distributed system is.

    Attributes
    ----------
    policy : NamedTuple
        Of `clustershare.dispatch.rules`.
    setting : distributed_kernel_parts.Setting
    local : int
        Of `compiled.service`.
    required : ndarray, shape (groups,)
        Required group shares.
    weights : ndarray, shape (processors, groups)
        Of the groups on the processors under GPPS.
    matrix : ndarray of fractions.Fraction, shape (groups, processors)
        The partitioning matrix.
    arrivals : ndarray, shape (groups,)
        Arrival rates.
    laws : ndarray
        Of the sizes, as `compiled.encoding` writes them.
    together : bool
        Whether all processors probe first at time 0.
    """

    policy: object
    setting: parts.Setting
    local: int
    required: np.ndarray
    weights: np.ndarray
    matrix: np.ndarray
    arrivals: np.ndarray
    laws: np.ndarray
    together: bool


class Cluster:
    """A distributed system, empty at first.

    Parameters
    ----------
    plan : Plan
    rng : numpy.random.Generator

    Attributes
    ----------
    clock : ndarray, shape (2,)
        The time, and the time of the next arrival.
    system : state.System
        With signed numbers, so that what is not compiled can count down.
    net : network.Network
    records, tally
        Of `distributed_kernel_parts`.
    """

    def __init__(self, plan, rng):
        self.plan, self.rng = plan, rng
        setting, (P, G) = plan.setting, plan.weights.shape
        self.clock = np.array([0.0, rng.standard_exponential() / plan.arrivals.sum()])
        system = state.empty(plan.local, plan.required, np.full(P, 1 / P), plan.weights, by_group=False, timed=True)
        self.system = system._replace(
            **{
                name: array.astype(np.int64)
                for name, array in system._asdict().items()
                if isinstance(array, np.ndarray) and array.dtype == np.uint32
            }
        )
        self.net = network.quiet(LETTERS, setting.limit, G)
        known = P - 1 if setting.keeps_all else setting.limit if setting.keeps else 0
        self.records = parts.Records(
            np.zeros(P, np.int64), np.zeros((P, known), np.int64), np.zeros((P, known, G), np.int64),
            np.zeros((P, known, 2)), np.zeros((P, P) if setting.keeps_all else (1, 1), np.int64),
        )  # fmt: skip
        member = np.ascontiguousarray(plan.matrix.T > 0)
        jobs = np.zeros((4, 1 + G), np.int64)
        jobs[parts.SUBSET, 1:] = member.sum(axis=0)
        notes = np.zeros(parts.GROUPS + 4 * G)
        self.tally = parts.Tally(
            notes, notes.copy(), np.zeros(parts.DEPARTED + G, np.int64), np.zeros((P, parts.ARRIVED + 2 * G), np.int64),
            np.full((P, 2), -np.inf), jobs, member, np.full(len(system.due), np.inf),
        )  # fmt: skip
        self.tally.at[:, [parts.LAST_SENDER, parts.EARLIER_SENDER]] = -1
        if setting.limit > 0 and setting.period < np.inf:
            for p in range(P):
                parts.set_timer(self.tally.timers, p, 0.0 if plan.together else rng.random() * setting.period)
        self._more = (
            draws.subsets(plan.matrix), np.ascontiguousarray(plan.matrix.T.astype(float)),
            view.blank(P, plan.local, plan.required),
            parts.Seen(np.zeros(P, np.int64), np.zeros(P, np.int64), np.zeros(P)),
        )  # fmt: skip
        self._tape = Tape(np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64))

    def track(self):
        """Tell jobs apart from now on; there must be none yet."""
        self.system = self.system._replace(seen=tracked.nobody(self.system.leave.shape, MOST_LETTERS))

    def run(self, events, stream=None, journal=None):
        """Let so many arrivals and departures happen, arrivals as those of a stream; departures go to a journal.

        Raises
        ------
        UnstableError
            If letters heap up on the network.
        """
        plan = self.plan
        while events:
            events = kernel.run(
                self.rng, plan.policy, self.system, self.net, self.records, *self._more, self.tally, self._tape,
                plan.setting, plan.arrivals, plan.laws, events, self.clock, stream, journal,
            )  # fmt: skip
            if self.system.next[-1]:
                self.system = with_more_room(self.system)
            if self.net.count[network.FREE] < network.FEW:
                if len(self.net.line) >= MOST_LETTERS:
                    raise overloaded(self.tally.sums[parts.OFFERED] / self.clock[0])
                self.net = network.with_more_letters(self.net)

    def unsent(self):
        """The work that is left on the network."""
        net, now = self.net, self.clock[0]
        count, letters = net.count, len(net.line)
        if count[network.CUSTOMERS] == 0:
            return 0.0
        reading = net.clock[network.READING] + (now - net.clock[network.SINCE]) / count[network.CUSTOMERS]
        line = net.line[(count[network.FIRST] + np.arange(count[network.LINE])) % letters]
        sent = np.concatenate([line, net.heap[: count[network.HEAP]]])
        return float(((net.real[sent, network.DONE] - reading) * net.whole[sent, network.BUNDLE]).sum())


def overloaded(load):
    """The error that says so."""
    return UnstableError(f"The network is offered {load:.4g} times what it can carry.", ())
