"""Faults made by machine in what each claim's check runs, and how many it notices: ``data/proofs/faults.csv``.

A fault counts if it reaches the check: if something that the check is given by models and pages is another value. It is
noticed if the verdict is another one, or the part of the statement that it grants, or if the check ends in an error.
That a fault is not noticed does not condemn a check: not every fault makes the statement wrong. A check that notices
few is one to be read. How faults are drawn and tried is told in `compendium.press.fault_trials`.

What a check does not notice, the rooms of its part may, which ask all that the library answers there (see
`compendium.press.library`): to each room faults of the models alone are put, and they count and are noticed alike.
"""

import csv
import functools
import json
import shutil
import tempfile
import time
from collections import Counter

from compendium import places
from compendium.press import claims, library, proofs, scorecard
from compendium.press.fault_trials import FAILED, NOTHING, NOTICED, TOLD, TURNED, UNENDED, VOID, apart, drawn, noticed
from compendium.press.kept import Kept
from compendium.press.reaching import MODELS, Given, known, watched
from compendium.progress import progress
from compendium.side_by_side import side_by_side

NUMBER, OF_ROOMS = 8, 40  # faults of a claim, and of a room: with so many, all take about two hours on two cores
KEPT = Kept("faults", ("claim", "digest", "seconds", "tried", "turned", "failed", "told", "unended", "seen", "unseen"))
SHOWN = 3  # faults of a kind that are kept by name
SHARES = ("none", "less than half", "half or more", "every fault", "no fault reaches it")  # how much a claim notices
UNREAD, AGAIN = "not read yet", "to be made again"


def _asked(name):
    """The check of a claim, or a part's room as one."""
    return library.room(name) if name in library.parts() else claims.checks(name)[name]


def judged(name, number=NUMBER, seed=0, again=()):
    """How many faults a claim notices, or a part's room.

    Parameters
    ----------
    name : str
        The claim's identifier, or the part.
    number : int
        Of faults tried.
    seed : int
        Of the draw, beside the claim's own.
    again : sequence of str
        Faults by name, tried beside those that are drawn, where their places are still there.

    Returns
    -------
    outcomes : dict
        Of each `Fault` that was tried, in their order, what came of it: none is void.
    seconds : float
        Of the check itself.
    """
    check = _asked(name)
    check.function()  # what is compiled is read, and what is stored
    known().forget()
    with tempfile.TemporaryDirectory() as folder:

        def look():
            began = time.process_time()
            with Given(check.function.__module__) as given:
                found = check.function()
            return found, given.digest(), time.process_time() - began

        expected, before, seconds = apart(look, 3600, folder)
        run = apart(lambda: watched(check), 3600, folder)
        if run is None or run.finding != expected:
            raise RuntimeError(f"{name}: its check finds something else each time.")
        outcomes = {}
        waiting = drawn(run, name, seed)
        if name in library.parts():
            waiting = [fault for fault in waiting if fault.module.startswith(MODELS)]
        named = [fault for fault in waiting if str(fault) in again]
        for fault in (*named, *waiting):
            if len(outcomes) == number + len(named):
                break
            if fault not in outcomes:
                place = tempfile.mkdtemp(dir=folder)
                outcome = noticed(check, fault, expected, before, seconds, place)
                shutil.rmtree(place)
                if outcome != VOID:
                    outcomes[fault] = outcome
    return outcomes, seconds


def row(name, number=None):
    """The line of a claim or of a part's room in ``data/proofs/faults.csv``."""
    outcomes, seconds = judged(name, number or (OF_ROOMS if name in library.parts() else NUMBER))
    counts = Counter(outcomes.values())
    seen = [str(fault) for fault, outcome in outcomes.items() if outcome in NOTICED]
    unseen = [str(fault) for fault, outcome in outcomes.items() if outcome in (NOTHING, TOLD)]
    return {
        "claim": name, "digest": _digest(name), "seconds": f"{seconds:.2g}",
        "tried": len(outcomes) - counts[UNENDED], "turned": counts[TURNED], "failed": counts[FAILED],
        "told": counts[TOLD], "unended": counts[UNENDED],
        "seen": json.dumps(seen[:SHOWN], ensure_ascii=False), "unseen": json.dumps(unseen[:SHOWN], ensure_ascii=False),
    }  # fmt: skip


def _digest(name):
    """Of all that a claim or a part's room depends on."""
    if name in library.parts():
        return library.digest(name)
    proof = proofs.KEPT.rows().get((name,), {"files": ""})
    return proofs.digest(_asked(name).function, proof["files"].split())


def survey(names=(), number=None, stale=False):
    """Make faults for claims and rooms, side by side, and keep what comes of them as it comes.

    Parameters
    ----------
    names : sequence of str
        Of claims and parts; all of them if none is given.
    number : int, optional
        Of faults for each.
    stale : bool
        Only where the line is not of today's code.

    Yields
    ------
    dict
        The line of a claim or of a part's room.
    """
    chosen = [one for one in library.parts() if one in names or not names]
    named = [one for one in names if one not in chosen]
    if named or not names:
        chosen += [check.identifier for check in proofs.chosen(named)]
    if stale:
        kept = {**current(), **of_rooms()}
        chosen = [one for one in chosen if one not in kept]
    order = [(one["id"],) for one in claims.table()] + [(part,) for part in library.parts()]
    if not chosen:
        return
    with progress(total=len(chosen), desc="faults") as shown:
        for found in side_by_side(functools.partial(row, number=number), chosen):
            KEPT.keep([found], lambda every: order)
            shown.update()
            yield found


def number(line):
    """How many faults were noticed, of a kept line."""
    return int(line["turned"]) + int(line["failed"])


def names(text):
    """The names of the faults in a field of a kept line."""
    return json.loads(text)


def current():
    """The kept lines that are of today's checks, as far as the proofs of the claims are: by claim."""
    of_proofs = {name: row["digest"] for (name,), row in proofs.KEPT.rows().items()}
    return {name: line for (name,), line in KEPT.rows().items() if line["digest"] == of_proofs.get(name)}


def of_rooms():
    """The kept lines that are of today's rooms: by part."""
    found = {part: KEPT.rows().get((part,)) for part in library.parts()}
    return {part: line for part, line in found.items() if line and line["digest"] == library.digest(part)}


def share(line):
    """How much a claim notices, in words.

    Examples
    --------
    >>> share({"tried": "8", "turned": "3", "failed": "1"}), share({"tried": "0", "turned": "0", "failed": "0"})
    ('half or more', 'no fault reaches it')
    """
    tried, noticed = int(line["tried"]), number(line)
    if not tried:
        return SHARES[4]
    if noticed < tried:
        return SHARES[2 if 2 * noticed >= tried else min(noticed, 1)]
    return SHARES[3]


def enough(line):
    """Whether a claim notices so many faults that nobody need read it."""
    return share(line) in SHARES[2:4]


def unread():
    """The claims of which nobody has said yet why they need not notice more."""
    return [name for name, line in current().items() if not enough(line) and name not in reasons()]


def reasons():
    """Why claims that notice less than half of their faults need not: by claim, from ``data/unnoticed.csv``."""
    with open(places.DATA / "unnoticed.csv", newline="", encoding="utf-8") as file:
        return {row["claim"]: row["reason"] for row in csv.DictReader(file)}


def _least(line):
    return SHARES.index(share(line)), number(line) / max(int(line["tried"]), 1)


def report():
    """Each claim with a line of today's code, the faults that were tried and those it notices, as a table: those that
    notice least first."""
    pages, read = {row["id"]: row for row in claims.table()}, reasons()
    lines = [line for name, line in current().items() if name in pages]
    rows = [
        (
            (line["claim"], scorecard.place(pages[line["claim"]])), f"{number(line)} of {line['tried']}", line["told"],
            names(line["unseen"]), share(line), read.get(line["claim"], "" if enough(line) else UNREAD),
        )
        for line in sorted(lines, key=_least)
    ]  # fmt: skip
    head = ("claim", "noticed", "told in other words", "not noticed, among others", "notices", "why no more")
    return claims.Table(head, rows, "claims scorecard faults")


def report_of_rooms():
    """The faults of the models that each room was asked with, and those it notices, as a table."""
    today, rows = of_rooms(), []
    for part in library.parts():
        line = today.get(part)
        told = (f"{number(line)} of {line['tried']}", names(line["unseen"])) if line else (AGAIN, [])
        rows.append((library.words(part), *told))
    return claims.Table(("part", "noticed", "not noticed, among others"), rows)


def totals():
    """Claims, faults and how many were noticed, by chapter, and of how many claims the faults are to be made again: a
    table."""
    every, older = {}, Counter()
    today = current()
    for row in claims.table():
        source, chapter, *rest = row["id"].split("-")
        kind = "Chapter" if chapter.isdigit() else "Appendix"
        chapter = f"{source}, {kind} {chapter}" if rest else source
        lines = every.setdefault(chapter, [])
        if row["id"] in today:
            lines.append(today[row["id"]])
        else:
            older[chapter] += 1
    rows = []
    for chapter, lines in every.items():
        told = Counter(map(share, lines))
        rows.append(
            (chapter, len(lines), sum(int(line["tried"]) for line in lines), sum(map(number, lines)),
             *(told[name] for name in SHARES), older[chapter])
        )  # fmt: skip
    return claims.Table(("source", "claims", "faults", "noticed", *SHARES, AGAIN), rows)
