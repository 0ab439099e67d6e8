"""The loops of the cluster chain: the lattice of cluster vectors, one pass of the embedded chain, and the balances.

A cluster vector (the multiset of the sizes in service) is a number, in the order of `ctmc` Section 3: by its length,
then lexicographically. Sizes are numbered 0, 1, ... in increasing order, and those that fit beside a vector v are the
first `fits[v]`. Slot `first[v] + k`, k < `fits[v]`, stands for "a job of size k beside v": `larger` is the vector with
that job added, `multiplicity` the jobs of size k in it. The one further slot of v stands for every size that does not
fit: while such jobs wait at the tracker, the chain moves alike whatever their size, so that their probabilities
differ by the factor of the size alone. Hence the arrays `x` of shape (slots, C + 1): x times the probability of a size
is the probability of the state with this size at the tracker.
"""

import numpy as np

from clustershare._jit import kernel


@kernel
def enumerate_vectors(servers, sizes, first, fits, parent, last, larger, multiplicity):
    """Fill the lattice; every array is given with its final length."""
    free = np.empty_like(parent)  # servers left
    first_child = np.empty_like(parent)
    free[0] = servers
    count = 1
    for v in range(len(fits)):
        while fits[v] < len(sizes) and sizes[fits[v]] <= free[v]:
            fits[v] += 1
        first[v + 1] = first[v] + fits[v] + 1
        # Appending sizes from the last one up to vectors in lexicographic order gives the next length in that order.
        first_child[v] = count
        for k in range(last[v], fits[v]):
            parent[count], last[count], free[count] = v, k, free[v] - sizes[k]
            count += 1
    for v in range(len(fits)):
        for k in range(fits[v]):
            slot, above = first[v] + k, first[parent[v]] + k
            if k >= last[v]:
                larger[slot] = first_child[v] + k - last[v]
            else:  # add the job to the vector without its last job, then append the last job again
                between = larger[above]
                larger[slot] = first_child[between] + last[v] - last[between]
            multiplicity[slot] = 1 if v == 0 else multiplicity[above] + (k == last[v])


@kernel
def sweep(entries, lattice, departures, leaving, probabilities, arrival_rate, tracker_rate, x, idle, next_entries):
    """One pass of the chain embedded where a job enters the tracker.

    `entries[v, q]` is the rate at which jobs enter the tracker with q jobs queued and vector v. Until the job is
    mapped, arrivals only raise q and departures only take from v: `x` follows in one pass over falling lengths.
    Then `idle` (empty tracker), and the rates `next_entries` of the entries that these probabilities cause.
    """
    first, fits, larger = lattice
    capacity = x.shape[1] - 1
    next_entries[:] = 0
    idle[:] = 0
    for v in range(len(fits) - 1, -1, -1):
        rows = x[first[v] : first[v] + min(fits[v] + 1, len(probabilities))]
        for row in rows:
            row[capacity] = 0
            for q in range(entries.shape[1]):
                row[q] = entries[v, q]
        for slot in range(first[v], first[v] + fits[v]):
            w, rate = larger[slot], departures[slot]
            for k in range(len(rows)):
                row, source = rows[k], x[first[w] + min(k, fits[w])]
                for q in range(capacity + 1):
                    row[q] += rate * source[q]
        for k in range(len(rows)):
            row = rows[k]
            out = leaving[v] + (tracker_rate if k < fits[v] else 0.0)
            scale = 1 / (out + arrival_rate)
            lower, raised = 0.0, arrival_rate * scale
            for q in range(capacity):
                lower = row[q] * scale + raised * lower
                row[q] = lower
            row[capacity] = (row[capacity] + arrival_rate * lower) / out
            if k < fits[v]:
                w, rate = larger[first[v] + k], tracker_rate * probabilities[k]
                idle[w] += rate * row[0]
                for q in range(capacity):
                    next_entries[w, q] += rate * row[q + 1]
    for v in range(len(fits) - 1, -1, -1):
        for slot in range(first[v], first[v] + fits[v]):
            idle[v] += departures[slot] * idle[larger[slot]]
        idle[v] /= leaving[v] + arrival_rate
        next_entries[v, 0] += arrival_rate * idle[v]


@kernel
def residual(lattice, departures, leaving, probabilities, weights, arrival_rate, tracker_rate, x, idle):
    """The 1-norm of the probabilities times the generator, from the balance of every state."""
    first, fits, larger = lattice
    levels = x.shape[1]
    mapped = np.zeros((len(fits), levels))
    for v in range(len(fits)):
        for k in range(fits[v]):
            row = first[v] + k
            for q in range(levels):
                mapped[larger[row], q] += tracker_rate * probabilities[k] * x[row, q]
    total = 0.0
    for v in range(len(fits)):
        balance = mapped[v, 0] - (leaving[v] + arrival_rate) * idle[v]
        for slot in range(first[v], first[v] + fits[v]):
            balance += departures[slot] * idle[larger[slot]]
        total += abs(balance)
        for k in range(min(fits[v] + 1, len(probabilities))):
            row = first[v] + k
            for q in range(levels):
                out = leaving[v]
                if q < levels - 1:
                    out += arrival_rate
                if k < fits[v]:
                    out += tracker_rate
                balance = -out * x[row, q]
                balance += arrival_rate * (x[row, q - 1] if q > 0 else idle[v])
                if q < levels - 1:
                    balance += mapped[v, q + 1]
                for slot in range(first[v], first[v] + fits[v]):
                    w = larger[slot]
                    balance += departures[slot] * x[first[w] + min(k, fits[w]), q]
                total += weights[row] * abs(balance)
    return total
