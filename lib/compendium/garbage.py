"""How often Python looks for garbage that only a look at all objects finds: seldom, where much is made and kept.

Compilers and Sphinx make millions of objects that stay. By default Python looks at the new ones each time 700 more were
made, and at all of them again and again: a tenth of the time of a compilation. What nobody refers to any more goes at
once in any case; only what refers to itself in a circle waits longer.
"""

import gc

THRESHOLDS = (100_000, 50, 50)  # so many new objects for a look at them; looks, and looks at older ones, for the next


def look_seldom():
    """For the process that calls this, and for those that it forks.

    Examples
    --------
    >>> before = gc.get_threshold()
    >>> look_seldom()
    >>> gc.get_threshold() == THRESHOLDS
    True
    >>> gc.set_threshold(*before)
    """
    gc.set_threshold(*THRESHOLDS)
