"""Mutants: faults put into the library on purpose, each of which must turn a claim named beforehand.

A mutant is a row of ``data/mutants.csv``: a file below ``lib/``, the text in it that is replaced, by what, and the
claim whose verdict must then be another one. The library is copied, changed and asked in a process of its own; nothing
of the checkout is touched. Points that are simulated anew are simulated at `quick` fidelity.
"""

import csv
import hashlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import joblib

from clustershare.arguments import one_of
from compendium import places
from compendium.press import claims
from compendium.press.findings import UNCONFIRMED, VERDICTS
from compendium.progress import progress

SECONDS = 3600  # long enough on a busy machine

# What the process of a mutant runs: the verdict of one claim.
JUDGE = """
import sys
from compendium.press import claims
print("verdict:", claims.checks(sys.argv[1])[sys.argv[1]].function().verdict)
"""


@dataclass(frozen=True)
class Mutant:
    """A fault and the claim that must notice it.

    Attributes
    ----------
    identifier : str
    claim : str
        Whose verdict must turn.
    file : str
        Below ``lib/``.
    old, new : str
        The text replaced, which stands once in the file, and what takes its place.
    what : str
        The fault in words.
    """

    identifier: str
    claim: str
    file: str
    old: str
    new: str
    what: str


def mutants():
    """The rows of ``data/mutants.csv``.

    Raises
    ------
    ValueError
        If a text does not stand exactly once in its file, or a claim has no check.
    """
    with open(places.DATA / "mutants.csv", newline="", encoding="utf-8") as file:
        rows = [Mutant(**row) for row in csv.DictReader(file)]
    known = claims.checks()
    for row in rows:
        found = (places.ROOT / "lib" / row.file).read_text(encoding="utf-8").count(row.old)
        if found != 1:
            raise ValueError(f"{row.identifier}: its text must stand once in {row.file}; it stands {found} times.")
        if row.claim not in known:
            raise ValueError(f"{row.identifier}: its claim must be one with a check; got {row.claim!r}.")
    return rows


def judge(mutant):
    """The verdict of the mutant's claim with the fault in place.

    Returns
    -------
    str
        A verdict; "fails" where the check ended in an error, "does not end" where it took too long: no verdicts, for
        a check must notice a fault and not stumble over it.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        shutil.copytree(places.ROOT / "lib", root / "lib", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        _keep_compiled(places.ROOT / "lib", root / "lib")
        for name in ("data", "chapters", "requirements.lock"):
            (root / name).symlink_to(places.ROOT / name)
        path = root / "lib" / mutant.file
        path.write_text(path.read_text(encoding="utf-8").replace(mutant.old, mutant.new), encoding="utf-8")
        environment = {
            **os.environ, "PYTHONPATH": str(root / "lib"), "COMPENDIUM_RESULTS": str(root / "results"),
            "COMPENDIUM_MOST": "quick", "TQDM_DISABLE": "1",
        }  # fmt: skip
        environment.pop("COMPENDIUM_FINDINGS", None)
        command = [sys.executable, "-c", JUDGE, mutant.claim]
        try:
            done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS, cwd=root)
        except subprocess.TimeoutExpired:
            return "does not end"
    told = [line for line in done.stdout.splitlines() if line.startswith("verdict: ")]
    return told[-1].removeprefix("verdict: ") if told else "fails"


def _keep_compiled(library, copy):
    """What numba has compiled for the library, for its copy: all but the changed file is as it was.

    numba names a folder of its cache by a digest of the path of the sources. Should that change, all is compiled anew.
    """
    name = lambda folder: f"{folder.name}_{hashlib.sha1(str(folder).encode()).hexdigest()}"  # noqa: E731
    for cache in library.glob("*/__pycache__/numba-*"):
        for kept in cache.iterdir():
            sources = [path for path in library.rglob(kept.name.rpartition("_")[0]) if name(path) == kept.name]
            for path in sources:
                twin = copy / path.relative_to(library)
                shutil.copytree(kept, copy / cache.relative_to(library) / name(twin))


def survivors(sample=None, draw=None, only=()):
    """Judge mutants, all or some of them or a fresh random sample, side by side.

    Parameters
    ----------
    sample : int, optional
        How many; all if not given.
    draw : random.Random, optional
        Draws the sample.
    only : sequence of str, optional
        Identifiers; all mutants if none is given.

    Yields
    ------
    mutant : Mutant
    verdict : str
        Found with the fault in place.
    caught : bool
        Whether that is a verdict, or a witness disagrees, and another one than the committed one; a claim that is still
        open catches nothing.

    Raises
    ------
    ValueError
        If there is no such mutant.
    """
    chosen = {mutant.identifier: mutant for mutant in mutants()}
    chosen = [chosen[one_of("mutant", name, chosen)] for name in only or chosen]
    if sample is not None:
        chosen = (draw or random.Random()).sample(chosen, min(sample, len(chosen)))
    committed = {row["id"]: row["verdict"] for row in claims.table()}
    jobs = joblib.Parallel(n_jobs=-1, prefer="threads", return_as="generator")(map(joblib.delayed(judge), chosen))
    for mutant, verdict in progress(zip(chosen, jobs), total=len(chosen), desc="mutants"):
        both = {verdict, committed[mutant.claim]}
        yield mutant, verdict, len(both) == 2 and both <= {*VERDICTS, UNCONFIRMED}
