"""Algorithm 1 of `balanced` under a random assignment, and processor sharing, on the same arrivals and sizes."""

import numpy as np

from clustershare.compiled.heaps import pop, push
from clustershare.compiled.interrupts import stop_if_asked
from clustershare.compiled.jit import kernel
from clustershare.compiled.laws import draw


@kernel
def settle(job, now, work, since, served_by):
    """Bring the work that is left of a job to the present."""
    work[job] -= served_by[job] * (now - since[job])
    since[job] = now


@kernel
def foresee(server, now, head, work, served_by, due):
    """When the job at the head of a server's line ends, told to those above in the tree."""
    job, node = head[server], len(due) // 2 + server
    due[node] = now + max(work[job], 0.0) / served_by[job] if job >= 0 else np.inf
    while node > 1:
        node //= 2
        due[node] = min(due[2 * node], due[2 * node + 1])


@kernel
def foresee_job(job, now, servers_of, head, work, served_by, due):
    """The same for all servers that serve a job."""
    for k in range(servers_of.shape[1]):
        if head[servers_of[job, k]] == job:
            foresee(servers_of[job, k], now, head, work, served_by, due)


@kernel
def leave(job, now, servers_of, before, after, head, tail, work, since, served_by, due):
    """Take a job out of the lines of its servers; who comes to the head of a line is served there."""
    settle(job, now, work, since, served_by)
    for k in range(servers_of.shape[1]):
        server = servers_of[job, k]
        ahead, behind = before[job, k], after[job, k]
        if behind < 0:
            tail[server] = ahead
        else:
            before[behind, place(servers_of, behind, server)] = ahead
        if ahead >= 0:
            after[ahead, place(servers_of, ahead, server)] = behind
            continue
        head[server] = behind
        if behind < 0:
            foresee(server, now, head, work, served_by, due)
        else:
            settle(behind, now, work, since, served_by)
            served_by[behind] += 1
            foresee_job(behind, now, servers_of, head, work, served_by, due)
    served_by[job] = 0


@kernel
def enter(job, now, servers_of, before, after, head, tail, work, since, served_by, due):
    """Put a job at the end of the lines of its servers; an idle server begins with it."""
    served_by[job], since[job] = 0, now
    for k in range(servers_of.shape[1]):
        server = servers_of[job, k]
        last = tail[server]
        before[job, k], after[job, k] = last, -1
        if last < 0:
            head[server] = job
            served_by[job] += 1
        else:
            after[last, place(servers_of, last, server)] = job
        tail[server] = job
    foresee_job(job, now, servers_of, head, work, served_by, due)


@kernel
def place(servers_of, job, server):
    """Which of a job's servers this one is."""
    k = 0
    while servers_of[job, k] != server:
        k += 1
    return k


@kernel
def simulate(rng, warmup, duration, timer_rate, arrival_rate, laws, servers, degree, total_rates):
    """Run both queues from empty for a time, then measure for another.

    Parameters
    ----------
    warmup, duration : float
    timer_rate : float
        Interruptions per work done.
    arrival_rate : float
    laws : ndarray
        That of the sizes, as `compiled.encoding` writes it.
    servers, degree : int
    total_rates : ndarray, shape (room + 1,)
        Of processor sharing, by the number of jobs. Neither queue may have more than that.

    Returns
    -------
    area, fair_area, interruptions : float
        Integrals of the numbers of jobs, and interruptions; the first two are not numbers where the room did not do.
    """
    room, leaves = len(total_rates) - 1, 1
    while leaves < servers:
        leaves *= 2
    # The algorithm: each server has the jobs that may use it in a doubly linked line, and serves the first.
    servers_of = np.zeros((room, degree), np.int64)
    before, after = np.full((room, degree), -1), np.full((room, degree), -1)
    head, tail = np.full(servers, -1), np.full(servers, -1)
    work, since, served_by = np.zeros(room), np.zeros(room), np.zeros(room, np.int64)
    due = np.full(2 * leaves, np.inf)  # a tree: each is the less of the two below it, and the servers' are last
    free, present = np.arange(room), 0  # numbers of jobs that are not in use, from `present` on
    everybody = np.arange(servers)
    # Processor sharing: a job ends when the work done on each reaches what that was when the job came, plus its size.
    ends, fair, done, each = np.zeros(room), 0, 0.0, 0.0
    area, fair_area, interruptions = 0.0, 0.0, 0.0
    now, arrival_at = 0.0, rng.standard_exponential() / arrival_rate
    timer = rng.standard_exponential()  # of the work of all servers, in units of its mean
    until, measuring, busy = warmup, False, 0
    while True:
        stop_if_asked(1)
        then, event = until, 0
        if arrival_at < then:
            then, event = arrival_at, 1
        if due[1] < then:
            then, event = due[1], 2
        if fair > 0 and now + (ends[0] - done) / each < then:
            then, event = now + (ends[0] - done) / each, 3
        if busy * timer_rate > 0 and now + timer / (busy * timer_rate) < then:
            then, event = now + timer / (busy * timer_rate), 4
        step = max(then - now, 0.0)
        now += step
        timer -= step * busy * timer_rate
        done += each * step
        area += present * step
        fair_area += fair * step
        if event == 0:
            if measuring:
                break
            until, measuring = warmup + duration, True
            area, fair_area, interruptions = 0.0, 0.0, 0.0
        elif event == 1:
            arrival_at = now + rng.standard_exponential() / arrival_rate
            size = draw(rng, laws, 0)
            if present == room or fair == room:
                area, fair_area = np.nan, np.nan
                break
            job = free[present]
            present += 1
            for k in range(degree):  # the first places of a shuffle
                other = k + min(int(rng.random() * (servers - k)), servers - k - 1)
                everybody[k], everybody[other] = everybody[other], everybody[k]
                servers_of[job, k] = everybody[k]
            work[job] = size
            enter(job, now, servers_of, before, after, head, tail, work, since, served_by, due)
            busy += served_by[job]
            push(ends, None, fair, done + size, 0)
            fair += 1
        elif event == 2:
            node = 1
            while node < leaves:
                node = 2 * node + (due[2 * node + 1] < due[2 * node])
            job = head[node - leaves]
            leave(job, now, servers_of, before, after, head, tail, work, since, served_by, due)
            present -= 1
            free[present] = job
            for k in range(degree):
                busy -= head[servers_of[job, k]] < 0
        elif event == 3:
            pop(ends, None, fair)
            fair -= 1
        else:
            timer = rng.standard_exponential()
            server = min(int(rng.random() * servers), servers - 1)
            while head[server] < 0:
                server = min(int(rng.random() * servers), servers - 1)
            interruptions += 1.0
            job = head[server]
            leave(job, now, servers_of, before, after, head, tail, work, since, served_by, due)
            enter(job, now, servers_of, before, after, head, tail, work, since, served_by, due)
        if event == 1 or event == 3:
            each = total_rates[fair] / fair if fair > 0 else 0.0
    return area, fair_area, interruptions
