"""What theory says of a workload: Poisson arrivals, and independent exponential sizes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clustershare import dispatch, splitting
from clustershare.arguments import UnstableError
from clustershare.cluster_chain import ServiceCluster
from clustershare.results import NoExactAnswer
from clustershare.typing import FloatArray
from clustershare.workload.policies import parts, whole_parts

ALIKE = 1e-9
MOST_STATES = 300_000  # of the chain of a cluster: seconds
QUEUE, LOST = 100, 1e-3  # places, and which part of the jobs may find them taken
AT_ONCE = 1e4  # times as fast as jobs arrive: a tracker that nobody waits for
MOST_GROUPS_ON = 2  # processors of a chain of the rules: with more it takes minutes


class Demand(NamedTuple):
    """What is asked for in the mean, by group and by number of servers.

    Attributes
    ----------
    rate : float
        Of all arrivals.
    chances : ndarray, shape (groups, needs)
        That a job is of a group and takes so many servers.
    means : ndarray, shape (groups, needs)
        Mean sizes; where there are none, anything finite.
    needs : ndarray of int, shape (needs,)
    """

    rate: float
    chances: FloatArray
    means: FloatArray
    needs: FloatArray

    def loads(self, servers):
        """Of the groups, relative to so many servers, shape (groups,)."""
        return self.rate * (self.chances * self.means) @ self.needs / servers

    def mean_sizes(self):
        """Of the groups, shape (groups,)."""
        with np.errstate(invalid="ignore"):
            return (self.chances * self.means).sum(axis=1) / self.chances.sum(axis=1)


def answer(policy, demand, shares, servers):
    """Method, capacity loss, deviations and mean slowdowns.

    Raises
    ------
    NoExactAnswer
        With the sentence that says why theory does not answer.
    UnstableError
    """
    loads = demand.loads(servers)
    if loads.sum() >= 1:
        raise UnstableError(f"The load is {loads.sum():.3g}, and nothing is stable from 1 on.", range(len(loads)))
    if policy == "FCFS" and demand.needs[-1] > 1:
        return _chain_of_cluster(demand, servers)
    own = demand.mean_sizes()
    alike = np.nanmax(own) - np.nanmin(own) <= ALIKE * np.nanmax(own)
    name, local, migrating = parts(policy)
    found = None
    if name == "HPRS":
        found = splitting.horizontal(shares, loads, [1 / servers] * servers, local, servers / own)
    elif name == "VPRS":
        if whole_parts(np.array(shares), servers) is None:
            raise NoExactAnswer(f"VPRS needs whole numbers of servers for each group, and {servers} do not have them.")
        found = splitting.vertical(shares, loads, servers)
    elif demand.needs[-1] == 1 and (policy == "FCFS" or (name, local, migrating) == ("JSQ", "PS", True)):
        if not alike:
            raise NoExactAnswer("The formula is of groups that all have one mean size.")
        # Under FCFS the number of jobs is the same, and each of them is of a group with the same chance.
        found = dispatch.shortest_queue_with_migration(shares, loads, servers)
    elif demand.needs[-1] == 1 and local in ("PS", "GPPS") and servers == 2 and len(shares) <= MOST_GROUPS_ON and alike:
        found = dispatch.exact_central(
            name, local=local, migration=migrating, required_shares=shares, loads=loads, processors=servers
        )
    if found is None:
        raise NoExactAnswer(f"No formula, and no chain that is solved, answers for {policy} on {servers} servers.")
    with np.errstate(divide="ignore", invalid="ignore"):
        slowdown = found.mean_jobs / (loads * servers)
    return found.method, float(found.capacity_loss), np.asarray(found.group_share_deviation), slowdown


def _chain_of_cluster(demand, servers):
    """The chain of `ctmc`, with a long queue and a fast tracker; it knows waits and not shares."""
    by_need = demand.chances.sum(axis=0)
    means = (demand.chances * demand.means).sum(axis=0) / by_need
    cluster = ServiceCluster(
        servers, QUEUE, dict(zip(demand.needs.tolist(), by_need.tolist())), demand.rate, AT_ONCE * demand.rate,
        dict(zip(demand.needs.tolist(), (1 / means).tolist())),
    )  # fmt: skip
    try:
        states = cluster.states
    except ValueError:
        states = np.inf
    if states > MOST_STATES:
        told = f"{states:.2g}" if np.isfinite(states) else "too many"
        raise NoExactAnswer(f"The chain of {servers} servers and {len(means)} numbers of servers has {told} states.")
    found = cluster.solve()
    if found.blocking > LOST:
        raise NoExactAnswer(f"A queue of {QUEUE} places is full too often ({found.blocking:.2g} of the time).")
    wait = found.mean_response - means
    own = demand.mean_sizes()
    with np.errstate(invalid="ignore"):
        waits = demand.chances @ wait / demand.chances.sum(axis=1)
    return "chain", np.nan, np.full(len(own), np.nan), 1 + waits / own
