"""What soft words mean as numbers: one scale for all sources, fixed before anything was judged by it.

The page ``chapters/ledger/words`` shows it. A difference of two quantities, capacity losses among them, is taken
relative to the larger; a difference of two deviations, which are relative already and cross zero, as it stands.
"""

import math
from dataclasses import dataclass

from clustershare.arguments import one_of


@dataclass(frozen=True)
class Word:
    """What a soft word allows.

    Attributes
    ----------
    words : tuple of str
        The sources' words that mean this.
    least, most : float
        The difference that they allow, both included.
    """

    words: tuple
    least: float
    most: float

    def allows(self, difference):
        """Whether a difference, or the worst of several, is what the word says."""
        return self.least <= difference <= self.most


SCALE = {
    "equal": Word(("equal", "the same", "identical", "coincides", "does not depend on"), 0.0, 1e-9),
    "practically equal": Word(
        ("practically equal", "almost identical", "negligible", "hardly affects", "indistinguishable"), 0.0, 0.01
    ),
    "very close": Word(("very close", "very slightly", "very small", "very well", "nearly", "almost"), 0.0, 0.02),
    "close": Word(("close", "slightly", "small", "little", "approximately", "about", "well approximated"), 0.0, 0.05),
    "comparable": Word(("comparable", "similar", "not much", "of the same order", "roughly", "limited"), 0.0, 0.2),
    "clear": Word(("clearly", "significantly", "considerably", "substantially", "relatively large"), 0.1, math.inf),
    "much": Word(("much larger", "much smaller", "much better", "far", "strongly", "dramatically"), 0.5, math.inf),
}

# Ranges of the load, where a source names none.
LOADS = {"low": (0.0, 0.3), "moderate": (0.3, 0.7), "high": (0.7, 1.0), "very high": (0.9, 1.0)}
# How many times larger "many" and "large" are than the quantity that they are compared with.
MANY = 100


def allows(word, difference):
    """Whether a difference is what a word of the scale says.

    Parameters
    ----------
    word : str
        A name in `SCALE`.
    difference : float
        The worst over the domain that the source speaks of.

    Examples
    --------
    >>> allows("close", 0.04), allows("very close", 0.04), allows("much", 0.4)
    (True, False, False)
    """
    return SCALE[one_of("word", word, SCALE)].allows(difference)
