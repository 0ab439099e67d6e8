"""The law of a sum of independent geometric numbers: the jobs on processors with given loads."""

import numpy as np

from clustershare.compiled.jit import kernel

TOGETHER = 8  # so many processors at a time: their steps do not wait for one another
NOTHING = 1e-290  # less is 0 here: arithmetic is slow below 1e-308


@kernel
def convolve(law, loads):
    """Add geometric numbers P[X = k] = (1 - a) a^k to one of a given law, in place, as far as the law reaches.

    The law with one more number is (1 - a) times the one without it, plus a times itself one place before. All terms
    are positive, so that no digit is lost.
    """
    last = np.zeros(TOGETHER)
    first = 0
    for start in range(0, len(loads), TOGETHER):
        block = min(TOGETHER, len(loads) - start)
        last[:] = 0.0
        while first < len(law) and law[first] < NOTHING:
            law[first] = 0.0
            first += 1
        for n in range(first, len(law)):
            x = law[n]
            for k in range(block):
                a = loads[start + k]
                x = (1.0 - a) * x + a * last[k]
                last[k] = x
            law[n] = x


@kernel
def with_one_more(law, loads, capacities, result):
    """For each load E[c_{M + 1}], M being the jobs of a law and one more geometric number, into `result`."""
    for p in range(len(loads)):
        a, x, expected = loads[p], 0.0, 0.0
        for n in range(len(law)):
            x = (1.0 - a) * law[n] + a * x
            if x < NOTHING:
                x = 0.0
            expected += capacities[n] * x
        result[p] = expected
