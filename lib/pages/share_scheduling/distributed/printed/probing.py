"""Who is probed, and where jobs arrive, by the words of `thesis`, Sections 6.3 and 6.4.3: laws in fractions."""

from collections import defaultdict
from fractions import Fraction

from pages.share_scheduling.distributed.printed.rules import whole_parts


def arrival_law(preference, shares, processors):
    """The law of the processor at which a job of each group arrives (Section 6.3).

    Parameters
    ----------
    preference : str
        "HP" or "VP".
    shares : tuple of fractions.Fraction
    processors : int

    Returns
    -------
    tuple of tuple of fractions.Fraction
        pi_gp, as ``[g][p]``.

    Examples
    --------
    >>> arrival_law("VP", (Fraction(3, 4), Fraction(1, 4)), 2)
    ((Fraction(2, 3), Fraction(1, 3)), (Fraction(0, 1), Fraction(1, 1)))
    """
    if preference == "HP":
        return ((Fraction(1, processors),) * processors,) * len(shares)
    parts = whole_parts(shares, processors)
    return tuple(tuple(part / (share * processors) for part in row) for share, row in zip(shares, parts))


def next_probed(own, found, processors, parts=None):
    """Whom a processor may probe next, with weights, after those found so far.

    Parameters
    ----------
    own : int
        The processor that probes; it is never probed.
    found : collection of int
    processors : int
    parts : sequence of fractions.Fraction, optional
        X_gp of the group that has arrived, with VP probing preference: those of its subset come first.

    Returns
    -------
    options : list of int
    weights : list
    """
    left = [p for p in range(processors) if p != own and p not in found]
    preferred = [p for p in left if parts is not None and parts[p]]
    return (preferred, [parts[p] for p in preferred]) if preferred else (left, [1] * len(left))


def drawn_probe_set(own, limit, processors, random, parts=None):
    """A probe set with this law, by the same numbers as the kernel's: list of int, in the order in which it is drawn.

    Of those who are all alike the last one takes the place of the one that is drawn.

    Parameters
    ----------
    own, limit, processors, parts
        As for `probe_set_law`.
    random : callable
        Gives numbers uniform on 0 to 1.

    Examples
    --------
    >>> drawn_probe_set(1, 3, 5, lambda: 0.3)
    [2, 0, 3]
    """
    options, _ = next_probed(own, (), processors, parts)
    uneven = [p for p in options if parts is not None and 0 < parts[p] < 1]
    rest = [p for p in options if p not in uneven]
    found = []
    while len(found) < limit:
        if not uneven and not rest:
            rest, _ = next_probed(own, found, processors, parts)
        left = random() * (float(sum(parts[p] for p in uneven)) + len(rest)) if len(uneven) + len(rest) > 1 else 0.0
        chosen = None
        for p in uneven:
            if left < parts[p] or not rest and p == uneven[-1]:
                chosen = p
                break
            left -= float(parts[p])
        if chosen is None:
            k = min(int(left), len(rest) - 1)
            chosen, rest[k] = rest[k], rest[-1]
            rest.pop()
        else:
            uneven.remove(chosen)
        found.append(chosen)
    return found


def probe_set_law(own, limit, processors, parts=None):
    """The law of the probe set: one after the other is drawn, without replacement.

    Parameters
    ----------
    own : int
        The processor that probes.
    limit : int
        How many it probes.
    processors : int
    parts : sequence of fractions.Fraction, optional
        As for `next_probed`.

    Returns
    -------
    dict of frozenset to fractions.Fraction

    Examples
    --------
    >>> [(sorted(chosen), str(chance)) for chosen, chance in probe_set_law(0, 1, 3, (0, 1, 1)).items()]
    [([1], '1/2'), ([2], '1/2')]
    """
    law = {frozenset(): Fraction(1)}
    for _ in range(limit):
        grown = defaultdict(Fraction)
        for found, chance in law.items():
            options, weights = next_probed(own, found, processors, parts)
            total = Fraction(sum(weights))
            for p, weight in zip(options, weights):
                grown[found | {p}] += chance * weight / total
        law = dict(grown)
    return law


def inclusion(law, processors):
    """The probability of each processor to be in a set of this law: list of fractions.Fraction."""
    return [sum((chance for found, chance in law.items() if p in found), Fraction(0)) for p in range(processors)]
