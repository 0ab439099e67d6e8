"""What `thesis`, Chapters 1 and 2, prints: numbers of its examples, held against what is computed."""

import numpy as np

from compendium.press.clauses import fact
from compendium.press.findings import listed
from pages.share_scheduling.objectives.systems import EXACT, example


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


def under_both(subject, value, printed, **system):
    """Clauses that a function of time is that of the example under each policy."""
    for policy, times in (("FCFS", (0, 1, 3)), ("PS", (0, 2, 3))):
        trace = example(policy, **system)
        yield stepwise(f"under {policy} {subject}", value(trace), trace.times, printed, times)
