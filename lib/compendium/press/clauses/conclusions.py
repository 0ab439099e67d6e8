"""Clauses, and the finding that they make together."""

from dataclasses import dataclass, replace

import numpy as np

from clustershare.arguments import fail
from compendium.press.clauses.conditions import Condition, agrees, equal
from compendium.press.clauses.points import Points, exact
from compendium.press.clauses.sentences import among, number, places, preposition, several, spread
from compendium.press.findings import AGREES, BEYOND, DIFFERS, PART, UNCONFIRMED, UNDECIDABLE, Finding, erratum

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
    every : str
        The noun of an axis whose places count once, all together, or nothing.
    """

    subject: str
    points: Points
    conditions: tuple
    quantifier: object = np.ravel
    otherwise: str = ""
    every: str = ""

    @property
    def axes(self):
        """Those of the places that count."""
        return tuple(axis for axis in self.points.axes if axis[0] != self.every)

    @property
    def noun(self):
        """What such a place is called."""
        return self.axes[0][0] if len(self.axes) == 1 else "point"

    def found(self, wide):
        """Where it holds and where it may (ndarrays of bool), with the intervals of all that is asked so much wider."""
        if not self.conditions:
            return (self.points.value.astype(bool),) * 2
        own = self.points.widened(self.points.asked)
        holds = np.all([one.inside(self.points, wide, own) for one in self.conditions], axis=0)
        may = ~np.any([one.outside(self.points, own if one.doubt else wide) for one in self.conditions], axis=0)
        along = tuple(k for k, axis in enumerate(self.points.axes) if axis[0] == self.every)
        return holds.all(axis=along), may.all(axis=along)

    def directed(self, wide):
        """Whether a soft word asks how large something is whose direction is right at every place."""
        one_way = [replace(one, low=0.0, strict=True) for one in self.conditions if one.soft and one.low > 0]
        one_way += [replace(one, high=0.0, strict=True) for one in self.conditions if one.soft and one.high < 0]
        return bool(one_way) and all(one.inside(self.points, wide, wide).all() for one in one_way)

    def sentence(self, holds, may):
        """What came out, in words."""
        if self.quantifier is _none:
            return ""
        if self.otherwise:
            return self.subject if holds else self.otherwise
        text, noun = self._text(), self.noun
        if holds.size == 1:
            place = places(np.ones(holds.shape), self.axes, always=True)
            no = "" if holds.all() else "it cannot be told whether " if may.all() else "it is not so that "
            return ", ".join([no + text, *place])
        untold = np.count_nonzero(may & ~holds)
        open_ = f", {untold} cannot be told" if untold else ""
        named = self._named(holds if self.quantifier is np.any else may, alone=True)
        if 0 < len(named) <= MOST:
            no = "" if self.quantifier is np.any else "not "
            return f"{text} {among(holds, noun)} ({no}{preposition(noun)} {'; '.join(named)}{open_})"
        return f"{text} {among(holds, noun)}{open_}"

    def _text(self):
        texts = [one.said(self.points) for one in self.conditions]
        if all(text.startswith("is ") for text in texts):
            texts = texts[:1] + [text.removeprefix("is ") for text in texts[1:]]
        always = [f"{preposition(self.every)} every {self.every}"] if self.every else []
        return " ".join((self.subject, " and ".join(texts), *always)).strip()

    def _named(self, holds, **how):
        """The places that are the exception."""
        wanted = holds if self.quantifier is np.any else ~holds
        return places(wanted, self.axes, **how) if holds.any() and not holds.all() else []

    def numbers(self, holds, may, wide):
        """What is behind the sentence: a line, or nothing."""
        points, parts = self.points, []
        gap = any(0 < one.high <= ROUNDING for one in self.conditions)
        if self.conditions and not (gap and holds.all() and not points.asked):
            parts.append(spread(points.value, points.axes))
        if points.asked and self.quantifier is not _none:
            parts.append(self._doubt(holds, may))
        if len(named := self._named(holds if self.quantifier is np.any else may)) > MOST:
            parts.append(f"{'' if self.quantifier is np.any else 'not '}{preposition(self.noun)} {'; '.join(named)}")
        return f"{self.subject.rstrip(',')}: {', '.join(parts)}" if parts else ""

    def _doubt(self, holds, may):
        """How wide intervals are, and how far from what they must hold, or what cannot be told."""
        points = self.points
        if any(one.doubt for one in self.conditions):
            off = max(one.half_widths_off(points) for one in self.conditions if one.doubt)
            return f"at most {off:.2f} half widths off, {points.widened(points.asked):.2f} allowed"
        told = holds | ~may
        text = f"half widths up to {number(points.half.max())}"
        if told.all():
            return text
        return f"{text}, too wide to tell {preposition(self.noun)} {several(int((~told).sum()), self.noun)}"


def at_each(subject, points, *conditions, every=""):
    """A clause about each place: every place counts for the verdict.

    Parameters
    ----------
    subject : str
        A quantity, such as "the loss of HP less that of JSQ", to which the words of the conditions fit; or a whole
        sentence, if the points are truths.
    points : Points
    *conditions : Condition
        All of which are to hold.
    every : str, optional
        The noun of an axis whose places count once, all together: a policy, if it holds at every load.

    Returns
    -------
    Clause

    Examples
    --------
    >>> from compendium.press.clauses.conditions import at_most
    >>> loss = exact([0.1, 0.3], load=(0.5, 0.9))
    >>> print(conclude(at_each("the loss", loss, at_most(0.2))).came_out)
    the loss is at most 0.2 at 1 of 2 loads (not at 0.9)
    >>> loss = exact([[0.1, 0.3], [0.1, 0.2]], policy=("HP", "JSQ"), load=(0.5, 0.9))
    >>> print(conclude(at_each("the loss", loss, at_most(0.2), every="load")).came_out)
    the loss is at most 0.2 at every load for 1 of 2 policies (not for HP)
    """
    return replace(_clause(subject, points, conditions, np.ravel), every=every)


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


def mostly(subject, points, *conditions):
    """A clause that holds if it does at more than half of the places. Otherwise as `at_each`.

    Examples
    --------
    >>> from compendium.press.clauses.conditions import at_most
    >>> conclude(mostly("the loss", exact([0.1, 0.1, 0.3], load=(0.5, 0.7, 0.9)), at_most(0.2))).verdict
    'agrees'
    """
    return _clause(subject, points, conditions, _more_than_half)


def _clause(subject, points, conditions, quantifier):
    if not isinstance(points, Points):
        fail("points", points, "Points, which exact, measured and the measure of a domain give")
    return Clause(subject, points, conditions, quantifier)


def equalities(found, bound):
    """Clauses of gaps between two things each: the two are equal everywhere but for rounding.

    Parameters
    ----------
    found : dict of str to Points
        The two things in words, and the gap between them.
    bound : float
        Up to which they count as equal.

    Returns
    -------
    list of Clause

    Examples
    --------
    >>> gaps = {"the area and the sum": exact([0.0, 1e-15], side=(1, 2))}
    >>> conclude(*equalities(gaps, 1e-12)).came_out
    'the area and the sum are equal within 1e-12 in both sides'
    """
    return [everywhere(what, gap, equal(bound)) for what, gap in found.items()]


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


@dataclass(frozen=True, eq=False)
class _Beside(Clause):
    """A clause whose sentence stands in the fold."""

    def numbers(self, holds, may, wide):
        """The sentence, and what is behind it."""
        said = Clause(self.subject, self.points, self.conditions)
        numbers = said.numbers(holds, may, wide).removeprefix(f"{self.subject.rstrip(',')}: ")
        return ": ".join(filter(None, (said.sentence(holds, may), numbers)))


def besides(subject, points, *conditions):
    """A clause about each place that stands in the fold, and counts for nothing. Otherwise as `at_each`.

    Examples
    --------
    >>> from compendium.press.clauses.conditions import at_most
    >>> loss = exact([0.1, 0.3], load=(0.5, 0.9))
    >>> conclude(fact("it holds", True, "it does not"), besides("the loss", loss, at_most(0.2))).behind
    ['the loss is at most 0.2 at 1 of 2 loads (not at 0.9): 0.1 (load 0.5), 0.3 (load 0.9)']
    """
    if not isinstance(points, Points):
        fail("points", points, "Points, which exact, measured and the measure of a domain give")
    return _Beside(subject, points, conditions, quantifier=_none)


def _more_than_half(holds):
    return np.mean(holds) > 0.5


def _none(holds):
    """The quantifier of what counts for nothing."""
    return []


def conclude(*clauses, together=(), provided=(), whole=False, ours=False, undecidable=False):
    """The finding of a claim: its clauses hold at all their places, at some, or at none.

    A place that cannot be told counts neither for nor against, if at least half of a clause's can. Where a soft word's
    direction is right at every place and its size at none, the claim agrees in part.

    The intervals that a claim asks hold together (`points.widened`): all of them, where something must be clear; those
    of one clause, where a disagreement must be (`agrees`). Each is the stricter way.

    Parameters
    ----------
    *clauses : Clause
    together : str or sequence of str
        Nouns of axes that all clauses have, if a place along these counts once, where all clauses hold together.
    provided : sequence of Clause
        What must hold, or nothing is concluded: that a witness agrees.
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
    >>> policies = ("JSQ", "HP", "SVP")
    >>> more = measured([0.03, 0.001, -0.1], [0.005, 0.005, 0.005], policy=policies, as_it_stands=True)
    >>> found = conclude(at_each("what migrations add", more, larger(), at_most("close")))
    >>> print(found.verdict, found.part, found.computed, sep="\\n")
    agrees in part
    1/2
    what migrations add is above 0 and at most 0.05 ("close") for 1 of 3 policies (not for SVP, 1 cannot be told)
    what migrations add: 0.03 (JSQ), 0.001 (HP), -0.1 (SVP), half widths up to 0.005, too wide to tell for 1 policy
    3 intervals hold together with 95 %, each 1.24 times as wide as alone
    """
    text, truths, wide = _told((*clauses, *provided))
    if together:
        nouns = (together,) if isinstance(together, str) else together
        holds, may = (_together(nouns, clauses, [found[k] for found in truths]) for k in (0, 1))
        text = _and(text, _said_together(nouns, clauses, holds, may))
        holds, may = _shown(np.ravel(holds), np.ravel(may))
    else:
        each = [[np.ravel(one.quantifier(part)).astype(bool) for part in found] for one, found in zip(clauses, truths)]
        holds, may = (np.concatenate(parts) for parts in zip(*(_shown(*found) for found in each)))
    if not all(np.all(one.quantifier(found[0])) for one, found in zip(provided, truths[len(clauses) :])):
        return Finding(text, UNCONFIRMED)
    holds = holds[holds | ~may]
    if holds.all():
        return Finding(text, BEYOND if ours else AGREES)
    if undecidable:
        return Finding(text, UNDECIDABLE)
    part = f"{np.count_nonzero(holds)}/{holds.size}"
    directed = all(one.directed(wide) for one in clauses if one.quantifier is not _none)
    if directed and not (whole or ours or holds.any()):
        return Finding(_and(text, "its direction is right, its size is not"), PART, part)
    if whole or ours or not holds.any():
        return Finding(text, DIFFERS)
    return Finding(text, PART, part)


def _and(text, said):
    """A finding's text with another sentence, before the numbers."""
    first, line, rest = text.partition("\n")
    return f"{first}; {said}{line}{rest}"


def _shown(holds, may):
    """Where something holds and may: what cannot be told, if it is more than half, is against it."""
    told = holds | ~may
    return (holds, may) if 2 * np.count_nonzero(told) >= told.size else (holds, holds)


def _told(clauses):
    """What clauses say together, where each of them holds and may, and how much wider intervals are."""
    clear = [one for one in clauses if one.quantifier is not _none and not all(each.doubt for each in one.conditions)]
    asked = {id(one.points): one.points for one in clear if one.points.risk}.values()
    total = sum(points.asked for points in asked)
    wide = [one.points.widened(total) for one in clauses]
    truths = [one.found(width) for one, width in zip(clauses, wide)]
    lines = [one.numbers(*found, width) for one, found, width in zip(clauses, truths, wide)]
    if total:
        hold = "hold together" if total > 1 else "holds"
        sure = f"{100 * (1 - max(points.risk for points in asked)):.3g} %"
        lines.append(f"{several(total, 'interval')} {hold} with {sure}, each {max(wide):.2f} times as wide as alone")
    lines.append(", ".join(dict.fromkeys(note for one in clauses for note in one.points.notes)))
    said = "; ".join(dict.fromkeys(filter(None, (one.sentence(*found) for one, found in zip(clauses, truths)))))
    return "\n".join(filter(None, (said, *dict.fromkeys(lines)))), truths, max(wide, default=1.0)


def _together(nouns, clauses, truths):
    """Where all clauses that count hold at a place along some axes."""
    every, axes = True, [axis for axis in clauses[0].axes if axis[0] in nouns]
    for one, holds in zip(clauses, truths):
        if one.quantifier is not _none:
            order = [one.axes.index(axis) for axis in axes]
            rest = [k for k in range(holds.ndim) if k not in order]
            every = every & holds.transpose(*order, *rest).all(axis=tuple(range(len(order), holds.ndim)))
    return every


def _said_together(nouns, clauses, holds, may):
    """What is said of the places where all clauses that count hold."""
    axes, noun = [axis for axis in clauses[0].axes if axis[0] in nouns], nouns[0] if len(nouns) == 1 else "point"
    named = places(~may, axes, alone=True) if may.any() and not may.all() else []
    where = f" (not {preposition(noun)} {'; '.join(named)})" if 0 < len(named) <= MOST else ""
    untold = np.count_nonzero(may & ~holds)
    return f"all this together {among(holds, noun)}{where}{f', {untold} cannot be told' if untold else ''}"


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
    text, truths, _ = _told((printed, *corrected))
    first, *others = (np.all(one.quantifier(holds)) for one, (holds, _) in zip((printed, *corrected), truths))
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
