"""Very many processors that move jobs which find long queues (`thesis`, Section 1.3.6), by the flows between lengths.

As many jobs come to queues of each length as leave those that are longer by one. That all queues together serve the
load leaves one unknown, the part of the queues that are long.
"""

import numpy as np
from scipy.optimize import brentq


def by_flow(location, load, threshold, count):
    """The mean response time; `count` is that of probes, under Random of transfers.

    Examples
    --------
    >>> round(by_flow("Threshold", 0.8, 2, 3), 2), round(by_flow("Shortest", 0.8, 2, 3), 2)
    (1.69, 1.62)
    """

    def longer(long):
        """The parts of the queues with 0, ..., threshold jobs or more, if so many are long."""
        parts = [1.0, load]
        for k in range(threshold - 1):
            here, beyond = parts[k], parts[k + 1]
            if location == "Shortest":
                moved = here**count - beyond**count
            else:  # the first that is short, among so many
                moved = (here - beyond) * sum(long**n for n in range(count))
            parts.append(beyond - load * (here - beyond + long * moved))
        return parts

    long = load if threshold == 1 else brentq(lambda x: longer(x)[-1] - x, 0, load, xtol=1e-15, rtol=1e-14)
    parts, ratio = longer(long), load * long**count
    return float((np.sum(parts[1:-1]) + long / (1 - ratio)) / load)
