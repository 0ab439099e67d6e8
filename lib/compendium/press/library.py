"""What the library answers, held against witnesses: unless all of it is right, no verdict of a part is given.

A check asks the function that its claim is about. The same is answered elsewhere too: exactly and by simulation, in
floats and in fractions, by a second solver, by an optimiser. All of these the room ``library`` of each part asks at
once: its `answers` are clauses, which must all hold. What came of them is kept, with a digest of all that they reach,
in ``data/proofs/library.csv``.
"""

import functools
import importlib.util
import os
import pkgutil
import sys

from compendium.press import reruns
from compendium.press.clauses.conclusions import conclude
from compendium.press.findings import AGREES, UNCONFIRMED, Finding
from compendium.press.kept import SCOPE, Kept, version
from compendium.study.fingerprints import Reach
from compendium.study.made_once import made_once

ROOM = ".library"
KEPT = Kept("library", ("part", "digest", "verdict", "computed"))


def parts():
    """The packages of pages that have a room ``library``, in alphabetical order."""
    walked = pkgutil.walk_packages(importlib.import_module("pages").__path__, "pages.")
    return sorted(module.name.removesuffix(ROOM) for module in walked if module.name.endswith(ROOM))


def parts_of(function):
    """The packages of pages whose answers a check rests on: its own, or those that its own names in `RESTS_ON`."""
    own = function.__module__.partition(".checks.")[0]
    named = getattr(sys.modules.get(own), "RESTS_ON", (own,)) if own.startswith("pages.") else ()
    return [part for part in named if importlib.util.find_spec(part + ROOM)]


def ask(part):
    """The finding of all clauses of a part, computed; an answer that ends in an error is a wrong one."""
    room = importlib.import_module(part + ROOM)
    try:
        return conclude(*room.answers())
    except Exception as error:
        return Finding(f"asked of what it answers, the library ends in an error: {error}", UNCONFIRMED)


_asked = functools.cache(ask)


@functools.cache  # every claim of a part asks
def digest(part):
    """The digest of all that the clauses of a part reach."""
    place = f"{part}{ROOM}:answers"
    return made_once(lambda: Reach([place], SCOPE).digest(version=version), "room", place)


def current(part):
    """The finding that is kept of a part, if it is of today's code; otherwise None."""
    row = KEPT.rows().get((part,))
    return Finding(row["computed"], row["verdict"]) if row and row["digest"] == digest(part) else None


def prove(part):
    """Ask a part's clauses and keep what comes out, without that of parts that are gone.

    Returns
    -------
    compendium.press.findings.Finding
    """
    found = ask(part)
    row = {"part": part, "digest": digest(part), "verdict": found.verdict, "computed": found.computed}
    KEPT.keep([row], lambda every: [(name,) for name in parts()])
    return found


def confirmed(check, found):
    """What is found of a claim, if what it rests on is right: the library's answers, and the stored points it reads.

    Parameters
    ----------
    check : compendium.press.claims.Check
    found : compendium.press.findings.Finding
    """
    told = [(told_of(part), "of what the library answers") for part in parts_of(check.function)]
    if not os.environ.get("COMPENDIUM_FRESH"):  # which reads other points
        told += [(reruns.told_of(file), "of what is stored") for file in reruns.read_by(check.identifier)]
    wrong = [f"; but {what}: {one.came_out}" for one, what in told if one.verdict != AGREES]
    if not wrong:
        return found
    first, line, rest = found.computed.partition("\n")
    return Finding(first + "".join(wrong) + line + rest, UNCONFIRMED)


def told_of(part):
    """The finding of a part: the kept one, or computed once where that is not current, or $COMPENDIUM_FRESH is set."""
    return (None if os.environ.get("COMPENDIUM_FRESH") else current(part)) or _asked(part)


def room(part):
    """The clauses of a part as a check that no claim names, for faults to be put in what it runs."""
    from compendium.press.claims import Check

    def function():
        return ask(part)

    function.__module__ = part + ROOM
    return Check(part, function, {})


def words(part):
    """A part's name in words."""
    return part.rpartition(".")[2].replace("_", " ")


def report():
    """In how many statements the library's answers are asked for in each part, and what came of them: a table."""
    from compendium.press.claims import Table

    told = {part: told_of(part) for part in parts()}
    rows = [(words(part), found.came_out.count("; ") + 1, found.verdict) for part, found in told.items()]
    return Table(("part", "statements on the library's answers", "verdict"), rows)
