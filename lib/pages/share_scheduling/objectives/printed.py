"""What `thesis`, Chapters 1 and 2, prints: numbers of its examples, held against what is computed."""

import numpy as np

from compendium.press.clauses import fact
from compendium.press.findings import listed

EXACT = 1e-9  # up to which shares count as equal


def in_the_text(subject, found, printed, within=EXACT):
    """A clause that computed numbers are those that the text prints; where they are not, both are named."""
    return _same(subject, listed(np.round(found, 9) + 0.0), listed(printed), [(found, printed)], within)


def stepwise(subject, values, times, printed, printed_times):
    """A clause that a step function, with the times at which it changes and ends, is that of the text."""
    texts = (f"{listed(some)} from {listed(when[:-1])} to {when[-1]:g}"
             for some, when in ((values, times), (printed, printed_times)))  # fmt: skip
    return _same(subject, *texts, [(values, printed), (times, printed_times)], 0)


def _same(subject, found, printed, pairs, within):
    same = all(np.shape(one) == np.shape(two) and np.allclose(one, two, rtol=0, atol=within) for one, two in pairs)
    return fact(f"{subject} {found}", same, f"{subject} {found}, where the text has {printed}")
