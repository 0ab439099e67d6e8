"""The words in which rules speak of processors.

Each is a compiled function of a `state.System`. Another kind of system, such as what one processor knows of the others,
has functions of the same names in its class: these are meant where a rule is given such a system.
"""

import functools

from numba.extending import overload

I1, I2, I3, I4, I5, M1, M2, M3, M4 = range(9)  # the rules, by the names that the source gives them under each policy


def word(function):
    """Let the class of what a function is given first, a named tuple, have its own meaning of the function's name."""
    name = function.__name__

    @functools.wraps(getattr(function, "py_func", function))
    def said(system, *rest):
        return getattr(type(system), name, function)(system, *rest)

    @overload(said, strict=False)
    def _said(system, *rest):
        meant = getattr(system.instance_class, name, function)
        return lambda system, *rest: meant(system, *rest)

    return said
