"""Clauses, and the finding that they make together."""

from dataclasses import dataclass, replace

import numpy as np

from clustershare.arguments import fail
from compendium.press.clauses.conditions import Condition, agrees, equal
from compendium.press.clauses.points import Points, exact
from compendium.press.clauses.sentences import among, number, places, preposition, several, spread
from compendium.press.findings import AGREES, BEYOND, DIFFERS, PART, UNDECIDABLE, Finding, erratum

ROUNDING = 1e-6  # of gaps below a bound so small it says nothing how large they are
MOST = 3  # groups of places that a sentence names; all are in the fold


@dataclass(frozen=True, eq=False)
class Clause:
    """A part of a claim; see `at_each`, `everywhere`, `somewhere`, `fact`.

    Attributes
    ----------
    subject : str
    points : Points
    conditions : tuple of Condition
    quantifier : callable
        Makes of the truths at all places those that count for the verdict.
    otherwise : str
        What a fact is called where it does not hold.
    """

    subject: str
    points: Points
    conditions: tuple
    quantifier: object = np.ravel
    otherwise: str = ""

    def holds(self, wide):
        """Where it holds, if the intervals of all that is asked are so much wider: ndarray of bool."""
        if not self.conditions:
            return self.points.value.astype(bool)
        own = self.points.widened(self.points.asked)
        return np.all([one.inside(self.points, wide, own) for one in self.conditions], axis=0)

    def sentence(self, holds):
        """What came out, in words."""
        if self.quantifier is _none:
            return ""
        if self.otherwise:
            return self.subject if holds else self.otherwise
        text, noun = self._text(), self.points.noun
        if holds.size == 1:
            place = places(np.ones(holds.shape), self.points.axes, always=True)
            return ", ".join([text if holds.all() else f"it is not so that {text}", *place])
        named = self._named(holds, alone=True)
        if 0 < len(named) <= MOST:
            no = "" if self.quantifier is np.any else "not "
            return f"{text} {among(holds, noun)} ({no}{preposition(noun)} {'; '.join(named)})"
        return f"{text} {among(holds, noun)}"

    def _text(self):
        texts = [one.said(self.points) for one in self.conditions]
        if all(text.startswith("is ") for text in texts):
            texts = texts[:1] + [text.removeprefix("is ") for text in texts[1:]]
        return f"{self.subject} {' and '.join(texts)}".strip()

    def _named(self, holds, **how):
        """The places that are the exception."""
        wanted = holds if self.quantifier is np.any else ~holds
        return places(wanted, self.points.axes, **how) if holds.any() and not holds.all() else []

    def numbers(self, holds, wide):
        """What is behind the sentence: a line, or nothing."""
        points, parts = self.points, []
        gap = any(0 < one.high <= ROUNDING for one in self.conditions)
        if self.conditions and not (gap and holds.all() and not points.asked):
            parts.append(spread(points.value, points.axes))
        if points.asked and self.quantifier is not _none:
            parts.append(self._doubt(holds, wide))
        if len(named := self._named(holds)) > MOST:
            parts.append(f"{'' if self.quantifier is np.any else 'not '}{preposition(points.noun)} {'; '.join(named)}")
        return f"{self.subject.rstrip(',')}: {', '.join(parts)}" if parts else ""

    def _doubt(self, holds, wide):
        """How wide intervals are, and how far from what they must hold, or what cannot be told."""
        points = self.points
        if any(one.doubt for one in self.conditions):
            off = max(one.half_widths_off(points) for one in self.conditions if one.doubt)
            return f"at most {off:.2f} half widths off, {points.widened(points.asked):.2f} allowed"
        told = np.any([one.outside(points, wide) for one in self.conditions], axis=0) | holds
        text = f"half widths up to {number(points.half.max())}"
        if told.all():
            return text
        return f"{text}, too wide to tell {preposition(points.noun)} {several(int((~told).sum()), points.noun)}"


def at_each(subject, points, *conditions):
    """A clause about each place: every place counts for the verdict.

    Parameters
    ----------
    subject : str
        A quantity, such as "the loss of HP less that of JSQ", to which the words of the conditions fit; or a whole
        sentence, if the points are truths.
    points : Points
    *conditions : Condition
        All of which are to hold.

    Returns
    -------
    Clause

    Examples
    --------
    >>> from compendium.press.clauses.conditions import at_most
    >>> loss = exact([0.1, 0.3], load=(0.5, 0.9))
    >>> print(conclude(at_each("the loss", loss, at_most(0.2))).came_out)
    the loss is at most 0.2 at 1 of 2 loads (not at 0.9)
    """
    return _clause(subject, points, conditions, np.ravel)


def everywhere(subject, points, *conditions):
    """A clause that is one statement about all places: it holds if it does at each of them. Otherwise as `at_each`.

    Examples
    --------
    >>> from compendium.press.clauses.conditions import at_most
    >>> conclude(everywhere("the loss", exact([0.1, 0.3], load=(0.5, 0.9)), at_most(0.2))).verdict
    'differs'
    """
    return _clause(subject, points, conditions, np.all)


def somewhere(subject, points, *conditions):
    """A clause that holds if it does at some place. Otherwise as `at_each`.

    Examples
    --------
    >>> from compendium.press.clauses.conditions import at_most
    >>> print(conclude(somewhere("the loss", exact([0.1, 0.3], load=(0.5, 0.9)), at_most(0.2))).came_out)
    the loss is at most 0.2 at 1 of 2 loads (at 0.5)
    """
    return _clause(subject, points, conditions, np.any)


def _clause(subject, points, conditions, quantifier):
    if not isinstance(points, Points):
        fail("points", points, "Points, which exact, measured and the measure of a domain give")
    return Clause(subject, points, conditions, quantifier)


def fact(text, holds, otherwise):
    """A clause that holds or does not, with what is said in each case.

    Examples
    --------
    >>> conclude(fact("job 2 has two timers", False, "job 2 has one timer")).came_out
    'job 2 has one timer'
    """
    return Clause(text, exact(bool(holds)), (), otherwise=otherwise)


def none(seen, noun, did, count):
    """A clause that of so many nothing did what is said; of none at all, it does not hold.

    Examples
    --------
    >>> print(conclude(none(160, "arrival", "broke the balance", 2)).came_out)
    of 160 arrivals 2 broke the balance
    """
    seen, count = int(seen), int(count)
    return fact(
        f"of {several(seen, noun)} none {did}", seen > 0 and not count, f"of {several(seen, noun)} {count} {did}"
    )


def aside(subject, points):
    """Numbers that stand in the fold, and count for nothing.

    Examples
    --------
    >>> conclude(fact("it holds", True, "it does not"), aside("the loss", exact([0.1, 0.3], load=(0.5, 0.9)))).behind
    ['the loss: 0.1 (load 0.5), 0.3 (load 0.9)']
    """
    return Clause(subject, points, (Condition(""),), quantifier=_none)


def _none(holds):
    """The quantifier of what counts for nothing."""
    return []


def conclude(*clauses, together=(), provided=(), whole=False, ours=False, undecidable=False):
    """The finding of a claim: its clauses hold at all their places, at some, or at none.

    The intervals that a claim asks hold together (`points.widened`): all of them, where something must be clear; those
    of one clause, where a disagreement must be (`agrees`). Each is the stricter way.

    Parameters
    ----------
    *clauses : Clause
    together : str or sequence of str
        Nouns of axes that all clauses have, if a place along these counts once, where all clauses hold together.
    provided : sequence of Clause
        What must hold, or no place counts: that a witness agrees.
    whole : bool
        Whether they are one statement, which holds or does not.
    ours : bool
        Whether no source says it: then it holds, or this book is wrong.
    undecidable : bool
        Whether the text leaves it open where it does not hold, as where two readings of it give different answers.

    Returns
    -------
    compendium.press.findings.Finding

    Examples
    --------
    >>> from compendium.press.clauses import measured
    >>> from compendium.press.clauses.conditions import at_most, larger
    >>> more = measured([0.03, 0.001], [0.005, 0.005], policy=("JSQ", "HP"), as_it_stands=True)
    >>> found = conclude(at_each("what migrations add", more, larger(), at_most("close")))
    >>> print(found.verdict, found.part, found.computed, sep="\\n")
    agrees in part
    1/2
    what migrations add is above 0 and at most 0.05 ("close") for 1 of 2 policies (not for HP)
    what migrations add: 0.03 (JSQ), 0.001 (HP), half widths up to 0.005, too wide to tell for 1 policy
    2 intervals hold together with 95 %, each 1.16 times as wide as alone
    """
    text, truths = _told((*clauses, *provided))
    if together:
        counted, said = _together((together,) if isinstance(together, str) else together, clauses, truths)
        text = text.replace("\n", f"; {said}\n", 1) if "\n" in text else f"{text}; {said}"
    else:
        counted = np.concatenate([np.ravel(one.quantifier(holds)) for one, holds in zip(clauses, truths)]).astype(bool)
    counted = counted & all(np.all(one.quantifier(holds)) for one, holds in zip(provided, truths[len(clauses) :]))
    if counted.all():
        return Finding(text, BEYOND if ours else AGREES)
    if undecidable:
        return Finding(text, UNDECIDABLE)
    if whole or ours or not counted.any():
        return Finding(text, DIFFERS)
    return Finding(text, PART, f"{np.count_nonzero(counted)}/{counted.size}")


def _told(clauses):
    """What clauses say together, sentence and numbers, and where each of them holds."""
    clear = [one for one in clauses if one.quantifier is not _none and not all(each.doubt for each in one.conditions)]
    asked = {id(one.points): one.points for one in clear if one.points.risk}.values()
    total = sum(points.asked for points in asked)
    wide = [one.points.widened(total) for one in clauses]
    truths = [one.holds(width) for one, width in zip(clauses, wide)]
    lines = [one.numbers(*found) for one, *found in zip(clauses, truths, wide)]
    if total:
        hold = "hold together" if total > 1 else "holds"
        sure = f"{100 * (1 - max(points.risk for points in asked)):.3g} %"
        lines.append(f"{several(total, 'interval')} {hold} with {sure}, each {max(wide):.2f} times as wide as alone")
    lines.append(", ".join(dict.fromkeys(note for one in clauses for note in one.points.notes)))
    said = "; ".join(filter(None, (one.sentence(holds) for one, holds in zip(clauses, truths))))
    return "\n".join(filter(None, (said, *lines))), truths


def _together(nouns, clauses, truths):
    """Where all clauses that count hold at a place along some axes, and what is said of it."""
    every, axes = True, [axis for axis in clauses[0].points.axes if axis[0] in nouns]
    for one, holds in zip(clauses, truths):
        if one.quantifier is not _none:
            order = [one.points.axes.index(axis) for axis in axes]
            rest = [k for k in range(holds.ndim) if k not in order]
            every = every & holds.transpose(*order, *rest).all(axis=tuple(range(len(order), holds.ndim)))
    noun = nouns[0] if len(nouns) == 1 else "point"
    named = places(~every, axes, alone=True) if every.any() and not every.all() else []
    where = f" (not {preposition(noun)} {'; '.join(named)})" if 0 < len(named) <= MOST else ""
    return every, f"all this together {among(every, noun)}{where}"


def mended(printed, *corrected):
    """The finding of a statement that is suspected to be wrong as printed: a clause of it, and those of what is right.

    Examples
    --------
    >>> from compendium.press.clauses.conditions import at_most
    >>> area = exact([6.0, 12.0], side=(2, 3))
    >>> found = mended(everywhere("as printed, the area", area, at_most(9)), everywhere("its half", area, at_most(12)))
    >>> found.verdict
    'agrees with the corrected formula'
    """
    text, truths = _told((printed, *corrected))
    first, *others = (np.all(one.quantifier(holds)) for one, holds in zip((printed, *corrected), truths))
    return erratum(text, bool(first), all(others))


def misprint(what, domain, *, printed, corrected, truth, within=1e-9):
    """The finding of a formula that is suspected to be wrong as printed.

    Parameters
    ----------
    what : str
        That the formula gives.
    domain : compendium.press.clauses.domains.Domain
    printed, corrected : callable
        Give for a case what the source's formula says, and what it says once it is put right.
    truth : callable
        Gives what the library or a witness finds, which knows neither: a number, or `Points` with intervals, within
        which the formula must be.
    within : float
        Up to which numbers count as equal, relative to the truth.

    Examples
    --------
    >>> from compendium.press.clauses import cases
    >>> sides = cases("side", (1.0, 2.0, 5.0))
    >>> found = misprint("the area", sides, printed=lambda a: 4 * a, corrected=lambda a: a**2, truth=lambda a: a * a)
    >>> print(found.verdict, *found.came_out.split("; "), sep="\\n")
    agrees with the corrected formula
    as printed, the area is right within 1e-9 in none of the 3 sides
    corrected, the area is right within 1e-9 in all 3 sides
    """
    right, clauses = domain.measure(truth), []
    for kind, formula in (("as printed", printed), ("corrected", corrected)):
        gap, right_within = domain.measure(formula) - right, agrees("is right within the intervals")
        if not right.asked:
            gap = gap.scaled(1 / np.maximum(np.abs(right.value), 1e-300))
            right_within = replace(equal(within), text=equal(within).text.replace("are equal", "is right"))
        clauses.append(everywhere(f"{kind}, {what}", gap, right_within))
    return mended(*clauses)
