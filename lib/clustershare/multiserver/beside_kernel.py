"""Algorithm 1 of `balanced` and balanced fairness in real time, on the same arrivals and the same sizes."""

import numpy as np

from clustershare.compiled.choice import choose
from clustershare.compiled.heaps import pop, push
from clustershare.compiled.interrupts import stop_if_asked
from clustershare.compiled.jit import kernel
from clustershare.compiled.laws import draw


@kernel
def serve(capacities, users, entered, first, rates):
    """Fill `rates` with those of the first job of each class: a server takes the one that (re)entered first."""
    rates[:] = 0.0
    for server in range(len(capacities)):
        best = -1
        for k in range(users.shape[1]):
            i = users[server, k]
            if i >= 0 and entered[i, first[i]] >= 0 and (best < 0 or entered[i, first[i]] < entered[best, first[best]]):
                best = i
        if best >= 0:
            rates[best] += capacities[server]


@kernel
def simulate(rng, warmup, duration, timer_rate, arrival_rates, laws, capacities, users, room, strides, fair_rates):
    """Run both queues from empty for a time, then measure for another.

    Parameters
    ----------
    warmup, duration : float
    timer_rate : float
        Interruptions per work done.
    arrival_rates : ndarray (classes,)
    laws : ndarray
        That of the sizes, as `compiled.encoding` writes it.
    users : ndarray of int (servers, width)
        Classes of each server; -1 where there are fewer.
    room : int
        Jobs of a class that balanced fairness may have, less one.
    strides : ndarray of int (classes,)
        Of the numbers of jobs in the rows of `fair_rates`.
    fair_rates : ndarray (states, classes)
        The service rates of balanced fairness.

    Returns
    -------
    ndarrays (classes,) three times
        Integral of the number of jobs with interruptions, and under balanced fairness; interruptions. The second is not
        a number where balanced fairness had more jobs than there is room for.
    """
    classes = len(arrival_rates)
    places = 64  # of the jobs of a class: a ring, of a power of two
    work = np.zeros((classes, places))
    entered = np.full((classes, places), -1)  # -1: nobody
    first, present = np.zeros(classes, np.int64), np.zeros(classes, np.int64)
    rates = np.zeros(classes)
    # Under balanced fairness a job of class i ends when the work done on each job of its class reaches what it stood at
    # when the job came, plus its size.
    done, each = np.zeros(classes), np.zeros(classes)
    ends = np.zeros((classes, room))
    fair = np.zeros(classes, np.int64)
    state = 0
    area, fair_area, interruptions = np.zeros(classes), np.zeros(classes), np.zeros(classes)
    arrival_rate = arrival_rates.sum()
    arrival_in = rng.standard_exponential() / arrival_rate
    timer = rng.standard_exponential()  # of the work of all servers, in units of its mean
    left, measuring, entries = warmup, False, 0
    while True:
        stop_if_asked(1)
        step, event, which = left, 0, 0
        if arrival_in < step:
            step, event = arrival_in, 1
        busy = 0.0
        for i in range(classes):
            if rates[i] > 0.0:
                busy += rates[i]
                until = work[i, first[i]] / rates[i]
                if until < step:
                    step, event, which = until, 2, i
            if fair[i] > 0:
                until = (ends[i, 0] - done[i]) / each[i]
                if until < step:
                    step, event, which = until, 3, i
        if timer < step * busy * timer_rate:
            step, event = timer / (busy * timer_rate), 4
        step = max(step, 0.0)
        left -= step
        arrival_in -= step
        timer -= step * busy * timer_rate
        for i in range(classes):
            area[i] += present[i] * step
            fair_area[i] += fair[i] * step
            work[i, first[i]] -= rates[i] * step
            done[i] += each[i] * step
        if event == 0:
            if measuring:
                break
            left, measuring = duration, True
            area[:] = 0.0
            fair_area[:] = 0.0
            interruptions[:] = 0.0
        elif event == 1:
            arrival_in = rng.standard_exponential() / arrival_rate
            i = choose(rng.random() * arrival_rate, arrival_rates)
            size = draw(rng, laws, 0)
            if present[i] == places:
                wide_work, wide_entered = np.zeros((classes, 2 * places)), np.full((classes, 2 * places), -1)
                for j in range(classes):
                    for k in range(present[j]):
                        wide_work[j, k] = work[j, (first[j] + k) & (places - 1)]
                        wide_entered[j, k] = entered[j, (first[j] + k) & (places - 1)]
                    first[j] = 0
                work, entered, places = wide_work, wide_entered, 2 * places
            last = (first[i] + present[i]) & (places - 1)
            work[i, last], entered[i, last] = size, entries
            entries += 1
            present[i] += 1
            if present[i] == 1:
                serve(capacities, users, entered, first, rates)
            if fair[i] == room:
                fair_area[:] = np.nan
                break
            push(ends[i], None, fair[i], done[i] + size, 0)
            fair[i] += 1
            state += strides[i]
        elif event == 2:
            i = which
            entered[i, first[i]] = -1
            first[i] = (first[i] + 1) & (places - 1)
            present[i] -= 1
            serve(capacities, users, entered, first, rates)
        elif event == 3:
            i = which
            pop(ends[i], None, fair[i])
            fair[i] -= 1
            state -= strides[i]
        else:
            timer = rng.standard_exponential()
            i = choose(rng.random() * busy, rates)
            interruptions[i] += 1.0
            here, last = first[i], (first[i] + present[i]) & (places - 1)
            rest = work[i, here]
            entered[i, here] = -1
            work[i, last], entered[i, last] = rest, entries
            entries += 1
            first[i] = (here + 1) & (places - 1)
            serve(capacities, users, entered, first, rates)
        if event == 1 or event == 3:
            for j in range(classes):
                each[j] = fair_rates[state, j] / fair[j] if fair[j] > 0 else 0.0
    return area, fair_area, interruptions
