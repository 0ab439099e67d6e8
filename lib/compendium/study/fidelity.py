"""Fidelity: one word for how long to simulate."""

from clustershare.arguments import one_of

FIDELITIES = {
    # Every notebook in seconds; the intervals are wide and the figures say so.
    "quick": {"jumps": 20_000, "warmup": 2_000, "replications": 8},
    # Enough for the eye, at a tenth of the cost of the sources' own runs.
    "book": {"jumps": 300_000, "warmup": 100_000, "replications": 30},
    # The run lengths of the `balanced` paper (Section 5), used for the other sources too, which state none.
    "paper": {"jumps": 1_000_000, "warmup": 1_000_000, "replications": 100},
}
LOGS = {"quick": 3, "book": 8, "paper": 100}  # that are drawn and replayed


def run_lengths(fidelity, part=1.0, jobs=None):
    """The `jumps`, `warmup` and `replications` of a fidelity.

    Parameters
    ----------
    fidelity : str
    part : float
        Of the jumps and the warm-up: less than 1 for a simulator whose jumps cost more than others'.
    jobs : int, optional
        Of each log, where logs are replayed: a jump is a job then, and a replication a log.

    Returns
    -------
    dict

    Examples
    --------
    >>> run_lengths("paper")["replications"]
    100
    >>> run_lengths("book", part=0.2)
    {'jumps': 60000, 'warmup': 20000, 'replications': 30}
    >>> run_lengths("book", jobs=20_000)
    {'jumps': 20000, 'warmup': 0, 'replications': 8}
    >>> run_lengths("slow")
    Traceback (most recent call last):
    ...
    ValueError: fidelity must be one of quick, book, paper; got 'slow'.
    """
    lengths = FIDELITIES[one_of("fidelity", fidelity, FIDELITIES)]
    if jobs is not None:
        return {"jumps": jobs, "warmup": 0, "replications": LOGS[fidelity]}
    return {**lengths, **{name: round(part * lengths[name]) for name in ("jumps", "warmup")}}
