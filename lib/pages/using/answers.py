"""What an operator asks of an answer: what is lost, who is worst off, how many servers are enough."""

import numpy as np

from clustershare.estimates import Estimate


def measured(found):
    """Capacity loss and largest group-share deviation of an answer, with half widths: nan where nothing is drawn.

    Parameters
    ----------
    found : clustershare.results.Result
        Of a formula, of `simulate_central`, or of a replay.

    Returns
    -------
    dict
    """
    loss, deviation = found.capacity_loss, found.group_share_deviation
    if not isinstance(loss, Estimate):
        return {"loss": loss, "deviation": np.max(deviation), "loss within": np.nan, "deviation within": np.nan}
    worst = int(np.argmax(deviation.value))
    return {
        "loss": float(loss.value), "deviation": deviation.value[worst],
        "loss within": float(loss.half_width), "deviation within": deviation.half_width[worst],
    }  # fmt: skip


def fewest(waits, limit):
    """The fewest servers from which on all waits of a column keep a limit; nan if the most of them are too few.

    Examples
    --------
    >>> import pandas as pd
    >>> fewest(pd.Series({40: 3.0, 50: 0.9, 60: 0.4}), 1.0)
    50
    """
    enough = (waits <= limit).to_numpy()
    first = len(enough) - np.argmin(enough[::-1]) if not enough.all() else 0
    return waits.index[first] if first < len(enough) else np.nan
