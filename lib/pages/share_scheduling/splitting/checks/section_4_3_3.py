"""Claims of `thesis`, Section 4.3.3: the mix of jobs that is fairest, and the letter of the capacity loss."""

import importlib
import re

import numpy as np

from clustershare.splitting import horizontal, minimise_capacity_loss
from compendium import places
from compendium.press.clauses import at_each, cases, conclude, fact, mended
from compendium.press.clauses.conditions import larger
from compendium.press.findings import check
from pages.share_scheduling.splitting.systems.assignments import (
    best_found,
    equal,
    fully_partitionable,
    largest,
    not_partitionable,
)

EXACT = 1e-12


def mixes_apart(result):
    """How far the traffic mixes at the processors in use are apart: the part of group 1."""
    totals = result.processor_loads.sum(axis=0)
    return np.ptp(result.processor_loads[0, totals > 1e-9] / totals[totals > 1e-9])


@check("thesis-4-151", objective="capacity loss")
def best_mix(objective="deviation"):
    """Of 50 systems that VPRS fits and 20 that it does not; HPRS loses least capacity on equal processors."""

    def apart(required, loads, processors):
        same = horizontal(required, loads, equal(processors))
        if objective == "deviation":
            best = best_found(required, loads, processors)
            return {"mixes": mixes_apart(best), "more": largest(same) - largest(best)}
        least = minimise_capacity_loss(equal(processors), sum(loads)).objective
        more = same.capacity_loss - least
        return {"mixes": mixes_apart(same) if abs(more) <= EXACT else 1.0, "more": more}

    systems = [*fully_partitionable(50, 150), *not_partitionable(20, 151)]
    found = cases("random system", systems).measure(apart)
    return conclude(
        at_each("the difference of the parts of the work that group 1 has at two processors", found["mixes"],
                larger(0.01)),
        at_each(f"the {objective} with the same mix everywhere less the least one", found["more"], larger(EXACT)),
        together="random system",
    )  # fmt: skip


@check("thesis-4-030", letter="T")
def letter_of_the_loss(letter="F"):
    """Deviations and losses of the table of notation: is there one of that letter, and which is the capacity loss?"""
    rows = (places.ROOT / "chapters/ledger/notation.md").read_text(encoding="utf-8").splitlines()
    named = {(found, row) for row in rows for found in re.findall(r"\\Delta(?:_g)?\^([A-Z])", row)}
    public = importlib.import_module("clustershare.splitting")
    loss = any(found == "T" and "`capacity_loss`" in row for found, row in named) and callable(public.capacity_loss)
    return mended(
        fact(f"there is a Delta^{letter}", letter in {found for found, _ in named}, f"there is no Delta^{letter}"),
        fact("the capacity loss is Delta^T", loss, "the capacity loss is not Delta^T"),
    )
