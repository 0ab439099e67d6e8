"""What a check finds, and how checks are known: all of the machinery that decides a finding, and nothing else.

A check is a function that computes what the source states and returns a `Finding`. Its keyword arguments are the
setting of the statement; its control is a wrong setting, under which the verdict must turn.
"""

from dataclasses import dataclass

import numpy as np

AGREES = "agrees"
PART = "agrees in part"  # on a part of the domain that the source speaks of
CORRECTED = "agrees with the corrected formula"
DIFFERS = "differs"
UNDECIDABLE = "not decidable from the text"
BEYOND = "ours"  # it holds, and no source says it: it counts neither for nor against any
OPEN = "open"  # not examined yet
UNCONFIRMED = "not confirmed"  # a witness disagrees: no row of data/claims.csv can say so
VERDICTS = (AGREES, PART, CORRECTED, DIFFERS, UNDECIDABLE, BEYOND)


@dataclass(frozen=True)
class Finding:
    """What a check computed, as text, and its verdict; of a statement that agrees in part, at how many of how many
    points of its domain ("179/180"), if points were counted.

    The first line of the text is the sentence that came out; others have the numbers behind it.
    """

    computed: str
    verdict: str
    part: str = ""

    @property
    def came_out(self):
        """What came out."""
        return self.computed.partition("\n")[0]

    @property
    def behind(self):
        """The numbers behind it: a list of lines."""
        return self.computed.split("\n")[1:]


def finding(computed, holds):
    """A plain statement: it holds, or it does not."""
    return Finding(computed, AGREES if holds else DIFFERS)


def over_domain(computed, holds):
    """A statement over a domain: it holds at every point, at some, or at none.

    Parameters
    ----------
    computed : str
        With the worst case over the domain, and where the statement stops holding if it does.
    holds : array_like of bool
        For each point of the whole domain that the source speaks of.

    Examples
    --------
    >>> over_domain("worst 0.07 at load 0.95; from 0.9 on it does not hold", [True, True, False]).verdict
    'agrees in part'
    """
    holds = np.ravel(holds)
    if holds.all() or not holds.any():
        return Finding(computed, AGREES if holds.all() else DIFFERS)
    return Finding(computed, PART, f"{np.count_nonzero(holds)}/{holds.size}")


def beyond(computed, holds):
    """A statement of ours, about which the source says nothing: it holds, or this book is wrong."""
    return Finding(computed, BEYOND if holds else DIFFERS)


def erratum(computed, printed_holds, corrected_holds):
    """A statement suspected to be wrong as printed: shown wrong, and right once corrected."""
    if printed_holds:
        return Finding(computed, AGREES)
    return Finding(computed, CORRECTED if corrected_holds else DIFFERS)


def equality(gap, bound):
    """A statement that two things are equal, in words that rounding does not change.

    Parameters
    ----------
    gap : float
        Their largest difference.
    bound : float
        Up to which they count as equal.

    Examples
    --------
    >>> equality(3e-17, 1e-12).computed
    'equal within 1e-12'
    """
    return finding(f"equal within {bound:g}" if gap <= bound else f"largest difference {gap:.2g}", gap <= bound)


def difference(value, expected):
    """The largest absolute difference of two arrays."""
    return float(np.abs(np.subtract(value, expected)).max())


def relative_difference(value, expected):
    """The largest difference of two arrays, relative to what is expected."""
    return float(np.abs(np.divide(value, expected) - 1).max())


def yes(holds):
    """Whether something holds, as a finding says it."""
    return "yes" if holds else "no"


def listed(values):
    """Numbers as text, for what a finding says.

    Examples
    --------
    >>> listed([[0.5, 1 / 3], [2, 4]])
    '0.5, 0.333333, 2, 4'
    """
    return ", ".join(f"{value:.6g}" for value in np.ravel(values))


CHECKS = {}  # (function, control) by the claim's identifier


def check(identifier, **control):
    """Register a function as the check of a claim; `control` is the wrong setting for its negative control."""

    def register(function):
        if identifier in CHECKS:
            raise ValueError(f"Claim {identifier} has two checks.")
        CHECKS[identifier] = function, control
        return function

    return register
