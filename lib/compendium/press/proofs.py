"""What was found of each claim, kept with a digest of all that it depends on: ``data/proofs/claims.csv``.

A finding is current while its digest is: then it is taken from there, and not computed. The digest covers every
definition of the three packages that the check reaches by name, the versions of the packages that these use, and the
files that were read. Which those are is seen while a check runs: each counts for the definition of `pages` that asked
for it, and so for every check that reaches that definition, also where an earlier check had it read already.
"""

import functools
import os
from collections import defaultdict
from dataclasses import dataclass

from clustershare.arguments import one_of
from compendium.press.findings import Finding
from compendium.press.kept import SCOPE, Kept, digest_of_files, hearing, places_of, version
from compendium.progress import progress
from compendium.side_by_side import side_by_side
from compendium.study.fingerprints import Reach
from compendium.study.made_once import made_once

KEPT = Kept("claims", ("claim", "digest", "verdict", "part", "turned", "files", "computed"))


@dataclass(frozen=True)
class Proof:
    """What was found of a claim.

    Attributes
    ----------
    claim : str
    digest : str
        Of all that it depends on.
    verdict, part, computed : str
        See `compendium.press.findings.Finding`.
    turned : str
        The verdict in the wrong setting of its negative control.
    files : tuple of str
        That were read, from the root of the project.
    """

    claim: str
    digest: str
    verdict: str
    part: str
    turned: str
    files: tuple
    computed: str

    @property
    def finding(self):
        """The `Finding` that is kept."""
        return Finding(self.computed, self.verdict, self.part)

    def stands(self, again):
        """Whether a claim was found again as here.

        Which files count may differ: those that other claims of the same process asked for, by a function that this one
        reaches too, count as well.
        """
        return self.turned == again.turned and self.finding == again.finding


def _proof(row):
    return Proof(**{**row, "files": tuple(row["files"].split())})


def keep(proofs):
    """Write proofs beside those that are kept, without those of claims that are gone."""
    from compendium.press import claims

    rows = [{**vars(proof), "files": " ".join(proof.files)} for proof in proofs]
    KEPT.keep(rows, lambda every: [(row["id"],) for row in claims.table()])


def current(check):
    """The `Proof` that is kept of a claim, if it is of today's code and data; otherwise None.

    Parameters
    ----------
    check : compendium.press.claims.Check
    """
    row = KEPT.rows().get((check.identifier,))
    return _proof(row) if row and row["digest"] == digest(check.function, row["files"].split()) else None


def taken(check):
    """The `Proof` whose finding is taken in place of computing it: the current one, unless $COMPENDIUM_FRESH is set."""
    return None if os.environ.get("COMPENDIUM_FRESH") else current(check)


def digest(function, files):
    """The digest of a check, and of files by their names from the root of the project."""
    place, files = f"{function.__module__}:{function.__qualname__}", digest_of_files(files)
    return made_once(lambda: _reach(place).digest(*files, version=version), "claim", place, *files)


@functools.cache
def _reach(place):
    return Reach([place], SCOPE)


_read = defaultdict(set)  # files by the definition that asked for them


def prove(check):
    """Compute a claim's finding, and that it turns in its wrong setting.

    Parameters
    ----------
    check : compendium.press.claims.Check

    Returns
    -------
    Proof
    """
    place = check.function.__module__, check.function.__qualname__

    def note(kind, name, frame):
        asked = next((one for one in places_of(frame) if one[0].startswith("pages.")), place)
        if kind == "file":
            _read[asked[0], asked[1].split(".")[0]].add(name)

    with hearing(note):
        found, turned = check.function(), check.function(**check.control)
    reached = _reach(":".join(place)).records
    modules = {module for module, *_ in reached}
    files = set()
    for (module, name), read in _read.items():
        if (module, name) in reached or name.startswith("<") and module in modules:  # not in a function of a name
            files |= read
    files = tuple(sorted(files))
    made_of = digest(check.function, files)
    return Proof(check.identifier, made_of, found.verdict, found.part, turned.verdict, files, found.computed)


def chosen(identifiers=(), stale=False):
    """The checks named, all if none is; of these only those whose proof is not current, if `stale`.

    Raises
    ------
    ValueError
        If there is no such claim.
    """
    from compendium.press import claims

    known = claims.checks()
    checks = [known[one_of("claim", name, known)] for name in identifiers or known]
    return [check for check in checks if not (stale and current(check))]


def renew(checks):
    """Prove claims side by side, and keep what is found as it comes.

    Yields
    ------
    before : Proof or None
        The one kept so far, if it is current.
    proof : Proof
    """
    before = {check.identifier: current(check) for check in checks}
    groups = defaultdict(list)
    for check in checks:  # those of a chapter share what they compute
        groups[check.identifier.rpartition("-")[0]].append(check.identifier)
    with progress(total=len(checks), desc="claims", unit="claim") as shown:
        for found in side_by_side(_prove_all, sorted(groups.values(), key=len, reverse=True)):
            # What stands is left as it was kept: of the same code it may have noted files that another claim read.
            keep([proof for proof in found if not (kept := before[proof.claim]) or not kept.stands(proof)])
            shown.update(len(found))
            for proof in found:
                yield before[proof.claim], proof


def _prove_all(identifiers):
    return [prove(check) for check in chosen(identifiers)]
