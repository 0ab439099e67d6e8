"""What was found of each claim, kept with a digest of all that it depends on: ``data/proofs/claims.csv``.

A finding is current while its digest is: then it is taken from there, and not computed. The digest covers every
definition of the three packages that the check reaches by name, the versions of the packages that these use, and the
files that were read. Which those are is seen while a check runs: each counts for the definition of `pages` that asked
for it, and so for every check that reaches that definition, also where an earlier check had it read already.
"""

import csv
import functools
import hashlib
import importlib.metadata
import os
import re
import sys
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from clustershare.arguments import one_of
from compendium import places
from compendium.press.findings import Finding
from compendium.progress import progress
from compendium.side_by_side import side_by_side
from compendium.study.fingerprints import Reach, Scope

FILE = places.DATA / "proofs" / "claims.csv"
COLUMNS = ("claim", "digest", "verdict", "turned", "files", "computed")
# Of the machinery, what shows, keeps and divides work, and decides no finding.
APART = (
    "compendium.progress", "compendium.side_by_side", "compendium.study.dask_cluster", "compendium.study.engines",
    "compendium.study.fingerprints", "compendium.study.store", "compendium.press.claims", "compendium.press.proofs",
)  # fmt: skip
SCOPE = Scope(("clustershare", "compendium", "pages"), wide=True, apart=APART)


@dataclass(frozen=True)
class Proof:
    """What was found of a claim.

    Attributes
    ----------
    claim : str
    digest : str
        Of all that it depends on.
    verdict, computed : str
        See `compendium.press.findings.Finding`.
    turned : str
        The verdict in the wrong setting of its negative control.
    files : tuple of str
        That were read, from the root of the project.
    """

    claim: str
    digest: str
    verdict: str
    turned: str
    files: tuple
    computed: str

    @property
    def finding(self):
        """The `Finding` that is kept."""
        return Finding(self.computed, self.verdict)

    def stands(self, again):
        """Whether a claim was found again as here.

        Which files count may differ: those that other claims of the same process asked for, by a function that this one
        reaches too, count as well.
        """
        return (self.verdict, self.turned, self.computed) == (again.verdict, again.turned, again.computed)


def kept():
    """Every `Proof` by the claim's identifier."""
    return _kept(FILE, FILE.stat().st_mtime_ns) if FILE.exists() else {}


@functools.lru_cache(maxsize=2)
def _kept(file, changed):
    with open(file, newline="", encoding="utf-8") as lines:
        rows = csv.DictReader(lines)
        return {row["claim"]: Proof(**{**row, "files": tuple(row["files"].split())}) for row in rows}


def keep(proofs):
    """Write proofs beside those that are kept, without those of claims that are gone.

    An empty line stands between two, so that changes of neighbours are no conflict.
    """
    from compendium.press import claims

    every = {**kept(), **{proof.claim: proof for proof in proofs}}
    FILE.parent.mkdir(exist_ok=True)
    unfinished = FILE.with_suffix(f".{os.getpid()}")
    with open(unfinished, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n\n")
        writer.writerow(COLUMNS)
        for row in claims.table():
            if row["id"] in every:
                fields = vars(every[row["id"]])
                writer.writerow([" ".join(fields[name]) if name == "files" else fields[name] for name in COLUMNS])
    unfinished.replace(FILE)


def current(check):
    """The `Proof` that is kept of a claim, if it is of today's code and data; otherwise None.

    Parameters
    ----------
    check : compendium.press.claims.Check
    """
    proof = kept().get(check.identifier)
    return proof if proof and proof.digest == digest(check.function, proof.files) else None


def taken(check):
    """The `Proof` whose finding is taken in place of computing it: the current one, unless $COMPENDIUM_FRESH is set."""
    return None if os.environ.get("COMPENDIUM_FRESH") else current(check)


def digest(function, files):
    """The digest of a check, and of files by their names from the root of the project."""
    reach = _reach(f"{function.__module__}:{function.__qualname__}")
    return reach.digest(*(f"{name} {_bytes(name)}" for name in files), version=_version)


@functools.cache
def _reach(place):
    return Reach([place], SCOPE)


def _bytes(name):
    path = places.ROOT / name
    return _sha(path, path.stat().st_mtime_ns) if path.exists() else "is gone"


@functools.cache
def _sha(path, changed):
    return hashlib.sha256(path.read_bytes()).hexdigest()


@functools.cache
def _version(package):
    """The version of a package: all that the lock has, if it has the one that is here, for Pythons differ in theirs."""
    here = importlib.metadata.version(package)
    lock = (places.ROOT / "requirements.lock").read_text(encoding="utf-8")
    locked = re.findall(rf"^{re.escape(package)}==([^\s;\\]+)", lock, re.MULTILINE)
    return " ".join(locked) if here in locked else here


_read = defaultdict(set)  # files by the definition that asked for them
_listening = []


def _hear(event, arguments):
    if event == "open" and _listening and isinstance(arguments[0], (str, Path)):
        path = Path(os.path.abspath(arguments[0]))
        if path.is_relative_to(places.ROOT) and path.relative_to(places.ROOT).parts[0] in ("data", "chapters"):
            frame = sys._getframe(1)
            while frame and not frame.f_globals.get("__name__", "").startswith("pages."):
                frame = frame.f_back
            asked = (frame.f_globals["__name__"], frame.f_code.co_qualname.split(".")[0]) if frame else _listening[-1]
            _read[asked].add(path.relative_to(places.ROOT).as_posix())


@contextmanager
def _hearing(place):
    if _hear not in _hooks:
        _hooks.append(_hear)
        sys.addaudithook(_hear)  # none can be taken away again
    _listening.append(place)
    try:
        yield
    finally:
        _listening.pop()


_hooks = []


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
    with _hearing(place):
        found, turned = check.function(), check.function(**check.control)
    reached = _reach(":".join(place)).records
    modules = {module for module, *_ in reached}
    files = set()
    for (module, name), read in _read.items():
        if (module, name) in reached or name.startswith("<") and module in modules:  # not in a function of a name
            files |= read
    files = tuple(sorted(files))
    return Proof(check.identifier, digest(check.function, files), found.verdict, turned.verdict, files, found.computed)


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
            keep(found)
            shown.update(len(found))
            for proof in found:
                yield before[proof.claim], proof


def _prove_all(identifiers):
    return [prove(check) for check in chosen(identifiers)]
