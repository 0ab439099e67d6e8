"""Numbers of a claim at named places, with their intervals where they have any.

Places are told apart by axes, each with a noun ("policy") and the names along it. What is computed from points keeps
axes and intervals: a difference, a step to the next place, the largest of a group.
"""

import functools
from dataclasses import dataclass, replace

import numpy as np
from scipy import stats

from clustershare.arguments import fail
from compendium.press.clauses.sentences import NAMELESS, left_out, shown

ROUNDING = 1e-12
WIDEST = 6.0  # times a half width alone: a million intervals of 30 runs do not ask for 4 times


def widened(number, runs, risk=0.05):
    """By how much intervals of 95 % grow if so many are to hold together with 95 %: the one way to join intervals.

    By Bonferroni's inequality, which asks for no independence: policies that are run with common random numbers, and
    differences that share a term, hang together in ways that nobody knows.

    Parameters
    ----------
    number : int
        Intervals that are to hold together.
    runs : int
        Independent replications behind each.
    risk : float
        That one of them does not hold.

    Examples
    --------
    >>> widened(1, 30), round(widened(100, 10), 2)
    (1.0, 2.34)
    """
    one, every = (stats.t.ppf(1 - part / 2, runs - 1) for part in (0.05, risk / max(number, 1)))
    return float(np.round(every / one, 12))


@dataclass(frozen=True, eq=False)
class Points:
    """Values at named places: see `exact` and `measured`.

    Attributes
    ----------
    value, half : ndarray
        Half widths are those of 95 % intervals, each by itself; 0 where a value is exact.
    axes : tuple of (str, tuple)
        The noun of each axis, and the names along it, or None where places have no names (random systems).
    runs : int
        Replications behind each interval.
    risk : float or None
        That intervals that are asked together do not all hold; None: each is asked by itself, which is stricter where
        something refutes a claim if it is beyond an interval.
    intervals : int
        Stored ones behind each value: of the largest of two groups, 2.
    terms : tuple
        The two quantities of a difference and how their half widths are joined, if a soft word takes it relative to the
        larger of them.
    as_it_stands : bool
        Whether soft words take differences of these values as they stand: of deviations, which are relative already.
    notes : tuple of str
        What else the fold says of them: a seed, how many places were left out and why.
    """

    value: np.ndarray
    half: np.ndarray
    axes: tuple
    runs: int = 30
    risk: float | None = 0.05
    intervals: int = 1
    terms: tuple = ()
    as_it_stands: bool = False
    notes: tuple = ()

    def __post_init__(self):
        lengths = tuple(size if names is None else len(names) for (_, names), size in zip(self.axes, self.value.shape))
        if lengths != self.value.shape or self.half.shape != self.value.shape or len(self.axes) != self.value.ndim:
            fail("axes", [noun for noun, _ in self.axes], f"such that their names fill the shape {self.value.shape}")

    @property
    def asked(self):
        """How many intervals are asked with these points: none if all are exact."""
        return self.intervals * self.value.size if self.half.any() else 0

    @property
    def noun(self):
        """What a place is called."""
        return self.axes[0][0] if len(self.axes) == 1 else "point"

    def widened(self, number):
        """By how much their intervals grow if so many are to hold together."""
        return 1.0 if self.risk is None else widened(number, self.runs, self.risk)

    def low(self, wide=1.0):
        """Lower ends of intervals that are so much wider."""
        return self.value - wide * self.half

    def high(self, wide=1.0):
        """Upper ends."""
        return self.value + wide * self.half

    def __neg__(self):
        return replace(self, value=-self.value, terms=(*self.terms[1::-1], *self.terms[2:]))

    def __sub__(self, other):
        """The difference from points of other runs, whose errors are independent; or from exact numbers.

        Axes are matched by their nouns; one that a side has not is the same all along it.

        >>> (measured([3.0, 2.0], [0.3, 0.3], load=(0.1, 0.2)) - measured([1.0, 1.0], [0.4, 0.4], load=(0.1, 0.2))).half
        array([0.5, 0.5])
        """
        return self.less(other, np.hypot)

    def less(self, other, joined):
        """The same difference; `joined` is ``np.add`` if both may be of the same runs.

        >>> one, other = measured([3.0], [0.3], load=(0.1,)), measured([1.0], [0.4], load=(0.1,))
        >>> one.less(other, np.add).half
        array([0.7])
        """
        if not isinstance(other, Points):
            other = replace(self, value=np.broadcast_to(other, self.value.shape), half=np.zeros(self.value.shape))
        mine, theirs = self._along(other), other._along(self)
        if [one for one in mine.axes if one not in theirs.axes]:
            fail("points", [noun for noun, _ in theirs.axes], "points with the same names along these axes")
        theirs = theirs._in_order(mine.axes)
        value, half = mine.value - theirs.value, joined(mine.half, theirs.half)
        terms = () if self.as_it_stands else (mine, theirs, joined)
        doubtful = self if self.half.any() or not other.half.any() else other
        return replace(
            doubtful, value=value, half=half, axes=mine.axes, terms=terms, runs=min(self.runs, other.runs) if
            self.asked and other.asked else doubtful.runs, intervals=max(self.intervals, other.intervals),
            notes=tuple(dict.fromkeys(self.notes + other.notes)),
        )  # fmt: skip

    def _along(self, other):
        """The same along the axes of others that are not there yet, without the terms."""
        nouns = [noun for noun, _ in self.axes]
        new = [(axis, size) for axis, size in zip(other.axes, other.value.shape) if axis[0] not in nouns]
        shape, sizes = self.value.shape + (1,) * len(new), self.value.shape + tuple(size for _, size in new)
        value, half = (np.broadcast_to(each.reshape(shape), sizes) for each in (self.value, self.half))
        return replace(self, value=value, half=half, axes=(*self.axes, *(axis for axis, _ in new)), terms=())

    def _in_order(self, axes):
        order = [self.axes.index(axis) for axis in axes]
        return replace(self, value=self.value.transpose(order), half=self.half.transpose(order), axes=axes)

    def scaled(self, factor):
        """Multiplied by a number, or one for each, that is exact."""
        return replace(self, value=factor * self.value, half=np.abs(factor) * self.half, terms=())

    def distance(self):
        """How far they are from 0, either way."""
        return replace(self, value=np.abs(self.value), terms=())

    def _each(self, change, axes, **more):
        """With the same done to all arrays."""
        terms = (*(one._each(change, axes) for one in self.terms[:2]), *self.terms[2:])
        return replace(self, value=change(self.value), half=change(self.half), axes=axes, terms=terms, **more)

    def _axis(self, noun):
        nouns = [one for one, _ in self.axes]
        return nouns.index(noun) if noun in nouns else fail("noun", noun, f"an axis, one of {nouns}")

    def at(self, **places):
        """The points at one place of an axis, which goes, or at several.

        >>> measured([1.0, 2.0, 3.0], [0.1] * 3, load=(0.1, 0.2, 0.3)).at(load=(0.1, 0.3)).value
        array([1., 3.])
        """
        found = self
        for noun, wanted in places.items():
            k = found._axis(noun.replace("_", " "))
            name, names = found.axes[k]
            some = isinstance(wanted, (tuple, list))
            rows = [names.index(one) for one in wanted] if some else names.index(wanted)
            axes = (*found.axes[:k], *([(name, tuple(wanted))] if some else []), *found.axes[k + 1 :])
            found = found._each(functools.partial(np.take, indices=rows, axis=k), axes)
        return found

    def renamed(self, **nouns):
        """The same with other nouns for some axes, so that points of two axes can be compared, each with each.

        >>> loss = exact([0.1, 0.3], policy=("JSQ", "SVP"))
        >>> (loss - loss.renamed(policy="other")).value.round(1).tolist()
        [[0.0, -0.2], [0.2, 0.0]]
        """
        nouns = {old.replace("_", " "): new for old, new in nouns.items()}
        return self._each(lambda each: each, tuple((nouns.get(noun, noun), names) for noun, names in self.axes))

    def steps(self, noun, joined=np.hypot):
        """From each place of an axis to the next; `joined` is ``np.add`` if they may be of the same runs.

        >>> measured([1.0, 3.0], [0.3, 0.4], load=(0.1, 0.2)).steps("load").axes
        (('step', ('load 0.1 to 0.2',)),)
        """
        k = self._axis(noun)
        names = self.axes[k][1]
        told = ("step", tuple(f"{noun} {shown(one)} to {shown(two)}" for one, two in zip(names, names[1:])))
        axes = (*self.axes[:k], told, *self.axes[k + 1 :])
        before, after = (
            self._each(functools.partial(np.take, indices=range(first, first + len(names) - 1), axis=k), axes)
            for first in (0, 1)
        )
        return after.less(before, joined)

    def largest(self, noun):
        """The largest along an axis: it lies within the widest of the intervals there, if all of them hold.

        By how much a value is below the largest is no doubt about the largest, for intervals up to `WIDEST` times as
        wide as alone.

        >>> both = measured([[1.0, 2.0]], [[0.3, 0.1]], load=(0.5,), group=(1, 2)).largest("group")
        >>> both.asked, both.half.round(4).tolist()
        (2, [0.1333])
        """
        k = self._axis(noun)
        axes, many = (*self.axes[:k], *self.axes[k + 1 :]), self.intervals * self.value.shape[k]
        value = self.value.max(axis=k)
        top = np.expand_dims(value, k)
        with np.errstate(invalid="ignore"):  # of infinite ones
            below = np.where(self.value == top, 0.0, top - self.value)
        half = (self.half - below / WIDEST).max(axis=k)
        return replace(self, value=value, half=half, axes=axes, intervals=many, terms=())

    def smallest(self, noun):
        """The smallest along an axis, as `largest`."""
        return -(-self).largest(noun)

    def where(self, kept, reason):
        """The points where something holds, in one row; the others are left out for a reason that is told.

        >>> measured([1.0, 2.0], [0.1, 0.1], load=(0.9, 1.1)).where([True, False], "overloaded").notes
        ('1 load left out: overloaded',)
        """
        kept = np.broadcast_to(kept, self.value.shape)
        if len(self.axes) == 1:
            noun, names = self.axes[0]
            names = None if names is None else tuple(name for name, stays in zip(names, kept) if stays)
        else:
            noun, names = "point", tuple(self.place(place) for place in np.argwhere(kept))
        notes = self.notes + left_out(kept.size - np.count_nonzero(kept), noun, reason)
        return self._each(lambda each: each[kept], ((noun, names),), notes=notes)

    def place(self, indices):
        """A place in words: "policy SVP, load 0.95"."""
        parts = zip(self.axes, indices)
        named = ((noun, shown(k + 1 if names is None else names[k])) for (noun, names), k in parts)
        return ", ".join(name if noun in NAMELESS else f"{noun} {name}" for noun, name in named)


def measured(value, half, *, runs=30, risk=0.05, as_it_stands=False, **axes):
    """Simulated values with half widths of 95 %.

    Parameters
    ----------
    value, half : array_like
    runs, risk, as_it_stands
        As `Points` has them; an interval of the normal law has `runs` infinite.
    **axes
        A noun and the names along it, in the order of the arrays' axes; underscores stand for spaces.

    Examples
    --------
    >>> measured([0.2], [0.01], policy=("SVP",)).high()
    array([0.21])
    """
    named = tuple((noun.replace("_", " "), None if names is None else tuple(names)) for noun, names in axes.items())
    return Points(np.asarray(value, float), np.asarray(half, float), named, runs, risk, as_it_stands=as_it_stands)


def exact(value, *, as_it_stands=False, **axes):
    """Computed values, without doubt: as `measured`.

    Examples
    --------
    >>> exact([0.2, 0.3], load=(0.1, 0.2)).asked
    0
    """
    return measured(value, np.zeros(np.shape(value)), as_it_stands=as_it_stands, **axes)
