"""Conditions that a clause asks of values, each with its words: what is not beyond doubt is not told.

A value's interval may lie inside what a condition allows, outside, or across its edge: then it holds, it does not, or
it is not told. Soft words take a difference of two quantities relative to the larger of them, one of deviations, and
what is no difference, as it stands (`compendium.press.words`).
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from clustershare.arguments import fail, one_of
from compendium.press.clauses.points import ROUNDING
from compendium.press.clauses.sentences import shown
from compendium.press.words import SCALE


@dataclass(frozen=True)
class Condition:
    """Bounds of a value, and how a sentence says that it is inside.

    Attributes
    ----------
    text : str
    low, high : float
    soft : bool
        Whether the bounds are those of a soft word.
    strict : bool
        Whether a bound itself is outside.
    doubt : bool
        Whether it suffices that a value is not outside beyond doubt.
    """

    text: str
    low: float = -math.inf
    high: float = math.inf
    soft: bool = False
    strict: bool = False
    doubt: bool = False

    @property
    def bounds(self):
        """Those that there are."""
        return [bound for bound in (self.low, self.high) if math.isfinite(bound)]

    def said(self, points):
        """The words, for these points."""
        if not (self.soft and points.terms):
            return self.text
        text, away, _ = self.text.partition(" from 0")
        return f"{text} of the larger{away}"

    def inside(self, points, wide, own):
        """Where it holds.

        Parameters
        ----------
        points : compendium.press.clauses.points.Points
        wide : float
            By how much intervals are widened so that all that are asked with them hold together.
        own : float
            So that those of these points do. It is the one that counts where doubt suffices, for there a wider
            interval asks for less; elsewhere it asks for more.

        Returns
        -------
        ndarray of bool
        """
        if self.doubt:
            return ~self.outside(points, own)
        return np.all([self._kept(*side, wide) for side in self._sides(points)], axis=0)

    def outside(self, points, wide=1.0):
        """Where it does not hold beyond doubt."""
        return np.any([~self._kept(part, bound, strict, -wide) for part, bound, strict in self._sides(points)], axis=0)

    def told(self, points, wide=1.0):
        """The points where it holds or not beyond doubt; the others are left out.

        >>> from compendium.press.clauses.points import measured
        >>> at_most(0.2).told(measured([0.1, 0.19], [0.01, 0.02], load=(0.5, 0.9))).notes
        ('1 load left out: too wide to tell',)
        """
        return points.where(self.inside(points, wide, wide) | self.outside(points, wide), "too wide to tell")

    def half_widths_off(self, points):
        """How many half widths the value that is farthest outside is off."""
        off = np.max([(bound - part.value) for part, bound, _ in self._sides(points)], axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(np.max(np.where(off > ROUNDING, off / points.half, 0.0)))

    @staticmethod
    def _kept(part, bound, strict, wide):
        """Where lower ends are above a bound."""
        return part.low(wide) > bound + ROUNDING if strict else part.low(wide) >= bound - ROUNDING

    def _sides(self, points):
        """Each bound as one from below, of what is compared with it; of two that are 0, none is larger by a part."""
        for bound, sign in ((self.low, 1), (self.high, -1)):
            if np.isfinite(bound):
                yield (*self._side(points, bound, sign), self.strict)
                if self.soft and points.terms and sign * bound > 0:
                    yield replace(points, value=sign * points.value), 0.0, True

    def _side(self, points, bound, sign):
        if not (self.soft and points.terms):
            return replace(points, value=sign * points.value), sign * bound
        # No quotient is taken, so intervals are those of a sum: a is larger than b by the part c of it if
        # (1 - c) a - b > 0; a is at least b, less that part of b, if a - (1 - c) b > 0.
        a, b, joined = points.terms
        if min(a.value.min(), b.value.min()) < 0:
            fail("points", "negative ones", "none, or points that soft words take as they stand")
        a, b = (a.scaled(1 - bound), b) if bound >= 0 else (a, b.scaled(1 + bound))
        return replace(points, value=sign * (a.value - b.value), half=joined(a.half, b.half), terms=()), 0.0


def _amount(bound):
    """A bound in words, its number, and whether it is a soft word's."""
    if not isinstance(bound, str):
        return shown(float(bound)), float(bound), False
    word = SCALE[one_of("word", bound, SCALE)]
    number = word.most if math.isfinite(word.most) else word.least
    return f'{shown(number)} ("{bound}")', number, True


def larger(by=0.0):
    """Above 0, or by so much: a number, or a soft word.

    >>> larger("clear").text, larger().text
    ('is above 0 by at least 0.1 ("clear")', 'is above 0')
    """
    text, low, soft = _amount(by)
    if not low:
        return Condition("is above 0", low=0.0, strict=True)
    return Condition(f"is above 0 by at least {text}", low=low, soft=soft)


def smaller(by=0.0):
    """Below 0, or by so much: a number, or a soft word.

    >>> smaller("much").text, smaller().text
    ('is below 0 by at least 0.5 ("much")', 'is below 0')
    """
    text, low, soft = _amount(by)
    if not low:
        return Condition("is below 0", high=0.0, strict=True)
    return Condition(f"is below 0 by at least {text}", high=-low, soft=soft)


def at_most(bound):
    """At most a number, or what a soft word allows.

    >>> at_most("close").text, at_most(0.05).text
    ('is at most 0.05 ("close")', 'is at most 0.05')
    """
    text, high, soft = _amount(bound)
    return Condition(f"is at most {text}", high=high, soft=soft)


def at_least(bound):
    """At least a number, or what a soft word asks for.

    >>> at_least(0.25).text
    'is at least 0.25'
    """
    text, low, soft = _amount(bound)
    return Condition(f"is at least {text}", low=low, soft=soft)


def short_of(word):
    """Less than what a soft word asks for, above 0 or below.

    >>> short_of("clear").text
    'is less than 0.1 ("clear") from 0'
    """
    text, least, soft = _amount(word)
    return Condition(f"is less than {text} from 0", low=-least, high=least, soft=soft, strict=True)


def between(low, high):
    """Between two numbers, both included.

    >>> between(0.25, 0.35).text, between(7, 7).text
    ('is between 0.25 and 0.35', 'is 7')
    """
    text = f"is {shown(low)}" if low == high else f"is between {shown(low)} and {shown(high)}"
    return Condition(text, low=low, high=high)


def within(bound):
    """At most so far from 0, above or below: a number, or what a soft word allows.

    >>> within("close").text
    'is at most 0.05 ("close") from 0'
    >>> within(0).text
    'is 0'
    """
    text, most, soft = _amount(bound)
    return Condition(f"is at most {text} from 0" if most else "is 0", low=-most, high=most, soft=soft)


def equal(bound):
    """Of a gap between two things, which are the subject: they are equal but for rounding.

    >>> equal(1e-9).text
    'are equal within 1e-9'
    """
    return Condition(f"are equal within {shown(bound)}" if bound else "are equal", low=-bound, high=bound)


def rises(by=0.0):
    """Of a step: up, or by so much, beyond doubt.

    >>> rises().text, rises(0.1).text
    ('rises', 'rises by at least 0.1')
    """
    return _moved("rises", larger(by))


def falls(by=0.0):
    """Of a step: down, or by so much, beyond doubt.

    >>> falls().text
    'falls'
    """
    return _moved("falls", smaller(by))


def _moved(verb, condition):
    _, by, amount = condition.text.partition(" by ")
    return replace(condition, text=verb + by + amount)


def agrees(text="agrees within its interval"):
    """Of a difference from what is exact: 0 is not outside its interval.

    >>> agrees().doubt
    True
    """
    return Condition(text, low=0.0, high=0.0, doubt=True)


def not_larger():
    """Not above 0 beyond doubt.

    >>> not_larger().text
    'is not above 0 beyond its interval'
    """
    return Condition("is not above 0 beyond its interval", high=0.0, doubt=True)


def never_rises():
    """Of a step: not up beyond doubt.

    >>> never_rises().text
    'does not rise beyond its interval'
    """
    return replace(not_larger(), text="does not rise beyond its interval")


def never_falls():
    """Of a step: not down beyond doubt.

    >>> never_falls().text
    'does not fall beyond its interval'
    """
    return Condition("does not fall beyond its interval", low=0.0, doubt=True)
