"""How a finding says where something holds: nouns with their numbers, and places by name."""

import itertools
import re

import numpy as np

BOUND = re.compile(r"(.+?)( (?:at|for|in|of|on|that|under|with) .*)?$")
AT = (
    "point", "load", "step", "time", "limit", "level", "length", "place", "period", "ratio", "fraction", "share",
)  # nouns that take "at", ...  # fmt: skip
FOR = ("policy", "group", "law", "class", "reading", "number", "pair")  # ... and "for"; others take "in"
NAMELESS = ("step", "point")  # nouns whose places have whole names
FEW = 7  # values that are shown one by one
MOST = 3  # groups of places that a sentence lists


def several(number, noun):
    """A number with its noun.

    >>> several(1, "point"), several(2, "policy"), several(20, "class"), several(3, "law of sizes")
    ('1 point', '2 policies', '20 classes', '3 laws of sizes')
    """
    return f"{number} {noun if number == 1 else plural(noun)}"


def plural(noun):
    """A noun for several: its first words, up to what they are bound to.

    >>> plural("policy"), plural("group with so much"), plural("x")
    ('policies', 'groups with so much', 'values of x')
    """
    head, rest = BOUND.match(noun).groups("")
    if len(noun) == 1:
        return f"values of {noun}"
    if head.endswith("y") and head[-2] not in "aeiou":
        return f"{head[:-1]}ies{rest}"
    return f"{head}{'es' if head.endswith(('s', 'x', 'ch', 'sh')) else 's'}{rest}"


def shown(value):
    """A name or number of a place as a sentence has it.

    >>> shown(0.1), shown(100_000), shown(1e-9), shown("SVP")
    ('0.1', '100000', '1e-9', 'SVP')
    """
    if not isinstance(value, (int, float, np.number)):
        return str(value)
    text = str(int(value)) if float(value).is_integer() and abs(value) < 1e9 else f"{value:.3g}"
    return text.replace("e-0", "e-").replace("e+0", "e").replace("e+", "e")


def left_out(number, noun, reason):
    """What is said of places that are not there: a tuple of a text, or of none.

    >>> left_out(2, "random system", "overloaded"), left_out(0, "load", "overloaded")
    (('2 random systems left out: overloaded',), ())
    """
    return (f"{several(number, noun)} left out: {reason}",) if number else ()


def preposition(noun):
    """The word before a noun of places.

    >>> preposition("load"), preposition("pair of capacities"), preposition("random system")
    ('at', 'for', 'in')
    """
    head = noun.partition(" of ")[0].rpartition(" ")[2]
    return "at" if head in AT else "for" if head in FOR or len(noun) == 1 else "in"


def among(holds, noun):
    """At how many of all places something holds.

    >>> among([True, True], "policy"), among([False] * 9, "load"), among([True, False, False], "random system")
    ('for both policies', 'at none of the 9 loads', 'in 1 of 3 random systems')
    >>> among([False, False], "policy")
    'for neither of the 2 policies'
    """
    number, some, many, at = np.size(holds), np.count_nonzero(holds), plural(noun), preposition(noun)
    if some == number:
        return f"{at} both {many}" if number == 2 else f"{at} all {number} {many}"
    no = "neither" if number == 2 else "none"
    return f"{at} {some} of {number} {many}" if some else f"{at} {no} of the {number} {many}"


def places(holds, axes, alone=False, always=False):
    """Places by name, in groups: a list of texts; nothing where places have no names.

    Parameters
    ----------
    holds : array_like of bool
    axes : tuple of (str, tuple)
        Nouns and names.
    alone : bool
        Whether names along a single axis stand without their noun, which was just said.
    always : bool
        Whether also all places are named, or all along an axis.

    Examples
    --------
    >>> places([[0, 1, 1, 1], [0, 0, 0, 1]], (("policy", ("JSQ", "HP")), ("load", (0.6, 0.7, 0.8, 0.9))))
    ['policy JSQ, loads 0.7 to 0.9', 'policy HP, load 0.9']
    >>> places([[0, 1], [0, 1]], (("policy", ("JSQ", "HP")), ("load", (0.6, 0.7))))
    ['load 0.7']
    """
    holds = np.asarray(holds, bool)
    for k, (_, names) in reversed(list(enumerate(axes))):
        if names is None:
            holds = holds.any(axis=k)
    axes = [axis for axis in axes if axis[1] is not None]
    if not axes or not holds.any() or holds.all() and not always:
        return []
    if holds.ndim == 1 and axes[0][0] in NAMELESS:
        return _runs(holds, axes[0][1])
    if holds.ndim == 1 and alone:
        return [_ranges(holds, axes[0][1])]
    used = [holds.any(axis=tuple(j for j in range(holds.ndim) if j != k)) for k in range(holds.ndim)]
    if holds.sum() == np.prod([one.sum() for one in used]):  # all of some names with all of others
        return [", ".join(_names(one, axis) for one, axis in zip(used, axes) if always or not one.all())]
    groups, found = {}, []
    for k, row in enumerate(holds):
        groups.setdefault(row.tobytes(), []).append(k)
    for rows in groups.values():
        if holds[rows[0]].any():
            first = _names(np.isin(np.arange(len(holds)), rows), axes[0])
            found += [", ".join(filter(None, (first, rest))) for rest in places(holds[rows[0]], axes[1:]) or [""]]
    return found


def _names(chosen, axis):
    noun, names = axis
    if noun in NAMELESS:
        return _ranges(chosen, names)
    if len(noun) == 1:
        return f"{noun} = {_ranges(chosen, names)}"
    return f"{plural(noun) if np.count_nonzero(chosen) > 1 else noun} {_ranges(chosen, names)}"


def _ranges(chosen, names):
    """Names one by one; numbers that follow each other as ranges."""
    return ", ".join(_runs(chosen, names))


def _runs(chosen, names):
    parts, numeric = [], all(isinstance(name, (int, float, np.number)) for name in names)
    there = np.flatnonzero(chosen)
    for run in np.split(there, np.flatnonzero(np.diff(there) > 1) + 1):
        ends = [shown(names[k]) for k in run]
        parts += [f"{ends[0]} to {ends[-1]}"] if numeric and len(run) > 2 else _alike(ends)
    return parts


def _alike(names):
    """Names that follow each other, those that differ in a last number as ranges.

    >>> _alike(["case 1, load 0.5", "case 1, load 0.6", "case 1, load 0.7", "case 2, fraction 0", "none"])
    ['case 1, load 0.5 to 0.7', 'case 2, fraction 0', 'none']
    """
    found = []
    for stem, group in itertools.groupby(names, lambda name: name.rpartition(" ")[0]):
        alike = list(group)
        last = alike[-1].rpartition(" ")[2]
        long = len(alike) > 2 and stem and last.replace(".", "").isdigit()
        found += [f"{alike[0]} to {last}"] if long else alike
    return found


def spread(values, axes=()):
    """Some values: each with its name, if they are few; else the least and the largest, or the one that all are.

    >>> spread(np.array([0.0123, 0.5])), spread(np.array([9.1, 9.1001])), spread(np.array([-1e-17]))
    ('0.0123 to 0.5', '9.1', '0')
    >>> spread(np.array([0.03, 0.001]), (("policy", ("JSQ", "HP")),))
    '0.03 (JSQ), 0.001 (HP)'
    """
    if not np.size(values):
        return "none"
    if len(axes) == 1 and axes[0][1] and 1 < len(axes[0][1]) <= FEW:
        noun, names = axes[0]
        equals = " = " if len(noun) == 1 else " "
        named = [shown(name) if isinstance(name, str) else f"{noun}{equals}{shown(name)}" for name in names]
        return ", ".join(f"{number(value)} ({name})" for value, name in zip(values, named))
    low, high = (number(end) for end in (np.min(values), np.max(values)))
    return low if low == high else f"{low} to {high}"


def number(value):
    """A computed number with three digits, and no more than rounding leaves of it.

    >>> number(-1e-17), number(0.00123), number(1234.5), number(1234), number(np.inf)
    ('0', '0.00123', '1230', '1234', 'infinite')
    """
    value = float(value)
    if np.isinf(value):
        return "infinite"
    if value.is_integer() and abs(value) < 1e9:
        return str(int(value))
    return shown(float(f"{0.0 if abs(value) < 1e-12 else value:.3g}"))
