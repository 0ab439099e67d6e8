"""The network of Chapter 6, its letters, and who is probed: against closed forms and laws in fractions."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from clustershare import dispatch, fair_queueing
from clustershare.arguments import UnstableError
from clustershare.dispatch import distributed_kernel_draws as draws
from clustershare.dispatch import network


def test_the_network_alone_is_a_processor_sharing_queue():
    """M/G/1 with processor sharing: a geometric number, and times in proportion to the sizes."""
    for loads in ((0.05, 0.05), (0.2, 0.3), (0.6, 0.2)):
        found = dispatch.simulate_network(loads=loads, service_times=(1.0, 20.0), jumps=200_000, warmup=10_000, seed=4)
        load = sum(loads)
        for estimate, exact in (
            (found.utilisation, load), (found.mean_customers, load / (1 - load)),
            (found.mean_times, np.array([1.0, 20.0]) / (1 - load)),
            (found.number_law, np.append((1 - load) * load ** np.arange(19), load**19)),
        ):  # fmt: skip
            assert (np.abs(estimate.value - exact) <= 2.5 * estimate.half_width + 1e-6).all()
    with pytest.raises(UnstableError, match="The network is offered 1.1 times what it can carry"):
        dispatch.simulate_network(loads=(0.9, 0.2), service_times=(1.0, 20.0))
    with pytest.raises(ValueError, match=r"service_times\[1\] must be a finite number, above 0; got 0"):
        dispatch.simulate_network(loads=(0.5, 0.2), service_times=(1.0, 0))


def finished(arrivals, sizes, letters):
    """When letters of these sizes are done that start at these times, in the order of the letters; and who is next."""
    net, now, times, order = network.quiet(letters, 0, 1), 0.0, np.zeros(len(sizes)), []
    for k in range(len(sizes) + 1):
        coming = arrivals[k] if k < len(sizes) else np.inf
        while net.clock[network.DUE] <= coming and net.count[network.CUSTOMERS]:
            now = net.clock[network.DUE]
            letter = network.finish(net, now)
            which = net.whole[letter, network.GROUP]
            times[which] = now
            order.append(which)
            network.free(net, letter)
        if k < len(sizes):
            if not net.count[network.FREE]:
                net = network.with_more_letters(net)
            letter = network.new_letter(net, 0, 0, k)
            network.start(net, letter, sizes[k], 1, sizes[k] == 0.5, coming)
    return times, order


def test_every_customer_gets_as_much():
    """Against the plain processor-sharing queue of the library, with little room at first."""
    rng = np.random.default_rng(3)
    for _ in range(5):
        arrivals = np.cumsum(rng.exponential(0.6, 60))
        sizes = np.where(rng.random(60) < 0.5, 0.5, rng.exponential(0.5, 60))
        times, _ = finished(arrivals, sizes, 4)
        _, expected, _, _ = fair_queueing.processor_sharing(arrivals, sizes, range(60))  # each in a queue of its own
        assert np.abs(times - expected).max() < 1e-9


def test_equal_letters_are_done_in_the_order_in_which_they_start():
    sizes = np.array([0.5, 0.0, 0.25, 0.25, 0.5, 0.25, 0.0])
    _, order = finished(np.zeros(7), sizes, 8)
    assert order == [1, 6, 2, 3, 5, 0, 4]


def test_a_bundle_is_as_many_customers():
    net = network.quiet(4, 0, 1)
    for customers, size in ((3, 1.0), (1, 2.0)):
        network.start(net, network.new_letter(net, 0, 0, 0), size, customers, True, 0.0)
    network.finish(net, net.clock[network.DUE])
    assert net.clock[network.SINCE] == 4.0 and net.clock[network.DUE] == 5.0


SHARES = ((Fraction(5, 8), Fraction(3, 8)), (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)))


def law_by_words(own, limit, weights):
    """The law of the processors probed, one after the other, by going through all orders."""
    found = Counter()
    others = [p for p in range(len(weights)) if p != own]
    for order in permutations(others, limit):
        chance, left = Fraction(1), others.copy()
        for p in order:
            preferred = [q for q in left if weights[q]]
            total = sum(weights[q] for q in preferred) if preferred else len(left)
            chance *= (weights[p] if preferred else Fraction(1)) / total if p in (preferred or left) else 0
            left.remove(p)
        for p in order:
            found[p] += chance
    return [found[p] for p in range(len(weights))]


@pytest.mark.parametrize("shares", SHARES)
def test_who_is_probed(shares):
    P = 5
    X = dispatch.partition(list(shares), P)
    for g in range(len(shares)):
        for own in range(P):
            for limit in range(P):
                law = dispatch.probe_law("VP", shares, P, group=g, own=own, probe_limit=limit)
                assert law == law_by_words(own, limit, X[g]) and sum(law) == limit
                alike = dispatch.probe_law("HP", shares, P, group=g, own=own, probe_limit=limit)
                assert alike == [Fraction(limit, P - 1) * (p != own) for p in range(P)]


@pytest.mark.parametrize("shares", SHARES)
def test_drawn_as_the_law_says(shares):
    """Whom a processor probes and where jobs arrive; what is used to draw is left as it was."""
    P, rng, count = 5, np.random.default_rng(8), 4000
    subsets = draws.subsets(dispatch.partition(list(shares), P))
    spare = subsets.spare[[0, 2]].copy()
    for g in range(len(shares) + 1):
        vertical = g < len(shares)
        arrival = dispatch.arrival_law("VP" if vertical else "HP", shares, P)[g * vertical].astype(float)
        drawn = np.bincount([draws.in_subset(rng, subsets, g) for _ in range(count)], minlength=P) / count
        assert np.abs(drawn - arrival).max() < 0.04 and (drawn[arrival == 0] == 0).all()
        for own in (0, P - 1):
            for limit in (1, 2, 3, 4):
                found, seen = np.zeros(limit, np.int32), np.zeros(P)
                for _ in range(count):
                    draws.draw_set(rng, subsets, g, own, found)
                    assert len({own, *found.tolist()}) == limit + 1
                    seen[found] += 1
                preference = {"preference": "VP" if vertical else "HP", "group": g * vertical}
                law = dispatch.probe_law(required_shares=shares, processors=P, own=own, probe_limit=limit, **preference)
                assert np.abs(seen / count - np.array(law, float)).max() < 0.04
                assert (subsets.spare[[0, 2]] == spare).all()


def test_bad_input_gets_a_sentence():
    with pytest.raises(ValueError, match="own must be an integer of at least 0 and at most 3; got 4"):
        dispatch.probe_law("VP", (0.5, 0.5), 4, group=0, own=4, probe_limit=1)
    with pytest.raises(ValueError, match="probe_limit must be an integer of at least 0 and at most 3; got 4"):
        dispatch.probe_law("VP", (0.5, 0.5), 4, group=0, own=1, probe_limit=4)
    with pytest.raises(ValueError, match="preference must be one of HP, VP; got 'DP'"):
        dispatch.arrival_law("DP", (0.5, 0.5), 4)
