"""Random splitting: what a capacity loss costs, and the search for the least one, as processors become many."""

import functools
import time

import numpy as np

from benchmarks.timing import Row, at_most, seconds
from clustershare.splitting import (
    approximate_capacity_loss,
    capacity_loss,
    certify_capacity_loss,
    horizontal,
    minimise_capacity_loss,
)

SEED = 4
LOAD = 0.5  # where the law of the number is widest against the number of processors


def tables():
    """Yield each table as a title and its rows."""
    yield "Capacity loss of P processors with unequal loads, by convolution", losses()
    yield "The least capacity loss, proved, of unequal processors at loads 0.1, 0.5, 0.9", proofs()
    yield "The least capacity loss of unequal processors, by descents from 20 starts", descents()
    yield "Nearly the least capacity loss at load 0.5, by the power rule and rounds of correction", quick()
    yield "HPRS with GPPS: the chain of one processor, convolved P times", chains()


def system(processors):
    """Capacities and processor loads, drawn; every load below 1 and their mean near `LOAD`."""
    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence((SEED, processors))))
    capacities = np.sort(rng.dirichlet(np.full(processors, 3.0)))[::-1].copy()
    return capacities, rng.uniform(LOAD - 0.3, LOAD + 0.3, processors)


def losses():
    """Milliseconds a loss, and the power of P by which they grow."""
    sizes = (10, 100, 1000, 10_000)
    times = seconds({P: functools.partial(capacity_loss, *system(P)) for P in sizes})
    rows = [Row(f"P = {P:,}", f"{times[P] * 1e3:.3f} ms") for P in sizes if P != 1000]
    power = np.log(times[10_000] / times[1000]) / np.log(10)
    return [
        *rows,
        Row("P = 1,000, ms", f"{times[1000] * 1e3:.3f} ms", times[1000] * 1e3, at_most(1)),
        Row("power of P from 1,000 to 10,000", f"{power:.2f}", power, at_most(2.2)),
    ]


def proofs():
    """Seconds to prove the least loss within the gap, and how they grow with the number of processors."""
    rows, before = [], None
    certify_capacity_loss(system(2)[0], 0.5)  # compiled
    for processors in (2, 3, 4, 5):
        capacities, _ = system(processors)
        taken, found = [], None
        for load in (0.1, 0.5, 0.9):
            start = time.perf_counter()
            found = certify_capacity_loss(capacities, load)
            taken.append(time.perf_counter() - start)
        rows.append(Row(f"P = {processors}: gap {found.error:g}", ", ".join(f"{each:.2f} s" for each in taken)))
        if processors > 3:
            rows.append(Row(f"times that of P = {processors - 1}, in all", f"{sum(taken) / before:.1f}"))
        before = sum(taken)
    return rows


def quick():
    """Milliseconds of splits of nearly equal prices, and what they lose more than where prices are equal."""
    rows = []
    for processors in (3, 10, 100, 1000):
        capacities, _ = system(processors)
        splits = {k: functools.partial(approximate_capacity_loss, capacities, LOAD, rounds=k) for k in (0, 1, 2, None)}
        times = seconds(splits, rounds=3)
        least = splits[None]().objective
        for k, split in splits.items():
            if k is None:
                rows.append(Row(f"P = {processors:,}, until prices are equal", f"{times[k] * 1e3:.1f} ms"))
                continue
            excess = max(0.0, split().objective - least)
            name, most = [("the formula", 1e-2), ("one round", 1e-3), ("two rounds", 1e-4)][k]
            shown = f"{times[k] * 1e3:.1f} ms, {excess:.0e}"
            rows.append(Row(f"P = {processors:,}, {name}: time, excess", shown, excess, at_most(most)))
    return rows


def descents():
    """Seconds of a search without proof, and by how much the conditions of a minimum are missed."""
    rows = []
    for processors in (3, 10, 30, 100):
        capacities, _ = system(processors)
        start = time.perf_counter()
        found = minimise_capacity_loss(capacities, LOAD)
        rows.append(Row(f"P = {processors}", f"{time.perf_counter() - start:.2f} s, missed by {found.error:.1e}"))
    return rows


def chains():
    """Seconds as the load grows; the number of processors hardly matters."""
    pieces = {
        (load, P): lambda load=load, P=P: horizontal((0.6, 0.4), (load / 2, load / 2), np.full(P, 1 / P), "GPPS")
        for load in (0.5, 0.8, 0.9)
        for P in (10, 500)
    }
    times = seconds(pieces, rounds=3)
    return [Row(f"load {load}, P = {P}", f"{each:.3f} s") for (load, P), each in times.items()]
