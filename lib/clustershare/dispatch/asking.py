"""Whether a rule asks for the size of the job that it places."""

import inspect


def asks(kind):
    """Whether the `place` of a class of policies has a parameter called `size`."""
    place = kind.place
    return "size" in inspect.signature(getattr(place, "py_func", place)).parameters


def asks_for_size(policy):
    """Whether the policy's own `place` is to be shown the size of the job."""
    return asks(type(policy))
