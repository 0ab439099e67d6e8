"""The network by itself: what Chapter 6 of `thesis` sends over it, as two independent Poisson streams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

import numpy as np

from clustershare.arguments import UnstableError, positive, resolved, vector
from clustershare.dispatch import network
from clustershare.estimates import from_replications
from clustershare.results import Result
from clustershare.run_length import check_run_length
from clustershare.typing import Numbers, Quantity, Run

LETTERS = 256  # at first; doubled where they do not do
COUNTED, SHOWN = 1000, 20  # numbers of customers that are told apart: for their mean, in the law


@dataclass(frozen=True)
class NetworkPerformance(Result):
    """How a network serves two streams.

    Attributes
    ----------
    utilisation : Estimate
        The part of the time that it is busy.
    mean_customers : Estimate
        Mean number of customers.
    number_law : Estimate
        The probabilities of 0, 1, ..., 18 customers, and of more, shape (20,).
    mean_times : Estimate
        Mean times on the network, of the customers of the constant size and of the others, shape (2,); nan where
        none of a kind came in some replication.
    """

    utilisation: Quantity
    mean_customers: Quantity
    number_law: Quantity
    mean_times: Quantity


def simulate_network(*, loads: Numbers, service_times: Numbers, **run: Unpack[Run]) -> NetworkPerformance:
    """A network of unit capacity that all customers share alike (`thesis`, Section 6.2.2), simulated.

    Two independent Poisson streams come: of customers of one size, as probes and their replies are, and of customers of
    exponential sizes, as migrations are. Nothing answers to what has come.

    Parameters
    ----------
    loads : sequence of 2 float
        Offered by the streams, above 0; their sum is below 1.
    service_times : sequence of 2 float
        The constant size, and the mean of the exponential ones, above 0.
    **run
        `jumps`, `warmup`, `replications` and `seed` (see `clustershare.run_length.RunLength`). A jump is one customer
        more or less; the network is empty at first.

    Returns
    -------
    NetworkPerformance

    Raises
    ------
    UnstableError
        If the loads sum to 1 or more.
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> found = simulate_network(loads=(0.2, 0.3), service_times=(1.0, 10.0), jumps=20_000, warmup=1000, seed=1)
    >>> bool(abs(found.utilisation.value - 0.5) < 3 * found.utilisation.half_width)
    True
    """
    own = np.array(vector("loads", loads, positive, 2))
    sizes = np.array(vector("service_times", service_times, positive, 2))
    if own.sum() >= 1:
        raise UnstableError(f"The network is offered {own.sum():.12g} times what it can carry.", ())
    checked = check_run_length(run)
    resolved("loads", loads, own.sum(), checked)
    samples = [_measured(rng, own / sizes, sizes, checked) for rng in checked.generators()]
    laws, times = (np.array([sample[k] for sample in samples]) for k in range(2))
    shown = np.column_stack([laws[:, : SHOWN - 1], laws[:, SHOWN - 1 :].sum(axis=1)])
    return NetworkPerformance(
        method="simulation", utilisation=from_replications(1 - laws[:, 0]),
        mean_customers=from_replications(laws @ np.arange(COUNTED)), number_law=from_replications(shown),
        mean_times=from_replications(times),
    )  # fmt: skip


def _measured(rng, rates, sizes, run):
    """The law of the number of customers, and their mean times by kind."""
    net = network.quiet(LETTERS, 0, 1)
    clock = np.array([0.0, rng.standard_exponential() / rates.sum()])
    for events in (run.warmup, run.jumps):
        law, times, done = np.zeros(COUNTED), np.zeros(2), np.zeros(2, np.int64)
        while events:
            events = network.run_alone(rng, net, rates, sizes, events, clock, law, times, done)
            net = network.with_more_letters(net) if net.count[network.FREE] == 0 else net
    return law / law.sum(), times / done
