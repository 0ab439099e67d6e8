"""Fluids and traces of packets: witnesses for fair queueing that share nothing with the library's."""

import itertools

import numpy as np

LAWS = ("equal", "uniform", "exponential", "two-valued")


def sizes_of(rng, law, count):
    """Sizes of packets, at most 1."""
    if law == "equal":
        return np.full(count, 0.5)
    if law == "uniform":
        return rng.uniform(0.05, 1, count)
    if law == "exponential":
        return np.clip(rng.exponential(0.3, count), 0.01, 1)
    return rng.choice([0.01, 1.0], count)


def trace(rng, queues, law, load, count):
    """Arrivals, sizes and queues of packets; without a load all come at once."""
    sizes, owners = sizes_of(rng, law, count), np.append(queues - 1, rng.integers(queues, size=count - 1))
    if load is None:
        return np.zeros(count), sizes, owners
    return np.sort(rng.uniform(0, sizes.sum() / load, count)), sizes, owners


def stepped(traces, weights, step, horizon):
    """GPS by small steps: what each queue has had at each of them, shape (steps + 1, traces, queues).

    In a step the server goes round: what a queue needs less than its part of is divided again among the others.

    Parameters
    ----------
    traces : list of (arrivals, sizes, queues)
    weights : ndarray, shape (traces, queues)
        0 for a queue that a trace has not.
    step, horizon : float
    """
    steps, (count, queues) = int(horizon / step), weights.shape
    coming = np.zeros((steps + 1, count, queues))
    for number, (arrivals, sizes, owners) in enumerate(traces):
        at = np.ceil(np.asarray(arrivals) / step).astype(int)
        kept = at <= steps
        np.add.at(coming, (at[kept], number, np.asarray(owners)[kept]), np.asarray(sizes)[kept])
    left, had = np.zeros((count, queues)), np.zeros((steps + 1, count, queues))
    for now in range(steps):
        left += coming[now]
        budget, given = np.full(count, step), np.zeros((count, queues))
        for _ in range(2):
            active = weights * (left - given > 1e-15)
            total = active.sum(axis=1)
            part = np.divide(active, total[:, None], out=np.zeros_like(active), where=total[:, None] > 0)
            more = np.minimum(part * budget[:, None], left - given)
            given += more
            budget -= more.sum(axis=1)
        left -= given
        had[now + 1] = had[now] + given
    return had


def heads_served(arrivals, sizes, owners):
    """HOL-PS by the backlogs of the queues alone: breakpoints, and what each queue has had by then."""
    queues = int(max(owners)) + 1
    left, had = [0.0] * queues, [0.0] * queues
    times, service = [0.0], [list(had)]
    now, coming, count = 0.0, 0, len(sizes)
    arrivals, sizes, owners = (np.asarray(values).tolist() for values in (arrivals, sizes, owners))
    while True:
        while coming < count and arrivals[coming] <= now:
            left[owners[coming]] += sizes[coming]
            coming += 1
        active = [queue for queue in range(queues) if left[queue] > 1e-12]
        if not active and coming == count:
            return np.array(times), np.array(service)
        until = arrivals[coming] if coming < count else np.inf
        part = 0.0
        if active:
            until = min(until, now + min(left[queue] for queue in active) * len(active))
            part = (until - now) / len(active)
        for queue in active:
            left[queue] -= part
            had[queue] += part
        now = until
        times.append(now)
        service.append(list(had))


def differences(begins, arrivals, sizes, owners, fluid=None):
    """The most that a queue is ever ahead of HOL-PS, and behind it, if its packets begin so."""
    times, service = heads_served(arrivals, sizes, owners) if fluid is None else fluid
    ends, owners = begins + sizes, np.asarray(owners)
    points = np.unique(np.concatenate([times, begins, ends]))
    ahead = behind = 0.0
    for queue in range(service.shape[1]):
        own = owners == queue
        if own.any():
            order = np.argsort(begins[own])
            first, last = begins[own][order], ends[own][order]
            bends = np.column_stack([first, last]).ravel()
            total = np.cumsum(np.asarray(sizes)[own][order])
            values = np.column_stack([np.append(0.0, total[:-1]), total]).ravel()
            gap = np.interp(points, bends, values) - np.interp(points, times, service[:, queue])
            ahead, behind = max(ahead, gap.max()), max(behind, -gap.min())
    return ahead, behind


def least_worst(count):
    """The least worst lag, over the quantum, of all orders in which so many like clients may get as many quanta."""
    orders = np.array(list(itertools.product(range(count), repeat=count)))
    had = np.cumsum(orders[:, :, None] == np.arange(count), axis=1)
    return np.abs(np.arange(1, count + 1)[:, None] / count - had).max(axis=(1, 2)).min()
