"""Laws of sizes: what a draw from data costs beside an exponential one, with few values and with many."""

from functools import partial

import numpy as np

from benchmarks.timing import JUMPS, Row, at_most, seconds
from clustershare import sizes, uniprocessor
from pages.share_scheduling.one_processor.systems import two_groups

A_FIFTH = 1.25  # in time, of what costs a fifth of the rate


def tables():
    """Yield the table with its title."""
    yield "One processor, two groups, load 0.8: time a jump with laws of sizes, and times exponential", _kernels()


def _data(count):
    """A law of so many values, of mean 1."""
    values = np.random.default_rng(count).standard_exponential(count) + 1e-6
    return sizes.Empirical(values / values.mean())


def _kernels():
    laws = {
        "exponential": sizes.Exponential(1.0), "50 values": _data(50), "50,000 values": _data(50_000),
        "Weibull": sizes.Weibull(1.0, 0.5), "lognormal": sizes.LogNormal(1.0, 4.0), "gamma": sizes.Gamma(1.0, 0.5),
    }  # fmt: skip
    bounds, rows = {"50 values": at_most(A_FIFTH), "50,000 values": at_most(A_FIFTH)}, []
    system = {**two_groups(0.3, 0.8), "jumps": JUMPS, "warmup": 0, "replications": 1}
    for policy in ("FCFS", "PS"):
        pieces = {name: partial(uniprocessor.simulate, policy, **system, sizes=law) for name, law in laws.items()}
        times = seconds(pieces)
        for name, each in times.items():
            shown, ratio = f"{each / JUMPS * 1e9:.0f} ns", each / times["exponential"]
            rows.append(Row(f"{policy}, {name}", f"{shown}, {ratio:.2f} x", ratio, bounds.get(name)))
        # As many steps; but 50,000 values take 400 kB, and a value that is not near the processor is waited for.
        ratio = times["50,000 values"] / times["50 values"]
        rows.append(Row(f"{policy}, 50,000 values over 50", f"{ratio:.2f} x", ratio, at_most(A_FIFTH)))
    return rows
