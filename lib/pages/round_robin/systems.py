"""The systems of `roundrobin`, as arguments of the models."""

from clustershare import sizes


def round_robin_path():
    """The path of `roundrobin`, Figure 2, for its graph: a start, and four steps, of jobs large against the quantum.

    The figure is lost. The text tells that a first job of class 1 was in service on computer 1, and that the job of
    class 2 had two timers when it was interrupted: a queue of classes 1, 2, 1 begins so.

    Examples
    --------
    >>> round_robin_path()["present"]
    (0, 1, 0)
    """
    return {
        "arrival_rates": (0.3, 0.3, 0.3),
        "sizes": sizes.Exponential(100.0),
        "interruptions": 100,
        "present": (0, 1, 0),
        "steps": (("interruption", 0), ("interruption", 1), ("arrival", 2), ("interruption", 0)),
    }
