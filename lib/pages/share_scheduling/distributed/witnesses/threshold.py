"""Jobs moved by a threshold between very many processors: the policies of Eager et al. in `thesis`, Section 6.6.

Service times are exponential with mean 1, and jobs come to each processor in a Poisson stream. In the limit of many
processors these are independent, and each is a chain whose rates depend on the law that all have in common: a fixed
point. How many processors there are does not enter.

- "Sender": a job that finds `threshold` jobs or more goes to the first of up to `probes` others that has fewer.
- "Receiver": after a departure that leaves fewer, a job comes from the first of up to `probes` others that has more.
- "Reservation": the same, but the next job to arrive there will come, whatever there is on both sides by then.

A transfer takes the processor that sends the job an exponential time, while the job is already where it goes. Meanwhile
no other job can be fetched or reserved there, nor while a reservation is pending.
"""

from typing import NamedTuple

import numpy as np

from clustershare.arguments import integer, number, one_of

POLICIES = ("Sender", "Receiver", "Reservation")
DISCIPLINES = ("first", "next")
MOST_TRANSFERS, MOST_PENDING = 12, 7  # due at one sender, and of one receiver: more make no difference above 1e-6
HALF_STEPS, ROUNDS, NUDGE, ENOUGH = 8, 12, 1e-6, 1e-9
PLACES = NONE, BELOW, AT, ABOVE = range(4)  # the number of jobs: 0, or how it is to the threshold


class Phase(NamedTuple):
    """What a processor does besides having jobs: its own transfers that are due, and reservations."""

    transfers: int = 0
    serving: bool = True  # a job, if there is one, and not a transfer
    reserved: bool = False
    pending: int = 0  # reservations of its own elsewhere


def moves(policy, where, phase, costly, waits):
    """All that happens to a processor: the change of its number of jobs, its phase after, and the name of the rate.

    Parameters
    ----------
    policy : str
    where : int
        One of `PLACES`.
    phase : Phase
    costly : bool
        Whether a transfer takes time.
    waits : bool
        Whether it waits until the job in service has ended.

    Yields
    ------
    change : int
    after : Phase
    name : str
        The rate is that of arrivals ("load"), of those that are kept or sent, of departures after which a job is found
        or not, of jobs that others send or fetch ("each"), or 1 ("ends") or the inverse of the cost ("transferred").
    """
    transfers, serving, reserved, pending = phase
    ended = phase._replace(serving=not transfers)
    due = phase._replace(transfers=min(transfers + 1, MOST_TRANSFERS), serving=serving and waits) if costly else phase
    if not serving:
        yield 0, phase._replace(transfers=transfers - 1, serving=transfers == 1), "transferred"
    if policy == "Sender":
        if where < AT:
            yield 1, phase, "load"
            yield 1, phase, "each"
        else:
            yield 1, phase, "kept"
            yield 0, due, "sent"
    elif reserved:
        yield 0, due._replace(reserved=False), "load"
    else:
        yield 1, phase, "load"
    if serving and where and (policy == "Sender" or where == ABOVE):
        yield -1, ended, "ends"
    elif serving and where:
        yield -1, ended, "not found"
        if policy == "Receiver":
            yield 0, ended, "found"
        else:
            yield -1, ended._replace(pending=min(pending + 1, MOST_PENDING)), "found"
    if is_free(phase) and where == ABOVE and policy == "Receiver":
        yield -1, due, "each"
    if is_free(phase) and where == ABOVE and policy == "Reservation":
        yield 0, phase._replace(reserved=True), "each"
    for _ in range(pending):  # the next arrival at each of their sources
        yield 1, phase._replace(pending=pending - 1), "load"


def is_free(phase):
    """Whether a job can be fetched or reserved."""
    return not phase.transfers and not phase.reserved


def phases(policy, costly, waits):
    """All phases that are reached, with their places."""
    found = [Phase()]
    for phase in found:  # which grows as it is gone through
        for where in PLACES:
            after = dict.fromkeys(after for _, after, _ in moves(policy, where, phase, costly, waits))
            found += [phase for phase in after if phase not in found]
    return {phase: number for number, phase in enumerate(found)}


def response_times(policy, loads, threshold, probes, costs=0.0, discipline="first"):
    """Mean response times, in mean service times.

    Parameters
    ----------
    policy : str
        "Sender", "Receiver" or "Reservation".
    loads : array_like of float
        Above 0 and below 1.
    threshold : int
        At least 1.
    probes : array_like of int
        At least 0; with 0 no job is moved.
    costs : array_like of float
        Mean time of a transfer, at least 0 and below 1: then every queue is stable, as a transfer takes less than a
        service.
    discipline : str
        Transfers interrupt the job in service ("first"), or wait until it has ended ("next").

    Returns
    -------
    ndarray, of the shape to which loads, probes and costs are broadcast

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> [response_times(policy, 0.8, 2, [0, 3]).round(2).tolist() for policy in POLICIES]
    [[5.0, 1.69], [5.0, 1.95], [5.0, 2.51]]
    """
    one_of("policy", policy, POLICIES)
    one_of("discipline", discipline, DISCIPLINES)
    integer("threshold", threshold, 1)
    for value in np.ravel(loads).tolist():
        number("loads", value, 0, 1, open_below=True, open_above=True)
    for value in np.ravel(probes).tolist():
        integer("probes", value, 0)
    for value in np.ravel(costs).tolist():
        number("costs", value, 0, 1, open_above=True)
    load, limit, cost = np.broadcast_arrays(loads, probes, costs)
    found = np.empty(load.shape)
    for costly in (False, True):
        chosen = (cost > 0) == costly
        if chosen.any():
            chain = Chain(policy, threshold, load[chosen], limit[chosen], cost[chosen], discipline == "next")
            found[chosen] = chain.mean_jobs() / load[chosen]
    return found


class Chain:
    """The processor of a policy at several points at once; arguments as of `response_times`, shape (points,)."""

    def __init__(self, policy, threshold, load, probes, cost, waits):
        self.policy, self.threshold, self.load, self.probes, self.cost = policy, threshold, load, probes, cost
        costly = bool((cost > 0).all())
        self.phases = phases(policy, costly, waits)
        self.moves = [
            (where, change, row, self.phases[after], name)
            for where in PLACES
            for phase, row in self.phases.items()
            for change, after, name in moves(policy, where, phase, costly, waits)
        ]
        self.free = np.array([is_free(phase) for phase in self.phases], dtype=float)
        self.serving = np.array([phase.serving for phase in self.phases], dtype=float)

    def mean_jobs(self):
        """The mean number of jobs where the law implies itself."""
        common = self.fixed_point(np.stack([1 - self.load, self.load * (1 - self.load)]))
        return self.law(common)[1]

    def fixed_point(self, guess):
        """Of `law`: some half steps, then Newton's.

        Parameters
        ----------
        guess : ndarray, shape (2, points)

        Returns
        -------
        ndarray, shape (2, points)
        """
        found = guess
        for _ in range(HALF_STEPS):
            found = (found + self.law(found)[0]) / 2
        for _ in range(ROUNDS):
            gap = self.law(found)[0] - found
            if np.abs(gap).max() <= ENOUGH:
                return found
            slopes = []
            for k in range(2):
                nudged = found.copy()
                nudged[k] += NUDGE
                slopes.append((self.law(nudged)[0] - nudged - gap) / NUDGE)
            found = found - np.linalg.solve(np.transpose(slopes, (2, 1, 0)), gap.T[..., None])[..., 0].T
            found = np.clip(found, 1e-12, 1 - 1e-12)
        raise ArithmeticError(f"The fixed point was not found: {np.abs(gap).max():.1e} is left.")

    def law(self, common):
        """What the law of one processor gives if all others have a law.

        Parameters
        ----------
        common : ndarray, shape (2, points)
            Of the others: the part of them that is looked for, and how often each looks.

        Returns
        -------
        implied : ndarray, shape (2, points)
        mean : ndarray, shape (points,)
            Number of jobs.
        """
        part, looks = common
        success = -np.expm1(self.probes * np.log1p(-part))
        rates = {
            "load": self.load, "sent": self.load * success, "kept": self.load * (1 - success), "ends": 1.0,
            "found": success, "not found": 1 - success, "each": looks * success / part,
            "transferred": 1 / np.maximum(self.cost, 1e-300),
        }  # fmt: skip
        size = len(self.phases)
        blocks = np.zeros((len(PLACES), 3, len(self.load), size, size))  # by place and change
        for where, change, row, column, name in self.moves:
            blocks[where, change, :, row, column] += rates[name]
        few, last, R = self._levels(blocks)
        beyond = np.linalg.inv(np.eye(size) - R)
        tail = last @ beyond
        numbers = np.arange(few.shape[1])
        mean = (few.sum(axis=2) * numbers).sum(axis=1)
        mean += (len(numbers) * tail + tail @ R @ beyond).sum(axis=(1, 2))
        short = few[:, : self.threshold].sum(axis=(1, 2))
        if self.policy == "Sender":
            return np.stack([short, self.load * (1 - short)]), mean
        looking = (few[:, 1:] @ self.serving).sum(axis=1)
        return np.stack([(tail @ self.free)[:, 0], looking]), mean

    def _levels(self, blocks):
        """Laws of 0, ..., threshold jobs, that of one more, and the matrix by which each further one follows."""
        T, size = self.threshold, len(self.phases)
        for where in PLACES:
            out = blocks[where].sum(axis=(0, 3))
            blocks[where, 0] -= out[..., None] * np.eye(size)
        up, stay, down = blocks[ABOVE, 1], blocks[ABOVE, 0], blocks[ABOVE, -1]
        R = up @ np.linalg.inv(-(stay + up @ _first_passage(up, stay, down)))
        balance = np.zeros((len(self.load), T + 2, size, T + 2, size))
        for n in range(T + 2):
            where = NONE if not n else BELOW if n < T else AT if n == T else ABOVE
            balance[:, n, :, n] += blocks[where, 0]
            if n <= T:
                balance[:, n, :, n + 1] += blocks[where, 1]
            else:
                balance[:, n, :, n] += R @ down
            if n:
                balance[:, n, :, n - 1] += blocks[where, -1]
        matrix = balance.reshape(len(self.load), (T + 2) * size, -1)
        weights = np.ones(matrix.shape[:2] + (1,))
        weights[:, -size:] = np.linalg.inv(np.eye(size) - R).sum(axis=2, keepdims=True)
        matrix[:, :, 0] = weights[..., 0]
        right = np.zeros(matrix.shape[:2])
        right[:, 0] = 1
        law = np.linalg.solve(matrix.transpose(0, 2, 1), right[..., None])[..., 0].reshape(-1, T + 2, size)
        return law[:, :-1], law[:, -1:], R


def _first_passage(up, stay, down):
    """In which phase there will first be one job less: logarithmic reduction (Latouche and Ramaswami)."""
    one, inverse = np.eye(up.shape[-1]), np.linalg.inv(-stay)
    rise, fall = inverse @ up, inverse @ down
    found, product = fall, rise
    while product.max() > 1e-14:
        turn = np.linalg.inv(one - rise @ fall - fall @ rise)
        rise, fall = turn @ rise @ rise, turn @ fall @ fall
        found = found + product @ fall
        product = product @ rise
    return found
