"""Domains: the cases over which a statement is made, and how many of them were left out, and why."""

import itertools
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from clustershare.arguments import fail
from compendium.press.clauses.points import Points, exact
from compendium.press.clauses.sentences import left_out, plural


@dataclass(frozen=True)
class Domain:
    """Cases of a kind; see `cases` and `grid`.

    Attributes
    ----------
    axes : tuple of (str, tuple)
        Nouns and names, as `Points` have them.
    cases : tuple
        Each the arguments of what is measured: a tuple, or one.
    notes : tuple of str
        A seed, and how many cases were left out and why.
    """

    axes: tuple
    cases: tuple
    notes: tuple = ()

    def __len__(self):
        return len(self.cases)

    def without(self, reason, test):
        """The cases for which a test does not hold.

        >>> cases("load", (0.5, 1.5)).without("overloaded", lambda load: load >= 1).notes
        ('1 load left out: overloaded',)
        """
        kept = [k for k, case in enumerate(self.cases) if not test(*_arguments(case))]
        return self._only(kept, [reason] * (len(self) - len(kept)))

    def _only(self, kept, reasons):
        if not reasons:
            return self
        whole = exact(np.zeros(self._shape), **dict(self.axes)).where(
            np.isin(np.arange(len(self)), kept).reshape(self._shape), ""
        )
        out = [note for why, count in Counter(reasons).items() for note in left_out(count, whole.noun, why)]
        return Domain(whole.axes, tuple(self.cases[k] for k in kept), (*self.notes, *out))

    @property
    def _shape(self):
        return tuple(len(self) if names is None else len(names) for _, names in self.axes)

    def measure(self, function, refused=None):
        """What a function gives for each case.

        Parameters
        ----------
        function : callable
            Gives a number or a truth, or a dictionary of them, or `Points` of the same places in each case.
        refused : dict, optional
            Errors with which it refuses a case, which is then left out, and what that means: "overloaded".

        Returns
        -------
        Points, or dict of Points

        Examples
        --------
        >>> cases("load", (0.5, 0.25)).measure(lambda load: load / (1 - load)).value.round(3)
        array([1.   , 0.333])
        """
        found, kept, reasons, refused = [], [], [], refused or {}
        for k, case in enumerate(self.cases):
            try:
                found.append(function(*_arguments(case)))
                kept.append(k)
            except tuple(refused) as error:
                reasons.append(next(said for kind, said in refused.items() if isinstance(error, kind)))
        if not found:
            fail("cases", len(self), "some that are not refused")
        domain = self._only(kept, reasons)
        if isinstance(found[0], dict):
            return {name: domain._points([one[name] for one in found]) for name in found[0]}
        return domain._points(found)

    def _points(self, found):
        if isinstance(found[0], Points):
            value, half = (
                np.array([getattr(one, part) for one in found]).reshape(self._shape + found[0].value.shape)
                for part in ("value", "half")
            )
            axes = (*self.axes, *found[0].axes)
            return replace(found[0], value=value, half=half, axes=axes, notes=self.notes, terms=())
        if np.ndim(found[0]):
            fail("function", type(found[0]).__name__, "one that gives a number a case, a dictionary of such, or Points")
        return replace(exact(np.reshape(found, self._shape), **dict(self.axes)), notes=self.notes)


def _arguments(case):
    return case if isinstance(case, tuple) else (case,)


def cases(noun, values, names=None, seed=None):
    """A domain of some cases.

    Parameters
    ----------
    noun : str
    values : iterable
        The arguments of each case: a tuple, or one.
    names : sequence, optional
        Of the cases; if not given, numbers and texts are their own names, others have none.
    seed : int, optional
        From which random cases were drawn.

    Examples
    --------
    >>> cases("policy", ("JSQ", "HP")).axes, cases("system", [(0.5, 2)], seed=7).notes
    ((('policy', ('JSQ', 'HP')),), ('systems from seed 7',))
    """
    values = tuple(values)
    if names is None and all(isinstance(one, (str, int, float, np.number)) for one in values):
        names = values
    return Domain(
        ((noun, names and tuple(names)),), values, () if seed is None else (f"{plural(noun)} from seed {seed}",)
    )


def grid(**axes):
    """A domain of all combinations: a noun and its values for each axis, texts or numbers, by which they are named.

    Examples
    --------
    >>> loss = grid(load=(0.5, 0.8), processors=(1, 2, 10)).measure(lambda load, processors: load / processors)
    >>> loss.value.shape, loss.place((1, 2))
    ((2, 3), 'load 0.8, processors 10')
    """
    named = tuple((noun.replace("_", " "), tuple(values)) for noun, values in axes.items())
    return Domain(named, tuple(itertools.product(*axes.values())))
